"""Positions of Up built from named cards, and moves by name.

    p = position(hand="11 7 7 -2", open="5 1", tower="9", players=3)
    p.moves == {"11", "7", "7 7", "-2", "open 5", "open 1"}
    p.play("7 7").seat == 1

Cards are named as printed ("clear" is the clear card), equal ones of a move are repeated, "open"
goes before those from the table, "blind" turns up a hidden card (the last one named). Which colours
are used and how card sets are stored must not matter: see `LAYOUTS`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from simcore import rng
from simcore.games.up import kernel
from simcore.games.up import table as up
from simcore.games.up.cards import card_number, put
from simcore.games.up.deal import deal
from simcore.records import MATCH_OVER, MAX_SEATS, ROUND_OVER
from simcore.replay import PASS
from tests.up.following import KIND_NAMES, UP, deck_of, name_of, named, seats_in, translate

LAYOUTS = {
    "low colours": (1, [0, 1, 2, 3]),
    "high colours": (1, [3, 1, 2, 0]),
    "three words": (3, [5, 9, 2, 6, 1, 10, 0, 8, 4, 3, 7]),
}
"""Words of a card set and the colours in the order in which they are used."""

layout = LAYOUTS["low colours"]


def use_layout(name: str) -> None:
    """Build positions with this layout from now on."""
    global layout  # noqa: PLW0603
    layout = LAYOUTS[name]


class Cards:
    """Gives every named card a number of its own."""

    def __init__(self) -> None:
        self.used: Counter[str] = Counter()

    def numbers(self, names: str) -> list[int]:
        numbers = []
        for name in names.split():
            colours = layout[1]
            assert self.used[name] < len(colours), f"too many cards {name!r}"
            colour = colours[self.used[name]]
            numbers.append(card_number(KIND_NAMES.index(name), colour))
            self.used[name] += 1
        return numbers

    def spare(self, count: int) -> str:
        """Name some numbers not used up."""
        free = [name for name in KIND_NAMES[11:0:-1] if self.used[name] < len(layout[1])]
        return " ".join(free[:count])


def in_order(names: Any) -> str:
    """Name cards, heaviest first, "-2" and clear cards last."""
    order = [*KIND_NAMES[11:0:-1], "-2", "clear"]
    return " ".join(sorted(names, key=order.index))


class Position:
    """TABLE and BOX records, in names."""

    def __init__(self, players: int, options: dict[str, Any]) -> None:
        self.options = UP.resolve({"players": players, "rounds": 1000} | options)
        self.players = players
        types = up.dtypes(layout[0])
        self.tables = np.zeros(1, types.table).view(np.recarray)
        self.boxes = np.zeros(1, types.box).view(np.recarray)
        self.table, self.box = self.tables[0], self.boxes[0]
        up.fill_options(self.table, self.options)
        self.cards = Cards()
        kernel.start_match(self.table, self.box, 1, 0)
        rng.open_stream(self.box.chance_rng, 1, 2, 3, 4)
        self.table.dealer = players - 1
        self.table.forehand = 0
        self.table.round_number = 1
        self.table.dirty = self.options["dirty_one"] == "always"
        self.table.double = self.options["double_two"] == "always"
        for seat in range(MAX_SEATS):
            self.box.seats[seat].index = seat

    # ---------------------------------------------------------------- what is there

    @property
    def seat(self) -> int:
        return int(self.table.seat)

    @property
    def phase(self) -> str:
        names = {ROUND_OVER: "ROUND_OVER", MATCH_OVER: "MATCH_OVER", **up.PHASES}
        return names[int(self.table.phase)]

    @property
    def cap(self) -> int:
        return int(self.table.cap)

    @property
    def tower(self) -> str:
        return self._names(self.table.tower)

    @property
    def cleared(self) -> str:
        return self._names(self.table.cleared)

    @property
    def lost(self) -> set[int]:
        lost = seats_in(int(self.table.lost_turn), self.players)
        return {seat for seat, loses in enumerate(lost) if loses}

    @property
    def scores(self) -> list[int]:
        return self.table.scores[: self.players].tolist()

    def hand(self, seat: int = 0) -> str:
        return self._names(self.box.seats[seat].hand)

    def open(self, seat: int = 0) -> str:
        return self._names(self.table.open_cards[seat])

    def hidden(self, seat: int = 0) -> str:
        cards = self.box.hidden[seat, : self.table.hidden_cards[seat]].tolist()
        return " ".join(name_of(card, deck_of(self.table)) for card in cards)

    def count(self, seat: int = 0) -> int:
        return int(self.table.cards[seat])

    def metric(self, name: str) -> int:
        return int(self.table.metrics[getattr(up.METRIC, name)])

    def clause(self, name: str) -> bool:
        return bool(self.metric("clauses") & getattr(up.CLAUSE, name))

    def _names(self, cards: Any) -> str:
        return in_order(Counter(named(deck_of(self.table), *cards.tolist())).elements())

    # ---------------------------------------------------------------- moves

    def numbered_moves(self) -> dict[str, int]:
        record = self.box.seats[self.seat]
        count = kernel.find_moves(self.table, record)
        kernel.legal_moves(self.table, record)
        moves = tuple(record.moves[:count].tolist())
        said = translate(int(self.table.phase), deck_of(self.table), moves)
        names = [_move_name(move) for move in said]
        assert len(set(names)) == len(names)
        return dict(zip(names, moves, strict=True))

    @property
    def moves(self) -> set[str]:
        return set(self.numbered_moves())

    def play(self, *names: str) -> Position:
        """Make moves one after the other, whoever is on turn; "pass" passes the lead."""
        for name in names:
            moves = self.numbered_moves()
            if name == "pass":
                assert not moves, f"there are moves: {sorted(moves)}"
                move = PASS
            else:
                assert name in moves, f"no move {name!r} among {sorted(moves)}"
                move = moves[name]
            kernel.apply_move(self.table, self.box, move)
        return self

    def score(self) -> Position:
        assert self.phase == "ROUND_OVER"
        kernel.score_round(self.table, self.box)
        return self


def _move_name(move: tuple[Any, ...]) -> str:
    match move:
        case ("lay", source, card, count):
            return ("open " if source == "open" else "") + " ".join([card] * count)
        case ("declare", announced):
            return " ".join(sorted(announced)) or "none"
        case ("cut", choice):
            return choice
    return move[0]


def position(
    hand: str = "",
    open: str = "",  # noqa: A002
    hidden: str = "",
    tower: str = "",
    *,
    players: int = 3,
    cap: int | None = None,
    others: dict[int, dict[str, str]] | None = None,
    first_turn: bool = False,
    lost: tuple[int, ...] = (),
    scores: tuple[int, ...] = (),
    plays: int = 0,
    **options: Any,
) -> Position:
    """Put seat 0 on turn.

    `cap` is that of the tower's lightest number unless given; `others` are the cards of other
    seats by `hand`, `open` and `hidden` (two spare numbers in hand unless named here); `first_turn`
    makes this everybody's first turn; `options` are rules options.
    """
    p = Position(players, options)
    _hold(p, 0, hand, open, hidden)
    for seat, piles in (others or {}).items():
        _hold(p, seat, **piles)
    for card in p.cards.numbers(tower):
        put(p.table.tower, card)
    for seat in set(range(1, players)) - set(others or {}):
        _hold(p, seat, p.cards.spare(2))
    numbers = [int(name) for name in tower.split() if name not in {"-2", "clear"}]
    p.table.cap = cap if cap is not None else min(numbers, default=0)
    p.table.first_turn = (1 << players) - 1 if first_turn else 0
    p.table.lost_turn = sum(1 << seat for seat in lost)
    p.table.scores[: len(scores)] = scores
    p.table.plays = plays
    p.table.phase = up.PLAY
    return p


def _hold(p: Position, seat: int, hand: str = "", open: str = "", hidden: str = "") -> None:  # noqa: A002
    for card in p.cards.numbers(hand):
        put(p.box.seats[seat].hand, card)
    for card in p.cards.numbers(open):
        put(p.table.open_cards[seat], card)
    hidden_cards = p.cards.numbers(hidden)
    p.box.hidden[seat, : len(hidden_cards)] = hidden_cards
    p.table.hidden_cards[seat] = len(hidden_cards)
    p.table.cards[seat] = len([*hand.split(), *open.split(), *hidden_cards])


def pack_of(p: Position) -> list[str]:
    """Name the cards of a pack by these options, unshuffled."""
    sets = p.players + bool(p.options["extra_set"])
    names = [name for name in KIND_NAMES if name != "-2" or p.options["minus_two"]]
    return names * sets


def before_deal(pack: list[str], *, dealer: int, players: int, **options: Any) -> Position:
    """Put the cutter before the decision about the last card of a pack (top card first)."""
    p = _with_pack(pack, dealer, players, options)
    p.table.phase = up.CUT
    p.table.seat = (dealer - 1) % players
    return p


def dealt(
    pack: list[str], *, dealer: int, players: int, keep: bool = False, **options: Any
) -> Position:
    """Deal a pack (top card first); does the cutter keep its last card?"""
    p = _with_pack(pack, dealer, players, options)
    p.table.cut_kept = keep
    deal(p.table, p.box)
    return p


def _with_pack(pack: list[str], dealer: int, players: int, options: dict[str, Any]) -> Position:
    p = Position(players, options)
    assert Counter(pack) == Counter(pack_of(p))
    p.box.pack[: len(pack)] = p.cards.numbers(" ".join(pack))
    p.table.pack_size = len(pack)
    p.table.dealer = dealer
    p.table.forehand = (dealer + 1) % players
    p.table.first_turn = (1 << players) - 1
    return p


def scored(left: dict[str, str], *, scores: tuple[int, ...] = (0, 0), **options: Any) -> list[int]:
    """Seat 0 goes out with a 5, seat 1 has cards left; return the totals."""
    p = position(hand="5", others={1: left}, players=2, scores=scores, **options)
    return p.play("5").score().scores
