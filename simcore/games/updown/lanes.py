"""UP & DOWN: many matches side by side in the lanes of vector registers, at random or by specs.

`LANES` matches are dealt and played together, round by round, without a branch: eight or sixteen at
a time are a vector, and loops over lanes are compiled to vector instructions. They read and write
what stands in the lanes; the rules and the choices between are those of `deal`, `play`, `score` and
`choice`. A round has the same number of tricks in all lanes; when a match is over, its lane is
given the next one. The few matches in which a random number would have to be drawn again are played
again one by one. The rows are the same, bit for bit (`tests/updown/test_lanes.py`).
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.updown import lane_rows as at
from simcore.games.updown.cards import LANE
from simcore.games.updown.deal import clauses_of
from simcore.games.updown.lane_deal import mix_rounds, open_rounds, open_seats
from simcore.games.updown.lane_rows import LANES, dials_of, plays_otherwise, rules_by
from simcore.games.updown.lane_turns import TOTAL, play_trick, play_trick_by_specs
from simcore.games.updown.play import next_leader
from simcore.games.updown.rounds import lost_at_end, play_block, result_of
from simcore.games.updown.table import CLAUSE, SEATS
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import IDLE, LINE, copy_row, first_column, is_busy, lanes_from
from simcore.match import all_random
from simcore.vectors import LANES as VECTOR
from simcore.vectors import choose, put_eight, vector

EACH_LANE = tuple(range(VECTOR))


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block by the rule text, by play specs or at random; see `batch.BlockKernel`."""
    return play_all(tables, boxes, seed, first, count, out, row, None)


@kernel
def play_dials_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block with dials set; see `batch.BlockKernel`."""
    return play_all(tables, boxes, seed, first, count, out, row, dials_of(tables[0]))


@outer_kernel
def play_all(tables, boxes, seed, first, count, out, row, dials):
    """Play a block where every seat has a play spec or plays at random."""
    table = tables[0]
    work = np.zeros(1, at.WORK)
    column = first_column(work[0].rows)
    work[0].rows[at.OVER] = 1
    begun = follow_each(work[0], column, 0, count)
    while is_busy(work[0].rows[at.MATCH, column : column + LANES]):
        if begin_rounds(work[0], column, seed, first, dials):
            mix_rounds(work[0], column, seed, table.players)
        play_round(work[0], column, table, boxes[0], dials)
        end_rounds(work[0], column, work[0].rows[at.MATCH, column], table, dials)
        together, again = look_round(work[0], column)
        if together:
            write_together(work[0], column, row, out)
        else:
            write_each(work[0], column, row, out)
        if again:
            for lane in range(column, column + LANES):
                match = work[0].rows[at.MATCH, lane]
                over = work[0].rows[at.OVER, lane] & work[0].rows[at.AGAIN, lane]
                if over and match != IDLE:
                    play_block(tables, boxes, seed, first + match, 1, out, row + match)
        if together:
            follow_together(work[0], column, begun, count)
            begun = min(begun + LANES, count)
        else:
            begun = follow_each(work[0], column, begun, count)
    return count


@outer_kernel
def play_round(work, column, table, box, dials):
    """Play a round in all lanes."""
    open_rounds(work, column, table, box, dials)
    open_seats(work, column, table, box)
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    at_random = all_random(table, box)
    leader = np.int64(0)
    for trick in range(table.hand_size):
        if not at_random:
            distance = leader if dials is None else np.int64(0)
            play_trick_by_specs(work, column, distance, trick, table, box, dials)
        elif plays_otherwise(dials):
            play_trick(work, column, leader, trick, shifts, dials)
        else:
            play_trick(work, column, leader, trick, shifts, None)
        leader = next_leader(leader, table.players)


@kernel
def follow_each(work, column, begun, count):
    """Give lanes whose match is over the next one of a block, or none.

    Return how many are begun now.
    """
    rows = work.rows
    for lane in lanes_from(column, LANES):
        if rows[at.OVER, lane]:
            rows[at.MATCH, lane] = begun if begun < count else IDLE
            begun += 1
    return min(begun, count)


@kernel
def follow_together(work, column, begun, count):
    """Do the same where all matches are over.

    In vectors, as they are read: else the processor waits until the results are in memory.
    """
    for start in range(column, column + LANES, VECTOR):
        match = vector(EACH_LANE) + (begun + start - column)
        put_eight(work.rows, at.MATCH, start, choose(match < count, match, IDLE))


@kernel
def begin_rounds(work, column, seed, first, dials):
    """Begin to number the next round in all lanes; where a match begins clear what is counted.

    Return whether a lane has another number than before.
    """
    rows = work.rows
    others = np.int64(0)
    for lane in lanes_from(column, LANES):
        kept = rows[at.OVER, lane] - 1
        rows[at.KEY, lane] = np.int64(rng.match_key(seed, first + max(rows[at.MATCH, lane], 0)))
        number = (rows[at.ROUND, lane] & kept) + 1
        others |= number ^ rows[at.ROUND, lane]
        rows[at.ROUND, lane] = number
        # At least 1: nobody leads without a trick. And where nobody wins, seat 0 stands as it did.
        rows[at.MOST, lane] = max(rows[at.MOST, lane] & kept, 1)
        rows[at.AGAIN, lane] &= kept
        rows[at.FIRST_SEAT, lane] &= kept
        rows[at.TOTALS, lane] &= kept
        rows[at.LEADERS, lane] &= kept
        rows[at.DEFICITS, lane] &= kept
        rows[at.COUNTS, lane] &= kept
        rows[at.METRIC.tricks, lane] &= kept
        rows[at.METRIC.lost_tricks, lane] &= kept
        rows[at.METRIC.largest_pot, lane] &= kept
        rows[at.METRIC.lead_changes, lane] &= kept
        rows[at.METRIC.last_lead_change, lane] &= kept
        rows[at.POT, lane] &= kept & -rules_by(dials).carried
        if dials is not None:
            rows[at.METRIC.kept, lane] &= kept
            came = CLAUSE.carried_pot if rows[at.POT, lane] != 0 else 0
            rows[at.CAME, lane] = rows[at.CAME, lane] & kept | came
    return others != 0


@kernel
def look_round(work, column):
    """Tell whether all matches end and follow one another, and whether one is to play again."""
    rows = work.rows
    strays = np.int64(0)
    again = np.int64(0)
    for lane in range(LANES):
        strays |= rows[at.STRAYS, column + lane]
        again |= rows[at.AGAIN, column + lane]
    return strays == 0, again != 0


@inline_kernel
def write_together(work, column, row, out):
    """Write the results of all lanes to consecutive rows of a block's columns."""
    first_seat, winners, aborted, scores, metrics = out
    rows = work.rows
    lanes = column, LANES
    row += rows[at.MATCH, column]
    copy_row(rows, at.FIRST_SEAT, lanes, first_seat, row)
    copy_row(rows, at.WINNERS, lanes, winners, row)
    copy_row(rows, at.ABORTED, lanes, aborted, row)
    for seat in range(scores.shape[0]):
        copy_row(rows, at.SCORE + seat, lanes, scores, seat * scores.shape[1] + row)
    for metric in range(metrics.shape[0]):
        copy_row(rows, at.FIRST_METRIC + metric, lanes, metrics, metric * metrics.shape[1] + row)


@inline_kernel
def write_each(work, column, row, out):
    """Write the results of the matches that are over to their rows of a block's columns."""
    first_seat, winners, aborted, scores, metrics = out
    rows = work.rows
    for lane in lanes_from(column, LANES):
        if rows[at.OVER, lane] and rows[at.MATCH, lane] != IDLE:
            here = row + rows[at.MATCH, lane]
            first_seat[here] = rows[at.FIRST_SEAT, lane]
            winners[here] = rows[at.WINNERS, lane]
            aborted[here] = rows[at.ABORTED, lane]
            for seat in range(scores.shape[0]):
                scores[seat, here] = rows[at.SCORE + seat, lane]
            for metric in range(metrics.shape[0]):
                metrics[metric, here] = rows[at.FIRST_METRIC + metric, lane]


@kernel
def end_rounds(work, column, first, table, dials):
    """End a round in all lanes, and note what matches that end now would have as a result.

    `first` is the match of the first lane.
    """
    rows = work.rows
    players = table.players
    hand_size = table.hand_size
    rounds = table.rounds
    set_clauses = table.set_clauses
    dice = rules_by(dials).dice != 0
    stays = rules_by(dials).carried != 0
    pots = rules_by(dials).pots != 0
    tie_round = table.tie_round != 0
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        number = rows[at.ROUND, lane]
        found = result_of(rows[at.LEADERS, lane], players, number, rounds, tie_round)
        winners, tied, goes_on = found
        rows[at.OVER, lane] = np.int64(not goes_on)
        rows[at.STRAYS, lane] = np.int64(goes_on) | (rows[at.MATCH, lane] ^ (first + offset))
        rows[at.WINNERS, lane] = winners
        rows[at.ABORTED, lane] = np.int64(tied)
        rows[at.AGAIN, lane] |= np.int64((rows[at.THROWS, lane] == 0) & dice)
        totals = rows[at.TOTALS, lane]
        deficits = rows[at.DEFICITS, lane]
        comeback = np.int64(0)
        for seat in range(SEATS):
            rows[at.SCORE + seat, lane] = (totals >> (LANE * seat)) & TOTAL
            deficit = (deficits >> (LANE * seat)) & TOTAL
            comeback = max(comeback, deficit & -((winners >> seat) & 1))
        rows[at.METRIC.comeback, lane] = comeback
        rows[at.METRIC.rounds, lane] = number
        tricks = rows[at.METRIC.tricks, lane] + hand_size
        rows[at.METRIC.tricks, lane] = tricks
        counts = rows[at.COUNTS, lane]
        flips = counts & TOTAL
        rolls = (counts >> LANE) & TOTAL
        rows[at.METRIC.flips, lane] = flips
        rows[at.METRIC.rolls, lane] = rolls
        rows[at.METRIC.rotations, lane] = tricks - flips - rolls - rows[at.METRIC.kept, lane]
        unwon = tricks - ((counts >> (2 * LANE)) & TOTAL)
        rows[at.METRIC.pots, lane] = unwon
        lost = rows[at.METRIC.lost_tricks, lane] + lost_at_end(rows[at.POT, lane], goes_on, stays)
        rows[at.METRIC.lost_tricks, lane] = lost if pots else unwon
        rows[at.METRIC.trump_wins, lane] = counts >> (3 * LANE)
        came = clauses_of(set_clauses, rounds, number)
        if dials is not None:
            came |= rows[at.CAME, lane] | (CLAUSE.kept if rows[at.METRIC.kept, lane] != 0 else 0)
            came |= CLAUSE.lost_at_once if (unwon != 0) & (not pots) else 0
        rows[at.METRIC.clauses, lane] = came
        forced = number * players
        rows[at.METRIC.decisions, lane] = tricks + players * tricks - forced
        rows[at.METRIC.forced, lane] = forced
