"""A comparison in words and tables, for the command line.

Every share and every change stands with its interval; counts stand beside them. Nothing is computed
here but the number of digits.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from simcore.options import show_all
from studies.findings import Change, Comparison, LineupResult, VariantEffect
from studies.intervals import Interval

UNIT = "\N{NO-BREAK SPACE}%"
_SENTENCES_FOR_EACH = 3
_LENGTH_METRICS = 2
_POLICY_TABLES_UP_TO = 40


def print_comparison(console: Console, comparison: Comparison, *, full: bool = False) -> None:
    """Print everything: sentences, what variants change, how policies differ, notes.

    Parameters
    ----------
    full : bool
        Whether win shares by policy are printed where there are many tables, too.
    """
    if comparison.title:
        console.print(comparison.title, style="bold")
        console.print()
    if comparison.variants:
        for sentence_ in sentences(comparison):
            console.print(f"• {sentence_}")
        console.print()
    full = full or len(comparison.variants) <= _POLICY_TABLES_UP_TO
    for lineup in dict.fromkeys(result.lineup for result in comparison.lineups):
        for heading, table in _tables(lineup, comparison, full=full):
            console.print(heading, style="bold")
            console.print(table)
    for note in notes(comparison):
        console.print(note, style="dim")
    if not full:
        console.print("Left out: who gains and loses; --full prints it, --json has it.")


def _tables(lineup: str, comparison: Comparison, *, full: bool) -> Iterator[tuple[str, Table]]:
    """Yield the headings and tables of a line-up."""
    effects = [effect for effect in comparison.variants if effect.lineup == lineup]
    results = [result for result in comparison.lineups if result.lineup == lineup]
    who = _seating(results)
    several = any(len(result.policies) > 1 for result in results)
    if effects:
        yield f"{who}: what changes on the same deals", outcome_table(effects)
        if several and full:
            yield f"{who}: who gains (per seat held; points of win share)", policy_table(effects)
    if several:
        rules = ", unchanged rules" if effects else ""
        yield f"{who}: policies (per seat held{rules})", share_table(results)
        yield f"{who}: differences of win share, in points", difference_table(results)


def _seating(results: Sequence[LineupResult]) -> str:
    """Say who sits at a line-up's table, where it is the same at all sweep points."""
    first = results[0]
    rotated = ", rotated" if first.rotations > 1 else ""
    if len(results) > 1:
        return f"Line-up {first.lineup}{rotated}"
    seats = ", ".join(
        own.policy if own.seats == 1 else f"{own.seats}× {own.policy}" for own in first.policies
    )
    return f"Line-up {first.lineup} ({seats}{rotated})"


def sentences(comparison: Comparison) -> Iterator[str]:
    """Yield a sentence a variant; where there are many tables, of the least and the most."""
    by_variant: dict[str, list[VariantEffect]] = defaultdict(list)
    for effect in comparison.variants:
        by_variant[effect.variant].append(effect)
    tables = len({(result.lineup, show_all(result.point)) for result in comparison.lineups})
    for effects in by_variant.values():
        if tables <= _SENTENCES_FOR_EACH:
            yield from (sentence(effect, tables > 1) for effect in effects)
        else:
            yield range_sentence(effects)


def sentence(effect: VariantEffect, named: bool) -> str:
    """Say what a variant changes at one table."""
    at = f" at {_table_name(effect)}" if named else ""
    if not effect.changed and effect.winners_differ_count == 0:
        return (
            f"{effect.variant}{at}: changes no option here; the winners differ in none of "
            f"{effect.matches:,} matches, as must be."
        )
    text = (
        f"{effect.variant}{at}: the winners change in {percent(effect.winners_differ, UNIT)} of "
        f"{effect.matches:,} matches"
    )
    if effect.in_play is not None:
        text += f"; it comes into play in {percent(effect.in_play, UNIT)}"
    return text + "."


def range_sentence(effects: Sequence[VariantEffect]) -> str:
    """Say over many tables where a variant changes the winners least and most."""
    least = min(effects, key=lambda effect: effect.winners_differ.estimate)
    most = max(effects, key=lambda effect: effect.winners_differ.estimate)
    matches = sum(effect.matches for effect in effects)
    return (
        f"{effects[0].variant}: the winners change in {percent(least.winners_differ, UNIT)} of "
        f"matches at {_table_name(least)}, up to {percent(most.winners_differ, UNIT)} at "
        f"{_table_name(most)} ({len(effects)} tables, {matches:,} matches)."
    )


def _table_name(effect: VariantEffect | LineupResult) -> str:
    point = show_all(effect.point)
    return f"{effect.lineup}, {point}" if point else effect.lineup


def _table(*columns: str, text: int) -> Table:
    """Return a table whose first `text` columns are words, the others numbers."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for place, name in enumerate(columns):
        right = place >= text
        table.add_column(name, justify="right" if right else "left", no_wrap=right)
    return table


def outcome_table(effects: Sequence[VariantEffect]) -> Table:
    """Build the table of other winners, clauses in play and length."""
    points = any(effect.point for effect in effects)
    metrics = list(effects[0].metrics)[:_LENGTH_METRICS]
    words = ["variant", *(["at"] if points else [])]
    numbers = ["other winners %", "in play %", *metrics, "matches"]
    table = _table(*words, *numbers, text=len(words))
    for effect in _by_variant(effects):
        own = [other for other in effects if other.variant == effect.variant]
        table.add_row(
            effect.variant if effect is own[0] else "",
            *([show_all(effect.point)] if points else []),
            percent(effect.winners_differ),
            "–" if effect.in_play is None else percent(effect.in_play),
            *(_moved(effect.metrics[name]) for name in metrics),
            f"{effect.matches:,}",
            end_section=points and effect is own[-1],
        )
    return table


def policy_table(effects: Sequence[VariantEffect]) -> Table:
    """Build the table of win shares and scores by policy."""
    points = any(effect.point for effect in effects)
    words = ["variant", *(["at"] if points else []), "policy"]
    numbers = ["win share %", "change", "p Holm", "gained / lost", "score change"]
    table = _table(*words, *numbers, text=len(words))
    for effect in _by_variant(effects):
        for own in effect.policies:
            first = own is effect.policies[0]
            table.add_row(
                effect.variant if first else "",
                *([show_all(effect.point) if first else ""] if points else []),
                own.policy,
                f"{100 * own.win_share.baseline:.1f}",
                change(own.win_share.change, 100),
                p_value(own.win_share.p_holm),
                f"{own.gained:,} / {own.lost:,}",
                change(own.score.change),
                end_section=own is effect.policies[-1],
            )
    return table


def share_table(results: Sequence[LineupResult]) -> Table:
    """Build the table of policies under the unchanged rules."""
    points = any(result.point for result in results)
    words = [*(["at"] if points else []), "policy"]
    numbers = ["seats", "win share %", "even share", "score", "matches"]
    table = _table(*words, *numbers, text=len(words))
    for result in results:
        for own in result.policies:
            first = own is result.policies[0]
            table.add_row(
                *([show_all(result.point) if first else ""] if points else []),
                own.policy,
                str(own.seats),
                mean(own.win_share, 100),
                f"{100 / result.players:.1f}",
                mean(own.score),
                f"{result.matches:,}",
                end_section=own is result.policies[-1],
            )
    return table


def difference_table(results: Sequence[LineupResult]) -> Table:
    """Build the table of differences of policies."""
    points = any(result.point for result in results)
    words = [*(["at"] if points else []), "policy", "less"]
    table = _table(*words, "difference", "p Holm", "deals", text=len(words))
    for result in results:
        for gap in result.differences:
            first = gap is result.differences[0]
            table.add_row(
                *([show_all(result.point) if first else ""] if points else []),
                gap.first,
                gap.second,
                change(gap.difference, 100),
                p_value(gap.p_holm),
                f"{result.deals:,}",
                end_section=gap is result.differences[-1],
            )
    return table


def _by_variant(effects: Sequence[VariantEffect]) -> list[VariantEffect]:
    """Return effects with those of a variant together, in the order of the study."""
    order = list(dict.fromkeys(effect.variant for effect in effects))
    return sorted(effects, key=lambda effect: order.index(effect.variant))


def notes(comparison: Comparison) -> Iterator[str]:
    """Yield what stands beside the numbers."""
    level = f"{100 * comparison.level:g} %"
    yield (
        f"Intervals: {level} each, for itself; unit of analysis is the deal with all its "
        "rotations. (low–high): Wilson, at the effective sample size where deals are rotated; "
        "±: cluster-robust over deals."
    )
    if comparison.variants:
        yield f"Coupling: {comparison.coupling}."
        yield (
            "“other winners” depends on this coupling: --json also gives its floor and its value "
            "on other cards; “in play” does not: a clause of the variant made itself felt, with "
            "the variant or without."
        )
    counts = [
        (comparison.tests_of_variants, "change(s) of win share"),
        (comparison.tests_of_policies, "difference(s) of policies"),
    ]
    tested = [f"{count:,} {what}" for count, what in counts if count]
    if tested:
        yield f"p Holm: corrected for {' and, as a family of their own, '.join(tested)}."
    if any(not result.rotated for result in comparison.lineups):
        yield (
            "Line-ups without rotate = true keep their seats: differences of policies are then "
            "those of seats, too."
        )
    aborted = sum(result.aborted for result in comparison.lineups)
    aborted += sum(effect.aborted[1] for effect in comparison.variants)
    if aborted:
        yield f"{aborted:,} matches were aborted; they count as won by nobody."
    if comparison.incomplete:
        yield (
            f"No matches yet on the deals of the baseline: {'; '.join(comparison.incomplete[:5])}"
            f"{' …' if len(comparison.incomplete) > 5 else ''}."
        )
    for assumption in comparison.assumptions:
        yield f"Assumed: {assumption}"


def _digits(half: float) -> int:
    """Return the decimals at which a half-width shows one digit, or two below 3."""
    if not math.isfinite(half) or half <= 0:
        return 1
    digits = -math.floor(math.log10(half))
    return min(max(digits + int(half * 10**digits < 3), 0), 4)


def percent(interval: Interval, unit: str = "") -> str:
    """Write a share: 21.3 (21.1–21.5)."""
    digits = max(_digits(50 * (interval.high - interval.low)), 1)
    value, low, high = (
        f"{100 * bound:.{digits}f}" for bound in (interval.estimate, interval.low, interval.high)
    )
    return f"{value}{unit} ({low}–{high})"


def mean(interval: Interval, scale: float = 1, sign: str = "") -> str:
    """Write a mean whose interval is symmetric: 61.2 ±0.3; 0 where it is 0 without any doubt."""
    half = scale * (interval.high - interval.low) / 2
    value = scale * interval.estimate
    if value == 0 and half == 0:
        return "0"
    digits = _digits(half)
    text = f"{value:{sign}.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("+-")
    return f"{text} ±{half:.{digits}f}" if math.isfinite(half) else f"{text} ±?"


def change(interval: Interval, scale: float = 1) -> str:
    """Write a change whose interval is symmetric: +1.2 ±0.3."""
    return mean(interval, scale, "+")


def _moved(moved: Change) -> str:
    """Write a mean and its change."""
    digits = 2 if abs(moved.baseline) < 10 else 1
    return f"{moved.baseline:.{digits}f} {change(moved.change)}"


def p_value(p: float | None) -> str:
    """Write a p-value."""
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
