"""dnup: pieces of play that several policies share.

Each looks for a move of one sort among those found and returns it, or `NOTHING`. Sets of `LARGE` or
more cards, which hardly ever come up, are left to chance.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import highest_bit, lowest_bit, popcount
from simcore.games.dnup import choice
from simcore.games.dnup.cards import COLUMN, ROW, count_others, row_of, value_of
from simcore.games.dnup.choice import (
    is_stuck,
    last_card,
    last_cards,
    or_else,
    pick_least_useful,
    play_by,
    whole_sets,
)
from simcore.games.dnup.moves import random_move
from simcore.games.dnup.spec import USUAL_PATIENCE, play_spec
from simcore.games.dnup.table import ADD, PICK, PLAY, TAKE
from simcore.jit import inline_kernel, kernel

_USUAL = play_spec()

NOTHING = choice.NOTHING


@inline_kernel
def settle(table, seat):
    """Answer what all policies answer alike: what to pick, how to go out, what to do when stuck."""
    if table.phase == PICK:
        return pick_least_useful(table, seat)
    return random_move(table, seat) if is_stuck(table, seat, USUAL_PATIENCE) else go_out(seat)


@inline_kernel
def go_out(seat):
    """Play or add all hand cards at once."""
    whole = whole_sets(seat.active, seat.plays)
    move = or_else(np.int64(NOTHING), PLAY, last_cards(seat.active, whole))
    return or_else(move, ADD, last_card(seat.up | seat.down, seat.adds))


@inline_kernel
def get_by(table, seat):
    """Play the largest set, or get by: add a card, turn the hand, or take the smallest set."""
    return play_by(table, seat, _USUAL)


@inline_kernel
def largest(plays):
    """Return the play of most cards, of those the one of the highest value."""
    if plays == 0:
        return np.int64(NOTHING)
    return highest_bit(plays)


@inline_kernel
def highest(plays):
    """Return the play of the highest value, as many cards of it as possible."""
    if plays == 0:
        return np.int64(NOTHING)
    values = plays | (plays >> 27)
    values |= values >> 9
    values = (values | (values >> 18) | (plays >> 54)) & ROW
    value = highest_bit(values)
    return largest(plays & (COLUMN << value))


@inline_kernel
def values_held(chart):
    """Return how many different values a chart counts: so many turns it takes to go out."""
    return popcount(chart & ROW)


@kernel
def cards_of_set(table, place):
    """Return the cards of the set on the table with this bit of a chart."""
    return table.set_cards[table.place_of_row[row_of(place)]]


@kernel
def take_fitting(table, seat, least):
    """Take up the largest set, of `least` cards or more, all of which fit once they are turned.

    A card fits when the hand has a card of its value already, once it is turned if it will be.
    """
    sets = seat.takes
    best = np.int64(NOTHING)
    while sets:
        place = lowest_bit(sets)
        sets &= sets - 1
        if row_of(place) + 1 >= least and fits(table, seat, place):
            best = np.int64(TAKE + place)
    return best


@kernel
def fits(table, seat, place):
    """Tell whether all cards of a set, once in the hand, bear values that it has already."""
    value = value_of(place)
    values = np.int64(1) << (value - 1)
    if not table.keeps_side:
        values = count_others(table, np.int64(0), cards_of_set(table, place), value)
    return values & ROW & ~seat.active == 0
