"""Up or down?: what a player sees in the display and the circle, and the plan of a turn.

All policies but the simplest plan a turn as a whole: which hand card, which neighbour, which
column. They differ in what they find worth how much, a *taste* (see `worth_of_append`). Values are
in points, steps in numbers between a column's last card and the next.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import lowest_bit
from simcore.games.upordown.cards import BYTE, NO_CARD, ROW_CARDS, card_at, shift_of
from simcore.games.upordown.moves import appends
from simcore.games.upordown.options import MOST_COLUMNS
from simcore.games.upordown.play import BEYOND
from simcore.games.upordown.table import (
    CARD,
    CIRCLE_CARDS,
    DRAW,
    FACE_DOWN,
    FACE_UP,
    GIVE_UP,
    HAND_CARDS,
    MOST_OF_A_COLOUR,
    NEW_COLUMN,
    PLACE,
    TAKE,
)
from simcore.jit import inline_kernel, kernel
from simcore.records import MEMORY_WORDS

TURN, SIDE, MOVE, CIRCLE = range(4)
STANDING = CIRCLE + CIRCLE_CARDS
"""In a seat's memory: for which turn (`turns_left`) there is a plan, the side, the placing, from
`CIRCLE` on what each card of the circle is worth, from `STANDING` on what each column is worth as
it stands (of the seat looked at last)."""

assert STANDING + MOST_COLUMNS <= MEMORY_WORDS

WORTH_UNIT = 1024.0
STANDING_UNIT = float(1 << 32)
"""Worths are kept as whole numbers of such parts of a point."""

MOVE_BITS = 6
MOVE_MASK = (1 << MOVE_BITS) - 1
NEVER = -(1 << 60)
"""A *rating* is a worth, in so many parts of a point, and a move below it."""

NO_OTHERS = sum(NO_CARD << (BYTE * place) for place in range(1, ROW_CARDS))
"""A row but for its first card."""

POINTS, STEP, COLOUR, HOPE, STRIDE, MATCH, PATIENCE, DENY, SPREAD = range(9)
"""Places in a taste, a tuple: what a point at once is worth, what a number of a step costs, what a
card of the column's most frequent colour is worth, what a point of the outlook is worth, two
numbers for the outlook, what giving up costs for each card, what share of its worth to the next
player a card is worth to be kept from it, and a number of distance between the hand cards kept."""


@inline_kernel
def own_turns_left(table):
    """Return how many turns the seat on turn still has after this one."""
    return (table.turns_left - 1) // table.players


@inline_kernel
def room_of(table, card, way):
    """Return how many numbers lie before a column's last card: upwards (1), downwards (-1)."""
    above = table.card_count - card
    below = card - 1
    if way == 0:
        return max(above, below)
    return above if way > 0 else below


@inline_kernel
def way_of(table, index, place):
    """Return the way of a column: 1 upwards, -1 downwards, 0 for a single card."""
    if table.lengths[index, place] < 2:
        return 0
    return 1 if card_at(table.floors[index], BYTE * np.int64(place)) > 0 else -1


@inline_kernel
def outlook(most, length, room, turns, taste):
    """Return the points that a column may come to, if its room and the turns left are used.

    Each of the cards to come takes `taste[STRIDE]` numbers of the room, and so many of them as
    `taste[MATCH]` says are of its colour. With no such hope (0) it is what the column is worth now.
    """
    cards = min(turns, room / taste[STRIDE])
    return (most + taste[MATCH] * cards) * (length + cards)


@inline_kernel
def worth_of_append(table, seat, index, place, card, turns, taste):
    """Return what it is worth to append a card to a column that it fits, which was sized up."""
    length = table.lengths[index, place]
    most = table.most[index, place]
    last = np.int64(table.column_cards[index, place, np.uint32(length)])
    shift = np.int64(table.colour_shift[np.uint32(card)])
    same = ((table.colour_counts[index, place] >> shift) & MOST_OF_A_COLOUR) + 1
    after = max(most, same)
    room = room_of(table, card, 1 if card > last else -1)
    worth = taste[POINTS] * (after * (length + 1)) + taste[STEP] * (room + 1)
    if same > most or (same == most and length > 1):
        worth += taste[COLOUR]
    if taste[HOPE] > 0:
        worth += taste[HOPE] * outlook(after, length + 1, room, turns, taste)
    return worth - seat.memory[STANDING + place] * (1 / STANDING_UNIT)


@inline_kernel
def worth_of_start(table, card, turns, taste):
    """Return what it is worth to start a column with a card: best with one of the extremes."""
    room = room_of(table, card, 0)
    worth = taste[POINTS] - taste[STEP] * (table.card_count - 1 - room)
    if taste[HOPE] > 0:
        worth += taste[HOPE] * outlook(1, 1, room, turns, taste)
    return worth


@inline_kernel
def rated(worth, move):
    """Return a worth and a move as one number; the greater worth is the greater number."""
    return (np.int64(worth * WORTH_UNIT) << MOVE_BITS) | move


@inline_kernel
def size_up(table, seat, index, turns, taste):
    """Note what each column of a seat is worth as it stands; return which one is best given up.

    That is rated, and `NEVER` when there is room for another column. A column given up loses its
    points and its hopes, and leaves its cards. `turns` is how many turns are left for each column.
    """
    best = np.int64(NEVER)
    used = table.columns_used[index]
    for place in range(used):
        column = np.uint32(place)
        length = table.lengths[index, column]
        most = table.most[index, column]
        last = np.int64(table.column_cards[index, column, np.uint32(length)])
        room = room_of(table, last, way_of(table, index, column))
        hopes = 0.0
        if taste[HOPE] > 0:
            hopes = taste[HOPE] * outlook(most, length, room, turns, taste)
        standing = taste[POINTS] * (most * length) + taste[STEP] * room + hopes
        seat.memory[STANDING + column] = np.int64(standing * STANDING_UNIT)
        if used == table.columns:
            worth = taste[POINTS] * (length - most * length) - taste[PATIENCE] * length
            worth += taste[HOPE] * length - hopes
            best = max(best, rated(worth, GIVE_UP + place))
    return best


@inline_kernel
def place_best(table, seat, index, card, given_up, turns, taste):
    """Return, rated, the move that places a card best in the display of seat `index`.

    It was sized up; `given_up` is what `size_up` returned, the same for all cards.
    """
    start = rated(worth_of_start(table, card, turns, taste), 0)
    best = given_up + start if given_up > NEVER else start + NEW_COLUMN
    fits = appends(table, index, card)
    while fits:
        move = lowest_bit(fits)
        fits &= fits - 1
        column = np.uint32(move >> 3)
        worth = worth_of_append(table, seat, index, column, card, turns, taste)
        best = max(best, rated(worth, move))
    return best


@kernel
def best_placing(table, seat, card, turns, taste):
    """Return, rated, where the seat on turn places a card best; for a turn that was not planned."""
    given_up = size_up(table, seat, table.seat, turns, taste)
    return place_best(table, seat, table.seat, card, given_up, turns, taste)


@inline_kernel
def turns_for_each_column(table):
    """Return how many turns the seat on turn has for each column after this one."""
    return own_turns_left(table) / table.columns


@inline_kernel
def gap_of(table, card):
    """Return in which gap of the circle a card belongs: 0 before the lowest card, 6 after all."""
    return shift_of(table.circle | BEYOND, card) // BYTE


@inline_kernel
def look_round(table, seat, turns, taste):
    """Rate the best placing of each card of the circle; the ratings are kept in the memory."""
    index = table.seat
    given_up = size_up(table, seat, index, turns, taste)
    for i in range(CIRCLE_CARDS):
        card = card_at(table.circle, BYTE * i)
        seat.memory[CIRCLE + i] = place_best(table, seat, index, card, given_up, turns, taste)


@kernel
def worth_to_rival(table, seat, rival, card, given_up, turns, taste):
    """Return what a card in the circle is worth to the next player, in parts of a point.

    Not inlined: it is wanted in two places.
    """
    there = place_best(table, seat, rival, card, given_up, turns, taste) >> MOVE_BITS
    return np.int64(taste[DENY] * there)


@inline_kernel
def plan_turn(table, seat, row, turns, taste):
    """Plan a turn with one of the cards of a row: note side and placing, return the card.

    The circle must have been looked at; each hand card reaches two of its cards.
    """
    rival = np.uint32((np.int64(table.seat) + 1) % table.players)
    given_up = np.int64(NEVER)
    if taste[DENY] > 0:
        given_up = size_up(table, seat, rival, turns, taste)
        for i in range(CIRCLE_CARDS):
            card = card_at(table.circle, BYTE * i)
            kept = worth_to_rival(table, seat, rival, card, given_up, turns, taste)
            seat.memory[CIRCLE + i] += kept << MOVE_BITS
    best = np.int64(2 * NEVER)
    chosen = card_at(row, 0)
    for place in range(HAND_CARDS):
        card = card_at(row, BYTE * place)
        if card == NO_CARD:
            break
        cost = np.int64(0)
        if taste[DENY] > 0:
            cost = worth_to_rival(table, seat, rival, card, given_up, turns, taste)
        if taste[SPREAD] > 0:
            cost -= np.int64(WORTH_UNIT * taste[SPREAD] * spread_without(row, card))
        gap = gap_of(table, card)
        for side in range(2):
            there = seat.memory[CIRCLE + ring_place(gap + side)]
            worth = (there >> MOVE_BITS) - cost
            if worth > best:
                best = worth
                chosen = card
                seat.memory[SIDE] = side
                seat.memory[MOVE] = there & MOVE_MASK
    seat.memory[TURN] = table.turns_left
    return chosen


@inline_kernel
def ring_place(gap):
    """Return the place in the circle of the card before gap 0…7."""
    place = gap - 1 if gap > 0 else CIRCLE_CARDS - 1
    return place - CIRCLE_CARDS if place >= CIRCLE_CARDS else place


@inline_kernel
def spread_without(row, card):
    """Return how far apart the other cards of a row are (0 if there are fewer than two)."""
    low = card_at(row, 0)
    middle = card_at(row, BYTE)
    high = card_at(row, 2 * BYTE)
    if high == NO_CARD:
        return 0
    if card == low:
        return high - middle
    return high - low if card == middle else middle - low


@inline_kernel
def best_pile(table, seat):
    """Return the pile to draw from: the face-up card if it reaches more than a hidden one may.

    A hidden card falls into each gap of the circle as often as the gap is wide, and reaches the
    better of its two neighbours there. The circle must have been looked at.
    """
    hidden = np.int64(0)
    before = card_at(table.circle, BYTE * (CIRCLE_CARDS - 1)) - table.card_count
    for gap in range(CIRCLE_CARDS):
        card = card_at(table.circle, BYTE * gap)
        hidden += (card - before - 1) * reach(seat, gap)
        before = card
    shown = reach(seat, gap_of(table, table.face_up_card))
    others = table.card_count - CIRCLE_CARDS
    return np.int64(FACE_UP if shown * others >= hidden else FACE_DOWN)


@inline_kernel
def reach(seat, gap):
    """Return what the better neighbour of a gap of the circle is worth."""
    lower = seat.memory[CIRCLE + ring_place(gap)]
    return max(lower, seat.memory[CIRCLE + ring_place(gap + 1)]) >> MOVE_BITS


@inline_kernel
def decide(table, seat, taste):
    """Answer any decision by a taste.

    Inlined, so that what a taste does not care about is not even compiled.
    """
    planned = seat.memory[TURN] == table.turns_left
    if table.phase == TAKE and planned:
        return seat.memory[SIDE]
    if table.phase == PLACE and planned:
        return seat.memory[MOVE]
    if table.phase == DRAW and table.face_up_card == 0:
        return np.int64(FACE_DOWN)
    turns = turns_for_each_column(table)
    if table.phase == PLACE:
        return best_placing(table, seat, table.taken_card, turns, taste) & MOVE_MASK
    look_round(table, seat, turns, taste)
    if table.phase == DRAW:
        return best_pile(table, seat)
    laying = table.phase == CARD
    card = plan_turn(
        table, seat, seat.hand if laying else NO_OTHERS | table.laid_card, turns, taste
    )
    return card if laying else seat.memory[SIDE]
