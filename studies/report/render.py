"""Reports as HTML (one file, nothing fetched) and as Markdown with PNGs beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from studies.parts import write_aside
from studies.plots import to_png, to_svg
from studies.report.content import Commands, Grid, Picture, Report

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
    environment.filters["cell"] = _cell
    environment.filters["joined"] = _joined
    return environment


def _joined(text: str) -> str:
    """Return text whose numbers are not parted from their units, with true minus signs."""
    text = re.sub(r" (%|±)", "\u00a0\\1", text)
    return re.sub(r"(?<![\w.–-])-(?=\d)", "\u2212", text)


def _cell(text: str) -> str:
    """Return text for a cell of a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")


def _page(template: str, **values: Any) -> str:
    return (
        _environment()
        .get_template(template)
        .render(
            is_picture=lambda item: isinstance(item, Picture),
            is_grid=lambda item: isinstance(item, Grid),
            is_commands=lambda item: isinstance(item, Commands),
            style=(TEMPLATES / "style.css").read_text("utf-8"),
            **values,
        )
    )


def to_html(report: Report) -> str:
    """Return a report as one HTML page.

    Every figure is there twice, for wide and for narrow screens; the page shows the one that fits.
    """
    return _page("report.html.j2", report=report, wide=_wide, narrow=_narrow, data=_data(report))


def _data(report: Report) -> str:
    """Return the numbers as JSON that may stand inside a script element."""
    text = json.dumps(report.numbers, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c")


def _wide(picture: Picture) -> str:
    return to_svg(picture.draw(False), f"{picture.name}-wide", picture.alt)


def _narrow(picture: Picture) -> str:
    return to_svg(picture.draw(True), f"{picture.name}-narrow", picture.alt)


def write_html(report: Report, path: Path) -> None:
    """Write a report as HTML.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    write_aside(path, to_html(report).encode(), replace=True)


def write_markdown(report: Report, path: Path) -> None:
    """Write a report as Markdown, and its figures as PNG into a folder of the same name.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    folder = path.with_suffix("")
    for section in report.sections:
        for item in section.items:
            if isinstance(item, Picture):
                content = to_png(item.draw(False))
                write_aside(folder / f"{item.name}.png", content, replace=True)
    text = _page("report.md.j2", report=report, folder=folder.name)
    text = re.sub(r"\n{3,}", "\n\n", text)
    write_aside(path, text.encode(), replace=True)


def write_index(reports: Sequence[tuple[str, Report]], path: Path) -> None:
    """Write a page that leads to several reports.

    Parameters
    ----------
    reports : sequence of (link, report)
        Links are relative to the page.
    """
    text = _page("index.html.j2", reports=reports)
    write_aside(path, text.encode(), replace=True)
