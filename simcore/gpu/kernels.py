"""A cell's matches as one module for `numba.cuda`: rules, options, players and policies together.

What `translate` makes of rules and policies is written once more as Python, with the state of a
match as numbers of flat arrays. The layouts:

- "split": fields of one number in an array whose indices are constants, which become registers;
  fields of several in another array of the thread;
- "strided": all in global memory, number k of thread t at k * threads + t.

Options and the number of players are constants of the module; parameters of policies are read, so
that a sweep over them is compiled once. Users' code is checked as it runs: a wrong index, a move
that is not legal, and loops without an end make a match "given up", and the CPU plays it again.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.compiler import blocks
from simcore.compiler.blocks import form_of
from simcore.compiler.core import BOOL, FLOAT, INT, Core, indented, parsed
from simcore.compiler.engine import Engine, add_policy
from simcore.compiler.layout import MEMORY_WORDS
from simcore.compiler.module import Writer
from simcore.compiler.program import Refused
from simcore.compiler.seat_policy import SeatPolicy, seat_policies
from simcore.compiler.translate import Lowering

GIVEN_UP = 2
"""In the column `aborted`: the match must be played by the CPU."""

FUEL = 1 << 24
"""Turns of loops in a match of users' code, after which it is given up."""

SPLIT, STRIDED = "split", "strided"
LAYOUTS = {"upordown": STRIDED}
"""The layout a game is quickest with, as measured on an H100; others are split."""

_MORE = {SPLIT: ["r_"], STRIDED: ["n_", "t_"]}
_FLOATS = {"real", "as_real", "sqrt"}
"""Words that give a float; `max` and `min` give what they are given, and others a whole number."""

_RENAMED = {"max": "higher", "min": "lower", "sqrt": "root"}
_TAKEN = {"at", "cuda", "device", "higher", "int64", "lower", "np", "root", "s", "o", "times"}


_KERNEL = """@cuda.jit(cache=bool(__file__))
def play(
    seed, first, start, stop, refill, taken, o, first_seat, winners, aborted, scores, metrics{state}
):
{rooms}
    i = start + int64(cuda.grid(1))
    over = 1
    while i < stop:
        if over != 0:
{begin}
{step}
        if over != 0:
{write}
            if refill != 0:
                i = int64(cuda.atomic.add(taken, 0, 1))
            else:
                i += int64(cuda.gridsize(1))"""


@dataclass(frozen=True)
class Made:
    """A module for a device.

    Attributes
    ----------
    text : str
        Its source.
    size : int
        Numbers of the state that stand in global memory, a thread; 0 where it is split.
    """

    text: str
    size: int


def module_of(cell: Any, layout: str = "") -> Made:
    """Write the module of a cell, which is the same for all its rotations.

    Raises
    ------
    Refused
        If a policy cannot be played on a device.
    """
    return _Module(cell, layout or LAYOUTS.get(cell.game.name, SPLIT)).made()


def policies_of(cell: Any) -> tuple[SeatPolicy, ...]:
    """Return the policies of a table, each once; parameter values may be any."""
    policies: dict[Any, SeatPolicy] = {}
    for policy in seat_policies(cell, 0):
        if policy.rollout is not None:
            raise Refused(
                f"a GPU does not play policy {policy.name!r}, which searches; allowed with device "
                "'cuda': policies that decide without playing rounds out"
            )
        if not policy.is_random:
            policies.setdefault(policy.identity, policy)
    return tuple(policies.values())


def option_row(cell: Any, rotation: int) -> np.ndarray:
    """Return the numbers that the module reads: which policy sits where, with which parameters."""
    form = form_of(cell)
    numbers = {policy.identity: number for number, policy in enumerate(policies_of(cell), 1)}
    low = Lowering(form.program, form.options)
    return blocks.option_row(
        cell, rotation, form, low, lambda policy: numbers.get(policy.identity, 0)
    )


class _Module:
    """Writes a module: a function for each of the rules' and the policies', and the kernel.

    Attributes
    ----------
    layout : str
        "split" or "strided".
    passed : list of str
        What every function of the rules passes on.
    constants : dict of int
        Names of places, as the text has them.
    """

    def __init__(self, cell: Any, layout: str) -> None:
        form = form_of(cell)
        self.cell, self.layout, self.program = cell, layout, form.program
        self.passed = ["s", *_MORE[layout], "o"]
        policies = policies_of(cell)
        row = option_row(cell, 0)
        fixed = _settled_options(Lowering(form.program, form.options), row, cell.players)
        checked = bool(form.program.game.digest)
        self.low = Lowering(form.program, form.options, {}, fixed, checked=checked)
        Engine(self.low).play(asks=bool(policies))
        self.constants: dict[str, int] = {}
        self.tables: dict[str, list[int]] = {}
        self.functions: list[str] = []
        self.places: dict[str, tuple[int, bool]] = {}
        self.singles = self.size = 0
        metrics = [f"count_{name}" for name in self.program.metrics]
        for name in ("phase", "seat", "fault", "first_seat", "winners", "aborted"):
            self.place(self.low, name)
        if checked or any(policy.is_foreign for policy in policies):
            self.watch()
        self.seat_policy(form, policies, fixed)
        unit = _Unit(self, self.low)
        unit.add("start_match_", "step_", "look_after_")
        for name in ("scores", *metrics):
            self.place(self.low, name)

    # -------------------------------------------------------------------------------------- places

    def place(self, low: Lowering, name: str) -> tuple[str, int]:
        """Return what a field's place is called, and how many numbers it has there."""
        first, count = low.state[name]
        root, (start, size) = next(
            (field, place)
            for field, place in sorted(self.low.state.places.items(), key=lambda item: -item[1][1])
            if place[0] <= first < place[0] + place[1]
        )
        if root not in self.places:
            size = size // low.players * self.cell.players if root in self.per_seat else size
            is_single = size == 1 and self.layout == SPLIT and root != "scores"
            self.places[root] = (self.singles if is_single else self.size), is_single
            self.singles += is_single
            self.size += 0 if is_single else size
        title = f"AT_{name.upper()}"
        offset = self.places[root][0] + first - start
        while self.constants.setdefault(title, offset) != offset:
            title += "_"
        return title, 1 if self.places[root][1] else max(count, 2)

    @property
    def per_seat(self) -> set[str]:
        """Fields that have numbers for each seat of the table."""
        declared = self.program.rules_fields
        named = {
            word
            for name, field in declared.items()
            if field.per_seat
            for word in self.low.field_names(name)
        }
        streams = {f"{family}{word}" for family in ("seat", "order", "other") for word in (0, 1)}
        return named | streams | {"memory_"}

    def number(self, name: str, index: str = "") -> str:
        """Return the text of a number of the state."""
        title, count = self.place(self.low, name)
        return self.text_of(title, count, index)

    def text_of(self, title: str, count: int, index: str) -> str:
        """Return the source of one number of the state, at `index` if the field has several."""
        if self.layout == SPLIT:
            if count == 1:
                return f"r_[{title}]"
            return f"s[at({title} + {index})]" if index else f"s[{title}]"
        where = f"({title} + {index})" if index else title
        return f"s[at({where} * n_ + t_)]"

    # ------------------------------------------------------------------------------------ functions

    def function(self, name: str, params: Sequence[str], text: str) -> None:
        """Add a function that is written here."""
        head = f"@device\ndef {name}({', '.join([*self.passed, *params])}):"
        self.functions.append(f"{head}\n{indented(text)}")

    def watch(self) -> None:
        """Add what ends the loops of users' code."""
        self.low.state.add("fuel_")
        fuel, fault = self.number("fuel_"), self.number("fault")
        self.function(
            "goes_on_",
            [],
            f"{fuel} = {fuel} - 1\nif {fuel} < 0:\n    {fault} = 1\nreturn {fault} == 0",
        )

    def seat_policy(self, form: Any, policies: Sequence[SeatPolicy], fixed: dict[int, int]) -> None:
        """Add policies, and what asks one of them by its number."""
        lines = []
        for number, policy in enumerate(policies, 1):
            memory = policy.memory(form.program)
            low = Lowering(form.program, form.options, memory, fixed, checked=policy.is_foreign)
            add_policy(low, policy)
            _Unit(self, low, f"p{number}_", policy.name).add("entry")
            params = low.done["entry"].params
            call = f"return p{number}_entry({', '.join([*self.passed, *params])})"
            is_last = number == len(policies)
            lines += [call] if is_last else [f"if number == {number}:", f"    {call}"]
        if policies:
            self.function("ask_at", ["number", *params], "\n".join(lines))

    # ----------------------------------------------------------------------------------- the module

    def made(self) -> Made:
        """Return the module's text."""
        kernel = self.kernel()
        title = f"{self.cell.game.title}, {self.cell.players} players ({self.layout})"
        numbers = [f"{name} = {value}" for name, value in sorted(self.constants.items())]
        tables = [
            f"{name} = np.array({value}, np.int64)" for name, value in sorted(self.tables.items())
        ]
        head = [
            f'"""{title}; written by cardlab."""',
            "import numpy as np\nfrom numba import cuda, int64\n",
            "from simcore.gpu.cuda_words import *",
            "\n".join([*numbers, *tables]),
        ]
        text = "\n\n\n".join(["\n".join(head), *self.functions, kernel]) + "\n"
        return Made(text, self.size if self.layout == STRIDED else 0)

    def kernel(self) -> str:
        """Return the text of the kernel: each thread plays match after match."""
        passed = ", ".join(self.passed)
        begin = [*self.clear(), f"start_match_({passed}, seed, first + i)", "over = 0"]
        step = [f"if step_({passed}, {self.number('seat')}):", f"    over = look_after_({passed})"]
        if "fuel_" in self.low.state:
            begin.insert(-2, f"{self.number('fuel_')} = {FUEL}")
            step += [f"if not goes_on_({passed}):", "    over = 2"]
        metrics = [
            f"metrics[{place}, i] = {self.number(f'count_{name}')}"
            for place, name in enumerate(self.program.metrics)
        ]
        write = [
            *(f"{name}[i] = {self.number(name)}" for name in ("first_seat", "winners", "aborted")),
            f"for seat in range({self.cell.players}):",
            f"    scores[seat, i] = {self.number('scores', 'seat')}",
            *metrics,
            f"if over == 2 or {self.number('fault')} != 0:",
            f"    aborted[i] = {GIVEN_UP}",
        ]
        rooms = [
            f"s = cuda.local.array({max(self.size, 1)}, int64)",
            f"r_ = cuda.local.array({max(self.singles, 1)}, int64)",
        ]
        if self.layout == STRIDED:
            rooms = ["n_ = int64(cuda.gridsize(1))", "t_ = int64(cuda.grid(1))"]
        return _KERNEL.format(
            state=", s" if self.layout == STRIDED else "",
            rooms=_at_depth(1, rooms),
            begin=_at_depth(3, begin),
            step=_at_depth(2, step),
            write=_at_depth(3, write),
        )

    def clear(self) -> list[str]:
        """Return lines that set the state to 0."""
        first, is_single = self.places.get("memory_", (self.size, False))
        assert not is_single
        rows = self.cell.players * MEMORY_WORDS if "memory_" in self.places else 0
        lines = []
        spans = [(0, first), (first + rows, self.size)]
        for low, high in spans:
            if high > low:
                lines += [f"for k in range({low}, {high}):", f"    {self.text_of('k', 2, '')} = 0"]
        if rows and self.remembered:
            lines += [f"for seat in range({self.cell.players}):"]
            lines += [f"    for k in range({self.remembered}):"]
            place = self.text_of(str(first), 2, f"seat * {MEMORY_WORDS} + k")
            lines += [f"        {place} = 0"]
        if self.layout == SPLIT:
            lines += [f"for k in range({self.singles}):", "    r_[k] = 0"]
        return lines

    @property
    def remembered(self) -> int:
        """Numbers that policies remember in a seat, at most."""
        room = self.low.state["memory_"][0]
        used = 0
        for policy in policies_of(self.cell):
            memory = policy.memory(self.program)
            low = Lowering(self.program, form_of(self.cell).options, memory)
            for name, declared in low.memory.items():
                for word in low.field_names(name):
                    used = max(used, low.state[word][0] - room + max(declared.many, 1))
        return used


class _Unit(Writer):
    """The functions of one lowering within a module: the rules', or a policy's."""

    def __init__(self, module: _Module, low: Lowering, prefix: str = "", policy: str = "") -> None:
        super().__init__(low)
        self.module, self.prefix, self.policy = module, prefix, policy

    def rewriter(self, core: Core) -> _Function:
        return _Function(self, core)

    def add(self, *names: str) -> None:
        """Add functions to the module, after those that they call."""
        for name in names:
            self.want(name)
        self.module.functions += map(self.function, self.order)

    def function(self, name: str) -> str:
        """Return the text of a function for a device."""
        core = self.low.done[name]
        passed = [] if core.free else self.module.passed
        params = [*passed, *map(self.rewriter(core).local, core.params)]
        inner = "\n".join(self.lines(name)).replace("\n", "\n    ")
        head = f"@device\ndef {self.prefix}{name}({', '.join(params)}):"
        return f"{self.comment(core)}{head}\n    {inner}"


class _Function(ast.NodeTransformer):
    """Rewrites one function: places as numbers of arrays, kinds where Numba could see others."""

    def __init__(self, unit: _Unit, core: Core) -> None:
        self.unit, self.low, self.core, self.module = unit, unit.low, core, unit.module
        names = {*core.kinds, *core.params}
        taken = {*_TAKEN, *self.low.done, *self.module.passed}
        self.renamed = {name: f"{name}_l" for name in names & taken}

    def local(self, name: str) -> str:
        return self.renamed.get(name, name)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        node.id = self.local(node.id)
        return node

    # -- places

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self.place(node, None, node.ctx)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        index = self.visit(node.slice)
        if isinstance(node.value, ast.Attribute):
            return self.place(node.value, index, node.ctx)
        assert isinstance(node.value, ast.Name)
        return self.table(node.value.id, self.low.tables[node.value.id].tolist(), index)

    def table(self, name: str, numbers: list[int], index: ast.expr) -> ast.expr:
        """Return a number of a constant table."""
        title = f"{self.unit.prefix}{name}"
        self.module.tables[title] = numbers
        return parsed(f"{title}[at({ast.unparse(index)})]")

    def place(self, node: ast.Attribute, index: ast.expr | None, context: Any) -> ast.expr:
        holder, name = ast.unparse(node.value), node.attr
        if holder == "o":
            return self.option(name, index)
        title, size = self.module.place(self.low, name)
        text = "" if index is None or size == 1 else ast.unparse(index)
        if text and not text.replace("_", "").isalnum():
            text = f"({text})"
        number = parsed(self.module.text_of(title, size, text))
        number.ctx = context  # type: ignore[attr-defined]
        return number

    def option(self, name: str, index: ast.expr | None) -> ast.expr:
        first, count = self.low.options[name]
        numbers = [self.low.fixed.get(first + place) for place in range(count)]
        if index is None:
            return ast.Constant(numbers[0]) if numbers[0] is not None else parsed(f"o[{first}]")
        known = [number for number in numbers if number is not None]
        if len(known) < count:
            return parsed(f"o[at({first} + ({ast.unparse(index)}))]")
        if len(set(known)) == 1 and not self.low.checked:
            return ast.Constant(known[0])
        return self.table(f"o_{name}", known, index)

    # -- kinds

    def kind(self, node: ast.expr) -> str:
        """Return the kind of an expression, before it is rewritten."""
        match node:
            case (
                ast.Constant(value=bool())
                | ast.Compare()
                | ast.BoolOp()
                | ast.UnaryOp(op=ast.Not())
            ):
                return BOOL
            case ast.Constant(value=float()) | ast.BinOp(op=ast.Div()):
                return FLOAT
            case ast.Name():
                return self.kind_of(node)
            case ast.BinOp(left=a, right=b) | ast.IfExp(body=a, orelse=b):
                return FLOAT if FLOAT in (self.kind(a), self.kind(b)) else INT
            case ast.UnaryOp(operand=operand):
                return self.kind(operand)
            case ast.Call(func=ast.Name(id=name)) if name in self.low.done:
                return (*self.low.done[name].returns, INT)[0]
            case ast.Call(func=ast.Name(id="max" | "min"), args=args):
                return FLOAT if FLOAT in map(self.kind, args) else INT
            case ast.Call(func=ast.Name(id=name)) if name in _FLOATS:
                return FLOAT
            case ast.Call(func=ast.Name(id="rarely")):
                return BOOL
        return INT

    def as_kind(self, node: ast.expr, kind: str) -> ast.expr:
        """Return a rewritten expression as a float where one is wanted."""
        if kind != FLOAT:
            return self.visit(node)  # type: ignore[no-any-return]
        if isinstance(node, ast.Constant):
            return ast.Constant(float(node.value))  # type: ignore[arg-type]
        is_float = self.kind(node) == FLOAT
        value: ast.expr = self.visit(node)
        return value if is_float else ast.Call(ast.Name("real", ast.Load()), [value], [])

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        is_float = self.kind(node) == FLOAT
        sides = [self.as_kind(side, FLOAT if is_float else INT) for side in (node.left, node.right)]
        if is_float and isinstance(node.op, ast.Mult):
            return ast.Call(ast.Name("times", ast.Load()), sides, [])
        return ast.BinOp(sides[0], node.op, sides[1])

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        (target,) = node.targets
        if isinstance(target, ast.Name):
            value = self.as_kind(node.value, self.core.kinds.get(target.id, INT))
        elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = zip(target.elts, node.value.elts, strict=True)
            parts = [self.as_kind(part, self.kind_of(part_target)) for part_target, part in pairs]
            value = ast.Tuple(parts, ast.Load())
        else:
            value = self.visit(node.value)
        return ast.Assign([self.visit(target)], value)

    def kind_of(self, target: ast.expr) -> str:
        return self.core.kinds.get(target.id, INT) if isinstance(target, ast.Name) else INT

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        read = deepcopy(node.target)
        read.ctx = ast.Load()
        return self.visit_Assign(ast.Assign([node.target], ast.BinOp(read, node.op, node.value)))

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        kinds = self.core.returns
        if node.value is None:
            return node
        if isinstance(node.value, ast.Tuple):
            pairs = zip(node.value.elts, kinds, strict=True)
            parts = [self.as_kind(part, kind) for part, kind in pairs]
            node.value = ast.Tuple(parts, ast.Load())
        else:
            node.value = self.as_kind(node.value, kinds[0] if kinds else INT)
        return node

    # -- calls and loops

    def visit_Call(self, node: ast.Call) -> ast.expr:
        name = node.func.id  # type: ignore[attr-defined]
        passed = [ast.Name(part, ast.Load()) for part in self.module.passed]
        core = self.low.done.get(name)
        if core is not None:
            args = node.args if core.free else node.args[2 if core.uses_state else 1 :]
            kinds = [core.kinds.get(param, INT) for param in core.params]
            values = [self.as_kind(arg, kind) for arg, kind in zip(args, kinds, strict=True)]
            function = ast.Name(self.unit.prefix + name, ast.Load())
            return ast.Call(function, values if core.free else [*passed, *values], [])
        if name == "exp":  # its last digit differs from one device to another
            owner = f"policy {self.unit.policy!r}" if self.unit.policy else "this game"
            raise Refused(
                f"a GPU does not play {owner}, which needs exp(…) in {self.core.name}; allowed "
                "with device 'cuda': rules and policies without it"
            )
        if name == "option":
            return parsed(f"o[at({ast.unparse(self.visit(node.args[1]))})]")
        if name == "ask_at":
            number, _s, _o, *rest = node.args
            node.args = [*passed, *map(self.visit, (number, *rest))]
            return node
        kind = FLOAT if name == "sqrt" else self.kind(node) if name in ("max", "min") else INT
        node.args = [self.as_kind(arg, kind) for arg in node.args]
        node.func = ast.Name(_RENAMED.get(name, name), ast.Load())
        return node

    def visit_While(self, node: ast.While) -> ast.stmt:
        self.generic_visit(node)
        return self.watched(node)

    def visit_For(self, node: ast.For) -> ast.stmt:
        # The loop's range is no word.
        assert isinstance(node.iter, ast.Call)
        node.target = self.visit(node.target)
        bounds = [self.visit(bound) for bound in node.iter.args]
        node.iter = ast.Call(ast.Name("range", ast.Load()), bounds, [])
        node.body = [self.visit(line) for line in node.body]
        return self.watched(node)

    def watched(self, node: ast.For | ast.While) -> ast.stmt:
        """Return a loop that ends in users' code, whatever they wrote."""
        if self.low.checked and not self.core.free:
            test = f"if not goes_on_({', '.join(self.module.passed)}):\n    break"
            node.body = [*ast.parse(test).body, *node.body]
        return node


def _at_depth(depth: int, lines: list[str]) -> str:
    """Return lines so many steps further in."""
    return "\n".join("    " * depth + line for line in lines)


def _settled_options(low: Lowering, row: np.ndarray, players: int) -> dict[int, int]:
    """Return the options that are constants of the module, by place."""
    fixed: dict[int, int] = {}
    for name, (first, count) in low.options.places.items():
        if name in ("cleared", "params", "rollout", "rollout_at"):
            continue
        numbers = row[first : first + count].tolist()
        if name == "policy":
            seats = set(numbers[:players])
            if len(seats) > 1:
                continue  # who sits where changes by rotation
            numbers = [*seats] * count
        fixed |= dict(enumerate(numbers, first))
    return fixed
