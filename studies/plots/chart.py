"""What a figure shows, in its own numbers: marks, rows and axes, before anything is drawn.

A chart knows neither pixels nor a drawing library. `studies.plots.svg` draws it for a page,
`studies.plots.paper` as a matplotlib figure for notebooks and as PNG.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

INK, MUTED, GRID, PAPER = "#1b1f26", "#59636e", "#d9dee4", "#fefefe"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9")
"""Okabe & Ito's (2008) colours, which differ for all kinds of colour vision."""

MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES: tuple[tuple[float, ...], ...] = ((), (5, 2), (1.5, 1.5), (6, 2, 1.5, 2), (3, 1), (8, 3))
HATCHES = ("", "///", "...", "\\\\\\", "", "")

WIDE, NARROW = 518.4, 266.4
"""Widths in points (7.2 and 3.7 inches); shown at about 760 and 360 pixels."""

SHIFT = 0.14
"""By how much marks lie below the middle of their row where its name stands above them."""

LONGEST_NAME = 42
"""Letters of a name in a figure; longer ones would leave no room for what is drawn."""

LETTERS_OF_KEYS = 90
"""That stand beside each other above a wide figure."""

LOGARITHMIC_FROM = 6.0
"""Ratio of the largest to the smallest shown value from which on an axis is logarithmic."""

_MARGIN = 0.05
"""Of the numbers shown, free at either end of an axis."""


@dataclass
class Axis:
    """An axis; it ends where its numbers do unless told, with `whole` numbers or all as ticks."""

    label: str = ""
    low: float | None = None
    high: float | None = None
    log: bool = False
    whole: bool = False


@dataclass(frozen=True)
class Dots:
    """Points with bars from `low` to `high`, which reach nowhere where they are not known."""

    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    series: int | None
    label: str | None = None


@dataclass(frozen=True)
class Line:
    """A line through points: as steps that last until the next point, or with a mark at each."""

    x: Sequence[float]
    y: Sequence[float]
    colour: str
    width: float = 1.7
    dashes: tuple[float, ...] = ()
    steps: bool = False
    marker: str = ""
    label: str | None = None


@dataclass(frozen=True)
class Band:
    """What lies between two lines of steps."""

    x: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    colour: str


@dataclass(frozen=True)
class Box:
    """A bar or a cell."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    hatch: str = ""
    edge: bool = False
    label: str | None = None


@dataclass(frozen=True)
class Words:
    """A text in the figure, on a ground of its own colour where it is given one."""

    x: float
    y: float
    text: str
    colour: str = INK
    anchor: str = "middle"
    size: float = 8.5
    bold: bool = False
    ground: str = ""


Mark = Dots | Line | Band | Box | Words


@dataclass
class Chart:
    """A figure.

    Attributes
    ----------
    height : float
        Of all of it, in points, with one line of keys.
    rows : list of str
        Names of the rows, row k at y = k from the top; without any there is a y axis.
    names_above : bool
        Whether names stand above what is in their row, not on its left.
    columns : list of str
        Names of the columns of a table of cells, column k from x = k to k + 1.
    tilted : bool
        Whether these need more room than they have.
    x, y : Axis
    rules : list of float
        Where a line goes through all rows.
    tips : list of (x, y, text)
        What a page tells where a pointer rests there.
    key_columns : int
    """

    height: float
    narrow: bool
    rows: list[str] = field(default_factory=list)
    names_above: bool = False
    columns: list[str] = field(default_factory=list)
    tilted: bool = False
    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)
    marks: list[Mark] = field(default_factory=list)
    rules: list[float] = field(default_factory=list)
    tips: list[tuple[float, float, str]] = field(default_factory=list)
    key_columns: int = 3

    @property
    def width(self) -> float:
        """In points."""
        return NARROW if self.narrow else WIDE

    @property
    def shift(self) -> float:
        """By how much marks lie below the middle of their row."""
        return SHIFT if self.names_above else 0.0

    def tip(self, x: float, y: float, text: str, label: str | None = None) -> None:
        """Tell a value, and what it is of."""
        self.tips.append((x, y, f"{label}: {text}" if label else text))

    def dots(
        self,
        places: Sequence[float],
        found: Sequence[Mapping[str, Any]],
        *,
        series: int = 0,
        label: str | None = None,
        scale: float = 100,
    ) -> None:
        """Add estimates with the bars of their intervals, one a row; in % unless scaled otherwise.

        Parameters
        ----------
        found : sequence of mapping
            With `estimate`, `low` and `high`; where an end is None no bar is drawn.
        """
        middle = [scale * one["estimate"] for one in found]
        ends = {
            name: [
                x if one[name] is None else scale * one[name]
                for one, x in zip(found, middle, strict=True)
            ]
            for name in ("low", "high")
        }
        self.marks.append(Dots(middle, places, ends["low"], ends["high"], series, label))
        for place, x, low, high in zip(places, middle, ends["low"], ends["high"], strict=True):
            self.tip(x, place, f"{x:.3g} ({low:.3g} to {high:.3g})", label)

    def x_limits(self) -> tuple[float, float]:
        """Return the ends of the x axis."""
        return _limits(self.x, [x for mark in self.marks for x in _reach(mark, 0)] + self.rules)

    def y_limits(self) -> tuple[float, float]:
        """Return the ends of the y axis, the upper one second; those of rows run downwards."""
        if self.rows:
            return len(self.rows) - 0.45, -0.6
        return _limits(self.y, [y for mark in self.marks for y in _reach(mark, 1)])

    def named(self) -> list[Dots | Line | Box]:
        """Return the first mark of each name that is to be explained."""
        found: dict[str, Dots | Line | Box] = {}
        for mark in self.marks:
            if isinstance(mark, Dots | Line | Box) and mark.label is not None:
                found.setdefault(mark.label, mark)
        return list(found.values())

    def key_lines(self) -> list[list[Dots | Line | Box]]:
        """Return the keys in lines that fit."""
        keys = self.named()
        longest = max((len(clipped(str(key.label))) for key in keys), default=1)
        columns = max(1, min(self.key_columns, LETTERS_OF_KEYS // max(longest, 1)))
        return [keys[start : start + columns] for start in range(0, len(keys), columns)]


def row_chart(labels: Sequence[str], *, narrow: bool, row: float = 0.3) -> Chart:
    """Return a chart of one thing a row: names on the left, or above when narrow."""
    height = 72 * ((row + (0.16 if narrow else 0.0)) * max(len(labels), 2) + 0.9)
    keys = 1 if narrow else 3
    return Chart(height, narrow, rows=list(labels), names_above=narrow, key_columns=keys)


def spread(place: int, count: int) -> float:
    """Return by how much the mark of a series lies below the middle of its row."""
    return 0.0 if count == 1 else (place / (count - 1) - 0.5) * min(0.5, 0.22 * (count - 1))


def _reach(mark: Mark, way: int) -> Iterator[float]:
    """Yield the numbers between which a mark lies along x (0) or y (1)."""
    if isinstance(mark, Dots):
        yield from mark.y if way else (*mark.low, *mark.high)
    elif isinstance(mark, Line):
        yield from mark.y if way else mark.x
    elif isinstance(mark, Box):
        yield from (mark.y, mark.y + mark.height) if way else (mark.x, mark.x + mark.width)


def _limits(axis: Axis, values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of an axis that shows some numbers."""
    known = [value for value in values if math.isfinite(value)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    if axis.low is not None:
        low = axis.low
    if axis.high is not None:
        high = axis.high
    if high <= low:
        low, high = (low, low + 1) if axis.low is not None else (high - 1, high + 1)
    margin = _MARGIN * (high - low)
    return (
        low - margin if axis.low is None else low,
        high + margin if axis.high is None else high,
    )


def clipped(name: str) -> str:
    """Return a name as figures show it, of at most `LONGEST_NAME` letters."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
