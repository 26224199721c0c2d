"""UP & DOWN: many matches of random play side by side in the lanes of vector registers.

`LANES` matches are dealt and played together, round by round, without a branch: the loops in
`lane_deal` and `lane_turns` are compiled to vector instructions. A round has the same number of
tricks in all of them; when a match is over, its lane is given the next one. The few matches in
which a random number would have to be drawn again are played again one by one. The rows are the
same, bit for bit (`tests/updown/test_lanes.py`).
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.updown.lane_deal import open_rounds
from simcore.games.updown.lane_rows import (
    ABORTED,
    AGAIN,
    FIRST_SEAT,
    KEY,
    LAST_CHANGE,
    MATCH,
    METRIC,
    MOST,
    OVER,
    ROUND,
    SCORE,
    WINNERS,
    WORK,
)
from simcore.games.updown.lane_turns import end_rounds, play_trick
from simcore.games.updown.random_play import play_random_match
from simcore.jit import inline_kernel, kernel
from simcore.lanes import IDLE, LANES, LINE, first_column, is_busy
from simcore.records import write_row


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block at random; see `batch.BlockKernel`."""
    table = tables[0]
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    work = np.zeros(1, WORK)
    column = first_column(work[0].rows)
    work[0].rows[OVER] = 1
    begun = next_matches(work, column, 0, count)
    while is_busy(work[0].rows[MATCH, column : column + LANES]):
        begin_rounds(work, column, seed, first)
        open_rounds(work, column, seed, table)
        leader = np.int64(0)
        for trick in range(table.hand_size):
            play_trick(work, column, leader, table.hand_size, trick, shifts)
            leader = leader + 1 if leader + 1 < table.players else np.int64(0)
        end_rounds(work, column, table)
        if all_end(work, column):
            write_together(work, column, row, out)
        else:
            write_each(work, column, row, out)
        play_again(work, column, tables, boxes, seed, first, row, out)
        begun = next_matches(work, column, begun, count)
    return count


@kernel
def next_matches(work, column, begun, count):
    """Give lanes whose match is over the next one of a block, or none; return how many are begun."""
    rows = work[0].rows
    for offset in range(LANES):
        lane = column + offset
        if rows[OVER, lane]:
            rows[MATCH, lane] = begun if begun < count else IDLE
            begun += 1
    return min(begun, count)


@kernel
def begin_rounds(work, column, seed, first):
    """Number the next round in all lanes, and clear what is counted where a match begins."""
    rows = work[0].rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        over = rows[OVER, lane] != 0
        rows[KEY, lane] = np.int64(rng.match_key(seed, first + rows[MATCH, lane]))
        rows[ROUND, lane] = (0 if over else rows[ROUND, lane]) + 1
        rows[AGAIN, lane] = 0 if over else rows[AGAIN, lane]
        for what in range(FIRST_SEAT, LAST_CHANGE + 1):
            rows[what, lane] = 0 if over else rows[what, lane]
        # At least 1: nobody leads without a trick. And where nobody wins, seat 0 stands as it did.
        rows[MOST, lane] = 1 if over else rows[MOST, lane]


@kernel
def all_end(work, column):
    """Tell whether the matches of all lanes are over, and follow one another."""
    rows = work[0].rows
    wrong = np.int64(0)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        wrong |= rows[MATCH, lane] - offset - rows[MATCH, column & (LINE - 1)]
        wrong |= rows[OVER, lane] - 1
    return wrong == 0


@kernel
def write_together(work, column, row, out):
    """Write the results of all lanes to consecutive rows of a block's columns."""
    first_seat, winners, aborted, scores, metrics = out
    rows = work[0].rows
    row += rows[MATCH, column]
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        first_seat[row + offset] = rows[FIRST_SEAT, lane]
        winners[row + offset] = rows[WINNERS, lane]
        aborted[row + offset] = rows[ABORTED, lane]
    for seat in range(scores.shape[0]):
        copy_row(rows, SCORE + seat, column, scores[seat], row)
    for metric in range(metrics.shape[0]):
        copy_row(rows, METRIC + metric, column, metrics[metric], row)


@inline_kernel
def copy_row(rows, number, column, results, row):
    """Copy a row of all lanes to a column of a block, from a row of it on."""
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        results[row + offset] = rows[number, lane]


@kernel
def write_each(work, column, row, out):
    """Write the results of the matches that are over to their rows of a block's columns."""
    first_seat, winners, aborted, scores, metrics = out
    rows = work[0].rows
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


@kernel
def play_again(work, column, tables, boxes, seed, first, row, out):
    """Play those matches again that are over but must not be trusted, and write them."""
    rows = work[0].rows
    for offset in range(LANES):
        lane = column + offset
        match = rows[MATCH, lane]
        if rows[OVER, lane] & rows[AGAIN, lane] and match != IDLE:
            play_random_match(tables[0], boxes[0], seed, first + match)
            write_row(tables[0], row + match, out)
