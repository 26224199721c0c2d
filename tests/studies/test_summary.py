import dataclasses
import json
import shutil
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from scipy import stats

from simcore.errors import DataError, InputError
from studies import load, load_sums
from studies.check.stored_blocks import check_blocks
from studies.compare.effects import compare
from studies.compare.from_summary import CANNOT_TELL
from studies.compare.ratings import rate
from studies.deals.sums import Sums, exact_dot, share_unit
from studies.design.cells import expand
from studies.design.study import SUMMARY, check_study
from studies.run.estimate import estimate
from studies.run.run import run_study
from studies.stats.signflip import EXACT_DEALS, SignFlip, sign_flip_p
from studies.store.directory import scan_cell, stored_detail
from studies.store.stop_reasons import read_stops
from studies.store.summary_parts import total_sums
from tests.studies.conftest import cardlab, rewrite, study
from tests.studies.planted import plant, winners_by
from tests.studies.test_stopping import goal_study
from tests.studies.test_store import everything


@pytest.fixture(scope="module")
def summed(tmp_path_factory):
    directory = tmp_path_factory.mktemp("summed") / "study"
    run_study(study(detail="summary"), directory, threads=2, block=25)
    return directory


def totals(directory, asked):
    return {
        cell.id: total_sums(scan_cell(directory, cell, SUMMARY).parts).values
        for cell in expand(asked)
    }


def test_sums_are_those_of_the_matches(played, summed):
    """Recomputed from the rows, with polars and by another way."""
    base, dirty, _ = expand(study())
    rows = {
        cell.id: load(played).filter(cell=cell.id).sort("match", "rotation").collect()
        for cell in (base, dirty)
    }
    sums = totals(summed, study())[dirty.id]
    one, two = rows[base.id], rows[dirty.id]
    assert sums["deals"] == 60
    differ = (
        two.select("match", changed=one["winners"] != two["winners"])
        .group_by("match")
        .agg(pl.col("changed").sum().cast(pl.Int64))["changed"]
    )
    assert differ.sum() > 0
    assert (sums["pair.differ"], sums["pair.differ.sq"]) == (differ.sum(), (differ**2).sum())
    plays = two.group_by("match").agg(pl.col("plays").sum())["plays"].cast(pl.Int64)
    assert (sums["metric.plays"], sums["metric.plays.sq"]) == (plays.sum(), (plays**2).sum())
    shares = {"greedy": {}, "random": {}}
    scores = {"greedy": 0, "random": 0}
    for row in two.iter_rows(named=True):
        winners = [seat for seat in range(3) if row["winners"] >> seat & 1]
        for seat in range(3):
            policy = dirty.seats[(seat + row["rotation"]) % 3]
            scores[policy] += row[f"score_{seat}"]
            share = share_unit(3) // len(winners) if seat in winners else 0
            shares[policy][row["match"]] = shares[policy].get(row["match"], 0) + share
    greedy, random = (np.array(list(shares[name].values())) for name in ("greedy", "random"))
    assert (sums["share.0"], sums["share.1"]) == (greedy.sum(), random.sum())
    assert sums["share.0.1"] == (greedy * random).sum()
    assert sums["share.1.1"] == (random**2).sum()
    assert (sums["score.0"], sums["score.1"]) == (scores["greedy"], scores["random"])
    first = two.filter(pl.col("winners") == 1, pl.col("rotation") == 2).height
    assert sums["winners.2.1"] == first


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"lineups": [{"name": "a", "seats": ["greedy", "random", "hoarder"]}]},
        {"options": {"players": 2, "rounds": 1}},
        {"lineups": [{"name": "mixed", "seats": ["shedder", "hoarder", "greedy"], "rotate": True}]},
    ],
)
def test_comparison_is_that_of_the_matches(changes, tmp_path):
    run_study(study(**changes), tmp_path / "rows", threads=2)
    run_study(study(**changes, detail="summary"), tmp_path / "sums", threads=2, block=13)
    rows, sums = compare(tmp_path / "rows"), compare(tmp_path / "sums")
    assert sums.remarks == [CANNOT_TELL]
    assert len(rows.variants) == len(sums.variants) > 0
    for one, two in zip(rows.variants, sums.variants, strict=True):
        assert agree(one, two) >= 24
    assert len(rows.lineups) == len(sums.lineups) > 0
    for one, two in zip(rows.lineups, sums.lineups, strict=True):
        assert agree(one, two) >= 11
    for family in ("variants", "scores", "metrics", "policies"):
        assert getattr(rows, f"tests_of_{family}") == getattr(sums, f"tests_of_{family}")


def test_a_variant_that_lacks_a_block_is_compared_on_its_own_deals(tmp_path):
    """The baseline's deals between are left out, the last ones set against the last ones."""
    for detail in ("matches", "summary"):
        asked = study(detail=detail)
        run_study(asked, tmp_path / detail, threads=2, block=20)
        dirty = next(cell for cell in expand(asked) if cell.variant == "dirty")
        scan_cell(tmp_path / detail, dirty, detail).parts[1].path.unlink()
    rows, sums = compare(tmp_path / "matches"), compare(tmp_path / "summary")
    assert [one.deals for one in rows.variants] == [40, 60]
    for one, two in zip(rows.variants, sums.variants, strict=True):
        assert agree(one, two) >= 24


@pytest.mark.parametrize("changed", [EXACT_DEALS, EXACT_DEALS + 1])
def test_values_are_kept_as_long_as_the_exact_test_takes_them(changed):
    """Sums keep as many as a sign-flip test of the matches does, and no more."""
    values = np.r_[np.resize([3, -2, 1], changed), np.zeros(500)].astype(int)
    sums, flip = Sums(), SignFlip()
    sums.change("pair.x", values)
    flip.add(values)
    kept = sums.values_of("pair.x")
    assert (kept is None) == (flip.few is None) == (changed > EXACT_DEALS)
    if kept is not None:
        assert sorted(kept) == sorted(values[values != 0])


NOT_TOLD = {
    *("gained", "lost", "gained_share", "lost_share"),
    *("among_winners", "among_winners_tango", "among_winners_p"),
    *("simultaneous", "p_family"),
    *("low", "high"),  # of floor and independent
}


def agree(one, two):
    """Check that two findings are equal in what sums tell; return how many fields that is."""
    names = [field.name for field in dataclasses.fields(one)]
    told = [name for name in names if name not in NOT_TOLD or known(getattr(two, name))]
    for name in told:
        assert alike(getattr(one, name), getattr(two, name)), name
    return len(told)


def known(value):
    return value is not None and value == value  # noqa: PLR0124 (nan is not itself)


def alike(one, two):
    if dataclasses.is_dataclass(one):
        return type(one) is type(two) and agree(one, two) > 0
    if isinstance(one, dict):
        return all(alike(one[name], two[name]) for name in one.keys() & two.keys())
    if isinstance(one, list) and len(one) == len(two):
        return all(map(alike, one, two))
    if isinstance(one, float):
        return one == pytest.approx(two, abs=1e-12, rel=1e-9, nan_ok=True)
    return bool(one == two)


def test_differences_of_policies_are_those_of_the_deals(tmp_path):
    """Winners of all three, so that shares move against each other, and rotations that are alike.

    Recomputed with numpy and scipy from the planted winners.
    """
    seats = ["greedy", "random", "hoarder"]
    drawn = winners_by([0.5, 0.3, 0.2], (400, 3), 1)
    drawn[:, 1] = drawn[:, 0]

    def rows(_, columns):
        columns["winners"] = drawn

    lineups = [{"name": "mixed", "seats": seats, "rotate": True}]
    plant(tmp_path, 400, rows, lineups=lineups, variants={}, detail="summary")
    result = compare(tmp_path).lineups[0]
    seat = np.log2(drawn).astype(int)
    holder = (seat + np.arange(3)) % 3
    shares = {name: (holder == place).mean(axis=1) for place, name in enumerate(seats)}
    assert len(result.differences) == 3
    for gap in result.differences:
        deals = shares[gap.first] - shares[gap.second]
        error = stats.sem(deals)
        low, high = stats.t.interval(0.95, 399, deals.mean(), error)
        assert gap.difference.estimate == pytest.approx(deals.mean())
        assert (gap.difference.low, gap.difference.high) == pytest.approx((low, high))
        assert gap.p == pytest.approx(sign_flip_p(np.round(3 * deals)))
        apart = np.hypot(*(stats.sem(shares[name]) for name in (gap.first, gap.second)))
        assert error > 1.1 * apart  # what independent shares would give


def test_positions_and_metrics_are_those_of_the_matches(summed, played):
    result = compare(summed).lineups[0]
    rows = load(played).filter(variant="baseline").collect()
    for place in range(3):
        seat = (pl.col("first_seat").cast(pl.Int64) + place) % 3
        won = pl.col("winners").cast(pl.Int64) // pl.lit(2).pow(seat).cast(pl.Int64) % 2
        count = pl.col("winners").bitwise_count_ones().cast(pl.Float64).clip(1)
        share = rows.select((won / count).mean()).item()
        assert result.positions[place].win_share.estimate == pytest.approx(share)
        scores = [row[f"score_{(row['first_seat'] + place) % 3}"] for row in rows.to_dicts()]
        assert result.positions[place].score.estimate == pytest.approx(np.mean(scores))
    assert result.metrics["plays"].estimate == pytest.approx(rows["plays"].mean())
    deals = rows.group_by("match").agg(pl.col("plays").mean())["plays"].to_numpy()
    half = 2.0009954 * deals.std(ddof=1) / np.sqrt(60)  # t with 59 degrees of freedom
    assert result.metrics["plays"].high - result.metrics["plays"].estimate == pytest.approx(half)


def test_sums_merge_over_blocks_in_any_way(summed, tmp_path):
    run_study(study(detail="summary"), tmp_path / "whole", threads=1, block=60)
    assert totals(tmp_path / "whole", study()) == totals(summed, study())
    run_study(study(detail="summary", matches=31), tmp_path / "two", threads=1, block=9)
    run_study(study(detail="summary"), tmp_path / "two", threads=2, block=20)
    assert totals(tmp_path / "two", study()) == totals(summed, study())


def test_comparison_does_not_depend_on_blocks(tmp_path):
    """Not in the last digit either: which deal of few came first must not be seen."""
    told = []
    for block in (None, 25, 10):
        directory = tmp_path / f"{block}"
        run_study(study(detail="summary", matches=50), directory, threads=2, block=block)
        told.append(json.dumps(dataclasses.asdict(compare(directory)), sort_keys=True))
    assert told[0] == told[1] == told[2]


def test_few_values_are_the_same_in_any_order():
    blocks = []
    for values in ([3, 0, -1], [-7, 2, 3]):
        blocks.append(Sums())
        blocks[-1].few("gap", np.array(values))
    one, two = (sum(order, Sums()).values_of("gap") for order in (blocks, blocks[::-1]))
    assert one.tolist() == two.tolist() == [-7, -1, 2, 3, 3]


def test_a_part_that_is_lost_is_played_again(summed, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(summed, directory)
    for cell, place in zip(expand(study()), (0, 1, 1), strict=True):
        scan_cell(directory, cell, SUMMARY).parts[place].path.unlink()
    outcome = run_study(study(detail="summary"), directory, threads=2, block=25)
    assert outcome.played == 3 * 25 * 3
    kept = {path.name: path.read_bytes() for path in summed.glob("sums/*/*.parquet")}
    assert {path.name: path.read_bytes() for path in directory.glob("sums/*/*.parquet")} == kept


def test_no_rows_are_kept(summed):
    assert not (summed / "matches").exists()
    assert stored_detail(summed) == SUMMARY
    with pytest.raises(DataError, match="sums instead of matches"):
        load(summed)
    with pytest.raises(DataError, match="sums instead of matches"):
        rate(summed)
    with pytest.raises(InputError, match="no tests of equivalence"):
        compare(summed, margins={"score": 5})


def test_sums_are_loaded_with_what_their_cells_are(summed, played):
    frame = load_sums(summed).collect()
    found = frame.filter(pl.col("name") == "deals", pl.col("variant") == "dirty")
    assert found["value"].to_list() == [Decimal(60)]
    assert found["dirty_one"].to_list() == ["always"]
    with pytest.raises(DataError, match="keeps matches"):
        load_sums(played)


def test_matches_and_sums_do_not_mix(summed, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(summed, directory)
    before = everything(directory)
    with pytest.raises(DataError, match="detail = summary there, matches here"):
        run_study(study(), directory, threads=1)
    assert everything(directory) == before


def test_check_plays_sums_again(summed, tmp_path):
    assert len(list(check_blocks(summed, 4, seed=1))) == 4
    directory = tmp_path / "copy"
    shutil.copytree(summed, directory)
    one, other, _ = expand(study())
    a, b = (scan_cell(directory, cell, SUMMARY).parts[0].path for cell in (one, other))
    import pyarrow.parquet as pq

    rewrite(a, pq.read_table(b))
    with pytest.raises(DataError, match=r"The sum .* is stored"):
        list(check_blocks(directory, 99, seed=1))


def test_goal_decides_alike_with_sums_and_with_matches(tmp_path):
    run_study(goal_study(), tmp_path / "rows", threads=2)
    run_study(goal_study(detail="summary"), tmp_path / "sums", threads=2)
    assert read_stops(tmp_path / "sums") == read_stops(tmp_path / "rows")
    _, stops = read_stops(tmp_path / "sums")
    for effect in compare(tmp_path / "sums").variants:
        assert effect.winners_differ in [stop.intervals.get("differ") for stop in stops.values()]


def test_sums_of_blocks_across_a_look_are_refused(tmp_path):
    without = goal_study(detail="summary", matches=400).document
    without = check_study({key: value for key, value in without.items() if key != "goal"})
    run_study(without, tmp_path, threads=2, block=90)
    with pytest.raises(DataError, match="do not end at deal 100"):
        run_study(goal_study(detail="summary"), tmp_path, threads=2)


def test_ten_thousand_million_matches_fit_on_a_disk(tmp_path):
    asked = study(detail="summary", matches=10**10, variants={})
    guess = estimate(asked, expand(asked), tmp_path / "none", 2)
    assert guess.rows_left == 3 * 10**10
    assert guess.bytes < 2e9


def test_sums_of_so_many_stay_exact():
    # 10¹⁰ deals with a score of 10⁶ each: the sum of squares is beyond 64 bits.
    sums, block = Sums(), Sums({"score.0.sq": 10**12 * 10**6})
    for _ in range(3):
        sums += block
    for _ in range(4):
        sums = sums + sums
    assert sums["score.0.sq"] == 48 * 10**18
    rng = np.random.default_rng(2)
    for peak in (10, 10**6, 2**31 - 1):
        a, b = (rng.integers(-peak, peak, 5000) for _ in range(2))
        assert exact_dot(a, b) == sum(int(x) * int(y) for x, y in zip(a, b, strict=True))


def test_json_has_one_shape(summed, played):
    """Every key of the one is a key of the other, but for what sums tell of further metrics."""
    rows, sums = (
        json.loads(cardlab("compare", place, "--level", "0.9", "--json").stdout)
        for place in (played, summed)
    )
    assert (rows["detail"], sums["detail"]) == ("matches", "summary")
    assert rows["level"] == sums["level"] == 0.9
    assert sums["ratings"] is None
    assert sums["superlatives"] is None
    assert sums["variants"][0]["floor"]["low"] is None
    assert sums["variants"][0]["floor"]["estimate"] is not None
    for one, two in ((rows, sums), (sums, rows)):
        assert set(keys_beside(one, two)) <= {"comeback", "decisions", "forced", "last_lead_change"}


def keys_beside(one, two):
    """Yield the keys that only the first has, wherever both have a table in the same place."""
    if isinstance(one, dict) and isinstance(two, dict):
        for key in one:
            if key not in two:
                yield key
            else:
                yield from keys_beside(one[key], two[key])
    elif isinstance(one, list) and isinstance(two, list):
        for first, second in zip(one, two, strict=False):
            yield from keys_beside(first, second)


def test_command_line_says_what_it_cannot_tell(summed):
    found = cardlab("compare", summed)
    assert found.returncode == 0
    assert "keeps sums over blocks" in found.stdout
    assert cardlab("check", summed, "--blocks", "1").returncode == 0
