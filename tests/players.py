"""Players for tests, apart from the registry: any decision function can take a seat."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numba

from simcore.compiler.blocks import Asked
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
    idea: str = "a player of the tests"
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

    def asked(self, _options: Any) -> Asked:
        """Return who is asked, in games of the language."""
        names = self.function.__code__.co_varnames[3:] if self.function else ()
        return Asked(self.name, self.function, {}, dict(zip(names, self.values, strict=False)))

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
