"""The search plays well, the same again, and with any policy to play rounds out."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.batch import play
from simcore.catalogue import get_game
from simcore.compiler.rollouts import FEWEST_DEALS
from simcore.errors import InputError
from simcore.game import game_names
from strategies import parse_lineup
from studies.answers.estimate import ratio
from studies.run.tuning import Bench
from tests.strategies.test_policies import cell


@pytest.mark.whole_but("updown")
@pytest.mark.parametrize("game", game_names())
def test_it_beats_random_play(game):
    block = play(cell(game, "search(rollouts=8),random"), 0, 40)
    won = sum(
        float(np.sum((block.winners >> seat & 1) / np.maximum(np.bitwise_count(block.winners), 1)))
        for seat in range(0, len(block.scores), 2)
    )
    assert won / 40 > 0.7


@pytest.mark.whole_but("updown")
@pytest.mark.parametrize("game", game_names())
def test_it_plays_the_same_again(game):
    searching = cell(game, "search(rollouts=4)")
    once, again = play(searching, 5, 2), play(searching, 5, 2, threads=2)
    assert np.array_equal(once.scores, again.scores)
    assert np.array_equal(once.metrics, again.metrics)


@pytest.mark.whole_but("updown")
@pytest.mark.parametrize("game", game_names())
def test_any_policy_plays_rounds_out(game):
    for rollout in ("random", "all_rounder"):
        play(cell(game, f"search(rollouts=4,rollout={rollout}),random"), 0, 1)
    with pytest.raises(InputError, match="did you mean 'all_rounder'"):
        parse_lineup(get_game(game), "search(rollout=all_round)")
    with pytest.raises(InputError, match="unknown policy 'search'"):
        parse_lineup(get_game(game), "search(rollout=search)")


@pytest.mark.whole
def test_what_plays_rounds_out_matters_and_is_named():
    name = "search(rollouts=9, rollout=greedy)"
    strategy = parse_lineup(get_game("up"), name)[0]
    assert str(strategy) == name
    rows = [
        play(cell("up", f"search(rollouts=9,rollout={rollout})"), 0, 4).scores
        for rollout in ("greedy", "all_rounder")
    ]
    assert not np.array_equal(*rows)


@pytest.mark.whole
def test_a_rollout_has_its_own_parameters():
    game = get_game("up")
    options = game.resolve({})
    searcher = parse_lineup(game, "search(rollout=hoarder)")[0].seat_policy(options)
    assert searcher.rollout == parse_lineup(game, "hoarder")[0].seat_policy(options)
    assert set(searcher.values) == {"rollouts", "winning", "sure"}


@pytest.mark.whole
def test_what_a_search_believes_decides():
    lineup = "search(rollouts=9, sure=0, trust={}, rollout=hitter)"
    believing, doubting = (play(cell("uno", lineup.format(trust)), 0, 6) for trust in (1, 0))
    assert not np.array_equal(believing.scores, doubting.scores)


@pytest.mark.whole
@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("rollout", ["all_rounder", "random"])
def test_without_deals_it_plays_as_its_heuristic(game, rollout):
    """Move by move, with what that remembers and the random numbers that it draws."""
    rows = [
        play(cell(game, f"{lineup},{rollout}"), 0, 5)
        for lineup in (rollout, f"search(rollouts={FEWEST_DEALS - 1},rollout={rollout})")
    ]
    assert np.array_equal(rows[0].scores, rows[1].scores)
    assert np.array_equal(rows[0].metrics, rows[1].metrics)


def shares(game, candidate, deals, opponent="all_rounder", **options):
    """Return the win rate of one seat, held in turn, of each deal."""
    known = get_game(game)
    bench = Bench(known, known.resolve(options), parse_lineup(known, opponent), 7, 2)
    return bench.shares(parse_lineup(known, candidate)[0], 0, deals)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("game", "deals", "least"), [("up", 15, 0.3), ("uno", 10, 0.2), ("dnup", 30, 0.26)]
)
def test_with_few_deals_it_is_no_worse_than_its_heuristic(game, deals, least):
    """Four of the heuristic share evenly; 8 rollouts of Up used to win 10 %."""
    assert shares(game, "search(rollouts=8)", deals).mean() > least


@pytest.mark.long
@pytest.mark.parametrize("rollouts", [4, 8, 16, 32, 100])
@pytest.mark.parametrize("players", ["fewest", "usual", "more"])
@pytest.mark.parametrize("game", game_names())
def test_no_number_of_rollouts_is_clearly_worse_than_the_heuristic(game, players, rollouts):
    allowed = get_game(game).players
    count = {
        "fewest": allowed.low,
        "usual": int(allowed.default),
        "more": min(allowed.high, int(allowed.default) + 2),
    }[players]
    won = shares(game, f"search(rollouts={rollouts})", 60, players=count)
    deals = np.atleast_2d(np.asarray(won, float))
    high = ratio(deals, np.ones_like(deals), deals.size).interval(0.999)[1]
    assert high[0] >= 1 / count


@pytest.mark.whole
@pytest.mark.parametrize(
    ("players", "variant"),
    [(2, {}), (3, {"dirty_one": "always"}), (4, {"dirty_one": "always", "double_two": "always"})],
)
def test_several_searches_end_their_rounds(players, variant):
    """Each counted on the others to end them: up to 93 % of such rounds reached the cap."""
    block = play(cell("up", "search(rollouts=8)", players=players, rounds=1, **variant), 0, 12)
    assert not block.aborted.any()


GUESS = '''"""A guess: the rank of a hidden card decides what each of two moves is worth."""

from cardlab.rules import *

deck = cards_of(suits=("red", "blue"), ranks=range(6))
players = 3
SURE, GUESS = 0, 1

friendly = option(False, "a guess gives the others two points each, and is always right")


class State:
    stock = hidden(all_cards)
    secret = hidden(cards)
    gained = shown(number, per=seat)


def deal(s):
    s.seat = s.first_seat
    draw(s.stock, s.secret, 1)
    for player in seats():
        s.gained[player] = 0


def legal(s, seat):
    return {SURE, GUESS}


def apply(s, seat, guess):
    if friendly:
        if guess:
            for player in seats():
                s.gained[player] += 3 if player == seat else 2
    elif guess:
        s.gained[seat] += 2 if rank(lowest(s.secret)) < 3 else -2
    else:
        s.gained[seat] += 1


def ended(s, seat):
    return after(seat, 1) == s.first_seat


def score(s):
    for player in seats():
        s.points[player] = s.gained[player]
'''


def test_a_move_is_judged_by_its_mean_over_all_deals_and_a_result_by_its_lead(
    tmp_path, in_plain, monkeypatch
):
    """By search alone.

    A guess brings 2 points or costs 2, as often; a sure move brings 1. Among friends a guess brings
    3 points, the two others 2 each: more than their mean, less than both.
    """
    monkeypatch.setattr("simcore.match.IN_PLAIN_PYTHON", True)
    file = tmp_path / "guess.py"
    file.write_text(GUESS)

    def scores(**options):
        lineup = "search(rollouts=100,winning=0,sure=0)"
        return play(cell(str(file), lineup, **options), 0, 8).scores

    assert (scores() == 1).mean() > 0.9  # eight lucky deals drop a move now and then
    assert (scores(friendly=True) == 3 + 2 + 2).all()
