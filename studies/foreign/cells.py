"""Tidy rows as the cells of a study, or as a log of plays; rows of this laboratory as they are.

Line-ups are the policies of a match in the order of their seats, and deals that variants share pair
them. Deals that no variant shares make independent samples. The answer is made by the same
estimators as a study's (`studies.answers`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from simcore.catalogue import get_game
from simcore.errors import InputError
from studies.answers.plays import Plays, Side
from studies.answers.totals import GROUPS, seating_sum
from studies.design.cells import StudyCell
from studies.foreign.tidy import Measured, Tidy
from studies.measures import BASELINE, DECIDED, Measure, measures_of, win_unit

if TYPE_CHECKING:
    from studies.answers.totals import Totals

OWN = ("match", "rotation", "first_seat", "winners", "aborted", "score_0")
"""Columns by which rows of this laboratory are known."""

FEW = 20
"""Matches of the same people below which a log is told by plays (`studies.answers.plays`)."""

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class ExternalRows:
    """Rows from elsewhere, understood: cells, their sums, and what was summed."""

    cells: list[StudyCell]
    totals: Mapping[str, Totals]
    measures: tuple[Measure, ...]
    notes: list[str]


def read_plays(tidy: Tidy) -> Plays | None:
    """Return rows as a log of plays; None if the same people met often enough for matches.

    A log is what people write down of an evening: who sits at a table changes from play to play.
    """
    of_seats = [f"m:{measured.name}" for measured in tidy.measured if measured.seats]
    of_plays = [f"m:{measured.name}" for measured in tidy.measured if not measured.seats]
    numbers = [pl.col(of_seats).mean(), pl.col(of_plays).first()]
    people = pl.col("policy").drop_nulls()
    plays = tidy.seats.group_by("play", maintain_order=True).agg(
        pl.col("variant", "deal").first(), people.sort().alias("group"), *numbers
    )
    tables = plays.group_by("group", "variant").len()
    often = tables["group"].n_unique() == 1 or min(tables["len"].to_list()) >= FEW
    is_known = plays["group"].list.len().min() and tidy.seats["won"].sum() > 0
    if often and is_known and not tidy.is_log:
        return None
    if len(tidy.variants) > 1:
        tidy.notes.append(f"The baseline is {tidy.baseline}.")
    sides: list[list[list[str]]] = [[] for _ in range(plays.height)]
    won: list[list[float]] = [[] for _ in range(plays.height)]
    places: list[list[float]] = [[] for _ in range(plays.height)]
    last: tuple[int, int] | None = None
    rows = tidy.seats.filter(pl.col("policy").is_not_null())
    for play, side, policy, part, place in rows.select(
        "play", "side", "policy", "won", "place"
    ).iter_rows():
        if (play, side) == last:
            sides[play][-1].append(policy)
            continue
        last = play, side
        sides[play].append([policy])
        won[play].append(part)
        if place is not None:
            places[play].append(place)
    most = max(map(len, sides))
    parts = np.zeros((plays.height, most))
    for play, values in enumerate(won):
        parts[play, : len(values)] = values
    tables_of_people: list[tuple[Side, ...]] = [
        tuple(names[0] if len(names) == 1 else tuple(names) for names in table) for table in sides
    ]
    return Plays(
        plays["variant"].to_list(),
        tidy.baseline,
        tables_of_people,
        parts,
        {
            measured.name: plays[f"m:{measured.name}"].cast(pl.Float64).fill_null(np.nan).to_numpy()
            for measured in tidy.measured
        },
        plays["deal"].to_list() if tidy.has_deals else None,
        tidy.seated,
        tidy.winners,
        [tuple(of) for of in places] if any(places) else None,
    )


def understand(tidy: Tidy) -> ExternalRows:
    """Group rows into cells and sum them."""
    measures = tuple(_measure(measured) for measured in tidy.measured)
    cells: list[StudyCell] = []
    totals: dict[str, Totals] = {}
    notes = [*tidy.notes]
    baseline = tidy.baseline
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
            dealt = tidy.has_deals
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
    value = f"{measured.name}:{{seat}}" if measured.seats else measured.name
    return Measure(measured.name, value, seats=measured.seats, low=low, high=high, kind=kind)


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
    if lineup.rotations == 1 and not lineup.is_seated:
        # Policies sit anywhere, so that seats in order of policies tell nothing of positions.
        seated = summed("seat")
        sides = [(totals, seated, played)]
        if base is not None and totals.before is not None and seated.before is not None:
            sides.append((totals.before, seated.before, base))
        for target, source, rows in sides:
            for name in [name for name in target.sums if "|position " in name]:
                del target.sums[name]
            for name, sums in source.sums.items():
                if "|position " in name and "|policy " not in name:
                    target.sums[name] = sums
            target.sums |= _seatings(rows, len(lineup.seats))
    return totals


def _seatings(played: pl.DataFrame, players: int) -> dict[str, Array]:
    """Return the sums of the wins of each policy at each position, and of its decided matches."""
    unit = win_unit(players)
    decided = played.filter((pl.col("won").sum() > 0).over("play", "number"))
    sums = {}
    for (policy, seat), rows in decided.group_by("policy", "seat"):
        groups = rows["number"].to_numpy() % GROUPS
        wins = np.rint(np.bincount(groups, rows["won"].to_numpy() * unit)).astype(np.int64)
        sums[seating_sum("win_rate", str(policy), int(str(seat)))] = wins
        sums[seating_sum(DECIDED, str(policy), int(str(seat)))] = np.bincount(groups)
    return sums


def _columns(
    lineup: Lineup, measures: tuple[Measure, ...], played: pl.DataFrame, by: Sequence[str]
) -> dict[str, Any]:
    """Return match columns, with the seats sorted by these columns."""
    count = len(lineup.seats)
    played = played.sort("number", "rotation", *by)
    plays = played.gather_every(count)
    won = played["won"].to_numpy().reshape(-1, count) > 0
    winners = (won.astype(np.int64) << np.arange(count)).sum(axis=1)
    columns: dict[str, Any] = {
        "match": plays["number"].to_numpy(),
        "rotation": plays["rotation"].to_numpy(),
        "first_seat": np.zeros(len(plays), dtype=np.int64),
        "winners": winners,
        "aborted": winners == 0,
    }
    for measure in measures:
        values = played[f"m:{measure.name}"].cast(pl.Float64)
        if measure.seats:
            for seat in range(count):
                columns[f"{measure.name}:{seat}"] = values.gather_every(count, seat)
        else:
            columns[measure.name] = values.gather_every(count)
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
