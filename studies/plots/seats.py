"""Win share by position as a map of numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from studies.balance.results import Seats
from studies.plots.style import clipped, new_figure, style

LESS, EVEN, MORE = "#e08a3c", "#f3f1ec", "#4c9bd0"
ON_CELLS = "#16191d"
SCALE = LinearSegmentedColormap.from_list("seats", [LESS, EVEN, MORE])
WIDEST = 0.3
"""Deviation, relative to the even share, at which the colour is full."""


def mark(seats: Seats, position: int) -> str:
    """Return ▲ or ▼ where a position's interval lies above or below the even share."""
    interval = seats.win_share[position]
    return "▲" if interval.low > seats.even else "▼" if interval.high < seats.even else ""


def seat_map(rows: Sequence[tuple[str, Seats]], *, narrow: bool = False) -> Figure:
    """Draw win shares in % by position, one row a table, coloured by the distance from even.

    ▲ and ▼ mark positions whose simultaneous interval lies above or below the even share.
    """
    columns = max(len(seats.win_share) for _, seats in rows)
    small = narrow and columns > 5
    with style():
        each = 0.34 + (0.2 if narrow else 0.0)
        figure, axes = new_figure(each * len(rows) + 0.75, narrow=narrow)
        for y, (label, seats) in enumerate(rows):
            for x, interval in enumerate(seats.win_share):
                away = (interval.estimate / seats.even - 1) / WIDEST
                colour = to_hex(SCALE(0.5 + 0.5 * float(np.clip(away, -1, 1))))
                axes.add_patch(
                    Rectangle((x + 0.03, y + 0.05), 0.94, 0.5 if narrow else 0.9, fc=colour)
                )
                axes.text(
                    x + 0.5,
                    y + (0.3 if narrow else 0.5),
                    f"{mark(seats, x)}{100 * interval.estimate:.1f}",
                    ha="center",
                    va="center",
                    color=ON_CELLS,
                    fontsize=7.7 if small else 8.5,
                )
            if narrow:
                axes.text(0.03, y - 0.02, clipped(label), va="bottom", fontsize=8.5)
        axes.set_xlim(0, columns)
        axes.set_ylim(len(rows) - (0.4 if narrow else 0), -0.45 if narrow else 0)
        axes.set_xticks([x + 0.5 for x in range(columns)], [str(x) for x in range(columns)])
        axes.xaxis.set_ticks_position("top")
        axes.xaxis.set_label_position("top")
        axes.set_xlabel("position (0 begins, then clockwise)")
        if narrow:
            axes.set_yticks([])
        else:
            axes.set_yticks(
                [y + 0.5 for y in range(len(rows))], [clipped(label) for label, _ in rows]
            )
        axes.grid(visible=False)
        axes.tick_params(length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
    return figure
