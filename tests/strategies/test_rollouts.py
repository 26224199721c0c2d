"""Which move is chosen from results with noise: the usual one, unless another is clearly better."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simcore.compiler import rollouts
from simcore.compiler.rollouts import (
    BORROWED,
    FEWEST_DEALS,
    SCEPTIC,
    best_of,
    clearly_best,
    drop_moves,
    mean_variance,
    squared_quantile,
)

SURE = 0.5
USUAL = 10


def kept(*results, usual=USUAL):
    """Return the moves left (10, 11, …: the usual one first), and the table of results."""
    moves = np.arange(len(results)) + USUAL
    table = np.array(results, dtype=float)
    flat, deals = table.ravel(), table.shape[1]
    left = drop_moves(moves, flat, deals, len(results), deals, usual)
    return moves[:left].tolist(), flat.reshape(table.shape)


class TestDropMoves:
    """A move that is clearly behind on the same deals is dropped, others are not."""

    NOISE = np.array([0, 90, -50, 20, 70, -80, 10, 30])
    BETTER = NOISE + 5 + np.arange(8) % 2

    def test_always_a_little_behind(self):
        assert kept(self.BETTER, self.NOISE)[0] == [10]
        assert kept(self.NOISE - 99, self.NOISE, self.BETTER, usual=0)[0] == [12]

    def test_now_behind_now_ahead(self):
        results = [9, 0, 9, 0, 9, 0, 9, 9], [0, 9, 0, 9, 0, 9, 0, 0]
        assert kept(*results)[0] == kept(*results, usual=0)[0] == [10, 11]

    def test_always_the_same(self):
        assert kept([1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4])[0] == [10]

    def test_the_usual_move_is_dropped_only_far_behind(self):
        ahead = np.array([5, 1, 9, 3, 8, 2, 7, 5])
        assert kept(0 * ahead, ahead)[0] == [10, 11]
        assert kept(0 * ahead, ahead, usual=0)[0] == [11]
        assert kept(self.NOISE, self.BETTER)[0] == [11]

    def test_results_move_with_their_moves(self):
        moves, results = kept([0, 0, 0, 1], [5, 6, 5, 6], [50, 60, 50, 70], usual=0)
        assert moves == [12]
        assert results[0].tolist() == [50, 60, 50, 70]


@pytest.mark.parametrize("deals", [4, 5, 8, 16, 32, 100])
@pytest.mark.parametrize("errors", [0.5, 1, 2, 3])
def test_the_quantile_is_that_of_students_t(deals, errors):
    exact = stats.t.ppf(stats.norm.cdf(errors), deals - 1)
    assert np.sqrt(squared_quantile(errors, deals)) == pytest.approx(exact, rel=0.03)


def test_variances_are_borrowed_from_moves_that_differ():
    """The move that scatters least may just have been lucky; who is the same says nothing."""
    usual = np.zeros(4)
    steady, wild = np.array([5, 5, 5, 6.0]), np.array([-90, 40, -20, 30.0])
    moves = np.arange(4)
    table = np.array([usual, usual, steady, wild])
    mean = (np.var(steady, ddof=1) + np.var(wild, ddof=1)) / 2
    assert mean_variance(table.ravel(), 4, 4, 4) == pytest.approx(mean)
    shrunk = (3 * np.var(steady, ddof=1) + BORROWED * mean) / (3 + BORROWED)
    needed = steady.sum() / np.sqrt(4 * shrunk)
    assert np.sqrt(bar(4)) > needed
    assert clearly_best(moves, table.ravel(), 4, 4, 4, 0, SURE) == 0
    assert clearly_best(moves[:3], table[:3].ravel(), 4, 3, 4, 0, SURE) == 2
    assert clearly_best(moves, table.ravel(), 4, 4, 4, 99, SURE) == 2, (
        "the usual move has been dropped"
    )


def bar(deals):
    """Return the square of the standard errors that a move must be ahead."""
    return squared_quantile(SURE * np.sqrt(1 + SCEPTIC / deals), deals)


@pytest.mark.parametrize("deals", [4, 8, 32, 200])
def test_a_move_is_taken_just_beyond_the_bar(deals):
    """With few deals that is more standard errors than with many."""
    ahead = np.tile([-1.0, 1.0], deals // 2)
    scatter = np.sqrt(deals / (deals - 1))
    needed = np.sqrt(bar(deals) / deals) * scatter
    for factor, taken in ((0.999, 0), (1.001, 1)):
        results = np.array([np.zeros(deals), ahead + factor * needed])
        assert clearly_best(np.arange(2), results.ravel(), deals, 2, deals, 0, SURE) == taken
    assert bar(4) > bar(8) > 2 * bar(32) > 4 * SURE**2


def expected(results_of, values, deals, decide, trials=700):
    """Return the mean value of the moves decided for, on many sets of deals with noise."""
    stream = np.random.default_rng(4)
    moves = np.arange(len(values))
    chosen = [decide(moves, results_of(stream, deals), len(values), deals) for _ in range(trials)]
    return float(np.mean(values[chosen]))


def carefully(moves, results, left, tried):
    return clearly_best(moves, results.ravel().tolist(), tried, left, tried, 0, SURE)


def by_mean(_, results, left, tried):
    return best_of(results.ravel().tolist(), tried, left, tried)


EFFECTS = np.array([0, -1, -1, -2, -2, -4, -4, -8])
RARE = 1 - 0.08 * 40


def planted(stream, deals):
    """Return results of moves none of which is better than the usual one, on common deals."""
    return stream.normal(0, 30, deals) + EFFECTS[:, None] + stream.normal(0, 8, (8, deals))


def with_rare_losses(stream, deals):
    """Return results where four moves gain 1 as a rule, and lose 40 once in a dozen deals."""
    results = 1 - 40.0 * (stream.random((5, deals)) < 0.08)
    results[0] = 0
    return results + stream.normal(0, 0.5, (5, deals))


@pytest.mark.parametrize("deals", [FEWEST_DEALS, 8, 16, 32])
def test_noise_seldom_overrules_the_usual_move(deals):
    careful = expected(planted, EFFECTS, deals, carefully)
    assert careful > (-0.06 if deals == FEWEST_DEALS else -0.3)
    assert careful > 0.4 * expected(planted, EFFECTS, deals, by_mean)


@pytest.mark.parametrize("deals", [FEWEST_DEALS, 8, 16])
def test_a_rare_loss_that_has_not_been_seen_yet_is_reckoned_with(deals):
    values = np.array([0, RARE, RARE, RARE, RARE])
    careful = expected(with_rare_losses, values, deals, carefully)
    assert careful > 0.4 * expected(with_rare_losses, values, deals, by_mean)


@pytest.mark.parametrize(("deals", "least"), [(8, 0.7), (16, 0.95), (32, 0.99)])
def test_a_move_that_is_much_better_is_taken(deals, least):
    better = np.where(np.arange(8) == 5, 10, EFFECTS)

    def results(stream, count):
        return planted(stream, count) + (better - EFFECTS)[:, None]

    assert expected(results, (better == 10).astype(float), deals, carefully) > least


class Toy:
    """A game of one decision, whose moves score what `worth` says of a deal; a state of it."""

    def __init__(self, worth, deals=16):
        self.worth, self.deals = worth, deals
        self.seat = self.deal = 0
        self.phase, self.winners, self.scores = 2, 0, [0, 0]
        self.players, self.lowest_wins, self._cleared = 2, 0, 0
        self._params = [deals, 1.0, SURE, 0.0]
        self._looker, self._SEAT = 0, [None, None]

    def carried_out(self, move):
        self.scores[0], self.phase = self.worth(move, self.deal), 1

    def scored(self):
        self.phase, self.winners = 0, 1 if self.scores[0] > 0 else 2


@pytest.fixture
def choice(monkeypatch):
    """Return what a search chooses in a toy game, with the deals that each move was tried on."""

    def choose(worth, deals=16, overdue=False):
        toy, states, tried = Toy(worth, deals), [Toy(worth) for _ in range(3)], []
        words = iter(range(2 * deals))

        def copy_state(target, source, _count):
            target.__dict__.update(source.__dict__, scores=list(source.scores))

        def deal_unseen(s, _o, _seat, _trust):
            s.deal += 1
            toy.deal = s.deal

        def carry_out(s, _o, _seat, move):
            tried.append((s.deal, move))
            s.carried_out(move)

        for name, stand_in in {
            "STATE_SIZE": 1,
            "_int": int,
            "_float": float,
            "popcount": int.bit_count,
            "_state_behind": lambda _s, count: states[count - 1],
            "_numbers_behind": lambda _s, _at: [0] * rollouts.MOST_MOVES,
            "_reals_behind": lambda _s, _at: [0.0] * rollouts.MOST_MOVES * deals,
            "_copy_state": copy_state,
            "_TEAM": [1, 2],
            "_usual": lambda *_: 1,
            "_overdue": lambda *_: overdue,
            "_count_moves": lambda *_: 3,
            "_nth_move": lambda _s, _o, _seat, index: index,
            "_next": lambda *_: next(words),
            "_deal_unseen": deal_unseen,
            "_carry_out": carry_out,
            "_score_round": lambda s, _o: s.scored(),
            **dict.fromkeys(("_open_streams", "_forget_others", "_take_back"), lambda *_: None),
            "_recall": lambda *_: None,
        }.items():
            monkeypatch.setattr(rollouts, name, stand_in, raising=False)
        return rollouts._search(toy, toy, 0, 0), tried

    return choose


class TestChoose:
    """The loop over deals, run as ordinary Python."""

    def test_the_move_that_scores_most(self, choice):
        assert choice(lambda move, deal: (3, 1, 9)[move] + deal % 3)[0] == 2

    def test_the_usual_move_where_none_is_better(self, choice):
        assert choice(lambda _move, deal: deal % 3)[0] == 1

    def test_every_move_is_tried_on_the_same_deals(self, choice):
        _, tried = choice(lambda move, deal: (move * deal * 7) % 5, deals=6)
        assert tried == [(deal, move) for deal in range(1, 7) for move in (1, 0, 2)]

    def test_a_move_far_behind_is_dropped_at_a_look(self, choice):
        _, tried = choice(lambda move, deal: (0, 50, 51)[move] + deal * (move + 2) % 5)
        last = max(deal for deal, move in tried if move == 0)
        assert last == rollouts.HEAT
        assert max(deal for deal, _ in tried) == 16

    def test_no_search_with_few_deals_or_close_to_the_end(self, choice):
        assert choice(lambda move, _deal: move, deals=FEWEST_DEALS - 1) == (1, [])
        assert choice(lambda move, _deal: move, overdue=True) == (1, [])
