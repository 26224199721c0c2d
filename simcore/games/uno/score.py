"""UNO: counting what is left, totals, and who leads."""

from __future__ import annotations

from simcore.games.uno.cards import ACTIONS, WILDS, points_of
from simcore.games.uno.options import usual
from simcore.games.uno.table import CLAUSE, METRIC, OWN_CARDS, WINNER_TAKES
from simcore.games.uno.turns import book_counts
from simcore.jit import inline_kernel, kernel
from simcore.match import note_comeback, note_leaders
from simcore.records import MATCH_OVER

USUAL_ACTION_POINTS = usual("action_points")
USUAL_WILD_POINTS = usual("wild_points")


@kernel
def score_round(table, box):
    """Book the round just ended [R19] [R21] and see whether the match is over [R20] [C19] [C27]."""
    table.metrics[METRIC.rounds] += 1
    book_counts(table)
    first_out = 0
    points_left = 0
    for seat in range(table.players):
        holder = box.seats[seat]
        points = points_in(table, holder)
        points_left += points
        if table.cards[seat] == 0:
            first_out = seat
        if table.scoring == OWN_CARDS:
            table.scores[seat] += points
    if table.scoring == WINNER_TAKES:
        table.scores[first_out] += points_left
    note_leaders(table, table.scoring == OWN_CARDS, METRIC.lead_changes)  # [C30]
    if is_last_round(table):
        table.metrics[METRIC.clauses] |= CLAUSE.end
        table.phase = MATCH_OVER
        table.winners = table.leaders  # [C20]


@kernel
def points_in(table, seat):
    """Return the points of a hand [R19] [H9]."""
    action_points, wild_points = table.action_points, table.wild_points
    points = points_of(seat.hand, action_points, wild_points)
    points += points_of(seat.doubles, action_points, wild_points)
    if seat.pairs:
        points += 2 * points_of(seat.pairs, action_points, wild_points)
    if action_points != USUAL_ACTION_POINTS and seat.hand & ACTIONS:
        table.metrics[METRIC.clauses] |= CLAUSE.points
    if wild_points != USUAL_WILD_POINTS and seat.hand & WILDS:
        table.metrics[METRIC.clauses] |= CLAUSE.points
    return points


@inline_kernel
def is_last_round(table):
    """Tell whether the target is reached [C19], or the rounds are played [C27]."""
    if table.rounds:
        return table.round_number == table.rounds
    highest = table.scores[0]
    for seat in range(1, table.players):
        highest = max(highest, table.scores[seat])
    return highest >= table.target


@kernel
def finish_match(table):
    """Note what only the end of a match tells."""
    note_comeback(table)
