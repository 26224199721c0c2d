"""Rare changes: intervals that cover, tests of equivalence that do not err, by simulation.

Reduced here; `pytest -m long` takes more studies and more kinds of change.
"""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, t

from studies.stats.intervals import Moments, clustered_share, share_at
from studies.stats.rare import (
    Changes,
    bounded_mean,
    change_equivalence_p,
    change_interval,
    change_p,
    gap_interval,
)

DEALS = (200, 1_000, 5_000)
SHARES = (0.0002, 0.01, 0.3)

LOST = "one direction"
BOTH = "both directions"
MOSTLY = "mostly one direction"
ROTATED = "rotated"
POINTS = "points"


def sizes(kind, generator, count):
    """Return what deals that change do change by; win rates lie in [-1, 1]."""
    if kind == LOST:
        return np.full(count, -1.0)
    if kind == BOTH:
        return generator.choice([-1.0, 1.0], count)
    if kind == MOSTLY:
        return generator.choice([-1.0, 1.0], count, p=[0.2, 0.8])
    if kind == ROTATED:  # of four rotations
        some = generator.choice([1.0, 2, 3, 4], count, p=[0.7, 0.2, 0.07, 0.03])
        return some * generator.choice([-1, 1], count, p=[0.1, 0.9]) / 4
    return generator.geometric(0.1, count) * generator.choice([1.0, -1.0], count, p=[0.8, 0.2])


MEANS = {LOST: -1.0, BOTH: 0.0, MOSTLY: 0.6, ROTATED: 0.8 * 1.43 / 4, POINTS: 6.0}


def bound_of(kind):
    return None if kind == POINTS else 1.0


def studies(kind, deals, share, runs, seed):
    """Yield the changes of many studies of `deals` deals, of which a share changes."""
    generator = np.random.default_rng([seed, deals, round(1e4 * share)])
    for _ in range(runs):
        own = sizes(kind, generator, generator.binomial(deals, share))
        total, squares = own.sum(), (own**2).sum()
        moments = Moments(deals, total / deals, squares - total**2 / deals)
        yield Changes(moments, np.abs(own).sum(), own.size)


def covered(kind, deals, share, runs):
    truth = share * MEANS[kind]
    found = [
        change_interval(changes, bound=bound_of(kind))
        for changes in studies(kind, deals, share, runs, 1)
    ]
    return np.mean([interval.low <= truth <= interval.high for interval in found])


def erred(kind, deals, share, runs):
    """How often a mean at the margin is taken to lie within it."""
    margin = share * abs(MEANS[kind])
    found = [
        change_equivalence_p(changes, margin, bound=bound_of(kind))
        for changes in studies(kind, deals, share, runs, 2)
    ]
    return np.mean(np.array(found) <= 0.05)


def holds_level(seen, expected_changes, runs):
    """93 to 97 %, and more where fewer than 20 changes are expected; Monte-Carlo error apart."""
    spread = 3 * math.sqrt(0.05 * 0.95 / runs)
    return 0.93 - spread <= seen and (seen <= 0.97 + spread or expected_changes < 20)


@pytest.mark.parametrize("deals", DEALS)
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("kind", [LOST, ROTATED, POINTS])
def test_changes_are_covered(kind, share, deals):
    runs = 400
    assert holds_level(covered(kind, deals, share, runs), share * deals, runs)


@pytest.mark.parametrize("deals", DEALS)
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("kind", [LOST, ROTATED])
def test_equivalence_at_the_margin_errs_seldom(kind, share, deals):
    runs = 150
    assert erred(kind, deals, share, runs) <= 0.06 + 3 * math.sqrt(0.05 * 0.95 / runs)


@pytest.mark.long
@pytest.mark.parametrize("deals", DEALS)
@pytest.mark.parametrize("share", [*SHARES, 0.002, 0.03, 0.1])
@pytest.mark.parametrize("kind", MEANS)
def test_level_and_error_in_full(kind, share, deals):
    assert holds_level(covered(kind, deals, share, 4_000), share * deals, 4_000)
    if MEANS[kind]:
        assert erred(kind, deals, share, 2_000) <= 0.06 + 3 * math.sqrt(0.05 * 0.95 / 2_000)


@pytest.mark.parametrize("deals", DEALS)
@pytest.mark.parametrize("share", [*SHARES, 0.00002, 0.001, 0.004, 0.02])
def test_shares_are_covered(share, deals):
    """Without drawing: the binomial chances of the counts whose interval covers."""
    counts = np.arange(min(deals, 2_000) + 1)
    chances = binom.pmf(counts, deals, share)
    seen = 0.0
    for count in counts[chances > 1e-9]:
        interval = share_at(count / deals, deals)
        seen += chances[count] * (interval.low <= share <= interval.high)
    assert seen >= 0.93
    assert seen <= 0.97 or share * deals < 10


@pytest.mark.parametrize(("deals", "share"), [(200, 0.01), (1_000, 0.002), (1_000, 0.01)])
def test_shares_of_dependent_matches_are_covered(deals, share):
    """Deals that have the event have it in one rotation, or in all four."""
    generator, runs, seen = np.random.default_rng([deals, 3]), 400, 0
    for _ in range(runs):
        having = generator.choice([1, 4], generator.binomial(deals, share), p=[0.6, 0.4]) / 4
        total, squares = having.sum(), (having**2).sum()
        own = Moments(deals, total / deals, squares - total**2 / deals)
        interval = clustered_share(own, 4)
        seen += interval.low <= share * 0.55 <= interval.high
    assert seen / runs > 0.93 - 3 * math.sqrt(0.05 * 0.95 / runs)


class TestNothingSeen:
    def test_bounded_changes_have_the_rule_of_three(self):
        nothing = Changes.of(np.zeros(1_000))
        interval = change_interval(nothing, bound=0.5)
        limit = 1 - 0.025 ** (1 / 1_000)  # of no event in 1,000: 3.7 / n
        assert (interval.low, interval.high) == pytest.approx((-limit / 2, limit / 2))
        assert change_equivalence_p(nothing, 0.001, bound=0.5) == pytest.approx(0.998**1_000)
        assert change_p(nothing) == 1

    def test_unbounded_changes_cannot_be_told(self):
        for few in ([], [3.0] * 5):
            changes = Changes.of([*few, *np.zeros(1_000)])
            interval = change_interval(changes)
            assert (interval.low, interval.high) == (-math.inf, math.inf)
            assert change_equivalence_p(changes, 100.0) == 1
        assert change_interval(Changes.of([3.0] * 6 + [0.0] * 994)).high < 0.1

    def test_of_moments_alone_nothing_seen_is_nothing_seen(self):
        nothing = Changes.bounded(Moments.of(np.zeros(300)), 0.5)
        assert nothing.changed == 0
        interval, same = (
            change_interval(one, bound=0.5) for one in (nothing, Changes.of(np.zeros(300)))
        )
        assert interval == same
        two = Changes.bounded(Moments.of([0.5] * 2 + [0.0] * 298), 0.5)
        assert two.steps == (2, 0)
        assert change_interval(two, bound=0.5).high > interval.high

    def test_who_won_every_match_may_lose_one(self):
        always = bounded_mean(Moments.of(np.ones(500)), 0.0, 1.0)
        assert always.low == pytest.approx(0.025 ** (1 / 500))
        assert (always.estimate, always.high) == (1, 1)
        never = bounded_mean(Moments.of(np.zeros(500)), 0.0, 0.5)
        assert never.high == pytest.approx(0.5 * (1 - 0.025 ** (1 / 500)))
        gap = gap_interval(Moments.of(np.full(500, 0.5)), None, (2, 1))
        assert gap.low == pytest.approx(0.5 - 1.5 * (1 - 0.025 ** (1 / 500)))
        assert gap.high == 0.5

    def test_one_deal_tells_nothing(self):
        assert change_interval(Changes.of([0.0]), bound=1.0).high > 0.9
        assert change_equivalence_p(Changes.of([0.0]), 0.5, bound=1.0) == 1


class TestFewChanges:
    def test_of_one_size_and_direction_are_binomial(self):
        """The limit away from 0 is mid-P's, combined with that of no step the other way."""
        values = np.r_[np.full(12, 0.25), np.zeros(488)]
        interval = change_interval(Changes.of(values), 0.9, bound=1.0)

        def above(share):
            return binom.cdf(11, 500, share) + binom.pmf(12, 500, share) / 2

        high = (interval.high - interval.estimate) / 0.25 + 12 / 500
        assert above(high) == pytest.approx(0.05, abs=1e-6)
        low = interval.low / 0.25
        assert binom.sf(12, 500, low) + binom.pmf(12, 500, low) / 2 < 0.05
        mirrored = change_interval(Changes.of(-values), 0.9, bound=1.0)
        assert (mirrored.low, mirrored.high) == pytest.approx((-interval.high, -interval.low))

    def test_steps_up_and_down_are_combined_as_shares_of_the_same_deals(self):
        """Zou & Donner's limits; a deal goes one way only, so the shares go against each other."""
        up, down, deals = 30, 20, 200
        values = np.r_[np.ones(up), -np.ones(down), np.zeros(deals - up - down)]
        interval = change_interval(Changes.of(values), bound=1.0)

        def limits(count):
            def above(share):
                return binom.sf(count, deals, share) + binom.pmf(count, deals, share) / 2

            return (
                brentq(lambda share: above(share) - 0.025, 1e-9, count / deals),
                brentq(lambda share: above(share) - 0.975, count / deals, 1 - 1e-9),
            )

        (low, high), (other_low, other_high) = limits(up), limits(down)
        one, other = up / deals, down / deals
        together = -math.sqrt(one * other / ((1 - one) * (1 - other)))
        below, above = one - low, other_high - other
        reach = math.sqrt(below**2 + above**2 - 2 * together * below * above)
        assert interval.low == pytest.approx(one - other - reach, abs=1e-6)
        below, above = high - one, other - other_low
        reach = math.sqrt(below**2 + above**2 - 2 * together * below * above)
        assert interval.high == pytest.approx(one - other + reach, abs=1e-6)

    def test_many_are_a_t_interval(self):
        values = np.r_[np.random.default_rng(5).normal(1, 1, 250), np.zeros(50)]
        interval = change_interval(Changes.of(values), bound=4.0)
        low, high = t.interval(0.95, 299, values.mean(), values.std(ddof=1) / math.sqrt(300))
        assert (interval.low, interval.high) == pytest.approx((low, high))

    def test_sizes_make_the_effective_number(self):
        # 8 steps of 1 and one of 4 up, one of 2 down: squares 28, sizes 14, so steps of 2.
        changes = Changes.of([1] * 8 + [4, -2] + [0] * 90)
        assert changes.step == pytest.approx(2)
        assert changes.steps == (6, 1)
        unknown = Changes.bounded(changes.deals, 4.0)
        assert sum(unknown.steps) < 7
        wide, own = (change_interval(one, bound=4.0) for one in (unknown, changes))
        assert wide.low < own.low < own.high < wide.high
        # All go one way, by less than they might: their sizes add up to their sum, no less.
        alike = Changes.of([0.1] * 40 + [0.0] * 960)
        assert Changes.bounded(alike.deals, 1.0).steps == (40, 0)

    def test_p_values_are_those_at_which_the_limits_meet_the_margin(self):
        changes = Changes.of([1.0] * 3 + [-1.0] * 2 + [0.0] * 995)
        p = change_equivalence_p(changes, 0.006, bound=1.0)
        assert 0.0001 < p < 0.06
        assert change_equivalence_p(changes, 0.007, bound=1.0) < p
        assert change_equivalence_p(changes, 0.001, bound=1.0) == 1

    def test_signs_are_tested_as_they_are(self):
        changes = Changes.of([1.0] * 7 + [-1.0] + [0.0] * 200)
        assert change_p(changes) == pytest.approx(2 * 9 / 2**8)

    def test_unknown_sizes_cost_width(self):
        values = np.r_[np.ones(8), np.zeros(492)]
        bounded, free = (change_interval(Changes.of(values), bound=own) for own in (1.0, None))
        ratio = t.ppf(0.975, 7) / 1.959964
        assert free.high - free.estimate == pytest.approx(
            ratio * (bounded.high - bounded.estimate), rel=1e-6
        )
