"""`cardlab sensitivity`: which option or parameter matters for an outcome."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcore.errors import unknown
from studies.api.asked import MATCHES_HIGH, level_of, whole_number, worker_count
from studies.api.sensitivity import play_sensitivity
from studies.api.watching import say
from studies.cli.common import (
    AsCsv,
    AsJson,
    Changes,
    Level,
    Scheduler,
    Threads,
    UserPolicies,
    add_user_policies,
    check_form,
)
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
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            help="Study directory in which the points are kept, or any fsspec address. Default: "
            "results/<name of the study>.",
        ),
    ] = None,
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
    scheduler: Scheduler = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    user_policies: UserPolicies = None,
) -> None:
    """Tell which dial matters: how much of an outcome's variance each is responsible for.

    A dial is an option or a policy's parameter, drawn over its range. All points play the same
    deals, and what is left of chance between deals is taken out. What was played is kept: running
    again continues, another outcome plays nothing anew, and `report` shows the ranking.
    """
    from studies.design.study import load_study
    from studies.store.location import locate

    check_form(as_json, as_csv)
    chosen, workers = level_of(level, "--level"), worker_count(threads, scheduler, "--")
    count = None if matches is None else whole_number("--matches", matches, 1, MATCHES_HIGH)
    kind = "" if figure is None else figure.suffix.removeprefix(".").lower()
    if figure is not None and kind not in KINDS:
        raise unknown("ending of --figure", figure.suffix or figure.name, KINDS)
    asked = load_study(study, changes or (), matches=count)
    from studies.run.progress import ProgressLine
    from studies.run.run import check_writable, default_directory

    add_user_policies(user_policies)
    directory = locate(out) if out else default_directory(asked, study)
    check_writable(directory)
    try:
        with ProgressLine() as line:
            found = play_sensitivity(
                asked,
                directory,
                level=chosen,
                threads=workers,
                paths=user_policies or [],
                scheduler=scheduler,
                watcher=line,
                notice=say,
            )
    except KeyboardInterrupt:
        say("stopped; every block that was finished is kept, the same command continues")
        raise typer.Exit(130) from None
    if as_json:
        print(found.to_json())
    elif as_csv:
        sys.stdout.write(found.ranking.write_csv())
    else:
        print_sensitivity(found.result)
    if figure is not None:
        from studies.plots.paper import save

        save(found.figure(), str(figure), kind)
        say(f"figure: {figure}")
    say(f"kept: {directory}")


def print_sensitivity(found: SensitivityResult) -> None:
    """Print the rankings, for people."""
    from simcore.game import get_game
    from studies.show.sensitivity_tables import MEANING

    print(
        f"{get_game(found.game).title}: which dial matters for {found.outcome}? "
        f"{found.samples:,} base points, each on the same {found.deals:,} deals; "
        f"{100 * found.level:g} % intervals"
    )
    for own in found.tables:
        _print_table(own, several=len(found.tables) > 1)
    print(MEANING)


def _print_table(own: TableResult, *, several: bool) -> None:
    from studies.cli.tables import new_table, print_table
    from studies.run.sensitivity import table_words
    from studies.show.sensitivity_tables import (
        HEADINGS,
        extent_sentence,
        ranking_rows,
        ranking_sentences,
    )

    table = new_table(*HEADINGS, title=table_words(own) if several else None, numbers_from=2)
    for row in ranking_rows(own):
        table.add_row(*row)
    print_table(table)
    for sentence in (extent_sentence(own), *ranking_sentences(own)):
        print(sentence)
