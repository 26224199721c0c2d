"""What the commands share: reading the arguments that name a cell, and words on stderr.

Numbers arrive as text and are checked here, so that every refusal has the same form. Nothing here
imports a compiler at its top; `make_cell` does when it runs.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcore.errors import InputError
from simcore.game import STOCK, Game, get_game
from studies.design.overrides import shorten

if TYPE_CHECKING:
    from simcore.batch import Cell

SEED_HIGH = 2**63 - 1
MATCHES_HIGH = 10**12
THREADS_HIGH = 1024
LONGEST_WORD = 300
MOST_LETTERS = 1_000_000

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of a game: cardlab games.")]
Players = Annotated[
    str | None,
    typer.Option("--players", metavar="N", help="Short for --rule players=N."),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule", metavar="NAME=VALUE", help="A rules option; may be repeated: cardlab games GAME."
    ),
]
Lineup = Annotated[
    str,
    typer.Option(
        "--lineup",
        metavar="A,B,…",
        help="Strategies by seat, name or name(param=value,…); repeated round the table.",
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
UserPolicies = Annotated[
    list[Path] | None,
    typer.Option(
        "--strategies",
        metavar="FILE.py",
        help="A file with policies of your own, a program that is run; may be repeated.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]


def whole_number(name: str, text: str, low: int, high: int) -> int:
    """Read a whole number; `1_000_000` and `1e6` are understood.

    Raises
    ------
    InputError
        If `text` is no whole number from `low` to `high`.
    """
    number: int | None = None
    if len(text) <= 40:
        try:
            number = int(text)
        except ValueError:
            number = _power_of_ten(text)
    if number is None or not low <= number <= high:
        raise InputError(
            f"{name} {shorten(text)!r} is refused; allowed: a whole number {low}…{high}"
        )
    return number


def _power_of_ten(text: str) -> int | None:
    digits, _, exponent = text.lower().partition("e")
    if digits.isdecimal() and exponent.isdecimal() and len(exponent) <= 2:
        return int(digits + "0" * int(exponent))
    return None


def core_count() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count(text: str | None) -> int:
    """Return the number of threads asked for, or all cores."""
    if text is None:
        return core_count()
    return whole_number("--threads", text, 1, THREADS_HIGH)


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


def make_cell(
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
    options = game.resolve(read_rules(game, players, rules))
    seed_number = whole_number("--seed", seed, 0, SEED_HIGH)

    from simcore.batch import Cell
    from strategies import parse_lineup, seat_lineup

    add_user_policies(user_policies)
    seat_count = options["players"]
    assert isinstance(seat_count, int)
    seats = seat_lineup(parse_lineup(game, lineup), seat_count)
    return Cell(game=game, options=options, seats=seats, seed=seed_number, coupling=coupling)


def add_user_policies(paths: Iterable[Path] | None) -> None:
    """Register the policies of the user's files; say from now on when one takes long to decide."""
    from simcore import limit, ways

    limit.decision_limit()
    ways.lanes_allowed()
    limit.tell_by(say)
    if paths:
        from strategies import load_strategies

        for path in paths:
            load_strategies(path)


def say(message: str) -> None:
    """Say something on stderr, in one line."""
    print(f"cardlab: {printable(message)}", file=sys.stderr, flush=True)


def say_unsealed(directory: Path) -> None:
    """Say which files beside a study's matches cannot be verified."""
    from studies.store.documents import unsealed

    paths = unsealed(directory)
    if paths:
        names = ", ".join(path.name for path in paths)
        say(f"missing or without a seal in {directory}, so not verified: {names}")


def printable(message: str) -> str:
    r"""Return a message as one line that is safe to show on a terminal.

    What people and files call things may hold control characters, or run to megabytes: such
    characters are written out (`\x1b`), and words are cut that nobody would read to their end.
    """
    line = "".join(
        letter if letter.isprintable() else repr(letter)[1:-1] for letter in message[:MOST_LETTERS]
    )
    return re.sub(rf"\S{{{LONGEST_WORD},}}", lambda word: shorten(word[0], LONGEST_WORD), line)
