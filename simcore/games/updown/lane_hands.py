"""UP & DOWN: how seats will play a round at random, in the lanes of vector registers; see `lanes`.

The order of a hand is drawn when the round begins, and all of its cards are laid out by tricks.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.updown import lane_rows as at
from simcore.games.updown.cards import of_seat
from simcore.games.updown.deal import LATER_CARDS, draw_decisions
from simcore.games.updown.draws import draw
from simcore.games.updown.lane_deal import open_stream
from simcore.games.updown.lane_rows import LANES
from simcore.games.updown.spec import DODGES, HOW
from simcore.games.updown.table import SEATS, USUAL_HAND
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import blend, lanes_from
from simcore.records import RANDOM
from simcore.vectors import choose, first_bits, rotated
from simcore.wide import SIXTEEN, put_sixteen, sixteen_at, times

CARD_BITS = 6
"""Bits of a card in a list."""

IN_LIST = 10
"""Cards in a list."""

_LIST_BITS = IN_LIST * CARD_BITS
_ALL_IN_LIST = (1 << _LIST_BITS) - 1
_LAST = -1 << 63


@outer_kernel
def open_seats(work, column, table, box):
    """Draw how seats play a round at random, and open the streams of those that dodge."""
    for seat in range(table.players):
        is_random = box.policies[seat] == RANDOM
        if is_random or box.seats[seat].spec[HOW] & DODGES:
            open_stream(work, column, rng.FIRST_SEAT_STREAM + seat, seat)
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
    for start in range(column, column + LANES, SIXTEEN):
        words = (
            sixteen_at(rows, at.SEAT_WORD0 + seat, start),
            sixteen_at(rows, at.SEAT_WORD1 + seat, start),
        )
        order, changes, later = draw_decisions(hand_size, all_changes, words)
        put_sixteen(rows, at.SEAT_CHANGE + seat, start, changes)
        cards = sixteen_at(rows, at.HAND + seat, start)
        if hand_size > USUAL_HAND:
            play_large_hand(rows, start, at.CARD + seat, hand_size, cards, order, later)
        else:
            play_usual_hand(rows, start, at.CARD + seat, hand_size, cards, order)


@inline_kernel
def play_usual_hand(rows, start, row, hand_size, cards, order):
    """Play a hand to its end in the order drawn, from a list of its cards."""
    listed, cards = list_cards(cards, hand_size)
    more, _ = list_cards(cards, hand_size - IN_LIST)
    for left in range(USUAL_HAND, IN_LIST, -1):
        if left <= hand_size:
            index, order = draw(order, left)
            card, listed, more = play_of_two(listed, more, times(index, CARD_BITS))
            put_sixteen(rows, row + SEATS * (hand_size - left), start, card)
    for left in range(IN_LIST, 1, -1):
        if left <= hand_size:
            index, order = draw(order, left)
            card, listed = play_listed(listed, times(index, CARD_BITS))
            put_sixteen(rows, row + SEATS * (hand_size - left), start, card)
    put_sixteen(rows, row + SEATS * (hand_size - 1), start, rotated(_LAST, listed))


@inline_kernel
def list_cards(cards, count):
    """Return a list of so many cards of a set, the lowest ones, and the others.

    In the list a card is by how much `_LAST` is rotated to become its bit.
    """
    listed = cards & 0
    for i in range(IN_LIST):
        if i < count:
            listed = listed | (first_bits(cards) << (CARD_BITS * i))
            cards = cards & (cards - 1)
    return listed ^ _ALL_IN_LIST, cards


@inline_kernel
def play_listed(listed, place):
    """Take the card at a place from a list; return it as a card set, and the list."""
    behind = np.int64(-1) << place
    return rotated(_LAST, listed >> place), blend(behind, listed >> CARD_BITS, listed)


@inline_kernel
def play_of_two(listed, more, place):
    """Take the card at a place from a list that goes on in another one."""
    is_more = place >= _LIST_BITS
    place = choose(is_more, place - _LIST_BITS, place)
    card, left = play_listed(choose(is_more, more, listed), place)
    first = left | ((more << (_LIST_BITS - CARD_BITS)) & _ALL_IN_LIST)
    return card, choose(is_more, listed, first), choose(is_more, left, more >> CARD_BITS)


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
        put_sixteen(rows, row + SEATS * i, start, card)
