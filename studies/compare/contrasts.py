"""All contrasts of variants' effects that a study is asked for, each kind a family of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from simcore.game import get_game
from studies.compare.by_group import EffectGroups
from studies.compare.factorial import factorial
from studies.compare.interactions import interactions
from studies.compare.population import population
from studies.compare.results import Comparison
from studies.compare.sameness import sameness
from studies.design.study import Study


def with_contrasts(
    comparison: Comparison, effects: Sequence[EffectGroups], study: Study | None, rows: set[str]
) -> Comparison:
    """Return a comparison with what its variants' effects tell together.

    Parameters
    ----------
    study : Study or None
        As it was run last.
    rows : set of str
        The variants that are rows of its factorial design.
    """
    level = comparison.level
    named = [effect for effect in effects if effect.variant not in rows]
    found = replace(
        comparison,
        interactions=interactions(named, level),
        sameness=sameness(comparison, named, level),
        population=population(study, named, level) if study else None,
    )
    if study is None or study.factors is None:
        return found
    game = get_game(comparison.game)
    return replace(found, factors=factorial(study, game, rows, effects, level))
