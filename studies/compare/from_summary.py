"""What the sums of a study tell, which are kept instead of matches.

Everything that follows from sums over deals is exactly what the matches would give: counts, means,
and intervals that need a value a deal only through its sum and its sum of squares. What does not is
left out and named in `CANNOT_TELL`. Estimators and their sources are those of
`studies.stats.intervals`, `studies.compare.decided` and `studies.stats.signflip`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from simcore.errors import DataError
from simcore.game import get_game
from studies.compare.by_group import EffectGroups, of_blocks
from studies.compare.from_matches import Table
from studies.compare.ratings import with_holm
from studies.compare.results import Comparison, LineupResult, VariantEffect
from studies.compare.summary_effects import sum_effect, sum_lineup
from studies.deals.sums import Sums
from studies.design.cells import StudyCell, changed_options
from studies.store.parts import Part
from studies.store.summary_parts import read_sums, total_sums

CANNOT_TELL = (
    'This study keeps sums over blocks, no matches (detail = "summary"): counts, means and their '
    "intervals and p-values are those that the matches would give. It cannot tell quantiles and "
    "distributions of length or score, intervals and corrections that resample deals (max-T, those "
    "of the coupling's part), finishing orders and ratings, and single matches."
)


def of_sums(
    comparison: Comparison, tables: Sequence[Table]
) -> tuple[Comparison, list[EffectGroups]]:
    """Return a comparison with what sums tell, and what variants change by block.

    Its p-values of changes are not yet corrected.

    Raises
    ------
    DataError
        If an earlier version kept sums that do not tell enough.
    """
    level = comparison.level
    variants: list[VariantEffect] = []
    lineups: list[LineupResult] = []
    incomplete: list[str] = []
    moved: list[EffectGroups] = []
    game = get_game(comparison.game)
    for (base, base_scan), others in tables:
        if not base_scan.parts:
            incomplete += [base.label, *(cell.label for cell, _ in others)]
            continue
        lineups.append(sum_lineup(base, told_sums(total_sums(base_scan.parts), base), level))
        for cell, scan in others:
            if not scan.parts:
                incomplete.append(cell.label)
                continue
            before = total_sums(_within(base_scan.parts, scan.parts))
            blocks = [(part.first, part.stop, read_sums(part)) for part in scan.parts]
            sums = told_sums(sum((block for _, _, block in blocks), Sums()), cell)
            variants.append(sum_effect(base, cell, before, sums, level))
            if changed := changed_options(base, cell):
                moved.append(of_blocks(cell, changed, blocks, game.metric_names))
    told = replace(
        comparison,
        variants=variants,
        lineups=with_holm(lineups),
        incomplete=incomplete,
        remarks=[CANNOT_TELL],
    )
    return told, moved


def told_sums(sums: Sums, cell: StudyCell) -> Sums:
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


def _within(parts: Sequence[Part], others: Sequence[Part]) -> list[Part]:
    """Return the parts that cover deals of others."""
    return [
        part
        for part in parts
        if any(other.first < part.stop and part.first < other.stop for other in others)
    ]
