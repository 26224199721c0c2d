"""Up or down?: the rows in which turns are planned and played, of many matches at a time.

A row has a number for each lane (`simcore.lanes`). Seats are counted from the start player.
"""

from __future__ import annotations

from simcore.games.upordown.options import (
    METRICS,
    MOST_CIRCLE_CARDS,
    MOST_COLUMNS,
    MOST_HAND_CARDS,
    SEATS,
)
from simcore.jit import inline_kernel
from simcore.records import metric_places
from simcore.vectors import choose, one_at, put_one

RATED = MOST_CIRCLE_CARDS + MOST_HAND_CARDS
"""Most cards that are rated together: those of the circle in order, then those of the hand, of
which the one laid gets the first place."""

EACH = 25
"""Rows of what there is of each card rated: an odd number, so that the same lines of the cache do
not serve all."""

assert RATED <= EACH

(CIRCLE, WIDE_LOW, WIDE_HIGH, SHOWN, PLAN, SHIFT) = range(6)
"""Rows of whole numbers: the circle, as a row or as a card set; the card on top of the face-up
pile; the plan, the fraction of its worth; and of the cards rated, where the colour is counted."""

FIRST_SEAT_ROW = SHIFT + EACH
(HAND, DRAWN, FLOORS, CEILINGS, USED, SCORE, DEFICIT, WORD0, WORD1, COINS, COLUMN) = range(11)
COUNTS = COLUMN + MOST_COLUMNS
SEAT_ROWS = COUNTS + MOST_COLUMNS
"""Rows of a seat, most of them as in TABLE and SEAT: the hand, and until its next turn the card
drawn last; limits and number of its columns; its score and how far it was behind at most; its
stream and coins; and by column the cards, see `LENGTH`, and the number of each colour."""

FIRST_LANE_ROW = FIRST_SEAT_ROW + SEATS * SEAT_ROWS
(UP_LEFT, DOWN_LEFT, DRAWN_FROM, ONE_PILE, LEADERS, TAKEN, PLACED) = range(
    FIRST_LANE_ROW, FIRST_LANE_ROW + 7
)
(HALF_WORD, PRODUCT, MATCH, FIRST, KEY, WINNERS) = range(PLACED + 1, PLACED + 7)
"""Rows of a lane: how many cards each pile has, and which card of the deck was drawn last; how
often there was no choice of piles; as bits who led after the last lap; the card taken, and which
column it was placed on; random bits for a place, and the product that a random number is taken
from; its match, by number in the block, which seat starts it, and the key of its streams; and who
has won, counted from the seat that starts."""

FIRST_METRIC = WINNERS + 1
METRIC = metric_places(METRICS)
METRIC = METRIC._make(FIRST_METRIC + place for place in METRIC)
LANE_ROWS = FIRST_METRIC + len(METRIC)
"""After these what is written to the columns of the block, by name."""

LENGTH, MOST, LAST = 0, 8, 16
"""From which bit on the word of a column has how many cards it has, how many of them are of the
most frequent colour, and the last card."""

FIELD = 255

CARD, KEY, UPWARDS, DOWNWARDS, MORE_UP, MORE_DOWN, FRESH, DENIED = (EACH * i for i in range(8))
"""First of the rows of float64, by card rated: the card; how far it is from the first one, upwards
and round the circle; what the room above and below it is worth, with itself, and how many cards may
come there; what it is worth in a column of its own; and to be kept from the next player."""

RATINGS = 8 * EACH
"""How it is rated in each column."""

BEST = RATINGS + MOST_COLUMNS * EACH
GAP = BEST + EACH
"""How each card of the circle is rated in the end, and the better one of each two neighbours."""

UP, DOWN, GIVEN = (GAP + MOST_CIRCLE_CARDS + MOST_COLUMNS * i for i in range(3))
WORTHS = GIVEN + MOST_COLUMNS
"""By column of the seat looked at last: what it is worth as it stands to append a higher card, and
a lower one (`BARRED` if that may not be), and the rating of giving it up."""


@inline_kernel
def row_of(seat, what):
    """Return the row of a seat for something."""
    return FIRST_SEAT_ROW + SEAT_ROWS * seat + what


@inline_kernel
def limits_at(rows, start, seat):
    """Return floors, ceilings and number of a seat's columns."""
    ceilings = one_at(rows, seat + CEILINGS, start)
    return one_at(rows, seat + FLOORS, start), ceilings, one_at(rows, seat + USED, start)


@inline_kernel
def parts_of(word):
    """Return how many cards a column has, how many of the most frequent colour, and the last."""
    return (word >> LENGTH) & FIELD, (word >> MOST) & FIELD, (word >> LAST) & FIELD


@inline_kernel
def put_where(rows, row, start, which, numbers):
    """Write the numbers of some of the lanes to a row."""
    put_one(rows, row, start, choose(which, numbers, one_at(rows, row, start)))


@inline_kernel
def one_of(rows, one, two, start, columns, place):
    """Return what two rows for each column have for that at a place, another one in each lane."""
    number, also = one_at(rows, one, start), one_at(rows, two, start)
    for other in range(1, columns):
        number = choose(place == other, one_at(rows, one + other, start), number)
        also = choose(place == other, one_at(rows, two + other, start), also)
    return number, also


@inline_kernel
def add_one(rows, row, start, happened):
    """Count in a row what happened."""
    put_one(rows, row, start, one_at(rows, row, start) + choose(happened, 1, 0))
