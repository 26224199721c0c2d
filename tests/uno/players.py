"""Players for tests, apart from the registry: quick ones, so that many matches fit."""

from __future__ import annotations

from simcore import rng
from simcore.bits import lowest_bit
from simcore.games.uno.moves import nth_move, random_move
from simcore.games.uno.table import COLOUR, DRAW_MOVE
from tests.players import TestPlayer


def hasty(table, seat):
    """Lay a card whenever there is one; now and then (`params[0]`) play anything."""
    if rng.uniform(seat.rng) < seat.params[0]:
        return random_move(table, seat)
    if table.phase >= COLOUR:
        return random_move(table, seat)
    cards = seat.found & (DRAW_MOVE - 1)
    return nth_move(table, seat, 0) if cards else lowest_bit(seat.found)


HASTY = TestPlayer("hasty", hasty, (0.15,), trusted=True)
