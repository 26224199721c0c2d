"""Rules are printed as Python, and compiled by Numba in one of two ways."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from simcore.compiler.blocks import form_of, printed_module
from simcore.game import game_names, get_game
from simcore.jit import IN_PLAIN_PYTHON
from studies.operations.arguments import make_cell

TOP = Path(__file__).parents[2]

TEXT = """
from simcore.compiler.numba_code import *

State, Options = rows({"fault": (0, 1), "hand": (1, 3)}, {"players": (0, 1)}, 4)
SQUARES = table([0, 1, 4, 9])


def doubled(s: State, o: Options, a: int) -> tuple[int, float]:
    seldom()
    return 2 * a, real(a) / 4.0


def entry(s: State, o: Options, a: int, b: int) -> int:
    s.hand[1] = SQUARES[a]
    whole_, part = doubled(s, o, b)
    return s.hand[1] + whole_ + cut(part) + o.players
"""

COMPILE = """
import os, pickle, sys
from simcore.compiler.machine import processor
os.environ["NUMBA_CPU_NAME"], os.environ["NUMBA_CPU_FEATURES"] = processor()
from simcore.compiler import numba_code

def fails(functions, name):
    raise AttributeError("another Numba")

if sys.argv[2] == "publicly":
    numba_code._together = fails
code = numba_code.object_of(sys.stdin.read(), "test.py", "test_" + sys.argv[2])
open(sys.argv[1], "wb").write(code)
"""


@pytest.mark.parametrize("name", game_names())
def test_a_printed_module_tells_of_each_function_which_rule_it_was(name):
    cell = make_cell(get_game(name), {}, "random")
    text, low = printed_module(cell), form_of(cell).lowered("matches")
    lines = text.splitlines()
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    assert functions[-1].name == "entry"
    rules = [one for one in functions if low.done[one.name].file]
    assert len(rules) > 10
    for function in rules:
        above = lines[function.lineno - 3 : function.lineno - 1]
        file, _, line = next(one for one in above if ".py:" in one)[2:].rpartition(":")
        source = (TOP / file).read_text(encoding="utf-8").splitlines()
        assert source[int(line) - 1].startswith("def "), (function.name, file, line)
    defined = [one.name for one in functions]
    for place, function in enumerate(functions):
        called = {
            getattr(one.func, "id", "") for one in ast.walk(function) if isinstance(one, ast.Call)
        }
        assert not called & set(defined[place:]), function.name


@pytest.mark.whole
@pytest.mark.skipif(IN_PLAIN_PYTHON, reason="nothing is compiled")
@pytest.mark.parametrize("way", ["together", "publicly"])
def test_both_ways_of_compiling_give_the_same(way, tmp_path):
    from simcore.compiler import machine

    file = tmp_path / "code"
    subprocess.run(
        [sys.executable, "-c", COMPILE, file, way],
        input=TEXT.encode(),
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TOP), *sys.path]), "NUMBA_OPT": "0"},
        check=True,
    )
    loader = machine._Loader()
    entry = machine.function_at(loader.load(file.read_bytes(), f"test_{way}"), 4)
    state, options = np.zeros(4, np.int64), np.array([5])
    assert entry(state.ctypes.data, options.ctypes.data, 3, 10) == 9 + 20 + 2 + 5
    assert state.tolist() == [0, 0, 9, 0]
