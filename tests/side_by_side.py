"""Cells for tests, and the rows of two of them side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.batch import Cell, play
from simcore.game import Game


def cell_of(
    game: Game, options: dict[str, Any], *players: Any, seed: int = 5, **other: Any
) -> Cell:
    """Return a cell with these players round the table, again and again."""
    resolved = game.resolve(options)
    count = int(resolved["players"])
    seats = tuple(players[seat % len(players)] for seat in range(count))
    return Cell(game, resolved, seats, seed, **other)


def assert_same_rows(cell: Cell, other: Cell, first: int, count: int, **given: Any) -> None:
    """Assert that both cells' matches first … first + count − 1 end alike, column by column."""
    rows = play(cell, first, count, **given).columns()
    for name, column in play(other, first, count, **given).columns().items():
        assert np.array_equal(rows[name], column), name
