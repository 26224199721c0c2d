"""Figures in one style: drawn by matplotlib, written as SVG for a page or as PNG.

Shapes, line styles, hatches and words repeat what colours say, so that a figure can be read without
colour vision and on paper.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

INK, MUTED, GRID, PAPER = "#1b1f26", "#59636e", "#d9dee4", "#fefefe"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9")
"""The colours of Okabe & Ito (2008), which differ for all kinds of colour vision."""

MARKERS = ("o", "s", "^", "D", "v", "P")

WIDE, NARROW = 660.0, 266.4
"""Widths in points (9.2 and 3.7 inches); shown from 760 pixels on, and at about 360."""

LONGEST_NAME = 42
"""Letters of a name in a figure; a longer one would leave no room for the data."""

LETTERS_OF_LEGEND = 120
"""Letters that fit beside each other in the legend of a wide figure."""

VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--line",
    PAPER: "--paper",
    **{colour: f"--series-{place}" for place, colour in enumerate(SERIES)},
}
"""Colour of a figure -> the CSS variable of a page, which differs in dark mode and in print."""

TIP_RADIUS = 6.0
"""Radius in points of the area around a mark in which a pointer shows its value."""

STYLE: dict[Any, Any] = {
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
    "axes.unicode_minus": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.7,
    "lines.markersize": 5.0,
    "legend.frameon": False,
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
    "savefig.facecolor": PAPER,
    "text.parse_math": False,  # names may hold dollar signs
    "svg.fonttype": "none",
    "svg.hashsalt": "cardlab",
    "hatch.color": PAPER,
    "hatch.linewidth": 0.6,
}


class Chart(Figure):
    """A matplotlib figure with values that a page shows where a pointer rests.

    Parameters
    ----------
    height : float
        In points, without the legend.
    narrow : bool
        Whether it is for a phone.
    """

    def __init__(self, height: float, *, narrow: bool) -> None:
        width = NARROW if narrow else WIDE
        super().__init__(figsize=(width / 72, height / 72), layout="constrained")
        FigureCanvasAgg(self)
        self.narrow = narrow
        self.tips: list[tuple[Axes, float, float, str]] = []

    def explain(self, axes: Axes, columns: int = 3) -> None:
        """Add the legend of one of the axes above all, in as many columns as fit."""
        handles, labels = axes.get_legend_handles_labels()
        if not handles:
            return
        labels = [clipped(label) for label in labels]
        room = LETTERS_OF_LEGEND // (3 if self.narrow else 1)
        columns = max(1, min(columns, room // max(map(len, labels))))
        lines = -(-len(labels) // columns)
        self.set_figheight(self.get_figheight() + 13 * (lines - 1) / 72)
        self.legend(handles, labels, loc="outside upper left", ncols=columns, borderaxespad=0.2)


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the style of the house, without warnings about letters that the font lacks."""
    with mpl.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", message="Glyph .* missing from font", category=UserWarning
        )
        yield


def save(figure: Figure, target: io.BytesIO | str, kind: str, **options: Any) -> None:
    """Write a figure as a file of a kind (`png`, `svg`, `pdf` …)."""
    with styled():
        figure.savefig(target, format=kind, **options)


def to_svg(chart: Chart, name: str, title: str) -> str:
    """Return a figure as an SVG element for an HTML page.

    Colours become the page's CSS variables, so that the figure follows light, dark and print.
    Styles become attributes, since the page's content security policy forbids style attributes.

    Parameters
    ----------
    name : str
        Letters, digits and "-", unique on the page: all ids begin with it.
    title : str
        Text in place of the picture, for those who cannot see it.
    """
    _place(chart)
    stream = io.BytesIO()
    empty = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    save(chart, stream, "svg", metadata=empty, facecolor="none")
    drawn = stream.getvalue().decode()
    body = drawn[drawn.index(">", drawn.index("<svg")) + 1 : drawn.rindex("</svg>")]
    body = re.sub(
        r"<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>", "", body, flags=re.DOTALL
    )
    body = re.sub(r"<[^>]*>", lambda tag: _tag(tag[0], name), body)  # never what names say
    body = re.sub(r">\s+<", "><", body).strip()
    width, height = (72 * size for size in chart.get_size_inches())
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title)}" '
        'stroke-linejoin="round" stroke-linecap="butt">'
        f"{body}{''.join(tips_of(chart))}</svg>"
    )


def _place(chart: Chart) -> None:
    """Lay a figure out for an SVG, or matplotlib would draw it whole to do so, and then again."""
    engine = chart.get_layout_engine()
    if engine is None:
        return
    FigureCanvasSVG(chart)  # it measures words as an SVG does, at 72 dots per inch
    dots, chart.dpi = chart.dpi, 72
    with styled():
        engine.execute(chart)
    chart.dpi = dots
    chart.set_layout_engine(None)


def _tag(tag: str, name: str) -> str:
    """Return a matplotlib tag with unique ids, the page's colours, and no inline styles."""
    if tag.startswith("</"):
        return tag
    tag = re.sub(r'^<g id="[^"]*"', "<g", tag)
    tag = re.sub(r' id="([^"]+)"', rf' id="{name}-\1"', tag)
    tag = re.sub(r'(?:xlink:)?href="#', f'href="#{name}-', tag)
    tag = tag.replace("url(#", f"url(#{name}-")
    tag = re.sub(r' style="([^"]*)"', _attributes, tag)
    for colour, variable in VARIABLES.items():
        tag = tag.replace(f'"{colour}"', f'"var({variable})"')
    return re.sub(r' (?:d|x|y|transform|width|height)="[^"]*"', _rounded, tag)


def _attributes(style: re.Match[str]) -> str:
    """Return the declarations of a style attribute as attributes; the page chooses the font."""
    written = []
    for declaration in style[1].split(";"):
        key, _, value = declaration.strip().partition(":")
        value = value.strip()
        if key == "font":
            size = re.search(r"([\d.]+)px", value)
            written += [f'font-size="{size[1]}"'] if size else []
            written += ['font-weight="bold"'] if re.search(r"\b(bold|[6-9]00)\b", value) else []
        elif key not in ("", "font-family", "font-stretch", "font-variant", "white-space"):
            written.append(f'{key}="{value.removesuffix("px")}"')
    return "".join(f" {attribute}" for attribute in written)


def _rounded(attribute: re.Match[str]) -> str:
    """Return an attribute with places to a tenth of a point."""
    return re.sub(r"(\d+\.\d)\d+", r"\1", attribute[0])


def tips_of(chart: Chart) -> Iterator[str]:
    """Yield invisible circles whose titles are the values below them."""
    height = 72 * chart.get_figheight()
    for axes, value, place, text in chart.tips:
        low, high = sorted(axes.get_xlim())
        if not low <= value <= high:
            continue
        x, y = axes.transData.transform((value, place)) * 72 / chart.dpi
        yield (
            f'<circle cx="{x:.1f}" cy="{height - y:.1f}" r="{TIP_RADIUS:g}" fill="none" '
            f'pointer-events="all"><title>{escape(text, quote=False)}</title></circle>'
        )


def clipped(name: str) -> str:
    """Return a name as figures show it, of at most `LONGEST_NAME` letters."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
