"""Many small numbers are drawn from one random word, each with the same probability."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.updown.draws import FRACTION_BITS, draw, fresh_fraction


def test_every_number_drawn_has_as_many_words():
    """Where words are scarce: with 1.5 to a number, one in three must be rejected."""
    words = 1 << FRACTION_BITS
    product = words * 2 // 3
    surplus = words % product
    raw = np.array([1, 2], dtype=np.uint64)
    stream = np.int64(1), np.int64(2)
    drawn = []
    for _ in range(2000):
        fraction, stream = fresh_fraction(stream, product)
        drawn.append(int(fraction))
    for fraction in drawn:
        of_same_number = [
            near
            for near in range(fraction - 2, fraction + 3)
            if near * product >> FRACTION_BITS == fraction * product >> FRACTION_BITS
            and near * product % words >= surplus
        ]
        assert of_same_number == [fraction]
    offered = [int(rng.next_word(raw)) >> (64 - FRACTION_BITS) for _ in range(3000)]
    kept = [word for word in offered if word * product % words >= surplus]
    assert 1900 < len(kept) < 2100
    assert drawn[:1900] == kept[:1900]


def test_numbers_drawn_from_a_fraction_are_the_digits_of_one_number():
    rest = np.int64(123_456_789_012_345_678)
    whole = int(rest)
    product = 1
    digits = 0
    for bound in (11, 10, 9, 8):
        number, rest = draw(rest, bound)
        product *= bound
        digits = digits * bound + number
    assert digits == whole * product >> FRACTION_BITS
    assert rest == whole * product % (1 << FRACTION_BITS)
