"""Run a study: play the missing matches, write them, stop cleanly.

The contract: running is idempotent and tolerant to failures. A run that was killed is continued by
running it again; one that is complete does nothing; a larger number of matches extends it. Every
match is decided by its cell and number alone, so it does not matter which run, thread or block
played it.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from simcore.compiling import seconds_compiled
from simcore.errors import DataError, InputError
from simcore.gpu.device import CPU
from simcore.jit import source_hash
from simcore.userfiles.loading import loaded_file
from strategies import Policies
from studies.design.cells import StudyCell, expand
from studies.design.study import CELLS, Study, directory_of
from studies.measures import BASELINE
from studies.run.executors import (
    Done,
    Executor,
    LostError,
    Task,
    ThreadExecutor,
    compute,
    compute_totals,
    play_rows,
)
from studies.run.plan import Plan
from studies.run.progress import SILENT, Watcher
from studies.store import totals as stored_totals
from studies.store.files import CannotWriteError
from studies.store.opened import open_study
from studies.store.parts import Part, as_array, missing, present, read_part
from studies.store.provenance import GOAL, REACHED, StopReason, as_record, describe_run
from studies.store.totals import group_totals, read_totals, totals_name
from studies.store.writing import Notice, Writer, asks_otherwise, check_directory, writing

_RESUME_CHECK_MATCHES = 16


@dataclass
class Outcome:
    """What a run did.

    Attributes
    ----------
    played, present : int
        Rows that this run played; wanted rows that were stored before.
    seconds : float
        Wall time of playing and writing.
    compile_seconds, trial_seconds : float
        Wall time of compiling, and of trying users' code as ordinary Python, before it.
    kernel_seconds : float
        Simulation alone, summed over threads.
    interrupted : bool
        Whether Ctrl-C ended it early.
    stops : dict of str to Stop
        Why each cell stopped, by cell id.
    """

    cells: int
    played: int = 0
    present: int = 0
    seconds: float = 0.0
    compile_seconds: float = 0.0
    trial_seconds: float = 0.0
    kernel_seconds: float = 0.0
    interrupted: bool = False
    stops: dict[str, StopReason] = field(default_factory=dict)


def run_study(
    study: Study,
    directory: Path,
    *,
    threads: int = 1,
    block: int | None = None,
    notice: Notice = lambda _: None,
    watcher: Watcher = SILENT,
    executor: Executor | None = None,
    device: str = CPU,
    policies: Policies | None = None,
    functions: Mapping[str, str] | None = None,
    cells: Sequence[StudyCell] | None = None,
) -> Outcome:
    """Play the missing matches of a study into a directory.

    Parameters
    ----------
    block : int
        Deals per part; default: as many as take about a second.
    notice : callable
        Called with remarks for the user.
    executor : Executor
        Default: threads of this process.
    device : str
        What these threads play on, "cpu" or "cuda"; the rows are the same.
    policies : Policies, optional
        Default: those of the session. Their files are recorded with their hashes.
    functions : mapping of str to str
        Name and source hash of users' policies that are not in a file.
    cells : sequence of StudyCell, optional
        Those of the study, if they are expanded already.
    """
    cells = expand(study, policies) if cells is None else cells
    files = {str(path): loaded_file(path).digest for path in (policies.files if policies else ())}
    files |= {f"function {name}": held for name, held in (functions or {}).items()}
    try:
        with writing(directory, study, cells, notice) as writer:
            return _run(writer, threads, block, watcher, executor, device, files)
    except CannotWriteError as refusal:
        if not check_directory(directory, study, cells):
            raise
        return _complete(study, cells, directory, refusal)


def _run(
    writer: Writer,
    threads: int,
    block: int | None,
    watcher: Watcher,
    executor: Executor | None,
    device: str,
    files: dict[str, str],
) -> Outcome:
    study, cells = writer.study, writer.cells
    outcome = Outcome(len(cells), present=_rows_present(cells, writer.parts, study.matches))
    writer.keep_questions()
    workers = executor.workers if executor else threads
    complete = outcome.present == study.matches * sum(cell.rotations for cell in cells)
    plan = None
    if study.goal or not complete:
        verify_earlier_rows(study, cells, writer.parts)
        plan = Plan(study, cells, writer.parts, writer.directory, source_hash(), block)
    left = plan is not None and plan.cells_left > 0
    if left or not writer.is_described:
        writer.describe({**describe_run(workers, files), "matches": study.matches})
    if plan is not None and left:
        before = seconds_compiled()
        plan.compile(device)
        outcome.compile_seconds = seconds_compiled() - before
        if executor is None:
            started = time.perf_counter()
            plan.try_out(device)
            outcome.trial_seconds = time.perf_counter() - started
        on_threads = ThreadExecutor(workers, partial(compute, device=device))
        _play(plan, executor or on_threads, writer, outcome, watcher)
    if not outcome.interrupted:
        _store_totals(writer, workers)
    outcome.stops = plan.stops if plan else {cell.id: StopReason(REACHED) for cell in cells}
    writer.record_stops(as_record(outcome.stops, study.goal))
    return outcome


def _complete(
    study: Study, cells: Sequence[StudyCell], directory: Path, refusal: CannotWriteError
) -> Outcome:
    """Return the outcome for a complete study in a read-only place.

    A study with a goal is complete if its last run, with the same goal, finished.
    """
    try:
        stored = open_study(directory)
        stored.verify()
    except DataError as error:
        raise InputError(f"{refusal}; {error}") from None
    if asks_otherwise(stored.study, study):
        raise InputError(f"{refusal}; its [compare] margin or [measures] are others")
    ended = {name for name, stop in stored.stops.items() if stop.why == GOAL}
    if study.goal is None or stored.goal != study.goal:
        ended = set()
    left = [
        cell
        for cell in cells
        if cell.id not in ended and missing(stored.parts.get(cell.id, ()), study.matches)
    ]
    if left:
        raise InputError(f"{refusal}; matches of {len(left):,} cells are still to be played")
    return Outcome(
        len(cells),
        present=_rows_present(cells, stored.parts, study.matches),
        stops=stored.stops if study.goal else {cell.id: StopReason(REACHED) for cell in cells},
    )


def _rows_present(
    cells: Sequence[StudyCell], parts: Mapping[str, Sequence[Part]], wanted: int
) -> int:
    return sum(present(parts.get(cell.id, ()), wanted) * cell.rotations for cell in cells)


def _play(
    plan: Plan,
    executor: Executor,
    writer: Writer,
    outcome: Outcome,
    watcher: Watcher,
) -> None:
    """Play a plan and write its blocks; `outcome` is updated."""
    watcher.begin(plan.rows_left, plan.cells_left)
    started = time.perf_counter()

    def record(block: Done) -> None:
        dropped = plan.dropped
        rows = plan.record(block)
        writer.save_now_and_then()
        outcome.played += rows
        outcome.kernel_seconds += block.seconds
        outcome.seconds = time.perf_counter() - started
        watcher.advance(rows, plan.cells_done)
        if plan.dropped > dropped:
            watcher.spare(plan.dropped - dropped)

    try:
        for block in executor.run(plan.take, writer.keep):
            record(block)
    except KeyboardInterrupt:
        outcome.interrupted = True
    except LostError as error:
        raise InputError(
            f"{error}; the {outcome.played:,} matches that this run had finished are kept. "
            "To go on, give the same command again, with another --scheduler or without"
        ) from None
    finally:
        for block in executor.finish():
            record(block)


def _store_totals(writer: Writer, workers: int) -> None:
    """Store the missing Totals of large cells beside their rows."""
    study = writer.study
    measures, from_file = study.study_measures, isinstance(study.measures, str)
    groups: dict[tuple[str, str], list[StudyCell]] = {}
    for cell in writer.cells:
        groups.setdefault(cell.group, []).append(cell)
    names: dict[str, str] = {}
    lacking: list[list[StudyCell]] = []
    bases = {cell.group: cell for cell in writer.cells if cell.variant == BASELINE}
    for group, members in groups.items():
        base = bases[group]
        for cell in members:
            names[cell.id] = totals_name(cell, base, writer.parts, measures)
        fresh = [
            cell
            for cell in members
            if names[cell.id] not in writer.manifest.files
            and (study.rows or len(writer.parts[cell.id]) > 1)
            # Reading results must not run a file of measures.
            and (from_file or _rows(cell, writer.parts) >= stored_totals.LEAST_ROWS)
        ]
        # The cells of a single group are shared among the workers.
        size = len(fresh) if len(groups) >= workers else -(-len(fresh) // workers)
        lacking += [fresh[at : at + size] for at in range(0, len(fresh), size or 1)]
    waiting: deque[Future[None]] = deque()

    def store(members: Sequence[StudyCell]) -> None:
        base = bases[members[0].group]
        for name, totals in group_totals(base, members, writer.parts, measures).items():
            cell = next(member for member in members if member.id == name)
            writer.keep_totals(names[name], totals, cell)

    pool = ThreadPoolExecutor(workers)
    try:
        waiting.extend(pool.submit(store, members) for members in lacking)
        while waiting:
            waiting.popleft().result()
            writer.save_now_and_then()
    finally:
        pool.shutdown(cancel_futures=True)
    writer.close()
    writer.drop_totals(set(names.values()))


def _rows(cell: StudyCell, parts: Mapping[str, Sequence[Part]]) -> int:
    return cell.rotations * sum(part.count for part in parts[cell.id])


def verify_earlier_rows(
    study: Study, cells: Sequence[StudyCell], parts: Mapping[str, Sequence[Part]]
) -> None:
    """Raise DataError if replaying stored matches gives other results.

    Rules or policies may have changed. The first matches of each cell's last part are replayed,
    or, if sums are stored, its smallest block.
    """
    bases = {cell.group: cell for cell in cells if cell.variant == BASELINE}
    for cell in cells:
        if not parts[cell.id]:
            continue
        if study.rows:
            part = parts[cell.id][-1]
            sample = replace(part, count=min(part.count, _RESUME_CHECK_MATCHES))
            columns, _ = play_rows(cell, sample.first, sample.count)
            table = read_part(part, rotations=cell.rotations)
            rows = sample.count * cell.rotations
            same = table.column_names == list(columns) and all(
                (as_array(table[name])[:rows] == column).all() for name, column in columns.items()
            )
        else:
            part = min(parts[cell.id], key=lambda stored: stored.count)
            task = Task(
                (cell,),
                bases[cell.group],
                part.first,
                part.count,
                "",
                study.rows,
                study.study_measures,
            )
            again = compute_totals(task)[0][cell.id]
            same = again.to_frame().equals(read_totals(part).to_frame())
        if not same:
            kept = "rows" if study.rows else "sums"
            raise DataError(
                f"{part.path} does not come out again: cell {cell.label} plays match "
                f"{part.first} and those after it differently now. This happens when the "
                "rules or a policy (a file given with --strategies, for one) have changed "
                f"since these {kept} were written. Old and new {kept} cannot be put together; "
                "nothing was written. Give another directory with --out"
            )


def default_directory(study: Study, where: str) -> Path:
    """Return the default directory of a study.

    The `study.toml` of a study directory goes there, any other study to results/<its name>.
    """
    return directory_of(Path(where)) or Path("results") / (study.name or "study")


def check_writable(directory: Path) -> None:
    """Refuse a directory that cannot be written, before anything is compiled.

    A directory with a study may be complete, which `run_study` checks.
    """
    if (directory / CELLS).exists():
        return
    parent = directory
    while not parent.exists() and parent != parent.parent:
        parent = parent.parent
    if not os.access(parent, os.W_OK):
        raise InputError(f"{directory} cannot be written: permission denied in {parent}")
