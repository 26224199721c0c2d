"""How matches run: length and pace."""

from __future__ import annotations

from studies.balance.results import Distribution, TableBalance
from studies.plots import length_curves, quantile_ranges, share_dots
from studies.report.content import Grid, Item, Material, Picture, Section, matches_of
from studies.report.recipes import Recipe, recipe
from studies.report.recipes import matches as snippets
from studies.report.recipes.pieces import (
    MEAN,
    QUANTILE,
    RATIO,
    SHARE,
    TABLE,
    WINNERS,
)
from studies.report.sentences import (
    ending_sentence,
    length_sentence,
    pace_sentence,
    whole,
)
from studies.report.sentences.words import needs_matches
from studies.show.wording import count, mean, percent
from studies.stats.intervals import Interval


def shown_tables(material: Material) -> list[TableBalance]:
    """Return the populations, and the reference at the other sweep points."""
    wanted = (*material.populations, *material.everywhere(material.reference))
    return list({table.cell: table for table in wanted}.values())


def main_length(table: TableBalance) -> Distribution:
    """Return the distribution by which length is shown: the game's own measure, or moves."""
    return next((own for own in table.lengths if own.name != "rounds"), table.moves)


def length(material: Material) -> Section:
    """Return the section on length and pace."""
    if material.of_sums:
        return _of_means(material)
    reference, level = material.reference, material.balance.level
    curves = [(table.lineup, main_length(table)) for table in material.populations]
    name = main_length(reference).name
    tables = shown_tables(material)
    ranges = [(material.name(table), main_length(table)) for table in tables]
    median = main_length(reference).quantiles[0.5].estimate
    said = [length_sentence(reference, main_length(reference)), pace_sentence(reference)]
    said.append(ending_sentence(reference))
    said += [length_sentence(table, main_length(table)) for table in material.populations[:-1]]
    forced = any(table.forced.estimate > 0 for table in tables)
    if not forced:  # said at once, as no figure shows it
        said[:2] = [" ".join(said[:2])]
    items: list[Item] = [
        Picture(
            name="length-curves",
            alt=(
                f"Distribution functions of the length for {count(len(curves), 'table')}. At "
                f"{reference.lineup} half of the matches take at most {median:,.0f} {name}."
            ),
            caption=(
                f"Share of matches that take at most so many {name}; {name}: "
                f"{main_length(reference).meaning}; n = "
                f"{matches_of([table.matches for table in material.populations])} matches each; "
                f"shades: {100 * level:g} % bands for each whole curve (Massart 1990)."
            ),
            draw=lambda narrow: length_curves(curves, name, level=level, narrow=narrow),
        ),
        Picture(
            name="length-ranges",
            alt=(
                "Median, quartiles and middle 90 % of the length for "
                f"{count(len(ranges), 'table')}."
            ),
            caption=(
                f"Length in {name}: median, middle half (thick), middle 90 % (thin); a spread of "
                "matches, not an interval of an estimate, which is in the table; n = "
                f"{matches_of([table.matches for table in tables])} matches each."
            ),
            draw=lambda narrow: quantile_ranges(ranges, name, narrow=narrow),
        ),
        Picture(
            name="forced",
            alt=f"Share of forced moves for {count(len(tables), 'table')}.",
            caption=(
                "Moves that are forced: only one is legal; n = "
                f"{matches_of([table.matches for table in tables])} matches each; bars: "
                f"{100 * level:g} % intervals of a ratio over deals."
            ),
            draw=lambda narrow: share_dots(
                [material.name(table) for table in tables],
                {"forced moves": [table.forced for table in tables]},
                "forced moves, %",
                narrow=narrow,
            ),
        ),
        _length_grid(material),
    ]
    if not forced:
        items = [own for own in items if not isinstance(own, Picture) or own.name != "forced"]
    if all(len(found.counts) == 1 for _, found in curves):
        items = items[1:]  # Every match is as long: nothing to draw a curve of.
    return Section(
        name="length",
        title="Length and pace",
        sentences=said,
        items=items,
        recipes=_length_recipes(material),
    )


def _of_means(material: Material) -> Section:
    """Return what sums tell: means, and how matches end."""
    told = [length_sentence(table, main_length(table)) for table in reversed(material.populations)]
    reference = material.reference
    said = [told[0], pace_sentence(reference), ending_sentence(reference), *told[1:]]
    said.append(needs_matches("How lengths are spread (their median, or what the longest take)"))
    note = "“(?)”: sums do not tell how far off this may be."
    return Section("length", "Length and pace", said, [_length_grid(material)], [note])


def reference_values(material: Material) -> dict[str, object]:
    """Return what all snippets on the reference table begin with."""
    return {
        "directory": material.directory,
        "cell": material.reference.cell,
        "players": material.reference.players,
        "level": material.balance.level,
    }


def _length_recipes(material: Material) -> list[Recipe]:
    table, values = material.reference, reference_values(material)
    found, outcomes = main_length(table), table.outcomes
    made: list[tuple[str, Interval, str, str, dict[str, object]]] = [
        ("median of moves", table.moves.quantiles[0.5], QUANTILE, snippets.MOVES, {"percent": 50}),
        (
            "95th percentile of moves",
            table.moves.quantiles[0.95],
            QUANTILE,
            snippets.MOVES,
            {"percent": 95},
        ),
        ("real decisions a match", table.decisions, MEAN, snippets.METRIC, {"metric": "decisions"}),
        ("share of forced moves", table.forced, RATIO, snippets.FORCED, {}),
        ("share of aborted matches", outcomes.aborted.share, SHARE, snippets.ABORTED, {}),
        ("share of shared wins", outcomes.shared.share, WINNERS + SHARE, snippets.SHARED, {}),
    ]
    if found is not table.moves:
        metric: dict[str, object] = {"metric": found.name}
        made += [
            (f"mean of {found.name}", found.mean, MEAN, snippets.METRIC, metric),
            (
                f"99th percentile of {found.name}",
                found.quantiles[0.99],
                QUANTILE,
                snippets.LENGTH,
                {"percent": 99, **metric},
            ),
        ]
    return [
        recipe(f"{table.lineup}: {name}", shows, TABLE, piece, code, **values, **more)
        for name, shows, piece, code, more in made
    ]


def _length_grid(material: Material) -> Grid:
    rows = []
    for table in material.baseline:
        for own in (*table.lengths, table.moves):
            first = own is (*table.lengths, table.moves)[0]
            rows.append(
                [
                    material.name(table) if first else "",
                    own.name,
                    mean(own.mean),
                    *(whole(own.quantiles[q]) if own.quantiles else "–" for q in (0.5, 0.95, 0.99)),
                    mean(table.decisions) if first else "",
                    percent(table.forced) if first else "",
                    percent(table.outcomes.shared.share) if first else "",
                    percent(table.outcomes.aborted.share) if first else "",
                    f"{table.matches:,}" if first else "",
                ]
            )
    return Grid(
        caption=(
            "Length, decisions and endings by table, unchanged rules (quantiles with "
            "order-statistic intervals)"
        ),
        columns=[
            "table",
            "in",
            "mean",
            "median",
            "95 %",
            "99 %",
            "decisions",
            "forced %",
            "shared %",
            "aborted %",
            "matches",
        ],
        rows=rows,
        words=2,
    )
