"""dnup: many matches side by side in the lanes of vector registers, at random or by specs.

A turn waits for some hundred instructions one after another, or for branches that nobody can
predict. Here `LANES` matches take their turns together and without a branch: the loop in
`lane_turns.take_turns` is compiled to vector instructions. Matches are dealt and scored by the same
functions as always; only the turns between are written a second time, for tables where all seats
play at random, and for those where all play by a spec. A round with seven cards of a
value in one hand, which is rare, or a long one with specs, goes on in `rounds.play_round`. The
rows are the same, bit for bit (`tests/dnup/test_lanes.py`, `tests/dnup/test_lane_policies.py`).

The turns themselves, and what stands where in a lane, are in `lane_turns`.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import lowest_bit, popcount
from simcore.games.dnup import table as dnup
from simcore.games.dnup.cards import chart_of, value_of
from simcore.games.dnup.deal import deal_round, open_streams, start_match
from simcore.games.dnup.deck import DECK_SIZE
from simcore.games.dnup.lane_turns import (
    ADDED,
    BEATEN,
    BIT,
    CAPPED,
    DOWN,
    EMPTIED,
    FORCED,
    HIGH,
    LANE_ROWS,
    LARGEST,
    LEAVES,
    LOW,
    MATCH,
    PICKS,
    PLAYED,
    RETURNED,
    START,
    STUCK,
    TAKEN,
    TURNS,
    UP,
    WORD0,
    WORD1,
    ring_size,
    take_turns,
)
from simcore.games.dnup.play import abort, go_out
from simcore.games.dnup.rounds import play_round
from simcore.games.dnup.score import finish_match, score_round
from simcore.games.dnup.spec import LAST_ROUND, LAST_TURN, PATIENCE, PATIENCE_BITS, UNTIL
from simcore.games.dnup.table import ACTION, SECOND_AREA
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import IDLE, LANES, first_column, is_busy, work_dtype
from simcore.records import MATCH_OVER, ROUND_OVER, write_row

WORK = work_dtype(LANE_ROWS)


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block at random; see `batch.BlockKernel`."""
    return play_all(tables, boxes, seed, first, count, out, row, ())


@kernel
def play_by_spec(tables, boxes, seed, first, count, out, row):
    """Play a block where every seat has a play spec; see `batch.BlockKernel`."""
    return play_all(tables, boxes, seed, first, count, out, row, (1,))


@outer_kernel
def play_all(tables, boxes, seed, first, count, out, row, specified):
    """Play a block; for `specified` see `lane_turns.take_turns`."""
    block = (seed, first, count)
    work = np.zeros(1, WORK)
    column = first_column(work[0].rows)
    lanes = work[0].rows[:, column : column + LANES]
    table = tables[0]
    turn = 0
    begun = 0
    for lane in range(LANES):
        lanes[MATCH, lane] = IDLE
        begun = fill(tables, boxes, lanes, lane, turn, block, begun, specified)
    twins = twins_of(table)
    long_after = turns_until_long(table, boxes[0])
    while is_busy(lanes[MATCH]):
        turn += take_turns(work, column, table, twins, specified, long_after)
        for lane in range(LANES):
            why = lanes[LEAVES, lane]
            if why and end_turn(tables[lane], boxes[lane], lanes, lane, turn, specified):
                if tables[lane].phase == MATCH_OVER:
                    end_match(tables[lane], row + lanes[MATCH, lane], out)
                    lanes[MATCH, lane] = IDLE
                begun = fill(tables, boxes, lanes, lane, turn, block, begun, specified)
    return count


@kernel
def twins_of(table):
    """Return the cards that bear the same two values as the next one."""
    twins = np.int64(0)
    for card in range(DECK_SIZE - 1):
        twins |= ((table.like[card] >> (card + 1)) & 1) << card
    return twins


@kernel
def turns_until_long(table, box):
    """Return after how many actions of a round the first seat's habits do no more."""
    patience = np.int64(PATIENCE_BITS)
    for seat in range(table.players):
        patience = min(patience, (box.seats[seat].spec[0] >> PATIENCE) & PATIENCE_BITS)
    return patience * table.players


@kernel
def end_match(table, row, out):
    """Finish a match and write it to a row.

    By itself: in a longer function references to the columns would be counted round after round.
    """
    finish_match(table)
    write_row(table, row, out)


@kernel
def fill(tables, boxes, lanes, lane, turn, block, begun, specified):
    """Put the next round into a lane: of its match, or of a match not begun, of `block`.

    Return how many matches of the block are begun now. Without one more the lane is idle.
    """
    seed, first, count = block
    table = tables[lane]
    box = boxes[lane]
    if lanes[MATCH, lane] == IDLE:
        if begun == count:
            clear(lanes, lane)
            return begun
        start_match(table, box, seed, first + begun)
        lanes[MATCH, lane] = begun
        begun += 1
    deal_round(table, box)
    if len(specified) == 0:
        open_streams(table, box)
    load(table, box, lanes, lane, turn, specified)
    return begun


@inline_kernel
def place_in_ring(players, number):
    """Return the place with a number in the ring, counted from seat 0 (and its area 1)."""
    return (number & 1) * SECOND_AREA + (number >> 1) if players == 2 else number


@inline_kernel
def number_in_ring(players, place):
    """Return the number of a place in the ring; the inverse of `place_in_ring`."""
    return (place & 1) * 2 + (place >> 1) if players == 2 else place


@kernel
def clear(lanes, lane):
    """Remove all cards from a lane, and all that is counted in a round."""
    for number in range(MATCH):
        lanes[number, lane] = 0


@kernel
def load(table, box, lanes, lane, turn, specified):
    """Put the cards of a round just dealt into a lane."""
    clear(lanes, lane)
    players = table.players
    size = ring_size(players)
    number = number_in_ring(players, np.int64(table.place))
    lanes[START, lane] = (number - turn) % size
    for i in range(size):
        place = place_in_ring(players, number)
        number = number + 1 if number < size - 1 else 0
        if place < players:
            seat = box.seats[place]
            lanes[UP + i, lane] = seat.up
            lanes[DOWN + i, lane] = seat.down
            if len(specified) > 0:
                lanes[WORD0 + i, lane] = seat.spec[0] | place
                lanes[WORD1 + i, lane] = seat.spec[1]
            else:
                lanes[WORD0 + i, lane] = np.int64(seat.rng[0])
                lanes[WORD1 + i, lane] = np.int64(seat.rng[1])


@kernel
def end_turn(table, box, lanes, lane, turn, specified):
    """Look after a lane after a turn; return whether its round is over."""
    why = lanes[LEAVES, lane]
    players = table.players
    number = (lanes[START, lane] + turn - 1) % ring_size(players)
    table.place = place_in_ring(players, number)
    table.seat = table.place & table.seat_mask
    table.turns = lanes[TURNS, lane]
    if why & RETURNED:
        table.metrics[dnup.CLAUSES] |= dnup.SET_RETURNED_CLAUSE
    if why & STUCK:
        unload(table, box, lanes, lane, number, specified)
        play_round(table, box)
    else:
        if why & EMPTIED and (why & RETURNED == 0 or table.win_on_playing):
            go_out(table)
        if table.phase == ACTION and why & CAPPED:
            abort(table)
        if table.phase == ACTION:
            return False
    add_counts(table.metrics, lanes, lane)
    if table.phase == ROUND_OVER:
        score_round(table, box)
    return True


@inline_kernel
def add_counts(metrics, lanes, lane):
    """Add what was counted in a lane to the metrics of the match."""
    turns = lanes[TURNS, lane]
    laid = lanes[PLAYED, lane] + lanes[ADDED, lane]
    metrics[dnup.SETS_PLAYED] += lanes[PLAYED, lane]
    metrics[dnup.CARDS_ADDED] += lanes[ADDED, lane]
    metrics[dnup.SETS_TAKEN] += lanes[TAKEN, lane]
    metrics[dnup.TURNS_OVER] += turns - laid - lanes[TAKEN, lane]
    metrics[dnup.SETS_BEATEN] += lanes[BEATEN, lane]
    metrics[dnup.LARGEST_SET] = max(metrics[dnup.LARGEST_SET], lanes[LARGEST, lane])
    metrics[dnup.DECISIONS] += turns - lanes[FORCED, lane] + lanes[PICKS, lane]
    metrics[dnup.FORCED] += lanes[FORCED, lane]


@inline_kernel
def remember(table, seat, until):
    """Let a seat remember when it last chose to turn its hand, if it did in this round."""
    if until != 0:
        seat.memory[LAST_ROUND] = table.round_number
        seat.memory[LAST_TURN] = until - table.players - 1


@kernel
def unload(table, box, lanes, lane, number, specified):
    """Put a lane's round back into the records; the place on turn, now the last, has its number."""
    players = table.players
    size = ring_size(players)
    for seat in range(players):
        box.seats[seat].up = 0
        box.seats[seat].down = 0
        box.seats[seat].rng[:] = 0
    if len(specified) > 0:
        open_streams(table, box)  # Nothing was drawn from them.
    table.laid = 0
    for i in range(size):
        place = place_in_ring(players, (number + 1 + i) % size)
        seat = box.seats[place & table.seat_mask]
        seat.up |= lanes[UP + i, lane]
        seat.down |= lanes[DOWN + i, lane]
        if len(specified) > 0:
            remember(table, seat, lanes[WORD0 + i, lane] >> UNTIL)
        else:
            seat.rng[0] |= np.uint64(lanes[WORD0 + i, lane])
            seat.rng[1] |= np.uint64(lanes[WORD1 + i, lane])
        cards = lanes[LOW + i, lane] | lanes[HIGH + i, lane]
        bit = lanes[BIT + i, lane]
        table.set_cards[place] = cards
        table.set_bit[place] = bit
        table.laid |= bit
        if cards:
            table.set_value[place] = value_of(lowest_bit(bit))
            table.place_of_row[popcount(cards) - 1] = place
    for index in range(players):
        seat = box.seats[index]
        table.cards[index] = popcount(seat.up) + popcount(seat.down)
        seat.active = chart_of(table, seat.up, seat.down)
