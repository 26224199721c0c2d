"""The streams of `simcore.rng` once more, compiled: the battery reads many millions of words.

`test_streams.py` holds them to the ordinary ones.
"""

from __future__ import annotations

import numba
import numpy as np

from simcore.jit import IN_PLAIN_PYTHON
from simcore.rng import ASIDE, CHANCE, DEAL, FIRST_SEAT_STREAM, MATCH, PURPOSES

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
    """Return `word` rotated left by `places` bits."""
    return (word << np.uint64(places)) | (word >> np.uint64(64 - places))


@inline_kernel
@wrapping
def match_key(seed, match):
    """Return the part of a key that all streams of a match share, one to one with `match`."""
    return mix(mix(np.uint64(seed) + _GOLDEN) + np.uint64(match) * _MATCH_STEP)


@inline_kernel
@wrapping
def round_words(seed, round_number, purpose):
    """Return what a stream's keys have the same in all matches of a round, as it is and mixed."""
    step = np.uint64(round_number) * np.uint64(PURPOSES) + np.uint64(purpose + 1)
    other = (np.uint64(seed) ^ _GOLDEN) + step * _ROUND_STEP
    return other, mix(other)


@inline_kernel
def start_in(of_round, key):
    """Return the two words with which a stream starts; `of_round` are its `round_words`."""
    other, mixed = of_round
    word = key ^ mixed
    return word, other ^ mix(word)


@inline_kernel
def start_of(seed, key, round_number, purpose):
    """Return the two words with which a stream starts; see `open_stream`."""
    return start_in(round_words(seed, round_number, purpose), key)


@inline_kernel
def open_stream(rng, seed, key, round_number, purpose):
    """Set `rng` (two uint64, modified in place) to the start of a stream.

    Two rounds of a Feistel network over the match's half and the round's half of the key.

    Parameters
    ----------
    rng : uint64[2]
    seed : integer
    key : uint64
        `match_key(seed, match)`.
    round_number : int
        0 for draws that belong to the match as a whole.
    purpose : int
        One of the constants of this module, or `FIRST_SEAT_STREAM + seat`.
    """
    rng[0], rng[1] = start_of(seed, key, round_number, purpose)


@inline_kernel
@wrapping
def step(word0, word1):
    """Return 64 random bits and the two words of the stream's next state."""
    result = rotate_left(word0 + word1, 17) + word0
    word1 ^= word0
    return (
        result,
        rotate_left(word0, 49) ^ word1 ^ (word1 << np.uint64(21)),
        rotate_left(word1, 28),
    )


@inline_kernel
def next_word(rng):
    """Draw 64 random bits; `rng` is modified in place."""
    result, rng[0], rng[1] = step(rng[0], rng[1])
    return result


@kernel
def redraw(rng, bound, low):
    """Return the product that `below` is to use, when the first one, `low`, may be biased."""
    threshold = (np.uint64(1 << 32) - bound) % bound
    product = low
    while (product & HALF) < threshold:
        product = (next_word(rng) >> np.uint64(32)) * bound
    return product


@inline_kernel
def below(rng, bound):
    """Draw an int64 uniformly from 0…bound − 1, without bias; 1 ≤ bound < 2³².

    Lemire 2019, "Fast random integer generation in an interval", ACM TOMACS 29(1), with 32-bit
    words.
    """
    return below_from(rng, next_word(rng) >> np.uint64(32), bound)


@inline_kernel
def below_from(rng, half, bound):
    """Turn 32 random bits (uint64 `half`) into an int64 from 0…bound − 1, as `below` does.

    Now and then more bits are drawn from `rng`.
    """
    size = np.uint64(bound)
    product = half * size
    if (product & HALF) < size:
        product = redraw(rng, size, product)
    return np.int64(product >> np.uint64(32))


@inline_kernel
def uniform(rng):
    """Draw a float64 uniformly from [0, 1), 53 bits."""
    return np.float64(next_word(rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


__all__ = ["ASIDE", "CHANCE", "DEAL", "FIRST_SEAT_STREAM", "MATCH", "PURPOSES"]
