"""Headlines: what they say of planted studies; their bounds pay for what they pick from.

And which line-up a study is read by.
"""

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from studies.answers.headlines import headlines
from studies.answers.reference import named_reference, reference_of
from studies.store.opened import open_study
from studies.view.answered import Answered
from studies.view.claims import of_policies, of_rules, of_seats
from studies.view.query import View
from tests.studies.conftest import answers_of, study, table
from tests.studies.planted import ALONE, DUELS, TRIO, VARIANTS, lively, plant


def words_of(said, answers, claims):
    """Return what is said to a question of headlines."""
    lineup = next(one.lineup for one in claims.all if one.question != "policies")
    view = View(Answered(answers.frame, headlines=claims, reference=lineup))
    given = (view,) if said is not of_rules else (view, view.main)
    return " ".join(claim.words for claim in said(*given))


FOUR = {"options": {"players": 4, "rounds": 2}, "variants": None}


@pytest.fixture
def read(tmp_path, planted, planted_answers):
    """Return a function that gives the answers and headlines of a study, planted or named."""

    def of(name="", deals=0, rows=None, **changes):
        if name:
            stored, answers = planted(name), planted_answers(name)
        else:
            stored = open_study(plant(tmp_path / "made", deals, rows, **changes))
            answers = answers_of(stored)
        return answers, headlines(answers, reference=reference_of(stored.cells, answers.frame))

    return of


def seat_wins(*shares):
    """Return a function that plants winners drawn with these chances by position."""

    def rows(cell, columns):
        shape = columns["match"].shape
        luck = np.random.default_rng(3)
        place = luck.choice(len(shares), size=shape, p=shares)
        starts = luck.integers(0, cell.players, (shape[0], 1))
        columns["first_seat"] = np.broadcast_to(starts, shape).astype(np.uint8)
        columns["winners"] = 1 << (columns["first_seat"].astype(int) + place) % cell.players

    return rows


@pytest.mark.parametrize(
    ("shares", "deals", "verdict", "words"),
    [
        (
            (0.36, 0.22, 0.22, 0.20),
            30_000,
            "uneven",
            "first seat wins more than the even share",
        ),
        (
            (0.25, 0.25, 0.15, 0.35),
            30_000,
            "uneven",
            "position 3 wins more than the even share, position 2 less",
        ),
        ((0.25, 0.25, 0.25, 0.25), 30_000, "even", "all seats are even within a point"),
        ((0.25, 0.25, 0.25, 0.25), 900, "open", ""),
    ],
)
def test_fairness_looks_at_all_seats_and_few_deals_do_not_make_them_even(
    read, shares, deals, verdict, words
):
    answers, claims = read(deals=deals, rows=seat_wins(*shares), lineups=ALONE, **FOUR)
    seats = claims.of("seats")
    assert (seats.verdict, claims.primary) == (verdict, "seats")
    assert words_of(of_seats, answers, claims).startswith(words)
    assert len(seats.rows) == 4
    if verdict == "open":
        assert (answers.frame.filter(kind="level", number="win_rate")["high"] - 0.25).max() > 0.01


def test_a_policy_that_beats_every_other_is_best(read):
    answers, claims = read("duels")
    policies = claims.of("policies")
    assert policies.verdict == "best"
    assert words_of(of_policies, answers, claims) == "greedy beats every other policy"
    assert policies.row["against"] == "policy hoarder"  # the nearest, which bears the sentence out
    assert {row["lineup"] for row in policies.rows} == {duel["name"] for duel in DUELS}


def test_random_play_is_not_the_pair_that_is_named(read):
    strength = {"greedy": 0.5, "hoarder": 0.2, "shedder": 0.5, "random": -2.0}
    answers, claims = read(
        deals=3_000, rows=lively(strength=strength), lineups=[table("four", *strength)], **FOUR
    )
    assert claims.of("policies").verdict == "ahead"
    assert "random" not in words_of(of_policies, answers, claims)


@pytest.mark.parametrize("moved", [5, -3])
def test_the_rule_that_changes_most_is_named(read, moved):
    answers, claims = read(
        deals=500,
        rows=lively(metric_shift={"dirty": moved, "double": 1}),
        lineups=TRIO,
        variants={name: VARIANTS[name] for name in ("dirty", "double", "same")},
    )
    length = claims.of("length")
    assert claims.primary == "variants"
    assert length.verdict == ("more" if moved > 0 else "less")
    words = f"dirty makes matches {'longer' if moved > 0 else 'shorter'}"
    assert words in words_of(of_rules, answers, claims)
    assert {row["variant"] for row in length.rows} == {"dirty", "double"}  # not the control
    assert length.row["variant"] == "dirty"


def test_headlines_of_a_population_are_about_all_tables_that_were_drawn(read):
    answers, claims = read("population_rare")
    about = [headline for headline in claims.all if headline.question != "policies"]
    assert {headline.question for headline in about} == {"seats", "length", "first_seat"}
    assert {headline.lineup for headline in about} == {"population"}
    levels = answers.frame.filter(kind="level", number="win_rate")
    drawn = levels.filter(levels["lineup"].str.starts_with("table"))
    for row in claims.of("seats").rows:
        rates = drawn.filter(who=row["who"])["estimate"]
        assert len(rates) == 9
        assert row["estimate"] == pytest.approx(rates.mean())
        assert row["high"] - row["low"] > rates.std() / 3
    assert claims.of("length").rows
    for row in claims.of("length").rows:
        same = {key: row[key] for key in ("lineup", "kind", "variant", "number")}
        mean = answers.frame.filter(**same)
        assert row["estimate"] == pytest.approx(mean["estimate"][0])
        assert row["low"] <= mean["low"][0] <= mean["high"][0] <= row["high"]


def test_bounds_are_those_of_the_frame_but_wider(read):
    answers, claims = read("sweep")
    rows = {one.question: 0 for one in claims.all}
    for one in claims.all:
        rows[one.question] += len(one.rows)
    # Whether seats are fair is a test of its own, which pays for nothing else.
    assert claims.looked == sum(rows.values()) - rows["seats"]
    assert claims.fair < 0.001
    assert {headline.point["players"] for headline in claims.all} == {2, 3, 6}
    compared = 0
    for row in (row for headline in claims.all for row in headline.rows):
        names = ("players", "lineup", "variant", "kind", "who", "number", "against")
        single = answers.frame.filter(**{name: row[name] for name in names}).to_dicts()
        if not single:  # the pair the other way round
            continue
        assert row["estimate"] == pytest.approx(single[0]["estimate"], abs=1e-12)
        assert row["low"] < single[0]["low"] <= single[0]["high"] < row["high"]
        compared += 1
    assert compared > 10


def test_a_claim_that_picks_from_one_number_has_the_frames_own_interval(read):
    """So its error is that of a single interval, neither half of it nor twice."""
    answers, claims = read(
        deals=300, rows=lively(), lineups=[table("pair", "greedy", "random")], variants=None
    )
    row = claims.of("policies").row
    single = answers.frame.filter(kind="difference", number="win_rate", who="policy greedy")
    assert claims.looked == 1
    assert [row["low"], row["high"]] == pytest.approx(single.select("low", "high").row(0))


def test_seats_and_changes_are_those_of_the_reference_line_up_alone(read):
    answers, _ = read(
        deals=200,
        rows=lively(strength={}, metric_shift={"dirty": 5}),
        lineups=[{"name": name, "seats": [name]} for name in ("greedy", "random")],
        variants={"dirty": VARIANTS["dirty"]},
    )
    for reference in ("greedy", "random"):
        claims = headlines(answers, reference=reference)
        rows = [row for headline in claims.all for row in headline.rows]
        assert {row["lineup"] for row in rows} == {reference}


@pytest.mark.parametrize("name", ["one_deal", "all_aborted"])
def test_without_matches_nothing_is_claimed(read, name):
    assert not any(headline.shown for headline in read(name)[1].all)


# ---- the reference

SEATS = {
    "weak": ("random",) * 2,
    "strong": ("greedy",) * 2,
    "stronger": ("search",) * 2,
    "duel": ("greedy", "random"),
    "match": ("search", "random"),
}
CELLS = [SimpleNamespace(lineup=name, seats=seats) for name, seats in SEATS.items()]


def reference_frame(*changed, lineups=SEATS):
    """Return a frame of levels, of how much stronger policies are, and of changes."""
    names = ("players", "lineup", "variant", "kind", "who", "number", "against", "estimate")
    gap = ("win_rate", "policy random")
    rows = [(2, name, "baseline", "level", "", "plays", "", 0.0) for name in lineups]
    rows += [
        (2, "duel", "baseline", "difference", "policy greedy", *gap, 0.2),
        (2, "match", "baseline", "difference", "policy search", *gap, 0.3),
    ]
    rows += [(2, name, "dirty", "change", "", "plays", "", 0.0) for name in changed]
    return pl.DataFrame(rows, schema=names, orient="row")


@pytest.mark.parametrize(
    ("changed", "lineups", "reference"),
    [
        ((), SEATS, "stronger"),
        ((), ("weak", "duel"), "weak"),
        ((), ("duel", "match"), "match"),
        (("weak", "strong", "match"), SEATS, "strong"),  # variants come before others
    ],
)
def test_the_reference_is_the_strongest_policy_in_all_seats(changed, lineups, reference):
    assert reference_of(CELLS, reference_frame(*changed, lineups=lineups)) == reference


def test_a_study_may_name_the_reference():
    assert reference_of(CELLS, reference_frame(), "duel") == "duel"
    assert named_reference(study(compare={"reference": "pair"})) == "pair"
    assert named_reference(study(compare={"margin": 0.01})) == named_reference(study()) == ""
