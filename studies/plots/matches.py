"""Length, pace and drama of matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from studies.balance.counts import band, steps
from studies.balance.results import Distribution
from studies.plots.chart import (
    DASHES,
    INK,
    LOGARITHMIC_FROM,
    MARKERS,
    SERIES,
    Axis,
    Band,
    Chart,
    Line,
    row_chart,
    spread,
)
from studies.stats.intervals import LEVEL, Interval

Array = np.ndarray[Any, Any]
Named = Sequence[tuple[str, Distribution]]


def length_curves(
    rows: Named,
    unit: str,
    *,
    of: str = "matches up to there, %",
    level: float = LEVEL,
    narrow: bool = False,
) -> Chart:
    """Draw the share of matches up to each value, with the band that holds each whole curve."""
    chart = _chart(3.2, narrow=narrow)
    low = min(found.quantiles[0.05].estimate for _, found in rows)
    high = max(found.quantiles[0.99].estimate for _, found in rows)
    start, end = max(low * 0.8, 0.5) if low > 0 else low, high * 1.1 + 1
    chart.x = Axis(unit, start, end, log=_far_apart(low, high), whole=True)
    chart.y = Axis(of, 0, 100)
    for place, (label, found) in enumerate(rows):
        values, reached = _shown(*steps(found), start, end)
        half = band(found.deals, level)
        colour = SERIES[place % len(SERIES)]
        below, above = (100 * np.clip(reached + half * sign, 0, 1) for sign in (-1, 1))
        chart.marks.append(Band(values, below.tolist(), above.tolist(), colour))
        chart.marks.append(
            Line(
                values,
                (100 * reached).tolist(),
                colour,
                dashes=DASHES[place % len(DASHES)],
                steps=True,
                label=label,
            )
        )
        _curve_tips(chart, label, values, reached)
    return chart


def _chart(height: float, *, narrow: bool) -> Chart:
    return Chart(72 * height, narrow, key_columns=1 if narrow else 3)


def _shown(
    values: Sequence[int], reached: Array, start: float, end: float
) -> tuple[list[int], Array]:
    """Return the part of a curve that an axis shows, and one step beyond either end."""
    first = max(int(np.searchsorted(values, start, side="right")) - 1, 0)
    last = min(int(np.searchsorted(values, end)) + 1, len(values))
    return list(values[first:last]), reached[first:last]


def _curve_tips(chart: Chart, label: str, values: Sequence[int], reached: Array) -> None:
    """Tell a curve's values at each twentieth of the matches, and near both ends."""
    shares = np.array([0.01, *np.arange(0.05, 1.0, 0.05), 0.99, 1.0])
    places = np.minimum(np.searchsorted(reached, shares - 1e-9), len(values) - 1)
    for at in dict.fromkeys(int(place) for place in places):
        percent = 100 * float(reached[at])
        chart.tip(values[at], percent, f"{values[at]:,}: {percent:.1f} %", label)


def _far_apart(low: float, high: float) -> bool:
    """Return whether an axis from one to the other is logarithmic."""
    return low > 0 and high / low > LOGARITHMIC_FROM


def quantile_ranges(rows: Named, unit: str, *, narrow: bool = False) -> Chart:
    """Draw median, middle half and middle 90 % of a distribution, one row a table."""
    chart = row_chart([label for label, _ in rows], narrow=narrow)
    for place, (label, found) in enumerate(rows):
        at = {q: one.estimate for q, one in found.quantiles.items()}
        y = place + chart.shift
        chart.marks += [
            Line([at[0.05], at[0.95]], [y, y], SERIES[0], width=1.3),
            Line([at[0.25], at[0.75]], [y, y], SERIES[0], width=6),
            Line([at[0.5]], [y], INK, width=2, marker="|"),
        ]
        chart.tip(
            at[0.5],
            y,
            f"{at[0.5]:,g}; half {at[0.25]:,g} to {at[0.75]:,g}; "
            f"90 % {at[0.05]:,g} to {at[0.95]:,g}",
            label,
        )
    largest = max(found.quantiles[0.95].estimate for _, found in rows)
    least = min(found.quantiles[0.05].estimate for _, found in rows)
    chart.x = Axis(unit)
    if _far_apart(least, largest):
        chart.x = Axis(unit, 0.9 * least, 1.1 * largest, log=True)
    else:
        chart.x.low = 0
    return chart


def share_dots(
    rows: Sequence[str],
    series: dict[str, Sequence[Interval]],
    label: str = "%",
    *,
    narrow: bool = False,
) -> Chart:
    """Draw shares in % with their intervals: one row a table, one mark a kind of share."""
    chart = row_chart(rows, narrow=narrow, row=0.24 + 0.07 * len(series))
    for place, (name, found) in enumerate(series.items()):
        shift = spread(place, len(series)) + chart.shift
        own = name if len(series) > 1 else None
        chart.dots([row + shift for row in range(len(found))], found, series=place, label=own)
    chart.x.low, chart.x.label = 0, label
    return chart


def lead_changes(rows: Named, *, narrow: bool = False) -> Chart:
    """Draw the share of matches with 0, 1, 2, … changes of lead, one line a table."""
    chart = _chart(2.9, narrow=narrow)
    most = max(int(found.quantiles[0.99].estimate) for _, found in rows)
    chart.x = Axis("changes of lead in a match", -0.3, max(most, 1) + 0.3, whole=True)
    chart.y = Axis("matches, %", 0)
    for place, (label, found) in enumerate(rows):
        shares = {
            value: 100 * count / found.matches
            for value, count in found.counts.items()
            if value <= max(most, 1)
        }
        for value, share in shares.items():
            chart.tip(value, share, f"{value:,}: {share:.1f} %", label)
        chart.marks.append(
            Line(
                list(shares),
                list(shares.values()),
                SERIES[place % len(SERIES)],
                dashes=DASHES[place % len(DASHES)],
                marker=MARKERS[place % len(MARKERS)],
                label=label,
            )
        )
    return chart
