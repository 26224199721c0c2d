"""Up or down?: many matches side by side in the lanes of vector registers.

All matches have the same turns in the same order, so `LANES` of them go from the first to the last
together. Matches are dealt and scored by the same functions as always; the turns between are taken
by what each seat plays (`lane_turns`): at random, or by its play spec. So that all lanes have the
same on turn, those matches are played together that the same seat starts.

The rows are the same, bit for bit (`tests/upordown/test_lanes.py`).
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.upordown import rows as at
from simcore.games.upordown import table as upordown
from simcore.games.upordown.deal import first_seat_of, start_match, start_round
from simcore.games.upordown.dials import dials_of, rules_by
from simcore.games.upordown.lane_turns import (
    note_leaders,
    row_of,
    take_planned_turn,
    take_simple_turn,
)
from simcore.games.upordown.score import finish_match, points_of, score_round
from simcore.games.upordown.spec import APPENDS, PLANS
from simcore.games.upordown.table import FACE_DOWN, FACE_UP
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import EIGHT_AT_ONCE, FOUR_AT_ONCE, LANES, LINE, as_record, first_column
from simcore.match import all_play, note_lead_change
from simcore.records import BY_SPEC, RANDOM, write_row

WORK = as_record(
    np.dtype(
        [
            ("rows", "i8", (at.LANE_ROWS, LANES + LINE)),
            ("worths", "f8", (at.LANE_WORTHS, LANES + LINE)),
        ]
    )
)


def fits_lanes(table, box):
    """Tell whether a block of matches can be played in lanes; not compiled."""
    can = all_play(table, box, RANDOM, BY_SPEC)
    plans = any(box.seats[seat].spec[0] == PLANS for seat in range(table.players))
    return can and table.printed_colours != 0 and (EIGHT_AT_ONCE if plans else FOUR_AT_ONCE)


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block of matches by the rule text; see `batch.BlockKernel`."""
    return play_all(tables, boxes, seed, first, count, out, row, None)


@kernel
def play_dials_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block of matches with dials set; see `batch.BlockKernel`."""
    return play_all(tables, boxes, seed, first, count, out, row, dials_of(tables[0]))


@outer_kernel
def play_all(tables, boxes, seed, first, count, out, row, dials):
    """Play a block of matches, those together that the same seat starts."""
    work = np.zeros(1, WORK)
    players = tables[0].players
    alike = are_alike(tables[0], boxes[0])
    waiting = np.zeros((players, LANES), np.int64)
    waits = np.zeros(players, np.int64)
    for match in range(count + players):
        # After the last match, those that still wait.
        seat = match - count
        if match < count:
            key = rng.match_key(seed, first + match)
            seat = 0 if alike else first_seat_of(boxes[0], np.uint64(seed), key, players)
            waiting[seat, waits[seat]] = match
            waits[seat] += 1
        if waits[seat] == LANES or (match >= count and waits[seat] > 0):
            matches = waiting[seat, : waits[seat]]
            play_waiting(tables, boxes, work, seed, first, matches, out, row, dials)
            waits[seat] = 0
    return count


@inline_kernel
def are_alike(table, box):
    """Tell whether all seats play the same way, so that it does not matter who starts."""
    for seat in range(1, table.players):
        for word in range(len(box.seats[0].spec)):
            if box.seats[seat].spec[word] != box.seats[0].spec[word]:
                return False
    return True


@outer_kernel
def play_waiting(tables, boxes, work, seed, first, matches, out, row, dials):
    """Play up to `LANES` matches together, by their numbers in the block."""
    column = first_column(work[0].rows)
    work[0].rows[:] = 0
    for lane in range(len(matches)):
        start_match(tables[lane], boxes[lane], seed, first + matches[lane])
        start_round(tables[lane], boxes[lane])
    for lane in range(LANES):
        # Those that are left over play along, with a stream from which numbers can be drawn.
        dealt = lane if lane < len(matches) else 0
        load(tables[dealt], boxes[dealt], work[0].rows, column + lane)
    take_all_turns(tables, boxes, work, column, dials)
    for lane in range(len(matches)):
        table = tables[lane]
        unload(table, work[0].rows, column + lane)
        score_round(table, boxes[lane])
        finish_match(table)
        write_row(table, row + matches[lane], out)


@outer_kernel
def take_all_turns(tables, boxes, work, column, dials):
    """Play to the last turn, with which a lap may be cut short [C23]."""
    table = tables[0]
    players = table.players
    is_open = table.open_pile != 0
    turns = table.turns_left
    # Of the bits of a word one marks the end, and a turn may take two of them.
    scarce = 2 * (turns // players + 1) > 63
    game = (players, table.columns, table.card_count, boxes[0].face_up_size, is_open, scarce)
    for lap in range((turns + players - 1) // players):
        for index in range(min(players, turns - lap * players)):
            left = (turns - lap * players - index - 1) // players
            turn = (index, left, lap)
            spec = boxes[0].seats[(table.first_seat + index) % players].spec
            if spec[0] == PLANS:
                take_planned_turn(work[0], column, turn, game, spec, dials)
            else:
                take_simple_turn(work[0], column, turn, game, spec[0] == APPENDS, dials)
            if left >= rules_by(dials).hand_cards:
                draw(boxes, work[0].rows, column, row_of(index, at.DRAWN))
        note_leaders(work[0], column, players, lap + 1)


@kernel
def draw(boxes, lanes, column, drawn):
    """Give the seat that took its turn the card that it drew; note the next one face up."""
    for lane in range(LANES):
        place = column + lane
        deck = boxes[lane].deck
        lanes[drawn, place] = np.int64(deck[np.uint32(lanes[at.DRAWN_FROM, place])])
        lanes[at.SHOWN, place] = np.int64(deck[np.uint32(lanes[at.UP_LEFT, place])])


@kernel
def load(table, box, lanes, column):
    """Put the cards of a match just dealt into a lane."""
    lanes[at.CIRCLE, column] = table.circle
    lanes[at.WIDE_LOW, column] = table.wide_circle[0]
    lanes[at.WIDE_HIGH, column] = table.wide_circle[1]
    lanes[at.UP_LEFT, column] = table.pile_cards[FACE_UP]
    lanes[at.DOWN_LEFT, column] = table.pile_cards[FACE_DOWN]
    lanes[at.SHOWN, column] = table.face_up_card
    for index in range(table.players):
        seat_index = (table.first_seat + index) % table.players
        seat = box.seats[seat_index]
        lanes[row_of(index, at.WORD0), column] = np.int64(seat.rng[0])
        lanes[row_of(index, at.WORD1), column] = np.int64(seat.rng[1])
        lanes[row_of(index, at.COINS), column] = np.int64(seat.coins)
        lanes[row_of(index, at.HAND), column] = seat.hand
        lanes[row_of(index, at.FLOORS), column] = table.floors[seat_index]
        lanes[row_of(index, at.CEILINGS), column] = table.ceilings[seat_index]


@kernel
def unload(table, lanes, column):
    """Put what the result of a match asks for back into its table."""
    players = table.players
    turns = table.turns_left
    leaders = lanes[at.LEADERS, column]
    for index in range(players):
        seat = (table.first_seat + index) % players
        used = lanes[row_of(index, at.USED), column]
        discards = (turns - index - 1) // players + 1
        table.scores[seat] = lanes[row_of(index, at.SCORE), column]
        table.deficits[seat] = lanes[row_of(index, at.DEFICIT), column]
        table.columns_used[seat] = used
        table.leaders |= ((leaders >> index) & 1) << seat
        for place in range(used):
            word = lanes[row_of(index, at.COLUMN + place), column]
            length = (word >> at.LENGTH) & at.FIELD
            table.lengths[seat, place] = length
            table.points[seat, place] = points_of(
                length, (word >> at.MOST) & at.FIELD, table.scoring
            )
            discards -= length
        table.discards[seat] = discards
    note_lead_change(table, lanes[at.LAST_LEAD_CHANGE, column])
    table.turns_left = 0
    table.laps = (turns + players - 1) // players
    choices = 4 * turns - lanes[at.ONE_PILE, column]
    # With one card in the hand there is no choice of it.
    forced = lanes[at.FORCED, column] + (turns if table.hand_cards == 1 else players)
    if lanes[at.INSERTED, column] > 0:
        table.metrics[upordown.METRIC.clauses] |= upordown.CLAUSE.insert
    table.metrics[upordown.METRIC.columns_given_up] = lanes[at.GIVEN_UP, column]
    table.metrics[upordown.METRIC.lead_changes] = lanes[at.LEAD_CHANGES, column]
    table.metrics[upordown.METRIC.forced] = forced
    table.metrics[upordown.METRIC.decisions] = choices - forced
