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
    moves_with_drawn,
    note_moves,
    random_move,
)
from simcore.games.uno.play import answer, draw_for_turn, lay
from simcore.games.uno.table import (
    DECISIONS,
    DRAW,
    DRAWN,
    FORCED,
    KEEP,
    NO_CARD,
    PLAY,
)
from simcore.games.uno.turns import pass_turn
from simcore.jit import inline_kernel, outer_kernel
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
    """Let a seat decide what is no turn of its own; see `play_turn` for what it returns."""
    find_moves(table, box.seats[table.seat])
    move = ask_on_turn(table, box, ask, is_aside)
    if move == NO_MOVE:
        return ILLEGAL, 0
    answer(table, box, move)
    return 1, 0


@inline_kernel
def play_turn(table, box):
    """Play a turn, up to the naming of a colour.

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
    decisions = np.int64(note_moves(seat, moves_in_hand(table, seat, top)) > 1)
    forced = 1 - decisions
    move = np.int64(lowest_bit(seat.found))
    if decisions:
        move = ask(table, seat, box.policies[index])
    if move == DRAW:
        kind = draw_for_turn(table, box, index, top)
        move = np.int64(KEEP)
        if kind != NO_CARD:
            seat.drawn = kind
            chooses = np.int64(note_moves(seat, moves_with_drawn(table, seat)) > 1)
            decisions += chooses
            forced += 1 - chooses
            move = decide_drawn(table, box) if chooses else kind
    if move == NO_MOVE:
        return ILLEGAL, 0
    if move != KEEP:
        lay(table, box, index, top, move)
    elif table.phase == PLAY:
        pass_turn(table, index)
    return decisions, forced


@inline_kernel
def decide_drawn(table, box):
    """Return what the seat on turn does with the card that it has just drawn."""
    table.phase = DRAWN
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
        if table.phase == PLAY:
            more, more_forced = play_turn(table, box)
        else:
            more, more_forced = decide_apart(table, box)
        if more == ILLEGAL:
            return False
        decisions += more
        forced += more_forced
    table.metrics[DECISIONS] += decisions
    table.metrics[FORCED] += forced
    return True
