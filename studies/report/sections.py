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

from simcore.game import get_game
from simcore.options import show
from studies.answers.cards import study_cards
from studies.overview import answer_tables, gap_row, short, standing_tables
from studies.plots import charts
from studies.plots.figure import Chart
from studies.render import Column, Table, counted, number, percent
from studies.report.content import Picture, Section
from studies.report.story import (
    BASELINE,
    EVENTS,
    Row,
    Story,
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

MOST_SEAT_ROWS = 12
"""Tables in the map of seats."""

MOST_MAP_COLUMNS = 10
"""Line-ups and points in the map of a change."""


def sections(story: Story) -> list[Section]:
    """Return all sections that a study has something to say in."""
    found = [make(story) for make in ALL]
    return [own for own in found if own is not None]


# ---- the answer in words


def lead(story: Story) -> Iterator[str]:
    """Say what is shown to change most; with several points, see `points_table`."""
    if not story.variants or len(story.points) > 1:
        return
    here = {"lineup": story.reference, **story.point}
    told = [
        _length_words(story, here),
        _first_seat_words(story, here),
        _another_words(story, here),
    ]
    if any(told):
        who = story.who(story.reference)
        yield f"{who[0].upper()}{who[1:]}: {'; '.join(filter(None, told))}."


def points_table(story: Story) -> list[Table]:
    """Return fairness, length and the largest changes, a row per point of the sweep."""
    if len(story.points) < 2 or not story.length:
        return []
    found = []
    for point in story.points:
        here = {"lineup": story.reference, **point}
        levels = story.rows(kind="level", variant=BASELINE, **here)
        length_row = one(row for row in levels if row["number"] == story.length and not row["who"])
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
                "longer": _most_longer(story, here),
                "earlier": _most_first_seat(story, here),
            }
        )
    point_columns = [Column(key) for key in story.told.keys if len({row[key] for row in found}) > 1]
    columns = [
        *point_columns,
        Column("estimate", story.length, "number", "low", "high"),
        Column("first", "first seat wins, % of even", lambda row: row["first_text"]),
    ]
    if any(row["longer"] for row in found):
        columns.append(Column("longer", f"largest change of {story.length}", "text", wraps=True))
    if any(row["earlier"] for row in found):
        columns.append(Column("earlier", "largest change of the first seat", "text", wraps=True))
    name = story.who(story.reference, everywhere=True)
    changed = ", and the largest changes shown" if len(columns) > len(point_columns) + 2 else ""
    title = f"Unchanged rules{changed}: {name}"
    return [Table(pl.DataFrame(found, infer_schema_length=None), tuple(columns), title)]


def _most_longer(story: Story, here: Mapping[str, Any]) -> str:
    """Say which variant is shown to change the length most, and by how much."""
    shown = _largest(story.rows(kind="change", number=story.length, who="", **here))
    if not shown:
        return ""
    most = shown[0]
    change = number(most["estimate"], most["low"], most["high"], signed=True)
    part = one(story.rows(kind="relative", number=story.length, variant=most["variant"], **here))
    return f"{most['variant']} {change}{f' ({per_cent(part)})' if part else ''}"


def _most_first_seat(story: Story, here: Mapping[str, Any]) -> str:
    """Say which variant is shown to change the first seat's win rate most."""
    shown = _largest(story.rows(kind="change", number="win_rate", who="position 0", **here))
    return f"{shown[0]['variant']} {points(shown[0])}" if shown else ""


def _largest(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that are shown to differ from nothing, the largest first."""
    return sorted((row for row in rows if is_shown(row)), key=lambda row: -abs(row["estimate"]))


def _length_words(story: Story, here: Mapping[str, Any]) -> str:
    rows = story.rows(kind="change", number=story.length, who="", **here)
    shown = _largest(rows)
    if not shown:
        return "no variant is shown to change the length" if rows else ""
    relative = {
        row["variant"]: row for row in story.rows(kind="relative", number=story.length, **here)
    }
    told = []
    for row in shown[:MOST_NAMED]:
        change = number(row["estimate"], row["low"], row["high"], signed=True)
        part = relative.get(row["variant"])
        in_percent = f", {per_cent(part)}" if part else ""
        told.append(f"{row['variant']} ({change} {story.length}{in_percent})")
    return f"the length changes most with {' and '.join(told)}"


def _first_seat_words(story: Story, here: Mapping[str, Any]) -> str:
    rows = story.rows(kind="change", number="win_rate", who="position 0", **here)
    shown = _largest(rows)
    if not shown:
        return "no variant is shown to change the first seat's win rate" if rows else ""
    most = shown[0]
    return f"the first seat's win rate changes most with {most['variant']} ({points(most)})"


def _another_words(story: Story, here: Mapping[str, Any]) -> str:
    """Say with which variants another seat wins most often, beside unrelated deals."""
    rows = story.rows(kind="level", number="another_winner", against="", **here)
    rows = sorted((row for row in rows if row["estimate"] > 0), key=lambda row: -row["estimate"])
    unrelated = {
        row["variant"]: row for row in story.rows(kind="level", number="unrelated", **here)
    }
    if not rows:
        return ""
    most = rows[0]
    other = unrelated.get(most["variant"])
    text = number(most["estimate"], most["low"], most["high"], scale=100)
    beside = f"; on unrelated deals in {100 * other['estimate']:.1f} %" if other else ""
    return f"another seat wins most often with {most['variant']} (in {text} % of matches{beside})"


# ---- variants


def variants(story: Story) -> Section | None:
    """Describe what each rule changes, the largest effects first."""
    lineup = _changed_lineup(story)
    if not story.variants or lineup is None:
        return None
    told = {name: _effect(story, name, lineup) for name in story.variants}
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
        for table in answer_tables(story.told, "interaction")
        if table.title.startswith(f"Line-up {lineup}:")
    ]
    return Section(
        "variants",
        "What each rule changes",
        [f"With {story.who(lineup)}{_main_point(story)}, on the same deals:", *sentences],
        list(_variant_pictures(story)),
        tables=[*interactions, *_shown_changes(story)],
    )


def _changed_lineup(story: Story) -> str | None:
    """Return the line-up for the effects of variants: the reference, if it has any."""
    changed = {row["lineup"] for row in story.main(kind="change")}
    return next((n for n in (story.reference, *story.lineups) if n in changed), None)


def _effect(story: Story, variant: str, lineup: str) -> tuple[float, str]:
    """Return how large the shown effects of a variant are, and the words for them."""
    here = {"variant": variant, "lineup": lineup}
    parts, size = [], 0.0
    longer = one(story.main(kind="change", number=story.length, who="", **here))
    relative = one(story.main(kind="relative", number=story.length, **here))
    if longer is not None and relative is not None and is_shown(longer):
        parts.append(f"{per_cent(relative)} {story.length}")
        size += abs(relative["estimate"])
    first = one(story.main(kind="change", number="win_rate", who="position 0", **here))
    if first is not None and is_shown(first):
        parts.append(f"first seat's win rate {points(first)}")
        size += abs(first["estimate"])
    gaps = [
        row
        for row in story.main(kind="change", number="win_rate", variant=variant)
        if row["against"] and is_shown(row)
    ]
    gaps.sort(key=lambda row: (not _is_reversed(story, row), -abs(row["estimate"])))
    for gap in gaps[:1]:
        at = "" if gap["lineup"] == lineup else f" (line-up {gap['lineup']})"
        parts.append(f"{_gap_words(story, gap)}{at}")
        size += abs(gap["estimate"])
    moved = one(story.main(kind="level", number="another_winner", **here))
    if moved is not None and moved["estimate"] and moved["estimate"] > 0:
        if not parts:
            text = percent(moved["estimate"], moved["low"], moved["high"], " %")
            parts.append(f"another seat wins in {text} of matches")
        size += moved["estimate"] / 10
    tested = [row for row in story.main(kind="change", **here) if is_shown(row)]
    if not tested and not gaps:
        return size, ""
    for row in tested[:1] if not size else []:
        of = f" of {row['who']}" if row["who"] else ""
        parts.insert(0, f"{row['number']}{of} {_written(story, row)}")
    return size, "; ".join(parts)


def _gap_before_and_after(story: Story, gap: Row) -> tuple[Row | None, Row | None]:
    place = {name: gap[name] for name in ("lineup", "variant", "who", "number", "against")}
    before = one(story.main(kind="difference", **{**place, "variant": BASELINE}))
    return before, one(story.main(kind="after", **place))


def _is_reversed(story: Story, gap: Row) -> bool:
    """Whether both before and after one of two policies is shown to lead, and not the same."""
    ends = [
        row[name]
        for row in _gap_before_and_after(story, gap)
        if row is not None
        for name in ("low", "high")
    ]
    if len(ends) < 4 or None in ends:
        return False
    return bool(ends[0] > 0 > ends[3] or ends[1] < 0 < ends[2])


def _gap_words(story: Story, gap: Row) -> str:
    """Say how the gap of two policies moves; a reversal is called one only where it is shown."""
    names = f"{short(policy(gap['who']))} less {short(policy(gap['against']))}"
    before, after = _gap_before_and_after(story, gap)
    if before is None or after is None or not _is_reversed(story, gap):
        return f"{names}: {points(gap)} a seat"
    moved = f"from {points(before)} to {points(after)} a seat"
    return f"the lead is reversed: {names} goes {moved}"


def _variant_pictures(story: Story) -> Iterator[Picture]:
    """Yield the forest of what each variant changes, and a map over line-ups and points."""
    lineups = [name for name in story.lineups if story.main(kind="change", lineup=name)][:4]
    lineups.sort(key=lambda name: name != story.reference)
    panels = []
    for kind, number_, who, label, rule in (
        ("relative", story.length, "", f"{story.length}, change in %", 0.0),
        ("change", "win_rate", "position 0", "first seat wins, points", 0.0),
        ("level", "another_winner", "", "another winner, %", None),
    ):
        series = {
            lineup: rows
            for lineup in lineups
            if (rows := _by_variant(story, kind, number_, who=who, lineup=lineup))
        }
        if any(row["estimate"] for rows in series.values() for row in rows.values()):
            start = None if rule == 0 else 0
            panels.append(charts.Panel(series, label, rule=rule, start=start))
    if panels and len(story.variants) > 1:
        yield Picture(
            "variants",
            f"What each variant changes{_main_point(story)}, on the same deals: {story.length} per "
            "match, the first seat's win rate, and how often another seat wins; 95 % intervals.",
            lambda narrow: charts.forest(panels, narrow=narrow),
        )
    yield from _length_map(story)


def _by_variant(story: Story, kind: str, number_: str, **where: Any) -> dict[str, Row]:
    """Return a number's row of each variant at the main point, the largest first."""
    rows = story.main(kind=kind, number=number_, against="", **where)
    found = {row["variant"]: row for row in rows if row["variant"] in story.variants}
    return dict(sorted(found.items(), key=lambda item: -abs(item[1]["estimate"])))


def _length_map(story: Story) -> Iterator[Picture]:
    """Yield the map of what rules change of the length, by line-up and point of the sweep."""
    values: dict[tuple[str, str], tuple[str, float]] = {}
    rows = [row for row in story.rows(kind="relative", number=story.length) if row["estimate"]]
    rows = [row for row in rows if row["variant"] in story.variants]
    widest = max((abs(row["estimate"]) for row in rows), default=0.0)
    shown = {
        (row["variant"], row["lineup"], repr(story.point_of(row)))
        for row in story.rows(kind="change", number=story.length, who="")
        if is_shown(row)
    }
    order = sorted(story.lineups, key=lambda name: name != story.reference)
    rows.sort(key=lambda row: order.index(row["lineup"]) if row["lineup"] in order else 99)
    for row in rows:
        column = ", ".join(filter(None, (row["lineup"], story.at(story.point_of(row)))))
        certain = (row["variant"], row["lineup"], repr(story.point_of(row))) in shown
        text = f"{100 * row['estimate']:+.1f}" if certain else "0?"
        values[row["variant"], column] = (text, row["estimate"] / widest if certain else 0.0)
    columns = list(dict.fromkeys(column for _, column in values))[:MOST_MAP_COLUMNS]
    names = [name for name in story.variants if any((name, c) in values for c in columns)]
    if len(columns) > 1 and len(names) > 1:
        yield Picture(
            "variants-map",
            f"Change of {story.length} per match in %, by variant, line-up and point of the sweep; "
            "“0?”: not shown to differ from no change.",
            lambda narrow: charts.cells(names, columns, values, narrow=narrow),
            folded=True,
        )


def _shown_changes(story: Story) -> list[Table]:
    """Return the changes that are shown, the most certain first."""
    rows = [row for row in story.rows(kind="change") if is_shown(row)]
    rows.sort(key=lambda row: (row["p_holm"], -abs(row["estimate"])))
    return _rows_table(story, rows, "All changes that are shown")


def _rows_table(story: Story, rows: Sequence[Row], title: str) -> list[Table]:
    """Return rows of the frame as a table, the first of them where they are many."""
    if not rows:
        return []
    frame = pl.DataFrame(rows[:MOST_ROWS], infer_schema_length=None)
    keys = [key for key in (*story.told.keys, "lineup", "variant") if frame[key].n_unique() > 1]
    columns = [
        *(Column(key, form="text") for key in keys),
        Column(
            "who", form=lambda row: " − ".join(filter(None, (row["who"], _other(row)))), wraps=True
        ),
        Column("number"),
        Column("estimate", form=lambda row: _written(story, row)),
        *([Column("p_holm", "p (Holm)", "p")] if frame["p_holm"].null_count() < len(frame) else []),
    ]
    hidden = len(rows) - MOST_ROWS
    notes = (f"{hidden:,} more: cardlab compare {story.directory} --csv",) if hidden > 0 else ()
    return [Table(frame, tuple(columns), title, notes)]


def _other(row: Row) -> str:
    """Return whom a row is compared with; in contrasts `against` is something else."""
    return row["against"] if row["kind"] in ("change", "difference", "after", "strength") else ""


def _written(story: Story, row: Row) -> str:
    from studies.overview import estimate_text

    return estimate_text(row, story.told.shares)


# ---- seats


def seats(story: Story) -> Section | None:
    """Tell which seats win more often, and how variants and points move that."""
    maps: dict[tuple[str, str], tuple[str, float]] = {}
    levels_of: dict[str, list[Row]] = {}
    lineups = [name for name in story.lineups if story.alone(name)] or story.lineups[:4]
    lineups.sort(key=lambda name: name != story.reference)
    rows_of: list[str] = []
    sentences: list[str] = []
    silent: dict[str, str] = {}
    for lineup in lineups:
        for point in story.points:
            levels = [
                row
                for row in story.rows(kind="level", number="win_rate", lineup=lineup, **point)
                if row["who"].startswith("position")
            ]
            if not levels:
                continue
            name = ", ".join(filter(None, (lineup, story.at(point))))
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
        for row in story.rows(kind="change", number="win_rate", who="position 0")
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
        tables=_rows_table(story, moved, "Rules that change the first seat's win rate"),
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


def length(story: Story) -> Section | None:
    """Tell how long matches are, where they end, and what makes them longer."""
    name = story.length
    if not name:
        return None
    sentences, histograms = [], {}
    for point in story.points:
        row = one(
            story.rows(kind="level", number=name, lineup=story.reference, variant=BASELINE, **point)
        )
        if row is None:
            continue
        ends = {
            own["number"].rpartition(" ")[2]: own["estimate"]
            for own in story.rows(kind="quantile", lineup=story.reference, **point)
            if own["number"].startswith(f"{name} q")
        }
        spread = _spread(ends)
        where = f"{story.at(point)}: " if len(story.points) > 1 else ""
        mean = number(row["estimate"], row["low"], row["high"])
        sentences.append(f"{where}{mean} {name} per match{spread}.")
        counts = _histogram(story, point, BASELINE)
        if counts:
            histograms[story.at(point) or BASELINE] = counts
    for variant in _longest(story)[:3] if len(histograms) == 1 else []:
        counts = _histogram(story, story.point, variant)
        if counts:
            histograms[variant] = counts
    if not sentences:
        return None
    del sentences[MOST_TOLD:]
    longer = one(
        row
        for row in story.rows(kind="point", number=name, variant=BASELINE, lineup=story.reference)
        if is_shown(row)
    )
    if longer is not None:
        at = story.at(story.point_of(longer))
        change = number(longer["estimate"], longer["low"], longer["high"], signed=True)
        sentences.append(f"{at} rather than {spoken(longer['against'])}: {change} {name}.")
    pictures = []
    varied = {label: own for label, own in list(histograms.items())[:6] if len(own) > 2}
    if varied:
        who = story.who(story.reference, everywhere=len(story.points) > 1)
        pictures.append(
            Picture(
                "length",
                f"Distribution of {name} per match; the thick line is the mean, the thin outline "
                f"repeats the first; {who}.",
                lambda narrow: charts.histograms(varied, name, narrow=narrow),
            )
        )
    pictures += _length_by_point(story)
    shown = [row for row in story.rows(kind="point") if is_shown(row)]
    shown.sort(key=lambda row: (row["variant"] != BASELINE, row["p_holm"]))
    title = "Differences between points of the sweep that are shown"
    return Section(
        "length",
        "Length",
        sentences[: MOST_SENTENCES + 1],
        pictures,
        tables=_rows_table(story, shown, title),
    )


def _spread(ends: Mapping[str, float]) -> str:
    """Say between which lengths nine of ten matches lie, where quantiles are known."""
    if not ends:
        return ""
    if ends["q05"] == ends["q95"]:
        return " in nine of ten or more"
    return f", from {ends['q05']:.0f} to {ends['q95']:.0f} in nine of ten"


def _histogram(story: Story, point: Mapping[str, Any], variant: str) -> dict[int, int]:
    for cell in story.stored.cells:
        if (cell.variant, cell.lineup) == (variant, story.reference) and cell.point == {
            key: value for key, value in point.items() if key in cell.point
        }:
            totals = story.stored.totals(cell)
            return {} if totals is None else totals.histogram(story.length)
    return {}


def _longest(story: Story) -> list[str]:
    """Return the variants that are shown to change the length, the largest change first."""
    rows = story.main(kind="change", number=story.length, lineup=story.reference)
    shown = sorted((r for r in rows if is_shown(r)), key=lambda row: -abs(row["estimate"]))
    return [row["variant"] for row in shown]


def _length_by_point(story: Story) -> list[Picture]:
    """Return the length of each variant at each point, where a study sweeps."""
    pictures = list(_dials(story))
    if len(story.points) < 2 or not story.variants:
        return pictures
    series = {}
    for point in story.points[:6]:
        here = {"number": story.length, "lineup": story.reference, **point}
        rows = [
            *story.rows(kind="level", variant=BASELINE, **here),
            *story.rows(kind="after", **here),
        ]
        if rows:
            series[story.at(point)] = {row["variant"]: row for row in rows}
    changed = story.rows(kind="change", number=story.length, who="", lineup=story.reference)
    if not any(row["estimate"] for row in changed):
        return pictures
    caption = f"{story.length} per match, by variant and point of the sweep; 95 % intervals."
    if len(series) < len(story.points):
        caption += f" The first {len(series)} of {len(story.points)} points."
    pictures.append(
        Picture(
            "length-variants",
            caption[0].upper() + caption[1:],
            lambda narrow: charts.dots(series, story.length, scale=1, narrow=narrow),
        )
    )
    return pictures


def _dials(story: Story) -> Iterator[Picture]:
    """Yield the map of the length over two swept values, each with half its interval."""
    keys = [key for key in story.told.keys if len({point[key] for point in story.points}) > 1]
    if len(keys) != 2:
        return
    here = {"kind": "level", "number": story.length, "lineup": story.reference}
    rows = [row for row in story.rows(variant=BASELINE, **here) if not row["who"]]
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
        f"{story.length} per match by {keys[0]} (rows) and {keys[1]} (columns), with half of the "
        f"95 % interval; {story.who(story.reference, everywhere=True)}.",
        lambda narrow: charts.cells(lines, columns, values, keys[1], narrow=narrow),
    )


# ---- policies


def skill(story: Story) -> Section | None:
    """Tell how strong the policies are: gaps, the ladder, who beats whom."""
    if story.pair is None:
        return None
    sentences = [*_ladder_words(story)]
    if not sentences:
        gap = one(
            row
            for row in (_gap(story, lineup) for lineup in story.lineups)
            if row is not None and row["low"] is not None
        )
        if gap is not None and (gap["low"] > 0 or gap["high"] < 0):
            ahead, behind = story.pair if gap["estimate"] > 0 else story.pair[::-1]
            sentences.append(f"{ahead} wins more often than {behind}: {points(gap)} a seat.")
        else:
            sentences.append("No policy is shown to win more often than another.")
    ranked = [
        row
        for row in story.by_kind.get("strength", [])
        if not row["against"] and _at_main(story, row)
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
    pictures += _payoffs(story, [policy(row["who"]) for row in ranked])
    pictures += _win_rates_by_point(story)
    tables = standing_tables(story.told)
    return Section("skill", "Policies and skill", sentences, pictures, tables=tables[:2])


def _gap(story: Story, lineup: str) -> Row | None:
    assert story.pair is not None
    rows = story.main(kind="difference", number="win_rate", lineup=lineup)
    return gap_row({(r["who"], r["number"], r["against"]): r for r in rows}, story.pair)


def _at_main(story: Story, row: Row) -> bool:
    return all(row[key] == value for key, value in story.point.items() if "." not in key)


def _ladder_words(story: Story) -> Iterator[str]:
    """Say which policy is shown to be ahead of which, and where none is."""
    rows = [row for row in story.by_kind.get("strength", []) if _at_main(story, row)]
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


def _payoffs(story: Story, order: Sequence[str]) -> list[Picture]:
    rows = [row for row in story.by_kind.get("payoff", []) if _at_main(story, row)]
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


def _win_rates_by_point(story: Story) -> list[Picture]:
    """Return the win rates of the policies at each point, where a study sweeps one line-up."""
    mixed = [name for name in story.lineups if not story.alone(name)]
    if len(story.points) < 2 or len(mixed) != 1:
        return []
    series: dict[str, dict[str, Row]] = {}
    for point in story.points[:MOST_TABLES]:
        asked = {"kind": "level", "number": "win_rate", "variant": BASELINE, "lineup": mixed[0]}
        rows = [r for r in story.rows(**asked, **point) if r["who"].startswith("policy ")]
        names = [short(policy(row["who"])) for row in rows]
        for row, name in zip(rows, names, strict=True):
            label = name if names.count(name) == 1 else policy(row["who"])
            series.setdefault(label, {})[story.at(point)] = row
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


def cards(story: Story) -> Section | None:
    """Tell which card is too strong or too weak, where cards were counted."""
    cell = next(
        (
            own
            for own in story.stored.cells
            if (own.variant, own.lineup) == (BASELINE, story.reference)
            and all(own.point.get(key) in (None, value) for key, value in story.point.items())
        ),
        None,
    )
    found = study_cards(story.stored, asked=[cell]) if cell is not None else None
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
        own = [row for row in _largest(rows) if row["estimate"] * sign > 0]
        if own:
            named = [f"{row['card']} ({points(row)})" for row in own[:MOST_NAMED]]
            rest = len(own) - MOST_NAMED
            more = f", and {rest} more" if rest > 0 else ""
            parts.append(f"{word} often with {' or '.join(named)}{more}")
    if not parts:
        return "No card is shown to help or to hurt the seat that is dealt it."
    return f"By what it is dealt a seat wins {'; '.join(parts)}."


# ---- luck, drama, sweeps


def luck(story: Story) -> Section | None:
    """Tell how much of who wins is due to the policies: skill, and the rest, luck."""
    skills = {
        row["lineup"]: row for row in story.main(kind="variance") if row["number"] == "policy"
    }
    if not skills:
        return None
    order = sorted(skills, key=lambda lineup: -skills[lineup]["estimate"])
    most = order[0]
    sentences = [
        LUCK,
        f"{most}: skill {_share(skills[most])}.",
    ]
    shares = {
        lineup: {"skill": max(0.0, share), "luck": min(1.0, 1 - share)}
        for lineup in order[:12]
        for share in [skills[lineup]["estimate"]]
    }
    picture = Picture(
        "luck",
        "Skill and luck, by line-up.",
        lambda narrow: charts.bars(shares, "of the variance of who wins, %", narrow=narrow),
    )
    return Section("luck", "Luck and skill", sentences, [picture] if len(shares) > 1 else [])


LUCK = (
    "Skill is the share of the variance of who wins that is due to the policies; luck is the rest: "
    "the cards, the seat, how the match went, and which of several seats of one policy wins."
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


def drama(story: Story) -> Section | None:
    """Tell how matches get to their winners."""
    series: dict[str, dict[str, Row]] = {}
    lineups = [name for name in story.lineups if story.alone(name)] or story.lineups
    for lineup in lineups[:4]:
        rows = {r["number"]: r for r in story.main(kind="level", lineup=lineup, variant=BASELINE)}
        own = {WORDS[name]: rows[name] for name in EVENTS if name in rows}
        if own:
            series[lineup] = own
    if not series:
        return None
    told = series.get(story.reference) or next(iter(series.values()))
    sentences = [
        f"{DRAMA[name]} in {_share(row)} of decided matches."
        for name, row in ((own, told.get(WORDS[own])) for own in DRAMA)
        if row is not None
    ]
    margin = one(story.main(kind="level", number="margin", lineup=story.reference))
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


def sweep(story: Story) -> Section | None:
    """Tell the effects of factors."""
    effects = [row for row in story.main(kind="factor", number=story.length) if is_shown(row)]
    effects.sort(key=lambda row: -abs(row["estimate"]))
    sentences = [
        f"{row['variant']}: {number(row['estimate'], row['low'], row['high'], signed=True)} "
        f"{row['number']}."
        for row in effects[:MOST_SENTENCES]
    ]
    told = {row["variant"]: row for row in story.main(kind="factor", number=story.length, who="")}
    if not told:
        return None
    if not sentences:
        sentences = [f"No factor is shown to change {story.length}."]
    pictures = []
    if len(told) > 1:
        pictures.append(
            Picture(
                "factors",
                f"Effects of the factors on {story.length}, each over the levels of the others.",
                lambda narrow: charts.dots(
                    {"": told}, story.length, scale=1, rule=0, narrow=narrow
                ),
            )
        )
    return Section("sweep", "What the factors change", sentences, pictures)


# ---- basis


def basis(story: Story) -> Section:
    """Tell what was played, and how to go on."""
    told = story.stored
    deals = [told.deals(cell) for cell in told.cells]
    matches = sum(told.matches(cell) for cell in told.cells)
    line_ups = [
        {"lineup": name, "seats": ", ".join(own) if len(set(own)) > 1 else f"{own[0]} × {len(own)}"}
        for name, own in story.seats.items()
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
    where = str(story.directory)
    low, high, seed = min(deals), max(deals), told.cells[0].seed
    cells = counted(len(told.cells), "cell")
    each = counted(low, "deal") if low == high else f"{low:,} to {high:,} deals"
    return Section(
        "basis",
        "What this rests on",
        [
            f"{counted(matches, 'match')} in {cells} of {each} each, seed {seed}.",
            "Intervals are 95 % intervals, by deal; p-values are corrected (Holm, by family).",
            *(f"Assumed: {text.rstrip('.')}." for text in story.game.assumed(players)),
            *(f"{note.rstrip('.')}." for note in story.told.notes),
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
                _play_command(story),
            ),
            ("more matches", f"cardlab run {where} --matches {2 * max(deals, default=1)}"),
        ],
    )


def _play_command(story: Story) -> str:
    """Return the command that shows the first match of the report's main table."""
    from shlex import quote

    cell = next(
        cell
        for cell in story.stored.cells
        if (cell.lineup, cell.variant) == (story.reference, BASELINE)
    )
    seats = ",".join(cell.seats[:1] if story.alone(cell.lineup) else cell.seats)
    base = get_game(cell.game).resolve({"players": len(cell.seats)})
    rules = "".join(
        f" --rule {name}={quote(show(value))}"
        for name, value in cell.options.items()
        if name != "players" and base.get(name) != value
    )
    return (
        f"cardlab play {cell.game} --players {len(cell.seats)}{rules} --lineup {quote(seats)} "
        f"--seed {cell.seed} --match 0"
    )


def measures(story: Story) -> Section | None:
    """Tell what the study counts by itself."""
    if not story.told.measures:
        return None
    rows = [row for row in story.rows(kind="level") if row["number"] in story.told.measures]
    moved = [
        row
        for row in story.rows(kind="change")
        if row["number"] in story.told.measures and is_shown(row)
    ]
    sentences = [
        f"{row['number']}{' of ' + row['who'] if row['who'] else ''}: {_written(story, row)}."
        for row in rows
        if row["lineup"] == story.reference and story.point_of(row) == story.point
    ]
    title = "The study's own measures"
    return Section(
        "measures",
        title,
        sentences[:MOST_SENTENCES],
        tables=[
            *_rows_table(story, rows, title),
            *_rows_table(story, moved, "Changes of them that are shown"),
        ],
    )


def _main_point(story: Story) -> str:
    return f", {story.at(story.point)}" if len(story.points) > 1 else ""


ALL: tuple[Callable[[Story], Section | None], ...] = (
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
