"""The answer as HTML: a page of its own (one file, nothing fetched), or a part of a notebook."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from studies.measures import game_of
from studies.plots.figure import to_svg
from studies.render import Table, counted, to_html
from studies.store.files import write_aside
from studies.version import VERSION
from studies.view.answered import Answered
from studies.view.basis import commands, legends, played
from studies.view.claims import caveats, paragraphs
from studies.view.figures import draw
from studies.view.findings import findings
from studies.view.grid import Claim, Finding, Grid
from studies.view.long import shown_changes
from studies.view.query import View

TEMPLATES = Path(__file__).parent / "templates"

MOST_TILES = 6
MOST_SEEN = 16
"""Rows of the table that is seen at once."""

MOST_TITLES = 4
"""Folded tables of a section whose titles are seen."""

MOST_FOLDED = 200
"""Rows of the folded tables of a section."""


@dataclass(frozen=True)
class Part:
    """A grid or a table on a page, and its figure if it has one, for wide and narrow screens."""

    title: str
    table: Table | None
    grid: Grid | None = None
    wide: str = ""
    narrow: str = ""


@dataclass(frozen=True)
class Section:
    """A finding on a page; `seen` is there at once, `folded` behind its title."""

    name: str
    title: str
    sentences: Sequence[str]
    seen: Sequence[Part] = ()
    folded: Sequence[Part] = ()
    commands: Sequence[tuple[str, str]] = ()


def write_page(answer: Answered, path: Path, step: Callable[[str], None] = lambda _: None) -> None:
    """Write an answer as an HTML page.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    write_aside(path, to_page(answer, step).encode(), replace=True)


def to_page(answer: Answered, step: Callable[[str], None] = lambda _: None) -> str:
    """Return an answer as one HTML page; `step` is called for each figure.

    Every figure is included twice, for wide and for narrow screens, and the page shows the fitting
    one. The page's content security policy allows only its own style, script and empty icon, by
    their hashes (W3C, Content Security Policy Level 3), so that names cannot inject anything.
    """
    view = View(answer)
    found = findings(view)
    stored = answer.stored
    assert stored is not None
    sections = [_section(view, one, step, first=not at) for at, one in enumerate(found)]
    basis = Section(
        "basis",
        "What this rests on",
        played(view, stored),
        folded=[Part(table.title, table) for table in legends(view)],
        commands=commands(view, stored),
    )
    game = game_of(stored.cells[0])
    matches = sum(stored.matches(cell) for cell in stored.cells)
    style = f"\n{(TEMPLATES / 'style.css').read_text('utf-8')}\n"
    script = f"\n{(TEMPLATES / 'script.js').read_text('utf-8')}"
    security = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    page: str = _template("page.html.j2").render(
        title=answer.title or f"How does {game.title} play?",
        subtitle=f"Balance report of {game.title} ({game.kind}): {counted(matches, 'match')}, "
        f"{counted(len(answer.seats), 'line-up')}.",
        tiles=_tiles(found),
        notes=caveats(view),
        sections=[*sections, basis],
        few=MOST_TITLES,
        version=VERSION,
        style=style,
        script=script,
        security=security,
    )
    return page


def _tiles(found: Sequence[Finding]) -> list[tuple[str, Claim]]:
    """Return the first claims of each finding: the section they stand in, and what is said."""
    claims = [(finding.name, claim) for finding in found for claim in finding.claims]
    asked = [(name, claim) for name, claim in claims if claim.question]
    first = {claim.question: (name, claim) for name, claim in reversed(asked)}
    questions = dict.fromkeys(claim.question for _, claim in asked)
    return [first[question] for question in questions][:MOST_TILES]


def _section(view: View, finding: Finding, step: Callable[[str], None], *, first: bool) -> Section:
    """Return a finding as a section: its first figure is seen, and the first table of a page."""
    seen: list[Part] = []
    folded: list[Part] = []
    rows = 0
    for grid in finding.grids:
        part = _part(grid, finding.name, step)
        if part is None:
            continue
        rows += len(grid.rows)
        if not seen and part.wide:
            fits = first and len(grid.rows) <= MOST_SEEN
            seen.append(part if fits else replace(part, table=None))
            folded += [] if fits or part.table is None else [Part(part.title, part.table)]
        elif part.wide or rows <= MOST_FOLDED:
            folded.append(part)
    if finding.name == "rules":
        folded += [Part(table.title, table) for table in shown_changes(view)]
    said = (line.removeprefix(finding.title).lstrip() for line in paragraphs(finding.claims))
    sentences = [*said, *finding.sentences]
    return Section(finding.name, finding.title, sentences, seen, folded)


def _part(grid: Grid, section: str, step: Callable[[str], None]) -> Part | None:
    """Return a grid with its figure, if it has a name; None where it has nothing to show."""
    table = grid.table() if grid.columns else None
    if not (grid.name and grid.chart):
        return Part(grid.heading, table)
    if grid.chart == "histogram" and not (grid.counts and grid.counts()):
        return None
    step(f"draws figure {grid.name}")
    wide, narrow = (
        to_svg(
            draw(grid, narrow=slim),
            f"{section}-{grid.name}-{slim:d}".replace("_", "-"),
            grid.description,
        )
        for slim in (False, True)
    )
    return Part(grid.heading, table, grid, wide, narrow)


def fragment(answer: Answered) -> str:
    """Return an answer as a part of a notebook: what is said, and tables, all but one folded."""
    view = View(answer)
    found = findings(view)
    lines = [line for finding in found for line in paragraphs(finding.claims)]
    notes = [*caveats(view), *answer.notes]
    grids = [grid for finding in found for grid in finding.grids if grid.columns]
    parts = [f"<h4>{html.escape(answer.title)}</h4>" if answer.title else ""]
    parts += [f"<p>{html.escape(line)}</p>" for line in [*lines, *notes]]
    parts += [to_html(grid.table()) for grid in grids[:1]]
    parts += [
        f"<details><summary>{html.escape(grid.heading)}</summary>{to_html(grid.table())}</details>"
        for grid in grids[1:]
    ]
    return f"<div>{''.join(parts)}</div>"


@cache
def _template(name: str) -> Any:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=jinja2.select_autoescape(["html.j2"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["joined"] = joined
    environment.filters["html_table"] = to_html
    return environment.get_template(name)


def joined(text: str) -> str:
    """Return text with no-break spaces before units, and true minus signs."""
    text = re.sub(r" (%|±)", "\u00a0\\1", text)
    return re.sub(r"(?<![\w.–-])-(?=\d)", "\u2212", text)


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
