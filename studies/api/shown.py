"""How things show themselves: plain HTML that takes a notebook's style, and data for JSON."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


def page(head: str, *parts: str) -> str:
    """Return a heading in words with parts, which are HTML, below it."""
    return f"<div><p>{html.escape(head)}</p>{''.join(parts)}</div>"


def table(rows: Sequence[Sequence[object]]) -> str:
    """Return a table; the first row holds the headings."""
    head, *rest = rows
    lines = [_row(head, "th"), *(_row(row, "td") for row in rest)]
    return f"<table>{''.join(lines)}</table>"


def _row(cells: Iterable[object], tag: str) -> str:
    inside = "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in cells)
    return f"<tr>{inside}</tr>"


def preformatted(lines: Iterable[str]) -> str:
    """Return lines of text as they are; long ones are wrapped."""
    text = html.escape("\n".join(lines))
    return f'<pre style="white-space: pre-wrap">{text}</pre>'
