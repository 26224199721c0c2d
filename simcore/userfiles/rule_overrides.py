"""Rules and counts that somebody adds to a game: files that name it and replace or wrap its steps.

The changed game goes by the names of the game and of the files, as in `uno+pairs.py`, and is a game
like any other: it has the game's options and the files', and what they count as further metrics.
"""

from __future__ import annotations

import ast
import itertools
import linecache
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from simcore import language
from simcore.compiler.program import (
    FIRST_DECISION,
    MADE,
    RULES,
    RULES_MEANING,
    Refused,
    is_game_of_turns,
    is_step_of,
    place_in,
)
from simcore.errors import InputError, unknown
from simcore.game import Game, Metric, game_names
from simcore.language import Count, Decision, Deck, Dial
from simcore.options import ChoiceOption
from simcore.userfiles.loading import (
    UserFile,
    digest_at,
    digest_of,
    keep_lines,
    load_user_file,
    read_user_file,
)
from simcore.userfiles.names import check_names
from simcore.userfiles.user_games import (
    UserGame,
    UserPolicy,
    answers_among,
    file_at,
    option_of,
    policies_among,
    title_of,
)
from simcore.words import WORDS

SHIPPED = Path(__file__).parent / "shipped"
"""Files of rules that come with cardlab, which are called by their names: `uno+cards`."""

MOST_PLACES = 64
"""Numbers of a count for each card of a deck with several packs: equal cards are one."""


@dataclass(frozen=True)
class Change:
    """A file that changes a game.

    Attributes
    ----------
    path : str
        As it was given.
    loaded : UserFile
    given : mapping
        The names that it found, of the game and of files before it.
    """

    path: str
    loaded: UserFile
    given: Mapping[str, object] = field(repr=False)

    @property
    def digest(self) -> str:
        """A hash of the file."""
        return self.loaded.digest

    @property
    def module(self) -> ModuleType:
        """What running the file made."""
        return self.loaded.module

    def own(self, kind: type | tuple[type, ...]) -> Iterator[tuple[str, Any]]:
        """Yield what the file itself defines, of some kind, by name."""
        for name, value in vars(self.module).items():
            if isinstance(value, kind) and self.given.get(name) is not value:
                yield name, value

    def functions(self) -> Iterator[tuple[str, FunctionType]]:
        """Yield the steps and helpers of the file: all functions but policies and counts."""
        for name, value in self.own(FunctionType):
            is_marked = value.__dict__.keys() & {"policy", "answers", "at"}
            if value.__module__ == self.module.__name__ and not is_marked:
                yield name, value

    def hooks(self) -> Iterator[tuple[str, tuple[str, ...], FunctionType]]:
        """Yield what is called at moments: the moment, of which decisions (all), the function."""
        for name, function in self.own(FunctionType):
            for moment, decisions in function.__dict__.get("at", ()):
                takes = ("s", "seat", "move") if moment in ("before", "apply") else ("s",)
                if len(_args(function)) != len(takes):
                    wanted = f'at "{moment}" a function of ({", ".join(takes)}) is called'
                    raise self.refuse(name, wanted)
                yield moment, decisions, function

    def refuse(self, name: str, why: str) -> Refused:
        """Return the error for what a name in the file stands for."""
        return Refused(f"{place_in(str(file_of(self.path)), name)}: {why}")


@dataclass(frozen=True)
class ChangedGame(Game):
    """A game with rules and counts that files add to it, in the order in which they are given.

    Attributes
    ----------
    digest : str
        A hash of all files.
    """

    digest: str = ""

    def rules(self) -> ModuleType:
        """Return the rules of the unchanged game."""
        return self.original.rules()

    def apply_overrides(self, usual_rounds: Mapping[str, object]) -> Overrides:
        """Return which functions of the files stand in for which of the game's.

        Parameters
        ----------
        usual_rounds : mapping
            Of a game that says only what a move is: the functions that play its rounds.
        """
        names = {**names_of(self.rules()), **usual_rounds}
        functions = {
            name: value
            for name, value in names.items()
            if isinstance(value, FunctionType) and value not in WORDS and name != "deal_simple"
        }
        return Overrides(self, functions)

    def files(self, options: Mapping[str, object]) -> dict[str, str]:
        """Return a hash of every file."""
        values = {option.name: options[option.name] for option in self.original.options}
        rules = {f"rules {Path(change.path).name}": change.digest for change in self.changes}
        return {**self.original.files(values), **rules}

    def user_policies(self) -> Iterator[UserPolicy]:
        """Yield the policies that the files add."""
        for change in self.changes:
            yield from policies_among(change.own(FunctionType), change.path)

    def user_answers(self) -> Iterator[tuple[Sequence[str], str, Callable[..., Any]]]:
        """Yield the functions that answer single decisions: for whom (all), which, function."""
        for change in self.changes:
            yield from answers_among(change.own(FunctionType))


def with_rules(game: str, rules: str | Path | Sequence[str | Path] | None) -> str:
    """Return the name of a game that files of rules change.

    Raises
    ------
    InputError
        If one is no file of rules.
    """
    paths = [str(path) for path in ([rules] if isinstance(rules, (str, Path)) else rules or ())]
    for path in paths:
        if not (path.endswith(".py") or path in shipped_names()):
            shipped = " or ".join(map(repr, shipped_names()))
            raise InputError(f"rules {path!r} is refused; allowed: a .py file, or {shipped}")
    return "+".join([game, *paths])


def shipped_names() -> tuple[str, ...]:
    """Return the names of the files of rules that come with cardlab."""
    return tuple(sorted(path.stem for path in SHIPPED.glob("[!_]*.py")))


def parts_of(name: str) -> list[str]:
    """Return the game and the files in a changed game's name."""
    names = "|".join(map(re.escape, (*game_names(), *shipped_names())))
    parts: list[str] = []
    for piece in name.split("+"):
        # A path may have a "+" of its own: then what stands before it is no name and no file.
        if parts and not (parts[-1].endswith(".py") or re.fullmatch(names, parts[-1])):
            parts[-1] += f"+{piece}"
        else:
            parts.append(piece)
    return parts


def file_of(path: str) -> Path:
    """Return the file that a part of a changed game's name means."""
    return SHIPPED / f"{path}.py" if path in shipped_names() else file_at(path)


def files_of(game: Game) -> dict[str, UserFile]:
    """Return the users' files by which a game is played, by the path that names each."""
    original, shipped = game.original, shipped_names()
    files = {change.path: change.loaded for change in game.changes if change.path not in shipped}
    if isinstance(original, UserGame) and original.loaded is not None:
        files = {original.path: original.loaded, **files}
    return files


BITS = "bits"
"""`Metric.per` of what is no number: cards as bits."""

_loaded: dict[tuple[str, ...], ChangedGame] = {}


def load_changed(name: str, game: Game, paths: Sequence[str]) -> ChangedGame:
    """Return a changed game; what has changed on the disk is read again.

    Parameters
    ----------
    name : str
        Of the changed game.
    game : Game
        What is changed.
    paths : sequence of str
        The files that change it, first to last.

    Raises
    ------
    InputError
        If a file is missing or refused, with file and line.
    """
    key = (name, game.digest, *(digest_at("rules", file_of(path)) for path in paths))
    if key not in _loaded:
        changed = _changed(name, game, paths)
        key = (name, game.digest, *(change.digest for change in changed.changes))
        _loaded[key] = changed
    else:  # other versions may have been read since
        for path in paths:
            keep_lines(file_of(path), read_user_file("rules", file_of(path)))
    return _loaded[key]


def _changed(name: str, game: Game, paths: Sequence[str]) -> ChangedGame:
    names = names_of(game.rules())
    if is_game_of_turns(names):
        names["MOVE"] = Decision(FIRST_DECISION, "MOVE")
    changes: list[Change] = []
    options, counts = list(game.options), dict[str, Count]()
    for path in paths:
        _check_game(path, game)
        given = {**names, "held": _held(game)}
        change = Change(path, load_user_file("rules", file_of(path), given), given)
        for title, value in change.own((Dial, Count)):
            if title in (*(option.name for option in options), *game.metric_names, *counts):
                raise change.refuse(title, f"{game.name} has a `{title}` already")
            if isinstance(value, Dial):
                options.append(option_of(title, value))
            else:
                counts[title] = value
        check_names(path, file_of(path), change.module, names)
        changes.append(change)
        names |= {title: step for title, step in change.functions() if "usual" not in _args(step)}
        names |= {key: value for key, value in vars(change.module).items() if _is_constant(value)}
    every = "+".join(paths)
    options.append(ChoiceOption(RULES, every, RULES_MEANING, "H", values=(every,)))
    sizes = {title: _size(game, count) for title, count in counts.items()}
    metrics = list(game.metrics)
    for title, count in counts.items():
        if not count.per:
            metrics.append(Metric(title, count.meaning))
        per = count.per if count.many == 1 else BITS
        metrics += [Metric(f"{title}_{k}", count.meaning, per) for k in range(sizes[title])]
    titles = (title_of(change.module, Path(change.path).stem) for change in changes)
    shared = {part.name: getattr(game, part.name) for part in fields(Game)}
    return ChangedGame(
        **{
            **shared,
            "name": name,
            "title": f"{game.title} ({'; '.join(titles)})",
            "options": tuple(options),
            "metrics": tuple(metrics),
            "unchanged": game,
            "changes": tuple(changes),
            "counted": sizes,
        },
        digest=digest_of("".join([game.digest, *(change.digest for change in changes)]).encode()),
    )


def names_of(rules: ModuleType) -> dict[str, object]:
    """Return what the rules of a game call by a name: functions, constants, decisions, options.

    Of a game of several files all of them, the one with the steps counting first.
    """
    spaces = [vars(rules)]
    package = rules.__name__.rpartition(".")[0]
    for space in spaces:
        for value in space.values():
            if not isinstance(value, FunctionType) or not package:
                continue
            if value.__module__.startswith(f"{package}.") and value.__globals__ not in spaces:
                spaces.append(value.__globals__)
    names: dict[str, object] = {}
    for space in spaces:
        for name, value in space.items():
            is_function = isinstance(value, FunctionType) and value.__module__ != language.__name__
            if not name.startswith("__") and (is_function or _is_constant(value)):
                names.setdefault(name, value)
    return names


def _is_constant(value: object) -> bool:
    kinds = (bool, int, float, tuple, list, frozenset, Decision, Deck, Dial)
    return isinstance(value, kinds)


def _args(function: FunctionType) -> tuple[str, ...]:
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def _check_game(path: str, game: Game) -> None:
    """Refuse a file of rules for another game, before it is run."""
    file = file_of(path)
    if path in shipped_names():
        return
    declared = declared_game(file)
    if not declared:
        raise InputError(
            f'rules {path!r} name no game; allowed: a line as in game = "{game.name}", at the '
            "beginning of a line"
        )
    # A file is known by its name: it may travel with the rules.
    if Path(declared).name != Path(game.name).name:
        if not declared.endswith(".py") and declared not in game_names():
            raise unknown("game", declared, game_names(), f"(rules {path!r})")
        raise InputError(f"rules {path!r} are for {declared}, not for {game.name}")


def declared_game(file: Path) -> str:
    """Return the game that a file of rules names; nothing where it names none.

    Raises
    ------
    InputError
        If it is no Python.
    """
    try:
        tree = ast.parse(read_user_file("rules", file))
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", 0)
        shown = (getattr(error, "text", "") or "").strip()
        raise Refused(f"{file}, line {line}: `{shown}`: {getattr(error, 'msg', error)}") from None
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id == "game":
                    return str(node.value.value)
    return ""


def _size(game: Game, count: Count) -> int:
    if count.per == "seat":
        return game.players.high * count.many
    if not count.per:
        return 0
    deck = vars(game.rules()).get("deck")
    if not isinstance(deck, Deck):
        raise InputError(f"{game.name} has no deck, so that nothing is counted for each card")
    return MOST_PLACES if deck.packs > 1 else deck.places


def _held(game: Game) -> FunctionType:
    """Return the word `held(s, seat)`: all cards that a seat has for itself, wherever they lie."""
    terms = []
    for name, declared in vars(vars(game.rules()).get("State", object)).items():
        if not isinstance(declared, language.Field) or declared.sees != "own":
            continue
        if declared.kind.name in ("cards", "ordered", "all_cards"):
            places = [f"[{k}]" for k in range(declared.many)] or [""]
            terms += [f"s.{name}[seat]{place}" for place in places]
    text = f"def held(s, seat):\n    return {' | '.join(terms) or 'set()'}\n"
    return made_function(text, "held", {})


_numbers = itertools.count()


def made_function(text: str, name: str, space: dict[str, Any]) -> FunctionType:
    """Return a function from generated source, which `inspect` can read like a file's."""
    file = f"{MADE}{name} {digest_of(text.encode())[:8]} {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), space)  # noqa: S102 (our own text)
    function: FunctionType = space[name]
    return function


class Overrides:
    """Which function stands in for which, in a program with changes.

    Attributes
    ----------
    final : dict
        What is called in place of a function.
    usual : dict
        What `usual` means in a function.
    new : dict
        Functions by name that the game has not.
    """

    def __init__(self, game: Game, known: Mapping[str, FunctionType]) -> None:
        self.game = game
        self.known = dict(known)
        self.final: dict[FunctionType, FunctionType] = {}
        self.usual: dict[FunctionType, FunctionType] = {}
        self.new: dict[str, FunctionType] = {}
        for change in game.changes:
            for name, function in change.functions():
                self._apply(change, name, function)
        self._apply_hooks()

    def _apply(self, change: Change, name: str, function: FunctionType) -> None:
        """Let a function of a file stand in for the game's of the same name, or wrap it."""
        wanted, wraps = self.known.get(name), _args(function)[:1] == ("usual",)
        if wanted is None:
            if wraps:
                raise change.refuse(
                    name, f"`{name}` wraps a step that the game lacks; {self._allowed(name)}"
                )
            self.new[name] = self.known[name] = function
            return
        usual = _without_usual(self.final.get(wanted, wanted))
        if len(usual) != len(_without_usual(function)):
            params = ", ".join((["usual"] if wraps else []) + list(usual))
            raise change.refuse(name, f"it takes other values than the game's: ({params})")
        self.replace(wanted, function, wraps=wraps)

    def _allowed(self, name: str) -> str:
        """Return what may be written in place of a step that wraps none."""
        if is_step_of(name, self.game):
            return f"leave `usual` out: {self.game.original.name} has no such step yet"
        # The nearest name first: a slip of the pen is the usual cause.
        steps = [
            step
            for step in self.known
            if is_step_of(step, self.game) and not step.endswith("_simple")
        ]
        return str(unknown("step", name, sorted(steps or self.known)))

    def replace(self, wanted: FunctionType, function: FunctionType, *, wraps: bool) -> None:
        """Replace a step, including its earlier replacements."""
        before = self.final.get(wanted, wanted)
        self.final |= {step: function for step, end in self.final.items() if end is before}
        self.final[before] = function
        if wraps:
            self.usual[function] = before

    def _apply_hooks(self) -> None:
        hooks = [hook for change in self.game.changes for hook in change.hooks()]

        def at(moment: str, decision: str = "") -> list[FunctionType]:
            return [
                function
                for when, decisions, function in hooks
                if when == moment and (not decisions or decision in decisions)
            ]

        self._hook("deal", "s", [], at("deal"))
        spaces = (vars(self.game.rules()), *(vars(change.module) for change in self.game.changes))
        decisions = {
            f"apply_{value.name.lower()}": value.name
            for space in spaces
            for value in space.values()
            if isinstance(value, Decision)
        }
        for name, decision in sorted({"apply": "MOVE", **decisions}.items()):
            if name in self.known:
                hooks_of = at("before", decision), at("apply", decision)
                self._hook(name, "s, seat, move", *hooks_of, decided=decision)
        score = "score_simple" if "score_simple" in self.known else "score_round"
        self._hook(score, "s", [], at("round"))
        if at("end") and "finish_match" not in self.known:
            nothing = made_function("def finish_match(s):\n    pass\n", "finish_match", {})
            self.new["finish_match"] = self.known["finish_match"] = nothing
        self._hook("finish_match", "s", [], at("end"))

    def _hook(
        self,
        name: str,
        args: str,
        before: Sequence[FunctionType],
        after: Sequence[FunctionType],
        *,
        decided: str = "",
    ) -> None:
        """Wrap a step in a function that calls others before and after it.

        Before a move is carried out, the phase is still its decision.
        """
        if not before and not after:
            return
        space: dict[str, Any] = {
            f"hook{k}": function for k, function in enumerate((*before, *after))
        }
        guard = "if move != -1: " if "move" in args else ""
        calls = [f"{guard}{hook}({args})" for hook in space]
        calls.insert(len(before), f"usual({args})")
        if before and decided:
            space["DECIDED"] = Decision(FIRST_DECISION, decided)
            calls[: len(before)] = [
                "phase = s.phase",
                "s.phase = DECIDED",
                *calls[: len(before)],
                "s.phase = phase",
            ]
        text = f"def {name}(usual, {args}):\n" + "".join(f"    {call}\n" for call in calls)
        self.replace(self.known[name], made_function(text, name, space), wraps=True)


def _without_usual(function: FunctionType) -> tuple[str, ...]:
    """Return the parameters of a step but for `usual`."""
    args = _args(function)
    return args[1:] if args[:1] == ("usual",) else args
