"""Positions of Up from the names of cards, and what a strategy does in them."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.game import get_game
from simcore.games.up import kernel
from simcore.games.up import table as up
from simcore.games.up.cards import CLEAR, MINUS_TWO, card_number
from simcore.games.up.moves import find_moves, move_count, move_kind
from strategies import parse_strategy

UP = get_game("up")
NAMES = {"clear": CLEAR, "-2": MINUS_TWO} | {str(value): value for value in range(1, 12)}
SOURCES = {up.HAND: "hand", up.OPEN: "open"}


class Position:
    """Seat 0 on turn in a round under way.

    Parameters
    ----------
    hand, open, tower : str
        Names of cards: "11 7 7 -2 clear".
    hidden : int
        How many hidden cards seat 0 has.
    cap : int, optional
        Default: the last value named in `tower`, or 0 without a tower.
    others : tuple of int
        How many cards the other seats have left.
    first_turn : bool
        Whether it is seat 0's first turn.
    plays : int
        How many plays the round has had.
    options
        As `Game.resolve` takes them; `players` follows from `others`.
    """

    def __init__(
        self,
        *,
        hand: str = "",
        open: str = "",  # noqa: A002
        tower: str = "",
        hidden: int = 0,
        cap: int | None = None,
        others: tuple[int, ...] = (13, 13, 13),
        first_turn: bool = False,
        plays: int = 20,
        **options: object,
    ) -> None:
        self.options = UP.resolve({"players": 1 + len(others), **options})
        self.tables, self.boxes = up.new_records(self.options)
        self._used: dict[int, int] = {}
        table, seat = self.tables[0], self.boxes[0].seats[0]
        self._put(seat.hand, hand)
        self._put(table.open_cards[0], open)
        self._put(table.tower, tower)
        table.phase = up.PLAY
        table.round_number = 1
        table.double = np.uint32(self.options["double_two"] == "always")
        table.dirty = int(self.options["dirty_one"] == "always")
        table.hidden_cards[0] = hidden
        table.cards[0] = len(hand.split()) + len(open.split()) + hidden
        table.cards[1 : 1 + len(others)] = others
        table.first_turn = int(first_turn)
        table.plays = plays
        values = [int(name) for name in tower.split() if name not in ("-2", "clear")]
        table.cap = cap if cap is not None else (values or [0])[-1]

    def _put(self, cards: Any, names: str) -> None:
        for name in names.split():
            kind = NAMES[name]
            colour = self._used.get(kind, 0)
            self._used[kind] = colour + 1
            card = card_number(kind, colour)
            cards[card >> 6] |= 1 << (card & 63)

    def declaring(self) -> Position:
        """Return the position with seat 0 about to declare instead."""
        self.tables[0].phase = up.DECLARE
        return self

    def cutting(self) -> Position:
        """Return the position with seat 0 having found a special card at the cut instead."""
        self.tables[0].phase = up.CUT
        return self

    def choice(self, strategy: str) -> int:
        """Return the move that a strategy chooses; it is legal."""
        chosen = parse_strategy(UP, strategy)
        table, box = self.tables[0], self.boxes[0]
        box.policies[0] = chosen.address(up.record_dtypes(self.options))
        box.seats[0].params[: len(chosen.values)] = chosen.values
        words = chosen.spec(self.options)
        box.seats[0].spec[: len(words)] = words
        assert find_moves(table, box.seats[0]) > 1
        move = int(kernel.choose(self.tables, self.boxes))
        assert move >= 0
        return move

    def played(self, strategy: str) -> str:
        """Return what a strategy plays, in short: "open 5 5", "hand -2", "hidden"."""
        move = self.choice(strategy)
        if move == up.TURN_UP:
            return "hidden"
        table, seat = self.tables[0], self.boxes[0].seats[0]
        kind = int(move_kind(table, move))
        name = next(name for name, number in NAMES.items() if number == kind)
        return " ".join(
            [SOURCES[move // up.SOURCE_STEP], *[name] * int(move_count(table, seat, move))]
        )
