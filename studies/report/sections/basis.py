"""Matches worth looking at, and what the report rests on."""

from __future__ import annotations

from collections.abc import Sequence

from simcore.game import get_game
from simcore.options import show, show_all
from studies.balance.notable import replay_command
from studies.balance.results import Notable, TableBalance
from studies.design.study import BASELINE
from studies.report.content import Commands, Grid, Item, Material, Section, matches_of
from studies.report.recipes import recipe
from studies.report.recipes.variants import P_VALUES
from studies.report.sentences import at_point, plays_at_random
from studies.report.sentences.words import needs_matches
from studies.show.wording import count
from studies.store.documents import Provenance

_WORDS = {
    "longest": "the longest that was played to its end: {value:,} moves",
    "closest": "the closest with one winner, whose lead is {value:,}",
    "clearest": "the clearest, with a lead of {value:,} at the end",
    "most lead changes": "the most changes of lead: {value:,}",
    "largest comeback": "the largest comeback: the winner was once {value:,} points behind",
    "aborted": "an aborted one, after {value:,} moves",
}
_LEAST = ("closest",)


def notable(material: Material) -> Section:
    """Return the section with matches worth looking at, among those of the main point."""
    if material.of_sums:
        why = needs_matches("Which matches are the longest, the closest and the most dramatic")
        return Section("notable", "Matches worth looking at", [why])
    game = get_game(material.balance.game)
    where = at_point(material.main_point)
    point = f"{where} and " if where else ""
    best: dict[str, tuple[Notable, TableBalance]] = {}
    skilled = [table for table in material.main if not any(map(plays_at_random, table.strategies))]
    # The reference table comes first: where another one has no more to show, it stays.
    for table in sorted(skilled or material.main, key=lambda own: own is not material.reference):
        for one in table.notable:
            if one.kind == "longest" and len(table.moves.counts) == 1:
                continue
            if one.kind == "most lead changes" and one.value == 0:
                continue
            held = best.get(one.kind)
            sign = -1 if one.kind in _LEAST else 1
            if held is None or sign * one.value > sign * held[0].value:
                best[one.kind] = one, table
    among = f"among tables without a random player, {point}" if skilled else point
    rows = [
        (
            f"{_WORDS[kind].format(value=one.value)} (table “{table.lineup}”)",
            replay_command(game, table, one),
        )
        for kind, (one, table) in best.items()
    ]
    return Section(
        name="notable",
        title="Matches worth looking at",
        sentences=[
            (
                f"Found {among}under the unchanged rules; the command plays a match again, move by "
                "move, from its seed and number."
            )
        ],
        items=[Commands(rows)],
    )


def basis(material: Material) -> Section:
    """Return the section on what the report rests on."""
    balance, comparison = material.balance, material.comparison
    tables = balance.tables
    matches = sum(table.matches for table in tables)
    seeds = ", ".join(str(seed) for seed in sorted({table.seed for table in tables}))
    told = material.provenance
    said = [
        (
            f"{matches:,} simulated matches in {count(len(tables), 'cell')}, seed {seeds}; all "
            f"cells play the same deals ({matches_of([table.deals for table in tables])} of them)."
        ),
        _aborted(tables),
        _version(told),
        "The numbers are those of these policies under these rules; people may play otherwise.",
    ]
    said += [f"Assumed: {text}." for text in (item.rstrip(".") for item in comparison.assumptions)]
    level = f"{100 * balance.level:g} %"
    notes = [
        (
            f"Each interval holds at {level} by itself, unless it is called simultaneous; the unit "
            f"is the deal with all its rotations. Of many intervals some miss. p Holm is corrected "
            f"over {comparison.tests_of_variants:,} changes of win rate."
        ),
        "Intervals are for a number of matches fixed beforehand" + _of_goal(material),
        (
            "Words such as “hardly ever”, “small” or “much” follow fixed bounds on the estimate; "
            "“cannot tell” means that the interval holds both no effect and one that would matter."
        ),
    ]
    if incomplete := [*balance.incomplete, *comparison.incomplete]:
        notes.append("Without matches as yet: " + "; ".join(dict.fromkeys(incomplete)) + ".")
    items: list[Item] = [_options(material), _tables(material), _changes(material)]
    shown = [item for item in items if not isinstance(item, Grid) or item.rows]
    notes += comparison.remarks
    every = recipe(
        "p-values, and all other numbers as data",
        {},
        P_VALUES,
        directory=material.directory,
        level=balance.level,
        restricted=[one.duel.lineup for one in balance.restrictions],
    )
    return Section("basis", "What it rests on", said, shown, notes, [every])


def _version(told: Provenance) -> str:
    """Say what played the matches, and when."""
    if not told.cardlab:
        return "Which version played them, and when, is not known."
    return f"cardlab {told.cardlab}, sources {told.source}, played {told.time}."


def _aborted(tables: Sequence[TableBalance]) -> str:
    """Say how many matches were aborted, and at which table most."""
    counts = {table.cell: table.outcomes.aborted.count for table in tables}
    aborted, matches = sum(counts.values()), sum(table.matches for table in tables)
    if not aborted:
        return f"None of {matches:,} matches was aborted."
    most = max(tables, key=lambda table: counts[table.cell])
    variant = "" if most.variant == BASELINE else f" under {most.variant}"
    point = at_point(most.point)
    return (
        f"{aborted:,} of {matches:,} matches ran into the cap on their length and were aborted: "
        "nobody won them. They are left out of win rates, seats, drama, luck and ratings, and "
        "named there; lengths count what was played of them. Up to "
        f"{counts[most.cell]:,} of {most.matches:,} are aborted at one table ({most.lineup}"
        f"{variant}{', ' if point else ''}{point})."
    )


def _of_goal(material: Material) -> str:
    """End the sentence on numbers of matches fixed beforehand."""
    goal = material.goal
    if goal is None:
        return "."
    if material.comparison.anytime:
        return ", but those that the goal names (below)."
    if goal.best:
        return ", and say somewhat too much of cells that fell behind and stopped early (below)."
    return (
        "; here cells stopped once the goal's intervals were narrow, which leaves them as they are "
        "(Chow & Robbins 1965)."
    )


def _options(material: Material) -> Grid:
    game = get_game(material.balance.game)
    options = material.reference.options
    return Grid(
        caption="Options of the unchanged rules",
        columns=["option", "value", "meaning", "rule"],
        rows=[
            [
                option.name,
                show(options[option.name]),
                option.meaning,
                f"house rule {option.rule}" if option.house else option.rule,
            ]
            for option in game.options
        ],
        words=4,
    )


def _changes(material: Material) -> Grid:
    effects = {effect.variant: effect for effect in material.comparison.variants}
    house = {option.name for option in get_game(material.balance.game).options if option.house}
    return Grid(
        caption="Variants",
        columns=["variant", "in the study", "changes", "house rule"],
        rows=[
            [
                name,
                material.variants[name],
                show_all({option: to for option, (_, to) in effect.changed.items()}) or "nothing",
                "" if house.isdisjoint(effect.changed) else "yes",
            ]
            for name, effect in effects.items()
        ],
        words=4,
    )


def _tables(material: Material) -> Grid:
    return Grid(
        caption="Tables (unchanged rules)",
        columns=["table", "seats", "rotations", "deals", "matches", "aborted", "cell"],
        rows=[
            [
                material.name(table),
                ", ".join(table.seats),
                str(table.rotations),
                f"{table.deals:,}",
                f"{table.matches:,}",
                f"{table.outcomes.aborted.count:,}",
                table.cell,
            ]
            for table in material.balance.tables
            if table.variant == BASELINE
        ],
        words=2,
    )
