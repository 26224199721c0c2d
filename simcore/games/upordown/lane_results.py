"""Up or down?: the end of matches in the lanes of vector registers; see `lanes`."""

from __future__ import annotations

from simcore.games.upordown import rows as at
from simcore.games.upordown import table as upordown
from simcore.games.upordown.dials import rules_by
from simcore.games.upordown.lane_turns import scores_at
from simcore.games.upordown.rows import row_of
from simcore.games.upordown.score import (
    clause_of_discards,
    counts_at_end,
    is_lost_lead,
    most_points,
    points_of,
)
from simcore.games.upordown.table import CLAUSE
from simcore.jit import inline_kernel, kernel
from simcore.lanes import LANES, copy_row
from simcore.vectors import LANES as EIGHT
from simcore.vectors import choose, largest, one_at, put_one

METRIC = upordown.METRIC._make(at.LANE_ROWS + place for place in upordown.METRIC)
WINNERS = at.LANE_ROWS + len(METRIC)
ALL_ROWS = WINNERS + 1
"""What is written to the columns of the block, `METRIC` by name; in `WINNERS` seats are counted
from the one that starts."""


@inline_kernel
def write_results(work, column, count, table, out, row, dials):
    """Write the results of the first `count` lanes to their rows of a block's columns."""
    note_results(work, column, table, dials)
    write_lanes(work, column, count, table.players, out, row)


@kernel
def note_results(work, column, table, dials):
    """Note what the result of each match asks for, as `score` does."""
    rows = work.rows
    players, columns = table.players, table.columns
    turns = table.card_count - rules_by(dials).circle_cards
    no_draws = players * rules_by(dials).hand_cards
    for start in range(column, column + LANES, EIGHT):
        _, winners = most_points(scores_at(rows, start, players), players)
        leaders = one_at(rows, at.LEADERS, start)
        last = one_at(rows, at.LAST_LEAD_CHANGE, start)
        laps = (turns + players - 1) // players
        last = choose(is_lost_lead(winners, leaders), laps, last)
        put_one(rows, WINNERS, start, winners)
        put_one(rows, METRIC.last_lead_change, start, last)
        put_one(rows, METRIC.lead_changes, start, one_at(rows, at.LEAD_CHANGES, start))
        put_one(rows, METRIC.turns, start, turns)
        put_one(rows, METRIC.columns_given_up, start, one_at(rows, at.GIVEN_UP, start))
        # With one card in the hand there is no choice of it.
        forced = one_at(rows, at.FORCED, start)
        forced = forced + (turns if rules_by(dials).hand_cards == 1 else players)
        put_one(rows, METRIC.forced, start, forced)
        choices = 4 * turns - no_draws - one_at(rows, at.ONE_PILE, start)
        put_one(rows, METRIC.decisions, start, choices - forced)
        comeback = winners & 0
        for index in range(players):
            deficit = one_at(rows, row_of(index, at.DEFICIT), start)
            comeback = largest(comeback, choose((winners >> index) & 1 == 1, deficit, 0))
        longest, best, kept, clauses = counts_at_end(
            (rows, start, dials), column_of_lanes, players, columns
        )
        discards = turns - kept
        clauses = clauses | clause_of_discards(discards, rules_by(dials).discard_points)
        inserted = one_at(rows, at.INSERTED, start) > 0
        clauses = clauses | choose(inserted, CLAUSE.insert, 0) | table.clauses_of_options
        put_one(rows, METRIC.comeback, start, comeback)
        put_one(rows, METRIC.longest_column, start, longest)
        put_one(rows, METRIC.best_column, start, best)
        put_one(rows, METRIC.cards_discarded, start, discards)
        put_one(rows, METRIC.clauses, start, clauses)


@inline_kernel
def column_of_lanes(state, index, place):
    """Return cards and points of a column, see `score.counts_at_end`."""
    rows, start, dials = state
    word = one_at(rows, row_of(index, at.COLUMN + place), start)
    length = (word >> at.LENGTH) & at.FIELD
    most = (word >> at.MOST) & at.FIELD
    return length, points_of(length, most, rules_by(dials).scoring)


@inline_kernel
def write_lanes(work, column, count, players, out, row):
    """Write what was noted."""
    first_seat, winners, aborted, scores, metrics = out
    rows = work.rows
    for lane in range(column, column + count):
        here = row + rows[at.MATCH, lane]
        first = rows[at.FIRST, lane]
        first_seat[here] = first
        winners[here] = by_seat(rows[WINNERS, lane], first, players)
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
            copy_row(rows, at.LANE_ROWS + metric, (column, LANES), metrics, place)
            continue
        for lane in range(column, column + count):
            metrics[metric, row + rows[at.MATCH, lane]] = rows[at.LANE_ROWS + metric, lane]


@inline_kernel
def by_seat(bits, first, players):
    """Return bits of seats that are counted from the first one as they are counted from seat 0."""
    return ((bits << first) | (bits >> (players - first))) & ((1 << players) - 1)
