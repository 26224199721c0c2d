"""The data of an answer: the frame of a study, and what is known of the study besides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from studies.legend import Legend

if TYPE_CHECKING:
    import polars as pl

    from studies.answers.headlines import Headlines
    from studies.store.opened import Stored

LEVEL = 0.95
ROWS = (".csv", ".parquet", ".arrow", ".xlsx", ".pgn")
"""Endings of files with rows."""
NO_LEGEND = Legend()


@dataclass(frozen=True, repr=False)
class Answered:
    """What presentations know of a study; see `studies.view.answer.Answer`."""

    frame: pl.DataFrame
    level: float = LEVEL
    title: str = ""
    game: str = ""
    notes: tuple[str, ...] = ()
    where: str = ""
    measures: tuple[str, ...] = ()
    lineups: Mapping[str, str] = field(default_factory=dict)
    stops: Sequence[Mapping[str, object]] = ()
    shares: frozenset[str] = frozenset()
    cards: pl.DataFrame | None = None
    reference: str = ""
    paired: bool | None = None
    numbers: tuple[str, ...] = ()
    headlines: Headlines | None = None
    legend: Legend = NO_LEGEND
    seconds: float | None = None
    about: tuple[str, ...] = ()
    seats: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    stored: Stored | None = None

    @cached_property
    def is_paired(self) -> bool:
        """Whether variants share deals with the baseline; rows from elsewhere need not."""
        if self.paired is not None:
            return self.paired
        return bool((self.frame["number"] == "another_winner").any())
