"""Tables that people and other programs write: their files, and which column is what.

What columns are is said by name (`Columns`), or follows from what they are usually called.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from simcore.errors import InputError, nearest
from simcore.files import check_regular, read_regular
from studies.design.document import shorten
from studies.operations.arguments import refuse_idle

SEAT = "{seat}"
ENDINGS = (".csv", ".parquet", ".arrow", ".xlsx")


@dataclass(frozen=True)
class Columns:
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

    def refuse(self, why: str) -> None:
        """Refuse columns where there are no rows from elsewhere."""
        for name, column in asdict(self).items():
            refuse_idle(name, column or None, why, "with rows from elsewhere")


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
    options: Any = {"separator": separator, "encoding": "utf8"}
    try:
        head[: head.rfind(b"\n")].decode("utf-8-sig")
    except UnicodeDecodeError:
        options["encoding"] = "cp1252"  # what spreadsheets write otherwise
    try:
        rows = pl.read_csv(path, infer_schema_length=10_000, **options)
    except pl.exceptions.ComputeError:
        # A column may turn out to hold something else late: then all rows tell.
        rows = pl.read_csv(path, infer_schema_length=None, **options)
    rows = rows.rename({name: name.strip() for name in rows.columns})
    # `render.to_csv` writes an apostrophe before what a spreadsheet would take for a formula.
    rows = rows.with_columns(pl.col(pl.String).str.replace(r"^'([=+\-@\t\r])", "$1"))
    return rows if separator == "," else _as_numbers(rows)


def _as_numbers(rows: pl.DataFrame) -> pl.DataFrame:
    """Return rows with texts such as 1.234,5 as numbers, in columns with nothing else."""
    decimal = r"^[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?$"
    for name in rows.columns:
        texts = rows[name].drop_nulls()
        if texts.dtype == pl.String and len(texts) and texts.str.contains(decimal).all():
            column = pl.col(name).str.replace_all(".", "", literal=True).str.replace(",", ".")
            rows = rows.with_columns(column.cast(pl.Float64))
    return rows


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

USUAL_RULES = ["book", "normal", "standard", "original", "official", "base", "usual", "default"]
"""What unchanged rules are called."""

_ROLES = {name: role for role, names in _USUAL_NAMES.items() for name in names.split()}
_NUMBERED = re.compile(r"(.*?)(\d+)$")


def _role(name: str) -> str:
    """Return what a column with this name usually holds."""
    plain = re.sub(r"\(.*?\)|[\W_]", "", name.casefold())
    return _ROLES.get(plain, "")


def recognised(
    rows: pl.DataFrame, given: Columns
) -> tuple[pl.DataFrame, Columns, list[str]]:
    """Return the rows and which column is what, completed by what columns are usually called.

    A sheet with a column for each person, which holds that person's score, is turned into a row a
    play and person.
    """
    roles = {name: getattr(given, name) for name in ("deal", "match", "variant", "seat", "winner")}
    for name, column in roles.items():
        if column is not None:
            column_of(rows, column, name)
    usual = _usual(rows, {*roles.values(), *given.measure, *(given.policy or "").split(",")})
    for role in ("variant", "seat", "winner", "deal"):
        roles[role] = roles[role] or usual.get(role)
    policy = given.policy or usual.get("policy")
    if "policy_0" in rows.columns:
        policy = policy or f"policy_{SEAT}"
    notes: list[str] = []
    people = _people(rows, given, [column for column in roles.values() if column])
    people_words = shorten(", ".join(people), 60)
    if policy is None and people and rows[people[0]].dtype == pl.String:
        policy = ",".join(people)
        notes.append(f"Who played is read from {people_words}.")
    elif policy is None and people:
        if given.best is None and roles["winner"] is None:
            raise InputError(
                f"{people_words} hold people's scores, and no column tells who won; "
                "allowed: best= (--best highest, or --best lowest), or winner= (--winner)"
            )
        rows, roles, policy = _unpivoted(rows, people, roles)
        notes.append(f"{people_words} are read as people, with their scores.")
    is_by_seat = policy is not None and not (SEAT in policy or "," in policy)
    if policy and not is_by_seat and given.seat:
        raise InputError(
            f"seat {given.seat!r} would do nothing beside policy {policy!r}, a column per "
            "seat; allowed: one of them"
        )
    roles["seat"] = roles["seat"] if is_by_seat else None
    play, variant = usual.get("match"), roles["variant"]
    if play is not None and roles["deal"] is None and roles["match"] is None:
        if is_by_seat:
            roles["match"] = play
        elif variant and (rows.group_by(play).agg(pl.col(variant).n_unique())[variant] > 1).any():
            # What is counted alike under two rules is one deal.
            roles["deal"] = play
            notes.append(f"Plays with the same {play} are compared as one deal.")
    if roles["winner"] is None and given.best:
        score = "score" if "score" in rows.columns else usual.get("score")
        rows = _with_best_score(rows, score, policy, roles, given.best)
        roles["winner"] = "best score"
    measure = given.measure
    if not measure and "cell" not in rows.columns and (given.policy is None or given.best):
        used = {*roles.values(), policy, *people}
        numbers = [name for name in rows.columns if _role(name) in ("number", "score")]
        measure = tuple(name for name in numbers if name not in used)
    if roles["winner"] is None and not measure:
        raise InputError(
            "winner is missing: the column that tells who won; allowed: winner= (--winner), one of "
            f"{column_names(rows)}; best= (--best highest, --best lowest) where scores tell it; or "
            "measure= (--measure), numbers to compare"
        )
    if not roles["winner"]:
        notes.append("Who won is not told: --winner COLUMN, or --best highest or lowest of scores.")
    columns = Columns(
        **roles, policy=policy, measure=measure, baseline=given.baseline, best=given.best
    )
    return rows, columns, notes


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


def _people(rows: pl.DataFrame, given: Columns, used: Sequence[str]) -> list[str]:
    """Return columns of one kind: `Player 1`, `Player 2`, … with names, or people with scores."""
    if given.policy is not None:
        return []
    free = [name for name in rows.columns if name and name not in (*used, *given.measure)]
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
    rows: pl.DataFrame, people: list[str], roles: dict[str, str | None]
) -> tuple[pl.DataFrame, dict[str, str | None], str]:
    """Return a row a play and person of a sheet with a column of scores for each person."""
    play, won = "play of the sheet", "won of the sheet"
    kept = [play, *(name for name in rows.columns if name not in people)]
    scores = rows.with_row_index(play).unpivot(
        people, index=kept, variable_name="person", value_name="score"
    )
    scores = scores.filter(pl.col("score").is_not_null())
    if winner := roles["winner"]:
        is_winner = pl.col(winner).cast(pl.String) == pl.col("person")
        scores = scores.with_columns(is_winner.alias(won))
    return (
        scores,
        {**roles, "match": play, "winner": won if winner else None, "seat": None},
        "person",
    )


def _with_best_score(
    rows: pl.DataFrame,
    score: str | None,
    policy: str | None,
    roles: dict[str, str | None],
    best: str,
) -> pl.DataFrame:
    """Return rows a play and person with a column of who has the best score; ties share a win."""
    match = roles["match"] or roles["deal"]
    if score is None or match is None or policy not in rows.columns:
        raise InputError(
            f"best {best!r} needs a column of scores, score, in rows a play and person; "
            f"known: {column_names(rows)}"
        )
    rows = rows.with_columns(numbers_of(rows[score], "score"))
    keys = [name for name in (match, roles["variant"]) if name]
    of_play = pl.col(score).max() if best == "highest" else pl.col(score).min()
    return rows.with_columns((pl.col(score) == of_play.over(keys)).alias("best score"))


def column_of(rows: pl.DataFrame, name: str, role: str) -> pl.Series:
    """Return a column; `role` is what it was given as, for a refusal."""
    if name not in rows.columns:
        raise InputError(
            f"{role} {name!r} is no column of the rows{nearest_words(name, rows.columns)} known: "
            f"{column_names(rows)}"
        )
    return rows[name]


def nearest_words(name: str, known: Sequence[str]) -> str:
    """Return a question for the nearest known name, if one is near."""
    guess = nearest(name, list(known))
    return f"; did you mean {guess!r}?" if guess else ";"


def column_names(rows: pl.DataFrame) -> str:
    """Return the names of the columns, for a refusal."""
    return shorten(", ".join(rows.columns), 400)


def not_understood(
    role: str, column: str, value: object, expected: str, row: int | None = None
) -> InputError:
    """Return the refusal of a value."""
    where = "" if row is None else f" in row {row + 1:,}"
    return InputError(
        f"{role} {column!r} holds {shorten(repr(value))}{where}, which is not understood; "
        f"expected: {expected}"
    )


def texts_of(rows: pl.DataFrame, name: str) -> list[str]:
    """Return a column as texts."""
    return rows[name].cast(pl.String).fill_null("–").to_list()


def numbers_of(column: pl.Series, role: str) -> pl.Series:
    """Return a column as numbers, NaN where one is missing."""
    numbers = column.cast(pl.Float64, strict=False)
    wrong = (numbers.is_null() & column.is_not_null()).arg_true()
    if len(wrong):
        row = int(wrong[0])
        raise not_understood(role, column.name, column[row], "numbers, or true and false", row)
    return numbers.fill_null(float("nan"))
