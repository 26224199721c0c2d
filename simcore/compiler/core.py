"""Functions over numbers: what rules become before they are printed.

A `Core` is Python over int64, float64 and truth values, in which `s.name[index]` and
`o.name[index]` have one index and every test is a truth value. `module` prints it.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

INT, BOOL, FLOAT, SET, TABLE, WORD_OPTION = "n", "b", "f", "s", "t", "w"
"""Kinds of values; a WORD_OPTION is an option whose values are words, stored as their numbers."""

POINTER, WORDS_AT, REALS_AT = "p", "pn", "pf"
"""Kinds of parameters: a state or options, and the start of an array of whole numbers or floats."""


@dataclass
class Core:
    """A function over numbers.

    Attributes
    ----------
    name : str
    params : list of str
        Without `s` and `o`, which the first is given where it `uses_state`, the second always.
    kinds : dict
        Of each parameter and local: INT, BOOL or FLOAT.
    returns : tuple of str
        The kinds of what it returns.
    """

    name: str
    params: list[str]
    body: list[ast.stmt]
    kinds: dict[str, str]
    returns: tuple[str, ...] = ()
    uses_state: bool = True
    rare: bool = False
    file: str = ""
    line: int = 0
    about: str = ""
    """The docstring of the source."""
    free: bool = False
    """Whether it takes neither the state nor the options."""
    gives: tuple[str, ...] = ()
    """The kinds of what it returns in its source, where a set is one value."""


@dataclass
class Value:
    """What an expression is: its kind, and a text for each of its words."""

    kind: str
    texts: list[str]
    words: tuple[str, ...] = ()
    bits: int = 64
    """A whole number is nearer to 0 than 2 to this power, as far as is known."""

    @property
    def text(self) -> str:
        return self.texts[0]

    @property
    def constant(self) -> int | None:
        """The whole number that it is, if that is known."""
        return constant(self.text) if self.kind == INT else None


def parsed(text: str) -> ast.expr:
    """Return the expression that a text is."""
    return ast.parse(text, mode="eval").body


def lines(text: str) -> list[ast.stmt]:
    """Return the statements that a text is."""
    return ast.parse(text).body


_NUMBERS = {
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "Words": WORDS_AT,
    "Reals": REALS_AT,
    "State": POINTER,
}


def read_core(function: Callable[..., Any], constants: Mapping[str, Any]) -> Core:
    """Return a Python function over numbers, with annotations; names in capitals are constants."""
    (core,) = cores_of(inspect.getsource(function), constants)
    return core


def cores_of(text: str, constants: Mapping[str, Any]) -> list[Core]:
    """Return the functions of a text; parameters without an annotation are whole numbers."""
    return [_core_of(node, constants) for node in lines(text) if isinstance(node, ast.FunctionDef)]


def _core_of(tree: ast.FunctionDef, constants: Mapping[str, Any]) -> Core:
    for part in ast.walk(tree):
        if isinstance(part, ast.Name) and part.id.isupper():
            part.__class__ = ast.Constant  # type: ignore[assignment]
            part.value = constants[part.id]  # type: ignore[attr-defined]
    names = [arg.arg for arg in tree.args.args]
    uses_state = names[:2] == ["s", "o"]
    free = not {"s", "o"} & set(names)
    kinds = {
        arg.arg: _NUMBERS[ast.unparse(arg.annotation)] if arg.annotation else INT
        for arg in tree.args.args
        if arg.arg not in ("s", "o")
    }
    returned = ast.unparse(tree.returns).removeprefix("tuple[").rstrip("]") if tree.returns else ""
    return Core(
        tree.name,
        list(kinds),
        tree.body[1:] if ast.get_docstring(tree) else tree.body,
        kinds,
        tuple(_NUMBERS[kind] for kind in returned.split(", ") if kind not in ("", "None")),
        uses_state,
        rare=bool(tree.decorator_list),
        free=free,
    )


def indented(text: str) -> str:
    """Return some lines further in."""
    return "\n".join("    " + line for line in text.splitlines())


def join(a: str, b: str) -> str:
    """Return the kind that holds what both hold."""
    a, b = (INT if kind == WORD_OPTION else kind for kind in (a, b))
    if a == b:
        return a
    if SET in (a, b):
        return SET
    return FLOAT if FLOAT in (a, b) else INT


ZEROS = {INT: "0", FLOAT: "0.0"}


def constant(text: str) -> int | None:
    """Return the whole number that a text is, if it is one."""
    digits = text.strip("()")
    return int(digits) if digits.lstrip("-").isdigit() else None


def is_steady(text: str) -> bool:
    """Tell whether a text has the same value however the state changes."""
    return re.search(r"\bs\b", text) is None


def assigned(left: Sequence[str], right: Sequence[str]) -> str:
    """Return an assignment of several words at once."""
    return f"{', '.join(left)} = {', '.join(right)}"


def assignments(names: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return one assignment for each word."""
    return [f"{name} = {text}" for name, text in zip(names, texts, strict=True)]


def either(sign: str, tests: Sequence[str]) -> str:
    """Join tests by `and` or `or`."""
    return f"({f' {sign} '.join(tests)})" if len(tests) > 1 else tests[0]
