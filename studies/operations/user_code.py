"""Users' policies: from files, and functions defined in a program or a notebook.

A notebook's cell may be run again, and a file may change between two calls: a new definition
replaces the old one. Two policies with the same name in one call, or in one file, are refused.
"""

from __future__ import annotations

import hashlib
import linecache
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from studies.design.document import shorten

if TYPE_CHECKING:
    from strategies import Policies
    from strategies.params import AnyParam
    from strategies.policy import Policy, PolicyFunction

PolicySource = str | Path | Callable[..., Any]
Strategies = PolicySource | Iterable[PolicySource] | None
"""A file, a function, several of them, or none."""

_FILE_MODULE = "own_strategies_"
"""Begins the names of modules in which files of policies run."""

_GAME_MODULES = ("own_game_", "own_rules_")
"""Begin the names of modules in which files of games and of rules run."""


def given_policies(strategies: Strategies, game: str = "") -> Policies:
    """Return the policies of a call: those of the session, and of the files that are given.

    Parameters
    ----------
    strategies : path, function, or several of them
        Undecorated functions become policies of `game`, in the session, under their own name.
    """
    from simcore import watchdog
    from simcore.catalogue import get_game
    from strategies import load_strategies, session

    watchdog.decision_limit()
    given = _listed(strategies)
    for function in given:
        if not isinstance(function, str | Path):
            _use_function(function, get_game(game).original.name if game else "")
    policies = session()
    for path in dict.fromkeys(Path(source) for source in given if isinstance(source, str | Path)):
        policies = load_strategies(path, policies)
    return policies


def policies_of(strategies: Strategies) -> tuple[Policies, list[Policy]]:
    """Return the policies of a call, and those given: all of a file, and functions with a game."""
    from strategies import Policy, session

    given = _listed(strategies)
    functions = [source for source in given if not isinstance(source, str | Path)]
    known = [item for item in session().declared if isinstance(item, Policy)]
    for function in functions:
        if all(function is not policy.function for policy in known):
            raise InputError(
                f"policy {getattr(function, '__name__', function)!r} names no game; allowed: a "
                "function below @cardlab.policy(game, idea=…), or a file"
            )
    policies = given_policies([source for source in given if isinstance(source, str | Path)])
    added = policies.declared[len(session().declared) :]
    of_files = [item for item in added if isinstance(item, Policy)]
    return policies, of_files + [policy for policy in known if policy.function in functions]


def functions_of(policies: Policies, game: str, names: Collection[str]) -> dict[str, str]:
    """Return name -> source hash of the policies that come from no file, as in notebooks."""
    from simcore.catalogue import get_game
    from strategies.policy import is_shipped

    return {
        policy.name: hash_of(source_of(policy.function))
        for policy in policies.of(get_game(game)).values()
        if policy.name in names
        and not is_shipped(policy.function)
        and not _place(policy.function).startswith(_FILE_MODULE)
    }


def hash_of(source: str) -> str:
    """Return a hash of a text."""
    return hashlib.blake2b(source.encode()).hexdigest()


def _listed(strategies: Strategies) -> list[PolicySource]:
    if strategies is None:
        return []
    if isinstance(strategies, str | Path) or callable(strategies):
        return [strategies]
    untyped: Any = strategies  # an untyped program may pass anything
    given = list(untyped) if isinstance(untyped, Iterable) else [untyped]
    for source in given:
        if not isinstance(source, str | Path) and not callable(source):
            raise InputError(
                f"strategies {shorten(repr(source))} is refused; allowed: files (.py) and functions"
            )
    return given


def _use_function(function: Callable[..., Any], game: str) -> None:
    """Add a function to the session's policies, unless a decorator has done so."""
    from simcore.catalogue import get_game
    from strategies import Policy, policies

    source_of(function)
    if any(function is known.function for known in policies(get_game(game))):
        return
    title = str(function.__name__)
    doc = (function.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    _define(Policy(game, title, doc or "a function of your own", function))


def _define(policy: Policy) -> None:
    """Add a policy to the session in place of an earlier one that the same module defined."""
    from simcore.catalogue import get_game
    from strategies import session
    from strategies.checks import check_policy
    from strategies.registry import declare, keep_session

    before = session()
    earlier = before.named(policy.game).get(policy.name)
    if earlier is not None and _place(earlier.function) == _place(policy.function):
        keep_session(before.without(earlier))
    declare(policy)
    try:
        check_policy(policy, get_game(policy.game))
    except InputError:
        keep_session(session().without(policy))
        raise


def policy(
    game: str,
    *,
    idea: str,
    params: Sequence[AnyParam] = (),
    source: str = "",
    name: str | None = None,
) -> Callable[[PolicyFunction], PolicyFunction]:
    """Make the decorated function a policy of a game, for use in line-ups.

    The function is written in the language of rules (docs/reference/language.md). It takes the
    state, its seat, the set of legal moves (in Up and dnup, their number) and its parameters by
    name, and returns a move. It may read open cards and its own seat's. It plays some matches as
    ordinary Python before it is compiled. Defining it again, as in running a notebook cell again,
    replaces it.

    Parameters
    ----------
    game : str
        Name of a game; of one in a file the path, or the end of it.
    idea : str
        One line that describes the policy.
    params : sequence of Param
        The function takes them by name, after `s`, `seat` and `moves`.
    source : str
        Source of the idea.
    name : str, optional
        Default: the function's name.

    Examples
    --------
    >>> import cardlab
    >>> from simcore.language import nth
    >>> @cardlab.policy("updown", idea="the last of its legal moves")
    ... def last_of_all(s, seat, moves):
    ...     return nth(moves, len(moves) - 1)
    >>> sim = cardlab.simulate("updown", players=2, lineup=["last_of_all", "random"], matches=100)
    >>> list(sim.summary["win_share_by_strategy"])
    ['last_of_all', 'random']
    """
    from strategies import registry

    def decorate(function: PolicyFunction) -> PolicyFunction:
        if _place(function).startswith(_GAME_MODULES):
            raise InputError(
                f"@policy({game!r}, …) of cardlab is refused in a file of a game or of rules; "
                "allowed: @policy or @policy(idea=…, params=[…]) of cardlab.rules"
            )
        source_of(function)
        add = registry.declare if _place(function).startswith(_FILE_MODULE) else _define
        declared = registry.policy(
            game, idea=idea, params=params, source=source, name=name, add=add
        )
        return declared(function)

    return decorate


def source_of(function: Callable[..., Any]) -> str:
    """Return the source of the file or cell that defines a function."""
    if not isinstance(function, FunctionType):
        raise InputError(
            f"policy {shorten(repr(function))} is refused; allowed: a function written with def"
        )
    file = function.__code__.co_filename
    linecache.checkcache(file)
    source = "".join(linecache.getlines(file))
    name = function.__code__.co_name
    # In Python 3.13 what `exec` defined has the lines of `python -c`, where it does not stand.
    if not source or (name != "<lambda>" and not re.search(rf"\bdef\s+{name}\b", source)):
        raise InputError(
            f"the source of function {function.__name__!r} ({file}) cannot be found; allowed: a "
            "function that stands in a file or in a cell of a notebook"
        )
    return source


def _place(function: object) -> str:
    return f"{getattr(function, '__module__', '')}:{getattr(function, '__qualname__', '')}"
