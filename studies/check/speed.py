"""How fast a cell is played."""

from __future__ import annotations

from simcore.batch import Cell, play, warm_up

LONG_ENOUGH = 0.125
"""Seconds; a shorter block says little."""

MOST_MATCHES = 1 << 22


def decisions_per_second(cell: Cell) -> float:
    """Return the decisions a second of one thread, in the first block that takes long enough."""
    warm_up(cell)
    matches = 8
    while True:
        block = play(cell, 0, matches)
        if block.seconds > LONG_ENOUGH or matches >= MOST_MATCHES:
            return float(block.columns()["decisions"].sum()) / max(block.seconds, 1e-9)
        matches *= 4
