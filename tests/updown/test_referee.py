"""The kernel plays as the referee says, match by match, under every option."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.batch import Cell
from tests.dials import with_dials
from tests.players import RANDOM_PLAYER
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
PARTS = {"few": range(12), "more": range(12, MATCHES)}
"""The few are played by default, the others in the tier `whole`."""


def cell_of(options, *, seed=1, seats=(RANDOM_PLAYER,)):
    resolved = UPDOWN.resolve(options)
    players = int(resolved["players"])
    return Cell(UPDOWN, resolved, tuple(seats[seat % len(seats)] for seat in range(players)), seed)


@pytest.mark.whole_but("few-*")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("part", PARTS)
def test_referee_agrees(part, variant):
    lineups = ((RANDOM_PLAYER,), (STREAM_PLAYER,), (RANDOM_PLAYER, STREAM_PLAYER, FIRST_PLAYER))
    for match in PARTS[part]:
        options = VARIANTS[variant] | {"rounds": 1 + (match % 20 == 0)}
        seats = lineups[match % 3][: int(options["players"])]
        Follower(cell_of(options, seats=seats), match, rotation=match % 2).run()


def test_ties_were_followed():
    rows = [
        Follower(cell_of({"players": 3, "tie_round": True}), match).run().row for match in range(30)
    ]
    assert any(row["rounds"] > 1 for row in rows)


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
    options = options_of(data.draw)
    chance = random.Random(data.draw(st.integers(0, 2**32)))  # noqa: S311
    taste = data.draw(st.sampled_from(["first", "last", "any"]))

    def choose(_table, _box, moves):
        if taste == "any" or chance.random() < 0.3:
            return chance.choice(moves)
        return moves[0 if taste == "first" else -1]

    cell = cell_of(options, seed=data.draw(st.integers(0, 2**63 - 1)))
    Follower(cell, data.draw(st.integers(0, 2**40)), choose=choose).run()
