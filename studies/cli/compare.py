"""`cardlab compare`: effects of variants and differences of policies, paired, with intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


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
) -> None:
    """Tell what each variant changes on the same deals, and how the policies differ.

    Each variant is compared with the unchanged rules at the same line-up and sweep point. A deal
    with all its rotations is one observation.
    """
    from studies.location import locate
    from studies.store import stored_detail
    from studies.study import SUMMARY

    place = locate(directory)
    if stored_detail(place) == SUMMARY:
        _compare_sums(place, as_json=as_json)
        return
    from studies.effects import compare as compare_directory

    comparison = compare_directory(place)
    if as_json:
        _print_json(comparison, place)
        return
    from studies.cli.consoles import output
    from studies.goaltables import print_stops
    from studies.tables import print_comparison

    with output() as console:
        print_comparison(console, comparison, full=full)
        print_stops(console, place)


def _compare_sums(place: Path, *, as_json: bool) -> None:
    """Tell what a study that keeps sums allows."""
    from studies.summaries import compare_sums

    comparison = compare_sums(place)
    if as_json:
        _print_json(comparison, place)
        return
    from studies.cli.consoles import output
    from studies.goaltables import print_stops
    from studies.sumtables import print_sums

    with output() as console:
        print_sums(console, comparison)
        print_stops(console, place)


def _print_json(comparison: Any, place: Path) -> None:
    import dataclasses
    import json

    from studies.stops import as_record, read_stops

    half_width, stops = read_stops(place)
    told = {**dataclasses.asdict(comparison), "stops": as_record(stops, half_width)}
    typer.echo(json.dumps(_finite(told), indent=1))


def _finite(value: object) -> object:
    """Return a value with what JSON has no number for (no interval at one deal) as null."""
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    if isinstance(value, float) and not abs(value) < float("inf"):
        return None
    return value
