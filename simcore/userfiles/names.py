"""What a user's file names to no effect: it is refused, where it would be passed over in silence.

A function that nothing calls is told by `cardlab check`.
"""

from __future__ import annotations

import ast
import difflib
import linecache
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType

from simcore.compiler.program import (
    KINDS_OF_STEPS,
    NAMING,
    SIMPLE_STEPS,
    STEPS,
    Refused,
    simple_names,
)
from simcore.language import Count, Decision, Dial, Field
from simcore.words import WORDS

_SETTINGS = "deck players teams roles meant best turn_cap State always prepare game names"
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
    """Refuse what a file of a game or of rules names to no effect.

    That is a name that nothing reads and that looks like a misspelt step or setting, an option that
    no rule reads, and what `_silent` finds.

    Parameters
    ----------
    path : str
        The file as it was given.
    more : iterable of str
        As in `unread_names`.

    Raises
    ------
    Refused
        With the file, the line, and the name that was probably meant.
    """

    def refuse(line: int, why: str) -> Refused:
        return Refused(
            f"{path}, line {line}: `{linecache.getline(str(file), line).strip()}`: {why}"
        )

    best = vars(module).get("best", "highest")
    if isinstance(best, str) and best not in ("highest", "lowest"):
        near = difflib.get_close_matches(best, ("highest", "lowest"), 1, 0.1)
        meant = f"; did you mean {near[0]!r}?" if near else ""
        raise Refused(f'{path}: best = {best!r} is refused; allowed: "highest", "lowest"{meant}')
    more, tree = set(more), _tree(file)
    for line, why in _silent(tree, module, more):
        raise refuse(line, why)
    definitions = (ast.FunctionDef, ast.ClassDef)
    names = {node.name for node in tree.body if isinstance(node, definitions)}
    for node in tree.body:
        if not isinstance(node, definitions):
            names |= {name.id for name in simple_names(node) if isinstance(name.ctx, ast.Store)}
    meanings = sorted((known_names(module) | more) - names)
    for unread in unread_names(file, module, more):
        alike = [meaning for meaning in meanings if meaning.lower() == unread.name.lower()]
        near = alike or difflib.get_close_matches(unread.name, meanings, 1, LIKE)
        if near or unread.kind == "option":
            meant = f"; did you mean `{near[0]}`?" if near else ""
            raise refuse(unread.line, f"{unread.advice}{meant}")


def _silent(tree: ast.Module, module: ModuleType, more: set[str]) -> Iterator[tuple[int, str]]:
    """Yield what a file says in vain: the line, and why.

    It is what Python overwrites or what nothing looks for: a second definition of a function or a
    field, a field that is none, a helper with the name of a word, counts in the file of a game.
    """
    is_game = not more
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for function in functions:
        if Counter(node.name for node in functions)[function.name] > 1:
            earlier = next(node.lineno for node in functions if node.name == function.name)
            if earlier != function.lineno:
                yield function.lineno, f"line {earlier} defines `{function.name}` already"
        if function.name in WORDS.values() and function.name not in more:
            why = f"`{function.name}` is a word of the language; choose another name"
            yield function.lineno, why
        if is_game and "at" in getattr(vars(module).get(function.name), "__dict__", {}):
            yield function.lineno, f"`@at` {_COUNTED_BESIDE}"
    for statement in tree.body:
        named = [target.id for target in _targets(statement) if isinstance(target, ast.Name)]
        if is_game and any(isinstance(vars(module).get(name), Count) for name in named):
            yield statement.lineno, f"`measure` {_COUNTED_BESIDE}"
        if isinstance(statement, ast.ClassDef) and statement.name == "State":
            yield from _silent_fields(statement, vars(module).get("State"))


_COUNTED_BESIDE = "counts in a file of rules only, which `--rules` gives beside the game"


def _targets(statement: ast.stmt) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else []


def _silent_fields(state: ast.ClassDef, made: object) -> Iterator[tuple[int, str]]:
    known = dict[str, int]()
    for line in state.body:
        for target in _targets(line):
            name = ast.unparse(target)
            if name in known:
                yield line.lineno, f"line {known[name]} declares `{name}` already"
            known[name] = line.lineno
            if not isinstance(vars(made).get(name), Field | FunctionType):
                yield line.lineno, f"`{name}` is no field; write {name} = shown(number) or another"
