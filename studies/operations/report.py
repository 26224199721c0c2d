"""Write the balance report of a study."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from simcore.errors import InputError
from studies.operations.arguments import Names, filters_of
from studies.operations.compare import read_seconds
from studies.run.progress import watched
from studies.view.answered import ROWS

ENDING = ".html"


def report(
    directory: str | Path,
    out: str | Path | None = None,
    *,
    players: int | str | Sequence[int] | None = None,
    variant: Names = None,
    lineup: Names = None,
    number: Names = None,
    seconds: float | str | None = None,
    trust: bool = False,
    at_step: Callable[[str], None] = lambda _: None,
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
        An HTML page (.html). Default: report.html in the directory, or in the working directory if
        that is read-only.
    players : int or sequence of int, optional
        Only these numbers of players.
    variant : str or sequence of str, optional
        Only this variant, beside the unchanged rules.
    lineup : str or sequence of str, optional
        Only this line-up.
    number : str or sequence of str, optional
        A number of the frame that the tables of variants have as well.
    seconds : float, optional
        As in `compare`.
    trust : bool
        As in `cardlab.open`.
    at_step : callable
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
    from studies.store.files import CannotWriteError, locate
    from studies.store.opened import open_study
    from studies.view.page import write_page
    from studies.view.study import study_answer

    if str(directory).lower().endswith(ROWS):
        raise InputError(
            f"report {str(directory)!r} is refused: a file of rows has no report; allowed: a study "
            f"directory, or cardlab compare {shlex.quote(str(directory))}"
        )
    place = locate(directory)
    path = place / "report.html" if out is None else locate(out)
    if path.is_dir():
        raise InputError(f"report {str(path)!r} is a directory; allowed: a file")
    if path.suffix.lower() != ENDING:
        raise InputError(f"report {str(out)!r} is refused; allowed: a name that ends in {ENDING}")
    with watched(progress=progress) as (_, remark):
        filters = filters_of(players, variant, lineup, number)
        at_step("measures tables")
        answer = study_answer(
            open_study(place, trust=trust),
            filters=filters,
            seconds=read_seconds(seconds),
            complete=False,
        )
        if not len(answer.frame.filter(kind="level")):
            raise InputError(
                f"{place} holds no matches with the unchanged rules yet; `cardlab run` plays them"
            )
        answer = answer.only(filters, keep_numbers=True) if filters else answer
        try:
            write_page(answer, path, at_step)
        except CannotWriteError as error:
            if out is not None:
                raise
            path = Path(f"{place.name}-report.html")
            remark(f"{error}; so the report goes elsewhere")
            write_page(answer, path, at_step)
    return path
