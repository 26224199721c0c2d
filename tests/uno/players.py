"""Players for tests, apart from the registry: quick ones, so that many matches fit."""

from __future__ import annotations

from simcore.games.uno.state import COLOUR
from simcore.language import SEAT, below, cardset, lowest, nth, uniform
from tests.players import TestPlayer


def hasty(s, seat: int, moves: cardset, rate: float) -> int:
    """Lay a card whenever there is one; now and then (`rate`) play anything."""
    if uniform(s, SEAT(seat)) < rate or s.phase >= COLOUR:
        return nth(moves, below(s, SEAT(seat), len(moves)))
    return lowest(moves)


HASTY = TestPlayer("hasty", hasty, (0.15,))
