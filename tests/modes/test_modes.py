"""Matches give the same rows compiled and as ordinary Python.

As ordinary Python every index is checked, and so is every number that goes beyond 64 bits.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from simcore.game import game_names, get_game
from simcore.jit import IN_PLAIN_PYTHON
from strategies import policies
from tests.modes.rows import cells_at_length, rows

ROOT = Path(__file__).parent.parent.parent
PLAIN = {"CARDLAB_PLAIN": "1"}
REFEREES = [str(path) for path in sorted((ROOT / "tests").glob("*/test_referee.py"))]

pytestmark = pytest.mark.skipif(IN_PLAIN_PYTHON, reason="starts the modes itself")


@pytest.mark.parametrize("name", game_names())
def test_what_coverage_is_measured_with_is_allowed(name):
    """`test_plain.py` asks for these cells when it is collected."""
    game = get_game(name)
    assert len(list(cells_at_length(game))) > 2 * len(policies(game))


def run_python(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def assert_rows_are_the_same(folder, names, *, at_length=False, **environment):
    file = folder / "rows.npz"
    options = ["--at-length"] if at_length else []
    result = run_python("-m", "tests.modes.rows", str(file), *names, *options, **environment)
    assert result.returncode == 0, result.stderr
    expected = {}
    for name in names:
        expected |= rows(name, at_length=at_length)
    with np.load(file) as found:
        assert set(found) == set(expected)
        for label, row in found.items():
            assert np.array_equal(row, expected[label]), label


@pytest.mark.whole
def test_rows_are_the_same_in_plain_python(tmp_path):
    assert_rows_are_the_same(tmp_path, game_names(), **PLAIN)


@pytest.mark.long
@pytest.mark.parametrize("name", game_names())
def test_rows_are_the_same_at_length(tmp_path, name):
    assert_rows_are_the_same(tmp_path, [name], at_length=True, **PLAIN)


@pytest.mark.long
def test_referees_agree_in_thousands_of_new_matches():
    result = run_python(
        *("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--hypothesis-profile=many"),
        *("-m", "whole or not whole", "-k", "any_combination", *REFEREES),
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{len(game_names())} passed" in result.stdout
