"""What a strategy does in positions of UNO built from named cards."""

from __future__ import annotations

from typing import Any

from simcore.games.uno import kernel
from simcore.games.uno import table as uno
from strategies import parse_strategy
from tests.uno.following import UNO, translate
from tests.uno.position import Position, number_of_top, position


def decide(p: Position, strategy: str, *, asked: int = 0) -> str:
    """Return what a strategy does in a position, in short: "red 7", "draw", "blue"."""
    chosen = parse_strategy(UNO, strategy)
    seat = p.box.seats[asked]
    p.table.seat = asked
    p.box.policies[asked] = chosen.address(uno.DTYPES)
    seat.params[: len(chosen.values)] = chosen.values
    seat.spec[: len(chosen.spec({}))] = chosen.spec({})
    assert kernel.find_moves(p.table, seat) > 1
    move = int(kernel.choose(p.tables, p.boxes))
    return translate(int(p.table.phase), (move,))[0][-1]


def playing(hand: str, top: str, *, cards: tuple[int, ...] = (), **given: Any) -> Position:
    """Return a position with seat 0 on turn, where others have so many cards each."""
    others = {
        seat: ", ".join(["blue 1"] * min(count, 2) + ["green 1"] * (count - 2))
        for seat, count in enumerate(cards, start=1)
    }
    p = position(hand, top, players=1 + (len(cards) or 2), others=others, **given)
    for seat, count in enumerate(cards, start=1):
        p.table.cards[seat] = count
    return p


def naming(hand: str, **given: Any) -> Position:
    """Return a position in which seat 0 names a colour."""
    p = playing(hand, "red 7", **given)
    p.table.phase = uno.COLOUR
    return p


def challenged(
    cards: int, *, before: str = "red", laid: str | None = None, drew: str | None = None
) -> Position:
    """Return a position in which seat 0 may challenge seat 2, who has so many cards."""
    p = playing("blue 1, blue 2", "wild draw four green", cards=(5, cards))
    p.table.phase = uno.CHALLENGE
    p.table.layer = 2
    p.table.colour_before = ("blue", "green", "red", "yellow").index(before)
    p.table.laid_before = uno.NEVER if laid is None else number_of_top(laid)
    p.table.drew_on[2] = uno.NEVER if drew is None else number_of_top(drew)
    return p
