"""UNO: a round put from the records into a lane and back, and what a lane lacks (see `lanes`)."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import lowest_bit, popcount
from simcore.games.uno import table as uno
from simcore.games.uno.cards import (
    COLOUR_CARDS as CARDS_OF,
)
from simcore.games.uno.cards import (
    DRAW_FOUR_CARD,
    DRAW_FOUR_NAMED,
    DRAW_TWOS,
    FACES,
    WILD,
    WILD_DRAW_FOUR,
    WILD_NAMED,
)
from simcore.games.uno.cards import (
    PLAYABLE as PLAYABLE_ON,
)
from simcore.games.uno.choice import NO_PAIRS, colour_drawn_on, colour_of, counts_of
from simcore.games.uno.lane_cards import find_card, look_for_number, search_number
from simcore.games.uno.lane_rows import (
    BLUFFS,
    BUSY,
    CARD,
    CARDS,
    CAUGHT,
    COINS,
    COLOUR_CARDS,
    COMPELLED,
    COUNTS,
    DOUBLES,
    DOUBTS,
    DRAW0,
    DRAW1,
    DREW,
    FOURS,
    HAD_TO_LAY,
    HAND,
    HELD,
    HITTING,
    LAID,
    LEFT0,
    LEFT1,
    LOOSE,
    NOT_LAST,
    NOTHING,
    NUMBER,
    OTHERS,
    PENDING,
    PLAYABLE,
    REVERSALS,
    SEAT,
    SEEN,
    SIZE,
    TOP,
    TURNS,
    URGENT,
    WORD0,
    WORD1,
)
from simcore.games.uno.orders import open_orders
from simcore.games.uno.play import note_idle_turn
from simcore.games.uno.stock import card_on_top, only, put_back, shuffle_some, with_hand
from simcore.games.uno.table import BY_SEAT, NEVER
from simcore.games.uno.turns import note_dials
from simcore.jit import inline_kernel, kernel
from simcore.match import aside_stream
from simcore.transpose import WORDS

MANY = 0xC000_C000 | 0xE0 << FOURS
"""Bits of `COUNTS`: with one of them set, what is counted until a stock is empty might not fit."""

_FIRST_COIN = np.uint64(1 << 63)


@kernel
def load(table, box, work, lane):
    """Put a round, at the start of a turn, into a lane."""
    lanes = work.lanes
    at = work.column + lane
    drew = laid = np.int64(0)
    for seat in range(table.players):
        work.seats[lane, seat, HAND] = box.seats[seat].hand
        work.seats[lane, seat, DOUBLES] = box.seats[seat].doubles
        work.seats[lane, seat, WORD0] = np.int64(box.seats[seat].rng[0])
        work.seats[lane, seat, WORD1] = np.int64(box.seats[seat].rng[1])
        drew |= colour_drawn_on(table, seat) << 4 * seat
        if table.last_laid[seat] < WILD:
            laid |= np.int64(1) << (4 * seat + colour_of(np.int64(table.last_laid[seat])))
    lanes[DREW, at], lanes[LAID, at] = drew, laid
    lanes[CARDS, at] = counts_of(table)
    lanes[SEAT, at] = table.seat
    lanes[PENDING, at] = 0
    lanes[TURNS, at] = table.turns
    lanes[REVERSALS, at] = table.reversals
    lanes[PLAYABLE, at] = PLAYABLE_ON[table.top]
    lanes[COLOUR_CARDS, at] = CARDS_OF[table.top]
    lanes[TOP, at] = np.int64(1) << card_on_top(table)
    lanes[COUNTS, at] = 0
    lanes[SEEN, at] = 0
    lanes[COMPELLED, at] = 0
    lanes[BUSY, at] = -1
    work.loaded[lane] = table.turns
    toss(table, box, work, lane)
    load_stock(table, box, work, lane)
    fetch(box, work, lane)


@inline_kernel
def load_stock(table, box, work, lane):
    """Put what a lane knows of the stock into it."""
    lanes = work.lanes
    at = work.column + lane
    lanes[SIZE, at] = table.stock_size
    lanes[LOOSE, at] = box.loose
    if box.coupling == BY_SEAT:
        lanes[LEFT0, at], lanes[LEFT1, at] = box.left[0], box.left[1]
        for seat in range(table.players):
            load_order(box, work, lane, seat)


@inline_kernel
def load_order(box, work, lane, seat):
    """Put into a lane how far a seat has come in its order."""
    work.orders[lane, seat, 0] = np.int64(box.draw_rng[seat, 0])
    work.orders[lane, seat, DRAW1 - DRAW0] = np.int64(box.draw_rng[seat, 1])
    work.orders[lane, seat, NUMBER - DRAW0] = box.numbers[seat]


@inline_kernel
def unload_order(box, work, lane, seat):
    """Put back into the records how far a seat has come in its order."""
    box.draw_rng[seat, 0] = np.uint64(work.orders[lane, seat, 0])
    box.draw_rng[seat, 1] = np.uint64(work.orders[lane, seat, DRAW1 - DRAW0])
    box.numbers[seat] = work.orders[lane, seat, NUMBER - DRAW0]


@kernel
def unload(table, box, work, lane):
    """Put a lane's round, at the start of a turn, back into the records."""
    lanes = work.lanes
    at = work.column + lane
    table.stock_size = lanes[SIZE, at]
    if box.coupling == BY_SEAT:
        box.loose = table.stock_size
        box.left[0], box.left[1] = lanes[LEFT0, at], lanes[LEFT1, at]
        for seat in range(table.players):
            unload_order(box, work, lane, seat)
    for seat in range(table.players):
        holder = box.seats[seat]
        holder.hand = work.seats[lane, seat, HAND]
        holder.doubles = work.seats[lane, seat, DOUBLES]
        table.cards[seat] = popcount(holder.hand) + popcount(holder.doubles)
        holder.rng[0] = np.uint64(work.seats[lane, seat, WORD0])
        holder.rng[1] = np.uint64(work.seats[lane, seat, WORD1])
        drew = (lanes[DREW, at] >> 4 * seat) & 0b1111
        laid = (lanes[LAID, at] >> 4 * seat) & 0b1111
        table.drew_on[seat] = WILD_NAMED + lowest_bit(drew) if drew else NEVER
        table.last_laid[seat] = FACES * lowest_bit(laid) if laid else NEVER
    top = lowest_bit(lanes[TOP, at])
    if top >= WILD:
        colour = lowest_bit(lanes[COLOUR_CARDS, at]) // FACES
        top = colour + (DRAW_FOUR_NAMED if top == WILD_DRAW_FOUR else WILD_NAMED)
    table.top = np.uint32(top)
    table.seat = np.uint32(lanes[SEAT, at])
    table.turns = lanes[TURNS, at]
    table.reversals = lanes[REVERSALS, at]
    book(table, work, lane)
    table.metrics[uno.FORCED] += table.turns - work.loaded[lane] + lanes[COMPELLED, at]


@inline_kernel
def fetch(box, work, lane):
    """Write what the seat on turn has to its rows, and the next card of the stock."""
    lanes = work.lanes
    at = work.column + lane
    seat = np.uint32(lanes[SEAT, at])
    for word in range(WORDS):
        lanes[HAND + word, at] = work.seats[lane, seat, word]
        lanes[URGENT + word, at] = work.tactics[seat, word]
        lanes[HITTING + word, at] = work.more_tactics[seat, word]
    fetch_card(box, work, lane)


@inline_kernel
def fetch_card(box, work, lane):
    """Write the next card of the stock to a lane."""
    lanes = work.lanes
    at = work.column + lane
    if box.coupling == BY_SEAT:
        seat = np.uint32(lanes[SEAT, at])
        for word in range(WORDS):
            lanes[DRAW0 + word, at] = work.orders[lane, seat, word]
        if look_for_number(lanes, at):
            search_number(lanes, at, box)
    else:
        find_card(lanes, at, box)


@kernel
def restock(table, box, work, lane):
    """Prepare the stock of a lane that is to draw a card which is not known.

    Return whether the lane can go on by itself.
    """
    lanes = work.lanes
    at = work.column + lane
    empty = lanes[SIZE, at] == 0
    if empty:
        renew(table, box, work, lane)
    if box.coupling != BY_SEAT:
        shuffle_some(box, min(box.loose, work.piece))
    lanes[LOOSE, at] = box.loose
    fetch_card(box, work, lane)
    if not empty or table.stock_size > 0:
        return True
    if lanes[PENDING, at] == 0:
        table.turns = lanes[TURNS, at]
        idle = table.idle_turns + 1 if table.last_idle_turn == table.turns - 1 else 1
        if idle >= table.players:
            return False
        note_idle_turn(table)
    else:
        # Nor is there any of the other cards that it is made to draw.
        box.renewals += lanes[PENDING, at] - 1
        lanes[PENDING, at] = 1
    lanes[SIZE, at] = 1  # Instead of a card the seat draws nothing.
    lanes[CARD, at] = NOTHING
    return True


@inline_kernel
def renew(table, box, work, lane):
    """Do what `stock.renew_stock` does, from what a lane holds."""
    lanes = work.lanes
    at = work.column + lane
    if lanes[COUNTS, at] & MANY:
        book(table, work, lane)
    held = only(lanes[TOP, at])
    for seat in range(table.players):
        held = with_hand(
            held, work.seats[lane, seat, HAND], work.seats[lane, seat, DOUBLES], NO_PAIRS
        )
    put_back(table, box, held)
    if box.coupling == BY_SEAT:
        open_orders(table, box, box.renewals + 1)
    load_stock(table, box, work, lane)


@inline_kernel
def toss(table, box, work, lane):
    """Toss a coin for every seat's next decision aside, where a round is put into a lane."""
    coins = np.int64(0)
    for seat in range(table.players if table.challenge else 0):
        if work.more_tactics[seat, 0] == -1:
            coins |= coin_of(aside_stream(table, box, seat), seat)
    work.lanes[COINS, work.column + lane] = coins


@inline_kernel
def toss_again(table, box, work, lane):
    """Toss another coin for the seat that used its one in the last step."""
    at = work.column + lane
    seat = work.lanes[HELD, at]
    stream = aside_stream(table, box, seat)
    rng.next_word(stream)
    coins = work.lanes[COINS, at] & ~np.int64(_FIRST_COIN >> np.uint64(seat))
    work.lanes[COINS, at] = coins | coin_of(stream, seat)


@inline_kernel
def coin_of(stream, seat):
    """Return what `rng.below(stream, 2)` will be, as the seat's bit; nothing is drawn yet."""
    coin = rng.step(stream[0], stream[1])[0] >> np.uint64(63)
    return np.int64(coin << np.uint64(63 - seat))


@inline_kernel
def book(table, work, lane):
    """Add what was counted in a lane to the metrics of the match."""
    lanes = work.lanes
    at = work.column + lane
    counts = np.uint64(lanes[COUNTS, at])
    lanes[COUNTS, at] = 0
    chosen = np.int64(counts & np.uint64(0xFFFF))
    others = np.int64((counts >> np.uint64(OTHERS)) & np.uint64(0xFFFF))
    fours = np.int64((counts >> np.uint64(FOURS)) & np.uint64(0xFF))
    table.metrics[uno.DECISIONS] += chosen + others
    table.metrics[uno.FORCED] -= chosen  # All turns are added when the lane is unloaded.
    table.metrics[uno.WILD_DRAW_FOURS] += fours
    table.metrics[uno.BLUFFS] += np.int64((counts >> np.uint64(BLUFFS)) & np.uint64(0xFF))
    doubts = np.int64((counts >> np.uint64(DOUBTS)) & np.uint64(0xFF))
    caught = np.int64(counts >> np.uint64(CAUGHT))
    table.metrics[uno.CHALLENGES] += doubts
    table.metrics[uno.CAUGHT] += caught
    seen = lanes[SEEN, at]
    if fours | (seen & DRAW_FOUR_CARD):
        table.metrics[uno.CLAUSES] |= uno.CHALLENGE_CLAUSE
    note_dials(table, seen & DRAW_TWOS, fours, doubts - caught)
    if seen & HAD_TO_LAY:
        table.metrics[uno.CLAUSES] |= uno.MUST_PLAY_CLAUSE
    if seen & NOT_LAST:
        table.metrics[uno.CLAUSES] |= uno.LAST_CARD_CLAUSE
