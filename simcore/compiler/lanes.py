"""Functions over numbers as code for lanes: several matches side by side, a vector's lane for each.

A value is one number, the same in all lanes, or a vector; which, the writing of a function finds
out: it begins with the guess that every local is one number, and is written anew when one turns
out to differ between lanes. Under a test that differs between lanes, code runs with a *mask*, the
lanes for which it runs: locals are blended, the state is blended in memory, a loop runs while any
lane does; what is long is skipped when no lane needs it. All state lies as rows of lanes, so that
code for one match serves one lane, too: `rare` functions run so, one lane after another, in place.

Nothing but the mask keeps a lane from what it does not do. So what a lane would not evaluate must
harm nobody: its indices are 0, its divisors 1, and no mask is made of what it reckons.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from simcore.compiler.emit import (
    _NARROW,
    _PLACES,
    _TYPES,
    _WIDE,
    POINTER,
    WORDS,
    Body,
    Code,
    Val,
    title,
    word,
)
from simcore.compiler.lower import BOOL, INT, Core
from simcore.jit import has_feature

SKIP_FROM = 90
"""Nodes of a body without loops from which on it is skipped by a branch when no lane needs it."""

ENOUGH = 3
"""Lanes that are worth the code for all of them, where masks cost little."""

LANE_BY_LANE = ("deposit", "extract", "nth_bit", "exp", "sqrt")
"""Words for which there is no instruction for vectors."""

MASK = "mask."

_BLEND = "llvm.x86.avx.blendv.pd.256"


def lane_count() -> int:
    """Return how many lanes the processor's vectors have; 1 where they are of no use."""
    if not has_feature("bmi2"):
        return 1
    return 8 if has_feature("avx512vl") else 4 if has_feature("avx2") else 1


def in_lanes(code: Code, name: str, kinds: str, *, apart: bool = False) -> str:
    """Write a function for lanes; return its name.

    Parameters
    ----------
    code : Code
    name : str
        Of the function over numbers.
    kinds : str
        For each of its parameters "v" if it is a vector, else "u".
    apart : bool
        Whether one lane does it after another, as where a function is rare.
    """
    key = f"{name}.{kinds}" + (".apart" if apart else "")
    if key not in code.functions:
        code.functions[key] = ""
        core = code.low.done[name]
        body = Wide(code, key, core, kinds)
        if apart or (core.rare and not body.is_start):
            body.one_lane_after_another()
        else:
            again = True
            while again:
                known = body.varying, body.parting
                body = Wide(code, key, core, kinds, *known)
                body.write()
                again = known != (body.varying, body.parting)
        code.functions[key] = body.text("internal ", "#1" if core.rare or apart else "#0")
    return key


def leaves(node: ast.AST) -> bool:
    """Tell whether a statement may end a function, a loop or a turn of it."""
    return any(isinstance(n, (ast.Return, ast.Break, ast.Continue)) for n in ast.walk(node))


def bits_of(body: Body, mask: Val) -> Val:
    """Return a mask as a number with a bit for each lane."""
    count = body.code.stride
    short = body.new("", f"bitcast <{count} x i1> {body.tests(mask)} to i{count}")
    return body.new(INT, f"zext i{count} {short.text} to i64")


class Wide(Body):
    """Writes one function for lanes.

    Attributes
    ----------
    varying : frozenset of str
        Locals that are vectors.
    parting : frozenset of int
        Loops that some lanes leave before the others, by their nodes' identity.
    masks : list of str
        Where the masks stand: of the function, and of each branch and loop around.
    apart : int
        How many branches and loops are around that not all lanes of the function's mask take.
    """

    def __init__(
        self,
        code: Code,
        name: str,
        core: Core,
        kinds: str,
        varying: frozenset[str] = frozenset(),
        parting: frozenset[int] = frozenset(),
    ) -> None:
        given = code.params_of(core)
        first = given[: len(given) - len(core.params)]
        own = [
            (param, kind if how == "u" else _WIDE[kind])
            for (param, kind), how in zip(given[len(first) :], kinds, strict=True)
        ]
        self.masks: list[str] = []
        self.varying, self.parting, self.apart = varying, parting, 0
        self.varying |= {"lane_number"} | {param for param, kind in own if kind in _NARROW}
        returns = [_WIDE[kind] for kind in core.returns]
        super().__init__(code, name, [*first, (MASK, "B"), *own], core.kinds, returns)
        self.core = core
        self.is_start = core.name in (
            "start_match_",
            "start_round_",
            self.low.program.steps["deal"].name,
        )
        self.masks.append(self.locals[MASK].text)
        self.results = [self.local(f"result.{i}", kind).text for i, kind in enumerate(returns)]
        self.around: list[tuple[ast.stmt, int, int]] = []
        self.ends: dict[int, Val] = {}
        self.exit = self.fresh()
        self.shared = _shared(core.body)
        for param in core.params:  # given one number, it may differ between lanes later
            if param in self.varying and self.locals[param].kind not in _NARROW:
                number = self.x_Name(ast.Name(param))
                place = Val(_WIDE[number.kind], f"%{param}.wide")
                self.first.append(f"  {place.text} = alloca {code.type_of(place.kind)}")
                self.locals[param] = place
                self.keep(place, self.cast(number, place.kind))

    def keep(self, place: Val, value: Val) -> None:
        self.line(f"store {self.code.type_of(place.kind)} {value.text}, ptr {place.text}")

    def write(self) -> None:
        """Write the function."""
        self.block(self.core.body)
        self.jump(self.exit)
        self.begin(self.exit)
        self.give_results()

    def give_results(self) -> None:
        """Return what was kept to be returned."""
        whole, made = self.code.result(self.returns), Val("", "undef")
        for i, (place, kind) in enumerate(zip(self.results, self.returns, strict=True)):
            value, of = self.load(place, kind), self.code.type_of(kind)
            one = f"{of} {value.text}"
            several = len(self.returns) > 1
            made = (
                self.new("", f"insertvalue {whole} {made.text}, {one}, {i}") if several else value
            )
        self.line(f"ret {whole} {made.text}" if self.returns else "ret void")
        self.ended = True

    def load(self, place: str, kind: str) -> Val:
        return self.new(kind, f"load {self.code.type_of(kind)}, ptr {place}")

    def one_lane_after_another(self) -> None:
        """Write a function that calls the one for one match, for each lane of the mask."""
        self.code.want(self.core.name)
        bits, top, inner, after = "%left.at", *(self.fresh() for _ in range(3))
        self.first.append(f"  {bits} = alloca i64")
        self.line(f"store i64 {bits_of(self, self.mask).text}, ptr {bits}")
        self.jump(top)
        self.begin(top)
        left = self.load(bits, INT)
        self.fork(self.cast(left, BOOL).text, inner, after)
        self.begin(inner)
        lane = WORDS["lowest_bit"](self, left)
        self.line(f"store i64 {WORDS['cleared'](self, left).text}, ptr {bits}")
        given = []
        for param, kind in self.code.params_of(self.core):
            value = self.locals[param]
            if param == "s" and kind == POINTER:
                value = WORDS["lane_at"](self, value, lane)
            elif kind not in _PLACES:
                value = self.load(value.text, value.kind)
                if value.kind in _NARROW:
                    value = self.lane_of(value, lane.text)
            given.append(f"{self.code.type_of(kind)} {value.text}")
        whole = self.code.result(self.core.returns)
        text = f"call {whole} @{title(self.core.name)}({', '.join(given)})"
        if self.returns:
            got = self.new(self.core.returns[0], text)
        else:
            self.line(text)
        for i, (place, kind) in enumerate(zip(self.results, self.returns, strict=True)):
            one = got
            if len(self.returns) > 1:
                one = self.new(_NARROW[kind], f"extractvalue {whole} {got.text}, {i}")
            self.keep(Val(kind, place), self.with_lane(self.load(place, kind), lane.text, one))
        self.jump(top)
        self.begin(after)
        self.give_results()

    # -------------------------------------------------------------------------------------- masks

    @property
    def mask(self) -> Val:
        """The lanes for which code runs."""
        return self.load(self.masks[-1], "B")

    def choose(self, test: Val, one: Val, other: Val) -> Val:
        """Return in each lane one or the other."""
        if one.kind == "N" and other.text == self.constant("N", "0") and self.code.truths == "i64":
            return self.new("N", f"and {self.code.type_of('N')} {test.text}, {one.text}")
        of, count = self.code.type_of(one.kind), self.code.stride
        tests = f"<{count} x i1> {self.tests(test)}"
        return self.new(one.kind, f"select {tests}, {of} {one.text}, {of} {other.text}")

    def both(self, mask: Val, test: Val, other: bool = False) -> Val:
        """Return the lanes of a mask where a test holds, or where it does not (`other`)."""
        of = self.code.type_of("B")
        if other:
            test = self.opposite(test)
        fixed = self.new("B", f"freeze {of} {test.text}")
        return self.new("B", f"and {of} {mask.text}, {fixed.text}")

    def opposite(self, test: Val) -> Val:
        ones = self.constant("B", "true")
        return self.new("B", f"xor {self.code.type_of('B')} {test.text}, {ones}")

    def some(self) -> str:
        """Return whether code runs for any lane."""
        return self.cast(bits_of(self, self.mask), BOOL).text

    def begin_mask(self, mask: Val) -> None:
        self.count += 1
        place = f"%mask.{self.count}"
        self.first.append(f"  {place} = alloca {self.code.type_of('B')}")
        self.keep(Val("B", place), mask)
        self.masks.append(place)

    @contextmanager
    def under(self, mask: Val) -> Iterator[None]:
        """Write code for some of the lanes."""
        self.begin_mask(mask)
        self.apart += 1
        yield
        self.apart -= 1
        self.masks.pop()

    def leave(self, first: int) -> None:
        """Take the lanes that run out of all masks from one on."""
        gone = self.mask
        for place in self.masks[first:]:
            rest = self.both(self.load(place, "B"), gone, other=True)
            self.keep(Val("B", place), rest)

    # ---------------------------------------------------------------------------------- statements

    def block(self, body: Sequence[ast.stmt]) -> None:
        """Write statements; the rest after one that lanes may leave is skipped if all have left."""
        skipped = ""
        for i, node in enumerate(body):
            if self.ended:
                break
            if i and leaves(body[i - 1]) and self.is_long(body[i:]):
                more, skipped = self.fresh(), skipped or self.fresh()
                self.fork(self.some(), more, skipped)
                self.begin(more)
            getattr(self, f"do_{type(node).__name__}")(node)
            if isinstance(node, (ast.Return, ast.Break, ast.Continue)):
                break
        if skipped:
            self.jump(skipped)
            self.begin(skipped)

    def is_long(self, body: Sequence[ast.stmt]) -> bool:
        """Tell whether statements are to be skipped by a branch where no lane needs them."""
        nodes = [part for node in body for part in ast.walk(node)]
        size = len(nodes)
        for node in nodes:
            if isinstance(node, (ast.While, ast.For)):
                return True
            core = self.low.done.get(getattr(getattr(node, "func", None), "id", ""))
            if core is not None:
                if core.rare:
                    return True
                size += core.size
        return size >= SKIP_FROM

    def put(self, target: ast.expr, value: Val) -> None:
        if isinstance(target, ast.Name):
            self.put_local(target.id, value)
            return
        if isinstance(target, ast.Subscript) and self.varies(target.slice):
            self.scatter(target, value)
            return
        _, where, mark = self.place(target)
        self.put_row(where, mark, self.mask, self.cast(value, "N"))

    @property
    def aligned(self) -> str:
        return f"align {8 * self.code.stride}"

    def put_local(self, name: str, value: Val) -> None:
        if value.kind in _PLACES:
            self.locals[name] = value
            return
        narrow = self.declared_kinds.get(name, _NARROW.get(value.kind, value.kind))
        if value.kind in _NARROW or (self.apart and name not in self.shared):
            self.varying |= {name}
        if name not in self.varying:
            self.keep(self.local(name, narrow), self.cast(value, narrow))
            return
        place = self.local(name, _WIDE[narrow])
        if place.kind not in _NARROW:  # it was one number so far: all is written anew
            return
        new = self.cast(value, place.kind)
        self.keep(place, self.choose(self.mask, new, self.load(place.text, place.kind)))

    def do_If(self, node: ast.If) -> None:
        if not self.varies(node.test):
            super().do_If(node)
            return
        rarely = isinstance(node.test, ast.Call) and getattr(node.test.func, "id", "") == "rarely"
        test, outer = self.cast(self.x(node.test), "B"), self.mask
        self.branch(self.both(outer, test), node.body, rarely)
        if node.orelse:
            self.branch(self.both(outer, test, other=True), node.orelse)

    def branch(self, mask: Val, body: list[ast.stmt], rarely: bool = False) -> None:
        """Write statements for some of the lanes."""
        with self.under(mask):
            if not (rarely or self.is_long(body)):
                self.block(body)
                return
            inner, after = self.fresh(), self.fresh()
            self.fork(self.some(), inner, after, rarely)
            self.begin(inner)
            self.block(body)
            self.jump(after)
            self.begin(after)

    def do_While(self, node: ast.While) -> None:
        if self.varies(node.test):
            self.parting |= {id(node)}
        self.loop(node, super().do_While)

    def bounds(self, node: ast.For) -> list[str]:
        """Return bounds; where the last differs between lanes each lane's is looked at in turns."""
        high = node.iter.args[-1]  # type: ignore[attr-defined]
        if not self.varies(high):
            return super().bounds(node)
        self.ends[id(node)] = self.cast(self.x(high), "N")
        low = [self.cast(self.x(arg), INT).text for arg in node.iter.args[:-1]]  # type: ignore[attr-defined]
        return [*(low or ["0"]), str((1 << 63) - 1)]

    def do_For(self, node: ast.For) -> None:
        if self.varies(node.iter):
            self.parting |= {id(node)}
        self.loop(node, super().do_For)

    def loop(self, node: Any, write: Callable[[Any], None]) -> None:
        """Write a loop; one that lanes leave apart has masks: of those in it, and in this turn."""
        parting = id(node) in self.parting
        if parting:
            self.begin_mask(self.mask)
            self.begin_mask(self.mask)
            self.apart += 1
        self.around.append((node, self.apart, len(self.masks) - 2))
        write(node)
        self.around.pop()
        if parting:
            self.apart -= 1
            del self.masks[-2:]

    def turn(self, node: Any, more: str, after: str, now: Val | None = None) -> None:
        inner = self.fresh()
        if id(node) in self.parting:
            in_loop, in_turn = (Val("B", place) for place in self.masks[-2:])
            self.keep(in_turn, self.load(in_loop.text, "B"))
            test = None
            if id(node) in self.ends and now is not None:
                test = self.compared(ast.Lt(), now, self.ends[id(node)])
            elif isinstance(node, ast.While) and self.varies(node.test):
                test = self.cast(self.x(node.test), "B")
            if test is not None:
                going_on = self.both(self.mask, test)
                self.keep(in_loop, going_on)
                self.keep(in_turn, going_on)
            self.fork(self.some(), inner, after)
            self.begin(inner)
        elif leaves(node):
            self.fork(self.some(), inner, after)
            self.begin(inner)
        super().turn(node, more, after, now)

    def do_Break(self, node: ast.Break) -> None:
        self.leave_loop(super().do_Break, node, 0)

    def do_Continue(self, node: ast.Continue) -> None:
        self.leave_loop(super().do_Continue, node, 1)

    def leave_loop(self, jump: Callable[[Any], None], node: ast.stmt, first: int) -> None:
        loop, apart, masks = self.around[-1]
        if id(loop) in self.parting:
            self.leave(masks + first)
        elif self.apart == apart:
            jump(node)
        else:
            self.parting |= {id(loop)}

    def do_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            if isinstance(node.value, ast.Tuple):
                values = [self.x(one) for one in node.value.elts]
            elif len(self.returns) > 1:
                values = self.several(node.value)
            else:
                values = [self.x(node.value)]
            for value, kind, place in zip(values, self.returns, self.results, strict=True):
                new = self.choose(self.mask, self.cast(value, kind), self.load(place, kind))
                self.keep(Val(kind, place), new)
        if self.apart:
            self.leave(0)
        else:
            self.jump(self.exit)

    # -------------------------------------------------------------------------------- expressions

    def varies(self, node: ast.AST) -> bool:
        """Tell whether an expression is a vector."""
        return any(
            isinstance(part, ast.Name)
            and (part.id in self.varying or (part.id == "s" and "s" in self.locals))
            for part in ast.walk(node)
        )

    def x_UnaryOp(self, node: ast.UnaryOp) -> Val:
        if isinstance(node.op, ast.Not) and self.varies(node.operand):
            return self.opposite(self.cast(self.x(node.operand), "B"))
        return super().x_UnaryOp(node)

    def x_BoolOp(self, node: ast.BoolOp) -> Val:
        """Write `and` and `or`: what the first parts settle in a lane, the next do not touch."""
        if not self.varies(node):
            return super().x_BoolOp(node)
        is_and, after = isinstance(node.op, ast.And), self.fresh()
        self.begin_mask(self.mask)  # those for which nothing is settled
        left = Val("B", self.masks[-1])
        self.apart += 1
        for part in node.values:
            value = self.x(part)
            test = self.cast(value, "B")
            self.keep(left, self.both(self.mask, test, other=not is_and))
            if value.kind not in _NARROW and part is not node.values[-1]:
                more = self.fresh()
                self.fork(value.text, *((more, after) if is_and else (after, more)))
                self.begin(more)
        self.jump(after)
        self.begin(after)
        self.apart -= 1
        self.masks.pop()
        result = self.load(left.text, "B")
        return result if is_and else self.opposite(result)

    def x_IfExp(self, node: ast.IfExp) -> Val:
        if not self.varies(node.test):
            return super().x_IfExp(node)
        test, outer, arms = self.cast(self.x(node.test), "B"), self.mask, []
        for arm, other in ((node.body, False), (node.orelse, True)):
            with self.under(self.both(outer, test, other)):
                arms.append(self.x(arm))
        kind = _WIDE[_NARROW.get(k := self.common(arms[0].kind, arms[1].kind), k)]
        return self.choose(test, self.cast(arms[0], kind), self.cast(arms[1], kind))

    def x_Call(self, node: ast.Call) -> Val:
        name = node.func.id  # type: ignore[attr-defined]
        if name in self.code.together:
            return self.together_or_apart(node)
        if name in self.low.done or not self.varies(node):
            return super().x_Call(node)
        args = [self.x(arg) for arg in node.args]
        if name in ("divided_by", "modulo") and not args[1].text.isdigit():
            args = [self.cast(arg, "N") for arg in args]
            for i, harmless in enumerate("01"):
                other = Val("N", self.constant("N", harmless))
                args[i] = self.choose(self.mask, args[i], other)
        if name not in LANE_BY_LANE:
            return WORDS[name](self, *args)
        if name == "nth_bit":
            name, args = "nth_one", [WORDS["bit_of"](self, args[1]), args[0]]
        made = Val("", "")
        for lane in range(self.code.stride):
            given = [self.lane_of(a, str(lane)) if a.kind in _NARROW else a for a in args]
            one = WORDS[name](self, *given)
            made = self.with_lane(made if lane else Val(_WIDE[one.kind], "undef"), str(lane), one)
        return made

    def called(
        self, node: ast.Call, mask: str | None = None, *, apart: bool = False
    ) -> tuple[list[str], str]:
        name = node.func.id  # type: ignore[attr-defined]
        core = self.low.done[name]
        if not self.varies(node):
            return super().called(node)
        values = [self.x(arg) for arg in node.args]
        params = self.code.params_of(core)
        first = len(params) - len(core.params)
        kinds, given = "", []
        for (_, kind), value in zip(params, values, strict=True):
            wide = value.kind in _NARROW
            kinds += "v" if wide else "u"
            to = _WIDE[kind] if wide else kind
            given.append(f"{self.code.type_of(to)} {self.cast(value, to).text}")
        given.insert(first, f"{self.code.type_of('B')} {mask or self.mask.text}")
        returns = [_WIDE[kind] for kind in core.returns]
        full = title(in_lanes(self.code, name, kinds[first:], apart=apart))
        return returns, f"call {self.code.result(returns)} @{full}({', '.join(given)})"

    def together_or_apart(self, node: ast.Call) -> Val:
        """Call a function for enough lanes together, else for one lane after another.

        Where masks cost much all must do it together: then there are none.
        """
        every = self.code.truths == "i64"
        needed = self.code.stride if every else ENOUGH
        count = WORDS["popcount"](self, bits_of(self, self.mask)).text
        together, apart, after = self.fresh(), self.fresh(), self.fresh()
        enough = self.new(BOOL, f"icmp uge i64 {count}, {needed}").text
        self.fork(enough, together, apart)
        self.begin(together)
        self.line(self.called(node, self.constant("B", "true") if every else None)[1])
        self.jump(after)
        self.begin(apart)
        self.line(self.called(node, apart=True)[1])
        self.jump(after)
        self.begin(after)
        return Val("", "")

    # -------------------------------------------------------------------------------------- places

    def lane_of(self, value: Val, lane: str) -> Val:
        of, kind = self.code.type_of(value.kind), _NARROW[value.kind]
        one = self.new(kind, f"extractelement {of} {value.text}, i64 {lane}")
        if kind == BOOL and self.code.truths == "i64":
            return self.cast(Val(INT, one.text), BOOL)
        return one

    def with_lane(self, value: Val, lane: str, one: Val) -> Val:
        of, part = self.code.type_of(value.kind), _TYPES[one.kind]
        if value.kind == "B" and self.code.truths == "i64":
            one, part = self.new(INT, f"sext i1 {one.text} to i64"), "i64"
        return self.new(
            value.kind, f"insertelement {of} {value.text}, {part} {one.text}, i64 {lane}"
        )

    def row(self, where: str, mark: str) -> Val:
        return self.new("N", f"load {self.code.type_of('N')}, ptr {where}, {self.aligned}{mark}")

    def put_row(self, where: str, mark: str, mask: Val, new: Val) -> None:
        """Store a vector where a mask is set; not by a store with a mask: reading would wait.

        LLVM makes one of what is read unless that is frozen.
        """
        of = self.code.type_of("N")
        old = self.new("N", f"freeze {of} {self.row(where, mark).text}")
        if self.code.truths == "i64" and mask.text != self.constant("B", "true"):
            each = [
                self.new("", f"bitcast {of} {v.text} to <4 x double>") for v in (old, new, mask)
            ]
            given = ", ".join(f"<4 x double> {one.text}" for one in each)
            name = self.code.declare("<4 x double>", _BLEND, ", ".join(["<4 x double>"] * 3))
            made = self.new("", f"call <4 x double> @{name}({given})")
            new = self.new("N", f"bitcast <4 x double> {made.text} to {of}")
        else:
            new = self.choose(mask, new, old)
        self.line(f"store {of} {new.text}, ptr {where}, {self.aligned}{mark}")

    def read(self, node: ast.expr) -> Val:
        base, index = (node.value, node.slice) if isinstance(node, ast.Subscript) else (node, None)
        in_state = isinstance(base, ast.Attribute) and ast.unparse(base.value) == "s"
        if index is not None and self.varies(index):
            return self.gather(base, self.cast(self.x(index), "N"), in_state)
        if not in_state:
            return super().read(node)
        _, where, mark = self.place(node)
        return self.row(where, mark)

    def gather(self, base: ast.expr, index: Val, in_state: bool) -> Val:
        """Read in each lane at an index of its own."""
        found = Val("N", "undef")
        for lane, (where, mark) in enumerate(self.places(base, index, in_state)):
            one = self.new(INT, f"load i64, ptr {where}, align 8{mark}")
            found = self.with_lane(found, str(lane), one)
        return found

    def places(self, base: ast.expr, index: Val, in_state: bool) -> list[tuple[str, str]]:
        """Return the place of each lane's number; the first one for an index that is none.

        That a lane runs is not asked here: so places that are used again are found once.
        """
        if isinstance(base, ast.Attribute):
            count = (self.low.state if in_state else self.low.options)[base.attr][1]
        else:
            count = len(self.low.tables[ast.unparse(base)])
        of, limit = self.code.type_of("N"), self.constant("N", str(count))
        fixed = self.new("N", f"freeze {of} {index.text}").text
        inside = self.new("", f"icmp ult {of} {fixed}, {limit}").text
        tests = f"<{self.code.stride} x i1> {inside}"
        index = self.new("N", f"select {tests}, {of} {fixed}, {of} zeroinitializer")
        _, start, mark = self.place(ast.Subscript(base, ast.Constant(0)))
        found = []
        for lane in range(self.code.stride):
            one, here = self.lane_of(index, str(lane)).text, start
            if in_state:
                one = self.new(INT, f"mul i64 {one}, {self.code.stride}").text
                here = self.new(
                    POINTER, f"getelementptr inbounds i64, ptr {start}, i64 {lane}"
                ).text
            where = self.new(POINTER, f"getelementptr inbounds i64, ptr {here}, i64 {one}")
            if in_state:
                mark = f", {self.code.tag(base.attr, lane)}"  # type: ignore[attr-defined]
            found.append((where.text, mark))
        return found

    def scatter(self, target: ast.Subscript, value: Val) -> None:
        """Write in each lane at an index of its own; where a lane does not run, what is there."""
        index, value = self.cast(self.x(target.slice), "N"), self.cast(value, "N")
        mask = self.mask
        for lane, (where, mark) in enumerate(self.places(target.value, index, in_state=True)):
            old = self.new(INT, f"load i64, ptr {where}, align 8{mark}").text
            runs, new = (self.lane_of(one, str(lane)).text for one in (mask, value))
            kept = self.new(INT, f"select i1 {runs}, i64 {new}, i64 {old}").text
            self.line(f"store i64 {kept}, ptr {where}, align 8{mark}")


def _shared(body: list[ast.stmt]) -> set[str]:
    """Return the numbers of loops that are not read outside: they are the same in all lanes."""
    found: set[str] = set()
    nodes = [part for node in body for part in ast.walk(node)]
    loops = [node for node in nodes if isinstance(node, ast.For)]
    for name in {ast.unparse(loop.target) for loop in loops}:
        own = [loop for loop in loops if ast.unparse(loop.target) == name]
        inside = {id(part) for loop in own for part in ast.walk(loop)}
        targets = {id(loop.target) for loop in own}
        uses = (n for n in nodes if isinstance(n, ast.Name) and n.id == name)
        if all(id(n) in (targets if isinstance(n.ctx, ast.Store) else inside) for n in uses):
            found.add(name)
    return found


@word
def _nth_one(body: Body, bit: Val, value: Val) -> Val:
    """Return the place of the one bit of a word that stands where `bit` does, counted along it."""
    return WORDS["lowest_bit"](body, WORDS["deposit"](body, bit, value))


@word
def _lane_number(body: Body) -> Val:
    """Return which lane each is."""
    return Val("N", f"<{', '.join(f'i64 {lane}' for lane in range(body.code.stride))}>")


def _let_lanes(name: str) -> None:
    def function(body: Body, bits: Val, state: Val, o: Val, *more: Val) -> Val:
        """Call a function for the lanes of these bits; return the bits of those that say so."""
        count, of, truths = body.code.stride, body.code.type_of("N"), body.code.type_of("B")
        every = body.spread(Val(INT, body.whole(bits)))
        each = f"<{', '.join(f'i64 {1 << lane}' for lane in range(count))}>"
        own = body.new("", f"and {of} {every.text}, {each}").text
        lanes = body.held(body.new("", f"icmp ne {of} {own}, zeroinitializer").text)
        full = title(in_lanes(body.code, name, "u" * len(more)))
        given = "".join(f", i64 {body.whole(one)}" for one in more)
        call = f"@{full}(ptr {state.text}, ptr {o.text}, {truths} {lanes.text}{given})"
        if not body.low.done[name].returns:
            body.line(f"call void {call}")
            return Val("", "")
        fixed = body.new("", f"freeze {truths} {body.new('', f'call {truths} {call}').text}").text
        return bits_of(body, body.new("B", f"and {truths} {lanes.text}, {fixed}"))

    WORDS[f"{name}in_lanes"] = function


_let_lanes("turn_")
_let_lanes("start_")
