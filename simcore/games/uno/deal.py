"""UNO: the start of a match and of a round: deal, first card, its effect."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.uno.cards import DRAW_TWOS, REVERSES, SKIPS, WILD, WILD_DRAW_FOUR, put
from simcore.games.uno.orders import note_numbers, open_orders
from simcore.games.uno.stock import all_held, cards_not_held, fill_stock, shuffle_some
from simcore.games.uno.table import BY_SEAT, COLOUR, METRIC, NEVER, NOBODY, PLAY
from simcore.games.uno.turns import begin_turn, press, seat_after
from simcore.jit import inline_kernel, kernel
from simcore.match import begin_match


@kernel
def start_match(table, box, seed, match):
    """Make the records ready for a match; the first dealer is drawn [R2] [C1]."""
    begin_match(table, box, seed, match)
    rng.open_stream(box.chance_rng, box.seed, box.key, 0, rng.MATCH)
    table.dealer = rng.below(box.chance_rng, table.players)
    table.first_seat = table.dealer + 1 if table.dealer + 1 < table.players else 0
    table.metrics[METRIC.clauses] |= table.sure_clauses


@kernel
def start_round(table, box):
    """Pass the deal clockwise [C1], deal, and turn up the first card."""
    if table.round_number > 0:
        table.dealer = table.dealer + 1 if table.dealer + 1 < table.players else 0
    table.round_number += 1
    open_streams(table, box)
    table.reversals = 0  # clockwise again [C22]
    table.turns = 0
    table.opening = 0
    table.opening_reversals = 0
    table.layer = NOBODY
    table.due = 0
    table.stack = 0
    table.laid = 0
    table.last_idle_turn = -1
    table.stock_size = 0
    while not can_turn_up(table, box):
        fill_stock(table, box)
        shuffle_some(box, table.hand_size * table.players + 1)
        deal(table, box)
    turn_up(table, box)


@inline_kernel
def open_streams(table, box):
    """Set all random streams to their start for this round."""
    number = table.round_number
    rng.open_stream(box.deal_rng, box.seed, box.key, number, rng.DEAL)
    if table.may_forget:
        rng.open_stream(box.chance_rng, box.seed, box.key, number, rng.CHANCE)
    for seat in range(table.players):
        purpose = rng.FIRST_SEAT_STREAM + seat
        rng.open_stream(box.seats[seat].rng, box.seed, box.key, number, purpose)


@inline_kernel
def deal(table, box):
    """Deal to each player, who hold nothing else [R3] [C23] [H1]."""
    size = table.deck_size
    hand_size = table.hand_size
    for step in range(table.players):
        index = table.dealer + 1 + step
        if index >= table.players:
            index -= table.players
        hand = np.int64(0)
        doubles = np.int64(0)
        pairs = np.int64(0)
        for _ in range(hand_size):
            size -= 1
            kind = np.int64(box.stock[np.uint32(size)])
            hand, doubles, pairs = put(hand, doubles, pairs, np.int64(1) << kind)
        seat = box.seats[np.uint32(index)]
        seat.hand = hand
        seat.doubles = doubles
        seat.pairs = pairs
        seat.shown_seat = NOBODY
        table.cards[np.uint32(index)] = hand_size
        table.drew_on[np.uint32(index)] = NEVER
        table.last_laid[np.uint32(index)] = NEVER
    table.stock_size = size


@inline_kernel
def can_turn_up(table, box):
    """Tell whether a card is left that may be turned up; if not all are dealt anew [C33]."""
    for place in range(table.stock_size - 1, -1, -1):
        if box.stock[np.uint32(place)] != WILD_DRAW_FOUR:
            return True
    return False


@inline_kernel
def turn_up(table, box):
    """Turn up the first card [R3] and carry out what it does [R4].

    A wild draw four goes back, and another card is turned up from the same stock [R14] [C21].
    """
    size = table.stock_size - 1
    while box.stock[np.uint32(size)] == WILD_DRAW_FOUR:
        place = np.uint32(rng.below(box.deal_rng, size + 1))
        box.stock[np.uint32(size)] = box.stock[place]
        box.stock[place] = WILD_DRAW_FOUR
    kind = np.int64(box.stock[np.uint32(size)])
    table.stock_size = size
    table.stocked = size
    table.discards = np.int64(1) << kind
    table.discard_doubles = 0
    table.discard_pairs = 0
    table.top = np.uint32(kind)
    if box.coupling == BY_SEAT:
        note_numbers(table, box, *cards_not_held(table, all_held(table, box, kind)))
        open_orders(table, box, 0)
    left = seat_after(table, table.dealer, 1)
    table.seat = left
    table.phase = PLAY
    if kind == WILD:
        table.opening = 1  # the left neighbour names the colour [R13]
        table.phase = COLOUR
    elif (REVERSES >> kind) & 1:
        table.reversals = 1  # the dealer begins, then the right neighbour [R11] [C5]
        table.opening_reversals = 1
        begin_turn(table, np.uint32(table.dealer))
    elif (SKIPS >> kind) & 1:
        begin_turn(table, seat_after(table, left, 1))  # [R12]
    elif (DRAW_TWOS >> kind) & 1:
        press(table, box, left, np.int64(1) << kind)  # [R10]
    else:
        begin_turn(table, left)  # [R5]
