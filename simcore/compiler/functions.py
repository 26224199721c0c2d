"""The functions of a unit over numbers, with its tables and the checks that they call."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import replace
from types import FunctionType
from typing import Any

import numpy as np

from simcore.compiler import checked, piles
from simcore.compiler.core import FLOAT, INT, Core, lines, read_core
from simcore.compiler.layout import Place, Rows
from simcore.compiler.program import Program, Routine
from simcore.language import WORDS, Field

EFFECTS = {
    "ask",
    "end_round",
    "end_match",
    "abort",
    "note",
    "note_if",
    "note_leaders",
    "note_lead_change",
    "below",
    "word",
    "uniform",
    "below_from",
    "move",
    "draw",
    "bring",
    "insert",
    "cut",
    "shuffle",
    "look",
    "reveal",
}
"""Words that change the state, or what is drawn next."""


MOST_OF_TABLE = 1 << 16


NO_TABLE = "a table holds numbers of 64 bits, in rows of the same length"


class Functions(Rows):
    """The functions of a unit, and the rows that they are about.

    Parameters
    ----------
    program, options, memory, fixed
        See `Rows`.
    checked : bool
        Whether users have written it: what Python refuses while it runs is noted in `fault` of the
        state.

    Attributes
    ----------
    done : dict of Core
        By name.
    tables : dict of arrays
        Constants by name.
    streams : set of str
        Families of random streams that are drawn from.
    """

    def __init__(
        self,
        program: Program,
        options: Mapping[str, Any],
        memory: Mapping[str, Field] | None = None,
        fixed: Mapping[int, int] | None = None,
        *,
        checked: bool = False,
    ) -> None:
        super().__init__(program, options, memory, fixed)
        self.checked = checked
        self.done: dict[str, Core] = {}
        self.tables: dict[str, np.ndarray] = {}
        self.streams: set[str] = set()
        self._changing: dict[str, bool] = {}

    def want(self, routine: Routine, given: dict[str, str] | None = None) -> Core:
        """Return a routine over numbers, and add it with what it calls."""
        raise NotImplementedError  # it is `translate.Lowering` that knows how

    def add(self, core: Core) -> Core:
        """Add a function that was written here."""
        self.done[core.name] = core
        return core

    def pile_function(self, name: str, field: str) -> str:
        """Return the name of a function of an ordered field (`piles`), which is added."""
        title = f"{name}_{field}_"
        if title not in self.done:
            constants = {**vars(piles), "ROOM": piles.room_of(self.program)}
            core = read_core(getattr(piles, name), constants)
            for node in (part for line in core.body for part in ast.walk(line)):
                if isinstance(node, ast.Attribute) and node.attr in ("order", "seen"):
                    node.attr = f"{field}_{node.attr}_"
                elif isinstance(node, ast.Name) and node.id == "turn":
                    node.id = self.pile_function("turn", field)
            self.add(replace(core, name=title))
        return title

    def check(self, name: str, *args: str, params: str = "", text: str = "") -> str:
        """Return the call of a function that notes a fault, which is added.

        It is the one of this name in `checked`, or has a text, over whole numbers.
        """
        if name not in self.done:
            if text:
                self.add(Core(name, params.split(), lines(text), {}, (INT,)))
            else:
                self.add(read_core(getattr(checked, name), vars(checked)))
        return f"{name}(s, o, {', '.join(args)})"

    def changes(self, node: ast.AST, one: Routine) -> bool:
        """Tell whether a piece of a routine changes the state, or draws."""
        for part in ast.walk(node):
            if isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, ast.Store):
                return True
            if isinstance(part, ast.Call):
                called = [part.func, *(word.value for word in part.keywords)]
                if any(self._alters(ast.unparse(each), one) for each in called):
                    return True
        return False

    def _alters(self, name: str, one: Routine) -> bool:
        """Tell whether a function that is called in a routine changes the state, or draws."""
        value, callee = one.space.get(name), one.calls.get(name)
        if callee is None:
            return isinstance(value, FunctionType) and WORDS.get(value) in EFFECTS
        if callee.name not in self._changing:
            self._changing[callee.name] = self.changes(callee.tree, callee)
        return self._changing[callee.name]

    def team(self, seat: str) -> str:
        """Return the seats of a seat's team, as bits."""
        seating = self.program.seating
        table = self.table("team", [seating.team(one) for one in range(seating.most)])
        return f"({table.name}[{seat}] & ((1 << o.players) - 1))"

    def viewers(self, name: str, seat: str) -> str:
        """Return the seats that see what a seat has in a field, as bits."""
        declared, seating = self.fields[name], self.program.seating
        if not declared.per_seat or declared.sees in ("shown", "hidden"):
            return "((1 << o.players) - 1)" if declared.sees == "shown" else "0"
        if not declared.to:
            return f"(1 << ({seat}))"
        masks = [
            [seating.viewers(declared, one, max(players, 1)) for one in range(seating.most)]
            for players in range(seating.most + 1)
        ]
        table = self.table(f"viewers_{name}", masks)
        return f"{table.name}[o.players * {seating.most} + ({seat})]"

    def table(self, name: str, value: Any) -> Place:
        """Add a constant table; return its place.

        Raises
        ------
        ValueError
            If it holds something else than numbers of 64 bits, too many, or has rows of different
            lengths.
        """
        numbers = np.array(value)
        if numbers.size > MOST_OF_TABLE:
            raise ValueError(
                f"a table has {MOST_OF_TABLE:,} numbers at most, not {numbers.size:,}; what is "
                "larger is worked out by a function"
            )
        if numbers.dtype.kind not in "bif" or not numbers.size:
            raise ValueError(NO_TABLE)
        kind = FLOAT if numbers.dtype.kind == "f" else INT
        steps = [int(np.prod(numbers.shape[axis + 1 :])) for axis in range(numbers.ndim)]
        flat = numbers.astype(np.float64 if kind == FLOAT else np.int64).ravel()
        flat = np.ascontiguousarray(flat).view(np.int64)
        padded = np.concatenate([flat, np.zeros(max(0, 16 - len(flat)), np.int64)])
        title = "T_" + re.sub(r"\W", "_", name, flags=re.ASCII)
        while not np.array_equal(self.tables.get(title, padded), padded):
            title += "_"
        self.tables[title] = padded
        return Place("", title, kind, steps, counts=list(map(str, numbers.shape)))
