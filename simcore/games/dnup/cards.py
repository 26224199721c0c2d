"""dnup: cards as bits.

A *card* is a number 0…39, its place in the deck sorted by values; a *card set* is a word with a bit
for each card. What a player holds is two card sets: the cards with the lower value active, `up`,
and those with the higher one active, `down`.

A *chart* counts values instead of naming cards: a row of nine bits for each size, a bit for each
value, set when there are that many cards of the value. So the chart of a hand says which sets it
could lay, and the bits of the sets on the table forbid some of them: legal moves are a few
operations on words. A chart has seven rows. The last one says "seven or more"; there, which is
rare, cards are counted instead.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from simcore.bits import deposit, extract, lowest_bit, popcount
from simcore.games.dnup.deck import DECK_SIZE, VALUES
from simcore.jit import inline_kernel, kernel

ROWS = 7
LARGE = ROWS
"""Sets and counts from this size on are beyond the rows of a chart."""

COLUMN = sum(1 << (VALUES * row) for row in range(ROWS))
"""The column of value 1."""

ROW = (1 << VALUES) - 1
"""The row of size 1."""

_FIRST_EIGHT = (ROW >> 1) * COLUMN

LARGE_ROW = VALUES * (LARGE - 1)
"""The first bit of the last row."""

COLUMNS = np.array(
    [COLUMN & ((1 << (VALUES * min(count, ROWS))) - 1) for count in range(DECK_SIZE + 1)],
    dtype=np.int64,
)
"""By number of cards of value 1: their chart."""

CHOOSE = np.array(
    [[comb(of, count) for count in range(DECK_SIZE + 1)] for of in range(DECK_SIZE + 1)],
    dtype=np.int64,
)
"""By number of cards and of those chosen: how many subsets."""

_PATTERN_PLACES = comb(LARGE - 1, (LARGE - 1) // 2)


def _subset_patterns() -> np.ndarray:
    patterns = np.zeros((LARGE, LARGE, _PATTERN_PLACES), dtype=np.uint8)
    for of in range(LARGE):
        for count in range(of + 1):
            for rank, places in enumerate(combinations(range(of), count)):
                patterns[of, count, rank] = sum(1 << place for place in places)
    return patterns


PATTERNS = _subset_patterns()
"""By number of cards (fewer than `LARGE`), of those chosen, and rank in lexicographic order: the
subset, as bits."""


@inline_kernel
def value_of(place):
    """Return the value of a bit of a chart."""
    return np.int64(np.uint32(place) % np.uint32(VALUES)) + 1


@inline_kernel
def row_of(place):
    """Return the row (size − 1) of a bit of a chart."""
    return np.int64(np.uint32(place) // np.uint32(VALUES))


@inline_kernel
def row_starts(chart):
    """Return the first bits of the rows in which a chart has a bit."""
    # Adding eight ones carries into the ninth bit of a row unless its first eight are 0.
    return ((((chart & _FIRST_EIGHT) + _FIRST_EIGHT) | chart) >> (VALUES - 1)) & COLUMN


@inline_kernel
def is_large(chart):
    """Tell whether a chart is no longer exact."""
    return chart >> LARGE_ROW != 0


@inline_kernel
def count_each(chart, values):
    """Return a chart with one more card of each of some values, bits of its first row."""
    return chart | (((chart << VALUES) | ROW) & (values * COLUMN))


@inline_kernel
def count_more(chart, value, count):
    """Return a chart with `count` more cards of a value."""
    rows = VALUES * min(count, ROWS)
    return chart | (((chart << rows) | ~(np.int64(-1) << rows)) & (COLUMN << (value - 1)))


@inline_kernel
def discount_each(chart, values):
    """Return a chart, not large, with one card fewer of each of some values it counts."""
    columns = chart & (values * COLUMN)
    return chart ^ columns ^ (columns >> VALUES)


@inline_kernel
def discount(chart, value, count):
    """Return a chart, not large, with `count` cards of a value fewer."""
    column = chart & (COLUMN << (value - 1))
    return chart ^ column ^ (column >> (VALUES * count))


@inline_kernel
def active_cards(table, seat, value):
    """Return the cards of a hand whose active value is `value` [R1] [R4]."""
    index = np.uint32(value)
    return (seat.up & table.low[index]) | (seat.down & table.high[index])


@inline_kernel
def cards_between(table, value, other):
    """Return the cards that bear these two values."""
    low = np.uint32(min(value, other))
    high = np.uint32(max(value, other))
    return table.low[low] & table.high[high]


@inline_kernel
def value_in_hand(table, card, value):
    """Return the active value of a card that goes from a set of some value to a hand [R8] [H2]."""
    return value if table.keeps_side else other_value(table, card, value)


@inline_kernel
def other_value(table, card, value):
    """Return the other value of a card that has some value."""
    return np.int64(table.total[np.uint32(card)]) - value


@inline_kernel
def other_values(table, cards, value):
    """Return the other values of some cards that have a value and no twins among them."""
    index = np.uint32(value)
    return deposit(extract(cards, table.mates[index]), table.partners[index])


@inline_kernel
def count_others(table, chart, cards, value):
    """Return a chart with so many cards more that have a value, counted by their other values."""
    chart = count_each(chart, other_values(table, cards, value))
    twins = cards & table.twins
    while twins:
        chart = count_more(chart, other_value(table, lowest_bit(twins), value), 1)
        twins &= twins - 1
    return chart


@inline_kernel
def discount_others(table, chart, cards, value):
    """Return a chart, not large, without cards that have a value; see `count_others`."""
    chart = discount_each(chart, other_values(table, cards, value))
    twins = cards & table.twins
    while twins:
        chart = discount(chart, other_value(table, lowest_bit(twins), value), 1)
        twins &= twins - 1
    return chart


@inline_kernel
def chart_of(table, up, down):
    """Return the chart of the active values of a hand, counted from its cards."""
    chart = np.int64(0)
    for value in range(1, VALUES + 1):
        count = popcount((up & table.low[value]) | (down & table.high[value]))
        chart |= COLUMNS[np.uint32(count)] << (value - 1)
    return chart


@inline_kernel
def chart_hand(table, seat):
    """Note the charts of both sides of a hand, counted from its cards."""
    seat.active = chart_of(table, seat.up, seat.down)
    seat.turned = chart_of(table, seat.down, seat.up)


@inline_kernel
def subset(cards, of, count, rank):
    """Return the subset number `rank` of `count` of the `of` cards, in lexicographic order."""
    if of >= LARGE:
        return subset_of_many(cards, of, count, rank)
    return deposit(np.int64(PATTERNS[np.uint32(of), np.uint32(count), np.uint32(rank)]), cards)


@kernel
def subset_of_many(cards, of, count, rank):
    """Return the subset number `rank`, for any number of cards; see `subset`."""
    chosen = np.int64(0)
    while count > 0:
        card = cards & -cards
        cards ^= card
        of -= 1
        with_card = CHOOSE[of, count - 1]
        if rank < with_card:
            chosen |= card
            count -= 1
        else:
            rank -= with_card
    return chosen


@kernel
def rank_of(cards, chosen):
    """Return the rank of a subset of some cards; the inverse of `subset`."""
    of = popcount(cards)
    count = popcount(chosen)
    rank = np.int64(0)
    while count > 0:
        card = cards & -cards
        cards ^= card
        of -= 1
        if chosen & card:
            count -= 1
        else:
            rank += CHOOSE[of, count - 1]
    return rank


@inline_kernel
def are_alike(table, cards):
    """Tell whether all of some cards bear the same two values."""
    return cards & ~table.like[np.uint32(lowest_bit(cards))] == 0
