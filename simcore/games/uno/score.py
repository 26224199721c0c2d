"""UNO: counting what is left, totals, and who leads."""

from __future__ import annotations

from simcore.games.uno.cards import points_of
from simcore.games.uno.play import book_counts
from simcore.games.uno.table import (
    CLAUSES,
    END_CLAUSE,
    LEAD_CHANGES,
    OWN_CARDS,
    ROUNDS,
    WINNER_TAKES,
)
from simcore.jit import inline_kernel, kernel
from simcore.match import note_leaders
from simcore.records import MATCH_OVER


@kernel
def score_round(table, box):
    """Book the round just ended [R19] [R21] and see whether the match is over [R20] [C19] [C27]."""
    table.metrics[ROUNDS] += 1
    book_counts(table)
    first_out = 0
    points_left = 0
    for seat in range(table.players):
        holder = box.seats[seat]
        points = points_of(holder.hand) + points_of(holder.doubles)
        points_left += points
        if table.cards[seat] == 0:
            first_out = seat
        if table.scoring == OWN_CARDS:
            table.scores[seat] += points
    if table.scoring == WINNER_TAKES:
        table.scores[first_out] += points_left
    note_leaders(table, table.scoring == OWN_CARDS, LEAD_CHANGES)  # [C30]
    if is_last_round(table):
        table.metrics[CLAUSES] |= END_CLAUSE
        table.phase = MATCH_OVER
        table.winners = table.leaders  # [C20]


@inline_kernel
def is_last_round(table):
    """Tell whether the target is reached [C19], or the rounds are played [C27]."""
    if table.rounds:
        return table.round_number == table.rounds
    highest = table.scores[0]
    for seat in range(1, table.players):
        highest = max(highest, table.scores[seat])
    return highest >= table.target
