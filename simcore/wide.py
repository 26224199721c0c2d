"""Sixteen numbers abreast, and words that one source needs for a single number and for vectors.

Where each step waits for the one before, two registers taken in turns take no longer than one. So
there are vectors of sixteen, which the compiler puts into two; all that `vectors` says holds for
them. What is one instruction for a single number, but not for vectors, has a word here that serves
both; or two functions, of which `by_width` takes the one that is meant.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.bits import nth_bit, popcount
from simcore.jit import JIT_DISABLED, has_feature, inline_kernel
from simcore.vectors import choose, may_need

EIGHT, SIXTEEN = 8, 16

PART_BITS = 52
"""So many bits of two numbers are multiplied at once; see `upper_part`."""

_QUARTERS = sum(1 << place for place in range(0, 64, 16))
_BITS = 20
_WHOLE = 1 << _BITS


@inline_kernel
def is_wide(numbers):
    """Tell whether these are the numbers of many lanes; known when it is compiled."""
    return may_need((numbers & 0) != 0)


@inline_kernel
def nth_in_each(words, index):
    """Return the number of the set bit number `index` of each word, 63 if it has not so many.

    Comparisons take longer here than signs: they go through registers of their own.
    """
    places = index & 0
    for quarter in (16, 4, 1):
        rest1 = index - popcount(words & ((1 << quarter) - 1))
        rest2 = index - popcount(words & ((1 << 2 * quarter) - 1))
        rest3 = index - popcount(words & ((1 << 3 * quarter) - 1))
        skipped = quarter * (3 + (rest1 >> 63) + (rest2 >> 63) + (rest3 >> 63))
        # Of these, those below 0 are the largest as unsigned numbers.
        index = least(least(index, rest1), least(rest2, rest3))
        words = words >> skipped
        places = places + skipped
    return places


@inline_kernel
def lowest_of_each(pattern, words, count):
    """Return those of the first `count` bits of each word whose number is set in `pattern`."""
    chosen = words & 0
    for number in range(count):
        bit = words & (0 - words)
        words = words ^ bit
        chosen = chosen | choose((pattern >> number) & 1 != 0, bit, 0)
    return chosen


if JIT_DISABLED:

    def sixteen_at(rows, row, column):
        """Return the vector of sixteen numbers of a row, from `column` on."""
        return np.array(rows[row, column : column + SIXTEEN])

    def put_sixteen(rows, row, column, numbers):
        """Write a vector to the places of which `sixteen_at` reads."""
        rows[row, column : column + SIXTEEN] = numbers

    def one_of_eight(numbers, places):
        """Return one of the first eight numbers of an array, or one for each lane."""
        return numbers[places]

    def least(one, other):
        """Return the lesser of two numbers in each lane, of which those below 0 are the largest."""
        one, other = (np.asarray(number, np.int64).view(np.uint64) for number in (one, other))
        return np.minimum(one, other).view(np.int64)[()]

    def times(one, other):
        """Return the product of numbers below 2 ** 52, if it is below that, too."""
        return one * other

    def upper_part(one, other):
        """Return the product of two numbers below 2 ** 52 from bit 52 on; it is below 2 ** 63."""
        return (one * other) >> PART_BITS

    def lower_part(one, other):
        """Return the bits of this product below bit 52."""
        return (one * other) & ((1 << PART_BITS) - 1)

    def in_all_quarters(numbers):
        """Return words that have a number below 2 ** 16 in each of their quarters."""
        return numbers * _QUARTERS

    def largest_quarters(one, other):
        """Return words whose quarters are the greater ones, unsigned, of those of two vectors."""
        return np.maximum(one.view(np.uint16), other.view(np.uint16)).view(np.int64)

    def looked_up(numbers, places):
        """Return the numbers of an array at some places, or at one."""
        return numbers[places]

    def as_reals(words):
        """Return the float64 of which these are the bits."""
        return np.asarray(words).view(np.float64)[()]

    def by_width(single, wide):
        """Return a function that stands for two: the second where its last argument is a vector."""
        return lambda *args: (wide if isinstance(args[-1], np.ndarray) else single)(*args)

else:  # pragma: compiled only
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic, overload

    from simcore.vectors import Vector, _call, _in_all_lanes, _read, _same, _vector_of, _write

    @intrinsic
    def sixteen_at(_typing: Any, rows: Any, row: Any, column: Any) -> Any:  # noqa: ARG001
        """Return the vector of sixteen numbers of a row, from `column` on."""
        return _read(rows, SIXTEEN)

    @intrinsic
    def put_sixteen(_typing: Any, rows: Any, row: Any, column: Any, numbers: Any) -> Any:  # noqa: ARG001
        """Write a vector to the places of which `sixteen_at` reads."""
        return _write(rows, numbers, SIXTEEN)

    def _by_eights(builder: Any, name: str, *args: Any) -> Any:
        """Call a function of vectors of eight int64, also for those of sixteen."""
        word = ir.VectorType(ir.IntType(64), EIGHT)
        function = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(word, [word] * len(args)), name
        )
        parts = []
        for first in range(0, args[-1].type.count, EIGHT):
            eights = [
                _shuffled(builder, arg, arg, first, EIGHT) if arg.type.count > EIGHT else arg
                for arg in args
            ]
            parts.append(builder.call(function, eights))
        return parts[0] if len(parts) == 1 else _shuffled(builder, parts[0], parts[1], 0, SIXTEEN)

    def _shuffled(builder: Any, one: Any, other: Any, first: int, count: int) -> Any:
        """Return so many numbers of two vectors, from the number `first` of both on."""
        order = ir.Constant(ir.VectorType(ir.IntType(32), count), [*range(first, first + count)])
        return builder.shuffle_vector(one, other, order)

    @intrinsic
    def one_of_eight(_typing: Any, numbers: Any, places: Any) -> Any:
        """Return one of the first eight numbers of an array, or one for each lane."""
        wide = isinstance(places, Vector)

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            data = context.make_array(numbers)(context, builder, args[0]).data
            if not wide:
                return builder.load(builder.gep(data, [args[1]]))
            kind = ir.VectorType(ir.IntType(64), EIGHT)
            eight = builder.load(builder.bitcast(data, kind.as_pointer()), align=8)
            return _by_eights(builder, "llvm.x86.avx512.permvar.di.512", eight, args[1])

        return (places if wide else numbers.dtype)(numbers, places if wide else types.intp), build

    @intrinsic
    def least(_typing: Any, one: Any, other: Any) -> Any:
        """Return the lesser of two numbers in each lane, of which those below 0 are the largest."""

        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return _same(builder, "umin", *args)

        return one(one, other), build

    def _product(name: str, finish: Any) -> Any:
        """Return the function that multiplies, by an instruction for numbers below 2 ** 52.

        The ordinary product of vectors takes four times as long; of it `finish` makes the same.
        """

        @intrinsic
        def function(_typing: Any, one: Any, other: Any) -> Any:
            wide = isinstance(one, Vector)

            def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
                by = args[1]
                if wide:
                    by = _vector_of(context, builder, by, other, types.int64, one.lanes)
                if not wide or not has_feature("avx512ifma"):
                    return finish(builder, builder.mul(args[0], by))
                nothing = ir.Constant(by.type, None)
                return _by_eights(builder, f"llvm.x86.avx512.{name}.uq.512", nothing, args[0], by)

            return one(one, other if isinstance(other, Vector) else types.int64), build

        return function

    def _constant(number: int, kind: Any) -> Any:
        return ir.Constant(kind, [number] * kind.count if hasattr(kind, "count") else number)

    times = _product("vpmadd52l", lambda _builder, product: product)
    upper_part = _product(
        "vpmadd52h",
        lambda builder, product: builder.lshr(product, _constant(PART_BITS, product.type)),
    )
    lower_part = _product(
        "vpmadd52l",
        lambda builder, product: builder.and_(
            product, _constant((1 << PART_BITS) - 1, product.type)
        ),
    )

    def _quarters_of(builder: Any, word: Any) -> Any:
        return builder.bitcast(word, ir.VectorType(ir.IntType(16), 4 * word.type.count))

    @intrinsic
    def in_all_quarters(_typing: Any, numbers: Any) -> Any:
        """Return words that have a number below 2 ** 16 in each of their quarters."""

        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            if not isinstance(numbers, Vector):
                return builder.mul(args[0], ir.Constant(args[0].type, _QUARTERS))
            parts = _quarters_of(builder, args[0])
            count = parts.type.count
            order = ir.Constant(
                ir.VectorType(ir.IntType(32), count), [i & ~3 for i in range(count)]
            )
            return builder.bitcast(builder.shuffle_vector(parts, parts, order), args[0].type)

        return numbers(numbers), build

    @intrinsic
    def largest_quarters(_typing: Any, one: Any, other: Any) -> Any:
        """Return words whose quarters are the greater ones, unsigned, of those of two vectors."""

        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            parts = [_quarters_of(builder, word) for word in args]
            kind = parts[0].type
            most = _call(builder, "umax", f"v{kind.count}i16", kind, *parts)
            return builder.bitcast(most, args[0].type)

        return one(one, other), build

    @intrinsic
    def looked_up(_typing: Any, numbers: Any, places: Any) -> Any:
        """Return the numbers of an array at some places, or at one."""
        wide = isinstance(places, Vector)
        lanes = places.lanes if wide else 0

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            data = context.make_array(numbers)(context, builder, args[0]).data
            if not wide:
                return builder.load(builder.gep(data, [args[1]]))
            long, which = ir.IntType(64), ir.VectorType(ir.IntType(1), lanes)
            word = ir.VectorType(long, lanes)
            where = ir.VectorType(ir.PointerType(), lanes)
            start = _in_all_lanes(builder, builder.ptrtoint(data, long), lanes)
            eights = builder.mul(args[1], ir.Constant(word, [8] * lanes))
            pointers = builder.inttoptr(builder.add(start, eights), where)
            kinds = [where, ir.IntType(32), which, word]
            name = f"llvm.masked.gather.v{lanes}i64.v{lanes}p0"
            gather = builder.module.globals.get(name) or ir.Function(
                builder.module, ir.FunctionType(word, kinds), name
            )
            everywhere = ir.Constant(which, [1] * lanes)
            nothing = ir.Constant(word, ir.Undefined)
            return builder.call(gather, [pointers, ir.IntType(32)(8), everywhere, nothing])

        return (Vector(numbers.dtype, lanes) if wide else numbers.dtype)(
            numbers, places if wide else types.intp
        ), build

    @intrinsic
    def as_reals(_typing: Any, words: Any) -> Any:
        """Return the float64 of which these are the bits."""
        kind = Vector(types.float64, words.lanes) if isinstance(words, Vector) else types.float64

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.bitcast(args[0], context.get_value_type(kind))

        return kind(words), build

    def by_width(single: Any, wide: Any) -> Any:
        """Return a function that stands for two: the second where its last argument is a vector."""

        def stand_in(*args: Any) -> Any:
            """Be replaced by one of both."""

        @overload(stand_in, jit_options={"forceinline": True, "error_model": "numpy"})
        def _stand_in(*args):
            function = wide if isinstance(args[-1], Vector) else single

            def call(*args):
                return function(*args)

            return call

        return stand_in


@inline_kernel
def _quotient(divisor, number):
    return np.int64(np.uint32(number) // np.uint32(divisor))


@inline_kernel
def _quotients(divisor, numbers):
    return times(numbers, (_WHOLE + divisor - 1) // divisor) >> _BITS


@inline_kernel
def _remainder(divisor, number):
    return np.int64(np.uint32(number) % np.uint32(divisor))


@inline_kernel
def _remainders(divisor, numbers):
    return numbers - divisor * _quotients(divisor, numbers)


quotient = by_width(_quotient, _quotients)
"""A function that returns how often a divisor, a constant of two digits at most, goes into a number
from 0 to 2 ** 12."""

remainder = by_width(_remainder, _remainders)
"""A function that returns what is left over then."""


nth_place = by_width(nth_bit, nth_in_each)
"""A function that returns the number of the set bit number `index` of a word, or of each."""
