"""UNO: the protocol that every game has, and the block loop.

Marks in brackets, here and in the other rooms, name clauses and choices of RULES.md.
"""

from __future__ import annotations

import numpy as np

from simcore.games.uno.deal import start_match, start_round
from simcore.games.uno.lanes import (
    play_by_spec,
    play_cards_at_random,
    play_in_lanes,
    play_partly_at_random,
)
from simcore.games.uno.moves import find_moves, is_aside, is_legal, legal_moves, nth_move
from simcore.games.uno.play import answer_draw_four, draw_for_turn, lay, name_colour, pass_turn
from simcore.games.uno.rounds import ask, play_round
from simcore.games.uno.score import finish_match, score_round
from simcore.games.uno.spec import AT_RANDOM, HOW
from simcore.games.uno.table import BY_SEAT, COLOUR, DRAW, DRAWN, KEEP, NO_CARD, PLAY
from simcore.jit import kernel, outer_kernel
from simcore.lanes import EIGHT_AT_ONCE
from simcore.match import (
    all_random,
    ask_on_turn,
    only_random,
    only_specs,
    play_one_by_one,
    play_rounds,
)

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
    "score_round",
    "start_match",
    "start_round",
]


@kernel
def apply_move(table, box, move):
    """Carry out a legal move of the seat on turn; the records are modified in place.

    Afterwards the seat that decides next is on turn, or the phase is `ROUND_OVER` or `MATCH_OVER`.
    """
    index = table.seat
    if table.phase == COLOUR:
        name_colour(table, box, move)
    elif table.phase != PLAY and table.phase != DRAWN:
        answer_draw_four(table, box, move)
    elif move == DRAW:
        kind = draw_for_turn(table, box, index, table.top)
        if kind != NO_CARD:
            box.seats[index].drawn = kind
            table.phase = DRAWN
        elif table.phase == PLAY:
            pass_turn(table, index)
    elif move == KEEP:
        table.phase = PLAY
        pass_turn(table, index)
    else:
        table.phase = PLAY
        lay(table, box, index, table.top, move)


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
    boxes[0].watched = np.int64(not all_random(tables[0], boxes[0]))
    return play_one_by_one(tables, boxes, seed, first, count, out, row, play_match)


def block_kernel(table, box):
    """Return the kernel that plays blocks of such matches: `play_block`, or one that is quicker."""
    if EIGHT_AT_ONCE and box.coupling != BY_SEAT:
        if only_random(table, box):
            return play_in_lanes
        if only_specs(table, box):
            hows = box.specs[: table.players, HOW]
            if (hows == AT_RANDOM).all():
                return play_cards_at_random
            return play_partly_at_random if AT_RANDOM in hows else play_by_spec
    return play_block


@kernel
def choose(tables, boxes):
    """Return the move of the policy of the seat on turn, as in a block; for replays."""
    return ask_on_turn(tables[0], boxes[0], ask, is_aside)
