"""What a variant changes, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from simcore.options import show_all
from studies.findings import VariantEffect
from studies.intervals import Interval
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
    up_to,
)
from studies.report.verdict import Verdict, judge
from studies.wording import change, matches_, p_value, percent, too_few

ALMOST_INDEPENDENT = 0.9
"""Part of the share on other cards from which on a sentence says so."""


def variant_name(effect: VariantEffect) -> str:
    """Name a variant and what it sets: "up300 (points_limit=300)"."""
    to = show_all({option: values[1] for option, values in effect.changed.items()})
    return f"{effect.variant} ({to})" if to else effect.variant


def effect_sentence(effect: VariantEffect, start: str = "") -> str:
    """Say how often a variant changes who wins.

    Parameters
    ----------
    start : str
        Who plays, as the sentence's beginning: "With four like players (guard), ".
    """
    found, matches = effect.winners_differ, matches_(effect.matches)
    text = f"{start}{variant_name(effect)} "
    if effect.winners_differ_count == 0:
        if effect.control:
            return f"{text}changes no option: no winner differs in {matches}, as must be."
        if effect.in_play_count == 0:
            return (
                f"{text}never comes into play in {matches}: nobody makes use of it, and no "
                "winner changes."
            )
        if found.high > 2 * WIDEST:
            return (
                f"{text}changes no winner in {matches}, but {too_few(effect.matches)} to "
                f"tell: it may in up to {up_to(found.high)} % of them."
            )
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
        text += f", about as often as other cards would ({percent(effect.independent, ' %')})"
    if effect.in_play is not None:
        if effect.in_play.estimate > 0.9995:
            text += "; it comes into play in (almost) all of them"
        else:
            text += f"; it comes into play in {percent(effect.in_play, ' %')}"
    return text + "."


def _as_on_other_cards(effect: VariantEffect) -> bool:
    return effect.winners_differ.estimate >= ALMOST_INDEPENDENT * effect.independent.estimate > 0


def range_sentence(effects: Sequence[VariantEffect], start: str) -> str:
    """Say which of many variants changes the winners most and least often."""
    order = sorted(effects, key=lambda effect: effect.winners_differ.estimate)
    least, most = order[0], order[-1]
    if half_width(most.winners_differ) > WIDEST:
        return (
            f"{start}{too_few(most.matches)} to tell which of "
            f"{number(len(order))} variants changes who wins most often."
        )
    text = (
        f"{start}{variant_name(most)} changes who wins most often of {number(len(order))} "
        f"variants: in {percent(most.winners_differ, ' %')} of matches on the same deals"
    )
    if _as_on_other_cards(most):
        text += f" (other cards would in {percent(most.independent, ' %')})"
    return (
        f"{text}; least often does {variant_name(least)}, in {percent(least.winners_differ, ' %')}."
    )


def length_change(effect: VariantEffect, metric: str) -> str | None:
    """Say how a variant changes the length of matches; None where it does not change at all."""
    found = effect.metrics.get(metric)
    if found is None or not found.baseline:
        return None
    if found.change.estimate == 0 and half_width(found.change) == 0:
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
    direction = "longer" if relative > 0 else "shorter"
    degree = {Verdict.SMALL: "a little ", Verdict.LARGE: "much "}.get(verdict, "")
    each = " in each" if half_width(found.change) == 0 else ""
    return (
        f"It makes matches {degree}{direction}: by {abs(100 * relative):.1f} % "
        f"({change(found.change)} {metric}{each} on {found.baseline:,.1f})."
    )


def gain_sentences(effect: VariantEffect) -> Iterator[str]:
    """Say whom a variant helps, of policies at one table."""
    if len(effect.policies) < 2 or effect.control:
        return
    best = max(effect.policies, key=lambda own: own.win_share.change.estimate)
    found, p = best.win_share.change, best.win_share.p_holm
    verdict = judge(found, 0.0, *GAIN)
    clear = p is not None and p < 0.05
    told = f"{best.policy} {change(found, 100)} points"
    if verdict is Verdict.NONE and not clear:
        reach = max(abs(found.low), abs(found.high))
        yield (
            f"At {effect.lineup}, it favours nobody: no policy's win share changes by more than "
            f"{up_to(reach)} points."
        )
    elif verdict is Verdict.UNCLEAR or math.isnan(found.estimate):
        yield (
            f"Whom it favours at {effect.lineup} cannot be told from {matches_(effect.matches)} "
            f"({told})."
        )
    elif not clear:
        yield (
            f"Whom it favours at {effect.lineup} cannot be told from {matches_(effect.matches)}: "
            f"{told}, but one of so many tests may show as much by chance (p {p_value(p)} after "
            "Holm)."
        )
    else:
        degree = {Verdict.SMALL: "slightly ", Verdict.LARGE: "strongly "}.get(verdict, "")
        yield (
            f"At {effect.lineup}, it {degree}favours {best.policy}: {change(found, 100)} points of "
            f"win share per seat, from {100 * best.win_share.baseline:.1f} %."
        )


def seat_changes(effects: Sequence[VariantEffect]) -> Iterator[str]:
    """Say which variants make seats matter more or less, at one table; the clearest first."""
    found = []
    for effect in effects:
        if effect.control:
            continue
        moved = max(effect.positions, key=lambda own: abs(own.win_share.change.estimate))
        p = moved.win_share.p_holm
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
            f"{matches_(effect.matches)})."
        )
