"""What makes one match at a time quick leaves the numbers as they are."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from simcore.compiler import blocks
from simcore.compiler.blocks import Columns, Player, Unit, form_of
from simcore.compiler.core import INT, Core, lines
from simcore.compiler.fold import Folder
from simcore.compiler.program import program_of
from simcore.compiler.translate import Lowering
from simcore.game import game_names, get_game
from simcore.jit import IN_PLAIN_PYTHON
from studies.operations.arguments import make_cell

MATCHES = 30


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


@pytest.mark.skipif(IN_PLAIN_PYTHON, reason="nothing is compiled")
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
        assert "\n".join(ast.unparse(ast.fix_missing_locations(one)) for one in got) == left


@pytest.mark.skipif(IN_PLAIN_PYTHON, reason="nothing is compiled")
@pytest.mark.parametrize("name", game_names())
def test_rules_as_they_are_play_as_by_the_code_for_all_rules(name, monkeypatch):
    game = get_game(name)
    lineup = ["random", "all_rounder"]

    def rows():
        monkeypatch.setattr(blocks, "_units", {})
        found = []
        for players in (None, game.players.high):
            options = {} if players is None else {"players": players}
            cell = make_cell(game, options, lineup, seed=5)
            out = Columns.of(cell, MATCHES)
            assert Player(cell, 0).play(0, MATCHES, out, 0) == MATCHES
            found += out
        return found

    assert form_of(make_cell(game, {}, lineup)).fixed
    usual = rows()
    monkeypatch.setattr(blocks, "_usual", lambda _program, _form: {})
    assert not form_of(make_cell(game, {}, lineup)).fixed
    for one, other in zip(usual, rows(), strict=True):
        assert np.array_equal(one, other)
