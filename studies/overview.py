"""The answer of a study on one screen, as queries on the frame of `studies.answers`.

One table per line-up has variants × (length, the first seat, skill, how often another seat wins);
then the policies are ranked. What does not fit is named. `cardlab compare`, `print(answer)`,
notebooks and the report show these tables; `--full` shows the whole frame, table by table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simcore.options import show
from studies.legend import Legend
from studies.measures import LENGTHS
from studies.render import (
    Column,
    Page,
    Table,
    counted,
    fits,
    listed,
    number,
    percent,
    to_text,
)

if TYPE_CHECKING:
    import polars as pl

    from studies.answers.headlines import Headline, Headlines

BASELINE = "baseline"
RANDOM = "random"
POPULATION = "population"
"""The line-up of rows over all tables that were drawn."""
NO_LEGEND = Legend()
LINES = 72
"""Of one screen."""

NUMBER_COLUMNS = ("variant", "kind", "who", "number", "against")
LATER = ("lineup", *NUMBER_COLUMNS)
SHARES = (
    "win_rate",
    "another_winner",
    "unrelated",
    "agreement",
    "in_play",
    "aborted",
    "shared_win",
    "forced_share",
)
SCREEN = (
    "win_rate",
    "score",
    "another_winner",
    "unrelated",
    "agreement",
    "aborted",
    "strength",
    "payoff",
    *(f"decided_{name}" for name in LENGTHS),
)
"""Numbers that a screen shows, besides lengths and users' measures."""

ABORTED_FROM = 0.001
"""Smaller shares of aborted matches are not mentioned, unless variants differ in them."""

KINDS = {
    "change": "what changes on the same deals",
    "after": "levels with each variant",
    "difference": "differences of policies and seats",
    "level": "levels",
    "seating": "win rates of policies by position",
    "factor": "effects of the factors",
    "interaction": "interactions of variants",
    "point": "differences between points of the sweep",
    "population": "changes over the population of tables",
    "prediction": "where another table would lie",
    "strength": "strengths over all line-ups",
    "payoff": "how often one policy beats another",
    "variance": "what decides who wins",
    "quantile": "quantiles",
    "relative": "changes in %",
}
"""Titles of the kinds of rows; other kinds use their own name."""

Row = Mapping[str, Any]


@dataclass(frozen=True)
class OverviewInput:
    """Input of an overview.

    Attributes
    ----------
    frame : polars.DataFrame
        The long frame of `studies.answers.frame.answers`.
    title : str
    level : float
        Confidence level of every interval.
    measures : tuple of str
        Users' own measures; each gets a column.
    lineups : mapping of str to str
        Description of each line-up.
    notes : tuple of str
        Further notes.
    shares : collection of str
        Numbers that are shares, displayed in per cent.
    reference : str
        The line-up that comes first; see `studies.answers.reference`.
    paired : bool or None
        Whether variants share deals with the baseline; None: as the frame shows.
    numbers : tuple of str
        Numbers that are shown alone.
    headlines : Headlines or None
        What the first lines may claim; see `studies.answers.headlines`.
    legend : Legend
        What rules and policies are.
    seconds : float or None
        How long one unit of the length takes, to give minutes.
    """

    frame: pl.DataFrame
    title: str = ""
    level: float = 0.95
    measures: tuple[str, ...] = ()
    lineups: Mapping[str, str] | None = None
    notes: tuple[str, ...] = ()
    shares: Collection[str] = SHARES
    reference: str = ""
    paired: bool | None = None
    numbers: tuple[str, ...] = ()
    headlines: Headlines | None = None
    legend: Legend = NO_LEGEND
    seconds: float | None = None

    @cached_property
    def keys(self) -> list[str]:
        """The sweep's columns."""
        names = self.frame.columns
        return names[: names.index("lineup")]

    @cached_property
    def aborted(self) -> list[str]:
        """What is said of aborted matches; empty where they do not matter."""
        return aborted_words(self)

    @cached_property
    def is_length_of_decided_apart(self) -> bool:
        """Whether aborted matches move a length, or its change, out of what decided ones tell."""
        names = (*self.keys, "lineup", "variant", "kind", "who", "against", "number")
        lengths = {tuple(row[name] for name in names): row for row in self.rows if not row["who"]}
        for key, row in lengths.items():
            decided = lengths.get((*key[:-1], f"decided_{key[-1]}"))
            if decided is not None and _is_apart(row, decided):
                return True
        return False

    @cached_property
    def is_paired(self) -> bool:
        """Whether variants share deals with the baseline; rows from elsewhere need not."""
        if self.paired is not None:
            return self.paired
        return bool((self.frame["number"] == "another_winner").any())

    @cached_property
    def rows(self) -> list[Row]:
        """The rows of the frame that a screen can show; few, even with a thousand cells.

        Those of the reference line-up come first.
        """
        import polars as pl

        wanted = (*SCREEN, *LENGTHS, *self.measures)
        chosen = pl.col("number").is_in(wanted) & ~pl.col("kind").is_in(["after", "point"])
        rows = self.frame.filter(chosen).iter_rows(named=True)
        return sorted(rows, key=lambda row: row["lineup"] != self.reference)


def overview(data: OverviewInput, *, lines: int = LINES, width: int = 80, more: str = "") -> Page:
    """Return the answer on one screen: tables, and a list of what is not shown.

    Parameters
    ----------
    told : Told
    lines, width : int
        Available space; the first table is always shown.
    more : str
        How to see the rest.
    """
    page: list[Table | str] = [data.title] if data.title else []
    page += [*headline_words(data), *turning_words(data), *data.aborted]
    answer = answer_tables(data, "population", "factor", "change")
    if data.numbers:
        others = long_tables(data, "level", "seating", "difference", "change")
    else:
        others = [*standing_tables(data), *level_tables(data), *answer_tables(data, "interaction")]
    notes = [*explanations(data, [*answer, *others]), *data.notes]
    notes += legend_words(data, [*answer[:1], *others[:1]])
    left = lines - 5 - sum(_height(own, width) for own in [*page, *notes])
    always = 1
    if answer and data.keys and _height(answer[0], width) > left:
        answer[:1] = by_point = _by_point(data, answer[0])
        always = min(2, len(by_point))
    parts = [_fitting(own, width) for own in answer]
    always += len(parts[0]) - 1 if parts else 0
    # Whether another seat wins is no less an answer: a second part makes the screen longer.
    left += sum(_height(part, width) for own in parts[:1] for part in own[1:])
    answer = [part for own in parts for part in own]
    shown: list[Table] = []
    omitted: list[Table] = []
    hidden = 0
    for place, table in enumerate([*answer, *others]):
        height = _height(table, width)
        if place >= always and height > left:
            omitted.append(table)
            continue
        over = height - left // max(1, always - place)
        rows = min(table.frame.height, max(8, table.frame.height - over))
        shown.append(replace(table, frame=table.frame.head(rows)))
        left -= height - (table.frame.height - rows)
        hidden += table.frame.height - rows
    first = "tables" if always > 1 else "table"
    unseen = [f"{counted(hidden, 'more row')} of the first {first}"] if hidden else []
    unseen += [*_names_of(omitted, shown), *_unseen(data, shown)]
    page += [*shown, *legend_words(data, shown), *explanations(data, shown), *data.notes]
    page.append((f"Not shown: {listed(unseen, 10)}. " if unseen else "") + more)
    return page


def _fitting(table: Table, width: int) -> list[Table]:
    """Return a table that is too wide as two: what changes, and whether another seat wins."""
    moved = [column for column in table.columns if column.name.removesuffix("_value") in MOVED]
    others = [column for column in table.columns if column not in moved]
    if not moved or fits(table, width):
        return [table]
    names = [column for column in others if not column.name.endswith("_value")]
    lineup = table.title.partition(":")[0]
    return [
        replace(table, columns=tuple(others)),
        Table(
            table.frame.filter(table.frame["variant"] != BASELINE),
            (*names, *moved),
            f"{lineup}: how often another seat wins",
        ),
    ]


def _by_point(data: OverviewInput, table: Table) -> list[Table]:
    """Return a table with many points of the sweep as several: the first point, then all of them.

    Of the first point there are all columns, of each column a table with a column a point.
    """
    import polars as pl

    points = table.frame.select(data.keys).unique(maintain_order=True).rows(named=True)
    if len(points) < 2:
        return [table]
    keys = [name for name in data.keys if len({repr(point[name]) for point in points}) > 1]
    names = [point_words({name: point[name] for name in keys}) for point in points]
    rows = table.frame.rows(named=True)
    at_point = [
        [row for row in rows if all(row[key] == point[key] for key in data.keys)]
        for point in points
    ]
    first = replace(
        table,
        frame=pl.DataFrame(at_point[0], infer_schema_length=None),
        columns=tuple(column for column in table.columns if column.name not in keys),
        title=f"{table.title.replace(_each(rows), _each(at_point[0]))}, {names[0]}",
    )
    (variant,) = (column for column in table.columns if column.name == "variant")
    found = [first]
    lineup = table.title.partition(":")[0]
    shown = [own for own in first.columns if own.name.endswith("_value")]
    for column in (own for own in shown if own.name != "unrelated_value"):
        cells: dict[str, dict[str, str]] = {}
        for name, at in zip(names, at_point, strict=True):
            for row in at:
                cells.setdefault(row["variant"], {})[name] = column.write(row)
        changing = [
            {"variant": name, **own}
            for name, own in cells.items()
            if name == BASELINE or any(text != "0" for text in own.values())
        ]
        frame = pl.DataFrame(changing, infer_schema_length=None)
        places = tuple(
            Column(name, form=_text_of(name), drop_priority=place)
            for place, name in enumerate(names)
        )
        silent = ", of rules that change it" if len(changing) < len(cells) else ""
        found.append(Table(frame, (variant, *places), f"{lineup}: {column.title}{silent}"))
    return found


def _text_of(name: str) -> Callable[[Row], str]:
    return lambda row: row[name] or ""


def point_words(point: Mapping[str, Any]) -> str:
    """Name a point of a sweep: "4 players"."""
    return ", ".join(
        f"{value} players" if name == "players" else f"{name} = {show(value)}"
        for name, value in point.items()
        if value is not None
    )


def _names_of(tables: Sequence[Table], shown: Sequence[Table]) -> list[str]:
    """Name omitted tables: line-ups that are not shown at all, and the content of the others."""
    seen = {_lineup_and_what(own)[0] for own in shown}
    lineups: dict[str, None] = {}
    others: dict[str, None] = {}
    for own in tables:
        lineup, what = _lineup_and_what(own)
        if lineup and lineup not in seen:
            lineups[lineup] = None
        else:
            others[what] = None
    return [*([f"line-ups {listed(lineups, 5)}"] if lineups else []), *others]


def _lineup_and_what(table: Table) -> tuple[str, str]:
    """Return the line-up and the content of a table, from its title."""
    title = re.sub(r" \([^)]*\)", "", table.title).partition(", ")[0]
    before, colon, after = title.partition(": ")
    if not before.startswith("Line-up "):
        return "", before[0].lower() + before[1:]
    return before.removeprefix("Line-up "), after if colon else before


def full(data: OverviewInput) -> Page:
    """Return every number: the tables of the overview, then the frame by kind and table."""
    page: list[Table | str] = [data.title] if data.title else []
    page += [*headline_words(data), *turning_words(data), *data.aborted]
    page += [
        *answer_tables(data, "population", "factor", "change", "interaction"),
        *standing_tables(data),
        *level_tables(data),
    ]
    page += explanations(data, [own for own in page if isinstance(own, Table)])
    page += long_tables(data)
    page += data.notes
    return page


def long_tables(data: OverviewInput, *kinds: str) -> list[Table]:
    """Return the frame by kind and table; `kinds` alone, if some are given.

    With `kinds`, what tables of variants show anyhow is left out.
    """
    import polars as pl

    names = [*data.keys, "lineup"]
    frame = data.frame
    if kinds:
        frame = frame.filter(pl.col("kind").is_in(kinds), pl.col("who") != "")
    tables = []
    for own in frame.partition_by(*names, "kind", maintain_order=True):
        row = own.row(0, named=True)
        at = _place_words(data, {name: row[name] for name in names})
        what = KINDS.get(row["kind"], row["kind"])
        if row["kind"] == "change" and not data.is_paired:
            what = "what changes, on independent deals"
        title = f"{what}{': ' if at else ''}{at}"
        tables.append(_long_table(own.to_dicts(), title[0].upper() + title[1:], data.shares))
    return sorted(tables, key=lambda table: table.frame["lineup"][0] != data.reference)


# --- The answer: variants × length, first seat, skill, another winner -----------------------------


def answer_tables(data: OverviewInput, *kinds: str) -> list[Table]:
    """Return what variants change, a table per line-up, a row per variant and sweep point.

    Parameters
    ----------
    kinds : str
        Kinds of rows: "change", or kinds that span variants: "factor", "interaction",
        "population".
    """
    tables = []
    for kind in kinds or ("change",):
        for (lineup,), own in _grouped(data.rows, "lineup"):
            if any(row["kind"] == kind for row in own):
                tables.append(_answer_table(data, lineup, own, kind))
    return [own for own in tables if any(c.name.endswith("_value") for c in own.columns)]


def _answer_table(data: OverviewInput, lineup: str, rows: list[Row], kind: str) -> Table:
    import polars as pl

    length, pair = length_of(rows), widest_pair(rows)
    found: list[dict[str, Any]] = []
    for key, at in _grouped(rows, *data.keys):
        point = dict(zip(data.keys, key, strict=True))
        levels = _by_number(
            row
            for row in at
            if row["variant"] == BASELINE and row["kind"] in ("level", "difference")
        )
        if levels and kind == "change":
            cells = _level_cells(levels, length, pair, data)
            found.append({**point, "variant": BASELINE, **_matches(at), **cells})
        for (variant,), own in _grouped((row for row in at if row["kind"] == kind), "variant"):
            if variant == BASELINE:
                levels = _by_number(own, plain=True)
                found.append(
                    {**point, "variant": variant, **_level_cells(levels, length, pair, data)}
                )
                continue
            others = [row for row in at if row["variant"] == variant]
            changes = _Changes(_by_number(own, plain=kind != "change"), levels, others)
            found.append(
                {
                    **point,
                    "variant": variant,
                    **_matches(own),
                    **_change_cells(changes, length, pair, data),
                }
            )
    columns = [Column(name) for name in data.keys if len({row[name] for row in found}) > 1]
    columns.append(Column("variant", "effect" if kind == "factor" else ""))
    filled = {name for row in found for name, value in row.items() if value}
    if "length" in filled:
        columns.append(_cell("length", f"{length}, change in %", length))
    if f"decided_{length}" in filled and data.is_length_of_decided_apart:
        beside = {f"decided_{length}": "of decided ones", "aborted": "aborted, %"}
        columns += [_cell(name, heading) for name, heading in beside.items() if name in filled]
    if "first" in filled:
        columns.append(_cell("first", "first seat wins, %", "win rate of the first seat"))
    if "skill" in filled and pair:
        told_pair = skill_words(pair) if kind == "change" else f"{short(pair[0])} wins"
        columns.append(_cell("skill", f"{told_pair}, %", "win rate a seat"))
    columns += [_cell(name, *heading) for name, heading in MOVED.items() if name in filled]
    columns += [
        _cell(name, name, name, drop_priority=1) for name in data.measures if name in filled
    ]
    if "same" in filled:
        columns.append(_cell("same", "within the margin", "whether all changes lie within it"))
    words = (data.lineups or {}).get(lineup, "")
    name = f"{lineup} ({words})" if words and words not in lineup else lineup
    heading = "Population" if kind == "population" else f"Line-up {name}"
    each = _each(found)
    kinds = "" if kind == "change" else KINDS[kind]
    title = f"{heading}: {', '.join(part for part in (kinds, each) if part)}"
    return Table(pl.DataFrame(found, infer_schema_length=None), tuple(columns), title)


MOVED = {
    "another_winner": ("another winner, %", "of matches decided in both"),
    "unrelated": ("unrelated, %", "how often another seat wins on different deals"),
    "agreement": ("agreement, %", "on the winner, beyond chance: Cohen's kappa"),
}
"""Columns of whether a rule changes who wins."""


def _matches(rows: Iterable[Row]) -> dict[str, int]:
    """Return how many matches a row of a table is of."""
    return {"matches": max((row["matches"] or 0 for row in rows), default=0)}


def _each(found: Sequence[Row]) -> str:
    """Say how many matches the rows of a table are of: "3,600 to 6,000 matches each"."""
    counts = {row["matches"] for row in found if row.get("matches")}
    if not counts:
        return ""
    fewest = f"{min(counts):,} to " if len(counts) > 1 else ""
    return f"{fewest}{counted(max(counts), 'match')} each"


@dataclass(frozen=True)
class _Changes:
    """A variant's changes, the levels before, and all rows of the variant."""

    changes: Mapping[Any, Row]
    levels: Mapping[Any, Row]
    rows: list[Row]

    def relative(self, number: str) -> Row | None:
        """Return a change relative to the level before, or None if that is unknown."""
        for row in self.rows:
            if row["kind"] == "relative" and row["number"] == number and row["who"] == "":
                return row
        own = self.changes.get(("", number, ""))
        level = self.levels.get(("", number, ""))
        before = own and (own["baseline"] or (level and level["estimate"]))
        if own is None or not before:
            return None
        names = ("estimate", "low", "high")
        scaled = {name: None if own[name] is None else own[name] / before for name in names}
        return {**own, **scaled}

    def level(self, number: str) -> Row | None:
        """Return a number that is given as a level in a variant's rows."""
        if ("", number, "") in self.changes:
            return self.changes["", number, ""]
        found = (row for row in self.rows if row["kind"] == "level" and row["number"] == number)
        return next(found, None)


def _cell(name: str, heading: str, help: str = "", drop_priority: int = 0) -> Column:  # noqa: A002
    return Column(
        f"{name}_value",
        heading,
        lambda row: str(row[name] or ""),
        drop_priority=drop_priority,
        help=help,
    )


def _level_cells(
    levels: Mapping[Any, Row], length: str, pair: tuple[str, str] | None, data: OverviewInput
) -> dict[str, Any]:
    """Return the cells in the row of the unchanged rules: levels."""
    gap = gap_row(levels, pair) if pair else None
    cells = {
        **_written("length", levels.get(("", length, ""))),
        **_written("first", levels.get(("position 0", "win_rate", "")), 100),
        **_written("skill", gap, 100),
        **_written("same", None),
        **_written("aborted", levels.get(("", "aborted", "")), 100),
    }
    for name in (*data.measures, f"decided_{length}"):
        cells |= _written(name, levels.get(("", name, "")))
    return cells


def _change_cells(
    own: _Changes, length: str, pair: tuple[str, str] | None, data: OverviewInput
) -> dict[str, Any]:
    """Return the cells in the row of a variant: changes."""
    changes = own.changes
    skill = None
    if pair:
        skill = gap_row(changes, pair) or changes.get((f"policy {pair[0]}", "win_rate", ""))
    longer, scale = own.relative(length), 100
    if longer is None:
        longer, scale = changes.get(("", length, "")), 1
    cells = {
        **_written("length", longer, scale, signed=True),
        **_written("first", changes.get(("position 0", "win_rate", "")), 100, signed=True),
        **_written("skill", skill, 100, signed=True),
        **_written("aborted", changes.get(("", "aborted", "")), 100, signed=True),
        **_written(f"decided_{length}", own.relative(f"decided_{length}"), 100, signed=True),
        "same": _sameness(changes.values()),
        "same_value": None,
    }
    for name in MOVED:
        cells |= _written(name, own.level(name), 100)
    if cells["another_winner_value"] == 0:
        cells["another_winner"] = "none"
    for name in data.measures:
        cells |= _written(name, changes.get(("", name, "")), signed=True)
    return cells


def _written(
    name: str, row: Row | None, scale: float = 1, *, signed: bool = False
) -> dict[str, Any]:
    """Return a cell as text, and its value for sorting."""
    if row is None:
        return {name: "", f"{name}_value": None}
    text = interval_text(row, scale, signed=signed)
    return {name: text, f"{name}_value": row["estimate"]}


def interval_text(row: Row, scale: float = 1, *, signed: bool = False) -> str:
    """Write a number with its interval; "±?" where there is none, "in all 300" where none varies.

    A change of nothing, in no deal, is written 0.
    """
    if row.get("constant") and row["estimate"]:
        return f"{number(row['estimate'], scale=scale, signed=signed)} in all {row['deals']:,}"
    text = number(row["estimate"], row["low"], row["high"], scale=scale, signed=signed)
    if not row["estimate"] or "±" in text or "…" in text:
        return text
    if row["low"] is None or row["high"] is None:
        return f"{text} ±?"
    return f"{text} exactly"


def _sameness(rows: Iterable[Row]) -> str:
    """Return whether changes of win rates are shown to lie within their margins."""
    data = [row for row in rows if row.get("margin") is not None]
    if not data:
        return ""
    if all(row["equivalent"] for row in data):
        return "yes"
    outside = any(
        row["low"] is not None and (row["low"] >= row["margin"] or row["high"] <= -row["margin"])
        for row in data
    )
    return "no" if outside else "open"


def explanations(data: OverviewInput, tables: Sequence[Table]) -> list[str]:
    """Return what the columns of these tables mean, once for all of them."""
    notes = [f"± and brackets are {100 * data.level:g} % intervals."]
    if any(row["kind"] == "change" for row in data.rows) and data.is_paired:
        notes[0] += " Changes are on the same deals."
    headings = [column for table in tables for column in table.shown]
    skill = dict.fromkeys(own.title.removesuffix(", %") for own in headings if " − " in own.title)
    if skill:
        gap = next(iter(skill)) if len(skill) == 1 else "One policy − another"
        notes.append(
            f"{gap}: how much more often the first wins than the second, per seat; these two "
            "policies lie furthest apart under the unchanged rules."
        )
    if any(own.name == "agreement_value" for own in headings):
        notes.append(
            "Another winner: how often another seat wins on the same deal; unrelated: on different "
            "deals. Agreement is Cohen's kappa: 100 % where the winner never changes, 0 % where "
            "the rule only changes who is lucky."
        )
    if any(" in all " in str(cell) for own in tables for row in own.frame.rows() for cell in row):
        notes.append("In all: every deal gave this value.")
    return notes


MOST_EXPLAINED = 10
"""Rules, or policies, that one screen explains."""


def legend_words(data: OverviewInput, tables: Sequence[Table]) -> list[str]:
    """Say what the rules and policies of these tables are."""
    cells = [row for table in tables for row in table.frame.rows(named=True)]
    variants = {part for row in cells for part in _rules_in(str(row.get("variant", "")))}
    policies = {short(name) for row in cells for name in _policies_in(row)}
    lineups = {_lineup_and_what(table)[0] for table in tables}
    policies |= {
        name for lineup in lineups for name in data.legend.policies if _sits_in(data, name, lineup)
    }
    found = []
    for title, lines, named in (
        ("Rules", data.legend.rules, variants),
        ("Policies", data.legend.policies, policies),
    ):
        told = [f"{name}: {text}" for name, text in lines.items() if name in named and text]
        if len(told) > MOST_EXPLAINED:
            told = [*told[:MOST_EXPLAINED], f"{len(told) - MOST_EXPLAINED} more, see --variant"]
        if told:
            found.append(f"{title}. {'; '.join(told)}.")
    return found


def _rules_in(variant: str) -> list[str]:
    """Return the variants, or factors, that the name of an effect is made of."""
    parts = re.split(r" [+×] ", variant)
    return [variant, *parts, *(part.partition("=")[0] for part in parts)]


def _policies_in(row: Row) -> list[str]:
    names = [row.get("policy"), row.get("who")]
    return [re.sub(r"^\d+ ", "", str(name)) for name in names if name]


def _sits_in(data: OverviewInput, policy: str, lineup: str) -> bool:
    """Return whether a policy sits in a line-up, by its name or its description."""
    words = f"{lineup} {(data.lineups or {}).get(lineup, '')}"
    return re.search(rf"(?<!\w){re.escape(policy)}(?!\w)", words) is not None


def skill_words(pair: tuple[str, str]) -> str:
    """Return two policies as a difference, with parameters if their names are equal."""
    names = [short(name) for name in pair]
    return " − ".join(pair if names[0] == names[1] else names)


def length_of(rows: Iterable[Row]) -> str:
    """Return the metric that measures the length of a match; empty if there is none."""
    found = {row["number"] for row in rows if row["who"] == ""}
    return next((name for name in LENGTHS if name in found), "")


def widest_pair(rows: Iterable[Row]) -> tuple[str, str] | None:
    """Return the two policies whose win rates lie furthest apart under the unchanged rules.

    The stronger one first; None where a line-up has only one policy. Random play is one of them
    only where no two others meet.
    """
    gaps: dict[tuple[str, str], float] = {}
    for row in rows:
        if row["kind"] == "difference" and row["number"] == "win_rate" and row["estimate"]:
            one, other = (str(row[name]) for name in ("who", "against"))
            if one.startswith("policy "):
                names = one.removeprefix("policy "), other.removeprefix("policy ")
                gaps[names] = gaps.get(names, 0.0) + row["estimate"]
    if not gaps:
        return None
    skilled = {own: gap for own, gap in gaps.items() if RANDOM not in map(short, own)}
    gaps = skilled or gaps
    one, other = max(gaps, key=lambda own: abs(gaps[own]))
    return (one, other) if gaps[one, other] > 0 else (other, one)


def gap_row(rows: Mapping[Any, Row], pair: tuple[str, str]) -> Row | None:
    """Return the row of the first policy's win rate minus the second's, in either direction."""
    one, other = (f"policy {name}" for name in pair)
    if (one, "win_rate", other) in rows:
        return rows[one, "win_rate", other]
    turned = rows.get((other, "win_rate", one))
    if turned is None:
        return None
    return {
        "estimate": _less(turned["estimate"]),
        "low": _less(turned["high"]),
        "high": _less(turned["low"]),
    }


def _less(value: float | None) -> float | None:
    return None if value is None else 0.0 - value


def short(policy: str) -> str:
    """Return a policy's name, its parameters left out."""
    return policy.partition("(")[0]


# --- How policies and seats stand under the unchanged rules ---------------------------------------


def standing_tables(data: OverviewInput) -> list[Table]:
    """Return how strong the policies are, over all line-ups and at each one."""
    standing: list[Table] = []
    for (lineup,), own in _grouped(data.rows, "lineup"):
        standing += _standing_table(data, lineup, own)
    seatings = seating_tables(data)
    if len(standing) == 1:
        return [*standing, *seatings]  # strengths would only repeat the win rates
    payoffs = list(_payoff_tables(data))
    if payoffs:  # which repeat the line-ups of two policies
        standing = [own for own in standing if own.frame.height != 2 or data.keys]
    return [*_strength_tables(data, data.rows), *payoffs, *standing, *seatings]


def _payoff_tables(data: OverviewInput) -> Iterable[Table]:
    """Yield tables of how often each policy beats each other one."""
    import polars as pl

    for place, own in _grouped((row for row in data.rows if row["kind"] == "payoff"), *data.keys):
        shares = {(row["who"], row["against"]): row["estimate"] for row in own}
        mean: dict[str, list[float]] = {}
        for (one, _), share in shares.items():
            mean.setdefault(one, []).append(share)
        if len(mean) < 3:
            continue
        order = sorted(mean, key=lambda name: -sum(mean[name]) / len(mean[name]))
        found = []
        for rank, one in enumerate(order, 1):
            row: dict[str, Any] = {"policy": f"{rank} {one.removeprefix('policy ')}"}
            for number_, other in enumerate(order, 1):
                share = shares.get((one, other))
                row[str(number_)] = "" if share is None else f"{100 * share:.0f}"
            found.append(row)
        columns = [Column("policy"), *(_as_it_is(str(rank + 1)) for rank in range(len(order)))]
        widest = max((row["high"] - row["low"]) / 2 for row in own if row["low"] is not None)
        at = _place_words(data, dict(zip(data.keys, place, strict=True)))
        title = f"Wins of 100 where two policies meet, ±{100 * widest:.1f} at most"
        yield Table(pl.DataFrame(found), tuple(columns), f"{title}{', ' if at else ''}{at}")


def _as_it_is(name: str) -> Column:
    return Column(name, form=lambda row: str(row[name]))


def _strength_tables(data: OverviewInput, rows: list[Row]) -> Iterable[Table]:
    import polars as pl

    strengths = [row for row in rows if row["kind"] == "strength"]
    columns = (
        Column("policy"),
        Column("estimate", "strength", "number", "low", "high", help="log-odds of winning"),
        Column("lead", "lead over the next", form=lambda row: row["lead"]),
    )
    for place, own in _grouped(strengths, *data.keys):
        steps = {(row["who"], row["against"]): row for row in own}
        ranked = sorted((row for row in own if not row["against"]), key=lambda r: -r["estimate"])
        behind = [*(row["who"] for row in ranked[1:]), ""]
        found = [
            {
                "policy": row["who"].removeprefix("policy "),
                **{name: row[name] for name in ("estimate", "low", "high")},
                "lead": _step(steps.get((row["who"], after)) if after else None),
            }
            for row, after in zip(ranked, behind, strict=True)
        ]
        at = _place_words(data, dict(zip(data.keys, place, strict=True)))
        title = f"Strength over all line-ups{': ' if at else ''}{at}"
        yield Table(pl.DataFrame(found, infer_schema_length=None), columns, title)


def _step(row: Row | None) -> str:
    return "–" if row is None else interval_text(row, signed=True)


def _standing_table(data: OverviewInput, lineup: str, rows: list[Row]) -> list[Table]:
    """Return win rates and scores of policies, or of positions if there is only one policy."""
    import polars as pl

    levels = [row for row in rows if row["variant"] == BASELINE and row["kind"] == "level"]
    policies = {row["who"] for row in levels if row["who"].startswith("policy ")}
    wanted = "policy " if len(policies) > 1 else "position "
    found = []
    for key, at in _grouped(levels, *data.keys):
        for who, own in _grouped((row for row in at if row["who"].startswith(wanted)), "who"):
            numbers = {row["number"]: row for row in own}
            if "win_rate" not in numbers:
                continue
            score = numbers.get("score", {})
            found.append(
                {
                    **dict(zip(data.keys, key, strict=True)),
                    "who": who[0].removeprefix("policy "),
                    **{name: numbers["win_rate"][name] for name in ("estimate", "low", "high")},
                    "score": score.get("estimate"),
                    "score_low": score.get("low"),
                    "score_high": score.get("high"),
                }
            )
    if not found:
        return []
    if wanted == "policy ":
        found = _ranked(data, found, rows)
    columns = [
        *(Column(name) for name in data.keys if len({row[name] for row in found}) > 1),
        Column("who", wanted.strip()),
        Column("estimate", "win rate, %", "percent", "low", "high"),
    ]
    if wanted == "policy ":
        columns.append(_cell("lead", "less the next, %"))
    if any(row["score"] is not None for row in found):
        columns.append(
            Column("score", "score", "number", "score_low", "score_high", drop_priority=1)
        )
    rules = "" if all(row["variant"] == BASELINE for row in rows) else ", unchanged rules"
    title = f"Line-up {lineup}: win rate a seat{rules}"
    return [Table(pl.DataFrame(found, infer_schema_length=None), tuple(columns), title)]


MOST_WITH_INTERVALS = 4
"""Positions up to which each win rate of a policy has its interval beside it."""


def seating_tables(data: OverviewInput) -> list[Table]:
    """Return the win rate of each policy at each position, a table per line-up."""
    rows = [row for row in data.rows if row["kind"] == "seating"]
    return [_seating_table(data, lineup, own) for (lineup,), own in _grouped(rows, "lineup")]


def _seating_table(data: OverviewInput, lineup: str, rows: list[Row]) -> Table:
    import polars as pl

    positions = list(dict.fromkeys(row["against"] for row in rows))
    wide = len(positions) > MOST_WITH_INTERVALS
    found = []
    for key, own in _grouped(rows, *data.keys, "who"):
        texts = {
            row["against"]: f"{100 * row['estimate']:.1f}" if wide else interval_text(row, 100)
            for row in own
        }
        *point, who = key
        found.append(
            {
                **dict(zip(data.keys, point, strict=True)),
                "policy": who.removeprefix("policy "),
                **{place: texts.get(place, "") for place in positions},
            }
        )
    columns = [
        *(Column(key) for key in data.keys if len({row[key] for row in found}) > 1),
        Column("policy"),
        *(Column(name, name.removeprefix("position "), _text_of(name)) for name in positions),
    ]
    title = f"Line-up {lineup}: win rate by policy and position, %"
    if wide:
        widest = max((row["high"] - row["low"]) / 2 for row in rows if row["low"] is not None)
        title += f", ±{100 * widest:.1f} at most"
    return Table(pl.DataFrame(found, infer_schema_length=None), tuple(columns), title)


def _ranked(
    data: OverviewInput, found: list[dict[str, Any]], rows: list[Row]
) -> list[dict[str, Any]]:
    """Return policies by win rate at each sweep point, with the lead of each over the next."""
    ranked = []
    differences = (row for row in rows if row["kind"] == "difference")
    gaps_at = {key: _by_number(own) for key, own in _grouped(differences, *data.keys)}
    for key, at in _grouped(found, *data.keys):
        gaps = gaps_at.get(key, {})
        order = sorted(at, key=lambda row: -(row["estimate"] or 0))
        for row, after in zip(order, [*order[1:], None], strict=True):
            lead = gap_row(gaps, (row["who"], after["who"])) if after else None
            ranked.append({**row, **_written("lead", lead, 100, signed=True)})
    return ranked


# --- What is said beside the tables ---------------------------------------------------------------


def level_tables(data: OverviewInput) -> list[Table]:
    """Return length and the first seat's win rate, for line-ups without variants."""
    import polars as pl

    found = []
    changed = {row["lineup"] for row in data.rows if row["kind"] == "change"}
    levels = [
        row
        for row in data.rows
        if row["kind"] == "level" and row["lineup"] not in changed and row["variant"] == BASELINE
    ]
    length = length_of(levels)
    for key, at in _grouped(levels, *data.keys, "lineup"):
        numbers = _by_number(at)
        found.append(
            {
                **dict(zip((*data.keys, "lineup"), key, strict=True)),
                **_written("length", numbers.get(("", length, ""))),
                **_written("first", numbers.get(("position 0", "win_rate", "")), 100),
            }
        )
    if not found:
        return []
    columns = [Column(name) for name in data.keys if len({row[name] for row in found}) > 1]
    columns.append(Column("lineup", "line-up"))
    columns += [_cell("length", length)] if length else []
    columns.append(_cell("first", "first seat wins, %"))
    frame = pl.DataFrame(found, infer_schema_length=None)
    return [Table(frame, tuple(columns), "Length and seats")]


ASKED = {
    "seats": "Is it fair?",
    "policies": "Who is best?",
    "length": "Which rule changes the length most?",
    "first_seat": "Which rule changes the first seat most?",
}
"""The questions of headlines, in words."""

MOST_POINTS = 3
"""Points of a sweep with an answer of their own in a line."""

MOST_NAMED = 6
"""Numbers of players that are named in a row."""


def headline_words(data: OverviewInput) -> list[str]:
    """Answer what the study's headlines ask: a line for each question, the points of a sweep in it.

    A line claims what the simultaneous bounds of `studies.answers.headlines` bear out, no more.
    """
    found = data.headlines
    if found is None or data.numbers:
        return []
    here = data.frame.select(*data.keys, "lineup", "variant").unique()
    places = {(*row[:-2], row[-2]) for row in here.rows()}
    variants = set(data.frame["variant"])
    by_question: dict[str, list[Headline]] = {}
    for own in found.all:
        place = (*(own.point.get(key) for key in data.keys), own.lineup)
        if place in places and own.row["variant"] in variants:
            by_question.setdefault(own.question, []).append(own)
    lines = []
    for question, asked in ASKED.items():
        if question in by_question:
            lines.append(_answer_line(data, asked, by_question[question]))
        if question == "seats":
            lines += _length_line(data)
    return [*lines, *([found.note] if lines and found.note else [])]


def _answer_line(data: OverviewInput, asked: str, told: Sequence[Headline]) -> str:
    """Return the answers to a question, those of one wording together."""
    alike: dict[str, list[Headline]] = {}
    for own in told:
        alike.setdefault(own.words, []).append(own)
    parts = []
    for words, members in alike.items():
        where = _points_words(data, [own.point for own in members])
        size = ""
        if members[0].shown or len(told) == 1:
            first = f" {_points_words(data, [members[0].point])}" if len(members) > 1 else ""
            size = f" ({_headline_number(data, members[0])}{first})"
        parts.append(f"{words}{f' {where}' if where else ''}{size}")
    who = f"Line-up {told[0].lineup}: " if told[0].question == "seats" else ""
    if who and told[0].lineup == POPULATION:
        who = "Over the population of tables "
    return f"{asked} {who}{'; '.join(parts)}."


def _points_words(data: OverviewInput, points: Sequence[Mapping[str, Any]]) -> str:
    """Name some points of the sweep: "with 2 and 6 players"; "" where the study has one."""
    differing = [_differing(data, point) for point in points]
    if not differing[0]:
        return ""
    everywhere = data.frame.select(data.keys).unique().height
    if set(differing[0]) == {"players"}:
        if len(points) == everywhere > 1:
            return "at every number of players"
        return f"with {listed((str(own['players']) for own in differing), MOST_NAMED)} players"
    if len(points) == everywhere > 1:
        return f"at all {everywhere} points of the sweep"
    return f"with {listed(map(point_words, differing), MOST_POINTS)}"


def _headline_number(data: OverviewInput, own: Headline) -> str:
    """Write the number that a headline is about, with its simultaneous bounds."""
    row = own.row
    ends = row["estimate"], row["low"], row["high"]
    if own.question == "seats":
        seat = row["who"].removeprefix("position ")
        name = f"position {seat}: " if seat != "0" or not own.shown else ""
        return f"{name}{percent(*ends, unit=' %')}, even: {100 * row['null']:.1f} %"
    if own.question == "length":
        before = row["baseline"] or 1
        scaled = (None if end is None else end / before for end in ends)
        return f"{number(*scaled, scale=100, signed=True)} %{_decided_words(data, row)}"
    return f"{number(*ends, scale=100, signed=True)} points"


def _decided_words(data: OverviewInput, change: Row) -> str:
    """Say beside a change of the length what it is of decided matches, where that differs."""
    if not data.is_length_of_decided_apart:
        return ""
    keys = (*data.keys, "lineup", "variant")
    here = [row for row in data.rows if all(row[key] == change[key] for key in keys)]
    found = {(row["kind"], row["number"]): row for row in here if not row["who"]}
    decided = found.get(("relative", f"decided_{change['number']}"))
    every = found.get(("relative", change["number"]))
    aborted = found.get(("change", "aborted"))
    if decided is None or every is None or aborted is None or not _is_apart(every, decided):
        return ""
    parts = (interval_text(row, 100, signed=True) for row in (decided, aborted))
    return "; of decided matches {} %, aborted ones {} points".format(*parts)


def _length_line(data: OverviewInput) -> list[str]:
    """Say how long a match is, over a population or at the reference line-up."""
    levels = [row for row in data.rows if row["variant"] == BASELINE and not row["who"]]
    length = length_of(levels)
    levels = [row for row in levels if row["number"] == length]
    own = [row for row in levels if row["kind"] == "population"] or [
        row for row in levels if row["kind"] == "level" and row["lineup"] == data.reference
    ]
    parts: list[str] = []
    for row in own:
        at = point_words(_differing(data, {key: row[key] for key in data.keys}))
        name = "" if parts else f" {length}"
        text = counted_length(row, name)
        parts.append(f"{text}{f' with {at}' if at else ''}{decided_level(data, row)}")
        if data.seconds and row["estimate"]:
            parts[-1] += f", about {row['estimate'] * data.seconds / 60:,.0f} minutes"
    if data.seconds and parts:
        parts[0] += f" at {data.seconds:g} s each"
    return [f"How long is it? {listed(parts, MOST_POINTS + 1)}."] if parts else []


def counted_length(row: Row, name: str) -> str:
    """Write a length: "449 ±7 plays", "11 turns in all 300 deals"."""
    if row.get("constant"):
        return f"{number(row['estimate'])}{name} in all {counted(row['deals'], 'deal')}"
    return f"{interval_text(row)}{name}"


def decided_level(data: OverviewInput, level: Row) -> str:
    """Say beside a length what it is of decided matches, where that differs."""
    same = (*data.keys, "lineup", "variant", "kind", "who")
    own = [row for row in data.rows if all(row[key] == level[key] for key in same)]
    text = [
        interval_text(row)
        for row in own
        if row["number"] == f"decided_{level['number']}" and _is_apart(level, row)
    ]
    return f" ({text[0]} of decided matches)" if text else ""


def _is_apart(row: Row, decided: Row) -> bool:
    """Whether a number of all matches lies outside its interval over the decided ones."""
    ends = decided["low"], decided["high"]
    return None not in (row["estimate"], *ends) and not ends[0] <= row["estimate"] <= ends[1]


def _differing(data: OverviewInput, point: Mapping[str, Any]) -> dict[str, Any]:
    """Return those values of a point that differ within the study."""
    return {
        key: value for key, value in point.items() if data.frame[key].drop_nulls().n_unique() > 1
    }


TURNING = {
    "length": ("longer", "shorter", "%"),
    "first": ("better for the first seat", "worse for it", "points"),
}
"""What is said of a rule whose effect has both signs."""

MOST_TURNING = 4


def turning_words(data: OverviewInput) -> list[str]:
    """Say which rules change the length, or the first seat's wins, in both directions.

    Only changes that are shown by their test, corrected for all that are tested with it, count.
    """
    rows = [row for row in data.rows if row["kind"] == "change" and not row["against"]]
    length = length_of(rows)
    found = []
    for what, (who, number_) in {
        "length": ("", length),
        "first": ("position 0", "win_rate"),
    }.items():
        mine = [row for row in rows if (row["who"], row["number"]) == (who, number_)]
        for (variant,), own in _grouped((row for row in mine if _is_shown(data, row)), "variant"):
            ups, downs = ([row for row in own if row["estimate"] * sign > 0] for sign in (1, -1))
            if ups and downs:
                most = [max(some, key=lambda row: abs(row["estimate"])) for some in (ups, downs)]
                size = min(abs(row["estimate"] / (row["baseline"] or 1)) for row in most)
                found.append((size, what, variant, most))
    found.sort(key=lambda own: -own[0])
    said = [_turning(data, *own[1:]) for own in found[:MOST_TURNING]]
    if len(found) > MOST_TURNING:
        rest = dict.fromkeys(variant for _, _, variant, _ in found[MOST_TURNING:])
        said.append(f"Both ways, too: {listed(rest, 6)}.")
    return said


def _is_shown(data: OverviewInput, row: Row) -> bool:
    return row["p_holm"] is not None and row["p_holm"] < 1 - data.level


def _turning(data: OverviewInput, what: str, variant: str, most: Sequence[Row]) -> str:
    """Say where a rule's effect is largest in each direction."""
    more, less, unit = TURNING[what]
    parts = []
    for row, word in zip(most, (more, less), strict=True):
        size = _relative(data, row) if what == "length" else row
        text = number(size["estimate"], size["low"], size["high"], scale=100, signed=True)
        at = _place_words(data, {name: row[name] for name in (*data.keys, "lineup")})
        parts.append(f"{word} with {at} ({text} {unit})")
    subject = "matches " if what == "length" else ""
    return f"{variant} makes {subject}{parts[0]}, {parts[1]}."


def _relative(data: OverviewInput, row: Row) -> Row:
    """Return a change relative to the level before."""
    same = (*data.keys, "lineup", "variant", "who", "number")
    return next(
        other
        for other in data.rows
        if other["kind"] == "relative" and all(other[name] == row[name] for name in same)
    )


def aborted_words(data: OverviewInput) -> list[str]:
    """Return a sentence about aborted matches if they reach 0.1 % or variants differ in them."""
    own = [
        row
        for row in data.rows
        if row["number"] == "aborted" and row["who"] == "" and row["kind"] in ("level", "change")
    ]
    levels = [row for row in own if row["variant"] == BASELINE]
    changes = [row for row in own if row["kind"] == "change"]
    highest = max((row["estimate"] for row in levels if row["estimate"] is not None), default=0.0)
    moved = [
        row
        for row in changes
        if row["estimate"] is not None
        and (
            abs(row["estimate"]) >= ABORTED_FROM
            or (row["p_holm"] is not None and row["p_holm"] < 0.05)
        )
    ]
    if highest < ABORTED_FROM and not moved:
        return []
    text = f"Aborted matches: at most {percent(highest, unit=' %')} under the unchanged rules"
    if len(levels) == 1:
        row = levels[0]
        text = f"Aborted matches: {percent(row['estimate'], row['low'], row['high'], ' %')}"
    by_variant: dict[str, float] = {}
    for row in moved:
        share = (row["baseline"] or 0.0) + row["estimate"]
        by_variant[row["variant"]] = max(share, by_variant.get(row["variant"], 0.0))
    if by_variant:
        most = sorted(by_variant.items(), key=lambda one: -one[1])
        text += f"; {listed((f'{name} {100 * share:.1f} %' for name, share in most), 5)}"
    return [f"{text}. Win rates are of decided matches."]


def _unseen(data: OverviewInput, shown: Sequence[Table]) -> list[str]:
    """Name the content of the frame that no table shows."""
    rows = data.frame
    seen = {"win_rate", "aborted", *MOVED, *data.measures}
    length = length_of(rows.iter_rows(named=True))
    seen |= {length, f"decided_{length}"}
    if any("score" in table.frame.columns for table in shown):
        seen.add("score")
    kinds = rows["kind"].unique(maintain_order=True).to_list()
    numbers = rows.filter(kind="level")["number"].unique(maintain_order=True).to_list()
    names = [name for name in numbers if name not in seen]
    unshown = [KINDS[kind] for kind in ("variance", "quantile", "payoff", "point") if kind in kinds]
    return [*names[:7], *unshown, *([f"{len(names) - 7} more numbers"] if len(names) > 7 else [])]


def _height(own: Table | str, width: int) -> int:
    text = own if isinstance(own, str) else to_text(own, width)
    lines = text.count("\n") + 1
    return lines + 1 if isinstance(own, Table) else max(1, math.ceil(len(text) / width))


# --- The whole frame ------------------------------------------------------------------------------


def _long_table(rows: Sequence[Row], title: str, shares: Collection[str]) -> Table:
    import polars as pl

    columns = [
        Column("variant"),
        Column("who", form=_who, wraps=True),
        Column("number"),
        Column("baseline", form=lambda row: _baseline(row, shares)),
        Column("estimate", form=lambda row: estimate_text(row, shares)),
        Column("p_holm", "p (Holm)", "p"),
        Column("count", form="count", drop_priority=3),
        Column("deals", form="count", drop_priority=2),
        Column("equivalent", "within margin", drop_priority=1),
    ]
    frame = pl.DataFrame(rows, infer_schema_length=None)
    told_columns = [
        column
        for column in columns
        if any(row[column.name] not in (None, "") for row in rows)
        and not (column.name == "variant" and all(row["variant"] == BASELINE for row in rows))
    ]
    return Table(frame, tuple(told_columns), title)


def _who(row: Row) -> str:
    return f"{row['who']} − {row['against']}" if row["against"] else str(row["who"])


def is_share(row: Row, shares: Collection[str] = SHARES) -> bool:
    """Return whether a row of the frame is displayed in per cent or points."""
    return row["number"] in shares or row["kind"] in ("payoff", "variance", "relative")


def estimate_text(row: Row, shares: Collection[str] = SHARES) -> str:
    """Write the estimate of a row of the frame with its interval."""
    signed = row["kind"] not in ("level", "after", "payoff", "variance", "quantile")
    share = is_share(row, shares)
    if share and not signed:
        return percent(row["estimate"], row["low"], row["high"], " %")
    return interval_text(row, 100 if share else 1, signed=signed)


def _baseline(row: Row, shares: Collection[str]) -> str:
    value = row["baseline"]
    if value is None:
        return "–"
    share = row["number"] in shares
    return f"{100 * value:.1f} %" if share else f"{value:,.4g}"


# --- Rows of the frame ----------------------------------------------------------------------------


def _grouped(rows: Iterable[Row], *names: str) -> list[tuple[tuple[Any, ...], list[Row]]]:
    """Return rows by the values of columns, in the order in which they come first."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return list(found.items())


def _by_number(rows: Iterable[Row], *, plain: bool = False) -> dict[tuple[str, str, str], Row]:
    """Return rows by who, number and against; with `plain`, `against` is not a policy."""
    return {
        (str(row["who"]), str(row["number"]), "" if plain else str(row["against"] or "")): row
        for row in rows
    }


def _place_words(data: OverviewInput, place: Mapping[str, Any]) -> str:
    """Name a table, if there are several."""
    many = {
        name for name in place if data.frame[name].drop_nulls().n_unique() > 1 or name == "lineup"
    }
    words = [
        f"line-up {value}"
        if name == "lineup"
        else (f"{value} players" if name == "players" else f"{name} = {value}")
        for name, value in place.items()
        if name in many and value not in (None, "")
    ]
    return ", ".join(words)
