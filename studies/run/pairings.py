"""What pairing saves: matches that the same precision takes with it, as a share of those without.

Each ratio is one of variances a match, added up over the cells of a study, with an interval from
leaving out groups of deals (`studies.stats.sample_size`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.game import SEAT, STOCK
from studies.run.pilot import Subject
from studies.stats.intervals import Interval
from studies.stats.sample_size import jackknifed

Array = np.ndarray[Any, Any]

DEALS, ROTATION, COUPLING = "same deals", "rotation", "coupling"
SHARED, LARGER = "shared baseline", "larger baseline"


@dataclass(frozen=True)
class Pairing:
    """What a way of pairing saves.

    Attributes
    ----------
    name : str
        "same deals", "rotation", "coupling", "shared baseline" or "larger baseline".
    used : bool
        Whether the study is played so.
    ratio : Interval
        Matches for the same precision, with over without; below 1 it saves. Without bounds where it
        is a count and no estimate, or few deals tell.
    cells : int
        How many cells it is from.
    meaning : str
        What is compared with what.
    """

    name: str
    used: bool
    ratio: Interval
    cells: int
    meaning: str


def pairings(
    tables: Mapping[tuple[str, str], Sequence[Subject]],
    rotated: Sequence[tuple[Subject, int]],
    couplings: Mapping[str, Sequence[Subject]],
    used_coupling: str,
) -> list[Pairing]:
    """Return what each way of pairing saves.

    Parameters
    ----------
    tables : mapping of (line-up, point) to list of Subject
        The outcome that needs most deals of each variant, as the study plays it.
    rotated : list of (Subject, int)
        Those of cells with several rotations, in all of them; rotations that the study plays.
    couplings : mapping of coupling to list of Subject
        The same outcomes under each coupling; empty where the game has one alone, or none was
        played.
    """
    changes = [one for own in tables.values() for one in own if one.before is not None]
    found = []
    if changes:
        found.append(
            Pairing(
                DEALS,
                used=True,
                ratio=_ratio(changes, _paired, _unpaired),
                cells=len(changes),
                meaning="with and without a variant on the same deals, or on deals of their own",
            )
        )
    if rotated:
        found.append(
            Pairing(
                ROTATION,
                used=any(used > 1 for _, used in rotated),
                ratio=_ratio([one for one, _ in rotated], _in_rotation, _each_alone),
                cells=len(rotated),
                meaning="each deal in every rotation, or each match on a deal of its own",
            )
        )
    if couplings:
        seat, stock = couplings[SEAT], couplings[STOCK]
        found.append(
            Pairing(
                COUPLING,
                used=used_coupling == SEAT,
                ratio=jackknifed(
                    lambda kept: _total(seat, _paired, kept) / _total(stock, _paired, kept),
                    _deals(seat),
                ),
                cells=len(seat),
                meaning='coupling "seat", or "stock"',
            )
        )
    shared = {group: own for group, own in tables.items() if len(_of(own)) > 1}
    if shared:
        many = sum(len(_of(own)) for own in shared.values())
        share = (many + len(shared)) / (2 * many)
        found.append(
            Pairing(
                SHARED,
                used=True,
                ratio=Interval(share, share, share),
                cells=many,
                meaning="one baseline a table for all variants, or one for each (a count)",
            )
        )
    if changes:
        several = len(changes) / sum(bool(_of(own)) for own in tables.values())
        found.append(
            Pairing(
                LARGER,
                used=False,
                ratio=jackknifed(lambda kept: _larger(changes, several, kept), _deals(changes)),
                cells=len(changes),
                meaning="more deals of the baseline than of variants, which are regressed on it, "
                "or as many; compare does not do this yet",
            )
        )
    return found


def _of(own: Sequence[Subject]) -> list[Subject]:
    return [one for one in own if one.before is not None]


def _deals(own: Sequence[Subject]) -> int:
    return min(len(one.after) for one in own)


Variance = Callable[[Subject, Array], float]


def _ratio(own: Sequence[Subject], with_: Variance, without: Variance) -> Interval:
    def ratio(kept: Array) -> float:
        below = _total(own, without, kept)
        return _total(own, with_, kept) / below if below else float("nan")

    return jackknifed(ratio, _deals(own))


def _total(own: Sequence[Subject], variance: Variance, kept: Array) -> float:
    return sum(variance(one, kept) for one in own)


def _variance(values: Array) -> float:
    return float(np.var(values, ddof=1)) if len(values) > 1 else 0.0


def _paired(one: Subject, kept: Array) -> float:
    return _variance(one.values[: len(kept)][kept].mean(axis=1))


def _unpaired(one: Subject, kept: Array) -> float:
    assert one.before is not None
    return sum(_variance(side[: len(kept)][kept].mean(axis=1)) for side in (one.before, one.after))


def _in_rotation(one: Subject, kept: Array) -> float:
    return int(one.after.shape[1]) * _paired(one, kept)


def _each_alone(one: Subject, kept: Array) -> float:
    """Return the variance of a match on a deal of its own, the seats in turn."""
    return float(np.var(one.values[: len(kept)][kept], axis=0, ddof=1).mean())


def _larger(own: Sequence[Subject], several: float, kept: Array) -> float:
    """Return what the best number of deals of the baseline saves.

    A variant's mean less b times its baseline's has the variance A over n deals, (1 - b) times the
    mean of the baseline B over N; with N = n this is the plain difference. At k n + N matches in
    all, N / n = √(k B / A) is best (double sampling: W. G. Cochran 1977, Sampling Techniques,
    section 12.7).
    """
    first = second = 0.0
    for one in own:
        assert one.before is not None
        before, after = (side[: len(kept)][kept].mean(axis=1) for side in (one.before, one.after))
        base = _variance(before)
        slope = float(np.cov(before, after)[0, 1]) / base if base else 1.0
        first += _variance(after - slope * before)
        second += (1 - slope) * (1 - slope) * base
    if several * second <= first:
        return 1.0  # a larger baseline would take more than it gives
    roots = math.sqrt(several * first) + math.sqrt(second)
    return roots * roots / ((several + 1) * (first + second))
