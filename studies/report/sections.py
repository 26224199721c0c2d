"""The sections of a report: each a query on the frame, a chart, and a sentence template.

A sentence says only what an interval, or a test corrected over its family, bears out; what is not
shown is named as such, or left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import polars as pl

from simcore.options import show
from studies.answers.cards import study_cards
from studies.answers.headlines import FIRST_SEAT, LENGTH
from studies.measures import game_of
from studies.overview import (
    answer_tables,
    counted_length,
    decided_level,
    gap_row,
    seating_tables,
    short,
    standing_tables,
)
from studies.plots import charts
from studies.plots.figure import Chart
from studies.render import Column, Table, counted, number, percent
from studies.report.content import Picture, Section
from studies.report.report_data import (
    BASELINE,
    EVENTS,
    ReportData,
    Row,
    is_shown,
    one,
    per_cent,
    points,
    policy,
    position,
    some,
    spoken,
    way,
)

MOST_ROWS = 60
"""Rows of a folded table."""

MOST_SENTENCES = 6
MOST_EFFECTS = 4
MOST_TABLES = 12

MOST_NAMED = 2
"""Variants that a sentence names there."""

MOST_TOLD = 3
"""Points or tables with a sentence in a section; its chart has the others."""

MOST_CARDS = 20
"""Cards in the chart of cards: as many of the strongest as of the weakest."""

MOST_INTERVALS_ACROSS = 6
"""Positions up to which cells of a map have their intervals."""

MOST_SEAT_ROWS = 12
"""Tables in the map of seats."""

FEWEST_FOR_QUANTILES = 40
"""Matches from which on the outermost twentieths are more than the two extreme matches."""

MOST_MAP_COLUMNS = 10
"""Line-ups and points in the map of a change."""


def sections(data: ReportData) -> list[Section]:
    """Return all sections that a study has something to say in."""
    found = [make(data) for make in ALL]
    return [own for own in found if own is not None]


# ---- the answer in words


def lead(data: ReportData) -> Iterator[str]:
    """Say what is shown to change most; with several points, see `points_table`."""
    if not data.variants or len(data.points) > 1:
        return
    told = [_length_words(data), _first_seat_words(data), _another_words(data)]
    if any(told):
        yield f"{data.about[0].upper()}{data.about[1:]}: {'; '.join(filter(None, told))}."


def points_table(data: ReportData) -> list[Table]:
    """Return fairness, length and the largest changes, a row per point of the sweep."""
    if len(data.points) < 2 or not data.length:
        return []
    found = []
    for point in data.points:
        here = {"lineup": data.reference, **point}
        levels = data.rows(kind="level", variant=BASELINE, **here)
        length_row = one(row for row in levels if row["number"] == data.length and not row["who"])
        seats_rows = [
            row
            for row in levels
            if row["number"] == "win_rate" and row["who"].startswith("position ")
        ]
        if length_row is None:
            continue
        names = ("estimate", "low", "high")
        first = one(row for row in seats_rows if row["who"] == "position 0")
        found.append(
            {
                **point,
                **{name: length_row[name] for name in names},
                "first": None if first is None else first["estimate"],
                "first_text": ""
                if first is None
                else number(*(first[name] for name in names), scale=100)
                + f" of {100 / len(seats_rows):.1f}",
                "longer": next(iter(_largest(data, LENGTH, point)), ""),
                "earlier": next(iter(_largest(data, FIRST_SEAT, point)), ""),
            }
        )
    point_columns = [Column(key) for key in data.told.keys if len({row[key] for row in found}) > 1]
    columns = [
        *point_columns,
        Column("estimate", data.length, "number", "low", "high"),
        Column("first", "first seat wins, % of even", lambda row: row["first_text"]),
    ]
    if any(row["longer"] for row in found):
        columns.append(Column("longer", f"largest change of {data.length}", "text", wraps=True))
    if any(row["earlier"] for row in found):
        columns.append(Column("earlier", "largest change of the first seat", "text", wraps=True))
    name = data.who(data.reference, everywhere=True)
    changed = ", and the largest changes shown" if len(columns) > len(point_columns) + 2 else ""
    title = f"Unchanged rules{changed}: {name}"
    return [Table(pl.DataFrame(found, infer_schema_length=None), tuple(columns), title)]


def _largest(data: ReportData, question: str, point: Mapping[str, Any]) -> list[str]:
    """Say what rules are shown to change most, by bounds that hold for all that headlines pick."""
    told = data.headlines.of(question, **point)
    found = []
    for row in told.differing if told is not None else ():
        change = points(row)
        if question == LENGTH:
            change = number(row["estimate"], row["low"], row["high"], signed=True)
            if before := row["baseline"]:
                ends = {name: row[name] / before for name in ("estimate", "low", "high")}
                change += f" {data.length}, {per_cent(ends)}"
        found.append(f"{row['variant']} ({change})")
    return found


def _length_words(data: ReportData) -> str:
    if data.headlines.of(LENGTH, **data.point) is None:
        return ""
    shown = _largest(data, LENGTH, data.point)
    if not shown:
        return "no variant is shown to change the length"
    return f"the length changes most with {' and '.join(shown[:MOST_NAMED])}"


def _first_seat_words(data: ReportData) -> str:
    if data.headlines.of(FIRST_SEAT, **data.point) is None:
        return ""
    shown = _largest(data, FIRST_SEAT, data.point)
    if not shown:
        return "no variant is shown to change the first seat's win rate"
    return f"the first seat's win rate changes most with {shown[0]}"


def _another_words(data: ReportData) -> str:
    """Say with which variants another seat wins most often, beside unrelated deals."""
    asked = {"number": "another_winner", **data.point}
    rows = data.rows(kind="population", **asked) or data.rows(
        kind="level", against="", lineup=data.reference, **asked
    )
    most = max(rows, key=lambda row: row["estimate"], default=None)
    if most is None or not most["estimate"]:
        return ""
    here = {"lineup": most["lineup"], "variant": most["variant"], **data.point}
    other = one(data.rows(kind="level", number="unrelated", **here))
    text = number(most["estimate"], most["low"], most["high"], scale=100)
    beside = f"; on unrelated deals in {100 * other['estimate']:.1f} %" if other else ""
    return f"another seat wins most often with {most['variant']} (in {text} % of matches{beside})"


# ---- variants


def variants(data: ReportData) -> Section | None:
    """Describe what each rule changes, the largest effects first."""
    lineup = _changed_lineup(data)
    if not data.variants or lineup is None:
        return None
    told = {name: _effect(data, name, lineup) for name in data.variants}
    found = [(size, name, text) for name, (size, text) in told.items() if text]
    shown = sorted(found, key=lambda own: -own[0])
    sentences = [f"{name}: {text}." for _, name, text in shown[:MOST_EFFECTS]]
    if len(shown) > MOST_EFFECTS:
        rest = some([name for _, name, _ in shown[MOST_EFFECTS:]])
        sentences.append(f"Smaller changes: {rest}.")
    silent = [name for name, (_, text) in told.items() if not text]
    if silent:
        sentences.append(f"No change is shown for {some(silent)}.")
    interactions = [
        table
        for table in answer_tables(data.told, "interaction")
        if table.title.startswith(f"Line-up {lineup}:")
    ]
    return Section(
        "variants",
        "What each rule changes",
        [f"With {data.who(lineup)}{_main_point(data)}, on the same deals:", *sentences],
        list(_variant_pictures(data)),
        tables=[*interactions, *_shown_changes(data)],
    )


def _changed_lineup(data: ReportData) -> str | None:
    """Return the line-up for the effects of variants: the reference, if it has any."""
    changed = {row["lineup"] for row in data.main(kind="change")}
    return next((n for n in (data.reference, *data.lineups) if n in changed), None)


def _effect(data: ReportData, variant: str, lineup: str) -> tuple[float, str]:
    """Return how large the shown effects of a variant are, and the words for them."""
    here = {"variant": variant, "lineup": lineup}
    parts, size = [], 0.0
    longer = one(data.main(kind="change", number=data.length, who="", **here))
    relative = one(data.main(kind="relative", number=data.length, **here))
    if longer is not None and relative is not None and is_shown(longer):
        parts.append(f"{per_cent(relative)} {data.length}")
        size += abs(relative["estimate"])
    first = one(data.main(kind="change", number="win_rate", who="position 0", **here))
    if first is not None and is_shown(first):
        parts.append(f"first seat's win rate {points(first)}")
        size += abs(first["estimate"])
    gaps = [
        row
        for row in data.main(kind="change", number="win_rate", variant=variant)
        if row["against"] and is_shown(row)
    ]
    gaps.sort(key=lambda row: (not _is_reversed(data, row), -abs(row["estimate"])))
    for gap in gaps[:1]:
        at = "" if gap["lineup"] == lineup else f" (line-up {gap['lineup']})"
        parts.append(f"{_gap_words(data, gap)}{at}")
        size += abs(gap["estimate"])
    moved = one(data.main(kind="level", number="another_winner", **here))
    if moved is not None and moved["estimate"] and moved["estimate"] > 0:
        if not parts:
            text = percent(moved["estimate"], moved["low"], moved["high"], " %")
            parts.append(f"another seat wins in {text} of matches")
        size += moved["estimate"] / 10
    tested = [row for row in data.main(kind="change", **here) if is_shown(row)]
    if not tested and not gaps:
        return size, ""
    for row in tested[:1] if not size else []:
        of = f" of {row['who']}" if row["who"] else ""
        parts.insert(0, f"{row['number']}{of} {_written(data, row)}")
    return size, "; ".join(parts)


def _gap_before_and_after(data: ReportData, gap: Row) -> tuple[Row | None, Row | None]:
    place = {name: gap[name] for name in ("lineup", "variant", "who", "number", "against")}
    before = one(data.main(kind="difference", **{**place, "variant": BASELINE}))
    return before, one(data.main(kind="after", **place))


def _is_reversed(data: ReportData, gap: Row) -> bool:
    """Whether both before and after one of two policies is shown to lead, and not the same."""
    ends = [
        row[name]
        for row in _gap_before_and_after(data, gap)
        if row is not None
        for name in ("low", "high")
    ]
    if len(ends) < 4 or None in ends:
        return False
    return bool(ends[0] > 0 > ends[3] or ends[1] < 0 < ends[2])


def _gap_words(data: ReportData, gap: Row) -> str:
    """Say how the gap of two policies moves; a reversal is called one only where it is shown."""
    names = f"{short(policy(gap['who']))} less {short(policy(gap['against']))}"
    before, after = _gap_before_and_after(data, gap)
    if before is None or after is None or not _is_reversed(data, gap):
        return f"{names}: {points(gap)} a seat"
    moved = f"from {points(before)} to {points(after)} a seat"
    return f"the lead is reversed: {names} goes {moved}"


def _variant_pictures(data: ReportData) -> Iterator[Picture]:
    """Yield the forest of what each variant changes, and a map over line-ups and points."""
    lineups = [name for name in data.lineups if data.main(kind="change", lineup=name)][:4]
    lineups.sort(key=lambda name: name != data.reference)
    panels = []
    for kind, number_, who, label, rule in (
        ("relative", data.length, "", f"{data.length}, change in %", 0.0),
        ("change", "win_rate", "position 0", "first seat wins, points", 0.0),
        ("level", "another_winner", "", "another winner, %", None),
    ):
        series = {
            lineup: rows
            for lineup in lineups
            if (rows := _by_variant(data, kind, number_, who=who, lineup=lineup))
        }
        if any(row["estimate"] for rows in series.values() for row in rows.values()):
            start = None if rule == 0 else 0
            panels.append(charts.Panel(series, label, rule=rule, start=start))
    if panels and len(data.variants) > 1:
        yield Picture(
            "variants",
            f"What each variant changes{_main_point(data)}, on the same deals: {data.length} per "
            "match, the first seat's win rate, and how often another seat wins; 95 % intervals.",
            lambda narrow: charts.forest(panels, narrow=narrow),
        )
    yield from _length_map(data)


def _by_variant(data: ReportData, kind: str, number_: str, **where: Any) -> dict[str, Row]:
    """Return a number's row of each variant at the main point, the largest first."""
    rows = data.main(kind=kind, number=number_, against="", **where)
    found = {row["variant"]: row for row in rows if row["variant"] in data.variants}
    return dict(sorted(found.items(), key=lambda item: -abs(item[1]["estimate"])))


def _length_map(data: ReportData) -> Iterator[Picture]:
    """Yield the map of what rules change of the length, by line-up and point of the sweep."""
    values: dict[tuple[str, str], tuple[str, float]] = {}
    rows = [row for row in data.rows(kind="relative", number=data.length) if row["estimate"]]
    rows = [row for row in rows if row["variant"] in data.variants]
    widest = max((abs(row["estimate"]) for row in rows), default=0.0)
    shown = {
        (row["variant"], row["lineup"], repr(data.point_of(row)))
        for row in data.rows(kind="change", number=data.length, who="")
        if is_shown(row)
    }
    order = sorted(data.lineups, key=lambda name: name != data.reference)
    rows.sort(key=lambda row: order.index(row["lineup"]) if row["lineup"] in order else 99)
    for row in rows:
        column = ", ".join(filter(None, (row["lineup"], data.at(data.point_of(row)))))
        certain = (row["variant"], row["lineup"], repr(data.point_of(row))) in shown
        text = f"{100 * row['estimate']:+.1f}" if certain else "0?"
        values[row["variant"], column] = (text, row["estimate"] / widest if certain else 0.0)
    columns = list(dict.fromkeys(column for _, column in values))[:MOST_MAP_COLUMNS]
    names = [name for name in data.variants if any((name, c) in values for c in columns)]
    if len(columns) > 1 and len(names) > 1:
        yield Picture(
            "variants-map",
            f"Change of {data.length} per match in %, by variant, line-up and point of the sweep; "
            "“0?”: not shown to differ from no change.",
            lambda narrow: charts.cells(names, columns, values, narrow=narrow),
            folded=True,
        )


def _shown_changes(data: ReportData) -> list[Table]:
    """Return the changes that are shown, the most certain first."""
    rows = [row for row in data.rows(kind="change") if is_shown(row)]
    rows.sort(key=lambda row: (row["p_holm"], -abs(row["estimate"])))
    return _rows_table(data, rows, "All changes that are shown")


def _rows_table(data: ReportData, rows: Sequence[Row], title: str) -> list[Table]:
    """Return rows of the frame as a table, only the first ones if there are many."""
    if not rows:
        return []
    frame = pl.DataFrame(rows[:MOST_ROWS], infer_schema_length=None)
    keys = [key for key in (*data.told.keys, "lineup", "variant") if frame[key].n_unique() > 1]
    columns = [
        *(Column(key, form="text") for key in keys),
        Column(
            "who", form=lambda row: " − ".join(filter(None, (row["who"], _other(row)))), wraps=True
        ),
        Column("number"),
        Column("estimate", form=lambda row: _written(data, row)),
        *([Column("p_holm", "p (Holm)", "p")] if frame["p_holm"].null_count() < len(frame) else []),
    ]
    hidden = len(rows) - MOST_ROWS
    notes = (f"{hidden:,} more: cardlab compare {data.directory} --csv",) if hidden > 0 else ()
    return [Table(frame, tuple(columns), title, notes)]


def _other(row: Row) -> str:
    """Return whom a row is compared with; in contrasts `against` is something else."""
    return row["against"] if row["kind"] in ("change", "difference", "after", "strength") else ""


def _written(data: ReportData, row: Row) -> str:
    from studies.overview import estimate_text

    return estimate_text(row, data.told.shares)


# ---- seats


def seats(data: ReportData) -> Section | None:
    """Tell which seats win more often, and how variants and points move that."""
    maps: dict[tuple[str, str], tuple[str, float]] = {}
    levels_of: dict[str, list[Row]] = {}
    lineups = [name for name in data.lineups if data.alone(name)] or data.lineups[:4]
    lineups.sort(key=lambda name: name != data.reference)
    rows_of: list[str] = []
    sentences: list[str] = []
    silent: dict[str, str] = {}
    for lineup in lineups:
        for point in data.points:
            levels = [
                row
                for row in data.rows(kind="level", number="win_rate", lineup=lineup, **point)
                if row["who"].startswith("position")
            ]
            if not levels:
                continue
            name = ", ".join(filter(None, (lineup, data.at(point))))
            rows_of.append(name)
            levels_of[name] = levels
            for row in levels:
                even = 1 / len(levels)
                mark = way(row, "▲", "▼", "")
                if mark:
                    mark = "▲" if row["estimate"] > even else "▼"
                away = (row["estimate"] / even - 1) / charts.WIDEST
                text = f"{mark}{100 * row['estimate']:.1f}"
                maps[name, row["who"].removeprefix("position ")] = text, away
            told = _seat_words(levels)
            if told:
                sentences.append(f"{name}: {told}.")
            else:
                silent[name] = f"{100 / len(levels):.1f} %"
    if not rows_of:
        return None
    del sentences[MOST_TOLD:]
    if silent:
        where = "At the other tables no" if sentences else "No"
        shares = {f" ({share})" for share in silent.values()}
        share = shares.pop() if len(shares) == 1 else ""
        sentences.append(
            f"{where} seat is shown to win more or less often than an even share{share}."
        )
    moved = [
        row
        for row in data.rows(kind="change", number="win_rate", who="position 0")
        if is_shown(row)
    ]
    moved.sort(key=lambda row: -abs(row["estimate"]))
    seen = rows_of[:MOST_SEAT_ROWS]
    columns = list(dict.fromkeys(column for name, column in maps if name in seen))
    left = "" if seen == rows_of else f" The first {len(seen)} of {len(rows_of)} tables."
    pictures = [
        Picture(
            "seats",
            f"Win rate by position in %, {rows_of[0]}; position 0 begins, the others follow "
            f"clockwise. The line is an even share; 95 % intervals.",
            partial(_seat_bars, levels_of[rows_of[0]]),
        )
    ]
    if len(rows_of) > 1:
        pictures.append(
            Picture(
                "seats-map",
                "Win rate by position in %, by table. ▲ and ▼: shown to win more or less often "
                f"than an even share.{left}",
                lambda narrow: charts.cells(seen, columns, maps, "position", narrow=narrow),
            )
        )
    return Section(
        "seats",
        "Seats",
        sentences,
        pictures,
        tables=_rows_table(data, moved, "Rules that change the first seat's win rate"),
    )


def _seat_bars(levels: Sequence[Row], narrow: bool) -> Chart:
    return charts.shares(
        {row["who"]: row for row in levels}, "win rate, %", 100 / len(levels), narrow=narrow
    )


def _seat_words(levels: Sequence[Row]) -> str:
    """Say which seats are shown to win more or less often than the even share; "" if none is."""
    even = 1 / len(levels)
    above = [row for row in levels if is_shown(row) and row["estimate"] > even]
    below = [row for row in levels if is_shown(row) and row["estimate"] < even]
    if not above and not below:
        return ""
    words = [f"{position(row['who'])} {_share(row)}" for row in (*above, *below)]
    return f"{some(words)}; even is {100 * even:.1f} %"


def _share(row: Row) -> str:
    return percent(row["estimate"], row["low"], row["high"], " %")


# ---- length


def length(data: ReportData) -> Section | None:
    """Tell how long matches are, where they end, and what makes them longer."""
    name = data.length
    if not name:
        return None
    sentences, histograms = [], {}
    for point in data.points:
        row = one(
            data.rows(kind="level", number=name, lineup=data.reference, variant=BASELINE, **point)
        )
        if row is None:
            continue
        ends = {
            own["number"].rpartition(" ")[2]: own["estimate"]
            for own in data.rows(kind="quantile", lineup=data.reference, **point)
            if own["number"].startswith(f"{name} q") and own["matches"] >= FEWEST_FOR_QUANTILES
        }
        spread = _spread(ends)
        where = f"{data.at(point)}: " if len(data.points) > 1 else ""
        mean = counted_length(row, f" {name} per match")
        sentences.append(f"{where}{mean}{spread}{decided_level(data.told, row)}.")
        counts = _histogram(data, point, BASELINE)
        if counts:
            histograms[data.at(point) or BASELINE] = counts
    for variant in _longest(data)[:3] if len(histograms) == 1 else []:
        counts = _histogram(data, data.point, variant)
        if counts:
            histograms[variant] = counts
    if not sentences:
        return None
    del sentences[MOST_TOLD:]
    longer = one(
        row
        for row in data.rows(kind="point", number=name, variant=BASELINE, lineup=data.reference)
        if is_shown(row)
    )
    if longer is not None:
        at = data.at(data.point_of(longer))
        change = number(longer["estimate"], longer["low"], longer["high"], signed=True)
        sentences.append(f"{at} rather than {spoken(longer['against'])}: {change} {name}.")
    pictures = []
    varied = {label: own for label, own in list(histograms.items())[:6] if len(own) > 2}
    if varied:
        who = data.who(data.reference, everywhere=len(data.points) > 1)
        pictures.append(
            Picture(
                "length",
                f"Distribution of {name} per match; the thick line is the mean, the thin outline "
                f"repeats the first; {who}.",
                lambda narrow: charts.histograms(varied, name, narrow=narrow),
            )
        )
    pictures += _length_by_point(data)
    shown = [row for row in data.rows(kind="point") if is_shown(row)]
    shown.sort(key=lambda row: (row["variant"] != BASELINE, row["p_holm"]))
    title = "Differences between points of the sweep that are shown"
    return Section(
        "length",
        "Length",
        sentences[: MOST_SENTENCES + 1],
        pictures,
        tables=_rows_table(data, shown, title),
    )


def _spread(ends: Mapping[str, float]) -> str:
    """Say between which lengths nine of ten matches lie, where quantiles are known."""
    if not ends:
        return ""
    if ends["q05"] == ends["q95"]:
        return " in nine of ten or more"
    return f", from {ends['q05']:,.0f} to {ends['q95']:,.0f} in nine of ten"


def _histogram(data: ReportData, point: Mapping[str, Any], variant: str) -> dict[int, int]:
    for cell in data.stored.cells:
        if (cell.variant, cell.lineup) == (variant, data.reference) and cell.point == {
            key: value for key, value in point.items() if key in cell.point
        }:
            totals = data.stored.totals(cell)
            return {} if totals is None else totals.histogram(data.length)
    return {}


def _longest(data: ReportData) -> list[str]:
    """Return the variants that are shown to change the length, the largest change first."""
    rows = data.main(kind="change", number=data.length, lineup=data.reference)
    shown = sorted((r for r in rows if is_shown(r)), key=lambda row: -abs(row["estimate"]))
    return [row["variant"] for row in shown]


def _length_by_point(data: ReportData) -> list[Picture]:
    """Return the length of each variant at each point, where a study sweeps."""
    pictures = list(_dials(data))
    if len(data.points) < 2 or not data.variants:
        return pictures
    series = {}
    for point in data.points[:6]:
        here = {"number": data.length, "lineup": data.reference, **point}
        rows = [
            *data.rows(kind="level", variant=BASELINE, **here),
            *data.rows(kind="after", **here),
        ]
        if rows:
            series[data.at(point)] = {row["variant"]: row for row in rows}
    changed = data.rows(kind="change", number=data.length, who="", lineup=data.reference)
    if not any(row["estimate"] for row in changed):
        return pictures
    caption = f"{data.length} per match, by variant and point of the sweep; 95 % intervals."
    if len(series) < len(data.points):
        caption += f" The first {len(series)} of {len(data.points)} points."
    pictures.append(
        Picture(
            "length-variants",
            caption[0].upper() + caption[1:],
            lambda narrow: charts.dots(series, data.length, scale=1, narrow=narrow),
        )
    )
    return pictures


def _dials(data: ReportData) -> Iterator[Picture]:
    """Yield the map of the length over two swept values, each with half its interval."""
    keys = [key for key in data.told.keys if len({point[key] for point in data.points}) > 1]
    if len(keys) != 2:
        return
    here = {"kind": "level", "number": data.length, "lineup": data.reference}
    rows = [row for row in data.rows(variant=BASELINE, **here) if not row["who"]]
    if len(rows) < 4:
        return
    middle = sum(row["estimate"] for row in rows) / len(rows)
    widest = max(abs(row["estimate"] - middle) for row in rows) or 1.0
    down, across = ([f"{show(row[key])}" for row in rows] for key in keys)
    values = {
        (one_, two): (
            number(row["estimate"], row["low"], row["high"]),
            (row["estimate"] - middle) / widest,
        )
        for one_, two, row in zip(down, across, rows, strict=True)
    }
    lines, columns = list(dict.fromkeys(down)), list(dict.fromkeys(across))
    yield Picture(
        "length-map",
        f"{data.length} per match by {keys[0]} (rows) and {keys[1]} (columns), with half of the "
        f"95 % interval; {data.who(data.reference, everywhere=True)}.",
        lambda narrow: charts.cells(lines, columns, values, keys[1], narrow=narrow),
    )


# ---- policies


def skill(data: ReportData) -> Section | None:
    """Tell how strong the policies are: gaps, the ladder, who beats whom."""
    if data.pair is None:
        return None
    sentences = [*_ladder_words(data)]
    if not sentences:
        gap = one(
            row
            for row in (_gap(data, lineup) for lineup in data.lineups)
            if row is not None and row["low"] is not None
        )
        if gap is not None and (gap["low"] > 0 or gap["high"] < 0):
            ahead, behind = data.pair if gap["estimate"] > 0 else data.pair[::-1]
            sentences.append(f"{ahead} wins more often than {behind}: {points(gap)} a seat.")
        else:
            sentences.append("No policy is shown to win more often than another.")
    ranked = [
        row
        for row in data.by_kind.get("strength", [])
        if not row["against"] and _at_main(data, row)
    ]
    pictures = []
    if len(ranked) > 1:
        shown = {policy(row["who"]): row for row in ranked}
        pictures.append(
            Picture(
                "ladder",
                "Strength of each policy over all line-ups: the log-odds of beating a policy of "
                "mean strength; 95 % intervals.",
                lambda narrow: charts.dots({"": shown}, "log-odds", scale=1, rule=0, narrow=narrow),
            )
        )
    pictures += _payoffs(data, [policy(row["who"]) for row in ranked])
    pictures += _win_rates_by_point(data)
    pictures += _policy_seats(data)
    tables = [*standing_tables(data.told)[:2], *seating_tables(data.told)[:1]]
    return Section("skill", "Policies and skill", sentences, pictures, tables=tables)


def _gap(data: ReportData, lineup: str) -> Row | None:
    assert data.pair is not None
    rows = data.main(kind="difference", number="win_rate", lineup=lineup)
    return gap_row({(r["who"], r["number"], r["against"]): r for r in rows}, data.pair)


def _at_main(data: ReportData, row: Row) -> bool:
    return all(row[key] == value for key, value in data.point.items() if "." not in key)


def _ladder_words(data: ReportData) -> Iterator[str]:
    """Say which policy is shown to be ahead of which, and where none is."""
    rows = [row for row in data.by_kind.get("strength", []) if _at_main(data, row)]
    order = [row["who"] for row in rows if not row["against"]]
    steps = {(row["who"], row["against"]): row for row in rows if row["against"]}
    if len(order) < 2:
        return
    first = order[0]
    close = [who for who in order[1:] if not is_shown(steps[first, who])]
    names = some([policy(who) for who in (first, *close)])
    if close:
        yield f"Strongest: {names}, which are not shown to differ."
    else:
        yield f"{policy(first)} is ahead of all others."
    unclear = [
        f"{policy(one_)} and {policy(two)}"
        for one_, two in pairwise(order[1:])
        if not is_shown(steps[one_, two]) and one_ not in close
    ]
    if unclear:
        yield f"Not shown to differ: {some(unclear)}."


def _payoffs(data: ReportData, order: Sequence[str]) -> list[Picture]:
    rows = [row for row in data.by_kind.get("payoff", []) if _at_main(data, row)]
    names = list(order) or list(dict.fromkeys(policy(row["who"]) for row in rows))
    if not 3 <= len(names) <= 14:
        return []
    found = {
        (policy(row["who"]), policy(row["against"])): (
            f"{100 * row['estimate']:.1f}",
            2 * row["estimate"] - 1,
        )
        for row in rows
        if row["estimate"] is not None
    }
    return [
        Picture(
            "payoffs",
            "How often the policy of the row wins against the policy of the column, in % of the "
            "matches that either wins; 50 is even.",
            lambda narrow: charts.cells(names, names, found, narrow=narrow),
        )
    ]


def _policy_seats(data: ReportData) -> Iterator[Picture]:
    """Yield the map of how often each policy wins at each position, of the first line-up mixed."""
    rows = [row for row in data.by_kind.get("seating", []) if _at_main(data, row)]
    lineup = next((row["lineup"] for row in rows), "")
    rows = [row for row in rows if row["lineup"] == lineup]
    positions = list(dict.fromkeys(position(row["against"]) for row in rows))
    names = list(dict.fromkeys(policy(row["who"]) for row in rows))
    values = {}
    for row in rows:
        ends = (row["low"], row["high"]) if len(positions) <= MOST_INTERVALS_ACROSS else ()
        text = number(row["estimate"], *ends, scale=100)
        away = (row["estimate"] * len(positions) - 1) / charts.WIDEST
        values[policy(row["who"]), position(row["against"])] = text, away
    if names:
        yield Picture(
            "policy-seats",
            f"Win rate of each policy at each position in %, line-up {lineup}"
            f"{_main_point(data)}, with half of the 95 % interval; "
            f"{100 / len(positions):.1f} % is even.",
            lambda narrow: charts.cells(names, positions, values, narrow=narrow),
        )


def _win_rates_by_point(data: ReportData) -> list[Picture]:
    """Return the win rates of the policies at each point, where a study sweeps one line-up."""
    mixed = [name for name in data.lineups if not data.alone(name)]
    if len(data.points) < 2 or len(mixed) != 1:
        return []
    series: dict[str, dict[str, Row]] = {}
    for point in data.points[:MOST_TABLES]:
        asked = {"kind": "level", "number": "win_rate", "variant": BASELINE, "lineup": mixed[0]}
        rows = [r for r in data.rows(**asked, **point) if r["who"].startswith("policy ")]
        names = [short(policy(row["who"])) for row in rows]
        for row, name in zip(rows, names, strict=True):
            label = name if names.count(name) == 1 else policy(row["who"])
            series.setdefault(label, {})[data.at(point)] = row
    if not series:
        return []
    return [
        Picture(
            "win-rates",
            "Win rate of each policy in %, per seat, by point of the sweep; 95 % intervals.",
            lambda narrow: charts.dots(series, "win rate, %", narrow=narrow),
        )
    ]


# ---- cards


def cards(data: ReportData) -> Section | None:
    """Tell which card is too strong or too weak, where cards were counted."""
    cell = next(
        (
            own
            for own in data.stored.cells
            if (own.variant, own.lineup) == (BASELINE, data.reference)
            and all(own.point.get(key) in (None, value) for key, value in data.point.items())
        ),
        None,
    )
    found = study_cards(data.stored, asked=[cell]) if cell is not None else None
    if found is None or not len(found):
        return None
    series: dict[str, dict[str, Row]] = {}
    for row in found.rename({"less_usual": "estimate"}).iter_rows(named=True):
        series.setdefault(row["when"], {})[row["card"]] = row
    first = next(iter(series.values()))
    order = sorted(first, key=lambda card: -first[card]["estimate"])
    if len(order) > MOST_CARDS:
        order = order[: MOST_CARDS // 2] + order[-MOST_CARDS // 2 :]
    shown = {when: {c: own[c] for c in order if c in own} for when, own in series.items()}
    left = "" if len(order) == len(first) else f" {len(order)} of {len(first)} cards."
    picture = Picture(
        "cards",
        "How much more often a seat wins that was dealt a card, drew it or played it than it does "
        "over all deals, in points; 95 % intervals. The deal is chance alone; what was drawn or "
        f"played also tells how the match went.{left}",
        lambda narrow: charts.dots(shown, "win rate less the usual, points", rule=0, narrow=narrow),
    )
    told = _card_words(list(series.get("dealt", {}).values()))
    return Section("cards", "Cards", [told], [picture])


def _card_words(rows: Sequence[Row]) -> str:
    """Say which cards are shown to help, and which to hurt, the seat that is dealt them."""
    parts = []
    for word, sign in (("more", 1), ("less", -1)):
        own = [row for row in rows if is_shown(row) and row["estimate"] * sign > 0]
        own.sort(key=lambda row: -abs(row["estimate"]))
        if own:
            named = [f"{row['card']} ({points(row)})" for row in own[:MOST_NAMED]]
            rest = len(own) - MOST_NAMED
            more = f", and {rest} more" if rest > 0 else ""
            parts.append(f"{word} often with {' or '.join(named)}{more}")
    if not parts:
        return "No card is shown to help or to hurt the seat that is dealt it."
    return f"By what it is dealt a seat wins {'; '.join(parts)}."


# ---- luck, drama, sweeps


def luck(data: ReportData) -> Section | None:
    """Tell what share of the variance of who wins the policies explain, and all else."""
    skills = {row["lineup"]: row for row in data.main(kind="variance") if row["number"] == "policy"}
    if not skills:
        return None
    order = sorted(skills, key=lambda lineup: -skills[lineup]["estimate"])
    most = order[0]
    sentences = [
        LUCK,
        f"In line-up {most} the policies explain {_share(skills[most])} of the variance.",
    ]
    shares = {
        lineup: {"policies": max(0.0, share), "all else": min(1.0, 1 - share)}
        for lineup in order[:12]
        for share in [skills[lineup]["estimate"]]
    }
    picture = Picture(
        "luck",
        "Share of the variance of who wins that the policies explain, by line-up.",
        lambda narrow: charts.bars(shares, "of the variance of who wins, %", narrow=narrow),
    )
    return Section("luck", "What decides who wins", sentences, [picture] if len(shares) > 1 else [])


LUCK = (
    "Who wins varies from match to match. The policies explain a share of that variance, in this "
    "line-up: equals explain none. The rest is the cards, the seat, how the match went, and which "
    "of several seats of one policy wins."
)

WORDS = {
    "led_throughout": "led throughout",
    "behind": "winner was behind",
    "settled_by_quarter": "lead settled by a quarter",
    "settled_by_half": "lead settled by half",
    "decided_at_the_end": "lead changed in the last round",
    "close": "close end",
    "runaway": "runaway winner",
}


DRAMA = {
    "decided_at_the_end": "The lead changed in the last round",
}


def drama(data: ReportData) -> Section | None:
    """Tell how matches get to their winners."""
    series: dict[str, dict[str, Row]] = {}
    lineups = [name for name in data.lineups if data.alone(name)] or data.lineups
    for lineup in lineups[:4]:
        rows = {r["number"]: r for r in data.main(kind="level", lineup=lineup, variant=BASELINE)}
        own = {WORDS[name]: rows[name] for name in EVENTS if name in rows}
        if own:
            series[lineup] = own
    if not series:
        return None
    told = series.get(data.reference) or next(iter(series.values()))
    sentences = [
        f"{DRAMA[name]} in {_share(row)} of decided matches."
        for name, row in ((own, told.get(WORDS[own])) for own in DRAMA)
        if row is not None
    ]
    margin = one(data.main(kind="level", number="margin", lineup=data.reference))
    if margin is not None:
        text = number(margin["estimate"], margin["low"], margin["high"])
        sentences.append(f"At the end the winner is {text} points ahead of the next.")
    picture = Picture(
        "drama",
        "Shares of decided matches, 95 % intervals. Close: the winner's margin is at most a tenth "
        "of the distance between first and last; runaway: at least half.",
        lambda narrow: charts.dots(series, "decided matches, %", start=0, narrow=narrow),
    )
    return Section("drama", "How matches are decided", sentences, [picture])


def sweep(data: ReportData) -> Section | None:
    """Tell the effects of factors."""
    effects = [row for row in data.main(kind="factor", number=data.length) if is_shown(row)]
    effects.sort(key=lambda row: -abs(row["estimate"]))
    sentences = [
        f"{row['variant']}: {number(row['estimate'], row['low'], row['high'], signed=True)} "
        f"{row['number']}."
        for row in effects[:MOST_SENTENCES]
    ]
    told = {row["variant"]: row for row in data.main(kind="factor", number=data.length, who="")}
    if not told:
        return None
    if not sentences:
        sentences = [f"No factor is shown to change {data.length}."]
    pictures = []
    if len(told) > 1:
        pictures.append(
            Picture(
                "factors",
                f"Effects of the factors on {data.length}, each over the levels of the others.",
                lambda narrow: charts.dots({"": told}, data.length, scale=1, rule=0, narrow=narrow),
            )
        )
    return Section("sweep", "What the factors change", sentences, pictures)


# ---- basis


def basis(data: ReportData) -> Section:
    """Tell what was played, and how to go on."""
    told = data.stored
    deals = [told.deals(cell) for cell in told.cells]
    matches = sum(told.matches(cell) for cell in told.cells)
    line_ups = [
        {"lineup": name, "seats": ", ".join(own) if len(set(own)) > 1 else f"{own[0]} × {len(own)}"}
        for name, own in data.seats.items()
    ]
    changed = [
        {
            "variant": cell.variant,
            "changes": ", ".join(
                f"{name} = {show(value)}"
                for name, value in cell.options.items()
                if told.base(cell).options.get(name) != value
            ),
        }
        for cell in told.cells
        if cell.variant != BASELINE
    ]
    rules = pl.DataFrame(changed).unique(maintain_order=True) if changed else None
    players = {len(cell.seats) for cell in told.cells}
    where = str(data.directory)
    low, high, seed = min(deals), max(deals), told.cells[0].seed
    cells = counted(len(told.cells), "cell")
    each = counted(low, "deal") if low == high else f"{low:,} to {high:,} deals"
    return Section(
        "basis",
        "What this rests on",
        [
            f"{counted(matches, 'match')} in {cells} of {each} each, seed {seed}.",
            "Intervals are 95 % intervals, by deal; p-values are corrected (Holm, by family).",
            *(f"Assumed: {text.rstrip('.')}." for text in data.game.assumed(players)),
            *(f"{note.rstrip('.')}." for note in data.told.notes),
        ],
        tables=[
            Table(
                pl.DataFrame(line_ups),
                (Column("lineup", "line-up"), Column("seats", wraps=True)),
                "Line-ups",
            ),
            *(
                [
                    Table(
                        rules,
                        (Column("variant"), Column("changes", wraps=True)),
                        "Rules of the variants",
                    )
                ]
                if rules is not None
                else []
            ),
        ],
        commands=[
            ("every number, a row each", f"cardlab compare {where} --csv"),
            (
                "one match in words",
                _play_command(data),
            ),
            ("more matches", f"cardlab run {where} --matches {2 * max(deals, default=1)}"),
        ],
    )


def _play_command(data: ReportData) -> str:
    """Return the command that shows the first match of the report's main table."""
    from shlex import quote

    cell = next(
        cell
        for cell in data.stored.cells
        if (cell.lineup, cell.variant) == (data.reference, BASELINE)
    )
    seats = ",".join(cell.seats[:1] if data.alone(cell.lineup) else cell.seats)
    base = game_of(cell).resolve({"players": len(cell.seats)})
    rules = "".join(
        f" --rule {name}={quote(show(value))}"
        for name, value in cell.options.items()
        if name != "players" and base.get(name) != value
    )
    return (
        f"cardlab play {quote(cell.game)} --players {len(cell.seats)}{rules} "
        f"--lineup {quote(seats)} --seed {cell.seed} --match 0"
    )


def measures(data: ReportData) -> Section | None:
    """Tell what the study counts by itself."""
    if not data.told.measures:
        return None
    rows = [row for row in data.rows(kind="level") if row["number"] in data.told.measures]
    moved = [
        row
        for row in data.rows(kind="change")
        if row["number"] in data.told.measures and is_shown(row)
    ]
    sentences = [
        f"{row['number']}{' of ' + row['who'] if row['who'] else ''}: {_written(data, row)}."
        for row in rows
        if row["lineup"] == data.reference and data.point_of(row) == data.point
    ]
    title = "The study's own measures"
    return Section(
        "measures",
        title,
        sentences[:MOST_SENTENCES],
        tables=[
            *_rows_table(data, rows, title),
            *_rows_table(data, moved, "Changes of them that are shown"),
        ],
    )


def _main_point(data: ReportData) -> str:
    return f", {data.at(data.point)}" if len(data.points) > 1 else ""


ALL: tuple[Callable[[ReportData], Section | None], ...] = (
    length,
    seats,
    skill,
    cards,
    variants,
    sweep,
    measures,
    drama,
    luck,
    basis,
)
