"""UNO: policies in the words of the game's lanes, which then play them many matches at a time.

`simcore/games/uno/manner.py` says what the words mean. Whatever is changed in one of these
policies is to be changed here; `tests/uno/test_lane_policies.py` compares.
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.games.uno.cards import ACTIONS, NUMBERS, WILDS
from simcore.games.uno.manner import RANDOM_CARD, manner
from strategies.uno_moves import FOUR_AND_MORE, HITS, SEVEN_AND_MORE


def random_playable_manner(_params: Sequence[float]) -> tuple[int, ...]:
    """Return how `random_playable` plays."""
    return RANDOM_CARD


def majority_manner(_params: Sequence[float]) -> tuple[int, ...]:
    """Return how `majority` plays."""
    return manner()


def dumper_manner(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `dumper` plays."""
    preferred = ACTIONS, SEVEN_AND_MORE, FOUR_AND_MORE
    return manner(*preferred, called_for=WILDS, opponents=params[0])


def saver_manner(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `saver` plays."""
    return manner(NUMBERS, called_for=ACTIONS | WILDS, opponents=params[0])


def hitter_manner(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `hitter` plays."""
    return manner(called_for=HITS, following=params[0])
