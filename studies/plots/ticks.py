"""Axes of figures for a page: ticks as one line and a few texts.

Matplotlib's ticks are five artists each, made, measured and drawn for themselves: together half of
the time that a figure takes. A page's figures never change, so that each axis is drawn once, from
what its locator and formatter say; it looks the same.
"""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.transforms import ScaledTranslation, Transform

LENGTH, LABEL_PAD = 3.5, 4.0
"""Of a tick's mark, and between its words and the name of the axis; points, as by default."""


def lighten(axes: Axes) -> None:
    """Replace the axes' ticks, modified in place; those above the axes stay as they are.

    The figure is to be drawn with one renderer at 72 dots per inch, where a point is a dot.
    """
    axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim())
    for axis, upright in ((axes.xaxis, False), (axes.yaxis, True)):
        if axis.get_ticks_position() in ("bottom", "left"):
            _lighten(axes, axis, upright=upright)


def _lighten(axes: Axes, axis: Axis, *, upright: bool) -> None:
    places = np.asarray(axis.get_majorticklocs(), dtype=np.float64)
    words = axis.get_major_formatter().format_ticks(list(places))
    if axis.get_major_formatter().get_offset():
        return  # such numbers need a factor beside them
    low, high = sorted(axis.get_view_interval())
    near = 1e-9 * (high - low)
    within = (places >= low - near) & (places <= high + near)
    places = places[within]
    words = [own for own, seen in zip(words, within, strict=True) if seen]
    along = axes.get_yaxis_transform() if upright else axes.get_xaxis_transform()
    looks: dict[str, Any] = dict(axis.get_tick_params())
    if looks.get("gridOn"):
        _draw_grid(axes, places, along, upright=upright)
    length = float(looks.get("length", LENGTH))
    if length:
        _draw_marks(axes, places, along, length, upright=upright)
    start = length + float(looks.get("pad", LENGTH))
    labels = _draw_words(axes, places, words, along, start, upright=upright)
    _draw_name(axes, axis.label, labels, start, upright=upright)
    axis.set_visible(False)


def _moved(axes: Axes, transform: Transform, points: float, *, upright: bool) -> Transform:
    """Return a transform that goes on by so many points away from the axes."""
    x, y = (-points, 0.0) if upright else (0.0, -points)
    moved: Transform = transform + ScaledTranslation(x / 72, y / 72, axes.figure.dpi_scale_trans)
    return moved


def _draw_grid(axes: Axes, places: Any, along: Transform, *, upright: bool) -> None:
    lines = [
        ((0.0, place), (1.0, place)) if upright else ((place, 0.0), (place, 1.0))
        for place in places
    ]
    grid = LineCollection(
        lines,
        transform=along,
        colors=mpl.rcParams["grid.color"],
        linewidths=mpl.rcParams["grid.linewidth"],
        zorder=0.5,
    )
    axes.add_collection(grid, autolim=False)


def _draw_marks(axes: Axes, places: Any, along: Transform, length: float, *, upright: bool) -> None:
    ends = np.zeros(len(places))
    marks = Line2D(
        ends if upright else places,
        places if upright else ends,
        transform=along,
        linestyle="none",
        marker=0 if upright else 3,  # a stroke to the left, or downwards
        markersize=length,
        markeredgewidth=mpl.rcParams["xtick.major.width"],
        color=mpl.rcParams["xtick.color"],
        clip_on=False,
    )
    axes.add_artist(marks)


def _draw_words(
    axes: Axes, places: Any, words: list[str], along: Transform, start: float, *, upright: bool
) -> list[Text]:
    transform = _moved(axes, along, start, upright=upright)
    return [
        axes.text(
            0.0 if upright else place,
            place if upright else 0.0,
            own,
            transform=transform,
            ha="right" if upright else "center",
            va="center_baseline" if upright else "top",
            fontsize=mpl.rcParams["xtick.labelsize"],
            color=mpl.rcParams["xtick.labelcolor"],
        )
        for place, own in zip(places, words, strict=True)
        if own
    ]


def _draw_name(axes: Axes, label: Text, labels: list[Text], start: float, *, upright: bool) -> None:
    """Write the name of an axis beyond the ticks' words."""
    if not label.get_text():
        return
    extents = [one.get_window_extent() for one in labels]
    beyond = max((own.width if upright else own.height for own in extents), default=0.0)
    axes.text(
        0.0 if upright else 0.5,
        0.5 if upright else 0.0,
        label.get_text(),
        transform=_moved(axes, axes.transAxes, start + beyond + LABEL_PAD, upright=upright),
        ha="center",
        va="bottom" if upright else "top",
        rotation=90 if upright else 0,
        rotation_mode="anchor",
        fontsize=label.get_fontsize(),
        color=label.get_color(),
    )
