"""Where a study's report goes, and in which form."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from simcore.errors import InputError
from studies.api.watching import Say

if TYPE_CHECKING:
    from studies.report.content import Report

FORMATS = {"html": "report.html", "md": "report.md"}


def write_report(
    directory: Path,
    out: Path | None,
    form: str,
    remark: Say,
    name: str = "path",
    step: Say = lambda _: None,
) -> tuple[Path, Report]:
    """Write the report of a study directory; return where it is.

    Without `out` it goes into the directory, or where that cannot be written into the working
    directory.

    Parameters
    ----------
    form : str
        "html" or "md".
    remark : callable
        Is told where the report goes instead.
    name : str
        What refusals call `out`.
    step : callable
        Is told what is done now.

    Raises
    ------
    InputError
        If the directory is none of a study, is damaged or without matches, or the file cannot be
        written.
    """
    from studies.report import build, write_html, write_markdown
    from studies.store.parts import CannotWriteError

    path = out or directory / FORMATS[form]
    if path.is_dir():
        raise InputError(f"{name} {path} is a directory; allowed: a file")
    built = build(directory, step=step)
    step("draws figures")
    write = partial(write_html, step=step) if form == "html" else write_markdown
    try:
        write(built, path)
    except CannotWriteError as error:
        if out is not None:
            raise
        path = Path(f"{directory.name}-{FORMATS[form]}")
        remark(f"{error}; so the report goes elsewhere")
        write(built, path)
    return path, built
