"""Up: uniform random play of many matches side by side, in the lanes of vector registers.

A turn of random play takes some sixty instructions that wait for one another and branches that
nobody can predict, so one match alone leaves most of a core idle. Here `LANES` matches take their
turns together and without a branch: the loop in `lane_turns.take_turns` is compiled to vector
instructions. Matches are dealt and scored by the same functions as always; only the turns between
are written a second time, for rounds in which all seats play at random and nothing rare is in
force. A round in which something rare happens all the same goes on in `rounds.play_turns`. The rows
are the same, bit for bit (`tests/up/test_lanes.py`).

The turns themselves, and what stands where in a lane, are in `lane_turns`.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import popcount
from simcore.games.up import table as up
from simcore.games.up.deal import start_match, start_round
from simcore.games.up.lane_turns import (
    BLIND_FINISH,
    BLIND_PLAYS,
    BYTE,
    CAP,
    CLEARS,
    COLLAPSES,
    DECISIONS,
    FIRST_TURN,
    HAND,
    HIDDEN,
    HIDDEN_COUNT,
    KEPT_HAND,
    KEPT_HIDDEN,
    KEPT_OPEN,
    KEPT_WORD0,
    KEPT_WORD1,
    LARGEST_PICKUP,
    LEAVES,
    MATCH,
    MINUS_TWOS_LAID,
    NOTES,
    ONE,
    OPEN,
    PLAYS,
    SEAT,
    SEVERAL_AT_FIRST,
    TOWER,
    WORD0,
    WORD1,
    WORK,
    fetch,
    take_turns,
)
from simcore.games.up.play import check_play_cap, end_play
from simcore.games.up.rounds import decide_start, play_turns
from simcore.games.up.score import finish_match, score_round
from simcore.jit import inline_kernel, kernel
from simcore.lanes import IDLE, LANES, first_column, is_busy
from simcore.match import only_random
from simcore.records import MATCH_OVER, ROUND_OVER, write_row


def fits_lanes(table, box):
    """Tell whether a block of matches can be played in lanes."""
    if table.multiples_in_first_lap == 0:
        return False
    for seat in range(table.players):
        if table.forget_last_card[seat] > 0.0:
            return False
    return only_random(table, box)


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block; see `batch.BlockKernel`."""
    work = np.zeros(1, WORK)
    column = first_column(work[0].rows)
    lanes = work[0].rows[:, column : column + LANES]
    begun = 0
    for lane in range(LANES):
        lanes[MATCH, lane] = IDLE
        lanes[ONE, lane] = 1
        begun = fill(tables, boxes, work, lanes, lane, seed, first, count, begun, out, row)
    while is_busy(lanes[MATCH]):
        take_turns(work, column, tables[0])
        for lane in range(LANES):
            if lanes[LEAVES, lane]:
                end_round(tables[lane], boxes[lane], lanes, lane, work[0].seats[lane])
                begun = fill(tables, boxes, work, lanes, lane, seed, first, count, begun, out, row)
    return count


@kernel
def fill(tables, boxes, work, lanes, lane, seed, first, count, begun, out, row):
    """Put the next round into a lane: of its match, or of a match not begun; write matches over.

    Return how many matches of the block are begun now. Without one more the lane is idle.
    """
    table = tables[lane]
    box = boxes[lane]
    while True:
        if lanes[MATCH, lane] != IDLE:
            if next_round(table, box, lanes, lane, work[0].seats[lane]):
                return begun
            finish_match(table)
            write_row(table, row + lanes[MATCH, lane], out)
        if begun == count:
            lanes[MATCH, lane] = IDLE
            return begun
        start_match(table, box, seed, first + begun)
        lanes[MATCH, lane] = begun
        begun += 1


@kernel
def next_round(table, box, lanes, lane, seats):
    """Put the next round of a match into its lane; return False when the match is over."""
    while table.phase != MATCH_OVER:
        start_round(table, box)
        decide_start(table, box)
        if not table.double:
            load(table, box, lanes, lane, seats)
            return True
        play_turns(table, box)
        if table.phase == ROUND_OVER:
            score_round(table, box)
    return False


@kernel
def end_round(table, box, lanes, lane, seats):
    """Take the round that leaves a lane to its end."""
    if unload(table, box, lanes, lane, seats):
        end_play(table)
    else:
        check_play_cap(table)
        play_turns(table, box)
    if table.phase == ROUND_OVER:
        score_round(table, box)


@kernel
def load(table, box, lanes, lane, seats):
    """Put the cards of a round just dealt into a lane, whose seats are `seats`."""
    for i in range(table.players):
        seat = (table.seat + i) % table.players
        hidden = FIRST_TURN | table.hidden_cards[seat] << HIDDEN_COUNT
        for card in range(table.hidden_cards[seat]):
            hidden |= np.int64(box.hidden[seat, card]) << (8 * card)
        kept = seats[seat]
        for word in range(len(table.tower)):
            kept[KEPT_HAND + word] = box.seats[seat].hand[word]
            kept[KEPT_OPEN + word] = table.open_cards[seat, word]
        kept[KEPT_HIDDEN] = hidden
        kept[KEPT_WORD0] = np.int64(box.seats[seat].rng[0])
        kept[KEPT_WORD1] = np.int64(box.seats[seat].rng[1])
        if len(table.tower) == 1:
            fetch_seat(lanes, lane, i, kept)
    for number in range(CAP, LEAVES):
        lanes[number, lane] = 0
    lanes[SEAT, lane] = table.seat
    if len(table.tower) > 1:
        fetch(lanes, lane, seats[table.seat])


@inline_kernel
def fetch_seat(lanes, lane, i, kept):
    """Write what a seat has, with card sets of one word, to the rows of seat `i` from its turn."""
    lanes[HAND + i, lane] = kept[KEPT_HAND]
    lanes[OPEN + i, lane] = kept[KEPT_OPEN]
    lanes[HIDDEN + i, lane] = kept[KEPT_HIDDEN]
    lanes[WORD0 + i, lane] = kept[KEPT_WORD0]
    lanes[WORD1 + i, lane] = kept[KEPT_WORD1]


@inline_kernel
def keep_seat(lanes, lane, i, kept):
    """Keep what stands in the rows of `fetch_seat` in `kept` (modified in place)."""
    kept[KEPT_HAND] = lanes[HAND + i, lane]
    kept[KEPT_OPEN] = lanes[OPEN + i, lane]
    kept[KEPT_HIDDEN] = lanes[HIDDEN + i, lane]
    kept[KEPT_WORD0] = lanes[WORD0 + i, lane]
    kept[KEPT_WORD1] = lanes[WORD1 + i, lane]


@kernel
def unload(table, box, lanes, lane, seats):
    """Put a lane's round back into the records: what later turns and the score ask for.

    Return whether a seat has no cards left.
    """
    out = False
    table.seat = lanes[SEAT, lane]
    table.first_turn = 0
    for i in range(table.players):
        seat = (table.seat + i) % table.players
        kept = seats[seat]
        if len(table.tower) == 1:
            keep_seat(lanes, lane, i, kept)
        hidden = kept[KEPT_HIDDEN]
        down = (hidden >> HIDDEN_COUNT) & BYTE
        cards = down
        for word in range(len(table.tower)):
            box.seats[seat].hand[word] = kept[KEPT_HAND + word]
            table.open_cards[seat, word] = kept[KEPT_OPEN + word]
            cards += popcount(kept[KEPT_HAND + word]) + popcount(kept[KEPT_OPEN + word])
        box.seats[seat].rng[0] = np.uint64(kept[KEPT_WORD0])
        box.seats[seat].rng[1] = np.uint64(kept[KEPT_WORD1])
        table.hidden_cards[seat] = down
        table.cards[seat] = cards
        out |= cards == 0
        if hidden & FIRST_TURN:
            table.first_turn |= 1 << seat
    table.cap = lanes[CAP, lane]
    for word in range(len(table.tower)):
        table.tower[word] = lanes[TOWER + word, lane]
    table.plays = lanes[PLAYS, lane]
    metrics = table.metrics
    metrics[up.DECISIONS] += lanes[DECISIONS, lane]
    metrics[up.FORCED] += lanes[PLAYS, lane] - lanes[DECISIONS, lane]
    metrics[up.COLLAPSES] += lanes[COLLAPSES, lane]
    metrics[up.CLEARS] += lanes[CLEARS, lane]
    metrics[up.MINUS_TWOS] += lanes[MINUS_TWOS_LAID, lane]
    metrics[up.BLIND_PLAYS] += lanes[BLIND_PLAYS, lane]
    metrics[up.LARGEST_PICKUP] = max(metrics[up.LARGEST_PICKUP], lanes[LARGEST_PICKUP, lane])
    if lanes[NOTES, lane] & SEVERAL_AT_FIRST:
        metrics[up.CLAUSES] |= up.FIRST_TURN_CLAUSE
    if lanes[NOTES, lane] & BLIND_FINISH:
        table.blind_finish = 1
        metrics[up.BLIND_FINISHES] += 1
    return out
