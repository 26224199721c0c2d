"""Measure matches on a GPU, and compare them with the CPU's: `python -m tests.gpu.measure`.

For each game, of four at random play and of four `all_rounder`: seconds to compile (all side by
side), matches a second, the same with sums by group of deals, times one thread of the CPU, the
launch that was found quickest, and whether rows and sums are those of the CPU. It takes six minutes
at most (`--seconds`). NUMBA_ENABLE_CUDASIM=1 with `--matches 2` tries it out without a GPU.
"""

from __future__ import annotations

import argparse
import os
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from simcore.batch import play
from simcore.catalogue import get_game
from simcore.gpu import launch
from simcore.gpu.device import CUDA, check_device
from simcore.gpu.launch import Held
from studies.answers.device_sums import device_totals
from studies.answers.totals import totals_of
from studies.measures import measures_of
from studies.operations.arguments import given_options, make_cell
from studies.operations.simulate import _study_cell, summary_measures
from studies.run.executors import Task, totals_there

GAMES = ("updown", "dnup", "upordown", "up", "uno")
POLICIES = ("random", "all_rounder")
HEAD = (
    f"{'game':9} {'policy':12} {'compile s':>9} {'matches/s':>13} {'with sums/s':>13} "
    f"{'CPU thread/s':>12} {'times':>6} {'launch':>18}  rows and sums"
)
TUNED_SECONDS, MEASURED_SECONDS = 8.0, 0.5


def compiled(kernel: Any, cell: Any) -> float:
    """Compile in a process of its own; return the seconds."""
    started = time.perf_counter()
    launch._compile_apart(kernel, cell)
    return time.perf_counter() - started


def held(cell: Any, count: int) -> Held:
    with launch.a_gpu() as gpu:
        return gpu.hold(cell, 0, count, 1)


def tuned(cell: Any, count: int) -> tuple[Any, int]:
    """Play until the quickest launch is found; return it, and matches that take half a second."""
    started = time.perf_counter()
    while True:
        launched = held(cell, count)
        with launch.a_gpu() as gpu:
            tuning = gpu._tunings[launch._kernel(cell)]
        if launched.simulated:
            return launch.Shape(2, 1, refill=False), count
        is_late = time.perf_counter() - started > TUNED_SECONDS
        if len(tuning.tried) >= 5 or (is_late and tuning.tried):
            rate = tuning.tried[tuning.best]
            return tuning.best, int(min(launch.MOST_ROWS, rate * MEASURED_SECONDS))
        count = min(launch.MOST_ROWS, 4 * count)


def measured(game: str, policy: str, compile_seconds: float, matches: int) -> str:
    """Return the line of a game and policy."""
    cell = make_cell(get_game(game), given_options(4, {}), policy, seed=1)
    study_cell = _study_cell(cell, rotate=False)
    launch.warm_up(cell)
    play(cell, 0, 1)
    here, gpu_block = play(cell, 0, matches), play(cell, 0, matches, device=CUDA)
    rows, other = here.columns(), gpu_block.columns()
    differ = [name for name in rows if (rows[name] != other[name]).any()]
    shape, count = tuned(cell, matches)
    best = min((held(cell, count).seconds for _ in range(3)), default=0.0)
    own = summary_measures(study_cell)
    task = Task((study_cell,), study_cell, 0, count, "", rows=False, measures=own)
    totals_there(task, 0, min(count, matches))  # compiles
    started = time.perf_counter()
    assert totals_there(task, 0, count) is not None, "the sums were left to the CPU"
    with_sums = time.perf_counter() - started
    measures = measures_of(study_cell)
    with launch.a_gpu() as gpu:
        sums = device_totals(study_cell, gpu.hold(cell, 0, matches, 1), measures).to_frame()
    is_same = sums.equals(totals_of(study_cell, rows, measures).to_frame())
    rate, thread = count / best, matches / here.seconds
    how = f"{shape.blocks}x{shape.block}{' refilled' if shape.refill else ''}"
    return (
        f"{game:9} {policy:12} {compile_seconds:9.1f} {rate:13,.0f} {count / with_sums:13,.0f} "
        f"{thread:12,.0f} {rate / thread:6.0f} {how:>18}  "
        f"rows {f'DIFFER in {differ}' if differ else 'equal'} ({matches:,}), "
        f"sums {'equal' if is_same else 'DIFFER'}"
    )


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=360.0, help="after these nothing begins")
    parser.add_argument("--matches", type=int, default=20_000, help="that are compared")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--policies", default=",".join(POLICIES))
    given = parser.parse_args()
    check_device(CUDA)
    started = time.perf_counter()
    tasks = [(g, p) for p in given.policies.split(",") for g in given.games.split(",")]
    cells = [make_cell(get_game(game), given_options(4, {}), one) for game, one in tasks]
    kernels = [launch._kernel(cell) for cell in cells]
    with ThreadPoolExecutor(min(os.cpu_count() or 1, launch.MOST_COMPILING)) as pool:
        compile_seconds = list(pool.map(compiled, kernels, cells))
    print(f"compiled in {time.perf_counter() - started:.0f} s\n{HEAD}", flush=True)
    for (game, policy), seconds in zip(tasks, compile_seconds, strict=True):
        if time.perf_counter() - started > given.seconds:
            print(f"{game:9} {policy:12} no time left")
            continue
        try:
            print(measured(game, policy, seconds, given.matches), flush=True)
        except Exception:  # noqa: BLE001 (the others are measured all the same)
            print(f"{game:9} {policy:12} FAILED\n{traceback.format_exc(limit=-4)}", flush=True)
    print(f"{time.perf_counter() - started:.0f} s in all")


if __name__ == "__main__":
    main()
