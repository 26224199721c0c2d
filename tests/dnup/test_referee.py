"""The plain-Python referee follows the kernel through thousands of matches under every option."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simcore.batch import Cell
from simcore.games.dnup.cards import LARGE, LARGE_ROW
from simcore.games.dnup.table import TAKE, TURN
from tests.dnup.decks import DECKS, write_decks
from tests.dnup.following import DNUP, Follower
from tests.dnup.players import COLLECTOR, HASTY, RANDOM_PLAYER

PLAYERS = (2, 3, 4, 5)

VARIANTS = {
    "plain": {},
    "deck_c": {"deck": "c"},
    "turn_cap": {"turn_cap": 100},
    **{f"deck_{name}": {"deck": name} for name in DECKS},
}
OF_MANY = {
    "one_marker": {"markers_to_win": 1},
    "four_markers": {"markers_to_win": 4},
    "seven_markers": {"markers_to_win": 7},
}
OF_TWO = {
    "two_rounds": {"rounds_to_win": 2},
    "five_rounds": {"rounds_to_win": 5},
    "collision_first": {"win_on_playing": False},
    "collision_first_deck_c": {"win_on_playing": False, "deck": "c", "rounds_to_win": 4},
}
CASES = [
    *((variant, players) for variant in VARIANTS for players in PLAYERS),
    *((variant, players) for variant in OF_MANY for players in PLAYERS[1:]),
    *((variant, 2) for variant in OF_TWO),
]
MATCHES = 48
"""By variant and number of players (with the other tests some 2000 in all)."""

LINEUPS = ((RANDOM_PLAYER,), (HASTY,), (COLLECTOR, HASTY))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_decks(tmp_path_factory.mktemp("decks"))


def cell_of(options, files, *, seed=1, seats=(HASTY,)):
    deck = str(options.get("deck", "a"))
    goal = {"rounds_to_win": 1} if options["players"] == 2 else {"markers_to_win": 2}
    resolved = DNUP.resolve(goal | options | {"deck": files.get(deck, deck)})
    players = int(resolved["players"])
    return Cell(DNUP, resolved, tuple(seats[seat % len(seats)] for seat in range(players)), seed)


@pytest.mark.parametrize(("variant", "players"), CASES)
def test_referee_agrees(variant, players, files):
    options = (VARIANTS | OF_MANY | OF_TWO)[variant] | {"players": players}
    for match in range(MATCHES):
        cell = cell_of(options, files, seats=LINEUPS[match % len(LINEUPS)])
        Follower(cell, match, rotation=match % players).run()


def test_large_sets_are_met(files):
    """A deck of many equal values brings hands and sets beyond the rows of a chart."""

    def choose(table, _box, moves):
        del table
        taken = [move for move in moves if move >= TAKE]
        large = [move for move in moves if LARGE_ROW <= move < TURN]
        return max(large or taken or [move for move in moves if move == TURN] or moves[:1])

    cell = cell_of({"deck": "crowded", "players": 3, "turn_cap": 300}, files)
    rows = [Follower(cell, match, choose=choose).run().row for match in range(4)]
    assert max(row["largest_set"] for row in rows) > LARGE


def options_of(draw):
    options = {
        "players": draw(st.integers(2, 5)),
        "deck": draw(st.sampled_from(["a", "c", *DECKS])),
        "turn_cap": draw(st.sampled_from([100, 150, 1000])),
    }
    if options["players"] == 2:
        options["rounds_to_win"] = draw(st.integers(1, 3))
        options["win_on_playing"] = draw(st.booleans())
    else:
        options["markers_to_win"] = draw(st.integers(1, 5))
    return options


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_referee_agrees_under_any_combination(files, data):
    """Moves are chosen here, with a leaning to small sets, to taking, or to large sets."""
    options = options_of(data.draw)
    chance = random.Random(data.draw(st.integers(0, 2**32)))  # noqa: S311
    taste = data.draw(st.sampled_from(["first", "last", "large", "any"]))

    def choose(_table, _box, moves):
        if taste == "any" or chance.random() < 0.3:
            return chance.choice(moves)
        if taste == "large":
            return max((move for move in moves if move < 360), default=moves[0])
        return moves[0 if taste == "first" else -1]

    cell = cell_of(options, files, seed=data.draw(st.integers(0, 2**63 - 1)))
    Follower(cell, data.draw(st.integers(0, 2**40)), choose=choose).run()
