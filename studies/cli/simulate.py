"""`cardlab simulate`: many matches of one cell; a summary, and the rows if wanted."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcore.game import STOCK
from studies.cli.common import (
    MATCHES_HIGH,
    AsJson,
    Coupling,
    GameName,
    Lineup,
    Players,
    Rules,
    Seed,
    Threads,
    UserPolicies,
    make_cell,
    thread_count,
    whole_number,
)
from studies.version import VERSION

if TYPE_CHECKING:
    from simcore.batch import Cell
    from studies.cli.tally import Columns, Tally

FIRST_BLOCK = 256
LARGEST_BLOCK = 1 << 17
BLOCK_SECONDS = 0.4
"""Blocks grow until they take about this long: an interruption is answered soon, and the cost of
a block does not show."""


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
    coupling: Coupling = STOCK,
    user_policies: UserPolicies = None,
) -> None:
    """Simulate matches of one cell and print a summary."""
    match_count = whole_number("--matches", matches, 1, MATCHES_HIGH)
    worker_count = thread_count(threads)
    cell = make_cell(
        game,
        players=players,
        rules=rule,
        lineup=lineup,
        seed=seed,
        user_policies=user_policies,
        coupling=coupling,
    )
    tally, seconds = run_cell(cell, match_count, worker_count, out, force=force)
    if as_json:
        print(json.dumps(as_object(cell, tally, seconds), ensure_ascii=False, allow_nan=False))
    else:
        from studies.cli.summary import print_summary

        print_summary(cell, tally, seconds, out)


def run_cell(
    cell: Cell, matches: int, threads: int, out: Path | None = None, *, force: bool = False
) -> tuple[Tally, float]:
    """Play matches 0…`matches` − 1 of a cell; return their tally and the simulation's seconds.

    With `out` the rows are written there. Statistics and file are made by a second Python thread
    while the next block is played.

    Raises
    ------
    InputError
        If `out` exists or cannot be written; nothing has been played then.
    """
    from simcore.batch import warm_up
    from studies.cli.tally import Tally
    from studies.run.progress import ProgressLine

    tally = Tally([str(seat) for seat in cell.seats], cell.game.metric_names)
    seconds = 0.0
    with contextlib.ExitStack() as stack:
        consumers: list[Callable[[Columns], None]] = [tally.add]
        if out is not None:
            from studies.cli.rowfile import RowFile

            consumers.append(stack.enter_context(RowFile(out, metadata(cell), force=force)).add)
        warm_up(cell)  # before the clock starts
        progress = stack.enter_context(ProgressLine())
        progress.begin(matches, cells=1)
        helper = stack.enter_context(ThreadPoolExecutor(max_workers=1))
        under_way: Future[None] | None = None
        for columns, block_seconds in _blocks(cell, matches, threads):
            seconds += block_seconds
            if under_way is not None:
                under_way.result()
            under_way = helper.submit(_consume, consumers, columns)
            progress.advance(len(columns["match"]), cells_done=0)
        if under_way is not None:
            under_way.result()
    return tally, seconds


def _consume(consumers: list[Callable[[Columns], None]], columns: Columns) -> None:
    for consumer in consumers:
        consumer(columns)


def _blocks(cell: Cell, matches: int, threads: int) -> Iterator[tuple[Columns, float]]:
    from simcore.batch import play

    first = 0
    size = FIRST_BLOCK * threads
    while first < matches:
        count = min(size, matches - first)
        block = play(cell, first, count, threads=threads)
        yield block.columns(), block.seconds
        first += count
        growth = BLOCK_SECONDS / max(block.seconds, 1e-6)
        size = min(LARGEST_BLOCK, max(1, int(count * min(growth, 8.0))))


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


def as_object(cell: Cell, tally: Tally, seconds: float) -> dict[str, object]:
    """Return what --json prints; the keys are part of the public interface.

    `win_share_by_…` are of all matches, aborted ones in the denominator, and of all seats of a
    strategy; `win_share_per_seat` and `…_decided` are those that the summary prints.
    """
    from studies.cli.estimates import as_json

    told: dict[str, object] = {
        "game": cell.game.name,
        "options": cell.options,
        "lineup": [str(seat) for seat in cell.seats],
        "matches": tally.matches,
        "seed": cell.seed,
        "seconds": seconds,
        "metrics": tally.means(),
        "win_share_by_position": tally.win_share_by_position(),
        "score_by_position": [sums.mean for sums in tally.score_by_position],
        "win_share_by_strategy": tally.win_share_by_strategy(),
        "aborted": tally.aborted,
    }
    if cell.coupling != STOCK:
        told["coupling"] = cell.coupling
    if assumed := cell.game.assumed({cell.players}):
        told["assumptions"] = assumed
    return {**told, **as_json(tally)}
