"""Rows of dnup: `tests/games/rows.py`; "seat 1 set 3/4 3/6" lies on the table."""

from __future__ import annotations

from typing import Any

from tests.dnup.position import Position, position
from tests.games import rows


class Rows(rows.Rows):
    def position(self, **given: Any) -> Position:
        others = given.pop("others", {})
        hands = {seat: cards["hand"] for seat, cards in others.items() if "hand" in cards}
        sets = {seat: cards["set"] for seat, cards in others.items() if "set" in cards}
        return position(sets=sets, others=hands, **given)
