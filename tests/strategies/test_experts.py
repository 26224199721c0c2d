"""The policies that have learned: each is as strong as its file says."""

from __future__ import annotations

import pytest

from simcore.game import game_names, get_game
from strategies import make_strategy, policies
from studies.learn.tables import wins_at_tables
from studies.run.tuning import Bench

DEALS = 400
SURE = 0.999_999

EXPERTS = [
    pytest.param(name, policy, id=name)
    for name in game_names()
    for policy in policies(get_game(name))
    if policy.learned is not None
]


@pytest.mark.parametrize(("name", "expert"), EXPERTS)
def test_expert_wins_what_its_record_says_on_deals_of_another_seed(name, expert):
    game, record = get_game(name), expert.learned.record
    others = {policy.name: policy for policy in policies(game)}
    options = game.resolve({"players": record["players"]})
    beside = (make_strategy(others[record["beside"]], {}),)
    bench = Bench(game, options, beside, record["seed"] + 1, 1)
    fresh = wins_at_tables(bench, make_strategy(expert, {}), DEALS, level=SURE)
    assert len(fresh) == len(record["strength"]) == 3
    for wins, (_, low, high) in zip(fresh, record["strength"].values(), strict=True):
        assert wins.share.low < high
        assert wins.share.high > low
    assert record["strength"]["1 of 4 seats"][1] > fresh[0].even
    assert fresh[0].share.high - fresh[0].share.low < 0.2
