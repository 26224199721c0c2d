"""The answer on one screen of a terminal; and every number of the frame, table by table."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace

from studies.render import Page, Table, listed, to_text, wrapped
from studies.view.answered import ROWS, Answered
from studies.view.claims import caveats, paragraphs
from studies.view.findings import OTHER_END, findings
from studies.view.grid import Finding, Grid
from studies.view.long import card_tables, long_tables
from studies.view.query import View

LINES = 55
"""Of one screen."""

MOST_HIDDEN = 10
"""Tables and numbers that are named as left out."""

MOST_OF_LEGEND = 12
"""Lines for what rules and policies are that no further table takes."""

FEWEST_ROWS = 8
"""Of the first table, however little room there is."""


def screen(answer: Answered, width: int = 80) -> Page:
    """Return what is asked first: all claims, the table that carries the first, what fits of more.

    What is left out is named in the last lines.
    """
    view = View(answer)
    found = findings(view)
    page: list[Table | str] = [answer.title] if answer.title else []
    page += [line for one in found if not one.minor for line in paragraphs(one.claims)]
    told = len(page)
    page += caveats(view)
    minor = [line for one in found if one.minor for line in paragraphs(one.claims)]
    grids = [grid for finding in found for grid in finding.grids if grid.columns]
    notes = [*_notes(view, grids[:1]), *answer.notes]
    first = _in_order(found)[:1]
    last = _hidden_words(_left_out(view, found, first, width), answer)
    left = LINES - sum(_height(part, width) for part in (*page, *notes, last)) - 2
    legend = legend_words(view, first, width, LINES)
    kept = min(MOST_OF_LEGEND, sum(_height(line, width) for line in legend))
    shown: list[Grid] = []
    cut = 0
    for place, grid in enumerate(_in_order(found)):
        tables = grid.tables(width)
        height = sum(_height(table, width) for table in tables)
        if height > left and not shown:
            rows = max(FEWEST_ROWS, len(grid.rows) - (height - left) // len(tables))
            cut = max(0, len(grid.rows) - rows)
            tables = [replace(table, frame=table.frame.head(rows)) for table in tables]
        elif place and height > left - kept:
            continue
        page += tables
        shown.append(grid)
        left -= sum(_height(table, width) for table in tables)
    for table in long_tables(view) if answer.numbers else ():
        if shown and _height(table, width) > left:
            continue
        page.append(table)
        left -= _height(table, width)
    legend = legend_words(view, shown, width, left)
    left -= sum(_height(line, width) for line in legend)
    if sum(_height(line, width) for line in minor) <= left:
        page[told:told] = minor
    page += [*legend, *notes]
    hidden = [f"{cut} more rows of the first table"] if cut else []
    hidden += _left_out(view, found, shown, width)
    return [*page, _hidden_words(hidden, answer)]


def _in_order(found: Sequence[Finding]) -> list[Grid]:
    """Return the grids, the first one of each question before the second ones.

    Beside the first of all stands how it varies over points, or the same at another line-up.
    """
    tables = [[grid for grid in finding.grids if grid.columns] for finding in found]
    first, *others = [grids for grids in tables if grids] or [[]]
    beside = [grid for grid in first[1:] if grid.chart == "map"] or first[1:]
    more = (grid for grids in others for grid in grids[1:2])
    return [*first[:1], *beside[:1], *(grids[0] for grids in others), *more]


def _height(part: Table | str, width: int) -> int:
    """Return how many lines a part of the page takes."""
    if isinstance(part, Table):
        return to_text(part, width).count("\n") + 2
    return len(wrapped(part, width))


def _hidden_words(hidden: Sequence[str], answer: Answered) -> str:
    """Name what is left out, and say how to see it."""
    return f"{f'Not shown: {listed(hidden, MOST_HIDDEN)}. ' if hidden else ''}{_more(answer)}"


def _left_out(view: View, found: Sequence[Finding], shown: Sequence[Grid], width: int) -> list[str]:
    """Name the columns and tables that have no room, and the numbers that no table has."""
    names: dict[str, None] = {}
    for grid in shown:
        kept = {column.name for table in grid.tables(width) for column in table.shown}
        names |= {h.title: None for h in grid.columns if h.name not in kept}
    headings = {grid.heading for grid in shown}
    lineups: dict[str, None] = {}
    for grid in (grid for finding in found for grid in finding.grids if grid.columns):
        if grid.heading in headings:
            continue
        if grid.title == "what changes":
            lineups[re.sub(r" \(.*|, \d.*", "", grid.where).removeprefix("line-up ")] = None
        else:
            names[grid.title] = None
    told = {row["number"] for f in found for grid in f.grids for row in grid.frame_rows}
    numbers = view.frame.filter(kind="level")["number"].unique(maintain_order=True)
    others = [f"line-ups {listed(lineups, 4)}"] if lineups else []
    return [*others, *names, *(name for name in numbers if name not in told)]


def _more(answer: Answered) -> str:
    """Say how to see the rest."""
    if answer.where.lower().endswith(ROWS):
        return "All of it: the same with --full, or with --csv."
    if not answer.where:
        return "All of it: .frame, one row per number."
    where = shlex.quote(answer.where)
    return (
        f"More: cardlab compare {where} with --players N, --lineup NAME, --variant NAME or "
        f"--number NAME; all of it: --full (or --csv); with figures: cardlab report {where}"
    )


def every_number(answer: Answered) -> Page:
    """Return every number: the tables of all findings, then the frame by kind and table."""
    view = View(answer)
    found = findings(view)
    grids = [grid for finding in found for grid in finding.grids if grid.columns]
    return [
        *filter(None, [answer.title]),
        *(line for finding in found for line in paragraphs(finding.claims)),
        *(sentence for finding in found for sentence in finding.sentences),
        *caveats(view),
        *(grid.table() for grid in grids),
        *_notes(view, grids),
        *long_tables(view),
        *card_tables(view),
        *answer.notes,
    ]


# ---- what is said beside the tables


def _notes(view: View, grids: Sequence[Grid]) -> list[str]:
    """Return what the columns of some tables mean."""
    paired = view.answer.is_paired and bool((view.frame["kind"] == "change").any())
    parts = [f"± and brackets are {100 * view.answer.level:g} % intervals"]
    parts += ["changes are on the same deals"] if paired else []
    parts += [
        f"{heading.title}: {heading.help}"
        for grid in grids
        for heading in grid.columns
        if heading.title in ("another winner", OTHER_END, "agreement") or " − " in heading.title
    ]
    return [f"{'; '.join(dict.fromkeys(parts))}."]


def legend_words(view: View, grids: Sequence[Grid], width: int, left: int) -> list[str]:
    """Say what the rules and policies of these grids are, as many as there is room for."""
    names = {name for grid in grids for name in grid.rows}
    rules = {part for name in names for part in re.split(r" [+×] |=", name)} | names
    seated = " ".join(f"{grid.where} {' '.join(grid.rows)}" for grid in grids)
    legend = view.answer.legend
    policies = {
        name for name in legend.policies if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", seated)
    }
    lines = []
    for title, meanings, named in (
        ("Rules", legend.rules, rules),
        ("Policies", legend.policies, policies),
    ):
        texts = [f"{name}: {meaning}" for name, meaning in meanings.items() if name in named]
        said, words = 0, ""
        while said < len(texts):
            longer = f"{title}. {'; '.join(texts[: said + 1])}"
            if _height(f"{longer}; 99 more, see --variant.", width) > left:
                break
            said, words = said + 1, longer
        if words:
            more = len(texts) - said
            lines.append(f"{words}{f'; {more} more, see --variant' if more else ''}.")
            left -= _height(lines[-1], width)
    return lines
