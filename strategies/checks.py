"""What is refused of a policy: what it says of itself, and what its functions read and change."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from types import FunctionType
from typing import Any

from simcore.catalogue import get_game
from simcore.compiler.program import program_of
from simcore.compiler.seat_policy import SeatPolicy
from simcore.compiler.visibility import Visibility
from simcore.errors import InputError, unknown
from simcore.game import Game
from simcore.records import MAX_PARAMS
from strategies.params import LONGEST, Param, PolicyParam, quoted
from strategies.policy import Policy, PolicyFunction

EARLIER = (
    "is of an earlier cardlab, whose policies took TABLE and SEAT. Now they are in the language of "
    "rules: def name(s, seat, moves, …), with parameters by name in place of seat.params, "
    "s.hand[seat] in place of seat.hand, `nth(moves, k)` in place of nth_move, below(s, "
    "SEAT(seat), n) in place of rng.below, and memory(…) declared in a class State in place of "
    "seat.memory; words come from simcore.language (docs/tutorials/own-policy.md)"
)
"""What to write instead of a policy as they once were."""


def check_declaration(policy: Policy) -> None:
    """Refuse a policy's name, idea, source or parameters, and a function that takes others."""
    name: object = policy.name  # an untyped file may pass anything
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise InputError(
            f"policy name {quoted(name)} is refused; allowed: small letters, digits and _"
        )
    texts: dict[str, object] = {"idea": policy.idea, "source": policy.source}
    for title, text in texts.items():
        if not isinstance(text, str):
            raise InputError(
                f"{title} {quoted(text)} of policy {name!r} is refused; allowed: a text"
            )
    params: Sequence[object] = policy.params
    for param in params:
        if not isinstance(param, Param | PolicyParam):
            raise InputError(
                f"parameter {quoted(param)} of policy {name!r} is refused; allowed: "
                "Param(name, default, low, high, meaning)"
            )
    if len(params) > MAX_PARAMS:
        raise InputError(f"policy {name!r} has {len(params)} parameters; allowed: {MAX_PARAMS}")
    titles = [param.name for param in policy.params]
    for title in titles:
        if titles.count(title) > 1:
            raise InputError(
                f"policy {name!r} has {titles.count(title)} parameters {title!r}; allowed: each "
                "name once"
            )
    if not policy.built_in and policy.learned is None:
        check_arguments(policy, policy.function)


def check_policy(policy: Policy, game: Game | None = None) -> None:
    """Refuse a policy that reads or changes what its seat may not, or is no source of rules."""
    played = game or get_game(policy.game)
    if policy.network is not None:
        for feature in policy.network.functions.values():
            check_feature(played, feature)
        return
    program_of(played).remember(SeatPolicy(policy.name, policy.function, policy.answers))
    check_sight(played, policy.function)
    for to, function in policy.answers.items():
        check_answer(played, policy, to, function)


def check_feature(game: Any, function: PolicyFunction) -> None:
    """Refuse a feature that is no function of the state, a seat and a move, or sees too much."""
    routine = program_of(game).routine(function)
    params = routine.params
    if any(name in ("moves", "o") for name in params) or len(set(params) - {"s", "seat"}) > 1:
        raise routine.refuse(
            None,
            "a feature is a function of s and seat, or of s, seat and a move: f(s, seat, move)",
        )
    check_sight(game, function)


def check_sight(game: Any, function: PolicyFunction) -> None:
    """Refuse a function that reads or changes what its seat may not."""
    program = program_of(game)
    Visibility(program).check(program.routine(function))


def check_answer(game: Any, policy: Policy, to: str, function: PolicyFunction) -> None:
    """Refuse an answer to no decision, or one that takes other numbers than its policy."""
    program = program_of(game)
    try:
        if to not in program.decisions:
            raise unknown("decision", to, tuple(program.decisions))
        check_arguments(policy, function)
    except InputError as error:
        raise program.routine(function).refuse(None, str(error)) from None
    check_sight(game, function)


def check_arguments(policy: Policy, function: object) -> None:
    """Refuse anything but a function of the state, the seat, the moves and the parameters."""
    name = policy.name
    params = [param.name for param in policy.params if isinstance(param, Param)]
    wanted = f"def {name}({', '.join(['s', 'seat', 'moves', *params])})"
    if not isinstance(function, FunctionType):
        kind = "class" if isinstance(function, type) else type(function).__name__
        raise InputError(
            f"policy {name!r} is a {kind}; allowed: a function, {wanted}; numbers that it takes "
            "are parameters: params=[Param(…)]"
        )
    if function.__code__.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise InputError(f"policy {name!r} is `async`, which rules are not; write `def`")
    given = list(inspect.signature(function, follow_wrapped=False).parameters)
    if given[:2] == ["table", "seat"] or (len(given) == 2 and given[0] != "s"):
        raise InputError(f"policy {name!r}, def {name}({', '.join(given)}), {EARLIER}")
    if given[:3] != ["s", "seat", "moves"] or any(word not in params for word in given[3:]):
        raise InputError(
            f"policy {name!r} must be {wanted}, not ({', '.join(given)[:LONGEST]}): the state, its "
            "seat, the legal moves, and those of its parameters that it needs"
        )
