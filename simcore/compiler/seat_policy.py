"""The policies at the seats of a table: decision functions and parameter values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from simcore.compiler.program import Program
from simcore.jit import is_builtin

FILE_DIGEST = "__digest__"
"""In the module of a user's file: a hash of everything that was run."""


def asks_of_move(function: Callable[..., Any]) -> bool:
    """Tell whether a feature is one of a move, not of the state and the seat alone."""
    code = function.__code__
    return bool(set(code.co_varnames[: code.co_argcount]) - {"s", "seat"})


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
    features: Mapping[str, tuple[Callable[..., Any], ...]]
    numbers: tuple[float, ...] = field(default=(), repr=False)

    @cached_property
    def block(self) -> np.ndarray[Any, Any]:
        """The numbers as compiled code reads them: whole ones, and the bits of floats."""
        return np.array(
            [
                np.float64(number).view(np.int64) if type(number) is float else number
                for number in self.numbers
            ],
            np.int64,
        )

    @property
    def functions(self) -> dict[str, Callable[..., Any]]:
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


@dataclass(frozen=True)
class SeatPolicy:
    """The policy in one seat: its decision functions and parameter values.

    Attributes
    ----------
    name : str
        Of the policy.
    function : callable or None
        Of the state, the seat, the moves and parameters by name; None: uniform random play.
    answers : dict of callables
        Functions for single decisions, by the decision's name.
    values : dict of float
        The parameters.
    rollout : SeatPolicy or None
        Of a search: who plays rounds out.
    network : Network or None
        Of a learned policy: what it values moves by.
    base : SeatPolicy or None
        Of a learned policy: who is asked first, and where nothing was learned.
    """

    name: str
    function: Callable[..., Any] | None = None
    answers: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    rollout: SeatPolicy | None = None
    network: Network | None = None
    base: SeatPolicy | None = None

    @property
    def asked(self) -> tuple[SeatPolicy, ...]:
        """The policy, and all policies that it asks."""
        others = (one for one in (self.rollout, self.base) if one is not None)
        return (self, *(asked for one in others for asked in one.asked))

    def function_for(self, decision: str) -> Callable[..., Any] | None:
        """Return the function that is asked for a decision."""
        return self.answers.get(decision, self.function)

    @property
    def is_random(self) -> bool:
        """Whether this seat plays uniformly at random."""
        return self.function is None and self.rollout is None and self.network is None

    def memory(self, program: Program) -> dict[str, Any]:
        """Return the fields in which it remembers, by name."""
        fields: dict[str, Any] = {}
        for function in (self.function, *self.answers.values()):
            if function is not None:
                fields |= program.memory_of(function)
        return fields

    @property
    def identity(self) -> tuple[Any, ...]:
        """Cache key: everything that affects the compiled code."""
        answers = tuple(sorted(self.answers.items()))
        learned = () if self.network is None else self.network.identity
        return self.name, self.function, answers, tuple(self.values), learned

    def origin(self, program: Program) -> str | None:
        """Return what its code is made from, alike in every process; None if that is not known.

        The sources of cardlab and of the game are not part of it.
        """
        functions = self._functions
        origins = {name: _origin(one, program) for name, one in sorted(functions.items()) if one}
        if None in origins.values():
            return None
        players = 0 if self.network is None else self.network.players
        return repr((self.name, origins, tuple(self.values), players))

    @property
    def _functions(self) -> dict[str, Callable[..., Any] | None]:
        features = {} if self.network is None else self.network.functions
        return {"": self.function, **self.answers, **features}

    @property
    def is_foreign(self) -> bool:
        """Whether a user wrote one of its functions."""
        if any(one.is_foreign for one in self.asked[1:]):
            return True
        every = self._functions.values()
        return any(function is not None and not is_builtin(function) for function in every)


def _origin(function: Callable[..., Any], program: Program) -> str | None:
    """Return the file that a function comes from, as a digest, and its place there."""
    game = program.game
    of_game = (program.rules, game.original.rules(), *(change.module for change in game.changes))
    digest: str | None = ""
    if not is_builtin(function) and all(function.__globals__ is not vars(m) for m in of_game):
        digest = function.__globals__.get(FILE_DIGEST)
    if digest is None or function.__closure__:
        return None
    code = function.__code__
    return f"{digest} {function.__module__} {code.co_qualname} {code.co_firstlineno}"


def seat_policies(cell: Any, rotation: int) -> tuple[SeatPolicy, ...]:
    """Return the policy in each seat of a cell."""
    return tuple(player.seat_policy(cell.options) for player in cell.rotated(rotation))


def is_foreign(cell: Any) -> bool:
    """Tell whether a cell runs code that a user wrote: its game or a policy."""
    if cell.game.digest:
        return True
    return any(one.is_foreign for one in seat_policies(cell, 0))
