"""House rules, dials and ways to move drawn at random, for tests that play under many together."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from simcore.game import Game
from simcore.options import BoolOption, ChoiceOption, IntOption, Option
from tests.variants import is_allowed


def values_of(option: Option) -> st.SearchStrategy[Any]:
    """All values of an option; of numbers small ones and the largest come more often."""
    if isinstance(option, IntOption):
        small = st.integers(option.low, min(option.low + 4, option.high))
        anything = st.integers(option.low, option.high)
        return small | anything | st.just(option.high)
    if isinstance(option, ChoiceOption):
        return st.sampled_from(option.values)
    assert isinstance(option, BoolOption), f"tests/dials.py draws no {option.name}; add how"
    return st.booleans()


def with_dials(
    draw: Callable[[st.SearchStrategy[Any]], Any], game: Game, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Add dials to options: about half of all, in any order; what is refused stays as it was."""
    names = {option.name: option for option in game.options if option.house}
    for name in draw(st.permutations(sorted(names))):
        if draw(st.booleans()):
            wanted = {**options, name: draw(values_of(names[name]))}
            options = wanted if is_allowed(game, wanted) else options
    return dict(options)


def moves_by_taste(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Callable[..., Any]:
    """Draw a player who likes the first moves, or the last, or any; now and then makes any."""
    chance = random.Random(draw(st.integers(0, 2**32)))  # noqa: S311
    taste = draw(st.sampled_from(["first", "last", "any"]))

    def choose(_s: Any, _same: Any, moves: Sequence[int]) -> int:
        if taste == "any" or chance.random() < 0.3:
            return chance.choice(moves)
        return moves[0 if taste == "first" else -1]

    return choose
