"""What coverage is measured with beside the other tests: matches at length in plain Python.

That their rows are those of the compiled matches is tested in `test_modes.py`.
"""

from __future__ import annotations

import itertools

import pytest

from simcore.catalogue import get_game
from simcore.game import game_names
from simcore.jit import IN_PLAIN_PYTHON
from simcore.replay import replay, steps
from tests.modes.rows import SEARCH, cell_of, cells_at_length

DECISIONS = 8

pytestmark = pytest.mark.skipif(not IN_PLAIN_PYTHON, reason="for CARDLAB_PLAIN=1")


@pytest.mark.parametrize(
    ("label", "cell"),
    [
        pytest.param(label, cell, id=f"{name}-{label}")
        for name in (game_names() if IN_PLAIN_PYTHON else ())
        for label, cell in cells_at_length(get_game(name))
        if f"of {get_game(name).players.low}" in label or label == "whole"
    ],
)
def test_a_match_is_told_to_its_end(label, cell):
    lines = list(replay(cell, 3, why=True, draw="random" in label))
    assert "wins" in lines[-1] or "share the win" in lines[-1] or "Nobody" in lines[-1]


@pytest.mark.parametrize("name", game_names())
def test_the_search_looks_ahead(name):
    """In the first decisions of a match; the rest would take long."""
    cell = cell_of(get_game(name), SEARCH, {"players": 2})
    chosen = (step for step in steps(cell, 1) if step.chosen)
    taken = list(itertools.islice(chosen, DECISIONS))
    assert len(taken) == DECISIONS
    assert all(step.move in step.moves for step in taken)
