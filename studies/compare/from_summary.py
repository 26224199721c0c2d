"""What a comparison finds where sums are kept instead of matches.

Everything that follows from sums over deals is exactly what the matches would give: counts, means,
and intervals that need a value a deal only through its sum and its sum of squares. What does not is
left out and named in `CANNOT_TELL`. Estimators and their sources are those of
`studies.stats.intervals`, `studies.compare.decided` and `studies.stats.signflip`: p-values,
families and Holm's corrections are those that `studies.compare.effects` gives the same matches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from simcore.errors import DataError
from simcore.game import get_game
from studies.compare.goal_intervals import hold_goal
from studies.compare.summary_effects import sum_effect, sum_lineup
from studies.compare.summary_results import SumChange, SumComparison, SumEffect, SumLineup
from studies.deals.sums import Sums
from studies.design.cells import StudyCell
from studies.design.coupling import WORDS
from studies.design.study import BASELINE, SUMMARY
from studies.stats.intervals import LEVEL, holm
from studies.store.directory import Scan
from studies.store.documents import read_provenance
from studies.store.frames import sound_scans
from studies.store.parts import Part
from studies.store.summary_parts import total_sums

CANNOT_TELL = (
    'This study keeps sums over blocks, no matches (detail = "summary"): counts, means and their '
    "intervals and p-values are those that the matches would give. It cannot tell quantiles and "
    "distributions of length or score, intervals and corrections that resample deals (max-T), "
    "finishing orders and ratings, and single matches."
)


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
        lineups.append(sum_lineup(base, _told(total_sums(base_scan.parts), base), level))
        for cell, scan in members:
            if cell.variant == BASELINE:
                continue
            if not scan.parts:
                incomplete.append(cell.label)
                continue
            before = total_sums(_within(base_scan.parts, scan.parts))
            sums = _told(total_sums(scan.parts), cell)
            variants.append(sum_effect(base, cell, before, sums, level))
    if not lineups:
        raise DataError(f"{directory} holds no sums yet; `cardlab run` plays them")
    variants, sizes = _corrected(variants, game.metric_names)
    gaps = [gap.p for result in lineups for gap in result.differences]
    comparison = SumComparison(
        title=read_provenance(directory).title,
        game=game.name,
        level=level,
        variants=variants,
        lineups=_with_holm_of_gaps(lineups, gaps),
        tests_of_variants=sizes["win_share"],
        tests_of_scores=sizes["score"],
        tests_of_metrics=sizes["metric"],
        tests_of_policies=len(gaps),
        incomplete=incomplete,
        assumptions=game.assumed({cell.players for group in groups.values() for cell, _ in group}),
        coupling=WORDS[base.coupling],
        remarks=[CANNOT_TELL],
    )
    return hold_goal(directory, comparison)


def _told(sums: Sums, cell: StudyCell) -> Sums:
    """Return sums that tell all that their matches need.

    Raises
    ------
    DataError
        If matches were aborted, and an earlier version kept no products with them.
    """
    if sums["aborted"] and sums["told"] < sums["deals"]:
        raise DataError(
            f"the sums of {cell.label} were kept by an earlier version of cardlab, which cannot "
            f"tell its {sums['aborted']:,} aborted matches from others; run the study again into "
            "another directory"
        )
    return sums


def _corrected(
    effects: Sequence[SumEffect], metrics: Sequence[str]
) -> tuple[list[SumEffect], dict[str, int]]:
    """Return effects with p-values corrected over their families, and how large these are.

    Families and their members are those of `studies.compare.effects`: of the metrics those of the
    game.
    """
    families: dict[str, list[float]] = {"win_share": [], "score": [], "metric": []}

    def collect(family: str, change: SumChange) -> SumChange:
        families[family].append(change.p)
        return change

    for effect in effects:
        _each_change(effect, collect, metrics)
    corrected = {family: iter(holm(found)) for family, found in families.items()}

    def correct(family: str, change: SumChange) -> SumChange:
        return replace(change, p_holm=next(corrected[family]))

    sizes = {family: len(found) for family, found in families.items()}
    return [_each_change(effect, correct, metrics) for effect in effects], sizes


Edit = Callable[[str, SumChange], SumChange]


def _each_change(effect: SumEffect, edit: Edit, metrics: Sequence[str]) -> SumEffect:
    """Return an effect with every change that is a test edited, in one fixed order."""
    if effect.control:
        return effect
    alone = len(effect.policies) == 1  # the win share of who holds all seats cannot change
    return replace(
        effect,
        policies=[
            replace(
                own,
                win_share=own.win_share if alone else edit("win_share", own.win_share),
                score=edit("score", own.score),
            )
            for own in effect.policies
        ],
        positions=[
            replace(
                own,
                win_share=edit("win_share", own.win_share),
                score=edit("score", own.score),
            )
            for own in effect.positions
        ],
        metrics={
            **effect.metrics,
            **{name: edit("metric", effect.metrics[name]) for name in metrics},
        },
    )


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
