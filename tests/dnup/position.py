"""Positions of dnup built from named cards, and moves by name.

    p = position(hand="7/3 7/9 2/5", sets={1: "3/6 3/4"}, players=3)
    p.moves == {"7", "2", "7 7", "turn", "take 3 3"}
    p.play("7 7", "take 7 7")

A card is named with its active value first: 3/4 is a 3 that becomes a 4 when turned; "*" marks the
star card. `sets` are by place: a seat, or with two players (seat, area).
"""

from __future__ import annotations

from typing import Any

from simcore.games.dnup import kernel
from simcore.games.dnup import table as dnup
from simcore.games.dnup.cards import active_cards, chart_hand, subset
from simcore.games.dnup.deck import VALUES, load_deck
from simcore.games.dnup.play import chart_sets
from simcore.records import MATCH_OVER, ROUND_OVER
from tests.dnup.following import DNUP, bits


class Position:
    """TABLE and BOX records, in names."""

    def __init__(self, players: int, options: dict[str, Any]) -> None:
        self.options = DNUP.resolve({"players": players} | options)
        self.players = players
        self.deck = load_deck(str(self.options["deck"]))
        self.tables, self.boxes = dnup.new_records(self.options)
        self.table, self.box = self.tables[0], self.boxes[0]
        kernel.start_match(self.table, self.box, 1, 0)
        kernel.start_round(self.table, self.box)
        for seat in range(players):
            self.box.seats[seat].up = self.box.seats[seat].down = 0
            self.table.cards[seat] = 0
        self.used: set[int] = set()

    def number(self, name: str) -> tuple[int, bool]:
        """Find a card not yet used, and whether it is upright."""
        active, other = (int(value) for value in name.rstrip("*").split("/"))
        for card, printed in enumerate(self.deck):
            there = {printed.low, printed.high} == {active, other} and printed.low in (
                active,
                other,
            )
            if there and card not in self.used and (not name.endswith("*") or printed.star):
                self.used.add(card)
                return card, active == printed.low
        raise AssertionError(f"no card {name!r} left")

    def give(self, seat: int, names: str) -> None:
        record = self.box.seats[seat]
        used = set(self.used)
        try:
            numbers = [self.number(name) for name in names.split()]
        except AssertionError:
            self.used = used
            raise
        for card, upright in numbers:
            if upright:
                record.up |= 1 << card
            else:
                record.down |= 1 << card
        self.table.cards[seat] += len(names.split())
        chart_hand(self.table, record)

    def put(self, place: int, names: str) -> None:
        cards = [self.number(name)[0] for name in names.split()]
        self.table.set_cards[place] = sum(1 << card for card in cards)
        self.table.set_value[place] = int(names[0])
        chart_sets(self.table)

    # ---------------------------------------------------------------- what is there

    @property
    def seat(self) -> int:
        return int(self.table.seat)

    @property
    def phase(self) -> str:
        names = {ROUND_OVER: "ROUND_OVER", MATCH_OVER: "MATCH_OVER", **dnup.PHASES}
        return names[int(self.table.phase)]

    @property
    def area(self) -> int:
        return int(self.table.place) // dnup.SECOND_AREA + 1

    @property
    def scores(self) -> list[int]:
        return self.table.scores[: self.players].tolist()

    @property
    def discards(self) -> str:
        names = [f"{self.deck[card].low}/{self.deck[card].high}" for card in self.bits_discarded]
        return " ".join(names)

    @property
    def bits_discarded(self) -> list[int]:
        return bits(self.table.discards)

    def hand(self, seat: int = 0) -> str:
        record = self.box.seats[seat]
        cards = [(self.deck[card].low, self.deck[card].high) for card in bits(record.up)]
        cards += [(self.deck[card].high, self.deck[card].low) for card in bits(record.down)]
        return " ".join(f"{active}/{other}" for active, other in sorted(cards))

    def known(self, seat: int) -> str:
        down = int(self.table.known_down)
        cards = [
            (card.high, card.low) if down >> number & 1 else (card.low, card.high)
            for number, card in enumerate(self.deck)
            if int(self.table.known[seat]) >> number & 1
        ]
        return " ".join(f"{active}/{other}" for active, other in sorted(cards))

    def lying(self, place: int) -> str:
        """The set at a place: "3 3"."""
        count = int(self.table.set_cards[place]).bit_count()
        return " ".join([str(int(self.table.set_value[place]))] * count)

    def metric(self, name: str) -> int:
        return int(self.table.metrics[getattr(dnup.METRIC, name)])

    def clause(self, name: str) -> bool:
        return bool(self.metric("clauses") & getattr(dnup.CLAUSE, name))

    # ---------------------------------------------------------------- moves

    def name(self, move: int) -> str:
        if self.phase == "PICK":
            action = int(self.table.pending)
            value = action % VALUES + 1 if action < 360 else (action - dnup.ADD) % VALUES + 1
            count = action // VALUES + 1 if action < 360 else 1
            cards = int(active_cards(self.table, self.box.seats[self.seat], value))
            chosen = subset(cards, cards.bit_count(), count, move)
            others = [int(self.table.total[card]) - value for card in bits(chosen)]
            return " ".join(f"{value}/{other}" for other in others)
        if move == dnup.TURN:
            return "turn"
        verb = "take " if move >= dnup.TAKE else "add to " if move >= dnup.ADD else ""
        what = move - {"take ": dnup.TAKE, "add to ": dnup.ADD, "": 0}[verb]
        return verb + " ".join([str(what % VALUES + 1)] * (what // VALUES + 1))

    def listed(self) -> list[tuple[str, int]]:
        record = self.box.seats[self.seat]
        count = kernel.find_moves(self.table, record)
        kernel.legal_moves(self.table, record)
        return [(self.name(move), move) for move in record.moves[:count].tolist()]

    @property
    def moves(self) -> set[str]:
        return {name for name, _ in self.listed()}

    def play(self, *names: str) -> Position:
        """Make moves one after the other, whoever is on turn."""
        for name in names:
            moves = dict(self.listed()) or {"pass": dnup.PASS}
            assert name in moves, f"no move {name!r} among {sorted(moves)}"
            kernel.apply_move(self.table, self.box, moves[name])
        return self

    def score(self) -> Position:
        assert self.phase == "ROUND_OVER"
        kernel.score_round(self.table, self.box)
        return self


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
    out: int | None = None,
    **options: Any,
) -> Position:
    """Put seat 0 on turn; other seats hold two 9s or 8s unless `others` names their cards."""
    p = Position(players, {"deck": "a"} | options)
    p.give(0, hand)
    for place, names in (sets or {}).items():
        number = place if isinstance(place, int) else place[0] + dnup.SECOND_AREA * (place[1] - 1)
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
    p.table.seat = 0
    p.table.place = dnup.SECOND_AREA * (area - 1)
    p.table.phase = dnup.ACTION
    p.table.turns = turns
    p.table.scores[: len(scores)] = scores
    if out is not None:
        p.table.first_out = out
    return p
