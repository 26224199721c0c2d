"""Up or down?: which moves are legal, in what order they are counted, and the check of one.

A `CARD` move is the card, a `TAKE` move the side, a `DRAW` move the pile; for `PLACE` moves see
`table`.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import lowest_bit, nth_bit, popcount
from simcore.games.upordown.cards import BYTE, NO_CARD, card_at, count_of, shift_of
from simcore.games.upordown.dials import BOTH_ENDS, END, dials_of, rules_by
from simcore.games.upordown.options import MOST_COLUMNS
from simcore.games.upordown.table import CARD, DRAW, GIVE_UP, NEW_COLUMN, PLACE, TAKE
from simcore.jit import inline_kernel, kernel, outer_kernel, wrapping
from simcore.vectors import choose, may_need

EACH_PLACE = sum(1 << (BYTE * place) for place in range(MOST_COLUMNS))
EACH_APPEND = EACH_PLACE << (BYTE - 1)
BYTES_OF_PLACES = (1 << (BYTE * MOST_COLUMNS)) - 1

SIDES = 2

HALF_BITS = np.uint64(32)
HALF_KEPT = np.uint64(1 << 32)
_ONE = np.uint64(1)
_TOP_BIT = np.uint64(1 << 63)


@inline_kernel
def find_moves(table, seat):
    """Find the legal moves of the seat on turn and return how many there are.

    They are noted in its record: `move_count`, and `place_moves` in the phase `PLACE`.
    """
    if table.phase == CARD:
        count = count_of(seat.hand)  # [R6] Every hand card has a place in the circle.
    elif table.phase == PLACE:
        seat.place_moves = place_moves(table, table.seat, table.taken_card)
        count = popcount(seat.place_moves)
    else:
        count = np.int64(SIDES)  # [R8] [C6] [R15]
    seat.move_count = count
    return count


@inline_kernel
def place_moves(table, index, card):
    """Return where a seat may place a card, a bit for each move; see `placings`."""
    display = table.floors[index], table.ceilings[index], table.columns_used[index]
    return placings(card, display, table.columns, dials_of(table))


@inline_kernel
def placings(card, display, columns, dials):
    """Return where a card may be placed, a bit for each move.

    Append it to any column that it fits [R9] [R12], start a column if there is room [R10] [C7], or
    give up any column [R13] [C10] [C12], or only when one must be [H6]. `display` are the limits
    and the number of a seat's columns, `columns` for how many there is room.
    """
    floors, ceilings, used = display
    others = choose(used < columns, 1 << NEW_COLUMN, 0)
    others = others | appends_within(card, floors, ceilings, used, rules_by(dials).insert)
    give_up = ((1 << used) - 1) << GIVE_UP
    if rules_by(dials).is_forced:
        give_up = choose(others == 0, give_up, 0)
    return others | give_up


@inline_kernel
def appends_within(card, floors, ceilings, used, insert):
    """Return which columns a card fits, a bit for each move.

    At the end it is at least the floor and at most the ceiling [R12] [C9]; at both ends one of
    these [H4]. Six places are compared at once, see `cards`.
    """
    cards = card * EACH_PLACE
    above = (cards | EACH_APPEND) - floors
    below = (ceilings | EACH_APPEND) - cards
    if insert == END:
        return above & below & EACH_APPEND
    if insert == BOTH_ENDS:
        return (above | below) & EACH_APPEND
    return ((1 << (used << 3)) - 1) & EACH_APPEND


@inline_kernel
def nth_move(table, seat, index):
    """Return the legal move number `index` (0 ≤ index < `move_count`) of the seat on turn.

    Order: hand cards by value; lower side, upper side; append by place, new column, give up by
    place; face-up pile, face-down pile. The moves must have been found.
    """
    if table.phase == CARD:
        return card_at(seat.hand, BYTE * index)
    if table.phase == PLACE:
        return nth_bit(seat.place_moves, index)
    return index


@inline_kernel
@wrapping
def nth_placing(moves, index):
    """Return the `PLACE` move number `index` of a word of them.

    With the sums of all appending ones up to each place it reaches as many places as come before.
    """
    appends = (moves >> (BYTE - 1)) & EACH_PLACE
    upto = appends * EACH_PLACE
    reached = ((index * EACH_PLACE) | EACH_APPEND) - (upto & BYTES_OF_PLACES)
    place = popcount(reached & EACH_APPEND)
    others = index - popcount(appends)
    new = choose((moves & (1 << NEW_COLUMN)) > 0, NEW_COLUMN, GIVE_UP)
    return choose(others < 0, (place << 3) + (BYTE - 1), others + new)


@outer_kernel
def place_to_append(moves, state, length_at, columns):
    """Return the first column that a card fits, else a new one, else the shortest to be given up.

    `length_at` says of the state and a place how many cards the column has.
    """
    move = lowest_bit(moves)
    if may_need(move > NEW_COLUMN):
        fewest = length_at(state, 0)
        shortest = fewest - fewest
        for place in range(1, columns):
            length = length_at(state, place)
            shortest = choose(length < fewest, place, shortest)
            fewest = choose(length < fewest, length, fewest)
        move = choose(move > NEW_COLUMN, GIVE_UP + shortest, move)
    return move


@inline_kernel
def random_move(table, seat):
    """Return one of the legal moves, each with the same probability; draws from the seat's stream.

    This is the policy `random`, built in. Of the 64 bits that it draws for a `CARD` move it keeps
    32 for the `PLACE` move (`seat.half`); the others, between two moves, take one (`flip_coin`).
    """
    if table.phase == TAKE or table.phase == DRAW:
        return flip_coin(seat)
    half = seat.half
    seat.half = 0
    if table.phase == CARD or half < HALF_KEPT:
        word = rng.next_word(seat.rng)
        half = word >> HALF_BITS
        if table.phase == CARD:
            seat.half = (word & rng.HALF) | HALF_KEPT
    half &= rng.HALF
    return nth_move(table, seat, rng.below_from(seat.rng, half, seat.move_count))


@inline_kernel
def flip_coin(seat):
    """Return 0 or 1, the next random bit that the seat has in store.

    They are drawn from its stream 63 at a time, as many as it needs in a match; above them is a 1.
    """
    coins = seat.coins
    if coins <= _ONE:
        coins = new_coins(seat)
    seat.coins = coins >> _ONE
    return np.int64(coins & _ONE)


@inline_kernel
def new_coins(seat):
    """Draw bits for `flip_coin`."""
    return rng.next_word(seat.rng) | _TOP_BIT


@kernel
def legal_moves(table, seat):
    """Write all legal moves of the seat on turn to `seat.moves` and return their number."""
    for index in range(seat.move_count):
        seat.moves[index] = nth_move(table, seat, index)
    return seat.move_count


@inline_kernel
def is_legal(table, seat, move):
    """Tell whether `move` is among the legal moves of the seat on turn."""
    if table.phase == CARD:
        return 0 < move < NO_CARD and card_at(seat.hand, shift_of(seat.hand, move)) == move
    if table.phase == PLACE:
        return 0 <= move < GIVE_UP + MOST_COLUMNS and (seat.place_moves >> move) & 1 != 0
    return 0 <= move < SIDES
