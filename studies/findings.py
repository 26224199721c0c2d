"""What a comparison finds: plain data, which `cardlab compare --json` prints as it stands.

Win shares and scores of a policy are per seat that it holds: two seats of the same policy count
each for itself, so that an even table gives every policy 1 / players.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from simcore.options import Value
from studies.intervals import Interval


@dataclass(frozen=True)
class Change:
    """A mean without the variant, and how the variant changes it."""

    baseline: float
    change: Interval
    p: float
    p_holm: float | None = None


@dataclass(frozen=True)
class PolicyEffect:
    """What a variant changes for a policy; win shares and scores are per seat that it holds.

    Attributes
    ----------
    win_share : Change
        A match won by k seats gives each 1/k.
    score : Change
        Of its seats' final scores.
    gained, lost : int
        Matches in which one of its seats is among the winners only with, only without the variant.
    among_winners : Interval
        (gained - lost) / matches; without rotation Newcombe's interval.
    among_winners_p : float
        Without rotation the exact McNemar test.
    """

    policy: str
    seats: int
    win_share: Change
    score: Change
    gained: int
    lost: int
    among_winners: Interval
    among_winners_p: float


@dataclass(frozen=True)
class VariantEffect:
    """What a variant changes, at one line-up and sweep point.

    Attributes
    ----------
    changed : dict
        Option -> [value without, value with].
    winners_differ, in_play : Interval
        Shares of matches; `in_play` is None where no clause of the game belongs to the options.
    floor, independent : float
        The least share of other winners that the two distributions of winners allow; the share if
        both were played with other cards.
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
    policies: list[PolicyEffect]
    metrics: dict[str, Change]
    aborted: list[int]


@dataclass(frozen=True)
class PolicyShare:
    """How a policy fares in a cell: win share and score per seat that it holds."""

    policy: str
    seats: int
    win_share: Interval
    score: Interval


@dataclass(frozen=True)
class PolicyDifference:
    """Win share of `first` less that of `second`, per seat, on the same deals."""

    first: str
    second: str
    difference: Interval
    p: float
    p_holm: float | None = None


@dataclass(frozen=True)
class LineupResult:
    """The policies of a line-up against each other under the unchanged rules."""

    lineup: str
    point: dict[str, object]
    players: int
    rotated: bool
    deals: int
    rotations: int
    matches: int
    aborted: int
    policies: list[PolicyShare]
    differences: list[PolicyDifference]


@dataclass(frozen=True)
class Comparison:
    """All that `cardlab compare` tells of a study directory."""

    title: str
    game: str
    level: float
    coupling: str
    variants: list[VariantEffect]
    lineups: list[LineupResult]
    tests_of_variants: int
    tests_of_policies: int
    incomplete: list[str]
    assumptions: list[str]
    remarks: list[str] = field(default_factory=list)
