"""Matches give the same rows compiled and as ordinary Python.

As ordinary Python every index is checked, and so is every number that goes beyond 64 bits.
"""

from __future__ import annotations

import numpy as np
import pytest

from simcore.catalogue import get_game
from simcore.game import game_names
from simcore.jit import IN_PLAIN_PYTHON
from tests.modes.rows import cells_at_length, rows
from tests.programs import ROOT, run_python

pytestmark = pytest.mark.skipif(IN_PLAIN_PYTHON, reason="starts the modes itself")


@pytest.mark.parametrize("name", game_names())
def test_what_coverage_is_measured_with_is_allowed(name):
    """`test_plain.py` asks for these cells when it is collected."""
    assert len(list(cells_at_length(get_game(name)))) > 20


@pytest.mark.parametrize(
    ("names", "options"),
    [
        pytest.param(game_names(), [], id="small", marks=pytest.mark.whole),
        *(
            pytest.param([name], ["--at-length"], id=name, marks=pytest.mark.long)
            for name in game_names()
        ),
    ],
)
def test_rows_are_the_same_in_plain_python(tmp_path, names, options):
    file = tmp_path / "rows.npz"
    program = ("-W", "error", "-m", "tests.modes.rows")
    result = run_python(*program, file, *names, *options, patience=None, CARDLAB_PLAIN="1")
    assert result.returncode == 0, result.stderr
    expected = rows(names, at_length=bool(options))
    with np.load(file) as file_rows:
        assert set(file_rows) == set(expected)
        for label, row in file_rows.items():
            assert np.array_equal(row, expected[label]), label


@pytest.mark.long
def test_referees_agree_in_thousands_of_new_matches():
    referees = sorted((ROOT / "tests").glob("*/test_referee.py"))
    result = run_python(
        *("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--hypothesis-profile=many"),
        *("-m", "whole or not whole", "-k", "any_combination", *referees),
        patience=None,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{len(game_names())} passed" in result.stdout
