"""dnup: markers, or rounds won, and who leads."""

from __future__ import annotations

from simcore.games.dnup.play import win_match
from simcore.games.dnup.table import CLAUSE, METRIC, USUAL_SECOND_OUT
from simcore.jit import kernel
from simcore.match import note_comeback, note_lead_change, note_leaders


@kernel
def score_round(table, box):
    """Book the round just ended: a marker for the second out [R14], or a round won [R20] [C24].

    How many markers may be a house rule [H1]. Nobody else gets anything [C16]. The match is over
    when that reaches the goal [R15] [R21].
    """
    _ = box
    seat = table.last_out
    table.scores[seat] += table.second_out_markers
    if table.second_out_markers != USUAL_SECOND_OUT:
        table.metrics[METRIC.clauses] |= CLAUSE.other_markers
    note_leaders(table, False, METRIC.lead_changes)  # [C30]
    if table.scores[seat] >= table.goal:
        win_match(table, seat)


@kernel
def finish_match(table):
    """Note what only the end of a match tells; it may be won within a round [C30]."""
    note_comeback(table)
    if table.winners and table.winners != table.leaders:
        note_lead_change(table, table.round_number)
