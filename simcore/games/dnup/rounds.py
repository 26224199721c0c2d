"""dnup: a round played by the policies, action by action."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import lowest_bits, popcount
from simcore.games.dnup.cards import CHOOSE, active_cards, is_large, subset, value_of
from simcore.games.dnup.choice import by_spec, cards_to_lay
from simcore.games.dnup.moves import (
    action_masks,
    are_more,
    cards_needed,
    count_actions,
    find_moves,
    find_picks,
    is_legal,
    is_pick,
    note_actions,
    nth_move,
    nth_of_masks,
    only_action,
    own_other,
    random_move,
)
from simcore.games.dnup.play import (
    apply_action,
    apply_pick,
    end_action,
    lay_cards,
    pass_by,
    take_set,
    turn_hand,
)
from simcore.games.dnup.table import ACTION, METRIC, PASS, PICK, TAKE, TURN
from simcore.jit import inline_kernel, kernel
from simcore.match import choose_move
from simcore.records import BY_SPEC, NO_MOVE, RANDOM

ILLEGAL = -1
"""In place of a number of picks: a policy returned an illegal one."""


@inline_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    return choose_move(table, seat, policy, random_move, by_spec, is_legal)


@kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move.

    A policy is asked only where there are two or more moves. What is done is the same as
    `apply_move` does, but it is known from action to action what lies on the table, and that charts
    are exact, and cards are picked at once.
    """
    decisions = 0
    forced = 0
    laid = table.laid
    place = table.place
    while table.phase == ACTION:
        index = place & table.seat_mask
        seat = box.seats[index]
        active = seat.active
        policy = box.policies[index]
        if is_large(active | seat.turned | laid):
            if not play_action(table, box):
                return False
            laid = table.laid
            place = table.place
            continue
        plays, adds, takes = action_masks(table, active, own_other(table, place), laid)
        choices = count_actions(table, plays, adds, takes)
        if choices > 1:
            decisions += 1
            if policy == RANDOM:
                move = nth_of_masks(table, plays, adds, takes, rng.below(seat.rng, choices))
            else:
                note_actions(seat, plays, adds, takes, choices)
                move = ask(table, seat, policy)
                if move == NO_MOVE:
                    return False
        else:
            forced += choices
            move = only_action(table, plays, adds, takes, choices)
        laid, went_out, picks = act(table, box, seat, laid, move, policy)
        if picks == ILLEGAL:
            return False
        decisions += picks
        place, laid = end_action(table, place, laid, went_out)
    table.metrics[METRIC.decisions] += decisions
    table.metrics[METRIC.forced] += forced
    return True


@inline_kernel
def act(table, box, seat, laid, move, policy):
    """Carry out an action that a policy chose, with cards that it picks if need be.

    Return what then lies on the table, whether the seat is out, and how many picks there were, or
    `ILLEGAL`. It is known that charts are exact.
    """
    picks = 0
    went_out = False
    if move == TURN:
        turn_hand(table, seat)
    elif move >= TAKE:
        laid = take_set(table, seat, laid, move - TAKE, True)
    elif move == PASS:
        pass_by(table)
    else:
        what, count = cards_needed(move)
        cards = active_cards(table, seat, value_of(what))
        if are_more(seat.active, what if move < TURN else value_of(what) - 1):
            if is_pick(table, cards, True):
                picks, cards = ask_pick(table, seat, move, policy, cards)
            else:
                cards = lowest_bits(cards, (1 << count) - 1)
        if picks == ILLEGAL:
            return laid, went_out, picks
        laid, went_out = lay_cards(table, box, seat, laid, move, cards, True)
    return laid, went_out, picks


@inline_kernel
def ask_pick(table, seat, move, policy, cards):
    """Let a policy pick of the cards for an action; return 1 and them, or `ILLEGAL` and none."""
    what, count = cards_needed(move)
    of = popcount(cards)
    if policy == BY_SPEC:
        return np.int64(1), cards_to_lay(table, seat.turned, cards, value_of(what), count)
    if policy == RANDOM:
        rank = rng.below(seat.rng, CHOOSE[np.uint32(of), np.uint32(count)])
        return np.int64(1), subset(cards, of, count, rank)
    table.pending = move
    table.phase = PICK
    find_picks(table, seat)
    rank = ask(table, seat, policy)
    if rank == NO_MOVE:
        return np.int64(ILLEGAL), np.int64(0)
    table.phase = ACTION
    return np.int64(1), subset(cards, of, count, rank)


@kernel
def play_action(table, box):
    """Let the policy on turn decide on an action and its cards; return False after an illegal move.

    Any position will do, also one with large sets.
    """
    seat = box.seats[table.seat]
    policy = box.policies[table.seat]
    move = np.int64(PASS)
    count = find_moves(table, seat)
    if count > 1:
        table.metrics[METRIC.decisions] += 1
        move = ask(table, seat, policy)
        if move == NO_MOVE:
            return False
    elif count == 1:
        table.metrics[METRIC.forced] += 1
        move = nth_move(table, seat, np.int64(0))
    apply_action(table, box, move)
    if table.phase == PICK:
        table.metrics[METRIC.decisions] += 1
        find_picks(table, seat)
        rank = ask(table, seat, policy)
        if rank == NO_MOVE:
            return False
        apply_pick(table, box, rank)
    return True
