"""Filters of a study's frame by players, variants, line-ups and numbers.

A filter removes rows and changes none: intervals and corrections stay those of the whole study.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from simcore.errors import InputError, unknown

if TYPE_CHECKING:
    import polars as pl

PLAYERS = "players"
ACROSS = ("population", "prediction", "strength", "payoff")
"""Kinds of rows that do not belong to a single line-up."""


@dataclass(frozen=True)
class Filters:
    """The values to keep; an empty tuple keeps everything."""

    players: tuple[int, ...] = ()
    variant: tuple[str, ...] = ()
    lineup: tuple[str, ...] = ()
    number: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))

    @property
    def words(self) -> str:
        """The selection in words: "4 players, variant up300"."""
        parts = [f"{' and '.join(map(str, self.players))} players"] if self.players else []
        for name, kind in (("variant", "variant"), ("lineup", "line-up"), ("number", "number")):
            chosen = getattr(self, name)
            parts += (
                [f"{kind}{'s' if len(chosen) > 1 else ''} {', '.join(chosen)}"] if chosen else []
            )
        return ", ".join(parts)

    def of(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the selected rows of a frame; variants keep their baseline.

        Raises
        ------
        InputError
            If the frame has no rows for a name.
        """
        import polars as pl

        from studies.answers.population import ALL_TABLES
        from studies.measures import BASELINE

        if self.players:
            frame = _at_players(frame, self.players)
        if self.variant:
            _check("variant", self.variant, _names(frame, "variant"))
            frame = frame.filter(pl.col("variant").is_in([BASELINE, *self.variant]))
        if self.lineup:
            alone = ~pl.col("kind").is_in(ACROSS) & (pl.col("lineup") != ALL_TABLES)
            _check("line-up", self.lineup, _names(frame.filter(alone), "lineup"))
            frame = frame.filter(alone, pl.col("lineup").is_in(self.lineup))
        if self.number:
            _check("number", self.number, _names(frame, "number"))
            frame = frame.filter(pl.col("number").is_in(self.number))
        return frame


EVERYTHING = Filters()


def _at_players(frame: pl.DataFrame, players: Sequence[int]) -> pl.DataFrame:
    import polars as pl

    if PLAYERS in frame.columns[: frame.columns.index("lineup")]:
        known = frame[PLAYERS].unique(maintain_order=True).drop_nulls().to_list()
        _check_players(players, known)
        return frame.filter(pl.col(PLAYERS).is_in(players))
    seats = frame["who"].str.extract(r"^position (\d+)$").cast(pl.Int64).max()
    _check_players(players, [] if seats is None else [int(str(seats)) + 1])
    return frame


def _check_players(players: Sequence[int], known: Sequence[int]) -> None:
    for number in players:
        if number not in known:
            raise InputError(
                f"players {number} is refused: the study has none at this number; "
                f"known: {', '.join(map(str, known))}"
            )


def _check(kind: str, chosen: Sequence[str], known: Sequence[str]) -> None:
    for name in chosen:
        if name not in known:
            raise unknown(kind, name, known, "of the study")


def _names(frame: pl.DataFrame, column: str) -> list[str]:
    names: list[str] = frame[column].unique(maintain_order=True).drop_nulls().to_list()
    return [name for name in names if name]
