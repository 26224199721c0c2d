"""How matches get to their winners: lead changes, comebacks, settled leads, margins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from studies.balance.results import Share, TableBalance
from studies.plots import lead_changes, length_curves, share_dots
from studies.report.content import Grid, Item, Material, Picture, Section, matches_of
from studies.report.recipes import Recipe, recipe
from studies.report.recipes import matches as snippets
from studies.report.recipes.pieces import (
    DISTANCES,
    QUANTILE,
    RATIO,
    SHARE,
    SHARE_OF_DECIDED,
    TABLE,
    WINNERS,
)
from studies.report.sections.length import reference_values, shown_tables
from studies.report.sentences import drama_sentences, whole
from studies.report.sentences.words import needs_matches
from studies.show.wording import count, mean, percent
from studies.stats.intervals import Interval


def drama(material: Material) -> Section:
    """Return the section on lead changes, comebacks, settled leads and margins."""
    if material.of_sums:
        why = needs_matches("How leads change, and how far behind winners once were,")
        return Section("drama", "Drama", [why])
    tables = [table for table in shown_tables(material) if table.lead.margin.matches]
    items: list[Item] = []
    if tables:
        items = [*_lead_changes(material), *_comebacks(material), *_shares(material, tables)]
    items += [_comeback_grid(material), _drama_grid(material)]
    return Section(
        name="drama",
        title="Drama",
        sentences=list(_said(material)),
        items=items,
        lead=_meaning(material.reference),
        notes=["How likely a leader is to win at a given moment is not in a match's row."],
        recipes=_recipes(material) if tables else [],
    )


def _said(material: Material) -> Iterator[str]:
    """Yield what is said of each table, the reference first: of it the course, then the end."""
    for table in reversed(material.populations):
        first = 2 if table is material.reference else None
        found = list(drama_sentences(table))
        yield " ".join(found[:first])
        if first and found[first:]:
            yield " ".join(found[first:])


def _meaning(table: TableBalance) -> str:
    """Say what the words of the section mean, where they are used."""
    counted = table.lead.lead_changes
    text = "The lead is judged by scores"
    if counted is not None:
        text += f"; its changes are {counted.meaning}"
    text += (
        ". A winner came from behind when once behind whoever led. A lead is settled from when the "
        "same seats lead to the end."
    )
    if table.lead.close is not None:
        text += (
            " A match ends close when the win is shared or the winner is ahead by at most a tenth "
            "of the distance between first and last; the winner runs away when ahead by half of "
            "it or more."
        )
    return text


def _lead_changes(material: Material) -> list[Item]:
    counted = [
        (table.lineup, table.lead.lead_changes)
        for table in material.populations
        if table.lead.lead_changes is not None and any(table.lead.lead_changes.counts)
    ]
    if not counted:
        return []
    return [
        Picture(
            name="lead-changes",
            alt=f"Distribution of the number of lead changes for {count(len(counted), 'table')}.",
            caption=(
                f"Share of matches by number of lead changes; {counted[0][1].meaning}; n = "
                f"{matches_of([table.decided for table in material.populations])} decided "
                "matches each; no bars: means with intervals are in the table."
            ),
            draw=lambda narrow: lead_changes(counted, narrow=narrow),
        )
    ]


def _comebacks(material: Material) -> list[Item]:
    tables = [table for table in material.populations if any(table.lead.comeback.counts)]
    if not tables:
        return []
    rows = [(table.lineup, table.lead.comeback) for table in tables]
    level = material.balance.level
    return [
        Picture(
            name="comebacks",
            alt=(
                "Distribution functions of how far the winner was once behind, "
                f"{count(len(rows), 'table')}."
            ),
            caption=(
                "Share of matches whose winner was never further behind than so many points; at 0: "
                "never behind; n = "
                f"{matches_of([own.matches for _, own in rows])} matches with a winner each; "
                f"shades: {100 * level:g} % bands for each whole curve (Massart 1990)."
            ),
            draw=lambda narrow: length_curves(
                rows,
                "points behind at most",
                of="winners never further behind, %",
                level=level,
                narrow=narrow,
            ),
        )
    ]


_KINDS: dict[str, Callable[[TableBalance], Share | None]] = {
    "came from behind": lambda table: table.lead.behind,
    "settled by half": lambda table: table.lead.by_half,
    "settled by a quarter": lambda table: table.lead.by_quarter,
}
_ENDS: dict[str, Callable[[TableBalance], Share | None]] = {
    "first leader leads throughout": lambda table: table.lead.led_throughout,
    "close": lambda table: table.lead.close,
    "runaway": lambda table: table.lead.runaway,
}


def _shares(material: Material, tables: Sequence[TableBalance]) -> list[Item]:
    several = [table for table in tables if table.players > 2]
    course = material.reference.lead.course.name
    items: list[Item] = []
    for name, kinds, own, text in (
        (
            "settled",
            _KINDS,
            tables,
            (
                "Winners once behind, and leads settled, not to change again, by a quarter and by "
                f"half of the {course}"
            ),
        ),
        (
            "drama-shares",
            _ENDS,
            several,
            (
                "Share of matches won by who led first without any change of lead, that end close, "
                "and in which the winner runs away; tables of three and more"
            ),
        ),
    ):
        shown = _series(kinds, own)
        if not shown:
            continue
        items.append(
            Picture(
                name=name,
                alt=f"Shares of matches ({', '.join(shown)}) for {count(len(own), 'table')}.",
                caption=(
                    f"{text}; n = {matches_of([table.lead.margin.matches for table in own])} "
                    f"matches with a winner each; bars: {100 * material.balance.level:g} % Wilson "
                    "intervals, by deal."
                ),
                draw=lambda narrow, own=own, shown=shown: share_dots(  # type: ignore[misc]
                    [material.name(table) for table in own], shown, "matches, %", narrow=narrow
                ),
            )
        )
    return items


def _series(
    kinds: dict[str, Callable[[TableBalance], Share | None]], tables: Sequence[TableBalance]
) -> dict[str, Sequence[Interval]]:
    """Return the shares of each kind that all tables have."""
    series: dict[str, Sequence[Interval]] = {}
    for name, of in kinds.items():
        found = [share.share for table in tables if (share := of(table)) is not None]
        if found and len(found) == len(tables):
            series[name] = found
    return series


def _recipes(material: Material) -> list[Recipe]:
    table, drama_, values = material.reference, material.reference.lead, reference_values(material)
    margins = (WINNERS, SHARE, SHARE_OF_DECIDED, DISTANCES)
    steps = table.players if drama_.course.name == "laps" else 1
    settled = {"metric": drama_.course.metric, "steps": steps, "part": 0.5}
    made: list[tuple[str, Interval, tuple[str, ...], dict[str, object]]] = [
        (
            "came from behind",
            drama_.behind.share,
            (SHARE, SHARE_OF_DECIDED, snippets.CAME_FROM_BEHIND),
            {},
        ),
        (
            "95th percentile of comebacks",
            drama_.comeback.quantiles[0.95],
            (QUANTILE, snippets.COMEBACK),
            {"percent": 95},
        ),
        (
            "settled by half",
            drama_.by_half.share,
            (SHARE, SHARE_OF_DECIDED, snippets.SETTLED),
            settled,
        ),
        (
            "median margin",
            drama_.margin.quantiles[0.5],
            (WINNERS, DISTANCES, QUANTILE, snippets.MARGIN),
            {"percent": 50},
        ),
    ]
    if drama_.lead_changes is not None and drama_.led_throughout is not None:
        metric: dict[str, object] = {"metric": drama_.lead_changes.name}
        led = drama_.led_throughout.share
        made += [
            (
                "lead changes a match",
                drama_.lead_changes.mean,
                (RATIO, snippets.METRIC_OF_WON),
                metric,
            ),
            ("led throughout", led, (SHARE, SHARE_OF_DECIDED, snippets.LED_THROUGHOUT), {}),
        ]
    if drama_.close is not None and drama_.runaway is not None:
        made += [
            ("close matches", drama_.close.share, (*margins, snippets.CLOSE), {}),
            ("runaway matches", drama_.runaway.share, (*margins, snippets.RUNAWAY), {}),
        ]
    return [
        recipe(f"{table.lineup}: {name}", shows, TABLE, *pieces, **values, **more)
        for name, shows, pieces, more in made
    ]


def _share(found: Share | None) -> str:
    if found is None or found.share.estimate != found.share.estimate:
        return "–"
    return percent(found.share)


def _comeback_grid(material: Material) -> Grid:
    return Grid(
        caption=(
            "Comebacks (points by which the winner was behind at most) and settled leads by table, "
            "unchanged rules (matches with a winner)"
        ),
        columns=[
            "table",
            "from behind %",
            "median",
            "95 %",
            "99 %",
            "settled by ¼ %",
            "by ½ %",
            "matches",
        ],
        rows=[
            [
                material.name(table),
                _share(table.lead.behind),
                *(whole(table.lead.comeback.quantiles[q]) for q in (0.5, 0.95, 0.99)),
                _share(table.lead.by_quarter),
                _share(table.lead.by_half),
                f"{table.lead.comeback.matches:,}",
            ]
            for table in material.baseline
            if table.lead.comeback.matches
        ],
    )


def _drama_grid(material: Material) -> Grid:
    rows = []
    for table in material.baseline:
        own = table.lead
        if not own.margin.matches:
            continue
        rows.append(
            [
                material.name(table),
                "–" if own.lead_changes is None else mean(own.lead_changes.mean),
                _share(own.led_throughout),
                whole(own.margin.quantiles[0.5]),
                whole(own.margin.quantiles[0.95]),
                _share(own.close),
                _share(own.runaway),
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
