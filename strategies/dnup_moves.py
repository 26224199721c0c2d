"""dnup: pieces of play that several policies share.

Each looks for a move of one sort among those found and returns it, or `NOTHING`. Sets of `LARGE` or
more cards, which hardly ever come up, are left to chance.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import highest_bit, lowest_bit, popcount
from simcore.games.dnup import choice
from simcore.games.dnup.cards import COLUMN, ROW, count_others, row_of, value_of
from simcore.games.dnup.choice import play_by, settle_after
from simcore.games.dnup.deck import VALUES
from simcore.games.dnup.spec import USUAL_PATIENCE, play_spec
from simcore.games.dnup.table import TAKE
from simcore.games.dnup.unseen import unseen_cards
from simcore.jit import inline_kernel, kernel
from simcore.vectors import eight_at, lane, popcounts

NOTHING = choice.NOTHING

LOWEST_THREAT = 2
"""Cards of this value and the eight values from it on beat some other."""

_USUAL = play_spec()


@inline_kernel
def settle(table, seat):
    """Answer what all policies answer alike: what to pick, how to go out, what to do when stuck."""
    return settle_after(table, seat, USUAL_PATIENCE)


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


@inline_kernel
def threat_to(place, singles, pairs, triples):
    """Return how many plays may be expected that beat the one at a place, by its size."""
    return singles if place < VALUES else pairs if place < 2 * VALUES else triples


@kernel
def least_threatened(table, seat, plays):
    """Return the play, one of each value at most, that others are least likely to beat.

    And how many plays that beat it they may be expected to hold. Cards that all have seen go to a
    hand are counted with the side they show, others on both sides by half; the other players share
    them at random. Larger sets than triples are taken for triples.
    """
    unknown, known = unseen_cards(table, seat)
    up = known & ~table.known_down
    down = known & table.known_down
    others = table.players - 1
    low = eight_at(table.low, LOWEST_THREAT, 0)
    high = eight_at(table.high, LOWEST_THREAT, 0)
    seen = popcounts((low & up) | (high & down))
    shares = (seen + 0.5 * (popcounts(low & unknown) + popcounts(high & unknown))) / others
    single_shares = others * shares
    pair_shares = single_shares * (0.5 * shares)
    triple_shares = pair_shares * (0.5 * shares)
    singles = 0.0
    pairs = 0.0
    triples = 0.0
    best = np.int64(NOTHING)
    least = 1e9
    for value in range(VALUES, 0, -1):
        # What beats a 1 by an equal value is left out: hardly anything is beaten more often.
        beating = value if table.strictly == 0 else value + 1
        if LOWEST_THREAT <= beating <= VALUES:
            singles += lane(single_shares, beating - LOWEST_THREAT)
            pairs += lane(pair_shares, beating - LOWEST_THREAT)
            triples += lane(triple_shares, beating - LOWEST_THREAT)
        column = plays & (COLUMN << (value - 1))
        if column:
            place = lowest_bit(column)
            threat = threat_to(place, singles, pairs, triples)
            if threat < least:
                least = threat
                best = np.int64(place)
    return best, least
