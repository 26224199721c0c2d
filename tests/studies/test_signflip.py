import math

import numpy as np
import pytest
from scipy.stats import norm, permutation_test

from studies.stats import signflip
from studies.stats.intervals import mcnemar_p
from studies.stats.signflip import SignFlip, sign_flip_p


def by_scipy(values):
    return permutation_test(
        (values,), np.sum, permutation_type="samples", n_resamples=np.inf
    ).pvalue


@pytest.mark.parametrize("size", [2, 7, 12])
def test_agrees_with_scipy_over_all_signs(size):
    generator = np.random.default_rng(size)
    for values in (generator.integers(-6, 9, size), generator.normal(0.4, 1, size)):
        assert sign_flip_p(values) == pytest.approx(by_scipy(values.astype(float)))


@pytest.mark.parametrize("unit", [1, 12])
def test_adding_up_agrees_with_going_through_all_signs(monkeypatch, unit):
    generator = np.random.default_rng(3)
    for _ in range(20):
        values = unit * generator.integers(-4, 6, 14)
        by_sums = sign_flip_p(values)
        with monkeypatch.context() as patch:
            patch.setattr(signflip, "_MOST_STEPS", 0)
            assert sign_flip_p(values) == by_sums


def test_large_numbers_are_not_added_up_where_going_through_all_signs_is_quicker(monkeypatch):
    monkeypatch.setattr(signflip, "_of_whole", None)
    assert sign_flip_p([10**8, 10**8 - 1, 1]) == 0.25


@pytest.mark.parametrize("pairs", [(0, 0), (5, 1), (40, 61), (130, 100)])
def test_of_wins_and_losses_is_mcnemar(pairs):
    values = np.repeat([1, -1, 0], [*pairs, 500])
    assert sign_flip_p(values) == pytest.approx(mcnemar_p(*pairs))


def test_limit_is_close_to_the_exact_test(monkeypatch):
    generator = np.random.default_rng(4)
    for shift in (0.02, 0.1, 0.15):
        values = np.rint(generator.normal(shift, 1, 250) * 10)
        exact = sign_flip_p(values)
        with monkeypatch.context() as patch:
            patch.setattr(signflip, "EXACT_DEALS", 0)
            assert sign_flip_p(values) == pytest.approx(exact, rel=0.05)


def test_pieces_do_not_matter():
    values = np.random.default_rng(5).integers(-3, 5, 300)
    test = SignFlip()
    for piece in np.array_split(values, 7):
        test.add(piece)
    assert test.p() == sign_flip_p(values)
    many = SignFlip()
    for _ in range(40):
        many.add(values)
    assert many._few is None
    z = 40 * values.sum() / math.sqrt(40 * np.square(values).sum())
    assert many.p() == pytest.approx(2 * norm.sf(abs(z)))


def test_an_answer_given_before_does_not_outlive_new_deals():
    test = SignFlip()
    test.add([1, 2, 3])
    assert test.p() == test.p() == 0.25
    test.add([4])
    assert test.p() == 0.125


def test_nothing_changed_is_no_evidence():
    assert sign_flip_p(np.zeros(10)) == 1
