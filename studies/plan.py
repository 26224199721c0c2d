"""What is left of a study to play, cut into blocks of a good size.

Sizes follow the speed of the cells and so differ from run to run; rows do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from pathlib import Path

from simcore.game import get_game
from simcore.records import Dtypes
from studies.cells import StudyCell
from studies.executors import Done, Task, play_rows

BLOCK_SECONDS = 0.8
BLOCK_ROWS = 200_000
_TRIAL_SECONDS = 0.01
_TRIAL_MATCHES = 4096


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

    def compile(self) -> None:
        """Have all kernels and policies compiled before the clock starts.

        A match is played for each line-up and each form of the game's records.
        """
        done: set[tuple[str, Dtypes]] = set()
        for cell in self.cells:
            record_dtypes = get_game(cell.game).room("table").record_dtypes
            key = (cell.lineup, record_dtypes(cell.options))
            if cell.id in self._left and key not in done:
                done.add(key)
                play_rows(cell, 0, 1)

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
        self._pace[cell.id] = done.seconds / count
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
    play_rows(cell, 0, 1)
    count = 1
    _, seconds = play_rows(cell, 0, count)
    while seconds < _TRIAL_SECONDS and count < _TRIAL_MATCHES:
        count = min(_TRIAL_MATCHES, count * max(2, min(16, int(_TRIAL_SECONDS / seconds))))
        _, seconds = play_rows(cell, 0, count)
    return seconds / count


def round_down(number: float) -> int:
    """Return the largest of 1, 2, 5, 10, 20, 50, … that is not above a number (at least 1)."""
    size = 1
    while size * 10 <= number:
        size *= 10
    return next((step * size for step in (5, 2) if step * size <= number), size)
