"""How much of "the winners differ" is the coupling's: its floor and its value on other cards.

The share of matches in which the winners differ depends on how the two matches of a deal are tied
together. Their two distributions of winners alone allow no less than the total variation distance
between them (the floor: the maximal coupling, W. Doeblin 1938; T. Lindvall 2002, Lectures on the
Coupling Method, ch. I.5), and give 1 - Σ p q if the two matches share nothing.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import Any

import numpy as np

from studies.stats.groups import GroupCounts, group_of
from studies.stats.intervals import Interval

Array = np.ndarray[Any, Any]

_DRAWS = 999
_SEED = 20_260_802


class Overlap:
    """Distributions of winners with and without a variant, by rotation and group of deals."""

    def __init__(self, players: int, rotations: int) -> None:
        self.rotations = rotations
        self._masks = 1 << players
        self._sides = [GroupCounts(rotations << players) for _ in range(2)]

    def add(self, first: int, before: Array, after: Array) -> None:
        """Add deals numbered from `first`; winners have the shape (deals, rotations)."""
        groups = np.broadcast_to(group_of(first, len(before))[:, None], before.shape)
        kinds = np.arange(self.rotations, dtype=np.int64) * self._masks
        for side, winners in zip(self._sides, (before, after), strict=True):
            side.add(groups, kinds + winners)

    def describe(self, level: float, differ: float = 1.0) -> tuple[Interval, Interval]:
        """Return floor and independent value, with their intervals.

        Parameters
        ----------
        differ : float
            Upper bound of the share of matches whose winners differ, which the floor is below.

        Notes
        -----
        Both are resampled with normal multipliers of the groups of deals. The independent value is
        flat where all win equally often; there its second-order term decides, so that the absolute
        values of both terms are added up. The floor is not smooth where the two distributions
        touch; its interval adds and subtracts a quantile of half the L1 distance between the two
        differences of distributions, seen and resampled, by which the floor moves at most. It is
        therefore wide rather than narrow.
        """
        kinds = sorted({*self._sides[0].columns, *self._sides[1].columns})
        (p, change_p), (q, change_q) = (
            _resampled(side.aligned(kinds).tobytes(), len(kinds), self.rotations)
            for side in self._sides
        )
        floor = float(np.abs(p - q).sum()) / 2 / self.rotations
        independent = float(1 - (p * q).sum() / self.rotations)
        if not len(change_p):
            return Interval(floor, 0.0, 1.0), Interval(independent, 0.0, 1.0)
        shift = np.abs(change_p @ q + change_q @ p) + np.abs((change_p * change_q).sum(axis=1))
        reach = float(np.quantile(shift, level)) / self.rotations
        apart = np.abs(change_q - change_p).sum(axis=1) / 2 / self.rotations
        wide = float(np.quantile(apart, level))
        highest = floor + wide if wide > 0 else differ
        return (
            Interval(floor, max(0.0, floor - wide), max(floor, min(differ, highest))),
            Interval(independent, max(0.0, independent - reach), min(1.0, independent + reach)),
        )


@lru_cache(maxsize=2)
def _resampled(counts: bytes, kinds: int, rotations: int) -> tuple[Array, Array]:
    """Return the share of each kind in each rotation, and resampled changes of it: (draws, kinds).

    Those of a baseline are kept while its variants are compared with it. No draws below two groups.

    Parameters
    ----------
    counts : bytes
        int64[groups, kinds], in the order of C.
    """
    seen = np.frombuffer(counts, dtype=np.int64).reshape(-1, kinds).astype(np.float64)
    seen = seen[seen.sum(axis=1) > 0]
    matches = seen.sum() / rotations
    share = seen.sum(axis=0) / matches
    groups = len(seen)
    if groups < 2:
        return share, np.zeros((0, kinds))
    moved = (seen - seen.sum(axis=1, keepdims=True) / rotations * share) / matches
    multipliers = _multipliers(groups)
    return share, (multipliers @ moved.astype(np.float32)).astype(np.float64)


@cache
def _multipliers(groups: int) -> Array:
    """Return normal multipliers of shape (draws, groups), of two groups or more."""
    generator = np.random.default_rng(_SEED)
    drawn: Array = generator.standard_normal((_DRAWS, groups), dtype=np.float32)
    return drawn * np.float32(math.sqrt(groups / (groups - 1)))
