"""A comparison in words and tables, for the command line.

Every share and every change stands with its interval; counts stand beside them. Nothing is computed
here but the number of digits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from simcore.options import show_all
from studies.findings import Comparison, LineupResult, VariantEffect
from studies.study import BASELINE
from studies.wording import change, mean, p_value, percent

UNIT = "%"
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
        counts = {effect.matches for effect in effects}
        each = f" ({counts.pop():,} matches each)" if len(counts) == 1 else ""
        yield f"{who}: what changes on the same deals{each}", outcome_table(effects)
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
    if effect.in_play_count == 0 and effect.winners_differ_count == 0:
        return (
            f"{effect.variant}{at}: changes nothing in {effect.matches:,} matches, because it "
            "never comes into play: no policy at this table makes use of it."
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
        table.add_column(name, justify="right" if right else "left", no_wrap=right, overflow="fold")
    return table


def outcome_table(effects: Sequence[VariantEffect]) -> Table:
    """Build the table of other winners, clauses in play and length.

    The baseline's rows give the means of the length, the variants' rows their changes.
    """
    points = any(effect.point for effect in effects)
    metrics = list(effects[0].metrics)[:_LENGTH_METRICS]
    words = ["variant", *(["at"] if points else [])]
    differ = len({effect.matches for effect in effects}) > 1
    numbers = ["other winners %", "in play %", *metrics, *(["matches"] if differ else [])]
    table = _table(*words, *numbers, text=len(words))
    variants = list(dict.fromkeys(effect.variant for effect in effects))
    baselines = {show_all(effect.point): effect for effect in effects}
    for point, effect in baselines.items():
        means = [effect.metrics[name].baseline for name in metrics]
        table.add_row(
            BASELINE if point == next(iter(baselines)) else "",
            *([point] if points else []),
            "",
            "",
            *(f"{value:.{2 if value < 100 else 0}f}" for value in means),
            *([f"{effect.matches:,}"] if differ else []),
            end_section=point == list(baselines)[-1],
        )
    for variant in variants:
        own = [effect for effect in effects if effect.variant == variant]
        for effect in own:
            table.add_row(
                variant if effect is own[0] else "",
                *([show_all(effect.point)] if points else []),
                percent(effect.winners_differ),
                "–" if effect.in_play is None else percent(effect.in_play),
                *(change(effect.metrics[name].change) for name in metrics),
                *([f"{effect.matches:,}"] if differ else []),
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
    yield from comparison.remarks
    for assumption in comparison.assumptions:
        yield f"Assumed: {assumption}"
