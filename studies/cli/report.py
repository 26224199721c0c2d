"""`cardlab report`: the balance report of a study, as a page one can look at."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcore.errors import InputError, unknown
from studies.api.pages import FORMATS, write_report
from studies.api.watching import say
from studies.cli.common import say_unsealed

if TYPE_CHECKING:
    from studies.report.content import Report

INDEX = "index.html"
RESULTS = Path("results")


def report(
    directories: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DIR",
            help="Study directory, written by cardlab run, or any fsspec address; several with "
            "--all.",
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Default: DIR/report.html, or results/index.html; any fsspec address.",
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="html|md",
            show_default="as --out ends, or html",
            help="One page, or Markdown with PNGs.",
        ),
    ] = None,
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
    if form is not None and form not in FORMATS:
        raise unknown("format", form, FORMATS)
    from studies.store.location import locate

    chosen = [locate(one) for one in directories or ()]
    place = None if out is None else locate(out)
    if every:
        ending = _form_of("html", out, "--all, whose index is a page")
        _write_all(chosen or _studies_in(RESULTS), place or RESULTS / INDEX, form or ending)
        return
    if len(chosen) != 1:
        raise InputError(
            f"{len(chosen)} directories are given; allowed: one, or any number with --all"
        )
    _write(chosen[0], place, _form_of(form, out, f"--format {form}"))


def _form_of(form: str | None, out: str | None, what: str) -> str:
    """Return the form that is asked for, or else the one that the ending of `out` names.

    Raises
    ------
    InputError
        If the ending is that of another form: a page would be written under a wrong name.
    """
    ending = Path(out or "").suffix.lower().removeprefix(".")
    if form is not None and ending in FORMATS and ending != form:
        raise InputError(f"--out {out!r} is refused with {what}; allowed: FILE.{form}")
    return form or (ending if ending in FORMATS else "html")


def _studies_in(folder: Path) -> list[Path]:
    from studies.design.study import CELLS

    found = sorted(path.parent for path in folder.glob(f"*/{CELLS}"))
    if not found:
        raise InputError(f"{folder} holds no study directory; name them after --all")
    return found


def _write(directory: Path, out: Path | None, form: str) -> tuple[Path, Report]:
    """Write the report of a directory, and say where it is."""
    from studies.cli.consoles import waiting

    with waiting("reads the study") as step:
        path, built = write_report(directory, out, form, say, "--out", step)
    say_unsealed(directory)
    say(f"report: {path}")
    return path, built


def _write_all(directories: list[Path], index: Path, form: str) -> None:
    from studies.report import write_index

    reports = []
    for directory in directories:
        path, built = _write(directory, None, form)
        reports.append((_link(path, index), built))
    write_index(reports, index)
    say(f"index: {index}")


def _link(path: Path, index: Path) -> str:
    """Return how an index leads to a page: relative to it, where both are on this machine."""
    from studies.store.location import is_local

    if is_local(path) and is_local(index):
        return os.path.relpath(path, index.parent)
    return str(path.resolve()) if is_local(path) else str(path)
