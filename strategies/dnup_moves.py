"""dnup: pieces of play that several policies share.

Each looks for a move of one sort among those found and returns it, or `NOTHING`. Sets of `LARGE` or
more cards, which hardly ever come up, are left to chance.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import highest_bit, lowest_bit, popcount
from simcore.games.dnup.cards import COLUMN, ROW, chart_of, rank_of, row_of, value_of
from simcore.games.dnup.deck import VALUES
from simcore.games.dnup.moves import random_move
from simcore.games.dnup.spec import LAST_ROUND, LAST_TURN
from simcore.games.dnup.table import ADD, PICK, TAKE, TURN
from simcore.jit import inline_kernel, kernel
from simcore.vectors import (
    LANES,
    choose,
    eight_from,
    first_greatest,
    highest_bits,
    lane,
    popcounts,
    spread,
    vector,
)

NOTHING = -1

ROW_NUMBERS = tuple(range(LANES))
"""The rows of a chart are looked at together, in the lanes of a vector."""

LOWEST_THREAT = 2
"""Cards of this value and the eight values from it on beat some other."""

PATIENCE = 25
"""Actions for each player after which a round is long; most end within half of that."""

RESTLESS = 0.25
"""Probability of any legal move in a long round: who repeats the same again and again with others
who do so too gets out of it."""


@inline_kernel
def settle(table, seat):
    """Answer what all policies answer alike: what to pick, how to go out, what to do when stuck."""
    if table.phase == PICK:
        return pick_least_useful(table, seat)
    if seat.large or (table.turns > PATIENCE * table.players and rng.uniform(seat.rng) < RESTLESS):
        return random_move(table, seat)
    return go_out(table, seat)


@inline_kernel
def go_out(table, seat):
    """Play all hand cards at once."""
    if popcount(seat.active & ROW) > 1:
        return np.int64(NOTHING)
    all_cards = whole_sets(seat)
    if all_cards:
        return np.int64(lowest_bit(all_cards))
    if seat.adds and table.cards[table.seat] == 1:
        return ADD + lowest_bit(seat.adds)
    return np.int64(NOTHING)


@inline_kernel
def whole_sets(seat):
    """Return the plays that leave no card of their value in the hand."""
    return seat.plays & ~(seat.active >> VALUES)


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
def hardest_to_beat(plays, per_card):
    """Return the play that is hardest to beat: value, and `per_card` for each card after the first.

    With `per_card` of 9 or more it is the largest.
    """
    if plays == 0:
        return np.int64(NOTHING)
    # Of each row the highest value; the lanes are the rows.
    rows = vector(ROW_NUMBERS)
    values = (spread(plays) >> (VALUES * rows)) & ROW
    highest_values = highest_bits(values | 1)
    worths = choose(values > 0, (highest_values + 1) + per_card * rows, -1.0)
    row = first_greatest(worths)
    return VALUES * row + lane(highest_values, row)


@inline_kernel
def add_any(seat):
    """Add a card to the largest set of somebody else that takes one."""
    if seat.adds == 0:
        return np.int64(NOTHING)
    return ADD + highest_bit(seat.adds)


@inline_kernel
def add_last_of_value(seat):
    """Add a card of which the hand holds no other."""
    alone = (seat.active & ~(seat.active >> VALUES)) & ROW
    adds = seat.adds & (alone * COLUMN)
    if adds == 0:
        return np.int64(NOTHING)
    return ADD + lowest_bit(adds)


@inline_kernel
def values_held(chart):
    """Return how many different values a chart counts: so many turns it takes to go out."""
    return popcount(chart & ROW)


@inline_kernel
def values_in(table, up, down):
    """Return how many different active values a hand has, counted from its cards."""
    held = np.int64(0)
    for value in range(1, VALUES + 1):
        held += np.int64((up & table.low[value]) | (down & table.high[value]) != 0)
    return held


@inline_kernel
def may_turn(table, seat):
    """Tell whether the hand was not just turned: turning it again and again leads nowhere."""
    recent = table.turns - seat.memory[LAST_TURN] <= table.players
    return not (seat.memory[LAST_ROUND] == table.round_number and recent)


@inline_kernel
def turn(table, seat):
    """Turn the hand, and remember it."""
    seat.memory[LAST_ROUND] = table.round_number
    seat.memory[LAST_TURN] = table.turns
    return np.int64(TURN)


@inline_kernel
def turn_for(table, seat, gain):
    """Turn the hand when its other side has so many different values fewer."""
    held = values_held(seat.active)
    if held <= gain or not may_turn(table, seat):
        return np.int64(NOTHING)
    if held - values_in(table, seat.down, seat.up) >= gain:
        return turn(table, seat)
    return np.int64(NOTHING)


@inline_kernel
def take_smallest(seat):
    """Take up the smallest set."""
    if seat.takes == 0:
        return np.int64(NOTHING)
    return TAKE + lowest_bit(seat.takes)


@kernel
def cards_of_set(table, place):
    """Return the cards of the set on the table with this bit of a chart."""
    return table.set_cards[table.place_of_row[row_of(place)]]


@kernel
def owner_of_set(table, place):
    """Return the seat before which the set with this bit of a chart lies."""
    return np.int64(table.place_of_row[row_of(place)] & table.seat_mask)


@kernel
def take_fitting(table, seat, least):
    """Take up the largest set, of `least` cards or more, all of which fit once they are turned.

    A card fits when the hand has a card of its value already.
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
    """Tell whether all cards of a set, once turned, bear values that the hand has already."""
    value = value_of(place)
    cards = cards_of_set(table, place)
    while cards:
        other = table.total[lowest_bit(cards)] - value
        cards &= cards - 1
        if not (seat.active >> (other - 1)) & 1:
            return False
    return True


@inline_kernel
def get_by(table, seat):
    """Get by when nothing can be played: add a card, turn the hand, or take the smallest set."""
    move = add_any(seat)
    if move == NOTHING and may_turn(table, seat):
        move = turn(table, seat)
    if move == NOTHING:
        move = take_smallest(seat)
    if move == NOTHING:
        move = turn(table, seat)
    return move


@inline_kernel
def largest_or_get_by(table, seat, move):
    """Return a move, or without one the largest play, or what gets by."""
    if move == NOTHING:
        move = largest(seat.plays)
    if move == NOTHING:
        move = get_by(table, seat)
    return move


@kernel
def pick_least_useful(table, seat):
    """Pick the cards whose other side is of the least use: values of which the hand has fewest.

    What is kept makes larger sets when the hand is turned.
    """
    cards = seat.pick_cards
    chosen = np.int64(0)
    other_side = chart_of(table, seat.down, seat.up)
    value = value_of(table.pending if table.pending < TURN else table.pending - ADD)
    for _ in range(seat.pick_count):
        best = np.int64(0)
        best_use = np.int64(1) << 62
        rest = cards & ~chosen
        while rest:
            card = rest & -rest
            other = table.total[lowest_bit(rest)] - value
            rest ^= card
            use = VALUES * popcount(other_side & (COLUMN << (other - 1))) + other
            if use < best_use:
                best_use = use
                best = card
        chosen |= best
    return rank_of(cards, chosen)


@inline_kernel
def fewest_cards(table):
    """Return the seat of an opponent still in the round that has the fewest hand cards."""
    fewest = np.int64(1) << 40
    for seat in range(table.players):
        is_other = seat != table.seat and seat != table.first_out
        # The number of cards and the seat in one word: no branch on which is less.
        fewest = min(fewest, (table.cards[seat] << 4) + seat + (np.int64(not is_other) << 32))
    return fewest & 15


@kernel
def beat_set_of(table, seat, victim):
    """Return the smallest play that sends back a set of this seat, whole sets of the hand first."""
    targets = np.int64(0)
    sets = seat.takes
    while sets:
        place = lowest_bit(sets)
        sets &= sets - 1
        if owner_of_set(table, place) == victim:
            targets |= ROW << (VALUES * row_of(place))
    plays = whole_sets(seat) & targets
    if plays == 0:
        plays = seat.plays & targets
    if plays == 0:
        return np.int64(NOTHING)
    return np.int64(lowest_bit(plays))


@kernel
def unseen_cards(table, seat):
    """Return the cards in other hands: those that nobody has seen go there, and the known ones."""
    known = np.int64(0)
    elsewhere = seat.up | seat.down | table.discards
    for other in range(table.players):
        if other != table.seat:
            known |= table.known[other]
    sets = table.laid
    while sets:
        elsewhere |= cards_of_set(table, lowest_bit(sets))
        sets &= sets - 1
    return table.in_play & ~(elsewhere | known), known


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
    low = eight_from(table.low, LOWEST_THREAT)
    high = eight_from(table.high, LOWEST_THREAT)
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
        column = plays & (COLUMN << (value - 1))
        if column:
            place = lowest_bit(column)
            threat = threat_to(place, singles, pairs, triples)
            if threat < least:
                least = threat
                best = np.int64(place)
        if value >= LOWEST_THREAT:
            singles += lane(single_shares, value - LOWEST_THREAT)
            pairs += lane(pair_shares, value - LOWEST_THREAT)
            triples += lane(triple_shares, value - LOWEST_THREAT)
    return best, least
