"""Numeric parameters of policies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simcore.errors import InputError
from strategies.checks import check_param


@dataclass(frozen=True)
class Param:
    """A numeric parameter of a policy.

    Attributes
    ----------
    name, default, low, high, meaning
        Every number from `low` to `high` is allowed.
    tunable : bool
        False for parameters, such as numbers of rollouts, where more is always better but slower.
    """

    name: str
    default: float
    low: float
    high: float
    meaning: str
    tunable: bool = True

    def __post_init__(self) -> None:
        """Check the declaration; raise InputError."""
        check_param(self.name, self.default, self.low, self.high, self.meaning)

    def parse(self, value: object, policy: str) -> float:
        """Return a value as a number.

        Raises
        ------
        InputError
            If the value is not a number, or out of bounds.
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
        """The default, written as in a line-up."""
        return f"{self.default:g}"

    @property
    def allowed(self) -> str:
        """The allowed range, as text."""
        return f"{self.low:g}…{self.high:g}"


Under = tuple[Mapping[str, Sequence[Any]], Mapping[str, float]]
"""The option values under which other defaults apply, and those defaults by parameter."""


def in_words(under: Under) -> str:
    """Return the sentence that says which defaults apply under which options."""
    rules, values = under
    where = ", ".join(
        f"{name} = {meant[0]}" + (f" … {meant[-1]}" if len(meant) > 1 else "")
        for name, meant in rules.items()
    )
    return f"under {where}: " + ", ".join(f"{name} = {value}" for name, value in values.items())
