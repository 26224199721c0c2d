"""Estimates with their intervals as text, with as many digits as the interval supports."""

from __future__ import annotations

import math
from collections.abc import Sequence

from studies.compare.results import Equivalence, Misfit, VariantEffect
from studies.stats.intervals import Interval

IN_PLAY = (
    "“In play” are the matches that are recorded otherwise with the variant: other winners, "
    "another score of a seat or another number in a metric of the game. It hardly depends on the "
    "coupling."
)
"""What `studies.deals.values.told_apart` counts."""


def _digits(half: float) -> int:
    """Return the decimals at which a half-width shows one digit, or two below 3."""
    if not math.isfinite(half) or half <= 0:
        return 1
    digits = -math.floor(math.log10(half))
    return min(max(digits + int(half * 10**digits < 3), 0), 3)


def count(number: int, one: str, many: str = "") -> str:
    """Write a number of things: 1 match, 5,000 matches."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def matches_(number: int) -> str:
    """Write a number of matches."""
    return count(number, "match", "matches")


def too_few(number: int, one: str = "match", many: str = "") -> str:
    """Write that a number of things is too few."""
    many = many or (f"{one}es" if one.endswith("match") else "")
    return f"{count(number, one, many)} {'is' if number == 1 else 'are'} too few"


def percent(interval: Interval, unit: str = "") -> str:
    """Write a share: 21.3 (21.1–21.5); "–" where there is none, "(?)" where it has no bounds."""
    if math.isnan(interval.estimate):
        return "–"
    if not math.isfinite(interval.high - interval.low):
        return f"{100 * interval.estimate:.1f}{unit} (?)"
    finest = 3 if interval.high < 0.001 else 2
    digits = min(max(_digits(50 * (interval.high - interval.low)), 1), finest)
    value, low, high = (
        f"{round(100 * bound, digits) + 0.0:.{digits}f}"  # + 0.0: no minus before a zero
        for bound in (interval.estimate, interval.low, interval.high)
    )
    to = "–" if not low.startswith("-") else " to "
    return f"{value}{unit} ({low}{to}{high})"


def aborted_shares(counts: Sequence[int], shares: Sequence[Interval], unit: str = " %") -> str:
    """Write how many matches are aborted without and with a variant."""
    told = [
        percent(share, unit) if count else "none"
        for count, share in zip(counts, shares, strict=True)
    ]
    return f"aborted: {told[0]} without it, {told[1]} with it"


def from_to(effect: VariantEffect) -> str:
    """Write the shares of aborted matches without and with a variant: "0.0 → 26.1"."""
    return " → ".join(f"{100 * own.estimate:.1f}" for own in effect.aborted_share)


def share(value: float) -> str:
    """Write a share in % without an interval; "–" where there is none."""
    return "–" if math.isnan(value) else f"{100 * value:.1f}"


def up_to(share: float) -> str:
    """Write an upper bound of a share in %, with two digits, rounded up."""
    if not share > 0:
        return "0"
    bound = 100 * share
    unit = 10.0 ** (math.floor(math.log10(bound)) - 1)
    return f"{float(f'{math.ceil(bound / unit - 1e-9) * unit:.2g}'):g}"


def mean(interval: Interval, scale: float = 1, sign: str = "") -> str:
    """Write a mean: 61.2 ±0.3; alone where it never varies: 11; as `between` where lopsided.

    A change, which has a `sign`, is "none" where no deal shows one and nothing bounds it.
    """
    if _is_lopsided(interval):
        return between(interval, scale, sign)
    half = scale * (interval.high - interval.low) / 2
    value = scale * interval.estimate
    if math.isnan(value):
        return "–"
    if half == 0:
        return f"{value:{sign},.6g}" if value else "0"
    if sign and value == 0 and not math.isfinite(half):
        return "none"
    digits = _digits(half)
    text = f"{value:{sign}.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("+-")
    return f"{text} ±{half:.{digits}f}" if math.isfinite(half) else f"{text} ±?"


def change(interval: Interval, scale: float = 1) -> str:
    """Write a change: +1.2 ±0.3, or +0.02 (-0.10…+0.31) where few deals tell."""
    return mean(interval, scale, "+")


def p_value(p: float | None) -> str:
    """Write a p-value."""
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def misfit_words(found: Misfit) -> str:
    """Say where a policy fares otherwise than its strength says."""
    what = "wins" if found.winning else "comes next behind the winner in"
    return (
        f"at {found.lineup} {found.policy} {what} {100 * found.seen:.1f} % where the strengths say "
        f"{100 * found.expected:.1f} %"
    )


def verdict(equivalence: Equivalence | None, interval: Interval) -> str:
    """Say whether a change is shown to lie within its margin, or outside, or neither."""
    if equivalence is None:
        return "–"
    if equivalence.holds:
        return "yes"
    margin = equivalence.margin
    return "no" if interval.low >= margin or interval.high <= -margin else "open"


def spread(interval: Interval) -> str:
    """Write a size and its interval: 0.31 (0.28–0.34)."""
    digits = _digits((interval.high - interval.low) / 2)
    value, low, high = (
        f"{bound:.{digits}f}" for bound in (interval.estimate, interval.low, interval.high)
    )
    return f"{value} ({low}–{high})"


def _is_lopsided(interval: Interval) -> bool:
    """Whether an interval reaches a tenth further to one side of its estimate than it is wide."""
    below, above = interval.estimate - interval.low, interval.high - interval.estimate
    return math.isfinite(below + above) and abs(above - below) > 0.1 * (above + below)


def between(interval: Interval, scale: float = 1, sign: str = "+") -> str:
    """Write an interval that need not be symmetric: +0.52 (+0.48…+0.57)."""
    half = scale * (interval.high - interval.low) / 2
    digits = _digits(half)
    if not math.isfinite(half):
        return f"{scale * interval.estimate:{sign}.{digits}f} (?)"
    return f"{_signed(scale * interval.estimate, digits, sign)} ({limits(interval, scale, sign)})"


def limits(interval: Interval, scale: float = 1, sign: str = "+") -> str:
    """Write the bounds of an interval alone: +0.48…+0.57."""
    digits = _digits(scale * (interval.high - interval.low) / 2)
    low, high = (_signed(scale * bound, digits, sign) for bound in (interval.low, interval.high))
    return f"{low}…{high}"


def _signed(value: float, digits: int, sign: str) -> str:
    text = f"{value:{sign}.{digits}f}"
    return text.lstrip("+-") if float(text) == 0 else text
