"""A unit's functions on a GPU: where the numbers of a state stand there, and what is other.

The text of a unit (`compiler.units`) and the types that it works on are those of processors. Of a
state, what there is once stands in an array whose indices are constants, which become registers;
what has indices stands in another array, each number so many numbers (`stride`) behind the one
before: 1 in the thread's own memory, the number of threads where all threads share one.

Under NUMBA_ENABLE_CUDASIM=1 kernels run as ordinary Python; then `simulated` has the types.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any

from numba import config, cuda

from simcore.gpu.kernels import Products, placed

SIMULATED = bool(config.ENABLE_CUDASIM)
FUEL = 1 << 24
"""Turns of loops in a match of users' code, after which it is given up."""


def _tick(s: Any) -> bool:
    """Tell whether a loop is to be left, as something is wrong, or it has gone on for too long."""
    s._fuel = s._fuel - 1
    if s._fuel < 0:
        s._fault = 1
    return s._fault != 0  # type: ignore[no-any-return]


class DeviceUnit:
    """The functions of a unit for a device.

    Parameters
    ----------
    text : str
        The unit's.
    ask : callable, optional
        A function for the device that asks a policy by its number.
    """

    def __init__(self, text: str, ask: Callable[..., Any] | None = None) -> None:
        self.space: dict[str, Any] = {**words(), "_rows": self._rows, "_table": table}
        self.space["_tick"] = on_device(_tick)
        if ask is not None:
            self.space["_ask_at"] = ask
        self.singles = 0
        tree = ast.fix_missing_locations(Products().visit(ast.parse(text)))
        path = f"<unit {id(self)}>"
        exec(compile(tree, path, "exec", dont_inherit=True), self.space)  # noqa: S102 (written here)
        for name, value in self.space.items():
            if isinstance(value, FunctionType) and value.__code__.co_filename == path:
                self.space[name] = on_device(value)

    def _rows(
        self, state: Any, options: Any, players: int, width: int, numbers: int
    ) -> tuple[Any, ...]:
        fields, self.singles, singles = placed(state, width)
        return rows(fields, singles, options, players, width, numbers)

    def __getattr__(self, name: str) -> Any:
        """Return one of its functions, without the `_` before its name."""
        return from_kernel(self.space[f"_{name}"])


if SIMULATED:
    from numba import int64

    from simcore.gpu.simulated import from_kernel, on_device, rows, same_as, start_of, table, words
else:
    from numba.cuda.types import int64

    from simcore.gpu.device_types import (
        from_kernel,
        on_device,
        rows,
        same_as,
        start_of,
        table,
        words,
    )

__all__ = [
    "FUEL",
    "SIMULATED",
    "DeviceUnit",
    "cuda",
    "int64",
    "on_device",
    "same_as",
    "start_of",
]
