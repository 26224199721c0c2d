"""A population of tables: the mean effect of a rule, and a prediction for another table.

The tables of `[population]` are a random sample, so that the unweighted mean over them is an
unbiased estimate of the mean over all tables; weights by precision would bias it towards tables
with few events, whose estimated variances are smallest. All tables play the same deals, so that
there are two sources of variation, tables and deals:

    variance of the mean = s² / k + (mean covariance of two tables),

with s² the sample variance of the k tables' estimates, which includes their estimation errors; this
is the variance for two crossed groupings. Student's t has k - 1 degrees of freedom. If few deals
are informative, the contribution of the deals follows `answers.rare_events`, and the spread of the
tables is added. The prediction interval covers the estimate of another table played on as many
deals, and a fortiori its true value: s² is not reduced by the variance due to deals, because that
is poorly known from few tables (C. Partlett, R. D. Riley 2017, Stat. Med. 36:301). With fewer than
three tables there is no prediction interval.

Sources
-------
- A. C. Cameron, J. B. Gelbach, D. L. Miller (2011), J. Bus. Econ. Stat. 29:238: variance of what
  varies by two crossed groupings.
- W. G. Cochran (1977), Sampling Techniques, 3rd ed., ch. 10: s² / k as the variance of a mean over
  drawn units that are themselves estimated.
- W. Q. Meeker, G. J. Hahn, L. A. Escobar (2017), Statistical Intervals, 2nd ed., section 4.7: the
  prediction interval of one more normal observation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from studies.answers.arrays import Arrays
from studies.answers.estimate import LEVEL, Estimate, Known, mean
from studies.answers.frame_builder import FIRST_SEAT, LENGTH, SEATS, WON, FrameBuilder
from studies.answers.levels import ANOTHER, Key
from studies.answers.rare_events import error_reaching
from studies.answers.special import stdtr, stdtrit
from studies.answers.table import Place, by_point
from studies.measures import BASELINE, LENGTHS

if TYPE_CHECKING:
    from studies.answers.table import TableAnswers

Array = np.ndarray[Any, Any]

GAME_NUMBERS = ("metric", "measure")
"""Kinds of numbers that are of the match alone."""

ALL_TABLES = "population"
"""The `lineup` of rows for all tables together."""

_FEWEST_PREDICTED = 3


@dataclass(frozen=True)
class Means(Arrays):
    """Means of numbers over tables that were drawn; arrays of one length.

    Attributes
    ----------
    known : the mean, if only the deals varied.
    tables : how many there are.
    error : standard errors, of tables and deals.
    scatter : variance of the tables' estimates.
    between : variance of the tables' true values.
    """

    known: Known
    tables: Array
    error: Array
    scatter: Array
    between: Array

    @classmethod
    def of(cls, tables: Sequence[Estimate], overall: Estimate | None = None) -> Means:
        """Summarise the mean of estimates, one per table; `overall` is the mean, if known."""
        overall = mean(tables) if overall is None else overall
        count = len(tables)
        groups = np.max([table.groups for table in tables], axis=0)
        scale = groups / np.maximum(groups - 1, 1)
        influence = [table.influence for table in tables]
        within_tables = scale * sum(np.square(table).sum(axis=1) for table in influence) / count
        all_pairs = scale * np.square(np.sum(influence, axis=0)).sum(axis=1)
        shared = (all_pairs - within_tables * count) / (count * (count - 1))
        scatter = np.var([table.value for table in tables], axis=0, ddof=1)
        between = np.maximum(0.0, scatter - within_tables + shared)
        variance = np.maximum(scatter / count + shared, np.square(overall.error))
        full = np.full(len(overall), float(count))
        return cls(overall.known, full, np.sqrt(variance), scatter, between)

    def ends(self, error: Array | float) -> tuple[Array, Array]:
        """Return the bounds, each with a one-sided error; NaN where nothing varies."""
        known, value = self.known, self.known.value
        tail = np.broadcast_to(np.asarray(error, float), value.shape)
        student = -stdtrit(self.tables - 1, tail)
        # At error 0 numbers that vary get the whole range, others only their value.
        half = np.where(self.error > 0, student, 0.0) * self.error
        half = np.where(known.few | (self.error > 0), half, np.nan)
        low, high = value - half, value + half
        rare = np.flatnonzero(known.few)
        if rare.size:
            # A table without events is also evidence that events are rare.
            alone = known[rare].ends(tail[rare])
            scatter_of_tables = np.sqrt(self.between[rare] / self.tables[rare])
            spread = np.where(scatter_of_tables > 0, student[rare], 0.0) * scatter_of_tables
            below, above = (np.nan_to_num(np.abs(end - value[rare]), nan=np.inf) for end in alone)
            low[rare] = np.minimum(low[rare], value[rare] - np.hypot(below, spread))
            high[rare] = np.maximum(high[rare], value[rare] + np.hypot(above, spread))
        return low, high

    def interval(self, level: float = LEVEL) -> tuple[Array, Array]:
        """Return the intervals of the means."""
        return self._clipped(*self.ends((1 - level) / 2))

    def p(self) -> Array:
        """Return the p-values of "the mean is 0", by inverting `ends`."""
        value = self.known.value
        with np.errstate(divide="ignore", invalid="ignore"):
            p = 2 * stdtr(self.tables - 1, -np.abs(value) / self.error)
        p = np.where((value != 0) & (self.error > 0), p, 1.0)
        rare = np.flatnonzero(self.known.few & (value != 0))
        if rare.size:

            def reach(tail: Array, at: Array) -> Array:
                here = rare[at]
                low, high = self[here].ends(tail)
                return np.where(value[here] > 0, value[here] - low, high - value[here])

            p[rare] = np.minimum(1.0, 2 * error_reaching(reach, np.abs(value[rare])))
        return p

    def prediction(self, level: float = LEVEL) -> tuple[Array, Array]:
        """Return where the estimate of another table would lie; NaN where that is not known."""
        low, high = self.ends((1 - level) / 2)
        # The prediction interval always contains the interval of the mean.
        wide = stdtrit(self.tables - 1, 0.5 + level / 2) * np.hypot(
            np.sqrt(self.scatter), self.error
        )
        predicted = (self.error > 0) & (self.tables >= _FEWEST_PREDICTED)
        value = self.known.value
        return self._clipped(
            np.where(predicted, np.fmin(low, value - wide), np.nan),
            np.where(predicted, np.fmax(high, value + wide), np.nan),
        )

    def _clipped(self, low: Array, high: Array) -> tuple[Array, Array]:
        ends = np.maximum(low, self.known.low), np.minimum(high, self.known.high)
        return np.where(np.isfinite(ends[0]), ends[0], np.nan), np.where(
            np.isfinite(ends[1]), ends[1], np.nan
        )


def add(builder: FrameBuilder, tables: Sequence[TableAnswers], study: Any = None) -> None:
    """Add the mean changes by variants over the tables of a study's population."""
    drawn = getattr(study, "population", None)
    if drawn is None:
        return
    for members in by_point(table for table in tables if table.place.lineup in drawn.names):
        rows = list(_levels(members))
        for variant in dict.fromkeys(name for table in members for name in table.variants):
            changed = [table for table in members if variant in table.variants]
            if any(table.changed(variant) for table in changed):
                rows += [*_changes(variant, changed), *_relative(variant, changed)]
        if rows:
            _add(builder, members, rows)


class _Rows(NamedTuple):
    """Numbers of a variant that the same tables have."""

    variant: str
    names: list[tuple[str, str]]
    mean: Estimate
    means: Means
    kind: str


def _rows_of(
    variant: str,
    names: list[tuple[str, str]],
    estimates: Sequence[Estimate],
    kind: str = "population",
) -> _Rows:
    mean_of_tables = mean(estimates)
    return _Rows(variant, names, mean_of_tables, Means.of(estimates, mean_of_tables), kind)


def _levels(tables: Sequence[TableAnswers]) -> Iterator[_Rows]:
    """Yield the game's metrics and the seats' win rates under the unchanged rules."""
    keys = [
        key
        for key in tables[0].keys
        if (key.kind in GAME_NUMBERS and not key.who) or _is_of_sides(key)
    ]
    names = [key.name for key in keys]
    if len(tables) < 2 or not names:
        return
    levels = (table.numbers(BASELINE, lambda key: key.name in names) for table in tables)
    yield _rows_of(BASELINE, names, [_of_names(numbers, names) for numbers in levels])


def _changes(variant: str, tables: Sequence[TableAnswers]) -> Iterator[_Rows]:
    """Yield the changes by a variant; numbers that the same tables have are grouped."""
    by_table = [table.numbers(variant, partial(_is_of_population, table)) for table in tables]
    # A number may exist only at some tables, e.g. that of a policy that sits there.
    having: dict[tuple[int, ...], list[tuple[str, str]]] = {}
    for named in dict.fromkeys(named for names, _ in by_table for named in names):
        where = tuple(at for at, (names, _) in enumerate(by_table) if named in names)
        having.setdefault(where, []).append(named)
    for where, names in having.items():
        if len(where) > 1:
            estimates = [_of_names(by_table[at], names) for at in where]
            yield _rows_of(variant, names, estimates)


def _relative(variant: str, tables: Sequence[TableAnswers]) -> Iterator[_Rows]:
    """Yield the mean of the tables' relative changes of the length.

    Tables differ in length: a rule that adds half to each changes the mean of the plays at no rate
    that the tables share.
    """
    if len(tables) < 2:
        return
    estimates = []
    for table in tables:
        at = [place for place, key in enumerate(table.keys) if _is_length(key)]
        before = table.before(table.totals(variant))[at]
        if not at or not (before.value > 0).all():
            return
        estimates.append(table.change(variant)[at] / before)
    names = [key.name for key in tables[0].keys if _is_length(key)]
    if names and all(len(estimate) == len(names) for estimate in estimates):
        yield _rows_of(variant, names, estimates, "relative")


def _add(builder: FrameBuilder, tables: Sequence[TableAnswers], rows: Sequence[_Rows]) -> None:
    """Add rows; limits and p-values of all are found at once."""
    place = Place(tables[0].place.point, ALL_TABLES)
    means = Means.stacked([row.means for row in rows])
    ends, prediction, p = means.interval(builder.level), means.prediction(builder.level), means.p()
    stop = 0
    for row in rows:
        here = slice(stop, stop := stop + len(row.names))
        count = int(row.means.tables[0])
        changed = row.variant != BASELINE
        add = partial(builder.add, place, row.variant, named=row.names, estimate=row.mean)
        added = add(
            row.kind,
            against=f"{count} tables",
            family=[_family(row, named) if changed else "" for named in row.names],
            null=0.0 if changed else None,
            ends=(ends[0][here], ends[1][here]),
            p=p[here] if changed else None,
        )
        if changed and row.kind == "population":
            ends_of_next = prediction[0][here], prediction[1][here]
            add("prediction", against=f"{count} tables", ends=ends_of_next)
        for question, names in _claimed(row, tables[0]) if count == len(tables) else ():
            at = [row.names.index(name) for name in names if name in row.names]
            null = 1 / len(tables[0].base.seats) if question == SEATS else 0.0
            interval = row.means[at].interval
            builder.claim(question, place, added[at], row.mean[at], null=null, interval=interval)


def _claimed(row: _Rows, table: TableAnswers) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield the questions whose headlines pick from a row, with the names of their numbers."""
    seats = [key.name for key in table.keys if key.is_of_seat]
    if row.variant == BASELINE:
        yield SEATS, seats
    elif row.kind == "relative":
        yield LENGTH, [("", table.length)]
    else:
        yield FIRST_SEAT, seats[:1]
        yield WON, [("", "win_rate")]


def _family(row: _Rows, named: tuple[str, str]) -> str:
    """Return the family of the test of a row; how often a variant moves the win has none."""
    if row.kind == "relative":
        return "population: relative"
    if named[1] == ANOTHER:
        return ""
    return "population: seats" if named[0].startswith("position") else "population"


def _is_length(key: Key) -> bool:
    return key.kind == "metric" and not key.who and key.number in LENGTHS


def _is_of_sides(key: Key) -> bool:
    """Whether it is the win rate of a position, or of the table where all win together."""
    return key.kind == "win_rate" and not key.who.startswith("policy")


def _is_of_population(table: TableAnswers, key: Key) -> bool:
    """Whether the mean of a number is reported; of numbers of policies at mixed tables."""
    is_of_policies = key.who.startswith("policy") and not table.alone
    if _is_of_sides(key):
        return True
    return key.kind in (*GAME_NUMBERS, "win_rate", "score") and (not key.who or is_of_policies)


def _of_names(
    numbers: tuple[list[tuple[str, str]], Estimate], names: Sequence[tuple[str, str]]
) -> Estimate:
    known, estimate = numbers
    return estimate[[known.index(name) for name in names]]
