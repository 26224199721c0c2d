"""`cardlab simulate`: many matches of one cell; a summary, and the rows if wanted."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcore.game import STOCK
from studies.api.asked import MATCHES_HIGH, refuse_idle, thread_count, whole_number
from studies.cli.common import (
    AsCsv,
    AsJson,
    Coupling,
    GameName,
    Lineup,
    Players,
    Rules,
    Seed,
    Threads,
    UserPolicies,
    cell_of,
    check_form,
    print_data,
)
from studies.version import VERSION

if TYPE_CHECKING:
    from simcore.batch import Cell
    from studies.api.tally import Columns, Tally


def simulate(
    game: GameName,
    players: Players = None,
    rule: Rules = None,
    lineup: Lineup = "random",
    matches: Annotated[
        str, typer.Option("--matches", metavar="N", help=f"1…{MATCHES_HIGH}; 1e6 is understood.")
    ] = "10000",
    seed: Seed = "1",
    threads: Threads = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write a row for each match: .parquet, .csv, or .arrow (Arrow IPC).",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file of --out.")] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
    rotate: Annotated[
        bool,
        typer.Option("--rotate", help="Play each deal in every rotation of the line-up."),
    ] = False,
    coupling: Coupling = STOCK,
    user_policies: UserPolicies = None,
) -> None:
    """Simulate matches of one cell and print a summary; --csv has its metrics, one a row."""
    data = check_form(as_json, as_csv)
    match_count = whole_number("--matches", matches, 1, MATCHES_HIGH)
    worker_count = thread_count(threads, "--threads")
    if out is None:
        refuse_idle("--force", force, "without --out", "with --out FILE")
    cell = cell_of(
        game,
        players=players,
        rules=rule,
        lineup=lineup,
        seed=seed,
        user_policies=user_policies,
        coupling=coupling,
    )
    tally, seconds = run_to_file(cell, match_count, worker_count, out, force=force, rotate=rotate)
    if data:
        from studies.api.simulation import as_object

        told = as_object(cell, tally, seconds)
        rows = [{"metric": name, **own} for name, own in told["metrics"].items()]
        if as_csv:
            print_data(as_csv, told, rows)
        else:  # on one line, as other programs know it
            print(json.dumps(told, ensure_ascii=False, allow_nan=False))
    else:
        from studies.cli.summary import print_summary

        print_summary(cell, tally, seconds, out)


def run_to_file(
    cell: Cell,
    matches: int,
    threads: int,
    out: Path | None = None,
    *,
    force: bool = False,
    rotate: bool = False,
) -> tuple[Tally, float]:
    """Play a cell's matches with progress; with `out` write the rows there.

    Raises
    ------
    InputError
        If `out` exists or cannot be written; nothing has been played then.
    """
    from studies.api.simulation import rotations_of, run_cell
    from studies.run.progress import ProgressLine

    with contextlib.ExitStack() as stack:
        consumers: list[Callable[[Columns], None]] = []
        if out is not None:
            from studies.cli.rowfile import RowFile

            consumers.append(stack.enter_context(RowFile(out, metadata(cell), force=force)).add)
        line = stack.enter_context(ProgressLine())
        rotations = rotations_of(cell, rotate=rotate)
        return run_cell(cell, matches, threads, consumers, rotations=rotations, watcher=line)


def metadata(cell: Cell) -> dict[str, object]:
    """Return the key-value metadata of a cell's rows."""
    return {
        "game": cell.game.name,
        "options": cell.options,
        "lineup": [str(seat) for seat in cell.seats],
        "seed": cell.seed,
        "coupling": cell.coupling,
        "version": VERSION,
        "files": cell.game.files(cell.options),
        "assumptions": cell.game.assumed({cell.players}),
    }
