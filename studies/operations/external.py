"""Rows that were not played here: a spreadsheet's, another program's, or a study's own as a file.

A row is a match, or a match and seat. What the columns are is said by name; everything else follows
from the values: line-ups are the policies of a match in the order of their seats, and deals that
variants share pair them. Deals that no variant shares make independent samples. The answer is made
by the same estimators as a study's (`studies.answers`).
"""

from __future__ import annotations

import json
import re
import warnings
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
    found = (rows for rows in sheets.values() if rows.height)
    return _as_numbers(next(found, pl.DataFrame()))


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


def tidied(rows: pl.DataFrame, named: Named) -> tuple[Named, Matches, list[str]]:
    """Return which column is what, the rows in one form, and what was taken for granted."""
    if not rows.height:
        raise InputError("there are no rows; allowed: one row or more")
    rows, said, notes = recognised(rows, named)
    for name in said.measure:
        if SEAT not in name and name in rows.columns and rows[name].dtype == pl.String:
            rows = rows.with_columns(pl.Series(name, _numbers(rows[name], "measure")))
    is_by_seat = said.policy in rows.columns and (said.seat or said.deal or said.match)
    matches = _by_seat(rows, said) if is_by_seat else _by_match(rows, said)
    most = max(map(len, matches.policies))
    if most > MOST_SEATS:
        raise InputError(f"a match of {most} players is refused; allowed: at most {MOST_SEATS}")
    return said, matches, notes


def read_plays(rows: pl.DataFrame, named: Named) -> tuple[Plays | None, list[str]]:
    """Return rows as a log of plays; None where the same people met often enough without it.

    A log is what people write down of an evening: who sits at a table changes from play to play.
    """
    said, matches, notes = tidied(rows, named)
    tables: dict[tuple[tuple[str, ...], str], int] = {}
    for people, variant in zip(matches.policies, matches.variant, strict=True):
        key = tuple(sorted(people)), variant
        tables[key] = tables.get(key, 0) + 1
    groups = {people for people, _ in tables}
    known = matches.won.any() and all(groups)
    if known and (len(groups) == 1 or min(tables.values()) >= FEW):
        return None, notes
    baseline = _baseline(list(dict.fromkeys(matches.variant)), said)
    if len(set(matches.variant)) > 1:
        notes.append(f"The baseline is {baseline}.")
    numbers = {}
    for measured in matches.measured:
        seats = range(matches.won.shape[1]) if measured.seats else (-1,)
        values = np.stack([matches.values[measured.name, seat] for seat in seats])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # all of a play may be missing
            numbers[measured.name] = np.nanmean(values, axis=0)
    plays = Plays(
        matches.variant,
        baseline,
        matches.policies,
        matches.won,
        numbers,
        matches.deal if said.deal else None,
        matches.seated,
        _texts(rows, said.winner) if said.winner and not any(groups) else None,
    )
    return plays, notes


def understand(rows: pl.DataFrame, named: Named) -> ExternalRows:
    """Return what rows hold: cells with their sums."""
    said, matches, notes = tidied(rows, named)
    lineups = _lineups(matches)
    measures = tuple(_measure(one) for one in matches.measured)
    cells: list[Cell] = []
    totals: dict[str, Totals] = {}
    variants = list(dict.fromkeys(matches.variant))
    baseline = _baseline(variants, said)
    if baseline != BASELINE:
        notes.append(f"The baseline is {baseline}.")
    for number, lineup in enumerate(lineups):
        for variant in sorted(variants, key=lambda own: own != baseline):
            own = lineup.of(variant)
            if own is None:
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
            base = None if variant == baseline else lineup.of(baseline)
            if variant != baseline and base is None:
                notes.append(f"{variant} has no matches of {baseline} at line-up {lineup.name}.")
                continue
            found, note = _totals(matches, lineup, cell, own, base, measures, dealt=bool(said.deal))
            totals[cell.id] = found
            cells.append(cell)
            notes += [f"{variant}: {note}"] if note else []
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
    told = {name: getattr(named, name) for name in ("deal", "match", "variant", "seat", "winner")}
    for name, own in told.items():
        if own is not None:
            _column(rows, own, name)
    usual = _usual(rows, {*told.values(), *named.measure, *(named.policy or "").split(",")})
    for role in ("variant", "seat", "winner", "deal"):
        told[role] = told[role] or usual.get(role)
    policy = named.policy or usual.get("policy")
    if f"policy_{SEAT}".replace(SEAT, "0") in rows.columns:
        policy = policy or f"policy_{SEAT}"
    notes: list[str] = []
    people = _people(rows, named, [one for one in told.values() if one])
    if policy is None and people:
        if rows[people[0]].dtype == pl.String:
            policy = ",".join(people)
            notes.append(f"Who played is read from {shorten(', '.join(people), 60)}.")
        else:
            rows, told, policy = _unpivoted(rows, people, told, named)
            notes.append(f"{shorten(', '.join(people), 60)} are read as people, with their scores.")
    is_by_seat = policy is not None and not (SEAT in policy or "," in policy)
    if policy and not is_by_seat and named.seat:
        raise InputError(
            f"seat {named.seat!r} would do nothing beside policy {policy!r}, a column per "
            "seat; allowed: one of them"
        )
    told["seat"] = told["seat"] if is_by_seat else None
    if told["deal"] is None and told["match"] is None and "match" in usual:
        _add_match(rows, usual["match"], told, notes, is_by_seat=is_by_seat)
    if told["winner"] is None and named.best:
        rows, told["winner"] = _winner_by_score(rows, policy, told, named, usual)
    measure = tuple(named.measure) or _measured(rows, named, {*told.values(), policy, *people})
    if told["winner"] is None and not measure:
        raise InputError(
            "winner is missing: the column that tells who won; allowed: winner= (--winner), one of "
            f"{_known(rows)}; best= (--best highest, --best lowest) where scores tell it; or "
            "measure= (--measure), numbers to compare"
        )
    if not told["winner"]:
        notes.append("Who won is not told: --winner COLUMN, or --best highest or lowest of scores.")
    said = Named(**told, policy=policy, measure=measure, baseline=named.baseline, best=named.best)
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
    numbered = [name for name in free if (found := _NUMBERED.match(name)) and found[1]]
    families: dict[str, list[str]] = {}
    for name in numbered:
        found = _NUMBERED.match(name)
        families.setdefault(found[1] if found else "", []).append(name)
    names = max(families.values(), key=len, default=[])
    if len(names) > 1 and all(rows[name].dtype == pl.String for name in names):
        return names
    scored = [name for name in free if rows[name].dtype.is_numeric() and not _role(name)]
    return scored if len(scored) > 1 and not any(_role(n) == "policy" for n in free) else []


def _unpivoted(
    rows: pl.DataFrame, people: list[str], told: dict[str, str | None], named: Named
) -> tuple[pl.DataFrame, dict[str, str | None], str]:
    """Return a row a play and person of a sheet with a column of scores for each person."""
    if named.best is None and told["winner"] is None:
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
    if told["winner"]:
        won = pl.col(told["winner"]).cast(pl.String) == pl.col("person")
        long = long.with_columns(won.alias("won of the sheet"))
    winner = "won of the sheet" if told["winner"] else None
    return long, {**told, "match": "play of the sheet", "winner": winner, "seat": None}, "person"


def _add_match(
    rows: pl.DataFrame,
    name: str,
    told: dict[str, str | None],
    notes: list[str],
    *,
    is_by_seat: bool,
) -> None:
    """Take a column of numbers of plays: what is counted alike under two rules is one deal."""
    variant = told["variant"]
    if is_by_seat:
        told["match"] = name
    elif variant and (rows.group_by(name).agg(pl.col(variant).n_unique())[variant] > 1).any():
        told["deal"] = name
        notes.append(f"Plays with the same {name} are compared as one deal.")


def _winner_by_score(
    rows: pl.DataFrame,
    policy: str | None,
    told: dict[str, str | None],
    named: Named,
    usual: Mapping[str, str],
) -> tuple[pl.DataFrame, str]:
    """Return rows a play and person with a column of who has the best score; ties share a win."""
    score = "score" if "score" in rows.columns else usual.get("score")
    match = told["match"] or told["deal"]
    if score is None or match is None or policy not in rows.columns:
        raise InputError(
            f"best {named.best!r} needs a column of scores, score, in rows a play and person; "
            f"known: {_known(rows)}"
        )
    values = pl.Series(score, _numbers(rows[score], "score"))
    rows = rows.with_columns(values)
    keys = [name for name in (match, told["variant"]) if name]
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


def _baseline(variants: Sequence[str], said: Named) -> str:
    if said.baseline is None:
        usual = [name for name in variants if name.casefold() in _USUAL_RULES]
        return BASELINE if BASELINE in variants else (*usual, *variants)[0]
    if said.baseline not in variants:
        raise InputError(
            f"baseline {said.baseline!r} is no value of variant "
            f"{said.variant!r}{nearest_words(said.baseline, variants)} known: "
            f"{shorten(', '.join(variants), 400)}"
        )
    return said.baseline


# --- Matches --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """A column of numbers: of a match, or of its seats."""

    name: str
    seats: bool
    is_share: bool


@dataclass(frozen=True)
class Matches:
    """What rows tell, a match an entry.

    `policies` and `won` (parts of the win; 0 where nobody won) are by seat; `values` are by measure
    and seat, -1 for the match, NaN where one is missing.
    """

    variant: list[str]
    deal: list[Any]
    policies: list[tuple[str, ...]]
    won: Array
    measured: tuple[Measured, ...]
    values: Mapping[tuple[str, int], Array]
    seated: bool = True


def _by_match(rows: pl.DataFrame, said: Named) -> Matches:
    columns = _policy_columns(rows, said)
    seats = len(columns)
    names = [rows[name].cast(pl.String).to_list() for name in columns]
    policies = [tuple(name for name in own if name is not None) for own in zip(*names, strict=True)]
    policies = policies or [()] * rows.height
    won = np.zeros((rows.height, seats))
    if said.winner is not None and columns:
        won = _winners(rows[said.winner], said.winner, policies, seats)
    measured, values = [], {}
    for text in said.measure:
        if SEAT in text:
            name = text.replace(f"_{SEAT}", "").replace(SEAT, "")
            for seat in range(seats):
                column = _column(rows, text.replace(SEAT, str(seat)), "measure")
                values[name, seat] = _numbers(column, "measure")
            measured.append(Measured(name, seats=True, is_share=False))
        else:
            column = _column(rows, text, "measure")
            values[text, -1] = _numbers(column, "measure")
            share = column.dtype == pl.Boolean
            measured.append(Measured(text, seats=False, is_share=share))
    return Matches(
        _texts(rows, said.variant),
        list(range(rows.height)) if said.deal is None else rows[said.deal].to_list(),
        policies,
        won,
        tuple(measured),
        values,
    )


def _policy_columns(rows: pl.DataFrame, said: Named) -> list[str]:
    text = said.policy
    if text is None:
        return []
    if SEAT in text:
        found: list[str] = []
        while (name := text.replace(SEAT, str(len(found)))) in rows.columns:
            found.append(name)
        if not found:
            _column(rows, text.replace(SEAT, "0"), "policy")
        return found
    found = [name.strip() for name in text.split(",")]
    for name in found:
        _column(rows, name, "policy")
    if len(found) == 1:
        raise InputError(
            f"policy {text!r} is one column, so rows are a match and seat, and seat is missing; "
            f"allowed: seat= (--seat), or a policy a seat, as in 'policy_{SEAT}' or A,B,…"
        )
    return found


def _winners(column: pl.Series, name: str, policies: list[tuple[str, ...]], seats: int) -> Array:
    """Return each seat's part of the win, from seats or policies that won."""
    won = np.zeros((len(policies), seats))
    if column.dtype == pl.Boolean or column.dtype.is_float():
        raise _refused(
            "winner",
            name,
            column.drop_nulls().first(),
            "the seat or the policy that won, in rows a match",
        )
    if column.dtype.is_integer():
        highest = column.max()
        first = 1 if highest == seats else 0  # people count seats from 1
        entries: list[list[Any]] = [
            [] if own is None or own < first else [own - first] for own in column.to_list()
        ]
    elif column.dtype == pl.List:
        entries = [[str(part) for part in own or ()] for own in column.to_list()]
    else:
        entries = [
            [str(own)]
            if own in policies[place]
            else re.split(r"\s*[;/&+]\s*", str(own or "").strip())
            for place, own in enumerate(column.to_list())
        ]
    for place, parts in enumerate(entries):
        found: set[int] = set()
        for part in parts:
            if isinstance(part, str) and part.lower() in _NOBODY:
                continue
            held = [s for s, own in enumerate(policies[place]) if own == part]
            if held:
                found.update(held)
            elif str(part).isdecimal() and int(part) < len(policies[place]):
                found.add(int(part))
            else:
                raise _refused(
                    "winner",
                    name,
                    part,
                    f"a seat 0…{len(policies[place]) - 1} or one of the policies "
                    f"{', '.join(policies[place])}; several with ; between; empty if nobody won",
                    place,
                )
        for seat in found:
            won[place, seat] = 1 / len(found)
    return won


def _by_seat(rows: pl.DataFrame, said: Named) -> Matches:
    """Return the matches of rows that are a match and seat each."""
    assert said.policy is not None
    won = [0.0] * rows.height
    if said.winner is not None:
        told = enumerate(rows[said.winner].to_list())
        won = [_part_of_win(own, said.winner, row) for row, own in told]
    frame = pl.DataFrame(
        {
            "variant": _texts(rows, said.variant),
            "seat": rows[said.seat] if said.seat else pl.int_range(rows.height, eager=True),
            "policy": rows[said.policy].cast(pl.String).fill_null("–"),
            "won": won,
            **{f"m:{name}": _column(rows, name, "measure") for name in said.measure},
        }
    )
    if said.deal is None and said.match is None:
        raise InputError(
            "deal is missing: rows a match and seat need a number that its rows share; allowed: "
            f"deal= (--deal) or match= (--match), one of {_known(rows)}"
        )
    frame = frame.with_columns(rows[said.deal or said.match or ""].alias("deal"))
    if said.match is not None:
        frame = frame.with_columns(rows[said.match].cast(pl.String).alias("which"))
    else:
        seen = pl.int_range(pl.len()).over("variant", "deal", "seat")
        frame = frame.with_columns(seen.cast(pl.String).alias("which"))
    frame = frame.with_row_index("order")
    keys = ["variant", "deal", "which"]
    grouped = (
        frame.sort("seat", maintain_order=True)
        .group_by(keys)
        .agg(pl.col("order").min().alias("first"), pl.exclude("order"))
        .sort("first")
    )
    _check_seats(grouped, said)
    policies = [tuple(own) for own in grouped["policy"].to_list()]
    most = max(map(len, policies))
    parts = np.zeros((len(policies), most))
    for place, own in enumerate(grouped["won"].to_list()):
        parts[place, : len(own)] = own
    total = parts.sum(axis=1, keepdims=True)
    measured, values = [], {}
    for name in said.measure:
        column = grouped[f"m:{name}"]
        of_match = bool((column.list.n_unique() == 1).all())
        share = frame[f"m:{name}"].dtype == pl.Boolean
        measured.append(Measured(name, seats=not of_match, is_share=share))
        for seat in (-1,) if of_match else range(most):
            values[name, seat] = _numbers(
                column.list.get(max(seat, 0), null_on_oob=True).alias(name), "measure"
            )
    return Matches(
        grouped["variant"].to_list(),
        grouped["deal"].to_list(),
        policies,
        np.divide(parts, total, out=np.zeros_like(parts), where=total > 0),
        tuple(measured),
        values,
        said.seat is not None,
    )


def _check_seats(grouped: pl.DataFrame, said: Named) -> None:
    twice = grouped.filter(pl.col("seat").list.n_unique() < pl.col("seat").list.len())
    if twice.height:
        row = twice.row(0, named=True)
        raise InputError(
            f"seat {said.seat!r} holds a seat twice in one match (deal {row['deal']!r}, variant "
            f"{row['variant']!r}); expected: each seat once; match= (--match) tells matches on one "
            "deal apart"
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


def _numbers(column: pl.Series, what: str) -> Array:
    numbers = column.cast(pl.Float64, strict=False)
    wrong = (numbers.is_null() & column.is_not_null()).arg_true()
    if len(wrong):
        row = int(wrong[0])
        raise _refused(what, column.name, column[row], "numbers, or true and false", row)
    found: Array = numbers.fill_null(float("nan")).to_numpy()
    return found


# --- Line-ups -------------------------------------------------------------------------------------


@dataclass
class Lineup:
    """Matches of the same policies.

    Attributes
    ----------
    seats : tuple of str
        As one match has them; rotation r has them turned by r seats.
    rotations : int
        How often each deal stands there, the line-up turned; 1 where the rows have no such order.
    turned : int64[matches]
        Rotation of each match; 0 with one rotation.
    numbers : int64[matches]
        Number of each match's deal; further matches on a deal count as deals of the same group.
    """

    name: str
    seats: tuple[str, ...]
    rotations: int
    places: Mapping[str, Array]
    turned: Array
    numbers: Array

    def of(self, variant: str) -> Array | None:
        """Return the places of a variant's matches, in the order of deals and rotations."""
        return self.places.get(variant)


def _lineups(matches: Matches) -> list[Lineup]:
    by_policies: dict[tuple[str, ...], list[int]] = {}
    for place, own in enumerate(matches.policies):
        by_policies.setdefault(tuple(sorted(own)), []).append(place)
    numbers = {own: number for number, own in enumerate(_ordered(matches.deal))}
    deals = np.array([numbers[own] for own in matches.deal])
    variants = np.array(matches.variant)
    return [_lineup(matches, np.array(places), deals, variants) for places in by_policies.values()]


def _ordered(values: Sequence[Any]) -> list[Any]:
    found = list(dict.fromkeys(values))
    try:
        return sorted(found)
    except TypeError:
        return sorted(found, key=str)


def _lineup(matches: Matches, places: Array, deals: Array, variants: Array) -> Lineup:
    first = matches.policies[places[0]]
    count = len(first)
    # Of all rotations the first by name, whichever stands first in the rows.
    base = min(first[r:] + first[:r] for r in range(count))
    turns = {
        tuple(base[(seat + r) % count] for seat in range(count)): r for r in reversed(range(count))
    }
    rotations = len(turns)
    turned = np.full(len(deals), -1)
    for place in places:
        turned[place] = turns.get(matches.policies[place], -1)
    if (
        (turned[places] < 0).any()
        or rotations == 1
        or not _complete(places, deals, variants, turned, rotations)
    ):
        rotations, turned = 1, np.zeros(len(deals), dtype=np.int64)
    by_variant = {}
    numbers = np.zeros(len(deals), dtype=np.int64)
    apart = GROUPS * (int(deals.max()) // GROUPS + 1)
    for variant in dict.fromkeys(variants[places].tolist()):
        own = places[variants[places] == variant]
        numbers[own] = deals[own] + apart * _occurrence(deals[own] * rotations + turned[own])
        by_variant[variant] = own[np.lexsort((turned[own], numbers[own]))]
    seats = base
    if rotations == 1:
        still = all(matches.policies[place] == first for place in places)
        seats = first if still else tuple(sorted(first))
    return Lineup(", ".join(seats), seats, rotations, by_variant, turned, numbers)


def _complete(places: Array, deals: Array, variants: Array, turned: Array, rotations: int) -> bool:
    """Whether every deal of every variant stands there equally often in every rotation."""
    counts: dict[tuple[str, int], list[int]] = {}
    for place in places.tolist():
        own = counts.setdefault((variants[place], deals[place]), [0] * rotations)
        own[turned[place]] += 1
    return all(len(set(own)) == 1 for own in counts.values())


def _occurrence(keys: Array) -> Array:
    """Return how often each key stood before, at each place."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    lengths = np.diff(np.r_[starts, len(keys)])
    found = np.empty(len(keys), dtype=np.int64)
    found[order] = np.arange(len(keys)) - np.repeat(starts, lengths)
    return found


# --- Sums -----------------------------------------------------------------------------------------


def _measure(own: Measured) -> Measure:
    value = partial(_seat_values if own.seats else _match_values, own.name)
    low, high = (0.0, 1.0) if own.is_share else (None, None)
    kind = "score" if own.name == "score" else "measure"
    return Measure(own.name, value, seats=own.seats, low=low, high=high, kind=kind)


def _match_values(name: str, block: Any) -> Any:
    values = block[name]
    there = np.isfinite(values)
    return (values, None) if there.all() else (np.where(there, values, 0.0), there)


def _seat_values(name: str, block: Any) -> Any:
    values = [block[f"{name}:{seat}"] for seat in range(block.players)]
    there = [np.isfinite(own) for own in values]
    if all(own.all() for own in there):
        return values
    return [np.where(t, v, 0.0) for v, t in zip(values, there, strict=True)], there


def _totals(
    matches: Matches,
    lineup: Lineup,
    cell: Cell,
    own: Array,
    base: Array | None,
    measures: tuple[Measure, ...],
    *,
    dealt: bool,
) -> tuple[Totals, str]:
    """Return the sums of a cell, with the baseline's on the same deals, and what must be said."""
    if base is None:
        return _summed(matches, lineup, cell, own, measures), ""
    if dealt:
        shared_own, shared_base = _shared(lineup, own, base)
        if len(shared_own):
            found = _summed(matches, lineup, cell, shared_own, measures, shared_base)
            left = len(own) - len(shared_own)
            words = f"{left:,} matches on deals that the baseline does not have are left out"
            return found, words if left else ""
    found = _summed(matches, lineup, cell, own, measures)
    found.before = _summed(matches, lineup, cell, base, measures)
    return found, "no deal is shared with the baseline, so the two are independent samples"


def _shared(lineup: Lineup, own: Array, base: Array) -> tuple[Array, Array]:
    """Return the matches of both on the same deals, in the same rotations and order."""

    def keys(places: Array) -> list[tuple[int, int]]:
        numbers, turned = lineup.numbers[places], lineup.turned[places]
        return list(zip(numbers.tolist(), turned.tolist(), strict=True))

    at = dict(zip(keys(base), base.tolist(), strict=True))
    pairs = [
        (place, at[key]) for place, key in zip(own.tolist(), keys(own), strict=True) if key in at
    ]
    if not pairs:
        return own[:0], base[:0]
    first, second = zip(*pairs, strict=True)
    return np.array(first), np.array(second)


def _summed(
    matches: Matches,
    lineup: Lineup,
    cell: Cell,
    own: Array,
    measures: tuple[Measure, ...],
    base: Array | None = None,
) -> Totals:
    from studies.answers.totals import totals_of

    all_measures = measures_of(cell, measures, metrics=())

    def columns(places: Array, *, by_policy: bool) -> dict[str, Array]:
        return _columns(matches, lineup, places, by_policy=by_policy)

    def summed(*, by_policy: bool) -> Totals:
        before = None if base is None else columns(base, by_policy=by_policy)
        own_columns = columns(own, by_policy=by_policy)
        return totals_of(
            cell, own_columns, all_measures, cell if base is not None else None, before
        )

    found = summed(by_policy=True)
    if lineup.rotations == 1 and len(set(lineup.seats)) > 1:
        # Policies may sit anywhere, so that seats in order of policies tell nothing of positions.
        for target, source in (
            (found, seated := summed(by_policy=False)),
            (found.before, seated.before),
        ):
            if target is not None and source is not None:
                for name in target.sums:
                    if "|position " in name:
                        target.sums[name] = source.sums[name]
    return found


def _columns(
    matches: Matches, lineup: Lineup, places: Array, *, by_policy: bool
) -> dict[str, Array]:
    """Return match columns; `by_policy`: with one rotation, seats in the order of the line-up."""
    count = len(lineup.seats)
    order = np.tile(np.arange(count), (len(places), 1))
    if by_policy and lineup.rotations == 1:
        for row, place in enumerate(places.tolist()):
            order[row] = _seating(matches.policies[place], lineup.seats)
    won = np.take_along_axis(matches.won[places][:, :count], order, axis=1)
    bits = (won > 0).astype(np.int64) << np.arange(count)
    winners = bits.sum(axis=1)
    columns: dict[str, Array] = {
        "match": lineup.numbers[places],
        "rotation": lineup.turned[places],
        "first_seat": np.zeros(len(places), dtype=np.int64),
        "winners": winners,
        "aborted": winners == 0,
    }
    for own in matches.measured:
        if own.seats:
            values = np.stack(
                [matches.values[own.name, seat][places] for seat in range(count)], axis=1
            )
            ordered = np.take_along_axis(values, order, axis=1)
            columns |= {f"{own.name}:{seat}": ordered[:, seat] for seat in range(count)}
        else:
            columns[own.name] = matches.values[own.name, -1][places]
    return columns


def _seating(policies: tuple[str, ...], wanted: tuple[str, ...]) -> list[int]:
    """Return for each seat of a line-up where the match has its policy."""
    free = list(range(len(policies)))
    found = []
    for name in wanted:
        seat = next(one for one in free if policies[one] == name)
        free.remove(seat)
        found.append(seat)
    return found


# --- Rows of this laboratory ----------------------------------------------------------------------


def is_own(rows: pl.DataFrame) -> bool:
    """Whether rows are those of `Results.rows`, with all that is known of their cells."""
    return {*OWN, "cell", "game", "variant", "lineup", "seat_0", "rotations"} <= set(rows.columns)


def own_cells(rows: pl.DataFrame) -> tuple[list[StudyCell], dict[str, pl.DataFrame]]:
    """Return the cells of rows of `Results.rows`, and the matches of each."""
    from simcore.game import get_game
    from studies.design.cells import StudyCell

    cells, matches = [], {}
    # The columns of a match stand before those of its cell.
    at = {name: place for place, name in enumerate(rows.columns)}
    names = [own for own in rows.columns[at["match"] : at["game"]] if own != "winner_seats"]
    for own in rows.partition_by("cell", maintain_order=True):
        row = own.row(0, named=True)
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
        matches[cell.id] = own.select(names)
    return cells, matches
