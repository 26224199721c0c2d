"""Players for tests, apart from the registry."""

from __future__ import annotations

from simcore.games.updown.moves import nth_move, random_move
from tests.players import TestPlayer


def from_stream(table, seat):
    """Choose any move, drawn from the private stream one by one."""
    return random_move(table, seat)


def first_move(table, seat):
    """Choose the first legal move."""
    return nth_move(table, seat, 0)


STREAM_PLAYER = TestPlayer("from_stream", from_stream, trusted=True)
FIRST_PLAYER = TestPlayer("first_move", first_move, trusted=True)
