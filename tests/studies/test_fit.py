"""The test of fit of the strengths: its level where they hold, and what it finds where not."""

import itertools

import numpy as np
import pytest

from studies.compare.strengths import Stages, fit_strengths
from studies.stats.fit import Block, fit_test
from studies.stats.groups import GROUPS
from tests.studies.test_strengths import counted, draw

POLICIES = ["a", "b", "c", "d"]
TRUTH = {"a": 0.0, "b": 0.3, "c": 0.6, "d": 1.1}


def tables_of(lineups, orders):
    """Return stages of tables: `orders(seats)` gives ranks (deals, rotations, entries)."""
    found = []
    for seats in lineups:
        _, own = counted(seats, orders(seats), len(set(seats)))
        found.append(Stages([POLICIES.index(seat) for seat in seats], own.kinds, own.counts))
    return found


def robin(players):
    return [[*pair] * (players // 2) for pair in itertools.combinations(POLICIES, 2)]


LINEUPS = {
    "duels of two": (robin(2), 300),
    "duels of four": (robin(4), 150),
    "one table of all": ([POLICIES], 400),
    "both, few deals": ([*robin(2), POLICIES], 60),
}


def by_strength(generator, deals, shared=0.0):
    """Return a source of Plackett–Luce orders; `shared` is luck that a deal gives a seat."""

    def orders(seats):
        rotations = len(set(seats))
        ranks = []
        luck = shared * generator.normal(size=(deals, len(seats)))
        for rotation in range(rotations):
            own = np.array([TRUTH[name] for name in seats])
            ranks.append(draw(generator, own + np.roll(luck, rotation, axis=1), (deals, 1))[:, 0])
        return np.stack(ranks, axis=1)

    return orders


def p_of(stages, names=POLICIES):
    test = fit_strengths(stages, names, 0.95).test
    return test.p


def rejected(lineups, deals, studies, seed):
    generator = np.random.default_rng(seed)
    return np.mean(
        [p_of(tables_of(lineups, by_strength(generator, deals))) <= 0.05 for _ in range(studies)]
    )


@pytest.mark.parametrize("kind", LINEUPS)
def test_level(kind):
    """Few studies; the long form tells 5 % from 8 %."""
    lineups, deals = LINEUPS[kind]
    assert rejected(lineups, deals, 5, 1) < 0.5  # P(three of five at 5 %) = 0.001


@pytest.mark.long
@pytest.mark.parametrize("kind", LINEUPS)
def test_level_in_many_studies(kind):
    lineups, deals = LINEUPS[kind]
    assert 0.02 < rejected(lineups, deals, 600, 2) < 0.08


def ring(generator, deals, edge):
    """Return a source of duels at tables of two in which a, b and c beat each other in a ring."""
    better = {("a", "b"): edge, ("b", "c"): edge, ("a", "c"): -edge}

    def orders(seats):
        chance = 0.5 + better.get(tuple(seats), 0.0) / 2
        won = generator.random((deals, 2)) < chance
        return np.stack([~won, won], axis=2).astype(int)

    return orders


def test_a_ring_is_found():
    """Each beats the next in 60 %: no strengths make that; the pairing is named."""
    generator = np.random.default_rng(4)
    lineups = [list(pair) for pair in itertools.combinations("abc", 2)]
    stages = tables_of(lineups, ring(generator, 400, 0.2))
    test = fit_strengths(stages, ["a", "b", "c"], 0.95).test
    assert test.p < 0.01
    worst = test.deviations[0]
    assert worst.winning
    assert worst.seen == pytest.approx({0: 0.6, 1: 0.4, 2: 0.6}[worst.table], abs=0.06)
    assert worst.expected == pytest.approx(0.5, abs=0.06)


def test_who_wins_seldom_and_comes_second_often_is_found():
    """Orders of three: "b" is never last and seldom first, which no one strength gives."""
    generator = np.random.default_rng(5)

    def orders(_):
        second = generator.random((300, 3)) < 0.8
        first = generator.integers(2, size=(300, 3))
        ranks = np.stack([2 * first, np.ones_like(first), 2 - 2 * first], axis=2)
        swapped = ranks[..., [1, 0, 2]]
        return np.where(second[..., None], ranks, swapped)

    stages = tables_of([["a", "b", "c"]], orders)
    test = fit_strengths(stages, ["a", "b", "c"], 0.95).test
    assert test.p < 0.001
    found = {(own.winning, own.policy): own for own in test.deviations}
    assert found[True, 1].seen < found[True, 1].expected - 0.05
    assert found[False, 1].seen > found[False, 1].expected


def test_what_nothing_can_deviate_from_has_no_test():
    generator = np.random.default_rng(6)
    stages = tables_of([["a", "b"]], by_strength(generator, 100))
    assert fit_strengths(stages, ["a", "b"], 0.95).test is None


def test_groups_without_matches_are_no_evidence():
    """Of 1,024 groups, 30 have a deal each: as many signs are drawn, not more."""
    generator = np.random.default_rng(7)
    lineups = [list(pair) for pair in itertools.combinations("abc", 2)]
    stages = tables_of(lineups, ring(generator, 30, 0.1))
    assert stages[0].counts.shape[0] == GROUPS
    assert fit_strengths(stages, ["a", "b", "c"], 0.95).test.p > 0.01


def test_lead_is_over_the_one_it_is_least_sure_of():
    """The runner-up by estimate met the first often, the third seldom: its interval is wider."""
    generator = np.random.default_rng(8)
    names = ["a", "b", "c"]
    stages = []
    for seats, deals in ((["c", "b"], 1000), (["c", "a"], 12), (["a", "b"], 12)):
        _, own = counted(seats, by_strength(generator, deals)(seats), 2)
        stages.append(Stages([names.index(seat) for seat in seats], own.kinds, own.counts))
    fit = fit_strengths(stages, names, 0.95)
    first = max(range(3), key=lambda own: fit.strengths[own].estimate)
    lows = {}
    for other in range(3):
        if other != first:
            spread = np.eye(3)[first] - np.eye(3)[other]
            gap = fit.strengths[first].estimate - fit.strengths[other].estimate
            lows[names[other]] = gap - 1.96 * np.sqrt(spread @ fit.covariance @ spread)
    assert fit.rival == min(lows, key=lows.get)
    assert fit.lead.low == pytest.approx(min(lows.values()), abs=0.02)


def block_of(seen, stages):
    """Return stages of one table whose strengths are taken as known."""
    scores = np.random.default_rng(6).normal(size=(60, len(seen)))
    scores -= scores.mean(axis=0)  # so that as many are expected as were seen
    none = np.zeros((len(seen), len(seen)))
    return Block(0, True, scores, none, np.array(seen, dtype=float), float(stages))


@pytest.mark.parametrize("seen", [(495.0, 5.0), (5.0, 495.0)])
def test_what_is_expected_too_seldom_or_nearly_always_is_not_tested(seen):
    assert fit_test([block_of(seen, 500)], np.zeros((2, 2))) is None
    assert fit_test([block_of((480.0, 20.0), 500)], np.zeros((2, 2))) is not None


def test_shares_are_of_the_stages_also_where_several_come_next_at_once():
    found = fit_test([block_of((90, 60, 50), 150)], np.zeros((3, 3))).deviations
    told = {own.policy: (own.seen, own.expected) for own in found}
    for policy, seen in enumerate((90, 60, 50)):
        assert told[policy] == pytest.approx((seen / 150, seen / 150))
