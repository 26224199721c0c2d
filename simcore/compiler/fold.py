"""Constant folding: tests that known options decide, and branches that are never taken.

Code for the rules as they are takes their options for granted (`Lowering.fixed`). LLVM would see
as much, but what is left here is quicker compiled, and shorter to read.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from simcore.compiler.translate import Lowering

_TESTS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class Folder(ast.NodeTransformer):
    """Rewrites functions over numbers in place, by the options that are known.

    Parameters
    ----------
    low : Lowering
        Says which they are.
    """

    def __init__(self, low: Lowering) -> None:
        self.low = low

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Return statements without what is never run."""
        return self.visit(ast.Module(body, [])).body  # type: ignore[no-any-return]

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and node.value.id == "o":
            at, count = self.low.options[node.attr]
            if count == 1 and at in self.low.fixed:
                return ast.Constant(self.low.fixed[at])
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        parts = [node.left, *node.comparators]
        if len(parts) != 2 or not all(isinstance(part, ast.Constant) for part in parts):
            return node
        left, right = (part.value for part in parts if isinstance(part, ast.Constant))
        return ast.Constant(_TESTS[type(node.ops[0])](left, right))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        decides, parts = isinstance(node.op, ast.Or), list[ast.expr]()
        for part in map(self.visit, node.values):
            if not isinstance(part, ast.Constant):
                parts.append(part)
            elif bool(part.value) == decides:
                if not any(isinstance(x, ast.Call) for before in parts for x in ast.walk(before)):
                    parts = []  # nothing that happened before is missed
                parts.append(ast.Constant(decides))
                break
        if len(parts) > 1:
            return ast.BoolOp(node.op, parts)
        return parts[0] if parts else ast.Constant(not decides)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return ast.Constant(not node.operand.value)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return node

    def visit_If(self, node: ast.If) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        if isinstance(node.test, ast.Constant):
            return node.body if node.test.value else node.orelse
        return _with_body(node)

    def visit_loop(self, node: ast.While | ast.For) -> ast.stmt:
        self.generic_visit(node)
        return _with_body(node)

    visit_While = visit_For = visit_loop


def _with_body(node: ast.If | ast.While | ast.For) -> ast.stmt:
    """Give a statement whose body was folded away an empty one."""
    node.body = node.body or [ast.Pass()]
    return node
