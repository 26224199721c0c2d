"""Two checks of a function's ways: each name has a value, and each way returns one.

Numba gives a name without a value on some way a zero, and lets a function end without the value
that it returns elsewhere. Python stops there, so such functions are refused.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from simcore.compiler.program import Routine, children_of, parts_of, simple_names

Names = frozenset[str]

NO_VALUE = "`{}` has no value yet on some way; give it one before the `if` or the loop"
FALLS_THROUGH = "it returns a value on one way through it, and none on another"


def check_ways(routine: Routine) -> None:
    """Refuse a name that has no value on some way, and a value that only some ways return.

    Raises
    ------
    Refused
        With file and line.
    """
    _Ways(routine).check()


def gives(node: ast.AST) -> bool:
    """Tell whether a statement returns a value."""
    return isinstance(node, ast.Return) and node.value is not None


def gives_value(tree: ast.FunctionDef) -> bool:
    """Tell whether a function returns a value."""
    return any(map(gives, parts_of(tree)))


class _Ways:
    """Follows the names that have a value on every way to a statement."""

    def __init__(self, routine: Routine) -> None:
        self.routine = routine
        self.named: Names = frozenset(
            name.id for name in simple_names(routine.tree) if not isinstance(name.ctx, ast.Load)
        )
        self.named |= frozenset(routine.params)
        self.exits: list[list[Names]] = []  # what has a value at each exit of the loops around

    def check(self) -> None:
        tree = self.routine.tree
        self.block(tree.body, frozenset(self.routine.params))
        if gives_value(tree) and _falls_through(tree.body):
            raise self.routine.refuse(tree, FALLS_THROUGH)

    def need(self, node: ast.AST | None, has: Names) -> None:
        """Refuse an expression that reads a name without a value."""
        for name in reads(node) if node is not None else ():
            if name.id in self.named - has:
                raise self.routine.refuse(name, NO_VALUE.format(name.id))

    def block(self, body: Sequence[ast.stmt], has: Names) -> Names:
        """Return the names that have a value after some statements."""
        for node in body:
            has = self.statement(node, has)
        return has

    def statement(self, node: ast.stmt, has: Names) -> Names:
        if isinstance(node, ast.If):
            self.need(node.test, has)
            return self.block(node.body, has) & self.block(node.orelse, has)
        if isinstance(node, ast.While | ast.For):
            return self.loop(node, has)
        if isinstance(node, ast.Break):
            self.exits[-1].append(has)
        if isinstance(node, ast.Return):
            self.need(node.value, has)
        if isinstance(node, ast.Break | ast.Continue | ast.Return):
            return self.named  # what follows is never reached
        changed = getattr(node, "target", None) if isinstance(node, ast.AugAssign) else None
        if isinstance(changed, ast.Name) and changed.id not in has:
            raise self.routine.refuse(node, NO_VALUE.format(changed.id))
        self.need(getattr(node, "value", None), has)
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        if isinstance(node, ast.AnnAssign) and node.value is None:
            return has
        for target in targets:
            self.need(target, has)
            has |= _stored(target)
        return has

    def loop(self, node: ast.While | ast.For, has: Names) -> Names:
        """A name has a value after a loop if it had one before, or at each exit."""
        self.need(node.test if isinstance(node, ast.While) else node.iter, has)
        self.exits.append([])
        inner = has | _stored(node.target) if isinstance(node, ast.For) else has
        self.block(node.body, inner)
        exits = self.exits.pop()
        return self.named.intersection(*exits) if _is_endless(node) else has


def _stored(target: ast.AST | None) -> Names:
    """Return the names that a target gives a value."""
    if isinstance(target, ast.Tuple):
        return frozenset().union(*map(_stored, target.elts))
    return frozenset({target.id}) if isinstance(target, ast.Name) else frozenset()


def reads(node: ast.AST, own: Names = frozenset()) -> Iterator[ast.Name]:
    """Yield the names that an expression reads, but for variables of its own."""
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load) and node.id not in own:
            yield node
        return
    for loop in getattr(node, "generators", ()):
        own |= _stored(loop.target)
    if isinstance(node, ast.Lambda):
        own |= {argument.arg for argument in node.args.args}
    for child in children_of(node):
        yield from reads(child, own)


def _falls_through(body: Sequence[ast.stmt]) -> bool:
    """Tell whether statements may end without returning a value."""
    is_bare = any(
        isinstance(part, ast.Return) and part.value is None
        for node in body
        for part in parts_of(node)
    )
    return is_bare or goes_on(body)


def goes_on(body: Sequence[ast.stmt]) -> bool:
    """Tell whether control may reach the end of statements."""
    for node in body:
        if isinstance(node, ast.Return | ast.Break | ast.Continue):
            return False
        if isinstance(node, ast.If) and not (goes_on(node.body) or goes_on(node.orelse)):
            return False
        if isinstance(node, ast.While) and _is_endless(node) and not any(map(_breaks, node.body)):
            return False
    return True


def _breaks(node: ast.stmt) -> bool:
    """Tell whether a statement leaves the loop that it stands in."""
    if isinstance(node, ast.While | ast.For):
        return False
    inner = (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.stmt))
    return isinstance(node, ast.Break) or any(map(_breaks, inner))


def _is_endless(node: ast.stmt) -> bool:
    test = getattr(node, "test", None)
    return isinstance(node, ast.While) and isinstance(test, ast.Constant) and bool(test.value)
