"""UP & DOWN: how seats will play a round at random, in the lanes of vector registers; see `lanes`.

The order of a hand is drawn when the round begins, and all of its cards are laid out by tricks.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.updown import lane_rows as at
from simcore.games.updown.cards import LANE, PLACES, of_seat
from simcore.games.updown.deal import LATER_CARDS, orders_of
from simcore.games.updown.draws import FRACTION_BITS, MASK, draw
from simcore.games.updown.lane_deal import next_fraction, open_stream, start_of_stream
from simcore.games.updown.lane_rows import LANES
from simcore.games.updown.play import FIELD, IN_ALL_FIELDS
from simcore.games.updown.spec import DODGES, HOW
from simcore.games.updown.table import SEATS, USUAL_HAND
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import blend, lanes_from, nth_bit
from simcore.records import RANDOM

FEWEST_CARDS = 11
"""In a hand by the rule text."""

PARTS = (3, 5, 7, 9, FEWEST_CARDS, USUAL_HAND)
"""Up to which card the parts go in which a hand is played; a small hand has fewer of them."""

_FIELD = (1 << FIELD) - 1
_BEFORE = tuple((1 << (LANE * colour)) - 1 for colour in (1, 2, 3))


@outer_kernel
def open_seats(work, column, seed, table, box, dials):
    """Draw how seats play a round at random, and open the streams of those that dodge."""
    for seat in range(table.players):
        if box.policies[seat] != RANDOM:
            if box.seats[seat].spec[HOW] & DODGES:
                open_stream(work, column, seed, rng.FIRST_SEAT_STREAM + seat, seat)
        elif dials is None:
            play_usual_hand(work, column, seed, seat, table)
        else:
            play_other_hand(work, column, seed, seat, table)
    sort_changes(work, column, table.players)


@outer_kernel
def play_usual_hand(work, column, seed, seat, table):
    """Draw how a seat will decide in the whole round, as `deal.open_seat` does, and play so."""
    hand_size = table.hand_size
    products = orders_of(hand_size)
    draw_fractions(work, column, seed, seat, (products[0], table.all_changes))
    if hand_size > FEWEST_CARDS:
        play_hand(work, column, seat, hand_size, (1, 1, 1, 1, 1))
    else:
        play_hand(work, column, seat, hand_size, (1, 1, 1, 1))


@outer_kernel
def play_other_hand(work, column, seed, seat, table):
    """Do the same with hands of any size."""
    hand_size = table.hand_size
    products = orders_of(hand_size)
    if hand_size > USUAL_HAND:
        later = products[0], table.all_changes, products[1]
        draw_fractions(work, column, seed, seat, later)
        play_large_hand(work, column, seat, hand_size)
    elif hand_size <= PARTS[3]:
        draw_fractions(work, column, seed, seat, (products[0], table.all_changes))
        play_small_hand(work, column, seat, hand_size)
    else:
        play_usual_hand(work, column, seed, seat, table)


@outer_kernel
def play_small_hand(work, column, seat, hand_size):
    """Play a hand of fewer cards than by the rule text to its end."""
    if hand_size <= PARTS[0]:
        play_hand(work, column, seat, hand_size, ())
    elif hand_size <= PARTS[1]:
        play_hand(work, column, seat, hand_size, (1,))
    elif hand_size <= PARTS[2]:
        play_hand(work, column, seat, hand_size, (1, 1))
    else:
        play_hand(work, column, seat, hand_size, (1, 1, 1))


@kernel
def draw_fractions(work, column, seed, seat, products):
    """Draw the fractions for the order of a hand, for changes, and if there is one a third."""
    rows = work.rows
    purpose = rng.FIRST_SEAT_STREAM + seat
    change = at.SEAT_CHANGE + (seat & 3)
    for lane in lanes_from(column, LANES):
        word0, word1 = start_of_stream(rows, lane, seed, purpose)
        rows[at.ORDER, lane], again0, word0, word1 = next_fraction(word0, word1, products[0])
        rows[change, lane], again1, word0, word1 = next_fraction(word0, word1, products[1])
        again = again0 | again1
        if len(products) > 2:
            rows[at.LATER, lane], again2, word0, word1 = next_fraction(word0, word1, products[2])
            again |= again2
        rows[at.AGAIN, lane] |= np.int64(again)


@kernel
def sort_changes(work, column, players):
    """Sort the fractions for the changes of the rules by who leads."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        leader = rows[at.LEADER, lane]
        change0 = rows[at.SEAT_CHANGE, lane]
        change1 = rows[at.SEAT_CHANGE + 1, lane]
        change2 = rows[at.SEAT_CHANGE + 2, lane]
        change3 = rows[at.SEAT_CHANGE + 3, lane]
        for i in range(SEATS):
            seat = leader + i
            seat -= players if seat >= players else 0
            rows[at.CHANGE + i, lane] = of_seat(seat, change0, change1, change2, change3)


@kernel
def play_hand(work, column, seat, hand_size, more):
    """Play the hand of a seat to its end, in the order drawn.

    `more` is as long as there are more than the first of the `PARTS`.
    """
    rows = work.rows
    card = at.CARD + (seat & 3)
    hand = at.HAND + (seat & 3)
    for lane in lanes_from(column, LANES):
        cards = rows[hand, lane]
        fraction = np.uint64(rows[at.ORDER, lane])
        listed = list_values(cards, more), list_colours(cards), fraction
        listed = play_part(rows, lane, card, hand_size, listed, 0, PARTS[0])
        if len(more) > 0:
            listed = play_part(rows, lane, card, hand_size, listed, PARTS[0], PARTS[1])
        if len(more) > 1:
            listed = play_part(rows, lane, card, hand_size, listed, PARTS[1], PARTS[2])
        if len(more) > 2:
            listed = play_part(rows, lane, card, hand_size, listed, PARTS[2], PARTS[3])
        if len(more) > 3:
            listed = play_part(rows, lane, card, hand_size, listed, PARTS[3], PARTS[4])
        if len(more) > 4:
            play_part(rows, lane, card, hand_size, listed, PARTS[4], PARTS[5])


@inline_kernel
def list_values(cards, more):
    """Return the values of the cards of a hand, in order; for `more` see `play_hand`."""
    cards, values = list_part(cards, np.int64(0), 0, PARTS[0])
    if len(more) > 0:
        cards, values = list_part(cards, values, PARTS[0], PARTS[1])
    if len(more) > 1:
        cards, values = list_part(cards, values, PARTS[1], PARTS[2])
    if len(more) > 2:
        cards, values = list_part(cards, values, PARTS[2], PARTS[3])
    if len(more) > 3:
        cards, values = list_part(cards, values, PARTS[3], PARTS[4])
    if len(more) > 4:
        cards, values = list_part(cards, values, PARTS[4], PARTS[5])
    return values


@inline_kernel
def list_part(cards, values, first, end):
    """List the values of the lowest cards from number `first` to `end`."""
    for i in range(first, end):
        cards, values = list_next(cards, values, FIELD * i)
    return cards, values


@inline_kernel
def list_next(cards, values, place):
    """Add the value of the lowest card of a set to a list, from a bit on; return rest and list."""
    number = popcount(~cards & (cards - 1))
    return cards & (cards - 1), values | (number & _FIELD) << place


@inline_kernel
def list_colours(cards):
    """Return the colours of the cards of a set, in order."""
    first = popcount(cards & _BEFORE[0])
    second = popcount(cards & _BEFORE[1])
    third = popcount(cards & _BEFORE[2])
    ones = np.int64(IN_ALL_FIELDS)
    return (ones << (FIELD * first)) + (ones << (FIELD * second)) + (ones << (FIELD * third))


@inline_kernel
def play_part(rows, lane, card, hand_size, listed, first, end):
    """Play listed cards in the tricks from `first` to `end`; return what is left."""
    values, colours, fraction = listed
    for i in range(first, end):
        left = max(hand_size - i, 1)
        played, values, colours, fraction = play_listed(values, colours, fraction, left)
        rows[card + SEATS * i, lane] = played
    return values, colours, fraction


@inline_kernel
def play_listed(values, colours, fraction, left):
    """Take a card, drawn at random, from a list; return it as a card set, list and fraction."""
    product = fraction * np.uint64(left)
    place = np.int64(product >> np.uint64(FRACTION_BITS - 2)) & (_FIELD << 2)
    card = (((colours >> place) & _FIELD) << FIELD) | ((values >> place) & _FIELD)
    behind = np.int64(-1) << place
    values = blend(behind, values >> FIELD, values)
    colours = blend(behind, colours >> FIELD, colours)
    return np.int64(1) << (card & PLACES), values, colours, product & MASK


@outer_kernel
def play_large_hand(work, column, seat, hand_size):
    """Play the hand of a seat to its end where it is too large for a list in one word."""
    move_row(work, column, at.HAND + (seat & 3), at.LEFT)
    for trick in range(hand_size):
        left = hand_size - trick
        if left == LATER_CARDS:
            move_row(work, column, at.LATER, at.ORDER)
        play_next(work, column, trick, seat, left)


@kernel
def move_row(work, column, source, target):
    """Copy a row of all lanes to another one."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        rows[target, lane] = rows[source, lane]


@kernel
def play_next(work, column, trick, seat, left):
    """Play one of the cards in the row `LEFT`, where those left stand then."""
    rows = work.rows
    card = at.CARD + SEATS * (trick & at.TRICKS_MASK) + (seat & 3)
    for lane in lanes_from(column, LANES):
        cards = rows[at.LEFT, lane]
        index, fraction = draw(np.uint64(rows[at.ORDER, lane]), left)
        played = np.int64(1) << nth_bit(cards, index)
        rows[at.ORDER, lane] = np.int64(fraction)
        rows[at.LEFT, lane] = cards ^ played
        rows[card, lane] = played
