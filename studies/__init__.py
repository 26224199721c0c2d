"""Experiments: study file -> cells -> blocks -> Parquet -> answers.

`load` is the way to a study's matches for notebooks and programs of one's own.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

if TYPE_CHECKING:
    import polars as pl

__all__ = ["load"]


@overload
def load(directory: str | Path) -> pl.LazyFrame: ...
@overload
def load(directory: str | Path, *, pandas: Literal[False]) -> pl.LazyFrame: ...
@overload
def load(directory: str | Path, *, pandas: Literal[True]) -> Any: ...


def load(directory: str | Path, *, pandas: bool = False) -> Any:
    """Return all matches of a study directory, joined with the columns of their cells.

    Parameters
    ----------
    directory : str or Path
        As written by `cardlab run`; a text may be any address of fsspec.
    pandas : bool
        Whether to read everything now and return a pandas.DataFrame.

    Returns
    -------
    polars.LazyFrame or pandas.DataFrame
        One row a match: `cell`, the match columns, and the cell's columns. An option whose name
        is also that of a metric (`rounds` of Up) gets the ending `_option`. Columns that a cell
        does not have (`score_4` at four players) are null. Within a cell the rows are in the order
        of (match, rotation).

    Raises
    ------
    InputError
        If the directory is no study directory, keeps sums instead of matches, or a part is damaged.
    """
    from studies.store.location import locate
    from studies.store.opened import open_study

    matches = open_study(locate(directory)).rows()
    return matches.collect().to_pandas() if pandas else matches
