"""Up or down?: what a seat decides that plays by its spec, in a single match, decision by decision.

What it plans it notes in its memory; the rows in which it reckons are its own.
"""

from __future__ import annotations

import numpy as np

from simcore.games.upordown import plan, worth
from simcore.games.upordown import rows as at
from simcore.games.upordown import table as uod
from simcore.games.upordown.cards import BYTE, NO_CARD, ROW_CARDS, card_at, count_of
from simcore.games.upordown.dials import dials_of
from simcore.games.upordown.moves import nth_move, random_move
from simcore.games.upordown.spec import APPENDS, numbers_at
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.vectors import LANES, floored, lane, wholes

NOTHING = -1

TURN, SIDE, PLACING = range(3)
"""In a seat's memory: for which turn (`turns_left`) there is a plan, the side, the placing."""

NO_OTHERS = sum(NO_CARD << (BYTE * place) for place in range(1, ROW_CARDS))
"""A row but for its first card."""

OWN, RIVAL = at.FIRST_SEAT_ROW, at.FIRST_SEAT_ROW + at.SEAT_ROWS


@kernel
def by_spec(table, seat):
    """Return the move of a seat that plays by its spec; the moves have been found."""
    if seat.spec[0] == APPENDS:
        return append(table, seat)
    return decide(table, seat, numbers_at(seat.spec, own_turns_left(table)))


@inline_kernel
def append(table, seat):
    """Append whatever comes."""
    if table.phase != uod.PLACE:
        return random_move(table, seat)
    move = append_or_start(table, seat)
    if move == NOTHING:
        move = give_up_shortest(table)
    return move


@inline_kernel
def append_or_start(table, seat):
    """Append the card to the first column that it fits, else start a column; -1 if neither."""
    move = nth_move(table, seat, 0)
    return move if move <= uod.NEW_COLUMN else np.int64(NOTHING)


@inline_kernel
def give_up_shortest(table):
    """Give up the shortest column."""
    shortest = np.int64(0)
    for place in range(1, table.columns_used[table.seat]):
        if table.lengths[table.seat, place] < table.lengths[table.seat, shortest]:
            shortest = np.int64(place)
    return uod.GIVE_UP + shortest


@outer_kernel
def decide(table, seat, numbers):
    """Return the move by the nine numbers of a play spec; the moves have been found."""
    goes_on = table.phase == uod.TAKE or table.phase == uod.PLACE
    if goes_on and seat.memory[TURN] == table.turns_left:
        return as_planned(table, seat)
    if table.phase == uod.DRAW and table.face_up_card == 0:
        return draw_unseen()
    dials = dials_of(table)
    left, cards, mask = own_turns_left(table), table.card_count, table.most_of_a_colour
    weights = worth.weights_of(numbers, left, table.columns, cards, mask, dials)
    if table.phase == uod.PLACE:
        return best_placing(table, seat, weights, dials)
    if table.phase == uod.DRAW:
        return best_pile(table, seat, weights, dials)
    laying = table.phase == uod.CARD
    hand = seat.hand if laying else NO_OTHERS | table.laid_card
    card = plan_turn(table, seat, hand, weights, dials)
    return card if laying else seat.memory[SIDE]


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
    """Plan a turn with one of the cards of a row: note side and placing, return the card."""
    note_circle(table, seat, dials)
    note_display(table, seat, OWN, table.seat)
    seat.rows[OWN + at.HAND] = hand
    reach = most_columns(table)
    if weights.deny > 0.0:
        rival = np.uint32((np.int64(table.seat) + 1) % table.players)
        reach = max(reach, table.columns_used[rival])
        note_display(table, seat, RIVAL, rival)
        worth.lay_out_hand(seat, 0, hand, count_of(hand), table.colour_shift, dials)
    lanes = (0, LANES)
    plan.plan_turns(seat, lanes, (OWN, RIVAL), count_of(hand), reach, weights, dials)
    number, side, move = plan.read_plan(seat, 0, dials)
    seat.memory[SIDE] = side
    seat.memory[PLACING] = move
    seat.memory[TURN] = table.turns_left
    return card_at(hand, BYTE * number)


@inline_kernel
def most_columns(table):
    """Return how many columns of the seat on turn are to be looked at: the first in any case."""
    return max(np.int64(1), table.columns_used[table.seat])


@kernel
def best_placing(table, seat, weights, dials):
    """Return where the seat on turn places a card best; for a turn that was not planned."""
    note_display(table, seat, OWN, table.seat)
    worth.put_card(seat, 0, 0, table.taken_card, table.colour_shift)
    reach = most_columns(table)
    worth.look_at(seat, 0, 0, weights, dials)
    worth.weigh_columns(seat, 0, OWN, reach, weights, dials)
    worth.rate(worth.rate_all, seat, 0, OWN, reach, 1, True, weights, dials)
    otherwise = worth.best_otherwise(seat, 0, OWN, reach, weights)
    best = worth.best_appended(seat, 0, 0, reach)
    best = lane(worth.better_of(seat, 0, 0, best, otherwise, dials), 0)
    return wholes((best - floored(best)) / worth.MOVE)


@inline_kernel
def best_pile(table, seat, weights, dials):
    """Return the pile to draw from: the face-up card if it reaches more than a hidden one may."""
    seat.rows[at.SHOWN] = table.face_up_card
    note_circle(table, seat, dials)
    note_display(table, seat, OWN, table.seat)
    lanes, reach = (0, LANES), most_columns(table)
    plan.look_at_all(seat, lanes, OWN, reach, table.circle_cards, weights, dials)
    plan.rate_circle(seat, lanes, OWN, reach, False, weights, dials)
    shown, hidden = plan.worths_of_piles(seat, 0, weights, dials)
    return np.int64(
        uod.FACE_UP if plan.is_shown_better(shown, hidden, weights, dials) else uod.FACE_DOWN
    )


@inline_kernel
def note_circle(table, seat, dials):
    """Put the cards of the circle among those rated."""
    worth.lay_out_circle(seat, 0, table.circle, table.wide_circle, table.colour_shift, dials)


@inline_kernel
def note_display(table, seat, row, index):
    """Note the columns of a seat."""
    rows = seat.rows
    rows[row + at.FLOORS] = table.floors[index]
    rows[row + at.CEILINGS] = table.ceilings[index]
    used = table.columns_used[index]
    rows[row + at.USED] = used
    for place in range(table.columns):
        length = table.lengths[index, place] if place < used else np.int64(0)
        last = np.int64(table.column_cards[index, place, np.uint32(length)])
        word = length | (table.most[index, place] << at.MOST) | (last << at.LAST)
        rows[row + at.COLUMN + place] = word
        rows[row + at.COUNTS + place] = table.colour_counts[index, place]
