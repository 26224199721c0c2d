"""Users' policies: from files, and functions defined in a program or a notebook.

A notebook's cell may be run again, and a file may change between two calls: a new definition
replaces the old one. Two policies with the same name in one call, or in one file, are refused.
"""

from __future__ import annotations

import hashlib
import linecache
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError
from studies.design.overrides import shorten

if TYPE_CHECKING:
    from strategies.registry import AnyParam, Policy, PolicyFunction

PolicySource = str | Path | Callable[..., Any]
Strategies = PolicySource | Iterable[PolicySource] | None
"""A file, a function, several of them, or none."""

_FILE_MODULE = "own_strategies_"
"""Begins the names of modules in which files of policies run."""

_GAME_MODULES = ("own_game_", "own_rules_")
"""Begin the names of modules in which files of games and of rules run."""

_of_files: dict[Path, tuple[str, tuple[Policy, ...]]] = {}
"""What the files registered, with a hash of what they held."""


def use_policies(strategies: Strategies, game: str = "") -> tuple[list[Path], dict[str, str]]:
    """Register a user's policies for the following calls, and forget those of earlier files.

    Parameters
    ----------
    strategies : path, function, or several of them
        Undecorated functions become policies of `game` under their own name.

    Returns
    -------
    paths : list of Path
        The files among them.
    functions : dict of str to str
        Name and hash of the source of each function among them.
    """
    from simcore import watchdog

    watchdog.decision_limit()
    given = _listed(strategies)
    paths = [Path(one) for one in given if isinstance(one, str | Path)]
    if paths or _of_files:
        _use_files(paths)
    functions = {}
    for one in given:
        if not isinstance(one, str | Path):
            name, source = _use_function(one, _original(game))
            functions[name] = hash_of(source)
    return paths, functions


def policies_of(strategies: Strategies) -> list[Policy]:
    """Register a user's policies and return them: all of a file's, and functions with a game."""
    from strategies.registry import all_registered

    paths, _ = use_policies([one for one in _listed(strategies) if isinstance(one, str | Path)])
    functions = [one for one in _listed(strategies) if not isinstance(one, str | Path)]
    for one in functions:
        if all(one is not policy.function for policy in all_registered()):
            raise InputError(
                f"policy {getattr(one, '__name__', one)!r} names no game; allowed: a function "
                "below @cardlab.policy(game, idea=…), or a file"
            )
    of_files = [policy for path in paths for policy in _of_files[path][1]]
    return of_files + [one for one in all_registered() if one.function in functions]


def _original(game: str) -> str:
    """Return the game that a file of rules changes, whose policies apply."""
    from simcore.game import get_game

    return get_game(game).original.name if "+" in game else game


def functions_of(game: str, names: Collection[str]) -> dict[str, str]:
    """Return name and source hash of those of these policies that are functions."""
    from simcore.jit import is_builtin
    from strategies import registered

    of_files = [one for _, own in _of_files.values() for one in own]
    found = {}
    for one in registered(game).values():
        function = one.function
        if one.name not in names or one in of_files:
            continue
        if isinstance(function, FunctionType) and not is_builtin(function):
            found[one.name] = hash_of(source_of(function))
    return found


def hash_of(source: str) -> str:
    """Return a hash of a text."""
    return hashlib.blake2b(source.encode()).hexdigest()


def _listed(strategies: Strategies) -> list[PolicySource]:
    if strategies is None:
        return []
    if isinstance(strategies, str | Path) or callable(strategies):
        return [strategies]
    asked: Any = strategies  # an untyped program may pass anything
    given = list(asked) if isinstance(asked, Iterable) else [asked]
    for one in given:
        if not isinstance(one, str | Path) and not callable(one):
            raise InputError(
                f"strategies {shorten(repr(one))} is refused; allowed: files (.py) and functions"
            )
    return given


def _use_files(paths: Sequence[Path]) -> None:
    from simcore.compiler.userfiles import digest_at
    from strategies import register, registered
    from strategies.registry import forget
    from strategies.userfile import load_hashed

    for path, (_, own) in _of_files.items():
        if path not in paths:
            forget([one for one in own if registered(one.game).get(one.name) is one])
    for path in paths:
        held = digest_at("strategies", path)
        before, own = _of_files.get(path, ("", ()))
        there = [one for one in own if registered(one.game).get(one.name) is one]
        if own and before == held:
            for one in own:
                if one not in there:
                    register(one)
            continue
        forget(there)
        _of_files.pop(path, None)
        policies, held = load_hashed(path)
        _of_files[path] = held, policies


def _use_function(function: Callable[..., Any], game: str) -> tuple[str, str]:
    """Register a function unless a decorator has done so; return the policy's name and source."""
    from simcore.game import get_game
    from strategies import Policy, policies, register

    source = source_of(function)
    for one in policies(get_game(game)):
        if function is one.function:
            return one.name, source
    title = str(function.__name__)
    doc = (function.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    idea = doc or "a function of your own"
    _give_way(game, title, function)
    register(Policy(game, title, idea, function))
    _check(game, title)
    return title, source


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

    Raises
    ------
    InputError
        If the game is unknown, the name is taken, a parameter is invalid, or the function's source
        cannot be found.

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
    from strategies import policy as registering

    def decorate(function: PolicyFunction) -> PolicyFunction:
        if _place(function).startswith(_GAME_MODULES):
            raise InputError(
                f"@policy({game!r}, …) of cardlab is refused in a file of a game or of rules; "
                "allowed: @policy or @policy(idea=…, params=[…]) of cardlab.rules"
            )
        source_of(function)
        title = name or str(getattr(function, "__name__", ""))
        _give_way(game, title, function)
        given = registering(game, idea=idea, params=params, source=source, name=name)(function)
        if not _place(function).startswith(_FILE_MODULE):
            _check(game, title)
        return given

    return decorate


def _check(game: str, name: str) -> None:
    """Refuse and forget a policy that reads or changes what it may not."""
    from simcore.game import get_game
    from strategies import registered
    from strategies.registry import check_policy, forget

    one = registered(game)[name]
    try:
        check_policy(one, get_game(game))
    except InputError:
        forget([one])
        raise


def source_of(function: Callable[..., Any]) -> str:
    """Return the source of the file or cell that defines a function."""
    if not isinstance(function, FunctionType):
        raise InputError(
            f"policy {shorten(repr(function))} is refused; allowed: a function written with def"
        )
    file = function.__code__.co_filename
    linecache.checkcache(file)
    lines = linecache.getlines(file)
    if not lines:
        raise InputError(
            f"the source of function {function.__name__!r} ({file}) cannot be found; allowed: a "
            "function that stands in a file or in a cell of a notebook"
        )
    return "".join(lines)


def _give_way(game: str, name: str, function: Callable[..., Any]) -> None:
    """Forget an earlier policy that the same module defined under the same name."""
    from simcore.game import get_game
    from strategies import policies
    from strategies.registry import forget

    if _place(function).startswith(_FILE_MODULE):
        return
    # The game's own policies come first, so that nothing takes their names.
    earlier = next((one for one in policies(get_game(game)) if one.name == name), None)
    if earlier is not None and _place(earlier.function) == _place(function):
        forget([earlier])


def _place(function: object) -> str:
    return f"{getattr(function, '__module__', '')}:{getattr(function, '__qualname__', '')}"
