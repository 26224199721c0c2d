"""What variants change over a population of tables: random effects over those that were drawn.

For each variant, outcome and sweep point the changes at the drawn tables go into one summary
(`studies.stats.random_effects`). The tables play the same deals; how far this ties their errors
together is told by the groups of deals (`studies.compare.by_group`), and the summary is given their
whole covariance. Of sums the groups are blocks: where these are too few for that, the errors are
taken to be independent, and this is said.

A policy is told of where it sits with others: among its like its win rate cannot change. Positions
are left out, since every policy of a table sits at each. So are rows of a factorial design,
controls, and outcomes that no deal at any table changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from simcore.options import show_all
from studies.compare.by_group import EffectGroups, Outcome, grouped_by, stacked
from studies.compare.population_results import Population, PopulationEffect
from studies.design.study import Study
from studies.stats.intervals import Interval, holm
from studies.stats.random_effects import random_effects
from studies.stats.sameness import SPARE_GROUPS

Array = np.ndarray[Any, Any]

SHARE = "another_winner"
"""The outcome that is a share, from 0 to 1."""


def population(study: Study, effects: Sequence[EffectGroups], level: float) -> Population | None:
    """Return the summaries over the tables that a study draws; None where it draws none."""
    drawn = study.population
    if drawn is None:
        return None
    own = [effect for effect in effects if effect.lineup in drawn.names and effect.changed]
    found: list[PopulationEffect] = []
    shared = True
    for members in grouped_by(own, lambda effect: (effect.variant, show_all(effect.point))):
        for outcome, told in _by_outcome(members):
            one, tied = _summary(outcome, told, level)
            shared &= tied
            found += [one] if one else []
    corrected = holm([one.p for one in found])
    whole = sum(drawn.policies.values())
    return Population(
        policies={policy: weight / whole for policy, weight in drawn.policies.items()},
        tables=drawn.names,
        shared_deals=shared,
        effects=[replace(one, p_holm=p) for one, p in zip(found, corrected, strict=True)],
    )


def _by_outcome(
    members: Sequence[EffectGroups],
) -> Iterator[tuple[Outcome, list[EffectGroups]]]:
    """Yield the outcomes that two tables or more tell, and those tables."""
    outcomes: dict[Outcome, list[EffectGroups]] = defaultdict(list)
    for effect in members:
        for outcome in effect.moved:
            alone = Outcome(outcome.of, outcome.who, "win_share") not in effect.moved
            if outcome.of == "position" or (outcome.of == "policy" and alone):
                continue
            outcomes[outcome].append(effect)
    yield from ((outcome, told) for outcome, told in outcomes.items() if len(told) > 1)


def _summary(
    outcome: Outcome, effects: Sequence[EffectGroups], level: float
) -> tuple[PopulationEffect | None, bool]:
    """Return a summary, None where nothing changed or is known, and whether deals were paired."""
    stack = stacked(effects, outcome)
    tables, groups = stack.parts.shape
    if groups < 2 or not (stack.parts.any() or stack.estimates.any()):
        return None, True
    covariance = stack.parts @ stack.parts.T * groups / (groups - 1)
    tied = groups - tables >= SPARE_GROUPS
    if not tied:
        covariance = np.diag(np.diag(covariance))
    found = random_effects(stack.estimates, covariance, level)
    mean, prediction = found.mean, found.prediction
    if outcome.number == SHARE:
        mean = _as_share(mean)
        prediction = prediction and _as_share(prediction)
    changes = [stack.contrast(row).interval(level) for row in np.eye(tables)]
    return (
        PopulationEffect(
            variant=effects[0].variant,
            point=effects[0].point,
            of=outcome.of,
            who=outcome.who,
            number=outcome.number,
            tables=[effect.lineup for effect in effects],
            changes=changes,
            mean=mean,
            spread=found.spread,
            prediction=prediction,
            p=found.p,
            p_holm=1.0,
        ),
        tied,
    )


def _as_share(interval: Interval) -> Interval:
    return Interval(interval.estimate, max(0.0, interval.low), min(1.0, interval.high))
