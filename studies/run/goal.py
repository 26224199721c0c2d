"""Stopping rule for `[goal] half_width`.

A study with a goal examines its cells at fixed numbers of deals (`studies.answers.plan.looks`),
never in between. A variant's cell stops at the first look at which the intervals of its share of
other winners, of its policies' win rates and of their changes are all narrow enough (`goal_state`).
A baseline stops when its win rates are, and no variant at the same line-up and sweep point still
needs its deals. When stopping depends on width alone, ordinary intervals stay valid.

The stored deals of a cell are always its first ones, up to a look, whatever the threads, blocks,
machines and interruptions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from studies.answers.plan import goal_state, looks
from studies.design.cells import StudyCell
from studies.design.keys import Goal
from studies.design.study import BASELINE
from studies.store.provenance import GOAL, INTERRUPTED, REACHED, StopReason
from studies.store.totals import add_up

if TYPE_CHECKING:
    from studies.answers.totals import Totals

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
