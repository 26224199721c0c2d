"""How the policies of a study compare: at each table, and over all tables of a sweep point.

Per line-up: win rates per seat, with intervals that cover all policies of the table at once, and
all differences of two policies on the same deals, corrected over the whole study by max-T (sign-
flips over deals). Per sweep point: Plackett–Luce strengths from finishing orders, the matrix of
payoffs between two policies, what of it is cyclic, and its Nash average, each with an interval that
takes the deal as the unit. Nothing here is a rating without its uncertainty.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from simcore.game import get_game
from simcore.options import show_all
from studies.compare.finishing_orders import split
from studies.compare.lineup_sums import LineupSums
from studies.compare.payoffs import Meeting, PayoffResult, describe_payoffs
from studies.compare.results import (
    LineupResult,
    Misfit,
    PolicyDifference,
    PolicyShare,
    PositionShare,
    Rating,
    Strength,
)
from studies.compare.strengths import Fit, Stages, fit_strengths
from studies.compare.variant_sums import equivalent
from studies.deals.values import Seating, match_columns, slices
from studies.design.study import BASELINE
from studies.stats.groups import stacked
from studies.stats.intervals import LEVEL, Interval, clustered_mean, clustered_share, holm
from studies.stats.rare import Changes, bounded_mean, gap_interval, is_near_an_end
from studies.stats.simultaneous import critical_value, critical_values, step_down_p
from studies.store.reading import chunks, read_deals, sound_scans

MOST_RATED = 40
"""Strategies that are rated together: cycles are looked for among all triples, resampled."""


def rate(
    directory: Path, level: float = LEVEL, *, without: Collection[str] = ()
) -> tuple[list[LineupResult], list[Rating]]:
    """Rate the policies of a study under its unchanged rules.

    Parameters
    ----------
    directory : Path
    level : float
    without : collection of str
        Line-ups that are left out: tables of a policy against itself with something forbidden, say,
        whose restricted form has met no other.

    Raises
    ------
    InputError
        If the directory is no study directory, or damaged.
    """
    tables = []
    for cell, scan in sound_scans(directory):
        if cell.variant != BASELINE or cell.lineup in without or not scan.parts:
            continue
        game = get_game(cell.game)
        sums = LineupSums(game, Seating(cell))
        names = [*match_columns(cell.players), *game.metric_names]
        for start, stop in chunks([scan], cell.rotations):
            columns = read_deals(cell, scan, start, stop, names).columns
            sides = [sums.seating.measure(columns, part) for part in slices(stop - start)]
            sums.add(start, columns, sides)
        tables.append(sums)
    return describe_lineups(tables, level), describe_ratings(tables, level)


def describe_lineups(
    tables: Sequence[LineupSums], level: float, margins: Mapping[str, float] | None = None
) -> list[LineupResult]:
    """Return shares and differences at each table; differences are one family over all tables."""
    if not tables:
        return []
    ordered = [_best_first(table) for table in tables]
    family = [
        (place, one, other)
        for place, order in enumerate(ordered)
        for one, other in itertools.combinations(order, 2)
    ]
    groups = stacked(tables[place].group_gap(one, other) for place, one, other in family)
    used = np.sum([table.group_deals for table in tables], axis=0) > 0
    critical = critical_value(groups[used], level) if family else 0.0
    corrected = dict(zip(family, step_down_p(groups[used]), strict=True))
    margin = (margins or {}).get("win_share")
    reaches = critical_values([_centred_shares(table) for table in tables], level)
    found = [
        _lineup_result(
            table,
            ordered[place],
            level,
            reaches[place],
            [
                _difference(
                    table,
                    (one, other),
                    level,
                    critical,
                    len(family),
                    corrected[place, one, other],
                    margin,
                )
                for one, other in itertools.combinations(ordered[place], 2)
            ],
        )
        for place, table in enumerate(tables)
    ]
    return with_holm(found)


def with_holm(results: Sequence[LineupResult]) -> list[LineupResult]:
    """Return results with the p-values of their differences corrected over all of them."""
    corrected = iter(holm([gap.p for result in results for gap in result.differences]))
    return [
        replace(
            result,
            differences=[replace(gap, p_holm=next(corrected)) for gap in result.differences],
        )
        for result in results
    ]


def _best_first(table: LineupSums) -> list[int]:
    policies = range(len(table.seating.policies))
    return sorted(policies, key=lambda policy: -table.shares[policy].mean)


def _centred_shares(table: LineupSums) -> NDArray[np.float64]:
    """Return what groups of deals add to the policies' win rates, less what all add on average."""
    used = table.group_deals > 0
    deals = table.group_decided[used]
    shares = table.group_shares[:, used].T
    centred: NDArray[np.float64] = shares - deals[:, None] * (
        shares.sum(axis=0) / (deals.sum() or 1.0)
    )
    return centred


def _lineup_result(
    table: LineupSums,
    order: Sequence[int],
    level: float,
    reach: float,
    differences: list[PolicyDifference],
) -> LineupResult:
    cell, seating = table.cell, table.seating
    policies = []
    for policy in order:
        of_decided = table.share(policy)
        ends = 0.0, 1.0 / seating.held[policy]
        fares = _fares(table, policy, level)
        single = fares["win_share"]
        if is_near_an_end(of_decided, *ends):
            together = bounded_mean(of_decided, *ends, 1 - (1 - level) / len(order))
        else:
            wide = reach * of_decided.standard_error
            together = replace(single, low=single.estimate - wide, high=single.estimate + wide)
        policies.append(
            PolicyShare(
                **fares,
                policy=seating.policies[policy],
                seats=seating.held[policy],
                simultaneous=together,
            )
        )
    return LineupResult(
        lineup=cell.lineup,
        point=cell.point,
        players=cell.players,
        rotated=cell.rotations > 1 or len(seating.policies) == 1,
        deals=table.deals,
        rotations=cell.rotations,
        matches=table.deals * cell.rotations,
        aborted=table.aborted,
        aborted_share=clustered_share(table.missing, cell.rotations, level),
        policies=policies,
        positions=[
            PositionShare(**_fares(table, len(order) + position, level), position=position)
            for position in range(cell.players)
        ],
        differences=differences,
        metrics={name: clustered_mean(deals, level) for name, deals in table.metrics.items()},
    )


def _fares(table: LineupSums, subject: int, level: float) -> dict[str, Interval]:
    """Return the fields of `Fares`."""
    ends = 0.0, 1.0 / table.seating.held[subject]
    return {
        "win_share": bounded_mean(table.share(subject), *ends, level),
        "score": clustered_mean(table.scores[subject], level),
        "win_share_of_all": bounded_mean(table.shares[subject], *ends, level),
    }


def _difference(
    table: LineupSums,
    pair: tuple[int, int],
    level: float,
    critical: float,
    family: int,
    corrected: float,
    margin: float | None,
) -> PolicyDifference:
    one, other = pair
    deals = table.gap(one, other)
    held = table.seating.held
    bound = 1.0 / min(held[one], held[other])
    few = table.few_gaps(one, other)
    seats = held[one], held[other]
    single = gap_interval(deals, few, seats, level)
    # Where few deals tell, at a higher level (Bonferroni); never narrower than the single interval.
    together = gap_interval(deals, few, seats, 1 - (1 - level) / family)
    plain = clustered_mean(deals, level, bound=bound)
    if (single.low, single.high) == (plain.low, plain.high) and deals.standard_error > 0:
        wide = critical * deals.standard_error
        together = replace(single, low=single.estimate - wide, high=single.estimate + wide)
    p = table.flip(one, other).p()
    return PolicyDifference(
        first=table.seating.policies[one],
        second=table.seating.policies[other],
        difference=single,
        simultaneous=together,
        p=p,
        p_family=max(p, corrected),
        p_holm=p,
        equivalence=None
        if margin is None
        else equivalent(Changes.kept(deals, few), margin, bound=bound),
    )


def describe_ratings(tables: Sequence[LineupSums], level: float) -> list[Rating]:
    """Return the rating of each sweep point with two policies or more.

    Values of a policy's parameter are policies of their own and are rated together, so that a point
    is one of options only.
    """
    points: dict[str, list[LineupSums]] = {}
    for table in tables:
        if len(table.seating.policies) > 1:
            point = show_all({**_options_of(table.cell.point), "players": table.cell.players})
            points.setdefault(point, []).append(table)
    return [_rating(found, level) for found in points.values()]


def _options_of(point: Mapping[str, object]) -> dict[str, object]:
    """Return a sweep point without the parameters of policies."""
    return {key: value for key, value in point.items() if "." not in key}


def _rating(tables: Sequence[LineupSums], level: float) -> Rating:
    policies = list(dict.fromkeys(name for table in tables for name in table.seating.policies))
    if len(policies) > MOST_RATED:
        fit, payoffs = Fit([], "", None, _too_many(len(policies))), PayoffResult([])
    else:
        fit = _strengths(tables, policies, level)
        payoffs = _payoffs(tables, policies, level)
    strengths = [
        Strength(policy, strength)
        for policy, strength in zip(policies, fit.strengths, strict=bool(fit.strengths))
    ]
    first = tables[0].cell
    return Rating(
        point=_options_of(first.point),
        players=first.players,
        policies=policies,
        lineups=list(dict.fromkeys(table.cell.lineup for table in tables)),
        deals=int(max(table.deals for table in tables)),
        strengths=sorted(strengths, key=lambda own: -own.strength.estimate),
        no_strengths=fit.reason,
        reference=fit.reference,
        lead=fit.lead,
        rival=fit.rival,
        fit_p=None if fit.test is None else fit.test.p,
        misfits=_misfits(fit, tables, policies, level),
        orders=sum(table.orders.orders for table in tables if table.orders),
        aborted=sum(table.aborted for table in tables),
        payoffs=payoffs.payoffs,
        cyclic=payoffs.cyclic,
        transitive=payoffs.transitive,
        cyclic_p=payoffs.cyclic_p,
        cyclic_among=list(payoffs.cyclic_among),
        cycles=list(payoffs.cycles),
        nash=list(payoffs.nash),
    )


def _misfits(
    fit: Fit, tables: Sequence[LineupSums], policies: Sequence[str], level: float
) -> list[Misfit]:
    return [
        Misfit(
            lineup=tables[own.table].cell.lineup,
            policy=policies[own.policy],
            winning=own.winning,
            seen=own.seen,
            expected=own.expected,
            p=own.p,
        )
        for own in (fit.test.deviations if fit.test else [])
        if own.p <= 1 - level
    ]


def _too_many(count: int) -> str:
    return (
        f"not told: {count:,} strategies have met, each value of a parameter counted; told are "
        f"strengths and payoffs of at most {MOST_RATED}"
    )


def _strengths(tables: Sequence[LineupSums], policies: list[str], level: float) -> Fit:
    stages = []
    for table in tables:
        assert table.orders is not None
        counts = table.orders.stages
        stages.append(
            Stages(
                seats=[policies.index(name) for name in table.cell.seats],
                kinds=[split(kind, table.cell.players) for kind in counts.columns],
                counts=counts.table,
            )
        )
    return fit_strengths(stages, policies, level)


def _payoffs(tables: Sequence[LineupSums], policies: list[str], level: float) -> PayoffResult:
    meetings = [
        Meeting(
            policies=[policies.index(name) for name in table.seating.policies],
            shares=table.group_shares,
            deals=table.group_deals,
            matches_a_deal=table.cell.rotations,
        )
        for table in tables
    ]
    return describe_payoffs(policies, meetings, level)
