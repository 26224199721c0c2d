"""dnup: charts, which say of many sets at once what may be done with them.

A *chart* is a word with a bit for each value and size of a set: a row of nine bits, one a value,
for each size from 1 to 7. The chart of a hand says which sets it could lay: of two 4s and a 9, the
bits of "one 4", "one 9" and "two 4s". A set on the table is one such bit, its *shape*. So what the
sets on the table forbid, and what a hand may do, are a few operations on words. The last row says
"seven or more"; with such sets, which are rare, `rules` looks at each action by itself.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

from simcore.language import deposit, lowest_bit, o, popcount, rarely

VALUES, ROWS = 9, 7
LARGE = ROWS
"""Sets of so many cards and more are beyond what charts tell apart."""

ROW = (1 << VALUES) - 1
"""The row of size 1."""

COLUMN = sum(1 << VALUES * row for row in range(ROWS))
"""The column of value 1."""

LARGE_ROW = VALUES * (LARGE - 1)
"""The first bit of the last row."""

FIRST_EIGHT = (ROW >> 1) * COLUMN

DECK_SIZE = 40
COLUMNS = [COLUMN & ((1 << VALUES * min(count, ROWS)) - 1) for count in range(DECK_SIZE + 1)]
"""By number of cards of value 1: their chart."""

CHOOSE = [[comb(of, count) for count in range(DECK_SIZE + 1)] for of in range(DECK_SIZE + 1)]
"""By number of cards and of those chosen: how many subsets."""

SUBSETS = [
    [sum(1 << place for place in places) for places in combinations(range(of), count)]
    + [0] * (comb(LARGE - 1, (LARGE - 1) // 2) - comb(of, count))
    for of in range(LARGE)
    for count in range(LARGE)
]
"""By `LARGE` · number of cards + number chosen, and by rank in lexicographic order: the subset."""


def shape_of(value, size):
    """Return a set as a bit of a chart."""
    return 1 << VALUES * (min(size, LARGE) - 1) + value - 1


def value_of(place):
    """Return the value of a bit of a chart, or of a set in a move's number."""
    return place % VALUES + 1


def size_of(place):
    """Return the size of a set likewise; 7 may be more."""
    return place // VALUES + 1


def chart_of(up, down):
    """Return the chart of cards that show their lower and their higher value."""
    chart = 0
    for value in range(1, VALUES + 1):
        count = popcount((up & o.low[value]) | (down & o.high[value]))
        chart |= COLUMNS[count] << (value - 1)
    return chart


def row_starts(chart):
    """Return the first bits of the rows in which a chart has a bit."""
    # Adding eight ones carries into the ninth bit of a row unless its first eight are 0.
    return ((((chart & FIRST_EIGHT) + FIRST_EIGHT) | chart) >> (VALUES - 1)) & COLUMN


def in_all_rows(values):
    """Return a chart with some values, bits of its first row, in all rows."""
    three = values | values << VALUES | values << 2 * VALUES
    return three | three << 3 * VALUES | values << 6 * VALUES


def subset(cards, count, rank):
    """Return the subset number `rank` of so many of some cards, in lexicographic order."""
    of = popcount(cards)
    if rarely(of >= LARGE):
        return subset_of_many(cards, count, rank)
    return deposit(SUBSETS[LARGE * of + count][rank], cards)


def subset_of_many(cards, count, rank):
    """Return a subset, whatever the number of cards; see `subset`."""
    of = popcount(cards)
    chosen = 0
    while count > 0:
        card = cards & -cards
        cards ^= card
        of -= 1
        with_card = CHOOSE[of][count - 1]
        if rank < with_card:
            chosen |= card
            count -= 1
        else:
            rank -= with_card
    return chosen


def rank_of(cards, chosen):
    """Return the rank of a subset of some cards; the inverse of `subset`."""
    of, count = popcount(cards), popcount(chosen)
    rank = 0
    while count > 0:
        of -= 1
        if chosen & cards & -cards != 0:
            count -= 1
        else:
            rank += CHOOSE[of][count - 1]
        cards &= cards - 1
    return rank


def lowest_of(cards):
    """Return the lowest of some cards, as a bit."""
    return 1 << lowest_bit(cards)
