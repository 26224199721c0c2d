"""The kernel plays as the referee says, match by match, under every option."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dials import moves_by_taste, with_dials
from tests.players import RANDOM_PLAYER
from tests.side_by_side import cell_of
from tests.updown.following import UPDOWN, Follower
from tests.updown.players import FIRST_PLAYER, STREAM_PLAYER

VARIANTS = {
    "two": {"players": 2},
    "two_adjacent": {"players": 2, "seating": "adjacent"},
    "two_tie_round": {"players": 2, "tie_round": True},
    "three": {"players": 3},
    "three_tie_round": {"players": 3, "tie_round": True},
    "four": {"players": 4},
    "four_tie_round": {"players": 4, "tie_round": True},
    "adjacent_tie_round": {"players": 2, "seating": "adjacent", "tie_round": True},
}
MATCHES = 120
"""By variant (with the other tests some 1000)."""
PARTS = {"few": range(6), "more": range(6, MATCHES)}
"""The few are played by default, the others in the tier `whole`."""


@pytest.mark.whole_but("few-*")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("part", PARTS)
def test_referee_agrees(part, variant):
    lineups = ((RANDOM_PLAYER,), (STREAM_PLAYER,), (RANDOM_PLAYER, STREAM_PLAYER, FIRST_PLAYER))
    for match in PARTS[part]:
        options = VARIANTS[variant] | {"rounds": 1 + (match % 20 == 0)}
        cell = cell_of(UPDOWN, options, *lineups[match % 3], seed=1)
        Follower(cell, match, rotation=match % 2).run()


def test_ties_were_followed():
    cell = cell_of(UPDOWN, {"players": 3, "tie_round": True}, RANDOM_PLAYER, seed=1)
    assert any(Follower(cell, match).run().row["rounds"] > 1 for match in range(30))


def options_of(draw):
    players = draw(st.integers(2, 4))
    options = {
        "players": players,
        "rounds": draw(st.integers(1, 3)),
        "tie_round": draw(st.booleans()),
        "seating": draw(st.sampled_from(["opposite", "adjacent"])) if players == 2 else "opposite",
    }
    return with_dials(draw, UPDOWN, options)


@given(st.data())
def test_referee_agrees_under_any_combination(data):
    """Moves are chosen here: the first, the last, or any; so are those of the leaders."""
    options, choose = options_of(data.draw), moves_by_taste(data.draw)
    cell = cell_of(UPDOWN, options, RANDOM_PLAYER, seed=data.draw(st.integers(0, 2**63 - 1)))
    Follower(cell, data.draw(st.integers(0, 2**40)), choose=choose).run()
