"""dnup: many matches side by side in the lanes of vector registers, at random or by specs.

A turn waits for some hundred instructions one after another, or for branches that nobody can
predict. Here `LANES` matches take their turns together and without a branch, by the functions that
matches by themselves use (`lane_turns`). What is rare is done by the ordinary ones: matches are
dealt, and a lane is looked after when a hand was emptied; where a hand has seven cards of a value,
or a seat with a spec takes a round for long, it goes on in `rounds.play_round`. The rows are the
same, bit for bit (`tests/dnup/test_lanes.py`).
"""

from __future__ import annotations

import numpy as np

from simcore.bits import lowest_bit, popcount
from simcore.games.dnup.cards import value_of
from simcore.games.dnup.deal import start_match, start_round
from simcore.games.dnup.deck import VALUES
from simcore.games.dnup.lane_turns import (
    ACTIVE,
    ADDED,
    BEATEN,
    BIT,
    BUSY,
    CAPPED,
    CARDS,
    DECISIONS,
    DOWN,
    EMPTIED,
    FORCED,
    LAID,
    LANE_ROWS,
    LARGEST,
    LEAVES,
    MATCH,
    OUT,
    PLACE,
    PLAYED,
    RETURNED,
    STUCK,
    TAKEN,
    TURNED,
    TURNS,
    TURNS_OVER,
    UP,
    WORD0,
    WORD1,
    WORK,
    places_of,
    take_turn,
)
from simcore.games.dnup.play import abort, go_out
from simcore.games.dnup.rounds import play_round
from simcore.games.dnup.score import finish_match, score_round
from simcore.games.dnup.spec import LAST_ROUND, LAST_TURN, UNTIL
from simcore.games.dnup.table import ACTION, CLAUSE, METRIC
from simcore.jit import kernel
from simcore.lanes import IDLE, LANES, LINE, first_column, is_busy
from simcore.match import all_play
from simcore.records import BY_SPEC, MATCH_OVER, RANDOM, ROUND_OVER, write_row


def fits_lanes(table, box):
    """Tell whether a block of matches can be played in lanes; not compiled.

    All is left to chance, or all play by specs, by the rule text, and no card has the same value
    twice.
    """
    usual = table.may_take and table.may_turn and table.strictly and not table.keeps_side
    doubles = any(table.low[value] & table.high[value] for value in range(1, VALUES + 1))
    return usual and not doubles and (all_play(table, box, RANDOM) or all_play(table, box, BY_SPEC))


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block; see `batch.BlockKernel`."""
    work = np.zeros(1, WORK)
    column = first_column(work[0].rows)
    begun = 0
    for lane in range(LANES):
        work[0].rows[MATCH, column + lane] = IDLE
        tables[lane].phase = MATCH_OVER
        work[0].rows[LEAVES, column + lane] = STUCK
    while True:
        for lane in range(LANES):
            at = column + lane
            if work[0].rows[LEAVES, at] and is_over(tables[lane], boxes[lane], work[0], at):
                match = work[0].rows[MATCH, at]
                if tables[lane].phase == MATCH_OVER:
                    if match != IDLE:
                        end_match(tables[lane], row + match, out)
                    work[0].rows[MATCH, at] = begun if begun < count else IDLE
                    if begun < count:
                        start_match(tables[lane], boxes[lane], seed, first + begun)
                        begun += 1
                load(tables[lane], boxes[lane], work[0], at)
        if not is_busy(work[0].rows[MATCH, column : column + LANES]):
            return count
        take_turns(tables[0], work[0], column, boxes[0].policies[0] == BY_SPEC)


@kernel
def end_match(table, row, out):
    """Finish a match and write it to a row.

    By itself: in a longer function references to the columns would be counted round after round.
    """
    finish_match(table)
    write_row(table, row, out)


@kernel
def take_turns(table, work, column, by_specs):
    """Let all lanes take turns until one must be looked after."""
    rows, at = work.rows, column & (LINE - 1)
    if by_specs:
        while not take_turn(table, rows, at, True):
            pass
    else:
        while not take_turn(table, rows, at, False):
            pass


@kernel
def load(table, box, work, lane):
    """Begin the next round of a match in a lane; or leave it idle."""
    rows = work.rows
    match = rows[MATCH, lane]
    for number in range(BIT, LANE_ROWS):
        rows[number, lane] = 0
    rows[MATCH, lane] = match
    if match == IDLE:
        return
    start_round(table, box)
    for i in range(table.players):
        seat = box.seats[i]
        rows[UP + i, lane] = seat.up
        rows[DOWN + i, lane] = seat.down
        rows[ACTIVE + i, lane] = seat.active
        rows[TURNED + i, lane] = seat.turned
        by_spec = box.policies[i] == BY_SPEC
        rows[WORD0 + i, lane] = seat.spec[0] if by_spec else np.int64(seat.rng[0])
        rows[WORD1 + i, lane] = seat.spec[1] if by_spec else np.int64(seat.rng[1])
    place = table.place
    while table.next_place[place] != table.place:
        place = table.next_place[place]
    rows[PLACE, lane] = place
    rows[OUT, lane] = table.first_out
    rows[BUSY, lane] = 1


@kernel
def is_over(table, box, work, lane):
    """Look after a lane after a turn; return whether its round is over."""
    rows = work.rows
    if rows[MATCH, lane] == IDLE:
        return True
    why = rows[LEAVES, lane]
    table.place = np.uint32(rows[PLACE, lane])
    table.seat = table.place & table.seat_mask
    table.turns = rows[TURNS, lane]
    if why & RETURNED:
        table.metrics[METRIC.clauses] |= CLAUSE.set_returned
    if why & STUCK:
        unload(table, box, work, lane)
        play_round(table, box)
    else:
        if why & EMPTIED and (why & RETURNED == 0 or table.win_on_playing):
            go_out(table)
            rows[OUT, lane] = table.first_out
        if table.phase == ACTION and why & CAPPED:
            abort(table)
        if table.phase == ACTION:
            return False
    metrics = table.metrics
    metrics[METRIC.sets_played] += rows[PLAYED, lane]
    metrics[METRIC.cards_added] += rows[ADDED, lane]
    metrics[METRIC.sets_taken] += rows[TAKEN, lane]
    metrics[METRIC.turns_over] += rows[TURNS_OVER, lane]
    metrics[METRIC.sets_beaten] += rows[BEATEN, lane]
    metrics[METRIC.largest_set] = max(metrics[METRIC.largest_set], rows[LARGEST, lane])
    metrics[METRIC.decisions] += rows[DECISIONS, lane]
    metrics[METRIC.forced] += rows[FORCED, lane]
    if table.phase == ROUND_OVER:
        score_round(table, box)
    return True


@kernel
def unload(table, box, work, lane):
    """Put a lane's round back into the records, at the start of a turn."""
    rows = work.rows
    table.laid = rows[LAID, lane]
    for i in range(table.players):
        seat = box.seats[i]
        seat.up = rows[UP + i, lane]
        seat.down = rows[DOWN + i, lane]
        if box.policies[i] != BY_SPEC:
            seat.rng[0] = np.uint64(rows[WORD0 + i, lane])
            seat.rng[1] = np.uint64(rows[WORD1 + i, lane])
        elif rows[WORD0 + i, lane] >> UNTIL:
            seat.memory[LAST_ROUND] = table.round_number
            seat.memory[LAST_TURN] = (rows[WORD0 + i, lane] >> UNTIL) - table.players - 1
        seat.active = rows[ACTIVE + i, lane]
        seat.turned = rows[TURNED + i, lane]
        table.cards[i] = popcount(seat.up | seat.down)
    for i in range(places_of(table)):
        bit = rows[BIT + i, lane]
        if bit:
            table.set_cards[i] = rows[CARDS + i, lane]
            table.set_bit[i] = bit
            table.set_value[i] = value_of(lowest_bit(bit))
            table.place_of_row[popcount(rows[CARDS + i, lane]) - 1] = i
