"""Second forms of steps, in bits, are what the readable ones say."""

from __future__ import annotations

import random

import pytest

from simcore.compiler.blocks import printed_module
from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.compiler.state import Cards
from simcore.game import get_game
from simcore.games.up import rules
from studies.operations.arguments import make_cell
from tests.up.following import UP


@pytest.mark.parametrize("options", [{}, {"players": 10}, {"minus_two_cards": 4}])
@pytest.mark.parametrize("double", [0, 1])
def test_kinds_among(options, double):
    plain = Plain(program_of(UP), UP.resolve(options))
    readable, by_bits = plain.add(rules.kinds_among), plain.add(rules.kinds_among_by_bits)
    s = plain.start_match(1, 0)
    s.double = double
    chance, cards = random.Random(1), sorted(plain.o.in_play)  # noqa: S311
    for size in range(30):
        mine = Cards.of(chance.sample(cards, size))
        assert readable(s, mine) == by_bits(s, mine)


@pytest.mark.parametrize(("changed", "is_used"), [("of_kind(usual, s, kind)", False), ("", True)])
def test_what_rules_change_has_no_second_form(tmp_path, changed, is_used):
    file = tmp_path / "more.py"
    rule = f"def {changed}:\n    return usual(s, kind)\n" if changed else ""
    file.write_text(f'from cardlab.rules import *\n\ngame = "up"\n\n\n{rule}')
    text = printed_module(make_cell(get_game(f"up+{file}"), {}, "random"))
    assert ("kinds_among_by_bits(" in text) == is_used
