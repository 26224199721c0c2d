"""Sentences follow the numbers: planted studies with no, small and large effects, and too few."""

import re

import numpy as np
import polars as pl
import pytest

from studies import load
from studies.balance.luck import most_by_policy
from studies.compare.effects import compare
from studies.report import build
from studies.report.sentences import gain_sentences
from studies.report.verdict import Verdict, judge
from studies.stats.intervals import Interval
from tests.studies.planted import plant, winners_by

LIKE = [{"name": "like", "seats": ["greedy"]}]
DUEL = [{"name": "duel", "seats": ["greedy", "random"], "rotate": True}]
FAIR = (1 / 3, 1 / 3, 1 / 3)


def said(report, section):
    return " ".join(next(own for own in report.sections if own.name == section).sentences)


def variant_study(directory, matches, changed, in_play=1.0, plays=0.0):
    """Plant a variant that gives a share of the deals another winner."""

    def rows(cell, columns):
        shape = columns["winners"].shape
        won = winners_by(FAIR, shape, 1)
        length = np.random.default_rng(2).integers(80, 121, size=shape)
        if cell.variant == "dirty":
            rng = np.random.default_rng(3)
            other = (won.astype(int) * 2) % 7
            won = np.where(rng.random(shape) < changed, other, won)
            columns["clears"] += rng.random(shape) < in_play
            length = length + plays
        columns["winners"] = won.astype(np.uint16)
        columns["plays"] = length.astype(np.int32)

    plant(directory, matches, rows, lineups=LIKE, variants={"dirty": {"dirty_one": "always"}})
    return said(build(directory), "variants")


@pytest.mark.parametrize(
    ("matches", "changed", "in_play", "expected", "absent"),
    [
        (4000, 0.0, 0.5, "changes no winner in 4,000 matches: if it ever does, then in at", "few"),
        (4000, 0.0, 0.0, "comes into play in none of 4,000 matches, where no", "ever makes"),
        (4000, 0.01, 1.0, "changes who wins hardly ever: in 1.", "few"),
        (4000, 0.12, 0.4, "changes who wins in 1", "hardly"),
        (4000, 0.60, 1.0, "changes who wins very often: in ", "hardly"),
        (40, 0.30, 1.0, "40 matches are too few to tell more closely", "very often"),
    ],
)
def test_variant(tmp_path, matches, changed, in_play, expected, absent):
    text = variant_study(tmp_path, matches, changed, in_play)
    assert expected in text
    assert absent not in text


@pytest.mark.parametrize(
    ("matches", "plays", "expected"),
    [
        (4000, 0.6, "It makes matches a little longer: by 0."),
        (4000, 5, "It makes matches longer: by 5.0 % (+5 plays in each, from "),
        (4000, -30, "It makes matches much shorter: by 30.0 %"),
    ],
)
def test_length_of_matches(tmp_path, matches, plays, expected):
    shift = plays if abs(plays) >= 1 else np.random.default_rng(4).random((matches, 1)) < plays
    assert expected in variant_study(tmp_path, matches, 0.2, plays=shift)


def test_length_that_does_not_move_is_not_spoken_of(tmp_path):
    assert "makes matches" not in variant_study(tmp_path, 500, 0.2)


def test_length_that_cannot_be_told(tmp_path):
    noise = np.random.default_rng(5).integers(-40, 41, size=(60, 1))
    text = variant_study(tmp_path, 60, 0.2, plays=noise)
    assert "Whether it makes matches longer or shorter cannot be told from 60 matches" in text


def gain_study(directory, matches, gain):
    """Plant a variant that turns losses of `greedy` into wins in so many matches."""

    def rows(cell, columns):
        for rotation in range(cell.rotations):
            strong = [s for s in range(3) if cell.seats[(s + rotation) % 3] == "greedy"]
            rng = np.random.default_rng(rotation)
            won = rng.integers(3, size=matches)
            if cell.variant == "dirty":
                turned = (rng.random(matches) < gain) & ~np.isin(won, strong)
                won = np.where(turned, strong[0], won)
            columns["winners"][:, rotation] = 1 << won

    plant(directory, matches, rows, lineups=DUEL, variants={"dirty": {"dirty_one": "always"}})
    return said(build(directory), "variants")


@pytest.mark.parametrize(
    ("matches", "gain", "expected"),
    [
        (30_000, 0.0, "where no winner, score or metric changes: if one ever does"),
        (30_000, 0.03, "At the table duel, it slightly favours greedy: +"),
        (30_000, 0.10, "At the table duel, it favours greedy: +"),
        (30_000, 0.60, "At the table duel, it strongly favours greedy: +"),
        (
            40,
            0.10,
            "At the table duel, no policy clearly gains in 120 matches (largest change: greedy +",
        ),
        (40, 0.05, "At the table duel, it favoured nobody: no winner changed in 120 matches"),
    ],
)
def test_who_gains(tmp_path, matches, gain, expected):
    text = gain_study(tmp_path, matches, gain)
    assert expected in text
    if gain == 0:
        assert "favours nobody: no policy's win rate changes by more than 0.013 points" in text


def seat_study(directory, matches, shares):
    def rows(_, columns):
        columns["winners"] = winners_by(shares, columns["winners"].shape, 6)

    plant(directory, matches, rows, lineups=LIKE, variants={})
    return said(build(directory), "seats")


@pytest.mark.parametrize(
    ("matches", "shares", "expected"),
    [
        (40_000, FAIR, "no seat has an advantage that shows: no position's win rate is further"),
        (90_000, (0.341, 0.3295, 0.3295), "a small difference between the seats: the seat that"),
        (40_000, (0.36, 0.32, 0.32), "a difference between the seats: the seat that begins wins"),
        (40_000, (0.5, 0.25, 0.25), "a great difference between the seats: the seat that begins"),
        (200, FAIR, "cannot be excluded (even: 33.3 %; 200 matches)"),
    ],
)
def test_seats(tmp_path, matches, shares, expected):
    assert expected in seat_study(tmp_path, matches, shares)


def duel_study(directory, matches, share):
    """Plant a duel in which each seat of `greedy` counts `share`, of `random` 1 - `share`."""

    def rows(cell, columns):
        for rotation in range(cell.rotations):
            seats = [cell.seats[(seat + rotation) % 3] for seat in range(3)]
            weights = np.array([share if name == "greedy" else 1 - share for name in seats])
            won = winners_by(weights / weights.sum(), (matches,), rotation)
            columns["winners"][:, rotation] = won

    plant(directory, matches, rows, lineups=DUEL, variants={})
    return said(build(directory), "luck")


@pytest.mark.parametrize(
    ("matches", "share", "expected"),
    [
        (20_000, 0.5, "which is stronger of"),
        (20_000, 0.8, "(even: 66.7 %)"),
        (20_000, 0.999, "between them it is a game of skill"),
        (20_000, 0.505, "hardly any skill shows between them"),
        (60, 0.5, "60 deals are too few to tell luck from skill"),
    ],
)
def test_luck_and_ladder(tmp_path, matches, share, expected):
    assert expected in duel_study(tmp_path, matches, share)


def drama_study(directory, matches, changes, margin=None, distance=100):
    """Plant changes of lead by share of matches, and the winner's margin on the next."""

    def rows(_, columns):
        shape = columns["winners"].shape
        rng = np.random.default_rng(7)
        columns["winners"] = winners_by(FAIR, shape, 8)
        numbers, shares = zip(*changes.items(), strict=True)
        columns["lead_changes"] = rng.choice(numbers, size=shape, p=shares).astype(np.int32)
        if margin is not None:
            ahead = rng.choice(list(margin), size=shape, p=list(margin.values()))
            for seat in range(3):
                won = columns["winners"] == 1 << seat
                # The seat before the winner comes last, the one after it second.
                last = columns["winners"] == 1 << (seat + 1) % 3
                lost = np.where(last, distance, ahead)
                columns[f"score_{seat}"] = np.where(won, 0, lost).astype(np.int32)

    plant(directory, matches, rows, lineups=LIKE, variants={})
    return said(build(directory), "drama")


@pytest.mark.parametrize(
    ("matches", "changes", "expected", "absent"),
    [
        (4000, {0: 1.0}, "the lead never changes in 4,000 matches (rounds after which", "times in"),
        (4000, {0: 0.95, 1: 0.05}, "to the end in 95.", "too few"),
        (4000, {0: 0.3, 2: 0.4, 4: 0.3}, "the lead changes 2.0", "too few"),
        (4000, {3: 1.0}, "leads first leads to the end in 0.0", "never changes"),
        (60, {0: 0.5, 1: 0.5}, "60 matches are too few to tell more closely", "times in a match"),
    ],
)
def test_changes_of_lead(tmp_path, matches, changes, expected, absent):
    text = drama_study(tmp_path, matches, changes)
    assert expected in text
    assert absent not in text


def test_that_matches_are_too_few_is_said_once_of_the_lead(built):
    text = said(built, "drama")
    both = r"keeps the lead to the end in between [^:]+, and the winner came from behind in between"
    assert re.search(both, text)
    assert "The winner came from behind in between" not in text


@pytest.mark.parametrize(
    ("margin", "close", "runaway"),
    [
        (
            {5: 1.0},
            "100.00 % (99.91–100.00) of matches end close",
            "in 0.00 % (0.00–0.09) the winner",
        ),
        (
            {80: 1.0},
            "0.00 % (0.00–0.09) of matches end close",
            "in 100.00 % (99.91–100.00) the winner",
        ),
        ({30: 1.0}, "0.00 % (0.00–0.09) of matches end close", "in 0.00 % (0.00–0.09) the winner"),
    ],
)
def test_close_and_runaway(tmp_path, margin, close, runaway):
    text = drama_study(tmp_path, 4000, {0: 0.5, 1: 0.5}, margin)
    assert close in text
    assert runaway in text


def comeback_study(directory, matches, behind, last):
    """Plant how far winners were behind, and after which of 10 rounds the lead was settled."""

    def rows(_, columns):
        shape = columns["winners"].shape
        rng = np.random.default_rng(8)
        columns["winners"] = winners_by(FAIR, shape, 9)
        for name, planted in (("comeback", behind), ("last_lead_change", last)):
            counts = [round(share * matches) for share in planted.values()]
            values = rng.permutation(np.repeat(list(planted), counts))
            columns[name] = values.reshape(shape).astype(np.int32)

    plant(directory, matches, rows, lineups=LIKE, variants={})
    return build(directory)


@pytest.mark.parametrize(
    ("matches", "behind", "last", "expected", "absent"),
    [
        (4000, {0: 1.0}, {1: 1.0}, "No winner was ever behind", "came from behind"),
        (
            4000,
            {0: 0.6, 30: 0.4},
            {1: 1.0},
            "The winner came from behind in 40.0 %",
            "half of all m",
        ),
        (4000, {0: 0.6, 30: 0.4}, {9: 1.0}, "from 30 points or more in one of twenty", "too few"),
        (
            4000,
            {20: 0.7, 50: 0.3},
            {1: 1.0},
            "from 20 points or more behind in half",
            "few",
        ),
        (4000, {9: 1.0}, {2: 0.3, 5: 0.3, 6: 0.4}, "rounds in 30.0 %", "too few"),
        (4000, {9: 1.0}, {3: 0.5, 5: 0.1, 6: 0.4}, "rounds in 0.00 %", "too few"),
        (4000, {9: 1.0}, {2: 0.5, 5: 0.1, 6: 0.4}, "by half of them in 60.0 %", "too few"),
        (60, {0: 0.5, 9: 0.5}, {5: 1.0}, "60 matches are too few to tell more closely", "twenty"),
    ],
)
def test_comebacks_and_settled_leads(tmp_path, matches, behind, last, expected, absent):
    text = said(comeback_study(tmp_path, matches, behind, last), "drama")
    assert expected in text
    assert absent not in text


def test_largest_comeback_is_among_the_notable_matches(tmp_path):
    report = comeback_study(tmp_path, 4000, {0: 0.998, 33: 0.0015, 77: 0.0005}, {5: 1.0})
    (section,) = [own for own in report.sections if own.name == "notable"]
    (command,) = [
        command
        for what, command in section.items[0].rows
        if what == "the largest comeback: the winner was once 77 points behind (table “like”)"
    ]
    match = int(command.rsplit(" ", 1)[1])
    rows = load(tmp_path).filter(pl.col("comeback") == 77).collect()
    assert match == rows["match"].min()
    assert command.startswith("cardlab play up --players 3 --rule rounds=2 --lineup greedy --seed ")


def position_study(directory, matches, share):
    """Plant a variant under which the seat that begins wins so much."""

    def rows(cell, columns):
        first = share if cell.variant == "dirty" else 1 / 3
        shares = (first, (1 - first) / 2, (1 - first) / 2)
        columns["winners"] = winners_by(shares, columns["winners"].shape, 11)

    plant(directory, matches, rows, lineups=LIKE, variants={"dirty": {"dirty_one": "always"}})
    return said(build(directory), "seats")


@pytest.mark.parametrize(
    ("matches", "share", "speaks"),
    [
        (20_000, 0.45, True),
        (20_000, 1 / 3, False),
        (20_000, 0.336, False),
        (250, 0.355, False),  # the interval is clear of 0, p after Holm is not
    ],
)
def test_variants_that_move_the_balance_of_seats(tmp_path, matches, share, speaks):
    text = position_study(tmp_path, matches, share)
    expected = "“dirty one: always” moves the balance of the seats: the seat that begins wins 4"
    assert (expected in text) == speaks
    assert ("moves the balance" in text) == speaks


def restricted_study(directory, matches, share):
    """Plant a policy that counts `share` a seat against itself with one thing forbidden."""
    free, held = "guard", "guard(cards=0)"
    lineup = [{"name": "off guard", "seats": [free, held], "rotate": True}]

    def rows(cell, columns):
        for rotation in range(cell.rotations):
            seats = [cell.seats[(seat + rotation) % cell.players] for seat in range(cell.players)]
            weights = np.array([share if name == free else 1 - share for name in seats])
            columns["winners"][:, rotation] = winners_by(
                weights / weights.sum(), (matches,), rotation
            )

    options = {"players": 2}
    plant(directory, matches, rows, lineups=lineup, variants={}, options=options)
    return said(build(directory), "policies")


@pytest.mark.parametrize(
    ("matches", "share", "expected"),
    [
        (20_000, 0.500, "the restriction costs nothing that shows"),
        (100_000, 0.508, "what is forbidden is worth a little: the unrestricted one wins 50."),
        (20_000, 0.56, "what is forbidden is worth something: the unrestricted one wins 5"),
        (20_000, 0.80, "what is forbidden is worth a great deal: the unrestricted one wins"),
        (20_000, 0.40, "the restricted one wins more, "),
        (60, 0.52, "120 matches cannot tell what the restriction costs"),
    ],
)
def test_restricted_play(tmp_path, matches, share, expected):
    text = restricted_study(tmp_path, matches, share)
    assert "off guard (guard against guard(cards=0)): " in text
    assert expected in text


THREE = [
    {"name": f"{one}-{other}", "seats": [one, other], "rotate": True}
    for one, other in (("guard", "greedy"), ("greedy", "random"), ("guard", "random"))
]


def rated_study(directory, matches, shares):
    """Plant duels at tables of two: what the first of each wins."""

    def rows(cell, columns):
        for rotation in range(cell.rotations):
            first = cell.seats[rotation % 2] == cell.lineup.split("-")[0]
            share = shares[cell.lineup] if first else 1 - shares[cell.lineup]
            seed = 10 * list(shares).index(cell.lineup) + rotation
            columns["winners"][:, rotation] = winners_by((share, 1 - share), (matches,), seed)

    plant(directory, matches, rows, lineups=THREE, variants={}, options={"players": 2})
    return said(build(directory), "policies")


def odds(gap):
    return 1 / (1 + np.exp(-gap))


@pytest.mark.parametrize(
    ("matches", "gaps", "expected"),
    [
        (5000, (0.5, 0.5, 1.0), "A ranking of wins says (almost) all: "),
        (5000, (0.5, 0.5, 1.0), "takes guard, always: no other one gains against it"),
        (5000, (0.5, 0.5, 1.0), "By finishing orders guard is rated first, +"),
        (5000, (0.8, 0.8, -0.8), "No ranking says it all: "),
        (5000, (0.8, 0.8, -0.8), "The Nash average, what nobody gains against by another choice"),
        (40, (0.3, 0.3, 0.6), "Whether a ranking of wins says it all cannot be told from so few"),
        (40, (0.0, 0.0, 0.0), "from so few matches it cannot be told well whom it takes"),
        (5000, (0.5, 0.5, 1.0), "no misfit shows (p "),
        (
            5000,
            (0.8, 0.8, -0.8),
            "One strength a policy does not fit these matches (p < 0.001): at ",
        ),
        (
            5000,
            (0.8, 0.8, -0.8),
            "The direct pairings (payoffs) are to be believed, not the strengths",
        ),
        (5000, (0.02, 1.5, 1.5), "cannot be told which of guard and greedy is rated first"),
        (4, (9.0, 9.0, 9.0), "from so few matches it cannot be told well whom it takes"),
    ],
)
def test_ratings(tmp_path, matches, gaps, expected):
    names = [lineup["name"] for lineup in THREE]
    shares = {name: odds(gap) for name, gap in zip(names, gaps, strict=True)}
    assert expected in rated_study(tmp_path, matches, shares)


@pytest.mark.parametrize(
    ("seats", "most"),
    [
        (["a", "b"], 1.0),
        (["a", "b", "a", "b"], 1 / 3),
        (["a", "b", "c"], 1.0),
        (["a", "b"] * 3, 0.2),
        (["a", "a", "a", "a"], 0.0),
        (["a", "b", "a"], 1 / 4),
        (["a", "b", "b"], 1.0),
    ],
)
def test_most_that_policy_can_explain(seats, most):
    """By counting: the first policy wins all, each of its seats as often."""
    held = np.array([seat == seats[0] for seat in seats])
    means = held / held.sum()
    by_policy = means.var()
    each = (means * (1 - means)).mean() + by_policy
    found = most_by_policy(len(seats), int(held.sum()))
    assert found == pytest.approx(by_policy / each)
    assert found == pytest.approx(most)


@pytest.mark.parametrize(
    ("low", "estimate", "high", "verdict"),
    [
        (-0.004, 0.001, 0.006, Verdict.NONE),
        (-0.04, 0.01, 0.06, Verdict.UNCLEAR),
        (0.002, 0.006, 0.010, Verdict.SMALL),
        (0.02, 0.03, 0.04, Verdict.MEDIUM),
        (-0.08, -0.06, -0.04, Verdict.LARGE),
        (float("-inf"), 0.1, float("inf"), Verdict.UNCLEAR),
        (0.0, float("nan"), 1.0, Verdict.UNCLEAR),
    ],
)
def test_verdict(low, estimate, high, verdict):
    assert judge(Interval(estimate, low, high), 0.0, 0.01, 0.05) is verdict


def test_null_variants_are_seldom_said_to_favour_anybody(tmp_path):
    """Sixty fair studies in which half of the winners change at random."""
    claims = 0
    for seed in range(60):

        def rows(cell, columns, seed=seed):
            number = seed * 10 + (cell.variant == "dirty")
            columns["winners"] = winners_by(FAIR, columns["winners"].shape, number)

        directory = plant(
            tmp_path / str(seed),
            300,
            rows,
            lineups=DUEL,
            variants={"dirty": {"dirty_one": "always"}},
        )
        (effect,) = compare(directory).variants
        claims += any(
            "favours greedy:" in text or "favours random:" in text
            for text in gain_sentences(effect)
        )
    assert claims <= 9  # expected 3 of 60 at 5 %; P(more than 9) < 0.002
