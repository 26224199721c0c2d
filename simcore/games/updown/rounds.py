"""UP & DOWN: rounds and matches, move by move."""

from __future__ import annotations

from simcore.games.updown.by_spec import by_spec
from simcore.games.updown.deal import start_round
from simcore.games.updown.moves import find_moves, is_legal, next_random_move, nth_move
from simcore.games.updown.play import apply_move
from simcore.games.updown.score import finish_match, score_round
from simcore.games.updown.table import METRIC
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.match import begin_match, choose_move, play_rounds
from simcore.records import NO_MOVE, ROUND_OVER


@inline_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    return choose_move(table, seat, policy, next_random_move, by_spec, is_legal)


@kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move.

    A policy is asked only where there are two or more moves: not for the last card.
    """
    decisions = 0
    forced = 0
    while table.phase > ROUND_OVER:
        seat = box.seats[table.seat]
        if find_moves(table, seat) > 1:
            decisions += 1
            move = ask(table, seat, box.policies[table.seat])
            if move == NO_MOVE:
                return False
        else:
            forced += 1
            move = nth_move(table, seat, 0)
        apply_move(table, box, move)
    table.metrics[METRIC.decisions] += decisions
    table.metrics[METRIC.forced] += forced
    return True


@outer_kernel
def play_match(table, box, seed, match):
    """Play one match; return False after an illegal move."""
    begin_match(table, box, seed, match)
    if not play_rounds(table, box, start_round, play_round, score_round):
        return False
    finish_match(table)
    return True
