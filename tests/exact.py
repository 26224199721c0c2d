"""Compare what kernels deal with exact probabilities: starts of rounds, and the comparisons.

Seeds are fixed, and bounds are such that a fair game falls beyond one with p < 1e-7; all these
tests together do with p < 1e-6 or so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import stats

from simcore.catalogue import get_game
from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of

IMPROBABLE = 1e-7
SAMPLE = 600
LEAST_EXPECTED = 8.0
"""Rarer outcomes are taken together."""


def starts_of_rules(
    name: str, options: Mapping[str, object], count: int = SAMPLE, seed: int = 1
) -> Iterator[Any]:
    """Yield what plays a game, and the state in which the first round of many matches begins."""
    game = get_game(name)
    plain = Plain(program_of(game), game.resolve(options))
    for match in range(count):
        s = plain.start_match(seed, match)
        plain.start_round(s)
        yield plain, s


def starts(
    name: str, options: Mapping[str, object], count: int = SAMPLE, seed: int = 31
) -> Iterator[Any]:
    """Yield the state in which the first round of many matches begins."""
    return (s for _, s in starts_of_rules(name, options, count, seed))


def assert_share(times: int, count: int, chance: float | Fraction) -> None:
    """Something happened `times` times of `count`, each time with this probability."""
    assert stats.binomtest(times, count, float(chance)).pvalue > IMPROBABLE, (times, count, chance)


def assert_distribution(counts: Mapping[Any, int], chances: Mapping[Any, float | Fraction]) -> None:
    """Outcomes came as often as their exact probabilities say, by a chi-square test."""
    assert abs(float(sum(chances.values())) - 1.0) < 1e-12
    assert set(counts) <= {outcome for outcome, chance in chances.items() if chance > 0}
    count = sum(counts.values())
    frequent = [key for key, chance in chances.items() if chance * count >= LEAST_EXPECTED]
    observed = [counts.get(key, 0) for key in frequent]
    expected = [float(chances[key]) * count for key in frequent]
    if count - sum(expected) > 1e-6:
        observed.append(count - sum(observed))
        expected.append(count - sum(expected))
        if expected[-1] < LEAST_EXPECTED:
            smallest = int(np.argmin(expected[:-1]))
            observed[smallest] += observed.pop()
            expected[smallest] += expected.pop()
    assert len(observed) > 1
    assert stats.chisquare(observed, expected).pvalue > IMPROBABLE, (observed, expected)


def hypergeometric(cards: int, special: int, drawn: int) -> dict[int, float]:
    """Return the probabilities of so many special ones among the cards drawn."""
    numbers = range(max(0, drawn + special - cards), min(special, drawn) + 1)
    return {number: float(stats.hypergeom.pmf(number, cards, special, drawn)) for number in numbers}
