"""A chart as a matplotlib figure, for notebooks, and as PNG and other files."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, NullFormatter

from studies.plots.chart import (
    GRID,
    INK,
    MARKERS,
    MUTED,
    PAPER,
    SERIES,
    Band,
    Box,
    Chart,
    Dots,
    Line,
    Mark,
    Words,
    clipped,
)
from studies.plots.scales import log_ticks

_STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.0,
    "axes.labelsize": 9.0,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "legend.fontsize": 8.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": MUTED,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.7,
    "lines.markersize": 5.5,
    "legend.frameon": False,
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
    "savefig.facecolor": PAPER,
    "text.parse_math": False,  # names may hold dollar signs
    "svg.fonttype": "none",
    "svg.hashsalt": "cardlab",
    "hatch.linewidth": 0.6,
}


def to_figure(chart: Chart) -> Figure:
    """Return a chart as a matplotlib figure."""
    with mpl.rc_context(_STYLE):
        size = chart.width / 72, chart.height / 72
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        for rule in chart.rules:
            axes.axvline(rule, color=INK, linewidth=1)
        told: set[str] = set()
        for mark in chart.marks:
            label = getattr(mark, "label", None)
            _draw(axes, mark, clipped(label) if label and label not in told else None)
            told.add(label or "")
        _scale(axes, chart)
        if chart.rows:
            _name_rows(axes, chart)
        if chart.columns:
            _name_columns(axes, chart)
        if told - {""}:
            columns = max(map(len, chart.key_lines()))
            axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=columns, borderaxespad=0.2)
    return figure


def _scale(axes: Axes, chart: Chart) -> None:
    """Set the ends and the names of both axes."""
    limits = chart.x_limits()
    if chart.x.log:
        axes.set_xscale("log")
        axes.set_xticks(*zip(*log_ticks(*limits), strict=True))
        axes.xaxis.set_minor_formatter(NullFormatter())
    elif chart.x.whole:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlim(*limits)
    axes.set_ylim(*chart.y_limits())
    axes.set_xlabel(chart.x.label)
    axes.set_ylabel(chart.y.label)


def _name_rows(axes: Axes, chart: Chart) -> None:
    """Write the names of the rows, with lines between them."""
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0, pad=8)
    names = [clipped(row) for row in chart.rows]
    axes.set_yticks([] if chart.names_above else range(len(names)))
    if chart.names_above:
        beside = axes.get_yaxis_transform()
        for row, name in enumerate(names):
            axes.text(0.0, row - 0.22, name, transform=beside, va="bottom", fontsize=8.5)
    else:
        axes.set_yticklabels(names)
    for edge in range(1, len(names) if not chart.columns else 0):
        axes.axhline(edge - (0.56 if chart.names_above else 0.5), color=GRID, linewidth=0.6)


def _name_columns(axes: Axes, chart: Chart) -> None:
    """Write the names of the columns above them, without axes."""
    names = [clipped(column) for column in chart.columns]
    axes.set_xticks([place + 0.5 for place in range(len(names))], names)
    if chart.tilted:
        axes.set_xticklabels(names, rotation=50, ha="left")
    axes.xaxis.set_ticks_position("top")
    axes.xaxis.set_label_position("top")
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _draw(axes: Axes, mark: Mark, label: str | None) -> None:
    if isinstance(mark, Dots):
        _draw_dots(axes, mark, label)
    elif isinstance(mark, Line):
        axes.plot(
            mark.x,
            mark.y,
            marker=mark.marker or None,
            drawstyle="steps-post" if mark.steps else "default",
            color=mark.colour,
            linewidth=0 if mark.marker == "|" else mark.width,
            linestyle=(0, mark.dashes) if mark.dashes else "-",
            markersize=11 if mark.marker == "|" else None,
            markeredgewidth=mark.width if mark.marker == "|" else None,
            solid_capstyle="butt",
            label=label,
        )
    elif isinstance(mark, Band):
        below, above = mark.low, mark.high
        axes.fill_between(
            mark.x, below, above, step="post", color=mark.colour, alpha=0.2, linewidth=0
        )
    elif isinstance(mark, Box):
        bar = Rectangle((mark.x, mark.y), mark.width, mark.height, facecolor=mark.colour)
        bar.set(hatch=mark.hatch, edgecolor=PAPER, linewidth=0.8 if mark.edge else 0, label=label)
        axes.add_patch(bar)
    else:
        _write(axes, mark)


def _draw_dots(axes: Axes, mark: Dots, label: str | None) -> None:
    middle, ends = mark.x, (mark.low, mark.high)
    reach = [[abs(x - end) for x, end in zip(middle, own, strict=True)] for own in ends]
    series = mark.series or 0
    axes.errorbar(
        middle,
        mark.y,
        xerr=reach,
        fmt="none" if mark.series is None else MARKERS[series % len(MARKERS)],
        color=INK if mark.series is None else SERIES[series % len(SERIES)],
        markersize=5,
        elinewidth=1.6,
        label=label,
        clip_on=False,
    )


def _write(axes: Axes, mark: Words) -> None:
    ground = {"boxstyle": "round,pad=0.15", "fc": mark.ground, "ec": "none"}
    axes.text(
        mark.x,
        mark.y,
        mark.text,
        ha={"start": "left", "middle": "center", "end": "right"}[mark.anchor],
        va="center",
        color=mark.colour,
        fontsize=mark.size,
        fontweight="bold" if mark.bold else "normal",
        bbox=ground if mark.ground else None,
    )


@contextmanager
def _measured_in_this_font() -> Iterator[None]:
    with warnings.catch_warnings():
        # Letters that this font lacks are drawn as boxes; nobody needs to be told.
        warnings.filterwarnings(
            "ignore", message="Glyph .* missing from font", category=UserWarning
        )
        yield


def save(figure: Figure, target: io.BytesIO | str, kind: str, **options: Any) -> None:
    """Write a figure as a file of a kind."""
    with mpl.rc_context(_STYLE), _measured_in_this_font():
        figure.savefig(target, format=kind, **options)


def to_png(chart: Chart, *, dots_per_inch: int = 160) -> bytes:
    """Return a chart as PNG."""
    stream = io.BytesIO()
    save(to_figure(chart), stream, "png", dpi=dots_per_inch)
    return stream.getvalue()
