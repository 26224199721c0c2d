"""From numbers to places on a figure, and the ticks between."""

from __future__ import annotations

import math
from dataclasses import dataclass

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_NEAR = 1e-9


@dataclass(frozen=True)
class Scale:
    """Numbers `low` to `high` on a line from `start` to `end`; `end` may lie before `start`."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Return the place of a number."""
        return self.start + self.share(value) * (self.end - self.start)

    def share(self, value: float) -> float:
        """Return what part of the way a number lies, from 0 to 1 within the scale."""
        if not self.log:
            return (value - self.low) / (self.high - self.low)
        if value <= 0:
            return -1.0
        return math.log(value / self.low) / math.log(self.high / self.low)

    def holds(self, value: float, slack: float = 0.01) -> bool:
        """Return whether a number lies on the scale, or just beyond it."""
        return -slack <= self.share(value) <= 1 + slack


def ticks(low: float, high: float, most: int, *, whole: bool = False) -> list[tuple[float, str]]:
    """Return round numbers between two, at most `most` steps apart, each as it is written."""
    span = high - low
    if not span > 0:
        return [(low, f"{low:g}")]
    rough = span / max(most, 1)
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * own for own in (*_STEPS, 20.0) if unit * own >= rough * (1 - _NEAR))
    if whole:
        step = 1.0 if step < 1 else (3.0 if step == 2.5 else step)
    first = math.ceil(low / step - _NEAR)
    last = math.floor(high / step + _NEAR)
    digits = max(0, -math.floor(math.log10(step) + _NEAR))
    digits += not math.isclose(step * 10**digits, round(step * 10**digits))
    return [(at * step, written(at * step, digits)) for at in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Return the 1, 2, 5, 10, … between two numbers."""
    found = [step * 10**power for power in range(7) for step in (1, 2, 5)]
    return [(float(tick), written(tick)) for tick in found if low <= tick <= high]


def written(value: float, digits: int = 0) -> str:
    """Write the number of a tick."""
    text = f"{value:,.{digits}f}"
    return text.replace("-", "−") if text.strip("-0.,") else text.lstrip("-")
