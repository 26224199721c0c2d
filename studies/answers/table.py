"""A table of a study: a baseline and its variants at one line-up and sweep point, as estimates."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeVar

from studies.answers.estimate import Estimate, change, stack
from studies.answers.levels import ANOTHER, Key, another, held, levels, never_alike
from studies.answers.totals import GROUPS, Totals
from studies.measures import BASELINE, LENGTHS, Table, is_cooperative

Load = Callable[[Table], Totals | None]
Pairs = tuple[list[int], list[int]]
P = TypeVar("P", bound="Placed")


@dataclass(frozen=True)
class Place:
    """A place in a study: the sweep's values, and the line-up."""

    point: Mapping[str, Any]
    lineup: str


class Placed(Protocol):
    """What belongs to a place."""

    @property
    def place(self) -> Place:
        """The place."""
        ...


def by_point(
    items: Iterable[P], part: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict
) -> list[list[P]]:
    """Return tables, or anything with a place, by their point of the sweep or by a part of it."""
    points: dict[str, list[P]] = {}
    for item in items:
        point = repr(sorted(part(item.place.point).items(), key=str))
        points.setdefault(point, []).append(item)
    return list(points.values())


@dataclass
class TableAnswers:
    """A table; its estimates are recomputed on demand, because they are large.

    Attributes
    ----------
    keys : list of Key
        Names of its numbers, in the order of `level` and `change`.
    variants : dict of str to Table
        The variants that can be compared with the baseline.
    groups : int
        Number of groups over all tables, up to the last one with deals.
    is_drawn : bool
        Whether its line-up was drawn from a population.
    """

    place: Place
    base: Table
    keys: list[Key]
    load: Load
    variants: dict[str, Table] = field(default_factory=dict)
    groups: int = GROUPS
    is_drawn: bool = False
    _before: tuple[int, int, Totals, Estimate] | None = None
    _change: tuple[str, int, Estimate] | None = None
    """The last one asked for, which a population asks for several times."""

    def totals(self, variant: str = BASELINE) -> Totals:
        """Return the sums of a variant's cell."""
        sums = self.load(self.base if variant == BASELINE else self.variants[variant])
        assert sums is not None
        return sums

    def level(self) -> Estimate:
        """Return the baseline's numbers."""
        return levels(self.totals(), self.base, self.keys, self.groups)

    def before(self, totals: Totals) -> Estimate:
        """Return the baseline's numbers on the deals that it shares with a variant's `totals`."""
        sums = totals.before or self.totals()
        if self._before is None or self._before[:2] != (id(sums), self.groups):
            # The sums are kept alive, so that no other object can take their id.
            estimate = levels(sums, self.base, self.keys, self.groups)
            self._before = id(sums), self.groups, sums, estimate
        return self._before[3]

    def change(self, variant: str) -> Estimate:
        """Return the changes by a variant."""
        if self._change is None or self._change[:2] != (variant, self.groups):
            totals = self.totals(variant)
            after = levels(totals, self.base, self.keys, self.groups)
            moved = change(after, self.before(totals), totals.rotations)
            self._change = variant, self.groups, moved
        return self._change[2]

    def moved(self, variant: str) -> Estimate | None:
        """Return how often a variant moves the win; None without deals shared with the baseline."""
        totals = self.totals(variant)
        return None if totals.before is None else another(totals, self.groups)

    def numbers(
        self, variant: str, wanted: Callable[[Key], bool]
    ) -> tuple[list[tuple[str, str]], Estimate]:
        """Return some numbers with their names: levels of the baseline, or changes by a variant.

        How often a variant moves the win is among them, with deals shared with the baseline.
        """
        places = [at for at, key in enumerate(self.keys) if wanted(key)]
        names = [self.keys[at].name for at in places]
        if variant == BASELINE:
            return names, self.level()[places]
        estimate, moved = self.change(variant)[places], self.moved(variant)
        if moved is None:
            return names, estimate
        return [*names, ("", ANOTHER)], stack([estimate, moved])

    def pairs(self, start: str, numbers: Sequence[str] = ("win_rate", "score")) -> Pairs:
        """Return the pairs of numbers whose `who` begins with `start` and that can be compared.

        Policies that never held the same position cannot.
        """
        pairs: list[tuple[int, int]] = []
        for number in numbers:
            places = [
                at
                for at, key in enumerate(self.keys)
                if key.number == number and key.who.startswith(start)
            ]
            pairs += itertools.combinations(places, 2)
        kept = [
            pair for pair in pairs if frozenset(self.keys[at].who for at in pair) not in self.apart
        ]
        return [first for first, _ in kept], [second for _, second in kept]

    @cached_property
    def apart(self) -> set[frozenset[str]]:
        """Pairs of policies that never held the same position."""
        at = held([(self.totals(), self.base)])
        return {
            frozenset((f"policy {first}", f"policy {second}"))
            for first, second in itertools.combinations(at, 2)
            if never_alike(at[first], at[second])
        }

    @property
    def length(self) -> str:
        """The first of `LENGTHS` among its numbers."""
        numbers = {key.number for key in self.keys if not key.who}
        return next((name for name in LENGTHS if name in numbers), "")

    @property
    def alone(self) -> bool:
        """Whether no policy competes: one holds all seats, or all seats win together."""
        return len(set(self.base.seats)) == 1 or is_cooperative(self.base)

    def changed(self, variant: str) -> dict[str, Any]:
        """Return the options that a variant changes, with their values."""
        old, new = self.base.options, self.variants[variant].options
        return {name: value for name, value in new.items() if old.get(name) != value}
