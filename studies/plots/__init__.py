"""Figures of studies, for reports and notebooks: one style, one function a figure.

Each function takes what `studies.balance` or `studies.compare.effects` found and returns a chart;
`narrow=True` gives the form for a phone. `to_svg` draws a chart for a page; `studies.plots.paper`
as a matplotlib figure or PNG, which takes far longer. Shapes, line styles, hatches and words carry
what colours carry, so that a figure can be read without colour vision and on paper.
"""

from studies.plots.chart import Chart, spoken_by
from studies.plots.effects import contrasts, forest, gains
from studies.plots.matches import lead_changes, length_curves, quantile_ranges, share_dots
from studies.plots.seats import payoff_matrix, seat_map
from studies.plots.sensitivity import sensitivity_bars
from studies.plots.skill import (
    ladder_steps,
    nash_shares,
    restrictions,
    strengths,
    variance_bars,
)
from studies.plots.svg import to_svg

__all__ = [
    "Chart",
    "contrasts",
    "forest",
    "gains",
    "ladder_steps",
    "lead_changes",
    "length_curves",
    "nash_shares",
    "payoff_matrix",
    "quantile_ranges",
    "restrictions",
    "seat_map",
    "sensitivity_bars",
    "share_dots",
    "spoken_by",
    "strengths",
    "to_svg",
    "variance_bars",
]
