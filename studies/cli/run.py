"""`cardlab run`: play the missing matches of a study."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from studies.api.asked import MATCHES_HIGH, refuse_idle, whole_number, worker_count
from studies.api.watching import say
from studies.cli.common import Changes, Scheduler, Threads, UserPolicies, add_user_policies
from studies.cli.completing import offer_studies

if TYPE_CHECKING:
    from studies.design.keys import Goal
    from studies.design.study import Study
    from studies.run.run import Outcome

_SHOWN_AT_ONCE = 4_000_000


def run(
    study: Annotated[
        str,
        typer.Argument(
            help="A study file (TOML), or the name of one in the library: cardlab studies.",
            autocompletion=offer_studies,
        ),
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            help="Study directory, or any fsspec address. Default: results/<name of the study>.",
        ),
    ] = None,
    matches: Annotated[
        str | None,
        typer.Option(
            "--matches", metavar="N", help="Match numbers a cell, in place of the study's."
        ),
    ] = None,
    changes: Changes = None,
    threads: Threads = None,
    scheduler: Scheduler = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Print cells, matches, time, disk and precision; stop."),
    ] = False,
    user_policies: UserPolicies = None,
) -> None:
    """Play a study into a directory of Parquet files.

    Running again continues: a run that was killed loses at most the blocks under way, one that is
    complete does nothing, and a larger --matches extends it. The files depend neither on threads
    and machines nor on interruptions.
    """
    from studies.design.study import load_study
    from studies.store.location import locate

    workers = worker_count(threads, scheduler, "--")
    if dry_run:
        why = "with --dry-run, whose time is that of this machine"
        refuse_idle("--scheduler", scheduler, why, "without --dry-run")
    count = None if matches is None else whole_number("--matches", matches, 1, MATCHES_HIGH)
    chosen = load_study(study, changes or (), matches=count)
    from studies.run.run import check_writable, default_directory

    add_user_policies(user_policies)
    directory = locate(out) if out else default_directory(chosen, study)
    if dry_run:
        from studies.design.cells import expand

        expand(chosen)  # refuses what can be refused before a word is said of compiling
        _print_dry_run(chosen, directory, workers)
        return
    check_writable(directory)
    outcome = _play(chosen, directory, workers, user_policies or [], scheduler)
    if outcome.interrupted:
        again = _continue_command(study, out, matches, changes, scheduler, user_policies)
        say(f"stopped; every block that was finished is kept. To continue: {again}")
        raise typer.Exit(130)
    _print_end(chosen, directory, outcome)


def _play(
    study: Study,
    directory: Path,
    threads: int,
    user_policies: list[Path],
    scheduler: str | None,
) -> Outcome:
    from studies.api.results import play_study
    from studies.run.progress import ProgressLine

    try:
        with ProgressLine() as line:
            return play_study(
                study,
                directory,
                threads=threads,
                paths=user_policies,
                functions={},
                scheduler=scheduler,
                watcher=line,
                notice=say,
            )
    except KeyboardInterrupt:
        say("stopped at once; the blocks under way are lost, run again to continue")
        os._exit(130)  # threads in a kernel cannot be asked to stop


def _continue_command(
    study: str,
    out: str | None,
    matches: str | None,
    changes: list[str] | None,
    scheduler: str | None,
    user_policies: list[Path] | None,
) -> str:
    import shlex

    words = ["cardlab", "run", study]
    words += ["--out", out] if out else []
    words += ["--matches", str(matches)] if matches else []
    for change in changes or ():
        words += ["--set", change]
    words += ["--scheduler", scheduler] if scheduler else []
    for path in user_policies or ():
        words += ["--strategies", str(path)]
    return shlex.join(words)


def _print_end(study: Study, directory: Path, outcome: Outcome) -> None:
    from studies.run.progress import duration

    if outcome.played:
        say(
            f"played {outcome.played:,} matches in {duration(outcome.seconds)} "
            f"({outcome.played / max(outcome.seconds, 1e-9):,.0f} a second); "
            f"{outcome.played + outcome.present:,} in {outcome.cells} cells"
        )
    else:
        say(f"nothing to do: all {outcome.present:,} matches are there")
    if study.goal:
        for told in _told_stops(study.goal, outcome):
            say(told)
    say(f"results: {directory}")
    if outcome.played + outcome.present > _SHOWN_AT_ONCE:
        say(f"next: cardlab compare {directory}")
        return
    from studies.cli.consoles import output
    from studies.compare.effects import compare
    from studies.show.first_page import print_page

    with output() as console:
        print_page(console, compare(directory), directory)


def _told_stops(goal: Goal, outcome: Outcome) -> list[str]:
    """Say who is the best, or how many cells have reached the goal."""
    if goal.best:
        from studies.store.stop_reasons import saved_words, verdicts

        told = [f"best: {one.told(goal.half_width)}" for one in verdicts(outcome.stops)]
        return [*told, f"best: {saved_words(outcome.stops)}"]
    reached = [stop for stop in outcome.stops.values() if stop.why == "goal"]
    text = f"goal ±{goal.half_width:g}: reached in {len(reached)} of {len(outcome.stops)} cells"
    if reached:
        deals = sorted(stop.deals for stop in reached)
        text += f" (at {deals[0]:,} to {deals[-1]:,} deals)"
    rest = [stop for stop in outcome.stops.values() if stop.why == "matches"]
    if rest:
        text += f"; {len(rest)} played to the number of matches without reaching it"
    return [text]


def _print_dry_run(study: Study, directory: Path, threads: int) -> None:
    from rich import box
    from rich.table import Table

    from studies.cli.consoles import output
    from studies.design.cells import describe, expand
    from studies.run.estimate import estimate
    from studies.run.progress import duration, size

    cells = expand(study)
    guess = estimate(study, cells, directory, threads)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("cell", "variant", "line-up", "at"):
        table.add_column(name)
    for name in ("rotations", "wanted", "present"):
        table.add_column(name, justify="right")
    for cell in cells:
        table.add_row(
            cell.id,
            cell.variant,
            cell.lineup,
            cell.point_text,
            str(cell.rotations),
            f"{study.matches * cell.rotations:,}",
            f"{guess.present[cell.id] * cell.rotations:,}",
        )
    with output() as console:
        console.print(table)
        console.print(
            f"{describe(cells)}{_coupling_words(study)}; {guess.rows_wanted:,} matches wanted"
            f"{' at most' if study.goal else ''}, {guess.rows_present:,} present in {directory}"
        )
        console.print(
            f"to play: {'at most ' if study.goal and guess.rows_left else ''}{guess.rows_left:,} "
            f"matches, about {duration(guess.seconds)} on "
            f"{guess.threads} thread{'' if guess.threads == 1 else 's'} (from short trials) and "
            f"{size(guess.bytes)} of disk ({_disk_words(study, guess.bytes_a_row)})"
        )
        console.print(_precision_words(study, paired=len({cell.variant for cell in cells}) > 1))


def _precision_words(study: Study, *, paired: bool) -> str:
    """Say how wide intervals will be at most."""
    from studies.stats.sample_size import WORST_SHARE, half_width_at

    points = 100 * half_width_at(WORST_SHARE, study.matches)
    text = (
        f"precision: 95 % intervals of win rates{' and of other winners' if paired else ''} reach "
        f"±{points:.2g} points at most with {study.matches:,} deals a cell (the worst case: shares "
        "of one half, rotations that all agree); cardlab plan tells more, from a pilot"
    )
    if study.goal and study.goal.best:
        text += "; contestants that fall behind stop before, and are known less well"
    elif study.goal:
        text += f"; cells stop at ±{100 * study.goal.half_width:g} points if they reach it before"
        if study.goal.anytime:
            text += ", by confidence sequences, which are wider"
    return text


def _coupling_words(study: Study) -> str:
    from simcore.game import get_game

    known = len(get_game(study.game).couplings) > 1
    return f', coupling "{study.coupling_used}"' if known else ""


def _disk_words(study: Study, bytes_a_row: float) -> str:
    if study.detail == "summary":
        return "sums, no matches"
    return f"some {bytes_a_row:.0f} bytes a match"
