"""The sums behind the effect of a variant: slice by slice over deals, one value a deal.

The estimators are those of `studies.stats.intervals` and `studies.stats.signflip`; what the results
mean stands in `studies.compare.results` and `studies.compare.effects`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simcore.game import Game
from studies.compare.by_group import ChangeGroups, EffectGroups
from studies.compare.coupling_floor import Overlap
from studies.compare.decided import Products, change_of_ratios, ratio
from studies.compare.results import (
    Change,
    Equivalence,
    PolicyEffect,
    PositionEffect,
    VariantEffect,
)
from studies.compare.superlatives import Contestant
from studies.deals.values import Seating, Side, count_bits, recorded, slices, told_apart, totals
from studies.design.cells import StudyCell, changed_clauses, changed_options
from studies.stats.intervals import (
    Interval,
    Moments,
    clustered_p,
    clustered_share,
    mcnemar_p,
    newcombe,
    tango,
)
from studies.stats.rare import Changes, change_equivalence_p, change_interval, linearised
from studies.stats.signflip import SignFlip

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
        changes = flipped(self.change[measure].scaled(scale), self.flips[measure], scale)
        equivalence = None
        if margin is not None:
            equivalence = equivalent(changes, margin, bound=bound)
        return Change(
            self.before[measure].mean * scale,
            change_interval(changes, level, bound=bound),
            self.flips[measure].p(),
            equivalence=equivalence,
        )


class Decided:
    """What of two cells' deals was decided, so that shares can be told of it.

    Attributes
    ----------
    alive : list of int
        Deals with a decided match without, with the variant.
    both, both_alive : int
        Matches that are decided in both, and deals with one of them.
    moved : bool
        Whether any deal has more aborted matches on one side than on the other.
    """

    def __init__(self, rotations: int) -> None:
        self.rotations = rotations
        self.alive, self.both, self.both_alive, self.moved = [0, 0], 0, 0, False
        self.aborted = [Moments(), Moments()]
        self.one, self.one_count = Moments(), 0

    def add(self, old: Side, new: Side) -> tuple[Array | None, Array | None, Array | None]:
        """Add deals; return aborted matches without and with, and in one at least, by deal."""
        deals, size = len(old.winners), self.rotations
        missing: list[Array | None] = []
        for side, own in enumerate((old, new)):
            count = None if own.undecided is None else totals(own.undecided)
            self.aborted[side] += Moments.of(np.zeros(deals) if count is None else count).scaled(
                1 / size
            )
            self.alive[side] += deals if count is None else int((count < size).sum())
            missing.append(count)
        if old.undecided is None and new.undecided is None:
            self.both += deals * size
            self.both_alive += deals
            self.one += Moments.of(np.zeros(deals))
            return None, None, None
        nobody = np.zeros_like(old.winners, dtype=bool)
        before = nobody if old.undecided is None else old.undecided
        after = nobody if new.undecided is None else new.undecided
        either, one = totals(before | after), totals(before ^ after)
        self.both += deals * size - int(either.sum())
        self.both_alive += int((either < size).sum())
        self.one += Moments.of(one).scaled(1 / size)
        self.one_count += int(one.sum())
        self.moved = self.moved or bool((totals(before) != totals(after)).any())
        return missing[0], missing[1], either

    @property
    def any_aborted(self) -> bool:
        """Whether a match was aborted on either side."""
        return any(side.mean > 0 for side in self.aborted)


class WinShares(Differences):
    """Win rates without a variant, and their changes with it, of the matches decided in each."""

    def __init__(self, seating: Seating) -> None:
        super().__init__(seating.subjects)
        self.seating = seating
        self.sums = [Products(4) for _ in range(seating.subjects)]

    def add_decided(
        self, before: Array, after: Array, missing: Array | None, missing_after: Array | None
    ) -> None:
        """Add deal sums of shape (subjects, deals), and aborted matches of each deal."""
        self.add(before, after)
        for sums, old, new in zip(self.sums, before, after, strict=True):
            sums.add(len(old), old, new, missing, missing_after)

    def of_decided(
        self, subject: int, decided: Decided, level: float, margin: float | None
    ) -> Change:
        """Return a subject's win rate of decided matches, and its change."""
        seating, held = self.seating, self.seating.held[subject]
        bound = 1.0 / held
        if not decided.any_aborted:
            return self.result(
                subject, seating.share_scale(subject), level, bound=bound, margin=margin
            )
        baseline, deals = change_of_ratios(
            self.sums[subject], decided.rotations, decided.alive, seating.unit, held
        )
        changes = linearised(deals, self.flips[subject].few, bound)
        return Change(
            baseline,
            change_interval(changes, level, bound=bound),
            clustered_p(deals) if decided.moved else self.flips[subject].p(),
            equivalence=None if margin is None else equivalent(changes, margin, bound=bound),
        )


class Events:
    """Matches of some kind, by deal, among all or among those that are decided in both cells."""

    def __init__(self) -> None:
        self.deals, self.sums, self.count = Moments(), Products(2), 0

    def add(self, found: Array, either: Array | None, rotations: int) -> None:
        """Add numbers of matches by deal; `either` counts those not decided in both."""
        self.deals += Moments.of(found).scaled(1 / rotations)
        self.sums.add(len(found), found, either)
        self.count += int(found.sum())

    def share(self, decided: Decided, level: float) -> Interval:
        """Return the share of the matches decided in both."""
        if not decided.any_aborted:
            return clustered_share(self.deals, decided.rotations, level)
        return ratio(self.sums, decided.rotations, decided.both_alive).share(level)

    def mean(self, decided: Decided, flip: SignFlip, level: float) -> Interval:
        """Return the mean over the matches decided in both, which may be negative."""
        if not decided.any_aborted:
            changes = flipped(self.deals, flip, 1 / decided.rotations)
        else:
            found = ratio(self.sums, decided.rotations, decided.both_alive)
            changes = linearised(found.value, flip.few, 1.0)
        return change_interval(changes, level, bound=1.0)


def flipped(deals: Moments, flip: SignFlip, scale: float) -> Changes:
    """Return changes whose moments are known, with those other than 0 as far as they are kept."""
    return Changes.kept(deals, None if flip.few is None else scale * flip.few)


def equivalent(changes: Changes, margin: float, *, bound: float | None = None) -> Equivalence:
    """Return an equivalence test that is still to be corrected for its family."""
    p = change_equivalence_p(changes, margin, bound=bound)
    return Equivalence(margin, p, p_holm=p, holds=False)


class Pair:
    """Sums of a variant's cell against its baseline's."""

    def __init__(self, game: Game, seating: Seating, cell: StudyCell) -> None:
        self.seating, self.base, self.cell = seating, seating.cell, cell
        self.changed = changed_options(self.base, cell)
        self.clauses = changed_clauses(game, self.changed)
        self.recorded = recorded(self.base.players, game.metric_names)
        self.metric_names = game.metric_names
        subjects = seating.subjects
        self.winners, self.in_play = Moments(), Moments()
        self.winners_count = self.in_play_count = 0
        self.decided, self.another = Decided(self.base.rotations), Events()
        self.contestant = Contestant()
        self._groups: ChangeGroups | None = ChangeGroups(seating, game.metric_names)
        self.aborted = [0, 0]
        self.overlap = Overlap(self.base.players, self.base.rotations)
        self.shares, self.scores = WinShares(seating), Differences(subjects)
        self.metrics = Differences(len(self.metric_names))
        self.gains, self.losses, self.net = ([Events() for _ in range(subjects)] for _ in range(3))
        self.net_flips = [SignFlip() for _ in range(subjects)]
        self.kept = np.zeros(subjects, dtype=np.int64)

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
        for part, old in zip(slices(len(before["winners"])), sides, strict=True):
            new = self.seating.measure(after, part)
            missing, missing_after, either = self.decided.add(old, new)
            differ = totals(old.winners != new.winners)
            self.winners_count += int(differ.sum())
            self.winners += Moments.of(differ).scaled(1 / rotations)
            if either is not None:
                won_twice = (old.winners != 0) & (new.winners != 0)
                differ = totals((old.winners != new.winners) & won_twice)
            self.another.add(differ, either, rotations)
            self.contestant.add(first + part.start, differ, either, rotations)
            if self.changed:
                own, other = (
                    {name: columns[name][part] for name in self.recorded}
                    for columns in (before, after)
                )
                played = totals(told_apart(self.recorded, own, other))
                self.in_play_count += int(played.sum())
                self.in_play += Moments.of(played).scaled(1 / rotations)
            self.overlap.add(first + part.start, old.winners, new.winners)
            self.shares.add_decided(old.shares, new.shares, missing, missing_after)
            self.scores.add(old.scores, new.scores)
            metrics = np.zeros((0, len(differ)), dtype=np.int64)
            if self.metric_names:
                sums = [
                    np.stack([totals(columns[name][part]) for name in self.metric_names])
                    for columns in (before, after)
                ]
                self.metrics.add(*sums)
                metrics = sums[1] - sums[0]
            if self._groups is not None:
                lost = (missing, missing_after)
                self._groups.add(first + part.start, old, new, lost, metrics)
            self._add_winners(old, new, either)
        for side, columns in enumerate((before, after)):
            self.aborted[side] += int(columns["aborted"].sum())

    def _add_winners(self, old: Side, new: Side, either: Array | None) -> None:
        subjects, rotations = self.seating.subjects, self.base.rotations
        pairs = list(zip(old.among, new.among, strict=True))
        if either is not None:
            twice = (old.winners != 0) & (new.winners != 0)
            pairs = [
                (np.where(won, before, 0), np.where(won, after, 0))
                for (before, after), won in zip(pairs, twice.T, strict=True)
            ]
        gained = count_bits([after & ~before for before, after in pairs], subjects)
        lost = count_bits([before & ~after for before, after in pairs], subjects)
        self.kept += count_bits([before & after for before, after in pairs], subjects).sum(axis=1)
        for subject, (more, less) in enumerate(zip(gained, lost, strict=True)):
            net = more - less
            self.gains[subject].add(more, either, rotations)
            self.losses[subject].add(less, either, rotations)
            self.net[subject].add(net, either, rotations)
            self.net_flips[subject].add(net)

    def by_group(self, groups: int) -> EffectGroups:
        """Return the changes by group of deals; after this no deals can be added to them."""
        assert self._groups is not None
        found = self._groups.effect(self.cell, self.changed, self.contestant, groups)
        self._groups = None
        return found

    @property
    def bound(self) -> float | None:
        """Largest change of a score or metric: none is known, but for a control there is none."""
        return None if self.changed else 0.0

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
            clauses=self.clauses,
            in_play_count=self.in_play_count if self.changed else None,
            in_play=clustered_share(self.in_play, rotations, level) if self.changed else None,
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
                name: self.metrics.result(
                    place, 1 / rotations, level, bound=self.bound, margin=margins.get(name)
                )
                for place, name in enumerate(self.metric_names)
            },
            aborted=self.aborted,
            aborted_share=[
                clustered_share(side, rotations, level) for side in self.decided.aborted
            ],
            aborted_in_one_count=self.decided.one_count,
            aborted_in_one=clustered_share(self.decided.one, rotations, level),
            decided=self.decided.both,
            another_winner_count=self.another.count,
            another_winner=self.another.share(self.decided, level),
        )

    def _win_effect(self, subject: int, level: float, margins: Margins) -> dict[str, Any]:
        """Return the fields of `WinEffect`."""
        seating, decided = self.seating, self.decided
        among, among_tango = self._among(subject, level)
        share = self.shares.of_decided(subject, decided, level, margins.get("win_share"))
        return {
            "win_share": share,
            "win_share_of_all": self.shares.result(
                subject, seating.share_scale(subject), level, bound=1.0 / seating.held[subject]
            ),
            "score": self.scores.result(
                subject,
                seating.score_scale(subject),
                level,
                bound=self.bound,
                margin=margins.get("score"),
            ),
            "gained": self.gains[subject].count,
            "lost": self.losses[subject].count,
            "gained_share": self.gains[subject].share(decided, level),
            "lost_share": self.losses[subject].share(decided, level),
            "among_winners": among,
            "among_winners_tango": among_tango,
            "among_winners_p": self._among_p(subject),
        }

    def _among(self, subject: int, level: float) -> tuple[Interval, Interval | None]:
        if self.base.rotations > 1:
            return self.net[subject].mean(self.decided, self.net_flips[subject], level), None
        gained, lost = self.gains[subject].count, self.losses[subject].count
        both = int(self.kept[subject])
        table = (both, gained, lost, self.decided.both - gained - lost - both)
        return newcombe(*table, level), tango(*table, level)

    def _among_p(self, subject: int) -> float:
        if self.base.rotations > 1:
            return self.net_flips[subject].p()
        return mcnemar_p(self.gains[subject].count, self.losses[subject].count)
