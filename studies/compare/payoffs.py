"""Payoffs between policies, their cycles and their Nash average, with bootstrap intervals.

The payoff of a policy from another is (w - v) / (w + v), where w and v are their win rates per
seat at tables of these two alone; where two never sat at such a table, at all tables with both. In
mixed tables of one line-up payoffs follow from win rates, which rank the policies, so that only
tables of two can show cycles. What is cyclic is measured on log-odds, log(w / v), where a ranking
by strengths (Bradley & Terry 1952) leaves nothing over (Balduzzi et al. 2018, section 3); half a
win is added to either side (J. B. S. Haldane 1956, Ann. Hum. Genet. 20:309), so that none is
infinite.

Groups of deals are resampled with replacement, the same for all line-ups (B. Efron, R. J.
Tibshirani 1993, An Introduction to the Bootstrap, ch. 8 and 13), so that every figure carries the
dependence of all it is made of. Percentile intervals unless said otherwise.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from studies.compare.results import Cycle, NashShare, Payoff
from studies.stats.intervals import Interval, share_at
from studies.stats.nash import nash_average, nash_averages, root_mean_square, split_cyclic

Array = np.ndarray[Any, Any]

REPLICATES = 1_999
_SEED = 20_260_803
_NOTHING = 1e-9


@dataclass(frozen=True, eq=False)
class Meeting:
    """A table at which policies met.

    Attributes
    ----------
    policies : list of int
        Numbers of its policies.
    shares : array of shape (policies, groups)
        Their win rates per seat, summed over groups of deals.
    deals : array of shape (groups,)
    matches_a_deal : int
    """

    policies: list[int]
    shares: Array
    deals: Array
    matches_a_deal: int


@dataclass(frozen=True)
class PayoffResult:
    """What the payoffs of some policies tell; see `studies.compare.results.Rating`."""

    payoffs: list[Payoff]
    cyclic: Interval | None = None
    transitive: Interval | None = None
    cyclic_p: float | None = None
    cyclic_among: tuple[str, ...] = ()
    cycles: tuple[Cycle, ...] = ()
    nash: tuple[NashShare, ...] = ()


@dataclass(frozen=True)
class _Tables:
    """Payoffs and log-odds: seen (n, n), resampled (replicates, n, n), and where two have met."""

    seen: Array
    resampled: Array
    odds: Array
    resampled_odds: Array
    met: list[tuple[int, int]]
    duels: dict[tuple[int, int], bool]
    deals: dict[tuple[int, int], int]
    matches: dict[tuple[int, int], int]


def describe_payoffs(
    policies: Sequence[str], meetings: Sequence[Meeting], level: float
) -> PayoffResult:
    """Return payoffs, cycles and the Nash average of policies that met at some tables."""
    tables = _resample(len(policies), meetings)
    payoffs = _payoffs(policies, tables, level)
    count = len(policies)
    if count < 2 or len(tables.met) < count * (count - 1) // 2:
        return PayoffResult(payoffs)
    nash = _nash(policies, tables, level)
    _, cyclic = split_cyclic(tables.odds)
    if float(root_mean_square(cyclic)) < _NOTHING:  # one table of all: nothing could be cyclic
        return PayoffResult(payoffs, nash=nash)
    found = PayoffResult(payoffs, cycles=tuple(_cycles(policies, tables, level)), nash=nash)
    among = _with_odds(tables.seen)
    if len(among) < 3:
        return found
    own = np.ix_(among, among)
    transitive, cyclic = split_cyclic(tables.odds[own])
    all_transitive, all_cyclic = split_cyclic(tables.resampled_odds[:, own[0], own[1]])
    moved = root_mean_square(all_cyclic - cyclic)
    size = float(root_mean_square(cyclic))
    return replace(
        found,
        cyclic=_norm_interval(size, moved, level),
        transitive=_norm_interval(
            float(root_mean_square(transitive)),
            root_mean_square(all_transitive - transitive),
            level,
        ),
        cyclic_p=float((1 + (moved >= size).sum()) / (1 + len(moved))),
        cyclic_among=tuple(policies[policy] for policy in among),
    )


def _with_odds(payoffs: Array) -> list[int]:
    """Return policies of which each has won and lost against each: log-odds are known.

    Where one side won throughout they have no bound, and half a win in their place would look like
    a ring. Left out is whoever has most such pairs, of several the one that wins least, until there
    is none.
    """
    left = list(range(len(payoffs)))
    while left:
        own = payoffs[np.ix_(left, left)]
        one_sided = (np.abs(own) > 1 - _NOTHING).sum(axis=1)
        if not one_sided.any():
            break
        left.pop(int(np.lexsort((own.sum(axis=1), -one_sided))[0]))
    return left


def _norm_interval(size: float, moved: Array, level: float) -> Interval:
    """Return an interval of the size of a part of the matrix.

    A size cannot fall below 0, so noise alone makes it positive; by the triangle inequality it
    is off by no more than the size of the error, whose quantile is known.
    """
    reach = float(np.quantile(moved, level))
    return Interval(size, max(0.0, size - reach), size + reach)


def _resample(count: int, meetings: Sequence[Meeting]) -> _Tables:
    groups = np.flatnonzero(sum((meeting.deals for meeting in meetings), np.zeros(1)) > 0)
    weights = _weights(len(groups))
    matrices, odds = (np.zeros((len(weights), count, count)) for _ in range(2))
    ends = np.cumsum([len(meeting.shares) for meeting in meetings])[:-1]
    shares = np.concatenate([meeting.shares[:, groups] for meeting in meetings])
    totals = np.split(weights @ shares.T, ends, axis=1)
    met, duels, deals, matches = [], {}, {}, {}
    for pair in itertools.combinations(range(count), 2):
        both = [meeting for meeting in meetings if set(pair) <= set(meeting.policies)]
        alone = [meeting for meeting in both if len(meeting.policies) == 2]
        used = alone or both
        if not used:
            continue
        own, other = (
            sum(
                (
                    total[:, meeting.policies.index(policy)]
                    for total, meeting in zip(totals, meetings, strict=True)
                    if meeting in used
                ),
                np.zeros(len(weights)),
            )
            for policy in pair
        )
        either = own + other
        payoff = np.divide(own - other, either, out=np.zeros_like(own), where=either > 0)
        matrices[:, pair[0], pair[1]], matrices[:, pair[1], pair[0]] = payoff, -payoff
        half = 0.5 / used[0].matches_a_deal  # of a match, where a deal counts 1
        ratio = np.log((own + half) / (other + half))
        odds[:, pair[0], pair[1]], odds[:, pair[1], pair[0]] = ratio, -ratio
        met.append(pair)
        duels[pair] = bool(alone)
        deals[pair] = int(sum(meeting.deals.sum() for meeting in used))
        matches[pair] = int(sum(meeting.deals.sum() * meeting.matches_a_deal for meeting in used))
    return _Tables(matrices[0], matrices[1:], odds[0], odds[1:], met, duels, deals, matches)


@lru_cache(maxsize=1)
def _weights(groups: int) -> Array:
    """Return how often each group is taken, (1 + replicates, groups): once, and resampled.

    Kept for the next point of the sweep, which mostly has as many groups.
    """
    generator = np.random.default_rng(_SEED)
    chosen = generator.multinomial(groups, np.full(groups, 1 / groups), REPLICATES)
    return np.concatenate([np.ones((1, groups)), chosen])


def _payoffs(policies: Sequence[str], tables: _Tables, level: float) -> list[Payoff]:
    if not tables.met:
        return []
    rows, columns = (np.array(side) for side in zip(*tables.met, strict=True))
    seen, drawn = tables.seen[rows, columns], tables.resampled[:, rows, columns]
    error = drawn.std(axis=0)
    moved = np.divide(np.abs(drawn - seen), error, out=np.zeros_like(drawn), where=error > 0).max(
        axis=1
    )
    critical = float(np.quantile(moved, level))
    found = []
    for place, pair in enumerate(tables.met):
        own = drawn[:, place]
        if error[place] == 0:  # all wins to one side: no resample shows the other
            reach = 2 * share_at(0.0, tables.deals[pair], level).high
            together = 2 * share_at(0.0, tables.deals[pair], 1 - (1 - level) / len(rows)).high
            interval = _within(seen[place], reach)
            simultaneous = _within(seen[place], together)
        else:
            interval = _percentiles(float(seen[place]), own, level)
            simultaneous = _within(seen[place], critical * error[place])
        found.append(
            Payoff(
                first=policies[pair[0]],
                second=policies[pair[1]],
                payoff=interval,
                simultaneous=simultaneous,
                duels=tables.duels[pair],
                matches=tables.matches[pair],
            )
        )
    return found


def _within(seen: float, reach: float) -> Interval:
    return Interval(float(seen), max(-1.0, float(seen - reach)), min(1.0, float(seen + reach)))


def _percentiles(seen: float, drawn: Array, level: float) -> Interval:
    low, high = np.quantile(drawn, [0.5 - level / 2, 0.5 + level / 2])
    return Interval(seen, float(low), float(high))


def _cycles(policies: Sequence[str], tables: _Tables, level: float) -> list[Cycle]:
    """Return the cycles of three that are shown, strongest first; sup-t over all triples."""
    triples = np.array(list(itertools.combinations(range(len(policies)), 3)))
    i, j, k = triples.T

    def around(matrices: Array) -> Array:
        curl: Array = matrices[..., i, j] + matrices[..., j, k] + matrices[..., k, i]
        return curl

    seen, drawn = around(tables.odds), around(tables.resampled_odds)
    error = drawn.std(axis=0)
    moved = np.divide(np.abs(drawn - seen), error, out=np.zeros_like(drawn), where=error > 0)
    reach = float(np.quantile(moved.max(axis=1), level)) * error
    found = []
    for place in np.argsort(-np.abs(seen)):
        strength, wide = abs(float(seen[place])), float(reach[place])
        members = triples[place] if seen[place] > 0 else triples[place][::-1]
        one, two, three = members
        beats = (tables.seen[one, two], tables.seen[two, three], tables.seen[three, one])
        if wide == 0 and min(beats) > 1 - _NOTHING:  # no resample shows the other side
            deals = min(tables.deals[pair] for pair in itertools.combinations(sorted(members), 2))
            lost = share_at(0.0, deals, 1 - (1 - level) / (3 * len(triples))).high
            wide = max(strength - 3 * float(np.log((1 - lost) / lost)), _NOTHING)
        if strength > wide > 0 and min(beats) > 0:
            names = [policies[member] for member in members]
            found.append(Cycle(names, Interval(strength, strength - wide, strength + wide)))
    return found


def _nash(policies: Sequence[str], tables: _Tables, level: float) -> tuple[NashShare, ...]:
    mixture = nash_average(tables.seen)
    mixtures = nash_averages(tables.resampled)
    against = tables.seen @ mixture
    # Where one side won throughout no resample shows the other; what so many deals can exclude.
    unseen = np.zeros_like(tables.seen)
    for (one, other), deals in tables.deals.items():
        if abs(tables.seen[one, other]) > 1 - _NOTHING:
            unseen[one, other] = unseen[other, one] = 2 * share_at(0.0, deals, level).high
    reach = unseen @ mixture
    all_against = np.einsum("gij,gj->gi", tables.resampled, mixtures)
    shares = [
        NashShare(
            policy,
            _covering(float(mixture[own]), mixtures[:, own], level),
            _widened(_covering(float(against[own]), all_against[:, own], level), reach[own]),
        )
        for own, policy in enumerate(policies)
    ]
    return tuple(sorted(shares, key=lambda share: (-share.mass.estimate, -share.against.estimate)))


def _widened(own: Interval, reach: float) -> Interval:
    low, high = max(-1.0, own.low - reach), min(1.0, own.high + reach)
    return Interval(own.estimate, float(low), float(high))


def _covering(seen: float, drawn: Array, level: float) -> Interval:
    """Return the percentile interval, reaching to the estimate where it lies at an edge."""
    interval = _percentiles(seen, drawn, level)
    return Interval(seen, min(interval.low, seen), max(interval.high, seen))
