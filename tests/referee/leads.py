"""Who led when, and who came from behind: the same in all games, told from all totals noted."""

from __future__ import annotations

from collections.abc import Collection, Sequence

Totals = Sequence[Sequence[int]]
"""The totals of all seats after every round (trick, lap), and after a match won within a round."""


def gaps(totals: Sequence[int], *, lowest: bool) -> list[int]:
    """How many points each seat is away from the best total."""
    best = min(totals) if lowest else max(totals)
    return [abs(best - total) for total in totals]


def last_lead_change(
    history: Totals, *, lowest: bool = False, from_nought: bool = True, level_leads: bool = True
) -> int:
    """The number (from 1) of the first entry from which the same seats led to the end.

    With `from_nought`, all seats lead when nobody has a point; otherwise nobody does. Without
    `level_leads` an entry in which all are level is passed over, but for the last one.
    """
    last, before = 0, set[int]()
    for number, totals in enumerate(history, start=1):
        leaders = {seat for seat, gap in enumerate(gaps(totals, lowest=lowest)) if gap == 0}
        if not from_nought and not any(totals):
            leaders = set()
        if not level_leads and len(set(totals)) == 1 and number < len(history):
            continue
        if leaders != before:
            last = number
        before = leaders
    return last


def comeback(history: Totals, winners: Collection[int], *, lowest: bool = False) -> int:
    """The most points that a winner was ever behind."""
    behind = [gaps(totals, lowest=lowest)[seat] for totals in history for seat in winners]
    return max(behind, default=0)
