"""Charts of rows of the frame: dots with intervals, maps of numbers, curves, bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from studies.plots.chart import (
    DASHES,
    HATCHES,
    LOGARITHMIC_FROM,
    SERIES,
    Axis,
    Box,
    Chart,
    Line,
    Words,
    row_chart,
    spread,
)

Row = Mapping[str, Any]

LESS, EVEN, MORE = "#e08a3c", "#f3f1ec", "#4c9bd0"
ON_CELLS = "#16191d"
WIDEST = 0.3
"""Deviation, relative to the even share, at which a colour is full."""


def dots(
    series: Mapping[str, Mapping[str, Row]],
    label: str,
    *,
    scale: float = 100,
    rule: float | None = None,
    start: float | None = None,
    narrow: bool = False,
) -> Chart:
    """Draw numbers with their intervals: a row per name, a mark per series.

    Parameters
    ----------
    series : mapping of str to mapping of str to row
        Series -> name -> row of the frame.
    rule : float, optional
        Where a line goes through all rows: what nothing, or even, would be.
    start : float, optional
        Where the axis begins.
    """
    names = list(dict.fromkeys(name for own in series.values() for name in own))
    chart = row_chart(names, narrow=narrow, row=0.2 + 0.1 * len(series))
    if rule is not None:
        chart.rules.append(rule)
    for place, (key, own) in enumerate(series.items()):
        shift = spread(place, len(series)) + chart.shift
        places = [names.index(name) + shift for name in own]
        told = key if len(series) > 1 else None
        chart.dots(places, list(own.values()), series=place, label=told, scale=scale)
    chart.x = Axis(label, low=start)
    return chart


def cells(
    rows: Sequence[str],
    columns: Sequence[str],
    found: Mapping[tuple[str, str], tuple[float, float, str]],
    label: str = "",
    *,
    narrow: bool = False,
) -> Chart:
    """Draw a map of numbers, coloured by how far they are from even.

    Parameters
    ----------
    found : mapping of (row, column) to (percent, away, mark)
        `away` from -1, less, to 1, more; a mark stands before the number.
    """
    each = 0.34 + (0.2 if narrow else 0.0)
    chart = Chart(
        72 * (each * len(rows) + 0.75), narrow, rows=list(rows), x=Axis(label, 0, len(columns))
    )
    chart.names_above = narrow
    chart.columns, chart.tilted = list(columns), max(map(len, columns)) > (4 if narrow else 14)
    chart.height += 36 * chart.tilted
    size = 7.7 if narrow and len(columns) > 5 else 8.5
    for y, row in enumerate(rows):
        top, height = (y - 0.12, 0.5) if narrow else (y - 0.45, 0.9)
        for x, column in enumerate(columns):
            if (row, column) in found:
                value, away, mark = found[row, column]
                chart.marks.append(Box(x + 0.03, top, 0.94, height, shade(away)))
                text = f"{mark}{value:.1f}"
                chart.marks.append(Words(x + 0.5, top + height / 2, text, ON_CELLS, size=size))
    return chart


def shade(away: float) -> str:
    """Return the colour of a number: from -1, less, over 0, even, to 1, more."""
    away = min(1.0, max(-1.0, away))
    end = MORE if away > 0 else LESS
    parts = ((int(EVEN[at : at + 2], 16), int(end[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(even + abs(away) * (own - even)):02x}" for even, own in parts)


def curves(
    histograms: Mapping[str, Mapping[int, int]], unit: str, *, narrow: bool = False
) -> Chart:
    """Draw the share of matches up to each value, a curve per histogram."""
    chart = Chart(72 * 3.2, narrow)
    ends = [_inner(own) for own in histograms.values()]
    low, high = min(one for one, _ in ends), max(two for _, two in ends)
    start, stop = max(low * 0.8, 0.5) if low > 0 else float(low), high * 1.1 + 1
    log = low > 0 and high / low >= LOGARITHMIC_FROM
    chart.x = Axis(unit, start, stop, log=log, whole=True)
    chart.y = Axis("matches up to there, %", 0, 100)
    for place, (label, counts) in enumerate(histograms.items()):
        whole = sum(counts.values())
        reached = [100 * own / whole for own in accumulate(counts.values())]
        told = list(zip(counts, reached, strict=True))
        before = max((y for x, y in told if x < start), default=0.0)
        shown = [(start, before), *((x, y) for x, y in told if start <= x <= stop)]
        chart.marks.append(
            Line(
                [float(x) for x, _ in shown],
                [y for _, y in shown],
                SERIES[place % len(SERIES)],
                dashes=DASHES[place % len(DASHES)],
                steps=True,
                label=label if len(histograms) > 1 else None,
            )
        )
    chart.key_columns = 1 if narrow else 3
    return chart


def _inner(counts: Mapping[int, int]) -> tuple[int, int]:
    """Return between which values all but the outermost 1 % lie on either side."""
    whole, reached = sum(counts.values()), 0
    low = high = next(iter(counts))
    for value, times in counts.items():
        if reached <= 0.01 * whole:
            low = value
        if reached < 0.99 * whole:
            high = value
        reached += times
    return low, high


def bars(rows: Mapping[str, Mapping[str, float]], label: str, *, narrow: bool = False) -> Chart:
    """Draw parts of 100 % end to end, a bar per row; parts below 0 count as 0."""
    chart = row_chart(list(rows), narrow=narrow, row=0.36)
    chart.key_columns = 2 if narrow else 4
    height = 0.42 if narrow else 0.62
    for row, parts in enumerate(rows.values()):
        left, y = 0.0, row + chart.shift
        for place, (name, share) in enumerate(parts.items()):
            width = max(0.0, 100 * share)
            box = Box(
                left, y - height / 2, width, height, SERIES[place], HATCHES[place], True, name
            )
            chart.marks.append(box)
            chart.tip(left + width / 2, y, f"{100 * share:.3g} %", name)
            if width >= (12 if narrow else 6):
                text = Words(left + width / 2, y, f"{width:.0f}", ON_CELLS, bold=True, ground=EVEN)
                chart.marks.append(text)
            left += width
    chart.x = Axis(label, 0, 100)
    return chart
