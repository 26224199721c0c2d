"""What the matches of a study tell, table by table; every chunk of deals is read once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from simcore.game import Game, get_game
from studies.compare.by_group import FEWER_GROUPS, MANY, EffectGroups
from studies.compare.lineup_sums import LineupSums
from studies.compare.ratings import describe_lineups, describe_ratings
from studies.compare.results import Comparison, Superlative
from studies.compare.superlatives import corrected, superlatives
from studies.compare.variant_sums import Pair
from studies.deals.values import Seating, match_columns, slices
from studies.design.cells import StudyCell
from studies.stats.groups import GROUPS
from studies.store.directory import Scan
from studies.store.reading import chunks, read_deals

Member = tuple[StudyCell, Scan]
Table = tuple[Member, list[Member]]
"""A baseline, and its variants."""


def of_matches(
    comparison: Comparison, tables: Sequence[Table], unrated: Collection[str] = ()
) -> tuple[Comparison, list[EffectGroups]]:
    """Return a comparison with what matches tell, and what variants change by group of deals.

    Its p-values of changes are not yet corrected.
    """
    game, level, margins = get_game(comparison.game), comparison.level, comparison.margins
    pairs: list[Pair] = []
    lineups: list[LineupSums] = []
    said: list[Superlative] = []
    incomplete: list[str] = []
    moved: list[EffectGroups] = []
    groups = GROUPS if sum(len(others) for _, others in tables) <= MANY else FEWER_GROUPS
    for (base, scan), others in tables:
        if not scan.parts:
            incomplete += [base.label, *(cell.label for cell, _ in others)]
            continue
        lineup, found = _add_up(game, base, scan, others)
        lineups.append(lineup)
        played = [pair for pair in found if pair.winners.count]
        pairs += played
        moved += [pair.by_group(groups) for pair in played if pair.changed]
        rivals = {pair.cell.variant: pair.contestant for pair in found if pair.changed}
        said += superlatives(base.lineup, base.point, rivals, level)
        incomplete += [pair.cell.label for pair in found if not pair.winners.count]
    told = replace(
        comparison,
        variants=[pair.effect(level, margins) for pair in pairs],
        lineups=describe_lineups(lineups, level, margins),
        ratings=describe_ratings(
            [table for table in lineups if table.cell.lineup not in unrated], level
        ),
        superlatives=corrected(said),
        incomplete=incomplete,
    )
    return told, moved


def _add_up(
    game: Game, base: StudyCell, scan: Scan, variants: Sequence[Member]
) -> tuple[LineupSums, list[Pair]]:
    """Add up a baseline and its variants; every chunk of the baseline is read once."""
    seating = Seating(base)
    table = LineupSums(game, seating)
    pairs = [Pair(game, seating, cell) for cell, _ in variants]
    names = [*match_columns(base.players), *game.metric_names]
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
