"""Policies by name, and line-ups.

A policy comes from one of two sources. Functions are *marked* by `language.policy` and `answers` in
cardlab's own modules and in files of games and of rules. Or they are *declared* by `policy` and
`answers` below, with the name of their game: by a user's file for whoever loads it (`collected`),
by a program or a notebook for its session. A `Policies` object has the policies that a call may
use, and is handed down.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from simcore.catalogue import get_game
from simcore.compiler.program import program_of
from simcore.errors import InputError, unknown
from simcore.game import Game, game_names
from simcore.records import MAX_PARAMS
from simcore.userfiles.user_games import UserPolicy, answers_among, policies_among
from strategies.checks import check_answer, check_declaration, check_policy, check_sight
from strategies.learned import declared as read_learned
from strategies.params import AnyParam, PolicyParam, Under
from strategies.policy import Answer, Policy, PolicyFunction, Strategy
from strategies.search import search_params


def at_random(s: Any, seat: int, moves: Any) -> int:
    """Stand for uniform random play and the search, which every game has."""
    raise NotImplementedError(s, seat, moves)


class Policies:
    """The policies that a call may use: those marked in modules of games, and a user's.

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
        policies = dict(_built_in(game)) if game in game_names() else {}
        declared = (item for item in self.declared if isinstance(item, Policy))
        return policies | {item.name: item for item in declared if item.game == game}

    def of(self, game: Game) -> Mapping[str, Policy]:
        """Return the policies of a game by name, in the order they were written."""
        key = game.name, game.digest
        if key not in self._of:
            self._of[key] = self._found(game)
        return self._of[key]

    def _found(self, game: Any) -> dict[str, Policy]:
        if game.changes:  # those of the game as it is, and what the files that change it add
            policies = {p.name: p.of_game(game.name) for p in self.of(game.original).values()}
            return _with_marked(policies, game)
        policies = dict(_built_in(game.name)) if game.name in game_names() else _of_file(game)
        users = [item for item in self.declared if _is_for(item, game)]
        for policy in users:
            if isinstance(policy, Policy):
                _add(policy, policies)
        for answer in users:
            if isinstance(answer, Answer):
                _add_answer(answer, policies)
        policies = {name: _resolved(policy, game, policies) for name, policy in policies.items()}
        if game.digest:  # those of built-in games were checked when they were declared
            for policy in users:
                if isinstance(policy, Policy):
                    check_policy(policies[policy.name], game)
        return policies


def _random(game: str) -> Policy:
    idea = "any legal move, each with the same probability (the reference)"
    return Policy(game, "random", idea, at_random, built_in=True)


def _search(game: str, params: Iterable[AnyParam], who: str, source: str = "") -> Policy:
    idea = f"deals the unseen cards many times, tries every move, plays on with {who}"
    return Policy(game, "search", idea, at_random, tuple(params), source)


@cache
def _built_in(game: str) -> Mapping[str, Policy]:
    """Return the policies of a built-in game: those marked in the module of its name here."""
    space = vars(importlib.import_module(f"strategies.{game}"))
    policies = {"random": _random(game)}
    for written in policies_among(space.items(), game):
        _add(_policy_of(game, written, space.get("UNDER", {}).get(written.name, ())), policies)
    for names, to, function in answers_among(space.items()):
        _add_answer(Answer(game, tuple(names), to, function), policies)
    source = "Ginsberg 2001; see strategies/search.py"
    policies |= {"search": _search(game, space["SEARCH"], "a heuristic", source)}
    return policies | _expert(game, policies)


def _expert(game: str, known: Mapping[str, Policy]) -> dict[str, Policy]:
    """Return the learned policy that comes with a game, if one does (.ci/make-experts)."""
    try:
        learned = importlib.import_module(f"strategies.experts.{game}").LEARNED
    except ModuleNotFoundError:
        return {}
    idea = f"learned from {learned.base} in {learned.players}-player matches, by `cardlab train`"
    expert = Policy(game, "expert", idea, at_random, learned=learned)
    return {expert.name: _resolved(expert, get_game(game), known)}


def _of_file(game: Any) -> dict[str, Policy]:
    """Return the policies of a game in a file."""
    policies = _with_marked({"random": _random(game.name)}, game)
    params = search_params(game.name, "random", rollouts=50, winning=10, sure=0.5)
    return policies | {"search": _search(game.name, params, "another policy")}


def _policy_of(game: str, written: UserPolicy, under: Iterable[Under] = ()) -> Policy:
    """Return a policy as its mark declares it."""
    policy = Policy(game, **vars(written), under=tuple(under))
    check_declaration(policy)
    return policy


def _with_marked(policies: dict[str, Policy], game: Any) -> dict[str, Policy]:
    """Add what the files of a game mark: policies, and functions that answer single decisions."""
    routine = program_of(game).routine
    for written in game.user_policies():
        try:
            policy = _policy_of(game.name, written)
        except InputError as error:
            raise routine(written.function).refuse(None, str(error)) from None
        check_sight(game, policy.function)
        _add(policy, policies)
    for names, to, function in game.user_answers():
        for name in names or [name for name, policy in policies.items() if not policy.built_in]:
            if name not in policies:
                why = str(unknown("policy", name, policies, f"for {game.name}"))
                raise routine(function).refuse(None, why)
            if name != "random":
                check_answer(game, policies[name], to, function)
                _add_answer(Answer(game.name, (name,), to, function), policies)
    return policies


def _add(policy: Policy, policies: dict[str, Policy]) -> None:
    if policy.name in policies:
        raise InputError(f"policy name {policy.name!r} is taken in {policy.game}; choose another")
    policies[policy.name] = policy


def _add_answer(answer: Answer, policies: dict[str, Policy]) -> None:
    for name in answer.names:
        answers = {**policies[name].answers, answer.to.upper(): answer.function}
        policies[name] = replace(policies[name], answers=answers)


def _resolved(policy: Policy, game: Game, known: Mapping[str, Policy]) -> Policy:
    """Return a learned policy with its network and its base policy; any other as it is."""
    if policy.learned is None or policy.network is not None:
        return policy
    base = _strategy_of(game, policy.learned.base, known)
    if base.policy.takes_policy or base.policy.learned is not None:
        raise InputError(
            f"base {policy.learned.base!r} of policy {policy.name!r} is refused; allowed: a policy "
            "that asks no other"
        )
    network = policy.learned.network(program_of(game))
    return replace(policy, network=network, base=base)


def learned(
    game: str,
    *,
    name: str,
    idea: str,
    base: str,
    players: int,
    features: Mapping[str, Sequence[Any]],
    weights: Mapping[str, str],
    record: Mapping[str, Any] | None = None,
) -> None:
    """Declare a learned policy of a game, as the files do that `cardlab train` writes.

    Parameters
    ----------
    game, name, idea
        As for `cardlab.policy`.
    base : str
        The strategy that it asks first, and plays like where it has learned nothing.
    players : int
        For how many it was trained; with others it plays like `base`.
    features, weights : mapping
        By decision: tuples of a function, a kind and two numbers; the weights as text.
    record : mapping, optional
        How it was trained, and how strong it was found.

    Examples
    --------
    >>> import cardlab
    >>> cardlab.learned("updown", name="beginner", idea="it has not been trained yet",
    ...                 base="shaper", players=4, features={}, weights={})
    >>> sim = cardlab.simulate("updown", lineup=["beginner", "random"], matches=100)
    >>> list(sim.summary["win_share_by_strategy"])
    ['beginner', 'random']
    """
    parts = read_learned(base, players, features, weights, record)
    declare(Policy(game, name, idea, at_random, learned=parts))


def _is_for(declared: Policy | Answer, game: Game) -> bool:
    """Return whether it names a game: its name, or the path of its file or the end of it."""
    if not declared.game.endswith(".py"):
        return declared.game == game.name
    path = Path(declared.game).parts
    return Path(game.name).parts[-len(path) :] == path


# ---------------------------------------------------------------------------- what users declare

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


def declare(policy: Policy) -> Policy:
    """Add a policy to those of the file that is being loaded, or to the session."""
    if policy.game not in game_names() and not policy.game.endswith(".py"):
        raise unknown("game", policy.game, game_names(), f"(policy {policy.name!r})")
    check_declaration(policy)
    _current[-1] = _current[-1].adding(policy)
    return policy


def policy(
    game: str,
    *,
    idea: str,
    params: Sequence[AnyParam] = (),
    source: str = "",
    name: str | None = None,
    add: Callable[[Policy], object] = declare,
) -> Callable[[PolicyFunction], PolicyFunction]:
    """Declare the decorated function as a policy of a game; see `cardlab.policy`, and `Policy`.

    `add` keeps it: with those of its file or, in a notebook, of the session.
    """

    def decorate(function: PolicyFunction) -> PolicyFunction:
        title = name or str(getattr(function, "__name__", type(function).__name__))
        add(Policy(game, title, idea, function, tuple(params), source))
        return function

    return decorate


def answers(game: str, *names: str, to: str) -> Callable[[PolicyFunction], PolicyFunction]:
    """Let the decorated function answer the decision `to` for some policies that are declared."""

    def decorate(function: PolicyFunction) -> PolicyFunction:
        known = _current[-1].named(game)
        for name in names:
            if name not in known:
                raise unknown("policy", name, known, f"for {game}")
        _current[-1] = _current[-1].adding(Answer(game, names, to, function))
        return function

    return decorate


# -------------------------------------------------------------------------------------- line-ups


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
    return _strategy_of(game, text, (policies or session()).of(game))


def _strategy_of(game: Game, text: str, known: Mapping[str, Policy]) -> Strategy:
    match = re.fullmatch(r"\s*([^\s(),=]+)\s*(?:\(([^()]*)\))?\s*", text)
    if match is None:
        raise InputError(f"strategy {text!r} is refused; allowed: name or name(param=value, …)")
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
