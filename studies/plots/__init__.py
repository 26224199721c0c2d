"""Figures in one style: a chart in its own numbers, drawn for a page, a notebook or as PNG.

`studies.report.charts` makes charts of rows of the frame. `to_svg` draws one for a page;
`studies.plots.paper` as a matplotlib figure or PNG, which takes far longer. Shapes, line styles,
hatches and words carry what colours carry, so that a figure can be read without colour vision and
on paper.
"""

from studies.plots.chart import Chart
from studies.plots.svg import to_svg

__all__ = ["Chart", "to_svg"]
