"""Sentences made from numbers. They say what the numbers allow and no more.

What counts as small or large is a convention, not a result: the constants below, in shares.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from simcore.options import show_all
from studies.balance.found import (
    Distribution,
    Ladder,
    Luck,
    Restriction,
    Share,
    TableBalance,
)
from studies.findings import Rating, VariantEffect
from studies.intervals import Interval
from studies.report.verdict import Verdict, judge
from studies.wording import between, change, mean, p_value, percent, spread

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

WIDEST = 0.05
"""Half-width of a share from which on a sentence says that it cannot tell."""

OTHER_WINNERS = (0.02, 0.30)
SEAT = (0.01, 0.05)
GAIN = (0.01, 0.05)
DUEL = (0.02, 0.15)
SKILL = (0.01, 0.20)
"""Small and large effects."""

WIDEST_CYCLE = 0.25
"""Log-odds that a cyclic part may reach while a sentence still says that none shows."""


def number(count: int) -> str:
    """Write a small number as a word."""
    return NUMBERS[count] if count < len(NUMBERS) else f"{count:,}"


def half_width(interval: Interval) -> float:
    """Return half the width of an interval."""
    return (interval.high - interval.low) / 2


def bounds(interval: Interval) -> str:
    """Write the bounds of a share: 12.3–45.6 %."""
    return f"{100 * interval.low:.1f}–{100 * interval.high:.1f} %"


def who(table: TableBalance) -> str:
    """Say who plays: "four like players (random)"."""
    if table.alike:
        return f"{number(table.players)} like players ({table.strategies[0]})"
    return f"{number(table.players)} players ({_joined(table.strategies)})"


def effect_sentence(effect: VariantEffect, who_plays: str) -> str:
    """Say how often a variant changes who wins."""
    name, found = effect.variant, effect.winners_differ
    matches = f"{effect.matches:,} matches"
    start = f"With {who_plays}, {name}"
    if effect.winners_differ_count == 0:
        if not effect.changed:
            return f"{start} changes no option: no winner differs in {matches}, as must be."
        if effect.in_play_count == 0:
            return (
                f"{start} never comes into play in {matches}: nobody makes use of it, and no "
                "winner changes."
            )
        return (
            f"{start} changes no winner in {matches}: if it ever does, then in at most "
            f"{100 * found.high:.2g} % of them."
        )
    if half_width(found) > WIDEST:
        return (
            f"{start} changes who wins in somewhere between {bounds(found).replace('–', ' and ')} "
            f"of matches: {matches} are too few to tell more closely."
        )
    verdict = judge(found, 0.0, *OTHER_WINNERS)
    degree = {Verdict.SMALL: "hardly ever: ", Verdict.LARGE: "very often: "}.get(verdict, "")
    verb = "changes who wins " + (degree or "")
    text = f"{start} {verb}in {percent(found, ' %')} of matches"
    if effect.in_play is not None:
        if effect.in_play.estimate > 0.9995:
            text += "; it comes into play in (almost) all of them"
        else:
            text += f"; it comes into play in {percent(effect.in_play, ' %')}"
    return text + "."


def range_sentence(effects: Sequence[VariantEffect], who_plays: str) -> str:
    """Say which of many variants changes the winners most and least often."""
    order = sorted(effects, key=lambda effect: effect.winners_differ.estimate)
    least, most = order[0], order[-1]
    if half_width(most.winners_differ) > WIDEST:
        return (
            f"With {who_plays}, {most.matches:,} matches are too few to tell which of "
            f"{number(len(order))} variants changes who wins most often."
        )
    return (
        f"With {who_plays}, {most.variant} changes who wins most often of {number(len(order))} "
        f"variants: in {percent(most.winners_differ, ' %')} of matches; least often does "
        f"{least.variant}, in {percent(least.winners_differ, ' %')}."
    )


def length_change(effect: VariantEffect, metric: str) -> str | None:
    """Say how a variant changes the length of matches; None where it does not change at all."""
    found = effect.metrics.get(metric)
    if found is None or (found.change.estimate == 0 and half_width(found.change) == 0):
        return None
    relative = found.change.estimate / found.baseline if found.baseline else math.nan
    low, high = found.change.low / found.baseline, found.change.high / found.baseline
    verdict = judge(Interval(relative, low, high), 0.0, 0.01, 0.10)
    if verdict is Verdict.NONE:
        return (
            f"It leaves the length of matches as it is (no change of {metric} "
            f"larger than {100 * max(abs(low), abs(high)):.1f} %)."
        )
    if verdict is Verdict.UNCLEAR:
        return (
            f"Whether it makes matches longer or shorter cannot be told from "
            f"{effect.matches:,} matches (change of {metric}: {change(found.change)})."
        )
    direction = "longer" if relative > 0 else "shorter"
    degree = {Verdict.SMALL: "a little ", Verdict.LARGE: "much "}.get(verdict, "")
    return (
        f"It makes matches {degree}{direction}: {abs(100 * relative):.1f} % "
        f"({change(found.change)} {metric} on {found.baseline:,.1f})."
    )


def gain_sentences(effect: VariantEffect) -> Iterator[str]:
    """Say whom a variant helps, of policies at one table."""
    if len(effect.policies) < 2:
        return
    best = max(effect.policies, key=lambda own: own.win_share.change.estimate)
    found, p = best.win_share.change, best.win_share.p_holm
    verdict = judge(found, 0.0, *GAIN)
    clear = p is not None and p < 0.05
    if verdict is Verdict.NONE and not clear:
        reach = max(abs(found.low), abs(found.high))
        yield (
            f"At {effect.lineup}, it favours nobody: no policy's win share changes by more than "
            f"{100 * reach:.1f} points."
        )
    elif not clear or verdict is Verdict.UNCLEAR:
        yield (
            f"Whom it favours at {effect.lineup} cannot be told from {effect.matches:,} matches "
            f"({best.policy}: {change(found, 100)} points)."
        )
    else:
        degree = {Verdict.SMALL: "slightly ", Verdict.LARGE: "strongly "}.get(verdict, "")
        yield (
            f"At {effect.lineup}, it {degree}favours {best.policy}: {change(found, 100)} points of "
            f"win share per seat, from {100 * best.win_share.baseline:.1f} %."
        )


def seat_sentence(table: TableBalance) -> str:
    """Say whether a place at the table is an advantage."""
    seats, at = table.positions, f"With {who(table)}"
    matches = f"{table.matches:,} matches"
    even = f"{100 * seats.even:.1f} %"
    null = seats.even * (1 - table.outcomes.aborted.share.estimate)
    judged = {position: judge(found, null, *SEAT) for position, found in enumerate(seats.win_share)}
    clear = [
        position
        for position, verdict in judged.items()
        if verdict in (Verdict.SMALL, Verdict.MEDIUM, Verdict.LARGE)
    ]
    if not clear:
        reach = max(max(abs(found.low - null), abs(found.high - null)) for found in seats.win_share)
        if reach <= 2 * SEAT[0]:
            return (
                f"{at}, no seat has an advantage: no position's win share is further than "
                f"{100 * reach:.1f} points from the even {even} ({matches})."
            )
        return (
            f"{at}, no advantage of a seat shows, but {matches} cannot exclude one of up to "
            f"{100 * reach:.1f} points either way (even: {even})."
        )
    parts = [
        f"{_position(position)} wins {percent(seats.win_share[position], ' %')}"
        for position in clear
    ]
    largest = max(abs(seats.win_share[position].estimate - seats.even) for position in clear)
    degree = "" if SEAT[0] <= largest < SEAT[1] else "great " if largest >= SEAT[1] else "small "
    many = len(clear) > 1
    return (
        f"{at}, there is a {degree}difference between the seats: {_joined(parts)}, where {even} "
        f"would be even ({'these lie' if many else 'this lies'} clear of it; {matches})."
    )


def _position(position: int) -> str:
    return "the seat that begins" if position == 0 else f"position {position}"


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def length_sentence(table: TableBalance, found: Distribution) -> str:
    """Say how long matches are."""
    if len(found.counts) == 1:
        (every,) = found.counts
        return f"With {who(table)}, every match takes {every:,} {found.name}."
    median, high = found.quantiles[0.5], found.quantiles[0.95]
    long_ = found.quantiles[0.99]
    text = (
        f"With {who(table)}, half of the matches take at most {_whole(median)} {found.name}; one "
        f"in twenty takes more than {_whole(high)}, one in a hundred more than {_whole(long_)}"
    )
    if not math.isfinite(long_.high):
        text += f" ({found.matches:,} matches are too few to bound these)"
    return text + "."


def _whole(interval: Interval) -> str:
    """Write a quantile of whole numbers with its interval."""
    if interval.low == interval.high:
        return f"{interval.estimate:,.0f}"
    low = f"{interval.low:,.0f}" if math.isfinite(interval.low) else "?"
    high = f"{interval.high:,.0f}" if math.isfinite(interval.high) else "?"
    return f"{interval.estimate:,.0f} ({low}–{high})"


def pace_sentence(table: TableBalance) -> str:
    """Say how often there is something to decide."""
    return (
        f"A match asks {mean(table.decisions)} real decisions of them; "
        f"{percent(table.forced, ' %')} of all moves are forced."
    )


def ending_sentence(table: TableBalance) -> str:
    """Say how matches end besides with one winner."""
    shared, aborted = table.outcomes.shared, table.outcomes.aborted
    matches = f"{table.matches:,} matches"
    if shared.count == 0 and aborted.count == 0:
        return (
            f"Of {matches} none ends in a shared win and none is aborted (each at most "
            f"{100 * max(shared.share.high, aborted.share.high):.2g} %)."
        )
    return (
        f"Of {matches} {_count(shared)} end in a shared win; {_count(aborted)} are aborted (won by "
        "nobody)."
    )


def _count(share: Share) -> str:
    if share.count == 0:
        return f"none (at most {100 * share.share.high:.2g} %)"
    return f"{percent(share.share, ' %')}"


def drama_sentences(table: TableBalance) -> Iterator[str]:
    """Say how a match gets to its winner, and how it ends."""
    drama, at = table.drama, f"With {who(table)}"
    if drama.lead_changes is not None and drama.led_throughout is not None:
        led = drama.led_throughout.share
        if not any(drama.lead_changes.counts):
            yield (
                f"{at}, the lead never changes in {table.matches:,} matches "
                f"({drama.lead_changes.meaning})."
            )
        elif half_width(led) > WIDEST:
            yield (
                f"{at}, whoever leads first keeps the lead to the end in between "
                f"{bounds(led).replace('–', ' and ')} of matches: {table.matches:,} matches are "
                "too few to tell more closely."
            )
        else:
            yield (
                f"{at}, the lead changes {mean(drama.lead_changes.mean)} times in a match; whoever "
                f"leads first leads to the end in {percent(led, ' %')} of matches."
            )
    if drama.close is not None and drama.runaway is not None:
        yield (
            f"{percent(drama.close.share, ' %')} of matches end close (the win is shared, or the "
            f"winner ahead by at most a tenth of the distance between first and last), in "
            f"{percent(drama.runaway.share, ' %')} the winner is ahead by half of it or more."
        )


def luck_sentence(luck: Luck) -> str:
    """Say what decides who wins, cards or policy."""
    shares = luck.win.shares
    cards, policy, rest = (within_bounds(shares[name]) for name in ("cards", "policy", "rest"))
    names = _joined(luck.policies)
    if math.isnan(cards.estimate) or half_width(cards) > 2 * WIDEST:
        return f"Between {names}, {luck.deals:,} deals are too few to tell luck from skill."
    text = (
        f"Between {names}, the policy explains {percent(policy, ' %')} of the variance of who "
        f"wins, "
        f"the deal, whoever sits there, {percent(cards, ' %')}; the rest, "
        f"{percent(rest, ' %')}, is how the match went"
    )
    skill = judge(policy, 0.0, *SKILL)
    if policy.low <= 0 or skill is Verdict.SMALL:
        return text + ": hardly any skill shows between them."
    if skill is Verdict.LARGE:
        return text + ": between them it is a game of skill."
    return text + "."


def within_bounds(share: Interval) -> Interval:
    """Return a share of variance from 0 to 1; an unbiased estimate may lie beyond."""
    if math.isnan(share.estimate):
        return share
    return Interval(min(max(share.estimate, 0.0), 1.0), share.low, share.high)


def ladder_sentence(ladder: Ladder) -> str | None:
    """Say how each step of stronger play fares against the one below."""
    if not ladder.steps:
        return None
    judged = [(step, judge(step.advantage, 0.0, *DUEL)) for step in ladder.steps]
    clear = [step for step, _ in judged if step.advantage.low > 0]
    parts = [f"{step.first} over {step.second} {percent(step.share, ' %')}" for step in clear]
    text = f"Skill ladder{_at(ladder.point)}: "
    if clear:
        text += (
            f"{number(len(clear))} of {number(len(judged))} steps are clear ({'; '.join(parts)})"
        )
    else:
        text += f"none of {number(len(judged))} steps is clear"
    open_ = [step for step, verdict in judged if step.advantage.low <= 0]
    if open_:
        pairs = _joined([f"{step.first} and {step.second}" for step in open_])
        text += f"; which is stronger of {pairs} cannot be told"
    return text + "."


def _at(point: dict[str, object]) -> str:
    return f" at {show_all(point)}" if point else ""


def restriction_sentence(found: Restriction) -> str:
    """Say what doing without is worth."""
    duel = found.duel
    what = f"{found.full} against {found.restricted} ({duel.lineup}){_at(duel.point)}"
    verdict = judge(duel.share, duel.even, *DUEL)
    if verdict is Verdict.NONE:
        return (
            f"{what}: the restriction costs nothing that shows (win share per seat "
            f"{change(duel.advantage, 100)} points)."
        )
    if verdict is Verdict.UNCLEAR:
        return (
            f"{what}: {duel.matches:,} matches cannot tell what the restriction costs "
            f"({change(duel.advantage, 100)} points of win share per seat)."
        )
    if duel.advantage.estimate < 0:
        return (
            f"{what}: the restricted one wins more, {percent(duel.other_share, ' %')} of matches: "
            "doing without is better."
        )
    degree = {Verdict.SMALL: "a little", Verdict.LARGE: "a great deal"}.get(verdict, "something")
    return (
        f"{what}: what is forbidden is worth {degree}: the unrestricted one wins "
        f"{percent(duel.share, ' %')} of matches where {100 * duel.even:.0f} % would be even."
    )


def rating_sentences(rating: Rating) -> Iterator[str]:
    """Say who is rated first, whether a ranking says it all, and what the Nash average plays."""
    if rating.strengths:
        first, second = rating.strengths[:2]
        leads = first.policy == rating.reference
        yield (
            f"By finishing orders {first.policy} is rated first"
            f"{'' if leads else f', with {change(first.strength)}'}, then {second.policy}"
            f"{'' if second.policy == rating.reference else f' with {change(second.strength)}'} "
            f"(Plackett–Luce log-odds of finishing ahead of {rating.reference})."
        )
    elif rating.no_strengths:
        yield f"There are no strengths: {rating.no_strengths}."
    if rating.cyclic is not None and rating.transitive is not None and rating.cyclic_p is not None:
        yield _cycle_sentence(rating)
    if rating.nash:
        yield _nash_sentence(rating)


def _cycle_sentence(rating: Rating) -> str:
    assert rating.cyclic is not None
    assert rating.transitive is not None
    assert rating.cyclic_p is not None
    sizes = (
        f"a ranking explains {spread(rating.transitive)} of the log-odds (root mean square), "
        f"{spread(rating.cyclic)} are cyclic, p {p_value(rating.cyclic_p)}"
    )
    if rating.cycles:
        best = rating.cycles[0]
        return (
            f"No ranking says it all: {' beats '.join([*best.policies, best.policies[0]])} (sum of "
            f"log-odds {between(best.strength)}); {sizes}."
        )
    if rating.cyclic_p < 0.05:
        return (
            f"Some pairs fare otherwise than a ranking says, but no ring of three shows: {sizes}."
        )
    if rating.cyclic.high > WIDEST_CYCLE:
        return f"Whether a ranking says it all cannot be told from so few matches: {sizes}."
    return f"A ranking says (almost) all: {sizes}."


def _nash_sentence(rating: Rating) -> str:
    played = [own for own in rating.nash if own.mass.estimate > 0.0005]
    sure = len(played) == 1 and played[0].mass.low > 0.9995
    parts = _joined([f"{own.policy} {percent(own.mass, ' %')}" for own in played])
    if sure:
        return (
            f"Who chooses among these policies against somebody who chooses as well takes "
            f"{played[0].policy}, always: no other one gains against it (Nash average)."
        )
    if any(half_width(own.mass) > 2 * WIDEST for own in rating.nash):
        return (
            f"The Nash average, what nobody gains against by another choice, plays {parts}; so "
            "wide, it cannot be told well whom it takes."
        )
    return f"The Nash average, what nobody gains against by another choice, plays {parts}."
