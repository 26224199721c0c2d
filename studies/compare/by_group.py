"""What a variant changes of each outcome, told by group of deals: what contrasts are made of.

An effect is the change at one table; `combined` adds up effects of several variants, or of several
tables, with weights. The effects of a table share the baseline, those of different tables the
numbers of their deals, and the groups keep both. Of matches the groups are those of
`studies.stats.groups`, of sums the blocks that are kept.

The outcomes: another winner (of the matches decided with and without the variant), win rate and
score of every policy and position, the game's metrics (its length among them).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from simcore.options import Value, show_all
from studies.compare.superlatives import Contestant
from studies.deals.sums import Sums, seats_of
from studies.deals.values import Seating, Side
from studies.design.cells import StudyCell
from studies.stats.contrasts import Contrast
from studies.stats.groups import GROUPS, group_sums

Array = np.ndarray[Any, Any]

MANY = 2_000
"""Effects of a study above which fewer groups are kept of each."""

FEWER_GROUPS = 128
_NOTHING = 1e-5
"""Share of the largest terms below which what they add up to is rounding."""


@dataclass(frozen=True)
class Outcome:
    """What is measured.

    Attributes
    ----------
    of : str
        "match", "policy", "position" or "metric".
    who : str
        The policy, position or metric; empty of matches.
    number : str
        "another_winner", "win_share", "score", or the metric's name.
    """

    of: str
    who: str
    number: str


@dataclass(frozen=True)
class Moved:
    """The change of one outcome.

    Attributes
    ----------
    rates : (float, float)
        The ratio without, with the variant, where the change is one of ratios; else 0 and itself.
    base : str
        What the ratio is taken over: a key of `EffectGroups.bases`.
    raw : array of shape (groups,)
        What each group adds to the change.
    largest : float or None
        Largest value of the outcome in a match; None where there is none.
    from_zero : bool
        Whether the outcome is 0 without the variant, by its definition.
    """

    estimate: float
    rates: tuple[float, float]
    base: str
    raw: Array
    largest: float | None
    from_zero: bool = False


@dataclass(frozen=True)
class EffectGroups:
    """What a variant changes at one table, by group of deals.

    Attributes
    ----------
    bases : dict of str to (array, array), each of shape (groups,)
        Share of each group in all deals ("deals"), in the matches decided without and with the
        variant ("decided") and in both ("both").
    edges : list of int or None
        Where the blocks begin, and the last one ends; None of matches.
    """

    variant: str
    lineup: str
    point: dict[str, object]
    changed: dict[str, list[Value]]
    deals: int
    moved: dict[Outcome, Moved]
    bases: dict[str, tuple[Array, Array]]
    edges: list[int] | None = None

    def parts(self, outcome: Outcome) -> Array:
        """Return what each group adds to a change, linearised, less what it would if all agreed."""
        own = self.moved[outcome]
        without, with_ = self.bases[own.base]
        found: Array = own.raw.astype(np.float64) - own.rates[1] * with_ + own.rates[0] * without
        return found


class ChangeGroups:
    """Group sums of a variant's changes, slice by slice."""

    def __init__(self, seating: Seating, metrics: Sequence[str]) -> None:
        self.seating, self.metric_names = seating, metrics
        subjects = seating.subjects
        self.deals = np.zeros(GROUPS)
        self.undecided = np.zeros((2, GROUPS))
        self.wins = np.zeros((2, subjects, GROUPS))
        self.scores = np.zeros((subjects, GROUPS))
        self.metrics = np.zeros((len(metrics), GROUPS))

    def add(
        self, first: int, old: Side, new: Side, missing: Sequence[Array | None], metrics: Array
    ) -> None:
        """Add deals numbered from `first`.

        Parameters
        ----------
        missing : (array or None, array or None)
            Undecided matches of each deal without, with the variant.
        metrics : array of shape (metrics, deals)
            Changes of the metrics.
        """
        self.deals += group_sums(first, np.ones(len(old.winners)))
        for side, lost in enumerate(missing):
            if lost is not None:
                self.undecided[side] += group_sums(first, lost)
        for side, own in enumerate((old, new)):
            self.wins[side] += group_sums(first, own.shares)
        self.scores += group_sums(first, new.scores - old.scores)
        self.metrics += group_sums(first, metrics)

    def effect(
        self, cell: StudyCell, changed: dict[str, list[Value]], contestant: Contestant, groups: int
    ) -> EffectGroups:
        """Return what was found, in so many groups."""
        seating, size = self.seating, cell.rotations
        used = min(groups, int(np.flatnonzero(self.deals)[-1]) + 1)

        def folded(sums: Array) -> Array:
            return _folded(sums, groups)[..., :used]

        deals, undecided = folded(self.deals), folded(self.undecided)
        subjects = [
            *(("policy", policy) for policy in seating.policies),
            *(("position", str(place)) for place in range(cell.players)),
        ]
        return _effect(
            cell,
            changed,
            deals,
            size * deals - undecided,
            (folded(contestant.another), folded(contestant.decided)),
            {
                subject: (
                    folded(self.wins[:, place]) / (seating.unit * seating.held[place]),
                    folded(self.scores[place]) * seating.score_scale(place),
                    seating.held[place],
                )
                for place, subject in enumerate(subjects)
            },
            {
                name: folded(self.metrics[place]) / size
                for place, name in enumerate(self.metric_names)
            },
        )


def of_blocks(
    cell: StudyCell,
    changed: dict[str, list[Value]],
    blocks: Sequence[tuple[int, int, Sums]],
    metrics: Sequence[str],
) -> EffectGroups:
    """Return what a variant changes by block, from (first deal, stop, sums of a variant's cell)."""
    tables, size = seats_of(cell), cell.rotations

    def column(name: str) -> Array:
        return np.array([float(sums[name]) for _, _, sums in blocks])

    deals = column("pair.deals")
    sides = ("pair.before.aborted", "aborted")
    decided = size * deals - np.stack([column(name) for name in sides])
    undecided = column("pair.undecided")
    subjects = {
        ("policy", policy): (f"share.{place}", f"pair.score.{place}", tables.held[place])
        for place, policy in enumerate(tables.policies)
    }
    subjects |= {
        ("position", str(place)): (f"position_share.{place}", f"pair.position_score.{place}", 1)
        for place in range(cell.players)
    }
    return _effect(
        cell,
        changed,
        deals,
        decided,
        (column("pair.another"), size * deals - undecided),
        {
            subject: (
                np.stack([column(f"pair.before.{share}"), column(share)]) / (tables.unit * held),
                column(score) / (size * held),
                held,
            )
            for subject, (share, score, held) in subjects.items()
        },
        {name: column(f"pair.metric.{name}") / size for name in metrics},
        [*(first for first, _, _ in blocks), blocks[-1][1]],
    )


def _effect(
    cell: StudyCell,
    changed: dict[str, list[Value]],
    deals: Array,
    decided: Array,
    another: tuple[Array, Array],
    subjects: Mapping[tuple[str, str], tuple[Array, Array, int]],
    metrics: Mapping[str, Array],
    edges: list[int] | None = None,
) -> EffectGroups:
    """Return the changes of all outcomes that the groups tell."""
    count, wholes = float(deals.sum()), decided.sum(axis=-1)
    both = float(another[1].sum())
    shares = deals / max(count, 1.0)
    moved: dict[Outcome, Moved] = {}
    if both:
        raw = another[0] / both
        share = float(raw.sum())
        key = Outcome("match", "", "another_winner")
        moved[key] = Moved(share, (0.0, share), "both", _kept(raw), 1.0, from_zero=True)
    for (of, who), (wins, scores, held) in subjects.items():
        # The win rate of a policy that holds all seats cannot change.
        if wholes.all() and not (of == "policy" and held == cell.players):
            without, with_ = (own / whole for own, whole in zip(wins, wholes, strict=True))
            rates = float(without.sum()), float(with_.sum())
            change = rates[1] - rates[0]
            one = Moved(change, rates, "decided", _kept(with_ - without), 1.0 / held)
            moved[Outcome(of, who, "win_share")] = one
        moved[Outcome(of, who, "score")] = _mean(scores / count)
    for name, sums in metrics.items():
        moved[Outcome("metric", name, name)] = _mean(sums / count)
    return EffectGroups(
        variant=cell.variant,
        lineup=cell.lineup,
        point=cell.point,
        changed=changed,
        deals=round(count),
        moved=moved,
        bases={
            "deals": (shares, shares),
            "decided": (decided[0] / max(wholes[0], 1), decided[1] / max(wholes[1], 1)),
            "both": (another[1] / max(both, 1.0),) * 2,
        },
        edges=edges,
    )


def _mean(raw: Array) -> Moved:
    estimate = float(raw.sum())
    return Moved(estimate, (0.0, estimate), "deals", _kept(raw), None)


def _kept(raw: Array) -> Array:
    """Return what is kept of a column: half of the memory, to seven digits."""
    kept: Array = raw.astype(np.float32)
    return kept


def _folded(sums: Array, groups: int) -> Array:
    """Return sums over fewer groups."""
    if groups == GROUPS:
        return sums
    folded: Array = sums.reshape(*sums.shape[:-1], -1, groups).sum(axis=-2)
    return folded


def grouped_by(
    effects: Iterable[EffectGroups], key: Callable[[EffectGroups], object]
) -> list[list[EffectGroups]]:
    """Return the effects of which a key says the same, in the order in which these come."""
    found: dict[object, list[EffectGroups]] = defaultdict(list)
    for effect in effects:
        found[key(effect)].append(effect)
    return list(found.values())


def table_of(effect: EffectGroups) -> tuple[str, str]:
    """Return what tells the table of an effect from others: its line-up and point."""
    return effect.lineup, show_all(effect.point)


def shared_outcomes(effects: Sequence[EffectGroups]) -> Iterator[Outcome]:
    """Yield the outcomes that all effects have."""
    for outcome in effects[0].moved:
        if all(outcome in effect.moved for effect in effects):
            yield outcome


@dataclass(frozen=True)
class Stack:
    """The changes of an outcome under several variants, or at several tables, side by side.

    Attributes
    ----------
    estimates : array of shape (effects,)
    parts : array of shape (effects, groups)
    raw : array of shape (effects, groups), or None where groups are blocks
        As of `Contrast`.
    """

    effects: Sequence[EffectGroups]
    outcome: Outcome
    estimates: Array
    parts: Array
    raw: Array | None

    def contrast(self, weights: Array | Sequence[float]) -> Contrast:
        """Return the weighted sum of the changes."""
        given = np.asarray(weights, dtype=np.float64)
        places = np.flatnonzero(given)
        used = given[places]
        raw: Array | None = None
        if self.raw is not None:
            raw = given @ self.raw
            raw[np.abs(raw) <= np.abs(_NOTHING * given) @ self._sizes] = 0.0
        effects = [self.effects[place] for place in places.tolist()]
        own = [effect.moved[self.outcome] for effect in effects]
        return Contrast(
            estimate=float(used @ self.estimates[places]),
            parts=given @ self.parts,
            raw=raw,
            deals=min(effect.deals for effect in effects),
            bound=_bound(effects, used.tolist(), own),
        )

    @cached_property
    def _sizes(self) -> Array:
        """How much each group moves each change, whichever way."""
        assert self.raw is not None
        return np.abs(self.raw)

    @property
    def are_many(self) -> bool:
        """Whether each change has so many steps, or none at all, that normal theory holds."""
        for place, effect in enumerate(self.effects):
            raw = None if self.raw is None else self.raw[place]
            own = Contrast(float(self.estimates[place]), self.parts[place], raw, effect.deals)
            if own.changes.changed and not own.changes.are_many:
                return False
        return True


def stacked(effects: Sequence[EffectGroups], outcome: Outcome) -> Stack:
    """Return the changes of an outcome, which all effects have, in common groups."""
    columns = [effect.parts(outcome) for effect in effects]
    raw: Array | None = None
    if effects[0].edges is None:
        length = max(column.size for column in columns)
        parts = np.stack([_padded(column, length) for column in columns])
        raw = np.stack(
            [_padded(effect.moved[outcome].raw.astype(np.float64), length) for effect in effects]
        )
    else:
        edges = sorted(set.intersection(*(set(effect.edges or []) for effect in effects)))
        parts = np.stack(
            [
                _between(column, effect.edges or [], edges)
                for column, effect in zip(columns, effects, strict=True)
            ]
        )
    estimates = np.array([effect.moved[outcome].estimate for effect in effects])
    return Stack(effects, outcome, estimates, parts, raw)


def combined(
    effects: Sequence[EffectGroups], weights: Sequence[float], outcome: Outcome
) -> Contrast:
    """Return the weighted sum of the changes of an outcome, which all effects have."""
    return stacked(effects, outcome).contrast(weights)


def _bound(
    effects: Sequence[EffectGroups], weights: Sequence[float], moved: Sequence[Moved]
) -> float | None:
    """Return the largest absolute value that a contrast can have in a deal."""
    ends = [0.0, 0.0]
    baselines: dict[str, float] = defaultdict(float)
    for effect, weight, one in zip(effects, weights, moved, strict=True):
        if one.largest is None:
            return None
        ends[weight > 0] += abs(weight) * one.largest
        if not one.from_zero:
            baselines[f"{effect.lineup} {effect.point}"] -= weight * one.largest
    for baseline in baselines.values():
        ends[baseline > 0] += abs(baseline)
    return max(ends)


def _padded(column: Array, length: int) -> Array:
    if column.size == length:
        return column
    found: Array = np.pad(column, (0, length - column.size))
    return found


def _between(column: Array, edges: Sequence[int], wanted: Sequence[int]) -> Array:
    """Return sums of a column of blocks between some of their edges; all that is left in one."""
    if len(wanted) < 2:
        return np.array([column.sum()])
    places = [edges.index(edge) for edge in wanted[:-1]]
    found: Array = np.add.reduceat(column, places)
    found[0] += column[: places[0]].sum()
    return found
