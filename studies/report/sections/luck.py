"""Luck against skill."""

from __future__ import annotations

from studies.balance.luck import SOURCES
from studies.balance.results import TableBalance
from studies.plots import ladder_steps, variance_bars
from studies.report.content import Grid, Item, Material, Picture, Section, matches_of
from studies.report.recipes import Recipe, recipe
from studies.report.recipes import skill as snippets
from studies.report.recipes.pieces import TABLE, WINNERS
from studies.report.sentences import ladder_sentence, luck_sentence
from studies.report.sentences.words import needs_matches
from studies.show.wording import count, percent

_NOTES = [
    (
        "All of this holds between these policies: the closer they are in strength, the "
        "less skill there is to see. Policies that play alike play much the same match on "
        "the same cards, which then decide more of it."
    ),
    (
        "Parts are estimated without bias: one that is not there may come out below 0, and "
        "the others then make up more than 100 %."
    ),
    "Sources of variance: " + "; ".join(f"{n}: {m}" for n, m in SOURCES.items()) + ".",
]


def luck(material: Material) -> Section | None:
    """Return the section on luck against skill; None when nothing in the study tells of it."""
    crossed = _crossed(material)
    level = f"{100 * material.balance.level:g} %"
    items: list[Item] = []
    told = _luck_told(material, crossed)
    said = [luck_sentence(table) for table in told]
    recipes: list[Recipe] = []
    known = [table for table in crossed if table.luck and table.luck.win.total > 0]
    if known:
        rows = [(table.lineup, table.luck.win) for table in known if table.luck]
        items.append(
            Picture(
                name="variance",
                alt=(
                    "Stacked bars: how the variance of who wins splits at "
                    f"{count(len(rows), 'table')}. " + said[0]
                ),
                caption=(
                    "What decides who wins, in % (stroke: what a policy that always won would "
                    "explain); variance of a seat's part in the win by source, at tables where "
                    f"every policy sits in every seat on every deal; {_beyond(known)}n = "
                    f"{matches_of([table.luck.deals for table in known if table.luck])} deals in "
                    f"all rotations{_left_out(known)}; no bars: {level} jackknife intervals are in "
                    "the table."
                ),
                draw=lambda narrow: variance_bars(rows, narrow=narrow),
            )
        )
        table = known[0]
        if table.luck is not None:
            recipes = [
                recipe(
                    f"{table.lineup}: shares of the variance of who wins",
                    table.luck.win.shares,
                    TABLE,
                    WINNERS,
                    snippets.VARIANCE,
                    directory=material.directory,
                    cell=table.cell,
                    players=table.players,
                    level=material.balance.level,
                )
            ]
    ladder = material.ladder
    if ladder is not None and ladder.steps:
        items.append(
            Picture(
                name="ladder",
                alt=ladder_sentence(ladder) or "",
                caption=(
                    "Skill ladder: wins of each policy against the next weaker one; share of "
                    "decided matches; strokes: even share; n = "
                    f"{matches_of([step.matches - step.aborted for step in ladder.steps])} decided "
                    f"matches each; bars: {level} Wilson intervals, by deal."
                ),
                draw=lambda narrow: ladder_steps(ladder.steps, narrow=narrow),
            )
        )
        said = [*filter(None, [ladder_sentence(ladder)]), *said]
    met = any(table.rotations > 1 and not table.alike for table in material.main)
    if material.of_sums and met:
        said.append(needs_matches("How much of who wins is luck, and how much skill,"))
    if not said:
        return None
    items.append(_luck_grid(material))
    return Section(
        name="luck",
        title="Luck against skill",
        sentences=said,
        items=[item for item in items if not isinstance(item, Grid) or item.rows],
        notes=[] if material.of_sums else _NOTES,
        recipes=recipes,
    )


def _beyond(known: list[TableBalance]) -> str:
    """Say what is odd about the bars, where it is."""
    found = [table.luck.win for table in known if table.luck]
    most = min(own.most for own in found)
    text = ""
    if most < 0.999:
        text += (
            f"with several seats for each policy the stroke stands at {100 * most:.0f} %, as "
            "chance decides which seat of the winning policy wins; "
        )
    if any(own.policy_of_most.estimate > 1.005 for own in found):
        text += "“policy” passes the stroke where seats of a policy share wins or win unequally; "
    if any(share.estimate < -0.005 for own in found for share in own.shares.values()):
        text += "parts estimated below 0 stand left of 0; "
    return text


def _left_out(known: list[TableBalance]) -> str:
    """Say how many deals with an aborted match are left out, at most."""
    parts = [own.left_out / (own.left_out + own.deals) for t in known if (own := t.luck)]
    return f" (up to {100 * max(parts):.1f} % have an aborted match and are left out)" * any(parts)


def _crossed(material: Material) -> list[TableBalance]:
    """Return the tables whose policies differ and sit everywhere; restricted play left out."""
    restricted = {one.duel.lineup for one in material.balance.restrictions}
    return [table for table in material.main if table.luck and table.lineup not in restricted]


def main_pairs(material: Material) -> list[TableBalance]:
    """Return the tables of the strongest two policies, and of the strongest and the weakest.

    How much is skill depends on who plays: the two bounds belong together.
    """
    crossed = _crossed(material)
    if material.ladder is None or len(material.ladder.order) < 2:
        return crossed[:1]
    order = material.ladder.order
    pairs = dict.fromkeys([frozenset(order[-2:]), frozenset((order[0], order[-1]))])
    told = [table for pair in pairs for table in crossed if set(table.strategies) == pair]
    return told or crossed[:1]


def luck_answer(material: Material) -> list[str]:
    """Return sentences on them."""
    return [luck_sentence(table) for table in main_pairs(material)]


def _luck_told(material: Material, crossed: list[TableBalance]) -> list[TableBalance]:
    """Return the tables that sentences are about: the steps of the ladder, where there is one."""
    ladder = material.ladder
    steps = {duel.lineup for duel in ladder.steps} if ladder else set()
    return [table for table in crossed if table.lineup in steps] or crossed


def _luck_grid(material: Material) -> Grid:
    rows = []
    for table in material.baseline:
        if table.luck is None:
            continue
        for outcome, parts in (("win", table.luck.win), ("score", table.luck.score)):
            told = parts.total > 0 and outcome == "win"
            rows.append(
                [
                    material.name(table) if outcome == "win" else "",
                    outcome,
                    *(percent(own) for own in parts.shares.values()),
                    f"{100 * parts.most:.1f}" if told else "–",
                    percent(parts.policy_of_most) if told else "–",
                    f"{table.luck.deals:,}",
                ]
            )
    return Grid(
        caption=(
            "Variance of the win and of the score, in % by source; what a policy that always won "
            "would explain, and policy as a part of it (jackknife intervals)"
        ),
        columns=["table", "of", *SOURCES, "always wins", "policy of it", "deals"],
        rows=rows,
        words=2,
    )
