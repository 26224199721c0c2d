"""What contrasts of variants' effects find: plain data, parts of a `Comparison`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simcore.options import Value
from studies.stats.contrasts import Told
from studies.stats.intervals import Interval


@dataclass(frozen=True)
class Finding:
    """A contrast of one outcome, within its family.

    Attributes
    ----------
    of, who, number : str
        The outcome: of a "match", "policy", "position" or "metric"; which one; its number
        ("another_winner", "win_share" per seat, "score", or the metric's name).
    contrast : Interval
        Cluster-robust over deals, for itself.
    simultaneous : Interval or None
        These cover all contrasts of the family at once (max-T); None of sums.
    p : float
        For itself.
    p_family : float or None
        Corrected over the family by step-down max-T; None of sums, and of more than 5,000.
    p_holm : float
        The same by Holm's method.
    """

    of: str
    who: str
    number: str
    contrast: Interval
    simultaneous: Interval | None
    p: float
    p_family: float | None
    p_holm: float

    @property
    def corrected(self) -> float:
        """The p-value by which it is called shown."""
        return self.p_holm if self.p_family is None else self.p_family


def told_fields(of: str, who: str, number: str, told: Told) -> dict[str, Any]:
    """Return the fields of a `Finding`."""
    return {
        "of": of,
        "who": who,
        "number": number,
        "contrast": told.single,
        "simultaneous": told.simultaneous,
        "p": told.p,
        "p_family": told.p_family,
        "p_holm": told.p_holm,
    }


@dataclass(frozen=True)
class InteractionFinding(Finding):
    """An interaction, beside what each variant changes by itself, and what both change together."""

    first: float
    second: float
    together: float


@dataclass(frozen=True)
class Interaction:
    """How far two variants together do otherwise than their changes added up, at one table.

    Attributes
    ----------
    first, second, together : str
        The variants; `together` changes the options of both, and nothing else.
    deals : int
        Of the variant with the fewest.
    outcomes : list of InteractionFinding
        `contrast` is the change of `together` less those of `first` and `second`.
    """

    first: str
    second: str
    together: str
    lineup: str
    point: dict[str, object]
    deals: int
    outcomes: list[InteractionFinding]


@dataclass(frozen=True)
class FactorEffect:
    """A main effect, or the interaction of two factors, at one table.

    Attributes
    ----------
    factors : list of str
        One option or two.
    levels : list
        The level of each that is compared with the first.
    label : str
        Both in words.
    mixed_with : dict of str to float
        Other effects, by their labels, of which a fraction of a design cannot tell it: its contrast
        is the effect plus these times theirs.
    outcomes : list of Finding
        Differences of means over the rows of the design; of two factors, of two such differences.
    """

    factors: list[str]
    levels: list[Value]
    label: str
    mixed_with: dict[str, float]
    lineup: str
    point: dict[str, object]
    deals: int
    outcomes: list[Finding]


@dataclass(frozen=True)
class Factorial:
    """What the factors of a study change, one family over all effects, tables and outcomes.

    Attributes
    ----------
    levels : dict
        Factor -> its levels, the first that of the unchanged rules.
    variants : list of str
        The variants that are rows of the design, beside the baseline.
    """

    design: str
    levels: dict[str, list[Value]]
    variants: list[str]
    effects: list[FactorEffect]


@dataclass(frozen=True)
class Trend:
    """Whether a change goes one way with a number.

    Attributes
    ----------
    key : str
        A key of the sweep, or "strength": the mean Plackett–Luce strength of a table's seats.
    slope : Interval
        Of the straight line through the changes, for one more of the key.
    p_holm : float
        Corrected over all trends of the study.
    direction : str
        "rising", "falling", "turning" (steps both ways are shown), or "open".
    """

    key: str
    slope: Interval
    p: float
    p_holm: float
    direction: str


@dataclass(frozen=True)
class Sameness:
    """Whether what a variant changes of an outcome is the same at several tables.

    Attributes
    ----------
    over : str
        "points" of the sweep, with one line-up; or "lineups", at one point.
    lineup, point : str, dict or None
        What the tables share.
    tables : list of str
        What tells them apart.
    of, who, number : str
        The outcome, as in `Finding`.
    p : float
        Of "the change is the same at all of them".
    p_holm : float
        Corrected over all such tests of the study.
    largest : Interval
        The largest difference of two of them; allows for all pairs (Šidák).
    between : list of str
        The table with the larger change, that with the smaller one.
    """

    variant: str
    over: str
    lineup: str | None
    point: dict[str, object] | None
    tables: list[str]
    of: str
    who: str
    number: str
    p: float
    p_holm: float
    largest: Interval
    between: list[str]
    trends: list[Trend]
