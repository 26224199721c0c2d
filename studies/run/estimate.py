"""What a study will take: its time and disk space from short trials, its variance from a pilot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from studies.design.cells import StudyCell
from studies.design.study import Study
from studies.measures import BASELINE, Measure
from studies.run.blocks import block_size, trial_seconds
from studies.run.executors import Task, compute, play_rotations, play_rows, playable
from studies.run.progress import SILENT, Watcher
from studies.store.opened import open_study
from studies.store.parts import encode, present
from studies.store.provenance import GOAL
from studies.store.totals import block_totals
from studies.store.writing import check_directory

if TYPE_CHECKING:
    from studies.answers.totals import Totals

_SAMPLE_MATCHES = 500
_SAMPLE_SECONDS = 0.5
_MOST_TRIALS = 200
"""The most sweep points to time; each takes about 20 ms."""


@dataclass(frozen=True)
class Estimate:
    """Expected cost of a run.

    Attributes
    ----------
    present : dict of str to int
        Stored deals, by cell.
    rows_left : int
        Matches to play; with a goal at most.
    seconds : float
        Wall time on `threads` threads.
    seconds_of : dict of str to float
        The same by cell.
    bytes_a_row, bytes : float
        Disk space for a match, and for all missing matches.
    """

    present: dict[str, int]
    rows_wanted: int
    rows_present: int
    rows_left: int
    threads: int
    seconds: float
    seconds_of: dict[str, float]
    bytes_a_row: float
    bytes: float


def estimate(
    study: Study, cells: Sequence[StudyCell], directory: Path | None, threads: int
) -> Estimate:
    """Estimate a run of a study; nothing is written.

    Speed is measured for each line-up and sweep point (200 at most), disk space once, for the cell
    with the most seats. Without a directory nothing counts as stored.
    """
    stored = None
    if directory and check_directory(directory, study, cells):
        with suppress(InputError):  # damage is repaired by the run
            stored = open_study(directory)
    rows_stored = {
        cell.id: present(stored.parts.get(cell.id, ()), study.matches) if stored else 0
        for cell in cells
    }
    pace: dict[tuple[str, str], float] = {}
    trials = _Trials(len({cell.group for cell in cells}))
    seconds_of, rows_left = dict.fromkeys(rows_stored, 0.0), 0
    ended = set()
    if study.goal is not None and stored is not None and stored.goal == study.goal:
        ended = {name for name, stop in stored.stops.items() if stop.why == GOAL}
    for cell in cells:
        left = study.matches - rows_stored[cell.id]
        if not left or cell.id in ended:
            continue
        if cell.group not in pace:
            pace[cell.group] = trials.seconds(cell)
        seconds_of[cell.id] = left * pace[cell.group] / threads
        rows_left += left * cell.rotations
    widest = max(cells, key=lambda cell: cell.players)
    bytes_a_row = 0.0
    if rows_left and study.rows:
        seconds = pace.get(widest.group)
        count = max(1, min(_SAMPLE_MATCHES, int(_SAMPLE_SECONDS / seconds) if seconds else 1))
        columns, _ = play_rows(widest, 0, count)
        bytes_a_row = len(encode(columns, {})) / (count * widest.rotations)
    elif rows_left:
        size = study.block or block_size(widest, rows=study.rows)
        sample = min(size, _SAMPLE_MATCHES)
        task = Task((widest,), widest, 0, sample, "", study.rows, study.study_measures)
        blocks = -(-study.matches // size)
        bytes_of_sums = blocks * len(compute(task).parts[0].content)
        bytes_a_row = bytes_of_sums / study.matches / widest.rotations
    return Estimate(
        present=rows_stored,
        rows_wanted=sum(study.matches * cell.rotations for cell in cells),
        rows_present=sum(rows_stored[cell.id] * cell.rotations for cell in cells),
        rows_left=rows_left,
        threads=threads,
        seconds=sum(seconds_of.values()),
        seconds_of=seconds_of,
        bytes_a_row=bytes_a_row,
        bytes=bytes_a_row * rows_left,
    )


class _Trials:
    """Times cells, with many sweep points only some of them.

    A sweep point that is not timed counts as much as the last one timed for its line-up.
    """

    def __init__(self, groups: int) -> None:
        self._step = -(-groups // _MOST_TRIALS)
        self._seen: Counter[tuple[str, int]] = Counter()
        self._last: dict[tuple[str, int], float] = {}

    def seconds(self, cell: StudyCell) -> float:
        """Return the approximate seconds per deal of a cell, in all rotations."""
        kind = cell.lineup, cell.players
        if self._seen[kind] % self._step == 0:
            self._last[kind] = trial_seconds(cell)
        self._seen[kind] += 1
        return self._last[kind]


def pilot_totals(
    cells: Sequence[StudyCell],
    deals: int,
    threads: int,
    watcher: Watcher = SILENT,
    measures: Sequence[Measure] = (),
) -> dict[str, Totals]:
    """Return the Totals of the first deals of each cell, by its id."""
    bases = {cell.group: cell for cell in cells if cell.variant == BASELINE}
    watcher.begin(deals * sum(cell.rotations for cell in cells), len(cells))
    totals: dict[str, Totals] = {}
    kept: tuple[tuple[str, str] | None, dict[str, Any]] = (None, {})
    for place, cell in enumerate(cells):  # a baseline comes before its variants
        columns, _ = play_rotations(playable(cell), 0, deals, cell.rotations, threads=threads)
        if cell.variant == BASELINE:
            kept = cell.group, columns
        baseline = kept[1] if kept[0] == cell.group else None
        totals |= block_totals(bases[cell.group], baseline, [(cell, columns)], measures)
        watcher.advance(deals * cell.rotations, place + 1)
    return totals
