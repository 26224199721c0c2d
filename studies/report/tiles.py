"""The row of answers at the top of a report: a number with its interval, and a word for it.

The thresholds of the words are conventions and stand here and in docs/howto/report.md.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence

from studies.balance.results import Duel, TableBalance
from studies.report.content import Grid, Material, Tile
from studies.report.sections.length import main_length
from studies.report.sections.luck import main_pairs
from studies.report.sections.variants import main_effects
from studies.report.sentences import variant_name
from studies.report.sentences.skill import is_untold, part, within_bounds
from studies.report.sentences.words import (
    DUEL,
    SEAT,
    SKILL_OF_MOST,
    WIDEST,
    half_width,
    place,
    plays_at_random,
    whole,
)
from studies.report.verdict import Verdict, judge
from studies.show.wording import matches_, mean, percent
from studies.stats.intervals import Interval

STEADY, VARIED = 1.5, 2.5
"""Length that 95 in 100 matches do not exceed, over the median: below, steady; above, wild."""

MOST_ABORTED = 0.05
"""Share of aborted matches from which on length is not judged: the 95th of 100 may be one."""

CALM, LIVELY = 0.25, 0.50
"""Share of matches whose winner was once behind: below, calm; above, dramatic."""

MOST_ROWS = 8
"""Rows of the table by skill; all effects are in the tables further down."""

UNCLEAR = "cannot tell"


_Found = list[Interval | None]


def tiles(material: Material) -> list[Tile]:
    """Return the answers for which the study has something."""
    table = material.reference
    made = (
        _seats(table),
        _length(table),
        _most(material),
        _luck(material),
        _drama(table),
        _choices(material),
    )
    return [tile for tile in made if tile is not None]


def by_skill(material: Material) -> Grid | None:
    """Return the main numbers with weaker and stronger players, side by side.

    The strongest table is said to have more or less than the weakest where their intervals do not
    meet, which is stricter than a test at their level.
    """
    tables = material.alike
    if len(tables) < 2:
        return None
    unit = main_length(material.reference).name
    begins: _Found = [one.positions.win_share[0] for one in tables]
    median = bool(main_length(material.reference).quantiles)
    lengths: _Found = [
        own.quantiles[0.5] if median else own.mean for own in map(main_length, tables)
    ]
    rows: list[tuple[str, _Found, Callable[[Interval], str]]] = [
        ("wins of the seat that begins, %", begins, percent),
        (f"{unit}, median", lengths, whole) if median else (f"{unit}, mean", lengths, mean),
        ("moves with a choice, %", [_opposite(one.forced) for one in tables], percent),
    ]
    if not material.of_sums:
        behind: _Found = [one.lead.behind.share for one in tables]
        rows.append(("winners once behind, %", behind, percent))
        changes = [own.mean if (own := one.lead.lead_changes) else None for one in tables]
        if any(changes):
            rows.append(("lead changes a match", changes, mean))
    effects = main_effects(material) if material.effects() else []
    for effect in sorted(effects, key=lambda own: -own.another_winner.estimate):
        at = {own.lineup: own for own in material.effects() if own.variant == effect.variant}
        found: _Found = [
            there.another_winner if (there := at.get(one.lineup)) and there.decided else None
            for one in tables
        ]
        if not effect.control and sum(own is not None for own in found) > 1:
            rows.append((f"another winner with {variant_name(effect)}, %", found, percent))
    return Grid(
        caption="The same with weaker and stronger players",
        columns=["number", *(one.strategies[0] for one in tables), "if strong"],
        rows=[
            [name, *("–" if own is None else told(own) for own in found), _apart(found)]
            for name, found, told in rows[:MOST_ROWS]
        ],
        opened=True,
    )


def _opposite(found: Interval) -> Interval:
    return Interval(1 - found.estimate, 1 - found.high, 1 - found.low)


def _apart(found: _Found) -> str:
    known = [own for own in found if own is not None and not math.isnan(own.estimate)]
    if len(known) < len(found[:2]):
        return "–"
    weak, strong = known[0], known[-1]
    if weak.high < strong.low:
        return "more"
    return "less" if strong.high < weak.low else "not clear"


def _seats(table: TableBalance) -> Tile | None:
    seats = table.positions
    if not table.decided:
        return None
    verdicts = [judge(found, seats.even, *SEAT) for found in seats.win_share]
    order = (Verdict.LARGE, Verdict.MEDIUM, Verdict.SMALL, Verdict.UNCLEAR, Verdict.NONE)
    worst = min(verdicts, key=order.index)
    word = {
        Verdict.LARGE: "unfair",
        Verdict.MEDIUM: "a little unfair",
        Verdict.SMALL: "almost fair",
        Verdict.NONE: "fair",
        Verdict.UNCLEAR: UNCLEAR,
    }[worst]
    shown = [index for index, one in enumerate(verdicts) if one is worst]
    position = max(shown, key=lambda index: abs(seats.win_share[index].estimate - seats.even))
    return Tile(
        question="Fair seats?",
        word=word,
        number=percent(seats.win_share[position], " %"),
        note=f"wins of {place(position)}; even: {100 * seats.even:.1f} %",
        section="seats",
    )


def _word(found: Interval, bounds: Sequence[float], words: Sequence[str]) -> str:
    """Return the word for a share, one more than there are bounds between them.

    It can be told where the whole interval lies within one word's range, or is narrow.
    """
    if math.isnan(found.estimate):
        return UNCLEAR
    low, middle, high = (
        words[bisect_right(bounds, own)] for own in (found.low, found.estimate, found.high)
    )
    return middle if low == high or half_width(found) <= WIDEST else UNCLEAR


def _length(table: TableBalance) -> Tile:
    found = main_length(table)
    if not found.quantiles:
        note = 'is the mean; how lengths are spread takes detail = "matches"'
        return Tile("How long?", UNCLEAR, f"{mean(found.mean)} {found.name}", note, "length")
    median, high = found.quantiles[0.5], found.quantiles[0.95]
    ratio = high.estimate / median.estimate if median.estimate > 0 else math.nan
    word = UNCLEAR
    aborted = table.outcomes.aborted
    played_out = aborted.share.estimate < MOST_ABORTED
    if played_out and math.isfinite(ratio) and math.isfinite(high.high):
        word = "steady" if ratio < STEADY else "varied" if ratio < VARIED else "wild"
    note = f"is the median; 95 of 100 matches take at most {whole(high)}"
    if aborted.count:
        note += f"; {100 * aborted.share.estimate:.2g} % were aborted"
    return Tile(
        question="How long?",
        word=word,
        number=f"{whole(median)} {found.name}",
        note=note,
        section="length",
    )


def _luck(material: Material) -> Tile | None:
    told = [(table, table.luck) for table in main_pairs(material)]
    known = [(table, luck) for table, luck in told if luck is not None and luck.win.total > 0]
    if not known:
        return None
    _, luck = known[0]
    skill = luck.win.policy_of_most
    words = ("luck", "more luck than skill", "skill")
    word = UNCLEAR if is_untold(luck) else _word(within_bounds(skill), SKILL_OF_MOST, words)
    note = f"is skill between {' and '.join(luck.policies)} (a sure win: 100 %)"
    if len(known) > 1:
        _, other = known[1]
        note += f"; {part(other.win.policy_of_most)} between {' and '.join(other.policies)}"
    return Tile(
        question="Luck or skill?",
        word=word,
        number=part(skill),
        note=note,
        section="luck",
    )


def _drama(table: TableBalance) -> Tile | None:
    drama = table.drama
    if drama is None:
        return None
    found = drama.behind.share
    if math.isnan(found.estimate):
        return None
    word = _word(found, (CALM, LIVELY), ("calm", "lively", "dramatic"))
    note = "of the winners were once behind"
    if drama.lead_changes is not None:
        note += f"; {mean(drama.lead_changes.mean)} lead changes a match"
    return Tile("How dramatic?", word, percent(found, " %"), note, "drama")


def _choices(material: Material) -> Tile | None:
    table = material.reference
    duel = _widest_duel(material)
    if math.isnan(table.forced.estimate):
        return None
    free = f"{100 * (1 - table.forced.estimate):.0f} % of moves have a choice"
    if duel is None:
        return Tile(
            "Do choices matter?",
            UNCLEAR,
            f"{mean(table.decisions)} decisions",
            f"a match; {free}",
            "length",
        )
    verdict = judge(duel.advantage, 0.0, *DUEL)
    word = {
        Verdict.LARGE: "much",
        Verdict.MEDIUM: "somewhat",
        Verdict.SMALL: "hardly",
        Verdict.NONE: "no",
        Verdict.UNCLEAR: UNCLEAR,
    }[verdict]
    return Tile(
        "Do choices matter?",
        word,
        percent(duel.share, " %"),
        f"wins of {duel.first} against {duel.second} (even: {100 * duel.even:.0f} %); {free}",
        "policies",
    )


def _widest_duel(material: Material) -> Duel | None:
    """Return the duel of the strongest policy against the weakest heuristic, if there is one."""
    duels = [duel for duel in material.balance.duels if duel.point == material.main_point]
    order = material.ladder.order if material.ladder else []
    able = [name for name in order if not plays_at_random(name)] or order
    pairs = [
        duel for duel in duels if len(able) > 1 and {duel.first, duel.second} == {able[0], able[-1]}
    ]
    return next(iter(pairs), next(iter(duels), None))


def _most(material: Material) -> Tile | None:
    if not material.effects():
        return None
    known = [own for own in main_effects(material) if not own.control and own.decided]
    if not known:
        return None
    most = max(known, key=lambda effect: effect.another_winner.estimate)
    tests = [
        one
        for one in material.comparison.superlatives or []
        if (one.lineup, one.point, one.kind) == (most.lineup, most.point, "most")
    ]
    clear = len(known) == 1 or any(one.p_holm <= 1 - material.comparison.level for one in tests)
    word = most.variant if clear else f"{most.variant}, or another"
    if most.another_winner.estimate == 0:
        word = "nothing seen"
    return Tile(
        question="What changes it most?",
        word=word,
        number=percent(most.another_winner, " %"),
        note=f"of matches get another winner ({matches_(most.decided)})",
        section="variants",
    )
