"""Many small numbers are drawn from one random word, each with the same probability."""

from __future__ import annotations

import numpy as np
import pytest

from simcore import rng
from simcore.games.updown.draws import (
    LONG_BITS,
    MOST,
    draw,
    draw_long,
    fresh_fraction,
    long_fraction,
)
from simcore.wide import PART_BITS


def test_every_number_drawn_has_as_many_words():
    """Where words are scarce: with 1.5 to a number, one in three must be rejected."""
    words = 1 << LONG_BITS
    product = words * 2 // 3
    surplus = words % product
    raw = np.array([1, 2], dtype=np.uint64)
    stream = np.int64(1), np.int64(2)
    drawn = []
    for _ in range(2000):
        fraction, stream = long_fraction(stream, product)
        drawn.append(int(fraction))
    for fraction in drawn:
        of_same_number = [
            near
            for near in range(fraction - 2, fraction + 3)
            if near * product >> LONG_BITS == fraction * product >> LONG_BITS
            and near * product % words >= surplus
        ]
        assert of_same_number == [fraction]
    offered = [int(rng.next_word(raw)) >> (64 - LONG_BITS) for _ in range(3000)]
    kept = [word for word in offered if word * product % words >= surplus]
    assert 1900 < len(kept) < 2100
    assert drawn[:1900] == kept[:1900]


@pytest.mark.parametrize("product", [MOST - 1, MOST * 2 // 3, 39_916_800])
def test_from_a_fraction_the_same_is_drawn_as_from_a_long_one(product):
    """Of the greatest products one in 64 reaches the next number with the bits that are cut off."""
    streams = (np.int64(1), np.int64(2)), (np.int64(1), np.int64(2))
    for _ in range(1000):
        long, one = long_fraction(streams[0], product)
        fraction, other = fresh_fraction(streams[1], product)
        assert int(fraction) * product >> PART_BITS == int(long) * product >> LONG_BITS
        streams = one, other


@pytest.mark.parametrize(("draw", "bits"), [(draw, PART_BITS), (draw_long, LONG_BITS)])
def test_numbers_drawn_from_a_fraction_are_the_digits_of_one_number(draw, bits):
    rest = np.int64(123_456_789_012_345_678 >> (LONG_BITS - bits))
    whole = int(rest)
    product = 1
    digits = 0
    for bound in (11, 10, 9, 8):
        number, rest = draw(rest, bound)
        product *= bound
        digits = digits * bound + number
    assert digits == whole * product >> bits
    assert rest == whole * product % (1 << bits)
