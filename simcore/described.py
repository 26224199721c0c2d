"""Descriptions of users' games as data, so that results can be read without running their files.

A study directory stores a description of each such game when it is played: its options, metrics
and the names of its cards. `compare` and `report` need no more; the rules are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from simcore.catalogue import get_game
from simcore.errors import InputError
from simcore.game import Game, Metric, game_names
from simcore.language import Deck
from simcore.options import BoolOption, ChoiceOption, IntOption, Option

_OPTIONS: dict[str, type[Any]] = {
    "whole number": IntOption,
    "choice": ChoiceOption,
    "switch": BoolOption,
}


@dataclass(frozen=True)
class DescribedGame(Game):
    """A user's game, without its rules.

    Attributes
    ----------
    hashed : str
        Hash of the file that was played.
    cards : Deck or None
    ideas : mapping of str to str
        The idea of each policy, by name.
    looks : mapping of str to int
        At how many things of the state each policy looks, by name.
    """

    hashed: str = ""
    cards: Deck | None = None
    ideas: Mapping[str, str] = field(default_factory=dict)
    looks: Mapping[str, int] = field(default_factory=dict)

    @property
    def deck(self) -> Deck | None:
        """The cards of the game."""
        return self.cards

    def rules(self) -> ModuleType:
        """Refuse, because the user's file is not run."""
        raise InputError(
            f"game {self.name!r} was read from a study directory, which does not run its file; "
            "allowed: --trust (in Python trust=True)"
        )


def describe_game(
    game: Game, ideas: Mapping[str, str] | None = None, looks: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Return the description, as JSON values, of a game that users' files define or change.

    Parameters
    ----------
    ideas, looks : mapping of str, optional
        The idea of each of its policies, and at how many things it looks, by name.
    """
    original = game.original
    known = original is not game
    base: Any = None
    if known:
        base = original.name if original.name in game_names() else describe_game(original)
    deck = game.deck
    return {
        "name": game.name,
        "title": game.title,
        "kind": game.kind,
        "digest": game.digest,
        "best_score": game.best_score,
        "changes": base,
        "options": [
            _option_record(option)
            for option in game.options
            if not (known and option.name in original.option_names)
        ],
        "metrics": [
            [metric.name, metric.meaning, metric.per]
            for metric in game.metrics
            if not (known and metric.name in original.metric_names)
        ],
        "counted": dict(game.counted),
        "teams": game.teams,
        "first_seat_meaning": game.first_seat_meaning,
        "deck": None if deck is None else _deck_record(deck),
        "policies": dict(ideas or {}),
        "looks_at": dict(looks or {}),
    }


def read_description(record: Mapping[str, Any]) -> Game:
    """Return the game of a description.

    Raises
    ------
    KeyError, TypeError, ValueError
        If the record is not a description.
    """
    changes = record["changes"]
    base: Game | None = None
    if changes is not None:
        base = get_game(changes) if changes in game_names() else read_description(changes)
    options = tuple(_option_of(option) for option in record["options"])
    metrics = tuple(Metric(*map(str, metric)) for metric in record["metrics"])
    return DescribedGame(
        name=str(record["name"]),
        title=str(record["title"]),
        kind=str(record["kind"]),
        options=(*(base.options if base else ()), *options),
        complete=base.complete if base else lambda _options, _given: None,
        metrics=(*(base.metrics if base else ()), *metrics),
        clauses=base.clauses if base else (),
        first_seat_meaning=str(record["first_seat_meaning"]),
        best_score=str(record["best_score"]),
        best_score_turned=base.best_score_turned if base else None,
        assumptions=base.assumptions if base else (),
        assumptions_at=base.assumptions_at if base else (),
        unchanged=base,
        counted={str(name): int(size) for name, size in record["counted"].items()},
        teams=int(record.get("teams", 0)),
        hashed=str(record["digest"]),
        cards=None if record["deck"] is None else Deck(*_deck_of(record["deck"])),
        ideas={str(name): str(idea) for name, idea in record.get("policies", {}).items()},
        looks={str(name): int(count) for name, count in record.get("looks_at", {}).items()},
    )


def _option_record(option: Option) -> dict[str, Any]:
    record: dict[str, Any] = {
        "type": next(name for name, kind in _OPTIONS.items() if isinstance(option, kind)),
        "name": option.name,
        "default": option.default,
        "meaning": option.meaning,
        "rule": option.rule,
    }
    if isinstance(option, IntOption):
        record |= {"low": option.low, "high": option.high}
    if isinstance(option, ChoiceOption):
        record["values"] = list(option.values)
    return record


def _option_of(record: Mapping[str, Any]) -> Option:
    values = {name: value for name, value in record.items() if name != "type"}
    if "values" in values:
        values["values"] = tuple(map(str, values["values"]))
    option: Option = _OPTIONS[record["type"]](**values)
    return option


def _deck_record(deck: Deck) -> dict[str, Any]:
    return {
        "suits": list(deck.suits),
        "ranks": list(deck.ranks.values()),
        "numbers": list(deck.ranks),
        "packs": deck.packs,
        "counts": list(deck.counts),
    }


def _deck_of(record: Mapping[str, Any]) -> tuple[Any, Any, int, tuple[int, ...]]:
    ranks, numbers = list(map(str, record["ranks"])), list(map(int, record["numbers"]))
    suits, packs = tuple(map(str, record["suits"])), int(record["packs"])
    counts = tuple(map(int, record.get("counts", ())))
    if numbers == list(range(len(numbers))):
        return suits, ranks, packs, counts
    step = numbers[1] - numbers[0] if len(numbers) > 1 else 1
    return suits, range(numbers[0], numbers[-1] + step, step), packs, counts
