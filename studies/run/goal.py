"""When a cell is known well enough: `[goal] half_width`.

A study with a goal looks at its cells at fixed numbers of deals (`looks`), never in between. A
variant's cell stops at the first look at which the intervals of its share of other winners, of its
policies' win rates and of the changes of these are all as narrow as the goal; a baseline when its
win rates are, and no variant at the same line-up and sweep point still needs its deals. Where one
policy holds all seats the win rates are those of the positions.

Stopping by width alone needs no more than ordinary intervals (`studies.stats.fixed_width`). With
`[goal] anytime = true` the intervals are confidence sequences (`studies.stats.sequences`), which
hold however and whenever one looks, and need some three to four times as many deals.

What is kept of a cell is always its first deals, up to a look: it depends neither on threads,
blocks and machines, nor on interruptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from studies.deals.sums import Sums, seats_of
from studies.design.cells import StudyCell
from studies.design.keys import Goal
from studies.design.study import BASELINE
from studies.stats.fixed_width import FixedWidthMean
from studies.stats.intervals import Interval
from studies.stats.sequences import BoundedMean
from studies.store.stop_reasons import GOAL, INTERRUPTED, REACHED, Stop

_STEPS = (100, 125, 150, 200, 250, 300, 400, 500, 600, 800)

Load = Callable[[StudyCell, StudyCell | None, int, int], Sums]
"""Gives the winners' sums of a cell (for a variant with its baseline) over deals [start, stop)."""


def looks(matches: int) -> Iterator[int]:
    """Yield the numbers of deals at which a cell may stop: ten to each power of ten."""
    scale = 1
    while True:
        for step in _STEPS:
            if step * scale >= matches:
                yield matches
                return
            yield step * scale
        scale *= 10


class Tracker:
    """The intervals of one cell that its goal is about."""

    def __init__(self, cell: StudyCell, goal: Goal, *, paired: bool) -> None:
        self.cell, self.goal = cell, goal
        self.deals = 0
        self._means: dict[str, tuple[BoundedMean | FixedWidthMean, str, str, int]] = {}
        self._awaited: list[str] = []
        tables = seats_of(cell)
        each = tables.unit * cell.rotations
        several = len(tables.policies) > 1
        for place, (policy, held) in enumerate(zip(tables.policies, tables.held, strict=True)):
            at = f"share.{place}"
            self._follow(
                f"share.{policy}", at, f"{at}.{place}", each * held, 1 / held, awaited=several
            )
            if paired and several:
                at = f"pair.share.{place}"
                name = f"change.{policy}"
                self._follow(name, at, f"{at}.sq", each * held, 1 / held, awaited=True, low=-1)
        for place in range(cell.players):
            at = f"position_share.{place}"
            self._follow(f"position.{place}", at, f"{at}.sq", each, 1.0, awaited=not several)
            if paired:
                name, at = f"position_change.{place}", f"pair.{at}"
                self._follow(name, at, f"{at}.sq", each, 1.0, awaited=not several, low=-1)
        if paired:
            self._follow("differ", "pair.differ", "pair.differ.sq", cell.rotations, 1.0, True)

    def _follow(
        self,
        name: str,
        total: str,
        squares: str,
        unit: int,
        high: float,
        awaited: bool = False,
        low: int = 0,
    ) -> None:
        guess = 0.0 if low else (1 / self.cell.players if name != "differ" else 0.3)
        mean: BoundedMean | FixedWidthMean = (
            BoundedMean(low * high, high, self.goal.half_width, guess=min(guess, high))
            if self.goal.anytime
            else FixedWidthMean(low * high, high)
        )
        self._means[name] = (mean, total, squares, unit)
        if awaited:
            self._awaited.append(name)

    def add(self, sums: Sums) -> None:
        """Add a stage."""
        deals = sums["deals"]
        self.deals += deals
        for mean, total, squares, unit in self._means.values():
            mean.add(deals, sums[total] / unit, sums[squares] / unit**2)

    @property
    def is_narrow(self) -> bool:
        """Whether every interval that the goal is about is as narrow as it asks."""
        width = self.goal.half_width
        return all(self._means[name][0].half_width <= width for name in self._awaited)

    @property
    def intervals(self) -> dict[str, Interval]:
        """All intervals now."""
        return {name: mean.interval for name, (mean, *_) in self._means.items()}


class Group:
    """Cells of a line-up and sweep point, which go from look to look together."""

    def __init__(self, cells: Sequence[StudyCell], matches: int, goal: Goal, load: Load) -> None:
        self.cells = list(cells)
        self.base = next(cell for cell in cells if cell.variant == BASELINE)
        self.active = list(cells)
        self.stops: dict[str, Stop] = {}
        self._trackers = {
            cell.id: Tracker(cell, goal, paired=cell is not self.base) for cell in cells
        }
        self._looks = looks(matches)
        self._matches = matches
        self._load = load
        self.seen = 0
        self.next = next(self._looks)
        self._reached: dict[str, int] = {}

    def look(self) -> list[StudyCell]:
        """Take in the deals up to the next look; return the cells that stop there."""
        start, stop = self.seen, self.next
        for cell in self.active:
            base = None if cell is self.base else self.base
            tracker = self._trackers[cell.id]
            tracker.add(self._load(cell, base, start, stop))
            if tracker.is_narrow:
                self._reached.setdefault(cell.id, stop)
        self.seen = stop
        narrow = [cell for cell in self.active if cell.id in self._reached]
        if self.base in narrow and len(narrow) < len(self.active):
            narrow.remove(self.base)  # its deals are still needed
        at_end = stop >= self._matches
        stopped = list(self.active) if at_end else narrow
        for cell in stopped:
            self.stops[cell.id] = self._stop(cell, GOAL if cell.id in self._reached else REACHED)
        self.active = [cell for cell in self.active if cell not in stopped]
        if self.active:
            self.next = next(self._looks)
        return stopped

    def _stop(self, cell: StudyCell, why: str) -> Stop:
        tracker = self._trackers[cell.id]
        return Stop(why, tracker.deals, self._reached.get(cell.id), tracker.intervals)

    def all_stops(self) -> dict[str, Stop]:
        """Return what stopped each cell; those still active were interrupted."""
        active = {cell.id: self._stop(cell, INTERRUPTED) for cell in self.active}
        return {**self.stops, **active}


def groups(cells: Sequence[StudyCell], matches: int, goal: Goal, load: Load) -> list[Group]:
    """Return the cells of a study, put together by line-up and sweep point."""
    together: dict[tuple[str, str], list[StudyCell]] = {}
    for cell in cells:
        together.setdefault(cell.group, []).append(cell)
    return [Group(members, matches, goal, load) for members in together.values()]


class Looked(Protocol):
    """Cells that go from look to look together.

    Attributes
    ----------
    cells, active : list of StudyCell
        All; those that go on.
    stops : dict of str to Stop
        Of those that do not, by cell id.
    seen, next : int
        Deals at the last look and at the next one.
    """

    cells: list[StudyCell]
    stops: dict[str, Stop]
    seen: int
    next: int

    @property
    def active(self) -> list[StudyCell]:
        """Those that go on."""
        ...

    def look(self) -> list[StudyCell]:
        """Take in the deals up to the next look; return the cells that stop there."""
        ...

    def all_stops(self) -> dict[str, Stop]:
        """Return what stopped each cell; those still active were interrupted."""
        ...


class Goalkeeper:
    """Decides which cells of a study go on."""

    def __init__(self, looked: Sequence[Looked]) -> None:
        self.groups = list(looked)
        self._group_of = {cell.id: group for group in self.groups for cell in group.cells}

    def group(self, cell: StudyCell) -> Looked:
        """Return the cells that go from look to look with a cell."""
        return self._group_of[cell.id]

    def limit(self, cell: StudyCell) -> int:
        """Return the number of deals that a cell may be played to for now."""
        group = self.group(cell)
        stop = group.stops.get(cell.id)
        return stop.deals if stop else group.next

    def advance(self, group: Looked, present: Mapping[str, int]) -> list[StudyCell]:
        """Look at cells as far as their deals allow; return what has stopped.

        Parameters
        ----------
        present : mapping of cell id to int
            How many deals from the first on are there without a gap.
        """
        stopped: list[StudyCell] = []
        while group.active and all(present[one.id] >= group.next for one in group.active):
            stopped += group.look()
        return stopped

    def stops(self) -> dict[str, Stop]:
        """Return what stopped each cell, by id."""
        merged: dict[str, Stop] = {}
        for group in self.groups:
            merged |= group.all_stops()
        return merged
