"""Reports as HTML (one file, nothing fetched) and as Markdown with PNGs beside it."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2
import markupsafe

from studies.plots.figure import to_svg
from studies.render import Table, to_html
from studies.report.content import Report
from studies.store.files import write_aside

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
    environment.filters["breakable"] = _breakable
    environment.filters["plain"] = _plain
    environment.filters["fenced"] = _fenced
    environment.filters["html_table"] = to_html
    environment.filters["cells"] = _cells
    return environment


def _joined(text: str, to: str = "%|±") -> str:
    """Return text with no-break spaces after numbers, and true minus signs."""
    text = re.sub(rf" ({to})", "\u00a0\\1", text)
    return re.sub(r"(?<![\w.–-])-(?=\d)", "\u2212", text)


def _breakable(name: str) -> markupsafe.Markup:
    """Return a name that may be broken after its underscores."""
    return markupsafe.Markup("_<wbr>").join(name.split("_"))


def _plain(text: str) -> str:
    """Return text on one line, escaped so that Markdown shows every character literally.

    Names come from study files and may hold anything. An underscore within a word marks nothing
    and stays as it is, so that the source can be read.
    """
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    text = re.sub(r"[\\`*\[\]<>|~$]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)", r"\\\g<0>", text)
    text = text.replace("://", "\\://").replace("www.", "www\\.")  # no links by themselves
    return re.sub(r"^(#+|[+-]|=+|-+|\d+(?=[.)]))(?=[.)]?(?: |$))", _escaped_start, text)


def _escaped_start(mark: re.Match[str]) -> str:
    """Return the mark that would begin a heading or a list, escaped; a number keeps its digits."""
    return f"{mark[0]}\\" if mark[0].isdigit() else f"\\{mark[0]}"


def _fenced(code: str, language: str, indent: str = "") -> str:
    """Return a block of code, with a fence that none of its lines ends."""
    ticks = max(map(len, re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, ticks + 1)
    lines = [f"{fence}{language}", *code.rstrip("\n").split("\n"), fence]
    return "\n".join(f"{indent}{line}".rstrip() for line in lines)


def _cells(table: Table) -> list[list[str]]:
    """Return the cells of a table row by row, the headings first."""
    rows = [
        [column.write(row) for column in table.shown] for row in table.frame.iter_rows(named=True)
    ]
    return [[column.title for column in table.shown], *rows]


def to_page(report: Report, step: Callable[[str], None] = lambda _: None) -> str:
    """Return a report as one HTML page; `step` is called for each figure.

    Every figure is included twice, for wide and for narrow screens, and the page shows the fitting
    one. The page's content security policy allows only its own style, script and empty icon, by
    their hashes (W3C, Content Security Policy Level 3), so that names cannot inject anything.
    """
    pictures = report.pictures
    drawn = {}
    for count, picture in enumerate(pictures, 1):
        step(f"draws figure {count} of {len(pictures)}")
        for narrow in (False, True):
            name = f"{picture.name}-{'narrow' if narrow else 'wide'}"
            drawn[picture.name, narrow] = to_svg(picture.draw(narrow), name, picture.caption)
    style = f"\n{(TEMPLATES / 'style.css').read_text('utf-8')}\n"
    script = f"\n{(TEMPLATES / 'script.js').read_text('utf-8')}"
    security = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    values: dict[str, Any] = {"style": style, "script": script, "security": security}
    template = _environment().get_template("report.html.j2")
    return template.render(report=report, drawn=drawn, **values)


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def write_html(report: Report, path: Path, step: Callable[[str], None] = lambda _: None) -> None:
    """Write a report as HTML; `step` is called for each figure.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    write_aside(path, to_page(report, step).encode(), replace=True)


def write_markdown(report: Report, path: Path) -> None:
    """Write a report as Markdown, and its figures as PNG into a folder of the same name.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    from studies.plots.figure import to_png

    folder = path.with_suffix("")
    for picture in report.pictures:
        content = to_png(picture.draw(False))
        write_aside(folder / f"{picture.name}.png", content, replace=True)
    template = _environment().get_template("report.md.j2")
    text = template.render(report=report, folder=quote(folder.name))
    write_aside(path, re.sub(r"\n{3,}", "\n\n", text).encode(), replace=True)
