"""What options change together: factors of a design, and variants that stand alone and together."""

from __future__ import annotations

from collections.abc import Sequence

from simcore.options import show_all
from studies.compare.contrast_results import FactorEffect, Finding, Interaction
from studies.plots import contrasts
from studies.report.content import Grid, Item, Material, Picture, Section
from studies.show.contrast_tables import (
    contrast_notes,
    contrast_sentences,
    outcome_name,
    scale_of,
    telling,
    who_of,
)
from studies.show.wording import change, p_value
from studies.stats.intervals import Interval

MOST_DRAWN = 24
"""Rows of the figure."""

Own = FactorEffect | Interaction
Row = tuple[str, Sequence[tuple[str, Interval]]]
"""A row of the figure: its name, and the contrasts by policy."""


def together(material: Material) -> Section | None:
    """Return the section, or None where a study has neither factors nor interactions."""
    comparison = material.comparison
    factors = comparison.factors.effects if comparison.factors else []
    found: list[Own] = [*factors, *comparison.interactions]
    if not found:
        return None
    items: list[Item] = []
    if drawn := _rows(material, found):
        items.append(_picture(material, found, drawn))
    return Section(
        name="together",
        title="What options change together",
        sentences=list(contrast_sentences(comparison)),
        items=[*items, _grid(found)],
        notes=list(contrast_notes(comparison)),
    )


def _label(own: Own) -> str:
    return own.label if isinstance(own, FactorEffect) else f"{own.first} × {own.second}"


def _wins(own: Own) -> list[tuple[str, Interval]]:
    """Return the contrasts of win rates: by policy, or by position where one sits alone."""
    found = telling(own.outcomes, positions=False)
    return [(who_of(one), one.contrast) for one in found if one.number == "win_share"]


def _rows(material: Material, found: Sequence[Own]) -> list[Row]:
    """Return what the figure shows: the contrasts of the first line-up at the main point."""
    here = [own for own in found if own.point == material.main_point] or list(found)
    mixed = [own for own in here if any(one.of == "policy" for one in own.outcomes)]
    lineup = next((own.lineup for own in mixed if len(_wins(own)) > 1), here[0].lineup)
    rows: list[Row] = [(_label(own), _wins(own)) for own in here if own.lineup == lineup]
    names = [name for name, _ in rows[0][1]]
    same = [row for row in rows if [name for name, _ in row[1]] == names]
    return same[:MOST_DRAWN] if names else []


def _picture(material: Material, found: Sequence[Own], rows: list[Row]) -> Picture:
    level = f"{100 * material.comparison.level:g} %"
    label, (who, largest) = max(
        ((name, one) for name, own in rows for one in own), key=lambda row: abs(row[1][1].estimate)
    )
    deals = min(own.deals for own in found)
    return Picture(
        name="together",
        alt=(
            f"Main effects and interactions of win rates. The largest estimate: {label}, {who}, "
            f"{change(largest, 100)} points."
        ),
        caption=(
            "What options change, and what they change together beyond their sum, of the win rate "
            f"per seat in percentage points, paired by deal; n = {deals:,} deals each; bars: "
            f"{level} intervals by deal, each for itself."
        ),
        draw=lambda narrow: contrasts(rows, narrow=narrow),
    )


def _grid(found: Sequence[Own]) -> Grid:
    def row(own: Own, one: Finding) -> list[str]:
        at = show_all(own.point)
        return [
            _label(own),
            f"{own.lineup}, {at}" if at else own.lineup,
            outcome_name(one),
            who_of(one),
            change(one.contrast, scale_of(one)),
            p_value(one.corrected),
        ]

    return Grid(
        caption="All main effects and interactions (p corrected over each family)",
        columns=["effect", "table", "outcome", "who", "contrast", "p"],
        rows=[row(own, one) for own in found for one in telling(own.outcomes, positions=False)],
        words=4,
    )
