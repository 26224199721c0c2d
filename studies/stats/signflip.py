"""Sign-flip test of paired differences, one value a deal, in a bounded amount of memory.

If with and without the variant are exchangeable within a deal, each deal's difference is as likely
to be -d as d. The p-value is the share of all 2ⁿ choices of signs whose sum is at least as far from
0 as the one seen. With differences in {-1, 0, 1} this is McNemar's exact test.

Sources
-------
- R. A. Fisher (1935), The Design of Experiments, section 21: the randomisation test of pairs.
- G. E. P. Box, S. L. Andersen (1955), J. R. Stat. Soc. B 17:1: its moments and normal limit.
- I. Pinelis (1994), Ann. Stat. 22:357: sums of random signs have tails no heavier than normal (up
  to a constant), so that the limit errs to the safe side far out.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import ndtr

Array = np.ndarray[Any, Any]

EXACT_DEALS = 256
"""Up to so many deals that differ from 0 the test is exact, if their sum is not huge."""

_ENUMERATED = 18
_MOST_STEPS = 20_000_000
_SAME = 1e-9


class SignFlip:
    """A sign-flip test fed in pieces.

    It keeps the sums of d and d², and the values other than 0 as long as they are few. Whole
    numbers are expected; they are exact below 2⁵³.
    """

    def __init__(self) -> None:
        self.total = 0.0
        self.squares = 0.0
        self._few: list[Array] | None = []
        self._count = 0
        self._p: float | None = None

    @classmethod
    def of_sums(cls, total: float, squares: float, few: Array | None) -> SignFlip:
        """Return the test of differences of which sums are known, and the values where few."""
        test = cls()
        test.total, test.squares = total, squares
        test._few = None if few is None else [few]
        return test

    def add(self, values: Array) -> None:
        """Add differences, one a deal."""
        self._p = None
        exact = np.asarray(values, dtype=np.float64)
        self.total += float(exact.sum())
        self.squares += float(np.square(exact).sum())  # np.dot would wake all of BLAS's threads
        if self._few is not None:
            other = exact[exact != 0]
            self._few.append(other)
            self._count += other.size
            if self._count > EXACT_DEALS:
                self._few = None

    @property
    def few(self) -> Array | None:
        """The differences other than 0, or None where they are more than are kept."""
        return None if self._few is None else np.concatenate([*self._few, np.zeros(0)])

    def p(self) -> float:
        """Return the two-sided p-value."""
        if self._p is None:  # it may take long, and is asked for more than once
            self._p = self._found()
        return self._p

    def _found(self) -> float:
        if self.squares == 0:
            return 1.0
        if self._few is not None:
            exact = _exact(np.concatenate(self._few))
            if exact is not None:
                return exact
        return float(2 * ndtr(-abs(self.total) / math.sqrt(self.squares)))


def sign_flip_p(values: Array) -> float:
    """Return the two-sided p-value of the sign-flip test of differences, one a deal."""
    test = SignFlip()
    test.add(values)
    return test.p()


def _exact(values: Array) -> float | None:
    """Return the p-value over all signs, or None where that would take too long."""
    seen = abs(float(values.sum()))
    sizes = np.abs(values)
    whole = sizes.astype(np.int64)
    if (whole == sizes).all():
        whole //= np.gcd.reduce(whole)
        span = int(whole.sum())
        enumerated = 1 << sizes.size if sizes.size <= _ENUMERATED else math.inf
        if span * whole.size <= min(_MOST_STEPS, enumerated):
            return _of_whole(whole, round(seen * span / float(sizes.sum())))
    if sizes.size > _ENUMERATED:
        return None
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate([sums - size, sums + size])
    return float(np.mean(np.abs(sums) >= seen - _SAME * max(1.0, seen)))


def _of_whole(sizes: Array, seen: int) -> float:
    """Return the share of all signs under which whole numbers add up to `seen` or more."""
    span = int(sizes.sum())
    # The sum is 2 h - span, where h is the sum of the sizes that keep a plus.
    ways = np.zeros(span + 1)
    ways[0] = 1.0
    reach = 0
    for size in sizes.tolist():
        moved = ways[: reach + 1].copy()
        ways[size : size + reach + 1] += moved
        reach += size
    beyond = np.abs(2 * np.arange(span + 1) - span) >= seen
    return min(1.0, math.ldexp(float(ways[beyond].sum()), -sizes.size))
