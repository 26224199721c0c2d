"""From a study directory to a report: ask the frame, choose, say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from simcore.errors import InputError
from studies.overview import (
    aborted_words,
    answer_tables,
    explanations,
    level_tables,
    standing_tables,
)
from studies.render import Table, counted
from studies.report.content import Picture, Report, Section
from studies.report.sections import lead, points_table, sections
from studies.report.story import Story
from studies.report.tiles import tiles
from studies.store.opened import open_study
from studies.version import VERSION

MOST_SEEN = 16
"""Rows of the table on the first screen; longer ones are reduced to the main point of the sweep."""

MOST_FOLDED = 200
"""Total rows of the folded tables below it."""


def build(directory: Path, step: Callable[[str], None] = lambda _: None) -> Report:
    """Build the report of a study directory.

    Parameters
    ----------
    step : callable
        Called with a description of each step.

    Raises
    ------
    InputError
        If the directory is no study directory, is damaged, or holds no matches of any table with
        the unchanged rules.
    """
    step("measures tables")
    story = Story.of(open_study(directory))
    if not story.by_kind.get("level"):
        raise InputError(
            f"{directory} holds no matches with the unchanged rules yet; `cardlab run` plays them"
        )
    told, game = story.told, story.game
    answer = answer_tables(told, "population", "factor", "change") or [
        *standing_tables(told)[:2],
        *level_tables(told),
    ]
    drawn = story.stored.study.population
    lead_with = f"Line-up {story.reference}:"
    if drawn is not None and story.reference in drawn.names:
        lead_with = "Population:"
    order = (lead_with, "Population:", "")
    answer.sort(key=lambda table: next(n for n, o in enumerate(order) if table.title.startswith(o)))
    seen, folded = _seen_and_folded(story, answer)
    matches = sum(story.stored.matches(cell) for cell in story.stored.cells)
    line_ups = len(story.seats)
    main, parts = _main_first(story, sections(story))
    return Report(
        title=told.title or f"How does {game.title} play?",
        subtitle=(
            f"Balance report of {game.title} ({game.kind}): {matches:,} simulated matches, "
            f"{line_ups} line-up{'' if line_ups == 1 else 's'}"
        ),
        tiles=tiles(story),
        lead=list(lead(story)),
        answer=[*points_table(story), *seen],
        folded=folded,
        said=[
            *aborted_words(told),
            *explanations(told, seen),
            *_elsewhere(story, len(answer) - len(seen) - len(folded)),
        ],
        sections=parts,
        main=main,
        version=VERSION,
    )


def _main_first(story: Story, parts: list[Section]) -> tuple[Picture | None, list[Section]]:
    """Take out the figure that answers the question of the study's design, to be shown first."""
    order = ("variants", "factors", "length-map") if story.variants or story.told.keys else ()
    order = (*order, "ladder", "win-rates", "seats", "length", "variants-map")
    pictures = {picture.name: picture for part in parts for picture in part.pictures}
    main = next((pictures[name] for name in order if name in pictures), None)
    rest = [
        replace(part, pictures=[own for own in part.pictures if own is not main]) for part in parts
    ]
    return main, rest


def _seen_and_folded(story: Story, tables: Sequence[Table]) -> tuple[list[Table], list[Table]]:
    """Return the table of the first screen, and those that wait below it, as many as fit."""
    first, *others = tables
    seen = first
    if first.frame.height > MOST_SEEN and story.told.keys:
        here_names = [key for key, value in story.point.items() if value is not None]
        here = [pl.col(key) == story.point[key] for key in here_names]
        seen = replace(first, frame=first.frame.filter(*here))
        columns = tuple(own for own in first.columns if own.name not in here_names)
        seen = replace(seen, title=f"{first.title}, {story.at(story.point)}", columns=columns)
        others = [replace(first, title=f"{first.title}, at every point of the sweep"), *others]
    folded, rows = [], 0
    for table in others:
        rows += table.frame.height
        if rows <= MOST_FOLDED:
            folded.append(table)
    return [seen], folded


def _elsewhere(story: Story, left: int) -> list[str]:
    if left <= 0:
        return []
    return [f"{counted(left, 'more table')} of line-ups: cardlab compare {story.directory} --full."]


__all__ = ["build"]
