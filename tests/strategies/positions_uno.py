"""What a strategy does in positions of UNO built from named cards."""

from __future__ import annotations

import itertools
from typing import Any

from simcore.games.uno import state as uno
from simcore.rng import opened
from strategies import parse_strategy
from tests.uno.following import UNO, translate
from tests.uno.position import Position, number_of_top, position


def decide(p: Position, strategy: str, *, asked: int = 0, chance: int = 1) -> str:
    """Return what a strategy does in a position, in short: "red 7", "draw", "blue"."""
    p.s.seat = asked
    p.s.streams["SEAT", asked] = opened(chance, 1, 1, 8)
    moves = p.plain.moves(p.s)
    assert len(moves) > 1
    move = p.plain.choice(parse_strategy(UNO, strategy).seat_policy(p.options), p.s, moves)
    assert move in moves
    return str(translate(p.s.phase, (move,))[0][-1])


def playing(hand: str, top: str, *, cards: tuple[int, ...] = (), **given: Any) -> Position:
    """Return a position with seat 0 on turn, where others have so many cards each."""
    fillers = iter(
        f"{colour} {face}" for colour in ("yellow", "green") for face in [*range(10)] * 2
    )
    others = {
        seat: ", ".join(itertools.islice(fillers, count))
        for seat, count in enumerate(cards, start=1)
    }
    return position(hand, top, players=1 + (len(cards) or 2), others=others, **given)


def naming(hand: str, **given: Any) -> Position:
    """Return a position in which seat 0 names a colour."""
    p = playing(hand, "red 7", **given)
    p.s.phase = int(uno.COLOUR)
    return p


def challenged(
    cards: int, *, before: str = "red", laid: str | None = None, drew: str | None = None
) -> Position:
    """Return a position in which seat 0 may challenge seat 2, who has so many cards."""
    p = playing("blue 1, blue 2", "wild draw four green", cards=(5, cards))
    p.s.phase = int(uno.CHALLENGE)
    p.s.layer = 2
    p.s.colour_before = ("blue", "green", "red", "yellow").index(before)
    p.s.laid_before = uno.NEVER if laid is None else number_of_top(laid)
    p.s.drew_on[2] = uno.NEVER if drew is None else number_of_top(drew)
    return p
