"""Up or down?: what cards and columns are worth to a play spec.

`work` has the rows of `rows`: where they are numbers a single match is looked at, where they are
vectors eight, from the lane `start` on. All is worth so many parts of a point (`WORTH_UNIT`). A
*rating* is a float64: the worth without its fraction, and as its fraction the move in steps of
`MOVE`. So the greater worth is the greater number, and of equal ones the greater move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from simcore.games.upordown import rows as at
from simcore.games.upordown import table as uod
from simcore.games.upordown.cards import BYTE, card_at, lowest_of, without_lowest
from simcore.games.upordown.colours import MOST_COLOURS
from simcore.games.upordown.dials import ANYWHERE, END, LENGTH_ALONE, ROW_CIRCLE, rules_by
from simcore.games.upordown.options import MOST_HAND_CARDS, MOST_TURNS
from simcore.games.upordown.play import shift_of_colour
from simcore.games.upordown.rows import limits_at, one_of, parts_of, put_where
from simcore.games.upordown.score import points_of
from simcore.games.upordown.spec import HIGHEST_NUMBER
from simcore.jit import inline_kernel
from simcore.vectors import (
    abreast,
    choose,
    divided,
    eight_at,
    floored,
    largest,
    one_at,
    put_eight,
    put_one,
    reals,
    truncated,
)

WORTH_UNIT = 1024.0
STANDING = float(1 << 22)
"""Worths are rated in such parts of a point, and what a column is worth as it stands in such parts
of them: so that what is worth the same is rated the same."""

BARRED = float(1 << 50)
FITS = -float(1 << 49)
"""What is to be taken from the worth of a card where it may not be put; above `FITS` it may."""

assert BARRED > WORTH_UNIT * HIGHEST_NUMBER * HIGHEST_NUMBER * MOST_TURNS * MOST_TURNS

SHORTEST = 1e-300
"""With this stride, and any below, all cards come that there are turns for; 1 / it is a number."""

NUMBERS, MOVES = 32, 64
"""Plans have numbers below this, in the fraction of a plan's worth; and below them the move."""

FRACTION = NUMBERS * MOVES
MOVE = 1 / FRACTION
assert 2 * MOST_HAND_CARDS < NUMBERS

NO_HOPES, WITH_HOPES, ONLY_HOPES = (False, True), (True, True), (True, False)

FEW_COLOURS = sum(1 << uod.bits_for(10) * colour for colour in range(10))
MANY_COLOURS = sum(1 << uod.bits_for(MOST_COLOURS) * colour for colour in range(MOST_COLOURS))


class Weights(NamedTuple):
    """The numbers of a play spec in parts of a point, and what else ratings depend on.

    How many turns are left for each column, for how many columns there is room, how many cards are
    in play, and the points of a card given up; of the words in which colours are counted the mask
    of one, and a card of each; and 1 / `stride`.
    """

    points: Any
    step: Any
    colour: Any
    hope: Any
    stride: Any
    match: Any
    patience: Any
    deny: Any
    spread: Any
    turns: Any
    room: Any
    cards: Any
    discarded: Any
    mask: Any
    each_colour: Any
    per_stride: Any


@inline_kernel
def weights_of(numbers, turns_left, columns, cards, mask, dials):
    """Return the `Weights` by the numbers of a play spec.

    Where only the length of columns scores, a colour is worth nothing.
    """
    points, step, colour, hope, stride, match, patience, deny, spread = numbers
    return Weights(
        points * WORTH_UNIT,
        step * WORTH_UNIT,
        colour * (0.0 if rules_by(dials).scoring == LENGTH_ALONE else WORTH_UNIT),
        hope * WORTH_UNIT,
        stride * 1.0,
        match * 1.0,
        patience * WORTH_UNIT,
        deny * 1.0,
        spread * WORTH_UNIT,
        turns_left / columns,
        columns,
        cards * 1.0,
        rules_by(dials).discard_points * 1.0,
        mask,
        FEW_COLOURS if mask == uod.MOST_OF_A_COLOUR else MANY_COLOURS,
        1.0 / max(stride, SHORTEST),
    )


@inline_kernel
def put_card(work, start, number, card, colours):
    """Put a card to a place among those rated; for `colours` see `shift_of_colour`."""
    put_one(work.worths, at.CARD + number, start, reals(card))
    put_one(work.rows, at.SHIFT + number, start, shift_of_colour(card, colours))


@inline_kernel
def lay_out_circle(work, start, circle, wide, colours, dials):
    """Put the cards of the circle, a row or a card set, among those rated."""
    circle_cards = rules_by(dials).circle_cards
    low, high = wide
    for number in range(circle_cards):
        if circle_cards > ROW_CIRCLE:
            card = lowest_of(low, high)
            low, high = without_lowest(low, high)
        else:
            card = card_at(circle, BYTE * number)
        put_card(work, start, number, card, colours)


@inline_kernel
def lay_out_hand(work, start, hand, count, colours, dials):
    """Put the cards of a hand, to be denied, after those of the circle."""
    for number in range(count):
        card = card_at(hand, BYTE * number)
        put_card(work, start, rules_by(dials).circle_cards + number, card, colours)


@inline_kernel
def look_at(work, start, number, weights, dials):
    """Note what there is to know of a card at a place among those rated, or of eight from it on."""
    worths = work.worths
    card = eight_at(worths, at.CARD + number, start)
    above = weights.cards - card
    below = card - 1.0
    if rules_by(dials).insert == END:
        put_eight(worths, at.UPWARDS + number, start, weights.step * (above + 1.0))
        put_eight(worths, at.DOWNWARDS + number, start, weights.step * card)
        room = largest(above, below)
    else:
        room = above + below
    skipped = weights.cards - 1.0 - room
    fresh = weights.points - weights.step * skipped
    if weights.hope > 0.0:
        if rules_by(dials).insert == END:
            more_up = more_cards(above, weights, dials)
            more_down = more_cards(below, weights, dials)
            put_eight(worths, at.MORE_UP + number, start, more_up)
            put_eight(worths, at.MORE_DOWN + number, start, more_down)
            more = largest(more_up, more_down)  # the same as of `room`, but for a division
        else:
            more = more_cards(room, weights, dials)
        fresh = fresh + hoped(1.0, 1.0, more, weights, dials)
    put_eight(worths, at.FRESH + number, start, truncated(fresh))


@inline_kernel
def more_cards(room, weights, dials):
    """Return how many cards may come to a column with so much room.

    Each takes `STRIDE` numbers of it, where it cannot go between others [H4].
    """
    cards = divided(room, weights.stride, weights.per_stride)
    if rules_by(dials).insert == ANYWHERE:
        cards = room * 0.0 + weights.turns
    return choose(cards < weights.turns, cards, weights.turns)


@inline_kernel
def hoped(most, length, cards, weights, dials):
    """Return what is hoped of a column to which so many cards may come.

    So many of them as `MATCH` says are of its colour.
    """
    points = points_of(length + cards, most + weights.match * cards, rules_by(dials).scoring)
    return weights.hope * points


@inline_kernel
def weigh_columns(work, start, seat, columns, weights, dials):
    """Note what the columns of a seat are worth as they stand.

    `seat` is where its rows begin.
    """
    for place in range(columns):
        word = one_at(work.rows, seat + at.COLUMN + place, start)
        up, down, given_up = weigh(work, start, seat, word, place, weights, dials)
        put_one(work.worths, at.UP + place, start, up)
        put_one(work.worths, at.DOWN + place, start, down)
        put_one(work.worths, at.GIVEN + place, start, given_up + (uod.GIVE_UP + place) * MOVE)


@inline_kernel
def weigh_placed(work, start, seat, columns, weights, dials):
    """Note what the column placed on is worth."""
    placed = one_at(work.rows, at.PLACED, start)
    word, _ = one_of(work.rows, seat + at.COLUMN, seat + at.COUNTS, start, columns, placed)
    up, down, given_up = weigh(work, start, seat, word, placed, weights, dials)
    for place in range(columns):
        put_where(work.worths, at.UP + place, start, placed == place, up)
        put_where(work.worths, at.DOWN + place, start, placed == place, down)
        put_where(work.worths, at.GIVEN + place, start, placed == place, given_up)


@inline_kernel
def weigh(work, start, seat, word, place, weights, dials):
    """Return what a column is worth as it stands, see `rows.UP`; the last one without its move.

    Given up, it loses its points and its hopes, and leaves its cards.
    """
    floor, ceiling = ends_at(work, start, seat, place)
    length, most, last = parts_of(word)
    length, most, last = reals(length), reals(most), reals(last)
    score = points_of(length, most, rules_by(dials).scoring)
    left = length * weights.discarded
    if rules_by(dials).insert == END:
        rises = ceiling == uod.NO_CEILING
        falls = floor == uod.NO_FLOOR
        above = choose(rises, weights.cards - last, 0.0)
        room = largest(above, choose(falls, last - 1.0, 0.0))
    else:
        rises = length > 0.0
        falls = rises
        room = room_outside(reals(floor) - 1.0, reals(ceiling) + 1.0, weights, dials)
    standing = weights.points * score + weights.step * room
    given_up = weights.points * (left - score) - weights.patience * length
    if weights.hope > 0.0:
        hopes = hoped(most, length, more_cards(room, weights, dials), weights, dials)
        standing = standing + hopes
        given_up = given_up + (weights.hope * left - hopes)
    standing = truncated(standing * STANDING) * (1 / STANDING)
    return choose(rises, standing, BARRED), choose(falls, standing, BARRED), truncated(given_up)


@inline_kernel
def ends_at(work, start, seat, place):
    """Return the lowest and the highest card that may be appended to a column."""
    floors, ceilings, _ = limits_at(work.rows, start, seat)
    return card_at(floors, place << 3), card_at(ceilings, place << 3)


@inline_kernel
def room_outside(highest, lowest, weights, dials):
    """Return how many numbers are left for a column of cards between these two [H4]."""
    if rules_by(dials).insert == ANYWHERE:
        return highest * 0.0 + lowest * 0.0 + (weights.cards - 1.0)
    return (weights.cards - highest) + (lowest - 1.0)


@inline_kernel
def rate(rate_some, work, start, seat, columns, count, moves, weights, dials):
    """Rate cards looked at in the columns of a seat, as `rate_all` or `rate_again` does.

    Where `moves` are not asked for, ratings are left as they are: with fractions, without a move.
    """
    # Nothing is asked again for each card.
    if weights.hope == 0.0:
        rate_some(work, start, seat, columns, count, moves, weights, NO_HOPES, dials)
    elif weights.points + weights.step + weights.colour > 0.0:
        rate_some(work, start, seat, columns, count, moves, weights, WITH_HOPES, dials)
    else:
        rate_some(work, start, seat, columns, count, moves, weights, ONLY_HOPES, dials)


@inline_kernel
def rate_all(work, start, seat, columns, count, moves, weights, terms, dials):
    """Rate the first `count` cards in each column; for `terms` see `rating_of`."""
    for place in range(columns):
        column = column_at(work, start, seat, place, weights, dials)
        move = (BYTE * place + BYTE - 1) * MOVE
        for number in range(0, count, abreast(work.rows)):
            rating = rating_of(work, start, number, column, weights, terms, dials)
            if moves:
                rating = truncated(rating) + move
            put_eight(work.worths, at.RATINGS + at.EACH * place + number, start, rating)


@inline_kernel
def rate_again(work, start, seat, columns, count, _moves, weights, terms, dials):
    """Rate `count` cards after a turn: the last, which is new, and all in the column placed on."""
    worths = work.worths
    placed = one_at(work.rows, at.PLACED, start)
    cards = one_of(work.rows, seat + at.COLUMN, seat + at.COUNTS, start, columns, placed)
    standings = one_of(worths, at.UP, at.DOWN, start, columns, placed)
    changed = column_of(work, start, seat, placed, cards, standings, weights, dials)
    for number in range(count):
        rating = truncated(rating_of(work, start, number, changed, weights, terms, dials))
        put_one(worths, at.BEST + number, start, rating)
    for place in range(columns):
        column = column_at(work, start, seat, place, weights, dials)
        rating = truncated(rating_of(work, start, count - 1, column, weights, terms, dials))
        ratings = at.RATINGS + at.EACH * place
        put_one(worths, ratings + count - 1, start, rating)
        for number in range(count - 1):
            rating = one_at(worths, at.BEST + number, start)
            put_where(worths, ratings + number, start, placed == place, rating)


@inline_kernel
def column_at(work, start, seat, place, weights, dials):
    """Return what `rating_of` takes of a column of a seat, which was weighed."""
    cards = (
        one_at(work.rows, seat + at.COLUMN + place, start),
        one_at(work.rows, seat + at.COUNTS + place, start),
    )
    standings = (
        one_at(work.worths, at.UP + place, start),
        one_at(work.worths, at.DOWN + place, start),
    )
    return column_of(work, start, seat, place, cards, standings, weights, dials)


@inline_kernel
def column_of(work, start, seat, place, cards, standings, weights, dials):
    """Return the same of its words and what it is worth, as numbers that many cards need."""
    word, counts = cards
    length, most, last = parts_of(word)
    # A card of the colour of a single one is no step towards a colour.
    threshold = choose(length > 1, most - 1, most)
    # Above and below these cards of the column another goes on with it.
    above = below = reals(last)
    if rules_by(dials).insert != END:
        floor, ceiling = ends_at(work, start, seat, place)
        above, below = reals(floor) - 1.0, reals(ceiling) + 1.0
    counts = counts + weights.each_colour
    return counts, reals(most), reals(length) + 1.0, threshold, (above, below), standings


@inline_kernel
def rating_of(work, start, number, column, weights, terms, dials):
    """Return the rating of one of the cards looked at in a column, not truncated, without its move.

    `terms` say whether hopes count, and all else (`NO_HOPES`, `WITH_HOPES`, `ONLY_HOPES`).
    """
    counts, most, longer, threshold, ends, standings = column
    hopes, others = terms
    same = (counts >> eight_at(work.rows, at.SHIFT + number, start)) & weights.mask
    after = largest(reals(same), most)
    more, stepped, standing = prospects(work, start, number, ends, standings, weights, dials)
    hoped_for = hoped(after, longer, more, weights, dials)
    if others:
        worth = weights.points * points_of(longer, after, rules_by(dials).scoring)
        worth = worth + stepped
        if weights.colour > 0.0:
            worth = worth + choose(same > threshold, weights.colour, 0.0)
        if hopes:
            worth = worth + hoped_for
    else:
        worth = hoped_for
    return worth - standing


@inline_kernel
def prospects(work, start, number, ends, standings, weights, dials):
    """Return of a card in a column: how many may come then, the worth of its room, what it had."""
    worths = work.worths
    above, below = ends
    up, down = standings
    card = eight_at(worths, at.CARD + number, start)
    is_higher = card > above
    if rules_by(dials).insert == END:
        more = eight_at(worths, at.MORE_UP + number, start)
        more = choose(is_higher, more, eight_at(worths, at.MORE_DOWN + number, start))
        stepped = eight_at(worths, at.UPWARDS + number, start)
        stepped = choose(is_higher, stepped, eight_at(worths, at.DOWNWARDS + number, start))
        return more, stepped, choose(is_higher, up, down)
    if rules_by(dials).insert == ANYWHERE:
        room = card * 0.0 + (weights.cards - 1.0)
        return more_cards(room, weights, dials), weights.step * room, choose(is_higher, up, up)
    room = room_outside(above, card, weights, dials)
    room = choose(is_higher, room_outside(card, below, weights, dials), room)
    more = more_cards(room, weights, dials)
    fits = is_higher | (card < below)
    return more, weights.step * (room + 1.0), choose(fits, up, BARRED)


@inline_kernel
def best_otherwise(work, start, seat, columns, weights):
    """Return the rating of giving a column up, or of a new column, without what this is worth.

    And whether there is no room for a new one.
    """
    given_up = one_at(work.worths, at.GIVEN, start)
    for place in range(1, columns):
        given_up = largest(given_up, one_at(work.worths, at.GIVEN + place, start))
    is_full = one_at(work.rows, seat + at.USED, start) == weights.room
    return choose(is_full, given_up, uod.NEW_COLUMN * MOVE), is_full


@inline_kernel
def best_appended(work, start, number, columns):
    """Return the best rating of one of the cards in the columns."""
    best = eight_at(work.worths, at.RATINGS + number, start)
    for place in range(1, columns):
        best = largest(best, eight_at(work.worths, at.RATINGS + at.EACH * place + number, start))
    return best


@inline_kernel
def better_of(work, start, number, appended, otherwise, dials):
    """Return the better rating of a card in the columns and in one of its own, if that may be."""
    worth, is_full = otherwise
    fresh = eight_at(work.worths, at.FRESH + number, start)
    best = largest(appended, fresh + worth)
    if rules_by(dials).is_forced:
        best = choose(is_full & (appended > FITS), appended, best)
    return best


@inline_kernel
def note_denials(work, start, rival, columns, weights, dials):
    """Note what it is worth to keep the cards looked at, which were rated, from the next player."""
    otherwise = best_otherwise(work, start, rival, columns, weights)
    rated = rules_by(dials).circle_cards + rules_by(dials).hand_cards
    for number in range(0, rated, abreast(work.rows)):
        best = truncated(best_appended(work, start, number, columns))
        best = floored(better_of(work, start, number, best, otherwise, dials))
        put_eight(work.worths, at.DENIED + number, start, truncated(weights.deny * best))


@inline_kernel
def note_best(work, start, seat, columns, plans, count, weights, dials):
    """Note the best ratings of so many cards looked at, of which those of the circle come first.

    If `plans`, with what it is worth to keep them from the next player.
    """
    otherwise = best_otherwise(work, start, seat, columns, weights)
    for number in range(0, count, abreast(work.rows)):
        best = best_appended(work, start, number, columns)
        best = better_of(work, start, number, best, otherwise, dials)
        if plans and weights.deny > 0.0:
            best = best + eight_at(work.worths, at.DENIED + number, start)
        put_eight(work.worths, at.BEST + number, start, best)
