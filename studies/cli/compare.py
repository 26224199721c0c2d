"""`cardlab compare`: effects of variants and differences of policies, paired, with intervals."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from simcore.errors import InputError
from studies.cli.common import say_unsealed
from studies.design.overrides import shorten


def compare(
    directory: Annotated[
        str, typer.Argument(metavar="DIR", help="Study directory, written by cardlab run.")
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of tables.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Print win shares by policy of large studies, too.")
    ] = False,
    level: Annotated[
        str, typer.Option("--level", metavar="L", help="Of every interval, from 0.5 to below 1.")
    ] = "0.95",
    margins: Annotated[
        list[str] | None,
        typer.Option(
            "--margin",
            metavar="[NAME=]M",
            help="Test whether changes lie within ± M: of win share per seat (0.01 is a point), or "
            "of NAME, score or a metric: score=5. May be repeated. Default: the study's "
            "\\[compare] margin.",
        ),
    ] = None,
) -> None:
    """Tell what each variant changes on the same deals, and how the policies differ.

    Each variant is compared with the unchanged rules at the same line-up and sweep point. A deal
    with all its rotations is one observation.
    """
    chosen = read_number("--level", level, "a number from 0.5 to below 1, as in 0.95")
    if not 0.5 <= chosen < 1:
        raise InputError(
            f"--level {shorten(level)!r} is refused; allowed: a number from 0.5 to below 1, as in "
            "0.95"
        )
    given = read_margins(margins or ())
    from studies.design.study import SUMMARY
    from studies.store.directory import stored_detail
    from studies.store.location import locate

    place = locate(directory)
    if stored_detail(place) == SUMMARY:
        if given:
            raise InputError(
                f"--margin is refused for {place}: it keeps sums instead of matches, which allow "
                'no tests of equivalence; allowed: studies with detail = "matches"'
            )
        _compare_sums(place, as_json=as_json)
        say_unsealed(place)
        return
    from studies.compare.effects import compare as compare_directory

    comparison = compare_directory(place, chosen, given)
    say_unsealed(place)
    if as_json:
        _print_json(comparison, place)
        return
    from studies.cli.consoles import output
    from studies.show.stop_table import print_stops
    from studies.show.tables import print_comparison

    with output() as console:
        print_comparison(console, comparison, full=full)
        print_stops(console, place)


def _compare_sums(place: Path, *, as_json: bool) -> None:
    """Tell what a study that keeps sums allows."""
    from studies.compare.from_summary import compare_sums

    comparison = compare_sums(place)
    if as_json:
        _print_json(comparison, place)
        return
    from studies.cli.consoles import output
    from studies.show.stop_table import print_stops
    from studies.show.summary_tables import print_sums

    with output() as console:
        print_sums(console, comparison)
        print_stops(console, place)


def _print_json(comparison: Any, place: Path) -> None:
    import dataclasses
    import json

    from studies.store.stop_reasons import as_record, read_stops

    goal, stops = read_stops(place)
    told = {**dataclasses.asdict(comparison), "stops": as_record(stops, goal)}
    print(json.dumps(_finite(told), indent=1))


def read_number(name: str, text: str, allowed: str) -> float:
    """Read a finite number.

    Raises
    ------
    InputError
        If the text is none.
    """
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{name} {shorten(text)!r} is refused; allowed: {allowed}")
    return number


def read_margins(texts: list[str] | tuple[()]) -> dict[str, float]:
    """Read margins of equivalence: M, or NAME=M.

    Raises
    ------
    InputError
        If one is no number above 0 or named twice.
    """
    margins: dict[str, float] = {}
    for text in texts:
        name, equals, value = text.rpartition("=")
        name = name.strip() if equals else "win_share"
        margin = read_number("--margin", value, "a number above 0, or NAME=number: score=5")
        if margin <= 0 or name in margins:
            why = "given twice" if name in margins else "refused"
            raise InputError(
                f"--margin {shorten(text)!r} is {why}; allowed: a number above 0, once for each "
                "NAME"
            )
        margins[name] = margin
    return margins


def _finite(value: object) -> object:
    """Return a value with what JSON has no number for (no interval at one deal) as null."""
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    if isinstance(value, float) and not abs(value) < float("inf"):
        return None
    return value
