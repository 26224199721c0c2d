"""Queries on a study's long frame: rows by kind and number, at a line-up and a point of the sweep.

A row knows how it is written: its scale (a share in per cent, a strength as wins of 100) and
whether it is a change, which has a sign. Nothing is computed here that is not a row of the frame.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import polars as pl

from simcore.options import show
from studies.answers.headlines import RANDOM
from studies.answers.population import ALL_TABLES
from studies.measures import BASELINE, LED_THROUGHOUT, LENGTHS, drama
from studies.render import counted, interval_text, listed, number
from studies.view.answered import Answered

Row = Mapping[str, Any]
Place = tuple[Any, ...]
"""A line-up, then the sweep's values."""

EVENTS = {
    measure.name: measure.title for measure in (LED_THROUGHOUT, *drama(3, LENGTHS)) if measure.title
}
"""Shares of decided matches that tell how the winner emerges, and what they are called."""

MOVED = ("another_winner", "unrelated", "agreement", "in_play")
"""Numbers of how often a variant changes who wins."""

SHARES = frozenset(("win_rate", *MOVED, "aborted", "nobody", "shared_win", "forced_share", *EVENTS))
"""Numbers that are written in per cent; a study's own are added."""

LEVELS = ("level", "after", "seating", "payoff", "variance", "quantile", "strength")
"""Kinds of rows that are no changes, so that they have no sign."""

MOST_POINTS = 3
"""Points of a sweep that are named in a row."""

MOST_PLAYERS = 6
"""Numbers of players that are."""

ENDS = ("estimate", "low", "high")


class View:
    """An answer, and queries on its frame.

    Attributes
    ----------
    keys : list of str
        The sweep's columns.
    points : list of tuple
        The points of the sweep; the first one is the main one.
    """

    def __init__(self, answer: Answered) -> None:
        self.answer, self.frame = answer, answer.frame
        names = self.frame.columns
        self.keys = names[: names.index("lineup")]
        self.shares = {*SHARES, *answer.shares}
        self._known: dict[tuple[str, str], dict[Place, list[Row]]] = {}

    # ---- rows

    def by_place(self, kind: str, number: str) -> dict[Place, list[Row]]:
        """Return the rows of a kind and number that have an estimate, by line-up and point."""
        if (kind, number) not in self._known:
            places: dict[Place, list[Row]] = {}
            chosen = self._of_kind.get(kind)
            if chosen is not None:
                chosen = chosen.filter(pl.col("number") == number)
                for row in chosen.iter_rows(named=True):
                    places.setdefault(self.place_of(row), []).append(self.written(row))
            self._known[kind, number] = places
        return self._known[kind, number]

    @cached_property
    def _of_kind(self) -> dict[str, pl.DataFrame]:
        known = self.frame.filter(pl.col("estimate").is_not_null())
        parts = known.partition_by("kind", maintain_order=True, as_dict=True)
        return {str(kind): part for (kind,), part in parts.items()}

    def rows(self, kind: str, number: str, place: Place | None = None, **values: Any) -> list[Row]:
        """Return the rows of a kind and number, at a place or at all, with some values."""
        known = self.by_place(kind, number)
        members = (
            [row for rows in known.values() for row in rows]
            if place is None
            else known.get(place, [])
        )
        wanted = list(values.items())
        return [row for row in members if all(row[name] == value for name, value in wanted)]

    def row(self, kind: str, number: str, place: Place, **values: Any) -> Row | None:
        """Return the first such row, or None."""
        return next(iter(self.rows(kind, number, place, **{"against": "", **values})), None)

    def written(self, row: Row) -> Row:
        """Return a row with how it is written: `scale` and `signed`."""
        kind, share = row["kind"], row["number"] in self.shares
        scale: float = 1
        if kind == "strength":
            scale = math.nan  # no scale, but a curve: see `text`
        elif kind in ("payoff", "variance", "relative") or (share and kind != "quantile"):
            scale = 100
        of_tables = kind == "population" and (row["variant"] == BASELINE or row["number"] in MOVED)
        return {**row, "scale": scale, "signed": kind not in LEVELS and not of_tables}

    def place_of(self, row: Row) -> Place:
        """Return the line-up and point of a row."""
        return (row["lineup"], *(row[key] for key in self.keys))

    def gap(self, kind: str, place: Place, pair: tuple[str, str], **values: Any) -> Row | None:
        """Return the first policy's win rate less the second's, in whichever order it is known."""
        first, second = (f"policy {name}" for name in pair)
        for row in self.rows(kind, "win_rate", place, **values):
            if (row["who"], row["against"]) == (first, second):
                return row
            if (row["who"], row["against"]) == (second, first):
                return turned(row)
        return None

    def same(self, row: Row) -> Row | None:
        """Return the frame's row that a headline is about, or None where it is filtered out."""
        place, named = self.place_of(row), (row["who"], row["against"])
        for known in self.rows(row["kind"], row["number"], place, variant=row["variant"]):
            if (known["who"], known["against"]) == named:
                return known
            if (known["against"], known["who"]) == named:
                return turned(known)
        return None

    # ---- what the study has

    @cached_property
    def points(self) -> list[tuple[Any, ...]]:
        """The points of the sweep, in their order."""
        levels = self.frame.filter(pl.col("kind").is_in(["level", "change"]))
        levels = levels if len(levels) else self.frame
        return levels.select(self.keys).unique(maintain_order=True).rows() if self.keys else [()]

    @cached_property
    def lineups(self) -> list[str]:
        """The line-ups, the reference first, then those with variants."""
        levels = self.frame.filter(pl.col("kind").is_in(["level", "change"]))
        names = [name for name in levels["lineup"].unique(maintain_order=True) if name]
        changed = set(self.frame.filter(kind="change")["lineup"].unique())
        return sorted(names, key=lambda name: (name != self.reference, name not in changed))

    @property
    def reference(self) -> str:
        """The line-up that seats, length and rules are told of first."""
        return self.answer.reference

    @property
    def main(self) -> Place:
        """The reference line-up at the first point of the sweep that has it."""
        return next(iter(self.places(self.reference)), (self.reference, *self.points[0]))

    def places(self, lineup: str) -> list[Place]:
        """Return the points at which a line-up has played."""
        return [(lineup, *point) for point in self.points if (lineup, *point) in self._played]

    @cached_property
    def all_places(self) -> list[Place]:
        """All line-ups at all points."""
        return [place for lineup in self.lineups for place in self.places(lineup)]

    def everywhere(self, kind: str, number: str, **values: Any) -> list[Row]:
        """Return the rows of a kind and number at all places, in their order."""
        return [
            row for place in self.all_places for row in self.rows(kind, number, place, **values)
        ]

    def table(self, row: Row) -> str:
        """Name the line-up and point of a row, in short."""
        place = self.place_of(row)
        return self.where([place]).removeprefix("line-up ") or str(place[0])

    def with_per_cent(self, number: str) -> str:
        """Return the heading of a number."""
        return f"{number}, %" if number in self.shares else number

    @cached_property
    def _played(self) -> set[Place]:
        return set(self.frame.select("lineup", *self.keys).unique().rows())

    @cached_property
    def variants(self) -> list[str]:
        """The variants, with controls, which change nothing."""
        names = self.frame.filter(pl.col("kind").is_in(["change", "level"]))["variant"]
        return [name for name in names.unique(maintain_order=True) if name != BASELINE]

    @cached_property
    def is_drawn(self) -> bool:
        """Whether the tables were drawn from a population, which rules are told of first."""
        return "population" in self._of_kind

    @cached_property
    def length(self) -> str:
        """The metric of the length of a match: the first of `LENGTHS` that is counted."""
        numbers = set(self.frame.filter(pl.col("who") == "")["number"].unique())
        return next((name for name in LENGTHS if name in numbers), "")

    def seats(self, place: Place, number: str = "win_rate") -> dict[str, Row]:
        """Return a number of each position at a place, or of each team, by name."""
        kind = "population" if place[0] == ALL_TABLES else "level"
        rows = self.rows(kind, number, place, variant=BASELINE)
        for start in ("team ", "position "):
            if named := {self.name(r["who"]): r for r in rows if r["who"].startswith(start)}:
                return named
        return {}

    @cached_property
    def has_teams(self) -> bool:
        """Whether several seats win together."""
        return bool(self.frame["who"].str.starts_with("team ").any())

    @cached_property
    def is_cooperative(self) -> bool:
        """Whether all seats win or lose together."""
        return bool(((self.frame["number"] == "win_rate") & (self.frame["who"] == "")).any())

    def is_alone(self, lineup: str) -> bool:
        """Whether one policy holds all seats of a line-up."""
        return len(set(self.answer.seats.get(lineup, ("", "-")))) == 1

    def pair(self, place: Place) -> tuple[str, str] | None:
        """Return the two policies whose win rates lie furthest apart, the stronger one first.

        Random play is one of them only where no two others meet.
        """
        rows = self.rows("difference", "win_rate", place, variant=BASELINE)
        gaps = {
            (policy(row["who"]), policy(row["against"])): row["estimate"]
            for row in rows
            if row["who"].startswith("policy ")
        }
        skilled = {pair: gap for pair, gap in gaps.items() if RANDOM not in pair}
        if not (gaps := skilled or gaps):
            return None
        first, second = max(gaps, key=lambda pair: abs(gaps[pair]))
        return (first, second) if gaps[first, second] > 0 else (second, first)

    # ---- names

    @cached_property
    def _full_names(self) -> dict[str, str]:
        """How each policy is called: without parameters where that tells it from all others."""
        levels = self.frame.filter(pl.col("who").str.starts_with("policy "))
        named = [policy(who) for who in levels["who"].unique(maintain_order=True)]
        shorts = [name.partition("(")[0] for name in named]
        return {
            name: short if shorts.count(short) == 1 else name
            for name, short in zip(named, shorts, strict=True)
        }

    @cached_property
    def looks(self) -> dict[str, int]:
        """At how many things of the table each policy looks, where that is known, by `who`."""
        known = self.answer.legend.looks()
        names = self.frame.filter(pl.col("who").str.starts_with("policy "))["who"].unique()
        counts = {who: known.get(policy(who).partition("(")[0]) for who in names}
        return {who: count for who, count in counts.items() if count is not None}

    def name(self, who: str) -> str:
        """Name a policy, a position or a team."""
        if who.startswith("policy "):
            return self._full_names.get(policy(who), policy(who))
        return position(who)

    def pair_words(self, pair: Sequence[str]) -> str:
        """Name the difference of two policies."""
        return " − ".join(self._full_names.get(name, name) for name in pair)

    def differing(self, point: Sequence[Any]) -> dict[str, Any]:
        """Return those values of a point that differ within the study."""
        return {
            key: value
            for key, value in zip(self.keys, point, strict=True)
            if value is not None and self._counts[key] > 1
        }

    @cached_property
    def _counts(self) -> dict[str, int]:
        return {key: self.frame[key].drop_nulls().n_unique() for key in self.keys}

    def at(self, point: Sequence[Any]) -> str:
        """Name a point of the sweep, "" where there is one: "4 players, rounds = 2"."""
        return ", ".join(
            f"{value} players" if key == "players" else f"{key} = {show(value)}"
            for key, value in self.differing(point).items()
        )

    def where(self, places: Sequence[Place]) -> str:
        """Name the line-up and the points of a claim, without what the study has only one of."""
        words = [self.lineup_words(places[0][0])]
        points = [place[1:] for place in places]
        differing = [self.differing(point) for point in points]
        if any(differing):
            if len(points) == len(self.points) > 1:
                words.append(f"at all {len(points)} points of the sweep")
            elif set(differing[0]) == {"players"}:
                numbers = (str(point["players"]) for point in differing)
                words.append(f"{listed(numbers, MOST_PLAYERS)} players")
            else:
                words.append(listed(map(self.at, points), MOST_POINTS))
        return ", ".join(filter(None, words))

    def lineup_words(self, lineup: str) -> str:
        """Name a line-up, or the population; "" where the study has one line-up."""
        if lineup == ALL_TABLES:
            return "over the population of tables"
        return f"line-up {lineup}" if len(self.lineups) > 1 else ""

    def is_shown(self, row: Row | None) -> bool:
        """Whether a row's test, corrected over its family, is significant."""
        return bool(row and row["p_holm"] is not None and row["p_holm"] < 1 - self.answer.level)

    def shown_changes(self, variant: str, place: Place) -> list[Row]:
        """Return the changes by a variant that are shown at a place, gaps of policies too."""
        return self.all_shown_changes.get((variant, place), [])

    @cached_property
    def all_shown_changes(self) -> dict[tuple[str, Place], list[Row]]:
        """The changes that are shown, by variant and place."""
        found: dict[tuple[str, Place], list[Row]] = {}
        changes = self._of_kind.get("change")
        if changes is not None:
            shown = changes.filter(pl.col("p_holm") < 1 - self.answer.level)
            for row in shown.iter_rows(named=True):
                key = row["variant"], self.place_of(row)
                found.setdefault(key, []).append(self.written(row))
        return found

    def is_tested(self, row: Row) -> bool:
        """Whether a change is shown; a relative one by the test of the change itself."""
        if row["kind"] == "relative" and row["p_holm"] is None:
            same = {name: row[name] for name in ("variant", "who")}
            return self.is_shown(self.row("change", row["number"], self.place_of(row), **same))
        return row["kind"] == "level" or self.is_shown(row)


# ---- rows in words


def text(row: Row | None) -> str:
    """Write a row with its interval: "27.1 ±0.9", "+3.1 (+2.9…+3.8)"."""
    if row is None or row["estimate"] is None:
        return ""
    if not math.isnan(row["scale"]):
        return interval_text(row, row["scale"], signed=row["signed"])
    # A strength, as wins of 100 against a policy of mean strength.
    return number(*(None if row[end] is None else wins_of_100(row[end]) for end in ENDS))


def wins_of_100(log_odds: float) -> float:
    """Return how many of 100 matches are won at these log-odds."""
    return 100 / (1 + math.exp(-log_odds))


def value_of(row: Row) -> float:
    """Return a row's estimate as it is written, by which tables are sorted."""
    estimate = float(row["estimate"])
    return wins_of_100(estimate) if math.isnan(row["scale"]) else row["scale"] * estimate


def with_unit(row: Row) -> str:
    """Write a row with its unit: "27.1 ±0.9 %", "+3.1 ±0.4 points"."""
    unit = ""
    if row["scale"] == 100:
        unit = " points" if row["signed"] and row["kind"] != "relative" else " %"
    if row.get("constant") and row["estimate"]:
        value = number(row["estimate"], scale=row["scale"], signed=row["signed"])
        return f"{value}{unit} in all {counted(row['deals'], 'deal')}"
    return f"{text(row)}{unit}"


def turned(row: Row) -> Row:
    """Return a difference the other way round."""
    ends = {"estimate": "estimate", "low": "high", "high": "low"}
    values = {name: row[end] for name, end in ends.items()}
    swapped = {name: None if end is None else 0.0 - end for name, end in values.items()}
    return {**row, **swapped, "who": row["against"], "against": row["who"]}


def policy(who: str) -> str:
    """Return the policy of a row, with its parameters."""
    return who.removeprefix("policy ")


def position(who: str) -> str:
    """Name a position, or a team, alike everywhere: "first seat", "position 1"."""
    return {"position 0": "first seat", "team 0": "the first seat's team"}.get(who, who)


def sign(row: Row) -> int:
    """Return 1, 0 or -1: on which side of 0 the whole interval lies."""
    if row["low"] is not None and row["low"] > 0:
        return 1
    return -1 if row["high"] is not None and row["high"] < 0 else 0
