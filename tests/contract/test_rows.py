"""Rows are those of 6813f297: 300 cells a game, drawn at random (`rows.json`)."""

from __future__ import annotations

import pytest

from simcore.game import game_names
from simcore.jit import IN_PLAIN_PYTHON
from tests.contract.rows import CELLS, RANDOM_CELLS, differences, frozen_cells

pytestmark = pytest.mark.skipif(IN_PLAIN_PYTHON, reason="takes hours")

SLOW_SEARCHES = "uno"
"""The game whose searches take minutes."""


def cells(game, *, searches):
    return [cell for cell in frozen_cells(game) if cell.searches == searches]


@pytest.mark.parametrize("game", game_names())
def test_every_game_has_its_cells(game):
    known = frozen_cells(game)
    assert len({cell.number for cell in known}) == len(known) >= 0.9 * CELLS
    assert len({cell.rows for cell in known}) == len(known)


@pytest.mark.parametrize("game", game_names())
def test_random_play_gives_the_same_rows(game):
    """Of a tenth of these cells."""
    random_play = (cell for cell in frozen_cells(game) if cell.number < RANDOM_CELLS)
    assert not differences(game, [cell for cell in random_play if cell.number % 3 == 0])


@pytest.mark.whole
@pytest.mark.parametrize("game", game_names())
def test_policies_give_the_same_rows(game):
    assert not differences(game, cells(game, searches=False))


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(name, marks=pytest.mark.long if name == SLOW_SEARCHES else pytest.mark.whole)
        for name in game_names()
    ],
)
def test_searches_give_the_same_rows(game):
    assert not differences(game, cells(game, searches=True))
