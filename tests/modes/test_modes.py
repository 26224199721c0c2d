"""The kernels give the same rows compiled, as plain Python, and with bounds checked.

As plain Python every index is checked by NumPy, and an overflow that is not meant is a warning and
so an error; referees follow matches there, too. Compiled with bounds checking, kernels also check
what they would only do compiled (lanes, unsigned indices).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from simcore.game import game_names, get_game
from simcore.jit import JIT_DISABLED
from strategies import policies
from tests.modes.rows import cells_at_length, rows

ROOT = Path(__file__).parent.parent.parent
PLAIN = {"NUMBA_DISABLE_JIT": "1"}
CHECKED = {"NUMBA_BOUNDSCHECK": "1"}
REFEREES = [str(path) for path in sorted((ROOT / "tests").glob("*/test_referee.py"))]

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="starts the modes itself")


@pytest.mark.parametrize("name", game_names())
def test_what_coverage_is_measured_with_is_allowed(name):
    """`test_plain.py` asks for these cells when it is collected."""
    game = get_game(name)
    assert len(list(cells_at_length(game))) > 2 * len(policies(game))


def run_python(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
    # Numba's folder was set for this process when it imported the kernels.
    inherited = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    return subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        cwd=ROOT,
        env=inherited | {"PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])} | environment,
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
        assert {label.removesuffix(", in lanes") for label in found} == set(expected)
        for label, row in found.items():
            assert np.array_equal(row, expected[label.removesuffix(", in lanes")]), label
        return list(found)


def assert_referees_agree(profile, **environment):
    result = run_python(
        *("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", f"--hypothesis-profile={profile}"),
        *("-m", "whole or not whole", "-k", "any_combination", *REFEREES),
        **environment,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert f"{len(game_names())} passed" in result.stdout


def test_rows_are_the_same_in_plain_python(tmp_path):
    labels = assert_rows_are_the_same(tmp_path, game_names(), **PLAIN)
    lanes = {label.partition(":")[0] for label in labels if label.endswith(", in lanes")}
    assert lanes >= {"up", "dnup"}


def test_referees_agree_in_plain_python():
    assert_referees_agree("few", **PLAIN)


@pytest.mark.long
@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("environment", [PLAIN, CHECKED], ids=["plain", "bounds checked"])
def test_rows_are_the_same_at_length(tmp_path, name, environment):
    cache = str(tmp_path / "cache")
    assert_rows_are_the_same(tmp_path, [name], at_length=True, CARDLAB_CACHE=cache, **environment)


@pytest.mark.long
def test_referees_agree_in_thousands_of_new_matches():
    assert_referees_agree("many")
