"""What was asked of `plan`, checked: the study or its directory, and what shall be reached."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from simcore.errors import InputError, unknown
from simcore.game import Game
from studies.api.asked import finite_number, from_half, refuse_idle, whole_number
from studies.design.margins import MARGINS, WIN_SHARE
from studies.design.overrides import shorten

if TYPE_CHECKING:
    from studies.design.study import Study as Checked
    from studies.run.planning import Target

PILOT = 400
USUAL_POWER = 0.8
PILOT_HIGH = 1_000_000
PILOT_LOW = 20
POWER = "a number from 0.5 to below 1, as in 0.8"
AMOUNT = "a number above 0 (points of win rate, below 100), or NAME=number: score=5"
ANOTHER_WINNER = "another_winner"

Amount = float | str | Mapping[str, float]
"""Points of win rate, "NAME=AMOUNT", or {NAME: AMOUNT}."""


def refuse_changes(where: str | Path, changes: object, name: str) -> None:
    """Refuse changes to a study that has been played."""
    if changes:
        raise InputError(
            f"{name} is refused for the study directory {shorten(str(where))!r}: its rows are of "
            "the study as it was run; allowed: with a study file, or a name of the library"
        )


def pilot_deals(pilot: object, rows: Path | None, name: str) -> int:
    """Return how many deals of each cell are tried; of rows that are there all are taken.

    Raises
    ------
    InputError
        If it is no such number, or there are rows.
    """
    if rows is not None:
        why = f"for the study directory {shorten(str(rows))!r}, whose rows are the pilot"
        refuse_idle(name, pilot, why, "with a study file, or a name of the library")
    return whole_number(name, PILOT if pilot is None else pilot, PILOT_LOW, PILOT_HIGH)


def stored_study(where: str | Path) -> tuple[Path | None, Checked] | None:
    """Return a study directory and its study; None where `where` is no study directory.

    One that keeps sums has no rows, so that a pilot is played as for a study file.

    Raises
    ------
    InputError
        If it does not say which study it holds.
    """
    from studies.design.study import CELLS, MATCHES, library_names
    from studies.store.documents import read_study
    from studies.store.location import locate

    if str(where) in library_names():
        return None
    try:
        directory = locate(str(where))
        if not (directory / CELLS).is_file():
            return None
    except (OSError, ValueError):
        return None
    found = read_study(directory)
    if found is None:
        raise InputError(
            f"study directory {shorten(str(where))!r} has no study.toml; allowed: one that has, or "
            "a study file"
        )
    return (directory if found.detail == MATCHES else None), found


def read_target(
    game: Game,
    detect: Amount | None,
    half_width: Amount | None,
    power: object,
    prefix: str = "",
) -> Target:
    """Return what is to be reached.

    Parameters
    ----------
    prefix : str
        What stands before names in refusals: "--" for those of the command line.

    Raises
    ------
    InputError
        If there are none or two of them, or a name or a number is refused.
    """
    from studies.run.planning import Target

    names = (f"{prefix}detect", f"{prefix}half{'-' if prefix else '_'}width")
    given = [
        (name, own)
        for name, own in zip(names, (detect, half_width), strict=True)
        if own is not None
    ]
    if len(given) != 1:
        raise InputError(
            f"{' and '.join(names)} are both {'given' if given else 'missing'}; allowed: one of "
            "them, as in 0.5 (points of win rate) or score=5"
        )
    called, value = given[0]
    wanted, amount = _read_amount(called, value)
    known = [*MARGINS, *game.metric_names]
    if detect is None:
        known.insert(1, ANOTHER_WINNER)
    if wanted not in known:
        raise unknown(f"{called} name", wanted, known, f"of {game.name}")
    if detect is None:
        why = f"with {names[1]}: a width is reached or not"
        refuse_idle(f"{prefix}power", power, why, f"with {names[0]}")
    share = from_half(f"{prefix}power", USUAL_POWER if power is None else power, POWER)
    points = wanted in (WIN_SHARE, ANOTHER_WINNER)
    if amount <= 0 or (points and amount >= 100):
        raise InputError(f"{called} {shorten(value)!r} is refused; allowed: {AMOUNT}")
    return Target(wanted, amount / 100 if points else amount, detect is not None, share)


def _read_amount(called: str, value: Amount) -> tuple[str, float]:
    """Read AMOUNT, NAME=AMOUNT or {NAME: AMOUNT}."""
    if isinstance(value, Mapping):
        if len(value) != 1:
            raise InputError(
                f"{called} {shorten(repr(value))} is refused; allowed: one name with its amount, "
                'as in {"score": 5}'
            )
        name, own = next(iter(value.items()))
        return str(name), finite_number(called, own, AMOUNT)
    if isinstance(value, str):
        name, equals, text = value.rpartition("=")
        return (name.strip() if equals else WIN_SHARE), finite_number(called, text, AMOUNT)
    return WIN_SHARE, finite_number(called, value, AMOUNT)
