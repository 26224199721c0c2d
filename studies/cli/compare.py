"""`cardlab compare`: effects of variants and differences of policies, paired, with intervals."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from simcore.errors import InputError
from studies.api.asked import finite_number, level_of
from studies.cli.common import Level, check_form, say_unsealed
from studies.design.overrides import shorten


def compare(
    directory: Annotated[
        str, typer.Argument(metavar="DIR", help="Study directory, written by cardlab run.")
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of tables.")
    ] = False,
    as_csv: Annotated[
        bool,
        typer.Option(
            "--csv", help="Print what variants change as CSV; without variants, the policies."
        ),
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Print win rates by policy of large studies, too.")
    ] = False,
    level: Level = "0.95",
    margins: Annotated[
        list[str] | None,
        typer.Option(
            "--margin",
            metavar="[NAME=]M",
            help="Test whether changes lie within ± M: of win rate per seat (0.01 is a point), or "
            "of NAME, score or a metric: score=5. May be repeated. Default: the study's "
            "\\[compare] margin.",
        ),
    ] = None,
) -> None:
    """Tell what each variant changes on the same deals, and how the policies differ.

    Each variant is compared with the unchanged rules at the same line-up and sweep point. A deal
    with all its rotations is one observation.
    """
    check_form(as_json, as_csv)
    chosen = level_of(level, "--level")
    given = read_margins(margins or ())
    from studies.api.answer import compare as compare_directory
    from studies.cli.consoles import waiting
    from studies.store.location import locate

    place = locate(directory)
    with waiting("compares"):
        answer = compare_directory(place, chosen, given, "--margin")
    say_unsealed(place)
    if as_json:
        print(answer.to_json())
        return
    if as_csv:
        found = answer.variants if answer.comparison.variants else answer.policies
        sys.stdout.write(found.write_csv())
        return
    from studies.cli.consoles import output
    from studies.show.stop_table import print_stops
    from studies.show.tables import print_comparison

    with output() as console:
        print_comparison(console, answer.comparison, full=full)
        print_stops(console, place)


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
        margin = finite_number("--margin", value, "a number above 0, or NAME=number: score=5")
        if margin <= 0 or name in margins:
            why = "given twice" if name in margins else "refused"
            raise InputError(
                f"--margin {shorten(text)!r} is {why}; allowed: a number above 0, once for each "
                "NAME"
            )
        margins[name] = margin
    return margins
