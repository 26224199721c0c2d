"""dnup: a round played by the policies, move by move; markers, or rounds won, and who leads."""

from __future__ import annotations

from simcore.games.dnup.choice import by_spec
from simcore.games.dnup.moves import find_moves, is_legal, nth_move, random_move
from simcore.games.dnup.play import apply_move, win_match
from simcore.games.dnup.table import CLAUSE, METRIC, USUAL_SECOND_OUT
from simcore.jit import inline_kernel, kernel
from simcore.match import (
    choose_move,
    note_comeback,
    note_lead_change,
    note_leaders,
    play_decisions,
)


@inline_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    return choose_move(table, seat, policy, random_move, by_spec, is_legal)


@kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move."""
    return play_decisions(table, box, ask, find_moves, nth_move, apply_move)


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
