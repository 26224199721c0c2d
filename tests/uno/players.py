"""Players for tests, apart from the registry: quick ones, so that many matches fit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from simcore import rng
from simcore.bits import lowest_bit
from simcore.games.uno.moves import nth_move, random_move
from simcore.games.uno.table import COLOUR, DRAW_MOVE
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
    """Lay a card whenever there is one; now and then (`params[0]`) play anything."""
    if rng.uniform(seat.rng) < seat.params[0]:
        return random_move(table, seat)
    if table.phase >= COLOUR:
        return random_move(table, seat)
    cards = seat.found & (DRAW_MOVE - 1)
    return nth_move(table, seat, 0) if cards else lowest_bit(seat.found)


RANDOM_PLAYER = TestPlayer("random")
HASTY = TestPlayer("hasty", hasty, (0.15,))
