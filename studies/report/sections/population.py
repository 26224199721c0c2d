"""What variants change over a population of tables: those that were drawn, and those to come."""

from __future__ import annotations

from studies.report.content import Grid, Material, Section
from studies.show.population_tables import (
    NUMBERS,
    WORDS,
    at_first_point,
    population_notes,
    population_rows,
    population_sentences,
    population_words,
)


def population(material: Material) -> Section | None:
    """Return the section, or None where a study has no population, or it tells nothing."""
    comparison = material.comparison
    found = comparison.population
    if found is None or not found.effects:
        return None
    return Section(
        name="population",
        title="Over the population of players",
        sentences=list(population_sentences(comparison)),
        lead=f"Over tables drawn at random ({population_words(found)}):",
        items=[
            Grid(
                caption="What each variant changes over the population",
                columns=[*WORDS, *NUMBERS],
                rows=population_rows(at_first_point(comparison), full=False),
                words=len(WORDS),
                opened=True,
            ),
            Grid(
                caption="All outcomes over the population",
                columns=[*WORDS, *NUMBERS],
                rows=population_rows(found.effects, full=True),
                words=len(WORDS),
            ),
        ],
        notes=list(population_notes(comparison)),
    )
