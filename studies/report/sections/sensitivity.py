"""Which dial matters: what the directory keeps of `cardlab sensitivity`."""

from __future__ import annotations

from studies.plots import sensitivity_bars
from studies.report.content import Grid, Item, Material, Picture, Section
from studies.run.sensitivity import SensitivityResult, TableResult, table_words
from studies.show.sensitivity_tables import (
    HEADINGS,
    MEANING,
    bars,
    extent_sentence,
    ranking_rows,
    ranking_sentences,
)


def sensitivity(material: Material) -> Section | None:
    """Return the section, or None where nothing was asked."""
    found = material.rankings
    if not found:
        return None
    items: list[Item] = []
    for number, one in enumerate(found):
        items.append(_picture(one, f"sensitivity-{number + 1}"))
        items += [_grid(one, own) for own in one.tables]
    return Section(
        name="sensitivity",
        title="Which dial matters",
        sentences=[
            f"{_of(one, own)}: {' '.join([*ranking_sentences(own), extent_sentence(own)])}"
            for one in found
            for own in one.tables
        ],
        items=items,
        notes=[MEANING],
    )


def _of(one: SensitivityResult, own: TableResult) -> str:
    return f"{one.outcome}, {table_words(own)}"


def _picture(one: SensitivityResult, name: str) -> Picture:
    ranked = ", ".join(dial.dial for dial in one.tables[0].dials)
    return Picture(
        name=name,
        alt=f"Bars of the total and first-order index of each dial for {one.outcome}, the largest "
        f"total first: {ranked}.",
        caption=f"Which dial matters for {one.outcome}; {one.samples:,} base points, each on the "
        f"same {one.deals:,} deals; bars: {100 * one.level:g} % intervals",
        draw=lambda narrow: sensitivity_bars(bars(one), narrow=narrow),
    )


def _grid(one: SensitivityResult, own: TableResult) -> Grid:
    return Grid(
        caption=f"Sensitivity of {_of(one, own)}",
        columns=list(HEADINGS),
        rows=ranking_rows(own),
        words=2,
    )
