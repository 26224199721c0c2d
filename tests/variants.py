"""Options under which tests play a game: each at its other values, short matches, random ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from simcore.errors import InputError
from simcore.game import Game
from simcore.options import (
    BoolOption,
    ChoiceOption,
    FileOption,
    IntOption,
    Option,
    ProbabilityOption,
)
from tests.cases import Cases

Options = Mapping[str, Any]

SHORT = Cases(
    "tests/variants.py: SHORT",
    "options under which a match is short, or {}",
    {
        "up": {"rounds": 1, "play_cap": 150},
        "updown": {"rounds": 1},
        "uno": {"rounds": 1, "turn_cap": 200},
        "dnup": {"turn_cap": 150},
        "upordown": {"highest_card": 60},
    },
)
"""Options under which a match is short; those of a variant go first."""


def is_allowed(game: Game, options: Options) -> bool:
    try:
        game.resolve(options)
    except InputError:
        return False
    return True


def with_needed(game: Game, variant: Options) -> Options:
    """Return options with what else they need to be allowed, if that is known."""
    more: tuple[Options, ...] = ({}, {"players": 2}, {"rounds": 2}, {"discard_points": 0})
    completed = ({**variant, **needed} for needed in more)
    return next((options for options in completed if is_allowed(game, options)), variant)


def with_short(game: Game, variant: Options) -> dict[str, Any]:
    """Return a variant with as many of the short options as go with it."""
    options = dict(variant)
    for name, value in SHORT[game.name].items():
        if is_allowed(game, {name: value} | options):
            options = {name: value} | options
    return options


def player_counts(game: Game, variant: Options) -> list[int]:
    """Return the fewest, usual and most players, or a variant's, that its options go with."""
    counts = {game.players.low, int(game.players.default), game.players.high}
    if "players" in variant:
        counts = {variant["players"]}
    return sorted(count for count in counts if is_allowed(game, {"players": count} | variant))


def other_values(option: Option) -> list[Any]:
    """Return values of an option beside its default, as a study would try them."""
    match option:
        case BoolOption():
            return [not option.default]
        case IntOption():
            middle = option.low + (option.default or option.low)
            values = dict.fromkeys((option.low, middle))
            return [value for value in values if option.default != value <= option.high]
        case ProbabilityOption():
            return [0.5, 1.0]
        case ChoiceOption() | FileOption():
            return [value for value in option.values if value not in (option.default, None)]
    return []


def variants(game: Game) -> Iterator[tuple[str, Options]]:
    """Yield (label, options): the usual ones, and each option at each other value."""
    yield "defaults", {}
    for option in game.options:
        for value in other_values(option):
            variant: Options = {option.name: value}
            options = variant if player_counts(game, variant) else with_needed(game, variant)
            if player_counts(game, options):
                yield ",".join(f"{name}={options[name]}" for name in options), options


def random_options(game: Game, chance: random.Random) -> dict[str, Any]:
    """Return options of which some are not as usual; combinations that are refused are left out."""
    for _ in range(50):
        options: dict[str, object] = {}
        for option in game.options:
            if option.name != "players" and chance.random() < 0.7:
                continue
            if isinstance(option, ChoiceOption):
                options[option.name] = chance.choice(option.values)
            elif isinstance(option, BoolOption):
                options[option.name] = chance.random() < 0.5
            elif isinstance(option, IntOption):
                options[option.name] = chance.randint(option.low, min(option.high, option.low + 8))
        if is_allowed(game, options):
            return game.resolve(options)
    return game.resolve({})
