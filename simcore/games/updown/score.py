"""UP & DOWN: the end of a round and of a match."""

from __future__ import annotations

from simcore.bits import popcount
from simcore.games.updown.table import FURTHER_ROUNDS, LOST_TRICKS, ROUNDS
from simcore.jit import inline_kernel, kernel
from simcore.match import all_seats, note_comeback
from simcore.records import MATCH_OVER


@inline_kernel
def winners_of(leaders, players):
    """Return the winners as a bit mask: the leaders, or all when nobody won a trick [C18]."""
    return leaders or all_seats(players)


@inline_kernel
def goes_on(round_number, rounds, tie_round, winners):
    """Tell whether there is another round after this one [R19] [R20] [C16]."""
    if round_number < rounds:
        return True
    tied = winners & (winners - 1) != 0
    return tie_round != 0 and tied and round_number < rounds + FURTHER_ROUNDS


@kernel
def score_round(table, box):  # noqa: ARG001
    """Give up the pot [R18] [C11] and see whether the match is over."""
    table.metrics[ROUNDS] += 1
    table.metrics[LOST_TRICKS] += table.pot
    winners = winners_of(table.leaders, table.players)
    if not goes_on(table.round_number, table.rounds, table.tie_round, winners):
        table.winners = winners
        if table.tie_round and popcount(winners) > 1:
            table.aborted = 1
        table.phase = MATCH_OVER


@kernel
def finish_match(table):
    """Note what only the end of a match tells."""
    note_comeback(table)
