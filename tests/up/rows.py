"""Rows of Up: `tests/games/rows.py`."""

from __future__ import annotations

from typing import Any

from tests.games import rows
from tests.up.position import Position, position


class Rows(rows.Rows):
    def position(self, **given: Any) -> Position:
        return position(**given)
