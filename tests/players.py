"""Players for tests, apart from the registry: any decision function can take a seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simcore.compiler.seat_policy import SeatPolicy


@dataclass(frozen=True)
class TestPlayer:
    """What `batch.Cell` needs of a strategy; without a function, uniform random play."""

    __test__ = False

    name: str
    function: Any = None
    values: tuple[float, ...] = ()
    idea: str = "a player of the tests"

    def seat_policy(self, _options: Any) -> SeatPolicy:
        """Return who is asked."""
        names = self.function.__code__.co_varnames[3:] if self.function else ()
        return SeatPolicy(self.name, self.function, {}, dict(zip(names, self.values, strict=False)))

    def __str__(self) -> str:
        return self.name


RANDOM_PLAYER = TestPlayer("random")
