"""Players for tests, apart from the registry: quick ones, so that many matches fit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from simcore import rng
from simcore.games.dnup.moves import nth_move, random_move
from simcore.games.dnup.table import ADD, TAKE, TURN
from simcore.jit import compile_policy, policy_address
from simcore.records import RANDOM


@dataclass
class TestPlayer:
    """What `batch.Cell` needs of a strategy, round a decision function."""

    __test__ = False

    name: str
    function: Any = None
    values: tuple[float, ...] = ()
    _kept: dict[Any, Any] = field(default_factory=dict)

    def numbers(self, _dtypes: Any) -> tuple[float, ...]:
        return self.values

    def address(self, dtypes: Any) -> int:
        if self.function is None:
            return RANDOM
        if dtypes not in self._kept:
            compiled = compile_policy(self.function, dtypes.table, dtypes.seat)
            self._kept[dtypes] = (compiled, policy_address(compiled))
        return self._kept[dtypes][1]

    def __str__(self) -> str:
        return self.name


def hasty(table, seat):
    """Play the largest set; now and then (`params[0]`) do anything."""
    if rng.uniform(seat.rng) < seat.params[0]:
        return random_move(table, seat)
    best = nth_move(table, seat, 0)
    for index in range(seat.move_count):
        move = nth_move(table, seat, index)
        if move < TURN:
            best = move
    return best


def collector(table, seat):
    """Take up whatever lies there; now and then (`params[0]`) do anything."""
    if rng.uniform(seat.rng) < seat.params[0]:
        return random_move(table, seat)
    last = nth_move(table, seat, seat.move_count - 1)
    if last >= TAKE or last < ADD:
        return last
    return random_move(table, seat)


RANDOM_PLAYER = TestPlayer("random")
HASTY = TestPlayer("hasty", hasty, (0.25,))
COLLECTOR = TestPlayer("collector", collector, (0.5,))
