"""Policies by name, their parameters, and strategies as a line-up names them.

A *policy* is a decision function in the language of rules (`simcore.language`) with one line of
idea and parameters with bounds; a *strategy* is a policy with parameter values, written `name` or
`name(param=value, …)`.

The decorators `policy` and `answers` declare. What cardlab's own modules declare is built in; what
a user's file declares goes to whoever loads the file (`collected`); what a program or a notebook
declares belongs to its session. A `Policies` object has the policies that a call may use, and is
handed down.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FunctionType
from typing import Any

from simcore.compiler.program import program_of
from simcore.compiler.seat_policy import SeatPolicy
from simcore.errors import InputError, unknown
from simcore.game import Game, game_names, get_game
from simcore.jit import is_builtin
from simcore.options import Options
from simcore.records import MAX_PARAMS
from strategies.checks import check_answer, check_declaration, check_policy, check_sight
from strategies.params import AnyParam, Param, PolicyParam, Under
from strategies.search import search_params

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


_BUILT_IN: dict[str, dict[str, Policy]] = {}
"""Of each game by name, as far as its module was imported."""


@contextmanager
def collected(beside: Policies) -> Iterator[Callable[[], tuple[Policy | Answer, ...]]]:
    """Let the decorators add to these policies, instead of to those of the session.

    Yields a function that returns what they have added since it was called last.
    """

    def taken() -> tuple[Policy | Answer, ...]:
        added = _current[-1].declared[len(beside.declared) :]
        _current[-1] = beside
        return added

    _current.append(beside)
    try:
        yield taken
    finally:
        _current.pop()


def is_shipped(function: object) -> bool:
    """Return whether a function of a policy is one of cardlab's."""
    return isinstance(function, FunctionType) and is_builtin(function)


def declare(policy: Policy) -> Policy:
    """Add a policy to those of the file that is being loaded, or to the session."""
    if policy.game not in game_names() and not policy.game.endswith(".py"):
        raise unknown("game", policy.game, game_names(), f"(policy {policy.name!r})")
    check_declaration(policy)
    if is_shipped(policy.function):
        _add(policy, _BUILT_IN.setdefault(policy.game, {}))
    else:
        _current[-1] = _current[-1].adding(policy)
    return policy


def _add(policy: Policy, policies: dict[str, Policy]) -> None:
    if policy.name in policies:
        raise InputError(f"policy name {policy.name!r} is taken in {policy.game}; choose another")
    policies[policy.name] = policy


def _add_answer(answer: Answer, policies: dict[str, Policy]) -> None:
    for name in answer.names:
        answers = {**policies[name].answers, answer.to: answer.function}
        policies[name] = replace(policies[name], answers=answers)


def policy(
    game: str,
    *,
    idea: str,
    params: Sequence[AnyParam] = (),
    source: str = "",
    name: str | None = None,
    under: Sequence[Under] = (),
) -> Callable[[PolicyFunction], PolicyFunction]:
    """Declare the decorated function as a policy of a game; see `cardlab.policy`, and `Policy`."""

    def decorate(function: PolicyFunction) -> PolicyFunction:
        title = name or str(getattr(function, "__name__", type(function).__name__))
        declare(Policy(game, title, idea, function, tuple(params), source, under=tuple(under)))
        return function

    return decorate


def answers(game: str, *names: str, to: str) -> Callable[[PolicyFunction], PolicyFunction]:
    """Let the decorated function answer the decision `to` for some policies that are declared."""

    def decorate(function: PolicyFunction) -> PolicyFunction:
        shipped = is_shipped(function)
        known = _BUILT_IN[game] if shipped else _current[-1].named(game)
        for name in names:
            if name not in known:
                raise unknown("policy", name, known, f"for {game}")
        answer = Answer(game, names, to.upper(), function)
        if shipped:
            _add_answer(answer, known)
        else:
            _current[-1] = _current[-1].adding(answer)
        return function

    return decorate


def at_random(s: Any, seat: int, moves: Any) -> int:
    """Stand for uniform random play, which every game has."""
    raise NotImplementedError(s, seat, moves)


def _of_game(game: str) -> dict[str, Policy]:
    """Return `random` and, of a built-in game, its other policies, by name."""
    idea = "any legal move, each with the same probability (the reference)"
    random = Policy(game, "random", idea, at_random, built_in=True)
    if game not in game_names():
        return {"random": random}
    importlib.import_module(f"strategies.{game}")
    return {"random": random, **_BUILT_IN[game]}


class Policies:
    """The policies that a call may use: the built-in ones and a user's.

    Attributes
    ----------
    declared : tuple of Policy and Answer
        The user's; of a program or notebook, and of files.
    files : tuple of Path
        The files.
    """

    def __init__(self, declared: Iterable[Policy | Answer] = (), files: Iterable[Path] = ()):
        self.declared, self.files = tuple(declared), tuple(files)
        self._of: dict[tuple[str, str], dict[str, Policy]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Functions do not travel: elsewhere it is the session there."""
        return session, ()

    def adding(self, *declared: Policy | Answer, files: Iterable[Path] = ()) -> Policies:
        """Return these policies and more; raise InputError if a name is taken."""
        added = self.declared
        for item in declared:
            if isinstance(item, Policy):
                _add(item, Policies(added).named(item.game))
            added = (*added, item)
        return Policies(added, (*self.files, *files))

    def without(self, policy: Policy) -> Policies:
        """Return these policies without one of them."""
        return Policies((item for item in self.declared if item is not policy), self.files)

    def named(self, game: str) -> dict[str, Policy]:
        """Return the built-in policies and the declared ones of a name or path of a game."""
        built_in = _of_game(game) if game in game_names() else {}
        return built_in | {
            item.name: item
            for item in self.declared
            if isinstance(item, Policy) and item.game == game
        }

    def of(self, game: Game) -> Mapping[str, Policy]:
        """Return the policies of a game by name, in the order they were written."""
        key = game.name, game.digest
        if key not in self._of:
            if game.changes:
                self._of[key] = self._of_changed(game)
            else:
                self._of[key] = self._of_unchanged(game)
        return self._of[key]

    def _of_changed(self, game: Any) -> dict[str, Policy]:
        """Return the policies of the game as it is, and what the files that change it add."""
        policies = {}
        for policy in self.of(game.original).values():
            params = tuple(
                replace(param, game=game.name) if isinstance(param, PolicyParam) else param
                for param in policy.params
            )
            policies[policy.name] = replace(policy, game=game.name, params=params)
        _add_of_files(game, policies)
        return policies

    def _of_unchanged(self, game: Any) -> dict[str, Policy]:
        """Return the policies of a game, and the user's for it."""
        policies = _of_game(game.name)
        if game.digest:  # in a file
            _add_of_files(game, policies)
            idea = (
                "deals the unseen cards many times, tries every move, plays on with another policy"
            )
            params = search_params(game.name, "random", rollouts=50, winning=10, sure=0.5)
            policies["search"] = Policy(game.name, "search", idea, at_random, tuple(params))
        users = [item for item in self.declared if _is_for(item, game)]
        for policy in users:
            if isinstance(policy, Policy):
                _add(policy, policies)
        for answer in users:
            if isinstance(answer, Answer):
                _add_answer(answer, policies)
        if game.digest:  # those of built-in games were checked when they were declared
            for policy in users:
                if isinstance(policy, Policy):
                    check_policy(policies[policy.name], game)
        return policies


def _add_of_files(game: Any, policies: dict[str, Policy]) -> None:
    """Add the policies of a game's files, and their functions that answer single decisions."""
    routine = program_of(game).routine
    for written in game.user_policies():
        policy = Policy(
            game.name,
            written.name,
            written.idea,
            written.function,
            written.params,
            written.source,
        )
        try:
            check_declaration(policy)
        except InputError as error:
            raise routine(policy.function).refuse(None, str(error)) from None
        check_sight(game, policy.function)
        _add(policy, policies)
    for names, to, function in game.user_answers():
        for name in names or [name for name, policy in policies.items() if not policy.built_in]:
            if name not in policies:
                why = str(unknown("policy", name, policies, f"for {game.name}"))
                raise routine(function).refuse(None, why)
            if name != "random":
                check_answer(game, policies[name], to, function)
                _add_answer(Answer(game.name, (name,), to.upper(), function), policies)


_current = [Policies()]
"""Those of the session, then of the file that is being loaded."""


def session() -> Policies:
    """Return the built-in policies, and those that the program or notebook has declared."""
    return _current[0]


def keep_session(policies: Policies) -> None:
    """Let these policies be those of the session."""
    _current[0] = policies


def policies(game: Game) -> tuple[Policy, ...]:
    """Return all policies of a game in this session: see `Policies.of`."""
    return tuple(session().of(game).values())


def _is_for(declared: Policy | Answer, game: Game) -> bool:
    """Return whether it names a game: its name, or the path of its file or the end of it."""
    if not declared.game.endswith(".py"):
        return declared.game == game.name
    path = Path(declared.game).parts
    return Path(game.name).parts[-len(path) :] == path


def make_strategy(
    chosen: Policy, given: Mapping[str, object], known: Mapping[str, Policy] | None = None
) -> Strategy:
    """Return a strategy with checked parameters.

    Parameters
    ----------
    known : mapping, optional
        The game's policies by name; default: those of the session.
    """
    params = {param.name: param for param in chosen.params}
    if known is None:
        known = session().of(get_game(chosen.game)) if chosen.takes_policy else {}
    values: dict[str, float | str] = {}
    for name, value in given.items():
        if not params:
            raise InputError(
                f"parameter {name!r} of policy {chosen.name!r} is refused: it has none"
            )
        if name not in params:
            raise unknown("parameter", name, params, f"of policy {chosen.name!r}")
        param = params[name]
        if isinstance(param, PolicyParam):
            values[name] = param.parse(value, chosen.name, known)
        else:
            values[name] = param.parse(value, chosen.name)
    taken = None
    for param in chosen.params:
        if isinstance(param, PolicyParam):
            taken = known[str(values.get(param.name, param.default))]
            count = len(params) + len(taken.params)
            if count > MAX_PARAMS:
                raise InputError(
                    f"parameter {param.name} = {taken.name!r} of policy {chosen.name!r} is "
                    f"refused: {count} parameters with its own; allowed: {MAX_PARAMS}"
                )
    return Strategy(chosen, values, taken)


def parse_strategy(game: Game, text: str, policies: Policies | None = None) -> Strategy:
    """Read `name` or `name(param=value, …)`; `policies` are those of the session by default."""
    match = re.fullmatch(r"\s*([^\s(),=]+)\s*(?:\(([^()]*)\))?\s*", text)
    if match is None:
        raise InputError(f"strategy {text!r} is refused; allowed: name or name(param=value, …)")
    known = (policies or session()).of(game)
    if match[1] not in known:
        raise unknown("policy", match[1], known, f"for {game.name}")
    given: dict[str, object] = {}
    for part in (match[2] or "").split(","):
        if not part.strip():
            continue
        name, equals, value = part.partition("=")
        if not equals or name.strip() in given:
            raise InputError(
                f"parameter {part.strip()!r} in strategy {text!r} is refused; "
                "allowed: param=value, each once"
            )
        given[name.strip()] = value.strip()
    return make_strategy(known[match[1]], given, known)


def parse_lineup(
    game: Game, lineup: str | Sequence[str], policies: Policies | None = None
) -> tuple[Strategy, ...]:
    """Read a line-up: strategies by seat, as one text with commas or as a list."""
    parts = re.split(r",(?![^()]*\))", lineup) if isinstance(lineup, str) else list(lineup)
    if not parts or any(not isinstance(part, str) or not part.strip() for part in parts):
        raise InputError(f"line-up {lineup!r} is refused; allowed: strategies, comma-separated")
    return tuple(parse_strategy(game, part, policies) for part in parts)


def seat_lineup(lineup: Sequence[Strategy], players: int) -> tuple[Strategy, ...]:
    """Return one strategy for each seat: the line-up, repeated round the table."""
    if len(lineup) > players:
        raise InputError(
            f"line-up of {len(lineup)} strategies is refused; allowed: at most {players}, "
            "one for each player"
        )
    return tuple(lineup[seat % len(lineup)] for seat in range(players))


def _number(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)
