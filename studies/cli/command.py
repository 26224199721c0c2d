"""Commands made from operations: options from the signature, help from the docstring.

An operation (`studies.operations`) describes each parameter once. The first paragraph of a
description is also the help of the option; further paragraphs are for Python alone. "As in
`simulate`" stands for the description there.
"""

from __future__ import annotations

import inspect
import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from simcore.errors import InputError

Read = Callable[[Any], object]


def read_rules(rules: Sequence[str]) -> dict[str, object]:
    """Return the options given as NAME=VALUE, by name; their values are checked by the game."""
    given: dict[str, object] = {}
    for rule in rules:
        name, equals, value = (part.strip() for part in rule.partition("="))
        if not equals or not name:
            raise InputError(
                f"--rule {rule[:60]!r} is refused; allowed: NAME=VALUE, names: cardlab games GAME"
            )
        if name in given:
            raise InputError(f"option {name} is given twice by --rule; allowed: once")
        given[name] = value
    return given


def read_changes(changes: Sequence[str]) -> dict[str, object]:
    """Return the keys given as KEY=VALUE, values in TOML syntax, bare words allowed."""
    from studies.design.document import parse_value, shorten

    given: dict[str, object] = {}
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals or not key.strip():
            raise InputError(
                f"--set {shorten(change)!r} is refused; allowed: KEY=VALUE with a dotted key, as "
                "in matches=10_000, options.players=3, variants.dirty_one.dirty_one=forehand"
            )
        given[key.strip()] = parse_value(value)
    return given


def read_margins(texts: Sequence[str]) -> dict[str, str]:
    """Return margins given as M, which is of the win rate, or NAME=M."""
    from studies.design.document import shorten
    from studies.operations.compare import WIN_RATE

    margins: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.rpartition("=")
        name = name.strip() if equals else WIN_RATE
        if name in margins:
            raise InputError(
                f"margin {shorten(text)!r} is given twice; allowed: once for each NAME"
            )
        margins[name] = value
    return margins


def offer_games(incomplete: str) -> Iterator[tuple[str, str]]:
    """Offer names of games to the shell, each with its meaning."""
    from simcore.catalogue import get_game
    from simcore.game import game_names

    for name in game_names():
        if name.startswith(incomplete):
            yield name, get_game(name).title


def offer_studies(incomplete: str) -> Iterator[tuple[str, str]]:
    """Offer studies of the library, and study files."""
    from studies.design.study import library_names

    for name in library_names():
        if name.startswith(incomplete):
            yield name, "in the library"
    with suppress(OSError, ValueError):
        for path in sorted(Path().glob(f"{incomplete}*")):
            if path.suffix == ".toml":
                yield str(path), "study file"
            elif path.is_dir():
                yield f"{path}/", "folder"


@dataclass(frozen=True)
class Form:
    """How a parameter is given on the command line.

    Attributes
    ----------
    metavar : str
    flag : str
        Default: the parameter's name. With a flag a positional parameter becomes an option.
    repeated : bool
    read : callable, optional
        Turns what was typed into the operation's argument.
    complete : callable, optional
        Yields completions for the shell.
    """

    metavar: str
    flag: str = ""
    repeated: bool = False
    read: Read | None = None
    complete: Callable[[str], Any] | None = None


SWITCH = Form("")
COLUMN = Form("COLUMN")
NAMES = Form("NAME", repeated=True)

FORMS = {
    "against": Form("A,B,…"),
    "base": Form("POLICY"),
    "baseline": Form("NAME"),
    "best": Form("highest|lowest"),
    "blocks": Form("K"),
    "budget": Form("N"),
    "candidates": Form("A,B,…"),
    "data": Form("DIR"),
    "deal": COLUMN,
    "detect": Form("[NAME=]D"),
    "device": Form("cpu|cuda"),
    "directory": Form("DIR"),
    "game": Form("GAME", complete=offer_games),
    "games": Form("GAME…", repeated=True, complete=offer_games),
    "half_width": Form("[NAME=]W"),
    "level": Form("L"),
    "lineup": Form("A,B,…"),
    "margin": Form("[NAME=]M", repeated=True, read=read_margins),
    "match": Form("M"),
    "matches": Form("N"),
    "measure": Form("COLUMN", repeated=True),
    "minutes": Form("M"),
    "number": NAMES,
    "options": Form("NAME=VALUE", "--rule", repeated=True, read=read_rules),
    "out": Form("FILE", "--out"),
    "path": Form("GAME.py"),
    "pilot": Form("N"),
    "players": Form("N"),
    "policy": Form("POLICY"),
    "power": Form("P"),
    "rules": Form("FILE.py", repeated=True),
    "runs": Form("N"),
    "scheduler": Form("ADDRESS"),
    "seat": COLUMN,
    "seed": Form("S"),
    "set": Form("KEY=VALUE", repeated=True, read=read_changes),
    "show": Form("moves|table"),
    "steps": Form("N"),
    "strategies": Form("FILE.py", repeated=True),
    "study": Form("STUDY", complete=offer_studies),
    "threads": Form("T"),
    "variant": NAMES,
    "why": Form("[all]", read=lambda word: word or True),
    "winner": COLUMN,
}
"""By the parameter's name; a command may have others."""

ALONE = {"--why": ("all",)}
"""Options that may stand without a word, which is then empty, and their words."""

OPERATIONS = Path(__file__).parent.parent / "operations"

PYTHON_ONLY = {"ask", "at_step", "complete", "keep_rows", "measures", "progress", "write", "you"}
"""Parameters of operations without an option."""


@dataclass(frozen=True)
class Call:
    """An operation with the arguments from a command line.

    Attributes
    ----------
    operation : callable
    given : dict
        Arguments by name.
    line : str
        The command line again, for a message.
    """

    operation: Callable[..., Any]
    given: dict[str, Any]
    line: str

    def __call__(self, **more: object) -> Any:
        """Carry out the operation; `more` are arguments that no option has."""
        if "progress" in inspect.signature(self.operation).parameters:
            more.setdefault("progress", True)
        return self.operation(**self.given, **more)


@dataclass(frozen=True)
class Command:
    """A command of `cardlab`: an operation, and what prints its result.

    Attributes
    ----------
    operation : str
        Module and function in `studies.operations`.
    adapter : callable
        Takes a `Call`, and what only the command line has, with its options; its docstring is the
        end of the command's help.
    forms : dict
        Where parameters have other forms than in `FORMS`.
    """

    operation: str
    adapter: Callable[..., None]
    forms: dict[str, Form]

    @property
    def summary(self) -> str:
        """The first paragraph of its help, read from the source: to import that takes long."""
        module, _, name = self.operation.partition(".")
        try:
            source = (OPERATIONS / f"{module}.py").read_text(encoding="utf-8")
        except OSError:  # installed without sources
            return describe(find(self.operation))[0]
        head = rf'^def {name}\(.*?"""(.*?)(?:\n\n|""")'
        found = re.search(head, source, re.DOTALL | re.MULTILINE)
        return found[1] if found else ""

    def function(self, name: str) -> Callable[..., None]:
        """Return the function from which typer makes the command with this name."""
        operation = find(self.operation)
        text, descriptions = describe(operation)
        forms = defaultdict(lambda: SWITCH, {**FORMS, **self.forms})
        parameters = inspect.signature(operation).parameters.values()
        taken = [parameter for parameter in parameters if parameter.name not in PYTHON_ONLY]
        defaults = {parameter.name: parameter.default for parameter in taken}
        options = [_option(parameter, forms[parameter.name]) for parameter in taken]
        extra = [*inspect.signature(self.adapter, eval_str=True).parameters.values()][1:]
        extra = [parameter.replace(kind=parameter.KEYWORD_ONLY) for parameter in extra]
        flags = {p.name: _flag(p) for p in (*options, *extra) if _flag(p)}
        for option in options:
            info = option.annotation.__metadata__[0]
            info.help = _for_flags(descriptions[option.name], flags)
            if forms[option.name].repeated and _flag(option):
                info.help += " May be repeated."

        def command(**typed: Any) -> None:
            line = _command_line(name, [*options, *extra], typed)
            try:
                given = {
                    name: _read(forms[name], typed[name], default)
                    for name, default in defaults.items()
                }
                self.adapter(Call(operation, given, line), **{p.name: typed[p.name] for p in extra})
            except InputError as error:
                raise InputError(_in_flags(str(error), flags)) from error

        end = inspect.getdoc(self.adapter) or ""
        command.__doc__ = _for_flags("\n\n".join(filter(None, (text, end))), flags)
        command.__signature__ = inspect.Signature([*options, *extra])  # type: ignore[attr-defined]
        command.__annotations__ = {}
        return command


def find(operation: str) -> Callable[..., Any]:
    """Return an operation by its module and name."""
    module, _, name = operation.partition(".")
    function: Callable[..., Any] = getattr(import_module(f"studies.operations.{module}"), name)
    return function


@cache
def describe(operation: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Return an operation's description, and the first paragraph of each parameter's."""
    text, _, sections = (inspect.getdoc(operation) or "").partition("\n\nParameters\n---")
    descriptions = {}
    for names, body in re.findall(r"^(\S.*?)(?: :.*)?\n((?:    .*\n?)+)", sections, re.MULTILINE):
        words = " ".join(inspect.cleandoc(body).split("\n\n")[0].split())
        shared = re.match(r"As in `(?:cardlab\.)?(\w+)`", words)
        for name in names.split(", "):
            same = describe(find(SHARED[shared[1]]))[1] if shared else {name: words}
            descriptions[name] = same[name]
    return re.split(r"\n\n\w+\n---", text)[0], descriptions


SHARED = {
    "simulate": "simulate.simulate",
    "run": "results.run",
    "open": "results.open",
    "compare": "compare.compare",
}
"""Operations whose parameters others have, too."""


def _option(parameter: inspect.Parameter, form: Form) -> inspect.Parameter:
    """Return a parameter of an operation as typer takes it; its help is missing."""
    default = parameter.default
    kind: Any = bool
    if not isinstance(default, bool) or form.metavar:
        kind = list[str] | None if form.repeated else str | None
        default = None if default in (None, False, parameter.empty, ()) else str(default)
    is_argument = parameter.kind is parameter.POSITIONAL_OR_KEYWORD and not form.flag
    if is_argument:
        must = parameter.default is parameter.empty
        metavar = form.metavar if must else f"[{form.metavar}]"
        info: Any = typer.Argument(metavar=metavar, autocompletion=form.complete)
        kind, default = (str, parameter.empty) if must else (kind, default)
    else:
        flag = form.flag or f"--{parameter.name.replace('_', '-')}"
        info = typer.Option(flag, metavar=form.metavar or None, autocompletion=form.complete)
    return inspect.Parameter(
        parameter.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, info],
    )


def _flag(parameter: inspect.Parameter) -> str:
    """Return the flag of an option; empty for an argument."""
    info = parameter.annotation.__metadata__[0]
    return "" if isinstance(info, typer.models.ArgumentInfo) else str(info.default)


def _read(form: Form, typed: Any, usual: object) -> object:
    if typed is None:
        return usual
    return typed if form.read is None else form.read(typed)


def _for_flags(text: str, flags: dict[str, str]) -> str:
    """Return a text with parameters as people type them: `half_width` becomes --half-width."""
    return re.sub(r"`([^`]*)`", lambda match: flags.get(match[1], match[1]), text)


def _in_flags(message: str, flags: dict[str, str]) -> str:
    """Return a refusal with the parameter that it is about as people typed it: --matches.

    A name comes first in a refusal, then its value. `players` may as well be an option of the game.
    """
    name, blank, rest = message.partition(" ")
    if name in flags and name != "players" and blank:
        message = f"{flags[name]} {rest}"
    return message.replace(" half_width", " --half-width")


def _command_line(name: str, parameters: Sequence[inspect.Parameter], typed: dict[str, Any]) -> str:
    words = ["cardlab", name]
    for parameter in parameters:
        value = typed[parameter.name]
        if value == parameter.default or not value:
            continue
        flag = _flag(parameter)
        for part in value if isinstance(value, list) else [value]:
            words += [flag] if flag else []
            words += [] if part is True else [str(part)]
    return shlex.join(words)
