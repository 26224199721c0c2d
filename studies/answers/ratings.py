"""Ratings of policies: strengths over all tables of a sweep point, and pairwise payoffs.

*Strengths* follow Luce's choice rule: of those at a table, a seat wins with a probability in
proportion to the worth of its policy. Values are logarithms of the worth against that of a policy
of mean strength; the difference of two is the log-odds that a seat of the one wins rather than one
of the other (for two policies this is the Bradley–Terry model). They depend only on how often each
policy won at each table, so that the maximum-likelihood estimate is a function of the sums by group
of deals, with the influence of an M-estimator. If the policies fall into two sets of which one
never won against the other, or which never met, no estimate exists, and a note says why.

Policies that won nothing against the others, or lost nothing to them, are reported as below or
above all, and the others are rated: under Luce's rule the odds between the remaining policies do
not depend on who else sits at the table.

*Payoffs*: m[i, j] is the share of i in the wins per seat of i and j, over all tables where both
sit. m[i, j] + m[j, i] = 1.

Sources
-------
- R. D. Luce (1959), Individual Choice Behavior; R. L. Plackett (1975), Appl. Stat. 24:193: of a
  finishing order the first place.
- D. R. Hunter (2004), Ann. Stat. 32:384: when the estimate exists (Assumption 1; L. R. Ford 1957).
- H. White (1982), Econometrica 50:1; K.-Y. Liang, S. L. Zeger (1986), Biometrika 73:13: variance
  from scores summed over clusters; it holds where the model is only an approximation, too.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from studies.answers.estimate import Estimate, ratio
from studies.answers.frame_builder import FrameBuilder
from studies.answers.levels import held, never_alike
from studies.answers.table import Place, by_point
from studies.answers.totals import GROUPS
from studies.measures import BASELINE, DECIDED, win_unit

if TYPE_CHECKING:
    from studies.answers.table import TableAnswers

Array = np.ndarray[Any, Any]

MOST_RATED = 40
"""The most policies that are rated together."""

FEWEST_DEALS = 10
"""The fewest deals of a table for strengths."""

_STEPS = 200
_NEAR = 1e-12


@dataclass(frozen=True)
class Won:
    """The wins at a table.

    Attributes
    ----------
    policies : list of int
        Numbers of the policies at the table.
    held : float64[policies]
        Seats held by each.
    wins : float64[policies, groups]
        Matches won by the seats of each.
    decided : float64[groups]
        Decided matches.
    deals : int
        Deals with a decided match.
    """

    policies: list[int]
    held: Array
    wins: Array
    decided: Array
    deals: int

    def chances(self, value: Array) -> Array:
        """Return the win probability of each policy's seats, given all strengths."""
        worth = self.held * np.exp(value[self.policies] - value[self.policies].max())
        chances: Array = worth / worth.sum()
        return chances

    def of_a_seat(self, policy: int) -> Array:
        """Return the matches that a seat of a policy won, by group."""
        at = self.policies.index(policy)
        wins: Array = self.wins[at] / self.held[at]
        return wins


def add(builder: FrameBuilder, tables: Sequence[TableAnswers]) -> list[str]:
    """Add strengths and payoffs; return the reasons for missing ones."""
    notes: list[str] = []
    mixed = (table for table in tables if not table.alone)
    for members in by_point(mixed, _options):
        place = Place(_options(members[0].place.point), "")
        names = list(dict.fromkeys(seat for table in members for seat in table.base.seats))
        if len(names) > MOST_RATED:
            notes.append(f"{len(names)} policies have met; rated are at most {MOST_RATED}")
            continue
        wins = [_won(table, names) for table in members]
        at = held([(table.totals(), table.base) for table in members])
        apart = {
            (first, second)
            for first, second in itertools.combinations(range(len(names)), 2)
            if never_alike(at[names[first]], at[names[second]])
        }
        if apart:
            # Without a seat in common, a strength would be that of the seat, too.
            notes.append("No strengths: some policies never held the same position")
            _add_payoffs(builder, place, names, wins, apart)
            continue
        rated, reasons = _rated(wins, names)
        notes += reasons
        if rated:
            estimate = strengths(_among(wins, rated), len(rated))
            # Equal strengths differ by rounding: they stay in the order of the line-ups.
            order = np.argsort(-np.round(estimate.value, 9), kind="stable").tolist()
            rows = [(f"policy {names[at]}", "strength") for at in rated]
            add_row = partial(builder.add, place, BASELINE, "strength")
            add_row([rows[at] for at in order], estimate[order])
            ahead, behind = map(list, zip(*itertools.combinations(order, 2), strict=True))
            add_row(
                [rows[at] for at in ahead],
                estimate[ahead] - estimate[behind],
                against=[rows[at][0] for at in behind],
                family="ladder",
                null=0.0,
                simultaneous=True,
            )
        _add_payoffs(builder, place, names, wins, apart)
    return notes


def _options(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sweep point without parameters of policies, which distinguish policies instead."""
    return {key: value for key, value in point.items() if "." not in key}


def _won(table: TableAnswers, names: Sequence[str]) -> Won:
    totals, seats = table.totals(), table.base.seats
    policies = list(dict.fromkeys(seats))
    unit = win_unit(len(seats))
    return Won(
        [names.index(policy) for policy in policies],
        np.array([seats.count(policy) for policy in policies], float),
        np.array([totals.by_group(f"win_rate|policy {policy}") for policy in policies]) / unit,
        totals.by_group("decided"),
        totals.total(f"deals|{DECIDED}"),
    )


# ---- strengths


def _rated(tables: Sequence[Won], names: Sequence[str]) -> tuple[list[int], list[str]]:
    """Return the policies that can be rated together, and notes on the others."""
    deals = max(table.deals for table in tables)
    if deals < FEWEST_DEALS:
        return [], [f"No strengths before {FEWEST_DEALS} deals of a table are played"]
    beaten, met = np.zeros((2, len(names), len(names)))
    for table in tables:
        here = np.ix_(table.policies, table.policies)
        met[here] = 1
        beaten[here] += table.wins.sum(axis=1)[:, None]

    def named(members: Array) -> str:
        return ", ".join(name for name, is_member in zip(names, members, strict=True) if is_member)

    groups, of = connected(met)
    if groups > 1:
        apart = " and ".join(named(of == k) for k in range(groups))
        return [], [f"No strengths: {apart} have never met"]
    groups, of = connected(beaten)
    largest = int(np.bincount(of, minlength=groups).argmax())
    rated = of == largest
    if rated.sum() < 2:
        # The component that no other component has beaten.
        first = next(k for k in range(groups) if not beaten[np.ix_(of != k, of == k)].any())
        return [], [f"No strengths: nobody else has won a match against {named(of == first)}"]
    notes = []
    for group in range(groups):
        if group == largest:
            continue
        below = beaten[np.ix_(rated, of == group)].any()
        where = "Below" if below else "Above"
        notes.append(
            f"{where} all policies that are rated, with no {'win' if below else 'loss'} against "
            f"them: {named(of == group)}"
        )
    return np.flatnonzero(rated).tolist(), notes


def _among(tables: Sequence[Won], rated: Sequence[int]) -> list[Won]:
    """Return the tables reduced to some policies: only matches that one of them won."""
    reduced = []
    for table in tables:
        kept = [at for at, policy in enumerate(table.policies) if policy in rated]
        if len(kept) >= 2:
            policies, wins = [rated.index(table.policies[at]) for at in kept], table.wins[kept]
            decided = table.decided if len(kept) == len(table.policies) else wins.sum(axis=0)
            reduced.append(Won(policies, table.held[kept], wins, decided, table.deals))
    return reduced


def connected(edges: Array) -> tuple[int, Array]:
    """Return the number of strongly connected components, and the component of each node."""
    reach = (edges > 0) | np.eye(len(edges), dtype=bool)
    for _ in range(len(edges).bit_length()):  # paths twice as long each time
        reach = reach @ reach
    firsts, of = np.unique((reach & reach.T).argmax(axis=1), return_inverse=True)
    return len(firsts), of


def strengths(tables: Sequence[Won], count: int) -> Estimate:
    """Return the strengths of all policies, which sum to 0.

    Newton's method on the log-likelihood of the winners, which is concave.
    """
    value = np.zeros(count)

    def moved() -> tuple[Array, Array]:
        """Return the wins beyond those expected, by group, and the inverse of the curvature."""
        scores, curvature = np.zeros((count, GROUPS)), np.zeros((count, count))
        for table in tables:
            at, chances = table.policies, table.chances(value)
            scores[at] += table.wins - chances[:, None] * table.decided
            square = np.diag(chances) - np.outer(chances, chances)
            curvature[np.ix_(at, at)] += table.decided.sum() * square
        return scores, np.linalg.pinv(curvature)

    for _ in range(_STEPS):
        scores, inverse = moved()
        step = inverse @ scores.sum(axis=1)
        # Far from the maximum a full step may lead away from it.
        value += step * min(1.0, 1.0 / max(float(np.abs(step).max()), 1e-300))
        if np.abs(step).max() < _NEAR:
            break
    value -= value.mean()
    scores, inverse = moved()
    decided = np.sum([table.decided for table in tables], axis=0)
    share = np.broadcast_to(decided / max(decided.sum(), 1.0), scores.shape)
    influence = inverse @ scores
    free = np.full(count, np.inf)
    return Estimate(
        value,
        influence,
        influence + value[:, None] * share,
        share,
        np.full(count, float(max(table.deals for table in tables))),
        -free,
        free,
        np.full(count, np.nan),
        np.ones(count),
        np.ones(count),
    )


# ---- payoffs


def _add_payoffs(
    builder: FrameBuilder,
    place: Place,
    names: Sequence[str],
    tables: Sequence[Won],
    apart: Collection[tuple[int, int]],
) -> None:
    for pair in itertools.combinations(range(len(names)), 2):
        met = [table for table in tables if set(pair) <= set(table.policies)]
        if pair in apart or not met:
            continue
        wins = [np.sum([table.of_a_seat(at) for table in met], axis=0) for at in pair]
        deals, whole = max(table.deals for table in met), np.array([wins[0] + wins[1]])
        if not whole.any():
            continue
        for (who, part), other in zip(zip(pair, wins, strict=True), pair[::-1], strict=True):
            builder.add(
                place,
                BASELINE,
                "payoff",
                [(f"policy {names[who]}", "payoff")],
                ratio(np.array([part]), whole, deals, low=0.0, high=1.0, centre=0.5),
                against=f"policy {names[other]}",
                # m[i, j] and m[j, i] are equivalent, so only one of them is tested.
                family="payoffs" if who == pair[0] else "",
                null=0.5,
            )
