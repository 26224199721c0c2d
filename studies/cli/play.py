"""`cardlab play`: one match in words, decision by decision."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from simcore.game import STOCK, Game
from studies.api.asked import MATCHES_HIGH, whole_number
from studies.api.transcript import check_shown, told
from studies.cli.common import (
    Coupling,
    GameName,
    Lineup,
    Players,
    Rules,
    Seed,
    UserPolicies,
    cell_of,
)


def play(
    game: GameName,
    players: Players = None,
    rule: Rules = None,
    lineup: Lineup = "random",
    seed: Seed = "1",
    match: Annotated[
        str, typer.Option("--match", metavar="M", help="Number of the match, from 0.")
    ] = "0",
    show: Annotated[
        str,
        typer.Option(
            "--show", metavar="moves|table", help="table: also draw the table before each move."
        ),
    ] = "moves",
    why: Annotated[
        bool,
        typer.Option(
            "--why",
            help="Before each choice: the legal moves, the one chosen with its mark in RULES.md, "
            "what the policy weighed, and which of its rules decided.",
        ),
    ] = False,
    coupling: Coupling = STOCK,
    user_policies: UserPolicies = None,
) -> None:
    """Play one match in words.

    It is the match that simulate, with the same seed and options, has in the row of this number.
    In a terminal cards are coloured, unless NO_COLOR is set.
    """
    number = whole_number("--match", match, 0, MATCHES_HIGH - 1)
    check_shown(show, "--show")
    cell = cell_of(
        game,
        players=players,
        rules=rule,
        lineup=lineup,
        seed=seed,
        user_policies=user_policies,
        coupling=coupling,
    )

    write = _writer(cell.game, cell.players)
    for line in told(cell, number, show=show, why=why):
        write(line)


def _writer(game: Game, players: int) -> Callable[[str], None]:
    """Return what writes a line: in colour on a terminal, else as it is.

    NO_COLOR (https://no-color.org): when it is there and not empty, no colours.
    """
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return print
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, markup=False, soft_wrap=True)
    colours = game.room("words").CARD_COLOURS
    names = rf"seat (?:{'|'.join(map(str, range(players)))})(?: \([^()]*(?:\([^()]*\))?\))?"

    def write(line: str) -> None:
        text = Text(line)
        quiet = line.startswith("    ")
        text.highlight_regex(names, "bold")
        # Cards are looked for outside of the players' names alone.
        bare = _without(line, names)
        for pattern, style in colours:
            for start, stop in _places(pattern, bare):
                text.stylize(style, start, stop)
        if quiet:
            text.stylize("dim")
        console.print(text)

    return write


def _without(line: str, names: str) -> str:
    """Return a line with the names in it blotted out, as long as before."""
    return re.sub(names, lambda found: "\0" * len(found[0]), line)


def _places(pattern: str, text: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(pattern, text)]
