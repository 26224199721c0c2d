"""Players for tests, apart from the registry: quick ones, so that many matches fit."""

from __future__ import annotations

from simcore.games.dnup.rules import ADD, PICK, TAKE, TURN, nth_action
from simcore.language import SEAT, below, uniform
from tests.players import TestPlayer


def hasty(s, seat, moves: int, slip):
    """Play the largest set; now and then do anything."""
    if uniform(s, SEAT(seat)) < slip:
        return nth_move(s, seat, below(s, SEAT(seat), moves))
    best = nth_move(s, seat, 0)
    for index in range(moves):
        move = nth_move(s, seat, index)
        if move < TURN:
            best = move
    return best


def collector(s, seat, moves: int, slip):
    """Take up whatever lies there; now and then do anything."""
    last = nth_move(s, seat, moves - 1)
    if uniform(s, SEAT(seat)) >= slip and (last >= TAKE or last < ADD):
        return last
    return nth_move(s, seat, below(s, SEAT(seat), moves))


def nth_move(s, seat, index):
    """Return a legal move by its number."""
    return index if s.phase == PICK else nth_action(s, seat, index)


HASTY = TestPlayer("hasty", hasty, (0.25,))
COLLECTOR = TestPlayer("collector", collector, (0.5,))
