"""The sentences of screens and reports, whose words stand in `sentences.j2`, a macro each.

Code computes the numbers and decides which sentence holds; the template says it. Rows of the
frame go in as they are, and filters write their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from studies.render import counted, interval_text, listed, number, percent

Row = Mapping[str, Any]


def share(row: Row) -> str:
    """Write a share with its interval: "21.3 % (21.1–21.5)"."""
    return percent(row["estimate"], row["low"], row["high"], " %")


def plain(row: Row, scale: float = 1) -> str:
    """Write a number with its interval: "61.2 ±0.3"."""
    return number(row["estimate"], row["low"], row["high"], scale=scale)


def change(row: Row, scale: float = 1) -> str:
    """Write a change with its interval: "+2.1 ±0.4"."""
    return number(row["estimate"], row["low"], row["high"], scale=scale, signed=True)


def points(row: Row) -> str:
    """Write a difference of shares: "+2.1 ±0.4 points"."""
    return f"{change(row, 100)} points"


def per_cent(row: Row) -> str:
    """Write a change in parts of a level: "+2.1 ±0.4 %"."""
    return f"{change(row, 100)} %"


def in_words(names: Sequence[str]) -> str:
    """List names: "position 1, position 2 and position 3"."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


@cache
def _sentences() -> Any:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for write in (share, plain, change, points, per_cent, counted, listed, in_words):
        environment.filters[write.__name__] = write
    environment.filters["interval"] = interval_text
    return environment.get_template("sentences.j2").module


def say(sentence: str, *values: Any, **named: Any) -> str:
    """Return a sentence, or a part of one, by the name of its macro."""
    text: str = getattr(_sentences(), sentence)(*values, **named)
    return re.sub(r"\s*\n\s*", " ", text).strip()
