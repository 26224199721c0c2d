"""Shares of decided matches as estimates: what they cover, and what few deals claim."""

import numpy as np
import pytest
from scipy import stats

from studies.compare.decided import FEW, Products, Ratio, change_of_ratios, ratio
from studies.compare.superlatives import Contestant, compared
from studies.stats.intervals import Moments, clustered_mean, wilson


def test_shares_of_two_variants_are_compared_on_the_same_deals():
    rng = np.random.default_rng(1)
    draws = rng.random((2, 300)) < [[0.1], [0.2]]
    one, other = Contestant(), Contestant()
    one.add(0, draws[0].astype(int), None, 1)
    other.add(0, draws[1].astype(int), None, 1)
    gap, p = compared(one, other, 0.95)
    deals = draws[0].astype(float) - draws[1]
    assert gap.estimate == pytest.approx(deals.mean())
    assert gap.high - gap.estimate == pytest.approx(1.9679 * deals.std(ddof=1) / 300**0.5, rel=1e-4)
    assert p < 0.05
    same, p = compared(one, one, 0.95)
    assert (same.estimate, p) == (0, 1)
    assert same.high > 0.01  # what no event in 300 deals allows


def drawn(rng, deals, lost, changed):
    """Return products of a policy that wins three matches in ten, aborted as it would win."""
    old = rng.random(deals) < 0.3
    new = np.where(rng.random(deals) < changed, rng.random(deals) < 0.3, old)
    aborted = new & (rng.random(deals) < lost / 0.3)
    sums = Products(4)
    sums.add(deals, old * 1, (new & ~aborted) * 1, None, aborted * 1)
    return sums, deals - int(aborted.sum())


@pytest.mark.parametrize(
    ("deals", "lost", "changed", "times"),
    [
        (200, 0.0002, 0.3, 400),
        (200, 0.01, 0.01, 400),
        (200, 0.25, 0.01, 400),
        (1000, 0.01, 0.3, 300),
        pytest.param(1000, 0.0002, 0.01, 4000, marks=pytest.mark.long),
        pytest.param(1000, 0.25, 0.01, 4000, marks=pytest.mark.long),
        pytest.param(5000, 0.0002, 0.01, 4000, marks=pytest.mark.long),
        pytest.param(5000, 0.01, 0.01, 4000, marks=pytest.mark.long),
        pytest.param(5000, 0.25, 0.3, 4000, marks=pytest.mark.long),
    ],
)
def test_changes_of_decided_shares_cover_the_truth(deals, lost, changed, times):
    rng = np.random.default_rng(deals + int(1e4 * lost))
    truth = (0.3 - lost) / (1 - lost) - 0.3
    held = 0
    for _ in range(times):
        sums, alive = drawn(rng, deals, lost, changed)
        _, moments = change_of_ratios(sums, 1, (deals, alive), 1, 1)
        interval = clustered_mean(moments, bound=1.0)
        held += interval.low <= truth <= interval.high
    slack = 4 * (0.95 * 0.05 / times) ** 0.5
    assert held / times > 0.945 - slack
    if changed > 0.1:
        assert held / times < 0.955 + slack


def test_few_decided_matches_claim_little():
    sums = Products(4)
    old, lost = np.zeros(100, int), np.zeros(100, int)
    old[:3] = 1  # three decided matches without the variant, all won by one policy
    missing = np.ones(100, int)
    missing[:3] = 0
    new = (np.arange(100) % 4 == 0) * 1
    sums.add(100, old, new, missing, lost)
    baseline, moments = change_of_ratios(sums, 1, (3, 100), 1, 1)
    assert (baseline, moments.count) == (1, 3)
    interval = clustered_mean(moments, bound=1.0)
    assert interval.estimate == pytest.approx(-0.75)
    assert interval.high > -0.75 + 0.5
    assert moments.count < FEW


def test_a_ratio_without_rotations_is_a_share_of_independent_matches():
    rng = np.random.default_rng(4)
    lost = rng.random(500) < 0.4
    part = (rng.random(500) < 0.2) & ~lost
    sums = Products(2)
    sums.add(500, part * 1, lost * 1)
    decided = int((~lost).sum())
    assert ratio(sums, 1, decided).share() == wilson(int(part.sum()), decided)


def test_effective_matches_are_no_more_than_were_decided_and_no_fewer_than_deals():
    for squares, effective in ((1e-6, 120), (12.5, 50), (50 * 0.25, 50), (6.0, 49 * 50 * 0.25 / 6)):
        assert Ratio(Moments(50, 0.5, squares), 120.0).effective == pytest.approx(effective)


def test_a_share_of_few_deals_reaches_as_far_as_its_exact_limits():
    limits = stats.binomtest(4, 10).proportion_ci(0.95, method="exact")
    told = clustered_mean(Ratio(Moments(10, 0.4, 1e-9), 10.0).mean())
    assert told.high - 0.4 == pytest.approx(max(limits.high - 0.4, 0.4 - limits.low))


def test_a_change_of_few_deals_reaches_as_far_as_its_two_shares_together():
    """Of two seats, on 12 deals of which one is not decided; per seat, so half as far."""
    old, new, lost = (np.zeros(12, dtype=int) for _ in range(3))
    old[:6], new[[0, 1, 2, 3, 4, 6]], lost[11] = 1, 1, 1
    sums = Products(4)
    sums.add(12, old, new, lost, lost)
    baseline, moments = change_of_ratios(sums, 1, [11, 11], 1, 2)
    limits = stats.binomtest(6, 11).proportion_ci(0.95, method="exact")
    reach = max(limits.high - 6 / 11, 6 / 11 - limits.low)
    told = clustered_mean(moments)
    assert (baseline, told.estimate) == pytest.approx((3 / 11, 0))
    assert told.high == pytest.approx(np.hypot(reach, reach) / 2)


def test_where_as_many_are_decided_variants_are_compared_by_the_signs_of_their_deals():
    one, other = Contestant(), Contestant()
    one.add(0, np.array([1, 1, 1, 1, 1, 1, 0, 0]), None, 1)
    other.add(0, np.array([0, 0, 0, 0, 0, 0, 1, 0]), None, 1)
    assert compared(one, other, 0.95)[1] == pytest.approx(2 * (1 + 7) / 2**7)
