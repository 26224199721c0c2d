"""Rows of UNO: `tests/games/rows.py`; "first red 7" deals, and turns that card up."""

from __future__ import annotations

from typing import Any

from tests.games import rows
from tests.uno.position import Position, dealt, position


class Rows(rows.Rows):
    def position(self, first: str = "", **given: Any) -> Position:
        if first:
            return dealt(first, **given)
        others = {seat: cards["hand"] for seat, cards in given.pop("others", {}).items()}
        return position(**given, others=others)
