"""Tune a policy's parameters by CMA-ES, and check the result on fresh deals.

The search is the covariance matrix adaptation evolution strategy (Hansen 2016, "The CMA evolution
strategy: a tutorial", arXiv 1604.00772; package `cma`). It ranks candidates by their win rate on
the same deals, in every seat, and uses new deals in each generation, so that it cannot overfit
them. Its favourites of several stages and the starting point are then compared on new deals, and
the best is the result, so a failed search ends below its start only by chance. Because the winner
was selected for looking good, the reported gain is measured again, for tuned and default on the
same deals, none of which the search has seen.
"""

from __future__ import annotations

import itertools
import math
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from simcore.batch import Cell, play
from simcore.errors import InputError
from simcore.game import Game
from simcore.options import Options
from strategies import Param, Strategy
from studies.answers.estimate import LEVEL, Estimate, ratio
from studies.design.cells import period

FIRST_STEP = 0.25
"""Standard deviation of the first generation, as a share of each parameter's range."""

SHARE_FOR_CHOICE = 0.15
SHARE_FOR_CHECK = 0.25
STAGES = 3
"""Stages of the search; the favourite of each is a candidate for the result."""

FEWEST_DEALS = 20
ENOUGH_DEALS = 200
"""Deals per candidate; a larger budget adds generations first, then deals."""

MOST_GENERATIONS = 60
DIGITS = 3
"""Significant digits of a tuned parameter."""

FRESH_DEALS = 1 << 40
"""Match numbers from here on are reserved for the check."""


@dataclass(frozen=True)
class Interval:
    """A number with the bounds of its interval."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class Tuning:
    """The result of a search.

    Attributes
    ----------
    default, tuned : Strategy
        The initial strategy, and the best one found; it is better only if the gain `is_clear`.
    against : tuple of Strategy
        Strategies in the other seats.
    default_share, tuned_share, gain : Interval
        Win rate of the one seat on fresh deals, and the paired difference; by deal.
    p : float
        Two-sided, of the gain.
    deals, rotations : int
        Of the check; each deal is played in every rotation.
    generations, candidates, matches : int
        Of the search.
    """

    default: Strategy
    tuned: Strategy
    against: tuple[Strategy, ...]
    default_share: Interval
    tuned_share: Interval
    gain: Interval
    p: float
    deals: int
    rotations: int
    generations: int
    candidates: int
    matches: int

    @property
    def is_clear(self) -> bool:
        """Whether the interval of the gain is above zero."""
        return self.gain.low > 0


@dataclass(frozen=True)
class Bench:
    """A table with one seat for candidates; opponents hold the others.

    Attributes
    ----------
    opponents : tuple of Strategy
        By seat from 1 on; a short list is repeated.
    """

    game: Game
    options: Options
    opponents: tuple[Strategy, ...]
    seed: int
    threads: int

    @property
    def players(self) -> int:
        """Number of seats."""
        players = self.options["players"]
        assert isinstance(players, int)
        return players

    def shares(
        self, candidate: Strategy, first: int, deals: int, held: int = 1
    ) -> np.ndarray[Any, Any]:
        """Return what the candidate wins of each deal, over all rotations: float64[deals].

        Parameters
        ----------
        held : int
            How many seats the candidate holds, spread round the table (`places`).

        Notes
        -----
        k winners win 1/k each, nobody a match that was aborted. With `held` seats of n, `held`/n is
        even. A table whose seats all win together wins as a whole.
        """
        held_at = places(held, self.players)
        opponents = itertools.cycle(self.opponents)
        seats = tuple(
            candidate if place in held_at else next(opponents) for place in range(self.players)
        )
        cell = Cell(self.game, self.options, seats, self.seed)
        together = self.players == 1 or self.game.teams == 1  # then a win is not shared
        rotations = period(tuple(f"{at in held_at} {seat}" for at, seat in enumerate(seats)))
        total = np.zeros(deals)
        for rotation in range(rotations):
            block = play(cell, first, deals, threads=self.threads, rotation=rotation)
            mine = sum(1 << (place - rotation) % self.players for place in held_at)
            if together:
                total += block.winners != 0
                continue
            won = np.bitwise_count(block.winners & mine)
            total += won / np.maximum(np.bitwise_count(block.winners), 1)
        return total / rotations


def places(held: int, players: int) -> list[int]:
    """Return the places of a line-up that somebody with `held` seats holds, spread evenly.

    >>> places(1, 4), places(2, 4), places(3, 4)
    ([0], [0, 2], [0, 1, 2])
    """
    return [seat * players // held for seat in range(held)]


def free_params(strategy: Strategy) -> list[Param]:
    """Return the parameters that a strategy leaves open to be tuned."""
    free = [
        param
        for param in strategy.policy.params
        if isinstance(param, Param)
        and param.name not in strategy.params
        and param.tunable
        and param.low < param.high
    ]
    if not free:
        given = ", ".join(strategy.params) or "it has none"
        raise InputError(
            f"policy {str(strategy)!r} has no parameter left to tune (given: {given}); "
            "allowed: a policy with a parameter that is not given"
        )
    return free


def tune(
    bench: Bench,
    start: Strategy,
    budget: int,
    *,
    level: float = LEVEL,
    watch: Callable[[int], None] = lambda _: None,
) -> Tuning:
    """Search for good parameters of a strategy, and check the result."""
    free = free_params(start)
    usual = start.under(bench.options)
    population = 4 + math.floor(3 * math.log(max(2, len(free))))
    for_search = int(budget * (1 - SHARE_FOR_CHOICE - SHARE_FOR_CHECK))
    generations, deals = _divide(for_search, population * bench.players, bench)
    evolution = _evolution(free, usual, population, bench.seed)
    values = dict(zip((param.name for param in usual.policy.params), usual.values, strict=True))
    favourites = [start.with_params({param.name: values[param.name] for param in free})]
    for generation in range(generations):
        points = evolution.ask()
        losses = []
        for point in points:
            shares = bench.shares(_at(start, free, point), generation * deals, deals)
            losses.append(-float(shares.mean()))
            watch(deals * bench.players)
        evolution.tell(points, losses)
        if (generation + 1) * STAGES // generations > generation * STAGES // generations:
            favourites.append(_at(start, free, evolution.result.xfavorite))
    for_choice = max(
        FEWEST_DEALS, int(budget * SHARE_FOR_CHOICE) // (len(favourites) * bench.players)
    )
    results = []
    for favourite in favourites:
        results.append(float(bench.shares(favourite, generations * deals, for_choice).mean()))
        watch(for_choice * bench.players)
    tuned = favourites[int(np.argmax(results))]
    fresh = max(FEWEST_DEALS, int(budget * SHARE_FOR_CHECK) // (2 * bench.players))
    default_shares = bench.shares(start, FRESH_DEALS, fresh)
    watch(fresh * bench.players)
    tuned_shares = bench.shares(tuned, FRESH_DEALS, fresh)
    watch(fresh * bench.players)
    gain = mean_of(tuned_shares - default_shares, -1.0, centre=0.0)
    even = 1 / bench.players
    return Tuning(
        default=start,
        tuned=tuned,
        against=bench.opponents,
        default_share=interval_of(mean_of(default_shares, 0.0, centre=even), level),
        tuned_share=interval_of(mean_of(tuned_shares, 0.0, centre=even), level),
        gain=interval_of(gain, level),
        p=float(gain.p()[0]),
        deals=fresh,
        rotations=bench.players,
        generations=generations,
        candidates=generations * population,
        matches=bench.players
        * (generations * population * deals + len(favourites) * for_choice + 2 * fresh),
    )


def mean_of(
    values: np.ndarray[Any, Any], low: float = 0.0, *, high: float = 1.0, centre: float
) -> Estimate:
    """Return the mean of values by deal, which lie between `low` and `high`."""
    deals = values.shape[0]
    return ratio(values[None], np.ones((1, deals)), deals, low=low, high=high, centre=centre)


def interval_of(estimate: Estimate, level: float = LEVEL) -> Interval:
    """Return an estimate of one number with its interval."""
    low, high = estimate.interval(level)
    return Interval(float(estimate.value[0]), float(low[0]), float(high[0]))


def _divide(matches: int, per_deal: int, bench: Bench) -> tuple[int, int]:
    """Return the number of generations, and of deals in each."""
    deals_in_all = matches // per_deal
    if deals_in_all < STAGES * FEWEST_DEALS:
        share = 1 - SHARE_FOR_CHOICE - SHARE_FOR_CHECK
        least = math.ceil(STAGES * FEWEST_DEALS * per_deal / share)
        raise InputError(
            f"--budget {matches / share:.0f} is refused: too few matches to tune "
            f"at {bench.players} players; allowed: {least:_} or more"
        )
    generations = min(MOST_GENERATIONS, max(STAGES, deals_in_all // ENOUGH_DEALS))
    return generations, deals_in_all // generations


def _evolution(free: Sequence[Param], start: Strategy, population: int, seed: int) -> Any:
    cma = _cma()
    values = dict(zip((param.name for param in start.policy.params), start.values, strict=True))
    at = [(float(values[param.name]) - param.low) / (param.high - param.low) for param in free]
    # One parameter gets a companion without effect: the package has no search in one dimension.
    at += [0.5] * (2 - len(at))
    options = {
        "bounds": [0.0, 1.0],
        "popsize": population,
        "seed": seed % (2**31 - 2) + 1,
        "verbose": -9,
        "verb_log": 0,
        "verb_disp": 0,
    }
    return cma.CMAEvolutionStrategy(at, FIRST_STEP, options)


@cache
def _cma() -> Any:
    """Import the package without libraries for its plots and tests, which take ten times longer."""
    absent = {"matplotlib", "scipy"} - sys.modules.keys()
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that there are no plots
            return import_module("cma")
    finally:
        for name in absent:
            del sys.modules[name]


def _at(start: Strategy, free: Sequence[Param], point: Sequence[float]) -> Strategy:
    """Return the strategy at a point of the unit cube, its parameters rounded."""
    changes: dict[str, object] = {}
    for param, place in zip(free, point, strict=False):
        value = param.low + min(1.0, max(0.0, float(place))) * (param.high - param.low)
        rounded = float(round(value) if param.whole else f"{value:.{DIGITS}g}")
        changes[param.name] = min(param.high, max(param.low, rounded))
    return start.with_params(changes)
