"""Python's order of evaluation: what changes the state gets a line of its own, and happens once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any, NoReturn, TypeVar

from simcore.compiler.core import (
    BOOL,
    FLOAT,
    INT,
    SET,
    Value,
    assignments,
    indented,
    is_steady,
    lines,
    parsed,
)
from simcore.compiler.layout import Functions, Place
from simcore.compiler.program import Routine, is_ordinary, simple_names
from simcore.language import WORDS

T = TypeVar("T")


class Ordering:
    """Keeps the order in which Python evaluates, while a routine is translated.

    Attributes
    ----------
    kinds, types : dict
        Kinds of the names in the source, and of those in the output.
    before : list of str
        Lines that must run before the current statement.
    named, has : set of str
        All names that the routine assigns, and those that have a value on every way here.
    """

    def __init__(self, low: Functions, routine: Routine, given: dict[str, str]) -> None:
        self.low, self.routine, self.program, self.given = low, routine, low.program, given
        self.kinds: dict[str, str] = {}
        self.types: dict[str, str] = {}
        self.before: list[str] = []
        self.named = {
            name.id for name in simple_names(routine.tree) if not isinstance(name.ctx, ast.Load)
        }
        self.has: set[str] = set()
        self.breaks: list[list[set[str]]] = []  # `has` at each exit of the loops around
        self.count = 0
        self.inner: dict[str, str] = {}  # output names of the variables of comprehensions
        self.renamed: dict[str, str] = {}
        self.returns: list[str] | None = None
        self.source_returns: list[str] = []

    def stop(self, node: ast.AST | None, text: str) -> NoReturn:
        raise self.routine.refuse(node, text)

    # -------------------------------------------------------------------------------------- names

    def names_of(self, name: str) -> list[str]:
        """Return the output names of a local, one for each word."""
        if name in self.inner:
            return [self.inner[name]]
        title = name
        if not is_ordinary(name) or name in {callee.name for callee in self.routine.calls.values()}:
            title = self.renamed.setdefault(name, f"local{len(self.renamed)}_")
        return self.low.word_names(title) if self.kinds.get(name) == SET else [title]

    def fresh(self, kind: str = INT) -> str:
        """Return a name that the source does not use."""
        self.count += 1
        name = f"t{self.count}_"
        self.types[name] = kind
        return name

    def all_fresh(self, texts: Sequence[str]) -> list[str]:
        """Assign words to fresh names."""
        names = [self.fresh() for _ in texts]
        self.before += assignments(names, texts)
        return names

    # -------------------------------------------------------------------------------------- calls

    def word_of(self, node: ast.AST) -> str | None:
        """Return the word of the language that is called, if one is."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return None
        value = self.routine.space.get(node.func.id)
        is_word = node.func.id not in self.kinds and isinstance(value, FunctionType)
        return WORDS.get(value) if is_word else None

    def callee(self, node: ast.AST) -> Routine | None:
        """Return the function of the rules that is called, if one is."""
        return (
            self.routine.calls.get(ast.unparse(node.func)) if isinstance(node, ast.Call) else None
        )

    def is_call(self, node: ast.AST, name: str) -> bool:
        """Tell whether a function of Python is called."""
        called = isinstance(node, ast.Call) and getattr(node.func, "id", "") == name
        return called and name not in self.kinds and name not in self.routine.calls

    def changes(self, node: ast.AST) -> bool:
        """Tell whether an expression changes the state, or draws."""
        return self.low.changes(node, self.routine)

    # -------------------------------------------------------------------------------------- order

    def in_order(self, steps: Sequence[tuple[ast.expr, Callable[[Any], Any]]]) -> list[Any]:
        """Evaluate one expression after another.

        An expression that changes the state adds lines to `before`. Then the values that earlier
        ones have read of the state are assigned to names above these lines.
        """
        values: list[Any] = []
        for node, evaluate in steps:
            at = len(self.before)
            value = evaluate(node)
            if len(self.before) > at and self.changes(node):
                values = self.kept(values, at)
            values.append(value)
        return values

    def kept(self, values: Sequence[Any], at: int, before: list[str] | None = None) -> list[Any]:
        """Return values in variables that later changes of the state do not alter."""
        made: list[str] = []
        kept: list[Any] = []
        for value in values:
            part = "indices" if isinstance(value, Place) else "texts"
            texts = getattr(value, part)
            kind = INT if isinstance(value, Place) else self.number_kind(value)
            names = [text if is_steady(text) else self.fresh(kind) for text in texts]
            made += [line for line in assignments(names, texts) if not _is_same(line)]
            kept.append(value if names == texts else replace(value, **{part: names}))
        before = self.before if before is None else before
        before[at:at] = made
        return kept

    def saved(self, value: Value) -> Value:
        """Return a variable that holds a value, computed on a separate line."""
        names = [self.fresh(self.number_kind(value)) for _ in value.texts]
        self.before += assignments(names, value.texts)
        return replace(value, texts=names)

    def held(self, text: str) -> str:
        """Assign an expression to a fresh integer variable; return the variable's name."""
        return self.saved(Value(INT, [text])).text

    @staticmethod
    def number_kind(value: Value) -> str:
        return value.kind if value.kind in (FLOAT, BOOL) else INT

    def apart(self, evaluate: Callable[[], T]) -> tuple[T, list[str]]:
        """Evaluate an expression; return it with the lines that it needs."""
        outer, self.before = self.before, []
        value = evaluate()
        inner, self.before = self.before, outer
        return value, inner

    def under(self, test: str, body: Sequence[str], otherwise: Sequence[str] = ()) -> None:
        """Add lines that run under a condition."""
        text = f"if {test}:\n{indented(chr(10).join(body) or 'pass')}"
        if otherwise:
            text += f"\nelse:\n{indented(chr(10).join(otherwise))}"
        self.before.append(text)

    def with_lines(self, made: list[ast.stmt]) -> list[ast.stmt]:
        """Put the lines of `before` above a statement; a value used at once needs no name."""
        name = getattr(getattr(made[0], "value", None), "id", "") if len(made) == 1 else ""
        last = self.before[-1] if self.before else ""
        if name.endswith("_") and last.startswith(f"{name} = ") and "\n" not in last:
            del self.before[-1]
            made[0].value = parsed(last.partition(" = ")[2])  # type: ignore[attr-defined]
        return [*lines("\n".join(self.before)), *made]


def _is_same(line: str) -> bool:
    name, _, text = line.partition(" = ")
    return name == text
