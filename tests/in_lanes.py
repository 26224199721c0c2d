"""Matches of a cell side by side, whether or not that is quicker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from simcore.batch import Cell, _Columns
from simcore.compiler.blocks import Player, form_of, room_of_lanes


def rows_in_lanes(cell: Cell, matches: int, free: Sequence[str]) -> tuple[Any, ...]:
    """Return the columns of a cell of uniform random play.

    `free` are the decisions that all lanes take at once, whichever seat is on turn.
    """
    player = Player(cell, 0, lanes=False)
    player.kernel = form_of(cell).side_by_side(free)
    player.rows = room_of_lanes(player.kernel)
    out = _Columns(cell, matches)
    assert player.play(0, matches, out.all(), 0) == matches
    return out.all()
