"""A comparison in sentences: what each variant changes, and what they change together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from simcore.options import show_all
from studies.compare.results import Comparison, VariantEffect
from studies.show.contrast_tables import contrast_sentences, sameness_sentence, table_name
from studies.show.population_tables import population_sentences
from studies.show.variant_answers import variant_answers
from studies.show.wording import aborted_shares, percent, up_to

UNIT = "%"
_SENTENCES_FOR_EACH = 3
_HARDLY_ANY = 0.001
"""Share of aborted matches below which a sentence gives their number."""
CONTROL_FAILED = (
    "but must in none: these rows cannot be compared, because rules or policies were changed "
    "between the two or are not reproducible; `cardlab check` tells"
)


def sentences(comparison: Comparison) -> Iterator[str]:
    """Yield a sentence a variant; where there are many tables, of the least and the most.

    Of few variants it is also told where they change the winners more often.
    """
    yield from population_sentences(comparison)
    by_variant: dict[str, list[VariantEffect]] = defaultdict(list)
    for effect in comparison.variants:
        by_variant[effect.variant].append(effect)
    tables = len({(result.lineup, show_all(result.point)) for result in comparison.lineups})
    rows = comparison.factors.variants if comparison.factors else ()
    yield from _answers(comparison)
    for variant, effects in by_variant.items():
        if variant in rows:
            continue  # their factors are told instead
        if tables <= _SENTENCES_FOR_EACH:
            yield from (sentence(effect, tables > 1) for effect in effects)
        else:
            yield range_sentence(effects)
        same = [one for one in comparison.sameness if one.variant == variant]
        if len(by_variant) <= _SENTENCES_FOR_EACH and (
            text := sameness_sentence(same, comparison.level, "at {}".format)
        ):
            yield f"{variant}: {text}"
    yield from contrast_sentences(comparison)


def _answers(comparison: Comparison) -> Iterator[str]:
    """Yield which variants make matches longer and help whom, at the first point of the sweep."""
    for point in [effect.point for effect in comparison.variants[:1]]:
        at = f"At {show_all(point)}. " if point else ""
        for text in variant_answers(comparison, point):
            yield f"{at}{text}"


def sentence(effect: VariantEffect, named: bool) -> str:
    """Say what a variant changes at one table."""
    at = f" at {table_name(effect)}" if named else ""
    if effect.control:
        verdict_ = "as must be" if effect.winners_differ_count == 0 else CONTROL_FAILED
        return (
            f"{effect.variant}{at}: changes no option here (A/A control); the winners differ in "
            f"{effect.winners_differ_count:,} of {effect.matches:,} matches, {verdict_}."
        )
    if effect.in_play_count == 0 and effect.winners_differ_count == 0 and not effect.any_aborted:
        most = effect.in_play.high if effect.in_play else 1.0
        return (
            f"{effect.variant}{at}: comes into play in none of {effect.matches:,} matches: with it "
            "no winner, score or metric is another one (if any ever is, then in at most "
            f"{up_to(most)} % of matches)."
        )
    if effect.any_aborted:
        text = f"{effect.variant}{at}: {_of_decided(effect)}"
    else:
        text = (
            f"{effect.variant}{at}: the winners change in {percent(effect.winners_differ, UNIT)} "
            f"of {effect.matches:,} matches"
        )
    if effect.in_play is not None:
        text += f"; it comes into play in {percent(effect.in_play, UNIT)}"
    return text + "."


def _of_decided(effect: VariantEffect) -> str:
    """Say what a variant changes where matches are aborted."""
    aborted = aborted_shares(effect.aborted, effect.aborted_share, UNIT)
    if not effect.decided:
        return f"no match is decided both with and without it ({aborted})"
    if max(share.estimate for share in effect.aborted_share) < _HARDLY_ANY:
        without, with_ = (f"{count:,}" if count else "none" for count in effect.aborted)
        return (
            f"another winner in {percent(effect.another_winner, UNIT)} of the {effect.decided:,} "
            f"matches decided both with and without it (aborted: {without} without it, {with_} "
            f"with it, {effect.aborted_in_one_count:,} in one of the two)"
        )
    return (
        f"another winner in {percent(effect.another_winner, UNIT)} of the {effect.decided:,} "
        f"matches decided both with and without it; {percent(effect.aborted_in_one, UNIT)} of "
        f"{effect.matches:,} are aborted in one of the two ({aborted})"
    )


def range_sentence(effects: Sequence[VariantEffect]) -> str:
    """Say over many tables where a variant changes the winners least and most."""
    over = f"({len(effects)} tables, {sum(effect.matches for effect in effects):,} matches)"
    if all(effect.control for effect in effects):
        count = sum(effect.winners_differ_count for effect in effects)
        verdict_ = "as must be" if count == 0 else CONTROL_FAILED
        return (
            f"{effects[0].variant}: changes no option here (A/A control); the winners differ in "
            f"{count:,} matches {over}, {verdict_}."
        )
    known = [effect for effect in effects if effect.decided and not effect.control]
    if not known:
        return f"{effects[0].variant}: no match is decided both with and without it {over}."
    least = min(known, key=lambda effect: effect.another_winner.estimate)
    most = max(known, key=lambda effect: effect.another_winner.estimate)
    aborted = any(effect.any_aborted for effect in effects)
    of = "matches decided both with and without it" if aborted else "matches"
    if most.another_winner_count:
        text = (
            f"{effects[0].variant}: the winners change in {percent(least.another_winner, UNIT)} of "
            f"{of} at {table_name(least)}, up to {percent(most.another_winner, UNIT)} at "
            f"{table_name(most)} {over}"
        )
    else:
        text = f"{effects[0].variant}: no winner changes in any of the {of} {over}"
    if not aborted:
        return text + "."
    worst = max(effects, key=lambda effect: effect.aborted_in_one.estimate)
    if not worst.aborted_in_one_count:
        return text + "; the same matches are aborted with it as without it."
    return (
        f"{text}; up to {percent(worst.aborted_in_one, UNIT)} of all are aborted in one of the "
        f"two, at {table_name(worst)} "
        f"({aborted_shares(worst.aborted, worst.aborted_share, UNIT)})."
    )
