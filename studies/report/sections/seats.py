"""Whether it matters where one sits."""

from __future__ import annotations

from simcore.game import get_game
from studies.balance.results import Seats, TableBalance
from studies.design.study import BASELINE
from studies.plots import seat_map
from studies.report.content import Grid, Material, Picture, Section, aborted_of, matches_of
from studies.report.recipes import Recipe, recipe
from studies.report.recipes import matches as snippets
from studies.report.recipes.pieces import DISTANCES, MEAN, SHARE, SHARE_OF_DECIDED, TABLE, WINNERS
from studies.report.sentences import seat_changes, seat_sentence
from studies.show.wording import mean, p_value, percent

MOST_ROWS = 24


def seats(material: Material) -> Section:
    """Return the section."""
    reference = material.reference
    first = get_game(material.balance.game).first_seat_meaning
    by_count = material.everywhere(reference)
    tables = list({table.cell: table for table in (*material.populations, *by_count)}.values())
    rows = [(material.name(table), table) for table in tables]
    items: list[Picture | Grid] = [*_map(material, "seat-tables", rows, "table")]
    variants = [
        table
        for table in material.balance.tables
        if table.lineup == reference.lineup and table.point == reference.point
    ]
    if len(variants) > 1:
        rows = [(_variant(table), table) for table in variants[:MOST_ROWS]]
        items += _map(material, "seat-variants", rows, f"variant, at {reference.lineup}")
    items.append(_grid(material))
    said = [seat_sentence(table) for table in reversed(material.populations)]
    said += [seat_sentence(table) for table in by_count if table is not reference]
    said += seat_changes(material.effects(reference.lineup))
    return Section(
        name="seats",
        title="Seats",
        sentences=said,
        items=list(items),
        notes=[
            (
                f"Position 0, the seat that begins, is {first}; the second seat is position 1, and "
                "so on, clockwise."
            ),
            "Tables share their deals, so what chance does to a position shows in all rows.",
            (
                "Sentence, marks and table come from the same intervals, which hold together for "
                "all positions of a table."
            ),
        ],
        recipes=_recipes(material, reference),
    )


def _recipes(material: Material, table: TableBalance) -> list[Recipe]:
    values = {
        "directory": material.directory,
        "cell": table.cell,
        "level": material.balance.level,
        "position": 0,
        "players": table.players,
    }
    share, ranks = table.positions.win_share[0], table.positions.rank
    name = f"{table.lineup}: win rate of position 0"
    made = [
        recipe(name, share, TABLE, WINNERS, SHARE, SHARE_OF_DECIDED, snippets.POSITION, **values)
    ]
    if ranks is not None and table.outcomes.aborted.count < table.matches:
        pieces = (TABLE, WINNERS, MEAN, DISTANCES, snippets.RANK)
        made.append(recipe(f"{table.lineup}: mean rank of position 0", ranks[0], *pieces, **values))
    return made


def _variant(table: TableBalance) -> str:
    return "unchanged rules" if table.variant == BASELINE else table.variant


def _map(
    material: Material, name: str, rows: list[tuple[str, TableBalance]], what: str
) -> list[Picture]:
    """Return the figure of tables at which matches were decided, or none."""
    rows = [row for row in rows if row[1].decided]
    if not rows:
        return []
    shown: list[tuple[str, Seats]] = [(label, table.positions) for label, table in rows]
    widest = max(rows, key=lambda row: row[1].positions.spread / row[1].positions.even)
    aborted = aborted_of([table for _, table in rows])
    half = max((found.high - found.low) / 2 for _, own in shown for found in own.win_share)
    picture = Picture(
        name=name,
        alt=(
            f"Map of win rates by position, {len(rows)} rows. The largest distance between two "
            f"positions is {100 * widest[1].positions.spread:.1f} points, at {widest[0]}."
        ),
        caption=(
            f"Wins by position in %, one row a {what}; of decided matches; ▲ and ▼: "
            f"clear of the even share, by simultaneous {100 * material.balance.level:g} % "
            f"intervals over a row's positions (Wilson, Šidák), none wider than "
            f"±{100 * half:.1f} points; colour: distance from even; n = "
            f"{matches_of([table.decided for _, table in rows])} decided matches a row{aborted}."
        ),
        draw=lambda narrow: seat_map(shown, narrow=narrow),
    )
    return [picture]


def _grid(material: Material) -> Grid:
    rows = []
    for table in material.baseline:
        own = table.positions
        for position, found in enumerate(own.win_share):
            first = position == 0
            rows.append(
                [
                    material.name(table) if first else "",
                    str(position),
                    percent(found),
                    "–" if own.rank is None else mean(own.rank[position]),
                    f"{100 * own.even:.1f}" if first else "",
                    (p_value(own.p) if own.p == own.p else "–") if first else "",
                    f"{table.decided:,}" if first else "",
                    percent(table.outcomes.aborted.share) if first else "",
                ]
            )
    return Grid(
        caption=(
            "Win rate and mean final rank by position among decided matches, unchanged rules "
            "(simultaneous intervals; p: all positions equal, by the same intervals)"
        ),
        columns=[
            "table",
            "position",
            "win rate %",
            "mean rank",
            "even %",
            "p",
            "decided",
            "aborted %",
        ],
        rows=rows,
    )
