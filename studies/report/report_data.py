"""A study's frame as a report queries it, and words for intervals."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import polars as pl

from simcore.game import Game
from simcore.options import show
from studies.answers.filters import EVERYTHING, Filters
from studies.answers.frame import answers
from studies.answers.headlines import Headlines, headlines
from studies.answers.reference import named_reference, reference_of
from studies.design.cells import StudyCell
from studies.design.margins import frame_margins
from studies.legend import study_legend
from studies.measures import LENGTHS, game_of
from studies.overview import (
    BASELINE,
    POPULATION,
    SCREEN,
    SHARES,
    OverviewInput,
    length_of,
    widest_pair,
)
from studies.render import number
from studies.store.opened import Stored

Row = Mapping[str, Any]

LEVEL = 0.95


@dataclass
class ReportData:
    """The data of a report.

    Attributes
    ----------
    told : Told
        The frame, and the names in it.
    stored : Stored
    """

    told: OverviewInput
    stored: Stored
    filters: Filters = EVERYTHING

    @classmethod
    def of(cls, stored: Stored, filters: Filters = EVERYTHING) -> ReportData:
        """Return the data of a study directory, or of a part of it."""
        study = stored.study
        found = answers(
            stored.cells,
            lambda cell: stored.totals(cast("StudyCell", cell)),
            level=LEVEL,
            margins=frame_margins(study.compare),
            study=study,
            measures=stored.measures,
        )
        filters.of(found.frame)  # refuses a number that the study lacks
        frame = replace(filters, number=()).of(found.frame)
        words = f" ({filters.words})" if filters else ""
        reference = reference_of(stored.cells, frame, named_reference(study))
        told = OverviewInput(
            frame,
            f"{study.title}{words}" if study.title else "",
            LEVEL,
            (*(one.name for one in stored.measures), *filters.number),
            None,
            (*found.notes, *stored.notes),
            {*SHARES, *(one.name for one in stored.measures if one.is_share), *EVENTS},
            reference,
            headlines=headlines(found, reference=reference),
            legend=study_legend(stored),
            seconds=study.compare.seconds if study.compare else None,
        )
        return cls(told, stored, filters)

    @cached_property
    def game(self) -> Game:
        """The game that is played."""
        return game_of(self.stored.cells[0])

    @property
    def directory(self) -> Path:
        """Where the study is."""
        return self.stored.directory

    def rows(self, **asked: Any) -> list[Row]:
        """Return the frame's rows with these values, those that have an estimate."""
        # Of thousands of rows only those of the kind and of one number or line-up are looked at.
        place = next((name for name in ("number", "lineup") if name in asked), "")
        known = self._places[asked.pop("kind"), place, asked.pop(place, None)]
        wanted = list(asked.items())
        return [row for row in known if all(row[name] == value for name, value in wanted)]

    @cached_property
    def by_kind(self) -> dict[Any, list[Row]]:
        """The frame's rows by kind."""
        found: dict[Any, list[Row]] = {}
        for row in self.everything:
            found.setdefault(row["kind"], []).append(row)
        return found

    @cached_property
    def _places(self) -> dict[tuple[str, str, Any], list[Row]]:
        """The rows that have an estimate, by kind, and by kind and number or line-up."""
        found: dict[tuple[str, str, Any], list[Row]] = defaultdict(list)
        for row in self.everything:
            if row["estimate"] is not None:
                found[row["kind"], "", None].append(row)
                for name in ("number", "lineup"):
                    found[row["kind"], name, row[name]].append(row)
        return found

    @cached_property
    def everything(self) -> list[Row]:
        """The rows that a report uses: a quarter of the frame with a thousand cells."""
        numbers = (*SCREEN, *LENGTHS, *EVENTS, "margin", *self.told.measures)
        kinds = ("strength", "payoff", "variance", "quantile")
        chosen = pl.col("number").is_in(numbers) | pl.col("kind").is_in(kinds)
        shown = (pl.col("kind") == "change") & (pl.col("p_holm") < 1 - LEVEL)
        return list(self.told.frame.filter(chosen | shown).iter_rows(named=True))

    def point_of(self, row: Row) -> dict[str, Any]:
        """Return the sweep's values of a row."""
        return {key: row[key] for key in self.told.keys}

    @cached_property
    def point(self) -> dict[str, Any]:
        """The first point of the sweep, which the report is mainly about."""
        return self.point_of(self.everything[0])

    @cached_property
    def points(self) -> list[dict[str, Any]]:
        """All points of the sweep."""
        found = {repr(self.point_of(row)): self.point_of(row) for row in self.by_kind["level"]}
        return list(found.values())

    def at(self, point: Mapping[str, Any]) -> str:
        """Name a point of the sweep; "" if there is only one."""
        return ", ".join(
            spoken(f"{key} = {show(value)}") for key, value in point.items() if value is not None
        )

    def main(self, **asked: Any) -> list[Row]:
        """Return the rows at the main point."""
        return self.rows(**self.point, **asked)

    @cached_property
    def seats(self) -> dict[str, tuple[str, ...]]:
        """The policies of each line-up, one a seat, at the main point first."""
        found: dict[str, tuple[str, ...]] = {}
        for cell in self.stored.cells:
            if not self.filters.players or cell.players in self.filters.players:
                found.setdefault(cell.lineup, cell.seats)
        return found

    def alone(self, lineup: str) -> bool:
        """Whether one policy holds all seats of a line-up."""
        return len(set(self.seats.get(lineup, ("", "-")))) == 1

    @cached_property
    def lineups(self) -> list[str]:
        """Line-ups that have matches at the main point, those with variants first."""
        changed = {row["lineup"] for row in self.by_kind.get("change", [])}
        names = list(dict.fromkeys(row["lineup"] for row in self.main(kind="level")))
        return sorted((name for name in names if name), key=lambda name: name not in changed)

    @property
    def reference(self) -> str:
        """The line-up whose seats and length the report describes."""
        return self.told.reference

    @property
    def headlines(self) -> Headlines:
        """What the first screen may claim."""
        assert self.told.headlines is not None
        return self.told.headlines

    @property
    def about(self) -> str:
        """Whom the headlines about seats and rules are about: who sits there, or all tables."""
        drawn = any(own.lineup == POPULATION for own in self.headlines.all)
        return "the population of tables" if drawn else self.who(self.reference)

    @cached_property
    def length(self) -> str:
        """The metric for the length of a match."""
        return length_of(self.everything)

    @cached_property
    def pair(self) -> tuple[str, str] | None:
        """The two policies furthest apart; None if no table has two."""
        return widest_pair(self.everything)

    @cached_property
    def variants(self) -> list[str]:
        """The variants of the study, controls left out."""
        tested = [r for r in self.by_kind.get("change", []) if r["p"] is not None]
        return list(dict.fromkeys(row["variant"] for row in tested))

    def who(self, lineup: str, everywhere: bool = False) -> str:
        """Say who sits at a table, or at all its points of a sweep, whose seats may be more."""
        seats = self.seats.get(lineup, ())
        if len(set(seats)) == 1:
            if everywhere:
                return f"{seats[0]} in all seats"
            return f"{seats[0]} in {'both' if len(seats) == 2 else f'all {len(seats)}'} seats"
        return f"line-up {lineup}"


EVENTS = (
    "led_throughout",
    "behind",
    "settled_by_quarter",
    "settled_by_half",
    "decided_at_the_end",
    "close",
    "runaway",
)
"""Shares of matches that describe how the winner emerges."""


def one(rows: Iterable[Row]) -> Row | None:
    """Return the first row; None where there is none."""
    return next(iter(rows), None)


def is_shown(row: Row) -> bool:
    """Whether a test, corrected over its family, is significant."""
    return row["p_holm"] is not None and row["p_holm"] < 1 - LEVEL


def way(row: Row, more: str, less: str, none: str = "not shown to differ") -> str:
    """Return a word for a change that is shown by a test."""
    if not is_shown(row):
        return none
    return more if row["estimate"] > 0 else less


def points(row: Row) -> str:
    """Write a difference of shares: "+2.1 ±0.4 points"."""
    text = number(row["estimate"], row["low"], row["high"], scale=100, signed=True)
    return f"{text} points"


def per_cent(row: Row) -> str:
    """Write a change in parts of a level: "+2.1 ±0.4 %"."""
    return f"{number(row['estimate'], row['low'], row['high'], scale=100, signed=True)} %"


def spoken(place: str) -> str:
    """Say "4 players" in place of "players = 4"."""
    return re.sub(r"\bplayers = (\d+)", r"\1 players", place)


def policy(who: str) -> str:
    """Return the policy of a row."""
    return who.removeprefix("policy ")


def position(who: str) -> str:
    """Name a position in words."""
    return "the first seat" if who == "position 0" else who


def some(words: Sequence[str], most: int = 6) -> str:
    """List words, and say how many more there are."""
    from studies.render import listed

    return listed(words, most)


__all__ = ["BASELINE", "EVENTS", "ReportData", "Row"]
