"""The numbers that a policy takes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simcore.errors import InputError
from strategies.checks import check_param


@dataclass(frozen=True)
class Param:
    """A number that a policy takes.

    Attributes
    ----------
    name, default, low, high, meaning
        Allowed are all numbers low … high.
    tunable : bool
        False where more is better and only costs time.
    """

    name: str
    default: float
    low: float
    high: float
    meaning: str
    tunable: bool = True

    def __post_init__(self) -> None:
        """Check it; raise InputError."""
        check_param(self.name, self.default, self.low, self.high, self.meaning)

    def parse(self, value: object, policy: str) -> float:
        """Return a checked value.

        Raises
        ------
        InputError
            If it is no number or out of bounds.
        """
        try:
            number = math.nan if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            number = math.nan
        if not self.low <= number <= self.high:
            raise InputError(
                f"parameter {self.name} = {str(value)!r} of policy {policy!r} is refused; "
                f"allowed: a number {self.low:g}…{self.high:g}"
            )
        return number

    @property
    def default_in_words(self) -> str:
        """The default as a line-up takes it."""
        return f"{self.default:g}"

    @property
    def allowed(self) -> str:
        """What is allowed, in words."""
        return f"{self.low:g}…{self.high:g}"


Under = tuple[Mapping[str, Sequence[Any]], Mapping[str, float]]
"""Options with the values of each that are meant; parameters with what they are under these."""


def in_words(under: Under) -> str:
    """Return under which rules which values stand in place of the defaults."""
    rules, values = under
    where = ", ".join(
        f"{name} = {meant[0]}" + (f" … {meant[-1]}" if len(meant) > 1 else "")
        for name, meant in rules.items()
    )
    return f"under {where}: " + ", ".join(f"{name} = {own}" for name, own in values.items())
