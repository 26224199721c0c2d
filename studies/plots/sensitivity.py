"""Which dial matters: a row a dial, total and first-order index as bars with intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from studies.plots.style import HATCHES, INK, SERIES, SHIFT, key_above, row_axes, style
from studies.stats.intervals import Interval

_THICK = 0.3


def sensitivity_bars(
    rows: Sequence[tuple[str, Interval, Interval]], *, narrow: bool = False
) -> Figure:
    """Draw the indices of dials.

    Parameters
    ----------
    rows : sequence of (name, total, first)
        From the top.
    """
    with style():
        figure, axes = row_axes([name for name, _, _ in rows], narrow=narrow, row=0.5)
        kinds = {
            "total, with interactions": [total for _, total, _ in rows],
            "by itself (first order)": [first for _, _, first in rows],
        }
        for series, (label, found) in enumerate(kinds.items()):
            shift = (series - 0.5) * _THICK + (SHIFT if narrow else 0)
            places = np.arange(len(rows)) + shift
            ends = 100 * np.array([(one.estimate, one.low, one.high) for one in found])
            told = np.isfinite(ends).all(axis=1)
            middle = np.nan_to_num(ends[:, 0])
            axes.barh(
                places,
                np.clip(middle, 0, None),
                height=0.9 * _THICK,
                color=SERIES[series],
                hatch=HATCHES[series],
                edgecolor="white",
                label=label,
            )
            reach = np.abs(ends[told, 1:].T - middle[told])
            axes.errorbar(
                middle[told], places[told], xerr=reach, fmt="none", ecolor=INK, elinewidth=1.4
            )
        axes.axvline(0, color=INK, linewidth=1)
        axes.set_xlabel("share of the variance over all dials, %")
        key_above(axes, columns=1 if narrow else 2)
    return figure
