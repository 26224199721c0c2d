"""`cardlab bench`: how quick the kernels, the path to Parquet, and the start of the program are.

Every figure is the median of several runs. What is compared runs in turn, so that a machine that
slows down slows both.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcore.errors import InputError
from simcore.game import game_names, get_game
from studies.api.asked import core_count, whole_number
from studies.api.watching import say
from studies.cli.common import (
    AsCsv,
    AsJson,
    Players,
    Rules,
    cell_of,
    check_form,
    print_data,
    read_rules,
)

if TYPE_CHECKING:
    from simcore.batch import Cell

RUNS = 5
RUN_SECONDS = 1.5
"""About how long one run on one thread lasts."""

Figures = dict[str, Any]


def bench(
    games: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME…]", help="Which games; all without.")
    ] = None,
    runs: Annotated[
        str, typer.Option("--runs", metavar="N", help="Runs of which the median is taken.")
    ] = str(RUNS),
    players: Players = None,
    rule: Rules = None,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            metavar="PROGRAM",
            help="Compare the kernel of one game with a program that plays the same.",
        ),
    ] = None,
    policies: Annotated[
        bool,
        typer.Option("--policies", help="Compare each policy of one game with random play."),
    ] = False,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Measure the kernels, the path to Parquet, and the start-up time.

    Uniform random play, with the default options unless --players or --rule say otherwise.

    With --against the kernel of one game alone, in turn with PROGRAM, by
    processor time; PROGRAM is given --matches N --seed S and every option
    that was named, as --NAME VALUE.

    With --policies the policies of one game, each on every seat, in turn
    with random play.
    """
    run_count = whole_number("--runs", runs, 1, 1000)
    names = games or list(game_names())
    for name in names:
        get_game(name)
    one_game = len(set(names)) == 1
    for option, value in (
        ("--against", against),
        ("--policies", policies),
        ("--players", players),
        ("--rule", rule),
    ):
        if value and not one_game:
            raise InputError(f"{option} is for one game; given: {', '.join(names)}")
    if policies and against:
        raise InputError("--policies and --against are refused together; allowed: one of them")
    check_form(as_json, as_csv)
    form = as_csv if as_json or as_csv else None
    if policies:
        _bench_policies(names[0], players, rule, run_count, form)
        return
    if against is not None:
        _bench_against(names[0], players, rule, against, run_count, form)
        return
    cells = {name: _cell_of(name, players, rule) for name in names}
    results = {name: measure_game(cell, run_count) for name, cell in cells.items()}
    start = measure_start(names[0], run_count)
    if as_json or as_csv:
        rows = [{"game": name, **figures} for name, figures in results.items()]
        print_data(as_csv, {"games": results, "start_seconds": start}, rows)
    else:
        _print_results(results, start)


def _cell_of(
    name: str, players: str | None, rules: list[str] | None, lineup: str = "random"
) -> Cell:
    return cell_of(name, players=players, rules=rules, lineup=lineup, seed="1", user_policies=None)


def _bench_policies(
    name: str, players: str | None, rules: list[str] | None, runs: int, form: bool | None
) -> None:
    """Measure the policies of a game in turn with random play, and print all.

    Parameters
    ----------
    form : bool or None
        Whether data are told as CSV, else as JSON; None: as words.
    """
    from studies.cli.policy_speed import NOTE, measure_policies, policy_names
    from studies.cli.tables import new_table, print_table

    cell = _cell_of(name, players, rules)
    measured = measure_policies(
        lambda policy: _cell_of(name, players, rules, policy), policy_names(cell), runs, say
    )
    if form is not None:
        result = {"game": name, "players": cell.options["players"], "runs": runs, **measured}
        print_data(form, result, measured["policies"])
        return
    table = new_table("policy", "decisions/s", "of random", numbers_from=1)
    table.add_row("random", f"{measured['random_decisions_per_second']:,.0f}", "")
    for own in sorted(measured["policies"], key=lambda one: -one["ratio"]):
        spread = f"({own['lowest_ratio']:.2f}–{own['highest_ratio']:.2f})"
        table.add_row(
            own["policy"], f"{own['decisions_per_second']:,.0f}", f"{own['ratio']:.2f} {spread}"
        )
    print_table(table)
    print(f"\n{name}, {cell.options['players']} players. {NOTE.format(runs=runs)}")


def _bench_against(
    name: str,
    players: str | None,
    rules: list[str] | None,
    program: Path,
    runs: int,
    form: bool | None,
) -> None:
    """Measure a kernel in turn with a program, and print both; `form` as in `_bench_policies`."""
    from studies.cli.against import compare_with

    cell = _cell_of(name, players, rules)
    matches = _match_count(cell, RUN_SECONDS)
    say(f"{name}: {runs} runs of {matches:,} matches, in turn with {program}")
    given = read_rules(cell.game, players, rules)
    result = {"game": name, **compare_with(program, cell, given, matches, runs)}
    if form is not None:
        print_data(form, result, [result])
        return
    print(
        f"{name}, {result['players']} players: {result['matches_per_second']:,.0f} matches per "
        f"second of processor time, the program {result['program_matches_per_second']:,.0f}: "
        f"{result['ratio']:.2f} times as many ({result['lowest_ratio']:.2f}–"
        f"{result['highest_ratio']:.2f} in {runs} runs in turn)"
    )


def measure_game(cell: Cell, runs: int = RUNS, run_seconds: float = RUN_SECONDS) -> Figures:
    """Return the figures of one game, under the options of a cell.

    `pipeline_ratio` is the speed of the whole path to a Parquet file, tally included, relative to
    the kernel alone, both by the wall clock and on one thread; `threads_ratio` that of the kernel
    on `threads` threads relative to one.
    """
    from studies.check.speed import play_through
    from studies.cli.simulate import run_to_file

    matches = _match_count(cell, run_seconds)
    threads = core_count()
    say(f"{cell.game.name}: {runs} runs of {matches:,} matches")
    rounds, decisions = _per_match(cell, min(matches, 10_000))
    with tempfile.TemporaryDirectory(prefix="cardlab-bench-") as folder:
        path = Path(folder) / "rows.parquet"
        kernel, pipeline, parallel = _alternate(
            runs,
            lambda: play_through(cell, matches),
            lambda: run_to_file(cell, matches, 1, path, force=True),
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
        subprocess.run([*command, *arguments], check=True, capture_output=True)  # noqa: S603

    simulate = ("simulate", game, "--matches", "1", "--json")
    start(*simulate)
    help_seconds, simulate_seconds = _alternate(
        runs, lambda: start("--help"), lambda: start(*simulate)
    )
    return {"help": help_seconds, "simulate": simulate_seconds}


def _print_results(results: dict[str, Figures], start: dict[str, float]) -> None:
    from studies.cli.tables import new_table, print_table

    table = new_table(
        "game",
        "players",
        "matches/s",
        "rounds/s",
        "decisions/s",
        "all cores",
        "to Parquet",
        numbers_from=1,
    )
    for name, figures in results.items():
        rounds = figures["rounds_per_second"]
        table.add_row(
            name,
            str(figures["players"]),
            f"{figures['matches_per_second']:,.0f}",
            "–" if rounds is None else f"{rounds:,.0f}",
            f"{figures['decisions_per_second']:,.0f}",
            f"{figures['threads_ratio']:.2f}× on {figures['threads']}",
            f"{figures['pipeline_ratio']:.2f}×",
        )
    print_table(table)
    print("\nOne thread, uniform random play; 'all cores' and 'to Parquet' relative to that.")
    print(f"Start: --help {start['help']:.2f} s, simulate of one match {start['simulate']:.2f} s.")
