"""UP & DOWN: the start of a round of random play, in the lanes of vector registers; see `lanes`.

Each loop over `LANES` is compiled to vector instructions: everything in it is arithmetic on numbers
and truth values; a branch would end the vectors.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.updown.cards import LANE, LOWEST, PLACES, SIDES, VALUES
from simcore.games.updown.deal import ALL_CHANGES, CARDS, FALLING
from simcore.games.updown.draws import FRACTION_BITS
from simcore.games.updown.lane_rows import (
    AGAIN,
    CARD,
    CHANGE,
    FACE,
    FIRST_SEAT,
    FRACTION,
    HAND,
    KEY,
    LANES,
    LEADER,
    ORDER,
    PLAYED,
    POT,
    REST,
    ROUND,
    SEAT_CHANGE,
    THROWS,
    TRUMP,
    TURN,
    USED,
    WORD0,
    WORD1,
)
from simcore.games.updown.table import MAX_HAND, SEATS
from simcore.jit import inline_kernel, kernel, outer_kernel, wrapping
from simcore.lanes import LINE, blend

FIELD = 4
"""Bits of a card's value, or its colour, in a list of cards."""

_FIELD = (1 << FIELD) - 1
_MASK = np.uint64((1 << FRACTION_BITS) - 1)
_SPARE_BITS = np.uint64(64 - FRACTION_BITS)
_UPPER_HALF = np.uint64(32)

FEWEST_CARDS = 11
"""In a hand."""

MOST_THROWS = 15
"""As many throws as one word has room for. With fewer tricks fewer will do as well."""

_ONES = sum(1 << place for place in range(0, FIELD * MAX_HAND, FIELD))
_BEFORE_SECOND = (1 << LANE) - 1
_BEFORE_THIRD = (1 << (2 * LANE)) - 1
_BEFORE_FOURTH = (1 << (3 * LANE)) - 1
_COLOUR_MASKS = tuple(VALUES << (LANE * colour) for colour in range(SIDES))
_WHOLE_DECK = (1 << CARDS) - 1


@outer_kernel
def open_rounds(work, column, seed, table):
    """Begin a round in all lanes: throw the dice and deal."""
    players = table.players
    hand_size = table.hand_size
    toss_and_draw(work, column, seed, players, hand_size)
    open_dice(work, column, seed)
    for throws in range(0, MOST_THROWS, 5):
        throw_dice(work, column, FIELD * throws)
    if players == SEATS:
        deal_hands(work, column, players, hand_size, ())
    else:
        deal_hands(work, column, players, hand_size, (1,))
    hold_hands(work, column, players)
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    set_rules(work, column, shifts)


@outer_kernel
def play_hands(work, column, seed, table):
    """Draw how everybody plays in a round of random play."""
    players = table.players
    hand_size = table.hand_size
    for seat in range(players):
        draw_order(work, column, seed, seat, hand_size)
        if players == SEATS:
            play_hand(work, column, seat, hand_size, ())
        else:
            play_hand(work, column, seat, hand_size, (1,))
    sort_changes(work, column, players)


@kernel
def hold_hands(work, column, players):
    """Give everybody a hand, as a card set; none to who is not there."""
    rows = work.rows
    has_third = -np.int64(players > 2)
    has_fourth = -np.int64(players > 3)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        rest = card_set(rows[REST, lane])
        second = card_set(rows[HAND + 1, lane])
        third = card_set(rows[HAND + 2, lane])
        rows[HAND, lane] = card_set(rows[HAND, lane])
        rows[HAND + 1, lane] = blend(has_third, second, rest)
        rows[HAND + 2, lane] = blend(has_fourth, third, rest & has_third)
        rows[HAND + 3, lane] = rest & has_fourth


@inline_kernel
@wrapping
def first_fraction(word, product):
    """Return the fraction in a random word, and whether it might be one to be drawn again."""
    fraction = word >> _SPARE_BITS
    return np.int64(fraction), ((fraction * product) & _MASK) < product


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
    fraction, again = first_fraction(word, product)
    return fraction, again, word0, word1


@inline_kernel
def start_of_stream(rows, lane, seed, purpose):
    """Return the two words with which a stream of the round starts."""
    return rng.start_of(seed, np.uint64(rows[KEY, lane]), rows[ROUND, lane], purpose)


@kernel
def toss_and_draw(work, column, seed, players, hand_size):
    """Toss the U&D card, and draw the fractions with which the cards are dealt."""
    rows = work.rows
    first = (hand_size + 1) >> 1
    size = CARDS - hand_size
    product0 = FALLING[CARDS, first]
    product1 = FALLING[CARDS - first, hand_size - first]
    count = size - hand_size if players == 2 else hand_size
    first = (count + 1) >> 1
    product2 = FALLING[size, first]
    product3 = FALLING[size - first, count - first]
    size -= hand_size
    count = max(0, size - hand_size)
    first = (count + 1) >> 1
    product4 = FALLING[size, first] if players > 2 else np.uint64(0)
    product5 = FALLING[size - first, count - first] if players > 2 else np.uint64(0)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        number = rows[ROUND, lane]
        word0, word1 = start_of_stream(rows, lane, seed, rng.DEAL)
        word, word0, word1 = rng.step(word0, word1)
        side, again = first_below(word, 2 * players)
        rows[FACE, lane] = side & 1
        rows[LEADER, lane] = side >> 1
        rows[FIRST_SEAT, lane] = side >> 1 if number == 1 else rows[FIRST_SEAT, lane]
        rows[FRACTION, lane], again0, word0, word1 = next_fraction(word0, word1, product0)
        rows[FRACTION + 1, lane], again1, word0, word1 = next_fraction(word0, word1, product1)
        rows[FRACTION + 2, lane], again2, word0, word1 = next_fraction(word0, word1, product2)
        rows[FRACTION + 3, lane], again3, word0, word1 = next_fraction(word0, word1, product3)
        rows[FRACTION + 4, lane], again4, word0, word1 = next_fraction(word0, word1, product4)
        rows[FRACTION + 5, lane], again5, word0, word1 = next_fraction(word0, word1, product5)
        again |= again0 | again1 | again2 | again3 | again4 | again5
        rows[AGAIN, lane] |= np.int64(again)
        rows[POT, lane] = 0


@kernel
def open_dice(work, column, seed):
    """Open the streams of the dice."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        word0, word1 = start_of_stream(rows, lane, seed, rng.CHANCE)
        rows[WORD0, lane] = np.int64(word0)
        rows[WORD1, lane] = np.int64(word1)
        rows[THROWS, lane] = 0


@kernel
def throw_dice(work, column, place):
    """Throw the dice five times; the throws stand in `THROWS` from a bit on."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        word0 = np.uint64(rows[WORD0, lane])
        word1 = np.uint64(rows[WORD1, lane])
        again = False
        throws = np.int64(0)
        for i in range(5):
            word, word0, word1 = rng.step(word0, word1)
            throw, rejected = first_below(word, 36)
            again |= rejected
            sixth = (throw * 43) >> 8  # Exact below 128.
            throws |= (throw - 5 * sixth + 2) << (FIELD * i)
        rows[WORD0, lane] = np.int64(word0)
        rows[WORD1, lane] = np.int64(word1)
        rows[THROWS, lane] |= throws << place
        rows[AGAIN, lane] |= np.int64(again)


@inline_kernel
def draw_place(fraction, size, index, count):
    """Return the place that is drawn as number `index`, as a bit, and the fraction left.

    No place once `count` are drawn.
    """
    product = fraction * np.uint64(size - index)
    place = np.int64(product >> np.uint64(FRACTION_BITS))
    return np.int64(index < count) << place, product & _MASK


@inline_kernel
def draw_places(fraction, size, count, more):
    """Draw up to six places, with `more` up to eight, each among those that the others leave."""
    fraction = np.uint64(fraction)
    one, fraction = draw_place(fraction, size, 0, count)
    two, fraction = draw_place(fraction, size, 1, count)
    three, fraction = draw_place(fraction, size, 2, count)
    four, fraction = draw_place(fraction, size, 3, count)
    five, fraction = draw_place(fraction, size, 4, count)
    six, fraction = draw_place(fraction, size, 5, count)
    if len(more) > 0:
        seven, fraction = draw_place(fraction, size, 6, count)
        eight, fraction = draw_place(fraction, size, 7, count)
        return one, two, three, four, five, six, seven, eight
    return one, two, three, four, five, six


@inline_kernel
def make_room(cards, place):
    """Return places counted as if `place`, a bit or 0, were not there, with it there."""
    return cards + (cards & -place)


@inline_kernel
def make_rooms(cards, places):
    """Do the same for places that were drawn one after another."""
    if len(places) > 6:
        cards = make_room(make_room(cards, places[7]), places[6])
    cards = make_room(make_room(cards, places[5]), places[4])
    cards = make_room(make_room(cards, places[3]), places[2])
    return make_room(make_room(cards, places[1]), places[0])


@inline_kernel
def put_in(cards, places):
    """Return the same, with these places among them."""
    if len(places) > 6:
        cards = make_room(make_room(cards, places[7]) | places[7], places[6]) | places[6]
    cards = make_room(make_room(cards, places[5]) | places[5], places[4]) | places[4]
    cards = make_room(make_room(cards, places[3]) | places[3], places[2]) | places[2]
    return make_room(make_room(cards, places[1]) | places[1], places[0]) | places[0]


@kernel
def deal_hand(work, column, size, count, later, more):
    """Draw `count` of `size` cards; those of as many hands as `later` is long are drawn already.

    With `more` there may be more than 12, up to 16.

    The last cards come first: each draw is from those that the draws before leave, and to undo
    this takes less than to find the card for each number.
    """
    rows = work.rows
    hand = HAND + 2 - len(later)
    fractions = FRACTION + 2 * (2 - len(later))
    first = (count + 1) >> 1
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        places = draw_places(rows[fractions, lane], size, first, more)
        second = count - first
        more_places = draw_places(rows[fractions + 1, lane], size - first, second, more)
        rows[hand, lane] = put_in(put_in(np.int64(0), more_places), places)
        if len(later) > 0:
            rows[hand + 1, lane] = make_rooms(make_rooms(rows[hand + 1, lane], more_places), places)
        if len(later) > 1:
            rows[hand + 2, lane] = make_rooms(make_rooms(rows[hand + 2, lane], more_places), places)
            taken = rows[hand, lane] | rows[hand + 1, lane] | rows[hand + 2, lane]
            rows[REST, lane] = _WHOLE_DECK & ~taken


@outer_kernel
def deal_hands(work, column, players, hand_size, more):
    """Deal the hands, the last one first; for `more` see `deal_hand`.

    Of the last one that is drawn, those that lie aside with two or three players.
    """
    size = CARDS - 2 * hand_size
    if players > 2:
        deal_hand(work, column, size, size - hand_size, (), more)
    size += hand_size
    count = size - hand_size if players == 2 else hand_size
    deal_hand(work, column, size, count, (1,), more)
    deal_hand(work, column, CARDS, hand_size, (1, 1), more)


@inline_kernel
def card_set(places):
    """Return a card set by the places of its cards in the whole deck."""
    cards = (places << LOWEST) & _COLOUR_MASKS[0]
    cards |= (places << (LOWEST + 5)) & _COLOUR_MASKS[1]
    cards |= (places << (LOWEST + 10)) & _COLOUR_MASKS[2]
    return cards | ((places << (LOWEST + 15)) & _COLOUR_MASKS[3])


@inline_kernel
def list_next(cards, values, place):
    """Add the value of the lowest card of a set to a list, from a bit on; return rest and list."""
    number = popcount(~cards & (cards - 1))
    return cards & (cards - 1), values | (number & _FIELD) << place


@inline_kernel
def list_colours(cards):
    """Return the colours of the cards of a set, in order."""
    first = popcount(cards & _BEFORE_SECOND)
    second = popcount(cards & _BEFORE_THIRD)
    third = popcount(cards & _BEFORE_FOURTH)
    ones = np.int64(_ONES)
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
    return np.int64(1) << (card & PLACES), values, colours, product & _MASK


@kernel
def draw_order(work, column, seed, seat, hand_size):
    """Draw how a seat will decide in the whole round, as `deal.draw_random_play` does."""
    rows = work.rows
    product = FALLING[hand_size, hand_size]
    purpose = rng.FIRST_SEAT_STREAM + seat
    change = SEAT_CHANGE + (seat & 3)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        word0, word1 = start_of_stream(rows, lane, seed, purpose)
        rows[ORDER, lane], again0, word0, word1 = next_fraction(word0, word1, product)
        rows[change, lane], again1, word0, word1 = next_fraction(word0, word1, ALL_CHANGES)
        rows[AGAIN, lane] |= np.int64(again0 | again1)


@kernel
def play_hand(work, column, seat, hand_size, more):
    """Play the hand of a seat to its end, in the order drawn.

    With `more` there are more cards than `FEWEST_CARDS`, else as many.
    """
    rows = work.rows
    card = CARD + (seat & 3)
    hand = HAND + (seat & 3)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        cards = rows[hand, lane]
        fraction = np.uint64(rows[ORDER, lane])
        colours = list_colours(cards)
        values = np.int64(0)
        for i in range(FEWEST_CARDS):
            cards, values = list_next(cards, values, FIELD * i)
        if len(more) > 0:
            for i in range(FEWEST_CARDS, MAX_HAND):
                cards, values = list_next(cards, values, FIELD * i)

        for i in range(5):
            left = hand_size - i
            played, values, colours, fraction = play_listed(values, colours, fraction, left)
            rows[card + SEATS * i, lane] = played
        for i in range(5, FEWEST_CARDS):
            left = hand_size - i
            played, values, colours, fraction = play_listed(values, colours, fraction, left)
            rows[card + SEATS * i, lane] = played
        if len(more) > 0:
            for i in range(FEWEST_CARDS, MAX_HAND):
                left = max(hand_size - i, 1)
                played, values, colours, fraction = play_listed(values, colours, fraction, left)
                rows[card + SEATS * i, lane] = played


@kernel
def set_rules(work, column, shifts):
    """Set turn and first trump."""
    rows = work.rows
    shift0, shift1, shift2, shift3 = shifts
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        rows[TURN, lane] = of_seat(rows[LEADER, lane], shift0, shift1, shift2, shift3)
        rows[TRUMP, lane] = np.int64(1) << (rows[THROWS, lane] & _FIELD)
        rows[USED, lane] = FIELD
        rows[PLAYED, lane] = 0


@kernel
def sort_changes(work, column, players):
    """Sort the fractions for the changes of the rules by who leads."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        leader = rows[LEADER, lane]
        change0 = rows[SEAT_CHANGE, lane]
        change1 = rows[SEAT_CHANGE + 1, lane]
        change2 = rows[SEAT_CHANGE + 2, lane]
        change3 = rows[SEAT_CHANGE + 3, lane]
        for i in range(SEATS):
            seat = leader + i
            seat -= players if seat >= players else 0
            rows[CHANGE + i, lane] = of_seat(seat, change0, change1, change2, change3)


@inline_kernel
def of_seat(seat, of0, of1, of2, of3):
    """Return what belongs to a seat."""
    one = of1 if seat == 1 else of0
    return (of3 if seat == 3 else of2) if seat >= 2 else one
