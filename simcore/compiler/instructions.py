"""Words that are instructions of the processor, for Numba; `plain_words` has the same names.

What users' code is checked by (`checked_words`) is made of them.
"""

from __future__ import annotations

import builtins
import os
import platform
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from simcore.compiler import refusals
from simcore.compiler.int64 import EXACT, LEAST
from simcore.compiler.numba_parts import cgutils, extending, types
from simcore.compiler.numba_types import (
    DOUBLE,
    I1,
    I64,
    MACHINE,
    B,
    Cards,
    F,
    N,
    Numbers,
    call,
    field_value,
    is_number,
    joined,
    lowered,
    made_intrinsic,
    parts,
    refusal,
    tag,
    whole_set,
)

SPACE: dict[str, Any] = {}
"""All words of this file, by the names that units call them by."""


def needs_number(*kinds: Any) -> None:
    """Refuse what is no whole number."""
    for kind in kinds:
        if isinstance(kind, Cards):
            raise refusal(refusals.NO_NUMBER)
        if isinstance(kind, types.Float):
            raise refusal("a float where a whole number is wanted; write int(…)")
        if not is_number(kind):
            raise refusal("something else where a whole number is wanted")


def needs_any_number(*kinds: Any) -> None:
    """Refuse what is neither a whole number nor a float."""
    needs_number(*(kind for kind in kinds if not isinstance(kind, types.Float)))


def needs_cards(kind: Any) -> None:
    """Refuse what is no set of cards."""
    if not isinstance(kind, Cards):
        raise refusal(refusals.NO_SET)


def instruction(name: str, sig: Any, write: Callable[..., Any]) -> None:
    """Add a word of whole numbers (or what its types say)."""

    def make(*kinds: Any) -> Any:
        pairs = builtins.zip(kinds, sig.args, strict=True)
        needs_number(*(kind for kind, wanted in pairs if wanted == N))
        return sig, lowered(write)

    SPACE[name] = made_intrinsic(len(sig.args), make)


def of_cards(name: str, write: Callable[..., Any], more: int = 0) -> None:
    """Add a word of a set and so many numbers; what is written is a number, or a list: a set."""

    def make(cards: Any, *kinds: Any) -> Any:
        needs_cards(cards)
        needs_number(*kinds)
        gives_set = name in ("lower", "higher", "kinds", "_without_lowest")

        def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            value = write(builder, parts(builder, args[0], cards.width), *args[1:])
            return whole_set(builder, value) if gives_set else value

        return (cards if gives_set else N)(cards, *[N] * more), lower

    SPACE[name] = made_intrinsic(1 + more, make)


def has_feature(name: str) -> bool:
    """Tell whether the processor to compile for is an x86 one with a feature, by LLVM's name."""
    features = os.environ.get("NUMBA_CPU_FEATURES", "")
    return platform.machine() in ("x86_64", "AMD64") and f"+{name}" in features.split(",")


# ------------------------------------------------------------------------------------ one number


def _divided(b: Any, x: Any, y: Any) -> tuple[Any, Any]:
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
    """Return what writes a number of `bits` bits into a column."""

    def put(b: Any, column: Any, index: Any, value: Any) -> None:
        kind = ir.IntType(bits)
        where = b.gep(b.inttoptr(column, kind.as_pointer()), [index])
        tag(b, b.store(b.trunc(value, kind), where), "a column")

    return put


def _seldom(b: Any) -> None:
    """Mark the LLVM function being built as cold, and never inline it."""
    b.function.attributes.add("noinline")
    b.function.attributes.add("cold")


def _lowest_bit(b: Any, x: Any) -> Any:
    return call(b, "llvm.cttz.i64", I64, x, I1(1))


def _highest_bit(b: Any, x: Any) -> Any:
    return b.sub(I64(63), call(b, "llvm.ctlz.i64", I64, x, I1(1)))


def _popcount(b: Any, x: Any) -> Any:
    return call(b, "llvm.ctpop.i64", I64, x)


instruction("popcount", N(N), _popcount)
instruction("lowest_bit", N(N), _lowest_bit)
instruction("highest_bit", N(N), _highest_bit)
instruction("_number", N(N), lambda _b, x: x)
instruction("shr", N(N, N), lambda b, x, y: b.lshr(x, y))
instruction("rotl", N(N, N), lambda b, x, y: call(b, "llvm.fshl.i64", I64, x, x, y))
instruction("_shl", N(N, N), lambda b, x, y: b.shl(x, y))
instruction("_cleared", N(N), lambda b, x: b.and_(x, b.add(x, I64(-1))))
instruction("_divided", N(N, N), lambda b, x, y: _divided(b, x, y)[0])
instruction("_modulo", N(N, N), lambda b, x, y: _divided(b, x, y)[1])
instruction("_exp", F(F), lambda b, x: call(b, "llvm.exp.f64", DOUBLE, x))
instruction("_sqrt", F(F), lambda b, x: call(b, "llvm.sqrt.f64", DOUBLE, x))
instruction("rarely", B(B), lambda b, x: call(b, "llvm.expect.i1", I1, x, I1(0)))
instruction("_put_byte", types.none(N, N, N), _put(8))
instruction("_put_half", types.none(N, N, N), _put(16))
instruction("_put_short", types.none(N, N, N), _put(32))
instruction("_seldom", types.none(), _seldom)


def _float(x: Any) -> Any:
    needs_any_number(x)
    return F(x), lambda context, b, sig, args: context.cast(b, args[0], sig.args[0], F)


def _int(x: Any) -> Any:
    """Cut a float, without a check."""
    if isinstance(x, types.Float):
        return N(F), lowered(lambda b, x: b.fptosi(x, I64))
    needs_number(x)
    return N(x), lambda context, b, sig, args: context.cast(b, args[0], sig.args[0], N)


def _kind_of(*kinds: Any) -> Any:
    """Return the kind of an operation's result."""
    needs_any_number(*kinds)
    return F if any(isinstance(kind, types.Float) for kind in kinds) else N


def of_two(
    name: str, whole: Callable[..., Any], real: Callable[..., Any], sets: Any = None
) -> None:
    """Add an operation of two numbers, both whole or both floats; and perhaps of two sets."""

    def make(x: Any, y: Any) -> Any:
        if isinstance(x, Cards) or isinstance(y, Cards):
            if sets is None or x != y:
                raise refusal(refusals.NO_MIX)
            return x(x, x), lowered(sets(x.width))
        kind = _kind_of(x, y)
        return kind(kind, kind), lowered(real if kind == F else whole)

    SPACE[name] = made_intrinsic(2, make)


def _extreme(name: str, whole_word: str, sign: str) -> None:
    """Add the larger or the smaller, as Python has it: the first unless the other is more."""
    of_two(
        name,
        lambda b, x, y: call(b, whole_word, I64, x, y),
        lambda b, x, y: b.select(b.fcmp_ordered(sign, y, x), y, x),
    )


def _difference(width: int) -> Callable[..., Any]:
    def write(b: Any, x: Any, y: Any) -> Any:
        pairs = zip(parts(b, x, width), parts(b, y, width), strict=True)
        return whole_set(b, [b.and_(one, b.not_(other)) for one, other in pairs])

    return write


def _absolute(x: Any) -> Any:
    kind = _kind_of(x)

    def write(b: Any, x: Any) -> Any:
        if kind == F:
            return call(b, "llvm.fabs.f64", DOUBLE, x)
        return call(b, "llvm.smax.i64", I64, x, b.sub(I64(0), x))

    return kind(kind), lowered(write)


SPACE["_float"] = made_intrinsic(1, _float)
SPACE["_int"] = made_intrinsic(1, _int)
SPACE["abs"] = made_intrinsic(1, _absolute)
_extreme("max", "llvm.smax.i64", ">")
_extreme("min", "llvm.smin.i64", "<")
of_two("_plus", lambda b, x, y: b.add(x, y), lambda b, x, y: b.fadd(x, y))
of_two("_minus", lambda b, x, y: b.sub(x, y), lambda b, x, y: b.fsub(x, y), _difference)
of_two("_times", lambda b, x, y: b.mul(x, y), MACHINE.multiplied)


@extending.intrinsic
def _among(context: Any, *given: Any) -> Any:
    """Tell whether a value is one of several."""
    kinds = given[0] if len(given) == 1 and isinstance(given[0], types.BaseTuple) else given
    kind = _kind_of(*kinds)

    def lower(context: Any, b: Any, sig: Any, args: Any) -> Any:
        wanted, *values = cgutils.unpack_tuple(b, args[0])
        same = b.fcmp_ordered if kind == F else b.icmp_signed
        return joined([same("==", wanted, value) for value in values] or [I1(0)], b.or_)

    return B(types.StarArgTuple([kind] * len(kinds))), lower


SPACE["_among"] = _among

if has_feature("bmi2"):

    def _nth_bit(b: Any, x: Any, index: Any) -> Any:
        bit = call(b, "llvm.x86.bmi.pdep.64", I64, b.shl(I64(1), index), x)
        return call(b, "llvm.cttz.i64", I64, bit, I1(1))

    def _below_bit(b: Any, x: Any, y: Any) -> Any:
        """Return the lowest `y` bits of a word."""
        return call(b, "llvm.x86.bmi.bzhi.64", I64, x, y)

    for _name, _made in (("deposit", "pdep"), ("extract", "pext")):
        instruction(
            _name,
            N(N, N),
            lambda b, x, mask, made=_made: call(b, f"llvm.x86.bmi.{made}.64", I64, x, mask),
        )
else:

    def _loop(b: Any, names: Sequence[Any], turn: Callable[..., Any]) -> list[Any]:
        """Write a loop over variables, while the first of them is not 0."""
        places = [cgutils.alloca_once_value(b, value) for value in names]
        test, body, after = (b.append_basic_block(name) for name in ("test", "body", "after"))
        b.branch(test)
        b.position_at_end(test)
        b.cbranch(b.icmp_signed("!=", b.load(places[0]), I64(0)), body, after)
        b.position_at_end(body)
        for place, value in zip(places, turn(*map(b.load, places)), strict=True):
            b.store(value, place)
        b.branch(test)
        b.position_at_end(after)
        return [b.load(place) for place in places]

    def _lowest_of(b: Any, word: Any) -> Any:
        return b.and_(word, b.sub(I64(0), word))

    def _deposit(b: Any, pattern: Any, mask: Any) -> Any:
        def turn(mask: Any, pattern: Any, chosen: Any) -> list[Any]:
            bit = b.select(b.trunc(pattern, I1), _lowest_of(b, mask), I64(0))
            rest = b.and_(mask, b.sub(mask, I64(1)))
            return [rest, b.lshr(pattern, I64(1)), b.or_(chosen, bit)]

        return _loop(b, [mask, pattern, I64(0)], turn)[2]

    def _extract(b: Any, chosen: Any, mask: Any) -> Any:
        def turn(mask: Any, bit: Any, pattern: Any) -> list[Any]:
            has = b.icmp_signed("!=", b.and_(chosen, _lowest_of(b, mask)), I64(0))
            found = b.or_(pattern, b.select(has, bit, I64(0)))
            return [b.and_(mask, b.sub(mask, I64(1))), b.shl(bit, I64(1)), found]

        return _loop(b, [mask, I64(1), I64(0)], turn)[2]

    def _nth_bit(b: Any, x: Any, index: Any) -> Any:
        return _lowest_bit(b, _deposit(b, b.shl(I64(1), index), x))

    def _below_bit(b: Any, x: Any, y: Any) -> Any:
        part = b.icmp_unsigned("<", y, I64(64))
        above = b.select(part, b.shl(I64(-1), b.and_(y, I64(63))), I64(0))
        return b.and_(x, b.not_(above))

    instruction("deposit", N(N, N), _deposit)
    instruction("extract", N(N, N), _extract)

instruction("nth_bit", N(N, N), _nth_bit)


# ----------------------------------------------------------------------------------- sets of cards


def _lowest(b: Any, words: Sequence[Any]) -> Any:
    last = len(words) - 1
    found = b.add(_lowest_bit(b, words[last]), I64(64 * last))
    for k in range(last - 1, -1, -1):
        here = b.add(_lowest_bit(b, words[k]), I64(64 * k))
        found = b.select(b.icmp_signed("!=", words[k], I64(0)), here, found)
    return found


def _highest(b: Any, words: Sequence[Any]) -> Any:
    found = _highest_bit(b, words[0])
    for k, word in enumerate(words[1:], 1):
        here = b.add(_highest_bit(b, word), I64(64 * k))
        found = b.select(b.icmp_signed("!=", word, I64(0)), here, found)
    return found


def _without_lowest(b: Any, words: Sequence[Any]) -> list[Any]:
    rest, below = [], I64(0)
    for word in words:
        cleared = b.and_(word, b.add(word, I64(-1)))
        rest.append(b.select(b.icmp_signed("==", below, I64(0)), cleared, word))
        below = b.or_(below, word)
    return rest


def _clamped(b: Any, x: Any, low: int, high: int) -> Any:
    at_least = call(b, "llvm.smax.i64", I64, x, I64(low))
    return call(b, "llvm.smin.i64", I64, at_least, I64(high))


def _below(b: Any, words: Sequence[Any], card: Any) -> list[Any]:
    """Return the cards of a set that are lower than a card from 0 to 64 times their words."""
    if len(words) == 1:
        return [_below_bit(b, words[0], card)]
    places = [_clamped(b, b.sub(card, I64(64 * k)), 0, 64) for k in range(len(words))]
    return [_below_bit(b, word, at) for word, at in zip(words, places, strict=True)]


def _lower(b: Any, words: Sequence[Any], card: Any) -> list[Any]:
    return _below(b, words, _clamped(b, card, 0, 64 * len(words)))


def _higher(b: Any, words: Sequence[Any], card: Any) -> list[Any]:
    card = b.add(_clamped(b, card, -1, 64 * len(words) - 1), I64(1))
    return [b.xor(*pair) for pair in zip(words, _below(b, words, card), strict=True)]


def _nth(b: Any, words: Sequence[Any], index: Any) -> Any:
    word, left, base = words[0], index, I64(0)
    for k in range(len(words) - 1):
        # Of words that are passed over all bits are counted off. Where nothing is beyond, as in
        # many sets of moves, the compiler sees that nothing is to be done.
        count = _popcount(b, words[k])
        is_beyond = b.icmp_signed("!=", joined(words[k + 1 :], b.or_), I64(0))
        is_here = b.icmp_signed("==", base, I64(64 * k))
        passes = b.and_(b.and_(b.icmp_signed(">=", left, count), is_here), is_beyond)
        left = b.select(passes, b.sub(left, count), left)
        base = b.select(passes, I64(64 * (k + 1)), base)
        word = b.select(passes, words[k + 1], word)
    return b.add(base, _nth_bit(b, word, left))


of_cards("lowest", _lowest)
of_cards("highest", _highest)
of_cards("_without_lowest", _without_lowest)
of_cards("lower", _lower, 1)
of_cards("higher", _higher, 1)
of_cards("nth", _nth, 1)
of_cards("kinds", lambda b, words: [joined(words, b.or_), *[I64(0)] * (len(words) - 1)])
of_cards("bits", lambda b, words: words[0])


def _cards(x: Any) -> Any:
    needs_cards(x)
    return x(x), lowered(lambda _b, cards: cards)


SPACE["_cards"] = made_intrinsic(1, _cards)


# ---------------------------------------------------- what is asked before something goes wrong


def _fitting(word: str) -> Callable[..., Any]:
    """Tell whether an operation of two numbers gives what Python does.

    It does not where the result has no 64 bits, or where a float stands beside a whole number that
    no float is.
    """

    def make(x: Any, y: Any) -> Any:
        if isinstance(x, Cards) or isinstance(y, Cards):
            if x != y or word != "ssub":
                raise refusal(refusals.NO_MIX)
            return B(x, y), lowered(lambda _b, _x, _y: I1(1))
        kind = _kind_of(x, y)

        def lower(context: Any, b: Any, sig: Any, args: Any) -> Any:
            if kind == F:
                pairs = zip(args, sig.args, strict=True)
                return joined([_is_exact(context, b, *pair) for pair in pairs], b.and_)
            if not word:
                return I1(1)
            whole = ir.LiteralStructType([I64, I1])
            values = [context.cast(b, args[k], sig.args[k], N) for k in (0, 1)]
            pair = call(b, f"llvm.{word}.with.overflow.i64", whole, *values)
            return b.not_(b.extract_value(pair, 1))

        return B(x, y), lower

    return make


def _is_exact(context: Any, b: Any, value: Any, kind: Any) -> Any:
    """Tell whether a number is one that floats hold."""
    if isinstance(kind, types.Float):
        return I1(1)
    number = context.cast(b, value, kind, N)
    return b.icmp_unsigned("<=", b.add(number, I64(EXACT)), I64(2 * EXACT))


def _fits(x: Any) -> Any:
    """Tell whether a number has 64 bits once it is cut to a whole one."""
    if not isinstance(x, types.Float):
        needs_number(x)
        return B(x), lowered(lambda _b, _x: I1(1))
    least = DOUBLE(float(LEAST))

    def write(b: Any, x: Any) -> Any:
        return b.and_(b.fcmp_ordered(">=", x, least), b.fcmp_ordered("<", x, b.fneg(least)))

    return B(x), lowered(write)


def _stored(x: Any) -> Any:
    """Return a number that the state can hold."""
    if isinstance(x, types.Float):
        raise refusal(refusals.NO_FLOAT)
    needs_number(x)
    return N(N), lowered(lambda _b, x: x)


def _is_card(x: Any, _count: Any) -> Any:
    """Tell whether a number is that of a card that there may be; sets have no others."""
    if isinstance(x, Cards):
        return B(x, N), lowered(lambda _b, _x, _count: I1(1))
    if not is_number(x):
        raise refusal("a card is a whole number, and sets have no others")
    return B(N, N), lowered(lambda b, x, count: b.icmp_unsigned("<", x, count))


def _tick(row: Any) -> Any:
    """Tell whether a loop is to be left, as something is wrong."""

    def lower(context: Any, b: Any, sig: Any, args: Any) -> Any:
        wrong = b.icmp_signed("!=", field_value(b, row, args[0], "_fault"), I64(0))
        return call(b, "llvm.expect.i1", I1, wrong, I1(0))

    return B(row), lower


def _comparison(sign: str) -> Callable[..., Any]:
    """Compare two numbers, or two sets of cards."""

    def make(x: Any, y: Any) -> Any:
        if isinstance(x, Cards) or isinstance(y, Cards):
            if x != y or sign not in ("==", "!="):
                raise refusal(refusals.NO_ORDER)
            return B(x, x), _same_words(x.width, sign)
        kind = _kind_of(x, y)

        def lower(context: Any, b: Any, sig: Any, args: Any) -> Any:
            if kind == N:
                one, other = (context.cast(b, args[k], sig.args[k], N) for k in (0, 1))
                return b.icmp_signed(sign, one, other)
            compare = b.fcmp_unordered if sign == "!=" else b.fcmp_ordered
            if all(isinstance(side, types.Float) for side in sig.args):
                return compare(sign, *args)
            # A whole number is rounded to a float; where that is the other one, what is cut counts.
            is_first = not isinstance(sig.args[0], types.Float)
            number, real = args if is_first else reversed(args)
            number = context.cast(b, number, sig.args[0 if is_first else 1], N)
            rounded = b.sitofp(number, DOUBLE)
            is_close = b.fcmp_ordered("==", rounded, real)
            is_beyond = b.fcmp_ordered(">=", real, DOUBLE(-float(LEAST)))
            cut = b.fptosi(b.select(is_beyond, DOUBLE(0.0), real), I64)
            less = b.or_(is_beyond, b.icmp_signed("<", number, cut))
            more = b.and_(b.not_(is_beyond), b.icmp_signed(">", number, cut))
            order = b.select(less, I64(-1), b.select(more, I64(1), I64(0)))
            order = order if is_first else b.sub(I64(0), order)
            exactly = b.icmp_signed(sign, order, I64(0))
            pair = (rounded, real) if is_first else (real, rounded)
            return b.select(is_close, exactly, compare(sign, *pair))

        return B(x, y), lower

    return make


def _same_words(width: int, sign: str) -> Callable[..., Any]:
    def lower(context: Any, b: Any, sig: Any, args: Any) -> Any:
        pairs = zip(*(parts(b, value, width) for value in args), strict=True)
        return b.icmp_signed(sign, joined([b.xor(*pair) for pair in pairs], b.or_), I64(0))

    return lower


for _name, _sign in (
    ("lt", "<"),
    ("le", "<="),
    ("gt", ">"),
    ("ge", ">="),
    ("eq", "=="),
    ("ne", "!="),
):
    SPACE[f"_{_name}"] = made_intrinsic(2, _comparison(_sign))

for _name, _made in (
    ("_sum_fits", "sadd"),
    ("_difference_fits", "ssub"),
    ("_product_fits", "smul"),
    ("_exact", ""),
):
    SPACE[_name] = made_intrinsic(2, _fitting(_made))
SPACE["_fits"] = made_intrinsic(1, _fits)
SPACE["_stored"] = made_intrinsic(1, _stored)
SPACE["_is_card"] = made_intrinsic(2, _is_card)
SPACE["_tick"] = made_intrinsic(1, _tick)


# -------------------------------------------------------------------------- of states, for rounds


@extending.intrinsic
def _ask_at(context: Any, *given: Any) -> Any:
    """Call a policy by its address: (address, s, o, numbers …)."""
    kinds = [N, given[1], given[2], *[N] * (len(given) - 3)]

    def lower(context: Any, b: Any, sig: Any, args: Any) -> Any:
        address, *values = cgutils.unpack_tuple(b, args[0])
        kind = ir.FunctionType(I64, [value.type for value in values])
        return b.call(b.inttoptr(address, kind.as_pointer()), values)

    return N(types.StarArgTuple(kinds)), lower


def _memory(b: Any, name: str, row: Any, source: Any, count: Any) -> None:
    size = b.shl(count, I64(3))
    args = [b.bitcast(row, ir.IntType(8).as_pointer()), source, size, I1(0)]
    call(b, name, ir.VoidType(), *args)


def _clear(row: Any, _count: Any) -> Any:
    """Set the first numbers of a state to 0."""

    def write(b: Any, s: Any, count: Any) -> None:
        _memory(b, "llvm.memset.p0.i64", s, ir.IntType(8)(0), count)

    return types.none(row, N), lowered(write)


def _copy_state(row: Any, _source: Any, _count: Any) -> Any:
    """Copy the first numbers of a state into another."""

    def write(b: Any, s: Any, source: Any, count: Any) -> None:
        source = b.bitcast(source, ir.IntType(8).as_pointer())
        _memory(b, "llvm.memcpy.p0.p0.i64", s, source, count)

    return types.none(row, row, N), lowered(write)


def _behind(kind: Any) -> Callable[..., Any]:
    """Make a word that finds what stands so many numbers behind the start of a state."""

    def make(row: Any, _count: Any) -> Any:
        return (kind or row)(row, N), lowered(lambda b, s, count: b.gep(s, [count]))

    return make


def _number_at(row: Any, _at: Any) -> Any:
    """Return any number of a state by its place."""
    return N(row, N), lowered(lambda b, s, at: b.load(b.gep(s, [at], inbounds=True), align=8))


def _at_address(kind: Any) -> Callable[..., Any]:
    """Make a word that finds the numbers that stand from an address on."""

    def make(_address: Any) -> Any:
        return kind(N), lowered(lambda b, address: b.inttoptr(address, I64.as_pointer()))

    return make


def _address(x: Any) -> Any:
    """Return the address that a parameter of a policy holds as its bits."""
    return N(x), lowered(lambda b, x: b.bitcast(x, I64))


def _put_feature(numbers: Any, _at: Any, value: Any) -> Any:
    """Write a number, a float or the words of a set."""
    kind = value if isinstance(value, Cards | types.Float) else N
    if kind == N:
        needs_number(value)

    def write(b: Any, where: Any, at: Any, value: Any) -> None:
        words = parts(b, value, kind.width) if isinstance(kind, Cards) else [value]
        for place, word in enumerate(words):
            word = b.bitcast(word, I64) if kind == F else word
            b.store(word, b.gep(where, [b.add(at, I64(place))]), align=8)

    return types.none(numbers, N, kind), lowered(write)


def _is_ordered(place: Any) -> Any:
    """Tell whether a place has an order."""
    return B(place), lowered(lambda _b, _where: I1(bool(place.room)))


def _room(place: Any) -> Any:
    """Return how many cards a place with an order has room for."""
    return N(place), lowered(lambda _b, _where: I64(place.room))


def _viewers(options: Any, row: Any, place: Any) -> Any:
    """Return the seats that see a place, as bits."""
    _, steps, _, _, masks = row.fields[place.field]

    def write(b: Any, o: Any, s: Any, where: Any) -> Any:
        holder = I64(0)
        if len(masks[0]) > 1:
            start = MACHINE.field(b, row, s, place.field)
            holder = b.sdiv(MACHINE.distance(b, start, where), I64(steps[0]))
        numbers = [mask for line in masks for mask in line]
        players = field_value(b, options, o, "players")
        index = b.add(b.mul(players, I64(len(masks[0]))), holder)
        return b.load(b.gep(MACHINE.constant(b, numbers), [index]), align=8)

    return N(options, row, place), lowered(write)


SPACE["_is_ordered"] = made_intrinsic(1, _is_ordered)
SPACE["_room"] = made_intrinsic(1, _room)
SPACE["_viewers"] = made_intrinsic(3, _viewers)
SPACE["_ask_at"] = _ask_at
SPACE["_clear"] = made_intrinsic(2, _clear)
SPACE["_copy_state"] = made_intrinsic(3, _copy_state)
SPACE["_state_behind"] = made_intrinsic(2, _behind(None))
SPACE["_numbers_behind"] = made_intrinsic(2, _behind(Numbers(N)))
SPACE["_reals_behind"] = made_intrinsic(2, _behind(Numbers(F)))
SPACE["_numbers_at"] = made_intrinsic(1, _at_address(Numbers(N)))
SPACE["_reals_at"] = made_intrinsic(1, _at_address(Numbers(F)))
SPACE["_address"] = made_intrinsic(1, _address)
SPACE["_put_feature"] = made_intrinsic(3, _put_feature)
SPACE["_number_at"] = made_intrinsic(2, _number_at)
SPACE |= {name: getattr(builtins, name) for name in ("len", "bool", "range")}
