"""Orchard as a chain of states of its own: the exact chance that the fruit is saved.

A state is how many pieces the trees bear, in any order, and the raven's steps. Sides of the die
that change nothing (an empty tree) are left out, as they only repeat the throw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

Trees = tuple[int, ...]
Way = Callable[[Trees], Iterator[tuple[float, Trees]]]


def without_one(trees: Trees, pieces: int) -> Trees:
    """Return the trees after a piece is taken from one that bears so many."""
    left = list(trees)
    left[left.index(pieces)] -= 1
    return tuple(sorted(left))


def fullest(trees: Trees) -> Iterator[tuple[float, Trees]]:
    yield 1.0, without_one(trees, max(trees))


def emptiest(trees: Trees) -> Iterator[tuple[float, Trees]]:
    yield 1.0, without_one(trees, min(pieces for pieces in trees if pieces))


def anywhere(trees: Trees) -> Iterator[tuple[float, Trees]]:
    """Yield each tree that bears fruit, as likely as the others."""
    bearing = [pieces for pieces in trees if pieces]
    for pieces in bearing:
        yield 1 / len(bearing), without_one(trees, pieces)


@cache
def chance_of_saving(way: Way, fruit: int = 10, steps: int = 9, basket: int = 2) -> float:
    """Return the chance that the trees are empty before the raven has made its steps."""

    @cache
    def saved(trees: Trees, raven: int) -> float:
        if not any(trees):
            return 1.0
        if not raven:
            return 0.0
        bearing = [pieces for pieces in trees if pieces]
        worth = saved(trees, raven - 1) + picked(trees, raven, basket)
        worth += sum(saved(without_one(trees, pieces), raven) for pieces in bearing)
        return worth / (len(bearing) + 2)

    @cache
    def picked(trees: Trees, raven: int, left: int) -> float:
        if not left or not any(trees):
            return saved(trees, raven)
        return sum(share * picked(then, raven, left - 1) for share, then in way(trees))

    return saved((fruit,) * 4, steps)
