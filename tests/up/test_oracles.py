"""What must hold whatever is played: cards are kept, the deal is fair, points add up.

Chi-square tests have fixed seeds and bounds beyond which a fair game falls with p < 1e-7.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simcore.batch import Cell, play
from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.events import RoundEnd, RoundStart, Step
from simcore.games.up import rules as up
from simcore.games.up.pack import CLEAR, MINUS_TWO
from simcore.match import Match
from tests.exact import starts
from tests.players import RANDOM_PLAYER
from tests.up.following import UP
from tests.up.players import HASTY

IMPROBABLE = 1e-7

OPTIONS = (
    {"players": 2},
    {"players": 4},
    {"players": 5},
    {"players": 10},
    {"players": 3, "extra_set": True},
    {"players": 4, "extra_set": True, "double_two": "always"},
    {"players": 3, "minus_two": False},
    {"players": 7, "minus_two": False, "extra_set": True},
    {"players": 3, "forget_last_card": 1.0, "dirty_one": "forehand"},
)


def cell_of(options, *, player=HASTY, seed=1):
    resolved = UP.resolve(options)
    return Cell(UP, resolved, (player,) * int(resolved["players"]), seed)


def cards_of(s):
    """Every card that was dealt, wherever it is."""
    everything = [*s.tower, *s.cleared]
    for seat in range(s.players):
        everything += [*s.hand[seat], *s.open_cards[seat]]
        everything += s.top[seat][: s.hidden_cards[seat]]
    return everything


class TestConservation:
    """Every card is in exactly one place after every move."""

    @pytest.mark.parametrize("options", OPTIONS)
    def test_cards_are_neither_lost_nor_doubled(self, options):
        cell = cell_of({"rounds": 1} | options)
        aside = 13 - (not cell.options["minus_two"]) if cell.options["extra_set"] else 0
        dealt, played = None, Match(cell, 1)
        pack = played.plain.o.in_play
        for event in played.events(copies=False):
            s = played.s
            if isinstance(event, RoundStart | Step) and s.phase != up.CUT:
                cards = sorted(cards_of(s))
                dealt = dealt or cards
                assert cards == dealt
                assert len(set(cards)) == len(cards) == len(pack) - aside
                assert set(cards) | set(s.stock) == set(pack)

    @pytest.mark.parametrize("players", [2, 4, 7, 10])
    def test_points_of_all_cards_add_up_to_136_a_set(self, players):
        played = Match(cell_of({"players": players, "rounds": 1}), 1)
        (end,) = (event for event in played if isinstance(event, RoundEnd))
        points = {CLEAR: 50, MINUS_TWO: 20}
        kinds = (played.plain.o.kind[card] for card in end.s.tower | end.s.cleared)
        shed = sum(points.get(kind, kind) for kind in kinds)
        # In the first round the credit of the first out stays at 0.
        assert shed + sum(end.after.s.scores) == 136 * players


@pytest.fixture(scope="module")
def packs():
    dealt = starts("up", {"players": 3}, 600, 7)
    return np.array([s.pack[:39] for s in dealt], dtype=np.uint8)


class TestDeal:
    """The deal is uniform."""

    def test_every_card_is_everywhere_equally_often(self, packs):
        order = np.unique(packs)
        assert len(order) == 39
        counts = np.array(
            [np.bincount(np.searchsorted(order, column), minlength=39) for column in packs.T]
        )
        expected = len(packs) / 39
        # Rows and columns of the table both have fixed sums: 38 × 38 degrees of freedom.
        chi_square = ((counts - expected) ** 2 / expected).sum() * 38 / 39
        assert stats.chi2.sf(chi_square, 38 * 38) > IMPROBABLE
        assert stats.chi2.cdf(chi_square, 38 * 38) > IMPROBABLE

    def test_neighbours_are_independent(self, packs):
        kinds = (packs & 63) >> 2
        pairs = np.bincount(13 * kinds[:, 4].astype(int) + kinds[:, 5], minlength=169)
        chance = np.full((13, 13), 3 * 3 / (39 * 38))
        np.fill_diagonal(chance, 3 * 2 / (39 * 38))
        assert stats.chisquare(pairs, chance.ravel() * len(packs)).pvalue > IMPROBABLE

    def test_the_first_dealer_is_any_seat(self):
        plain = Plain(program_of(UP), UP.resolve({"players": 7}))
        first = [plain.start_match(1, match).first_seat for match in range(600)]
        seats = np.bincount(first, minlength=7)
        assert stats.chisquare(seats).pvalue > IMPROBABLE

    @pytest.mark.whole
    def test_the_deal_does_not_depend_on_what_is_played(self):
        for match in range(2):
            packs = [
                [
                    list(event.s.pack)
                    for event in Match(cell_of({"players": 4, "rounds": 2}, player=player), match)
                    if isinstance(event, RoundStart)
                ]
                for player in (HASTY, RANDOM_PLAYER)
            ]
            assert len(packs[0]) == 2
            assert packs[0] == packs[1]


@pytest.fixture(scope="module")
def block():
    """Return rounds of uniform random play by four."""
    options = {"players": 4, "rounds": 1, "play_cap": 100_000}
    return play(cell_of(options, player=RANDOM_PLAYER), 0, 40_000)


class TestSeats:
    """Seats differ in nothing but their place relative to the dealer."""

    def test_all_seats_win_equally_often(self, block):
        wins = [(block.winners == 1 << seat).sum() for seat in range(4)]
        assert stats.chisquare(wins).pvalue > IMPROBABLE

    def test_scores_have_the_same_mean(self, block):
        scores = block.scores.astype(float)
        for seat in (1, 2, 3):
            assert stats.ttest_rel(scores[0], scores[seat]).pvalue > IMPROBABLE

    def test_the_order_of_play_matters(self, block):
        # The test above can fail: positions relative to the first seat are not alike.
        rows = np.arange(len(block))
        first = block.scores[block.first_seat, rows].astype(float)
        last = block.scores[(block.first_seat + 3) % 4, rows].astype(float)
        assert stats.ttest_rel(first, last).pvalue < IMPROBABLE


class TestClauses:
    """The bits of the clauses say what came into play."""

    @pytest.mark.parametrize(
        ("options", "name"),
        [
            ({"minus_two": False}, "minus_two"),
            ({"scoring": "cards"}, "scoring"),
            ({"double_two": "always"}, "double_two"),
            ({"deal_passes": False, "rounds": 2}, "same_dealer"),
        ],
    )
    def test_some_in_every_match(self, options, name):
        assert self.column(name, options).all()
        if name != "minus_two":
            assert not self.column(name, {}).any()

    @pytest.mark.usefixtures("in_plain")
    def test_the_extra_set_in_every_match(self):
        """Packs of this size have code of their own, which is not compiled for this."""
        assert self.column("extra_set", {"extra_set": True}, 12).all()
        assert not self.column("extra_set", {}, 2).any()

    def column(self, name, options, matches=200):
        options = {"players": 4, "rounds": 1, "play_cap": 100_000} | options
        bit = [clause.name for clause in UP.clauses].index(name)
        block = play(cell_of(options, player=RANDOM_PLAYER), 0, matches)
        return block.columns()["clauses"] >> bit & 1

    def test_a_minus_two_came_into_play_when_it_was_laid_or_counted(self):
        bit = [clause.name for clause in UP.clauses].index("minus_two")
        cell = cell_of({"players": 2, "rounds": 1})
        seen = set()
        for match in range(8):
            played = Match(cell, match)
            for event in played.events(copies=False):
                if isinstance(event, RoundEnd):
                    s = played.s
                    left = s.hand[0] | s.hand[1] | s.open_cards[0] | s.open_cards[1]
                    left = left | s.lying[0] | s.lying[1]
                    counted = bool(left & played.plain.o.of_kind[MINUS_TWO])
                    expected = counted or s.count.minus_twos > 0
            assert bool(played.row()["clauses"] >> bit & 1) == expected
            seen.add(expected)
        assert True in seen
