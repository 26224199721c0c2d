"""Rows of Up or down?: `tests/games/rows.py`.

"card 30; display 10 20, 45 40" has seat 0 about to place a 30 beside these columns; a display and a
hand of another seat are "seat 1 display 7 13, 9" and "seat 1 hand 54".
"""

from __future__ import annotations

from typing import Any

from tests.games import rows
from tests.upordown.position import Position, placing, position


class Rows(rows.Rows):
    def position(self, card: str = "", display: str = "", **given: Any) -> Position:
        columns = rows.items(display, ",")
        if card:
            return placing(int(card), *columns, **given)
        others = [cards for _, cards in sorted(given.pop("others", {}).items())]
        displays = [rows.items(cards.get("display", ""), ",") for cards in others]
        hands = [cards.get("hand", "") for cards in others]
        return position(display=columns, others=displays, hands=hands, **given)
