"""`cardlab bench --against`: the speed of a kernel beside that of another program.

The program plays matches of the same game under uniform random play on one thread. It is given
`--matches N --seed S`, and as `--NAME VALUE` the options named on the command line (true and false
as 1 and 0); what it prints is ignored. Both are measured by the processor time they use and run in
turn, so that a machine that slows down slows both.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError

if TYPE_CHECKING:
    from simcore.batch import Cell

MOST_MATCHES = 10**9
"""A program that needs no processor time for so many does not play them."""

SHORTEST_SECONDS = 0.05
"""From here on the time of a run tells how many matches a longer one is to have."""


def compare_with(
    program: Path, cell: Cell, given: Mapping[str, object], matches: int, runs: int
) -> dict[str, Any]:
    """Return the speeds of a cell and of a program, and their ratio.

    Parameters
    ----------
    program : Path
    cell : Cell
    given : mapping
        The options that the program is told, by name.
    matches : int
        Matches of a run of the cell; the program plays as many as take about as long.
    runs : int

    Returns
    -------
    dict
        `matches_per_second` and `program_matches_per_second` (medians of the runs, by processor
        time), `ratio` (of these), `lowest_ratio` and `highest_ratio` (of a run and the program's
        next one), `runs`.

    Raises
    ------
    InputError
        If the program cannot be run, fails, or needs no time.
    """
    flags = [word for name, value in given.items() for word in (f"--{name}", _as_text(value))]

    def run_theirs(count: int) -> float:
        return _run(program, ["--matches", str(count), "--seed", "1", *flags])

    from studies.check.speed import play_through

    def run_ours() -> float:
        started = time.process_time()
        play_through(cell, matches)
        return time.process_time() - started

    their_matches = _matches_of(program, run_theirs, run_ours())
    pairs = [(matches / run_ours(), their_matches / run_theirs(their_matches)) for _ in range(runs)]
    ours = median(pair[0] for pair in pairs)
    theirs = median(pair[1] for pair in pairs)
    ratios = [mine / other for mine, other in pairs]
    return {
        "players": cell.options["players"],
        "matches": matches,
        "matches_per_second": ours,
        "program_matches_per_second": theirs,
        "ratio": ours / theirs,
        "lowest_ratio": min(ratios),
        "highest_ratio": max(ratios),
        "runs": runs,
    }


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, list):
        return ",".join(_as_text(item) for item in value)
    return str(value)


def _matches_of(program: Path, run: Callable[[int], float], seconds: float) -> int:
    """Return how many matches the program plays in about so many seconds."""
    count = 64
    while count <= MOST_MATCHES:
        needed = run(count)
        if needed >= min(SHORTEST_SECONDS, seconds):
            return max(1, int(count * seconds / needed))
        count *= 4
    raise InputError(
        f"--against {str(program)!r} is refused: it takes no time for {count // 4:,} matches; "
        "allowed: a program that plays as many as --matches says"
    )


def _run(program: Path, arguments: list[str]) -> float:
    """Run the program; return the processor time that it used, in seconds."""
    before = os.times()
    try:
        # A bare name would be looked up elsewhere than in the current folder.
        done = subprocess.run(  # noqa: S603
            [program.resolve(), *arguments],
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except OSError as error:
        raise InputError(
            f"--against {str(program)!r} cannot be run ({error.strerror}); allowed: a program that "
            "plays uniform random matches on one thread"
        ) from None
    if done.returncode != 0:
        words = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
        raise InputError(
            f"--against {str(program)!r} failed with status {done.returncode} when given "
            f"{' '.join(arguments)}" + (f": {words[-1]}" if words else "")
        )
    after = os.times()
    return (after.children_user - before.children_user) + (
        after.children_system - before.children_system
    )
