"""`cardlab report`: the balance report of a study, as a page one can look at."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from simcore.errors import InputError, unknown
from studies.cli.common import say

FORMATS = {"html": "report.html", "md": "report.md"}
INDEX = "index.html"
RESULTS = Path("results")


def report(
    directories: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="DIR", help="Study directory, written by cardlab run; several with --all."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Default: DIR/report.html, or results/index.html."
        ),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="html|md", help="One page, or Markdown with PNGs.")
    ] = "html",
    every: Annotated[
        bool,
        typer.Option(
            "--all", help="A report for each DIR (default: each study in results), and an index."
        ),
    ] = False,
) -> None:
    """Write a balance report: what the variants change, seats, length, drama, luck, policies.

    The page needs no network. Every sentence and figure comes from the study's rows; what they
    cannot tell, it says.
    """
    if form not in FORMATS:
        raise unknown("format", form, FORMATS)
    chosen = list(directories or ())
    if every:
        _write_all(chosen or _studies_in(RESULTS), out or RESULTS / INDEX, form)
        return
    if len(chosen) != 1:
        raise InputError(
            f"{len(chosen)} directories are given; allowed: one, or any number with --all"
        )
    path = out or chosen[0] / FORMATS[form]
    _write(chosen[0], path, form)
    say(f"report: {path}")


def _studies_in(folder: Path) -> list[Path]:
    from studies.cellfile import CELLS

    found = sorted(path.parent for path in folder.glob(f"*/{CELLS}"))
    if not found:
        raise InputError(f"{folder} holds no study directory; name them after --all")
    return found


def _write(directory: Path, path: Path, form: str) -> object:
    from studies.report import build, write_html, write_markdown

    if path.is_dir():
        raise InputError(f"--out {path} is a directory; allowed: a file")
    built = build(directory)
    (write_html if form == "html" else write_markdown)(built, path)
    return built


def _write_all(directories: list[Path], index: Path, form: str) -> None:
    from studies.report import write_index
    from studies.report.content import Report

    reports = []
    for directory in directories:
        path = directory / FORMATS[form]
        built = _write(directory, path, form)
        assert isinstance(built, Report)
        say(f"report: {path}")
        reports.append((os.path.relpath(path, index.parent), built))
    write_index(reports, index)
    say(f"index: {index}")
