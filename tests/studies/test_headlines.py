"""Headlines: what they say of planted studies; their bounds pay for what they pick from."""

import numpy as np
import pytest

from studies.answers.frame import answers
from studies.answers.headlines import headlines
from studies.answers.reference import reference_of
from studies.store.opened import open_study
from tests.studies.planted import ALONE, DUELS, STRENGTH, TRIO, lively, plant, planted_as


@pytest.fixture
def told(tmp_path):
    def of(name="", deals=0, rows=None, **changes):
        made = (
            planted_as(tmp_path / name, name)
            if name
            else plant(tmp_path / "made", deals, rows, **changes)
        )
        stored = open_study(made)
        found = answers(stored.cells, stored.totals, study=stored.study)
        return found, headlines(found, reference=reference_of(stored.cells, found.frame))

    return of


def seat_wins(*shares):
    """Return a function that plants winners drawn with these chances by position."""

    def rows(cell, columns):
        shape = columns["match"].shape
        own = np.random.default_rng(3)
        place = own.choice(len(shares), size=shape, p=shares)
        columns["first_seat"] = np.broadcast_to(
            own.integers(0, cell.players, (shape[0], 1)), shape
        ).astype(np.uint8)
        columns["winners"] = 1 << (columns["first_seat"].astype(int) + place) % cell.players

    return rows


@pytest.mark.parametrize(
    ("shares", "verdict", "words"),
    [
        ((0.36, 0.22, 0.22, 0.20), "uneven", "the first seat wins more than the even share"),
        (
            (0.25, 0.25, 0.15, 0.35),
            "uneven",
            "position 3 wins more than the even share, position 2 less",
        ),
        ((0.25, 0.25, 0.25, 0.25), "even", "all seats are even within a point"),
    ],
)
def test_fairness_looks_at_all_seats(told, shares, verdict, words):
    _, found = told(
        deals=30_000,
        rows=seat_wins(*shares),
        options={"players": 4, "rounds": 2},
        lineups=ALONE,
        variants=None,
    )
    seats = found.of("seats")
    assert (seats.verdict, found.primary, seats.primary) == (verdict, "seats", True)
    assert seats.words.startswith(words)
    assert len(seats.rows) == 4


def test_few_deals_do_not_make_seats_even(told):
    found, own = told(
        deals=900,
        rows=seat_wins(0.25, 0.25, 0.25, 0.25),
        options={"players": 4, "rounds": 2},
        lineups=ALONE,
        variants=None,
    )
    assert own.of("seats").verdict == "open"
    widest = found.frame.filter(kind="level", number="win_rate")
    assert (widest["high"] - 0.25).max() > 0.01


def test_a_policy_that_beats_every_other_is_best(told):
    _, found = told("duels")
    policies = found.of("policies")
    assert policies.verdict == "best"
    assert policies.words == "greedy beats every other policy"
    assert policies.row["against"] == "policy hoarder"  # the nearest, which bears the sentence out
    assert {row["lineup"] for row in policies.rows} == {own["name"] for own in DUELS}


def test_random_play_is_not_the_pair_that_is_named(told):
    _, found = told(
        deals=3_000,
        rows=lively(strength={"greedy": 0.5, "hoarder": 0.2, "shedder": 0.5, "random": -2.0}),
        lineups=[
            {"name": "four", "seats": ["greedy", "hoarder", "shedder", "random"], "rotate": True}
        ],
        options={"players": 4, "rounds": 2},
        variants=None,
    )
    assert found.of("policies").verdict == "ahead"
    assert "random" not in found.of("policies").words


@pytest.mark.parametrize("moved", [5, -3])
def test_the_rule_that_changes_most_is_named(told, moved):
    _, own = told(
        deals=500,
        rows=lively(strength=STRENGTH, metric_shift={"dirty": moved, "double": 1}),
        lineups=TRIO,
        variants={
            "dirty": {"dirty_one": "always"},
            "double": {"double_two": "always"},
            "same": {},
        },
    )
    length = own.of("length")
    assert own.primary == "variants"
    assert length.primary
    assert length.verdict == ("more" if moved > 0 else "less")
    assert length.words == f"dirty makes matches {'longer' if moved > 0 else 'shorter'}"
    assert {row["variant"] for row in length.rows} == {"dirty", "double"}  # not the control
    assert length.differing[0]["variant"] == "dirty"


def test_headlines_of_a_population_are_about_all_tables_that_were_drawn(told):
    found, own = told("population")
    about = [one for one in own.all if one.question != "policies"]
    assert {one.question for one in about} == {"seats", "length", "first_seat"}
    assert {one.lineup for one in about} == {"population"}
    levels = found.frame.filter(kind="level", number="win_rate")
    drawn = levels.filter(levels["lineup"].str.starts_with("table"))
    for row in own.of("seats").rows:
        rates = drawn.filter(who=row["who"])["estimate"]
        assert len(rates) == 6
        assert row["estimate"] == pytest.approx(rates.mean())
        assert row["high"] - row["low"] > rates.std() / 3
    (length,) = {row["number"] for row in own.of("length").rows}
    assert len(own.of("length").rows) > 0
    for row in own.of("length").rows:
        mean = found.frame.filter(kind="population", number=length, variant=row["variant"])
        assert row["estimate"] == pytest.approx(mean["estimate"][0])
        assert row["low"] <= mean["low"][0] <= mean["high"][0] <= row["high"]


def test_bounds_are_those_of_the_frame_but_wider(told):
    found, own = told("sweep")
    assert own.looked == sum(len(one.rows) for one in own.all)
    assert {one.point["players"] for one in own.all} == {2, 3, 6}
    compared = 0
    for one in own.all:
        for row in one.rows:
            names = ("players", "lineup", "variant", "kind", "who", "number", "against")
            single = found.frame.filter(**{name: row[name] for name in names}).to_dicts()
            if not single:  # the pair the other way round
                continue
            assert row["estimate"] == pytest.approx(single[0]["estimate"], abs=1e-12)
            assert row["low"] < single[0]["low"] <= single[0]["high"] < row["high"]
            compared += 1
    assert compared > 10


def test_seats_and_changes_are_those_of_the_reference_line_up_alone(told):
    found, _ = told(
        deals=200,
        rows=lively(strength=STRENGTH, metric_shift={"dirty": 5}),
        lineups=[{"name": name, "seats": [name]} for name in ("greedy", "random")],
        variants={"dirty": {"dirty_one": "always"}},
    )
    for reference in ("greedy", "random"):
        own = headlines(found, reference=reference)
        rows = [row for headline in own.all for row in headline.rows]
        assert {row["lineup"] for row in rows} == {reference}
        assert own.looked == len(rows)


def test_without_matches_nothing_is_claimed(told):
    for name in ("one_deal", "all_aborted"):
        _, found = told(name)
        assert not any(own.shown for own in found.all)
