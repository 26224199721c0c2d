"""Render frames as terminal text, HTML, CSV and JSON.

All tables of cardlab, from the list of games to comparisons, use this renderer. A `Table` names the
columns of a polars frame and their formats; a column may name two others with the bounds of its
interval. Nothing here depends on games or statistics.
"""

from __future__ import annotations

import html
import json
import math
import re
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal
from unicodedata import combining, east_asian_width

if TYPE_CHECKING:
    import polars as pl

Row = Mapping[str, Any]
Form = Literal["text", "cell", "count", "number", "change", "percent", "p"] | Callable[[Row], str]
"""How a value is written; a function is given the whole row."""

GAP = 2
"""Blanks between two columns of text."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    name : str
        Of the frame's column.
    heading : str
        Default: the name.
    form : Form
        "text"; "cell": a text to the right, with its value for sorting;
        "count": 12,345; "number": 61.2 ±0.3; "change": the same with its sign; "percent": a
        share from 0 to 1 as 22.9 (22.5–23.3); "p".
    low, high : str
        Columns with the bounds of its interval, which is written beside it.
    drop_priority : int
        If the table is too wide, columns with the highest number are dropped first; 0: never.
    help : str
        Explanation of the heading, shown by browsers.
    wraps : bool
        Whether a function returns text, which is left-aligned and wrapped at words.
    """

    name: str
    heading: str = ""
    form: Form = "text"
    low: str = ""
    high: str = ""
    drop_priority: int = 0
    help: str = ""
    wraps: bool = False

    @property
    def title(self) -> str:
        """The column's heading."""
        return self.heading or self.name

    @property
    def is_text(self) -> bool:
        """Whether the column is left-aligned and wrapped at words."""
        return self.wraps or self.form == "text"

    def write(self, row: Row) -> str:
        """Return what stands in a row."""
        value = row.get(self.name)
        if callable(self.form):
            return self.form(row)
        if self.form == "text":
            return _plain_text(value)
        if self.form == "cell":
            return str((value["text"] if isinstance(value, Mapping) else value) or "")
        if self.form == "count":
            return "–" if value is None or not math.isfinite(value) else f"{value:,.0f}"
        if self.form == "p":
            return p_value(value)
        low, high = row.get(self.low), row.get(self.high)
        if self.form == "percent":
            return percent(value, low, high)
        return number(value, low, high, signed=self.form == "change")


@dataclass(frozen=True)
class Table:
    """Rows of a frame, with a title and notes.

    Attributes
    ----------
    frame : polars.DataFrame
    columns : tuple of Column
        The columns shown, in order; by default all.
    title : str
        Above.
    notes : tuple of str
        Lines below.
    """

    frame: pl.DataFrame
    columns: tuple[Column, ...] = ()
    title: str = ""
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        rows: Sequence[Row],
        columns: Sequence[Column] = (),
        title: str = "",
        notes: Sequence[str] = (),
    ) -> Table:
        """Return a table of rows; what a row lacks is null."""
        import polars as pl

        return cls(
            pl.DataFrame(rows, infer_schema_length=None), tuple(columns), title, tuple(notes)
        )

    @property
    def shown(self) -> tuple[Column, ...]:
        """The columns, or one for each column of the frame."""
        if self.columns:
            return self.columns
        return tuple(
            Column(name, form="number" if kind.is_numeric() else "text")
            for name, kind in self.frame.schema.items()
        )

    def __str__(self) -> str:
        return to_text(self)

    def _repr_html_(self) -> str:
        return to_html(self)


def to_text(table: Table, width: int = 80, *, colour: bool = False) -> str:
    """Return a table as lines of at most `width` columns, if no single word is longer.

    Words are never broken. Text wraps between words; columns that do not fit are dropped, those
    with the highest `drop_priority` first, and named below.
    """
    rows = table.frame.to_dicts()
    kept = list(table.shown)
    cells = {column.name: [column.write(row) for row in rows] for column in kept}
    left_out: list[str] = []
    while _least_width(kept, cells) > width and any(column.drop_priority for column in kept):
        # The last one of the highest number.
        worst = max(range(len(kept)), key=lambda place: (kept[place].drop_priority, place))
        left_out.insert(0, kept.pop(worst).title)
    widths = _widths(kept, cells, width)
    bold, dim, usual = ("\x1b[1m", "\x1b[2m", "\x1b[0m") if colour else ("", "", "")
    headings = _lines([column.title for column in kept], kept, widths)
    lines = [f"{bold}{line}{usual}" for line in wrapped(table.title, width)]
    lines += [f"{bold}{line}{usual}" for line in headings]
    lines.append("─" * (sum(widths) + GAP * (len(widths) - 1)))
    for place in range(len(rows)):
        lines += _lines([cells[column.name][place] for column in kept], kept, widths)
    for note in _notes(table.notes, left_out):
        lines += [f"{dim}{line}{usual}" for line in wrapped(note, width)]
    return "\n".join(lines)


def fits(table: Table, width: int) -> bool:
    """Return whether a table has room for all of its columns."""
    rows = table.frame.to_dicts()
    cells = {column.name: [column.write(row) for row in rows] for column in table.shown}
    return _least_width(table.shown, cells) <= width


def _lines(texts: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> list[str]:
    """Return the lines of one row; what is longer than its column wraps at words."""
    parts = [wrapped(text, width) or [""] for text, width in zip(texts, widths, strict=True)]
    lines = []
    for place in range(max(map(len, parts))):
        line = [
            _padded(lines_of[place] if place < len(lines_of) else "", width, left=column.is_text)
            for lines_of, width, column in zip(parts, widths, columns, strict=True)
        ]
        lines.append((" " * GAP).join(line).rstrip())
    return lines


def _padded(text: str, width: int, *, left: bool) -> str:
    blanks = " " * max(0, width - cells_of(text))
    return text + blanks if left else blanks + text


def wrapped(text: str, width: int) -> list[str]:
    """Break a text between words; a word that is longer than a line stays whole.

    The first line of a paragraph keeps its indentation.
    """
    lines: list[str] = []
    for paragraph in text.split("\n") if text else ():
        first, *words = _words(paragraph.lstrip(" "))
        line = " " * (len(paragraph) - len(paragraph.lstrip(" "))) + first
        for word in words:
            longer = f"{line} {word}"
            if cells_of(longer) > width:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return lines


def _words(text: str) -> list[str]:
    """Return the parts between which a text may be broken: no unit is alone in a line."""
    return re.split(r" (?![%±])", text)


def cells_of(text: str) -> int:
    """Return the width of a text in terminal columns; some letters take two."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(letter) else 1 + (east_asian_width(letter) in "WF") for letter in text
    )


def _notes(notes: Sequence[str], left_out: Sequence[str]) -> list[str]:
    if not left_out:
        return list(notes)
    return [*notes, f"Too narrow for: {', '.join(left_out)}."]


def _least_width(columns: Sequence[Column], cells: Mapping[str, list[str]]) -> int:
    return sum(_bounds(column, cells)[0] for column in columns) + GAP * (len(columns) - 1)


def _bounds(column: Column, cells: Mapping[str, list[str]]) -> tuple[int, int]:
    """Return the minimum width of a column, and the width at which nothing wraps."""
    heading = column.title
    lines = [line for text in cells[column.name] for line in text.split("\n")]
    words = [word for line in lines for word in _words(line)] if column.is_text else lines
    least = max(map(cells_of, [*_words(heading), *words, " "]))
    return least, max(map(cells_of, [heading, *lines, " "]))


def _widths(columns: Sequence[Column], cells: Mapping[str, list[str]], width: int) -> list[int]:
    """Return the width of each column; spare width goes to columns that wrap."""
    bounds = [_bounds(column, cells) for column in columns]
    spare = max(0, width - GAP * (len(columns) - 1) - sum(least for least, _ in bounds))
    widths = [least for least, _ in bounds]
    # The columns that lack least come first, so that only long texts wrap.
    order = sorted(range(len(columns)), key=lambda place: bounds[place][1] - bounds[place][0])
    for rank, place in enumerate(order):
        least, most = bounds[place]
        given = min(most - least, spare // (len(order) - rank))
        widths[place] += given
        spare -= given
    return widths


def to_html(table: Table) -> str:
    """Return a table as an HTML fragment.

    Numbers have class `number` and, for scripts that sort, their value in `data-sort`; each cell
    has its heading in `data-label`, for phones, where a row is a card.
    """
    head = "".join(
        f'<th scope="col"{_attributes(column, title=column.help)}>{html.escape(column.title)}</th>'
        for column in table.shown
    )
    body = "".join(
        f"<tr>{''.join(_html_cell(column, row) for column in table.shown)}</tr>"
        for row in table.frame.iter_rows(named=True)
    )
    caption = f"<caption>{html.escape(table.title)}</caption>" if table.title else ""
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in table.notes)
    return (
        f'<table class="cardlab">{caption}<thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table>{notes}"
    )


def _html_cell(column: Column, row: Row) -> str:
    value = row.get(column.name)
    if column.form == "cell" and isinstance(value, Mapping):
        value = value["value"]
    sort = f"{value:.6g}" if isinstance(value, int | float) and not isinstance(value, bool) else ""
    text = _html_text(column.write(row))
    named = {"data-sort": sort, "data-label": column.title}
    return f"<td{_attributes(column, **named)}>{text}</td>"


def _attributes(column: Column, **given: str) -> str:
    named = {"class": "" if column.is_text else "number", **given}
    return "".join(f' {name}="{html.escape(value)}"' for name, value in named.items() if value)


def to_csv(frame: pl.DataFrame) -> str:
    """Return a frame as CSV with a header; items of lists are separated by "; ".

    A text that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    import polars as pl

    columns = []
    for column in frame.get_columns():
        if column.dtype.is_nested():
            values = [None if item is None else _plain_text(item) for item in column.to_list()]
            columns.append(pl.Series(column.name, values, pl.String))
        else:
            columns.append(column)
    return pl.DataFrame(map(_without_formulas, columns)).write_csv()


def _without_formulas(column: pl.Series) -> pl.Series:
    """Return a column whose texts no spreadsheet takes for formulas."""
    import polars as pl

    if column.dtype != pl.String:
        return column
    is_number = column.cast(pl.Float64, strict=False).is_not_null()
    is_formula = column.str.contains(r"^[=+\-@\t\r]") & ~is_number
    return column.zip_with(~is_formula.fill_null(False), "'" + column)


def to_json(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """Return a frame as plain data, a mapping a row; numbers that JSON lacks are None."""
    return [{name: plain(value) for name, value in row.items()} for row in frame.to_dicts()]


def plain(value: Any) -> Any:
    """Return a value as JSON knows it: None for NaN and infinity, lists for tuples."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def _plain_text(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return "; ".join(map(_plain_text, value))
    if isinstance(value, Mapping):
        return json.dumps(plain(value), ensure_ascii=False)
    return f"{value:g}" if isinstance(value, float) else str(value)


Page = Sequence["Table | str"]
"""A displayed page: tables, and paragraphs of text between them."""


def shown_text(page: Page, width: int | None = None, *, colour: bool = False) -> str:
    """Return a page as text, with an empty line before each table; `width` as of the terminal."""
    columns = screen_width() if width is None else width
    parts: list[str] = []
    for part in page:
        if isinstance(part, Table):
            parts += ["", to_text(part, columns, colour=colour), ""]
        else:
            parts += ["\n".join(wrapped(part, columns))]
    text = "\n".join(parts).strip("\n")
    return re.sub(r"\n{3,}", "\n\n", text)


def shown_html(page: Page) -> str:
    """Return a page as an HTML fragment."""
    parts = [
        to_html(part) if isinstance(part, Table) else f"<p>{_html_text(part)}</p>" for part in page
    ]
    return f"<div>{''.join(parts)}</div>"


class Shown:
    """Base class of results that display as a page, printed or in notebooks."""

    def page(self) -> Page:
        """Return the displayed page."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return shown_text(self.page())

    def _repr_html_(self) -> str:
        return shown_html(self.page())


def screen_width() -> int:
    """Return the maximum width of a table: COLUMNS if set, else the terminal's width, or 80."""
    return max(20, shutil.get_terminal_size((80, 24)).columns)


def _html_text(text: str) -> str:
    """Return text as HTML."""
    return html.escape(text).replace("\n", "<br>")


def narrowed(table: Table, rows: int, where: str) -> Table:
    """Return the first rows of a table, with a note that names how many are left out, and where."""
    if table.frame.height <= rows:
        return table
    more = table.frame.height - rows
    note = f"… and {more:,} more row{'' if more == 1 else 's'}: {where}"
    return replace(table, frame=table.frame.head(rows), notes=(note, *table.notes))


# --- Numbers with their intervals --------------------------------------------------------------


def number(
    value: float | None,
    low: float | None = None,
    high: float | None = None,
    *,
    scale: float = 1,
    signed: bool = False,
) -> str:
    """Write a number with as many digits as its interval supports: 61.2 ±0.3.

    Lopsided intervals are written by their bounds: +0.52 (+0.48…+0.61); a number without one is
    written alone, one with infinite bounds with "±?", and what is missing as "–".
    """
    if value is None or math.isnan(value):
        return "–"
    sign = "+" if signed else ""
    value = scale * value
    if low is None or high is None:
        return _trim(value, sign)
    low, high = scale * low, scale * high
    half = (high - low) / 2
    if half == 0:
        return _trim(value, sign)
    digits = digits_of(half)
    if not math.isfinite(half):
        return f"{_signed(value, digits, sign)} ±?"
    if is_lopsided(value, low, high):
        bounds = "…".join(_signed(bound, digits, sign) for bound in (low, high))
        return f"{_signed(value, digits, sign)} ({bounds})"
    return f"{_signed(value, digits, sign)} ±{half:,.{digits}f}"


def interval_text(row: Row, scale: float = 1, *, signed: bool = False) -> str:
    """Write a row's estimate with its interval; "±?" where there is none.

    What is the same in every deal is written "11 in all 300", a change of nothing 0.
    """
    if row.get("constant") and row["estimate"]:
        return f"{number(row['estimate'], scale=scale, signed=signed)} in all {row['deals']:,}"
    text = number(row["estimate"], row["low"], row["high"], scale=scale, signed=signed)
    if not row["estimate"] or "±" in text or "…" in text:
        return text
    if row["low"] is None or row["high"] is None:
        return f"{text} ±?"
    return f"{text} exactly"


def percent(
    value: float | None, low: float | None = None, high: float | None = None, unit: str = ""
) -> str:
    """Write a share in per cent with its interval: 21.3 (21.1–21.5); "–" where there is none."""
    if value is None or math.isnan(value):
        return "–"
    if low is None or high is None or math.isnan(low + high):
        return f"{100 * value:.1f}{unit}"
    finest = 3 if high < 0.001 else 2
    digits = min(max(digits_of(50 * (high - low)), 1), finest)
    middle, least, most = (_signed(100 * bound, digits) for bound in (value, low, high))
    if low == high:
        return f"{middle}{unit}"
    to = " to " if least.startswith("-") else "–"
    return f"{middle}{unit} ({least}{to}{most})"


def p_value(p: float | None) -> str:
    """Write a p-value."""
    if p is None or math.isnan(p):
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def digits_of(half: float) -> int:
    """Return the decimals at which a half-width shows one digit, or two below 3; at most 6."""
    if not math.isfinite(half) or half <= 0:
        return 1
    digits = -math.floor(math.log10(half))
    return min(max(digits + int(half * 10**digits < 3), 0), 6)


def is_lopsided(value: float, low: float, high: float) -> bool:
    """Whether an interval's two sides differ by more than a tenth of its width."""
    below, above = value - low, high - value
    return math.isfinite(below + above) and abs(above - below) > 0.1 * (above + below)


def counted(count: int, singular: str, many: str = "") -> str:
    """Write a number of things: 1 match, 5,000 matches."""
    plural = many or (f"{singular}es" if singular.endswith("match") else f"{singular}s")
    return f"{count:,} {singular if count == 1 else plural}"


def listed(words: Iterable[str], most: int = 12) -> str:
    """Join names by commas; a long list is cut, with the number of the rest."""
    names = list(words)
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"


def _trim(value: float, sign: str) -> str:
    if value == 0:
        return "0"
    if not math.isfinite(value):
        return "–"
    if abs(value) < 1e-3:
        return f"{value:{sign}.6f}".rstrip("0") if abs(value) >= 5e-7 else "0"
    return f"{value:{sign},.4g}" if abs(value) < 10_000 else f"{value:{sign},.0f}"


def _signed(value: float, digits: int, sign: str = "") -> str:
    text = f"{value:{sign},.{digits}f}"
    return text.lstrip("+-") if float(text.replace(",", "")) == 0 else text
