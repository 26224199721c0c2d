"""Up or down?: what a player sees in the display and the circle, and the plan of a turn.

All policies but the simplest plan a turn as a whole: which hand card, which neighbour, which
column. They differ in what they find worth how much, a *taste* (`simcore.games.upordown.spec`).
Values are in points, steps in numbers between a column's last card and the next. What is changed
here must be changed in the game's lanes, too, which plan the same turns for many matches at a time.
"""

from __future__ import annotations

import numpy as np

from simcore.games.upordown.cards import BYTE, CARD_BITS, NO_CARD, ROW_CARDS, card_at, shift_of
from simcore.games.upordown.moves import nth_move
from simcore.games.upordown.play import BEYOND, ring_of
from simcore.games.upordown.spec import (
    COLOUR,
    DENY,
    HOPE,
    MATCH,
    PATIENCE,
    POINTS,
    SPREAD,
    STANDING_UNIT,
    STEP,
    STRIDE,
    WORTH_UNIT,
)
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
from simcore.vectors import LANES, choose, lane, largest, spread, vector, wholes

NOTHING = -1

TURN, SIDE, MOVE = range(3)
"""In a seat's memory: for which turn (`turns_left`) there is a plan, the side, the placing."""

SHIFTS = tuple(BYTE * place for place in range(LANES))
"""Of eight cards in the bytes of a word. The circle is looked at as a ring of eight, with its last
card before the first and its first after the last: a card that belongs into gap g of the circle
reaches the cards g and g + 1 of the ring."""

MOVE_BITS = 6
MOVE_MASK = (1 << MOVE_BITS) - 1
NUMBER_BITS = 3
NUMBER_MASK = (1 << NUMBER_BITS) - 1
NEVER = -(1 << 60)
"""A *rating* is a worth, in so many parts of a point, and a move below it."""

NO_OTHERS = sum(NO_CARD << (BYTE * place) for place in range(1, ROW_CARDS))
"""A row but for its first card."""


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
def outlooks(most, length, room, turns, taste):
    """Return `outlook` for vectors."""
    cards = room / taste[STRIDE]
    cards = choose(cards < turns, cards, turns)
    return (most + taste[MATCH] * cards) * (length + cards)


@inline_kernel
def rated(worth, move):
    """Return a worth and a move as one number; the greater worth is the greater number."""
    return (np.int64(worth * WORTH_UNIT) << MOVE_BITS) | move


@inline_kernel
def all_rated(worths, move):
    """Return `rated` for a vector of worths."""
    return (wholes(worths * WORTH_UNIT) << MOVE_BITS) | move


@inline_kernel
def worth_of_standing(table, index, place, turns, taste):
    """Return what a column is worth as it stands, and how much of that are hopes."""
    length = table.lengths[index, place]
    most = table.most[index, place]
    last = np.int64(table.column_cards[index, place, np.uint32(length)])
    room = room_of(table, last, way_of(table, index, place))
    hopes = 0.0
    if taste[HOPE] > 0:
        hopes = taste[HOPE] * outlook(most, length, room, turns, taste)
    standing = taste[POINTS] * (most * length) + taste[STEP] * room + hopes
    return np.int64(standing * STANDING_UNIT) * (1 / STANDING_UNIT), hopes


@inline_kernel
def worth_of_giving_up(table, index, place, hopes, taste):
    """Return what it is worth to give up a column.

    It loses its points and its hopes, and leaves its cards.
    """
    length = table.lengths[index, place]
    points = table.most[index, place] * length
    worth = taste[POINTS] * (length - points) - taste[PATIENCE] * length
    return worth + (taste[HOPE] * length - hopes)


@inline_kernel
def rate_placings(table, index, cards, turns, taste):
    """Rate how seat `index` places each of eight cards best: the worth and the move.

    It may append a card to a column that it fits; start a column, best with one of the extremes; or
    give one up for it.

    Parameters
    ----------
    table : record
    index : int
    cards : vector
    turns : float
        Turns left for each column.
    taste : tuple

    Returns
    -------
    vector
    """
    shifts = shifts_of(table, cards)
    above = table.card_count - cards
    below = cards - 1
    no_worths = spread(0) * 1.0
    best = spread(NEVER)
    best_given_up = np.int64(NEVER)
    used = table.columns_used[index]
    for column in range(used):
        place = np.uint32(column)
        length = table.lengths[index, place]
        most = table.most[index, place]
        last = np.int64(table.column_cards[index, place, np.uint32(length)])
        standing, hopes = worth_of_standing(table, index, place, turns, taste)
        given_up = worth_of_giving_up(table, index, place, hopes, taste)
        best_given_up = max(best_given_up, rated(given_up, GIVE_UP + column))
        same = ((table.colour_counts[index, place] >> shifts) & MOST_OF_A_COLOUR) + 1
        after = largest(same, most)
        room = choose(cards > last, above, below)
        worth = no_worths
        if taste[POINTS] > 0:
            worth = taste[POINTS] * (after * (length + 1))
        if taste[STEP] > 0:
            worth = worth + taste[STEP] * (room + 1)
        if taste[COLOUR] > 0:
            of_colour = (same > most) | ((same == most) & (length > 1))
            worth = worth + choose(of_colour, taste[COLOUR], 0.0)
        if taste[HOPE] > 0:
            worth = worth + taste[HOPE] * outlooks(after, length + 1, room, turns, taste)
        rating = all_rated(worth - standing, BYTE * column + BYTE - 1)
        fits = (cards >= card_at(table.floors[index], BYTE * column)) & (
            cards <= card_at(table.ceilings[index], BYTE * column)
        )
        best = largest(best, choose(fits, rating, NEVER))
    room = largest(above, below)
    worth = taste[POINTS] - taste[STEP] * (table.card_count - 1 - room)
    if taste[HOPE] > 0:
        worth = worth + taste[HOPE] * outlooks(1, 1, room, turns, taste)
    move = best_given_up if used == table.columns else np.int64(NEW_COLUMN)
    return largest(best, all_rated(worth, 0) + move)


@inline_kernel
def shifts_of(table, cards):
    """Return where the colours of eight cards are counted."""
    return vector(
        (
            shift_of_colour(table, cards, 0),
            shift_of_colour(table, cards, 1),
            shift_of_colour(table, cards, 2),
            shift_of_colour(table, cards, 3),
            shift_of_colour(table, cards, 4),
            shift_of_colour(table, cards, 5),
            shift_of_colour(table, cards, 6),
            shift_of_colour(table, cards, 7),
        )
    )


@inline_kernel
def shift_of_colour(table, cards, index):
    """Return where the colour of one of eight cards is counted."""
    return np.int64(table.colour_shift[np.uint32(lane(cards, index))])


@kernel
def best_placing(table, card, turns, taste):
    """Return where the seat on turn places a card best; for a turn that was not planned."""
    return lane(rate_placings(table, table.seat, spread(card), turns, taste), 0) & MOVE_MASK


@inline_kernel
def turns_for_each_column(table):
    """Return how many turns the seat on turn has for each column after this one."""
    return own_turns_left(table) / table.columns


@inline_kernel
def gap_of(table, card):
    """Return in which gap of the circle a card belongs: 0 before the lowest card, 6 after all."""
    return shift_of(table.circle | BEYOND, card) // BYTE


@inline_kernel
def eight_cards(row):
    """Return the cards in the bytes of a word as a vector."""
    return (spread(row) >> vector(SHIFTS)) & CARD_BITS


@inline_kernel
def worth_to_rival(table, cards, turns, taste):
    """Return what it is worth, in parts of a point, to keep eight cards from the next player."""
    rival = np.uint32((np.int64(table.seat) + 1) % table.players)
    ratings = rate_placings(table, rival, cards, turns, taste)
    return wholes(taste[DENY] * (ratings >> MOVE_BITS))


@inline_kernel
def plan_turn(table, seat, row, turns, taste):
    """Plan a turn with one of the cards of a row: note side and placing, return the card.

    Each hand card reaches two of the cards of the circle.
    """
    ring = eight_cards(ring_of(table.circle))
    ratings = rate_placings(table, table.seat, ring, turns, taste)
    costs = spread(0)
    if taste[DENY] > 0:
        ratings = ratings + (worth_to_rival(table, ring, turns, taste) << MOVE_BITS)
        costs = worth_to_rival(table, eight_cards(row), turns, taste)
    best = np.int64(2 * NEVER)
    for place in range(HAND_CARDS):
        card = card_at(row, BYTE * place)
        cost = lane(costs, place)
        if taste[SPREAD] > 0:
            cost -= np.int64(WORTH_UNIT * taste[SPREAD] * spread_without(row, card))
        gap = gap_of(table, card)
        for side in range(2):
            # Of equal plans the first one has the greatest number.
            number = np.int64(2 * (HAND_CARDS - place) - side)
            worth = worth_of_plan(card, side, lane(ratings, gap + side), cost)
            plan = (worth << NUMBER_BITS) | number if card != NO_CARD else np.int64(2 * NEVER)
            best = max(best, plan)
    number = best & NUMBER_MASK
    side_taken = number & 1
    chosen = card_at(row, BYTE * (HAND_CARDS - ((number + side_taken) >> 1)))
    seat.memory[SIDE] = side_taken
    seat.memory[MOVE] = lane(ratings, gap_of(table, chosen) + side_taken) & MOVE_MASK
    seat.memory[TURN] = table.turns_left
    return chosen


@inline_kernel
def worth_of_plan(card, side, rating, cost):  # noqa: ARG001 (they say whose worth it is)
    """Return what it is worth to lay a card and take its neighbour on a side."""
    return (rating >> MOVE_BITS) - cost


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
def best_pile(table, turns, taste):
    """Return the pile to draw from: the face-up card if it reaches more than a hidden one may.

    A hidden card falls into each gap of the circle as often as the gap is wide, and reaches the
    better of its two neighbours there.
    """
    ring = eight_cards(ring_of(table.circle))
    ratings = rate_placings(table, table.seat, ring, turns, taste)
    hidden = np.int64(0)
    before = lane(ring, 0) - table.card_count
    for gap in range(CIRCLE_CARDS):
        card = lane(ring, gap + 1)
        hidden += (card - before - 1) * reach(ratings, gap)
        before = card
    shown = reach(ratings, gap_of(table, table.face_up_card))
    return better_pile(shown, hidden, table.card_count - CIRCLE_CARDS)


@inline_kernel
def better_pile(shown, hidden, others):
    """Return the pile of the card that is worth more: `hidden` is the sum over all `others`."""
    return np.int64(FACE_UP if shown * others >= hidden else FACE_DOWN)


@inline_kernel
def reach(ratings, gap):
    """Return what the better neighbour of a gap of the circle is worth."""
    return max(lane(ratings, gap), lane(ratings, gap + 1)) >> MOVE_BITS


@inline_kernel
def append_or_start(table, seat):
    """Append the card to the first column that it fits, else start a column; -1 if neither."""
    move = nth_move(table, seat, 0)
    return move if move <= NEW_COLUMN else np.int64(NOTHING)


@inline_kernel
def give_up_shortest(table):
    """Give up the shortest column."""
    shortest = np.int64(0)
    for place in range(1, table.columns_used[table.seat]):
        if table.lengths[table.seat, place] < table.lengths[table.seat, shortest]:
            shortest = np.int64(place)
    return GIVE_UP + shortest


@inline_kernel
def as_planned(table, seat):
    """Go on as planned when the card to be laid was chosen."""
    return seat.memory[SIDE] if table.phase == TAKE else seat.memory[MOVE]


@inline_kernel
def draw_unseen():
    """Draw from the second pile, as no card can be seen on either."""
    return np.int64(FACE_DOWN)


@inline_kernel
def decide(table, seat, taste):
    """Answer any decision by a taste.

    Inlined, so that what a taste does not care about is not even compiled.
    """
    planned = seat.memory[TURN] == table.turns_left
    if planned and (table.phase == TAKE or table.phase == PLACE):
        return as_planned(table, seat)
    if table.phase == DRAW and table.face_up_card == 0:
        return draw_unseen()
    turns = turns_for_each_column(table)
    if table.phase == PLACE:
        return best_placing(table, table.taken_card, turns, taste)
    if table.phase == DRAW:
        return best_pile(table, turns, taste)
    laying = table.phase == CARD
    card = plan_turn(
        table, seat, seat.hand if laying else NO_OTHERS | table.laid_card, turns, taste
    )
    return card if laying else seat.memory[SIDE]
