"""UP & DOWN: policies in words of the game's lanes, which then play many matches at a time.

`simcore/games/updown/manner.py` says what the words mean. Whatever is changed in one of these
policies is to be changed here; `tests/updown/test_lane_policies.py` compares.
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.games.updown.manner import manner


def eager_manner(_params: Sequence[float]) -> tuple[int, ...]:
    """Return how `eager` plays."""
    return manner()


def saver_manner(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `saver` plays."""
    pot, late = params
    return manner(pot, late)


def spoiler_manner(_params: Sequence[float]) -> tuple[int, ...]:
    """Return how `spoiler` plays."""
    return manner(cancels=True)


def shaper_manner(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `shaper` plays."""
    return manner(better=params[0])


def dodger_manner(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `dodger` plays."""
    return manner(equal=params[0])
