"""The frame over studies made up in memory: what is told where, and what was wrong once."""

import itertools
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from scipy.optimize import minimize

from studies.answers.distribution import quantiles
from studies.answers.luck import FEWEST_DEALS
from studies.view.answered import Answered
from studies.view.claims import is_reversed
from studies.view.query import View
from tests.studies.answer_rows import VARIANT, Cell, Made, columns, contested, only, totals

# ---- variants and points


def test_how_often_another_seat_wins_is_told_and_compared_over_all_pairs():
    made = Made()
    for at, (variant, options) in enumerate(
        {"baseline": {}, "x": {"x": 1}, "y": {"y": 1}, "x_y": {"x": 1, "y": 1}}.items()
    ):
        cell = Cell(("a", "b", "c"), 3, variant=variant, options=options)
        made.add(cell, contested(cell.seats, 300, 3, at, anew=0.4 if at else 0.0))
    frame = made.frame()
    levels = frame.filter(variant="x", kind="level")
    assert set(levels["number"]) == {"another_winner", "unrelated", "agreement", "in_play"}
    assert levels["p"].null_count() == levels.height  # events were seen: nothing to test against 0
    moved, chance = (only(levels, number=n)["estimate"] for n in ("another_winner", "unrelated"))
    assert 0.1 < moved < 0.4 < chance < 0.7
    pairs = frame.filter(kind="difference", number="another_winner")
    assert pairs.height == 3
    assert set(pairs["family"]) == {"variants: another_winner"}


def test_unrelated_matches_are_all_pairs_of_other_deals():
    before, after = np.array([[1], [2], [1], [0], [2]]), np.array([[1], [2], [2], [1], [2]])
    made = Made().add(Cell(), columns(before)).add(VARIANT, columns(after))
    pairs = [
        before[i, 0] != after[j, 0]
        for i, j in itertools.permutations(range(5), 2)
        if before[i, 0] and after[j, 0]
    ]
    row = only(made.frame(), variant="v", number="unrelated")
    assert row["estimate"] == pytest.approx(np.mean(pairs))


def test_a_variant_that_stopped_earlier_is_compared_on_its_own_deals():
    base, seats = contested(("a", "b"), 400), ("a", "b")
    made = Made().add(Cell(), base)
    early = {name: values[:150] for name, values in base.items()}
    made.rows[made.cells[0].id] = early
    after = contested(seats, 400, seed=4, anew=0.2)
    frame = made.add(VARIANT, {name: values[:150] for name, values in after.items()}).frame()
    row = only(frame, kind="change", number="turns", variant="v")
    assert row["baseline"] == pytest.approx(early["turns"].mean())
    assert row["deals"] == 150
    assert only(frame, kind="level", number="turns", variant="baseline")["deals"] == 400


def test_without_shared_deals_changes_are_told_and_pairs_are_not():
    made = Made().add(Cell(), contested(("a", "b"), 300))
    frame = made.add(VARIANT, contested(("a", "b"), 200, seed=5), paired=False).frame()
    row = only(frame, kind="change", number="turns")
    assert row["low"] < row["estimate"] < row["high"]
    assert not len(frame.filter(number="another_winner"))


def test_cells_that_cannot_be_compared_are_named():
    made = Made().add(Cell(), contested(("a", "b"), 30))
    three = ("a", "b", "c")
    answers = made.add(Cell(variant="v", seats=three), contested(three, 30)).answers()
    assert "other seats than the baseline" in answers.notes[0]
    assert "v" not in answers.frame["variant"].to_list()


def test_equivalence_is_corrected_over_all_margins_of_the_study():
    made = Made().add(Cell(), contested(("a", "b"), 300))
    made.add(VARIANT, contested(("a", "b"), 300, seed=4, anew=0.3))
    least, count = {}, {}
    for margins in ({"turns": 0.35}, {"turns": 0.35, "win_rate": 0.06}):
        rows = made.frame(margins=margins).drop_nulls("p_equivalent")
        least[len(margins)] = rows.filter(number="turns")["p_equivalent"].min()
        count[len(margins)] = rows.height
    assert count[1] < count[2]
    assert 0 < least[1] < least[2]


@pytest.mark.parametrize("ends", list(itertools.product([(-3, -1), (-1, 1), (1, 3)], repeat=2)))
def test_a_lead_is_reversed_only_where_neither_interval_holds_0(ends):
    before, after = ({"low": float(low), "high": float(high)} for low, high in ends)
    gap = {"lineup": "t", "who": "policy a", "against": "policy b", "estimate": 0.0}
    rows = [
        {**gap, "variant": variant, "kind": kind, **ends}
        for variant, kind, ends in (("baseline", "difference", before), ("v", "after", after))
    ]
    view = View(Answered(pl.DataFrame([{**row, "number": "win_rate"} for row in rows])))
    apart = all(low > 0 or high < 0 for low, high in ends)
    assert is_reversed(view, {**gap, "variant": "v"}) == (apart and ends[0] != ends[1])


@pytest.mark.parametrize("values", [2, 3, 4, 5, 6])
def test_points_of_a_sweep_are_compared_in_all_pairs_up_to_four(values):
    made = Made()
    for value in range(values):
        made.add(Cell(point={"dial": value}), contested(("a", "b"), 300, seed=value))
    frame = made.frame().filter(number="turns")
    levels = dict(frame.filter(kind="level").select("dial", "estimate").iter_rows())
    rows = frame.filter(kind="point").to_dicts()
    firsts = range(values) if values <= 4 else [0]
    assert {(row["against"], row["dial"]) for row in rows} == {
        (f"dial = {first}", second) for first in firsts for second in range(first + 1, values)
    }
    for row in rows:
        first = levels[int(row["against"].removeprefix("dial = "))]
        assert row["estimate"] == pytest.approx(levels[row["dial"]] - first)


def test_a_point_without_events_is_not_known_exactly():
    # Of 700 matches on 100 deals 3 are shared; of 100 matches on 100 deals none.
    seats, made = tuple("abcdefg"), Made()
    often = np.ones((100, 7), int)
    often[:3, 0] = 3
    for dial, rotations, winners in ((0, 1, np.ones((100, 1), int)), (1, 7, often)):
        cell = Cell(seats=seats, rotations=rotations, point={"dial": dial})
        made.add(cell, columns(winners))
        made.totals[cell.id] = totals(cell, columns(winners))
    row = only(made.frame(), kind="point", number="win_rate", who="position 1")
    assert row["estimate"] > 0
    assert row["low"] < -0.02
    assert row["p"] > 0.1


# ---- shares and quantiles


@pytest.mark.parametrize("lost", [0, 3])
def test_a_policy_that_holds_two_seats_wins_at_most_half_a_match_with_each(lost):
    winners = np.ones((60, 1), int)
    winners[:lost] = 2
    frame = Made().add(Cell(seats=("a", "b", "a", "b")), columns(winners)).frame()
    row = only(frame, kind="level", number="win_rate", who="policy a")
    assert row["estimate"] == pytest.approx(0.5 * (1 - lost / 60))
    assert row["low"] < row["estimate"] <= row["high"] <= 0.5


def test_quantiles_rest_on_deals_and_not_on_matches():
    turns = np.repeat(np.arange(1, 101)[:, None], 4, axis=1)  # a deal's four matches are alike
    cell = Cell(seats=("a", "b", "c", "d"), rotations=4)
    row = only(
        Made().add(cell, columns(np.ones((100, 4), int), turns=turns)).frame(), number="turns q50"
    )
    assert row["estimate"] == 50
    assert row["low"] <= 41
    assert row["high"] >= 60


@pytest.mark.parametrize(("deals", "ranks"), [(9, (2, 8)), (20, (6, 15)), (50, (18, 33))])
def test_a_median_lies_between_the_ranks_of_the_tables(deals, ranks):
    """Of the distribution-free interval, as tables of the sign test give them."""
    ((_, low, high),) = quantiles(dict.fromkeys(range(1, deals + 1), 1), (0.5,), deals)
    assert (low, high) == ranks


@pytest.mark.parametrize("aborted", [0.3, 0.8])
def test_quantiles_of_decided_matches_have_the_deals_that_were_decided(aborted):
    """A margin is known of decided matches alone; deals without any tell nothing of it."""
    rows = contested(("a", "b"), 400, aborted=aborted)
    for name in ("comeback", "lead_changes", "last_lead_change"):
        rows[name] = np.full(400, 5)
    rows["turns"] = np.full(400, 20)
    decided = {name: values[rows["winners"] > 0] for name, values in rows.items()}
    every, few = (
        Made()
        .add(Cell(), chosen)
        .frame()
        .filter(pl.col("number").str.starts_with("margin q"), kind="quantile")
        .select("estimate", "low", "high")
        for chosen in (rows, decided)
    )
    assert every.height == 5
    assert every.equals(few)


# ---- strengths and payoffs


def test_why_there_is_no_ladder_is_said():
    apart = Made()
    for lineup in ("ab", "cd"):
        cell = Cell(seats=tuple(lineup), lineup=lineup, rotations=2)
        apart.add(cell, contested(cell.seats, 50, 2))
    assert "a, b and c, d have never met" in " ".join(apart.answers().notes)
    always = Made().add(Cell(rotations=2), columns([[1, 2]] * 40))
    assert "nobody else has won a match against a" in " ".join(always.answers().notes)
    assert always.frame().filter(kind="strength").is_empty()
    few = Made().add(Cell(rotations=2), contested(("a", "b"), 3, 2)).answers()
    assert few.frame.filter(kind="strength").is_empty()
    assert "No strengths before 10 deals of a table are played" in few.notes


def test_policies_that_never_held_the_same_seat_are_not_compared():
    """The first seat wins 60 % whoever sits there; one policy always does."""
    made = Made().add(Cell(lineup="as they sit"), columns([[1], [1], [1], [2], [2]] * 40))
    answers = made.answers()
    of_policies = answers.frame.filter(pl.col("who").str.starts_with("policy"))
    assert set(of_policies["kind"]) == {"level", "seating"}
    assert "a and b never held the same position" in " ".join(answers.notes)
    # The same deals with the seats exchanged: each policy has held both.
    made.add(Cell(seats=("b", "a"), lineup="exchanged"), columns([[1], [1], [1], [2], [2]] * 40))
    row = only(made.frame(), kind="strength", who="policy a", against="policy b")
    assert row["estimate"] == pytest.approx(0, abs=1e-9)


def test_a_metric_below_the_bound_that_metrics_have_has_none():
    losses = np.random.default_rng(2).integers(-9, -1, 60)
    row = only(Made().add(Cell(), columns([[1]] * 60, losses=losses)).frame(), number="losses")
    assert row["low"] < row["estimate"] < row["high"] < 0


TABLES = [("a", "b"), ("b", "c"), ("a", "b", "c"), ("c", "a", "c")]


def wins_of(seats, rows):
    """Return the matches that the seats of each policy won, shared wins by their share."""
    wins = dict.fromkeys(seats, 0.0)
    for mask, rotation in zip(rows["winners"], rows["rotation"], strict=True):
        for seat in range(len(seats)):
            if mask >> seat & 1:
                wins[seats[(seat + rotation) % len(seats)]] += 1 / int(mask).bit_count()
    return wins


def test_strengths_and_payoffs_of_many_tables():
    """Strengths are the maximum of their likelihood; payoffs count all tables that two share."""
    made, wins = Made(), {}
    for number, seats in enumerate(TABLES):
        rows = contested(seats, 120, len(seats), number, strength={"a": 0.6, "b": 0.3})
        made.add(Cell(seats=seats, rotations=len(seats), lineup=str(number)), rows)
        wins[seats] = wins_of(seats, rows)

    def loss(free):
        value = dict(zip("abc", (*free, 0.0), strict=True))
        return -sum(
            won * (value[policy] - np.log(sum(np.exp(value[seat]) for seat in seats)))
            for seats, by_policy in wins.items()
            for policy, won in by_policy.items()
        )

    frame = made.frame()
    a, b = minimize(loss, [0, 0], tol=1e-12).x
    strengths = frame.filter(kind="strength")
    for against, expected in (("policy c", a), ("policy b", a - b)):
        row = only(strengths, who="policy a", against=against)
        assert row["estimate"] == pytest.approx(expected, abs=1e-5)
    for pair in itertools.permutations("abc", 2):
        mine, theirs = (
            sum(
                by_policy[policy] / seats.count(policy)
                for seats, by_policy in wins.items()
                if set(pair) <= set(seats)
            )
            for policy in pair
        )
        who, against = (f"policy {policy}" for policy in pair)
        row = only(frame, kind="payoff", who=who, against=against)
        assert row["estimate"] == pytest.approx(mine / (mine + theirs))


@pytest.mark.parametrize(
    ("seats", "winners", "note"),
    [
        ("ac", [1, 2], "Below all policies that are rated, with no win against them: c"),
        ("abc", [4, 2, 1], "Above all policies that are rated, with no loss against them: c"),
    ],
)
def test_who_never_wins_or_never_loses_leaves_the_ladder_of_the_others(seats, winners, note):
    """Under Luce's rule, who is left out changes nothing of the odds of the others."""
    duel = Cell(rotations=2, lineup="duel")
    made = Made().add(duel, contested(("a", "b"), 120, 2, strength={"a": 0.5}))
    usual = made.frame().filter(kind="strength")
    cell = Cell(seats=tuple(seats), rotations=len(seats), lineup="certain")
    answers = made.add(cell, columns([winners] * 60)).answers()
    ladder = answers.frame.filter(kind="strength")
    assert set(ladder["who"]) == {"policy a", "policy b"}
    assert ladder["estimate"].to_list() == pytest.approx(usual["estimate"].to_list(), abs=1e-8)
    assert note in answers.notes


@pytest.mark.parametrize("seats", [("a", "b", "b"), ("a", "b", "b", "b"), ("a", "a", "b", "c")])
def test_payoffs_of_policies_that_are_alike_are_even_whatever_seats_they_hold(seats):
    cell = Cell(seats=seats, rotations=len(seats))
    payoffs = Made().add(cell, contested(seats, 2_000, len(seats))).frame().filter(kind="payoff")
    assert payoffs.height == len(set(seats)) * (len(set(seats)) - 1)
    assert (payoffs["low"] < 0.5).all()
    assert (payoffs["high"] > 0.5).all()
    assert (payoffs.filter(pl.col("family") != "")["p"] > 0.05).all()


# ---- populations, luck


def test_rows_of_a_population():
    made = Made(
        study=SimpleNamespace(
            factors=None, variants={"v": {}}, population=SimpleNamespace(names=["t1", "t2", "t3"])
        )
    )
    for number, lineup in enumerate(["t1", "t2", "t3", "other"]):
        seats = ("a", "b") if number else ("a", "a")
        for variant, options, anew in (("baseline", {}, 0.0), ("v", {"x": 1}, 0.3)):
            cell = Cell(seats=seats, lineup=lineup, variant=variant, options=options)
            made.add(cell, contested(seats, 200, 1, number, anew=anew))
    frame = made.frame()
    rows = frame.filter(lineup="population", kind="population", variant="v")
    changes = frame.filter(kind="change", number="turns").filter(pl.col("lineup") != "other")
    row = only(rows, number="turns")
    assert row["estimate"] == pytest.approx(changes["estimate"].mean())
    new = only(frame, kind="prediction", number="turns", variant="v")
    assert new["low"] < row["low"] < row["high"] < new["high"]
    # Of a policy only where it sits with others; of positions in a family of their own.
    assert only(rows, number="win_rate", who="policy a")["against"] == "2 tables"
    assert only(rows, number="win_rate", who="position 0")["family"] == "population: seats"
    # A rule's relative change is the mean of the tables', not that of the mean length.
    relative = frame.filter(kind="relative", number="turns", variant="v")
    drawn = relative.filter(pl.col("lineup").is_in(["t1", "t2", "t3"]))
    mean = only(relative, lineup="population")
    assert mean["estimate"] == pytest.approx(drawn["estimate"].mean())
    assert mean["low"] < mean["estimate"] < mean["high"]


def test_luck_and_skill_are_told_of_the_deals_that_are_whole():
    cell = Cell(seats=("a", "b", "c"), rotations=3)
    few = Made().add(cell, contested(cell.seats, FEWEST_DEALS, 3, aborted=0.2)).answers()
    assert few.frame.filter(kind="variance").is_empty()
    assert any("all matches" in note for note in few.notes)
    for strength, least, most in (({"a": 3.0}, 0.3, 1.0), ({}, -0.01, 0.003)):
        rows = contested(cell.seats, 600, 3, strength=strength)
        skill = only(Made().add(cell, rows).frame(), kind="variance", number="policy")
        assert least <= skill["low"] <= most
