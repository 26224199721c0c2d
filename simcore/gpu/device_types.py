"""The types of `numba_types` for `numba.cuda`: what is other on a GPU than on a processor."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from llvmlite import ir
from numba import config, cuda
from numba.cuda import types

from simcore.compiler import target

I64 = ir.IntType(64)
POINTER = I64.as_pointer()
CONSTANT = 4
"""The address space of constants."""

config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # a small block is played, too


class Gpu:
    """As `numba_types.Processor`; see `cuda_types`.

    A state is the addresses of its two arrays, and the stride of the second; a part of it is an
    address with a stride.
    """

    part = ir.LiteralStructType([POINTER, I64])
    row = ir.LiteralStructType([POINTER, POINTER, I64])

    @staticmethod
    def field(builder: Any, row: Any, start: Any, name: str) -> Any:
        """Return where a field begins."""
        is_single = bool(row.players) or name in row.singles
        base = builder.extract_value(start, 0 if is_single else 1)
        stride = I64(1) if is_single else builder.extract_value(start, 2)
        return Gpu.moved(builder, _pair(builder, base, stride), I64(row.fields[name][0]))

    @staticmethod
    def moved(builder: Any, where: Any, count: Any) -> Any:
        """Return where the number stands that is so many further on."""
        base, stride = (builder.extract_value(where, k) for k in range(2))
        return _pair(builder, builder.gep(base, [builder.mul(count, stride)]), stride)

    @staticmethod
    def pointer(builder: Any, where: Any) -> Any:
        """Return the address of a number."""
        return builder.extract_value(where, 0)

    @staticmethod
    def distance(builder: Any, start: Any, where: Any) -> Any:
        """Return how many numbers further on one stands than another."""
        bases = (builder.extract_value(end, 0) for end in (where, start))
        ends = (builder.ptrtoint(base, I64) for base in bases)
        size = builder.mul(I64(8), builder.extract_value(where, 1))
        return builder.sdiv(builder.sub(*ends), size)

    @staticmethod
    def constant(builder: Any, numbers: Sequence[int]) -> Any:
        """Return the address of constant numbers."""
        kind, module = ir.ArrayType(I64, len(numbers)), builder.module
        name = module.get_unique_name(".table")
        data = ir.GlobalVariable(module, kind, name, addrspace=CONSTANT)
        data.linkage, data.global_constant, data.align = "internal", True, 8
        data.initializer = ir.Constant(kind, list(numbers))
        return builder.bitcast(builder.addrspacecast(data, kind.as_pointer(), "generic"), POINTER)

    @staticmethod
    def call(builder: Any, name: str, result: Any, *args: Any) -> Any:
        """Call a function of LLVM, as far as there is one on a GPU."""
        if name in ("llvm.smax.i64", "llvm.smin.i64"):
            sign = ">" if name == "llvm.smax.i64" else "<"
            return builder.select(builder.icmp_signed(sign, *args), *args)
        if name == "llvm.fshl.i64":
            word, _, places = args
            left = builder.and_(places, I64(63))
            right = builder.and_(builder.sub(I64(0), places), I64(63))
            return builder.or_(builder.shl(word, left), builder.lshr(word, right))
        if name == "llvm.expect.i1":
            return args[0]
        kind = ir.FunctionType(result, [arg.type for arg in args])
        function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        return builder.call(function, args)

    @staticmethod
    def multiplied(builder: Any, x: Any, y: Any) -> Any:
        """Return the product of two floats, rounded by itself, never put together with a sum."""
        return Gpu.call(builder, "llvm.nvvm.mul.rn.d", ir.DoubleType(), x, y)


def _pair(builder: Any, base: Any, stride: Any) -> Any:
    pair = builder.insert_value(ir.Constant(Gpu.part, ir.Undefined), base, 0)
    return builder.insert_value(pair, stride, 1)


target.MACHINE = Gpu

from simcore.compiler import instructions, numba_types  # noqa: E402 (they ask for the machine)
from simcore.compiler.numba_types import N, lowered, made_intrinsic  # noqa: E402

table = numba_types.Table


def on_device(function: Callable[..., Any]) -> Any:
    """Return a function for the device, which is written into those that call it."""
    return cuda.jit(device=True, forceinline=True)(function)


def from_kernel(function: Any) -> Any:
    """Return a function for the device as a kernel calls it."""
    return function


def rows(
    fields: Any, singles: frozenset[str], options: Any, players: int, width: int, numbers: int
) -> tuple[Any, ...]:
    """Return the types of a state and of options, and the words that make sets of cards."""
    made: tuple[Any, ...] = numba_types.rows(fields, options, players, width, numbers)
    made[0].singles = singles
    return made


def words() -> Mapping[str, Any]:
    """Return the words that are instructions."""
    return {
        **instructions.SPACE,
        "_seldom": made_intrinsic(0, lambda: (types.none(), lowered(lambda _builder: None))),
    }


def start_of(kind: Any) -> Any:
    """Return what makes a state or options of arrays.

    It is called with the two arrays of a state, the place where the thread's numbers begin in the
    second, and their stride; options have all in the first.
    """

    def make(one: Any, other: Any, first: Any, stride: Any) -> Any:
        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            bases = [
                context.make_array(of)(context, builder, value).data
                for of, value in zip(sig.args[:2], args[:2], strict=True)
            ]
            bases[1] = builder.gep(bases[1], [args[2]])
            whole = ir.Constant(Gpu.row, ir.Undefined)
            for place, part in enumerate((*bases, args[3])):
                whole = builder.insert_value(whole, part, place)
            return whole

        return kind(one, other, N, N), lower

    return made_intrinsic(4, make)


def same_as(kind: Any) -> Any:
    """Return what gives a state or options of one unit to another."""
    return made_intrinsic(1, lambda row: (kind(row), lowered(lambda _builder, value: value)))
