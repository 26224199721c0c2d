"""Files that people and other programs write, as tables of text or of typed columns.

A table of text stays text here, because only its use tells what a column is: the engine "2.0" is
not the number 2.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import polars as pl

from simcore.errors import InputError
from simcore.files import check_regular, read_regular

ENDINGS = (".csv", ".parquet", ".arrow", ".xlsx", ".pgn")

_TAG = re.compile(r'^\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*$')


def read_rows(path: Path) -> pl.DataFrame:
    """Return the rows in a file; refuse what is no table, with the number of the row."""
    kind = path.suffix.lower()
    if kind not in ENDINGS:
        raise InputError(
            f"rows {str(path)!r} are refused; allowed: a name that ends in {', '.join(ENDINGS)}"
        )
    try:
        check_regular(path)
        if kind == ".csv":
            return _table(_text(path), str(path))
        if kind == ".pgn":
            return _headers_of_games(_text(path), str(path))
        if kind == ".xlsx":
            return _sheet(path)
        return pl.read_parquet(path) if kind == ".parquet" else pl.read_ipc(path)
    except OSError as error:
        raise InputError(f"rows {str(path)!r} cannot be read: {error.strerror or error}") from None
    except (pl.exceptions.PolarsError, csv.Error) as error:
        why = str(error).splitlines()[0]
        raise InputError(f"rows {str(path)!r} cannot be read: {why}") from None


def typed(rows: pl.DataFrame) -> pl.DataFrame:
    """Return columns of text as numbers or Booleans where all of their values are."""
    for name in rows.columns:
        column = rows[name]
        if column.dtype != pl.String:
            continue
        blank = pl.when(pl.col(name) != "").then(pl.col(name))
        for kind in (pl.Int64, pl.Float64):
            numbers = rows.select(blank.cast(kind, strict=False))[name]
            if (numbers.is_not_null() | (column.fill_null("") == "")).all():
                rows = rows.with_columns(numbers)
                break
        else:
            if column.drop_nulls().str.to_lowercase().is_in(["true", "false", ""]).all():
                rows = rows.with_columns(blank.str.to_lowercase() == "true")
    return rows


def _text(path: Path) -> str:
    content = read_regular(path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")  # what spreadsheets write otherwise


def _table(text: str, where: str) -> pl.DataFrame:
    """Read a table with any usual separator and decimal mark."""
    separator = max(",;\t|", key=text.partition("\n")[0].count)
    lines = [row for row in csv.reader(io.StringIO(text), delimiter=separator) if row]
    if not lines:
        raise InputError(f"rows {where!r} cannot be read: the file is empty")
    names = [name.strip() for name in lines[0]]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"column {name!r} is there twice in {where}; allowed: once")
    for number, row in enumerate(lines[1:], 1):
        if len(row) != len(names):
            raise InputError(
                f"row {number:,} of {where} has {len(row)} values; expected: {len(names)}, one a "
                "column"
            )
    rows = pl.DataFrame(lines[1:], schema=dict.fromkeys(names, pl.String), orient="row")
    # `render.to_csv` writes an apostrophe before what a spreadsheet would take for a formula.
    rows = rows.with_columns(pl.col(pl.String).str.replace(r"^'([=+\-@\t\r])", "$1"))
    return rows if separator == "," else _with_decimal_points(rows)


def _with_decimal_points(rows: pl.DataFrame) -> pl.DataFrame:
    """Return texts such as 1.234,5 with a decimal point, in columns with nothing else."""
    decimal = r"^([+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?)?$"
    for name in rows.columns:
        texts = rows[name].drop_nulls()
        if texts.dtype == pl.String and len(texts) and texts.str.contains(decimal).all():
            column = pl.col(name).str.replace_all(".", "", literal=True).str.replace(",", ".")
            rows = rows.with_columns(column)
    return rows


def _headers_of_games(text: str, where: str) -> pl.DataFrame:
    """Return a row a game of a PGN file, of the tags in its headers."""
    games: list[dict[str, str]] = []
    is_header = False
    for line in text.splitlines():
        tag = _TAG.match(line.strip())
        if tag is None:
            is_header = is_header and not line.strip()
            continue
        if not is_header or tag[1] in games[-1]:
            games.append({})
            is_header = True
        games[-1][tag[1]] = tag[2]
    if not games:
        raise InputError(f"rows {where!r} cannot be read: no game has a header such as [White …]")
    names = list(dict.fromkeys(name for game in games for name in game))
    return pl.DataFrame(
        [[game.get(name, "") for name in names] for game in games], names, orient="row"
    )


def _sheet(path: Path) -> pl.DataFrame:
    """Read the first sheet of a workbook that has rows."""
    try:
        from fastexcel import FastExcelError
    except ModuleNotFoundError:
        raise InputError(
            f"rows {str(path)!r} need fastexcel, which is not installed; allowed: after "
            "pip install 'cardlab[excel]', or the sheet saved as .csv"
        ) from None
    options: Any = {"sheet_id": 0, "raise_if_empty": False}
    try:
        sheets = pl.read_excel(path, **options)
    except FastExcelError:
        raise InputError(
            f"rows {str(path)!r} cannot be read: it is no whole workbook; allowed: .xlsx as a "
            "spreadsheet saves it, or the sheet saved as .csv"
        ) from None
    filled = (rows for rows in sheets.values() if rows.height)
    return _with_decimal_points(next(filled, pl.DataFrame()))
