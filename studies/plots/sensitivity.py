"""Which dial matters: a row a dial, total and first-order index as bars with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from studies.plots.chart import HATCHES, SERIES, Box, Chart, Dots, row_chart
from studies.stats.intervals import Interval

_THICK = 0.3


def sensitivity_bars(
    rows: Sequence[tuple[str, Interval, Interval]], *, narrow: bool = False
) -> Chart:
    """Draw the indices of dials.

    Parameters
    ----------
    rows : sequence of (name, total, first)
        From the top.
    """
    chart = row_chart([name for name, _, _ in rows], narrow=narrow, row=0.5)
    chart.key_columns = 1 if narrow else 2
    chart.rules.append(0)
    kinds = {
        "total, with interactions": [total for _, total, _ in rows],
        "by itself (first order)": [first for _, _, first in rows],
    }
    for series, (label, found) in enumerate(kinds.items()):
        shift = (series - 0.5) * _THICK + chart.shift
        for row, one in enumerate(found):
            y, width = row + shift, 100 * one.estimate
            known = max(width, 0.0) if math.isfinite(width) else 0.0
            box = Box(0, y - 0.45 * _THICK, known, 0.9 * _THICK, SERIES[series], HATCHES[series])
            chart.marks.append(replace(box, edge=True, label=label))
            if all(map(math.isfinite, (width, one.low, one.high))):
                chart.marks.append(Dots([width], [y], [100 * one.low], [100 * one.high], None))
    chart.x.label = "share of the variance over all dials, %"
    return chart
