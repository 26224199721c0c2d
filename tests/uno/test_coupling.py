"""Each seat draws along an order of its own: the same rules, the same chances, other pairs."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from simcore.batch import play
from simcore.compiler.plain import Match
from simcore.errors import InputError
from simcore.events import RoundStart
from simcore.game import SEAT, STOCK, game_names, get_game
from simcore.jit import IN_PLAIN_PYTHON
from tests.players import RANDOM_PLAYER
from tests.uno.following import UNO, Follower, name_of
from tests.uno.players import HASTY
from tests.uno.test_referee import PLAYERS, VARIANTS, cell_of, options_of

pytestmark = pytest.mark.whole

IMPROBABLE = 1e-6
Z = 4.9
"""Standard errors: p < 1e-6, two-sided."""

MATCHES = 1
ROUNDS = 300 if IN_PLAIN_PYTHON else 30_000


class TestReferee:
    @pytest.mark.parametrize("players", PLAYERS)
    @pytest.mark.parametrize("variant", VARIANTS)
    def test_agrees(self, variant, players):
        options = VARIANTS[variant] | {"players": players}
        for match in range(MATCHES):
            Follower(cell_of(options, coupling=SEAT), match).run()

    def test_agrees_where_stocks_are_renewed_again_and_again(self):
        renewed = 0
        for match in range(2):
            cell = cell_of({"turn_cap": 600}, seats=(RANDOM_PLAYER,), coupling=SEAT)
            renewed += Follower(cell, match).run().row["reshuffles"]
        assert renewed > 4

    @settings(
        max_examples=15, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(st.data())
    def test_agrees_under_any_combination(self, data):
        chance = random.Random(data.draw(st.integers(0, 2**32)))  # noqa: S311
        seed = data.draw(st.integers(0, 2**63 - 1))
        cell = cell_of(options_of(data.draw), seed=seed, coupling=SEAT)
        match = data.draw(st.integers(0, 2**40))
        Follower(cell, match, choose=lambda _table, _box, moves: chance.choice(moves)).run()


class TestRows:
    @pytest.mark.parametrize("seats", [(HASTY,), (RANDOM_PLAYER,), (RANDOM_PLAYER, HASTY)])
    def test_block_and_replay_agree(self, seats):
        """At an all-random table, too, which otherwise plays in a loop of its own."""
        cell = cell_of({"rounds": 2}, seats=seats, coupling=SEAT)
        block = play(cell, 4, 3)
        for row in range(3):
            playback = Match(cell, 4 + row)
            list(playback)
            assert playback.row() == {
                name: int(column[row]) for name, column in block.columns().items()
            }

    def test_do_not_depend_on_threads(self):
        cell = cell_of({}, coupling=SEAT)
        one, two = play(cell, 0, 300), play(cell, 0, 300, threads=2)
        assert all(
            np.array_equal(column, two.columns()[name]) for name, column in one.columns().items()
        )

    def test_other_draws_on_the_same_deal(self):
        starts = {}
        for coupling in (STOCK, SEAT):
            cell = cell_of({"challenge": "off"}, coupling=coupling)
            starts[coupling] = [
                next(event for event in Match(cell, match) if isinstance(event, RoundStart))
                for match in range(20)
            ]
        for one, other in zip(starts[STOCK], starts[SEAT], strict=True):
            assert one.s.top == other.s.top
            drawing = name_of(one.s.top).endswith("draw two")
            assert drawing or list(one.s.hand) == list(other.s.hand)
        lengths = [
            play(cell_of({}, coupling=coupling), 0, 50).columns()["turns"]
            for coupling in (STOCK, SEAT)
        ]
        assert not np.array_equal(*lengths)

    def test_same_cards_when_nothing_is_changed(self):
        one, two = (play(cell_of({}, coupling=SEAT), 0, 50) for _ in range(2))
        assert np.array_equal(one.scores, two.scores)


class TestChances:
    def test_matches_are_as_under_the_other_coupling(self):
        """Other seeds, so that both samples are independent."""
        columns = {}
        for seed, coupling in ((11, STOCK), (12, SEAT)):
            cell = cell_of({"forget_uno": 0.1}, seed=seed, coupling=coupling)
            columns[coupling] = play(cell, 0, ROUNDS).columns()
        for name in (*UNO.metric_names, "score_0", "score_3", "decisions", "forced"):
            one, other = (columns[coupling][name] for coupling in (STOCK, SEAT))
            error = np.sqrt((one.var() + other.var()) / ROUNDS)
            assert abs(one.mean() - other.mean()) <= Z * error, name
        for name in ("turns", "cards_drawn", "winners"):
            edges = np.quantile(columns[STOCK][name], np.linspace(0, 1, 12)[1:-1])
            cut = [
                np.bincount(np.searchsorted(edges, columns[coupling][name]), minlength=11)
                for coupling in (STOCK, SEAT)
            ]
            table = np.array(cut)[:, np.sum(cut, axis=0) > 0]
            assert stats.chi2_contingency(table).pvalue > IMPROBABLE, name

    @pytest.mark.skipif(IN_PLAIN_PYTHON, reason="takes many rounds")
    def test_pairs_are_closer(self):
        """What the coupling is for: differences on the same deal vary less."""
        variance = {}
        for coupling in (STOCK, SEAT):
            scores = [
                play(cell_of(options, coupling=coupling), 0, ROUNDS).scores.astype(float)
                for options in ({}, {"forget_uno": 0.2})
            ]
            variance[coupling] = (scores[1] - scores[0]).var(axis=1).sum()
        assert variance[SEAT] < 0.95 * variance[STOCK]


class TestRefusals:
    @pytest.mark.parametrize("name", sorted(set(game_names()) - {"uno"}))
    def test_games_without_draws_say_why(self, name):
        with pytest.raises(InputError, match=f"coupling 'seat' is refused for {name}: ") as refused:
            get_game(name).check_coupling(SEAT)
        assert "allowed: stock" in str(refused.value)
        assert get_game(name).check_coupling(STOCK) == STOCK

    def test_unknown_words(self):
        with pytest.raises(InputError, match="did you mean 'seat'"):
            UNO.check_coupling("seats")
