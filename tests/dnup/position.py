"""Positions of dnup built from named cards, and moves by name.

    p = position(hand="7/3 7/9 2/5", sets={1: "3/6 3/4"}, players=3)
    p.moves == {"7", "2", "7 7", "turn", "take 3 3"}
    p.play("7 7", "take 7 7")

A card is named with its active value first: 3/4 is a 3 that becomes a 4 when turned; "*" marks the
star card. `sets` are by place: a seat, or with two players (seat, area).
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from simcore.compiler.state import Cards
from simcore.events import PASS
from simcore.games.dnup import rules as dnup
from simcore.games.dnup.charts import shape_of, size_of, value_of
from simcore.games.dnup.deck import load_deck
from tests.dnup.following import DNUP, PHASES
from tests.games import position as games


class Position(games.Position):
    game = DNUP
    phases = PHASES

    def __init__(self, players: int, options: dict[str, Any]) -> None:
        super().__init__(players, options)
        self.deck = load_deck(str(self.options["deck"]))
        self.plain.start_round(self.s)
        for seat in range(players):
            self.s.hand[seat] = Cards()
        self.s.flipped = Cards()
        self.used: set[int] = set()

    def number(self, name: str) -> tuple[int, bool]:
        """Find a card not yet used, and whether it is upright."""
        active, other = (int(value) for value in name.rstrip("*").split("/"))
        for card, printed in enumerate(self.deck):
            is_named = {printed.low, printed.high} == {active, other}
            if is_named and card not in self.used and (not name.endswith("*") or printed.star):
                self.used.add(card)
                return card, active == printed.low
        raise AssertionError(f"no card {name!r} left")

    def give(self, seat: int, names: str) -> None:
        used = set(self.used)
        try:
            numbers = [self.number(name) for name in names.split()]
        except AssertionError:
            self.used = used
            raise
        for card, upright in numbers:
            self.s.hand[seat] = self.s.hand[seat] | {card}
            if not upright:
                self.s.flipped = self.s.flipped | {card}

    def put(self, place: int, names: str) -> None:
        numbers = [self.number(name) for name in names.split()]
        self.s.lying[place] = Cards.of(card for card, _ in numbers)
        self.s.flipped = self.s.flipped | {card for card, upright in numbers if not upright}
        self.s.shape[place] = shape_of(int(names[0]), len(numbers))

    @property
    def area(self) -> int:
        return int(self.s.place) % 2 + 1

    @property
    def discards(self) -> str:
        """Cards by number, whichever side was up."""
        names = [f"{self.deck[card].low}/{self.deck[card].high}" for card in self.s.discards]
        return " ".join(names)

    @property
    def plays(self) -> set[str]:
        """The moves that play a new set."""
        return {name for name in self.moves if name[0].isdigit()}

    @property
    def is_sorted(self) -> bool:
        """Whether the numbers of the moves ascend."""
        return list(self.plain.moves(self.s)) == sorted(self.plain.moves(self.s))

    def hand(self, seat: int = 0) -> str:
        return self.shown(self.s.hand[seat])

    def known(self, seat: int) -> str:
        return self.shown(self.s.known[seat])

    def shown(self, cards: Any) -> str:
        """Name cards with their active values first, sorted."""
        return " ".join(f"{active}/{other}" for active, other in sorted(map(self.values, cards)))

    def values(self, card: int) -> tuple[int, int]:
        """The active value of a card, and the other one."""
        printed = self.deck[card]
        if card in self.s.flipped:
            return printed.high, printed.low
        return printed.low, printed.high

    def lying(self, place: int) -> str:
        """The set at a place: "3 3"."""
        return " ".join(str(self.values(card)[0]) for card in self.s.lying[place])

    def name(self, move: int) -> str:
        if self.phase == "PICK":
            value, count = dnup.cards_needed(self.s.pending)
            held = [card for card in self.s.hand[self.seat] if self.values(card)[0] == value]
            chosen = list(combinations(held, count))[move]
            return " ".join(f"{value}/{self.values(card)[1]}" for card in chosen)
        if move == dnup.TURN:
            return "turn"
        verb = "take " if move >= dnup.TAKE else "add to " if move >= dnup.ADD else ""
        shape = move - {"take ": dnup.TAKE, "add to ": dnup.ADD, "": 0}[verb]
        return verb + " ".join([str(value_of(shape))] * size_of(shape))

    def named_moves(self) -> list[tuple[str, int]]:
        return [(self.name(move), move) for move in self.plain.moves(self.s)]

    def apply(self, move: int) -> None:
        super().apply(move)
        if self.phase == "PICK" and not self.plain.moves(self.s):
            super().apply(PASS)  # There is no choice among the cards.


SPARE = ("9/1 9/2", "9/3 9/4", "9/5 9/6", "9/7 9/8", "8/1 8/2", "8/3 8/4")


def position(
    hand: str = "",
    sets: dict[Any, str] | None = None,
    *,
    players: int = 3,
    others: dict[int, str] | None = None,
    area: int = 1,
    scores: tuple[int, ...] = (),
    turns: int = 0,
    round_number: int = 1,
    leaders: int = 0,
    out: int | None = None,
    **options: Any,
) -> Position:
    """Put seat 0 on turn; other seats hold two 9s or 8s unless `others` names their cards."""
    p = Position(players, {"deck": "a"} | options)
    p.give(0, hand)
    for place, names in (sets or {}).items():
        number = place if isinstance(place, int) else 2 * place[0] + place[1] - 1
        p.put(number, names)
    for seat, names in (others or {}).items():
        p.give(seat, names)
    for seat in set(range(1, players)) - set(others or {}) - {out}:
        for names in SPARE:
            try:
                p.give(seat, names)
            except AssertionError:
                continue
            break
    p.plain.run(p.plain.add(dnup.begin_turn), p.s, area - 1)
    p.s.turns, p.s.round_number, p.s.leaders = turns, round_number, leaders
    p.give_scores(scores)
    if out is not None:
        p.s.first_out = out
    return p
