"""Up or down?: the protocol that every game has, and the block loop.

Marks in brackets, here and in the other rooms, name clauses and choices of RULES.md. Kernels assume
legal input and never raise; `ask` checks what policies return.
"""

from __future__ import annotations

from simcore.games.upordown.deal import start_match, start_round
from simcore.games.upordown.lanes import (
    append_in_lanes,
    fits_appending_lanes,
    fits_lanes,
    play_in_lanes,
)
from simcore.games.upordown.moves import find_moves, is_legal, legal_moves, nth_move
from simcore.games.upordown.rounds import apply_move, ask, play_match
from simcore.games.upordown.score import finish_match, score_round
from simcore.jit import kernel
from simcore.lanes import FOUR_AT_ONCE
from simcore.records import write_row

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
def play_block(tables, boxes, seed, first, count, out, row):
    """Play the matches first … first + count − 1 and write them to rows from `row` on.

    Parameters
    ----------
    tables, boxes : record[LANES]
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
        position is then in the first records, the move in `illegal_move`).
    """
    table = tables[0]
    box = boxes[0]
    for done in range(count):
        if not play_match(table, box, seed, first + done):
            return done
        write_row(table, row + done, out)
    return count


def block_kernel(table, box):
    """Return the kernel that plays blocks of such matches: `play_block`, or one that is quicker."""
    if FOUR_AT_ONCE and fits_lanes(table, box):
        return play_in_lanes
    if FOUR_AT_ONCE and fits_appending_lanes(table, box):
        return append_in_lanes
    return play_block


@kernel
def choose(tables, boxes):
    """Return the move of the policy of the seat on turn, as in a block; for replays."""
    table = tables[0]
    box = boxes[0]
    return ask(table, box.seats[table.seat], box.policies[table.seat])
