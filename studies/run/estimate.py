"""How long a study will take and how much disk it needs, from short trials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from simcore.errors import InputError
from studies.design.cells import StudyCell
from studies.design.study import MATCHES, Study
from studies.run.blocks import block_size, trial_seconds
from studies.run.executors import Task, compute, play_rows
from studies.store.opened import Stored, open_study
from studies.store.parts import encode, present
from studies.store.provenance import GOAL
from studies.store.writing import check_directory

_SAMPLE_MATCHES = 500
_SAMPLE_SECONDS = 0.5
_MOST_TRIALS = 200
"""The most sweep points to time; each takes about 20 ms."""


@dataclass(frozen=True)
class Estimate:
    """The work of a run.

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
    ended = _at_goal(study, stored)
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
    if rows_left and study.detail == MATCHES:
        bytes_a_row = _bytes_a_row(widest, pace.get(widest.group))
    elif rows_left:
        bytes_a_row = _bytes_of_sums(study, widest) / study.matches / widest.rotations
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


def _at_goal(study: Study, stored: Stored | None) -> set[str]:
    if study.goal is None or stored is None or stored.goal != study.goal:
        return set()
    return {name for name, stop in stored.stops.items() if stop.why == GOAL}


def _bytes_a_row(cell: StudyCell, pace: float | None) -> float:
    count = max(1, min(_SAMPLE_MATCHES, int(_SAMPLE_SECONDS / pace) if pace else 1))
    columns, _ = play_rows(cell, 0, count)
    return len(encode(columns, {})) / (count * cell.rotations)


def _bytes_of_sums(study: Study, cell: StudyCell) -> float:
    size = study.block or block_size(cell, study.detail)
    task = Task(
        (cell,), cell, 0, min(size, _SAMPLE_MATCHES), "", study.detail, study.study_measures
    )
    blocks = -(-study.matches // size)
    return blocks * len(compute(task).parts[0].content)
