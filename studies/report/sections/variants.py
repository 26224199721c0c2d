"""How outcomes move under each variant."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from simcore.game import get_game
from simcore.options import show_all
from studies.compare.results import VariantEffect
from studies.deals.values import LENGTHS
from studies.design.study import BASELINE
from studies.plots import forest, gains
from studies.report.content import Grid, Item, Material, Picture, Section, matches_of
from studies.report.recipes import Recipe, recipe
from studies.report.recipes import variants as snippets
from studies.report.recipes.pieces import (
    CHANGE,
    CHANGE_OF_DECIDED,
    MEAN,
    PAIRS,
    SEQUENCE,
    SHARE,
    SHARE_OF_DECIDED,
    WINNERS,
)
from studies.report.sentences import (
    at_point,
    effect_sentence,
    gain_sentences,
    length_change,
    who,
)
from studies.report.sentences.words import capital, the_table
from studies.show.contrast_tables import sameness_row, sameness_sentence
from studies.show.variant_answers import variant_answers
from studies.show.wording import IN_PLAY, change, count, from_to, p_value, percent, share
from studies.stats.intervals import Interval
from studies.store.cellfile import stored_cells
from studies.store.stop_reasons import read_stops

MOST_LINEUPS = 4
MOST_POINTS = 6
"""Sweep points with a figure each, on one scale; further ones are in the tables."""

CHANGES = (WINNERS, MEAN, CHANGE, SHARE, SHARE_OF_DECIDED, CHANGE_OF_DECIDED)
"""Pieces of a snippet on changes of win rate."""


def variants(material: Material) -> Section | None:
    """Return the section, or None when the study has no variants."""
    effects = material.effects()
    if not effects:
        return None
    shown = main_effects(material)
    lineups = list(dict.fromkeys(effect.lineup for effect in effects))[:MOST_LINEUPS]
    mixed = next((effect.lineup for effect in effects if len(effect.policies) > 1), None)
    every = [_at(material, point) for point in material.points[:MOST_POINTS]]
    items: list[Item] = [
        _forest(material, [own for own in at if own.lineup in lineups], _reach(every), place)
        for place, at in enumerate(every)
        if any(own.lineup in lineups for own in at)
    ]
    if mixed is not None:
        gained = [[own for own in at if own.lineup == mixed] for at in every]
        items += [
            _gains(material, at, _furthest(gained), place) for place, at in enumerate(gained) if at
        ]
    items += [_outcomes(material), _policies(material), _differing(material)]
    said = [" ".join(_about(material, effect, mixed)) for effect in sorted(shown, key=_by_winners)]
    answers = variant_answers(material.comparison, material.main_point, shown[0].lineup)
    if text := " ".join(answers):
        said.insert(0, text)
    return Section(
        name="variants",
        title="What each variant changes",
        sentences=said,
        lead=(
            f"With {_who(material, shown[0])}, on the same deals with and without the variant (n = "
            f"{matches_of([effect.matches for effect in shown])} each):"
        ),
        items=[item for item in items if not isinstance(item, Grid) or item.rows],
        notes=[
            (
                f"Coupling: {material.comparison.coupling}. “Other winners” depends on it: the "
                "floor is the least share that any coupling allows, “independent” what it would "
                f"be on other cards. {IN_PLAY}"
            ),
            *_aborted_notes(effects),
        ],
        recipes=[] if material.of_sums else _recipes(material, shown),
    )


def _by_winners(effect: VariantEffect) -> tuple[bool, bool, float]:
    """Order effects: those that change the winners most often first, controls last."""
    share = effect.another_winner.estimate
    return effect.control, math.isnan(share), -share


def _about(material: Material, effect: VariantEffect, mixed: str | None) -> Iterator[str]:
    """Yield all that is said of a variant: outcomes, length, who gains."""
    yield effect_sentence(effect)
    if text := elsewhere(material, effect):
        yield text
    if text := length_change(effect, _metric(effect)):
        yield text
    if mixed is not None:
        for other in material.effects(mixed):
            if other.variant == effect.variant:
                yield from gain_sentences(other, material.comparison.level)


def elsewhere(material: Material, effect: VariantEffect) -> str | None:
    """Say whether a variant changes the winners as often at the other sweep points."""
    points = {show_all(point): at_point(point) for point in material.points}
    same = [
        one
        for one in material.comparison.sameness
        if (one.variant, one.lineup) == (effect.variant, effect.lineup)
    ]
    text = sameness_sentence(same, material.comparison.level, lambda name: points.get(name, name))
    return None if text is None else capital(text)


def main_effects(material: Material) -> list[VariantEffect]:
    """Return the effects that the sentences are about: those at the reference table."""
    effects = material.effects(material.reference.lineup)
    return effects or material.effects(material.effects()[0].lineup if material.effects() else None)


def _aborted_notes(effects: list[VariantEffect]) -> Iterator[str]:
    """Yield what holds of aborted matches, where there are any."""
    if any(effect.any_aborted for effect in effects):
        yield (
            "Aborted matches have no winner. “Another winner” is told of the matches that are "
            "decided both with and without the variant, “aborted in one” of all; floor and "
            "“independent” count “aborted” as one more outcome. Win rates and their changes are "
            "of the matches that are decided under the rules in question; scores and lengths "
            "count what was played of aborted matches, too."
        )


def _who(material: Material, effect: VariantEffect) -> str:
    table = next(table for table in material.main if table.lineup == effect.lineup)
    return who(table)


def _metric(effect: VariantEffect) -> str:
    return next((name for name in LENGTHS if name in effect.metrics), "")


def _at(material: Material, point: dict[str, object]) -> list[VariantEffect]:
    return [effect for effect in material.comparison.variants if effect.point == point]


def _reach(every: list[list[VariantEffect]]) -> float:
    """Return where the scale of all figures ends, in %."""
    ends = [own.another_winner.high for at in every for own in at if own.decided]
    return 100 * max([end for end in ends if math.isfinite(end)], default=1.0)


def _furthest(every: list[list[VariantEffect]]) -> float:
    """Return how far from 0 the scale of all figures of gains reaches, in points."""
    changes = [own.win_share.change for at in every for effect in at for own in effect.policies]
    ends = [abs(end) for found in changes for end in (found.low, found.high) if math.isfinite(end)]
    return 100 * max(ends, default=0.01)


def _shows(material: Material, what: str, effects: list[VariantEffect], place: int) -> str:
    """Begin a caption: what is shown, in full once, and at which sweep point of several."""
    if len(material.points) == 1:
        return what
    at = at_point(effects[0].point)
    return f"The same {at}" if place else f"{what}, {at}"


def _forest(material: Material, effects: list[VariantEffect], reach: float, place: int) -> Picture:
    level = f"{100 * material.comparison.level:g} %"
    aborted = any(effect.any_aborted for effect in effects)
    of = "matches decided both with and without the variant" if aborted else "matches"
    shows = f"Share of {of} that another player wins than under the unchanged rules"
    return Picture(
        name=f"forest-{place}" if place else "forest",
        at=at_point(effects[0].point) if len(material.points) > 1 else "",
        alt=f"Forest plot of {count(len(effects), 'effect')}. {_extremes(effects)}",
        caption=(
            f"{_shows(material, shows, effects, place)}; on the same deals, any other set of "
            f"winners counts; n = {matches_of([effect.decided for effect in effects])} matches "
            f"each; bars: {level} {_kind(material, aborted)}."
        ),
        draw=lambda narrow: forest(effects, reach=reach, narrow=narrow),
    )


def _extremes(effects: list[VariantEffect]) -> str:
    """Say which estimates are the largest and the smallest, of variants that change something."""
    known = [effect for effect in effects if effect.decided and not effect.control]
    if not known:
        return "No variant changes anything that can be told."
    most = max(known, key=lambda effect: effect.another_winner.estimate)
    least = min(known, key=lambda effect: effect.another_winner.estimate)
    return (
        f"Largest estimate: {most.variant} at {most.lineup}, "
        f"{percent(most.another_winner, ' %')}. Smallest: {least.variant} at {least.lineup}, "
        f"{percent(least.another_winner, ' %')}."
    )


def _kind(material: Material, aborted: bool) -> str:
    """Name the intervals that are drawn: of other winners, and of changes of win rates."""
    fixed = "intervals by deal, for a number of deals fixed beforehand, each for itself"
    if not material.comparison.anytime:
        return "intervals by deal, each for itself"
    sequences = "confidence sequences, which hold whenever a cell stops, each for itself"
    return f"{sequences}; where matches are aborted {fixed}" if aborted else sequences


def _gains(material: Material, effects: list[VariantEffect], reach: float, place: int) -> Picture:
    level = f"{100 * material.comparison.level:g} %"
    changes = [(own, effect) for effect in effects for own in effect.policies]
    known = [pair for pair in changes if not math.isnan(pair[0].win_share.change.estimate)]
    largest = "None can be told."
    if known:
        own, effect = max(known, key=lambda pair: abs(pair[0].win_share.change.estimate))
        largest = (
            f"The largest estimate: {own.policy} under {effect.variant}, "
            f"{change(own.win_share.change, 100)} points."
        )
    aborted = any(effect.any_aborted for effect in effects)
    where = the_table(effects[0].lineup)
    shows = f"Who gains at {where}: change of win rate, in points"
    return Picture(
        name=f"gains-{place}" if place else "gains",
        at=at_point(effects[0].point) if len(material.points) > 1 else "",
        alt=(f"Changes of win rate at {where}. {largest}"),
        caption=(
            f"{_shows(material, shows, effects, place)}; win rate per seat"
            f"{', of decided matches' if aborted else ''}, paired by deal; n = "
            f"{matches_of([effect.matches for effect in effects])} matches each; bars: {level} "
            f"{_kind(material, aborted)}."
        ),
        draw=lambda narrow: gains(effects, reach=reach, narrow=narrow),
    )


def _outcomes(material: Material) -> Grid:
    effects = material.comparison.variants
    aborted = any(effect.any_aborted for effect in effects)
    rows = []
    for effect in effects:
        metric = _metric(effect)
        rows.append(
            [
                effect.variant,
                material.name(effect),
                percent(effect.another_winner),
                *([percent(effect.aborted_in_one), from_to(effect)] if aborted else []),
                "–" if effect.in_play is None else percent(effect.in_play),
                percent(effect.floor),
                percent(effect.independent),
                change(effect.metrics[metric].change) if metric else "–",
                f"{effect.matches:,}",
            ]
        )
    metric = _metric(effects[0]) or "length"
    winners = ["another winner %", "aborted in one %", "aborted %"]
    return Grid(
        caption="All effects on outcomes and length",
        columns=[
            "variant",
            "table",
            *(winners if aborted else ["other winners %"]),
            "in play %",
            "floor %",
            "independent %",
            metric,
            "matches",
        ],
        rows=rows,
        words=2,
    )


def _policies(material: Material) -> Grid:
    effects = [effect for effect in material.comparison.variants if len(effect.policies) > 1]
    aborted = any(effect.any_aborted for effect in effects)
    rows = [
        [
            effect.variant,
            material.name(effect),
            own.policy,
            share(own.win_share.baseline),
            change(own.win_share.change, 100),
            p_value(own.win_share.p_holm),
            change(own.score.change),
            *([from_to(effect)] if aborted else []),
        ]
        for effect in effects
        for own in effect.policies
    ]
    tests = material.comparison.tests_of_variants
    of = ", of decided matches" if aborted else ""
    columns = ["variant", "table", "policy", "win rate %", "change", "p Holm", "score"]
    return Grid(
        caption=f"Who gains, by variant and table{of} (p corrected by Holm over {tests:,} tests)",
        columns=[*columns, *(["aborted %"] if aborted else [])],
        rows=rows,
        words=3,
    )


def _differing(material: Material) -> Grid:
    """Return which changes are not the same at all tables; without rows where none is shown."""
    comparison = material.comparison
    rows = []
    for one in comparison.sameness:
        if one.of != "position" and one.p_holm <= 1 - comparison.level:
            *where, largest, p = sameness_row(one)
            trends = ", ".join(f"{own.direction} with {own.key}" for own in one.trends)
            rows.append([*where, trends or "–", largest, p])
    tests = len(comparison.sameness)
    return Grid(
        caption=f"Changes that differ from table to table (p corrected by Holm over {tests:,})",
        columns=["variant", "at", "change of", "between", "trend", "largest difference", "p Holm"],
        rows=rows,
        words=5,
    )


def _recipes(material: Material, effects: list[VariantEffect]) -> list[Recipe]:
    """Return snippets on the first variant, and on its gains where policies differ."""
    effect = effects[0]

    def anytime(one: VariantEffect) -> bool:
        return material.comparison.anytime and not one.any_aborted

    made = [
        _recipe(
            material,
            effect,
            "matches with other winners",
            effect.another_winner,
            *(
                (SEQUENCE, snippets.WINNERS_DIFFER_ANYTIME)
                if anytime(effect)
                else (SHARE, SHARE_OF_DECIDED, snippets.WINNERS_DIFFER)
            ),
        ),
        _recipe(
            material,
            effect,
            "other outcomes on other cards"
            if effect.any_aborted
            else "other winners on other cards",
            effect.independent,
            snippets.OTHER_CARDS,
        ),
    ]
    players = len(effect.positions)
    if effect.in_play is not None:
        told = {"players": players, "metrics": [*get_game(material.balance.game).metric_names]}
        pieces = (SHARE, snippets.IN_PLAY)
        made.append(_recipe(material, effect, "in play", effect.in_play, *pieces, **told))
    if metric := _metric(effect):
        found = effect.metrics[metric].change
        what = f"change of {metric}"
        change_ = (MEAN, CHANGE, snippets.LENGTH_CHANGE)
        made.append(_recipe(material, effect, what, found, *change_, metric=metric))
    own = effect.positions[0]
    made.append(
        _recipe(
            material,
            effect,
            "change of the win rate of position 0",
            own.win_share.change,
            *(
                (WINNERS, SEQUENCE, snippets.POSITION_CHANGE_ANYTIME)
                if anytime(effect)
                else (*CHANGES, snippets.POSITION_CHANGE)
            ),
            position=0,
            players=players,
        )
    )
    mixed = [other for other in material.effects() if len(other.policies) > 1]
    for other in mixed[:1]:
        gain = other.policies[0]
        made.append(
            _recipe(
                material,
                other,
                f"change of the win rate of {gain.policy}",
                gain.win_share.change,
                *(
                    (WINNERS, SEQUENCE, snippets.WIN_CHANGE_ANYTIME)
                    if anytime(other)
                    else (*CHANGES, snippets.WIN_CHANGE)
                ),
                policy=gain.policy,
                players=players,
            )
        )
    return made


def _stopped(material: Material, effect: VariantEffect) -> dict[str, object]:
    """Return the goal, and the deals at which the cell of an effect stopped."""
    directory = Path(material.directory)
    goal, stops = read_stops(directory)
    cell = next(
        cell
        for cell in stored_cells(directory)
        if (cell.variant, cell.lineup, cell.point)
        == (material.variants[effect.variant], effect.lineup, effect.point)
    )
    assert goal is not None
    return {"goal": goal.half_width, "stopped": stops[cell.id].deals}


def _recipe(
    material: Material,
    effect: VariantEffect,
    what: str,
    found: Interval,
    *pieces: str,
    **values: object,
) -> Recipe:
    """Return a snippet on the pairs of matches with and without a variant."""
    if SEQUENCE in pieces:
        values |= _stopped(material, effect)
    cells = {
        table.variant: table.cell
        for table in material.balance.tables
        if (table.lineup, table.point) == (effect.lineup, effect.point)
    }
    return recipe(
        f"{effect.variant} at {effect.lineup}: {what}",
        found,
        PAIRS,
        *pieces,
        directory=material.directory,
        base=cells[BASELINE],
        cell=cells[effect.variant],
        level=material.comparison.level,
        **values,
    )
