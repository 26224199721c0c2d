"""Vectors count as plain numbers do, lane by lane."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.bits import highest_bit, lowest_bit, note_bits, popcount
from simcore.jit import kernel
from simcore.vectors import (
    LANES,
    choose,
    divided,
    eight_at,
    floored,
    greatest,
    lane,
    largest,
    may_need,
    one_at,
    put_eight,
    put_one,
    reals,
    rotated,
    some,
    spread,
    store_eight,
    truncated,
    vector,
    wholes,
)

CASES = 50
EIGHT = tuple(range(10, 10 + LANES))


@kernel
def write(numbers, out):
    """Write a vector of whole numbers to `out`, int64[8]."""
    for i in range(LANES):
        out[i] = lane(numbers, i)


@kernel
def count(one, other, number, real, out):
    """Write what each operation makes of two vectors to the rows of `out`."""
    a = eight_at(one, 1, 0)
    b = eight_at(other, 0, 0)
    write(a + b * number - (number - a), out[0])
    write((a & b) | (~a ^ number), out[1])
    write((a << 3) + (b >> 2), out[2])
    write(wholes((a * real - b) / 3.0), out[3])
    write(choose((a > b) & (a >= number) | (b < number), a, b), out[4])
    write(choose((a <= b) == (number > 0), a, number), out[5])
    write(largest(a, b) + largest(a, number), out[6])
    write(wholes(choose(a == b, real, a * 1.0)), out[7])
    write((vector(EIGHT) - spread(number)) ^ rotated(a, number), out[8])
    positive = (a & 0xFFFF) | 1
    write(popcount(positive) * 100 + highest_bit(positive), out[9])
    reals = choose(a > 0, a * real, -1.0)
    out[10, 0] = greatest(a)
    out[10, 1] = np.int64(greatest(reals) * 8)


def rotated_right(word: int, places: int) -> int:
    places %= 64
    bits = word % (1 << 64)
    bits = (bits >> places | bits << (64 - places)) % (1 << 64)
    return bits - (bits >> 63 << 64)


def expected(one: list[int], other: list[int], number: int, real: float) -> list[list[int]]:
    """Return the same rows, by Python's numbers."""
    pairs = list(zip(one[1:], other, strict=True))
    reals = [a * real if a > 0 else -1.0 for a, _ in pairs]
    first = [a for a, _ in pairs]
    return [
        [a + b * number - (number - a) for a, b in pairs],
        [(a & b) | (~a ^ number) for a, b in pairs],
        [(a << 3) + (b >> 2) for a, b in pairs],
        [int((a * real - b) / 3.0) for a, b in pairs],
        [a if (a > b and a >= number) or b < number else b for a, b in pairs],
        [a if (a <= b) == (number > 0) else number for a, b in pairs],
        [max(a, b) + max(a, number) for a, b in pairs],
        [int(real) if a == b else a for a, b in pairs],
        [(i - number) ^ rotated_right(a, number) for i, a in zip(EIGHT, first, strict=True)],
        [(a & 0xFFFF | 1).bit_count() * 100 + (a & 0xFFFF | 1).bit_length() - 1 for a, _ in pairs],
        [max(first), int(max(reals) * 8), *[0] * 6],
    ]


@pytest.mark.parametrize("spread_of_numbers", [3, 1 << 28])
def test_lanes_count_as_plain_numbers(spread_of_numbers):
    """Small numbers, among which many are equal, and large ones."""
    random = np.random.default_rng(4)
    for _ in range(CASES):
        numbers = random.integers(-spread_of_numbers, spread_of_numbers + 1, 2 * LANES + 2)
        one, other, number = numbers[: LANES + 1], numbers[LANES + 1 : -1], int(numbers[-1])
        real = float(random.integers(-40, 40)) / 8
        out = np.zeros((11, LANES), np.int64)
        count(one, other, number, real, out)
        assert out.tolist() == expected(one.tolist(), other.tolist(), number, real)


@kernel
def put(numbers, wide, narrow):
    """Put twice eight numbers into arrays of two dimensions, counted through."""
    store_eight(wide, 5, eight_at(numbers, 0, 1) + 1)
    store_eight(narrow, 5, eight_at(numbers, 0, 1) + 1)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.int32])
def test_vectors_are_put_into_arrays_of_any_whole_numbers(kind):
    numbers = np.arange(100, 118).reshape(2, 9)
    wide = np.zeros((4, 5), dtype=np.int64)
    narrow = np.zeros((4, 5), dtype=kind)
    put(numbers, wide, narrow)
    assert wide.reshape(-1).tolist() == [0] * 5 + list(range(102, 110)) + [0] * 7
    assert np.array_equal(narrow, wide)


@kernel
def count_in_rows(whole, real, out):
    """Write what each operation makes of two rows to the rows of `out`."""
    number = eight_at(whole, 1, 2)
    floats = eight_at(real, 0, 1)
    put_eight(out, 0, 1, truncated(floats))
    put_eight(out, 1, 1, floored(floats))
    put_eight(out, 2, 1, reals(number))
    put_eight(out, 3, 1, largest(floats, number))
    put_eight(out, 4, 1, largest(floats, 0.25))
    put_eight(out, 5, 1, 7.5)


def test_rows_of_arrays():
    floats = [-2.75, -0.5, 0.0, 0.5, 1.0, 2.75, 1e9 + 0.5, -3.0]
    numbers = [-3, 2, 0, 1, -1, 3, 1 << 40, -(1 << 40)]
    whole = np.zeros((2, LANES + 2), np.int64)
    whole[1, 2:] = numbers
    real = np.array([[9.0, *floats]])
    out = np.zeros((6, LANES + 2))
    count_in_rows(whole, real, out)
    assert out[:, 1:-1].tolist() == [
        [float(int(number)) for number in floats],
        [float(number // 1) for number in floats],
        [float(number) for number in numbers],
        [max(pair) for pair in zip(floats, numbers, strict=True)],
        [max(number, 0.25) for number in floats],
        [7.5] * LANES,
    ]
    assert not out[:, [0, -1]].any()


@kernel
def count_rows(whole, real, out):
    """Write to rows of `out` what is made of rows: with a number in each lane, or of one number."""
    number = one_at(whole, 3, 1)
    floats = one_at(real, 2, 1)
    put_one(out, 0, 1, truncated(floats))
    put_one(out, 1, 1, floored(floats))
    put_one(out, 2, 1, reals(wholes(floats) - number))
    put_one(out, 3, 1, largest(floats, number) + largest(number, 2))
    put_one(out, 4, 1, choose(number > 4, floats, number))
    put_one(out, 5, 1, choose((number != 3) & (floats < 1.0), 0.5, floats))
    put_one(out, 6, 1, reals(popcount(number) * 100 + lowest_bit(number)))
    put_one(out, 7, 1, reals(choose(some(number == 0), number, 1 << number)))
    for row in range(8, 16, 1 if out.ndim > 1 else LANES):
        put_eight(out, row, 1, eight_at(real, row - 8, 1) * 2.0)


def test_rows_of_one_number_count_as_those_of_lanes():
    random = np.random.default_rng(6)
    whole = random.integers(1, 9, (8, LANES + 1))
    real = random.integers(-20, 20, (8, LANES + 1)) / 8.0
    wide = np.zeros((16, LANES + 1))
    count_rows(whole, real, wide)
    for column in range(1, LANES + 1):
        narrow = np.zeros(16)
        count_rows(whole[:, column].copy(), real[:, column].copy(), narrow)
        assert narrow.tolist() == wide[:, column].tolist()
    assert wide[8:, 1:].tolist() == (real[:, 1:] * 2).tolist()
    assert np.any(wide[:8])


@kernel
def asks(numbers, out):
    """Write whether a number above 3 may need something."""
    out[0] = may_need(one_at(numbers, 0, 0) > 3)


def test_lanes_may_always_need_what_a_single_number_does_not():
    out = np.zeros(1, np.bool_)
    for number, is_needed in ((0, False), (4, True)):
        asks(np.array([number]), out)
        assert out[0] == is_needed
        asks(np.full((1, LANES), number), out)
        assert out[0]


@kernel
def divide(numbers, divisors, out):
    """Write what rows of whole numbers are divided by each number."""
    for number in range(len(divisors)):
        divisor = divisors[number]
        for row in range(len(numbers)):
            quotients = divided(one_at(numbers, row, 0), divisor, 1.0 / divisor)
            put_one(out[number], row, 0, quotients)


def test_quotients_are_those_of_plain_numbers_to_the_last_bit():
    random = np.random.default_rng(8)
    simple = [0.1, 1 / 3, 0.75, 1.0, 1.2, 3.0, 44.0, np.nextafter(1, 0), np.nextafter(1, 2), 126.0]
    tiny = [1e-300, 1e300, *10.0 ** random.uniform(-290, 290, 20)]
    divisors = np.array([*simple, *tiny, *random.uniform(1, 126, 2000)])
    numbers = np.arange(-64.0, 256.0).reshape(-1, LANES)
    for rows in (numbers, numbers[:, 0].copy()):
        out = np.zeros((len(divisors), *rows.shape))
        divide(rows, divisors, out)
        assert np.array_equal(out, rows / divisors.reshape(-1, *[1] * rows.ndim))


@kernel
def read_bytes(wide, narrow, out):
    """Write what is read of rows of bytes, of lanes and of one number each, to rows of `out`."""
    put_eight(out, 0, 0, one_at(wide, 1, 8) << 8)
    put_eight(out, 1, 0, eight_at(narrow, 3, 0) << 8)
    out[2, 0] = one_at(narrow, 4, 0) << 8


def test_bytes_are_read_as_whole_numbers():
    """So that a deck of cards needs no more room than it has cards."""
    wide = np.arange(200, 248, dtype=np.uint8).reshape(2, 24)
    narrow = np.arange(240, 256, dtype=np.uint8)
    out = np.zeros((3, LANES), np.int64)
    read_bytes(wide, narrow, out)
    assert out[0].tolist() == [number << 8 for number in range(232, 240)]
    assert out[1].tolist() == [number << 8 for number in range(243, 251)]
    assert out[2, 0] == 244 << 8


@kernel
def note(numbers, first, word):
    """Call `note_bits`."""
    note_bits(numbers, first, word)


@pytest.mark.parametrize("word", [0, 1, 0b10110, -1 << 63, -1, 0x0123_4567_89AB_CDEF])
def test_bits_are_noted_in_order(word):
    """What lies before them stays."""
    numbers = np.full(80, 99, np.uint8)
    note(numbers, 3, np.int64(word))
    bits = [bit for bit in range(64) if word >> bit & 1]
    assert numbers[: 3 + len(bits)].tolist() == [99, 99, 99, *bits]
    assert (numbers[67:] == 99).all()
