"""How fast a cell is played; `cardlab bench` measures more."""

from __future__ import annotations

from simcore.batch import Cell, play, warm_up

LONG_ENOUGH = 0.125
"""Seconds; a shorter block says little."""

MOST_MATCHES = 1 << 22

BLOCK = 1 << 17
"""Matches of a block. With larger blocks of very short matches, most of the measured time would be
memory allocation by the system."""


def play_through(cell: Cell, matches: int, threads: int = 1) -> int:
    """Play matches 0 … `matches` - 1 of a cell in blocks; return the number of decisions."""
    decisions = 0
    for first in range(0, matches, BLOCK):
        block = play(cell, first, min(BLOCK, matches - first), threads=threads)
        decisions += int(block.columns()["decisions"].sum())
    return decisions


def decisions_per_second(cell: Cell) -> float:
    """Return the decisions a second of one thread, in the first block that takes long enough."""
    warm_up(cell)
    matches = 8
    while True:
        block = play(cell, 0, matches)
        if block.seconds > LONG_ENOUGH or matches >= MOST_MATCHES:
            return float(block.columns()["decisions"].sum()) / max(block.seconds, 1e-9)
        matches *= 4
