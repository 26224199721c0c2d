"""Contrasts across variants and across points of a sweep, as sums of estimates.

*Interactions*: if a study has two variants and their combination (recognised by the options that
each changes), the change by both together less the changes by each alone. *Factors*: a main effect
is the mean over the rows of the design at a level less the mean at the first level; a two-factor
interaction is y11 - y10 - y01 + y00. *Points*: a number, or a change, at one point of the sweep
less the same at another point that differs in one key.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from studies.answers.estimate import Estimate
from studies.answers.frame_builder import FrameBuilder
from studies.answers.levels import Key
from studies.answers.table import Place
from studies.measures import BASELINE

if TYPE_CHECKING:
    from studies.answers.table import TableAnswers

_KEPT_BYTES = 1 << 28
"""Memory for the estimates kept while points are compared."""
_BYTES = 24
"""Bytes of one number of an estimate, for each group of deals."""
_ALL_PAIRS = 4
"""The most values of a sweep key to compare in all pairs; with more, each with the first."""


def add_within(builder: FrameBuilder, table: TableAnswers, study: Any = None) -> None:
    """Add the interactions of a table's variants, and the effects of factors."""
    planned: list[str] = []
    if study is not None and getattr(study, "factors", None) is not None:
        planned = [variant for variant in table.variants if variant not in study.variants]
        _add_factors(builder, table, study, planned)
    _add_interactions(builder, table, set(planned))


def weighted(estimates: Sequence[Estimate], weights: Sequence[float]) -> Estimate:
    """Return a weighted sum of estimates of the same deals."""
    # Terms of weight 0 are left out: 0 times an infinite bound would make the sum's bounds NaN.
    first, *others = (term * by for term, by in zip(estimates, weights, strict=True) if by)
    for term in others:
        first = first + term
    return first


def _is_contrasted(key: Key) -> bool:
    """Whether contrasts of a number are reported."""
    return key.kind in ("win_rate", "score", "metric", "measure")


def _is_compared(key: Key) -> bool:
    """Whether points of the sweep are compared in a number."""
    of_match = key.kind in ("metric", "measure") and not key.who.startswith("policy")
    return key.kind == "win_rate" or of_match


def _changes(
    table: TableAnswers, variants: Iterable[str]
) -> tuple[list[tuple[str, str]], dict[str, Estimate]]:
    """Return the names of the numbers that have contrasts, and what each variant changes."""
    shown = [at for at, key in enumerate(table.keys) if _is_contrasted(key)]
    changes = {variant: table.change(variant)[shown] for variant in variants}
    return [table.keys[at].name for at in shown], changes


# ---- interactions


def _add_interactions(builder: FrameBuilder, table: TableAnswers, planned: set[str]) -> None:
    alone = {
        variant: {name: repr(value) for name, value in table.changed(variant).items()}
        for variant in table.variants
        if variant not in planned
    }
    together = {
        tuple(sorted(changed.items())): variant for variant, changed in alone.items() if changed
    }
    combined = []
    for first, second in itertools.combinations(alone, 2):
        if not alone[first] or not alone[second] or set(alone[first]) & set(alone[second]):
            continue
        both = together.get(tuple(sorted({**alone[first], **alone[second]}.items())))
        if both is not None:
            combined.append((first, second, both))
    names, changes = _changes(table, dict.fromkeys(itertools.chain.from_iterable(combined)))
    for first, second, both in combined:
        builder.add(
            table.place,
            f"{first} × {second}",
            "interaction",
            names,
            changes[both] - changes[first] - changes[second],
            against=both,
            family="interactions",
            null=0.0,
            simultaneous=True,
        )


# ---- factors


def _add_factors(
    builder: FrameBuilder, table: TableAnswers, study: Any, planned: Sequence[str]
) -> None:
    from simcore.options import show
    from studies.design.factors import levels_of

    factors = {name: list(values) for name, values in levels_of(study, study.known_game).items()}
    # The rows of the design, by the index of each factor's level; the baseline changes nothing.
    rows = [dict.fromkeys(factors, 0)]
    for variant in planned:
        changed = table.changed(variant)
        rows.append({n: v.index(changed[n]) if n in changed else 0 for n, v in factors.items()})
    combinations = itertools.product(*map(range, map(len, factors.values())))
    if {tuple(row.values()) for row in rows} != set(combinations):
        return  # some row of the design has no matches yet
    names, changes = _changes(table, planned)
    for places in effects(factors):
        weights = np.zeros(len(rows))
        for corner in itertools.product((0, 1), repeat=len(places)):
            wanted = {
                n: at * turned for (n, at), turned in zip(places.items(), corner, strict=True)
            }
            here = np.array([all(row[n] == at for n, at in wanted.items()) for row in rows])
            weights += (-1) ** (len(places) - sum(corner)) * here / here.sum()
        title = (
            name if len(factors[name]) == 2 else f"{name}={show(factors[name][at])}"
            for name, at in places.items()
        )
        builder.add(
            table.place,
            " × ".join(title),
            "factor",
            names,
            weighted(list(changes.values()), weights[1:].tolist()),
            family="factors",
            null=0.0,
            simultaneous=True,
        )


def effects(factors: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, int]]:
    """Yield main effects, then two-factor interactions: factor -> index of its level."""
    single = [{name: place} for name, levels in factors.items() for place in range(1, len(levels))]
    yield from single
    for first, second in itertools.combinations(single, 2):
        if list(first) != list(second):
            yield {**first, **second}


# ---- points of the sweep


def add_points(builder: FrameBuilder, tables: Sequence[TableAnswers]) -> None:
    """Add the differences between points of the sweep."""
    lineups: dict[str, list[TableAnswers]] = {}
    for table in tables:
        lineups.setdefault(table.place.lineup, []).append(table)
    for members in lineups.values():
        pairs = list(_neighbours(members))
        if not pairs:
            continue
        changed = dict.fromkeys(variant for table in members for variant in table.variants)
        variants = [BASELINE, *changed]
        at_once = _variants_at_once(members)
        for start in range(0, len(variants), at_once):
            some = variants[start : start + at_once]
            # Table by table, because the sums of all variants of a table are loaded together.
            known = {
                (id(table), variant): table.numbers(variant, _is_compared)
                for table in members
                for variant in some
                if variant == BASELINE or variant in table.variants
            }
            for variant, (later, earlier, against) in itertools.product(some, pairs):
                sides = known.get((id(later), variant)), known.get((id(earlier), variant))
                if None not in sides:
                    _add_pair(builder, later.place, variant, sides, against)


def _variants_at_once(tables: Sequence[TableAnswers]) -> int:
    """Return how many variants' estimates for all tables fit into `_KEPT_BYTES`."""
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
            for earlier in firsts:
                for later in line[line.index(earlier) + 1 :]:
                    yield later, earlier, f"{key} = {show(earlier.place.point[key])}"


def _add_pair(
    builder: FrameBuilder, place: Place, variant: str, sides: tuple[Any, Any], against: str
) -> None:
    both = [name for name in sides[0][0] if name in sides[1][0]]
    later, earlier = (numbers[[names.index(name) for name in both]] for names, numbers in sides)
    builder.add(
        place,
        variant,
        "point",
        both,
        later - earlier,
        against=against,
        family="points",
        null=0.0,
        unpaired=(later, earlier),
    )
