"""Up or down?: many matches side by side in the lanes of vector registers.

All matches have the same turns in the same order, so `LANES` of them go from the first to the last
together: they are dealt (`lane_deal`), play their turns (`lane_turns`) and are scored
(`lane_results`) in rows of their own, without a TABLE or BOX. Turns are taken by what each seat
plays: at random, or by its play spec. So that all lanes have the same on turn, those matches are
played together that the same seat starts.

The rows are the same, bit for bit (`tests/upordown/test_lanes.py`).
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.upordown import rows as at
from simcore.games.upordown.colours import HIGHEST_CARD
from simcore.games.upordown.deal import first_seat_of
from simcore.games.upordown.dials import dials_of, dials_with, rules_by
from simcore.games.upordown.lane_deal import deal_matches
from simcore.games.upordown.lane_results import ALL_ROWS, write_results
from simcore.games.upordown.lane_turns import (
    note_leaders,
    take_planned_turn,
    take_simple_turn,
)
from simcore.games.upordown.rows import row_of
from simcore.games.upordown.spec import APPENDS, PLANS
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import EIGHT_AT_ONCE, FOUR_AT_ONCE, LANES, LINE, as_record, first_column
from simcore.match import all_play
from simcore.records import BY_SPEC, RANDOM

WORK = as_record(
    np.dtype(
        [
            ("rows", "i8", (ALL_ROWS, LANES + LINE)),
            ("worths", "f8", (at.WORTHS, LANES + LINE)),
            ("decks", "u1", (HIGHEST_CARD + 2, LANES)),
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
def play_amounts_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block of matches with dials set, but `insert` and `scoring`."""
    dials = dials_with(tables[0], None, None)
    return play_all(tables, boxes, seed, first, count, out, row, dials)


@kernel
def play_inserting_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block of matches with dials set, but `scoring`."""
    dials = dials_with(tables[0], tables[0].insert, None)
    return play_all(tables, boxes, seed, first, count, out, row, dials)


@kernel
def play_dials_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block of matches with any dials set."""
    return play_all(tables, boxes, seed, first, count, out, row, dials_of(tables[0]))


@outer_kernel
def play_all(tables, boxes, seed, first, count, out, row, dials):
    """Play a block of matches, those together that the same seat starts."""
    work = np.zeros(1, WORK)
    column = first_column(work[0].rows)
    table, box = tables[0], boxes[0]
    players = table.players
    alike = are_alike(table, box)
    waiting = np.zeros((players, LANES, 2), np.int64)
    waits = np.zeros(players, np.int64)
    for match in range(count + players):
        # After the last match, those that still wait.
        seat = match - count
        if match < count:
            key = rng.match_key(seed, first + match)
            start = first_seat_of(box, np.uint64(seed), key, players)
            seat = 0 if alike else start
            waiting[seat, waits[seat], 0] = match
            waiting[seat, waits[seat], 1] = start
            waits[seat] += 1
        if waits[seat] == LANES or (match >= count and waits[seat] > 0):
            clear(work[0], players)
            number_matches(work[0], column, waiting, seat, waits[seat])
            deal_matches(work[0], column, seed, first, table, box, dials)
            take_all_turns(table, box, work[0], column, dials)
            write_results(work[0], column, waits[seat], table, out, row, dials)
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


@kernel
def clear(work, players):
    """Clear the rows that a match begins with; there is nothing in the others that it reads."""
    work.rows[at.FIRST_SEAT_ROW : row_of(players, 0)] = 0
    work.rows[at.UP_LEFT : at.LANE_ROWS] = 0


@kernel
def number_matches(work, column, waiting, seat, count):
    """Give the lanes the matches that wait for each other.

    The lanes that are left over play the first of them along.
    """
    for lane in range(LANES):
        number = lane if lane < count else 0
        work.rows[at.MATCH, column + lane] = waiting[seat, number, 0]
        work.rows[at.FIRST, column + lane] = waiting[seat, number, 1]


@outer_kernel
def take_all_turns(table, box, work, column, dials):
    """Play to the last turn, with which a lap may be cut short [C23]."""
    players = table.players
    first_seat = work.rows[at.FIRST, column]
    is_open = table.open_pile != 0
    turns = table.card_count - rules_by(dials).circle_cards
    # Of the bits of a word one marks the end, and a turn may take two of them.
    scarce = 2 * (turns // players + 1) > 63
    is_laid_out = False
    game = (players, table.columns, table.card_count, box.face_up_size, is_open, scarce)
    for lap in range((turns + players - 1) // players):
        for index in range(min(players, turns - lap * players)):
            left = (turns - lap * players - index - 1) // players
            turn = (index, left, lap)
            spec = box.seats[(first_seat + index) % players].spec
            if spec[0] == PLANS:
                is_laid_out = take_planned_turn(work, column, turn, game, spec, is_laid_out, dials)
            else:
                is_laid_out = False
                take_simple_turn(work, column, turn, game, spec[0] == APPENDS, dials)
            if left >= rules_by(dials).hand_cards:
                draw(work, column, row_of(index, at.DRAWN))
        note_leaders(work, column, players, lap + 1)


@kernel
def draw(work, column, drawn):
    """Give the seat that took its turn the card that it drew; note the next one face up."""
    rows, decks = work.rows, work.decks
    for lane in range(LANES):
        place = column + lane
        rows[drawn, place] = np.int64(decks[np.uint32(rows[at.DRAWN_FROM, place]), lane])
        rows[at.SHOWN, place] = np.int64(decks[np.uint32(rows[at.UP_LEFT, place]), lane])
