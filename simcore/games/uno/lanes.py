"""UNO: uniform random play of many matches side by side, in the lanes of vector registers.

A turn of random play waits for some fifty instructions one after another, and for branches that
nobody can predict. Here the matches of a group of `LANES` take their steps together and without a
branch (see `lane_steps`). There are two groups, in turn: while the lanes of one that leave the
ordinary are looked after, one by one, the processor is still busy with the other.

Rounds are dealt and scored by the same functions as always; only the turns between are written a
second time, for tables where all seats play at random. The discards become the stock here as well,
but a turn that is out of the ordinary (the last card of a hand, the cap on turns) is played by
`rounds.play_turn`. The rows are the same, bit for bit (`tests/uno/test_lanes.py`).
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import lowest_bit, popcount
from simcore.games.uno import table as uno
from simcore.games.uno.cards import (
    COLOUR_CARDS as CARDS_OF,
)
from simcore.games.uno.cards import (
    DECK_CARDS,
    DECK_DOUBLES,
    DECK_SIZE,
    DRAW_FOUR_NAMED,
    FACES,
    WILD,
    WILD_DRAW_FOUR,
    WILD_NAMED,
    count_of,
)
from simcore.games.uno.cards import (
    PLAYABLE as PLAYABLE_ON,
)
from simcore.games.uno.deal import start_match, start_round
from simcore.games.uno.lane_steps import (
    BLANK,
    BLOCKED,
    BLUFFS,
    BUSY,
    CAUGHT,
    COLOUR_CARDS,
    COUNTS,
    DISCARD_DOUBLES,
    DISCARDS,
    DOUBLES,
    DOUBTS,
    FOURS,
    HAND,
    LANE_ROWS,
    OTHERS,
    PENDING,
    PLAYABLE,
    REVERSALS,
    SEAT,
    SIZE,
    TOP,
    TURNS,
    WORD0,
    WORD1,
    put_bit,
    take_steps,
)
from simcore.games.uno.play import note_idle_turn, seat_from
from simcore.games.uno.random_play import answer_at_random
from simcore.games.uno.rounds import play_turn
from simcore.games.uno.score import finish_match, score_round
from simcore.games.uno.stock import card_on_top, shuffle_some
from simcore.games.uno.table import PLAY, RECORDS
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import IDLE, LANES, LINE, as_record, first_column
from simcore.records import MATCH_OVER, ROUND_OVER, write_row

WORK = as_record(
    np.dtype(
        [
            ("lanes", "i8", (LANE_ROWS, RECORDS + LINE)),
            ("stocks", "u1", (RECORDS, DECK_SIZE + 1)),
            ("matches", "i8", (RECORDS,)),
            ("loaded", "i8", (RECORDS,)),
        ],
        align=True,
    )
)
"""The work space. By lane: the rows of `lane_steps` in a column, from `first_column` on; the kinds
in the stock, all in order, from 1 on; the number of the match in the block, or `IDLE`; how many
turns the round had when it was put into the lane."""

MANY = 0xC000_C000 | 0xE0 << FOURS
"""Bits of `COUNTS`: with one of them set, another stock's worth might not fit."""

_ZEROS = DECK_CARDS & ~DECK_DOUBLES


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block; see `batch.BlockKernel`."""
    work = np.zeros(1, WORK)
    column = first_column(work[0].lanes)
    lanes = work[0].lanes[:, column : column + RECORDS]
    begun = np.int64(0)
    busy = 0
    for lane in range(RECORDS):
        boxes[lane].watched = 0
        work[0].matches[lane] = IDLE
        begun = fill(tables, boxes, work[0], lanes, lane, seed, first, count, begun, out, row)
        busy += work[0].matches[lane] != IDLE
    group = 0
    while busy:
        leaves = take_step_of_group(work[0], column, tables[0], group)
        while leaves:
            place = lowest_bit(leaves)
            leaves &= leaves - 1
            lane = group + (place & (LANES - 1))
            table = tables[lane]
            box = boxes[lane]
            if place < LANES and refill(table, box, work[0], lanes, lane):
                continue
            if play_apart(table, box, work[0], lanes, lane):
                begun = fill(
                    tables, boxes, work[0], lanes, lane, seed, first, count, begun, out, row
                )
                busy -= work[0].matches[lane] == IDLE
        group ^= LANES
    return count


@inline_kernel
def take_step_of_group(work, column, table, group):
    """Take a step in the lanes of a group; see `take_steps`, compiled for few and many players."""
    players = table.players
    skips = table.skips
    off = -np.int64(table.challenge == 0)
    last = np.int64(1 + table.may_forget)
    cap = table.turn_cap
    if players <= 4:
        return take_steps(work, column, group, (0,) * 4, players, skips, off, last, cap)
    return take_steps(work, column, group, (0,) * 10, players, skips, off, last, cap)


@kernel
def fill(tables, boxes, work, lanes, lane, seed, first, count, begun, out, row):
    """Put the next round into a lane: of its match, or of a match not begun; write matches over.

    Return how many matches of the block are begun now. Without one more the lane is idle.
    """
    table = tables[lane]
    box = boxes[lane]
    if work.matches[lane] >= 0 and table.phase == MATCH_OVER:
        finish_match(table)
        write_row(table, row + work.matches[lane], out)
        work.matches[lane] = IDLE
    if work.matches[lane] < 0:
        if begun == count:
            for number in range(LANE_ROWS):
                lanes[number, lane] = 0
            work.stocks[lane, 0] = BLANK
            return begun
        start_match(table, box, seed, first + begun)
        work.matches[lane] = begun
        begun += 1
    start_round(table, box)
    answer_at_random(table, box)
    load(table, box, work, lanes, lane)
    lanes[DISCARDS, lane] = 0
    lanes[DISCARD_DOUBLES, lane] = 0
    return begun


@kernel
def load(table, box, work, lanes, lane):
    """Put a round, at the start of a turn, into a lane."""
    shuffle_some(box, box.loose)
    for seat in range(table.players):
        lanes[HAND + seat, lane] = box.seats[seat].hand
        lanes[DOUBLES + seat, lane] = box.seats[seat].doubles
        lanes[WORD0 + seat, lane] = np.int64(box.seats[seat].rng[0])
        lanes[WORD1 + seat, lane] = np.int64(box.seats[seat].rng[1])
    lanes[SEAT, lane] = table.seat
    lanes[PENDING, lane] = 0
    lanes[TURNS, lane] = table.turns
    lanes[REVERSALS, lane] = table.reversals
    lanes[SIZE, lane] = table.stock_size
    lanes[PLAYABLE, lane] = PLAYABLE_ON[table.top]
    lanes[COLOUR_CARDS, lane] = CARDS_OF[table.top]
    lanes[TOP, lane] = np.int64(1) << card_on_top(table)
    lanes[COUNTS, lane] = 0
    lanes[BLOCKED, lane] = 0
    lanes[BUSY, lane] = -1
    work.loaded[lane] = table.turns
    work.stocks[lane, 0] = BLANK
    for place in range(DECK_SIZE):
        work.stocks[lane, 1 + place] = box.stock[place]


@kernel
def unload(table, box, work, lanes, lane):
    """Put a lane's round, at the start of a turn, back into the records."""
    for seat in range(table.players):
        hand = lanes[HAND + seat, lane]
        doubles = lanes[DOUBLES + seat, lane]
        box.seats[seat].hand = hand
        box.seats[seat].doubles = doubles
        table.cards[seat] = popcount(hand) + popcount(doubles)
        box.seats[seat].rng[0] = np.uint64(lanes[WORD0 + seat, lane])
        box.seats[seat].rng[1] = np.uint64(lanes[WORD1 + seat, lane])
    table.seat = np.uint32(lanes[SEAT, lane])
    table.turns = lanes[TURNS, lane]
    table.reversals = lanes[REVERSALS, lane]
    table.stock_size = lanes[SIZE, lane]
    top = lowest_bit(lanes[TOP, lane])
    if top >= WILD:
        colour = lowest_bit(lanes[COLOUR_CARDS, lane]) // FACES
        top = colour + (DRAW_FOUR_NAMED if top == WILD_DRAW_FOUR else WILD_NAMED)
    table.top = np.uint32(top)
    for place in range(DECK_SIZE):
        box.stock[place] = work.stocks[lane, 1 + place]
    book(table, lanes, lane)
    table.metrics[uno.FORCED] += table.turns - work.loaded[lane]


@inline_kernel
def book(table, lanes, lane):
    """Add what was counted in a lane to the metrics of the match."""
    counts = np.uint64(lanes[COUNTS, lane])
    lanes[COUNTS, lane] = 0
    chosen = np.int64(counts & np.uint64(0xFFFF))
    others = np.int64((counts >> np.uint64(OTHERS)) & np.uint64(0xFFFF))
    fours = np.int64((counts >> np.uint64(FOURS)) & np.uint64(0xFF))
    table.metrics[uno.DECISIONS] += chosen + others
    table.metrics[uno.FORCED] -= chosen  # All turns are added when the lane is unloaded.
    table.metrics[uno.WILD_DRAW_FOURS] += fours
    table.metrics[uno.BLUFFS] += np.int64((counts >> np.uint64(BLUFFS)) & np.uint64(0xFF))
    table.metrics[uno.CHALLENGES] += np.int64((counts >> np.uint64(DOUBTS)) & np.uint64(0xFF))
    table.metrics[uno.CAUGHT] += np.int64(counts >> np.uint64(CAUGHT))
    if fours | lanes[BLOCKED, lane]:
        table.metrics[uno.CLAUSES] |= uno.CHALLENGE_CLAUSE


@outer_kernel
def play_apart(table, box, work, lanes, lane):
    """Play a turn that is out of the ordinary; return whether the round is over."""
    unload(table, box, work, lanes, lane)
    decisions, forced = play_turn(table, box)
    table.metrics[uno.DECISIONS] += decisions
    table.metrics[uno.FORCED] += forced
    answer_at_random(table, box)
    if table.phase == PLAY:
        load(table, box, work, lanes, lane)
        find_discards(table, box, lanes, lane)
        return False
    if table.phase == ROUND_OVER:
        score_round(table, box)
    return True


@kernel
def find_discards(table, box, lanes, lane):
    """Note the discard pile of a round that was put into a lane: what is nowhere else."""
    held = lanes[TOP, lane]
    twice = np.int64(0)
    wilds = 4 - count_of(held, twice, WILD)
    fours = 4 - count_of(held, twice, WILD_DRAW_FOUR)
    for seat in range(table.players):
        holder = box.seats[seat]
        wilds -= count_of(holder.hand, holder.doubles, WILD)
        fours -= count_of(holder.hand, holder.doubles, WILD_DRAW_FOUR)
        twice |= holder.doubles | (held & holder.hand)
        held |= holder.hand
    for place in range(table.stock_size):
        kind = np.int64(box.stock[place])
        wilds -= np.int64(kind == WILD)
        fours -= np.int64(kind == WILD_DRAW_FOUR)
        bit = np.int64(1) << kind
        twice |= held & bit
        held |= bit
    cards = (DECK_CARDS & ~held) | (DECK_DOUBLES & ~twice)
    doubles = DECK_DOUBLES & ~held
    for _ in range(wilds):
        cards, doubles = put_bit(cards, doubles, np.int64(1) << WILD)
    for _ in range(fours):
        cards, doubles = put_bit(cards, doubles, np.int64(1) << WILD_DRAW_FOUR)
    lanes[DISCARDS, lane] = cards
    lanes[DISCARD_DOUBLES, lane] = doubles


@kernel
def refill(table, box, work, lanes, lane):
    """Look after a lane that is to draw a card when its stock is empty.

    Return whether the lane can go on by itself.
    """
    stock = work.stocks[lane]
    if lanes[PENDING, lane]:
        draw_forced(table, box, stock, lanes, lane)
        return True
    size = renew(table, box, stock, lanes, lane)
    if size == 0:
        if not note_idle_turn_in(table, lanes, lane):
            return False
        stock[1] = BLANK  # Instead of a card the seat draws nothing.
        size = 1
    lanes[SIZE, lane] = size
    return True


@inline_kernel
def draw_forced(table, box, stock, lanes, lane):
    """Let a seat draw the cards that it is made to draw, or as many as there are [C18]."""
    seat = lanes[SEAT, lane]
    hand = lanes[HAND + seat, lane]
    doubles = lanes[DOUBLES + seat, lane]
    size = lanes[SIZE, lane]
    for _ in range(lanes[PENDING, lane]):
        if size == 0:
            size = renew(table, box, stock, lanes, lane)
            if size == 0:
                break
        hand, doubles = put_bit(hand, doubles, np.int64(1) << np.int64(stock[np.uint32(size)]))
        size -= 1
    lanes[HAND + seat, lane] = hand
    lanes[DOUBLES + seat, lane] = doubles
    lanes[SIZE, lane] = size
    lanes[PENDING, lane] = 0
    lanes[SEAT, lane] = seat_from(seat, table.players, lanes[REVERSALS, lane], 1)
    lanes[TURNS, lane] += 1


@kernel
def renew(table, box, stock, lanes, lane):
    """Make the discards the stock [R18] [C17], as `stock.renew_stock`; return its size."""
    cards = lanes[DISCARDS, lane]
    doubles = lanes[DISCARD_DOUBLES, lane]
    if cards == 0:
        return 0
    if lanes[COUNTS, lane] & MANY:
        book(table, lanes, lane)
    size = put_all(stock, (cards & _ZEROS) | (doubles & DECK_DOUBLES), 0)
    size = put_all(stock, cards & DECK_DOUBLES, size)
    if (cards >> WILD) != 0:
        size = put_many(stock, WILD, count_of(cards, doubles, WILD), size)
        size = put_many(stock, WILD_DRAW_FOUR, count_of(cards, doubles, WILD_DRAW_FOUR), size)
    shuffle(stock, box, size)
    lanes[DISCARDS, lane] = 0
    lanes[DISCARD_DOUBLES, lane] = 0
    table.stocked += size
    table.metrics[uno.RESHUFFLES] += 1
    return size


@inline_kernel
def put_all(stock, cards, size):
    """Add a card of every kind among `cards` to a stock of `size`; return the new size."""
    while cards:
        size += 1
        stock[np.uint32(size)] = lowest_bit(cards)
        cards &= cards - 1
    return size


@inline_kernel
def put_many(stock, kind, count, size):
    """Add `count` cards of a kind to a stock of `size`; return the new size."""
    for _ in range(count):
        size += 1
        stock[np.uint32(size)] = kind
    return size


@inline_kernel
def shuffle(stock, box, size):
    """Shuffle a stock of `size` as `stock.shuffle_some`."""
    word0 = box.deal_rng[0]
    word1 = box.deal_rng[1]
    for left in range(size, 0, -1):
        word, word0, word1 = rng.step(word0, word1)
        bound = np.uint64(left)
        product = (word >> np.uint64(32)) * bound
        if (product & rng.HALF) < bound:
            box.deal_rng[0] = word0
            box.deal_rng[1] = word1
            product = rng.redraw(box.deal_rng, bound, product)
            word0 = box.deal_rng[0]
            word1 = box.deal_rng[1]
        place = np.uint32(product >> np.uint64(32)) + np.uint32(1)
        card = stock[place]
        stock[place] = stock[np.uint32(left)]
        stock[np.uint32(left)] = card
    box.deal_rng[0] = word0
    box.deal_rng[1] = word1


@inline_kernel
def note_idle_turn_in(table, lanes, lane):
    """Note a turn in which there is nothing to draw [C18]; False if that aborts the match."""
    turns = lanes[TURNS, lane]
    idle = table.idle_turns + 1 if table.last_idle_turn == turns - 1 else 1
    if idle >= table.players:
        return False
    table.turns = turns
    note_idle_turn(table)
    return True
