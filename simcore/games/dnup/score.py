"""dnup: markers, or rounds won, and who leads."""

from __future__ import annotations

from simcore.games.dnup.play import win_match
from simcore.games.dnup.table import LEAD_CHANGES, ROUND_END_MARKERS
from simcore.jit import kernel
from simcore.match import note_comeback, note_lead_change, note_leaders


@kernel
def score_round(table, box):
    """Book the round just ended: a marker for the second out [R14], or a round won [R20] [C24].

    Nobody else gets anything [C16]. The match is over when that reaches the goal [R15] [R21].
    """
    _ = box
    seat = table.last_out
    table.scores[seat] += ROUND_END_MARKERS
    note_leaders(table, False, LEAD_CHANGES)  # [C30]
    if table.scores[seat] >= table.goal:
        win_match(table, seat)


@kernel
def finish_match(table):
    """Note what only the end of a match tells; it may be won within a round [C30]."""
    note_comeback(table)
    if table.winners and table.winners != table.leaders:
        note_lead_change(table, table.round_number)
