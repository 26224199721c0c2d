"""From a study directory to a report: ask the frame, choose, say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from simcore.errors import InputError
from studies.overview import (
    aborted_words,
    answer_tables,
    explanations,
    level_tables,
    standing_tables,
)
from studies.render import Table
from studies.report.content import Report
from studies.report.sections import sections
from studies.report.story import Story
from studies.report.tiles import tiles
from studies.store.opened import open_study
from studies.version import VERSION

MOST_TABLES = 4
"""Answer tables on the first screen; further line-ups stand in the section of the variants."""


def build(directory: Path, step: Callable[[str], None] = lambda _: None) -> Report:
    """Build the report of a study directory.

    Parameters
    ----------
    step : callable
        Is told what is done now.

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
    first = [table for table in answer if f"Line-up {story.reference}" in table.title]
    answer = [*first, *(table for table in answer if table not in first)]
    matches = sum(story.stored.matches(cell) for cell in story.stored.cells)
    line_ups = len(story.seats)
    return Report(
        title=told.title or f"How does {game.title} play?",
        subtitle=(
            f"Balance report of {game.title} ({game.kind}): {matches:,} simulated matches, "
            f"{line_ups} line-up{'' if line_ups == 1 else 's'}"
        ),
        tiles=tiles(story),
        answer=answer[:MOST_TABLES],
        said=[*aborted_words(told), *explanations(told, answer), *_elsewhere(answer)],
        sections=sections(story),
        version=VERSION,
    )


def _elsewhere(answer: Sequence[Table]) -> list[str]:
    left = len(answer) - MOST_TABLES
    return [f"{left} more such tables: cardlab compare --full."] if left > 0 else []


__all__ = ["build"]
