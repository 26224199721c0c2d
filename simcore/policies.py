"""Decision functions are compiled to the one signature that policies have.

Then a kernel calls any of them through its address (`jit.call_policy`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

from simcore.guard import compile_foreign, guarded_in_python
from simcore.jit import JIT_DISABLED, is_own, kernel


def compile_policy(function: Callable[..., Any], table: Any, seat: Any) -> Any:
    """Compile a decision function to int64(TABLE, SEAT), the one type of all policies of a game.

    A function that is not of cardlab's own sources is tried on copies first (`simcore.guard`).

    Parameters
    ----------
    function : callable
        Takes a TABLE and a SEAT record, returns a move.
    table, seat : numpy.dtype
        The game's TABLE and SEAT.

    Raises
    ------
    NotCompiledError
        If the function cannot be compiled, with the cause and its line.
    """
    own = is_own(function)
    if JIT_DISABLED:
        return function if own else guarded_in_python(function)
    signature = numba.types.int64(numba.from_dtype(table), numba.from_dtype(seat))
    if not own:  # pragma: compiled only
        return compile_foreign(function, signature, table, seat)
    policy: Any = kernel(function)  # pragma: compiled only
    policy.compile(signature)  # pragma: compiled only
    policy.disable_compile()  # pragma: compiled only
    return policy  # pragma: compiled only
