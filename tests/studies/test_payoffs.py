import itertools
import math

import numpy as np
import pytest
from scipy.stats import binomtest

from studies.compare import payoffs
from studies.compare.payoffs import Meeting, describe_payoffs
from studies.stats.groups import GROUPS

NAMES = ["rock", "paper", "scissors"]


def duel(generator, pair, chance, deals=GROUPS):
    """Return a meeting of two whose first wins each deal with a chance, in one match a deal."""
    won = generator.random(deals) < chance
    shares, counted = np.zeros((2, GROUPS)), np.zeros(GROUPS)
    groups = np.arange(deals) % GROUPS
    np.add.at(shares[0], groups, won)
    np.add.at(shares[1], groups, ~won)
    np.add.at(counted, groups, 1)
    return Meeting(list(pair), shares, counted, 1)


def cycle(generator, edge, deals=GROUPS):
    return [duel(generator, pair, 0.5 + edge / 2, deals) for pair in ((1, 0), (2, 1), (0, 2))]


def test_payoff_is_the_win_share_in_a_duel():
    meeting = duel(np.random.default_rng(1), (0, 1), 0.7)
    found = describe_payoffs(NAMES[:2], [meeting], 0.95).payoffs[0]
    won = meeting.shares[0].sum() / GROUPS
    assert found.payoff.estimate == pytest.approx(2 * won - 1)
    half = 1.96 * 2 * math.sqrt(won * (1 - won) / GROUPS)
    assert (found.payoff.high - found.payoff.low) / 2 == pytest.approx(half, rel=0.08)
    assert (found.first, found.second, found.duels, found.matches) == (
        "rock",
        "paper",
        True,
        GROUPS,
    )


def test_rock_paper_scissors_is_a_cycle():
    found = describe_payoffs(NAMES, cycle(np.random.default_rng(2), 0.4, 5000), 0.95)
    assert len(found.cycles) == 1
    rock = found.cycles[0].policies.index("rock")
    assert found.cycles[0].policies[rock - 2] == "scissors"  # the next, whom it beats
    truth = 3 * math.log(0.7 / 0.3)
    assert found.cycles[0].strength.low < truth < found.cycles[0].strength.high
    assert found.cyclic_p < 0.01
    assert found.cyclic.low > 0.5 * found.cyclic.estimate
    assert found.transitive.low == 0
    for own in found.nash:
        assert own.mass.low < 1 / 3 < own.mass.high
        assert own.against.low <= 0 <= own.against.high + 1e-9


def test_strengths_make_no_cycle():
    # Bradley–Terry with log-odds 0, 1, 2: no rating on the payoffs' own scale would fit.
    generator = np.random.default_rng(30)
    meetings = [
        duel(generator, (i, j), 1 / (1 + math.exp(j - i)), 20_000)
        for i in range(3)
        for j in range(i)
    ]
    found = describe_payoffs(["a", "b", "c"], meetings, 0.95)
    assert found.cycles == ()
    assert found.cyclic.low == 0
    assert found.transitive.estimate == pytest.approx(math.sqrt(2), abs=0.06)
    assert [own.policy for own in found.nash] == ["c", "b", "a"]
    assert found.nash[0].mass.estimate == pytest.approx(1)


def test_one_table_of_all_shows_no_cycle():
    generator = np.random.default_rng(4)
    winner = generator.choice(3, size=GROUPS, p=[0.5, 0.3, 0.2])
    meeting = Meeting([0, 1, 2], (winner == np.arange(3)[:, None]) * 1.0, np.ones(GROUPS), 1)
    found = describe_payoffs(NAMES, [meeting], 0.95)
    assert (found.cyclic, found.cycles) == (None, ())
    assert not found.payoffs[0].duels
    assert len(found.nash) == 3


def test_two_who_never_met_have_no_payoff_and_nobody_a_mixture():
    generator = np.random.default_rng(5)
    found = describe_payoffs(NAMES, cycle(generator, 0.2)[:2], 0.95)
    assert {(own.first, own.second) for own in found.payoffs} == {
        ("rock", "paper"),
        ("paper", "scissors"),
    }
    assert found.nash == ()


def test_always_winning_is_not_certain():
    found = describe_payoffs(NAMES[:2], [duel(np.random.default_rng(6), (0, 1), 2.0)], 0.95)
    own = found.payoffs[0]
    assert own.payoff.estimate == 1
    assert own.simultaneous.low <= own.payoff.low < 1 - 2 * 3 / GROUPS
    most = binomtest(0, GROUPS).proportion_ci(0.95, method="exact").high
    best, worst = found.nash
    assert (best.policy, worst.policy) == ("rock", "paper")
    assert worst.against.estimate == -1
    assert worst.against.high == pytest.approx(2 * most - 1)


def test_together_one_sided_payoffs_reach_further():
    """Of three payoffs each has a third of the error: Clopper and Pearson's limits at that."""
    generator = np.random.default_rng(6)
    pairs = [duel(generator, (0, 1), 2.0), *(duel(generator, (own, 2), 0.6) for own in (0, 1))]
    own = describe_payoffs(NAMES, pairs, 0.95).payoffs[0]
    for told, error in ((own.payoff, 0.05), (own.simultaneous, 0.05 / 3)):
        most = binomtest(0, GROUPS).proportion_ci(1 - error, method="exact").high
        assert told.low == pytest.approx(1 - 2 * most)


def test_a_cycle_is_shown_among_all_triples_at_once():
    """Of four there are four triples; the largest deviation of all of them sets the bound."""
    generator = np.random.default_rng(11)
    pairs = list(itertools.combinations(range(4), 2))
    ring = {(0, 1): 0.7, (1, 2): 0.7, (0, 2): 0.3}
    meetings = [duel(generator, pair, ring.get(pair, 0.6), 4 * GROUPS) for pair in pairs]
    found = describe_payoffs([*NAMES, "well"], meetings, 0.95)
    strength = found.cycles[0].strength
    won = [meetings[pairs.index(pair)].shares.sum(axis=1) for pair in ring]
    error = math.sqrt(sum(1 / one + 1 / other for one, other in won))
    assert set(found.cycles[0].policies) == set(NAMES)
    assert 2.2 * error < strength.high - strength.estimate < 2.8 * error


def test_deals_of_all_tables_are_drawn_together():
    # At the second table everything goes the other way on the same deals: the sum is known exactly.
    generator = np.random.default_rng(7)
    one = duel(generator, (0, 1), 0.5)
    other = Meeting([0, 1], one.shares[::-1], one.deals, 1)
    found = describe_payoffs(NAMES[:2], [one, other], 0.95).payoffs[0]
    assert found.payoff.high - found.payoff.low < 0.01


def repeated(meeting, matches_a_deal):
    """Return a meeting of several matches a deal that all end alike: shares a deal are the same."""
    return Meeting(meeting.policies, meeting.shares, meeting.deals, matches_a_deal)


def test_matches_of_a_deal_are_drawn_together():
    """Four matches of a deal that end alike tell no more than one."""
    one = duel(np.random.default_rng(9), (0, 1), 0.6)
    alone, four = (
        describe_payoffs(NAMES[:2], [meeting], 0.95).payoffs[0]
        for meeting in (one, repeated(one, 4))
    )
    won = one.shares[0].sum() / GROUPS
    half = 1.96 * 2 * math.sqrt(won * (1 - won) / GROUPS)
    for own in (alone, four):
        assert (own.payoff.high - own.payoff.low) / 2 == pytest.approx(half, rel=0.08)
        assert (own.simultaneous.high - own.simultaneous.low) / 2 == pytest.approx(half, rel=0.08)
    assert (alone.matches, four.matches) == (GROUPS, 4 * GROUPS)


@pytest.mark.parametrize("matches_a_deal", [1, 4])
def test_half_a_win_is_added_where_one_never_lost(matches_a_deal):
    # A deal counts 1 over all its matches, so that half a win is 1/8 at four matches a deal.
    generator = np.random.default_rng(10)
    pairs = (((1, 0), 2.0), ((2, 1), 0.7), ((0, 2), 0.7))
    meetings = [repeated(duel(generator, *pair), matches_a_deal) for pair in pairs]
    found = describe_payoffs(NAMES, meetings, 0.95)
    half = 0.5 / matches_a_deal
    odds = [
        math.log((meeting.shares[0].sum() + half) / (meeting.shares[1].sum() + half))
        for meeting in meetings
    ]
    around = sum(odds)
    assert found.cycles[0].strength.estimate == pytest.approx(around)
    assert found.cyclic is None  # where log-odds have no bound, no part of them is told


def test_payoffs_and_mixtures_hold_their_level(monkeypatch):
    monkeypatch.setattr(payoffs, "REPLICATES", 499)
    generator = np.random.default_rng(8)
    runs, edge = 200, 0.3
    single = together = mixed = part = 0
    size = math.log((1 + edge) / (1 - edge))
    for _ in range(runs):
        found = describe_payoffs(NAMES, cycle(generator, edge, 800), 0.95)
        truths = [
            -edge if own.second != "scissors" or own.first != "rock" else edge
            for own in found.payoffs
        ]
        inside = [
            own.payoff.low <= truth <= own.payoff.high
            for own, truth in zip(found.payoffs, truths, strict=True)
        ]
        single += sum(inside) / 3
        together += all(
            own.simultaneous.low <= truth <= own.simultaneous.high
            for own, truth in zip(found.payoffs, truths, strict=True)
        )
        mixed += sum(own.mass.low <= 1 / 3 <= own.mass.high for own in found.nash) / 3
        part += found.cyclic.low <= size <= found.cyclic.high
    spread = 4 * math.sqrt(0.05 * 0.95 / runs)
    assert abs(single / runs - 0.95) < spread
    assert abs(together / runs - 0.95) < spread
    assert abs(mixed / runs - 0.95) < spread
    assert part / runs > 0.95 - spread  # on the safe side by construction


def test_who_never_wins_makes_no_part_cyclic():
    """Log-odds of one who always loses have no bound; half a win would make them fit no ranking."""
    generator = np.random.default_rng(20)
    strengths = {1: 0.0, 2: 0.4, 3: 0.8}
    pairs = [(duel(generator, (0, own), -1.0)) for own in strengths]
    pairs += [
        duel(generator, (i, j), 1 / (1 + math.exp(strengths[j] - strengths[i])))
        for i in strengths
        for j in strengths
        if i < j
    ]
    found = describe_payoffs(["none", "a", "b", "c"], pairs, 0.95)
    assert found.cyclic_among == ("a", "b", "c")
    assert found.cyclic_p > 0.05
    assert found.cycles == ()


def test_of_a_pair_that_is_one_sided_the_loser_is_left_out():
    generator = np.random.default_rng(22)
    pairs = {(0, 3): 2.0, (0, 1): 0.6, (0, 2): 0.6, (1, 2): 0.5, (1, 3): 0.9, (2, 3): 0.9}
    meetings = [duel(generator, pair, chance) for pair, chance in pairs.items()]
    found = describe_payoffs(["best", "a", "b", "worst"], meetings, 0.95)
    assert found.cyclic_among == ("best", "a", "b")


@pytest.mark.parametrize(("deals", "shown"), [(GROUPS, True), (4, False)])
def test_a_ring_in_which_everybody_always_beats_the_next(deals, shown):
    generator = np.random.default_rng(21)
    meetings = [duel(generator, pair, 2.0, deals) for pair in ((0, 1), (1, 2), (2, 0))]
    found = describe_payoffs(NAMES, meetings, 0.95)
    assert found.cyclic is None
    assert bool(found.cycles) == shown
    if shown:
        assert set(found.cycles[0].policies) == set(NAMES)
        # Each of the three may have lost now and then: all three limits hold together.
        lost = binomtest(0, deals).proportion_ci(1 - 0.05 / 3, method="exact").high
        low = 3 * math.log((1 - lost) / lost)
        assert found.cycles[0].strength.low == pytest.approx(low)
