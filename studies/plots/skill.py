"""Luck against skill, and policies against each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

from studies.balance.results import Duel, Parts, Restriction
from studies.compare.results import NashShare, Strength
from studies.plots.chart import (
    GRID,
    INK,
    PAPER,
    SERIES,
    Axis,
    Box,
    Chart,
    Line,
    Words,
    row_chart,
    spread,
)
from studies.plots.seats import EVEN, ON_CELLS
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


def variance_bars(rows: Sequence[tuple[str, Parts]], *, narrow: bool = False) -> Chart:
    """Draw how the variance of who wins splits, one bar of 100 % a table, skill first.

    A stroke marks what a policy that always won would explain, so that skill is read as a part of
    the way to it: all of the variance where each policy holds one seat; where it holds several,
    chance decides which of them wins. Parts estimated below 0 stand left of 0; the others are as
    much longer.
    """
    chart = row_chart([label for label, _ in rows], narrow=narrow, row=0.36)
    chart.key_columns = 2 if narrow else 3
    height = 0.42 if narrow else 0.62
    bars = [_percentages(parts) for _, parts in rows]
    right = max(100.0, *(sum(width for width in own if width > 0) for own in bars))
    for row, widths in enumerate(bars):
        _bar(chart, row + chart.shift, height, widths, (12 if narrow else 6) * right / 100)
    for row, (_, parts) in enumerate(rows):
        y = row + chart.shift
        ends = [y - 0.72 * height, y + 0.72 * height]
        most = 100 * _most(parts)
        label = "a policy that always wins"
        chart.marks.append(Line([most, most], ends, INK, width=2.2, label=label))
    below = min(0.0, *(sum(width for width in own if width < 0) for own in bars))
    chart.x = Axis("of what decides who wins, %", below * 1.02, right * 1.01)
    return chart


def _bar(chart: Chart, y: float, height: float, widths: Sequence[float], least: float) -> None:
    """Draw the parts of one table end to end; those of at least `least` % with their number."""
    ends = {True: 0.0, False: 0.0}  # of what stands right and left of 0
    for (name, width), (colour, hatch) in zip(
        zip(SHOWN.values(), widths, strict=True), _LOOKS, strict=True
    ):
        left = ends[width >= 0]
        ends[width >= 0] += width
        box = Box(left, y - height / 2, width, height, colour, hatch, edge=True, label=name)
        chart.marks.append(box)
        middle = left + width / 2
        chart.tip(middle, y, f"{width:.3g} %", name)
        if abs(width) >= least:
            words = Words(middle, y, f"{width:.0f}", ON_CELLS, bold=True, ground=EVEN)
            chart.marks.append(words)


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


def _dots(rows: Sequence[tuple[str, Interval, float]], label: str, *, narrow: bool) -> Chart:
    """Draw shares around their even value, which a stroke marks."""
    chart = row_chart([name for name, _, _ in rows], narrow=narrow)
    for place, (_, found, even) in enumerate(rows):
        y = place + chart.shift
        chart.marks.append(Line([100 * even] * 2, [y - 0.2, y + 0.2], INK, width=1.6))
        chart.dots([y], [found])
    chart.x.label = label
    return chart


def ladder_steps(steps: Sequence[Duel], *, narrow: bool = False) -> Chart:
    """Draw what each step of the ladder wins against the one below; strokes mark the even share."""
    rows = [(f"{duel.first} – {duel.second}", duel.share, duel.even) for duel in steps]
    chart = _dots(rows, "decided matches won by the upper one, %", narrow=narrow)
    chart.x.high = 101
    return chart


def restrictions(found: Sequence[Restriction], *, narrow: bool = False) -> Chart:
    """Draw what a policy wins against itself with one thing forbidden."""
    rows = [(one.duel.lineup, one.duel.share, one.duel.even) for one in found]
    return _dots(rows, "decided matches won by the unrestricted one, %", narrow=narrow)


def strengths(found: Sequence[Strength], reference: str, *, narrow: bool = False) -> Chart:
    """Draw Plackett–Luce strengths, strongest first; the line is the reference's, 0.

    A policy far off the others would press them together: it stands at the edge, in numbers.
    """
    chart = row_chart([own.policy for own in found], narrow=narrow)
    chart.rules.append(0)
    far = []
    for place, own in enumerate(found):
        if abs(own.strength.estimate) <= FAR:
            chart.dots([place + chart.shift], [own.strength], scale=1)
        else:
            far.append((place + chart.shift, own.strength))
    low, high = chart.x_limits()
    for y, strength in far:
        text = between(strength).replace("-", "−")
        below = strength.estimate < 0
        chart.marks.append(
            Words(
                low if below else high,
                y,
                f"◀ {text}" if below else f"{text} ▶",
                anchor="start" if below else "end",
                ground=PAPER,
            )
        )
    chart.x = Axis(f"strength (log-odds against {reference})", low, high)
    return chart


def nash_shares(found: Sequence[NashShare], *, narrow: bool = False) -> Chart:
    """Draw how often the Nash average plays each policy, and what each policy gets from it."""
    chart = row_chart([own.policy for own in found], narrow=narrow, row=0.38)
    chart.rules.append(0)
    chart.key_columns = 1 if narrow else 2
    series = {
        "how often it is played": [own.mass for own in found],
        "payoff from the mixture": [own.against for own in found],
    }
    for number, (name, intervals) in enumerate(series.items()):
        shift = spread(number, len(series)) + chart.shift
        places = [place + shift for place in range(len(found))]
        chart.dots(places, intervals, series=number, label=name)
    chart.x.label = "%"
    return chart
