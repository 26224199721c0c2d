"""What the shell offers when a word is begun: games, policies, studies, options and their values.

`cardlab --install-completion` sets it up. Nothing is compiled for it, and what cannot be known
offers nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import typer

from simcore.game import Game, game_names, get_game
from simcore.options import BoolOption, ChoiceOption, FileOption, Option
from studies.design.overrides import shorten

ROOM = 60
"""Letters of a meaning; shells show it in one line."""

Offer = tuple[str, str]
"""A word, and what it means."""


def offer_games(incomplete: str) -> Iterator[Offer]:
    """Offer names of games."""
    for name in game_names():
        if name.startswith(incomplete):
            yield name, get_game(name).title


def offer_studies(incomplete: str) -> Iterator[Offer]:
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


def offer_policies(ctx: typer.Context, args: list[str], incomplete: str) -> Iterator[Offer]:
    """Offer policies of the game that stands before."""
    from strategies import policies

    for game in _games_meant(ctx, args):
        for one in policies(game):
            if one.name.startswith(incomplete):
                yield one.name, shorten(one.idea, ROOM)


def offer_lineups(ctx: typer.Context, args: list[str], incomplete: str) -> Iterator[Offer]:
    """Offer policies for the last place of a line-up."""
    before, comma, last = incomplete.rpartition(",")
    for name, idea in offer_policies(ctx, args, last):
        yield f"{before}{comma}{name}", idea


def offer_rules(ctx: typer.Context, args: list[str], incomplete: str) -> Iterator[Offer]:
    """Offer NAME= of the game's options, and after that the values, where they are words."""
    name, equals, begun = incomplete.partition("=")
    for game in _games_meant(ctx, args):
        for option in game.options:
            if not equals and option.name.startswith(name):
                yield f"{option.name}=", shorten(f"{option.meaning}: {option.allowed}", ROOM)
            elif equals and option.name == name:
                for value in _words(option):
                    if value.startswith(begun):
                        yield f"{name}={value}", shorten(option.meaning, ROOM)


def _games_meant(ctx: typer.Context, args: list[str]) -> list[Game]:
    """Return the game that is named before, or all of them."""
    given = ctx.params.get("game")
    words = [given] if isinstance(given, str) else [*args, *ctx.args]
    named = [word for word in words if word in game_names()]
    return [get_game(name) for name in named[:1] or game_names()]


def _words(option: Option) -> tuple[str, ...]:
    if isinstance(option, BoolOption):
        return ("true", "false")
    return option.values if isinstance(option, ChoiceOption | FileOption) else ()
