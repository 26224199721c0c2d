"""Plackett–Luce strengths against the exploded logit of statsmodels, choix, and brute force."""

import itertools

import choix
import numpy as np
import pytest
from scipy.stats import t
from statsmodels.duration.hazard_regression import PHReg

from simcore.game import get_game
from studies.compare.finishing_orders import OrderCounts, split
from studies.compare.strengths import Stages, _tied, fit_strengths
from studies.deals.values import Seating
from studies.design.cells import StudyCell
from studies.stats.groups import GROUPS


def cell(seats, rotations=1):
    return StudyCell("x", "up", "baseline", "line", {}, {}, tuple(seats), rotations, 1)


def counted(seats, ranks, rotations=1, winners=None, first=0):
    """Return the stages of ranks (deals, rotations, line-up entries), 0 = first."""
    seating = Seating(cell(seats, rotations))
    deals, _, players = ranks.shape
    scores = np.zeros((players, deals, rotations), dtype=np.int32)
    for rotation in range(rotations):
        for index in range(players):
            scores[seating.seat_of(index, rotation), :, rotation] = ranks[:, rotation, index]
    if winners is None:
        winners = ((scores == scores.min(axis=0)) << np.arange(players)[:, None, None]).sum(axis=0)
    columns = {"winners": winners.astype(np.uint16)}
    columns |= {f"score_{seat}": own for seat, own in enumerate(scores)}
    orders = OrderCounts(get_game("up"), seating)
    orders.add(first, columns, slice(0, deals))
    names = list(dict.fromkeys(seats))
    return names, Stages(
        [names.index(seat) for seat in seats],
        [split(kind, players) for kind in orders.stages.columns],
        orders.stages.table,
    )


def draw(generator, strengths, shape):
    """Return ranks of Plackett–Luce orders: those of Gumbel variables (Yellott 1977)."""
    own = np.asarray(strengths)
    noisy = own + generator.gumbel(size=(*shape, own.shape[-1]))
    return (-noisy).argsort(axis=-1).argsort(axis=-1)


def relative(fit, names):
    reference = names.index(fit.reference)
    return [interval.estimate for interval in fit.strengths], reference


def test_agrees_with_choix():
    ranks = draw(np.random.default_rng(1), [0.5, 0, -0.3, 0.2], (150, 1))
    names, stages = counted(["a", "b", "c", "d"], ranks)
    found, reference = relative(fit_strengths([stages], names, 0.95), names)
    theirs = choix.opt_rankings(4, [list(np.argsort(order)) for order in ranks[:, 0]], tol=1e-10)
    assert found == pytest.approx(theirs - theirs[reference], abs=1e-4)


def test_agrees_with_the_exploded_logit_and_its_clustered_errors():
    generator = np.random.default_rng(2)
    deals, rotations, names = 80, 3, ["a", "b", "c"]
    own = generator.normal([0.6, 0, -0.4], 0.7, size=(deals, 1, 3))
    ranks = draw(generator, own, (deals, rotations))
    names, stages = counted(names, ranks, rotations)
    fit = fit_strengths([stages], names, 0.95)
    found, reference = relative(fit, names)
    others = [index for index in range(3) if index != reference]
    entries = np.tile(np.arange(3), deals * rotations)
    theirs = PHReg(
        ranks.ravel() + 1.0,
        np.stack([entries == index for index in others], axis=1).astype(float),
        strata=np.repeat(np.arange(deals * rotations), 3),
    ).fit(groups=np.repeat(np.arange(deals), 3 * rotations))
    assert [found[index] for index in others] == pytest.approx(list(theirs.params), abs=1e-5)
    correction = np.sqrt(deals / (deals - 1))
    for index, error in zip(others, theirs.bse * correction, strict=True):
        reach = t.ppf(0.975, deals - 1) * error
        own = fit.strengths[index]
        assert own.high - own.estimate == pytest.approx(reach, rel=1e-3)


def test_two_policies_are_a_binomial_share():
    ranks = np.zeros((100, 1, 2), dtype=int)
    ranks[:70, 0, 1] = ranks[70:, 0, 0] = 1
    names, stages = counted(["a", "b"], ranks)
    fit = fit_strengths([stages], names, 0.95)
    own = max(fit.strengths, key=lambda interval: abs(interval.estimate))
    assert abs(own.estimate) == pytest.approx(np.log(7 / 3), abs=1e-6)
    error = np.sqrt(100 / 99 / (100 * 0.7 * 0.3))
    assert (own.high - own.low) / 2 == pytest.approx(1.98422 * error, rel=1e-3)


def test_a_tie_is_the_sum_over_its_orders():
    worth, seats = np.array([1.3, 0.4, 2.0]), [0, 1, 2, 0, 1]  # five seats of three policies
    tied = [0, 1, 2]

    def chance(strengths):
        own = np.exp(strengths)[seats]
        total = 0.0
        for order in itertools.permutations(tied):
            product, left = 1.0, own.sum()
            for index in order:
                product *= own[index] / left
                left -= own[index]
            total += product
        return np.log(total)

    present = np.bincount(seats, minlength=3)[None].astype(float)
    value, slope = _tied(worth, present, np.array([[seats[index] for index in tied]]), 3)
    strengths = np.log(worth)
    assert value[0] == pytest.approx(chance(strengths))
    for policy, step in enumerate(1e-6 * np.eye(3)):
        numeric = (chance(strengths + step) - chance(strengths - step)) / 2e-6
        assert slope[0, policy] == pytest.approx(numeric, abs=1e-6)


def test_only_the_winner_known_is_a_conditional_logit():
    # 60, 25 and 15 wins of 100; the losers tie, which says nothing.
    ranks = np.ones((100, 1, 3), dtype=int)
    ranks[:60, 0, 0] = ranks[60:85, 0, 1] = ranks[85:, 0, 2] = 0
    names, stages = counted(["a", "b", "c"], ranks)
    found, reference = relative(fit_strengths([stages], names, 0.95), names)
    expected = np.log([60, 25, 15])
    assert found == pytest.approx(expected - expected[reference], abs=1e-5)


def test_high_scores_win_where_winners_have_them():
    ranks = draw(np.random.default_rng(3), [1, 0, -1], (60, 1))
    names, low = counted(["a", "b", "c"], ranks)
    best = (ranks[:, :, :] == 0) << np.arange(3)
    _, high = counted(["a", "b", "c"], 9 - ranks, winners=best.sum(axis=2))
    one, other = (fit_strengths([stages], names, 0.95) for stages in (low, high))
    assert one.strengths == other.strengths


def test_winners_come_first_whatever_their_scores():
    """A match may be won with a middling score; the others follow by theirs."""
    ranks = np.tile([0, 1, 2], (30, 1, 1))
    _, stages = counted(["a", "b", "c"], ranks)
    assert stages.kinds == [([0, 1, 2], [0]), ([1, 2], [1])]
    winners = np.full((30, 1), 0b001)
    winners[:10] = 0b010
    _, stages = counted(["a", "b", "c"], ranks, winners=winners)
    found = {
        (tuple(still_in), tuple(following)): count
        for (still_in, following), count in zip(
            stages.kinds, stages.counts.sum(axis=0), strict=True
        )
    }
    assert found == {
        ((0, 1, 2), (0,)): 20,
        ((1, 2), (1,)): 20,
        ((0, 1, 2), (1,)): 10,
        ((0, 2), (0,)): 10,
    }


def test_rotations_seat_the_same_policies():
    ranks = draw(np.random.default_rng(4), [1, 0, -1, 0], (50, 4))
    names, turned = counted(["a", "b", "c", "b"], ranks, 4)
    _, flat = counted(["a", "b", "c", "b"], ranks.reshape(200, 1, 4))
    one, other = (fit_strengths([stages], names, 0.95) for stages in (turned, flat))
    for mine, theirs in zip(one.strengths, other.strengths, strict=True):
        assert mine.estimate == pytest.approx(theirs.estimate, abs=1e-6)


@pytest.mark.parametrize(
    ("seats", "ranks", "named"),
    [(["a", "b"], [[0, 1]] * 5, "b never"), (["a", "b", "c"], [[0, 1, 2], [1, 0, 2]], "c never")],
)
def test_no_strength_of_one_who_never_beat_another(seats, ranks, named):
    names, stages = counted(seats, np.array(ranks)[:, None, :])
    fit = fit_strengths([stages], names, 0.95)
    assert fit.strengths == []
    assert named in fit.reason


def test_policies_that_never_met_have_none():
    ranks = draw(np.random.default_rng(5), [0, 0], (40, 1))
    _, one = counted(["a", "b"], ranks)
    _, other = counted(["c", "d"], ranks)
    other = Stages([2, 3], other.kinds, other.counts)
    assert "never" in fit_strengths([one, other], ["a", "b", "c", "d"], 0.95).reason


def test_strengths_hold_their_level_on_dependent_matches():
    generator = np.random.default_rng(6)
    truth = np.array([0.5, 0.0, -0.4])
    runs, deals, covered, naive, total = 250, 120, 0, 0, 0
    for _ in range(runs):
        once = draw(generator, truth, (deals, 1))
        names, stages = counted(["a", "b", "c"], np.repeat(once, 3, axis=1), 3)
        fit = fit_strengths([stages], names, 0.95)
        reference = names.index(fit.reference)
        for index, own in enumerate(fit.strengths):
            if index != reference:
                total += 1
                expected = truth[index] - truth[reference]
                covered += own.low <= expected <= own.high
                half = (own.high - own.low) / 2 / np.sqrt(3)
                naive += abs(own.estimate - expected) <= half
    spread = 4 * np.sqrt(0.05 * 0.95 / runs)
    assert abs(covered / total - 0.95) < spread
    assert naive / total < 0.95 - spread  # what counting the matches as independent would give


def test_groups_are_those_of_the_deals():
    ranks = draw(np.random.default_rng(7), [0, 0], (5, 1))
    _, stages = counted(["a", "b"], ranks, first=GROUPS - 2)
    assert stages.counts.sum(axis=1).nonzero()[0].tolist() == [0, 1, 2, GROUPS - 2, GROUPS - 1]
