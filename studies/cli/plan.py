"""`cardlab plan`: how many matches a study needs, from a pilot."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from studies.api.asked import thread_count
from studies.cli.common import (
    AsCsv,
    AsJson,
    Changes,
    Threads,
    UserPolicies,
    add_user_policies,
    check_form,
)
from studies.cli.completing import offer_studies

if TYPE_CHECKING:
    from studies.api.planning import Planned

_MOST_CELLS = 40


def plan(
    study: Annotated[
        str,
        typer.Argument(
            help="A study file (TOML), a name of the library, or a study directory, whose rows are "
            "then the pilot.",
            autocompletion=offer_studies,
        ),
    ],
    detect: Annotated[
        str | None,
        typer.Option(
            "--detect",
            metavar="[NAME=]D",
            help="The least change to find: points of win rate (0.5 is half a point), or of NAME: "
            "score=5, or a metric.",
        ),
    ] = None,
    half_width: Annotated[
        str | None,
        typer.Option(
            "--half-width",
            metavar="[NAME=]W",
            help="Or how far each interval may reach to both sides; also another_winner=0.5.",
        ),
    ] = None,
    power: Annotated[
        str | None,
        typer.Option(
            "--power",
            metavar="P",
            show_default="0.8",
            help="How often to find what --detect names, 0.5 to below 1.",
        ),
    ] = None,
    pilot: Annotated[
        str | None,
        typer.Option(
            "--pilot",
            metavar="N",
            show_default="400",
            help="Deals of each cell that are tried; not of a study directory.",
        ),
    ] = None,
    changes: Changes = None,
    threads: Threads = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    user_policies: UserPolicies = None,
) -> None:
    """Tell how many matches each cell needs, what they cost, and which pairing saves most.

    From a pilot that is played in memory; nothing is written. A change is found at level 0.05,
    corrected over as many tests as cardlab compare has; without variants, a difference of policies.
    """
    check_form(as_json, as_csv)
    workers = thread_count(threads, "--threads")

    from simcore.game import get_game
    from studies.api.plan_asked import pilot_deals, read_target, refuse_changes, stored_study
    from studies.api.planning import Planned, needed
    from studies.design.study import load_study
    from studies.run.progress import ProgressLine

    stored = stored_study(study)
    if stored:
        refuse_changes(study, changes, "--set")
    rows, chosen = stored or (None, load_study(study, changes or ()))
    deals = pilot_deals(pilot, rows, "--pilot")
    target = read_target(get_game(chosen.game), detect, half_width, power, "--")
    add_user_policies(user_policies)
    with ProgressLine() as line:
        planned = Planned(needed(chosen, target, deals, workers, rows, line))
    if as_json:
        print(planned.to_json())
    elif as_csv:
        sys.stdout.write(planned.cells.write_csv())
    else:
        print_plan(planned, study)


def print_plan(planned: Planned, where: str) -> None:
    """Print what is needed, for people."""
    from studies.api.planning import aim, number
    from studies.cli.tables import new_table, print_table

    need = planned.need
    print(f"Needed {aim(need.target)}:")
    last = "power now %" if need.target.detect else "± now"
    table = new_table("variant", "line-up", "of", "deals", "from", "to", last, numbers_from=3)
    scale = 100 if need.target.is_share else 1
    most = sorted(need.cells, key=lambda one: -one.deals.estimate)[:_MOST_CELLS]
    for one in most:
        now = f"{100 * one.power:.0f}" if need.target.detect else f"{scale * one.half_width:.3g}"
        table.add_row(
            one.cell.variant,
            ", ".join(text for text in (one.cell.lineup, one.cell.point_text) if text),
            one.of or need.target.number,
            *(number(value) for value in (one.deals.estimate, one.deals.low, one.deals.high)),
            now,
        )
    print_table(table)
    left = len(need.cells) - len(most)
    if left:
        print(f"… and {left:,} cells that need fewer; all of them: --csv")
    _print_basis(planned)
    _print_cost(planned, where)
    _print_pairings(planned)


def _print_basis(planned: Planned) -> None:
    """Say where the numbers come from, and what they hold for."""
    from studies.show.wording import count

    need = planned.need
    pilot = count(need.pilot, "deal")
    source = (
        f"the first {pilot} of each cell" if need.from_rows else f"{pilot} of each cell, played"
    )
    print(f"\nPilot: {source}. From … to: the 95 % bounds that its variance leaves.")
    print(f"“Now” is at the {need.study.matches:,} deals that the study has.")
    if need.target.detect:
        families = sorted({one.family for one in need.cells})
        tests = " or ".join(f"{size:,}" for size in families)
        print(
            f"Tests are corrected over the {tests} that compare has of them, as if by Bonferroni:\n"
            "Holm's method, which it uses, finds no less."
        )
    else:
        print("Half-widths are of each interval by itself, as in compare; nothing is corrected.")
    if not all(one.spread.is_shown for one in need.cells):
        print("Where no deal of the pilot changed, the number is what that still leaves room for.")


def _print_cost(planned: Planned, where: str) -> None:
    from studies.run.progress import duration, size

    need, cost = planned.need, planned.need.cost
    print(
        f"\nAll cells with {planned.matches:,} deals: {cost.rows_wanted:,} matches"
        + (f", {cost.rows_present:,} of them there" if cost.rows_present else "")
        + f"; about {duration(cost.seconds)} on {cost.threads} "
        f"thread{'' if cost.threads == 1 else 's'} (from short trials) and {size(cost.bytes)} of "
        "disk."
    )
    if need.study.goal:
        print("Cells that reach the study's [goal] before that stop there.")
    print(f"cardlab run {where} --matches {planned.matches}")


def _print_pairings(planned: Planned) -> None:
    from studies.api.planning import ratio
    from studies.cli.tables import new_table, print_table

    found = planned.need.pairings
    if not found:
        return
    table = new_table(
        "pairing",
        "used",
        "matches with : without",
        "cells",
        "compares",
        title="Matches for the same precision (95 % intervals, by deal)",
    )
    for one in sorted(found, key=lambda one: one.ratio.estimate):
        table.add_row(
            one.name, "yes" if one.used else "no", ratio(one.ratio), f"{one.cells:,}", one.meaning
        )
    print_table(table)
    print()
    told = [one for one in sorted(found, key=lambda one: one.ratio.estimate) if one.ratio.high < 1]
    for words, own in (
        ("Saves most", [one for one in told if one.used]),
        ("Not used, and would save most", [one for one in told if not one.used]),
    ):
        if own:
            saved = 100 * (1 - own[0].ratio.estimate)
            print(f"{words}: {own[0].name}, {saved:.0f} % of the matches.")
