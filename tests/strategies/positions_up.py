"""What a strategy does in positions of Up built from named cards."""

from __future__ import annotations

from typing import Any

from simcore.games.up import rules as up
from strategies import parse_strategy
from tests.up.following import UP, translate
from tests.up.position import Position, position


def choice(p: Position, strategy: str) -> int:
    """Return the move that a strategy chooses for seat 0; it is legal."""
    moves = p.plain.moves(p.s)
    assert len(moves) > 1
    move = p.plain.choice(parse_strategy(UP, strategy).seat_policy(p.options), p.s, moves)
    assert move in moves
    return move


def played(p: Position, strategy: str) -> str:
    """Return what a strategy plays, in short: "open 5 5", "hand -2", "hidden"."""
    move = choice(p, strategy)
    if move == up.TURN_UP:
        return "hidden"
    moves = p.plain.moves(p.s)
    _, source, card, count = translate(p.s, p.names, moves)[moves.index(move)]
    return " ".join([str(source), *[str(card)] * int(str(count))])


def playing(
    *,
    hidden: int = 0,
    tower: str = "",
    others: tuple[int, ...] = (13, 13, 13),
    plays: int = 20,
    **given: Any,
) -> Position:
    """Return a position with seat 0 on turn in a round under way.

    It has so many hidden cards, the others so many cards left; the cap is the last value of the
    tower.
    """
    values = [int(name) for name in tower.split() if name not in ("-2", "clear")]
    p = position(
        tower=tower,
        cap=(values or [0])[-1],
        players=1 + len(others),
        others={seat: {} for seat in range(1, 1 + len(others))},
        plays=plays,
        **{"rounds": 6} | given,
    )
    p.s.hidden_cards[0] = hidden
    p.s.cards_left[0] += hidden
    for seat, cards in enumerate(others, start=1):
        p.s.cards_left[seat] = cards
    return p


def cutting() -> Position:
    """Return a position in which seat 0 has found a special card at the cut."""
    p = playing()
    p.s.phase = int(up.CUT)
    return p


def declaring(**given: Any) -> Position:
    """Return a position with seat 0 about to declare."""
    p = playing(**given)
    p.s.phase = int(up.DECLARE)
    return p
