"""The referee of every game follows matches under every option, without being asked by name.

Each game's `test_referee.py` goes further: more matches, options together, seats that forget.
"""

from __future__ import annotations

import pytest

from strategies import parse_lineup, policies
from tests.cases import module_of
from tests.contract.test_games import CASES, cell_of, player_counts
from tests.modes.rows import with_short

MATCHES = 2


@pytest.mark.whole_but("*-defaults")
@pytest.mark.parametrize(("game", "variant"), CASES)
def test_the_referee_agrees(game, variant):
    follower = module_of(game.name, "following", "what compares kernels and referee").Follower
    (heuristic,) = parse_lineup(game, policies(game)[1].name)  # Whose matches are short.
    for players in player_counts(game, variant):
        options = with_short(game, {"players": players} | variant)
        for match in range(MATCHES):
            try:
                follower(cell_of(game, (heuristic,), **options), match).run()
            except BaseException as error:
                error.add_note(f"tests/referee/{game.name}.py does not follow {options}")
                raise
