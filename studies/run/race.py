"""Stopping rule of races: `[goal] best = true`.

The cells of a contest (`studies.design.contest`) go from look to look together, as those of any
goal (`studies.run.goal`). A contestant that is clearly worse than the leader on the same deals
stops; the rest stop when one is left, when all lie within the half-width of the leader, or when the
matches are used up (`studies.run.racing`). The error is split over all contestants of the study, so
that the best of no contest is lost in 95 % of studies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from studies.answers.plan import looks
from studies.answers.totals import Seating
from studies.design.cells import StudyCell
from studies.design.contest import Contest
from studies.design.keys import Goal
from studies.measures import Block, win_unit
from studies.run.racing import Race
from studies.store.stops import BEHIND, GOAL, INTERRUPTED, LEVEL, REACHED, Standing, Stop

Array = np.ndarray[Any, Any]
Winners = Callable[[StudyCell, int, int], Mapping[str, Array]]
"""Gives the column `winners` of a cell over deals [start, stop), in the order of the rows."""

_VALUES_AT_ONCE = 4_000_000


def races(
    contests: Sequence[Contest], matches: int, goal: Goal, winners: Winners
) -> list[ContestGroup]:
    """Return the races of a study, which share the error among their contestants."""
    sequences = sum(len(contest.cells) - 1 for contest in contests)
    level = 1 - (1 - LEVEL) / sequences
    return [ContestGroup(contest, matches, goal, level, winners) for contest in contests]


class ContestGroup:
    """The cells of a contest, which are checked together."""

    def __init__(
        self, contest: Contest, matches: int, goal: Goal, level: float, winners: Winners
    ) -> None:
        self.cells = contest.cells
        self.stops: dict[str, Stop] = {}
        self.seen = 0
        self._contest = contest
        self._matches = matches
        self._winners = winners
        self._looks = looks(matches)
        self.next = next(self._looks)
        self._seats = [Seating(cell.seats, cell.rotations).held_at[0] for cell in self.cells]
        each = [len(own) for own in self._seats]
        self._factors = [math.lcm(*each) // one for one in each]
        self._scale = math.lcm(*each) * win_unit(self.cells[0].players)
        high = max(cell.rotations / own for cell, own in zip(self.cells, each, strict=True))
        self._race = Race(len(self.cells), high, goal.half_width, level)

    @property
    def active(self) -> list[StudyCell]:
        """Cells that go on."""
        return [cell for cell in self.cells if cell.id not in self.stops]

    def look(self) -> list[StudyCell]:
        """Take in the deals up to the next look; return the cells that stop there."""
        before = self.active
        totals, products = self._sums(self.seen, self.next)
        dropped = self._race.look(self.next - self.seen, totals, products, self._scale)
        self.seen = self.next
        for place in dropped:
            self._end(place, BEHIND)
        if self._race.is_over or self.seen >= self._matches:
            for place in self._race.active:
                self._end(place, GOAL if self._race.is_over else REACHED)
        else:
            self.next = next(self._looks)
        return [cell for cell in before if cell.id in self.stops]

    def all_stops(self) -> dict[str, Stop]:
        """Return what stopped each cell; those still active were interrupted."""
        return {
            cell.id: self.stops.get(cell.id) or self._stop(place, INTERRUPTED)
            for place, cell in enumerate(self.cells)
        }

    def _sums(self, start: int, stop: int) -> tuple[Array, Array]:
        """Return the sums over deals of the win rates of those in the race, and of products."""
        places = self._race.active
        totals = np.zeros(len(places), np.int64)
        products = np.zeros((len(places), len(places)), np.int64)
        step = max(1, _VALUES_AT_ONCE // sum(self.cells[place].rotations for place in places))
        for first in range(start, stop, step):
            values = np.stack(
                [self._values(place, first, min(stop, first + step)) for place in places]
            )
            totals += values.sum(axis=1)
            products += values @ values.T
        return totals, products

    def _values(self, place: int, start: int, stop: int) -> Array:
        """Return the win rate per seat of each deal's first policy, in units of 1 / scale."""
        cell = self.cells[place]
        credit = Block(cell, self._winners(cell, start, stop)).credit
        shares = sum(credit[seat][:, rotation] for rotation, seat in self._seats[place])
        return np.asarray(shares) * self._factors[place]

    def _end(self, place: int, why: str) -> None:
        self.stops[self.cells[place].id] = self._stop(place, why)

    def _stop(self, place: int, why: str) -> Stop:
        race, names = self._race, self._contest.names
        leader, gap = race.behind.get(place) or (race.leader, None)
        if gap is None and place != leader and self.seen:
            gap = race.gap(place)
        cell = self.cells[place]
        ended = why in (BEHIND, GOAL)
        contest = Standing(
            where=self._contest.where,
            name=names[place],
            leader=names[leader] if self.seen else "",
            gap=None if gap is None else (gap.estimate, gap.low, gap.high),
            spared=(self._matches - self.seen) * cell.rotations if ended else 0,
            matches=self._matches * cell.rotations,
        )
        return Stop(why, self.seen, contest)
