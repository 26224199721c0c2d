"""What must hold whatever is played: cards are kept, the deal is fair, points add up.

Chi-square tests have fixed seeds and bounds beyond which a fair game falls with p < 1e-7.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from simcore.batch import Cell, play
from simcore.games.up import kernel
from simcore.games.up import table as up
from simcore.games.up.cards import CLEAR, MINUS_TWO, USUAL_DECK, kind_of
from simcore.replay import Playback, RoundEnd, RoundStart, Step
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


def bits(cards):
    """The numbers of the cards of a card set."""
    return [
        64 * word + bit
        for word, here in enumerate(cards.tolist())
        for bit in range(64)
        if here >> bit & 1
    ]


def cards_of(table, box):
    """Every card in play, wherever it is."""
    everything = [*bits(table.tower), *bits(table.cleared)]
    for seat in range(table.players):
        everything += bits(box.seats[seat].hand) + bits(table.open_cards[seat])
        everything += box.hidden[seat][: table.hidden_cards[seat]].tolist()
    return everything


class TestConservation:
    """Every card is in exactly one place after every move."""

    @pytest.mark.parametrize("options", OPTIONS)
    def test_cards_are_neither_lost_nor_doubled(self, options):
        cell = cell_of({"rounds": 1} | options)
        pack = sorted(up.pack_order(cell.options))
        aside = 13 - (not cell.options["minus_two"]) if cell.options["extra_set"] else 0
        for match in range(2):
            dealt = None
            for event in Playback(cell, match):
                if isinstance(event, RoundStart | Step):
                    state = event if isinstance(event, RoundStart) else event.after
                    if state.table.phase == up.CUT:
                        continue
                    cards = sorted(cards_of(state.table, state.box))
                    dealt = dealt or cards
                    if state.table.blind_finish:
                        cards = sorted([*cards, *bits(state.table.laid)])
                    assert cards == dealt
                    assert len(set(cards)) == len(cards) == len(pack) - aside
                    assert set(cards) <= set(pack)

    @pytest.mark.parametrize("players", [2, 4, 7, 10])
    def test_points_of_all_cards_add_up_to_136_a_set(self, players):
        for match in range(5):
            for event in Playback(cell_of({"players": players, "rounds": 1}), match):
                if isinstance(event, RoundEnd):
                    out = [*bits(event.table.tower), *bits(event.table.cleared)]
                    if event.table.blind_finish:
                        out += bits(event.table.laid)
                    points = {CLEAR: 50, MINUS_TWO: 20}
                    kinds = (int(kind_of(card, USUAL_DECK)) for card in out)
                    shed = sum(points.get(kind, kind) for kind in kinds)
                    left = event.after.table.scores[:players].sum()  # in the first round the
                    assert shed + left == 136 * players  # credit of the first out stays at 0


def test_only_the_first_out_has_no_points():
    rounds = 0
    for match in range(20):
        for event in Playback(cell_of({"players": 4, "rounds": 1}), match):
            if isinstance(event, RoundEnd):
                out = [seat for seat in range(4) if event.table.cards[seat] == 0]
                zero = [seat for seat in range(4) if event.after.table.scores[seat] == 0]
                assert out == zero
                rounds += 1
    assert rounds > 10


@pytest.fixture(scope="module")
def packs():
    cell = cell_of({"players": 3})
    table, box = up.new_records(cell.options)
    packs = np.empty((20_000, 39), dtype=np.uint8)
    for match in range(len(packs)):
        kernel.start_match(table[0], box[0], 7, match)
        kernel.start_round(table[0], box[0])
        packs[match] = box[0].pack[:39]
    return packs


class TestDeal:
    """The deal is uniform."""

    def test_the_cutter_finds_a_special_card_in_2_of_13(self, packs):
        kinds = (packs[:, -1] & 63) >> 2
        special = int(np.isin(kinds, [CLEAR, MINUS_TWO]).sum())
        assert stats.binomtest(special, len(packs), 2 / 13).pvalue > IMPROBABLE

    def test_every_card_is_everywhere_equally_often(self, packs):
        order = sorted(up.pack_order(UP.resolve({"players": 3})))
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
        cell = cell_of({"players": 7, "rounds": 1, "play_cap": 100}, player=RANDOM_PLAYER)
        seats = np.bincount(play(cell, 0, 20_000).first_seat, minlength=7)
        assert stats.chisquare(seats).pvalue > IMPROBABLE

    def test_the_deal_does_not_depend_on_what_is_played(self):
        for match in range(5):
            starts = [
                [
                    bytes(event.box.pack)
                    for event in Playback(cell_of({"players": 4}, player=player), match)
                    if isinstance(event, RoundStart)
                ]
                for player in (HASTY, RANDOM_PLAYER)
            ]
            assert len(starts[0]) > 1
            assert starts[0][:2] == starts[1][:2]


class TestSeats:
    """Seats differ in nothing but their place relative to the dealer."""

    def test_all_seats_win_equally_often(self):
        cell = cell_of({"players": 4, "rounds": 1, "play_cap": 100_000}, player=RANDOM_PLAYER)
        block = play(cell, 0, 40_000)
        single = block.winners[np.isin(block.winners, [1, 2, 4, 8])]
        wins = Counter(single.tolist())
        assert stats.chisquare([wins[1 << seat] for seat in range(4)]).pvalue > IMPROBABLE

    def test_scores_have_the_same_mean(self):
        cell = cell_of({"players": 3, "rounds": 1, "play_cap": 100_000}, player=RANDOM_PLAYER)
        scores = play(cell, 0, 40_000).scores.astype(float)
        for seat in (1, 2):
            assert stats.ttest_rel(scores[0], scores[seat]).pvalue > IMPROBABLE

    def test_the_order_of_play_matters(self):
        # The test above can fail: positions relative to the first seat are not alike.
        cell = cell_of({"players": 4, "rounds": 1, "play_cap": 100_000}, player=RANDOM_PLAYER)
        block = play(cell, 0, 40_000)
        rows = np.arange(len(block))
        first = block.scores[block.first_seat, rows].astype(float)
        last = block.scores[(block.first_seat + 3) % 4, rows].astype(float)
        assert stats.ttest_rel(first, last).pvalue < IMPROBABLE


class TestClauses:
    """The bits of the clauses say what came into play."""

    @pytest.mark.parametrize(
        ("options", "name"),
        [
            ({"extra_set": True}, "extra_set"),
            ({"minus_two": False}, "minus_two"),
            ({"scoring": "cards"}, "scoring"),
            ({"double_two": "always"}, "double_two"),
            ({"deal_passes": False, "rounds": 2}, "same_dealer"),
        ],
    )
    def test_some_in_every_match(self, options, name):
        def column(options):
            cell = cell_of({"players": 4, "rounds": 1, "play_cap": 100_000} | options)
            bit = [clause.name for clause in UP.clauses].index(name)
            return play(cell, 0, 200).columns()["clauses"] >> bit & 1

        assert column(options).all()
        if name != "minus_two":
            assert not column({}).any()

    def test_a_minus_two_came_into_play_when_it_was_laid_or_counted(self):
        bit = up.CLAUSE.minus_two
        cell = cell_of({"players": 2, "rounds": 1})
        seen = set()
        for match in range(60):
            playback = Playback(cell, match)
            counted = False
            for event in playback:
                if isinstance(event, RoundEnd):
                    held = cards_of(event.table, event.box)
                    held = [int(kind_of(card, USUAL_DECK)) for card in held]
                    out = bits(event.table.tower | event.table.cleared)
                    counted = held.count(MINUS_TWO) > sum(
                        kind_of(card, USUAL_DECK) == MINUS_TWO for card in out
                    )
            row = playback.row()
            expected = counted or row["minus_twos"] > 0
            assert bool(row["clauses"] & bit) == expected
            seen.add(expected)
        assert True in seen


def test_collapses_and_clears_match_the_cards_that_moved():
    cell = cell_of({"players": 3, "rounds": 2})
    for match in range(5):
        playback = Playback(cell, match)
        collapses = clears = blind = largest = 0
        for event in playback:
            if not isinstance(event, Step) or event.table.phase != up.PLAY:
                continue
            before, after = event.table, event.after.table
            gained = int(after.cards[event.seat]) - int(before.cards[event.seat])
            tower = len(bits(before.tower))
            if tower and gained == tower:
                collapses += 1
                largest = max(largest, tower + 1)
            clears += len(bits(after.cleared)) > len(bits(before.cleared))
            blind += int(before.hidden_cards[event.seat]) - int(after.hidden_cards[event.seat])
        row = playback.row()
        assert (row["collapses"], row["clears"], row["blind_plays"], row["largest_pickup"]) == (
            collapses,
            clears,
            blind,
            largest,
        )
