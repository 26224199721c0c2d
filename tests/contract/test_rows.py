"""Rows are those of 6813f297: 300 cells a game, drawn at random (`rows.json`)."""

from __future__ import annotations

import pytest

from simcore.game import game_names
from simcore.jit import IN_PLAIN_PYTHON
from tests.contract.rows import CELLS, RANDOM_CELLS, differences, frozen_cells

pytestmark = pytest.mark.skipif(IN_PLAIN_PYTHON, reason="takes hours")

SLOW_SEARCHES = "uno"
"""The game whose searches take minutes."""


def numbers(game, *, searches):
    return [number for number, cell in enumerate(frozen_cells(game)) if cell.searches == searches]


@pytest.mark.parametrize("game", game_names())
def test_every_game_has_its_cells(game):
    cells = frozen_cells(game)
    assert len(cells) == CELLS
    assert sum(cell.searches for cell in cells) > 20
    assert len({cell.rows for cell in cells}) == CELLS


@pytest.mark.parametrize("game", game_names())
def test_random_play_gives_the_same_rows(game):
    assert not differences(game, list(range(0, RANDOM_CELLS, 3)))


@pytest.mark.whole
@pytest.mark.parametrize("game", game_names())
def test_policies_give_the_same_rows(game):
    assert not differences(game, numbers(game, searches=False))


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(name, marks=pytest.mark.long if name == SLOW_SEARCHES else pytest.mark.whole)
        for name in game_names()
    ],
)
def test_searches_give_the_same_rows(game):
    assert not differences(game, numbers(game, searches=True))
