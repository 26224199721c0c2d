"""Argument checks: numbers, options, line-ups, threads.

Numbers come as numbers from Python and as text from the command line; each refusal names the
argument, its value and what is allowed. Nothing here imports a compiler at module level.
"""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from simcore.catalogue import get_game
from simcore.errors import InputError
from simcore.game import Game
from studies.answers.filters import Filters
from studies.design.document import parse_list, shorten
from studies.operations.user_code import Strategies, given_policies

if TYPE_CHECKING:
    from simcore.batch import Cell

SEED_HIGH = 2**63 - 1
MATCHES_HIGH = 10**12
THREADS_HIGH = 1024


def whole_number(name: str, value: object, low: int, high: int) -> int:
    """Read a whole number; text may be written as `1_000_000` or `1e6`."""
    number = _of_text(value) if isinstance(value, str) else _of_number(value)
    if number is None or not low <= number <= high:
        raise InputError(
            f"{name} {shorten(repr(value))} is refused; allowed: a whole number {low}…{high}"
        )
    return number


def _of_number(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if math.isfinite(value) and value == int(value) else None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def _of_text(text: str) -> int | None:
    digits, _, exponent = text.lower().partition("e")
    if len(text) > 40:
        return None
    if digits.isdecimal() and exponent.isdecimal() and len(exponent) <= 2:
        return int(digits + "0" * int(exponent))
    try:
        return int(text)
    except ValueError:
        return None


def finite_number(name: str, value: object, allowed: str) -> float:
    """Read a finite number, from text or as it is."""
    try:
        number = math.nan if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{name} {shorten(repr(value))} is refused; allowed: {allowed}")
    return number


def from_half(name: str, value: object, allowed: str) -> float:
    """Read a number from 0.5 to below 1; `allowed` describes it."""
    number = finite_number(name, value, allowed)
    if not 0.5 <= number < 1:
        raise InputError(f"{name} {shorten(repr(value))} is refused; allowed: {allowed}")
    return number


def core_count() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def refuse_idle(name: str, value: object, why: str, allowed: str) -> None:
    """Refuse an argument that has no effect with the others; None and False count as not given."""
    if value is not None and value is not False:
        shown = "" if value is True else f" {shorten(repr(value))}"
        raise InputError(f"{name}{shown} would do nothing {why}; allowed: {allowed}")


Names = str | Sequence[str] | None


def filters_of(
    players: int | str | Sequence[int | str] | None, variant: Names, lineup: Names, number: Names
) -> Filters:
    """Return which part of a study is asked for."""
    given = [] if players is None else parse_list(players)
    counts = [whole_number("players", count, 1, 64) for count in cast("Sequence[Any]", given)]

    def names(given: Names) -> tuple[str, ...]:
        return (given,) if isinstance(given, str) else tuple(given or ())

    return Filters(tuple(counts), names(variant), names(lineup), names(number))


def worker_count(threads: int | str | None, scheduler: str | None, prefix: str = "") -> int:
    """Return the number of threads, by default all cores; a cluster chooses its own."""
    if scheduler is not None:
        from studies.run.cluster import LOCAL

        if scheduler != LOCAL:
            why = f"with {prefix}scheduler {shorten(repr(scheduler))}, whose workers play"
            allowed = f'with {prefix}scheduler "{LOCAL}", or with none'
            refuse_idle(f"{prefix}threads", threads, why, allowed)
    return thread_count(threads, f"{prefix}threads")


def thread_count(threads: int | str | None, name: str = "threads") -> int:
    """Return the number of threads, by default all cores."""
    return core_count() if threads is None else whole_number(name, threads, 1, THREADS_HIGH)


def given_options(
    players: int | str | None, options: Mapping[str, object] | None
) -> dict[str, object]:
    """Return the given options, including the number of players."""
    if options is not None and not isinstance(options, Mapping):
        raise InputError(
            f"options {shorten(repr(options))} is refused; allowed: a mapping of option to value, "
            'as in {"players": 3}'
        )
    given = dict(options or {})
    if players is not None:
        if "players" in given:
            raise InputError(
                f"option players is given twice: players={players} and options; allowed: once"
            )
        given = {"players": players, **given}
    return given


Rules = str | Path | Sequence[str | Path] | None
"""Files that change a game, or names of those that come with cardlab."""


def game_of(name: str, rules: Rules = None) -> Game:
    """Return the game, changed by the files of rules if there are any."""
    if not rules:
        return get_game(name)
    # Files of rules need the compiler, which is imported only for them.
    from simcore.userfiles.rule_overrides import with_rules

    return get_game(with_rules(name, rules))


def make_cell(
    game: Game,
    options: Mapping[str, object],
    lineup: str | Sequence[str],
    *,
    seed: int | str = 1,
    strategies: Strategies = None,
    prefix: str = "",
) -> Cell:
    """Return the cell.

    Parameters
    ----------
    prefix : str
        Prefix of names in refusals: "--" on the command line.
    """
    if not isinstance(lineup, str | Sequence):
        raise InputError(
            f"line-up {shorten(repr(lineup))} is refused; allowed: strategies, comma-separated or "
            "as a list"
        )
    resolved = game.resolve(options)
    seed_number = whole_number(f"{prefix}seed", seed, 0, SEED_HIGH)

    from simcore.batch import Cell
    from strategies import parse_lineup, seat_lineup

    policies = given_policies(strategies, game.name)
    seat_count = resolved["players"]
    assert isinstance(seat_count, int)
    seats = seat_lineup(parse_lineup(game, lineup, policies), seat_count)
    return Cell(game=game, options=resolved, seats=seats, seed=seed_number)
