"""Races on planted values: the best stays, those behind stop, and nothing is lost by chance."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gammainc, gammaln

from studies.answers.plan import looks
from studies.run.racing import DifferenceSequence, Race, boundary, log_mixture, tuned_rho

LEVEL = 0.95


def race(shares, rng, *, matches=20_000, half_width=0.02, common=0.5, level=LEVEL):
    """Run a race of contestants with these win rates; return it, and the deals of each.

    On a `common` part of the deals one number decides for all contestants.
    """
    shares = np.asarray(shares)
    contestants = len(shares)
    one = Race(contestants, 1.0, half_width, 1 - (1 - level) / (contestants - 1))
    deals = np.zeros(contestants, int)
    seen = 0
    for look in looks(matches):
        count = look - seen
        drawn = rng.random((contestants, count))
        drawn = np.where(rng.random(count) < common, drawn[0], drawn)
        values = (drawn[one.active] < shares[one.active, None]).astype(np.int64)
        deals[one.active] = seen = look
        one.look(count, values.sum(axis=1), values @ values.T)
        if one.is_over:
            break
    return one, deals


def all_(shares, runs=300, seed=1, **how):
    rng = np.random.default_rng(seed)
    return [race(shares, rng, **how) for _ in range(runs)]


@pytest.mark.whole_but("shares0*")
@pytest.mark.parametrize(
    "shares",
    [
        [0.5, 0.4, 0.3],
        [0.2, 0.25, 0.22, 0.24],
        [0.02, 0.05],
        [0.5, 0.5, 0.49],
    ],
)
def test_the_best_is_kept(shares):
    best = int(np.argmax(shares))
    kept = np.mean([best in one.active for one, _ in all_(shares, matches=4_000)])
    assert kept >= LEVEL


def test_one_that_is_far_ahead_is_left_alone_and_most_matches_are_saved():
    found = all_([0.3, 0.6, 0.4, 0.2], runs=50)
    assert all(one.active == [1] and one.is_over for one, _ in found)
    assert np.mean([deals.sum() for _, deals in found]) < 0.1 * 4 * 20_000
    # The farther behind, the sooner it stops.
    means = np.mean([deals for _, deals in found], axis=0)
    assert means[3] < means[0] < means[2]
    one, _ = found[0]
    for place, (leader, gap) in one.behind.items():
        assert place != leader
        assert gap.low < gap.estimate < gap.high < 0


@pytest.mark.whole
@pytest.mark.parametrize("common", [0.0, 0.9])
def test_among_equals_nobody_stops_beyond_the_level(common):
    runs = 300
    found = all_([0.3] * 5, runs=runs, matches=3_000, half_width=0.001, common=common)
    lost = np.mean([bool(one.behind) for one, _ in found])
    assert lost <= 0.05 + 2.6 * math.sqrt(0.05 * 0.95 / runs)


def test_equals_end_once_they_lie_within_the_half_width():
    one, deals = race([0.3] * 3, np.random.default_rng(2), half_width=0.05)
    assert one.is_over
    assert len(one.active) == 3
    assert deals.max() < 20_000
    for place in one.active:
        if place != one.leader:
            gap = one.gap(place)
            assert -0.05 <= gap.low <= gap.high <= 0.05


def test_the_same_deals_tell_sooner():
    alone, together = (
        np.mean([deals.sum() for _, deals in all_([0.5, 0.45], runs=30, common=common)])
        for common in (0.0, 0.9)
    )
    assert together < 0.5 * alone


def test_stages_may_be_counted_in_parts_of_a_match():
    values = np.array([[3, 0, 6], [1, 2, 6]])
    whole, parts = Race(2, 1.0, 0.1, LEVEL), Race(2, 1.0, 0.1, LEVEL)
    whole.look(3, values.sum(axis=1) / 6, values @ values.T / 36)
    parts.look(3, values.sum(axis=1), values @ values.T, 6)
    assert (whole.leader, parts.leader) == (0, 0)
    assert whole.gap(1).low == pytest.approx(parts.gap(1).low)
    assert whole.gap(1).estimate == 0


@pytest.mark.parametrize(
    ("deviation", "spread", "rho"), [(0, 0, 3), (4, 10, 2), (30, 100, 12.5), (-5, 20, 7)]
)
def test_mixture_is_the_integral_it_stands_for(deviation, spread, rho):
    # Howard et al. 2021, Proposition 9: exp(l s - v (-log(1 - l) - l)) over a truncated gamma.
    scale = rho * math.log(rho) - gammaln(rho) - math.log(gammainc(rho, rho))

    def integrand(rate):
        rest = 1 - rate
        density = scale + (rho - 1) * math.log(rest) - rho * rest
        return math.exp(rate * deviation + spread * (math.log(rest) + rate) + density)

    value, _ = quad(integrand, 0, 1, points=[0.5, 0.9])
    assert log_mixture(deviation, spread, rho) == pytest.approx(math.log(value), abs=1e-6)


def test_boundary_is_where_the_mixture_reaches_the_threshold():
    for spread in (0.0, 1.0, 50.0, 1e5):
        reach = boundary(spread, 20.0, 0.95)
        usual, rare = (math.exp(log_mixture(reach, spread, rho)) for rho in (20.0, 1.0))
        assert 0.9 * usual + 0.1 * rare == pytest.approx(40, rel=1e-5)


def test_sequence_of_what_never_happened_is_narrow():
    sequence = DifferenceSequence(1.0, 0.01, LEVEL)
    sequence.add(1_000, 0, 0)
    assert sequence.gap.high == pytest.approx(-sequence.gap.low)
    # 4 times what a number of deals fixed beforehand would allow; 10.5 points without the part for
    # rare events.
    assert 2 * 3.7 / 1_000 < sequence.gap.high < 8 * 3.7 / 1_000 / 1.8


def test_sequence_of_differences_covers_at_all_looks_together():
    rng = np.random.default_rng(5)
    missed = 0
    for _ in range(300):
        sequence, before, out = DifferenceSequence(0.5, 0.01, LEVEL), 0, False
        for look in looks(20_000):
            values = rng.choice([-0.5, 0, 0.5], look - before, p=[0.1, 0.75, 0.15])
            sequence.add(look - before, values.sum(), (values**2).sum())
            before = look
            out |= not sequence.gap.low <= 0.025 <= sequence.gap.high
        missed += out
    assert missed / 300 <= 0.05 + 4.75 * math.sqrt(0.05 * 0.95 / 300)


def test_tuning_does_not_depend_on_data():
    assert tuned_rho(0.002, 0.95) > tuned_rho(0.02, 0.95) > tuned_rho(0.9, 0.95) > 0
