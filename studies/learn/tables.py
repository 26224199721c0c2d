"""How strong a policy is beside others: what it wins at three tables.

"Beats three of it" is no strength: who wins much alone among three others may lose to one of those
where three of its like sit. So a policy is measured with one seat, with every other seat, and with
all seats but one: 1:3, 2:2 and 3:1 of four, and 1:1 of two. All tables play the same deals, each in
every rotation, so differences between tables and between policies are paired by deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from strategies import Strategy
from studies.answers.estimate import LEVEL
from studies.run.tuning import FRESH_DEALS, Bench, Interval, interval_of, mean_of

TRIAL_DEALS = 1 << 41
"""Match numbers from here on are for trials while something learns or is chosen."""

Shares = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Wins:
    """What a policy wins at one table.

    Attributes
    ----------
    held, players : int
        The seats that it holds, and all seats.
    by_deal : float64[deals]
        The share of each deal's matches that its seats win together, `held / players` if even; k
        winners win 1/k each, nobody an aborted match.
    share : Interval
        The mean.
    """

    held: int
    players: int
    by_deal: Shares
    share: Interval

    @property
    def even(self) -> float:
        """What the seats win if all policies are alike."""
        return self.held / self.players


def tables(players: int) -> tuple[int, ...]:
    """Return how many seats a policy holds at each of the three tables.

    >>> tables(4), tables(3), tables(2)
    ((1, 2, 3), (1, 2), (1,))
    """
    return tuple(sorted({1, players // 2, players - 1} - {0}))


def wins_at_tables(
    bench: Bench,
    policy: Strategy,
    deals: int,
    first: int = FRESH_DEALS,
    held: Sequence[int] = (),
    level: float = LEVEL,
) -> tuple[Wins, ...]:
    """Return what a policy wins at each table among the opponents of a bench.

    Parameters
    ----------
    bench : Bench
        Game, options, opponents of the other seats, seed and threads.
    policy : Strategy
    deals, first : int
        Match numbers first … first + deals − 1, in every rotation; fresh unless others are named.
    held : sequence of int
        How many seats it holds, table by table; default: `tables`.
    """
    found = []
    for seats in held or tables(bench.players):
        by_deal = bench.shares(policy, first, deals, seats)
        even = seats / bench.players
        share = interval_of(mean_of(by_deal, centre=even), level)
        found.append(Wins(seats, bench.players, by_deal, share))
    return tuple(found)


def gain(after: Sequence[Wins], before: Sequence[Wins], level: float = LEVEL) -> Interval:
    """Return what one policy wins more than another at the same tables, their mean over tables.

    Both were measured on the same deals, which are paired; a seat's win rate counts, so that each
    table weighs as much as another.
    """
    pairs = list(zip(after, before, strict=True))
    steps = [(new.by_deal - old.by_deal) / new.held for new, old in pairs]
    return interval_of(mean_of(np.mean(steps, axis=0), -1.0, centre=0.0), level)
