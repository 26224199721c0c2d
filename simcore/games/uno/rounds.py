"""UNO: a round played by the policies, turn by turn."""

from __future__ import annotations

import numpy as np

from simcore.bits import lowest_bit
from simcore.games.uno.choice import by_spec
from simcore.games.uno.moves import find_moves, is_aside, is_legal, random_move
from simcore.games.uno.play import apply_move
from simcore.games.uno.table import METRIC
from simcore.jit import inline_kernel, outer_kernel
from simcore.match import ask_on_turn, choose_move
from simcore.records import NO_MOVE, ROUND_OVER


@inline_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    return choose_move(table, seat, policy, random_move, by_spec, is_legal)


@inline_kernel
def decide(table, box):
    """Let the seat on turn decide, or make its only move; return False after an illegal move."""
    seat = box.seats[table.seat]
    several = find_moves(table, seat) > 1
    move = ask_on_turn(table, box, ask, is_aside) if several else np.int64(lowest_bit(seat.found))
    if move == NO_MOVE:
        return False
    table.metrics[METRIC.decisions if several else METRIC.forced] += 1
    apply_move(table, box, move)
    return True


@outer_kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move.

    A policy is asked only where there are two or more moves.
    """
    while table.phase > ROUND_OVER:
        if not decide(table, box):
            return False
    return True
