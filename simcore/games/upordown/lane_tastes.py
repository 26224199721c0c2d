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

from simcore.games.upordown.cards import BYTE, CARD_BITS, EACH_CARD, EACH_TOP_BIT
from simcore.games.upordown.deal import NO_CEILING, NO_FLOOR
from simcore.games.upordown.lane_turns import (
    CEILINGS,
    CIRCLE,
    COLOURS,
    COLUMN,
    COUNTS,
    DOWN_LEFT,
    DRAWN,
    DRAWN_FROM,
    FLOORS,
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
from simcore.games.upordown.play import BEYOND, exchange_at
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
    popcounts,
    put_eight,
    reals,
    spread,
    truncated,
    wholes,
)

SHOWN = LANE_ROWS
"""One row more than in other lanes: the card on top of the face-up pile."""

TASTE_ROWS = LAST_TURNS + 1
"""Rows of a seat's taste, as in a manner; but for `STRIDE`, `MATCH`, `DENY` and `LAST_TURNS` in
parts of a point (`WORTH_UNIT`)."""

IN_POINTS = (POINTS, STEP, COLOUR, HOPE, PATIENCE, SPREAD)

RATED = CIRCLE_CARDS + HAND_CARDS
"""Most cards that are rated together: those of the circle, then those of the hand."""

CARD, SHIFT = (RATED * i for i in range(2))
UPWARDS, DOWNWARDS, MORE_UP, MORE_DOWN, BEST, BEST_OF_RIVAL = (RATED * i for i in range(6))
"""First of the rows of what is looked at, by card: the card, and where a column's word counts its
colour; what the room above and below it is worth, with itself, and how many cards may come there;
how it is rated for the seat on turn, and for the next one."""

TASTE_WORK = as_record(
    np.dtype(
        [
            ("rows", "i8", (LANE_ROWS + 1, LANES + LINE)),
            ("tastes", "f8", (SEATS * TASTE_ROWS, LANES + LINE)),
            ("cards", "i8", (2 * RATED, EIGHT + LINE)),
            ("worths", "f8", (6 * RATED, EIGHT + LINE)),
        ]
    )
)

FIELD = 255
EACH_COLOUR = sum(1 << (COUNTS + COUNT_BITS * colour) for colour in range(COLOURS))
STANDING = STANDING_UNIT / WORTH_UNIT
NEVER = -float(1 << 50)

NUMBERS = 8
"""Plans have numbers below this, in the fraction of a plan's worth, with the move below them."""

MOVES = 64 * NUMBERS
assert GIVE_UP + COLUMN < MOVES // NUMBERS
assert 2 * HAND_CARDS < NUMBERS


@inline_kernel
def number_at(manner, number):
    """Return a number of a manner."""
    return np.int64(manner[FIRST_NUMBER + number]).view(np.float64)


@kernel
def load_taste(work, column, index, manner):
    """Put the taste of a seat, counted from the start player, into a lane."""
    tastes = work[0].tastes
    first = TASTE_ROWS * index
    for number in range(TASTE_ROWS):
        tastes[first + number, column] = number_at(manner, number)
    for number in IN_POINTS:
        tastes[first + number, column] *= WORTH_UNIT


@kernel
def any_cares(table, box, number):
    """Tell whether somebody's taste has a number other than 0."""
    for seat in range(table.players):
        if number_at(box.manners[seat], number) != 0.0:
            return True
    return False


@kernel
def take_turns(work, column, seat, turns_left, game, cares):
    """Let a seat take its turn in all lanes, from `column` on.

    Parameters
    ----------
    work : TASTE_WORK[1]
        Modified in place.
    column, seat : int
    turns_left : int
        How many turns the seat has after this one.
    game : (int, int, int, int, bool)
        Players, columns, cards in play, cards of the face-up pile, whether this lies open.
    cares : (bool, bool, bool, bool)
        Whether somebody has hopes, denies, spreads and has other last turns.
    """
    for start in range(0, LANES, EIGHT):
        take_turn(work, column, column + start, seat, turns_left, game, cares)


@kernel
def take_turn(work, column, start, seat, turns_left, game, cares):
    """Let a seat take its turn in eight lanes from `start` on; see `take_turns`."""
    rows = work[0].rows
    tastes = work[0].tastes
    worths = work[0].worths
    players, columns, _, _, is_open = game
    hopes, denies, spreads, ends = cares
    first = row_of(seat, 0)
    taste = TASTE_ROWS * seat
    hand_cards = min(turns_left + 1, HAND_CARDS)
    if ends:
        only_points(tastes, taste, start, np.float64(turns_left))

    # What the neighbours in each gap of the circle are worth, with number and move of the plan.
    look_at_circle(work, column, start, taste, turns_left, game, hopes)
    hand = hand_in_order(rows, first, start)
    if denies:
        look_at(work, column, start, CIRCLE_CARDS, hand[0], taste, turns_left, game, hopes)
        look_at(work, column, start, CIRCLE_CARDS + 1, hand[1], taste, turns_left, game, hopes)
        look_at(work, column, start, CIRCLE_CARDS + 2, hand[2], taste, turns_left, game, hopes)
    rate(work, column, start, first, taste, CIRCLE_CARDS, BEST, turns_left, game, hopes)
    if denies:
        rival = row_of(seat + 1 if seat + 1 < players else 0, 0)
        count = CIRCLE_CARDS + hand_cards
        rate(work, column, start, rival, taste, count, BEST_OF_RIVAL, turns_left, game, hopes)
        for place in range(CIRCLE_CARDS):
            own = eight_at(worths, BEST + place, column)
            put_eight(worths, BEST + place, column, own + denied(work, column, start, taste, place))
    in_seam, in_gaps = gaps(worths, column, 1 / NUMBERS)

    # The best plan.
    lowest, middle, highest = hand
    circle = six_cards(work, column)
    best = at_gap(lowest, circle, in_seam, in_gaps) + 2 * HAND_CARDS / NUMBERS
    if denies:
        best = best - denied(work, column, start, taste, CIRCLE_CARDS)
    if hand_cards > 1:
        plan = at_gap(middle, circle, in_seam, in_gaps) + 2 * (HAND_CARDS - 1) / NUMBERS
        if denies:
            plan = plan - denied(work, column, start, taste, CIRCLE_CARDS + 1)
        if spreads and hand_cards > 2:
            far = eight_at(tastes, taste + SPREAD, start)
            best = best + truncated(far * reals(highest - middle))
            plan = plan + truncated(far * reals(highest - lowest))
        best = largest(best, plan)
    if hand_cards > 2:
        plan = at_gap(highest, circle, in_seam, in_gaps) + 2 * (HAND_CARDS - 2) / NUMBERS
        if denies:
            plan = plan - denied(work, column, start, taste, CIRCLE_CARDS + 2)
        if spreads:
            far = eight_at(tastes, taste + SPREAD, start)
            plan = plan + truncated(far * reals(middle - lowest))
        best = largest(best, plan)
    fraction = wholes((best - floored(best)) * MOVES)
    number = fraction >> 6
    move = fraction & 63
    side = number & 1
    place = HAND_CARDS - ((number + side) >> 1)
    is_first = place == 0
    is_last = place == 2
    laid = choose(is_first, lowest, choose(is_last, highest, middle))
    put_eight(rows, first + LOWER, start, choose(is_first, middle, lowest))
    put_eight(rows, first + HIGHER, start, choose(is_last, middle, highest))
    row = eight_at(rows, CIRCLE, start)
    row, card = exchange_at(row, laid, shifts_of(row | BEYOND, laid) + BYTE * side)
    put_eight(rows, CIRCLE, start, row)
    place_cards(rows, first, start, card, move, columns)

    # The pile to draw from.
    if turns_left < HAND_CARDS:
        add_one(rows, ONE_PILE, start, spread(0) == 0)
        return
    from_up = spread(0) > 0
    if is_open:
        look_at_circle(work, column, start, taste, turns_left, game, hopes)
        rate(work, column, start, first, taste, CIRCLE_CARDS, BEST, turns_left, game, hopes)
        from_up = shown_is_better(work, column, start, game)
    draw(rows, start, from_up, game)


@inline_kernel
def only_points(tastes, taste, start, turns_left):
    """Let only points count for seats that have their last turns."""
    last = eight_at(tastes, taste + LAST_TURNS, start) > turns_left
    for number in range(LAST_TURNS):
        before = eight_at(tastes, taste + number, start)
        after = ONLY_POINTS[number] * (WORTH_UNIT if number == POINTS else 1.0)
        put_eight(tastes, taste + number, start, choose(last, after, before))


@inline_kernel
def hand_in_order(rows, first, start):
    """Return the three cards of a hand in order, `NO_CARD` last."""
    low = eight_at(rows, first + LOWER, start)
    high = eight_at(rows, first + HIGHER, start)
    drawn = eight_at(rows, first + DRAWN, start)
    between = largest(low, drawn)
    return smallest(low, drawn), smallest(high, between), largest(high, between)


@inline_kernel
def smallest(one, other):
    """Return in each lane the smaller of two numbers."""
    return choose(one < other, one, other)


@inline_kernel
def look_at_circle(work, column, start, taste, turns_left, game, hopes):
    """Note what there is to know of each card of the circle."""
    row = eight_at(work[0].rows, CIRCLE, start)
    for place in range(CIRCLE_CARDS):
        card = (row >> BYTE * place) & CARD_BITS
        look_at(work, column, start, place, card, taste, turns_left, game, hopes)


@inline_kernel
def look_at(work, column, start, place, card, taste, turns_left, game, hopes):
    """Note what there is to know of a card, at a place among those rated."""
    tastes = work[0].tastes
    worths = work[0].worths
    _, columns, card_count, _, _ = game
    above = reals(card_count - card)
    step = eight_at(tastes, taste + STEP, start)
    put_eight(work[0].cards, CARD + place, column, card)
    put_eight(work[0].cards, SHIFT + place, column, COUNTS + shift_of_colour(card))
    put_eight(worths, UPWARDS + place, column, step * (above + 1.0))
    put_eight(worths, DOWNWARDS + place, column, step * reals(card))
    if hopes:
        stride = eight_at(tastes, taste + STRIDE, start)
        turns = turns_left / columns
        put_eight(worths, MORE_UP + place, column, more_cards(above, stride, turns))
        put_eight(worths, MORE_DOWN + place, column, more_cards(reals(card - 1), stride, turns))


@inline_kernel
def shift_of_colour(card):
    """Return where the colour of a card is counted."""
    turn = ((card - 1) * 43) >> 8  # By the number of colours: exact below 128.
    return COUNT_BITS * (card - 1 - COLOURS * turn)


@inline_kernel
def more_cards(room, stride, turns):
    """Return how many cards may come to a column with so much room."""
    cards = room / stride
    return choose(cards < turns, cards, turns)


@inline_kernel
def hoped(hope, most, length, match, cards):
    """Return what is hoped of a column to which so many cards may come."""
    return hope * ((most + match * cards) * (length + cards))


@kernel
def rate(work, column, start, display, taste, count, best_row, turns_left, game, hopes):
    """Rate the cards looked at for the seat whose rows begin at `display`.

    As `upordown_sight.rate_placings` does; `best_row` is the first of the rows for the ratings.
    """
    rows = work[0].rows
    tastes = work[0].tastes
    cards = work[0].cards
    worths = work[0].worths
    _, columns, card_count, _, _ = game
    points = eight_at(tastes, taste + POINTS, start)
    step = eight_at(tastes, taste + STEP, start)
    colour = eight_at(tastes, taste + COLOUR, start)
    patience = eight_at(tastes, taste + PATIENCE, start)
    hope = eight_at(tastes, taste + HOPE, start)
    stride = eight_at(tastes, taste + STRIDE, start)
    match = eight_at(tastes, taste + MATCH, start)
    turns = turns_left / columns
    floors = eight_at(rows, display + FLOORS, start)
    ceilings = eight_at(rows, display + CEILINGS, start)
    best_given_up = spread(0) + NEVER
    for number in range(count):
        put_eight(worths, best_row + number, column, NEVER)
    for place in range(columns):
        word = eight_at(rows, display + COLUMN + place, start)
        floor = (floors >> BYTE * place) & CARD_BITS
        ceiling = (ceilings >> BYTE * place) & CARD_BITS
        most = (word >> MOST) & FIELD
        last = (word >> LAST) & FIELD
        length = reals((word >> LENGTH) & FIELD)
        score = length * reals(most)
        room = largest(card_count - last, last - 1)
        room = choose(ceiling < NO_CEILING, last - 1, room)
        room = reals(choose(floor > NO_FLOOR, card_count - last, room))
        standing = points * score + step * room
        given_up = points * (length - score) - patience * length
        if hopes:
            now = hoped(hope, reals(most), length, match, more_cards(room, stride, turns))
            standing = standing + now
            given_up = given_up + (hope * length - now)
        standing = truncated(standing * STANDING) * (1 / STANDING)
        given_up = truncated(given_up) + (GIVE_UP + place) / MOVES
        best_given_up = largest(best_given_up, given_up)
        move = (BYTE * place + BYTE - 1) / MOVES
        longer = length + 1.0
        one_more = word + EACH_COLOUR
        # A card of the colour of a single one is no step towards a colour.
        threshold = choose(length > 1.0, most - 1, most)
        for number in range(count):
            card = eight_at(cards, CARD + number, column)
            same = (one_more >> eight_at(cards, SHIFT + number, column)) & MOST_OF_A_COLOUR
            after = reals(largest(same, most))
            is_higher = card > last
            up = eight_at(worths, UPWARDS + number, column)
            down = eight_at(worths, DOWNWARDS + number, column)
            worth = points * (after * longer) + choose(is_higher, up, down)
            worth = worth + choose(same > threshold, colour, 0.0)
            if hopes:
                up = eight_at(worths, MORE_UP + number, column)
                down = eight_at(worths, MORE_DOWN + number, column)
                more = choose(is_higher, up, down)
                worth = worth + hoped(hope, after, longer, match, more)
            rating = truncated(worth - standing) + move
            fits = (card >= floor) & (card <= ceiling)
            best = eight_at(worths, best_row + number, column)
            put_eight(worths, best_row + number, column, largest(best, choose(fits, rating, NEVER)))
    is_full = eight_at(rows, display + USED, start) == columns
    otherwise = choose(is_full, best_given_up, NEW_COLUMN / MOVES)
    for number in range(count):
        card = eight_at(cards, CARD + number, column)
        room = largest(card_count - card, card - 1)
        worth = points - step * reals(card_count - 1 - room)
        if hopes:
            up = eight_at(worths, MORE_UP + number, column)
            more = largest(up, eight_at(worths, MORE_DOWN + number, column))
            worth = worth + hoped(hope, 1.0, 1.0, match, more)
        best = eight_at(worths, best_row + number, column)
        rating = largest(best, truncated(worth) + otherwise)
        put_eight(worths, best_row + number, column, rating)


@inline_kernel
def denied(work, column, start, taste, place):
    """Return what it is worth to keep one of the cards rated from the next player."""
    deny = eight_at(work[0].tastes, taste + DENY, start)
    return truncated(deny * floored(eight_at(work[0].worths, BEST_OF_RIVAL + place, column)))


@inline_kernel
def six_cards(work, column):
    """Return the cards of the circle that were looked at."""
    cards = work[0].cards
    return (
        eight_at(cards, CARD, column),
        eight_at(cards, CARD + 1, column),
        eight_at(cards, CARD + 2, column),
        eight_at(cards, CARD + 3, column),
        eight_at(cards, CARD + 4, column),
        eight_at(cards, CARD + 5, column),
    )


@inline_kernel
def gaps(worths, column, less):
    """Return of each gap of the circle what its better neighbour is worth, the upper one `less`.

    First of the gap at the seam, then of those after the first card, the second one …
    """
    first = eight_at(worths, BEST, column)
    second = eight_at(worths, BEST + 1, column)
    third = eight_at(worths, BEST + 2, column)
    fourth = eight_at(worths, BEST + 3, column)
    fifth = eight_at(worths, BEST + 4, column)
    sixth = eight_at(worths, BEST + 5, column)
    return largest(sixth, first - less), (
        largest(first, second - less),
        largest(second, third - less),
        largest(third, fourth - less),
        largest(fourth, fifth - less),
        largest(fifth, sixth - less),
    )


@inline_kernel
def at_gap(card, circle, in_seam, in_gaps):
    """Return what belongs to the gap of the circle in which a card belongs."""
    found = choose(card > circle[0], in_gaps[0], in_seam)
    found = choose(card > circle[1], in_gaps[1], found)
    found = choose(card > circle[2], in_gaps[2], found)
    found = choose(card > circle[3], in_gaps[3], found)
    found = choose(card > circle[4], in_gaps[4], found)
    return choose(card > circle[5], in_seam, found)


@inline_kernel
def shifts_of(row, card):
    """Return 8 × the number of cards of a row lower than `card`, as `cards.shift_of`."""
    not_lower = ((row | EACH_TOP_BIT) - card * EACH_CARD) & EACH_TOP_BIT
    return popcounts(not_lower ^ (not_lower - 1)) - BYTE


@inline_kernel
def place_cards(rows, first, start, card, move, columns):
    """Place the card taken, as `play.place_card` does."""
    used = eight_at(rows, first + USED, start)
    floors = eight_at(rows, first + FLOORS, start)
    ceilings = eight_at(rows, first + CEILINGS, start)
    old0 = eight_at(rows, first + COLUMN, start)
    old1 = eight_at(rows, first + COLUMN + 1, start)
    old2 = eight_at(rows, first + COLUMN + 2, start)
    appended = move < NEW_COLUMN
    given_up = move > NEW_COLUMN
    is_forced = used == 0
    if columns == 1:
        is_forced = (card < (floors & CARD_BITS)) | (card > (ceilings & CARD_BITS))
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
    kept = choose(appended, old, 0)
    shift = COUNTS + shift_of_colour(card)
    counts = ((kept >> COUNTS) << COUNTS) + (spread(1) << shift)
    most = largest((kept >> MOST) & FIELD, (counts >> shift) & MOST_OF_A_COLOUR)
    length = ((kept >> LENGTH) & FIELD) + 1
    put_eight(rows, first + SCORE, start, score + length * most)
    new = counts | (card << LAST) | (most << MOST) | (length << LENGTH)
    put_eight(rows, first + COLUMN, start, choose(place == 0, new, old0))
    put_eight(rows, first + COLUMN + 1, start, choose(is_second, new, old1))
    put_eight(rows, first + COLUMN + 2, start, choose(is_third, new, old2))
    floor = choose(appended & (card > last), card + 1, NO_FLOOR)
    ceiling = choose(appended & (card < last), card - 1, NO_CEILING)
    shift = place * BYTE
    mask = spread(CARD_BITS) << shift
    put_eight(rows, first + FLOORS, start, floors ^ ((floors ^ (floor << shift)) & mask))
    put_eight(rows, first + CEILINGS, start, ceilings ^ ((ceilings ^ (ceiling << shift)) & mask))


@inline_kernel
def add_one(rows, row, start, happened):
    """Count in a row what happened."""
    before = eight_at(rows, row, start)
    put_eight(rows, row, start, choose(happened, before + 1, before))


@inline_kernel
def shown_is_better(work, column, start, game):
    """Tell whether the face-up card reaches more than a hidden one may; see `best_pile`."""
    _, _, card_count, _, _ = game
    circle = six_cards(work, column)
    seam, inner = gaps(work[0].worths, column, 0.0)
    seam = floored(seam)
    inner = (
        floored(inner[0]),
        floored(inner[1]),
        floored(inner[2]),
        floored(inner[3]),
        floored(inner[4]),
    )
    hidden = reals(circle[0] - circle[5] + (card_count - 1)) * seam
    hidden = hidden + reals(circle[1] - circle[0] - 1) * inner[0]
    hidden = hidden + reals(circle[2] - circle[1] - 1) * inner[1]
    hidden = hidden + reals(circle[3] - circle[2] - 1) * inner[2]
    hidden = hidden + reals(circle[4] - circle[3] - 1) * inner[3]
    hidden = hidden + reals(circle[5] - circle[4] - 1) * inner[4]
    shown = at_gap(eight_at(work[0].rows, SHOWN, start), circle, seam, inner)
    return shown * np.float64(card_count - CIRCLE_CARDS) >= hidden


@inline_kernel
def draw(rows, start, from_up, game):
    """Draw from a pile, or from the only one that has cards: note which card of the deck it is."""
    _, _, _, face_up_size, _ = game
    up_left = eight_at(rows, UP_LEFT, start)
    down_left = eight_at(rows, DOWN_LEFT, start)
    only_up = down_left == 0
    is_up = (up_left > 0) & (from_up | only_up)
    add_one(rows, ONE_PILE, start, (up_left == 0) | only_up)
    put_eight(rows, DRAWN_FROM, start, choose(is_up, up_left, down_left + face_up_size))
    put_eight(rows, UP_LEFT, start, choose(is_up, up_left - 1, up_left))
    put_eight(rows, DOWN_LEFT, start, choose(is_up | only_up, down_left, down_left - 1))
