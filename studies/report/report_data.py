"""A study's frame as a report queries it, and words for intervals."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import polars as pl

from simcore.game import Game
from simcore.options import show
from studies import overview
from studies.answers.filters import EVERYTHING, Filters
from studies.answers.frame import answers
from studies.answers.headlines import Headlines, headlines
from studies.answers.population import ALL_TABLES
from studies.answers.reference import named_reference, reference_of
from studies.design.cells import StudyCell
from studies.design.keys import frame_margins
from studies.legend import study_legend
from studies.measures import LED_THROUGHOUT, LENGTHS, drama, game_of
from studies.overview import SCREEN, SHARES, OverviewInput, length_of, widest_pair
from studies.store.opened import Stored

Row = Mapping[str, Any]

LEVEL = 0.95


@dataclass
class ReportData:
    """The data of a report.

    Attributes
    ----------
    screen : OverviewInput
        The frame, and the names in it.
    stored : Stored
    """

    screen: OverviewInput
    stored: Stored
    filters: Filters = EVERYTHING

    @classmethod
    def of(cls, stored: Stored, filters: Filters = EVERYTHING) -> ReportData:
        """Return the data of a study directory, or of a part of it."""
        study = stored.study
        all_answers = answers(
            stored.cells,
            lambda cell: stored.totals(cast("StudyCell", cell)),
            level=LEVEL,
            margins=frame_margins(study.compare),
            study=study,
            measures=stored.measures,
        )
        filters.of(all_answers.frame)  # refuses a number that the study lacks
        frame = replace(filters, number=()).of(all_answers.frame)
        words = f" ({filters.words})" if filters else ""
        reference = reference_of(stored.cells, frame, named_reference(study))
        shares = (measure.name for measure in stored.measures if measure.is_share)
        screen = OverviewInput(
            frame,
            title=f"{study.title}{words}" if study.title else "",
            level=LEVEL,
            measures=(*(measure.name for measure in stored.measures), *filters.number),
            notes=(*all_answers.notes, *stored.notes),
            shares={*SHARES, *shares, *EVENTS},
            reference=reference,
            headlines=headlines(all_answers, reference=reference),
            legend=study_legend(stored),
            seconds=study.compare.seconds if study.compare else None,
        )
        return cls(screen, stored, filters)

    @cached_property
    def game(self) -> Game:
        """The game that is played."""
        return game_of(self.stored.cells[0])

    @property
    def directory(self) -> Path:
        """Where the study is."""
        return self.stored.directory

    def rows(self, **values: Any) -> list[Row]:
        """Return the frame's rows with these values, those that have an estimate."""
        # Of thousands of rows only those of the kind and of one number or line-up are looked at.
        place = next((name for name in ("number", "lineup") if name in values), "")
        known = self._places[values.pop("kind"), place, values.pop(place, None)]
        wanted = list(values.items())
        return [row for row in known if all(row[name] == value for name, value in wanted)]

    @cached_property
    def by_kind(self) -> dict[Any, list[Row]]:
        """The frame's rows by kind."""
        by_kind: dict[Any, list[Row]] = defaultdict(list)
        for row in self.everything:
            by_kind[row["kind"]].append(row)
        return by_kind

    @cached_property
    def _places(self) -> dict[tuple[str, str, Any], list[Row]]:
        """The rows that have an estimate, by kind, and by kind and number or line-up."""
        places: dict[tuple[str, str, Any], list[Row]] = defaultdict(list)
        for row in self.everything:
            if row["estimate"] is not None:
                places[row["kind"], "", None].append(row)
                for name in ("number", "lineup"):
                    places[row["kind"], name, row[name]].append(row)
        return places

    @cached_property
    def everything(self) -> list[Row]:
        """The rows that a report uses: a quarter of the frame with a thousand cells."""
        numbers = (*SCREEN, *LENGTHS, *EVENTS, "margin", *self.screen.measures)
        kinds = ("strength", "payoff", "variance", "quantile")
        chosen = pl.col("number").is_in(numbers) | pl.col("kind").is_in(kinds)
        shown = (pl.col("kind") == "change") & (pl.col("p_holm") < 1 - LEVEL)
        return list(self.screen.frame.filter(chosen | shown).iter_rows(named=True))

    def point_of(self, row: Row) -> dict[str, Any]:
        """Return the sweep's values of a row."""
        return {key: row[key] for key in self.screen.keys}

    @cached_property
    def point(self) -> dict[str, Any]:
        """The first point of the sweep, which the report is mainly about."""
        return self.point_of(self.everything[0])

    @cached_property
    def points(self) -> list[dict[str, Any]]:
        """All points of the sweep."""
        points = map(self.point_of, self.by_kind["level"])
        return list({repr(point): point for point in points}.values())

    def at(self, point: Mapping[str, Any]) -> str:
        """Name a point of the sweep; "" if there is only one."""
        return ", ".join(
            spoken(f"{key} = {show(value)}") for key, value in point.items() if value is not None
        )

    @property
    def at_main(self) -> str:
        """The main point in words after a comma; "" if there is only one."""
        return f", {self.at(self.point)}" if len(self.points) > 1 else ""

    def main(self, **values: Any) -> list[Row]:
        """Return the rows at the main point."""
        return self.rows(**self.point, **values)

    def across(self, kind: str) -> list[Row]:
        """Return rows over all line-ups at the main point, whose sweep lacks policies' values."""
        point = {key: value for key, value in self.point.items() if "." not in key}
        return [
            row
            for row in self.by_kind[kind]
            if all(row[key] == value for key, value in point.items())
        ]

    def quantiles(self, point: Mapping[str, Any], fewest: int = 0) -> dict[str, float]:
        """Return the reference's quantiles of the length ("q05" …), of `fewest` matches or more."""
        return {
            row["number"].rpartition(" ")[2]: row["estimate"]
            for row in self.rows(kind="quantile", lineup=self.reference, **point)
            if row["number"].startswith(f"{self.length} q") and row["matches"] >= fewest
        }

    @cached_property
    def seats(self) -> dict[str, tuple[str, ...]]:
        """The policies of each line-up, one a seat, at the main point first."""
        seats: dict[str, tuple[str, ...]] = {}
        for cell in self.stored.cells:
            if not self.filters.players or cell.players in self.filters.players:
                seats.setdefault(cell.lineup, cell.seats)
        return seats

    def alone(self, lineup: str) -> bool:
        """Whether one policy holds all seats of a line-up."""
        return len(set(self.seats.get(lineup, ("", "-")))) == 1

    @cached_property
    def lineups(self) -> list[str]:
        """Line-ups that have matches at the main point, those with variants first."""
        changed = {row["lineup"] for row in self.by_kind["change"]}
        names = list(dict.fromkeys(row["lineup"] for row in self.main(kind="level")))
        return sorted((name for name in names if name), key=lambda name: name not in changed)

    @property
    def reference(self) -> str:
        """The line-up whose seats and length the report describes."""
        return self.screen.reference

    @property
    def headlines(self) -> Headlines:
        """What the first screen may claim."""
        assert self.screen.headlines is not None
        return self.screen.headlines

    @property
    def about(self) -> str:
        """Whom the headlines about seats and rules are about: who sits there, or all tables."""
        drawn = any(headline.lineup == ALL_TABLES for headline in self.headlines.all)
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
        changes = self.by_kind["change"]
        return list(dict.fromkeys(row["variant"] for row in changes if row["p"] is not None))

    def who(self, lineup: str, everywhere: bool = False) -> str:
        """Say who sits at a table, or at all its points of a sweep, whose seats may be more."""
        seats = self.seats.get(lineup, ())
        if len(set(seats)) == 1:
            if everywhere:
                return f"{seats[0]} in all seats"
            return f"{seats[0]} in {'both' if len(seats) == 2 else f'all {len(seats)}'} seats"
        return f"line-up {lineup}"


EVENTS = {
    measure.name: measure.title for measure in (LED_THROUGHOUT, *drama(3, LENGTHS)) if measure.title
}
"""Shares of matches that describe how the winner emerges, and what figures call them."""


def first_of(rows: Iterable[Row]) -> Row | None:
    """Return the first row; None where there is none."""
    return next(iter(rows), None)


def is_shown(row: Row) -> bool:
    """Whether a test, corrected over its family, is significant."""
    return overview.is_shown(row, LEVEL)


def spoken(place: str) -> str:
    """Say "4 players" in place of "players = 4"."""
    return re.sub(r"\bplayers = (\d+)", r"\1 players", place)


def position(who: str) -> str:
    """Name a position in words."""
    return "the first seat" if who == "position 0" else who
