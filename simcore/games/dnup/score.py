"""dnup: markers, or rounds won, and who leads."""

from __future__ import annotations

from simcore.games.dnup.play import win_match
from simcore.games.dnup.table import LEAD_CHANGES, ROUND_END_MARKERS
from simcore.jit import kernel


@kernel
def score_round(table, box):
    """Book the round just ended: a marker for the second out [R14], or a round won [R20] [C24].

    Nobody else gets anything [C16]. The match is over when that reaches the goal [R15] [R21].
    """
    _ = box
    seat = table.last_out
    table.scores[seat] += ROUND_END_MARKERS
    note_leaders(table)
    if table.scores[seat] >= table.goal:
        win_match(table, seat)


@kernel
def note_leaders(table):
    """Note the seats with the highest total; count a change of lead [C30]."""
    best = table.scores[0]
    leaders = 1
    for seat in range(1, table.players):
        score = table.scores[seat]
        if score == best:
            leaders |= 1 << seat
        elif score > best:
            best = score
            leaders = 1 << seat
    if table.round_number > 1 and leaders != table.leaders:
        table.metrics[LEAD_CHANGES] += 1
    table.leaders = leaders


@kernel
def finish_match(table):
    """Note what came into play over the whole match: nothing that is not noted already."""
    _ = table
