"""`cardlab sensitivity`: which option or parameter matters for an outcome."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcore.errors import unknown
from studies.api.asked import MATCHES_HIGH, level_of, thread_count, whole_number
from studies.api.sensitivity import Sensitivity
from studies.api.watching import say
from studies.cli.common import AsJson, Changes, Level, Threads, UserPolicies, add_user_policies
from studies.cli.completing import offer_studies

if TYPE_CHECKING:
    from studies.run.sensitivity import SensitivityResult, TableResult

KINDS = ("png", "svg", "pdf")


def sensitivity(
    study: Annotated[
        str,
        typer.Argument(
            help="A study file (TOML) with a table \\[sensitivity], or a name of the library.",
            autocompletion=offer_studies,
        ),
    ],
    matches: Annotated[
        str | None,
        typer.Option(
            "--matches", metavar="N", help="Deals that all points play, in place of the study's."
        ),
    ] = None,
    changes: Changes = None,
    level: Level = "0.95",
    figure: Annotated[
        Path | None,
        typer.Option("--figure", metavar="FILE", help="Write a figure: .png, .svg or .pdf."),
    ] = None,
    threads: Threads = None,
    as_json: AsJson = False,
    user_policies: UserPolicies = None,
) -> None:
    """Tell which dial matters: how much of an outcome's variance each is responsible for.

    A dial is an option or a policy's parameter, drawn over its range. All points play the same
    deals, and what is left of chance between deals is taken out. Nothing is kept on the disk.
    """
    from studies.design.study import load_study

    chosen, workers = level_of(level, "--level"), thread_count(threads, "--threads")
    count = None if matches is None else whole_number("--matches", matches, 1, MATCHES_HIGH)
    kind = "" if figure is None else figure.suffix.removeprefix(".").lower()
    if figure is not None and kind not in KINDS:
        raise unknown("ending of --figure", figure.suffix or figure.name, KINDS)
    asked = load_study(study, changes or (), matches=count)
    from studies.run.progress import ProgressLine
    from studies.run.sensitivity import run_sensitivity

    add_user_policies(user_policies)
    with ProgressLine() as line:
        found = run_sensitivity(asked, level=chosen, threads=workers, watcher=line)
    if as_json:
        print(Sensitivity(found).to_json())
    else:
        print_sensitivity(found)
    if figure is not None:
        from studies.plots.style import save

        save(Sensitivity(found).figure(), str(figure), kind)
        say(f"figure: {figure}")


def print_sensitivity(found: SensitivityResult) -> None:
    """Print the rankings, for people."""
    from simcore.game import get_game

    print(
        f"{get_game(found.game).title}: which dial matters for {found.outcome}? "
        f"{found.samples:,} base points, each on the same {found.deals:,} deals; "
        f"{100 * found.level:g} % intervals"
    )
    for own in found.tables:
        _print_table(own, several=len(found.tables) > 1)
    print(
        "Shares of the variance of the mean outcome over all dials: total with all interactions, "
        "first order of the dial alone; what total has more is interaction. They hold for these "
        "ranges. An estimate below 0 is chance."
    )


def _print_table(own: TableResult, *, several: bool) -> None:
    from studies.cli.tables import new_table, print_table
    from studies.run.sensitivity import table_words
    from studies.show.wording import percent

    title = table_words(own) if several else None
    table = new_table("dial", "levels", "total, %", "first order, %", title=title, numbers_from=2)
    for dial in own.dials:
        shares = [percent(dial.total), percent(dial.first)] if dial.changes else ["0", "0"]
        table.add_row(dial.dial, dial.levels, *shares)
    print_table(table)
    spread = math.sqrt(max(own.variance.estimate, 0.0))
    print(
        f"Mean outcome {own.mean.estimate:.4g} ({own.mean.low:.4g} to {own.mean.high:.4g}), "
        f"standard deviation over the dials {spread:.3g}; {own.points:,} different points, "
        f"{own.matches:,} matches."
    )
    if own.variance.low <= 0:
        print("The dials together are not told from changing nothing: no ranking can be given.")
        return
    if still := [dial.dial for dial in own.dials if not dial.changes]:
        print(f"Without any effect on these deals: {', '.join(still)}.")
    first = own.dials[0]
    if first.above_next is not None and first.above_next.low > 0:
        print(f"{first.dial} matters most.")
    elif first.above_next is not None:
        print(f"That {first.dial} matters more than {own.dials[1].dial} is not shown.")
