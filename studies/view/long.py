"""The frame itself as tables, a row per number: all of it, or the changes that are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from studies.measures import BASELINE
from studies.render import Column, Table, number
from studies.view.query import Row, View, text

MOST_SHOWN = 60
"""Changes in the table of those that are shown."""

KINDS = {
    "change": "what changes",
    "after": "levels with each variant",
    "difference": "differences of policies, seats and variants",
    "level": "levels",
    "seating": "win rates of policies by position",
    "factor": "effects of the factors",
    "interaction": "interactions of variants",
    "point": "differences between points of the sweep",
    "population": "over the population of tables",
    "prediction": "where another table would lie",
    "strength": "strengths over all line-ups, wins of 100",
    "payoff": "how often one policy beats another",
    "variance": "what decides who wins",
    "quantile": "quantiles",
    "relative": "changes in %",
}
"""Titles of the kinds of rows; other kinds use their own name."""


def long_tables(view: View) -> list[Table]:
    """Return the frame by kind, line-up and point, a row per number."""
    names = [*view.keys, "lineup"]
    tables = []
    for part in view.frame.partition_by(*names, "kind", maintain_order=True):
        rows = [view.written(row) for row in part.iter_rows(named=True)]
        kind, place = rows[0]["kind"], view.place_of(rows[0])
        content = KINDS.get(kind) or str(kind)
        if kind == "change":
            content += " on the same deals" if view.answer.is_paired else ", on independent deals"
        at = view.where([place])
        title = f"{content[0].upper()}{content[1:]}{f': {at}' if at else ''}"
        tables.append((place[0] != view.reference, _long_table(view, rows, title)))
    return [table for _, table in sorted(tables, key=lambda item: item[0])]


def _long_table(view: View, rows: Sequence[Row], title: str) -> Table:
    columns = [
        Column("variant"),
        Column("who", form=lambda row: _who(view, row), wraps=True),
        Column("number"),
        Column("baseline", form=_baseline),
        Column("estimate", form=lambda row: text(row) or "–"),
        Column("p_holm", "p, corrected", "p"),
        Column("count", form="count", drop_priority=3),
        Column("deals", form="count", drop_priority=2),
        Column("equivalent", "within margin", drop_priority=1),
    ]
    if all(row["variant"] == BASELINE for row in rows):
        del columns[0]
    filled = [
        column for column in columns if any(row[column.name] not in (None, "") for row in rows)
    ]
    shares = any(row["scale"] == 100 for row in rows)
    return Table.of(rows, filled, f"{title}{'; shares in %' if shares else ''}")


def _who(view: View, row: Row) -> str:
    if not row["against"]:
        return view.name(row["who"]) if row["who"] else ""
    against = view.name(row["against"])
    return f"{view.name(row['who'])} − {against}" if row["who"] else against


def _baseline(row: Row) -> str:
    if row["baseline"] is None:
        return "–"
    scale = row["scale"] if row["kind"] != "relative" else 1
    return f"{scale * row['baseline']:,.4g}"


def shown_changes(view: View) -> list[Table]:
    """Return the changes that are shown, the most certain first."""
    rows = [row for rows in view.all_shown_changes.values() for row in rows]
    rows.sort(key=lambda row: (row["p_holm"], -abs(row["estimate"])))
    if not rows:
        return []
    table = _long_table(view, rows[:MOST_SHOWN], "All changes that are shown")
    places = [Column("lineup", "at", form=lambda row: view.where([view.place_of(row)]), wraps=True)]
    several = len(view.lineups) * len(view.points) > 1
    hidden = len(rows) - MOST_SHOWN
    notes = [f"{hidden:,} more: cardlab compare {view.answer.where} --csv"] if hidden > 0 else []
    columns = (*(places if several else ()), *table.columns)
    return [Table(table.frame, columns, table.title, tuple(notes))]


def card_tables(view: View) -> list[Table]:
    """Return what each card is worth: a table for each line-up, variant, and when it was had."""
    frame = view.answer.cards
    if frame is None:
        return []
    columns = (
        Column("card"),
        Column("times", form="count"),
        Column("win_rate", "win rate, %", "percent"),
        Column("less_usual", "less the seat's usual, points", _card_text),
        Column("p_holm", "p, corrected", "p"),
    )
    tables = []
    for cards in frame.partition_by("lineup", "variant", "when", maintain_order=True):
        lineup, variant, when = cards.select("lineup", "variant", "when").row(0)
        title = f"Cards that were {when}: wins of the seats (line-up {lineup}, {variant})"
        tables.append(Table(cards.sort("less_usual", descending=True), columns, title))
    note = (
        "Each seat is compared with the win rate of its policy at its position over all deals; p "
        "is corrected for the cards of a table (Holm). Whether a card is dealt is pure "
        "chance; whether it is drawn or played also depends on how the match went."
    )
    return [*tables[:-1], replace(tables[-1], notes=(note,))]


def _card_text(row: Row) -> str:
    return number(row["less_usual"], row["low"], row["high"], scale=100, signed=True)
