"""What a learned policy values moves by: features, functions of the language, and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

OF_CARDS = ("card", "cards")
"""Names of a feature's parameter that say it is asked of cards only; 0 of other moves."""

Function = Callable[..., Any]


@dataclass(frozen=True)
class Network:
    """What a learned policy values moves by.

    Attributes
    ----------
    players : int
        At tables of another size it plays like its base policy.
    features : dict of tuple of callables
        By decision; those of the state and the seat alone first.
    numbers : tuple of int or float
        As `networks` reads it: codes, weights and room for scratch numbers; none where nothing is
        learned yet.
    """

    players: int
    features: Mapping[str, tuple[Function, ...]]
    numbers: tuple[int | float, ...] = field(default=(), repr=False)

    @cached_property
    def block(self) -> np.ndarray:
        """The numbers as compiled code reads them: whole ones, and the bits of floats."""
        return np.array(
            [
                np.float64(number).view(np.int64) if isinstance(number, float) else number
                for number in self.numbers
            ],
            np.int64,
        )

    @property
    def functions(self) -> dict[str, Function]:
        """All features by decision and place."""
        return {
            f"{decision} {place}": function
            for decision, functions in self.features.items()
            for place, function in enumerate(functions)
        }

    @property
    def identity(self) -> tuple[Any, ...]:
        """Cache key: everything that affects the compiled code."""
        return self.players, tuple(self.functions.items())


def asks_of_move(function: Function) -> bool:
    """Tell whether a feature is one of a move, not of the state and the seat alone."""
    code = function.__code__
    return bool(set(code.co_varnames[: code.co_argcount]) - {"s", "seat"})


def split(functions: Sequence[Function]) -> tuple[list[Function], list[Function]]:
    """Return the features of the state, and those of a move."""
    of_move = [function for function in functions if asks_of_move(function)]
    return [function for function in functions if function not in of_move], of_move
