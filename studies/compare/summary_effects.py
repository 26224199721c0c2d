"""Shares, changes and their tests from exact sums over deals (`studies.deals.sums`).

Nothing but sums is needed: a value a deal enters through its sum, its sum of squares and its
products with the deal's aborted matches, and through itself only where few deals differ. The
estimators are those that `studies.compare.variant_sums` and `studies.compare.lineup_sums` use.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np

from simcore.game import get_game
from studies.compare.decided import Products, Ratio, change_of_ratios, ratio
from studies.compare.results import (
    Change,
    LineupResult,
    PolicyDifference,
    PolicyEffect,
    PolicyShare,
    PositionEffect,
    PositionShare,
    VariantEffect,
)
from studies.deals.sums import Sums, metric_names, seats_of
from studies.design.cells import StudyCell, changed_clauses, changed_options
from studies.stats.intervals import (
    Interval,
    Moments,
    clustered_mean,
    clustered_p,
    clustered_share,
    mcnemar_p,
    newcombe,
)
from studies.stats.rare import Changes, bounded_mean, change_interval, gap_interval, linearised
from studies.stats.signflip import SignFlip

_NOT_TOLD: dict[str, Any] = dict.fromkeys(("gained_share", "lost_share", "among_winners_tango"))
"""What of `WinEffect` sums never tell."""


def _without_ends(estimate: float) -> Interval:
    """Return an estimate whose interval takes resampled deals."""
    return Interval(float(estimate), math.nan, math.nan)


def _moments(deals: int, total: Fraction, squares: Fraction) -> Moments:
    """Return the moments of values from their exact sum and sum of squares."""
    if not deals:
        return Moments()
    return Moments(deals, float(total / deals), float(squares - total * total / deals))


def _of(sums: Sums, name: str, unit: int, squares: str | None = None) -> Moments:
    deals = sums["pair.deals"] if name.startswith("pair.") else sums["deals"]
    scaled = Fraction(sums[name], unit)
    return _moments(deals, scaled, Fraction(sums[squares or f"{name}.sq"], unit * unit))


def _flip_p(sums: Sums, name: str, unit: int = 1) -> float:
    """Return the p-value of the sign-flip test of a change that is kept under a name."""
    return SignFlip.of_sums(
        float(sums[name]) / unit, float(sums[f"{name}.sq"]) / unit**2, sums.values_of(name)
    ).p()


def _change(sums: Sums, name: str, unit: int, level: float, bound: float | None = None) -> Change:
    """Return the mean without the variant (that with it less the change), and the change."""
    changes = _changes(sums, f"pair.{name}", unit)
    before = Fraction(sums[name] - sums[f"pair.{name}"], unit * max(1, sums["deals"]))
    return Change(
        float(before), change_interval(changes, level, bound=bound), _flip_p(sums, f"pair.{name}")
    )


def _changes(sums: Sums, name: str, unit: int) -> Changes:
    few = sums.values_of(name)
    return Changes.kept(_of(sums, name, unit), None if few is None else few / unit)


def _share_change(
    cell: StudyCell, sums: Sums, name: str, held: int, level: float
) -> dict[str, Any]:
    """Return the change of a win rate of decided matches, and of all."""
    unit, size = seats_of(cell).unit, cell.rotations
    of_all = _change(sums, name, unit * size * held, level, 1 / held)
    if not sums["aborted"] and not sums["pair.before.aborted"]:
        return {"win_share": of_all, "win_share_of_all": of_all}
    squares = sums[f"{name}.{name.rpartition('.')[2]}"] or sums[f"{name}.sq"]
    before = sums[f"pair.before.{name}.sq"]
    products = Products(4)
    products.deals = sums["pair.deals"]
    products.totals = [
        sums[f"pair.before.{name}"],
        sums[name],
        sums["pair.before.aborted"],
        sums["aborted"],
    ]
    for row, column, value in (
        (0, 0, before),
        (1, 1, squares),
        (0, 1, (before + squares - sums[f"pair.{name}.sq"]) // 2),
        (0, 2, sums[f"pair.before.{name}.aborted"]),
        (0, 3, sums[f"pair.before.{name}.aborted_with"]),
        (1, 2, sums[f"pair.after.{name}.aborted_without"]),
        (1, 3, sums[f"{name}.aborted"]),
        (2, 2, sums["pair.before.aborted.sq"]),
        (3, 3, sums["aborted.sq"]),
        (2, 3, sums["pair.aborted.product"]),
    ):
        products.put(row, column, value)
    deals = sums["deals"]
    alive = [deals - sums["pair.before.empty"], deals - sums["empty"]]
    baseline, moments = change_of_ratios(products, size, alive, unit, held)
    moved = products.products[2][2] + products.products[3][3] != 2 * products.products[2][3]
    change = Change(
        baseline,
        change_interval(
            linearised(moments, sums.values_of(f"pair.{name}"), 1 / held), level, bound=1 / held
        ),
        clustered_p(moments) if moved else of_all.p,
    )
    return {"win_share": change, "win_share_of_all": of_all}


def _event(cell: StudyCell, sums: Sums, name: str) -> Ratio:
    """Return the matches of some kind over those decided in both."""
    products = Products(2)
    products.deals = sums["pair.deals"]
    products.totals = [sums[name], sums["pair.undecided"]]
    products.put(0, 0, sums[f"{name}.sq"])
    products.put(0, 1, sums[f"{name}.undecided"])
    products.put(1, 1, sums["pair.undecided.sq"])
    return ratio(products, cell.rotations, products.deals - sums["pair.undecided.empty"])


def sum_effect(
    base: StudyCell, cell: StudyCell, before: Sums, sums: Sums, level: float
) -> VariantEffect:
    """Return what a variant changes; `before` are the baseline's sums on the same deals."""
    game, rotations, deals = get_game(cell.game), cell.rotations, sums["pair.deals"]
    changed = changed_options(base, cell)
    bound = None if changed else 0.0  # a control changes nothing
    one, two = (_winner_shares(cell, part) for part in (before, sums))
    differ = clustered_share(_of(sums, "pair.differ", rotations), rotations, level)
    any_aborted = sums["aborted"] or sums["pair.before.aborted"]
    another = _event(cell, sums, "pair.another").share(level) if any_aborted else differ
    return VariantEffect(
        variant=cell.variant,
        lineup=cell.lineup,
        point=cell.point,
        changed=changed,
        control=not changed,
        deals=deals,
        rotations=rotations,
        matches=deals * rotations,
        winners_differ_count=sums["pair.differ"],
        winners_differ=differ,
        floor=_without_ends(1 - np.minimum(one, two).sum() / rotations),
        independent=_without_ends(1 - (one * two).sum() / rotations),
        clauses=changed_clauses(game, changed),
        in_play_count=sums["pair.in_play"] if changed else None,
        in_play=clustered_share(_of(sums, "pair.in_play", rotations), rotations, level)
        if changed
        else None,
        policies=[
            _policy(cell, sums, place, level, bound)
            for place in range(len(seats_of(cell).policies))
        ],
        positions=[
            PositionEffect(
                **_share_change(cell, sums, f"position_share.{place}", 1, level),
                score=_change(sums, f"position_score.{place}", rotations, level, bound),
                **_NOT_TOLD,
                gained=None,
                lost=None,
                among_winners=None,
                among_winners_p=None,
                position=place,
            )
            for place in range(cell.players)
        ],
        metrics={
            name: _change(sums, f"metric.{name}", rotations, level, bound)
            for name in metric_names(cell)
        },
        aborted=[sums["pair.before.aborted"], sums["aborted"]],
        aborted_share=[
            clustered_share(
                _moments(
                    deals,
                    Fraction(sums[name], rotations),
                    Fraction(sums[f"{name}.sq"], rotations**2),
                ),
                rotations,
                level,
            )
            for name in ("pair.before.aborted", "aborted")
        ],
        aborted_in_one_count=sums["pair.aborted_in_one"],
        aborted_in_one=clustered_share(
            _of(sums, "pair.aborted_in_one", rotations), rotations, level
        ),
        decided=deals * rotations - sums["pair.undecided"],
        another_winner_count=sums["pair.another"] if any_aborted else sums["pair.differ"],
        another_winner=another,
    )


def _policy(
    cell: StudyCell, sums: Sums, place: int, level: float, bound: float | None
) -> PolicyEffect:
    tables = seats_of(cell)
    held, rotations = tables.held[place], cell.rotations
    gained, lost, both = (sums[f"pair.{key}.{place}"] for key in ("gained", "lost", "both"))
    if rotations == 1:
        decided = sums["pair.deals"] - sums["pair.undecided"]
        neither = decided - gained - lost - both
        among, p = newcombe(both, gained, lost, neither, level), mcnemar_p(gained, lost)
    else:
        name = f"pair.among.{place}"
        changes = _changes(sums, name, rotations)
        if sums["pair.undecided"]:
            changes = linearised(_event(cell, sums, name).value, sums.values_of(name), 1.0)
        among, p = change_interval(changes, level, bound=1.0), _flip_p(sums, name)
    return PolicyEffect(
        **_share_change(cell, sums, f"share.{place}", held, level),
        score=_change(sums, f"score.{place}", rotations * held, level, bound),
        **_NOT_TOLD,
        gained=gained,
        lost=lost,
        among_winners=among,
        among_winners_p=p,
        policy=tables.policies[place],
        seats=held,
    )


def _winner_shares(
    cell: StudyCell, sums: Sums
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the share of each set of winners in each rotation."""
    shares = np.zeros((cell.rotations, 1 << cell.players))
    for name, count in sums.values.items():
        if name.startswith("winners."):
            _, rotation, mask = name.split(".")
            shares[int(rotation), int(mask)] = count / sums["deals"]
    return shares


def _share_of(cell: StudyCell, sums: Sums, name: str, squares: str, held: int) -> list[Moments]:
    """Return a win rate per seat, of decided matches and of all."""
    unit, size = seats_of(cell).unit, cell.rotations
    of_all = _of(sums, name, unit * size * held, squares)
    if not sums["aborted"]:
        return [of_all, of_all]
    products = _single(sums, sums[name], sums[squares], sums[f"{name}.aborted"])
    found = ratio(products, size, sums["deals"] - sums["empty"], unit)
    return [found.mean().scaled(1 / held), of_all]


def _single(sums: Sums, total: int, squares: int, aborted: int) -> Products:
    products = Products(2)
    products.deals, products.totals = sums["deals"], [total, sums["aborted"]]
    products.put(0, 0, squares)
    products.put(0, 1, aborted)
    products.put(1, 1, sums["aborted.sq"])
    return products


def sum_lineup(cell: StudyCell, sums: Sums, level: float) -> LineupResult:
    """Return how the policies and positions of a cell fare."""
    tables, rotations = seats_of(cell), cell.rotations

    def fares(at: int, kind: str, squares: str, held: int) -> dict[str, Interval]:
        decided, of_all = _share_of(cell, sums, f"{kind}share.{at}", squares, held)
        return {
            "win_share": bounded_mean(decided, 0.0, 1 / held, level),
            "score": clustered_mean(_of(sums, f"{kind}score.{at}", rotations * held), level),
            "win_share_of_all": bounded_mean(of_all, 0.0, 1 / held, level),
        }

    policies = [
        PolicyShare(
            **fares(at, "", f"share.{at}.{at}", held),
            policy=policy,
            seats=held,
            simultaneous=None,
        )
        for at, (policy, held) in enumerate(zip(tables.policies, tables.held, strict=True))
    ]
    order = sorted(range(len(policies)), key=lambda at: -policies[at].win_share.estimate)
    return LineupResult(
        lineup=cell.lineup,
        point=cell.point,
        players=cell.players,
        rotated=rotations > 1 or len(policies) == 1,
        deals=sums["deals"],
        rotations=rotations,
        matches=sums["deals"] * rotations,
        aborted=sums["aborted"],
        aborted_share=clustered_share(_of(sums, "aborted", rotations), rotations, level),
        policies=[policies[at] for at in order],
        positions=[
            PositionShare(**fares(at, "position_", f"position_share.{at}.sq", 1), position=at)
            for at in range(cell.players)
        ],
        differences=[
            _difference(cell, sums, first, second, level)
            for first, second in itertools.combinations(order, 2)
        ],
        metrics={
            name: clustered_mean(_of(sums, f"metric.{name}", rotations), level)
            for name in metric_names(cell)
        },
    )


def _difference(
    cell: StudyCell, sums: Sums, first: int, second: int, level: float
) -> PolicyDifference:
    tables = seats_of(cell)
    held = tables.held
    one, two = held[second], held[first]  # the gap in units of 1 / (unit times both seats)
    low, high = sorted((first, second))
    squares = (
        sums[f"share.{first}.{first}"] * one**2
        + sums[f"share.{second}.{second}"] * two**2
        - 2 * sums[f"share.{low}.{high}"] * one * two
    )
    total = sums[f"share.{first}"] * one - sums[f"share.{second}"] * two
    unit = tables.unit * held[first] * held[second]
    scale = Fraction(1, unit * cell.rotations)
    moments = _moments(sums["deals"], total * scale, squares * scale**2)
    if sums["aborted"]:
        cross = sums[f"share.{first}.aborted"] * one - sums[f"share.{second}.aborted"] * two
        products = _single(sums, total, squares, cross)
        moments = ratio(products, cell.rotations, sums["deals"] - sums["empty"], unit).value
    few = sums.values_of(f"gap.{low}.{high}")
    p = SignFlip.of_sums(float(total), float(squares), few).p()
    return PolicyDifference(
        first=tables.policies[first],
        second=tables.policies[second],
        difference=gap_interval(
            moments,
            None if few is None or sums["aborted"] else few * float(scale),
            (held[first], held[second]),
            level,
        ),
        simultaneous=None,
        p=p,
        p_family=None,
        p_holm=p,
    )
