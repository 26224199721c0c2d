"""dnup: charts, bit patterns for what may be done with many sets at once.

A *chart* is a 64-bit word with a bit for each size and value of a set: one row of nine bits, a bit
per value, for each size from 1 to 7. The chart of a hand holds the sets that it could lay: with two
4s and a 9, the bits of "one 4", "one 9" and "two 4s". A set on the table is a single bit, its
*shape*. A few operations on words then give all legal actions. The last row stands for "seven or
more"; for sets this large, which are rare, `rules` examines every action separately.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

from simcore.language import deposit, lowest_bit, o, popcount, rarely

VALUES, ROWS = 9, 7
LARGE = ROWS
"""Charts do not distinguish the sizes of sets of this many cards or more."""

ROW = (1 << VALUES) - 1
"""The row of size 1."""

COLUMN = sum(1 << VALUES * row for row in range(ROWS))
"""The column of value 1."""

LARGE_ROW = VALUES * (LARGE - 1)
"""The first bit of the last row."""

FIRST_EIGHT = (ROW >> 1) * COLUMN

DECK_SIZE = 40
COLUMNS = [COLUMN & ((1 << VALUES * min(count, ROWS)) - 1) for count in range(DECK_SIZE + 1)]
"""The chart of a number of cards of value 1."""

CHOOSE = [[comb(of, count) for count in range(DECK_SIZE + 1)] for of in range(DECK_SIZE + 1)]
"""Binomial coefficients, by number of cards and number chosen."""

SUBSETS = [
    [sum(1 << place for place in places) for places in combinations(range(of), count)]
    + [0] * (comb(LARGE - 1, (LARGE - 1) // 2) - comb(of, count))
    for of in range(LARGE)
    for count in range(LARGE)
]
"""Subsets, by `LARGE` · number of cards + number chosen and by lexicographic rank."""


def shape_of(value, size):
    """Return the shape of a set: its bit of a chart."""
    return 1 << VALUES * (min(size, LARGE) - 1) + value - 1


def value_of(place):
    """Return the value of a set from its bit's place in a chart."""
    return place % VALUES + 1


def size_of(place):
    """Return the size of a set from its bit's place in a chart; 7 means 7 or more."""
    return place // VALUES + 1


def chart_of(up, down):
    """Return the chart of cards, `up` showing their lower and `down` their higher value."""
    chart = 0
    for value in range(1, VALUES + 1):
        count = popcount((up & o.low[value]) | (down & o.high[value]))
        chart |= COLUMNS[count] << (value - 1)
    return chart


def row_starts(chart):
    """Return the first bit of each row in which a chart has a bit."""
    # Adding eight ones carries into the ninth bit of a row unless its first eight are 0.
    return ((((chart & FIRST_EIGHT) + FIRST_EIGHT) | chart) >> (VALUES - 1)) & COLUMN


def in_all_rows(values):
    """Return the chart with the given values (bits of the first row) in all rows."""
    three = values | values << VALUES | values << 2 * VALUES
    return three | three << 3 * VALUES | values << 6 * VALUES


def subset(cards, count, rank):
    """Return the subset of `count` cards with a lexicographic rank, as bits."""
    total = popcount(cards)
    if rarely(total >= LARGE):
        return subset_of_many(cards, count, rank)
    return deposit(SUBSETS[LARGE * total + count][rank], cards)


def subset_of_many(cards, count, rank):
    """Return a subset of any number of cards, without tables; see `subset`."""
    total = popcount(cards)
    chosen = 0
    while count > 0:
        card = cards & -cards
        cards ^= card
        total -= 1
        with_card = CHOOSE[total][count - 1]
        if rank < with_card:
            chosen |= card
            count -= 1
        else:
            rank -= with_card
    return chosen


def rank_of(cards, chosen):
    """Return the rank of a subset; the inverse of `subset`."""
    total, count = popcount(cards), popcount(chosen)
    rank = 0
    while count > 0:
        total -= 1
        if chosen & cards & -cards != 0:
            count -= 1
        else:
            rank += CHOOSE[total][count - 1]
        cards &= cards - 1
    return rank


def lowest_of(cards):
    """Return the lowest card, as a bit."""
    return 1 << lowest_bit(cards)
