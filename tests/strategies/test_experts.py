"""The learned policies that come with the games: stronger than what they began with."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from simcore.batch import Cell
from simcore.catalogue import get_game
from simcore.compiler import plain_words
from simcore.events import MatchEnd
from simcore.match import Match
from strategies import parse_strategy, session
from studies.learn.tables import wins_at_tables
from studies.run.tuning import Bench
from tests.variants import with_short

EXPERTS = [
    name
    for name in ("dnup", "uno", "up", "updown", "upordown")
    if find_spec(f"strategies.experts.{name}")
]
DEALS = 300


@pytest.mark.parametrize("name", EXPERTS)
class TestExperts:
    @pytest.mark.whole_but("updown")  # of the others a few matches: test_policies.py
    def test_it_wins_more_than_its_share_beside_its_base_at_every_table(self, name):
        game = get_game(name)
        expert = parse_strategy(game, "expert")
        options = game.resolve({"players": expert.policy.learned.players})
        bench = Bench(game, options, (expert.policy.base,), 11, 1)
        for at in wins_at_tables(bench, expert, DEALS):
            assert at.share.low > at.even
            told = expert.policy.learned.record["strength"]
            low, high = told[f"{at.held} of {at.players} seats"][1:]
            assert at.share.low < high
            assert at.share.high > low

    @pytest.mark.usefixtures("in_plain")
    def test_it_plays_like_its_base_at_other_tables(self, name):
        game = get_game(name)
        expert = parse_strategy(game, "expert")
        options = game.resolve(with_short(game, {"players": 3}))
        bench = Bench(game, options, (expert.policy.base,), 11, 1)
        assert bench.shares(expert, 0, 2).mean() == pytest.approx(1 / 3)

    def test_it_is_small(self, name):
        spec = find_spec(f"strategies.experts.{name}")
        assert Path(spec.origin).stat().st_size < 200_000


def test_experts_are_among_the_policies():
    for name in EXPERTS:
        assert "expert" in session().of(get_game(name))


def test_turns_of_loops_are_counted_by_decision_in_plain_python(monkeypatch):
    monkeypatch.setattr(plain_words, "MOST_LOOPS", 30_000)  # a match has more, a decision fewer
    game = get_game("updown")
    cell = Cell(game, game.resolve({"players": 4}), (parse_strategy(game, "expert"),) * 4, 3)
    assert any(isinstance(event, MatchEnd) for event in Match(cell, 0).events(copies=False))
