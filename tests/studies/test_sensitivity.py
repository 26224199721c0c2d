"""Indices of sensitivity: known functions with planted noise, a study played whole, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import sobol_indices, uniform

from simcore.errors import DataError, InputError
from simcore.game import get_game
from studies.design.dials import Dial, dials_of
from studies.design.study import check_study
from studies.report.build import build
from studies.run.progress import ProgressLine
from studies.run.run import run_study
from studies.run.sensitivity import kept_rankings, run_sensitivity
from studies.stats.groups import GROUPS
from studies.stats.sensitivity import design, grouped, rounded, sensitivity

UNO = get_game("uno")


def ishigami(x):
    """Return Ishigami and Homma's (1990) function on the unit cube, a = 7, b = 0.1."""
    one, two, three = (math.pi * (2 * x[..., place] - 1) for place in range(3))
    return np.sin(one) + 7 * np.sin(two) ** 2 + 0.1 * three**4 * np.sin(one)


def linear(x):
    return x @ np.array([4.0, 2.0, 1.0, 0.0])


def switches(x):
    """Two switches and a choice of three: equal points are often met, and have equal noise."""
    one, two, three = x[..., 0] < 0.5, x[..., 1] < 0.5, np.floor(3 * x[..., 2])
    return one + 1.0 * one * two + 0.5 * (three == 1)


def of_ishigami():
    first = 0.5 * (1 + 0.1 * math.pi**4 / 5) ** 2
    second, both = 49 / 8, 0.01 * math.pi**8 * (1 / 18 - 1 / 50)
    return np.array([first, second, 0, first + both, second, both]) / (first + second + both)


# Of the switches: one has 1.5² / 4, two 0.25 / 4, both 0.25 / 16 · …, counted over all 12 points.
def of_switches():
    grid = np.array(np.meshgrid([0.2, 0.7], [0.2, 0.7], [0.1, 0.5, 0.9], indexing="ij"))
    y = switches(np.moveaxis(grid, 0, -1))
    every = (0, 1, 2)
    firsts = [y.mean(axis=tuple(a for a in every if a != j)).var() for j in every]
    totals = [y.var(axis=j).mean() for j in every]
    return np.array([*firsts, *totals]) / y.var()


CASES = {
    "ishigami": (3, ishigami, of_ishigami()),
    "linear": (4, linear, np.array([16, 4, 1, 0, 16, 4, 1, 0]) / 21),
    "switches": (3, switches, of_switches()),
}


def noisy(truth, points, deals, generator, own=2.0, common=1.0):
    """Return outcomes of deals, which move all points, tilt the function, and have noise."""
    inputs = points.shape[-1]
    tilts = generator.standard_normal((inputs, deals))
    values = truth(points)[..., None] + common * (
        generator.standard_normal(deals) + (points - 0.5) @ tilts
    )
    if truth is not switches:
        return values + own * generator.standard_normal(values.shape)
    kinds = (points * [2, 2, 3]).astype(int) @ [6, 3, 1]
    return values + own * generator.standard_normal((12, deals))[kinds]


def found(case, samples, deals, run, **noise):
    inputs, truth, _ = CASES[case]
    points = design(inputs, samples, run)
    if case == "switches":  # a deal's tilt is that of the level, as a match's would be
        points = (np.floor(points * [2, 2, 3]) + 0.5) / [2, 2, 3]
    outcomes = noisy(truth, points, deals, np.random.default_rng([run, 3]), **noise)
    indices = sensitivity(outcomes)
    return [*indices.first, *indices.total], indices


class TestIndices:
    @pytest.mark.parametrize("case", ["ishigami", "linear"])
    def test_without_noise_they_are_those_of_scipy(self, case):
        inputs, truth, told = CASES[case]
        points = design(inputs, 4096, 1)
        ours = sensitivity(np.repeat(truth(points)[..., None], 3, axis=-1))
        theirs = sobol_indices(
            func=lambda x: truth(x.T)[None], n=4096, dists=[uniform()] * inputs, rng=1
        )
        assert [one.estimate for one in ours.first] == pytest.approx(told[:inputs], abs=0.02)
        assert [one.estimate for one in ours.total] == pytest.approx(told[inputs:], abs=0.02)
        assert theirs.total_order == pytest.approx(told[inputs:], abs=0.02)
        assert theirs.first_order == pytest.approx(told[:inputs], abs=0.03)

    def test_noise_does_not_pass_for_an_effect(self):
        totals, naive = [], []
        for run in range(60):
            indices = found("linear", 32, 20, run, own=8.0)[0]
            totals.append([one.estimate for one in indices[4:]])
            points = design(4, 32, run)
            generator = np.random.default_rng([run, 3])
            means = noisy(linear, points, 20, generator, own=8.0).mean(axis=-1)
            naive.append(((means[5] - means[0]) ** 2).mean() / 2 / means[:2].var())
        last = np.array(totals)[:, 3]
        assert np.mean(naive) > 0.3  # what means of deals alone would say of what does nothing
        assert abs(np.median(last)) < 0.1

    @pytest.mark.parametrize("case", CASES)
    def test_intervals_cover(self, case):
        covered_in(case, samples=64, deals=30, runs=120, least=0.88)

    @pytest.mark.long
    @pytest.mark.parametrize("case", CASES)
    @pytest.mark.parametrize(("samples", "deals"), [(64, 200), (256, 200), (64, 1_000)])
    def test_intervals_cover_in_many_runs(self, case, samples, deals):
        covered_in(case, samples=samples, deals=deals, runs=400, least=0.88)

    def test_where_nothing_happens_no_index_is_told(self):
        generator = np.random.default_rng(5)
        points = design(2, 32, 1)
        ends = 0
        for _ in range(20):
            noise = generator.standard_normal((*points.shape[:2], 20))
            ends += math.isfinite(sensitivity(noise).total[0].high)
        assert ends <= 3
        still = sensitivity(np.zeros((4, 32, 5)))
        assert math.isnan(still.total[0].estimate)
        assert still.variance.estimate == 0

    def test_a_difference_is_that_of_two_totals(self):
        indices = found("linear", 256, 50, 1)[1]
        gap = indices.difference(0, 1)
        assert gap.estimate == pytest.approx(indices.total[0].estimate - indices.total[1].estimate)
        assert gap.low > 0

    def test_a_design_changes_one_column(self):
        points = design(3, 64, 7)
        assert points.shape == (5, 64, 3)
        for column in range(3):
            same = points[2 + column] == points[0]
            assert same[:, [one for one in range(3) if one != column]].all()
            assert (points[2 + column, :, column] == points[1, :, column]).all()
        assert (points == design(3, 64, 7)).all()
        assert (points != design(3, 64, 8)).any()
        assert (rounded(16), rounded(17), rounded(256)) == (16, 32, 256)

    def test_many_deals_become_groups(self):
        values = np.arange(2 * 5_000.0).reshape(2, 5_000)
        means = grouped(values)
        assert means.shape == (2, 1_000)
        assert means[0, 0] == 2.0
        assert (grouped(values[:, :GROUPS]) == values[:, :GROUPS]).all()


def covered_in(case, samples, deals, runs, least):
    """Require that each index is covered nearly as often as is said, and not too widely."""
    truth = CASES[case][2]
    hits = np.zeros(len(truth))
    for run in range(runs):
        indices = found(case, samples, deals, run)[0]
        hits += [one.low <= told <= one.high for one, told in zip(indices, truth, strict=True)]
    assert (hits / runs >= least).all(), hits / runs
    assert 0.925 <= (hits / runs).mean() <= 0.99, hits / runs


SMALL = {
    "game": "uno",
    "matches": 30,
    "options": {"rounds": 1},
    "lineups": [{"name": "four", "seats": ["random"]}],
}


def asked(dials, outcome="turns", samples=16, **changes):
    table = {"outcome": outcome, "samples": samples, **dials}
    return check_study({**SMALL, "sensitivity": table, **changes}, name="test")


class TestStudy:
    def test_a_study_is_played_and_ranked(self):
        dials = {"must_play": [False, True], "hand_size": [3, 9], "action_points": [10, 30]}
        result = run_sensitivity(asked(dials, samples=64))
        (table,) = result.tables
        order = [own.dial for own in table.dials]
        assert order[-1] == "action_points"  # turns do not know points
        assert not table.dials[-1].changes
        assert table.dials[-1].total.estimate == 0
        assert order[0] == "must_play"
        assert table.dials[0].total.low > 0
        assert table.points < 64 * 5
        assert table.matches == 30 * table.points
        assert run_sensitivity(asked(dials, samples=64), threads=2) == result

    @pytest.mark.parametrize(
        "outcome", ["win_share.random", "score.random", "another_winner", "aborted", "decisions"]
    )
    def test_outcomes(self, outcome):
        result = run_sensitivity(asked({"hand_size": [3, 9]}, outcome, matches=8))
        mean = result.tables[0].mean.estimate
        if outcome == "win_share.random":
            assert mean == pytest.approx(0.25)
        elif outcome == "another_winner":
            assert 0.3 < mean < 0.9
        elif outcome == "aborted":
            assert mean == 0
        else:
            assert mean > 0

    def test_tables_are_told_apart(self):
        result = run_sensitivity(
            asked({"hand_size": [3, 9]}, matches=4, sweep={"must_play": [False, True]})
        )
        assert [table.point for table in result.tables] == [
            {"must_play": False},
            {"must_play": True},
        ]


class Cut(ProgressLine):
    """Presses Ctrl-C after some blocks."""

    def __init__(self, left=0):
        super().__init__()
        self.left, self.rows = left, 0

    def advance(self, rows, cells_done):
        super().advance(rows, cells_done)
        self.rows += rows
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


def parts(directory):
    return {path.name: path.read_bytes() for path in directory.glob("sensitivity/*/*/*.parquet")}


TWO = {"must_play": [False, True], "action_points": [10, 30]}


class TestKept:
    def test_a_killed_run_goes_on_and_tells_what_a_whole_one_does(self, tmp_path):
        study = asked(TWO)
        cut = Cut(5)
        with pytest.raises(KeyboardInterrupt):
            run_sensitivity(study, tmp_path, watcher=cut)
        assert not (tmp_path / "sensitivity" / "rankings.json").exists()
        before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
        assert 5 <= len(before) < 20
        again = Cut()
        result = run_sensitivity(study, tmp_path, watcher=again, threads=2)
        assert result == run_sensitivity(study)
        assert all(path.stat().st_mtime_ns == when for path, when in before.items())
        assert cut.rows + again.rows == result.tables[0].matches
        assert kept_rankings(tmp_path) == [result]

    def test_what_is_there_is_not_played_again(self, tmp_path):
        run_sensitivity(asked(TWO), tmp_path)
        held, line = parts(tmp_path), Cut()
        other = run_sensitivity(asked(TWO, "decisions"), tmp_path, watcher=line)
        assert line.rows == 0
        assert other == run_sensitivity(asked(TWO, "decisions"))
        assert [one.outcome for one in kept_rankings(tmp_path)] == ["turns", "decisions"]
        more = run_sensitivity(asked(TWO, matches=40), tmp_path, watcher=line)
        assert line.rows == more.tables[0].points * 10
        assert more == run_sensitivity(asked(TWO, matches=40))
        assert held.items() <= parts(tmp_path).items()
        one = kept_rankings(tmp_path)
        assert [(own.outcome, own.deals) for own in one] == [("turns", 40), ("decisions", 30)]

    def test_other_winners_are_told_from_what_is_kept(self, tmp_path):
        study = asked({"hand_size": [3, 9]}, "another_winner", matches=8)
        assert run_sensitivity(study, tmp_path) == run_sensitivity(study)

    def test_intervals_without_ends_are_kept(self, tmp_path):
        study = asked({"action_points": [10, 30]}, matches=5)
        result = run_sensitivity(study, tmp_path)
        assert result.tables[0].dials[0].total.high == math.inf
        text = (tmp_path / "sensitivity" / "rankings.json").read_text("utf-8")
        assert "NaN" not in text
        assert "Infinity" not in text
        (kept,) = kept_rankings(tmp_path)
        assert repr(kept) == repr(result)

    def test_a_ranking_that_was_changed_is_named(self, tmp_path):
        run_sensitivity(asked(TWO), tmp_path)
        path = tmp_path / "sensitivity" / "rankings.json"
        path.write_text(path.read_text("utf-8").replace("turns", "turnz"), "utf-8")
        with pytest.raises(DataError, match=r"rankings\.json is damaged"):
            kept_rankings(tmp_path)

    def test_the_report_of_the_study_shows_it(self, tmp_path):
        study = asked(TWO)
        result = run_sensitivity(study, tmp_path)
        run_study(study, tmp_path, threads=1)  # the directory is the study's all the same
        report = build(tmp_path)
        (section,) = (one for one in report.sections if one.name == "sensitivity")
        assert section.sentences[0].startswith("turns, line-up four: Without any effect on")
        picture, grid = section.items
        assert [row[0] for row in grid.rows] == ["must_play", "action_points"]
        assert picture.draw(False).marks
        told = report.numbers["sensitivity"][0]
        assert told["tables"][0]["dials"][0]["total"]["estimate"] == pytest.approx(
            result.tables[0].dials[0].total.estimate
        )


REFUSED = {
    "nothing": ({}, "no option or parameter is given"),
    "players": ({"players": [2, 4]}, "tables of other sizes"),
    "a range turned round": ({"hand_size": [9, 3]}, "the smaller one first"),
    "one level": ({"hand_size": [3]}, "two or more, each once"),
    "a level twice": ({"must_play": [True, True]}, "two or more, each once"),
    "out of bounds": ({"hand_size": [0, 99]}, "hand_size = '0' is refused"),
    "unknown option": ({"hand_sise": [3, 9]}, "did you mean 'hand_size'"),
    "unknown policy": ({"randm.x": [3, 9]}, "did you mean 'random'"),
    "unknown parameter": ({"saver.card": [3, 9]}, "did you mean 'cards'"),
    "nobody's parameter": ({"saver.cards": [0, 9]}, "changes no seat"),
    "also an option": ({"rounds": [1, 3]}, "stands under options, too"),
    "unknown outcome": ({"outcome": "turn", "hand_size": [3, 9]}, "did you mean 'turns'"),
    "of a stranger": ({"outcome": "score.saver", "hand_size": [3, 9]}, "known: random"),
    "few samples": ({"samples": 2, "hand_size": [3, 9]}, "sensitivity.samples = 2"),
    "many points": ({"samples": 65_536, "hand_size": [3, 9], "skips": [0, 4]}, "at most 200,000"),
    "no list": ({"hand_size": 3}, "sensitivity.hand_size = 3"),
}


@pytest.mark.parametrize(("dials", "said"), REFUSED.values(), ids=REFUSED)
def test_refused(dials, said):
    with pytest.raises(InputError) as error:
        run_sensitivity(asked(dials))
    assert said in str(error.value)


def test_what_is_missing_is_refused():
    with pytest.raises(InputError, match="study key sensitivity is missing"):
        run_sensitivity(check_study(SMALL))
    with pytest.raises(InputError, match=r"sensitivity\.outcome is missing"):
        check_study({**SMALL, "sensitivity": {"hand_size": [3, 9]}})
    with pytest.raises(InputError, match="matches = 2 is refused"):
        run_sensitivity(asked({"hand_size": [3, 9]}, matches=2))


def test_dials_are_read_as_they_are_meant():
    ranges = {
        "hand_size": [3, 5],
        "wilds": [0, 4, 8],
        "rounds": ["none", 1],
        "notice_uno": [0, 0.5],
        "draw": ["one", "until_playable"],
        "saver.cards": [0, 20],
    }
    dials = {dial.name: dial for dial in dials_of(ranges, UNO, {})}
    assert dials["hand_size"].levels == (3, 4, 5)
    assert [dials["hand_size"].at(place) for place in (0, 0.34, 0.999)] == [3, 4, 5]
    assert dials["wilds"].levels == (0, 4, 8)
    assert dials["rounds"].levels == (None, 1)
    assert dials["notice_uno"].at(0.5) == 0.25
    assert dials["saver.cards"].at(1 / 3) == 6.66667
    assert [dial.words for dial in dials.values()] == [
        "3…5", "0, 4, 8", "none, 1", "0…0.5", "one, until_playable", "0…20",
    ]  # fmt: skip
    assert Dial("x", (1, 2)).words == "1, 2"
