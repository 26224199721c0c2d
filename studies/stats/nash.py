"""Two-player zero-sum games of policies: the most even optimal mixture, and what is cyclic.

Sources
-------
- D. Balduzzi, K. Tuyls, J. Perolat, T. Graepel (2018), Re-evaluating Evaluation (NeurIPS), arXiv
  1806.02643: Nash averaging, the equilibrium of maximal entropy of the game "choose a policy", and
  the split of an antisymmetric matrix into what a ranking explains and a cyclic rest.
- X. Jiang, L.-H. Lim, Y. Yao, Y. Ye (2011), Math. Program. 127:203: that split (HodgeRank).
- I. Kaplansky (1945), Ann. Math. 46:474: equilibria of symmetric games from their odd sub-games.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from scipy.optimize import linprog, minimize

Array = np.ndarray[Any, Any]

MOST_BY_ENUMERATION = 11
_TINY = 1e-9


def split_cyclic(payoffs: Array) -> tuple[Array, Array]:
    """Split antisymmetric matrices (…, n, n) into a transitive and a cyclic part.

    The transitive part is r_i - r_j with r the means of the rows: the nearest of this form, since
    every two have met.
    """
    rating = payoffs.mean(axis=-1)
    transitive = rating[..., :, None] - rating[..., None, :]
    return transitive, payoffs - transitive


def root_mean_square(matrices: Array) -> Array:
    """Return the root of the mean square over the pairs of (…, n, n)."""
    count = matrices.shape[-1]
    mean: Array = np.square(matrices).sum(axis=(-2, -1)) / (count * (count - 1))
    return np.sqrt(mean)


def nash_average(payoffs: Array) -> Array:
    """Return the optimal mixture of greatest entropy of an antisymmetric game (n, n).

    With p the mixture, no policy gains against it (payoffs @ p ≤ 0).
    """
    count = len(payoffs)
    mixtures, solved = _on_the_unbeaten(payoffs[None])
    if solved[0]:
        return _clean(mixtures[0])
    # A policy can be in an optimal mixture when the linear programme can give it weight.
    limits = {"A_ub": payoffs, "b_ub": np.zeros(count), "A_eq": np.ones((1, count)), "b_eq": [1.0]}
    corners = [linprog(-row, **limits, method="highs").x for row in np.eye(count)]
    inside = np.mean(corners, axis=0)
    if np.ptp(corners, axis=0).max() < _TINY:
        return _clean(inside)

    def negative_entropy(mixture: Array) -> tuple[float, Array]:
        safe = np.maximum(mixture, 1e-12)
        return float(safe @ np.log(safe)), np.log(safe) + 1

    found = minimize(
        negative_entropy,
        inside,
        jac=True,
        method="SLSQP",
        bounds=[(0, 1)] * count,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1, "jac": np.ones_like},
            {"type": "ineq", "fun": lambda p: -payoffs @ p, "jac": lambda _p: -payoffs},
        ],
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    return _clean(found.x if found.success else inside)


def nash_averages(payoffs: Array) -> Array:
    """Return optimal mixtures of many antisymmetric games (games, n, n): (games, n).

    Where policies lose to none, they alone are optimal, however mixed. Games in general position
    have one equilibrium, on an odd number of policies, which is found by going through these; the
    others are solved one by one.
    """
    count = payoffs.shape[1]
    mixtures, solved = _on_the_unbeaten(payoffs)
    open_ = np.flatnonzero(~solved)
    if count <= MOST_BY_ENUMERATION:
        for size in range(1, count + 1, 2):
            for members in itertools.combinations(range(count), size):
                if not len(open_):
                    return mixtures
                found, solved = _on_members(payoffs[open_], list(members))
                mixtures[open_[solved]] = found[solved]
                open_ = open_[~solved]
    # Few deals give few different games; what is left over is often one and the same.
    kinds, kind_of = np.unique(payoffs[open_].round(9), axis=0, return_inverse=True)
    if len(open_):
        mixtures[open_] = np.stack([nash_average(kind) for kind in kinds])[kind_of.ravel()]
    return mixtures


def _on_the_unbeaten(payoffs: Array) -> tuple[Array, Array]:
    """Return even mixtures of the policies that lose to none, and where they alone are optimal.

    No optimal mixture gives weight to what an unbeaten policy beats, and every mixture of unbeaten
    ones is optimal: none of them gains from another.
    """
    unbeaten: Array = np.all(payoffs >= -_TINY, axis=2)
    beaten: Array = np.any((payoffs > _TINY) & unbeaten[:, :, None], axis=1)
    solved: Array = np.any(unbeaten, axis=1) & np.all(unbeaten | beaten, axis=1)
    mixtures = unbeaten / np.maximum(unbeaten.sum(axis=1, keepdims=True), 1)
    found: Array = np.where(solved[:, None], mixtures, np.nan)
    return found, solved


def _on_members(payoffs: Array, members: list[int]) -> tuple[Array, Array]:
    """Return candidates with this support, and where they are the only equilibrium."""
    games, count, _ = payoffs.shape
    size = len(members)
    mixture = np.zeros((games, count))
    if size == 1:
        mixture[:, members] = 1.0
    else:
        system = payoffs[:, members][:, :, members].copy()
        system[:, -1] = 1.0
        regular = np.abs(np.linalg.det(system)) > _TINY**2
        system[~regular] = np.eye(size)
        right = np.zeros((games, size, 1))
        right[:, -1] = 1.0
        mixture[:, members] = np.linalg.solve(system, right)[..., 0]
        mixture[~regular] = np.nan
    gains = np.einsum("gij,gj->gi", payoffs, np.nan_to_num(mixture))
    others = np.ones(count, dtype=bool)
    others[members] = False
    solved = (
        (mixture[:, members] > _TINY).all(axis=1)
        & (gains[:, others] < -_TINY).all(axis=1)
        & (np.abs(gains[:, members]) < 1e-6).all(axis=1)
    )
    return mixture, solved


def _clean(mixture: Array) -> Array:
    kept = np.where(mixture > 1e-7, mixture, 0.0)
    scaled: Array = kept / kept.sum()
    return scaled
