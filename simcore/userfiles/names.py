"""What a user's file names and nothing reads: misspelt steps and settings are refused.

An option that no rule reads, or a function that nothing calls, is told by `cardlab check`.
"""

from __future__ import annotations

import ast
import difflib
import linecache
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from simcore.compiler.program import (
    KINDS_OF_STEPS,
    NAMING,
    SIMPLE_STEPS,
    STEPS,
    Refused,
    simple_names,
)
from simcore.language import Decision, Dial, Field

_SETTINGS = "deck players teams best turn_cap State always prepare game names"
SETTINGS = tuple(_SETTINGS.split())
"""What a file may say beside its steps."""

LIKE = 0.8
"""How alike two names must be for one to be taken for the other (difflib's ratio)."""


@dataclass(frozen=True)
class Unread:
    """A definition in a user's file that nothing reads.

    Attributes
    ----------
    name : str
    line : int
    kind : str
        "function", "class", "option" or "constant".
    args : tuple of str
        Of a function: its parameters.
    """

    name: str
    line: int
    kind: str
    args: tuple[str, ...] = ()

    @property
    def advice(self) -> str:
        """Describe the unread definition, and how to use it."""
        if self.kind != "function":
            return f"nothing reads the {self.kind} `{self.name}`"
        if self.args[:3] == ("s", "seat", "moves"):
            return f"nothing calls `{self.name}`; a policy is marked with @policy"
        return f"nothing calls `{self.name}`, and no step has this name"


def unread_names(file: Path, module: ModuleType, more: Iterable[str] = ()) -> Iterator[Unread]:
    """Yield the names that a file defines but never reads, except steps, settings and policies.

    Parameters
    ----------
    more : iterable of str
        Names that mean something besides, as of the functions of a game that is changed.
    """
    known = known_names(module) | set(more)
    tree = _tree(file)
    read = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    read |= {name.id for name in simple_names(tree) if isinstance(name.ctx, ast.Load)}
    for statement in tree.body:
        for name, kind, args in _defined(statement, module):
            if name not in read and name not in known and not name.startswith("_"):
                yield Unread(name, statement.lineno, kind, args)


def _tree(file: Path) -> ast.Module:
    return ast.parse("".join(linecache.getlines(str(file))))


def _defined(statement: ast.stmt, module: ModuleType) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the names that a statement defines: name, kind, parameters."""
    if isinstance(statement, ast.FunctionDef) and not statement.decorator_list:
        args = tuple(arg.arg for arg in statement.args.args)
        if args[:1] != ("usual",):  # of rules: it stands in for the game's
            yield statement.name, "function", args
    if isinstance(statement, ast.ClassDef) and not statement.decorator_list:
        yield statement.name, "class", ()
    for target in statement.targets if isinstance(statement, ast.Assign) else ():
        if isinstance(target, ast.Name):
            value = vars(module).get(target.id)
            yield target.id, "option" if isinstance(value, Dial) else "constant", ()


def known_names(module: ModuleType) -> set[str]:
    """Return the names of steps and settings, and of the steps of a file's decisions."""
    decisions = [value.name for value in vars(module).values() if isinstance(value, Decision)]
    steps = {f"{kind}_{name.lower()}" for kind in KINDS_OF_STEPS for name in decisions}
    steps |= {f"{NAMING}{name.lower()}" for name in ("move", *decisions)}
    fields = vars(vars(module).get("State", object)).values()
    named = {field.named for field in fields if isinstance(field, Field) and field.named}
    steps |= {f"{NAMING}{name}" for name in named}
    return {*SETTINGS, *STEPS, *SIMPLE_STEPS, *steps}


def check_names(path: str, file: Path, module: ModuleType, more: Iterable[str] = ()) -> None:
    """Refuse a name that nothing reads and that looks like a misspelt step or setting.

    Parameters
    ----------
    path : str
        The file as it was given.
    more : iterable of str
        As in `unread_names`.

    Raises
    ------
    Refused
        With the file, the line and the name that was probably meant.
    """
    best = vars(module).get("best", "highest")
    if isinstance(best, str) and best not in ("highest", "lowest"):
        near = difflib.get_close_matches(best, ("highest", "lowest"), 1, 0.1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        raise Refused(f'{path}: best = {best!r} is refused; allowed: "highest", "lowest"{meant}')
    more, tree = set(more), _tree(file)
    definitions = (ast.FunctionDef, ast.ClassDef)
    names = {node.name for node in tree.body if isinstance(node, definitions)}
    for node in tree.body:
        if not isinstance(node, definitions):
            names |= {name.id for name in simple_names(node) if isinstance(name.ctx, ast.Store)}
    meanings = sorted((known_names(module) | more) - names)
    for unread in unread_names(file, module, more):
        near = difflib.get_close_matches(unread.name, meanings, 1, LIKE)
        if near:
            source = linecache.getline(str(file), unread.line).strip()
            place = f"{path}, line {unread.line}: `{source}`"
            raise Refused(f"{place}: {unread.advice}; did you mean `{near[0]}`?")
