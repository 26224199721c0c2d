"""Up or down?: the start of matches, and random numbers, in the lanes of vector registers.

Numbers are the same as in a single match; see `lanes`.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.upordown import rows as at
from simcore.games.upordown.deal import UNUSED_FLOORS, circle_of, hand_of
from simcore.games.upordown.dials import rules_by
from simcore.games.upordown.rows import put_where, row_of
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import LANES, LINE, lanes_from
from simcore.vectors import LANES as EIGHT
from simcore.vectors import choose, one_at, put_one, some, spread
from simcore.vectors import lane as number_in

HALF = (1 << 32) - 1
COINS_LEFT = (HALF << 31) | HALF
NEW_COIN = np.uint64(1 << 63)


@outer_kernel
def deal_matches(work, column, seed, first, table, box, dials):
    """Begin the matches of which the rows have the number and the seat that starts."""
    open_deals(work, column, seed, first)
    shuffle_all(work, column, table.card_count)
    deal_all(work, column, table, box.face_up_size, dials)
    for index in range(table.players):
        open_seats(work, column, seed, index, table.players)


@kernel
def open_deals(work, column, seed, first):
    """Open the streams of the deals, in the place of those of the first seats."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        key = rng.match_key(seed, first + rows[at.MATCH, lane])
        word0, word1 = rng.start_of(seed, key, 1, rng.DEAL)
        rows[at.KEY, lane] = np.int64(key)
        rows[row_of(0, at.WORD0), lane] = np.int64(word0)
        rows[row_of(0, at.WORD1), lane] = np.int64(word1)


@kernel
def shuffle_all(work, column, cards):
    """Shuffle the decks, as `deal.shuffle` does."""
    first = column & (LINE - 1)
    for card in range(1, cards + 1, 2):
        for start in range(first, first + LANES, EIGHT):
            word = draw_word(work.rows, start, row_of(0, 0))
            put_in_all(work, start, start - first, card, (word >> 32) & HALF)
            if card < cards:
                put_in_all(work, start, start - first, card + 1, word & HALF)


@inline_kernel
def put_in_all(work, start, offset, card, halves):
    """Put the next card at a random place in each deck, as `deal.put_in` does."""
    rows, decks = work.rows, work.decks
    places = pick_below(rows, start, row_of(0, 0), halves, spread(np.uint32(card))) + 1
    put_one(rows, at.PRODUCT, start, places)
    here = np.uint32(card)
    for lane in range(EIGHT):
        place = np.uint32(rows[at.PRODUCT, start + lane])
        decks[here, offset + lane] = decks[place, offset + lane]
        decks[place, offset + lane] = card


@kernel
def deal_all(work, column, table, face_up_size, dials):
    """Deal from the decks, as `deal.start_round` does."""
    rows = work.rows
    players = table.players
    hand_cards, circle_cards = rules_by(dials).hand_cards, rules_by(dials).circle_cards
    draw_cards = table.card_count - circle_cards - hand_cards * players
    for offset in range(0, LANES, EIGHT):
        start = column + offset
        first = one_at(rows, at.FIRST, start)
        place = draw_cards + 1
        for seat in range(players):
            hand = hand_of(work.decks, place, offset, hand_cards)
            place += hand_cards
            index = choose(first > seat, seat + players, seat) - first
            for other in range(players):
                put_where(rows, row_of(other, at.HAND), start, index == other, hand)
            put_one(rows, row_of(seat, at.FLOORS), start, UNUSED_FLOORS)
        circle, low, high = circle_of(work.decks, place, offset, circle_cards)
        put_one(rows, at.CIRCLE, start, circle)
        put_one(rows, at.WIDE_LOW, start, low)
        put_one(rows, at.WIDE_HIGH, start, high)
        shown = one_at(work.decks, face_up_size, offset)
        put_one(rows, at.SHOWN, start, shown * table.open_pile)
        put_one(rows, at.UP_LEFT, start, face_up_size)
        put_one(rows, at.DOWN_LEFT, start, draw_cards - face_up_size)


@kernel
def open_seats(work, column, seed, index, players):
    """Open the streams of the seats, counted from those that start, and draw their coins."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        seat = rows[at.FIRST, lane] + index
        seat -= players if seat >= players else 0
        key, purpose = np.uint64(rows[at.KEY, lane]), rng.FIRST_SEAT_STREAM + seat
        word0, word1 = rng.start_of(seed, key, 1, purpose)
        word, word0, word1 = rng.step(word0, word1)
        rows[row_of(index, at.COINS), lane] = np.int64(word | NEW_COIN)
        rows[row_of(index, at.WORD0), lane] = np.int64(word0)
        rows[row_of(index, at.WORD1), lane] = np.int64(word1)


@inline_kernel
def draw_word(rows, start, seat):
    """Return the next word of random bits of a seat."""
    word, word0, word1 = rng.step_signed(
        one_at(rows, seat + at.WORD0, start), one_at(rows, seat + at.WORD1, start)
    )
    put_one(rows, seat + at.WORD0, start, word0)
    put_one(rows, seat + at.WORD1, start, word1)
    return word


@inline_kernel
def draw_half(rows, start, seat, moves):
    """Draw random bits for a place where there is a choice of these."""
    word0, word1 = one_at(rows, seat + at.WORD0, start), one_at(rows, seat + at.WORD1, start)
    word = draw_word(rows, start, seat)
    put_one(rows, at.HALF_WORD, start, (word >> 32) & HALF)
    is_only = (moves & (moves - 1)) == 0
    put_where(rows, seat + at.WORD0, start, is_only, word0)
    put_where(rows, seat + at.WORD1, start, is_only, word1)


@inline_kernel
def pick_below(rows, start, seat, half, bound):
    """Return a number below a bound from 32 random bits, as `rng.below_from` does.

    Now and then more bits are drawn from the seat's stream.
    """
    product = half * bound
    if some(((product & HALF) < bound) & (bound > 1)):
        put_one(rows, at.PRODUCT, start, product)
        for place in range(start, start + EIGHT):
            redraw(rows, seat, place, number_in(bound, place - start))
        product = one_at(rows, at.PRODUCT, start)
    return product >> 32


@kernel
def redraw(rows, seat, place, bound):
    """Draw more bits in a lane if the product that a number comes from may be biased."""
    product = np.uint64(rows[at.PRODUCT, place])
    if bound > 1 and (product & rng.HALF) < np.uint64(bound):
        stream = np.empty(2, np.uint64)
        stream[0] = rows[seat + at.WORD0, place]
        stream[1] = rows[seat + at.WORD1, place]
        rows[at.PRODUCT, place] = np.int64(rng.redraw(stream, np.uint64(bound), product))
        rows[seat + at.WORD0, place] = np.int64(stream[0])
        rows[seat + at.WORD1, place] = np.int64(stream[1])


@inline_kernel
def coins_at(rows, start, seat, which, scarce):
    """Return the coins of a seat; if they are `scarce`, used up ones are renewed where `which`."""
    coins = one_at(rows, seat + at.COINS, start)
    if scarce and some((coins == 1) & which):
        put_one(rows, at.PRODUCT, start, choose(which, coins, 0))
        for place in range(start, start + EIGHT):
            if rows[at.PRODUCT, place] == 1:
                word0, word1 = rows[seat + at.WORD0, place], rows[seat + at.WORD1, place]
                word, word0, word1 = rng.step(np.uint64(word0), np.uint64(word1))
                rows[seat + at.COINS, place] = np.int64(word | NEW_COIN)
                rows[seat + at.WORD0, place] = np.int64(word0)
                rows[seat + at.WORD1, place] = np.int64(word1)
        coins = one_at(rows, seat + at.COINS, start)
    return coins
