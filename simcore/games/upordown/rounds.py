"""Up or down?: a match played by the policies, move by move."""

from __future__ import annotations

from simcore.games.upordown.choice import by_spec
from simcore.games.upordown.deal import start_match, start_round
from simcore.games.upordown.dials import dials_of
from simcore.games.upordown.moves import find_moves, is_legal, nth_move, random_move
from simcore.games.upordown.play import (
    draw_card,
    draw_from_the_rest,
    end_turn,
    has_choice_of_piles,
    lay_card,
    next_phase,
    place_card,
    take_card,
)
from simcore.games.upordown.score import finish_match, score_round
from simcore.games.upordown.table import CARD, DRAW, PLACE, TAKE
from simcore.jit import inline_kernel, outer_kernel
from simcore.match import choose_move, play_decisions, play_rounds


@inline_kernel
def apply_move(table, box, move):
    """Carry out a legal move of the seat on turn; the records are modified in place.

    Afterwards the seat that decides next is on turn, or the phase is `ROUND_OVER`.
    """
    if table.has_dials:
        carry_out(table, box, move, dials_of(table))
    else:
        carry_out(table, box, move, None)


@inline_kernel
def carry_out(table, box, move, dials):
    """Carry out a legal move; see `apply_move`."""
    seat = box.seats[table.seat]
    if table.phase == CARD:
        lay_card(table, seat, move)
    elif table.phase == TAKE:
        take_card(table, move, dials)
    elif table.phase == PLACE:
        place_card(table, table.seat, table.taken_card, move, dials)
        table.taken_card = 0
        seat.half = 0
        if has_choice_of_piles(table):
            table.phase = DRAW
        else:
            draw_from_the_rest(table, box, seat)
            end_turn(table)
            table.phase = next_phase(table)
    else:
        draw_card(table, box, seat, move)
        end_turn(table)
        table.phase = next_phase(table)


@outer_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    return choose_move(table, seat, policy, random_move, by_spec, is_legal)


@outer_kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move."""
    return play_decisions(table, box, ask, find_moves, nth_move, apply_move)


@outer_kernel
def play_match(table, box, seed, match):
    """Play one match; return False after an illegal move."""
    start_match(table, box, seed, match)
    if not play_rounds(table, box, start_round, play_round, score_round):
        return False
    finish_match(table)
    return True
