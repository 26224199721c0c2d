"""UP & DOWN: many matches side by side in the lanes of vector registers, at random or by specs.

`LANES` matches are dealt and played together, round by round, without a branch: the loops in
`lane_deal`, `lane_turns` and, for tables where all have a play spec (`spec`), `lane_choice` are
compiled to vector instructions. A round has the same number of tricks in all of them; when a match
is over, its lane is given the next one. The few matches in which a random number would have to be
drawn again are played again one by one. The rows are the same, bit for bit
(`tests/updown/test_lanes.py`, `tests/updown/test_lane_policies.py`).
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.updown.lane_choice import open_seats, play_by_spec_trick
from simcore.games.updown.lane_deal import open_rounds, play_hands
from simcore.games.updown.lane_rows import (
    ABORTED,
    AGAIN,
    COUNTS,
    DEFICITS,
    FIRST_SEAT,
    KEY,
    LANES,
    LARGEST,
    LAST_CHANGE,
    LEAD_CHANGES,
    LEADERS,
    LOST,
    MATCH,
    METRIC,
    MOST,
    OVER,
    ROUND,
    SCORE,
    STRAYS,
    TOTALS,
    TRICKS,
    WINNERS,
    WORK,
)
from simcore.games.updown.lane_turns import end_rounds, play_trick
from simcore.games.updown.random_play import play_random_match
from simcore.games.updown.rounds import play_match
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import IDLE, LINE, first_column, is_busy
from simcore.records import write_row
from simcore.vectors import LANES as VECTOR
from simcore.vectors import eight_from, store_eight


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block at random; see `batch.BlockKernel`."""
    return play_all(
        tables, boxes, seed, first, count, out, row, play_random_round, play_random_match
    )


@kernel
def play_by_spec(tables, boxes, seed, first, count, out, row):
    """Play a block where every seat has a play spec; see `batch.BlockKernel`."""
    return play_all(tables, boxes, seed, first, count, out, row, play_by_spec_round, play_match)


@outer_kernel
def play_all(tables, boxes, seed, first, count, out, row, play_round, play_alone):
    """Play a block with a function for rounds in lanes, and one for single matches."""
    table = tables[0]
    work = np.zeros(1, WORK)
    column = first_column(work[0].rows)
    work[0].rows[OVER] = 1
    begun = follow_each(work[0], column, 0, count)
    while is_busy(work[0].rows[MATCH, column : column + LANES]):
        begin_rounds(work[0], column, seed, first)
        open_rounds(work[0], column, seed, table)
        play_round(work[0], column, seed, table, boxes[0])
        end_rounds(work[0], column, work[0].rows[MATCH, column], table)
        together, again = look_round(work[0], column)
        if together:
            write_together(work[0], column, row, out)
        else:
            write_each(work[0], column, row, out)
        if again:
            for lane in range(column, column + LANES):
                match = match_again(work[0], lane)
                if match == IDLE:
                    continue
                if not play_alone(table, boxes[0], seed, first + match):
                    return 0  # A policy that was called returned an illegal move.
                write_row(table, row + match, out)
        if together:
            follow_together(work[0], column, begun, count)
            begun = min(begun + LANES, count)
        else:
            begun = follow_each(work[0], column, begun, count)
    return count


@outer_kernel
def play_random_round(work, column, seed, table, box):  # noqa: ARG001
    """Play a round that is dealt at random in all lanes."""
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    play_hands(work, column, seed, table)
    leader = np.int64(0)
    for trick in range(table.hand_size):
        play_trick(work, column, leader, trick, shifts)
        leader = leader + 1 if leader + 1 < table.players else np.int64(0)


@outer_kernel
def play_by_spec_round(work, column, seed, table, box):
    """Play a round that is dealt, with everybody's spec, in all lanes."""
    for seat in range(table.players):
        open_seats(work, column, seed, seat)
    leader = np.int64(0)
    for trick in range(table.hand_size):
        play_by_spec_trick(work, column, leader, trick, table, box)
        leader = leader + 1 if leader + 1 < table.players else np.int64(0)


@inline_kernel
def match_again(work, lane):
    """Return the match of a lane if it is over but must not be trusted, else `IDLE`."""
    over = work.rows[OVER, lane] & work.rows[AGAIN, lane]
    return work.rows[MATCH, lane] if over != 0 else np.int64(IDLE)


@kernel
def follow_each(work, column, begun, count):
    """Give lanes whose match is over the next one of a block, or none.

    Return how many are begun now.
    """
    rows = work.rows
    for offset in range(LANES):
        lane = column + offset
        if rows[OVER, lane]:
            rows[MATCH, lane] = begun if begun < count else IDLE
            begun += 1
    return min(begun, count)


@kernel
def follow_together(work, column, begun, count):
    """Do the same where all matches are over."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        rows[MATCH, lane] = begun + offset if begun + offset < count else IDLE


@kernel
def begin_rounds(work, column, seed, first):
    """Begin to number the next round in all lanes; where a match begins clear what is counted."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        kept = rows[OVER, lane] - 1
        rows[KEY, lane] = np.int64(rng.match_key(seed, first + max(rows[MATCH, lane], 0)))
        rows[ROUND, lane] = (rows[ROUND, lane] & kept) + 1
        # At least 1: nobody leads without a trick. And where nobody wins, seat 0 stands as it did.
        rows[MOST, lane] = max(rows[MOST, lane] & kept, 1)
        rows[AGAIN, lane] &= kept
        rows[FIRST_SEAT, lane] &= kept
        rows[TOTALS, lane] &= kept
        rows[LEADERS, lane] &= kept
        rows[DEFICITS, lane] &= kept
        rows[COUNTS, lane] &= kept
        rows[TRICKS, lane] &= kept
        rows[LOST, lane] &= kept
        rows[LARGEST, lane] &= kept
        rows[LEAD_CHANGES, lane] &= kept
        rows[LAST_CHANGE, lane] &= kept


@kernel
def look_round(work, column):
    """Tell whether all matches end and follow one another, and whether one is to play again."""
    rows = work.rows
    strays = np.int64(0)
    again = np.int64(0)
    for lane in range(LANES):
        strays |= rows[STRAYS, column + lane]
        again |= rows[AGAIN, column + lane]
    return strays == 0, again != 0


@inline_kernel
def write_together(work, column, row, out):
    """Write the results of all lanes to consecutive rows of a block's columns."""
    first_seat, winners, aborted, scores, metrics = out
    rows = work.rows
    row += rows[MATCH, column]
    copy_row(rows, FIRST_SEAT, column, first_seat, row)
    copy_row(rows, WINNERS, column, winners, row)
    copy_row(rows, ABORTED, column, aborted, row)
    for seat in range(scores.shape[0]):
        copy_row(rows, SCORE + seat, column, scores, seat * scores.shape[1] + row)
    for metric in range(metrics.shape[0]):
        copy_row(rows, METRIC + metric, column, metrics, metric * metrics.shape[1] + row)


@inline_kernel
def copy_row(rows, number, column, results, place):
    """Copy a row of all lanes to an array, from a place on, counted through."""
    start = number * rows.shape[1] + column
    for lane in range(0, LANES, VECTOR):
        store_eight(results, place + lane, eight_from(rows, start + lane))


@inline_kernel
def write_each(work, column, row, out):
    """Write the results of the matches that are over to their rows of a block's columns."""
    first_seat, winners, aborted, scores, metrics = out
    rows = work.rows
    for offset in range(LANES):
        lane = column + offset
        if rows[OVER, lane] and rows[MATCH, lane] != IDLE:
            here = row + rows[MATCH, lane]
            first_seat[here] = rows[FIRST_SEAT, lane]
            winners[here] = rows[WINNERS, lane]
            aborted[here] = rows[ABORTED, lane]
            for seat in range(scores.shape[0]):
                scores[seat, here] = rows[SCORE + seat, lane]
            for metric in range(metrics.shape[0]):
                metrics[metric, here] = rows[METRIC + metric, lane]
