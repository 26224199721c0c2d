"""A user's own policy: the examples pass, and play as built-in ones of the same idea."""

from __future__ import annotations

from pathlib import Path

import pytest

from simcore.batch import play
from simcore.catalogue import get_game
from simcore.game import game_names
from strategies import Policy, load_strategies, make_strategy, parse_strategy, registry
from studies.check.compliance import examine, policy_tables
from tests.side_by_side import cell_of

EXAMPLES = Path(registry.__file__).parent / "examples"
MATCHES = 2_000
MOST_LINES = 26

SAME_IDEA = """
from simcore.language import SEAT, below, nth
from strategies import policy


@policy("updown", idea="any legal move")
def own_random(s, seat, moves):
    return nth(moves, below(s, SEAT(seat), len(moves)))
"""


@pytest.mark.whole_but("updown")
@pytest.mark.parametrize("game", game_names())
def test_the_example_passes_the_examination(game: str) -> None:
    file = EXAMPLES / f"{game}.py"
    known = load_strategies(file)
    (example,) = known.declared
    assert isinstance(example, Policy)
    assert example.game == game
    verdicts = list(examine(policy_tables(example, policies=known)))
    assert len(verdicts) == 4
    assert {verdict.verdict for verdict in verdicts} == {"passed"}, verdicts
    body = file.read_text(encoding="utf-8").partition("\ndef ")[2]
    assert len(body.splitlines()) <= MOST_LINES


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(SAME_IDEA, encoding="utf-8")
    return path


def test_it_plays_like_a_built_in_policy_of_the_same_idea(own_file: Path) -> None:
    game = get_game("updown")
    (written,) = load_strategies(own_file).declared
    mine, built_in = make_strategy(written, {}), parse_strategy(game, "random")
    rows = [play(cell_of(game, {}, player), 0, MATCHES).scores for player in (mine, built_in)]
    assert (rows[0] == rows[1]).all()
