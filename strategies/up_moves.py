"""Up: pieces of play that several policies share.

Each looks for a move of one sort among those found and returns it, or `NOTHING`.
"""

from __future__ import annotations

import numpy as np

from simcore.games.up.cards import CLEAR, FIELD, LAYABLE, MINUS_TWO, one_of_each
from simcore.games.up.table import (
    CUT,
    DIRTY,
    DOUBLE,
    FOREHAND,
    KEEP,
    SOURCE_STEP,
    TURN_UP,
)
from simcore.jit import inline_kernel, kernel
from simcore.vectors import LANES, choose, greatest, largest, vector
from strategies.up_sight import (
    MOST,
    NO_CARD,
    first_card,
    heavier_card,
    heaviest_borne,
    held,
    last_card,
    number_of,
    row_of,
    tally,
    value_of,
)

NOTHING = -1

WEIGHT = 64
"""Weights are counted in parts of a value."""

LOW_PLACES = tuple(4 * kind for kind in range(LANES))
HIGH_PLACES = tuple(4 * kind for kind in range(LANES, 2 * LANES))
"""Where kinds stand in a tally, for vectors; the last places are empty."""

PATIENCE = 40
"""Plays for each player after which a round is long; most end within half of that."""

LEAST_CAP_FOR_MINUS_TWO = 3
"""On less, a "-2" makes the tower collapse."""


@inline_kernel
def from_either(open_card, hand_card):
    """Return the move that lays an open card, else one from the hand, else `NOTHING`."""
    if open_card != NO_CARD:
        return SOURCE_STEP + open_card
    return hand_card


@inline_kernel
def lay_heavy(table, seat, per_open):
    """Lay the heaviest value that the tower bears, all its cards.

    An open card counts as `per_open` heavier.
    """
    open_card = heaviest_borne(table, seat.open_moves)
    hand_card = heaviest_borne(table, seat.hand_moves)
    if value_of(table, hand_card) > value_of(table, open_card) + per_open:
        return hand_card
    return from_either(open_card, hand_card)


@inline_kernel
def lay_best(table, seat, per_card, per_open):
    """Lay all cards of the value, borne by the tower, that is worth most.

    It is worth itself, and for each card `per_card`, and for each open card `per_open` besides.
    In a long round numbers count no more: players who lead the same many cards again and again, and
    take them up again and again, never get rid of their heavy ones.
    """
    if table.plays > PATIENCE * table.players:
        per_card = 0.0
    hand_weight = np.int64(WEIGHT * per_card)
    open_weight = np.int64(WEIGHT * (per_card + per_open))
    hand = tally(seat.hand_moves, table.double)
    open_cards = tally(seat.open_moves, table.double)
    kinds = one_of_each(hand | open_cards) & LAYABLE[row_of(table)]
    if kinds == 0:
        return np.int64(NOTHING)
    places = vector(LOW_PLACES)
    low = worths(places, hand, open_cards, kinds, hand_weight, open_weight)
    places = vector(HIGH_PLACES)
    high = worths(places, hand, open_cards, kinds, hand_weight, open_weight)
    best = greatest(largest(low, high))
    return lay_kind(table, seat, best & 63, hand, open_cards, hand_weight, open_weight)


@inline_kernel
def lay_kind(table, seat, place, hand, open_cards, hand_weight, open_weight):
    """Return the move that lays all cards of the kind at a place, whence they are worth more."""
    field = FIELD[table.double, np.uint32(place >> 2)]
    open_card = last_card(seat.open_moves, field)
    hand_card = last_card(seat.hand_moves, field)
    from_hand = ((hand >> place) & MOST) * hand_weight
    from_open = ((open_cards >> place) & MOST) * open_weight
    if from_hand > from_open:
        return hand_card
    return from_either(open_card, hand_card)


@inline_kernel
def worths(places, hand, open_cards, kinds, hand_weight, open_weight):
    """Return what all cards of a kind are worth, and below that its place, for eight kinds."""
    from_hand = ((hand >> places) & MOST) * hand_weight
    from_open = ((open_cards >> places) & MOST) * open_weight
    worth = (WEIGHT // 4) * places + largest(from_hand, from_open)
    return choose(((kinds >> places) & 1) > 0, (worth << 8) + places, 0)


@inline_kernel
def lay_minus_twos(table, seat):
    """Lay all "-2" that the tower bears."""
    if table.cap < LEAST_CAP_FOR_MINUS_TWO or table.double:
        return np.int64(NOTHING)
    field = FIELD[0, MINUS_TWO]
    return from_either(last_card(seat.open_moves, field), last_card(seat.hand_moves, field))


@inline_kernel
def lay_clear(seat):
    """Lay a clear card."""
    field = FIELD[0, CLEAR]
    return from_either(first_card(seat.open_moves, field), first_card(seat.hand_moves, field))


@inline_kernel
def collapse(table, seat):
    """Make the tower collapse: with an open card if possible, which so gets off the table."""
    move = from_either(heavier_card(table, seat.open_moves), heavier_card(table, seat.hand_moves))
    if move == NOTHING and table.cap < LEAST_CAP_FOR_MINUS_TWO and table.double == 0:
        field = FIELD[0, MINUS_TWO]
        move = from_either(first_card(seat.open_moves, field), first_card(seat.hand_moves, field))
    return move


@inline_kernel
def turn_up(seat):
    """Turn up a hidden card."""
    return np.int64(TURN_UP) if seat.may_turn_up else np.int64(NOTHING)


@inline_kernel
def turn_up_safely(table, seat, cap):
    """Turn up a hidden card where there is no tower, or one that bears this much."""
    if table.cap == 0 or table.cap >= cap:
        return turn_up(seat)
    return np.int64(NOTHING)


@inline_kernel
def rescue(table, seat):
    """Get by when the tower bears no value held: "-2", clear card, hidden card, collapse.

    There is always one of them.
    """
    move = lay_minus_twos(table, seat)
    if move == NOTHING:
        move = lay_clear(seat)
    if move == NOTHING:
        move = save_specials(table, seat)
    return move


@inline_kernel
def lay_heavy_or_rescue(table, seat, per_open):
    """Lay the heaviest value that the tower bears, or get by; see `lay_heavy` and `rescue`."""
    move = lay_heavy(table, seat, per_open)
    if move == NOTHING:
        move = rescue(table, seat)
    return move


@inline_kernel
def lay_special(table, seat):
    """Lay a clear card, or else every "-2" that fits."""
    move = lay_clear(seat)
    if move == NOTHING:
        move = lay_minus_twos(table, seat)
    return move


@inline_kernel
def save_specials(table, seat):
    """Get by without "-2" and clear cards if possible: hidden card, collapse."""
    move = turn_up(seat)
    if move == NOTHING:
        move = collapse(table, seat)
    if move == NOTHING:
        move = lay_minus_twos(table, seat)
    if move == NOTHING:
        move = lay_clear(seat)
    return move


@inline_kernel
def fewest_cards(table):
    """Return how few cards an opponent of the seat on turn has left."""
    fewest = table.pack_size
    for seat in range(table.players):
        if seat != table.seat:
            fewest = min(fewest, table.cards[seat])
    return fewest


@kernel
def say_nothing(table):
    """Answer before the play: keep the special card found at the cut, declare nothing."""
    return np.int64(KEEP) if table.phase == CUT else np.int64(0)


@kernel
def judge(table, seat, minus_twos):
    """Answer before the play: keep the special card found at the cut, declare what suits the cards.

    The dirty one suits whoever has a 1 in sight: it bears on any tower, and so is seldom left over.
    The double two suits whoever has so many "-2" that they are worth more laid together as 2s than
    one by one as what they are.
    """
    if table.phase == CUT:
        return np.int64(KEEP)
    own = held(seat.hand) + held(table.open_cards[table.seat])
    move = np.int64(0)
    if table.dirty_one == FOREHAND and number_of(own, 1) >= 1:
        move += DIRTY
    if table.double_two == FOREHAND and number_of(own, MINUS_TWO) >= minus_twos:
        move += DOUBLE
    return move
