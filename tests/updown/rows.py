"""Rows of UP & DOWN: `tests/games/rows.py`.

"hands R2 R3, F4 F5" are those of the seats; "trick R5 F3" is a trick that has been played, seat by
seat, "last R5 F3" the last one of a round.
"""

from __future__ import annotations

from typing import Any

from tests.games import rows
from tests.updown.position import Position, play_trick


class Rows(rows.Rows):
    def position(self, hands: str = "", trick: str = "", last: str = "", **given: Any) -> Position:
        if trick:
            return play_trick(trick, **given)
        if last:
            cards = last.split()
            return Position(*cards, choosing=True, **given).play(*cards)
        return Position(*hands.split(", "), **given)
