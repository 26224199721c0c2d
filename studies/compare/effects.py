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

Families, each corrected for itself: changes of win share (of policies and positions, over all
variants, line-ups and sweep points), changes of scores, changes of metrics, tests of equivalence
(Holm); differences of policies (max-T); superlatives (Holm). Controls are no tests.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from simcore.errors import InputError
from simcore.game import Game, get_game
from studies.compare.goal_intervals import hold_goal
from studies.compare.lineup_sums import LineupSums
from studies.compare.ratings import describe_lineups, describe_ratings
from studies.compare.results import (
    Change,
    Comparison,
    LineupResult,
    Superlative,
    VariantEffect,
    WinEffect,
)
from studies.compare.superlatives import corrected, superlatives
from studies.compare.variant_sums import Pair
from studies.deals.values import Seating, match_columns, slices
from studies.design.cells import StudyCell
from studies.design.coupling import WORDS
from studies.design.margins import check_margins
from studies.design.study import BASELINE
from studies.stats.intervals import LEVEL, holm
from studies.store.directory import Scan
from studies.store.documents import read_provenance, stored_margins
from studies.store.frames import chunks, read_deals, sound_scans

Member = tuple[StudyCell, Scan]
Edit = Callable[[str, Change], Change]
Effect = TypeVar("Effect", bound=WinEffect)


def compare(
    directory: Path, level: float = LEVEL, margins: Mapping[str, float] | None = None
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

    Raises
    ------
    InputError
        If the directory is no study directory or damaged, or level or margins are refused.
    """
    if not 0.5 <= level < 1:
        raise InputError(f"level {level!r} is refused; allowed: a number from 0.5 to below 1")
    groups: dict[tuple[str, str], list[Member]] = defaultdict(list)
    for cell, scan in sound_scans(directory):
        groups[cell.group].append((cell, scan))
    first = next(iter(groups.values()))[0][0]
    game = get_game(first.game)
    margins = check_margins(game, {**stored_margins(directory), **(margins or {})})
    pairs: list[Pair] = []
    tables: list[LineupSums] = []
    said: list[Superlative] = []
    incomplete: list[str] = []
    incomparable: list[str] = []
    for members in groups.values():
        base, scan = next(member for member in members if member[0].variant == BASELINE)
        others = [member for member in members if member[0].variant != BASELINE]
        alike = [member for member in others if _same_table(base, member[0])]
        incomparable += [cell.label for cell, _ in others if not _same_table(base, cell)]
        if not scan.parts:
            incomplete += [base.label, *(cell.label for cell, _ in alike)]
            continue
        table, found = _add_up(game, base, scan, alike)
        tables.append(table)
        pairs += [pair for pair in found if pair.winners.count]
        rivals = {pair.cell.variant: pair.contestant for pair in found if pair.changed}
        said += superlatives(base.lineup, base.point, rivals, level)
        incomplete += [pair.cell.label for pair in found if not pair.winners.count]
    variants = [pair.effect(level, margins) for pair in pairs]
    lineups = describe_lineups(tables, level, margins)
    sizes, variants, lineups = _corrected(variants, lineups, level)
    comparison = Comparison(
        title=read_provenance(directory).title,
        game=game.name,
        level=level,
        coupling=WORDS[first.coupling],
        variants=variants,
        lineups=lineups,
        ratings=describe_ratings(tables, level),
        tests_of_variants=sizes["win_share"],
        tests_of_scores=sizes["score"],
        tests_of_metrics=sizes["metric"],
        tests_of_policies=sum(len(result.differences) for result in lineups),
        tests_of_equivalence=sizes["equivalence"],
        incomplete=incomplete,
        incomparable=incomparable,
        assumptions=game.assumed({cell.players for group in groups.values() for cell, _ in group}),
        margins=dict(margins),
        superlatives=corrected(said),
    )
    return hold_goal(directory, comparison)


def _same_table(base: StudyCell, cell: StudyCell) -> bool:
    return cell.seats == base.seats and cell.rotations == base.rotations


def _add_up(
    game: Game, base: StudyCell, scan: Scan, variants: Sequence[Member]
) -> tuple[LineupSums, list[Pair]]:
    """Add up a baseline and its variants; every chunk of the baseline is read once."""
    seating = Seating(base)
    table = LineupSums(game, seating)
    pairs = [Pair(game, seating, cell) for cell, _ in variants]
    names = match_columns(base.players)
    if variants:
        names += game.metric_names
    for start, stop in chunks([scan], base.rotations):
        before = read_deals(base, scan, start, stop, names).columns
        sides = [seating.measure(before, part) for part in slices(stop - start)]
        table.add(start, before, sides)
        for pair, (cell, other) in zip(pairs, variants, strict=True):
            for low, high in _within(other, start, stop):
                after = read_deals(cell, other, low, high, names).columns
                if (low, high) == (start, stop):
                    pair.add(low, before, after, sides)
                    continue
                own = {name: column[low - start : high - start] for name, column in before.items()}
                parts = slices(high - low)
                pair.add(low, own, after, [seating.measure(own, part) for part in parts])
    return table, pairs


def _within(scan: Scan, start: int, stop: int) -> list[tuple[int, int]]:
    """Return the ranges of match numbers within [start, stop) that a cell has."""
    ranges: list[tuple[int, int]] = []
    for part in scan.parts:
        low, high = max(start, part.first), min(stop, part.stop)
        if low >= high:
            continue
        if ranges and ranges[-1][1] == low:
            ranges[-1] = (ranges[-1][0], high)
        else:
            ranges.append((low, high))
    return ranges


def _corrected(
    variants: Sequence[VariantEffect], lineups: Sequence[LineupResult], level: float
) -> tuple[dict[str, int], list[VariantEffect], list[LineupResult]]:
    """Return sizes of the families, and the results with corrected p-values."""
    families: dict[str, list[float]] = defaultdict(list)
    sizes = {"win_share": 0, "score": 0, "metric": 0, "equivalence": 0}

    def visit(edit: Edit) -> list[VariantEffect]:
        return [_each_change(effect, edit) for effect in variants]

    def collect(family: str, change: Change) -> Change:
        families[family].append(change.p)
        if change.equivalence:
            families["equivalence"].append(change.equivalence.p)
        return change

    visit(collect)
    for result in lineups:
        families["equivalence"] += [
            gap.equivalence.p for gap in result.differences if gap.equivalence
        ]
    sizes.update({family: len(found) for family, found in families.items()})
    corrected = {family: iter(holm(found)) for family, found in families.items()}

    def correct(family: str, change: Change) -> Change:
        p_holm = next(corrected[family])
        equivalence = change.equivalence
        if equivalence:
            p = next(corrected["equivalence"])
            equivalence = replace(equivalence, p_holm=p, holds=p <= 1 - level)
        return replace(change, p_holm=p_holm, equivalence=equivalence)

    effects = visit(correct)
    results = []
    for result in lineups:
        gaps = []
        for gap in result.differences:
            if gap.equivalence:
                p = next(corrected["equivalence"])
                shown = replace(gap.equivalence, p_holm=p, holds=p <= 1 - level)
                gaps.append(replace(gap, equivalence=shown))
            else:
                gaps.append(gap)
        results.append(replace(result, differences=gaps))
    return sizes, effects, results


def _each_change(effect: VariantEffect, edit: Edit) -> VariantEffect:
    """Return an effect with every change that is a test edited, in one fixed order."""
    if effect.control:
        return effect

    def edited(own: Effect, alone: bool) -> Effect:
        return replace(
            own,
            win_share=own.win_share if alone else edit("win_share", own.win_share),
            score=edit("score", own.score),
        )

    # The win share of a policy that holds all seats cannot change.
    alone = len(effect.policies) == 1
    return replace(
        effect,
        policies=[edited(own, alone) for own in effect.policies],
        positions=[edited(own, alone=False) for own in effect.positions],
        metrics={name: edit("metric", change) for name, change in effect.metrics.items()},
    )
