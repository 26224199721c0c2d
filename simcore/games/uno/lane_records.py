"""UNO: a round put from the records into a lane and back, and what a lane lacks (see `lanes`)."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import lowest_bit
from simcore.games.uno import lane_rows as row
from simcore.games.uno import table as uno
from simcore.games.uno.cards import (
    COLOUR_CARDS,
    DRAW_FOUR_NAMED,
    FACES,
    PLAYABLE,
    WILD,
    WILD_DRAW_FOUR,
    WILD_NAMED,
    WILDS,
    size_of,
)
from simcore.games.uno.choice import NO_PAIRS, colour_drawn_on, colour_laid, counts_of
from simcore.games.uno.lane_cards import find_card, search_number
from simcore.games.uno.lane_rows import has_more
from simcore.games.uno.play import idle_turns, note_idle_turn
from simcore.games.uno.stock import (
    card_on_top,
    cards_not_held,
    cards_of,
    only,
    put_back,
    shuffle_some,
    with_hand,
)
from simcore.games.uno.table import BY_SEAT, JUMP, NEVER, STACK, SWAP
from simcore.games.uno.turns import note_clauses, seat_after
from simcore.jit import inline_kernel, kernel
from simcore.match import aside_stream
from simcore.transpose import WORDS

MANY = 0xC000_C000 | 0xE0 << row.FOURS
"""Bits of `COUNTS`: with one of them set, what is counted until a stock is empty might not fit."""

MANY_EXTRAS = 0xC000 | 0xC000 << row.JUMPED
"""The same of `EXTRAS`."""

_FIRST_COIN = np.uint64(1 << 63)


@kernel
def load(table, box, work, lane, dials):
    """Put a round, at the start of a turn, into a lane."""
    lanes = work.lanes
    at = work.column + lane
    drew = laid = np.int64(0)
    for seat in range(table.players):
        work.seats[lane, seat, row.HAND] = box.seats[seat].hand
        work.seats[lane, seat, row.DOUBLES] = box.seats[seat].doubles
        work.seats[lane, seat, row.WORD0] = np.int64(box.seats[seat].rng[0])
        work.seats[lane, seat, row.WORD1] = np.int64(box.seats[seat].rng[1])
        if len(dials.wide):
            work.more[lane, seat, row.PAIRS - row.ASIDE0] = box.seats[seat].pairs
        if len(dials.jumps):
            lanes[row.HANDS + seat, at] = box.seats[seat].hand
        drew |= colour_drawn_on(table, seat) << 4 * seat
        laid |= colour_laid(table.last_laid[seat]) << 4 * seat
    lanes[row.DREW, at], lanes[row.LAID, at] = drew, laid
    lanes[row.CARDS, at] = counts_of(table)
    lanes[row.SEAT, at] = lanes[row.HELD, at] = table.seat
    lanes[row.PENDING, at] = 0
    lanes[row.TURNS, at] = table.turns
    lanes[row.REVERSALS, at] = table.reversals
    lanes[row.PLAYABLE, at] = PLAYABLE[table.top]
    lanes[row.COLOUR_CARDS, at] = COLOUR_CARDS[table.top]
    lanes[row.TOP, at] = np.int64(1) << card_on_top(table)
    lanes[row.COUNTS, at] = 0
    lanes[row.SEEN, at] = 0
    lanes[row.COMPELLED, at] = 0
    lanes[row.STATE, at] = row.ORDINARY
    lanes[row.EXTRAS, at] = lanes[row.LARGEST, at] = 0
    lanes[row.BUSY, at] = -1
    lanes[row.GONE, at], lanes[row.GONE_TWICE, at] = 0, WILDS
    work.loaded[lane] = table.turns
    toss(table, box, work, lane, dials)
    load_stock(table, box, work, lane)
    fetch(box, work, lane, dials)


@inline_kernel
def load_stock(table, box, work, lane):
    """Put what a lane knows of the stock into it."""
    lanes = work.lanes
    at = work.column + lane
    lanes[row.SIZE, at] = table.stock_size
    lanes[row.LOOSE, at] = box.loose if box.coupling != BY_SEAT else row.ALL_KNOWN
    if box.coupling == BY_SEAT:
        lanes[row.LEFT0, at], lanes[row.LEFT1, at] = box.left[0], box.left[1]
        for seat in range(table.players):
            load_order(box, work, lane, seat)


@inline_kernel
def load_order(box, work, lane, seat):
    """Put into a lane how far a seat has come in its order."""
    work.orders[lane, seat, 0] = np.int64(box.draw_rng[seat, 0])
    work.orders[lane, seat, row.DRAW1 - row.DRAW0] = np.int64(box.draw_rng[seat, 1])
    work.orders[lane, seat, row.NUMBER - row.DRAW0] = box.numbers[seat]


@inline_kernel
def unload_order(box, work, lane, seat):
    """Put back into the records how far a seat has come in its order."""
    box.draw_rng[seat, 0] = np.uint64(work.orders[lane, seat, 0])
    box.draw_rng[seat, 1] = np.uint64(work.orders[lane, seat, row.DRAW1 - row.DRAW0])
    box.numbers[seat] = work.orders[lane, seat, row.NUMBER - row.DRAW0]


@kernel
def unload(table, box, work, lane, dials):
    """Put a lane's round, at a decision, back into the records."""
    lanes = work.lanes
    at = work.column + lane
    table.stock_size = lanes[row.SIZE, at]
    if box.coupling == BY_SEAT:
        box.loose = table.stock_size
        box.left[0], box.left[1] = lanes[row.LEFT0, at], lanes[row.LEFT1, at]
        for seat in range(table.players):
            unload_order(box, work, lane, seat)
    for seat in range(table.players):
        holder = box.seats[seat]
        holder.hand = work.seats[lane, seat, row.HAND]
        holder.doubles = work.seats[lane, seat, row.DOUBLES]
        if len(dials.wide):
            holder.pairs = work.more[lane, seat, row.PAIRS - row.ASIDE0]
        if has_more(dials) and work.more_tactics[seat, 0] == -1:
            box.aside_rng[seat, 0] = np.uint64(work.more[lane, seat, 0])
            box.aside_rng[seat, 1] = np.uint64(work.more[lane, seat, row.ASIDE1 - row.ASIDE0])
        table.cards[seat] = size_of(holder.hand, holder.doubles, holder.pairs)
        holder.rng[0] = np.uint64(work.seats[lane, seat, row.WORD0])
        holder.rng[1] = np.uint64(work.seats[lane, seat, row.WORD1])
        drew = (lanes[row.DREW, at] >> 4 * seat) & 0b1111
        laid = (lanes[row.LAID, at] >> 4 * seat) & 0b1111
        table.drew_on[seat] = WILD_NAMED + lowest_bit(drew) if drew else NEVER
        table.last_laid[seat] = FACES * lowest_bit(laid) if laid else NEVER
    top = lowest_bit(lanes[row.TOP, at])
    if top >= WILD:
        colour = lowest_bit(lanes[row.COLOUR_CARDS, at]) // FACES
        top = colour + (DRAW_FOUR_NAMED if top == WILD_DRAW_FOUR else WILD_NAMED)
    table.top = np.uint32(top)
    table.seat = np.uint32(lanes[row.SEAT, at])
    table.turns = lanes[row.TURNS, at]
    table.reversals = lanes[row.REVERSALS, at]
    book(table, work, lane, dials)
    table.metrics[uno.METRIC.forced] += table.turns - work.loaded[lane] + lanes[row.COMPELLED, at]
    if lanes[row.STATE, at] != row.ORDINARY:
        table.metrics[uno.METRIC.forced] += 1  # The turn was taken.
        unload_state(table, lanes, at)
    table.laid = 1  # Or no coloured card lies on top but that of the start.


@inline_kernel
def unload_state(table, lanes, at):
    """Put into the records which decision is due that is no turn."""
    state = lanes[row.STATE, at]
    if state == row.PRESSED:
        table.phase = STACK
        table.due = lanes[row.PENDING, at]
        table.stack = 1
    elif state == row.JUMPS:
        table.phase = JUMP
        table.following, table.asked = lanes[row.FOLLOWING, at], lanes[row.ASKED, at]
    elif state == row.SWAPS:
        table.phase = SWAP
        table.following = seat_after(table, table.seat, 1)


@inline_kernel
def fetch(box, work, lane, dials):
    """Write what the seat on turn has to its rows, and the next card of the stock."""
    lanes = work.lanes
    at = work.column + lane
    seat = np.uint32(lanes[row.SEAT, at])
    for word in range(WORDS):
        lanes[row.HAND + word, at] = work.seats[lane, seat, word]
        lanes[row.URGENT + word, at] = work.tactics[seat, word]
        lanes[row.HITTING + word, at] = work.more_tactics[seat, word]
        if has_more(dials):
            lanes[row.ASIDE0 + word, at] = work.more[lane, seat, word]
    fetch_card(box, work, lane)


@inline_kernel
def fetch_card(box, work, lane):
    """Write the next card of the stock to a lane."""
    lanes = work.lanes
    at = work.column + lane
    if box.coupling == BY_SEAT:
        seat = np.uint32(lanes[row.SEAT, at])
        for word in range(WORDS):
            lanes[row.DRAW0 + word, at] = work.orders[lane, seat, word]
        lanes[row.CARD, at] = row.UNKNOWN
        if lanes[row.SIZE, at] > 0:
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
    if lanes[row.SIZE, at] == 0:
        renew(table, box, work, lane, dials)
    if lanes[row.SIZE, at] > 0:
        if box.coupling != BY_SEAT:
            shuffle_some(box, min(box.loose, work.piece))
            lanes[row.LOOSE, at] = box.loose
        fetch_card(box, work, lane)
        return True
    if len(dials.until) and lanes[row.STATE, at] == row.DRAWS_ON:
        pass  # It has drawn some card.
    elif lanes[row.PENDING, at] == 0:
        table.turns = lanes[row.TURNS, at]
        if idle_turns(table) >= table.players:
            return False
        note_idle_turn(table)
    else:
        # Nor is there any of the other cards that it is made to draw.
        box.renewals += lanes[row.PENDING, at] - 1
        lanes[row.PENDING, at] = 1
    lanes[row.SIZE, at] = 1  # Instead of a card the seat draws nothing.
    lanes[row.CARD, at] = row.NOTHING
    return True


@inline_kernel
def renew(table, box, work, lane, dials):
    """Do what `stock.renew_stock` does, from what a lane holds."""
    lanes = work.lanes
    at = work.column + lane
    if lanes[row.COUNTS, at] & MANY or (has_more(dials) and lanes[row.EXTRAS, at] & MANY_EXTRAS):
        book(table, work, lane, dials)
    gone, twice = lanes[row.GONE, at], lanes[row.GONE_TWICE, at]
    if twice & WILDS:
        held = only(lanes[row.TOP, at])
        for seat in range(table.players):
            pairs = work.more[lane, seat, row.PAIRS - row.ASIDE0] if len(dials.wide) else NO_PAIRS
            held = with_hand(
                held, work.seats[lane, seat, row.HAND], work.seats[lane, seat, row.DOUBLES], pairs
            )
        cards = cards_not_held(table, held)
    else:
        cards = cards_of(table, gone, twice)
    put_back(table, box, *cards)
    load_stock(table, box, work, lane)
    lanes[row.GONE, at], lanes[row.GONE_TWICE, at] = 0, work.unnoted


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
                work.more[lane, seat, row.ASIDE1 - row.ASIDE0] = np.int64(stream[1])
        return
    coins = np.int64(0)
    for seat in range(0 if table.challenge == uno.BY_NOBODY else table.players):
        if work.more_tactics[seat, 0] == -1:
            coins |= coin_of(aside_stream(table, box, seat), seat)
    work.lanes[row.COINS, work.column + lane] = coins


@inline_kernel
def toss_again(table, box, work, lane):
    """Toss another coin for the seat that used its one in the last step."""
    at = work.column + lane
    seat = work.lanes[row.HELD, at]
    stream = aside_stream(table, box, seat)
    rng.next_word(stream)
    coins = work.lanes[row.COINS, at] & ~np.int64(_FIRST_COIN >> np.uint64(seat))
    work.lanes[row.COINS, at] = coins | coin_of(stream, seat)


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
    counts = np.uint64(lanes[row.COUNTS, at])
    lanes[row.COUNTS, at] = 0
    chosen = np.int64(counts & np.uint64(0xFFFF))
    others = np.int64((counts >> np.uint64(row.OTHERS)) & np.uint64(0xFFFF))
    fours = np.int64((counts >> np.uint64(row.FOURS)) & np.uint64(0xFF))
    table.metrics[uno.METRIC.decisions] += chosen + others
    table.metrics[uno.METRIC.forced] -= chosen  # All turns are added when the lane is unloaded.
    table.metrics[uno.METRIC.wild_draw_fours] += fours
    table.metrics[uno.METRIC.bluffs] += np.int64(
        (counts >> np.uint64(row.BLUFFS)) & np.uint64(0xFF)
    )
    doubts = np.int64((counts >> np.uint64(row.DOUBTS)) & np.uint64(0xFF))
    caught = np.int64(counts >> np.uint64(row.CAUGHT))
    table.metrics[uno.METRIC.challenges] += doubts
    table.metrics[uno.METRIC.caught] += caught
    clauses = lanes[row.SEEN, at]
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
    extras = lanes[row.EXTRAS, at]
    lanes[row.EXTRAS, at] = 0
    swaps = extras >> row.SWAPPED
    table.metrics[uno.METRIC.stacks] += extras & 0xFFFF
    table.metrics[uno.METRIC.jump_ins] += (extras >> row.JUMPED) & 0xFFFF
    table.metrics[uno.METRIC.swaps] += swaps
    largest = max(table.metrics[uno.METRIC.largest_stack], lanes[row.LARGEST, at])
    table.metrics[uno.METRIC.largest_stack] = largest
    if swaps:
        table.metrics[uno.METRIC.clauses] |= uno.CLAUSE.seven_zero
