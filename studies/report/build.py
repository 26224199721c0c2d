"""From a study directory to a report: measure, choose, say."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from simcore.errors import InputError
from simcore.game import get_game
from studies.balance import Balance, measure
from studies.balance.results import TableBalance
from studies.library.balance import quoted
from studies.compare.effects import compare
from studies.compare.results import Comparison
from studies.design.study import BASELINE
from studies.report.content import Material, Report, Section
from studies.report.sections import ALL
from studies.report.sections.length import main_length
from studies.report.sections.luck import luck_answer
from studies.report.sections.variants import elsewhere, main_effects
from studies.report.sentences import (
    at_point,
    drama_sentences,
    effect_sentence,
    ladder_sentence,
    length_sentence,
    range_sentence,
    seat_changes,
    seat_sentence,
    who,
)
from studies.report.tiles import by_skill, tiles
from studies.report.titles import titled, titles
from studies.run.sensitivity import kept_rankings
from studies.show.population_tables import population_sentences
from studies.stats.intervals import LEVEL
from studies.store.documents import read_provenance
from studies.version import VERSION

MOST_EFFECTS_IN_THE_ANSWER = 3
FEWEST_DEALS_OF_SNIPPETS = 2
"""A snippet knows bounds from the spread of deals."""


def build(
    directory: Path, level: float = LEVEL, step: Callable[[str], None] = lambda _: None
) -> Report:
    """Build the report of a study directory.

    Parameters
    ----------
    step : callable
        Is told what is done now.

    Raises
    ------
    InputError
        If the directory is no study directory, is damaged, or holds no matches of any table with
        the unchanged rules.
    """
    step("measures tables")
    balance = measure(directory, level)
    if not any(table.variant == BASELINE for table in balance.tables):
        raise InputError(
            f"{directory} holds no matches with the unchanged rules yet; `cardlab run` plays them"
        )
    restricted = {one.duel.lineup for one in balance.restrictions}
    step("compares variants")
    comparison = compare(directory, level, unrated=restricted)
    names = titles(directory, comparison)
    shown = titled(balance, comparison, names)
    material = Material(
        directory=str(directory),
        balance=shown[0],
        comparison=shown[1],
        ratings=comparison.ratings or [],
        provenance=read_provenance(directory),
        variants={title: name for name, title in names.items()},
        rankings=kept_rankings(directory),
    )
    game = get_game(balance.game)
    found = [section(material) for section in ALL]
    sections = [section for section in found if section is not None]
    if material.of_sums or material.reference.deals < FEWEST_DEALS_OF_SNIPPETS:
        sections = [dataclasses.replace(section, recipes=[]) for section in sections]
    matches = sum(table.matches for table in balance.tables)
    lineups = {table.lineup for table in balance.tables}
    point = at_point(material.main_point)
    return Report(
        title=material.comparison.title or f"How does {quoted(game.title)} play?",
        subtitle=(
            f"Balance report of {game.title} ({game.kind}): {matches:,} simulated matches, "
            f"{len(lineups)} line-up{'' if len(lineups) == 1 else 's'}"
            + (f"; mainly {point}" if point else "")
        ),
        game=game.name,
        tiles=tiles(material),
        tiles_of=who(material.reference),
        by_skill=by_skill(material),
        answer=list(answer(material)),
        assumptions=[text.rstrip(".") for text in material.comparison.assumptions],
        policies=sorted(
            {name.partition("(")[0] for table in balance.tables for name in table.strategies}
        ),
        places={
            material.name(table): (at_point(table.point), table.lineup)
            for table in material.baseline
        },
        sections=sections,
        numbers=_numbers(balance, comparison, material),
        version=VERSION,
    )


def answer(material: Material) -> Iterator[str]:
    """Yield the main findings."""
    reference = material.reference
    over = population_sentences(material.comparison)
    yield from itertools.islice(over, MOST_EFFECTS_IN_THE_ANSWER)
    if material.comparison.variants and material.effects():
        effects = main_effects(material)
        table = next(own for own in material.main if own.lineup == effects[0].lineup)
        start = f"With {who(table)}, "
        variants = [effect for effect in effects if not effect.control]
        if len(variants) > MOST_EFFECTS_IN_THE_ANSWER:
            comparison = material.comparison
            superlatives = comparison.superlatives or []
            yield range_sentence(effects, start, superlatives, comparison.level)
            failed = [one for one in effects if one.control and one.winners_differ_count]
            yield from (effect_sentence(effect, start) for effect in failed)
        else:
            for effect in effects:
                told = effect_sentence(effect, start), elsewhere(material, effect)
                yield " ".join(filter(None, told))
    yield seat_sentence(reference)
    yield from list(seat_changes(material.effects(reference.lineup)))[:1]
    yield length_sentence(reference, main_length(reference))
    if reference.drama is not None:
        yield " ".join(list(drama_sentences(reference))[:2])
    if material.ladder is not None and (text := ladder_sentence(material.ladder)):
        yield text
    yield from luck_answer(material)


def _numbers(balance: Balance, comparison: Comparison, material: Material) -> dict[str, object]:
    """Return all that the report shows, as plain data; variants by their names in the study.

    Distributions go without their counts; those are what the Parquet files hold.
    """
    shown = [
        table
        for table in balance.tables
        if table.variant == BASELINE or table.lineup == material.reference.lineup
    ]
    return {
        "balance": _plain(dataclasses.replace(balance, tables=shown)),
        "comparison": _plain(comparison),
        "ratings": _plain(material.ratings),
        "sensitivity": _plain(material.rankings),
    }


_LEFT_OUT = ("counts",)


def _plain(value: Balance | TableBalance | Comparison | object) -> object:
    """Return dataclasses as dictionaries, numbers that JSON does not know as null."""
    if isinstance(value, float):
        return float(f"{value:.10g}") if abs(value) < float("inf") else None
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: _plain(getattr(value, name)) for name in _names(type(value))}
    return value


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    """Return the fields of a dataclass that are shown."""
    return tuple(own.name for own in dataclasses.fields(kind) if own.name not in _LEFT_OUT)


__all__ = ["Section", "answer", "build"]
