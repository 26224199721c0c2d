"""The plain-Python referee follows the kernel through thousands of matches under every option."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.batch import Cell
from simcore.compiler.state import Cards
from simcore.games.dnup.charts import LARGE, LARGE_ROW, VALUES
from simcore.games.dnup.rules import ADD, PICK, TAKE, TURN, begin_turn
from tests.dials import with_dials
from tests.dnup.decks import DECKS, write_decks
from tests.dnup.following import DNUP, Follower
from tests.dnup.players import COLLECTOR, HASTY
from tests.players import RANDOM_PLAYER

PLAYERS = (2, 3, 4, 5)

VARIANTS = {
    "plain": {},
    "deck_c": {"deck": "c"},
    "turn_cap": {"turn_cap": 100},
    **{f"deck_{name}": {"deck": name} for name in DECKS},
}
OF_MANY = {
    "one_marker": {"markers_to_win": 1},
    "three_markers": {"markers_to_win": 3},
}
OF_TWO = {
    "three_rounds": {"rounds_to_win": 3},
    "collision_first": {"win_on_playing": False},
    "collision_first_deck_c": {"win_on_playing": False, "deck": "c", "rounds_to_win": 2},
}
CASES = [
    *((variant, players) for variant in VARIANTS for players in PLAYERS),
    *((variant, players) for variant in OF_MANY for players in PLAYERS[1:]),
    *((variant, 2) for variant in OF_TWO),
]
MATCHES = 55
"""By variant and number of players (with the other tests some 2000 in all)."""
PARTS = {"few": range(2), "more": range(2, MATCHES)}
"""The few are played by default, the others in the tier `whole`."""

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


@pytest.mark.whole_but("few-plain-*", "few-*-3")
@pytest.mark.parametrize(("variant", "players"), CASES)
@pytest.mark.parametrize("part", PARTS)
def test_referee_agrees(part, variant, players, files):
    options = (VARIANTS | OF_MANY | OF_TWO)[variant] | {"players": players}
    for match in PARTS[part]:
        cell = cell_of(options, files, seats=LINEUPS[match % len(LINEUPS)])
        Follower(cell, match, rotation=match % players).run()


def test_large_sets_are_met(files):
    """A deck of many equal values brings hands and sets beyond the rows of a chart.

    The hands are arranged: large sets are played, grow, meet, are beaten, taken and discarded.
    """
    seen = {"played": 0, "grown": 0, "taken": 0}

    def choose(s, _s, moves):
        actions = [move for move in moves if s.phase != PICK]
        grow = [move for move in actions if ADD + LARGE_ROW - VALUES <= move < TAKE]
        play = [move for move in actions if LARGE_ROW - VALUES <= move < TURN]
        take = [move for move in actions if move >= TAKE + LARGE_ROW]
        if take and chance.random() < 0.5:
            seen["taken"] += 1
            return take[0]
        if grow:
            seen["grown"] += 1
            return grow[0]
        if play and chance.random() < 0.7:
            seen["played"] += 1
            return play[chance.random() < 0.5 and -1]
        return chance.choice(moves)

    chance = random.Random(8)  # noqa: S311
    cell = cell_of({"deck": "crowded", "players": 2, "turn_cap": 300}, files)
    follower = Follower(cell, 8, choose=choose)
    crowd(follower)
    largest = follower.run().row["largest_set"]
    assert largest > LARGE + 1
    assert min(seen.values()) > 3


def crowd(follower):
    """Turn every 1 and 2 that is dealt up."""
    original = follower.start_round

    def start_round(_start):
        s, o = follower.playback.s, follower.playback.plain.o
        for seat in range(follower.players):
            wanted = seat + 1
            turned = Cards(o.high[wanted] & ~o.low[wanted])
            s.flipped = s.flipped - s.hand[seat] | s.hand[seat] & turned
        follower.playback.plain.run(follower.playback.plain.add(begin_turn), s, s.place)
        original(s.copy())

    follower.start_round = start_round


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
    return with_dials(draw, DNUP, options)


@pytest.mark.whole
@given(st.data())
def test_referee_agrees_under_any_combination(files, data):
    """Moves are chosen here, with a leaning to small sets, to taking, or to large sets."""
    options = options_of(data.draw)
    chance = random.Random(data.draw(st.integers(0, 2**32)))  # noqa: S311
    taste = data.draw(st.sampled_from(["first", "last", "large", "any"]))

    def choose(_s, _same, moves):
        if taste == "any" or chance.random() < 0.3:
            return chance.choice(moves)
        if taste == "large":
            return max((move for move in moves if move < 360), default=moves[0])
        return moves[0 if taste == "first" else -1]

    cell = cell_of(options, files, seed=data.draw(st.integers(0, 2**63 - 1)))
    Follower(cell, data.draw(st.integers(0, 2**40)), choose=choose).run()
