"""Cells for tests."""

from __future__ import annotations

from typing import Any

from simcore.batch import Cell
from simcore.game import Game


def cell_of(
    game: Game, options: dict[str, Any], *players: Any, seed: int = 5, **other: Any
) -> Cell:
    """Return a cell with these players round the table, again and again."""
    resolved = game.resolve(options)
    count = int(resolved["players"])
    seats = tuple(players[seat % len(players)] for seat in range(count))
    return Cell(game, resolved, seats, seed, **other)
