"""What a comparison finds where sums are kept: plain data, as `studies.compare.results` of matches.

Fields mean the same; what sums do not give is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from simcore.options import Value
from studies.stats.intervals import Interval


@dataclass(frozen=True)
class SumChange:
    """A mean without the variant, and how the variant changes it."""

    baseline: float
    change: Interval
    p: float
    p_holm: float | None = None


@dataclass(frozen=True)
class SumPolicyEffect:
    """What a variant changes for a policy; fields as in `studies.compare.results.PolicyEffect`."""

    policy: str
    seats: int
    win_share: SumChange
    win_share_of_all: SumChange
    score: SumChange
    gained: int
    lost: int
    among_winners: Interval
    among_winners_p: float


@dataclass(frozen=True)
class SumPositionEffect:
    """What a variant changes for whoever sits at a position; 0 is `first_seat`."""

    position: int
    win_share: SumChange
    win_share_of_all: SumChange
    score: SumChange


@dataclass(frozen=True)
class SumEffect:
    """What a variant changes; fields as in `studies.compare.results.VariantEffect`.

    Attributes
    ----------
    floor, independent : float
        Without intervals, which take resampled deals.
    """

    variant: str
    lineup: str
    point: dict[str, object]
    changed: dict[str, list[Value]]
    deals: int
    rotations: int
    matches: int
    winners_differ_count: int
    winners_differ: Interval
    floor: float
    independent: float
    clauses: list[str]
    in_play_count: int | None
    in_play: Interval | None
    policies: list[SumPolicyEffect]
    positions: list[SumPositionEffect]
    metrics: dict[str, SumChange]
    aborted: list[int]
    aborted_share: list[Interval]
    aborted_in_one_count: int
    aborted_in_one: Interval
    decided: int
    another_winner_count: int
    another_winner: Interval

    @property
    def any_aborted(self) -> bool:
        """Whether a match was aborted with or without the variant."""
        return any(self.aborted)

    @property
    def control(self) -> bool:
        """Whether nothing is changed."""
        return not self.changed


@dataclass(frozen=True)
class SumShare:
    """How a policy or a position fares: win share of decided matches and score, per seat."""

    policy: str
    seats: int
    win_share: Interval
    score: Interval
    win_share_of_all: Interval


@dataclass(frozen=True)
class SumDifference:
    """Win share of `first` less that of `second`, per seat, of decided matches, by deal."""

    first: str
    second: str
    difference: Interval
    p: float
    p_holm: float | None = None


@dataclass(frozen=True)
class SumLineup:
    """The policies and positions of a table under the unchanged rules, and its metrics' means."""

    lineup: str
    point: dict[str, object]
    players: int
    rotated: bool
    deals: int
    rotations: int
    matches: int
    aborted: int
    aborted_share: Interval
    policies: list[SumShare]
    positions: list[SumShare]
    differences: list[SumDifference]
    metrics: dict[str, Interval]


@dataclass(frozen=True)
class SumComparison:
    """All that `cardlab compare` tells of a study that keeps sums.

    Attributes
    ----------
    anytime : bool
        Whether intervals of other winners, win shares and their changes are confidence sequences.
    """

    title: str
    game: str
    level: float
    variants: list[SumEffect]
    lineups: list[SumLineup]
    tests_of_variants: int
    tests_of_scores: int
    tests_of_metrics: int
    tests_of_policies: int
    incomplete: list[str]
    assumptions: list[str]
    coupling: str
    remarks: list[str] = field(default_factory=list)
    anytime: bool = False
