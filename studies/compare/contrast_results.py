"""What contrasts of variants' effects find: plain data, parts of a `Comparison`."""

from __future__ import annotations

from dataclasses import dataclass

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
