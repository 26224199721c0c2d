"""Numba's side of printed modules (`module`): words, rows of numbers, compilation.

A `Row` is the address of a state or of options: `s.phase` reads one number, `s.hand[seat]` one of
several. LLVM is told that the fields of a state are apart from each other (TBAA), and that options
never change, so that it keeps in registers what a step reads and writes. Words are Numba's
intrinsics; most are one instruction.

`machine` runs this file in a process of its own: importing Numba takes a second, its compiler
holds a lock, and the options of LLVM hold for a whole process.
"""

from __future__ import annotations

import builtins
import itertools
import operator
import os
import pickle
import platform
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import cfunc, njit, types
from numba.core import cgutils
from numba.core.imputils import lower_constant
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    make_concrete_template,
    signature,
)
from numba.extending import (
    intrinsic,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    typeof_impl,
)

N, F, B = types.int64, types.float64, types.boolean
I64, I1, DOUBLE = ir.IntType(64), ir.IntType(1), ir.DoubleType()

# ------------------------------------------------------------------------------------------- rows


def tag(builder: Any, instruction: Any, name: str) -> Any:
    """Tell LLVM (by TBAA metadata) that accesses with different tags never alias."""
    module = builder.module
    node = module.add_metadata([name, module.add_metadata(["cardlab"]), I64(0)])
    instruction.set_metadata("tbaa", module.add_metadata([node, node, I64(0)]))
    return instruction


class Row(types.Type):  # type: ignore[misc]
    """The address of a state, or of options.

    Parameters
    ----------
    name : str
        Unique.
    places : dict
        By the names of fields, where each begins and how many numbers it has.
    players : int
        Of options: the most players that there may be. 0: this is a state.
    """

    def __init__(self, name: str, places: Mapping[str, tuple[int, int]], players: int = 0) -> None:
        self.places, self.players = places, players
        super().__init__(name)

    def mark(self, builder: Any, instruction: Any, field: str) -> Any:
        """Tell LLVM what a load or a store can alias; loads of options are invariant."""
        if not self.players:
            return tag(builder, instruction, field)
        module = builder.module
        instruction.set_metadata("invariant.load", module.add_metadata([]))
        if field == "players":
            ends = [I64(1), I64(self.players + 1)]
            instruction.set_metadata("range", module.add_metadata(ends))
        return instruction


class Column(types.Type):  # type: ignore[misc]
    """The numbers of one field."""

    dtype = N

    def __init__(self, row: Row, field: str) -> None:
        self.row, self.field = row, field
        super().__init__(f"{row.name}.{field}")

    def mark(self, builder: Any, instruction: Any) -> Any:
        return self.row.mark(builder, instruction, self.field)


class Numbers(types.Type):  # type: ignore[misc]
    """Numba's type of a pointer to integers or floats: a constant table or a result buffer."""

    def __init__(self, dtype: types.Type) -> None:
        self.dtype = dtype
        super().__init__(f"Numbers({dtype})")

    def mark(self, builder: Any, instruction: Any) -> Any:
        return tag(builder, instruction, str(self))


@register_model(Row)
@register_model(Column)
@register_model(Numbers)
class _Pointer(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm: Any, fe_type: Any) -> None:
        kind = DOUBLE if getattr(fe_type, "dtype", N) == F else I64
        super().__init__(dmm, fe_type, kind.as_pointer())


Words, Reals = Numbers(N), Numbers(F)


class Table(tuple):  # type: ignore[type-arg]
    """Constant numbers."""

    __slots__ = ()


table = Table
typeof_impl.register(Table)(lambda value, c: Words)


@lower_constant(Numbers)
def _table(context: Any, builder: Any, of: Any, value: Table) -> Any:
    kind = ir.ArrayType(I64, len(value))
    data = cgutils.global_constant(builder, ".table", ir.Constant(kind, list(value)))
    data.align = 64
    return builder.bitcast(data, I64.as_pointer())


@infer_getattr
class _Attributes(AttributeTemplate):  # type: ignore[misc]
    key = Row

    def generic_resolve(self, row: Row, field: str) -> Any:
        if field in row.places:
            return N if row.places[field][1] == 1 else Column(row, field)
        return None


@infer_global(operator.getitem)
class _GetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        of = args[0]
        return signature(of.dtype, of, N) if isinstance(of, Column | Numbers) else None


@infer_global(operator.setitem)
class _SetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        of = args[0]
        is_ours = isinstance(of, Column | Numbers)
        return signature(types.none, of, N, of.dtype) if is_ours else None


def _at(builder: Any, start: Any, index: Any) -> Any:
    index = I64(index) if isinstance(index, int) else index
    return builder.gep(start, [index], inbounds=True)


@lower_getattr_generic(Row)
def _read(context: Any, builder: Any, row: Row, start: Any, field: str) -> Any:
    at, count = row.places[field]
    where = _at(builder, start, at)
    return where if count > 1 else row.mark(builder, builder.load(where, align=8), field)


@lower_setattr_generic(Row)
def _write(context: Any, builder: Any, sig: Any, args: Any, field: str) -> None:
    row = sig.args[0]
    where = _at(builder, args[0], row.places[field][0])
    row.mark(builder, builder.store(args[1], where, align=8), field)


@lower_builtin(operator.getitem, Column, N)
@lower_builtin(operator.getitem, Numbers, N)
def _get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return sig.args[0].mark(builder, builder.load(_at(builder, *args), align=8))


@lower_builtin(operator.setitem, Column, N, N)
@lower_builtin(operator.setitem, Numbers, N, N)
@lower_builtin(operator.setitem, Numbers, N, F)
def _set(context: Any, builder: Any, sig: Any, args: Any) -> None:
    sig.args[0].mark(builder, builder.store(args[2], _at(builder, *args[:2]), align=8))


_numbers = itertools.count()


def rows(
    state: Mapping[str, tuple[int, int]], options: Mapping[str, tuple[int, int]], players: int
) -> tuple[Row, Row]:
    """Return the types of a module's state and options.

    Parameters
    ----------
    state, options : dict
        By name, where each begins and how many numbers it has.
    players : int
        The most there may be.
    """
    unique = next(_numbers)
    return Row(f"State{unique}", state), Row(f"Options{unique}", options, players)


# ------------------------------------------------------------------------------------------ words


def has_feature(name: str) -> bool:
    """Tell whether the processor to compile for is an x86 one with a feature, by LLVM's name."""
    features = os.environ.get("NUMBA_CPU_FEATURES", "")
    return platform.machine() in ("x86_64", "AMD64") and f"+{name}" in features.split(",")


def call(builder: Any, name: str, result: Any, *args: Any) -> Any:
    """Call a function of LLVM."""
    kind = ir.FunctionType(result, [arg.type for arg in args])
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    return builder.call(function, args)


def word(sig: Any, write: Callable[..., Any]) -> Any:
    """Make a word of its types and of what writes it in LLVM's language."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        value = write(builder, *args)
        return context.get_dummy_value() if value is None else value

    params = ", ".join(f"x{place}" for place in range(len(sig.args)))
    space = {"sig": sig, "lower": lower}
    text = f"def word(context, {params}):\n    return sig, lower"
    exec(text, space)  # noqa: S102 (Numba wants a parameter for each argument)
    return intrinsic(space["word"])


def _below_bit(b, x, y):
    """Return the lowest `y` bits of a word, with `y` clamped to 0..64."""
    y = call(b, "llvm.smax.i64", I64, y, I64(0))
    if has_feature("bmi2"):
        y = call(b, "llvm.smin.i64", I64, y, I64(64))
        return call(b, "llvm.x86.bmi.bzhi.64", I64, x, y)
    part = b.icmp_unsigned("<", y, I64(64))
    above = b.select(part, b.shl(I64(-1), y), I64(0))
    return b.and_(x, b.not_(above))


def _has_bit(b, x, y):
    inside = b.icmp_unsigned("<", y, I64(64))
    bit = b.and_(b.lshr(x, b.and_(y, I64(63))), I64(1))
    return b.select(inside, bit, I64(0))


def _divided(b, x, y):
    """Return the quotient, rounded down, and the remainder; divisor 0 is treated as 1."""
    if not (isinstance(y, ir.Constant) and y.constant):
        y = b.select(b.icmp_signed("==", y, I64(0)), I64(1), y)
    quotient = b.sdiv(x, y)
    rest = b.sub(x, b.mul(quotient, y))
    differ = b.icmp_signed("<", b.xor(rest, y), I64(0))
    lower = b.and_(differ, b.icmp_signed("!=", rest, I64(0)))
    down = b.add(quotient, b.sext(lower, I64))
    return down, b.add(rest, b.select(lower, y, I64(0)))


def _put(bits: int) -> Callable[..., None]:
    """Return a function that writes a number of `bits` bits into a column."""

    def put(builder, column, index, value):
        kind = ir.IntType(bits)
        where = builder.gep(builder.inttoptr(column, kind.as_pointer()), [index])
        tag(builder, builder.store(builder.trunc(value, kind), where), "a column")

    return put


def _seldom(b):
    """Mark the LLVM function being built as cold, and never inline it."""
    b.function.attributes.add("noinline")
    b.function.attributes.add("cold")


popcount = word(N(N), lambda b, x: call(b, "llvm.ctpop.i64", I64, x))
lowest_bit = word(N(N), lambda b, x: call(b, "llvm.cttz.i64", I64, x, I1(1)))
highest_bit = word(N(N), lambda b, x: b.sub(I64(63), call(b, "llvm.ctlz.i64", I64, x, I1(1))))
bit_of = word(N(N), lambda b, x: b.shl(I64(1), b.and_(x, I64(63))))
cleared = word(N(N), lambda b, x: b.and_(x, b.add(x, I64(-1))))
whole = word(N(N), lambda b, x: x)
shr = word(N(N, N), lambda b, x, y: b.lshr(x, y))
wadd = word(N(N, N), lambda b, x, y: b.add(x, y))
wmul = word(N(N, N), lambda b, x, y: b.mul(x, y))
rotl = word(N(N, N), lambda b, x, y: call(b, "llvm.fshl.i64", I64, x, x, y))
has_bit = word(N(N, N), _has_bit)
below_bit = word(N(N, N), _below_bit)
divided_by = word(N(N, N), lambda b, x, y: _divided(b, x, y)[0])
modulo = word(N(N, N), lambda b, x, y: _divided(b, x, y)[1])
real = word(F(N), lambda b, x: b.sitofp(x, DOUBLE))
cut = word(N(F), lambda b, x: b.fptosi(x, I64))
as_real = word(F(N), lambda b, x: b.bitcast(x, DOUBLE))
exp = word(F(F), lambda b, x: call(b, "llvm.exp.f64", DOUBLE, x))
sqrt = word(F(F), lambda b, x: call(b, "llvm.sqrt.f64", DOUBLE, x))
rarely = word(B(B), lambda b, x: call(b, "llvm.expect.i1", I1, x, I1(0)))
put_byte = word(types.none(N, N, N), _put(8))
put_half = word(types.none(N, N, N), _put(16))
put_short = word(types.none(N, N, N), _put(32))
seldom = word(types.none(), _seldom)

if has_feature("bmi2"):

    def _nth_bit(b, x, index):
        bit = call(b, "llvm.x86.bmi.pdep.64", I64, b.shl(I64(1), index), x)
        return call(b, "llvm.cttz.i64", I64, bit, I1(1))

    deposit = word(N(N, N), lambda b, x, mask: call(b, "llvm.x86.bmi.pdep.64", I64, x, mask))
    extract = word(N(N, N), lambda b, x, mask: call(b, "llvm.x86.bmi.pext.64", I64, x, mask))
    nth_bit = word(N(N, N), _nth_bit)

else:

    def deposit(pattern: int, mask: int) -> int:
        chosen = 0
        while pattern != 0 and mask != 0:
            if (pattern & 1) != 0:
                chosen = chosen | (mask & (0 - mask))
            mask = cleared(mask)
            pattern = shr(pattern, 1)
        return chosen

    def extract(chosen: int, mask: int) -> int:
        pattern = 0
        place = 0
        while mask != 0:
            if (chosen & mask & (0 - mask)) != 0:
                pattern = pattern | (1 << place)
            mask = cleared(mask)
            place = place + 1
        return pattern

    def nth_bit(word: int, index: int) -> int:
        return lowest_bit(deposit(1 << index, word))


def _extreme(whole_word: str, sign: str) -> Any:
    @intrinsic
    def extreme(typingctx, a, b):
        kind = F if F in (a, b) else N

        def lower(context, builder, sig, args):
            if kind == F:
                return builder.select(builder.fcmp_ordered(sign, *args), *args)
            return call(builder, whole_word, I64, *args)

        return kind(kind, kind), lower

    return extreme


max = _extreme("llvm.smax.i64", ">")
min = _extreme("llvm.smin.i64", "<")


# -- of rows


@intrinsic
def option(typingctx, o, index):
    """Return an option by its place."""

    def lower(context, builder, sig, args):
        return o.mark(builder, builder.load(_at(builder, *args), align=8), "")

    return N(o, N), lower


@intrinsic
def number_at(typingctx, s, index):
    """Return any number of a state by its place."""
    return N(s, N), lambda context, builder, sig, args: builder.load(_at(builder, *args), align=8)


@intrinsic
def ask_at(typingctx, *args):
    """Call a policy by its address: (address, s, o, numbers …)."""
    kinds = [N, args[1], args[2], *[N] * (len(args) - 3)]

    def lower(context, builder, sig, args):
        address, *given = cgutils.unpack_tuple(builder, args[0])
        kind = ir.FunctionType(I64, [arg.type for arg in given])
        return builder.call(builder.inttoptr(address, kind.as_pointer()), given)

    return N(types.StarArgTuple(kinds)), lower


def _memory(builder, name, row, source, size):
    byte = ir.IntType(8)
    args = [builder.bitcast(row, byte.as_pointer()), source, size, I1(0)]
    call(builder, name, ir.VoidType(), *args)


@intrinsic
def clear(typingctx, s, count):
    """Set the first `count` numbers of a state to 0."""

    def lower(context, builder, sig, args):
        size, zero = builder.shl(args[1], I64(3)), ir.IntType(8)(0)
        _memory(builder, "llvm.memset.p0.i64", args[0], zero, size)
        return context.get_dummy_value()

    return types.none(s, N), lower


@intrinsic
def copy_state(typingctx, target, source, count):
    """Copy so many numbers of a state."""

    def lower(context, builder, sig, args):
        size = builder.shl(args[2], I64(3))
        other = builder.bitcast(args[1], ir.IntType(8).as_pointer())
        _memory(builder, "llvm.memcpy.p0.p0.i64", args[0], other, size)
        return context.get_dummy_value()

    return types.none(target, source, N), lower


def _size(row: Row) -> int:
    return builtins.max(at + count for at, count in row.places.values())


@intrinsic
def state_after(typingctx, s, count):
    """Return the address of the state `count` states after `s` in memory."""

    def lower(context, builder, sig, args):
        return builder.gep(args[0], [builder.mul(args[1], I64(_size(s)))])

    return s(s, N), lower


def _behind(of: Numbers) -> Any:
    @intrinsic
    def behind(typingctx, s, count):
        def lower(context, builder, sig, args):
            where = builder.gep(args[0], [args[1]])
            return builder.bitcast(where, context.get_value_type(of))

        return of(s, N), lower

    return behind


words_at, reals_at = _behind(Words), _behind(Reals)


# --------------------------------------------------------------------------------------- compiling

LLVM_OPTIONS = (
    "-phi-node-folding-threshold=8",
    "-two-entry-phi-node-folding-threshold=12",
    "-disable-cgp-select2branch",
    "-disable-select-optimize",
    "-x86-cmov-converter=0",
    "-sink-common-insts=0",
    "-unroll-runtime=false",
    "-unroll-allow-partial=false",
)
"""LLVM shall do short things in any case, rather than branch by what no processor can guess.

It shall not make one store to either of two places of two stores: what is read from there next it
would no longer know. And of loops it shall unroll those only that it does away with, or of which
the first turn is another than the rest.
"""

_TYPES = {int: N, "int": N, float: F, bool: B, None: types.none}
_OPTIONS = {"error_model": "numpy", "boundscheck": False, "_nrt": False}


def object_of(text: str, path: str, name: str) -> bytes:
    """Return the machine code of a printed module; its `entry` is called `name` there.

    Parameters
    ----------
    text : str
    path : str
        Where it may be read, for those who debug.
    """
    space: dict[str, Any] = {}
    exec(compile(text, path, "exec", dont_inherit=True), space)  # noqa: S102
    soft = [bits for bits in (deposit, extract, nth_bit) if isinstance(bits, FunctionType)]
    functions = [
        function
        for function in space.values()
        if isinstance(function, FunctionType) and function.__code__.co_filename == path
    ]
    try:
        code, symbol = _together([*soft, *functions], name)
    except (AttributeError, ImportError, TypeError):  # of a Numba that is otherwise inside
        code, symbol = _one_by_one([*soft, *functions])
    return _optimised(code, symbol, name)


def _signature(function: FunctionType) -> Any:
    """Return a function's types, as its annotations tell them."""
    notes = dict(function.__annotations__)
    result = notes.pop("return")
    several = getattr(result, "__args__", None)
    kind = types.Tuple([_TYPES[note] for note in several]) if several else _TYPES[result]
    return kind(*(_TYPES.get(note, note) for note in notes.values()))


def _together(functions: Sequence[FunctionType], name: str) -> tuple[str, str]:
    """Return the code of functions in LLVM's language, and the symbol of the last one.

    By Numba's public interface each function is optimised and linked by itself, with all that it
    calls: that takes twice as long (`_one_by_one`).
    """
    from numba.core import compiler
    from numba.core.codegen import JITCodeLibrary
    from numba.core.registry import cpu_target

    class Library(JITCodeLibrary):  # type: ignore[misc]
        """All functions of a module, which are optimised once, by `_optimised`."""

        def _optimize_functions(self, ll_module: Any) -> None:
            ll_module.data_layout = self._codegen._data_layout

    typing, target = cpu_target.typing_context, cpu_target.target_context
    typing.refresh()
    target.refresh()
    library = Library(target.codegen(), name)
    for function in functions:
        sig, is_entry = _signature(function), function is functions[-1]
        flags = compiler.Flags()
        flags.no_cpython_wrapper, flags.no_cfunc_wrapper = True, not is_entry
        flags.no_compile, flags.error_model, flags.nrt = True, "numpy", False
        flags.forceinline = "seldom" not in function.__code__.co_names
        made = compiler.compile_extra(
            typing, target, function, sig.args, sig.return_type, flags, {}, library
        )
        target.insert_user_function(function, made.fndesc, [])
        template = make_concrete_template(function.__name__, function, [sig])
        typing.insert_global(function, types.Function(template))
    return str(library._final_module), made.fndesc.llvm_cfunc_wrapper_name


def _one_by_one(functions: Sequence[FunctionType]) -> tuple[str, str]:
    """Do the same by Numba's public interface."""
    for function in functions[:-1]:
        inline = "seldom" not in function.__code__.co_names
        make = njit(
            _signature(function),
            forceinline=inline,
            no_cpython_wrapper=True,
            no_cfunc_wrapper=True,
            **_OPTIONS,
        )
        functions[-1].__globals__[function.__name__] = make(function)
    entry = cfunc(_signature(functions[-1]), **_OPTIONS)(functions[-1])
    return entry.inspect_llvm(), entry.native_name


def _optimised(code: str, symbol: str, name: str) -> bytes:
    """Return the machine code of an LLVM module that exports only `symbol`, as `name`."""
    module = llvm.parse_assembly(code)
    for part in (*module.functions, *module.global_variables):
        if not part.is_declaration and part.name != symbol:
            part.linkage = "internal"
    module.get_function(symbol).name = name
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=os.environ["NUMBA_CPU_NAME"],
        features=os.environ["NUMBA_CPU_FEATURES"],
        opt=3,
        reloc="static" if module.triple.startswith("x86_64") else "default",
        codemodel="jitdefault",
        jit=True,
    )
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    if _strange(module):
        # In large modules it is seen too late that no function returns an error, and what tells
        # of errors is still there.
        tuning.speed_level = 1
        again = llvm.create_pass_builder(machine, tuning)
        again.getModulePassManager().run(module, again)
    strange = _strange(module)
    assert not strange, f"{name} needs {', '.join(sorted(strange))}"
    return bytes(machine.emit_object(module))


def _strange(module: Any) -> set[str]:
    """Return the names of the external functions that a module calls, except LLVM intrinsics."""
    needed = {function.name for function in module.functions if function.is_declaration}
    return {name for name in needed if not name.startswith("llvm.")}


def serve() -> None:
    """Compile what the standard input asks for, one module after another, until it ends."""
    for option in LLVM_OPTIONS:
        llvm.set_option("cardlab", option)
    read, write = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    while True:
        try:
            text, path, name = pickle.load(read)  # noqa: S301 (from the process that started this one)
        except EOFError:
            return
        answer: Any
        try:
            answer = object_of(text, path, name)
        except Exception:  # noqa: BLE001 (told to who asks)
            answer = traceback.format_exc()
        pickle.dump(answer, write)
        write.flush()
