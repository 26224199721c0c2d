"""The first page of a comparison: what fits on a screen or two, and where the rest is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console, RenderableType
from rich.text import Text

from studies.compare.results import Comparison
from studies.design.study import MATCHES
from studies.show.contrast_tables import factor_table
from studies.show.rating_tables import position_table, rating_tables, share_table
from studies.show.sentences import sentences
from studies.show.tables import aborted_note, outcome_table

LINES = 48
"""At most; with what stands on stderr a page of some sixty."""

MOST_SENTENCES = 6
"""Where there are more, the first table goes before them."""

Block = tuple[str, RenderableType]


def print_page(console: Console, comparison: Comparison, directory: Path) -> None:
    """Print the answer to a study in at most `LINES` lines, and say how to see the rest.

    First comes a sentence a variant, then a table a line-up, as far as they fit; where there are
    many variants and no population, the first table goes first. A study without variants begins
    with its ratings.
    """
    left = LINES - 9
    if comparison.title:
        console.print(comparison.title, style="bold")
        left -= 1
    said = list(sentences(comparison))
    parts: list[list[RenderableType]] = [
        [Text(heading, style="bold"), table] for heading, table in _blocks(comparison)
    ]
    told: list[list[RenderableType]] = [[f"• {text}"] for text in said]
    # Many sentences say one by one what the first table shows at a glance; of a population they say
    # what no table of one line-up shows.
    ahead = len(said) <= MOST_SENTENCES or comparison.population is not None
    parts = told + parts if ahead else parts[:1] + told + parts[1:]
    omitted = 0
    for part in parts:
        height = sum(_height(console, one) for one in part)
        if height > left:
            omitted += 1
            continue
        for one in part:
            console.print(one)
        left -= height
    aborted = sum(result.aborted for result in comparison.lineups)
    aborted += sum(effect.aborted[1] for effect in comparison.variants)
    if aborted:
        console.print(aborted_note(aborted), style="dim")
    console.print(
        f"Intervals: {100 * comparison.level:g} % each, by deal; `cardlab compare` explains them.",
        style="dim",
    )
    more = f" ({omitted} more sentences and tables)" if omitted else ""
    console.print(f"All of it{more}: cardlab compare {directory}", style="dim")
    if comparison.detail == MATCHES:
        console.print(f"With figures: cardlab report {directory}", style="dim")


def _height(console: Console, shown: RenderableType) -> int:
    return len(console.render_lines(shown, pad=False))


def _blocks(comparison: Comparison) -> Iterator[Block]:
    """Yield what a page can hold, the most telling first."""
    ratings = comparison.ratings or []
    if not comparison.variants:
        for rating in ratings:
            yield from rating_tables(rating, many=len(ratings) > 1)
    for lineup in dict.fromkeys(result.lineup for result in comparison.lineups):
        yield from _of_lineup(comparison, lineup)


def _of_lineup(comparison: Comparison, lineup: str) -> Iterator[Block]:
    effects = [effect for effect in comparison.variants if effect.lineup == lineup]
    results = [result for result in comparison.lineups if result.lineup == lineup]
    rules = ", unchanged rules" if comparison.variants else ""
    of = ", of decided matches" if any(result.aborted for result in results) else ""
    if found := factor_table(comparison, lineup):
        yield found
    if effects:
        yield f"Line-up {lineup}: what changes on the same deals", outcome_table(effects)
    if any(len(result.policies) > 1 for result in results):
        yield f"Line-up {lineup}: policies (per seat held{rules}{of})", share_table(results)
    elif not effects:
        yield f"Line-up {lineup}: win rate by position{rules}{of}", position_table(results)
