"""The streams of `simcore.rng` once more, compiled: the battery reads many millions of words.

`test_streams.py` holds them to the ordinary ones.
"""

from __future__ import annotations

import numba
import numpy as np

from simcore.jit import IN_PLAIN_PYTHON
from simcore.rng import DEAL, FIRST_SEAT_STREAM, PURPOSES

if IN_PLAIN_PYTHON:
    numba.config.DISABLE_JIT = True
kernel = numba.njit(error_model="numpy", nogil=True)
inline_kernel = numba.njit(error_model="numpy", nogil=True, forceinline=True)


def wrapping(function):
    """Let sums and products of uint64 wrap round where nothing is compiled, too."""
    return np.errstate(over="ignore")(function) if IN_PLAIN_PYTHON else function


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MATCH_STEP = np.uint64(0xD1342543DE82EF95)
_ROUND_STEP = np.uint64(0xDA942042E4DD58B5)
HALF = np.uint64(0xFFFFFFFF)


@inline_kernel
@wrapping
def mix(word):
    """Return a bijective scramble of 64 bits (Stafford's variant 13, as in SplitMix64)."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@inline_kernel
def rotate_left(word, places):
    return (word << np.uint64(places)) | (word >> np.uint64(64 - places))


@inline_kernel
@wrapping
def match_key(seed, match):
    """Return the part of a key that all streams of a match share, one to one with `match`."""
    return mix(mix(np.uint64(seed) + _GOLDEN) + np.uint64(match) * _MATCH_STEP)


@inline_kernel
@wrapping
def open_stream(rng, seed, key, round_number, purpose):
    """Set `rng` (two uint64, modified in place) to the start of a stream; `key` is `match_key`.

    Two rounds of a Feistel network over the match's half and the round's half of the key.
    """
    step = np.uint64(round_number) * np.uint64(PURPOSES) + np.uint64(purpose + 1)
    other = (np.uint64(seed) ^ _GOLDEN) + step * _ROUND_STEP
    word = key ^ mix(other)
    rng[0] = word
    rng[1] = other ^ mix(word)


@inline_kernel
@wrapping
def next_word(rng):
    """Draw 64 random bits; `rng` is modified in place."""
    word, other = rng[0], rng[1]
    bits = rotate_left(word + other, 17) + word
    other ^= word
    rng[0] = rotate_left(word, 49) ^ other ^ (other << np.uint64(21))
    rng[1] = rotate_left(other, 28)
    return bits


@kernel
def below(rng, bound):
    """Draw an int64 uniformly from 0…bound − 1, without bias; 1 ≤ bound < 2³².

    Lemire 2019, "Fast random integer generation in an interval", ACM TOMACS 29(1), with 32-bit
    words.
    """
    size = np.uint64(bound)
    product = (next_word(rng) >> np.uint64(32)) * size
    if (product & HALF) < size:
        threshold = (np.uint64(1 << 32) - size) % size
        while (product & HALF) < threshold:
            product = (next_word(rng) >> np.uint64(32)) * size
    return np.int64(product >> np.uint64(32))


__all__ = ["DEAL", "FIRST_SEAT_STREAM", "PURPOSES"]
