"""Compiled rules: what they are compiled from, and that they play as ordinary Python does."""

from __future__ import annotations

import ast
import random
from dataclasses import replace

import numpy as np
import pytest

from simcore.catalogue import get_game
from simcore.compiler import machine
from simcore.compiler.blocks import Columns, Player, printed_module
from simcore.compiler.units import Unit
from simcore.game import game_names
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
    pytest.param(0, 2, id="two policies"),
    pytest.param(0, 10, marks=pytest.mark.whole),
    *(pytest.param(number, 10, marks=pytest.mark.whole) for number in range(1, 4)),
    *(pytest.param(number, 10, marks=pytest.mark.long) for number in range(4, 60)),
]


@compiles
@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize(("number", "most"), NUMBERS)
def test_rows_are_the_same(name, number, most):
    """Under options and with policies that the number draws, so many at most."""
    chance = random.Random(f"{name} {number}")  # noqa: S311
    game, known = get_game(name), strategies_of(name)
    options = random_options(game, chance)
    lineup = [known[(number * 5 + seat % most) % len(known)] for seat in range(options["players"])]
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
    assert len({cell.form.code("matches") for cell in cells}) == 1


@compiles
@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("players", ["usual", pytest.param("most", marks=pytest.mark.whole)])
def test_rules_as_they_are_play_as_by_the_code_for_all_rules(name, players):
    game = get_game(name)
    options = {"players": game.players.high} if players == "most" else {}
    usual = make_cell(game, options, strategies_of(name)[:2], seed=5)
    general = replace(usual, general=True)
    assert usual.form.fixed("matches")
    assert not general.form.fixed("matches")
    columns = Columns.of(usual, 30), Columns.of(general, 30)
    for cell, out in zip((usual, general), columns, strict=True):
        assert Player(cell, 0).play(0, 30, out, 0) == 30
    assert columns[0].begins(columns[1])


@pytest.mark.parametrize("name", game_names())
def test_a_printed_module_tells_of_each_function_which_rule_it_was(name):
    cell = make_cell(get_game(name), {}, "random")
    text, unit = printed_module(cell), cell.form.unit("matches")
    lines = text.splitlines()
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    assert functions[-1].name == "entry"
    rules = [function for function in functions if function.name in unit.sources]
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


def printed(text: str, *params: str, above: str = "") -> str:
    """Return a unit that is one function of whole numbers, with what stands above it."""
    form = make_cell(get_game("updown"), {}, "random").form
    unit = Unit(form.layout, checked=False)
    unit.add(f"def entry(s, o, {', '.join(params)}):\n    {text}")
    return unit.text("a test").replace("\ndef entry", f"\n{above}\ndef entry")


def compiled(text: str, *params: str, above: str = ""):
    """Return the function of such a unit, compiled."""
    unit = printed(text, *params, above=above)
    wanted = machine.Wanted(unit, lambda: unit, (), "test", "a test")
    call = machine.function_at(machine.address_of(wanted), 4)
    layout = make_cell(get_game("updown"), {}, "random").form.layout
    rows = np.zeros(layout.size + layout.options_size + 64, np.int64)
    return lambda *given: int(call(rows.ctypes.data, rows.ctypes.data, *given))


OF_TWO = """
K = {}
T = _table({})


def inner(x):
    return x {} 2


def outer(x):
    return 100 * inner(x) + 10 * T[K] + {}


"""


@compiles
def test_functions_of_several_units_are_shared_only_where_all_that_they_reach_is_the_same():
    """One process compiles these units, whose functions `outer` look alike."""
    for constant, table, sign, literal in (
        (1, [3, 4], "+", 1),
        (0, [3, 4], "+", 1),
        (0, [5, 4], "+", 1),
        (0, [5, 4], "-", 1),
        (0, [5, 4], "-", 2),
        (1, [3, 4], "+", 1),
    ):
        above = OF_TWO.format(constant, table, sign, literal)
        wanted = 100 * (7 + 2 if sign == "+" else 7 - 2) + 10 * table[constant] + literal
        assert compiled("return outer(a) + 0 * b", "a", "b", above=above)(7, 0) == wanted


SHARED = """
import os, sys
from simcore.compiler import machine
name, features = machine.processor()
os.environ.update(NUMBA_CPU_NAME=name, NUMBA_CPU_FEATURES=features)
from simcore.compiler import numba_compiler
for entry in ("outer(a)", "outer(b)", "outer(a) + inner(b)"):
    text = sys.argv[1].replace("outer(a)", entry)
    numba_compiler.object_of(text, f"<{entry}>", f"unit_{len(entry)}_{entry[6]}")
    print(len(numba_compiler._modules))
"""


@compiles
def test_what_units_share_is_compiled_once():
    unit = printed("return outer(a)", "a", "b", above=OF_TWO.format(1, [3, 4], "+", 1))
    run = run_python("-c", SHARED, unit)
    # `entry` and what calls it for each, `outer` and `inner` once
    assert run.stdout == "4\n6\n8\n", run.stderr


@compiles
class TestWords:
    @pytest.mark.parametrize(("a", "b"), [(7, 2), (-7, 2), (7, -2), (-7, -2), (6, 3), (-6, 3)])
    def test_division_rounds_down(self, a, b):
        assert compiled("return _divided(a, b)", "a", "b")(a, b) == a // b
        assert compiled("return _modulo(a, b)", "a", "b")(a, b) == a % b
        assert compiled(f"return _divided(a, {b}) + 0 * b", "a", "b")(a, b) == a // b

    def test_division_by_nothing_is_by_one(self):
        assert compiled("return _divided(a, b)", "a", "b")(5, 0) == 5

    @pytest.mark.parametrize("count", [-1, 0, 1, 5, 63, 64, 65, 255, 256, 300])
    def test_cards_below(self, count):
        word = 0x5A5A5A5A5A5A5A5A
        found = compiled("return bits(lower(cards_in(a), b))", "a", "b")(word, count)
        assert found == word & ((1 << max(count, 0)) - 1)
