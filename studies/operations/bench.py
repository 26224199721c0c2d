"""Measure the speed of the kernels, of writing Parquet, and of starting the program.

Every figure is the median of several runs. Things that are compared run alternately, so that a
slower machine slows down both. Policies are measured by processor time.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from simcore.game import game_names, get_game
from studies.operations.arguments import core_count, given_options, make_cell, whole_number
from studies.render import Column, Page, Shown, Table
from studies.run.progress import say

if TYPE_CHECKING:
    import polars as pl

    from simcore.batch import Cell

RUNS = 5
RUN_SECONDS = 1.5
"""About how long one run on one thread lasts."""

POLICY_SECONDS = 0.25
"""About the least processor time of a run of a policy."""

Figures = dict[str, Any]
Say = Callable[[str], object]


@dataclass(frozen=True, repr=False)
class Measured(Shown):
    """Measurements, from `bench`.

    Attributes
    ----------
    of : str
        "games" or "policies".
    rows : sequence of dict
        One per game or policy.
    document : dict
        Everything.
    """

    of: str
    rows: Sequence[Figures]
    document: Figures

    @property
    def frame(self) -> pl.DataFrame:
        """The rows as a polars.DataFrame."""
        import polars as pl

        return pl.DataFrame(list(self.rows), infer_schema_length=None)

    def to_dict(self) -> Figures:
        """Return what `cardlab bench --json` prints."""
        return self.document

    def page(self) -> Page:
        """Return the displayed page."""
        figures = self.document
        columns: tuple[Column, ...]
        if self.of == "policies":
            columns = (
                Column("policy"),
                Column("decisions_per_second", "decisions/s", "count"),
                Column("ratio", "of random", _spread),
            )
            note = (
                f"{figures['game']}, {figures['players']} players; random play: "
                f"{figures['random_decisions_per_second']:,.0f} decisions/s. Decisions with a "
                "choice, by processor time of one thread, the same policy on every seat; in "
                f"brackets the lowest and highest ratio of {figures['runs']} runs in turn. "
                "Policies that look ahead are left out."
            )
            return [Table(self.frame.sort("ratio", descending=True), columns), note]
        columns = (
            Column("game"),
            Column("players", form="count"),
            *(
                Column(f"{name}_per_second", f"{name}/s", "count")
                for name in ("matches", "rounds", "decisions")
            ),
            Column(
                "threads_ratio",
                "all cores",
                lambda row: f"{row['threads_ratio']:.2f}× on {row['threads']}",
            ),
            Column("pipeline_ratio", "to Parquet", lambda row: f"{row['pipeline_ratio']:.2f}×"),
        )
        start = figures["start_seconds"]
        return [
            Table(self.frame, columns),
            "One thread, uniform random play; 'all cores' and 'to Parquet' relative to that.",
            (
                f"Start: --help {start['help']:.2f} s, "
                f"simulate of one match {start['simulate']:.2f} s."
            ),
        ]


def _spread(row: Mapping[str, Any]) -> str:
    return f"{row['ratio']:.2f} ({row['lowest_ratio']:.2f}–{row['highest_ratio']:.2f})"


def bench(
    games: Sequence[str] | None = None,
    *,
    runs: int | str = RUNS,
    players: int | str | None = None,
    options: Mapping[str, object] | None = None,
    policies: bool = False,
    progress: bool = False,
) -> Measured:
    """Measure the speed of playing, of writing Parquet, and of starting up.

    The matches are played at random, with the default options unless `players` or `options` change
    them.

    Parameters
    ----------
    games : sequence of str, optional
        Names of games; default: all.
    runs : int
        Number of runs; the median is reported.
    players, options
        As in `simulate`.
    policies : bool
        Time each policy of one game in all seats, alternating with random play.
    progress : bool
        Whether to show progress on stderr.

    Examples
    --------
    >>> import cardlab
    >>> "eager" in cardlab.bench(["updown"], runs=1, policies=True).frame["policy"]
    True
    """
    count = whole_number("runs", runs, 1, 1000)
    names = list(games or game_names())
    for name in names:
        get_game(name)
    one_game = len(set(names)) == 1
    for word, value in (
        ("--policies", policies),
        ("--players", players),
        ("--rule", options),
    ):
        if value and not one_game:
            raise InputError(f"{word} is for one game; given: {', '.join(names)}")
    notice: Say = say if progress else lambda _: None
    given = given_options(players, options)

    def cell_of(name: str, lineup: str = "random") -> Cell:
        return make_cell(get_game(name), given, lineup)

    if policies:
        cell = cell_of(names[0])
        measured = measure_policies(
            lambda policy: cell_of(names[0], policy), policy_names(cell), count, notice
        )
        document = {"game": names[0], "players": cell.players, "runs": count, **measured}
        return Measured("policies", measured["policies"], document)
    cells = {name: cell_of(name) for name in names}
    results = {name: measure_game(cell, count, notice=notice) for name, cell in cells.items()}
    start = measure_start(names[0], count)
    rows = [{"game": name, **figures} for name, figures in results.items()]
    return Measured("games", rows, {"games": results, "start_seconds": start})


def measure_game(
    cell: Cell, runs: int = RUNS, run_seconds: float = RUN_SECONDS, notice: Say = lambda _: None
) -> Figures:
    """Return the figures of one game, with the options of a cell.

    `pipeline_ratio` is the speed of the whole path to a Parquet file, tally included, relative to
    the kernel alone, both by the wall clock and on one thread; `threads_ratio` that of the kernel
    on `threads` threads relative to one.
    """
    from studies.check.speed import play_through
    from studies.operations.simulate import play_to_file

    matches = _match_count(cell, run_seconds)
    threads = core_count()
    notice(f"{cell.game.name}: {runs} runs of {matches:,} matches")
    rounds, decisions = _per_match(cell, min(matches, 10_000))
    with tempfile.TemporaryDirectory(prefix="cardlab-bench-") as folder:
        paths = (Path(folder) / f"rows-{run}.parquet" for run in range(runs))
        kernel, pipeline, parallel = _alternate(
            runs,
            lambda: play_through(cell, matches),
            lambda: play_to_file(cell, matches, next(paths)),
            lambda: play_through(cell, matches, threads),
        )
    rate = matches / kernel
    return {
        "players": cell.options["players"],
        "matches": matches,
        "matches_per_second": rate,
        "rounds_per_second": None if rounds is None else rate * rounds,
        "decisions_per_second": rate * decisions,
        "threads": threads,
        "threads_ratio": kernel / parallel,
        "pipeline_ratio": kernel / pipeline,
    }


def _match_count(cell: Cell, seconds: float) -> int:
    from simcore.batch import play

    play(cell, 0, 1)
    matches = 64
    while True:
        elapsed = max(play(cell, 0, matches).seconds, 1e-6)
        if elapsed > 0.1:
            return max(1, int(matches * seconds / elapsed))
        matches *= 4


def _per_match(cell: Cell, matches: int) -> tuple[float | None, float]:
    from simcore.batch import play

    columns = play(cell, 0, matches).columns()
    rounds = float(columns["rounds"].mean()) if "rounds" in columns else None
    return rounds, float((columns["decisions"] + columns["forced"]).mean())


def _alternate(runs: int, *tasks: Callable[[], object]) -> list[float]:
    seconds: list[list[float]] = [[] for _ in tasks]
    for _ in range(runs):
        for task, times in zip(tasks, seconds, strict=True):
            started = time.perf_counter()
            task()
            times.append(time.perf_counter() - started)
    return [median(times) for times in seconds]


def measure_start(game: str, runs: int = RUNS) -> dict[str, float]:
    """Return the wall time of `cardlab --help` and of a whole `simulate` of one match, in seconds.

    The kernels must have been compiled before.
    """
    command = [sys.executable, "-m", "studies.cli.app"]

    def start(*arguments: str) -> None:
        subprocess.run([*command, *arguments], check=True, capture_output=True)

    simulate = ("simulate", game, "--matches", "1", "--json")
    start(*simulate)
    help_seconds, simulate_seconds = _alternate(
        runs, lambda: start("--help"), lambda: start(*simulate)
    )
    return {"help": help_seconds, "simulate": simulate_seconds}


def policy_names(cell: Cell) -> list[str]:
    """Return the policies to measure: all but random play and those that look ahead."""
    from strategies import policies

    return [
        policy.name
        for policy in policies(cell.game)
        if not (policy.built_in or policy.takes_policy)
    ]


def measure_policies(
    cell_of: Callable[[str], Cell], names: list[str], runs: int, say: Say
) -> dict[str, Any]:
    """Return the speed of policies and of random play, in decisions a second.

    `cell_of` gives the cell in which a policy sits on every seat. `ratio` is of medians,
    `lowest_ratio` and `highest_ratio` of a run and the next one of random play.
    """
    random_play = _repeated(cell_of("random"))
    rows: list[dict[str, Any]] = []
    base_rates: list[float] = []
    for name in names:
        say(f"{name}: {runs} runs")
        policy = _repeated(cell_of(name))
        pairs = [(policy(), random_play()) for _ in range(runs)]
        base_rates += [pair[1] for pair in pairs]
        ratios = [rate / random_rate for rate, random_rate in pairs]
        rate = median(pair[0] for pair in pairs)
        rows.append(
            {
                "policy": name,
                "decisions_per_second": rate,
                "ratio": rate / median(pair[1] for pair in pairs),
                "lowest_ratio": min(ratios),
                "highest_ratio": max(ratios),
            }
        )
    return {"random_decisions_per_second": median(base_rates), "policies": rows}


def _repeated(cell: Cell) -> Callable[[], float]:
    """Return a function that plays a cell again and gives its decisions a second of CPU time."""
    from simcore.batch import play
    from studies.check.speed import play_through

    matches = 16

    def run() -> tuple[int, float]:
        started = time.process_time()
        decisions = play_through(cell, matches)
        return decisions, time.process_time() - started

    def rate() -> float:
        decisions, seconds = run()
        return decisions / seconds

    play(cell, 0, 1)
    while run()[1] < POLICY_SECONDS:
        matches *= 2
    return rate
