"""What a log of plays tells: the displayed page of people, seats and rules.

A log is what people write down of an evening: who sits at a table changes from play to play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from studies.render import Column, Page, Table, number
from studies.view.answer import Answer

if TYPE_CHECKING:
    import polars as pl

    from studies.answers.plays import Plays

_NOTHING_SHOWN = {
    "change": "No rule is shown to change a number.",
    "seat": "No seat is shown to win more or less than its share.",
    "person": "Nobody is shown to be stronger or weaker than the others.",
}
_ANSWERS = ("Shown: ", *_NOTHING_SHOWN.values())
"""How notes begin that belong above the tables."""

_P_VALUES = (Column("p", "p", "p"), Column("p_holm", "p (Holm)", "p"))
_TABLES = {
    "level": (
        "",
        Column("number"),
        Column("variant", "rules"),
        Column("estimate", "mean", "number", "low", "high"),
        Column("matches", "plays", "count"),
    ),
    "change": (
        "What the rules change",
        Column("variant", "rules"),
        Column("number"),
        Column("estimate", "change", "change", "low", "high"),
        *_P_VALUES,
        Column("matches", "plays", "count"),
    ),
}
_SHARES = {
    "seat": "Seats, the first is 1: share of plays won",
    "person": "People: share of plays won",
}


@dataclass(frozen=True, repr=False)
class PlaysAnswer(Answer):
    """What a log of plays tells, from `compare`: see `studies.answers.plays`."""

    def page(self, *, full: bool = False) -> Page:
        """Return the displayed page."""
        del full
        above = [note for note in self.notes if note.startswith(_ANSWERS)]
        tables = []
        for kind, (title, *columns) in {**_TABLES, **_share_tables()}.items():
            rows = self.frame.filter(kind=kind)
            if rows.height:
                tables.append(Table(rows, tuple(columns), title))
        return [self.title, *above, *tables, *(note for note in self.notes if note not in above)]


def _share_tables() -> dict[str, tuple[Any, ...]]:
    return {
        kind: (
            title,
            Column("who", kind, _seat_or_name),
            Column("count", "won", "count"),
            Column("matches", "of plays", "count"),
            Column("estimate", "share, %", "percent", "low", "high"),
            Column("baseline", "if all were alike, %", lambda row: f"{100 * row['baseline']:.1f}"),
            *_P_VALUES,
        )
        for kind, title in _SHARES.items()
    }


def _seat_or_name(row: Mapping[str, Any]) -> str:
    """Return a person's name, or the number of a seat from 1, as people count."""
    _, _, name = row["who"].partition(" ")
    return str(int(name) + 1) if row["kind"] == "seat" else name


def compare_plays(
    plays: Plays, notes: Sequence[str], level: float, title: str, where: str
) -> PlaysAnswer:
    """Answer from a log of plays."""
    from studies.answers.plays import FEWEST, plays_answers, plays_frame

    rows, more = plays_answers(plays, level)
    frame = plays_frame(rows, plays.baseline)
    if frame["estimate"].is_null().all():
        raise InputError(
            f"{len(plays.variant)} plays tell nothing; allowed: {FEWEST} plays or more"
            + "".join(f". {note}" for note in (*more, *notes)).rstrip(".")
        )
    words = _plays_words(frame, level)
    shown = frame.filter(frame["estimate"].is_not_null())
    return PlaysAnswer(shown, level, title, "", (*words, *more, *notes), where)


def _shown_words(row: Mapping[str, Any]) -> str:
    if row["kind"] == "change":
        more = "more" if row["estimate"] > 0 else "fewer"
        size = number(row["estimate"], row["low"], row["high"], signed=True)
        return f"{row['variant']} has {more} {row['number']} than the baseline ({size})"
    more = "more" if row["estimate"] > row["baseline"] else "less"
    who = f"{'seat ' if row['kind'] == 'seat' else ''}{_seat_or_name(row)}"
    return f"{who} wins {more} than an even share"


def _plays_words(frame: pl.DataFrame, level: float) -> list[str]:
    """Say what is shown, and what it was adjusted for."""
    words = []
    for kind, nothing in _NOTHING_SHOWN.items():
        rows = frame.filter(kind=kind)
        significant = rows.filter(rows["p_holm"] < 1 - level)
        shown = [_shown_words(row) for row in significant.iter_rows(named=True)]
        if rows.height:
            words.append(f"Shown: {'; '.join(shown)}." if shown else nothing)
    words += [
        f"That all people are equally strong has p = {row['p']:.2g}."
        for row in frame.filter(kind="people").iter_rows(named=True)
    ]
    remark = (
        f"Brackets and ± are {100 * level:g} % intervals with the play as the unit; p (Holm) is "
        "corrected within each table."
    )
    if frame.filter(kind="change").height:
        changes = frame.filter(kind="change")
        paired = (changes["deals"] < changes["matches"]).any()
        remark += (
            " Changes are within the same deal."
            if paired
            else " Changes are at tables of the same size."
        )
    if frame.filter(kind="people").height:
        size = int(frame.filter(kind="people")["baseline"][0])
        remark += (
            f" The share of a person is what he or she would win at a table of {size} against "
            "average people, adjusted for seats where these are known."
        )
    return [*words, remark]
