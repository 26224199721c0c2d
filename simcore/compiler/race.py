"""Which of several moves is best, from their results on the same deals, and when that is clear.

The moves race: one that has fallen clearly behind the best on the same deals is dropped (a race
with blocking: Moore & Lee 1994, "Efficient algorithms for minimizing cross validation error",
ICML). One of them, the usual one, is what is done without a search, and it is left only for a move
that is clearly better: so what noise there is does not make a search worse than what it starts
from (Bertsekas, Tsitsiklis & Wu 1997, "Rollout algorithms for combinatorial optimization", Journal
of Heuristics 3; Thomas, Theocharous & Ghavamzadeh 2015, "High confidence policy improvement",
ICML).

Clear is a paired difference of so many standard errors, after four corrections for few deals.

- The standard error is estimated from these deals: a quantile of Student's t has the place of the
  normal one, by the formula of Gaver & Kafadar 1984, "A retrievable recipe for inverse t", The
  American Statistician 38.
- Where a rare loss has not shown up yet, the differences of a move scatter too little. So their
  variance is drawn towards the mean one of all moves (Smyth 2004, "Linear models and empirical
  Bayes methods for assessing differential expression", Statistical Applications in Genetics and
  Molecular Biology 3).
- Few deals find large differences only by chance, if most moves differ little: the bar is higher
  for them (`SCEPTIC`), as it would be by any prior that the usual move is good.
- Fewer than `FEWEST_DEALS` tell nothing.

There is no correction for the number of moves: with many deals it costs more than it saves.

Everywhere `moves` is int64[moves], `results` float64[moves, deals], of which the first `left` moves
and `tried` deals are looked at, and the usual move is the first one until it is dropped.
"""

from __future__ import annotations

import numpy as np

from simcore.jit import inline_kernel, kernel

FEWEST_DEALS = 4

BEHIND = 2.5
"""Standard errors by which a move must be behind the best one to be dropped."""

FAR_BEHIND = 4.0
"""The same for the usual move."""

BORROWED = 4.0
"""Deals that the mean variance of all moves counts for, beside those tried."""

SCEPTIC = 64.0
"""With so many deals a move must be √2 times as many standard errors ahead as with very many; with
fewer, more. In UNO, where the moves differ least, a bar of one standard error for any number of
deals costs more than half of the wins with 4 rollouts, and a quarter with 16."""


@kernel
def drop_moves(moves, results, left, tried, usual):
    """Drop the moves that are clearly behind the best one, or the same; return how many are left.

    Those left come first: `moves` and `results` are modified in place.
    """
    best = best_of(results, left, tried)
    first = 0
    if moves[0] == usual and (best == 0 or not is_behind(results, 0, best, tried, FAR_BEHIND)):
        first = 1
    kept = first
    for i in range(first, left):
        if i == best or not is_behind(results, i, best, tried, BEHIND):
            if i == best:
                best = kept
            swap(moves, results, kept, i, tried)
            kept += 1
    return kept


@kernel
def chosen(moves, results, left, tried, usual, errors):
    """Return the place of the best move, or of the usual one if the best is not clearly ahead.

    `errors` are the standard errors that it must be ahead with very many deals; see the module for
    what is corrected.
    """
    best = best_of(results, left, tried)
    if best == 0 or moves[0] != usual:
        return best
    total, variance = difference(results, best, 0, tried)
    free = tried - 1.0
    mean = mean_variance(results, left, tried)
    variance = (free * variance + BORROWED * mean) / (free + BORROWED)
    bar = squared_quantile(errors * np.sqrt(1.0 + SCEPTIC / tried), tried)
    if total > 0.0 and total * total >= bar * variance * tried:
        return best
    return np.int64(0)


@kernel
def best_of(results, left, tried):
    """Return the place of the move with the best mean result, the first of several."""
    best = np.int64(0)
    best_sum = -np.inf
    for i in range(left):
        total = results[i, :tried].sum()
        if total > best_sum:
            best = np.int64(i)
            best_sum = total
    return best


@kernel
def mean_variance(results, left, tried):
    """Return the mean variance of the differences to the first move, of moves that differ."""
    total = 0.0
    count = 0
    for i in range(1, left):
        _, variance = difference(results, i, 0, tried)
        if variance > 0.0:
            total += variance
            count += 1
    return total / max(count, 1)


@inline_kernel
def is_behind(results, one, other, tried, errors):
    """Tell whether a move is so many standard errors behind another one, or always the same."""
    total, variance = difference(results, other, one, tried)
    return total * total >= squared_quantile(errors, tried) * variance * tried


@inline_kernel
def difference(results, one, other, tried):
    """Return the sum of the paired differences of two moves, and their variance."""
    total = 0.0
    squares = 0.0
    for deal in range(tried):
        paired = results[one, deal] - results[other, deal]
        total += paired
        squares += paired * paired
    return total, max(0.0, squares - total * total / tried) / (tried - 1)


@kernel
def squared_quantile(errors, tried):
    """Return the square of the quantile of Student's t that stands for so many normal errors.

    For three degrees of freedom or more, one less than deals tried, within 3 %.
    """
    free = tried - 1.0
    return free * (np.exp(errors * errors * (free - 1.5) / (free - 1.0) ** 2) - 1.0)


@inline_kernel
def swap(moves, results, one, other, tried):
    """Let two moves change places, with their results."""
    if one == other:
        return
    moves[one], moves[other] = moves[other], moves[one]
    for deal in range(tried):
        results[one, deal], results[other, deal] = results[other, deal], results[one, deal]
