"""Policies by name, their parameters, and strategies as a line-up names them.

A *policy* is a decision function in the language of rules (`simcore.language`) with one line of
idea and parameters with bounds; a *strategy* is a policy with parameter values, written `name` or
`name(param=value, …)`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from simcore.compiler.program import program_of
from simcore.compiler.rule_overrides import parts_of
from simcore.compiler.seat_policy import SeatPolicy
from simcore.compiler.visibility import Visibility
from simcore.errors import InputError, unknown
from simcore.game import Game, game_names, get_game
from simcore.options import Options
from simcore.records import MAX_PARAMS
from strategies.checks import check_arguments, check_params, check_words
from strategies.params import Param, Under

PolicyFunction = Callable[..., Any]


@dataclass(frozen=True)
class PolicyParam:
    """A policy that a policy takes, by name, with its default parameters.

    Attributes
    ----------
    name, game, default, meaning
        Allowed are all policies of the game that take no policy themselves.
    tunable : bool
    """

    name: str
    game: str
    default: str
    meaning: str
    tunable: bool = False

    def parse(self, value: object, policy: str) -> str:
        """Return a checked value.

        Raises
        ------
        InputError
            If it is no such policy.
        """
        known = [one.name for one in registered(self.game).values() if not one.takes_policy]
        if value not in known:
            raise unknown("policy", str(value), known, f"for {self.name} of policy {policy!r}")
        return str(value)

    @property
    def default_in_words(self) -> str:
        """The default as a line-up takes it."""
        return self.default

    @property
    def allowed(self) -> str:
        """What is allowed, in words."""
        return "a policy"


AnyParam = Param | PolicyParam


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
    """A policy with parameter values."""

    policy: Policy
    params: Mapping[str, float | str] = field(default_factory=dict)

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
        one = self.under(options)
        pairs = zip(self.policy.params, one.values, strict=True)
        weights = {p.name: float(value) for p, value in pairs if not isinstance(p, PolicyParam)}
        if self.policy.built_in:
            return SeatPolicy(self.name)
        for param, value in zip(self.policy.params, one.values, strict=True):
            if isinstance(param, PolicyParam):
                rollout = Strategy(registered(self.policy.game)[str(value)])
                return SeatPolicy(self.name, None, {}, weights, rollout.seat_policy(options))
        return SeatPolicy(self.name, self.policy.function, self.policy.answers, weights)

    def under(self, options: Options) -> Strategy:
        """Return the strategy with what its policy plays under these rules where none is given."""
        for rules, values in self.policy.under:
            if all(options.get(name) in meant for name, meant in rules.items()):
                return Strategy(self.policy, {**values, **self.params})
        return self

    def with_params(self, changes: Mapping[str, object]) -> Strategy:
        """Return the strategy with some parameters changed (checked)."""
        return make_strategy(self.policy, {**self.params, **changes})

    def __str__(self) -> str:
        if not self.params:
            return self.name
        return f"{self.name}({', '.join(f'{k}={_number(v)}' for k, v in self.params.items())})"


_policies: dict[str, dict[str, Policy]] = {}
"""Of each game by name: its own, and of those in the package also users' policies."""

_for_files: dict[str, dict[str, Policy]] = {}
"""Users' policies for games in files, by the path that they name, or the end of it."""

_loaded: set[str] = set()
_made_of: dict[str, object] = {}
"""What the policies of a game in a file, or of a changed game, were made of."""

_checked: set[tuple[str, PolicyFunction]] = set()
"""Users' policies that were checked with a version of a game's file."""


def register(policy: Policy) -> Policy:
    """Add a policy to the registry.

    Raises
    ------
    InputError
        If the game is unknown, the name taken or malformed, or a parameter refused.
    """
    if policy.game not in game_names() and not policy.game.endswith(".py"):
        raise unknown("game", policy.game, game_names(), f"(policy {policy.name!r})")
    check_words(policy.name, policy.idea, policy.source)
    _check_numbers(policy)
    _add(_for_files if policy.game.endswith(".py") else _policies, policy)
    return policy


def _add(where: dict[str, dict[str, Policy]], policy: Policy) -> None:
    known = where.setdefault(policy.game, {})
    if policy.name in known:
        raise _taken(policy)
    known[policy.name] = policy


def _taken(policy: Policy) -> InputError:
    return InputError(f"policy name {policy.name!r} is taken in {policy.game}; choose another")


def _check_numbers(policy: Policy) -> None:
    """Refuse a policy's parameters, and a function that takes others."""
    check_params(policy.name, policy.params, (Param, PolicyParam))
    if not policy.built_in:
        check_arguments(policy.name, policy.function, _numbers(policy))


def _numbers(policy: Policy) -> list[str]:
    return [param.name for param in policy.params if isinstance(param, Param)]


def policy(
    game: str,
    *,
    idea: str,
    params: Sequence[AnyParam] = (),
    source: str = "",
    name: str | None = None,
    under: Sequence[Under] = (),
) -> Callable[[PolicyFunction], PolicyFunction]:
    """Register the decorated function as a policy of a game.

    Parameters
    ----------
    game : str
        Its name, or of a game in a file the path or the end of it.
    idea : str
        One line for `cardlab strategies`.
    params : sequence of Param
        The function takes their values by name, after `s`, `seat` and `moves`.
    source : str
        Where the idea comes from.
    name : str, optional
        Default: the function's name.
    under : sequence of (dict, dict)
        See `Policy`: what parameters are under some rules, where none is given.
    """

    def decorate(function: PolicyFunction) -> PolicyFunction:
        title = name or str(getattr(function, "__name__", type(function).__name__))
        register(Policy(game, title, idea, function, tuple(params), source, under=tuple(under)))
        return function

    return decorate


def answers(game: str, *names: str, to: str) -> Callable[[PolicyFunction], PolicyFunction]:
    """Let the decorated function answer one decision for some policies that are registered.

    Parameters
    ----------
    game : str
    names : str
        Policies.
    to : str
        The decision's name.
    """

    def decorate(function: PolicyFunction) -> PolicyFunction:
        for name in names:
            if name not in registered(game):
                raise unknown("policy", name, registered(game), f"for {game}")
            registered(game)[name].answers[to.upper()] = function
        return function

    return decorate


RANDOM_IDEA = "any legal move, each with the same probability (the reference)"


def at_random(s: Any, seat: int, moves: Any) -> int:
    """Stand for uniform random play, which every game has."""
    raise NotImplementedError(s, seat, moves)


def check_policy(one: Policy, game: Game | None = None) -> None:
    """Refuse a policy that reads or changes what its seat may not, or is no source of rules.

    Raises
    ------
    InputError
        With its file, line and the cause.
    """
    program = program_of(game or get_game(one.game))
    program.remember(SeatPolicy(one.name, one.function, one.answers))
    visibility = Visibility(program)
    for to, function in one.answers.items():
        if to not in program.decisions:
            raise program.routine(function).refuse(
                None, str(unknown("decision", to, tuple(program.decisions)))
            )
    for function in (one.function, *one.answers.values()):
        visibility.check(program.routine(function))
    for function in one.answers.values():
        _check_taken(program, one, function)


def _check_taken(program: Any, one: Policy, function: PolicyFunction) -> None:
    """Refuse an answer that takes other numbers than the policy for which it answers."""
    try:
        check_arguments(one.name, function, _numbers(one))
    except InputError as error:
        raise program.routine(function).refuse(None, str(error)) from None


def all_registered() -> tuple[Policy, ...]:
    """Return all policies that are registered by now."""
    return tuple(
        one for where in (_policies, _for_files) for own in where.values() for one in own.values()
    )


def registered(game: str) -> Mapping[str, Policy]:
    """Return the policies of a game that are registered by now, by name."""
    own = _policies.get(game, {})
    return {**own, **{name: one for name, one in _for_file(game).items() if name not in own}}


def _for_file(game: str) -> dict[str, Policy]:
    """Return users' policies for a game in a file: they name its path, or the end of it."""
    parts = Path(game).parts
    return {
        one.name: one
        for path, own in _for_files.items()
        if len(parts_of(game)) == 1 and parts[-len(Path(path).parts) :] == Path(path).parts
        for one in own.values()
    }


def policies(game: Game) -> tuple[Policy, ...]:
    """Return all policies of a game, in the order they were written.

    Raises
    ------
    InputError
        If one for a game in a file reads or changes what it may not, or has a name that is taken.
    """
    if game.changes:
        _register_changed(game)
    elif game.digest:
        _register_own(game)
    elif game.name not in _loaded:
        if "random" not in registered(game.name):
            register(Policy(game.name, "random", RANDOM_IDEA, at_random, built_in=True))
        importlib.import_module(f"strategies.{game.name}")
        _loaded.add(game.name)
    return tuple(registered(game.name).values())


def _of_files(game: Any) -> list[Policy]:
    """Return the policies of a game's files, which were checked but for their answers."""
    from simcore.compiler.program import program_of
    from simcore.compiler.visibility import Visibility

    program = program_of(game)
    visibility, found = Visibility(program), []
    for one in game.user_policies():
        policy = Policy(game.name, one.name, one.idea, one.function, one.params, one.source)
        try:
            check_words(one.name, one.idea, one.source)
            _check_numbers(policy)
        except InputError as error:
            raise program.routine(one.function).refuse(None, str(error)) from None
        visibility.check(program.routine(one.function))
        found.append(policy)
    for _, to, function in game.user_answers():
        if to not in program.decisions:
            raise program.routine(function).refuse(
                None, str(unknown("decision", to, tuple(program.decisions)))
            )
        visibility.check(program.routine(function))
    return found


def _let_answer(game: Any, of: Mapping[str, Policy]) -> None:
    """Let the functions of a game's files answer single decisions for its policies."""
    from simcore.compiler.program import program_of

    program = program_of(game)
    for names, to, function in game.user_answers():
        asked = names or [one.name for one in of.values() if not one.built_in]
        for name in asked:
            if name not in of:
                raise program.routine(function).refuse(
                    None, str(unknown("policy", name, of, f"for {game.name}"))
                )
            if name == "random":
                continue
            _check_taken(program, of[name], function)
            of[name].answers[to.upper()] = function


def _register_own(game: Any) -> None:
    """Register the policies of a game's own file, `random` and `search`, once for each version."""
    if _made_of.get(game.name) != game.digest:
        from strategies.search import search_params

        own = {"random": Policy(game.name, "random", RANDOM_IDEA, at_random, built_in=True)}
        for one in _of_files(game):
            if one.name in own:
                raise _taken(one)
            own[one.name] = one
        _let_answer(game, own)
        params = search_params(game.name, "random", rollouts=50, winning=10, sure=0.5)
        idea = "deals the unseen cards many times, tries every move, plays on with another policy"
        own["search"] = Policy(game.name, "search", idea, at_random, tuple(params))
        _policies[game.name] = own
        _made_of[game.name] = game.digest
    for one in _for_file(game.name).values():
        if one.name in _policies[game.name]:
            raise _taken(one)
        if (game.digest, one.function) not in _checked:
            check_policy(one, game)
            _checked.add((game.digest, one.function))


def _register_changed(game: Any) -> None:
    """Give a changed game the policies of the game as it is, and what its files add to them."""
    before = policies(game.original)
    if _made_of.get(game.name) == (game.digest, before):
        return
    added, taken = _of_files(game), {}
    for one in before:
        params = tuple(
            replace(param, game=game.name) if isinstance(param, PolicyParam) else param
            for param in one.params
        )
        taken[one.name] = replace(one, game=game.name, params=params, answers=dict(one.answers))
    for one in added:
        if one.name in taken:
            raise _taken(one)
        taken[one.name] = one
    _let_answer(game, taken)
    _policies[game.name] = taken
    _made_of[game.name] = game.digest, before


def make_strategy(chosen: Policy, given: Mapping[str, object]) -> Strategy:
    """Return a strategy with checked parameters.

    Raises
    ------
    InputError
        If a parameter is unknown or a value out of bounds.
    """
    known = {param.name: param for param in chosen.params}
    values: dict[str, float | str] = {}
    for name, value in given.items():
        if name not in known:
            if not known:
                raise InputError(
                    f"parameter {name!r} of policy {chosen.name!r} is refused: it has none"
                )
            raise unknown("parameter", name, known, f"of policy {chosen.name!r}")
        values[name] = known[name].parse(value, chosen.name)
    found = Strategy(chosen, values)
    _check_count(found)
    return found


def _check_count(one: Strategy) -> None:
    """Refuse a strategy that takes a policy with too many parameters beside its own."""
    for param, value in zip(one.policy.params, one.values, strict=True):
        if isinstance(param, PolicyParam):
            taken = registered(param.game)[str(value)]
            count = len(one.policy.params) + len(taken.params)
            if count > MAX_PARAMS:
                raise InputError(
                    f"parameter {param.name} = {taken.name!r} of policy {one.name!r} is refused: "
                    f"{count} parameters with its own; allowed: {MAX_PARAMS}"
                )


def parse_strategy(game: Game, text: str) -> Strategy:
    """Read `name` or `name(param=value, …)`.

    Raises
    ------
    InputError
        If it is malformed, or the policy or a parameter is unknown.
    """
    match = re.fullmatch(r"\s*([^\s(),=]+)\s*(?:\(([^()]*)\))?\s*", text)
    if match is None:
        raise InputError(f"strategy {text!r} is refused; allowed: name or name(param=value, …)")
    known = {known_policy.name: known_policy for known_policy in policies(game)}
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
    return make_strategy(known[match[1]], given)


def parse_lineup(game: Game, lineup: str | Sequence[str]) -> tuple[Strategy, ...]:
    """Read a line-up: strategies by seat, as one text with commas or as a list.

    Raises
    ------
    InputError
        If it is empty, or a strategy is refused.
    """
    parts = re.split(r",(?![^()]*\))", lineup) if isinstance(lineup, str) else list(lineup)
    if not parts or any(not isinstance(part, str) or not part.strip() for part in parts):
        raise InputError(f"line-up {lineup!r} is refused; allowed: strategies, comma-separated")
    return tuple(parse_strategy(game, part) for part in parts)


def seat_lineup(lineup: Sequence[Strategy], players: int) -> tuple[Strategy, ...]:
    """Return one strategy for each seat: the line-up, repeated round the table.

    Raises
    ------
    InputError
        If the line-up is longer than the table.
    """
    if len(lineup) > players:
        raise InputError(
            f"line-up of {len(lineup)} strategies is refused; allowed: at most {players}, "
            "one for each player"
        )
    return tuple(lineup[seat % len(lineup)] for seat in range(players))


def forget(policies_of_file: Sequence[Policy]) -> None:
    """Remove the policies of a user's file, so that another version can be loaded."""
    for one in policies_of_file:
        where = _for_files if one.game.endswith(".py") else _policies
        where[one.game].pop(one.name, None)


def _number(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)
