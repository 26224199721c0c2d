"""Why a policy made a move: what a replay tells of it; `strategies.reasons` gives it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Weight:
    """What a policy found a move worth.

    Attributes
    ----------
    move : int
    value : float
    note : str
        How sure that is, and from how much; or nothing.
    """

    move: int
    value: float
    note: str = ""


@dataclass(frozen=True)
class Reason:
    """Why a policy made a move.

    Attributes
    ----------
    step : str
        The rule that decided, a sentence without its full stop.
    in_vain : tuple of str
        The rules tried before that found nothing, likewise.
    unit : str
        What the weights are, and of what; empty without weights.
    weights : tuple of Weight
        The best first; moves that were not weighed are missing.
    """

    step: str
    in_vain: tuple[str, ...] = ()
    unit: str = ""
    weights: tuple[Weight, ...] = ()

    def lines(self, name: str, legal: Mapping[int, str]) -> Iterator[str]:
        """Tell the reason; `legal` are the legal moves in words."""
        if self.weights:
            listed = "; ".join(
                f"{legal[one.move]}: {one.value:.4g}{one.note}" for one in self.weights
            )
            yield f"    {name} weighs ({self.unit}): {listed}"
        before = ""
        if self.in_vain:
            before = f" (nothing came of: {'; '.join(self.in_vain)})"
        yield f"    {name} decides: {self.step}{before}"
