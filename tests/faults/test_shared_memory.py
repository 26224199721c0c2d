"""Threads that are given memory from one heap do not overwrite each other's matches."""

from __future__ import annotations

import pytest

from simcore.catalogue import get_game
from simcore.game import game_names
from simcore.jit import IN_PLAIN_PYTHON
from strategies import policies
from tests.programs import run_python

MATCHES = 4_000
RUNS = 3
ONE_HEAP = {"MALLOC_ARENA_MAX": "1"}  # glibc's; elsewhere the test says less.

PROGRAM = f"""
import sys
import numpy as np
from simcore.batch import play
from simcore.catalogue import get_game
from strategies.registry import parse_strategy
from tests.side_by_side import cell_of

game = get_game(sys.argv[1])
for name in sys.argv[2:]:
    cell = cell_of(game, {{}}, parse_strategy(game, name))
    expected = play(cell, 0, {MATCHES}).columns()
    for _ in range({RUNS}):
        for column, values in play(cell, 0, {MATCHES}, threads=2).columns().items():
            assert np.array_equal(expected[column], values), (name, column)
"""


@pytest.mark.whole
@pytest.mark.skipif(IN_PLAIN_PYTHON, reason="nothing is compiled")
@pytest.mark.parametrize("game", game_names())
def test_threads_share_one_heap(game):
    """What a thread lets go of too early the other one gets: its matches might never end."""
    names = [policy.name for policy in policies(get_game(game)) if not policy.takes_policy]
    run = run_python("-c", PROGRAM, game, "random", *names[-2:], **ONE_HEAP)
    assert run.returncode == 0, run.stderr
