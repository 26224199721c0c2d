"""Rows from a spreadsheet, another program, or an exported study, as cells with their sums.

A row is a match, or a match and seat. What the columns are is said by name; everything else follows
from the values: line-ups are the policies of a match in the order of their seats, and deals that
variants share pair them. Deals that no variant shares make independent samples. The answer is made
by the same estimators as a study's (`studies.answers`).
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from simcore.errors import InputError
from simcore.game import get_game
from studies.answers.plays import Plays
from studies.answers.totals import GROUPS
from studies.design.cells import StudyCell
from studies.design.document import shorten
from studies.measures import BASELINE, Measure, measures_of
from studies.operations.sheets import (
    SEAT,
    USUAL_RULES,
    Columns,
    column_names,
    column_of,
    nearest_words,
    not_understood,
    numbers_of,
    recognised,
    texts_of,
)

if TYPE_CHECKING:
    from studies.answers.totals import Totals

OWN = ("match", "rotation", "first_seat", "winners", "aborted", "score_0")
"""Columns by which rows of this laboratory are known."""

MOST_SEATS = 12
_NOBODY = ("", "none", "nobody")
_YES, _NO = ("true", "yes", "1", "won", "win"), ("false", "no", "0", "lost", "loss", "")

Array = np.ndarray[Any, Any]


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
    columns : Columns
        Which column holds what.
    notes : list of str
        What was taken for granted.
    seated : bool
        Whether the order of policies is that of their seats.
    winners : list of str or None
        Who won each match, for rows without policies.
    """

    seats: pl.DataFrame
    measured: tuple[Measured, ...]
    columns: Columns
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

    cells: list[StudyCell]
    totals: Mapping[str, Totals]
    measures: tuple[Measure, ...]
    notes: list[str]


FEW = 20
"""Matches of the same people below which a log is told by plays (`studies.answers.plays`)."""


def tidied(rows: pl.DataFrame, given: Columns) -> Tidy:
    """Convert rows to the tidy form."""
    if not rows.height:
        raise InputError("there are no rows; allowed: one row or more")
    rows, columns, notes = recognised(rows, given)
    for name in columns.measure:
        if SEAT not in name and name in rows.columns and rows[name].dtype == pl.String:
            rows = rows.with_columns(numbers_of(rows[name], "measure"))
    keys = columns.seat or columns.deal or columns.match
    is_by_seat = columns.policy in rows.columns and keys
    tidy = (_from_seats if is_by_seat else _from_matches)(rows, columns, notes)
    most = tidy.seats.group_by("play").len()["len"].max()
    assert isinstance(most, int)
    if most > MOST_SEATS:
        raise InputError(f"a match of {most} players is refused; allowed: at most {MOST_SEATS}")
    return tidy


def read_plays(tidy: Tidy) -> Plays | None:
    """Return rows as a log of plays; None if the same people met often enough for matches.

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
        plays["deal"].to_list() if tidy.columns.deal else None,
        tidy.seated,
        tidy.winners,
    )


def understand(tidy: Tidy) -> ExternalRows:
    """Group rows into cells and sum them."""
    measures = tuple(_measure(measured) for measured in tidy.measured)
    cells: list[StudyCell] = []
    totals: dict[str, Totals] = {}
    notes = [*tidy.notes]
    baseline = _baseline(tidy)
    if baseline != BASELINE:
        notes.append(f"The baseline is {baseline}.")
    for number, lineup in enumerate(_lineups(tidy)):
        base = lineup.of(baseline)
        for variant in sorted(tidy.variants, key=lambda name: name != baseline):
            played = lineup.of(variant)
            if played.height and not base.height:
                notes.append(f"{variant} has no matches of {baseline} at line-up {lineup.name}.")
            if not played.height or not base.height:
                continue
            cell = _cell(f"{number}-{variant}", lineup, variant, baseline)
            cells.append(cell)
            if variant == baseline:
                totals[cell.id] = _summed(lineup, cell, measures, played)
                continue
            dealt = tidy.columns.deal is not None
            totals[cell.id], note = _compared(lineup, cell, measures, played, base, dealt=dealt)
            notes += [f"{variant}: {note}"] if note else []
    if not cells:
        raise InputError(
            f"variant {baseline!r}, the baseline, shares no line-up with another; allowed: "
            "variants that were played by the same policies"
        )
    return ExternalRows(cells, totals, measures, list(dict.fromkeys(notes)))


def _cell(name: str, lineup: Lineup, variant: str, baseline: str) -> StudyCell:
    """Return the cell of a variant at a line-up, of no game."""
    if variant == baseline:
        variant = BASELINE
    elif variant == BASELINE:
        variant = f"{BASELINE} of the rows"  # another one is the baseline
    return StudyCell(
        id=name,
        game="",
        variant=variant,
        lineup=lineup.name,
        point={},
        options={"variant": variant},
        seats=lineup.seats,
        rotations=lineup.rotations,
        seed=0,
    )


def _baseline(tidy: Tidy) -> str:
    variants, baseline = tidy.variants, tidy.columns.baseline
    if baseline is None:
        usual = [name for name in variants if name.casefold() in USUAL_RULES]
        return BASELINE if BASELINE in variants else (*usual, *variants)[0]
    if baseline not in variants:
        raise InputError(
            f"baseline {baseline!r} is no value of variant "
            f"{tidy.columns.variant!r}{nearest_words(baseline, variants)} known: "
            f"{shorten(', '.join(variants), 400)}"
        )
    return baseline


# --- One row a match and seat ---------------------------------------------------------------------


def _variants(rows: pl.DataFrame, columns: Columns) -> list[str]:
    return texts_of(rows, columns.variant) if columns.variant else [BASELINE] * rows.height


def _from_matches(rows: pl.DataFrame, columns: Columns, notes: list[str]) -> Tidy:
    """Convert rows with one match each."""
    policies = _policy_columns(rows, columns)
    plays = pl.DataFrame(
        {
            "play": range(rows.height),
            "variant": _variants(rows, columns),
            "deal": range(rows.height) if columns.deal is None else rows[columns.deal],
        }
    )
    measured = []
    for text in columns.measure:
        is_share = SEAT not in text and column_of(rows, text, "measure").dtype == pl.Boolean
        name = text.replace(f"_{SEAT}", "").replace(SEAT, "")
        measured.append((text, Measured(name, seats=SEAT in text, is_share=is_share)))
    at_seats = []
    for seat, column in enumerate(policies or [None]):
        policy = pl.lit(None, pl.String) if column is None else rows[column].cast(pl.String)
        numbers = {
            f"m:{measure.name}": numbers_of(
                column_of(rows, text.replace(SEAT, str(seat)), "measure"), "measure"
            )
            for text, measure in measured
            if policies or not measure.seats
        }
        at_seats.append(plays.with_columns(seat=seat, policy=policy, **numbers))
    seats = pl.concat(at_seats).sort("play", "seat")
    without = pl.col("policy").is_null().all().over("play") & (pl.col("seat") == 0)
    seats = seats.filter(pl.col("policy").is_not_null() | without)
    seats = seats.with_columns(pl.int_range(pl.len()).over("play").alias("seat"), won=0.0)
    if columns.winner is not None and policies:
        seats = _with_winners(seats, rows[columns.winner], len(policies))
    unknown = seats["policy"].is_null().all()
    winners = texts_of(rows, columns.winner) if columns.winner and unknown else None
    of_plays = tuple(measure for _, measure in measured if policies or not measure.seats)
    return Tidy(seats, of_plays, columns, notes, winners=winners)


def _policy_columns(rows: pl.DataFrame, columns: Columns) -> list[str]:
    text = columns.policy
    if text is None:
        return []
    if SEAT in text:
        seats = itertools.takewhile(
            rows.columns.__contains__, (text.replace(SEAT, str(seat)) for seat in itertools.count())
        )
        policies = list(seats) or [text.replace(SEAT, "0")]
    else:
        policies = [name.strip() for name in text.split(",")]
    for name in policies:
        column_of(rows, name, "policy")
    if len(policies) == 1 and SEAT not in text:
        raise InputError(
            f"policy {text!r} is one column, so rows are a match and seat, and seat is missing; "
            f"allowed: seat= (--seat), or a policy a seat, as in 'policy_{SEAT}' or A,B,…"
        )
    return policies


def _with_winners(seats: pl.DataFrame, column: pl.Series, most: int) -> pl.DataFrame:
    """Add each seat's share of the win, from a column of winning seats or policies.

    Whole numbers are seats, from 1 where the highest is the number of seats, `most`.
    """
    if column.dtype == pl.Boolean or column.dtype.is_float():
        expected = "the seat or the policy that won, in rows a match"
        raise not_understood("winner", column.name, column.drop_nulls().first(), expected)
    players = seats.group_by("play", maintain_order=True).agg("policy")["policy"].to_list()
    winners = pl.DataFrame({"play": range(len(column)), "part": column})
    is_number = column.dtype.is_integer()
    if is_number:
        first = 1 if column.max() == most else 0  # people count seats from 1
        winners = winners.filter(pl.col("part") >= first).with_columns(pl.col("part") - first)
    elif column.dtype != pl.List:
        winners = winners.with_columns(pl.col("part").cast(pl.String))
        several = (
            pl.col("part").str.strip_chars().str.replace_all(r"\s*[;/&+]\s*", ";").str.split(";")
        )
        winners = winners.with_columns(policies=pl.Series(players))
        is_policy = pl.col("part").is_in(pl.col("policies"))
        winners = winners.with_columns(
            pl.when(is_policy).then(pl.concat_list("part")).otherwise(several).alias("part")
        )
    if winners["part"].dtype == pl.List:
        winners = winners.select("play", pl.col("part").cast(pl.List(pl.String))).explode("part")
        winners = winners.drop_nulls().filter(~pl.col("part").str.to_lowercase().is_in(_NOBODY))
    parts = winners.with_row_index("nth").with_columns(
        (pl.lit(None) if is_number else pl.col("part")).cast(pl.String).alias("name"),
        pl.col("part").cast(pl.Int64, strict=False).alias("at"),
    )
    by_name = parts.join(seats, left_on=["play", "name"], right_on=["play", "policy"])
    others = parts.join(by_name, on="nth", how="anti")
    numbered = others.join(seats, left_on=["play", "at"], right_on=["play", "seat"])
    wrong = others.join(numbered, on="nth", how="anti").sort("nth")
    if wrong.height:
        place, part = wrong["play"][0], wrong["part"][0]
        raise not_understood(
            "winner",
            column.name,
            part,
            f"a seat 0…{len(players[place]) - 1} or one of the policies "
            f"{', '.join(players[place])}; several with ; between; empty if nobody won",
            place,
        )
    won = pl.concat(
        [by_name.select("play", "seat"), numbered.select("play", pl.col("at").alias("seat"))]
    ).unique()
    won = won.with_columns((1 / pl.len().over("play")).alias("won"))
    return (
        seats.drop("won")
        .join(won, on=["play", "seat"], how="left", maintain_order="left")
        .with_columns(pl.col("won").fill_null(0.0))
    )


def _from_seats(rows: pl.DataFrame, columns: Columns, notes: list[str]) -> Tidy:
    """Convert rows with one match and seat each."""
    won = [0.0] * rows.height
    if columns.winner is not None:
        values = enumerate(rows[columns.winner].to_list())
        won = [_part_of_win(value, columns.winner, row) for row, value in values]
    seats = pl.DataFrame(
        {
            "variant": _variants(rows, columns),
            "seat": rows[columns.seat] if columns.seat else pl.int_range(rows.height, eager=True),
            "policy": rows[columns.policy or ""].cast(pl.String).fill_null("–"),
            "won": won,
            **{f"m:{name}": column_of(rows, name, "measure") for name in columns.measure},
        }
    )
    if columns.deal is None and columns.match is None:
        raise InputError(
            "deal is missing: rows a match and seat need a number that its rows share; allowed: "
            f"deal= (--deal) or match= (--match), one of {column_names(rows)}"
        )
    seats = seats.with_columns(rows[columns.deal or columns.match or ""].alias("deal"))
    if columns.match is not None:
        seats = seats.with_columns(rows[columns.match].cast(pl.String).alias("which"))
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
            f"seat {columns.seat!r} holds a seat twice in one match (deal {row['deal']!r}, variant "
            f"{row['variant']!r}); expected: each seat once; match= (--match) tells matches on one "
            "deal apart"
        )
    measured = []
    for name in columns.measure:
        column = f"m:{name}"
        alike = seats.group_by("play").agg(pl.col(column).n_unique() == 1)[column].all()
        is_share = seats[column].dtype == pl.Boolean
        measured.append(Measured(name, seats=not alike, is_share=is_share))
    total = pl.col("won").sum().over("play")
    return Tidy(
        seats.with_columns(
            pl.int_range(pl.len()).over("play").alias("seat"),
            pl.when(total > 0).then(pl.col("won") / total).otherwise(0.0).alias("won"),
            *(numbers_of(seats[f"m:{name}"], "measure") for name in columns.measure),
        ),
        tuple(measured),
        columns,
        notes,
        seated=columns.seat is not None,
    )


def _part_of_win(value: Any, name: str, row: int) -> float:
    if value is None or value != value:
        return 0.0
    if isinstance(value, int | float) and 0 <= value <= 1:
        return float(value)
    text = str(value).strip().lower()
    if text in _YES:
        return 1.0
    if text in _NO:
        return 0.0
    expected = "yes or no, or the part of the win from 0 to 1, a seat"
    raise not_understood("winner", name, value, expected, row)


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
    try:
        ordered = sorted(set(deals))
    except TypeError:
        ordered = sorted(dict.fromkeys(deals), key=str)
    numbers = {deal: number for number, deal in enumerate(ordered)}
    seats = tidy.seats.with_columns(
        pl.Series("number", [numbers[deal] for deal in deals]),
        pl.col("policy").sort().str.join("\n").over("play").alias("group"),
    )
    further = GROUPS * ((len(numbers) - 1) // GROUPS + 1)
    return [_lineup(group, further) for group in seats.partition_by("group", maintain_order=True)]


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
    low, high = (0.0, 1.0) if measured.is_share else (None, None)
    kind = "score" if measured.name == "score" else "measure"
    value = partial(_values, measured.name, seats=measured.seats)
    return Measure(measured.name, value, seats=measured.seats, low=low, high=high, kind=kind)


def _values(name: str, block: Any, *, seats: bool) -> Any:
    """Return the values of a match or of its seats, and which are known unless all are."""
    names = [f"{name}:{seat}" for seat in range(block.players)] if seats else [name]
    values = [block[column] for column in names]
    are_known = [np.isfinite(numbers) for numbers in values]
    if all(known.all() for known in are_known):
        return values if seats else values[0]
    filled = [np.where(t, v, 0.0) for v, t in zip(values, are_known, strict=True)]
    return (filled, are_known) if seats else (filled[0], are_known[0])


def _compared(
    lineup: Lineup,
    cell: StudyCell,
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
    cell: StudyCell,
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
    """Return match columns, with the seats sorted by these columns."""
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
    """Whether rows come from `Results.rows`, including the columns of their cells."""
    return {*OWN, "cell", "game", "variant", "lineup", "seat_0", "rotations"} <= set(rows.columns)


def cells_of_rows(rows: pl.DataFrame) -> tuple[list[StudyCell], dict[str, pl.DataFrame]]:
    """Return the cells of rows of `Results.rows`, and the matches of each."""
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
