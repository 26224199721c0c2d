"""What coverage is measured with beside the other tests: matches at length in plain Python.

That their rows are those of the compiled kernels is tested in `test_modes.py`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from simcore.compiler.plain import Match
from simcore.game import game_names, get_game
from simcore.jit import JIT_DISABLED
from simcore.replay import replay
from strategies import policies
from tests.dnup.decks import write_decks
from tests.modes.rows import cell_of, cells_at_length, in_lanes, row, rows, with_short

DECISIONS = 8

pytestmark = pytest.mark.skipif(not JIT_DISABLED, reason="for NUMBA_DISABLE_JIT=1")


@pytest.mark.parametrize("name", game_names())
def test_rows_in_lanes_are_those_of_single_matches(name):
    found = rows(name)
    lanes = [label for label in found if label.endswith(", in lanes")]
    for label in lanes:
        assert np.array_equal(found[label], found[label.removesuffix(", in lanes")])
    assert lanes or name not in {"up", "dnup"}


@pytest.mark.parametrize(
    ("label", "cell"),
    [
        pytest.param(label, cell, id=f"{name}-{label}")
        for name in (game_names() if JIT_DISABLED else ())
        for label, cell, _ in cells_at_length(get_game(name))
        if f"of {get_game(name).players.low}" in label or label == "whole"
    ],
)
def test_a_match_is_told_to_its_end(label, cell):
    lines = list(replay(cell, 3, why=True, draw="random" in label))
    assert "wins" in lines[-1] or "share the win" in lines[-1] or "Nobody" in lines[-1]


@pytest.mark.parametrize("name", game_names())
def test_the_search_looks_ahead(name):
    """In the first decisions of a match; the rest would take long."""
    game = get_game(name)
    cell = cell_of(game, "search(rollouts=4,rollout=random)", with_short(game, {"players": 2}))
    asked = 0
    kernel = game.room("kernel")

    def choose(_table, _box, moves):
        nonlocal asked
        asked += 1
        move = int(kernel.choose(playback.tables, playback.boxes))
        assert move in moves
        return move

    playback = Match(cell, 1, choose=choose)
    for _ in playback:
        if asked == DECISIONS:
            break
    assert asked == DECISIONS


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("up", {"players": 5, "double_two": "forehand"}),
        ("up", {"players": 10}),
        ("up", {"players": 5, "extra_set": True, "dirty_one": "forehand"}),
        ("uno", {"players": 10, "turn_cap": 2000}),
        ("uno", {"players": 10, "challenge": "off", "turn_cap": 2000}),
        ("uno", {"players": 2, "forget_uno": 0.5, "turn_cap": 2000}),
    ],
    ids=str,
)
def test_rows_in_lanes_at_large_tables(name, options):
    game = get_game(name)
    cell = cell_of(game, "random", {"rounds": 1} | options)
    expected = row(cell, 6)
    with in_lanes(game):
        assert np.array_equal(row(cell, 6), expected)


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("double_two", ["forehand", "always"])
def test_announcements_and_the_double_two_in_up(players, double_two):
    """Under every policy; rounds with the double two leave their lanes."""
    game = get_game("up")
    names = [one.name for one in policies(game) if one.spec is not None]
    options = {"players": players, "rounds": 2, "dirty_one": "forehand", "double_two": double_two}
    for first in range(len(names)):
        lineup = ",".join(names[(first + seat) % len(names)] for seat in range(players))
        cell = cell_of(game, lineup, options)
        expected = row(cell, 2)
        with in_lanes(game):
            assert np.array_equal(row(cell, 2), expected)


def test_each_seat_draws_along_its_own_order():
    game = get_game("uno")
    stock = cell_of(game, "majority", {"rounds": 1})
    seat = replace(stock, coupling="seat")
    assert np.array_equal(row(seat, 3), row(seat, 3))
    assert not np.array_equal(row(seat, 3), row(stock, 3))


@pytest.mark.parametrize("players", [2, 3])
def test_rows_in_lanes_where_sets_are_large(tmp_path, players):
    """With a deck of many equal values rounds leave their lanes."""
    game = get_game("dnup")
    deck = write_decks(tmp_path)["heaped"]
    cell = cell_of(game, "random", {"players": players, "deck": deck, "turn_cap": 150})
    expected = row(cell, 2)
    with in_lanes(game):
        assert np.array_equal(row(cell, 2), expected)
