"""Interactions of variants that stand alone and together, against brute force by deal."""

import math

import numpy as np
import pytest
from scipy import stats

from studies.cli.app import run_app
from studies.compare.effects import compare
from studies.stats.contrasts import Contrast, tell_family
from studies.stats.groups import GROUPS, group_sums
from tests.studies.planted import plant
from tests.studies.test_coverage import holds, spread

PLAYERS, ROTATIONS = 3, 3
ALONE = {"dirty": {"dirty_one": "always"}, "double": {"double_two": "always"}}
BOTH = {"dirty_one": "always", "double_two": "always"}
VARIANTS = {**ALONE, "both": BOTH, "limit": {"points_limit": 300}}


def planted(directory, deals, *, aborted=0.0, seed=1, **changes):
    """Plant a study; return its directory and the columns of each variant."""
    columns_of = {}

    def rows(cell, columns):
        own = np.random.default_rng([seed, len(columns_of)])
        shape = (deals, cell.rotations)
        deal = np.random.default_rng([seed, 99]).normal(0, 1, (PLAYERS, deals, 1))
        gain = {"dirty": 0.3, "double": -0.4, "both": 0.6}.get(cell.variant, 0.0)
        skill = deal + own.normal(0, 1, (PLAYERS, *shape))
        skill[0] += gain
        columns["winners"] = (1 << skill.argmax(axis=0)).astype(np.uint16)
        columns["aborted"] = own.random(shape) < aborted
        columns["plays"] = np.rint(60 + 5 * deal.sum(axis=0) + own.normal(gain, 3, shape))
        columns["plays"] = columns["plays"].astype(np.int32)
        columns_of[cell.variant] = columns

    plant(
        directory,
        deals,
        rows,
        variants=VARIANTS,
        lineups=[{"name": "three", "seats": ["freer", "greedy", "greedy"], "rotate": True}],
        **changes,
    )
    return directory, columns_of


def outcomes_of(directory):
    (one,) = compare(directory).interactions
    assert (one.first, one.second, one.together) == ("dirty", "double", "both")
    return {(own.of, own.who, own.number): own for own in one.outcomes}


def won(columns):
    """Return what the seats of `freer` won: 1 or 0 a match."""
    turns = np.arange(ROTATIONS)
    seat = (0 - turns) % PLAYERS
    return (columns["winners"] >> seat & 1).astype(float)


def by_deal(measure, columns_of):
    """Return y_AB - y_A - y_B + y_0, a value a deal."""
    signs = {"both": 1, "dirty": -1, "double": -1, "baseline": 1}
    return sum(sign * measure(columns_of[name]).mean(axis=1) for name, sign in signs.items())


def check(told, values):
    low, high = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
    assert told.contrast.estimate == pytest.approx(values.mean(), abs=1e-9)
    assert told.contrast.low == pytest.approx(low, rel=1e-5)
    assert told.contrast.high == pytest.approx(high, rel=1e-5)
    assert told.p == pytest.approx(stats.ttest_1samp(values, 0).pvalue, rel=1e-4)


def test_interactions_by_brute_force(tmp_path):
    directory, columns_of = planted(tmp_path / "study", 700)
    found = outcomes_of(directory)
    check(found["policy", "freer", "win_share"], by_deal(won, columns_of))
    check(found["metric", "plays", "plays"], by_deal(lambda own: own["plays"], columns_of))
    check(found["policy", "freer", "score"], by_deal(lambda own: 50 * (1 - won(own)), columns_of))
    first = by_deal(lambda own: (own["winners"] & 1).astype(float), columns_of)
    check(found["position", "0", "win_share"], first)
    base = columns_of["baseline"]["winners"]
    check(
        found["match", "", "another_winner"],
        by_deal(lambda own: (own["winners"] != base).astype(float), columns_of),
    )


def test_an_interaction_is_the_effect_of_both_less_those_of_each(tmp_path):
    directory, _ = planted(tmp_path / "study", 300, aborted=0.05)
    answer = compare(directory)
    alone = {
        effect.variant: next(own for own in effect.policies if own.policy == "freer")
        for effect in answer.variants
    }
    told = outcomes_of(directory)["policy", "freer", "win_share"]
    changes = [alone[name].win_share.change.estimate for name in ("dirty", "double", "both")]
    assert [told.first, told.second, told.together] == pytest.approx(changes, abs=1e-6)
    assert told.contrast.estimate == pytest.approx(changes[2] - changes[0] - changes[1])


def test_of_decided_matches_it_is_linearised(tmp_path):
    directory, columns_of = planted(tmp_path / "study", 800, aborted=0.2)
    told = outcomes_of(directory)["policy", "freer", "win_share"]
    estimate, moved = 0.0, np.zeros(800)
    for name, sign in (("both", 1), ("dirty", -1), ("double", -1), ("baseline", 1)):
        own = columns_of[name]
        decided = (~own["aborted"]).sum(axis=1)
        wins = np.where(own["aborted"], 0, won(own)).sum(axis=1)
        share = wins.sum() / decided.sum()
        estimate += sign * share
        moved += sign * (wins - share * decided) / decided.mean()
    error = math.sqrt((moved**2).sum() / 799 / 800)
    assert told.contrast.estimate == pytest.approx(estimate)
    reach = stats.t.ppf(0.975, 799) * error
    assert told.contrast.high - told.contrast.estimate == pytest.approx(reach, rel=1e-4)


def test_with_more_deals_than_groups_it_is_nearly_the_same(tmp_path):
    directory, columns_of = planted(tmp_path / "study", 5000)
    values = by_deal(won, columns_of)
    told = outcomes_of(directory)["policy", "freer", "win_share"]
    assert told.contrast.estimate == pytest.approx(values.mean())
    half = (told.contrast.high - told.contrast.low) / 2
    assert half == pytest.approx(1.96 * stats.sem(values), rel=0.1)  # a spread of 1024 groups


def test_sums_tell_the_same_estimates(tmp_path):
    directory, _ = planted(tmp_path / "rows", 600)
    summed, _ = planted(tmp_path / "sums", 600, detail="summary")
    rows, blocks = outcomes_of(directory), outcomes_of(summed)
    assert rows.keys() == blocks.keys()
    for key, own in rows.items():
        assert blocks[key].contrast.estimate == pytest.approx(own.contrast.estimate, abs=1e-6)
        assert blocks[key].contrast.high == math.inf or own.contrast.estimate == 0  # one block


@pytest.mark.parametrize("aborted", [0.0, 0.1])
def test_of_sums_the_spread_is_that_between_blocks(aborted, tmp_path):
    changes = {"detail": "summary", "block": 50, "aborted": aborted}
    directory, columns_of = planted(tmp_path / "sums", 1000, **changes)
    told = outcomes_of(directory)["policy", "freer", "win_share"]
    signs = {"both": 1, "dirty": -1, "double": -1, "baseline": 1}
    estimate, moved = 0.0, np.zeros(20)
    for name, sign in signs.items():
        own = columns_of[name]
        decided = (~own["aborted"]).reshape(20, -1).sum(axis=1)
        wins = np.where(own["aborted"], 0, won(own)).reshape(20, -1).sum(axis=1)
        share = wins.sum() / decided.sum()
        estimate += sign * share
        moved += sign * (wins - share * decided) / decided.mean()
    reach = stats.t.ppf(0.975, 19) * moved.std(ddof=1) / math.sqrt(20)
    assert told.contrast.estimate == pytest.approx(estimate)
    assert told.contrast.high - told.contrast.estimate == pytest.approx(reach, rel=1e-5)
    assert told.p_family is None


def test_only_the_options_of_both_count(tmp_path):
    def rows(cell, columns):
        columns["winners"][::2] = 2 if cell.variant == "dirty" else 1

    for extra, count in (({"extra_set": True}, 0), ({}, 1)):
        variants = {**ALONE, "dirty": {"dirty_one": "forehand"}, "both": {**BOTH, **extra}}
        if count:
            variants["dirty"] = {"dirty_one": "always"}
        plant(tmp_path / str(count), 30, rows, variants=variants)
        assert len(compare(tmp_path / str(count)).interactions) == count


def test_a_change_that_no_deal_shows_has_the_width_of_none(tmp_path):
    plant(tmp_path / "same", 100, lambda *_: None, variants={**ALONE, "both": BOTH})
    told = outcomes_of(tmp_path / "same")["position", "0", "win_share"]
    assert told.contrast.estimate == 0
    assert told.contrast.high == pytest.approx(2 * 0.0362, rel=0.01)  # 2 is the largest of a deal
    assert (told.p, told.p_family, told.p_holm) == (1, 1, 1)


def contrast_of(values):
    """Return the contrast that values, one a deal, are told as: as `ChangeGroups` does."""
    count = values.size
    groups = min(count, GROUPS)
    raw = group_sums(0, values)[:groups] / count
    share = group_sums(0, np.ones(count))[:groups] / count
    return Contrast(values.mean(), raw - values.mean() * share, raw, count, 2.0)


@pytest.mark.parametrize("deals", [200, 1000, 5000])
@pytest.mark.parametrize(("first", "second", "both"), [(0.05, -0.03, 0.1), (0.01, 0.01, 0.02)])
def test_coverage_of_planted_interactions(deals, first, second, both):
    """Four matches of a deal share its luck; each is won with a chance of its own."""
    generator = np.random.default_rng(deals)
    luck = generator.normal(0, 1, (2000, deals)).astype(np.float32)
    values = np.zeros((2000, deals), dtype=np.int8)
    for sign, gain in ((1, 0.0), (-1, first), (-1, second), (1, both)):
        noise = luck + generator.normal(0, 0.5, luck.shape).astype(np.float32)
        bar = stats.norm.ppf(1 - 0.25 - gain, scale=math.sqrt(1.25))
        values += (sign * (noise > bar)).astype(np.int8)
    found = [contrast_of(run.astype(float)).interval() for run in values]
    assert holds(found, both - first - second)


@pytest.mark.parametrize(
    ("deals", "families"),
    [
        (200, 40),
        pytest.param(200, 400, marks=pytest.mark.long),
        pytest.param(1000, 400, marks=pytest.mark.long),
        pytest.param(5000, 400, marks=pytest.mark.long),
    ],
)
def test_a_family_without_interactions_errs_as_promised(deals, families):
    """Ten outcomes that depend on each other."""
    generator = np.random.default_rng(deals)
    erred = missed = 0
    for _ in range(families):
        values = generator.normal(0, 1, (10, deals)) + generator.normal(0, 1, deals)
        told = tell_family([contrast_of(own) for own in values])
        erred += min(one.p_family for one in told) <= 0.05
        missed += any(not one.simultaneous.low <= 0 <= one.simultaneous.high for one in told)
    assert erred / families < 0.05 + spread(0.05, families)
    assert abs(missed / families - 0.05) < spread(0.05, families)


def test_it_is_told_in_words_tables_and_frames(tmp_path, capfd):
    import cardlab

    directory, _ = planted(tmp_path / "study", 700)
    assert run_app(["compare", str(directory)]) == 0
    shown = " ".join(capfd.readouterr().out.split())
    assert "• dirty × double: " in shown
    assert "together and alone (interactions)" in shown
    assert "corrected as a family of" in shown
    assert "alone, " in shown
    frame = cardlab.open(directory).compare().interactions
    told = outcomes_of(directory)["policy", "freer", "win_share"]
    row = frame.row(by_predicate=_is("freer", "win_share"), named=True)
    assert (row["first"], row["second"], row["together"]) == ("dirty", "double", "both")
    assert [row[name] for name in ("estimate", "low", "high")] == [
        told.contrast.estimate,
        told.contrast.low,
        told.contrast.high,
    ]
    assert (row["change_together"], row["p_family"]) == (told.together, told.p_family)


def _is(who, number):
    import polars as pl

    return (pl.col("who") == who) & (pl.col("number") == number)


def test_fewer_groups_keep_what_the_deals_say(tmp_path, monkeypatch):
    directory, columns_of = planted(tmp_path / "study", 5000)
    monkeypatch.setattr("studies.compare.from_matches.MANY", 0)
    told = outcomes_of(directory)["policy", "freer", "win_share"]
    values = by_deal(won, columns_of)
    assert told.contrast.estimate == pytest.approx(values.mean())
    half = (told.contrast.high - told.contrast.low) / 2
    assert half == pytest.approx(1.96 * stats.sem(values), rel=0.25)  # 128 groups
