import math

import numpy as np
import pytest
from scipy.stats import binom, binomtest
from statsmodels.api import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from studies.stats.intervals import (
    Moments,
    clustered_mean,
    clustered_p,
    clustered_share,
    exact_limits,
    finite,
    holm,
    mcnemar_p,
    mid_p_limits,
    newcombe,
    share_at,
    tango,
    wilson,
)


class TestWilson:
    @pytest.mark.parametrize(("successes", "trials"), [(0, 20), (20, 20), (3, 17), (400, 1000)])
    def test_agrees_with_scipy(self, successes, trials):
        ours = wilson(successes, trials)
        theirs = binomtest(successes, trials).proportion_ci(0.95, method="wilson")
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)

    def test_nothing_seen_is_no_knowledge(self):
        assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)


class TestFewEvents:
    @pytest.mark.parametrize("events", [0, 1, 4, 9, 991, 1000])
    def test_few_are_clopper_and_pearson(self, events):
        """Or few without one; recomputed with scipy."""
        theirs = binomtest(events, 1000).proportion_ci(0.95, method="exact")
        for ours in (
            share_at(events / 1000, 1000),
            clustered_share(Moments.of(np.arange(1000) < events), 1),
        ):
            assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)

    @pytest.mark.parametrize("events", [10, 500, 990])
    def test_more_are_wilson(self, events):
        ours, theirs = share_at(events / 1000, 1000, 0.9), wilson(events, 1000, 0.9)
        assert (ours.low, ours.high) == (theirs.low, theirs.high)

    @pytest.mark.parametrize(("events", "trials"), [(0, 50), (3, 50), (7, 8), (8, 8)])
    def test_mid_p_counts_half_of_what_was_seen(self, events, trials):
        low, high = mid_p_limits(events, trials, 0.025)
        if events:
            assert binom.sf(events, trials, low) + binom.pmf(
                events, trials, low
            ) / 2 == pytest.approx(0.025)
        if events < trials:
            assert binom.cdf(events - 1, trials, high) + binom.pmf(
                events, trials, high
            ) / 2 == pytest.approx(0.025)
        assert (low == 0, high == 1) == (events == 0, events == trials)

    def test_effective_numbers_need_not_be_whole(self):
        one, two, three = (exact_limits(events, 90.5, 0.05) for events in (2, 2.4, 3))
        assert one[0] < two[0] < three[0]
        assert one[1] < two[1] < three[1]


class TestPairedProportions:
    # Airway hyper-responsiveness (Bentur 2009) and complete response (Cavo 2012), in Fagerland,
    # Lydersen & Laake, Stat. Med. 33:2850 (2014) and the R package contingencytables; the third
    # is case b of Newcombe 1998.
    @pytest.mark.parametrize(
        ("table", "low", "high"),
        [
            ((1, 1, 7, 12), -0.507, -0.026),
            ((59, 6, 16, 80), -0.1186, -0.0046),
            ((36, 12, 2, 0), 0.0569, 0.3404),
        ],
    )
    def test_newcombe_method_10(self, table, low, high):
        found = newcombe(*table)
        assert found.estimate == (table[1] - table[2]) / sum(table)
        digits = len(str(low).partition(".")[2])
        assert (round(found.low, digits), round(found.high, digits)) == (low, high)

    def test_tango(self):
        found = tango(1, 1, 7, 12)
        assert (round(found.low, 3), round(found.high, 3)) == (-0.517, -0.026)

    def test_published_to_the_last_digit(self):
        # Cavo 2012, as the R package contingencytables 3.0 prints Tango's interval; exact McNemar
        # tests of both examples: Fagerland, Lydersen & Laake, BMC Med. Res. Methodol. 13:91 (2013).
        found = tango(59, 6, 16, 80)
        assert (round(found.low, 4), round(found.high, 4)) == (-0.1240, -0.0054)
        assert round(mcnemar_p(1, 7), 4) == 0.0703
        assert round(mcnemar_p(6, 16), 4) == 0.0525

    @pytest.mark.parametrize("interval", [newcombe, tango])
    def test_mirrored_by_exchanging_the_sides(self, interval):
        one, other = interval(20, 9, 3, 40), interval(20, 3, 9, 40)
        assert (one.low, one.high) == pytest.approx((-other.high, -other.low))

    @pytest.mark.parametrize("interval", [newcombe, tango])
    def test_no_discordant_pair_still_has_a_width(self, interval):
        found = interval(40, 0, 0, 60)
        assert found.low < 0 < found.high

    @pytest.mark.parametrize("pairs", [(0, 0), (3, 12), (40, 41)])
    def test_mcnemar_agrees_with_statsmodels(self, pairs):
        first, second = pairs
        theirs = mcnemar([[5, first], [second, 5]], exact=True).pvalue
        assert mcnemar_p(first, second) == pytest.approx(theirs)


class TestClusters:
    def test_mean_agrees_with_statsmodels_cluster_robust(self):
        generator = np.random.default_rng(1)
        deals, rotations = 40, 3
        values = generator.normal(size=(deals, rotations)) + generator.normal(size=(deals, 1))
        theirs = OLS(values.ravel(), np.ones(values.size)).fit(
            cov_type="cluster",
            cov_kwds={"groups": np.repeat(np.arange(deals), rotations)},
            use_t=True,
        )
        moments = Moments.of(values.mean(axis=1))
        ours = clustered_mean(moments)
        assert (ours.low, ours.high) == pytest.approx(tuple(theirs.conf_int()[0]))
        assert clustered_p(moments) == pytest.approx(float(theirs.pvalues[0]))

    def test_deals_that_are_all_alike_are_tested_by_their_signs(self):
        assert clustered_p(Moments.of(np.full(5, 0.3))) == 2 * 0.5**5
        assert 0 < clustered_p(Moments.of(np.full(5_000, 0.3))) < 1e-200

    def test_fewer_than_two_deals_have_no_interval(self):
        assert math.isnan(clustered_mean(Moments()).estimate)
        one = clustered_mean(Moments.of([0.3]))
        assert (one.estimate, one.low, one.high) == (0.3, -math.inf, math.inf)
        assert clustered_p(Moments.of([0.3])) == 1
        none = clustered_share(Moments(), 3)
        assert (none.low, none.high) == (0, 1)

    def test_moments_merge(self):
        values = np.random.default_rng(2).normal(1e6, 1, 1000)
        merged = Moments.of(values[:1]) + Moments.of(values[1:400]) + Moments.of(values[400:])
        whole = Moments.of(values)
        assert (merged.count, merged.mean) == (1000, pytest.approx(whole.mean))
        assert merged.squares == pytest.approx(whole.squares)

    def test_share_without_rotation_is_wilson(self):
        deals = Moments.of(np.repeat([1.0, 0.0], [30, 70]))
        ours, theirs = clustered_share(deals, 1), wilson(30, 100)
        assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))

    def test_identical_rotations_are_worth_one(self):
        deals = Moments.of(np.repeat([1.0, 0.0], [300, 700]))
        once, fourfold = clustered_share(deals, 1), clustered_share(deals, 4)
        assert fourfold.high - fourfold.low == pytest.approx(once.high - once.low, rel=1e-2)

    def test_share_holds_its_level_on_dependent_matches(self):
        generator = np.random.default_rng(3)
        runs, deals, rotations = 600, 150, 4
        chance = generator.beta(0.6, 2.4, size=(runs, deals, 1))  # mean 0.2, strongly dependent
        seen = generator.random((runs, deals, rotations)) < chance
        covered = naive = 0
        for run in seen:
            interval = clustered_share(Moments.of(run.mean(axis=1)), rotations)
            covered += interval.low <= 0.2 <= interval.high
            interval = wilson(int(run.sum()), run.size)
            naive += interval.low <= 0.2 <= interval.high
        spread = 4 * math.sqrt(0.05 * 0.95 / runs)
        assert abs(covered / runs - 0.95) < spread
        assert naive / runs < 0.95 - spread  # what counting matches as independent would give

    def test_nothing_ever_differed(self):
        zeros = Moments.of(np.zeros(1000))
        exact = binomtest(0, 1000).proportion_ci(0.95, method="exact")
        assert clustered_mean(zeros, bound=1.0).high == pytest.approx(exact.high)
        assert clustered_mean(zeros, bound=0.5).low == pytest.approx(-exact.high / 2)
        assert clustered_p(zeros) == 1


def test_holm_agrees_with_statsmodels():
    p_values = [0.01, 0.04, 0.03, 0.005, 0.6, 0.01]
    theirs = multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(list(theirs))
    assert holm([]) == []


def test_plain_data_has_null_where_there_is_no_number():
    told = finite({"kept": [Moments(2, math.nan, 0.5)], 3: (math.inf, 1, True, None, "x")})
    assert told == {
        "kept": [{"count": 2, "mean": None, "squares": 0.5}],
        3: [None, 1, True, None, "x"],
    }
