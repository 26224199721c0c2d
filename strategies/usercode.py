"""What a user's policy says that cannot be compiled, found in its text before anything compiles.

Only what is sure to fail, or to do something else than it says, is refused here; all else is for
the compiler to judge (`simcore.notcompiled` has its words). What the policy calls is read, too, as
far as it is not cardlab's own.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType

from simcore.errors import nearest
from simcore.jit import JIT_DISABLED, is_own
from simcore.notcompiled import NotCompiledError

_MISSING = object()
_MEMORY = "seat.memory keeps whole numbers over the turns of a match"
_FILES = "read them at the top of the file, into a tuple or a NumPy array"
_WHY = "`cardlab play GAME --strategies FILE.py --why` shows what it decides"

_STATEMENTS: tuple[tuple[tuple[type[ast.AST], ...], str], ...] = (
    (
        (ast.Import, ast.ImportFrom),
        "`import` is not possible inside a compiled policy; write it at the top of the file",
    ),
    (
        (ast.Yield, ast.YieldFrom),
        "`yield` is not possible in a compiled policy; `return` one move",
    ),
    (
        (ast.Await, ast.AsyncFor, ast.AsyncWith),
        "`await` is not possible in a compiled policy; `return` one move",
    ),
    ((ast.AsyncFunctionDef,), "a compiled policy cannot be `async`; write `def`"),
    (
        (ast.Try, ast.TryStar),
        "`try` is not possible in a compiled policy, where hardly anything raises; ask with `if`",
    ),
    (
        (ast.With,),
        f"`with` is not possible in a compiled policy; files: {_FILES}",
    ),
    (
        (ast.ClassDef,),
        f"a class is not possible in a compiled policy; take numbers and tuples ({_MEMORY})",
    ),
    (
        (ast.JoinedStr,),
        f"text is not put together in a compiled policy (an f-string); {_WHY}",
    ),
    (
        (ast.Nonlocal,),
        f"`nonlocal` is not possible in a compiled policy; {_MEMORY}",
    ),
    (
        (ast.GeneratorExp,),
        "a generator is not possible in a compiled policy; write a loop, or a list in brackets […]",
    ),
    (
        (ast.DictComp, ast.SetComp),
        "dicts and sets are not made so in a compiled policy; write a loop",
    ),
    (
        (ast.MatchSequence, ast.MatchMapping, ast.MatchClass),
        "`match` takes numbers only in a compiled policy; ask with `if`",
    ),
    ((ast.Delete,), "`del` is not possible in a compiled policy; leave it out"),
)

_CALLS = {
    "open": f"files are not read in a compiled policy; {_FILES}",
    "print": f"nothing is printed in a compiled policy; {_WHY}",
    "input": "nobody is asked in a compiled policy; numbers are parameters (params=[Param(…)])",
    **dict.fromkeys(
        ("eval", "exec", "compile", "__import__"),
        "a compiled policy runs no text; write a function",
    ),
    **dict.fromkeys(
        ("globals", "locals", "vars", "setattr", "delattr", "breakpoint"),
        f"it is not possible in a compiled policy; {_MEMORY}",
    ),
    **dict.fromkeys(("exit", "quit"), "a policy does not end the program; `return` a move"),
}


def check_function(function: FunctionType) -> None:
    """Refuse a user's policy that cannot be compiled as it is written.

    Raises
    ------
    NotCompiledError
        With the first cause, by line.
    """
    _check(function, (), set())


def _check(
    function: FunctionType, above: tuple[FunctionType, ...], seen: set[FunctionType]
) -> None:
    """Check a function and what it calls; `above` are those that call it."""
    seen.add(function)
    node = _syntax(function)
    if node is None:
        return
    scope = _Scope(function, node)
    found = sorted(_problems(node, scope, (*above, function)), key=lambda one: one[0])
    if found:
        line, cause = found[0]
        raise NotCompiledError(cause, function.__code__.co_filename, line)
    for called in scope.called.values():
        if called not in seen:
            _check(called, (*above, function), seen)
    for line, name in scope.plain:
        raise NotCompiledError(
            f"{name} is a plain function, which a compiled policy cannot call; put @kernel (from "
            "simcore.jit import kernel) above it",
            function.__code__.co_filename,
            line,
        )


_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def _syntax(function: FunctionType) -> _Function | None:
    """Return a function's syntax; None where its text is not there, or cannot be told apart."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except (SyntaxError, ValueError, RecursionError):
        return None
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, _Function)
        and getattr(node, "name", "<lambda>") == code.co_name
        and _first_line(node) == code.co_firstlineno
    ]
    return found[0] if len(found) == 1 else None


def _first_line(node: _Function) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min(one.lineno for one in (node, *decorators))


class _Scope:
    """What the names in a function stand for.

    Attributes
    ----------
    called : dict of str to function
        Users' functions that it names.
    plain : list of (int, str)
        Those of them that were not compiled, with lines.
    """

    def __init__(self, function: FunctionType, node: _Function) -> None:
        self.own = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
        for one in _inside(node):
            if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
                self.own.add(one.id)
            elif isinstance(one, ast.FunctionDef | ast.ClassDef):
                self.own.add(one.name)
            elif isinstance(one, ast.Import | ast.ImportFrom):
                self.own |= {(name.asname or name.name).split(".")[0] for name in one.names}
            elif isinstance(one, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and one.name:
                self.own.add(one.name)
        self.changed = {
            name for one in _inside(node) if isinstance(one, ast.Global) for name in one.names
        } & self.own
        self.own -= self.changed
        self._values = dict(function.__globals__)
        for name, cell in zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        ):
            try:
                self._values[name] = cell.cell_contents
            except ValueError:  # not yet filled
                self._values.pop(name, None)
        self.called: dict[str, FunctionType] = {}
        self.plain: list[tuple[int, str]] = []

    def value(self, node: ast.AST) -> object:
        """Return what an expression outside of the function stands for, or `_MISSING`."""
        if isinstance(node, ast.Name) and node.id not in self.own:
            return self._values.get(node.id, getattr(builtins, node.id, _MISSING))
        if isinstance(node, ast.Attribute):
            base = self.value(node.value)
            if isinstance(base, ModuleType):
                return getattr(base, node.attr, _MISSING)
        return _MISSING

    def is_unknown(self, node: ast.Name) -> bool:
        """Return whether a name is not defined anywhere."""
        return node.id not in self.own | self.changed and self.value(node) is _MISSING

    def names(self) -> list[str]:
        """Return all names that are known."""
        return [*self.own, *self._values]


def _inside(node: _Function) -> Iterator[ast.AST]:
    """Yield what is compiled of a function: neither decorators nor defaults nor annotations."""
    body = node.body if isinstance(node.body, list) else [node.body]
    for statement in body:
        for one in ast.walk(statement):
            if isinstance(one, ast.arg):
                one.annotation = None
            if isinstance(one, ast.AnnAssign):
                one.annotation = ast.Constant(None)
            if isinstance(one, ast.FunctionDef):
                one.returns = None
            yield one


def _problems(
    node: _Function, scope: _Scope, above: tuple[FunctionType, ...]
) -> Iterator[tuple[int, str]]:
    """Yield lines and causes."""
    for one in _inside(node):
        line = getattr(one, "lineno", 0)
        yield from ((line, cause) for kinds, cause in _STATEMENTS if isinstance(one, kinds))
        yield from ((line, cause) for cause in _changes(one, scope))
        yield from (
            (line, f"{name} calls itself, which is not possible; write a loop")
            for name in _names_given(one)
            if _calls(one, name)
        )
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            yield from _of_name(one, scope, above)
        elif isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Load):
            yield from _of_value(one, scope, above)


def _changes(node: ast.AST, scope: _Scope) -> Iterator[str]:
    """Yield what a statement changes that lies outside of the policy."""
    if isinstance(node, ast.Global) and scope.changed & set(node.names):
        yield (
            f"`global {', '.join(node.names)}`: a compiled policy changes nothing outside; "
            f"{_MEMORY}"
        )
        return
    if not isinstance(node, ast.Subscript | ast.Attribute) or isinstance(node.ctx, ast.Load):
        return
    if scope.value(node.value) is not _MISSING:
        yield (
            f"{ast.unparse(node.value)} is outside of the policy, which cannot change it: what a "
            f"policy reads is fixed when it is compiled; {_MEMORY}"
        )


def _names_given(node: ast.AST) -> list[str]:
    """Return the names that a statement gives to a function."""
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return []


def _of_name(
    node: ast.Name, scope: _Scope, above: tuple[FunctionType, ...]
) -> Iterator[tuple[int, str]]:
    if scope.is_unknown(node):
        near = nearest(node.id, scope.names())
        guess = f"; did you mean {near!r}?" if near else ""
        yield node.lineno, f"name {node.id!r} is not defined{guess}"
    else:
        yield from _of_value(node, scope, above)


def _of_value(
    node: ast.Name | ast.Attribute, scope: _Scope, above: tuple[FunctionType, ...]
) -> Iterator[tuple[int, str]]:
    """Yield what is wrong with a thing from outside that is read."""
    name, value = ast.unparse(node), scope.value(node)
    if isinstance(node, ast.Attribute):
        base = scope.value(node.value)
        if value is _MISSING and isinstance(base, ModuleType):
            yield node.lineno, f"module {base.__name__} has no {node.attr!r}"
    if isinstance(value, list | dict | set):
        yield (
            node.lineno,
            (
                f"{name} is a {type(value).__name__} outside of the policy, which compiled code "
                f"cannot use; make it a tuple or a NumPy array if it never changes ({_MEMORY})"
            ),
        )
    if name in _CALLS and value is getattr(builtins, name, None):
        yield node.lineno, f"`{name}`: {_CALLS[name]}"
    function = getattr(value, "py_func", value)
    if isinstance(function, FunctionType) and _is_users(function):
        if function in above:
            calls = " calls ".join(one.__name__ for one in above[above.index(function) :])
            yield (
                node.lineno,
                (
                    f"{calls} calls {function.__name__}: a compiled policy cannot call itself, "
                    "directly or through others; write a loop"
                ),
            )
        else:
            scope.called[name] = function
            if function is value and not JIT_DISABLED:
                scope.plain.append((node.lineno, name))


def _is_users(function: FunctionType) -> bool:
    """Return whether a function comes from a user's file, or one of his beside it."""
    package = str(function.__globals__.get("__name__", "")).partition(".")[0]
    installed = "site-packages" in function.__code__.co_filename
    return not (installed or package in sys.stdlib_module_names or is_own(function))


def _calls(node: ast.AST, name: str) -> bool:
    return any(
        isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == name
        for one in ast.walk(node)
    )
