"""What the commands share: arguments that several of them take, and the cell that they name.

What arrives as text is checked in `studies.api.asked`. Nothing here imports a compiler at its top.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcore.errors import InputError
from simcore.game import STOCK, Game, get_game
from studies.api.asked import SEED_HIGH, make_cell
from studies.api.own import use_policies
from studies.api.watching import say
from studies.cli.completing import offer_games, offer_lineups, offer_rules
from studies.design.overrides import shorten

if TYPE_CHECKING:
    from simcore.batch import Cell

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help="Name of a game: cardlab games.", autocompletion=offer_games
    ),
]
Players = Annotated[
    str | None,
    typer.Option("--players", metavar="N", help="Short for --rule players=N."),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="NAME=VALUE",
        help="A rules option; may be repeated: cardlab games GAME.",
        autocompletion=offer_rules,
    ),
]
Lineup = Annotated[
    str,
    typer.Option(
        "--lineup",
        metavar="A,B,…",
        help="Strategies by seat, name or name(param=value,…); repeated round the table.",
        autocompletion=offer_lineups,
    ),
]
Seed = Annotated[
    str, typer.Option("--seed", metavar="S", help=f"Key of all randomness, 0…2^63-1 ({SEED_HIGH}).")
]
Coupling = Annotated[
    str,
    typer.Option(
        "--coupling",
        metavar="stock|seat",
        help="seat: each seat draws along an order of its own, as in studies of UNO with variants.",
    ),
]
Threads = Annotated[
    str | None,
    typer.Option(
        "--threads",
        metavar="T",
        show_default="all cores",
        help="Threads that play; the results do not depend on it.",
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help='Play on a Dask cluster: tcp://HOST:PORT of its scheduler, or "local" for one with a '
        "worker process for each thread.",
    ),
]
UserPolicies = Annotated[
    list[Path] | None,
    typer.Option(
        "--strategies",
        metavar="FILE.py",
        help="A file with policies of your own, a program that is run; may be repeated.",
    ),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Change a key of the study: options.players=3."
    ),
]
Level = Annotated[
    str, typer.Option("--level", metavar="L", help="Of every interval, from 0.5 to below 1.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]

AsCsv = Annotated[bool, typer.Option("--csv", help="Print the rows as CSV on stdout.")]


def check_form(as_json: bool, as_csv: bool) -> bool:
    """Return whether what is found is printed as data, JSON or CSV.

    Raises
    ------
    InputError
        If both are asked for.
    """
    if as_json and as_csv:
        raise InputError("--json and --csv are both given; allowed: one of them")
    return as_json or as_csv


def print_data(as_csv: bool, document: object, rows: Iterable[Mapping[str, object]]) -> None:
    """Print what a command found as data on stdout.

    Parameters
    ----------
    as_csv : bool
        The rows, with a line of names; else the document, as JSON.
    rows : iterable of mapping
        All of the same names; lists are told as "a; b", what is not known as nothing.
    """
    if not as_csv:
        print(json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False))
        return
    writer = csv.writer(sys.stdout, lineterminator="\n")
    for place, row in enumerate(rows):
        if place == 0:
            writer.writerow(row)
        writer.writerow(map(_csv_cell, row.values()))


def _csv_cell(value: object) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    return "; ".join(map(str, value)) if isinstance(value, list | tuple) else value


def read_rules(game: Game, players: str | None, rules: Sequence[str] | None) -> dict[str, object]:
    """Return the options given on the command line, by name, checked one by one.

    Raises
    ------
    InputError
        If a rule is not NAME=VALUE, unknown, named twice, or its value not allowed.
    """
    given: dict[str, object] = {}
    source: dict[str, str] = {}
    pairs = [] if players is None else [("players", players, f"--players {players}")]
    for rule in rules or ():
        name, equals, value = rule.partition("=")
        if not equals or not name.strip():
            raise InputError(
                f"--rule {shorten(rule)!r} is refused; allowed: NAME=VALUE, "
                f"where NAME is one of {', '.join(game.option_names)}"
            )
        pairs.append((name.strip(), value.strip(), f"--rule {rule}"))
    for name, text, argument in pairs:
        if name in source:
            raise InputError(
                f"option {name} is given twice: {source[name]} and {argument}; allowed: once"
            )
        _, given[name] = game.parse_option(name, text)
        source[name] = argument
    return given


def cell_of(
    game_name: str,
    *,
    players: str | None,
    rules: Sequence[str] | None,
    lineup: str,
    seed: str,
    user_policies: Iterable[Path] | None,
    coupling: str = STOCK,
) -> Cell:
    """Return the cell that the arguments name.

    Raises
    ------
    InputError
        If any of them is refused.
    """
    game = get_game(game_name)
    game.check_coupling(coupling)
    given = read_rules(game, players, rules)
    tell_of_long_decisions()
    return make_cell(
        game,
        given,
        lineup,
        seed=seed,
        coupling=coupling,
        strategies=user_policies,
        prefix="--",
    )


def add_user_policies(paths: Iterable[Path] | None) -> None:
    """Register the policies of the user's files; say from now on when one takes long to decide."""
    tell_of_long_decisions()
    use_policies(paths)


def tell_of_long_decisions() -> None:
    """Say from now on when a policy takes long to decide."""
    from simcore import limit

    limit.tell_by(say)


def say_unsealed(directory: Path) -> None:
    """Say which files beside a study's matches cannot be verified."""
    from studies.store.documents import unsealed

    paths = unsealed(directory)
    if paths:
        names = ", ".join(path.name for path in paths)
        say(f"missing or without a seal in {directory}, so not verified: {names}")
