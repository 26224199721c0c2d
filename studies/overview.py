"""The answer of a study on one screen, as queries on the frame of `studies.answers`.

One table per line-up has variants × (length, the first seat, skill, how often another seat wins);
then the policies are ranked. What does not fit is named. `cardlab compare`, `print(answer)`,
notebooks and the report show these tables; `--full` shows the whole frame, table by table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import polars as pl

from simcore.options import show
from studies.answers.headlines import RANDOM
from studies.answers.population import ALL_TABLES
from studies.legend import Legend
from studies.measures import BASELINE, LENGTHS
from studies.render import (
    Column,
    Page,
    Table,
    cell,
    counted,
    fits,
    interval_text,
    listed,
    number,
    percent,
    to_text,
)
from studies.sentences import per_cent, points, say, share

if TYPE_CHECKING:
    from studies.answers.headlines import Headline, Headlines

NO_LEGEND = Legend()
LINES = 72
"""Of one screen."""

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
Numbers = Mapping[tuple[str, str, str], Row]
"""Rows by who, number and against."""

ENDS = ("estimate", "low", "high")


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
    def is_length_of_decided_apart(self) -> bool:
        """Whether aborted matches move a length, or its change, out of what decided ones tell."""
        names = (*self.keys, "lineup", "variant", "kind", "who", "against", "number")
        lengths = {tuple(row[name] for name in names): row for row in self.rows if not row["who"]}
        pairs = (
            (row, lengths.get((*key[:-1], f"decided_{key[-1]}"))) for key, row in lengths.items()
        )
        return any(_is_apart(row, decided) for row, decided in pairs if decided is not None)

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
        wanted = (*SCREEN, *LENGTHS, *self.measures)
        chosen = pl.col("number").is_in(wanted) & ~pl.col("kind").is_in(["after", "point"])
        rows = self.frame.filter(chosen).iter_rows(named=True)
        return sorted(rows, key=lambda row: row["lineup"] != self.reference)

    def by_point(self, rows: Iterable[Row], *columns: str) -> Iterator[tuple[Row, list[Row]]]:
        """Yield the rows of each point of the sweep, and of each value of further columns."""
        names = (*self.keys, *columns)
        for values, members in _grouped(rows, *names):
            yield dict(zip(names, values, strict=True)), members

    def point_columns(self, lines: Sequence[Row]) -> list[Column]:
        """Return the columns of the sweep in which the lines of a table differ."""
        return [Column(key) for key in self.keys if len({line[key] for line in lines}) > 1]

    def differing(self, point: Mapping[str, Any]) -> dict[str, Any]:
        """Return those values of a point that differ within the study."""
        return {
            key: value
            for key, value in point.items()
            if self.frame[key].drop_nulls().n_unique() > 1
        }

    def place_words(self, place: Mapping[str, Any]) -> str:
        """Name a point and a line-up, without what the study has only one of."""
        words = []
        for name, value in place.items():
            if value in (None, ""):
                continue
            if name == "lineup":
                words.append(f"line-up {value}")
            elif self.frame[name].drop_nulls().n_unique() > 1:
                words.append(f"{value} players" if name == "players" else f"{name} = {value}")
        return ", ".join(words)


# --- The page -------------------------------------------------------------------------------------


def overview(data: OverviewInput, *, lines: int = LINES, width: int = 80, more: str = "") -> Page:
    """Return the answer on one screen: tables, and a list of what is not shown.

    Parameters
    ----------
    lines, width : int
        Available space; the first table is always shown.
    more : str
        How to see the rest.
    """
    page: list[Table | str] = list(_first_lines(data))
    answer = answer_tables(data, "population", "factor", "change")
    if data.numbers:
        others = long_tables(data, "level", "seating", "difference", "change")
    else:
        others = [*standing_tables(data), *level_tables(data), *answer_tables(data, "interaction")]
    notes = [*explanations(data, [*answer, *others]), *data.notes]
    notes += legend_words(data, [*answer[:1], *others[:1]])
    left = lines - 5 - sum(_height(part, width) for part in [*page, *notes])
    always = 1
    if answer and data.keys and _height(answer[0], width) > left:
        answer[:1] = by_point = _by_point(data, answer[0])
        always = min(2, len(by_point))
    parts = [_fitting(table, width) for table in answer]
    if parts:
        # Whether another seat wins is no less an answer: a second part makes the screen longer.
        always += len(parts[0]) - 1
        left += sum(_height(table, width) for table in parts[0][1:])
    shown: list[Table] = []
    omitted: list[Table] = []
    hidden = 0
    for place, table in enumerate([*(table for part in parts for table in part), *others]):
        height = _height(table, width)
        if place >= always and height > left:
            omitted.append(table)
            continue
        over = height - left // max(1, always - place)
        rows = min(table.frame.height, max(8, table.frame.height - over))
        cut = table.frame.height - rows
        shown.append(replace(table, frame=table.frame.head(rows)))
        left -= height - cut
        hidden += cut
    unseen = [say("hidden_rows", hidden, always)] if hidden else []
    unseen += [*_names_of(omitted, shown), *_unseen(data, shown)]
    page += [*shown, *legend_words(data, shown), *explanations(data, shown), *data.notes]
    page.append(say("not_shown", unseen, more))
    return page


def full(data: OverviewInput) -> Page:
    """Return every number: the tables of the overview, then the frame by kind and table."""
    tables = [
        *answer_tables(data, "population", "factor", "change", "interaction"),
        *standing_tables(data),
        *level_tables(data),
    ]
    return [
        *_first_lines(data),
        *tables,
        *explanations(data, tables),
        *long_tables(data),
        *data.notes,
    ]


def _first_lines(data: OverviewInput) -> list[str]:
    title = [data.title] if data.title else []
    return [*title, *headline_words(data), *turning_words(data), *aborted_words(data)]


def _height(part: Table | str, width: int) -> int:
    """Return how many lines a part of the page takes."""
    if isinstance(part, Table):
        return to_text(part, width).count("\n") + 2
    return max(1, math.ceil(len(part) / width))


def _fitting(table: Table, width: int) -> list[Table]:
    """Return a table that is too wide as two: what changes, and whether another seat wins."""
    moved = [column for column in table.columns if column.name in MOVED]
    others = [column for column in table.columns if column not in moved]
    if not moved or fits(table, width):
        return [table]
    names = [column for column in others if column.form != "cell"]
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
    lines = table.frame.rows(named=True)
    at_point = [members for _, members in data.by_point(lines)]
    if len(at_point) < 2:
        return [table]
    keys = [column.name for column in data.point_columns(lines)]
    names = [point_words({key: members[0][key] for key in keys}) for members in at_point]
    first = Table.of(
        at_point[0],
        [column for column in table.columns if column.name not in keys],
        f"{table.title.replace(_each(lines), _each(at_point[0]))}, {names[0]}",
    )
    variant = next(column for column in table.columns if column.name == "variant")
    tables = [first]
    lineup = table.title.partition(":")[0]
    for column in first.columns:
        if column.form != "cell" or column.name == "unrelated":
            continue
        texts: dict[str, dict[str, str]] = {}
        for name, members in zip(names, at_point, strict=True):
            for line in members:
                texts.setdefault(line["variant"], {})[name] = column.write(line)
        changing = [
            {"variant": name, **by_point}
            for name, by_point in texts.items()
            if name == BASELINE or any(text != "0" for text in by_point.values())
        ]
        places = [Column(name, form="cell", drop_priority=at) for at, name in enumerate(names)]
        silent = ", of rules that change it" if len(changing) < len(texts) else ""
        title = f"{lineup}: {column.title}{silent}"
        tables.append(Table.of(changing, [variant, *places], title))
    return tables


def point_words(point: Mapping[str, Any]) -> str:
    """Name a point of a sweep: "4 players"."""
    return ", ".join(
        f"{value} players" if name == "players" else f"{name} = {show(value)}"
        for name, value in point.items()
        if value is not None
    )


def _names_of(tables: Sequence[Table], shown: Sequence[Table]) -> list[str]:
    """Name omitted tables: line-ups that are not shown at all, and the content of the others."""
    seen = {_lineup_and_content(table)[0] for table in shown}
    lineups: dict[str, None] = {}
    contents: dict[str, None] = {}
    for table in tables:
        lineup, content = _lineup_and_content(table)
        if lineup and lineup not in seen:
            lineups[lineup] = None
        else:
            contents[content] = None
    return [*([f"line-ups {listed(lineups, 5)}"] if lineups else []), *contents]


def _lineup_and_content(table: Table) -> tuple[str, str]:
    """Return the line-up and the content of a table, from its title."""
    title = re.sub(r" \([^)]*\)", "", table.title).partition(", ")[0]
    before, colon, after = title.partition(": ")
    if not before.startswith("Line-up "):
        return "", before[0].lower() + before[1:]
    return before.removeprefix("Line-up "), after if colon else before


def _unseen(data: OverviewInput, shown: Sequence[Table]) -> list[str]:
    """Name the content of the frame that no table shows."""
    length = length_of(data.frame.iter_rows(named=True))
    seen = {"win_rate", "aborted", *MOVED, *data.measures, length, f"decided_{length}"}
    if any("score_estimate" in table.frame.columns for table in shown):
        seen.add("score")
    numbers = data.frame.filter(kind="level")["number"].unique(maintain_order=True)
    names = [name for name in numbers if name not in seen]
    kinds = set(data.frame["kind"])
    unshown = [KINDS[kind] for kind in ("variance", "quantile", "payoff", "point") if kind in kinds]
    return [*names[:7], *unshown, *([f"{len(names) - 7} more numbers"] if len(names) > 7 else [])]


# --- The answer: variants × length, first seat, skill, another winner -----------------------------

MOVED = {
    "another_winner": ("another winner, %", "of matches decided in both"),
    "unrelated": ("unrelated, %", "how often another seat wins on different deals"),
    "agreement": ("agreement, %", "on the winner, beyond chance: Cohen's kappa"),
}
"""Columns of whether a rule changes who wins."""


def answer_tables(data: OverviewInput, *kinds: str) -> list[Table]:
    """Return what variants change, a table per line-up, a row per variant and sweep point.

    Parameters
    ----------
    kinds : str
        Kinds of rows: "change", or kinds that span variants: "factor", "interaction",
        "population".
    """
    tables = [
        _answer_table(data, lineup, rows, kind)
        for kind in kinds or ("change",)
        for (lineup,), rows in _grouped(data.rows, "lineup")
        if any(row["kind"] == kind for row in rows)
    ]
    return [table for table in tables if any(column.form == "cell" for column in table.columns)]


def _answer_table(data: OverviewInput, lineup: str, rows: list[Row], kind: str) -> Table:
    length, pair = length_of(rows), widest_pair(rows)
    lines: list[dict[str, Any]] = []
    for point, here in data.by_point(rows):
        levels = _by_number(
            row
            for row in here
            if row["variant"] == BASELINE and row["kind"] in ("level", "difference")
        )
        if levels and kind == "change":
            cells = _level_cells(levels, length, pair, data)
            lines.append({**point, "variant": BASELINE, **_matches(here), **cells})
        of_match: dict[str, dict[tuple[str, str], Row]] = {}
        for row in reversed(here):  # of several the first counts
            if not row["who"]:
                of_match.setdefault(row["variant"], {})[row["kind"], row["number"]] = row
        effects = (row for row in here if row["kind"] == kind)
        for (variant,), members in _grouped(effects, "variant"):
            changes = _by_number(members, plain=kind != "change")
            if variant == BASELINE:  # of a population
                levels = changes
                cells = _level_cells(levels, length, pair, data)
            else:
                others = of_match.get(variant, {})
                cells = _change_cells(changes, levels, others, length, pair, data)
            lines.append({**point, "variant": variant, **_matches(members), **cells})
    gap = ""
    if pair:
        gap = skill_words(pair) if kind == "change" else f"{short(pair[0])} wins"
    decided = [("of decided ones", f"decided_{length}", ""), ("aborted, %", "aborted", "")]
    filled = {name for line in lines for name, value in line.items() if value}
    if f"decided_{length}" not in filled or not data.is_length_of_decided_apart:
        decided = []
    cell_columns = [
        (f"{length}, change in %", "length", length),
        *decided,
        ("first seat wins, %", "first", "win rate of the first seat"),
        (f"{gap}, %", "skill", "win rate a seat"),
        *((heading, name, meaning) for name, (heading, meaning) in MOVED.items()),
        *((name, name, name) for name in data.measures),
        ("within the margin", "same", "whether all changes lie within it"),
    ]
    columns = [
        *data.point_columns(lines),
        Column("variant", "effect" if kind == "factor" else ""),
        *(
            Column(name, heading, "cell", help=meaning, drop_priority=int(name in data.measures))
            for heading, name, meaning in cell_columns
            if name in filled
        ),
    ]
    words = (data.lineups or {}).get(lineup, "")
    name = f"{lineup} ({words})" if words and words not in lineup else lineup
    heading = "Population" if kind == "population" else f"Line-up {name}"
    content = ("" if kind == "change" else KINDS[kind], _each(lines))
    return Table.of(lines, columns, f"{heading}: {', '.join(filter(None, content))}")


def _matches(rows: Iterable[Row]) -> dict[str, int]:
    """Return how many matches a row of a table is of."""
    return {"matches": max((row["matches"] or 0 for row in rows), default=0)}


def _each(lines: Sequence[Row]) -> str:
    """Say how many matches the rows of a table are of: "3,600 to 6,000 matches each"."""
    counts = {line["matches"] for line in lines if line["matches"]}
    if not counts:
        return ""
    fewest = f"{min(counts):,} to " if len(counts) > 1 else ""
    return f"{fewest}{counted(max(counts), 'match')} each"


def _level_cells(
    levels: Numbers, length: str, pair: tuple[str, str] | None, data: OverviewInput
) -> dict[str, Any]:
    """Return the cells in the row of the unchanged rules: levels."""
    return {
        "length": cell(levels.get(("", length, ""))),
        "first": cell(levels.get(("position 0", "win_rate", "")), 100),
        "skill": cell(gap_row(levels, pair), 100) if pair else None,
        "aborted": cell(levels.get(("", "aborted", "")), 100),
        **{
            name: cell(levels.get(("", name, ""))) for name in (f"decided_{length}", *data.measures)
        },
    }


def _change_cells(
    changes: Numbers,
    levels: Numbers,
    others: Mapping[tuple[str, str], Row],
    length: str,
    pair: tuple[str, str] | None,
    data: OverviewInput,
) -> dict[str, Any]:
    """Return the cells in the row of a variant: changes; `others` are its rows of the match."""
    decided = f"decided_{length}"
    longer, longer_if_decided = (
        others.get(("relative", name)) or _relative(name, changes, levels)
        for name in (length, decided)
    )
    gap = None
    if pair:
        gap = gap_row(changes, pair) or changes.get((f"policy {pair[0]}", "win_rate", ""))
    moved = {
        name: cell(changes.get(("", name, "")) or others.get(("level", name)), 100)
        for name in MOVED
    }
    if (another := moved["another_winner"]) and another["value"] == 0:
        another["text"] = "none"
    # Without a level before, the length's change itself.
    alone = cell(changes.get(("", length, "")), signed=True)
    return {
        "length": cell(longer, 100, signed=True) or alone,
        decided: cell(longer_if_decided, 100, signed=True),
        "first": cell(changes.get(("position 0", "win_rate", "")), 100, signed=True),
        "skill": cell(gap, 100, signed=True),
        "aborted": cell(changes.get(("", "aborted", "")), 100, signed=True),
        "same": _sameness(changes.values()),
        **moved,
        **{name: cell(changes.get(("", name, "")), signed=True) for name in data.measures},
    }


def _relative(number_: str, changes: Numbers, levels: Numbers) -> Row | None:
    """Return a change relative to the level before, or None if that is unknown."""
    row_of_change = changes.get(("", number_, ""))
    if row_of_change is None:
        return None
    before = row_of_change["baseline"] or levels.get(("", number_, ""), {}).get("estimate")
    return relative(row_of_change, before) if before else None


def _sameness(rows: Iterable[Row]) -> str:
    """Return whether changes of win rates are shown to lie within their margins."""
    limited = [row for row in rows if row.get("margin") is not None]
    if not limited:
        return ""
    if all(row["equivalent"] for row in limited):
        return "yes"
    outside = any(
        row["low"] is not None and (row["low"] >= row["margin"] or row["high"] <= -row["margin"])
        for row in limited
    )
    return "no" if outside else "open"


def skill_words(pair: tuple[str, str]) -> str:
    """Return two policies as a difference, with parameters if their names are equal."""
    names = [short(name) for name in pair]
    return " − ".join(pair if names[0] == names[1] else names)


def length_of(rows: Iterable[Row]) -> str:
    """Return the metric that measures the length of a match; empty if there is none."""
    numbers = {row["number"] for row in rows if row["who"] == ""}
    return next((name for name in LENGTHS if name in numbers), "")


def widest_pair(rows: Iterable[Row]) -> tuple[str, str] | None:
    """Return the two policies whose win rates lie furthest apart under the unchanged rules.

    The stronger one first; None where a line-up has only one policy. Random play is one of them
    only where no two others meet.
    """
    gaps: dict[tuple[str, str], float] = {}
    for row in rows:
        is_gap = row["kind"] == "difference" and row["number"] == "win_rate" and row["estimate"]
        if is_gap and row["who"].startswith("policy "):
            pair = policy(row["who"]), policy(row["against"])
            gaps[pair] = gaps.get(pair, 0.0) + row["estimate"]
    if not gaps:
        return None
    skilled = {pair: gap for pair, gap in gaps.items() if RANDOM not in map(short, pair)}
    gaps = skilled or gaps
    first, second = max(gaps, key=lambda pair: abs(gaps[pair]))
    return (first, second) if gaps[first, second] > 0 else (second, first)


def gap_row(rows: Numbers, pair: tuple[str, str]) -> Row | None:
    """Return the row of the first policy's win rate minus the second's, in either direction."""
    first, second = (f"policy {name}" for name in pair)
    if (first, "win_rate", second) in rows:
        return rows[first, "win_rate", second]
    turned = rows.get((second, "win_rate", first))
    if turned is None:
        return None
    ends = {"estimate": "estimate", "low": "high", "high": "low"}
    values = {name: turned[end] for name, end in ends.items()}
    return {name: None if end is None else 0.0 - end for name, end in values.items()}


def policy(who: str) -> str:
    """Return the policy of a row."""
    return who.removeprefix("policy ")


def short(name: str) -> str:
    """Return a policy's name, its parameters left out."""
    return name.partition("(")[0]


# --- How policies and seats stand under the unchanged rules ---------------------------------------


def standing_tables(data: OverviewInput) -> list[Table]:
    """Return how strong the policies are, over all line-ups and at each one."""
    by_lineup = _grouped(data.rows, "lineup")
    standing = [table for (lineup,), rows in by_lineup for table in _standing(data, lineup, rows)]
    seatings = seating_tables(data)
    if len(standing) == 1:
        return [*standing, *seatings]  # strengths would only repeat the win rates
    payoffs = list(_payoff_tables(data))
    if payoffs:  # which repeat the line-ups of two policies
        standing = [table for table in standing if table.frame.height != 2 or data.keys]
    return [*_strength_tables(data), *payoffs, *standing, *seatings]


def _payoff_tables(data: OverviewInput) -> Iterator[Table]:
    """Yield tables of how often each policy beats each other one."""
    payoffs = (row for row in data.rows if row["kind"] == "payoff")
    for point, rows in data.by_point(payoffs):
        shares: dict[str, dict[str, float]] = {}
        for row in rows:
            shares.setdefault(row["who"], {})[row["against"]] = row["estimate"]
        if len(shares) < 3:
            continue
        mean = {name: sum(beaten.values()) / len(beaten) for name, beaten in shares.items()}
        order = sorted(mean, key=lambda name: -mean[name])
        ranks = {name: str(rank) for rank, name in enumerate(order, 1)}
        lines = [
            {
                "policy": f"{rank} {policy(name)}",
                **{ranks[other]: f"{100 * value:.0f}" for other, value in shares[name].items()},
            }
            for name, rank in ranks.items()
        ]
        columns = [Column("policy"), *(Column(rank, form="cell") for rank in ranks.values())]
        at = data.place_words(point)
        title = f"Wins of 100 where two policies meet, {_at_most(rows)}{', ' if at else ''}{at}"
        yield Table.of(lines, columns, title)


def _at_most(rows: Iterable[Row]) -> str:
    widest = max((row["high"] - row["low"]) / 2 for row in rows if row["low"] is not None)
    return f"±{100 * widest:.1f} at most"


def _strength_tables(data: OverviewInput) -> Iterator[Table]:
    columns = [
        Column("policy"),
        Column("estimate", "strength", "number", "low", "high", help="log-odds of winning"),
        Column("lead", "lead over the next", "cell"),
    ]
    for point, rows in data.by_point(row for row in data.rows if row["kind"] == "strength"):
        steps = {(row["who"], row["against"]): row for row in rows}
        ranked = sorted((row for row in rows if not row["against"]), key=lambda r: -r["estimate"])
        lines = []
        for row, behind in zip_longest(ranked, ranked[1:]):
            step = steps.get((row["who"], behind["who"])) if behind else None
            lead = interval_text(step, signed=True) if step else "–"
            ends = {name: row[name] for name in ENDS}
            lines.append({"policy": policy(row["who"]), **ends, "lead": lead})
        at = data.place_words(point)
        yield Table.of(lines, columns, f"Strength over all line-ups{': ' if at else ''}{at}")


def _standing(data: OverviewInput, lineup: str, rows: list[Row]) -> Iterator[Table]:
    """Yield win rates and scores of policies, or of positions if there is only one policy."""
    levels = [row for row in rows if row["variant"] == BASELINE and row["kind"] == "level"]
    policies = {row["who"] for row in levels if row["who"].startswith("policy ")}
    wanted = "policy" if len(policies) > 1 else "position"
    lines: list[dict[str, Any]] = []
    for point, here in data.by_point(row for row in levels if row["who"].startswith(wanted)):
        at_point = []
        for (who,), members in _grouped(here, "who"):
            numbers = {row["number"]: row for row in members}
            if "win_rate" in numbers:
                ends = {name: numbers["win_rate"][name] for name in ENDS}
                score = {f"score_{name}": numbers.get("score", {}).get(name) for name in ENDS}
                at_point.append({**point, "who": policy(who), **ends, **score})
        if wanted == "policy":
            gaps = _by_number(_with(rows, kind="difference", **point))
            at_point.sort(key=lambda line: -(line["estimate"] or 0))
            for line, behind in zip_longest(at_point, at_point[1:]):
                lead = gap_row(gaps, (line["who"], behind["who"])) if behind else None
                line["lead"] = cell(lead, 100, signed=True)
        lines += at_point
    if not lines:
        return
    columns = [
        *data.point_columns(lines),
        Column("who", wanted),
        Column("estimate", "win rate, %", "percent", "low", "high"),
    ]
    if wanted == "policy":
        columns.append(Column("lead", "less the next, %", "cell"))
    if any(line["score_estimate"] is not None for line in lines):
        columns.append(
            Column("score_estimate", "score", "number", "score_low", "score_high", drop_priority=1)
        )
    rules = "" if all(row["variant"] == BASELINE for row in rows) else ", unchanged rules"
    yield Table.of(lines, columns, f"Line-up {lineup}: win rate a seat{rules}")


MOST_WITH_INTERVALS = 4
"""Positions up to which each win rate of a policy has its interval beside it."""


def seating_tables(data: OverviewInput) -> list[Table]:
    """Return the win rate of each policy at each position, a table per line-up."""
    seatings = (row for row in data.rows if row["kind"] == "seating")
    return [_seating_table(data, lineup, rows) for (lineup,), rows in _grouped(seatings, "lineup")]


def _seating_table(data: OverviewInput, lineup: str, rows: list[Row]) -> Table:
    positions = list(dict.fromkeys(row["against"] for row in rows))
    wide = len(positions) > MOST_WITH_INTERVALS
    lines = [
        {
            **place,
            "policy": policy(place["who"]),
            **{
                row["against"]: f"{100 * row['estimate']:.1f}" if wide else interval_text(row, 100)
                for row in members
            },
        }
        for place, members in data.by_point(rows, "who")
    ]
    columns = [
        *data.point_columns(lines),
        Column("policy"),
        *(Column(name, name.removeprefix("position "), "cell") for name in positions),
    ]
    most = f", {_at_most(rows)}" if wide else ""
    return Table.of(lines, columns, f"Line-up {lineup}: win rate by policy and position, %{most}")


def level_tables(data: OverviewInput) -> list[Table]:
    """Return the tables of match length and of the first seat's win rate, without variants."""
    changed = {row["lineup"] for row in data.rows if row["kind"] == "change"}
    levels = [
        row
        for row in data.rows
        if row["kind"] == "level" and row["lineup"] not in changed and row["variant"] == BASELINE
    ]
    length = length_of(levels)
    lines = []
    for place, members in data.by_point(levels, "lineup"):
        numbers = _by_number(members)
        first = cell(numbers.get(("position 0", "win_rate", "")), 100)
        lines.append({**place, "length": cell(numbers.get(("", length, ""))), "first": first})
    if not lines:
        return []
    columns = [
        *data.point_columns(lines),
        Column("lineup", "line-up"),
        *([Column("length", length, "cell")] if length else []),
        Column("first", "first seat wins, %", "cell"),
    ]
    return [Table.of(lines, columns, "Length and seats")]


# --- What is said beside the tables ---------------------------------------------------------------


def explanations(data: OverviewInput, tables: Sequence[Table]) -> list[str]:
    """Return what the columns of these tables mean, once for all of them."""
    paired = any(row["kind"] == "change" for row in data.rows) and data.is_paired
    notes = [say("intervals", data.level, paired)]
    columns = [column for table in tables for column in table.shown]
    gaps = dict.fromkeys(
        column.title.removesuffix(", %") for column in columns if " − " in column.title
    )
    if gaps:
        notes.append(say("skill", next(iter(gaps)) if len(gaps) == 1 else "One policy − another"))
    if any(column.name == "agreement" for column in columns):
        notes.append(say("another_winner"))
    values = (value for table in tables for row in table.frame.rows() for value in row)
    if any(" in all " in str(value) for value in values):
        notes.append(say("constant"))
    return notes


MOST_EXPLAINED = 10
"""Rules, or policies, that one screen explains."""


def legend_words(data: OverviewInput, tables: Sequence[Table]) -> list[str]:
    """Say what the rules and policies of these tables are."""
    lines = [line for table in tables for line in table.frame.rows(named=True)]
    rules: set[str] = set()
    policies: set[str] = set()
    for line in lines:
        # The name of an effect is made of variants, or of factors with their levels.
        variant = str(line.get("variant", ""))
        parts = re.split(r" [+×] ", variant)
        rules |= {variant, *parts, *(part.partition("=")[0] for part in parts)}
        names = (line.get("policy"), line.get("who"))
        policies |= {short(re.sub(r"^\d+ ", "", str(name))) for name in names if name}
    for lineup in {_lineup_and_content(table)[0] for table in tables}:
        seated = f"{lineup} {(data.lineups or {}).get(lineup, '')}"
        policies |= {
            name
            for name in data.legend.policies
            if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", seated)
        }
    notes = []
    for title, meanings, named in (
        ("Rules", data.legend.rules, rules),
        ("Policies", data.legend.policies, policies),
    ):
        texts = [f"{name}: {text}" for name, text in meanings.items() if name in named and text]
        if texts:
            notes.append(say("legend", title, texts[:MOST_EXPLAINED], len(texts[MOST_EXPLAINED:])))
    return notes


QUESTIONS = {
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
    if data.headlines is None or data.numbers:
        return []
    places = set(data.frame.select(*data.keys, "lineup").unique().rows())
    variants = set(data.frame["variant"])
    by_question: dict[str, list[Headline]] = {}
    for headline in data.headlines.all:
        place = (*(headline.point.get(key) for key in data.keys), headline.lineup)
        if place in places and headline.row["variant"] in variants:
            by_question.setdefault(headline.question, []).append(headline)
    lines = []
    for question, words in QUESTIONS.items():
        if question in by_question:
            lines.append(f"{words} {_answer_words(data, by_question[question])}.")
        if question == "seats":
            lines += _length_line(data)
    return [*lines, *([data.headlines.note] if lines and data.headlines.note else [])]


def _answer_words(data: OverviewInput, headlines: Sequence[Headline]) -> str:
    """Return the answers to a question, those of one wording together."""
    alike: dict[str, list[Headline]] = {}
    for headline in headlines:
        alike.setdefault(headline.words, []).append(headline)
    parts = []
    for words, members in alike.items():
        where = _points_words(data, [headline.point for headline in members])
        size = ""
        if members[0].shown or len(headlines) == 1:
            first = f" {_points_words(data, [members[0].point])}" if len(members) > 1 else ""
            size = f" ({_headline_number(data, members[0])}{first})"
        parts.append(f"{words}{f' {where}' if where else ''}{size}")
    who = ""
    if headlines[0].question == "seats":
        drawn = headlines[0].lineup == ALL_TABLES
        who = "Over the population of tables " if drawn else f"Line-up {headlines[0].lineup}: "
    return f"{who}{'; '.join(parts)}"


def _points_words(data: OverviewInput, places: Sequence[Mapping[str, Any]]) -> str:
    """Name some points of the sweep: "with 2 and 6 players"; "" where the study has one."""
    differing = [data.differing(point) for point in places]
    if not differing[0]:
        return ""
    everywhere = len(places) == data.frame.select(data.keys).unique().height > 1
    if set(differing[0]) == {"players"}:
        if everywhere:
            return "at every number of players"
        return f"with {listed((str(point['players']) for point in differing), MOST_NAMED)} players"
    if everywhere:
        return f"at all {len(places)} points of the sweep"
    return f"with {listed(map(point_words, differing), MOST_POINTS)}"


def _headline_number(data: OverviewInput, headline: Headline) -> str:
    """Write the number that a headline is about, with its simultaneous bounds."""
    row = headline.row
    if headline.question == "seats":
        seat = row["who"].removeprefix("position ")
        name = f"position {seat}: " if seat != "0" or not headline.shown else ""
        return f"{name}{share(row)}, even: {100 * row['null']:.1f} %"
    if headline.question == "length":
        return f"{per_cent(relative(row, row['baseline'] or 1))}{_decided_words(data, row)}"
    return points(row)


def _decided_words(data: OverviewInput, row_of_change: Row) -> str:
    """Return a note on the length's change in decided matches; "" where it is the same."""
    if not data.is_length_of_decided_apart:
        return ""
    same = {key: row_of_change[key] for key in (*data.keys, "lineup", "variant")}
    rows = {(row["kind"], row["number"]): row for row in _with(data.rows, who="", **same)}
    length = row_of_change["number"]
    decided = rows.get(("relative", f"decided_{length}"))
    every = rows.get(("relative", length))
    aborted = rows.get(("change", "aborted"))
    if decided is None or every is None or aborted is None or not _is_apart(every, decided):
        return ""
    return say("of_decided_and_aborted", decided, aborted)


def _length_line(data: OverviewInput) -> list[str]:
    """Say how long a match is, over a population or at the reference line-up."""
    levels = [row for row in data.rows if row["variant"] == BASELINE and not row["who"]]
    length = length_of(levels)
    levels = [row for row in levels if row["number"] == length]
    rows = [row for row in levels if row["kind"] == "population"] or [
        row for row in levels if row["kind"] == "level" and row["lineup"] == data.reference
    ]
    parts: list[str] = []
    for row in rows:
        at = point_words(data.differing({key: row[key] for key in data.keys}))
        text = counted_length(row, "" if parts else f" {length}")
        text += f"{f' with {at}' if at else ''}{decided_level(data, row)}"
        if data.seconds and row["estimate"]:
            text += f", about {row['estimate'] * data.seconds / 60:,.0f} minutes"
        parts.append(text)
    if data.seconds and parts:
        parts[0] += f" at {data.seconds:g} s each"
    return [f"How long is it? {listed(parts, MOST_POINTS + 1)}."] if parts else []


def counted_length(row: Row, unit: str) -> str:
    """Write a length: "449 ±7 plays", "11 turns in all 300 deals"."""
    if row.get("constant"):
        return f"{number(row['estimate'])}{unit} in all {counted(row['deals'], 'deal')}"
    return f"{interval_text(row)}{unit}"


def decided_level(data: OverviewInput, level: Row) -> str:
    """Say beside a length what it is of decided matches, where that differs."""
    same = {key: level[key] for key in (*data.keys, "lineup", "variant", "kind", "who")}
    for row in _with(data.rows, number=f"decided_{level['number']}", **same):
        if _is_apart(level, row):
            return f" ({interval_text(row)} of decided matches)"
    return ""


def _is_apart(row: Row, decided: Row) -> bool:
    """Whether a number of all matches lies outside its interval over the decided ones."""
    ends = decided["low"], decided["high"]
    return None not in (row["estimate"], *ends) and not ends[0] <= row["estimate"] <= ends[1]


MOST_TURNING = 4
"""Rules with effects of both signs that have a sentence each."""


def turning_words(data: OverviewInput) -> list[str]:
    """Say which rules change the length, or the first seat's wins, in both directions.

    Only changes that are shown by their test, corrected for all that are tested with it, count.
    """
    rows = [row for row in data.rows if row["kind"] == "change" and not row["against"]]
    turning = []
    for sentence, who, number_ in (
        ("turning_length", "", length_of(rows)),
        ("turning_first_seat", "position 0", "win_rate"),
    ):
        shown = [
            row
            for row in rows
            if (row["who"], row["number"]) == (who, number_) and is_shown(row, data.level)
        ]
        for (variant,), members in _grouped(shown, "variant"):
            if (
                min(row["estimate"] for row in members)
                < 0
                < max(row["estimate"] for row in members)
            ):
                ends = max(members, key=_estimate), min(members, key=_estimate)
                size = min(abs(row["estimate"] / (row["baseline"] or 1)) for row in ends)
                turning.append((size, sentence, variant, ends))
    turning.sort(key=lambda item: -item[0])
    lines = []
    for _, sentence, variant, ends in turning[:MOST_TURNING]:
        places = (
            data.place_words({name: row[name] for name in (*data.keys, "lineup")}) for row in ends
        )
        sizes = ends if sentence == "turning_first_seat" else (_relative_row(data, r) for r in ends)
        lines.append(say(sentence, variant, *zip(places, sizes, strict=True)))
    if len(turning) > MOST_TURNING:
        rest = dict.fromkeys(variant for _, _, variant, _ in turning[MOST_TURNING:])
        lines.append(say("also_turning", list(rest)))
    return lines


def _relative_row(data: OverviewInput, row: Row) -> Row:
    """Return the row of a change relative to the level before."""
    same = {key: row[key] for key in (*data.keys, "lineup", "variant", "who", "number")}
    return next(_with(data.rows, kind="relative", **same))


def _estimate(row: Row) -> float:
    return float(row["estimate"])


def is_shown(row: Row, level: float) -> bool:
    """Whether a test, corrected over its family, is significant."""
    return row["p_holm"] is not None and row["p_holm"] < 1 - level


def aborted_words(data: OverviewInput) -> list[str]:
    """Return a sentence about aborted matches if they reach 0.1 % or variants differ in them."""
    rows = [row for row in data.rows if row["number"] == "aborted" and row["who"] == ""]
    levels = [row for row in rows if row["kind"] == "level" and row["variant"] == BASELINE]
    highest = max((row["estimate"] for row in levels if row["estimate"] is not None), default=0.0)
    by_variant: dict[str, float] = {}
    for row in rows:
        if row["kind"] != "change" or row["estimate"] is None:
            continue
        if abs(row["estimate"]) >= ABORTED_FROM or is_shown(row, 0.95):
            aborted = (row["baseline"] or 0.0) + row["estimate"]
            by_variant[row["variant"]] = max(aborted, by_variant.get(row["variant"], 0.0))
    if highest < ABORTED_FROM and not by_variant:
        return []
    most = sorted(by_variant.items(), key=lambda item: -item[1])
    changed = [f"{name} {100 * aborted:.1f} %" for name, aborted in most]
    level = levels[0] if len(levels) == 1 else None
    return [say("aborted", level, percent(highest, unit=" %"), changed)]


# --- The whole frame ------------------------------------------------------------------------------


def long_tables(data: OverviewInput, *kinds: str) -> list[Table]:
    """Return the frame by kind and table; `kinds` alone, if some are given.

    With `kinds`, what tables of variants show anyhow is left out.
    """
    names = [*data.keys, "lineup"]
    frame = data.frame
    if kinds:
        # Without variants no table shows what is counted once a match.
        has_variants = (frame["variant"] != BASELINE).any()
        shown = (pl.col("who") == "") if has_variants else pl.lit(value=False)
        frame = frame.filter(pl.col("kind").is_in(kinds), ~shown)
    tables = []
    for part in frame.partition_by(*names, "kind", maintain_order=True):
        row = part.row(0, named=True)
        at = data.place_words({name: row[name] for name in names})
        content = KINDS.get(row["kind"], row["kind"])
        if row["kind"] == "change" and not data.is_paired:
            content = "what changes, on independent deals"
        title = f"{content}{': ' if at else ''}{at}"
        tables.append(_long_table(part.to_dicts(), title[0].upper() + title[1:], data.shares))
    return sorted(tables, key=lambda table: table.frame["lineup"][0] != data.reference)


def _long_table(rows: Sequence[Row], title: str, shares: Collection[str]) -> Table:
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
    if all(row["variant"] == BASELINE for row in rows):
        del columns[0]
    filled = [
        column for column in columns if any(row[column.name] not in (None, "") for row in rows)
    ]
    return Table.of(rows, filled, title)


def _who(row: Row) -> str:
    return f"{row['who']} − {row['against']}" if row["against"] else str(row["who"])


def estimate_text(row: Row, shares: Collection[str] = SHARES) -> str:
    """Write the estimate of a row of the frame with its interval."""
    signed = row["kind"] not in ("level", "after", "payoff", "variance", "quantile")
    is_share = row["number"] in shares or row["kind"] in ("payoff", "variance", "relative")
    if is_share and not signed:
        return share(row)
    return interval_text(row, 100 if is_share else 1, signed=signed)


def _baseline(row: Row, shares: Collection[str]) -> str:
    if row["baseline"] is None:
        return "–"
    is_share = row["number"] in shares
    return f"{100 * row['baseline']:.1f} %" if is_share else f"{row['baseline']:,.4g}"


# --- Rows of the frame ----------------------------------------------------------------------------


def _grouped(rows: Iterable[Row], *names: str) -> list[tuple[tuple[Any, ...], list[Row]]]:
    """Return rows by the values of columns, in the order in which they come first."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[name] for name in names), []).append(row)
    return list(groups.items())


def _with(rows: Iterable[Row], **values: Any) -> Iterator[Row]:
    """Yield the rows that have these values."""
    return (row for row in rows if all(row[name] == value for name, value in values.items()))


def _by_number(rows: Iterable[Row], *, plain: bool = False) -> dict[tuple[str, str, str], Row]:
    """Return rows by who, number and against; with `plain`, `against` is not a policy."""
    return {
        (str(row["who"]), str(row["number"]), "" if plain else str(row["against"] or "")): row
        for row in rows
    }


def relative(row: Row, level: float) -> Row:
    """Return a change in parts of a level."""
    return {**row, **{name: None if row[name] is None else row[name] / level for name in ENDS}}
