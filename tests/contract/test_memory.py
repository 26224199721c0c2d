"""Compiled records are bare pointers: the array that a record lies in must outlive it.

`np.zeros(1, dtype)[0]` in a kernel leaves nobody who holds the array; neither does a last
`f(work[0])`, because a kernel lets go of `work` where it is read for the last time. The memory is
given back at once, and the next to ask for some, on any thread, gets it: rows would be wrong now
and then, or a match would never end.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import simcore
import strategies

FRESH = {"zeros", "empty", "ones", "full", "array", "copy_of", "empty_box"}
LOOPS = (ast.For, ast.While)
SOURCES = [
    path
    for package in (simcore, strategies)
    for path in sorted(Path(package.__file__ or "").parent.rglob("*.py"))
]


def is_fresh(node: ast.AST) -> bool:
    """Tell whether an expression makes an array that nothing holds yet."""
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    return (
        called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    ) in FRESH


def taken(node: ast.AST, name: str) -> list[ast.Call]:
    """Return the calls that are handed something out of an array."""
    return [
        call
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
        for argument in call.args
        for part in ast.walk(argument)
        if isinstance(part, ast.Subscript)
        and isinstance(part.value, ast.Name)
        and part.value.id == name
    ]


def orphans(source: str) -> Iterator[str]:
    """Yield where something is taken out of an array that nothing holds any more."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Subscript) and is_fresh(node.value):
            yield f"line {node.lineno}: {ast.unparse(node)}"
        if not isinstance(node, ast.FunctionDef):
            continue
        for statement in node.body:
            if not (isinstance(statement, ast.Assign) and is_fresh(statement.value)):
                continue
            for name in (target.id for target in statement.targets if isinstance(target, ast.Name)):
                last = [
                    line
                    for line in node.body
                    if any(
                        isinstance(part, ast.Name) and part.id == name for part in ast.walk(line)
                    )
                ][-1]
                # What a loop reads is held until the loop ends.
                if not isinstance(last, LOOPS):
                    for call in taken(last, name):
                        yield f"line {call.lineno}: {ast.unparse(call)}"


def test_no_kernel_keeps_a_record_without_its_array():
    # Plain Python: there a record does hold its array.
    plain = {"guard.py"}
    found = {
        str(path): list(orphans(path.read_text(encoding="utf-8")))
        for path in SOURCES
        if path.name not in plain
    }
    assert {path: places for path, places in found.items() if places} == {}


KERNEL = "def kernel(seat):\n    {}\n"


@pytest.mark.parametrize(
    "fault",
    [
        "work = np.zeros(1, WORK)[0]",
        "return empty_box(seat)[0].key",
        "work = np.zeros(1, WORK)\n    play(work[0].lanes)",
        "start = copy_of(seat)\n    start[0].x = 1\n    return play(seat, start[0])",
    ],
)
def test_it_would_be_found(fault):
    assert len(list(orphans(KERNEL.format(fault)))) == 1


@pytest.mark.parametrize(
    "kernel",
    [
        "work = np.zeros(1, WORK)\n    return work",
        "work = np.zeros(1, WORK)\n    play(work)",
        "work = np.zeros(1, WORK)\n    while True:\n        play(work[0])",
    ],
)
def test_nothing_else_would(kernel):
    assert list(orphans(KERNEL.format(kernel))) == []
