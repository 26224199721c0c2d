import json
from collections import defaultdict
from itertools import combinations
from statistics import mean

import pytest

from simcore.game import get_game
from studies import frames, load
from studies.effects import compare
from studies.intervals import Moments, clustered_mean, clustered_share, holm
from studies.run import run_study
from tests.studies.conftest import cardlab, study


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
        assert own.win_share.p_holm == 1
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
    bit = [clause.name for clause in get_game("up").clauses].index("dirty_one")
    base, other = rows["baseline"], rows["dirty"]
    count = sum(bool((base[key]["clauses"] | other[key]["clauses"]) >> bit & 1) for key in base)
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
    assert effect.floor == pytest.approx(1 - overlap)
    assert effect.independent == pytest.approx(1 - product)
    assert effect.floor <= effect.winners_differ.estimate


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
        expected = clustered_mean(Moments.of(changes), bound=bound)
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


def test_holm_is_over_all_tests(found):
    tests = [own.win_share for effect in found.variants for own in effect.policies]
    assert found.tests_of_variants == len(tests) == 4
    assert [test.p_holm for test in tests] == holm([test.p for test in tests])


def test_unrotated_lineup_has_newcombe_and_mcnemar(tmp_path):
    from studies.intervals import mcnemar_p, newcombe

    lineups = [{"name": "kept", "seats": ["greedy", "random", "random"]}]
    run_study(study(lineups=lineups), tmp_path, threads=2)
    effect = effect_of(compare(tmp_path), "dirty")
    assert effect.rotations == 1
    for own in effect.policies:
        assert own.among_winners.estimate == (own.gained - own.lost) / 60
        assert own.among_winners_p == mcnemar_p(own.gained, own.lost)
        wide = newcombe(0, own.gained, own.lost, 60 - own.gained - own.lost)
        assert own.among_winners.low >= wide.low - 0.1


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
    from studies.cellfile import read_cells

    return next(row["cell"] for row in read_cells(directory) if row["variant"] == variant)


def test_load_joins_the_cells(played):
    frame = load(played).collect()
    assert frame.height == 3 * 60 * 3
    assert set(frame["variant"]) == {"baseline", "dirty", "same"}
    assert set(frame["rounds"]) == {2}
    assert set(frame["rounds_option"]) == {2}
    assert {"cell", "lineup", "dirty_one", "seat_2", "score_2", "winners"} <= set(frame.columns)


def test_json_of_the_command(played):
    done = cardlab("compare", played, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    dirty = told["variants"][0]
    assert dirty["variant"] == "dirty"
    assert dirty["winners_differ"]["low"] < dirty["winners_differ"]["estimate"]


def test_chunks_do_not_matter(played, found, monkeypatch):
    monkeypatch.setattr(frames, "CHUNK_ROWS", 21)  # 7 deals: ends within parts of 25
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
