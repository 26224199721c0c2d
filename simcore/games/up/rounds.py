"""Up: a round played by the policies, turn by turn."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.up.deal import decide_before_play
from simcore.games.up.moves import (
    find_moves,
    find_play_moves,
    is_aside,
    is_legal,
    nth_play_move,
    random_move,
)
from simcore.games.up.play import apply_play
from simcore.games.up.table import DECISIONS, FORCED, PASS_LEAD, PLAY
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.match import ask_on_turn, choose_move, no_spec
from simcore.records import NO_MOVE, RANDOM, ROUND_OVER


@inline_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    return choose_move(table, seat, policy, random_move, no_spec, is_legal)


@kernel
def decide_start(table, box):
    """Let a round that was started be cut and declared for; return False after an illegal move."""
    while table.phase > ROUND_OVER and table.phase != PLAY:
        table.metrics[DECISIONS] += 1
        find_moves(table, box.seats[table.seat])
        move = ask_on_turn(table, box, ask, is_aside)
        if move == NO_MOVE:
            return False
        decide_before_play(table, box, move)
    return True


@kernel
def play_turns(table, box):
    """Play on to the end of a round; return False after an illegal move.

    A policy is asked only where there are two or more moves.
    """
    decisions = 0
    forced = 0
    cap = table.cap
    while table.phase == PLAY:
        seat = box.seats[table.seat]
        count = find_play_moves(table, seat, cap)
        move = np.int64(PASS_LEAD)
        if count > 1:
            decisions += 1
            policy = box.policies[table.seat]
            if policy == RANDOM:
                move = nth_play_move(seat, rng.below(seat.rng, count))
            else:
                move = ask(table, seat, policy)
                if move == NO_MOVE:
                    return False
        elif count == 1:
            forced += 1
            move = nth_play_move(seat, 0)
        cap = apply_play(table, box, move, cap)
    table.metrics[DECISIONS] += decisions
    table.metrics[FORCED] += forced
    return True


@outer_kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move."""
    return decide_start(table, box) and play_turns(table, box)
