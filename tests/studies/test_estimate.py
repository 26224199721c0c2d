"""Estimates: arithmetic against leaving groups out; intervals that hold where few deals tell.

A p-value is below α exactly where the interval at 1 - α leaves the tested value out: everywhere,
for estimates of every kind at every level.
"""

import numpy as np
import pytest
from scipy import stats

from studies.answers.estimate import change, difference_interval, difference_p, ratio, stack
from studies.answers.families import AtOnce
from studies.answers.population import Means
from studies.answers.rare_events import mid_p_high, mid_p_low


def of(values, **bounds):
    values = np.atleast_2d(np.asarray(values, float))
    return ratio(values, np.ones_like(values), values.shape[1], **bounds)


def share(events, **bounds):
    return of(events, low=0.0, high=1.0, **bounds)


def gain(values):
    return of(values, low=-1.0, high=1.0, centre=0.0)


def some(count, deals):
    """Return that many events, in as many deals."""
    return np.arange(deals) < count


# ---- arithmetic


def test_arithmetic_is_what_leaving_one_group_out_tells():
    rng = np.random.default_rng(3)
    parts, wholes = rng.normal(5, 1, (2, 400)), rng.integers(1, 9, (2, 400)).astype(float)
    first, second = (ratio(parts[k : k + 1], wholes[k : k + 1], 400) for k in (0, 1))

    def number(chosen):
        a, b = (parts[k, chosen].sum() / wholes[k, chosen].sum() for k in (0, 1))
        return (a - 2 * b) / (a * b) + 1

    estimate = (first - second * 2.0) / (first * second) + 1.0
    left = np.array([number(np.arange(400) != group) for group in range(400)])
    jackknife = np.sqrt(399 / 400 * np.square(left - left.mean()).sum())
    assert estimate.value[0] == pytest.approx(number(slice(None)), abs=1e-12)
    assert estimate.error[0] == pytest.approx(jackknife, rel=0.01)
    assert abs(estimate.influence.sum()) < 1e-12
    assert estimate.contribution.sum() == pytest.approx(estimate.value[0])


def test_a_difference_tells_as_many_deals_as_the_side_that_has_fewer():
    few, many = np.pad(some(9, 50), (0, 30)), share(some(20, 80))
    few = ratio(few[None], np.pad(np.ones(50), (0, 30))[None], 50)
    assert (few - many).deals.tolist() == (many - few).deals.tolist() == [50]


def test_a_group_of_another_weight_is_a_step_though_its_rate_is_the_same():
    after = ratio([[1.0, 5.0]], [[1.0, 10.0]], 2)
    before = ratio([[4.0, 5.0]], [[4.0, 10.0]], 2)
    steps = change(after, before).contribution[0]
    assert steps[0] != 0
    assert steps[1] == 0


def test_groups_that_are_the_same_are_no_steps_though_the_wholes_differ():
    before = (np.random.default_rng(4).random(900) < 0.4).astype(float)
    kept = ~some(5, 900)  # aborted with the variant
    moved = change(
        ratio((before * kept)[None], kept[None] * 1.0, 895, low=0, high=1),
        ratio(before[None], np.ones((1, 900)), 900, low=0, high=1),
    )
    assert np.count_nonzero(moved.contribution) <= 5
    assert moved.known.few[0]


def test_what_cancels_is_zero_and_shows_nothing():
    rng = np.random.default_rng(2)
    a, b, c = (share(rng.random((5, 60)) < 0.3) for _ in range(3))
    nothing = (a - b) * (1 / 3) + (b - c) / 3.0 - (a - c) / 3.0
    assert (nothing.value == 0).all()
    assert (nothing.error == 0).all()
    assert (nothing.p() == 1).all()
    tenth = of(np.full(60, 0.1)) + of(np.full(60, 0.2)) - of(np.full(60, 0.3))
    assert (tenth.value[0], tenth.p()[0]) == (0, 1)


def test_weights_that_move_are_no_change_of_a_share_that_stays():
    """A rule that offers more decisions, of which the same share is forced, changes no share."""
    rng = np.random.default_rng(4)
    whole = rng.integers(2, 9, (1, 300)) * 10.0
    more = whole * rng.integers(1, 4, whole.shape)
    same = change(*(ratio(all_ * 0.3, all_, 300, low=0.0, high=1.0) for all_ in (more, whole)))
    assert (same.value[0], same.p()[0]) == (0, 1)


# ---- intervals and tests against known ones


@pytest.mark.parametrize("events", [150, 300, 850])
def test_the_ends_of_a_share_are_those_that_a_score_test_just_allows(events):
    """E. B. Wilson's interval, here with 1,000 deals: of the share at the end, not the one seen."""
    for (end,) in share(some(events, 1_000)).interval():
        spread = np.sqrt(end * (1 - end) / 1_000)
        assert abs(events / 1_000 - end) / spread == pytest.approx(1.96, rel=0.003)


def test_a_plain_mean_has_student_s_interval_and_test():
    values = np.random.default_rng(1).normal(3, 2, 40)
    student = stats.ttest_1samp(values, 0)
    assert np.ravel(of(values).interval()) == pytest.approx(list(student.confidence_interval()))
    assert of(values).p()[0] == pytest.approx(student.pvalue)


@pytest.mark.parametrize("deals", [2, 5, 30])
def test_what_happens_in_every_deal_is_not_said_to_happen_always(deals):
    end = 0.025 ** (1 / deals)
    for estimate, ends in (
        (gain(np.ones(deals)), (1 - 2 * (1 - end), 1)),
        (share(np.ones(deals)), (end, 1)),
        (share(np.zeros(deals)), (0, 1 - end)),
    ):
        assert np.ravel(estimate.interval()) == pytest.approx(ends)


@pytest.mark.parametrize("deals", [6, 30, 199, 200, 900])
def test_a_certain_difference_is_tested_by_signs_and_shown(deals):
    """Deals that differ are as far on the other side: of n alike the sign test's p is 2 / 2^n."""
    for certain in (of(np.full(deals, -1.0)), gain(np.ones(deals))):
        assert certain.p()[0] == pytest.approx(2.0 ** (1 - deals), rel=1e-6)
        low, high = certain.interval()
        assert low[0] <= certain.value[0] <= high[0]
        assert low[0] > 0 or high[0] < 0


def test_of_what_varies_without_bounds_a_handful_says_nothing():
    assert np.isnan(of(np.zeros(50)).interval()).all()
    assert np.isnan(of(np.full(5, 6.0)).interval()).all()
    few = of(4.0 * some(3, 50))  # how large the next may be is not known of three
    assert np.isnan(few.interval()).all()
    assert few.p()[0] == 1
    assert np.isfinite(of(4.0 * some(7, 50)).interval()).all()


def test_a_rare_share_has_the_limits_of_its_count():
    count = np.array([5.0]), np.array([200.0]), np.array([0.025])
    limits = np.ravel([mid_p_low(*count), mid_p_high(*count)])
    events = some(5, 200)
    assert np.ravel(share(events).interval()) == pytest.approx(limits)
    assert np.ravel(share(~events).interval()) == pytest.approx(1 - limits[::-1])


def test_few_changes_are_tested_about_as_by_their_signs():
    moved = gain(some(9, 500) * 1.0 - some(10, 500) * ~some(9, 500))
    exact, without_tie = stats.binomtest(9, 10).pvalue, 2 * stats.binom.sf(9, 10, 0.5)
    assert without_tie < moved.p()[0] < exact
    low, high = moved.interval()
    assert 0 < low[0] < 8 / 500 < high[0]


@pytest.mark.parametrize(("up", "down", "deals"), [(40, 20, 150), (30, 10, 90)])
def test_changes_both_ways_are_as_wide_as_their_spread(up, down, deals):
    """A deal goes up or down, not both, so that the two numbers of changes are not independent."""
    moved = change(share(some(up, deals)), share(some(up + down, deals) & ~some(up, deals)))
    assert moved.known.few.all()
    low, high = moved.interval()
    spread = np.sqrt(up + down - (up - down) ** 2 / deals) / deals
    assert (high[0] - low[0]) / 2 == pytest.approx(1.96 * spread, rel=0.05)


def test_a_table_without_events_is_not_known_exactly():
    # Of 700 matches on 100 deals 3 events; of 100 matches on 100 deals none.
    often, never = share(some(3, 100) / 7), share(np.zeros(100))
    low, high = difference_interval(often.known, never.known)
    plain_low, plain_high = (often - never).interval()
    assert low[0] < -0.03 < plain_low[0]
    assert high[0] >= plain_high[0] * 0.9
    assert difference_p(often.known, never.known)[0] > 0.2
    assert difference_p(share(some(40, 100)).known, never.known)[0] < 1e-6


def test_equivalence_is_shown_by_narrow_intervals_alone():
    values = of(np.random.default_rng(6).normal(0, 1, (1, 400))).known
    assert values.p_equivalent(np.array([0.3]))[0] < 0.01
    assert values.p_equivalent(np.array([0.02]))[0] > 0.3
    # None of 200 deals moved: a bound says how much the next may move; without one nothing does.
    still = gain(np.zeros(200)).known
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


def test_a_limit_that_is_too_small_for_a_number_is_none():
    """A quarter of an event, and an error beyond reach: Newton's steps leave what floats hold."""
    count = np.array([0.246974876]), np.array([20.0]), np.array([1.03e-76])
    assert mid_p_low(*count)[0] < 1e-250
    assert mid_p_high(count[1] - count[0], *count[1:])[0] > 1 - 1e-12


@pytest.mark.parametrize("trials", [200, 5_000])
def test_limits_of_a_share_cover_at_any_rate(trials):
    """Exactly, by summing over all counts; mid-P with half of what was seen falls to 92.7 %."""
    events = np.arange(81.0)
    count = events, np.full(81, float(trials)), np.full(81, 0.025)
    low, high = mid_p_low(*count), mid_p_high(*count)
    expected = np.linspace(0.05, 30, 1_500)[:, None]
    chances = stats.binom.pmf(events, trials, expected / trials)
    inside = (low <= expected / trials) & (expected / trials <= high)
    covered = (chances * inside).sum(axis=1)
    assert covered.min() > 0.93
    assert covered[expected[:, 0] > 3].mean() < 0.965


# ---- many numbers at once


def test_a_family_at_once_uses_what_ties_its_numbers_together():
    values = np.random.default_rng(1).normal(size=(10, 300))
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


# ---- tests and intervals agree


def kinds():
    """Return estimates by what they are: ordinary, rare, certain, without bounds, rotated."""
    rng = np.random.default_rng(5)
    deals = 400
    before = rng.binomial(4, rng.beta(2, 2, (6, deals))) / 4
    after = np.where(rng.random((6, deals)) < 0.004, rng.random((6, deals)).round(), before)
    common = rng.random((6, deals)) < np.array([0, 0.002, 0.01, 0.1, 0.5, 0.97])[:, None]
    few = np.zeros((4, deals))
    few[0, :3] = few[1, :9] = few[2, :40] = 5.0
    few[1:, 40:43] = -5.0
    certain = np.outer([-1.0, 2.0], np.ones(deals))
    return {
        "shares": share(common),
        "win rates": share(common, centre=0.1),
        "complements": share(1 - common),
        "changes": change(share(after), share(before), 4),
        "means": of(rng.gamma(2, 3, (5, deals)), low=0.0),
        "steps without bounds": of(few),
        "certain": of(certain),
        "certain within bounds": gain(certain / 2),
        "thirty deals": share(common[:, :30], centre=0.25),
        "differences": share(common[1:]) - share(common[:-1]),
        "products": share(before) * share(before[::-1]),
    }


OF_ERRORS = pytest.mark.parametrize("error", [0.8, 0.3, 0.05, 0.01, 1e-4, 1e-9])


def agrees(p, low, high, null, error):
    outside = (low > null) | (high < null)  # an end that is missing leaves nothing out
    return (p < error) == outside


@pytest.mark.whole_but("*-0.3", "*-0.05", "*-1e-09")
@OF_ERRORS
@pytest.mark.parametrize("kind", kinds())
def test_p_is_below_an_error_where_the_interval_leaves_the_value_out(kind, error):
    estimate = kinds()[kind]
    ends = estimate.interval(1 - error)
    for end in ends:
        for nearly in (1 - 1e-6, 1 + 1e-6):
            null = estimate.value + (end - estimate.value) * nearly
            inside = (null > estimate.low) & (null < estimate.high)
            assert agrees(estimate.p(null), *ends, null, error)[inside].all(), (kind, null)
    for null in np.random.default_rng(1).normal(estimate.value, 0.3, (6, len(estimate))):
        assert agrees(estimate.p(null), *ends, null, error).all()
    assert (estimate.p(estimate.value) == 1).all()


@OF_ERRORS
def test_so_it_is_of_differences_of_tables(error):
    names = ("shares", "win rates", "complements")
    first = stack([kinds()[name] for name in names]).known
    second = stack([kinds()[name] for name in (names[2], *names[:2])]).known
    low, high = difference_interval(first, second, 1 - error)
    assert agrees(difference_p(first, second), low, high, 0.0, error).all()


@OF_ERRORS
def test_so_it_is_of_populations(error):
    rng = np.random.default_rng(3)
    rates = np.array([0.0005, 0.002, 0.02, 0.2])[:, None]
    means = Means.of(
        [
            share(rng.random((4, 500)) < rates * scale) - share(rng.random((4, 500)) < rates)
            for scale in (1.0, 1.5, 2.0, 3.0)
        ]
    )
    assert agrees(means.p(), *means.interval(1 - error), 0.0, error).all()
