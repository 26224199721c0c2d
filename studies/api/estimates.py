"""What `cardlab simulate` tells with intervals, the same for its summary and for --json.

Win rates are per seat held and of decided matches, as `cardlab compare` means them. Where each
deal is played in several rotations, intervals take the deal as their unit.
"""

from __future__ import annotations

import math

from studies.api.tally import Sums, Tally
from studies.stats.intervals import LEVEL, Interval, finite, wilson, wilson_at

NORMAL_95 = 1.959963984540054


def per_seat(tally: Tally) -> dict[str, Interval]:
    """Return each strategy's win rate per seat that it holds.

    With ties a share's values lie between 0 and 1 and vary at most as much as yes or no would, so
    that Wilson's interval then errs on the wide side. Who holds all seats wins every match.
    """
    shares = tally.win_share_by_strategy(decided=True)
    found = {}
    for name, share in shares.items():
        held = tally.seats.count(name)
        if held == len(tally.seats):
            whole = Interval(share, share, share)
        elif tally.by_deal is not None:
            whole = tally.by_deal.strategy(name)
        else:
            whole = _share(share, tally.decided)
        found[name] = Interval(*(own / held for own in (whole.estimate, whole.low, whole.high)))
    return found


def by_position(tally: Tally) -> list[Interval]:
    """Return the win rate of each position; 0 is the first seat, then clockwise."""
    if tally.by_deal is not None:
        return [tally.by_deal.position(place) for place in range(len(tally.seats))]
    return [_share(share, tally.decided) for share in tally.win_share_by_position(decided=True)]


def aborted(tally: Tally) -> Interval:
    """Return the share of aborted matches."""
    if tally.by_deal is not None:
        return tally.by_deal.aborted()
    return wilson(tally.aborted, tally.matches)


def means(tally: Tally) -> dict[str, Interval | None]:
    """Return the means of every per-match metric, by name."""
    if tally.by_deal is not None:
        return tally.by_deal.means()
    return {name: _mean(sums) for name, sums in tally.all_sums().items()}


def scores(tally: Tally) -> list[Interval | None]:
    """Return the mean score of each position."""
    if tally.by_deal is not None:
        return tally.by_deal.scores()
    return [_mean(sums) for sums in tally.score_by_position]


def as_json(tally: Tally) -> dict[str, object]:
    """Return what --json tells besides the numbers of the contract: all intervals."""
    return {
        "level": LEVEL,
        "decided": tally.decided,
        "even_share": 1 / len(tally.seats),
        "aborted_share": _bounds(aborted(tally)),
        "win_share_per_seat": {name: _bounds(own) for name, own in per_seat(tally).items()},
        "win_share_by_position_decided": [_bounds(own) for own in by_position(tally)],
        "score_by_position_interval": [_bounds(own) for own in scores(tally)],
        "metrics_interval": {name: _bounds(own) for name, own in means(tally).items()},
    }


def _mean(sums: Sums) -> Interval | None:
    """Return a mean with a normal interval; None of nothing, infinite bounds of one value."""
    if sums.mean is None:
        return None
    error = sums.standard_error
    half = math.inf if error is None else NORMAL_95 * error
    return Interval(sums.mean, sums.mean - half, sums.mean + half)


def _share(share: float, matches: int) -> Interval:
    if not matches:
        return Interval(math.nan, 0.0, 1.0)
    return wilson_at(share, matches)


def _bounds(interval: Interval | None) -> dict[str, float | None]:
    """Return an interval as plain data, with null where there is no number."""
    if interval is None:
        return dict.fromkeys(("estimate", "low", "high"))
    told: dict[str, float | None] = finite(interval)
    return told
