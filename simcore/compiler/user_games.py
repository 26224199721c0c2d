"""Games that somebody wrote: one file in the language, named where a game is named."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import importlib.util
import linecache
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from simcore.compiler.program import FIRST_DECISION, Refused
from simcore.errors import InputError
from simcore.game import Game, Metric
from simcore.language import Decision, Dial, PolicyMark
from simcore.options import BoolOption, ChoiceOption, IntOption, Option, Options
from simcore.phrases import ahead, numbered

METRICS = (
    Metric("rounds", "rounds played"),
    Metric("turns", "decisions of all seats, also those with one move or none"),
    Metric("lead_changes", "rounds after which other seats are ahead than before"),
)
"""What every game in a file counts."""


MOST_PLAYERS = 10


@dataclass(frozen=True)
class UserGame(Game):
    """A game in a file of somebody's own.

    Attributes
    ----------
    path : str
        As it was given; the game's name.
    digest : str
        A hash of the file, a part of what a cell is.
    """

    path: str = ""
    digest: str = ""
    module: ModuleType | None = None

    def rules(self) -> ModuleType:
        """Return the module of the file."""
        assert self.module is not None
        return self.module

    def words(self) -> Any:
        """Return how a match is told."""
        return Words(self)

    def files(self, options: Mapping[str, object]) -> dict[str, str]:
        """Return a hash of the game's file."""
        del options
        return {"game": self.digest}

    def user_policies(self) -> Iterator[UserPolicy]:
        """Yield the policies of the file."""
        yield from policies_among(vars(self.rules()).items(), self.path)

    def user_answers(self) -> Iterator[tuple[Sequence[str], str, Callable[..., Any]]]:
        """Yield the functions that answer single decisions: for whom, which, function."""
        yield from answers_among(vars(self.rules()).items())


@dataclass(frozen=True)
class UserPolicy:
    """A policy that the file of a game or of rules marks (`language.policy`)."""

    name: str
    idea: str
    function: Callable[..., Any]
    params: tuple[Any, ...]
    source: str


def policies_among(named: Iterable[tuple[str, object]], path: str) -> Iterator[UserPolicy]:
    """Yield the policies among what a file names."""
    for name, value in named:
        mark = value.__dict__.get("policy") if isinstance(value, FunctionType) else None
        if isinstance(value, FunctionType) and isinstance(mark, PolicyMark):
            doc = (value.__doc__ or "").strip().splitlines()
            first = doc[0].rstrip(".") if doc else f"as {Path(path).name} says"
            yield UserPolicy(mark.name or name, mark.idea or first, value, mark.params, mark.source)


def answers_among(
    named: Iterable[tuple[str, object]],
) -> Iterator[tuple[Sequence[str], str, Callable[..., Any]]]:
    """Yield the functions among them that answer single decisions: for whom, which, function."""
    for _, value in named:
        if isinstance(value, FunctionType) and "answers" in value.__dict__:
            names, to = value.__dict__["answers"]
            yield names, to, value


def digest_of(content: bytes) -> str:
    """Return a hash of a file, by which another version is told from it."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


_stand_ins: dict[str, Path] = {}


def stand_in(path: str, text: bytes) -> None:
    """Let a text be read where a file is asked for that is not there: as a study kept it."""
    file = Path(_folder()) / digest_of(text) / Path(path).name
    if not file.is_file():
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(text)
    _stand_ins[path] = file


@cache
def _folder() -> str:
    folder = tempfile.mkdtemp(prefix="cardlab-files-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def file_at(path: str) -> Path:
    """Return the file that a path means: it, or what stands in for it."""
    return Path(path) if Path(path).is_file() else _stand_ins.get(path, Path(path))


_games: dict[tuple[str, str], UserGame] = {}


def load_game(path: str) -> UserGame:
    """Return the game of a file; a file that has changed is read again.

    Raises
    ------
    InputError
        If there is no such file, or it is no game; with file and line.
    """
    file = file_at(path)
    if not file.is_file():
        raise InputError(f"game {path!r}: there is no such file")
    text = file.read_bytes()
    digest = digest_of(text)
    if (path, digest) not in _games:
        _games[path, digest] = _game_of(path, file, digest)
    return _games[path, digest]


def _game_of(path: str, file: Path, digest: str) -> UserGame:
    the_move = Decision(FIRST_DECISION, "MOVE")
    module = run_file("game", str(file), digest, {"MOVE": the_move})
    space = vars(module)
    if not {"legal", "apply"} <= space.keys() and space["MOVE"] is the_move:
        del space["MOVE"]  # the full form has decisions of its own
    players = space.get("players", (2, 4))
    low, high = players if isinstance(players, tuple) and len(players) == 2 else (players, players)
    if not (type(low) is type(high) is int and 1 <= low <= high <= MOST_PLAYERS):
        raise Refused(
            f"{path}: players = {players!r} is refused; allowed: a number from 1 to "
            f"{MOST_PLAYERS}, or the fewest and the most, as in players = 2, 4"
        )
    usual = min(max(4, low), high)
    return UserGame(
        name=path,
        title=title_of(module, file.stem),
        kind="a game of one's own",
        options=(
            IntOption("players", usual, "players", "", low=low, high=high),
            *(option_of(name, value) for name, value in space.items() if isinstance(value, Dial)),
        ),
        complete=lambda options, given: None,
        metrics=METRICS,
        clauses=(),
        first_seat_meaning="the seat that begins the first round",
        best_score="lowest" if space.get("best") == "lowest" else "highest",
        path=path,
        digest=digest,
        module=module,
    )


def title_of(module: ModuleType, otherwise: str) -> str:
    """Return what stands before the colon in the first line that a file says of itself."""
    lines = (module.__doc__ or otherwise).strip().splitlines() or [otherwise]
    return lines[0].partition(":")[0].rstrip(".")


def option_of(name: str, dial: Dial) -> Option:
    """Return an option as a file declares it."""
    if dial.values:
        return ChoiceOption(name, dial.default, dial.meaning, "H", values=dial.values)
    if isinstance(dial.default, bool):
        return BoolOption(name, dial.default, dial.meaning, "H")
    return IntOption(name, dial.default, dial.meaning, "H", low=dial.low, high=dial.high)


def run_file(
    kind: str, path: str, digest: str, given: Mapping[str, object] | None = None
) -> ModuleType:
    """Run a user's file; return its module.

    Parameters
    ----------
    kind : str
        What it is, in refusals: "game", "rules" or "strategies".
    path, digest : str
    given : mapping, optional
        Names that stand for something before the file says anything.

    Raises
    ------
    InputError
        If it cannot be read or fails, with file and line.
    """
    file = Path(path)
    name = f"own_{kind}_{file.stem}_{digest[:8]}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None or not file.is_file():
        raise InputError(f"{kind} {path!r} cannot be read; allowed: a .py file")
    module = importlib.util.module_from_spec(spec)
    vars(module).update(given or {})
    sys.modules[name] = module
    linecache.checkcache(str(file))
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except SyntaxError as error:
        where = error.filename or path  # perhaps a file that it imports
        shown = f" `{error.text.strip()}`" if error.text else ""
        raise Refused(f"{where}, line {error.lineno}:{shown}: {error.msg}") from error
    except BaseException as error:  # whatever the file raises
        raise Refused(f"{path}, {_line_in(file, error)}: {_said(error)}") from error
    return module


def _said(error: BaseException) -> str:
    """Return an error in words; its own may fail."""
    if isinstance(error, SystemExit):
        return f"it ends the program (SystemExit {error.code}) while it is read"
    kind = type(error).__name__
    with contextlib.suppress(Exception):
        return (
            str(error) if isinstance(error, InputError) else f"{kind}: {error}".removesuffix(": ")
        )
    return kind


def _line_in(file: Path, error: BaseException) -> str:
    """Return the line of a file that an error came from, with its text."""
    trace, line = error.__traceback__, 0
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).resolve() == file.resolve():
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"line {line}: `{linecache.getline(str(file), line).strip()}`"


class Words:
    """Tells a match of any game in the language by what its state declares."""

    CARD_COLOURS: Sequence[tuple[str, str]] = ()

    def __init__(self, game: UserGame) -> None:
        self.game = game

    @cached_property
    def _program(self) -> Any:
        from simcore.compiler.program import program_of

        return program_of(self.game)

    def _card(self, number: int) -> str:
        deck = self._program.deck
        return deck.name(number) if deck and number in deck.cards else str(number)

    def _value(self, name: str, value: Any) -> str:
        declared = self._program.fields[name]
        if isinstance(value, list):
            return " ".join(self._value(name, one) for one in value)
        if self._program.is_set(declared.kind):
            return " ".join(map(self._card, value)) or "nothing"
        return self._card(value) if declared.kind.name == "card" and value >= 0 else str(value)

    def round_in_words(self, event: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell the deal: what each seat has, and what lies open."""
        dealt = ": the cards are dealt" if self._program.deck else ""
        yield f"Round {event.s.round_number}{dealt}."
        yield from self.table_in_words(event, names)

    def table_in_words(self, event: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell what lies where."""
        for name, declared in self._told():
            value = event.s.__dict__[name]
            if declared.per_seat:
                each = (
                    f"{who} {self._value(name, v)}" for who, v in zip(names, value, strict=True)
                )
                yield f"    {name}: {'; '.join(each)}"
            else:
                yield f"    {name}: {self._value(name, value)}"

    def _told(self) -> Iterator[tuple[str, Any]]:
        """Yield the fields that a spectator is told of."""
        from simcore.compiler.program import ENGINE_FIELDS

        for name, declared in self._program.fields.items():
            told = declared.sees not in ("hidden", "memory") and name not in ENGINE_FIELDS
            if told and name != "points":
                yield name, declared

    def _named(self, phase: int) -> tuple[str, str]:
        """Return the decision of a phase, and what its `apply` calls a move."""
        decision = next(n for n, number in self._program.decisions.items() if number == phase)
        simple = decision == "MOVE" and self._program.is_simple
        step = self._program.space["apply" if simple else f"apply_{decision.lower()}"]
        return "play" if simple else decision.lower(), step.__code__.co_varnames[2]

    def is_card(self, phase: int) -> bool:
        """Return whether the moves of a decision are cards."""
        return phase in self._program.decisions.values() and self._named(phase)[1] == "card"

    def move_in_words(self, s: Any, _seat: int, move: int) -> str:
        """Return a move as something to do, by the name that `apply` gives it."""
        verb, named = self._named(s.phase)
        if named == "card":
            return f"{verb} {self._card(move)}"
        if named == "yes":
            return f"{verb}: {'yes' if move else 'no'}"
        return f"{named} {move}" if verb == "play" else f"{verb} {move}"

    def mark_of(self, _s: Any, _seat: int, _move: int) -> str:
        """Return no mark: the file's rules have none."""
        return ""

    def step_in_words(self, step: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell a move and what it changed that all see."""
        who = names[step.seat]
        changed = "".join(f"; {one}" for one in self._changes(step.s, step.after.s))
        if not step.moves:
            yield f"  {who} has no move{changed}."
            return
        yield f"  {who}: {self.move_in_words(step.s, step.seat, step.move)}{changed}."

    def _changes(self, s: Any, after: Any) -> Iterator[str]:
        """Yield what has changed of the numbers and single cards that all see."""
        for name, declared in self._told():
            before, now = s.__dict__[name], after.__dict__[name]
            if declared.sees != "shown" or self._program.is_set(declared.kind) or before == now:
                continue
            yield f"{name} {self._value(name, now)}"

    def score_in_words(self, end: Any, names: Sequence[str]) -> Iterator[str]:
        """Tell the scores."""
        after = end.after.s
        for seat, name in enumerate(names):
            yield f"{name} has {self.amount(after, after.scores[seat])} in all."
        if after.leaders:
            yield f"{ahead(after.leaders, names)}."

    def amount(self, _s: Any, number: int) -> str:
        """Return so many points."""
        return numbered(int(number), "point")


__all__ = ["Options", "UserGame", "Words", "load_game"]
