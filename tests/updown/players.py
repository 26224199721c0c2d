"""Players for tests, apart from the registry."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from simcore.games.updown.moves import nth_move, random_move
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


def from_stream(table, seat):
    """Choose any move, drawn from the private stream one by one."""
    return random_move(table, seat)


def first_move(table, seat):
    """Choose the first legal move."""
    return nth_move(table, seat, 0)


RANDOM_PLAYER = TestPlayer("random")
STREAM_PLAYER = TestPlayer("from_stream", from_stream)
FIRST_PLAYER = TestPlayer("first_move", first_move)
