"""Rows that were not played here: a spreadsheet's, another program's, or a study's own as a file.

A row is a match, or a match and seat. What the columns are is said by name; everything else follows
from the values: line-ups are the policies of a match in the order of their seats, and deals that
variants share pair them. Deals that no variant shares make independent samples. The answer is made
by the same estimators as a study's (`studies.answers`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from simcore.errors import InputError, nearest
from simcore.files import check_regular, read_regular
from studies.answers.plays import Plays
from studies.answers.totals import GROUPS
from studies.design.overrides import shorten
from studies.measures import Measure, measures_of

if TYPE_CHECKING:
    from studies.answers.totals import Totals
    from studies.design.cells import StudyCell

SEAT = "{seat}"
BASELINE = "baseline"
OWN = ("match", "rotation", "first_seat", "winners", "aborted", "score_0")
"""Columns by which rows of this laboratory are known."""

MOST_SEATS = 12
ENDINGS = (".csv", ".parquet", ".arrow", ".xlsx")
_NOBODY = ("", "none", "nobody")
_YES, _NO = ("true", "yes", "1", "won", "win"), ("false", "no", "0", "lost", "loss", "")

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Named:
    """Which column holds what; None where it was not said.

    Attributes
    ----------
    deal, match, variant, seat, winner : str or None
        Names of columns; `match` tells matches on one deal apart.
    policy : str or None
        A column; of rows a match several with commas, or one name with "{seat}" in it.
    measure : tuple of str
        Columns of numbers, those of a seat with "{seat}" in rows a match.
    baseline : str or None
        The variant of unchanged rules.
    best : str or None
        "highest" or "lowest": which score wins, where no column tells who won.
    """

    deal: str | None = None
    match: str | None = None
    variant: str | None = None
    policy: str | None = None
    seat: str | None = None
    winner: str | None = None
    measure: tuple[str, ...] = ()
    baseline: str | None = None
    best: str | None = None


@dataclass(frozen=True)
class Cell:
    """A variant at a line-up; a `studies.measures.Table`."""

    id: str
    variant: str
    lineup: str
    seats: tuple[str, ...]
    rotations: int
    game: str = ""
    point: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Measured:
    """A column of numbers: of a match, or of its seats."""

    name: str
    seats: bool
    is_share: bool


@dataclass(frozen=True)
class Tidy:
    """Rows in one form, a row a match and seat.

    Attributes
    ----------
    seats : polars.DataFrame
        `play` (number of the match), `variant`, `deal`, `seat` (0, 1, …), `policy` (null where it
        is not known who played), `won` (part of the win, 0 where nobody won), and each measure as
        `m:NAME` (NaN where it is missing; of a match the same at each seat), in the order of match
        and seat.
    measured : tuple of Measured
    named : Named
        Which column was what.
    notes : list of str
        What was taken for granted.
    seated : bool
        Whether the order of policies is that of their seats.
    winners : list of str or None
        Who won each match, for rows without policies.
    """

    seats: pl.DataFrame
    measured: tuple[Measured, ...]
    named: Named
    notes: list[str]
    seated: bool = True
    winners: list[str] | None = None

    @property
    def variants(self) -> list[str]:
        """The variants, in the order of the rows."""
        return self.seats["variant"].unique(maintain_order=True).to_list()


@dataclass(frozen=True)
class ExternalRows:
    """Rows from elsewhere, understood: cells, their sums, and what was summed."""

    cells: list[Cell]
    totals: Mapping[str, Totals]
    measures: tuple[Measure, ...]
    notes: list[str]


def read_rows(path: Path) -> pl.DataFrame:
    """Return the rows in a file."""
    kind = path.suffix.lower()
    if kind not in ENDINGS:
        raise InputError(
            f"rows {str(path)!r} are refused; allowed: a name that ends in {', '.join(ENDINGS)}"
        )
    try:
        check_regular(path)
        if kind == ".csv":
            return _read_csv(path)
        if kind == ".xlsx":
            return _read_sheet(path)
        return pl.read_parquet(path) if kind == ".parquet" else pl.read_ipc(path)
    except OSError as error:
        raise InputError(f"rows {str(path)!r} cannot be read: {error.strerror or error}") from None
    except pl.exceptions.PolarsError as error:
        why = str(error).splitlines()[0]
        raise InputError(f"rows {str(path)!r} cannot be read: {why}") from None


def _read_sheet(path: Path) -> pl.DataFrame:
    """Read the first sheet of a workbook that has rows."""
    try:
        from fastexcel import FastExcelError
    except ModuleNotFoundError:
        raise InputError(
            f"rows {str(path)!r} need fastexcel, which is not installed; allowed: after "
            "pip install 'cardlab[excel]', or the sheet saved as .csv"
        ) from None
    try:
        sheets = pl.read_excel(path, sheet_id=0, raise_if_empty=False)
    except FastExcelError:
        raise InputError(
            f"rows {str(path)!r} cannot be read: it is no whole workbook; allowed: .xlsx as a "
            "spreadsheet saves it, or the sheet saved as .csv"
        ) from None
    filled = (rows for rows in sheets.values() if rows.height)
    return _as_numbers(next(filled, pl.DataFrame()))


def _read_csv(path: Path) -> pl.DataFrame:
    """Read a table with any usual separator, encoding and decimal mark."""
    head = read_regular(path, 1 << 16)
    line = head.decode("utf-8-sig", errors="replace").partition("\n")[0]
    separator = max(",;\t|", key=line.count)
    options: Any = {"separator": separator, "encoding": _encoding(head)}
    try:
        rows = pl.read_csv(path, infer_schema_length=10_000, **options)
    except pl.exceptions.ComputeError:
        # A column may turn out to hold something else late: then all rows tell.
        rows = pl.read_csv(path, infer_schema_length=None, **options)
    rows = rows.rename({name: name.strip() for name in rows.columns})
    # `render.to_csv` writes an apostrophe before what a spreadsheet would take for a formula.
    rows = rows.with_columns(pl.col(pl.String).str.replace(r"^'([=+\-@\t\r])", "$1"))
    return rows if separator == "," else _as_numbers(rows)


def _encoding(head: bytes) -> str:
    """Return the encoding of a file's first bytes: UTF-8, or else what spreadsheets write."""
    try:
        head[: head.rfind(b"\n")].decode("utf-8-sig")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf8"


def _as_numbers(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows with texts such as 1.234,5 as numbers, in columns with nothing else."""
    decimal = r"^[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?$"
    for name in rows.columns:
        texts = rows[name].drop_nulls()
        if texts.dtype == pl.String and len(texts) and texts.str.contains(decimal).all():
            column = pl.col(name).str.replace_all(".", "", literal=True).str.replace(",", ".")
            rows = rows.with_columns(column.cast(pl.Float64))
    return rows


FEW = 20
"""Matches of the same people below which a log is told by plays (`studies.answers.plays`)."""


def tidied(rows: pl.DataFrame, named: Named) -> Tidy:
    """Return rows in one form."""
    if not rows.height:
        raise InputError("there are no rows; allowed: one row or more")
    rows, named, notes = recognised(rows, named)
    for name in named.measure:
        if SEAT not in name and name in rows.columns and rows[name].dtype == pl.String:
            rows = rows.with_columns(_numbers(rows[name], "measure"))
    is_by_seat = named.policy in rows.columns and (named.seat or named.deal or named.match)
    tidy = (_from_seats if is_by_seat else _from_matches)(rows, named, notes)
    most = tidy.seats.group_by("play").len()["len"].max()
    assert isinstance(most, int)
    if most > MOST_SEATS:
        raise InputError(f"a match of {most} players is refused; allowed: at most {MOST_SEATS}")
    return tidy


def read_plays(tidy: Tidy) -> Plays | None:
    """Return rows as a log of plays; None where the same people met often enough without it.

    A log is what people write down of an evening: who sits at a table changes from play to play.
    """
    people = pl.col("policy").drop_nulls()
    numbers = [
        pl.col(f"m:{measured.name}").fill_nan(None).mean()
        if measured.seats
        else pl.col(f"m:{measured.name}").first()
        for measured in tidy.measured
    ]
    plays = tidy.seats.group_by("play", maintain_order=True).agg(
        pl.col("variant", "deal").first(),
        people.alias("people"),
        people.sort().alias("group"),
        *numbers,
    )
    tables = plays.group_by("group", "variant").len()
    sizes = plays["people"].list.len()
    often = tables["group"].n_unique() == 1 or min(tables["len"].to_list()) >= FEW
    if often and sizes.min() and (tidy.seats["won"] > 0).any():
        return None
    baseline = _baseline(tidy)
    if len(tidy.variants) > 1:
        tidy.notes.append(f"The baseline is {baseline}.")
    seated = tidy.seats.drop_nulls("policy")
    most = sizes.max()
    assert isinstance(most, int)
    won = np.zeros((plays.height, most))
    won[seated["play"].to_numpy(), seated["seat"].to_numpy()] = seated["won"].to_numpy()
    return Plays(
        plays["variant"].to_list(),
        baseline,
        [tuple(names) for names in plays["people"].to_list()],
        won,
        {
            measured.name: plays[f"m:{measured.name}"].fill_null(float("nan")).to_numpy()
            for measured in tidy.measured
        },
        plays["deal"].to_list() if tidy.named.deal else None,
        tidy.seated,
        tidy.winners,
    )


def understand(tidy: Tidy) -> ExternalRows:
    """Return what rows hold: cells with their sums."""
    measures = tuple(_measure(measured) for measured in tidy.measured)
    cells: list[Cell] = []
    totals: dict[str, Totals] = {}
    notes = [*tidy.notes]
    baseline = _baseline(tidy)
    if baseline != BASELINE:
        notes.append(f"The baseline is {baseline}.")
    for number, lineup in enumerate(_lineups(tidy)):
        base = lineup.of(baseline)
        for variant in sorted(tidy.variants, key=lambda name: name != baseline):
            played = lineup.of(variant)
            if not played.height:
                continue
            name = BASELINE if variant == baseline else variant
            if variant == BASELINE != baseline:
                name = f"{BASELINE} of the rows"  # another one is the baseline
            cell = Cell(
                f"{number}-{variant}",
                name,
                lineup.name,
                lineup.seats,
                lineup.rotations,
                options={"variant": name},
            )
            if not base.height:
                notes.append(f"{variant} has no matches of {baseline} at line-up {lineup.name}.")
                continue
            if variant == baseline:
                totals[cell.id] = _summed(lineup, cell, measures, played)
            else:
                dealt = tidy.named.deal is not None
                summed, note = _compared(lineup, cell, measures, played, base, dealt=dealt)
                totals[cell.id] = summed
                notes += [f"{variant}: {note}"] if note else []
            cells.append(cell)
    if not cells:
        raise InputError(
            f"variant {baseline!r}, the baseline, shares no line-up with another; allowed: "
            "variants that were played by the same policies"
        )
    return ExternalRows(cells, totals, measures, list(dict.fromkeys(notes)))


# --- Which column is what -------------------------------------------------------------------------


_USUAL_NAMES: Mapping[str, str] = {
    "deal": "deal board",
    "match": "match play game matchid playid gameid partie spiel spielnr nr no id",
    "variant": "variant variants rule rules ruleset regel regeln variante",
    "policy": "policy player name person who strategy bot spieler spielerin",
    "seat": "seat position sitz platz",
    "winner": "winner winners win won sieger gewinner gewonnen sieg",
    "score": "score scores points punkte",
    "number": "minutes min time duration dauer zeit turns rounds plays tricks length runden",
}
"""What columns are usually called, without spaces and marks, in English and German."""

_USUAL_RULES = ["book", "normal", "standard", "original", "official", "base", "usual", "default"]
"""What unchanged rules are called."""

_ROLES = {name: role for role, names in _USUAL_NAMES.items() for name in names.split()}
_NUMBERED = re.compile(r"(.*?)(\d+)$")


def _role(name: str) -> str:
    """Return what a column with this name usually holds."""
    plain = re.sub(r"\(.*?\)|[\W_]", "", name.casefold())
    return _ROLES.get(plain, "")


def recognised(  # noqa: C901 (one column after the other)
    rows: pl.DataFrame, named: Named
) -> tuple[pl.DataFrame, Named, list[str]]:
    """Return the rows and which column is what, completed by what columns are usually called.

    A sheet with a column for each person, which holds that person's score, is turned into a row a
    play and person.
    """
    roles = {name: getattr(named, name) for name in ("deal", "match", "variant", "seat", "winner")}
    for name, column in roles.items():
        if column is not None:
            _column(rows, column, name)
    usual = _usual(rows, {*roles.values(), *named.measure, *(named.policy or "").split(",")})
    for role in ("variant", "seat", "winner", "deal"):
        roles[role] = roles[role] or usual.get(role)
    policy = named.policy or usual.get("policy")
    if f"policy_{SEAT}".replace(SEAT, "0") in rows.columns:
        policy = policy or f"policy_{SEAT}"
    notes: list[str] = []
    people = _people(rows, named, [column for column in roles.values() if column])
    if policy is None and people:
        if rows[people[0]].dtype == pl.String:
            policy = ",".join(people)
            notes.append(f"Who played is read from {shorten(', '.join(people), 60)}.")
        else:
            rows, roles, policy = _unpivoted(rows, people, roles, named)
            notes.append(f"{shorten(', '.join(people), 60)} are read as people, with their scores.")
    is_by_seat = policy is not None and not (SEAT in policy or "," in policy)
    if policy and not is_by_seat and named.seat:
        raise InputError(
            f"seat {named.seat!r} would do nothing beside policy {policy!r}, a column per "
            "seat; allowed: one of them"
        )
    roles["seat"] = roles["seat"] if is_by_seat else None
    if roles["deal"] is None and roles["match"] is None and "match" in usual:
        _add_match(rows, usual["match"], roles, notes, is_by_seat=is_by_seat)
    if roles["winner"] is None and named.best:
        rows, roles["winner"] = _winner_by_score(rows, policy, roles, named, usual)
    measure = tuple(named.measure) or _measured(rows, named, {*roles.values(), policy, *people})
    if roles["winner"] is None and not measure:
        raise InputError(
            "winner is missing: the column that tells who won; allowed: winner= (--winner), one of "
            f"{_known(rows)}; best= (--best highest, --best lowest) where scores tell it; or "
            "measure= (--measure), numbers to compare"
        )
    if not roles["winner"]:
        notes.append("Who won is not told: --winner COLUMN, or --best highest or lowest of scores.")
    said = Named(**roles, policy=policy, measure=measure, baseline=named.baseline, best=named.best)
    return rows, said, notes


def _usual(rows: pl.DataFrame, given: Collection[str | None]) -> dict[str, str]:
    """Return the column of each role that is known by its name."""
    usual: dict[str, str] = {}
    for name in rows.columns:
        role = _role(name)
        if not role or name in given:
            continue
        # Several columns may be called like a play: `game` may hold the game's name.
        better = role == "match" and rows[name].n_unique() > rows[usual.get(role, name)].n_unique()
        if role not in usual or name == role or better:
            usual[role] = name
    return usual


def _measured(rows: pl.DataFrame, named: Named, used: Collection[str | None]) -> tuple[str, ...]:
    """Return columns that are called like numbers of a play, where all columns are recognised."""
    if "cell" in rows.columns or (named.policy is not None and not named.best):
        return ()
    return tuple(n for n in rows.columns if _role(n) in ("number", "score") and n not in used)


def _people(rows: pl.DataFrame, named: Named, used: Sequence[str]) -> list[str]:
    """Return columns of one kind: `Player 1`, `Player 2`, … with names, or people with scores."""
    if named.policy is not None:
        return []
    free = [name for name in rows.columns if name and name not in (*used, *named.measure)]
    families: dict[str, list[str]] = {}
    for name in free:
        match = _NUMBERED.match(name)
        if match and match[1]:
            families.setdefault(match[1], []).append(name)
    names = max(families.values(), key=len, default=[])
    if len(names) > 1 and all(rows[name].dtype == pl.String for name in names):
        return names
    scored = [name for name in free if rows[name].dtype.is_numeric() and not _role(name)]
    return scored if len(scored) > 1 and not any(_role(n) == "policy" for n in free) else []


def _unpivoted(
    rows: pl.DataFrame, people: list[str], roles: dict[str, str | None], named: Named
) -> tuple[pl.DataFrame, dict[str, str | None], str]:
    """Return a row a play and person of a sheet with a column of scores for each person."""
    if named.best is None and roles["winner"] is None:
        raise InputError(
            f"{shorten(', '.join(people), 60)} hold people's scores, and no column tells who won; "
            "allowed: best= (--best highest, or --best lowest), or winner= (--winner)"
        )
    kept = [name for name in rows.columns if name not in people]
    long = (
        rows.with_row_index("play of the sheet")
        .unpivot(
            people,
            index=["play of the sheet", *kept],
            variable_name="person",
            value_name="score",
        )
        .filter(pl.col("score").is_not_null())
    )
    if roles["winner"]:
        won = pl.col(roles["winner"]).cast(pl.String) == pl.col("person")
        long = long.with_columns(won.alias("won of the sheet"))
    winner = "won of the sheet" if roles["winner"] else None
    return long, {**roles, "match": "play of the sheet", "winner": winner, "seat": None}, "person"


def _add_match(
    rows: pl.DataFrame,
    name: str,
    roles: dict[str, str | None],
    notes: list[str],
    *,
    is_by_seat: bool,
) -> None:
    """Take a column of numbers of plays: what is counted alike under two rules is one deal."""
    variant = roles["variant"]
    if is_by_seat:
        roles["match"] = name
    elif variant and (rows.group_by(name).agg(pl.col(variant).n_unique())[variant] > 1).any():
        roles["deal"] = name
        notes.append(f"Plays with the same {name} are compared as one deal.")


def _winner_by_score(
    rows: pl.DataFrame,
    policy: str | None,
    roles: dict[str, str | None],
    named: Named,
    usual: Mapping[str, str],
) -> tuple[pl.DataFrame, str]:
    """Return rows a play and person with a column of who has the best score; ties share a win."""
    score = "score" if "score" in rows.columns else usual.get("score")
    match = roles["match"] or roles["deal"]
    if score is None or match is None or policy not in rows.columns:
        raise InputError(
            f"best {named.best!r} needs a column of scores, score, in rows a play and person; "
            f"known: {_known(rows)}"
        )
    rows = rows.with_columns(_numbers(rows[score], "score"))
    keys = [name for name in (match, roles["variant"]) if name]
    best = pl.col(score).max() if named.best == "highest" else pl.col(score).min()
    return rows.with_columns((pl.col(score) == best.over(keys)).alias("best score")), "best score"


def _column(rows: pl.DataFrame, name: str, what: str) -> pl.Series:
    if name not in rows.columns:
        raise InputError(
            f"{what} {name!r} is no column of the rows{nearest_words(name, rows.columns)} known: "
            f"{_known(rows)}"
        )
    return rows[name]


def nearest_words(name: str, known: Sequence[str]) -> str:
    """Return a question for the nearest known name, if one is near."""
    guess = nearest(name, list(known))
    return f"; did you mean {guess!r}?" if guess else ";"


def _known(rows: pl.DataFrame) -> str:
    return shorten(", ".join(rows.columns), 400)


def _refused(
    what: str, column: str, value: object, expected: str, row: int | None = None
) -> InputError:
    where = "" if row is None else f" in row {row + 1:,}"
    return InputError(
        f"{what} {column!r} holds {shorten(repr(value))}{where}, which is not understood; "
        f"expected: {expected}"
    )


def _baseline(tidy: Tidy) -> str:
    variants, baseline = tidy.variants, tidy.named.baseline
    if baseline is None:
        usual = [name for name in variants if name.casefold() in _USUAL_RULES]
        return BASELINE if BASELINE in variants else (*usual, *variants)[0]
    if baseline not in variants:
        raise InputError(
            f"baseline {baseline!r} is no value of variant "
            f"{tidy.named.variant!r}{nearest_words(baseline, variants)} known: "
            f"{shorten(', '.join(variants), 400)}"
        )
    return baseline


# --- One row a match and seat ---------------------------------------------------------------------


def _from_matches(rows: pl.DataFrame, named: Named, notes: list[str]) -> Tidy:
    """Return rows that are a match each in one form."""
    columns = _policy_columns(rows, named)
    plays = pl.DataFrame(
        {
            "play": range(rows.height),
            "variant": _texts(rows, named.variant),
            "deal": range(rows.height) if named.deal is None else rows[named.deal],
        }
    )
    measured = []
    for text in named.measure:
        is_share = SEAT not in text and _column(rows, text, "measure").dtype == pl.Boolean
        name = text.replace(f"_{SEAT}", "").replace(SEAT, "")
        measured.append((text, Measured(name, seats=SEAT in text, is_share=is_share)))
    at_seats = []
    for seat, column in enumerate(columns or [None]):
        policy = pl.lit(None, pl.String) if column is None else rows[column].cast(pl.String)
        numbers = {
            f"m:{measure.name}": _numbers(
                _column(rows, text.replace(SEAT, str(seat)), "measure"), "measure"
            )
            for text, measure in measured
            if columns or not measure.seats
        }
        at_seats.append(plays.with_columns(seat=seat, policy=policy, **numbers))
    seats = pl.concat(at_seats).sort("play", "seat")
    without = pl.col("policy").is_null().all().over("play") & (pl.col("seat") == 0)
    seats = seats.filter(pl.col("policy").is_not_null() | without)
    seats = seats.with_columns(pl.int_range(pl.len()).over("play").alias("seat"), won=0.0)
    if named.winner is not None and columns:
        seats = _with_winners(seats, rows[named.winner])
    unknown = seats["policy"].is_null().all()
    winners = _texts(rows, named.winner) if named.winner and unknown else None
    of_plays = tuple(measure for _, measure in measured if columns or not measure.seats)
    return Tidy(seats, of_plays, named, notes, winners=winners)


def _policy_columns(rows: pl.DataFrame, named: Named) -> list[str]:
    text = named.policy
    if text is None:
        return []
    if SEAT in text:
        columns: list[str] = []
        while (name := text.replace(SEAT, str(len(columns)))) in rows.columns:
            columns.append(name)
        if not columns:
            _column(rows, text.replace(SEAT, "0"), "policy")
        return columns
    columns = [name.strip() for name in text.split(",")]
    for name in columns:
        _column(rows, name, "policy")
    if len(columns) == 1:
        raise InputError(
            f"policy {text!r} is one column, so rows are a match and seat, and seat is missing; "
            f"allowed: seat= (--seat), or a policy a seat, as in 'policy_{SEAT}' or A,B,…"
        )
    return columns


def _with_winners(seats: pl.DataFrame, column: pl.Series) -> pl.DataFrame:
    """Return the seats with their parts of the win, from the seats or policies that won."""
    if column.dtype == pl.Boolean or column.dtype.is_float():
        expected = "the seat or the policy that won, in rows a match"
        raise _refused("winner", column.name, column.drop_nulls().first(), expected)
    players = seats.group_by("play", maintain_order=True).agg("policy")["policy"].to_list()
    winners = pl.DataFrame({"play": range(len(column)), "part": column})
    if column.dtype.is_integer():
        first = 1 if column.max() == max(map(len, players)) else 0  # people count seats from 1
        winners = winners.filter(pl.col("part") >= first).with_columns(pl.col("part") - first)
    elif column.dtype != pl.List:
        several = (
            pl.col("part").str.strip_chars().str.replace_all(r"\s*[;/&+]\s*", ";").str.split(";")
        )
        winners = winners.with_columns(pl.col("part").cast(pl.String), policies=pl.Series(players))
        is_policy = pl.col("part").is_in(pl.col("policies"))
        winners = winners.with_columns(
            pl.when(is_policy).then(pl.concat_list("part")).otherwise(several).alias("part")
        )
    if winners["part"].dtype == pl.List:
        winners = winners.select("play", pl.col("part").cast(pl.List(pl.String))).explode("part")
        winners = winners.drop_nulls().filter(~pl.col("part").str.to_lowercase().is_in(_NOBODY))
    parts = winners.with_row_index("nth").with_columns(
        pl.col("part").cast(pl.String).alias("name"),
        pl.col("part").cast(pl.Int64, strict=False).alias("at"),
    )
    named = parts.join(seats, left_on=["play", "name"], right_on=["play", "policy"])
    others = parts.join(named, on="nth", how="anti")
    numbered = others.join(seats, left_on=["play", "at"], right_on=["play", "seat"])
    wrong = others.join(numbered, on="nth", how="anti").sort("nth")
    if wrong.height:
        place, part = wrong["play"][0], wrong["part"][0]
        raise _refused(
            "winner",
            column.name,
            part,
            f"a seat 0…{len(players[place]) - 1} or one of the policies "
            f"{', '.join(players[place])}; several with ; between; empty if nobody won",
            place,
        )
    won = pl.concat(
        [named.select("play", "seat"), numbered.select("play", pl.col("at").alias("seat"))]
    ).unique()
    won = won.with_columns((1 / pl.len().over("play")).alias("won"))
    return (
        seats.drop("won")
        .join(won, on=["play", "seat"], how="left", maintain_order="left")
        .with_columns(pl.col("won").fill_null(0.0))
    )


def _from_seats(rows: pl.DataFrame, named: Named, notes: list[str]) -> Tidy:
    """Return rows that are a match and seat each in one form."""
    won = [0.0] * rows.height
    if named.winner is not None:
        values = enumerate(rows[named.winner].to_list())
        won = [_part_of_win(value, named.winner, row) for row, value in values]
    seats = pl.DataFrame(
        {
            "variant": _texts(rows, named.variant),
            "seat": rows[named.seat] if named.seat else pl.int_range(rows.height, eager=True),
            "policy": rows[named.policy or ""].cast(pl.String).fill_null("–"),
            "won": won,
            **{f"m:{name}": _column(rows, name, "measure") for name in named.measure},
        }
    )
    if named.deal is None and named.match is None:
        raise InputError(
            "deal is missing: rows a match and seat need a number that its rows share; allowed: "
            f"deal= (--deal) or match= (--match), one of {_known(rows)}"
        )
    seats = seats.with_columns(rows[named.deal or named.match or ""].alias("deal"))
    if named.match is not None:
        seats = seats.with_columns(rows[named.match].cast(pl.String).alias("which"))
    else:
        before = pl.int_range(pl.len()).over("variant", "deal", "seat")
        seats = seats.with_columns(before.cast(pl.String).alias("which"))
    first = pl.col("row").min().over("variant", "deal", "which")
    seats = seats.with_row_index("row").with_columns(first.rank("dense").cast(pl.Int64) - 1)
    seats = seats.rename({"row": "play"})
    seats = seats.sort("play", "seat", maintain_order=True)
    twice = seats.filter(pl.struct("play", "seat").is_duplicated())
    if twice.height:
        row = twice.row(0, named=True)
        raise InputError(
            f"seat {named.seat!r} holds a seat twice in one match (deal {row['deal']!r}, variant "
            f"{row['variant']!r}); expected: each seat once; match= (--match) tells matches on one "
            "deal apart"
        )
    measured = []
    for name in named.measure:
        column = f"m:{name}"
        alike = seats.group_by("play").agg(pl.col(column).n_unique() == 1)[column].all()
        is_share = seats[column].dtype == pl.Boolean
        measured.append(Measured(name, seats=not alike, is_share=is_share))
    total = pl.col("won").sum().over("play")
    return Tidy(
        seats.with_columns(
            pl.int_range(pl.len()).over("play").alias("seat"),
            pl.when(total > 0).then(pl.col("won") / total).otherwise(0.0).alias("won"),
            *(_numbers(seats[f"m:{name}"], "measure") for name in named.measure),
        ),
        tuple(measured),
        named,
        notes,
        seated=named.seat is not None,
    )


def _part_of_win(value: Any, name: str, row: int) -> float:
    if value is None or value != value:  # noqa: PLR0124 (NaN)
        return 0.0
    if isinstance(value, int | float) and 0 <= value <= 1:
        return float(value)
    text = str(value).strip().lower()
    if text in _YES:
        return 1.0
    if text in _NO:
        return 0.0
    expected = "yes or no, or the part of the win from 0 to 1, a seat"
    raise _refused("winner", name, value, expected, row)


def _texts(rows: pl.DataFrame, name: str | None) -> list[str]:
    if name is None:
        return [BASELINE] * rows.height
    return rows[name].cast(pl.String).fill_null("–").to_list()


def _numbers(column: pl.Series, what: str) -> pl.Series:
    """Return a column as numbers, NaN where one is missing."""
    numbers = column.cast(pl.Float64, strict=False)
    wrong = (numbers.is_null() & column.is_not_null()).arg_true()
    if len(wrong):
        row = int(wrong[0])
        raise _refused(what, column.name, column[row], "numbers, or true and false", row)
    return numbers.fill_null(float("nan"))


# --- Line-ups -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lineup:
    """Matches of the same policies.

    Attributes
    ----------
    seats : tuple of str
        As one match has them; rotation r has them turned by r seats.
    rotations : int
        How often each deal stands there, the line-up turned; 1 where the rows have no such order.
    played : polars.DataFrame
        Its rows a match and seat, with `rotation`, and `number` of the match's deal; further
        matches on a deal count as deals of the same group.
    is_seated : bool
        Whether all matches have the policies in the same seats, or in rotations of them.
    """

    seats: tuple[str, ...]
    rotations: int
    played: pl.DataFrame
    is_seated: bool

    @property
    def name(self) -> str:
        """Name of the line-up."""
        return ", ".join(self.seats)

    def of(self, variant: str) -> pl.DataFrame:
        """Return the rows of a variant."""
        return self.played.filter(pl.col("variant") == variant)


def _lineups(tidy: Tidy) -> list[Lineup]:
    deals = tidy.seats["deal"].to_list()
    numbers = {deal: number for number, deal in enumerate(_ordered(deals))}
    seats = tidy.seats.with_columns(
        pl.Series("number", [numbers[deal] for deal in deals]),
        pl.col("policy").sort().str.join("\n").over("play").alias("group"),
    )
    further = GROUPS * ((len(numbers) - 1) // GROUPS + 1)
    return [_lineup(group, further) for group in seats.partition_by("group", maintain_order=True)]


def _ordered(values: Sequence[Any]) -> list[Any]:
    distinct = list(dict.fromkeys(values))
    try:
        return sorted(distinct)
    except TypeError:
        return sorted(distinct, key=str)


def _lineup(seats: pl.DataFrame, further: int) -> Lineup:
    """Return a line-up; the deals of further matches on a deal are numbered `further` higher."""
    plays = seats.group_by("play", maintain_order=True).agg(
        pl.col("variant", "number").first(), "policy"
    )
    orders = [tuple(order) for order in plays["policy"].to_list()]
    first, count = orders[0], len(orders[0])
    # Of all rotations the first by name, whichever stands first in the rows.
    base = min(first[turn:] + first[:turn] for turn in range(count))
    turns = {base[turn:] + base[:turn]: turn for turn in reversed(range(count))}
    rotations, names, is_seated = len(turns), base, len(set(orders)) == 1
    plays = plays.with_columns(pl.Series("rotation", [turns.get(order, -1) for order in orders]))
    if rotations == 1 or -1 in plays["rotation"] or not _is_complete(plays, rotations):
        rotations = 1
        names = first if is_seated else tuple(sorted(first))
        plays = plays.with_columns(rotation=pl.lit(0, pl.Int64))
    before = pl.int_range(pl.len()).over("variant", "number", "rotation")
    plays = plays.select("play", "rotation", pl.col("number") + further * before)
    played = seats.drop("number").join(plays, on="play")
    return Lineup(names, rotations, played, is_seated=rotations > 1 or is_seated)


def _is_complete(plays: pl.DataFrame, rotations: int) -> bool:
    """Whether every deal of every variant stands there equally often in every rotation."""
    counts = plays.group_by("variant", "number", "rotation").len()
    deals = counts.group_by("variant", "number").agg(
        (pl.len() == rotations) & (pl.col("len").n_unique() == 1)
    )
    return bool(deals["len"].all())


# --- Sums -----------------------------------------------------------------------------------------


def _measure(measured: Measured) -> Measure:
    value = partial(_seat_values if measured.seats else _match_values, measured.name)
    low, high = (0.0, 1.0) if measured.is_share else (None, None)
    kind = "score" if measured.name == "score" else "measure"
    return Measure(measured.name, value, seats=measured.seats, low=low, high=high, kind=kind)


def _match_values(name: str, block: Any) -> Any:
    values = block[name]
    there = np.isfinite(values)
    return (values, None) if there.all() else (np.where(there, values, 0.0), there)


def _seat_values(name: str, block: Any) -> Any:
    values = [block[f"{name}:{seat}"] for seat in range(block.players)]
    there = [np.isfinite(numbers) for numbers in values]
    if all(known.all() for known in there):
        return values
    return [np.where(t, v, 0.0) for v, t in zip(values, there, strict=True)], there


def _compared(
    lineup: Lineup,
    cell: Cell,
    measures: tuple[Measure, ...],
    played: pl.DataFrame,
    base: pl.DataFrame,
    *,
    dealt: bool,
) -> tuple[Totals, str]:
    """Return a variant's sums with the baseline's on the same deals, and what must be said."""
    if dealt:
        shared = played.join(base, on=["number", "rotation"], how="semi")
        usual = base.join(played, on=["number", "rotation"], how="semi")
        if shared.height:
            left = (played.height - shared.height) // len(lineup.seats)
            words = f"{left:,} matches on deals that the baseline does not have are left out"
            totals = _summed(lineup, cell, measures, shared, usual)
            return totals, words if left else ""
    totals = _summed(lineup, cell, measures, played)
    totals.before = _summed(lineup, cell, measures, base)
    return totals, "no deal is shared with the baseline, so the two are independent samples"


def _summed(
    lineup: Lineup,
    cell: Cell,
    measures: tuple[Measure, ...],
    played: pl.DataFrame,
    base: pl.DataFrame | None = None,
) -> Totals:
    from studies.answers.totals import totals_of

    all_measures = measures_of(cell, measures, metrics=())

    def summed(*by: str) -> Totals:
        before = None if base is None else _columns(lineup, measures, base, by)
        columns = _columns(lineup, measures, played, by)
        return totals_of(cell, columns, all_measures, None if base is None else cell, before)

    # Seats in the order of the line-up.
    totals = summed("seat") if lineup.is_seated else summed("policy", "seat")
    if lineup.rotations == 1 and len(set(lineup.seats)) > 1:
        # Policies may sit anywhere, so that seats in order of policies tell nothing of positions.
        seated = summed("seat")
        for target, source in ((totals, seated), (totals.before, seated.before)):
            if target is not None and source is not None:
                for name in target.sums:
                    if "|position " in name:
                        target.sums[name] = source.sums[name]
    return totals


def _columns(
    lineup: Lineup, measures: tuple[Measure, ...], played: pl.DataFrame, by: Sequence[str]
) -> dict[str, Array]:
    """Return match columns, the seats in the order of some columns."""
    count = len(lineup.seats)
    played = played.sort("number", "rotation", *by)
    plays = played.gather_every(count)
    won = played["won"].to_numpy().reshape(-1, count) > 0
    winners = (won.astype(np.int64) << np.arange(count)).sum(axis=1)
    columns: dict[str, Array] = {
        "match": plays["number"].to_numpy(),
        "rotation": plays["rotation"].to_numpy(),
        "first_seat": np.zeros(len(plays), dtype=np.int64),
        "winners": winners,
        "aborted": winners == 0,
    }
    for measure in measures:
        values = played[f"m:{measure.name}"].to_numpy().reshape(-1, count)
        if measure.seats:
            columns |= {f"{measure.name}:{seat}": values[:, seat] for seat in range(count)}
        else:
            columns[measure.name] = values[:, 0]
    return columns


# --- Rows of this laboratory ----------------------------------------------------------------------


def is_from_cardlab(rows: pl.DataFrame) -> bool:
    """Whether rows are those of `Results.rows`, with all that is known of their cells."""
    return {*OWN, "cell", "game", "variant", "lineup", "seat_0", "rotations"} <= set(rows.columns)


def cells_of_rows(rows: pl.DataFrame) -> tuple[list[StudyCell], dict[str, pl.DataFrame]]:
    """Return the cells of rows of `Results.rows`, and the matches of each."""
    from simcore.game import get_game
    from studies.design.cells import StudyCell

    cells, matches = [], {}
    # The columns of a match stand before those of its cell.
    at = {name: place for place, name in enumerate(rows.columns)}
    names = [name for name in rows.columns[at["match"] : at["game"]] if name != "winner_seats"]
    for part in rows.partition_by("cell", maintain_order=True):
        row = part.row(0, named=True)
        game = get_game(str(row["game"]))
        given = {name: row.get(f"{name}_option", row.get(name)) for name in game.option_names}
        options = game.resolve({name: value for name, value in given.items() if value is not None})
        seats = tuple(
            str(row[f"seat_{seat}"])
            for seat in range(game.players.high)
            if row.get(f"seat_{seat}") is not None
        )
        cell = StudyCell(
            id=str(row["cell"]),
            game=game.name,
            variant=str(row["variant"]),
            lineup=str(row["lineup"]),
            point=json.loads(row.get("point") or "{}"),
            options=options,
            seats=seats,
            rotations=int(row["rotations"]),
            seed=int(row.get("seed") or 0),
        )
        cells.append(cell)
        matches[cell.id] = part.select(names)
    return cells, matches
