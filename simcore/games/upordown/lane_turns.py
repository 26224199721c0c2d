"""Up or down?: the turn of a seat in lanes, at random, appending or planned; see `lanes`.

Eight matches at a time take it, in vectors (`simcore.vectors`). What is the same in all of them may
branch: how many cards a hand has, or whether the seat on turn denies. What a step comes to, `play`
and `moves` are asked.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.upordown.cards import BYTE, card_at, insert, remove_at
from simcore.games.upordown.colours import CYCLE
from simcore.games.upordown.moves import nth_placing, placings
from simcore.games.upordown.options import CIRCLE_CARDS, HAND_CARDS, SEATS
from simcore.games.upordown.plan import (
    is_shown_better,
    note_gaps,
    plan_turns,
    read_plan,
    worths_of_piles,
)
from simcore.games.upordown.play import (
    column_after,
    exchange,
    limits_after,
    place_of,
    points_lost,
)
from simcore.games.upordown.rows import (
    CEILINGS,
    CIRCLE,
    COINS,
    COLUMN,
    COUNTS,
    DEFICIT,
    DOWN_LEFT,
    DRAWN,
    DRAWN_FROM,
    EXCHANGED,
    FIELD,
    FIRST_SEAT_ROW,
    FLOORS,
    FORCED,
    GIVEN_UP,
    HALF_WORD,
    HAND,
    IS_SHOWN_BEST,
    LAID,
    LAST,
    LAST_LEAD_CHANGE,
    LEAD_CHANGES,
    LEADERS,
    LENGTH,
    MOST,
    ONE_PILE,
    PLACE,
    PLACED,
    PLACED_COUNTS,
    PLAN,
    PRODUCT,
    SCORE,
    SEAT_ROWS,
    STANDING_ROWS,
    STANDINGS,
    TAKEN,
    UP_LEFT,
    USED,
    WORD0,
    WORD1,
)
from simcore.games.upordown.score import is_new_lead, most_points
from simcore.games.upordown.spec import DENY, HOPE, LAST_TURNS
from simcore.games.upordown.table import COUNT_BITS, GIVE_UP, NEW_COLUMN
from simcore.games.upordown.worth import (
    look_at,
    number_at,
    numbers_at,
    put_card,
    put_where,
    rate_again,
    weigh_again,
    weights_of,
)
from simcore.jit import inline_kernel, kernel
from simcore.lanes import LANES
from simcore.vectors import LANES as EIGHT
from simcore.vectors import (
    choose,
    first_bits,
    lane,
    largest,
    one_at,
    popcounts,
    put_one,
    some,
    spread,
)

HALF = (1 << 32) - 1
COLOURS = len(CYCLE)
SIXTH = (1 << 16) // COLOURS + 1


@inline_kernel
def row_of(seat, what):
    """Return the row of a seat for something."""
    return FIRST_SEAT_ROW + SEAT_ROWS * seat + what


@kernel
def take_simple_turn(work, column, index, left, game, appends):
    """Let a seat take its turn at random, or where it `appends` place its card as appenders do.

    Does what `moves.random_move` and `choice.append` do, in one go. For the others see
    `take_planned_turn`; as there the halves of the lanes take turns.
    """
    _, columns, _, size, _ = game
    seat = row_of(index, 0)
    rows = work.rows
    hand_cards = min(left + 1, HAND_CARDS)
    end = column + LANES
    for start in range(column, end, EIGHT):
        take_up(rows, start, seat, left, game)
        word, word0, word1 = rng.step_signed(
            one_at(rows, seat + WORD0, start), one_at(rows, seat + WORD1, start)
        )
        put_one(rows, seat + WORD0, start, word0)
        put_one(rows, seat + WORD1, start, word1)
        upper_half = (word >> 32) & HALF
        # With the last card there is no choice, and the whole word is there for its place.
        put_one(rows, HALF_WORD, start, word & HALF if hand_cards > 1 else upper_half)
        number = pick_below(rows, start, seat, upper_half, spread(hand_cards))
        coins = one_at(rows, seat + COINS, start)
        put_one(rows, seat + COINS, start, (coins >> 1) & ((HALF << 31) | HALF))
        lay_card(rows, start, seat, number, coins & 1)
    for start in range(column, end, EIGHT):
        floors, ceilings, used = limits_at(rows, start, seat)
        moves = placings(one_at(rows, TAKEN, start), floors, ceilings, used, columns)
        count_forced(rows, start, moves)
        if appends:
            move = first_bits(moves)
            shortest = GIVE_UP + shortest_of(rows, start, seat, columns, used)
            move = choose(move > NEW_COLUMN, shortest, move)
        else:
            half = one_at(rows, HALF_WORD, start)
            move = nth_placing(moves, pick_below(rows, start, seat, half, popcounts(moves)))
        put_one(rows, PLAN, start, move)
    for start in range(column, end, EIGHT):
        place_card(rows, start, seat, one_at(rows, PLAN, start), columns)
    for start in range(column, end, EIGHT):
        coins = one_at(rows, seat + COINS, start)
        has_choice = draw_from(rows, start, (coins & 1) == 0, size)
        put_one(rows, seat + COINS, start, choose(has_choice, coins >> 1, coins))


@inline_kernel
def pick_below(rows, start, seat, half, bound):
    """Return a number below a bound from 32 random bits, as `rng.below_from` does.

    Now and then more bits are drawn from the seat's stream.
    """
    product = half * bound
    if some(((product & HALF) < bound) & (bound > 1)):
        put_one(rows, PRODUCT, start, product)
        for place in range(start, start + EIGHT):
            redraw(rows, seat, place, lane(bound, place - start))
        product = one_at(rows, PRODUCT, start)
    return product >> 32


@kernel
def redraw(rows, seat, place, bound):
    """Draw more bits in a lane if the product that a number comes from may be biased."""
    product = np.uint64(rows[PRODUCT, place])
    if bound > 1 and (product & rng.HALF) < np.uint64(bound):
        stream = np.empty(2, np.uint64)
        stream[0] = rows[seat + WORD0, place]
        stream[1] = rows[seat + WORD1, place]
        rows[PRODUCT, place] = np.int64(rng.redraw(stream, np.uint64(bound), product))
        rows[seat + WORD0, place] = np.int64(stream[0])
        rows[seat + WORD1, place] = np.int64(stream[1])


@kernel
def take_planned_turn(work, column, index, left, game, spec):
    """Let a seat take the turn that is best by its spec.

    Parameters
    ----------
    work : record
        Modified in place.
    column, index : int
        The first lane; the seat on turn, counted from the start player.
    left : int
        How many turns the seat has after this one.
    game : (int, int, int, int, bool)
        Players, columns, cards in play, cards of the face-up pile, whether this lies open.
    spec : int64[n]
    """
    players, columns, cards, size, is_open = game
    seat = row_of(index, 0)
    own = (seat, STANDINGS + STANDING_ROWS * (index + 1))
    rival = (row_of(index + 1 if index + 1 < players else 0, 0), STANDINGS)
    weights = weights_of(numbers_at(spec, left), left / columns, cards)
    # Hopes are less with every turn; all else that a column is worth has been noted.
    hopes = weights[HOPE] > 0.0
    is_first = left + 1 == (cards - CIRCLE_CARDS) // players
    anew = hopes or is_first or left < number_at(spec, LAST_TURNS) <= left + 1
    end = column + LANES
    for start in range(column, end, EIGHT):
        take_up(work.rows, start, seat, left, game)
    for start in range(column, end, EIGHT):
        lay_out(work, start, seat, weights)
    hand_cards = min(left + 1, HAND_CARDS)
    plan_turns(work, (column, end), (own, rival), anew, hand_cards, columns, weights)
    has_choice = left >= HAND_CARDS and is_open
    for start in range(column, end, EIGHT):
        lay_planned(work, start, seat)
        if has_choice:
            look_at(work, start, LAID, weights)
    for start in range(column, end, EIGHT):
        place_planned(work, start, seat, columns)
    if has_choice or not hopes:
        for start in range(column, end, EIGHT):
            weigh_again(work, start, own, columns, weights)
    if has_choice:
        note_piles(work, column, own, columns, weights)
    for start in range(column, end, EIGHT):
        is_shown_best = one_at(work.rows, IS_SHOWN_BEST, start) > 0
        draw_from(work.rows, start, is_shown_best & has_choice, size)


@inline_kernel
def note_piles(work, column, own, columns, weights):
    """Note where the face-up card reaches more than a hidden one may."""
    end = column + LANES
    for start in range(column, end, EIGHT):
        rate_again(work, start, own, columns, weights)
    for start in range(column, end, EIGHT):
        note_gaps(work, start, 0.0, weights)
    for start in range(column, end, EIGHT):
        shown, hidden = worths_of_piles(work, start, weights)
        is_best = is_shown_better(shown, hidden, weights)
        put_one(work.rows, IS_SHOWN_BEST, start, choose(is_best, 1, 0))


@inline_kernel
def lay_out(work, start, seat, weights):
    """Put the cards of the circle among those rated, and those of the hand to be denied."""
    circle = one_at(work.rows, CIRCLE, start)
    for number in range(CIRCLE_CARDS):
        card = card_at(circle, BYTE * number)
        put_card(work, start, number, card, shift_of_colour(card))
    if weights[DENY] > 0.0:
        hand = one_at(work.rows, seat + HAND, start)
        for number in range(HAND_CARDS):
            card = card_at(hand, BYTE * number)
            put_card(work, start, LAID + number, card, shift_of_colour(card))


@inline_kernel
def lay_planned(work, start, seat):
    """Lay and take a card as planned."""
    number, side, _, exchanged = read_plan(work, start)
    laid = lay_card(work.rows, start, seat, number, side)
    put_card(work, start, LAID, laid, shift_of_colour(laid))
    put_one(work.rows, EXCHANGED, start, exchanged)


@inline_kernel
def place_planned(work, start, seat, columns):
    """Place the card taken as planned."""
    rows = work.rows
    used = one_at(rows, seat + USED, start)
    if columns == 1:
        floors, ceilings, _ = limits_at(rows, start, seat)
        count_forced(rows, start, placings(one_at(rows, TAKEN, start), floors, ceilings, used, 1))
    else:  # where the first card has the only place
        add_one(rows, FORCED, start, used == 0)
    _, _, move, _ = read_plan(work, start)
    place, word, counts = place_card(rows, start, seat, move, columns)
    put_one(rows, PLACE, start, place)
    put_one(rows, PLACED, start, word)
    put_one(rows, PLACED_COUNTS, start, counts)


@inline_kernel
def take_up(rows, start, seat, left, game):
    """Put the card drawn after its last turn into a seat's hand; so nobody waits for it there."""
    players, _, cards, _, _ = game
    if HAND_CARDS <= left + 1 < (cards - CIRCLE_CARDS) // players:
        hand = insert(one_at(rows, seat + HAND, start), one_at(rows, seat + DRAWN, start))
        put_one(rows, seat + HAND, start, hand)


@inline_kernel
def lay_card(rows, start, seat, number, side):
    """Lay a hand card, which is returned, and take its neighbour on a side."""
    hand = one_at(rows, seat + HAND, start)
    laid = card_at(hand, number << 3)
    put_one(rows, seat + HAND, start, remove_at(hand, number << 3))
    circle, card = exchange(one_at(rows, CIRCLE, start), laid, side)
    put_one(rows, CIRCLE, start, circle)
    put_one(rows, TAKEN, start, card)
    return laid


@inline_kernel
def limits_at(rows, start, seat):
    """Return floors, ceilings and number of a seat's columns."""
    ceilings = one_at(rows, seat + CEILINGS, start)
    return one_at(rows, seat + FLOORS, start), ceilings, one_at(rows, seat + USED, start)


@inline_kernel
def count_forced(rows, start, moves):
    """Count where there is only one move."""
    add_one(rows, FORCED, start, (moves & (moves - 1)) == 0)


@inline_kernel
def shortest_of(rows, start, seat, columns, used):
    """Return the first place of a column, of the `used` ones, that has the fewest cards."""
    fewest = one_at(rows, seat + COLUMN, start) & FIELD
    shortest = fewest - fewest
    for place in range(1, columns):
        length = one_at(rows, seat + COLUMN + place, start) & FIELD
        is_shorter = (used > place) & (length < fewest)
        fewest = choose(is_shorter, length, fewest)
        shortest = choose(is_shorter, place, shortest)
    return shortest


@inline_kernel
def place_card(rows, start, seat, move, columns):
    """Place the card taken, as `play.place_card` does; return the place and the column's words."""
    card = one_at(rows, TAKEN, start)
    floors, ceilings, used = limits_at(rows, start, seat)
    place, appended, given_up = place_of(move, used)
    word = one_at(rows, seat + COLUMN, start)
    counts = one_at(rows, seat + COUNTS, start)
    for other in range(1, columns):
        is_other = place == other
        word = choose(is_other, one_at(rows, seat + COLUMN + other, start), word)
        counts = choose(is_other, one_at(rows, seat + COUNTS + other, start), counts)
    length = (word >> LENGTH) & FIELD
    most = (word >> MOST) & FIELD
    last = (word >> LAST) & FIELD
    score = one_at(rows, seat + SCORE, start) - points_lost(given_up, length, length * most)
    shift = shift_of_colour(card)
    length, most, counts = column_after(appended, length, most, counts, shift)
    word = (length << LENGTH) | (most << MOST) | (card << LAST)
    put_one(rows, seat + SCORE, start, score + length * most)
    for other in range(columns):
        is_other = place == other
        put_where(rows, seat + COLUMN + other, start, is_other, word)
        put_where(rows, seat + COUNTS + other, start, is_other, counts)
    floors, ceilings = limits_after(floors, ceilings, place << 3, card, appended, last)
    put_one(rows, seat + FLOORS, start, floors)
    put_one(rows, seat + CEILINGS, start, ceilings)
    put_one(rows, seat + USED, start, used + choose(move == NEW_COLUMN, 1, 0))
    add_one(rows, GIVEN_UP, start, given_up)
    return place, word, counts


@inline_kernel
def add_one(rows, row, start, happened):
    """Count in a row what happened."""
    put_one(rows, row, start, one_at(rows, row, start) + choose(happened, 1, 0))


@inline_kernel
def shift_of_colour(card):
    """Return where the colour of a card is counted, of the printed ones."""
    part = ((card - 1) * SIXTH) & 0xFFFF  # of a turn of the colours: exact below 128.
    return (part * (COUNT_BITS * COLOURS)) >> 16


@inline_kernel
def draw_from(rows, start, from_up, size):
    """Note which card of the deck is drawn; return whether both piles had cards [C13]."""
    up_left = one_at(rows, UP_LEFT, start)
    down_left = one_at(rows, DOWN_LEFT, start)
    has_choice = (up_left > 0) & (down_left > 0)
    is_up = (up_left > 0) & (from_up | (down_left == 0))
    put_one(rows, ONE_PILE, start, one_at(rows, ONE_PILE, start) + choose(has_choice, 0, 1))
    put_one(rows, DRAWN_FROM, start, choose(is_up, up_left, down_left + size))
    put_one(rows, UP_LEFT, start, choose(is_up, up_left - 1, up_left))
    put_one(rows, DOWN_LEFT, start, choose(is_up | (down_left == 0), down_left, down_left - 1))
    return has_choice


@kernel
def note_leaders(work, column, players, lap):
    """Note who leads after a lap in all lanes, as `score.note_leaders` does."""
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        scores = (
            one_at(rows, row_of(0, SCORE), start),
            one_at(rows, row_of(1, SCORE), start),
            one_at(rows, row_of(2, SCORE), start),
            one_at(rows, row_of(3, SCORE), start),
            one_at(rows, row_of(4, SCORE), start),
            one_at(rows, row_of(5, SCORE), start),
        )
        best, leaders = most_points(scores)
        for seat in range(SEATS):
            behind = best - one_at(rows, row_of(seat, SCORE), start)
            deficit = one_at(rows, row_of(seat, DEFICIT), start)
            put_one(rows, row_of(seat, DEFICIT), start, largest(deficit, behind))
        before = one_at(rows, LEADERS, start)
        others = is_new_lead(leaders, before, players)
        put_where(rows, LAST_LEAD_CHANGE, start, others, lap)
        add_one(rows, LEAD_CHANGES, start, others & (before != 0))
        put_where(rows, LEADERS, start, others, leaders)
