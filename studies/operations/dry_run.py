"""Preview of a run: cells, matches, time, disk space and precision."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from studies.operations.arguments import Rules, thread_count
from studies.operations.study import Players, Study, checked_study
from studies.operations.user_code import Strategies, given_policies
from studies.render import Column, Page, Table, counted

if TYPE_CHECKING:
    from studies.design.study import Study as Checked


def dry_run(
    study: str | Path | Mapping[str, object] | Study,
    directory: str | Path | None = None,
    *,
    matches: int | str | None = None,
    players: Players = None,
    set: Mapping[str, object] | None = None,
    strategies: Strategies = None,
    rules: Rules = None,
    threads: int | str | None = None,
    trust: bool = False,
) -> Page:
    """Return what `run` would play, as text and a table; nothing is written.

    Examples
    --------
    >>> import cardlab
    >>> "640,000 matches wanted" in str(cardlab.dry_run("quickstart"))
    True
    """
    import polars as pl

    from studies.design.cells import describe, expand
    from studies.run.estimate import estimate
    from studies.run.progress import duration, size

    workers = thread_count(threads)
    parsed, place = checked_study(
        study,
        directory,
        matches=matches,
        players=players,
        set=set,
        rules=rules,
        trust=trust,
    )
    cells = expand(parsed, given_policies(strategies, parsed.game))
    guess = estimate(parsed, cells, place, workers)
    rows = [
        {
            "cell": cell.id,
            "variant": cell.variant,
            "lineup": cell.lineup,
            "at": cell.point_text,
            "rotations": cell.rotations,
            "wanted": parsed.matches * cell.rotations,
            "present": guess.present[cell.id] * cell.rotations,
        }
        for cell in cells
    ]
    counts = ("rotations", "wanted", "present")
    columns = (
        Column("cell", drop_priority=1),
        Column("variant"),
        Column("lineup", "line-up"),
        *([Column("at")] if any(row["at"] for row in rows) else []),
        *(Column(name, form="count") for name in counts),
    )
    most = "at most " if parsed.goal and guess.rows_left else ""
    kept = "sums, no matches"
    if parsed.rows:
        kept = f"some {guess.bytes_a_row:.0f} bytes a match"
    return [
        Table(pl.DataFrame(rows), columns),
        (
            f"{describe(cells)}; {guess.rows_wanted:,} matches wanted"
            f"{' at most' if parsed.goal else ''}, {guess.rows_present:,} present in {place}"
        ),
        (
            f"to play: {most}{guess.rows_left:,} matches, about {duration(guess.seconds)} on "
            f"{counted(guess.threads, 'thread')} (from short trials) and {size(guess.bytes)} of "
            f"disk ({kept})"
        ),
        _precision_words(parsed, paired=len({cell.variant for cell in cells}) > 1),
    ]


def _precision_words(study: Checked, *, paired: bool) -> str:
    """Return the widest possible intervals: of shares of one half, if all rotations agree."""
    points = 100 * 1.96 * (0.25 / study.matches) ** 0.5
    text = (
        f"precision: 95 % intervals of win rates{' and of other winners' if paired else ''} reach "
        f"±{points:.2g} points at most with {counted(study.matches, 'deal')} a cell (the worst "
        "case: shares of one half, rotations that all agree); cardlab plan tells more, from a pilot"
    )
    if study.goal:
        text += f"; cells stop at ±{100 * study.goal.half_width:g} points if they reach it before"
    return text
