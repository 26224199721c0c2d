"""Luck against skill, and policies against each other, in sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from studies.balance.found import Ladder, Luck, Restriction, TableBalance
from studies.findings import Rating
from studies.intervals import Interval
from studies.report.sentences.words import (
    DUEL,
    SKILL,
    SKILL_OF_MOST,
    WIDEST,
    WIDEST_CYCLE,
    at_point,
    half_width,
    joined,
    number,
)
from studies.report.verdict import Verdict, judge
from studies.wording import (
    between,
    change,
    count,
    matches_,
    p_value,
    percent,
    spread,
    too_few,
)

_NOTHING = 5e-6
"""Share of a variance that is written as none."""


def most_by_policy(table: TableBalance) -> float:
    """Return the share of the variance of who wins that policies explain where one always wins.

    With k of n seats, each of them wins one match in k, and which of them does is no skill: the
    variance between policies is 1/(nk) - 1/n², that of a seat's win 1/n - 1/n². NaN where policies
    hold different numbers of seats, as then it depends on which one wins.
    """
    held = set(Counter(table.seats).values())
    if len(held) != 1:
        return math.nan
    (seats,) = held
    players = table.players
    return (players - seats) / (seats * (players - 1)) if players > 1 else math.nan


def luck_sentence(table: TableBalance) -> str:
    """Say what decides who wins at a table, cards or policy."""
    luck = table.luck
    assert luck is not None
    names = f"Between {joined(luck.policies)}"
    if luck.win.total == 0:
        return f"{names}, who wins never varies in {count(luck.deals, 'deal')}: nothing to explain."
    if _untold(luck):
        return f"{names}, {too_few(luck.deals, 'deal')} to tell luck from skill."
    shares = luck.win.shares
    policy = within_bounds(shares["policy"])
    most = most_by_policy(table)
    text = f"{names}, policy explains {_share(policy)} of the variance of who wins"
    if not math.isnan(most) and most < 0.999:
        text += f" (one that always won, untied: {100 * most:.0f} %)"
    text += (
        f", the cards dealt explain {_share(within_bounds(shares['cards']))}, whoever holds them; "
        f"the rest, {_share(within_bounds(shares['rest']))}, is how the match went"
    )
    return text + _skill(policy, most) + "."


def _untold(luck: Luck) -> bool:
    cards = luck.win.shares["cards"]
    return math.isnan(cards.estimate) or half_width(within_bounds(cards)) > 2 * WIDEST


def _skill(policy: Interval, most: float) -> str:
    """Say how much skill shows; what counts as much is relative to what a policy can explain."""
    small, large = SKILL if math.isnan(most) else (own * most for own in SKILL_OF_MOST)
    verdict = judge(policy, 0.0, small, large)
    if policy.low <= 0 or verdict is Verdict.SMALL:
        return ": hardly any skill shows between them"
    return ": between them it is a game of skill" if verdict is Verdict.LARGE else ""


def _share(interval: Interval) -> str:
    if interval.high < _NOTHING:
        return "nothing"
    return percent(interval, " %")


def within_bounds(share: Interval) -> Interval:
    """Return a share of variance from 0 to 1; an unbiased estimate may lie beyond."""
    if math.isnan(share.estimate):
        return share
    return Interval(*(min(max(own, 0.0), 1.0) for own in (share.estimate, share.low, share.high)))


def ladder_sentence(ladder: Ladder) -> str | None:
    """Say how each step of stronger play fares against the one below."""
    if not ladder.steps:
        return None
    clear = [step for step in ladder.steps if step.advantage.low > 0]
    open_ = [step for step in ladder.steps if step.advantage.low <= 0]
    point = at_point(ladder.point)
    text = f"Skill ladder{' ' if point else ''}{point}: "
    steps = len(ladder.steps)
    if not clear:
        text += (
            "its one step is not clear" if steps == 1 else f"none of {number(steps)} steps is clear"
        )
    else:
        parts = [
            f"{step.first} beats {step.second} in {percent(step.share, ' %')}" for step in clear
        ]
        if steps == 1:
            text += "its one step is clear"
        elif open_:
            text += f"{number(len(clear))} of {number(steps)} steps are clear"
        else:
            text += f"all {number(steps)} steps are clear"
        text += f" ({'; '.join(parts)} of matches)"
    if open_:
        pairs = joined([f"{step.first} and {step.second}" for step in open_])
        fewest = min(step.matches for step in open_)
        text += f"; which is stronger of {pairs} cannot be told from {matches_(fewest)}"
    return text + "."


def restriction_sentence(found: Restriction) -> str:
    """Say what doing without is worth."""
    duel = found.duel
    point = at_point(duel.point)
    what = (
        f"{duel.lineup}{', ' if point else ''}{point} ({found.full} against {found.restricted}): "
    )
    verdict = judge(duel.share, duel.even, *DUEL)
    if verdict is Verdict.NONE:
        return (
            f"{what}the restriction costs nothing that shows (win share per seat "
            f"{change(duel.advantage, 100)} points, {matches_(duel.matches)})."
        )
    if verdict is Verdict.UNCLEAR:
        return (
            f"{what}{matches_(duel.matches)} cannot tell what the restriction costs "
            f"({change(duel.advantage, 100)} points of win share per seat)."
        )
    if duel.advantage.estimate < 0:
        return (
            f"{what}the restricted one wins more, {percent(duel.other_share, ' %')} of matches: "
            "doing without is better."
        )
    degree = {Verdict.SMALL: "a little", Verdict.LARGE: "a great deal"}.get(verdict, "something")
    return (
        f"{what}what is forbidden is worth {degree}: the unrestricted one wins "
        f"{percent(duel.share, ' %')} of matches where {100 * duel.even:.0f} % would be even."
    )


def rating_sentences(rating: Rating) -> Iterator[str]:
    """Say who is rated first, whether a ranking says it all, and what the Nash average plays."""
    if rating.strengths:
        yield _strength_sentence(rating)
    elif rating.no_strengths:
        yield f"Strengths: {rating.no_strengths}."
    if rating.cyclic is not None and rating.transitive is not None and rating.cyclic_p is not None:
        yield _cycle_sentence(rating)
    if rating.nash:
        yield _nash_sentence(rating)


def _strength_sentence(rating: Rating) -> str:
    first, second = rating.strengths[:2]
    one, other = (
        own.policy if own.policy == rating.reference else f"{own.policy} ({change(own.strength)})"
        for own in (first, second)
    )
    scale = (
        f"(Plackett–Luce log-odds of finishing ahead of {rating.reference}; "
        f"{count(rating.orders, 'order')})"
    )
    if first.strength.low > second.strength.high:
        return f"By finishing orders {one} is rated first, then {other} {scale}."
    return (
        f"By finishing orders it cannot be told which of {one} and {other} is rated first {scale}."
    )


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
            "No three policies beat each other in a ring, but some pairs fare otherwise than one "
            f"ranking says: {sizes}."
        )
    if rating.cyclic.high > WIDEST_CYCLE:
        return f"Whether a ranking says it all cannot be told from so few matches: {sizes}."
    return f"A ranking says (almost) all: {sizes}."


def _nash_sentence(rating: Rating) -> str:
    played = [own for own in rating.nash if own.mass.estimate > 0.0005]
    sure = len(played) == 1 and played[0].mass.low > 0.9995
    parts = joined([f"{own.policy} {percent(own.mass, ' %')}" for own in played])
    if len(played) > 1 and all(half_width(own.mass) == 0 for own in rating.nash):
        return "Nothing in these matches tells the policies of the Nash average apart."
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
