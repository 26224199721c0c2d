"""Up or down?: turns planned by tastes, in the lanes of vector registers; see `lanes`.

Eight matches at a time take a turn in vectors (`simcore.vectors`). What is the same in all of them
may branch: how many cards a hand has, or whether anybody at the table has hopes. The numbers come
out as in `strategies.upordown_sight`, the same sums of the same float64 in the same order, but for
units, which are powers of two (`tests/upordown/test_lane_policies.py`).

A rating is here a float64: the worth without its fraction, and as a fraction the move, in parts of
`MOVES`. So the greater worth is the greater number, and of equal ones the greater move.
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
    DOWN_LEFT,
    DRAWN,
    DRAWN_FROM,
    FORCED,
    GIVEN_UP,
    HIGHER,
    LANE_ROWS,
    LAST,
    LENGTH,
    LOWER,
    MOST,
    ONE_PILE,
    SCORE,
    UP_LEFT,
    USED,
    row_of,
)
from simcore.games.upordown.manner import (
    COLOUR,
    DENY,
    FIRST_NUMBER,
    HOPE,
    LAST_TURNS,
    MATCH,
    ONLY_POINTS,
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
    NEW_COLUMN,
    SEATS,
)
from simcore.jit import inline_kernel, kernel
from simcore.lanes import LANES, LINE, as_record
from simcore.vectors import LANES as EIGHT
from simcore.vectors import (
    choose,
    eight_at,
    floored,
    largest,
    put_eight,
    reals,
    spread,
    truncated,
    wholes,
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
cards looked at, where a column's word counts the colour; the word of the column just placed on, its
place, and which card of the circle was taken and gave its place to the one laid."""

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

PLACED_UP, PLACED_DOWN, BEST_OF_LAID, BEST = range(
    STANDINGS + STANDING_ROWS * (SEATS + 1), STANDINGS + STANDING_ROWS * (SEATS + 1) + 4
)

TASTES = BEST + CIRCLE_CARDS
TASTE_ROWS = LAST_TURNS + 1
"""Rows of a seat's taste, as in a manner; those `IN_POINTS` in parts of a point (`WORTH_UNIT`)."""

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

SCORES, STEPS, COLOURS_COUNT, HOPES = range(4)
"""In the terms of `take_turns`."""

FIELD = 255
ALL_COUNTS = (1 << (COUNTS + COUNT_BITS * COLOURS)) - (1 << COUNTS)
EACH_COLOUR = sum(1 << (COUNTS + COUNT_BITS * colour) for colour in range(COLOURS))
STANDING = STANDING_UNIT / WORTH_UNIT
BARRED = float(1 << 50)
NEVER = -BARRED

NUMBERS, MOVES, PLACES = 8, 64, 8
"""Plans have numbers below this, in the fraction of a plan's worth; below them the move, and below
that which card of the circle is taken."""

MOVE = 1 / (NUMBERS * MOVES)
FRACTION = NUMBERS * MOVES * PLACES
assert GIVE_UP + COLUMNS < MOVES
assert 2 * HAND_CARDS < NUMBERS


@inline_kernel
def number_at(manner, number):
    """Return a number of a manner."""
    return np.int64(manner[FIRST_NUMBER + number]).view(np.float64)


@kernel
def load_taste(work, column, index, manner):
    """Put the taste of a seat, counted from the start player, into a lane; it has no columns."""
    worths = work.worths
    first = TASTES + TASTE_ROWS * index
    for number in range(TASTE_ROWS):
        worths[first + number, column] = number_at(manner, number)
    for number in IN_POINTS:
        worths[first + number, column] *= WORTH_UNIT
    for standing in (STANDINGS, standing_of(index)):
        for place in range(COLUMNS):
            worths[standing + UP + place, column] = BARRED
            worths[standing + DOWN + place, column] = BARRED
            worths[standing + GIVEN + place, column] = NEVER


@inline_kernel
def standing_of(index):
    """Return the first row of what the columns of a seat are worth."""
    return STANDINGS + STANDING_ROWS * (index + 1)


@kernel
def load_circle(work, column):
    """Lay out the circles of all lanes, which were put there as rows of cards."""
    for start in range(column, column + LANES, EIGHT):
        row = eight_at(work.rows, CIRCLE, start)
        for number in range(CIRCLE_CARDS):
            card = (row >> BYTE * number) & CARD_BITS
            put_card(work, start, number, card)
            # At first they lie in order.
            put_eight(work.worths, KEY + number, start, reals(card - (row & CARD_BITS)))


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


@kernel
def any_cares(table, box, number):
    """Tell whether somebody's taste has a number other than 0."""
    for seat in range(table.players):
        if number_at(box.manners[seat], number) != 0.0:
            return True
    return False


@kernel
def take_turns(work, column, seat, turns_left, game, cares, terms):
    """Let a seat take its turn in all lanes, from `column` on.

    One half of the lanes does a step while the other one waits for numbers.

    Parameters
    ----------
    work : TASTE_WORK
        Modified in place.
    column, seat : int
    turns_left : int
        How many turns the seat has after this one.
    game : (int, int, int, int, bool)
        Players, columns, cards in play, cards of the face-up pile, whether this lies open.
    cares : (bool, bool, bool)
        Whether somebody denies, spreads, and has other last turns.
    terms : tuple of tuples
        Of points, steps, colours and hopes, each of one number if somebody counts them, else of
        none. What nobody counts is not even compiled.
    """
    players = game[0]
    denies, _, ends = cares
    hand_cards = min(turns_left + 1, HAND_CARDS)
    draws = turns_left >= HAND_CARDS
    taste = TASTES + TASTE_ROWS * seat
    first = row_of(seat, 0)
    standing = standing_of(seat)
    for start in range(column, column + LANES, EIGHT):
        sort_hand(work.rows, first, start)
        if ends:
            only_points(work.worths, taste, start, np.float64(turns_left))
        for number in range(CIRCLE_CARDS):
            look_at(work, start, number, taste, turns_left, game, terms)
        if len(terms[HOPES]) > 0 or ends:
            weigh_columns(work, start, first, standing, taste, turns_left, game, terms)
    if denies:
        rival = row_of(seat + 1 if seat + 1 < players else 0, 0)
        for start in range(column, column + LANES, EIGHT):
            for number in range(HAND_CARDS):
                put_card(work, start, LAID + number, card_of_hand(work.rows, first, start, number))
                look_at(work, start, LAID + number, taste, turns_left, game, terms)
            weigh_columns(work, start, rival, STANDINGS, taste, turns_left, game, terms)
        for start in range(column, column + LANES, EIGHT):
            rate(work, start, rival, STANDINGS, taste, RATED, terms)
            note_denials(work, start, rival, taste, game)
    for start in range(column, column + LANES, EIGHT):
        rate(work, start, first, standing, taste, CIRCLE_CARDS, terms)
    for start in range(column, column + LANES, EIGHT):
        plan(work, start, first, standing, taste, hand_cards, game, cares)
    for start in range(column, column + LANES, EIGHT):
        lay_card(work, start, first)
        if draws and game[4]:
            look_at(work, start, LAID, taste, turns_left, game, terms)
    for start in range(column, column + LANES, EIGHT):
        place_card(work, start, first, game)
    for start in range(column, column + LANES, EIGHT):
        weigh_again(work, start, standing, taste, turns_left, game, terms)
    for start in range(column, column + LANES, EIGHT):
        if draws and game[4]:
            rate_again(work, start, first, standing, taste, game, terms)
        exchange_cards(work, start, game)
    for start in range(column, column + LANES, EIGHT):
        if draws and game[4]:
            draw(work.rows, start, shown_is_better(work, start, game), game)
        elif draws:
            draw(work.rows, start, spread(0) > 0, game)
        else:
            add_one(work.rows, ONE_PILE, start, spread(0) == 0)


@inline_kernel
def only_points(worths, taste, start, turns_left):
    """Let only points count for seats that have their last turns."""
    last = eight_at(worths, taste + LAST_TURNS, start) > turns_left
    for number in range(LAST_TURNS):
        before = eight_at(worths, taste + number, start)
        after = ONLY_POINTS[number] * (WORTH_UNIT if number == POINTS else 1.0)
        put_eight(worths, taste + number, start, choose(last, after, before))


@inline_kernel
def sort_hand(rows, first, start):
    """Put the three cards of a hand in order, `NO_CARD` last."""
    low = eight_at(rows, first + LOWER, start)
    high = eight_at(rows, first + HIGHER, start)
    drawn = eight_at(rows, first + DRAWN, start)
    between = largest(low, drawn)
    put_eight(rows, first + LOWER, start, choose(low < drawn, low, drawn))
    put_eight(rows, first + HIGHER, start, choose(high < between, high, between))
    put_eight(rows, first + DRAWN, start, largest(high, between))


@inline_kernel
def card_of_hand(rows, first, start, number):
    """Return a card of a hand in order."""
    return eight_at(rows, first + LOWER + number, start)


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
    if len(terms[STEPS]) > 0:
        put_eight(worths, UPWARDS + number, start, step * (above + 1.0))
        put_eight(worths, DOWNWARDS + number, start, step * card)
        fresh = points - step * (np.float64(card_count - 1) - largest(above, below))
    if len(terms[HOPES]) > 0:
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
    if len(terms[SCORES]) > 0:
        standing = points * score
        given_up = points * (length - score) - patience * length
    if len(terms[STEPS]) > 0:
        standing = standing + step * room
    if len(terms[HOPES]) > 0:
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
def rate(work, start, display, standing, taste, count, terms):
    """Rate the first `count` cards looked at in each column of the seat with rows from `display`.

    As `upordown_sight.rate_placings` does.
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
            put_eight(worths, RATINGS + RATED * place + number, start, rating)


@inline_kernel
def best_rating(worths, start, number, otherwise):
    """Return the best rating of one of the cards."""
    best = eight_at(worths, FRESH + number, start) + otherwise
    best = largest(best, eight_at(worths, RATINGS + number, start))
    best = largest(best, eight_at(worths, RATINGS + RATED + number, start))
    return largest(best, eight_at(worths, RATINGS + 2 * RATED + number, start))


@inline_kernel
def note_denials(work, start, rival, taste, game):
    """Note what it is worth to keep the cards looked at, which were rated, from the next player."""
    worths = work.worths
    otherwise = best_otherwise(work, start, rival, STANDINGS, game)
    deny = eight_at(worths, taste + DENY, start)
    for number in range(RATED):
        best = best_rating(worths, start, number, otherwise)
        put_eight(worths, DENIED + number, start, truncated(deny * floored(best)))


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
    if len(terms[SCORES]) > 0:
        worth = points * (after * longer)
    if len(terms[STEPS]) > 0:
        up = eight_at(worths, UPWARDS + number, start)
        worth = worth + choose(is_higher, up, eight_at(worths, DOWNWARDS + number, start))
    if len(terms[COLOURS_COUNT]) > 0:
        worth = worth + choose(same > threshold, colour, 0.0)
    if len(terms[HOPES]) > 0:
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
def plan(work, start, first, standing, taste, hand_cards, game, cares):
    """Note the best plan; see `upordown_sight.plan_turn`."""
    rows = work.rows
    worths = work.worths
    denies, spreads, _ = cares
    otherwise = best_otherwise(work, start, first, standing, game)
    ratings = (
        numbered(worths, start, 0, otherwise, denies),
        numbered(worths, start, 1, otherwise, denies),
        numbered(worths, start, 2, otherwise, denies),
        numbered(worths, start, 3, otherwise, denies),
        numbered(worths, start, 4, otherwise, denies),
        numbered(worths, start, 5, otherwise, denies),
    )
    in_gaps = gaps_of(ratings, 1 / NUMBERS)
    circle = eight_at(worths, CARD, start)
    keys = keys_at(worths, start)
    low = reals(card_of_hand(rows, first, start, 0))
    middle = reals(card_of_hand(rows, first, start, 1))
    high = reals(card_of_hand(rows, first, start, 2))
    plan1 = at_gap(low, circle, keys, in_gaps, game) + 6 / NUMBERS
    plan2 = at_gap(middle, circle, keys, in_gaps, game) + 4 / NUMBERS
    plan3 = at_gap(high, circle, keys, in_gaps, game) + 2 / NUMBERS
    if denies:
        plan1 = plan1 - eight_at(worths, DENIED + LAID, start)
        plan2 = plan2 - eight_at(worths, DENIED + LAID + 1, start)
        plan3 = plan3 - eight_at(worths, DENIED + LAID + 2, start)
    if spreads and hand_cards == HAND_CARDS:
        far = eight_at(worths, taste + SPREAD, start)
        plan1 = plan1 + truncated(far * (high - middle))
        plan2 = plan2 + truncated(far * (high - low))
        plan3 = plan3 + truncated(far * (middle - low))
    if hand_cards > 1:
        plan1 = largest(plan1, plan2)
    if hand_cards > 2:
        plan1 = largest(plan1, plan3)
    put_eight(rows, PLAN, start, wholes((plan1 - floored(plan1)) * FRACTION))


@inline_kernel
def numbered(worths, start, number, otherwise, denies):
    """Return the best rating of a card of the circle, with its number in the fraction."""
    best = best_rating(worths, start, number, otherwise) + number / FRACTION
    if denies:
        best = best + eight_at(worths, DENIED + number, start)
    return best


@inline_kernel
def lay_card(work, start, first):
    """Take the card to be laid from the hand, and find the one that is to be taken for it."""
    rows = work.rows
    worths = work.worths
    fraction = eight_at(rows, PLAN, start)
    number = fraction >> 9
    number = HAND_CARDS - ((number + (number & 1)) >> 1)
    low = card_of_hand(rows, first, start, 0)
    middle = card_of_hand(rows, first, start, 1)
    high = card_of_hand(rows, first, start, 2)
    is_low = number == 0
    is_high = number == 2
    put_eight(rows, first + LOWER, start, choose(is_low, middle, low))
    put_eight(rows, first + HIGHER, start, choose(is_high, middle, high))
    put_card(work, start, LAID, choose(is_low, low, choose(is_high, high, middle)))
    exchanged = fraction & (PLACES - 1)
    card = eight_at(worths, CARD, start)
    shift = eight_at(rows, SHIFT, start)
    for place in range(1, CIRCLE_CARDS):
        is_taken = exchanged == place
        card = choose(is_taken, eight_at(worths, CARD + place, start), card)
        shift = choose(is_taken, eight_at(rows, SHIFT + place, start), shift)
    put_eight(rows, EXCHANGED, start, exchanged)
    put_eight(rows, TAKEN, start, wholes(card))
    put_eight(rows, TAKEN_SHIFT, start, shift)


@inline_kernel
def place_card(work, start, first, game):
    """Place the card taken, as `play.place_card` does."""
    rows = work.rows
    card = eight_at(rows, TAKEN, start)
    shift = eight_at(rows, TAKEN_SHIFT, start)
    move = (eight_at(rows, PLAN, start) >> 3) & (MOVES - 1)
    used = eight_at(rows, first + USED, start)
    old0 = eight_at(rows, first + COLUMN, start)
    old1 = eight_at(rows, first + COLUMN + 1, start)
    old2 = eight_at(rows, first + COLUMN + 2, start)
    appended = move < NEW_COLUMN
    given_up = move > NEW_COLUMN
    is_forced = used == 0
    if game[1] == 1:
        last = (old0 >> LAST) & FIELD
        fits = ((card > last) & ((old0 & RISES) > 0)) | ((card < last) & ((old0 & FALLS) > 0))
        is_forced = fits == (used < 0)
    add_one(rows, FORCED, start, is_forced)
    add_one(rows, GIVEN_UP, start, given_up)
    add_one(rows, first + USED, start, move == NEW_COLUMN)
    place = choose(appended, move >> 3, choose(given_up, move - GIVE_UP, used))
    is_second = place == 1
    is_third = place == 2
    old = choose(is_third, old2, choose(is_second, old1, old0))
    length = (old >> LENGTH) & FIELD
    most = (old >> MOST) & FIELD
    last = (old >> LAST) & FIELD
    score = eight_at(rows, first + SCORE, start) - length * most + choose(given_up, length, 0)
    most = choose(appended, most, 0)
    length = choose(appended, length, 0) + 1
    counts = (choose(appended, old, 0) & ALL_COUNTS) + (spread(1) << shift)
    most = largest(most, (counts >> shift) & MOST_OF_A_COLOUR)
    ways = choose(appended & (card > last), RISES, RISES | FALLS)
    ways = choose(appended & (card < last), FALLS, ways)
    new = ways | counts | (card << LAST) | (most << MOST) | (length << LENGTH)
    put_eight(rows, first + SCORE, start, score + length * most)
    put_eight(rows, first + COLUMN, start, choose(place == 0, new, old0))
    put_eight(rows, first + COLUMN + 1, start, choose(is_second, new, old1))
    put_eight(rows, first + COLUMN + 2, start, choose(is_third, new, old2))
    put_eight(rows, PLACED_WORD, start, new)
    put_eight(rows, PLACE, start, place)


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
def put_where(rows, row, start, which, numbers):
    """Write the numbers of some of the lanes to a row."""
    put_eight(rows, row, start, choose(which, numbers, eight_at(rows, row, start)))


@inline_kernel
def add_one(rows, row, start, happened):
    """Count in a row what happened."""
    before = eight_at(rows, row, start)
    put_eight(rows, row, start, choose(happened, before + 1, before))


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
    put_eight(worths, BEST_OF_LAID, start, laid_best)
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
        put_eight(worths, BEST + number, start, best)


@inline_kernel
def exchange_cards(work, start, game):
    """Put the card laid in the place of the one taken."""
    worths = work.worths
    rows = work.rows
    laid = eight_at(worths, CARD + LAID, start)
    shift = eight_at(rows, SHIFT + LAID, start)
    exchanged = eight_at(rows, EXCHANGED, start)
    best = eight_at(worths, BEST_OF_LAID, start)
    circle = choose(exchanged == 0, laid, eight_at(worths, CARD, start))
    for number in range(CIRCLE_CARDS):
        is_laid = exchanged == number
        card = choose(is_laid, laid, eight_at(worths, CARD + number, start))
        put_eight(worths, CARD + number, start, card)
        put_eight(worths, KEY + number, start, key_of(card, circle, game))
        put_where(worths, BEST + number, start, is_laid, best)
        put_where(rows, SHIFT + number, start, is_laid, shift)


@inline_kernel
def gaps_of(ring, less):
    """Return what the better neighbour is worth by gap of the circle, the upper one `less`."""
    return (
        largest(ring[0], ring[1] - less),
        largest(ring[1], ring[2] - less),
        largest(ring[2], ring[3] - less),
        largest(ring[3], ring[4] - less),
        largest(ring[4], ring[5] - less),
        largest(ring[5], ring[0] - less),
    )


@inline_kernel
def key_of(card, circle, game):
    """Return how far a card is from the first one of the circle, see `KEY`."""
    key = card - circle
    return choose(key < 0.0, key + np.float64(game[2]), key)


@inline_kernel
def keys_at(worths, start):
    """Return the keys of all cards of the circle but the first one."""
    return (
        eight_at(worths, KEY + 1, start),
        eight_at(worths, KEY + 2, start),
        eight_at(worths, KEY + 3, start),
        eight_at(worths, KEY + 4, start),
        eight_at(worths, KEY + 5, start),
    )


@inline_kernel
def at_gap(card, circle, keys, in_gaps, game):
    """Return what belongs to the gap of the circle in which a card belongs."""
    key = key_of(card, circle, game)
    found = choose(key > keys[0], in_gaps[1], in_gaps[0])
    found = choose(key > keys[1], in_gaps[2], found)
    found = choose(key > keys[2], in_gaps[3], found)
    found = choose(key > keys[3], in_gaps[4], found)
    return choose(key > keys[4], in_gaps[5], found)


@inline_kernel
def shown_is_better(work, start, game):
    """Tell whether the face-up card reaches more than a hidden one may; see `best_pile`."""
    worths = work.worths
    circle = eight_at(worths, CARD, start)
    keys = keys_at(worths, start)
    best = (
        eight_at(worths, BEST, start),
        eight_at(worths, BEST + 1, start),
        eight_at(worths, BEST + 2, start),
        eight_at(worths, BEST + 3, start),
        eight_at(worths, BEST + 4, start),
        eight_at(worths, BEST + 5, start),
    )
    in_gaps = gaps_of(best, 0.0)
    reach = (
        floored(in_gaps[0]),
        floored(in_gaps[1]),
        floored(in_gaps[2]),
        floored(in_gaps[3]),
        floored(in_gaps[4]),
        floored(in_gaps[5]),
    )
    hidden = (keys[0] - 1.0) * reach[0]
    hidden = hidden + (keys[1] - keys[0] - 1.0) * reach[1]
    hidden = hidden + (keys[2] - keys[1] - 1.0) * reach[2]
    hidden = hidden + (keys[3] - keys[2] - 1.0) * reach[3]
    hidden = hidden + (keys[4] - keys[3] - 1.0) * reach[4]
    hidden = hidden + (np.float64(game[2] - 1) - keys[4]) * reach[5]
    shown = at_gap(reals(eight_at(work.rows, SHOWN, start)), circle, keys, reach, game)
    return shown * np.float64(game[2] - CIRCLE_CARDS) >= hidden


@inline_kernel
def draw(rows, start, from_up, game):
    """Draw from a pile, or from the only one that has cards: note which card of the deck it is."""
    up_left = eight_at(rows, UP_LEFT, start)
    down_left = eight_at(rows, DOWN_LEFT, start)
    only_up = down_left == 0
    is_up = (up_left > 0) & (from_up | only_up)
    add_one(rows, ONE_PILE, start, (up_left == 0) | only_up)
    put_eight(rows, DRAWN_FROM, start, choose(is_up, up_left, down_left + game[3]))
    put_eight(rows, UP_LEFT, start, choose(is_up, up_left - 1, up_left))
    put_eight(rows, DOWN_LEFT, start, choose(is_up | only_up, down_left, down_left - 1))
