"""Keyed streams pass a battery of tests; generators known to be bad do not."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.jit import IN_PLAIN_PYTHON
from tests.randomness.battery import TESTS, readings

COUNT = 1 << 14 if IN_PLAIN_PYTHON else 1 << 17
LONG_COUNT = 1 << 26
IMPROBABLE = 1e-8
"""Of a hundred tests at this bound one fails by chance with p < 1e-6."""


def p_values(words: np.ndarray) -> dict[str, float]:
    return {test.__name__: test(words) for test in TESTS}


@pytest.mark.parametrize(
    "count", [COUNT, pytest.param(LONG_COUNT, marks=pytest.mark.long)], ids=["short", "long"]
)
def test_streams_pass(count):
    """Nor does a stream come twice: two in one state would begin with the same word."""
    for name, read in readings(count).items():
        words = read()
        values = p_values(words)
        assert min(values.values()) > IMPROBABLE, (name, values)
        assert not name.endswith("first words") or len(np.unique(words)) == count, name


def bad_words(fault: str) -> np.ndarray:
    """Words of a good generator with a fault put in."""
    words = np.random.default_rng(3).integers(0, 1 << 64, COUNT, dtype=np.uint64)
    count = len(words)
    match fault:
        case "a byte is odd too often":
            odd = np.random.default_rng(4).random(count) < 0.05
            words[odd] |= np.uint64(1)
        case "the next word knows the last":
            words[1::2] = np.where(words[1::2] >> np.uint64(60) == 0, words[0::2], words[1::2])
        case "a counter":
            words = np.arange(count, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        case "half of the words stay below the middle a little too often":
            words[::9] >>= np.uint64(1)
        case "every run is broken":
            triples = words[: count // 3 * 3].reshape(-1, 3)
            triples[:, 1] = np.maximum(triples[:, 1], triples[:, 0])
        case "bits that are sums of others":
            low = words & np.uint64(0x7FFFFFFF)
            words = low | (np.bitwise_count(low).astype(np.uint64) & np.uint64(1)) << np.uint64(31)
        case "lattice":
            low = np.arange(count, dtype=np.uint64) * np.uint64(0xD1342543DE82EF95) >> np.uint64(40)
            words = (words & ~np.uint64((1 << 24) - 1)) | low
    return words


FAULTS = {
    "a byte is odd too often": "bytes_are_uniform",
    "the next word knows the last": "pairs_are_uniform",
    "half of the words stay below the middle a little too often": "gaps_are_geometric",
    "every run is broken": "runs_are_as_long_as_by_chance",
    "lattice": "birthdays_are_spaced_by_chance",
    "a counter": "words_do_not_correlate",
    "the next word knows the last ": "bits_do_not_correlate",
    "bits that are sums of others": "matrices_have_full_rank_by_chance",
}


@pytest.mark.skipif(IN_PLAIN_PYTHON, reason="too few words")
def test_a_faulty_generator_fails():
    assert set(FAULTS.values()) == {test.__name__ for test in TESTS}
    for fault, name in FAULTS.items():
        test = next(test for test in TESTS if test.__name__ == name)
        assert test(bad_words(fault.strip())) < IMPROBABLE, fault


@pytest.mark.skipif(IN_PLAIN_PYTHON, reason="too few words")
def test_a_good_generator_passes():
    assert min(p_values(bad_words("none")).values()) > IMPROBABLE
