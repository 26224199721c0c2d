"""The only place where Numba is configured.

`kernel` compiles a rules function; decision functions, of which users write some, are compiled in
`simcore.policies`. Compiled code is kept on disk (`simcore.codecache`) in a folder whose name holds
a hash of all sources of `simcore` and `strategies`: Numba's own cache does not notice a change in
an imported file (Numba manual, "Notes on Caching").
"""

from __future__ import annotations

import gc
import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite.binding import get_host_cpu_features
from numba.core import event
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher

from simcore import compiling
from simcore.codecache import keep_code
from simcore.private import make_private

Function = TypeVar("Function", bound=Callable[..., Any])

SOURCE_ROOTS = ("simcore", "strategies")
JIT_DISABLED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def source_hash() -> str:
    """Return a hash of every Python source that compiled code can depend on.

    No kernel depends on the examples of users' policies.
    """
    digest = hashlib.blake2b(digest_size=8)
    top = Path(__file__).resolve().parent.parent
    for root in SOURCE_ROOTS:
        for path in sorted((top / root).rglob("*.py")):
            if path.parent.name == "examples":
                continue
            digest.update(str(path.relative_to(top)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def cache_folder() -> Path:
    """Return the folder for compiled code: `CARDLAB_CACHE`, or the user's cache folder.

    A user without a home has one among the temporary files, which `codecache` uses only if it is
    his alone.
    """
    base = os.environ.get("CARDLAB_CACHE") or _users_cache()
    return Path(base) / f"kernels-{source_hash()}"


def _users_cache() -> str:
    caches = os.environ.get("XDG_CACHE_HOME")
    try:
        return str(Path(caches or Path.home() / ".cache") / "cardlab")
    except RuntimeError:  # a user without a home
        number = os.getuid() if hasattr(os, "getuid") else ""
        return str(Path(tempfile.gettempdir()) / f"cardlab-{number}")


def _is_private(folder: Path) -> bool:
    try:
        return not make_private(folder)
    except OSError:
        return False


CACHE_FOLDER = cache_folder()
if not JIT_DISABLED and _is_private(CACHE_FOLDER):
    numba.config.CACHE_DIR = str(CACHE_FOLDER)  # for what users' files cache themselves


class _Told(event.Listener):  # type: ignore[misc] # pragma: compiled only
    """Tells `simcore.compiling` what the compiler begins and ends with.

    Meanwhile garbage is looked for less often: the compiler makes a lot that is none, and to look
    through it takes a twentieth of the time.
    """

    def __init__(self) -> None:
        self._usual: list[tuple[int, int, int]] = []

    def on_start(self, event: Any) -> None:
        self._usual.append(gc.get_threshold())
        gc.set_threshold(100_000, 20, 100)
        code = event.data["dispatcher"].py_func.__code__
        compiling.begin(compiling.in_words(code.co_filename, code.co_name))

    def on_end(self, event: Any) -> None:  # noqa: ARG002
        gc.set_threshold(*self._usual.pop())
        compiling.end()


event.register("numba:compile", _Told())


def has_feature(name: str) -> bool:
    """Tell whether Numba compiles for an x86 processor with a feature, by LLVM's name for it.

    That is the one at hand, unless `NUMBA_CPU_NAME` and `NUMBA_CPU_FEATURES` name another.
    """
    if platform.machine() not in ("x86_64", "AMD64"):
        return False
    if numba.config.CPU_NAME is None:
        return bool(get_host_cpu_features().get(name, False))
    return f"+{name}" in (numba.config.CPU_FEATURES or "").split(",")


HAS_BMI2 = has_feature("bmi2")
HAS_VBMI2 = has_feature("avx512vbmi2")
HAS_AVX2 = has_feature("avx2")
"""Whether vectors have four numbers."""

HAS_AVX512 = has_feature("avx512vpopcntdq")
"""Whether vectors have eight numbers, masks, and bit counts."""


def use_whole_vectors() -> None:
    """Let vectors have eight numbers on processors for which LLVM would rather take four.

    On several of Intel's these once slowed down the clock; lanes take twice as long with four.
    """
    if HAS_AVX512 and numba.config.CPU_NAME is None and numba.config.CPU_FEATURES is None:
        numba.config.CPU_FEATURES = get_host_cpu_features().flatten() + ",-prefer-256-bit"


use_whole_vectors()


# Nobody hands a kernel on as a value; without that entry it compiles in a tenth less time.
_COMMON = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
_OWN_FOLDERS = tuple(Path(__file__).resolve().parent.parent / root for root in SOURCE_ROOTS)


def is_own(function: Callable[..., Any]) -> bool:
    """Return whether a function is one of cardlab's sources, not a user's or an example."""
    file = Path(function.__code__.co_filename)
    return file.parent.name != "examples" and any(top in file.parents for top in _OWN_FOLDERS)


def _compiled(dispatcher: Any, form: str = "") -> Any:
    """Return a dispatcher that keeps the code of our own functions on the disk.

    Not of others: nothing tells when what they read has changed, and they compile quickly.
    """
    if JIT_DISABLED or not is_own(dispatcher.py_func):
        return dispatcher
    return keep_code(dispatcher, CACHE_FOLDER, form)


def kernel(function: Function) -> Function:
    """Compile a rules function; it may be called from Python and from other kernels.

    Unless told otherwise Numba inlines what it first compiles for a caller that is inlined, and so
    all that this calls: code grows, and with it the time to compile, by half. Likewise whatever it
    first compiles for a caller that counts no references would count none.
    """
    return _compiled(numba.njit(forceinline=False, _nrt=True, **_COMMON)(function))  # type: ignore[no-any-return]


@property  # type: ignore[misc]
def _same_everywhere(record: Any) -> tuple[str, tuple[str, ...]]:  # pragma: compiled only
    """Return what stands for a record's type in the names of compiled functions.

    Numba takes the number of the type, which depends on what a process compiled before: processes
    at work at the same moment would leave code that calls each other by different names.
    """
    digest = hashlib.blake2b(record.name.encode(), digest_size=8)
    return type(record).__name__, (digest.hexdigest(),)


numba.types.Record.mangling_args = _same_everywhere


class _SameName(Compiler):  # type: ignore[misc] # pragma: compiled only
    """Calls a function's code the same in all processes, without the number that Numba adds."""

    def _compile_bytecode(self) -> Any:
        self.state.func_id.unique_id = 0
        return super()._compile_bytecode()


def shared_kernel(function: Function) -> Function:
    """Compile a rules function whose code its callers call, once for all of them.

    Of a `kernel` each caller has a copy, which is optimised again with it: that takes most of the
    time to compile. But a copy may be inlined; so this is for large functions of a module.
    """
    if JIT_DISABLED or not is_own(function):
        return kernel(function)
    options = {"forceinline": False, "_nrt": True, "pipeline_class": _SameName}
    dispatcher = numba.njit(**options, **_COMMON)(function)  # pragma: compiled only
    return keep_code(dispatcher, CACHE_FOLDER, shared=True)  # type: ignore[no-any-return] # pragma: compiled only


class _Part(CPUDispatcher):  # type: ignore[misc] # pragma: compiled only
    """A function that is a part of others, which compile in a quarter less without its entry.

    What is called from Python, too, as replays and tests do, is compiled again, with an entry.
    """

    _whole: Any = None

    def add_overload(self, result: Any) -> None:
        self.overloads[tuple(result.signature.args)] = result

    def _compile_for_args(self, *args: Any) -> Any:
        if self._whole is None:
            options = self.targetoptions | {"no_cpython_wrapper": False}
            self._whole = _compiled(CPUDispatcher(self.py_func, targetoptions=options), ".called")
            self._entered: set[Any] = set()
        entry = self._whole._compile_for_args(*args)  # noqa: SLF001 (of its own kind)
        for kinds in self._whole.overloads.keys() - self._entered:  # From now on found at once.
            self._entered.add(kinds)
            code = [kind._code for kind in kinds]  # noqa: SLF001
            self._insert(code, self._whole.overloads[kinds].entry_point, False)
        return entry


def inline_kernel(function: Function) -> Function:
    """Compile a small rules function that is always inlined into its caller.

    It allocates nothing and counts no references to the arrays that it is given, which its caller
    holds: two calls in each turn, in the midst of loops.
    """
    if JIT_DISABLED:
        return function
    options = {"nopython": True, "forceinline": True, "_nrt": False, "no_cpython_wrapper": True}
    return _compiled(_Part(function, targetoptions=_COMMON | options))  # type: ignore[no-any-return]


def wrapping(function: Function) -> Function:
    """Let a function's sums and products of uint64 wrap round, as compiled code does.

    Goes below `kernel` or `inline_kernel`. Where nothing is compiled NumPy warns of every number
    that overflows; in random streams this is meant, anywhere else it is a fault and is to be seen.
    """
    if JIT_DISABLED:
        return np.errstate(over="ignore")(function)
    return function


def outer_kernel(function: Function) -> Function:
    """Compile a rules function as a part of its only caller, never by itself.

    Whatever a kernel calls is optimised again with it; so each level of the loops round a game,
    which hold all of it, would take seconds more.
    """
    return numba.njit(inline="always", **_COMMON)(function)  # type: ignore[no-any-return]


@contextmanager
def second_copy() -> Iterator[None]:
    """Let imports within make a second copy of our sources, not compiled, and leave the first."""

    def ours() -> dict[str, ModuleType]:
        return {
            n: module for n, module in sys.modules.items() if n.partition(".")[0] in SOURCE_ROOTS
        }

    first, off = ours(), numba.config.DISABLE_JIT
    asked = os.environ.get("NUMBA_DISABLE_JIT")
    for name in first:
        del sys.modules[name]
    numba.config.DISABLE_JIT = 1
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    try:
        yield
    finally:
        for name in ours():
            del sys.modules[name]
        sys.modules.update(first)
        numba.config.DISABLE_JIT = off
        os.environ.pop("NUMBA_DISABLE_JIT")
        if asked is not None:
            os.environ["NUMBA_DISABLE_JIT"] = asked


_box_types: dict[Any, np.dtype[Any]] = {}


def note_box(seat: np.dtype[Any], box: np.dtype[Any]) -> None:
    """Remember the BOX that goes with a SEAT, for `empty_box`."""
    _box_types[numba.from_dtype(seat)] = box


if JIT_DISABLED:

    def copy_of(record):
        """Return an array[1] with a copy of a record."""
        return np.array([record]).view(np.recarray)

    def empty_box(seat):
        """Return a BOX[1] of zeros that goes with a SEAT."""
        return np.zeros(1, _box_types[numba.from_dtype(seat.dtype)]).view(np.recarray)

    def copy_box(target, source, players):
        """Copy a BOX (`target` is modified in place)."""
        del players
        for name in source.dtype.names:
            target[name] = source[name]

    def chosen_by_record(choose):
        """Return a function that calls the one chosen for the dtype of its first argument."""
        return lambda record, *args: choose(record.dtype)(record, *args)

else:  # pragma: compiled only
    from numba.extending import overload
    from numba.np.numpy_support import as_dtype

    def copy_of(record: Any) -> Any:
        """Return an array[1] with a copy of a record; for compiled code."""

    def empty_box(seat: Any) -> Any:
        """Return a BOX[1] of zeros that goes with a SEAT; for compiled code."""

    def chosen_by_record(choose: Any) -> Any:
        """Return a function for compiled code that stands for another in each game.

        `choose` is given the dtype of the first argument, a record, and returns a compiled
        function, which is called. (To hand compiled functions round as arguments would keep Numba
        from caching what calls them.)
        """

        def stand_in(record, *args):
            return choose(record.dtype)(record, *args)

        @overload(stand_in)
        def _stand_in(record, *args):  # noqa: ARG001 (numba matches the names)
            function = choose(as_dtype(record))

            def call(record, *args):
                return function(record, *args)

            return call

        return stand_in

    @overload(copy_of)
    def _copy_of(record):
        dtype = as_dtype(record)

        def copy(record):
            array = np.empty(1, dtype)
            array[0] = record
            return array

        return copy

    @overload(empty_box)
    def _empty_box(seat):
        dtype = _box_types[seat]

        def empty(seat):  # noqa: ARG001
            return np.zeros(1, dtype)

        return empty


POLICY_FAILED = -(1 << 63)
"""What `call_policy` returns when the policy raised an exception."""

POLICY_WROTE = POLICY_FAILED + 1
"""What a guard returns when the policy changed the TABLE (see `guard`)."""

_python_policies: list[Any] = []


def policy_address(policy: Any) -> int:
    """Return the number by which `call_policy` finds a compiled policy.

    It is the address of its machine code: a kernel then calls any policy through one pointer and is
    compiled once for all line-ups, and, unlike Numba's own first-class functions in a tuple, there
    is no jump over ten cases and no tuple to copy.
    """
    if JIT_DISABLED:
        # Numbers start from 1, as 0 is `records.RANDOM`.
        _python_policies.append(policy)
        return len(_python_policies)
    result = policy.overloads[policy.signatures[0]]  # pragma: compiled only
    return int(  # pragma: compiled only
        result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
    )


if JIT_DISABLED:

    def call_policy(address, table, seat):
        """Ask the policy at `address` for a move."""
        return _python_policies[address - 1](table, seat)

else:  # pragma: compiled only
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    @intrinsic
    def copy_box(_typing: Any, target: Any, source: Any, players: Any) -> Any:  # noqa: ARG001
        """Copy a BOX but for seats from `players` on and lists of moves (`target` is modified).

        These are most of it, and of no use once moves were found.
        """
        box: Any = as_dtype(source)
        seats, first = box.fields["seats"]
        seat = seats.base
        used = seat.fields["moves"][1]
        after = first + seats.itemsize

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            to, whence, count = args

            def copy(start: Any, size: int) -> None:
                pointers = [
                    cgutils.pointer_add(builder, pointer, start) for pointer in (to, whence)
                ]
                cgutils.raw_memcpy(builder, *pointers, ir.Constant(ir.IntType(64), size), 1)

            if first:
                copy(ir.Constant(ir.IntType(64), 0), first)
            with cgutils.for_range(builder, count) as loop:
                place = builder.mul(loop.index, ir.Constant(ir.IntType(64), seat.itemsize))
                copy(builder.add(place, ir.Constant(ir.IntType(64), first)), used)
            copy(ir.Constant(ir.IntType(64), after), box.itemsize - after)
            return context.get_dummy_value()

        return types.void(target, source, types.int64), build

    @intrinsic
    def call_policy(_typing: Any, _address: Any, table: Any, seat: Any) -> Any:
        """Ask the policy at `address` for a move; `POLICY_FAILED` when it raised."""

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            address, table_value, seat_value = args
            call = context.call_conv
            function = call.get_function_type(types.int64, (table, seat)).as_pointer()
            status, move = call.call_function(
                builder,
                builder.inttoptr(address, function),
                types.int64,
                (table, seat),
                (table_value, seat_value),
            )
            return builder.select(status.is_error, ir.Constant(ir.IntType(64), POLICY_FAILED), move)

        return types.int64(types.int64, table, seat), build
