"""Eight numbers side by side, in one register where the machine has such wide ones, or more.

For kernels that do the same for eight things, without a branch. The compiler finds that out itself
only where it does not unroll the loop, or prefers another. Without it these are NumPy arrays.

A vector holds int64, float64 or truth values; bytes are read as int64. It knows `+ - * / & | ^ ~
<< >>` and comparisons, with a plain number, too, as these do; no in-place forms. Words for
functions of numbers do for plain numbers what they do for vectors. With `one_at` one source serves
eight matches, whose rows have a number for each, and a single one, whose rows are one number each;
of such rows `eight_at` reads eight.
"""

from __future__ import annotations

import operator
from typing import Any

from simcore.jit import HAS_AVX512, JIT_DISABLED
from simcore.vectors_in_python import LANES

__all__ = [
    "LANES",
    "choose",
    "divided",
    "eight_at",
    "floored",
    "greatest",
    "lane",
    "largest",
    "may_need",
    "one_at",
    "put_eight",
    "put_one",
    "reals",
    "rotated",
    "some",
    "spread",
    "store_eight",
    "truncated",
    "vector",
    "wholes",
]

if JIT_DISABLED:
    from simcore.vectors_in_python import (
        choose,
        divided,
        eight_at,
        floored,
        greatest,
        lane,
        largest,
        may_need,
        one_at,
        put_eight,
        put_one,
        reals,
        rotated,
        some,
        spread,
        store_eight,
        truncated,
        vector,
        wholes,
    )
else:  # pragma: compiled only
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.core.typing.templates import AbstractTemplate, infer_global, signature
    from numba.extending import intrinsic, lower_builtin, models, register_model

    _WORD = ir.IntType(64)
    _PARTS = {types.int64: _WORD, types.float64: ir.DoubleType(), types.boolean: ir.IntType(1)}

    class Vector(types.Type):
        """The type of a vector of int64, float64 or truth values."""

        def __init__(self, part: Any, lanes: int = LANES) -> None:
            self.part, self.lanes = part, lanes
            super().__init__(name=f"Vector({part}, {lanes})")

    @register_model(Vector)
    class _VectorModel(models.PrimitiveModel):  # type: ignore[misc]
        def __init__(self, manager: Any, vector_type: Any) -> None:
            super().__init__(manager, vector_type, _ir_type(vector_type.part, vector_type.lanes))

    def _ir_type(part: Any, lanes: int = LANES) -> Any:
        return ir.VectorType(_PARTS[part], lanes)

    def _part(kind: Any) -> Any:
        """Return what a vector or a plain number counts as, None if it is neither."""
        if isinstance(kind, Vector):
            return kind.part
        if isinstance(kind, types.Boolean):
            return types.boolean
        if isinstance(kind, types.Float):
            return types.float64
        return types.int64 if isinstance(kind, types.Integer) else None

    def _in_all_lanes(builder: Any, number: Any, lanes: int = LANES) -> Any:
        kind = ir.VectorType(number.type, lanes)
        one = builder.insert_element(ir.Constant(kind, ir.Undefined), number, ir.IntType(32)(0))
        order = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
        return builder.shuffle_vector(one, ir.Constant(kind, ir.Undefined), order)

    def _vector_of(context: Any, builder: Any, value: Any, kind: Any, part: Any, lanes: int) -> Any:
        """Return a vector or a plain number as a vector of `part`s."""
        if not isinstance(kind, Vector):
            number = context.cast(builder, value, kind, part)
            if part == types.boolean:
                number = builder.trunc(number, ir.IntType(1)) if number.type.width > 1 else number
            return _in_all_lanes(builder, number, lanes)
        if kind.part == part:
            return value
        change = builder.sitofp if part == types.float64 else builder.zext
        return change(value, _ir_type(part, lanes))

    def _as(context: Any, builder: Any, value: Any, kind: Any, part: Any, wide: int) -> Any:
        """Return a number as a `part`, or as a vector of so many."""
        if wide:
            return _vector_of(context, builder, value, kind, part, wide)
        return context.cast(builder, value, kind, part)

    def _wide(*kinds: Any) -> int:
        """Return how many lanes the widest of these types has, 0 if none is a vector."""
        return max(kind.lanes if isinstance(kind, Vector) else 0 for kind in kinds)

    def _of(part: Any, *kinds: Any) -> Any:
        """Return the type of `part`s as many as there are in the widest of these types."""
        return Vector(part, _wide(*kinds)) if _wide(*kinds) else part

    def _same(builder: Any, name: str, *args: Any) -> Any:
        """Call a function whose result is of the type of its first argument."""
        kind = args[0].type
        parts = (f"v{kind.count}", kind.element) if isinstance(kind, ir.VectorType) else ("", kind)
        letter = "f64" if isinstance(parts[1], ir.DoubleType) else "i64"
        return _call(builder, name, parts[0] + letter, kind, *args)

    def _call(builder: Any, name: str, kind: str, result: Any, *args: Any) -> Any:
        """Call a function that the compiler knows for vectors."""
        title = f"llvm.{name}.{kind}"
        wanted = ir.FunctionType(result, [arg.type for arg in args])
        function = cgutils.get_or_insert_function(builder.module, wanted, title)
        return builder.call(
            function, args, fastmath=("nnan",) if "max" in name and "f" in kind else ()
        )

    def _register(function: Any, parts: Any, result: Any, build: Any) -> None:
        """Teach the compiler an operator: for which parts, what it makes of them, and how."""

        @infer_global(function)
        class _Typing(AbstractTemplate):  # type: ignore[misc]
            def generic(self, args: Any, kws: Any) -> Any:  # noqa: ARG002
                if len(args) != 2 or not any(isinstance(arg, Vector) for arg in args):
                    return None
                common = _common(*map(_part, args))
                if common not in parts:
                    return None
                return signature(_of(result or common, *args), *args)

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            common = _common(*map(_part, sig.args))
            one, other = (
                _vector_of(context, builder, value, kind, common, sig.return_type.lanes)
                for value, kind in zip(args, sig.args, strict=True)
            )
            return build(builder, common == types.float64, one, other)

        for pair in ((Vector, Vector), (Vector, types.Any), (types.Any, Vector)):
            lower_builtin(function, *pair)(lower)

    def _common(one: Any, other: Any) -> Any:
        if one is None or other is None or one == other:
            return one if one == other else None
        return types.float64 if types.float64 in (one, other) else types.int64

    def _compare(sign: str) -> Any:
        def build(builder: Any, is_float: bool, one: Any, other: Any) -> Any:
            compare = builder.fcmp_ordered if is_float else builder.icmp_signed
            return compare(sign, one, other)

        return build

    def _count(whole: str, real: str) -> Any:
        def build(builder: Any, is_float: bool, one: Any, other: Any) -> Any:
            return getattr(builder, real if is_float else whole)(one, other)

        return build

    _NUMBERS = (types.int64, types.float64)
    for _function, _names in {
        operator.add: ("add", "fadd"),
        operator.sub: ("sub", "fsub"),
        operator.mul: ("mul", "fmul"),
    }.items():
        _register(_function, _NUMBERS, None, _count(*_names))
    _register(operator.truediv, (types.float64,), None, _count("", "fdiv"))
    for _function, _name in {operator.lshift: "shl", operator.rshift: "ashr"}.items():
        _register(_function, (types.int64,), None, _count(_name, ""))
    for _name in ("and_", "or_", "xor"):
        _register(getattr(operator, _name), (types.int64, types.boolean), None, _count(_name, ""))
    for _function, _sign in {
        operator.gt: ">",
        operator.ge: ">=",
        operator.lt: "<",
        operator.le: "<=",
        operator.eq: "==",
        operator.ne: "!=",
    }.items():
        _parts = (*_NUMBERS, types.boolean) if _sign in ("==", "!=") else _NUMBERS
        _register(_function, _parts, types.boolean, _compare(_sign))

    @infer_global(operator.invert)
    class _Inverting(AbstractTemplate):  # type: ignore[misc]
        def generic(self, args: Any, kws: Any) -> Any:  # noqa: ARG002
            return signature(args[0], args[0]) if isinstance(args[0], Vector) else None

    @lower_builtin(operator.invert, Vector)
    def _invert(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.not_(args[0])

    @intrinsic
    def vector(_typing: Any, numbers: Any) -> Any:
        """Return the vector of a tuple of eight int64."""

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            made = ir.Constant(_ir_type(types.int64), ir.Undefined)
            for i, kind in enumerate(numbers.types):
                number = builder.extract_value(args[0], i)
                number = context.cast(builder, number, kind, types.int64)
                made = builder.insert_element(made, number, ir.IntType(32)(i))
            return made

        return Vector(types.int64)(numbers), build

    @intrinsic
    def spread(_typing: Any, number: Any) -> Any:
        """Return the vector of eight times the same int64."""

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return _vector_of(context, builder, args[0], number, types.int64, LANES)

        return Vector(types.int64)(number), build

    def _place(context: Any, builder: Any, kind: Any, rows: Any, row: Any, column: Any) -> Any:
        array = context.make_array(kind)(context, builder, rows)
        if kind.ndim == 1:
            return builder.gep(array.data, [row])
        number = builder.add(builder.mul(row, builder.extract_value(array.shape, 1)), column)
        return builder.gep(array.data, [number])

    def _read(rows: Any, wide: int) -> Any:
        part = types.int64 if rows.dtype == types.uint8 else rows.dtype

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            at = _place(context, builder, rows, *args)
            if wide:
                at = builder.bitcast(at, ir.VectorType(at.type.pointee, wide).as_pointer())
            numbers = builder.load(at, align=rows.dtype.bitwidth // 8)
            kind = _ir_type(part, wide) if wide else _PARTS[part]
            return numbers if numbers.type == kind else builder.zext(numbers, kind)

        return (Vector(part, wide) if wide else part)(rows, types.intp, types.intp), build

    def _write(rows: Any, numbers: Any, wide: int) -> Any:
        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            value = _as(context, builder, args[3], numbers, rows.dtype, wide)
            place = _place(context, builder, rows, *args[:3])
            if wide:
                place = builder.bitcast(place, _ir_type(rows.dtype, wide).as_pointer())
            builder.store(value, place, align=8)
            return context.get_dummy_value()

        return types.void(rows, types.intp, types.intp, numbers), build

    @intrinsic
    def eight_at(_typing: Any, rows: Any, row: Any, column: Any) -> Any:  # noqa: ARG001
        """Return the vector of eight numbers of a row of an array, from `column` on.

        Of rows that are one number each, those of eight rows from `row` on.
        """
        return _read(rows, wide=LANES)

    @intrinsic
    def put_eight(_typing: Any, rows: Any, row: Any, column: Any, numbers: Any) -> Any:  # noqa: ARG001
        """Write a vector, or eight times a number, to the places of which `eight_at` reads."""
        return _write(rows, numbers, wide=LANES)

    @intrinsic
    def one_at(_typing: Any, rows: Any, row: Any, column: Any) -> Any:  # noqa: ARG001
        """Return the same, but of rows that are one number each, the one at `row`."""
        return _read(rows, wide=LANES if rows.ndim > 1 else 0)

    @intrinsic
    def put_one(_typing: Any, rows: Any, row: Any, column: Any, numbers: Any) -> Any:  # noqa: ARG001
        """Write to the places of which `one_at` reads."""
        return _write(rows, numbers, wide=LANES if rows.ndim > 1 else 0)

    @intrinsic
    def store_eight(_typing: Any, numbers: Any, first: Any, values: Any) -> Any:  # noqa: ARG001
        """Put a vector of int64 into an array of whole numbers, from the place `first` on."""

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            data = context.make_array(numbers)(context, builder, args[0]).data
            kind = ir.VectorType(data.type.pointee, LANES)
            short = args[2] if kind == args[2].type else builder.trunc(args[2], kind)
            place = builder.bitcast(builder.gep(data, [args[1]]), kind.as_pointer())
            builder.store(short, place, align=1)
            return context.get_dummy_value()

        return types.void(numbers, types.intp, values), build

    @intrinsic
    def choose(_typing: Any, which: Any, one: Any, other: Any) -> Any:
        """Return in each lane the number of `one` where `which` is true, else that of `other`."""
        common = _common(_part(one), _part(other))
        wide = _wide(which, one, other)

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.select(
                args[0],
                _as(context, builder, args[1], one, common, wide),
                _as(context, builder, args[2], other, common, wide),
            )

        return _of(common, which, one, other)(which, one, other), build

    @intrinsic
    def largest(_typing: Any, one: Any, other: Any) -> Any:
        """Return in each lane the greater of two numbers."""
        common = _common(_part(one), _part(other))
        wide = _wide(one, other)

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            first = _as(context, builder, args[0], one, common, wide)
            second = _as(context, builder, args[1], other, common, wide)
            # As a choice it would become a store with a mask, which whoever reads it waits for.
            name = "maxnum" if common == types.float64 else "smax"
            return _same(builder, name, first, second)

        return _of(common, one, other)(one, other), build

    @intrinsic
    def divided(_typing: Any, numbers: Any, divisor: Any, inverse: Any) -> Any:
        """Return float64, no tiny ones, divided by a plain number, of which `inverse` is 1 / it.

        The same as `/`, for which vectors wait longer, to the last bit: the first time round the
        quotient gets as near as the second one needs it (Markstein 1990, IBM JRD 34(1), theorem 8).
        """
        wide = _wide(numbers)

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            by, inverted = (_as(context, builder, one, divisor, divisor, wide) for one in args[1:])
            if not (wide and HAS_AVX512):
                return builder.fdiv(args[0], by)
            quotient = builder.fmul(args[0], inverted)
            for _ in range(2):
                rest = _same(builder, "fma", builder.fneg(quotient), by, args[0])
                quotient = _same(builder, "fma", rest, inverted, quotient)
            return quotient

        return numbers(numbers, divisor, inverse), build

    def _cast(part: Any, name: str) -> Any:
        """Return the function that makes `part`s of numbers."""

        @intrinsic
        def function(_typing: Any, numbers: Any) -> Any:
            kind = _of(part, numbers)

            def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
                return getattr(builder, name)(args[0], context.get_value_type(kind))

            return kind(numbers), build

        return function

    wholes, reals = _cast(types.int64, "fptosi"), _cast(types.float64, "sitofp")

    def of_each(name: str, *more: Any) -> Any:
        """Return the function that calls one that the compiler knows, for each number."""

        @intrinsic
        def function(_typing: Any, numbers: Any) -> Any:
            whole = isinstance(numbers, (types.Integer, types.Boolean))
            kind = types.int64 if whole else numbers

            def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
                return _same(builder, name, args[0], *more)

            return kind(kind), build

        return function

    truncated, floored = of_each("trunc"), of_each("floor")

    @intrinsic
    def lane(_typing: Any, numbers: Any, index: Any) -> Any:
        """Return the number of a vector in the lane `index`, 0…7."""

        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.extract_element(args[0], args[1])

        return numbers.part(numbers, index), build

    @intrinsic
    def rotated(_typing: Any, words: Any, places: Any) -> Any:
        """Return each word rotated to the right, by any number of places."""
        wide = _wide(words, places)

        def build(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            word = _as(context, builder, args[0], words, types.int64, wide)
            by = _as(context, builder, args[1], places, types.int64, wide)
            return _same(builder, "fshr", word, word, by)

        return _of(types.int64, words, places)(words, places), build

    @intrinsic
    def greatest(_typing: Any, numbers: Any) -> Any:
        """Return the greatest of the eight numbers."""
        name, kind = ("fmax", "v8f64") if numbers.part == types.float64 else ("smax", "v8i64")

        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return _call(builder, f"vector.reduce.{name}", kind, _PARTS[numbers.part], args[0])

        return numbers.part(numbers), build

    @intrinsic
    def some(_typing: Any, which: Any) -> Any:
        """Tell whether any of some truth values, or the one, is true."""

        def build(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            if not _wide(which):
                return args[0]
            lanes = ir.IntType(which.lanes)
            return builder.icmp_unsigned("!=", builder.bitcast(args[0], lanes), lanes(0))

        return types.boolean(which), build

    @intrinsic
    def may_need(_typing: Any, which: Any) -> Any:
        """Tell whether a single match needs something; lanes, where some will, take it as true."""

        def build(_context: Any, _builder: Any, _signature: Any, args: Any) -> Any:
            return ir.IntType(1)(1) if _wide(which) else args[0]

        return types.boolean(which), build
