"""Rows from elsewhere in one tidy form: a row a match and seat.

What a column is follows from its values (`_kind`: a person, a number, a time, a result, a key) and
from what such columns are usually called, unless it is said by name (`Columns`). Everything that
was guessed is told in the first line of the answer. A value that does not fit is refused with its
row; a column that is called like a number (turns, rounds, mulligans, wins) is never a person.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from simcore.errors import InputError, nearest
from studies.design.document import shorten
from studies.measures import BASELINE

SEAT = "{seat}"
MOST_SEATS = 12
MOST_TOTAL = 1_000_000
NOBODY = ("", "none", "nobody", "–", "-", "*")
THIS_PLAYER, OPPONENT = "this player", "opponent"

USUAL_RULES = ["book", "normal", "standard", "original", "official", "base", "usual", "default"]
"""What unchanged rules are called."""


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
        `play` (number of the match), `variant`, `deal`, `seat` (0, 1, …), `side` (the same for
        partners), `policy` (null where it is not known who played), `won` (part of the win of the
        side, 0 where nobody won), `place` (null where only the winner is known), and each measure
        as `m:NAME` (null where it is missing; of a match the same at each seat), in the order of
        match and seat.
    measured : tuple of Measured
    has_deals : bool
        Whether a column tells which matches share a deal.
    guessed : list of str
        What was read from which column, without being told.
    notes : list of str
        What was taken for granted.
    seated : bool
        Whether the order of policies is that of their seats.
    is_log : bool
        Whether only a log of plays can be made of it: places, partners, one person's matches.
    winners : list of str or None
        Who won each match, for rows without policies.
    """

    seats: pl.DataFrame
    measured: tuple[Measured, ...]
    baseline: str
    has_deals: bool
    guessed: list[str]
    notes: list[str]
    seated: bool = True
    is_log: bool = False
    winners: list[str] | None = None

    @property
    def variants(self) -> list[str]:
        """The variants, in the order of the rows."""
        return self.seats["variant"].unique(maintain_order=True).to_list()


# --- What a column is -----------------------------------------------------------------------------

_USUAL_NAMES: Mapping[str, str] = {
    "deal": "deal board",
    "match": "match play game matchid playid gameid partie spiel spielnr nr no id",
    "variant": "variant variants rule rules ruleset regel regeln variante",
    "policy": "policy player name person who strategy bot engine spieler spielerin",
    "opponent": "opponent opp gegner gegnerin",
    "seat": "seat position sitz platz",
    "first": "onplay ontheplay first wentfirst isfirst starts",
    "winner": "winner winners win won sieger gewinner gewonnen sieg result ergebnis outcome",
    "place": "place rank placing placement finish standing rang",
    "score": "score scores points punkte",
    "wins": "wins siege",
    "losses": "losses niederlagen",
    "draws": "draws ties remis",
    "number": "minutes min time duration dauer zeit turns rounds plays tricks length runden moves "
    "plycount mulligans",
    "key": "round runde date datum event site",
}
"""What columns are usually called, without spaces and marks, in English and German."""

_ROLES = {name: role for role, names in _USUAL_NAMES.items() for name in names.split()}
_FIRST_OF_TWO = {"white": "black", "weiss": "schwarz", "home": "away", "heim": "gast"}
_NUMBERED = re.compile(r"(.*?)(\d+)$")
_OF_TEAM = re.compile(r"(?:team|side|pair|paar)[\W_]*(\d+)[\W_]+(.+)", re.IGNORECASE)
_TIME = r"^\d{4}-\d\d-\d\d([T ]|$)|^\d{1,2}:\d\d"

_OF_TWO = {
    "1-0": (1.0, 0.0),
    "0-1": (0.0, 1.0),
    **dict.fromkeys(("1/2-1/2", "½-½", "0.5-0.5"), (0.5, 0.5)),
}
_PART = {
    **dict.fromkeys(("true", "yes", "1", "1.0", "won", "win", "w", "ja", "sieg"), 1.0),
    **dict.fromkeys(("false", "no", "0", "0.0", "lost", "loss", "l", "nein", "niederlage"), 0.0),
    **dict.fromkeys(("draw", "drawn", "tie", "tied", "d", "remis", "½", "1/2"), 0.5),
}
"""The part of the win that one side has."""


def _role(name: str) -> str:
    """Return what a column with this name usually holds."""
    plain = re.sub(r"\(.*?\)|[\W_]", "", name.casefold())
    counted = re.sub(r"^(num|number|total|count)(of)?", "", plain)
    return _ROLES.get(plain) or ("number" if _ROLES.get(counted) == "number" else "")


def _kind(column: pl.Series) -> str:
    """Return what the values are: "flag", "number", "result", "time" or "text"; "" without any."""
    if column.dtype == pl.Boolean:
        return "flag"
    if column.dtype.is_numeric():
        values = column.drop_nulls().unique()
        return "flag" if len(values) and set(values.to_list()) <= {0, 1} else "number"
    if column.dtype == pl.List:
        return "text"
    texts = column.cast(pl.String).drop_nulls().str.strip_chars().str.to_lowercase().unique()
    texts = texts.filter(texts != "")
    if not len(texts):
        return ""
    if texts.is_in(["0", "1", "true", "false", "yes", "no", "ja", "nein"]).all():
        return "flag"
    if texts.cast(pl.Float64, strict=False).is_not_null().all():
        return "number"
    if texts.str.replace_all("[–:]", "-").is_in([*_OF_TWO, "*"]).all():
        return "result"
    if texts.is_in(list(_PART)).all():
        return "result"
    return "time" if texts.str.contains(_TIME).all() else "text"


_FITS = {
    "seat": ("number", "flag", "text"),
    "first": ("flag",),
    **dict.fromkeys(("place", "score", "wins", "losses", "draws", "number"), ("number", "flag")),
    **dict.fromkeys(("policy", "opponent"), ("text", "number", "flag")),
}
"""The kinds of values that a column of a role may hold; others may hold any."""


def _usual(rows: pl.DataFrame, given: Collection[str | None]) -> dict[str, str]:
    """Return the column of each role that is known by its name and its values."""
    usual: dict[str, str] = {}
    for name in rows.columns:
        role = _role(name)
        if not role or name in given:
            continue
        # A bad value in a column of numbers is told later, with its row.
        odd = role in _FITS and _kind(rows[name]) not in _FITS[role]
        if odd and role in ("first", "wins", "losses", "draws"):
            continue
        # Several columns may be called like a play: `game` may hold the game's name.
        better = role == "match" and rows[name].n_unique() > rows[usual.get(role, name)].n_unique()
        if role not in usual or name == role or better:
            usual[role] = name
    return usual


# --- Rows to the tidy form ------------------------------------------------------------------------


@dataclass
class _Rows:
    """Rows on their way to the tidy form, and what is known of their columns."""

    rows: pl.DataFrame
    given: Columns
    roles: dict[str, str | None] = field(default_factory=dict)
    measure: tuple[str, ...] = ()
    guessed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def texts(self, name: str) -> list[str]:
        """Return a column as texts, empty where it has none."""
        return self.rows[name].cast(pl.String).fill_null("").str.strip_chars().to_list()

    def said(self, role: str, words: str) -> None:
        """Note what a column was taken for, unless it was given."""
        if getattr(self.given, role, None) is None:
            self.guessed.append(words)


def tidied(rows: pl.DataFrame, given: Columns) -> Tidy:
    """Convert rows to the tidy form."""
    if not rows.height:
        raise InputError("there are no rows; allowed: one row or more")
    known = _Rows(rows, given)
    usual = _told_or_usual(known)
    sides = _sides(known, usual)
    who = None
    if sides is None:
        who = known.roles.get("person") or given.policy or usual.get("policy")
    elif given.policy is not None and given.seat:
        raise InputError(
            f"seat {given.seat!r} would do nothing beside policy {given.policy!r}, a column per "
            "seat; allowed: one of them"
        )
    _matches_alike(known, usual, by_seat=who is not None)
    known.measure = given.measure or _numbers(known, sides, who)
    if {"wins", "losses"} <= usual.keys() and sides and given.winner is None:
        tidy = _from_totals(known, usual, sides)
    elif who is not None:
        tidy = _from_seats(known, usual, who)
    else:
        tidy = _from_matches(known, usual, sides or [])
    most = tidy.seats.group_by("play").len()["len"].max()
    assert isinstance(most, int)
    if most > MOST_SEATS:
        raise InputError(f"a match of {most} players is refused; allowed: at most {MOST_SEATS}")
    return tidy


def _told_or_usual(known: _Rows) -> dict[str, str]:
    """Fill in which column holds what, as it was told or is usual; return the usual ones."""
    given, named = known.given, ("deal", "match", "variant", "seat", "winner")
    told = {role: getattr(given, role) for role in named}
    for role, column in told.items():
        if column is not None:
            column_of(known.rows, column, role)
    usual = _usual(known.rows, {*told.values(), *given.measure, *(given.policy or "").split(",")})
    known.roles = {role: told[role] or usual.get(role) for role in named}
    known.roles["match"] = told["match"]
    for role in ("deal", "variant"):
        if column := known.roles[role]:
            known.said(role, f"{role} = {column}")
    return usual


def _sides(known: _Rows, usual: Mapping[str, str]) -> list[list[str]] | None:
    """Return the columns of people of rows a match, a list a side; None for a row a seat."""
    rows, given = known.rows, known.given
    if given.policy is not None:
        return _named_sides(rows, given)
    if "policy_0" in rows.columns:
        return _named_sides(rows, Columns(policy=f"policy_{SEAT}"))
    sides = list(_guessed_sides(known, usual))
    if sides:
        people = [" and ".join(side) for side in sides]
        known.guessed.append(f"who played = {shorten(', '.join(people), 60)}")
        return sides
    if "policy" in usual:
        return None
    return _people_with_scores(known)


def _named_sides(rows: pl.DataFrame, given: Columns) -> list[list[str]] | None:
    text = str(given.policy)
    if SEAT in text:
        names = (text.replace(SEAT, str(seat)) for seat in itertools.count())
        policies = list(itertools.takewhile(rows.columns.__contains__, names))
        policies = policies or [text.replace(SEAT, "0")]
    else:
        policies = [name.strip() for name in text.split(",")]
    for name in policies:
        column_of(rows, name, "policy")
    if len(policies) > 1 or SEAT in text:
        return [[name] for name in policies]
    keys = {"seat", "deal", "match"}
    if not any(getattr(given, key) or key in map(_role, rows.columns) for key in keys):
        raise InputError(
            f"policy {text!r} is one column, so rows are a match and seat, and seat is missing; "
            f"allowed: seat= (--seat), or a policy a seat, as in 'policy_{SEAT}' or A,B,…"
        )
    return None


def _guessed_sides(known: _Rows, usual: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield columns that hold who played in a row a match, by side."""
    rows = known.rows
    free = [name for name in rows.columns if name not in known.given.measure]
    free = [name for name in free if name not in known.roles.values()]
    teams: dict[str, list[str]] = {}
    for name in free:
        match = _OF_TEAM.fullmatch(name)
        if match and not _role(match[2]) and _kind(rows[name]) == "text":
            teams.setdefault(match[1], []).append(name)
    if len(teams) > 1:
        yield from teams.values()
        return
    lower = {name.casefold(): name for name in free}
    for first, second in _FIRST_OF_TWO.items():
        if first in lower and second in lower:
            yield from ([lower[first]], [lower[second]])
            return
    if {"policy", "opponent"} <= usual.keys():
        yield from ([usual["policy"]], [usual["opponent"]])
        return
    families: dict[str, list[str]] = {}
    for name in free:
        match = _NUMBERED.match(name)
        if match and match[1] and _kind(rows[name]) in ("text", ""):
            families.setdefault(match[1], []).append(name)
    longest = max(families.values(), key=len, default=[])
    if len(longest) > 1:
        yield from ([name] for name in longest)


def _people_with_scores(known: _Rows) -> list[list[str]] | None:
    """Turn a sheet with a column of scores for each person into a row a play and person."""
    rows, given = known.rows, known.given
    used = {*known.roles.values(), *given.measure}
    people = [
        name
        for name in rows.columns
        if name and name not in used and not _role(name) and not _NUMBERED.match(name)
        and _kind(rows[name]) in ("number", "flag")
    ]  # fmt: skip
    if len(people) < 2 or (known.roles["winner"] and _kind(rows[known.roles["winner"]]) == "flag"):
        return []
    words = shorten(", ".join(people), 60)
    winner = known.roles["winner"]
    if given.best is None and winner is None:
        raise InputError(
            f"{words} hold people's scores, and no column tells who won; "
            "allowed: best= (--best highest, or --best lowest), or winner= (--winner)"
        )
    if winner is not None and not set(known.texts(winner)) <= {*people, *NOBODY}:
        return []
    known.guessed.append(f"{words} = people, with their scores")
    play, won = "play of the sheet", "won of the sheet"
    blank = rows.with_columns(
        pl.when(pl.col(name).cast(pl.String).str.strip_chars() != "").then(pl.col(name)).alias(name)
        for name in people
    )
    kept = [play, *(name for name in rows.columns if name not in people)]
    scores = blank.with_row_index(play).unpivot(
        people, index=kept, variable_name="person", value_name="score"
    )
    scores = scores.filter(pl.col("score").is_not_null())
    if winner is not None:
        is_winner = pl.col(winner).cast(pl.String) == pl.col("person")
        scores = scores.with_columns(is_winner.alias(won))
    known.rows = scores
    known.roles |= {"match": play, "winner": won if winner else None, "seat": None}
    known.roles["person"] = "person"
    return None


def _matches_alike(known: _Rows, usual: Mapping[str, str], *, by_seat: bool) -> None:
    """Say which rows are of one match, or of one deal."""
    play, variant = usual.get("match"), known.roles["variant"]
    if play is None or known.roles["deal"] or known.roles["match"]:
        return
    if by_seat:
        known.roles["match"] = play
        known.guessed.append(f"match = {play}")
    elif variant:
        rules = known.rows.group_by(play).agg(pl.col(variant).n_unique())[variant]
        if (rules > 1).any():
            # What is counted alike under two rules is one deal.
            known.roles["deal"] = play
            known.guessed.append(f"deal = {play}")
            known.notes.append(f"Plays with the same {play} are compared as one deal.")


def _numbers(
    known: _Rows, sides: Sequence[Sequence[str]] | None, who: str | None
) -> tuple[str, ...]:
    """Return the columns of numbers to compare, by what they are called."""
    if "cell" in known.rows.columns or (known.given.policy and not known.given.best):
        return ()
    used = {*known.roles.values(), who, *itertools.chain(*(sides or ()))}
    numbers = [name for name in known.rows.columns if _role(name) in ("number", "score")]
    numbers = [name for name in numbers if name not in used and _kind(known.rows[name]) != "time"]
    if numbers:
        known.guessed.append(f"numbers = {', '.join(numbers)}")
    return tuple(numbers)


def _finished(
    known: _Rows,
    plays: Mapping[str, Any],
    measured: Sequence[Measured],
    numbers: Mapping[str, pl.Series],
    **more: Any,
) -> Tidy:
    """Return the tidy form of columns that are in the order of match and seat."""
    schema = {"policy": pl.String, "won": pl.Float64, "place": pl.Float64}
    seats = pl.DataFrame(plays, schema_overrides=schema, strict=False).with_columns(
        pl.int_range(pl.len()).over("play").alias("seat"),
        *(values.alias(f"m:{name}") for name, values in numbers.items()),
    )
    variants = seats["variant"].unique(maintain_order=True).to_list()
    return Tidy(
        seats,
        tuple(measured),
        _baseline(variants, known),
        known.roles["deal"] is not None,
        known.guessed,
        known.notes,
        **more,
    )


def _baseline(variants: Sequence[str], known: _Rows) -> str:
    baseline = known.given.baseline
    if baseline is None:
        usual = [name for name in variants if name.casefold() in USUAL_RULES]
        return BASELINE if BASELINE in variants else (*usual, *variants)[0]
    if baseline not in variants:
        raise InputError(
            f"baseline {baseline!r} is no value of variant "
            f"{known.roles['variant']!r}{nearest_words(baseline, variants)} known: "
            f"{shorten(', '.join(variants), 400)}"
        )
    return baseline


def _variants(known: _Rows) -> list[str]:
    column = known.roles["variant"]
    if column is None:
        return [BASELINE] * known.rows.height
    return [text or "–" for text in known.texts(column)]


# ---- a row a match


def _from_matches(known: _Rows, usual: Mapping[str, str], sides: list[list[str]]) -> Tidy:
    winner, rows = known.roles["winner"], known.rows
    kind = "" if winner is None else _kind(rows[winner])
    is_of_one = not sides and kind in ("flag", "result") and winner is not None
    teams = any(len(side) > 1 for side in sides)
    best = known.given.best
    scores = [_score_of(rows, side) for side in sides]
    if is_of_one:
        members = _of_one_person(known, usual)
        parts = [
            _part(value, str(winner), row) for row, value in enumerate(known.texts(str(winner)))
        ]
        won = [{THIS_PLAYER: part, OPPONENT: 1 - part} for part in parts]
        outcomes = [[of[side[0]] for side in table] for of, table in zip(won, members, strict=True)]
    else:
        names = [[known.texts(name) for name in side] for side in sides]
        tables = zip(*(zip(*side, strict=True) for side in names), strict=True)
        members = [
            [tuple(filter(None, side)) for side in table if any(side)] for table in tables
        ] or [[] for _ in range(rows.height)]
        outcomes = [[0.0] * len(table) for table in members]
        if winner is not None and sides:
            known.said("winner", f"who won = {winner}")
            outcomes = _outcomes(known, winner, kind, members, len(sides))
        elif best is not None and winner is None:
            if not scores or not all(scores):
                raise _no_scores(rows, best)
            outcomes = _by_scores(rows, [str(name) for name in scores], members, best)
    if winner is None and not any(map(any, outcomes)) and not known.measure:
        raise _no_winner(rows, scores)
    if winner is None and not best:
        known.notes.append(
            "Who won is not told: --winner COLUMN, or --best highest or lowest of scores."
        )
    measured, at_seat = _measured_of_matches(known, len(sides))
    places = [(play, seat, member) for play, table in enumerate(members)
              for seat, side in enumerate(table or [(None,)]) for member in side]  # fmt: skip
    variants = _variants(known)
    deal = known.roles["deal"]
    deals = rows[deal].to_list() if deal else range(rows.height)
    columns = {
        "play": [play for play, _, _ in places],
        "variant": [variants[play] for play, _, _ in places],
        "deal": [deals[play] for play, _, _ in places],
        "side": [side for _, side, _ in places],
        "policy": [member for _, _, member in places],
        "won": [outcomes[play][side] if outcomes[play] else 0.0 for play, side, _ in places],
        "place": [None] * len(places),
    }
    numbers = {
        name: pl.Series(
            [values[side if len(values) > 1 else 0][play] for play, side, _ in places],
            dtype=pl.Float64,
        )
        for name, values in at_seat.items()
    }
    unknown = not sides and not is_of_one
    winners = [text or "–" for text in known.texts(winner)] if winner and unknown else None
    if unknown and winner:
        known.said("winner", f"who won = {winner}, nobody else is named")
    is_log = teams or is_of_one
    seated = not is_of_one or "first" in usual
    return _finished(
        known,
        columns,
        measured,
        numbers,
        winners=winners,
        is_log=is_log,
        seated=seated and not teams,
    )


def _no_winner(rows: pl.DataFrame, scores: Sequence[str | None]) -> InputError:
    best = "best= (--best highest, --best lowest) where scores tell it"
    if scores and all(scores):
        names = ", ".join(map(str, scores))
        return InputError(f"{names} hold scores, and no column tells who won; allowed: {best}")
    return InputError(
        "winner is missing: the column that tells who won; allowed: winner= (--winner), one of "
        f"{column_names(rows)}; {best}; or measure= (--measure), numbers to compare"
    )


def _no_scores(rows: pl.DataFrame, best: str) -> InputError:
    return InputError(
        f"best {best!r} needs scores: a column score in rows a play and person, or one a team; "
        f"known: {column_names(rows)}"
    )


def _score_of(rows: pl.DataFrame, side: Sequence[str]) -> str | None:
    """Return the column of a team's score in rows a match."""
    team = _OF_TEAM.fullmatch(side[0])
    for name in rows.columns if team else ():
        match = _OF_TEAM.fullmatch(name)
        if team and match and match[1] == team[1] and _role(match[2]) == "score":
            return name
    return None


def _of_one_person(known: _Rows, usual: Mapping[str, str]) -> list[list[tuple[str, ...]]]:
    """Return the tables of a log in which one person wrote down whether he or she won."""
    winner, first = known.roles["winner"], usual.get("first")
    known.said("winner", f"one person's matches, won = {winner}")
    both: list[tuple[str, ...]] = [(THIS_PLAYER,), (OPPONENT,)]
    if first is None:
        return [both] * known.rows.height
    known.guessed.append(f"sat first = {first}")
    flags = [_part(value, first, row) for row, value in enumerate(known.texts(first))]
    return [both if flag else both[::-1] for flag in flags]


def _part(value: str, column: str, row: int) -> float:
    """Return the part of the win that one side has, from a word or a number."""
    text = value.casefold()
    if text in _PART:
        return _PART[text]
    try:
        part = float(text)
    except ValueError:
        part = math.nan
    if 0 <= part <= 1:
        return part
    expected = "yes or no, win, loss or draw, or the part of the win from 0 to 1"
    raise not_understood("winner", column, value, expected, row)


def _outcomes(
    known: _Rows, winner: str, kind: str, members: Sequence[Sequence[tuple[str, ...]]], most: int
) -> list[list[float]]:
    """Return the parts of the win of each side, from a column in rows a match."""
    column = known.rows[winner]
    if column.dtype == pl.List:
        values = [";".join(map(str, some)) if some else "" for some in column.to_list()]
    else:
        values = known.texts(winner)
    if kind == "result":
        return [
            _of_result(value, table, winner, row)
            for row, (value, table) in enumerate(zip(values, members, strict=True))
        ]
    names = {name for table in members for side in table for name in side}
    is_number = column.dtype.is_integer() or (
        kind in ("number", "flag") and not set(values) <= {*names, ""}
    )
    if column.dtype == pl.Boolean or (column.dtype.is_float() and is_number):
        expected = "the seat or the policy that won, in rows a match"
        raise not_understood("winner", winner, column.drop_nulls().first(), expected)
    # People count seats from 1, programs from 0.
    numbers = [int(value) for value in values if is_number and value.lstrip("-").isdecimal()]
    first = 1 if max(numbers, default=0) == most else 0
    outcomes = []
    for row, (value, table) in enumerate(zip(values, members, strict=True)):
        known_names = {} if is_number else {n: at for at, side in enumerate(table) for n in side}
        seats = {str(at + first): at for at in range(len(table))} | known_names
        parts = [value] if value in known_names else re.split(r"\s*[;/&+]\s*", value)
        nobody = (*NOBODY, "0") if is_number and first else NOBODY
        won = {part: seats.get(part) for part in parts if part.casefold() not in nobody}
        for part, seat in won.items():
            if seat is None:
                expected = (
                    f"a seat {first}…{len(table) - 1 + first} or one of the policies "
                    f"{', '.join(known_names)}; several with ; between; empty if nobody won"
                )
                raise not_understood("winner", winner, part, expected, row)
        winners = set(won.values())
        outcomes.append([(at in winners) / len(winners or "1") for at in range(len(table))])
    return outcomes


def _of_result(value: str, table: Sequence[tuple[str, ...]], winner: str, row: int) -> list[float]:
    """Return the parts of the win of two sides, from 1-0 or from what the first side has."""
    text = value.casefold().replace("–", "-").replace(":", "-")
    if text == "*":
        return [0.0] * len(table)
    if len(table) != 2:
        expected = "the winner's seat or name, where other than two sides play"
        raise not_understood("winner", winner, value, expected, row)
    if text in _OF_TWO:
        return list(_OF_TWO[text])
    if text not in _PART:
        raise not_understood("winner", winner, value, "1-0, 0-1, ½-½, or win, loss, draw", row)
    return [_PART[text], 1 - _PART[text]]


def _by_scores(
    rows: pl.DataFrame, scores: Sequence[str], members: Sequence[Sequence[object]], best: str
) -> list[list[float]]:
    values = zip(*(numbers_of(rows[name], "score").to_list() for name in scores), strict=True)
    outcomes = []
    for row, (given, table) in enumerate(zip(values, members, strict=True)):
        if None in given:
            raise not_understood("score", scores[given.index(None)], "", "a number", row)
        top = max(given) if best == "highest" else min(given)
        won = [value == top for value in given[: len(table)]]
        outcomes.append([is_won / sum(won) for is_won in won])
    return outcomes


def _measured_of_matches(
    known: _Rows, sides: int
) -> tuple[list[Measured], dict[str, list[list[float | None]]]]:
    """Return the measures, and the values of each by seat (or once, of the match)."""
    measured, values = [], {}
    for text in known.measure:
        if SEAT in text and not sides:
            continue
        names = [text.replace(SEAT, str(seat)) for seat in range(sides)] if SEAT in text else [text]
        columns = [column_of(known.rows, name, "measure") for name in names]
        is_share = SEAT not in text and columns[0].dtype == pl.Boolean
        name = text.replace(f"_{SEAT}", "").replace(SEAT, "")
        measured.append(Measured(name, seats=SEAT in text, is_share=is_share))
        values[name] = [numbers_of(column, "measure").to_list() for column in columns]
    return measured, values


def _from_totals(known: _Rows, usual: Mapping[str, str], sides: list[list[str]]) -> Tidy:
    """Convert rows that each hold the totals of wins, losses and draws of one against another."""
    if len(sides) != 2 or any(len(side) > 1 for side in sides):
        raise InputError(
            "totals of wins and losses need two columns of who played: player, opponent"
        )
    names = [known.texts(side[0]) for side in sides]
    counts = [role for role in ("wins", "losses", "draws") if role in usual]
    known.guessed.append(f"totals = {', '.join(usual[role] for role in counts)}")
    first = {"wins": 1.0, "losses": 0.0, "draws": 0.5}
    pairs = []
    for role in counts:
        for row, number in enumerate(numbers_of(known.rows[usual[role]], role).to_list()):
            if number is None or number != int(number) or not 0 <= number <= MOST_TOTAL:
                value = known.rows[usual[role]][row]
                expected = f"a whole number of matches, at most {MOST_TOTAL:,}"
                raise not_understood(role, usual[role], value, expected, row)
            pairs += [(row, first[role])] * int(number)
    pairs.sort(key=lambda pair: pair[0])
    variants = _variants(known)
    twice = [(play, row, part, seat) for play, (row, part) in enumerate(pairs) for seat in (0, 1)]
    columns = {
        "play": [play for play, _, _, _ in twice],
        "variant": [variants[row] for _, row, _, _ in twice],
        "deal": [play for play, _, _, _ in twice],
        "side": [seat for _, _, _, seat in twice],
        "policy": [names[seat][row] for _, row, _, seat in twice],
        "won": [part if seat == 0 else 1 - part for _, _, part, seat in twice],
        "place": [None] * len(twice),
    }
    return _finished(known, columns, (), {}, seated=False, is_log=True)


# ---- a row a match and seat


def _from_seats(known: _Rows, usual: Mapping[str, str], who: str) -> Tidy:
    rows, roles = known.rows, known.roles
    if "person" not in roles:
        known.said("policy", f"who played = {who}")
    deal, match, seat = roles["deal"], roles["match"], roles["seat"]
    if deal is None and match is None:
        raise InputError(
            "deal is missing: rows a match and seat need a number that its rows share; allowed: "
            f"deal= (--deal) or match= (--match), one of {column_names(rows)}"
        )
    seats = pl.DataFrame(
        {
            "variant": _variants(known),
            "deal": rows[deal or match or ""],
            "policy": [name or "–" for name in known.texts(who)],
            "at": _seat_numbers(known, seat) if seat else range(rows.height),
        }
    )
    if match is not None:
        seats = seats.with_columns(rows[match].cast(pl.String).alias("which"))
    else:
        before = pl.int_range(pl.len()).over("variant", "deal", "at")
        seats = seats.with_columns(before.cast(pl.String).alias("which"))
    first = pl.col("row").min().over("variant", "deal", "which")
    seats = seats.with_row_index("row").with_columns(
        (first.rank("dense").cast(pl.Int64) - 1).alias("play"), pl.col("row").cast(pl.Int64)
    )
    won, place = _won_of_seats(known, usual, who, seats["play"].to_list())
    seats = seats.with_columns(
        pl.Series("won", won, dtype=pl.Float64), pl.Series("place", place, dtype=pl.Float64)
    ).sort("play", "at", maintain_order=True)
    _refuse_twice(seats, "at", f"seat {seat!r} holds a seat twice")
    _refuse_twice(seats, "policy", f"policy {who!r} holds somebody twice", known, match)
    total = pl.col("won").sum().over("play")
    seats = seats.with_columns(
        pl.when(total > 0).then(pl.col("won") / total).otherwise(0.0).alias("won")
    )
    order = seats["row"]
    measured, numbers = [], {}
    for name in known.measure:
        column = column_of(rows, name, "measure")
        values = numbers_of(column, "measure").gather(order)
        of_play = pl.DataFrame({"play": seats["play"], "value": values}).group_by("play")
        alike = of_play.agg(pl.col("value").n_unique() == 1)["value"].all()
        measured.append(Measured(name, seats=not alike, is_share=column.dtype == pl.Boolean))
        numbers[name] = values
    columns = {
        **{name: seats[name] for name in ("play", "variant", "deal", "policy", "won", "place")},
        "side": seats.select(pl.int_range(pl.len()).over("play"))["literal"],
    }
    return _finished(
        known, columns, measured, numbers, seated=seat is not None, is_log="place" in known.roles
    )


def _refuse_twice(
    seats: pl.DataFrame,
    column: str,
    what: str,
    known: _Rows | None = None,
    match: str | None = None,
) -> None:
    """Refuse two rows of one match at the same seat, or of the same person without seats."""
    if known is not None and (known.roles["seat"] is not None or match is None):
        return  # copies of a policy may sit at one table
    twice = seats.filter(pl.struct("play", column).is_duplicated())
    if twice.height:
        row = twice.row(1, named=True)
        raise InputError(
            f"{what} in one match (row {row['row'] + 1:,}, deal {row['deal']!r}, variant "
            f"{row['variant']!r}); expected: each once; match= (--match) tells matches on one "
            "deal apart"
        )


def _seat_numbers(known: _Rows, seat: str) -> list[Any]:
    """Return seats: whole numbers from 0 or from 1, or names in the order of the alphabet."""
    if _kind(known.rows[seat]) == "text":
        texts = known.texts(seat)
        if not any(text.lstrip("-").isdecimal() for text in texts):
            return texts
    expected = "a whole number from 0 or 1 on"
    numbers = numbers_of(known.rows[seat], "seat").to_list()
    for row, number in enumerate(numbers):
        if number is None or number < 0 or number != int(number):
            raise not_understood("seat", seat, known.rows[seat][row], expected, row)
    return [int(number) for number in numbers]


def _won_of_seats(
    known: _Rows, usual: Mapping[str, str], who: str, plays: Sequence[int]
) -> tuple[list[float], list[float | None]]:
    """Return each seat's part of the win before it is shared, and its place where that is told."""
    winner, rows = known.roles["winner"], known.rows
    nowhere: list[float | None] = [None] * rows.height
    if winner is not None:
        known.said("winner", f"won = {winner}")
        texts, names = known.texts(winner), known.texts(who)
        if _kind(rows[winner]) == "text" and set(texts) <= {*names, *NOBODY}:
            return [float(a == b) for a, b in zip(texts, names, strict=True)], nowhere
        empty = [row for row, text in enumerate(texts) if not text]
        if empty and len(empty) < len(texts):
            raise not_understood("winner", winner, "", "yes or no at each seat", empty[0])
        return [
            _part(text, winner, row) if text else 0.0 for row, text in enumerate(texts)
        ], nowhere
    place, best, score = usual.get("place"), known.given.best, usual.get("score")
    if place is not None and best is None:
        known.guessed.append(f"place = {place}")
        known.roles["place"] = place
        known.measure = tuple(name for name in known.measure if name != place)
        values = numbers_of(rows[place], "place")
        for row, value in enumerate(values.to_list()):
            if value is None or value < 1:
                raise not_understood("place", place, rows[place][row], "a place from 1 on", row)
    elif best is not None:
        score = "score" if "score" in rows.columns else score
        if score is None:
            raise _no_scores(rows, best)
        values = numbers_of(rows[score], "score")
        values = values if best == "lowest" else -values
    elif known.measure:
        known.notes.append(
            "Who won is not told: --winner COLUMN, or --best highest or lowest of scores."
        )
        return [0.0] * rows.height, nowhere
    else:
        raise _no_winner(rows, ())
    frame = pl.DataFrame({"play": plays, "value": values})
    won = frame.select((pl.col("value") == pl.col("value").min().over("play")).cast(pl.Float64))
    return won["value"].fill_null(
        0.0
    ).to_list(), values.to_list() if place and not best else nowhere


# --- Columns and refusals -------------------------------------------------------------------------


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


def numbers_of(column: pl.Series, role: str) -> pl.Series:
    """Return a column as numbers, null where one is missing."""
    given = column
    if column.dtype == pl.String:
        given = column.str.strip_chars()
        given = given.set(given == "", None)
        flags = given.str.to_lowercase().replace({"true": "1", "false": "0"})
        given = flags
    numbers = given.cast(pl.Float64, strict=False)
    wrong = (
        (numbers.is_null() | ~numbers.is_finite().fill_null(True)) & given.is_not_null()
    ).arg_true()
    if len(wrong):
        row = int(wrong[0])
        raise not_understood(role, column.name, column[row], "numbers, or true and false", row)
    return numbers
