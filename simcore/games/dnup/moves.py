"""dnup: which moves are legal, in what order they are counted, and the check of one.

An `ACTION` move is a number as in `table`: play, turn, add, take, each by size and then value of
the set. A `PICK` move is the rank of a subset in lexicographic order of the cards.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.dnup.cards import (
    CHOOSE,
    LARGE,
    LARGE_ROW,
    ROW,
    active_cards,
    in_all_rows,
    is_large,
    row_of,
    row_starts,
    value_of,
)
from simcore.games.dnup.deck import VALUES
from simcore.games.dnup.table import ADD, MAX_MOVES, NO_PLACE, PASS, PICK, PLACES, PLAY, TAKE, TURN
from simcore.jit import inline_kernel, kernel
from simcore.vectors import choose
from simcore.wide import nth_place

NO_SET = -1 << 63
"""A bit that stands after all sets of a chart, for an action that is about none."""


@inline_kernel
def find_moves(table, seat):
    """Find the legal moves of the seat on turn [C26] and return how many there are.

    They are noted in its record: `plays`, `adds`, `takes`, `large`, or `pick_cards` and
    `pick_count`; and `move_count`.

    Actions [R7]: a set of the hand may be laid unless one of its size lies with the same or a
    higher value [R9] [C8] [C20]; a set of somebody else may grow by a card of the hand unless that
    makes it meet such a set [R10] [C11] [C21]; any set of somebody else may be taken [R11], and the
    hand may be turned [R12], so that nobody is ever without a move [C7], but by a house rule [H4].
    That a seat is out matters not [C12].
    """
    if table.phase == PICK:
        return find_picks(table, seat)
    if is_large(seat.active | table.laid):
        return find_large_actions(table, seat)
    own = table.set_bit[table.place ^ table.area_step]
    plays, adds, takes = action_masks(table, seat.active, own, table.laid)
    seat.large = 0
    seat.plays, seat.adds, seat.takes = plays, adds, takes
    seat.move_count = count_actions(table, plays, adds, takes)
    return seat.move_count


@inline_kernel
def action_masks(table, active, own, laid):
    """Return the sets that may be played, added to and taken, as bits of a chart; none is large.

    `active` is the chart of the hand, `own` the own set in the other area. They may be of one
    match, or of each lane (`simcore.wide`).
    """
    # In each row: the bits from the first up to that of the set which lies there, or below [H5].
    beaten = (laid << table.strictly) - row_starts(laid)
    others = laid ^ own
    plays = active & ~beaten
    adds = others & in_all_rows(active & ROW) & ~(beaten >> VALUES)
    return plays, adds, others & table.may_take


@inline_kernel
def count_actions(table, plays, adds, takes):
    """Return how many actions these are, with turning the hand if that is allowed [H4]."""
    return popcount(plays) + popcount(adds) + popcount(takes) + table.may_turn


@kernel
def find_large_actions(table, seat):
    """Find the legal actions by looking at each, and list them.

    The masks name those on sets below `LARGE`.
    """
    seat.large = 1
    seat.plays = seat.adds = seat.takes = 0
    seat.moves[0] = PASS  # [H4]
    most = 1
    for value in range(1, VALUES + 1):
        most = max(most, popcount(active_cards(table, seat, value)))
    for place in range(PLACES):
        most = max(most, popcount(table.set_cards[place]))
    count = 0
    for kind in (PLAY, TURN, ADD, TAKE):
        for move in range(kind, kind + (1 if kind == TURN else VALUES * most)):
            if is_legal_action(table, seat, move):
                seat.moves[count] = move
                count += 1
                if kind != TURN and move - kind < LARGE_ROW:
                    bit = np.int64(1) << (move - kind)
                    seat.plays |= bit if kind == PLAY else 0
                    seat.adds |= bit if kind == ADD else 0
                    seat.takes |= bit if kind == TAKE else 0
    seat.move_count = count
    return count


@kernel
def is_legal_action(table, seat, move):
    """Tell whether an action is legal, by counting cards."""
    if move == TURN:
        return table.may_turn != 0
    if move < PLAY or (TURN < move < ADD):
        return False
    if move < TURN:
        size = row_of(move) + 1
        value = value_of(move)
        return popcount(active_cards(table, seat, value)) >= size and may_lie(table, value, size)
    what = move - TAKE if move >= TAKE else move - ADD
    if (table.laid >> min(what, LARGE_ROW)) & 1 == 0:
        return False
    size = row_of(what) + 1
    value = value_of(what)
    place = place_of_large_set(table, size)
    if place == NO_PLACE or table.set_value[place] != value:
        return False
    if place == table.place ^ table.area_step:
        return False
    if move >= TAKE:
        return table.may_take != 0
    return active_cards(table, seat, value) != 0 and may_lie(table, value, size + 1)


@kernel
def may_lie(table, value, size):
    """Tell whether a set may come to lie: none of its size has the same [H5] or a higher value."""
    place = place_of_large_set(table, size)
    return place == NO_PLACE or table.set_value[place] + table.strictly <= value


@inline_kernel
def place_of_set(table, size):
    """Return the place of the set of a size, or `NO_PLACE`; there is one at most [C9]."""
    if size >= LARGE or is_large(table.laid):
        return place_of_large_set(table, size)
    if set_of_row(table.laid, size - 1):
        return table.place_of_row[np.uint32(size - 1)]
    return np.uint32(NO_PLACE)


@inline_kernel
def set_of_row(laid, row):
    """Return the set of `row` + 1 cards among those that lie, as a bit; there is one at most."""
    return laid & (ROW << (VALUES * row))


@kernel
def place_of_large_set(table, size):
    """Return the place of the set of a size, or `NO_PLACE`, by counting cards."""
    for place in range(PLACES):
        if table.set_cards[place] and popcount(table.set_cards[place]) == size:
            return np.uint32(place)
    return np.uint32(NO_PLACE)


@inline_kernel
def find_picks(table, seat):
    """Find the subsets of the cards that may be picked; see `find_moves`."""
    what, count = cards_needed(table.pending)
    seat.pick_cards = active_cards(table, seat, value_of(what))
    seat.pick_count = count
    seat.move_count = CHOOSE[popcount(seat.pick_cards), seat.pick_count]
    return seat.move_count


@inline_kernel
def cards_needed(move):
    """Return the set in question of an action A or B, and how many cards leave the hand."""
    if move < TURN:
        return move - PLAY, row_of(move - PLAY) + 1
    return move - ADD, np.int64(1)


@inline_kernel
def nth_move(table, seat, index):
    """Return the legal move number `index` (0 ≤ index < `move_count`) of the seat on turn [C27].

    The moves must have been found.
    """
    if table.phase == PICK:
        return np.int64(index)
    if seat.large:
        return np.int64(seat.moves[index])
    return move_of(table, nth_action(table, seat.plays, seat.adds, seat.takes, index))


@inline_kernel
def nth_action(table, plays, adds, takes, index):
    """Return the action number `index` of those found: plays, turn, adds, takes [C27].

    Of one match, or of each lane: the set in question, none where the hand is turned or a seat
    passes [H4], and whether it is played, added to and taken.
    """
    turn = index - popcount(plays)
    add = turn - table.may_turn
    take = add - popcount(adds)
    is_take = (take >= 0) & (takes != 0)
    is_add = (add >= 0) & (take < 0)
    sets = choose(is_take, takes, choose(is_add, adds, plays | NO_SET))
    place = nth_place(sets, choose(is_take, take, choose(is_add, add, index)))
    return place, turn < 0, is_add, is_take


@inline_kernel
def move_of(table, parts):
    """Return the number of an action by its parts, which `nth_action` returns."""
    what, is_play, is_add, is_take = parts
    if is_play:
        return PLAY + what
    if is_add:
        return ADD + what
    if is_take:
        return TAKE + what
    return np.int64(TURN if table.may_turn else PASS)


@inline_kernel
def parts_of(move):
    """Return the parts of the action of each lane."""
    is_play, is_take = move < TURN, move >= TAKE
    is_add = (move > TURN) & ~is_take
    what = move - choose(is_take, TAKE, choose(is_add, ADD, PLAY))
    return choose(move == TURN, VALUES * LARGE, what), is_play, is_add, is_take


@inline_kernel
def random_move(table, seat):
    """Choose one of the legal moves, each with the same probability."""
    return nth_move(table, seat, rng.below(seat.rng, seat.move_count))


@kernel
def legal_moves(table, seat):
    """Write the legal moves, in their order, to `seat.moves` and return how many there are.

    The moves must have been found. No more than `MAX_MOVES` are written.
    """
    for index in range(min(seat.move_count, MAX_MOVES)):
        seat.moves[index] = nth_move(table, seat, index)
    return seat.move_count


@inline_kernel
def is_legal(table, seat, move):
    """Tell whether `move` is among the legal moves of the seat on turn, which were found."""
    if table.phase == PICK:
        return 0 <= move < seat.move_count
    if seat.large:
        return is_legal_action(table, seat, move)
    if 0 <= move < LARGE_ROW:
        return (seat.plays >> move) & 1 != 0
    if ADD <= move < ADD + LARGE_ROW:
        return (seat.adds >> (move - ADD)) & 1 != 0
    if TAKE <= move < TAKE + LARGE_ROW:
        return (seat.takes >> (move - TAKE)) & 1 != 0
    return move == TURN and table.may_turn != 0
