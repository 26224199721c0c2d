"""What an interval allows one to say of an effect."""

from __future__ import annotations

import math
from enum import Enum

from studies.stats.intervals import Interval


class Verdict(Enum):
    """How an effect stands against none at all.

    `NONE`: the interval holds no effect and nothing that matters; `UNCLEAR`: it holds both no
    effect and one that matters, so that more matches are needed; `SMALL`, `MEDIUM`, `LARGE`: there
    is an effect, of that size.
    """

    NONE = "none"
    UNCLEAR = "unclear"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


def judge(interval: Interval, null: float, small: float, large: float) -> Verdict:
    """Judge an effect.

    Parameters
    ----------
    interval : Interval
        Of the quantity; `null` is its value without an effect.
    small, large : float
        Distances from `null`: below `small` an effect does not matter much, from `large` on it
        matters a great deal.
    """
    if math.isnan(interval.estimate) or not math.isfinite(interval.high - interval.low):
        return Verdict.UNCLEAR
    if interval.low <= null <= interval.high:
        reach = max(null - interval.low, interval.high - null)
        return Verdict.NONE if reach <= small else Verdict.UNCLEAR
    distance = abs(interval.estimate - null)
    if distance < small:
        return Verdict.SMALL
    return Verdict.LARGE if distance >= large else Verdict.MEDIUM
