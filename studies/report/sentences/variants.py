"""What a variant changes, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from scipy.special import ndtri

from studies.compare.results import PolicyEffect, Superlative, VariantEffect
from studies.compare.superlatives import LEAST, MOST
from studies.report.sentences.words import (
    GAIN,
    LENGTH,
    OTHER_WINNERS,
    SEAT,
    WIDEST,
    between_bounds,
    half_width,
    number,
    place,
    the_table,
)
from studies.report.verdict import Verdict, judge
from studies.show.wording import (
    aborted_shares,
    change,
    matches_,
    p_value,
    percent,
    share,
    too_few,
    up_to,
)
from studies.stats.intervals import LEVEL, Interval

ALMOST_INDEPENDENT = 0.9
"""Part of the share on other cards from which on a sentence says so."""


def variant_name(effect: VariantEffect) -> str:
    """Name a variant by its title, which a report gives it; elsewhere by its name."""
    inner = effect.variant.replace("“", "‘").replace("”", "’")
    return f"“{inner}”"


def effect_sentence(effect: VariantEffect, start: str = "") -> str:
    """Say how often a variant changes who wins.

    Parameters
    ----------
    start : str
        Who plays, as the sentence's beginning: "With four players (guard in every seat), ".
    """
    if effect.any_aborted and not effect.control:
        return f"{start}{variant_name(effect)} {_of_decided(effect)}{_in_play(effect)}."
    found, matches = effect.winners_differ, matches_(effect.matches)
    text = f"{start}{variant_name(effect)} "
    if effect.control and effect.winners_differ_count:
        return (
            f"{text}changes no option, but the winners differ in {effect.winners_differ_count:,} "
            f"of {matches}: these rows cannot be compared (`cardlab check` tells)."
        )
    if effect.winners_differ_count == 0:
        if effect.control:
            return f"{text}changes no option: no winner differs in {matches}, as must be."
        if found.high > 2 * WIDEST:
            return (
                f"{text}changes no winner in {matches}, but {too_few(effect.matches)} to "
                f"tell: it may in up to {up_to(found.high)} % of them."
            )
        if effect.in_play_count == 0:
            return f"{text}{_not_in_play(effect)}."
        return (
            f"{text}changes no winner in {matches}: if it ever does, then in at most "
            f"{up_to(found.high)} % of them."
        )
    if half_width(found) > WIDEST:
        return (
            f"{text}changes who wins in somewhere {between_bounds(found)} "
            f"of matches: {too_few(effect.matches)} to tell more closely."
        )
    verdict = judge(found, 0.0, *OTHER_WINNERS)
    degree = {Verdict.SMALL: "hardly ever: ", Verdict.LARGE: "very often: "}.get(verdict, "")
    text += f"changes who wins {degree}in {percent(found, ' %')} of matches"
    if _as_on_other_cards(effect):
        text += f", about as often as other cards would ({_on_other_cards(effect)})"
    return f"{text}{_in_play(effect)}."


def _in_play(effect: VariantEffect) -> str:
    if effect.in_play is None:
        return ""
    if effect.in_play.estimate > 0.9995:
        return (
            f"; it comes into play in (almost) all {'matches' if effect.any_aborted else 'of them'}"
        )
    return f"; it comes into play in {percent(effect.in_play, ' %')}"


def _of_decided(effect: VariantEffect) -> str:
    """Say how often another seat wins of what is decided in both, and how much is aborted."""
    found, decided = effect.another_winner, effect.decided
    aborted = aborted_words(effect)
    if not decided:
        return (
            "leaves no match that is decided both with and without it, so that whether it changes "
            f"who wins cannot be told ({aborted})"
        )
    of = f"the {decided:,} matches" if decided > 1 else "the one match"
    of += " decided both with and without it"
    one = (
        f"; {percent(effect.aborted_in_one, ' %')} of all {matches_(effect.matches)} are aborted "
        f"in one of the two ({aborted})"
    )
    if not effect.aborted_in_one_count:
        one = f"; none is aborted in one of the two only ({aborted})"
    if effect.another_winner_count == 0:
        if found.high > 2 * WIDEST:
            few = "which are too few to tell: it may in up to"
            return f"changes no winner of {of}, {few} {up_to(found.high)} % of them{one}"
        most = f"in at most {up_to(found.high)} % of them"
        return f"changes no winner of {of}: if it ever does, then {most}{one}"
    if half_width(found) > WIDEST:
        few = "which are too few to tell more closely"
        return f"changes who wins in somewhere {between_bounds(found)} of {of}, {few}{one}"
    verdict = judge(found, 0.0, *OTHER_WINNERS)
    degree = {Verdict.SMALL: "hardly ever: ", Verdict.LARGE: "very often: "}.get(verdict, "")
    return f"changes who wins {degree}in {percent(found, ' %')} of {of}{one}"


def aborted_words(effect: VariantEffect) -> str:
    """Say how many matches are aborted without and with a variant."""
    return aborted_shares(effect.aborted, effect.aborted_share)


def _not_in_play(effect: VariantEffect) -> str:
    """Say of a variant that came into play nowhere how often it may at the most."""
    assert effect.in_play is not None
    return (
        f"comes into play in none of {matches_(effect.matches)}, where no winner, score or metric "
        f"changes: if one ever does, then in at most {up_to(effect.in_play.high)} % of them"
    )


def _as_on_other_cards(effect: VariantEffect) -> bool:
    if effect.any_aborted:
        return False
    return effect.winners_differ.estimate >= ALMOST_INDEPENDENT * effect.independent.estimate > 0


def _on_other_cards(effect: VariantEffect) -> str:
    """Write how often other cards would change the winners; of sums without bounds."""
    found = effect.independent
    return f"{share(found.estimate)} %" if math.isnan(found.high) else percent(found, " %")


def range_sentence(
    effects: Sequence[VariantEffect],
    start: str,
    superlatives: Sequence[Superlative] = (),
    level: float = LEVEL,
) -> str:
    """Say which of many variants changes the winners most and least often, where a test tells.

    Parameters
    ----------
    effects : sequence of VariantEffect
        At one table; controls are no variants and are left out.
    superlatives : sequence of Superlative
        Of the study.
    """
    known = [effect for effect in effects if not effect.control and effect.decided]
    if not known:
        return f"{start}no variant's winners can be told: no match is decided with and without one."
    order = sorted(known, key=lambda effect: effect.another_winner.estimate)
    least, most = order[0], order[-1]
    if half_width(most.another_winner) > WIDEST:
        few = too_few(most.decided, *(("decided match",) * most.any_aborted))
        return (
            f"{start}{few} to tell which of "
            f"{number(len(order))} variants changes who wins most often."
        )
    of = "matches decided both with and without it" if most.any_aborted else "matches"
    tests = {
        one.kind: one
        for one in superlatives
        if (one.lineup, one.point) == (most.lineup, most.point)
    }
    texts = []
    if told := _not_told(tests.get(MOST), order, level):
        texts.append(
            f"{start}which of {number(len(order))} variants changes who wins most often cannot be "
            f"told: {told}"
        )
    else:
        text = (
            f"{start}{variant_name(most)} changes who wins most often of {number(len(order))} "
            f"variants: in {percent(most.another_winner, ' %')} of {of} on the same deals"
        )
        if _as_on_other_cards(most):
            text += f" (other cards would in {_on_other_cards(most)})"
        texts.append(text)
    if told := _not_told(tests.get(LEAST), order, level):
        texts.append(f"which does so least often cannot be told: {told}")
    else:
        seldom = percent(least.another_winner, " %")
        texts.append(f"least often does {variant_name(least)}, in {seldom}")
    aborted = [effect for effect in order if effect.any_aborted]
    if aborted:
        worst = max(aborted, key=lambda effect: effect.aborted_in_one.estimate)
        texts.append(
            f"aborted matches are left out, most of them under {variant_name(worst)}: "
            f"{percent(worst.aborted_in_one, ' %')} are in one of the two ({aborted_words(worst)})"
        )
    return "; ".join(texts) + "."


def _not_told(
    test: Superlative | None, effects: Sequence[VariantEffect], level: float
) -> str | None:
    """Say between which two variants a superlative is open; None where it is told."""
    if test is None or test.p_holm <= 1 - level:
        return None
    both = [
        next(effect for effect in effects if effect.variant == name)
        for name in (test.variant, test.against)
    ]
    shares = " and ".join(
        f"{variant_name(effect)} ({percent(effect.another_winner, ' %')})" for effect in both
    )
    return (
        f"{shares} are too close (difference {change(test.difference, 100)} points, p "
        f"{p_value(test.p_holm)} after Holm)"
    )


def length_change(effect: VariantEffect, metric: str) -> str | None:
    """Say how a variant changes the length of matches; None where it does not change at all."""
    found = effect.metrics.get(metric)
    if found is None or not found.baseline:
        return None
    if found.change.estimate == 0 and not 0 < half_width(found.change) < math.inf:
        return None
    relative = found.change.estimate / found.baseline
    low, high = found.change.low / found.baseline, found.change.high / found.baseline
    verdict = judge(Interval(relative, low, high), 0.0, *LENGTH)
    if verdict is Verdict.NONE:
        return (
            f"It leaves the length of matches as it is (no change of {metric} "
            f"larger than {up_to(max(abs(low), abs(high)))} %)."
        )
    if verdict is Verdict.UNCLEAR:
        return (
            f"Whether it makes matches longer or shorter cannot be told from "
            f"{matches_(effect.matches)} (change of {metric}: {change(found.change)})."
        )
    aborted = "; aborted matches count as far as they went" if effect.any_aborted else ""
    direction = "longer" if relative > 0 else "shorter"
    degree = {Verdict.SMALL: "a little ", Verdict.LARGE: "much "}.get(verdict, "")
    each = " in each" if half_width(found.change) == 0 else ""
    return (
        f"It makes matches {degree}{direction}: by {abs(100 * relative):.1f} % "
        f"({change(found.change)} {metric}{each}, from {found.baseline:,.1f} on average{aborted})."
    )


def gain_sentences(effect: VariantEffect, level: float = LEVEL) -> Iterator[str]:
    """Say whom a variant helps, of policies at one table.

    It favours whoever's win rate rises clearly: p is small after Holm's correction over the study,
    and the interval that holds for all policies of the table together (Bonferroni) lies above 0.
    Nobody is favoured where these intervals of all policies lie near 0, on either side.
    """
    if len(effect.policies) < 2 or effect.control:
        return
    at, of = f"At {the_table(effect.lineup)}", "win rate per seat"
    aborted = f" (of decided matches; {aborted_words(effect)})" if effect.any_aborted else ""
    wide = {
        own.policy: _together(own.win_share.change, len(effect.policies), level)
        for own in effect.policies
    }
    reach = max(max(abs(found.low), abs(found.high)) for found in wide.values())
    most = max(effect.policies, key=lambda own: _strength(own.win_share.change))
    told = f"{most.policy} {change(most.win_share.change, 100)} points"
    clear = [own for own in effect.policies if _is_clear(own, wide[own.policy], level)]
    gains = [own for own in clear if own.win_share.change.estimate > 0]
    if gains:
        best = max(gains, key=lambda own: own.win_share.change.estimate)
        yield (
            f"{at}, it {_degree(best)}favours {best.policy}: "
            f"{change(best.win_share.change, 100)} points of {of}, from "
            f"{100 * best.win_share.baseline:.1f} %{aborted}."
        )
    elif clear:
        worst = min(clear, key=lambda own: own.win_share.change.estimate)
        yield (
            f"{at}, it {_degree(worst)}costs {worst.policy}: "
            f"{change(worst.win_share.change, 100)} points of {of}, from "
            f"{100 * worst.win_share.baseline:.1f} %; no other policy clearly gains{aborted}."
        )
    elif reach <= GAIN[0]:
        yield (
            f"{at}, it favours nobody: no policy's win rate changes by more than "
            f"{up_to(reach)} points, up or down{aborted}."
        )
    elif not effect.winners_differ_count and not effect.any_aborted:
        yield f"{at}, it favoured nobody: no winner changed in {matches_(effect.matches)}."
    elif not math.isfinite(most.win_share.change.low):
        yield f"{at}, these matches do not tell who gains{aborted}."
    elif most.win_share.change.low <= 0 <= most.win_share.change.high:
        yield (
            f"{at}, no policy clearly gains in {matches_(effect.matches)} (largest change: "
            f"{told}){aborted}."
        )
    else:
        p = p_value(most.win_share.p_holm)
        yield (
            f"{at}, no policy clearly gains in {matches_(effect.matches)}: the largest change, "
            f"{told}, may be chance among so many tests (p {p} after Holm){aborted}."
        )


def _together(found: Interval, policies: int, level: float) -> Interval:
    """Return an interval that holds together with those of the other policies (Bonferroni).

    With two policies what one wins the other loses, so that their intervals hold or fail as one.
    """
    if policies == 2:
        return found
    factor = float(ndtri(0.5 + (1 - (1 - level) / policies) / 2) / ndtri(0.5 + level / 2))
    if found.estimate == 0:  # no event: the bound grows as the square of the normal quantile
        factor *= factor
    return Interval(
        found.estimate,
        found.estimate - factor * (found.estimate - found.low),
        found.estimate + factor * (found.high - found.estimate),
    )


def _strength(found: Interval) -> float:
    """Return how many half-widths an estimate lies from 0."""
    half = half_width(found)
    return abs(found.estimate) / half if half > 0 and math.isfinite(half) else 0.0


def _is_clear(own: PolicyEffect, wide: Interval, level: float) -> bool:
    p = own.win_share.p_holm
    return p is not None and p <= 1 - level and not wide.low <= 0 <= wide.high


def _degree(own: PolicyEffect) -> str:
    verdict = judge(own.win_share.change, 0.0, *GAIN)
    return {Verdict.SMALL: "slightly ", Verdict.LARGE: "strongly "}.get(verdict, "")


def seat_changes(effects: Sequence[VariantEffect]) -> Iterator[str]:
    """Say which variants make seats matter more or less, at one table; the clearest first."""
    found = []
    for effect in effects:
        if effect.control:
            continue
        moved = max(effect.positions, key=lambda own: abs(own.win_share.change.estimate))
        p = moved.win_share.p_holm
        if math.isnan(moved.win_share.change.estimate):
            continue
        verdict = judge(moved.win_share.change, 0.0, *SEAT)
        if p is not None and p < 0.05 and verdict in (Verdict.MEDIUM, Verdict.LARGE):
            found.append((effect, moved))
    found.sort(key=lambda pair: -abs(pair[1].win_share.change.estimate))
    for effect, moved in found:
        before, gap = moved.win_share.baseline, moved.win_share.change
        yield (
            f"{variant_name(effect)} moves the balance of the seats: {place(moved.position)} wins "
            f"{100 * (before + gap.estimate):.1f} % instead of {100 * before:.1f} % "
            f"({change(gap, 100)} points, p {p_value(moved.win_share.p_holm)} after Holm; "
            f"{matches_(effect.matches)}"
            f"{'; of decided ones, ' + aborted_words(effect) if effect.any_aborted else ''})."
        )
