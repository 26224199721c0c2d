"""Policies from a user's file."""

from __future__ import annotations

from pathlib import Path

from simcore.catalogue import get_game
from simcore.compiler.program import Refused
from simcore.errors import InputError
from simcore.game import game_names
from simcore.userfiles.loading import digest_at, load_user_file
from strategies.checks import EARLIER, check_policy
from strategies.policy import Answer, Policy
from strategies.registry import Policies, collected, session

_declared: dict[tuple[Path, str], tuple[Policy | Answer, ...]] = {}
"""What a file with this content declares; running it again would make other functions."""


def load_strategies(path: str | Path, policies: Policies | None = None) -> Policies:
    """Run a user's file, which declares policies; return them beside others.

    Parameters
    ----------
    path : str or Path
    policies : Policies, optional
        Default: those of the session.
    """
    file, before = Path(path), policies or session()
    known = _declared.get((file, digest_at("strategies", file)))
    if known is not None:
        return before.adding(*known, files=[file])
    runs: list[tuple[Policy | Answer, ...]] = []
    with collected(before) as taken:

        def made() -> object:
            runs.append(taken())
            return runs[-1]

        try:
            digest = load_user_file("strategies", file, made=made).digest
        except Refused as refused:
            cause = refused.__cause__
            missing = cause.name or "" if isinstance(cause, ImportError) else ""
            # A name that `cardlab` lacks may be misspelt; earlier files imported from the others.
            is_earlier = missing.partition(".")[0] in ("simcore", "strategies")
            is_gone = missing.startswith("cardlab") and isinstance(cause, ModuleNotFoundError)
            if is_earlier or is_gone:
                raise InputError(f"{refused}; perhaps the file {EARLIER}") from cause
            raise
    policies = before.adding(*runs[-1], files=[file])
    declared = [item for item in runs[-1] if isinstance(item, Policy)]
    if not declared:
        raise InputError(
            f"strategies file {file} registers no policy; write `from cardlab import policy`, and "
            "@policy(game, idea=…) above its function"
        )
    for policy in declared:
        if policy.game in game_names():  # others are checked with their game (`Policies.of`)
            check_policy(policies.of(get_game(policy.game))[policy.name])
    _declared[file, digest] = runs[-1]
    return policies
