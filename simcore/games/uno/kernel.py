"""UNO: the protocol that every game has, and the block loop.

Marks in brackets, here and in the other rooms, name clauses and choices of RULES.md. Kernels assume
legal input and never raise; `ask` checks what policies return.
"""

from __future__ import annotations

import numpy as np

from simcore.games.uno.deal import start_match, start_round
from simcore.games.uno.moves import (
    find_moves,
    is_legal,
    legal_moves,
    moves_in_hand,
    note_moves,
    nth_move,
    random_move,
)
from simcore.games.uno.play import (
    answer_draw_four,
    draw_for_turn,
    lay,
    name_colour,
    pass_turn,
)
from simcore.games.uno.random_play import play_random_turns
from simcore.games.uno.score import score_round
from simcore.games.uno.table import (
    BY_SEAT,
    COLOUR,
    DECISIONS,
    DRAW,
    DRAWN,
    FORCED,
    KEEP,
    KEEP_MOVE,
    NO_CARD,
    PLAY,
)
from simcore.jit import call_policy, inline_kernel, kernel
from simcore.match import note_comeback
from simcore.records import MATCH_OVER, NO_MOVE, RANDOM, ROUND_OVER, write_row

__all__ = [
    "apply_move",
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


ILLEGAL = -1
"""In place of a number of decisions: a policy returned an illegal move."""


@inline_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    if policy == RANDOM:
        return random_move(table, seat)
    move = call_policy(policy, table, seat)
    if is_legal(table, seat, move):
        return move
    table.illegal_move = move
    return np.int64(NO_MOVE)


@kernel
def decide_apart(table, box):
    """Let a colour be named or a wild draw four answered; see `play_turn` for what it returns."""
    index = table.seat
    seat = box.seats[index]
    find_moves(table, seat)
    move = ask(table, seat, box.policies[index])
    if move == NO_MOVE:
        return ILLEGAL, 0
    apply_move(table, box, move)
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
    move = ask(table, seat, box.policies[table.seat])
    if move != NO_MOVE:
        table.phase = PLAY
    return move


@kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move.

    A policy is asked only where there are two or more moves.
    """
    decisions = 0
    forced = 0
    quick = table.challenge and box.coupling != BY_SEAT
    while table.phase > ROUND_OVER:
        if table.phase == PLAY and box.policies[table.seat] == RANDOM and quick:
            play_random_turns(table, box)
        if table.phase == PLAY:
            more, more_forced = play_turn(table, box)
        elif table.phase > ROUND_OVER:
            more, more_forced = decide_apart(table, box)
        else:
            break
        if more == ILLEGAL:
            return False
        decisions += more
        forced += more_forced
    table.metrics[DECISIONS] += decisions
    table.metrics[FORCED] += forced
    return True


@kernel
def play_match(table, box, seed, match):
    """Play one match; return False after an illegal move."""
    start_match(table, box, seed, match)
    while table.phase != MATCH_OVER:
        start_round(table, box)
        if not play_round(table, box):
            return False
        if table.phase == ROUND_OVER:
            score_round(table, box)
    finish_match(table)
    return True


@kernel
def finish_match(table):
    """Note what only the end of a match tells."""
    note_comeback(table)


@kernel
def play_block(tables, boxes, seed, first, count, out, row):
    """Play the matches first … first + count − 1 and write them to rows from `row` on.

    Parameters
    ----------
    tables, boxes : record[1]
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
        position is then in the records, the move in `illegal_move`).
    """
    table = tables[0]
    box = boxes[0]
    box.watched = np.int64(np.any(box.policies[: table.players] != RANDOM))
    for done in range(count):
        if not play_match(table, box, seed, first + done):
            return done
        write_row(table, row + done, out)
    return count


@kernel
def choose(tables, boxes):
    """Return the move of the policy of the seat on turn, as in a block; for replays."""
    table = tables[0]
    box = boxes[0]
    return ask(table, box.seats[table.seat], box.policies[table.seat])
