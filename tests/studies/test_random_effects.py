"""Random effects over tables: against statsmodels, and their intervals on known truths."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.meta_analysis import combine_effects

from studies.stats.random_effects import random_effects
from tests.studies.test_coverage import covers, holds

RUNS = 500


@pytest.mark.parametrize("tables", [3, 7, 20])
@pytest.mark.parametrize("tau", [0.0, 2.0])
def test_mean_and_spread_are_those_of_statsmodels(tables, tau):
    rng = np.random.default_rng([tables, int(tau)])
    variances = rng.uniform(0.1, 0.8, tables)
    seen = rng.normal(1, np.sqrt(tau**2 + variances))
    found = random_effects(seen, np.diag(variances), 0.9)
    other = combine_effects(
        seen, variances, method_re="iterated", use_t=True, atol=1e-9, maxiter=1000
    )
    assert found.spread.estimate**2 == pytest.approx(max(other.tau2, 0), abs=1e-6)
    assert found.mean.estimate == pytest.approx(other.mean_effect_re, rel=1e-6)
    _, of_errors, _, hartung_knapp = other.conf_int(alpha=0.1)
    wider = max((hartung_knapp, of_errors), key=np.ptp)
    assert (found.mean.low, found.mean.high) == pytest.approx(wider, rel=1e-5)


def drawn(tables, tau, together, runs=RUNS):
    """Yield summaries of planted tables with mean 3, and what another table has."""
    rng = np.random.default_rng([tables, int(10 * tau), int(10 * together)])
    for _ in range(runs):
        errors = rng.uniform(0.5, 1.2, tables)
        covariance = np.outer(errors, errors) * together
        covariance[np.diag_indices(tables)] = errors**2
        effects = rng.normal(3, tau, tables)
        seen = effects + np.linalg.cholesky(covariance) @ rng.normal(size=tables)
        yield random_effects(seen, covariance), rng.normal(3, tau)


@pytest.mark.parametrize("tables", [7, 20])
@pytest.mark.parametrize(("tau", "together"), [(3.0, 0.0), (3.0, 0.6), (1.5, 0.6)])
def test_intervals_cover_the_truth(tables, tau, together):
    found = list(drawn(tables, tau, together))
    assert holds([one.mean for one, _ in found], 3)
    assert holds([one.spread for one, _ in found], tau)
    predicted = sum(one.prediction.low <= new <= one.prediction.high for one, new in found)
    assert predicted / RUNS == pytest.approx(0.95, abs=0.035)


@pytest.mark.parametrize("tables", [7, 20])
def test_tables_that_do_not_differ(tables):
    found = [one for one, _ in drawn(tables, 0.0, 0.3)]
    assert covers([one.mean for one in found], 3) > 0.94
    assert covers([one.spread for one in found], 0) > 0.94


def test_errors_that_tables_share_widen_the_mean():
    seen = np.array([1.0, 1.2, 0.8, 1.1])
    apart = random_effects(seen, np.eye(4))
    tied = random_effects(seen, 0.2 * np.eye(4) + 0.8)
    assert tied.mean.high - tied.mean.low > apart.mean.high - apart.mean.low


def test_a_table_drawn_twice_tells_no_more_than_once():
    found = random_effects(np.array([2.0, 2.0]), np.ones((2, 2)))
    assert found.mean.high - found.mean.estimate == pytest.approx(stats.t.ppf(0.975, 1), rel=1e-4)
    assert found.spread.estimate == 0


def test_two_tables_and_tables_without_errors():
    two = random_effects(np.array([1.0, 3.0]), np.zeros((2, 2)))
    assert two.prediction is None
    assert two.mean.estimate == pytest.approx(2)
    assert two.spread.estimate == pytest.approx(2**0.5, rel=1e-6)
    same = random_effects(np.full(3, 2.0), np.zeros((3, 3)))
    assert (same.mean.low, same.mean.high, same.spread.high) == (2, 2, 0)
