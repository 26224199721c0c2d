"""Players for tests, apart from the registry, and a recorder that plays a match at full speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore import rng
from simcore.batch import Cell, records
from simcore.games.upordown import kernel as rules
from simcore.games.upordown.moves import nth_move, random_move
from simcore.games.upordown.table import MAX_MOVES, NEW_COLUMN, PLACE
from simcore.jit import kernel
from simcore.records import ROUND_OVER
from tests.players import TestPlayer


def builder(table, seat):
    """Append whenever possible, or start a column; now and then (`params[0]`) do anything."""
    move = random_move(table, seat)
    if table.phase == PLACE and rng.uniform(seat.rng) >= seat.params[0]:
        while move > NEW_COLUMN and nth_move(table, seat, 0) <= NEW_COLUMN:
            move = random_move(table, seat)
    return move


def picker(table, seat):
    """Make the first move, or with `params[1]` the last; now and then (`params[0]`) any."""
    if rng.uniform(seat.rng) < seat.params[0]:
        return random_move(table, seat)
    return nth_move(table, seat, (seat.move_count - 1) * np.int64(seat.params[1]))


BUILDER = TestPlayer("builder", builder, (0.02,), trusted=True)


def picker_of(whim: float, last: bool) -> TestPlayer:
    """Return a picker; the function is compiled once."""
    return TestPlayer("picker", picker, (whim, float(last)), trusted=True, _kept=_PICKERS)


_PICKERS: dict[Any, Any] = {}

MOST_STEPS = 520


@kernel
def _record(tables, boxes, seed, match, log):
    """Play a match move by move; write the states, the legal moves and the moves made."""
    states, hands, listed, moves = log
    table, box = tables[0], boxes[0]
    rules.start_match(table, box, seed, match)
    rules.start_round(table, box)
    step = 0
    while True:
        states[step] = table
        for index in range(table.players):
            hands[step, index] = box.seats[index].hand
        if table.phase == ROUND_OVER:
            break
        seat = box.seats[table.seat]
        count = rules.find_moves(table, seat)
        rules.legal_moves(table, seat)
        for index in range(count):
            listed[step, index] = seat.moves[index]
        if count == 1:
            moves[step] = seat.moves[0]
        else:
            moves[step] = rules.choose(tables, boxes)
        if moves[step] < 0:
            return -1
        rules.apply_move(table, box, moves[step])
        step += 1
    rules.score_round(table, box)
    rules.finish_match(table)
    return step


@dataclass
class Recording:
    """A match: the states before the first and after every move, and the moves.

    Attributes
    ----------
    states : TABLE[steps + 1]
    hands : int64[steps + 1, players]
    listed : int64[steps, MAX_MOVES]
        The legal moves before each move; -1 after the last of them.
    moves : int64[steps]
    table, box : records
        At the end of the match.
    """

    states: Any
    hands: Any
    listed: Any
    moves: Any
    table: Any
    box: Any


def record(cell: Cell, match: int, rotation: int = 0) -> Recording:
    """Play one match and keep every position."""
    tables, boxes = records(cell, rotation)
    states = np.zeros(MOST_STEPS, tables.dtype)
    hands = np.zeros((MOST_STEPS, cell.players), np.int64)
    listed = np.full((MOST_STEPS, MAX_MOVES), -1, np.int64)
    moves = np.zeros(MOST_STEPS, np.int64)
    steps = _record(tables, boxes, cell.seed, match, (states, hands, listed, moves))
    assert steps > 0
    return Recording(
        states[: steps + 1],
        hands[: steps + 1],
        listed[:steps],
        moves[:steps],
        tables[0],
        boxes[0],
    )
