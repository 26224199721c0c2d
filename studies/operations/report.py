"""Write the balance report of a study."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from simcore.errors import InputError
from studies.operations.arguments import Names, filters_of
from studies.operations.compare import ROWS
from studies.run.progress import watched

FORMS = {".html": "report.html", ".md": "report.md"}


def report(
    directory: str | Path,
    out: str | Path | None = None,
    *,
    players: int | str | Sequence[int] | None = None,
    variant: Names = None,
    lineup: Names = None,
    number: Names = None,
    trust: bool = False,
    step: Callable[[str], None] = lambda _: None,
    progress: bool = False,
) -> Path:
    """Write the balance report of a study.

    It shows what the variants change, fairness of the seats, length, how matches are decided, luck
    and skill, and how the policies compare. The page needs no network.

    Parameters
    ----------
    directory : str or Path
        As in `open`.
    out : str or Path, optional
        An HTML page (.html), or Markdown with PNGs (.md). Default: report.html in the directory, or
        in the working directory if that is read-only.
    players : int or sequence of int, optional
        Only these numbers of players.
    variant : str or sequence of str, optional
        Only this variant, beside the unchanged rules.
    lineup : str or sequence of str, optional
        Only this line-up.
    number : str or sequence of str, optional
        A number of the frame that the tables of variants have as well.
    trust : bool
        As in `cardlab.open`.
    step : callable
        Called with a description of each step.
    progress : bool
        Whether to show remarks on stderr; otherwise they are warnings.

    Returns
    -------
    Path
        Where it is.

    Examples
    --------
    >>> import cardlab
    >>> cardlab.report("duel", "up.html").name
    'up.html'
    """
    from studies.report import build, write_html, write_markdown
    from studies.store.files import CannotWriteError, locate

    if str(directory).lower().endswith(ROWS):
        raise InputError(
            f"report {str(directory)!r} is refused: a file of rows has no report; allowed: a study "
            f"directory, or cardlab compare {shlex.quote(str(directory))}"
        )
    place = locate(directory)
    path = place / FORMS[".html"] if out is None else locate(out)
    form = path.suffix.lower()
    if path.is_dir():
        raise InputError(f"report {str(path)!r} is a directory; allowed: a file")
    if form not in FORMS:
        raise InputError(
            f"report {str(out)!r} is refused; allowed: a name that ends in {' or '.join(FORMS)}"
        )
    with watched(progress=progress) as (_, remark):
        filters = filters_of(players, variant, lineup, number)
        built = build(place, filters, step=step, trust=trust)
        step("draws figures")
        write = write_html if form == ".html" else write_markdown
        try:
            write(built, path)
        except CannotWriteError as error:
            if out is not None:
                raise
            path = Path(f"{place.name}-{FORMS[form]}")
            remark(f"{error}; so the report goes elsewhere")
            write(built, path)
    return path
