"""Match rows joined with their cells, and one row per match and seat."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

from simcore.errors import InputError
from studies.design.cells import StudyCell

_SEAT = ("seat", "position", "policy", "score", "rank", "won")


def with_winner_seats(matches: pl.LazyFrame) -> pl.LazyFrame:
    """Return rows with `winner_seats` after `winners`: the same as a list of seats."""
    names = matches.collect_schema().names()
    most = sum(name.startswith("score_") and name[6:].isdecimal() for name in names)
    winners = pl.concat_list(
        pl.when(_is_winner(seat)).then(pl.lit(seat, pl.UInt8)) for seat in range(most)
    ).list.drop_nulls()
    place = names.index("winners") + 1
    return matches.with_columns(winners.alias("winner_seats")).select(
        *names[:place], "winner_seats", *names[place:]
    )


def no_rows(results: object) -> InputError:
    """Return the refusal of rows where only sums were kept."""
    return InputError(
        f"{results} keeps sums instead of matches (rows = false), so there are no rows; "
        "allowed: rows = true"
    )


def seats_of(matches: pl.LazyFrame, cells: Sequence[StudyCell]) -> pl.LazyFrame:
    """Return one row per match and seat, from one row per match joined with its cell."""
    most = max(cell.players for cell in cells)
    owners = pl.LazyFrame(
        [
            (cell.id, rotation, seat, cell.seats[(seat + rotation) % cell.players])
            for cell in cells
            for rotation in range(cell.rotations)
            for seat in range(cell.players)
        ],
        schema={"cell": pl.String, "rotation": pl.Int8, "seat": pl.Int8, "policy": pl.String},
        orient="row",
    )
    # An option that is named like a metric has another name here, so what stands after the metrics
    # is the cell's.
    names = matches.collect_schema().names()
    of_match = {"cell", "match", "rotation", "aborted"}
    after = names.index("game")
    of_cell = [
        name
        for place, name in enumerate(names)
        if name in of_match or (place >= after and not re.fullmatch(r"seat_\d+", name))
    ]
    players, first = pl.col("players").cast(pl.Int16), pl.col("first_seat").cast(pl.Int16)
    lists = {
        "seat": [pl.lit(seat, pl.Int8) for seat in range(most)],
        "position": [((seat - first + players) % players).cast(pl.Int8) for seat in range(most)],
        "score": [pl.col(f"score_{seat}") for seat in range(most)],
        "rank": _ranks(most),
        "won": _wins(most),
    }
    return (
        matches.select(
            *of_cell,
            *(pl.concat_list(values).alias(name) for name, values in lists.items()),
        )
        .explode(*lists)
        .filter(pl.col("seat") < pl.col("players"))
        .join(owners, on=["cell", "rotation", "seat"], how="left", maintain_order="left")
        .select(*of_cell, *_SEAT)
    )


def _is_winner(seat: int) -> pl.Expr:
    return (pl.col("winners").cast(pl.Int32) // (1 << seat)) % 2 == 1


def _wins(most: int) -> list[pl.Expr]:
    """Return each seat's part of the win: 1/k of k winners; null where the match was aborted."""
    winners = pl.sum_horizontal(_is_winner(seat).cast(pl.Int32) for seat in range(most))
    share = pl.max_horizontal(winners, 1)  # 0 where all lose
    return [
        pl.when(~pl.col("aborted") | (winners > 0)).then(_is_winner(seat).cast(pl.Float64) / share)
        for seat in range(most)
    ]


def _ranks(most: int) -> list[pl.Expr]:
    """Return each seat's final rank, by how far its score is from the winners'; ties share places.

    Null where nobody won.
    """
    scores = [pl.col(f"score_{seat}").cast(pl.Int64) for seat in range(most)]
    best = pl.max_horizontal(
        pl.when(_is_winner(seat)).then(score) for seat, score in enumerate(scores)
    )
    behind = [(score - best).abs() for score in scores]
    return [
        pl.when(best.is_not_null()).then(
            pl.sum_horizontal((other < distance).cast(pl.Float64) for other in behind)
            + (pl.sum_horizontal((other == distance).cast(pl.Float64) for other in behind) + 1) / 2
        )
        for distance in behind
    ]
