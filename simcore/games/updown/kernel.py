"""UP & DOWN: the protocol that every game has, and the block loop.

Marks in brackets, here and in the other rooms, name clauses and choices of RULES.md. Kernels assume
legal input and never raise; `ask` checks what policies return.
"""

from __future__ import annotations

import numpy as np

from simcore.games.updown.deal import start_match, start_round
from simcore.games.updown.moves import (
    find_moves,
    is_legal,
    legal_moves,
    next_random_move,
    nth_move,
)
from simcore.games.updown.play import apply_move
from simcore.games.updown.random_play import play_random_match
from simcore.games.updown.score import finish_match, score_round
from simcore.games.updown.table import DECISIONS, FORCED
from simcore.jit import call_policy, inline_kernel, kernel
from simcore.match import all_random
from simcore.records import MATCH_OVER, NO_MOVE, RANDOM, ROUND_OVER, write_row

__all__ = [
    "apply_move",
    "block_kernel",
    "choose",
    "find_moves",
    "finish_match",
    "is_legal",
    "legal_moves",
    "nth_move",
    "play_block",
    "play_match",
    "score_round",
    "start_match",
    "start_round",
]


@inline_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    if policy == RANDOM:
        return next_random_move(table, seat)
    move = call_policy(policy, table, seat)
    if is_legal(table, seat, move):
        return move
    table.illegal_move = move
    return np.int64(NO_MOVE)


@kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move.

    A policy is asked only where there are two or more moves: not for the last card.
    """
    decisions = 0
    forced = 0
    while table.phase > ROUND_OVER:
        seat = box.seats[table.seat]
        if find_moves(table, seat) > 1:
            decisions += 1
            move = ask(table, seat, box.policies[table.seat])
            if move == NO_MOVE:
                return False
        else:
            forced += 1
            move = nth_move(table, seat, 0)
        apply_move(table, box, move)
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
        score_round(table, box)
    finish_match(table)
    return True


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
    quick = all_random(table, box)
    for done in range(count):
        if quick:
            play_random_match(table, box, seed, first + done)
        elif not play_match(table, box, seed, first + done):
            return done
        write_row(table, row + done, out)
    return count


def block_kernel(table, box):
    """Return the kernel that plays blocks of such matches."""
    del table, box
    return play_block


@kernel
def choose(tables, boxes):
    """Return the move of the policy of the seat on turn, as in a block; for replays."""
    table = tables[0]
    box = boxes[0]
    return ask(table, box.seats[table.seat], box.policies[table.seat])
