"""Luck against skill, and policies against each other, in sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator

from studies.balance.duels import turned
from studies.balance.results import Duel, Ladder, Luck, Restriction, TableBalance
from studies.compare.results import Rating
from studies.report.sentences.words import (
    DUEL,
    SKILL_OF_MOST,
    WIDEST,
    WIDEST_CYCLE,
    at_point,
    half_width,
    joined,
    number,
)
from studies.report.verdict import Verdict, judge
from studies.show.wording import (
    between,
    change,
    count,
    matches_,
    misfit_words,
    p_value,
    percent,
    spread,
    too_few,
    up_to,
)
from studies.stats.intervals import Interval

_NOTHING = 5e-6
"""Share of a variance that is written as none."""


def luck_sentence(table: TableBalance) -> str:
    """Say what decides who wins at a table, cards or policy."""
    luck = table.luck
    assert luck is not None
    names = f"Between {joined(luck.policies)}"
    if luck.left_out and not luck.deals:
        return f"{names}, no deal is decided in every rotation: there is nothing to explain."
    if luck.win.total == 0:
        return f"{names}, who wins never varies in {count(luck.deals, 'deal')}: nothing to explain."
    if is_untold(luck):
        return f"{names}, {too_few(luck.deals, 'deal')} to tell luck from skill."
    shares, most = luck.win.shares, luck.win.most
    policy = within_bounds(luck.win.policy_of_most)
    text = f"{names}, policy explains {part(policy)} of what one that always won would"
    if most < 0.999:
        text += (
            f" ({part(shares['policy'])} of the whole variance of who wins, of {100 * most:.0f} % "
            "at most: which of its seats wins is luck at any strength)"
        )
    text += (
        f"; the cards dealt explain {part(shares['cards'])} of who wins, whoever holds them; "
        f"the rest, {part(shares['rest'])}, is how the match went"
    )
    if shares["rest"].estimate > 1:
        text += " (more than all, as another part is estimated below 0)"
    return text + _skill(policy) + _left_out(luck) + "."


def is_untold(luck: Luck) -> bool:
    """Whether the deals are too few to tell luck from skill."""
    cards = luck.win.shares["cards"]
    return math.isnan(cards.estimate) or half_width(within_bounds(cards)) > 2 * WIDEST


def _skill(policy: Interval) -> str:
    """Say how much skill shows, as a part of what a policy can explain."""
    verdict = judge(policy, 0.0, *SKILL_OF_MOST)
    if policy.low <= 0 or verdict is Verdict.SMALL:
        return ": hardly any skill shows between them"
    return ": between them it is a game of skill" if verdict is Verdict.LARGE else ""


def _left_out(luck: Luck) -> str:
    """Say which deals do not count."""
    if not luck.left_out:
        return ""
    share = 100 * luck.left_out / (luck.left_out + luck.deals)
    return f" (among deals decided in every rotation; {share:.1f} % have an aborted match)"


def part(share: Interval) -> str:
    """Write a part of a variance; of one that is estimated at 0 or below, what it may be."""
    if share.high < _NOTHING:
        return "nothing"
    if share.estimate <= 0:
        return f"nothing that shows (at most {up_to(share.high)} %)"
    return percent(within_bounds(share), " %")


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
    against = [turned(step) for step in ladder.steps if step.advantage.high < 0]
    open_ = [step for step in ladder.steps if step.advantage.low <= 0 <= step.advantage.high]
    point = at_point(ladder.point)
    text = f"Skill ladder{' ' if point else ''}{point}: "
    steps = len(ladder.steps)
    if not clear:
        text += (
            "its one step is not clear" if steps == 1 else f"none of {number(steps)} steps is clear"
        )
    else:
        if steps == 1:
            text += "its one step is clear"
        elif len(clear) < steps:
            text += f"{number(len(clear))} of {number(steps)} steps are clear"
        else:
            text += f"all {number(steps)} steps are clear"
        text += f" ({'; '.join(map(beats, clear))})"
    if against:
        text += f"; against its order, {joined([beats(step) for step in against])}"
    if open_:
        pairs = joined([f"{step.first} and {step.second}" for step in open_])
        fewest = min(step.matches for step in open_)
        text += f"; which is stronger of {pairs} cannot be told from {matches_(fewest)}"
    return text + "."


def beats(duel: Duel) -> str:
    """Say that the first of a duel beats the second."""
    return f"{duel.first} beats {duel.second} in {wins_of(duel)}"


def wins_of(duel: Duel) -> str:
    """Write what the first of a duel wins, and what is even where it is not one half.

    "71.2 % (69.8–72.5) of matches (even: 66.7 %)".
    """
    told = [] if abs(duel.even - 0.5) < 1e-9 else [f"even: {100 * duel.even:.1f} %"]
    if duel.aborted:
        told.append(f"{100 * duel.aborted / duel.matches:.1f} % of all were aborted")
    among = "decided matches" if duel.aborted else "matches"
    beside = f" ({'; '.join(told)})" if told else ""
    return f"{percent(duel.share, ' %')} of {among}{beside}"


def restriction_sentence(found: Restriction) -> str:
    """Say what doing without is worth."""
    duel = found.duel
    point = at_point(duel.point)
    what = (
        f"{duel.lineup}{', ' if point else ''}{point} ({found.full} against {found.restricted}): "
    )
    verdict = judge(duel.share, duel.even, *DUEL)
    gap = f"{between(duel.advantage, 100)} points of win rate per seat"
    if verdict is Verdict.NONE:
        return f"{what}the restriction costs nothing that shows ({gap}, {matches_(duel.matches)})."
    if verdict is Verdict.UNCLEAR:
        told = "" if math.isnan(duel.advantage.estimate) else f" ({gap})"
        return f"{what}{matches_(duel.matches)} cannot tell what the restriction costs{told}."
    if duel.advantage.estimate < 0:
        return (
            f"{what}the restricted one wins more, {wins_of(turned(duel))}: doing without is better."
        )
    degree = {Verdict.SMALL: "a little", Verdict.LARGE: "a great deal"}.get(verdict, "something")
    even = "" if abs(duel.even - 0.5) > 1e-9 else ", where 50 % would be even"
    return (
        f"{what}what is forbidden is worth {degree}: the unrestricted one wins "
        f"{wins_of(duel)}{even}."
    )


def rating_sentences(rating: Rating) -> Iterator[str]:
    """Say who is rated first, whether a ranking says it all, and what the Nash average plays."""
    if rating.strengths:
        yield _strength_sentence(rating)
    elif rating.no_strengths:
        yield f"Strengths: {rating.no_strengths}."
    if rating.cycles or (rating.cyclic is not None and rating.transitive is not None):
        yield _cycle_sentence(rating)
    if rating.nash:
        yield _nash_sentence(rating)


def _strength_sentence(rating: Rating) -> str:
    """Say who is first by strength, and whether strengths are to be believed."""
    assert rating.lead is not None
    first, rival = rating.strengths[0].policy, rating.rival
    left_out = f"; {rating.aborted:,} aborted matches left out" if rating.aborted else ""
    scale = f"(Plackett–Luce log-odds from {count(rating.orders, 'order')}{left_out})"
    lead = change(rating.lead)
    against = list(_against_strengths(rating))
    if rating.misfits:
        text = (
            f"One strength a policy does not fit these matches (p {p_value(rating.fit_p)}): "
            f"{misfit_words(rating.misfits[0])}. The direct pairings (payoffs) are to be believed, "
            f"not the strengths {scale}"
        )
        if rating.lead.low > 0:
            text += f", which put {first} first, {lead} over {rival}"
    elif rating.lead.low > 0:
        text = f"By finishing orders {first} is rated first, {lead} over {rival} {scale}"
    else:
        text = (
            f"By finishing orders it cannot be told which of {first} and {rival} is rated first: "
            f"{first} {lead} {scale}"
        )
    if against and not rating.misfits:
        text += "; but the direct pairings (payoffs) are to be believed where they differ"
    if against:
        text += f": {'; '.join(against[:2])}"
    elif not rating.misfits:
        text += (
            "; whether one strength a policy fits cannot be told from such tables"
            if rating.fit_p is None
            else f"; no misfit shows (p {p_value(rating.fit_p)})"
        )
    return f"{text}."


def _against_strengths(rating: Rating) -> Iterator[str]:
    """Yield pairings that go clearly against the order of the strengths."""
    strength = {own.policy: own.strength.estimate for own in rating.strengths}
    for own in rating.payoffs:
        clear = own.simultaneous.low > 0 or own.simultaneous.high < 0
        ahead = own.payoff.estimate > 0
        if clear and ahead != (strength[own.first] > strength[own.second]):
            one, other = (own.first, own.second) if ahead else (own.second, own.first)
            payoff = own.payoff if ahead else own.payoff.mirrored()
            yield f"{one} beats {other} (payoff {between(payoff, 100)} %)"


def _cycle_sentence(rating: Rating) -> str:
    """Say whether policies beat each other in a ring."""
    sizes = ""
    if rating.cyclic is not None and rating.transitive is not None:
        out = [name for name in rating.policies if name not in rating.cyclic_among]
        among = f" (without {joined(out)}, as one side of a pairing won throughout)" if out else ""
        sizes = (
            f"a ranking explains {spread(rating.transitive)} of the log-odds (root mean square)"
            f"{among}, {spread(rating.cyclic)} are cyclic, p {p_value(rating.cyclic_p)}"
        )
    if rating.cycles:
        best = rating.cycles[0]
        ring = (
            f"No ranking says it all: {' beats '.join([*best.policies, best.policies[0]])} (sum of "
            f"log-odds {between(best.strength)})"
        )
        return f"{ring}{f'; {sizes}' if sizes else ''}."
    assert rating.cyclic is not None
    assert rating.cyclic_p is not None
    if rating.cyclic_p < 0.05:
        return (
            "No three policies are shown to beat each other in a ring, but some pairs fare "
            f"otherwise than one ranking of wins says: {sizes}."
        )
    if rating.cyclic.high > WIDEST_CYCLE:
        return f"Whether a ranking of wins says it all cannot be told from so few matches: {sizes}."
    return f"A ranking of wins says (almost) all: {sizes}."


def _nash_sentence(rating: Rating) -> str:
    played = [own for own in rating.nash if own.mass.estimate > 0.0005]
    sure = (
        len(played) == 1
        and played[0].mass.low > 0.9995
        and all(_wins_surely(rating, played[0].policy, own) for own in rating.policies)
    )
    parts = joined([f"{own.policy} {percent(own.mass, ' %')}" for own in played])
    if len(played) > 1 and all(half_width(own.mass) == 0 for own in rating.nash):
        return "Nothing in these matches tells the policies of the Nash average apart."
    if sure:
        return (
            f"Who chooses among these policies against somebody who chooses as well takes "
            f"{played[0].policy}, always: no other one gains against it (Nash average)."
        )
    wide = any(half_width(own.mass) > 2 * WIDEST for own in rating.nash)
    if wide or (len(played) == 1 and not sure):
        return (
            f"The Nash average, what nobody gains against by another choice, plays {parts}; from "
            "so few matches it cannot be told well whom it takes."
        )
    return f"The Nash average, what nobody gains against by another choice, plays {parts}."


def _wins_surely(rating: Rating, policy: str, other: str) -> bool:
    """Return whether a policy is shown to win from another one; it is no other to itself."""
    for own in rating.payoffs:
        if {own.first, own.second} == {policy, other}:
            found = own.simultaneous if own.first == policy else own.simultaneous.mirrored()
            return found.low > 0
    return policy == other
