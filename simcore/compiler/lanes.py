"""Functions over numbers (`lower.Core`) as code for one match, and for many side by side.

A value is uniform ("u": one number) or varying ("v": a vector); that is found for each function and
each way it is called. Under a varying condition code runs with a mask: locals are blended, the
state is blended in memory, loops run while any lane does; what is long or calls much is skipped
when no lane needs it. All state lies as rows of L numbers, so that code for one match serves one
lane, too: rare functions are run so, one lane after another, in place.
"""

from __future__ import annotations

import ast
from typing import Any

from simcore.compiler.lower import BOOL, FLOAT, Core, Lowering, lines, parsed

SKIP_FROM = 45
"""Nodes of a body without calls or loops from which on it is skipped by a branch."""

SMALL = 150
"""Nodes of a function for one match up to which all its callers take it in."""

TAKEN_IN = 600
"""The same where there is one caller."""

UNIFORM, VARYING = "u", "v"
_OUTER = "@part"
_ZERO = {BOOL: "False", FLOAT: "0.0"}


def worst(*kinds: str) -> str:
    """Return whether one of these varies."""
    return VARYING if VARYING in kinds else UNIFORM


def ends(body: list[ast.stmt]) -> bool:
    """Tell whether a block is left at its end."""
    return bool(body) and isinstance(body[-1], (ast.Return, ast.Break, ast.Continue))


def leaves(node: ast.AST) -> bool:
    """Tell whether a block or loop may be left within."""
    return any(isinstance(n, (ast.Return, ast.Break, ast.Continue)) for n in ast.walk(node))


class Unit:
    """What is written for a number of lanes, 1 for one match.

    Attributes
    ----------
    done : dict of str
        The functions as text, in the order in which they need each other.
    """

    def __init__(self, low: Lowering, lanes: int) -> None:
        self.low, self.lanes = low, lanes
        self.cores = low.done
        self.done: dict[str, str] = {}
        self.known: dict[str, Any] = {}
        self.callers: dict[str, int] = {}
        for core in self.cores.values():
            for node in core.body:
                for part in ast.walk(node):
                    name = getattr(getattr(part, "func", None), "id", "")
                    self.callers[name] = self.callers.get(name, 0) + 1

    def is_inline(self, core: Core) -> bool:
        """Tell whether a function is taken into its callers."""
        most = TAKEN_IN if self.callers.get(core.name, 0) < 2 else SMALL
        return not core.rare and core.size < most

    def one(self, name: str) -> str:
        """Write a function for one match, or one lane; return what it is called."""
        key = f"{name}__one"
        if key not in self.known:
            self.known[key] = True
            core = self.cores[name]
            if core.source:
                for needed in core.needs:
                    self.one(needed)
                self.done[key] = core.source
                return key
            body = One(self).block(core.body)
            state = ["rows", "lane"] if core.uses_state else []
            head = f"def {key}({', '.join([*state, 'o', *core.params])}):"
            decorator = "@inline" if self.is_inline(core) else _OUTER
            text = "\n".join("    " + line for node in body for line in _text(node).splitlines())
            self.done[key] = f"{decorator}\n{head}\n{text or '    pass'}"
        return key

    def wide(self, name: str, kinds: str) -> Wide:
        """Write a function for lanes, called with arguments of these kinds."""
        key = f"{name}__{kinds}"
        if key not in self.known:
            found = self.known[key] = Wide(self, self.cores[name], kinds)
            rare = self.cores[name].rare
            self.done[key] = self.lane_by_lane(found, key) if rare else found.written(key)
        return self.known[key]  # type: ignore[no-any-return]

    def lane_by_lane(self, found: Wide, key: str) -> str:
        """Return a rare function: the code for one match, for each lane of the mask in turn."""
        core = found.core
        one = self.one(core.name)
        given = [f"lane_of({param}, lane)" for param in core.params]
        state = ["rows", "lane"] if core.uses_state else []
        call = f"{one}({', '.join([*state, 'o', *given])})"
        results = [f"r{i}" for i in range(len(core.returns))]
        made = [f"    {r} = wide({_ZERO.get(k, '0')})" for r, k in zip(results, core.returns)]  # noqa: B905
        made += [
            "    left = bits_of(m0)",
            "    while left != 0:",
            "        lane = lowest_bit(left)",
        ]
        made += ["        left &= left - 1"]
        if len(results) == 1:
            made.append(f"        r0 = with_lane(r0, lane, {call})")
        elif results:
            made.append(f"        {', '.join(f'x{i}' for i in range(len(results)))} = {call}")
            made += [f"        {r} = with_lane({r}, lane, x{i})" for i, r in enumerate(results)]
        else:
            made.append(f"        {call}")
        if results:
            made.append(f"    return {', '.join(results)}")
        head = f"def {key}({', '.join(['rows', 'o', 'm0', *core.params])}):"
        return "\n".join([_OUTER, head, *made])


def _text(node: ast.stmt) -> str:
    return ast.unparse(ast.fix_missing_locations(node))


# ---------------------------------------------------------------------- one match, or one lane


class One:
    """Rewrites functions: the state becomes numbers of a flat array, of which one lane is used."""

    def __init__(self, unit: Unit) -> None:
        self.unit, self.count = unit, 0

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [made for node in body for made in self.statement(node)]

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.Assign):
            return self.assign(node)
        if isinstance(node, ast.If):
            body, orelse = self.block(node.body), self.block(node.orelse)
            return [ast.If(self.x(node.test), body or [ast.Pass()], orelse)]
        if isinstance(node, ast.While):
            return [ast.While(self.x(node.test), self.block(node.body), [])]
        if isinstance(node, ast.For):
            return [ast.For(node.target, self.x(node.iter), self.block(node.body), [])]
        if isinstance(node, ast.Return):
            return [ast.Return(self.x(node.value) if node.value else None)]
        if isinstance(node, ast.Expr):
            return [ast.Expr(self.x(node.value))]
        return [node]

    def assign(self, node: ast.Assign) -> list[ast.stmt]:
        (target,) = node.targets
        value = self.x(node.value)
        if not isinstance(target, ast.Tuple):
            return self.put(target, ast.unparse(value))
        self.count += 1
        names = [f"p{self.count}_{i}" for i in range(len(target.elts))]
        made = lines(f"{', '.join(names)} = {ast.unparse(value)}")
        for one, name in zip(target.elts, names, strict=True):
            made += self.put(one, name)
        return made

    def put(self, target: ast.expr, value: str) -> list[ast.stmt]:
        place = self.place(target)
        if place is not None:
            return lines(f"store({place[0]}, {place[1]}, {value})")
        return lines(f"{ast.unparse(target)} = {value}")

    def place(self, node: ast.expr) -> tuple[str, str] | None:
        """Return the array and the index of a field."""
        base, index = node, "0"
        if isinstance(node, ast.Subscript):
            base, index = node.value, ast.unparse(self.x(node.slice))
        if not isinstance(base, ast.Attribute):
            return None
        holder = ast.unparse(base.value)
        layout = self.unit.low.state if holder == "s" else self.unit.low.options
        start = layout[base.attr][0]
        at = f"{start + int(index)}" if index.isdigit() else f"{start} + ({index})"
        if holder == "o":
            return "o", at
        return "rows", f"({at}) * {self.unit.lanes} + lane" if self.unit.lanes > 1 else at

    def x(self, node: ast.expr) -> ast.expr:
        place = self.place(node) if isinstance(node, (ast.Attribute, ast.Subscript)) else None
        if place is not None:
            return parsed(f"{'fixed' if place[0] == 'o' else 'load'}({place[0]}, {place[1]})")
        if isinstance(node, ast.Subscript):
            return parsed(f"fixed({ast.unparse(node.value)}, {ast.unparse(self.x(node.slice))})")
        if isinstance(node, ast.Call):
            return self.call(node)
        made = type(node)(**{name: self.part(value) for name, value in ast.iter_fields(node)})
        return made

    def part(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.part(one) for one in value]
        return self.x(value) if isinstance(value, ast.expr) else value

    def call(self, node: ast.Call) -> ast.expr:
        name = getattr(node.func, "id", "")
        if name == "rarely":
            return self.x(node.args[0])
        if name not in self.unit.cores:
            return ast.Call(node.func, [self.x(arg) for arg in node.args], [])
        args: list[str] = []
        for arg in node.args:
            text = ast.unparse(self.x(arg)) if not isinstance(arg, ast.Name) else arg.id
            args += ["rows", "lane"] if text == "s" else [text]
        if self.unit.lanes == 1:
            args = ["0" if arg == "lane" else arg for arg in args]
        return parsed(f"{self.unit.one(name)}({', '.join(args)})")


# ----------------------------------------------------------------------------------------- lanes


class Wide:
    """Writes a function for lanes, called with arguments that are uniform or varying."""

    def __init__(self, unit: Unit, core: Core, kinds: str) -> None:
        self.unit, self.core = unit, core
        self.kinds = dict(zip(core.params, kinds, strict=True))
        self.masks: list[str] = ["m0"]
        self.loop_at = 0
        self.in_loop = 0
        self.count = 0
        self.indent = 1
        self.made: list[str] = []
        if core.rare:
            return
        for _ in range(8):  # until nothing changes
            before = dict(self.kinds)
            self.infer(core.body, UNIFORM)
            if before == self.kinds:
                break

    # -- which locals vary --------------------------------------------------------------------------  # noqa: E501

    def infer(self, body: list[ast.stmt], control: str) -> None:
        for node in body:
            if isinstance(node, ast.Assign):
                self.infer_target(node.targets[0], node.value, control)
            elif isinstance(node, ast.If):
                inner = worst(control, self.kind(node.test))
                self.infer(node.body, inner)
                self.infer(node.orelse, inner)
            elif isinstance(node, (ast.While, ast.For)):
                inner = control
                if isinstance(node, ast.While):
                    inner = worst(inner, self.kind(node.test))
                if self.leaves_varying(node.body, inner):
                    inner = VARYING
                if isinstance(node, ast.For):
                    assert isinstance(node.target, ast.Name)
                    self.kinds.setdefault(node.target.id, UNIFORM)
                self.infer(node.body, inner)

    def leaves_varying(self, body: list[ast.stmt], control: str) -> bool:
        """Tell whether some lanes may leave a loop, or a turn of it, before the others.

        Those that leave the function need no locals any more.
        """
        for node in body:
            if isinstance(node, (ast.Break, ast.Continue)) and control == VARYING:
                return True
            if isinstance(node, ast.If):
                inner = worst(control, self.kind(node.test))
                if self.leaves_varying(node.body, inner) or self.leaves_varying(node.orelse, inner):
                    return True
        return False

    def infer_target(self, target: ast.expr, value: ast.expr, control: str) -> None:
        if isinstance(target, ast.Tuple):
            values = value.elts if isinstance(value, ast.Tuple) else [value] * len(target.elts)
            for one, its in zip(target.elts, values, strict=True):
                self.infer_target(one, its, control)
        elif isinstance(target, ast.Name):
            old = self.kinds.get(target.id, UNIFORM)
            self.kinds[target.id] = worst(old, control, self.kind(value))

    def kind(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant):
            return UNIFORM
        if isinstance(node, ast.Name):
            return VARYING if node.id == "s" else self.kinds.get(node.id, UNIFORM)
        if isinstance(node, ast.Attribute):
            return VARYING if ast.unparse(node.value) == "s" else UNIFORM
        if isinstance(node, ast.Call):
            return worst(UNIFORM, *(self.kind(arg) for arg in node.args))
        inner = (n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr))
        return worst(UNIFORM, *(self.kind(n) for n in inner))

    def arguments(self, node: ast.Call) -> list[ast.expr]:
        core = self.unit.cores[node.func.id]  # type: ignore[attr-defined]
        return node.args[2:] if core.uses_state else node.args[1:]

    # -- expressions ----------------------------------------------------------------------------------  # noqa: E501

    def text(self, node: ast.expr) -> str:
        if isinstance(node, (ast.Constant, ast.Name)):
            return ast.unparse(node)
        if isinstance(node, (ast.Attribute, ast.Subscript)):
            return self.read(node)
        if isinstance(node, ast.BinOp):
            sign = ast.unparse(ast.BinOp(ast.Name("a"), node.op, ast.Name("b")))[2:-2]
            return f"({self.text(node.left)} {sign} {self.text(node.right)})"
        if isinstance(node, ast.UnaryOp):
            inner = self.text(node.operand)
            if isinstance(node.op, ast.Not):
                return f"(not {inner})" if self.kind(node) == UNIFORM else f"(~{inner})"
            if isinstance(node.op, ast.USub):
                return f"(0 - {inner})" if self.kind(node) == VARYING else f"(-{inner})"
            return f"(~{inner})"
        if isinstance(node, ast.Compare):
            sign = ast.unparse(ast.Compare(ast.Name("a"), node.ops, [ast.Name("b")]))[2:-2]
            return f"({self.text(node.left)} {sign} {self.text(node.comparators[0])})"
        if isinstance(node, ast.BoolOp):
            each = [self.text(value) for value in node.values]
            is_and = isinstance(node.op, ast.And)
            if self.kind(node) == UNIFORM:
                return "(" + (" and " if is_and else " or ").join(each) + ")"
            return "(" + (" & " if is_and else " | ").join(each) + ")"
        if isinstance(node, ast.IfExp):
            return self.choice(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        raise SyntaxError(f"{self.core.name}: {ast.unparse(node)}")

    def choice(self, node: ast.IfExp) -> str:
        test, one, two = (self.text(part) for part in (node.test, node.body, node.orelse))
        if self.kind(node.test) == VARYING:
            return f"choose({test}, {one}, {two})"
        if self.kind(node) == VARYING:
            one, two = f"wide({one})", f"wide({two})"
        return f"({one} if {test} else {two})"

    def read(self, node: ast.expr) -> str:
        index, base = None, node
        if isinstance(node, ast.Subscript):
            base, index = node.value, node.slice
        varies = index is not None and self.kind(index) == VARYING
        at_index = self.text(index) if index is not None else ""
        if isinstance(base, ast.Name):  # a table of the rules
            if not varies:
                return f"fixed({base.id}, {at_index})"
            count = len(self.unit.low.tables[base.id])
            return f"vtable({base.id}, 0, {count}, {at_index}, {self.mask})"
        assert isinstance(base, ast.Attribute)
        in_state = ast.unparse(base.value) == "s"
        layout = self.unit.low.state if in_state else self.unit.low.options
        at, count = layout[base.attr]
        place = str(at) if index is None or varies else f"{at} + ({at_index})"
        if not in_state:
            if varies:
                return f"vtable(o, {at}, {count}, {at_index}, {self.mask})"
            return f"fixed(o, {place})"
        if varies:
            return f"vpick(rows, {at}, {count}, {at_index})"
        return f"vload(rows, {place})"

    def call(self, node: ast.Call) -> str:
        name = node.func.id  # type: ignore[attr-defined]
        if name == "rarely":
            return self.text(node.args[0])
        if name in ("max", "min"):
            a, b = (self.text(arg) for arg in node.args)
            if self.kind(node) == UNIFORM:
                return f"{name}({a}, {b})"
            return f"largest({a}, {b})" if name == "max" else f"(0 - largest(0 - {a}, 0 - {b}))"
        if name in ("divided_by", "modulo") and self.kind(node) == VARYING:
            a, b = (self.text(arg) for arg in node.args)
            return f"{name}(wide({a}), wide({b}))"
        if name not in self.unit.cores:
            return f"{name}({', '.join(self.text(arg) for arg in node.args)})"
        core, given = self.unit.cores[name], self.arguments(node)
        kinds = "".join(self.kind(arg) for arg in given)
        texts = [self.text(arg) for arg in given]
        if not core.uses_state and VARYING not in kinds:
            return f"{self.unit.one(name)}({', '.join(['o', *texts])})"
        self.unit.wide(name, kinds)
        state = ["rows"] if core.uses_state or core.rare else []
        return f"{name}__{kinds}({', '.join([*state, 'o', self.mask, *texts])})"

    # -- statements -----------------------------------------------------------------------------------  # noqa: E501

    def written(self, key: str) -> str:
        """Return the function as text."""
        core = self.core
        returns = [n for node in core.body for n in ast.walk(node) if isinstance(n, ast.Return)]
        self.single = len(returns) == 1 and core.body[-1] is returns[0]
        self.seen = set(core.params)
        stored = {
            n.id
            for node in core.body
            for n in ast.walk(node)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        for name, kind in self.kinds.items():
            if kind == VARYING and name not in core.params:
                self.line(f"{name} = wide({_ZERO.get(core.kinds.get(name, ''), '0')})")
        for name in core.params:
            if self.kinds[name] == VARYING and name in stored:
                self.line(f"{name} = wide({name})")
        if not self.single:
            for i, kind in enumerate(core.returns):
                self.line(f"r{i}_ = wide({_ZERO.get(kind, '0')})")
        self.block(core.body)
        if not self.single and core.returns:
            self.line("return " + ", ".join(f"r{i}_" for i in range(len(core.returns))))
        state = ["rows"] if core.uses_state else []
        head = f"def {key}({', '.join([*state, 'o', 'm0', *core.params])}):"
        return "\n".join(["@inline", head, *self.made])

    @property
    def mask(self) -> str:
        return self.masks[-1]

    def line(self, text: str) -> None:
        self.made.append("    " * self.indent + text)

    def fresh(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}_"

    def block(self, body: list[ast.stmt]) -> None:
        start = self.indent
        for i, node in enumerate(body):
            self.statement(node)
            if isinstance(node, (ast.Return, ast.Break, ast.Continue)):
                break
            if leaves(node) and self.worth_a_branch(body[i + 1 :]):
                self.line(f"if some({self.mask}):")
                self.indent += 1
        if not body:
            self.line("pass")
        self.indent = start

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Assign):
            self.assign(node)
        elif isinstance(node, ast.Expr):
            self.line(self.text(node.value))
        elif isinstance(node, ast.If):
            self.branch(node)
        elif isinstance(node, ast.While):
            self.loop(node)
        elif isinstance(node, ast.For):
            self.counted_loop(node)
        elif isinstance(node, ast.Return):
            self.leave_function(node)
        elif isinstance(node, ast.Break):
            self.leave(self.loop_at)
        elif isinstance(node, ast.Continue):
            self.leave(self.loop_at + 1)
        else:
            self.line("pass")

    def assign(self, node: ast.Assign) -> None:
        (target,) = node.targets
        if not isinstance(target, ast.Tuple):
            self.put(target, self.text(node.value))
            return
        names = [self.fresh("q") for _ in target.elts]
        if isinstance(node.value, ast.Tuple):
            for name, value in zip(names, node.value.elts, strict=True):
                self.line(f"{name} = {self.text(value)}")
        else:
            self.line(f"{', '.join(names)} = {self.text(node.value)}")
        for one, name in zip(target.elts, names, strict=True):
            self.put(one, name)

    def put(self, target: ast.expr, text: str) -> None:
        if isinstance(target, ast.Name):
            name = target.id
            if self.kinds[name] == UNIFORM:
                self.line(f"{name} = {text}")
            elif name in self.seen or self.in_loop:
                self.line(f"{name} = choose({self.mask}, {text}, {name})")
            else:
                self.line(f"{name} = wide({text})")
            self.seen.add(name)
            return
        index, base = None, target
        if isinstance(target, ast.Subscript):
            base, index = target.value, target.slice
        assert isinstance(base, ast.Attribute)
        at, count = self.unit.low.state[base.attr]
        if index is not None and self.kind(index) == VARYING:
            self.line(f"vput(rows, {at}, {count}, {self.text(index)}, {text}, {self.mask})")
            return
        place = str(at) if index is None else f"{at} + ({self.text(index)})"
        self.line(f"vstore(rows, {place}, {text}, {self.mask})")

    def branch(self, node: ast.If) -> None:
        if self.kind(node.test) == UNIFORM:
            self.line(f"if {self.text(node.test)}:")
            seen = set(self.seen)
            self.inner(node.body)
            if node.orelse:
                self.line("else:")
                self.inner(node.orelse)
            del seen
            return
        hinted = isinstance(node.test, ast.Call) and getattr(node.test.func, "id", "") == "rarely"
        name, outer = self.fresh("c"), self.mask
        self.line(f"{name} = {self.text(node.test)}")
        for body, mask, hint in (
            (node.body, f"{outer} & {name}", hinted),
            (node.orelse, f"{outer} & ~{name}", False),
        ):
            if not body or (len(body) == 1 and isinstance(body[0], ast.Pass)):
                continue
            if body is node.orelse and ends(node.body):
                mask = outer  # the others have left
            new = self.fresh("m")
            self.line(f"{new} = {mask}")
            self.masks.append(new)
            if hint or self.worth_a_branch(body):
                self.line(f"if some({new}):")
                self.inner(body)
            else:
                self.block(body)
            self.masks.pop()

    def inner(self, body: list[ast.stmt]) -> None:
        self.indent += 1
        self.block(body)
        self.indent -= 1

    def worth_a_branch(self, body: list[ast.stmt]) -> bool:
        nodes = [n for statement in body for n in ast.walk(statement)]
        if any(isinstance(n, (ast.While, ast.For)) for n in nodes):
            return True
        size = len(nodes)
        for n in nodes:
            core = self.unit.cores.get(getattr(getattr(n, "func", None), "id", ""))
            if core is not None:
                if core.rare:
                    return True
                size += core.size
        return size >= SKIP_FROM

    def leave(self, down_to: int) -> None:
        gone = self.fresh("k")
        self.line(f"{gone} = {self.mask}")
        for mask in self.masks[down_to:]:
            self.line(f"{mask} = {mask} & ~{gone}")

    def leave_function(self, node: ast.Return) -> None:
        values = [] if node.value is None else [node.value]
        if isinstance(node.value, ast.Tuple):
            values = node.value.elts
        texts = [self.text(value) for value in values]
        if len(self.core.returns) > 1 and len(texts) == 1:
            names = [self.fresh("q") for _ in self.core.returns]
            self.line(f"{', '.join(names)} = {texts[0]}")
            texts = names
        if self.single:
            if texts:
                self.line("return " + ", ".join(f"wide({text})" for text in texts))
            return
        for i, text in enumerate(texts):
            self.line(f"r{i}_ = choose({self.mask}, {text}, r{i}_)")
        self.leave(0)

    def loop(self, node: ast.While) -> None:
        loop, each = self.fresh("m"), self.fresh("m")
        self.line(f"{loop} = {self.mask}")
        self.line("while True:")
        self.masks += [loop, each]
        kept, self.loop_at = self.loop_at, len(self.masks) - 2
        self.indent += 1
        self.in_loop += 1
        self.line(f"{each} = {loop}")
        test = self.text(node.test)
        if self.kind(node.test) == UNIFORM:
            self.line(f"if not ({test}):")
            self.line("    break")
        else:
            self.line(f"{loop} = {loop} & {test}")
        self.line(f"if not some({loop}):")
        self.line("    break")
        self.line(f"{each} = {loop}")
        self.block(node.body)
        self.in_loop -= 1
        self.indent -= 1
        del self.masks[-2:]
        self.loop_at = kept

    def counted_loop(self, node: ast.For) -> None:
        assert isinstance(node.target, ast.Name)
        loop, each = self.fresh("m"), self.fresh("m")
        leaving = any(leaves(part) for part in node.body)
        if leaving:
            self.line(f"{loop} = {self.mask}")
        self.line(f"for {node.target.id} in {self.range_text(node.iter)}:")
        kept, self.loop_at = self.loop_at, len(self.masks)
        self.indent += 1
        self.in_loop += 1
        if leaving:
            self.line(f"{each} = {loop}")
            self.line(f"if not some({loop}):")
            self.line("    break")
            self.masks += [loop, each]
        self.block(node.body)
        if leaving:
            del self.masks[-2:]
        self.in_loop -= 1
        self.indent -= 1
        self.loop_at = kept

    def range_text(self, node: ast.expr) -> str:
        assert isinstance(node, ast.Call)
        return f"range({', '.join(self.text(arg) for arg in node.args)})"
