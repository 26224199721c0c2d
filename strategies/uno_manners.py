"""UNO: policies in the words of the game's lanes, which then play them many matches at a time.

`simcore/games/uno/lane_choice.py` says what the words mean. Whatever is changed in one of these
policies is to be changed here; `tests/uno/test_lane_policies.py` compares.
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.games.uno.cards import ACTIONS, NUMBERS, WILDS
from simcore.games.uno.lane_choice import AT_RANDOM, BY_PREFERENCE
from strategies.uno_moves import FOUR_AND_MORE, HITS, SEVEN_AND_MORE


def random_playable_manner(_params: Sequence[float]) -> tuple[int, ...]:
    """Return how `random_playable` plays."""
    return (AT_RANDOM,)


def majority_manner(_params: Sequence[float]) -> tuple[int, ...]:
    """Return how `majority` plays."""
    return (BY_PREFERENCE,)


def dumper_manner(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `dumper` plays."""
    preferred = (ACTIONS, SEVEN_AND_MORE, FOUR_AND_MORE)
    return (BY_PREFERENCE, int(params[0]), 0, WILDS, *preferred)


def saver_manner(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `saver` plays."""
    return (BY_PREFERENCE, int(params[0]), 0, ACTIONS | WILDS, NUMBERS)


def hitter_manner(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `hitter` plays."""
    return (BY_PREFERENCE, 0, int(params[0]), HITS)
