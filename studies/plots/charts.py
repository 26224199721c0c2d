"""Charts: estimates with intervals, maps of numbers, histograms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from studies.plots.figure import (
    GRID,
    INK,
    MARKERS,
    MUTED,
    PAPER,
    SERIES,
    Chart,
    clipped,
    styled,
)

Row = Mapping[str, Any]

LESS, EVEN, MORE = "#e08a3c", "#f3f1ec", "#4c9bd0"
ON_CELLS = "#16191d"
WIDEST = 0.3
"""Deviation from an even share, relative to it, at which a colour is full."""

LOGARITHMIC_FROM = 6.0
"""Ratio of the largest to the smallest shown value from which on an axis is logarithmic."""

BINS = 30
"""Bars of a histogram at most."""


@dataclass(frozen=True)
class Panel:
    """One axis of a forest plot.

    Attributes
    ----------
    series : mapping of str to mapping of str to row
        Series -> name -> `estimate`, `low` and `high`, and `text`: what a pointer shows.
    label : str
        Of the axis.
    rule : float, optional
        Where a line crosses all rows: no effect, or an even share.
    """

    series: Mapping[str, Mapping[str, Row]]
    label: str
    rule: float | None = None


def forest(panels: Sequence[Panel], *, narrow: bool = False) -> Chart:
    """Draw several numbers of the same rows side by side."""
    names = list(
        dict.fromkeys(name for panel in panels for rows in panel.series.values() for name in rows)
    )
    keys = list(dict.fromkeys(key for panel in panels for key in panel.series))
    row = 0.2 + 0.1 * len(keys) + (0.16 if narrow else 0.0)
    height = 72 * (row * max(len(names), 2) + 0.9)
    with styled():
        chart = Chart(height + (13 if narrow and len(panels) > 1 else 0), narrow=narrow)
        grid = chart.subplots(1, len(panels), squeeze=False)[0]
        for place, (axes, panel) in enumerate(zip(grid, panels, strict=True)):
            for key, rows in panel.series.items():
                _dots(chart, axes, names, (keys.index(key), len(keys), key), rows)
            if panel.rule is not None:
                axes.axvline(panel.rule, color=INK, linewidth=1)
            crowded = narrow and len(panels) > 1
            axes.set_xlabel(panel.label.replace(", ", ",\n") if crowded else panel.label)
            axes.xaxis.set_major_locator(MaxNLocator(2 if crowded else 7 - len(panels)))
            _name_rows(axes, names, above=narrow, written=place == 0)
            axes.set_zorder(-place)  # names above rows reach into the panels beside the first
        chart.explain(grid[0], 1 if narrow else 3)
    return chart


def _dots(
    chart: Chart,
    axes: Axes,
    names: Sequence[str],
    of: tuple[int, int, str],
    rows: Mapping[str, Row],
) -> None:
    """Draw the estimates of one series; a row without an interval has no bar."""
    place, count, key = of
    shift = 0.0
    if count > 1:
        shift = (place / (count - 1) - 0.5) * min(0.5, 0.22 * (count - 1))
    ys = [names.index(name) + shift + (0.14 if chart.narrow else 0.0) for name in rows]
    middle = np.array([row["estimate"] for row in rows.values()], float)
    ends = [
        [
            value if row[end] is None else row[end]
            for row, value in zip(rows.values(), middle, strict=True)
        ]
        for end in ("low", "high")
    ]
    axes.errorbar(
        middle,
        ys,
        xerr=np.abs(np.array(ends) - middle),
        fmt=MARKERS[place % len(MARKERS)],
        color=SERIES[place % len(SERIES)],
        elinewidth=1.6,
        label=key if count > 1 else None,
        clip_on=False,
    )
    for x, y, row in zip(middle, ys, rows.values(), strict=True):
        chart.tips.append((axes, x, y, f"{key}: {row['text']}" if count > 1 else row["text"]))


def _name_rows(axes: Axes, names: Sequence[str], *, above: bool, written: bool = True) -> None:
    """Label rows from the top, left of their content or above it, with lines between rows."""
    axes.set_ylim(len(names) - 0.45, -0.6)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0, pad=8)
    axes.set_yticks([] if above or not written else range(len(names)))
    if above and written:
        ground = {"facecolor": PAPER, "edgecolor": "none", "pad": 0.5}  # lines cross names
        beside = axes.get_yaxis_transform()
        for row, name in enumerate(names):
            text = axes.text(0.0, row - 0.22, clipped(name), transform=beside, bbox=ground)
            text.set(va="bottom", fontsize=8.5, in_layout=False)
    elif written:
        axes.set_yticklabels([clipped(name) for name in names])
    for edge in range(1, len(names)):
        axes.axhline(edge - (0.56 if above else 0.5), color=GRID, linewidth=0.6)


def cells(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Mapping[tuple[str, str], tuple[str, float]],
    label: str = "",
    *,
    narrow: bool = False,
) -> Chart:
    """Draw a map of numbers, coloured by how far they are from even.

    Parameters
    ----------
    values : mapping of (row, column) to (text, away)
        `away` from -1, less, over 0, even, to 1, more.
    """
    tilted = max(map(len, columns)) * len(columns) > (24 if narrow else 60)
    size = 7.7 if narrow and len(columns) > 5 else 8.5
    with styled():
        chart = Chart(72 * ((0.54 if narrow else 0.34) * len(rows) + 0.75), narrow=narrow)
        axes = chart.subplots()
        for y, row in enumerate(rows):
            top, height = (y - 0.12, 0.5) if narrow else (y - 0.45, 0.9)
            for x, column in enumerate(columns):
                if (row, column) not in values:
                    continue
                text, away = values[row, column]
                axes.add_patch(Rectangle((x + 0.03, top), 0.94, height, facecolor=shade(away)))
                middle = top + height / 2
                axes.text(
                    x + 0.5, middle, text, ha="center", va="center", color=ON_CELLS, fontsize=size
                )
        axes.set_xlim(0, len(columns))
        _name_rows(axes, rows, above=narrow)
        for line in list(axes.lines):
            line.remove()
        axes.set_xticks([place + 0.5 for place in range(len(columns))])
        axes.set_xticklabels(
            [clipped(column) for column in columns],
            rotation=50 if tilted else 0,
            ha="left" if tilted else "center",
        )
        axes.xaxis.set_ticks_position("top")
        axes.xaxis.set_label_position("top")
        axes.set_xlabel(label)
        axes.grid(visible=False)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        if tilted:  # inches that the longest heading rises
            longest = max(len(clipped(column)) for column in columns)
            chart.set_figheight(chart.get_figheight() + max(0.5, 0.06 * longest))
    return chart


def shade(away: float) -> str:
    """Return the colour of a number: from -1, less, over 0, even, to 1, more."""
    away = min(1.0, max(-1.0, away))
    end = MORE if away > 0 else LESS
    parts = ((int(EVEN[at : at + 2], 16), int(end[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(even + abs(away) * (full - even)):02x}" for even, full in parts)


def histograms(
    counts: Mapping[str, Mapping[int, int]], unit: str, *, narrow: bool = False
) -> Chart:
    """Draw the distribution of a whole number, one below the other, on a shared axis.

    The outline of the first is repeated in all others, and a line marks each mean.

    Parameters
    ----------
    counts : mapping of str to mapping of int to int
        Name -> value -> how many matches have it.
    """
    ends = [_inner(values) for values in counts.values()]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    log = low > 0 and high / low >= LOGARITHMIC_FROM
    edges = _edges(low, high, log=log)
    with styled():
        chart = Chart(72 * (0.62 * len(counts) + 0.7), narrow=narrow)
        grid = chart.subplots(len(counts), 1, sharex=True, sharey=True, squeeze=False).flat
        first: np.ndarray | None = None
        for axes, (name, values) in zip(grid, counts.items(), strict=True):
            times = np.array(list(values.values()), dtype=float)
            numbers = np.array(list(values), dtype=float)
            kept = (numbers >= edges[0]) & (numbers < edges[-1])
            heights, _ = np.histogram(numbers[kept], edges, weights=times[kept])
            heights = 100 * heights / times.sum()
            axes.stairs(heights, edges, fill=True, color=SERIES[0], alpha=0.55)
            if first is None:
                first = heights
            else:
                axes.stairs(first, edges, color=MUTED, linewidth=1)
            mean = float((numbers * times).sum() / times.sum())
            axes.axvline(mean, color=INK, linewidth=1.2)
            axes.set_title(clipped(name), loc="left", fontsize=8.5, pad=2)
            axes.set_yticks([])
            axes.spines["left"].set_visible(False)
            chart.tips.append((axes, mean, 0.0, f"{name}: mean {mean:.4g} {unit}"))
        axes = grid[len(counts) - 1]
        if log:
            axes.set_xscale("log")
            axes.set_xticks(_log_ticks(low, high))
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
            axes.xaxis.set_minor_formatter(NullFormatter())
        else:
            axes.xaxis.set_major_locator(MaxNLocator(5 if narrow else 9, integer=True))
        axes.set_xlim(edges[0], edges[-1])
        axes.set_xlabel(f"{unit} (logarithmic axis)" if log else unit)
    return chart


def _edges(low: int, high: int, *, log: bool) -> np.ndarray:
    """Return edges of bins between whole numbers, so that equal bins hold equally many."""
    if log:
        raw = np.geomspace(low, high + 1, BINS + 1)
        return np.unique(np.round(raw)) - 0.5
    step = max(1, -(-(high - low + 1) // BINS))
    return np.arange(low, high + step + 1, step) - 0.5


def _log_ticks(low: float, high: float) -> list[float]:
    """Return the 1, 2, 5, 10, … between two numbers."""
    ticks = (step * 10.0**power for power in range(7) for step in (1, 2, 5))
    return [tick for tick in ticks if low <= tick <= high]


def _inner(counts: Mapping[int, int]) -> tuple[int, int]:
    """Return the values that cut off the outermost 1 % on either side."""
    total, reached = sum(counts.values()), 0
    low = high = next(iter(counts))
    for value, times in counts.items():
        if reached <= 0.01 * total:
            low = value
        if reached < 0.99 * total:
            high = value
        reached += times
    return low, high
