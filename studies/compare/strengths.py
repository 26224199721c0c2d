"""Plackett–Luce strengths of policies from finishing orders, with deal-robust intervals.

Every seat has the worth exp(strength) of its policy; of those still in, each comes next with a
probability in proportion to its worth. Ties are orders that were not seen: their probability is the
sum over all orders of the tied set.

Sources
-------
- R. L. Plackett (1975), Appl. Stat. 24:193; R. D. Luce (1959), Individual Choice Behavior.
- D. R. Hunter (2004), Ann. Stat. 32:384: when the estimate exists (Assumption 1: the policies
  cannot be divided into two sets of which one was never beaten by the other; L. R. Ford 1957).
- P. D. Allison, N. A. Christakis (1994), Sociol. Methodol. 24:199: ties and partial rankings by
  the marginal likelihood (J. D. Kalbfleisch, R. L. Prentice 1973, Biometrika 60:267).
- H. White (1982), Econometrica 50:1; K.-Y. Liang, S. L. Zeger (1986), Biometrika 73:13: the
  variance B⁻¹ M B⁻¹ from scores summed over independent clusters, here groups of deals, so that
  neither the stages of an order nor the matches of a deal are counted as independent. It holds for
  the best fitting strengths also where the model is only an approximation.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse.csgraph import connected_components
from scipy.special import stdtrit

from studies.stats.fit import Block, FitTest, fit_test
from studies.stats.intervals import Interval

Array = np.ndarray[Any, Any]

_STEP = 1e-5


@dataclass(frozen=True)
class Stages:
    """Stages of finishing orders of one table.

    Attributes
    ----------
    seats : list of int
        Policy of each entry of the line-up.
    kinds : list of (list of int, list of int)
        Entries still in, entries that come next (a true subset; two or more when tied).
    counts : array of shape (groups, kinds)
    """

    seats: list[int]
    kinds: list[tuple[list[int], list[int]]]
    counts: Array


@dataclass(frozen=True)
class Fit:
    """Estimated strengths, or the reason for none.

    Attributes
    ----------
    strengths : list of Interval
        Log-odds against the reference, whose own strength is 0.
    reference : str
        The policy against which the others are known best: least mean variance of the differences.
    covariance : array of shape (policies, policies) or None
        Of the strengths with sum 0.
    lead : Interval or None
        Strength of the first less that of the `rival`: the other one of which it is told least that
        it is weaker.
    test : FitTest or None
        Whether one strength a policy fits; None where it cannot be told.
    """

    strengths: list[Interval]
    reference: str
    covariance: Array | None
    reason: str = ""
    lead: Interval | None = None
    rival: str = ""
    test: FitTest | None = None


def fit_strengths(tables: Sequence[Stages], policies: Sequence[str], level: float) -> Fit:
    """Estimate the strengths of policies from the stages of several tables together.

    Parameters
    ----------
    tables : sequence of Stages
        Their groups are the same groups of deals.
    policies : sequence of str
        Names, in the order of the numbers in `Stages.seats`.
    """
    reason = _no_estimate(tables, policies)
    if reason:
        return Fit([], "", None, reason)
    likelihood = _Likelihood(tables, len(policies))
    found = minimize(
        likelihood.loss, np.zeros(len(policies)), jac=True, method="BFGS", options={"gtol": 1e-9}
    )
    blocks = likelihood.blocks(found.x)
    inverse = likelihood.inverse_curvature(blocks)
    covariance = likelihood.robust_covariance(found.x, inverse)
    own = np.diag(covariance)
    variances = own[:, None] + own - 2 * covariance
    reference = int(variances.sum(axis=1).argmin())
    used = likelihood.groups_used
    quantile = float(stdtrit(used - 1, 0.5 + level / 2)) if used > 1 else np.inf
    strengths = found.x - found.x[reference]
    errors = np.sqrt(np.maximum(variances[reference], 0.0))
    errors[reference] = 0.0
    reach = np.multiply(quantile, errors, out=np.zeros_like(errors), where=errors > 0)
    intervals = [
        Interval(float(middle), float(middle - wide), float(middle + wide))
        for middle, wide in zip(strengths, reach, strict=True)
    ]
    lead, rival = _lead(found.x, variances, quantile)
    return Fit(
        intervals,
        policies[reference],
        covariance,
        lead=lead,
        rival=policies[rival],
        test=fit_test(blocks, inverse),
    )


def _lead(strengths: Array, variances: Array, quantile: float) -> tuple[Interval, int]:
    """Return by how much the strongest is ahead of the other that it is least surely ahead of.

    Who is ahead of each of the others, each by its own interval, is first: no correction is needed
    for a statement that needs all of them (R. L. Berger 1982, Technometrics 24:295).
    """
    first = int(strengths.argmax())
    found = []
    for other in range(len(strengths)):
        if other != first:
            gap = float(strengths[first] - strengths[other])
            error = float(np.sqrt(max(variances[first, other], 0.0)))
            reach = quantile * error if error > 0 else np.inf
            found.append((Interval(gap, gap - reach, gap + reach), other))
    return min(found, key=lambda own: (own[0].low, own[0].estimate))


def _no_estimate(tables: Sequence[Stages], policies: Sequence[str]) -> str:
    """Return why there is no estimate, or nothing."""
    ahead = _ever_ahead(tables, len(policies))
    count, part = connected_components(ahead, directed=True, connection="strong")
    if count == 1:
        return ""
    for own in range(count):
        inside = part == own
        if not ahead[np.ix_(inside, ~inside)].any():
            names = ", ".join(name for name, here in zip(policies, inside, strict=True) if here)
            return f"none, because in these matches {names} never finished ahead of another policy"
    return "none, because the policies did not all meet"


def _ever_ahead(tables: Sequence[Stages], policies: int) -> Array:
    """Return which policy finished ahead of which, or tied with it: any order is possible then."""
    ahead = np.zeros((policies, policies), dtype=bool)
    met: set[tuple[int, int]] = set()
    for table in tables:
        seats = table.seats
        seen = table.counts.sum(axis=0) > 0
        for (still_in, following), here in zip(table.kinds, seen, strict=True):
            if here:
                winners, others = ({seats[own] for own in of} for of in (following, still_in))
                met.update(itertools.product(winners, others))
    for one, other in met:
        ahead[one, other] = one != other
    return ahead


class _Likelihood:
    """Log-likelihood of stages, with its gradient by kind of stage."""

    def __init__(self, tables: Sequence[Stages], policies: int) -> None:
        self.policies = policies
        rows: dict[int, list[tuple[Array, Array]]] = defaultdict(list)
        counts: dict[int, list[Array]] = defaultdict(list)
        blocks: dict[int, list[tuple[int, bool]]] = defaultdict(list)
        for place, table in enumerate(tables):
            seats = np.asarray(table.seats)
            sizes = np.array([len(following) for _, following in table.kinds], dtype=np.int64)
            for still_in, following in table.kinds:
                present = np.bincount(seats[still_in], minlength=policies)
                rows[len(following)].append((present, seats[following]))
                blocks[len(following)].append((place, len(still_in) == len(seats)))
            for size in np.unique(sizes).tolist():
                counts[size].append(table.counts[:, sizes == size])
        self._sizes = sorted(rows)
        self._present = {k: np.array([row[0] for row in rows[k]], dtype=float) for k in rows}
        self._next = {k: np.array([row[1] for row in rows[k]]) for k in rows}
        self._came = np.concatenate(
            [np.eye(policies)[self._next[size]].sum(axis=1) for size in self._sizes]
        )
        self._table = [table for size in self._sizes for table, _ in blocks[size]]
        self._winning = [winning for size in self._sizes for _, winning in blocks[size]]
        self.counts = np.concatenate(
            [own for size in self._sizes for own in counts[size]], axis=1, dtype=np.float64
        )
        self.groups_used = int((self.counts.sum(axis=1) > 0).sum())
        self._all = self.counts.sum(axis=0)

    def loss(self, strengths: Array) -> tuple[float, Array]:
        """Return the negative mean log-likelihood and its gradient, held at sum 0."""
        values, gradients = self.by_kind(strengths)
        total = self._all.sum()
        pull = strengths.mean()
        loss = -float(self._all @ values) / total + pull * pull / 2
        return loss, -(self._all @ gradients) / total + pull / len(strengths)

    def by_kind(self, strengths: Array) -> tuple[Array, Array]:
        """Return log-probabilities (kinds,) and their gradients (kinds, policies)."""
        worth = np.exp(strengths - strengths.max())
        found = [_tied(worth, self._present[size], self._next[size], size) for size in self._sizes]
        return (
            np.concatenate([value for value, _ in found]),
            np.concatenate([gradient for _, gradient in found]),
        )

    def blocks(self, strengths: Array) -> list[Block]:
        """Return scores and curvatures of every table, winning and coming next apart."""
        gradients = self.by_kind(strengths)[1]
        bends = np.empty((len(gradients), self.policies, self.policies))
        for policy in range(self.policies):
            step = np.zeros(self.policies)
            step[policy] = _STEP
            up, down = (self.by_kind(strengths + s)[1] for s in (step, -step))
            bends[:, :, policy] = -(up - down) / (2 * _STEP)
        found = []
        for table, winning in sorted(set(zip(self._table, self._winning, strict=True))):
            own = (np.array(self._table) == table) & (np.array(self._winning) == winning)
            counts = self._all[own]
            curvature = np.einsum("k,kij->ij", counts, bends[own])
            found.append(
                Block(
                    table=table,
                    winning=winning,
                    scores=self.counts[:, own] @ gradients[own],
                    curvature=(curvature + curvature.T) / 2,
                    seen=counts @ self._came[own],
                    stages=float(counts.sum()),
                )
            )
        return found

    def inverse_curvature(self, blocks: Sequence[Block]) -> Array:
        """Return the inverse of the curvature of the log-likelihood, at sum 0."""
        bread = np.sum([block.curvature for block in blocks], axis=0)
        inverse: Array = np.linalg.pinv(bread, rcond=1e-9, hermitian=True)
        return inverse

    def robust_covariance(self, strengths: Array, inverse: Array) -> Array:
        """Return the sandwich covariance over groups of deals."""
        scores = self.counts @ self.by_kind(strengths)[1]
        used = scores[self.counts.sum(axis=1) > 0]
        meat = used.T @ used * len(used) / max(len(used) - 1, 1)
        covariance: Array = inverse @ meat @ inverse
        return covariance


def _tied(worth: Array, present: Array, following: Array, size: int) -> tuple[Array, Array]:
    """Return log-probability and gradient of "these `size` seats come next, in any order".

    Sums over the subsets of the tied set that have come already: chance[s] is the probability that
    the first |s| to come are those of s; with it goes its derivative by each policy's strength.
    """
    kinds, policies = present.shape
    one = np.eye(policies)[following]  # (kinds, size, policies)
    chance = np.zeros((1 << size, kinds))
    slope = np.zeros((1 << size, kinds, policies))
    chance[0] = 1.0
    for subset in range(1 << size):
        gone = sum((one[:, place] for place in range(size) if subset >> place & 1), np.zeros(1))
        left = (present - gone) * worth  # (kinds, policies)
        total = left.sum(axis=1)
        for place in range(size):
            if not subset >> place & 1:
                after = subset | 1 << place
                share = worth[following[:, place]] / total
                step = one[:, place] - left / total[:, None]
                chance[after] += chance[subset] * share
                slope[after] += (slope[subset] + chance[subset][:, None] * step) * share[:, None]
    last = chance[-1]
    return np.log(last), slope[-1] / last[:, None]
