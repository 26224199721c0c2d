"""The plain-Python referee follows the rules through hundreds of matches under every option."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dials import moves_by_taste, with_dials
from tests.players import RANDOM_PLAYER
from tests.side_by_side import cell_of
from tests.up.following import UP, Follower
from tests.up.players import HASTY

PLAYERS = (2, 3, 4, 7, 10)

VARIANTS = {
    "plain": {},
    "points_limit": {"points_limit": 60},
    "limit_and_rounds": {"points_limit": 60, "rounds": 2},
    "dirty_always": {"dirty_one": "always"},
    "dirty_forehand": {"dirty_one": "forehand"},
    "double_always": {"double_two": "always"},
    "double_forehand": {"double_two": "forehand"},
    "both_forehand": {"dirty_one": "forehand", "double_two": "forehand"},
    "both_always": {"dirty_one": "always", "double_two": "always"},
    "without_minus_two": {"minus_two": False},
    "extra_set": {"extra_set": True},
    "extra_set_without_minus_two": {"extra_set": True, "minus_two": False},
    "extra_set_double": {"extra_set": True, "double_two": "always"},
    "cards": {"scoring": "cards"},
    "cards_limit": {"scoring": "cards", "points_limit": 20},
    "matches": {"scoring": "matches", "rounds": 2},
    "singly": {"multiples_in_first_lap": False},
    "singly_double": {"multiples_in_first_lap": False, "double_two": "forehand"},
    "same_dealer": {"deal_passes": False, "rounds": 2},
    "forgetful": {"forget_last_card": 0.5},
    "always_forgets": {"forget_last_card": 1.0, "rounds": 2},
    "play_cap": {"play_cap": 100, "rounds": 3},
}
MATCHES = 4
"""By variant and number of players (with the other tests 500 in all); the last one at random."""
PARTS = {"few": range(1), "more": range(1, MATCHES)}
"""The few are played by default, the others in the tier `whole`."""


@pytest.mark.whole_but("few-plain-*", "few-*-3")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("part", PARTS)
def test_referee_agrees(part, variant, players):
    options = VARIANTS[variant] | {"players": players}
    options |= {} if "points_limit" in options else {"rounds": options.get("rounds", 1)}
    for match in PARTS[part]:
        player = RANDOM_PLAYER if match == MATCHES - 1 else HASTY
        Follower(cell_of(UP, options, player, seed=1), match).run()


@pytest.mark.whole_but("3")
@pytest.mark.parametrize("players", PLAYERS)
def test_referee_agrees_when_some_forget(players):
    forget = [0.0, 1.0, 0.5, 0.25, 0.0, 1.0, 0.5, 0.25, 0.0, 1.0][:players]
    lost = 0
    for match in range(4):
        options = {"players": players, "forget_last_card": forget, "rounds": 2}
        cell = cell_of(UP, options, HASTY, seed=1)
        row = Follower(cell, match, rotation=match % players).run().row
        lost += row["clauses"] >> [clause.name for clause in UP.clauses].index("lost_turn") & 1
    assert lost


def options_of(draw):
    options = {
        "players": draw(st.integers(2, 10)),
        "rounds": draw(st.integers(1, 2)),
        "points_limit": draw(st.sampled_from([None, 1, 60, 150])),
        "dirty_one": draw(st.sampled_from(["off", "always", "forehand"])),
        "double_two": draw(st.sampled_from(["off", "always", "forehand"])),
        "extra_set": draw(st.booleans()),
        "scoring": draw(st.sampled_from(["points", "cards", "matches"])),
        "multiples_in_first_lap": draw(st.booleans()),
        "deal_passes": draw(st.booleans()),
        "forget_last_card": draw(st.sampled_from([0.0, 0.5, 1.0])),
        "play_cap": draw(st.sampled_from([100, 300])),
    }
    if draw(st.booleans()):
        options |= {"minus_two": False, "double_two": "off"}
    if options["scoring"] != "points":
        options["dirty_one"] = "off"
    if options["scoring"] == "matches":
        options["points_limit"] = None
    return with_dials(draw, UP, options)


@pytest.mark.whole
@given(st.data())
def test_referee_agrees_under_any_combination(data):
    """Moves are chosen here, with a leaning to special cards, collapses or hidden cards."""
    options, choose = options_of(data.draw), moves_by_taste(data.draw)
    cell = cell_of(UP, options, HASTY, seed=data.draw(st.integers(0, 2**63 - 1)))
    Follower(cell, data.draw(st.integers(0, 2**40)), choose=choose).run()
