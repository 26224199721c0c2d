"""UP & DOWN: which moves are legal, in what order they are counted, and the check of one."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import nth_bit, popcount
from simcore.games.updown.cards import PLACES
from simcore.games.updown.deal import LATER_CARDS
from simcore.games.updown.draws import draw_long
from simcore.games.updown.table import CARD, KEEP, ROLL, USUAL_HAND
from simcore.jit import inline_kernel, kernel
from simcore.vectors import choose


@inline_kernel
def find_moves(table, seat):
    """Find the legal moves of the seat on turn and return how many there are.

    The leader has five [R10] [R11] [C7], before the first trick too [C5], but four without dice
    [H2], and one more who may keep the rules [H3]; whoever chooses a card has the whole hand [R9]
    [C13]. Their number is noted in `move_count`.
    """
    seat.move_count = popcount(seat.hand) if table.phase == CARD else table.changes
    return seat.move_count


@inline_kernel
def nth_move(table, seat, index):
    """Return the legal move number `index` (0 ≤ index < `move_count`) of the seat on turn.

    Order: turn over, rotate by one, two, three quarters, roll, keep; cards by colour, then value.
    """
    if table.phase == CARD:
        return nth_bit(seat.hand, index)
    return nth_change(index, table.keep)


@inline_kernel
def nth_change(index, keep):
    """Return a leader's move by its number; `keep` is that of `KEEP`, or -1."""
    return choose(index == keep, KEEP, index)


@inline_kernel
def random_move(table, seat):
    """Return one of the legal moves, each with the same probability; draws from the seat's stream.

    For policies. The built-in policy `random` has drawn all of its round beforehand and takes
    `next_random_move`.
    """
    return nth_move(table, seat, rng.below(seat.rng, seat.move_count))


@inline_kernel
def next_random_move(table, seat):
    """Return one of the legal moves, each with the same probability, of what was drawn for a round.

    See `deal.open_seat`.
    """
    count = seat.move_count
    if table.phase == CARD:
        if count == LATER_CARDS and table.hand_size > USUAL_HAND:
            seat.rng[0] = seat.later
        index, fraction = draw_long(np.int64(seat.rng[0]), count)
        seat.rng[0] = np.uint64(fraction)
        return nth_bit(seat.hand, index)
    index, fraction = draw_long(np.int64(seat.rng[1]), count)
    seat.rng[1] = np.uint64(fraction)
    return nth_change(index, table.keep)


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
        return 0 <= move <= PLACES and (seat.hand >> (move & PLACES)) & 1 != 0
    is_roll = move == ROLL and table.dice != 0
    return 0 <= move < ROLL or is_roll or (move == KEEP and table.keep >= 0)
