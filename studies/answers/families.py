"""Families of tests, and corrections for multiple testing.

The column `family` of the frame groups its rows into families; `p_holm` is Holm's correction over
all p-values of a family. If the estimates of a family are known by group of deals, `low_all` and
`high_all` are simultaneous intervals by max-T: random signs of the groups give the distribution of
the largest |t| under chance, so that dependence between the numbers (the same deals, shares that
sum to 1) is exploited. The corrected p-value inverts these single-step bounds.

Sources
-------
- S. Holm (1979), Scand. J. Stat. 6:65: step-down correction for many tests.
- P. H. Westfall, S. S. Young (1993), Resampling-Based Multiple Testing; J. P. Romano, M. Wolf
  (2005), J. Am. Stat. Assoc. 100:94: max-T.
- C. F. J. Wu (1986), Ann. Stat. 14:1261; R. Y. Liu (1988), Ann. Stat. 16:1696: the wild bootstrap;
  V. Chernozhukov, D. Chetverikov, K. Kato (2013), Ann. Stat. 41:2786: for maxima of many means.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from studies.answers.special import stdtr, stdtrit

Array = np.ndarray[Any, Any]

DRAWS = 3_999
MOST_AT_ONCE = 2_000
"""The largest family that gets simultaneous intervals."""

_AT_ONCE = 500
_SEED = 20_260_801  # arbitrary but fixed, so that answers are reproducible
_NOTHING = 1e-12
_ROUNDING = 1e-9


def holm(p_values: Array) -> Array:
    """Return p-values corrected for their number by Holm's step-down method, in the same order."""
    count = len(p_values)
    order = np.argsort(p_values, kind="stable")
    stepped = np.minimum(1.0, np.asarray(p_values)[order] * np.arange(count, 0, -1))
    corrected = np.empty(count)
    corrected[order] = np.maximum.accumulate(stepped)
    return corrected


@dataclass(frozen=True)
class AtOnce:
    """Correction of a family of tests for simultaneous intervals.

    The error of a single interval follows from the family-wise error by max-T or by Bonferroni,
    whichever is larger, as both control it. A corrected p-value is the family-wise error at which
    the single interval just reaches the tested value, so it never contradicts the simultaneous
    bounds.

    Attributes
    ----------
    tests : int
    largest : float64[draws]
        The largest |t| of the family in each draw of random signs, ascending; empty without draws.
    freedom : float
        Degrees of freedom of |t|.
    """

    tests: int
    largest: Array
    freedom: float

    @classmethod
    def of(cls, influence: Array) -> AtOnce:
        """Return the correction for a family.

        Parameters
        ----------
        influence : float64[numbers, groups]
            For groups that have deals; each row sums to 0.
        """
        tests, groups = influence.shape
        norms = np.sqrt(np.square(influence).sum(axis=1))
        varying = norms > _NOTHING * max(1.0, float(norms.max(initial=0.0)))
        if groups < 3 or varying.sum() < 2:
            return cls(tests, np.zeros(0), max(groups - 1.0, 1.0))
        units = (influence[varying] / norms[varying, None]).astype(np.float32).T
        largest = []
        for signs in _signs(groups):
            sums = signs @ units
            # With rows of norm 1 the studentised sum is a function of the sum alone.
            spread = np.maximum(1 - np.square(sums) / groups, _NOTHING) * groups / (groups - 1)
            largest.append((np.abs(sums) / np.sqrt(spread)).max(axis=1))
        return cls(tests, np.sort(np.concatenate(largest).astype(float)), groups - 1.0)

    def error(self, family: float) -> float:
        """Return the error of single intervals whose family-wise error is `family`."""
        single = family / max(self.tests, 1)
        if self.largest.size:
            # The critical value with the most draws beyond it that the error allows.
            beyond = math.ceil(family * (self.largest.size + 1) - _ROUNDING) - 1
            if beyond >= 1:
                critical = self.largest[-beyond]
                single = max(single, float(2 * stdtr(self.freedom, -critical)))
        return min(single, family)

    def corrected(self, p: Array) -> Array:
        """Return p-values corrected over the family (single step)."""
        p_values = np.minimum(1.0, p * self.tests)
        if self.largest.size:
            t = -stdtrit(self.freedom, np.asarray(p, float) / 2)
            below = np.searchsorted(self.largest, t - _ROUNDING * np.abs(t), side="left")
            draws = self.largest.size
            p_values = np.minimum(p_values, (draws - below + 1) / (draws + 1))
        return np.asarray(np.maximum(p_values, p))


@lru_cache(maxsize=2)
def _signs(count: int) -> list[Array]:
    """Return random signs for `count` groups, (draws, groups) in pieces, the same at every call."""
    generator = np.random.default_rng(_SEED)
    pieces = []
    for first in range(0, DRAWS, _AT_ONCE):
        size = min(_AT_ONCE, DRAWS - first)
        bits = np.unpackbits(
            generator.integers(0, 256, (size, -(-count // 8)), dtype=np.uint8), axis=1, count=count
        )
        pieces.append(bits * np.float32(2) - np.float32(1))
    return pieces
