"""Vectors written to rows that are others in each lane; for all else see `vectors`."""

from __future__ import annotations

from typing import Any

from simcore.jit import JIT_DISABLED
from simcore.vectors import LANES

if JIT_DISABLED:

    def put_each(rows, each, column, numbers):
        """Write the numbers of a vector to rows, `each` of its own, from `column` on."""
        for lane in range(LANES):
            rows[each[lane], column + lane] = numbers[lane]

else:  # pragma: compiled only
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    _WORD = ir.IntType(64)
    _WORDS = ir.VectorType(_WORD, LANES)
    _BYTES = 8

    @intrinsic
    def put_each(_typing: Any, rows: Any, each: Any, column: Any, numbers: Any) -> Any:
        """Write the numbers of a vector to rows, `each` of its own, from `column` on."""

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            array = context.make_array(rows)(context, builder, args[0])
            stride = builder.mul(builder.extract_value(array.shape, 1), _WORD(_BYTES))
            first = builder.add(
                builder.ptrtoint(array.data, _WORD), builder.mul(args[2], _WORD(_BYTES))
            )
            lanes = ir.Constant(_WORDS, [_BYTES * lane for lane in range(LANES)])
            places = builder.mul(args[1], _in_all(builder, stride))
            places = builder.add(builder.add(places, lanes), _in_all(builder, first))
            value = args[3]
            pointers = ir.VectorType(value.type.element.as_pointer(), LANES)
            mask = ir.Constant(ir.VectorType(ir.IntType(1), LANES), [1] * LANES)
            letter = "f64" if rows.dtype == types.float64 else "i64"
            name = f"llvm.masked.scatter.v8{letter}.v8p0{letter}"
            function = builder.module.globals.get(name)
            if function is None:
                kinds = [value.type, pointers, ir.IntType(32), mask.type]
                function = ir.Function(
                    builder.module, ir.FunctionType(ir.VoidType(), kinds), name
                )
            builder.call(
                function,
                [value, builder.inttoptr(places, pointers), ir.IntType(32)(_BYTES), mask],
            )
            return context.get_dummy_value()

        return types.void(rows, each, types.intp, numbers), build

    def _in_all(builder: Any, number: Any) -> Any:
        one = builder.insert_element(ir.Constant(_WORDS, ir.Undefined), number, ir.IntType(32)(0))
        order = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return builder.shuffle_vector(one, ir.Constant(_WORDS, ir.Undefined), order)
