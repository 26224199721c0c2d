"""UNO: a round put from the records into a lane and back, and what a lane lacks (see `lanes`)."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import lowest_bit
from simcore.games.uno import table as uno
from simcore.games.uno.cards import COLOUR_CARDS as CARDS_OF
from simcore.games.uno.cards import (
    DRAW_FOUR_NAMED,
    FACES,
    WILD,
    WILD_DRAW_FOUR,
    WILD_NAMED,
    size_of,
)
from simcore.games.uno.cards import PLAYABLE as PLAYABLE_ON
from simcore.games.uno.choice import NO_PAIRS, colour_drawn_on, colour_laid, counts_of
from simcore.games.uno.lane_cards import find_card, search_number
from simcore.games.uno.lane_rows import (
    ALL_KNOWN,
    ASIDE0,
    ASIDE1,
    ASKED,
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
    DRAWS_ON,
    DREW,
    EXTRAS,
    FOLLOWING,
    FOURS,
    HAND,
    HANDS,
    HELD,
    HITTING,
    JUMPED,
    JUMPS,
    LAID,
    LARGEST,
    LEFT0,
    LEFT1,
    LOOSE,
    NOTHING,
    NUMBER,
    ORDINARY,
    OTHERS,
    PAIRS,
    PENDING,
    PLAYABLE,
    PRESSED,
    REVERSALS,
    SEAT,
    SEEN,
    SIZE,
    STATE,
    SWAPPED,
    SWAPS,
    TOP,
    TURNS,
    UNKNOWN,
    URGENT,
    WORD0,
    WORD1,
    has_more,
)
from simcore.games.uno.play import note_idle_turn
from simcore.games.uno.stock import card_on_top, only, put_back, shuffle_some, with_hand
from simcore.games.uno.table import BY_SEAT, JUMP, NEVER, STACK, SWAP
from simcore.games.uno.turns import note_clauses, seat_after
from simcore.jit import inline_kernel, kernel
from simcore.match import aside_stream
from simcore.transpose import WORDS

MANY = 0xC000_C000 | 0xE0 << FOURS
"""Bits of `COUNTS`: with one of them set, what is counted until a stock is empty might not fit."""

MANY_EXTRAS = 0xC000 | 0xC000 << JUMPED
"""The same of `EXTRAS`."""

_FIRST_COIN = np.uint64(1 << 63)


@kernel
def load(table, box, work, lane, dials):
    """Put a round, at the start of a turn, into a lane."""
    lanes = work.lanes
    at = work.column + lane
    drew = laid = np.int64(0)
    for seat in range(table.players):
        work.seats[lane, seat, HAND] = box.seats[seat].hand
        work.seats[lane, seat, DOUBLES] = box.seats[seat].doubles
        work.seats[lane, seat, WORD0] = np.int64(box.seats[seat].rng[0])
        work.seats[lane, seat, WORD1] = np.int64(box.seats[seat].rng[1])
        if len(dials.wide):
            work.more[lane, seat, PAIRS - ASIDE0] = box.seats[seat].pairs
        if len(dials.jumps):
            lanes[HANDS + seat, at] = box.seats[seat].hand
        drew |= colour_drawn_on(table, seat) << 4 * seat
        laid |= colour_laid(table.last_laid[seat]) << 4 * seat
    lanes[DREW, at], lanes[LAID, at] = drew, laid
    lanes[CARDS, at] = counts_of(table)
    lanes[SEAT, at] = lanes[HELD, at] = table.seat
    lanes[PENDING, at] = 0
    lanes[TURNS, at] = table.turns
    lanes[REVERSALS, at] = table.reversals
    lanes[PLAYABLE, at] = PLAYABLE_ON[table.top]
    lanes[COLOUR_CARDS, at] = CARDS_OF[table.top]
    lanes[TOP, at] = np.int64(1) << card_on_top(table)
    lanes[COUNTS, at] = 0
    lanes[SEEN, at] = 0
    lanes[COMPELLED, at] = 0
    lanes[STATE, at] = ORDINARY
    lanes[EXTRAS, at] = lanes[LARGEST, at] = 0
    lanes[BUSY, at] = -1
    work.loaded[lane] = table.turns
    toss(table, box, work, lane, dials)
    load_stock(table, box, work, lane)
    fetch(box, work, lane, dials)


@inline_kernel
def load_stock(table, box, work, lane):
    """Put what a lane knows of the stock into it."""
    lanes = work.lanes
    at = work.column + lane
    lanes[SIZE, at] = table.stock_size
    lanes[LOOSE, at] = box.loose if box.coupling != BY_SEAT else ALL_KNOWN
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
def unload(table, box, work, lane, dials):
    """Put a lane's round, at a decision, back into the records."""
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
        if len(dials.wide):
            holder.pairs = work.more[lane, seat, PAIRS - ASIDE0]
        if has_more(dials) and work.more_tactics[seat, 0] == -1:
            box.aside_rng[seat, 0] = np.uint64(work.more[lane, seat, 0])
            box.aside_rng[seat, 1] = np.uint64(work.more[lane, seat, ASIDE1 - ASIDE0])
        table.cards[seat] = size_of(holder.hand, holder.doubles, holder.pairs)
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
    book(table, work, lane, dials)
    table.metrics[uno.METRIC.forced] += table.turns - work.loaded[lane] + lanes[COMPELLED, at]
    if lanes[STATE, at] != ORDINARY:
        table.metrics[uno.METRIC.forced] += 1  # The turn was taken.
        unload_state(table, lanes, at)
    table.laid = 1  # Or no coloured card lies on top but that of the start.


@inline_kernel
def unload_state(table, lanes, at):
    """Put into the records which decision is due that is no turn."""
    state = lanes[STATE, at]
    if state == PRESSED:
        table.phase = STACK
        table.due = lanes[PENDING, at]
        table.stack = 1
    elif state == JUMPS:
        table.phase = JUMP
        table.following, table.asked = lanes[FOLLOWING, at], lanes[ASKED, at]
    elif state == SWAPS:
        table.phase = SWAP
        table.following = seat_after(table, table.seat, 1)


@inline_kernel
def fetch(box, work, lane, dials):
    """Write what the seat on turn has to its rows, and the next card of the stock."""
    lanes = work.lanes
    at = work.column + lane
    seat = np.uint32(lanes[SEAT, at])
    for word in range(WORDS):
        lanes[HAND + word, at] = work.seats[lane, seat, word]
        lanes[URGENT + word, at] = work.tactics[seat, word]
        lanes[HITTING + word, at] = work.more_tactics[seat, word]
        if has_more(dials):
            lanes[ASIDE0 + word, at] = work.more[lane, seat, word]
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
        lanes[CARD, at] = UNKNOWN
        if lanes[SIZE, at] > 0:
            search_number(lanes, at, box)
    else:
        find_card(lanes, at, box)


@kernel
def restock(table, box, work, lane, dials):
    """Prepare the stock of a lane that is to draw a card which is not known.

    Return whether the lane can go on by itself.
    """
    lanes = work.lanes
    at = work.column + lane
    empty = lanes[SIZE, at] == 0
    if empty:
        renew(table, box, work, lane, dials)
    if box.coupling != BY_SEAT:
        shuffle_some(box, min(box.loose, work.piece))
        lanes[LOOSE, at] = box.loose
    fetch_card(box, work, lane)
    if not empty or table.stock_size > 0:
        return True
    if len(dials.until) and lanes[STATE, at] == DRAWS_ON:
        pass  # It has drawn some card.
    elif lanes[PENDING, at] == 0:
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
def renew(table, box, work, lane, dials):
    """Do what `stock.renew_stock` does, from what a lane holds."""
    lanes = work.lanes
    at = work.column + lane
    if lanes[COUNTS, at] & MANY or (has_more(dials) and lanes[EXTRAS, at] & MANY_EXTRAS):
        book(table, work, lane, dials)
    held = only(lanes[TOP, at])
    for seat in range(table.players):
        pairs = work.more[lane, seat, PAIRS - ASIDE0] if len(dials.wide) else NO_PAIRS
        held = with_hand(held, work.seats[lane, seat, HAND], work.seats[lane, seat, DOUBLES], pairs)
    put_back(table, box, held)
    load_stock(table, box, work, lane)


@inline_kernel
def toss(table, box, work, lane, dials):
    """Toss a coin for every seat's next decision aside, where a round is put into a lane.

    Or put the streams into the lane, where there is more to decide.
    """
    if has_more(dials):
        for seat in range(table.players):
            if work.more_tactics[seat, 0] == -1:
                stream = aside_stream(table, box, seat)
                work.more[lane, seat, 0] = np.int64(stream[0])
                work.more[lane, seat, ASIDE1 - ASIDE0] = np.int64(stream[1])
        return
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
def book(table, work, lane, dials):
    """Add what was counted in a lane to the metrics of the match."""
    lanes = work.lanes
    at = work.column + lane
    counts = np.uint64(lanes[COUNTS, at])
    lanes[COUNTS, at] = 0
    chosen = np.int64(counts & np.uint64(0xFFFF))
    others = np.int64((counts >> np.uint64(OTHERS)) & np.uint64(0xFFFF))
    fours = np.int64((counts >> np.uint64(FOURS)) & np.uint64(0xFF))
    table.metrics[uno.METRIC.decisions] += chosen + others
    table.metrics[uno.METRIC.forced] -= chosen  # All turns are added when the lane is unloaded.
    table.metrics[uno.METRIC.wild_draw_fours] += fours
    table.metrics[uno.METRIC.bluffs] += np.int64((counts >> np.uint64(BLUFFS)) & np.uint64(0xFF))
    doubts = np.int64((counts >> np.uint64(DOUBTS)) & np.uint64(0xFF))
    caught = np.int64(counts >> np.uint64(CAUGHT))
    table.metrics[uno.METRIC.challenges] += doubts
    table.metrics[uno.METRIC.caught] += caught
    clauses = lanes[SEEN, at]
    if fours:
        clauses |= uno.CLAUSE.draw_four_cards | (0 if table.stacking else uno.CLAUSE.challenge)
    if doubts > caught:
        clauses |= uno.CLAUSE.challenge_penalty
    note_clauses(table, clauses)
    if has_more(dials):
        book_extras(table, lanes, at)


@inline_kernel
def book_extras(table, lanes, at):
    """Add what was counted of house rules."""
    extras = lanes[EXTRAS, at]
    lanes[EXTRAS, at] = 0
    swaps = extras >> SWAPPED
    table.metrics[uno.METRIC.stacks] += extras & 0xFFFF
    table.metrics[uno.METRIC.jump_ins] += (extras >> JUMPED) & 0xFFFF
    table.metrics[uno.METRIC.swaps] += swaps
    largest = max(table.metrics[uno.METRIC.largest_stack], lanes[LARGEST, at])
    table.metrics[uno.METRIC.largest_stack] = largest
    if swaps:
        table.metrics[uno.METRIC.clauses] |= uno.CLAUSE.seven_zero
