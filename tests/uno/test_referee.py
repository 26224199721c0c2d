"""The plain-Python referee follows the kernel through thousands of matches under every option."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.batch import Cell
from tests.dials import with_dials
from tests.players import RANDOM_PLAYER
from tests.uno.following import UNO, Follower
from tests.uno.players import HASTY

PLAYERS = (2, 3, 4, 7, 10)

VARIANTS = {
    "plain": {},
    "target": {"rounds": None, "target": 60},
    "own_cards": {"scoring": "own_cards"},
    "own_cards_target": {"scoring": "own_cards", "rounds": None, "target": 150},
    "rounds": {"rounds": 3},
    "challenge_off": {"challenge": "off"},
    "reverse_none": {"reverse_two_players": "none"},
    "forgetful": {"forget_uno": 0.5},
    "always_forgets": {"forget_uno": 1.0, "turn_cap": 150},
    "seldom_noticed": {"forget_uno": 0.8, "notice_uno": 0.4, "challenge": "off"},
    "turn_cap": {"turn_cap": 100, "rounds": 3},
}
CHALLENGES = next(option.values for option in UNO.options if option.name == "challenge")
MATCHES = 17
"""By variant and number of players (with the other tests 1000 in all); every 16th at random."""
PARTS = {"few": range(2), "more": range(2, MATCHES)}
"""The few are played by default, the others in the tier `whole`."""


def cell_of(options, *, seed=1, seats=(HASTY,)):
    resolved = UNO.resolve({"rounds": 1} | options)
    players = int(resolved["players"])
    held = tuple(seats[seat % len(seats)] for seat in range(players))
    return Cell(UNO, resolved, held, seed)


@pytest.mark.whole_but("few-plain-*", "few-*-3")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("part", PARTS)
def test_referee_agrees(part, variant, players):
    options = VARIANTS[variant] | {"players": players}
    for match in PARTS[part]:
        seats = (RANDOM_PLAYER,) if match % 16 == 15 else (HASTY,)
        if match % 16 == 15:
            options = {"turn_cap": 300} | options
        Follower(cell_of(options, seats=seats), match).run()


@pytest.mark.whole_but("3")
@pytest.mark.parametrize("players", PLAYERS)
def test_referee_agrees_when_some_forget(players):
    forget = [0.0, 1.0, 0.5, 0.25, 0.0, 1.0, 0.5, 0.25, 0.0, 1.0][:players]
    penalties = 0
    for match in range(6):
        cell = cell_of({"players": players, "forget_uno": forget, "turn_cap": 400})
        penalties += Follower(cell, match, rotation=match % players).run().row["uno_penalties"]
    assert penalties


def options_of(draw):
    return {
        "players": draw(st.integers(2, 10)),
        "rounds": draw(st.sampled_from([None, 1, 2])),
        "target": draw(st.sampled_from([1, 60, 150])),
        "scoring": draw(st.sampled_from(["winner_takes", "own_cards"])),
        "challenge": draw(st.sampled_from(CHALLENGES)),
        "reverse_two_players": draw(st.sampled_from(["skip", "none"])),
        "forget_uno": draw(st.sampled_from([0.0, 0.5, 1.0])),
        "notice_uno": draw(st.sampled_from([0.0, 0.5, 1.0])),
        "turn_cap": draw(st.sampled_from([100, 300])),
    }


@pytest.mark.whole
@given(st.data())
def test_referee_agrees_under_any_combination(data):
    """House rules and dials are among them. Moves are chosen here, with a leaning to some."""
    options = with_dials(data.draw, UNO, options_of(data.draw))
    chance = random.Random(data.draw(st.integers(0, 2**32)))  # noqa: S311
    taste = data.draw(st.sampled_from(["first", "last", "last but one", "any"]))

    def choose(_table, _box, moves):
        if taste == "any" or chance.random() < 0.3:
            return chance.choice(moves)
        return moves[{"first": 0, "last": -1, "last but one": -2}[taste]]

    cell = cell_of(options, seed=data.draw(st.integers(0, 2**63 - 1)))
    Follower(cell, data.draw(st.integers(0, 2**40)), choose=choose).run()


@pytest.mark.whole
def test_a_wild_draw_four_turned_up_goes_back():
    opened = [
        card
        for match in range(60)
        for card in Follower(cell_of({"players": 2, "turn_cap": 100}), match).run().opened
    ]
    assert "wild draw four" in opened
    assert len(opened) > 60


def test_nothing_that_could_be_turned_up_is_dealt_anew():
    """Of five cards one is left after the deal, in every fifth the wild draw four [C33]."""
    few = {"zeros": 0, "numbers": 0, "draw_twos": 1, "reverses": 0, "skips": 0, "wilds": 0}
    options = {"players": 2, "hand_size": 2, "wild_draw_fours": 1, "turn_cap": 100, "rounds": 1}
    for match in range(20):
        assert "wild draw four" not in Follower(cell_of(few | options), match).run().opened


def test_a_lap_in_which_nothing_can_be_drawn_is_followed():
    """Everybody draws and keeps until all cards are held; then nobody lays a card either."""
    cell = cell_of({"players": 3, "turn_cap": 1000})
    row = Follower(cell, 0, choose=lambda _table, _box, moves: moves[-1]).run().row
    assert row["aborted"]
    assert row["turns"] == 86 + 3
