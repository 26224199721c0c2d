"""Positions of Up or down? built from named cards, and moves by name.

    p = position(hand="8 15", circle="5 17 18 19 21 29", display=["20 31", "40"])
    p.moves == ["8", "15"]
    p.play("8").moves == ["lower", "upper"]
    p.play("lower").moves == ["append 1", ...]

Moves: a card; "lower" or "upper"; "append 1", "new", "give up 1" (columns are counted from 1);
"face up" or "face down". Cards that are not named are nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from simcore.games.upordown import kernel
from simcore.games.upordown import table as uod
from simcore.games.upordown.cards import put
from simcore.games.upordown.deal import clear_display
from simcore.games.upordown.dials import ROW_CIRCLE
from simcore.games.upordown.play import place_card
from simcore.games.upordown.words import circle_cards
from simcore.records import ROUND_OVER
from tests.upordown.following import UPORDOWN, cards_of_row
from tests.upordown.unseen import row_of

SIDES = {"lower": uod.LOWER_SIDE, "upper": uod.UPPER_SIDE}
PILES = {"face up": uod.FACE_UP, "face down": uod.FACE_DOWN}


def number_of(name: str) -> int:
    """Return a move by its name."""
    if name in SIDES:
        return SIDES[name]
    if name in PILES:
        return PILES[name]
    if name == "new":
        return uod.NEW_COLUMN
    verb, _, place = name.rpartition(" ")
    if verb == "append":
        return 8 * int(place) - 1
    return uod.GIVE_UP + int(place) - 1 if verb else int(name)


def name_of(phase: int, move: int) -> str:
    """Return the name of a move."""
    if phase == uod.CARD:
        return str(move)
    if phase in (uod.TAKE, uod.DRAW):
        names = SIDES if phase == uod.TAKE else PILES
        return next(name for name, number in names.items() if number == move)
    if move == uod.NEW_COLUMN:
        return "new"
    return f"append {move // 8 + 1}" if move < uod.NEW_COLUMN else f"give up {move - 48}"


class Position:
    """A position with seat 0 on turn; see `position`."""

    def __init__(self, players: int, options: dict[str, Any]) -> None:
        self.options = UPORDOWN.resolve({"players": players, **options})
        self.tables, self.boxes = uod.new_records(self.options)
        self.table, self.box = self.tables[0], self.boxes[0]
        kernel.start_match(self.table, self.box, 1, 0)
        kernel.start_round(self.table, self.box)
        self.table.first_seat = 0
        self.table.seat = 0

    @property
    def phase(self) -> str:
        return uod.PHASES.get(int(self.table.phase), "over")

    @property
    def seat(self) -> int:
        return int(self.table.seat)

    @property
    def moves(self) -> list[str]:
        return [name_of(self.table.phase, move) for move in self.numbered_moves()]

    def numbered_moves(self) -> list[int]:
        seat = self.box.seats[self.table.seat]
        count = kernel.find_moves(self.table, seat)
        kernel.legal_moves(self.table, seat)
        return seat.moves[:count].tolist()

    def play(self, *names: str) -> Position:
        for name in names:
            assert name in self.moves, f"{name!r} is not among {self.moves}"
            kernel.apply_move(self.table, self.box, number_of(name))
        return self

    def copy(self) -> Position:
        other = object.__new__(Position)
        other.options = self.options
        other.tables, other.boxes = self.tables.copy(), self.boxes.copy()
        other.table, other.box = other.tables[0], other.boxes[0]
        return other

    @property
    def circle(self) -> str:
        return spoken(circle_cards(self.table))

    def hand(self, seat: int = 0) -> str:
        return spoken(cards_of_row(int(self.box.seats[seat].hand)))

    def columns(self, seat: int = 0) -> list[str]:
        lengths = self.table.lengths[seat]
        return [
            spoken(self.table.column_cards[seat, place, 1 : lengths[place] + 1])
            for place in range(self.table.columns_used[seat])
        ]

    def score(self, seat: int = 0) -> int:
        return int(self.table.scores[seat])

    def metric(self, name: str) -> int:
        return int(self.table.metrics[getattr(uod.METRIC, name)])

    def finish(self) -> Position:
        """Make the first legal moves until the match is over."""
        while self.table.phase != ROUND_OVER:
            kernel.apply_move(self.table, self.box, self.numbered_moves()[0])
        kernel.score_round(self.table, self.box)
        kernel.finish_match(self.table)
        return self


def spoken(cards: Any) -> str:
    return " ".join(str(card) for card in cards)


def numbers(cards: str) -> list[int]:
    return [int(card) for card in cards.split()]


def position(
    *,
    hand: str = "",
    circle: str = "",
    display: Sequence[str] = (),
    others: Sequence[Sequence[str]] = (),
    hands: Sequence[str] = (),
    face_up: str = "",
    face_down: str = "",
    turns_left: int | None = None,
    players: int = 2,
    **options: Any,
) -> Position:
    """Return a position with seat 0 about to lay a card.

    Parameters
    ----------
    hand, circle : str
        Cards; the circle is left as dealt when it is not given, else the option `circle` is the
        number of its cards.
    display, others : sequence of str
        The columns of seat 0, and of the seats after it, from the first card to the last.
    hands : sequence of str
        The hands of the seats after seat 0.
    face_up, face_down : str
        The piles, top card first.
    turns_left : int, optional
        Default: what the cards in the hands and piles make.
    players, options
        As `Game.resolve` takes them.
    """
    if circle:
        options["circle"] = len(numbers(circle))
    p = Position(players, options)
    table, box = p.table, p.box
    if circle:
        table.wide_circle[:] = 0
        if table.circle_cards > ROW_CIRCLE:
            for card in numbers(circle):
                put(table.wide_circle, card)
        else:
            table.circle = row_of(numbers(circle)) & ((1 << 8 * int(table.circle_cards)) - 1)
    for seat, cards in enumerate((hand, *hands)):
        box.seats[seat].hand = row_of(numbers(cards))
    for seat, columns in enumerate((display, *others)):
        clear_display(table, np.uint32(seat))
        table.scores[seat] = 0
        for place, cards in enumerate(columns):
            for count, card in enumerate(numbers(cards)):
                move = uod.NEW_COLUMN if count == 0 else 8 * place + 7
                place_card(table, np.uint32(seat), card, move)
    for pile, cards in ((uod.FACE_UP, face_up), (uod.FACE_DOWN, face_down)):
        given = numbers(cards)
        table.pile_cards[pile] = len(given)
        start = 1 + pile * box.face_up_size
        box.deck[start : start + len(given)] = given[::-1]
    table.face_up_card = numbers(face_up)[0] if face_up and table.open_pile else 0
    held = sum(len(cards_of_row(int(box.seats[seat].hand))) for seat in range(players))
    table.turns_left = turns_left if turns_left is not None else held + int(table.pile_cards.sum())
    return p


TWO_PILES = {"face_up": "3 4", "face_down": "5 6"}


def placing(card: int, *columns: str, **options: Any) -> Position:
    """Return the position in which seat 0 is about to place a card."""
    p = position(
        hand="53", circle=f"{card} 47 48 49 50 51", display=columns, **TWO_PILES, **options
    )
    p.play("53", "upper")
    assert p.table.taken_card == card
    return p
