"""Up or down?: what cards and columns are worth to a play spec.

`work` has the rows of `rows`: where they are numbers a single match is looked at, where they are
vectors eight, from the lane `start` on. All is worth so many parts of a point (`WORTH_UNIT`). A
*rating* is a float64: the worth without its fraction, and as its fraction the move in steps of
`MOVE`. So the greater worth is the greater number, and of equal ones the greater move.
"""

from __future__ import annotations

import numpy as np

from simcore.games.upordown.cards import BYTE, card_at
from simcore.games.upordown.colours import MOST_COLOURS
from simcore.games.upordown.options import CIRCLE_CARDS, HAND_CARDS
from simcore.games.upordown.rows import (
    BEST,
    CARD,
    CEILINGS,
    COLUMN,
    COUNTS,
    DENIED,
    DOWN,
    DOWNWARDS,
    EACH,
    EXCHANGED,
    FIELD,
    FLOORS,
    FRESH,
    GIVEN,
    LAID,
    LAST,
    LENGTH,
    MORE_DOWN,
    MORE_UP,
    MOST,
    PLACE,
    PLACED,
    PLACED_COUNTS,
    PLACED_DOWN,
    PLACED_UP,
    RATED,
    RATINGS,
    SHIFT,
    UP,
    UPWARDS,
    USED,
)
from simcore.games.upordown.spec import (
    COLOUR,
    DENY,
    FIRST_NUMBER,
    HIGHEST_NUMBER,
    HOPE,
    LAST_TURNS,
    MATCH,
    ONLY_POINTS,
    PATIENCE,
    POINTS,
    SPREAD,
    STEP,
    STRIDE,
)
from simcore.games.upordown.table import (
    COUNT_BITS,
    GIVE_UP,
    MOST_OF_A_COLOUR,
    MOST_TURNS,
    NEW_COLUMN,
    NO_CEILING,
    NO_FLOOR,
)
from simcore.jit import inline_kernel, kernel
from simcore.vectors import (
    abreast,
    choose,
    eight_at,
    floored,
    largest,
    one_at,
    put_eight,
    put_one,
    reals,
    truncated,
)

TURNS, CARDS = SPREAD + 1, SPREAD + 2
"""Places in `weights`, a tuple, after the numbers of a play spec: how many turns are left for each
column, and how many cards are in play."""

WORTH_UNIT = 1024.0
STANDING = float(1 << 22)
"""Worths are rated in such parts of a point, and what a column is worth as it stands in such parts
of them: so that what is worth the same is rated the same."""

BARRED = float(1 << 50)
assert BARRED > WORTH_UNIT * HIGHEST_NUMBER * HIGHEST_NUMBER * MOST_TURNS * MOST_TURNS

NUMBERS, MOVES, PLACES = 8, 64, 8
"""Plans have numbers below this, in the fraction of a plan's worth; below them the move, and below
that which card of the circle is taken."""

MOVE = 1 / (NUMBERS * MOVES)
FRACTION = NUMBERS * MOVES * PLACES
assert 2 * HAND_CARDS < NUMBERS

NO_HOPES, WITH_HOPES, ONLY_HOPES = (False, True), (True, True), (True, False)

EACH_COLOUR = sum(1 << COUNT_BITS * colour for colour in range(MOST_COLOURS))


@inline_kernel
def number_at(spec, number):
    """Return a number of a play spec."""
    return np.int64(spec[FIRST_NUMBER + number]).view(np.float64)


@inline_kernel
def numbers_at(spec, turns_left):
    """Return the numbers by which is played with so many own turns after this one."""
    if turns_left < number_at(spec, LAST_TURNS):
        return ONLY_POINTS
    return (
        number_at(spec, POINTS),
        number_at(spec, STEP),
        number_at(spec, COLOUR),
        number_at(spec, HOPE),
        number_at(spec, STRIDE),
        number_at(spec, MATCH),
        number_at(spec, PATIENCE),
        number_at(spec, DENY),
        number_at(spec, SPREAD),
    )


@inline_kernel
def weights_of(numbers, turns, cards):
    """Return the numbers of a play spec in parts of a point, with `TURNS` and `CARDS`."""
    return (
        numbers[POINTS] * WORTH_UNIT,
        numbers[STEP] * WORTH_UNIT,
        numbers[COLOUR] * WORTH_UNIT,
        numbers[HOPE] * WORTH_UNIT,
        numbers[STRIDE] * 1.0,
        numbers[MATCH] * 1.0,
        numbers[PATIENCE] * WORTH_UNIT,
        numbers[DENY] * 1.0,
        numbers[SPREAD] * WORTH_UNIT,
        turns * 1.0,
        cards * 1.0,
    )


@inline_kernel
def put_card(work, start, number, card, shift):
    """Put a card to a place among those rated; `shift` is where its colour is counted."""
    put_one(work.worths, CARD + number, start, reals(card))
    put_one(work.rows, SHIFT + number, start, shift)


@inline_kernel
def look_at(work, start, number, weights):
    """Note what there is to know of a card at a place among those rated, or of eight from it on."""
    worths = work.worths
    card = eight_at(worths, CARD + number, start)
    above = weights[CARDS] - card
    below = card - 1.0
    put_eight(worths, UPWARDS + number, start, weights[STEP] * (above + 1.0))
    put_eight(worths, DOWNWARDS + number, start, weights[STEP] * card)
    skipped = weights[CARDS] - 1.0 - largest(above, below)
    fresh = weights[POINTS] - weights[STEP] * skipped
    if weights[HOPE] > 0.0:
        up = more_cards(above, weights)
        down = more_cards(below, weights)
        put_eight(worths, MORE_UP + number, start, up)
        put_eight(worths, MORE_DOWN + number, start, down)
        fresh = fresh + hoped(1.0, 1.0, largest(up, down), weights)
    put_eight(worths, FRESH + number, start, truncated(fresh))


@inline_kernel
def more_cards(room, weights):
    """Return how many cards may come to a column with so much room.

    Each takes `STRIDE` numbers of it.
    """
    cards = room / weights[STRIDE]
    return choose(cards < weights[TURNS], cards, weights[TURNS])


@inline_kernel
def hoped(most, length, cards, weights):
    """Return what is hoped of a column to which so many cards may come.

    So many of them as `MATCH` says are of its colour.
    """
    return weights[HOPE] * ((most + weights[MATCH] * cards) * (length + cards))


@inline_kernel
def weigh_columns(work, start, display, columns, weights):
    """Note what the columns of a seat are worth as they stand.

    `display` says where its rows begin, and those of what they are worth.
    """
    seat, standing = display
    floors = one_at(work.rows, seat + FLOORS, start)
    ceilings = one_at(work.rows, seat + CEILINGS, start)
    for place in range(columns):
        word = one_at(work.rows, seat + COLUMN + place, start)
        rises = card_at(ceilings, BYTE * place) == NO_CEILING
        falls = card_at(floors, BYTE * place) == NO_FLOOR
        up, down, given_up = weigh(word, rises, falls, weights)
        put_one(work.worths, standing + UP + place, start, up)
        put_one(work.worths, standing + DOWN + place, start, down)
        put_one(work.worths, standing + GIVEN + place, start, given_up + (GIVE_UP + place) * MOVE)


@inline_kernel
def weigh(word, rises, falls, weights):
    """Return what a column is worth as it stands, see `rows.UP`; the last one without its move.

    Given up, it loses its points and its hopes, and leaves its cards.
    """
    most = reals((word >> MOST) & FIELD)
    last = reals((word >> LAST) & FIELD)
    length = reals((word >> LENGTH) & FIELD)
    score = length * most
    above = choose(rises, weights[CARDS] - last, 0.0)
    room = largest(above, choose(falls, last - 1.0, 0.0))
    standing = weights[POINTS] * score + weights[STEP] * room
    given_up = weights[POINTS] * (length - score) - weights[PATIENCE] * length
    if weights[HOPE] > 0.0:
        hopes = hoped(most, length, more_cards(room, weights), weights)
        standing = standing + hopes
        given_up = given_up + (weights[HOPE] * length - hopes)
    standing = truncated(standing * STANDING) * (1 / STANDING)
    return choose(rises, standing, BARRED), choose(falls, standing, BARRED), truncated(given_up)


@inline_kernel
def rate(work, start, display, columns, count, weights):
    """Rate the first `count` cards looked at in each column of a seat."""
    # Nothing is asked again for each card.
    if weights[HOPE] == 0.0:
        rate_all(work, start, display, columns, count, weights, NO_HOPES)
    elif weights[POINTS] + weights[STEP] + weights[COLOUR] > 0.0:
        rate_all(work, start, display, columns, count, weights, WITH_HOPES)
    else:
        rate_all(work, start, display, columns, count, weights, ONLY_HOPES)


@inline_kernel
def rate_all(work, start, display, columns, count, weights, terms):
    """Rate them; for `terms` see `rating_of`."""
    for place in range(columns):
        column = column_at(work, start, display, place)
        move = (BYTE * place + BYTE - 1) * MOVE
        for number in range(0, count, abreast(work.rows)):
            rating = rating_of(work, start, number, column, weights, terms) + move
            put_eight(work.worths, RATINGS + EACH * place + number, start, rating)


@inline_kernel
def column_at(work, start, display, place):
    """Return what `rating_of` takes of a column of a seat."""
    seat, standing = display
    word = one_at(work.rows, seat + COLUMN + place, start)
    counts = one_at(work.rows, seat + COUNTS + place, start)
    up = one_at(work.worths, standing + UP + place, start)
    return facts_of(word, counts, up, one_at(work.worths, standing + DOWN + place, start))


@inline_kernel
def facts_of(word, counts, up, down):
    """Return what `rating_of` takes of a column, as numbers that many cards need."""
    most = (word >> MOST) & FIELD
    length = (word >> LENGTH) & FIELD
    last = reals((word >> LAST) & FIELD)
    # A card of the colour of a single one is no step towards a colour.
    threshold = choose(length > 1, most - 1, most)
    return counts + EACH_COLOUR, most, last, reals(length) + 1.0, threshold, up, down


@inline_kernel
def rating_of(work, start, number, column, weights, terms):
    """Return the rating of one of the cards looked at in a column, without its move.

    `terms` say whether hopes count, and all else (`NO_HOPES`, `WITH_HOPES`, `ONLY_HOPES`).
    """
    worths = work.worths
    counts, most, last, longer, threshold, up_standing, down_standing = column
    hopes, others = terms
    same = (counts >> eight_at(work.rows, SHIFT + number, start)) & MOST_OF_A_COLOUR
    after = reals(largest(same, most))
    is_higher = eight_at(worths, CARD + number, start) > last
    more = eight_at(worths, MORE_UP + number, start)
    more = choose(is_higher, more, eight_at(worths, MORE_DOWN + number, start))
    hoped_for = hoped(after, longer, more, weights)
    if others:
        worth = weights[POINTS] * (after * longer)
        up = eight_at(worths, UPWARDS + number, start)
        worth = worth + choose(is_higher, up, eight_at(worths, DOWNWARDS + number, start))
        worth = worth + choose(same > threshold, weights[COLOUR], 0.0)
        if hopes:
            worth = worth + hoped_for
    else:
        worth = hoped_for
    return truncated(worth - choose(is_higher, up_standing, down_standing))


@inline_kernel
def best_otherwise(work, start, display, columns):
    """Return the rating of giving a column up, or of a new column, without what this is worth."""
    seat, standing = display
    given_up = one_at(work.worths, standing + GIVEN, start)
    for place in range(1, columns):
        given_up = largest(given_up, one_at(work.worths, standing + GIVEN + place, start))
    is_full = one_at(work.rows, seat + USED, start) == columns
    return choose(is_full, given_up, NEW_COLUMN * MOVE)


@inline_kernel
def best_rating(work, start, number, columns, otherwise):
    """Return the best rating of one of the cards."""
    best = eight_at(work.worths, FRESH + number, start) + otherwise
    for place in range(columns):
        best = largest(best, eight_at(work.worths, RATINGS + EACH * place + number, start))
    return best


@inline_kernel
def note_denials(work, start, rival, columns, weights):
    """Note what it is worth to keep the cards looked at, which were rated, from the next player."""
    otherwise = best_otherwise(work, start, rival, columns)
    for number in range(0, RATED, abreast(work.rows)):
        best = floored(best_rating(work, start, number, columns, otherwise))
        put_eight(work.worths, DENIED + number, start, truncated(weights[DENY] * best))


@inline_kernel
def note_best(work, start, display, columns, denies):
    """Note the best ratings of the cards of the circle, and which one it is in their fractions.

    What it is worth to keep them from the next player counts if `denies`.
    """
    otherwise = best_otherwise(work, start, display, columns)
    for number in range(0, CIRCLE_CARDS, abreast(work.rows)):
        best = best_rating(work, start, number, columns, otherwise) + number / FRACTION
        if denies:
            best = best + eight_at(work.worths, DENIED + number, start)
        put_eight(work.worths, BEST + number, start, best)


@inline_kernel
def weigh_again(work, start, display, columns, weights):
    """Note what the column just placed on is worth."""
    seat, standing = display
    rows = work.rows
    worths = work.worths
    placed = one_at(rows, PLACE, start)
    rises = card_at(one_at(rows, seat + CEILINGS, start), placed << 3) == NO_CEILING
    falls = card_at(one_at(rows, seat + FLOORS, start), placed << 3) == NO_FLOOR
    up, down, given_up = weigh(one_at(rows, PLACED, start), rises, falls, weights)
    given_up = given_up + (reals(placed) + GIVE_UP * 1.0) * MOVE
    put_one(worths, PLACED_UP, start, up)
    put_one(worths, PLACED_DOWN, start, down)
    for place in range(columns):
        is_placed = placed == place
        put_where(worths, standing + UP + place, start, is_placed, up)
        put_where(worths, standing + DOWN + place, start, is_placed, down)
        put_where(worths, standing + GIVEN + place, start, is_placed, given_up)


@inline_kernel
def put_where(rows, row, start, which, numbers):
    """Write the numbers of some of the lanes to a row."""
    put_one(rows, row, start, choose(which, numbers, one_at(rows, row, start)))


@kernel
def rate_again(work, start, display, columns, weights):
    """Note the best ratings of the circle as it will be, after the card was placed."""
    if weights[HOPE] == 0.0:
        rate_rest(work, start, display, columns, weights, NO_HOPES)
    elif weights[POINTS] + weights[STEP] + weights[COLOUR] > 0.0:
        rate_rest(work, start, display, columns, weights, WITH_HOPES)
    else:
        rate_rest(work, start, display, columns, weights, ONLY_HOPES)


@inline_kernel
def rate_rest(work, start, display, columns, weights, terms):
    """Do so; only the column placed on and the card laid have not been rated yet."""
    rows = work.rows
    worths = work.worths
    placed = one_at(rows, PLACE, start)
    exchanged = one_at(rows, EXCHANGED, start)
    otherwise = best_otherwise(work, start, display, columns)
    laid = one_at(worths, CARD + LAID, start)
    laid_best = eight_at(worths, FRESH + LAID, start) + otherwise
    for place in range(columns):
        column = column_at(work, start, display, place)
        laid_best = largest(laid_best, rating_of(work, start, LAID, column, weights, terms))
    word = one_at(rows, PLACED, start)
    counts = one_at(rows, PLACED_COUNTS, start)
    up = one_at(worths, PLACED_UP, start)
    column = facts_of(word, counts, up, one_at(worths, PLACED_DOWN, start))
    for number in range(CIRCLE_CARDS):
        best = rating_of(work, start, number, column, weights, terms)
        best = largest(best, eight_at(worths, FRESH + number, start) + otherwise)
        for place in range(columns):
            rating = eight_at(worths, RATINGS + EACH * place + number, start)
            best = largest(best, choose(placed == place, -BARRED, rating))
        is_laid = exchanged == number
        put_one(worths, BEST + number, start, choose(is_laid, laid_best, best))
        put_where(worths, CARD + number, start, is_laid, laid)
