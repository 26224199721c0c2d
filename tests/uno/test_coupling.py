"""Each seat draws along an order of its own: the same rules, the same chances, other pairs."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from simcore.batch import play
from simcore.errors import InputError
from simcore.game import SEAT, STOCK, game_names, get_game
from simcore.games.uno import table as uno
from simcore.games.uno.cards import DECK, levels_of
from simcore.games.uno.options import USUAL, copies_of
from simcore.games.uno.orders import is_left, numbers_of, open_orders, without_number
from simcore.games.uno.stock import draw_card
from simcore.games.uno.unseen import deal_unseen
from simcore.jit import JIT_DISABLED
from simcore.jit import kernel as compiled
from simcore.replay import Playback, RoundStart
from tests.players import RANDOM_PLAYER
from tests.uno.following import KIND_NAMES, KINDS, UNO, Follower
from tests.uno.players import HASTY
from tests.uno.position import position, set_of
from tests.uno.test_referee import PLAYERS, VARIANTS, cell_of, options_of

IMPROBABLE = 1e-6
Z = 4.9
"""Standard errors: p < 1e-6, two-sided."""

MATCHES = 4
ROUNDS = 300 if JIT_DISABLED else 30_000


class TestReferee:
    @pytest.mark.parametrize("players", PLAYERS)
    @pytest.mark.parametrize("variant", VARIANTS)
    def test_agrees(self, variant, players):
        options = VARIANTS[variant] | {"players": players}
        for match in range(MATCHES):
            Follower(cell_of(options, coupling=SEAT), match).run()

    def test_agrees_where_stocks_are_renewed_again_and_again(self):
        renewed = 0
        for match in range(4):
            cell = cell_of({"turn_cap": 600}, seats=(RANDOM_PLAYER,), coupling=SEAT)
            renewed += Follower(cell, match).run().row["reshuffles"]
        assert renewed > 10

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
            playback = Playback(cell, 4 + row)
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
                next(event for event in Playback(cell, match) if isinstance(event, RoundStart))
                for match in range(60)
            ]
        for one, other in zip(starts[STOCK], starts[SEAT], strict=True):
            assert one.table.top == other.table.top
            drawing = KIND_NAMES[one.table.top].endswith("draw two")
            hands = [start.box.seats["hand"].tolist() for start in (one, other)]
            assert drawing or hands[0] == hands[1]
        lengths = [
            play(cell_of({}, coupling=coupling), 0, 50).columns()["turns"]
            for coupling in (STOCK, SEAT)
        ]
        assert not np.array_equal(*lengths)

    def test_same_cards_when_nothing_is_changed(self):
        one, two = (play(cell_of({}, coupling=SEAT), 0, 50) for _ in range(2))
        assert np.array_equal(one.scores, two.scores)


def fresh(match=0, players=4):
    """Records at the start of a round."""
    cell = cell_of({"players": players}, coupling=SEAT)
    return next(event for event in Playback(cell, match) if isinstance(event, RoundStart))


def kinds_of(left):
    """Count the kinds of a set of numbers."""
    words = [np.int64(word) for word in left[:2]]
    return Counter(int(kind) for number, kind in enumerate(DECK) if is_left(number, *words))


def draw(table, box, seat):
    return KIND_NAMES[int(draw_card(table, box, seat))]


class TestOrders:
    def test_every_card_has_a_number(self):
        cards, doubles, _ = set_of(", ".join(KIND_NAMES[kind] for kind in DECK))
        left = numbers_of(np.int64(cards), np.int64(doubles), 4, 4)
        assert kinds_of(left) == Counter(DECK.tolist())
        for number in range(108):
            assert is_left(number, *left)
            less = without_number(number, *left)
            assert not is_left(number, *less)
            assert kinds_of(left) - kinds_of(less) == Counter([int(DECK[number])])
            assert without_number(number, *less) == less
        assert not is_left(108, *left)

    def test_of_equal_cards_left_the_first_is_gone(self):
        bit = np.int64(1 << KINDS["red 7"])
        left = numbers_of(np.int64(0), bit, 2, 1)
        assert kinds_of(left) == Counter([KINDS["red 7"], *[KINDS["wild"]] * 2, 53])
        assert not is_left(DECK.tolist().index(KINDS["red 7"]), *left)
        assert is_left(DECK.tolist().index(KINDS["wild"]), *left)

    def test_the_stock_at_the_start(self):
        start = fresh()
        stock = Counter(start.box.stock[: int(start.table.stock_size)].tolist())
        assert kinds_of(start.box.left) == stock

    def test_draws_of_others_take_cards_but_shift_none(self):
        """A seat draws its permutation, less what others took, however much they drew before."""
        alone = fresh()
        cards = [draw(alone.table, alone.box, 2) for _ in range(20)]
        for before in (1, 2, 9):
            start = fresh()
            taken = Counter(draw(start.table, start.box, 1) for _ in range(before))
            own = [draw(start.table, start.box, 2) for _ in range(12)]
            both = Counter(cards) & taken
            # What is left of the first draws is in the same order.
            left = [card for card in cards if not both[card]]
            assert [card for card in own if card in left][:5] == left[:5]

    def test_every_seat_and_every_renewal_has_another_order(self):
        start = fresh(players=10)
        seen = {tuple(box_order(start.table, start.box, seat, 0)) for seat in range(10)}
        seen |= {tuple(box_order(start.table, start.box, seat, 1)) for seat in range(10)}
        assert len(seen) == 20


def box_order(table, box, seat, renewals):
    """Return the numbers that a seat would draw first of a whole stock."""
    tables, boxes = np.array([table]).view(np.recarray), np.array([box]).view(np.recarray)
    open_orders(tables[0], boxes[0], renewals)
    return [draw(tables[0], boxes[0], seat) for _ in range(12)]


@compiled
def draw_in_turn(table, box, kinds, key):
    """Draw a stock of a few cards to its end; who draws next depends on what was drawn."""
    size = table.stock_size
    box.key = np.uint64(key)
    open_orders(table, box, 0)
    seat = np.int64(0)
    for turn in range(size):
        kinds[turn] = draw_card(table, box, seat)
        seat = (seat + kinds[turn]) % table.players


class TestChances:
    @pytest.mark.parametrize(
        "stock",
        ["red 1, blue 2, wild, green 4", "red 7, red 7, blue 1", "wild, wild, wild, blue 3"],
    )
    def test_all_orders_of_a_stock_are_equally_likely(self, stock):
        """However draws are spread over the seats, and with equal cards in the stock."""
        p = position("blue 1", "red 7", stock=stock)
        p.box.coupling = uno.BY_SEAT
        names = stock.split(", ")
        counts: Counter[tuple[int, ...]] = Counter()
        kinds = np.zeros(len(names), dtype=np.int64)
        taken = [
            DECK.tolist().index(KINDS[name]) + names[:i].count(name) for i, name in enumerate(names)
        ]
        firsts, seconds = levels_of(copies_of(USUAL))[:2]
        everything = numbers_of(np.int64(firsts), np.int64(seconds), 4, 4)
        without = everything
        for number in taken:
            without = without_number(number, *without)
        left = [one & ~other for one, other in zip(everything, without, strict=True)]
        for key in range(ROUNDS):
            p.fill(stock)
            p.box.left[:2] = left
            draw_in_turn(p.table, p.box, kinds, key)
            counts[tuple(kinds.tolist())] += 1
        expected = Counter(tuple(KINDS[name] for name in order) for order in permutations(names))
        assert set(counts) <= set(expected)
        total = sum(expected.values())
        found = [counts[order] for order in expected]
        even = [ROUNDS * times / total for times in expected.values()]
        assert stats.chisquare(found, even).pvalue > IMPROBABLE

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

    @pytest.mark.skipif(JIT_DISABLED, reason="takes many rounds")
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


def test_search_plays_on_from_a_stock_shuffled_for_all():
    """What a search deals holds none of the true orders, even in a copy of the true BOX."""
    cell = cell_of({}, coupling=SEAT)
    step = next(event for event in Playback(cell, 3) if hasattr(event, "move"))
    tables, boxes = (np.array([one]).view(np.recarray) for one in (step.table, step.box))
    table, box = tables[0], boxes[0]
    assert box.coupling == uno.BY_SEAT
    assert step.box.left.any()
    looker = int(table.seat)
    deal_unseen(table, step.box.seats[looker], box, np.array([5, 6], dtype=np.uint64))
    assert (box.coupling, box.loose) == (uno.BY_STOCK, table.stock_size)
    before = Counter(box.stock[: int(table.stock_size)].tolist())
    kinds = [int(draw_card(table, box, looker)) for _ in range(5)]
    assert Counter(kinds) <= before
    assert box.loose < table.stock_size


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
