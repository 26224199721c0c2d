"""UNO: the stock, drawn from lazily, and the discard pile that replaces it."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.uno.cards import (
    DECK,
    DECK_SIZE,
    DRAW_FOUR_NAMED,
    KINDS,
    WILD,
    WILD_DRAW_FOUR,
    WILD_NAMED,
    count_of,
    put,
    take,
    take_wild,
)
from simcore.games.uno.table import NEVER, NO_CARD, RESHUFFLES
from simcore.jit import inline_kernel, kernel


@inline_kernel
def fill_stock(table, box):
    """Make the stock the whole deck [R1] and forget what was drawn."""
    for place in range(DECK_SIZE):
        box.stock[place] = DECK[place]
    table.stock_size = DECK_SIZE
    table.discards = 0
    table.discard_doubles = 0


@inline_kernel
def pick(box, size):
    """Return a random place among the `size` cards of the stock.

    The stock lies in no order: each draw takes one of its cards at random (Fisher and Yates'
    shuffle, only as far as it is needed), from the round's deal stream alone. So the k-th card from
    the stock is the same whoever draws it.
    """
    return np.uint32(rng.below(box.deal_rng, size))


@inline_kernel
def remove(box, place, size):
    """Take the card at a place out of a stock of `size` cards and return its kind."""
    kind = np.int64(box.stock[place])
    box.stock[place] = box.stock[np.uint32(size - 1)]
    return kind


@inline_kernel
def draw_card(table, box, index):
    """Let a seat draw a card; return its kind, or `NO_CARD` when there is none [C18]."""
    size = table.stock_size
    if size == 0:
        size = renew_stock(table, box)
        if size == 0:
            return np.int64(NO_CARD)
    kind = remove(box, pick(box, size), size)
    table.stock_size = size - 1
    seat = box.seats[index]
    seat.hand, seat.doubles = put(seat.hand, seat.doubles, kind)
    table.cards[index] += 1
    return kind


@kernel
def draw_cards(table, box, index, count):
    """Make a seat draw some cards, or as many as there are [C18] [C25]."""
    for _ in range(count):
        draw_card(table, box, index)
    table.drew_on[index] = NEVER


@kernel
def renew_stock(table, box):
    """Make the discards but the top card the stock [R18] [C17]; return how many cards it has.

    They are drawn from as they lie; a wild card is as colourless as it was.
    """
    top = table.top
    kind = np.int64(top)
    if top >= DRAW_FOUR_NAMED:
        kind = np.int64(WILD_DRAW_FOUR)
    elif top >= WILD_NAMED:
        kind = np.int64(WILD)
    if kind < WILD:
        cards, doubles = take(table.discards, table.discard_doubles, kind)
    else:
        cards, doubles = take_wild(table.discards, table.discard_doubles, kind)
    size = 0
    for other in range(KINDS):
        for _ in range(count_of(cards, doubles, other)):
            box.stock[size] = other
            size += 1
    table.discards = np.int64(1) << kind
    table.discard_doubles = 0
    table.stock_size = size
    table.stocked += size
    if size:
        table.metrics[RESHUFFLES] += 1
    return size


@inline_kernel
def discard(table, kind):
    """Add a card to the discard pile."""
    table.discards, table.discard_doubles = put(table.discards, table.discard_doubles, kind)
