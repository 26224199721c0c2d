"""What a policy says of itself, checked when it is registered: its parameters, idea and name."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Sequence
from numbers import Real
from types import FunctionType
from typing import Any

from simcore.errors import InputError
from simcore.records import MAX_PARAMS

LONGEST = 120
"""Letters of what is quoted."""

EARLIER = (
    "is of an earlier cardlab, whose policies took TABLE and SEAT. Now they are in the language of "
    "rules: def name(s, seat, moves, …), with parameters by name in place of seat.params, "
    "s.hand[seat] in place of seat.hand, `nth(moves, k)` in place of nth_move, below(s, "
    "SEAT(seat), n) in place of rng.below, and memory(…) declared in a class State in place of "
    "seat.memory; words come from simcore.language (docs/tutorials/own-policy.md)"
)
"""What to write instead of a policy as they once were."""


def check_param(name: object, default: object, low: object, high: object, meaning: object) -> None:
    """Refuse a parameter that cannot be one.

    Raises
    ------
    InputError
        If its name is no word, a number is none or not finite, or the default is not within the
        bounds.
    """
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
        raise InputError(
            f"parameter name {_quoted(name)} is refused; allowed: a word of letters, digits and _"
        )
    for what, value in (("default", default), ("lowest value", low), ("highest value", high)):
        number = isinstance(value, Real) and not isinstance(value, bool)
        if not number or not math.isfinite(value):  # type: ignore[arg-type]
            raise InputError(
                f"{what} {_quoted(value)} of parameter {name!r} is refused; allowed: a number"
            )
    if not low <= high:  # type: ignore[operator]
        raise InputError(
            f"parameter {name!r} is refused: its lowest value {low} is above its highest, {high}; "
            "the order is Param(name, default, low, high, meaning)"
        )
    if not low <= default <= high:  # type: ignore[operator]
        raise InputError(
            f"default {default} of parameter {name!r} is refused; allowed: {low}…{high}, its bounds"
        )
    if not isinstance(meaning, str):
        raise InputError(
            f"meaning {_quoted(meaning)} of parameter {name!r} is refused; allowed: a text"
        )


def check_words(name: object, idea: object, source: object) -> None:
    """Refuse a policy's name, idea or source.

    Raises
    ------
    InputError
    """
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise InputError(
            f"policy name {_quoted(name)} is refused; allowed: small letters, digits and _"
        )
    for what, text in (("idea", idea), ("source", source)):
        if not isinstance(text, str):
            raise InputError(
                f"{what} {_quoted(text)} of policy {name!r} is refused; allowed: a text"
            )


def check_params(name: str, params: Sequence[Any], kinds: tuple[type, ...]) -> None:
    """Refuse a policy's parameters, of which each is sound by itself.

    Raises
    ------
    InputError
        If there are too many, or something else among them, or two of one name.
    """
    for param in params:
        if not isinstance(param, kinds):
            raise InputError(
                f"parameter {_quoted(param)} of policy {name!r} is refused; allowed: "
                "Param(name, default, low, high, meaning)"
            )
    if len(params) > MAX_PARAMS:
        raise InputError(f"policy {name!r} has {len(params)} parameters; allowed: {MAX_PARAMS}")
    names = [param.name for param in params]
    for one in names:
        if names.count(one) > 1:
            raise InputError(
                f"policy {name!r} has {names.count(one)} parameters {one!r}; allowed: each name "
                "once"
            )


def check_arguments(name: str, function: object, params: Sequence[str]) -> None:
    """Refuse a policy that is no function of the state, the seat, the moves and its parameters.

    Parameters
    ----------
    name : str
        Of the policy.
    function : callable
    params : sequence of str
        The names of its parameters, of which the function takes some.

    Raises
    ------
    InputError
    """
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
    if given[:3] != ["s", "seat", "moves"] or any(one not in params for one in given[3:]):
        raise InputError(
            f"policy {name!r} must be {wanted}, not ({', '.join(given)[:LONGEST]}): the state, its "
            "seat, the legal moves, and those of its parameters that it needs"
        )


def _quoted(thing: object) -> str:
    try:
        return repr(thing)[:LONGEST]
    except Exception:  # noqa: BLE001 (a user's class)
        return type(thing).__name__
