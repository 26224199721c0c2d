"""The points of a sensitivity design in a study directory: played once, kept, read again.

They lie under `sensitivity/`, in parts as those of a study's cells (`studies.store`), each point in
the folder of its content's hash. What was killed goes on; another outcome, more samples or more
deals play what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from simcore.game import get_game
from simcore.jit import source_hash
from simcore.records import COMMON_COUNTS
from studies.deals.sums import Columns
from studies.deals.values import match_columns
from studies.design.cells import StudyCell
from studies.design.study import MATCHES, Study
from studies.run.executors import Executor, ThreadExecutor
from studies.run.plan import Plan
from studies.run.run import Outcome, play_plan, verify_earlier_rows
from studies.store.directory import SENSITIVITY, Notice, Scan, clear_away, scan_cell
from studies.store.lock import locked
from studies.store.reading import read_deals

if TYPE_CHECKING:
    from studies.run.run import Watcher


ExecutorOf = Callable[[Sequence[StudyCell]], Executor]
"""Gives what plays cells, when these are known."""


def play_points(
    study: Study,
    cells: Iterable[StudyCell],
    directory: Path,
    *,
    threads: int,
    notice: Notice,
    watcher: Watcher | None,
    executor_of: ExecutorOf | None,
) -> Mapping[str, Scan]:
    """Play what is missing of points; return what is there of each, by cell id.

    Raises
    ------
    InputError
        If the directory cannot be written, or holds rows that do not come out again.
    KeyboardInterrupt
        If it was interrupted, when what was under way is kept.
    """
    points = list({cell.id: cell for cell in cells}.values())  # line-ups may be alike
    place = directory / SENSITIVITY
    with locked(place):
        scans = {cell.id: scan_cell(place, cell, whole=True) for cell in points}
        clear_away(place, scans.values(), notice)
        verify_earlier_rows(points, scans, MATCHES)
        asked = study.model_copy(update={"goal": None, "detail": MATCHES})
        plan = Plan(asked, points, scans, place, source_hash())
        outcome = Outcome(len(points))
        if plan.cells_left:
            executor = executor_of(points) if executor_of else ThreadExecutor(threads)
            play_plan(plan, executor, place, outcome, watcher)
        if outcome.interrupted:
            raise KeyboardInterrupt
        return {cell.id: scan_cell(place, cell) for cell in points}


def columns_kept(cell: StudyCell, scan: Scan, matches: int) -> Columns:
    """Return the columns of a point that was kept, of shape (deals, rotations)."""
    metrics = get_game(cell.game).metric_names
    names = [*match_columns(cell.players), *metrics, *COMMON_COUNTS]
    return read_deals(cell, scan, 0, matches, names).columns
