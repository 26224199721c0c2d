"""Bit counting for masks and products of halves, as single machine instructions; bits of floats.

What counts takes int64 of any sign and returns non-negative ones, or vectors of them (`vectors`).
"""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np

from simcore.jit import HAS_BMI2, HAS_VBMI2, JIT_DISABLED, inline_kernel, kernel, wrapping

if JIT_DISABLED:
    _ALL_BITS = (1 << 64) - 1

    def _of_each(count: Any) -> Any:
        """Return a function of a number that also takes an array of them."""

        @wraps(count)
        def function(word: Any) -> Any:
            if isinstance(word, np.ndarray):
                return np.array([count(int(each) & _ALL_BITS) for each in word], np.int64)
            return count(int(word) & _ALL_BITS)

        return function

    @_of_each
    def popcount(word: int) -> int:
        """Return how many bits of `word` are set."""
        return word.bit_count()

    @_of_each
    def lowest_bit(word: int) -> int:
        """Return the index of the lowest set bit of `word`; `word` must not be 0."""
        return (word & -word).bit_length() - 1

    @_of_each
    def highest_bit(word: int) -> int:
        """Return the index of the highest set bit of `word`; `word` must not be 0."""
        return word.bit_length() - 1

    def product(one: Any, other: Any) -> Any:
        """Return the product of two numbers below 2³², as uint64."""
        return one * other

else:  # pragma: compiled only
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    from simcore.vectors import of_each

    def held(builder: Any, value: Any) -> Any:
        """Return a value of which the compiler is to forget how it was made (`freeze`)."""
        frozen = ir.Instruction(builder.block, value.type, "freeze", [value], "held")
        builder._insert(frozen)  # noqa: SLF001 (the builder has no word for it)
        return frozen

    _ONE_IS_SET = ir.IntType(1)(1)
    popcount = of_each("ctpop")
    lowest_bit = of_each("cttz", _ONE_IS_SET)
    _zeros_above = of_each("ctlz", _ONE_IS_SET)

    @inline_kernel
    def highest_bit(word: Any) -> Any:
        """Return the index of the highest set bit of `word`; `word` must not be 0."""
        return 63 - _zeros_above(word)

    @intrinsic
    def product(_typing: Any, _one: Any, _other: Any) -> Any:
        """Return the product of two numbers below 2³², as uint64.

        Lanes would wait three times as long for one of all 64 bits. That these numbers are so small
        the compiler may know and forget again, so they are `held`.
        """

        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            halves = []
            for number in args:
                low = ir.Constant(number.type, (1 << 32) - 1)
                halves.append(builder.and_(held(builder, number), low))
            return builder.mul(*halves)

        return types.uint64(types.uint64, types.uint64), build

    @intrinsic
    def _deposit(_typing: Any, _source: Any, _mask: Any) -> Any:
        """Scatter the low bits of `source` to the set bits of `mask` (x86 PDEP)."""

        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            pdep = builder.module.declare_intrinsic(
                "llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word])
            )
            return builder.call(pdep, args)

        return types.int64(types.int64, types.int64), build

    @intrinsic
    def _extract(_typing: Any, _source: Any, _mask: Any) -> Any:
        """Gather the bits of `source` where `mask` has bits (x86 PEXT)."""

        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            pext = builder.module.declare_intrinsic(
                "llvm.x86.bmi.pext.64", (), ir.FunctionType(word, [word, word])
            )
            return builder.call(pext, args)

        return types.int64(types.int64, types.int64), build


if HAS_BMI2 and not JIT_DISABLED:  # pragma: compiled only

    @inline_kernel
    def lowest_bits(word, ones):
        """Return as many of the lowest set bits of `word` as `ones` (0, 1, 3, 7 …) has bits."""
        return _deposit(ones, word)

    @inline_kernel
    def nth_bit(word, index):
        """Return the index of the set bit number `index` (from 0) of `word`."""
        return lowest_bit(_deposit(1 << index, word))

    @inline_kernel
    def nth_mask(word, index):
        """Return the set bit number `index` (from 0) of `word`, as a mask."""
        return _deposit(1 << index, word)

    @inline_kernel
    def deposit(pattern, word):
        """Return those set bits of `word` whose number (from 0) is a set bit of `pattern`."""
        return _deposit(pattern, word)

    @inline_kernel
    def extract(chosen, word):
        """Return which of the set bits of `word`, by their number (from 0), are set in `chosen`."""
        return _extract(chosen, word)

else:

    @kernel
    @wrapping
    def lowest_bits(word, ones):
        """Return as many of the lowest set bits of `word` as `ones` (0, 1, 3, 7 …) has bits."""
        rest = word
        while ones and rest:
            rest &= rest - 1
            ones >>= 1
        return word ^ rest

    @kernel
    def nth_bit(word, index):
        """Return the index of the set bit number `index` (from 0) of `word`."""
        for _ in range(index):
            word &= word - 1
        return lowest_bit(word)

    @kernel
    def nth_mask(word, index):
        """Return the set bit number `index` (from 0) of `word`, as a mask."""
        for _ in range(index):
            word &= word - 1
        return word & -word

    @kernel
    def deposit(pattern, word):
        """Return those set bits of `word` whose number (from 0) is a set bit of `pattern`."""
        chosen = word & 0
        while pattern and word:
            if pattern & 1:
                chosen |= word & -word
            word &= word - 1
            pattern >>= 1
        return chosen

    @kernel
    def extract(chosen, word):
        """Return which of the set bits of `word`, by their number (from 0), are set in `chosen`."""
        pattern = word & 0
        place = 0
        while word:
            if chosen & word & -word:
                pattern |= 1 << place
            word &= word - 1
            place += 1
        return pattern


if HAS_VBMI2 and not JIT_DISABLED:  # pragma: compiled only

    @intrinsic
    def note_bits(_typing: Any, numbers: Any, _first: Any, _word: Any) -> Any:
        """Write the indices of the set bits of `word` to bytes, in order, from a place on.

        After them any others up to 64 places in all.
        """

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            bytes_ = ir.VectorType(ir.IntType(8), 64)
            chosen = builder.bitcast(args[2], ir.VectorType(ir.IntType(1), 64))
            compress = builder.module.declare_intrinsic(
                "llvm.x86.avx512.mask.compress.v64i8",
                (),
                ir.FunctionType(bytes_, [bytes_, bytes_, chosen.type]),
            )
            indices = ir.Constant(bytes_, list(range(64)))
            found = builder.call(compress, [indices, ir.Constant(bytes_, None), chosen])
            data = context.make_array(numbers)(context, builder, args[0]).data
            place = builder.bitcast(builder.gep(data, [args[1]]), bytes_.as_pointer())
            builder.store(found, place, align=1)
            return context.get_dummy_value()

        return types.void(numbers, types.int64, types.int64), build

else:

    @kernel
    def note_bits(numbers, first, word):
        """Write the indices of the set bits of `word` to bytes, in order, from a place on."""
        place = np.uint32(first)
        while word:
            numbers[place] = lowest_bit(word)
            word &= word - 1
            place += np.uint32(1)


def bits_of(number: float) -> int:
    """Return the bits of a float64 as an int64; not compiled."""
    return int(np.float64(number).view(np.int64))
