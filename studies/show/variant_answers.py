"""Of many variants: which make matches longer, and which help the stronger player.

A variant is named where its change is shown: its p is small after Holm's correction over the study.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from studies.compare.results import Change, Comparison, PolicyEffect, VariantEffect
from studies.deals.values import LENGTHS
from studies.show.wording import change, count

MOST_NAMED = 3
"""Variants named in a direction; of further ones the number is told."""

Told = tuple[str, Change]


def length_answer(
    effects: Sequence[VariantEffect], level: float, *, named: bool = False
) -> str | None:
    """Say which variants make the matches of one table longer, and which shorter.

    Parameters
    ----------
    effects : sequence of VariantEffect
        At one table; controls are no variants and are left out.
    level : float
        Of the intervals; a change is shown if its corrected p is at most 1 - `level`.
    named : bool
        Whether to say which table of several that is.

    Returns
    -------
    str or None
        None where there are fewer than two variants, or nothing that tells the length.
    """
    own = [effect for effect in effects if not effect.control]
    name = next((name for name in LENGTHS if all(name in one.metrics for one in own)), None)
    if len(own) < 2 or name is None:
        return None
    told = [(effect.variant, effect.metrics[name]) for effect in own]
    where = f" at {own[0].lineup}" * named
    words = (f"Longer or shorter matches{where}", f"Longer matches{where}", "Shorter ones")
    return _answer(words, told, f" {name}", 1, level, relative=True)


def strength_answer(effects: Sequence[VariantEffect], level: float) -> str | None:
    """Say which variants help the stronger player of one table, and which the others.

    The stronger one is the policy with the highest win rate under the unchanged rules.

    Parameters
    ----------
    effects : sequence of VariantEffect
        At one table of several policies; controls are left out.
    level : float
        As of `length_answer`.

    Returns
    -------
    str or None
        None where there are fewer than two variants or policies, or nobody is stronger.
    """
    own = [effect for effect in effects if not effect.control and effect.decided]
    if len(own) < 2 or any(len(effect.policies) < 2 for effect in own):
        return None
    ranked = sorted(own[0].policies, key=lambda one: one.win_share.baseline, reverse=True)
    strongest = ranked[0].policy
    if ranked[0].win_share.baseline <= ranked[1].win_share.baseline:
        return None
    told = [(effect.variant, _of(effect, strongest).win_share) for effect in own]
    stronger = f"wins for the stronger player ({strongest} at {own[0].lineup})"
    words = (f"More or fewer {stronger}", f"More {stronger}", "Fewer, so that luck decides more")
    return _answer(words, told, " points of win rate", 100, level)


def variant_answers(
    comparison: Comparison, point: Mapping[str, object], first: str | None = None
) -> Iterator[str]:
    """Yield both answers at one sweep point: each of the first table that has one.

    Of a factorial design there are none: its rows are no variants, and its factors are told.

    Parameters
    ----------
    first : str, optional
        The line-up that is asked first; default: as in the study.
    """
    if comparison.factors and comparison.factors.variants:
        return
    effects = [effect for effect in comparison.variants if effect.point == point]
    lineups = list(dict.fromkeys(effect.lineup for effect in effects))
    lineups.sort(key=lambda own: own != first)
    for answer in (partial(length_answer, named=len(lineups) > 1), strength_answer):
        for lineup in lineups:
            own = [effect for effect in effects if effect.lineup == lineup]
            if text := answer(own, comparison.level):
                yield text
                break


def _of(effect: VariantEffect, policy: str) -> PolicyEffect:
    return next(one for one in effect.policies if one.policy == policy)


def _answer(
    words: tuple[str, str, str],
    told: Sequence[Told],
    unit: str,
    scale: float,
    level: float,
    *,
    relative: bool = False,
) -> str:
    """Name the variants whose change is shown, those that change most first.

    Parameters
    ----------
    words : tuple of str
        What it is about; its beginnings where something is more, and where it is less.
    """
    both, *ways = words
    shown = [
        (variant, own)
        for variant, own in told
        if own.p_holm is not None and own.p_holm <= 1 - level and math.isfinite(own.change.high)
    ]
    if not shown:
        return f"{both}: nothing is shown of {count(len(told), 'variant')}."
    parts = []
    for way, sign in zip(ways, (1, -1), strict=True):
        named = sorted(
            (one for one in shown if sign * one[1].change.estimate > 0),
            key=lambda one: -sign * one[1].change.estimate,
        )
        listed = [_one(variant, own, unit, scale, relative) for variant, own in named[:MOST_NAMED]]
        if len(named) > MOST_NAMED:
            listed.append(f"and {len(named) - MOST_NAMED} more")
        parts.append(f"{way}: {', '.join(listed) or 'none shown'}")
    rest = len(told) - len(shown)
    open_ = f" Nothing is shown of {count(rest, 'variant')}." if rest else ""
    return f"{'. '.join(parts)}.{open_}"


def _one(variant: str, own: Change, unit: str, scale: float, relative: bool) -> str:
    size = f"{change(own.change, scale)}{unit}"
    if relative and own.baseline:
        size += f", {100 * own.change.estimate / own.baseline:+.0f} %"
    return f"“{variant}” ({size})"
