"""Run a study: play what is missing, write it, stop cleanly.

The contract: running is idempotent and tolerant to failures. A run that was killed is continued by
running it again; one that is complete does nothing; a larger number of matches extends it. Every
match is decided by its cell and number alone, so it does not matter which run, thread or block
played it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

from simcore.errors import DataError, InputError
from simcore.jit import FIRST_USE
from studies.cellfile import CELLS
from studies.cells import StudyCell, expand
from studies.executors import Done, Executor, ThreadExecutor, play_rows
from studies.parts import read_part
from studies.plan import Plan
from studies.provenance import describe_run
from studies.store import (
    STUDY,
    Notice,
    Scan,
    check_directory,
    clear_away,
    locked,
    prepare,
    scan_cell,
)
from studies.study import Study

_RESUME_CHECK_MATCHES = 16


class Watcher(Protocol):
    """Is told how a run goes."""

    def begin(self, rows: int, cells: int) -> None:
        """So many rows of so many cells are to be played."""
        ...

    def advance(self, rows: int, cells_done: int) -> None:
        """So many rows more are on the disk; so many cells are complete now."""
        ...


@dataclass
class Outcome:
    """What a run did.

    Attributes
    ----------
    played, present : int
        Rows that this run played; rows wanted that were there before.
    seconds : float
        Wall time of playing and writing.
    kernel_seconds : float
        Simulation alone, summed over threads.
    interrupted : bool
        Whether Ctrl-C ended it early.
    """

    cells: int
    played: int = 0
    present: int = 0
    seconds: float = 0.0
    kernel_seconds: float = 0.0
    interrupted: bool = False


def run_study(
    study: Study,
    directory: Path,
    *,
    threads: int | None = None,
    block: int | None = None,
    notice: Notice = lambda _: None,
    watcher: Watcher | None = None,
    executor: Executor | None = None,
    strategy_files: Sequence[Path] = (),
) -> Outcome:
    """Play the missing matches of a study into a directory.

    Parameters
    ----------
    threads : int
        Default: the number of cores this process may use.
    block : int
        Match numbers a part; default: as many as take about a second.
    notice : callable
        Is given sentences for the person who waits.
    executor : Executor
        Default: threads of this process.
    strategy_files : sequence of Path
        Users' policies, loaded already; recorded with their hashes.

    Raises
    ------
    InputError
        If the study, the directory or a policy is refused; rows written before stay.
    """
    cells = expand(study)
    if directory.exists():
        check_directory(directory, study, cells)
    with locked(directory):
        check_directory(directory, study, cells)
        scans = {cell.id: scan_cell(directory, cell) for cell in cells}
        clear_away(directory, scans.values(), notice)
        outcome = Outcome(len(cells), present=_rows_present(cells, scans, study.matches))
        missing = {cell.id: scans[cell.id].missing(study.matches) for cell in cells}
        if not any(missing.values()):
            return outcome
        if FIRST_USE:
            notice("first use of these sources: compiling the kernels takes up to a minute …")
        workers = threads or available_cores()
        files = {str(path): blake2b(path.read_bytes()).hexdigest() for path in strategy_files}
        run = describe_run(workers, files)
        _verify_earlier_rows(cells, scans)
        prepare(directory, study, cells, {**run, "matches": study.matches})
        plan = Plan(cells, missing, directory, str(run["source"]), block)
        _play(plan, executor or ThreadExecutor(workers), outcome, watcher)
    return outcome


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _rows_present(cells: Sequence[StudyCell], scans: dict[str, Scan], wanted: int) -> int:
    return sum(scans[cell.id].present(wanted) * cell.rotations for cell in cells)


def _play(plan: Plan, executor: Executor, outcome: Outcome, watcher: Watcher | None) -> None:
    plan.compile()
    if watcher:
        watcher.begin(plan.rows_left, plan.cells_left)
    started = time.perf_counter()

    def book(done: Done) -> None:
        rows = plan.book(done)
        outcome.played += rows
        outcome.kernel_seconds += done.seconds
        outcome.seconds = time.perf_counter() - started
        if watcher:
            watcher.advance(rows, plan.cells_done)

    try:
        for done in executor.run(plan.tasks()):
            book(done)
    except KeyboardInterrupt:
        outcome.interrupted = True
    finally:
        for done in executor.finish():
            book(done)


def _verify_earlier_rows(cells: Sequence[StudyCell], scans: dict[str, Scan]) -> None:
    """Replay the first matches of each cell's last part; rules or policies may have changed."""
    for cell in cells:
        parts = scans[cell.id].parts
        if parts:
            part = parts[-1]
            sample = replace(part, count=min(part.count, _RESUME_CHECK_MATCHES))
            columns, _ = play_rows(cell, sample.first, sample.count)
            rows = sample.count * cell.rotations
            stored = read_part(part).slice(0, rows).to_pydict()
            played = {name: column.tolist() for name, column in columns.items()}
            if stored != played:
                raise DataError(
                    f"{part.path} does not come out again: cell {cell.label} plays match "
                    f"{part.first} and those after it differently now. This happens when the "
                    "rules or a policy (a file given with --strategies, for one) have changed "
                    "since these rows were written. Old and new rows cannot be put together; "
                    "nothing was written. Give another directory with --out"
                )


def default_directory(study: Study, where: str) -> Path:
    """Return where a study goes when nothing is said.

    The `study.toml` of a study directory goes there, any other study to results/<its name>.
    """
    beside = Path(where).parent
    if Path(where).name == STUDY and (beside / CELLS).is_file():
        return beside
    return Path("results") / (study.name or "study")


def check_writable(directory: Path) -> None:
    """Refuse a directory that cannot be written, before anything is compiled.

    Raises
    ------
    InputError
        Naming the directory.
    """
    parent = directory
    while not parent.exists() and parent != parent.parent:
        parent = parent.parent
    if not os.access(parent, os.W_OK):
        raise InputError(f"{directory} cannot be written: permission denied in {parent}")
