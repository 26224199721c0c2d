"""UNO: the stock of a match that is played in a lane (see `lanes`).

Like `stock`, except that the cards that lie in order are in the lane's row of `stocks`.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import lowest_bit, popcount
from simcore.games.uno import table as uno
from simcore.games.uno.cards import (
    DECK_CARDS,
    DECK_DOUBLES,
    KINDS,
    WILD,
    WILD_DRAW_FOUR,
    count_of,
)
from simcore.games.uno.lane_choice import with_count
from simcore.games.uno.lane_steps import (
    BLANK,
    CARDS,
    COUNTS,
    DISCARD_DOUBLES,
    DISCARDS,
    DOUBLES,
    FOURS,
    HAND,
    PENDING,
    REVERSALS,
    SEAT,
    SIZE,
    TURNS,
    book,
    fetch,
    put_bit,
)
from simcore.games.uno.play import note_idle_turn, seat_from
from simcore.games.uno.stock import shuffle_some
from simcore.jit import inline_kernel, kernel

AT_ONCE = 8
"""How many kinds are written to a stock together; behind it is room for them."""

BEYOND = 1 << KINDS

MANY = 0xC000_C000 | 0xE0 << FOURS
"""Bits of `COUNTS`: with one of them set, another stock's worth might not fit."""

_ZEROS = DECK_CARDS & ~DECK_DOUBLES


@inline_kernel
def put_piece(box, work, lane):
    """Put some more cards of the stock in order and into a lane; return how many."""
    count = min(box.loose, work.piece)
    shuffle_some(box, count)
    return put_ready(box, work, lane, count)


@inline_kernel
def put_ready(box, work, lane, count):
    """Put the first cards of the stock that lie in order into a lane; return their number."""
    for place in range(count):
        work.stocks[lane, 1 + place] = box.stock[box.loose + place]
    return count


@kernel
def refill(table, box, work, lane):
    """Look after a lane that is to draw a card when its stock is empty.

    Return whether the lane can go on by itself.
    """
    lanes = work.lanes
    at = work.column + lane
    if lanes[PENDING, at]:
        draw_forced(table, box, work, lane)
    else:
        size = restock(table, box, work, lane)
        if size == 0:
            if not note_idle_turn_in(table, work, lane):
                return False
            work.stocks[lane, 1] = BLANK  # Instead of a card the seat draws nothing.
            size = 1
        lanes[SIZE, at] = size
    fetch(work, lane)
    return True


@inline_kernel
def draw_forced(table, box, work, lane):
    """Let a seat draw the cards that it is made to draw, or as many as there are [C18]."""
    lanes = work.lanes
    at = work.column + lane
    seat = np.uint32(lanes[SEAT, at])
    hand = work.seats[lane, seat, HAND]
    doubles = work.seats[lane, seat, DOUBLES]
    size = lanes[SIZE, at]
    for _ in range(lanes[PENDING, at]):
        if size == 0:
            size = restock(table, box, work, lane)
            if size == 0:
                break
        kind = np.int64(work.stocks[lane, np.uint32(size)])
        hand, doubles = put_bit(hand, doubles, np.int64(1) << kind)
        size -= 1
    work.seats[lane, seat, HAND] = hand
    work.seats[lane, seat, DOUBLES] = doubles
    cards = popcount(hand) + popcount(doubles)
    lanes[CARDS, at] = with_count(lanes[CARDS, at], seat, cards)
    lanes[SIZE, at] = size
    lanes[PENDING, at] = 0
    lanes[SEAT, at] = seat_from(seat, table.players, lanes[REVERSALS, at], 1)
    lanes[TURNS, at] += 1


@inline_kernel
def restock(table, box, work, lane):
    """Put more cards into a lane, in order; return their number."""
    if box.loose > 0:
        return put_piece(box, work, lane)
    return renew(table, box, work, lane)


@kernel
def renew(table, box, work, lane):
    """Make the discards the stock [R18] [C17], as `stock.renew_stock`; return its size."""
    lanes = work.lanes
    at = work.column + lane
    stock = work.stocks[lane]
    cards = lanes[DISCARDS, at]
    doubles = lanes[DISCARD_DOUBLES, at]
    if cards == 0:
        return 0
    if lanes[COUNTS, at] & MANY:
        book(table, work, lane)
    size = put_all(stock, (cards & _ZEROS) | (doubles & DECK_DOUBLES), 0)
    size = put_all(stock, cards & DECK_DOUBLES, size)
    size = put_four(stock, WILD, count_of(cards, doubles, WILD), size)
    size = put_four(stock, WILD_DRAW_FOUR, count_of(cards, doubles, WILD_DRAW_FOUR), size)
    shuffle(stock, box, size)
    lanes[DISCARDS, at] = 0
    lanes[DISCARD_DOUBLES, at] = 0
    work.renewed[lane] = 1
    table.stocked += size
    table.metrics[uno.RESHUFFLES] += 1
    return size


@inline_kernel
def put_all(stock, cards, size):
    """Add a card of every kind among `cards` to a stock of `size`; return the new size.

    Several at once, some of them nothing, because nobody can foresee how many there are.
    """
    while True:
        place = np.uint32(size)
        size += min(popcount(cards), AT_ONCE)
        for _ in range(AT_ONCE):
            place += np.uint32(1)
            stock[place] = lowest_bit(cards | BEYOND)
            cards &= cards - 1
        if cards == 0:
            return size


@inline_kernel
def put_four(stock, kind, count, size):
    """Add `count` cards of a kind, at most four, to a stock of `size`; return the new size."""
    for place in range(4):
        stock[np.uint32(size + 1 + place)] = kind
    return size + count


@inline_kernel
def shuffle(stock, box, size):
    """Shuffle a stock of `size` as `stock.shuffle_some`."""
    word0 = box.deal_rng[0]
    word1 = box.deal_rng[1]
    for left in range(size, 0, -1):
        number, word0, word1 = rng.below_by_words(box.deal_rng, word0, word1, left)
        place = np.uint32(number) + np.uint32(1)
        card = stock[place]
        stock[place] = stock[np.uint32(left)]
        stock[np.uint32(left)] = card
    box.deal_rng[0] = word0
    box.deal_rng[1] = word1


@inline_kernel
def note_idle_turn_in(table, work, lane):
    """Note a turn in which there is nothing to draw [C18]; False if that aborts the match."""
    lanes = work.lanes
    at = work.column + lane
    turns = lanes[TURNS, at]
    idle = table.idle_turns + 1 if table.last_idle_turn == turns - 1 else 1
    if idle >= table.players:
        return False
    table.turns = turns
    note_idle_turn(table)
    return True
