"""Up or down?: what cards are worth to a taste, in the lanes of vector registers; see `lane_plans`.

Eight matches at a time are looked at in vectors (`simcore.vectors`). The numbers come out as in
`strategies.upordown_sight`, the same sums of the same float64 in the same order, but for units,
which are powers of two, and for what is 0 (`tests/upordown/test_lane_policies.py`).

A rating is here a float64: the worth without its fraction, and as its fraction the move in steps of
`MOVE`. So the greater worth is the greater number, and of equal ones the greater move.
"""

from __future__ import annotations

import numpy as np

from simcore.games.upordown.cards import BYTE, CARD_BITS
from simcore.games.upordown.lane_turns import (
    CIRCLE,
    COLOURS,
    COLUMN,
    COLUMNS,
    COUNTS,
    LANE_ROWS,
    LAST,
    LENGTH,
    MOST,
    USED,
)
from simcore.games.upordown.spec import (
    COLOUR,
    FIRST_NUMBER,
    HIGHEST_NUMBER,
    HOPE,
    LAST_TURNS,
    MATCH,
    PATIENCE,
    POINTS,
    SPREAD,
    STANDING_UNIT,
    STEP,
    STRIDE,
    WORTH_UNIT,
)
from simcore.games.upordown.table import (
    CIRCLE_CARDS,
    COUNT_BITS,
    GIVE_UP,
    HAND_CARDS,
    MOST_OF_A_COLOUR,
    MOST_TURNS,
    NEW_COLUMN,
    SEATS,
)
from simcore.jit import inline_kernel, kernel
from simcore.lanes import LANES, LINE, as_record
from simcore.vectors import LANES as EIGHT
from simcore.vectors import (
    choose,
    eight_at,
    largest,
    put_eight,
    reals,
    spread,
    truncated,
)

RATED = CIRCLE_CARDS + HAND_CARDS
"""Most cards that are rated together: those of the circle, in order from some card on, then those
of the hand, of which the one laid gets the first place."""

LAID = CIRCLE_CARDS

SHOWN = LANE_ROWS
SHIFT = SHOWN + 1
PLAN, TAKEN, TAKEN_SHIFT, EXCHANGED, PLACED_WORD, PLACE = range(SHIFT + RATED, SHIFT + RATED + 6)
ROWS = PLACE + 1
"""Rows of whole numbers beyond those of other lanes: the card on top of the face-up pile; of the
cards looked at, where a column's word counts the colour; the plan, the fraction of its worth; the
card taken, where its colour is counted, and which one of the circle it was, which gave its place to
the one laid; the word of the column placed on, and its place."""

CARD, KEY, UPWARDS, DOWNWARDS, MORE_UP, MORE_DOWN, FRESH, DENIED = (RATED * i for i in range(8))
"""First of the rows of what is looked at, by card: the card; how far it is from the first one,
upwards and round the circle; what the room above and below it is worth, with itself, and how many
cards may come there; what it is worth in a column of its own; what it is worth to keep it from the
next player."""

RATINGS = 8 * RATED
"""How it is rated in each column of the seat on turn."""

STANDINGS = RATINGS + COLUMNS * RATED
UP, DOWN, GIVEN = (COLUMNS * i for i in range(3))
STANDING_ROWS = 3 * COLUMNS
"""By column, of the next seat as the one on turn sees it and then of all seats: what it is worth as
it stands to append a higher card, and a lower one (`BARRED` if that may not be), and the rating of
giving it up."""

BEST = STANDINGS + STANDING_ROWS * (SEATS + 1)
"""How each card of the circle is rated in the end."""

PLACED_UP, PLACED_DOWN = BEST + CIRCLE_CARDS, BEST + CIRCLE_CARDS + 1
"""Of the column just placed on, what it is worth as it stands, as above."""

TASTES = PLACED_DOWN + 1
TASTE_ROWS = LAST_TURNS
"""Rows of a seat's taste, as in its play spec; `IN_POINTS` in parts of a point (`WORTH_UNIT`)."""

IN_POINTS = (POINTS, STEP, COLOUR, HOPE, PATIENCE, SPREAD)

TASTE_WORK = as_record(
    np.dtype(
        [
            ("rows", "i8", (ROWS, LANES + LINE)),
            ("worths", "f8", (TASTES + SEATS * TASTE_ROWS, LANES + LINE)),
        ]
    )
)

RISES, FALLS = 1 << 56, 1 << 57
"""In a column's word, beyond what it has in other lanes: which cards may be appended."""

OF_POINTS, OF_STEPS, OF_COLOURS, OF_HOPES = range(4)
"""Places in `terms`, a tuple of tuples: each has one number if the seat on turn may count points,
steps, colours or hopes, else none. What it does not count is not even compiled."""

FIELD = 255
"""Bits of `LENGTH`, `MOST` and `LAST`."""

ALL_COUNTS = (1 << (COUNTS + COUNT_BITS * COLOURS)) - (1 << COUNTS)
EACH_COLOUR = sum(1 << (COUNTS + COUNT_BITS * colour) for colour in range(COLOURS))
STANDING = STANDING_UNIT / WORTH_UNIT
BARRED = float(1 << 50)
NEVER = -BARRED
assert BARRED > WORTH_UNIT * HIGHEST_NUMBER * HIGHEST_NUMBER * MOST_TURNS * MOST_TURNS

NUMBERS, MOVES, PLACES = 8, 64, 8
"""Plans have numbers below this, in the fraction of a plan's worth; below them the move, and below
that which card of the circle is taken."""

MOVE = 1 / (NUMBERS * MOVES)
FRACTION = NUMBERS * MOVES * PLACES
assert GIVE_UP + COLUMNS < MOVES
assert 2 * HAND_CARDS < NUMBERS


@inline_kernel
def number_at(spec, number):
    """Return a number of a play spec."""
    return np.int64(spec[FIRST_NUMBER + number]).view(np.float64)


@kernel
def load_taste(work, column, index, spec):
    """Put the taste of a seat, counted from the start player, into all lanes."""
    first = TASTES + TASTE_ROWS * index
    for number in range(TASTE_ROWS):
        for start in range(column, column + LANES, EIGHT):
            put_eight(work.worths, first + number, start, number_at(spec, number))
    for number in IN_POINTS:
        for start in range(column, column + LANES, EIGHT):
            own = eight_at(work.worths, first + number, start)
            put_eight(work.worths, first + number, start, own * WORTH_UNIT)


@inline_kernel
def standing_of(index):
    """Return the first row of what the columns of a seat are worth."""
    return STANDINGS + STANDING_ROWS * (index + 1)


@kernel
def lay_out(work, column, players):
    """Lay out the circles of all lanes, which were put there as rows of cards, and no columns."""
    worths = work.worths
    for start in range(column, column + LANES, EIGHT):
        for standing in range(STANDINGS, standing_of(players), STANDING_ROWS):
            for place in range(COLUMNS):
                put_eight(worths, standing + UP + place, start, BARRED)
                put_eight(worths, standing + DOWN + place, start, BARRED)
                put_eight(worths, standing + GIVEN + place, start, NEVER)
        row = eight_at(work.rows, CIRCLE, start)
        for number in range(CIRCLE_CARDS):
            card = (row >> BYTE * number) & CARD_BITS
            put_card(work, start, number, card)
            # At first they lie in order.
            put_eight(worths, KEY + number, start, reals(card - (row & CARD_BITS)))


@inline_kernel
def put_card(work, start, number, card):
    """Put a card to a place among those rated."""
    put_eight(work.worths, CARD + number, start, reals(card))
    put_eight(work.rows, SHIFT + number, start, COUNTS + shift_of_colour(card))


@inline_kernel
def shift_of_colour(card):
    """Return where the colour of a card is counted."""
    turn = ((card - 1) * 43) >> 8  # By the number of colours: exact below 128.
    return COUNT_BITS * (card - 1 - COLOURS * turn)


@inline_kernel
def look_at(work, start, number, taste, turns_left, game, terms):
    """Note what there is to know of a card at a place among those rated."""
    worths = work.worths
    _, columns, card_count, _, _ = game
    points = eight_at(worths, taste + POINTS, start)
    step = eight_at(worths, taste + STEP, start)
    card = eight_at(worths, CARD + number, start)
    above = np.float64(card_count) - card
    below = card - 1.0
    fresh = points
    if len(terms[OF_STEPS]) > 0:
        put_eight(worths, UPWARDS + number, start, step * (above + 1.0))
        put_eight(worths, DOWNWARDS + number, start, step * card)
        fresh = points - step * (np.float64(card_count - 1) - largest(above, below))
    if len(terms[OF_HOPES]) > 0:
        hope = eight_at(worths, taste + HOPE, start)
        match = eight_at(worths, taste + MATCH, start)
        stride = eight_at(worths, taste + STRIDE, start)
        up = more_cards(above, stride, turns_left / columns)
        down = more_cards(below, stride, turns_left / columns)
        put_eight(worths, MORE_UP + number, start, up)
        put_eight(worths, MORE_DOWN + number, start, down)
        fresh = fresh + hoped(hope, 1.0, 1.0, match, largest(up, down))
    put_eight(worths, FRESH + number, start, truncated(fresh))


@inline_kernel
def more_cards(room, stride, turns):
    """Return how many cards may come to a column with so much room."""
    cards = room / stride
    return choose(cards < turns, cards, turns)


@inline_kernel
def hoped(hope, most, length, match, cards):
    """Return what is hoped of a column to which so many cards may come."""
    return hope * ((most + match * cards) * (length + cards))


@inline_kernel
def weigh_columns(work, start, display, standing, taste, turns_left, game, terms):
    """Note what the columns of a seat, whose rows begin at `display`, are worth."""
    worths = work.worths
    for place in range(game[1]):
        word = eight_at(work.rows, display + COLUMN + place, start)
        up, down, given_up = weigh(worths, word, taste, start, turns_left, game, terms)
        put_eight(worths, standing + UP + place, start, up)
        put_eight(worths, standing + DOWN + place, start, down)
        put_eight(worths, standing + GIVEN + place, start, given_up + (GIVE_UP + place) * MOVE)


@inline_kernel
def weigh(worths, word, taste, start, turns_left, game, terms):
    """Return what a column is worth as it stands, see `STANDINGS`; the last one without its move.

    As `upordown_sight.worth_of_standing` and `worth_of_giving_up` do.
    """
    _, columns, card_count, _, _ = game
    points = eight_at(worths, taste + POINTS, start)
    step = eight_at(worths, taste + STEP, start)
    patience = eight_at(worths, taste + PATIENCE, start)
    most = reals((word >> MOST) & FIELD)
    last = reals((word >> LAST) & FIELD)
    length = reals((word >> LENGTH) & FIELD)
    rises = (word & RISES) > 0
    falls = (word & FALLS) > 0
    score = length * most
    above = choose(rises, np.float64(card_count) - last, 0.0)
    room = largest(above, choose(falls, last - 1.0, 0.0))
    standing = reals(spread(0))
    given_up = standing - patience * length
    if len(terms[OF_POINTS]) > 0:
        standing = points * score
        given_up = points * (length - score) - patience * length
    if len(terms[OF_STEPS]) > 0:
        standing = standing + step * room
    if len(terms[OF_HOPES]) > 0:
        hope = eight_at(worths, taste + HOPE, start)
        match = eight_at(worths, taste + MATCH, start)
        stride = eight_at(worths, taste + STRIDE, start)
        more = more_cards(room, stride, turns_left / columns)
        hopes_now = hoped(hope, most, length, match, more)
        standing = standing + hopes_now
        given_up = given_up + (hope * length - hopes_now)
    standing = truncated(standing * STANDING) * (1 / STANDING)
    return choose(rises, standing, BARRED), choose(falls, standing, BARRED), truncated(given_up)


@kernel
def rate(work, start, display, standing, taste, count, ratings, terms):
    """Rate the first `count` cards looked at in each column of the seat with rows from `display`.

    As `upordown_sight.rate_placings` does. The ratings are written to rows from `ratings` on.
    """
    rows = work.rows
    worths = work.worths
    weights = weights_of(worths, taste, start)
    for place in range(COLUMNS):
        up = eight_at(worths, standing + UP + place, start)
        down = eight_at(worths, standing + DOWN + place, start)
        facts = facts_of(eight_at(rows, display + COLUMN + place, start), up, down)
        move = (BYTE * place + BYTE - 1) * MOVE
        for number in range(count):
            rating = rating_of(work, start, number, facts, weights, terms) + move
            put_eight(worths, ratings + RATED * place + number, start, rating)


@inline_kernel
def weights_of(worths, taste, start):
    """Return the numbers of a taste that append."""
    return (
        eight_at(worths, taste + POINTS, start),
        eight_at(worths, taste + COLOUR, start),
        eight_at(worths, taste + HOPE, start),
        eight_at(worths, taste + MATCH, start),
    )


@inline_kernel
def facts_of(word, up, down):
    """Return what `rating_of` takes of a column."""
    most = (word >> MOST) & FIELD
    length = (word >> LENGTH) & FIELD
    last = reals((word >> LAST) & FIELD)
    # A card of the colour of a single one is no step towards a colour.
    threshold = choose(length > 1, most - 1, most)
    return word + EACH_COLOUR, most, last, reals(length) + 1.0, threshold, up, down


@inline_kernel
def rating_of(work, start, number, facts, weights, terms):
    """Return the rating of one of the cards looked at in a column, without its move."""
    worths = work.worths
    points, colour, hope, match = weights
    counts, most, last, longer, threshold, up_standing, down_standing = facts
    same = (counts >> eight_at(work.rows, SHIFT + number, start)) & MOST_OF_A_COLOUR
    after = reals(largest(same, most))
    is_higher = eight_at(worths, CARD + number, start) > last
    worth = reals(spread(0))
    if len(terms[OF_POINTS]) > 0:
        worth = points * (after * longer)
    if len(terms[OF_STEPS]) > 0:
        up = eight_at(worths, UPWARDS + number, start)
        worth = worth + choose(is_higher, up, eight_at(worths, DOWNWARDS + number, start))
    if len(terms[OF_COLOURS]) > 0:
        worth = worth + choose(same > threshold, colour, 0.0)
    if len(terms[OF_HOPES]) > 0:
        more_up = eight_at(worths, MORE_UP + number, start)
        more_down = eight_at(worths, MORE_DOWN + number, start)
        more = choose(is_higher, more_up, more_down)
        worth = worth + hoped(hope, after, longer, match, more)
    return truncated(worth - choose(is_higher, up_standing, down_standing))


@inline_kernel
def best_otherwise(work, start, display, standing, game):
    """Return the rating of giving a column up, or of a new column, without what this is worth."""
    worths = work.worths
    given_up = largest(
        eight_at(worths, standing + GIVEN, start), eight_at(worths, standing + GIVEN + 1, start)
    )
    given_up = largest(given_up, eight_at(worths, standing + GIVEN + 2, start))
    is_full = eight_at(work.rows, display + USED, start) == game[1]
    return choose(is_full, given_up, NEW_COLUMN * MOVE)


@inline_kernel
def best_rating(worths, start, number, otherwise):
    """Return the best rating of one of the cards."""
    best = eight_at(worths, FRESH + number, start) + otherwise
    best = largest(best, eight_at(worths, RATINGS + number, start))
    best = largest(best, eight_at(worths, RATINGS + RATED + number, start))
    return largest(best, eight_at(worths, RATINGS + 2 * RATED + number, start))


@inline_kernel
def weigh_again(work, start, standing, taste, turns_left, game, terms):
    """Note what the column just placed on is worth."""
    worths = work.worths
    word = eight_at(work.rows, PLACED_WORD, start)
    placed = eight_at(work.rows, PLACE, start)
    up, down, given_up = weigh(worths, word, taste, start, turns_left, game, terms)
    given_up = given_up + (reals(placed) + np.float64(GIVE_UP)) * MOVE
    put_eight(worths, PLACED_UP, start, up)
    put_eight(worths, PLACED_DOWN, start, down)
    for place in range(COLUMNS):
        is_placed = placed == place
        put_where(worths, standing + UP + place, start, is_placed, up)
        put_where(worths, standing + DOWN + place, start, is_placed, down)
        put_where(worths, standing + GIVEN + place, start, is_placed, given_up)


@inline_kernel
def rate_again(work, start, first, standing, taste, game, terms):
    """Rate the circle as it will be, after the card was placed.

    Only the column placed on and the card laid have not been rated yet.
    """
    rows = work.rows
    worths = work.worths
    weights = weights_of(worths, taste, start)
    placed = eight_at(rows, PLACE, start)
    otherwise = best_otherwise(work, start, first, standing, game)
    laid_best = eight_at(worths, FRESH + LAID, start) + otherwise
    for place in range(COLUMNS):
        up = eight_at(worths, standing + UP + place, start)
        down = eight_at(worths, standing + DOWN + place, start)
        facts = facts_of(eight_at(rows, first + COLUMN + place, start), up, down)
        laid_best = largest(laid_best, rating_of(work, start, LAID, facts, weights, terms))
    up = eight_at(worths, PLACED_UP, start)
    down = eight_at(worths, PLACED_DOWN, start)
    facts = facts_of(eight_at(rows, PLACED_WORD, start), up, down)
    exchanged = eight_at(rows, EXCHANGED, start)
    penalties = (
        choose(placed == 0, NEVER, 0.0),
        choose(placed == 1, NEVER, 0.0),
        choose(placed == 2, NEVER, 0.0),
    )
    for number in range(CIRCLE_CARDS):
        best = rating_of(work, start, number, facts, weights, terms)
        best = largest(best, eight_at(worths, FRESH + number, start) + otherwise)
        best = largest(best, eight_at(worths, RATINGS + number, start) + penalties[0])
        best = largest(best, eight_at(worths, RATINGS + RATED + number, start) + penalties[1])
        best = largest(best, eight_at(worths, RATINGS + 2 * RATED + number, start) + penalties[2])
        put_eight(worths, BEST + number, start, choose(exchanged == number, laid_best, best))


@inline_kernel
def put_where(rows, row, start, which, numbers):
    """Write the numbers of some of the lanes to a row."""
    put_eight(rows, row, start, choose(which, numbers, eight_at(rows, row, start)))
