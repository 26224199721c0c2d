"""Whether several estimates from the same deals have one truth.

With many groups of deals a Wald test in Hotelling's form: the squared distance of the estimates
from each other, in the metric of their covariance over groups, which may be of less than full rank.
Where some estimate comes from few steps (`studies.stats.rare`), or groups are hardly more than
estimates, Bonferroni's bound on the difference of the largest and the smallest instead, which errs
to the safe side.

Sources
-------
- H. Hotelling (1931), Ann. Math. Stat. 2:360: T², and its F distribution.
- Z. Šidák (1967), J. Am. Stat. Assoc. 62:626: bounds of several means at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import fdtrc

Array = np.ndarray[Any, Any]

SPARE_GROUPS = 10
"""Groups beyond the number of differences without which the covariance is not trusted."""

_NOTHING = 1e-9


def wald_p(estimates: Array, parts: Array) -> float | None:
    """Return the p-value of "all estimates have one truth"; None where groups are too few.

    Parameters
    ----------
    estimates : array of shape (estimates,)
    parts : array of shape (estimates, groups)
        What each group adds to each, centred (`studies.stats.contrasts.Contrast.parts`).
    """
    groups = parts.shape[1]
    if groups - len(estimates) < SPARE_GROUPS:
        return None
    gaps = estimates[1:] - estimates[0]
    moved = parts[1:] - parts[0]
    covariance = moved @ moved.T * groups / (groups - 1)
    values, vectors = np.linalg.eigh(covariance)
    kept = values > _NOTHING * max(float(values[-1]), 0.0)
    rank = int(kept.sum())
    along = vectors.T @ gaps
    if not rank:
        return 0.0 if np.abs(gaps).max(initial=0.0) > 0 else 1.0
    distance = float((along[kept] ** 2 / values[kept]).sum())
    return float(fdtrc(rank, groups - rank, distance * (groups - rank) / (rank * (groups - 1))))


def pairs_of(count: int) -> int:
    """Return how many differences there are between so many estimates."""
    return count * (count - 1) // 2
