"""Games that somebody wrote: one file in the language, named where a game is named."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from simcore.compiler.program import (
    FIRST_DECISION,
    Refused,
    is_game_of_turns,
    place_in,
)
from simcore.compiler.seating import Seating
from simcore.errors import InputError
from simcore.game import Game, Metric
from simcore.language import Decision, Deck, Dial, PolicyMark
from simcore.options import BoolOption, ChoiceOption, IntOption, Option, Options
from simcore.userfiles.loading import (
    UserFile,
    digest_at,
    digest_of,
    keep_lines,
    load_user_file,
    read_user_file,
)
from simcore.userfiles.names import check_names

METRICS = (
    Metric("rounds", "rounds played"),
    Metric("turns", "turns of all seats, also those without a choice; not questions within them"),
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
    loaded: UserFile | None = None

    def rules(self) -> ModuleType:
        """Return the module of the file."""
        assert self.loaded is not None
        return self.loaded.module

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
            yield *value.__dict__["answers"], value


_stand_ins: dict[str, Path] = {}


def stand_in(path: str, files: Mapping[str, bytes]) -> None:
    """Let a text be run where a file is asked for that is not there: as a study kept it.

    Parameters
    ----------
    files : dict of str to bytes
        By file name: the file, and the modules of its folder that it imports.
    """
    digests = [digest_of(content).encode() for content in files.values()]
    folder = Path(_folder()) / digest_of(b"".join(digests))
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    _stand_ins[path] = folder / Path(path).name


@cache
def _folder() -> str:
    folder = tempfile.mkdtemp(prefix="cardlab-files-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def file_at(path: str) -> Path:
    """Return the file that a path means: it, or what stands in for it."""
    return _stand_ins.get(path, Path(path)) if not Path(path).exists() else Path(path)


_games: dict[tuple[str, str], UserGame] = {}


def load_game(path: str) -> UserGame:
    """Return the game of a file; a file that has changed is read again.

    Raises
    ------
    InputError
        If there is no such file, or it is no game; with file and line.
    """
    file = file_at(path)
    key = (path, digest_at("game", file))
    if key not in _games:
        game = _game_of(path, file)
        key = (path, game.digest)
        _games[key] = game
    else:  # another version may have been read since
        keep_lines(file, read_user_file("game", file))
    return _games[key]


def _game_of(path: str, file: Path) -> UserGame:
    the_move = Decision(FIRST_DECISION, "MOVE")
    loaded = load_user_file("game", file, {"MOVE": the_move})
    space = vars(loaded.module)
    if not is_game_of_turns(space) and space["MOVE"] is the_move:
        del space["MOVE"]  # the full form has decisions of its own
    players = space.get("players", (2, 4))
    low, high = players if isinstance(players, tuple) and len(players) == 2 else (players, players)
    if not (type(low) is type(high) is int and 1 <= low <= high <= MOST_PLAYERS):
        raise Refused(
            f"{path}: players = {players!r} is refused; allowed: a number from 1 to "
            f"{MOST_PLAYERS}, or the fewest and the most, as in players = 2, 4"
        )
    _check_deck(path, space.get("deck"))
    try:
        seating = Seating(space.get("teams"), low, high)
    except InputError as error:
        raise Refused(f"{place_in(str(file), 'teams')}: {error}") from None

    def complete(options: Options, _given: frozenset[str]) -> None:
        if options["players"] not in seating.tables:
            raise InputError(
                f"players {options['players']} is refused: they do not fall into the game's "
                f"{space['teams']} teams; allowed: {', '.join(map(str, seating.tables))}"
            )

    if not isinstance(roles := space.get("roles", False), bool):
        raise Refused(
            f"{place_in(str(file), 'roles')}: roles = {roles!r} is refused; allowed: True, where "
            "the seats are meant to differ"
        )
    check_names(path, file, loaded.module)
    usual = min((n for n in seating.tables if n >= 4), default=high)
    return UserGame(
        name=path,
        title=title_of(loaded.module, file.stem),
        kind="a game of one's own",
        options=(
            IntOption("players", usual, "players", "", low=low, high=high),
            *(option_of(name, value) for name, value in space.items() if isinstance(value, Dial)),
        ),
        complete=complete,
        metrics=METRICS,
        clauses=(),
        first_seat_meaning="the seat that begins the first round",
        best_score="lowest" if space.get("best") == "lowest" else "highest",
        teams=seating.in_turn,
        has_roles=roles,
        path=path,
        digest=loaded.digest,
        loaded=loaded,
    )


def _check_deck(path: str, deck: object) -> None:
    if deck is None or isinstance(deck, Deck):
        return
    call = f"{deck.__name__}()" if isinstance(deck, FunctionType) else ""
    meant = f"; did you mean `deck = {call}`?" if call else ""
    shown = call.removesuffix("()") or repr(deck)[:80]
    raise Refused(
        f"{place_in(str(file_at(path)), 'deck')}: deck = {shown} is refused; allowed: "
        "french_deck(), skat_deck(), cards_of(suits, ranks), numbered(count), or no deck at all"
        f"{meant}"
    )


def title_of(module: ModuleType, otherwise: str) -> str:
    """Return the title of a file: the first line of its docstring, up to the colon."""
    lines = (module.__doc__ or otherwise).strip().splitlines() or [otherwise]
    return lines[0].partition(":")[0].rstrip(".")


def option_of(name: str, dial: Dial) -> Option:
    """Return an option as a file declares it."""
    if dial.values:
        return ChoiceOption(name, dial.default, dial.meaning, "H", values=dial.values)
    if isinstance(dial.default, bool):
        return BoolOption(name, dial.default, dial.meaning, "H")
    return IntOption(name, dial.default, dial.meaning, "H", low=dial.low, high=dial.high)
