"""Players for tests, apart from the registry: any decision function can take a seat."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from simcore.jit import policy_address
from simcore.policies import compile_policy
from simcore.records import RANDOM


@dataclass
class TestPlayer:
    """What `batch.Cell` needs of a strategy; without a function, uniform random play."""

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

    def spec(self) -> tuple[int, ...]:
        return ()

    def __str__(self) -> str:
        return self.name


RANDOM_PLAYER = TestPlayer("random")
