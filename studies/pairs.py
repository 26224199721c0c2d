"""The sums behind a comparison: chunk by chunk over deals, one value a deal.

The estimators are those of `studies.intervals`; what the results mean stands in `studies.findings`
and `studies.effects`.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from simcore.game import Game
from studies.cells import StudyCell
from studies.findings import (
    Change,
    LineupResult,
    PolicyDifference,
    PolicyEffect,
    PolicyShare,
    VariantEffect,
)
from studies.frames import chunks, read_deals
from studies.intervals import (
    Moments,
    clustered_mean,
    clustered_p,
    clustered_share,
    mcnemar_p,
    newcombe,
)
from studies.store import Scan

Array = np.ndarray[Any, Any]


@dataclass
class Seating:
    """Who sits where: seats of each policy, as bit masks by rotation."""

    cell: StudyCell
    policies: list[str] = field(init=False)
    held: Counter[str] = field(init=False)

    def __post_init__(self) -> None:
        self.held = Counter(self.cell.seats)
        self.policies = list(self.held)

    def seats(self, policy: str, rotation: int) -> list[int]:
        """Return the seats of a policy at a rotation."""
        players = self.cell.players
        return [
            seat
            for seat in range(players)
            if self.cell.seats[(seat + rotation) % players] == policy
        ]

    def wins(self, policy: str, winners: Array) -> tuple[Array, Array]:
        """Return win share per seat held, and whether it is among the winners: (deals, rotations).

        A match that nobody won (aborted) gives 0 to all.
        """
        masks = np.array(
            [
                sum(1 << seat for seat in self.seats(policy, rotation))
                for rotation in range(self.cell.rotations)
            ],
            dtype=winners.dtype,
        )
        won = np.bitwise_count(winners & masks)
        share = won / np.maximum(np.bitwise_count(winners), 1) / self.held[policy]
        return share, won > 0

    def scores(self, policy: str, columns: dict[str, Array]) -> Array:
        """Return the mean final score of the seats of a policy: (deals, rotations)."""
        return np.stack(
            [
                np.mean(
                    [
                        columns[f"score_{seat}"][:, rotation]
                        for seat in self.seats(policy, rotation)
                    ],
                    axis=0,
                )
                for rotation in range(self.cell.rotations)
            ],
            axis=1,
        )


def _names(cell: StudyCell) -> list[str]:
    scores = [f"score_{seat}" for seat in range(cell.players)]
    return ["winners", "aborted", *scores]


class Pair:
    """Sums of a variant's cell against its baseline's, chunk by chunk."""

    def __init__(self, game: Game, base: StudyCell, cell: StudyCell) -> None:
        self.base, self.cell = base, cell
        self.changed = {
            name: [base.options[name], value]
            for name, value in cell.options.items()
            if base.options[name] != value
        }
        self.clauses = [
            bit
            for bit, clause in enumerate(game.clauses)
            if not self.changed.keys().isdisjoint(clause.options)
        ]
        self.clause_names = [game.clauses[bit].name for bit in self.clauses]
        self.metric_names = game.metric_names
        self.seating = Seating(base)
        self.winners = Moments()
        self.in_play = Moments()
        self.winners_count = self.in_play_count = 0
        self.aborted = [0, 0]
        self.moments: dict[tuple[str, ...], Moments] = defaultdict(Moments)
        self.paired: Counter[tuple[str, str]] = Counter()
        self.sets = np.zeros((2, base.rotations, 1 << base.players), dtype=np.int64)

    def add(self, base_scan: Scan, scan: Scan, start: int, stop: int) -> None:
        """Add match numbers [start, stop)."""
        names = [*_names(self.base), "clauses", *self.metric_names]
        before = read_deals(self.base, base_scan, start, stop, names).columns
        after = read_deals(self.cell, scan, start, stop, names).columns
        differ = before["winners"] != after["winners"]
        self.winners += Moments.of(differ.mean(axis=1))
        self.winners_count += int(differ.sum())
        bits = sum(1 << bit for bit in self.clauses)
        played = ((before["clauses"] | after["clauses"]) & bits) != 0
        self.in_play += Moments.of(played.mean(axis=1))
        self.in_play_count += int(played.sum())
        for side, columns in enumerate((before, after)):
            self.aborted[side] += int(columns["aborted"].sum())
            for rotation in range(self.base.rotations):
                sets = columns["winners"][:, rotation]
                self.sets[side, rotation] += np.bincount(sets, minlength=self.sets.shape[2])
        for name in self.metric_names:
            self._add_change(("metric", name), before[name], after[name])
        for policy in self.seating.policies:
            self._add_policy(policy, before, after)

    def _add_policy(self, policy: str, before: dict[str, Array], after: dict[str, Array]) -> None:
        share, won = self.seating.wins(policy, before["winners"])
        new_share, new_won = self.seating.wins(policy, after["winners"])
        self._add_change(("share", policy), share, new_share)
        self._add_change(
            ("score", policy),
            self.seating.scores(policy, before),
            self.seating.scores(policy, after),
        )
        gained, lost = new_won & ~won, won & ~new_won
        self.moments["among", policy] += Moments.of((gained * 1.0 - lost).mean(axis=1))
        self.paired[policy, "gained"] += int(gained.sum())
        self.paired[policy, "lost"] += int(lost.sum())
        self.paired[policy, "both"] += int((won & new_won).sum())

    def _add_change(self, key: tuple[str, str], before: Array, after: Array) -> None:
        old, new = before.mean(axis=1), after.mean(axis=1)
        self.moments[(*key, "baseline")] += Moments.of(old)
        self.moments[key] += Moments.of(new - old)

    def _change(self, key: tuple[str, str], level: float, bound: float | None = None) -> Change:
        deals = self.moments[key]
        interval = clustered_mean(deals, level, bound=bound)
        return Change(self.moments[(*key, "baseline")].mean, interval, clustered_p(deals))

    def effect(self, level: float) -> VariantEffect:
        """Return what was found."""
        rotations, deals = self.base.rotations, self.winners.count
        shares = self.sets / deals
        return VariantEffect(
            variant=self.cell.variant,
            lineup=self.cell.lineup,
            point=self.cell.point,
            changed=self.changed,
            deals=deals,
            rotations=rotations,
            matches=deals * rotations,
            winners_differ_count=self.winners_count,
            winners_differ=clustered_share(self.winners, rotations, level),
            floor=float(1 - np.minimum(shares[0], shares[1]).sum() / rotations),
            independent=float(1 - (shares[0] * shares[1]).sum() / rotations),
            clauses=self.clause_names,
            in_play_count=self.in_play_count if self.clauses else None,
            in_play=clustered_share(self.in_play, rotations, level) if self.clauses else None,
            policies=[self._policy_effect(policy, level) for policy in self.seating.policies],
            metrics={name: self._change(("metric", name), level) for name in self.metric_names},
            aborted=self.aborted,
        )

    def _policy_effect(self, policy: str, level: float) -> PolicyEffect:
        gained, lost, both = (self.paired[policy, key] for key in ("gained", "lost", "both"))
        if self.base.rotations == 1:
            neither = self.winners.count - gained - lost - both
            among, p = newcombe(both, gained, lost, neither, level), mcnemar_p(gained, lost)
        else:
            moments = self.moments["among", policy]
            among, p = clustered_mean(moments, level, bound=1.0), clustered_p(moments)
        held = self.seating.held[policy]
        return PolicyEffect(
            policy=policy,
            seats=held,
            win_share=self._change(("share", policy), level, bound=1.0 / held),
            score=self._change(("score", policy), level),
            gained=gained,
            lost=lost,
            among_winners=among,
            among_winners_p=p,
        )


def compare_policies(cell: StudyCell, scan: Scan, level: float) -> LineupResult:
    """Compare the policies at the table of one cell."""
    seating = Seating(cell)
    shares: dict[str, Moments] = defaultdict(Moments)
    scores: dict[str, Moments] = defaultdict(Moments)
    gaps: dict[tuple[str, str], Moments] = defaultdict(Moments)
    deals = aborted = 0
    for start, stop in chunks([scan], cell.rotations):
        columns = read_deals(cell, scan, start, stop, _names(cell)).columns
        deals += stop - start
        aborted += int(columns["aborted"].sum())
        here = {}
        for policy in seating.policies:
            here[policy] = seating.wins(policy, columns["winners"])[0].mean(axis=1)
            shares[policy] += Moments.of(here[policy])
            scores[policy] += Moments.of(seating.scores(policy, columns).mean(axis=1))
        for first, second in itertools.combinations(seating.policies, 2):
            gaps[first, second] += Moments.of(here[first] - here[second])
    order = sorted(seating.policies, key=lambda policy: -shares[policy].mean)
    return LineupResult(
        lineup=cell.lineup,
        point=cell.point,
        players=cell.players,
        rotated=cell.rotations > 1 or len(seating.policies) == 1,
        deals=deals,
        rotations=cell.rotations,
        matches=deals * cell.rotations,
        aborted=aborted,
        policies=[
            PolicyShare(
                policy,
                seating.held[policy],
                clustered_mean(shares[policy], level),
                clustered_mean(scores[policy], level),
            )
            for policy in order
        ],
        differences=[
            _difference(first, second, gaps, level)
            for first, second in itertools.combinations(order, 2)
        ],
    )


def _difference(
    first: str, second: str, gaps: dict[tuple[str, str], Moments], level: float
) -> PolicyDifference:
    if (first, second) in gaps:
        moments = gaps[first, second]
    else:
        moments = replace(gaps[second, first], mean=-gaps[second, first].mean)
    return PolicyDifference(first, second, clustered_mean(moments, level), clustered_p(moments))
