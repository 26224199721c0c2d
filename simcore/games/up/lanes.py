"""Up: many matches side by side, in the lanes of vector registers.

A turn of random play takes some sixty instructions that wait for one another and branches that
nobody can predict, so one match alone leaves most of a core idle. Here `LANES` matches take their
turns together and without a branch: the loop in `lane_turns.take_turns` is compiled to vector
instructions. Matches are dealt and scored by the same functions as always; only the turns between
are written a second time, for rounds in which nothing rare is in force and all seats play at
random, or all have policies that say in numbers how they play (`specs`). A round in which
something rare happens all the same goes on in `rounds.play_turns`, where policies are called, as
they are before the play. The rows are the same, bit for bit (`tests/up/test_lanes.py`,
`tests/up/test_lane_policies.py`).

The turns of random play, and what stands where in a lane, are in `lane_turns`; those of policies in
`lane_specs`.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import popcount
from simcore.games.up import table as up
from simcore.games.up.deal import following, start_match, start_round
from simcore.games.up.lane_specs import fetch_spec, take_turns_by_spec, take_weighed_turns
from simcore.games.up.lane_turns import (
    BLIND_FINISH,
    BLIND_PLAYS,
    BYTE,
    CAP,
    CARDS,
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
    PASSES,
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
from simcore.games.up.spec import SEAT_BITS, WEIGHTS, pack_spec
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import IDLE, LANES, first_column, is_busy
from simcore.match import only_random, only_specs
from simcore.records import MATCH_OVER, ROUND_OVER, write_row


def fits_lanes(table, box):
    """Tell whether a block of matches can be played in lanes."""
    if table.multiples_in_first_lap == 0:
        return False
    for seat in range(table.players):
        if table.forget_last_card[seat] > 0.0:
            return False
    return only_random(table, box) or only_specs(table, box)


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block of random play; see `batch.BlockKernel`."""
    work = np.zeros(1, WORK)
    return play_lanes(tables, boxes, work, take_turns, seed, first, count, out, row)


@kernel
def play_by_spec(tables, boxes, seed, first, count, out, row):
    """Play a block of policies that say how they play; see `play_lanes`."""
    work = specified_work(tables[0], boxes[0])
    return play_lanes(tables, boxes, work, take_turns_by_spec, seed, first, count, out, row)


@kernel
def play_weighed(tables, boxes, seed, first, count, out, row):
    """Do the same if some of them weigh cards against values."""
    work = specified_work(tables[0], boxes[0])
    return play_lanes(tables, boxes, work, take_weighed_turns, seed, first, count, out, row)


def weighs(table, box):
    """Tell whether a policy weighs cards against values; not compiled."""
    return any(box.specs[seat, WEIGHTS] != 0 for seat in range(table.players))


@kernel
def specified_work(table, box):
    """Return a work space with the specs of all seats."""
    work = np.zeros(1, WORK)
    work[0].specified = 1
    for seat in range(table.players):
        pack_spec(box.specs[seat], table.players, work[0].packed[seat])
    return work


@outer_kernel
def play_lanes(tables, boxes, work, take_turns, seed, first, count, out, row):
    """Play a block with a function that takes turns.

    Return how many matches were played, or -1 when a policy that was called, before the play or in
    a round that is in no lane, returned an illegal move: then the rows are good for nothing.
    """
    column = first_column(work[0].rows)
    begun = 0
    for lane in range(LANES):
        work[0].rows[MATCH, column + lane] = IDLE
        work[0].rows[ONE, column + lane] = 1
        begun = fill(tables, boxes, work[0], column, lane, seed, first, count, begun, out, row)
    while is_busy(work[0].rows[MATCH, column : column + LANES]):
        take_turns(work[0], column, tables[0])
        for lane in range(LANES):
            if work[0].rows[LEAVES, column + lane]:
                end_round(tables[lane], boxes[lane], work[0], column, lane)
                if next_round(tables[lane], boxes[lane], work[0], column, lane):
                    continue
                begun = fill(
                    tables, boxes, work[0], column, lane, seed, first, count, begun, out, row
                )
    return -1 if work[0].refused else count


@kernel
def fill(tables, boxes, work, column, lane, seed, first, count, begun, out, row):
    """Write a lane's match, which is over, and begin the next one of the block in it.

    Return how many matches of the block are begun now. Without one more the lane is idle.
    """
    table = tables[lane]
    box = boxes[lane]
    place = column + lane
    while True:
        if work.rows[MATCH, place] != IDLE:
            finish_match(table)
            write_row(table, row + work.rows[MATCH, place], out)
        if begun == count:
            work.rows[MATCH, place] = IDLE
            return begun
        start_match(table, box, seed, first + begun)
        work.rows[MATCH, place] = begun
        begun += 1
        if next_round(table, box, work, column, lane):
            return begun


@kernel
def next_round(table, box, work, column, lane):
    """Put the next round of a match into its lane; return False when the match is over."""
    while table.phase != MATCH_OVER:
        start_round(table, box)
        if not decide_start(table, box):
            refuse(table, work)
        elif not table.double:
            load(table, box, work, column, lane)
            return True
        else:
            play_on(table, box, work)
    return False


@kernel
def end_round(table, box, work, column, lane):
    """Take the round that leaves a lane to its end."""
    if unload(table, box, work, column, lane):
        end_play(table)
    else:
        check_play_cap(table)
    play_on(table, box, work)


@kernel
def play_on(table, box, work):
    """Play a round that is in no lane to its end, if it is not over, and score it."""
    if not play_turns(table, box):
        refuse(table, work)
    if table.phase == ROUND_OVER:
        score_round(table, box)


@inline_kernel
def refuse(table, work):
    """Note that a policy returned an illegal move; the match is given up."""
    work.refused = 1
    table.phase = MATCH_OVER


@kernel
def load(table, box, work, column, lane):
    """Put the cards of a round just dealt into a lane."""
    lanes = work.rows
    place = column + lane
    seats = work.seats[lane]
    cards = np.int64(0)
    seat = np.int64(table.seat)
    for i in range(table.players):
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
            fetch_seat(lanes, place, i, kept)
        cards |= table.cards[seat] << (SEAT_BITS * seat)
        seat = following(seat, table.players)
    for number in range(CAP, LEAVES):
        lanes[number, place] = 0
    lanes[SEAT, place] = table.seat
    lanes[CARDS, place] = cards
    lanes[PASSES, place] = 0
    if len(table.tower) > 1:
        fetch(lanes, place, seats[table.seat])
        fetch_spec(lanes, place, work.packed[table.seat])


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
def unload(table, box, work, column, lane):
    """Put a lane's round back into the records: what later turns and the score ask for.

    Return whether a seat has no cards left.
    """
    lanes = work.rows
    place = column + lane
    seats = work.seats[lane]
    out = False
    table.seat = lanes[SEAT, place]
    table.first_turn = 0
    seat = np.int64(table.seat)
    for i in range(table.players):
        kept = seats[seat]
        if len(table.tower) == 1:
            keep_seat(lanes, place, i, kept)
        hidden = kept[KEPT_HIDDEN]
        down = (hidden >> HIDDEN_COUNT) & BYTE
        cards = down
        for word in range(len(table.tower)):
            box.seats[seat].hand[word] = kept[KEPT_HAND + word]
            table.open_cards[seat, word] = kept[KEPT_OPEN + word]
            cards += popcount(kept[KEPT_HAND + word]) + popcount(kept[KEPT_OPEN + word])
        if not work.specified:
            box.seats[seat].rng[0] = np.uint64(kept[KEPT_WORD0])
            box.seats[seat].rng[1] = np.uint64(kept[KEPT_WORD1])
        table.hidden_cards[seat] = down
        table.cards[seat] = cards
        out |= cards == 0
        if hidden & FIRST_TURN:
            table.first_turn |= 1 << seat
        seat = following(seat, table.players)
    table.cap = lanes[CAP, place]
    for word in range(len(table.tower)):
        table.tower[word] = lanes[TOWER + word, place]
    table.plays = lanes[PLAYS, place]
    table.passes = lanes[PASSES, place]
    table.plays_at_pass = table.plays
    metrics = table.metrics
    metrics[up.DECISIONS] += lanes[DECISIONS, place]
    metrics[up.FORCED] += lanes[PLAYS, place] - lanes[DECISIONS, place]
    metrics[up.COLLAPSES] += lanes[COLLAPSES, place]
    metrics[up.CLEARS] += lanes[CLEARS, place]
    metrics[up.MINUS_TWOS] += lanes[MINUS_TWOS_LAID, place]
    metrics[up.BLIND_PLAYS] += lanes[BLIND_PLAYS, place]
    metrics[up.LARGEST_PICKUP] = max(metrics[up.LARGEST_PICKUP], lanes[LARGEST_PICKUP, place])
    if lanes[NOTES, place] & SEVERAL_AT_FIRST:
        metrics[up.CLAUSES] |= up.FIRST_TURN_CLAUSE
    if lanes[NOTES, place] & BLIND_FINISH:
        table.blind_finish = 1
        metrics[up.BLIND_FINISHES] += 1
    return out
