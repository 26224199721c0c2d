"""How matches run: length, pace, drama."""

from __future__ import annotations

from collections.abc import Sequence

from studies.balance.found import Distribution, TableBalance
from studies.intervals import Interval
from studies.plots import lead_changes, length_curves, quantile_ranges, share_dots
from studies.report.content import Grid, Item, Material, Picture, Section, matches_of
from studies.report.recipes import Recipe, recipe
from studies.report.recipes import matches as snippets
from studies.report.recipes.pieces import (
    DISTANCES,
    MEAN,
    QUANTILE,
    RATIO,
    SHARE,
    SHARE_OF_WON,
    TABLE,
    WINNERS,
)
from studies.report.sentences import (
    drama_sentences,
    ending_sentence,
    length_sentence,
    pace_sentence,
)
from studies.wording import mean, percent


def _tables(material: Material) -> list[TableBalance]:
    """Return the populations, and the reference at the other sweep points."""
    wanted = (*material.populations, *material.everywhere(material.reference))
    return list({table.cell: table for table in wanted}.values())


def main_length(table: TableBalance) -> Distribution:
    """Return the distribution by which length is shown: the game's own measure, or moves."""
    return next((own for own in table.lengths if own.name != "rounds"), table.moves)


def length(material: Material) -> Section:
    """Return the section on length and pace."""
    reference, level = material.reference, material.balance.level
    curves = [(table.lineup, main_length(table)) for table in material.populations]
    name = main_length(reference).name
    what = f"{name} ({main_length(reference).meaning})"
    tables = _tables(material)
    ranges = [(material.name(table), main_length(table)) for table in tables]
    median = main_length(reference).quantiles[0.5].estimate
    said = [length_sentence(reference, main_length(reference)), pace_sentence(reference)]
    said.append(ending_sentence(reference))
    said += [length_sentence(table, main_length(table)) for table in material.populations[:-1]]
    items: list[Item] = [
        Picture(
            name="length-curves",
            alt=(
                f"Distribution functions of the length for {len(curves)} tables. At "
                f"{reference.lineup} half of the matches take at most {median:,.0f} {name}."
            ),
            caption=(
                f"Share of matches that take at most so many {what}, by table; n = "
                f"{matches_of([table.matches for table in material.populations])} matches each; "
                f"shades: {100 * level:g} % bands for each whole curve (Massart 1990)."
            ),
            draw=lambda narrow: length_curves(curves, name, level=level, narrow=narrow),
        ),
        Picture(
            name="length-ranges",
            alt=f"Median, quartiles and middle 90 % of the length for {len(ranges)} tables.",
            caption=(
                f"Length in {name} by table: stroke: median; thick: middle half of the matches; "
                "thin: middle 90 % (a spread of matches, not an interval of an estimate; those are "
                f"in the table); n = {matches_of([table.matches for table in tables])} matches "
                "each."
            ),
            draw=lambda narrow: quantile_ranges(ranges, name, narrow=narrow),
        ),
        Picture(
            name="forced",
            alt=f"Share of forced moves for {len(tables)} tables.",
            caption=(
                "Share of moves that are forced (one legal move), by table; n = "
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
    if all(len(found.counts) == 1 for _, found in curves):
        items = items[1:]  # Every match is as long: nothing to draw a curve of.
    return Section(
        name="length",
        title="Length and pace",
        sentences=said,
        items=items,
        recipes=_length_recipes(material),
    )


def _values(material: Material) -> dict[str, object]:
    """Return what all snippets on the reference table begin with."""
    return {
        "directory": material.directory,
        "cell": material.reference.cell,
        "players": material.reference.players,
        "level": material.balance.level,
    }


def _length_recipes(material: Material) -> list[Recipe]:
    table, values = material.reference, _values(material)
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
                    *(_quantile(own, q) for q in (0.5, 0.95, 0.99)),
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


def _quantile(own: Distribution, q: float) -> str:
    found = own.quantiles[q]
    low, high = (
        f"{bound:,.0f}" if abs(bound) < float("inf") else "?" for bound in (found.low, found.high)
    )
    return f"{found.estimate:,.0f} ({low}–{high})"


def drama(material: Material) -> Section:
    """Return the section on lead changes, comebacks and runaway leaders."""
    reference = material.reference
    tables = _tables(material)
    level = f"{100 * material.balance.level:g} %"
    items: list[Item] = []
    counted = [
        (table.lineup, table.drama.lead_changes)
        for table in material.populations
        if table.drama.lead_changes is not None and any(table.drama.lead_changes.counts)
    ]
    matches = matches_of([table.matches for table in tables])
    if counted:
        meaning = counted[0][1].meaning
        items.append(
            Picture(
                name="lead-changes",
                alt=f"Distribution of the number of lead changes for {len(counted)} tables.",
                caption=(
                    f"Share of matches by number of lead changes ({meaning}); n = "
                    f"{matches_of([table.matches for table in material.populations])} matches "
                    "each; no bars: means with intervals are in the table."
                ),
                draw=lambda narrow: lead_changes(counted, narrow=narrow),
            )
        )
    series = {
        "first leader leads throughout": [table.drama.led_throughout for table in tables],
        "close": [table.drama.close for table in tables],
        "runaway": [table.drama.runaway for table in tables],
    }
    several = [place for place, table in enumerate(tables) if table.players > 2]
    chosen = {
        name: [found[place].share for place in several if found[place] is not None]  # type: ignore[union-attr]
        for name, found in series.items()
    }
    shown: dict[str, Sequence[Interval]] = {
        name: found for name, found in chosen.items() if found and len(found) == len(several)
    }
    if shown:
        items.append(
            Picture(
                name="drama-shares",
                alt=f"Shares of matches led throughout, close, runaway for {len(several)} tables.",
                caption=(
                    "Share of matches won by who led first without any change of lead; close: the "
                    "winner is ahead by at most a tenth of the distance between first and last; "
                    "runaway: by half of it or more; tables of three and more; n = "
                    f"{matches} matches each, less those that nobody won; bars: {level} Wilson "
                    "intervals, by deal."
                ),
                draw=lambda narrow: share_dots(
                    [material.name(tables[place]) for place in several],
                    shown,
                    "matches, %",
                    narrow=narrow,
                ),
            )
        )
    items.append(_drama_grid(material))
    return Section(
        name="drama",
        title="Drama",
        sentences=[" ".join(drama_sentences(table)) for table in reversed(material.populations)],
        items=items,
        lead=_meaning(reference),
        notes=[
            (
                f"{_lead(reference)}How likely a leader is to win at a given moment is not in a "
                "match's row."
            ),
        ],
        recipes=_drama_recipes(material),
    )


def _meaning(table: TableBalance) -> str:
    """Say what the words of the section mean, where they are used."""
    if table.drama.close is None:
        return ""
    return (
        "A match ends close when the win is shared or the winner is ahead by at most a tenth of "
        "the distance between first and last; the winner runs away when ahead by half of it or "
        "more."
    )


def _drama_recipes(material: Material) -> list[Recipe]:
    table, drama, values = material.reference, material.reference.drama, _values(material)
    if not drama.margin.matches:
        return []
    margins = (WINNERS, RATIO, SHARE, SHARE_OF_WON, DISTANCES)
    made: list[tuple[str, Interval, tuple[str, ...], dict[str, object]]] = [
        (
            "median margin",
            drama.margin.quantiles[0.5],
            (WINNERS, DISTANCES, QUANTILE, snippets.MARGIN),
            {"percent": 50},
        )
    ]
    if drama.lead_changes is not None and drama.led_throughout is not None:
        mean_pieces, led = (MEAN, snippets.METRIC), drama.led_throughout.share
        made += [
            (
                "lead changes a match",
                drama.lead_changes.mean,
                mean_pieces,
                {"metric": drama.lead_changes.name},
            ),
            (
                "led throughout",
                led,
                (RATIO, SHARE, SHARE_OF_WON, snippets.LED_THROUGHOUT),
                {},
            ),
        ]
    if drama.close is not None and drama.runaway is not None:
        made += [
            ("close matches", drama.close.share, (*margins, snippets.CLOSE), {}),
            ("runaway matches", drama.runaway.share, (*margins, snippets.RUNAWAY), {}),
        ]
    return [
        recipe(f"{table.lineup}: {name}", shows, TABLE, *pieces, **values, **more)
        for name, shows, pieces, more in made
    ]


def _lead(table: TableBalance) -> str:
    """Say by what the lead is judged."""
    counted = table.drama.lead_changes
    return "" if counted is None else f"The lead is judged by scores; changes: {counted.meaning}. "


def _drama_grid(material: Material) -> Grid:
    rows = []
    for table in material.baseline:
        own = table.drama
        rows.append(
            [
                material.name(table),
                "–" if own.lead_changes is None else mean(own.lead_changes.mean),
                "–" if own.led_throughout is None else percent(own.led_throughout.share),
                _quantile(own.margin, 0.5),
                _quantile(own.margin, 0.95),
                "–" if own.close is None else percent(own.close.share),
                "–" if own.runaway is None else percent(own.runaway.share),
                f"{own.margin.matches:,}",
            ]
        )
    return Grid(
        caption="Lead changes and margins by table, unchanged rules (matches with a winner)",
        columns=[
            "table",
            "lead changes",
            "led throughout %",
            "median margin",
            "95 % margin",
            "close %",
            "runaway %",
            "matches",
        ],
        rows=rows,
    )
