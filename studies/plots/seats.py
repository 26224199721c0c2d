"""Win rate by position, and payoffs by pair, as maps of numbers."""

from __future__ import annotations

from collections.abc import Sequence

from studies.balance.results import Seats
from studies.plots.chart import Axis, Box, Chart, Words
from studies.stats.intervals import Interval

LESS, EVEN, MORE = "#e08a3c", "#f3f1ec", "#4c9bd0"
ON_CELLS = "#16191d"
WIDEST = 0.3
"""Deviation, relative to the even share, at which the colour is full."""


def mark(seats: Seats, position: int) -> str:
    """Return ▲ or ▼ where a position's interval lies above or below the even share."""
    interval = seats.win_share[position]
    return "▲" if interval.low > seats.even else "▼" if interval.high < seats.even else ""


def shade(away: float) -> str:
    """Return the colour of a number: from -1, less, over 0, even, to 1, more."""
    away = min(1.0, max(-1.0, away))
    end = MORE if away > 0 else LESS
    parts = ((int(EVEN[at : at + 2], 16), int(end[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(even + abs(away) * (own - even)):02x}" for even, own in parts)


def seat_map(rows: Sequence[tuple[str, Seats]], *, narrow: bool = False) -> Chart:
    """Draw win rates in % by position, one row a table, coloured by the distance from even.

    ▲ and ▼ mark positions whose simultaneous interval lies above or below the even share.
    """
    columns = max(len(seats.win_share) for _, seats in rows)
    chart = _cells([label for label, _ in rows], columns, 0.34 + (0.2 if narrow else 0.0), narrow)
    chart.names_above = narrow
    chart.columns = [str(column) for column in range(columns)]
    chart.x.label = "position (0 begins, then clockwise)"
    size = 7.7 if narrow and columns > 5 else 8.5
    for y, (_, seats) in enumerate(rows):
        for x, interval in enumerate(seats.win_share):
            text = f"{mark(seats, x)}{100 * interval.estimate:.1f}"
            _cell(chart, x, y, text, (interval.estimate / seats.even - 1) / WIDEST, size)
    return chart


def payoff_matrix(
    names: Sequence[str], shares: dict[tuple[str, str], Interval], *, narrow: bool = False
) -> Chart:
    """Draw what the row's policy wins of what the two win, in % and per seat held: even is 50.

    Parameters
    ----------
    names : sequence of str
        Rows and columns, strongest first.
    shares : dict
        (row, column) -> share; pairs that did not meet are left out.
    """
    chart = _cells(names, len(names), 0.34 if narrow else 0.42, narrow)
    chart.height += 36 * narrow
    chart.columns, chart.tilted = list(names), narrow
    for y, row in enumerate(names):
        for x, column in enumerate(names):
            found = shares.get((row, column))
            if found is not None:
                text = f"{100 * found.estimate:.{0 if narrow else 1}f}"
                _cell(chart, x, y, text, 2 * found.estimate - 1, 8.5)
    return chart


def _cells(rows: Sequence[str], columns: int, each: float, narrow: bool) -> Chart:
    """Return an empty table of cells, whose rows are so many inches high."""
    height = 72 * (each * len(rows) + 0.75)
    return Chart(height, narrow, rows=list(rows), x=Axis("", 0, columns))


def _cell(chart: Chart, x: int, y: int, text: str, away: float, size: float) -> None:
    top, height = (y - 0.12, 0.5) if chart.names_above else (y - 0.45, 0.9)
    chart.marks.append(Box(x + 0.03, top, 0.94, height, shade(away)))
    chart.marks.append(Words(x + 0.5, top + height / 2, text, ON_CELLS, size=size))
