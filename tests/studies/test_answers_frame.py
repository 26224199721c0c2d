"""The frame over planted studies: laws that hold for every row, and what was wrong once."""

import itertools
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from scipy import stats

from studies.answers.distribution import quantiles
from studies.answers.estimate import ratio
from studies.answers.families import holm
from studies.answers.frame import KINDS
from studies.answers.levels import unrelated
from studies.answers.luck import FEWEST_DEALS
from studies.answers.population import Means
from studies.answers.ratings import Won, _among, _meetings, strengths
from studies.answers.totals import GROUPS
from tests.studies.answer_rows import Cell, Made, columns, one, totals


def played(seats, deals, rotations, seed=0, *, strength=None, aborted=0.0, anew=1.0, first=0.0):
    """Return winners and first seats of matches won by strength and chance, and scores."""
    rng, own = np.random.default_rng([9, deals]), np.random.default_rng([seed, 3])
    players, shape = len(seats), (deals, rotations, len(seats))
    chance = rng.normal(size=shape)
    chance = np.where(own.random(shape[:2])[..., None] < anew, own.normal(size=shape), chance)
    begins = np.broadcast_to(rng.integers(0, players, (deals, 1)), shape[:2])
    for r, seat in itertools.product(range(rotations), range(players)):
        chance[:, r, seat] += (strength or {}).get(seats[(seat + r) % players], 0.0)
        chance[:, r, seat] += first * (begins[:, r] == seat)
    scores = np.round(chance * 20).astype(int)
    best = scores.max(axis=2, keepdims=True) == scores
    winners = (best << np.arange(players)).sum(axis=2)
    winners[own.random(shape[:2]) < aborted] = 0
    turns = 40 + np.round(chance.sum(axis=2)).astype(int)
    return winners, begins, scores.transpose(2, 0, 1), turns


def rows(seats, deals, rotations=1, seed=0, **said):
    winners, begins, scores, turns = played(seats, deals, rotations, seed, **said)
    return columns(winners, first_seat=begins, scores=scores, turns=turns)


@pytest.fixture(scope="module")
def lopsided():
    """A study with all kinds of tables: several players, aborted, ties, duels, two variants."""
    made = Made(margins={"win_rate": 0.2, "turns": 3})
    tables = {
        "duel": ("a", "b"),
        "uneven": ("a", "b", "b"),
        "three": ("a", "b", "c"),
        "alike": ("c", "c"),
    }
    for number, (players, (lineup, seats)) in enumerate(itertools.product((0, 1), tables.items())):
        said = {"lineup": lineup, "point": {"dial": players}, "seats": seats}
        said["rotations"] = 1 if lineup == "alike" else len(seats)
        for at, (variant, options) in enumerate(
            {
                "baseline": {},
                "x": {"x": 1},
                "y": {"y": 1},
                "x_y": {"x": 1, "y": 1},
                "aa": {},
            }.items()
        ):
            made.add(
                Cell(variant=variant, options=options, **said),
                rows(
                    seats,
                    300,
                    said["rotations"],
                    0 if variant == "aa" else at,
                    strength={"a": 0.4 - 0.8 * (variant == "y")},
                    aborted=0.1 * players,
                    anew=0.0 if variant in {"baseline", "aa"} else 0.4,
                    first=0.3,
                ),
            )
        assert number < 8
    return made.answers()


def test_every_p_is_corrected_over_its_family(lopsided):
    frame = lopsided.frame
    tested = frame.filter(pl.col("p").is_not_null())
    assert (tested["family"] != "").all()
    assert frame.filter(family="")["p"].null_count() == len(frame.filter(family=""))
    families = dict(iter(tested.group_by("family")))
    assert len(families) >= 9
    singly = {
        name: own for (name,), own in families.items() if own["low_all"].null_count() == own.height
    }
    assert len(singly) >= 5
    for name, own in singly.items():
        assert own["p_holm"].to_numpy() == pytest.approx(holm(own["p"].to_numpy())), name
    told = frame.filter(pl.col("p_equivalent").is_not_null())
    assert set(told["kind"]) == {"change", "difference"}
    assert (told["equivalent"] == (told["p_equivalent"] <= 0.05)).all()


def test_equivalence_is_corrected_over_all_margins_of_the_study():
    made = Made().add(Cell(), rows(("a", "b"), 300))
    made.add(Cell(variant="v", options={"x": 1}), rows(("a", "b"), 300, seed=4, anew=0.3))
    found = []
    for margins in ({"turns": 0.35}, {"turns": 0.35, "win_rate": 0.06}):
        told = made.frame(margins=margins).drop_nulls("p_equivalent")
        least = told.filter(number="turns")["p_equivalent"].min()
        found.append((least, len(told)))
    (alone, few), (least, many) = found
    assert few < many
    assert 0 < alone < least


def test_rows_are_named_once_and_hold_their_estimates(lopsided):
    frame = lopsided.frame
    names = ["dial", "lineup", "variant", "kind", "who", "number", "against"]
    assert frame.select(names).is_duplicated().sum() == 0
    assert set(frame["kind"]) <= set(KINDS)
    for low, high in (("low", "high"), ("low_all", "high_all")):
        told = frame.drop_nulls([low, high, "estimate"])
        assert (told[low] <= told["estimate"] + 1e-12).all()
        assert (told[high] >= told["estimate"] - 1e-12).all()
    wider = frame.drop_nulls("low_all")
    assert (wider["low_all"] <= wider["low"]).all()
    assert (wider["high_all"] >= wider["high"]).all()


def test_tests_and_intervals_agree(lopsided):
    frame = lopsided.frame.filter(pl.col("kind").is_in(["change", "difference", "interaction"]))
    told = frame.drop_nulls(["p", "low", "high"])
    outside = (told["low"] > 0) | (told["high"] < 0)
    clear = (told["p"] < 0.03) | (told["p"] > 0.08)
    assert len(told) > 200
    assert (outside == (told["p"] < 0.05)).filter(clear).all()


def test_laws_of_symmetry(lopsided):
    frame = lopsided.frame
    for _, own in frame.filter(kind="level", number="win_rate", lineup="three").group_by("dial"):
        for who in ("policy", "position"):
            told = own.filter(pl.col("who").str.starts_with(who))
            assert told["estimate"].sum() == pytest.approx(1)
    changes = frame.filter(kind="change", number="win_rate", against="", lineup="uneven", dial=1)
    held = pl.when(pl.col("who") == "policy b").then(2).otherwise(1)
    by_policy = changes.filter(pl.col("who").str.starts_with("policy"))
    for _, own in by_policy.group_by("variant"):
        assert own.select((pl.col("estimate") * held).sum()).item() == pytest.approx(0, abs=1e-12)
    payoffs = frame.filter(kind="payoff")
    for _, own in payoffs.group_by("dial"):
        told = {(row["who"], row["against"]): row for row in own.iter_rows(named=True)}
        for (who, against), row in told.items():
            other = told[against, who]
            assert row["estimate"] + other["estimate"] == pytest.approx(1)
            assert row["low"] + other["high"] == pytest.approx(1)
    parts = frame.filter(kind="variance")
    for _, own in parts.group_by("dial", "lineup"):
        assert own["estimate"].sum() == pytest.approx(1)


def test_a_change_is_what_is_after_less_the_baseline(lopsided):
    frame = lopsided.frame
    keys = ["dial", "lineup", "variant", "who", "number", "against"]
    both = frame.filter(kind="change").join(frame.filter(kind="after"), on=keys, suffix="_after")
    assert len(both) == len(frame.filter(kind="change"))
    gap = both["estimate_after"] - both["baseline"] - both["estimate"]
    assert gap.abs().max() < 1e-12


def test_a_control_is_level_and_untested(lopsided):
    told = lopsided.frame.filter(variant="aa", kind="change")
    assert (told["estimate"] == 0).all()
    assert told["p"].null_count() == len(told)
    moved = lopsided.frame.filter(variant="aa", number="another_winner", kind="level")
    assert (moved["count"] == 0).all()
    assert (moved["low"] == 0).all()
    assert (moved["high"] > 0).all()


def test_a_reversal_is_seen_by_the_gap_before_and_after(lopsided):
    told = {"who": "policy a", "number": "win_rate", "against": "policy b", "lineup": "duel"}
    frame = lopsided.frame.filter(dial=0)
    before = one(frame, kind="difference", **told)
    moved = one(frame, kind="change", variant="y", **told)
    after = one(frame, kind="after", variant="y", **told)
    assert before["low"] > 0 > after["high"]
    assert moved["baseline"] == pytest.approx(before["estimate"])
    assert moved["high"] < 0


def test_how_often_another_seat_wins_is_a_level_beside_what_unrelated_matches_give(lopsided):
    told = lopsided.frame.filter(variant="x", kind="level", dial=0, lineup="three")
    assert set(told["number"]) == {"another_winner", "unrelated", "agreement", "in_play"}
    assert told["p"].null_count() == len(told)  # events were seen: nothing to test against 0
    moved, other = (one(told, number=n)["estimate"] for n in ("another_winner", "unrelated"))
    assert 0.1 < moved < 0.4 < other < 0.7


def test_unrelated_matches_are_all_pairs_of_other_deals():
    before, after = np.array([[1], [2], [1], [0], [2]]), np.array([[1], [2], [2], [1], [2]])
    made = Made().add(Cell(), columns(before))
    made.add(Cell(variant="v", options={"x": 1}), columns(after))
    pairs = [
        before[i, 0] != after[j, 0]
        for i, j in itertools.permutations(range(5), 2)
        if before[i, 0] and after[j, 0]
    ]
    found = one(made.frame(), variant="v", number="unrelated")
    assert found["estimate"] == pytest.approx(np.mean(pairs))
    estimate = unrelated(made.totals[made.cells[1].id], 5)
    assert abs(estimate.influence.sum()) < 1e-12
    assert estimate.share.sum() == pytest.approx(1)


def test_interactions_follow_from_the_options_that_variants_change(lopsided):
    told = lopsided.frame.filter(kind="interaction", dial=0, lineup="duel", number="turns")
    row = one(told)
    assert (row["variant"], row["against"]) == ("x × y", "x_y")
    changes = lopsided.frame.filter(kind="change", dial=0, lineup="duel", number="turns", who="")
    x, y, both = (one(changes, variant=name)["estimate"] for name in ("x", "y", "x_y"))
    assert row["estimate"] == pytest.approx(both - x - y)


def test_points_of_the_sweep_are_compared_and_corrected(lopsided):
    told = lopsided.frame.filter(kind="point")
    assert set(told["against"]) == {"dial = 0"}
    row = one(told, lineup="three", variant="x", number="another_winner")
    levels = lopsided.frame.filter(
        kind="level", lineup="three", variant="x", number="another_winner"
    )
    here, there = (one(levels, dial=dial)["estimate"] for dial in (1, 0))
    assert row["estimate"] == pytest.approx(here - there)
    assert row["p_holm"] >= row["p"]


def test_a_duel_is_tested_against_its_even_share():
    # One of three seats that wins a third of all matches is neither strong nor weak.
    seats = ("a", "b", "b")
    row = one(
        Made().add(Cell(seats=seats, rotations=3), rows(seats, 400, 3)).frame(),
        kind="level",
        number="win_rate",
        who="policy a",
    )
    assert row["low"] < 1 / 3 < row["high"]
    assert row["p"] > 0.01


@pytest.mark.parametrize("lost", [0, 3])
def test_a_policy_that_holds_two_seats_wins_at_most_half_a_match_with_each(lost):
    winners = np.ones((60, 1), int)
    winners[:lost] = 2
    row = one(
        Made().add(Cell(seats=("a", "b", "a", "b")), columns(winners)).frame(),
        kind="level",
        number="win_rate",
        who="policy a",
    )
    assert row["estimate"] == pytest.approx(0.5 * (1 - lost / 60))
    assert row["low"] < row["estimate"] <= row["high"] <= 0.5


def test_which_variant_moves_the_win_most_is_corrected_over_all_pairs(lopsided):
    told = lopsided.frame.filter(kind="difference", number="another_winner")
    for _, own in told.group_by("dial", "lineup"):
        assert len(own) == 3
    assert set(told["family"]) == {"variants: another_winner"}


def test_positions_of_a_rotated_table_follow_who_begins_and_leave_aborted_matches_out():
    seats = ("a", "b")
    told = rows(seats, 200, 2, aborted=0.3, first=1.0)
    frame = Made().add(Cell(seats=seats, rotations=2), told).frame()
    won = told["winners"] > 0
    first = won & (told["winners"] >> told["first_seat"] & 1).astype(bool)
    shared = np.bitwise_count(told["winners"]) == 2
    share = (first * np.where(shared, 0.5, 1.0)).sum() / won.sum()
    row = one(frame, kind="level", number="win_rate", who="position 0")
    assert row["estimate"] == pytest.approx(share)
    assert row["low"] > 0.5
    aborted = one(frame, kind="level", number="aborted")
    assert aborted["count"] == (~won).sum() == (1 - won).sum()


def test_pairing_by_deal_narrows_a_rotated_table():
    # Cards decide every match: over its rotations each deal gives both policies the same.
    winners = np.repeat(np.random.default_rng(1).integers(1, 3, (300, 1)), 2, axis=1)
    rotated = Made().add(Cell(rotations=2), columns(winners)).frame()
    plain = Made().add(Cell(), columns(winners[:, :1])).frame()
    told = [one(f, kind="level", number="win_rate", who="policy a") for f in (rotated, plain)]
    widths = [row["high"] - row["low"] for row in told]
    assert told[0]["estimate"] == 0.5
    assert widths[0] < widths[1] / 3


def test_a_variant_that_stopped_earlier_is_compared_on_its_own_deals():
    base, seats = rows(("a", "b"), 400), ("a", "b")
    after = {name: values[:150] for name, values in rows(seats, 400, seed=4, anew=0.2).items()}
    made = Made().add(Cell(), base)
    early = {name: values[:150] for name, values in base.items()}
    made.rows[made.cells[0].id] = early
    frame = made.add(Cell(variant="v", options={"x": 1}), after).frame()
    row = one(frame, kind="change", number="turns", variant="v")
    assert row["baseline"] == pytest.approx(early["turns"].mean())
    assert row["deals"] == 150
    assert one(frame, kind="level", number="turns", variant="baseline")["deals"] == 400


def test_quantiles_rest_on_deals_and_not_on_matches():
    turns = np.repeat(np.arange(1, 101)[:, None], 4, axis=1)  # a deal's four matches are alike
    seats = ("a", "b", "c", "d")
    told = columns(np.ones((100, 4), int), turns=turns)
    row = one(Made().add(Cell(seats=seats, rotations=4), told).frame(), number="turns q50")
    assert row["estimate"] == 50
    assert row["low"] <= 41
    assert row["high"] >= 60


@pytest.mark.parametrize(("deals", "ranks"), [(9, (2, 8)), (20, (6, 15)), (50, (18, 33))])
def test_a_median_lies_between_the_ranks_of_the_tables(deals, ranks):
    """Of the distribution-free interval, as tables of the sign test give them."""
    ((_, low, high),) = quantiles(dict.fromkeys(range(1, deals + 1), 1), (0.5,), deals)
    assert (low, high) == ranks


def test_why_there_is_no_ladder_is_said():
    apart = Made()
    for lineup in ("ab", "cd"):
        apart.add(Cell(seats=tuple(lineup), lineup=lineup, rotations=2), rows(tuple(lineup), 50, 2))
    assert "a, b and c, d have never met" in " ".join(apart.answers().notes)
    always = Made().add(Cell(rotations=2), columns([[1, 2]] * 40))
    assert "nobody else has won a match against a" in " ".join(always.answers().notes)
    assert len(always.frame().filter(kind="strength")) == 0


def test_a_ladder_of_two_is_the_log_odds_of_their_wins():
    told = rows(("a", "b"), 300, 2, strength={"a": 0.5})
    frame = Made().add(Cell(rotations=2), told).frame()
    wins = [one(frame, kind="level", number="win_rate", who=f"policy {n}") for n in "ab"]
    a, b = (row["estimate"] for row in wins)
    step = one(frame, kind="strength", who="policy a", against="policy b")
    assert step["estimate"] == pytest.approx(np.log(a / b), abs=1e-8)
    alone = frame.filter(kind="strength", against="")
    assert alone["estimate"].sum() == pytest.approx(0, abs=1e-9)
    assert alone["who"].to_list() == ["policy a", "policy b"]


def test_payoffs_count_all_tables_that_two_share():
    one = np.ones
    duel = Won([0, 1], one(2), np.array([[6.0], [4.0]]), 10 * one(1), 10)
    trio = Won([0, 1, 2], one(3), np.array([[1.0], [8.0], [1.0]]), 10 * one(1), 10)
    assert [wins[0].item() for wins, _ in _meetings([duel, trio], 0, 1)] == [6.0, 1.0]
    assert [wins[0].item() for wins, _ in _meetings([duel, trio], 1, 2)] == [8.0]


def test_who_never_wins_leaves_the_ladder_of_the_others():
    others = rows(("a", "b"), 120, 2, strength={"a": 0.5})
    made = Made().add(Cell(rotations=2, lineup="ab"), others)
    usual = made.frame().filter(kind="strength")
    lost = Cell(seats=("a", "c"), rotations=2, lineup="ac")
    found = made.add(lost, columns([[1, 2]] * 60)).answers()
    ladder = found.frame.filter(kind="strength")
    assert set(ladder["who"]) == {"policy a", "policy b"}
    assert ladder["estimate"].to_list() == pytest.approx(usual["estimate"].to_list(), abs=1e-8)
    assert "Below all policies that are rated, with no win against them: c" in found.notes


def test_strengths_at_a_table_with_who_never_wins_are_those_of_the_others_alone():
    # Under Luce's rule, who is left out changes nothing of the odds of the others.
    generator = np.random.default_rng(4)
    wins = generator.multinomial(12, [0.5, 0.3, 0.2], size=GROUPS).T.astype(float)
    whole = Won([0, 1, 2], np.ones(3), wins, wins.sum(axis=0), 500)
    all_three, two = strengths([whole], 3), strengths(_among([whole], [0, 1]), 2)
    assert two.value[0] - two.value[1] == pytest.approx(all_three.value[0] - all_three.value[1])


def test_three_deals_are_too_few_for_strengths():
    found = Made().add(Cell(rotations=2), rows(("a", "b"), 3, 2)).answers()
    assert found.frame.filter(kind="strength").is_empty()
    assert "No strengths before 10 deals of a table are played" in found.notes


def test_strengths_of_many_tables_are_the_maximum_of_their_likelihood():
    from scipy.optimize import minimize

    tables = [("a", "b"), ("b", "c"), ("a", "b", "c"), ("c", "a", "c")]
    made, counts = Made(), []
    for number, seats in enumerate(tables):
        told = rows(seats, 120, len(seats), number, strength={"a": 0.6, "b": 0.3})
        made.add(Cell(seats=seats, rotations=len(seats), lineup=str(number)), told)
        wins = dict.fromkeys("abc", 0.0)
        for mask, turn in zip(told["winners"], told["rotation"], strict=True):
            for seat in range(len(seats)):
                if mask >> seat & 1:
                    wins[seats[(seat + turn) % len(seats)]] += 1 / int(mask).bit_count()
        counts.append((seats, wins))

    def loss(free):
        value = dict(zip("abc", (*free, 0.0), strict=True))
        return -sum(
            won * (value[name] - np.log(sum(np.exp(value[s]) for s in seats)))
            for seats, wins in counts
            for name, won in wins.items()
        )

    found = made.frame().filter(kind="strength")
    a, b = minimize(loss, [0, 0], tol=1e-12).x
    assert one(found, who="policy a", against="policy c")["estimate"] == pytest.approx(a, abs=1e-5)
    assert one(found, who="policy a", against="policy b")["estimate"] == pytest.approx(
        a - b, abs=1e-5
    )


def test_a_population_s_mean_is_the_plain_one_though_few_events_are_seen():
    # Nine tables of 0.78 to 1.44 %; weights by precision would say less than any of them has.
    rng, rates = np.random.default_rng(8), np.linspace(0.0078, 0.0144, 9)
    held = 0
    for _ in range(150):
        events = (rng.random((9, 700)) < rates[:, None]).astype(float)
        tables = [ratio(own[None], np.ones((1, 700)), 700, low=0, high=1) for own in events]
        means = Means.of(tables)
        assert means.known.value[0] == pytest.approx(events.mean())
        low, high = means.interval()
        held += low[0] <= rates.mean() <= high[0]
    assert held >= 0.93 * 150


def test_a_population_s_interval_is_that_of_its_tables_where_deals_are_many():
    values = np.array([0.31, 0.42, 0.38, 0.55, 0.47])
    rng = np.random.default_rng(2)
    seen = values[:, None] + rng.normal(0, 0.01, (5, 1_000))
    means = Means.of([ratio(table[None], np.ones((1, 1_000)), 1_000) for table in seen])
    expected = stats.ttest_1samp(seen.mean(axis=1), 0).confidence_interval(0.95)
    assert [end[0] for end in means.interval()] == pytest.approx(list(expected), rel=0.01)
    wide = stats.t.ppf(0.975, 4) * values.std(ddof=1) * np.sqrt(1 + 1 / 5)
    middle = seen.mean()
    assert means.prediction()[0][0] == pytest.approx(middle - wide, rel=0.02)


def test_a_point_without_events_is_not_known_exactly():
    # Of 700 matches on 100 deals 3 are shared; of 100 matches on 100 deals none.
    seats, made = tuple("abcdefg"), Made()
    often = np.ones((100, 7), int)
    often[:3, 0] = 3
    for dial, rotations, winners in ((0, 1, np.ones((100, 1), int)), (1, 7, often)):
        cell = Cell(seats=seats, rotations=rotations, point={"dial": dial})
        made.add(cell, columns(winners))
        made.totals[cell.id] = totals(cell, columns(winners))
    row = one(made.frame(), kind="point", number="win_rate", who="position 1")
    assert row["estimate"] > 0
    assert row["low"] < -0.02
    assert row["p"] > 0.1


def test_rows_of_a_population():
    made = Made(
        study=SimpleNamespace(
            factors=None, variants={"v": {}}, population=SimpleNamespace(names=["t1", "t2", "t3"])
        )
    )
    for number, lineup in enumerate(["t1", "t2", "t3", "other"]):
        seats = ("a", "b") if number else ("a", "a")
        for variant in ("baseline", "v"):
            options = {} if variant == "baseline" else {"x": 1}
            made.add(
                Cell(seats=seats, lineup=lineup, variant=variant, options=options),
                rows(seats, 200, 1, number, anew=0.0 if variant == "baseline" else 0.3),
            )
    frame = made.frame()
    told = frame.filter(lineup="population", kind="population", variant="v")
    changes = frame.filter(kind="change", number="turns").filter(pl.col("lineup") != "other")
    row = one(told, number="turns")
    assert row["estimate"] == pytest.approx(changes["estimate"].mean())
    new = one(frame, kind="prediction", number="turns", variant="v")
    assert new["low"] < row["low"] < row["high"] < new["high"]
    # Of a policy only where it sits with others, never of positions.
    assert one(told, number="win_rate", who="policy a")["against"] == "2 tables"
    assert not told["who"].str.starts_with("position").any()


def test_luck_and_skill_are_told_of_the_deals_that_are_whole():
    seats = ("a", "b", "c")
    few = Made().add(Cell(seats=seats, rotations=3), rows(seats, FEWEST_DEALS, 3, aborted=0.2))
    answers = few.answers()
    assert not len(answers.frame.filter(kind="variance"))
    assert any("all matches" in note for note in answers.notes)
    strong = rows(seats, 600, 3, strength={"a": 3.0})
    frame = Made().add(Cell(seats=seats, rotations=3), strong).frame()
    skill = one(frame, kind="variance", number="policy")
    assert skill["low"] > 0.3
    equal = Made().add(Cell(seats=seats, rotations=3), rows(seats, 600, 3)).frame()
    assert one(equal, kind="variance", number="policy")["low"] <= 0.003


def test_cells_that_cannot_be_compared_are_named():
    made = Made().add(Cell(), rows(("a", "b"), 30))
    made.add(Cell(variant="v", seats=("a", "b", "c")), rows(("a", "b", "c"), 30))
    answers = made.answers()
    assert "other seats than the baseline" in answers.notes[0]
    assert "v" not in answers.frame["variant"].to_list()


def test_without_shared_deals_changes_are_told_and_pairs_are_not():
    made = Made().add(Cell(), rows(("a", "b"), 300))
    cell = Cell(variant="v", options={"x": 1})
    other = Made().add(cell, rows(("a", "b"), 200, seed=5))
    made.cells.append(cell)
    made.totals[cell.id] = other.totals[cell.id]
    frame = made.frame()
    row = one(frame, kind="change", number="turns")
    assert row["low"] < row["estimate"] < row["high"]
    assert not len(frame.filter(number="another_winner"))
