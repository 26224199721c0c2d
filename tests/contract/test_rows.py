"""Rows are those of 6813f297: cells drawn at random (`rows.json`).

Kept are the cells of four games, with searches as far as they were played, and the first hundred of
UNO, which take long.
"""

from __future__ import annotations

import pytest

from simcore.game import game_names
from simcore.jit import IN_PLAIN_PYTHON
from tests.contract.rows import differences, frozen_cells

pytestmark = pytest.mark.skipif(IN_PLAIN_PYTHON, reason="takes hours")

LEAST = {name: 100 if name == "uno" else 270 for name in game_names()}
"""So many cells of a game are kept at least."""

SEARCHED = [name for name in LEAST if any(cell.searches for cell in frozen_cells(name))]


@pytest.mark.parametrize("game", LEAST)
def test_a_game_has_its_cells(game):
    known = frozen_cells(game)
    assert len({cell.number for cell in known}) == len(known) >= LEAST[game]
    assert len({cell.rows for cell in known}) == len(known)


@pytest.mark.parametrize("game", LEAST)
def test_random_play_gives_the_same_rows(game):
    """Of eight cells, whose sets are as wide as other tests' (code is compiled by their width)."""
    few = range(0, 24, 3)
    assert not differences(game, [cell for cell in frozen_cells(game) if cell.number in few])


@pytest.mark.whole
@pytest.mark.parametrize("game", LEAST)
def test_policies_give_the_same_rows(game):
    assert not differences(game, [cell for cell in frozen_cells(game) if not cell.searches])


@pytest.mark.long
@pytest.mark.parametrize("game", SEARCHED)
def test_searches_give_the_same_rows(game):
    assert not differences(game, [cell for cell in frozen_cells(game) if cell.searches])
