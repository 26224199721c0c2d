"""UNO: the protocol that every game has, and the block loop.

Marks in brackets, here and in the other rooms, name clauses and choices of RULES.md.
"""

from __future__ import annotations

from simcore.games.uno.choice import by_spec
from simcore.games.uno.deal import start_match, start_round
from simcore.games.uno.lanes import kernel_for
from simcore.games.uno.moves import find_moves, is_aside, is_legal, legal_moves, nth_move
from simcore.games.uno.play import apply_move
from simcore.games.uno.rounds import ask, play_round
from simcore.games.uno.score import finish_match, score_round
from simcore.jit import kernel
from simcore.lanes import EIGHT_AT_ONCE
from simcore.match import ask_on_turn, play_one_by_one


@kernel
def play_block(tables, boxes, seed, first, count, out, row):
    """Play a block of matches one by one; see `batch.BlockKernel`."""
    block = (seed, first, count, out, row)
    return play_one_by_one(
        tables[0], boxes[0], block, start_match, start_round, play_round, score_round, finish_match
    )


def block_kernel(table, box):
    """Return the kernel that plays blocks of such matches: `play_block`, or one that is quicker."""
    return (kernel_for(table, box) if EIGHT_AT_ONCE else None) or play_block


@kernel
def choose(tables, boxes):
    """Return the move of the policy of the seat on turn, as in a block; for replays."""
    return ask_on_turn(tables[0], boxes[0], ask, is_aside)
