"""Luck against skill, and policies against each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from studies.balance.results import Duel, Parts, Restriction
from studies.compare.results import NashShare, Strength
from studies.plots.seats import EVEN, LESS, MORE, ON_CELLS
from studies.plots.style import (
    GRID,
    INK,
    PAPER,
    SERIES,
    SHIFT,
    clipped,
    dots,
    key_above,
    new_figure,
    row_axes,
    spread,
    style,
    tip,
)
from studies.show.wording import between
from studies.stats.intervals import Interval

SHOWN = {
    "policy": "skill (policy)",
    "policy and cards": "policy × cards",
    "cards": "cards",
    "seat": "place",
    "rest": "how the match went",
}
_WITH_SEAT = ("policy and seat",)
_LOOKS = ((SERIES[2], "///"), (SERIES[3], "..."), (SERIES[0], ""), (SERIES[1], "\\\\"), (GRID, ""))
"""Colour and hatch of each part that is shown."""
FAR = 4.0
"""Log-odds from which on a policy is written at the edge instead of drawn."""


def variance_bars(rows: Sequence[tuple[str, Parts]], *, narrow: bool = False) -> Figure:
    """Draw how the variance of who wins splits, one bar of 100 % a table, skill first.

    A stroke marks what a policy that always won would explain, so that skill is read as a part of
    the way to it: all of the variance where each policy holds one seat; where it holds several,
    chance decides which of them wins. Parts estimated below 0 stand left of 0; the others are as
    much longer.
    """
    with style():
        figure, axes = row_axes([label for label, _ in rows], narrow=narrow, row=0.36)
        shift, height = (SHIFT, 0.42) if narrow else (0.0, 0.62)
        bars = [_percentages(parts) for _, parts in rows]
        right = max(100.0, *(sum(width for width in own if width > 0) for own in bars))
        least = (12 if narrow else 6) * right / 100
        for row, widths in enumerate(bars):
            ends = {True: 0.0, False: 0.0}  # of what stands right and left of 0
            for place, (name, width) in enumerate(zip(SHOWN.values(), widths, strict=True)):
                left = ends[width >= 0]
                ends[width >= 0] += width
                axes.barh(
                    row + shift,
                    width,
                    left=left,
                    height=height,
                    color=_LOOKS[place][0],
                    hatch=_LOOKS[place][1],
                    edgecolor=PAPER,
                    linewidth=0.8,
                    label=name if row == 0 else None,
                )
                tip(axes, left + width / 2, row + shift, f"{width:.3g} %", name)
                if abs(width) >= least:
                    axes.text(
                        left + width / 2,
                        row + shift,
                        f"{width:.0f}",
                        ha="center",
                        va="center",
                        fontsize=8.5,
                        fontweight="bold",
                        color=ON_CELLS,
                        bbox={"boxstyle": "round,pad=0.15", "fc": EVEN, "ec": "none"},
                    )
            axes.plot(
                [100 * _most(rows[row][1])] * 2,
                [row + shift - 0.72 * height, row + shift + 0.72 * height],
                color=INK,
                linewidth=2.2,
                label="a policy that always wins" if row == 0 else None,
            )
        below = min(0.0, *(sum(width for width in own if width < 0) for own in bars))
        axes.set_xlim(below * 1.02, right * 1.01)
        axes.set_xlabel("of what decides who wins, %")
        key_above(axes, columns=2 if narrow else 3)
    return figure


def _most(parts: Parts) -> float:
    """Return what a policy that always won would explain; all where that is not known."""
    return 1.0 if math.isnan(parts.most) or parts.most <= 0 else parts.most


def _percentages(parts: Parts) -> list[float]:
    """Return the parts that are shown, in %."""
    widths = []
    for source in SHOWN:
        share = parts.shares[source].estimate
        if source == "seat":
            share += sum(parts.shares[other].estimate for other in _WITH_SEAT)
        widths.append(0.0 if math.isnan(share) else 100 * share)
    return widths


def _dots(rows: Sequence[tuple[str, Interval, float]], label: str, *, narrow: bool) -> Figure:
    """Draw shares around their even value, which a stroke marks."""
    figure, axes = row_axes([name for name, _, _ in rows], narrow=narrow)
    shift = SHIFT if narrow else 0.0
    for place, (_, found, even) in enumerate(rows):
        y = place + shift
        axes.plot([100 * even, 100 * even], [y - 0.2, y + 0.2], color=INK, linewidth=1.6)
        dots(axes, [y], [found])
    axes.set_xlabel(label)
    return figure


def ladder_steps(steps: Sequence[Duel], *, narrow: bool = False) -> Figure:
    """Draw what each step of the ladder wins against the one below; strokes mark the even share."""
    with style():
        rows = [(f"{duel.first} – {duel.second}", duel.share, duel.even) for duel in steps]
        figure = _dots(rows, "decided matches won by the upper one, %", narrow=narrow)
        figure.axes[0].set_xlim(right=101)
    return figure


def restrictions(found: Sequence[Restriction], *, narrow: bool = False) -> Figure:
    """Draw what a policy wins against itself with one thing forbidden."""
    with style():
        rows = [(one.duel.lineup, one.duel.share, one.duel.even) for one in found]
        return _dots(rows, "decided matches won by the unrestricted one, %", narrow=narrow)


def strengths(found: Sequence[Strength], reference: str, *, narrow: bool = False) -> Figure:
    """Draw Plackett–Luce strengths, strongest first; the line is the reference's, 0.

    A policy far off the others would press them together: it stands at the edge, in numbers.
    """
    near = [own for own in found if abs(own.strength.estimate) <= FAR]
    with style():
        figure, axes = row_axes([own.policy for own in found], narrow=narrow)
        shift = SHIFT if narrow else 0.0
        axes.axvline(0, color=INK, linewidth=1)
        for place, own in enumerate(found):
            if own in near:
                dots(axes, [place + shift], [own.strength], scale=1)
        low, high = axes.get_xlim()
        for place, own in enumerate(found):
            if own in near:
                continue
            below = own.strength.estimate < 0
            text = between(own.strength).replace("-", "−")
            axes.text(
                low if below else high,
                place + shift,
                f"◀ {text}" if below else f"{text} ▶",
                ha="left" if below else "right",
                va="center",
                fontsize=8.5,
                color=INK,
                bbox={"boxstyle": "square,pad=0.1", "fc": PAPER, "ec": "none"},
            )
        axes.set_xlim(low, high)
        axes.set_xlabel(f"strength (log-odds against {reference})")
    return figure


def nash_shares(found: Sequence[NashShare], *, narrow: bool = False) -> Figure:
    """Draw how often the Nash average plays each policy, and what each policy gets from it."""
    with style():
        figure, axes = row_axes([own.policy for own in found], narrow=narrow, row=0.38)
        axes.axvline(0, color=INK, linewidth=1)
        series = {
            "how often it is played": [own.mass for own in found],
            "payoff from the mixture": [own.against for own in found],
        }
        for number, (name, intervals) in enumerate(series.items()):
            shift = spread(number, len(series)) + (SHIFT if narrow else 0)
            places = [place + shift for place in range(len(found))]
            dots(axes, places, intervals, series=number, label=name)
        axes.set_xlabel("%")
        key_above(axes, columns=1 if narrow else 2)
    return figure


def payoff_matrix(
    names: Sequence[str], shares: dict[tuple[str, str], Interval], *, narrow: bool = False
) -> Figure:
    """Draw what the row's policy wins of what the two win, in % and per seat held: even is 50.

    Parameters
    ----------
    names : sequence of str
        Rows and columns, strongest first.
    shares : dict
        (row, column) -> share; pairs that did not meet are left out.
    """
    count = len(names)
    scale = LinearSegmentedColormap.from_list("payoffs", [LESS, EVEN, MORE])
    with style():
        each = 0.34 if narrow else 0.42
        figure, axes = new_figure(each * count + (1.2 if narrow else 0.7), narrow=narrow)
        for y, row in enumerate(names):
            for x, column in enumerate(names):
                found = shares.get((row, column))
                if found is None:
                    continue
                away = float(np.clip(found.estimate, 0, 1))
                axes.add_patch(Rectangle((x + 0.03, y + 0.05), 0.94, 0.9, fc=to_hex(scale(away))))
                axes.text(
                    x + 0.5,
                    y + 0.5,
                    f"{100 * found.estimate:.0f}" if narrow else f"{100 * found.estimate:.1f}",
                    ha="center",
                    va="center",
                    color=ON_CELLS,
                    fontsize=8.5,
                )
        axes.set_xlim(0, count)
        axes.set_ylim(count, 0)
        axes.set_yticks([y + 0.5 for y in range(count)], [clipped(name) for name in names])
        axes.set_xticks(
            [x + 0.5 for x in range(count)],
            [clipped(name) for name in names],
            rotation=50 if narrow else 0,
            ha="left" if narrow else "center",
        )
        axes.xaxis.set_ticks_position("top")
        axes.grid(visible=False)
        axes.tick_params(length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
    return figure
