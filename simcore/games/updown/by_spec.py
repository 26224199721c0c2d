"""UP & DOWN: the move of a seat that plays as its spec says; see `choice`."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import lowest_bit
from simcore.games.updown.cards import DECK
from simcore.games.updown.choice import (
    NO_GAIN,
    able_values,
    best_chance,
    bet_if_enough,
    cancelling,
    card_to_play,
    change_by_count,
    change_for_best_card,
    enough_of,
    float_of,
    gain_of,
    is_better_change,
    kept_by_count,
    kept_for_best_card,
    opponents_of,
    others_of,
    price_of,
    rivals_of,
    surest_card,
    ways_of,
    worth_of_rolling,
    worth_of_value,
)
from simcore.games.updown.moves import nth_change
from simcore.games.updown.spec import (
    BETS,
    BETTER,
    COUNTS_BETTER,
    DODGES,
    ENOUGH,
    EQUAL,
    HOW,
    KEEN,
    LATE,
    POT,
)
from simcore.games.updown.table import CHANGE, FLIP, ROLL
from simcore.jit import inline_kernel, kernel


@inline_kernel
def change_by_chance(hand, shift, shifts, rules, unseen, rivals, keen, here, players, changes):
    """Change the rules so that one's best card has the best chance, by the cards played.

    A throw of the dice is judged by the trumps that it may bring. `changes` is how many moves there
    are, and the number of `KEEP`, which is made only if it is better than any change.
    """
    best = np.int64(FLIP)
    best_worth = NO_GAIN
    for index in range(changes[0]):
        change = nth_change(index, changes[1])
        worth = best_chance(change, True, hand, shift, shifts, rules, unseen, rivals, keen, here)
        if change == ROLL:
            worth = worth_of_rolling(worth, hand, rules[2], players)
        if is_better_change(change, worth, best_worth):
            best = change
            best_worth = worth
    return best


@inline_kernel
def least_cancelled(able, face, trump_bit, cancels, equal, stream):
    """Return the able value of the best `worth_of_value`, 0 if there is none.

    Of several the seat's private stream decides, so that nobody can foresee it.
    """
    best = np.int64(0)
    best_worth = NO_GAIN
    while able:
        value_bit = able & -able
        able ^= value_bit
        worth = worth_of_value(value_bit, face, trump_bit, cancels, equal)
        if worth > best_worth or (worth == best_worth and rng.below(stream, 2) == 0):
            best = value_bit
            best_worth = worth
    return best


@inline_kernel
def best_bet(able, face, trump_bit, cancels, stake, price, keen, opponents, enough):
    """Return the able value from which most is to be expected if that is enough, else 0.

    And this value whether it is enough or not, 0 if there is none; and how much.
    """
    best = np.int64(0)
    best_gain = NO_GAIN
    while able:
        value_bit = able & -able
        able ^= value_bit
        gain = gain_of(value_bit, True, face, trump_bit, cancels, stake, price, keen, opponents)
        if gain > best_gain:
            best = value_bit
            best_gain = gain
    return bet_if_enough(best, best_gain, enough), best, best_gain


@kernel
def by_spec(table, seat):
    """Return the move of the seat on turn, as its spec says."""
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    rules = table.turn, table.face, np.int64(1) << table.trump
    turn, face, trump_bit = rules
    played = table.played[0] | table.played[1] | table.played[2] | table.played[3]
    spec = seat.spec
    how = ways_of(spec[HOW], table.eligible != 0)
    hand = seat.hand
    shift = table.shifts[table.seat]
    unseen = DECK & ~(played | hand)
    others = others_of(shifts, table.players, shift)
    rivals = rivals_of(others, table.eligible != 0)
    here = ((1 << table.players) - 1) & ~(1 << np.int64(table.seat))
    keen = float_of(spec[KEEN])
    if table.phase == CHANGE:
        if how & BETS:
            changes = table.changes, table.keep
            return change_by_chance(
                hand, shift, shifts, rules, unseen, rivals, keen, here, table.players, changes
            )
        if how & COUNTS_BETTER:
            better = float_of(spec[BETTER])
            change = change_by_count(hand, shift, turn, face, unseen, others, better)
            if table.keep >= 0:
                change = kept_by_count(change, hand, shift, turn, face, unseen, others, better)
            return change
        change = change_for_best_card(hand, shift, turn, face)
        return kept_for_best_card(change, hand, shift, turn, face) if table.keep >= 0 else change
    able = able_values(hand, shift, turn, trump_bit)
    left = table.hand_size - table.trick
    cancels = cancelling(unseen, rivals, turn, trump_bit)
    # Without a pot there is nothing to wait for.
    lead = (left > 1) & (table.pots != 0) & ((table.leader + 1) % table.players == table.seat)
    best = np.int64(0)
    gain = NO_GAIN
    if how & BETS:
        stake = table.pot + 1
        price = price_of(spec, left, table.hand_size)
        enough = enough_of(how, float_of(spec[ENOUGH]), stake, lead)
        opponents = opponents_of(True, shifts, turn, trump_bit, unseen, keen, here)
        first, best, gain = best_bet(
            able, face, trump_bit, cancels, stake, price, keen, opponents, enough
        )
    elif how & DODGES:
        first = least_cancelled(able, face, trump_bit, cancels, float_of(spec[EQUAL]), seat.rng)
    else:
        saves = (table.pot < spec[POT]) & (left > spec[LATE])
        first = surest_card(able, face, trump_bit, saves)
    card = card_to_play(True, how, first, (best, gain), hand, shift, rules, unseen, others, lead)
    return lowest_bit(card)
