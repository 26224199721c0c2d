"""UNO: many matches side by side, in the lanes of vector registers.

A turn of random play waits for some fifty instructions one after another, and for branches that
nobody can predict. Here the matches of a group of `LANES` take their steps together and without a
branch (see `lane_steps`). There are two groups, in turn: while the lanes of one that leave the
ordinary are looked after, one by one, the processor is still busy with the other.

Rounds are dealt and scored by the same functions as always; only the turns between are written a
second time, for tables where all seats play at random, or all as they say in numbers
(`spec`). The discards become the stock here as well, but a turn that is out of the ordinary
(the last card of a hand, the cap on turns) is played by `rounds.play_turn`, which calls the policy.
The rows are the same, bit for bit (`tests/uno/test_lanes.py`, `test_lane_policies.py`). What is
noted of a table for other policies (the discards, who drew on what, what was laid) is not kept.
"""

from __future__ import annotations

import numpy as np

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
from simcore.games.uno.lane_choice import EMPTY_TABLE, TACTIC, with_count, write_tactic
from simcore.games.uno.lane_steps import (
    BLANK,
    BLOCKED,
    BUSY,
    CARDS,
    COLOUR_CARDS,
    COUNTS,
    DISCARD_DOUBLES,
    DISCARDS,
    DOUBLES,
    HAND,
    LANE_ROWS,
    PENDING,
    PLAYABLE,
    REVERSALS,
    SEAT,
    SIZE,
    TOP,
    TURNS,
    WORD0,
    WORD1,
    book,
    fetch,
    put_bit,
    take_steps,
    toss,
    toss_again,
)
from simcore.games.uno.lane_stock import AT_ONCE, put_piece, put_ready, refill
from simcore.games.uno.rounds import ILLEGAL, decide_apart, play_turn
from simcore.games.uno.score import finish_match, score_round
from simcore.games.uno.stock import PIECE, card_on_top
from simcore.games.uno.table import PLAY, RECORDS
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import IDLE, LANES, LINE, as_record, first_column
from simcore.records import MATCH_OVER, MAX_SEATS, ROUND_OVER, write_row
from simcore.transpose import WORDS

WORK = as_record(
    np.dtype(
        [
            ("lanes", "i8", (LANE_ROWS, RECORDS + LINE)),
            ("seats", "i8", (RECORDS, MAX_SEATS, WORDS)),
            ("tactics", "i8", (MAX_SEATS, TACTIC)),
            ("stocks", "u1", (RECORDS, 1 + DECK_SIZE + AT_ONCE)),
            ("matches", "i8", (RECORDS,)),
            ("loaded", "i8", (RECORDS,)),
            ("renewed", "i8", (RECORDS,)),
            ("column", "i8"),
            ("piece", "i8"),
        ],
        align=True,
    )
)
"""The work space. By lane: the rows of `lane_steps` in a column, from `column` on; what each seat
has, of which the seat on turn has a copy in the first rows; the kinds in the stock that lie in
order, from 1 on; the number of the match in the block, or `IDLE`; how many turns the round had when
it was put into the lane; whether the stock was made of discards since. `tactics` are what the seats
are told (`lane_choice`); `piece` is how many cards of a stock are put in order at a time."""


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block of uniform random play; see `batch.BlockKernel`."""
    return play_lanes(tables, boxes, seed, first, count, out, row, ())


@kernel
def play_by_spec(tables, boxes, seed, first, count, out, row):
    """Play a block of policies that say how they play (`spec`); see `batch.BlockKernel`."""
    return play_lanes(tables, boxes, seed, first, count, out, row, (0,))


@kernel
def play_partly_at_random(tables, boxes, seed, first, count, out, row):
    """Play a block of such policies of which some lay cards at random; see `batch.BlockKernel`."""
    return play_lanes(tables, boxes, seed, first, count, out, row, (0, 0))


@kernel
def play_cards_at_random(tables, boxes, seed, first, count, out, row):
    """Play a block of such policies that all lay cards at random; see `batch.BlockKernel`."""
    return play_lanes(tables, boxes, seed, first, count, out, row, (0, 0, 0))


@outer_kernel
def play_lanes(tables, boxes, seed, first, count, out, row, told):
    """Play a block; see `batch.BlockKernel`, and for `told` `take_steps`."""
    work = np.zeros(1, WORK)
    work[0].column = first_column(work[0].lanes)
    work[0].piece = PIECE if len(told) > 0 else DECK_SIZE
    for seat in range(MAX_SEATS):
        write_tactic(work[0].tactics[seat], boxes[0].specs[seat])
    begun = fill_all(tables, boxes, work[0], seed, first, count)
    if begun == ILLEGAL:
        return 0
    busy = begun
    group = LANES
    leaves_next = take_step_of_group(work[0], tables[0], 0, told)
    while busy:
        leaves = leaves_next
        leaves_next = take_step_of_group(work[0], tables[0], group, told)
        group ^= LANES
        while leaves:
            place = lowest_bit(leaves)
            leaves &= leaves - 1
            lane = group + (place & (LANES - 1))
            table = tables[lane]
            box = boxes[lane]
            if look_after(table, box, work[0], lane, place):
                continue
            if not play_apart(table, box, work[0], lane):
                return 0
            if table.phase == PLAY:
                continue
            if table.phase == MATCH_OVER:
                finish_match(table)
                write_row(table, row + work[0].matches[lane], out)
                work[0].matches[lane] = IDLE
            begun = fill(table, box, work[0], lane, seed, first, count, begun)
            if begun == ILLEGAL:
                return 0
            busy -= work[0].matches[lane] == IDLE
    return count


@inline_kernel
def look_after(table, box, work, lane, place):
    """Give a lane what it lacks for its next step; return False if it cannot take one.

    `place` is that of its bit in what `take_steps` returns.
    """
    if place < LANES:
        toss_again(table, box, work, lane)
        return True
    return place < 2 * LANES and refill(table, box, work, lane)


@inline_kernel
def take_step_of_group(work, table, group, told):
    """Take a step in the lanes of a group; see `take_steps`."""
    players = table.players
    skips = table.skips
    off = -np.int64(table.challenge == 0)
    last = np.int64(1 + table.may_forget)
    cap = table.turn_cap
    return take_steps(work, work.column, group, players, skips, off, last, cap, told)


@kernel
def fill_all(tables, boxes, work, seed, first, count):
    """Put the first rounds of the first matches into the lanes; return as `fill`."""
    begun = np.int64(0)
    for lane in range(RECORDS):
        boxes[lane].watched = 0
        work.matches[lane] = IDLE
        begun = fill(tables[lane], boxes[lane], work, lane, seed, first, count, begun)
        if begun == ILLEGAL:
            break
    return begun


@kernel
def fill(table, box, work, lane, seed, first, count, begun):
    """Put the next round into a lane: of its match, or of a match not begun.

    Return how many matches of the block are begun now, or `ILLEGAL` after an illegal move. Without
    one more the lane is idle.
    """
    lanes = work.lanes
    at = work.column + lane
    if work.matches[lane] < 0:
        if begun == count:
            for number in range(LANE_ROWS):
                lanes[number, at] = 0
            work.stocks[lane, 0] = BLANK
            fetch(work, lane)
            return begun
        start_match(table, box, seed, first + begun)
        work.matches[lane] = begun
        begun += 1
    start_round(table, box)
    if not answer(table, box):
        return np.int64(ILLEGAL)
    load(table, box, work, lane)
    lanes[DISCARDS, at] = 0
    lanes[DISCARD_DOUBLES, at] = 0
    return begun


@kernel
def load(table, box, work, lane):
    """Put a round, at the start of a turn, into a lane."""
    lanes = work.lanes
    at = work.column + lane
    for seat in range(table.players):
        work.seats[lane, seat, HAND] = box.seats[seat].hand
        work.seats[lane, seat, DOUBLES] = box.seats[seat].doubles
        work.seats[lane, seat, WORD0] = np.int64(box.seats[seat].rng[0])
        work.seats[lane, seat, WORD1] = np.int64(box.seats[seat].rng[1])
    counts = np.int64(EMPTY_TABLE)
    for seat in range(table.players):
        counts = with_count(counts, seat, table.cards[seat])
    lanes[CARDS, at] = counts
    lanes[SEAT, at] = table.seat
    lanes[PENDING, at] = 0
    lanes[TURNS, at] = table.turns
    lanes[REVERSALS, at] = table.reversals
    lanes[PLAYABLE, at] = PLAYABLE_ON[table.top]
    lanes[COLOUR_CARDS, at] = CARDS_OF[table.top]
    lanes[TOP, at] = np.int64(1) << card_on_top(table)
    lanes[COUNTS, at] = 0
    lanes[BLOCKED, at] = 0
    lanes[BUSY, at] = -1
    work.loaded[lane] = table.turns
    work.renewed[lane] = 0
    work.stocks[lane, 0] = BLANK
    if table.stock_size > box.loose:
        lanes[SIZE, at] = put_ready(box, work, lane, table.stock_size - box.loose)
    else:
        lanes[SIZE, at] = put_piece(box, work, lane)
    toss(table, box, work, lane)
    fetch(work, lane)


@kernel
def unload(table, box, work, lane):
    """Put a lane's round, at the start of a turn, back into the records."""
    lanes = work.lanes
    at = work.column + lane
    for seat in range(table.players):
        hand = work.seats[lane, seat, HAND]
        doubles = work.seats[lane, seat, DOUBLES]
        box.seats[seat].hand = hand
        box.seats[seat].doubles = doubles
        table.cards[seat] = popcount(hand) + popcount(doubles)
        box.seats[seat].rng[0] = np.uint64(work.seats[lane, seat, WORD0])
        box.seats[seat].rng[1] = np.uint64(work.seats[lane, seat, WORD1])
    table.seat = np.uint32(lanes[SEAT, at])
    table.turns = lanes[TURNS, at]
    table.reversals = lanes[REVERSALS, at]
    size = lanes[SIZE, at]
    table.stock_size = box.loose + size
    top = lowest_bit(lanes[TOP, at])
    if top >= WILD:
        colour = lowest_bit(lanes[COLOUR_CARDS, at]) // FACES
        top = colour + (DRAW_FOUR_NAMED if top == WILD_DRAW_FOUR else WILD_NAMED)
    table.top = np.uint32(top)
    for place in range(size if work.renewed[lane] else 0):
        box.stock[box.loose + place] = work.stocks[lane, 1 + place]
    book(table, work, lane)
    table.metrics[uno.FORCED] += table.turns - work.loaded[lane]


@outer_kernel
def play_apart(table, box, work, lane):
    """Play a turn that is out of the ordinary; return False after an illegal move."""
    unload(table, box, work, lane)
    decisions, forced = play_turn(table, box)
    if decisions == ILLEGAL:
        return False
    table.metrics[uno.DECISIONS] += decisions
    table.metrics[uno.FORCED] += forced
    if not answer(table, box):
        return False
    if table.phase == PLAY:
        load(table, box, work, lane)
        find_discards(table, box, work, lane)
    elif table.phase == ROUND_OVER:
        score_round(table, box)
    return True


@kernel
def answer(table, box):
    """Let a colour be named and a wild draw four be answered; False after an illegal move."""
    while table.phase > PLAY:
        decisions, _ = decide_apart(table, box)
        if decisions == ILLEGAL:
            return False
        table.metrics[uno.DECISIONS] += decisions
    return True


@kernel
def find_discards(table, box, work, lane):
    """Note the discard pile of a round that was put into a lane: what is nowhere else."""
    lanes = work.lanes
    at = work.column + lane
    held = lanes[TOP, at]
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
    lanes[DISCARDS, at] = cards
    lanes[DISCARD_DOUBLES, at] = doubles
