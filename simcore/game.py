"""The descriptor that every game provides.

A descriptor is plain data and imports no compiler, so that `cardlab games` answers at once. Rules
are imported on demand. Games are found by `simcore.catalogue`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from simcore.errors import InputError, unknown
from simcore.options import FileOption, IntOption, Option, Options, rows_of

_GAME_NAMES = ("up", "updown", "uno", "dnup", "upordown")


@dataclass(frozen=True)
class Metric:
    """A whole number counted in every match."""

    name: str
    meaning: str
    per: str = ""
    """For counts of a rule file by "card" or "seat": which; the name ends with its number."""


@dataclass(frozen=True)
class Clause:
    """A clause of the rules that may or may not come into play in a match.

    Its position in `Game.clauses` is its bit in the column `clauses`; `options` are the options
    that it implements.
    """

    name: str
    meaning: str
    options: tuple[str, ...]


def clauses_of(table: str) -> tuple[Clause, ...]:
    """Return the clauses of a table (`options.rows_of`): name, options, meaning."""
    return tuple(
        Clause(name, meaning, tuple(options.split(", ")))
        for name, options, meaning in rows_of(table)
    )


@dataclass(frozen=True)
class Game:
    """A game of the laboratory.

    Attributes
    ----------
    name, title, kind
        Name in the code, name on the box, and kind of game.
    options : tuple of Option
        All rules options, `players` first.
    complete : callable
        Fills in defaults that depend on other options and refuses combinations; it receives the
        resolved options (modified in place) and the names that were given.
    metrics, clauses
        Per match, in the order of the kernel.
    first_seat_meaning : str
        The seat that begins the first round by the rules.
    best_score : str
        The total that wins under default options: "highest" or "lowest".
    best_score_turned : tuple of str, or None
        An option and its value under which the opposite total wins.
    assumptions : tuple of str
        Assumptions printed beside every result of the game.
    assumptions_at : tuple of (int, str)
        Assumptions printed beside results at a number of players.
    unchanged : Game or None
        The built-in game, if rule files change it (`userfiles.rule_overrides`).
    changes : tuple
        The rule files that change the game.
    counted : dict
        Counts that rule files add: name -> how many numbers (0: a single one without an index).
    teams : int
        How many teams there are, of which each seat further on is in the next; 1: all win together;
        0: none, or others.
    has_roles : bool
        Whether the seats are meant to differ.
    """

    name: str
    title: str
    kind: str
    options: tuple[Option, ...]
    complete: Callable[[Options, frozenset[str]], None]
    metrics: tuple[Metric, ...]
    clauses: tuple[Clause, ...]
    first_seat_meaning: str
    best_score: str = "lowest"
    best_score_turned: tuple[str, str] | None = None
    assumptions: tuple[str, ...] = ()
    assumptions_at: tuple[tuple[int, str], ...] = ()
    unchanged: Game | None = None
    changes: tuple[Any, ...] = ()
    counted: Mapping[str, int] = field(default_factory=dict, hash=False)
    teams: int = 0
    has_roles: bool = False

    @property
    def players(self) -> IntOption:
        """The option `players`."""
        option = self.options[0]
        assert isinstance(option, IntOption)
        return option

    @property
    def option_names(self) -> tuple[str, ...]:
        """Names of all options."""
        return tuple(option.name for option in self.options)

    @property
    def metric_names(self) -> tuple[str, ...]:
        """Names of the game's metrics, in the order of the columns."""
        return tuple(metric.name for metric in self.metrics)

    def assumed(self, players: Collection[int]) -> list[str]:
        """Return the assumptions that apply at these numbers of players."""
        return [
            *self.assumptions,
            *(text for count, text in self.assumptions_at if count in players),
        ]

    def best_score_under(self, options: Mapping[str, object]) -> str:
        """Return which total wins under these options: "highest" or "lowest"."""
        if self.best_score_turned is not None:
            name, value = self.best_score_turned
            if options.get(name) == value:
                return "highest" if self.best_score == "lowest" else "lowest"
        return self.best_score

    @property
    def original(self) -> Game:
        """The game without the changes of rule files."""
        return self.unchanged or self

    @property
    def may_all_lose(self) -> bool:
        """Whether there may be matches that nobody wins, as in games and rules of users' files."""
        return bool(self.digest or self.changes)

    @property
    def digest(self) -> str:
        """A hash of a user's game file; empty for built-in games."""
        return ""

    def rules(self) -> ModuleType:
        """Import the module with its rules."""
        return importlib.import_module(f"simcore.games.{self.name}.rules")

    @property
    def deck(self) -> Any:
        """The cards, a `simcore.language.Deck`; None in a game that declares none."""
        return vars(self.rules()).get("deck")

    def parse_option(self, name: str, value: object) -> tuple[str, object]:
        """Return a checked (name, value).

        Raises
        ------
        InputError
            If the option is unknown or the value not allowed.
        """
        for option in self.options:
            if option.name == name:
                return name, option.parse(value)
        raise unknown("option", name, self.option_names, f"for {self.name}")

    def files(self, options: Mapping[str, object]) -> dict[str, str]:
        """Return a hash of the contents of every file that options name, by option."""
        return {
            option.name: option.fingerprint(str(options[option.name]))
            for option in self.options
            if isinstance(option, FileOption) and options[option.name] not in option.values
        }

    def resolve(self, given: Mapping[str, object]) -> Options:
        """Return all options with their values: those given, checked, and the defaults.

        Raises
        ------
        InputError
            If an option is unknown, a value not allowed or a combination refused.
        """
        resolved: Options = {option.name: option.default for option in self.options}
        for name, value in given.items():
            checked, parsed = self.parse_option(name, value)
            resolved[checked] = parsed  # type: ignore[assignment]
        for name, value in resolved.items():
            if isinstance(value, list) and len(value) != resolved["players"]:
                raise InputError(
                    f"option {name} has {len(value)} values but there are "
                    f"{resolved['players']} players; allowed: one number, or one for each seat"
                )
        self.complete(resolved, frozenset(given))
        return resolved


def game_names() -> tuple[str, ...]:
    """Return the names of the built-in games."""
    return _GAME_NAMES
