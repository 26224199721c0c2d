"""Functions over numbers (`lower.Core`) as LLVM's code.

There are a few kinds of values: whole numbers, floats, truth values, and places in memory. What a
local is its first assignment says. All that is written here is text; `machine` hands it to LLVM.

The state of a match is a row of int64. LLVM is told that the fields of a state are apart, whatever
their indices, and that options never change: so it keeps in registers what a step reads and writes.
"""

from __future__ import annotations

import ast
import struct
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from simcore.compiler.lower import BOOL, FLOAT, INT, Core, Lowering
from simcore.compiler.program import simple_names
from simcore.jit import has_feature

POINTER, WORDS_AT, REALS_AT = "p", "pn", "pf"
"""Kinds of places: a state, or the start of an array of whole numbers or floats."""

_PLACES = (POINTER, WORDS_AT, REALS_AT)

_TYPES = {INT: "i64", FLOAT: "double", BOOL: "i1", POINTER: "ptr", WORDS_AT: "ptr", REALS_AT: "ptr"}
_ZEROS = {INT: "0", FLOAT: "0.0", BOOL: "false"}

_SIGNS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("add", "fadd"),
    ast.Sub: ("sub", "fsub"),
    ast.Mult: ("mul", "fmul"),
    ast.Div: ("", "fdiv"),
    ast.BitAnd: ("and", ""),
    ast.BitOr: ("or", ""),
    ast.BitXor: ("xor", ""),
    ast.LShift: ("shl", ""),
    ast.RShift: ("ashr", ""),
}
_TESTS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("eq", "oeq"),
    ast.NotEq: ("ne", "une"),
    ast.Lt: ("slt", "olt"),
    ast.LtE: ("sle", "ole"),
    ast.Gt: ("sgt", "ogt"),
    ast.GtE: ("sge", "oge"),
}


class Val(NamedTuple):
    """A value: its kind, and what LLVM calls it."""

    kind: str
    text: str


def real_text(number: float) -> str:
    """Return a float as LLVM writes it, bit for bit."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"


def title(name: str) -> str:
    """Return what LLVM calls a function, apart from all that it knows itself."""
    return f"f.{name}"


def called_name(node: ast.AST) -> str:
    """Return the name of the function that is called; nothing where none is."""
    return getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""


class Code:
    """A module of LLVM's under way.

    Parameters
    ----------
    low : Lowering
        The functions, and where fields and options stand.
    checked : bool
        Whether an index outside of what it counts is taken for 0, and noted in `fault` of the
        state: in what users have written.
    """

    def __init__(self, low: Lowering, *, checked: bool = False) -> None:
        self.low, self.checked = low, checked
        self.functions: dict[str, str] = {}
        self.declared: dict[str, str] = {}
        self.tables: dict[str, str] = {}
        self.tags: dict[str, int] = {}
        self.callers: dict[str, int] = {}
        self.unlikely: set[str] = set()
        """What is called where a condition seldom holds."""
        for core in low.done.values():
            for node in core.body:
                for part in ast.walk(node):
                    name = called_name(part)
                    self.callers[name] = self.callers.get(name, 0) + 1
                    if isinstance(part, ast.If) and called_name(part.test) == "rarely":
                        self.unlikely |= {called_name(x) for y in part.body for x in ast.walk(y)}

    # ------------------------------------------------------------------------------------- types

    def result(self, kinds: Sequence[str]) -> str:
        """Return LLVM's type of what a function returns."""
        if not kinds:
            return "void"
        each = [_TYPES[kind] for kind in kinds]
        return each[0] if len(each) == 1 else f"{{ {', '.join(each)} }}"

    def declare(self, result: str, name: str, args: str) -> str:
        """Declare a function that is LLVM's own, or the system's; return its name."""
        self.declared[name] = f"declare {result} @{name}({args})"
        return name

    def table(self, name: str) -> str:
        """Return the name of a table of the rules."""
        if name not in self.tables:
            numbers = ", ".join(f"i64 {number}" for number in self.low.tables[name])
            count = len(self.low.tables[name])
            self.tables[name] = f"@{name} = internal constant [{count} x i64] [{numbers}], align 64"
        return f"@{name}"

    def dividing(self, name: str, *, apart: bool) -> str:
        """Return the name of a function that divides, rounding down.

        By what is no constant it stands `apart`. LLVM is told that it does no harm in vain: so it
        takes it out of loops, which it does with no division of its own.
        """
        title_, marks = title(f"{name}_{'apart' if apart else 'here'}"), "#2" if apart else "#3"
        if title_ not in self.functions:
            given = {"divided_by": "%down", "modulo": "%more"}[name]
            self.functions[title_] = f"""define internal i64 @{title_}(i64 %a, i64 %b) {marks} {{
  %none = icmp eq i64 %b, 0
  %by = select i1 %none, i64 1, i64 %b
  %quotient = sdiv i64 %a, %by
  %product = mul i64 %quotient, %by
  %rest = sub i64 %a, %product
  %signs = xor i64 %rest, %by
  %apart = icmp slt i64 %signs, 0
  %some = icmp ne i64 %rest, 0
  %lower = and i1 %apart, %some
  %less = sext i1 %lower to i64
  %down = add i64 %quotient, %less
  %added = select i1 %lower, i64 %by, i64 0
  %more = add i64 %rest, %added
  ret i64 {given}
}}"""
        return title_

    def tag(self, name: str) -> str:
        """Return the mark of numbers that are not where others with another mark are."""
        number = self.tags.setdefault(name, len(self.tags))
        return f"!tbaa !{10 + 2 * number + 1}"

    # --------------------------------------------------------------------------------- functions

    def saving(self, core: Core) -> str:
        """Return how a function is called: an unlikely one keeps what its callers have at hand."""
        unlikely = core.rare and core.name in self.unlikely and has_feature("sse2")
        return "preserve_mostcc " if unlikely else ""

    def params_of(self, core: Core) -> list[tuple[str, str]]:
        """Return all parameters of a function, with their kinds."""
        first = [] if core.free else [("o", POINTER)]
        if core.uses_state and not core.free:
            first.insert(0, ("s", POINTER))
        return [*first, *((name, core.kinds.get(name, INT)) for name in core.params)]

    def want(self, name: str) -> str:
        """Write a function, and what it calls; return its name."""
        if name not in self.functions:
            self.functions[name] = ""
            core = self.low.done[name]
            self.write(name, core, self.params_of(core), core.body, list(core.returns), core.kinds)
        return name

    def write(
        self,
        name: str,
        core: Core,
        params: list[tuple[str, str]],
        body: list[ast.stmt],
        returns: list[str],
        kinds: dict[str, str],
    ) -> None:
        """Write a function of these parameters and statements."""
        self.functions[name] = ""
        made = Body(self, name, params, kinds, returns)
        names = (name for node in body for name in simple_names(node))
        changed = {name.id for name in names if isinstance(name.ctx, ast.Store)}
        made.steady = {param for param, _ in params} - changed
        made.block(body)
        linkage, marks = f"internal {self.saving(core)}", "#1" if core.rare else "#0"
        self.functions[name] = made.text("" if core.entry else linkage, marks)

    def text(self) -> str:
        """Return the whole module."""
        marks = [
            "attributes #0 = { nounwind }",
            "attributes #1 = { nounwind noinline cold }",
            "attributes #2 = { nounwind noinline willreturn speculatable memory(none) }",
            "attributes #3 = { nounwind alwaysinline }",
            "!0 = !{}",
            '!1 = !{!"branch_weights", i32 1, i32 60}',
            '!2 = !{!"cardlab"}',
        ]
        for name, number in self.tags.items():
            first = 10 + 2 * number
            marks.append(f'!{first} = !{{!"{name}", !2, i64 0}}')
            marks.append(f"!{first + 1} = !{{!{first}, !{first}, i64 0}}")
        parts = [*self.tables.values(), *self.declared.values(), *self.functions.values(), *marks]
        return "\n".join(parts)


class Body:
    """Writes one function."""

    def __init__(
        self,
        code: Code,
        name: str,
        params: list[tuple[str, str]],
        kinds: dict[str, str],
        returns: list[str],
    ) -> None:
        self.code, self.low, self.name, self.returns = code, code.low, name, returns
        self.params = params
        self.declared_kinds = kinds
        self.locals: dict[str, Val] = {}
        self.steady: set[str] = set()
        """Parameters that are never assigned to."""
        self.first: list[str] = []
        self.made: list[str] = []
        self.count = 0
        self.label = "start."
        self.ended = False
        self.loops: list[tuple[str, str]] = []
        for param, kind in params:
            if kind in _PLACES:
                self.locals[param] = Val(kind, f"%{param}")
                continue
            place = self.local(param, kind)
            self.line(f"store {_TYPES[kind]} %{param}, ptr {place.text}")

    def text(self, linkage: str, marks: str) -> str:
        """Return the function."""
        if not self.ended:
            if self.returns:
                self.line("unreachable")
            else:
                self.line("ret void")
        given = []
        for param, kind in self.params:
            note = {"o": " noalias readonly", "s": " noalias"}.get(param, "")
            if note:
                size = self.low.options.size if param == "o" else self.low.state.size
                note += f" nonnull align 8 dereferenceable({8 * size})"
            given.append(f"{_TYPES[kind]}{note if kind == POINTER else ''} %{param}")
        result = self.code.result(self.returns)
        head = f"define {linkage}{result} @{title(self.name)}({', '.join(given)}) {marks} {{"
        return "\n".join([head, "start.:", *self.first, *self.made, "}"])

    # ----------------------------------------------------------------------------------- writing

    def line(self, text: str) -> None:
        self.made.append(f"  {text}")

    def new(self, kind: str, text: str) -> Val:
        """Write an instruction; return what it gives."""
        self.count += 1
        name = f"%v.{self.count}"
        self.made.append(f"  {name} = {text}")
        return Val(kind, name)

    def fresh(self) -> str:
        self.count += 1
        return f"b.{self.count}"

    def begin(self, label: str) -> None:
        """Begin a piece of code to which jumps go."""
        self.made.append(f"{label}:")
        self.label, self.ended = label, False

    def jump(self, label: str) -> None:
        if not self.ended:
            self.line(f"br label %{label}")
            self.ended = True

    def fork(self, test: str, yes: str, no: str, rarely: bool = False) -> None:
        hint = ", !prof !1" if rarely else ""
        self.line(f"br i1 {test}, label %{yes}, label %{no}{hint}")
        self.ended = True

    def local(self, name: str, kind: str) -> Val:
        """Return the place of a local, made where it is first assigned."""
        if name not in self.locals:
            text = f"%{name}.at"
            self.first.append(f"  {text} = alloca {_TYPES[kind]}")
            self.locals[name] = Val(kind, text)
        return self.locals[name]

    # -------------------------------------------------------------------------------- statements

    def block(self, body: Sequence[ast.stmt]) -> None:
        for node in body:
            if self.ended:
                return
            getattr(self, f"do_{type(node).__name__}")(node)

    def do_Pass(self, node: ast.Pass) -> None:
        del node

    def do_Expr(self, node: ast.Expr) -> None:
        self.x(node.value)

    def do_Assign(self, node: ast.Assign) -> None:
        (target,) = node.targets
        if not isinstance(target, ast.Tuple):
            self.put(target, self.x(node.value), getattr(node.value, "id", ""))
            return
        if isinstance(node.value, ast.Tuple):
            values = [self.x(one) for one in node.value.elts]
        else:
            values = self.several(node.value)
        for one, value in zip(target.elts, values, strict=True):
            self.put(one, value)

    def do_AugAssign(self, node: ast.AugAssign) -> None:
        old = ast.parse(ast.unparse(node.target), mode="eval").body
        self.put(node.target, self.operate(node.op, self.x(old), self.x(node.value)))

    def several(self, node: ast.expr) -> list[Val]:
        """Return the values that a call gives."""
        assert isinstance(node, ast.Call), ast.unparse(node)
        kinds, text = self.called(node)
        got = self.new("", text)
        whole = self.code.result(kinds)
        return [
            self.new(kind, f"extractvalue {whole} {got.text}, {place}")
            for place, kind in enumerate(kinds)
        ]

    def put(self, target: ast.expr, value: Val, name: str = "") -> None:
        """Write to a local, a field or an option what was, if it has one, a local by its name."""
        if isinstance(target, ast.Name):
            kind = self.declared_kinds.get(target.id, value.kind)
            if value.kind in _PLACES:
                self.locals[target.id] = value
                return
            place = self.local(target.id, kind)
            value = self.cast(value, place.kind)
            self.line(f"store {_TYPES[place.kind]} {value.text}, ptr {place.text}")
            return
        kind, where, mark = self.place(target)
        if ast.unparse(target) == "s.seat":
            seat = self.inside(self.whole(value), self.low.players, name)
            value = Val(INT, str(seat))
        self.line(f"store {_TYPES[kind]} {self.cast(value, kind).text}, ptr {where}, align 8{mark}")

    def do_If(self, node: ast.If) -> None:
        rarely = isinstance(node.test, ast.Call) and getattr(node.test.func, "id", "") == "rarely"
        test = self.truth(node.test)
        yes, no = self.fresh(), self.fresh()
        after = self.fresh() if node.orelse else no
        self.fork(test, yes, no, rarely)
        self.begin(yes)
        self.block(node.body)
        left = self.ended
        self.jump(after)
        if node.orelse:
            self.begin(no)
            self.block(node.orelse)
            left = left and self.ended
            self.jump(after)
            if left:
                self.ended = True
                return
        self.begin(after)

    def do_While(self, node: ast.While) -> None:
        top, inner, after = self.fresh(), self.fresh(), self.fresh()
        self.jump(top)
        self.begin(top)
        if isinstance(node.test, ast.Constant) and node.test.value:
            self.jump(inner)
        else:
            self.fork(self.truth(node.test), inner, after)
        self.begin(inner)
        self.loops.append((top, after))
        self.block(node.body)
        self.loops.pop()
        self.jump(top)
        self.begin(after)

    def do_For(self, node: ast.For) -> None:
        assert isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Call)  # noqa: PT018
        bounds = [self.cast(self.x(arg), INT).text for arg in node.iter.args]
        low, high = ("0", bounds[0]) if len(bounds) == 1 else bounds[:2]
        step = bounds[2] if len(bounds) > 2 else "1"
        self.count += 1
        at = f"%at.{self.count}"
        self.first.append(f"  {at} = alloca i64")
        self.line(f"store i64 {low}, ptr {at}")
        top, inner, more, after = (self.fresh() for _ in range(4))
        self.jump(top)
        self.begin(top)
        now = self.new(INT, f"load i64, ptr {at}")
        sign = "sgt" if step.startswith("-") else "slt"
        test = self.new(BOOL, f"icmp {sign} i64 {now.text}, {high}")
        self.fork(test.text, inner, after)
        self.begin(inner)
        self.put(node.target, now)
        self.loops.append((more, after))
        self.block(node.body)
        self.loops.pop()
        self.jump(more)
        self.begin(more)
        next_ = self.new(INT, f"add i64 {now.text}, {step}")
        self.line(f"store i64 {next_.text}, ptr {at}")
        self.jump(top)
        self.begin(after)

    def do_Break(self, node: ast.Break) -> None:
        del node
        self.jump(self.loops[-1][1])

    def do_Continue(self, node: ast.Continue) -> None:
        del node
        self.jump(self.loops[-1][0])

    def do_Return(self, node: ast.Return) -> None:
        if node.value is None:
            self.line("ret void")
        elif isinstance(node.value, ast.Tuple) or len(self.returns) > 1:
            if isinstance(node.value, ast.Tuple):
                values = [self.x(one) for one in node.value.elts]
            else:
                values = self.several(node.value)
            whole, made = self.code.result(self.returns), Val("", "undef")
            for place, (kind, value) in enumerate(zip(self.returns, values, strict=True)):
                one = f"{_TYPES[kind]} {self.cast(value, kind).text}"
                made = self.new("", f"insertvalue {whole} {made.text}, {one}, {place}")
            self.line(f"ret {whole} {made.text}")
        else:
            (kind,) = self.returns
            value = self.cast(self.x(node.value), kind)
            self.line(f"ret {_TYPES[kind]} {value.text}")
        self.ended = True

    # ------------------------------------------------------------------------------------- places

    def place(self, node: ast.expr) -> tuple[str, str, str]:
        """Return the kind of what stands at a place, where it is, and its mark."""
        base, index, name = node, None, ""
        if isinstance(node, ast.Subscript):
            base, index = node.value, self.whole(self.x(node.slice))
            name = getattr(node.slice, "id", "")
        if isinstance(base, ast.Attribute):
            holder = ast.unparse(base.value)
            if holder == "o":
                at, count = self.low.options[base.attr]
                index = self.inside(index, count, name)
                return INT, self.index("%o", at, index), ", !invariant.load !0"
            state = self.locals[holder].text
            at, count = self.low.state[base.attr]
            index = self.inside(index, count, name)
            return INT, self.index(state, at, index), f", {self.code.tag(base.attr)}"
        assert isinstance(base, ast.Name) and index is not None, ast.unparse(node)  # noqa: PT018
        if base.id in self.locals:
            one = self.locals[base.id]
            kind = FLOAT if one.kind == REALS_AT else INT
            where = self.new(POINTER, f"getelementptr {_TYPES[kind]}, ptr {one.text}, i64 {index}")
            return kind, where.text, f", {self.code.tag(f'array of {kind}')}"
        index = self.inside(index, len(self.low.tables[base.id]), name)
        return INT, self.in_table(self.code.table(base.id), index), ""

    def fixed(self, node: ast.expr) -> ast.expr:
        """Return, for options whose numbers are known already, a table of these in their place."""
        if not isinstance(node, ast.Subscript):
            return node
        base = node.value
        if isinstance(base, ast.Attribute) and ast.unparse(base.value) == "o":
            at, count = self.low.options[base.attr]
            numbers = [self.low.fixed.get(at + place) for place in range(count)]
            if None not in numbers:
                self.low.tables[f"o_{base.attr}"] = np.array(numbers)
                return ast.Subscript(ast.Name(f"o_{base.attr}", ast.Load()), node.slice)
        return node

    def inside(self, index: str | None, count: int, name: str) -> str | None:
        """Return an index that reaches no memory beyond, where that is to be made sure.

        Of a parameter, by its `name`, LLVM sees then that it need not be looked at again: once an
        index was wrong, all else that happens in the match is void.
        """
        if index is None or not self.code.checked or (index.isdigit() and int(index) < count):
            return index
        beyond = self.new(BOOL, f"icmp uge i64 {index}, {count}").text
        wrong, after, before = self.fresh(), self.fresh(), self.label
        self.fork(beyond, wrong, after, rarely=True)
        self.begin(wrong)
        if "s" in self.locals:
            at = self.low.state["fault"][0]
            where = self.index(self.locals["s"].text, at, None)
            self.line(f"store i64 1, ptr {where}, align 8, {self.code.tag('fault')}")
        self.line(f"br label %{after}")
        self.begin(after)
        index = self.new(INT, f"phi i64 [ {index}, %{before} ], [ 0, %{wrong} ]").text
        if name in self.steady and self.locals[name].kind == INT:
            self.line(f"store i64 {index}, ptr {self.locals[name].text}")
        return index

    def index(self, start: str, at: int, index: str | None) -> str:
        """Return the place of a number of a row."""
        if index is not None and index.lstrip("-").isdigit():
            at, index = at + int(index), None
        first = start
        if at:
            first = self.new(POINTER, f"getelementptr inbounds i64, ptr {start}, i64 {at}").text
        if index is None:
            return first
        return self.new(POINTER, f"getelementptr inbounds i64, ptr {first}, i64 {index}").text

    def in_table(self, table: str, index: str | None) -> str:
        """Return the place of a number of a table."""
        return self.new(POINTER, f"getelementptr inbounds i64, ptr {table}, i64 {index}").text

    def read(self, node: ast.expr) -> Val:
        node = self.fixed(node)
        kind, where, mark = self.place(node)
        name, most = ast.unparse(node), self.low.players
        if name == "o.players":
            mark += f", !range !{{i64 1, i64 {most + 1}}}"
        elif name == "s.seat" and self.code.checked:  # checked when it was written
            mark += f", !range !{{i64 0, i64 {most}}}"
        return self.new(kind, f"load {_TYPES[kind]}, ptr {where}, align 8{mark}")

    # -------------------------------------------------------------------------------- expressions

    def x(self, node: ast.expr) -> Val:
        """Write an expression; return its value."""
        return getattr(self, f"x_{type(node).__name__}")(node)  # type: ignore[no-any-return]

    def x_Constant(self, node: ast.Constant) -> Val:
        if isinstance(node.value, bool):
            return Val(BOOL, "true" if node.value else "false")
        if isinstance(node.value, float):
            return Val(FLOAT, real_text(node.value))
        return Val(INT, str(node.value))

    def x_Name(self, node: ast.Name) -> Val:
        if node.id not in self.locals and node.id in self.low.tables:
            return Val(WORDS_AT, self.code.table(node.id))
        one = self.locals[node.id]
        if one.kind in _PLACES:
            return one
        return self.new(one.kind, f"load {_TYPES[one.kind]}, ptr {one.text}")

    def x_Attribute(self, node: ast.Attribute) -> Val:
        return self.read(node)

    def x_Subscript(self, node: ast.Subscript) -> Val:
        return self.read(node)

    def x_BinOp(self, node: ast.BinOp) -> Val:
        return self.operate(node.op, self.x(node.left), self.x(node.right))

    def operate(self, op: ast.operator, a: Val, b: Val) -> Val:
        kind = self.common(a.kind, b.kind)
        if kind == BOOL and not isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)):
            kind = INT
        if isinstance(op, ast.Div) and kind == INT:
            kind = FLOAT
        a, b = self.cast(a, kind), self.cast(b, kind)
        sign = _SIGNS[type(op)][kind == FLOAT]
        return self.new(kind, f"{sign} {_TYPES[kind]} {a.text}, {b.text}")

    def x_UnaryOp(self, node: ast.UnaryOp) -> Val:
        value = self.x(node.operand)
        kind = _TYPES[value.kind]
        if isinstance(node.op, ast.Not):
            return self.new(BOOL, f"xor i1 {self.as_truth(value)}, true")
        if isinstance(node.op, ast.Invert):
            ones = "true" if value.kind == BOOL else "-1"
            return self.new(value.kind, f"xor {kind} {value.text}, {ones}")
        if value.kind == FLOAT:
            return self.new(value.kind, f"fneg {kind} {value.text}")
        if value.text.isdigit():
            return Val(INT, f"-{value.text}")
        return self.new(value.kind, f"sub {kind} 0, {value.text}")

    def x_Compare(self, node: ast.Compare) -> Val:
        parts = [self.x(node.left), *(self.x(one) for one in node.comparators)]
        each = [
            self.compared(op, a, b) for op, a, b in zip(node.ops, parts, parts[1:], strict=False)
        ]
        result = each[0]
        for one in each[1:]:
            result = self.new(result.kind, f"and {_TYPES[result.kind]} {result.text}, {one.text}")
        return result

    def compared(self, op: ast.cmpop, a: Val, b: Val) -> Val:
        kind = self.common(a.kind, b.kind)
        a, b = self.cast(a, kind), self.cast(b, kind)
        is_real = kind == FLOAT
        word = "fcmp" if is_real else "icmp"
        sign = _TESTS[type(op)][is_real]
        return self.new(BOOL, f"{word} {sign} {_TYPES[kind]} {a.text}, {b.text}")

    def x_BoolOp(self, node: ast.BoolOp) -> Val:
        is_and = isinstance(node.op, ast.And)
        after = self.fresh()
        ways = []
        for place, part in enumerate(node.values):
            test = self.truth(part)
            if place == len(node.values) - 1:
                ways.append((test, self.label))
                self.jump(after)
                break
            ways.append(("false" if is_and else "true", self.label))
            more = self.fresh()
            self.fork(test, *((more, after) if is_and else (after, more)))
            self.begin(more)
        self.begin(after)
        each = ", ".join(f"[ {text}, %{label} ]" for text, label in ways)
        return self.new(BOOL, f"phi i1 {each}")

    def x_IfExp(self, node: ast.IfExp) -> Val:
        test = self.truth(node.test)
        if all(isinstance(arm, (ast.Constant, ast.Name)) for arm in (node.body, node.orelse)):
            a, b = self.x(node.body), self.x(node.orelse)
            kind = self.common(a.kind, b.kind)
            a, b = self.cast(a, kind), self.cast(b, kind)
            of = _TYPES[kind]
            return self.new(kind, f"select i1 {test}, {of} {a.text}, {of} {b.text}")
        yes, no, after = self.fresh(), self.fresh(), self.fresh()
        self.fork(test, yes, no)
        self.begin(yes)
        a = self.x(node.body)
        kept, first_end, self.made = self.made, self.label, []
        self.begin(no)
        b = self.x(node.orelse)
        second, second_end, self.made = self.made, self.label, kept
        kind = self.common(a.kind, b.kind)
        a = self.cast(a, kind)
        self.line(f"br label %{after}")
        self.made += second
        b = self.cast(b, kind)
        self.line(f"br label %{after}")
        self.begin(after)
        each = f"[ {a.text}, %{first_end} ], [ {b.text}, %{second_end} ]"
        return self.new(kind, f"phi {_TYPES[kind]} {each}")

    # -- kinds ----------------------------------------------------------------------------------

    def common(self, a: str, b: str) -> str:
        """Return the kind in which two are reckoned."""
        if a == b:
            return a
        return FLOAT if FLOAT in (a, b) else INT if INT in (a, b) else BOOL

    def cast(self, value: Val, kind: str) -> Val:
        """Return a value as one of another kind."""
        if value.kind == kind:
            return value
        one, two = value.kind, kind
        if two == FLOAT and one == INT and value.text.lstrip("-").isdigit():
            return Val(FLOAT, real_text(float(value.text)))
        word = {
            (INT, FLOAT): "sitofp",
            (BOOL, INT): "zext",
            (BOOL, FLOAT): "uitofp",
        }.get((one, two))
        a, b = _TYPES[value.kind], _TYPES[kind]
        if word is None and two == BOOL:
            return self.new(kind, f"icmp ne {a} {value.text}, 0")
        assert word is not None, f"{self.name}: {value} as {kind}"
        return self.new(kind, f"{word} {a} {value.text} to {b}")

    def truth(self, node: ast.expr) -> str:
        return self.as_truth(self.x(node))

    def as_truth(self, value: Val) -> str:
        return self.cast(value, BOOL).text

    # -- calls ----------------------------------------------------------------------------------

    def called(self, node: ast.Call) -> tuple[list[str], str]:
        """Return the kinds of what a function of the program returns, and the text of its call."""
        name = node.func.id  # type: ignore[attr-defined]
        core = self.low.done[name]
        self.code.want(name)
        params = self.code.params_of(core)
        assert len(params) == len(node.args), f"{self.name}: {ast.unparse(node)}"
        given = []
        for (_, kind), arg in zip(params, node.args, strict=True):
            value = self.cast(self.x(arg), kind)
            given.append(f"{_TYPES[kind]} {value.text}")
        kind = f"{self.code.saving(core)}{self.code.result(core.returns)}"
        return list(core.returns), f"call {kind} @{title(name)}({', '.join(given)})"

    def x_Call(self, node: ast.Call) -> Val:
        name = node.func.id  # type: ignore[attr-defined]
        if name in self.low.done:
            kinds, text = self.called(node)
            if not kinds:
                self.line(text)
                return Val("", "")
            assert len(kinds) == 1, f"{self.name}: {ast.unparse(node)}"
            return self.new(kinds[0], text)
        word = WORDS[name]
        return word(self, *(self.x(arg) for arg in node.args))

    def whole(self, value: Val) -> str:
        return self.cast(value, INT).text

    def intrinsic(self, name: str, value: Val, more: str = "") -> Val:
        """Call what LLVM knows of a whole number."""
        flag = ", i1" if more else ""
        full = self.code.declare("i64", f"llvm.{name}.i64", f"i64{flag}")
        return self.new(INT, f"call i64 @{full}(i64 {value.text}{more})")

    def number(self, value: Val) -> Val:
        """Return a whole number."""
        return self.cast(value, INT)

    def fewest(self, name: str, one: str, two: str) -> str:
        """Return the lower or the higher of two whole numbers."""
        full = self.code.declare("i64", f"llvm.{name}.i64", "i64, i64")
        return self.new("", f"call i64 @{full}(i64 {one}, i64 {two})").text

    def pair(self, a: Val, b: Val) -> tuple[str, str]:
        """Return two values as whole numbers."""
        return self.whole(a), self.whole(b)


Word = Callable[..., Val]
WORDS: dict[str, Word] = {}
"""What functions call that is no function: by name, what writes it."""


def word(function: Any) -> Any:
    """Register a word under its function's name, without the first sign."""
    WORDS[function.__name__[1:]] = function
    return function


@word
def _rarely(_body: Body, test: Val) -> Val:
    return test


@word
def _choose(body: Body, test: Val, a: Val, b: Val) -> Val:
    kind = body.common(a.kind, b.kind)
    one, two = body.cast(a, kind).text, body.cast(b, kind).text
    of = _TYPES[kind]
    return body.new(kind, f"select i1 {body.as_truth(test)}, {of} {one}, {of} {two}")


@word
def _popcount(body: Body, value: Val) -> Val:
    return body.intrinsic("ctpop", body.number(value))


@word
def _lowest_bit(body: Body, value: Val) -> Val:
    return body.intrinsic("cttz", body.number(value), ", i1 true")


@word
def _highest_bit(body: Body, value: Val) -> Val:
    zeros = body.intrinsic("ctlz", body.number(value), ", i1 true")
    return body.new(INT, f"sub i64 63, {zeros.text}")


def _of_two(name: str, sign: str) -> None:
    def function(body: Body, a: Val, b: Val) -> Val:
        one, two = body.pair(a, b)
        return body.new(INT, f"{sign} i64 {one}, {two}")

    WORDS[name] = function


_of_two("shr", "lshr")
_of_two("wadd", "add")
_of_two("wmul", "mul")


@word
def _rotl(body: Body, a: Val, b: Val) -> Val:
    one, two = body.pair(a, b)
    name = body.code.declare("i64", "llvm.fshl.i64", "i64, i64, i64")
    return body.new(INT, f"call i64 @{name}(i64 {one}, i64 {one}, i64 {two})")


@word
def _has_bit(body: Body, a: Val, b: Val) -> Val:
    one, two = body.pair(a, b)
    inside = body.new("", f"icmp ult i64 {two}, 64").text
    place = body.new("", f"and i64 {two}, 63").text
    shifted = body.new("", f"lshr i64 {one}, {place}").text
    bit = body.new("", f"and i64 {shifted}, 1").text
    return body.new(INT, f"select i1 {inside}, i64 {bit}, i64 0")


def _divides(name: str) -> None:
    def function(body: Body, a: Val, b: Val) -> Val:
        one, two = body.pair(a, b)
        full = body.code.dividing(name, apart=not two.lstrip("-").isdigit())
        return body.new(INT, f"call i64 @{full}(i64 {one}, i64 {two})")

    WORDS[name] = function


_divides("divided_by")
_divides("modulo")


@word
def _real(body: Body, value: Val) -> Val:
    return body.cast(body.number(value), FLOAT)


@word
def _cut(body: Body, value: Val) -> Val:
    return body.new(INT, f"fptosi {_TYPES[value.kind]} {value.text} to i64")


@word
def _as_real(body: Body, value: Val) -> Val:
    return body.new(FLOAT, f"bitcast {_TYPES[value.kind]} {value.text} to double")


@word
def _whole(body: Body, value: Val) -> Val:
    return body.number(value)


@word
def _bit_of(body: Body, value: Val) -> Val:
    place = body.new("", f"and i64 {body.whole(value)}, 63").text
    return body.new(INT, f"shl i64 1, {place}")


@word
def _cleared(body: Body, value: Val) -> Val:
    less = body.new("", f"add i64 {value.text}, -1").text
    return body.new(INT, f"and i64 {value.text}, {less}")


@word
def _below_bit(body: Body, value: Val, count: Val) -> Val:
    """Return so many bits of a word from the lowest on: none below 0, all from 64 on."""
    one, two = body.pair(value, count)
    least = body.fewest("smax", two, "0")
    if has_feature("bmi2"):
        most = body.fewest("smin", least, "64")
        name = body.code.declare("i64", "llvm.x86.bmi.bzhi.64", "i64, i64")
        return body.new(INT, f"call i64 @{name}(i64 {one}, i64 {most})")
    part = body.new("", f"icmp ult i64 {least}, 64").text
    shifted = body.new("", f"shl i64 -1, {least}").text
    above = body.new("", f"select i1 {part}, i64 {shifted}, i64 0").text
    below = body.new("", f"xor i64 {above}, -1").text
    return body.new(INT, f"and i64 {one}, {below}")


def _extreme(name: str, whole_word: str, sign: str) -> None:
    def function(body: Body, a: Val, b: Val) -> Val:
        kind = body.common(a.kind, b.kind)
        kind = INT if kind == BOOL else kind
        one, two = body.cast(a, kind).text, body.cast(b, kind).text
        if kind == FLOAT:
            test = body.new("", f"fcmp {sign} double {one}, {two}").text
            return body.new(kind, f"select i1 {test}, double {one}, double {two}")
        return Val(INT, body.fewest(whole_word, one, two))

    WORDS[name] = function


_extreme("max", "smax", "ogt")
_extreme("min", "smin", "olt")


def _bits(name: str, instruction: str, several: str) -> None:
    """Register a word that is one instruction where the processor has it, else a function."""

    def function(body: Body, a: Val, b: Val) -> Val:
        one, two = body.whole(a), body.whole(b)
        if has_feature("bmi2"):
            full = body.code.declare("i64", f"llvm.x86.bmi.{instruction}.64", "i64, i64")
            return body.new(INT, f"call i64 @{full}(i64 {one}, i64 {two})")
        if several not in body.low.done:
            add_function(body.low, several, _SOFT[several])
        body.code.want(several)
        return body.new(INT, f"call i64 @{title(several)}(i64 {one}, i64 {two})")

    WORDS[name] = function


_SOFT = {
    "deposit_": """def deposit_(pattern, word):
    chosen = 0
    while pattern != 0 and word != 0:
        if (pattern & 1) != 0:
            chosen = chosen | (word & (0 - word))
        word = cleared(word)
        pattern = shr(pattern, 1)
    return chosen""",
    "extract_": """def extract_(chosen, mask):
    pattern = 0
    place = 0
    while mask != 0:
        if (chosen & mask & (0 - mask)) != 0:
            pattern = pattern | (1 << place)
        mask = cleared(mask)
        place = place + 1
    return pattern""",
}
_bits("deposit", "pdep", "deposit_")
_bits("extract", "pext", "extract_")


@word
def _nth_bit(body: Body, value: Val, index: Val) -> Val:
    bit = body.new(INT, f"shl i64 1, {body.whole(index)}")
    return body.intrinsic("cttz", WORDS["deposit"](body, bit, value), ", i1 true")


def add_function(low: Lowering, name: str, source: str, **kinds: str) -> Core:
    """Add a function of numbers alone, from its source; `returns` may be told, too."""
    returns = tuple(kinds.pop("returns", INT))
    tree = ast.parse(source).body[0]
    assert isinstance(tree, ast.FunctionDef)
    params = [arg.arg for arg in tree.args.args]
    core = Core(name, params, tree.body, dict(kinds), returns, uses_state=False, free=True)
    return low.add(core)


# ------------------------------------------------------------------------- states, and their room


def _bytes(body: Body, count: Val) -> str:
    return body.new(INT, f"shl i64 {body.whole(count)}, 3").text


@word
def _clear(body: Body, state: Val, count: Val) -> Val:
    """Set so many numbers to 0."""
    name = body.code.declare("void", "llvm.memset.p0.i64", "ptr, i8, i64, i1")
    body.line(f"call void @{name}(ptr align 8 {state.text}, i8 0, i64 {_bytes(body, count)}, i1 0)")
    return Val("", "")


@word
def _copy_state(body: Body, target: Val, source: Val) -> Val:
    name = body.code.declare("void", "llvm.memcpy.p0.p0.i64", "ptr, ptr, i64, i1")
    count = body.low.state.size * 8
    body.line(
        f"call void @{name}(ptr align 8 {target.text}, ptr align 8 {source.text}, "
        f"i64 {count}, i1 0)"
    )
    return Val("", "")


@word
def _state_after(body: Body, state: Val, number: Val) -> Val:
    """Return the place of another state, so many after one."""
    at = body.new(INT, f"mul i64 {body.whole(number)}, {body.low.state.size}").text
    return body.new(POINTER, f"getelementptr i64, ptr {state.text}, i64 {at}")


@word
def _words_at(body: Body, state: Val, number: Val) -> Val:
    where = body.new(POINTER, f"getelementptr i64, ptr {state.text}, i64 {body.whole(number)}")
    return Val(WORDS_AT, where.text)


@word
def _reals_at(body: Body, state: Val, number: Val) -> Val:
    return Val(REALS_AT, _words_at(body, state, number).text)


@word
def _option(body: Body, index: Val) -> Val:
    """Return an option's number by its place."""
    where = body.new(POINTER, f"getelementptr i64, ptr %o, i64 {body.whole(index)}")
    return body.new(INT, f"load i64, ptr {where.text}, align 8, !invariant.load !0")


@word
def _ask_at(body: Body, address: Val, state: Val, _o: Val, *numbers: Val) -> Val:
    """Call a policy by its address."""
    where = body.new(POINTER, f"inttoptr i64 {body.whole(address)} to ptr").text
    given = "".join(f", i64 {body.whole(one)}" for one in numbers)
    return body.new(INT, f"call i64 {where}(ptr {state.text}, ptr %o{given})")


def _writes(name: str, of: str) -> None:
    def function(body: Body, array: Val, index: Val, value: Val) -> Val:
        place = body.whole(index)
        where = body.new(POINTER, f"getelementptr {of}, ptr {array.text}, i64 {place}").text
        short = body.new("", f"trunc i64 {body.whole(value)} to {of}").text
        body.line(f"store {of} {short}, ptr {where}, {body.code.tag('a column')}")
        return Val("", "")

    WORDS[name] = function


_writes("put_byte", "i8")
_writes("put_half", "i16")
_writes("put_short", "i32")


@word
def _metric_of(body: Body, state: Val, number: Val) -> Val:
    """Return a metric by its place; they stand one behind the other."""
    first = body.low.state[f"count_{body.low.program.metrics[0]}"][0]
    where = body.index(state.text, first, body.whole(number))
    return body.new(INT, f"load i64, ptr {where}, align 8")


@word
def _exp(body: Body, value: Val) -> Val:
    name = body.code.declare("double", "llvm.exp.f64", "double")
    return body.new(FLOAT, f"call double @{name}(double {body.cast(value, FLOAT).text})")


@word
def _sqrt(body: Body, value: Val) -> Val:
    name = body.code.declare("double", "llvm.sqrt.f64", "double")
    return body.new(FLOAT, f"call double @{name}(double {body.cast(value, FLOAT).text})")
