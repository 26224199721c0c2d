"""Whether a change is the same at all tables: against brute force, and with known truths."""

import json

import numpy as np
import pytest
from scipy import stats

from studies.cli.app import run_app
from studies.compare.effects import compare
from studies.show.sentences import sentences
from studies.stats.sameness import wald_p
from tests.studies.planted import plant
from tests.studies.test_coverage import spread
from tests.studies.test_interactions import contrast_of

PLAYERS = [2, 3, 4, 5]


def planted(directory, deals, gains, *, noise=4.0, seats=("greedy", "hoarder"), **changes):
    """Plant lengths that a variant changes by `gains[players]`; return the changes by deal."""
    moved = {}

    def rows(cell, columns):
        own = np.random.default_rng([cell.players, cell.variant != "baseline"])
        shape = (deals, cell.rotations)
        luck = np.random.default_rng(5).normal(0, noise, (deals, 1))
        gain = gains[cell.players] if cell.variant == "extra" else 0.0
        # The luck of a deal makes more of the variant, at all tables alike.
        length = 60 + gain + (1 + 0.5 * (gain != 0)) * luck + own.normal(0, noise, shape)
        columns["plays"] = np.rint(length).astype(np.int32)
        sign = 1 if cell.variant == "extra" else -1
        values = sign * columns["plays"].mean(axis=1)
        moved[cell.players] = moved.get(cell.players, 0) + values

    plant(
        directory,
        deals,
        rows,
        options={"rounds": 2},
        sweep={"players": list(gains)},
        variants={"extra": {"extra_set": True}},
        lineups=[{"name": "pair", "seats": list(seats), "rotate": True}],
        **changes,
    )
    return directory, np.stack([moved[players] for players in gains])


def other_winners(directory, moved):
    """Plant 600 deals of which a variant changes the winners of so many with three players."""

    def rows(cell, columns):
        if cell.variant == "extra" and cell.players == 3:
            columns["winners"][:moved] = 2

    return plant(
        directory,
        600,
        rows,
        options={"rounds": 2},
        sweep={"players": [2, 3]},
        variants={"extra": {"extra_set": True}},
        lineups=[{"name": "all", "seats": ["greedy"]}],
    )


def plays_of(directory):
    (found,) = (one for one in compare(directory).sameness if one.number == "plays")
    return found


def test_it_is_hotellings_test_of_the_differences(tmp_path):
    gains = {2: 1.0, 3: 2.0, 4: 1.5}
    directory, moved = planted(tmp_path / "study", 400, gains)
    found = plays_of(directory)
    gaps = (moved[1:] - moved[0]).T
    mean, count = gaps.mean(axis=0), len(gaps)
    squared = count * mean @ np.linalg.inv(np.cov(gaps.T)) @ mean
    expected = stats.f.sf(squared * (count - 2) / (2 * (count - 1)), 2, count - 2)
    assert found.p == pytest.approx(expected, rel=1e-4)
    assert (found.over, found.lineup, found.point) == ("points", "pair", None)
    assert found.tables == ["players=2", "players=3", "players=4"]
    at = moved.mean(axis=1)
    high, low = int(at.argmax()), int(at.argmin())
    values = moved[high] - moved[low]
    low_end, high_end = stats.t.interval(
        0.95 ** (1 / 3), count - 1, values.mean(), stats.sem(values)
    )
    assert found.largest.estimate == pytest.approx(values.mean())
    assert (found.largest.low, found.largest.high) == pytest.approx((low_end, high_end), rel=1e-4)
    assert found.between == [f"players={list(gains)[high]}", f"players={list(gains)[low]}"]


@pytest.mark.parametrize(
    ("gains", "way"),
    [
        ([1, 3, 5, 7], "rising"),
        ([7, 5, 3, 1], "falling"),
        ([1, 6, 1, 8], "turning"),
        ([2, 2, 2, 2], "open"),
        ([1, 4, 4, 6], "rising"),
    ],
)
def test_which_way_it_goes_with_the_players(gains, way, tmp_path):
    directory, _ = planted(tmp_path / "study", 600, dict(zip(PLAYERS, gains, strict=True)))
    found = plays_of(directory)
    (trend,) = found.trends
    assert (trend.key, trend.direction) == ("players", way)
    slope = np.polyfit(PLAYERS, gains, 1)[0]
    assert trend.slope.low < slope < trend.slope.high
    assert (found.p_holm < 0.001) == (way != "open")


def family(generator, runs, tables, deals, chance):
    """Return changes -1, 0, 1 of one truth, whose deals share their luck over tables."""
    shared = generator.random((runs, 1, deals))
    own = generator.random((runs, tables, deals))
    luck = np.where(generator.random((runs, tables, deals)) < 0.5, shared, own)
    return (luck < chance).astype(np.int8) - (luck > 1 - chance / 2)


@pytest.mark.parametrize("deals", [200, 1000, 5000])
def test_effects_that_are_the_same_are_rarely_called_different(deals):
    runs = 600
    erred = missed = 0
    for values in family(np.random.default_rng(deals), runs, 4, deals, 0.2):
        told = [contrast_of(own.astype(float)) for own in values]
        p = wald_p(np.array([one.estimate for one in told]), np.stack([one.parts for one in told]))
        erred += p <= 0.05
        pairs = [(i, j) for i in range(4) for j in range(i)]
        gaps = [contrast_of((values[i] - values[j]).astype(float)) for i, j in pairs]
        ends = [gap.interval(0.95 ** (1 / 6)) for gap in gaps]
        missed += any(not own.low <= 0 <= own.high for own in ends)
    assert abs(erred / runs - 0.05) < spread(0.05, runs)
    assert missed / runs < 0.05 + spread(0.05, runs)


def test_few_deals_that_tell_are_not_taken_for_many(tmp_path):
    """Three changed deals at one table and none at the other: of 600, that may be luck."""
    found = next(
        one for one in compare(other_winners(tmp_path / "study", 3)).sameness if one.of == "match"
    )
    assert found.p == pytest.approx(0.25)  # the sign test of three
    assert found.largest.low <= 0 < found.largest.high


def test_line_ups_differ_and_strength_is_followed(tmp_path):
    """Three policies whose strengths are known from their meetings."""
    strong = {"greedy": 3.0, "hoarder": 2.0, "random": 1.0}

    def rows(cell, columns):
        own = np.random.default_rng([len(cell.lineup), cell.variant != "baseline"])
        shape = columns["winners"].shape
        here = np.array([strong[name] for name in cell.seats])
        turned = np.stack([np.roll(here, -turn) for turn in range(cell.rotations)])
        first = own.random(shape) < turned[:, 0] / turned.sum(axis=1)
        columns["winners"] = np.where(first, 1, 2).astype(np.uint16)
        gain = here.mean() * 4 if cell.variant == "extra" else 0.0
        columns["plays"] = np.rint(own.normal(60 + gain, 3, shape)).astype(np.int32)

    pairs = [("greedy", "hoarder"), ("hoarder", "random"), ("greedy", "random")]
    plant(
        tmp_path / "study",
        800,
        rows,
        options={"players": 2, "rounds": 2},
        variants={"extra": {"extra_set": True}},
        lineups=[{"name": "-".join(pair), "seats": list(pair), "rotate": True} for pair in pairs],
    )
    found = compare(tmp_path / "study").sameness
    (plays,) = (one for one in found if one.number == "plays")
    assert (plays.over, plays.lineup, plays.point) == ("lineups", None, {})
    assert plays.between == ["greedy-hoarder", "hoarder-random"]
    assert [(trend.key, trend.direction) for trend in plays.trends] == [("strength", "rising")]
    tables = {one.who: one.tables for one in found if one.number == "win_share"}
    assert tables["hoarder"] == ["greedy-hoarder", "hoarder-random"]


def test_sums_tell_the_same_differences(tmp_path):
    gains = {2: 1.0, 3: 4.0}
    rows, _ = planted(tmp_path / "rows", 100, gains)
    sums, _ = planted(tmp_path / "sums", 100, gains, detail="summary")
    one, other = plays_of(rows), plays_of(sums)
    assert other.largest.estimate == pytest.approx(one.largest.estimate)
    assert other.between == one.between
    assert other.p == 1  # one block


def test_it_is_told_in_words_json_frames_and_a_report(tmp_path, capfd):
    import cardlab
    from studies.report.build import build

    directory, _ = planted(tmp_path / "study", 300, {2: 1.0, 3: 3.0, 4: 6.0})
    assert run_app(["compare", str(directory)]) == 0
    shown = " ".join(capfd.readouterr().out.split())
    assert "Same at all tables? (1 of " in shown
    assert "players=4 − players=2 rising +" in shown
    answer = cardlab.open(directory).compare()
    told = next(one for one in json.loads(answer.to_json())["sameness"] if one["number"] == "plays")
    test, trend = answer.sameness.filter(number="plays").to_dicts()
    assert (test["estimate"], test["p_holm"]) == (told["largest"]["estimate"], told["p_holm"])
    assert (test["table"], test["against"], test["tables"]) == ("players=4", "players=2", 3)
    assert (trend["key"], trend["direction"]) == ("players", "rising")
    section = next(own for own in build(directory).sections if own.name == "variants")
    grid = next(own for own in section.items if "from table to table" in own.caption)
    assert [row[2] for row in grid.rows] == ["plays"]


@pytest.mark.parametrize("moved", [90, 3])
def test_the_answer_says_where_the_winners_change_more_often(moved, tmp_path):
    from studies.report.build import build

    directory = other_winners(tmp_path / "study", moved)
    said = sentences(compare(directory))
    told = next(text for text in said if "more often" in text)
    more = "more often at players=3 than at players=2"
    if moved == 90:
        assert told.startswith("extra: the winners change 15.0 ±")
        assert f" points {more} (p < 0.001" in told
    else:
        assert told.startswith(f"extra: the winners are not shown to change {more}: 0.5 (")
    in_short = " ".join(build(directory).answer)
    assert "more often with three players than with two players" in in_short
