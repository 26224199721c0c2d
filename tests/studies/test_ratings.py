"""Ratings of a played study against the definitions, row by row."""

import itertools
import math
from collections import defaultdict
from statistics import mean

import pytest
from scipy.stats import binomtest

from studies import load
from studies.compare.effects import compare
from studies.compare.ratings import rate
from studies.run.run import run_study
from studies.stats.intervals import Moments, clustered_mean
from tests.studies.conftest import study
from tests.studies.planted import plant, winners_by

TRIO = ["greedy", "shedder", "hoarder"]


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    where = tmp_path_factory.mktemp("ratings") / "study"
    pairs = [list(pair) for pair in itertools.combinations(TRIO, 2)]
    lineups = [{"name": "-".join(pair), "seats": pair, "rotate": True} for pair in pairs]
    lineups += [{"name": "trio", "seats": TRIO, "rotate": True}]
    lineups += [{"name": "alone", "seats": ["greedy"]}]
    options = {"players": 4, "rounds": 1}
    lineups[-2]["seats"] = [*TRIO, "greedy"]
    run_study(study(options=options, lineups=lineups, variants={}, matches=300), where, threads=2)
    return where


@pytest.fixture(scope="module")
def rated(directory):
    return rate(directory)


@pytest.fixture(scope="module")
def rows(directory):
    table = defaultdict(list)
    for row in load(directory).collect().to_dicts():
        table[row["lineup"]].append(row)
    return table


def holders(row):
    """Return who sits where in a row."""
    return [row[f"seat_{(seat + row['rotation']) % 4}"] for seat in range(4)]


def share(row, policy):
    """Return a policy's win rate per seat."""
    seats = [seat for seat, own in enumerate(holders(row)) if own == policy]
    won = sum(row["winners"] >> seat & 1 for seat in seats)
    return won / max(row["winners"].bit_count(), 1) / len(seats)


def by_deal(rows, value):
    deals = defaultdict(list)
    for row in rows:
        deals[row["match"]].append(value(row))
    return [mean(deals[match]) for match in sorted(deals)]


def test_compare_gives_the_same(directory, rated):
    found = compare(directory)
    assert (found.lineups, found.ratings) == rated


def test_shares_and_differences(rated, rows):
    result = next(one for one in rated[0] if one.lineup == "trio")
    assert {own.policy: own.seats for own in result.policies} == {
        "greedy": 2,
        "shedder": 1,
        "hoarder": 1,
    }
    for own in result.policies:
        expected = clustered_mean(
            Moments.of(by_deal(rows["trio"], lambda row, own=own: share(row, own.policy)))
        )
        assert own.win_share.estimate == pytest.approx(expected.estimate)
        assert own.win_share.low == pytest.approx(expected.low)
        assert own.simultaneous.low < own.win_share.low
    for gap in result.differences:
        expected = clustered_mean(
            Moments.of(
                by_deal(
                    rows["trio"],
                    lambda row, gap=gap: share(row, gap.first) - share(row, gap.second),
                )
            )
        )
        assert gap.difference.estimate == pytest.approx(expected.estimate)
        assert gap.difference.high == pytest.approx(expected.high)
        assert gap.simultaneous.high > gap.difference.high
        assert gap.p_family >= gap.p


def test_payoffs_are_those_of_the_tables_of_two(rated, rows):
    rating = rated[1][0]
    assert rating.policies == TRIO
    assert rating.lineups == ["greedy-shedder", "greedy-hoarder", "shedder-hoarder", "trio"]
    for own in rating.payoffs:
        table = rows[f"{own.first}-{own.second}"]
        first, second = (
            mean(share(row, name) for row in table) for name in (own.first, own.second)
        )
        assert own.duels
        assert own.matches == len(table) == 600
        assert own.payoff.estimate == pytest.approx((first - second) / (first + second))
        assert own.simultaneous.low < own.payoff.estimate < own.simultaneous.high


def test_strengths_are_most_likely(rated, rows):
    """The sum of log-probabilities falls in every direction from the estimate."""
    rating = rated[1][0]
    strengths = {own.policy: own.strength.estimate for own in rating.strengths}
    assert strengths[rating.reference] == 0
    finished = [row for name, table in rows.items() if name != "alone" for row in table]
    finished = [row for row in finished if row["winners"]]
    assert rating.orders == len(finished)

    def log_likelihood(strengths):
        total = 0.0
        for row in finished:
            names = holders(row)
            keys = [(not row["winners"] >> seat & 1, row[f"score_{seat}"]) for seat in range(4)]
            left = set(range(4))
            while left:
                best = min(keys[seat] for seat in left)
                tied = [seat for seat in left if keys[seat] == best]
                if len(tied) < len(left):
                    total += tie(tied, left, names, strengths)
                left -= set(tied)
        return total

    def tie(tied, left, names, strengths):
        chance = 0.0
        for order in itertools.permutations(tied):
            product, rest = 1.0, set(left)
            for seat in order:
                worths = sum(math.exp(strengths[names[other]]) for other in rest)
                product *= math.exp(strengths[names[seat]]) / worths
                rest.remove(seat)
            chance += product
        return math.log(chance)

    best = log_likelihood(strengths)
    for policy in TRIO:
        slopes = [
            log_likelihood(strengths | {policy: strengths[policy] + step}) - best
            for step in (0.02, -0.02)
        ]
        assert max(slopes) < 0
        assert slopes[0] == pytest.approx(slopes[1], rel=0.05)


def test_values_of_a_parameter_are_rated_together(tmp_path):
    chosen = study(
        sweep={"collapser.cap": [0, 9], "rounds": [1, 2]},
        lineups=[{"name": "pair", "seats": ["collapser", "random"], "rotate": True}],
        variants={},
        matches=10,
    )
    run_study(chosen, tmp_path, threads=1)
    ratings = rate(tmp_path)[1]
    assert [rating.point for rating in ratings] == [{"rounds": 1}, {"rounds": 2}]
    assert [len(rating.policies) for rating in ratings] == [3, 3]


def planted_table(place, deals, rows):
    """Rate a table of three at which the winners are planted."""
    seats = ["greedy", "random", "guard"]
    plant(place, deals, rows, lineups=[{"name": "table", "seats": seats}], variants={})
    return rate(place)[0][0]


def test_three_shares_together_where_one_wins_always(tmp_path):
    """Each at a third of the error, by Clopper and Pearson's limits of no event."""
    result = planted_table(tmp_path, 200, lambda *_: None)
    assert [own.win_share.estimate for own in result.policies] == [1, 0, 0]
    for own in result.policies[1:]:
        for told, error in ((own.win_share, 0.05), (own.simultaneous, 0.05 / 3)):
            most = binomtest(0, 200).proportion_ci(1 - error, method="exact").high
            assert told.high == pytest.approx(most)


def test_differences_together_where_few_deals_tell(tmp_path):
    """All share the win but for 20 deals: of three differences each has a third of the error."""

    def rows(_, columns):
        columns["winners"][:] = 0b111
        columns["winners"][:20] = 0b001

    result = planted_table(tmp_path, 400, rows)
    for gap in result.differences:
        assert gap.simultaneous.high > gap.difference.high
        if gap.first != "greedy":
            for told, error in ((gap.difference, 0.05), (gap.simultaneous, 0.05 / 3)):
                most = binomtest(0, 400).proportion_ci(1 - error, method="exact").high
                assert told.high == pytest.approx(most)


def test_one_difference_is_a_family_of_its_own(tmp_path):
    """Fewer deals than groups: those without any are no observations."""

    def rows(_, columns):
        columns["winners"][:] = winners_by((0.6, 0.4), columns["winners"].shape, 1)

    lineups = [{"name": "pair", "seats": ["greedy", "random"]}]
    options = {"players": 2, "rounds": 1}
    plant(tmp_path, 100, rows, lineups=lineups, variants={}, options=options)
    gap = rate(tmp_path)[0][0].differences[0]
    assert (gap.simultaneous.low, gap.simultaneous.high) == pytest.approx(
        (gap.difference.low, gap.difference.high)
    )


def test_a_rating_tells_the_aborted_matches_of_all_its_tables(tmp_path):
    def rows(cell, columns):
        shape = columns["winners"].shape
        columns["winners"][:] = winners_by((0.5, 0.3, 0.2), shape, 1)
        columns["aborted"][: 10 if cell.lineup == "one" else 25] = True

    lineups = [{"name": name, "seats": ["greedy", "random"]} for name in ("one", "two")]
    plant(tmp_path, 200, rows, lineups=lineups, variants={})
    rating = rate(tmp_path)[1][0]
    assert (rating.deals, rating.aborted, rating.orders) == (200, 35, 365)
