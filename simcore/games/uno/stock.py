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
from simcore.bits import note_bits, popcount
from simcore.games.uno.cards import (
    COLOURED,
    DRAW_FOUR_NAMED,
    LEVELS,
    WILD,
    WILD_DRAW_FOUR,
    WILD_NAMED,
    add,
    put_more,
)
from simcore.games.uno.orders import find_number, note_numbers, open_orders, take_number
from simcore.games.uno.table import BY_SEAT, METRIC, NEVER, NO_CARD, SPARE
from simcore.jit import inline_kernel, kernel

PIECE = 24
"""How many cards are put in order at a time."""


@inline_kernel
def fill_stock(table, box):
    """Make the stock the whole deck [R1]."""
    size = table.deck_size
    for place in range(size):
        box.stock[place] = table.deck[place]
    box.loose = size
    table.stock_size = size


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
    if box.coupling != BY_SEAT:
        shuffle_some(box, min(box.loose, PIECE))
    elif table.stock_size > 0:
        find_number(table, box, index)
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
    add(box.seats[index], np.int64(1) << kind)
    table.cards[index] += 1
    return kind


@kernel
def draw_cards(table, box, index, count):
    """Make a seat draw some cards, or as many as there are [C18] [C25]."""
    for _ in range(count):
        draw_card(table, box, index)
    if count > 0:
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

    A wild card is as colourless as it was.
    """
    kind = card_on_top(table)
    table.discards = np.int64(1) << kind
    table.discard_doubles = 0
    table.discard_pairs = 0
    put_back(table, box, *cards_not_held(table, all_held(table, box, kind)))


@inline_kernel
def only(bit):
    """Return how many cards are held of each kind where there is but one, as its bit.

    Such numbers are digits for all kinds at once: a word each for the ones, twos, fours and eights.
    """
    return np.int64(bit), np.int64(0), np.int64(0), np.int64(0)


@inline_kernel
def with_hand(held, cards, doubles, pairs):
    """Return how many cards are held of each kind, with the card set of one more hand."""
    ones, twos, fours, eights = held
    both = (cards & doubles) | (ones & (cards ^ doubles))
    more = (twos & (both | pairs)) | (both & pairs)
    ones ^= cards ^ doubles
    return ones, twos ^ both ^ pairs, fours ^ more, eights | (fours & more)


@inline_kernel
def held_of(held, kind):
    """Return how many wild cards of a kind are held."""
    ones, twos, fours, eights = held
    bits = np.int64(0b10101) << kind  # Third and fourth ones in a hand have bits of their own.
    count = popcount(ones & bits) + 2 * popcount(twos & bits)
    return count + 4 * popcount(fours & bits) + 8 * popcount(eights & bits)


@inline_kernel
def all_held(table, box, kind):
    """Return how many cards are in all hands and on top; `kind` is the card on top."""
    held = only(np.int64(1) << kind)
    for index in range(table.players):
        seat = box.seats[index]
        held = with_hand(held, seat.hand, seat.doubles, seat.pairs)
    return held


@inline_kernel
def cards_not_held(table, held):
    """Return the cards that are in no hand and not on top.

    Returns
    -------
    levels : tuple of int
        The coloured ones: of which kinds the first card is there, the second, third and fourth. A
        kind's second card may be there without the first.
    wilds, wild_draw_fours : int
        How many there are of either.
    """
    ones, twos, fours, _ = held
    levels = table.levels
    left = (
        levels[0] & ~(ones | twos | fours),
        levels[1] & ~(twos | fours),
        levels[2] & ~((twos & ones) | fours),
        levels[3] & ~fours,
    )
    wilds = table.wilds - held_of(held, WILD)
    return left, wilds, table.wild_draw_fours - held_of(held, WILD_DRAW_FOUR)


@inline_kernel
def cards_of(table, cards, doubles):
    """Return cards as `cards_not_held` does: one of some kinds, and two of some coloured ones.

    Of no kind there are more in the deck.
    """
    second = table.levels[1]
    none = np.int64(0)
    left = (doubles | (cards & ~second)) & COLOURED, cards & second, none, none
    return left, (cards >> WILD) & 1, (cards >> WILD_DRAW_FOUR) & 1


@inline_kernel
def put_back(table, box, levels, wilds, wild_draw_fours):
    """Make some cards the stock, told as by `cards_not_held`."""
    size = wilds + wild_draw_fours
    for level in range(LEVELS):
        size += popcount(levels[level])
    table.stock_size = size
    if box.coupling == BY_SEAT:
        note_numbers(table, box, levels, wilds, wild_draw_fours)
        open_orders(table, box, box.renewals + 1)
    else:
        put_loose(box, levels, wilds, wild_draw_fours)
    table.stocked += size
    table.metrics[METRIC.reshuffles] += np.int64(size > 0)


@inline_kernel
def put_loose(box, levels, wilds, wild_draw_fours):
    """Make some cards the stock, in no order."""
    size = 0
    for level in range(LEVELS):
        note_bits(box.stock, size, levels[level])
        size += popcount(levels[level])
    size = put_many(box, WILD, wilds, size)
    box.loose = put_many(box, WILD_DRAW_FOUR, wild_draw_fours, size)


@inline_kernel
def put_many(box, kind, count, size):
    """Add `count` cards of a kind, at most `SPARE`, to the stock of `size`; return the new size."""
    first = np.uint64(size)
    for place in range(SPARE):
        box.stock[first + np.uint64(place)] = kind
    return size + count


@inline_kernel
def discard(table, kind):
    """Add a card to the discard pile."""
    bit = np.int64(1) << kind
    second = table.discards & bit
    if table.discard_doubles & second:
        discard_more(table, bit)
    else:
        table.discards |= bit
        table.discard_doubles |= second


@kernel
def discard_more(table, bit):
    """Do what `discard` does where a third word may be needed."""
    pile = table.discards, table.discard_doubles, table.discard_pairs
    table.discards, table.discard_doubles, table.discard_pairs = put_more(*pile, bit)
