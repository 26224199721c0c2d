"""Is a variant's effect the same at all tables? Over the points of a sweep, and over line-ups.

For each outcome of each variant: a test that its change is the same at all points of a line-up, and
at all line-ups of a point; the largest difference between two of these tables, with an interval
that allows for their having been chosen (Šidák over all pairs); and where a swept key is a number,
or the strengths of the players are known, whether the change goes one way with it. Deals with one
number share their keys at all tables, so all of it is paired by deal (`studies.compare.by_group`).

A trend is a straight line through the changes, weighted alike. It is called rising or falling if
its slope is shown (Holm over all trends of the study) and no step from one value to the next is
shown to go the other way; turning if steps both ways are shown; else open. Strengths are taken as
known: their own errors do not count. Win rates per seat are smaller at larger tables, and so are
their changes: with players they may differ for that alone.

Rows of a factorial design are left out: their differences are the design's interactions.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from simcore.options import show_all
from studies.compare.by_group import EffectGroups, Outcome, Stack, grouped_by, stacked
from studies.compare.contrast_results import Sameness, Trend
from studies.compare.results import Comparison
from studies.stats.intervals import holm
from studies.stats.sameness import pairs_of, wald_p

POINTS, LINEUPS = "points", "lineups"
STRENGTH = "strength"
RISING, FALLING, TURNING, OPEN = "rising", "falling", "turning", "open"


@dataclass(frozen=True)
class Family:
    """A variant's effects that are compared.

    Attributes
    ----------
    scales : dict of str to list of float
        What a trend may follow: a number for each effect, by its name.
    """

    over: str
    effects: list[EffectGroups]
    scales: dict[str, list[float]]

    @property
    def names(self) -> list[str]:
        """What tells the tables apart."""
        if self.over == POINTS:
            return [show_all(effect.point) for effect in self.effects]
        return [effect.lineup for effect in self.effects]


def sameness(
    comparison: Comparison, effects: Sequence[EffectGroups], level: float
) -> list[Sameness]:
    """Return for every variant and outcome whether its change is the same at all tables."""
    found = [
        one
        for family in families(effects, _strengths(comparison))
        for one in _of_family(family, level)
    ]
    corrected = iter(holm([one.p for one in found]))
    trends = iter(holm([trend.p for one in found for trend in one.trends]))

    def told(trend: Trend) -> Trend:
        p = next(trends)
        way = trend.direction
        if way in (RISING, FALLING) and p > 1 - level:
            way = OPEN
        return replace(trend, p_holm=p, direction=way)

    return [
        replace(one, p_holm=next(corrected), trends=[told(trend) for trend in one.trends])
        for one in found
    ]


def families(
    effects: Sequence[EffectGroups], strengths: Mapping[tuple[str, str], float]
) -> Iterator[Family]:
    """Yield the effects of each variant that differ in the sweep's point, or in the line-up."""
    for over, fixed in _KINDS.items():
        for own in grouped_by(effects, fixed):
            if len(own) > 1:
                scales = _swept(own) if over == POINTS else _strength_of(own, strengths)
                yield Family(over, own, scales)


_KINDS: dict[str, Callable[[EffectGroups], tuple[str, str]]] = {
    POINTS: lambda effect: (effect.variant, effect.lineup),
    LINEUPS: lambda effect: (effect.variant, show_all(effect.point)),
}


def _swept(effects: Sequence[EffectGroups]) -> dict[str, list[float]]:
    """Return the sweep's keys that are numbers, and differ."""
    scales: dict[str, list[float]] = {}
    for key in effects[0].point:
        values = [effect.point.get(key) for effect in effects]
        numbers = [
            float(value)
            for value in values
            if isinstance(value, int | float) and not isinstance(value, bool)
        ]
        if len(numbers) == len(effects) and len(set(numbers)) > 1:
            scales[key] = numbers
    return scales


def _strengths(comparison: Comparison) -> dict[tuple[str, str], float]:
    """Return the mean strength of the seats of each table at which all are rated."""
    rated = {
        (show_all({**rating.point, "players": rating.players}), own.policy): own.strength.estimate
        for rating in comparison.ratings or []
        for own in rating.strengths
    }
    found: dict[tuple[str, str], float] = {}
    for table in comparison.lineups:
        options = {key: value for key, value in table.point.items() if "." not in key}
        point = show_all({**options, "players": table.players})
        own = [(rated.get((point, one.policy)), one.seats) for one in table.policies]
        known = [(strength, seats) for strength, seats in own if strength is not None]
        if len(known) == len(own):
            mean = sum(strength * seats for strength, seats in known) / table.players
            found[table.lineup, show_all(table.point)] = mean
    return found


def _strength_of(
    effects: Sequence[EffectGroups], strengths: Mapping[tuple[str, str], float]
) -> dict[str, list[float]]:
    known = [strengths.get((effect.lineup, show_all(effect.point))) for effect in effects]
    values = [value for value in known if value is not None]
    # Fewer than three tables are in order whatever is true of strength.
    return {STRENGTH: values} if len(values) == len(known) >= 3 and len(set(values)) > 1 else {}


def _of_family(family: Family, level: float) -> Iterator[Sameness]:
    outcomes: dict[Outcome, list[int]] = defaultdict(list)
    for place, effect in enumerate(family.effects):
        for outcome in effect.moved:
            outcomes[outcome].append(place)
    names = family.names
    for outcome, places in outcomes.items():
        if len(places) < 2:
            continue
        effects = [family.effects[place] for place in places]
        stack = stacked(effects, outcome)
        count = len(places)
        high, low = int(stack.estimates.argmax()), int(stack.estimates.argmin())
        if high == low:
            high, low = 0, 1
        weights = np.zeros(count)
        weights[high], weights[low] = 1.0, -1.0
        largest = stack.contrast(weights)
        p = wald_p(stack.estimates, stack.parts) if stack.are_many else None
        yield Sameness(
            variant=effects[0].variant,
            over=family.over,
            lineup=effects[0].lineup if family.over == POINTS else None,
            point=effects[0].point if family.over == LINEUPS else None,
            tables=[names[place] for place in places],
            of=outcome.of,
            who=outcome.who,
            number=outcome.number,
            p=min(1.0, pairs_of(count) * largest.p) if p is None else p,
            p_holm=1.0,
            largest=largest.interval(level ** (1 / pairs_of(count))),
            between=[names[places[high]], names[places[low]]],
            trends=[
                _trend(key, [scale[place] for place in places], stack, level)
                for key, scale in family.scales.items()
                if len({scale[place] for place in places}) > 1
            ],
        )


def _trend(key: str, scale: Sequence[float], stack: Stack, level: float) -> Trend:
    at = np.array(scale)
    centred = at - at.mean()
    slope = stack.contrast(centred / float(centred @ centred))
    values = np.unique(at)
    ups = downs = 0
    inside = level ** (1 / (len(values) - 1))
    for low, high in itertools.pairwise(values):
        weights = (at == high) / (at == high).sum() - (at == low) / (at == low).sum()
        step = stack.contrast(weights).interval(inside)
        ups += step.low > 0
        downs += step.high < 0
    way = RISING if slope.estimate > 0 else FALLING
    if ups and downs:
        way = TURNING
    elif (downs if way == RISING else ups) or slope.estimate == 0:
        way = OPEN
    return Trend(key, slope.interval(level), slope.p, 1.0, way)
