"""How to compute the numbers of a report from the Parquet files again, one snippet each.

A snippet names what it is about (directory, cell, policy, …) in its first lines and goes on in
plain polars, NumPy and SciPy on what `studies.load` gives; it uses none of the code that made the
report. It ends with `answer`, and with `low` and `high` where the number has an interval; or with
an `answer` that holds all three for each of several policies or pairs. To ask of another table or
variant, put its cell in, which “What it rests on” lists. The tests run the snippets of a report and
compare.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from studies.report.recipes.pieces import START
from studies.stats.intervals import Interval

Shown = Interval | Mapping[Any, Interval]


@dataclass(frozen=True)
class Recipe:
    """A snippet.

    Attributes
    ----------
    name : str
        What it computes.
    code : str
    shows : Interval or mapping to Interval
        What the report says, and the snippet's `answer` must be.
    """

    name: str
    code: str
    shows: Shown


def recipe(name: str, shows: Shown, *pieces: str, **values: object) -> Recipe:
    """Return a snippet: what it is about, as assignments, and pieces of code after them."""
    assignments = "".join(f"{key} = {_literal(value)}\n" for key, value in values.items())
    code = "\n".join([START + assignments, *pieces])
    return Recipe(name, f"{code}{_said(shows)}", shows)


def _said(shows: Shown) -> str:
    """Write what the report says as a last comment."""
    if isinstance(shows, Interval):
        return f"# {shows.estimate:.6g} ({shows.low:.6g} to {shows.high:.6g})\n"
    return "".join(
        f"# {key}: {own.estimate:.6g} ({own.low:.6g} to {own.high:.6g})\n"
        for key, own in shows.items()
    )


def _literal(value: object) -> str:
    """Write a value as Python, a long list or dictionary with a line for each entry."""
    text = repr(value)
    if len(text) < 80 or not isinstance(value, list | dict):
        return text
    entries: Iterable[str] = (
        (f"{key!r}: {own!r}" for key, own in value.items())
        if isinstance(value, dict)
        else map(repr, value)
    )
    brackets = "{}" if isinstance(value, dict) else "[]"
    lines = "".join(f"    {entry},\n" for entry in entries)
    return f"{brackets[0]}\n{lines}{brackets[1]}"


__all__ = ["Recipe", "Shown", "recipe"]
