"""Python's order of evaluation: what changes the state stands on a line of its own, once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any, NoReturn

from simcore.compiler.core import BOOL, FLOAT, INT, SET, Value, indented, is_steady, lines, parsed
from simcore.compiler.functions import Functions
from simcore.compiler.layout import Place
from simcore.compiler.program import (
    Routine,
    is_ordinary,
    simple_names,
)
from simcore.language import WORDS


class NormalForm:
    """Keeps the order in which Python evaluates, while a routine is translated.

    Attributes
    ----------
    before : list of str
        Lines that are to be run before the statement under way.
    """

    def __init__(self, lowering: Functions, routine: Routine, given: dict[str, str]) -> None:
        self.low, self.routine, self.program = lowering, routine, lowering.program
        self.given = given
        self.kinds: dict[str, str] = {}  # of names in the source
        self.types: dict[str, str] = {}  # of names in what is made
        self.returns: list[str] | None = None
        self.named = {
            one.id for one in simple_names(routine.tree) if not isinstance(one.ctx, ast.Load)
        }
        self.has: set[str] = set()  # names that have a value, whatever happened before
        self.breaks: list[list[set[str]]] = []  # what has one where loops under way are left
        self.count = 0
        self.before: list[str] = []  # lines that the statement under way needs before it
        self.inner: dict[str, str] = {}  # names of comprehensions, and what they are called
        self.renamed: dict[str, str] = {}

    def stop(self, node: ast.AST | None, text: str) -> NoReturn:
        raise self.routine.refuse(node, text)

    def names_of(self, name: str) -> list[str]:
        """Return what the words of a local are called."""
        if name in self.inner:
            return [self.inner[name]]
        title = self.title_of(name)
        return self.low.word_names(title) if self.kinds.get(name) == SET else [title]

    def title_of(self, name: str) -> str:
        """Return what a local is called: its name, unless that means something else here."""
        functions = {one.name for one in self.routine.calls.values()}
        if is_ordinary(name) and name not in functions:
            return name
        return self.renamed.setdefault(name, f"local{len(self.renamed)}_")

    def fresh(self, kind: str = INT) -> str:
        self.count += 1
        name = f"t{self.count}_"
        self.types[name] = kind
        return name

    def joined(self, made: list[ast.stmt]) -> list[ast.stmt]:
        """Put a statement after those that it needs; a value used at once needs no name."""
        name = getattr(getattr(made[0], "value", None), "id", "") if len(made) == 1 else ""
        last = self.before[-1] if self.before else ""
        if name and last.startswith(f"{name} = ") and name.endswith("_") and "\n" not in last:
            del self.before[-1]
            made[0].value = parsed(last.partition(" = ")[2])  # type: ignore[attr-defined]
        return [*lines("\n".join(self.before)), *made]

    def changes(self, node: ast.AST) -> bool:
        """Tell whether an expression changes the state, or draws."""
        return self.low.changes(node, self.routine)

    def in_order(self, steps: Sequence[tuple[ast.expr, Callable[[Any], Any]]]) -> list[Any]:
        """Evaluate one expression after another.

        What changes the state stands on a line before the statement under way (`before`). Where a
        later expression has such a line, what earlier ones have read of the state is kept first.
        """
        found: list[Any] = []
        for node, evaluate in steps:
            at = len(self.before)
            value = evaluate(node)
            if len(self.before) > at and self.changes(node):
                found = self.kept(found, at)
            found.append(value)
        return found

    def kept(self, values: Sequence[Any], at: int) -> list[Any]:
        """Return values in variables that later changes of the state do not alter."""
        made: list[str] = []
        found: list[Any] = []
        for value in values:
            texts = value.indices if isinstance(value, Place) else value.texts
            if all(map(is_steady, texts)):
                found.append(value)
                continue
            kind = INT if isinstance(value, Place) else self.number_kind(value)
            names = [text if is_steady(text) else self.fresh(kind) for text in texts]
            made += [f"{a} = {b}" for a, b in zip(names, texts, strict=True) if a != b]
            part = "indices" if isinstance(value, Place) else "texts"
            found.append(replace(value, **{part: names}))
        self.before[at:at] = made
        return found

    def saved(self, value: Value) -> Value:
        """Return a variable that holds a value, computed on a separate line."""
        names = [self.fresh(self.number_kind(value)) for _ in value.texts]
        self.before += [f"{a} = {b}" for a, b in zip(names, value.texts, strict=True)]
        return replace(value, texts=names)

    def number_kind(self, value: Value) -> str:
        return value.kind if value.kind in (FLOAT, BOOL) else INT

    def apart(self, evaluate: Callable[[], Any]) -> tuple[Any, list[str]]:
        """Evaluate something apart; return it with the lines that it needs."""
        outer, self.before = self.before, []
        value = evaluate()
        inner, self.before = self.before, outer
        return value, inner

    def under(self, test: str, made: list[str], otherwise: Sequence[str] = ()) -> None:
        """Add lines that are run under a condition."""
        text = f"if {test}:\n{indented(chr(10).join(made) or 'pass')}"
        if otherwise:
            text += f"\nelse:\n{indented(chr(10).join(otherwise))}"
        self.before.append(text)

    def word_of(self, node: ast.AST) -> str | None:
        """Return the word that is called, if one is."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in self.kinds:
                return None
            value = self.routine.space.get(node.func.id)
            return WORDS.get(value) if isinstance(value, FunctionType) else None
        return None

    def is_call(self, node: ast.AST, name: str) -> bool:
        """Tell whether a built-in function is called."""
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != name:
            return False
        return name not in self.kinds and name not in self.routine.calls

    def callee(self, node: ast.AST) -> Routine | None:
        if not isinstance(node, ast.Call):
            return None
        return self.routine.calls.get(ast.unparse(node.func))

    def again(self, text: str, made: list[str]) -> Callable[[], str]:
        """Return a function that adds lines and returns a text."""

        def evaluate() -> str:
            self.before += made
            return text

        return evaluate
