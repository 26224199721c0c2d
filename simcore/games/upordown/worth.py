"""Up or down?: what cards and columns are worth to a play spec.

What there is of cards and columns may be numbers, or vectors: of eight cards of a single match
(`choice`), or of a card in each of eight (`plan`). All is worth so many parts of a point
(`WORTH_UNIT`). A *rating* is a float64: the worth without its fraction, and as its fraction the
move in steps of `MOVE`. So the greater worth is the greater number, and of equal ones the greater
move.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from simcore.games.upordown import table as uod
from simcore.games.upordown.cards import BYTE
from simcore.games.upordown.colours import MOST_COLOURS
from simcore.games.upordown.dials import ANYWHERE, END, LENGTH_ALONE, rules_by
from simcore.games.upordown.options import MOST_HAND_CARDS, MOST_TURNS
from simcore.games.upordown.score import points_of
from simcore.games.upordown.spec import HIGHEST_NUMBER
from simcore.jit import inline_kernel
from simcore.vectors import choose, divided, floored, largest, reals, truncated

WORTH_UNIT = 1024.0
LEAST = -(1 << 60)
"""Less than any rating."""

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

UPPER_SIDE = 1 / NUMBERS
"""What is taken from the worth of an upper neighbour, of which the plan's number is less."""

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
        1.0 / largest(stride, SHORTEST),
    )


@inline_kernel
def look_at(card, weights, dials):
    """Return what there is to know of a card.

    The card; what the room above and below it is worth, with itself; how many cards may come there;
    and what it is worth in a column of its own.
    """
    above, below = weights.cards - card, card - 1.0
    is_at_end = rules_by(dials).insert == END
    room = largest(above, below) if is_at_end else above + below
    skipped = weights.cards - 1.0 - room
    fresh = weights.points - weights.step * skipped
    more_up = more_down = card
    if weights.hope > 0.0:
        if is_at_end:
            more_up = more_cards(above, weights, dials)
            more_down = more_cards(below, weights, dials)
            more = largest(more_up, more_down)  # the same as of `room`, but for a division
        else:
            more = more_cards(room, weights, dials)
        fresh = fresh + hoped(1.0, 1.0, more, weights, dials)
    steps = weights.step * (above + 1.0), weights.step * card
    return card, steps, (more_up, more_down), truncated(fresh)


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
def weigh(parts, place, limits, weights, dials):
    """Return what a column is worth as it stands, and the rating of giving it up.

    The first to append a higher card, and to append a lower one: `BARRED` if that may not be. Given
    up, it loses its points and its hopes, and leaves its cards. `parts` as `rows.parts_of` returns
    them; `limits` are the lowest and the highest card that may be appended.
    """
    floor, ceiling = limits
    length, most, last = parts
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
    standings = choose(rises, standing, BARRED), choose(falls, standing, BARRED)
    return standings, truncated(given_up) + (uod.GIVE_UP + place) * MOVE


@inline_kernel
def room_outside(highest, lowest, weights, dials):
    """Return how many numbers are left for a column of cards between these two [H4]."""
    if rules_by(dials).insert == ANYWHERE:
        return highest * 0.0 + lowest * 0.0 + (weights.cards - 1.0)
    return (weights.cards - highest) + (lowest - 1.0)


@inline_kernel
def column_of(parts, counts, limits, standings, weights, dials):
    """Return what `rating_of` takes of a column, as numbers that many cards need; see `weigh`."""
    length, most, last = parts
    # A card of the colour of a single one is no step towards a colour.
    threshold = choose(length > 1, most - 1, most)
    # Above and below these cards of the column another goes on with it.
    above = below = reals(last)
    if rules_by(dials).insert != END:
        above, below = reals(limits[0]) - 1.0, reals(limits[1]) + 1.0
    counts = counts + weights.each_colour
    return counts, reals(most), reals(length) + 1.0, threshold, (above, below), standings


@inline_kernel
def rating_of(looked, shift, column, weights, terms, dials):
    """Return the rating of a card in a column, not truncated, without its move.

    `shift` is where its colour is counted; `terms` say whether hopes count, and all else
    (`NO_HOPES`, `WITH_HOPES`, `ONLY_HOPES`).
    """
    counts, most, longer, threshold, ends, standings = column
    hopes, others = terms
    same = (counts >> shift) & weights.mask
    after = largest(reals(same), most)
    more, stepped, standing = prospects(looked, ends, standings, weights, dials)
    if others:
        worth = weights.points * points_of(longer, after, rules_by(dials).scoring)
        worth = worth + stepped
        if weights.colour > 0.0:
            worth = worth + choose(same > threshold, weights.colour, 0.0)
        if hopes:
            worth = worth + hoped(after, longer, more, weights, dials)
    else:
        worth = hoped(after, longer, more, weights, dials)
    return worth - standing


@inline_kernel
def with_move(rating, place):
    """Return a rating with the move that appends the card to a column."""
    return truncated(rating) + (BYTE * place + BYTE - 1) * MOVE


@inline_kernel
def prospects(looked, ends, standings, weights, dials):
    """Return of a card in a column: how many may come then, the worth of its room, what it had."""
    card, (upwards, downwards), (more_up, more_down), _ = looked
    above, below = ends
    up, down = standings
    is_higher = card > above
    if rules_by(dials).insert == END:
        more, stepped = choose(is_higher, more_up, more_down), choose(is_higher, upwards, downwards)
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
def otherwise_of(given_up, used, weights):
    """Return the rating of giving a column up, or of a new column, without what this is worth.

    And whether there is no room for a new one.
    """
    is_full = used == weights.room
    return choose(is_full, given_up, uod.NEW_COLUMN * MOVE), is_full


@inline_kernel
def better_of(fresh, appended, otherwise, dials):
    """Return the better rating of a card in the columns and in one of its own, if that may be."""
    worth, is_full = otherwise
    best = largest(appended, fresh + worth)
    if rules_by(dials).is_forced:
        best = choose(is_full & (appended > FITS), appended, best)
    return best


@inline_kernel
def denial_of(best, weights):
    """Return what it is worth to keep a card from the next player, by its rating for that one."""
    return truncated(weights.deny * floored(best))
