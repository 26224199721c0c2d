"""Many matches side by side in the lanes of vector registers: what games that do so share.

The state of a lane is one column of a work space (`work_dtype`); each game says what its rows are.
A compiled record does not hold the memory that it lies in, so kernels keep the array `work` for as
long as they play and hand on `work[0]` (`tests/contract/test_memory.py`).
Its turn is arithmetic on numbers and truth values without a branch, so that the compiler makes one
vector instruction of the same step in several lanes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.jit import HAS_AVX2, HAS_AVX512, JIT_DISABLED, inline_kernel, kernel

LANES = 16
"""Matches that are played side by side."""

LINE = 8
"""How many numbers fill a line of the cache."""

IDLE = -1
"""In the row that numbers the matches of the lanes: there is none."""

EIGHT_AT_ONCE = HAS_AVX512 and not JIT_DISABLED
FOUR_AT_ONCE = HAS_AVX2 and not JIT_DISABLED
"""Whether so many lanes go into a vector. For some games four are too few to be faster than one
match after another."""


def work_dtype(rows: int, lanes: int = LANES) -> np.dtype[Any]:
    """Return the dtype of a work space: `rows`, int64[rows, lanes + LINE].

    The lanes begin at `first_column`. It is a record because then the compiler knows all distances.
    """
    return as_record(np.dtype([("rows", "i8", (rows, lanes + LINE))]))


def as_record(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return a dtype whose fields can be named as attributes where nothing is compiled, too."""
    return np.dtype((np.record, dtype)) if JIT_DISABLED else dtype


@kernel
def first_column(lanes):
    """Return the first column that begins a line of the cache; so do all its rows."""
    return (-(np.int64(lanes.ctypes.data) >> 3)) % LINE


@inline_kernel
def lanes_from(column, count):
    """Return the columns of so many lanes; that the first is below `LINE` the compiler sees."""
    first = column & (LINE - 1)
    return range(first, first + count)


@kernel
def is_busy(matches):
    """Tell whether a lane has a match."""
    for match in matches:
        if match != IDLE:
            return True
    return False


@inline_kernel
def needed(alone, which):
    """Tell whether to compute what is then chosen by `which`.

    One match alone (`alone`, a constant where it is called) skips what it does not need; lanes
    compute it without a branch.
    """
    return which if alone else True


@inline_kernel
def blend(mask, one, other):
    """Return `one` where the mask's bits are set, else `other`."""
    return (one & mask) | (other & ~mask)


@inline_kernel
def draw_if(which, words):
    """Return 64 random bits, and the two words of a stream, gone on where the mask says so."""
    word, next0, next1 = rng.step(words[0], words[1])
    which = np.uint64(which)
    return word, (blend(which, next0, words[0]), blend(which, next1, words[1]))


@inline_kernel
def nth_bit(word, index):
    """Return the number of the set bit number `index` (from 0) of `word`, by quartering.

    Comparisons take longer here than signs: they go through registers of their own.
    """
    place = np.int64(0)
    for quarter in (16, 4, 1):
        rest1 = index - popcount(word & ((1 << quarter) - 1))
        rest2 = index - popcount(word & ((1 << 2 * quarter) - 1))
        rest3 = index - popcount(word & ((1 << 3 * quarter) - 1))
        skipped = quarter * (3 + (rest1 >> 63) + (rest2 >> 63) + (rest3 >> 63))
        # Of these, those below 0 are the largest as unsigned numbers.
        one = min(np.uint64(np.int64(index)), np.uint64(np.int64(rest1)))
        other = min(np.uint64(np.int64(rest2)), np.uint64(np.int64(rest3)))
        index = np.int64(min(one, other))
        word >>= skipped
        place += skipped
    return place
