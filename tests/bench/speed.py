"""How fast each game is played, relative to a calibration loop on the same machine.

Times say little on a machine that others use, or on another machine. What is stored
(`ratios.json`) is a ratio: steps of a calibration loop (a chain of multiplications, look-ups and
unpredictable branches, like a kernel's) that take as long as one decision of a game. Both are
measured in processor time of the thread, in turns, and of several runs the fastest counts: what
disturbs a run can only make it slower.

`python -m tests.bench.speed` measures; with `--write` it stores the ratios.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from simcore import rng
from simcore.batch import Cell, play, warm_up
from simcore.game import game_names, get_game
from simcore.jit import kernel
from strategies import parse_lineup, seat_lineup

STORED = Path(__file__).parent / "ratios.json"
LEAST = 0.5
"""Of the stored speed; below this a test fails."""

HEURISTICS = {
    "up": "greedy",
    "updown": "eager",
    "uno": "dumper",
    "dnup": "greedy",
    "upordown": "appender",
}
RUNS = 4
RUN_SECONDS = 0.04


@kernel
def calibrate(table, steps):
    """Walk through a table at random, with branches that nobody can predict; return where to."""
    state = np.array([1, 2], dtype=np.uint64)
    place = np.int64(0)
    for _ in range(steps):
        word = rng.next_word(state)
        place = table[(place ^ np.int64(word >> np.uint64(52))) & 4095]
        if word & np.uint64(1):
            place += rng.below(state, 1000)
        else:
            place = place * 3 + 1
    return place


def calibration() -> Callable[[int], object]:
    table = np.random.default_rng(1).permutation(4096)
    calibrate(table, 1)
    return lambda steps: calibrate(table, steps)


def cell_of(name: str, policy: str) -> Cell:
    game = get_game(name)
    resolved = game.resolve({})
    return Cell(game, resolved, seat_lineup(parse_lineup(game, policy), resolved["players"]), 1)


def processor_seconds(run: Callable[[int], object], size: int) -> float:
    started = time.thread_time()
    run(size)
    return time.thread_time() - started


def size_for(run: Callable[[int], object], seconds: float) -> int:
    """Return how many steps last about so long."""
    size = 1
    while (taken := processor_seconds(run, size)) < seconds / 4:
        size *= 2
    return max(1, round(size * seconds / taken))


def steps_a_decision(cell: Cell, loop: Callable[[int], object], runs: int = RUNS) -> float:
    """Return how many steps of the loop last as long as one decision; fastest of several runs."""
    warm_up(cell)
    matches = size_for(lambda count: play(cell, 0, count), RUN_SECONDS)
    columns = play(cell, 0, matches).columns()
    decisions = int(columns["decisions"].sum() + columns["forced"].sum())
    steps = size_for(loop, RUN_SECONDS)
    times = [
        (
            processor_seconds(lambda count: play(cell, 0, count), matches),
            processor_seconds(loop, steps),
        )
        for _ in range(runs)
    ]
    a_decision = min(taken for taken, _ in times) / decisions
    a_step = min(taken for _, taken in times) / steps
    return a_decision / a_step


def cases() -> list[tuple[str, str]]:
    """Return games and policies: random play and a simple heuristic of each."""
    return [(name, policy) for name in game_names() for policy in ("random", HEURISTICS[name])]


def stored() -> dict[str, float]:
    """Return the stored ratios."""
    return json.loads(STORED.read_text(encoding="utf-8"))["steps_a_decision"]


def main() -> None:
    """Measure all games, and store the ratios if asked to."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    loop = calibration()
    found = {}
    for name, policy in cases():
        found[f"{name} {policy}"] = round(steps_a_decision(cell_of(name, policy), loop, 15), 3)
        print(f"{name:9} {policy:9} {found[f'{name} {policy}']:8.2f} steps a decision", flush=True)
    if write:
        text = {
            "meaning": "steps of tests.bench.speed.calibrate that last as long as one decision",
            "steps_a_decision": found,
        }
        STORED.write_text(json.dumps(text, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
