"""Up or down?: turns planned by tastes, in the lanes of vector registers; see `lanes`.

Eight matches at a time take a turn in vectors; what they look at and rate is in `lane_tastes`. What
is the same in all of them may branch: how many cards a hand has, or whether the seat on turn
denies. So that there is always something to reckon, one half of the lanes does a step while the
other half waits for the numbers of its own.
"""

from __future__ import annotations

import numpy as np

from simcore.games.upordown.lane_tastes import (
    ALL_COUNTS,
    BEST,
    CARD,
    DENIED,
    EXCHANGED,
    FALLS,
    FIELD,
    FRACTION,
    KEY,
    LAID,
    MOVES,
    NUMBERS,
    OF_HOPES,
    PLACE,
    PLACED_WORD,
    PLACES,
    PLAN,
    RATED,
    RATINGS,
    RISES,
    SHIFT,
    SHOWN,
    STANDINGS,
    TAKEN,
    TAKEN_SHIFT,
    TASTE_ROWS,
    TASTES,
    best_otherwise,
    best_rating,
    look_at,
    put_card,
    put_where,
    rate,
    rate_again,
    standing_of,
    weigh_again,
    weigh_columns,
)
from simcore.games.upordown.lane_turns import (
    COLUMN,
    DOWN_LEFT,
    DRAWN,
    DRAWN_FROM,
    FORCED,
    GIVEN_UP,
    HIGHER,
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
from simcore.games.upordown.spec import (
    DENY,
    ONLY_POINTS,
    POINTS,
    SPREAD,
    WORTH_UNIT,
)
from simcore.games.upordown.table import (
    CIRCLE_CARDS,
    GIVE_UP,
    HAND_CARDS,
    MOST_OF_A_COLOUR,
    NEW_COLUMN,
)
from simcore.jit import (
    inline_kernel,
    kernel,
)
from simcore.lanes import (
    LANES,
)
from simcore.vectors import (
    LANES as EIGHT,
)
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


@kernel
def take_turns(work, column, seat, turns_left, game, cares, terms):
    """Let a seat take its turn in all lanes, from `column` on.

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
        Whether it denies, spreads, and has the first of its last turns.
    terms : tuple of tuples
        See `lane_tastes.OF_POINTS`.
    """
    players = game[0]
    taste = TASTES + TASTE_ROWS * seat
    first = row_of(seat, 0)
    standing = standing_of(seat)
    # As a number that `rate` does not know, lest it load all it reads at once, and keep it nowhere.
    ratings = RATINGS + 0 * seat
    for start in range(column, column + LANES, EIGHT):
        prepare(work, start, first, standing, taste, turns_left, game, cares, terms)
    if cares[0]:
        rival = row_of(seat + 1 if seat + 1 < players else 0, 0)
        for start in range(column, column + LANES, EIGHT):
            prepare_denials(work, start, first, rival, taste, turns_left, game, terms)
        for start in range(column, column + LANES, EIGHT):
            rate(work, start, rival, STANDINGS, taste, RATED, ratings, terms)
            note_denials(work, start, rival, taste, game)
    for start in range(column, column + LANES, EIGHT):
        rate(work, start, first, standing, taste, CIRCLE_CARDS, ratings, terms)
    hand_cards = min(turns_left + 1, HAND_CARDS)
    for start in range(column, column + LANES, EIGHT):
        plan(work, start, first, standing, taste, hand_cards, game, cares)
    carry_out(work, column, first, standing, taste, turns_left, game, terms)


@inline_kernel
def prepare(work, start, first, standing, taste, turns_left, game, cares, terms):
    """Sort the hand, and look at the circle and the own columns."""
    ends = cares[2]
    sort_hand(work.rows, first, start)
    if ends:
        only_points(work.worths, taste, start)
    for number in range(CIRCLE_CARDS):
        look_at(work, start, number, taste, turns_left, game, terms)
    # Hopes are less with every turn; all else that a column is worth has been noted.
    if len(terms[OF_HOPES]) > 0 or ends:
        weigh_columns(work, start, first, standing, taste, turns_left, game, terms)


@inline_kernel
def prepare_denials(work, start, first, rival, taste, turns_left, game, terms):
    """Look at the hand and at the columns of the next player."""
    for number in range(HAND_CARDS):
        put_card(work, start, LAID + number, card_of_hand(work.rows, first, start, number))
        look_at(work, start, LAID + number, taste, turns_left, game, terms)
    weigh_columns(work, start, rival, STANDINGS, taste, turns_left, game, terms)


@inline_kernel
def carry_out(work, column, first, standing, taste, turns_left, game, terms):
    """Carry out the plans, and choose the piles to draw from."""
    draws = turns_left >= HAND_CARDS
    has_choice = draws and game[4]
    for start in range(column, column + LANES, EIGHT):
        lay_card(work, start, first)
        if has_choice:
            look_at(work, start, LAID, taste, turns_left, game, terms)
    for start in range(column, column + LANES, EIGHT):
        place_card(work, start, first, game)
    for start in range(column, column + LANES, EIGHT):
        weigh_again(work, start, standing, taste, turns_left, game, terms)
    for start in range(column, column + LANES, EIGHT):
        if has_choice:
            rate_again(work, start, first, standing, taste, game, terms)
        exchange_cards(work, start, game)
    for start in range(column, column + LANES, EIGHT):
        if not draws:
            add_one(work.rows, ONE_PILE, start, spread(0) == 0)
        elif has_choice:
            draw(work.rows, start, shown_is_better(work, start, game), game)
        else:
            draw(work.rows, start, spread(0) > 0, game)


@inline_kernel
def only_points(worths, taste, start):
    """Let only points count from now on."""
    for number in range(TASTE_ROWS):
        unit = WORTH_UNIT if number == POINTS else 1.0
        put_eight(worths, taste + number, start, ONLY_POINTS[number] * unit)


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
def note_denials(work, start, rival, taste, game):
    """Note what it is worth to keep the cards looked at, which were rated, from the next player."""
    worths = work.worths
    otherwise = best_otherwise(work, start, rival, STANDINGS, game)
    deny = eight_at(worths, taste + DENY, start)
    for number in range(RATED):
        best = best_rating(worths, start, number, otherwise)
        put_eight(worths, DENIED + number, start, truncated(deny * floored(best)))


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
def add_one(rows, row, start, happened):
    """Count in a row what happened."""
    before = eight_at(rows, row, start)
    put_eight(rows, row, start, choose(happened, before + 1, before))


@inline_kernel
def exchange_cards(work, start, game):
    """Put the card laid in the place of the one taken."""
    worths = work.worths
    rows = work.rows
    laid = eight_at(worths, CARD + LAID, start)
    shift = eight_at(rows, SHIFT + LAID, start)
    exchanged = eight_at(rows, EXCHANGED, start)
    circle = choose(exchanged == 0, laid, eight_at(worths, CARD, start))
    for number in range(CIRCLE_CARDS):
        is_laid = exchanged == number
        card = choose(is_laid, laid, eight_at(worths, CARD + number, start))
        put_eight(worths, CARD + number, start, card)
        put_eight(worths, KEY + number, start, key_of(card, circle, game))
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
