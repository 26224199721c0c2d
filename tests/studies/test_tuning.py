"""Tuning finds parameters that are better, on deals it has not seen, and says so honestly."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.errors import InputError
from simcore.game import get_game
from strategies import parse_lineup, parse_strategy
from studies.run.tuning import FRESH_DEALS, Bench, free_params, tune

UP = get_game("up")


def bench(lineup="greedy", **options):
    opponents = parse_lineup(UP, lineup)
    return Bench(UP, UP.resolve({"players": 3, "rounds": 1} | options), opponents, 5, 1)


class TestBench:
    def test_like_players_share_evenly_over_the_rotations(self):
        greedy = parse_strategy(UP, "greedy")
        shares = bench().shares(greedy, 0, 50)
        assert shares == pytest.approx(np.full(50, 1 / 3), abs=1e-12)

    def test_a_stronger_player_has_more(self):
        shares = bench("random").shares(parse_strategy(UP, "greedy"), 0, 200)
        assert shares.mean() > 0.5
        assert ((shares >= 0) & (shares <= 1)).all()


class TestTune:
    def test_a_bad_start_is_improved_on_fresh_deals(self):
        start = parse_strategy(UP, "all_rounder(open=3, light=5, cap=8, cards=1, low=3)")
        worst = start.with_params({"low": 11})
        assert [param.name for param in free_params(worst)] == ["card"]
        hoarder = parse_strategy(UP, "hoarder(tower=143)")
        found = tune(bench(), hoarder, 40_000)
        assert found.tuned.params["tower"] == 143
        assert set(found.tuned.params) == {"tower", "threshold"}
        assert found.gain.low > 0
        assert found.tuned_share.estimate > found.default_share.estimate
        assert found.matches <= 40_000

    def test_it_is_the_same_again_on_more_threads(self):
        start = parse_strategy(UP, "shedder")
        one = tune(bench(), start, 6_000)
        two = tune(Bench(UP, bench().options, bench().opponents, 5, 2), start, 6_000)
        assert (one.tuned, one.gain) == (two.tuned, two.gain)

    def test_values_are_in_bounds_and_rounded(self):
        found = tune(bench(), parse_strategy(UP, "collapser"), 6_000)
        for param, value in zip(found.tuned.policy.params, found.tuned.values, strict=True):
            assert param.low <= value <= param.high
            assert value == float(f"{value:.3g}")

    def test_it_begins_with_the_weights_that_are_usual_under_the_rules(self, monkeypatch):
        seen = []

        def note(_, candidate, _first, deals):
            seen.append(candidate.params)
            return np.full(deals, 0.5)

        monkeypatch.setattr(Bench, "shares", note)
        start = parse_strategy(UP, "all_rounder(light=2)")
        where = bench(clear_cards=0)
        tune(where, start, 20_000)
        values = start.under(where.options).values
        usual = dict(zip((param.name for param in start.policy.params), values, strict=True))
        assert usual["low"] == 4
        assert usual in seen

    def test_the_check_is_on_deals_that_the_search_has_not_seen(self, monkeypatch):
        seen = []
        shares = Bench.shares

        def note(self, candidate, first, deals):
            seen.append((first, deals))
            return shares(self, candidate, first, deals)

        monkeypatch.setattr(Bench, "shares", note)
        tune(bench(), parse_strategy(UP, "shedder"), 6_000)
        searched = max(first + deals for first, deals in seen[:-2])
        assert {first for first, _ in seen[-2:]} == {FRESH_DEALS}
        assert searched <= FRESH_DEALS

    def test_nothing_to_tune_is_refused(self):
        for text in ("random", "search", "shedder(cards=3)"):
            with pytest.raises(InputError, match="no parameter left to tune"):
                free_params(parse_strategy(UP, text))

    def test_a_budget_too_small_is_refused(self):
        with pytest.raises(InputError, match="too few matches"):
            tune(bench(), parse_strategy(UP, "shedder"), 100)
