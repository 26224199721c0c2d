"""How many deals a study needs: against known variances, and whether studies of so many hold it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from studies.compare.effects import compare
from studies.design.cells import expand
from studies.run import planning
from studies.run.estimate import Estimate
from studies.run.pairings import DEALS, LARGER, ROTATION, SHARED, pairings
from studies.run.pilot import Subject
from studies.run.planning import Target, needs
from studies.stats.sample_size import (
    FEWEST,
    deals_for_power,
    deals_for_width,
    half_width_at,
    jackknifed,
    power_at,
    spread,
)
from tests.studies.conftest import study
from tests.studies.planted import plant, winners_by

TWO = {
    "options": {"players": 2, "rounds": 2},
    "lineups": [{"name": "pair", "seats": ["greedy", "random"]}],
    "variants": {"dirty": {"dirty_one": "always"}},
}


@pytest.fixture(autouse=True)
def _nothing_is_timed(monkeypatch):
    """What it costs is told by trials, which play."""

    def cost(asked, cells, directory, threads):  # noqa: ARG001
        rows = asked.matches * sum(cell.rotations for cell in cells)
        return Estimate({}, rows, 0, rows, 1, 1.0, {cell.id: 0.5 for cell in cells}, 1.0, rows)

    monkeypatch.setattr(planning, "estimate", cost)


def planned(directory, target, **changes):
    asked = study(**changes)
    return needs(asked, expand(asked), target, deals=0, threads=1, rows=directory)


def moved(seed, before=0.5, again=0.4, after=0.5):
    """Seat 0 wins with this chance; with the variant a share of the matches is drawn anew."""

    def rows(cell, columns):
        shape = columns["winners"].shape
        own = winners_by([before, 1 - before], shape, seed)
        if cell.variant != "baseline":
            anew = np.random.default_rng([seed, 1]).random(shape) < again
            own = np.where(anew, winners_by([after, 1 - after], shape, [seed, 2]), own)
        columns["winners"] = own.astype(np.uint16)

    return rows


class TestNumbers:
    """Against the textbook, and another program."""

    def test_width_of_a_share(self):
        assert deals_for_width(0.25, 0.01) == pytest.approx(1.96**2 * 0.25 / 0.01**2, rel=1e-3)
        assert half_width_at(0.25, deals_for_width(0.25, 0.01)) == pytest.approx(0.01, rel=1e-3)

    @pytest.mark.parametrize("amount", [0.05, 0.1, 0.3])
    @pytest.mark.parametrize("power", [0.8, 0.95])
    @pytest.mark.parametrize("error", [0.05, 0.001])
    def test_power_is_that_of_statsmodels(self, amount, power, error):
        wanted = TTestPower().solve_power(effect_size=amount, alpha=error, power=power)
        found = deals_for_power(1.0, amount, error, power)
        assert found == pytest.approx(wanted, rel=0.01, abs=2)
        assert power_at(1.0, amount, found, error) == pytest.approx(power, abs=0.01)

    def test_few_are_never_planned(self):
        assert deals_for_width(1e-9, 1.0) == FEWEST
        assert deals_for_width(math.inf, 1.0) == math.inf

    @pytest.mark.parametrize(
        ("draw", "variance"),
        [
            (lambda rng: rng.normal(0, 2, 400), 4.0),
            (lambda rng: (rng.random(400) < 0.5).astype(float), 0.25),
            (lambda rng: np.where(rng.random(400) < 0.05, rng.choice([-1, 1], 400), 0.0), 0.05),
            (lambda rng: rng.exponential(1.0, 400), 1.0),
        ],
        ids=["normal", "share", "rare changes", "skewed"],
    )
    def test_bounds_of_a_variance_hold(self, draw, variance):
        rng = np.random.default_rng(4)
        found = [spread(draw(rng)).variance for _ in range(600)]
        held = np.mean([one.low <= variance <= one.high for one in found])
        assert 0.90 <= held <= 1.0

    def test_nothing_seen_leaves_room(self):
        found = spread(np.zeros(400), bound=1.0)
        assert not found.is_shown
        assert found.variance.high == pytest.approx(3.7 / 400, rel=0.02)
        assert spread(np.zeros(400)).variance.high == math.inf

    def test_jackknife_covers_a_ratio_of_variances(self):
        rng = np.random.default_rng(9)
        hits = 0
        for _ in range(300):
            one, other = rng.normal(0, 1, 400), rng.normal(0, 2, 400)
            found = jackknifed(
                lambda kept, one=one, other=other: float(one[kept].var() / other[kept].var()), 400
            )
            hits += found.low <= 0.25 <= found.high
        assert 0.90 <= hits / 300 <= 0.99


class TestNeeds:
    """From planted rows of known variance."""

    def test_another_winner_from_its_share(self, tmp_path):
        directory = plant(tmp_path / "pilot", 4_000, moved(1), **TWO)
        found = planned(directory, Target("another_winner", 0.02, detect=False), **TWO)
        (cell,) = found.cells
        assert (cell.of, cell.family, found.pilot) == ("", 1, 4_000)
        # Half of the 40 % that are drawn anew.
        wanted = 1.96**2 * 0.2 * 0.8 / 0.02**2
        assert found.deals.estimate == pytest.approx(wanted, rel=0.05)
        assert found.deals.low < wanted < found.deals.high

    def test_a_change_is_corrected_as_compare_does(self, tmp_path):
        directory = plant(tmp_path / "pilot", 5_000, moved(1), **TWO)
        found = planned(directory, Target("win_share", 0.02, detect=True, power=0.9), **TWO)
        (cell,) = found.cells
        assert cell.family == compare(directory).tests_of_variants == 4
        wanted = TTestPower().solve_power(0.02 / math.sqrt(0.2), alpha=0.05 / 4, power=0.9)
        assert cell.deals.estimate == pytest.approx(wanted, rel=0.06)
        assert found.cost.rows_wanted == 2 * found.deals.estimate

    def test_power_and_width_now_are_those_of_the_study(self, tmp_path):
        directory = plant(tmp_path / "pilot", 5_000, moved(1), **TWO)
        change = compare(directory).variants[0].policies[0].win_share.change
        found = planned(directory, Target("win_share", 0.01, detect=False), matches=5_000, **TWO)
        half = (change.high - change.low) / 2
        assert found.cells[0].half_width == pytest.approx(half, rel=0.01)

    def test_scores_are_those_that_compare_tells(self, tmp_path):
        directory = plant(tmp_path / "pilot", 1_000, moved(1), **TWO)
        for own in compare(directory).variants[0].policies:
            half = (own.score.change.high - own.score.change.low) / 2
        found = planned(directory, Target("score", half, detect=False), **TWO)
        assert found.deals.estimate == pytest.approx(1_000, rel=0.01)

    def test_metric(self, tmp_path):
        def rows(cell, columns):
            shape = columns["plays"].shape
            columns["plays"] = np.random.default_rng(len(cell.variant)).normal(100, 10, shape)

        directory = plant(tmp_path / "pilot", 2_000, rows, **TWO)
        found = planned(directory, Target("plays", 1.0, detect=False), **TWO)
        assert found.deals.estimate == pytest.approx(1.96**2 * 200, rel=0.1)

    def test_aborted_matches_say_nothing_of_shares(self, tmp_path):
        def rows(cell, columns):
            moved(1)(cell, columns)
            rng = np.random.default_rng(len(cell.variant))
            columns["aborted"] = rng.random(columns["aborted"].shape) < 0.2

        directory = plant(tmp_path / "pilot", 3_000, rows, **TWO)
        change = compare(directory).variants[0].policies[0].win_share.change
        half = (change.high - change.low) / 2
        found = planned(directory, Target("win_share", half, detect=False), **TWO)
        assert found.deals.estimate == pytest.approx(3_000, rel=0.01)

    def test_without_variants_policies_are_told_apart(self, tmp_path):
        alone = {**TWO, "variants": {}}
        directory = plant(tmp_path / "pilot", 2_000, moved(1), **alone)
        found = planned(directory, Target("win_share", 0.05, detect=True), **alone)
        assert found.cells[0].of == "greedy - random"
        assert found.cells[0].spread.variance.estimate == pytest.approx(1.0, rel=0.01)
        found = planned(directory, Target("win_share", 0.05, detect=False), **alone)
        assert found.cells[0].spread.variance.estimate == pytest.approx(0.25, rel=0.01)

    def test_controls_and_rare_changes(self, tmp_path):
        changes = {**TWO, "variants": {"same": {}, "dirty": {"dirty_one": "always"}}}
        directory = plant(tmp_path / "pilot", 400, moved(1, again=0.0), **changes)
        found = planned(directory, Target("win_share", 0.01, detect=True), **changes)
        assert [one.cell.variant for one in found.cells] == ["dirty"]
        (cell,) = found.cells
        assert cell.deals.low == FEWEST
        assert cell.deals.estimate == cell.deals.high > 300
        assert found.pairings == [] or all(one.name == SHARED for one in found.pairings)

    def test_what_cannot_be_told_is_refused(self, tmp_path):
        alone = {**TWO, "variants": {}}
        directory = plant(tmp_path / "pilot", 100, moved(1), **alone)
        with pytest.raises(ValueError, match="no variant"):
            planned(directory, Target("another_winner", 0.01, detect=False), **alone)
        with pytest.raises(ValueError, match="says nothing of plays"):
            planned(directory, Target("plays", 0.01, detect=False), **alone)
        with pytest.raises(ValueError, match="it takes"):
            planned(directory, Target("win_share", 1e-9, detect=False), **alone)


class TestHeld:
    """A study of as many deals as were planned is as sharp as was asked."""

    def width(self, tmp_path, seed, half):
        pilot = plant(tmp_path / f"pilot{seed}", 400, moved(seed), **TWO)
        found = planned(pilot, Target("win_share", half, detect=False), **TWO)
        deals = int(found.deals.estimate)
        played = plant(tmp_path / f"study{seed}", deals, moved(10_000 + seed), **TWO)
        change = compare(played).variants[0].policies[0].win_share.change
        # Half of the 40 % that are drawn anew are won by another.
        held = found.deals.low <= deals_for_width(0.2, half) <= found.deals.high
        return (change.high - change.low) / 2 / half, held

    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_half_width(self, tmp_path, seed):
        width, _ = self.width(tmp_path, seed, 0.02)
        assert width == pytest.approx(1, abs=0.15)

    @pytest.mark.long
    def test_fifty_studies(self, tmp_path):
        widths, held, found = [], 0, 0
        for seed in range(50):
            width, holds = self.width(tmp_path, seed, 0.02)
            widths.append(width)
            held += holds
            # The truth is a change of 4 points: 0.4 × (0.6 - 0.5).
            pilot = plant(tmp_path / f"p{seed}", 400, moved(seed, after=0.6), **TWO)
            need = planned(pilot, Target("win_share", 0.04, detect=True), **TWO)
            rows = moved(20_000 + seed, after=0.6)
            played = plant(tmp_path / f"s{seed}", int(need.deals.estimate), rows, **TWO)
            change = compare(played).variants[0].policies[0].win_share
            found += change.p_holm <= 0.05
        assert np.mean(widths) == pytest.approx(1, abs=0.03)
        assert 0.8 < min(widths) < max(widths) < 1.25
        assert held >= 43  # bounds of level 0.95: above the 1 % point of a binomial of 50
        assert 33 <= found <= 47  # power 0.8: between the 0.5 % points of a binomial of 50


def subject(rng, deals, size, shared, rotation=0.0):
    """Normal values, of which a share of the variance is that of the baseline, or of the deal."""

    def draw():
        own = rng.normal(size=(deals, size))
        return math.sqrt(1 - rotation) * own + math.sqrt(rotation) * rng.normal(size=(deals, 1))

    before = draw()
    return Subject("", before, shared * before + math.sqrt(1 - shared**2) * draw(), None)


class TestPairings:
    """Ratios that are known."""

    def of(self, found, name):
        return next(one for one in found if one.name == name)

    def test_what_is_shared_saves(self):
        rng = np.random.default_rng(2)
        own = [subject(rng, 4_000, 1, shared=0.8) for _ in range(3)]
        found = pairings({("a", ""): own}, [], {}, "stock")
        assert [one.name for one in found] == [DEALS, SHARED, LARGER]
        same = self.of(found, DEALS).ratio
        assert same.low < 0.2 < same.high
        assert same.high - same.low < 0.05
        assert self.of(found, SHARED).ratio.estimate == pytest.approx(4 / 6)
        # A = 1 - 0.64, B = 0.04, k = 3: N = n is best, as k B < A.
        assert self.of(found, LARGER).ratio.estimate == 1

    def test_a_larger_baseline_saves_where_little_is_shared(self):
        rng = np.random.default_rng(3)
        own = [subject(rng, 4_000, 1, shared=0.2) for _ in range(5)]
        larger = self.of(pairings({("a", ""): own}, [], {}, "stock"), LARGER)
        first, second = 1 - 0.04, 0.64
        wanted = (math.sqrt(5 * first) + math.sqrt(second)) ** 2 / (6 * (first + second))
        assert larger.ratio.low < wanted < larger.ratio.high
        assert wanted < 0.95
        assert not larger.used

    @pytest.mark.parametrize("correlation", [0.0, 0.5])
    def test_rotation(self, correlation):
        rng = np.random.default_rng(5)
        own = subject(rng, 4_000, 3, shared=0.0, rotation=correlation)
        ratio = self.of(pairings({}, [(own, 3)], {}, "stock"), ROTATION).ratio
        assert ratio.low < 1 + 2 * correlation < ratio.high

    def test_couplings(self):
        rng = np.random.default_rng(6)
        seat, stock = (subject(rng, 4_000, 1, shared=s) for s in (0.8, 0.6))
        found = pairings({("a", ""): [seat]}, [], {"seat": [seat], "stock": [stock]}, "seat")
        coupling = self.of(found, "coupling")
        assert coupling.used
        assert coupling.ratio.low < 0.5 < coupling.ratio.high
