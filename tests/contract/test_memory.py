"""Compiled records are bare pointers: the array that a record lies in must outlive it.

`np.zeros(1, dtype)[0]` in a kernel leaves nobody who holds the array. Its memory is given back at
once, and the next to ask for some, on any thread, gets it: rows would be wrong now and then, or a
match would never end.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import simcore
import strategies

FRESH = {"zeros", "empty", "ones", "full", "array", "copy_of", "empty_box"}
SOURCES = [
    path
    for package in (simcore, strategies)
    for path in sorted(Path(package.__file__ or "").parent.rglob("*.py"))
]


def orphans(source: str) -> list[str]:
    """Return where something is taken out of an array that nothing else holds."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Call):
            called = node.value.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in FRESH:
                found.append(f"line {node.lineno}: {ast.unparse(node)}")
    return found


def test_no_kernel_keeps_a_record_without_its_array():
    # Plain Python: there a record does hold its array.
    plain = {"guard.py"}
    found = {
        str(path): orphans(path.read_text(encoding="utf-8"))
        for path in SOURCES
        if path.name not in plain
    }
    assert {path: places for path, places in found.items() if places} == {}


@pytest.mark.parametrize("fault", ["np.zeros(1, WORK)[0]", "empty_box(seat)[0].key"])
def test_it_would_be_found(fault):
    assert orphans(f"def kernel(seat):\n    work = {fault}\n    return work\n") != []
    assert orphans("def kernel(seat):\n    work = np.zeros(1, WORK)\n    return work[0]\n") == []
