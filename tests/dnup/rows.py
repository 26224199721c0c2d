"""Rows of dnup: `tests/games/rows.py`.

"seat 1 set 3/4 3/6" lies on the table; with two players in area 1, "seat 1 set2 3/4" in area 2.
"""

from __future__ import annotations

from typing import Any

from tests.dnup.position import Position, position
from tests.games import rows


class Rows(rows.Rows):
    def position(self, **given: Any) -> Position:
        others = given.pop("others", {})
        hands = {seat: cards["hand"] for seat, cards in others.items() if "hand" in cards}
        areas = {"set": 1, "set2": 2} if given.get("players") == 2 else {"set": None}
        sets = {
            seat if area is None else (seat, area): cards[name]
            for seat, cards in others.items()
            for name, area in areas.items()
            if name in cards
        }
        return position(sets=sets, others=hands, **given)
