"""Contrasts across variants and across points of a sweep, as sums of estimates.

*Interactions*: where two variants stand alone and together (which follows from the options that
each changes), what they change together less what each changes alone. *Factors*: an effect is the
mean over the rows of the design at a level less that over those at the first level; of two factors
the difference of two such differences, y11 - y10 - y01 + y00. In a fraction each effect takes up
others, which `against` names; those of three factors and more are taken to be 0. *Points*: a
number, or a change, at one point of the sweep less that at another which differs in one key.

Sources
-------
- G. E. P. Box, J. S. Hunter (1961), Technometrics 3:311: fractions and what is mixed in them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from studies.answers.book import Book, Place
from studies.answers.estimate import Estimate, stack
from studies.answers.levels import ANOTHER

if TYPE_CHECKING:
    from studies.answers.frame import TableAnswers

_NOTHING = 1e-9
_KEPT_BYTES = 1 << 28
"""Of estimates that are kept while points are compared."""
_BYTES = 24
"""Of a number of an estimate, for each group of deals."""
_ALL_PAIRS = 4
"""Values of a sweep key up to which all pairs are compared; of more each with the first."""


def add_within(book: Book, table: TableAnswers, study: Any = None) -> None:
    """Add the interactions of a table's variants, and the effects of factors."""
    planned: list[str] = []
    if study is not None and getattr(study, "factors", None) is not None:
        planned = [variant for variant in table.variants if variant not in study.variants]
        _add_factors(book, table, study, planned)
    _add_interactions(book, table, set(planned))


def weighted(estimates: Sequence[Estimate], weights: Sequence[float]) -> Estimate:
    """Return a weighted sum of estimates of the same deals."""
    # Without a weight a number counts for nothing, though it has no bounds.
    first, *others = (one * by for one, by in zip(estimates, weights, strict=True) if by)
    for one in others:
        first = first + one
    return first


def _told(table: TableAnswers) -> list[int]:
    """Return the indices of the numbers for which contrasts are reported."""
    return [
        at
        for at, key in enumerate(table.keys)
        if key.kind in ("win_rate", "score", "metric", "measure")
    ]


# ---- interactions


def _add_interactions(book: Book, table: TableAnswers, planned: set[str]) -> None:
    alone = {
        variant: {name: repr(value) for name, value in table.changed(variant).items()}
        for variant in table.variants
        if variant not in planned
    }
    together = {tuple(sorted(own.items())): variant for variant, own in alone.items() if own}
    shown = _told(table)
    named = [(table.keys[at].who, table.keys[at].number) for at in shown]
    changes: dict[str, Estimate] = {}
    for one, two in itertools.combinations(alone, 2):
        if not alone[one] or not alone[two] or set(alone[one]) & set(alone[two]):
            continue
        both = together.get(tuple(sorted({**alone[one], **alone[two]}.items())))
        if both is None:
            continue
        for variant in (one, two, both):
            if variant not in changes:
                changes[variant] = table.change(variant)[shown]
        book.add(
            "interaction",
            table.place,
            f"{one} × {two}",
            named,
            changes[both] - changes[one] - changes[two],
            against=both,
            family="interactions",
            null=0.0,
            at_once=True,
        )


# ---- factors


@dataclass(frozen=True)
class Effect:
    """The effect of one factor, or the interaction of two.

    Attributes
    ----------
    places : dict
        Factor -> the place of its level, which is compared with the first.
    mixed : dict of str to float
        Other effects, and how much of each the contrast takes up.
    """

    name: str
    places: dict[str, int]
    mixed: dict[str, float]


def _add_factors(book: Book, table: TableAnswers, study: Any, planned: Sequence[str]) -> None:
    from studies.design.factors import design_rows, levels_of

    factors = levels_of(study, study.known_game)
    rows = [dict.fromkeys(factors, 0)]
    rows += [_row(table, variant, factors) for variant in planned]
    whole = design_rows(study.factors.design, [len(own) for own in factors.values()])
    if {tuple(row.values()) for row in rows} != set(whole):
        return  # nothing was played yet of some row
    shown = _told(table)
    named = [(table.keys[at].who, table.keys[at].number) for at in shown]
    changes = [table.change(variant)[shown] for variant in planned]
    for effect in effects(study.factors.design, factors, rows):
        book.add(
            "factor",
            table.place,
            effect.name,
            named,
            # The first row is the baseline, which changes nothing.
            weighted(changes, _weights(effect.places, rows)[1:]),
            against=", ".join(f"{share:+g} {name}" for name, share in effect.mixed.items()),
            family="factors",
            null=0.0,
            at_once=True,
        )


def _row(table: TableAnswers, variant: str, factors: Mapping[str, Sequence[Any]]) -> dict[str, int]:
    """Return the place of the level of each factor in a variant's cell."""
    changed = table.changed(variant)
    return {
        name: list(own).index(changed[name]) if name in changed else 0
        for name, own in factors.items()
    }


def _weights(places: Mapping[str, int], rows: Sequence[Mapping[str, int]]) -> list[float]:
    """Return the weight of each row in an effect of one factor or two."""
    found = np.zeros(len(rows))
    for corner in itertools.product((0, 1), repeat=len(places)):
        wanted = {
            name: place * turned
            for (name, place), turned in zip(places.items(), corner, strict=True)
        }
        here = [all(row[name] == place for name, place in wanted.items()) for row in rows]
        sign = (-1) ** (len(places) - sum(corner))
        found += sign * np.array(here) / sum(here)
    return [float(weight) for weight in found]


def effects(
    design: str, factors: Mapping[str, Sequence[Any]], rows: Sequence[Mapping[str, int]]
) -> Iterator[Effect]:
    """Yield the effects of a design; of fully confounded interactions only the first.

    Parameters
    ----------
    design : str
        "full", "resolution 4", "resolution 5", "plackett-burman"; of the last only main effects.
    factors : mapping of str to sequence
        Factor -> its levels.
    rows : sequence of mapping of str to int
        The place of each factor's level, the row of all first levels first.
    """
    single = [{name: place} for name, own in factors.items() for place in range(1, len(own))]
    pairs = [
        {**one, **two} for one, two in itertools.combinations(single, 2) if list(one) != list(two)
    ]
    asked = single if design == "plackett-burman" else [*single, *pairs]
    if design == "full":
        yield from (Effect(_name(places, factors), dict(places), {}) for places in asked)
        return
    signs = {
        _name(places, factors): np.prod(
            [[2 * row[name] - 1 for row in rows] for name in places], axis=0
        )
        for places in (*single, *pairs)
    }
    mains = {_name(places, factors) for places in single}
    told: set[str] = set()
    for places in asked:
        name = _name(places, factors)
        if name in told:
            continue
        mixed: dict[str, float] = {}
        for other, column in signs.items():
            share = float(np.mean(signs[name] * column))
            if other == name or abs(share) < _NOTHING:
                continue
            # Twice its coefficient in ±1 is a main effect, four times that of a pair.
            mixed[other] = share * (2 if other in mains else 1) / (2 if name in mains else 1)
            if abs(share) > 1 - _NOTHING:
                told.add(other)
        yield Effect(name, dict(places), mixed)


def _name(places: Mapping[str, int], factors: Mapping[str, Sequence[Any]]) -> str:
    """Name an effect: its factors, with the level where there are more than two."""
    from simcore.options import show

    return " × ".join(
        name if len(factors[name]) == 2 else f"{name}={show(factors[name][place])}"
        for name, place in places.items()
    )


# ---- points of the sweep


def add_points(book: Book, tables: Sequence[TableAnswers]) -> None:
    """Add the differences between points of the sweep."""
    lineups: dict[str, list[TableAnswers]] = {}
    for table in tables:
        lineups.setdefault(table.place.lineup, []).append(table)
    for members in lineups.values():
        pairs = list(_neighbours(members))
        if not pairs:
            continue
        changed = dict.fromkeys(variant for table in members for variant in table.variants)
        variants = ["", *changed]
        at_once = _variants_at_once(members)
        for start in range(0, len(variants), at_once):
            some = variants[start : start + at_once]
            # Table by table, as the sums of all variants of a table are loaded together.
            known = {
                (id(table), variant): _numbers(table, variant)
                for table in members
                for variant in some
                if not variant or variant in table.variants
            }
            for variant in some:
                for here, there, against in pairs:
                    one, other = (id(here), variant), (id(there), variant)
                    if one in known and other in known:
                        _add_pair(book, here.place, variant, known[one], known[other], against)


def _variants_at_once(tables: Sequence[TableAnswers]) -> int:
    """Return of how many variants the estimates of all tables fit into `_KEPT_BYTES`."""
    numbers = len(tables) * max(len(table.keys) for table in tables)
    return max(1, _KEPT_BYTES // (_BYTES * numbers * max(table.groups for table in tables)))


def _neighbours(
    tables: Sequence[TableAnswers],
) -> Iterator[tuple[TableAnswers, TableAnswers, str]]:
    """Yield pairs of tables that differ in one key of the sweep: later, earlier, its name."""
    from simcore.options import show

    keys = dict.fromkeys(key for table in tables for key in table.place.point)
    for key in keys:
        lines: dict[str, list[TableAnswers]] = {}
        for table in tables:
            if key in table.place.point:
                rest = {name: v for name, v in table.place.point.items() if name != key}
                lines.setdefault(repr(sorted(rest.items(), key=str)), []).append(table)
        for line in lines.values():
            firsts = line[: len(line) if len(line) <= _ALL_PAIRS else 1]
            for there in firsts:
                for here in line[line.index(there) + 1 :]:
                    yield here, there, f"{key} = {show(there.place.point[key])}"


Numbers = tuple[list[tuple[str, str]], Estimate]
"""Who and number of each, and the estimates."""


def _numbers(table: TableAnswers, variant: str) -> Numbers:
    """Return the numbers of a table that points are compared in."""
    shown = [
        at
        for at in _told(table)
        if table.keys[at].kind == "win_rate"
        or (table.keys[at].kind != "score" and not table.keys[at].who.startswith("policy"))
    ]
    names = [(table.keys[at].who, table.keys[at].number) for at in shown]
    found = (table.change(variant) if variant else table.level())[shown]
    moved = table.moved(variant) if variant else None
    if moved is None:
        return names, found
    return [*names, ("", ANOTHER)], stack([found, moved])


def _add_pair(
    book: Book, place: Place, variant: str, here: Numbers, there: Numbers, against: str
) -> None:
    both = [name for name in here[0] if name in there[0]]
    if not both:
        return
    one, two = (estimate[[names.index(name) for name in both]] for names, estimate in (here, there))
    book.add(
        "point",
        place,
        variant or "baseline",
        both,
        one - two,
        against=against,
        family="points",
        null=0.0,
        apart=(one, two),
    )
