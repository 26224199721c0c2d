"""Main effects and interactions of the factors of a study, by deal.

Every row of the design is a cell on the same deals, so that each effect is a contrast of them: the
mean over the rows at a level less the mean over those at the first level; of two factors, the
difference of two such differences, y_11 - y_10 - y_01 + y_00, each y a mean over the rows with
these two levels. An interaction is thus what one factor's effect gains where the other is turned,
as of two variants that stand alone and together (it is not halved, as some textbooks do).

In a full design these are means over all combinations of the other factors. In a fraction each
contrast takes up others, too: `mixed_with` says which of one or two factors, and how much; those of
three and more are taken to be 0 (G. E. P. Box, J. S. Hunter 1961, Technometrics 3:311). A Plackett–
Burman design tells no interactions, and its main effects only if there are hardly any.

A main effect is the mean over levels of the others: where its interactions are large it says little
of any one of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from simcore.game import Game
from simcore.options import Value, show
from studies.compare.by_group import (
    EffectGroups,
    Outcome,
    combined,
    grouped_by,
    shared_outcomes,
    table_of,
)
from studies.compare.contrast_results import FactorEffect, Factorial, Finding, told_fields
from studies.design.factors import levels_of
from studies.design.study import FULL, PLACKETT_BURMAN, Study
from studies.stats.contrasts import Contrast, tell_family

_NOTHING = 1e-9


@dataclass(frozen=True)
class Effect:
    """What is told of one factor or two.

    Attributes
    ----------
    levels : dict
        Factor -> the place of its level, which is compared with the first.
    mixed_with : dict of str to float
        Other effects, and how much of each the contrast takes up.
    """

    levels: dict[str, int]
    mixed_with: dict[str, float]


def factorial(
    study: Study,
    game: Game,
    planned: Collection[str],
    effects: Sequence[EffectGroups],
    level: float,
) -> Factorial:
    """Return the main effects and interactions of a study's factors, as one family.

    Parameters
    ----------
    planned : collection of str
        The variants that are rows of the design. Tables that lack one of them are left out.
    """
    assert study.factors is not None
    levels = levels_of(study, game)
    rows_played = [effect for effect in effects if effect.variant in planned]
    asked: list[tuple[FactorEffect, Outcome, Contrast]] = []
    found: list[FactorEffect] = []
    for table in grouped_by(rows_played, table_of):
        if len(table) < len(planned):
            continue
        rows = [_row(effect, levels) for effect in table]
        for one in _effects(study.factors.design, levels, [dict.fromkeys(levels, 0), *rows]):
            weights = _weights(one.levels, [dict.fromkeys(levels, 0), *rows])[1:]
            used = [(own, w) for own, w in zip(table, weights, strict=True) if w]
            told = FactorEffect(
                factors=list(one.levels),
                levels=[levels[name][place] for name, place in one.levels.items()],
                label=label_of(one.levels, levels),
                mixed_with=one.mixed_with,
                lineup=table[0].lineup,
                point=table[0].point,
                deals=min(own.deals for own in table),
                outcomes=[],
            )
            found.append(told)
            asked += [
                (told, key, combined([own for own, _ in used], [w for _, w in used], key))
                for key in shared_outcomes(table)
            ]
    answers = tell_family([contrast for _, _, contrast in asked], level)
    for (told, key, _), answer in zip(asked, answers, strict=True):
        told.outcomes.append(Finding(**told_fields(key.of, key.who, key.number, answer)))
    return Factorial(
        design=study.factors.design,
        levels=dict(levels),
        variants=sorted(planned),
        effects=found,
    )


def label_of(places: Mapping[str, int], levels: Mapping[str, Sequence[Value]]) -> str:
    """Name an effect: its factors, with the level where there are more than two."""
    return " × ".join(
        name if len(levels[name]) == 2 else f"{name}={show(levels[name][place])}"
        for name, place in places.items()
    )


def _row(effect: EffectGroups, levels: Mapping[str, Sequence[Value]]) -> dict[str, int]:
    """Return the place of the level of each factor in a cell."""
    return {
        name: list(own).index(effect.changed[name][1]) if name in effect.changed else 0
        for name, own in levels.items()
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


def _effects(
    design: str, levels: Mapping[str, Sequence[Value]], rows: Sequence[Mapping[str, int]]
) -> Iterator[Effect]:
    """Yield what a design tells: of interactions that are wholly mixed only the first."""
    single = [{name: place} for name, own in levels.items() for place in range(1, len(own))]
    pairs = [
        {**one, **other}
        for one, other in itertools.combinations(single, 2)
        if list(one) != list(other)
    ]
    if design == FULL:
        yield from (Effect(places, {}) for places in (*single, *pairs))
        return
    signs = {
        label_of(places, levels): np.prod(
            [[2 * row[name] - 1 for row in rows] for name in places], axis=0
        )
        for places in (*single, *pairs)
    }
    mains = {label_of(places, levels) for places in single}
    told: set[str] = set()
    for places in single if design == PLACKETT_BURMAN else (*single, *pairs):
        name = label_of(places, levels)
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
        yield Effect(dict(places), mixed)
