"""Tuning finds parameters that are better, on deals it has not seen, and says so honestly."""

import numpy as np
import pytest

from simcore.catalogue import get_game
from simcore.errors import InputError
from strategies import parse_lineup, parse_strategy
from studies.run.tuning import FRESH_DEALS, Bench, free_params, tune

UP = get_game("up")


def policy(text):
    return parse_strategy(UP, text)


def bench(lineup="greedy", threads=1, **options):
    options = UP.resolve({"players": 3, "rounds": 1} | options)
    return Bench(UP, options, parse_lineup(UP, lineup), 5, threads)


def test_like_players_share_evenly_over_the_rotations_and_a_stronger_one_has_more():
    alike = bench().shares(policy("greedy"), 0, 50)
    assert alike == pytest.approx(np.full(50, 1 / 3), abs=1e-12)
    stronger = bench("random").shares(policy("greedy"), 0, 200)
    assert stronger.mean() > 0.5
    assert ((stronger >= 0) & (stronger <= 1)).all()


def assert_in_bounds_and_rounded(tuned):
    for param, value in zip(tuned.policy.params, tuned.values, strict=True):
        assert param.low <= value <= param.high
        assert value == float(f"{value:.3g}")


def test_a_bad_start_is_improved_on_fresh_deals():
    tuning = tune(bench(), policy("hoarder(tower=143)"), 40_000)
    assert tuning.tuned.params["tower"] == 143
    assert set(tuning.tuned.params) == {"tower", "threshold"}
    assert tuning.gain.low > 0
    assert tuning.tuned_share.estimate > tuning.default_share.estimate
    assert tuning.matches <= 40_000
    assert_in_bounds_and_rounded(tuning.tuned)


def test_it_is_the_same_again_on_more_threads():
    first, second = (tune(bench(threads=n), policy("shedder"), 6_000) for n in (1, 2))
    assert (first.tuned, first.gain) == (second.tuned, second.gain)
    assert_in_bounds_and_rounded(first.tuned)


def test_it_begins_with_the_weights_that_are_usual_under_the_rules(monkeypatch):
    tried = []

    def shares(_, candidate, _first, deals):
        tried.append(candidate.params)
        return np.full(deals, 0.5)

    monkeypatch.setattr(Bench, "shares", shares)
    start, where = policy("all_rounder(light=2)"), bench(clear_cards=0)
    tune(where, start, 20_000)
    names = (param.name for param in start.policy.params)
    usual = dict(zip(names, start.under(where.options).values, strict=True))
    assert usual["low"] == 4
    assert usual in tried


def test_the_check_is_on_deals_that_the_search_has_not_seen(monkeypatch):
    played = []
    shares = Bench.shares

    def note(self, candidate, first, deals):
        played.append((first, deals))
        return shares(self, candidate, first, deals)

    monkeypatch.setattr(Bench, "shares", note)
    tune(bench(), policy("shedder"), 6_000)
    assert {first for first, _ in played[-2:]} == {FRESH_DEALS}
    assert max(first + deals for first, deals in played[:-2]) <= FRESH_DEALS


def test_only_parameters_that_are_left_open_are_tuned():
    start = policy("all_rounder(open=3, light=5, cap=8, cards=1, low=3)").with_params({"low": 11})
    assert [param.name for param in free_params(start)] == ["card"]
    for text in ("random", "search", "shedder(cards=3)"):
        with pytest.raises(InputError, match="no parameter left to tune"):
            free_params(policy(text))


def test_a_budget_too_small_is_refused():
    with pytest.raises(InputError, match="too few matches"):
        tune(bench(), policy("shedder"), 100)
