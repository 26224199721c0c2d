"""Experiments: study file -> cells -> blocks -> Parquet -> answers.

`load` is the way to a study's matches for notebooks and programs of one's own.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

__all__ = ["load"]


def load(directory: str | Path) -> pl.LazyFrame:
    """Return all matches of a study directory, joined with the columns of their cells.

    Parameters
    ----------
    directory : str or Path
        As written by `cardlab run`.

    Returns
    -------
    polars.LazyFrame
        One row a match: `cell`, the match columns, and the cell's columns. An option whose name
        is also that of a metric (`rounds` of Up) gets the ending `_option`. Columns that a cell
        does not have (`score_4` at four players) are null. Within a cell the rows are in the order
        of (match, rotation).

    Raises
    ------
    InputError
        If the directory is no study directory or a part is damaged.
    """
    from studies.frames import load_matches

    return load_matches(Path(directory))
