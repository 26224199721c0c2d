"""Positions of UNO built from named cards, and moves by name.

    p = position(hand="red 7, wild", top="red 2", players=3)
    p.moves == {"red 7", "wild", "draw"}
    p.play("red 7").seat == 1

Cards are named as in `following.KIND_NAMES`; a top card that is wild is named with its colour:
"wild blue". The stock is named in the order in which it is drawn.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from simcore import rng
from simcore.games.uno import kernel
from simcore.games.uno import table as uno
from simcore.games.uno.cards import (
    COLOURS,
    DRAW_FOUR_NAMED,
    WILD,
    WILD_NAMED,
    put,
)
from simcore.games.uno.deal import deal, turn_up
from simcore.records import MATCH_OVER, MAX_SEATS, ROUND_OVER
from tests.uno.following import (
    KIND_NAMES,
    KINDS,
    UNO,
    card_on_top,
    colour_on_top,
    hand_of,
    pile_of,
    translate,
)


def names_in(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def number_of_top(name: str) -> int:
    """Return the number of a top card: "red 7", "wild blue", "wild draw four red"."""
    if name in KINDS:
        return KINDS[name]
    wild, _, colour = name.rpartition(" ")
    base = DRAW_FOUR_NAMED if wild == "wild draw four" else WILD_NAMED
    return base + COLOURS.index(colour)


class Position:
    """TABLE and BOX records, in names."""

    def __init__(self, players: int, options: dict[str, Any]) -> None:
        self.options = UNO.resolve({"players": players} | options)
        self.players = players
        self.tables, self.boxes = uno.new_records(self.options)
        self.table, self.box = self.tables[0], self.boxes[0]
        kernel.start_match(self.table, self.box, 1, 0)
        seed, key = np.uint64(1), np.uint64(2)
        rng.open_stream(self.box.chance_rng, seed, key, 3, rng.CHANCE)
        rng.open_stream(self.box.deal_rng, seed, key, 3, rng.DEAL)
        self.table.dealer = players - 1
        self.table.round_number = 1
        self.table.turns = 1
        self.table.layer = uno.NOBODY
        self.table.last_idle_turn = -1
        self.table.drew_on[:] = uno.NEVER
        self.table.last_laid[:] = uno.NEVER
        for seat in range(MAX_SEATS):
            self.box.seats[seat].index = seat
            self.box.seats[seat].shown_seat = uno.NOBODY

    # ---------------------------------------------------------------- set up

    def hold(self, seat: int, cards: str) -> None:
        record = self.box.seats[seat]
        record.hand, record.doubles, record.pairs = set_of(cards)
        self.table.cards[seat] = len(names_in(cards))

    def pile(self, cards: str, top: str) -> None:
        self.table.top = number_of_top(top)
        names = ", ".join([*names_in(cards), card_on_top(int(self.table.top))])
        pile = set_of(names)
        self.table.discards, self.table.discard_doubles, self.table.discard_pairs = pile

    def fill(self, stock: str) -> None:
        kinds = [KINDS[name] for name in reversed(names_in(stock))]
        self.box.stock[: len(kinds)] = kinds
        self.box.loose = 0
        self.table.stock_size = self.table.stocked = len(kinds)

    # ---------------------------------------------------------------- what is there

    @property
    def seat(self) -> int:
        return int(self.table.seat)

    @property
    def phase(self) -> str:
        names = {ROUND_OVER: "ROUND_OVER", MATCH_OVER: "MATCH_OVER", **uno.PHASES}
        return names[int(self.table.phase)]

    @property
    def top(self) -> str:
        return card_on_top(int(self.table.top))

    @property
    def colour(self) -> str | None:
        return colour_on_top(int(self.table.top))

    @property
    def direction(self) -> int:
        return 1 - 2 * (int(self.table.reversals) & 1)

    @property
    def scores(self) -> list[int]:
        return self.table.scores[: self.players].tolist()

    @property
    def stock(self) -> Counter[str]:
        size = int(self.table.stock_size)
        return Counter(KIND_NAMES[kind] for kind in self.box.stock[:size].tolist())

    @property
    def discards(self) -> Counter[str]:
        return Counter(pile_of(self.table))

    def hand(self, seat: int = 0) -> str:
        held = hand_of(self.box.seats[seat])
        return ", ".join(Counter({name: held.get(name, 0) for name in KINDS}).elements())

    def count(self, seat: int = 0) -> int:
        return int(self.table.cards[seat])

    def metric(self, name: str) -> int:
        return int(self.table.metrics[getattr(uno.METRIC, name)])

    def clause(self, name: str) -> bool:
        return bool(self.metric("clauses") & getattr(uno.CLAUSE, name))

    # ---------------------------------------------------------------- moves

    def numbered_moves(self) -> dict[str, int]:
        record = self.box.seats[self.seat]
        count = kernel.find_moves(self.table, record)
        kernel.legal_moves(self.table, record)
        moves = tuple(record.moves[:count].tolist())
        said = [
            f"swap {move[1]}" if move[0] == "swap" else move[-1]
            for move in translate(int(self.table.phase), moves)
        ]
        assert len(set(said)) == len(said)
        return dict(zip(said, moves, strict=True))

    @property
    def moves(self) -> set[str]:
        return set(self.numbered_moves())

    def play(self, *names: str) -> Position:
        """Make moves one after the other, whoever is on turn."""
        for name in names:
            moves = self.numbered_moves()
            assert name in moves, f"no move {name!r} among {sorted(moves)}"
            kernel.apply_move(self.table, self.box, moves[name])
        return self

    def score(self) -> Position:
        assert self.phase == "ROUND_OVER"
        kernel.score_round(self.table, self.box)
        return self


def set_of(cards: str) -> tuple[int, int, int]:
    """Return named cards as a card set."""
    words = 0, 0, 0
    for name in names_in(cards):
        one, two, three = put(*words, 1 << KINDS[name])
        words = int(one), int(two), int(three)
    return words


def position(
    hand: str,
    top: str,
    *,
    players: int = 3,
    others: dict[int, str] | None = None,
    stock: str = "blue 1, blue 2, blue 3, blue 4, blue 5, blue 6, blue 7, blue 8",
    pile: str = "",
    counter_clockwise: bool = False,
    scores: tuple[int, ...] = (),
    turns: int = 1,
    **options: Any,
) -> Position:
    """Put seat 0 on turn.

    `others` are the hands of other seats (three numbers unless named here); `pile` are the discards
    under the top card; `options` are rules options.
    """
    p = Position(players, options)
    p.hold(0, hand)
    for seat in range(1, players):
        p.hold(seat, (others or {}).get(seat, f"blue {seat}, green {seat}, yellow {seat}"))
    p.pile(pile, top)
    p.fill(stock)
    p.table.reversals = int(counter_clockwise)
    p.table.scores[: len(scores)] = scores
    p.table.turns = turns
    p.table.phase = uno.PLAY
    return p


def dealt(first: str, *, players: int = 3, dealer: int = 2, **options: Any) -> Position:
    """Deal to each player and turn up the card named `first`."""
    p = Position(players, options)
    p.table.dealer = dealer
    p.table.turns = 0
    size = int(p.table.deck_size)
    kinds = p.table.deck[:size].tolist()
    kinds.remove(KINDS[first])
    # The deck is drawn from the end; numbers first, so that hands hold no wild cards.
    kinds = kinds[::-1] if KINDS[first] < WILD else kinds
    place = size - int(p.table.hand_size) * players - 1
    p.box.stock[:size] = [*kinds[:place], KINDS[first], *kinds[place:]]
    p.box.loose = place
    deal(p.table, p.box)
    turn_up(p.table, p.box)
    return p
