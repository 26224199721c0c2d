"""Players for tests, apart from the registry."""

from __future__ import annotations

from simcore.games.upordown.rules import CARD, NEW_COLUMN, PLACE, random_card, random_place, toss
from simcore.language import SEAT, highest, lowest, uniform
from tests.players import TestPlayer


def anything(s, seat, moves):
    """Make any legal move."""
    if s.phase == CARD:
        return random_card(s, seat, moves)
    return random_place(s, seat, moves) if s.phase == PLACE else toss(s, seat)


def builder(s, seat, moves, whim):
    """Append whenever possible, or start a column; now and then (`whim`) do anything."""
    move = anything(s, seat, moves)
    if s.phase == PLACE and uniform(s, SEAT(seat)) >= whim:
        while move > NEW_COLUMN and lowest(moves) <= NEW_COLUMN:
            move = anything(s, seat, moves)
    return move


def picker(s, seat, moves, whim, last):
    """Make the first move, or with `last` the last; now and then (`whim`) any."""
    if uniform(s, SEAT(seat)) < whim:
        return anything(s, seat, moves)
    return highest(moves) if last > 0.5 else lowest(moves)


BUILDER = TestPlayer("builder", builder, (0.02,))


def picker_of(whim: float, last: bool) -> TestPlayer:
    """Return a picker."""
    return TestPlayer("picker", picker, (whim, float(last)))
