"""Factorial studies: which combinations of the levels of several options are played.

`[factors]` names options with their levels. The first levels are those of the unchanged rules; each
row of the design is a variant's cell, on the same deals as all others. A full design has every
combination. Fractional designs of options with two levels come from pydoe:

- resolution 4: main effects are clear of interactions of two, which are mixed with one another;
- resolution 5: interactions of two are clear of one another, too;
- Plackett–Burman: the fewest cells; main effects are mixed with interactions of two.

They are turned so that the row of all first levels, which is the baseline, is among them. What the
cells tell is in `studies.answers.contrasts`.

Sources
-------
- G. E. P. Box, J. S. Hunter (1961), Technometrics 3:311 and 449: fractions by their resolution.
- R. L. Plackett, J. P. Burman (1946), Biometrika 33:305.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from simcore.errors import InputError
from simcore.game import Game
from simcore.options import Value, show
from studies.design.keys import OptionTable
from studies.design.study import BASELINE, FULL, PLACKETT_BURMAN, RESOLUTION_4, Study

PLAYERS = "players"
FEWEST_OF_A_FRACTION = 3
MOST_ROWS = 4_096
MOST_OF_A_FRACTION = 20
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
    _check_design(study.factors.design, levels)
    return levels


def _parsed(game: Game, name: str, value: object) -> Value:
    parsed: Any = game.parse_option(name, value)[1]
    found: Value = parsed
    return found


def _check_design(design: str, levels: Levels) -> None:
    if design == FULL:
        if (rows := math.prod(map(len, levels.values()))) > MOST_ROWS:
            raise InputError(
                f"factors: a full design of these levels has {rows:,} rows; allowed: at most "
                f'{MOST_ROWS:,}; design = "{RESOLUTION_4}" needs fewer'
            )
        return
    for name, values in levels.items():
        if len(values) != 2:
            raise InputError(
                f"factors: design {design!r} is refused with {len(values)} levels of {name!r}; "
                f'allowed: two levels of each option, or design = "{FULL}"'
            )
    if not FEWEST_OF_A_FRACTION <= len(levels) <= MOST_OF_A_FRACTION:
        raise InputError(
            f"factors: design {design!r} is refused with {len(levels)} options; allowed: "
            f'{FEWEST_OF_A_FRACTION} to {MOST_OF_A_FRACTION}, or design = "{FULL}"'
        )


def factor_variants(study: Study, levels: Levels) -> dict[str, OptionTable]:
    """Return the variants that the rows of the design are: name -> levels other than the first."""
    if study.factors is None:
        return {}
    variants: dict[str, OptionTable] = {}
    names = list(levels)
    for row in design_rows(study.factors.design, [len(own) for own in levels.values()]):
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


def design_rows(design: str, counts: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the rows of a design: the place of the level of each factor, first levels first.

    Parameters
    ----------
    counts : sequence of int
        Levels of each factor; two of each in a fractional design.
    """
    if design == FULL:
        return list(itertools.product(*map(range, counts)))
    import pydoe

    factors = len(counts)
    if design == PLACKETT_BURMAN:
        signs = pydoe.pbdesign(factors)
    else:
        signs = pydoe.fracfact_by_res(factors, 4 if design == RESOLUTION_4 else 5)
    turned = signs * -signs[0]  # the first row is that of all first levels
    return sorted(tuple(int(sign > 0) for sign in row) for row in turned)
