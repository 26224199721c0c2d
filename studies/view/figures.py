"""Grids as figures."""

from __future__ import annotations

from collections.abc import Mapping

from studies.measures import BASELINE
from studies.plots import charts
from studies.plots.figure import Chart
from studies.view.grid import Grid, Heading
from studies.view.query import ENDS, Row, value_of, with_unit

MOST_PANELS = 3
MOST_SERIES = 6
MOST_ROWS = 24
"""Rows of a figure; of more, the first and last."""

MOST_COLUMNS = 12
"""Columns of a map."""


def draw(grid: Grid, *, narrow: bool = False) -> Chart:
    """Draw a grid, for a phone or for a wide screen."""
    if grid.chart == "histogram":
        assert grid.counts is not None
        return charts.histograms(grid.counts(), grid.unit, narrow=narrow)
    if grid.chart == "map":
        return _map(grid, narrow=narrow)
    known = {h: _drawn(cells) for h, cells in grid.columns.items() if not h.priority}
    known = {heading: rows for heading, rows in known.items() if rows}
    # What is 0 everywhere has no panel beside what is not.
    moved = {h: rows for h, rows in known.items() if any(r["estimate"] for r in rows.values())}
    columns = moved or known
    if grid.chart == "series":
        series = {heading.name: cells for heading, cells in list(columns.items())[:MOST_SERIES]}
        return charts.forest([charts.Panel(series, grid.unit)], narrow=narrow)
    chosen = _sorted(grid, columns) or columns
    panels = [
        charts.Panel(
            {"": cells}, heading.name, None if heading.even is None else 100 * heading.even
        )
        for heading, cells in list(chosen.items())[:MOST_PANELS]
    ]
    return charts.forest(panels, narrow=narrow)


def _drawn(cells: Mapping[str, Row | str]) -> dict[str, Row]:
    """Return cells as figures draw them: numbers as they are written."""
    rows = {name: cell for name, cell in cells.items() if not isinstance(cell, str)}
    return {
        name: {
            "text": with_unit(row),
            **{
                end: None if row[end] is None else value_of({**row, "estimate": row[end]})
                for end in ENDS
            },
        }
        for name, row in rows.items()
    }


def _sorted(grid: Grid, columns: dict[Heading, dict[str, Row]]) -> dict[Heading, dict[str, Row]]:
    """Return columns without levels beside changes, the largest of the first column first."""
    if not any(name != BASELINE for cells in columns.values() for name in cells):
        return columns
    moved = {
        heading: {name: row for name, row in cells.items() if name != BASELINE}
        for heading, cells in columns.items()
    }
    first = next(iter(moved.values()))
    order = [name for name in grid.rows if name != BASELINE]
    if grid.rows_are in ("variant", "effect"):
        order.sort(key=lambda name: -abs(first[name]["estimate"]) if name in first else 0.0)
    if len(order) > MOST_ROWS:
        order = [*order[: MOST_ROWS // 2], *order[-MOST_ROWS // 2 :]]
    return {
        heading: {name: cells[name] for name in order if name in cells}
        for heading, cells in moved.items()
        if cells
    }


def _map(grid: Grid, *, narrow: bool) -> Chart:
    """Draw numbers coloured by their distance from what is even; changes only where shown."""
    names, headings = grid.rows[:MOST_ROWS], list(grid.columns)[:MOST_COLUMNS]
    rows = {
        (name, heading.name): cell
        for heading in headings
        for name, cell in grid.columns[heading].items()
        if not isinstance(cell, str) and name in names
    }
    known = [row["estimate"] for row in rows.values()]
    middle = sum(known) / len(known) if grid.middle is None else grid.middle
    widest = max((abs(value - middle) for value in known), default=0.0) or 1.0
    values = {key: _map_cell(row, middle, widest) for key, row in rows.items()}
    return charts.cells(names, [heading.name for heading in headings], values, narrow=narrow)


def _map_cell(row: Row, middle: float, widest: float) -> tuple[str, float]:
    shown = row.get("shown", True)
    value = value_of(row)
    if row.get("even"):
        away = (row["estimate"] / row["even"] - 1) / charts.WIDEST
        mark = ("▲" if away > 0 else "▼") if "shown" in row and shown else ""
        return f"{mark}{value:.1f}", away
    if not shown:
        return "0?", 0.0
    return f"{value:{'+' if row['signed'] else ''}.1f}", (row["estimate"] - middle) / widest
