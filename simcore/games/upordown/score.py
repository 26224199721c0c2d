"""Up or down?: who leads, and the end of the match. Points are kept up to date in `play`."""

from __future__ import annotations

import numpy as np

from simcore.games.upordown.dials import COLOUR_ALONE, LENGTH_ALONE
from simcore.games.upordown.options import SEATS
from simcore.games.upordown.table import CLAUSE, METRIC
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.match import all_seats, note_comeback, note_lead_change
from simcore.records import MATCH_OVER
from simcore.vectors import choose, largest


@inline_kernel
def points_of(length, most, scoring):
    """Return the points of a column by its cards and those of its most frequent colour [R18] [H7].

    Also of as many as are hoped for.
    """
    if scoring == LENGTH_ALONE:
        return length + 0 * most
    if scoring == COLOUR_ALONE:
        return most * most + 0 * length
    return length * most


@inline_kernel
def note_leaders(table):
    """Note who leads after a lap [C23]; count a change of lead [C20].

    A lap after which all seats are level is no lead: those who led before stand on.
    """
    best, leaders = most_points(table, score_of, table.players)
    for seat in range(SEATS):
        table.deficits[seat] = max(table.deficits[seat], best - table.scores[seat])
    table.laps += 1
    if is_new_lead(leaders, table.leaders, table.players):
        table.metrics[METRIC.lead_changes] += np.int64(table.leaders != 0)
        note_lead_change(table, table.laps)
        table.leaders = leaders


@inline_kernel
def is_new_lead(leaders, before, players):
    """Tell whether others lead than `before`, as bits; all seats do not lead [C20]."""
    return (leaders != before) & (leaders != all_seats(players))


@inline_kernel
def score_of(table, seat):
    """Return the points of a seat."""
    return table.scores[seat]


@outer_kernel
def most_points(state, score_of, players):
    """Return the most points, which `score_of` says of a state and a seat; who has them as bits."""
    best = score_of(state, 0)
    for seat in range(1, players):
        best = largest(best, score_of(state, seat))
    seats = best & 0
    for seat in range(players):
        seats = seats | choose(score_of(state, seat) == best, np.int64(1) << seat, 0)
    return best, seats


@inline_kernel
def is_lost_lead(winners, leaders):
    """Tell whether who led last does not win: when all are level no lead has stood [C20]."""
    return winners != leaders


@inline_kernel
def clause_of_discards(discards, discard_points):
    """Return the clause of cards given up that scored otherwise than by the rule text [H5]."""
    return choose((discards > 0) & (discard_points != 1), CLAUSE.discard_points, 0)


@outer_kernel
def counts_at_end(state, column_of, players, columns):
    """Return the longest and the best column [C22], the cards of all, and the clause of full ones.

    `column_of` is asked, of the state, a seat and a place, how many cards a column has, 0 if there
    is none, and for its points.
    """
    length, _ = column_of(state, 0, 0)
    none = length & 0
    longest, best, kept, clauses = none, none, none, none
    for seat in range(players):
        for place in range(columns):
            length, points = column_of(state, seat, place)
            longest = largest(longest, length)
            best = largest(best, points)
            kept = kept + length
        # The last place is the last to be used [C7].
        clauses = clauses | choose(length > 0, CLAUSE.columns, 0)
    return longest, best, kept, clauses


@kernel
def score_round(table, _box):
    """End the match: the most points win [R20] [C16], several seats if they tie [C19]."""
    table.phase = MATCH_OVER
    _, table.winners = most_points(table, score_of, table.players)
    if is_lost_lead(table.winners, table.leaders):
        note_lead_change(table, table.laps)


@kernel
def finish_match(table):
    """Note the turns, and what became of the columns."""
    note_comeback(table)
    longest, best, _, clauses = counts_at_end(table, column_of_table, table.players, table.columns)
    discards = table.discards.sum()
    table.metrics[METRIC.turns] = table.card_count - table.circle_cards - table.turns_left
    table.metrics[METRIC.cards_discarded] = discards
    table.metrics[METRIC.longest_column] = longest
    table.metrics[METRIC.best_column] = best
    table.metrics[METRIC.clauses] |= clauses | clause_of_discards(discards, table.discard_points)


@inline_kernel
def column_of_table(table, seat, place):
    """Return cards and points of a column of a TABLE, see `counts_at_end`."""
    return table.lengths[seat, place], table.points[seat, place]
