"""Compiled rules: what they are compiled from, and that they play as ordinary Python does."""

from __future__ import annotations

import ast
import random

import numpy as np
import pytest

from simcore.compiler import blocks, machine
from simcore.compiler.blocks import Columns, Player, Unit, form_of, printed_module
from simcore.compiler.core import INT, Core, lines
from simcore.compiler.fold import Folder
from simcore.compiler.program import program_of
from simcore.compiler.translate import Lowering
from simcore.game import game_names, get_game
from simcore.jit import IN_PLAIN_PYTHON
from strategies import policies
from studies.operations.arguments import make_cell
from tests.own.small import assert_played_alike
from tests.programs import ROOT, run_python
from tests.variants import random_options

compiles = pytest.mark.skipif(IN_PLAIN_PYTHON, reason="nothing is compiled")


def strategies_of(name):
    """Return all policies as texts; those that search do it with few deals."""
    known = policies(get_game(name))
    return [
        f"{policy.name}(rollouts=5)" if policy.takes_policy else policy.name for policy in known
    ]


NUMBERS = [
    0,
    *(pytest.param(number, marks=pytest.mark.whole) for number in range(1, 4)),
    *(pytest.param(number, marks=pytest.mark.long) for number in range(4, 60)),
]


@compiles
@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("number", NUMBERS)
def test_rows_are_the_same(name, number):
    """Under options and with policies that the number draws."""
    chance = random.Random(f"{name} {number}")  # noqa: S311
    game, known = get_game(name), strategies_of(name)
    options = random_options(game, chance)
    lineup = [known[(number * 5 + seat) % len(known)] for seat in range(options["players"])]
    cell = make_cell(game, options, lineup, seed=number)
    assert assert_played_alike(cell, 3, f"{lineup} {options}") == 3


@compiles
@pytest.mark.parametrize("name", game_names())
def test_one_kernel_serves_all_tables(name):
    cells = [
        make_cell(get_game(name), {"players": players}, lineup)
        for players in (2, 3, 4)
        for lineup in strategies_of(name)[:2]
    ]
    assert len({Player(cell, 0).kernel.address for cell in cells}) == 1


@compiles
@pytest.mark.parametrize("name", game_names())
def test_rules_as_they_are_play_as_by_the_code_for_all_rules(name, monkeypatch):
    game = get_game(name)
    tables = ({}, {"players": game.players.high})
    cells = [make_cell(game, options, ["random", "all_rounder"], seed=5) for options in tables]

    def rows():
        monkeypatch.setattr(blocks, "_units", {})
        columns = [Columns.of(cell, 30) for cell in cells]
        for cell, out in zip(cells, columns, strict=True):
            assert Player(cell, 0).play(0, 30, out, 0) == 30
        return columns

    assert form_of(cells[0]).fixed
    usual = rows()
    monkeypatch.setattr(blocks, "_usual", lambda _program, _form: {})
    assert not form_of(cells[0]).fixed
    for columns, others in zip(usual, rows(), strict=True):
        assert columns.begins(others)


@pytest.mark.parametrize("name", game_names())
def test_a_printed_module_tells_of_each_function_which_rule_it_was(name):
    cell = make_cell(get_game(name), {}, "random")
    text, low = printed_module(cell), form_of(cell).lowered("matches")
    lines = text.splitlines()
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    assert functions[-1].name == "entry"
    rules = [function for function in functions if low.done[function.name].file]
    assert len(rules) > 10
    for function in rules:
        above = lines[function.lineno - 3 : function.lineno - 1]
        file, _, line = next(text for text in above if ".py:" in text)[2:].rpartition(":")
        source = (ROOT / file).read_text(encoding="utf-8").splitlines()
        assert source[int(line) - 1].startswith("def "), (function.name, file, line)
    defined = [function.name for function in functions]
    for place, function in enumerate(functions):
        called = {
            getattr(node.func, "id", "")
            for node in ast.walk(function)
            if isinstance(node, ast.Call)
        }
        assert not called & set(defined[place:]), function.name


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
code = numba_code.object_of(sys.argv[3], "test.py", "test_" + sys.argv[2])
open(sys.argv[1], "wb").write(code)
"""


@pytest.mark.whole
@compiles
@pytest.mark.parametrize("method", ["together", "publicly"])
def test_both_ways_of_compiling_give_the_same(method, tmp_path):
    file = tmp_path / "code"
    result = run_python("-c", COMPILE, file, method, TEXT, NUMBA_OPT="0")
    assert result.returncode == 0, result.stderr
    loader = machine._Loader()
    entry = machine.function_at(loader.load(file.read_bytes(), f"test_{method}"), 4)
    state, options = np.zeros(4, np.int64), np.array([5])
    assert entry(state.ctypes.data, options.ctypes.data, 3, 10) == 9 + 20 + 2 + 5
    assert state.tolist() == [0, 0, 9, 0]


def lowering(*cores: Core) -> Lowering:
    game = get_game("updown")
    program = program_of(game)
    low = Lowering(program, program.option_values(game.resolve({})))
    for core in cores:
        low.add(core)
    return low


def compiled(text: str, *params: str):
    """Return a function of whole numbers, compiled."""
    low = lowering(Core("entry", list(params), lines(text), {}, (INT,)))
    unit = Unit(low, "test", "a test")
    rows = np.zeros(low.state.size + low.options.size + 64, np.int64)
    return lambda *given: int(unit.call(rows.ctypes.data, rows.ctypes.data, *given))


@compiles
class TestWords:
    @pytest.mark.parametrize(("a", "b"), [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (-6, 3)])
    def test_division_rounds_down(self, a, b):
        assert compiled("return divided_by(a, b)", "a", "b")(a, b) == a // b
        assert compiled("return modulo(a, b)", "a", "b")(a, b) == a % b
        assert compiled(f"return divided_by(a, {b})", "a")(a) == a // b

    def test_division_by_nothing_is_by_one(self):
        assert compiled("return divided_by(a, b)", "a", "b")(5, 0) == 5

    @pytest.mark.parametrize("count", [-1, 0, 1, 5, 63, 64, 65, 255, 256, 300])
    def test_bits_below(self, count):
        word = 0x5A5A5A5A5A5A5A5A
        bits = compiled("return below_bit(a, b)", "a", "b")(word, count)
        assert bits == word & ((1 << max(count, 0)) - 1)


class TestFolder:
    @pytest.mark.parametrize(
        ("text", "left"),
        [
            ("if o.hand_size == 11:\n    x = 1\nelse:\n    x = 2", "x = 1"),
            ("if o.hand_size > 11:\n    x = 1", ""),
            ("if a > 1 and o.hand_size == 11:\n    x = 1", "if a > 1:\n    x = 1"),
            ("if a > 1 and o.hand_size != 11:\n    x = 1", ""),
            ("x = a or o.hand_size == 11", "x = True"),
            ("x = f(a) > 0 or o.hand_size == 11", "x = f(a) > 0 or True"),
            ("x = 1 if not o.hand_size == 11 else a", "x = a"),
            ("x = s.scores[o.hand_size]", "x = s.scores[11]"),
            ("if o.players > 2:\n    x = 1", "if o.players > 2:\n    x = 1"),
        ],
    )
    def test_what_known_options_settle_is_left_out(self, text, left):
        low = lowering()
        low.fixed = {low.options["hand_size"][0]: 11}
        got = Folder(low).block(lines(text))
        assert "\n".join(ast.unparse(ast.fix_missing_locations(line)) for line in got) == left
