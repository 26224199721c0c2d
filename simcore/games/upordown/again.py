"""Up or down?: what the cards of the circle are worth once more, after the card taken was placed.

Of what `worth` noted most still holds: only the column placed on and the card laid are new.
"""

from __future__ import annotations

from simcore.games.upordown import rows as at
from simcore.games.upordown.cards import card_at
from simcore.games.upordown.dials import rules_by
from simcore.games.upordown.spec import COLOUR, HOPE, POINTS, STEP
from simcore.games.upordown.table import GIVE_UP
from simcore.games.upordown.worth import (
    BARRED,
    EACH_COLOUR,
    MOVE,
    NO_HOPES,
    ONLY_HOPES,
    WITH_HOPES,
    best_otherwise,
    better_of,
    column_at,
    ends_at,
    facts_of,
    rating_of,
    weigh,
)
from simcore.jit import inline_kernel, kernel
from simcore.vectors import choose, eight_at, largest, one_at, put_one, reals, truncated


@inline_kernel
def weigh_again(work, start, display, columns, weights, dials):
    """Note what the column just placed on is worth."""
    seat, standing = display
    rows = work.rows
    worths = work.worths
    placed = one_at(rows, at.PLACE, start)
    floor = card_at(one_at(rows, seat + at.FLOORS, start), placed << 3)
    ceiling = card_at(one_at(rows, seat + at.CEILINGS, start), placed << 3)
    up, down, given_up = weigh(one_at(rows, at.PLACED, start), (floor, ceiling), weights, dials)
    given_up = given_up + (reals(placed) + GIVE_UP * 1.0) * MOVE
    put_one(worths, at.PLACED_UP, start, up)
    put_one(worths, at.PLACED_DOWN, start, down)
    for place in range(columns):
        is_placed = placed == place
        put_where(worths, standing + at.UP + place, start, is_placed, up)
        put_where(worths, standing + at.DOWN + place, start, is_placed, down)
        put_where(worths, standing + at.GIVEN + place, start, is_placed, given_up)


@inline_kernel
def put_where(rows, row, start, which, numbers):
    """Write the numbers of some of the lanes to a row."""
    put_one(rows, row, start, choose(which, numbers, one_at(rows, row, start)))


@kernel
def rate_again(work, start, display, columns, weights, dials):
    """Note the best ratings of the circle as it will be, after the card was placed."""
    if weights[HOPE] == 0.0:
        rate_rest(work, start, display, columns, weights, NO_HOPES, dials)
    elif weights[POINTS] + weights[STEP] + weights[COLOUR] > 0.0:
        rate_rest(work, start, display, columns, weights, WITH_HOPES, dials)
    else:
        rate_rest(work, start, display, columns, weights, ONLY_HOPES, dials)


@inline_kernel
def rate_rest(work, start, display, columns, weights, terms, dials):
    """Do so; only the column placed on and the card laid have not been rated yet."""
    rows = work.rows
    worths = work.worths
    seat, _ = display
    number_laid = rules_by(dials).circle_cards
    placed = one_at(rows, at.PLACE, start)
    taken = reals(one_at(rows, at.TAKEN, start))
    otherwise = best_otherwise(work, start, display, columns, weights)
    laid = one_at(worths, at.CARD + number_laid, start)
    shift = one_at(rows, at.SHIFT + number_laid, start)
    column = column_at(work, start, display, 0, weights, dials)
    laid_best = rating_of(work, start, number_laid, column, weights, terms, dials)
    for place in range(1, columns):
        column = column_at(work, start, display, place, weights, dials)
        rating = rating_of(work, start, number_laid, column, weights, terms, dials)
        laid_best = largest(laid_best, rating)
    laid_best = better_of(work, start, number_laid, truncated(laid_best), otherwise, dials)
    word = one_at(rows, at.PLACED, start)
    counts = one_at(rows, at.PLACED_COUNTS, start) + weights[EACH_COLOUR]
    standings = one_at(worths, at.PLACED_UP, start), one_at(worths, at.PLACED_DOWN, start)
    ends = ends_at(work, start, seat, word, placed, dials)
    column = facts_of(word, counts, ends, standings)
    for number in range(rules_by(dials).circle_cards):
        best = truncated(rating_of(work, start, number, column, weights, terms, dials))
        for place in range(columns):
            rating = eight_at(worths, at.RATINGS + at.EACH * place + number, start)
            best = largest(best, choose(placed == place, -BARRED, rating))
        best = better_of(work, start, number, best, otherwise, dials)
        is_laid = one_at(worths, at.CARD + number, start) == taken
        put_one(worths, at.BEST + number, start, choose(is_laid, laid_best, best))
        put_where(worths, at.CARD + number, start, is_laid, laid)
        put_where(rows, at.SHIFT + number, start, is_laid, shift)
