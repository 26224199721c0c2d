"""Parameters of policies: numbers, and for a search another policy."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from simcore.errors import InputError, unknown

LONGEST = 120
"""Letters of what is quoted."""


@dataclass(frozen=True)
class Param:
    """A numeric parameter of a policy.

    Attributes
    ----------
    name, default, low, high, meaning
        Every number from `low` to `high` is allowed.
    tunable : bool
        False for parameters, such as numbers of rollouts, where more is always better but slower.
    whole : bool
        Whether only whole numbers are allowed, as of cards.
    """

    name: str
    default: float
    low: float
    high: float
    meaning: str
    tunable: bool = True
    whole: bool = False

    def __post_init__(self) -> None:
        """Check the declaration; raise InputError."""
        name: object = self.name  # an untyped file may pass anything
        if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
            raise InputError(
                f"parameter name {quoted(name)} is refused; allowed: a word of letters, digits "
                "and _"
            )
        numbers: dict[str, Any] = {
            "default": self.default,
            "lowest value": self.low,
            "highest value": self.high,
        }
        for title, value in numbers.items():
            is_number = isinstance(value, Real) and not isinstance(value, bool)
            if not is_number or not math.isfinite(value):
                raise InputError(
                    f"{title} {quoted(value)} of parameter {name!r} is refused; allowed: a number"
                )
            if self.whole and value != int(value):
                raise InputError(
                    f"{title} {quoted(value)} of parameter {name!r} is refused; allowed: a whole "
                    "number, as the parameter is whole"
                )
        if not self.low <= self.high:
            raise InputError(
                f"parameter {name!r} is refused: its lowest value {self.low} is above its highest, "
                f"{self.high}; the order is Param(name, default, low, high, meaning)"
            )
        if not self.low <= self.default <= self.high:
            raise InputError(
                f"default {self.default} of parameter {name!r} is refused; allowed: "
                f"{self.low}…{self.high}, its bounds"
            )
        meaning: object = self.meaning
        if not isinstance(meaning, str):
            raise InputError(
                f"meaning {quoted(meaning)} of parameter {name!r} is refused; allowed: a text"
            )

    def parse(self, value: object, policy: str) -> float:
        """Return a value as a number."""
        try:
            number = math.nan if isinstance(value, bool) else float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            number = math.nan
        if not self.low <= number <= self.high or (self.whole and number != int(number)):
            kind = "a whole number" if self.whole else "a number"
            raise InputError(
                f"parameter {self.name} = {str(value)!r} of policy {policy!r} is refused; "
                f"allowed: {kind} {self.low:g}…{self.high:g}"
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


@dataclass(frozen=True)
class PolicyParam:
    """A policy that a policy takes, by name, with its default parameters.

    Attributes
    ----------
    name, game, default, meaning
        Allowed are all policies of the game that take no policy themselves.
    tunable : bool
    """

    name: str
    game: str
    default: str
    meaning: str
    tunable: bool = False

    def parse(self, value: object, policy: str, policies: Mapping[str, Any]) -> str:
        """Return the name of one of a game's policies; raise InputError if it is no such."""
        names = [name for name, known in policies.items() if not known.takes_policy]
        if value not in names:
            raise unknown("policy", str(value), names, f"for {self.name} of policy {policy!r}")
        return str(value)

    @property
    def default_in_words(self) -> str:
        """The default as a line-up takes it."""
        return self.default

    @property
    def allowed(self) -> str:
        """What is allowed, in words."""
        return "a policy"


AnyParam = Param | PolicyParam


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


def quoted(thing: object) -> str:
    """Return how a thing of a user's is shown in a message."""
    try:
        return repr(thing)[:LONGEST]
    except Exception:  # noqa: BLE001 (a user's class)
        return type(thing).__name__
