"""UP & DOWN: rounds and matches, move by move."""

from __future__ import annotations

from simcore.games.updown.by_spec import by_spec
from simcore.games.updown.deal import start_round
from simcore.games.updown.moves import find_moves, is_legal, next_random_move, nth_move
from simcore.games.updown.play import apply_move
from simcore.games.updown.score import finish_match, score_round
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.match import begin_match, choose_move, play_decisions, play_rounds


@inline_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    return choose_move(table, seat, policy, next_random_move, by_spec, is_legal)


@kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move."""
    return play_decisions(table, box, ask, find_moves, nth_move, apply_move)


@outer_kernel
def play_match(table, box, seed, match):
    """Play one match; return False after an illegal move."""
    begin_match(table, box, seed, match)
    if not play_rounds(table, box, start_round, play_round, score_round):
        return False
    finish_match(table)
    return True
