"""UP & DOWN: how seats will play a round at random, in the lanes of vector registers; see `lanes`.

The order of a hand is drawn when the round begins, and all of its cards are laid out by tricks.
"""

from __future__ import annotations

import numpy as np

from simcore.games.updown import lane_rows as at
from simcore.games.updown.cards import LANE, PLACES, of_seat
from simcore.games.updown.deal import LATER_CARDS, draw_decisions
from simcore.games.updown.draws import FRACTION_BITS, draw
from simcore.games.updown.lane_deal import FIRST_SEAT, open_stream
from simcore.games.updown.lane_rows import LANES
from simcore.games.updown.play import FIELD, IN_ALL_FIELDS
from simcore.games.updown.spec import DODGES, HOW
from simcore.games.updown.table import SEATS, USUAL_HAND
from simcore.jit import inline_kernel, kernel, outer_kernel, wrapping
from simcore.lanes import blend, lanes_from
from simcore.records import RANDOM
from simcore.vectors import LANES as EIGHT
from simcore.vectors import choose, eight_at, first_bits, popcounts, put_eight

_FIELD = (1 << FIELD) - 1
_FRACTION = (1 << FRACTION_BITS) - 1
_BEFORE = tuple((1 << (LANE * colour)) - 1 for colour in (1, 2, 3))


@outer_kernel
def open_seats(work, column, table, box):
    """Draw how seats play a round at random, and open the streams of those that dodge."""
    for seat in range(table.players):
        is_random = box.policies[seat] == RANDOM
        if is_random or box.seats[seat].spec[HOW] & DODGES:
            open_stream(work, column, FIRST_SEAT + seat, seat)
        if is_random:
            play_hand(work, column, seat, table.hand_size, table.all_changes)
    sort_changes(work, column, table.players)


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
def play_hand(work, column, seat, hand_size, all_changes):
    """Draw how a seat will decide in the whole round, as `deal.open_seat` does, and play so."""
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        words = (
            eight_at(rows, at.SEAT_WORD0 + seat, start),
            eight_at(rows, at.SEAT_WORD1 + seat, start),
        )
        order, changes, later = draw_decisions(hand_size, all_changes, words)
        put_eight(rows, at.SEAT_CHANGE + seat, start, changes)
        cards = eight_at(rows, at.HAND + seat, start)
        if hand_size > USUAL_HAND:
            play_large_hand(rows, start, at.CARD + seat, hand_size, cards, order, later)
        else:
            play_usual_hand(rows, start, at.CARD + seat, hand_size, cards, order)


@inline_kernel
def play_usual_hand(rows, start, row, hand_size, cards, order):
    """Play a hand to its end in the order drawn, from a list of its cards in two words."""
    last = cards
    colours = list_colours(cards)
    values = cards & 0
    for i in range(hand_size):
        values = values | ((first_bits(cards) & _FIELD) << (FIELD * i))
        cards = cards & (cards - 1)
    for i in range(hand_size - 1):
        card, values, colours, order = play_listed(values, colours, order, hand_size - i)
        last = last ^ card
        put_eight(rows, row + SEATS * i, start, card)
    put_eight(rows, row + SEATS * (hand_size - 1), start, last)


@inline_kernel
def list_colours(cards):
    """Return the colours of the cards of a set, in order."""
    first = popcounts(cards & _BEFORE[0])
    second = popcounts(cards & _BEFORE[1])
    third = popcounts(cards & _BEFORE[2])
    ones = np.int64(IN_ALL_FIELDS)
    return (ones << (FIELD * first)) + (ones << (FIELD * second)) + (ones << (FIELD * third))


@inline_kernel
@wrapping
def play_listed(values, colours, order, left):
    """Take a card, drawn at random, from a list; return it as a card set, list and fraction."""
    product = order * left
    place = (product >> (FRACTION_BITS - 2)) & (_FIELD << 2)
    card = (((colours >> place) & _FIELD) << FIELD) | ((values >> place) & _FIELD)
    behind = np.int64(-1) << place
    values = blend(behind, values >> FIELD, values)
    colours = blend(behind, colours >> FIELD, colours)
    return np.int64(1) << (card & PLACES), values, colours, product & _FRACTION


@inline_kernel
def play_large_hand(rows, start, row, hand_size, cards, order, later):
    """Play a hand that is too large for such a list."""
    for i in range(hand_size):
        left = hand_size - i
        if left == LATER_CARDS:
            order = later
        index, order = draw(order, left)
        card = cards
        for lower in range(left - 1):
            card = choose(index > lower, card & (card - 1), card)
        card = card & (0 - card)
        cards = cards ^ card
        put_eight(rows, row + SEATS * i, start, card)
