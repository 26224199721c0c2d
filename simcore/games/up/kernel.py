"""Up: the protocol that every game has, and the block loop.

Marks in brackets, here and in the other rooms, name clauses and choices of RULES.md.
"""

from __future__ import annotations

from simcore.games.up.by_spec import by_spec
from simcore.games.up.deal import decide_before_play, start_match, start_round
from simcore.games.up.lanes import lanes_kernel
from simcore.games.up.moves import find_moves, is_aside, is_legal, legal_moves, nth_move
from simcore.games.up.play import apply_play
from simcore.games.up.rounds import ask, play_round
from simcore.games.up.rules import NO_RARE_RULES
from simcore.games.up.score import finish_match, score_round
from simcore.games.up.table import PLAY
from simcore.jit import inline_kernel, kernel
from simcore.lanes import EIGHT_AT_ONCE
from simcore.match import ask_on_turn, play_one_by_one


@inline_kernel
def apply_move(table, box, move):
    """Carry out a legal move of the seat on turn; the records are modified in place.

    Afterwards the next seat with a turn is on turn, or the phase is `ROUND_OVER` or `MATCH_OVER`.
    """
    if table.phase == PLAY:
        apply_play(table, box, move, table.cap, NO_RARE_RULES)
    else:
        decide_before_play(table, box, move)


@kernel
def play_block(tables, boxes, seed, first, count, out, row):
    """Play a block of matches one by one; see `batch.BlockKernel`."""
    block = (seed, first, count, out, row)
    return play_one_by_one(
        tables[0], boxes[0], block, start_match, start_round, play_round, score_round, finish_match
    )


def block_kernel(table, box):
    """Return the kernel that plays blocks of such matches: `play_block`, or one that is quicker."""
    return (EIGHT_AT_ONCE and lanes_kernel(table, box)) or play_block


@kernel
def choose(tables, boxes):
    """Return the move of the policy of the seat on turn, as in a block; for replays."""
    return ask_on_turn(tables[0], boxes[0], ask, is_aside)
