"""What coverage is measured with beside the other tests: matches at length in plain Python.

That their rows are those of the compiled kernels is tested in `test_modes.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

from simcore.game import game_names, get_game
from simcore.jit import JIT_DISABLED
from simcore.replay import replay
from tests.modes.rows import SEARCH, cell_of, cells_at_length, rows, with_short

pytestmark = pytest.mark.skipif(not JIT_DISABLED, reason="for NUMBA_DISABLE_JIT=1")


@pytest.mark.parametrize("name", game_names())
def test_rows_in_lanes_are_those_of_single_matches(name):
    found = rows(name)
    lanes = [label for label in found if label.endswith(", in lanes")]
    for label in lanes:
        assert np.array_equal(found[label], found[label.removesuffix(", in lanes")])
    assert lanes or name not in {"up", "dnup"}


@pytest.mark.parametrize(
    ("label", "cell"),
    [
        pytest.param(label, cell, id=f"{name}-{label}")
        for name in (game_names() if JIT_DISABLED else ())
        for label, cell, _ in cells_at_length(get_game(name))
    ],
)
def test_a_match_is_told_to_its_end(label, cell):
    lines = list(replay(cell, 3, why=True, draw="random" in label))
    assert "wins" in lines[-1] or "share the win" in lines[-1] or "Nobody" in lines[-1]


@pytest.mark.parametrize("name", game_names())
def test_the_search_looks_ahead(name):
    game = get_game(name)
    options = with_short(game, {"players": game.players.low})
    assert list(replay(cell_of(game, SEARCH, options), 1))
