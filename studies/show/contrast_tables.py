"""Contrasts of variants' effects as sentences and tables, for the command line."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.table import Table

from simcore.options import show_all
from studies.compare.contrast_results import (
    FactorEffect,
    Finding,
    Interaction,
    InteractionFinding,
    Sameness,
)
from studies.compare.population_results import PopulationEffect
from studies.compare.results import Comparison, LineupResult, VariantEffect
from studies.design.study import FULL
from studies.show.layout import new_table
from studies.show.wording import change, count, p_value
from studies.stats.intervals import Interval

MOST_ROWS = 40
"""Rows of a table above which only those are printed that are shown to differ from 0."""

MOST_SHARES = 4
"""Win rates of a table of factors."""

MOST_MIXED = 4
_IN_PERCENT = ("another_winner", "win_share")
_NAMES = {"another_winner": "another winner %", "win_share": "win rate %", "score": "score"}


Told = Finding | Sameness | PopulationEffect


def scale_of(finding: Told) -> float:
    """Return by what an outcome is multiplied where it is written: shares are told in %."""
    return 100 if finding.number in _IN_PERCENT else 1


def outcome_name(finding: Told) -> str:
    """Name an outcome: win rate %, plays."""
    return _NAMES.get(finding.number, finding.number)


def who_of(finding: Told) -> str:
    """Name the policy or position that an outcome is told of."""
    if finding.of == "position":
        return f"position {finding.who}"
    return finding.who if finding.of == "policy" else ""


def outcome_words(finding: Finding) -> str:
    """Name an outcome in a sentence: win rate % of freer."""
    who = who_of(finding)
    return f"{outcome_name(finding)} of {who}" if who else outcome_name(finding)


def _value(value: float, finding: Finding) -> str:
    """Write an estimate beside its contrast, with as many digits."""
    told = change(finding.contrast, scale_of(finding)).split()[0]
    digits = len(told.partition(".")[2])
    text = f"{scale_of(finding) * value:+.{digits}f}"
    return text if float(text) else text.lstrip("+-")


def telling(outcomes: Sequence[Finding], *, positions: bool) -> list[Finding]:
    """Return the outcomes that a table shows: those of positions where one policy sits alone."""
    alone = not any(one.of == "policy" and one.number == "win_share" for one in outcomes)
    return [
        one
        for one in outcomes
        if (positions or alone or one.of != "position") and not _is_nothing(one.contrast)
    ]


def _is_nothing(contrast: Interval) -> bool:
    """Whether an outcome is the same in all matches: nothing was seen of it, and little is said."""
    return contrast.estimate == 0 and contrast.high - contrast.low == float("inf")


def contrast_sentences(comparison: Comparison) -> Iterator[str]:
    """Yield a sentence a factor and an interaction."""
    yield from factor_sentences(comparison)
    yield from interaction_sentences(comparison)


def contrast_tables(
    comparison: Comparison, lineup: str, *, full: bool = False
) -> Iterator[tuple[str, Table]]:
    """Yield the headings and tables of a line-up's contrasts, as far as it has them."""
    for found in (
        factor_table(comparison, lineup),
        interaction_table(comparison, lineup, full=full),
    ):
        if found:
            yield found


def contrast_notes(comparison: Comparison) -> Iterator[str]:
    """Yield what contrasts mean and what they are corrected for."""
    yield from factor_notes(comparison)
    if comparison.sameness:
        yield (
            "Same at all tables?: Wald test of the changes over groups of deals, Holm over "
            f"{len(comparison.sameness):,}; the largest difference allows for all pairs of tables "
            "(Šidák). Rising, falling: a straight line's slope is shown, and no step the other "
            "way; turning: steps both ways; open: neither."
        )
    if comparison.interactions:
        tests = sum(len(own.outcomes) for own in comparison.interactions)
        yield (
            "Interactions: what two variants together change less what each changes alone, paired "
            f"by deal; corrected as a family of {tests:,}, positions and scores among them."
        )


def interaction_sentences(comparison: Comparison) -> Iterator[str]:
    """Yield what is shown first of each interaction, at the table that shows it most surely."""
    pairs: dict[tuple[str, str], list[tuple[Interaction, InteractionFinding]]] = {}
    for own in comparison.interactions:
        found = pairs.setdefault((own.first, own.second), [])
        # Shares of other winners hardly ever add up, which says little of the game.
        found += [(own, one) for one in own.outcomes if one.of != "match"]
    for (first, second), found in pairs.items():
        shown = [pair for pair in found if pair[1].corrected <= 1 - comparison.level]
        wins = [pair for pair in shown if pair[1].number == "win_share"] or shown
        if not wins:
            yield f"{first} × {second}: no interaction is shown."
            continue
        own, one = min(wins, key=lambda pair: (pair[1].p_holm, pair[1].p))
        at = f" at {table_name(own)}" if comparison.lineups[1:] else ""
        yield (
            f"{first} × {second}{at}: {outcome_words(one)} {_value(one.first, one)} and "
            f"{_value(one.second, one)} alone, {_value(one.together, one)} together: interaction "
            f"{change(one.contrast, scale_of(one))}."
        )


def table_name(own: Interaction | FactorEffect | VariantEffect | LineupResult) -> str:
    """Name the table that something is told of, by its line-up and sweep point."""
    point = show_all(own.point)
    return f"{own.lineup}, {point}" if point else own.lineup


def interaction_table(
    comparison: Comparison, lineup: str, *, full: bool = False
) -> tuple[str, Table] | None:
    """Return the heading and table of a line-up's interactions; None where it has none."""
    own = [one for one in comparison.interactions if one.lineup == lineup]
    if not own:
        return None
    rows = [
        (one, outcome)
        for one in own
        for outcome in telling(one.outcomes, positions=full)
        if isinstance(outcome, InteractionFinding)
    ]
    kept = rows
    if len(rows) > MOST_ROWS and not full:
        kept = [row for row in rows if row[1].corrected <= 1 - comparison.level][:MOST_ROWS]
    points = any(one.point for one in own)
    words = ["variants", *(["at"] if points else []), "outcome", "who"]
    p = "p max-T" if any(row[1].p_family is not None for row in rows) else "p Holm"
    table = new_table(*words, "first", "second", "together", "interaction", p, text=len(words))
    last: tuple[str, str] | None = None
    for one, outcome in kept:
        name = f"{one.first} × {one.second}", show_all(one.point)
        table.add_row(
            "" if last and last[0] == name[0] else name[0],
            *(["" if last == name else name[1]] if points else []),
            outcome_name(outcome),
            who_of(outcome),
            *(
                _value(value, outcome)
                for value in (outcome.first, outcome.second, outcome.together)
            ),
            change(outcome.contrast, scale_of(outcome)),
            p_value(outcome.corrected),
        )
        last = name
    some = "" if len(kept) == len(rows) else f"; {len(kept)} of {len(rows)}, those shown"
    return f"Line-up {lineup}: together and alone (interactions{some})", table


def factor_sentences(comparison: Comparison) -> Iterator[str]:
    """Yield which win rates each factor, and each pair of them, is shown to change most surely."""
    if comparison.factors is None:
        return
    by_label: dict[str, list[tuple[FactorEffect, Finding]]] = {}
    for own in comparison.factors.effects:
        found = by_label.setdefault(own.label, [])
        found += [(own, one) for one in own.outcomes if one.number == "win_share"]
    silent = []
    for label, found in by_label.items():
        shown = [pair for pair in found if pair[1].corrected <= 1 - comparison.level]
        if not shown:
            silent.append(label)
            continue
        own, one = min(shown, key=lambda pair: (pair[1].p_holm, pair[1].p))
        at = f" at {table_name(own)}" if comparison.lineups[1:] else ""
        what = "changes" if len(own.factors) == 1 else "together change"
        mixed = f" (or {', '.join(own.mixed_with)})" if own.mixed_with else ""
        yield (
            f"{label}{mixed}{at}: {what} {outcome_words(one)} by "
            f"{change(one.contrast, scale_of(one))}{_over(own)}."
        )
    if silent:
        mains = [label for label in silent if "×" not in label]
        pairs = len(silent) - len(mains)
        told = [*mains, *([count(pairs, "interaction")] if pairs else [])]
        yield f"No change of win rate is shown of: {', '.join(told)}."


def _over(own: FactorEffect) -> str:
    """Say what an effect is the mean of."""
    return " on the mean over the other factors" if len(own.factors) == 1 else " beyond their sum"


def factor_table(comparison: Comparison, lineup: str) -> tuple[str, Table] | None:
    """Return the heading and table of the factors' effects at a line-up; None without factors."""
    if comparison.factors is None:
        return None
    own = [one for one in comparison.factors.effects if one.lineup == lineup]
    if not own:
        return None
    shown = factor_columns(own[0].outcomes)
    points = any(one.point for one in own)
    words = ["effect", *(["at"] if points else [])]
    names = [who_of(one) or outcome_name(one) for one in shown]
    table = new_table(*words, *names, text=len(words))
    for one in own:
        by_outcome = {(found.of, found.who, found.number): found for found in one.outcomes}
        cells = [by_outcome.get((key.of, key.who, key.number)) for key in shown]
        table.add_row(
            f"{one.label} (mixed)" if one.mixed_with else one.label,
            *([show_all(one.point)] if points else []),
            *("–" if cell is None else starred(cell, comparison.level) for cell in cells),
        )
    design = comparison.factors.design
    cells_ = len(comparison.factors.variants) + 1
    wins = "; by policy and position: win rate, points" if any(map(who_of, shown)) else ""
    heading = f"main effects and interactions (design {design}, {cells_} cells{wins})"
    return f"Line-up {lineup}: {heading}", table


def factor_columns(outcomes: Sequence[Finding]) -> list[Finding]:
    """Return the outcomes that stand in a table of factors: other winners, win rates, length."""
    found = telling(outcomes, positions=False)
    wins = [one for one in found if one.number == "win_share"][:MOST_SHARES]
    metrics = [one for one in found if one.of == "metric"][:1]
    return [*(one for one in found if one.of == "match"), *wins, *metrics]


def starred(found: Finding, level: float) -> str:
    """Write a contrast, with a star where it is shown to differ from 0."""
    star = "*" if found.corrected <= 1 - level else ""
    return f"{change(found.contrast, scale_of(found))}{star}"


def factor_notes(comparison: Comparison) -> Iterator[str]:
    """Yield what the effects of factors mean, and what a fraction of a design cannot tell apart."""
    factors = comparison.factors
    if factors is None:
        return
    tests = sum(len(own.outcomes) for own in factors.effects)
    yield (
        "Main effects: a factor's other level less its first, on the mean over the other factors; "
        "interactions: what two together change beyond their sum; paired by deal. *: shown to "
        f"differ from 0, corrected as a family of {tests:,}, positions and scores among them."
    )
    if not factors.effects:
        yield "No table has matches in all cells of the design yet, so that no effect is told."
    elif factors.design != FULL:
        mixed = {own.label: own.mixed_with for own in factors.effects if own.mixed_with}
        yield (
            "Interactions of three factors and more are taken to be none."
            + (" (mixed): the cells cannot tell apart " if mixed else "")
            + "; ".join(_mixture(label, others) for label, others in mixed.items())
            + ("." if mixed else "")
        )


def _mixture(label: str, others: Mapping[str, float]) -> str:
    """Write which effects a contrast is the sum of."""
    if len(others) > MOST_MIXED:
        return f"{label} and parts of {len(others)} interactions (--json has them)"
    terms = []
    for other, share in others.items():
        size = "" if abs(share) == 1 else f"{abs(share):.2g} · "
        terms.append(f"{'+' if share > 0 else '−'} {size}{other}")
    return f"{label} {' '.join(terms)}"


def sameness_tables(comparison: Comparison, *, full: bool = False) -> Iterator[tuple[str, Table]]:
    """Yield the heading and table of changes that differ from table to table, if asked of any."""
    found = comparison.sameness
    if not found:
        return
    inside = 1 - comparison.level
    rows = [one for one in found if full or one.of != "position"]
    shown = [one for one in rows if one.p_holm <= inside]
    kept = rows if full or len(rows) <= MOST_ROWS else _first_of(shown)
    keys = {trend.key for one in rows for trend in one.trends}
    words = ["variant", "at", "change of", "between", *(["trend"] if keys else [])]
    table = new_table(*words, "largest difference", "p Holm", text=len(words))
    for one in kept:
        trends = (
            trend.direction if len(keys) == 1 else f"{trend.direction} with {trend.key}"
            for trend in one.trends
        )
        *where, largest, p = sameness_row(one)
        table.add_row(*where, *([", ".join(trends)] if keys else []), largest, p)
    told = sum(one.p_holm <= inside for one in found)
    some = "" if len(kept) == len(rows) else f"; {len(kept)} rows of the plainest"
    yield f"Same at all tables? ({told:,} of {len(found):,} are shown not to be{some})", table


def sameness_row(one: Sameness) -> list[str]:
    """Tell of a change where it is looked for, between which tables it differs, and by how much."""
    return [
        one.variant,
        _shared(one) or "all line-ups",
        f"{outcome_name(one)} {who_of(one)}".strip(),
        f"{one.between[0]} − {one.between[1]}",
        change(one.largest, scale_of(one)),
        p_value(one.p_holm),
    ]


def _shared(one: Sameness) -> str:
    """Name what the tables share: a line-up, or a point of the sweep."""
    return one.lineup or "" if one.point is None else show_all(one.point)


def sameness_sentence(
    found: Sequence[Sameness], level: float, at: Callable[[str], str]
) -> str | None:
    """Say where a variant changes the winners more often: over the points, and over the line-ups.

    Of each of the two it is told where it is shown most surely. None where there is one table.

    Parameters
    ----------
    found : sequence of Sameness
        Of this variant.
    at : callable
        Says in words at which point or line-up: "at players=3", "with three players".
    """
    known = [
        one for one in found if one.number == "another_winner" and math.isfinite(one.largest.high)
    ]
    told = []
    for over in dict.fromkeys(one.over for one in known):
        own = [one for one in known if one.over == over]
        surest = min(own, key=lambda one: (one.p_holm, -one.largest.estimate))
        most, least = map(at, surest.between)
        where = f" ({_shared(surest)})" if own[1:] else ""
        size = f"{change(surest.largest, 100).lstrip('+')} points"
        more, test = f"more often {most} than {least}{where}", f"p {p_value(surest.p_holm)}"
        if surest.p_holm <= 1 - level:
            told.append(f"the winners change {size} {more} ({test} after Holm)")
        else:
            told.append(f"the winners are not shown to change {more}: {size} ({test} after Holm)")
    return f"{'; '.join(told)}." if told else None


def _first_of(shown: Sequence[Sameness]) -> list[Sameness]:
    """Return the rows that are printed: winners first, then the plainest."""
    order = ("another_winner", "win_share", "score")

    def rank(one: Sameness) -> tuple[int, float]:
        return order.index(one.number) if one.number in order else len(order), one.p

    return sorted(shown, key=rank)[:MOST_ROWS]
