"""Up or down?: many matches side by side in the lanes of vector registers.

All matches have the same turns in the same order, so `LANES` of them go from the first to the last
together: they are dealt (`lane_deal`), play their turns (`lane_turns`) and are scored in rows of
their own, without a TABLE or BOX. Turns are taken by what each seat plays: at random, or by its
play spec. So that all lanes have the same on turn, those matches are played together that the same
seat starts.

The rows are the same, bit for bit (`tests/upordown/test_lanes.py`).
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.upordown import lane_turns, score
from simcore.games.upordown import rows as at
from simcore.games.upordown.colours import HIGHEST_CARD
from simcore.games.upordown.deal import first_seat_of
from simcore.games.upordown.dials import dials_of, dials_with, rules_by
from simcore.games.upordown.lane_deal import deal_matches
from simcore.games.upordown.rows import parts_of, put_where, row_of
from simcore.games.upordown.spec import APPENDS, PLANS
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import (
    EIGHT_AT_ONCE,
    FOUR_AT_ONCE,
    LANES,
    LINE,
    as_record,
    copy_row,
    first_column,
)
from simcore.match import all_play
from simcore.records import BY_SPEC, RANDOM
from simcore.vectors import LANES as EIGHT
from simcore.vectors import choose, largest, one_at, put_one

WORK = as_record(
    np.dtype(
        [
            ("rows", "i8", (at.LANE_ROWS, LANES + LINE)),
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
    return play_all(tables, boxes, seed, first, count, out, row, dials_with(tables[0], None, None))


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
            note_results(work[0], column, table, dials)
            write_results(work[0], column, waits[seat], players, out, row)
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
    work.rows[at.FIRST_LANE_ROW :] = 0


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
            plans = spec[0] == PLANS
            if plans:
                lane_turns.take_planned_turn(work, column, turn, game, spec, is_laid_out, dials)
            else:
                lane_turns.take_simple_turn(work, column, turn, game, spec[0] == APPENDS, dials)
            is_laid_out = plans
            if left >= rules_by(dials).hand_cards:
                draw(work, column, row_of(index, at.DRAWN))
        lane_turns.note_leaders(work, column, players, lap + 1)


@kernel
def draw(work, column, drawn):
    """Give the seat that took its turn the card that it drew; note the next one face up."""
    rows, decks = work.rows, work.decks
    for lane in range(LANES):
        place = column + lane
        rows[drawn, place] = np.int64(decks[np.uint32(rows[at.DRAWN_FROM, place]), lane])
        rows[at.SHOWN, place] = np.int64(decks[np.uint32(rows[at.UP_LEFT, place]), lane])


@kernel
def note_results(work, column, table, dials):
    """Note what the result of each match asks for, as `score` does."""
    rows = work.rows
    players, columns = table.players, table.columns
    turns = table.card_count - rules_by(dials).circle_cards
    no_draws = players * rules_by(dials).hand_cards
    for start in range(column, column + LANES, EIGHT):
        _, winners = score.most_points((rows, start), lane_turns.score_at, players)
        leaders = one_at(rows, at.LEADERS, start)
        laps = (turns + players - 1) // players
        put_where(
            rows, at.METRIC.last_lead_change, start, score.is_lost_lead(winners, leaders), laps
        )
        put_one(rows, at.WINNERS, start, winners)
        put_one(rows, at.METRIC.turns, start, turns)
        # With one card in the hand there is no choice of it.
        forced = one_at(rows, at.METRIC.forced, start)
        forced = forced + (turns if rules_by(dials).hand_cards == 1 else players)
        put_one(rows, at.METRIC.forced, start, forced)
        choices = 4 * turns - no_draws - one_at(rows, at.ONE_PILE, start)
        put_one(rows, at.METRIC.decisions, start, choices - forced)
        comeback = winners & 0
        for index in range(players):
            deficit = one_at(rows, row_of(index, at.DEFICIT), start)
            comeback = largest(comeback, choose((winners >> index) & 1 == 1, deficit, 0))
        longest, best, kept, clauses = score.counts_at_end(
            (rows, start, dials), column_of_lanes, players, columns
        )
        discards = turns - kept
        clauses = clauses | score.clause_of_discards(discards, rules_by(dials).discard_points)
        clauses = clauses | one_at(rows, at.METRIC.clauses, start) | table.clauses_of_options
        put_one(rows, at.METRIC.comeback, start, comeback)
        put_one(rows, at.METRIC.longest_column, start, longest)
        put_one(rows, at.METRIC.best_column, start, best)
        put_one(rows, at.METRIC.cards_discarded, start, discards)
        put_one(rows, at.METRIC.clauses, start, clauses)


@inline_kernel
def column_of_lanes(state, index, place):
    """Return cards and points of a column, see `score.counts_at_end`."""
    rows, start, dials = state
    length, most, _ = parts_of(one_at(rows, row_of(index, at.COLUMN + place), start))
    return length, score.points_of(length, most, rules_by(dials).scoring)


@inline_kernel
def write_results(work, column, count, players, out, row):
    """Write what was noted of the first `count` lanes to their rows of a block's columns."""
    first_seat, winners, aborted, scores, metrics = out
    rows = work.rows
    for lane in range(column, column + count):
        here = row + rows[at.MATCH, lane]
        first = rows[at.FIRST, lane]
        first_seat[here] = first
        winners[here] = by_seat(rows[at.WINNERS, lane], first, players)
        aborted[here] = 0
        for index in range(players):
            seat = first + index
            seat -= players if seat >= players else 0
            scores[seat, here] = rows[row_of(index, at.SCORE), lane]
    begun = row + rows[at.MATCH, column]
    follow = rows[at.MATCH, column + LANES - 1] - rows[at.MATCH, column] == LANES - 1
    for metric in range(metrics.shape[0]):
        if follow:
            place = metric * metrics.shape[1] + begun
            copy_row(rows, at.FIRST_METRIC + metric, (column, LANES), metrics, place)
            continue
        for lane in range(column, column + count):
            metrics[metric, row + rows[at.MATCH, lane]] = rows[at.FIRST_METRIC + metric, lane]


@inline_kernel
def by_seat(bits, first, players):
    """Return bits of seats that are counted from the first one as they are counted from seat 0."""
    return ((bits << first) | (bits >> (players - first))) & ((1 << players) - 1)
