"""Up: the protocol that every game has, and the block loop.

Marks in brackets, here and in the other rooms, name clauses and choices of RULES.md. Kernels assume
legal input and never raise; `ask` checks what policies return.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.up.deal import decide_before_play, start_match, start_round
from simcore.games.up.moves import (
    find_moves,
    find_play_moves,
    is_legal,
    legal_moves,
    nth_move,
    nth_play_move,
    random_move,
)
from simcore.games.up.play import apply_play
from simcore.games.up.score import score_round
from simcore.games.up.table import (
    CLAUSES,
    DECISIONS,
    FORCED,
    MINUS_TWO_CLAUSE,
    MINUS_TWOS,
    PASS_LEAD,
    PLAY,
)
from simcore.jit import call_policy, inline_kernel, kernel
from simcore.records import MATCH_OVER, NO_MOVE, RANDOM, ROUND_OVER, write_row

__all__ = [
    "apply_move",
    "choose",
    "find_moves",
    "finish_match",
    "is_legal",
    "legal_moves",
    "nth_move",
    "play_block",
    "score_round",
    "start_match",
    "start_round",
]


@inline_kernel
def apply_move(table, box, move):
    """Carry out a legal move of the seat on turn; the records are modified in place.

    Afterwards the next seat with a turn is on turn, or the phase is `ROUND_OVER` or `MATCH_OVER`.
    """
    if table.phase == PLAY:
        apply_play(table, box, move, table.cap)
    else:
        decide_before_play(table, box, move)


@inline_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    if policy == RANDOM:
        return random_move(table, seat)
    move = call_policy(policy, table, seat)
    if is_legal(table, seat, move):
        return move
    table.illegal_move = move
    return np.int64(NO_MOVE)


@kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move.

    A policy is asked only where there are two or more moves.
    """
    while table.phase > ROUND_OVER and table.phase != PLAY:
        table.metrics[DECISIONS] += 1
        seat = box.seats[table.seat]
        find_moves(table, seat)
        move = ask(table, seat, box.policies[table.seat])
        if move == NO_MOVE:
            return False
        decide_before_play(table, box, move)
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


@kernel
def play_match(table, box, seed, match):
    """Play one match; return False after an illegal move."""
    start_match(table, box, seed, match)
    while table.phase != MATCH_OVER:
        start_round(table, box)
        if not play_round(table, box):
            return False
        if table.phase == ROUND_OVER:
            score_round(table, box)
    finish_match(table)
    return True


@kernel
def finish_match(table):
    """Note what came into play over the whole match."""
    if table.metrics[MINUS_TWOS]:
        table.metrics[CLAUSES] |= MINUS_TWO_CLAUSE


@kernel
def play_block(tables, boxes, seed, first, count, out, row):
    """Play the matches first … first + count − 1 and write them to rows from `row` on.

    Parameters
    ----------
    tables, boxes : record[1]
        Work space, modified in place. The options stand in the table; the policies and their
        parameters in the box.
    seed, first, count : int
    out : tuple of arrays
        `first_seat` uint8[n], `winners` uint16[n], `aborted` uint8[n], `scores` int32[players, n],
        `metrics` int32[metrics, n], modified in place.
    row : int

    Returns
    -------
    int
        How many matches were played: `count`, or fewer when a policy returned an illegal move (the
        position is then in the records, the move in `illegal_move`).
    """
    table = tables[0]
    box = boxes[0]
    for done in range(count):
        if not play_match(table, box, seed, first + done):
            return done
        write_row(table, row + done, out)
    return count


@kernel
def choose(tables, boxes):
    """Return the move of the policy of the seat on turn, as in a block; for replays."""
    table = tables[0]
    box = boxes[0]
    return ask(table, box.seats[table.seat], box.policies[table.seat])
