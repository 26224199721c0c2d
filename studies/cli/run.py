"""`cardlab run`: play the missing matches of a study."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcore.errors import InputError
from studies.cli.common import (
    MATCHES_HIGH,
    Threads,
    UserPolicies,
    add_user_policies,
    announce_first_use,
    say,
    thread_count,
    whole_number,
)

if TYPE_CHECKING:
    from studies.run import Outcome
    from studies.study import Study

_SHOWN_AT_ONCE = 4_000_000


def run(
    study: Annotated[
        str, typer.Argument(help="A study file (TOML), or the name of one in the library.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Study directory. Default: results/<name of the study>."),
    ] = None,
    matches: Annotated[
        str | None,
        typer.Option(
            "--matches", metavar="N", help="Match numbers a cell, in place of the study's."
        ),
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Change a key of the study: options.players=3."
        ),
    ] = None,
    threads: Threads = None,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", help="Address of a Dask cluster. Not supported yet."),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Print cells, matches, estimates of time and disk; stop."),
    ] = False,
    user_policies: UserPolicies = None,
) -> None:
    """Play a study into a directory of Parquet files.

    Running again continues: a run that was killed loses at most the blocks under way, one that is
    complete does nothing, and a larger --matches extends it. Rows do not depend on threads or
    blocks.
    """
    from studies.study import load_study

    if scheduler is not None:
        raise InputError(
            f"--scheduler {scheduler!r} is refused: clusters are not supported yet; leave it out "
            "to run on the threads of this machine"
        )
    workers = thread_count(threads)
    count = None if matches is None else whole_number("--matches", matches, 1, MATCHES_HIGH)
    chosen = load_study(study, changes or (), matches=count)
    from studies.run import check_writable, default_directory

    add_user_policies(user_policies)
    directory = out or default_directory(chosen, study)
    if dry_run:
        announce_first_use()
        _print_dry_run(chosen, directory, workers)
        return
    check_writable(directory)
    if chosen.goal is not None:
        say("[goal] is recorded; for now every cell is played to its fixed number of matches")
    outcome = _play(chosen, directory, workers, user_policies or [])
    if outcome.interrupted:
        again = _continue_command(study, out, matches, changes, user_policies)
        say(f"stopped; every block that was finished is kept. To continue: {again}")
        raise typer.Exit(130)
    _print_end(chosen, directory, outcome)


def _play(study: Study, directory: Path, threads: int, user_policies: list[Path]) -> Outcome:
    from studies.progress import ProgressLine
    from studies.run import run_study

    try:
        with ProgressLine() as line:
            return run_study(
                study,
                directory,
                threads=threads,
                notice=say,
                watcher=line,
                strategy_files=user_policies,
            )
    except KeyboardInterrupt:
        say("stopped at once; the blocks under way are lost, run again to continue")
        os._exit(130)  # threads in a kernel cannot be asked to stop


def _continue_command(
    study: str,
    out: Path | None,
    matches: str | None,
    changes: list[str] | None,
    user_policies: list[Path] | None,
) -> str:
    import shlex

    words = ["cardlab", "run", study]
    words += ["--out", str(out)] if out else []
    words += ["--matches", str(matches)] if matches else []
    for change in changes or ():
        words += ["--set", change]
    for path in user_policies or ():
        words += ["--strategies", str(path)]
    return shlex.join(words)


def _print_end(study: Study, directory: Path, outcome: Outcome) -> None:
    from studies.progress import duration

    if outcome.played:
        say(
            f"played {outcome.played:,} matches in {duration(outcome.seconds)} "
            f"({outcome.played / max(outcome.seconds, 1e-9):,.0f} a second); "
            f"{outcome.played + outcome.present:,} in {outcome.cells} cells"
        )
    else:
        say(f"nothing to do: all {outcome.present:,} matches are there")
    say(f"results: {directory}")
    if study.variants and outcome.played + outcome.present <= _SHOWN_AT_ONCE:
        from studies.cli.compare import compare

        compare(directory)
        return
    say(f"next: cardlab compare {directory}")


def _print_dry_run(study: Study, directory: Path, threads: int) -> None:
    from rich import box
    from rich.table import Table

    from studies.cells import describe, expand
    from studies.cli.consoles import output
    from studies.estimate import estimate
    from studies.progress import duration, size

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
            f"{describe(cells)}; {guess.rows_wanted:,} matches wanted, {guess.rows_present:,} "
            f"present in {directory}"
        )
        console.print(
            f"to play: {guess.rows_left:,} matches, about {duration(guess.seconds)} on "
            f"{guess.threads} thread{'' if guess.threads == 1 else 's'} (from short trials) and "
            f"{size(guess.bytes)} of disk (some {guess.bytes_a_row:.0f} bytes a match)"
        )
