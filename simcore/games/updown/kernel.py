"""UP & DOWN: the protocol that every game has, and the block loop.

Marks in brackets, here and in the other rooms, name clauses and choices of RULES.md.
"""

from __future__ import annotations

from simcore.games.updown.deal import start_match, start_round
from simcore.games.updown.lanes import play_by_spec, play_in_lanes
from simcore.games.updown.moves import (
    find_moves,
    is_legal,
    legal_moves,
    nth_move,
)
from simcore.games.updown.play import apply_move
from simcore.games.updown.random_play import play_random_match
from simcore.games.updown.rounds import ask, play_match
from simcore.games.updown.score import finish_match, score_round
from simcore.jit import kernel
from simcore.lanes import EIGHT_AT_ONCE
from simcore.match import only_random, only_specs, play_one_by_one

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
    if EIGHT_AT_ONCE and only_specs(table, box):
        return play_by_spec
    return play_block


@kernel
def choose(tables, boxes):
    """Return the move of the policy of the seat on turn, as in a block; for replays."""
    table = tables[0]
    box = boxes[0]
    return ask(table, box.seats[table.seat], box.policies[table.seat])
