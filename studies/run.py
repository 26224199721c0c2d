"""Run a study: play what is missing, write it, stop cleanly.

The contract: running is idempotent and tolerant to failures. A run that was killed is continued by
running it again; one that is complete does nothing; a larger number of matches extends it. Every
match is decided by its cell and number alone, so it does not matter which run, thread or block
played it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import Protocol

from simcore.errors import DataError, InputError
from simcore.game import get_game
from studies.cells import StudyCell, expand
from studies.executors import Done, Executor, Task, ThreadExecutor, play_rows
from studies.parts import read_part
from studies.provenance import describe_run
from studies.store import (
    Notice,
    Scan,
    check_directory,
    clear_away,
    locked,
    prepare,
    scan_cell,
)
from studies.study import Study

BLOCK_SECONDS = 0.8
BLOCK_ROWS = 200_000
_TRIAL_SECONDS = 0.01
_TRIAL_MATCHES = 64
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
        workers = threads or available_cores()
        files = {str(path): blake2b(path.read_bytes()).hexdigest() for path in strategy_files}
        run = describe_run(get_game(study.game), workers, files)
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


@dataclass
class Plan:
    """What is left to play, and in blocks of what size.

    Blocks end at multiples of a round number (1, 2 or 5 times a power of ten) chosen for the
    cell's speed. The cell with the lowest next match number comes first, so that a run that is
    stopped leaves all cells equally long.
    """

    cells: Sequence[StudyCell]
    missing: dict[str, list[tuple[int, int]]]
    directory: Path
    source: str
    block: int | None = None
    _pace: dict[object, float] = field(default_factory=dict)
    _left: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for cell in self.cells:
            ranges = self.missing[cell.id]
            if ranges:
                self._left[cell.id] = sum(stop - start for start, stop in ranges)
        self._wanted = len(self._left)

    @property
    def rows_left(self) -> int:
        """Rows still to be played."""
        return sum(self._left.get(cell.id, 0) * cell.rotations for cell in self.cells)

    @property
    def cells_left(self) -> int:
        """Cells that are not complete."""
        return len(self._left)

    @property
    def cells_done(self) -> int:
        """Cells that this run has completed."""
        return self._wanted - len(self._left)

    def tasks(self) -> Iterator[Task]:
        """Yield the blocks to play; sizes follow the speed measured so far."""
        queue = [
            (ranges[0][0], order)
            for order, cell in enumerate(self.cells)
            if (ranges := list(self.missing[cell.id]))
        ]
        pending = {order: list(self.missing[self.cells[order].id]) for _, order in queue}
        heapify(queue)
        while queue:
            first, order = heappop(queue)
            cell, ranges = self.cells[order], pending[order]
            stop = ranges[0][1]
            size = self.block or self._block_size(cell)
            end = min(stop, (first // size + 1) * size)
            if end < stop:
                ranges[0] = (end, stop)
            else:
                ranges.pop(0)
            if ranges:
                heappush(queue, (ranges[0][0], order))
            yield Task(self.directory, cell, first, end - first, self.source)

    def book(self, done: Done) -> int:
        """Take note of a block that was played; return its rows."""
        cell, count = done.task.cell, done.task.count
        self._left[cell.id] -= count
        if not self._left[cell.id]:
            del self._left[cell.id]
        if done.seconds > _TRIAL_SECONDS:
            self._pace[cell.id] = done.seconds / count
            self._pace.setdefault(cell.group, done.seconds / count)
        return count * cell.rotations

    def _block_size(self, cell: StudyCell) -> int:
        seconds = self._pace.get(cell.id) or self._pace.get(cell.group)
        if seconds is None:
            seconds = self._pace[cell.group] = trial_seconds(cell)
        fitting = min(BLOCK_SECONDS / max(seconds, 1e-12), BLOCK_ROWS / cell.rotations)
        return round_down(fitting)


def trial_seconds(cell: StudyCell) -> float:
    """Return the seconds that a match number of a cell takes, all rotations, from a short trial.

    The first call for a game or a policy also compiles it; that time is not counted.
    """
    count = 1
    _, seconds = play_rows(cell, 0, count)
    while seconds < _TRIAL_SECONDS and count < _TRIAL_MATCHES * 64:
        count *= 8 if seconds < _TRIAL_SECONDS / 16 else 2
        _, seconds = play_rows(cell, 0, count)
    return seconds / count


def round_down(number: float) -> int:
    """Return the largest of 1, 2, 5, 10, 20, 50, … that is not above a number (at least 1)."""
    size = 1
    while size * 10 <= number:
        size *= 10
    return next((step * size for step in (5, 2) if step * size <= number), size)


def default_directory(study: Study) -> Path:
    """Return where a study goes when nothing is said: results/<name of the study>."""
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
