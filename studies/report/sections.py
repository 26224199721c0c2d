"""The sections of a report: each a query on the frame, a chart, and sentences.

A sentence says only what an interval, or a test corrected over its family, bears out; what is not
shown is named as such, or left out. The words stand in `studies/sentences.j2`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from shlex import quote
from typing import Any

from simcore.options import show
from studies.answers.cards import study_cards
from studies.answers.headlines import FIRST_SEAT, LENGTH
from studies.measures import BASELINE, game_of
from studies.overview import (
    ENDS,
    answer_tables,
    counted_length,
    decided_level,
    estimate_text,
    gap_row,
    policy,
    relative,
    seating_tables,
    short,
    standing_tables,
)
from studies.plots import charts
from studies.render import Column, Table, number
from studies.report.content import Picture, Section
from studies.report.report_data import (
    EVENTS,
    ReportData,
    Row,
    first_of,
    is_shown,
    position,
    spoken,
)
from studies.sentences import change, per_cent, plain, points, say, share

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

Values = dict[tuple[str, str], tuple[str, float]]
"""A map: row and column -> its text, and how far it is from even."""


def sections(data: ReportData) -> list[Section]:
    """Return all sections that a study has something to say in."""
    return [section for make in ALL if (section := make(data)) is not None]


def _size(row: Row) -> float:
    return -abs(float(row["estimate"]))


def _is_seat(row: Row) -> bool:
    return bool(row["who"].startswith("position "))


# ---- the answer in words


def lead(data: ReportData) -> list[str]:
    """Say what is shown to change most; with several points, see `points_table`."""
    if not data.variants or len(data.points) > 1:
        return []
    parts = [_largest_words(data, LENGTH), _largest_words(data, FIRST_SEAT), _another_words(data)]
    return [say("lead", data.about, list(filter(None, parts)))] if any(parts) else []


def _largest_words(data: ReportData, question: str) -> str:
    if data.headlines.of(question, **data.point) is None:
        return ""
    return say(f"lead_{question}", _largest(data, question, data.point))


def _largest(data: ReportData, question: str, point: Mapping[str, Any]) -> list[str]:
    """Say what rules are shown to change most, by bounds that hold for all that headlines pick."""
    headline = data.headlines.of(question, **point)
    words = []
    for row in headline.differing if headline is not None else ():
        moved = points(row)
        if question == LENGTH:
            moved = change(row)
            if row["baseline"]:
                moved += f" {data.length}, {per_cent(relative(row, row['baseline']))}"
        words.append(f"{row['variant']} ({moved})")
    return words


def _another_words(data: ReportData) -> str:
    """Say with which variants another seat wins most often, beside unrelated deals."""
    values = {"number": "another_winner", **data.point}
    rows = data.rows(kind="population", **values) or data.rows(
        kind="level", against="", lineup=data.reference, **values
    )
    most = max(rows, key=lambda row: row["estimate"], default=None)
    if most is None or not most["estimate"]:
        return ""
    here = {"lineup": most["lineup"], "variant": most["variant"], **data.point}
    unrelated = first_of(data.rows(kind="level", number="unrelated", **here))
    return say("lead_another_winner", most, unrelated)


def points_table(data: ReportData) -> list[Table]:
    """Return fairness, length and the largest changes, a row per point of the sweep."""
    if len(data.points) < 2 or not data.length:
        return []
    lines: list[dict[str, Any]] = []
    for point in data.points:
        levels = data.rows(kind="level", variant=BASELINE, lineup=data.reference, **point)
        length_row = first_of(r for r in levels if r["number"] == data.length and not r["who"])
        if length_row is None:
            continue
        seat_rows = [row for row in levels if row["number"] == "win_rate" and _is_seat(row)]
        first = first_of(row for row in seat_rows if row["who"] == "position 0")
        first_cell = None
        if first is not None:
            text = f"{plain(first, 100)} of {100 / len(seat_rows):.1f}"
            first_cell = {"text": text, "value": first["estimate"]}
        lines.append(
            {
                **point,
                **{name: length_row[name] for name in ENDS},
                "first": first_cell,
                "longer": next(iter(_largest(data, LENGTH, point)), ""),
                "earlier": next(iter(_largest(data, FIRST_SEAT, point)), ""),
            }
        )
    changes = [
        Column(name, heading, "text", wraps=True)
        for name, heading in (
            ("longer", f"largest change of {data.length}"),
            ("earlier", "largest change of the first seat"),
        )
        if any(line[name] for line in lines)
    ]
    columns = [
        *data.screen.point_columns(lines),
        Column("estimate", data.length, "number", "low", "high"),
        Column("first", "first seat wins, % of even", "cell"),
        *changes,
    ]
    title = say("title_points", data.who(data.reference, everywhere=True), changes)
    return [Table.of(lines, columns, title)]


# ---- variants


def variants(data: ReportData) -> Section | None:
    """Describe what each rule changes, the largest effects first."""
    lineup = _changed_lineup(data)
    if not data.variants or lineup is None:
        return None
    effects = {name: _effect(data, name, lineup) for name in data.variants}
    shown = sorted((name for name in effects if effects[name][1]), key=lambda n: -effects[n][0])
    silent = [name for name in effects if not effects[name][1]]
    sentences = [say("variants_on_the_same_deals", data.who(lineup), data.at_main)]
    sentences += [f"{name}: {effects[name][1]}." for name in shown[:MOST_EFFECTS]]
    if len(shown) > MOST_EFFECTS:
        sentences.append(say("variants_smaller", shown[MOST_EFFECTS:]))
    if silent:
        sentences.append(say("variants_without_change", silent))
    interactions = [
        table
        for table in answer_tables(data.screen, "interaction")
        if table.title.startswith(f"Line-up {lineup}:")
    ]
    return Section(
        "variants",
        "What each rule changes",
        sentences,
        [*_forests(data), *_length_map(data)],
        tables=[*interactions, *_shown_changes(data)],
    )


def _changed_lineup(data: ReportData) -> str | None:
    """Return the line-up for the effects of variants: the reference, if it has any."""
    changed = {row["lineup"] for row in data.main(kind="change")}
    return next((name for name in (data.reference, *data.lineups) if name in changed), None)


def _effect(data: ReportData, variant: str, lineup: str) -> tuple[float, str]:
    """Return how large the shown effects of a variant are, and the words for them."""
    here = {"variant": variant, "lineup": lineup}
    parts, size = [], 0.0
    longer = first_of(data.main(kind="change", number=data.length, who="", **here))
    in_parts = first_of(data.main(kind="relative", number=data.length, **here))
    if longer is not None and in_parts is not None and is_shown(longer):
        parts.append(f"{per_cent(in_parts)} {data.length}")
        size += abs(in_parts["estimate"])
    first = first_of(data.main(kind="change", number="win_rate", who="position 0", **here))
    if first is not None and is_shown(first):
        parts.append(say("first_seat_changes", first))
        size += abs(first["estimate"])
    gaps = [
        row
        for row in data.main(kind="change", number="win_rate", variant=variant)
        if row["against"] and is_shown(row)
    ]
    gaps.sort(key=lambda row: (not _is_reversed(data, row), _size(row)))
    for gap in gaps[:1]:
        at = "" if gap["lineup"] == lineup else f" (line-up {gap['lineup']})"
        parts.append(f"{_gap_words(data, gap)}{at}")
        size += abs(gap["estimate"])
    moved = first_of(data.main(kind="level", number="another_winner", **here))
    if moved is not None and moved["estimate"] and moved["estimate"] > 0:
        if not parts:
            parts.append(say("another_seat_wins", moved))
        size += moved["estimate"] / 10
    tested = [row for row in data.main(kind="change", **here) if is_shown(row)]
    if not tested and not gaps:
        return size, ""
    if not size and tested:
        row = tested[0]
        of = f" of {row['who']}" if row["who"] else ""
        parts.insert(0, f"{row['number']}{of} {estimate_text(row, data.screen.shares)}")
    return size, "; ".join(parts)


def _gap_before_and_after(data: ReportData, gap: Row) -> tuple[Row | None, Row | None]:
    place = {name: gap[name] for name in ("lineup", "variant", "who", "number", "against")}
    before = first_of(data.main(kind="difference", **{**place, "variant": BASELINE}))
    return before, first_of(data.main(kind="after", **place))


def _is_reversed(data: ReportData, gap: Row) -> bool:
    """Whether both before and after one of two policies is shown to lead, and not the same."""
    rows = [row for row in _gap_before_and_after(data, gap) if row is not None]
    ends = [row[name] for row in rows for name in ("low", "high")]
    if len(ends) < 4 or None in ends:
        return False
    return bool(ends[0] > 0 > ends[3] or ends[1] < 0 < ends[2])


def _gap_words(data: ReportData, gap: Row) -> str:
    """Say how the gap of two policies moves; a reversal is called one only where it is shown."""
    names = f"{short(policy(gap['who']))} less {short(policy(gap['against']))}"
    if _is_reversed(data, gap):
        return say("lead_reversed", names, *_gap_before_and_after(data, gap))
    return say("gap_moves", names, gap)


def _forests(data: ReportData) -> Iterator[Picture]:
    """Yield the forest of what each variant changes."""
    lineups = [name for name in data.lineups if data.main(kind="change", lineup=name)][:4]
    lineups.sort(key=lambda name: name != data.reference)
    panels = []
    for kind, number_, who, label, rule in (
        ("relative", data.length, "", f"{data.length}, change in %", 0.0),
        ("change", "win_rate", "position 0", "first seat wins, points", 0.0),
        ("level", "another_winner", "", "another winner, %", None),
    ):
        series = {}
        for lineup in lineups:
            rows = data.main(kind=kind, number=number_, against="", who=who, lineup=lineup)
            by_variant = {row["variant"]: row for row in rows if row["variant"] in data.variants}
            if by_variant:
                series[lineup] = dict(sorted(by_variant.items(), key=lambda item: _size(item[1])))
        if any(row["estimate"] for rows in series.values() for row in rows.values()):
            start = None if rule == 0 else 0
            panels.append(charts.Panel(series, label, rule=rule, start=start))
    if panels and len(data.variants) > 1:
        caption = say("caption_variants", data.at_main, data.length)
        yield Picture("variants", caption, partial(charts.forest, panels))


def _length_map(data: ReportData) -> Iterator[Picture]:
    """Yield the map of what rules change of the length, by line-up and point of the sweep."""

    def place(row: Row) -> tuple[str, str, str]:
        return row["variant"], row["lineup"], repr(data.point_of(row))

    rows = [
        row
        for row in data.rows(kind="relative", number=data.length)
        if row["estimate"] and row["variant"] in data.variants
    ]
    widest = max((abs(row["estimate"]) for row in rows), default=0.0)
    changes = data.rows(kind="change", number=data.length, who="")
    shown = {place(row) for row in changes if is_shown(row)}
    order = sorted(data.lineups, key=lambda name: name != data.reference)
    rows.sort(key=lambda row: order.index(row["lineup"]) if row["lineup"] in order else 99)
    values: Values = {}
    for row in rows:
        column = ", ".join(filter(None, (row["lineup"], data.at(data.point_of(row)))))
        values[row["variant"], column] = ("0?", 0.0)
        if place(row) in shown:
            text = f"{100 * row['estimate']:+.1f}"
            values[row["variant"], column] = (text, row["estimate"] / widest)
    columns = list(dict.fromkeys(column for _, column in values))[:MOST_MAP_COLUMNS]
    names = [name for name in data.variants if any((name, c) in values for c in columns)]
    if len(columns) > 1 and len(names) > 1:
        draw = partial(charts.cells, names, columns, values)
        yield Picture("variants-map", say("caption_variants_map", data.length), draw, folded=True)


def _shown_changes(data: ReportData) -> list[Table]:
    """Return the changes that are shown, the most certain first."""
    rows = [row for row in data.rows(kind="change") if is_shown(row)]
    rows.sort(key=lambda row: (row["p_holm"], _size(row)))
    return _rows_table(data, rows, "All changes that are shown")


def _rows_table(data: ReportData, rows: Sequence[Row], title: str) -> list[Table]:
    """Return rows of the frame as a table, only the first ones if there are many."""
    if not rows:
        return []
    lines = rows[:MOST_ROWS]
    keys = (*data.screen.keys, "lineup", "variant")
    columns = [
        *(Column(key) for key in keys if len({line[key] for line in lines}) > 1),
        Column("who", form=_who, wraps=True),
        Column("number"),
        Column("estimate", form=lambda row: estimate_text(row, data.screen.shares)),
    ]
    if any(line["p_holm"] is not None for line in lines):
        columns.append(Column("p_holm", "p (Holm)", "p"))
    hidden = len(rows) - MOST_ROWS
    notes = [f"{hidden:,} more: cardlab compare {data.directory} --csv"] if hidden > 0 else []
    return [Table.of(lines, columns, title, notes)]


def _who(row: Row) -> str:
    """Name whom a row is about, and whom it compares; in contrasts `against` is something else."""
    is_pair = row["kind"] in ("change", "difference", "after", "strength")
    return " − ".join(filter(None, (row["who"], row["against"] if is_pair else "")))


# ---- seats


def seats(data: ReportData) -> Section | None:
    """Tell which seats win more often, and how variants and points move that."""
    lineups = [name for name in data.lineups if data.alone(name)] or data.lineups[:4]
    lineups.sort(key=lambda name: name != data.reference)
    tables: dict[str, list[Row]] = {}
    for lineup in lineups:
        for point in data.points:
            levels = data.rows(kind="level", number="win_rate", lineup=lineup, **point)
            if levels := [row for row in levels if _is_seat(row)]:
                tables[", ".join(filter(None, (lineup, data.at(point))))] = levels
    if not tables:
        return None
    sentences, even_shares = [], []
    for name, levels in tables.items():
        even = 1 / len(levels)
        above = [row for row in levels if is_shown(row) and row["estimate"] > even]
        below = [row for row in levels if is_shown(row) and row["estimate"] < even]
        if above or below:
            words = [f"{position(row['who'])} {share(row)}" for row in (*above, *below)]
            sentences.append(say("seats_differ", name, words, even))
        else:
            even_shares.append(f"{100 * even:.1f} %")
    del sentences[MOST_TOLD:]
    if even_shares:
        even_share = even_shares[0] if len(set(even_shares)) == 1 else ""
        sentences.append(say("seats_alike", bool(sentences), even_share))
    changes = data.rows(kind="change", number="win_rate", who="position 0")
    moved = sorted((row for row in changes if is_shown(row)), key=_size)
    name, levels = next(iter(tables.items()))
    bars = {row["who"]: row for row in levels}
    draw = partial(charts.shares, bars, "win rate, %", 100 / len(levels))
    pictures = [Picture("seats", say("caption_seats", name), draw)]
    if len(tables) > 1:
        pictures.append(_seats_map(tables))
    title = "Rules that change the first seat's win rate"
    return Section("seats", "Seats", sentences, pictures, tables=_rows_table(data, moved, title))


def _seats_map(tables: Mapping[str, Sequence[Row]]) -> Picture:
    names = list(tables)[:MOST_SEAT_ROWS]
    values: Values = {}
    for name in names:
        even = 1 / len(tables[name])
        for row in tables[name]:
            mark = ("▲" if row["estimate"] > even else "▼") if is_shown(row) else ""
            text = f"{mark}{100 * row['estimate']:.1f}"
            away = (row["estimate"] / even - 1) / charts.WIDEST
            values[name, row["who"].removeprefix("position ")] = text, away
    columns = list(dict.fromkeys(column for _, column in values))
    draw = partial(charts.cells, names, columns, values, "position")
    return Picture("seats-map", say("caption_seats_map", len(names), len(tables)), draw)


# ---- length


def length(data: ReportData) -> Section | None:
    """Tell how long matches are, where they end, and what makes them longer."""
    if not data.length:
        return None
    here = {"number": data.length, "lineup": data.reference, "variant": BASELINE}
    sentences, histograms = [], {}
    for point in data.points:
        row = first_of(data.rows(kind="level", **here, **point))
        if row is None:
            continue
        mean = counted_length(row, f" {data.length} per match")
        ends = data.quantiles(point, FEWEST_FOR_QUANTILES)
        where = data.at(point) if len(data.points) > 1 else ""
        sentences.append(say("length", where, mean, ends, decided_level(data.screen, row)))
        if counts := _histogram(data, point, BASELINE):
            histograms[data.at(point) or BASELINE] = counts
    if not sentences:
        return None
    changes = data.main(kind="change", number=data.length, lineup=data.reference)
    longest = sorted((row for row in changes if is_shown(row)), key=_size)
    for row in longest[:3] if len(histograms) == 1 else ():
        if counts := _histogram(data, data.point, row["variant"]):
            histograms[row["variant"]] = counts
    del sentences[MOST_TOLD:]
    longer = first_of(row for row in data.rows(kind="point", **here) if is_shown(row))
    if longer is not None:
        at = data.at(data.point_of(longer))
        sentences.append(say("length_point", at, spoken(longer["against"]), longer))
    pictures = []
    varied = {label: counts for label, counts in list(histograms.items())[:6] if len(counts) > 2}
    if varied:
        who = data.who(data.reference, everywhere=len(data.points) > 1)
        draw = partial(charts.histograms, varied, data.length)
        pictures.append(Picture("length", say("caption_length", data.length, who), draw))
    pictures += [*_dials(data), *_length_by_point(data)]
    shown = [row for row in data.rows(kind="point") if is_shown(row)]
    shown.sort(key=lambda row: (row["variant"] != BASELINE, row["p_holm"]))
    title = "Differences between points of the sweep that are shown"
    tables = _rows_table(data, shown, title)
    return Section("length", "Length", sentences[: MOST_SENTENCES + 1], pictures, tables=tables)


def _histogram(data: ReportData, point: Mapping[str, Any], variant: str) -> dict[int, int]:
    for cell in data.stored.cells:
        here = {key: value for key, value in point.items() if key in cell.point}
        if (cell.variant, cell.lineup, cell.point) == (variant, data.reference, here):
            totals = data.stored.totals(cell)
            return {} if totals is None else totals.histogram(data.length)
    return {}


def _length_by_point(data: ReportData) -> Iterator[Picture]:
    """Yield the length of each variant at each point, where a study sweeps."""
    here = {"number": data.length, "lineup": data.reference}
    changed = any(row["estimate"] for row in data.rows(kind="change", who="", **here))
    if len(data.points) < 2 or not data.variants or not changed:
        return
    series = {}
    for point in data.points[:6]:
        levels = data.rows(kind="level", variant=BASELINE, **here, **point)
        rows = [*levels, *data.rows(kind="after", **here, **point)]
        if rows:
            series[data.at(point)] = {row["variant"]: row for row in rows}
    caption = say("caption_length_variants", data.length, len(series), len(data.points))
    yield Picture("length-variants", caption, partial(charts.dots, series, data.length, scale=1))


def _dials(data: ReportData) -> Iterator[Picture]:
    """Yield the map of the length over two swept values, each with half its interval."""
    keys = [column.name for column in data.screen.point_columns(data.points)]
    here = {"kind": "level", "number": data.length, "lineup": data.reference}
    rows = [row for row in data.rows(variant=BASELINE, **here) if not row["who"]]
    if len(keys) != 2 or len(rows) < 4:
        return
    middle = sum(row["estimate"] for row in rows) / len(rows)
    widest = max(abs(row["estimate"] - middle) for row in rows) or 1.0
    values: Values = {
        (str(show(row[keys[0]])), str(show(row[keys[1]]))): (
            plain(row),
            (row["estimate"] - middle) / widest,
        )
        for row in rows
    }
    lines, columns = (list(dict.fromkeys(names)) for names in zip(*values, strict=True))
    caption = say(
        "caption_length_map", data.length, *keys, data.who(data.reference, everywhere=True)
    )
    yield Picture("length-map", caption, partial(charts.cells, lines, columns, values, keys[1]))


# ---- policies


def skill(data: ReportData) -> Section | None:
    """Tell how strong the policies are: gaps, the ladder, who beats whom."""
    if data.pair is None:
        return None
    ranked = [row for row in data.across("strength") if not row["against"]]
    pictures = []
    if len(ranked) > 1:
        shown = {policy(row["who"]): row for row in ranked}
        draw = partial(charts.dots, {"": shown}, "log-odds", scale=1, rule=0)
        pictures.append(Picture("ladder", say("caption_ladder"), draw))
    pictures += [
        *_payoffs(data, [policy(row["who"]) for row in ranked]),
        *_win_rates_by_point(data),
        *_policy_seats(data),
    ]
    tables = [*standing_tables(data.screen)[:2], *seating_tables(data.screen)[:1]]
    sentences = list(_ladder_words(data)) or [_gap_of_pair(data)]
    return Section("skill", "Policies and skill", sentences, pictures, tables=tables)


def _gap_of_pair(data: ReportData) -> str:
    """Say which of the two policies that are furthest apart is shown to win more often."""
    assert data.pair is not None
    for lineup in data.lineups:
        rows = data.main(kind="difference", number="win_rate", lineup=lineup)
        gap = gap_row({(r["who"], r["number"], r["against"]): r for r in rows}, data.pair)
        if gap is not None and gap["low"] is not None:
            if gap["low"] > 0 or gap["high"] < 0:
                ahead, behind = data.pair if gap["estimate"] > 0 else data.pair[::-1]
                return say("policy_ahead", ahead, behind, gap)
            break
    return say("no_policy_ahead")


def _ladder_words(data: ReportData) -> Iterator[str]:
    """Say which policy is shown to be ahead of which, and where none is."""
    rows = data.across("strength")
    order = [row["who"] for row in rows if not row["against"]]
    steps = {(row["who"], row["against"]): row for row in rows if row["against"]}
    if len(order) < 2:
        return
    strongest = order[0]
    close = [who for who in order[1:] if not is_shown(steps[strongest, who])]
    yield say("strongest", policy(strongest), [policy(who) for who in close])
    unclear = [
        f"{policy(who)} and {policy(next_who)}"
        for who, next_who in pairwise(order[1:])
        if not is_shown(steps[who, next_who]) and who not in close
    ]
    if unclear:
        yield say("policies_alike", unclear)


def _payoffs(data: ReportData, order: Sequence[str]) -> Iterator[Picture]:
    rows = data.across("payoff")
    names = list(order) or list(dict.fromkeys(policy(row["who"]) for row in rows))
    values: Values = {
        (policy(row["who"]), policy(row["against"])): (
            f"{100 * row['estimate']:.1f}",
            2 * row["estimate"] - 1,
        )
        for row in rows
        if row["estimate"] is not None
    }
    if 3 <= len(names) <= 14:
        draw = partial(charts.cells, names, names, values)
        yield Picture("payoffs", say("caption_payoffs"), draw)


def _policy_seats(data: ReportData) -> Iterator[Picture]:
    """Yield the map of how often each policy wins at each position, of the first line-up mixed."""
    rows = data.across("seating")
    if not rows:
        return
    rows = [row for row in rows if row["lineup"] == rows[0]["lineup"]]
    positions = list(dict.fromkeys(position(row["against"]) for row in rows))
    names = list(dict.fromkeys(policy(row["who"]) for row in rows))
    values: Values = {}
    for row in rows:
        ends = (row["low"], row["high"]) if len(positions) <= MOST_INTERVALS_ACROSS else ()
        text = number(row["estimate"], *ends, scale=100)
        away = (row["estimate"] * len(positions) - 1) / charts.WIDEST
        values[policy(row["who"]), position(row["against"])] = text, away
    caption = say("caption_policy_seats", rows[0]["lineup"], data.at_main, 1 / len(positions))
    yield Picture("policy-seats", caption, partial(charts.cells, names, positions, values))


def _win_rates_by_point(data: ReportData) -> Iterator[Picture]:
    """Yield the win rates of the policies at each point, where a study sweeps one line-up."""
    mixed = [name for name in data.lineups if not data.alone(name)]
    if len(data.points) < 2 or len(mixed) != 1:
        return
    series: dict[str, dict[str, Row]] = {}
    here = {"kind": "level", "number": "win_rate", "variant": BASELINE, "lineup": mixed[0]}
    for point in data.points[:MOST_TABLES]:
        rows = [r for r in data.rows(**here, **point) if r["who"].startswith("policy ")]
        names = [short(policy(row["who"])) for row in rows]
        for row, name in zip(rows, names, strict=True):
            label = name if names.count(name) == 1 else policy(row["who"])
            series.setdefault(label, {})[data.at(point)] = row
    if series:
        draw = partial(charts.dots, series, "win rate, %")
        yield Picture("win-rates", say("caption_win_rates"), draw)


# ---- cards


def cards(data: ReportData) -> Section | None:
    """Tell which card is too strong or too weak, where cards were counted."""
    cell = next(
        (
            cell
            for cell in data.stored.cells
            if (cell.variant, cell.lineup) == (BASELINE, data.reference)
            and all(cell.point.get(key) in (None, value) for key, value in data.point.items())
        ),
        None,
    )
    frame = study_cards(data.stored, chosen=[cell]) if cell is not None else None
    if frame is None or not len(frame):
        return None
    series: dict[str, dict[str, Row]] = {}
    for row in frame.rename({"less_usual": "estimate"}).iter_rows(named=True):
        series.setdefault(row["when"], {})[row["card"]] = row
    first = next(iter(series.values()))
    order = sorted(first, key=lambda card: -first[card]["estimate"])
    if len(order) > MOST_CARDS:
        order = order[: MOST_CARDS // 2] + order[-MOST_CARDS // 2 :]
    shown = {
        when: {card: rows[card] for card in order if card in rows} for when, rows in series.items()
    }
    draw = partial(charts.dots, shown, "win rate less the usual, points", rule=0)
    picture = Picture("cards", say("caption_cards", len(order), len(first)), draw)
    sentence = _card_words(list(series.get("dealt", {}).values()))
    return Section("cards", "Cards", [sentence], [picture])


def _card_words(rows: Sequence[Row]) -> str:
    """Say which cards are shown to help, and which to hurt, the seat that is dealt them."""
    parts = []
    for word, sign in (("more", 1), ("less", -1)):
        dealt = [row for row in rows if is_shown(row) and row["estimate"] * sign > 0]
        dealt.sort(key=_size)
        if dealt:
            named = [f"{row['card']} ({points(row)})" for row in dealt[:MOST_NAMED]]
            parts.append(say("cards_that_move", word, named, len(dealt[MOST_NAMED:])))
    return say("cards", parts)


# ---- luck, drama, sweeps


def luck(data: ReportData) -> Section | None:
    """Tell what share of the variance of who wins the policies explain, and all else."""
    skills = {row["lineup"]: row for row in data.main(kind="variance") if row["number"] == "policy"}
    if not skills:
        return None
    order = sorted(skills, key=lambda lineup: -skills[lineup]["estimate"])
    parts = {
        lineup: {"policies": max(0.0, explained), "all else": min(1.0, 1 - explained)}
        for lineup in order[:12]
        for explained in [skills[lineup]["estimate"]]
    }
    draw = partial(charts.bars, parts, "of the variance of who wins, %")
    pictures = [Picture("luck", say("caption_luck"), draw)] if len(parts) > 1 else []
    sentences = [say("luck"), say("luck_of_lineup", order[0], skills[order[0]])]
    return Section("luck", "What decides who wins", sentences, pictures)


def drama(data: ReportData) -> Section | None:
    """Tell how matches get to their winners."""
    series: dict[str, dict[str, Row]] = {}
    lineups = [name for name in data.lineups if data.alone(name)] or data.lineups
    for lineup in lineups[:4]:
        levels = data.main(kind="level", lineup=lineup, variant=BASELINE)
        rows = {row["number"]: row for row in levels}
        if events := {words: rows[name] for name, words in EVENTS.items() if name in rows}:
            series[lineup] = events
    if not series:
        return None
    events = series.get(data.reference) or next(iter(series.values()))
    at_the_end = events.get(EVENTS["decided_at_the_end"])
    margin = first_of(data.main(kind="level", number="margin", lineup=data.reference))
    sentences = [say("decided_at_the_end", at_the_end)] if at_the_end is not None else []
    sentences += [say("margin", margin)] if margin is not None else []
    draw = partial(charts.dots, series, "decided matches, %", start=0)
    picture = Picture("drama", say("caption_drama"), draw)
    return Section("drama", "How matches are decided", sentences, [picture])


def sweep(data: ReportData) -> Section | None:
    """Tell the effects of factors."""
    effects = data.main(kind="factor", number=data.length)
    by_name = {row["variant"]: row for row in effects if row["who"] == ""}
    if not by_name:
        return None
    shown = sorted((row for row in effects if is_shown(row)), key=_size)
    sentences = [say("factor", row) for row in shown[:MOST_SENTENCES]]
    pictures = []
    if len(by_name) > 1:
        draw = partial(charts.dots, {"": by_name}, data.length, scale=1, rule=0)
        pictures.append(Picture("factors", say("caption_factors", data.length), draw))
    sentences = sentences or [say("no_factor", data.length)]
    return Section("sweep", "What the factors change", sentences, pictures)


# ---- basis


def basis(data: ReportData) -> Section:
    """Tell what was played, and how to go on."""
    stored = data.stored
    deals = [stored.deals(cell) for cell in stored.cells]
    matches = sum(stored.matches(cell) for cell in stored.cells)
    lineups = [
        {
            "lineup": name,
            "seats": ", ".join(seats) if len(set(seats)) > 1 else f"{seats[0]} × {len(seats)}",
        }
        for name, seats in data.seats.items()
    ]
    rules: dict[tuple[str, str], None] = {}
    for cell in stored.cells:
        if cell.variant != BASELINE:
            usual = stored.base(cell).options
            changed = {k: v for k, v in cell.options.items() if usual.get(k) != v}
            rules[cell.variant, ", ".join(f"{k} = {show(v)}" for k, v in changed.items())] = None
    tables = [
        Table.of(lineups, [Column("lineup", "line-up"), Column("seats", wraps=True)], "Line-ups")
    ]
    if rules:
        lines = [{"variant": variant, "changes": changes} for variant, changes in rules]
        columns = [Column("variant"), Column("changes", wraps=True)]
        tables.append(Table.of(lines, columns, "Rules of the variants"))
    players = {len(cell.seats) for cell in stored.cells}
    return Section(
        "basis",
        "What this rests on",
        [
            say("played", matches, len(deals), min(deals), max(deals), stored.cells[0].seed),
            say("intervals_and_p"),
            *(f"Assumed: {text.rstrip('.')}." for text in data.game.assumed(players)),
            *(f"{note.rstrip('.')}." for note in data.screen.notes),
        ],
        tables=tables,
        commands=[
            ("every number, a row each", f"cardlab compare {data.directory} --csv"),
            ("one match in words", _play_command(data)),
            ("more matches", f"cardlab run {data.directory} --matches {2 * max(deals)}"),
        ],
    )


def _play_command(data: ReportData) -> str:
    """Return the command that shows the first match of the report's main table."""
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
    names = data.screen.measures
    if not names:
        return None
    rows = [row for row in data.rows(kind="level") if row["number"] in names]
    moved = [row for row in data.rows(kind="change") if row["number"] in names and is_shown(row)]
    sentences = [
        f"{row['number']}{' of ' + row['who'] if row['who'] else ''}: "
        f"{estimate_text(row, data.screen.shares)}."
        for row in rows
        if row["lineup"] == data.reference and data.point_of(row) == data.point
    ]
    title = "The study's own measures"
    tables = [
        *_rows_table(data, rows, title),
        *_rows_table(data, moved, "Changes of them that are shown"),
    ]
    return Section("measures", title, sentences[:MOST_SENTENCES], tables=tables)


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
