import numpy as np
import pytest

from studies.stats.nash import nash_average, nash_averages, root_mean_square, split_cyclic

ROCK = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], dtype=float)
SPOCK = np.array(  # rock, paper, scissors, Spock, lizard
    [
        [0, -1, 1, -1, 1],
        [1, 0, -1, 1, -1],
        [-1, 1, 0, -1, 1],
        [1, -1, 1, 0, -1],
        [-1, 1, -1, 1, 0],
    ],
    dtype=float,
)


def antisymmetric(generator, size):
    upper = np.triu(generator.normal(size=(size, size)), 1)
    return upper - upper.T


class TestNashAveraging:
    def test_rock_paper_scissors(self):
        assert nash_average(ROCK) == pytest.approx([1 / 3] * 3)

    def test_rock_paper_scissors_lizard_spock(self):
        assert nash_average(SPOCK) == pytest.approx([1 / 5] * 5)

    def test_a_copy_shares_the_mass_of_its_original(self):
        # Balduzzi et al. 2018, section 1 and theorem 1: invariance to redundant copies.
        copies = [0, 1, 2, 2]
        game = 4.6 * ROCK[np.ix_(copies, copies)]
        assert nash_average(game) == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-5)

    def test_the_best_of_a_transitive_game_has_all_mass(self):
        ratings = np.array([0.3, 1.2, -0.4])
        assert nash_average(ratings[:, None] - ratings) == pytest.approx([0, 1, 0])

    def test_weighted_rock_paper_scissors(self):
        # Kaplansky 1945: the mixture is in proportion to the payoffs of the other two.
        game = np.array([[0, -2, 3], [2, 0, -5], [-3, 5, 0]], dtype=float)
        assert nash_average(game) == pytest.approx([0.5, 0.3, 0.2])

    @pytest.mark.parametrize("size", [2, 3, 5, 8])
    def test_many_at_once_are_equilibria(self, size):
        generator = np.random.default_rng(size)
        games = np.stack([antisymmetric(generator, size) for _ in range(40)])
        found = nash_averages(games)
        assert found.sum(axis=1) == pytest.approx(np.ones(40))
        assert found.min() >= 0
        assert np.einsum("gij,gj->gi", games, found).max() < 1e-8
        for game, mixture in zip(games[:6], found[:6], strict=True):
            assert nash_average(game) == pytest.approx(mixture, abs=1e-6)

    def test_policies_that_lose_to_none_share_all_evenly(self):
        # Both are even against each other and beat all others between them: any mixture of the two
        # is optimal, and the even one has the greatest entropy.
        game = np.array(
            [
                [0, 1, 1, 0, 0],
                [-1, 0, -1, 0, 1],
                [-1, 1, 0, -1, 1],
                [0, 0, 1, 0, 1],
                [0, -1, -1, -1, 0],
            ],
            dtype=float,
        )
        assert nash_average(game) == pytest.approx([0.5, 0, 0, 0.5, 0])

    def test_nothing_optimal_is_more_even(self):
        generator = np.random.default_rng(3)
        for _ in range(60):
            upper = np.triu(generator.integers(-1, 2, (4, 4)), 1).astype(float)
            game = upper - upper.T
            found = nash_average(game)
            assert (game @ found).max() < 1e-6
            others = generator.dirichlet(np.ones(4) / 2, 4000)
            others = others[(others @ game.T).max(axis=1) <= 0]
            entropy = -(others * np.log(np.maximum(others, 1e-12))).sum(axis=1)
            own = -(found * np.log(np.maximum(found, 1e-12))).sum()
            assert entropy.max(initial=0) <= own + 1e-6

    def test_games_with_many_equilibria_are_solved_too(self):
        games = np.stack([np.zeros((3, 3)), ROCK])
        assert nash_averages(games) == pytest.approx(np.full((2, 3), 1 / 3), abs=1e-5)


class TestCyclicPart:
    def test_of_a_ranking_is_nothing(self):
        ratings = np.array([0.3, 1.2, -0.4, 0.1])
        transitive, cyclic = split_cyclic(ratings[:, None] - ratings)
        assert cyclic == pytest.approx(np.zeros((4, 4)))
        assert transitive[0, 1] == pytest.approx(-0.9)

    def test_of_rock_paper_scissors_is_all(self):
        transitive, cyclic = split_cyclic(ROCK)
        assert transitive == pytest.approx(np.zeros((3, 3)))
        assert cyclic == pytest.approx(ROCK)

    def test_size_is_over_the_pairs_of_two_different_policies(self):
        assert root_mean_square(np.array([ROCK, 2 * ROCK])) == pytest.approx([1, 2])
        game = antisymmetric(np.random.default_rng(2), 4)
        pairs = game[np.triu_indices(4, 1)]
        assert root_mean_square(game) == pytest.approx(np.sqrt(np.mean(pairs**2)))

    def test_parts_are_orthogonal(self):
        transitive, cyclic = split_cyclic(antisymmetric(np.random.default_rng(1), 6))
        assert (transitive * cyclic).sum() == pytest.approx(0)
        assert cyclic.sum(axis=1) == pytest.approx(np.zeros(6))
