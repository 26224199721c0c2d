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
from simcore.vectors import choose, some
from simcore.wide import by_width, is_wide, looked_up, one_of_eight, quotient, remainder, times

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
    return remainder(VALUES, place) + 1


@inline_kernel
def row_of(place):
    """Return the row (size − 1) of a bit of a chart."""
    return quotient(VALUES, place)


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
def in_all_rows(values):
    """Return a chart with some values, bits of its first row, in all rows."""
    if not is_wide(values):
        return values * COLUMN
    # In vectors that would take longer.
    three = times(values, 1 | 1 << VALUES | 1 << 2 * VALUES)
    return three | (three << (3 * VALUES)) | (values << (6 * VALUES))


@inline_kernel
def count_each(chart, values):
    """Return a chart with one more card of each of some values, bits of its first row."""
    return chart | (((chart << VALUES) | ROW) & (in_all_rows(values)))


@inline_kernel
def count_more(chart, value, count):
    """Return a chart with `count` more cards of a value, `ROWS` at most."""
    rows = VALUES * count
    return chart | (((chart << rows) | ~(np.int64(-1) << rows)) & (COLUMN << (value - 1)))


@inline_kernel
def discount_each(chart, values):
    """Return a chart, not large, with one card fewer of each of some values it counts."""
    columns = chart & (in_all_rows(values))
    return chart ^ columns ^ (columns >> VALUES)


@inline_kernel
def discount(chart, value, count):
    """Return a chart, not large, with `count` cards of a value fewer."""
    column = chart & (COLUMN << (value - 1))
    return chart ^ column ^ (column >> (VALUES * count))


@inline_kernel
def word_of(words, value):
    """Return the word of a value."""
    if is_wide(value):
        return choose(value == VALUES, words[VALUES], one_of_eight(words[1:], (value - 1) & 7))
    return looked_up(words, value)


@inline_kernel
def cards_of_value(table, up, down, value):
    """Return the cards of a hand whose active value is `value` [R1] [R4]."""
    return (up & word_of(table.low, value)) | (down & word_of(table.high, value))


@inline_kernel
def active_cards(table, seat, value):
    """Return the cards of a seat's hand whose active value is `value`."""
    return cards_of_value(table, seat.up, seat.down, value)


@inline_kernel
def cards_between(table, value, other):
    """Return the cards that bear these two values."""
    is_lower = value < other
    low, high = choose(is_lower, value, other), choose(is_lower, other, value)
    return word_of(table.low, low) & word_of(table.high, high)


@inline_kernel
def value_in_hand(table, card, value):
    """Return the active value of a card that goes from a set of some value to a hand [R8] [H2]."""
    return value if table.keeps_side else other_value(table, card, value)


@inline_kernel
def other_value(table, card, value):
    """Return the other value of a card that has some value."""
    return np.int64(table.total[np.uint32(card)]) - value


@inline_kernel
def _other_values(table, cards, value):
    index = np.uint32(value)
    return deposit(extract(cards, table.mates[index]), table.partners[index])


@inline_kernel
def _values_beside(table, cards, value):
    values = cards & 0
    for bit in range(VALUES):
        bearers = cards & (table.low[bit + 1] | table.high[bit + 1])
        values = values | choose(bearers != 0, 1 << bit, 0)
    return values & ~(1 << (value - 1))


@inline_kernel
def _other_values_of_each(table, cards, value):
    return _values_beside(table, cards & ~table.twins, value)


@inline_kernel
def _value_beside(table, card, value):
    return np.int64(1) << (other_value(table, lowest_bit(card), value) - 1)


other_values = by_width(_other_values, _other_values_of_each)
"""A function that returns the other values of some cards that have a value, as bits of the first
row; twins among them are left out."""


value_beside = by_width(_value_beside, _values_beside)
"""A function that returns the other value of one card, or of none in a lane, as a bit."""


@inline_kernel
def with_others(table, chart, cards, value, change):
    """Return a chart that some cards with a value `change`, each counted by its other value."""
    chart = change(chart, other_values(table, cards, value))
    twins = cards & table.twins
    while some(twins != 0):
        first = twins & (0 - twins)
        chart = change(chart, value_beside(table, first, value))
        twins = twins ^ first
    return chart


@inline_kernel
def count_others(table, chart, cards, value):
    """Return a chart with so many cards more that have a value, counted by their other values."""
    return with_others(table, chart, cards, value, count_each)


@inline_kernel
def hand_without(table, hand, cards, value, count):
    """Return a hand without so many cards of one active value.

    A hand, here and below: its cards as in SEAT, `up` and `down`, and its charts, `active` (not
    large) and `turned`; of one seat, or of one in each lane.
    """
    up, down, active, turned = hand
    left = discount(active, value, count), with_others(table, turned, cards, value, discount_each)
    return up & ~cards, down & ~cards, *left


@inline_kernel
def hand_with(table, hand, cards, value, count):
    """Return a hand with cards, `ROWS` at most, that had one active value, turned [R8] or not [H2].

    It also returns which of them have the higher value up now.
    """
    up, down, active, turned = hand
    lower = cards & (word_of(table.low, value) ^ table.keeps_side)
    if table.keeps_side:
        active, turned = turned, active
    turned = count_more(turned, value, count)
    active = count_others(table, active, cards, value)
    if table.keeps_side:
        active, turned = turned, active
    return (up | (cards ^ lower), down | lower, active, turned), lower


@inline_kernel
def chart_of(table, up, down):
    """Return the chart of the active values of a hand, counted from its cards."""
    chart = np.int64(0)
    for value in range(1, VALUES + 1):
        count = popcount(cards_of_value(table, up, down, value))
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
    """Tell whether all of some cards bear the same two values; so do none."""
    first = cards & (0 - cards)
    # Alike cards follow one another: a carry from the first one on ends at the last of its kind.
    run = (table.repeated & (0 - first)) + first
    return cards & (0 - 2 * (run & (0 - run))) == 0
