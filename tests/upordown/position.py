"""Positions of Up or down? built from named cards, and moves by name.

    p = position(hand="8 15", circle="5 17 18 19 21 29", display=["20 31", "40"])
    p.listed == ["8", "15"]
    p.play("8").listed == ["lower", "upper"]
    p.play("lower").listed == ["append 1", ...]

Moves: a card; "lower" or "upper"; "append 1", "new", "give up 1" (columns are counted from 1);
"face up" or "face down". Cards that are not named are nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from simcore.compiler.state import ROUND_OVER, Cards
from simcore.games.upordown import rules as uod
from simcore.games.upordown.options import MOST_COLUMNS
from simcore.games.upordown.phrases import column_cards
from tests.games import position as games
from tests.upordown.following import PHASES, UPORDOWN

SIDES = {"lower": uod.LOWER_SIDE, "upper": uod.UPPER_SIDE}
PILES = {"face up": uod.FACE_UP, "face down": uod.FACE_DOWN}


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


class Position(games.Position):
    """A position with seat 0 on turn; see `position`."""

    game = UPORDOWN
    phases = PHASES

    def __init__(self, players: int, options: dict[str, Any], match: int = 0) -> None:
        super().__init__(players, options)
        self.s = self.plain.start_match(1, match)
        self.plain.start_round(self.s)
        self.s.first_seat = 0
        self.s.seat = 0

    def named_moves(self) -> list[tuple[str, int]]:
        return [(name_of(self.s.phase, move), move) for move in self.plain.moves(self.s)]

    def copy(self) -> Position:
        other = object.__new__(Position)
        other.__dict__ |= self.__dict__ | {"s": self.s.copy(), "events": []}
        return other

    @property
    def circle(self) -> str:
        return spoken(self.s.circle)

    def hold(self, seat: int, cards: str) -> None:
        """Give a seat a hand; its cards are nowhere else."""
        held = Cards.of(numbers(cards))
        self.s.stock = self.s.stock - held
        self.s.hand[seat] = held

    def hand(self, seat: int = 0) -> str:
        return spoken(self.s.hand[seat])

    def columns(self, seat: int = 0) -> list[str]:
        return [
            spoken(column_cards(self.s, seat, place)) for place in range(self.s.columns_used[seat])
        ]

    def drawn_openly(self, seat: int = 0) -> str:
        return spoken(self.s.drawn_openly[seat])

    def points(self, seat: int, place: int) -> int:
        """Return the points of a column."""
        return int(self.plain.run(self.plain.add(uod.points), self.s, seat, place))

    def discards(self, seat: int = 0) -> int:
        """Return how many cards a seat has given up."""
        return len(self.s.discards[seat])

    def placed(self, seat: int) -> int:
        """Return how many cards a seat has placed, those given up included."""
        return sum(map(len, self.s.column[seat])) + self.discards(seat)

    def fits(self, card: int, place: int = 0) -> bool:
        """Tell whether a card may be put into a column of seat 0."""
        return bool(self.plain.run(self.plain.add(uod.fits), self.s, 0, place, card))

    @property
    def card_count(self) -> int:
        """How many cards are in play."""
        return int(self.plain.values["card_count"])

    def pile(self, pile: int) -> list[int]:
        """Return the cards of a pile, the top card last."""
        start = 1 + (self.plain.values["face_up_cards"] if pile == uod.FACE_DOWN else 0)
        return list(self.s.order)[start : start + self.s.pile_cards[pile]]

    def turn(self, strategy: str) -> str:
        """Return a whole turn of a strategy up to its draw, which stays unplayed."""
        before, made = self.s.copy(), []
        while self.phase != "DRAW":
            made.append(self.choice(strategy) if len(self.moves) > 1 else self.listed[0])
            self.play(made[-1])
        self.s = before
        return " ".join(made)

    def finish(self) -> Position:
        """Make the first legal moves until the match is over."""
        while self.s.phase != ROUND_OVER:
            self.plain.apply(self.s, self.plain.moves(self.s)[0])
        return self.score()


def spoken(cards: Iterable[int]) -> str:
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
    s = p.s
    s.stock = Cards()
    if circle:
        s.circle = Cards.of(numbers(circle))
    for seat in range(players):
        p.hold(seat, [hand, *hands, *[""] * players][seat])
    for seat, columns in enumerate((display, *others)):
        s.scores[seat] = s.columns_used[seat] = 0
        for place in range(MOST_COLUMNS):
            s.column[seat][place] = Cards()
        for place, cards in enumerate(columns):
            lay_out(p, seat, place, numbers(cards))
    for pile, cards in ((uod.FACE_UP, face_up), (uod.FACE_DOWN, face_down)):
        given = numbers(cards)
        s.pile_cards[pile] = len(given)
        start = 1 + (p.plain.values["face_up_cards"] if pile == uod.FACE_DOWN else 0)
        for place, card in enumerate(given[::-1], start):
            s.order[place] = card
        s.stock = s.stock | Cards.of(given)
    s.face_up_card = numbers(face_up)[0] if face_up and p.options["open_pile"] else 0
    held = sum(map(len, s.hand))
    s.turns_left = turns_left if turns_left is not None else held + sum(s.pile_cards)
    return p


def lay_out(p: Position, seat: int, place: int, cards: list[int]) -> None:
    """Place cards as in turns of a seat, which draws nothing and gives no turn on."""
    s = p.s
    kept = s.copy()
    for count, card in enumerate(cards):
        s.taken_card = card
        s.taken = Cards.of([card])
        s.seat, s.phase = seat, uod.PLACE
        s.pile_cards[0] = s.pile_cards[1] = 1  # so that a draw is asked for
        p.plain.apply(s, uod.NEW_COLUMN if count == 0 else 8 * place + 7)
    for name in ("seat", "phase", "turns_left"):
        setattr(s, name, getattr(kept, name))
    s.count.clauses = kept.count.clauses


TWO_PILES = {"face_up": "3 4", "face_down": "5 6"}


def placing(card: int, *columns: str, **options: Any) -> Position:
    """Return the position in which seat 0 is about to place a card."""
    circle = f"{card} 47 48 49 50 51"
    p = position(hand="53", circle=circle, display=columns, **TWO_PILES, **options)
    p.play("53", "upper")
    assert p.s.taken_card == card
    return p
