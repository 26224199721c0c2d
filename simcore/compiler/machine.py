"""The words that compiled rules are made of, for one number and for vectors of them.

Rows of the state are flat arrays of int64, `L` numbers for each field; nothing is checked here and
no index counts from the end. Nothing here knows a game.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic

from simcore import jit as _jit
from simcore.bits import deposit as _deposit
from simcore.bits import extract, highest_bit, lowest_bit, popcount  # noqa: F401 (kernels' words)
from simcore.bits import nth_bit as _nth_bit
from simcore.vectors import (
    Vector,
    _in_all_lanes,
    _vector_of,
    choose,
    floored,
    largest,  # noqa: F401 (the same)
    some,
)
from simcore.wide import by_width, nth_in_each

GATHER_FROM = 8
"""Rows from which on one of them is gathered, not chosen among."""

WORD, I1, I32, REAL = ir.IntType(64), ir.IntType(1), ir.IntType(32), ir.DoubleType()


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code that is only linked into other code: not optimised by itself, and never run."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _PartCompiler(Compiler):  # type: ignore[misc]
    """Makes code that is never entered but from other code, which makes it run."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.state.flags.no_compile = True
        self.state.library = _PartLibrary(self.state.targetctx.codegen(), "part")


class _Part(CPUDispatcher):  # type: ignore[misc]
    """A function that is a part of others."""

    def add_overload(self, result: Any) -> None:
        key = object()  # by which callers find the code, as it has no address
        self.targetctx.insert_user_function(key, result.fndesc, [result.library])
        self.overloads[tuple(result.signature.args)] = result._replace(entry_point=key)


_PART = {
    "nopython": True,
    "error_model": "numpy",
    "nogil": True,
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def inline(function: Any) -> Any:
    """Compile a function into its callers."""
    options = _PART | {"forceinline": True}
    return _Part(function, targetoptions=options, pipeline_class=_PartCompiler)


def part(function: Any) -> Any:
    """Compile a function that its callers call."""
    options = _PART | {"forceinline": False}
    return _Part(function, targetoptions=options, pipeline_class=_PartCompiler)


def _pointer(context: Any, builder: Any, kind: Any, rows: Any, index: Any) -> Any:
    """Return the place of a number of an array, or of what begins at an address."""
    if isinstance(kind, types.Integer):
        return builder.gep(builder.inttoptr(rows, WORD.as_pointer()), [index])
    array = context.make_array(kind)(context, builder, rows)
    return builder.gep(array.data, [index])


# -------------------------------------------------------------------- numbers of a flat array


@intrinsic
def load(_t: Any, rows: Any, index: Any) -> Any:
    """Load a number of the state."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        index64 = context.cast(builder, args[1], sig.args[1], types.int64)
        return builder.load(_pointer(context, builder, rows, args[0], index64))

    return types.int64(rows, index), build


@intrinsic
def fixed(_t: Any, numbers: Any, index: Any) -> Any:
    """Load a number that nobody changes meanwhile, as the compiler is told."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        index64 = context.cast(builder, args[1], sig.args[1], types.int64)
        got = builder.load(_pointer(context, builder, numbers, args[0], index64))
        got.set_metadata("invariant.load", builder.module.add_metadata([]))
        return got

    return types.int64(numbers, index), build


@intrinsic
def store(_t: Any, rows: Any, index: Any, value: Any) -> Any:
    """Store a number of the state."""

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        index64 = context.cast(builder, args[1], sig.args[1], types.int64)
        number = context.cast(builder, args[2], sig.args[2], types.int64)
        builder.store(number, _pointer(context, builder, rows, args[0], index64))
        return context.get_dummy_value()

    return types.void(rows, index, value), build


# ------------------------------------------------------- operators, of numbers and of vectors


def _lanes_of(*kinds: Any) -> int:
    return max(kind.lanes if isinstance(kind, Vector) else 0 for kind in kinds)


def _binary(make: Any) -> Any:
    """Return the word that makes an int64 of two, in each lane."""

    @intrinsic
    def function(_t: Any, one: Any, other: Any) -> Any:
        lanes = _lanes_of(one, other)
        kind = Vector(types.int64, lanes) if lanes else types.int64

        def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            a, b = (
                _vector_of(context, builder, arg, k, types.int64, lanes)
                if lanes
                else context.cast(builder, arg, k, types.int64)
                for arg, k in zip(args, sig.args, strict=True)
            )
            return make(builder, a, b)

        return kind(one, other), build

    return function


def _constant(like: Any, number: int) -> Any:
    count = getattr(like.type, "count", 0)
    return ir.Constant(like.type, [number] * count if count else number)


shr = _binary(lambda builder, a, b: builder.lshr(a, b))
wadd = _binary(lambda builder, a, b: builder.add(a, b))
wmul = _binary(lambda builder, a, b: builder.mul(a, b))


def _has_bit(builder: Any, word: Any, place: Any) -> Any:
    inside = builder.icmp_unsigned("<", place, _constant(place, 64))
    shifted = builder.lshr(word, builder.and_(place, _constant(place, 63)))
    bit = builder.and_(shifted, _constant(place, 1))
    return builder.select(inside, bit, _constant(place, 0))


def _divided(builder: Any, a: Any, b: Any) -> tuple[Any, Any]:
    zero, one = _constant(b, 0), _constant(b, 1)
    b = builder.select(builder.icmp_signed("==", b, zero), one, b)
    quotient = builder.sdiv(a, b)
    rest = builder.sub(a, builder.mul(quotient, b))
    apart = builder.icmp_signed("<", builder.xor(rest, b), zero)
    down = builder.and_(apart, builder.icmp_signed("!=", rest, zero))
    return (
        builder.select(down, builder.sub(quotient, one), quotient),
        builder.select(down, builder.add(rest, b), rest),
    )


has_bit = _binary(_has_bit)
_divided_whole = _binary(lambda builder, a, b: _divided(builder, a, b)[0])
_modulo_whole = _binary(lambda builder, a, b: _divided(builder, a, b)[1])


def _unary(part: Any, make: Any, wanted: Any = None) -> Any:
    """Return the word that makes a `part` of a number, in each lane."""

    @intrinsic
    def function(_t: Any, number: Any) -> Any:
        lanes = _lanes_of(number)
        kind = Vector(part, lanes) if lanes else part

        def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            value = args[0]
            if not lanes and wanted is not None:
                value = context.cast(builder, value, number, wanted)
            return make(builder, value, context.get_value_type(kind))

        return kind(number), build

    return function


def _to_whole(builder: Any, value: Any, kind: Any) -> Any:
    return value if value.type == kind else builder.zext(value, kind)


real = _unary(types.float64, lambda builder, v, kind: builder.sitofp(v, kind), types.int64)
cut = _unary(types.int64, lambda builder, v, kind: builder.fptosi(v, kind), types.float64)
as_real = _unary(types.float64, lambda builder, v, kind: builder.bitcast(v, kind), types.int64)
whole = _unary(types.int64, _to_whole)
bit_of = _unary(
    types.int64,
    lambda builder, v, kind: builder.shl(_constant(v, 1), builder.and_(v, _constant(v, 63))),
    types.int64,
)
cleared = _unary(
    types.int64,
    lambda builder, v, kind: builder.and_(v, builder.sub(v, _constant(v, 1))),
    types.int64,
)


@inline
def rotl(word, places):
    """Rotate words to the left."""
    return (word << places) | shr(word, 64 - places)


@inline
def _divided_each(one, other):
    """Divide vectors, which processors cannot, as floats where those are exact."""
    if some((one >> 52) != (one >> 63)) or some((other >> 52) != (other >> 63)):
        return _divided_whole(one, other)
    divisor = choose(other == 0, 1, other)
    return cut(floored(real(one) / real(divisor)))


@inline
def _modulo_each(one, other):
    divisor = choose(other == 0, 1, other)
    return one - _divided_each(one, divisor) * divisor


divided_by = by_width(_divided_whole, _divided_each)
modulo = by_width(_modulo_whole, _modulo_each)


@inline
def _deposit_each(pattern, word):
    """For patterns of up to twelve bits."""
    chosen = word & 0
    for number in range(12):
        bit = word & (0 - word)
        word = word ^ bit
        chosen = chosen | ((0 - ((pattern >> number) & 1)) & bit)
    return chosen


deposit = by_width(_deposit, _deposit_each)
nth_bit = by_width(_nth_bit, nth_in_each)


# ---- lanes ------------------------------------------------------------------------------------
def words_for(L: int) -> dict[str, Any]:
    """Return the words that code for L lanes is made of."""
    VEC, MASK = Vector(types.int64, L), Vector(types.boolean, L)
    vec, mask_t = ir.VectorType(WORD, L), ir.VectorType(I1, L)

    def rowptr(context, builder, kind, rows, row):
        """The place of row `row`, of L numbers each."""
        at = _pointer(context, builder, kind, rows, builder.mul(row, ir.Constant(WORD, L)))
        return builder.bitcast(at, vec.as_pointer())

    def frozen(builder, value):
        made = ir.Instruction(builder.block, value.type, "freeze", [value], "held")
        builder._insert(made)  # noqa: SLF001
        return made

    def blend(builder, mask, new, place):
        """Store where the mask is set; not by a store with a mask, for which readers wait."""
        old = frozen(builder, builder.load(place, align=64))
        builder.store(builder.select(mask, new, old), place, align=64)

    @intrinsic
    def wide(_t, value):
        """Make a vector of a number; vectors stay what they are."""
        if isinstance(value, Vector):
            return value(value), lambda c, b, s, a: a[0]
        part: Any = types.boolean if isinstance(value, types.Boolean) else types.int64
        part = types.float64 if isinstance(value, types.Float) else part

        def build(context, builder, sig, args):
            return _vector_of(context, builder, args[0], value, part, L)

        return Vector(part, L)(value), build

    @intrinsic
    def truth(_t, value):
        """Whether numbers are not 0."""
        if isinstance(value, types.Boolean) or (
            isinstance(value, Vector) and value.part == types.boolean
        ):
            return value(value), lambda c, b, s, a: a[0]
        kind = MASK if isinstance(value, Vector) else types.boolean

        def build(context, builder, sig, args):
            return builder.icmp_signed("!=", args[0], ir.Constant(args[0].type, None))

        return kind(value), build

    @intrinsic
    def vload(_t, rows, row):
        def build(context, builder, sig, args):
            r = context.cast(builder, args[1], sig.args[1], types.int64)
            return builder.load(rowptr(context, builder, rows, args[0], r), align=64)

        return VEC(rows, row), build

    @intrinsic
    def vstore(_t, rows, row, value, mask):
        def build(context, builder, sig, args):
            r = context.cast(builder, args[1], sig.args[1], types.int64)
            new = _vector_of(context, builder, args[2], value, types.int64, L)
            blend(builder, args[3], new, rowptr(context, builder, rows, args[0], r))
            return context.get_dummy_value()

        return types.void(rows, row, value, mask), build

    def places_of(context, builder, kind, rows, first, index):
        """The addresses of the numbers at rows `first + index`, in each lane its own."""
        start = builder.ptrtoint(
            _pointer(context, builder, kind, rows, builder.mul(first, ir.Constant(WORD, L))), WORD
        )
        row = builder.shl(index, ir.Constant(vec, [3 + L.bit_length() - 1] * L))
        at = builder.add(row, ir.Constant(vec, [8 * lane for lane in range(L)]))
        return builder.inttoptr(
            builder.add(_in_all_lanes(builder, start, L), at), ir.VectorType(ir.PointerType(), L)
        )

    def known(builder, name, result, kinds):
        return builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(result, kinds), name
        )

    where_t = ir.VectorType(ir.PointerType(), L)

    def is_index(builder, index, i):
        return builder.icmp_signed("==", index, ir.Constant(vec, [i] * L))

    @intrinsic(prefer_literal=True)
    def vpick(_t, rows, first, count, index):
        """One of `count` (a constant) rows from `first` on, in each lane the one at `index`."""
        n = count.literal_value

        def build(context, builder, sig, args):
            f = context.cast(builder, args[1], sig.args[1], types.int64)
            if n >= GATHER_FROM:
                gather = known(
                    builder, f"llvm.masked.gather.v{L}i64.v{L}p0", vec, [where_t, I32, mask_t, vec]
                )
                inside = builder.icmp_unsigned("<", args[3], ir.Constant(vec, [n] * L))
                places = places_of(context, builder, rows, args[0], f, args[3])
                return builder.call(gather, [places, I32(8), inside, ir.Constant(vec, None)])
            got = None
            for i in range(n):
                r = builder.add(f, ir.Constant(WORD, i))
                one = builder.load(rowptr(context, builder, rows, args[0], r), align=64)
                got = (
                    one if got is None else builder.select(is_index(builder, args[3], i), one, got)
                )
            return got

        return VEC(rows, first, count, index), build

    @intrinsic(prefer_literal=True)
    def vput(_t, rows, first, count, index, value, mask):
        n = count.literal_value

        def build(context, builder, sig, args):
            f = context.cast(builder, args[1], sig.args[1], types.int64)
            new = _vector_of(context, builder, args[4], value, types.int64, L)
            if n >= GATHER_FROM:
                scatter = known(
                    builder,
                    f"llvm.masked.scatter.v{L}i64.v{L}p0",
                    ir.VoidType(),
                    [vec, where_t, I32, mask_t],
                )
                builder.call(
                    scatter,
                    [new, places_of(context, builder, rows, args[0], f, args[3]), I32(8), args[5]],
                )
                return context.get_dummy_value()
            for i in range(n):
                r = builder.add(f, ir.Constant(WORD, i))
                here = builder.and_(args[5], is_index(builder, args[3], i))
                blend(builder, here, new, rowptr(context, builder, rows, args[0], r))
            return context.get_dummy_value()

        return types.void(rows, first, count, index, value, mask), build

    @intrinsic(prefer_literal=True)
    def vtable(_t, numbers, first, count, index, mask):
        """Look up a table that all lanes share; one of at most 16 numbers in registers."""
        n = count.literal_value

        def build(context, builder, sig, args):
            f = context.cast(builder, args[1], sig.args[1], types.int64)
            data = _pointer(context, builder, numbers, args[0], f)
            if n <= 16 and _jit.HAS_AVX512:
                eight = ir.VectorType(WORD, 8)
                fn = builder.module.globals.get("llvm.x86.avx512.vpermi2var.q.512") or ir.Function(
                    builder.module,
                    ir.FunctionType(eight, [eight] * 3),
                    "llvm.x86.avx512.vpermi2var.q.512",
                )
                low = builder.load(builder.bitcast(data, eight.as_pointer()), align=8)
                high = low
                if n > 8:
                    high = builder.load(
                        builder.bitcast(builder.gep(data, [WORD(8)]), eight.as_pointer()), align=8
                    )
                parts = []
                for k in range(0, L, 8):
                    order = ir.Constant(ir.VectorType(I32, 8), list(range(k, k + 8)))
                    part = builder.shuffle_vector(args[3], args[3], order)
                    parts.append(builder.call(fn, [low, part, high]))
                if L == 8:
                    return parts[0]
                return builder.shuffle_vector(
                    *parts, ir.Constant(ir.VectorType(I32, 16), list(range(16)))
                )
            where = ir.VectorType(ir.PointerType(), L)
            start = _in_all_lanes(builder, builder.ptrtoint(data, WORD), L)
            eights = builder.shl(args[3], ir.Constant(vec, [3] * L))
            pointers = builder.inttoptr(builder.add(start, eights), where)
            name = f"llvm.masked.gather.v{L}i64.v{L}p0"
            gather = builder.module.globals.get(name) or ir.Function(
                builder.module, ir.FunctionType(vec, [where, I32, mask_t, vec]), name
            )
            return builder.call(gather, [pointers, I32(8), args[4], ir.Constant(vec, None)])

        return VEC(numbers, first, count, index, mask), build

    @intrinsic
    def bits_of(_t, mask):
        def build(context, builder, sig, args):
            return builder.zext(builder.bitcast(args[0], ir.IntType(L)), WORD)

        return types.int64(mask), build

    @intrinsic
    def mask_of(_t, bits):
        """The mask of which these are the bits."""

        def build(context, builder, sig, args):
            return builder.bitcast(builder.trunc(args[0], ir.IntType(L)), mask_t)

        return MASK(bits), build

    @intrinsic
    def lane_of(_t, value, lane):
        if not isinstance(value, Vector):
            return value(value, lane), lambda c, b, s, a: a[0]

        def build(context, builder, sig, args):
            return builder.extract_element(args[0], args[1])

        return value.part(value, lane), build

    @intrinsic
    def with_lane(_t, value, lane, number):
        def build(context, builder, sig, args):
            part = value.part
            one = context.cast(builder, args[2], number, part)
            if part == types.boolean and one.type.width > 1:
                one = builder.trunc(one, I1)
            return builder.insert_element(args[0], one, args[1])

        return value(value, lane, number), build

    return {
        k: v
        for k, v in locals().items()
        if k
        in (
            "wide",
            "truth",
            "vload",
            "vstore",
            "vpick",
            "vput",
            "vtable",
            "bits_of",
            "mask_of",
            "lane_of",
            "with_lane",
            "L",
        )
    }
