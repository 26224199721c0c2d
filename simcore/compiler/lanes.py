"""Functions over numbers as code for lanes: several matches side by side, a vector's lane for each.

A number is one, the same in all lanes, or a vector. Which of both a local is, the writing of a
function finds out: it begins with the guess that all are one number, and is written anew when one
turns out to differ between lanes. What `emit` writes for one match is written for vectors wherever
one of the numbers that an instruction is given is a vector (`Wide.lifted`).

Under a test that differs between lanes, code runs with a *mask*, the lanes for which it runs:
locals and the state are blended, a loop runs while any lane does, and what is long is skipped where
no lane needs it. `rare` functions, and what has no instruction for vectors, are done by one lane
after another, in place: the state lies as rows of lanes.

Nothing but the mask keeps a lane from what it does not do. So what a lane would not evaluate must
harm nobody: its indices are 0, its divisors 1, and no mask is made of what it reckons.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from simcore.compiler.emit import _PLACES, _TYPES, POINTER, WORDS, Body, Code, Val, title, word
from simcore.compiler.lower import BOOL, INT, Core
from simcore.jit import has_feature

PAYS_IN = ("upordown",)
"""Games that are quicker in lanes; by an estimate, others gain little (`compiling.md`)."""

FEWEST = 20_000
"""Matches of a block from which on it pays to compile what plays them in lanes."""

SKIP_FROM = 30
"""Nodes of a body without loops from which on it is skipped by a branch when no lane needs it."""

MASK = "mask."

_PARTS = re.compile(
    r"@[\w.]+|i1 true\)|%[\w.]+|\b(?:i64|i1|double|ptr)\b"
    r"|(?<![\w.])(?:0x[0-9A-F]+|-?\d+|true|false|undef)\b"
)
"""What is looked at in an instruction: functions, names, types and constants."""


@dataclass
class _Known:
    """What has been found out about a function.

    Attributes
    ----------
    varying : set of str
        Locals that are vectors.
    parting : set of str
        Loops that some lanes leave before others, by their titles.
    kinds : dict
        Of locals that take the values of expressions with branches.
    titles : dict
        Names of pieces of the function, by what they are.
    """

    varying: set[str] = field(default_factory=lambda: {MASK})
    parting: set[str] = field(default_factory=set)
    kinds: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)

    def size(self) -> tuple[int, ...]:
        """Return how much is known."""
        return len(self.varying), len(self.parting), len(self.kinds)


def lanes_for(game: str, matches: int) -> int:
    """Return in how many lanes a block is played, 1 for one match after another.

    Rows do not depend on it. Tests tell the number by `CARDLAB_LANES`.
    """
    told = os.environ.get("CARDLAB_LANES")
    if told is not None:
        return max(int(told), 1)
    has_vectors = has_feature("avx512vpopcntdq") and has_feature("avx512vl") and has_feature("bmi2")
    return 8 if has_vectors and game in PAYS_IN and matches >= FEWEST else 1


def in_lanes(code: Code, name: str, given: str) -> str:
    """Write a function for lanes; return its name.

    Parameters
    ----------
    code : Code
    name : str
        Of the function over numbers.
    given : str
        For each of its parameters "v" if it is a vector, else "u".
    """
    key = f"{name}.{given}"
    if key not in code.functions:
        code.functions[key] = ""
        core, known, size = code.low.done[name], _Known(), None
        while size != known.size():
            size = known.size()
            body = Wide(code, key, core, given, known)
            body.write()
        linkage = "" if core.entry else "internal "
        code.functions[key] = body.text(linkage, "#1" if body.is_apart else "#0")
    return key


def leaves(node: ast.AST) -> bool:
    """Tell whether a statement may end a function, a loop or a turn of it."""
    return any(isinstance(n, ast.Return | ast.Break | ast.Continue) for n in ast.walk(node))


class Wide(Body):
    """Writes one function for lanes.

    Attributes
    ----------
    wide : set of str
        What is a vector, or the place of one, as LLVM calls it.
    rows : set of str
        Places in the state where all lanes have the same index.
    apart : int
        How many branches and loops are around that not all lanes of the function's mask take.
    """

    def __init__(self, code: Code, name: str, core: Core, given: str, known: _Known) -> None:
        self.core, self.known, self.count_of = core, known, code.lanes
        self.vector = {of: f"<{code.lanes} x {of}>" for of in ("i64", "i1", "double")}
        own = [(param, core.kinds.get(param, INT)) for param in core.params]
        first = code.params_of(core)[: -len(own) or None]
        known.varying |= {p for p, how in zip(core.params, given, strict=True) if how == "v"}
        vectors = (p for p, how in zip(core.params, given, strict=True) if how == "v")
        self.wide = {f"%{name}" for name in (MASK, *vectors)}
        self.rows, self.apart = set[str](), 0
        self.around: list[tuple[str, int, dict[type, Val], Sequence[ast.stmt]]] = []
        deal = code.low.program.steps["deal"].name
        self.is_apart = core.rare and core.name not in ("start_match_", "start_round_", deal)
        super().__init__(code, name, [*first, (MASK, BOOL), *own], core.kinds, list(core.returns))
        self.results = [self.room(kind) for kind in core.returns]
        self.exit = self.fresh()
        self.shared = _shared(core.body)

    def write(self) -> None:
        """Write the function."""
        if self.is_apart:
            self.one_lane_after_another()
        else:
            self.block(self.core.body)
        self.jump(self.exit)
        self.begin(self.exit)
        whole, made = self.result_type(self.returns), "undef"
        for place, result in enumerate(self.results):
            value = f"{self.vector[_TYPES[result.kind]]} {self.load(result).text}"
            if len(self.returns) > 1:
                value = f"{whole} {made}, {value}, {place}"
                made = self.new("", f"insertvalue {value}").text
                value = f"{whole} {made}"
        self.line(f"ret {value}" if self.returns else "ret void")
        self.ended = True

    def one_lane_after_another(self) -> None:
        """Write a function that calls the one for one match, for each lane of the mask."""
        self.code.want(self.core.name)
        top, inner, after = (self.fresh() for _ in range(3))
        bits = f"%{self.fresh()}.at"
        self.first.append(f"  {bits} = alloca i64")
        self.line(f"store i64 {self.bits(self.mask)}, ptr {bits}")
        self.jump(top)
        self.begin(top)
        left = self.new(INT, f"load i64, ptr {bits}")
        self.fork(self.cast(left, BOOL).text, inner, after)
        self.begin(inner)
        lane = WORDS["lowest_bit"](self, left)
        self.line(f"store i64 {WORDS['cleared'](self, left).text}, ptr {bits}")
        given = []
        for param, kind in self.code.params_of(self.core):
            text = self.locals[param].text
            if param == "s":
                text = super().new(kind, f"getelementptr i64, ptr %s, i64 {lane.text}").text
            elif kind not in _PLACES:
                text = self.lane_of(self.load(self.locals[param]), lane.text)
            given.append(f"{_TYPES[kind]} {text}")
        whole = self.code.result(self.returns)
        how = f"{self.code.saving(self.core)}{whole}"
        call = f"call {how} @{title(self.core.name)}({', '.join(given)})"
        if not self.returns:
            self.line(call)
        else:
            one = got = super().new(self.returns[0], call).text
        for place, result in enumerate(self.results):
            if len(self.returns) > 1:
                one = super().new("", f"extractvalue {whole} {got}, {place}").text
            self.keep(result, self.with_lane(self.load(result).text, lane.text, result.kind, one))
        self.jump(top)
        self.begin(after)

    # ------------------------------------------------------------------------------- instructions

    def is_wide(self, text: str) -> bool:
        return any(name in self.wide for name in re.findall(r"%[\w.]+", text))

    def typed(self, text: str) -> str:
        return self.lifted(text) if self.is_wide(text) else text

    def result_type(self, kinds: Sequence[str]) -> str:
        return re.sub(r"i64|i1|double", lambda m: self.vector[m.group()], self.code.result(kinds))

    def line(self, text: str) -> None:
        super().line(self.lifted(text) if text.startswith("store") and self.is_wide(text) else text)

    def new(self, kind: str, text: str) -> Val:
        """Write an instruction; one that is given a vector is one for vectors."""
        if f"<{self.count_of} x" not in text:
            if not self.is_wide(text):
                return super().new(kind, text)
            if re.search(r"@(?!llvm\.)|@llvm\.x86", text):
                return self.by_lane(kind, text)
            text = self.lifted(text)
        made = super().new(kind, text)
        self.wide.add(made.text)
        return made

    def lifted(self, text: str) -> str:
        """Return an instruction as one for vectors; what is one number is so in all lanes."""
        head, *more = re.split(r"(?=, align |, !)", text, maxsplit=1)
        of = ""

        def part(found: re.Match[str]) -> str:
            nonlocal of
            one = found.group()
            if one.startswith("@"):
                return self.declared(one)
            if one in self.vector or one == "ptr":
                of = one
                return self.vector.get(one, one)
            if of in ("", "ptr") or one in self.wide or one == "i1 true)":
                return one
            return self.spread(one, of)

        return "".join([_PARTS.sub(part, head), *more])

    def declared(self, name: str) -> str:
        """Return the name of a function of LLVM's for vectors."""
        full = re.sub(r"\.([if]64)$", rf".v{self.count_of}\1", name[1:])
        text = self.code.declared[name[1:]].replace(name[1:], full)
        text = re.sub(r"\b(?<!\.)(?:i64|double)\b", lambda m: self.vector[m.group()], text)
        self.code.declared[full] = text
        return f"@{full}"

    def spread(self, one: str, of: str) -> str:
        """Return a vector of one number."""
        if not one.startswith("%"):
            return one if one == "undef" else f"splat ({of} {one})"
        whole = self.vector[of]
        first = self.new("", f"insertelement {whole} poison, {of} {one}, i64 0").text
        order = f"<{self.count_of} x i32> zeroinitializer"
        return self.new("", f"shufflevector {whole} {first}, {whole} poison, {order}").text

    def lane_of(self, value: Val, lane: str) -> str:
        if value.text not in self.wide:
            return value.text
        whole = self.vector[_TYPES[value.kind]]
        return super().new("", f"extractelement {whole} {value.text}, i64 {lane}").text

    def with_lane(self, whole: str, lane: str, kind: str, one: str) -> Val:
        of = _TYPES[kind]
        return self.new(kind, f"insertelement {self.vector[of]} {whole}, {of} {one}, i64 {lane}")

    def by_lane(self, kind: str, text: str) -> Val:
        """Write what there is for one number only, for each lane."""
        names = {n: o for o, n in re.findall(r"(i64|i1|double) (%[\w.]+)", text) if n in self.wide}
        made = Val(kind, "poison")
        for lane in range(self.count_of):
            one = text
            for name, of in names.items():
                own = f"extractelement {self.vector[of]} {name}, i64 {lane}"
                mine = super().new("", own).text
                one = re.sub(rf"{re.escape(name)}(?![\w.])", mine, one)
            made = self.with_lane(made.text, str(lane), kind, super().new(kind, one).text)
        return made

    def local(self, name: str, kind: str) -> Val:
        if name not in self.locals and name in self.known.varying:
            self.locals[name] = self.room(kind)
        return super().local(name, kind)

    def room(self, kind: str) -> Val:
        """Return a place for a vector."""
        self.count += 1
        text = f"%wide.{self.count}"
        self.first.append(f"  {text} = alloca {self.vector[_TYPES[kind]]}")
        self.wide.add(text)
        return Val(kind, text)

    def load(self, place: Val) -> Val:
        return self.new(place.kind, f"load {_TYPES[place.kind]}, ptr {place.text}")

    def keep(self, place: Val, value: Val) -> None:
        self.line(f"store {_TYPES[place.kind]} {value.text}, ptr {place.text}")

    # -------------------------------------------------------------------------------------- masks

    @property
    def mask(self) -> Val:
        """The lanes for which code runs."""
        return self.load(self.locals[MASK])

    @mask.setter
    def mask(self, value: Val) -> None:
        self.keep(self.locals[MASK], value)

    @property
    def none(self) -> Val:
        return Val(BOOL, "false")

    def both(self, a: Val, b: Val, sign: str = "and") -> Val:
        return self.new(BOOL, f"{sign} i1 {a.text}, {b.text}")

    def fixed_test(self, node: ast.expr) -> Val:
        """Return a test of which nothing is left open, also where a lane does not run."""
        return self.new(BOOL, f"freeze i1 {self.truth(node)}")

    def opposite(self, test: Val) -> Val:
        return self.both(test, Val(BOOL, "true"), "xor")

    def bits(self, mask: Val) -> str:
        """Return a mask as a number with a bit for each lane."""
        count = self.count_of
        short = super().new("", f"bitcast <{count} x i1> {mask.text} to i{count}").text
        return super().new(INT, f"zext i{count} {short} to i64").text

    def some(self) -> str:
        """Return whether code runs for any lane."""
        return super().new(BOOL, f"icmp ne i64 {self.bits(self.mask)}, 0").text

    def blended(self, new: Val, old: Val) -> Val:
        """Return what is new in lanes for which code runs."""
        of = _TYPES[old.kind]
        return self.new(old.kind, f"select i1 {self.mask.text}, {of} {new.text}, {of} {old.text}")

    # --------------------------------------------------------------------------------- statements

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
            if isinstance(node, ast.Return | ast.Break | ast.Continue):
                break
        if skipped:
            self.jump(skipped)
            self.begin(skipped)

    def is_long(self, body: Sequence[ast.stmt]) -> bool:
        """Tell whether statements are to be skipped by a branch where no lane needs them."""
        nodes = [part for node in body for part in ast.walk(node)]
        size = len(nodes)
        for node in nodes:
            name = getattr(getattr(node, "func", None), "id", "")
            core = self.low.done.get(name)
            loops = isinstance(node, ast.While | ast.For)
            if loops or name == "ask_at" or (core is not None and core.rare):
                return True
            size += core.size if core is not None else 0
        return size >= SKIP_FROM

    def put(self, target: ast.expr, value: Val, name: str = "") -> None:
        if isinstance(target, ast.Name):
            self.put_local(target.id, value)
            return
        kind, where, mark = self.place(target)
        value = self.cast(value, kind)
        if ast.unparse(target) == "s.seat" and self.core.name != "play_":
            value = Val(kind, str(self.inside(value.text, self.low.players, name)))
        if where in self.wide:
            self.scatter(where, value, mark)
            return
        row = f"load {self.vector['i64']}, ptr {where}, align {8 * self.count_of}{mark}"
        old = self.new(kind, f"freeze i64 {self.new(kind, row).text}")
        whole, new = self.vector["i64"], self.blended(value, old).text
        super().line(f"store {whole} {new}, ptr {where}, align {8 * self.count_of}{mark}")

    def put_local(self, name: str, value: Val) -> None:
        if value.kind in _PLACES:
            self.locals[name] = value
            return
        if value.text in self.wide or (self.apart and name not in self.shared):
            self.known.varying.add(name)
        kind = self.declared_kinds.get(name, self.known.kinds.get(name, value.kind))
        place = self.local(name, kind)
        if self.common(value.kind, place.kind) != place.kind and name in self.known.titles.values():
            self.known.kinds[name] = value.kind  # all is written anew
            return
        value = self.cast(value, place.kind)
        if place.text in self.wide:
            self.keep(place, self.blended(value, self.load(place)) if self.apart else value)
        elif value.text not in self.wide:
            self.keep(place, value)

    def do_If(self, node: ast.If) -> None:
        if not self.varies(node.test):
            super().do_If(node)
            return
        rarely = isinstance(node.test, ast.Call) and getattr(node.test.func, "id", "") == "rarely"
        test, outer = self.fixed_test(node.test), self.mask
        self.apart += 1
        self.mask = self.both(outer, test)
        self.branch(node.body, rarely)
        left = self.mask
        self.mask = self.both(outer, self.opposite(test))
        if node.orelse:
            self.branch(node.orelse)
        self.mask = self.both(left, self.mask, "or") if leaves(node) else outer
        self.apart -= 1

    def branch(self, body: list[ast.stmt], rarely: bool = False) -> None:
        """Write statements for some of the lanes."""
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
        first = list[ast.stmt]()
        if self.varies(node.test):
            first = [ast.If(node.test, [ast.Pass()], [ast.Break()])]
            node = ast.While(ast.Constant(True), node.body, [])
            self.known.parting.add(self.title_of(node))
        self.loop(node, super().do_While, first)

    def do_For(self, node: ast.For) -> None:
        self.loop(node, super().do_For)

    def title_of(self, node: ast.AST) -> str:
        """Return a name for a piece of the function, the same whenever it is written."""
        return self.known.titles.setdefault(ast.dump(node), f"part.{len(self.known.titles)}")

    def loop(self, node: Any, write: Callable[[Any], None], first: Sequence[ast.stmt] = ()) -> None:
        """Write a loop; of one that lanes leave apart it is kept who left it, and this turn."""
        name, left = self.title_of(node), dict[type, Val]()
        if name in self.known.parting:
            left = {ast.Break: self.room(BOOL), ast.Continue: self.room(BOOL)}
            for place in left.values():
                self.keep(place, self.none)
            self.apart += 1
        self.around.append((name, self.apart, left, first))
        write(node)
        self.around.pop()
        if left:
            self.apart -= 1
            self.mask = self.both(self.mask, self.load(left[ast.Break]), "or")

    def turn(self, node: ast.While | ast.For) -> None:
        *_, left, first = self.around[-1]
        self.block(first)
        if left or leaves(node):
            inner = self.fresh()
            self.fork(self.some(), inner, self.loops[-1][1])
            self.begin(inner)
        super().turn(node)
        if left and not self.ended:
            self.mask = self.both(self.mask, self.load(left[ast.Continue]), "or")
            self.keep(left[ast.Continue], self.none)

    def do_Break(self, node: ast.Break) -> None:
        self.leave_loop(node, super().do_Break)

    def do_Continue(self, node: ast.Continue) -> None:
        self.leave_loop(node, super().do_Continue)

    def leave_loop(self, node: Any, jump: Callable[[Any], None]) -> None:
        name, apart, left, _ = self.around[-1]
        if left:
            place = left[type(node)]
            self.keep(place, self.both(self.load(place), self.mask, "or"))
            self.mask = self.none
        elif self.apart == apart:
            jump(node)
        else:
            self.known.parting.add(name)

    def do_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            if isinstance(node.value, ast.Tuple):
                values = [self.x(one) for one in node.value.elts]
            else:
                values = self.several(node.value) if len(self.returns) > 1 else [self.x(node.value)]
            for value, place in zip(values, self.results, strict=True):
                new = self.blended(self.cast(value, place.kind), self.load(place))
                self.keep(place, new)
        if self.apart:
            self.mask = self.none
        else:
            self.jump(self.exit)

    # -------------------------------------------------------------------------------- expressions

    def varies(self, node: ast.AST) -> bool:
        """Tell whether an expression is a vector."""
        return any(
            isinstance(part, ast.Name)
            and (part.id in self.known.varying or part.id in ("s", "lane_number"))
            for part in ast.walk(node)
        )

    def x_BoolOp(self, node: ast.BoolOp) -> Val:
        first, *more = node.values
        name = self.title_of(node)
        self.declared_kinds = {**self.declared_kinds, name: BOOL}
        self.put_local(name, self.x(first))
        for part in more:
            test: ast.expr = ast.Name(name)
            if isinstance(node.op, ast.Or):
                test = ast.UnaryOp(ast.Not(), test)
            self.do_If(ast.If(test, [ast.Assign([ast.Name(name)], part)], []))
        return self.x_Name(ast.Name(name))

    def x_IfExp(self, node: ast.IfExp) -> Val:
        name = self.title_of(node)
        one, other = (ast.Assign([ast.Name(name)], arm) for arm in (node.body, node.orelse))
        self.do_If(ast.If(node.test, [one], [other]))
        return self.x_Name(ast.Name(name))

    def x_Call(self, node: ast.Call) -> Val:
        name = node.func.id  # type: ignore[attr-defined]
        if name in self.low.done or not self.varies(node):
            return super().x_Call(node)
        args = [self.x(arg) for arg in node.args]
        if name == "ask_at":
            return self.asked(args)
        if name in ("divided_by", "modulo") and not args[1].text.isdigit():
            for i, harmless in enumerate("01"):
                one = self.blended(self.cast(args[i], INT), Val(INT, harmless))
                args[i] = self.new(INT, f"freeze i64 {one.text}")
        return WORDS[name](self, *args)

    def several(self, node: ast.expr) -> list[Val]:
        assert isinstance(node, ast.Call), ast.unparse(node)
        if not self.varies(node):
            return super().several(node)
        kinds, text = self.called(node)
        got, whole = self.new("", text).text, self.result_type(kinds)
        return [self.new(k, f"extractvalue {whole} {got}, {i}") for i, k in enumerate(kinds)]

    def called(self, node: ast.Call) -> tuple[list[str], str]:
        core = self.low.done[node.func.id]  # type: ignore[attr-defined]
        if not self.varies(node):
            return super().called(node)
        kinds = [kind for _, kind in self.code.params_of(core)]
        values = [self.cast(self.x(a), k) for a, k in zip(node.args, kinds, strict=True)]
        first = len(kinds) - len(core.params)
        given = "".join("v" if value.text in self.wide else "u" for value in values[first:])
        texts = [self.typed(f"{_TYPES[k]} {v.text}") for k, v in zip(kinds, values, strict=True)]
        texts.insert(first, f"{self.vector['i1']} {self.mask.text}")
        full = title(in_lanes(self.code, core.name, given))
        whole = self.result_type(core.returns)
        return list(core.returns), f"call {whole} @{full}({', '.join(texts)})"

    def asked(self, args: list[Val]) -> Val:
        """Call a policy by its address; all lanes are on turn in the same seat."""
        address, state, o, *numbers = args
        where = super().new(POINTER, f"inttoptr i64 {address.text} to ptr").text
        of, given = self.vector["i64"], [f"ptr {state.text}", f"ptr {o.text}"]
        given += [f"{self.vector['i1']} {self.mask.text}"]
        given += [f"i64 {one.text}" for one in numbers[:3]]
        texts = [one.text for one in numbers[3:]]
        given += [f"{of} {x if x in self.wide else self.spread(x, 'i64')}" for x in texts]
        return self.new(INT, f"call {of} {where}({', '.join(given)})")

    # -------------------------------------------------------------------------------------- places

    def inside(self, index: str | None, count: int, name: str) -> str | None:
        del name
        """Return an index that reaches no memory beyond: 0 in place of one that does."""
        if index is None or (index.isdigit() and int(index) < count):
            return index
        if index not in self.wide and not self.code.checked:
            return index
        index = self.new(INT, f"freeze i64 {index}").text
        fine = self.new(BOOL, f"icmp ult i64 {index}, {count}")
        if self.code.checked and "s" in self.locals:
            outer = self.mask
            self.mask = self.both(outer, self.opposite(fine))
            self.put(ast.parse("s.fault", mode="eval").body, Val(INT, "1"))
            self.mask = outer
        return self.new(INT, f"select i1 {fine.text}, i64 {index}, i64 0").text

    def index(self, start: str, at: int, index: str | None) -> str:
        if index is None or index not in self.wide:
            where = super().index(start, at, index)
            if start != "%o":
                self.rows.add(where)
            return where
        where = super().index(start, at, None)
        if start != "%o":
            index = self.new(INT, f"mul i64 {index}, {self.count_of}").text
            index = self.new(INT, f"add {self.vector['i64']} {index}, {self.lane_numbers}").text
        return self.in_table(where, index)

    def in_table(self, table: str, index: str | None) -> str:
        if index not in self.wide:
            return super().in_table(table, index)
        of = self.vector["i64"]
        return self.new(POINTER, f"getelementptr inbounds i64, ptr {table}, {of} {index}").text

    @property
    def lane_numbers(self) -> str:
        return f"<{', '.join(f'i64 {lane}' for lane in range(self.count_of))}>"

    def read(self, node: ast.expr) -> Val:
        kind, where, mark = self.place(self.fixed(node))
        if where in self.wide:
            return self.gather(where, mark)
        if where not in self.rows:
            return super().read(node)
        of = self.vector["i64"]
        return self.new(kind, f"load {of}, ptr {where}, align {8 * self.count_of}{mark}")

    def gather(self, where: str, mark: str) -> Val:
        """Read in each lane at an index of its own."""
        of, truths = self.vector["i64"], self.vector["i1"]
        places = f"<{self.count_of} x ptr>"
        name = self.code.declare(
            of,
            f"llvm.masked.gather.v{self.count_of}i64.v{self.count_of}p0",
            f"{places}, i32, {truths}, {of}",
        )
        given = f"{places} {where}, i32 8, {truths} splat (i1 true), {of} poison"
        mark = mark if "tbaa" in mark else ""
        return self.new(INT, f"call {of} @{name}({given}){mark}")

    def scatter(self, where: str, value: Val, mark: str) -> None:
        """Write in each lane at an index of its own; where a lane does not run, what is there."""
        of, truths = self.vector["i64"], self.vector["i1"]
        places = f"<{self.count_of} x ptr>"
        name = self.code.declare(
            "void",
            f"llvm.masked.scatter.v{self.count_of}i64.v{self.count_of}p0",
            f"{of}, {places}, i32, {truths}",
        )
        old = self.new(INT, f"freeze i64 {self.gather(where, mark).text}")
        new = self.blended(value, old).text
        given = f"{of} {new}, {places} {where}, i32 8, {truths} splat (i1 true)"
        super().line(f"call void @{name}({given}){mark}")


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
def _lane_number(body: Wide) -> Val:
    """Return which lane each is."""
    zero = Val(INT, body.spread("0", "i64"))
    return body.new(INT, f"add {body.vector['i64']} {zero.text}, {body.lane_numbers}")


@word
def _how_many(body: Wide, test: Val) -> Val:
    """Return for how many lanes something holds, of those for which code runs."""
    runs = body.both(body.mask, body.new(BOOL, f"freeze i1 {body.as_truth(test)}"))
    return WORDS["popcount"](body, Val(INT, body.bits(runs)))


@word
def _all_lanes(body: Body, state: Val, o: Val, *numbers: Val) -> Val:
    """Call `play_` for all lanes; return the least of what they return."""
    count = body.code.lanes
    name = in_lanes(body.code, "play_", "u" * len(numbers))
    given = [f"ptr {state.text}", f"ptr {o.text}", f"<{count} x i1> splat (i1 true)"]
    given += [f"{_TYPES[one.kind]} {one.text}" for one in numbers]
    each = body.new(INT, f"call <{count} x i64> @{title(name)}({', '.join(given)})").text
    least = body.code.declare("i64", f"llvm.vector.reduce.smin.v{count}i64", f"<{count} x i64>")
    return body.new(INT, f"call i64 @{least}(<{count} x i64> {each})")
