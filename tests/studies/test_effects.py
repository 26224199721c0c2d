import json
from collections import defaultdict
from dataclasses import replace
from itertools import combinations
from statistics import mean

import numpy as np
import pytest
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests

from simcore.errors import InputError
from simcore.game import get_game
from studies import load
from studies.compare.coupling_floor import Overlap
from studies.compare.effects import compare
from studies.deals import values
from studies.run.run import run_study
from studies.stats.intervals import (
    Moments,
    clustered_share,
    holm,
    mcnemar_p,
    newcombe,
    share_at,
    tango,
)
from studies.stats.rare import Changes, change_interval
from studies.stats.signflip import sign_flip_p
from studies.store import reading
from tests.studies.conftest import cardlab, study
from tests.studies.planted import plant, winners_by
from tests.studies.test_summary import agree


@pytest.fixture(scope="module")
def found(played):
    return compare(played)


@pytest.fixture(scope="module")
def rows(played):
    """Rows by variant, match and rotation, as plain dictionaries."""
    table = defaultdict(dict)
    for row in load(played).collect().to_dicts():
        table[row["variant"]][row["match"], row["rotation"]] = row
    return table


def winners(row):
    return {seat for seat in range(3) if row["winners"] >> seat & 1}


def seats(policy, rotation):
    lineup = ["greedy", "random", "greedy"]
    return {seat for seat in range(3) if lineup[(seat + rotation) % 3] == policy}


def by_deal(values):
    """Return the mean over the rotations of each deal."""
    deals = defaultdict(list)
    for (match, _), value in values.items():
        deals[match].append(value)
    return [mean(deals[match]) for match in sorted(deals)]


def effect_of(found, name):
    return next(effect for effect in found.variants if effect.variant == name)


def test_control_differs_in_nothing(found):
    same = effect_of(found, "same")
    assert same.winners_differ_count == 0
    assert same.winners_differ.estimate == 0
    assert same.changed == {}
    assert same.in_play is None
    for own in same.policies:
        assert (own.gained, own.lost, own.win_share.change.estimate) == (0, 0, 0)
        assert (own.win_share.p, own.win_share.p_holm) == (1, None)
    assert same.control
    assert all(metric.change.estimate == 0 for metric in same.metrics.values())


def test_other_winners_by_brute_force(found, rows):
    effect = effect_of(found, "dirty")
    base, other = rows["baseline"], rows["dirty"]
    differ = {key: winners(base[key]) != winners(other[key]) for key in base}
    assert effect.winners_differ_count == sum(differ.values()) > 0
    interval = clustered_share(Moments.of(by_deal(differ)), 3)
    assert effect.winners_differ == interval
    assert (effect.deals, effect.rotations, effect.matches) == (60, 3, 180)


def test_in_play_by_brute_force(found, rows):
    names = ["winners", "score_0", "score_1", "score_2", *get_game("up").metric_names]
    base, other = rows["baseline"], rows["dirty"]
    count = sum(any(base[key][name] != other[key][name] for name in names) for key in base)
    effect = effect_of(found, "dirty")
    assert effect.clauses == ["dirty_one"]
    assert effect.in_play_count == count > 0


def test_floor_and_independent_value_by_brute_force(found, rows):
    effect = effect_of(found, "dirty")
    overlap = product = 0
    for rotation in range(3):
        shares = []
        for variant in ("baseline", "dirty"):
            share = defaultdict(float)
            for (_, other), row in rows[variant].items():
                if other == rotation:
                    share[row["winners"]] += 1 / 60
            shares.append(share)
        overlap += sum(min(share, shares[1][key]) for key, share in shares[0].items()) / 3
        product += sum(share * shares[1][key] for key, share in shares[0].items()) / 3
    assert effect.floor.estimate == pytest.approx(1 - overlap)
    assert effect.independent.estimate == pytest.approx(1 - product)
    assert effect.floor.low <= effect.floor.estimate <= effect.winners_differ.estimate
    assert effect.independent.low < effect.independent.estimate < effect.independent.high


@pytest.mark.parametrize("policy", ["greedy", "random"])
def test_policy_by_brute_force(found, rows, policy):
    def share(row):
        own = winners(row) & seats(policy, row["rotation"])
        return len(own) / len(winners(row)) / held

    def score(row):
        return mean(row[f"score_{seat}"] for seat in seats(policy, row["rotation"]))

    held = {"greedy": 2, "random": 1}[policy]
    base, other = rows["baseline"], rows["dirty"]
    own = next(one for one in effect_of(found, "dirty").policies if one.policy == policy)
    assert own.seats == held
    for measure, result, bound in (
        (share, own.win_share, 1 / held),
        (score, own.score, None),
    ):
        changes = by_deal({key: measure(other[key]) - measure(base[key]) for key in base})
        expected = change_interval(Changes.of(changes), bound=bound)
        assert result.baseline == pytest.approx(mean(measure(row) for row in base.values()))
        assert result.change.estimate == pytest.approx(expected.estimate)
        assert result.change.low == pytest.approx(expected.low)
    among = {
        key: (
            bool(winners(base[key]) & seats(policy, key[1])),
            bool(winners(other[key]) & seats(policy, key[1])),
        )
        for key in base
    }
    assert own.gained == sum(not old and new for old, new in among.values())
    assert own.lost == sum(old and not new for old, new in among.values())


def test_metric_by_brute_force(found, rows):
    base, other = rows["baseline"], rows["dirty"]
    plays = effect_of(found, "dirty").metrics["plays"]
    assert plays.baseline == pytest.approx(mean(row["plays"] for row in base.values()))
    changes = [other[key]["plays"] - base[key]["plays"] for key in base]
    assert plays.change.estimate == pytest.approx(mean(changes))


def test_policies_under_unchanged_rules(found):
    result = found.lineups[0]
    shares = {own.policy: own.win_share.estimate for own in result.policies}
    assert 2 * shares["greedy"] + shares["random"] == pytest.approx(1)
    gap = result.differences[0]
    assert gap.difference.estimate == pytest.approx(shares[gap.first] - shares[gap.second])
    assert gap.difference.estimate >= 0


def test_holm_is_over_all_tests_but_those_of_controls(found):
    dirty = effect_of(found, "dirty")
    everybody = [*dirty.policies, *dirty.positions]
    for size, tests in (
        (found.tests_of_variants, [own.win_share for own in everybody]),
        (found.tests_of_scores, [own.score for own in everybody]),
        (found.tests_of_metrics, list(dirty.metrics.values())),
    ):
        assert size == len(tests)
        assert [test.p_holm for test in tests] == holm([test.p for test in tests])
    assert (found.tests_of_variants, found.tests_of_equivalence) == (5, 0)


@pytest.mark.parametrize("position", [0, 1, 2])
def test_position_by_brute_force(found, rows, position):
    def share(row):
        seat = (row["first_seat"] + position) % 3
        return (row["winners"] >> seat & 1) / len(winners(row))

    def score(row):
        return row[f"score_{(row['first_seat'] + position) % 3}"]

    base, other = rows["baseline"], rows["dirty"]
    own = effect_of(found, "dirty").positions[position]
    assert own.position == position
    for measure, result, bound in ((share, own.win_share, 1), (score, own.score, None)):
        changes = by_deal({key: measure(other[key]) - measure(base[key]) for key in base})
        expected = change_interval(Changes.of(changes), bound=bound)
        assert result.baseline == pytest.approx(mean(measure(row) for row in base.values()))
        assert result.change.estimate == pytest.approx(expected.estimate)
        assert result.change.high == pytest.approx(expected.high)
        assert result.p == pytest.approx(sign_flip_p(np.round(np.array(changes) * 18)))
    gained = by_deal({key: share(base[key]) == 0 < share(other[key]) for key in base})
    assert own.gained_share.estimate == pytest.approx(mean(gained))
    expected = clustered_share(Moments.of(gained), 3)
    assert own.gained_share.high == pytest.approx(expected.high)
    lost = [share(other[key]) == 0 < share(base[key]) for key in base]
    assert own.lost == sum(lost)


def test_equivalence_is_asked_for(played, found):
    told = compare(played, margins={"win_share": 0.2, "score": 1000, "plays": 0.001})
    dirty = effect_of(told, "dirty")
    tests = [own.win_share.equivalence for own in (*dirty.policies, *dirty.positions)]
    tests += [own.score.equivalence for own in (*dirty.policies, *dirty.positions)]
    tests += [dirty.metrics["plays"].equivalence]
    tests += [gap.equivalence for gap in told.lineups[0].differences]
    assert told.tests_of_equivalence == len(tests) == 12
    by_order = dict(zip(map(id, tests), holm([test.p for test in tests]), strict=True))
    for test in tests:
        assert test.p_holm == by_order[id(test)]
        assert test.holds == (test.p_holm <= 0.05)
    score = dirty.policies[0].score.equivalence
    assert score.holds
    assert dirty.metrics["rounds"].equivalence is None
    assert effect_of(found, "dirty").policies[0].score.equivalence is None


def test_equivalence_holds_only_after_holm(tmp_path):
    """Two at a table win what the other loses: changes that are as close to 0 for everybody."""

    def rows(cell, columns):
        columns["winners"] = winners_by([0.6, 0.4], columns["winners"].shape, 1)
        if cell.variant == "dirty":
            other = np.random.default_rng(2).permutation(400)[:120]
            columns["winners"][other] = winners_by([0.5, 0.5], (120, 1), 3)

    duel = {"lineups": [{"name": "duel", "seats": ["greedy", "random"]}], "options": {"players": 2}}
    plant(tmp_path, 400, rows, variants={"dirty": {"dirty_one": "always"}}, **duel)
    change = compare(tmp_path).variants[0].policies[0].win_share.change
    margin = abs(change.estimate) + (change.high - change.low) / 2  # of p = 0.025 for each alone
    told = compare(tmp_path, margins={"win_share": margin})
    effect = told.variants[0]
    tests = [own.win_share.equivalence for own in (*effect.policies, *effect.positions)]
    assert all(0.01 < test.p <= 0.05 < test.p_holm for test in tests)
    assert not any(test.holds for test in tests)
    every = tests + [gap.equivalence for gap in told.lineups[0].differences]
    theirs = multipletests([test.p for test in every], method="holm")[1]
    assert [test.p_holm for test in every] == pytest.approx(list(theirs))
    wide = compare(tmp_path, margins={"win_share": 2 * margin}).variants[0]
    assert all(own.win_share.equivalence.holds for own in wide.policies)


@pytest.mark.parametrize(
    ("wrong", "parts"),
    [
        ({"level": 1.0}, ["level", "1.0"]),
        ({"margins": {"score": -1.0}}, ["score", "-1.0"]),
        ({"margins": {"playz": 1.0}}, ["'playz'", "mean 'plays'", "win_share"]),
    ],
)
def test_refusals(played, wrong, parts):
    with pytest.raises(InputError) as refusal:
        compare(played, **wrong)
    for part in parts:
        assert part in str(refusal.value)


def test_level(played, found):
    wide = compare(played, 0.999)
    for mine, theirs in zip(found.variants, wide.variants, strict=True):
        assert theirs.winners_differ.high >= mine.winners_differ.high
        for own, other in zip(mine.policies, theirs.policies, strict=True):
            assert other.score.change.low <= own.score.change.low
    assert wide.level == 0.999


def test_variant_with_other_seats_is_not_compared(tmp_path):
    run_study(study(variants={"five": {"players": 5}}, matches=10), tmp_path, threads=1)
    found = compare(tmp_path)
    assert found.variants == []
    assert found.incomparable == ["five, line-up pair"]


def test_failed_control_is_said(played):
    from studies.show.sentences import sentence

    same = effect_of(compare(played), "same")
    assert "differ in 0 of 180 matches, as must be" in sentence(same, named=False)
    assert "cannot be compared" in sentence(replace(same, winners_differ_count=3), named=False)


def test_what_never_came_into_play_is_bounded(played):
    from studies.show.sentences import sentence

    dirty = effect_of(compare(played), "dirty")
    never = replace(dirty, winners_differ_count=0, in_play_count=0, in_play=share_at(0, 60))
    text = sentence(never, named=False)
    assert "comes into play in none of 180 matches" in text
    assert "(if any ever is, then in at most 6 % of matches)" in text  # 1 - 0.025^(1/60)


def test_unrotated_lineup_has_newcombe_and_mcnemar(tmp_path):
    lineups = [{"name": "kept", "seats": ["greedy", "random", "random"]}]
    run_study(study(lineups=lineups), tmp_path, threads=2)
    effect = effect_of(compare(tmp_path), "dirty")
    assert effect.rotations == 1
    table = defaultdict(dict)
    for row in load(tmp_path).collect().to_dicts():
        table[row["variant"]][row["match"]] = row
    held = {"greedy": {0}, "random": {1, 2}}
    for own in effect.policies:
        won = {
            side: [bool(winners(table[side][match]) & held[own.policy]) for match in range(60)]
            for side in ("baseline", "dirty")
        }
        both = sum(old and new for old, new in zip(won["baseline"], won["dirty"], strict=True))
        counts = (both, own.gained, own.lost, 60 - both - own.gained - own.lost)
        assert own.among_winners == newcombe(*counts)
        assert own.among_winners_tango == tango(*counts)
        assert own.among_winners_p == mcnemar_p(own.gained, own.lost)


def test_each_sweep_point_has_its_own_baseline(tmp_path):
    run_study(study(sweep={"players": [2, 4]}, matches=20), tmp_path, threads=2)
    found = compare(tmp_path)
    points = [(effect.variant, effect.point["players"]) for effect in found.variants]
    assert points == [("dirty", 2), ("same", 2), ("dirty", 4), ("same", 4)]
    assert [result.players for result in found.lineups] == [2, 4]
    for one, other in combinations(found.lineups, 2):
        assert one.policies != other.policies
    frame = load(tmp_path).collect()
    assert frame.filter(players=2)["score_3"].null_count() == 20 * 2 * 3
    assert frame.filter(players=4)["score_3"].null_count() == 0


def test_partial_study_is_compared_on_common_deals(tmp_path):
    chosen = study()
    run_study(chosen, tmp_path, threads=1, block=20)
    effect = compare(tmp_path).variants[0]
    part = next((tmp_path / "matches" / f"cell={cell_id(tmp_path, 'dirty')}").glob("*020-20*"))
    part.unlink()
    assert effect.deals == 60
    assert compare(tmp_path).variants[0].deals == 40


def cell_id(directory, variant):
    from studies.store.cellfile import read_cells

    return next(row["cell"] for row in read_cells(directory) if row["variant"] == variant)


def test_load_joins_the_cells(played):
    frame = load(played).collect()
    assert frame.height == 3 * 60 * 3
    assert set(frame["variant"]) == {"baseline", "dirty", "same"}
    assert set(frame["rounds"]) == {2}
    assert set(frame["rounds_option"]) == {2}
    assert {"cell", "lineup", "dirty_one", "seat_2", "score_2", "winners"} <= set(frame.columns)


def test_command_takes_level_and_margins(played):
    done = cardlab(
        "compare", played, "--level", "0.9", "--margin", "0.3", "--margin", "plays=500", "--json"
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["level"], told["margins"]) == (0.9, {"win_share": 0.3, "plays": 500})
    assert told["variants"][0]["metrics"]["plays"]["equivalence"]["margin"] == 500
    done = cardlab("compare", played, "--margin", "0.3", "--margin", "plays=500")
    for part in (
        "within?",
        "(A/A)",
        "random never finished",
        "Within ±500 of plays: dirty",
        "max-T",
    ):
        assert part in done.stdout


def test_json_of_the_command(played):
    done = cardlab("compare", played, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    dirty = told["variants"][0]
    assert dirty["variant"] == "dirty"
    assert dirty["winners_differ"]["low"] < dirty["winners_differ"]["estimate"]


def test_chunks_do_not_matter(played, found, monkeypatch):
    monkeypatch.setattr(reading, "CHUNK_ROWS", 21)  # 7 deals: ends within parts of 25
    in_chunks = compare(played)
    one, other = effect_of(found, "dirty"), effect_of(in_chunks, "dirty")
    assert (one.winners_differ_count, one.in_play_count) == (
        other.winners_differ_count,
        other.in_play_count,
    )
    assert other.winners_differ.low == pytest.approx(one.winners_differ.low)
    for mine, theirs in zip(one.policies, other.policies, strict=True):
        assert (mine.gained, mine.lost) == (theirs.gained, theirs.lost)
        assert theirs.score.change.low == pytest.approx(mine.score.change.low)


def test_slices_do_not_matter(tmp_path, monkeypatch):
    """Whoever counts by the number of the deal counts from that of the slice, not of the chunk."""

    def rows(cell, columns):
        seed = ["baseline", "dirty", "up300"].index(cell.variant)
        drawn = np.random.default_rng(seed).random(columns["winners"].shape) < 0.3
        own, shape = winners_by((0.5, 0.3, 0.2), columns["winners"].shape, seed), drawn.shape
        columns["winners"] = np.where(drawn, own, winners_by((0.4, 0.4, 0.2), shape, 9))

    seats = {"name": "table", "seats": ["greedy", "random", "guard"], "rotate": True}
    variants = {"dirty": {"dirty_one": "always"}, "up300": {"points_limit": 300}}
    plant(tmp_path, 200, rows, lineups=[seats], variants=variants)
    whole = compare(tmp_path)
    monkeypatch.setattr(values, "DEALS_AT_ONCE", 30)
    monkeypatch.setattr(reading, "CHUNK_ROWS", 240)  # 80 deals
    again = compare(tmp_path)
    for name in ("variants", "superlatives", "lineups"):
        for one, other in zip(getattr(whole, name), getattr(again, name), strict=True):
            assert agree(one, other)
    for one, other in zip(whole.ratings[0].strengths, again.ratings[0].strengths, strict=True):
        assert other.strength.low == pytest.approx(one.strength.low, abs=1e-6)


def test_a_share_that_never_changed_is_bounded_by_what_its_seats_can_win(tmp_path):
    seats = {"name": "table", "seats": ["greedy", "greedy", "random"]}
    plant(
        tmp_path, 300, lambda *_: None, lineups=[seats], variants={"up300": {"points_limit": 300}}
    )
    most = binomtest(0, 300).proportion_ci(0.95, method="exact").high
    for own in compare(tmp_path).variants[0].policies:
        for told in (own.win_share, own.win_share_of_all):
            assert told.change.high == pytest.approx(most / own.seats)


def test_rotations_that_are_all_alike_tell_no_more_of_floor_and_independent_value():
    before, after = (winners_by((0.5, 0.3, 0.2), (400, 1), seed) for seed in (1, 2))
    once, thrice = Overlap(3, 1), Overlap(3, 3)
    once.add(0, before, after)
    thrice.add(0, before.repeat(3, axis=1), after.repeat(3, axis=1))
    for one, other in zip(once.describe(0.95), thrice.describe(0.95), strict=True):
        told = other.estimate, other.low, other.high
        assert told == pytest.approx((one.estimate, one.low, one.high), rel=1e-4)
        assert one.low < one.estimate < one.high


def test_floor_of_two_winners_is_known_as_well_as_the_difference_of_their_shares():
    counted = Overlap(2, 1)
    counted.add(
        0, *(winners_by((own, 1 - own), (1000, 1), seed) for seed, own in enumerate((0.9, 0.5)))
    )
    floor = counted.describe(0.95)[0]
    assert (floor.high - floor.low) / 2 == pytest.approx(1.96 * np.sqrt(0.34 / 1000), rel=0.1)


def test_study_without_matches_is_all_incomplete(tmp_path):
    import shutil

    run_study(study(matches=2), tmp_path, threads=1)
    shutil.rmtree(tmp_path / "matches")
    found = compare(tmp_path)
    assert (found.variants, found.lineups, found.ratings) == ([], [], [])
    assert len(found.incomplete) == 3


@pytest.mark.parametrize("matches", [1, 2])
def test_few_deals_claim_nothing(tmp_path, matches):
    run_study(study(matches=matches), tmp_path, threads=1)
    found = compare(tmp_path, margins={"win_share": 0.05, "plays": 1})
    dirty = effect_of(found, "dirty")
    assert min(own.win_share.p_holm for own in dirty.policies) > 0.05
    assert not dirty.metrics["plays"].equivalence.holds
    assert dirty.floor.high >= dirty.winners_differ.high > 0.4
    assert found.lineups[0].differences[0].p_family > 0.05
