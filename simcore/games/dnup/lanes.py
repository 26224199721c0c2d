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
from simcore.games.dnup import lane_turns as at
from simcore.games.dnup.cards import value_of
from simcore.games.dnup.deal import start_match, start_round
from simcore.games.dnup.deck import VALUES
from simcore.games.dnup.play import end_action, is_out, take_up
from simcore.games.dnup.rounds import finish_match, play_round, score_round
from simcore.games.dnup.spec import LAST_ROUND, LAST_TURN
from simcore.games.dnup.table import ACTION, METRIC
from simcore.jit import inline_kernel, kernel
from simcore.lanes import IDLE, LANES, LINE, first_column
from simcore.match import all_play
from simcore.records import BY_SPEC, MATCH_OVER, RANDOM, ROUND_OVER, write_row


def fits_lanes(table, box):
    """Tell whether a block of matches can be played in lanes; not compiled.

    All play at random or by specs, and no card has the same value twice.
    """
    doubles = any(table.low[value] & table.high[value] for value in range(1, VALUES + 1))
    return not doubles and all_play(table, box, RANDOM, BY_SPEC)


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block; see `batch.BlockKernel`."""
    work = np.zeros(1, at.WORK)
    column = first_column(work[0].rows)
    for lane in range(LANES):
        work[0].rows[at.MATCH, column + lane] = IDLE
        work[0].rows[at.LEAVES, column + lane] = at.STUCK
        tables[lane].phase = MATCH_OVER
    block = (seed, first, count)
    begun = 0
    place = np.uint32(0)
    while True:
        for lane in range(LANES):
            here = column + lane
            leaves = work[0].rows[at.LEAVES, here]
            if leaves and is_over(tables[lane], boxes[lane], work[0], here, place):
                if tables[lane].phase == MATCH_OVER:
                    change_match(tables[lane], boxes[lane], work[0], here, block, begun, out, row)
                    begun += 1
                load(tables[lane], boxes[lane], work[0], here, place)
        if begun == count + LANES:
            return count
        place = take_turns(tables[0], boxes[0], work[0], column, place)


@inline_kernel
def change_match(table, box, work, lane, block, begun, out, row):
    """Finish the match of a lane, and begin another of the block, of which so many are begun.

    In the kernel itself references to the columns would be counted.
    """
    seed, first, count = block
    match = work.rows[at.MATCH, lane]
    if match != IDLE:
        finish_match(table)
        write_row(table, row + match, out)
    work.rows[at.MATCH, lane] = begun if begun < count else IDLE
    if begun < count:
        start_match(table, box, seed, first + begun)


@kernel
def take_turns(table, box, work, column, place):
    """Let places take turns after this one until a lane must be looked after; return the last."""
    rows, first = work.rows, column & (LINE - 1)
    leaves = False
    while not leaves:
        place = table.next_place[place]
        seat = place & table.seat_mask
        spec = box.seats[seat].spec
        if box.policies[seat] == BY_SPEC:
            leaves = at.take_turn(table, spec, rows, first, np.int64(place), True)
        else:
            leaves = at.take_turn(table, spec, rows, first, np.int64(place), False)
    return place


@kernel
def load(table, box, work, lane, place):
    """Begin the next round of a match in a lane, after a turn of this place; or leave it idle."""
    rows = work.rows
    match = rows[at.MATCH, lane]
    for number in range(at.LANE_ROWS):
        rows[number, lane] = 0
    rows[at.MATCH, lane] = match
    if match == IDLE:
        return
    start_round(table, box)
    for i in range(table.players):
        seat = box.seats[i]
        first = at.PLACE_ROWS * i
        rows[first + at.UP, lane] = seat.up
        rows[first + at.DOWN, lane] = seat.down
        rows[first + at.ACTIVE, lane] = seat.active
        rows[first + at.TURNED, lane] = seat.turned
        if box.policies[i] != BY_SPEC:
            rows[first + at.WORD0, lane] = np.int64(seat.rng[0])
            rows[first + at.WORD1, lane] = np.int64(seat.rng[1])
    while table.next_place[place] != table.place:
        place = table.next_place[place]
        rows[at.TURNS, lane] -= 1


@kernel
def is_over(table, box, work, lane, place):
    """Look after a lane after a turn of this place; return whether its round is over."""
    rows = work.rows
    if rows[at.MATCH, lane] == IDLE:
        return True
    why = rows[at.LEAVES, lane]
    table.place = place
    table.seat = place & table.seat_mask
    table.turns = rows[at.TURNS, lane]
    table.metrics[METRIC.clauses] |= rows[at.CLAUSES, lane]
    went_out = is_out(table, why & at.EMPTIED != 0, why & at.RETURNED != 0)
    if why & at.STUCK:
        unload(table, box, work, lane)
        play_round(table, box)
    else:
        end_action(table, went_out)
        if table.phase == ACTION:
            return False
    metrics = table.metrics
    turns = rows[at.TURNS, lane]
    metrics[METRIC.sets_played] += rows[at.PLAYED, lane]
    metrics[METRIC.cards_added] += rows[at.ADDED, lane]
    metrics[METRIC.sets_taken] += rows[at.TAKEN, lane]
    others = turns - rows[at.PLAYED, lane] - rows[at.ADDED, lane] - rows[at.TAKEN, lane]
    passes = 0 if table.may_turn else others
    metrics[METRIC.turns_over] += others - passes
    metrics[METRIC.passes] += passes
    metrics[METRIC.sets_beaten] += rows[at.BEATEN, lane]
    metrics[METRIC.largest_set] = max(metrics[METRIC.largest_set], rows[at.LARGEST, lane])
    metrics[METRIC.decisions] += turns - passes - rows[at.FORCED, lane] + rows[at.PICKS, lane]
    metrics[METRIC.forced] += rows[at.FORCED, lane]
    if table.phase == ROUND_OVER:
        score_round(table, box)
    return True


@kernel
def unload(table, box, work, lane):
    """Put a lane's round back into the records, at the start of a turn."""
    rows = work.rows
    table.laid = rows[at.LAID, lane]
    table.discards = table.in_play
    for i in range(table.players):
        seat = box.seats[i]
        first = at.PLACE_ROWS * i
        seat.up = rows[first + at.UP, lane]
        seat.down = rows[first + at.DOWN, lane]
        seat.active = rows[first + at.ACTIVE, lane]
        seat.turned = rows[first + at.TURNED, lane]
        if box.policies[i] != BY_SPEC:
            seat.rng[0] = np.uint64(rows[first + at.WORD0, lane])
            seat.rng[1] = np.uint64(rows[first + at.WORD1, lane])
        elif rows[first + at.UNTIL, lane]:
            seat.memory[LAST_ROUND] = table.round_number
            seat.memory[LAST_TURN] = rows[first + at.UNTIL, lane] - table.players - 1
        table.cards[i] = popcount(seat.up | seat.down)
        table.known[i] = rows[first + at.KNOWN, lane]
        table.known_down |= table.known[i] & seat.down
        table.discards &= ~(seat.up | seat.down)
    for i in range(at.places_of(table)):
        first = at.PLACE_ROWS * i
        cards, bit = rows[first + at.CARDS, lane], rows[first + at.BIT, lane]
        if bit == 0 or (bit < 0 and i == table.first_out):
            continue
        table.discards &= ~cards
        value = value_of(lowest_bit(bit))
        if bit > 0:
            table.set_cards[i] = cards
            table.set_bit[i] = bit
            table.set_value[i] = value
            table.place_of_row[popcount(cards) - 1] = i
        else:
            owner = i & np.int64(table.seat_mask)
            take_up(table, box.seats[owner], owner, cards, value)
