"""Policies from a user's file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from simcore.compiler.program import Refused
from simcore.compiler.userfiles import load_user_file
from simcore.errors import InputError
from simcore.game import game_names, get_game
from strategies.checks import EARLIER
from strategies.registry import (
    Policy,
    all_registered,
    check_policy,
    forget,
    policies,
    register,
)


def load_strategies(path: str | Path) -> tuple[Policy, ...]:
    """Run a user's file, which registers policies; return them.

    Nothing is registered where anything is refused.

    Raises
    ------
    InputError
        If the file cannot be read or run, registers nothing, or a policy in it reads or
        changes what it may not; with the line.
    """
    return load_hashed(path)[0]


def load_hashed(path: str | Path) -> tuple[tuple[Policy, ...], str]:
    """Load a file as `load_strategies` does; return its policies, and a hash of what was run."""
    file = Path(path)
    for name in game_names():
        policies(get_game(name))
    before = all_registered()

    def taken_back() -> tuple[Policy, ...]:
        forget(found := _added(before))
        added[:] = found
        return found

    added: list[Policy] = []
    try:
        digest = _load(file, taken_back)
        for policy in added:
            register(policy)
        for policy in added:
            if policy.game in game_names():  # others are checked with their game (`policies`)
                check_policy(policy)
    except BaseException:
        forget(_added(before))
        raise
    if not added:
        raise InputError(
            f"strategies file {file} registers no policy; write `from cardlab import policy`, and "
            "@policy(game, idea=…) above its function"
        )
    return tuple(added), digest


def _added(before: tuple[Policy, ...]) -> tuple[Policy, ...]:
    known = set(map(id, before))
    return tuple(one for one in all_registered() if id(one) not in known)


def _load(file: Path, made: Callable[[], object]) -> str:
    try:
        return load_user_file("strategies", file, made=made).digest
    except Refused as refused:
        cause = refused.__cause__
        missing = cause.name or "" if isinstance(cause, ImportError) else ""
        if missing.partition(".")[0] in ("simcore", "strategies", "cardlab"):
            raise InputError(f"{refused}; perhaps the file {EARLIER}") from cause
        raise
