"""Under every option of every game lanes give the rows of one match after another."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore.batch import Cell, fits_lanes, play
from simcore.compiler.lanes import lane_count
from simcore.compiler.program import program_of
from simcore.game import game_names, get_game
from simcore.jit import JIT_DISABLED
from strategies import make_strategy, policies
from tests.contract.test_games import CASES, cell_of, player_counts
from tests.contract.test_plain_and_compiled import random_options
from tests.dials import with_some_options
from tests.in_lanes import rows_in_lanes
from tests.modes.rows import SHORT
from tests.players import RANDOM_PLAYER

MATCHES = 40


def tables(game, options):
    """Yield cells of random play, and of all policies."""
    known = [one for one in policies(game) if one.name != "search"]
    mixed = tuple(make_strategy(one, {}) for one in known)
    for seats in ((RANDOM_PLAYER,), mixed, mixed[::-1]):
        for coupling in game.couplings:
            yield replace(cell_of(game, seats, **options), coupling=coupling)


def assert_same_rows(cell, variant):
    rows = play(cell, 0, MATCHES, lanes=False).columns()
    for name, column in play(cell, 0, MATCHES).columns().items():
        different = np.flatnonzero(column != rows[name])
        assert not different.size, (
            f"simcore/games/{cell.game.name}: with {variant or 'the usual rules'} and "
            f"{cell.players} players, match {different[0]} of {', '.join(map(str, cell.seats))} "
            f"has {name} = {column[different[0]]} in lanes, {rows[name][different[0]]} one by one"
        )


@pytest.mark.parametrize(("game", "variant"), CASES)
def test_rows_do_not_depend_on_the_way_of_playing(game, variant):
    for players in player_counts(game, variant):
        for cell in tables(game, {"players": players} | variant):
            if fits_lanes(cell):
                assert_same_rows(cell, variant)


@pytest.mark.parametrize("name", game_names())
@given(st.data())
def test_rows_under_options_drawn_at_random(name, data):
    game = get_game(name)
    players = data.draw(st.integers(game.players.low, game.players.high))
    options = with_some_options(data.draw, game, SHORT[name] | {"players": players})
    lineups = 1 if name == "uno" else 2  # More would compile for a quarter of an hour.
    for cell in islice(tables(game, options), lineups * len(game.couplings)):
        if fits_lanes(cell):
            assert_same_rows(cell, options)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("upordown", {"players": 2, "highest_card": 126}),  # A seat has more turns than coins.
        ("upordown", {"players": 3, "highest_card": 106}),
        ("up", {"double_two": "always", "minus_two_collapse": "any", "rounds": 2}),
        # The start card is stacked upon with the only card of a hand, and the round is over.
        (
            "uno",
            {
                "hand_size": 1,
                "stacking": "any",
                "jump_in": True,
                "draw_twos": 4,
                "numbers": 1,
                "rounds": 3,
                "turn_cap": 300,
            },
        ),
    ],
)
def test_rows_where_options_meet(name, options):
    cells = [cell for cell in tables(get_game(name), options) if fits_lanes(cell)]
    if not cells:
        pytest.skip("this machine plays no such tables in lanes")
    for cell in cells:
        assert_same_rows(cell, options)


@pytest.mark.skipif(JIT_DISABLED or lane_count() < 2, reason="this machine has no lanes")
@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize(
    "number",
    [
        0,
        *(pytest.param(n, marks=pytest.mark.whole) for n in range(1, 8)),
        *(pytest.param(n, marks=pytest.mark.long) for n in range(8, 60)),
    ],
)
def test_any_game_can_be_played_in_lanes(name, number):
    """Also those that are not, as they are no quicker so."""
    chance = random.Random(f"lanes {name} {number}")  # noqa: S311
    game = get_game(name)
    options = random_options(game, chance)
    cell = Cell(game, options, (RANDOM_PLAYER,) * options["players"], number)
    decisions = list(program_of(game).decisions)
    out = play(cell, 0, MATCHES + 1, lanes=False)
    for free in ([], decisions):
        first_seat, winners, aborted, scores, metrics = rows_in_lanes(cell, MATCHES + 1, free)
        assert (first_seat == out.first_seat).all()
        assert (winners == out.winners).all()
        assert (aborted == out.aborted).all()
        assert (scores == out.scores).all()
        assert (metrics == out.metrics).all()


def test_a_difference_is_told(monkeypatch):
    cell = cell_of(get_game("updown"), players=3, tie_round=True)
    right = play(cell, 0, MATCHES, lanes=False)

    def wrong(_cell, _first, _count, lanes=True):
        scores = right.scores.copy()
        scores[1, 7] += lanes
        return replace(right, scores=scores)

    monkeypatch.setattr("tests.contract.test_lanes.play", wrong)
    told = r"with {'tie_round': True} and 3 players, match 7 of .* has score_1 = (\d+) in lanes"
    with pytest.raises(AssertionError, match=told):
        assert_same_rows(cell, {"tie_round": True})
