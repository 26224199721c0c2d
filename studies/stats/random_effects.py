"""Random effects: one effect at several tables, as a draw from all tables that might be met.

y_i = mean + u_i + e_i: what an effect is at table i is spread around its mean with standard
deviation tau, and is seen with a sampling error whose covariance S over the tables is known.
Tables that play the same deals have errors that go together; S says so, and with a diagonal S all
below is what the sources write.

- tau² by Paule and Mandel: that at which the weighted sum of squares Q(tau²) is k - 1;
- the mean by the weights (S + tau² I)^-1, its interval by Hartung and Knapp, Sidik and Jonkman,
  with t of k - 1 degrees of freedom, never narrower than the errors alone make it (Röver and
  others): few tables may agree by luck, and the same table drawn twice always does;
- tau by the Q-profile: where Q(tau²) is a quantile of chi² with k - 1 degrees of freedom;
- a table that was not seen, after Higgins, Thompson and Spiegelhalter: mean ± t(k - 2) times the
  root of tau² and the variance of the mean. None below three tables.

Assumed: effects at tables are normal around their mean, S is known (many deals a table). Where tau
is about as large as the errors of the tables, the prediction interval covers less than it says
(Partlett and Riley; 88 % of 95 with seven tables): more deals make the errors small.

Sources
-------
- R. C. Paule, J. Mandel (1982), J. Res. Natl. Bur. Stand. 87:377.
- J. Hartung, G. Knapp (2001), Stat. Med. 20:3875; K. Sidik, J. N. Jonkman (2002), Stat. Med.
  21:3153; C. Röver, G. Knapp, T. Friede (2015), BMC Med. Res. Methodol. 15:99.
- W. Viechtbauer (2007), Stat. Med. 26:37: Q-profile.
- J. P. T. Higgins, S. G. Thompson, D. J. Spiegelhalter (2009), J. R. Stat. Soc. A 172:137, sect. 4;
  C. Partlett, R. D. Riley (2017), Stat. Med. 36:301.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import chdtri, stdtr

from studies.stats.intervals import LEVEL, Interval, t_interval

Array = np.ndarray[Any, Any]

_NOTHING = 1e-12


@dataclass(frozen=True)
class RandomEffects:
    """A summary over tables.

    Attributes
    ----------
    spread : Interval
        Of tau.
    prediction : Interval or None
        Of the effect at another table.
    p : float
        Two-sided, of "the mean is 0".
    """

    mean: Interval
    spread: Interval
    prediction: Interval | None
    p: float


class _Fit:
    """The weighted mean at any tau², in coordinates in which S is diagonal.

    The errors are turned by the eigenvectors of S, which leave tau² I as it is.
    """

    def __init__(self, estimates: Array, covariance: Array) -> None:
        values, vectors = np.linalg.eigh(covariance)
        self.scale = max(float(values[-1]), float(np.ptp(estimates)) ** 2)
        self.errors = np.maximum(values, _NOTHING * self.scale)
        self.seen = vectors.T @ estimates
        self.ones = vectors.T @ np.ones(len(estimates))

    def at(self, tau2: float) -> tuple[float, float, float]:
        """Return the mean, its variance and Q."""
        weights = 1 / (self.errors + tau2)
        variance = 1 / float(weights @ self.ones**2)
        mean = variance * float(weights @ (self.ones * self.seen))
        return mean, variance, float(weights @ (self.seen - mean * self.ones) ** 2)

    def tau2(self, wanted: float) -> float:
        """Return the tau² at which Q is as wanted; 0 where it is smaller everywhere."""
        if self.at(0.0)[2] <= wanted:
            return 0.0
        high = self.scale
        while self.at(high)[2] > wanted:
            high *= 4
        return float(brentq(lambda tau2: self.at(tau2)[2] - wanted, 0.0, high))


def random_effects(estimates: Array, covariance: Array, level: float = LEVEL) -> RandomEffects:
    """Put an effect's estimates at several tables together.

    Parameters
    ----------
    estimates : array of shape (tables,)
        Two or more.
    covariance : array of shape (tables, tables)
        Of their sampling errors.
    """
    tables = len(estimates)
    freedom = tables - 1
    fit = _Fit(np.asarray(estimates, dtype=np.float64), np.asarray(covariance, dtype=np.float64))
    if not fit.scale > 0:  # the same everywhere, without any error
        same = Interval(float(estimates[0]), float(estimates[0]), float(estimates[0]))
        nothing = Interval(0.0, 0.0, 0.0)
        return RandomEffects(same, nothing, same if tables > 2 else None, float(same.estimate == 0))
    tau2 = fit.tau2(freedom)
    mean, variance, scatter = fit.at(tau2)
    error = math.sqrt(variance * max(1.0, scatter / freedom))
    tail = (1 - level) / 2
    low, high = (math.sqrt(fit.tau2(float(chdtri(freedom, chance)))) for chance in (tail, 1 - tail))
    prediction = None
    if tables > 2:
        prediction = t_interval(mean, math.sqrt(tau2 + variance), tables - 2, level)
    return RandomEffects(
        mean=t_interval(mean, error, freedom, level),
        spread=Interval(math.sqrt(tau2), low, high),
        prediction=prediction,
        p=2 * float(stdtr(freedom, -abs(mean) / error)) if error > 0 else float(mean == 0),
    )
