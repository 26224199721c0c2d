"""Play cases on the CPU and on a GPU, or on a simulated one; print what differs.

`python -m tests.gpu.rows CASE…`: a case is GAME:KIND, with the kinds below; what is printed is a
line of JSON a case, [case, "same" or what differs].
"""

from __future__ import annotations

import json
import math
import os
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

SIMULATED = "NUMBA_ENABLE_CUDASIM"
MATCHES = 2
FUEL = 20_000
"""Turns of loops after which a simulated GPU gives a match up; it takes its time."""

POLICIES = {
    "updown": "all_rounder,dodger",
    "dnup": "turner,random",
    "uno": "watcher,all_rounder",
    "up": "all_rounder,shedder",
    "upordown": "all_rounder,collector",
}
"""With floats, and with memory where policies remember something; two beside each other."""

OWN_POLICIES = """
from simcore.language import *
from strategies import Param, policy


class State:
    tried = memory(number)


@policy("GAME", idea="lays what is worth most, and less as time goes by",
        params=[Param("worth", 0.5, 0, 2, "of a card")])
def patient(s, seat, moves, worth):
    s.tried[seat] = s.tried[seat] + 1
    best = 0.0 - 1000.0
    found = lowest(moves)
    for card in moves:
        value = worth * (card % 13) - s.tried[seat] * 0.25 * (card % 7)
        if value > best:
            best = value
            found = card
    return found


@policy("GAME", idea="now and then makes a move that is none")
def cheat(s, seat, moves):
    if below(s, SEAT(seat), 9) == 0:
        return 77
    return lowest(moves)


@policy("GAME", idea="now and then counts beyond 64 bits")
def overflowing(s, seat, moves):
    number = 4000000000 + below(s, SEAT(seat), 9)
    if number == 4000000003 and number * number * number > 0:
        return lowest(moves)
    return highest(moves)


@policy("GAME", idea="now and then thinks for ever")
def endless(s, seat, moves):
    number = below(s, SEAT(seat), 9)
    while number == 0:
        number = 0
    return lowest(moves)
"""


def on_a_gpu() -> None:
    """Start again with the simulator where there is no GPU."""
    from numba import cuda

    if SIMULATED not in os.environ and not cuda.is_available():
        environment = {**os.environ, SIMULATED: "1"}
        os.execve(sys.executable, sys.orig_argv, environment)  # noqa: S606


def play_without_polling() -> None:
    """Let the threads of a simulated GPU run in turn.

    The simulator asks them again and again whether they have ended, which takes as long as playing;
    no kernel here waits for other threads.
    """
    from numba.cuda.simulator.kernel import BlockThread

    class Joined(BlockThread):
        def start(self) -> None:
            super().start()
            self.join()

    sys.modules[BlockThread.__module__].BlockThread = Joined  # type: ignore[attr-defined]


def cell_of(name: str, kind: str, folder: str) -> Any:
    """Return the cell of a case; a file of policies is written to the folder."""
    from studies.operations.arguments import game_of, make_cell
    from tests.variants import random_options

    game = game_of(name, None)
    if kind == "random":  # the usual options
        return make_cell(game, {}, "random", seed=2**63 - 1)
    if kind == "policies":
        return make_cell(game, {"players": 3}, POLICIES[name], seed=3)
    if kind.isdigit():
        options = random_options(game, random.Random(f"{name} {kind}"))  # noqa: S311
        return make_cell(game, options, "random", seed=int(kind))
    if name.endswith(".py"):
        return make_cell(game, {}, kind, seed=5)
    file = Path(folder, "own.py")
    file.write_text(OWN_POLICIES.replace("GAME", game.name), encoding="utf-8")
    return make_cell(game, {"players": 3}, kind, seed=5, strategies=file)


def played(cell: Any, rotation: int, matches: int, device: str) -> Any:
    """Return the columns of some matches, or the error; in `plain` they are ordinary Python's."""
    from simcore import batch

    try:
        if device == "plain":  # nothing is compiled for two matches
            columns = batch._in_plain(cell, rotation, 7, matches, most_events=math.inf)
            block = batch._block(cell, 7, rotation, columns, 0.0)
        else:
            block = batch.play(cell, 7, matches, rotation=rotation, device=device)
    except (ArithmeticError, RuntimeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return {name: column.tolist() for name, column in block.columns().items()}


def outcome(name: str, kind: str) -> str:
    """Return what differs in a case."""
    differ = []
    with tempfile.TemporaryDirectory() as folder:
        cell = cell_of(name, kind, folder)
        for rotation in range(2 if kind == "policies" else 1):
            # The clock stops compiled policies alone.
            usual = "cpu" if kind == "endless" else "plain"
            matches = 1 if kind == "random" else MATCHES  # of usual options, which are long
            cpu, cuda = (played(cell, rotation, matches, device) for device in (usual, "cuda"))
            if kind in ("cheat", "overflowing", "endless") and not isinstance(cpu, str):
                differ.append(f"{kind} gets away with it")
            if isinstance(cpu, str) or isinstance(cuda, str):
                differ += [] if cpu == cuda else [f"{cpu!r}, not {cuda!r}"]
            else:
                differ += [f"{key} of {cell.options}" for key in cpu if cpu[key] != cuda[key]]
    return "; ".join(differ) or "same"


STUDY = {
    "game": "updown",
    "seed": 8,
    "matches": 3,
    "rows": False,
    "options": {"players": 3, "rounds": 1, "hand_cards": 4},
    "variants": {"aside": {"tie_round": True}},
    "lineups": [
        {"name": "mixed", "seats": ["saver", "random", "random"], "rotate": True},
        {"name": "alike", "seats": ["random"]},
    ],
}
"""Variants beside their baseline, in rotations and not, whose winners are tied at times."""


def sums_differ() -> str:
    """Return which sums of a study's cells, as they are added up on a GPU, are not the CPU's."""
    from simcore.gpu.device import CUDA
    from studies.answers.totals import totals_of
    from studies.design.cells import expand
    from studies.measures import measures_of
    from studies.operations.simulate import summary_measures
    from studies.operations.study import checked_study
    from studies.run.executors import Task, compute_totals, play_rows, totals_there

    differ = []
    cells = expand(checked_study(STUDY)[0])
    for group in dict.fromkeys(cell.group for cell in cells):
        members = tuple(cell for cell in cells if cell.group == group)
        task = Task(members, members[0], 1020, 3, "", rows=False)
        here, _ = compute_totals(task)
        gpu_totals = totals_there(task, task.first, task.count)
        assert gpu_totals is not None, "the GPU has left the sums to the CPU"
        differ += [
            f"sums of {cell.label}"
            for cell in members
            for totals in (gpu_totals[0], compute_totals(task, device=CUDA)[0])
            if not totals[cell.id].to_frame().equals(here[cell.id].to_frame())
        ]
        own = summary_measures(members[0])
        summary = totals_there(Task(members[:1], members[0], 5, 3, "", False, own), 5, 3)
        assert summary is not None, "the GPU has left a summary to the CPU"
        rows, _ = play_rows(members[0], 5, 3)
        expected = totals_of(members[0], rows, measures_of(members[0], own))
        if not summary[0][members[0].id].to_frame().equals(expected.to_frame()):
            differ.append(f"summary of {members[0].label}")
    return "; ".join(differ) or "same"


def main(say: Callable[[str], None] = print) -> None:
    """Play the cases."""
    from simcore import batch
    from simcore.gpu import cuda_types

    batch.TRIED = 0  # or a policy's fault would be found before a GPU is used
    if os.environ.get(SIMULATED):
        cuda_types.FUEL = FUEL  # kernels take it from there
        play_without_polling()
    for case in sys.argv[1:]:
        name, _, kind = case.rpartition(":")
        say(json.dumps([case, sums_differ() if kind == "sums" else outcome(name, kind)]))


if __name__ == "__main__":
    on_a_gpu()
    main()
