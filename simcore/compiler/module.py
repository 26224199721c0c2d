"""Print functions over numbers (`core.Core`) as one readable Python module.

A module is complete: where the fields of the state and the options stand, the tables, and the
functions, callees first and `entry` last, each below the file and line of the rule that it was.
Words (`popcount`, `nth_bit` …) are called by name; what they are says the target, of which the
first line imports everything (`numba_code` on a CPU).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from functools import cached_property
from pathlib import Path
from pprint import pformat

import numpy as np

from simcore.compiler.core import BOOL, FLOAT, INT, POINTER, REALS_AT, WORDS_AT, Core, parsed
from simcore.compiler.fold import Folder
from simcore.compiler.translate import Lowering
from simcore.jit import TOP, is_builtin_file

_ANNOTATIONS = {
    INT: "int",
    BOOL: "bool",
    FLOAT: "float",
    WORDS_AT: "Words",
    REALS_AT: "Reals",
    POINTER: "State",
}
_ZEROS = {INT: "0", BOOL: "False", FLOAT: "0.0"}


class _Places(ast.NodeTransformer):
    """Rewrites fields, options and tables as they are printed.

    Parameters
    ----------
    writer : Writer
    """

    def __init__(self, writer: Writer) -> None:
        self.writer, self.low = writer, writer.low

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        node.slice = self.visit(node.slice)
        base = node.value
        if isinstance(base, ast.Name) and base.id in self.low.tables:
            self.writer.tables[base.id] = self.low.tables[base.id]
        elif isinstance(base, ast.Attribute):
            at, count = self.writer.place(ast.unparse(base.value), base.attr)
            if count == 1:
                return base
            if ast.unparse(base.value) == "o":
                numbers = [self.low.fixed.get(at + place) for place in range(count)]
                if None not in numbers:
                    name = f"O_{base.attr}"
                    self.writer.tables[name] = np.array(numbers, np.int64)
                    node.value = ast.Name(name, ast.Load())
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name = getattr(node.func, "id", "")
        if name == "metric_of":
            first = self.low.state[f"count_{self.low.program.metrics[0]}"][0]
            return parsed(f"number_at(s, {first} + {ast.unparse(node.args[1])})")
        return node


class Writer:
    """Prints the module of a unit: of a game's matches, a policy, or the search.

    Parameters
    ----------
    low : Lowering
        With a function `entry`.
    title : str
        What the module is, in words.

    Attributes
    ----------
    order : list of str
        The functions, callees first.
    tables : dict of arrays
        Constants by name.
    """

    target = "simcore.compiler.numba_code"

    def __init__(self, low: Lowering, title: str = "") -> None:
        self.low, self.title = low, title
        self.order: list[str] = []
        self.tables: dict[str, np.ndarray] = {}
        self.bodies: dict[str, list[ast.stmt]] = {}

    @cached_property
    def text(self) -> str:
        """The module: what stands above, and the functions down to `entry`."""
        self.want("entry")
        functions = "\n\n\n".join(map(self.function, self.order))
        return f"{self.head()}\n\n\n{functions}\n"

    def want(self, name: str) -> None:
        """Put a function into the order, after those that it calls."""
        if name in self.bodies:
            return
        core = self.low.done[name]
        self.bodies[name] = body = Folder(self.low).block(deepcopy(core.body))
        for callee in called_names(body):
            if callee in self.low.done:
                self.want(callee)
        rewriter = self.rewriter(core)
        self.bodies[name] = [rewriter.visit(node) for node in body]
        self.order.append(name)

    def rewriter(self, _core: Core) -> ast.NodeTransformer:
        """Return what rewrites the body of a function as it is printed."""
        return _Places(self)

    # ---------------------------------------------------------------------------------- the text

    def head(self) -> str:
        """Return the head of the module, before its functions."""
        tables = "".join(
            f"\n{name} = table({numbers.tolist()})" for name, numbers in sorted(self.tables.items())
        )
        return (
            f'"""{self.title}\n\nPrinted by cardlab from the rules; changes here have no effect.\n'
            f'"""\n\nfrom {self.target} import *\n\n'
            f"STATE = {pformat(self.low.state.places, width=100, compact=True)}\n"
            f"OPTIONS = {pformat(self.low.options.places, width=100, compact=True)}\n"
            f"State, Options = rows(STATE, OPTIONS, {self.low.players})"
            f"{tables}"
        )

    def place(self, holder: str, name: str) -> tuple[int, int]:
        """Return where a field or an option begins, and how many numbers it has."""
        return self.low.options[name] if holder == "o" else self.low.state[name]

    def params(self, core: Core) -> list[str]:
        """Return a function's parameters, with annotations."""
        first = [] if core.free else ["o: Options"]
        if core.uses_state and not core.free:
            first.insert(0, "s: State")
        return [*first, *(f"{name}: {self.annotation(name, core)}" for name in core.params)]

    def annotation(self, name: str, core: Core) -> str:
        return _ANNOTATIONS[core.kinds.get(name, INT)]

    def result(self, core: Core) -> str:
        """Return the annotation of what a function returns."""
        kinds = [_ANNOTATIONS[kind] for kind in core.returns]
        return f"tuple[{', '.join(kinds)}]" if len(kinds) > 1 else kinds[0] if kinds else "None"

    def function(self, name: str) -> str:
        """Return the text of a function."""
        core, text = self.low.done[name], self.lines(name)
        if core.rare:
            text.insert(0, "seldom()")
        inner = "\n".join(text).replace("\n", "\n    ")
        head = f"def {name}({', '.join(self.params(core))}) -> {self.result(core)}:"
        return f"{self.comment(core)}{head}\n    {inner}"

    def lines(self, name: str) -> list[str]:
        """Return a function's statements, ending in `return` of zeros where none ends it."""
        core, body = self.low.done[name], self.bodies[name]
        text = [ast.unparse(ast.fix_missing_locations(node)) for node in body] or ["pass"]
        if core.returns and not (body and isinstance(body[-1], ast.Return)):
            text.append(f"return {', '.join(_ZEROS[kind] for kind in core.returns)}")
        return text

    def comment(self, core: Core) -> str:
        """Return the lines that say which rule a function was."""
        if not core.file:
            return ""
        path = Path(core.file)
        # The text, and so its key in the cache, is the same wherever the package is installed.
        file = path.relative_to(TOP) if is_builtin_file(path) else path
        # A name of a file may have the end of a line in it.
        place = "".join(sign if sign.isprintable() else "?" for sign in file.as_posix())
        first = "".join(core.about.splitlines()[:1])
        return f"# {place}:{core.line}\n" + (f"# {first}\n" if first else "")


def called_names(body: list[ast.stmt]) -> Iterator[str]:
    """Yield the names of all functions that are called."""
    for node in body:
        for part in ast.walk(node):
            if isinstance(part, ast.Call):
                yield getattr(part.func, "id", "")
