"""Tables of answers: words left, numbers right, long names broken where they may be."""

from __future__ import annotations

import re
from typing import Any

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text


class Name:
    """A name such as without_minus_two, which rich alone would break anywhere."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parts = re.split("(?<=_)", text)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the name in lines of at most the column's width, as far as its parts allow."""
        lines = [""]
        for part in self.parts:
            if lines[-1] and len(lines[-1] + part) > options.max_width:
                lines.append("")
            lines[-1] += part
        yield Text("\n".join(lines), overflow="fold")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Return the widths of the longest part and of the whole name."""
        return Measurement(max(map(len, self.parts)), len(self.text)).with_maximum(
            options.max_width
        )


class _Table(Table):
    """A table that breaks long names after an underscore."""

    def add_row(self, *cells: RenderableType | None, **how: Any) -> None:
        named = (Name(cell) if isinstance(cell, str) and "_" in cell else cell for cell in cells)
        super().add_row(*named, **how)


def new_table(*columns: str, text: int) -> Table:
    """Return a table whose first `text` columns are words, the others numbers."""
    table = _Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for place, name in enumerate(columns):
        right = place >= text
        table.add_column(name, justify="right" if right else "left", no_wrap=right, overflow="fold")
    return table
