"""UP & DOWN: the protocol that every game has, and the block loop.

Marks in brackets, here and in the other rooms, name clauses and choices of RULES.md.
"""

from __future__ import annotations

from simcore.games.updown.deal import start_match, start_round
from simcore.games.updown.lanes import play_in_lanes
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
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import EIGHT_AT_ONCE
from simcore.match import choose_move, only_random, play_one_by_one, play_rounds
from simcore.records import NO_MOVE, ROUND_OVER

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
    return choose_move(table, seat, policy, next_random_move, is_legal)


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


@outer_kernel
def play_match(table, box, seed, match):
    """Play one match; return False after an illegal move."""
    start_match(table, box, seed, match)
    if not play_rounds(table, box, start_round, play_round, score_round):
        return False
    finish_match(table)
    return True


@kernel
def play_block(tables, boxes, seed, first, count, out, row):
    """Play a block of matches one by one; see `batch.BlockKernel`."""
    return play_one_by_one(tables, boxes, seed, first, count, out, row, play_match)


@kernel
def play_random_block(tables, boxes, seed, first, count, out, row):
    """Do the same where all seats play at random."""
    return play_one_by_one(tables, boxes, seed, first, count, out, row, play_random_match)


def block_kernel(table, box):
    """Return the kernel that plays blocks of such matches: `play_block`, or one that is quicker."""
    if only_random(table, box):
        return play_in_lanes if EIGHT_AT_ONCE else play_random_block
    return play_block


@kernel
def choose(tables, boxes):
    """Return the move of the policy of the seat on turn, as in a block; for replays."""
    table = tables[0]
    box = boxes[0]
    return ask(table, box.seats[table.seat], box.policies[table.seat])
