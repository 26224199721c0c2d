"""Which variant changes the winners most often, and least: said only where a test tells it.

Of several estimates one is always the largest. That it is the largest in truth, too, is told from a
test against each of the others, on the deals that they share: the largest of these p-values must be
small. The variant was chosen because of what is tested, which the two-sided test makes up for; the
p-values of all tables of a study, for most and for least, are corrected by Holm's method.

Sources
-------
- K. Hung, W. Fithian (2019), Ann. Stat. 47:758: that a two-sided test against the runner-up at the
  usual level is enough to call the winner the best (S. Gutmann, Z. Maymin 1987, Ann. Stat. 15:456).
- R. L. Berger (1982), Technometrics 24:295: the largest p-value, where all hypotheses are to fall.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from studies.compare.results import Superlative
from studies.stats.groups import GROUPS, group_sums
from studies.stats.intervals import Interval, Moments, clustered_mean, clustered_p, holm
from studies.stats.signflip import sign_flip_p

Array = np.ndarray[Any, Any]

MOST, LEAST = "most", "least"


class Contestant:
    """How often a variant makes another seat win, by group of deals.

    Attributes
    ----------
    another, decided : array of shape (groups,)
        Matches won with and without the variant that have another winner; and all of these.
    """

    def __init__(self) -> None:
        self.another, self.decided = np.zeros(GROUPS), np.zeros(GROUPS)

    def add(self, first: int, another: Array, undecided: Array | None, rotations: int) -> None:
        """Add deals numbered from `first`: matches with another winner, and those not decided."""
        lost = np.zeros(len(another)) if undecided is None else undecided
        self.another += group_sums(first, another)
        self.decided += group_sums(first, rotations - lost)

    @property
    def share(self) -> float:
        """Share of the decided matches; 0 where there are none."""
        return float(self.another.sum() / max(self.decided.sum(), 1.0))


def compared(one: Contestant, other: Contestant, level: float) -> tuple[Interval, float]:
    """Return the share of `one` less that of `other`, and the p-value of "they are alike"."""
    used = (one.decided > 0) | (other.decided > 0)
    count = int(used.sum())
    if not one.decided.any() or not other.decided.any():
        return clustered_mean(Moments(), level), 1.0
    gap = one.share - other.share
    moved = np.zeros(count)
    for sign, own in ((1, one), (-1, other)):
        total = own.decided.sum()
        moved += sign * (own.another[used] - own.share * own.decided[used]) / total
    deals = Moments(count, gap, float(np.square(moved).sum()) * count**2)
    if (one.decided == other.decided).all():
        p = sign_flip_p(one.another - other.another)
    else:
        p = clustered_p(deals)
    return clustered_mean(deals, level, bound=1.0), p


def superlatives(
    lineup: str, point: dict[str, object], contestants: dict[str, Contestant], level: float
) -> Iterator[Superlative]:
    """Yield which variant changes the winners most often at a table, and which least often."""
    known = {name: own for name, own in contestants.items() if own.decided.any()}
    if len(known) < 2:
        return
    for kind, choose in ((MOST, max), (LEAST, min)):
        first = choose(known, key=lambda name: known[name].share)
        tests = {
            name: compared(known[first], own, level) for name, own in known.items() if name != first
        }
        against = max(tests, key=lambda name: (tests[name][1], -abs(tests[name][0].estimate)))
        gap, p = tests[against]
        yield Superlative(kind, lineup, point, first, against, gap, p, p)


def corrected(found: Sequence[Superlative]) -> list[Superlative]:
    """Return superlatives with p-values corrected for their number."""
    p_values = holm([one.p for one in found])
    return [replace(one, p_holm=p) for one, p in zip(found, p_values, strict=True)]
