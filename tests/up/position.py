"""Positions of Up built from named cards, and moves by name.

    p = position(hand="11 7 7 -2", open="5 1", tower="9", players=3)
    p.moves == {"11", "7", "7 7", "-2", "open 5", "open 1"}
    p.play("7 7").seat == 1

Cards are named as printed ("clear" is the clear card), equal ones of a move are repeated, "open"
goes before those from the table, "blind" turns up a hidden card (the last one named). Which colours
are used must not matter: see `LAYOUTS`.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.compiler.state import Cards
from simcore.games.up import rules as up
from simcore.games.up.pack import pack_of as numbered_pack
from tests.games import position as games
from tests.games.following import seats_in
from tests.up.following import KIND_NAMES, PHASES, UP, Names, translate

SETS = 10
"""Cards of so many sets can be named, whoever plays."""

LAYOUTS = {
    "low colours": (0, 1, 2, 3),
    "high colours": (3, 1, 2, 0),
    "three words": (5, 9, 2, 6, 1, 0, 8, 4, 3, 7),
}
"""The colours in the order in which they are used; four are in a word."""

layout = "low colours"


def use_layout(name: str) -> None:
    """Build positions with this layout from now on."""
    global layout  # noqa: PLW0603
    layout = name


@cache
def plain_of(options: str) -> Plain:
    """Return the rules under options (as JSON), made once, with cards of more sets to be named.

    All that tells cards apart is that of a pack of so many sets; the pack that is dealt stays.
    """
    resolved = json.loads(options)
    larger = Plain(program_of(UP), resolved | {"players": SETS, "extra_set": False})
    plain = Plain(program_of(UP), resolved, larger.unit)
    of_cards = ("kind", "of_kind", "borne")
    plain.o.__dict__.update({name: getattr(larger.o, name) for name in of_cards})
    pack = numbered_pack(SETS, SETS, resolved["minus_two_cards"], resolved["clear_cards"])
    plain.o.__dict__["cards_named"] = {
        name: [card for card in pack.cards if pack.kinds[card] == kind]
        for kind, name in enumerate(KIND_NAMES)
    }
    return plain


class Named:
    """Gives every named card a number of its own."""

    def __init__(self, cards: dict[str, list[int]]) -> None:
        self.cards = cards
        self.used: Counter[str] = Counter()

    def numbers(self, names: str) -> list[int]:
        numbers = []
        for name in names.split():
            colours = LAYOUTS[layout]
            assert self.used[name] < len(colours), f"too many cards {name!r}"
            numbers.append(self.cards[name][colours[self.used[name]]])
            self.used[name] += 1
        return numbers

    def spare(self, count: int) -> str:
        """Name some numbers not used up."""
        free = [name for name in KIND_NAMES[11:0:-1] if self.used[name] < len(LAYOUTS[layout])]
        return " ".join(free[:count])


def in_order(names: Any) -> str:
    """Name cards, heaviest first, "-2" and clear cards last."""
    order = [*KIND_NAMES[11:0:-1], "-2", "clear"]
    return " ".join(sorted(names, key=order.index))


class Position(games.Position):
    game = UP
    phases = PHASES

    def __init__(self, players: int, options: dict[str, Any]) -> None:
        super().__init__(players, {"rounds": 1000} | options)
        self.names = Names(self.plain.o.kind)
        self.cards = Named(self.plain.o.cards_named)
        self.s.dealer = players - 1
        self.s.forehand = 0
        self.s.round_number = 1
        self.s.dirty = self.options["dirty_one"] == "always"
        self.s.double = self.options["double_two"] == "always"

    def rules(self) -> Plain:
        return plain_of(json.dumps(self.options))

    @property
    def cap(self) -> int:
        return int(self.s.cap)

    @property
    def tower(self) -> str:
        return self.named(self.s.tower)

    @property
    def cleared(self) -> str:
        return self.named(self.s.cleared)

    @property
    def lost(self) -> set[int]:
        return seats_in(self.s.lost_turn, self.players)

    def hand(self, seat: int = 0) -> str:
        return self.named(self.s.hand[seat])

    def open(self, seat: int = 0) -> str:
        return self.named(self.s.open_cards[seat])

    def hidden(self, seat: int = 0) -> str:
        cards = self.s.top[seat][: self.s.hidden_cards[seat]]
        return " ".join(self.names.of(card, self.s.double) for card in cards)

    def known(self, seat: int = 0) -> str:
        """Return the hand cards that everybody knows."""
        return self.named(self.s.known_hand[seat])

    def count(self, seat: int = 0) -> int:
        return int(self.s.cards_left[seat])

    def named(self, cards: Any) -> str:
        return in_order(self.names.of(card, self.s.double) for card in cards)

    def named_moves(self) -> list[tuple[str, int]]:
        moves = self.plain.moves(self.s)
        names = [_move_name(move) for move in translate(self.s, self.names, moves)]
        assert len(set(names)) == len(names)
        return list(zip(names, moves, strict=True))


def _move_name(move: tuple[Any, ...]) -> str:
    match move:
        case ("lay", source, card, count):
            return ("open " if source == "open" else "") + " ".join([card] * count)
        case ("declare", announced):
            return " ".join(sorted(announced)) or "none"
        case ("cut", choice):
            return str(choice)
    return str(move[0])


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
    equal: int = 0,
    round_number: int = 1,
    leaders: int = 0,
    **options: Any,
) -> Position:
    """Put seat 0 on turn.

    `cap` is that of the tower's lightest number unless given; `others` are the cards of other
    seats by `hand`, `open` and `hidden` (two spare numbers in hand unless named here); `first_turn`
    makes this everybody's first turn; so many `equal` cards lie on top of the tower; `leaders` led
    after the last round (bits of seats); `options` are rules options.
    """
    p = Position(players, options)
    s = p.s
    _hold(p, 0, hand, open, hidden)
    for seat, piles in (others or {}).items():
        _hold(p, seat, **piles)
    s.tower = Cards.of(p.cards.numbers(tower))
    for seat in set(range(1, players)) - set(others or {}):
        _hold(p, seat, p.cards.spare(2))
    numbers = [int(name) for name in tower.split() if name not in {"-2", "clear"}]
    s.cap = cap if cap is not None else min(numbers, default=0)
    s.first_turn = (1 << players) - 1 if first_turn else 0
    s.lost_turn = sum(1 << seat for seat in lost)
    p.give_scores(scores)
    s.plays, s.equal = plays, equal
    s.round_number, s.leaders = round_number, leaders
    s.seat, s.phase = 0, int(up.PLAY)
    return p


def _hold(p: Position, seat: int, hand: str = "", open: str = "", hidden: str = "") -> None:  # noqa: A002
    s = p.s
    s.hand[seat] = Cards.of(p.cards.numbers(hand))
    s.open_cards[seat] = Cards.of(p.cards.numbers(open))
    hidden_cards = p.cards.numbers(hidden)
    s.lying[seat] = Cards.of(hidden_cards)
    for place, card in enumerate(hidden_cards):
        s.top[seat][place] = card
    s.hidden_cards[seat] = len(hidden_cards)
    s.cards_left[seat] = len([*hand.split(), *open.split(), *hidden_cards])


def pack_of(p: Position) -> list[str]:
    """Name the cards of a pack by these options, unshuffled."""
    sets = p.players + bool(p.options["extra_set"])
    names = [name for name in KIND_NAMES if name != "-2" or p.options["minus_two"]]
    return names * sets


def before_deal(pack: list[str], *, dealer: int, players: int, **options: Any) -> Position:
    """Put the cutter before the decision about the last card of a pack (top card first)."""
    p = Position(players, options)
    assert Counter(pack) == Counter(pack_of(p))
    cards = p.cards.numbers(" ".join(pack))
    for place, card in enumerate(cards):
        p.s.pack[place] = card
    p.s.stock = Cards.of(cards)
    p.s.dealer, p.s.forehand = dealer, (dealer + 1) % players
    p.s.first_turn = (1 << players) - 1
    p.s.seat, p.s.phase = (dealer - 1) % players, int(up.CUT)
    return p


def dealt(pack: list[str], *, keep: bool = False, **given: Any) -> Position:
    """Deal a pack (top card first); does the cutter keep its last card?"""
    p = before_deal(pack, **given)
    p.plain.apply(p.s, up.KEEP if keep else up.RETURN)
    return p


def scored(left: dict[str, str], *, scores: tuple[int, ...] = (0, 0), **options: Any) -> list[int]:
    """Seat 0 goes out with a 5, seat 1 has cards left; return the totals."""
    p = position(hand="5", others={1: left}, players=2, scores=scores, **options)
    return p.play("5").score().scores
