"""Keyed random streams: those of the battery are those of the rules.

That no two are the same, and words of neighbouring keys uniform and unrelated, is for the battery.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from simcore import rng as ordinary
from simcore.jit import IN_PLAIN_PYTHON
from tests.randomness import compiled as rng
from tests.randomness.battery import read_streams
from tests.randomness.compiled import kernel

IMPROBABLE = 1e-6
COUNT = 20_000 if IN_PLAIN_PYTHON else 400_000


def test_purposes_of_a_round_are_unrelated():
    words = np.zeros((COUNT // rng.PURPOSES, rng.PURPOSES), dtype=np.uint64)
    for match in range(len(words)):
        read_streams(words[match], 1, match, np.array((0, 0, 0, 1)), 1)
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
