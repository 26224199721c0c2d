"""What a comparison finds where sums are kept instead of matches.

Everything that follows from sums over deals is exactly what the matches would give. What does not
is left out and named in `CANNOT_TELL`.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np

from simcore.game import get_game
from studies.cells import StudyCell
from studies.findings import (
    Change,
    LineupResult,
    PolicyDifference,
    PolicyEffect,
    PolicyShare,
    VariantEffect,
)
from studies.frames import sound_scans
from studies.intervals import (
    Moments,
    clustered_mean,
    clustered_p,
    clustered_share,
    mcnemar_p,
    newcombe,
)
from studies.parts import Part
from studies.store import Scan
from studies.study import BASELINE
from studies.sumfile import total_sums
from studies.sums import Sums, clause_bits, seats_of

CANNOT_TELL = (
    'This study keeps sums over blocks, no matches (detail = "summary"): counts, means and their '
    "intervals are those that the matches would give; quantiles, distributions of length or score, "
    "tests that permute deals, and single matches cannot be told."
)


def findings_of_sums(
    directory: Path, level: float
) -> tuple[list[VariantEffect], list[LineupResult], list[str]]:
    """Return effects of variants, policies at each table, and labels of cells without matches.

    Raises
    ------
    InputError
        If the directory is no study directory, or damaged.
    """
    groups: dict[tuple[str, str], list[tuple[StudyCell, Scan]]] = defaultdict(list)
    for cell, scan in sound_scans(directory):
        groups[cell.group].append((cell, scan))
    variants: list[VariantEffect] = []
    lineups: list[LineupResult] = []
    incomplete: list[str] = []
    for members in groups.values():
        base, base_scan = next(pair for pair in members if pair[0].variant == BASELINE)
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
    return variants, lineups, incomplete


def _within(parts: tuple[Part, ...], others: tuple[Part, ...]) -> list[Part]:
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


def _change(sums: Sums, name: str, unit: int, level: float, bound: float | None = None) -> Change:
    """Return the mean without the variant (that with it less the change), and the change."""
    deals = _of(sums, f"pair.{name}", unit)
    before = Fraction(sums[name] - sums[f"pair.{name}"], unit * max(1, sums["deals"]))
    return Change(float(before), clustered_mean(deals, level, bound=bound), clustered_p(deals))


def _effect(
    base: StudyCell, cell: StudyCell, before: Sums, sums: Sums, level: float
) -> VariantEffect:
    game, rotations, deals = get_game(cell.game), cell.rotations, sums["pair.deals"]
    bits = clause_bits(base, cell)
    one, two = (_winner_shares(cell, part) for part in (before, sums))
    return VariantEffect(
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
        metrics={
            name: _change(sums, f"metric.{name}", rotations, level) for name in game.metric_names
        },
        aborted=[before["aborted"], sums["aborted"]],
    )


def _policy(cell: StudyCell, sums: Sums, place: int, level: float) -> PolicyEffect:
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
    return PolicyEffect(
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


def _lineup(cell: StudyCell, sums: Sums, level: float) -> LineupResult:
    tables = seats_of(cell)
    unit, rotations = tables.unit * cell.rotations, cell.rotations
    shares = [
        _of(sums, f"share.{place}", unit * held, f"share.{place}.{place}")
        for place, held in enumerate(tables.held)
    ]
    order = sorted(range(len(shares)), key=lambda place: -shares[place].mean)
    return LineupResult(
        lineup=cell.lineup,
        point=cell.point,
        players=cell.players,
        rotated=rotations > 1 or len(tables.policies) == 1,
        deals=sums["deals"],
        rotations=rotations,
        matches=sums["deals"] * rotations,
        aborted=sums["aborted"],
        policies=[
            PolicyShare(
                tables.policies[place],
                tables.held[place],
                clustered_mean(shares[place], level),
                clustered_mean(_of(sums, f"score.{place}", rotations * tables.held[place]), level),
            )
            for place in order
        ],
        differences=[
            _difference(cell, sums, first, second, level)
            for first, second in itertools.combinations(order, 2)
        ],
    )


def _difference(
    cell: StudyCell, sums: Sums, first: int, second: int, level: float
) -> PolicyDifference:
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
    return PolicyDifference(
        tables.policies[first],
        tables.policies[second],
        clustered_mean(moments, level),
        clustered_p(moments),
    )
