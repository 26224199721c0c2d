"""A chart as SVG for a page: in the page's colours and letters, without a style of its own.

Colours are the page's CSS variables, so that a figure follows light and dark. Everything is an
attribute: a content security policy keeps style attributes out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

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
from studies.plots.letters import text_width
from studies.plots.scales import Scale, log_ticks, ticks

VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--line",
    PAPER: "--paper",
    **{colour: f"--series-{place}" for place, colour in enumerate(SERIES)},
}
"""Colour in a chart -> the page's CSS variable for it."""

TIP_RADIUS = 6.0
"""Of the place around a mark where a pointer is told its value; points of a figure."""

PAD, GAP, TICK = 3.0, 3.5, 3.5
"""Points around what is drawn, between a tick and its number, and of its stroke."""

SMALL, NORMAL = 8.5, 9.0
"""Sizes of letters: of numbers and names, of what an axis shows."""

LINE = 13.0
"""From one line of letters to the next."""

HANDLE = 20.0
"""Length of what a key shows beside its name."""

TILT = 50.0
"""Degrees by which names of columns are turned that have no room."""


def to_svg(chart: Chart, name: str, title: str) -> str:
    """Return a chart as an SVG element for an HTML page.

    Parameters
    ----------
    name : str
        Letters and digits, its own for each figure of a page: all ids begin with it.
    title : str
        Text in place of the picture, for those who cannot see it.
    """
    drawing = _Drawing(chart, name)
    body = "".join(drawing.parts())
    size = f"{chart.width:g} {drawing.height:g}"
    return (
        f'<svg viewBox="0 0 {size}" role="img" aria-label="{escape(title)}">'
        f"{drawing.patterns()}{body}</svg>"
    )


class _Drawing:
    """A chart with the places of all that it shows, in points from the upper left corner."""

    def __init__(self, chart: Chart, name: str) -> None:
        self.chart, self.name = chart, name
        self._hatched: dict[tuple[str, str], str] = {}
        self.keys = chart.key_lines()
        self.height = chart.height + LINE * max(0, len(self.keys) - 1)
        x_limits, y_limits = chart.x_limits(), chart.y_limits()
        self.names = [clipped(row) for row in chart.rows]
        self.columns = [clipped(column) for column in chart.columns]
        top, bottom = self._top(), self.height - self._below()
        self.y_ticks = [] if chart.rows else ticks(*y_limits, int((bottom - top) / 20))
        left = self._left()
        self.x_ticks = self._x_ticks(x_limits, chart.width - left)
        last = text_width(self.x_ticks[-1][1], SMALL) / 2 if self.x_ticks else 0.0
        right = chart.width - PAD - max(last, 4.0, self._tilted_reach())
        self.x = Scale(*x_limits, left, right, chart.x.log)
        self.y = Scale(*y_limits, bottom, top)

    def _x_ticks(self, limits: tuple[float, float], room: float) -> list[tuple[float, str]]:
        if self.chart.columns:
            return []
        if self.chart.x.log:
            return log_ticks(*limits)
        most = max(2, min(9, int(room / (3 * SMALL))))
        return ticks(*limits, most, whole=self.chart.x.whole)

    def _top(self) -> float:
        """Return where the axes begin: below the keys, or the names of columns."""
        if not self.columns:
            return PAD + LINE * len(self.keys) + (2.0 if self.keys else 0.0)
        widest = max(text_width(column, SMALL) for column in self.columns)
        names = widest * math.sin(math.radians(TILT)) if self.chart.tilted else 0.0
        return PAD + (LINE if self.chart.x.label else 0.0) + names + LINE

    def _below(self) -> float:
        if self.columns:
            return PAD
        return PAD + TICK + GAP + SMALL + (LINE if self.chart.x.label else 0.0) + 1.0

    def _left(self) -> float:
        if self.chart.names_above:
            return PAD + 6.0
        if self.names:
            return PAD + 8.0 + max(text_width(name, SMALL) for name in self.names)
        widest = max(text_width(text, SMALL) for _, text in self.y_ticks)
        return PAD + widest + GAP + TICK + (LINE if self.chart.y.label else 0.0)

    def _tilted_reach(self) -> float:
        if not self.chart.tilted:
            return 0.0
        return text_width(self.columns[-1], SMALL) * math.cos(math.radians(TILT))

    def patterns(self) -> str:
        """Return the hatches that were used, for `parts` to refer to."""
        if not self._hatched:
            return ""
        made = "".join(
            f'<pattern id="{own}" width="6" height="6" patternUnits="userSpaceOnUse">'
            f'<rect width="6" height="6" fill="{_paint(colour)}"/>'
            f'<path d="{_HATCH_PATHS[hatch]}" stroke="{_paint(PAPER)}" stroke-width="0.7" '
            f'fill="none" stroke-linecap="round"/></pattern>'
            for (colour, hatch), own in self._hatched.items()
        )
        return f"<defs>{made}</defs>"

    def parts(self) -> list[str]:
        """Return all elements, those behind first."""
        chart = self.chart
        found = [*self._frame()]
        for mark in chart.marks:
            found += self._mark(mark)
        return [*found, *self._keys(), *self._tips()]

    def _frame(self) -> Iterator[str]:
        """Yield axes, grids and names."""
        if self.columns:
            yield from self._column_names()
        else:
            yield from self._x_axis()
        if self.names:
            yield from self._row_names()
        else:
            yield from self._y_axis()

    def _x_axis(self) -> Iterator[str]:
        bottom, top = self.y.start, self.y.end
        places = [(self.x(value), text) for value, text in self.x_ticks]
        yield _path("".join(f"M{x:.1f} {bottom:.1f}V{top:.1f}" for x, _ in places), GRID, 0.7)
        strokes = "".join(f"M{x:.1f} {bottom:.1f}v{TICK}" for x, _ in places)
        yield _path(f"M{self.x.start:.1f} {bottom:.1f}H{self.x.end:.1f}{strokes}", MUTED, 0.8)
        base = bottom + TICK + GAP + 0.75 * SMALL
        for x, text in places:
            yield _text(x, base, text, SMALL)
        middle = (self.x.start + self.x.end) / 2
        if self.chart.x.label:
            # A long name of an axis may be wider than the axis: it stays within the figure.
            half = text_width(self.chart.x.label, NORMAL) / 2
            middle = max(half + PAD, min(middle, self.chart.width - PAD - half))
            yield _text(middle, base + LINE, self.chart.x.label, NORMAL)

    def _y_axis(self) -> Iterator[str]:
        left, right = self.x.start, self.x.end
        places = [(self.y(value), text) for value, text in self.y_ticks]
        yield _path("".join(f"M{left:.1f} {y:.1f}H{right:.1f}" for y, _ in places), GRID, 0.7)
        strokes = "".join(f"M{left:.1f} {y:.1f}h-{TICK}" for y, _ in places)
        yield _path(f"M{left:.1f} {self.y.start:.1f}V{self.y.end:.1f}{strokes}", MUTED, 0.8)
        for y, text in places:
            yield _text(left - TICK - GAP, y + 0.35 * SMALL, text, SMALL, "end")
        if self.chart.y.label:
            middle = (self.y.start + self.y.end) / 2
            turned = f' transform="rotate(-90 {PAD + NORMAL:g} {middle:.1f})"'
            yield _text(PAD + NORMAL, middle, self.chart.y.label, NORMAL, more=turned)

    def _row_names(self) -> Iterator[str]:
        edges = 0.06 if self.chart.names_above else 0.0
        if not self.columns:
            lines = (self.y(edge - 0.5 - edges) for edge in range(1, len(self.names)))
            across = "".join(f"M{self.x.start:.1f} {y:.1f}H{self.x.end:.1f}" for y in lines)
            yield _path(across, GRID, 0.6)
        for rule in self.chart.rules:
            at = self.x(rule)
            yield _path(f"M{at:.1f} {self.y.start:.1f}V{self.y.end:.1f}", INK, 1.0)
        halo = f' stroke="{_paint(PAPER)}" stroke-width="3" paint-order="stroke"'  # lines cross it
        for row, name in enumerate(self.names):
            if self.chart.names_above:
                yield _text(self.x.start, self.y(row - 0.22), name, SMALL, "start", more=halo)
            else:
                yield _text(self.x.start - 8, self.y(row) + 0.35 * SMALL, name, SMALL, "end")

    def _column_names(self) -> Iterator[str]:
        base = self.y.end - 3.0
        for column, name in enumerate(self.columns):
            x = self.x(column + 0.5)
            if self.chart.tilted:
                turned = f' transform="rotate(-{TILT:g} {x:.1f} {base:.1f})"'
                yield _text(x, base, name, SMALL, "start", more=turned)
            else:
                yield _text(x, base, name, SMALL)
        if self.chart.x.label:
            middle = (self.x.start + self.x.end) / 2
            yield _text(middle, PAD + NORMAL, self.chart.x.label, NORMAL)

    def _mark(self, mark: Mark) -> Iterator[str]:
        if isinstance(mark, Dots):
            yield from self._dots(mark)
        elif isinstance(mark, Line):
            yield from self._line(mark)
        elif isinstance(mark, Band):
            xs = [self._within(x) for x in mark.x]
            above, below = ([self.y(y) for y in own] for own in (mark.high, mark.low))
            there, back = _steps(xs, above), _steps_back(xs, below)
            yield f'<path d="{there}{back}Z" fill="{_paint(mark.colour)}" fill-opacity="0.2"/>'
        elif isinstance(mark, Box):
            yield self._box(mark)
        else:
            yield from self._words(mark)

    def _within(self, value: float) -> float:
        """Return the place of a number on the x axis, that of its end for those beyond."""
        return self.x(min(max(value, self.x.low), self.x.high))

    def _dots(self, mark: Dots) -> Iterator[str]:
        points = [(self.x(x), self.y(y)) for x, y in zip(mark.x, mark.y, strict=True)]
        ends = [(self.x(a), self.x(b)) for a, b in zip(mark.low, mark.high, strict=True)]
        bars = "".join(
            f"M{low:.1f} {y:.1f}H{high:.1f}"
            for (low, high), (_, y) in zip(ends, points, strict=True)
        )
        colour = INK if mark.series is None else SERIES[mark.series % len(SERIES)]
        yield _path(bars, colour, 1.6)
        if mark.series is not None:
            yield _symbols(MARKERS[mark.series % len(MARKERS)], points, colour)

    def _line(self, mark: Line) -> Iterator[str]:
        xs = [self._within(x) for x in mark.x]
        ys = [self.y(y) for y in mark.y]
        if len(xs) > 1:
            path = _steps(xs, ys) if mark.steps else _straight(xs, ys)
            yield _path(path, mark.colour, mark.width, mark.dashes)
        if mark.marker == "|":
            strokes = "".join(f"M{x:.1f} {y - 5.5:.1f}v11" for x, y in zip(xs, ys, strict=True))
            yield _path(strokes, mark.colour, mark.width)
        elif mark.marker:
            yield _symbols(mark.marker, list(zip(xs, ys, strict=True)), mark.colour)

    def _box(self, mark: Box) -> str:
        x, y = sorted((self.x(mark.x), self.x(mark.x + mark.width))), self.y(mark.y)
        height = self.y(mark.y + mark.height) - y
        return self._rect(mark, x[0], y, x[1] - x[0], height)

    def _rect(self, mark: Box, x: float, y: float, width: float, height: float) -> str:
        edge = f' stroke="{_paint(PAPER)}" stroke-width="0.8"' if mark.edge else ""
        return (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
            f'fill="{self._fill(mark.colour, mark.hatch)}"{edge}/>'
        )

    def _fill(self, colour: str, hatch: str) -> str:
        if not hatch:
            return _paint(colour)
        own = f"{self.name}-hatch-{len(self._hatched)}"
        return f"url(#{self._hatched.setdefault((colour, hatch), own)})"

    def _words(self, mark: Words) -> Iterator[str]:
        x, y = self.x(mark.x), self.y(mark.y)
        if mark.ground:
            width = text_width(mark.text, mark.size) + 4
            start = x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[mark.anchor]
            yield (
                f'<rect x="{start:.1f}" y="{y - 0.65 * mark.size:.1f}" width="{width:.1f}" '
                f'height="{1.3 * mark.size:.1f}" rx="2" fill="{_paint(mark.ground)}"/>'
            )
        more = ' font-weight="bold"' if mark.bold else ""
        base = y + 0.35 * mark.size
        yield _text(x, base, mark.text, mark.size, mark.anchor, mark.colour, more)

    def _keys(self) -> Iterator[str]:
        """Yield what each name stands for, above the axes, in columns."""
        texts = [[clipped(str(key.label)) for key in line] for line in self.keys]
        columns = max((len(line) for line in texts), default=0)
        widths = [
            max(text_width(line[column], SMALL) for line in texts if column < len(line))
            for column in range(columns)
        ]
        for row, line in enumerate(self.keys):
            x, y = self.x.start, PAD + LINE * (row + 0.5)
            if sum(widths) + (HANDLE + 17) * columns > self.chart.width - x:
                x = PAD
            for column, key in enumerate(line):
                yield from self._handle(key, x, y)
                yield _text(x + HANDLE + 5, y + 0.35 * SMALL, texts[row][column], SMALL, "start")
                x += HANDLE + 17 + widths[column]

    def _handle(self, key: Dots | Line | Box, x: float, y: float) -> Iterator[str]:
        if isinstance(key, Box):
            yield self._rect(key, x, y - 4, HANDLE, 8)
            return
        across = f"M{x:.1f} {y:.1f}h{HANDLE:g}"
        middle = [(x + HANDLE / 2, y)]
        if isinstance(key, Line):
            yield _path(across, key.colour, key.width, key.dashes)
            if key.marker:
                yield _symbols(key.marker, middle, key.colour)
        elif key.series is not None:
            colour = SERIES[key.series % len(SERIES)]
            yield _path(across, colour, 1.6)
            yield _symbols(MARKERS[key.series % len(MARKERS)], middle, colour)

    def _tips(self) -> Iterator[str]:
        for value, place, text in self.chart.tips:
            if not (math.isfinite(value) and math.isfinite(place)):
                continue
            if self.x.holds(value) and self.y.holds(place):
                yield (
                    f'<circle cx="{self.x(value):.1f}" cy="{self.y(place):.1f}" '
                    f'r="{TIP_RADIUS:g}" fill="none" pointer-events="all">'
                    f"<title>{escape(text, quote=False)}</title></circle>"
                )


_HATCH_PATHS = {
    "///": "M-1 1l2 -2M0 6l6 -6M5 7l2 -2",
    "\\\\": "M-1 5l2 2M0 0l6 6M5 -1l2 2",
    "\\\\\\": "M-1 5l2 2M0 0l6 6M5 -1l2 2",
    "...": "M1.5 1.5h0.01M4.5 4.5h0.01",
}


def _paint(colour: str) -> str:
    return f"var({VARIABLES[colour]})" if colour in VARIABLES else colour


def _path(path: str, colour: str, width: float, dashes: Sequence[float] = ()) -> str:
    dashed = " ".join(f"{width * length:g}" for length in dashes)
    more = f' stroke-dasharray="{dashed}"' if dashed else ""
    stroke = f'stroke="{_paint(colour)}" stroke-width="{width:g}"{more}'
    return f'<path d="{path}" fill="none" {stroke}/>'


def _text(
    x: float,
    y: float,
    text: str,
    size: float,
    anchor: str = "middle",
    colour: str = INK,
    more: str = "",
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" '
        f'fill="{_paint(colour)}"{more}>{escape(text, quote=False)}</text>'
    )


def _straight(xs: Sequence[float], ys: Sequence[float]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(xs, ys, strict=True))


def _steps(xs: Sequence[float], ys: Sequence[float]) -> str:
    """Return a line that keeps each height until the next point."""
    start = f"M{xs[0]:.1f} {ys[0]:.1f}"
    return start + "".join(f"H{x:.1f}V{y:.1f}" for x, y in zip(xs[1:], ys[1:], strict=True))


def _steps_back(xs: Sequence[float], ys: Sequence[float]) -> str:
    """Return the same from its end to its beginning, as the rest of a path."""
    places = list(zip(xs[:-1], ys[:-1], strict=True))[::-1]
    return "".join(f"V{y:.1f}H{x:.1f}" for x, y in places)


def _symbols(marker: str, places: Sequence[tuple[float, float]], colour: str) -> str:
    own = _SYMBOLS[marker]
    path = "".join(f"M{x:.1f} {y:.1f}{own}" for x, y in places if math.isfinite(x))
    return f'<path d="{path}" fill="{_paint(colour)}"/>'


_SYMBOLS = {
    "o": "m-2.7 0a2.7 2.7 0 1 0 5.4 0a2.7 2.7 0 1 0 -5.4 0z",
    "s": "m-2.5 -2.5h5v5h-5z",
    "^": "m0 -3l3 5.4h-6z",
    "D": "m0 -3.4l3.4 3.4l-3.4 3.4l-3.4 -3.4z",
    "v": "m0 3l3 -5.4h-6z",
    "P": "m-1 -3h2v2h2v2h-2v2h-2v-2h-2v-2h2z",
}
"""From the middle of each marker: its outline."""
