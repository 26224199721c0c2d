"""A comparison of sums in tables, for the command line; every number with its interval or count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from simcore.options import show_all
from studies.compare.summary_results import SumComparison, SumEffect, SumLineup
from studies.show.tables import aborted_note
from studies.show.wording import IN_PLAY, change, from_to, mean, p_value, percent, share

_METRICS = 2


def print_sums(console: Console, comparison: SumComparison) -> None:
    """Print what variants change, how policies and positions fare, and what stands beside it."""
    if comparison.title:
        console.print(comparison.title, style="bold")
        console.print()
    for lineup in dict.fromkeys(result.lineup for result in comparison.lineups):
        effects = [effect for effect in comparison.variants if effect.lineup == lineup]
        results = [result for result in comparison.lineups if result.lineup == lineup]
        if effects:
            console.print(f"Line-up {lineup}: what changes on the same deals", style="bold")
            console.print(effect_table(effects))
            if any(len(effect.policies) > 1 for effect in effects):
                of = ", of decided matches" if any(one.any_aborted for one in effects) else ""
                console.print(f"Line-up {lineup}: who gains (per seat held{of})", style="bold")
                console.print(_gains(effects))
        of = " of decided matches" if any(result.aborted for result in results) else ""
        per = f"per seat{', win share' if of else ''}{of}"
        console.print(f"Line-up {lineup}: unchanged rules ({per})", style="bold")
        console.print(sum_share_table(results))
        if any(result.differences for result in results):
            heading = f"Line-up {lineup}: differences of win share{of}, in points"
            console.print(heading, style="bold")
            console.print(_differences(results))
    for note in _notes(comparison):
        console.print(note, style="dim")


def _table(words: Sequence[str], numbers: Sequence[str], *, points: bool) -> Table:
    """Return a table of some words, among them the sweep point where there are any, and numbers."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for name in words:
        table.add_column(name, overflow="fold")
    if points:
        table.add_column("at", overflow="fold")
    for name in numbers:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _at(point: dict[str, object], points: bool) -> list[str]:
    return [show_all(point)] if points else []


def effect_table(effects: Sequence[SumEffect]) -> Table:
    """Build the table of other winners, clauses in play and length."""
    metrics = list(effects[0].metrics)[:_METRICS]
    points = any(effect.point for effect in effects)
    aborted = any(effect.any_aborted for effect in effects)
    other = (
        ["another winner %", "aborted in one %", "aborted %"] if aborted else ["other winners %"]
    )
    numbers = [*other, "other outcomes, floor" if aborted else "floor", "in play %", *metrics]
    numbers += ["matches"]
    table = _table(["variant"], numbers, points=points)
    for effect in effects:
        table.add_row(
            effect.variant,
            *_at(effect.point, points),
            percent(effect.another_winner),
            *([percent(effect.aborted_in_one), from_to(effect)] if aborted else []),
            f"{100 * effect.floor:.1f}",
            "–" if effect.in_play is None else percent(effect.in_play),
            *(change(effect.metrics[name].change) for name in metrics),
            f"{effect.matches:,}",
        )
    return table


def _gains(effects: Sequence[SumEffect]) -> Table:
    points = any(effect.point for effect in effects)
    numbers = ["win share %", "change", "p Holm", "gained / lost", "score change"]
    table = _table(["variant", "policy"], numbers, points=points)
    for effect in effects:
        for own in effect.policies:
            first = own is effect.policies[0]
            table.add_row(
                effect.variant if first else "",
                own.policy,
                *_at(effect.point if first else {}, points),
                share(own.win_share.baseline),
                change(own.win_share.change, 100),
                p_value(own.win_share.p_holm),
                f"{own.gained:,} / {own.lost:,}",
                change(own.score.change),
                end_section=own is effect.policies[-1],
            )
    return table


def sum_share_table(results: Sequence[SumLineup]) -> Table:
    """Build the table of win shares and scores by policy and by position."""
    points = any(result.point for result in results)
    aborted = any(result.aborted for result in results)
    numbers = ["seats", "win share %", "even share", "score", "matches"]
    numbers += ["aborted %"] if aborted else []
    table = _table(["who"], numbers, points=points)
    for result in results:
        rows = [*result.policies, *result.positions]
        for own in rows:
            table.add_row(
                own.policy,
                *_at(result.point if own is rows[0] else {}, points),
                str(own.seats),
                mean(own.win_share, 100),
                f"{100 / result.players:.1f}",
                mean(own.score),
                f"{result.matches:,}",
                *([percent(result.aborted_share) if own is rows[0] else ""] if aborted else []),
                end_section=own is rows[-1],
            )
    return table


def _differences(results: Sequence[SumLineup]) -> Table:
    points = any(result.point for result in results)
    table = _table(["policy", "less"], ["difference", "p Holm", "deals"], points=points)
    for result in results:
        for gap in result.differences:
            table.add_row(
                gap.first,
                gap.second,
                *_at(result.point if gap is result.differences[0] else {}, points),
                change(gap.difference, 100),
                p_value(gap.p_holm),
                f"{result.deals:,}",
            )
    return table


def _notes(comparison: SumComparison) -> Iterator[str]:
    yield (
        f"Intervals: {100 * comparison.level:g} % each, for itself; unit of analysis is the deal "
        "with all its rotations. (low–high): Wilson, at the effective sample size where deals are "
        "rotated, exact below ten events; ±: cluster-robust over deals, wider where few deals "
        "change, ±? where too few do. Floor: the least share of other winners that any coupling "
        "of the deals allows."
    )
    if comparison.variants:
        yield f"Coupling: {comparison.coupling}. “Other winners” depends on it. {IN_PLAY}"
    counts = [
        (comparison.tests_of_variants, "change(s) of win share"),
        (comparison.tests_of_scores, "of score"),
        (comparison.tests_of_metrics, "of the metrics"),
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
        yield aborted_note(aborted)
    if comparison.incomplete:
        yield f"No matches yet: {'; '.join(comparison.incomplete[:5])}."
    yield from comparison.remarks
    for assumption in comparison.assumptions:
        yield f"Assumed: {assumption}"
