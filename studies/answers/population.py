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

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import stdtr, stdtrit

from studies.answers.estimate import LEVEL, Estimate, mean, stack
from studies.answers.frame_builder import FrameBuilder, Place
from studies.answers.levels import ANOTHER
from studies.answers.rare_events import error_reaching

if TYPE_CHECKING:
    from studies.answers.frame import TableAnswers

Array = np.ndarray[Any, Any]

ALL_TABLES = "population"
"""The `lineup` of rows for all tables together."""

_FEWEST_PREDICTED = 3


@dataclass(frozen=True)
class Summary:
    """Means over tables; arrays of float64[numbers].

    Attributes
    ----------
    spread : τ, the standard deviation of the tables' true values.
    prediction : (low, high); NaN if there is none.
    """

    mean: Estimate
    low: Array
    high: Array
    p: Array
    spread: Array
    prediction: tuple[Array, Array]


def summary(tables: Sequence[Estimate], level: float = LEVEL) -> Summary:
    """Return the means of numbers over a random sample of tables."""
    count = len(tables)
    whole = mean(tables)
    groups = np.max([one.groups for one in tables], axis=0)
    scale = groups / np.maximum(groups - 1, 1)
    influence = [one.influence for one in tables]
    own = scale * sum(np.square(one).sum(axis=1) for one in influence) / count
    all_pairs = scale * np.square(np.sum(influence, axis=0)).sum(axis=1)
    shared = (all_pairs - own * count) / (count * (count - 1))
    scatter = np.var([one.value for one in tables], axis=0, ddof=1)
    between = np.maximum(0.0, scatter - own + shared)
    variance = np.maximum(scatter / count + shared, np.square(whole.error))
    error = np.sqrt(variance)
    few = whole.known.few

    def ends(tail: Array | float, at: Array) -> tuple[Array, Array]:
        """Return the bounds of some numbers, each with a one-sided error of `tail`."""
        tail = np.broadcast_to(np.asarray(tail, float), at.shape)
        student, value = -stdtrit(count - 1, tail), whole.value[at]
        # At error 0 numbers that vary get the whole range, others only their value.
        half = np.where(error[at] > 0, student, 0.0) * error[at]
        low, high = value - half, value + half
        nothing_varies = ~few[at] & ~(variance[at] > 0)
        low[nothing_varies] = high[nothing_varies] = np.nan
        rare = np.flatnonzero(few[at])
        if rare.size:
            # A table without events is also evidence that events are rare.
            own = at[rare]
            alone = whole.known[own].ends(tail[rare])
            scatter_of_tables = np.sqrt(between[own] / count)
            spread = np.where(scatter_of_tables > 0, student[rare], 0.0) * scatter_of_tables
            below, above = (
                np.nan_to_num(np.abs(end - whole.value[own]), nan=np.inf) for end in alone
            )
            low[rare] = np.minimum(low[rare], value[rare] - np.hypot(below, spread))
            high[rare] = np.maximum(high[rare], value[rare] + np.hypot(above, spread))
        return low, high

    every = np.arange(len(whole))
    low, high = ends((1 - level) / 2, every)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(count - 1, -np.abs(whole.value) / error)
    p = np.where((whole.value != 0) & (variance > 0), p, 1.0)
    rare = np.flatnonzero(few & (whole.value != 0))
    if rare.size:
        value = whole.value[rare]

        def reach(tail: Array, at: Array) -> Array:
            low, high = ends(tail, rare[at])
            return np.where(value[at] > 0, value[at] - low, high - value[at])

        p[rare] = np.minimum(1.0, 2 * error_reaching(reach, np.abs(value)))
    student = float(stdtrit(count - 1, 0.5 + level / 2))
    # The prediction interval always contains the interval of the mean.
    wide = student * np.sqrt(scatter + variance)
    predicted = (variance > 0) & (count >= _FEWEST_PREDICTED)
    prediction = (
        np.where(predicted, np.fmin(low, whole.value - wide), np.nan),
        np.where(predicted, np.fmax(high, whole.value + wide), np.nan),
    )
    return Summary(
        whole, *_clipped(whole, low, high), p, np.sqrt(between), _clipped(whole, *prediction)
    )


def _clipped(estimate: Estimate, low: Array, high: Array) -> tuple[Array, Array]:
    ends = np.maximum(low, estimate.low), np.minimum(high, estimate.high)
    return np.where(np.isfinite(ends[0]), ends[0], np.nan), np.where(
        np.isfinite(ends[1]), ends[1], np.nan
    )


def add(builder: FrameBuilder, tables: Sequence[TableAnswers], study: Any = None) -> None:
    """Add the mean changes by variants over the tables of a study's population."""
    drawn = getattr(study, "population", None)
    if drawn is None:
        return
    points: dict[str, list[TableAnswers]] = {}
    for table in tables:
        if table.place.lineup in drawn.names:
            points.setdefault(repr(sorted(table.place.point.items(), key=str)), []).append(table)
    for members in points.values():
        _add_levels(builder, members)
        for variant in dict.fromkeys(name for table in members for name in table.variants):
            if any(variant in table.variants and table.changed(variant) for table in members):
                _add_variant(builder, variant, [one for one in members if variant in one.variants])


def _add_levels(builder: FrameBuilder, tables: Sequence[TableAnswers]) -> None:
    """Add the game's metrics under the unchanged rules, for comparison with the changes."""
    names = [
        (key.who, key.number)
        for key in tables[0].keys
        if key.kind in ("metric", "measure") and not key.who
    ]
    if len(tables) < 2 or not names:
        return
    estimates = []
    for table in tables:
        known = [(key.who, key.number) for key in table.keys]
        estimates.append(table.level()[[known.index(named) for named in names]])
    found = summary(estimates, builder.level)
    builder.add(
        "population",
        Place(tables[0].place.point, ALL_TABLES),
        "baseline",
        names,
        found.mean,
        against=f"{len(tables)} tables",
        told=(found.low, found.high),
    )


def _add_variant(builder: FrameBuilder, variant: str, tables: Sequence[TableAnswers]) -> None:
    found = [_numbers(table, variant) for table in tables]
    # Numbers of the same tables are summarised together.
    having: dict[tuple[int, ...], list[tuple[str, str]]] = {}
    for named in dict.fromkeys(named for names, _ in found for named in names):
        where = tuple(at for at, (names, _) in enumerate(found) if named in names)
        having.setdefault(where, []).append(named)
    place = Place(tables[0].place.point, ALL_TABLES)
    for where, names in having.items():
        if len(where) < 2:
            continue
        estimates = [
            estimate[[known.index(named) for named in names]]
            for known, estimate in (found[at] for at in where)
        ]
        told = summary(estimates, builder.level)
        against = f"{len(where)} tables"
        builder.add(
            "population",
            place,
            variant,
            names,
            told.mean,
            against=against,
            family=["" if number == ANOTHER else "population" for _, number in names],
            null=0.0,
            told=(told.low, told.high),
            p=told.p,
        )
        builder.add(
            "prediction",
            place,
            variant,
            names,
            told.mean,
            against=against,
            told=told.prediction,
        )


def _numbers(table: TableAnswers, variant: str) -> tuple[list[tuple[str, str]], Estimate]:
    """Return the changes by a variant at a table; those of policies only at mixed tables."""
    shown = [
        at
        for at, key in enumerate(table.keys)
        if key.kind in ("win_rate", "score", "metric", "measure")
        and (not key.who or (key.who.startswith("policy") and not table.alone))
    ]
    names = [(table.keys[at].who, table.keys[at].number) for at in shown]
    found, moved = table.change(variant)[shown], table.moved(variant)
    if moved is None:
        return names, found
    return [*names, ("", ANOTHER)], stack([found, moved])
