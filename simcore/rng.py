"""Random streams keyed by (seed, match, round, purpose).

A stream is a xoroshiro128++ generator (Blackman & Vigna 2021, "Scrambled linear pseudorandom number
generators", ACM TOMS 47(4)) whose state is computed from its key alone. No draw depends on earlier
rounds or matches, so the deal of round r of match m is the same under every policy, line-up and
variant, on any thread and any machine.

For a given seed the two words of state are a bijection of (match, (round, purpose)), so different
keys never give the same state; with 2^128 states, two streams of a study never overlap in practice.
(xoshiro256++ costs 50 % more per draw, and its longer period is useless here because every round
opens new streams.)

Rules draw by the words of `simcore.words`, which do the same; this module opens streams in plain
Python, and is what tests compare them with.
"""

from __future__ import annotations

MASK = (1 << 64) - 1

DEAL = 0
CHANCE = 1
MATCH = 2
RECORD = 3
"""Purpose of what picks the decisions that are recorded."""
FIRST_SEAT_STREAM = 8
"""Purpose of seat 0's private stream; that of seat s is `FIRST_SEAT_STREAM + s`."""

PURPOSES = 32
"""Number of keys per round; all purposes are below it."""

ASIDE = 1 << 32
"""Added to the round number for a seat's second stream, of decisions that only some options add."""

_GOLDEN = 0x9E3779B97F4A7C15


def _mix(word: int) -> int:
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
    return word ^ (word >> 31)


def opened(seed: int, match: int, round_number: int, purpose: int) -> list[int]:
    """Return the initial two-word state of a stream, see the module's docstring."""
    key = _mix((_mix((seed + _GOLDEN) & MASK) + match * 0xD1342543DE82EF95) & MASK)
    number = (round_number * PURPOSES + purpose + 1) & MASK
    other = ((seed ^ _GOLDEN) + number * 0xDA942042E4DD58B5) & MASK
    word = key ^ _mix(other)
    return [word, other ^ _mix(word)]


def next_word(stream: list[int]) -> int:
    """Draw 64 random bits (unsigned); the stream is modified in place."""
    first, second = stream
    total = (first + second) & MASK
    result = (((total << 17) | (total >> 47)) + first) & MASK
    second ^= first
    stream[0] = (((first << 49) | (first >> 15)) ^ second ^ (second << 21)) & MASK
    stream[1] = ((second << 28) | (second >> 36)) & MASK
    return result


def below_from(stream: list[int], half: int, bound: int) -> int:
    """Turn 32 random bits into a number below `bound`."""
    if bound < 1:
        raise ArithmeticError(f"a number below {bound} is to be drawn")
    product = half * bound
    low = (1 << 32) - 1
    if product & low < bound:
        threshold = ((1 << 32) - bound) % bound
        while product & low < threshold:
            product = (next_word(stream) >> 32) * bound
    return product >> 32


def below(stream: list[int], bound: int) -> int:
    """Draw a number below `bound`."""
    return below_from(stream, next_word(stream) >> 32, bound)
