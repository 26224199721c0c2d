"""UP & DOWN: the end of a round and of a match."""

from __future__ import annotations

import numpy as np

from simcore.games.updown.table import CLAUSE, FURTHER_ROUNDS, METRIC
from simcore.jit import inline_kernel, kernel
from simcore.match import all_seats, note_comeback
from simcore.records import MATCH_OVER


@inline_kernel
def result_of(leaders, players, number, rounds, tie_round):
    """Return after a round who wins if the match is over, whether tied, and whether it goes on.

    Those with the most tricks win, all if nobody won any [C18]. There is another round after this
    one, `number`, if so agreed [R19], or to break a tie [R20] [C16].
    """
    winners = leaders if leaders != 0 else all_seats(players)
    tied = (winners & (winners - 1) != 0) & tie_round
    return winners, tied, (number < rounds) | (tied & (number < rounds + FURTHER_ROUNDS))


@inline_kernel
def clauses_of(set_clauses, rounds, number):
    """Return the clauses that have come into play when a round with this number is played.

    `set_clauses` are those that are in play by what was agreed.
    """
    return (
        set_clauses
        + CLAUSE.further_rounds * np.int64(min(number, rounds) > 1)
        + CLAUSE.tie_round * np.int64(number > rounds)
    )


@kernel
def score_round(table, box):  # noqa: ARG001
    """Give up the pot [R18] [C11], unless it is carried over [H6]; see if the match is over."""
    table.metrics[METRIC.rounds] += 1
    winners, tied, goes_on = result_of(
        table.leaders, table.players, table.round_number, table.rounds, table.tie_round != 0
    )
    if not (goes_on and table.carried):
        table.metrics[METRIC.lost_tricks] += table.pot
    if not goes_on:
        table.winners = winners
        table.aborted = np.int64(tied)
        table.phase = MATCH_OVER


@kernel
def finish_match(table):
    """Note what only the end of a match tells."""
    note_comeback(table)
