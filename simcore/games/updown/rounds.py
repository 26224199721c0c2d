"""UP & DOWN: rounds and matches, move by move, and how they end."""

from __future__ import annotations

import numpy as np

from simcore.games.updown.by_spec import by_spec
from simcore.games.updown.deal import start_round
from simcore.games.updown.moves import find_moves, is_legal, next_random_move, nth_move
from simcore.games.updown.play import apply_move
from simcore.games.updown.table import FURTHER_ROUNDS, METRIC
from simcore.jit import inline_kernel, kernel
from simcore.match import (
    all_seats,
    begin_match,
    choose_move,
    note_comeback,
    play_decisions,
    play_one_by_one,
)
from simcore.records import MATCH_OVER
from simcore.vectors import choose


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
def lost_at_end(pot, goes_on, carried):
    """Return how many tricks of a last pot are lost [R18] [C11], unless it is carried over [H6]."""
    return choose(goes_on & carried, 0, pot)


@kernel
def score_round(table, box):  # noqa: ARG001
    """Give up the pot, and see if the match is over."""
    table.metrics[METRIC.rounds] += 1
    winners, tied, goes_on = result_of(
        table.leaders, table.players, table.round_number, table.rounds, table.tie_round != 0
    )
    table.metrics[METRIC.lost_tricks] += lost_at_end(table.pot, goes_on, table.carried != 0)
    if not goes_on:
        table.winners = winners
        table.aborted = np.int64(tied)
        table.phase = MATCH_OVER


@kernel
def finish_match(table):
    """Note what only the end of a match tells."""
    note_comeback(table)


@inline_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    return choose_move(table, seat, policy, next_random_move, by_spec, is_legal)


@kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move."""
    return play_decisions(table, box, ask, find_moves, nth_move, apply_move)


@kernel
def play_block(tables, boxes, seed, first, count, out, row):
    """Play a block of matches one by one; see `batch.BlockKernel`."""
    block = (seed, first, count, out, row)
    return play_one_by_one(
        tables[0], boxes[0], block, begin_match, start_round, play_round, score_round, finish_match
    )
