"""The search plays well, the same again, and with any policy to play rounds out."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.batch import Cell, play
from simcore.errors import InputError
from simcore.game import game_names, get_game
from strategies import parse_lineup, policies, seat_lineup
from strategies.search import BELIEFS, drop_moves

SEARCHING = [
    name for name in game_names() if any(one.name == "search" for one in policies(get_game(name)))
]


def cell_of(game, lineup, seed=3, **options):
    known = get_game(game)
    resolved = known.resolve(options)
    seats = seat_lineup(parse_lineup(known, lineup), int(resolved["players"]))
    return Cell(known, resolved, seats, seed)


def test_every_game_can_be_searched():
    assert set(SEARCHING) == set(game_names())


@pytest.mark.parametrize("game", SEARCHING)
def test_it_beats_random_play(game):
    cell = cell_of(game, "search(rollouts=8),random")
    block = play(cell, 0, 40)
    won = sum(
        float(np.sum((block.winners >> seat & 1) / np.maximum(np.bitwise_count(block.winners), 1)))
        for seat in range(0, cell.players, 2)
    )
    assert won / 40 > 0.7


@pytest.mark.parametrize("game", SEARCHING)
def test_it_plays_the_same_again(game):
    cell = cell_of(game, "search(rollouts=4)")
    one, other = play(cell, 5, 2), play(cell, 5, 2, threads=2)
    assert np.array_equal(one.scores, other.scores)
    assert np.array_equal(one.metrics, other.metrics)


@pytest.mark.parametrize("game", SEARCHING)
def test_any_policy_plays_rounds_out(game):
    for rollout in ("random", "all_rounder"):
        play(cell_of(game, f"search(rollouts=4,rollout={rollout}),random"), 0, 1)
    with pytest.raises(InputError, match="did you mean 'all_rounder'"):
        parse_lineup(get_game(game), "search(rollout=all_round)")
    with pytest.raises(InputError, match="unknown policy 'search'"):
        parse_lineup(get_game(game), "search(rollout=search)")


def test_what_plays_rounds_out_matters_and_is_named():
    name = "search(rollouts=9, rollout=greedy)"
    strategy = parse_lineup(get_game("up"), name)[0]
    assert str(strategy) == name
    rows = [
        play(cell_of("up", f"search(rollouts=9,rollout={rollout})"), 0, 4).scores
        for rollout in ("greedy", "all_rounder")
    ]
    assert not np.array_equal(*rows)


def test_a_rollout_has_its_own_parameters():
    dtypes = get_game("up").room("table").record_dtypes(get_game("up").resolve({}))
    numbers = parse_lineup(get_game("up"), "search(rollout=hoarder)")[0].numbers(dtypes)
    hoarder = parse_lineup(get_game("up"), "hoarder")[0]
    assert numbers[BELIEFS:] == hoarder.numbers(dtypes)


def test_a_rollout_has_its_own_parameters_after_what_the_search_believes():
    """Whom the rollouts hear of the search's beliefs would play by them."""
    game = get_game("uno")
    dtypes = game.room("table").record_dtypes(game.resolve({}))
    numbers = parse_lineup(game, "search(trust=0.25, rollout=hitter)")[0].numbers(dtypes)
    assert numbers[BELIEFS:] == [0.25, *parse_lineup(game, "hitter")[0].numbers(dtypes)]
    lineup = "search(rollouts=9, sure=0, trust={}, rollout=hitter)"
    believing, doubting = (play(cell_of("uno", lineup.format(trust)), 0, 6) for trust in (1, 0))
    assert not np.array_equal(believing.scores, doubting.scores)


class TestDropMoves:
    """A move that is clearly behind on the same deals is dropped, others are not."""

    @staticmethod
    def kept(*results):
        moves = np.arange(len(results)) + 10
        table = np.array(results, dtype=float)
        left = drop_moves(moves, table, len(results), table.shape[1])
        return moves[:left].tolist()

    def test_always_a_little_behind(self):
        noise = [0, 90, -50, 20, 70, -80, 10, 30]
        better = [one + 5 + (i % 2) for i, one in enumerate(noise)]
        assert self.kept(noise, better) == [11]

    def test_now_behind_now_ahead(self):
        assert self.kept([9, 0, 9, 0, 9, 0, 9, 9], [0, 9, 0, 9, 0, 9, 0, 0]) == [10, 11]

    def test_always_the_same(self):
        assert self.kept([1, 2, 3], [1, 2, 3], [1, 2, 3]) == [10]

    def test_results_move_with_their_moves(self):
        moves = np.array([1, 2])
        results = np.array([[0.0, 5.0], [9.0, 1.0]])
        assert drop_moves(moves, results, 2, 2) == 2
        assert moves.tolist() == [2, 1]
        assert results.tolist() == [[9.0, 1.0], [0.0, 5.0]]
