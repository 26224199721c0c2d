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
from simcore.jit import HAS_AVX2, HAS_AVX512, JIT_DISABLED, inline_kernel, kernel
from simcore.vectors import LANES as VECTOR
from simcore.vectors import eight_at, store_eight
from simcore.wide import times

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


@inline_kernel
def copy_row(rows, row, lanes, results, place):
    """Copy a row to an array, from a place on, counted through.

    `lanes` are the first one and how many, a multiple of those of a vector.
    """
    column, count = lanes
    for lane in range(0, count, VECTOR):
        store_eight(results, place + lane, eight_at(rows, row, column + lane))


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
def first_below(word, bound):
    """Return the number that `rng.below` makes of a word, and whether it might draw again."""
    half = np.int64(rng.HALF)
    product = times((word >> 32) & half, bound)
    return product >> 32, (product & half) < bound
