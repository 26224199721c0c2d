"""What a comparison finds where sums are kept instead of matches.

Everything that follows from sums over deals is exactly what the matches would give: counts, means,
and intervals that need a value a deal only through its sum and its sum of squares. What does not is
left out and named in `CANNOT_TELL`. Estimators and their sources are those of `studies.intervals`;
p-values are of cluster-robust t-tests over deals (Liang & Zeger 1986) and, without rotation, of
McNemar's exact test, each family corrected by Holm's method.
"""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import numpy as np

from simcore.errors import DataError
from simcore.game import get_game
from simcore.options import Value
from studies.cells import StudyCell
from studies.coupling import WORDS
from studies.frames import sound_scans
from studies.intervals import (
    LEVEL,
    Interval,
    Moments,
    clustered_mean,
    clustered_p,
    clustered_share,
    holm,
    mcnemar_p,
    newcombe,
)
from studies.parts import Part
from studies.stops import hold_goal
from studies.store import PROVENANCE, Scan
from studies.study import BASELINE, SUMMARY
from studies.sumfile import total_sums
from studies.sums import Sums, clause_bits, metric_names, seats_of

CANNOT_TELL = (
    'This study keeps sums over blocks, no matches (detail = "summary"): counts, means and their '
    "intervals are those that the matches would give. It cannot tell quantiles and distributions "
    "of length or score, tests that permute or resample deals, finishing orders and ratings, and "
    "single matches."
)


@dataclass(frozen=True)
class SumChange:
    """A mean without the variant, and how the variant changes it."""

    baseline: float
    change: Interval
    p: float
    p_holm: float | None = None


@dataclass(frozen=True)
class SumPolicyEffect:
    """What a variant changes for a policy; win shares and scores are per seat that it holds.

    Attributes
    ----------
    gained, lost : int
        Matches in which one of its seats is among the winners only with, only without the variant.
    among_winners : Interval
        (gained - lost) / matches; without rotation Newcombe's interval.
    among_winners_p : float
        Without rotation the exact McNemar test.
    """

    policy: str
    seats: int
    win_share: SumChange
    score: SumChange
    gained: int
    lost: int
    among_winners: Interval
    among_winners_p: float


@dataclass(frozen=True)
class SumEffect:
    """What a variant changes, at one line-up and sweep point.

    Attributes
    ----------
    floor, independent : float
        The least share of other winners that the two distributions of winners allow; the share if
        both were played with other cards.
    positions : list of SumChange
        Win share of each position; 0 is `first_seat`.
    aborted : list of int
        Aborted matches without, with the variant.
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
    positions: list[SumChange]
    metrics: dict[str, SumChange]
    aborted: list[int]


@dataclass(frozen=True)
class SumShare:
    """How a policy or a position fares: win share and score per seat."""

    policy: str
    seats: int
    win_share: Interval
    score: Interval


@dataclass(frozen=True)
class SumDifference:
    """Win share of `first` less that of `second`, per seat, on the same deals."""

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
    policies: list[SumShare]
    positions: list[SumShare]
    differences: list[SumDifference]
    metrics: dict[str, Interval]


@dataclass(frozen=True)
class SumComparison:
    """All that `cardlab compare` tells of a study that keeps sums."""

    title: str
    game: str
    level: float
    variants: list[SumEffect]
    lineups: list[SumLineup]
    tests_of_variants: int
    tests_of_policies: int
    incomplete: list[str]
    assumptions: list[str]
    coupling: str
    remarks: list[str] = field(default_factory=list)


def compare_sums(directory: Path, level: float = LEVEL) -> SumComparison:
    """Compare variants with the baseline, and policies with each other, from sums.

    Raises
    ------
    InputError
        If the directory is no study directory, keeps matches, or is damaged.
    """
    groups: dict[tuple[str, str], list[tuple[StudyCell, Scan]]] = defaultdict(list)
    for cell, scan in sound_scans(directory, SUMMARY):
        groups[cell.group].append((cell, scan))
    variants: list[SumEffect] = []
    lineups: list[SumLineup] = []
    incomplete: list[str] = []
    for members in groups.values():
        base, base_scan = next(pair for pair in members if pair[0].variant == BASELINE)
        game = get_game(base.game)
        if not base_scan.parts:
            incomplete += [cell.label for cell, _ in members]
            continue
        lineups.append(_lineup(base, total_sums(base_scan.parts), level))
        for cell, scan in members:
            if cell.variant == BASELINE:
                continue
            if not scan.parts:
                incomplete.append(cell.label)
                continue
            before = total_sums(_within(base_scan.parts, scan.parts))
            variants.append(_effect(base, cell, before, total_sums(scan.parts), level))
    if not lineups:
        raise DataError(f"{directory} holds no sums yet; `cardlab run` plays them")
    tested = [own.win_share.p for effect in variants for own in _tested(effect)]
    gaps = [gap.p for result in lineups for gap in result.differences]
    comparison = SumComparison(
        title=_title(directory),
        game=game.name,
        level=level,
        variants=_with_holm(variants, tested),
        lineups=_with_holm_of_gaps(lineups, gaps),
        tests_of_variants=len(tested),
        tests_of_policies=len(gaps),
        incomplete=incomplete,
        assumptions=list(game.assumptions),
        coupling=WORDS[base.coupling],
        remarks=[CANNOT_TELL],
    )
    return hold_goal(directory, comparison)


def _title(directory: Path) -> str:
    try:
        return str(json.loads((directory / PROVENANCE).read_text("utf-8")).get("title", ""))
    except (OSError, ValueError, AttributeError):
        return ""


def _tested(effect: SumEffect) -> list[SumPolicyEffect]:
    """Return the policies whose win share can change: not one that holds all seats."""
    return effect.policies if effect.changed and len(effect.policies) > 1 else []


def _with_holm(effects: Sequence[SumEffect], p_values: Sequence[float]) -> list[SumEffect]:
    corrected = iter(holm(p_values))
    return [
        replace(
            effect,
            policies=[
                replace(own, win_share=replace(own.win_share, p_holm=next(corrected)))
                for own in _tested(effect)
            ]
            or effect.policies,
        )
        for effect in effects
    ]


def _with_holm_of_gaps(results: Sequence[SumLineup], p_values: Sequence[float]) -> list[SumLineup]:
    corrected = iter(holm(p_values))
    return [
        replace(
            result,
            differences=[replace(gap, p_holm=next(corrected)) for gap in result.differences],
        )
        for result in results
    ]


def _within(parts: Sequence[Part], others: Sequence[Part]) -> list[Part]:
    """Return the parts that cover deals of others."""
    return [
        part
        for part in parts
        if any(other.first < part.stop and part.first < other.stop for other in others)
    ]


def _moments(deals: int, total: Fraction, squares: Fraction) -> Moments:
    """Return the moments of values from their exact sum and sum of squares."""
    if not deals:
        return Moments()
    return Moments(deals, float(total / deals), float(squares - total * total / deals))


def _of(sums: Sums, name: str, unit: int, squares: str | None = None) -> Moments:
    deals = sums["pair.deals"] if name.startswith("pair.") else sums["deals"]
    scaled = Fraction(sums[name], unit)
    return _moments(deals, scaled, Fraction(sums[squares or f"{name}.sq"], unit * unit))


def _change(
    sums: Sums, name: str, unit: int, level: float, bound: float | None = None
) -> SumChange:
    """Return the mean without the variant (that with it less the change), and the change."""
    deals = _of(sums, f"pair.{name}", unit)
    before = Fraction(sums[name] - sums[f"pair.{name}"], unit * max(1, sums["deals"]))
    return SumChange(float(before), clustered_mean(deals, level, bound=bound), clustered_p(deals))


def _effect(base: StudyCell, cell: StudyCell, before: Sums, sums: Sums, level: float) -> SumEffect:
    game, rotations, deals = get_game(cell.game), cell.rotations, sums["pair.deals"]
    bits = clause_bits(base, cell)
    unit = seats_of(cell).unit * rotations
    one, two = (_winner_shares(cell, part) for part in (before, sums))
    return SumEffect(
        variant=cell.variant,
        lineup=cell.lineup,
        point=cell.point,
        changed={
            name: [base.options[name], value]
            for name, value in cell.options.items()
            if base.options[name] != value
        },
        deals=deals,
        rotations=rotations,
        matches=deals * rotations,
        winners_differ_count=sums["pair.differ"],
        winners_differ=clustered_share(_of(sums, "pair.differ", rotations), rotations, level),
        floor=float(1 - np.minimum(one, two).sum() / rotations),
        independent=float(1 - (one * two).sum() / rotations),
        clauses=[game.clauses[bit].name for bit in bits],
        in_play_count=sums["pair.in_play"] if bits else None,
        in_play=clustered_share(_of(sums, "pair.in_play", rotations), rotations, level)
        if bits
        else None,
        policies=[
            _policy(cell, sums, place, level) for place in range(len(seats_of(cell).policies))
        ],
        positions=[
            _change(sums, f"position_share.{place}", unit, level, 1.0)
            for place in range(cell.players)
        ],
        metrics={
            name: _change(sums, f"metric.{name}", rotations, level) for name in metric_names(cell)
        },
        aborted=[before["aborted"], sums["aborted"]],
    )


def _policy(cell: StudyCell, sums: Sums, place: int, level: float) -> SumPolicyEffect:
    tables = seats_of(cell)
    held, rotations = tables.held[place], cell.rotations
    gained, lost, both = (sums[f"pair.{key}.{place}"] for key in ("gained", "lost", "both"))
    if rotations == 1:
        neither = sums["pair.deals"] - gained - lost - both
        among, p = newcombe(both, gained, lost, neither, level), mcnemar_p(gained, lost)
    else:
        moments = _of(sums, f"pair.among.{place}", rotations)
        among, p = clustered_mean(moments, level, bound=1.0), clustered_p(moments)
    unit = tables.unit * rotations * held
    return SumPolicyEffect(
        policy=tables.policies[place],
        seats=held,
        win_share=_change(sums, f"share.{place}", unit, level, 1 / held),
        score=_change(sums, f"score.{place}", rotations * held, level),
        gained=gained,
        lost=lost,
        among_winners=among,
        among_winners_p=p,
    )


def _winner_shares(
    cell: StudyCell, sums: Sums
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the share of each set of winners in each rotation."""
    shares = np.zeros((cell.rotations, 1 << cell.players))
    for name, count in sums.values.items():
        if name.startswith("winners."):
            _, rotation, mask = name.split(".")
            shares[int(rotation), int(mask)] = count / sums["deals"]
    return shares


def _lineup(cell: StudyCell, sums: Sums, level: float) -> SumLineup:
    tables, rotations = seats_of(cell), cell.rotations
    unit = tables.unit * rotations
    policies = [
        SumShare(
            policy,
            held,
            clustered_mean(_of(sums, f"share.{at}", unit * held, f"share.{at}.{at}"), level),
            clustered_mean(_of(sums, f"score.{at}", rotations * held), level),
        )
        for at, (policy, held) in enumerate(zip(tables.policies, tables.held, strict=True))
    ]
    order = sorted(range(len(policies)), key=lambda at: -policies[at].win_share.estimate)
    return SumLineup(
        lineup=cell.lineup,
        point=cell.point,
        players=cell.players,
        rotated=rotations > 1 or len(policies) == 1,
        deals=sums["deals"],
        rotations=rotations,
        matches=sums["deals"] * rotations,
        aborted=sums["aborted"],
        policies=[policies[at] for at in order],
        positions=[
            SumShare(
                f"position {at}",
                1,
                clustered_mean(_of(sums, f"position_share.{at}", unit), level),
                clustered_mean(_of(sums, f"position_score.{at}", rotations), level),
            )
            for at in range(cell.players)
        ],
        differences=[
            _difference(cell, sums, first, second, level)
            for first, second in itertools.combinations(order, 2)
        ],
        metrics={
            name: clustered_mean(_of(sums, f"metric.{name}", rotations), level)
            for name in metric_names(cell)
        },
    )


def _difference(
    cell: StudyCell, sums: Sums, first: int, second: int, level: float
) -> SumDifference:
    tables = seats_of(cell)
    unit = tables.unit * cell.rotations
    one, two = (Fraction(1, unit * tables.held[place]) for place in (first, second))
    low, high = sorted((first, second))
    squares = (
        sums[f"share.{first}.{first}"] * one**2
        + sums[f"share.{second}.{second}"] * two**2
        - 2 * sums[f"share.{low}.{high}"] * one * two
    )
    total = sums[f"share.{first}"] * one - sums[f"share.{second}"] * two
    moments = _moments(sums["deals"], total, squares)
    return SumDifference(
        tables.policies[first],
        tables.policies[second],
        clustered_mean(moments, level),
        clustered_p(moments),
    )
