"""Players for tests, apart from the registry."""

from __future__ import annotations

from simcore.language import SEAT, below, lowest, nth
from tests.players import TestPlayer


def from_stream(s, seat, moves):
    """Choose any move, drawn from the private stream one by one."""
    return nth(moves, below(s, SEAT(seat), len(moves)))


def first_move(s, seat, moves):
    """Choose the first legal move."""
    return lowest(moves)


STREAM_PLAYER = TestPlayer("from_stream", from_stream)
FIRST_PLAYER = TestPlayer("first_move", first_move)
