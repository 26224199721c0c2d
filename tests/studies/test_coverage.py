"""Every interval type on known truths: two-sided 95 % within Monte-Carlo error.

The thresholds are four standard errors of a share of 0.95 in the number of simulated studies.
Strengths, payoffs, Nash averages and max-T have theirs beside their other tests.
"""

import math

import numpy as np
import pytest

from studies.compare.coupling_floor import Overlap
from studies.stats.intervals import (
    Moments,
    clustered_mean,
    clustered_share,
    equivalence_p,
    newcombe,
    tango,
    wilson,
)
from studies.stats.rare import Changes, change_equivalence_p
from studies.stats.signflip import SignFlip, sign_flip_p

RUNS = 2000


def spread(share, runs):
    return 4 * math.sqrt(share * (1 - share) / runs)


def covers(intervals, truth):
    found = [interval.low <= truth <= interval.high for interval in intervals]
    return sum(found) / len(found)


def holds(intervals, truth, level=0.95):
    return abs(covers(intervals, truth) - level) < spread(level, len(intervals))


@pytest.mark.parametrize("share", [0.03, 0.25, 0.6])
def test_wilson(share):
    seen = np.random.default_rng(1).binomial(2000, share, RUNS)
    assert holds([wilson(int(count), 2000) for count in seen], share)
    assert holds([wilson(int(count), 2000, 0.8) for count in seen], share, 0.8)


@pytest.mark.parametrize("method", [newcombe, tango])
@pytest.mark.parametrize(
    "chances", [(0.15, 0.05, 0.07, 0.73), (0.02, 0.2, 0.25, 0.53), (0.4, 0.01, 0.03, 0.56)]
)
def test_paired_proportions(method, chances):
    tables = np.random.default_rng(2).multinomial(1000, chances, RUNS // 2)
    assert holds([method(*map(int, table)) for table in tables], chances[1] - chances[2])


def rotated(generator, runs, deals=300, rotations=4):
    """Return dependent rare events: (runs, deals, rotations), of share 0.2."""
    chance = generator.beta(0.6, 2.4, size=(runs, deals, 1))
    return generator.random((runs, deals, rotations)) < chance


def test_share_of_dependent_matches():
    seen = rotated(np.random.default_rng(3), RUNS)
    assert holds([clustered_share(Moments.of(run.mean(axis=1)), 4) for run in seen], 0.2)


def test_paired_change_of_a_mean():
    generator = np.random.default_rng(4)
    strong = generator.normal(size=(RUNS, 200, 1))
    before = np.rint(60 + 20 * strong + generator.exponential(15, (RUNS, 200, 4)))
    after = np.rint(62 + 20 * strong + generator.exponential(15, (RUNS, 200, 4)))
    change = (after - before).sum(axis=2) / 4
    assert holds([clustered_mean(Moments.of(run)) for run in change], 2.0)


def test_paired_change_of_a_win_share():
    """Shares of wins of one seat in four, won with a chance that the deal and the variant set."""
    generator = np.random.default_rng(5)
    chance = generator.beta(2, 6, size=(RUNS, 300, 1))
    before = generator.random((RUNS, 300, 4)) < chance
    after = generator.random((RUNS, 300, 4)) < chance + 0.04 * (1 - chance)
    change = (1.0 * after - before).mean(axis=2)
    truth = 0.04 * (1 - 0.25)
    assert holds([clustered_mean(Moments.of(run), bound=1.0) for run in change], truth)


class TestOverlap:
    """Winners of three with and without a variant, in two rotations."""

    def found(self, before, after, runs=400, deals=500):
        generator = np.random.default_rng(6)
        results = []
        for _ in range(runs):
            sides = []
            luck = generator.random((deals, 1))
            for chances in (before, after):
                # Rotations share their luck in half of the deals.
                own = np.where(luck < 0.5, luck * 2, generator.random((deals, 2)))
                sides.append(1 << np.searchsorted(np.cumsum(chances)[:-1], own))
            overlap = Overlap(3, 2)
            overlap.add(7, *sides)
            results.append(overlap.describe(0.95))
        return results

    def test_independent_value(self):
        found = self.found((0.5, 0.3, 0.2), (0.2, 0.3, 0.5))
        assert holds([independent for _, independent in found], 1 - 0.29)

    def test_independent_value_where_all_win_equally_often(self):
        found = self.found((1 / 3, 1 / 3, 1 / 3), (1 / 3, 1 / 3, 1 / 3))
        assert covers([independent for _, independent in found], 2 / 3) > 0.95 - spread(0.95, 400)

    def test_nothing_seen_to_differ_is_not_certain(self):
        overlap = Overlap(3, 1)
        winners = np.array([1, 2, 4, 1])[:, None]
        overlap.add(0, winners, winners)
        floor, _ = overlap.describe(0.95, 0.6)
        assert (floor.estimate, floor.low, floor.high) == (0, 0, 0.6)

    @pytest.mark.parametrize("deals", [4, 5, 8])
    def test_few_deals_are_as_wide_as_their_cluster_robust_error(self, deals):
        """With the variant seat 0 always wins, so that the value is its losses without."""
        before = np.where(np.arange(deals) < deals // 2, 1, 2)[:, None]
        overlap = Overlap(2, 1)
        overlap.add(0, before, np.ones_like(before))
        _, independent = overlap.describe(0.8)
        lost = (before == 2).astype(float)
        error = math.sqrt(lost.var(ddof=1) / deals)
        assert independent.estimate == pytest.approx(lost.mean())
        assert independent.high - independent.estimate == pytest.approx(1.2816 * error, rel=0.06)

    @pytest.mark.parametrize("after", [(0.2, 0.3, 0.5), (0.5, 0.3, 0.2), (0.48, 0.32, 0.2)])
    def test_floor_errs_to_the_safe_side(self, after):
        found = self.found((0.5, 0.3, 0.2), after)
        truth = sum(abs(p - q) for p, q in zip((0.5, 0.3, 0.2), after, strict=True)) / 2
        assert covers([floor for floor, _ in found], truth) > 0.95 - spread(0.95, 400)


class TestTests:
    def test_sign_flips_err_as_often_as_promised(self):
        generator = np.random.default_rng(7)
        small = np.rint(generator.standard_t(3, size=(RUNS, 40)) * 4)
        large = np.rint(generator.standard_t(3, size=(RUNS, 1000)) * 4)
        for values in (small, large):
            erred = np.mean([sign_flip_p(run) <= 0.05 for run in values])
            assert abs(erred - 0.05) < spread(0.05, RUNS)

    def test_sign_flips_err_so_with_skewed_differences_of_mean_0(self):
        values = np.random.default_rng(8).exponential(10, size=(RUNS, 2000)) - 10
        erred = 0
        for run in values:
            test = SignFlip()
            test.add(run)
            erred += test.p() <= 0.05
        assert abs(erred / RUNS - 0.05) < spread(0.05, RUNS)

    def test_equivalence_errs_as_often_as_promised_at_the_margin(self):
        values = np.random.default_rng(9).normal(0.5, 2, size=(RUNS, 300))
        erred = np.mean([equivalence_p(Moments.of(run), 0.5) <= 0.05 for run in values])
        assert abs(erred - 0.05) < spread(0.05, RUNS)

    def test_equivalence_is_found_within_the_margin(self):
        values = np.random.default_rng(10).normal(0.0, 2, size=(200, 300))
        assert np.mean([equivalence_p(Moments.of(run), 0.5) <= 0.05 for run in values]) > 0.95

    def test_equivalence_is_the_90_percent_interval_in_the_margin(self):
        values = np.random.default_rng(11).normal(0.2, 2, size=(200, 100))
        for run in values:
            deals = Moments.of(run)
            interval = clustered_mean(deals, 0.9)
            inside = interval.low > -0.5 and interval.high < 0.5
            assert inside == (equivalence_p(deals, 0.5) < 0.05)

    def test_equivalence_of_what_never_changed(self):
        zeros = Changes.of(np.zeros(100))
        assert change_equivalence_p(zeros, 0.02, bound=1.0) == pytest.approx(0.98**100)
        assert change_equivalence_p(zeros, 0.02, bound=0.5) == pytest.approx(0.96**100)
        assert equivalence_p(Moments.of(np.zeros(100)), 0.02) == 1 / 101
        assert change_equivalence_p(Changes.of([0.0]), 0.02, bound=1.0) == 1
