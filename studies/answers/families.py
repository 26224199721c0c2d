"""Families of tests, and corrections for multiple testing.

Which rows of the frame are one family is said by its column `family`; `p_holm` is always Holm's
correction over all p-values of the family. Where the estimates of a family are known by group of
deals, `low_all` and `high_all` cover all of it at once by max-T: random signs of the groups tell
how large the largest |t| becomes by chance, so that dependence between the numbers (the same deals,
shares that add up to 1) is used and not paid for.

Sources
-------
- S. Holm (1979), Scand. J. Stat. 6:65: step-down correction for many tests.
- P. H. Westfall, S. S. Young (1993), Resampling-Based Multiple Testing; J. P. Romano, M. Wolf
  (2005), J. Am. Stat. Assoc. 100:94: max-T.
- C. F. J. Wu (1986), Ann. Stat. 14:1261; R. Y. Liu (1988), Ann. Stat. 16:1696: the wild bootstrap;
  V. Chernozhukov, D. Chetverikov, K. Kato (2013), Ann. Stat. 41:2786: for maxima of many means.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import stdtr, stdtrit

Array = np.ndarray[Any, Any]

DRAWS = 3_999
MOST_AT_ONCE = 2_000
"""Numbers of a family up to which it has simultaneous intervals."""

_AT_ONCE = 500
_SEED = 20_260_801  # any; fixed, so that an answer comes out again
_NOTHING = 1e-12
_ALL_BUT_CERTAIN = 1 - 1e-12


def holm(p_values: Array) -> Array:
    """Return p-values corrected for their number by Holm's step-down method, in the same order."""
    count = len(p_values)
    order = np.argsort(p_values, kind="stable")
    stepped = np.minimum(1.0, np.asarray(p_values)[order] * np.arange(count, 0, -1))
    corrected = np.empty(count)
    corrected[order] = np.maximum.accumulate(stepped)
    return corrected


def level_at_once(influence: Array, level: float) -> float:
    """Return the level of single intervals that cover a family at once with `level`.

    Parameters
    ----------
    influence : float64[numbers, groups]
        Of groups that have deals; each row sums to 0.

    Notes
    -----
    Never below `level`. A family of one, or of two groups or fewer, has nothing to correct.
    """
    groups = influence.shape[1]
    norms = np.sqrt(np.square(influence).sum(axis=1))
    varying = norms > _NOTHING * max(1.0, float(norms.max(initial=0.0)))
    if groups < 3 or varying.sum() < 2:
        return level
    units = (influence[varying] / norms[varying, None]).astype(np.float32).T
    largest = []
    for signs in _signs(groups):
        sums = signs @ units
        # With rows of norm 1 the studentised sum is a function of the sum alone.
        spread = np.maximum(1 - np.square(sums) / groups, _NOTHING) * groups / (groups - 1)
        largest.append((np.abs(sums) / np.sqrt(spread)).max(axis=1))
    critical = float(np.quantile(np.concatenate(largest), level, method="higher"))
    critical = max(critical, float(stdtrit(groups - 1, 0.5 + level / 2)))
    # Of few deals the largest |t| may be beyond all bounds.
    return min(float(1 - 2 * stdtr(groups - 1, -critical)), _ALL_BUT_CERTAIN)


@lru_cache(maxsize=2)
def _signs(count: int) -> list[Array]:
    """Return random signs of so many groups, (draws, groups) in pieces: the same at every call."""
    generator = np.random.default_rng(_SEED)
    found = []
    for first in range(0, DRAWS, _AT_ONCE):
        size = min(_AT_ONCE, DRAWS - first)
        bits = np.unpackbits(
            generator.integers(0, 256, (size, -(-count // 8)), dtype=np.uint8), axis=1, count=count
        )
        found.append(bits * np.float32(2) - np.float32(1))
    return found
