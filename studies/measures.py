"""Measures: what is counted in every match; games, studies and users declare it in the same way.

A measure has a name, a subject (the match, or its seats and therefore policies and positions), and
an SQL expression over the columns of a match whose values are summed, relative to a whole (all
matches, the decided ones, or another sum). From it `studies.answers` derives estimates with
intervals, changes by variant, rows of the frame, plans and goals; no other code needs to know it.

This module has the built-in measures, those derived from a game's metrics, and those in a study
file (`[measures]`) or in `measures=` in Python::

    [measures]
    long = "turns > 60"                                   # a share of matches
    kept_share = { value = "kept", of = "kept + flips" }  # a ratio of two sums
    over_300 = "score_{seat} > 300"                       # by policy and by position
    swing = { value = "margin", of = "decided", meaning = "points" }

A match in which an expression is null is not counted. polars computes them on the CPU; on a GPU
`studies.answers.device_sums` reads the same text. In Python a measure may be a function instead.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from simcore.catalogue import get_game
from simcore.errors import InputError, unknown
from simcore.game import Game

if TYPE_CHECKING:
    import polars as pl

Array = np.ndarray[Any, Any]
Columns = Mapping[str, Array]
Function = Callable[["Block"], Any]
Value = Function | str | tuple[str, ...]
"""An expression, one for each seat, or a user's function."""

BASELINE = "baseline"
"""The variant with the unchanged rules."""

MATCHES, DECIDED = "matches", "decided"
"""What a measure is usually a share or a mean of."""

LENGTHS = ("plays", "turns", "tricks", "rounds")
"""Metrics of the length of a match, the most informative first."""

RESERVED = ("win_rate", "score", "another_winner", "unrelated", "in_play", "deals", "decided")
"""Names that users' measures may not have."""

COMMON_COUNTS = ("clauses", "decisions", "forced", "comeback", "last_lead_change")
"""What is counted in every game, after its metrics (as in `simcore.records`, which takes a compiler
to import)."""

ROUNDS = "rounds"
MOST_IN_A_MATCH = ("largest_", "longest_", "highest_", "best_", "most_")
"""How the names of metrics begin that are a maximum: they count no events, so have no rate."""

_SIGNED = ("best_column",)  # metrics that may be below 0
_SEAT = "{seat}"
_FAR = 1 << 29


RATE, DECIDED_LENGTH = "rate", "decided"
"""Kinds of measures: events per round, and the length of decided matches."""


class Table(Protocol):
    """Interface of a cell: of a study, of `simulate`, or of rows from another program."""

    @property
    def id(self) -> str:
        """Name of the cell, one of its kind."""
        ...

    @property
    def game(self) -> str:
        """Name of the game; empty where it is not one of ours."""
        ...

    @property
    def variant(self) -> str:
        """Name of the variant, or `BASELINE`."""
        ...

    @property
    def lineup(self) -> str:
        """Name of the line-up."""
        ...

    @property
    def point(self) -> dict[str, Any]:
        """The sweep's values here, by sweep key."""
        ...

    @property
    def options(self) -> dict[str, Any]:
        """All options, resolved."""
        ...

    @property
    def seats(self) -> tuple[str, ...]:
        """The policy of each seat at rotation 0; at rotation r seat s is held by seats[s + r]."""
        ...

    @property
    def rotations(self) -> int:
        """Matches a deal."""
        ...


def game_of(cell: Table) -> Game:
    """Return the game of a cell.

    Of a stored cell with a game of a user's file it is what the study directory says of it: reading
    results runs no file.
    """
    return getattr(cell, "described", None) or get_game(cell.game)


def is_cooperative(cell: Table) -> bool:
    """Tell whether all seats of a table win or lose together, so that it has one result."""
    return bool(cell.game) and (len(cell.seats) == 1 or game_of(cell).teams == 1)


@dataclass(frozen=True)
class Measure:
    """What is counted, and relative to what.

    Attributes
    ----------
    name : str
        The `number` of its rows in the frame.
    value : str, tuple of str, or callable
        An SQL expression over the columns of a match; with `seats` one with {seat}, or one a seat.
        Or a function from a block to an array (deals, rotations) or (deals,), numbers or booleans;
        with `seats` to a sequence of such arrays, one a seat.
    of : as `value`
        The whole; "matches" and "decided" are of all of them.
    seats : bool
        Whether it has a value per seat, and thus per policy (per seat held) and position.
    unit : int
        Values are whole numbers of 1 / `unit`.
    low, high : float or None
        Bounds of the value of one match, used where few deals are informative.
    kind : str
        Which numbers are tested together: "win_rate", "score", "metric", "rate", "decided",
        "course", "measure".
    title : str
        What the report's figure of the course of matches calls it; empty: it is not drawn.
    counted : bool
        Whether a histogram is kept, for quantiles and figures.
    """

    name: str
    value: Value
    of: Value = MATCHES
    seats: bool = False
    unit: int = 1
    low: float | None = 0.0
    high: float | None = None
    kind: str = "measure"
    meaning: str = ""
    title: str = ""
    counted: bool = False

    @property
    def is_rate(self) -> bool:
        """Whether it is a ratio of sums that other measures keep, so that it has none itself."""
        return self.kind == RATE

    @property
    def is_share(self) -> bool:
        """Whether it is displayed in per cent."""
        return self.low == 0 and self.high == 1

    def evaluate(self, block: Block) -> tuple[Any, Any]:
        """Return a block's values and their denominators; these are None for `MATCHES`."""
        value, present = block.evaluated(self.value, self.seats, self.name)
        if self.of == MATCHES:
            return value, present
        if self.of == DECIDED:
            denominator: Any = block.decided
        else:
            denominator, counted = block.evaluated(self.of, self.seats, self.name)
            denominator = _masked(denominator, counted)
        denominator = _masked(denominator, present)
        return _masked(value, denominator) if self.of == DECIDED else value, denominator


def _masked(values: Any, present: Any) -> Any:
    """Return values with 0 where they are absent; either may be a list with an array per seat."""
    if present is None:
        return values
    if isinstance(values, list) or isinstance(present, list):
        count = len(values if isinstance(values, list) else present)
        sides = (
            array if isinstance(array, list) else [array] * count for array in (values, present)
        )
        return [_masked(array, mask) for array, mask in zip(*sides, strict=True)]
    # One number per deal is the sum over its rotations.
    return values if values.ndim < present.ndim else values * present


class Block:
    """The columns of some deals: `block["turns"]` is an array of shape (deals, rotations).

    Parameters
    ----------
    cell : Table
    columns : mapping of str to array of shape (rows,)
        In the order of (match, rotation), every rotation of a deal.
    """

    def __init__(self, cell: Table, columns: Columns) -> None:
        self.cell, self.columns = cell, columns
        self.players, self.rotations = len(cell.seats), cell.rotations
        self.deals = len(columns["winners"]) // self.rotations

    def __getitem__(self, name: str) -> Array:
        if name not in self.columns:
            raise unknown("column", name, self.columns, "of a match")
        values: Array = np.asarray(self.columns[name]).reshape(self.deals, self.rotations)
        return values

    @cached_property
    def numbers(self) -> Array:
        """Number of each deal, int64[deals]."""
        numbers: Array = self["match"][:, 0].astype(np.int64)
        return numbers

    @cached_property
    def winners(self) -> Array:
        """Bit mask of the winning seats, int64[deals, rotations]; 0 where nobody wins."""
        winners: Array = self["winners"].astype(np.int64)
        return winners

    @cached_property
    def decided(self) -> Array:
        """Which matches somebody won, or where all play together: ended; bool[deals, rotations]."""
        if is_cooperative(self.cell):
            ended: Array = self.evaluated(ENDED, seats=False, name="decided")[0]
            return ended
        decided: Array = self.winners != 0
        return decided

    @cached_property
    def credit(self) -> list[Array]:
        """Each seat's share of the win, in units of 1 / `win_unit`: one array per seat."""
        return [np.take(table, self.winners) for table in credit_tables(self.players)]

    def evaluated(self, value: Value, seats: bool, name: str) -> tuple[Any, Any]:
        """Return a measure's values, and a mask of where they are present (None: everywhere)."""
        if callable(value):
            result = value(self)
            where = None
            if isinstance(result, tuple):
                result, where = result
            return self._shaped(result, seats, name), where
        if not seats:
            return self._expression(str(value), name)
        pairs = [self._expression(text, name) for text in by_seat(value, self.players)]
        values = [value for value, _ in pairs]
        everywhere = all(present is None for _, present in pairs)
        return values, None if everywhere else [
            np.ones_like(self.decided) if present is None else present for _, present in pairs
        ]

    def _shaped(self, values: Any, seats: bool, name: str) -> Any:
        if seats:
            return [self._shaped(of_seat, False, name) for of_seat in values]
        array = np.asarray(values)
        if array.shape not in ((self.deals,), (self.deals, self.rotations)):
            raise InputError(
                f"measure {name!r} returned an array of shape {array.shape}; allowed: "
                f"({self.deals}, {self.rotations}), a value a deal and rotation, or ({self.deals},)"
            )
        return array

    def _expression(self, text: str, name: str) -> tuple[Array, Array | None]:
        if isinstance(self.columns.get(text), np.ndarray):
            return self[text], None
        if _CREDIT.fullmatch(text):
            return self.credit[int(text.removeprefix("credit_"))], None
        column = self._evaluated(text, name)
        shape = (self.deals, self.rotations)
        if column.dtype.is_decimal():  # so SQL reads a number with a point
            column = column.cast(float)
        if not column.null_count():
            return column.to_numpy().reshape(shape), None
        present = column.is_not_null().to_numpy().reshape(shape)
        filled = column.fill_null(False if column.dtype == bool else 0)
        return filled.to_numpy().reshape(shape), present

    def prepare(self, measures: Sequence[Measure]) -> None:
        """Evaluate all expressions of measures at once, which takes a tenth of the time."""
        texts = {
            text: measure.name
            for measure in measures
            for part in (measure.value, measure.of)
            if not (measure.is_rate or callable(part) or part in (MATCHES, DECIDED))
            for text in (by_seat(part, self.players) if measure.seats else [str(part)])
            if text not in self.columns and not _CREDIT.fullmatch(text)
        }
        self._select(texts)

    def _evaluated(self, text: str, name: str) -> pl.Series:
        """Return the values of an expression, or of a column of rows from elsewhere."""
        import polars as pl

        if text in self.columns:
            return pl.Series(self.columns[text])
        if text not in self._values:
            self._select({text: name})
        return self._values[text]

    def _select(self, texts: Mapping[str, str]) -> None:
        """Evaluate expressions, in one query; `texts` has the measure of each."""
        import polars as pl

        parsed = {text: expression(text, name) for text, name in texts.items()}
        roots = {root: name for text, name in texts.items() for root in _roots(text)}
        stages = self._stages(roots)
        known = {*self.columns, *(name for stage in stages for name in stage)}
        for root, name in roots.items():
            if root not in known:
                raise unknown("column", root, self.columns, f"in measure {name!r}")
        every = [*texts, *(text for stage in stages for text in stage.values())]
        products = {root for text in every if "*" in text for root in _roots(text)}
        used = {root for text in every for root in _roots(text)}
        columns = {name: self.columns[name] for name in ("match", *used) if name in self.columns}
        for name in products & columns.keys():  # products of scores need the room
            if columns[name].dtype.kind in "iu":
                columns[name] = columns[name].astype(np.int64)
        query = pl.DataFrame(columns).lazy()
        for stage in reversed(stages):
            query = query.with_columns_seq(
                expression(text, "").alias(name) for name, text in stage.items()
            )
        wanted = (each.alias(f"{at}") for at, each in enumerate(parsed.values()))
        values = query.select_seq("match", *wanted).collect(optimizations=pl.QueryOptFlags.none())
        self._values |= dict(zip(texts, values.get_columns()[1:], strict=True))

    def _stages(self, roots: Collection[str]) -> list[dict[str, str]]:
        """Return what has to be derived for some names, the last first."""
        needed: set[str] = set(roots)
        stages = []
        for stage in _stages(self.players, together=is_cooperative(self.cell)):
            here = {name: stage[name] for name in stage if name in needed - self.columns.keys()}
            for text in here.values():
                needed |= _roots(text)
            stages.append(here)
        return [stage for stage in stages if stage]

    @cached_property
    def _values(self) -> dict[str, pl.Series]:
        """What was evaluated, by expression."""
        return {}


def by_seat(value: Value, players: int) -> list[str]:
    """Return the expressions of a measure of seats."""
    if isinstance(value, tuple):
        return list(value)
    return [str(value).replace(_SEAT, str(seat)) for seat in range(players)]


_CREDIT = re.compile(r"credit_\d+")
"""Each seat's share of the win, in units of 1 / `win_unit`: a column that every block has."""


@lru_cache(maxsize=64)
def _stages(players: int, *, together: bool) -> tuple[dict[str, str], ...]:
    """Return what is derived from the columns of a match, the last of what is derived before.

    The margin is the points between the winner and the best loser, 0 if a win is shared or nobody's
    (the winners' score is the best one, whichever way the game counts). No column of a game has a
    name with _ at its beginning.
    """
    seats = range(players)
    best = " + ".join(f"score_{seat} * _won_{seat}" for seat in seats)
    away = ", ".join(f"ABS(score_{seat} - _best) + _won_{seat} * {_FAR}" for seat in seats)
    scores = ", ".join(f"score_{seat}" for seat in seats)
    return (
        {"margin": f"IF(_winners = 1, LEAST({away}), 0)" if players > 1 else "0 * winners"},
        {"_best": best},
        {
            "decided": ENDED if together else "winners <> 0",
            "_winners": "BIT_COUNT(winners)",
            **{f"_won_{seat}": f"BIT_COUNT(BIT_AND(winners, {1 << seat}))" for seat in seats},
            "_range": f"GREATEST({scores}) - LEAST({scores})",
        },
    )


def derived(cell: Table) -> dict[str, str]:
    """Return what is derived from the columns of a match: name -> expression."""
    margin, best, others = _stages(len(cell.seats), together=is_cooperative(cell))
    return {**margin, **best, **others}


def course_of(players: int, columns: Collection[str]) -> str:
    """Return how often scores were recorded: tricks, rounds, or laps of the table."""
    recorded = [name for name in ("tricks", "rounds") if name in columns]
    return recorded[0] if recorded else f"(turns + {players - 1}) // {players}"


ENDED = "NOT aborted"
NOBODY_WINS = f"winners = 0 AND {ENDED}"

DERIVED = ("margin", "decided")
"""Columns that an expression may use besides those of a match."""


@lru_cache(maxsize=1024)
def expression(text: str, name: str) -> Any:
    """Return an SQL expression as polars', or refuse it."""
    import polars as pl

    try:
        if _QUERY.search(text):
            raise ValueError("it has a query in it")  # noqa: TRY301
        return pl.sql_expr(text)
    except (pl.exceptions.PolarsError, ValueError) as error:
        raise _refused(text, name, str(error).splitlines()[0]) from None


@lru_cache(maxsize=1024)
def _roots(text: str) -> frozenset[str]:
    """Return the names of the columns that an expression reads."""
    return frozenset(expression(text, "").meta.root_names())


_QUERY = re.compile(r"\b(select|from|read_\w+)\b", re.IGNORECASE)
"""Words of SQL that read tables and files."""


def _refused(text: str, name: str, why: str) -> InputError:
    return InputError(
        f"measure {name!r} = {text!r} is refused: {why}; allowed: an SQL expression of the columns "
        'of one match, as in "turns > 60"'
    )


def _tried(text: str, name: str) -> pl.Series:
    """Return the values of an expression in a few made-up matches; refuse what is not of one."""
    import polars as pl

    parsed = expression(text, name)
    columns = dict.fromkeys(parsed.meta.root_names())
    tries = {
        root: [True, False, True] if root in ("aborted", "decided") else [1, 2, 4]
        for root in columns
    }
    frame = pl.DataFrame(tries or {"match": [0, 1, 2]})
    try:
        values = frame.select(parsed.alias("value"))["value"]
        alone = pl.concat(
            frame[row : row + 1].select(parsed.alias("value"))["value"] for row in range(3)
        )
    except pl.exceptions.PolarsError as error:
        raise _refused(text, name, str(error).splitlines()[0]) from None
    if tries and not values.equals(alone):
        raise _refused(text, name, "its value depends on other matches")
    return values


def credit_tables(players: int) -> list[Array]:
    """Return each seat's share of a win, indexed by the bit mask of the winners."""
    masks = np.arange(1 << players)
    winners = np.maximum(np.bitwise_count(masks), 1).astype(np.int64)
    share = win_unit(players) // winners
    return [share * (masks >> seat & 1) for seat in range(players)]


def win_unit(players: int) -> int:
    """Return the smallest unit of a win in which the share of any number of winners is whole."""
    return math.lcm(*range(1, players + 1))


# ---- built-in measures


def _share(name: str, happens: str, meaning: str, of: str = DECIDED, title: str = "") -> Measure:
    """Return the share of matches in which something happens."""
    return Measure(name, happens, of, high=1.0, kind="course", meaning=meaning, title=title)


ABORTED = _share("aborted", "aborted", "matches without a winner", MATCHES)
WON = Measure(
    "win_rate",
    "winners <> 0",
    of=DECIDED,
    high=1.0,
    kind="win_rate",
    meaning="share of the decided matches that the table wins: all seats together",
)
NOBODY = _share("nobody", NOBODY_WINS, "matches that are lost by all", MATCHES)
SHARED_WIN = _share("shared_win", "_winners > 1", "matches won by several seats")
SCORE = Measure(
    "score", "score_{seat}", seats=True, low=None, kind="score", meaning="final score of a seat"
)
DECISIONS = (
    Measure(
        "decisions",
        "decisions",
        kind="course",
        meaning="decisions with a choice, all seats together",
    ),
    Measure(
        "forced_share",
        "forced",
        of="forced + decisions",
        high=1.0,
        kind="course",
        meaning="share of the decisions that have one legal move",
    ),
)
LED_THROUGHOUT = _share(
    "led_throughout",
    "lead_changes = 0",
    "matches won by whoever led first, without any change of lead",
    title="led throughout",
)


def drama(players: int, columns: Collection[str]) -> Iterator[Measure]:
    """Yield how a match is won, from the scores during it.

    After C. Browne (2008), Automatic Generation and Evaluation of Recombination Games (PhD thesis):
    drama as what a winner recovers from, how often and how late the lead changes.
    """
    course = course_of(players, columns)
    yield _share(
        "behind", "comeback > 0", "matches whose winner was behind", title="winner was behind"
    )
    yield Measure(
        "comeback",
        "comeback",
        of=DECIDED,
        kind="course",
        meaning="points by which the winner was behind at most",
        counted=True,
    )
    yield _share(
        "settled_by_quarter",
        f"4 * last_lead_change <= {course}",
        "matches whose lead did not change after 25% of their course",
        title="lead settled by a quarter",
    )
    yield _share(
        "settled_by_half",
        f"2 * last_lead_change <= {course}",
        "matches whose lead did not change after 50% of their course",
        title="lead settled by half",
    )
    yield _share(
        "decided_at_the_end",
        f"last_lead_change = {course}",
        "matches whose lead changed in the last round (trick, lap)",
        title="lead changed in the last round",
    )
    yield Measure(
        "margin",
        "margin",
        of=DECIDED,
        kind="course",
        meaning="points between the winner and the best of the others",
        counted=True,
    )
    if players > 2:  # of two players, margin and distance are the same
        yield _share(
            "close",
            "10 * margin <= _range",
            "matches whose margin is at most a tenth of the distance between first and last",
            title="close end",
        )
        yield _share(
            "runaway",
            "2 * margin >= _range AND _range > 0",
            "matches whose margin is at least half of the distance between first and last",
            title="runaway winner",
        )


def measures_of(
    cell: Table, own: Sequence[Measure] = (), metrics: Sequence[str] | None = None
) -> tuple[Measure, ...]:
    """Return all measures of a cell.

    Parameters
    ----------
    own : sequence of Measure
        A study's and a user's (`parse_measures`).
    metrics : sequence of str, optional
        Columns of numbers, of rows played elsewhere with `score_0`… where there are scores;
        default: the game's metrics and what every game counts.
    """
    measures = (*_built_in(cell, metrics), *own)
    names = [measure.name for measure in measures]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"measure {name!r} is refused: a number is already called so; allowed: another name"
            )
    return (*measures, *(measure for measure in _derived(measures) if measure.name not in names))


def _built_in(cell: Table, metrics: Sequence[str] | None) -> Iterator[Measure]:
    players = len(cell.seats)
    declared = game_of(cell).metrics if cell.game else ()
    meanings: dict[str, str] = {}
    if metrics is None:
        meanings = {metric.name: metric.meaning for metric in game_of(cell).metrics}
        metrics = (*meanings, *COMMON_COUNTS)
    for name in metrics:
        if name in RESERVED:
            raise InputError(f"column {name!r} is refused: a number is already called so")
    counted_each = {metric.name for metric in declared if metric.per}
    together = is_cooperative(cell)
    scored = bool(cell.game) or "score_0" in metrics
    yield from _of_results(cell, together=together, scored=scored)
    for name in metrics:
        if not name.startswith("score_") and name not in (*counted_each, *COMMON_COUNTS):
            yield Measure(
                name,
                name,
                low=None if name in _SIGNED else 0.0,
                kind="metric",
                meaning=meanings.get(name, ""),
                counted=name in LENGTHS or name == "lead_changes",
            )
    if counted_each:
        yield from _counted_each(cell)
    if "decisions" in metrics:
        yield from DECISIONS
    if "comeback" in metrics and scored and not together:
        if "lead_changes" in metrics:
            yield LED_THROUGHOUT
        yield from drama(players, metrics)


def _of_results(cell: Table, *, together: bool, scored: bool) -> Iterator[Measure]:
    """Yield who wins and with what score; of a table whose seats play together, whether it does."""
    if together:
        yield from (WON, replace(SCORE, value="score_0", seats=False, meaning="final score"))
        yield ABORTED
        return
    yield Measure(
        "win_rate",
        "credit_{seat}",
        of=DECIDED,
        seats=True,
        unit=win_unit(len(cell.seats)),
        high=1.0,
        kind="win_rate",
        meaning="share of the decided matches that a seat wins; a win of k seats gives each 1/k",
    )
    yield from (SCORE, ABORTED, SHARED_WIN) if scored else (ABORTED, SHARED_WIN)
    if cell.game and game_of(cell).may_all_lose:
        yield NOBODY


def _derived(measures: Sequence[Measure]) -> Iterator[Measure]:
    """Yield the length of decided matches, and how often events happen in a round."""
    metrics = {m.name: m for m in measures if m.kind == "metric" and not m.seats}
    length = next((name for name in LENGTHS if name in metrics), "")
    if length:
        yield replace(
            metrics[length],
            name=f"decided_{length}",
            of=DECIDED,
            kind=DECIDED_LENGTH,
            meaning=f"{metrics[length].meaning or length}, of decided matches",
            counted=False,
        )
    for name, measure in metrics.items() if ROUNDS in metrics else ():
        if name != ROUNDS and not name.startswith(MOST_IN_A_MATCH):
            meaning = f"{measure.meaning or name}, per round"
            yield Measure(f"{name}_per_round", name, of=ROUNDS, kind=RATE, meaning=meaning)


def _counted_each(cell: Table) -> Iterator[Measure]:
    """Yield measures of rule files' counts per seat and per card."""
    game = game_of(cell)
    columns_of_count: dict[tuple[str, str, str], list[str]] = {}
    for metric in game.metrics:
        if metric.per in ("seat", "card"):
            count = metric.name.rpartition("_")[0], metric.per, metric.meaning
            columns_of_count.setdefault(count, []).append(metric.name)
    for (name, per, meaning), columns in columns_of_count.items():
        if per == "seat":
            value = tuple(columns[: len(cell.seats)])
            yield Measure(name, value, seats=True, kind="metric", meaning=meaning)
            continue
        for card in sorted({card % len(columns) for card in game.deck.cards}):
            title = game.deck.name(card)
            yield Measure(
                f"{name} {title}", columns[card], kind="card", meaning=f"{meaning}: {title}"
            )


# ---- measures of a study or a user


_KEYS = ("value", "of", "low", "high", "meaning", "seats")


def parse_measures(
    tables: Mapping[str, object] | None, columns: Collection[str] = ()
) -> tuple[Measure, ...]:
    """Return the measures of `[measures]` or `measures=`.

    Parameters
    ----------
    tables : mapping of str to str, callable or mapping
        Name -> expression, function, or a table of `value` and, as they are needed, `of`, `low`,
        `high`, `meaning`, and `seats` for a function that returns an array a seat.
    columns : collection of str
        The columns that a match has; empty where they are not known yet.
    """
    return tuple(_parsed(name, value, columns) for name, value in (tables or {}).items())


def _parsed(name: str, table: object, columns: Collection[str]) -> Measure:
    if name in RESERVED or name in columns or not name.isidentifier():
        raise InputError(
            f"measure {name!r} is refused: "
            + ("it is no name" if not name.isidentifier() else "a number is already called so")
            + "; allowed: a name of letters, digits and _ that is neither a column of a match nor "
            f"one of {', '.join(RESERVED)}"
        )
    keys: dict[str, Any] = dict(table) if isinstance(table, Mapping) else {"value": table}
    for key in keys:
        if key not in _KEYS:
            raise unknown("key", key, _KEYS, f"of measure {name!r}")
    value: Any = keys.get("value")
    of = keys.get("of", MATCHES)
    for key, part in (("value", value), ("of", of)):
        if not callable(part) and not isinstance(part, str):
            raise InputError(
                f"measure {name!r}: {key} = {part!r} is refused; allowed: an SQL expression of the "
                "columns of a match, or (in Python) a function of a block"
            )
    texts = [part for part in (value, of) if isinstance(part, str)]
    seats = bool(keys.get("seats", any(_SEAT in part for part in texts)))
    expressions = [text for text in texts if text is value or text not in (MATCHES, DECIDED)]
    for text in expressions:
        _check_columns(name, text, columns)
    low, high = (_bound(name, key, keys.get(key)) for key in ("low", "high"))
    if value in expressions and low is None and high is None and all(map(_is_event, expressions)):
        low, high = 0.0, 1.0
    return Measure(
        name,
        value,
        of,
        seats=seats,
        low=low,
        high=high,
        meaning=str(keys.get("meaning", "")),
    )


def _bound(name: str, key: str, bound: object) -> float | None:
    if bound is None:
        return None
    if isinstance(bound, bool) or not isinstance(bound, int | float) or not math.isfinite(bound):
        raise InputError(f"measure {name!r}: {key} = {bound!r} is refused; allowed: a number")
    return float(bound)


def _check_columns(name: str, text: str, columns: Collection[str]) -> None:
    text = text.replace(_SEAT, "0")
    named = expression(text, name).meta.root_names()
    allowed = (*columns, *DERIVED)
    for column in named if columns else ():
        if column not in allowed:
            raise unknown("column", column, allowed, f"in measure {name!r} = {text!r}")
    _tried(text, name)


def _is_event(text: str) -> bool:
    """Return whether an expression is Boolean."""
    import polars as pl

    return _tried(text.replace(_SEAT, "0"), "").dtype == pl.Boolean


def columns_of(cell: Table, measures: Sequence[Measure], known: Sequence[str] = ()) -> list[str]:
    """Return the match columns that `studies.answers.totals.totals_of` reads.

    Parameters
    ----------
    known : sequence of str
        The available columns; a measure that is a function may read any of them.
    """
    players = len(cell.seats)
    names = ["match", "rotation", "first_seat", "winners", "aborted"]
    if cell.game:
        names += [f"score_{seat}" for seat in range(players)]
        names += [*game_of(cell).metric_names, *COMMON_COUNTS]
    else:
        names += list(known)
    for measure in measures:
        for part in (measure.value, measure.of):
            if isinstance(part, str) and part not in (MATCHES, DECIDED):
                for seat in range(players):
                    used = expression(
                        part.replace(_SEAT, str(seat)), measure.name
                    ).meta.root_names()
                    names += [name for name in used if name not in DERIVED]
    return list(dict.fromkeys(names))


@dataclass(frozen=True)
class NotRun:
    """Stands for a function of a study's file of measures, which is not run to read results."""

    identity: str

    def __call__(self, block: Block) -> Any:
        """Refuse: sums that are not stored cannot be counted."""
        del block
        raise InputError(
            f"measure {self.identity.partition(' ')[0]!r}: its sums are not stored yet, and code "
            "named in a directory is not run unless you trust it; allowed: run the study to its "
            "end, or --trust (in Python trust=True)"
        )


_DESCRIBED = ("name", "seats", "unit", "low", "high", "kind", "meaning", "counted")


def describe_measures(measures: Sequence[Measure]) -> list[dict[str, Any]]:
    """Return measures as JSON values, without the functions that count them."""
    return [
        {
            **{key: getattr(measure, key) for key in _DESCRIBED},
            "value": _identity_of(measure.value),
            "of": _identity_of(measure.of),
            "of_is_text": isinstance(measure.of, str),
        }
        for measure in measures
    ]


def read_measures(records: Sequence[Mapping[str, Any]]) -> tuple[Measure, ...]:
    """Return the measures that `describe_measures` wrote; their functions are not run."""
    return tuple(
        Measure(
            value=NotRun(str(record["value"])),
            of=str(record["of"]) if record["of_is_text"] else NotRun(str(record["of"])),
            **{key: record[key] for key in _DESCRIBED},
        )
        for record in records
    )


def identity(measures: Sequence[Measure]) -> str:
    """Return a text that identifies a study's measures, for stored totals."""
    if not measures:
        return ""
    parts = [
        (
            measure.name,
            _identity_of(measure.value),
            _identity_of(measure.of),
            measure.low,
            measure.high,
        )
        for measure in measures
    ]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _identity_of(part: Value | str) -> str:
    if isinstance(part, str):
        return part
    if known := getattr(part, "identity", ""):
        return str(known)
    code = getattr(part, "__code__", None)
    if code is None:
        return repr(part)
    return repr((code.co_code.hex(), [c for c in code.co_consts if not hasattr(c, "co_code")]))
