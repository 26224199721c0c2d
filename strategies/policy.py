"""What a policy is, and a strategy: a policy with parameter values, as a line-up names it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any

from simcore.compiler.program import program_of
from simcore.compiler.seat_policy import Network, SeatPolicy
from simcore.compiler.visibility import read_by
from simcore.errors import InputError
from simcore.game import Game
from simcore.jit import is_builtin
from simcore.options import Options
from strategies.learned import Learned
from strategies.params import AnyParam, Param, PolicyParam, Under

PolicyFunction = Callable[..., Any]


@dataclass(frozen=True)
class Policy:
    """A decision function of a game.

    Attributes
    ----------
    game, name, idea, source
        `idea` is one line; `source` where it comes from, or empty.
    function : callable
        Of the state, the seat, its legal moves, and of parameters by name; returns a move.
    params : tuple of Param or PolicyParam
        With a policy among them it is the search, which plays rounds out with that.
    built_in : bool
        Whether it is uniform random play, which needs no function.
    under : tuple
        Rules, and the parameters that are other than by default where all of these hold: the first
        of them counts.
    answers : dict of callables
        Functions for single decisions, by the decision's name.
    learned : Learned, optional
        Of a learned policy: what its file declares.
    network : Network, optional
    base : Strategy, optional
        What `learned` is among the policies of a game.
    """

    game: str
    name: str
    idea: str
    function: PolicyFunction
    params: tuple[AnyParam, ...] = ()
    source: str = ""
    built_in: bool = False
    under: tuple[Under, ...] = ()
    answers: dict[str, PolicyFunction] = field(default_factory=dict, compare=False)
    learned: Learned | None = field(default=None, compare=False)
    network: Network | None = field(default=None, compare=False)
    base: Strategy | None = field(default=None, compare=False)

    def of_game(self, game: str) -> Policy:
        """Return the policy as one of another game: the same with other rules."""
        params = tuple(
            replace(param, game=game) if isinstance(param, PolicyParam) else param
            for param in self.params
        )
        return replace(self, game=game, params=params)

    def looks_at(self, game: Game) -> tuple[str, ...] | None:
        """Return the places and numbers of the state that its code reads, its memory among them.

        How many there are says how much a person has to watch who plays like it. None of a search,
        which plays matches on, and where the source is not to be had.
        """
        if self.built_in:
            return ()
        if self.takes_policy or self.learned is not None:
            return None
        try:
            return read_by(program_of(game), [self.function, *self.answers.values()])
        except (InputError, OSError):
            return None

    @property
    def takes_policy(self) -> bool:
        """Whether a parameter is a policy, as of a search."""
        return any(isinstance(param, PolicyParam) for param in self.params)


@dataclass(frozen=True)
class Strategy:
    """A policy with parameter values.

    Attributes
    ----------
    policy : Policy
    params : mapping of str to float or str
    taken : Policy, optional
        The policy that is the value of a parameter, as of a search.
    """

    policy: Policy
    params: Mapping[str, float | str] = field(default_factory=dict)
    taken: Policy | None = None

    @property
    def name(self) -> str:
        """Name of the policy."""
        return self.policy.name

    @property
    def values(self) -> list[float | str]:
        """All parameter values, in the order of the policy."""
        return [self.params.get(param.name, param.default) for param in self.policy.params]

    @property
    def idea(self) -> str:
        """What its policy is about."""
        return f"its idea: {self.policy.idea}"

    def seat_policy(self, options: Options) -> SeatPolicy:
        """Return who is asked under these options."""
        pairs = zip(self.policy.params, self.under(options).values, strict=True)
        weights = {p.name: float(value) for p, value in pairs if not isinstance(p, PolicyParam)}
        if self.policy.built_in:
            return SeatPolicy(self.name)
        if self.taken is not None:
            rollout = Strategy(self.taken).seat_policy(options)
            return SeatPolicy(self.name, None, {}, weights, rollout)
        if self.policy.base is not None:
            base = self.policy.base.seat_policy(options)
            return SeatPolicy(self.name, network=self.policy.network, base=base)
        return SeatPolicy(self.name, self.policy.function, self.policy.answers, weights)

    def under(self, options: Options) -> Strategy:
        """Return the strategy with the policy's defaults for these options filled in."""
        for rules, values in self.policy.under:
            if all(options.get(name) in meant for name, meant in rules.items()):
                return Strategy(self.policy, {**values, **self.params}, self.taken)
        return self

    def with_params(self, changes: Mapping[str, object]) -> Strategy:
        """Return the strategy with some numbers changed (checked)."""
        known = {param.name: param for param in self.policy.params if isinstance(param, Param)}
        numbers = {name: known[name].parse(value, self.name) for name, value in changes.items()}
        return Strategy(self.policy, {**self.params, **numbers}, self.taken)

    def __str__(self) -> str:
        if not self.params:
            return self.name
        return f"{self.name}({', '.join(f'{k}={_number(v)}' for k, v in self.params.items())})"


@dataclass(frozen=True)
class Answer:
    """A function for one decision of some policies, as `answers` declares it."""

    game: str
    names: tuple[str, ...]
    to: str
    function: PolicyFunction


def is_shipped(function: object) -> bool:
    """Return whether a function of a policy is one of cardlab's."""
    return isinstance(function, FunctionType) and is_builtin(function)


def _number(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)
