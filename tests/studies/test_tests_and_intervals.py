"""A p-value is below α exactly where the interval at 1 - α leaves the tested value out: everywhere.

For estimates of every kind at every level, and for every row of the planted studies, singly and at
once.
"""

import numpy as np
import polars as pl
import pytest

from studies.answers.estimate import change, difference_interval, difference_p, ratio, stack
from studies.answers.frame import answers
from studies.answers.population import Means
from studies.store.opened import open_study
from tests.studies.planted import PLANTS, planted_as

ERRORS = (0.8, 0.3, 0.05, 0.01, 1e-4, 1e-9)
NEAR = (1 - 1e-6, 1 + 1e-6)


def share(events, **bounds):
    events = np.atleast_2d(np.asarray(events, float))
    return ratio(events, np.ones_like(events), events.shape[1], **bounds)


def kinds():
    """Return estimates by what they are: ordinary, rare, certain, without bounds, rotated."""
    rng = np.random.default_rng(5)
    deals = 400
    before = rng.binomial(4, rng.beta(2, 2, (6, deals))) / 4
    after = np.where(rng.random((6, deals)) < 0.004, rng.random((6, deals)).round(), before)
    common = rng.random((6, deals)) < np.array([0, 0.002, 0.01, 0.1, 0.5, 0.97])[:, None]
    bounds = {"low": 0.0, "high": 1.0}
    few = np.zeros((4, deals))
    few[0, :3] = few[1, :9] = few[2, :40] = 5.0
    few[1:, 40:43] = -5.0
    certain = np.outer([-1.0, 2.0], np.ones(deals))
    return {
        "shares": share(common, **bounds),
        "win rates": share(common, **bounds, centre=0.1),
        "complements": share(1 - common, **bounds),
        "changes": change(share(after, **bounds), share(before, **bounds), 4),
        "means": share(rng.gamma(2, 3, (5, deals)), low=0.0),
        "steps without bounds": share(few),
        "certain": share(certain),
        "certain within bounds": share(certain / 2, low=-1.0, high=1.0, centre=0.0),
        "thirty deals": share(common[:, :30], **bounds, centre=0.25),
        "differences": share(common[1:], **bounds) - share(common[:-1], **bounds),
        "products": share(before, **bounds) * share(before[::-1], **bounds),
    }


def agrees(p, low, high, null, error):
    outside = (low > null) | (high < null)  # an end that is missing leaves nothing out
    return (p < error) == outside


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("kind", kinds())
def test_p_is_below_an_error_where_the_interval_leaves_the_value_out(kind, error):
    found = kinds()[kind]
    ends = found.interval(1 - error)
    for end in ends:
        for by in NEAR:
            null = found.value + (end - found.value) * by
            inside = (null > found.low) & (null < found.high)
            assert agrees(found.p(null), *ends, null, error)[inside].all(), (kind, null)
    for null in np.random.default_rng(1).normal(found.value, 0.3, (20, len(found))):
        assert agrees(found.p(null), *ends, null, error).all()
    assert (found.p(found.value) == 1).all()


@pytest.mark.parametrize("error", ERRORS)
def test_differences_of_tables(error):
    found = kinds()
    one = stack([found[name] for name in ("shares", "win rates", "complements")]).known
    two = stack([found[name] for name in ("complements", "shares", "win rates")]).known
    low, high = difference_interval(one, two, 1 - error)
    assert agrees(difference_p(one, two), low, high, 0.0, error).all()


@pytest.mark.parametrize("error", ERRORS)
def test_populations(error):
    rng = np.random.default_rng(3)
    rates = np.array([0.0005, 0.002, 0.02, 0.2])[:, None]
    tables = [
        share(rng.random((4, 500)) < rates * scale, low=0.0, high=1.0)
        - share(rng.random((4, 500)) < rates, low=0.0, high=1.0)
        for scale in (1.0, 1.5, 2.0, 3.0)
    ]
    told = Means.of(tables)
    assert agrees(told.p(), *told.interval(1 - error), 0.0, error).all()


def test_what_cancels_is_zero_and_shows_nothing():
    rng = np.random.default_rng(2)
    one, two, three = (share(rng.random((5, 60)) < 0.3, low=0, high=1) for _ in range(3))
    nothing = (one - two) * (1 / 3) + (two - three) / 3.0 - (one - three) / 3.0
    assert (nothing.value == 0).all()
    assert (nothing.error == 0).all()
    assert (nothing.p() == 1).all()
    tenth = share(np.full(60, 0.1)) + share(np.full(60, 0.2)) - share(np.full(60, 0.3))
    assert tenth.value[0] == 0
    assert tenth.p()[0] == 1


def test_weights_that_move_are_no_change_of_a_share_that_stays():
    """A rule that offers more decisions, of which the same share is forced, changes no share."""
    rng = np.random.default_rng(4)
    whole = rng.integers(2, 9, (1, 300)) * 10.0
    more = whole * rng.integers(1, 4, whole.shape)
    same = change(
        ratio(more * 0.3, more, 300, low=0.0, high=1.0),
        ratio(whole * 0.3, whole, 300, low=0.0, high=1.0),
    )
    assert same.value[0] == 0
    assert same.p()[0] == 1


@pytest.mark.whole_but("pair", "certain", "rarely_moved", "thirty_deals", "two_deals", "longer")
@pytest.mark.parametrize("name", PLANTS)
def test_every_row_of_planted_studies(tmp_path, name):
    stored = open_study(planted_as(tmp_path / name, name))
    for level in (0.8, 0.95, 0.99):
        frame = answers(stored.cells, stored.totals, study=stored.study, level=level).frame
        tested = frame.filter(pl.col("p").is_not_null())
        assert tested.height
        for row in tested.iter_rows(named=True):
            for p, low, high in (("p", "low", "high"), ("p_holm", "low_all", "high_all")):
                if p == "p_holm" and row["low_all"] is None and row["high_all"] is None:
                    continue
                ends = (np.nan if row[end] is None else row[end] for end in (low, high))
                assert agrees(row[p], *ends, null_of(row, stored), 1 - level), row


def null_of(row, stored):
    if row["kind"] == "payoff":
        return 0.5
    if row["kind"] != "level":
        return 0.0
    cells = (one for one in stored.cells if one.lineup == row["lineup"])
    return 1 / next(len(c.seats) for c in cells if all(row[k] == v for k, v in c.point.items()))
