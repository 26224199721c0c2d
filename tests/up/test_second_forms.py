"""Second forms of steps, in bits, are what the readable ones say."""

from __future__ import annotations

import random

import pytest

from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.compiler.state import Cards
from simcore.games.up import rules
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
