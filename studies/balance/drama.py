"""How matches get to their winners: lead changes, comebacks, settled leads, margins at the end.

The lead is judged by scores, at the moments at which a game notes them (after a round, a trick, a
lap). A lead is settled from the moment since which the same seats have led to the end. What the
chances of the seats were at any moment is not in a match's row.

Sources
-------
- C. Browne (2008), Automatic Generation and Evaluation of Recombination Games (PhD thesis): drama
  as what a winner recovers from, how often and how late the lead changes; here by scores.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.game import Game
from studies.balance.counts import Counts
from studies.balance.results import Course, Drama, Share
from studies.balance.vectors import Vectors, beside, decided_ratio
from studies.stats.intervals import LEVEL

Array = np.ndarray[Any, Any]
Columns = dict[str, Array]

LEAD_CHANGES, COMEBACK, LAST_CHANGE = "lead_changes", "comeback", "last_lead_change"
CLOSE, RUNAWAY = 0.1, 0.5
"""Margin over the distance between first and last, at most and at least."""
EARLY = {"quarter": 0.25, "half": 0.5}
"""Parts of a match by which a lead may be settled."""


def course_of(game: Game) -> Course:
    """Return in what a game's course is counted: what its scores are noted after."""
    if "tricks" in game.metric_names:
        return Course("tricks", "tricks")
    if "rounds" in game.metric_names:
        return Course("rounds", "rounds")
    return Course("laps", "turns")


class DramaSums:
    """Sums of a cell.

    Parameters
    ----------
    game : Game
    players, rotations : int
    """

    def __init__(self, game: Game, players: int, rotations: int) -> None:
        self.players, self.rotations = players, rotations
        self.course = course_of(game)
        self.changes = {metric: Counts() for metric in game.metrics if metric.name == LEAD_CHANGES}
        self.margin, self.comeback, self.settled = Counts(), Counts(), Counts()
        names = ("led", "close", "runaway", "behind", *EARLY)
        self.shares = {name: Vectors(2) for name in names}
        self.share_counts = dict.fromkeys(names, 0)

    @property
    def names(self) -> list[str]:
        """The match columns that are read, besides winners and scores."""
        own = [metric.name for metric in self.changes]
        return [*own, COMEBACK, LAST_CHANGE, self.course.metric]

    def add(self, columns: Columns, scores: Array, won: Array) -> tuple[Array, Array]:
        """Add deals; return margins and comebacks, -1 where nobody won.

        Parameters
        ----------
        columns : dict of arrays of shape (deals, rotations)
        scores, won : arrays of shape (deals, rotations, seats)
        """
        decided = np.asarray(won.any(axis=2))
        for metric, counts in self.changes.items():
            counts.add(columns[metric.name], decided)
            self._add_share("led", columns[metric.name] == 0, decided)
        comeback = columns[COMEBACK].astype(np.int64)
        self.comeback.add(comeback, decided)
        self._add_share("behind", comeback > 0, decided)
        self._add_settled(columns, decided)
        margin = self._add_margins(scores, won, decided)
        return margin, np.where(decided, comeback, -1)

    def _add_settled(self, columns: Columns, decided: Array) -> None:
        """Add after what part of the match the lead was settled."""
        length = columns[self.course.metric].astype(np.int64)
        if self.course.name != self.course.metric:
            length = -(-length // self.players)  # turns, of which a lap has one a seat
        last = columns[LAST_CHANGE].astype(np.int64)
        percent = -(-100 * last // np.maximum(length, 1))
        self.settled.add(percent, decided)
        for name, part in EARLY.items():
            self._add_share(name, last <= part * length, decided)

    def _add_margins(self, scores: Array, won: Array, decided: Array) -> Array:
        """Add the margins; return them, -1 where nobody won.

        The winners' score is the best one, whichever way the game counts: the distance to the
        nearest of the others is the margin, 0 where a win is shared.
        """
        best = np.where(won, scores, np.iinfo(np.int64).min).max(axis=2)
        gaps = np.abs(scores - best[..., None])
        nearest = np.where(won, np.iinfo(np.int64).max, gaps).min(axis=2)
        margin = np.where(decided & (won.sum(axis=2) == 1), nearest, 0)
        self.margin.add(margin, decided)
        if self.players > 2:
            distance = scores.max(axis=2) - scores.min(axis=2)
            self._add_share("close", margin <= CLOSE * distance, decided)
            self._add_share("runaway", (margin >= RUNAWAY * distance) & (distance > 0), decided)
        return np.where(decided, margin, -1)

    def _add_share(self, name: str, found: Array, of: Array) -> None:
        """Add matches with an event among those of `of`."""
        found = found & of
        self.shares[name].add(beside([found.sum(axis=1), of.sum(axis=1)]) * 1.0)
        self.share_counts[name] += int(found.sum())

    def found(self, level: float = LEVEL) -> Drama:
        """Return what the sums tell."""
        changes = [
            counts.distribution(metric.name, metric.meaning, level)
            for metric, counts in self.changes.items()
        ]
        several = self.players > 2
        return Drama(
            course=self.course,
            lead_changes=changes[0] if changes else None,
            led_throughout=self._share("led", level) if changes else None,
            comeback=self.comeback.distribution(
                "comeback", "points by which the winner was behind at most", level
            ),
            behind=self._share("behind", level),
            settled=self.settled.distribution(
                "settled",
                f"% of the match's {self.course.name} after which the lead did not change again",
                level,
            ),
            by_quarter=self._share("quarter", level),
            by_half=self._share("half", level),
            margin=self.margin.distribution(
                "margin", "points between the winner and the best of the others", level
            ),
            close=self._share("close", level) if several else None,
            runaway=self._share("runaway", level) if several else None,
        )

    def _share(self, name: str, level: float) -> Share:
        """Return a share among the matches with a winner."""
        own = decided_ratio(self.shares[name])
        return Share(self.share_counts[name], own.share(level))
