"""Up or down?: the protocol that every game has, and the block loop.

Marks in brackets, here and in the other rooms, name clauses and choices of RULES.md.
"""

from __future__ import annotations

from simcore.games.upordown.choice import by_spec
from simcore.games.upordown.deal import start_match, start_round
from simcore.games.upordown.dials import COLOUR_TIMES_LENGTH, END
from simcore.games.upordown.lanes import (
    fits_lanes,
    play_amounts_in_lanes,
    play_dials_in_lanes,
    play_in_lanes,
    play_inserting_in_lanes,
)
from simcore.games.upordown.moves import find_moves, is_legal, legal_moves, nth_move
from simcore.games.upordown.rounds import apply_move, ask, play_match
from simcore.games.upordown.score import finish_match, score_round
from simcore.jit import kernel
from simcore.match import play_one_by_one


@kernel
def play_block(tables, boxes, seed, first, count, out, row):
    """Play a block of matches one by one; see `batch.BlockKernel`."""
    return play_one_by_one(tables, boxes, seed, first, count, out, row, play_match)


def block_kernel(table, box):
    """Return the kernel that plays blocks of such matches: `play_block`, or one that is quicker."""
    if not fits_lanes(table, box):
        return play_block
    if not table.has_dials:
        return play_in_lanes
    if table.scoring != COLOUR_TIMES_LENGTH:
        return play_dials_in_lanes
    return play_amounts_in_lanes if table.insert == END else play_inserting_in_lanes


@kernel
def choose(tables, boxes):
    """Return the move of the policy of the seat on turn, as in a block; for replays."""
    table = tables[0]
    box = boxes[0]
    return ask(table, box.seats[table.seat], box.policies[table.seat])
