"""Keyed random streams: neighbouring keys give unrelated, uniform numbers, and no two the same."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simcore import rng as ordinary
from simcore.jit import IN_PLAIN_PYTHON
from tests.randomness import compiled as rng
from tests.randomness.compiled import kernel

IMPROBABLE = 1e-6
COUNT = 20_000 if IN_PLAIN_PYTHON else 400_000


@kernel
def draw_first_words(states, words, seed, match, round_number, purpose, steps):
    """Open one stream a row, keys going on by `steps`, and draw its first word."""
    state = np.zeros(2, np.uint64)
    for row in range(len(words)):
        key = rng.match_key(seed + row * steps[0], match + row * steps[1])
        rng.open_stream(
            state,
            seed + row * steps[0],
            key,
            round_number + row * steps[2],
            purpose + (row * steps[3]) % rng.PURPOSES,
        )
        states[row, 0] = state[0]
        states[row, 1] = state[1]
        words[row] = rng.next_word(state)


NEIGHBOURS = {
    "seeds": (1, 0, 0, 0),
    "matches": (0, 1, 0, 0),
    "rounds": (0, 0, 1, 0),
    "seeds and matches": (1, 1, 0, 0),
    "distant matches": (0, 1 << 20, 0, 0),
}


def first_words(steps, count=COUNT):
    states = np.zeros((count, 2), dtype=np.uint64)
    words = np.zeros(count, dtype=np.uint64)
    draw_first_words(states, words, 1, 0, 1, rng.DEAL, np.array(steps))
    return states, words


@pytest.mark.parametrize("steps", NEIGHBOURS.values(), ids=NEIGHBOURS)
class TestNeighbouringKeys:
    def test_words_are_uniform(self, steps):
        _, words = first_words(steps)
        for shift in (0, 8, 24, 40, 56):
            counts = np.bincount(words >> np.uint64(shift) & np.uint64(255), minlength=256)
            assert stats.chisquare(counts).pvalue > IMPROBABLE

    def test_neighbours_are_unrelated(self, steps):
        _, words = first_words(steps)
        top = (words >> np.uint64(60)).astype(np.int64)
        for distance in (1, 2, 16):
            pairs = np.bincount(16 * top[:-distance] + top[distance:], minlength=256)
            assert stats.chi2_contingency(pairs.reshape(16, 16)).pvalue > IMPROBABLE
            change = np.bitwise_count(words[distance:] ^ words[:-distance])
            error = 4.0 / np.sqrt(len(change))
            assert abs(change.mean() - 32.0) < 5 * error

    def test_no_state_comes_twice(self, steps):
        states, _ = first_words(steps)
        assert len(np.unique(states, axis=0)) == len(states)


def test_purposes_of_a_round_are_unrelated():
    words = np.zeros((COUNT // rng.PURPOSES, rng.PURPOSES), dtype=np.uint64)
    states = np.zeros((rng.PURPOSES, 2), dtype=np.uint64)
    for match in range(len(words)):
        draw_first_words(states, words[match], 1, match, 1, 0, np.array((0, 0, 0, 1)))
    values = words.astype(np.float64) / 2.0**64
    correlation = np.corrcoef(values, rowvar=False)[np.triu_indices(rng.PURPOSES, 1)]
    z = correlation * np.sqrt(len(values))
    assert np.abs(z).max() < 6
    assert stats.kstest(z, "norm").pvalue > IMPROBABLE


def test_numbers_below_a_bound_are_uniform():
    @kernel
    def draw(state, bound, counts, n):
        for _ in range(n):
            counts[rng.below(state, bound)] += 1

    for bound in (2, 3, 7, 52, 108):
        state = np.array([bound, 99], dtype=np.uint64)
        counts = np.zeros(bound, dtype=np.int64)
        draw(state, bound, counts, COUNT)
        assert stats.chisquare(counts).pvalue > IMPROBABLE


def test_compiled_and_ordinary_streams_are_the_same():
    """Those of the battery, and those that rules draw from."""
    for seed, match, number, purpose in ((1, 0, 1, 0), (2**63 - 1, 2**40, 9, 31), (7, 3, 2**33, 8)):
        state = np.zeros(2, np.uint64)
        key = np.uint64(rng.match_key(seed, match))  # Python has ints of no kind
        rng.open_stream(state, seed, key, number, purpose)
        stream = ordinary.opened(seed, match, number, purpose)
        for bound in (1, 2, 52, 3_000_000_000):
            assert rng.below(state, bound) == ordinary.below(stream, bound)
        assert [int(word) for word in state] == stream
