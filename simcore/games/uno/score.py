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
    note_leaders(table)
    if is_last_round(table):
        table.metrics[CLAUSES] |= END_CLAUSE
        table.phase = MATCH_OVER
        table.winners = table.leaders  # [C20]


@kernel
def note_leaders(table):
    """Note the seats with the best total; count a change of lead [C30]."""
    best = table.scores[0]
    leaders = 1
    for seat in range(1, table.players):
        score = table.scores[seat]
        if score == best:
            leaders |= 1 << seat
        elif (score < best) == (table.scoring == OWN_CARDS):
            best = score
            leaders = 1 << seat
    if table.round_number > 1 and leaders != table.leaders:
        table.metrics[LEAD_CHANGES] += 1
    table.leaders = leaders


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
    """Note nothing more: all is counted as it happens."""
