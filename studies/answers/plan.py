"""When a cell is known precisely enough, and how many deals that takes.

*Goal*: a study with `[goal] half_width` examines its cells at fixed numbers of deals (`looks`) and
never in between, and stops a cell once its intervals are narrow enough. Stopping on width depends
on the variance, not on the mean. For means the two are nearly independent, so that the ordinary
interval at the stop keeps its coverage in the limit of narrow intervals. At few deals the variance
may be underestimated by chance and end a cell too early; therefore `ADDED` values at the far end of
the range are added, and with few informative deals the interval is the one for rare events.

*Plan*: the variance of the value of a deal in a pilot gives the number of deals that a half width
or a test requires; the bounds of the number reflect how well the pilot estimates the variance.

Sources
-------
- Y. S. Chow, H. Robbins (1965), Ann. Math. Statist. 36:457: fixed-width sequential intervals, who
  add one value (their 1/n). P. W. Glynn, W. Whitt (1992), Ann. Appl. Probab. 2:180.
- G. W. Snedecor, W. G. Cochran (1989), Statistical Methods, 8th ed., section 6.14: the number at
  which a t-test has a power, t quantiles in place of normal ones.
- L. H. Shoemaker (2003), Am. Stat. 57:105: a sample variance is about chi-square with degrees of
  freedom that follow from the kurtosis, where values are not normal.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from studies.answers.estimate import LEVEL, Estimate, change, stack
from studies.answers.frame import tables_of
from studies.answers.levels import ANOTHER, Key, another, keys_of, levels
from studies.answers.special import chdtri, ndtri, stdtr, stdtrit
from studies.answers.table import Load
from studies.answers.totals import Totals
from studies.measures import BASELINE, Measure, Table, measures_of

Array = np.ndarray[Any, Any]

ADDED = 6
FEWEST = 30
"""The fewest deals to plan with: with fewer, intervals do not follow from the variance alone."""

_STEPS = (100, 125, 150, 200, 250, 300, 400, 500, 600, 800)


def looks(matches: int) -> Iterator[int]:
    """Yield the numbers of deals at which a cell may stop: ten to each power of ten."""
    for scale in itertools.accumulate(itertools.repeat(10), operator.mul, initial=1):
        for step in _STEPS:
            if step * scale >= matches:
                yield matches
                return
            yield step * scale


@dataclass(frozen=True)
class GoalState:
    """The state of a goal at a look.

    Attributes
    ----------
    narrow : bool
        Whether every interval that the goal concerns is narrow enough.
    widest : float
        Half width of the widest interval, including the added values.
    of : str
        The subject of the widest interval.
    """

    narrow: bool
    widest: float
    of: str


def goal_state(
    cell: Table,
    totals: Totals,
    half_width: float,
    *,
    level: float = LEVEL,
    measures: Sequence[Measure] | None = None,
) -> GoalState:
    """Return the state of a cell's goal at a look.

    The goal concerns the win rates of the policies (of the positions if one policy holds all
    seats) and, of a variant, their changes and how often another seat wins.

    Parameters
    ----------
    totals : Totals
        Sums over the deals up to the look; the measure "win_rate" is enough.
    """
    if measures is None:
        measures = [
            measure for measure in measures_of(cell, metrics=()) if measure.name == "win_rate"
        ]
    names, estimate = _subjects(cell, totals, "win_rate", measures, differences=False)
    if totals.before is not None:
        keys = [key for key in keys_of(cell, measures) if _is_asked(cell, key, "win_rate")]
        names += [f"win_rate of {key.who}" for key in keys]
        after = levels(totals, cell, keys, totals.used)
        estimate = stack([estimate, after, another(totals, totals.used)])
        names.append(ANOTHER)
    low, high = estimate.interval(level)
    with np.errstate(invalid="ignore", divide="ignore"):
        added = (
            math.sqrt(ADDED) * (estimate.high - estimate.low) / 2 / np.maximum(estimate.deals, 1)
        )
        spans = np.where(estimate.low < 0, added, 2 * added)
        reach = float(ndtri(0.5 + level / 2)) * spans
        widths = np.hypot((high - low) / 2, reach)
    widths = np.where(np.isfinite(widths), widths, np.inf)
    at = int(np.argmax(widths))
    return GoalState(bool(widths[at] <= half_width), float(widths[at]), names[at])


def _is_asked(cell: Table, key: Key, number: str) -> bool:
    """Return whether a key is the requested number, of policies, or of positions among equals."""
    if key.number != number:
        return False
    alone = len(set(cell.seats)) == 1
    return not key.who or key.who.startswith("position" if alone else "policy")


def _subjects(
    cell: Table, totals: Totals, number: str, measures: Sequence[Measure], *, differences: bool
) -> tuple[list[str], Estimate]:
    """Return the subjects of a number of a cell, and the estimates.

    For a variant changes; otherwise levels or, with `differences`, differences between policies.
    """
    keys = [key for key in keys_of(cell, measures) if _is_asked(cell, key, number)]
    groups = totals.used
    estimate = levels(totals, cell, keys, groups)
    names = [key.who for key in keys]
    if totals.before is not None:
        before = levels(totals.before, cell, keys, groups)
        return names, change(estimate, before, totals.rotations)
    if differences and len(keys) > 1 and len(set(cell.seats)) > 1:
        pairs = list(itertools.combinations(range(len(keys)), 2))
        first, second = [a for a, _ in pairs], [b for _, b in pairs]
        return [f"{names[a]} less {names[b]}" for a, b in pairs], estimate[first] - estimate[second]
    return names, estimate


# ---- planning


@dataclass(frozen=True)
class Need:
    """The deals that one cell needs.

    Attributes
    ----------
    of : str
        The subject in the cell that needs the most deals.
    family : int
        Number of tests that are corrected together; 1 for half widths.
    deals, low, high : float
        Deals needed, and bounds from the pilot; infinite without an estimate.
    half_width, power : float
        Achieved with the study's deals; `power` is NaN for half widths.
    seen : bool
        Whether any two deals of the pilot differ.
    """

    cell: Table
    of: str
    family: int
    deals: float
    low: float
    high: float
    half_width: float
    power: float
    seen: bool


def needs(
    cells: Sequence[Table],
    totals: Load,
    number: str,
    *,
    half_width: float | None = None,
    detect: float | None = None,
    power: float = 0.8,
    level: float = LEVEL,
    deals: int = 0,
    measures: Sequence[Measure] = (),
    metrics: Sequence[str] | None = None,
) -> list[Need]:
    """Return the deals that each cell of a study needs for a number; none if it lacks the number.

    Cells without a question are left out: A/A controls, and baselines that are only compared
    with, which need as many deals as their variants.

    Parameters
    ----------
    totals : callable
        Gives the sums of a cell in a pilot, or in a study directory.
    number : str
        "win_rate", "another_winner", "score", a metric or a user's measure.
    half_width, detect : float
        One of the two: the half width of intervals, or the effect that a test should detect.
    power : float
        Power of the test.
    level : float
        Confidence level of intervals; 1 - level is the family-wise error of tests.
    deals : int
        Deals of the study.
    measures, metrics : sequences
        As in `studies.answers.frame.answers`.
    """
    cells_of_number: list[tuple[Table, list[str], Estimate]] = []
    family = {True: 0, False: 0}
    for cell, sums in _informative_cells(cells, totals):
        every = measures_of(cell, measures, metrics)
        if number != ANOTHER:
            names, estimate = _subjects(cell, sums, number, every, differences=detect is not None)
            family[cell.variant != BASELINE] += _family(cell, number, every)
        elif sums.before is not None:
            names, estimate = [""], another(sums, sums.used)
        else:
            continue
        if names:
            cells_of_number.append((cell, names, estimate))

    def need(cell: Table, names: Sequence[str], estimate: Estimate) -> Need:
        tests = 1 if detect is None else family[cell.variant != BASELINE]
        error = (1 - level) / max(tests, 1)

        def enough(variance: float) -> float:
            if detect is not None:
                return deals_for_power(variance, detect, error, power)
            assert half_width is not None
            return deals_for_width(variance, half_width, level)

        variances = [_variance(estimate[at], level) for at in range(len(names))]
        at = max(range(len(names)), key=lambda k: (variances[k][0], variances[k][2]))
        value, low, high = variances[at]
        # No deal of the pilot differs: assume the largest variance consistent with that.
        middle = value if value > 0 else high
        return Need(
            cell=cell,
            of=names[at],
            family=tests,
            deals=enough(middle),
            low=enough(low),
            high=enough(high),
            half_width=half_width_at(middle, deals, level),
            power=math.nan if detect is None else power_at(middle, detect, deals, error),
            seen=value > 0,
        )

    return [need(*planned) for planned in cells_of_number]


def _informative_cells(cells: Sequence[Table], totals: Load) -> Iterator[tuple[Table, Totals]]:
    """Yield the cells whose deals are planned, with their sums: variants, or else the baseline."""
    for members in tables_of(cells).values():
        base = next((cell for cell in members if cell.variant == BASELINE), None)
        compared = False
        for cell in members:
            if cell is base or (base is not None and cell.options == base.options):
                continue
            sums = totals(cell)
            if sums is not None and sums.deals:
                compared |= sums.before is not None
                yield cell, sums
        if base is not None and not compared and (sums := totals(base)) is not None and sums.deals:
            yield base, sums


def _family(cell: Table, number: str, measures: Sequence[Measure]) -> int:
    """Return the number of tests that a cell contributes to the family of a number."""
    alone = len(set(cell.seats)) == 1
    policies, players = len(set(cell.seats)), len(cell.seats)
    keys = keys_of(cell, measures)
    kind = next((key.kind for key in keys if key.number == number), "")
    if kind not in ("win_rate", "score"):
        return sum(key.kind == kind for key in keys)
    if cell.variant == BASELINE:
        return players if alone else policies * (policies - 1) // 2
    return players + (0 if alone and kind == "win_rate" else policies)


def _variance(estimate: Estimate, level: float) -> tuple[float, float, float]:
    """Return the variance of the value of a deal, with its bounds."""
    deals, groups = float(estimate.deals[0]), float(estimate.groups[0])
    error = float(estimate.error[0])
    if not error > 0 or groups < 2:
        low, high = estimate.interval(level)
        reach = float(np.fmax(high - estimate.value, estimate.value - low)[0])
        room = float(estimate.high[0] - estimate.low[0])
        # The largest rate consistent with no event, each event as large as possible.
        return 0.0, 0.0, reach * room if math.isfinite(reach * room) else math.inf
    influence = estimate.influence[0][estimate.share[0] != 0]
    influence = influence - influence.mean()
    kurtosis = float(np.mean(influence**4)) / float(np.mean(influence**2)) ** 2
    freedom = 2 * groups / max(kurtosis - (groups - 3) / (groups - 1), 1e-9)
    variance = error**2 * deals
    least, most = (float(chdtri(freedom, chance)) for chance in ((1 - level) / 2, (1 + level) / 2))
    return variance, variance * freedom / least, variance * freedom / most if most else math.inf


def deals_for_width(variance: float, half_width: float, level: float = LEVEL) -> float:
    """Return the number of deals at which the interval of a mean has a half width."""
    return _least(variance, half_width, lambda free: float(stdtrit(free, 0.5 + level / 2)))


def deals_for_power(variance: float, amount: float, error: float, power: float) -> float:
    """Return the number of deals at which a two-sided t-test of level `error` detects `amount`."""
    return _least(
        variance,
        amount,
        lambda free: float(stdtrit(free, 1 - error / 2)) + float(stdtrit(free, power)),
    )


def _least(variance: float, amount: float, reach: Callable[[float], float]) -> float:
    """Return the smallest number at which `reach` standard errors are at most `amount`."""
    if not math.isfinite(variance):
        return math.inf
    count = float(FEWEST)
    for _ in range(50):  # ends after a few: quantiles of t hardly move from 30 on
        wanted = max(float(FEWEST), math.ceil(variance * (reach(count - 1) / amount) ** 2))
        if wanted == count:
            break
        count = wanted
    return count


def half_width_at(variance: float, deals: float, level: float = LEVEL) -> float:
    """Return the half width of the interval of a mean."""
    if deals < 2:
        return math.inf
    return float(stdtrit(deals - 1, 0.5 + level / 2)) * math.sqrt(variance / deals)


def power_at(variance: float, amount: float, deals: float, error: float) -> float:
    """Return the power of a two-sided t-test of level `error` against `amount` (on its side)."""
    if deals < 2:
        return 0.0
    if variance == 0:
        return 1.0
    free = deals - 1
    return float(stdtr(free, amount / math.sqrt(variance / deals) - stdtrit(free, 1 - error / 2)))
