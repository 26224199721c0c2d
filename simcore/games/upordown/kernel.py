"""Up or down?: the protocol that every game has, matches move by move, and the block loop.

Marks in brackets, here and in the other rooms, name clauses and choices of RULES.md.
"""

from __future__ import annotations

from simcore.games.upordown import lanes, play
from simcore.games.upordown.choice import by_spec
from simcore.games.upordown.deal import start_match, start_round
from simcore.games.upordown.dials import COLOUR_TIMES_LENGTH, END, RULE_TEXT, dials_of
from simcore.games.upordown.moves import find_moves, is_legal, legal_moves, nth_move, random_move
from simcore.games.upordown.score import finish_match, score_round
from simcore.games.upordown.table import CARD, DRAW, PLACE, TAKE
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.match import choose_move, play_decisions, play_one_by_one


@inline_kernel
def apply_move(table, box, move):
    """Carry out a legal move of the seat on turn; the records are modified in place.

    Afterwards the seat that decides next is on turn, or the phase is `ROUND_OVER`.
    """
    seat = box.seats[table.seat]
    if table.phase == CARD:
        play.lay_card(table, seat, move)
    elif table.phase == TAKE:
        play.take_card(table, move)
    elif table.phase == PLACE:
        play.place_card(table, table.seat, table.taken_card, move)
        table.taken_card = 0
        seat.half = 0
        if play.has_choice_of_piles(table):
            table.phase = DRAW
        else:
            play.draw_from_the_rest(table, box, seat)
            play.end_turn(table)
    else:
        play.draw_card(table, box, seat, move)
        play.end_turn(table)


@outer_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    return choose_move(table, seat, policy, random_move, by_spec, is_legal)


@outer_kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move."""
    return play_decisions(table, box, ask, find_moves, nth_move, apply_move)


@kernel
def play_block(tables, boxes, seed, first, count, out, row):
    """Play a block of matches one by one; see `batch.BlockKernel`."""
    block = (seed, first, count, out, row)
    return play_one_by_one(
        tables[0], boxes[0], block, start_match, start_round, play_round, score_round, finish_match
    )


def block_kernel(table, box):
    """Return the kernel that plays blocks of such matches: `play_block`, or one that is quicker."""
    if not lanes.fits_lanes(table, box):
        return play_block
    if dials_of(table) == RULE_TEXT:
        return lanes.play_in_lanes
    is_usual = table.insert == END and table.scoring == COLOUR_TIMES_LENGTH
    return lanes.play_amounts_in_lanes if is_usual else lanes.play_dials_in_lanes


@kernel
def choose(tables, boxes):
    """Return the move of the policy of the seat on turn, as in a block; for replays."""
    table = tables[0]
    box = boxes[0]
    return ask(table, box.seats[table.seat], box.policies[table.seat])
