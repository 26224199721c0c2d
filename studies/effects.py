"""Paired effects: what a variant changes on the same deals, and how policies differ at one table.

Unit of analysis is the deal: a match number with all its rotations, with and without the variant.
Matches of one deal share the cards, so they are never counted as independent; deals are. Intervals
and tests come from `studies.intervals`, where their sources stand.

Coupling: match number, round and seed fix the shuffled pack, and the k-th card drawn from it is
the same whoever draws it. "How often do the winners differ" depends on this coupling; with it
stand the least it could be under any coupling (`floor`), its value if the two matches were played
with other cards (`independent`), and the share of matches in which a clause of the variant came
into play at all, which depends on no coupling.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from simcore.game import get_game
from studies.cells import StudyCell
from studies.findings import Comparison, LineupResult, PolicyEffect, VariantEffect
from studies.frames import chunks, sound_scans
from studies.intervals import LEVEL, holm
from studies.pairs import Pair, compare_policies
from studies.stops import hold_goal
from studies.store import PROVENANCE, Scan
from studies.study import BASELINE

COUPLING = (
    "same shuffled pack: seed, match and round fix its order, and the k-th card drawn from it is "
    "the same whoever draws it; a variant with other cards in the pack shuffles those"
)


def compare(directory: Path, level: float = LEVEL) -> Comparison:
    """Compare variants with the baseline, and policies with each other.

    Parameters
    ----------
    directory : Path
        Study directory.
    level : float
        Of every interval, each for itself; p-values are also given corrected by Holm's method over
        all variants (or pairs of policies), line-ups and sweep points.

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
        game = get_game(base.game)
        if not base_scan.parts:
            incomplete += [cell.label for cell, _ in members]
            continue
        lineups.append(compare_policies(base, base_scan, level))
        for cell, scan in members:
            if cell.variant != BASELINE:
                pair = Pair(game, base, cell)
                for start, stop in chunks([base_scan, scan], base.rotations):
                    pair.add(base_scan, scan, start, stop)
                if pair.winners.count:
                    variants.append(pair.effect(level))
                else:
                    incomplete.append(cell.label)
    comparison = Comparison(
        title=_title(directory),
        game=game.name,
        level=level,
        coupling=COUPLING,
        variants=_holm_over_variants(variants),
        lineups=_holm_over_policies(lineups),
        tests_of_variants=sum(len(_tested(effect)) for effect in variants),
        tests_of_policies=sum(len(result.differences) for result in lineups),
        incomplete=incomplete,
        assumptions=list(game.assumptions),
    )
    return hold_goal(directory, comparison)


def _title(directory: Path) -> str:
    try:
        return str(json.loads((directory / PROVENANCE).read_text("utf-8")).get("title", ""))
    except (OSError, ValueError, AttributeError):
        return ""


def _tested(effect: VariantEffect) -> list[PolicyEffect]:
    """Return the policies whose win share can change: not one that holds all seats."""
    return effect.policies if len(effect.policies) > 1 else []


def _holm_over_variants(effects: Sequence[VariantEffect]) -> list[VariantEffect]:
    corrected = iter(holm([own.win_share.p for effect in effects for own in _tested(effect)]))
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


def _holm_over_policies(results: Sequence[LineupResult]) -> list[LineupResult]:
    corrected = iter(holm([gap.p for result in results for gap in result.differences]))
    return [
        replace(
            result,
            differences=[replace(gap, p_holm=next(corrected)) for gap in result.differences],
        )
        for result in results
    ]
