import math

import numpy as np
import pytest
from scipy.stats import t as student
from scipy.stats import tukey_hsd

from studies.stats.groups import GROUPS, GroupCounts, group_of, group_sums
from studies.stats.simultaneous import critical_value, critical_values, step_down_p, t_values


class TestMaxT:
    def test_one_mean_is_a_t_interval(self):
        values = np.random.default_rng(1).normal(size=(40, 1))
        assert critical_value(values, 0.9) == pytest.approx(student.ppf(0.95, 39))

    def test_t_is_that_of_the_mean(self):
        values = np.random.default_rng(2).normal(0.3, 1, size=(30, 3))
        expected = values.mean(axis=0) / (values.std(axis=0, ddof=1) / math.sqrt(30))
        assert t_values(values) == pytest.approx(expected)

    def test_independent_means_need_sidak(self):
        values = np.random.default_rng(3).normal(size=(1000, 20))
        sidak = student.ppf(0.5 + 0.5 * 0.95 ** (1 / 20), 999)
        assert critical_value(values, 0.95) == pytest.approx(sidak, abs=0.06)

    def test_pairwise_differences_need_what_tukey_says(self):
        generator = np.random.default_rng(4)
        values = generator.normal(size=(1000, 4))
        gaps = np.stack([values[:, i] - values[:, j] for i in range(4) for j in range(i)], axis=1)
        interval = tukey_hsd(*values.T).confidence_interval(0.95)
        pooled = math.sqrt(2 * values.var(axis=0, ddof=1).mean() / 1000)
        tukey = (interval.high - interval.low)[0, 1] / 2 / pooled
        assert critical_value(gaps, 0.95) == pytest.approx(tukey, abs=0.06)

    def test_the_same_mean_twice_costs_nothing(self):
        values = np.random.default_rng(5).normal(size=(200, 1))
        single = student.ppf(0.975, 199)
        assert critical_value(np.hstack([values, -values]), 0.95) == pytest.approx(single, abs=0.06)

    def test_is_never_below_that_of_a_single_mean(self):
        for seed in range(20):
            values = np.random.default_rng(seed).normal(size=(30, 1))
            assert critical_value(np.hstack([values, values]), 0.95) >= student.ppf(0.975, 29)

    def test_several_families_at_once_are_each_as_if_alone(self):
        generator = np.random.default_rng(7)
        families = [generator.normal(size=shape) for shape in ((60, 2), (60, 5), (50, 3), (60, 1))]
        families.append(np.ones((1, 2)))
        alone = [critical_value(family, 0.95) for family in families]
        assert critical_values(families, 0.95) == pytest.approx(alone, rel=1e-5)

    def test_one_group_tells_nothing(self):
        assert critical_value(np.ones((1, 2)), 0.95) == math.inf
        assert step_down_p(np.ones((1, 2))) == [1, 1]

    def test_covers_all_at_once(self):
        generator = np.random.default_rng(6)
        runs, covered = 400, 0
        mixing = generator.normal(size=(6, 6))
        truth = np.arange(6) / 7
        for _ in range(runs):
            values = truth + generator.standard_exponential((60, 6)) @ mixing - mixing.sum(axis=0)
            centred = values - values.mean(axis=0)
            error = values.std(axis=0, ddof=1) / math.sqrt(60)
            off = np.abs(values.mean(axis=0) - truth) / error
            covered += off.max() <= critical_value(centred, 0.95)
        assert abs(covered / runs - 0.95) < 4 * math.sqrt(0.05 * 0.95 / runs)


class TestStepDown:
    def test_is_ordered_and_never_below_the_single_test(self):
        values = np.random.default_rng(7).normal([0, 0.2, 0.5, 1, 0], 1, size=(60, 5))
        corrected = np.array(step_down_p(values))
        seen = np.abs(t_values(values))
        assert (np.diff(corrected[np.argsort(-seen)]) >= 0).all()
        assert (corrected >= 2 * student.sf(seen, 59) - 0.01).all()
        assert corrected[3] == pytest.approx(1e-4)

    def test_of_one_mean_is_the_sign_flip_test(self):
        from studies.stats.signflip import sign_flip_p

        values = np.random.default_rng(8).normal(0.3, 1, size=(40, 1))
        assert step_down_p(values)[0] == pytest.approx(sign_flip_p(values[:, 0]), abs=0.02)

    def test_errs_in_the_family_as_often_as_promised(self):
        generator = np.random.default_rng(9)
        runs, erred = 400, 0
        for _ in range(runs):
            common = generator.normal(size=(50, 1))
            values = generator.standard_t(4, size=(50, 5)) + common
            values[:, 0] += 3  # one real effect takes nothing from the others
            erred += min(step_down_p(values)[1:]) < 0.05
        assert abs(erred / runs - 0.05) < 4 * math.sqrt(0.05 * 0.95 / runs)

    def test_a_weak_effect_beside_huge_ones_is_tested_as_if_alone(self):
        from studies.stats.signflip import sign_flip_p

        values = np.random.default_rng(12).normal(size=(200, 13))
        values[:, 1:] += 5
        values[:, 0] += 0.18 - values[:, 0].mean()
        alone = sign_flip_p(values[:, 0])
        assert 0.005 < alone < 0.03
        corrected = step_down_p(values)
        assert corrected[0] == pytest.approx(alone, abs=0.004)
        assert corrected[1:] == [pytest.approx(1e-4)] * 12

    def test_nothing_changed_is_no_evidence(self):
        values = np.zeros((50, 2))
        values[:, 1] = np.random.default_rng(10).normal(5, 1, 50)
        assert step_down_p(values) == [1, pytest.approx(1e-4)]


class TestGroups:
    @pytest.mark.parametrize(
        ("first", "count"), [(0, 5), (3, 2000), (1000, 30), (1020, 5000), (7, 0)]
    )
    def test_sums_by_group(self, first, count):
        values = np.random.default_rng(count).normal(size=count)
        expected = np.zeros(GROUPS)
        np.add.at(expected, (first + np.arange(count)) % GROUPS, values)
        assert group_sums(first, values) == pytest.approx(expected)

    def test_counts_by_group_and_kind(self):
        generator = np.random.default_rng(11)
        counts = GroupCounts(1000)
        seen = np.zeros((GROUPS, 1000), dtype=int)
        for first in (0, 400, 1300):
            groups, kinds = group_of(first, 300), generator.integers(0, 1000, 300)
            counts.add(groups, kinds)
            np.add.at(seen, (groups, kinds), 1)
        assert (counts.aligned(range(1000)) == seen).all()
        assert counts.table.sum() == 900
        assert len(counts.columns) == (seen.sum(axis=0) > 0).sum()
