"""UP & DOWN: the start of a round in the lanes of vector registers; see `lanes`.

Of seats that play at random the order of the hand is drawn then, and all of its cards are laid out
by tricks.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import lowest_bit
from simcore.games.updown import lane_rows as at
from simcore.games.updown.cards import of_seat
from simcore.games.updown.deal import LATER_CARDS, deal_hands, draw_decisions, sum_of_dice, toss
from simcore.games.updown.draws import draw
from simcore.games.updown.lane_rows import LANES, rules_by
from simcore.games.updown.play import FIELD
from simcore.games.updown.spec import DODGES, HOW
from simcore.games.updown.table import SEATS, USUAL_HAND
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import blend, first_below, lanes_from
from simcore.match import all_random
from simcore.records import RANDOM
from simcore.vectors import LANES as EIGHT
from simcore.vectors import choose, eight_at, put_eight, rotated
from simcore.wide import SIXTEEN, put_sixteen, sixteen_at, times

MOST_THROWS = 15
"""As many throws as one word has room for."""

_DICE = 36
CARD_BITS = 6
"""Bits of a card in a list."""

IN_LIST = 10
"""Cards in a list."""

_LIST_BITS = IN_LIST * CARD_BITS
_ALL_IN_LIST = (1 << _LIST_BITS) - 1
_LAST = -1 << 63


@outer_kernel
def open_rounds(work, column, table, box, dials):
    """Begin a round in all lanes: toss the U&D card, deal, throw the dice."""
    open_stream(work, column, rng.DEAL, np.int64(0))
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    deal_all(work, column, table.players, table.hand_size, shifts)
    if rules_by(dials).dice != 0:
        open_stream(work, column, rng.CHANCE, np.int64(0))
        throw_dice(work, column, throws_of_round(table.hand_size, all_random(table, box)))
    else:
        throw_dice(work, column, 0)  # [H2]


@inline_kernel
def throws_of_round(hand_size, at_random):
    """Return how many throws will do for nearly all matches; at random few changes are rolls."""
    few = min(hand_size // 2 + 5, MOST_THROWS) if at_random else MOST_THROWS
    return min(hand_size + 2, few)


@outer_kernel
def mix_rounds(work, column, seed, players):
    """Note of all streams what is the same in all matches of a round."""
    mix_stream(work, column, seed, rng.DEAL)
    mix_stream(work, column, seed, rng.CHANCE)
    for seat in range(players):
        mix_stream(work, column, seed, rng.FIRST_SEAT_STREAM + seat)


@kernel
def mix_stream(work, column, seed, purpose):
    """Do so of the streams of a purpose."""
    rows = work.rows
    number = purpose & at.PURPOSES_MASK
    for lane in lanes_from(column, LANES):
        word, mixed = rng.round_words(seed, rows[at.ROUND, lane], purpose)
        rows[at.ROUND_WORD + number, lane] = np.int64(word)
        rows[at.ROUND_MIXED + number, lane] = np.int64(mixed)


@kernel
def open_stream(work, column, purpose, seat):
    """Open the streams of a purpose (`mix_rounds`); they stand where those of a seat do."""
    rows = work.rows
    number = purpose & at.PURPOSES_MASK
    for lane in lanes_from(column, LANES):
        word = np.uint64(rows[at.ROUND_WORD + number, lane])
        of_round = word, np.uint64(rows[at.ROUND_MIXED + number, lane])
        word0, word1 = rng.start_in(of_round, np.uint64(rows[at.KEY, lane]))
        rows[at.SEAT_WORD0 + (seat & 3), lane] = np.int64(word0)
        rows[at.SEAT_WORD1 + (seat & 3), lane] = np.int64(word1)


@kernel
def deal_all(work, column, players, hand_size, shifts):
    """Toss the U&D card, give everybody a hand, as a card set, and set the turn."""
    rows = work.rows
    for start in range(column, column + LANES, SIXTEEN):
        words = sixteen_at(rows, at.SEAT_WORD0, start), sixteen_at(rows, at.SEAT_WORD1, start)
        word, word0, word1 = rng.step_signed(words[0], words[1])
        side, again = first_below(word, 2 * players)
        face, leader = toss(side)
        put_sixteen(rows, at.FACE, start, face)
        put_sixteen(rows, at.LEADER, start, leader)
        is_first = sixteen_at(rows, at.ROUND, start) == 1
        first_seat = choose(is_first, leader, sixteen_at(rows, at.FIRST_SEAT, start))
        put_sixteen(rows, at.FIRST_SEAT, start, first_seat)
        put_sixteen(rows, at.AGAIN, start, sixteen_at(rows, at.AGAIN, start) | choose(again, 1, 0))
        hands = deal_hands(players, hand_size, (word0, word1))
        put_sixteen(rows, at.HAND, start, hands[0])
        put_sixteen(rows, at.HAND + 1, start, hands[1])
        put_sixteen(rows, at.HAND + 2, start, hands[2])
        put_sixteen(rows, at.HAND + 3, start, hands[3])
        put_sixteen(rows, at.TURN, start, of_seat(leader, shifts))
        put_sixteen(rows, at.PLAYED, start, 0)


@kernel
def throw_dice(work, column, count):
    """Throw the dice so often, and list the throws that are unlike the one before [R11] [C6]."""
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        word0, word1 = eight_at(rows, at.SEAT_WORD0, start), eight_at(rows, at.SEAT_WORD1, start)
        throws = word0 & 0
        last = throws
        place = throws - FIELD
        again = throws != 0
        for _ in range(count):
            word, word0, word1 = rng.step_signed(word0, word1)
            throw, rejected = first_below(word, _DICE)
            again = again | rejected
            found = sum_of_dice(throw)
            place = choose(found == last, place, place + FIELD)
            throws = throws | (found << place)
            last = found
        put_eight(rows, at.THROWS, start, throws)
        put_eight(rows, at.AGAIN, start, eight_at(rows, at.AGAIN, start) | choose(again, 1, 0))


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
        first, second = rows[at.SEAT_CHANGE, lane], rows[at.SEAT_CHANGE + 1, lane]
        third, fourth = rows[at.SEAT_CHANGE + 2, lane], rows[at.SEAT_CHANGE + 3, lane]
        for i in range(SEATS):
            seat = leader + i
            seat -= players if seat >= players else 0
            rows[at.CHANGE + i, lane] = of_seat(seat, (first, second, third, fourth))


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
            listed = listed | (lowest_bit(cards) << (CARD_BITS * i))
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
