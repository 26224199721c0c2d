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

from simcore.compiler.plain import Plain, PlainUnit
from simcore.compiler.program import program_of
from simcore.compiler.state import Cards
from simcore.compiler.state_layout import Layout
from simcore.games.uno import state as uno
from simcore.games.uno.state import COLOURS
from simcore.rng import opened
from tests.games import position as games
from tests.uno.following import (
    CHANCE,
    DEAL,
    KIND_NAMES,
    KINDS,
    PHASES,
    UNO,
    cards_named,
    colour_on_top,
    name_of,
    translate,
)


def names_in(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def number_of_top(name: str) -> int:
    """Return the kind of a top card: "red 7", "wild blue", "wild draw four red"."""
    if name in KINDS:
        return KINDS[name]
    wild, _, colour = name.rpartition(" ")
    return COLOURS.index(colour) << 4 | KINDS[wild] & 15


_UNITS: dict[tuple[Any, ...], PlainUnit] = {}


def plain_with(options: dict[str, Any]) -> Plain:
    """Return the rules under some options, where cards are drawn in the order of `s.order`."""
    program = program_of(UNO)
    layout = Layout(program, program.option_values(options))
    layout.width = layout.numbers // 64  # a position may hold more copies than the deck has
    if layout.key not in _UNITS:
        unit = _UNITS[layout.key] = PlainUnit(program, layout)
        put = unit.word("_move")

        def draw(s: Any, o: Any, source: Any, target: Any, count: int = 1) -> int:
            drawn = -1
            for _ in range(count):
                drawn = next(
                    (card for card in s.order if card in s.stock), min(s.stock, default=-1)
                )
                put(s, o, drawn, source, target)
                s.order[:] = [card for card in s.order if card != drawn]
            return drawn

        unit.space["_draw"] = draw
    return Plain(program, options, _UNITS[layout.key])


class Position(games.Position):
    game = UNO
    phases = PHASES

    def __init__(self, players: int, options: dict[str, Any]) -> None:
        super().__init__(players, options)
        s = self.s
        s.__dict__["order"] = []
        s.streams["CHANCE", 0] = opened(1, 2, 3, CHANCE)
        s.streams["DEAL", 0] = opened(1, 2, 3, DEAL)
        s.dealer = players - 1
        s.round_number = s.turns = 1
        s.layer = uno.NOBODY
        s.last_idle_turn = -1
        for seat in range(players):
            s.drew_on[seat] = s.last_laid[seat] = uno.NEVER
            s.knows[seat] = uno.NOBODY
        self.free = {
            name: cards_named([name] * (8 if "wild" in name else 4)) for name in KIND_NAMES
        }

    def rules(self) -> Plain:
        return plain_with(self.options)

    def cards(self, names: list[str]) -> list[int]:
        """Return cards with these names that lie nowhere yet."""
        s = self.s
        taken = {card for place in (*s.hand, s.pile, s.stock) for card in place}
        cards = []
        for name in names:
            cards.append(next(card for card in self.free[name] if card not in taken))
            taken.add(cards[-1])
        return cards

    def hold(self, seat: int, cards: str) -> None:
        self.s.hand[seat] = Cards()
        self.s.hand[seat] = Cards.of(self.cards(names_in(cards)))

    def pile(self, cards: str, top: str) -> None:
        self.s.top = number_of_top(top)
        self.s.__dict__["pile"] = Cards()
        on_top = name_of(self.s.top)
        self.s.__dict__["pile"] = Cards.of(self.cards([*names_in(cards), on_top]))

    def fill(self, stock: str) -> None:
        self.s.__dict__["stock"] = Cards()
        self.s.order[:] = self.cards(names_in(stock))
        self.s.__dict__["stock"] = Cards.of(self.s.order)

    @property
    def top(self) -> str:
        return name_of(self.s.top)

    @property
    def colour(self) -> str | None:
        return colour_on_top(self.s)

    @property
    def direction(self) -> int:
        return 1 - 2 * int(self.s.backwards)

    @property
    def stock(self) -> Counter[str]:
        return Counter(map(name_of, self.s.stock))

    @property
    def stock_left(self) -> int:
        return len(self.s.stock)

    @property
    def discards(self) -> Counter[str]:
        return Counter(map(name_of, self.s.pile))

    def hand(self, seat: int = 0) -> str:
        held = Counter(map(name_of, self.s.hand[seat]))
        return ", ".join(Counter({name: held.get(name, 0) for name in KIND_NAMES}).elements())

    def count(self, seat: int = 0) -> int:
        return len(self.s.hand[seat])

    def named_moves(self) -> list[tuple[str, int]]:
        moves = self.plain.moves(self.s)
        names = [
            f"swap {move[1]}" if move[0] == "swap" else move[-1]
            for move in translate(self.s.phase, moves)
        ]
        assert len(set(names)) == len(names)
        return list(zip(names, moves, strict=True))


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
    phase: str = "PLAY",
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
    p.s.backwards = int(counter_clockwise)
    p.give_scores(scores)
    p.s.turns = turns
    p.s.phase = getattr(uno, phase)
    return p


def dealt(first: str, *, players: int = 3, dealer: int = 2, **options: Any) -> Position:
    """Deal to each player and turn up the card named `first`."""
    p = Position(players, options)
    p.s.dealer, p.s.round_number = dealer, 0
    p.s.streams.clear()
    # Numbers first, so that hands hold no wild cards.
    deck = sorted(p.plain.o.deck, key=lambda card: (card & 15 > 12, card & 63, card))
    on_top = next(card for card in deck if name_of(card) == first)
    others = [card for card in deck if card != on_top]
    dealt_first = int(p.options["hand_size"]) * players
    p.s.order[:] = [*others[:dealt_first], on_top, *others[dealt_first:]]
    p.plain.start_round(p.s)
    return p
