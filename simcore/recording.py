"""Record decisions of many matches of one cell, and what came of several moves.

See `compiler.networks` for what is recorded. Like rows of matches, records depend on nothing but
the seed and the number of the match.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from simcore.batch import Array, Cell, Worker, work_off
from simcore.compiler import blocks
from simcore.compiler.networks import MOVE_HEAD, RESULTS
from simcore.compiler.seat_policy import SeatPolicy, is_foreign
from simcore.errors import InputError, PolicyError

PIECE = 2_000
"""Most matches in one call of a kernel."""


class Records(NamedTuple):
    """Decisions, one a row; matches without a choice are left out.

    Attributes
    ----------
    match, seat, decision, legal, tried, base : int64[n]
        `decision` is its number in the game, `base` the base policy's move.
    state : int64[n, words]
        The features of the state.
    move, is_chosen, is_over : int64[n, tries]
    share, margin : float64[n, tries]
        Of those tried: the share of the win if the match was over then, and by how much the seat
        was better than the mean of the others at the end of the round.
    features : int64[n, tries, words]
        The features of each move.
    """

    match: Array
    seat: Array
    decision: Array
    legal: Array
    tried: Array
    base: Array
    state: Array
    move: Array
    is_chosen: Array
    is_over: Array
    share: Array
    margin: Array
    features: Array

    def __add__(self, other: object) -> Records:
        """Return the rows of both."""
        assert isinstance(other, Records)
        return Records(*(np.concatenate(pair) for pair in zip(self, other, strict=True)))

    def take(self, rows: Array) -> Records:
        """Return some of the rows."""
        return Records(*(column[rows] for column in self))


def record(
    cell: Cell,
    first: int,
    count: int,
    *,
    learner: SeatPolicy,
    seats: Iterable[int],
    tries: int = 5,
    threads: int = 1,
    rotation: int = 0,
) -> Records:
    """Record a decision of each of matches [first, first + count) of a cell.

    Parameters
    ----------
    learner : SeatPolicy
        A learned policy, whose features are recorded; it need not play.
    seats : iterable of int
        Whose decisions are recorded.
    tries : int
        The most moves with which a round is played on; the policy's own is among them.

    Raises
    ------
    PolicyError
        If a policy returns a move that is not legal.
    """
    seats, watched = tuple(seats), is_foreign(cell) or learner.is_foreign
    pieces = deque((start, min(PIECE, count - start)) for start in range(0, count, PIECE))
    players = [
        blocks.Recorder(cell, rotation, learner, seats, tries)
        for _ in range(max(1, min(threads, len(pieces))))
    ]
    rows = np.zeros((count, players[0].size), np.int64)
    crew = [_Worker(player, first, pieces, rows, watched=watched) for player in players]
    work_off(crew)
    return _records(rows, first, tries, players[0].of_move)


def _records(rows: Array, first: int, tries: int, of_move: int) -> Records:
    """Return the columns of the numbers that were written."""
    kept = np.flatnonzero(rows[:, 3] > 1)
    match, rows = first + kept, rows[kept]
    state, moves = rows[:, RESULTS : -tries * of_move], rows[:, -tries * of_move :]
    moves = moves.reshape(len(rows), tries, of_move)
    seat, decision, legal, tried, base = rows[:, :RESULTS].T
    move, is_chosen, share, is_over, margin = (moves[:, :, k] for k in range(MOVE_HEAD))
    return Records(
        match,
        seat,
        decision,
        legal,
        tried,
        base,
        state,
        move,
        is_chosen,
        is_over,
        np.ascontiguousarray(share).view(np.float64),
        np.ascontiguousarray(margin).view(np.float64),
        moves[:, :, MOVE_HEAD:],
    )


class _Worker(Worker):
    """Records pieces of a block on one thread."""

    def error(self, match: int) -> InputError:
        if not self.player.has_left:
            return super().error(match)
        cell = self.player.cell
        return PolicyError(
            f"one of the policies {', '.join(map(str, cell.seats))} of {cell.game.name} failed "
            f"after another move had been made for it (match {match}, seed {cell.seed})"
        )
