"""UP & DOWN: the start of a round in the lanes of vector registers; see `lanes`.

Each loop over `LANES` is compiled to vector instructions: everything in it is arithmetic on numbers
and truth values; a branch would end the vectors.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.updown import lane_rows as at
from simcore.games.updown.cards import LANE, PLACES, of_seat
from simcore.games.updown.deal import (
    FEW_CARDS,
    LATER_CARDS,
    draw_hand,
    draws_of_round,
    hands_of,
    orders_of,
    products_of,
    sum_of_dice,
    toss,
)
from simcore.games.updown.draws import FRACTION_BITS, MASK, draw, fraction_of
from simcore.games.updown.lane_dials import has_dice
from simcore.games.updown.lane_rows import LANES
from simcore.games.updown.play import FIELD, IN_ALL_FIELDS
from simcore.games.updown.spec import DODGES, HOW
from simcore.games.updown.table import SEATS, USUAL_HAND
from simcore.jit import inline_kernel, kernel, outer_kernel, wrapping
from simcore.lanes import LINE, blend, nth_bit
from simcore.records import RANDOM

FEWEST_CARDS = 11
"""In a hand by the rule text."""

FEW_TRICKS = 6
"""Hands of up to so many cards are played in fewer steps."""

_TWELVE = 12
"""Cards of a pile that are drawn in the usual steps, see `draw_hand`."""

MOST_THROWS = 15
"""As many throws as one word has room for. With fewer tricks fewer will do as well:"""

FEWER_THROWS = 10
"""For up to `FEW_CARDS`."""

_FIELD = (1 << FIELD) - 1
_UPPER_HALF = np.uint64(32)
_BEFORE = tuple((1 << (LANE * colour)) - 1 for colour in (1, 2, 3))


@outer_kernel
def open_rounds(work, column, seed, table, dials):
    """Begin a round in all lanes: toss the U&D card, throw the dice, deal."""
    players = table.players
    hand_size = table.hand_size
    drawn = draws_of_round(players, hand_size)
    if dials is None:
        toss_and_draw(work, column, seed, players, drawn, ())
        throw_all_dice(work, column, seed, MOST_THROWS)
        deal_usual_hands(work, column, drawn)
    else:
        open_other_rounds(work, column, seed, table, drawn, dials)
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    set_up(work, column, players, hand_size, shifts)


@outer_kernel
def open_other_rounds(work, column, seed, table, drawn, dials):
    """Toss, throw and deal where there may be no dice, or other hands than by the rule text."""
    few = table.hand_size <= FEW_CARDS
    if drawn[3][0] > 0:
        toss_and_draw(work, column, seed, table.players, drawn, (1,))
    else:
        toss_and_draw(work, column, seed, table.players, drawn, ())
    if has_dice(dials):
        throw_all_dice(work, column, seed, FEWER_THROWS if few else MOST_THROWS)
    else:
        leave_dice(work, column)
    if drawn[3][0] > 0:
        if few:
            deal_four(work, column, drawn, (1, 1))
        else:
            deal_four(work, column, drawn, ())
    elif few:
        deal_hands(work, column, drawn, (1, 1))
    else:
        deal_usual_hands(work, column, drawn)


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
        play_hand(work, column, seat, hand_size, (1,))
    else:
        play_hand(work, column, seat, hand_size, ())


@outer_kernel
def play_other_hand(work, column, seed, seat, table):
    """Do the same with hands of any size."""
    hand_size = table.hand_size
    products = orders_of(hand_size)
    if hand_size > USUAL_HAND:
        later = products[0], table.all_changes, products[1]
        draw_fractions(work, column, seed, seat, later)
        play_large_hand(work, column, seat, hand_size)
    elif hand_size <= FEW_TRICKS:
        draw_fractions(work, column, seed, seat, (products[0], table.all_changes))
        play_hand(work, column, seat, hand_size, (1, 1))
    else:
        play_usual_hand(work, column, seed, seat, table)


@inline_kernel
@wrapping
def first_below(word, bound):
    """Return the number that `rng.below` makes of a word, and whether it might draw again."""
    product = (word >> _UPPER_HALF) * np.uint64(bound)
    return np.int64(product >> _UPPER_HALF), (product & rng.HALF) < np.uint64(bound)


@inline_kernel
def next_fraction(word0, word1, product):
    """Draw a fraction; return it, whether it might be one to be drawn again, and the stream."""
    word, word0, word1 = rng.step(word0, word1)
    fraction, again = fraction_of(word, product)
    return np.int64(fraction), again, word0, word1


@inline_kernel
def start_of_stream(rows, lane, seed, purpose):
    """Return the two words with which a stream of the round starts."""
    return rng.start_of(seed, np.uint64(rows[at.KEY, lane]), rows[at.ROUND, lane], purpose)


@kernel
def open_stream(work, column, seed, purpose, seat):
    """Open the streams for a purpose; they stand where those of a seat do."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        word0, word1 = start_of_stream(rows, lane, seed, purpose)
        rows[at.SEAT_WORD0 + (seat & 3), lane] = np.int64(word0)
        rows[at.SEAT_WORD1 + (seat & 3), lane] = np.int64(word1)


@kernel
def toss_and_draw(work, column, seed, players, drawn, more):
    """Toss the U&D card, and draw the fractions with which the cards are dealt.

    `more` is not empty if there are four piles to draw.
    """
    rows = work.rows
    product0, product1 = products_of(drawn[0])
    product2, product3 = products_of(drawn[1])
    product4, product5 = products_of(drawn[2])
    product6, product7 = products_of(drawn[3])
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        word0, word1 = start_of_stream(rows, lane, seed, rng.DEAL)
        word, word0, word1 = rng.step(word0, word1)
        side, again = first_below(word, 2 * players)
        rows[at.FACE, lane], leader = toss(side)
        rows[at.LEADER, lane] = leader
        rows[at.FIRST_SEAT, lane] = (
            leader if rows[at.ROUND, lane] == 1 else rows[at.FIRST_SEAT, lane]
        )
        first = at.FRACTION
        rows[first, lane], again0, word0, word1 = next_fraction(word0, word1, product0)
        rows[first + 1, lane], again1, word0, word1 = next_fraction(word0, word1, product1)
        rows[first + 2, lane], again2, word0, word1 = next_fraction(word0, word1, product2)
        rows[first + 3, lane], again3, word0, word1 = next_fraction(word0, word1, product3)
        rows[first + 4, lane], again4, word0, word1 = next_fraction(word0, word1, product4)
        rows[first + 5, lane], again5, word0, word1 = next_fraction(word0, word1, product5)
        again |= again0 | again1 | again2 | again3 | again4 | again5
        if len(more) > 0:
            rows[first + 6, lane], again6, word0, word1 = next_fraction(word0, word1, product6)
            rows[first + 7, lane], again7, word0, word1 = next_fraction(word0, word1, product7)
            again |= again6 | again7
        rows[at.AGAIN, lane] |= np.int64(again)


@outer_kernel
def throw_all_dice(work, column, seed, throws):
    """Throw the dice so many times, a multiple of five."""
    open_stream(work, column, seed, rng.CHANCE, np.int64(0))
    for first in range(0, throws, 5):
        throw_dice(work, column, FIELD * first)


@kernel
def throw_dice(work, column, place):
    """Throw the dice five times; the throws stand in `THROWS` from a bit on."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        word0 = np.uint64(rows[at.SEAT_WORD0, lane])
        word1 = np.uint64(rows[at.SEAT_WORD1, lane])
        again = False
        throws = np.int64(0)
        for i in range(5):
            word, word0, word1 = rng.step(word0, word1)
            throw, rejected = first_below(word, 36)
            again |= rejected
            throws |= sum_of_dice(throw) << (FIELD * i)
        rows[at.SEAT_WORD0, lane] = np.int64(word0)
        rows[at.SEAT_WORD1, lane] = np.int64(word1)
        rows[at.THROWS, lane] = throws << place | (rows[at.THROWS, lane] if place > 0 else 0)
        rows[at.AGAIN, lane] |= np.int64(again)


@kernel
def leave_dice(work, column):
    """Throw no dice: nothing is trump [H2]."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        rows[at.THROWS, lane] = 0


@outer_kernel
def deal_hands(work, column, drawn, more):
    """Draw up to three piles, the last one first; for `more` see `draw_hand`."""
    clear_pile(work, column, 3)
    if drawn[2][0] > 0:
        deal_pile(work, column, drawn[2], (1, 1), (), more)
    else:
        clear_pile(work, column, 2)
    deal_pile(work, column, drawn[1], (1,), (1,), more)
    deal_pile(work, column, drawn[0], (), (1, 1), more)


@outer_kernel
def deal_usual_hands(work, column, drawn):
    """Draw three piles of hands by the rule text, or of as many cards."""
    if max(drawn[0][0], drawn[1][0]) <= _TWELVE:
        deal_hands(work, column, drawn, ())
    else:
        deal_hands(work, column, drawn, (1,))


@outer_kernel
def deal_four(work, column, drawn, more):
    """Draw four piles; for `more` see `draw_hand`."""
    deal_pile(work, column, drawn[3], (1, 1, 1), (), more)
    deal_pile(work, column, drawn[2], (1, 1), (1,), more)
    deal_pile(work, column, drawn[1], (1,), (1, 1), more)
    deal_pile(work, column, drawn[0], (), (1, 1, 1), more)


@kernel
def clear_pile(work, column, pile):
    """Draw nothing for a pile."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        rows[at.HAND + (pile & 3), lane] = 0


@kernel
def deal_pile(work, column, drawn, before, later, more):
    """Draw a pile; as many as `before` is long come before it, as `later` are drawn already."""
    rows = work.rows
    here = at.HAND + len(before)
    fraction = at.FRACTION + 2 * len(before)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        fractions = rows[fraction, lane], rows[fraction + 1, lane]
        one = rows[here + 1, lane] if len(later) > 0 else 0
        two = rows[here + 2, lane] if len(later) > 1 else 0
        if len(later) > 2:
            all_later = one, two, rows[here + 3, lane]
            found, one, two, rows[here + 3, lane] = draw_hand(fractions, drawn, all_later, more)
        else:
            found, one, two = draw_hand(fractions, drawn, (one, two), more)
        rows[here, lane] = found
        if len(later) > 0:
            rows[here + 1, lane] = one
        if len(later) > 1:
            rows[here + 2, lane] = two


@kernel
def set_up(work, column, players, hand_size, shifts):
    """Give everybody a hand, as a card set, and set turn and first trump."""
    rows = work.rows
    shift0, shift1, shift2, shift3 = shifts
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        pile = at.HAND
        piles = rows[pile, lane], rows[pile + 1, lane], rows[pile + 2, lane], rows[pile + 3, lane]
        hands = hands_of(piles, players, hand_size)
        for seat in range(SEATS):
            rows[at.HAND + seat, lane] = hands[seat]
        rows[at.TURN, lane] = of_seat(rows[at.LEADER, lane], shift0, shift1, shift2, shift3)
        rows[at.TRUMP, lane] = np.int64(1) << (rows[at.THROWS, lane] & _FIELD)
        rows[at.USED, lane] = FIELD
        rows[at.PLAYED, lane] = 0


@inline_kernel
def list_next(cards, values, place):
    """Add the value of the lowest card of a set to a list, from a bit on; return rest and list."""
    number = popcount(~cards & (cards - 1))
    return cards & (cards - 1), values | (number & _FIELD) << place


@inline_kernel
def list_some(cards, values, first, end):
    """List the values of the lowest cards from number `first` to `end`."""
    for i in range(first, end):
        cards, values = list_next(cards, values, FIELD * i)
    return cards, values


@inline_kernel
def list_colours(cards):
    """Return the colours of the cards of a set, in order."""
    first = popcount(cards & _BEFORE[0])
    second = popcount(cards & _BEFORE[1])
    third = popcount(cards & _BEFORE[2])
    ones = np.int64(IN_ALL_FIELDS)
    return (ones << (FIELD * first)) + (ones << (FIELD * second)) + (ones << (FIELD * third))


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


@inline_kernel
def play_some(rows, lane, card, hand_size, listed, first, end):
    """Play listed cards in the tricks from `first` to `end`; return what is left."""
    values, colours, fraction = listed
    for i in range(first, end):
        left = max(hand_size - i, 1)
        played, values, colours, fraction = play_listed(values, colours, fraction, left)
        rows[card + SEATS * i, lane] = played
    return values, colours, fraction


@kernel
def draw_fractions(work, column, seed, seat, products):
    """Draw the fractions for the order of a hand, for changes, and if there is one a third."""
    rows = work.rows
    purpose = rng.FIRST_SEAT_STREAM + seat
    change = at.SEAT_CHANGE + (seat & 3)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        word0, word1 = start_of_stream(rows, lane, seed, purpose)
        rows[at.ORDER, lane], again0, word0, word1 = next_fraction(word0, word1, products[0])
        rows[change, lane], again1, word0, word1 = next_fraction(word0, word1, products[1])
        again = again0 | again1
        if len(products) > 2:
            rows[at.LATER, lane], again2, word0, word1 = next_fraction(word0, word1, products[2])
            again |= again2
        rows[at.AGAIN, lane] |= np.int64(again)


@kernel
def play_hand(work, column, seat, hand_size, more):
    """Play the hand of a seat to its end, in the order drawn.

    There are up to `FEWEST_CARDS`, with one number in `more` up to `USUAL_HAND`, with two up to
    `FEW_TRICKS`.
    """
    rows = work.rows
    card = at.CARD + (seat & 3)
    hand = at.HAND + (seat & 3)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        cards = rows[hand, lane]
        fraction = np.uint64(rows[at.ORDER, lane])
        colours = list_colours(cards)
        cards, values = list_some(cards, np.int64(0), 0, FEW_TRICKS)
        if len(more) < 2:
            cards, values = list_some(cards, values, FEW_TRICKS, FEWEST_CARDS)
        if len(more) == 1:
            cards, values = list_some(cards, values, FEWEST_CARDS, USUAL_HAND)
        listed = values, colours, fraction
        listed = play_some(rows, lane, card, hand_size, listed, 0, FEW_TRICKS)
        if len(more) < 2:
            listed = play_some(rows, lane, card, hand_size, listed, FEW_TRICKS, FEWEST_CARDS)
        if len(more) == 1:
            play_some(rows, lane, card, hand_size, listed, FEWEST_CARDS, USUAL_HAND)


@outer_kernel
def play_large_hand(work, column, seat, hand_size):
    """Play the hand of a seat to its end where it is too large for a list in one word."""
    move_row(work, column, at.HAND + (seat & 3), at.ABLE)
    for trick in range(hand_size):
        left = hand_size - trick
        if left == LATER_CARDS:
            move_row(work, column, at.LATER, at.ORDER)
        play_next(work, column, trick, seat, left)


@kernel
def move_row(work, column, source, target):
    """Copy a row of all lanes to another one."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        rows[target, lane] = rows[source, lane]


@kernel
def play_next(work, column, trick, seat, left):
    """Play one of the cards in the row `ABLE`, where those left stand then."""
    rows = work.rows
    card = at.CARD + SEATS * (trick & at.TRICKS_MASK) + (seat & 3)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        cards = rows[at.ABLE, lane]
        index, fraction = draw(np.uint64(rows[at.ORDER, lane]), left)
        played = np.int64(1) << nth_bit(cards, index)
        rows[at.ORDER, lane] = np.int64(fraction)
        rows[at.ABLE, lane] = cards ^ played
        rows[card, lane] = played


@kernel
def sort_changes(work, column, players):
    """Sort the fractions for the changes of the rules by who leads."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        leader = rows[at.LEADER, lane]
        change0 = rows[at.SEAT_CHANGE, lane]
        change1 = rows[at.SEAT_CHANGE + 1, lane]
        change2 = rows[at.SEAT_CHANGE + 2, lane]
        change3 = rows[at.SEAT_CHANGE + 3, lane]
        for i in range(SEATS):
            seat = leader + i
            seat -= players if seat >= players else 0
            rows[at.CHANGE + i, lane] = of_seat(seat, change0, change1, change2, change3)
