"""The three records of a game's state, and what they hold in every game.

TABLE is what everybody sees, SEAT what one player holds, BOX what nobody sees. A policy is given
the TABLE and its own SEAT and nothing else, so it cannot look at what its seat may not see. Field
names must not be attributes of `numpy.record` (`size`, `round`, `view`, `item` …).
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from simcore.game import Clause, Metric
from simcore.jit import inline_kernel, note_box
from simcore.options import Option, Options

MAX_SEATS = 10
MAX_PARAMS = 16
MEMORY_WORDS = 16
SPEC_WORDS = 12

MATCH_OVER = 0
ROUND_OVER = 1
FIRST_PHASE = 2
"""Phases below this are no decisions; each game numbers its own from here."""

NO_MOVE = -2
"""Where a move is expected and there is none."""

RANDOM, BY_SPEC = 0, -1
"""In `policies`, built into the kernel: uniform random play; play as the seat's `spec` says."""

OWN_FIELDS = ("rng", "memory", "half", "coins")
"""Fields of SEAT that a decision changes: what its policy remembers, and what is left of its random
numbers, in the games that have them."""

Fields = Sequence[tuple[Any, ...]]


class Dtypes(NamedTuple):
    """The dtypes of the three records."""

    table: np.dtype[Any]
    seat: np.dtype[Any]
    box: np.dtype[Any]


def fresh(types: Dtypes) -> tuple[np.recarray, np.recarray]:
    """Return TABLE[1] and BOX[1] arrays of zeros."""
    table, box = (np.zeros(1, dtype).view(np.recarray) for dtype in (types.table, types.box))
    return table, box


COMMON_COUNTS = ("clauses", "decisions", "forced", "comeback", "last_lead_change")
"""Counted in every game, after its own metrics: bits of the clauses that came into play; decisions
with a choice; decisions with one legal move; by how many points the winner once was behind whoever
led; since which round (trick, lap) the same seats have led to the end."""

FROM_END = {name: i - len(COMMON_COUNTS) for i, name in enumerate(COMMON_COUNTS)}
"""The places of the common counts in `metrics`, counted from its end."""


def metric_places(metrics: Sequence[Metric]) -> Any:
    """Return the places of counts in `metrics` of TABLE, by name; the game's, then the common."""
    names = (*(metric.name for metric in metrics), *COMMON_COUNTS)
    return _numbers_by_name(dict(zip(names, range(len(names)), strict=True)))


def clause_bits(clauses: Sequence[Clause]) -> Any:
    """Return the bits of clauses in the count `clauses`, by name."""
    return _numbers_by_name({clause.name: 1 << bit for bit, clause in enumerate(clauses)})


def _numbers_by_name(numbers: dict[str, int]) -> Any:
    """Return numbers as a named tuple: its fields are constants in compiled code."""
    return namedtuple("Numbers", numbers)(**numbers)  # noqa: PYI024 (the names are data)


def table_dtype(metrics: int, fields: Fields) -> np.dtype[Any]:
    """Return the dtype of TABLE: the common fields first, then the game's own.

    `seat` is the seat on turn (unsigned, so that compiled code need not ask whether it is an index
    from the end), `phase` what it decides; `scores` are totals over the match so far,
    `deficits` by how many points a seat was behind the best at most (see `match`);
    `metrics` counts the game's metrics, then `COMMON_COUNTS`; `winners` is a bit mask of seats.
    """
    common: list[tuple[Any, ...]] = [
        ("phase", "i8"),
        ("players", "i8"),
        ("seat", "u4"),
        ("round_number", "i8"),
        ("first_seat", "i8"),
        ("winners", "i8"),
        ("leaders", "i8"),
        ("aborted", "i8"),
        ("illegal_move", "i8"),
        ("match_number", "i8"),
        ("scores", "i8", (MAX_SEATS,)),
        ("deficits", "i8", (MAX_SEATS,)),
        ("metrics", "i8", (metrics + len(COMMON_COUNTS),)),
    ]
    return np.dtype([*common, *fields], align=True)


def whole_fields(*names: str) -> Fields:
    """Return fields with these names that are a whole number each."""
    return [(name, "i8") for name in names]


def option_fields(options: Sequence[Option]) -> Fields:
    """Return fields of TABLE for the options that are a whole number, a word or a switch."""
    numbers = (option for option in options if option.number(option.default) is not None)
    return whole_fields(*(option.name for option in numbers if option.name != "players"))


def write_options(table: Any, options: Sequence[Option], chosen: Options) -> None:
    """Write `players` and the options that have such fields (TABLE is modified in place).

    A switch is 0 or 1, a word its place among those allowed, no number 0.
    """
    for option in options:
        number = option.number(chosen[option.name])
        if number is not None:
            table[option.name] = number


def seat_dtype(max_moves: int, fields: Fields) -> np.dtype[Any]:
    """Return the dtype of SEAT.

    `moves[:move_count]` are the legal moves once `legal_moves` was called; `params` are the
    policy's parameters, `spec` the words that say how it plays (see the game's room `spec`; 0 if
    it does not say), `memory` words that the policy may keep over the match (0 at its start),
    `rng` the seat's private random stream.
    """
    common: list[tuple[Any, ...]] = [
        ("index", "i8"),
        ("move_count", "i8"),
        ("rng", "u8", (2,)),
        ("params", "f8", (MAX_PARAMS,)),
        ("spec", "i8", (SPEC_WORDS,)),
        ("memory", "i8", (MEMORY_WORDS,)),
    ]
    return np.dtype([*common, *fields, ("moves", "i8", (max_moves,))], align=True)


def box_dtype(seat: np.dtype[Any], fields: Fields) -> np.dtype[Any]:
    """Return the dtype of BOX: the seats' records, their policies, and the random streams.

    `policies` are addresses (`jit.policy_address`), or what is built in (`RANDOM`, `BY_SPEC`);
    `key` is that of the match's streams. `aside_rng` are the streams of the seats in the mask
    `aside_seats`, in the round `aside_round`, see `match.aside_stream`.
    """
    common: list[tuple[Any, ...]] = [
        ("seats", seat, (MAX_SEATS,)),
        ("policies", "i8", (MAX_SEATS,)),
        ("seed", "u8"),
        ("key", "u8"),
        ("deal_rng", "u8", (2,)),
        ("chance_rng", "u8", (2,)),
        ("aside_rng", "u8", (MAX_SEATS, 2)),
        ("aside_seats", "i8"),
        ("aside_round", "i8"),
    ]
    box = np.dtype([*common, *fields], align=True)
    note_box(seat, box)
    return box


def dtypes_with(
    metrics: Sequence[Metric], table: Fields, seat: Fields, max_moves: int, box: Fields
) -> Dtypes:
    """Return the three records of a game with these fields of its own."""
    one = seat_dtype(max_moves, seat)
    return Dtypes(table_dtype(len(metrics), table), one, box_dtype(one, box))


@inline_kernel
def write_row(table, row, out):
    """Write the result of a match that is over to row `row` of a block's columns."""
    first_seat, winners, aborted, scores, metrics = out
    first_seat[row] = table.first_seat
    winners[row] = table.winners
    aborted[row] = table.aborted
    for seat in range(scores.shape[0]):
        scores[seat, row] = table.scores[seat]
    for i in range(metrics.shape[0]):
        metrics[i, row] = table.metrics[i]
