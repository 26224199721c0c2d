"""`cardlab compare`: effects of variants and differences of policies, paired, with intervals."""

from __future__ import annotations

from typing import Annotated

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
    from studies.effects import compare as compare_directory
    from studies.location import locate

    comparison = compare_directory(locate(directory))
    if as_json:
        import dataclasses
        import json

        typer.echo(json.dumps(_finite(dataclasses.asdict(comparison)), indent=1))
        return
    from studies.cli.consoles import output
    from studies.tables import print_comparison

    with output() as console:
        print_comparison(console, comparison, full=full)


def _finite(value: object) -> object:
    """Return a value with what JSON has no number for (no interval at one deal) as null."""
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    if isinstance(value, float) and not abs(value) < float("inf"):
        return None
    return value
