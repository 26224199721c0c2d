"""Statements that hold together: max-T over many means that come from the same deals.

The deals' values get random signs; the distribution of the largest t over all means tells how wide
the intervals must be to cover all at once, and how unusual the largest t seen is. Dependence
between the means (the same deals, shares that add up to 1) is used, not paid for, as it would be
under Bonferroni or Holm.

Sources
-------
- P. H. Westfall, S. S. Young (1993), Resampling-Based Multiple Testing: step-down max-T.
- J. P. Romano, M. Wolf (2005), J. Am. Stat. Assoc. 100:94: it holds the error over the family.
- C. F. J. Wu (1986), Ann. Stat. 14:1261; R. Y. Liu (1988), Ann. Stat. 16:1696: the wild bootstrap;
  V. Chernozhukov, D. Chetverikov, K. Kato (2013), Ann. Stat. 41:2786: for maxima of many means.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import stdtrit

Array = np.ndarray[Any, Any]

DRAWS = 9_999
_DRAWS_AT_ONCE = 1_000
_SEED = 20_260_801  # any; fixed, so that an answer comes out again
_MOST_KEPT = 1_024  # groups: 41 MB
_NOTHING = 1e-12


def t_values(groups: Array) -> Array:
    """Return the t-statistic of each column's total, from rows that are independent."""
    count = groups.shape[0]
    totals = groups.sum(axis=0)
    spread = np.square(groups - totals / count).sum(axis=0) * count / max(count - 1, 1)
    found: Array = np.divide(
        totals, np.sqrt(spread), out=np.zeros_like(totals, dtype=np.float64), where=spread > 0
    )
    found[(spread <= 0) & (totals != 0)] = math.inf
    return found


def critical_value(groups: Array, level: float) -> float:
    """Return c such that "estimate ± c standard errors" covers all means at once.

    Parameters
    ----------
    groups : array of shape (groups, means)
        Sums over groups of deals; groups are independent and of like size.

    Notes
    -----
    Wild bootstrap with random signs on centred sums, studentised in each draw; never below the
    t quantile of a single interval. Infinite with fewer than two groups.
    """
    return critical_values([groups], level)[0]


def critical_values(families: Sequence[Array], level: float) -> list[float]:
    """Return the critical value of each of several families, as `critical_value` does.

    Families of as many groups are drawn together, which takes hardly longer than one.
    """
    found = [_single(len(groups), level) for groups in families]
    varying = [_varying(groups) for groups in families]
    alike: dict[int, list[int]] = defaultdict(list)
    for place, columns in enumerate(varying):
        if len(columns) >= 2 and columns.shape[1] >= 2:
            alike[len(columns)].append(place)
    for places in alike.values():
        starts = np.cumsum([0, *(varying[place].shape[1] for place in places[:-1])])
        together = np.concatenate([varying[place] for place in places], axis=1)
        draws = [np.maximum.reduceat(draw, starts, axis=1) for draw in _draws(together)]
        critical = np.quantile(np.concatenate(draws), level, axis=0, method="higher")
        for place, own in zip(places, critical.tolist(), strict=True):
            found[place] = max(found[place], own)
    return found


def _single(count: int, level: float) -> float:
    """Return the t quantile of a single interval; infinite with fewer than two groups."""
    return float(stdtrit(count - 1, 0.5 + level / 2)) if count >= 2 else math.inf


def _varying(groups: Array) -> Array:
    """Return columns less their means, without those that do not vary."""
    centred: Array = groups - groups.mean(axis=0)
    scale = np.sqrt(np.square(centred).sum(axis=0))
    return centred[:, scale > _NOTHING * max(1.0, float(np.abs(groups).max(initial=0.0)))]


def step_down_p(groups: Array) -> list[float]:
    """Return p-values of "this mean is 0", corrected for all columns by step-down max-T.

    Parameters
    ----------
    groups : array of shape (groups, means)
        As in `critical_value`; under the hypothesis the signs of a row may be turned.
    """
    count, means = groups.shape
    if count < 2 or means == 0:
        return [1.0] * means
    seen = np.abs(t_values(groups))
    order = np.argsort(-seen, kind="stable")
    active = groups[:, order]
    exceeding = np.zeros(means, dtype=np.int64)
    for draw in _draws(active):
        largest = np.maximum.accumulate(draw[:, ::-1], axis=1)[:, ::-1]
        exceeding += (largest >= seen[order] * (1 - 1e-6)).sum(axis=0)
    stepped = np.maximum.accumulate((1 + exceeding) / (1 + DRAWS))
    corrected = np.empty(means)
    corrected[order] = stepped
    corrected[seen == 0] = 1.0
    return [float(p) for p in corrected]


def _draws(groups: Array) -> Iterator[Array]:
    """Yield |t| of every column under random signs of the rows: (draws, columns), in pieces."""
    count = groups.shape[0]
    norms = np.sqrt(np.square(groups).sum(axis=0))
    units = (groups / np.where(norms > 0, norms, 1.0)).astype(np.float32)
    for signs in _signs(count):
        sums = signs @ units
        # With columns of norm 1 the studentised sum is a function of the sum alone.
        spread = np.maximum(1 - np.square(sums) / count, _NOTHING) * count / (count - 1)
        yield np.abs(sums) / np.sqrt(spread)


def _signs(count: int) -> Iterable[Array]:
    """Return random signs of so many rows, (draws, rows) in pieces: the same at every call.

    They are kept for the next family where they take little room; most families of a study have as
    many groups.
    """
    return _kept_signs(count) if count <= _MOST_KEPT else _made_signs(count)


@lru_cache(maxsize=1)
def _kept_signs(count: int) -> list[Array]:
    return list(_made_signs(count))


def _made_signs(count: int) -> Iterator[Array]:
    generator = np.random.default_rng(_SEED)
    for first in range(0, DRAWS, _DRAWS_AT_ONCE):
        size = min(_DRAWS_AT_ONCE, DRAWS - first)
        bits = np.unpackbits(
            generator.integers(0, 256, (size, -(-count // 8)), dtype=np.uint8), axis=1, count=count
        )
        yield bits * np.float32(2) - np.float32(1)
