"""Run a study: play what is missing, write it, stop cleanly.

The contract: running is idempotent and tolerant to failures. A run that was killed is continued by
running it again; one that is complete does nothing; a larger number of matches extends it. Every
match is decided by its cell and number alone, so it does not matter which run, thread or block
played it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from simcore.errors import DataError, InputError
from simcore.jit import source_hash
from studies.design.cells import StudyCell, expand
from studies.design.study import CELLS, MATCHES, Study, own_directory
from studies.run.executors import Done, Executor, LostError, ThreadExecutor, play_rows, sums_again
from studies.run.plan import Plan
from studies.store.directory import (
    Notice,
    Scan,
    cell_folder,
    check_directory,
    clear_away,
    keep_compare,
    missing,
    prepare,
    record_stops,
    scan_cell,
)
from studies.store.documents import faults, read_study, unsealed
from studies.store.location import is_local
from studies.store.lock import locked
from studies.store.parts import CannotWriteError, Encoded, Part, read_part, write_part
from studies.store.provenance import describe_run, file_hash
from studies.store.stop_reasons import (
    AT_GOAL,
    INTERRUPTED,
    REACHED,
    Stop,
    as_record,
    read_stops,
)

_RESUME_CHECK_MATCHES = 16


class Watcher(Protocol):
    """Is told how a run goes."""

    def begin(self, rows: int, cells: int) -> None:
        """So many rows of so many cells are to be played."""
        ...

    def advance(self, rows: int, cells_done: int) -> None:
        """So many rows more are on the disk; so many cells are complete now."""
        ...

    def spare(self, rows: int) -> None:
        """So many rows need not be played, because cells have reached their goal."""
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
    stops : dict of str to Stop
        Why each cell is as long as it is, by cell id.
    """

    cells: int
    played: int = 0
    present: int = 0
    seconds: float = 0.0
    kernel_seconds: float = 0.0
    interrupted: bool = False
    stops: dict[str, Stop] = field(default_factory=dict)


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
    functions: Mapping[str, str] | None = None,
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
    functions : mapping of str to str
        Name and hash of the source of users' policies that stand in no such file.

    Raises
    ------
    InputError
        If the study, the directory or a policy is refused; rows written before stay.
    """
    cells = expand(study)
    if directory.exists():
        check_directory(directory, study, cells)
    with ExitStack() as held:
        try:
            held.enter_context(locked(directory))
        except CannotWriteError as refusal:
            return _complete(study, cells, directory, refusal)
        check_directory(directory, study, cells)
        scans = {cell.id: scan_cell(directory, cell, study.detail, whole=True) for cell in cells}
        clear_away(directory, scans.values(), notice)
        outcome = Outcome(len(cells), present=_rows_present(cells, scans, study.matches))
        keep_compare(directory, study)
        workers = executor.workers if executor else threads or available_cores()
        files = {str(path): file_hash(path) for path in strategy_files}
        files |= {f"function {name}": held for name, held in (functions or {}).items()}

        def describe() -> None:
            run = {**describe_run(workers, files), "matches": study.matches}
            prepare(directory, study, cells, run)

        if outcome.present == _rows_wanted(study, cells) and not study.goal:
            if unsealed(directory):
                describe()
            outcome.stops = {cell.id: Stop(REACHED, 0) for cell in cells}
            record_stops(directory, as_record(outcome.stops, None))
            return outcome
        verify_earlier_rows(cells, scans, study.detail)
        plan = Plan(study, cells, scans, directory, source_hash(), block)
        if plan.cells_left or unsealed(directory):
            describe()
        if plan.cells_left:
            play_plan(plan, executor or ThreadExecutor(workers), directory, outcome, watcher)
        outcome.stops = _stops(plan)
        record_stops(directory, as_record(outcome.stops, study.goal))
    return outcome


def _complete(
    study: Study, cells: Sequence[StudyCell], directory: Path, refusal: CannotWriteError
) -> Outcome:
    """Return what is there of a study that is whole in a place that cannot be written.

    A study with a goal is whole when its last run, with the same goal, came to its end.

    Raises
    ------
    InputError
        If it is not whole: that the place cannot be written, and for what it would have to be.
    """
    if not check_directory(directory, study, cells) or missing(directory):
        raise refusal
    scans = {cell.id: scan_cell(directory, cell, study.detail, whole=True) for cell in cells}
    for scan in scans.values():
        for part, why in scan.faults:
            raise InputError(f"{refusal}; part {part.path} is damaged: {why}")
    for _, why in faults(directory):
        raise InputError(f"{refusal}; {why}")
    stored = read_study(directory)
    if stored is not None and stored.document.get("compare") != study.document.get("compare"):
        raise InputError(f"{refusal}; its [compare] margin is another one (compare: --margin)")
    goal, stops = read_stops(directory)
    ended = {name for name, stop in stops.items() if stop.why in AT_GOAL and goal == study.goal}
    left = [
        cell for cell in cells if cell.id not in ended and scans[cell.id].missing(study.matches)
    ]
    if left:
        raise InputError(f"{refusal}; matches of {len(left):,} cells are still to be played")
    if study.goal is None:
        stops = {cell.id: Stop(REACHED, 0) for cell in cells}
    present = _rows_present(cells, scans, study.matches)
    return Outcome(len(cells), present=present, stops=stops)


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _rows_wanted(study: Study, cells: Sequence[StudyCell]) -> int:
    return sum(study.matches * cell.rotations for cell in cells)


def _rows_present(cells: Sequence[StudyCell], scans: dict[str, Scan], wanted: int) -> int:
    return sum(scans[cell.id].present(wanted) * cell.rotations for cell in cells)


def play_plan(
    plan: Plan,
    executor: Executor,
    directory: Path,
    outcome: Outcome,
    watcher: Watcher | None,
) -> None:
    """Play what a plan says and write it into a directory; `outcome` is told of it.

    Raises
    ------
    InputError
        If what played it is lost; what had been finished is kept.
    """
    plan.compile()
    if watcher:
        watcher.begin(plan.rows_left, plan.cells_left)
    started = time.perf_counter()

    def keep(encoded: Encoded) -> None:
        write_part(cell_folder(directory, encoded.cell.id, plan.detail), encoded)

    def book(done: Done) -> None:
        dropped = plan.dropped
        rows = plan.book(done)
        outcome.played += rows
        outcome.kernel_seconds += done.seconds
        outcome.seconds = time.perf_counter() - started
        if watcher:
            watcher.advance(rows, plan.cells_done)
            if plan.dropped > dropped:
                watcher.spare(plan.dropped - dropped)

    try:
        for done in executor.run(plan.take, keep):
            book(done)
    except KeyboardInterrupt:
        outcome.interrupted = True
    except LostError as error:
        raise InputError(
            f"{error}; the {outcome.played:,} matches that this run had finished are kept. "
            "To go on, give the same command again, with another --scheduler or without"
        ) from None
    finally:
        for done in executor.finish():
            book(done)


def _stops(plan: Plan) -> dict[str, Stop]:
    if plan.keeper:
        return plan.keeper.stops()
    return {cell.id: Stop(INTERRUPTED if plan.is_left(cell) else REACHED, 0) for cell in plan.cells}


def verify_earlier_rows(cells: Sequence[StudyCell], scans: Mapping[str, Scan], detail: str) -> None:
    """Replay the first matches of each cell's last part; rules or policies may have changed.

    Where sums are kept the smallest block of each cell at a line-up and sweep point is replayed.

    Raises
    ------
    DataError
        If they do not come out again.
    """
    if detail != MATCHES:
        _verify_earlier_sums(cells, scans)
        return
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
                raise _changed(part, cell, "rows")


def _verify_earlier_sums(cells: Sequence[StudyCell], scans: Mapping[str, Scan]) -> None:
    from studies.store.summary_parts import read_sums

    bases = {cell.group: cell for cell in reversed(cells)}  # baselines come first
    for cell in cells:
        parts = scans[cell.id].parts
        if parts:
            part = min(parts, key=lambda one: one.count)
            if sums_again(cell, bases[cell.group], part).values != read_sums(part).values:
                raise _changed(part, cell, "sums")


def _changed(part: Part, cell: StudyCell, what: str) -> DataError:
    return DataError(
        f"{part.path} does not come out again: cell {cell.label} plays match "
        f"{part.first} and those after it differently now. This happens when the "
        "rules or a policy (a file given with --strategies, for one) have changed "
        f"since these {what} were written. Old and new {what} cannot be put together; "
        "nothing was written. Give another directory with --out"
    )


def default_directory(study: Study, where: str) -> Path:
    """Return where a study goes when nothing is said.

    The `study.toml` of a study directory goes there, any other study to results/<its name>.
    """
    return own_directory(Path(where)) or Path("results") / (study.name or "study")


def check_writable(directory: Path) -> None:
    """Refuse a directory that cannot be written, before anything is compiled.

    One that holds a study may be complete: `run_study` finds out.

    Raises
    ------
    InputError
        Naming the directory.
    """
    if not is_local(directory) or (directory / CELLS).exists():
        return
    parent = directory
    while not parent.exists() and parent != parent.parent:
        parent = parent.parent
    if not os.access(parent, os.W_OK):
        raise InputError(f"{directory} cannot be written: permission denied in {parent}")
