"""Factorial studies: every combination of the levels of several options is played.

`[factors]` names options with their levels. The first levels are those of the unchanged rules, the
baseline; each other combination is a variant's cell, on the same deals as all others. The effects
are estimated in `studies.answers.contrasts`.
"""

from __future__ import annotations

import itertools
import math

from simcore.errors import InputError
from simcore.game import Game
from simcore.options import Value, show
from studies.design.keys import OptionTable
from studies.design.study import Study
from studies.measures import BASELINE

PLAYERS = "players"
MOST_ROWS = 4_096
LONGEST_NAME = 80

Levels = dict[str, list[Value]]


def levels_of(study: Study, game: Game) -> Levels:
    """Return the levels of a study's factors as their game reads them; empty without factors."""
    if study.factors is None:
        return {}
    levels: Levels = {}
    for name, values in study.factors.levels.items():
        if name == PLAYERS:
            raise InputError(
                "factors: option 'players' is refused: tables of other sizes have other seats; "
                "allowed: any other option; players = [2, 3, 4] under [sweep]"
            )
        for table in ("options", "sweep"):
            if name in getattr(study, table):
                raise InputError(
                    f"factors: option {name!r} stands under {table}, too; allowed: in one of the "
                    "two (the first level is that of the unchanged rules)"
                )
        try:
            levels[name] = [_parsed(game, name, value) for value in values]
        except InputError as error:
            raise InputError(f"factors: {error}") from None
        shown = [show(value) for value in levels[name]]
        if len(shown) < 2 or len(set(shown)) < len(shown):
            raise InputError(
                f"factors: option {name!r} has the levels {', '.join(shown) or 'none'}; allowed: "
                "two or more, each once"
            )
    if not levels:
        raise InputError(
            "factors: no option is given; allowed: option = [levels], as in "
            'dirty_one = ["off", "always"]'
        )
    if (rows := math.prod(map(len, levels.values()))) > MOST_ROWS:
        raise InputError(
            f"factors: these levels have {rows:,} combinations; allowed: at most {MOST_ROWS:,}"
        )
    return levels


def _parsed(game: Game, name: str, value: object) -> Value:
    parsed: Value = game.parse_option(name, value)[1]  # type: ignore[assignment]
    return parsed


def factor_variants(study: Study, levels: Levels) -> dict[str, OptionTable]:
    """Return the rows of the design as variants: name -> levels other than the first."""
    if study.factors is None:
        return {}
    variants: dict[str, OptionTable] = {}
    names = list(levels)
    for row in itertools.product(*map(range, map(len, levels.values()))):
        places = {name: place for name, place in zip(names, row, strict=True) if place}
        if not places:
            continue
        changes = {name: levels[name][place] for name, place in places.items()}
        label = " + ".join(
            name if len(levels[name]) == 2 else f"{name}={show(value)}"
            for name, value in changes.items()
        )
        if label in study.variants or label == BASELINE:
            raise InputError(
                f"factors: variants.{label} is refused: a row of the design has this name; "
                "allowed: any other name"
            )
        given = study.factors.levels
        variants[label] = {name: given[name][place] for name, place in places.items()}
    return variants
