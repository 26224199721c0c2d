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
    """The heading of a column, and what it means.

    Of what does not fit, columns of the highest `priority` are left out first (0: never); `even` is
    where a figure draws a line, in the frame's unit.
    """

    name: str
    help: str = ""
    priority: int = 0
    even: float | None = None

    @property
    def title(self) -> str:
        """The heading without its unit."""
        return self.name.removesuffix(", %")


Columns = Mapping[Heading, Cells]


@dataclass(frozen=True)
class Grid:
    """Rows × columns of the frame.

    Attributes
    ----------
    title : str
        What it shows, without where.
    rows_are : str
        What the names of rows are: "variant", "policy".
    chart : str
        "panels": estimates with intervals, an axis a column; "series": all columns on one axis;
        "map": numbers coloured by their distance from `middle` (None: the mean); "histogram":
        `counts` returns, by name, value -> how many matches have it; "": none.
    name : str
        Of its figure, as in `results.figure(name)`.
    where : str
        The line-up and point that it is about.
    caption : str
        What the figure shows; default: title and where.
    unit : str
        Of the axis that all series share.
    """

    title: str
    columns: Columns
    rows_are: str = "table"
    chart: Chart = ""
    name: str = ""
    where: str = ""
    caption: str = ""
    unit: str = ""
    middle: float | None = None
    counts: Callable[[], Mapping[str, Mapping[int, int]]] | None = field(default=None, repr=False)

    @property
    def heading(self) -> str:
        """Title and place, as a heading."""
        return _capital(f"{self.title}{f': {self.where}' if self.where else ''}")

    @property
    def description(self) -> str:
        """What its figure shows, in a sentence."""
        return _capital(self.caption or self.heading)

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

    def without_figure(self) -> Grid:
        """Return the table alone."""
        return replace(self, name="")

    def table(self) -> Table:
        """Return the grid as a table; cells are texts, with their values for sorting."""
        lines = [
            {
                self.rows_are: name,
                **{heading.name: _cell(cells.get(name)) for heading, cells in self.columns.items()},
            }
            for name in self.rows
        ]
        columns = [
            Column(h.name, form="cell", help=h.help, drop_priority=h.priority) for h in self.columns
        ]
        return Table.of(lines, [Column(self.rows_are), *columns], self.heading)

    def tables(self, width: int) -> list[Table]:
        """Return the grid as tables that fit: what has no room follows beside the same rows.

        Columns with a priority are left out first.
        """
        table = self.table()
        names, *columns = table.columns
        while not fits(replace(table, columns=(names, *columns)), width):
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


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _cell(cell: Row | str | None) -> dict[str, Any]:
    if cell is None or isinstance(cell, str):
        return {"text": cell or "", "value": None}
    return {"text": text(cell), "value": value_of(cell)}


@dataclass(frozen=True)
class Claim:
    """What is said to a question: a few words, the number that bears them out, and where.

    `number` is a row of the frame, written with its interval; `where` names the line-up and the
    point of the sweep; `rest` is what holds elsewhere.
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
    """A question, what is said to it, and what shows it; the first grid is what a screen shows.

    `sentences` are said besides, on pages; the claims of a `minor` one a screen may leave out.
    """

    name: str
    title: str
    claims: Sequence[Claim] = ()
    grids: Sequence[Grid] = ()
    sentences: Sequence[str] = ()
    minor: bool = False
