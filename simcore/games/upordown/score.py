"""Up or down?: who leads, and the end of the match. Points are kept up to date in `play`."""

from __future__ import annotations

import numpy as np

from simcore.games.upordown.options import CIRCLE_CARDS, SEATS
from simcore.games.upordown.table import (
    BEST_COLUMN,
    CARDS_DISCARDED,
    CLAUSES,
    COLUMNS_CLAUSE,
    LEAD_CHANGES,
    LONGEST_COLUMN,
    TURNS,
)
from simcore.jit import inline_kernel, kernel
from simcore.match import all_seats, note_comeback, note_lead_change
from simcore.records import MATCH_OVER
from simcore.vectors import choose, largest


@inline_kernel
def note_leaders(table):
    """Note who leads after a lap; count a change of lead [C20].

    A lap after which all seats are level is no lead: those who led before stand on.
    """
    best, leaders = most_points(scores_of(table))
    for seat in range(SEATS):
        table.deficits[seat] = max(table.deficits[seat], best - table.scores[seat])
    table.laps += 1
    if is_new_lead(leaders, table.leaders, table.players):
        table.metrics[LEAD_CHANGES] += np.int64(table.leaders != 0)
        note_lead_change(table, table.laps)
        table.leaders = leaders


@inline_kernel
def is_new_lead(leaders, before, players):
    """Tell whether others lead than `before`, as bits; all seats do not lead [C20]."""
    return (leaders != before) & (leaders != all_seats(players))


@inline_kernel
def scores_of(table):
    """Return the scores of six seats."""
    scores = table.scores
    return scores[0], scores[1], scores[2], scores[3], scores[4], scores[5]


@inline_kernel
def most_points(scores):
    """Return the most points of six scores, and the seats that have them as bits.

    Everybody has a point once a lap is over, so no empty seat is among them.
    """
    one, two, three, four, five, six = scores
    best = largest(largest(largest(one, two), largest(three, four)), largest(five, six))
    seats = choose(one == best, 1, 0) | choose(two == best, 2, 0) | choose(three == best, 4, 0)
    seats = seats | choose(four == best, 8, 0) | choose(five == best, 16, 0)
    return best, seats | choose(six == best, 32, 0)


@kernel
def score_round(table, _box):
    """End the match: the most points win [R20] [C16], several seats if they tie [C19].

    When all are level at the end nobody's lead has stood to it [C20].
    """
    table.phase = MATCH_OVER
    _, table.winners = most_points(scores_of(table))
    if table.winners != table.leaders:
        note_lead_change(table, table.laps)


@kernel
def finish_match(table):
    """Note the turns, what became of the columns [C22], and whether a display was full."""
    note_comeback(table)
    table.metrics[TURNS] = table.card_count - CIRCLE_CARDS - table.turns_left
    discards = np.int64(0)
    longest = np.int64(0)
    best = np.int64(0)
    for seat in range(table.players):
        used = table.columns_used[seat]
        for place in range(used):
            longest = max(longest, table.lengths[seat, place])
            best = max(best, table.points[seat, place])
        if used == table.columns:
            table.metrics[CLAUSES] |= COLUMNS_CLAUSE
        discards += table.discards[seat]
    table.metrics[CARDS_DISCARDED] = discards
    table.metrics[LONGEST_COLUMN] = longest
    table.metrics[BEST_COLUMN] = best
