"""Rules and counts that somebody adds to a game: files that name it and replace or wrap its steps.

The changed game goes by the names of the game and of the files, as in `uno+pairs.py`, and is a game
like any other: it has the game's options and the files', and what they count as further metrics.
"""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from simcore import language
from simcore.compiler.names import check_names
from simcore.compiler.narration import ChangedNarration, Narration
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
from simcore.compiler.user_games import (
    UserGame,
    UserPolicy,
    answers_among,
    file_at,
    option_of,
    policies_among,
    title_of,
)
from simcore.compiler.userfiles import (
    UserFile,
    digest_at,
    digest_of,
    keep_lines,
    load_user_file,
    read_user_file,
)
from simcore.errors import InputError, unknown
from simcore.game import Game, Metric, game_names, get_game
from simcore.language import WORDS, Count, Decision, Deck, Dial
from simcore.options import ChoiceOption

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
        """Yield what the file itself says, of some kind, by name."""
        for name, value in vars(self.module).items():
            if isinstance(value, kind) and self.given.get(name) is not value:
                yield name, value

    def functions(self) -> Iterator[tuple[str, FunctionType]]:
        """Yield the steps and helpers of the file: all functions but policies and counts."""
        for name, value in self.own(FunctionType):
            marked = value.__dict__.keys() & {"policy", "answers", "at"}
            if value.__module__ == self.module.__name__ and not marked:
                yield name, value

    def hooks(self) -> Iterator[tuple[str, tuple[str, ...], FunctionType]]:
        """Yield what is called at moments: the moment, of which decisions (all), the function."""
        for _, value in self.own(FunctionType):
            for moment, named in value.__dict__.get("at", ()):
                yield moment, named, value


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

    def words(self) -> Any:
        """Return how a match is told."""
        return Narration(self) if self.original.digest else ChangedNarration(self)

    def apply_overrides(self, usual_rounds: Mapping[str, object]) -> Overrides:
        """Return which functions of the files stand in for which of the game's.

        Parameters
        ----------
        usual_rounds : mapping
            Of a game that says only what a move is: the functions that play its rounds.
        """
        known = {
            name: value
            for name, value in {**names_of(self.rules()), **usual_rounds}.items()
            if isinstance(value, FunctionType) and value not in WORDS and name != "deal_simple"
        }
        return Overrides(self, known)

    def files(self, options: Mapping[str, object]) -> dict[str, str]:
        """Return a hash of every file."""
        own = {option.name: options[option.name] for option in self.original.options}
        rules = {Path(change.path).name: change.digest for change in self.changes}
        return {**self.original.files(own), **{f"rules {name}": d for name, d in rules.items()}}

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
    given = [rules] if isinstance(rules, (str, Path)) else list(rules or ())
    for one in given:
        if not (str(one).endswith(".py") or str(one) in shipped_names()):
            raise InputError(
                f"rules {str(one)!r} is refused; allowed: a .py file, or "
                f"{' or '.join(map(repr, shipped_names()))}"
            )
    return "+".join([game, *map(str, given)])


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
    original = game.original
    found = {original.path: original.loaded} if isinstance(original, UserGame) else {}
    found |= {one.path: one.loaded for one in game.changes if one.path not in shipped_names()}
    return {path: file for path, file in found.items() if file is not None}


BITS = "bits"
"""`Metric.per` of what is no number: cards as bits."""

_loaded: dict[tuple[str, ...], ChangedGame] = {}


def load_changed(name: str) -> ChangedGame:
    """Return a changed game by its name; what has changed on the disk is read again.

    Raises
    ------
    InputError
        If a file is missing or refused, with file and line.
    """
    first, *paths = parts_of(name)
    game = get_game(first)
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
    options = list(game.options)
    counts: dict[str, Count] = {}
    for path in paths:
        _check_game(path, game)
        given = {**names, "held": _held(game)}
        change = Change(path, load_user_file("rules", file_of(path), given), given)
        for one, value in change.own((Dial, Count)):
            known = [*(option.name for option in options), *game.metric_names, *counts]
            if one in known:
                raise _refused(change, one, f"{game.name} has a `{one}` already")
            if isinstance(value, Dial):
                options.append(option_of(one, value))
            else:
                counts[one] = value
        check_names(path, file_of(path), change.module, names)
        changes.append(change)
        names |= {one: value for one, value in change.functions() if "usual" not in _args(value)}
        names |= {one: value for one, value in vars(change.module).items() if _constant(value)}
    options.append(
        ChoiceOption(RULES, "+".join(paths), RULES_MEANING, "H", values=("+".join(paths),))
    )
    sizes = {one: _size(game, count) for one, count in counts.items()}
    titles = (title_of(change.module, Path(change.path).stem) for change in changes)
    return ChangedGame(
        name=name,
        title=f"{game.title} ({'; '.join(titles)})",
        kind=game.kind,
        options=tuple(options),
        complete=game.complete,
        metrics=(*game.metrics, *_metrics(counts, sizes)),
        clauses=game.clauses,
        first_seat_meaning=game.first_seat_meaning,
        best_score=game.best_score,
        best_score_turned=game.best_score_turned,
        assumptions=game.assumptions,
        assumptions_at=game.assumptions_at,
        unchanged=game,
        changes=tuple(changes),
        digest=digest_of("".join([game.digest, *(one.digest for one in changes)]).encode()),
        counted=sizes,
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
    found: dict[str, object] = {}
    for space in spaces:
        for name, value in space.items():
            ours = isinstance(value, FunctionType) and value.__module__ != language.__name__
            if not name.startswith("__") and (ours or _constant(value)):
                found.setdefault(name, value)
    return found


def _constant(value: object) -> bool:
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


def _refused(change: Change, name: str, why: str) -> Refused:
    return Refused(f"{place_in(str(file_of(change.path)), name)}: {why}")


def _size(game: Game, count: Count) -> int:
    if count.per == "seat":
        return game.players.high * count.many
    if not count.per:
        return 0
    deck = vars(game.rules()).get("deck")
    if not isinstance(deck, Deck):
        raise InputError(f"{game.name} has no deck, so that nothing is counted for each card")
    return MOST_PLACES if deck.packs > 1 else deck.places


def _metrics(counts: Mapping[str, Count], sizes: Mapping[str, int]) -> Iterator[Metric]:
    for name, count in counts.items():
        if not count.per:
            yield Metric(name, count.meaning)
        for place in range(sizes[name]):
            yield Metric(f"{name}_{place}", count.meaning, count.per if count.many == 1 else BITS)


def _held(game: Game) -> FunctionType:
    """Return the word `held(s, seat)`: all cards that a seat has for itself, wherever they lie."""
    fields = vars(vars(game.rules()).get("State", object))
    names = [
        (name, one.many)
        for name, one in fields.items()
        if isinstance(one, language.Field)
        and one.sees == "own"
        and one.kind.name in ("cards", "ordered", "all_cards")
    ]
    terms = [f"s.{name}[seat]" for name, many in names if not many]
    terms += [f"s.{name}[seat][{k}]" for name, many in names for k in range(many)]
    text = f"def held(s, seat):\n    return {' | '.join(terms) or 'set()'}\n"
    return made_function(text, "held", {})


_texts: dict[str, str] = {}


def made_function(text: str, name: str, space: dict[str, Any]) -> FunctionType:
    """Return a function from generated source, which `inspect` can read like a file's."""
    file = f"{MADE}{name} {digest_of(text.encode())[:8]} {len(_texts)}>"
    _texts[file] = text
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
        args, wanted = _args(function), self.known.get(name)
        wraps = args[:1] == ("usual",)
        own = args[1:] if wraps else args
        if wraps and wanted is None:
            if is_step_of(name, self.game):
                allowed = f"leave `usual` out: {self.game.original.name} has no such step yet"
            else:
                # The nearest name first: a slip of the pen is the usual cause.
                steps = [
                    one
                    for one in self.known
                    if is_step_of(one, self.game) and not one.endswith("_simple")
                ]
                allowed = str(unknown("step", name, sorted(steps or self.known)))
            raise _refused(change, name, f"`{name}` wraps a step that the game lacks; {allowed}")
        if wanted is not None:
            usual = _args(self._end(wanted))
            usual = usual[1:] if usual[:1] == ("usual",) else usual
            if len(usual) != len(own):
                first = "usual, " if wraps else ""
                raise _refused(
                    change,
                    name,
                    f"it takes other values than the game's: ({first}{', '.join(usual)})",
                )
            self.replace(wanted, function, wraps=wraps)
        else:
            self.new[name] = self.known[name] = function

    def _end(self, function: FunctionType) -> FunctionType:
        return self.final.get(function, function)

    def replace(self, wanted: FunctionType, function: FunctionType, *, wraps: bool) -> None:
        """Let a function stand in for another, whoever stood in for it before."""
        before = self._end(wanted)
        for one, end in list(self.final.items()):
            if end is before:
                self.final[one] = function
        self.final[before] = function
        if wraps:
            self.usual[function] = before

    def _apply_hooks(self) -> None:
        hooks: list[tuple[str, tuple[str, ...], FunctionType]] = []
        for change in self.game.changes:
            for moment, named, function in change.hooks():
                takes = ("s", "seat", "move") if moment in ("before", "apply") else ("s",)
                if len(_args(function)) != len(takes):
                    raise _refused(
                        change,
                        function.__name__,
                        f'at "{moment}" a function of ({", ".join(takes)}) is called',
                    )
                hooks.append((moment, named, function))

        def at(moment: str, decision: str = "") -> list[FunctionType]:
            return [
                function
                for own, named, function in hooks
                if own == moment and (not named or decision in named)
            ]

        self._hook("deal", "s", [], at("deal"))
        spaces = (vars(self.game.rules()), *(vars(change.module) for change in self.game.changes))
        decisions = {
            f"apply_{one.name.lower()}": one.name
            for space in spaces
            for one in space.values()
            if isinstance(one, Decision)
        }
        for name, decision in sorted({"apply": "MOVE", **decisions}.items()):
            if name in self.known:
                self._hook(name, "s, seat, move", at("before", decision), at("apply", decision))
        score = "score_simple" if "score_simple" in self.known else "score_round"
        self._hook(score, "s", [], at("round"))
        if at("end") and "finish_match" not in self.known:
            nothing = made_function("def finish_match(s):\n    pass\n", "finish_match", {})
            self.new["finish_match"] = self.known["finish_match"] = nothing
        self._hook("finish_match", "s", [], at("end"))

    def _hook(
        self, name: str, args: str, before: Sequence[FunctionType], later: Sequence[FunctionType]
    ) -> None:
        if not before and not later:
            return
        space: dict[str, Any] = {f"hook{k}": one for k, one in enumerate((*before, *later))}
        calls = [f"hook{k}({args})" for k in range(len(space))]
        first, last = calls[: len(before)], calls[len(before) :]
        text = f"def {name}(usual, {args}):\n"
        for group in (first, [f"usual({args})"], last):
            indent = "    "
            if "move" in args and group and group[0].startswith("hook"):
                text += "    if move != -1:\n"
                indent += "    "
            text += "".join(f"{indent}{call}\n" for call in group)
        self.replace(self.known[name], made_function(text, name, space), wraps=True)
