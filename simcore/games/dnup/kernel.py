"""dnup: the protocol that every game has, and the block loop.

Marks in brackets, here and in the other rooms, name clauses and choices of RULES.md.
"""

from __future__ import annotations

from simcore.games.dnup.choice import by_spec
from simcore.games.dnup.deal import start_match, start_round
from simcore.games.dnup.lanes import fits_lanes, play_in_lanes
from simcore.games.dnup.moves import find_moves, is_legal, legal_moves, nth_move
from simcore.games.dnup.play import apply_move
from simcore.games.dnup.rounds import ask, finish_match, play_round, score_round
from simcore.jit import kernel
from simcore.lanes import EIGHT_AT_ONCE
from simcore.match import play_one_by_one


@kernel
def play_block(tables, boxes, seed, first, count, out, row):
    """Play a block of matches one by one; see `batch.BlockKernel`."""
    block = (seed, first, count, out, row)
    return play_one_by_one(
        tables[0], boxes[0], block, start_match, start_round, play_round, score_round, finish_match
    )


def block_kernel(table, box):
    """Return the kernel that plays blocks of such matches: in lanes where that can be."""
    return play_in_lanes if EIGHT_AT_ONCE and fits_lanes(table, box) else play_block


@kernel
def choose(tables, boxes):
    """Return the move of the policy of the seat on turn, as in a block; for replays."""
    table = tables[0]
    box = boxes[0]
    return ask(table, box.seats[table.seat], box.policies[table.seat])
