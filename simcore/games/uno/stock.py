"""UNO: the stock, shuffled as far as it is needed, and the discard pile that replaces it.

The cards of the stock are the first `table.stock_size` of `box.stock`, the next card to draw last.
The first `box.loose` of them lie in no order yet: `shuffle_some` puts a few more in order when they
are due (Fisher and Yates' shuffle, a piece at a time), from the round's deal stream alone. So the
k-th card from the stock is the same whoever draws it. Where each seat draws along an order of its
own (see `orders`) the stock is a set of numbers instead, and a card is put on top when a seat is to
draw it.
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
from simcore.games.uno.orders import find_number, numbers_of, open_orders, take_number
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

    A stock is renewed when a card is due and there is none, not before. Where each seat draws along
    its own order the next number in it is found.
    """
    if table.stock_size == 0:
        renew_stock(table, box)
        if box.coupling == BY_SEAT:
            open_orders(table, box, box.renewals + 1)
    if box.coupling != BY_SEAT:
        shuffle_some(box, min(box.loose, PIECE))
    elif table.stock_size > 0:
        find_number(box, index)
    return table.stock_size > 0


@kernel
def bring_card(table, box, index):
    """See that the card that a seat draws next lies on top of the stock; False without a card."""
    found = prepare_stock(table, box, index)
    if found and box.coupling == BY_SEAT:
        take_number(table, box, index)
    return found


@inline_kernel
def draw_card(table, box, index):
    """Let a seat draw a card; return its kind, or `NO_CARD` when there is none [C18]."""
    if table.stock_size == box.loose and not bring_card(table, box, index):
        return np.int64(NO_CARD)
    size = table.stock_size - 1
    kind = np.int64(box.stock[np.uint32(size)])
    table.stock_size = size
    seat = box.seats[index]
    seat.hand, seat.doubles = put(seat.hand, seat.doubles, np.int64(1) << kind)
    table.cards[index] += 1
    return kind


@kernel
def draw_cards(table, box, index, count):
    """Make a seat draw some cards, or as many as there are [C18] [C25]."""
    for _ in range(count):
        draw_card(table, box, index)
    table.drew_on[index] = NEVER


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
    table.discards = np.int64(1) << kind
    table.discard_doubles = 0
    left = cards_not_held(table, box, kind)
    size = put_all(box, left[0], 0)
    size = put_all(box, left[1], size)
    size = put_many(box, WILD, left[2], size)
    size = put_many(box, WILD_DRAW_FOUR, left[3], size)
    note_numbers(box, left)
    box.loose = size
    table.stock_size = size
    table.stocked += size
    table.metrics[RESHUFFLES] += np.int64(size > 0)


@inline_kernel
def note_numbers(box, left):
    """Note the stock as a set of numbers, from what `cards_not_held` returned."""
    if box.coupling == BY_SEAT:
        box.left[0], box.left[1] = numbers_of(left[0], left[1], left[2], left[3])


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
    bit = np.int64(1) << kind
    table.discards, table.discard_doubles = put(table.discards, table.discard_doubles, bit)
