"""UP & DOWN: policies in words of the game's lanes, which then play many matches at a time.

`simcore/games/updown/spec.py` says what the words mean. Whatever is changed in one of these
policies is to be changed here; `tests/updown/test_lane_policies.py` compares.
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.games.updown.spec import play_spec


def eager_spec(_params: Sequence[float]) -> tuple[int, ...]:
    """Return how `eager` plays."""
    return play_spec()


def saver_spec(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `saver` plays."""
    pot, late = params
    return play_spec(pot, late)


def spoiler_spec(_params: Sequence[float]) -> tuple[int, ...]:
    """Return how `spoiler` plays."""
    return play_spec(cancels=True)


def shaper_spec(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `shaper` plays."""
    return play_spec(better=params[0])


def dodger_spec(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `dodger` plays."""
    return play_spec(equal=params[0])
