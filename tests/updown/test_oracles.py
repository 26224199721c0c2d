"""What must hold whatever is played: exact probabilities, cards are kept, seats are alike.

Statistical tests have fixed seeds and bounds beyond which a fair game falls with p < 1e-7.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from simcore.batch import Cell, play
from simcore.games.updown import table as ud
from simcore.games.updown.cards import (
    COLOURS,
    DECK,
    DOWN,
    FACES,
    LANE,
    UP,
    best_value,
    lone_values,
    of_value,
    values_in,
)
from simcore.games.updown.play import seat_of
from simcore.jit import kernel
from simcore.replay import Playback, RoundStart, Step
from tests.players import RANDOM_PLAYER
from tests.referee.updown import trick_winner
from tests.updown.following import UPDOWN, card_of
from tests.updown.players import FIRST_PLAYER, STREAM_PLAYER
from tests.updown.position import names_of

IMPROBABLE = 1e-7
HAND_SIZES = {2: 15, 3: 14, 4: 11}
NO_WINNER = {2: (942, 1892), 3: (30504, 79464), 4: (1009704, 3258024)}
TRUMP_WINS = {2: 0.169133, 3: 0.235578, 4: 0.291121}
CARDS = np.array([card for card in range(64) if DECK >> card & 1])


def cell_of(players, *, seats=(RANDOM_PLAYER,), seed=1, **options):
    resolved = UPDOWN.resolve({"players": players} | options)
    lineup = tuple(seats[seat % len(seats)] for seat in range(players))
    return Cell(UPDOWN, resolved, lineup, seed)


@kernel
def count_tricks(cards, players, turn, face, trump):
    """Count tricks without a winner and those won by a trump, over all possible tricks."""
    none = 0
    trumps = 0
    total = 0
    shifts = (0, 16, 32, 48)
    for a in cards:
        for b in cards:
            for c in cards if players > 2 else cards[:1]:
                for d in cards if players > 3 else cards[:1]:
                    if a == b or (players > 2 and c in {a, b}):
                        continue
                    if players > 3 and d in {a, b, c}:
                        continue
                    third = (1 << c) if players > 2 else 0
                    fourth = (1 << d) if players > 3 else 0
                    chosen = (1 << a, 1 << b, third, fourth)
                    best = best_value(chosen, shifts, turn, face, 1 << trump)
                    total += 1
                    none += best <= 1
                    trumps += best == 1 << trump
    return none, trumps, total


class TestExact:
    """Over all possible tricks."""

    @pytest.mark.parametrize("face", [UP, DOWN])
    @pytest.mark.parametrize("turn", [0, 48])
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_probabilities(self, players, turn, face):
        for trump in (2, 7, 12):
            none, trumps, total = count_tricks(CARDS, players, turn, face, trump)
            expected = Fraction(*NO_WINNER[players])
            assert Fraction(none, total) == expected
            assert trumps / total == pytest.approx(TRUMP_WINS[players], abs=6e-7)

    @pytest.mark.parametrize("players", [2, 3])
    def test_every_trick_is_won_as_the_referee_says(self, players):
        shifts = (0, 16, 32, 48)
        random = np.random.default_rng(1)
        for cards in itertools.permutations(CARDS.tolist(), players):
            if random.random() > (1 if players == 2 else 0.1):
                continue
            face, rotation, trump = random.integers((2, 4, 11)).tolist()
            trump += 2
            chosen = tuple(1 << card for card in cards) + (0,) * (4 - players)
            best = int(best_value(chosen, shifts, LANE * rotation, face, 1 << trump))
            winner = int(seat_of(chosen, of_value(best))) if best > 1 else None
            own = [COLOURS[(seat - rotation) % 4] for seat in range(players)]
            expected = trick_winner([card_of(card) for card in cards], own, trump, FACES[face])
            assert winner == expected, (names_of(sum(chosen)), face, rotation, trump)

    def test_value_sets(self):
        random = np.random.default_rng(2)
        for _ in range(2000):
            cards = [int(card) for card in random.choice(CARDS, 6, replace=False)]
            bits = sum(1 << card for card in cards)
            values = [card % LANE for card in cards]
            assert values_in(bits) == sum(1 << value for value in set(values))
            lone = {value for value in values if values.count(value) == 1}
            assert lone_values(bits) == sum(1 << value for value in lone)


class TestUniformPlay:
    @pytest.mark.parametrize("players", [2, 3, 4])
    @pytest.mark.parametrize(
        "seats", [(RANDOM_PLAYER,), (STREAM_PLAYER,)], ids=["built in", "drawn"]
    )
    def test_every_trick_alike(self, players, seats):
        matches = 40_000
        columns = play(cell_of(players, seats=seats), 0, matches).columns()
        tricks = matches * HAND_SIZES[players]
        assert columns["tricks"].sum() == tricks
        none = Fraction(*NO_WINNER[players])
        for name, chance in (
            ("pots", float(none)),
            ("trump_wins", TRUMP_WINS[players]),
            ("flips", 0.2),
            ("rotations", 0.6),
            ("rolls", 0.2),
        ):
            # The tricks of a round are not independent; matches are.
            column = columns[name] / HAND_SIZES[players]
            score = (column.mean() - chance) / (column.std() / matches**0.5)
            assert abs(score) < stats.norm.isf(IMPROBABLE / 2), name

    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_cards_of_a_hand_are_played_in_any_order(self, players):
        size = HAND_SIZES[players]
        pairs = np.zeros((size, size))
        for match in range(1200):
            order = []
            for event in Playback(cell_of(players), match):
                if isinstance(event, RoundStart):
                    hand = names_of(event.box.seats[1].hand).split()
                if isinstance(event, Step) and event.table.phase == ud.CARD and event.seat == 1:
                    order.append(hand.index(names_of(1 << event.move)))
                if len(order) == 2:
                    break
            pairs[tuple(order)] += 1
        for counts in (pairs.sum(axis=0), pairs.sum(axis=1), pairs[~np.eye(size, dtype=bool)]):
            assert stats.chisquare(counts).pvalue > IMPROBABLE

    def test_seats_are_alike(self):
        for players in (2, 3, 4):
            block = play(cell_of(players), 0, 40_000)
            scores = block.scores.astype(float)
            for seat in range(1, players):
                assert stats.ttest_rel(scores[0], scores[seat]).pvalue > IMPROBABLE
            first = np.bincount(block.first_seat, minlength=players)
            assert stats.chisquare(first).pvalue > IMPROBABLE


class TestConservation:
    @pytest.mark.parametrize("players", [2, 3, 4])
    @pytest.mark.parametrize("seats", [(RANDOM_PLAYER,), (FIRST_PLAYER, RANDOM_PLAYER)])
    def test_cards(self, players, seats):
        for match in range(3):
            for event in Playback(cell_of(players, seats=seats, rounds=2), match):
                if not isinstance(event, RoundStart | Step):
                    continue
                state = event if isinstance(event, RoundStart) else event.after
                piles = [int(state.box.seats[seat].hand) for seat in range(4)]
                piles += state.box.chosen.tolist() + state.table.played.tolist()
                together = sum(pile.bit_count() for pile in piles)
                everything = 0
                for pile in piles:
                    everything |= pile
                assert together == everything.bit_count() == players * HAND_SIZES[players]
                assert everything & ~DECK == 0

    @pytest.mark.parametrize("players", [2, 3, 4])
    @pytest.mark.parametrize("options", [{}, {"rounds": 7}, {"tie_round": True}])
    def test_tricks(self, players, options):
        block = play(cell_of(players, **options), 0, 4000)
        columns = block.columns()
        tricks = columns["rounds"] * HAND_SIZES[players]
        assert (columns["tricks"] == tricks).all()
        assert (block.scores.sum(axis=0) + columns["lost_tricks"] == tricks).all()
        assert (columns["flips"] + columns["rotations"] + columns["rolls"] == tricks).all()
        assert (columns["decisions"] + columns["forced"] == (players + 1) * tricks).all()
        assert (columns["forced"] == players * columns["rounds"]).all()
        assert (columns["pots"] + columns["trump_wins"] <= tricks).all()
        assert (columns["lost_tricks"] + columns["largest_pot"] <= columns["pots"]).all()

    def test_deals_do_not_depend_on_what_is_played(self):
        for match in range(5):
            starts = [
                [
                    (
                        *(event.table.face, event.table.trump, event.table.leader),
                        *(event.box.seats[seat].hand for seat in range(3)),
                    )
                    for event in Playback(cell_of(3, seats=seats, rounds=2), match)
                    if isinstance(event, RoundStart)
                ]
                for seats in ((RANDOM_PLAYER,), (FIRST_PLAYER,))
            ]
            assert starts[0] == starts[1]

    def test_deals_do_not_depend_on_options(self):
        for match in range(5):
            starts = [
                next(
                    tuple(int(event.box.seats[seat].hand) for seat in range(2))
                    for event in Playback(cell_of(2, **options), match)
                    if isinstance(event, RoundStart)
                )
                for options in ({}, {"seating": "adjacent"}, {"rounds": 3}, {"tie_round": True})
            ]
            assert len(set(starts)) == 1
