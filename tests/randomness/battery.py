"""A battery of tests of randomness over keyed streams, taken in several orders.

A stream of a study serves one purpose of one round, so what must look random is not one long
sequence but the first words of many streams whose keys are neighbours. Each *reading* below puts
words of such streams one after another; every test is applied to every reading.

Tests (all from Knuth, "The Art of Computer Programming" vol. 2, 3rd ed., section 3.3.2, but where
another source is named): equidistribution of every byte (A), serial pairs (B), gaps (C), runs up
(G, with independent runs: exercise 14), birthday spacings (J; Marsaglia & Tsang 2002, "Some
difficult-to-pass tests of randomness", J. Stat. Softw. 7(3)), serial correlation of the words (K),
and the ranks of binary matrices (Marsaglia & Tsay 1985, "Matrices and the structure of random
number sequences", Linear Algebra Appl. 67).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import factorial

import numpy as np
from scipy import stats

from tests.randomness import compiled as rng
from tests.randomness.compiled import kernel

SEATS = 4
Words = np.ndarray


@kernel
def read_streams(words, seed, match, steps, length):
    """Fill `words` with the first `length` words of streams whose keys go on by `steps`.

    `steps` are those of seed, match, round and purpose from one stream to the next.
    """
    state = np.zeros(2, np.uint64)
    row = 0
    number = 0
    while row < len(words):
        at = seed + number * steps[0]
        key = rng.match_key(at, match + number * steps[1])
        rng.open_stream(state, at, key, 1 + number * steps[2], (number * steps[3]) % rng.PURPOSES)
        number += 1
        for _ in range(min(length, len(words) - row)):
            words[row] = rng.next_word(state)
            row += 1


@kernel
def read_matches(words, seed, first, rounds, length):
    """Fill `words` as a study reads them: by match, round, and purpose (deal, chance, seats)."""
    state = np.zeros(2, np.uint64)
    row = 0
    match = first
    while True:
        key = rng.match_key(seed, match)
        for number in range(1, rounds + 1):
            for purpose in range(2 + SEATS):
                stream = purpose if purpose < 2 else rng.FIRST_SEAT_STREAM + purpose - 2
                rng.open_stream(state, seed, key, number, stream)
                for _ in range(length):
                    if row == len(words):
                        return
                    words[row] = rng.next_word(state)
                    row += 1
        match += 1


STEPS = {
    "neighbouring seeds": (1, 0, 0, 0),
    "neighbouring matches": (0, 1, 0, 0),
    "neighbouring rounds": (0, 0, 1, 0),
    "neighbouring seats": (0, 1, 0, 1),
    "every 2**32nd match": (0, 1 << 32, 0, 0),
    "every 2**20th seed": (1 << 20, 0, 0, 0),
    "seeds, matches and rounds": (1, 1, 1, 0),
}


def readings(count: int) -> dict[str, Callable[[], Words]]:
    """Return functions that read `count` words, by name."""

    def by_steps(steps: tuple[int, ...], each: int) -> Words:
        words = np.empty(count, dtype=np.uint64)
        read_streams(words, 2026, 5, np.array(steps), each)
        return words

    def as_played() -> Words:
        words = np.empty(count, dtype=np.uint64)
        read_matches(words, 1, 0, 6, 4)
        return words

    read = {f"{name}, first words": partial(by_steps, steps, 1) for name, steps in STEPS.items()}
    for name in ("neighbouring seeds", "neighbouring matches", "neighbouring seats"):
        read[f"{name}, four words each"] = partial(by_steps, STEPS[name], 4)
    return read | {"as played": as_played, "one stream": partial(by_steps, (0, 0, 0, 0), count)}


def bytes_are_uniform(words: Words) -> float:
    """Return the p-value of a chi-square test on every byte of the words (A)."""
    counts = [
        np.bincount(column, minlength=256) for column in words.view(np.uint8).reshape(-1, 8).T
    ]
    return smallest([stats.chisquare(count).pvalue for count in counts])


def pairs_are_uniform(words: Words) -> float:
    """Return the p-value of the serial test: top six bits of a word and of the next (B)."""
    top = (words >> np.uint64(58)).astype(np.int64)
    pairs = np.bincount(64 * top[0::2][: len(top) // 2] + top[1::2], minlength=4096)
    low = (words & np.uint64(63)).astype(np.int64)
    low_pairs = np.bincount(64 * low[0::2][: len(low) // 2] + low[1::2], minlength=4096)
    return smallest([stats.chisquare(pairs).pvalue, stats.chisquare(low_pairs).pvalue])


def gaps_are_geometric(words: Words) -> float:
    """Return the p-value of the gap test: distances between words in the lowest sixteenth (C)."""
    longest = 60
    places = np.flatnonzero(words < np.uint64(1 << 60))
    gaps = np.minimum(np.diff(places) - 1, longest)
    chances = (1 / 16) * (15 / 16) ** np.arange(longest + 1)
    chances[-1] = (15 / 16) ** longest
    return float(
        stats.chisquare(np.bincount(gaps, minlength=longest + 1), chances * len(gaps)).pvalue
    )


def runs_are_as_long_as_by_chance(words: Words) -> float:
    """Return the p-value of the test of runs up; the word that ends a run is left out (G, ex. 14).

    A run then has length r with probability 1/r! − 1/(r + 1)!, whatever went before.
    """
    longest = 6
    falls = np.flatnonzero(words[1:] < words[:-1])
    lengths = []
    start = 0
    for fall in falls.tolist():
        if fall >= start:
            lengths.append(min(fall - start + 1, longest))
            start = fall + 2
    counts = np.bincount(lengths, minlength=longest + 1)[1:]
    chances = [1 / factorial(r) - 1 / factorial(r + 1) for r in range(1, longest)]
    chances.append(1 / factorial(longest))
    return float(stats.chisquare(counts, np.array(chances) * len(lengths)).pvalue)


def birthdays_are_spaced_by_chance(words: Words) -> float:
    """Return the p-value of birthday spacings: 512 birthdays in 2²⁴ days, low and high bits (J).

    The number of equal spacings is Poisson with mean 512³ / (4 · 2²⁴) = 2.
    """
    birthdays = 512
    values = []
    for shift in (0, 20, 40):
        days = (words >> np.uint64(shift) & np.uint64((1 << 24) - 1)).astype(np.int64)
        years = np.sort(days[: len(days) // birthdays * birthdays].reshape(-1, birthdays), axis=1)
        spacings = np.sort(np.diff(years, axis=1), axis=1)
        equal = (np.diff(spacings, axis=1) == 0).sum(axis=1)
        most = 8
        chances = stats.poisson.pmf(np.arange(most + 1), birthdays**3 / 4 / 2**24)
        chances[-1] = 1 - chances[:-1].sum()
        counts = np.bincount(np.minimum(equal, most), minlength=most + 1)
        values.append(stats.chisquare(counts, chances * len(years)).pvalue)
    return smallest(values)


def words_do_not_correlate(words: Words) -> float:
    """Return the p-value of serial correlations at distances 1, 2, 3, 4, 8 and 16 (K)."""
    values = words.astype(np.float64) / 2.0**64 - 0.5
    p_values = []
    for distance in (1, 2, 3, 4, 8, 16):
        products = values[distance:] * values[:-distance]
        z = products.mean() / (1 / 12) * np.sqrt(len(products))
        p_values.append(2 * stats.norm.sf(abs(z)))
    return smallest(p_values)


def bits_do_not_correlate(words: Words) -> float:
    """Return the p-value of the number of bits that change from word to word, and to the 4th."""
    p_values = []
    for distance in (1, 4):
        changes = np.bitwise_count(words[distance:] ^ words[:-distance])
        counts = np.bincount(changes, minlength=65)
        chances = stats.binom.pmf(np.arange(65), 64, 0.5)
        few = chances * len(changes) < 10
        observed = np.append(counts[~few], counts[few].sum())
        expected = np.append(chances[~few], chances[few].sum()) * len(changes)
        p_values.append(stats.chisquare(observed, expected).pvalue)
    return smallest(p_values)


def matrices_have_full_rank_by_chance(words: Words) -> float:
    """Return the p-value of the ranks of 32 × 32 matrices of the words' upper and lower halves."""
    size = 32
    chances = [_rank_chance(size, size - lost) for lost in (0, 1, 2)]
    chances.append(1 - sum(chances))
    p_values = []
    for shift in (0, 32):
        rows = (words >> np.uint64(shift) & np.uint64(0xFFFFFFFF)).astype(np.int64)
        matrices = rows[: len(rows) // size * size].reshape(-1, size).copy()
        counts = np.zeros(4, dtype=np.int64)
        count_ranks(matrices, counts)
        p_values.append(stats.chisquare(counts, np.array(chances) * len(matrices)).pvalue)
    return smallest(p_values)


def _rank_chance(size: int, rank: int) -> float:
    chance = 2.0 ** (rank * (2 * size - rank) - size * size)
    for i in range(rank):
        chance *= (1 - 2.0 ** (i - size)) ** 2 / (1 - 2.0 ** (i - rank))
    return chance


@kernel
def count_ranks(matrices, counts):
    """Count matrices by how far their rank is from full (3: or more); rows are destroyed."""
    size = matrices.shape[1]
    for matrix in matrices:
        rank = 0
        for column in range(size):
            pivot = rank
            while pivot < size and not matrix[pivot] >> column & 1:
                pivot += 1
            if pivot == size:
                continue
            row = matrix[pivot]
            matrix[pivot] = matrix[rank]
            matrix[rank] = row
            for other in range(rank + 1, size):
                if matrix[other] >> column & 1:
                    matrix[other] ^= row
            rank += 1
        counts[min(size - rank, 3)] += 1


def smallest(values: list[float]) -> float:
    """Return a p-value for the smallest of several, by Šidák's inequality."""
    return float(-np.expm1(len(values) * np.log1p(-min(values))))


TESTS = (
    bytes_are_uniform,
    pairs_are_uniform,
    gaps_are_geometric,
    runs_are_as_long_as_by_chance,
    birthdays_are_spaced_by_chance,
    words_do_not_correlate,
    bits_do_not_correlate,
    matrices_have_full_rank_by_chance,
)
