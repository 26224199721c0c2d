"""UNO: the stock, shuffled as far as it is needed, and the discard pile that replaces it.

The cards of the stock are the first `table.stock_size` of `box.stock`, the next card to draw last.
The first `box.loose` of them lie in no order yet: `shuffle_some` puts a few more in order when they
are due (Fisher and Yates' shuffle, a piece at a time), from the round's deal stream alone. So the
k-th card from the stock is the same whoever draws it. Where each seat draws along an order of its
own (see `orders`) the stock is a card set instead, and a card is put on top when a seat is to draw
it.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import lowest_bit
from simcore.games.uno.cards import (
    DECK,
    DECK_CARDS,
    DECK_DOUBLES,
    DECK_SIZE,
    DRAW_FOUR_NAMED,
    WILD,
    WILD_DRAW_FOUR,
    WILD_NAMED,
    count_of,
    put,
)
from simcore.games.uno.orders import bring_next_card, open_orders
from simcore.games.uno.table import BY_SEAT, NEVER, NO_CARD, RESHUFFLES
from simcore.jit import inline_kernel, kernel

PIECE = 24
"""How many cards are put in order at a time."""

WILDS_OF_A_KIND = 4


@inline_kernel
def fill_stock(table, box):
    """Make the stock the whole deck [R1]."""
    for place in range(DECK_SIZE):
        box.stock[place] = DECK[place]
    box.loose = DECK_SIZE
    table.stock_size = DECK_SIZE


@kernel
def shuffle_some(box, count):
    """Put the next `count` cards of the stock in order; there must be as many loose ones."""
    loose = box.loose
    word0 = box.deal_rng[0]
    word1 = box.deal_rng[1]
    for _ in range(count):
        number, word0, word1 = rng.below_by_words(box.deal_rng, word0, word1, loose)
        loose -= 1
        place = np.uint32(number)
        kind = box.stock[place]
        box.stock[place] = box.stock[np.uint32(loose)]
        box.stock[np.uint32(loose)] = kind
    box.deal_rng[0] = word0
    box.deal_rng[1] = word1
    box.loose = loose


@kernel
def prepare_stock(table, box, index):
    """Put cards for a seat in order, from a new stock if there is none [C17]; False without a card.

    A stock is renewed when a card is due and there is none, not before.
    """
    if table.stock_size == 0:
        renew_stock(table, box)
        if box.coupling == BY_SEAT:
            note_stock(table, box)
            open_orders(table, box, box.renewals + 1)
    if box.coupling != BY_SEAT:
        shuffle_some(box, min(box.loose, PIECE))
    elif table.stock_size > 0:
        bring_next_card(table, box, index)
    return table.stock_size > 0


@inline_kernel
def draw_card(table, box, index):
    """Let a seat draw a card; return its kind, or `NO_CARD` when there is none [C18]."""
    if table.stock_size == box.loose and not prepare_stock(table, box, index):
        return np.int64(NO_CARD)
    size = table.stock_size - 1
    kind = np.int64(box.stock[np.uint32(size)])
    table.stock_size = size
    seat = box.seats[index]
    seat.hand, seat.doubles = put(seat.hand, seat.doubles, kind)
    table.cards[index] += 1
    return kind


@kernel
def draw_cards(table, box, index, count):
    """Make a seat draw some cards, or as many as there are [C18] [C25]."""
    if table.stock_size - box.loose >= count:
        table.stock_size = draw_ready_cards(table, box, index, count, table.stock_size)
        return
    for _ in range(count):
        draw_card(table, box, index)
    table.drew_on[index] = NEVER


@inline_kernel
def draw_ready_cards(table, box, index, count, size):
    """Make a seat draw cards that lie in order in a stock of `size`; return the new size."""
    seat = box.seats[index]
    hand = seat.hand
    doubles = seat.doubles
    for _ in range(count):
        size -= 1
        hand, doubles = put(hand, doubles, np.int64(box.stock[np.uint32(size)]))
    seat.hand = hand
    seat.doubles = doubles
    table.cards[index] += count
    table.drew_on[index] = NEVER
    return size


@inline_kernel
def card_on_top(table):
    """Return the kind of the card on top of the discard pile, whatever colour was named."""
    kind = np.int64(table.top)
    if kind >= DRAW_FOUR_NAMED:
        kind = np.int64(WILD_DRAW_FOUR)
    elif kind >= WILD_NAMED:
        kind = np.int64(WILD)
    return kind


@kernel
def renew_stock(table, box):
    """Make the discards but the top card the stock [R18] [C17].

    They are all cards that nobody holds. A wild card is as colourless as it was.
    """
    kind = card_on_top(table)
    cards, doubles, wilds, wild_draw_fours = cards_not_held(table, box, kind)
    size = put_all(box, cards, 0)
    size = put_all(box, doubles, size)
    size = put_many(box, WILD, wilds, size)
    size = put_many(box, WILD_DRAW_FOUR, wild_draw_fours, size)
    box.loose = size
    table.stock_size = size
    table.stocked += size
    table.metrics[RESHUFFLES] += np.int64(size > 0)
    table.discards = np.int64(1) << kind
    table.discard_doubles = 0
    return size


@inline_kernel
def cards_not_held(table, box, kind):
    """Return the coloured cards that are in no hand and not on top, and how many of either wild.

    The coloured ones are a card set in which a kind's second card may be without the first.
    """
    held, held_twice = np.int64(1) << kind, np.int64(0)
    wilds = WILDS_OF_A_KIND - np.int64(kind == WILD)
    wild_draw_fours = WILDS_OF_A_KIND - np.int64(kind == WILD_DRAW_FOUR)
    for index in range(table.players):
        seat = box.seats[index]
        held_twice |= seat.doubles | (held & seat.hand)
        held |= seat.hand
        wilds -= count_of(seat.hand, seat.doubles, WILD)
        wild_draw_fours -= count_of(seat.hand, seat.doubles, WILD_DRAW_FOUR)
    return DECK_CARDS & ~held, DECK_DOUBLES & ~held_twice, wilds, wild_draw_fours


@kernel
def note_stock(table, box):
    """Note the stock as a card set, when it has all cards that nobody holds but the top card."""
    cards, doubles, wilds, wild_draw_fours = cards_not_held(table, box, card_on_top(table))
    for _ in range(wilds):
        cards, doubles = put(cards, doubles, WILD)
    for _ in range(wild_draw_fours):
        cards, doubles = put(cards, doubles, WILD_DRAW_FOUR)
    box.left[0] = cards
    box.left[1] = doubles


@inline_kernel
def put_all(box, cards, size):
    """Add a card of every kind among `cards` to the stock of `size`; return the new size."""
    while cards:
        box.stock[np.uint32(size)] = lowest_bit(cards)
        cards &= cards - 1
        size += 1
    return size


@inline_kernel
def put_many(box, kind, count, size):
    """Add `count` cards of a kind to the stock of `size`; return the new size."""
    for _ in range(count):
        box.stock[np.uint32(size)] = kind
        size += 1
    return size


@inline_kernel
def discard(table, kind):
    """Add a card to the discard pile."""
    table.discards, table.discard_doubles = put(table.discards, table.discard_doubles, kind)
