"""Words for single numbers and for vectors of eight and sixteen do the same to each number."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from simcore.jit import HAS_AVX512, JIT_DISABLED, kernel
from simcore.vectors import choose, some
from simcore.wide import (
    EIGHT,
    PART_BITS,
    SIXTEEN,
    as_reals,
    by_width,
    in_all_quarters,
    largest_quarters,
    least,
    looked_up,
    lower_part,
    lowest_of_each,
    nth_in_each,
    one_of_eight,
    put_sixteen,
    quotient,
    remainder,
    sixteen_at,
    times,
    upper_part,
)

pytestmark = pytest.mark.skipif(not (HAS_AVX512 or JIT_DISABLED), reason="vectors are short")

WORDS, INDEX, SMALL, OUT = 0, 1, 2, 3
ROWS = OUT + 13
TABLE = np.arange(100, 140)
QUARTERS = 0x1000100010001


def _single(_number):
    return 1


def _wide(numbers):
    return (numbers & 0) + EIGHT


width = by_width(kernel(_single), kernel(_wide))


@kernel
def count_abreast(rows, table):
    """Write what each word makes of the first rows to those from `OUT` on."""
    words, index, small = sixteen_at(rows, 0, 0), sixteen_at(rows, 1, 0), sixteen_at(rows, 2, 0)
    put_sixteen(rows, 3, 0, nth_in_each(words, index))
    put_sixteen(rows, 4, 0, lowest_of_each(small, words, 6))
    put_sixteen(rows, 5, 0, looked_up(table, index))
    put_sixteen(rows, 6, 0, one_of_eight(table[1:], small & 7))
    put_sixteen(rows, 7, 0, least(index - 5, small))
    put_sixteen(rows, 8, 0, times(index, small) + times(index, 3))
    put_sixteen(rows, 9, 0, quotient(9, small) * 100 + remainder(9, small))
    put_sixteen(rows, 10, 0, width(small))
    put_sixteen(rows, 11, 0, choose(index > 5, words, 0 - words))
    part = words >> 2
    put_sixteen(rows, 12, 0, upper_part(part, small) + upper_part(part, 63))
    put_sixteen(rows, 13, 0, lower_part(part, small) + lower_part(part, 63))
    put_sixteen(rows, 14, 0, in_all_quarters(small))
    put_sixteen(rows, 15, 0, largest_quarters(words, in_all_quarters(small << 10)))
    return some(index == 3)


@kernel
def single(table, words, index, small):
    """Return what words for both make of single numbers."""
    return (
        looked_up(table, index),
        one_of_eight(table[1:], small & 7),
        times(index, small),
        quotient(9, small),
        remainder(9, small),
        width(small),
        upper_part(words >> 2, small),
        lower_part(words >> 2, small),
        in_all_quarters(small),
        as_reals(words),
    )


def numbers():
    random = np.random.default_rng(7)
    rows = np.zeros((ROWS, SIXTEEN), np.int64)
    rows[WORDS] = random.integers(1 << 53, 1 << 54, SIXTEEN)
    rows[INDEX] = random.integers(0, 12, SIXTEEN)
    rows[INDEX, 0] = 3
    rows[SMALL] = random.integers(0, 64, SIXTEEN)
    return rows


def test_sixteen_count_as_single_numbers():
    rows = numbers()
    assert count_abreast(rows, TABLE)
    for words, index, small, *found in rows.T.tolist():
        bits = [bit for bit in range(64) if words >> bit & 1]
        chosen = sum(1 << bits[number] for number in range(6) if small >> number & 1)
        negative = index < 5
        wrapped = (small >= 32) << 64
        expected = [
            bits[index],
            chosen,
            100 + index,
            101 + (small & 7),
            small if negative else min(index - 5, small),
            index * (small + 3),
            100 * (small // 9) + small % 9,
            EIGHT,
            words if index > 5 else -words,
            sum((words >> 2) * factor >> PART_BITS for factor in (small, 63)),
            sum((words >> 2) * factor % (1 << PART_BITS) for factor in (small, 63)),
            small * QUARTERS,
            sum(max(words >> at & 0xFFFF, small << 10) << at for at in range(0, 64, 16)) - wrapped,
        ]
        assert found == expected
        parts = (words >> 2) * small
        both = single(TABLE, words, index, small)
        assert both[:6] == (100 + index, 101 + (small & 7), index * small, small // 9, small % 9, 1)
        assert both[6:] == (
            parts >> PART_BITS,
            parts % (1 << PART_BITS),
            small * QUARTERS,
            struct.unpack("d", struct.pack("q", words))[0],
        )


def test_a_word_without_that_many_bits():
    rows = numbers()
    rows[WORDS] = 5
    rows[INDEX] = 2
    count_abreast(rows, TABLE)
    assert (rows[OUT] == 63).all()
