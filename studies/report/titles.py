"""Names as words: variants by titles, of the study file or of what they set, and policies."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from simcore.options import show
from studies.balance import Balance
from studies.compare.results import Comparison
from studies.design.study import BASELINE
from studies.store.documents import read_study

LONGEST = 44
"""Letters of a made title; a variant that sets more keeps its name."""


def titles(directory: Path, comparison: Comparison) -> dict[str, str]:
    """Return the title of each variant of a study, all of them different."""
    study = read_study(directory)
    given = study.titles if study else {}
    own = study.changes if study else {}
    made: dict[str, str] = {}
    for effect in comparison.variants:
        # What the study sets; options that follow from it need no words.
        changed: Mapping[str, object] = own.get(effect.variant) or {
            option: values[1] for option, values in effect.changed.items()
        }
        made.setdefault(effect.variant, given.get(effect.variant) or _made(effect.variant, changed))
    names = list(made.values())
    return {name: title if names.count(title) == 1 else name for name, title in made.items()}


def _made(name: str, changed: Mapping[str, object]) -> str:
    parts = [_part(option, value) for option, value in changed.items()]
    title = " and ".join(parts)
    return title if 0 < len(title) <= LONGEST else name.replace("_", " ")


def _part(option: str, value: object) -> str:
    words = option.replace("_", " ")
    if value is True:
        return words
    if value is False:
        return f"no {words}"
    return f"{words}: {show(value).replace('_', ' ')}"


def titled(
    balance: Balance, comparison: Comparison, names: Mapping[str, str]
) -> tuple[Balance, Comparison]:
    """Return what was measured, with variants under their titles."""

    def of(name: str) -> str:
        return names.get(name, name)

    tables = [
        table
        if table.variant == BASELINE
        else dataclasses.replace(table, variant=of(table.variant))
        for table in balance.tables
    ]
    variants = [
        dataclasses.replace(effect, variant=of(effect.variant)) for effect in comparison.variants
    ]
    most = comparison.superlatives
    if most is not None:
        most = [
            dataclasses.replace(one, variant=of(one.variant), against=of(one.against))
            for one in most
        ]
    pairs = [
        dataclasses.replace(
            one, first=of(one.first), second=of(one.second), together=of(one.together)
        )
        for one in comparison.interactions
    ]
    same = [dataclasses.replace(one, variant=of(one.variant)) for one in comparison.sameness]
    drawn = comparison.population
    if drawn is not None:
        over = [dataclasses.replace(one, variant=of(one.variant)) for one in drawn.effects]
        drawn = dataclasses.replace(drawn, effects=over)
    return (
        dataclasses.replace(balance, tables=tables),
        dataclasses.replace(
            comparison,
            variants=variants,
            superlatives=most,
            interactions=pairs,
            sameness=same,
            population=drawn,
        ),
    )


def speaker(policies: Collection[str]) -> Callable[[str], str]:
    """Return a function that writes the policies' names in a text as words.

    "all_rounder" becomes "all-rounder", the line-up "all_rounder-hitter" "all-rounder – hitter".
    """
    if not policies:
        return lambda text: text
    longest_first = sorted(policies, key=len, reverse=True)
    name = f"(?:{'|'.join(map(re.escape, longest_first))})"
    lineup = re.compile(rf"(?<![\w-]){name}(?:-{name})*(?![\w-])")

    def spoken(text: str) -> str:
        return lineup.sub(lambda found: found[0].replace("-", " – ").replace("_", "-"), text)

    return spoken
