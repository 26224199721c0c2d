"""The remaining work of a study, cut into tasks, and the rule by which `[goal]` stops cells.

A study with a goal examines its cells at fixed numbers of deals (`studies.answers.plan.looks`),
never in between. A variant's cell stops at the first look at which the intervals of its share of
other winners, of its policies' win rates and of their changes are all narrow enough (`goal_state`).
A baseline stops when its win rates are, and no variant at the same line-up and sweep point still
needs its deals. When stopping depends on width alone, ordinary intervals stay valid.

The stored deals of a cell are always its first ones, up to a look, whatever the threads, blocks,
machines and interruptions.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush
from pathlib import Path
from typing import TYPE_CHECKING

from simcore.gpu.device import CPU
from studies.answers.plan import goal_state, looks
from studies.design.cells import StudyCell
from studies.design.keys import Goal
from studies.design.study import Study
from studies.measures import BASELINE
from studies.run.blocks import block_size
from studies.run.executors import Done, Task, compile_cells, try_cells
from studies.store.parts import Part, cell_folder, missing, part_name
from studies.store.provenance import GOAL, INTERRUPTED, REACHED, StopReason
from studies.store.totals import add_up, group_totals

if TYPE_CHECKING:
    from studies.answers.totals import Totals

_CELLS_AT_ONCE = 8
_LEAST_PIECE = 50


Load = Callable[[StudyCell, Sequence[StudyCell], int, int], Mapping[str, "Totals"]]
"""Returns the Totals of cells over deals [start, stop), given their baseline and the cells."""


class Group:
    """Cells of a line-up and sweep point, which are checked together.

    Attributes
    ----------
    cells, active : list of StudyCell
        All cells, and those that continue.
    stops : dict of str to Stop
        The reasons of cells that stopped, by cell id.
    seen, next : int
        Deals at the last look and at the next one.
    """

    def __init__(self, cells: Sequence[StudyCell], matches: int, goal: Goal, load: Load) -> None:
        self.cells = list(cells)
        self.base = next(cell for cell in cells if cell.variant == BASELINE)
        self.active = list(cells)
        self.stops: dict[str, StopReason] = {}
        self._looks = looks(matches)
        self._goal, self._matches, self._load = goal, matches, load
        self.seen, self.next = 0, next(self._looks)
        self._totals: dict[str, Totals] = {}
        self._narrow: set[str] = set()

    def look(self) -> list[StudyCell]:
        """Add the deals up to the next look, and return the cells that stop there."""
        add_up(self._totals, self._load(self.base, self.active, self.seen, self.next))
        self.seen = self.next
        for cell in self.active:
            if goal_state(cell, self._totals[cell.id], self._goal.half_width).narrow:
                self._narrow.add(cell.id)
        narrow = [cell for cell in self.active if cell.id in self._narrow]
        if self.base in narrow and len(narrow) < len(self.active):
            narrow.remove(self.base)  # the variants still need its deals
        stopped = list(self.active) if self.seen >= self._matches else narrow
        for cell in stopped:
            why = GOAL if cell.id in self._narrow else REACHED
            self.stops[cell.id] = StopReason(why, self.seen)
            del self._totals[cell.id]
        self.active = [cell for cell in self.active if cell not in stopped]
        if self.active:
            self.next = next(self._looks)
        return stopped

    def all_stops(self) -> dict[str, StopReason]:
        """Return what stopped each cell; those still active were interrupted."""
        return {
            **self.stops,
            **{cell.id: StopReason(INTERRUPTED, self.seen) for cell in self.active},
        }


class Plan:
    """The remaining work, in the best order.

    Blocks end at multiples of a round number (`studies.run.blocks`), and at the looks of a study
    with a goal. The cell with the lowest next match number comes first, so that a run that is
    stopped leaves all cells equally long.

    Attributes
    ----------
    dropped : int
        Rows that a goal has made unnecessary since the run began.
    """

    def __init__(
        self,
        study: Study,
        cells: Sequence[StudyCell],
        parts: Mapping[str, list[Part]],
        directory: Path,
        source: str,
        block: int | None = None,
    ) -> None:
        self.cells = list(cells)
        self._has_rows = study.rows
        self._own = study.study_measures
        self._matches = study.matches
        self._directory, self._source = directory, source
        self._block = block or study.block
        self._sizes: dict[tuple[str, str], int] = {}
        self._order = {cell.id: order for order, cell in enumerate(cells)}
        self._bases = {cell.group: cell for cell in cells if cell.variant == BASELINE}
        self._members: dict[tuple[str, str], list[StudyCell]] = {}
        for cell in cells:
            self._members.setdefault(cell.group, []).append(cell)
        self._kept = parts  # grows as parts are written, before they are recorded here
        self._parts = {cell.id: list(parts[cell.id]) for cell in cells}
        self._left = {cell.id: missing(parts[cell.id], study.matches) for cell in cells}
        self._rows = {
            cell.id: sum(stop - start for start, stop in self._left[cell.id]) for cell in cells
        }
        self._cells_left = sum(rows > 0 for rows in self._rows.values())
        self._queue: list[tuple[int, int]] = []
        self._groups: list[Group] = []
        if study.goal is not None:
            self._groups = [
                Group(members, study.matches, study.goal, self._totals)
                for members in self._members.values()
            ]
        self._group_of = {cell.id: group for group in self._groups for cell in group.cells}
        self.dropped = 0
        for cell in cells:
            if self._left[cell.id]:
                heappush(self._queue, (self._left[cell.id][0][0], self._order[cell.id]))
        for group in self._groups:
            self._apply_goal(group)
        # Rows that a goal spares because of stored deals do not count for this run.
        self.dropped = 0
        self._wanted = self.cells_left

    @property
    def rows_left(self) -> int:
        """Rows still to be played; with a goal at most."""
        return sum(self._rows[cell.id] * cell.rotations for cell in self.cells)

    @property
    def cells_left(self) -> int:
        """Cells that are not complete."""
        return self._cells_left

    @property
    def cells_done(self) -> int:
        """Cells that this run has completed."""
        return self._wanted - self.cells_left

    @property
    def stops(self) -> dict[str, StopReason]:
        """Why each cell stopped, by cell id."""
        stops = {
            cell.id: StopReason(INTERRUPTED if self._rows[cell.id] else REACHED)
            for cell in self.cells
        }
        for group in self._groups:
            stops |= group.all_stops()
        return stops

    def compile(self, device: str = CPU) -> None:
        """Compile all kernels and policies before the clock starts."""
        compile_cells(self._unfinished(), device)

    def try_out(self, device: str = CPU) -> None:
        """Try users' code in this process before the clock starts."""
        try_cells(self._unfinished(), self._matches, device)

    def _unfinished(self) -> list[StudyCell]:
        return [cell for cell in self.cells if self._rows[cell.id]]

    def take(self) -> Task | None:
        """Return the next task; None if there is none, or none until another task ends."""
        waiting: list[tuple[int, int]] = []
        task = None
        while self._queue and task is None:
            first, order = heappop(self._queue)
            cell = self.cells[order]
            ranges = self._left[cell.id]
            if not ranges or ranges[0][0] != first:
                continue  # played together with another cell, or stopped
            end = self._end(cell, *ranges[0])
            if end <= first:  # the next look needs blocks that are still being played
                waiting.append((first, order))
                continue
            cells = tuple(self._beside(cell, first, end))
            for member in cells:
                ranges = self._left[member.id]
                ranges[0] = (end, ranges[0][1])
                if ranges[0][0] == ranges[0][1]:
                    ranges.pop(0)
                if ranges:
                    heappush(self._queue, (ranges[0][0], self._order[member.id]))
            base = self._bases[cell.group]
            measures = () if self._has_rows else self._own
            task = Task(cells, base, first, end - first, self._source, self._has_rows, measures)
        for entry in waiting:
            heappush(self._queue, entry)
        return task

    def record(self, block: Done) -> int:
        """Record a block that was played and written; return its rows."""
        task = block.task
        for cell in task.cells:
            self._set_rows(cell, self._rows[cell.id] - task.count)
            path = self._folder(cell) / part_name(task.first, task.count)
            part = Part(task.first, task.count, path)
            kept = self._kept[cell.id]
            # Prefer the writer's part, which has the digest of the manifest.
            place = bisect_left(kept, part)
            insort(self._parts[cell.id], kept[place] if part in kept[place : place + 1] else part)
        if self._groups:
            self._apply_goal(self._group_of[task.cells[0].id])
        return sum(task.count * cell.rotations for cell in task.cells)

    def _folder(self, cell: StudyCell) -> Path:
        return cell_folder(self._directory, cell.id, rows=self._has_rows)

    def _apply_goal(self, group: Group) -> None:
        """Apply the goal to cells at all looks that their deals allow."""
        present = {cell.id: _prefix(self._parts[cell.id], group.seen) for cell in group.active}
        while group.active and all(present[cell.id] >= group.next for cell in group.active):
            for cell in group.look():
                self._left[cell.id] = []
                self.dropped += self._rows[cell.id] * cell.rotations
                self._set_rows(cell, 0)

    def _set_rows(self, cell: StudyCell, rows: int) -> None:
        self._cells_left += (rows > 0) - (self._rows[cell.id] > 0)
        self._rows[cell.id] = rows

    def _end(self, cell: StudyCell, first: int, stop: int) -> int:
        """Return the end of the block that begins at `first`."""
        size = self._size(cell)
        if self._groups:
            group = self._group_of[cell.id]
            ended = group.stops.get(cell.id)
            stop = min(stop, ended.deals if ended else group.next)
            # With few cells the deals of a look are split, to keep all workers busy.
            pieces = max(1, _CELLS_AT_ONCE // len(self.cells))
            size = min(size, max(_LEAST_PIECE, -(-(group.next - group.seen) // pieces)))
        return min(stop, (first // size + 1) * size)

    def _size(self, cell: StudyCell) -> int:
        if self._block:
            return self._block
        if cell.group not in self._sizes:
            self._sizes[cell.group] = block_size(self._bases[cell.group], rows=self._has_rows)
        return self._sizes[cell.group]

    def _beside(self, cell: StudyCell, first: int, end: int) -> list[StudyCell]:
        """Return the cells that a block is played for; if sums are stored, all that lack it."""
        if self._has_rows:
            return [cell]
        return [
            member
            for member in self._members[cell.group]
            if (ranges := self._left[member.id])
            and ranges[0][0] == first
            and self._end(member, *ranges[0]) == end
        ]

    def _totals(
        self, base: StudyCell, cells: Sequence[StudyCell], start: int, stop: int
    ) -> Mapping[str, Totals]:
        """Return the sums of the stored deals that a goal needs."""
        return group_totals(base, cells, self._parts, (), start, stop, ("win_rate",))


def _prefix(parts: Sequence[Part], seen: int) -> int:
    """Return the number of deals stored without a gap from the first on, at least `seen`."""
    reached = seen
    for part in parts:
        if part.first <= reached:
            reached = max(reached, part.stop)
        elif part.first > reached:
            break
    return reached
