"""Players for tests, apart from the registry: any decision function can take a seat."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numba

from simcore.jit import JIT_DISABLED, kernel, policy_address
from simcore.policies import compile_policy
from simcore.records import RANDOM


@dataclass
class TestPlayer:
    """What `batch.Cell` needs of a strategy; without a function, uniform random play.

    A trusted one is compiled once, like cardlab's own, and not watched on a thread of its own.
    """

    __test__ = False

    name: str
    function: Any = None
    values: tuple[float, ...] = ()
    trusted: bool = False
    _kept: dict[Any, Any] = field(default_factory=dict)

    def numbers(self, _dtypes: Any) -> tuple[float, ...]:
        return self.values

    def address(self, dtypes: Any) -> int:
        if self.function is None:
            return RANDOM
        if dtypes not in self._kept:
            compile_one = _compile_trusted if self.trusted else compile_policy
            compiled = compile_one(self.function, dtypes.table, dtypes.seat)
            self._kept[dtypes] = (compiled, policy_address(compiled))
        return self._kept[dtypes][1]

    def choose_plain(self, plain: Any, s: Any, moves: Any) -> int:
        """Choose a move of a game in the language, run as ordinary Python."""
        if self.function is None:
            return int(plain.random_move(s, moves))
        function = plain.add(self.function)
        return int(plain.run(function, s, s.seat, plain.moves_as_given(s, moves), *self.values))

    def spec(self, _options: Any) -> tuple[int, ...]:
        return ()

    def __str__(self) -> str:
        return self.name


def _compile_trusted(function: Any, table: Any, seat: Any) -> Any:
    if JIT_DISABLED:
        return function
    compiled: Any = kernel(function)
    compiled.compile(numba.types.int64(numba.from_dtype(table), numba.from_dtype(seat)))
    return compiled


RANDOM_PLAYER = TestPlayer("random")
