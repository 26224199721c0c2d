"""Up or down?: a match played by the policies, move by move, and turns of random play in one go."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import nth_bit, popcount
from simcore.games.upordown.cards import BYTE, card_at, count_of, remove_at
from simcore.games.upordown.deal import start_match, start_round
from simcore.games.upordown.moves import (
    HALF_BITS,
    HALF_KEPT,
    find_moves,
    flip_coin,
    is_legal,
    nth_move,
    place_moves,
    random_move,
)
from simcore.games.upordown.play import (
    draw_card,
    draw_from_the_rest,
    end_turn,
    exchange,
    has_choice_of_piles,
    lay_card,
    next_phase,
    place_card,
    take_card,
)
from simcore.games.upordown.score import finish_match, score_round
from simcore.games.upordown.table import CARD, DECISIONS, DRAW, FORCED, LAID, PLACE, TAKE
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.match import choose_move, no_spec, play_rounds
from simcore.records import NO_MOVE, RANDOM, ROUND_OVER


@inline_kernel
def apply_move(table, box, move):
    """Carry out a legal move of the seat on turn; the records are modified in place.

    Afterwards the seat that decides next is on turn, or the phase is `ROUND_OVER`.
    """
    seat = box.seats[table.seat]
    if table.phase == CARD:
        lay_card(table, seat, move)
    elif table.phase == TAKE:
        take_card(table, move)
    elif table.phase == PLACE:
        place_card(table, table.seat, table.taken_card, move)
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


@inline_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    return choose_move(table, seat, policy, random_move, no_spec, is_legal)


@inline_kernel
def play_random_turn(table, box, seat):
    """Play a turn of uniform random play; return how often there was a choice, and how often none.

    Does what `apply_move` does with the moves of `random_move`, in one go: what is only of interest
    between two decisions is not written.
    """
    index = table.seat
    choices = 4
    forced = 0
    count = count_of(seat.hand)
    pick = np.int64(0)
    half = np.uint64(0)
    if count > 1:
        word = rng.next_word(seat.rng)
        pick = rng.below_from(seat.rng, word >> HALF_BITS, count)
        half = (word & rng.HALF) | HALF_KEPT
    else:
        forced += 1
    card = card_at(seat.hand, BYTE * pick)
    seat.hand = remove_at(seat.hand, BYTE * pick)
    table.whereabouts[np.uint32(card)] = LAID
    table.circle, card = exchange(table.circle, card, flip_coin(seat))
    moves = place_moves(table, index, card)
    count = popcount(moves)
    pick = np.int64(0)
    if count > 1:
        if half == 0:
            half = rng.next_word(seat.rng) >> HALF_BITS
        pick = rng.below_from(seat.rng, half & rng.HALF, count)
    else:
        forced += 1
    place_card(table, index, card, nth_bit(moves, pick))
    if has_choice_of_piles(table):
        draw_card(table, box, seat, flip_coin(seat))
    else:
        choices -= 1
        draw_from_the_rest(table, box, seat)
    end_turn(table)
    return choices - forced, forced


@kernel
def play_turn(table, box, seat, policy):
    """Play a turn of a policy; return False after an illegal move."""
    table.phase = CARD
    turns_left = table.turns_left
    while table.turns_left == turns_left:
        count = find_moves(table, seat)
        if count > 1:
            table.metrics[DECISIONS] += 1
            move = ask(table, seat, policy)
            if move == NO_MOVE:
                return False
        else:
            table.metrics[FORCED] += 1
            move = nth_move(table, seat, 0)
        apply_move(table, box, move)
    return True


@kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move.

    A policy is asked only where there are two or more moves.
    """
    decisions = 0
    forced = 0
    while table.turns_left > 0:
        seat = box.seats[table.seat]
        policy = box.policies[table.seat]
        if policy == RANDOM:
            choices, none = play_random_turn(table, box, seat)
            decisions += choices
            forced += none
        elif not play_turn(table, box, seat, policy):
            return False
    table.phase = ROUND_OVER
    table.metrics[DECISIONS] += decisions
    table.metrics[FORCED] += forced
    return True


@outer_kernel
def play_match(table, box, seed, match):
    """Play one match; return False after an illegal move."""
    start_match(table, box, seed, match)
    if not play_rounds(table, box, start_round, play_round, score_round):
        return False
    finish_match(table)
    return True
