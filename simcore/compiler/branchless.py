"""Short branches become choices between values that are both worked out.

A branch that the processor guesses wrong costs as much as some fifteen small operations, and which
card comes next cannot be guessed. So where what a branch does is short and harmless, it is done in
any case, and then taken or left: `if c: x = f(x)` becomes `x = choose(c, f(x), x)`. Rows are the
same. Long branches stay, and those that are always guessed right: what depends on options alone,
and what happens `rarely`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from copy import deepcopy

from simcore.compiler.lower import BOOL, Core, Lowering, parsed
from simcore.compiler.fold import Folder

MOST = 12
"""So many operations at most are done in vain."""

NEVER = 10**6

_WORDS = {
    "popcount": 1,
    "lowest_bit": 1,
    "highest_bit": 2,
    "bit_of": 1,
    "bit_in": 3,
    "cleared": 1,
    "below_bit": 2,
    "shr": 1,
    "rotl": 1,
    "wadd": 1,
    "max": 1,
    "min": 1,
    "choose": 1,
    "has_bit": 3,
    "nth_bit": 3,
    "deposit": 2,
    "extract": 2,
    "real": 1,
    "whole": 1,
}
"""What words cost that have no other effect than their value."""


class Branchless(ast.NodeTransformer):
    """Rewrites functions over numbers.

    Parameters
    ----------
    low : Lowering
        Its functions are changed in place.
    checked : bool
        Whether indices are checked (`emit.Code`): then nothing is read or written in vain but at
        places that are told by their numbers.
    """

    def __init__(self, low: Lowering, *, checked: bool = False) -> None:
        self.low, self.checked = low, checked
        self.costs: dict[str, int] = {}
        self.count = 0

    def all(self) -> None:
        """Rewrite every function."""
        for core in list(self.low.done.values()):
            self.core(core)

    def core(self, core: Core) -> None:
        """Rewrite a function, after those that it calls."""
        if core.name in self.costs:
            return
        self.costs[core.name] = NEVER
        core.body = Folder(self.low).block(deepcopy(core.body))
        for node in core.body:
            for part in ast.walk(node):
                callee = self.low.done.get(_called(part))
                if callee is not None:
                    self.core(callee)
        self.here, self.known = core, set() if self.checked else {"seat"}
        core.body = self.block(core.body, set(core.params))
        self.costs[core.name] = self.whole(core)

    def whole(self, core: Core) -> int:
        """Return what a function costs that has no effect but its value."""
        if core.rare or not core.body:
            return NEVER
        *steps, last = core.body
        is_value = isinstance(last, ast.Return) and last.value is not None
        if not is_value or not all(map(_sets_locals, steps)):
            return NEVER
        values = [one.value for one in core.body if isinstance(one, ast.Assign | ast.Return)]
        return sum(self.cost(value) for value in values if value is not None)

    # -------------------------------------------------------------------------------- statements

    def block(self, body: list[ast.stmt], assigned: set[str]) -> list[ast.stmt]:
        """Return the statements rewritten; `assigned` are the locals that have a value."""
        made: list[ast.stmt] = []
        ends = (place for place, node in enumerate(body, 1) if isinstance(node, ast.Return))
        body = body[: next(ends, None)]
        for place, node in enumerate(body):
            if isinstance(node, ast.If):
                node.test = self.visit(node.test)
                node.body = self.block(node.body, set(assigned))
                node.orelse = self.block(node.orelse, set(assigned))
                ended = self.returned(node, body[place + 1 :])
                if ended is not None:
                    return [*made, *ended]
                made += self.chosen(node, assigned)
            elif isinstance(node, ast.While | ast.For):
                if isinstance(node, ast.While):
                    node.test = self.visit(node.test)
                else:
                    node.iter = self.visit(node.iter)
                known = self.known
                if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
                    assigned = {*assigned, node.target.id}
                    if not self.checked and ast.unparse(node.iter) == "range(o.players)":
                        self.known = {*known, node.target.id}
                node.body = self.block(node.body, set(assigned))
                self.known = known
                made.append(node)
            else:
                made.append(self.visit(node))
            for one in made[-1:]:
                if isinstance(one, ast.Assign):
                    assigned |= {name.id for name in _targets(one) if isinstance(name, ast.Name)}
        return made

    def returned(self, node: ast.If, rest: list[ast.stmt]) -> list[ast.stmt] | None:
        """Return `if c: return a`, and `return b`, as one; None if that is not what is there."""
        rest = node.orelse or rest
        if len(rest) != 1 or len(node.body) != 1 or self.is_guessed(node.test):
            return None
        one, other = (_returned(each) for each in (node.body[0], rest[0]))
        if one is None or other is None or len(self.here.returns) != 1:
            return None
        if not node.orelse:
            other = self.visit(deepcopy(other))
        if self.cost(one, node.test) + self.cost(other, node.test) > MOST:
            return None
        return [ast.Return(_choose(node.test, one, other))]

    def chosen(self, node: ast.If, assigned: set[str]) -> list[ast.stmt]:
        """Return a branch as choices, or as it is."""
        if self.is_guessed(node.test) or self.steps_cost(node, assigned) > MOST:
            return [node]
        self.count += 1
        test = f"is{self.count}_"
        self.here.kinds[test] = BOOL
        made: list[ast.stmt] = [ast.Assign([ast.Name(test, ast.Store())], node.test)]
        for body, is_so in ((node.body, True), (node.orelse, False)):
            for one in body:
                if isinstance(one, ast.Pass):
                    continue
                assert isinstance(one, ast.Assign)
                (target,) = one.targets
                news = one.value.elts if isinstance(one.value, ast.Tuple) else [one.value]
                values: list[ast.expr] = []
                for old, new in zip(_targets(one), news, strict=True):
                    kept = parsed(ast.unparse(old))
                    pair = (new, kept) if is_so else (kept, new)
                    values.append(_choose(ast.Name(test, ast.Load()), *pair))
                whole = isinstance(target, ast.Tuple)
                made.append(
                    ast.Assign([target], ast.Tuple(values, ast.Load()) if whole else values[0])
                )
        return made

    def steps_cost(self, node: ast.If, assigned: set[str]) -> int:
        """Return what it costs to do what a branch does in any case."""
        cost = 0
        for one in (*node.body, *node.orelse):
            if isinstance(one, ast.Pass):
                continue
            if not isinstance(one, ast.Assign) or len(one.targets) != 1:
                return NEVER
            if isinstance(one.targets[0], ast.Tuple) and not isinstance(one.value, ast.Tuple):
                return NEVER
            for target in _targets(one):
                if isinstance(target, ast.Name):
                    cost += 1 if target.id in assigned else NEVER
                else:
                    cost += 1 + self.place_cost(target, node.test)
            cost += self.cost(one.value, node.test)
        return cost

    def place_cost(self, target: ast.expr, test: ast.expr) -> int:
        """Return what it costs to write a place again as it is; its index must be right."""
        if not isinstance(target, ast.Subscript):
            return 0
        index = ast.unparse(target.slice)
        same = any(ast.unparse(part) == ast.unparse(target) for part in ast.walk(test))
        fine = index.isdigit() or index in self.known or (same and not self.checked)
        return 1 if fine else NEVER

    # ------------------------------------------------------------------------------- expressions

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Work out all parts of `a and b` where the later ones are short."""
        self.generic_visit(node)
        is_and = isinstance(node.op, ast.And)
        parts = [node.values[0]]
        for part in node.values[1:]:
            if self.is_guessed(parts[-1]) or self.cost(part, *parts) > MOST // 2:
                parts.append(part)
                continue
            end = ast.Constant(not is_and)
            first = parts.pop()
            parts.append(_choose(first, part, end) if is_and else _choose(first, end, part))
        return parts[0] if len(parts) == 1 else ast.BoolOp(node.op, parts)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """Work out both values where they are short."""
        self.generic_visit(node)
        cost = self.cost(node.body, node.test) + self.cost(node.orelse, node.test)
        if self.is_guessed(node.test) or cost > MOST:
            return node
        return _choose(node.test, node.body, node.orelse)

    @staticmethod
    def is_guessed(test: ast.expr) -> bool:
        """Tell whether the processor guesses a branch right: options never change."""
        parts = list(ast.walk(test))
        if any(_called(part) == "rarely" for part in parts):
            return True
        return not any(isinstance(part, ast.Name) and part.id != "o" for part in parts)

    def cost(self, node: ast.expr, *before: ast.expr) -> int:
        """Return how many operations an expression takes; `NEVER` if it may not be done in vain.

        Parameters
        ----------
        before : expressions
            What is worked out in any case: indices in it are right.
        """
        known = {
            ast.unparse(part.slice)
            for one in before
            for part in ast.walk(one)
            if isinstance(part, ast.Subscript) and not self.checked
        }
        return self.sum(node, known)

    def sum(self, node: ast.AST, known: Iterable[str]) -> int:
        """Return what an expression costs, with its parts."""
        if isinstance(node, ast.Subscript):
            index = ast.unparse(node.slice)
            return 1 if index.isdigit() or index in self.known or index in known else NEVER
        parts = ast.iter_child_nodes(node)
        return self.one(node) + sum(self.sum(part, known) for part in parts)

    def one(self, node: ast.AST) -> int:
        """Return what one part of an expression costs."""
        if isinstance(node, ast.BinOp):
            by_constant = isinstance(node.left, ast.Constant) or isinstance(
                node.right, ast.Constant
            )
            return {ast.Mult: 1 if by_constant else 3, ast.Div: NEVER}.get(type(node.op), 1)
        if isinstance(node, ast.Call):
            name = _called(node)
            if name in ("divided_by", "modulo"):
                by = node.args[1]
                return 5 if isinstance(by, ast.Constant) else NEVER
            return _WORDS.get(name, self.costs.get(name, NEVER))
        if isinstance(node, ast.IfExp):
            arms = (node.body, node.orelse)
            return 1 if all(isinstance(arm, ast.Constant | ast.Name) for arm in arms) else NEVER
        if isinstance(node, ast.BoolOp):
            return NEVER
        return int(isinstance(node, ast.Attribute | ast.UnaryOp | ast.Compare))


def _called(node: ast.AST) -> str:
    return getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""


def _returned(node: ast.stmt) -> ast.expr | None:
    return node.value if isinstance(node, ast.Return) else None


def _sets_locals(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and all(isinstance(one, ast.Name) for one in _targets(node))


def _targets(node: ast.Assign) -> list[ast.expr]:
    (target,) = node.targets
    return list(target.elts) if isinstance(target, ast.Tuple) else [target]


def _choose(test: ast.expr, one: ast.expr, other: ast.expr) -> ast.Call:
    return ast.Call(ast.Name("choose", ast.Load()), [test, one, other], [])
