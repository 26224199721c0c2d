"""Paired effects: what a variant changes on the same deals, and how policies differ at one table.

Unit of analysis is the deal: a match number with all its rotations, with and without the variant.
Matches of one deal share the cards, so they are never counted as independent; deals are. Intervals
and tests come from `studies.stats.intervals` and `studies.stats.signflip`, where their sources
stand; how policies compare comes from `studies.compare.ratings`.

Coupling: match number, round and seed fix the shuffled pack; in games with a stock the k-th card
drawn from it is the same whoever draws it, or each seat draws along an order of its own (the study
decides). "How often do the winners differ" depends on this coupling; with it
stand the least it could be under any coupling (`floor`), its value if the two matches were played
with other cards (`independent`), and the share of matches in which a clause of the variant came
into play at all, which depends on no coupling. A variant that changes nothing is an A/A control:
its rows must equal the baseline's.

Families, each corrected for itself: changes of win rate (of policies and positions, over all
variants, line-ups and sweep points), changes of scores, changes of metrics, tests of equivalence
(Holm); differences of policies (max-T); superlatives (Holm). Controls are no tests.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from simcore.errors import InputError
from simcore.game import get_game
from studies.compare.contrasts import with_contrasts
from studies.compare.from_matches import Member, Table, of_matches
from studies.compare.from_summary import of_sums
from studies.compare.goal_intervals import hold_goal
from studies.compare.results import Change, Comparison, Equivalence, VariantEffect, WinEffect
from studies.design.cells import StudyCell
from studies.design.coupling import WORDS
from studies.design.margins import check_margins
from studies.design.study import BASELINE, MATCHES, SUMMARY, Study
from studies.stats.intervals import LEVEL, holm
from studies.store.directory import stored_detail
from studies.store.documents import read_provenance, read_study, stored_margins
from studies.store.reading import sound_scans

Edit = Callable[[str, Change], Change]
Effect = TypeVar("Effect", bound=WinEffect)


def compare(
    directory: Path,
    level: float = LEVEL,
    margins: Mapping[str, float] | None = None,
    *,
    called: str = "margins",
    unrated: Collection[str] = (),
) -> Comparison:
    """Compare variants with the baseline, and policies with each other.

    Parameters
    ----------
    directory : Path
        Study directory.
    level : float
        Of every interval, each for itself where nothing else is said, between 0.5 and 1.
    margins : mapping of str to float
        Changes up to which two sets of rules count as equivalent: of "win_share" (per seat, 0.01
        is a point), "score" or a metric's name; beside those that the study file gives, and in
        place of those of the same name.
    called : str
        What refusals call the margins.
    unrated : collection of str
        Line-ups that ratings leave out: tables of a policy against itself with something
        forbidden, say, whose restricted form has met no other.

    Raises
    ------
    InputError
        If the directory is no study directory or damaged, or level or margins are refused: no
        margins where a study keeps sums.
    """
    if not 0.5 <= level < 1:
        raise InputError(f"level {level!r} is refused; allowed: a number from 0.5 to below 1")
    detail = stored_detail(directory)
    if detail == SUMMARY and margins:
        raise InputError(
            f"{called} is refused for {directory}: it keeps sums instead of matches, which allow "
            f'no tests of equivalence; allowed: studies with detail = "{MATCHES}"'
        )
    groups: dict[tuple[str, str], list[Member]] = defaultdict(list)
    for cell, scan in sound_scans(directory, detail):
        groups[cell.group].append((cell, scan))
    first = next(iter(groups.values()))[0][0]
    game = get_game(first.game)
    tables: list[Table] = []
    incomparable: list[str] = []
    for members in groups.values():
        base = next(member for member in members if member[0].variant == BASELINE)
        others = [member for member in members if member is not base]
        tables.append((base, [own for own in others if _same_table(base[0], own[0])]))
        incomparable += [cell.label for cell, _ in others if not _same_table(base[0], cell)]
    empty = Comparison(
        title=read_provenance(directory).title,
        game=game.name,
        detail=detail,
        level=level,
        coupling=WORDS[first.coupling],
        assumptions=game.assumed({cell.players for group in groups.values() for cell, _ in group}),
        incomparable=incomparable,
        margins=dict(check_margins(game, {**stored_margins(directory), **(margins or {})})),
    )
    if detail == SUMMARY:
        found, moved = of_sums(empty, tables)
    else:
        found, moved = of_matches(empty, tables, unrated)
    study = read_study(directory)
    found = with_contrasts(found, moved, study, _design_rows(study, tables))
    return hold_goal(directory, _corrected(found, game.metric_names))


def _design_rows(study: Study | None, tables: Sequence[Table]) -> set[str]:
    """Return the variants that are rows of a study's factorial design."""
    if study is None or study.factors is None:
        return set()
    return {cell.variant for _, others in tables for cell, _ in others} - set(study.variants)


def _same_table(base: StudyCell, cell: StudyCell) -> bool:
    return cell.seats == base.seats and cell.rotations == base.rotations


def _corrected(comparison: Comparison, metrics: Sequence[str]) -> Comparison:
    """Return a comparison with p-values corrected over their families, and how large these are.

    Parameters
    ----------
    metrics : sequence of str
        Those whose changes are tests: the game's.
    """
    families: dict[str, list[float]] = {
        name: [] for name in ("win_share", "score", "metric", "equivalence")
    }

    def visit(edit: Edit) -> list[VariantEffect]:
        return [_each_change(effect, edit, metrics) for effect in comparison.variants]

    def collect(family: str, change: Change) -> Change:
        families[family].append(change.p)
        if change.equivalence:
            families["equivalence"].append(change.equivalence.p)
        return change

    visit(collect)
    gaps = [gap for result in comparison.lineups for gap in result.differences]
    families["equivalence"] += [gap.equivalence.p for gap in gaps if gap.equivalence]
    corrected = {family: iter(holm(found)) for family, found in families.items()}

    def shown(equivalence: Equivalence | None) -> Equivalence | None:
        if equivalence is None:
            return None
        p = next(corrected["equivalence"])
        return replace(equivalence, p_holm=p, holds=p <= 1 - comparison.level)

    def correct(family: str, change: Change) -> Change:
        p_holm = next(corrected[family])
        return replace(change, p_holm=p_holm, equivalence=shown(change.equivalence))

    return replace(
        comparison,
        variants=visit(correct),
        lineups=[
            replace(
                result,
                differences=[
                    replace(gap, equivalence=shown(gap.equivalence)) for gap in result.differences
                ],
            )
            for result in comparison.lineups
        ],
        tests_of_variants=len(families["win_share"]),
        tests_of_scores=len(families["score"]),
        tests_of_metrics=len(families["metric"]),
        tests_of_policies=len(gaps),
        tests_of_equivalence=len(families["equivalence"]),
    )


def _each_change(effect: VariantEffect, edit: Edit, metrics: Sequence[str]) -> VariantEffect:
    """Return an effect with every change that is a test edited, in one fixed order."""
    if effect.control:
        return effect

    def edited(own: Effect, alone: bool) -> Effect:
        return replace(
            own,
            win_share=own.win_share if alone else edit("win_share", own.win_share),
            score=edit("score", own.score),
        )

    # The win rate of a policy that holds all seats cannot change.
    alone = len(effect.policies) == 1
    return replace(
        effect,
        policies=[edited(own, alone) for own in effect.policies],
        positions=[edited(own, alone=False) for own in effect.positions],
        metrics={
            **effect.metrics,
            **{name: edit("metric", effect.metrics[name]) for name in metrics},
        },
    )
