"""UNO: policies in the words of the game's lanes, which then play them many matches at a time.

`simcore/games/uno/spec.py` says what the words mean. Whatever is changed in one of these
policies is to be changed here; `tests/uno/test_lane_policies.py` compares.
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.games.uno.cards import ACTIONS, NUMBERS, WILDS
from simcore.games.uno.spec import RANDOM_CARD, play_spec
from strategies.uno_moves import FOUR_AND_MORE, HITS, SEVEN_AND_MORE


def random_playable_spec(_params: Sequence[float]) -> tuple[int, ...]:
    """Return how `random_playable` plays."""
    return RANDOM_CARD


def majority_spec(_params: Sequence[float]) -> tuple[int, ...]:
    """Return how `majority` plays."""
    return play_spec()


def dumper_spec(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `dumper` plays."""
    preferred = ACTIONS, SEVEN_AND_MORE, FOUR_AND_MORE
    return play_spec(*preferred, called_for=WILDS, opponents=params[0])


def saver_spec(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `saver` plays."""
    return play_spec(NUMBERS, called_for=ACTIONS | WILDS, opponents=params[0])


def hitter_spec(params: Sequence[float]) -> tuple[int, ...]:
    """Return how `hitter` plays."""
    return play_spec(called_for=HITS, following=params[0])
