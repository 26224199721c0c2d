"""UNO: a round played by the policies, turn by turn."""

from __future__ import annotations

import numpy as np

from simcore.bits import lowest_bit
from simcore.games.uno.choice import by_spec
from simcore.games.uno.moves import (
    find_moves,
    is_aside,
    is_legal,
    moves_in_hand,
    note_moves,
    random_move,
)
from simcore.games.uno.play import answer_draw_four, apply_move, draw_for_turn, lay, name_colour
from simcore.games.uno.table import COLOUR, DRAW, DRAWN, KEEP, KEEP_MOVE, METRIC, NO_CARD, PLAY
from simcore.games.uno.turns import pass_turn
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.match import ask_on_turn, choose_move
from simcore.records import NO_MOVE, ROUND_OVER

ILLEGAL = -1
"""In place of a number of decisions: a policy returned an illegal move."""


@inline_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    return choose_move(table, seat, policy, random_move, by_spec, is_legal)


@outer_kernel
def decide_apart(table, box):
    """Let a colour be named or a wild draw four answered; see `play_turn` for what it returns."""
    find_moves(table, box.seats[table.seat])
    move = ask_on_turn(table, box, ask, is_aside)
    if move == NO_MOVE:
        return ILLEGAL, 0
    if table.phase == COLOUR:
        name_colour(table, box, move)
    else:
        answer_draw_four(table, box, move)
    return 1, 0


@kernel
def decide(table, box):
    """Let the seat on turn decide, whatever it is; see `play_turn` for what this returns."""
    seat = box.seats[table.seat]
    if find_moves(table, seat) == 1:
        apply_move(table, box, np.int64(lowest_bit(seat.found)))
        return 0, 1
    move = ask_on_turn(table, box, ask, is_aside)
    if move == NO_MOVE:
        return ILLEGAL, 0
    apply_move(table, box, move)
    return 1, 0


@inline_kernel
def play_turn(table, box):
    """Play a turn, up to the naming of a colour, where no house rule changes it.

    Returns
    -------
    decisions : int
        How many there were, or `ILLEGAL` after an illegal move.
    forced : int
        How many moves were forced.
    """
    index = table.seat
    top = table.top
    seat = box.seats[index]
    move = np.int64(DRAW)
    decisions = np.int64(note_moves(seat, moves_in_hand(table, seat, top)) > 1)
    forced = 1 - decisions
    if decisions:
        move = ask(table, seat, box.policies[index])
    if move == DRAW:
        kind = draw_for_turn(table, box, index, top)
        move = np.int64(KEEP)
        if kind != NO_CARD:
            decisions += 1
            move = decide_drawn(table, box, kind)
    if move == NO_MOVE:
        return ILLEGAL, 0
    if move != KEEP:
        lay(table, box, index, top, move)
    elif table.phase == PLAY:
        pass_turn(table, index)
    return decisions, forced


@inline_kernel
def decide_drawn(table, box, kind):
    """Return what the seat on turn does with the card that it has just drawn."""
    seat = box.seats[table.seat]
    seat.drawn = kind
    table.phase = DRAWN
    note_moves(seat, np.int64(1) << kind | KEEP_MOVE)
    move = ask_on_turn(table, box, ask, is_aside)
    if move != NO_MOVE:
        table.phase = PLAY
    return move


@outer_kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move.

    A policy is asked only where there are two or more moves.
    """
    decisions = 0
    forced = 0
    while table.phase > ROUND_OVER:
        if table.house:
            more, more_forced = decide(table, box)
        elif table.phase == PLAY:
            more, more_forced = play_turn(table, box)
        else:
            more, more_forced = decide_apart(table, box)
        if more == ILLEGAL:
            return False
        decisions += more
        forced += more_forced
    table.metrics[METRIC.decisions] += decisions
    table.metrics[METRIC.forced] += forced
    return True
