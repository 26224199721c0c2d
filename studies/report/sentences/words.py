"""Words that sentences share: who plays, where, how many, and what counts as small or large.

What counts as small or large is a convention, not a result: the constants below, in shares.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from simcore.options import show_all
from studies.balance.results import Share, TableBalance
from studies.show.wording import matches_, percent, up_to
from studies.stats.intervals import Interval

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PLACES = ("the seat that begins", "the second seat", "the third seat", "the fourth seat")

WIDEST = 0.05
"""Half-width of a share from which on a sentence says that it cannot tell."""

OTHER_WINNERS = (0.02, 0.30)
LENGTH = (0.01, 0.10)
SEAT = (0.01, 0.05)
GAIN = (0.01, 0.05)
DUEL = (0.02, 0.15)
SKILL_OF_MOST = (0.03, 0.50)
"""Small and large effects; of skill as parts of what a policy that always won would explain."""

WIDEST_CYCLE = 0.25
"""Log-odds that a cyclic part may reach while a sentence still says that none shows."""


def number(count: int) -> str:
    """Write a small number as a word."""
    return NUMBERS[count] if count < len(NUMBERS) else f"{count:,}"


def half_width(interval: Interval) -> float:
    """Return half the width of an interval."""
    return (interval.high - interval.low) / 2


def between_bounds(interval: Interval) -> str:
    """Write the bounds of a share: "between 12.3 and 45.6 %"."""
    return f"between {100 * interval.low:.1f} and {100 * interval.high:.1f} %"


def who(table: TableBalance) -> str:
    """Say who plays: "four players (random in every seat)"."""
    if table.alike:
        return f"{number(table.players)} players ({table.strategies[0]} in every seat)"
    return f"{number(table.players)} players ({joined(table.strategies)})"


def at_point(point: Mapping[str, object]) -> str:
    """Say at which sweep point: "with four players, forget_uno=0.2"; nothing where there is one."""
    if not point:
        return ""
    players = point.get("players")
    others = {key: value for key, value in point.items() if key != "players"}
    if not isinstance(players, int):
        return f"at {show_all(others)}"
    seats = f"with {number(players)} players"
    return f"{seats}, {show_all(others)}" if others else seats


def plays_at_random(strategy: str) -> bool:
    """Whether a policy has no aim: random, or random among the cards that can be played."""
    return strategy.startswith("random")


def place(position: int) -> str:
    """Name a position: "the seat that begins", "the second seat"; from the fifth on by number."""
    return PLACES[position] if position < len(PLACES) else f"seat {position + 1}"


def joined(parts: Sequence[str]) -> str:
    """Join words: "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def played(table: TableBalance) -> str:
    """Write how many matches a table has, and how many were decided where some were not."""
    aborted = table.outcomes.aborted
    if not aborted.count:
        return matches_(table.matches)
    return (
        f"{table.matches - aborted.count:,} decided matches; {percent(aborted.share, ' %')} of all "
        "were aborted"
    )


def counted(share: Share) -> str:
    """Write a share of matches; of none at all its upper bound."""
    if share.count == 0:
        return f"none (at most {up_to(share.share.high)} %)"
    return percent(share.share, " %")


def whole(interval: Interval) -> str:
    """Write a quantile of whole numbers with its interval; "?" where the matches give no bound."""
    if interval.low == interval.high:
        return f"{interval.estimate:,.0f}"
    low = f"{interval.low:,.0f}" if math.isfinite(interval.low) else "?"
    high = f"{interval.high:,.0f}" if math.isfinite(interval.high) else "?"
    return f"{interval.estimate:,.0f} ({low}–{high})"


def the_table(lineup: str) -> str:
    """Name a table by its line-up; those drawn from a population are called table 1, table 2…."""
    return lineup if lineup.startswith("table ") else f"the table {lineup}"


def needs_matches(what: str) -> str:
    """Say that something cannot be told of a study that keeps sums, and what would tell it."""
    return f'{what} cannot be told from sums over blocks; detail = "matches" keeps what tells it.'


def capital(text: str) -> str:
    """Begin with a capital letter."""
    return text[:1].upper() + text[1:]
