"""A user's policy is tried on copies of its records: it can look, and no more.

Numba's records are memory that a policy could write to: its hand, the scores, whose turn it is.
The policies that ship with cardlab are tested not to. One from elsewhere plays the first matches of
every block through a guard, which hands it copies and takes back the move, `seat.memory` and the
seat's random numbers, which are its own to change; a changed TABLE is an error. There it is
compiled with bounds checks, so that an index beyond an array, behind which hidden cards lie, is an
error, too. Then it plays the block at full speed, and the rows must be the same. Replays are always
guarded.

This is against mistakes. It does not make a file of a stranger safe: that file is a program.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from simcore.errors import InputError
from simcore.jit import JIT_DISABLED, POLICY_FAILED, POLICY_WROTE, call_policy, policy_address
from simcore.notcompiled import WHOLE, check_returns, translated
from simcore.records import OWN_FIELDS

_foreign: dict[int, tuple[Callable[..., Any], Any, Any]] = {}
"""Users' policies by their addresses: the function, its type and SEAT."""

_guards: dict[int, int] = {}
"""The address of a policy's guard, by that of the policy."""

_inner: dict[int, Callable[..., Any]] = {}
"""The policy that a guard calls, compiled with bounds checks, by the address of the guard."""

_foreign_in_python = range(1, 1 << 53)
"""Policies that are not compiled are numbered; any may be a user's."""


@intrinsic
def _copied(_typing: Any, record: Any, length: Any) -> Any:  # noqa: ARG001 pragma: compiled only
    """Return a copy of the first bytes of a record, which lasts as long as its caller's call."""

    def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:  # noqa: ARG001
        with builder.goto_entry_block():
            copy = builder.alloca(ir.ArrayType(ir.IntType(8), record.size))
        copy.align = np.dtype(np.int64).alignment
        cgutils.raw_memcpy(builder, copy, args[0], args[1], 1)
        return builder.bitcast(copy, args[0].type)

    return record(record, types.int64), build


@intrinsic
def _is_changed(  # pragma: compiled only
    _typing: Any, record: Any, copy: Any, length: Any
) -> Any:
    """Return whether the first bytes of a record and its copy differ."""

    def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        byte = ir.IntType(8).as_pointer()
        form = ir.FunctionType(ir.IntType(32), [byte, byte, ir.IntType(64)])
        memcmp = cgutils.get_or_insert_function(builder.module, form, "memcmp")
        ours, theirs = (builder.bitcast(args[i], byte) for i in (0, 1))
        found = builder.call(memcmp, [ours, theirs, args[2]])
        return builder.icmp_signed("!=", found, ir.Constant(found.type, 0))

    return types.boolean(record, copy, length), build


@intrinsic
def _take_back(  # pragma: compiled only
    _typing: Any, record: Any, copy: Any, first: Any, length: Any
) -> Any:
    """Write bytes of a copy, from `first` on, into the record."""

    def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        ours, theirs = (cgutils.pointer_add(builder, args[i], args[2]) for i in (0, 1))
        cgutils.raw_memcpy(builder, ours, theirs, args[3], 1)
        return cgutils.get_null_value(ir.IntType(64))

    return types.int64(record, copy, first, length), build


def compile_foreign(  # pragma: compiled only
    function: Callable[..., Any], signature: Any, table: np.dtype[Any], seat: np.dtype[Any]
) -> Any:
    """Compile a user's policy, without keeping it on the disk; for parameters see below.

    Raises
    ------
    NotCompiledError
        If it cannot be compiled, with the cause and its line.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", numba.core.errors.NumbaWarning)
        try:
            policy = numba.njit(signature, nogil=True, error_model="numpy")(function)
        except Exception as error:
            raise translated(error, function, (table, seat)) from error
    check_returns(policy, function)
    _foreign[policy_address(policy)] = (function, signature, seat)
    return policy


def guarded(address: int) -> int:
    """Return the address of the guard of a policy, compiled when it is first asked for.

    A policy of cardlab's own needs none; one that is not compiled has its guard already.
    """
    if address not in _foreign:
        return address
    if address not in _guards:  # pragma: compiled only
        guard = compile_guarded(*_foreign[address])
        _guards[address] = policy_address(guard)
        _inner[address] = _inner[_guards[address]]
    return _guards[address]  # pragma: compiled only


def compile_guarded(  # pragma: compiled only
    function: Callable[..., Any], signature: Any, seat: np.dtype[Any]
) -> Any:
    """Compile a policy and its guard; return the guard, which is called like a policy.

    Parameters
    ----------
    function : callable
    signature : numba signature
        int64(TABLE, SEAT).
    seat : numpy.dtype
        SEAT; its legal moves stand last, and only as many are copied as there are.

    Raises
    ------
    numba.core.errors.NumbaError
        If the policy cannot be compiled.
    """
    policy = numba.njit(signature, boundscheck=True, nogil=True, error_model="numpy")(function)
    address = policy_address(policy)
    table_bytes = int(signature.args[0].size)
    moves = seat.fields["moves"]  # type: ignore[index]
    head_bytes, move_bytes = int(moves[1]), int(moves[0].base.itemsize)
    own = tuple(
        (int(field[1]), int(field[0].itemsize))
        for field in (seat.fields[name] for name in OWN_FIELDS if name in seat.fields)  # type: ignore[index,operator]
    )

    def guard(table, seat):
        own_table = _copied(table, table_bytes)
        own_seat = _copied(seat, head_bytes + move_bytes * seat.move_count)
        move = call_policy(address, own_table, own_seat)
        if _is_changed(table, own_table, table_bytes):
            return POLICY_WROTE
        if move != POLICY_FAILED:
            for first, length in own:
                _take_back(seat, own_seat, first, length)
        return move

    compiled = numba.njit(signature, nogil=True, error_model="numpy")(guard)
    _inner[policy_address(compiled)] = policy
    return compiled


def guarded_in_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the guard of a policy that is not compiled."""

    def guard(table: Any, seat: Any) -> Any:
        own_table, own_seat = _copy(table), _copy(seat)
        move = function(own_table, own_seat)
        if isinstance(move, (bool, np.bool_)) or not hasattr(move, "__index__"):
            raise InputError(f"policy {function.__name__!r} returned {move!r}: {WHOLE}")
        if any((own_table[name] != table[name]).any() for name in table.dtype.names):
            return POLICY_WROTE
        for name in OWN_FIELDS:
            if name in seat.dtype.names:
                seat[name] = own_seat[name]
        return move

    return guard


def is_foreign(address: float) -> bool:
    """Return whether a policy of a user is at this address; it may be a policy's parameter, too."""
    whole = int(address)  # A range looks for a float number by number.
    return whole == address and whole in (_foreign_in_python if JIT_DISABLED else _foreign)


def cause_of_failure(address: int, table: Any, seat: Any) -> str:
    """Return which exception a user's policy raises at a position, in brackets; "" if not known."""
    policy = _inner.get(address)
    if policy is None or JIT_DISABLED:
        return ""
    try:
        policy(_copy(table), _copy(seat))
    except Exception as error:  # noqa: BLE001 (whatever the policy raises)
        return f" ({type(error).__name__}: {error})" if str(error) else f" ({type(error).__name__})"
    return ""


def _copy(record: Any) -> Any:
    return np.array([record]).view(np.recarray)[0]
