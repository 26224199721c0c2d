"""Players for tests, apart from the registry: quick ones, so that many matches fit."""

from __future__ import annotations

from simcore import rng
from simcore.games.dnup.moves import nth_move, random_move
from simcore.games.dnup.table import ADD, TAKE, TURN
from tests.players import TestPlayer


def hasty(table, seat):
    """Play the largest set; now and then (`params[0]`) do anything."""
    if rng.uniform(seat.rng) < seat.params[0]:
        return random_move(table, seat)
    best = nth_move(table, seat, 0)
    for index in range(seat.move_count):
        move = nth_move(table, seat, index)
        if move < TURN:
            best = move
    return best


def collector(table, seat):
    """Take up whatever lies there; now and then (`params[0]`) do anything."""
    if rng.uniform(seat.rng) < seat.params[0]:
        return random_move(table, seat)
    last = nth_move(table, seat, seat.move_count - 1)
    if last >= TAKE or last < ADD:
        return last
    return random_move(table, seat)


HASTY = TestPlayer("hasty", hasty, (0.25,), trusted=True)
COLLECTOR = TestPlayer("collector", collector, (0.5,), trusted=True)
