"""`kinds_among`, which folds bits, finds what a loop over the kinds finds."""

from __future__ import annotations

import random

import pytest

from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.compiler.state import Cards
from simcore.games.up import rules
from simcore.games.up.pack import MINUS_TWO, SETS_PER_WORD
from tests.up.following import UP


@pytest.mark.parametrize("options", [{}, {"players": 10}, {"minus_two_cards": 4}])
@pytest.mark.parametrize("double", [0, 1])
def test_kinds_among(options, double):
    plain = Plain(program_of(UP), UP.resolve(options))
    kinds_among, of_kind = plain.add(rules.kinds_among), plain.add(rules.of_kind)
    s = plain.start_match(1, 0)
    s.double = double
    chance, cards = random.Random(1), sorted(plain.o.in_play)  # noqa: S311
    for size in range(30):
        mine = Cards.of(chance.sample(cards, size))
        found = (kind for kind in range(MINUS_TWO) if mine & of_kind(s, kind))
        assert kinds_among(s, mine) == Cards.of(SETS_PER_WORD * kind for kind in found)
