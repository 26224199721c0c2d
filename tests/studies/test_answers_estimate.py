"""Estimates: arithmetic against leaving groups out; intervals that hold where few deals tell."""

import numpy as np
import pytest
from scipy import stats

from studies.answers.estimate import change, difference_interval, difference_p, mean, ratio, stack
from studies.answers.families import AtOnce, holm
from studies.answers.rare_events import mid_p_high, mid_p_low


def of(values, **said):
    values = np.atleast_2d(np.asarray(values, float))
    return ratio(values, np.ones_like(values), values.shape[1], **said)


def share(values):
    return of(values, low=0.0, high=1.0)


def covered(estimate, truth, level=0.95):
    low, high = estimate.interval(level)
    low, high = np.nan_to_num(low, nan=-np.inf), np.nan_to_num(high, nan=np.inf)
    return float(np.mean((low <= truth) & (truth <= high)))


def test_arithmetic_is_what_leaving_one_group_out_tells():
    rng = np.random.default_rng(3)
    parts, wholes = rng.normal(5, 1, (2, 400)), rng.integers(1, 9, (2, 400)).astype(float)
    one, two = (ratio(parts[k : k + 1], wholes[k : k + 1], 400) for k in (0, 1))

    def number(chosen):
        a, b = (parts[k, chosen].sum() / wholes[k, chosen].sum() for k in (0, 1))
        return (a - 2 * b) / (a * b) + 1

    found = (one - two * 2.0) / (one * two) + 1.0
    left = np.array([number(np.arange(400) != group) for group in range(400)])
    jackknife = np.sqrt(399 / 400 * np.square(left - left.mean()).sum())
    assert found.value[0] == pytest.approx(number(slice(None)), abs=1e-12)
    assert found.error[0] == pytest.approx(jackknife, rel=0.01)
    assert abs(found.influence.sum()) < 1e-12
    assert found.contribution.sum() == pytest.approx(found.value[0])


@pytest.mark.parametrize("events", [150, 300, 850])
def test_the_ends_of_a_share_are_those_that_a_score_test_just_allows(events):
    """E. B. Wilson's interval, here with 1,000 deals: of the share at the end, not the one seen."""
    low, high = share(np.arange(1_000) < events).interval()
    for end in (low[0], high[0]):
        spread = np.sqrt(end * (1 - end) / 1_000)
        assert abs(events / 1_000 - end) / spread == pytest.approx(1.96, rel=0.003)


def test_a_difference_tells_as_many_deals_as_the_side_that_has_fewer():
    few, many = share(np.arange(50) < 9), share(np.arange(80) < 20)
    wide = ratio(
        np.pad(few.contribution * 50, ((0, 0), (0, 30))),
        np.pad(np.ones((1, 50)), ((0, 0), (0, 30))),
        50,
    )
    assert (wide - many).deals.tolist() == (many - wide).deals.tolist() == [50]


def test_a_group_of_another_weight_is_a_step_though_its_rate_is_the_same():
    after = ratio([[1.0, 5.0]], [[1.0, 10.0]], 2)
    before = ratio([[4.0, 5.0]], [[4.0, 10.0]], 2)
    told = change(after, before).contribution[0]
    assert told[0] != 0
    assert told[1] == 0


def test_a_plain_mean_has_student_s_interval_and_test():
    values = np.random.default_rng(1).normal(3, 2, 40)
    found = of(values)
    told = stats.ttest_1samp(values, 0)
    ends = told.confidence_interval(0.95)
    low, high = found.interval()
    assert (low[0], high[0]) == pytest.approx((ends.low, ends.high))
    assert found.p()[0] == pytest.approx(told.pvalue)


def test_groups_stand_for_their_deals():
    values = np.random.default_rng(2).normal(3, 2, 40_840)
    grouped = values.reshape(-1, 1021).sum(axis=0)
    found = ratio(grouped[None], np.full((1, 1021), 40.0), 40_840)
    assert found.error[0] == pytest.approx(of(values).error[0], rel=0.06)


@pytest.mark.parametrize("deals", [2, 5, 30])
def test_what_happens_in_every_deal_is_not_said_to_happen_always(deals):
    gain = of(np.ones(deals), low=-1.0, high=1.0, centre=0.0)
    low, high = gain.interval()
    assert high[0] == 1
    assert low[0] == pytest.approx(1 - 2 * (1 - 0.025 ** (1 / deals)))
    low, high = share(np.ones(deals)).interval()
    assert (low[0], high[0]) == pytest.approx((0.025 ** (1 / deals), 1.0))
    low, high = share(np.zeros(deals)).interval()
    assert (low[0], high[0]) == pytest.approx((0, 1 - 0.025 ** (1 / deals)))


@pytest.mark.parametrize("deals", [6, 30, 199, 200, 900])
def test_a_certain_difference_is_tested_by_signs_and_shown(deals):
    """Deals that differ are as far on the other side: of n alike the sign test's p is 2 / 2^n."""
    for certain in (of(np.full(deals, -1.0)), of(np.ones(deals), low=-1.0, high=1.0, centre=0.0)):
        assert certain.p()[0] == pytest.approx(2.0 ** (1 - deals), rel=1e-6)
        low, high = certain.interval()
        assert low[0] <= certain.value[0] <= high[0]
        assert low[0] > 0 or high[0] < 0


def test_of_what_varies_without_bounds_a_handful_says_nothing():
    assert np.isnan(of(np.zeros(50)).interval()).all()
    assert np.isnan(of(np.full(5, 6.0)).interval()).all()
    few = np.zeros(50)
    few[:3] = 4  # how large the next may be is not known of three
    assert np.isnan(of(few).interval()).all()
    assert of(few).p()[0] == 1
    few[:7] = 4
    assert np.isfinite(of(few).interval()).all()


def test_a_rare_share_has_the_limits_of_its_count():
    events = np.zeros(200)
    events[:5] = 1
    count = np.array([5.0]), np.array([200.0]), np.array([0.025])
    limits = mid_p_low(*count), mid_p_high(*count)
    assert np.ravel(share(events).interval()) == pytest.approx(np.ravel(limits))
    assert np.ravel(share(1 - events).interval()) == pytest.approx(1 - np.ravel(limits)[::-1])


def test_few_changes_are_tested_about_as_by_their_signs():
    moved = np.zeros(500)
    moved[:9] = 1
    moved[9:10] = -1
    found = of(moved, low=-1.0, high=1.0, centre=0.0)
    exact, without_tie = stats.binomtest(9, 10).pvalue, 2 * stats.binom.sf(9, 10, 0.5)
    assert without_tie < found.p()[0] < exact
    low, high = found.interval()
    assert 0 < low[0] < 8 / 500 < high[0]


@pytest.mark.parametrize(("up", "down", "deals"), [(40, 20, 150), (30, 10, 90)])
def test_changes_both_ways_are_as_wide_as_their_spread(up, down, deals):
    """A deal goes up or down, not both, so that the two numbers of changes are not independent."""
    with_it, without = np.zeros(deals), np.zeros(deals)
    with_it[:up], without[up : up + down] = 1, 1
    found = change(share(with_it), share(without))
    assert found.known.few.all()
    low, high = found.interval()
    spread = np.sqrt(up + down - (up - down) ** 2 / deals) / deals
    assert (high[0] - low[0]) / 2 == pytest.approx(1.96 * spread, rel=0.05)


def test_groups_that_are_the_same_are_no_steps_though_the_wholes_differ():
    rng = np.random.default_rng(4)
    before = (rng.random(900) < 0.4).astype(float)
    whole = np.ones(900)
    after, other = before.copy(), whole.copy()
    other[:5] = after[:5] = 0  # aborted with the variant
    found = change(
        ratio(after[None], other[None], 895, low=0, high=1),
        ratio(before[None], whole[None], 900, low=0, high=1),
    )
    assert np.count_nonzero(found.contribution) <= 5
    assert found.known.few[0]


def test_a_table_without_events_is_not_known_exactly():
    # Of 700 matches on 100 deals 3 events; of 100 matches on 100 deals none.
    often, never = np.zeros(100), np.zeros(100)
    often[:3] = 1 / 7
    one, two = share(often), share(never)
    low, high = difference_interval(one.known, two.known)
    plain = (one - two).interval()
    assert low[0] < -0.03 < plain[0][0]
    assert high[0] >= plain[1][0] * 0.9
    assert difference_p(one.known, two.known)[0] > 0.2
    far, none = np.zeros(100), np.zeros(100)
    far[:40] = 1
    assert difference_p(share(far).known, share(none).known)[0] < 1e-6


@pytest.mark.parametrize("deals", [30, 100, 1000])
@pytest.mark.parametrize("rate", [0.002, 0.02, 0.3, 0.5])
def test_shares_and_changes_are_covered(deals, rate):
    rng = np.random.default_rng([deals, round(rate * 1000)])
    trials = 600
    before = rng.random((trials, deals)) < rate
    after = np.where(rng.random((trials, deals)) < 0.3, rng.random((trials, deals)) < rate, before)
    kept = rng.random((2, trials, deals)) > 0.15
    sides = [
        ratio(events * whole, whole, whole.sum(axis=1), low=0.0, high=1.0)
        for events, whole in ((after, kept[0] * 1.0), (before, kept[1] * 1.0))
    ]
    assert covered(sides[1], rate) > 0.925
    assert covered(change(*sides), 0.0) > 0.925


def test_equivalence_is_shown_by_narrow_intervals_alone():
    rng = np.random.default_rng(6)
    values = rng.normal(0, 1, (1, 400))
    found = of(values).known
    assert found.p_equivalent(np.array([0.3]))[0] < 0.01
    assert found.p_equivalent(np.array([0.02]))[0] > 0.3
    # None of 200 deals moved: a bound says how much the next may move; without one nothing does.
    still = of(np.zeros(200), low=-1.0, high=1.0, centre=0.0).known
    assert still.p_equivalent(np.array([0.05]))[0] == pytest.approx(0.95**200, rel=0.01)
    assert of(np.zeros(200)).known.p_equivalent(np.array([9.0]))[0] == 1


@pytest.mark.parametrize("error", [1e-30, 1e-6, 0.025, 0.4])
@pytest.mark.parametrize(("events", "trials"), [(3, 20), (1, 5_000), (99, 100), (40, 40_000)])
def test_mid_p_limits_have_their_error(error, events, trials):
    count = np.array([events * 1.0]), np.array([trials * 1.0]), np.array([error])
    (low,), (high,) = mid_p_low(*count), mid_p_high(*count)
    chances = stats.binom
    more = chances.sf(events, trials, low) + chances.pmf(events, trials, low) * 0.6
    less = chances.cdf(events - 1, trials, high) + chances.pmf(events, trials, high) * 0.6
    assert (more, less) == pytest.approx((error, error), rel=1e-6)


@pytest.mark.parametrize("trials", [200, 5_000])
def test_limits_of_a_share_cover_at_any_rate(trials):
    """Exactly, by summing over all counts; mid-P with half of what was seen falls to 92.7 %."""
    events = np.arange(81.0)
    count = events, np.full(81, float(trials)), np.full(81, 0.025)
    low, high = mid_p_low(*count), mid_p_high(*count)
    expected = np.linspace(0.05, 30, 1_500)[:, None]
    chances = stats.binom.pmf(events, trials, expected / trials)
    inside = (low <= expected / trials) & (expected / trials <= high)
    covered_ = (chances * inside).sum(axis=1)
    assert covered_.min() > 0.93
    assert covered_[expected[:, 0] > 3].mean() < 0.965


def test_holm():
    from statsmodels.stats.multitest import multipletests

    p = np.random.default_rng(1).random(30) ** 3
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])


def test_a_family_at_once_uses_what_ties_its_numbers_together():
    rng = np.random.default_rng(1)
    values = rng.normal(size=(10, 300))
    values -= values.mean(axis=1, keepdims=True)
    apart, tied = AtOnce.of(values), AtOnce.of(np.repeat(values[:1], 10, 0))
    assert apart.error(0.05) == pytest.approx(1 - 0.95 ** (1 / 10), abs=0.002)
    assert tied.error(0.05) == pytest.approx(0.05, abs=0.01)
    assert AtOnce.of(values[:1]).error(0.05) == 0.05


@pytest.mark.parametrize("error", [0.5, 0.1, 0.05, 0.0123, 1e-3, 1e-6])
def test_corrected_p_values_are_small_where_bounds_at_once_are_passed(error):
    rng = np.random.default_rng(2)
    values = rng.normal(size=(7, 60))
    family = AtOnce.of(values - values.mean(axis=1, keepdims=True))
    single = family.error(error)
    assert error / 7 <= single <= error
    p = np.concatenate([single * (1 + np.linspace(-1e-3, 1e-3, 20)), rng.random(200) * error])
    assert ((family.corrected(p) < error) == (p < single)).all()
    # Each draw is a set of tests of true hypotheses.
    draws = 2 * stats.t.sf(family.largest, family.freedom)
    assert np.sum(family.corrected(draws) < error) <= error * (len(draws) + 1) + 1


def test_means_and_stacks():
    one, two = share([0, 1, 1, 0]), share([1, 1, 1, 0])
    both = stack([one, two])
    assert mean([one, two]).value[0] == pytest.approx(both.value.mean())
    assert both[1].value.tolist() == [0.75]
