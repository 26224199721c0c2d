"""Findings, in every medium alike: a question, what is said to it, and grids of rows of the frame.

A `Grid` maps the names of rows and columns to rows of the frame. It is a table on a terminal and in
HTML, and its `chart` says which figure it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from studies.measures import BASELINE
from studies.render import Column, Table, fits
from studies.view.query import Row, text, value_of

Cells = Mapping[str, Row | str]
"""Name of a row -> the frame's row, or a word."""

Chart = Literal["", "panels", "series", "map", "histogram"]


@dataclass(frozen=True)
class Heading:
    """The heading of a column.

    Attributes
    ----------
    name : str
    help : str
        What it means, for those who rest a pointer on it.
    priority : int
        Of what does not fit, columns of the highest number are left out first; 0: never.
    even : float or None
        Where a figure draws a line: an even share, or 0.
    """

    name: str
    help: str = ""
    priority: int = 0
    even: float | None = None

    @property
    def written(self) -> str:
        """The heading, whose unit is never alone in a line."""
        return self.name.replace(" %", "\u00a0%")

    @property
    def title(self) -> str:
        """The heading without its unit."""
        return self.name.removesuffix(", %")


@dataclass(frozen=True)
class Grid:
    """Rows × columns of the frame.

    Attributes
    ----------
    title : str
    columns : mapping of Heading to mapping of str to row
        Of each column, name -> the frame's row, or a word.
    rows_are : str
        What the names of rows are: "variant", "policy".
    chart : str
        "panels": estimates with intervals, an axis a column; "series": all columns on one axis;
        "map": numbers coloured by their distance from `middle`; "histogram": `counts`; "" none.
    name : str
        Of its figure (`results.figure(name)`), and of what is saved.
    caption : str
        What the figure shows, and what the bars are.
    unit : str
        Of the axis that all series share.
    middle : float or None
        Of a map: what counts as even, in the frame's unit; None: the mean.
    counts : callable or None
        Of a histogram: returns, by name, value -> how many matches have it.
    label : str
        What it is called where it is left out.
    """

    title: str
    columns: Mapping[Heading, Cells]
    rows_are: str = ""
    chart: Chart = ""
    name: str = ""
    caption: str = ""
    unit: str = ""
    middle: float | None = None
    counts: Callable[[], Mapping[str, Mapping[int, int]]] | None = field(default=None, repr=False)
    label: str = ""

    @property
    def rows(self) -> list[str]:
        """The names of the rows, the unchanged rules first."""
        names = dict.fromkeys(name for cells in self.columns.values() for name in cells)
        return sorted(names, key=lambda name: name != BASELINE)

    @property
    def frame_rows(self) -> list[Row]:
        """The rows of the frame that it shows."""
        every = (cell for cells in self.columns.values() for cell in cells.values())
        return [cell for cell in every if not isinstance(cell, str)]

    def table(self) -> Table:
        """Return the grid as a table; cells are texts, with their values for sorting."""
        lines = [
            {
                self.rows_are or "row": name,
                **{heading.name: _cell(cells.get(name)) for heading, cells in self.columns.items()},
            }
            for name in self.rows
        ]
        columns = [
            Column(self.rows_are or "row", self.rows_are or " "),
            *(
                Column(h.name, h.written, "cell", help=h.help, drop_priority=h.priority)
                for h in self.columns
            ),
        ]
        return Table.of(lines, columns, self.title)

    def tables(self, width: int) -> list[Table]:
        """Return the grid as tables that fit: what has no room follows beside the same rows.

        Columns with a priority are left out first.
        """
        table = self.table()
        names, *columns = table.columns
        while len(columns) > 1 and not fits(replace(table, columns=(names, *columns)), width):
            worst = max(columns, key=lambda column: column.drop_priority)
            if not worst.drop_priority:
                break
            columns.remove(worst)
        parts: list[list[Column]] = [[]]
        for column in columns:
            wider = replace(table, columns=(names, *parts[-1], column))
            if parts[-1] and not fits(wider, width):
                parts.append([])
            parts[-1].append(column)
        first, *others = (replace(table, columns=(names, *kept)) for kept in parts)
        return [first, *(replace(part, title=f"{part.title}, continued") for part in others)]


def _cell(cell: Row | str | None) -> dict[str, Any] | None:
    if cell is None or isinstance(cell, str):
        return {"text": cell or "", "value": None}
    return {"text": text(cell), "value": value_of(cell)}


@dataclass(frozen=True)
class Claim:
    """What is said to a question: a few words, the number that bears them out, and where.

    Attributes
    ----------
    question : str
    words : str
        Supported by the interval of the number, or by a test.
    number : str
        A row of the frame, written with its interval.
    where : str
        The line-up, and the point of the sweep; "" where the study has one of both.
    rest : str
        What holds at other line-ups or points.
    """

    question: str
    words: str
    number: str = ""
    where: str = ""
    rest: str = ""

    def __str__(self) -> str:
        beside = "; ".join(filter(None, (self.where, self.number)))
        rest = f"; {self.rest}" if self.rest else ""
        return f"{self.words}{f' ({beside})' if beside else ''}{rest}"


@dataclass(frozen=True)
class Finding:
    """A question, what is said to it, and what shows it.

    Attributes
    ----------
    name : str
        Of its section.
    title : str
        The question in general.
    claims : list of Claim
        What is said first, on screens and tiles.
    sentences : list of str
        What is said besides, on pages.
    grids : list of Grid
        The first is what a screen shows.
    minor : bool
        Whether a screen may leave its claims out.
    """

    name: str
    title: str
    claims: Sequence[Claim] = ()
    sentences: Sequence[str] = ()
    grids: Sequence[Grid] = ()
    minor: bool = False
