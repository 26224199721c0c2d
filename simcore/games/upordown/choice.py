"""Up or down?: what a seat decides that plays by its spec, in a single match, decision by decision.

What it plans it notes in its memory; the rows in which it reckons are its own.
"""

from __future__ import annotations

import numpy as np

from simcore.games.upordown import plan, worth
from simcore.games.upordown import table as uod
from simcore.games.upordown.cards import (
    BYTE,
    CARD_BITS,
    NO_CARD,
    ROW_CARDS,
    card_at,
    count_of,
    lowest_of,
    without_lowest,
)
from simcore.games.upordown.dials import ROW_CIRCLE, dials_of
from simcore.games.upordown.moves import place_to_append, random_move
from simcore.games.upordown.play import place_in, ring_of, shift_of_colour
from simcore.games.upordown.spec import APPENDS, numbers_at
from simcore.games.upordown.table import HELD_PLACE as HELD
from simcore.games.upordown.table import RING
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.vectors import (
    LANES,
    eight_at,
    floored,
    lane,
    largest,
    put_eight,
    reals,
    spread,
    vector,
    wholes,
)

TURN, SIDE, PLACING = range(3)
"""In a seat's memory: for which turn (`turns_left`) there is a plan, the side, the placing."""

NO_OTHERS = sum(NO_CARD << (BYTE * place) for place in range(1, ROW_CARDS))
"""A row but for its first card."""

SHIFTS = tuple(BYTE * place for place in range(LANES))
"""Of eight cards in the bytes of a word."""


@inline_kernel
def by_spec(table, seat):
    """Return the move of a seat that plays by its spec; the moves have been found."""
    if seat.spec[0] != APPENDS and is_planned(table, seat):
        return as_planned(table, seat)
    return think(table, seat)


@kernel
def think(table, seat):
    """Return the same where nothing was planned."""
    if seat.spec[0] == APPENDS:
        return append(table, seat)
    return decide(table, seat, numbers_at(seat.spec, own_turns_left(table)))


@inline_kernel
def append(table, seat):
    """Append whatever comes."""
    if table.phase != uod.PLACE:
        return random_move(table, seat)
    return place_to_append(seat.place_moves, table, length_at, table.columns)


@inline_kernel
def length_at(table, place):
    """Return how many cards a column of the seat on turn has."""
    return table.lengths[table.seat, place]


@outer_kernel
def decide(table, seat, numbers):
    """Return the move by the nine numbers of a play spec; the moves have been found."""
    if is_planned(table, seat):
        return as_planned(table, seat)
    if table.phase == uod.DRAW and table.face_up_card == 0:
        return draw_unseen()
    dials = dials_of(table)
    left, cards, mask = own_turns_left(table), table.card_count, table.most_of_a_colour
    weights = worth.weights_of(numbers, left, table.columns, cards, mask, dials)
    if table.phase == uod.PLACE:
        return best_placing(table, seat, weights, dials)
    lay_out_ring(table, seat)
    for number in range(0, table.circle_cards + 2, LANES):
        rated = rate_eight(table, seat, number, table.seat, weights, dials)
        put_eight(seat.rated, number, 0, rated)
    if table.phase == uod.DRAW:
        return best_pile(table, seat, weights, dials)
    laying = table.phase == uod.CARD
    hand = seat.hand if laying else NO_OTHERS | table.laid_card
    card = plan_turn(table, seat, hand, weights, dials)
    return card if laying else seat.memory[SIDE]


@inline_kernel
def is_planned(table, seat):
    """Tell whether a turn goes on that was planned."""
    goes_on = table.phase == uod.TAKE or table.phase == uod.PLACE
    return goes_on and seat.memory[TURN] == table.turns_left


@inline_kernel
def own_turns_left(table):
    """Return how many turns the seat on turn still has after this one."""
    return (table.turns_left - 1) // table.players


@inline_kernel
def as_planned(table, seat):
    """Go on as planned when the card to be laid was chosen."""
    return seat.memory[SIDE] if table.phase == uod.TAKE else seat.memory[PLACING]


@inline_kernel
def draw_unseen():
    """Draw from the second pile, as no card can be seen on either."""
    return np.int64(uod.FACE_DOWN)


@inline_kernel
def plan_turn(table, seat, hand, weights, dials):
    """Plan a turn with one of the cards of a row: note side and placing, return the card.

    How the cards of the ring are rated was noted.
    """
    rated = seat.rated
    put_eight(rated, HELD, 0, 0.0)
    if weights.deny > 0.0:
        rival = np.uint32((np.int64(table.seat) + 1) % table.players)
        lay_out_row(seat, HELD, hand)
        for number in range(0, RING, LANES):
            if number < table.circle_cards + 2 or number == HELD:
                best = rate_eight(table, seat, number, rival, weights, dials)
                denied = worth.denial_of(best, weights)
                put_eight(rated, number, 0, eight_at(rated, number, 0) + denied)
    best = plan.best_plan((table, seat), of_laying, hand, count_of(hand), weights, dials)
    number, side, move = plan.read_plan(best, dials)
    seat.memory[SIDE] = side
    seat.memory[PLACING] = move
    seat.memory[TURN] = table.turns_left
    return card_at(hand, BYTE * number)


@kernel
def best_placing(table, seat, weights, dials):
    """Return where the seat on turn places a card best; for a turn that was not planned."""
    lay_out_row(seat, 0, table.taken_card)
    best = lane(rate_eight(table, seat, 0, table.seat, weights, dials), 0)
    return wholes((best - floored(best)) / worth.MOVE)


@inline_kernel
def best_pile(table, seat, weights, dials):
    """Return the pile to draw from: the face-up card if it reaches more than a hidden one may."""
    hidden = plan.worth_of_hidden(seat, gap_below, weights, dials)
    shown = reached(table, seat, table.face_up_card, 0.0)
    is_better = plan.is_shown_better(shown, hidden, weights, dials)
    return np.int64(uod.FACE_UP if is_better else uod.FACE_DOWN)


@inline_kernel
def of_laying(state, number, card, _weights, _dials):
    """Return what there is to be said for laying a hand card, see `plan.best_plan`."""
    table, seat = state
    return reached(table, seat, card, worth.UPPER_SIDE), seat.rated[HELD + number]


@inline_kernel
def reached(table, seat, card, less):
    """Return what a card reaches: the better neighbour in the circle, the upper one `less`."""
    gap = gap_of(table, seat, card)
    return largest(seat.rated[gap], seat.rated[gap + 1] - less)


@inline_kernel
def gap_below(seat, number, _circle):
    """Return a card of the circle, and what the better one beside the gap below it is worth."""
    return seat.ring[number + 1], largest(seat.rated[number], seat.rated[number + 1])


@inline_kernel
def gap_of(table, seat, card):
    """Return how many cards of the circle are lower: by that gap they are numbered."""
    if table.circle_cards <= ROW_CIRCLE:
        return place_in(table.circle, table.circle_cards, card) >> 3
    lower = 0
    for number in range(1, table.circle_cards + 1):
        lower += seat.ring[number] < card
    return lower


@inline_kernel
def lay_out_ring(table, seat):
    """Put the cards of the circle among those rated.

    As a ring: before the first one the last, and after the last the first; so a card that belongs
    into a gap reaches the cards at its number and the next.
    """
    cards = table.circle_cards
    if cards <= ROW_CIRCLE:
        lay_out_row(seat, 0, ring_of(table.circle, cards))
        return
    low, high = table.wide_circle[0], table.wide_circle[1]
    for number in range(1, cards + 1):
        seat.ring[number] = lowest_of(low, high)
        low, high = without_lowest(low, high)
    seat.ring[0] = seat.ring[cards]
    seat.ring[cards + 1] = seat.ring[1]


@inline_kernel
def lay_out_row(seat, number, row):
    """Put the cards in the bytes of a word among those rated, from a place on."""
    put_eight(seat.ring, number, 0, (spread(row) >> vector(SHIFTS)) & CARD_BITS)


@inline_kernel
def rate_eight(table, seat, number, index, weights, dials):
    """Return how a seat's best use of each of eight cards is rated, with the move; see `worth`."""
    cards = eight_at(seat.ring, number, 0)
    shifts = shifts_of(table, seat, number, cards)
    looked = worth.look_at(reals(cards), weights, dials)
    hopes = weights.hope > 0.0
    terms = hopes, not hopes or weights.points + weights.step + weights.colour > 0.0
    best, given_up = reals(spread(worth.LEAST)), float(worth.LEAST)
    used = table.columns_used[index]
    for column in range(used):
        place = np.uint32(column)
        length = table.lengths[index, place]
        last = np.int64(table.column_cards[index, place, np.uint32(length)])
        parts = length, table.most[index, place], last
        byte = BYTE * column
        limits = card_at(table.floors[index], byte), card_at(table.ceilings[index], byte)
        standings, left = worth.weigh(parts, column, limits, weights, dials)
        given_up = largest(given_up, left)
        counts = table.colour_counts[index, place]
        seen = worth.column_of(parts, counts, limits, standings, weights, dials)
        rating = worth.rating_of(looked, shifts, seen, weights, terms, dials)
        best = largest(best, worth.with_move(rating, column))
    otherwise = worth.otherwise_of(given_up, used, weights)
    return worth.better_of(looked[3], best, otherwise, dials)


@inline_kernel
def shifts_of(table, seat, number, cards):
    """Return where the colours of eight cards among those rated are counted."""
    if table.printed_colours:
        return shift_of_colour(cards, None)
    for place in range(LANES):
        seat.shifts[place] = table.colour_shift[np.uint32(seat.ring[number + place])]
    return eight_at(seat.shifts, 0, 0)
