"""A unit's functions on a GPU: where the numbers of a state stand there, and what is other.

The text of a unit (`compiler.units`) and the types that it works on are those of processors. Of a
state, what there is once stands in an array whose indices are constants, which become registers;
what has indices stands in another array, each number so many numbers (`stride`) behind the one
before: 1 in the thread's own memory, the number of threads where all threads share one.

Under NUMBA_ENABLE_CUDASIM=1 kernels run as ordinary Python; then `simulated` has the types.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

from numba import config, cuda

SIMULATED = bool(config.ENABLE_CUDASIM)
FUEL = 1 << 24
"""Turns of loops in a match of users' code, after which it is given up."""

Places = dict[str, tuple[Any, ...]]


def placed(state: Mapping[str, Sequence[Any]], width: int) -> tuple[Places, int, frozenset[str]]:
    """Return where the fields of a state stand on a GPU.

    Parameters
    ----------
    state : dict
        Where they stand for a processor (`state_layout.Layout.state`).
    width : int
        Words of a set of cards.

    Returns
    -------
    fields : dict
        As `state`, but that each of the two arrays is counted from 0.
    count : int
        How many numbers there are once.
    singles : frozenset of str
        The fields of these.
    """
    lists = [name for name, (_, steps, *_) in state.items() if steps]
    parts = re.compile("|".join(rf"{re.escape(name)}_\d+" for name in lists) or "-")
    singles = {name for name in state if name not in lists and not parts.fullmatch(name)}
    fields: Places = {"_fuel": (0, (), "n")}
    count = 1
    for name, place in sorted(state.items(), key=lambda item: item[1][0]):
        first = place[0]
        if name in singles:
            fields[name] = (count, *place[1:])
            count += width if place[2] == "s" else 1
        else:
            fields[name] = (first - count + 1, *place[1:])
    return fields, count, frozenset({"_fuel", *singles})


class _Products(ast.NodeTransformer):
    """Spells products out, which a GPU would put together with sums, and round once for both."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Mult):
            return node
        return ast.Call(ast.Name("_times", ast.Load()), [node.left, node.right], [])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Mult):
            return node
        old = ast.parse(ast.unparse(node.target), mode="eval").body
        product = ast.Call(ast.Name("_times", ast.Load()), [old, node.value], [])
        return ast.Assign([node.target], product)


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
        if ask is not None:
            self.space["_ask_at"] = ask
        self.singles = 0
        tree = ast.fix_missing_locations(_Products().visit(ast.parse(text)))
        path = f"<unit {id(self)}>"
        exec(compile(tree, path, "exec", dont_inherit=True), self.space)
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
        return self.space[f"_{name}"]


if SIMULATED:
    from numba import int64

    from simcore.gpu.simulated import on_device, rows, same_as, start_of, table, words
else:
    from numba.cuda.types import int64

    from simcore.gpu.device_types import on_device, rows, same_as, start_of, table, words

__all__ = [
    "FUEL",
    "SIMULATED",
    "DeviceUnit",
    "cuda",
    "int64",
    "on_device",
    "placed",
    "same_as",
    "start_of",
]
