"""What variants change: one row a variant, one mark a table, with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studies.compare.results import VariantEffect
from studies.plots.chart import Chart, row_chart, spread
from studies.stats.intervals import Interval


def _variants(effects: Sequence[VariantEffect]) -> list[str]:
    return list(dict.fromkeys(effect.variant for effect in effects))


def forest(
    effects: Sequence[VariantEffect], *, reach: float | None = None, narrow: bool = False
) -> Chart:
    """Draw how often each variant changes the winners, by line-up, at one sweep point.

    Where nothing is decided with and without a variant there is no mark. The scale ends at
    `reach`, in %, so that figures of several points share it.
    """
    variants = _variants(effects)
    lineups = list(dict.fromkeys(effect.lineup for effect in effects))
    chart = row_chart(variants, narrow=narrow, row=0.2 + 0.1 * len(lineups))
    for place, lineup in enumerate(lineups):
        own = [effect for effect in effects if effect.lineup == lineup and effect.decided]
        shift = spread(place, len(lineups)) + chart.shift
        places = [variants.index(effect.variant) + shift for effect in own]
        found = [effect.another_winner for effect in own]
        chart.dots(places, found, series=place, label=lineup)
    aborted = any(effect.any_aborted for effect in effects)
    chart.x.low, chart.x.high = 0, None if reach is None else 1.04 * reach
    chart.x.label = f"{'decided ' if aborted else ''}matches with other winners, %"
    return chart


def gains(
    effects: Sequence[VariantEffect], *, reach: float | None = None, narrow: bool = False
) -> Chart:
    """Draw what each variant changes of the policies' win rates, at one table.

    The scale reaches `reach` points on either side, so that figures of several tables share it.
    """
    policies = [own.policy for own in effects[0].policies]
    changes = {
        policy: [
            next(own.win_share.change for own in effect.policies if own.policy == policy)
            for effect in effects
        ]
        for policy in policies
    }
    chart = _about_nothing(_variants(effects), changes, narrow=narrow)
    if reach is not None:
        chart.x.low, chart.x.high = -1.04 * reach, 1.04 * reach
    chart.x.label = "change of win rate per seat, points"
    return chart


def contrasts(
    rows: Sequence[tuple[str, Sequence[tuple[str, Interval]]]], *, narrow: bool = False
) -> Chart:
    """Draw contrasts of win rates: main effects and interactions, a row each.

    Parameters
    ----------
    rows : sequence of (name, contrasts)
        Of each row the contrasts by policy, in one order.
    """
    found = {policy: [dict(own)[policy] for _, own in rows] for policy, _ in rows[0][1]}
    chart = _about_nothing([name for name, _ in rows], found, narrow=narrow)
    chart.x.label = "win rate per seat, points"
    return chart


def _about_nothing(
    rows: Sequence[str], found: Mapping[str, Sequence[Interval]], *, narrow: bool
) -> Chart:
    """Draw changes in rows, of each policy one a row, on both sides of a line at 0."""
    chart = row_chart(rows, narrow=narrow, row=0.2 + 0.1 * len(found))
    chart.rules.append(0)
    for place, (policy, changes) in enumerate(found.items()):
        shift = spread(place, len(found)) + chart.shift
        chart.dots([row + shift for row in range(len(rows))], changes, series=place, label=policy)
    return chart
