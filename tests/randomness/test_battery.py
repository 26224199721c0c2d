"""Keyed streams pass a battery of tests; generators known to be bad do not."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from simcore.jit import IN_PLAIN_PYTHON
from tests.randomness.battery import TESTS, readings

ROOT = Path(__file__).parent.parent.parent
COUNT = 1 << 14 if IN_PLAIN_PYTHON else 1 << 18
LONG_COUNT = 1 << 26
IMPROBABLE = 1e-8
"""Of a hundred tests at this bound one fails by chance with p < 1e-6."""

READINGS = readings(COUNT)


@pytest.mark.parametrize("name", READINGS)
def test_streams_pass(name):
    words = READINGS[name]()
    found = {test.__name__: test(words) for test in TESTS}
    assert min(found.values()) > IMPROBABLE, found


@pytest.mark.long
@pytest.mark.parametrize("name", READINGS)
def test_long_streams_pass(name):
    words = readings(LONG_COUNT)[name]()
    found = {test.__name__: test(words) for test in TESTS}
    assert min(found.values()) > IMPROBABLE, found


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
@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_generator_fails(fault):
    assert set(FAULTS.values()) == {test.__name__ for test in TESTS}
    words = bad_words(fault.strip())
    test = next(test for test in TESTS if test.__name__ == FAULTS[fault])
    assert test(words) < IMPROBABLE


@pytest.mark.skipif(IN_PLAIN_PYTHON, reason="too few words")
def test_a_good_generator_passes():
    words = bad_words("none")
    assert min(test(words) for test in TESTS) > IMPROBABLE


DIEHARDER_TESTS = (*range(5), *range(8, 14), *range(15, 18), 100, 101, 102)
"""Those of dieharder 3.31 that its author does not call suspect, without the slowest."""


@pytest.mark.long
@pytest.mark.skipif(shutil.which("dieharder") is None, reason="dieharder is not installed")
@pytest.mark.parametrize("number", DIEHARDER_TESTS)
@pytest.mark.parametrize("name", ["as played", "neighbouring matches, first words"])
def test_dieharder(name, number):
    """Robert G. Brown's battery; "FAILED" is p < 1e-6 there."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.randomness.battery", "--reading", name],
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as source:
        result = subprocess.run(
            ["dieharder", "-g", "200", "-d", str(number)],
            stdin=source.stdout,
            capture_output=True,
            text=True,
            check=True,
        )
        source.stdout.close()
    assert "PASSED" in result.stdout or "WEAK" in result.stdout
    assert "FAILED" not in result.stdout, result.stdout


def test_parts_of_a_reading_go_on():
    """The second half of a reading is its second part."""
    count = 144 * 50
    for name in ("as played", "neighbouring matches, first words"):
        whole = readings(2 * count)[name]()
        halves = [readings(count, part)[name]() for part in (0, 1)]
        assert np.array_equal(whole, np.concatenate(halves))
