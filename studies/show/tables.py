"""A comparison in words and tables, for the command line.

Every share and every change stands with its interval; counts stand beside them. Nothing is computed
here but the number of digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from rich.console import Console
from rich.table import Table

from simcore.options import show_all
from studies.compare.results import Change, Comparison, LineupResult, VariantEffect, WinEffect
from studies.deals.values import LENGTHS
from studies.design.study import BASELINE, SUMMARY
from studies.show.contrast_tables import (
    contrast_notes,
    contrast_tables,
    sameness_tables,
    table_name,
)
from studies.show.layout import new_table
from studies.show.population_tables import (
    population_notes,
    population_table,
)
from studies.show.rating_tables import (
    difference_table,
    position_table,
    rating_tables,
    share_table,
)
from studies.show.sentences import sentences
from studies.show.wording import (
    IN_PLAY,
    change,
    from_to,
    p_value,
    percent,
    share,
    verdict,
)

_LENGTH_METRICS = 2
_POLICY_TABLES_UP_TO = 40
_RATINGS_UP_TO = 4


def print_comparison(console: Console, comparison: Comparison, *, full: bool = False) -> None:
    """Print everything: sentences, what variants change, how policies differ, notes.

    Parameters
    ----------
    full : bool
        Whether win rates by policy are printed where there are many tables, too.
    """
    if comparison.title:
        console.print(comparison.title, style="bold")
        console.print()
    if comparison.variants:
        for sentence_ in sentences(comparison):
            console.print(f"• {sentence_}")
        console.print()
    everything = full
    full = full or len(comparison.variants) <= _POLICY_TABLES_UP_TO
    lineups = dict.fromkeys(result.lineup for result in comparison.lineups)
    blocks = [_tables(lineup, comparison, full=full, everything=everything) for lineup in lineups]
    first = population_table(comparison, full=everything)
    leading = [first] if first else []
    for heading, table in chain(leading, *blocks, sameness_tables(comparison, full=everything)):
        console.print(heading, style="bold")
        console.print(table)
    all_ratings = comparison.ratings or []
    ratings = all_ratings if full or len(all_ratings) <= _RATINGS_UP_TO else []
    for rating in ratings:
        for heading, table in rating_tables(rating, many=len(all_ratings) > 1):
            console.print(heading, style="bold")
            console.print(table)
    for note in notes(comparison):
        console.print(note, style="dim")
    left_out = [] if full else ["who gains and loses"]
    left_out += [] if ratings or not all_ratings else ["ratings"]
    if left_out:
        console.print(f"Left out: {', '.join(left_out)}; --full prints it, --json has it.")


def _tables(
    lineup: str, comparison: Comparison, *, full: bool, everything: bool
) -> Iterator[tuple[str, Table]]:
    """Yield the headings and tables of a line-up."""
    effects = [effect for effect in comparison.variants if effect.lineup == lineup]
    results = [result for result in comparison.lineups if result.lineup == lineup]
    who = _seating(results)
    several = any(len(result.policies) > 1 for result in results)
    if effects:
        counts = {effect.matches for effect in effects}
        each = f" ({counts.pop():,} matches each)" if len(counts) == 1 else ""
        yield f"{who}: what changes on the same deals{each}", outcome_table(effects)
        # A control that holds has nothing to show beyond that.
        rows = () if everything or comparison.factors is None else comparison.factors.variants
        effects = [
            one
            for one in effects
            if (not one.control or one.winners_differ_count) and one.variant not in rows
        ]
        if full and effects:
            aborted = any(effect.any_aborted for effect in effects)
            of = "other outcomes” (aborted is one)" if aborted else "other winners”"
            yield f"{who}: what of “{of} is the coupling’s", coupling_table(effects)
            gains = "points of win rate" + (" of decided matches" if aborted else "")
            if several:
                yield f"{who}: who gains (per seat held; {gains})", win_table(effects, "policy")
            yield f"{who}: where it gains (by position; {gains})", win_table(effects, "position")
        yield from contrast_tables(comparison, lineup, full=everything)
    rules = ", unchanged rules" if comparison.variants else ""
    decided = " of decided matches" if any(result.aborted for result in results) else ""
    if several:
        per = f"per seat held{', win rate' if decided else ''}{decided}{rules}"
        yield f"{who}: policies ({per})", share_table(results)
        yield f"{who}: differences of win rate{decided}, in points", difference_table(results)
    # Of matches a report tells of positions.
    if comparison.detail == SUMMARY or not (several or effects):
        yield f"{who}: positions (win rate{decided}{rules})", position_table(results)


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


def outcome_table(effects: Sequence[VariantEffect]) -> Table:
    """Build the table of other winners, matches in play and length.

    The baseline's rows give the means of the length, the variants' rows their changes.
    """
    points = any(effect.point for effect in effects)
    aborted = any(effect.any_aborted for effect in effects)
    lengths = [name for name in LENGTHS if name in effects[0].metrics]
    metrics = lengths[: 1 if aborted else _LENGTH_METRICS]
    words = ["variant", *(["at"] if points else [])]
    differ = len({effect.matches for effect in effects}) > 1
    numbers = [*_winner_columns(aborted), "in play %", *metrics, *(["matches"] if differ else [])]
    table = new_table(*words, *numbers, text=len(words))
    variants = list(dict.fromkeys(effect.variant for effect in effects))
    baselines = {show_all(effect.point): effect for effect in effects}
    for point, effect in baselines.items():
        means = [effect.metrics[name].baseline for name in metrics]
        table.add_row(
            BASELINE if point == next(iter(baselines)) else "",
            *([point] if points else []),
            *(["", "", _aborted(effect, 0)] if aborted else [""]),
            "",
            *(f"{value:.{2 if value < 100 else 0}f}" for value in means),
            *([f"{effect.matches:,}"] if differ else []),
            end_section=point == list(baselines)[-1],
        )
    for variant in variants:
        own = [effect for effect in effects if effect.variant == variant]
        for effect in own:
            table.add_row(
                name_of(effect) if effect is own[0] or effect.control else "",
                *([show_all(effect.point)] if points else []),
                _other_winners(effect),
                *([_aborted_in_one(effect), _aborted(effect, 1)] if aborted else []),
                "–" if effect.in_play is None else percent(effect.in_play),
                *(change(effect.metrics[name].change) for name in metrics),
                *([f"{effect.matches:,}"] if differ else []),
                end_section=points and effect is own[-1],
            )
    return table


def _winner_columns(aborted: bool) -> list[str]:
    """Return the columns about winners: where matches are aborted, their shares beside them."""
    return ["another winner %", "aborted in one %", "aborted %"] if aborted else ["other winners %"]


def _aborted(effect: VariantEffect, side: int) -> str:
    if not effect.aborted[side]:
        return "none"
    share_ = 100 * effect.aborted_share[side].estimate
    return "< 0.1" if share_ < 0.05 else f"{share_:.1f}"


def _aborted_in_one(effect: VariantEffect) -> str:
    """Write the share aborted in one of the two; of a control, whose 0 is no estimate, in words."""
    if effect.control and not effect.aborted_in_one_count:
        return "none"
    return percent(effect.aborted_in_one)


def coupling_table(effects: Sequence[VariantEffect]) -> Table:
    """Build the table of other winners beside what the coupling could make of them."""
    points = any(effect.point for effect in effects)
    words = ["variant", *(["at"] if points else [])]
    other = "outcomes" if any(effect.any_aborted for effect in effects) else "winners"
    numbers = [f"other {other} %", "least under any coupling %", "on other cards %", "changed"]
    table = new_table(*words, *numbers, text=len(words))
    for effect in _by_variant(effects):
        table.add_row(
            name_of(effect),
            *([show_all(effect.point)] if points else []),
            percent(effect.winners_differ),
            percent(effect.floor),
            percent(effect.independent),
            f"{effect.winners_differ_count:,}",
        )
    return table


def win_table(effects: Sequence[VariantEffect], who: str) -> Table:
    """Build the table of win rates and scores by "policy" or by "position"."""
    points = any(effect.point for effect in effects)
    margins = _has_margin(effects)
    words = ["variant", *(["at"] if points else []), who]
    numbers = ["win rate %", "change", *(["within?"] if margins else [])]
    numbers += ["p Holm", "gained / lost", "score change"]
    aborted = any(effect.any_aborted for effect in effects)
    numbers += ["aborted %"] if aborted else []
    table = new_table(*words, *numbers, text=len(words))
    for effect in _by_variant(effects):
        rows: list[tuple[str, WinEffect]]
        if who == "policy":
            rows = [(own.policy, own) for own in effect.policies]
        else:
            rows = [(str(own.position), own) for own in effect.positions]
        for place, (name, own) in enumerate(rows):
            table.add_row(
                "" if place else name_of(effect),
                *(["" if place else show_all(effect.point)] if points else []),
                name,
                share(own.win_share.baseline),
                change(own.win_share.change, 100),
                *([verdict(own.win_share.equivalence, own.win_share.change)] if margins else []),
                p_value(own.win_share.p_holm),
                "–" if own.gained is None else f"{own.gained:,} / {own.lost:,}",
                change(own.score.change),
                *(["" if place else from_to(effect)] if aborted else []),
                end_section=place == len(rows) - 1,
            )
    return table


def _has_margin(effects: Sequence[VariantEffect]) -> bool:
    return any(own.win_share.equivalence for effect in effects for own in effect.policies)


def _other_winners(effect: VariantEffect) -> str:
    """Write the share of other winners; of a control, for which 0 is no estimate, the count."""
    if not effect.control:
        return percent(effect.another_winner)
    return f"{effect.winners_differ_count:,} matches!" if effect.winners_differ_count else "none"


def name_of(effect: VariantEffect) -> str:
    """Return a variant's name, marked where it is a control."""
    return f"{effect.variant} (A/A)" if effect.control else effect.variant


def _by_variant(effects: Sequence[VariantEffect]) -> list[VariantEffect]:
    """Return effects with those of a variant together, in the order of the study."""
    order = list(dict.fromkeys(effect.variant for effect in effects))
    return sorted(effects, key=lambda effect: order.index(effect.variant))


def notes(comparison: Comparison) -> Iterator[str]:
    """Yield what stands beside the numbers."""
    level = f"{100 * comparison.level:g} %"
    yield (
        f"Intervals: {level} each, for itself unless a heading says otherwise; unit of analysis is "
        "the deal with all its rotations. (low–high): Wilson, at the effective sample size where "
        "deals are rotated, exact below ten events; ±: cluster-robust over deals, wider where few "
        "deals change, ±? where too few do, “none” where none does. p: sign-flip test over deals."
    )
    if comparison.variants:
        yield f"Coupling: {comparison.coupling}."
        yield f"“Other winners” depends on this coupling. {IN_PLAY}"
        if not any(effect.control for effect in comparison.variants):
            yield (
                "No A/A control in this study; aa = {} under [variants] adds one, whose winners "
                "must differ in no match."
            )
    if comparison.ratings:
        yield (
            "Strengths: ±, sandwich variance over deals; payoffs and Nash averages: bootstrap of "
            "deals, drawn together for all line-ups."
        )
    yield from _family_notes(comparison)
    yield from _margin_notes(comparison)
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
        yield f"No matches yet on the deals of the baseline: {_some(comparison.incomplete)}."
    if comparison.incomparable:
        yield (
            "Not compared, because other seats are held than under the unchanged rules: "
            f"{_some(comparison.incomparable)}. Numbers of players belong under [sweep]."
        )
    yield from comparison.remarks
    for assumption in comparison.assumptions:
        yield f"Assumed: {assumption}"


def aborted_note(aborted: int) -> str:
    """Say which numbers leave aborted matches out, and which do not."""
    return (
        f"{aborted:,} matches were aborted: nobody won them. Win rates and their changes are of "
        "decided matches (changes: with and without the variant, each of its own); “another "
        "winner”, gained and lost are of matches decided in both, “aborted in one” is of all. "
        "Strengths and payoffs leave aborted matches out; scores and metrics count what was "
        "played of them. --json has win rates of all matches, too (win_share_of_all)."
    )


def _some(labels: Sequence[str]) -> str:
    return "; ".join(labels[:5]) + (" …" if len(labels) > 5 else "")


def _family_notes(comparison: Comparison) -> Iterator[str]:
    counts = [
        (comparison.tests_of_variants, "change(s) of win rate"),
        (comparison.tests_of_scores, "of score"),
        (comparison.tests_of_metrics, "of the metrics"),
    ]
    gaps = [gap for result in comparison.lineups for gap in result.differences]
    max_t = any(gap.p_family is not None for gap in gaps)
    counts += [] if max_t else [(comparison.tests_of_policies, "difference(s) of policies")]
    tested = [f"{count:,} {what}" for count, what in counts if count]
    if tested:
        yield f"p Holm: corrected for {', '.join(tested)}, each a family of its own."
    if max_t:
        yield (
            f"p max-T: corrected for all {comparison.tests_of_policies:,} difference(s) of "
            "policies by sign-flips over deals."
        )
    yield from population_notes(comparison)
    yield from contrast_notes(comparison)


def _margin_notes(comparison: Comparison) -> Iterator[str]:
    if not comparison.margins:
        return
    margins = ", ".join(f"{name} ±{margin:g}" for name, margin in comparison.margins.items())
    tests = f"Holm over {comparison.tests_of_equivalence:,}"
    yield (
        f"within?: two one-sided tests of equivalence at {1 - comparison.level:.3g} ({tests}); "
        f"margins: {margins}. “no”: the interval lies outside; “open”: not shown either way."
    )
    named = [name for name in comparison.margins if name != "win_share"]
    for name in named:
        found: list[str] = []
        for effect in comparison.variants:
            for who, own in _changes(effect, name):
                if own.equivalence and not effect.control:
                    found.append(
                        f"{who} {verdict(own.equivalence, own.change)} ({change(own.change)})"
                    )
        yield f"Within ±{comparison.margins[name]:g} of {name}: {'; '.join(found) or 'no variant'}."


def _changes(effect: VariantEffect, name: str) -> Iterator[tuple[str, Change]]:
    """Yield the changes of a variant that a margin of this name is about."""
    table = f"{effect.variant}, {table_name(effect)}"
    if name == "score":
        yield from ((f"{table}, {own.policy}", own.score) for own in effect.policies)
    else:
        yield table, effect.metrics[name]
