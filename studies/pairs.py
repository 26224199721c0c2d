"""The sums behind the effect of a variant: slice by slice over deals, one value a deal.

The estimators are those of `studies.intervals` and `studies.signflip`; what the results mean stands
in `studies.findings` and `studies.effects`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simcore.game import Game
from studies.cells import StudyCell
from studies.findings import (
    Change,
    Equivalence,
    PolicyEffect,
    PositionEffect,
    VariantEffect,
)
from studies.intervals import (
    Interval,
    Moments,
    clustered_mean,
    clustered_share,
    equivalence_p,
    mcnemar_p,
    newcombe,
    tango,
)
from studies.measures import Seating, Side, count_bits, slices, totals
from studies.overlap import Overlap
from studies.signflip import SignFlip

Array = np.ndarray[Any, Any]
Margins = Mapping[str, float]
"""Margins of equivalence: of "win_share", "score" or a metric's name."""


class Differences:
    """Deal sums without a variant, and their changes with it, for several measures at once."""

    def __init__(self, measures: int) -> None:
        self.before = [Moments()] * measures
        self.change = [Moments()] * measures
        self.flips = [SignFlip() for _ in range(measures)]

    def add(self, before: Array, after: Array) -> None:
        """Add deal sums of shape (measures, deals)."""
        change = after - before
        for measure, (old, new) in enumerate(zip(before, change, strict=True)):
            self.before[measure] += Moments.of(old)
            self.change[measure] += Moments.of(new)
            self.flips[measure].add(new)

    def result(
        self,
        measure: int,
        scale: float,
        level: float,
        *,
        bound: float | None = None,
        margin: float | None = None,
    ) -> Change:
        """Return a measure's mean and change, deal sums times `scale`."""
        deals = self.change[measure].scaled(scale)
        equivalence = None
        if margin is not None:
            equivalence = equivalent(deals, margin, bound=bound)
        return Change(
            self.before[measure].mean * scale,
            clustered_mean(deals, level, bound=bound),
            self.flips[measure].p(),
            equivalence=equivalence,
        )


def equivalent(deals: Moments, margin: float, *, bound: float | None = None) -> Equivalence:
    """Return an equivalence test that is still to be corrected for its family."""
    p = equivalence_p(deals, margin, bound=bound)
    return Equivalence(margin, p, p_holm=p, holds=False)


class Pair:
    """Sums of a variant's cell against its baseline's."""

    def __init__(self, game: Game, seating: Seating, cell: StudyCell) -> None:
        self.seating, self.base, self.cell = seating, seating.cell, cell
        self.changed = {
            name: [self.base.options[name], value]
            for name, value in cell.options.items()
            if self.base.options[name] != value
        }
        self.clauses = [
            bit
            for bit, clause in enumerate(game.clauses)
            if not self.changed.keys().isdisjoint(clause.options)
        ]
        self.clause_names = [game.clauses[bit].name for bit in self.clauses]
        self.metric_names = game.metric_names
        subjects = seating.subjects
        self.winners, self.in_play = Moments(), Moments()
        self.winners_count = self.in_play_count = 0
        self.aborted = [0, 0]
        self.overlap = Overlap(self.base.players, self.base.rotations)
        self.shares, self.scores = Differences(subjects), Differences(subjects)
        self.metrics = Differences(len(self.metric_names))
        self.gains, self.losses = [Moments()] * subjects, [Moments()] * subjects
        self.net = [Moments()] * subjects
        self.net_flips = [SignFlip() for _ in range(subjects)]
        self.kept = np.zeros(subjects, dtype=np.int64)
        self.gained = np.zeros(subjects, dtype=np.int64)
        self.lost = np.zeros(subjects, dtype=np.int64)

    def add(
        self,
        first: int,
        before: Mapping[str, Array],
        after: Mapping[str, Array],
        sides: Sequence[Side],
    ) -> None:
        """Add deals numbered from `first`; columns have the shape (deals, rotations).

        `sides` are the baseline's slices, measured (`slices` of the deals).
        """
        rotations = self.base.rotations
        bits = sum(1 << bit for bit in self.clauses)
        for part, old in zip(slices(len(before["winners"])), sides, strict=True):
            new = self.seating.measure(after, part)
            differ = totals(old.winners != new.winners)
            self.winners_count += int(differ.sum())
            self.winners += Moments.of(differ).scaled(1 / rotations)
            if bits:
                played = totals(((before["clauses"][part] | after["clauses"][part]) & bits) != 0)
                self.in_play_count += int(played.sum())
                self.in_play += Moments.of(played).scaled(1 / rotations)
            self.overlap.add(first + part.start, old.winners, new.winners)
            self.shares.add(old.shares, new.shares)
            self.scores.add(old.scores, new.scores)
            if self.metric_names:
                self.metrics.add(
                    np.stack([totals(before[name][part]) for name in self.metric_names]),
                    np.stack([totals(after[name][part]) for name in self.metric_names]),
                )
            self._add_winners(old, new)
        for side, columns in enumerate((before, after)):
            self.aborted[side] += int(columns["aborted"].sum())

    def _add_winners(self, old: Side, new: Side) -> None:
        subjects = self.seating.subjects
        pairs = list(zip(old.among, new.among, strict=True))
        gained = count_bits([after & ~before for before, after in pairs], subjects)
        lost = count_bits([before & ~after for before, after in pairs], subjects)
        self.kept += count_bits([before & after for before, after in pairs], subjects).sum(axis=1)
        self.gained += gained.sum(axis=1)
        self.lost += lost.sum(axis=1)
        scale = 1 / self.base.rotations
        for subject, (more, less) in enumerate(zip(gained, lost, strict=True)):
            net = more - less
            self.gains[subject] += Moments.of(more).scaled(scale)
            self.losses[subject] += Moments.of(less).scaled(scale)
            self.net[subject] += Moments.of(net).scaled(scale)
            self.net_flips[subject].add(net)

    def effect(self, level: float, margins: Margins) -> VariantEffect:
        """Return what was found; corrections over families are still to be made."""
        rotations, deals = self.base.rotations, self.winners.count
        differ = clustered_share(self.winners, rotations, level)
        floor, independent = self.overlap.describe(level, differ.high)
        policies = self.seating.policies
        return VariantEffect(
            variant=self.cell.variant,
            lineup=self.cell.lineup,
            point=self.cell.point,
            changed=self.changed,
            control=not self.changed,
            deals=deals,
            rotations=rotations,
            matches=deals * rotations,
            winners_differ_count=self.winners_count,
            winners_differ=differ,
            floor=floor,
            independent=independent,
            clauses=self.clause_names,
            in_play_count=self.in_play_count if self.clauses else None,
            in_play=clustered_share(self.in_play, rotations, level) if self.clauses else None,
            policies=[
                PolicyEffect(
                    **self._win_effect(subject, level, margins),
                    policy=policy,
                    seats=self.seating.held[subject],
                )
                for subject, policy in enumerate(policies)
            ],
            positions=[
                PositionEffect(
                    **self._win_effect(len(policies) + position, level, margins), position=position
                )
                for position in range(self.base.players)
            ],
            metrics={
                name: self.metrics.result(place, 1 / rotations, level, margin=margins.get(name))
                for place, name in enumerate(self.metric_names)
            },
            aborted=self.aborted,
        )

    def _win_effect(self, subject: int, level: float, margins: Margins) -> dict[str, Any]:
        """Return the fields of `WinEffect`."""
        seating, rotations = self.seating, self.base.rotations
        among, among_tango = self._among(subject, level)
        return {
            "win_share": self.shares.result(
                subject,
                seating.share_scale(subject),
                level,
                bound=1.0 / seating.held[subject],
                margin=margins.get("win_share"),
            ),
            "score": self.scores.result(
                subject, seating.score_scale(subject), level, margin=margins.get("score")
            ),
            "gained": int(self.gained[subject]),
            "lost": int(self.lost[subject]),
            "gained_share": clustered_share(self.gains[subject], rotations, level),
            "lost_share": clustered_share(self.losses[subject], rotations, level),
            "among_winners": among,
            "among_winners_tango": among_tango,
            "among_winners_p": self._among_p(subject),
        }

    def _among(self, subject: int, level: float) -> tuple[Interval, Interval | None]:
        if self.base.rotations > 1:
            return clustered_mean(self.net[subject], level, bound=1.0), None
        gained, lost, both = (int(count[subject]) for count in (self.gained, self.lost, self.kept))
        table = (both, gained, lost, self.winners.count - gained - lost - both)
        return newcombe(*table, level), tango(*table, level)

    def _among_p(self, subject: int) -> float:
        if self.base.rotations > 1:
            return self.net_flips[subject].p()
        return mcnemar_p(int(self.gained[subject]), int(self.lost[subject]))
