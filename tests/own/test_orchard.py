"""Matches that all lose; and the orchard, in which all win together, beside its exact values."""

from __future__ import annotations

import math

import polars as pl
import pytest

import cardlab
from simcore.errors import InputError
from simcore.replay import replay
from studies.check import compared
from studies.check.gamecheck import game_tables
from tests.own import alone_orchard
from tests.own.small import GAMES, assert_played_alike, cell_of, write

ORCHARD = str(GAMES / "orchard.py")
WAYS = {
    "fullest": (alone_orchard.fullest, 0.6840),
    "random": (alone_orchard.anywhere, 0.6320),
    "emptiest": (alone_orchard.emptiest, 0.5324),
}
FARTHEST = 4.5
"""Standard deviations."""
MATCHES = 12_000


@pytest.mark.parametrize("policy", WAYS)
def test_the_exact_chance_is_the_known_one(policy):
    way, known = WAYS[policy]
    assert round(alone_orchard.chance_of_saving(way), 4) == known


@pytest.fixture(scope="module")
def ways_of_picking(tmp_path_factory):
    """Return the answer of a study of the orchard, with a variant, and what a page shows of it."""
    study = {
        "title": "Which basket?",
        "game": ORCHARD,
        "matches": MATCHES,
        "options": {"players": 3},
        "variants": {"large": {"basket": 3}},
        "lineups": [{"name": name, "seats": [name]} for name in WAYS]
        + [{"name": "both", "seats": ["fullest", "emptiest", "emptiest"], "rotate": True}],
    }
    results = cardlab.run(study, tmp_path_factory.mktemp("orchard") / "out")
    return results.compare()


def test_a_study_tells_how_often_the_table_wins_and_nothing_of_seats(ways_of_picking):
    frame = ways_of_picking.frame
    wins = frame.filter(number="win_rate", kind="level")
    assert wins["lineup"].to_list() == [*WAYS, "both"]
    assert set(wins["who"]) == {""}  # no seat, no policy
    for row in wins.filter(pl.col("lineup") != "both").to_dicts():
        chance = alone_orchard.chance_of_saving(WAYS[row["lineup"]][0])
        error = math.sqrt(chance * (1 - chance) / MATCHES)
        assert abs(row["estimate"] - chance) < FARTHEST * error
        assert row["high"] - row["low"] == pytest.approx(2 * 1.96 * error, rel=0.05)
    assert not frame["family"].is_in(["seats", "policies: even share"]).any()
    change = frame.filter(number="win_rate", kind="change", lineup="fullest").row(0, named=True)
    chances = [
        alone_orchard.chance_of_saving(alone_orchard.fullest, basket=size) for size in (3, 2)
    ]
    error = (change["high"] - change["low"]) / (2 * 1.96)
    assert abs(change["estimate"] - (chances[0] - chances[1])) < FARTHEST * error < 0.03
    moved = frame.filter(number="another_winner", lineup="fullest").row(0, named=True)
    apart = frame.filter(number="unrelated", lineup="fullest").row(0, named=True)
    # Of two matches that have nothing in common one is won and the other lost.
    won, lost = chances
    assert apart["estimate"] == pytest.approx(won * (1 - lost) + lost * (1 - won), abs=0.03)
    assert 0 < moved["estimate"] < apart["estimate"]


def test_a_screen_of_a_game_played_together_has_no_seats_and_no_even_share(ways_of_picking):
    text = str(ways_of_picking)
    assert "How often does the table win? in 6" in " ".join(text.split())
    assert "won by the table, %" in text
    for word in ("first seat", "even share", "fair", "position", "another seat"):
        assert word not in text, word


def test_the_size_of_a_study_is_planned_and_its_goal_reached(tmp_path):
    study = {
        "title": "T",
        "game": ORCHARD,
        "matches": 50_000,
        "options": {"players": 2, "basket": 3},
        "goal": {"half_width": 0.03},
        "lineups": [{"name": "one", "seats": ["random"]}],
    }
    planned = cardlab.plan(study, half_width=3)
    results = cardlab.run(study, tmp_path / "out")
    played = results.rows().collect().height
    row = results.compare().frame.filter(number="win_rate", kind="level").row(0, named=True)
    assert (row["high"] - row["low"]) / 2 <= 0.03
    assert planned.between[0] / 2 < played < 3 * planned.between[1]


def test_nobody_is_exploited_where_all_win_together():
    with pytest.raises(InputError, match="all seats win together, so nobody wins from another"):
        cardlab.exploit(ORCHARD, "fullest", players=2)


@pytest.mark.usefixtures("in_plain")
def test_rows_of_seats_have_the_result_of_the_table():
    simulation = cardlab.simulate(ORCHARD, players=3, lineup="fullest", matches=60)
    rows, seats = simulation.rows().collect(), simulation.seats().collect()
    lost = rows.filter(winners=0)
    assert 6 < len(lost) < 36
    assert not rows["aborted"].any()
    assert set(rows["winners"]) == {0, 0b111}
    assert seats["won"].sum() == pytest.approx(len(rows) - len(lost))
    assert simulation.summary["aborted"] == 0
    share = simulation.summary["win_rate_of_table"]["estimate"]
    assert share == pytest.approx(1 - len(lost) / len(rows))


def test_whoever_watches_reads_that_all_win_or_that_nobody_does():
    ends = set()
    for match in range(8):
        *_, last = replay(cell_of(ORCHARD, "fullest", players=3), match)
        ends.add(last)
    assert ends == {"All win together.", "Nobody wins."}


def test_a_person_plays_together_with_policies():
    lines = []
    cardlab.play(
        ORCHARD,
        players=2,
        lineup="you,fullest",
        ask=lambda _prompt: "1",
        write=lambda _cell, line: lines.append(line),
    )
    assert lines[-1] in ("All win together.", "Nobody wins.")


def test_search_and_a_table_of_one_play_the_same_compiled():
    for players, lineup, matches in ((2, "search(rollouts=8)", 2), (1, "random", 20)):
        cell = cell_of(ORCHARD, lineup, players=players, basket=3)
        assert assert_played_alike(cell, matches) == matches


@pytest.mark.usefixtures("in_plain")
def test_a_game_that_cannot_be_lost_is_remarked_on(tmp_path, monkeypatch):
    monkeypatch.setattr(compared, "COMPILED", 30)
    path = write(tmp_path, "orchard.py", ("        end_match(s, 0)", "        pass"))
    said = next(compared.differences_meant(game_tables(path)))
    assert said.verdict == "remark"
    assert "the table won every match" in said.found


# ---- games in which all may lose, though they compete


def test_matches_that_all_lose_are_told_beside_win_rates(tmp_path):
    path = write(tmp_path, "snuffed.py")
    simulation = cardlab.simulate(path, players=3, options={"sides": 21}, matches=5_000)
    rows = simulation.rows().collect()
    lost = rows.filter(winners=0)
    summary = simulation.summary
    assert not rows["aborted"].any()
    assert summary["aborted"] == 0
    assert summary["nobody_share"]["estimate"] == pytest.approx(len(lost) / len(rows))
    assert summary["decided"] == len(rows) - len(lost)
    # Of the matches that somebody wins: the rates add up to one.
    rates = [level["estimate"] for level in summary["win_rate_by_position"]]
    assert sum(rates) == pytest.approx(1)
    assert "nobody wins" in str(simulation)
    cell = cell_of(path, players=3, sides=21)
    ends = [[*replay(cell, match)][-1] for match in range(8)]
    assert "Nobody wins." in ends
    assert any("wins with" in end for end in ends)
    assert assert_played_alike(cell, 20) == 20
    same = simulation.compare(
        cardlab.simulate(path, players=3, options={"sides": 100}, matches=5_000)
    )
    assert "Nobody wins in" in " ".join(str(same).split())
    assert "nobody" in set(same.frame["number"])


@pytest.mark.usefixtures("in_plain")
def test_where_nobody_ever_loses_there_is_no_number_of_it():
    simulation = cardlab.simulate(str(GAMES / "eights.py"), players=3, matches=10)
    assert "nobody_share" not in simulation.summary
    assert "nobody" not in set(simulation.compare(simulation).frame["number"])
