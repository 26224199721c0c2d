"""Up or down?: what the cards of the circle are worth once more, after the card taken was placed.

Of what `worth` noted most still holds: only the column placed on and the card laid are new.
"""

from __future__ import annotations

from simcore.games.upordown import rows as at
from simcore.games.upordown.cards import BYTE, card_at
from simcore.games.upordown.dials import rules_by
from simcore.games.upordown.spec import COLOUR, HOPE, POINTS, STEP
from simcore.games.upordown.table import GIVE_UP
from simcore.games.upordown.worth import (
    EACH_COLOUR,
    MOVE,
    NO_HOPES,
    ONLY_HOPES,
    WITH_HOPES,
    best_otherwise,
    best_rating,
    better_of,
    column_at,
    ends_at,
    facts_of,
    rate_all,
    rating_of,
    weigh,
)
from simcore.jit import inline_kernel, kernel
from simcore.lanes import LANES
from simcore.scattered import put_each
from simcore.vectors import LANES as EIGHT
from simcore.vectors import choose, eight_at, largest, one_at, put_one, reals, spread


@inline_kernel
def weigh_again(work, start, display, columns, weights, dials):
    """Note what the column just placed on is worth."""
    seat, standing, _ = display
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


@inline_kernel
def number_laid(turn, players, dials):
    """Return the number among those rated of the card that is laid in a turn of the match."""
    return rules_by(dials).circle_cards + rules_by(dials).hand_cards + turn % players


@inline_kernel
def note_slot(work, start, laid, dials):
    """Note which card of the circle the one laid replaces; in the ring it has the same place."""
    taken = reals(one_at(work.rows, at.TAKEN, start))
    slot = spread(0)
    for number in range(1, rules_by(dials).circle_cards):
        slot = choose(one_at(work.worths, at.CARD + number, start) == taken, number, slot)
    put_one(work.rows, at.SLOT + laid, start, slot)


@inline_kernel
def settle(work, start, display, columns, laid):
    """Put what is known of the card laid in the place of what was known of the one taken.

    Also how it is rated in the columns of the seat that laid it.
    """
    rows = work.rows
    worths = work.worths
    slot = one_at(rows, at.SLOT + laid, start)
    put_each(rows, slot + at.SHIFT, start, one_at(rows, at.SHIFT + laid, start))
    put_each(worths, slot + at.CARD, start, one_at(worths, at.CARD + laid, start))
    put_each(worths, slot + at.UPWARDS, start, one_at(worths, at.UPWARDS + laid, start))
    put_each(worths, slot + at.DOWNWARDS, start, one_at(worths, at.DOWNWARDS + laid, start))
    put_each(worths, slot + at.MORE_UP, start, one_at(worths, at.MORE_UP + laid, start))
    put_each(worths, slot + at.MORE_DOWN, start, one_at(worths, at.MORE_DOWN + laid, start))
    put_each(worths, slot + at.FRESH, start, one_at(worths, at.FRESH + laid, start))
    _, _, ratings = display
    for place in range(columns):
        row = ratings + at.EACH * place
        put_each(worths, slot + row, start, one_at(worths, row + laid, start))


@kernel
def rate_laid(work, column, display, columns, turns, weights, dials):
    """Rate the cards that were laid in some turns in the columns of a seat.

    `turns` are the first one, that after the last one, and how many there are in a lap.
    """
    for start in range(column, column + LANES, EIGHT):
        if weights[HOPE] == 0.0:
            rate_new(work, start, display, columns, turns, weights, NO_HOPES, dials)
        elif weights[POINTS] + weights[STEP] + weights[COLOUR] > 0.0:
            rate_new(work, start, display, columns, turns, weights, WITH_HOPES, dials)
        else:
            rate_new(work, start, display, columns, turns, weights, ONLY_HOPES, dials)


@inline_kernel
def rate_new(work, start, display, columns, turns, weights, terms, dials):
    """Rate them; for `terms` see `worth.rating_of`."""
    first, end, players = turns
    _, _, ratings = display
    for place in range(columns):
        column = column_at(work, start, display, place, weights, dials)
        move = (BYTE * place + BYTE - 1) * MOVE
        row = ratings + at.EACH * place
        for turn in range(first, end):
            laid = number_laid(turn, players, dials)
            rating = rating_of(work, start, laid, column, weights, terms, dials) + move
            put_each(work.worths, one_at(work.rows, at.SLOT + laid, start) + row, start, rating)


@kernel
def rate_again(work, start, display, columns, laid, shared, weights, dials):
    """Note the best ratings of the circle as it will be, after the card was placed.

    Only those in the column placed on are others, and those of the card laid, which has the number
    `laid`. Where they are `shared`, the next player will look at them.
    """
    if weights[HOPE] == 0.0:
        rate_rest(work, start, display, columns, laid, shared, weights, NO_HOPES, dials)
    elif weights[POINTS] + weights[STEP] + weights[COLOUR] > 0.0:
        rate_rest(work, start, display, columns, laid, shared, weights, WITH_HOPES, dials)
    else:
        rate_rest(work, start, display, columns, laid, shared, weights, ONLY_HOPES, dials)


@inline_kernel
def rate_rest(work, start, display, columns, laid, shared, weights, terms, dials):
    """Do so; for `terms` see `worth.rating_of`."""
    rows = work.rows
    worths = work.worths
    seat, _, ratings = display
    rate_all(work, start, display, columns, (laid, 1), weights, terms, dials)
    placed = one_at(rows, at.PLACE, start)
    otherwise = best_otherwise(work, start, display, columns, weights)
    laid_best = best_rating(work, start, laid, display, columns, otherwise, dials)
    slot = one_at(rows, at.SLOT + laid, start)
    card = one_at(worths, at.CARD + laid, start)
    word = one_at(rows, at.PLACED, start)
    counts = one_at(rows, at.PLACED_COUNTS, start) + weights[EACH_COLOUR]
    standings = one_at(worths, at.PLACED_UP, start), one_at(worths, at.PLACED_DOWN, start)
    ends = ends_at(work, start, seat, word, placed, dials)
    column = facts_of(word, counts, ends, standings)
    move = (reals(placed) * BYTE + (BYTE - 1)) * MOVE
    for number in range(rules_by(dials).circle_cards):
        again = rating_of(work, start, number, column, weights, terms, dials) + move
        best = again
        for place in range(columns):
            row = ratings + at.EACH * place + number
            rating = choose(placed == place, again, one_at(worths, row, start))
            best = largest(best, rating)
            if shared:
                put_one(worths, row, start, rating)
        best = better_of(best, eight_at(worths, at.FRESH + number, start), otherwise, dials)
        put_one(worths, at.BEST + number, start, choose(slot == number, laid_best, best))
        put_where(worths, at.CARD + number, start, slot == number, card)
