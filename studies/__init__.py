"""Experiments: study file -> cells -> blocks -> Parquet -> answers.

`load` is the way to a study's matches for notebooks and programs of one's own, `load_sums` to the
sums of a study that keeps those.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

if TYPE_CHECKING:
    import polars as pl

__all__ = ["load", "load_sums"]


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
    from studies.store.frames import load_matches
    from studies.store.location import locate

    matches = load_matches(locate(directory))
    return matches.collect().to_pandas() if pandas else matches


def load_sums(directory: str | Path) -> pl.LazyFrame:
    """Return the sums of a study with `detail = "summary"`, added up over its blocks.

    Returns
    -------
    polars.LazyFrame
        One row a cell and sum: `cell`, `name` (`studies.deals.sums` tells what each is), `value`
        (exact, Decimal), and the cell's columns.

    Raises
    ------
    InputError
        If the directory is no study directory, keeps matches, or a part is damaged.
    """
    from studies.store.frames import load_sums as read
    from studies.store.location import locate

    return read(locate(directory))
