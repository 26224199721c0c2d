"""Players for tests, apart from the registry: quick ones, so that many matches fit."""

from __future__ import annotations

from simcore import rng
from simcore.games.up.cards import CLEAR, MINUS_TWO
from simcore.games.up.moves import move_count, move_kind, nth_move, random_move
from simcore.games.up.table import TURN_UP
from simcore.jit import kernel
from tests.players import TestPlayer


def hasty(table, seat):
    """Shed cards quickly; now and then (`params[0]`) play anything."""
    if rng.uniform(seat.rng) < seat.params[0]:
        return random_move(table, seat)
    best = nth_move(table, seat, 0)
    best_worth = -100
    for index in range(seat.move_count):
        move = nth_move(table, seat, index)
        worth = worth_of(table, seat, move)
        if worth > best_worth:
            best = move
            best_worth = worth
    return best


@kernel
def worth_of(table, seat, move):
    """Return how much the player likes a move."""
    if move == TURN_UP:
        return 60
    kind = move_kind(table, move)
    count = move_count(table, seat, move)
    if kind == CLEAR:
        return 40
    if kind == MINUS_TWO:
        return 50 - count if table.cap > 2 * count else -50
    if table.cap == 0 or kind <= table.cap:
        return 100 + 20 * count + kind
    return -kind


HASTY = TestPlayer("hasty", hasty, (0.25,))
