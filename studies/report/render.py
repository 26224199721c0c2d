"""Reports as HTML (one file, nothing fetched) and as Markdown with PNGs beside it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2

from studies.plots import spoken_by, to_svg
from studies.report.content import Commands, Grid, Picture, Report
from studies.report.titles import speaker
from studies.store.parts import write_aside

TEMPLATES = Path(__file__).parent / "templates"


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=jinja2.select_autoescape(["html.j2"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["joined"] = _joined
    environment.filters["plain"] = _plain
    environment.filters["fenced"] = _fenced
    return environment


def _joined(text: str) -> str:
    """Return text whose numbers are not parted from their units, with true minus signs."""
    text = re.sub(r" (%|±)", "\u00a0\\1", text)
    return re.sub(r"(?<![\w.–-])-(?=\d)", "\u2212", text)


def _plain(text: str) -> str:
    """Return text of which Markdown shows each character as it stands, on one line.

    Names come from study files and may hold anything. An underscore within a word marks nothing
    and stays as it is, so that the source can be read.
    """
    text = " ".join("".join(own if own.isprintable() else " " for own in text).split())
    text = re.sub(r"[\\`*\[\]<>|~$]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)", r"\\\g<0>", text)
    text = text.replace("://", "\\://").replace("www.", "www\\.")  # no links by themselves
    return re.sub(r"^(#+|[+-]|=+|-+|\d+(?=[.)]))(?=[.)]?(?: |$))", _escaped_start, text)


def _escaped_start(found: re.Match[str]) -> str:
    """Return the mark that would begin a heading or a list, escaped; a number keeps its digits."""
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def _fenced(code: str, language: str, indent: str = "") -> str:
    """Return a block of code, with a fence that none of its lines ends."""
    ticks = max(map(len, re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, ticks + 1)
    lines = [f"{fence}{language}", *code.rstrip("\n").split("\n"), fence]
    return "\n".join(f"{indent}{line}".rstrip() for line in lines)


def _page(template: str, **values: Any) -> str:
    return (
        _environment()
        .get_template(template)
        .render(
            is_picture=lambda item: isinstance(item, Picture),
            is_grid=lambda item: isinstance(item, Grid),
            is_commands=lambda item: isinstance(item, Commands),
            **values,
        )
    )


def _styled(template: str, **values: Any) -> str:
    """Return an HTML page that allows nothing but its own style, script and empty icon.

    The policy names style and script by their hashes (W3C, Content Security Policy Level 3), so
    that nothing that a name could bring into the page is carried out or fetched.
    """
    style = f"\n{(TEMPLATES / 'style.css').read_text('utf-8')}\n"
    script = f"\n{(TEMPLATES / 'script.js').read_text('utf-8')}"
    security = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return _page(template, style=style, script=script, security=security, **values)


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _rows(report: Report, grid: Grid) -> list[tuple[list[str], str, str]]:
    """Return the rows of a table, each with the sweep point and the line-up that it is about."""
    made: list[tuple[list[str], str, str]] = []
    for row in grid.rows:
        found = next((report.places[cell] for cell in row[:2] if cell in report.places), ("", ""))
        if made and not row[0]:  # goes on about what the row above names
            found = made[-1][1:]
        made.append((row, *found))
    return made


def to_html(report: Report, step: Callable[[str], None] = lambda _: None) -> str:
    """Return a report as one HTML page; `step` is told which figure is drawn.

    Every figure is there twice, for wide and for narrow screens; the page shows the one that fits.
    """
    spoken = speaker(report.policies)
    pictures = [item for own in report.sections for item in own.items if isinstance(item, Picture)]
    drawn = {}
    for number, item in enumerate(pictures, 1):
        step(f"draws figure {number} of {len(pictures)}")
        for narrow in (False, True):
            name = f"{item.name}-{'narrow' if narrow else 'wide'}"
            with spoken_by(spoken):
                picture = to_svg(item.draw(narrow), name, spoken(item.alt))
            drawn[item.name, narrow] = re.sub(r">[^<>]+<", lambda text: spoken(text[0]), picture)
    return _styled(
        "report.html.j2",
        report=report,
        drawn=drawn,
        spoken=spoken,
        data=_data(report),
        rows_of=lambda grid: _rows(report, grid),
    )


def _data(report: Report) -> str:
    """Return the numbers as JSON that may stand inside a script element."""
    text = json.dumps(report.numbers, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def write_html(report: Report, path: Path, step: Callable[[str], None] = lambda _: None) -> None:
    """Write a report as HTML; `step` is told which figure is drawn.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    write_aside(path, to_html(report, step).encode(), replace=True)


def write_markdown(report: Report, path: Path) -> None:
    """Write a report as Markdown, and its figures as PNG into a folder of the same name.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    from studies.plots.paper import to_png

    folder, spoken = path.with_suffix(""), speaker(report.policies)
    for section in report.sections:
        for item in section.items:
            if isinstance(item, Picture):
                with spoken_by(spoken):
                    content = to_png(item.draw(False))
                write_aside(folder / f"{item.name}.png", content, replace=True)
    text = _page("report.md.j2", report=report, folder=quote(folder.name))
    text = re.sub(r"\n{3,}", "\n\n", text)
    write_aside(path, text.encode(), replace=True)


def write_index(reports: Sequence[tuple[str, Report]], path: Path) -> None:
    """Write a page that leads to several reports.

    Parameters
    ----------
    reports : sequence of (link, report)
        Links are relative to the page.
    """
    text = _styled("index.html.j2", reports=reports)
    write_aside(path, text.encode(), replace=True)
