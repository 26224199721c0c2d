"""The style of all figures, and figures as SVG for a page or as PNG.

In a page the colours are those of the page: `to_svg` puts CSS variables in their place, so that a
figure follows light and dark. Series colours are Okabe & Ito's (2008), which differ for all kinds
of colour vision.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from html import escape
from typing import Any
from weakref import WeakKeyDictionary

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from matplotlib.layout_engine import LayoutEngine
from matplotlib.ticker import FixedFormatter, FixedLocator

from studies.plots.ticks import lighten
from studies.stats.intervals import Interval

INK, MUTED, GRID, PAPER = "#1b1f26", "#59636e", "#d9dee4", "#fefefe"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", "P")
LINES = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (3, 1)), (0, (8, 3)))
HATCHES = ("", "///", "...", "\\\\\\", "", "")

VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--line",
    PAPER: "--paper",
    **{colour: f"--series-{place}" for place, colour in enumerate(SERIES)},
}
"""Colour in a figure -> the page's CSS variable for it."""

TIP_RADIUS = 6.0
"""Of the place around a mark where a pointer is told its value; points of a figure."""

PAD = 3.0
"""Points around what is drawn."""

SHIFT = 0.14
"""By how much marks lie below the middle of their row where its name stands above them."""

LONGEST_NAME = 42
"""Letters of a name in a figure; longer ones would leave no room for what is drawn."""

LETTERS_OF_KEYS = 90
"""That stand beside each other above a wide figure."""

WIDE, NARROW = 7.2, 3.7
"""Widths in inches; shown at about 760 and 360 pixels."""

_STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.0,
    "axes.labelsize": 9.0,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
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


@contextmanager
def style() -> Iterator[None]:
    """Draw in the one style."""
    with mpl.rc_context(_STYLE):
        yield


class Fitted(LayoutEngine):
    """Makes the axes as large as their ticks, names and key leave room for, measured once.

    Matplotlib's constrained layout does the same for many axes, and takes most of the time of
    drawing.
    """

    _adjust_compatible = False
    _colorbar_gridspec = False

    def execute(self, fig: Figure) -> None:
        """Place the axes."""
        (axes,) = fig.axes
        axes.set_position((0.15, 0.15, 0.8, 0.7))
        whole, inner = axes.get_tightbbox(for_layout_only=True), axes.bbox
        if whole is None:
            return
        width, height = fig.bbox.width, fig.bbox.height
        pad = PAD * fig.dpi / 72
        left, low = inner.x0 - whole.x0 + pad, inner.y0 - whole.y0 + pad
        right, high = whole.x1 - inner.x1 + pad, whole.y1 - inner.y1 + pad
        axes.set_position(
            (
                left / width,
                low / height,
                max(width - left - right, 1) / width,
                max(height - low - high, 1) / height,
            )
        )


def new_figure(height: float, *, narrow: bool) -> tuple[Figure, Axes]:
    """Return an empty figure of the right width with one pair of axes; heights are in inches."""
    figure = Figure(figsize=(NARROW if narrow else WIDE, height), layout=Fitted())
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


_SPOKEN: ContextVar[Callable[[str], str]] = ContextVar("spoken", default=str)


@contextmanager
def spoken_by(words: Callable[[str], str]) -> Iterator[None]:
    """Draw figures with names as a function writes them."""
    before = _SPOKEN.set(words)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def clipped(name: str) -> str:
    """Return a name as figures show it, of at most `LONGEST_NAME` letters."""
    name = _SPOKEN.get()(name)
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def row_axes(labels: list[str], *, narrow: bool, row: float = 0.3) -> tuple[Figure, Axes]:
    """Return axes for one thing a row, from the top: names on the left, or above when narrow."""
    height = (row + (0.16 if narrow else 0.0)) * max(len(labels), 2) + 0.9
    figure, axes = new_figure(height, narrow=narrow)
    labels = [clipped(label) for label in labels]
    axes.set_ylim(len(labels) - 0.45, -0.6)
    axes.grid(visible=False, axis="y")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0, pad=8)
    for edge in range(1, len(labels)):
        axes.axhline(edge - (0.56 if narrow else 0.5), color=GRID, linewidth=0.6, zorder=0)
    if narrow:
        axes.set_yticks([])
        for place, label in enumerate(labels):
            axes.text(
                0.0,
                place - 0.22,
                label,
                transform=axes.get_yaxis_transform(),
                va="bottom",
                fontsize=8.5,
            )
    else:
        axes.yaxis.set_major_locator(FixedLocator(range(len(labels))))
        axes.yaxis.set_major_formatter(FixedFormatter(labels))
    return figure, axes


def dots(
    axes: Axes,
    places: Sequence[float],
    found: Sequence[Interval],
    *,
    series: int = 0,
    label: str | None = None,
    scale: float = 100,
) -> None:
    """Draw estimates with the bars of their intervals, one a row; in % unless scaled otherwise.

    Where there is no interval (one deal) no bar is drawn.
    """
    middle = scale * np.array([one.estimate for one in found])
    low = middle - scale * np.array([one.low for one in found])
    high = scale * np.array([one.high for one in found]) - middle
    reach = np.clip(np.nan_to_num([low, high], posinf=0.0, neginf=0.0), 0.0, None)
    axes.errorbar(
        middle,
        places,
        xerr=reach,
        fmt=MARKERS[series % len(MARKERS)],
        color=SERIES[series % len(SERIES)],
        markersize=5,
        elinewidth=1.6,
        label=label,
        clip_on=False,
    )
    for place, one, x in zip(places, found, middle, strict=True):
        text = f"{x:.3g} ({scale * one.low:.3g} to {scale * one.high:.3g})"
        tip(axes, x, place, text, label)


def tip(axes: Axes, x: float, y: float, text: str, label: str | None = None) -> None:
    """Let a page tell a value where a pointer rests on it.

    Parameters
    ----------
    x, y : float
        In the units of the axes; what does not lie within them is not told.
    label : str, optional
        What the value is of.
    """
    _TIPS.setdefault(axes.get_figure(), []).append(
        (axes, x, y, f"{label}: {text}" if label else text)
    )


def _tips(figure: Figure) -> Iterator[str]:
    """Yield the tips of a figure that has been drawn, as elements of SVG."""
    height = figure.bbox.height
    for axes, x, y, text in _TIPS.get(figure, []):
        if not (np.isfinite(x) and np.isfinite(y)):
            continue
        place = axes.transData.transform((x, y))
        if axes.bbox.padded(TIP_RADIUS).contains(*place):
            yield (
                f'<circle cx="{place[0]:.1f}" cy="{height - place[1]:.1f}" r="{TIP_RADIUS:g}" '
                f'fill="none" pointer-events="all"><title>{escape(text)}</title></circle>'
            )


_TIPS: WeakKeyDictionary[Any, list[tuple[Axes, float, float, str]]] = WeakKeyDictionary()
"""Figure -> its tips."""


def spread(place: int, count: int) -> float:
    """Return by how much the mark of a series lies below the middle of its row."""
    return 0.0 if count == 1 else (place / (count - 1) - 0.5) * min(0.5, 0.22 * (count - 1))


def key_above(axes: Axes, *, columns: int = 3) -> None:
    """Put the key above the axes, where it hides nothing."""
    handles, names = axes.get_legend_handles_labels()
    labels = [clipped(str(name)) for name in names]
    if labels:
        columns = max(1, min(columns, LETTERS_OF_KEYS // max(map(len, labels))))
        axes.legend(
            handles,
            labels,
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            ncols=min(columns, len(labels)),
            borderaxespad=0.2,
            handletextpad=0.5,
            columnspacing=1.2,
        )


@contextmanager
def _measured_in_this_font() -> Iterator[None]:
    with warnings.catch_warnings():
        # Measured in this font, but in a page a name's letters are the browser's.
        warnings.filterwarnings(
            "ignore", message="Glyph .* missing from font", category=UserWarning
        )
        yield


def save(figure: Figure, target: io.BytesIO | str, kind: str, **options: Any) -> None:
    """Write a figure as a file of a kind."""
    with style(), _measured_in_this_font():
        figure.savefig(target, format=kind, **options)


def to_png(figure: Figure, *, dots_per_inch: int = 160) -> bytes:
    """Return a figure as PNG."""
    stream = io.BytesIO()
    save(figure, stream, "png", dpi=dots_per_inch)
    return stream.getvalue()


def to_svg(figure: Figure, name: str, title: str, classes: dict[str, str]) -> str:
    """Return a figure as an SVG element for an HTML page.

    Parameters
    ----------
    name : str
        Letters and digits, its own for each figure of a page: all ids begin with it.
    title : str
        Text in place of the picture, for those who cannot see it.
    classes : dict
        Declarations -> class, of all figures of the page; gains those of this one. They stand in
        place of style attributes, which a content security policy keeps out; see `style_sheet`.
    """
    text = _drawn(figure)
    text = text[text.index("<svg") :]
    text = re.sub(r"<(metadata|style)\b.*?</\1>", "", text, flags=re.DOTALL)
    view = re.search(r'viewBox="[^"]+"', text)
    assert view is not None
    text = text[text.index(">") + 1 :]
    # Within tags only: what stands between them are names, which are to be shown as they are.
    text = re.sub(r"<[a-z][^<>]*>", lambda tag: _tag_for_page(tag[0], name, classes), text)
    text = text.replace("</svg>", "".join(_tips(figure)) + "</svg>")
    label = title.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return f'<svg {view[0]} role="img" aria-label="{label}">{text}'


def _drawn(figure: Figure) -> str:
    """Return a figure as SVG, drawn once.

    `savefig` draws it once more beforehand, for backends that measure so; the renderer that draws
    measures the text, too, so that nothing is measured twice.
    """
    stream = io.StringIO()
    with style(), _measured_in_this_font():
        figure.set_dpi(72)
        width, height = figure.get_size_inches() * 72
        renderer = RendererSVG(  # type: ignore[no-untyped-call]
            width, height, stream, metadata={"Date": None, "Creator": None}, image_dpi=72
        )
        figure.canvas.get_renderer = lambda: renderer  # type: ignore[attr-defined]
        for axes in figure.axes:
            lighten(axes)
        figure.draw(renderer)
        renderer.finalize()  # type: ignore[no-untyped-call]
    return stream.getvalue()


def _tag_for_page(tag: str, name: str, classes: dict[str, str]) -> str:
    """Return a tag with ids of its own, the page's colours, and a class for its style."""
    tag = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', tag)
    tag = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", tag)
    tag = re.sub(r'(xlink:)?href="#([^"]+)"', rf'href="#{name}-\2"', tag)
    for colour, variable in VARIABLES.items():
        tag = tag.replace(colour, f"var({variable})")
    tag = re.sub(r"'DejaVu Sans'(, [^;\"]*)?", "var(--sans)", tag)
    return re.sub(
        r'\bstyle="([^"]*)"',
        lambda found: f'class="{classes.setdefault(found[1], f"s{len(classes)}")}"',
        tag,
    )


def style_sheet(classes: dict[str, str]) -> str:
    """Return the style sheet for figures that `to_svg` wrote."""
    lines = ["figure svg * { stroke-linejoin: round; stroke-linecap: butt; }"]
    lines += [f".{name} {{ {declarations}; }}" for declarations, name in classes.items()]
    return "\n".join(lines)
