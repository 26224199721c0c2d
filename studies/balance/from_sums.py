"""What the sums of a cell tell of its balance, which a study may keep instead of matches.

Where a number of the report follows from sums over deals it is the one that the matches give: the
same accumulators are filled, in whole numbers (`studies.deals.sums`). What takes single matches is
None; of what sums give the estimate alone, the interval has no ends (nan).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from simcore.game import Game
from studies.balance.duels import DuelSums
from studies.balance.results import Distribution, Duel, Outcomes, Share, TableBalance
from studies.balance.table_sums import seats_found, table_of
from studies.balance.vectors import Vectors, decided_ratio
from studies.deals.sums import Sums, seats_of
from studies.deals.values import LENGTHS
from studies.design.cells import StudyCell
from studies.stats.intervals import Interval, Moments, clustered_mean, clustered_share


def table_of_sums(game: Game, cell: StudyCell, sums: Sums, level: float) -> TableBalance:
    """Return what the sums of a cell tell of its table."""
    deals, size = sums["deals"], cell.rotations
    means = {name: sums[f"metric.{name}"] / (deals * size) for name in ("decisions", "forced")}
    moves = sum(means.values())
    wins = [
        decided_ratio(_of_decided(cell, sums, f"position_share.{place}", "sq"))
        for place in range(cell.players)
    ]
    return table_of(
        cell,
        deals,
        outcomes=_outcomes(cell, sums, level),
        positions=seats_found(wins, None, level),
        moves=_known_by_mean("moves", "moves of all seats, free and forced", _without_ends(moves)),
        lengths=[
            _known_by_mean(metric.name, metric.meaning, _mean(cell, sums, metric.name, level))
            for metric in game.metrics
            if metric.name in LENGTHS
        ],
        decisions=_mean(cell, sums, "decisions", level),
        forced=_without_ends(means["forced"] / moves if moves else math.nan),
    )


def duel_of_sums(cell: StudyCell, sums: Sums, level: float) -> Duel | None:
    """Return the duel of a cell; None where it is none."""
    duel = DuelSums.of(cell)
    if duel is None:
        return None
    duel.won, duel.aborted = _of_decided(cell, sums, "share.0", "0"), sums["aborted"]
    return duel.found(level)


def _without_ends(estimate: float) -> Interval:
    return Interval(estimate, math.nan, math.nan)


def _known_by_mean(name: str, meaning: str, mean: Interval) -> Distribution:
    return Distribution(name, meaning, counts={}, mean=mean, quantiles={}, deals=0)


def _moments(deals: int, total: int, squares: int, unit: int) -> Moments:
    """Return the moments of whole numbers a deal, over a unit."""
    spread = Fraction(squares) - Fraction(total * total, deals)
    return Moments(deals, total / (deals * unit), float(spread / (unit * unit)))


def _mean(cell: StudyCell, sums: Sums, metric: str, level: float) -> Interval:
    name = f"metric.{metric}"
    moments = _moments(sums["deals"], sums[name], sums[f"{name}.sq"], cell.rotations)
    return clustered_mean(moments, level)


def _of_decided(cell: StudyCell, sums: Sums, name: str, squares: str) -> Vectors:
    """Return one win rate and the number of decided matches, by deal."""
    deals, size, unit = sums["deals"], cell.rotations, seats_of(cell).unit
    aborted = sums["aborted"]
    totals = [Fraction(sums[name], unit), Fraction(deals * size - aborted)]
    with_aborted = Fraction(sums[f"{name}.aborted"], unit)
    product = size * totals[0] - with_aborted
    own = [
        [Fraction(sums[f"{name}.{squares}"], unit * unit), product],
        [product, Fraction(deals * size**2 - 2 * size * aborted + sums["aborted.sq"])],
    ]
    found = Vectors(2)
    found.count, found.present = deals, deals - sums["empty"]
    found.centre = np.array([float(total / deals) for total in totals])
    found.products = np.array(
        [[float(own[i][j] - totals[i] * totals[j] / deals) for j in range(2)] for i in range(2)]
    )
    return found


def _outcomes(cell: StudyCell, sums: Sums, level: float) -> Outcomes:
    """Return how matches end; how often deals agree in one or several winners is not kept."""
    deals, size = sums["deals"], cell.rotations
    counts = {"single": 0, "shared": 0}
    for name, number in sums.values.items():
        if name.startswith("winners.") and (winners := int(name.rpartition(".")[2]).bit_count()):
            counts["single" if winners == 1 else "shared"] += number

    def share(count: int) -> Share:
        if count not in (0, deals * size) and size > 1:
            return Share(count, _without_ends(count / (deals * size)))
        moments = _moments(deals, count, count * size, size)
        return Share(count, clustered_share(moments, size, level))

    moments = _moments(deals, sums["aborted"], sums["aborted.sq"], size)
    aborted = Share(sums["aborted"], clustered_share(moments, size, level))
    return Outcomes(**{name: share(count) for name, count in counts.items()}, aborted=aborted)
