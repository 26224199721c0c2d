"""Length, pace and drama of matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullFormatter

from studies.balance.counts import band, steps
from studies.balance.results import Distribution
from studies.plots.style import (
    INK,
    LINES,
    MARKERS,
    SERIES,
    SHIFT,
    dots,
    key_above,
    new_figure,
    row_axes,
    spread,
    style,
    tip,
)
from studies.stats.intervals import LEVEL, Interval

Array = np.ndarray[Any, Any]
Named = Sequence[tuple[str, Distribution]]
LOGARITHMIC_FROM = 6.0
"""Ratio of the largest to the smallest shown value from which on the axis is logarithmic."""


def length_curves(
    rows: Named,
    unit: str,
    *,
    of: str = "matches up to there, %",
    level: float = LEVEL,
    narrow: bool = False,
) -> Figure:
    """Draw the share of matches up to each value, with the band that holds each whole curve."""
    with style():
        figure, axes = new_figure(3.2, narrow=narrow)
        for place, (label, found) in enumerate(rows):
            values, reached = steps(found)
            half = band(found.deals, level)
            colour = SERIES[place % len(SERIES)]
            axes.fill_between(
                values,
                100 * np.clip(reached - half, 0, 1),
                100 * np.clip(reached + half, 0, 1),
                step="post",
                color=colour,
                alpha=0.2,
                linewidth=0,
            )
            axes.step(
                values,
                100 * reached,
                where="post",
                color=colour,
                linestyle=LINES[place % len(LINES)],
                label=label,
            )
            _curve_tips(axes, label, values, reached)
        low = min(found.quantiles[0.05].estimate for _, found in rows)
        high = max(found.quantiles[0.99].estimate for _, found in rows)
        if low > 0 and high / low > LOGARITHMIC_FROM:
            axes.set_xscale("log")
            _plain_ticks(axes, low, high)
        else:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlim(max(low * 0.8, 0.5) if low > 0 else low, high * 1.1 + 1)
        axes.set_ylim(0, 100)
        axes.set_xlabel(unit)
        axes.set_ylabel(of)
        key_above(axes, columns=1 if narrow else 3)
    return figure


def _curve_tips(axes: Axes, label: str, values: Sequence[int], reached: Array) -> None:
    """Tell a curve's values at each twentieth of the matches, and near both ends."""
    shares = np.array([0.01, *np.arange(0.05, 1.0, 0.05), 0.99, 1.0])
    places = np.searchsorted(reached, shares - 1e-9)
    for at in dict.fromkeys(int(place) for place in places):
        tip(
            axes, values[at], 100 * reached[at], f"{values[at]:,}: {100 * reached[at]:.1f} %", label
        )


def _plain_ticks(axes: Axes, low: float, high: float) -> None:
    """Label a logarithmic axis with plain numbers."""
    steps_ = [step * 10**power for power in range(7) for step in (1, 2, 5)]
    ticks = [tick for tick in steps_ if low * 0.8 <= tick <= high * 1.1]
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.xaxis.set_minor_formatter(NullFormatter())


def quantile_ranges(rows: Named, unit: str, *, narrow: bool = False) -> Figure:
    """Draw median, middle half and middle 90 % of a distribution, one row a table."""
    with style():
        figure, axes = row_axes([label for label, _ in rows], narrow=narrow)
        shift = SHIFT if narrow else 0.0
        for place, (label, found) in enumerate(rows):
            at = {q: one.estimate for q, one in found.quantiles.items()}
            y = place + shift
            axes.plot([at[0.05], at[0.95]], [y, y], color=SERIES[0], linewidth=1.3)
            axes.plot(
                [at[0.25], at[0.75]], [y, y], color=SERIES[0], linewidth=6, solid_capstyle="butt"
            )
            axes.plot(at[0.5], y, "|", color=INK, markersize=11, markeredgewidth=2)
            tip(
                axes,
                at[0.5],
                y,
                f"{at[0.5]:,g}; half {at[0.25]:,g} to {at[0.75]:,g}; "
                f"90 % {at[0.05]:,g} to {at[0.95]:,g}",
                label,
            )
        largest = max(found.quantiles[0.95].estimate for _, found in rows)
        least = min(found.quantiles[0.05].estimate for _, found in rows)
        if least > 0 and largest / least > LOGARITHMIC_FROM:
            axes.set_xscale("log")
            _plain_ticks(axes, least, largest)
        else:
            axes.set_xlim(left=0)
        axes.set_xlabel(unit)
    return figure


def share_dots(
    rows: Sequence[str],
    series: dict[str, Sequence[Interval]],
    label: str = "%",
    *,
    narrow: bool = False,
) -> Figure:
    """Draw shares in % with their intervals: one row a table, one mark a kind of share."""
    with style():
        figure, axes = row_axes(list(rows), narrow=narrow, row=0.24 + 0.07 * len(series))
        for place, (name, found) in enumerate(series.items()):
            shift = spread(place, len(series)) + (SHIFT if narrow else 0)
            dots(axes, [row + shift for row in range(len(found))], found, series=place, label=name)
        axes.set_xlim(left=0)
        axes.set_xlabel(label)
        if len(series) > 1:
            key_above(axes, columns=1 if narrow else 3)
    return figure


def lead_changes(rows: Named, *, narrow: bool = False) -> Figure:
    """Draw the share of matches with 0, 1, 2, … changes of lead, one line a table."""
    with style():
        figure, axes = new_figure(2.9, narrow=narrow)
        most = 0
        for place, (label, found) in enumerate(rows):
            values = list(found.counts)
            most = max(most, int(found.quantiles[0.99].estimate))
            shares = [100 * count / found.matches for count in found.counts.values()]
            for value, share in zip(values, shares, strict=True):
                tip(axes, value, share, f"{value:,}: {share:.1f} %", label)
            axes.plot(
                values,
                shares,
                marker=MARKERS[place % len(MARKERS)],
                linestyle=LINES[place % len(LINES)],
                color=SERIES[place % len(SERIES)],
                label=label,
            )
        axes.set_xlim(-0.3, max(most, 1) + 0.3)
        axes.set_ylim(bottom=0)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("changes of lead in a match")
        axes.set_ylabel("matches, %")
        key_above(axes, columns=1 if narrow else 3)
    return figure
