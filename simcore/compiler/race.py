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

Everywhere `moves` is an array of whole numbers, `results` one of floats, `room` for each move; the
first `left` moves and `tried` deals of each are looked at, and the usual move is the first one
until it is dropped. These functions are compiled with the search (`search`), of which they are
written in few words, and run as they are in tests.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

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

Words = Any
"""An array of whole numbers."""

Reals = Any
"""An array of floats."""


def drop_moves(moves: Words, results: Reals, room: int, left: int, tried: int, usual: int) -> int:
    """Drop the moves that are clearly behind the best one, or the same; return how many are left.

    Those left come first: `moves` and `results` are modified in place.
    """
    best = best_of(results, room, left, tried)
    first = 0
    if moves[0] == usual and (
        best == 0 or not is_behind(results, room, 0, best, tried, FAR_BEHIND)
    ):
        first = 1
    kept = first
    for i in range(first, left):
        if i == best or not is_behind(results, room, i, best, tried, BEHIND):
            if i == best:
                best = kept
            swap(moves, results, room, kept, i, tried)
            kept += 1
    return kept


def chosen(
    moves: Words, results: Reals, room: int, left: int, tried: int, usual: int, errors: float
) -> int:
    """Return the place of the best move, or of the usual one if the best is not clearly ahead.

    `errors` are the standard errors that it must be ahead with very many deals; see the module for
    what is corrected.
    """
    best = best_of(results, room, left, tried)
    if best == 0 or moves[0] != usual:
        return best
    total, variance = difference(results, room, best, 0, tried)
    free = tried - 1.0
    mean = mean_variance(results, room, left, tried)
    variance = (free * variance + BORROWED * mean) / (free + BORROWED)
    bar = squared_quantile(errors * sqrt(1.0 + SCEPTIC / tried), tried)
    if total > 0.0 and total * total >= bar * variance * tried:
        return best
    return 0


def best_of(results: Reals, room: int, left: int, tried: int) -> int:
    """Return the place of the move with the best mean result, the first of several."""
    best = 0
    most = 0.0
    for i in range(left):
        total = 0.0
        for deal in range(tried):
            total += results[i * room + deal]
        if i == 0 or total > most:
            best = i
            most = total
    return best


def mean_variance(results: Reals, room: int, left: int, tried: int) -> float:
    """Return the mean variance of the differences to the first move, of moves that differ."""
    sum_ = 0.0
    count = 0
    for i in range(1, left):
        _, variance = difference(results, room, i, 0, tried)
        if variance > 0.0:
            sum_ += variance
            count += 1
    return sum_ / max(count, 1)


def is_behind(results: Reals, room: int, one: int, other: int, tried: int, errors: float) -> bool:
    """Tell whether a move is so many standard errors behind another one, or always the same."""
    total, variance = difference(results, room, other, one, tried)
    return total * total >= squared_quantile(errors, tried) * variance * tried


def difference(results: Reals, room: int, one: int, other: int, tried: int) -> tuple[float, float]:
    """Return the sum of the paired differences of two moves, and their variance."""
    total = 0.0
    squares = 0.0
    for deal in range(tried):
        paired = results[one * room + deal] - results[other * room + deal]
        total += paired
        squares += paired * paired
    return total, max(0.0, squares - total * total / tried) / (tried - 1)


def squared_quantile(errors: float, tried: int) -> float:
    """Return the square of the quantile of Student's t that stands for so many normal errors.

    For three degrees of freedom or more, one less than deals tried, within 3 %.
    """
    free = tried - 1.0
    return free * (exp(errors * errors * (free - 1.5) / ((free - 1.0) * (free - 1.0))) - 1.0)


def swap(moves: Words, results: Reals, room: int, one: int, other: int, tried: int) -> None:
    """Let two moves change places, with their results."""
    if one != other:
        moves[one], moves[other] = moves[other], moves[one]
        for deal in range(tried):
            here, there = one * room + deal, other * room + deal
            results[here], results[there] = results[there], results[here]
