"""Up: which moves are legal, in what order they are counted, and the check of one.

A `PLAY` move is a number: the source (`HAND`, `OPEN`) and the card up to which all cards of that
kind are laid; or `TURN_UP`; or `PASS_LEAD`. `CUT` and `DECLARE` moves are numbers from 0.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import nth_bit, popcount
from simcore.games.up.cards import (
    DOUBLE_ROWS,
    FIELD,
    ONE_WITH_DOUBLE_TWO,
    any_of,
    drop_second_two,
    find_moves_in,
    keep_one_of_each,
    kind_of,
    moves_in,
    size_of,
)
from simcore.games.up.table import (
    CLAUSES,
    DECLARE,
    DOUBLE,
    FIRST_TURN_CLAUSE,
    FOREHAND,
    HAND,
    HIDDEN,
    OPEN,
    PLAY,
    SOURCE_STEP,
    TURN_UP,
)
from simcore.jit import inline_kernel, kernel


@inline_kernel
def find_moves(table, seat):
    """Find the legal moves of the seat on turn [C26] and return how many there are.

    They are noted in its record: `hand_moves`, `open_moves`, `may_turn_up`, `move_count`.
    """
    if table.phase == PLAY:
        return find_play_moves(table, seat, table.cap)
    seat.move_count = 4 if table.phase == DECLARE and declares_both(table) else 2
    return seat.move_count


@inline_kernel
def find_play_moves(table, seat, cap):
    """Find the legal `PLAY` moves on a tower with this cap; see `find_moves`.

    From the hand, the open cards or, if these are gone, the hidden ones [R13] [C9]; special and
    hidden cards are free choices [R14] [C13], also to lead after a clear card [C28].
    """
    index = table.seat
    row = np.uint32(cap + DOUBLE_ROWS * table.double)
    if len(seat.hand) > 1 or table.first_turn or row == ONE_WITH_DOUBLE_TWO:
        return find_play_moves_slowly(table, seat, row)
    hand_moves = moves_in(seat.hand[0], row)
    open_moves = np.int64(0)
    may_turn_up = np.int64(0)
    open_cards = table.open_cards[index, 0]
    if open_cards:
        open_moves = moves_in(open_cards, row)
    else:
        may_turn_up = np.int64(table.hidden_cards[index] > 0)  # [R12] [C10]
    count = popcount(hand_moves) + popcount(open_moves) + may_turn_up
    seat.hand_moves[0] = hand_moves
    seat.open_moves[0] = open_moves
    seat.may_turn_up = may_turn_up
    seat.move_count = count
    return count


@kernel
def find_play_moves_slowly(table, seat, row):
    """Find the legal `PLAY` moves with any number of sets, in first turns, and of doubled twos."""
    index = table.seat
    open_cards = table.open_cards[index]
    find_moves_in(seat.hand, seat.hand_moves, row)
    seat.may_turn_up = 0
    for word in range(len(seat.open_moves)):
        seat.open_moves[word] = 0
    if (table.first_turn >> index) & 1:
        find_first_moves(table, seat)
    elif any_of(open_cards):
        find_moves_in(open_cards, seat.open_moves, row)
    else:
        seat.may_turn_up = np.int64(table.hidden_cards[index] > 0)  # [R12] [C10]
    if row == ONE_WITH_DOUBLE_TWO:
        drop_second_two(seat.hand_moves)
        drop_second_two(seat.open_moves)
    seat.move_count = size_of(seat.hand_moves) + size_of(seat.open_moves) + seat.may_turn_up
    return seat.move_count


@kernel
def find_first_moves(table, seat):
    """Leave of the moves from the hand those of a first turn [R10] [C7] [C8] [C17] [C48]."""
    if not table.multiples_in_first_lap:
        count = size_of(seat.hand_moves)
        if keep_one_of_each(seat.hand_moves, table.double) < count:
            table.metrics[CLAUSES] |= FIRST_TURN_CLAUSE


@inline_kernel
def declares_both(table):
    """Tell whether forehand may declare the dirty one and the double two."""
    return table.dirty_one == FOREHAND and table.double_two == FOREHAND


@inline_kernel
def is_aside(table, _seat):
    """Tell whether a decision is there under some options only; see `match.ask_on_turn`."""
    return table.phase == DECLARE


@inline_kernel
def nth_move(table, seat, index):
    """Return the legal move number `index` (0 ≤ index < `move_count`) of the seat on turn.

    Order: from the hand by card, from the open cards, turning up a hidden card. The moves must
    have been found.
    """
    if table.phase == PLAY:
        return nth_play_move(seat, index)
    # With only the double two to declare the moves are 0 and DOUBLE.
    only_double = table.phase == DECLARE and table.dirty_one != FOREHAND
    return index * DOUBLE if only_double else index


@inline_kernel
def nth_play_move(seat, index):
    """Return the legal `PLAY` move number `index`; see `nth_move`."""
    if len(seat.hand_moves) > 1:
        return nth_move_of_many(seat, index)
    word = seat.hand_moves[0]
    source = np.int64(0)
    from_hand = popcount(word)
    if index >= from_hand:
        index -= from_hand
        word = seat.open_moves[0]
        source = np.int64(SOURCE_STEP)
    if word == 0:
        return np.int64(TURN_UP)
    return source + nth_bit(word, index)


@kernel
def nth_move_of_many(seat, index):
    """Return the legal move number `index`, for card sets of several words."""
    for word in range(len(seat.hand_moves)):
        here = popcount(seat.hand_moves[word])
        if index < here:
            return 64 * word + nth_bit(seat.hand_moves[word], index)
        index -= here
    for word in range(len(seat.open_moves)):
        here = popcount(seat.open_moves[word])
        if index < here:
            return SOURCE_STEP + 64 * word + nth_bit(seat.open_moves[word], index)
        index -= here
    return np.int64(TURN_UP)


@inline_kernel
def random_move(table, seat):
    """Return one of the legal moves, each with the same probability; draws from the seat's stream.

    This is the policy `random`, built in.
    """
    return nth_move(table, seat, rng.below(seat.rng, seat.move_count))


@kernel
def legal_moves(table, seat):
    """Write all legal moves of the seat on turn to `seat.moves` and return their number."""
    for index in range(seat.move_count):
        seat.moves[index] = nth_move(table, seat, index)
    return seat.move_count


@inline_kernel
def is_legal(table, seat, move):
    """Tell whether `move` is among the legal moves of the seat on turn."""
    source = move >> 8
    word = (move >> 6) & 3
    if table.phase == PLAY and word < len(seat.hand_moves):
        if source == HAND:
            return (seat.hand_moves[word] >> (move & 63)) & 1 != 0
        if source == OPEN:
            return (seat.open_moves[word] >> (move & 63)) & 1 != 0
    return is_legal_otherwise(table, seat, move)


@kernel
def is_legal_otherwise(table, seat, move):
    """Tell whether a move that lays no cards from hand or open cards is legal."""
    if table.phase == PLAY:
        return move == TURN_UP and seat.may_turn_up == 1
    for index in range(seat.move_count):
        if nth_move(table, seat, index) == move:
            return True
    return False


@inline_kernel
def move_source(move):
    """Return the source of a `PLAY` move: `HAND`, `OPEN` or `HIDDEN`."""
    return move >> 8


@inline_kernel
def move_kind(table, move):
    """Return the kind of the cards that a move lays."""
    return kind_of(move & 255, table.double)


@kernel
def move_count(table, seat, move):
    """Return how many cards a move of the seat on turn lays."""
    if move_source(move) == HIDDEN:
        return 1
    kind = move_kind(table, move)
    last = (move >> 6) & 3
    count = 0
    for word in range(last + 1):
        moves = seat.hand_moves[word] if move_source(move) == HAND else seat.open_moves[word]
        if word == last:
            moves &= (2 << (move & 63)) - 1
        count += popcount(moves & FIELD[table.double, kind])
    return count
