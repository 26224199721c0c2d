"""Up or down?: who leads, and the end of the match. Points are kept up to date in `play`."""

from __future__ import annotations

import numpy as np

from simcore.games.upordown.dials import COLOUR_ALONE, LENGTH_ALONE
from simcore.games.upordown.options import SEATS
from simcore.games.upordown.table import CLAUSE, METRIC
from simcore.jit import inline_kernel, kernel
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
    best, leaders = most_points(scores_of(table), table.players)
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
def scores_of(table):
    """Return six scores: of each seat, and for an empty one that of the first."""
    players = table.players
    return (
        table.scores[0],
        table.scores[1],
        table.scores[2 if players > 2 else 0],
        table.scores[3 if players > 3 else 0],
        table.scores[4 if players > 4 else 0],
        table.scores[5 if players > 5 else 0],
    )


@inline_kernel
def most_points(scores, players):
    """Return the most points of six scores, and the seats that have them as bits.

    In the place of an empty seat stands the score of another.
    """
    one, two, three, four, five, six = scores
    best = largest(largest(largest(one, two), largest(three, four)), largest(five, six))
    seats = choose(one == best, 1, 0) | choose(two == best, 2, 0) | choose(three == best, 4, 0)
    seats = seats | choose(four == best, 8, 0) | choose(five == best, 16, 0)
    return best, (seats | choose(six == best, 32, 0)) & all_seats(players)


@inline_kernel
def is_lost_lead(winners, leaders):
    """Tell whether who led last does not win: when all are level no lead has stood [C20]."""
    return winners != leaders


@inline_kernel
def counts_discards(discards, discard_points):
    """Tell whether cards given up have scored otherwise than by the rule text [H5]."""
    return (discards > 0) & (discard_points != 1)


@kernel
def score_round(table, _box):
    """End the match: the most points win [R20] [C16], several seats if they tie [C19]."""
    table.phase = MATCH_OVER
    _, table.winners = most_points(scores_of(table), table.players)
    if is_lost_lead(table.winners, table.leaders):
        note_lead_change(table, table.laps)


@kernel
def finish_match(table):
    """Note the turns, what became of the columns [C22], and whether a display was full."""
    note_comeback(table)
    table.metrics[METRIC.turns] = table.card_count - table.circle_cards - table.turns_left
    discards = np.int64(0)
    longest = np.int64(0)
    best = np.int64(0)
    for seat in range(table.players):
        used = table.columns_used[seat]
        for place in range(used):
            longest = max(longest, table.lengths[seat, place])
            best = max(best, table.points[seat, place])
        if used == table.columns:
            table.metrics[METRIC.clauses] |= CLAUSE.columns
        discards += table.discards[seat]
    if counts_discards(discards, table.discard_points):
        table.metrics[METRIC.clauses] |= CLAUSE.discard_points
    table.metrics[METRIC.cards_discarded] = discards
    table.metrics[METRIC.longest_column] = longest
    table.metrics[METRIC.best_column] = best
