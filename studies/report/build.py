"""From a study directory to a report: ask the frame, choose, say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from simcore.errors import InputError
from studies.answers.filters import EVERYTHING, Filters
from studies.overview import (
    aborted_words,
    answer_tables,
    explanations,
    level_tables,
    standing_tables,
)
from studies.render import Table
from studies.report.content import Picture, Report, Section
from studies.report.headline_cards import headline_cards
from studies.report.report_data import ReportData
from studies.report.sections import lead, points_table, sections
from studies.sentences import say
from studies.store.opened import open_study
from studies.version import VERSION

MOST_SEEN = 16
"""Rows of the table on the first screen; longer ones are reduced to the main point of the sweep."""

MOST_FOLDED = 200
"""Total rows of the folded tables below it."""


def build(
    directory: Path,
    filters: Filters = EVERYTHING,
    step: Callable[[str], None] = lambda _: None,
    *,
    trust: bool = False,
) -> Report:
    """Build the report of a study directory.

    Parameters
    ----------
    filters : Filters
        The part of the study that is reported.
    step : callable
        Called with a description of each step.
    trust : bool
        Whether Python files that the directory names or carries may be run.

    Raises
    ------
    InputError
        If the directory is no study directory, is damaged, or holds no matches of any table with
        the unchanged rules.
    """
    step("measures tables")
    data = ReportData.of(open_study(directory, trust=trust), filters)
    if not data.by_kind.get("level"):
        raise InputError(
            f"{directory} holds no matches with the unchanged rules yet; `cardlab run` plays them"
        )
    screen, game = data.screen, data.game
    answer = answer_tables(screen, "population", "factor", "change") or [
        *standing_tables(screen)[:2],
        *level_tables(screen),
    ]
    drawn = data.stored.study.population
    order = ["Population:", f"Line-up {data.reference}:"]
    if drawn is None or data.reference not in drawn.names:
        order.reverse()
    answer.sort(key=lambda table: [not table.title.startswith(title) for title in order])
    seen, folded = _seen_and_folded(data, answer)
    matches = sum(data.stored.matches(cell) for cell in data.stored.cells)
    left = len(answer) - len(seen) - len(folded)
    main, parts = _main_first(data, sections(data))
    return Report(
        title=screen.title or f"How does {game.title} play?",
        subtitle=say("subtitle", game, matches, len(data.seats)),
        headline_cards=headline_cards(data),
        lead=lead(data),
        answer=[*points_table(data), *seen],
        folded=folded,
        said=[
            *aborted_words(screen),
            *explanations(screen, seen),
            *filter(None, [data.headlines.note]),
            *([say("more_tables", left, data.directory)] if left > 0 else []),
        ],
        sections=parts,
        main=main,
        version=VERSION,
    )


def _main_first(data: ReportData, parts: list[Section]) -> tuple[Picture | None, list[Section]]:
    """Take out the figure that answers the question of the study's design, to be shown first."""
    order = ("variants", "factors", "length-map") if data.variants or data.screen.keys else ()
    order = (*order, "ladder", "win-rates", "seats", "length", "variants-map")
    pictures = {picture.name: picture for part in parts for picture in part.pictures}
    main = next((pictures[name] for name in order if name in pictures), None)
    return main, [
        replace(part, pictures=[picture for picture in part.pictures if picture is not main])
        for part in parts
    ]


def _seen_and_folded(data: ReportData, tables: Sequence[Table]) -> tuple[list[Table], list[Table]]:
    """Return the table of the first screen, and those that wait below it, as many as fit."""
    first, *others = tables
    seen = first
    if first.frame.height > MOST_SEEN and data.screen.keys:
        here = {key: value for key, value in data.point.items() if value is not None}
        seen = Table(
            first.frame.filter(**here),
            tuple(column for column in first.columns if column.name not in here),
            f"{first.title}, {data.at(data.point)}",
        )
        others = [replace(first, title=f"{first.title}, at every point of the sweep"), *others]
    folded, rows = [], 0
    for table in others:
        rows += table.frame.height
        if rows <= MOST_FOLDED:
            folded.append(table)
    return [seen], folded
