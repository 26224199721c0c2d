"""Players for tests, apart from the registry: quick ones, so that many matches fit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from simcore import rng
from simcore.games.upordown.moves import nth_move, random_move
from simcore.games.upordown.table import NEW_COLUMN, PLACE
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

    def address(self, dtypes: Any) -> int:
        if self.function is None:
            return RANDOM
        if dtypes not in self._kept:
            compiled = compile_policy(self.function, dtypes.table, dtypes.seat)
            self._kept[dtypes] = (compiled, policy_address(compiled))
        return self._kept[dtypes][1]

    def __str__(self) -> str:
        return self.name


def builder(table, seat):
    """Append whenever possible, or start a column; now and then (`params[0]`) do anything."""
    move = random_move(table, seat)
    if table.phase == PLACE and rng.uniform(seat.rng) >= seat.params[0]:
        while move > NEW_COLUMN and nth_move(table, seat, 0) <= NEW_COLUMN:
            move = random_move(table, seat)
    return move


RANDOM_PLAYER = TestPlayer("random")
BUILDER = TestPlayer("builder", builder, (0.02,))
