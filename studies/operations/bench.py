"""Measure the throughput of the kernels and of the whole path to Parquet, and compiling.

Every figure is the median of several runs. Things that are compared run alternately, so that a
slower machine slows down both.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from simcore.catalogue import get_game
from simcore.game import game_names
from studies.operations.arguments import core_count, given_options, make_cell, whole_number
from studies.render import Column, Page, Shown, Table
from studies.run.progress import say

if TYPE_CHECKING:
    import polars as pl

    from simcore.batch import Cell

RUN_SECONDS = 1.5  # about how long one run on one thread lasts
_RATES = ("matches", "rounds", "decisions")
BLOCK = 1 << 17  # larger blocks of short matches would measure the allocation of memory


@dataclass(frozen=True, repr=False)
class Measured(Shown):
    """A row a game, from `bench`; ratios are relative to the kernel alone, on one thread."""

    frame: pl.DataFrame

    def page(self) -> Page:
        """Return the displayed page."""
        columns = (
            Column("game"),
            Column("players", form="count"),
            *(Column(f"{name}_per_second", f"{name}/s", "count") for name in _RATES),
            Column("threads_ratio", "all cores ×", "number"),
            Column("pipeline_ratio", "to Parquet ×", "number"),
            Column("compile_seconds", "compiling s", "number"),
        )
        note = (
            "One thread, uniform random play; 'all cores' and 'to Parquet' relative to that. "
            "Compiling: of a game's matches anew, once, as after a change of its rules."
        )
        return [Table(self.frame, columns), note]


def bench(
    games: Sequence[str] | None = None,
    *,
    runs: int | str = 5,
    players: int | str | None = None,
    options: Mapping[str, object] | None = None,
    progress: bool = False,
) -> Measured:
    """Measure the speed of playing, of writing Parquet, and of compiling.

    Matches are played at random, by default options unless `players` or `options` change them.

    Parameters
    ----------
    games : sequence of str, optional
        Names of games; default: all.
    runs : int
        Number of runs; the median is reported.
    players, options
        As in `simulate`.
    progress : bool
        Whether to show progress on stderr.

    Examples
    --------
    >>> import cardlab
    >>> games = cardlab.bench(["updown"], runs=1).frame["game"]
    """
    import polars as pl

    count = whole_number("runs", runs, 1, 1000)
    names = list(games or game_names())
    given = given_options(players, options)
    cells = {name: make_cell(get_game(name), given, "random") for name in names}
    if progress:
        say(f"{count} runs of {', '.join(names)}")
    return Measured(
        pl.DataFrame([{"game": name, **_measured(cell, count)} for name, cell in cells.items()])
    )


def _measured(cell: Cell, runs: int) -> dict[str, Any]:
    from simcore.batch import play, seconds_to_compile
    from studies.operations.simulate import play_to_file

    play(cell, 0, 1)  # compiles
    matches = 64
    while (block := play(cell, 0, matches)).seconds < 0.1:
        matches *= 4
    threads = core_count()
    totals = {name: float(values.sum()) for name, values in block.columns().items()}
    rounds, decisions = totals.get("rounds", nan), totals["decisions"] + totals["forced"]
    wanted = max(1, int(matches * RUN_SECONDS / block.seconds))

    def through(threads: int) -> None:
        for first in range(0, wanted, BLOCK):
            play(cell, first, min(BLOCK, wanted - first), threads=threads)

    def to_file() -> None:
        with tempfile.TemporaryDirectory(prefix="cardlab-bench-") as folder:
            play_to_file(cell, wanted, Path(folder) / "rows.parquet")

    tasks: list[Callable[[], object]] = [lambda: through(1), lambda: through(threads), to_file]
    times: list[list[float]] = [[] for _ in tasks]
    for _ in range(runs):
        for seconds, task in zip(times, tasks, strict=True):
            started = time.perf_counter()
            task()
            seconds.append(time.perf_counter() - started)
    kernel, parallel, pipeline = map(median, times)
    rates = {"matches": 1.0, "rounds": rounds / matches, "decisions": decisions / matches}
    return {
        "players": cell.players,
        **{f"{name}_per_second": wanted / kernel * per for name, per in rates.items()},
        "threads": threads,
        "threads_ratio": kernel / parallel,
        "pipeline_ratio": kernel / pipeline,
        "compile_seconds": seconds_to_compile(cell),
    }
