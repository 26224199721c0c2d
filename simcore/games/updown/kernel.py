"""UP & DOWN: the protocol that every game has, and the block loop.

Marks in brackets, here and in the other rooms, name clauses and choices of RULES.md.
"""

from __future__ import annotations

from simcore.games.updown.by_spec import by_spec
from simcore.games.updown.deal import start_round
from simcore.games.updown.lane_rows import has_dials
from simcore.games.updown.lanes import play_dials_in_lanes, play_in_lanes
from simcore.games.updown.moves import find_moves, is_legal, legal_moves, nth_move
from simcore.games.updown.play import apply_move
from simcore.games.updown.rounds import ask, finish_match, play_block, score_round
from simcore.jit import kernel
from simcore.lanes import FOUR_AT_ONCE
from simcore.match import all_play
from simcore.match import begin_match as start_match
from simcore.records import BY_SPEC, RANDOM


def block_kernel(table, box):
    """Return the kernel that plays blocks of such matches: in lanes where no seat is called."""
    if not FOUR_AT_ONCE or not all_play(table, box, RANDOM, BY_SPEC):
        return play_block
    return play_dials_in_lanes if has_dials(table) else play_in_lanes


@kernel
def choose(tables, boxes):
    """Return the move of the policy of the seat on turn, as in a block; for replays."""
    table = tables[0]
    box = boxes[0]
    return ask(table, box.seats[table.seat], box.policies[table.seat])
