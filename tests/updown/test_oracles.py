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
from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.compiler.state import Cards
from simcore.events import RoundStart, Step
from simcore.games.updown import rules as ud
from simcore.games.updown.rules import COLOURS, FACES, deck
from simcore.match import Match
from strategies.updown import values_in
from tests.exact import assert_share, starts_of_rules
from tests.players import RANDOM_PLAYER
from tests.referee.updown import trick_winner
from tests.updown.following import UPDOWN, card_of
from tests.updown.players import FIRST_PLAYER, STREAM_PLAYER
from tests.updown.position import names_of

IMPROBABLE = 1e-7
HAND_SIZES = {2: 15, 3: 14, 4: 11}
NO_WINNER = {2: (942, 1892), 3: (30504, 79464), 4: (1009704, 3258024)}
TRUMP_WINS = {2: 0.169133, 3: 0.235578, 4: 0.291121}
"""Of tricks in which any cards lie, with dice that show 2, 7 or 12 in turn."""
RULES_OF_TRICKS = list(itertools.product(FACES, (0, 3), (2, 7, 12)))


def cell_of(players, *, seats=(RANDOM_PLAYER,), seed=1, **options):
    resolved = UPDOWN.resolve({"players": players} | options)
    lineup = tuple(seats[seat % len(seats)] for seat in range(players))
    return Cell(UPDOWN, resolved, lineup, seed)


class Tricks:
    """Single tricks by the rules, each as the first of a round."""

    def __init__(self, players):
        self.plain = Plain(program_of(UPDOWN), UPDOWN.resolve({"players": players}))
        self.s = self.plain.start_match(1, 0)
        self.plain.start_round(self.s)
        self.finish = self.plain.add(ud.finish_trick)

    def winner(self, cards, face, turn, trump):
        """Return who wins when each seat has chosen a card, or None; and whether by a trump."""
        s = self.s
        s.face, s.turn, s.trump = FACES.index(face), turn, trump
        s.trick = s.count.trump_wins = 0
        for seat, card in enumerate(cards):
            s.chosen[seat], s.played[seat] = Cards.of([card]), Cards()
        self.plain.run(self.finish, s)
        winner = None if s.last_winner == ud.NO_SEAT else s.last_winner
        return winner, bool(s.count.trump_wins)


class TestExact:
    """Over all possible tricks."""

    @pytest.mark.whole_but("2")
    @pytest.mark.parametrize("players", [2, 3])
    def test_probabilities(self, players):
        tricks, every = Tricks(players), list(itertools.permutations(deck.cards, players))
        for rules in RULES_OF_TRICKS[::5] if players == 2 else [("UP", 3, 7), ("DOWN", 0, 2)]:
            outcomes = [tricks.winner(cards, *rules) for cards in every]
            none = sum(winner is None for winner, _ in outcomes)
            assert (none, len(every)) == NO_WINNER[players]
            trumps = sum(by_trump for _, by_trump in outcomes)
            assert trumps / len(every) == pytest.approx(TRUMP_WINS[players], abs=6e-7)

    def test_probabilities_with_four(self):
        """Of three million tricks some at random."""
        tricks, random = Tricks(4), np.random.default_rng(3)
        outcomes = [
            tricks.winner(random.choice(deck.cards, 4, replace=False).tolist(), *rules)
            for rules in RULES_OF_TRICKS
            for _ in range(150)
        ]
        none = sum(winner is None for winner, _ in outcomes)
        assert_share(none, len(outcomes), Fraction(*NO_WINNER[4]))
        assert_share(sum(by_trump for _, by_trump in outcomes), len(outcomes), TRUMP_WINS[4])

    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_every_trick_is_won_as_the_referee_says(self, players):
        tricks, random = Tricks(players), np.random.default_rng(1)
        some = (random.choice(deck.cards, players, replace=False).tolist() for _ in range(800))
        for cards in itertools.permutations(deck.cards, 2) if players == 2 else some:
            face, rotation, trump = random.integers((2, 4, 11)).tolist()
            trump += 2
            winner, _ = tricks.winner(cards, FACES[face], rotation, trump)
            sides = tricks.plain.values["side"]
            colours = [COLOURS[(sides[seat] - rotation) % 4] for seat in range(players)]
            expected = trick_winner(list(map(card_of, cards)), colours, trump, FACES[face])
            assert winner == expected, (names_of(cards), face, rotation, trump)

    def test_value_sets(self):
        tricks, random = Tricks(2), np.random.default_rng(2)
        values_of = tricks.plain.add(values_in)
        for _ in range(500):
            cards = Cards.of(random.choice(deck.cards, 6, replace=False).tolist())
            assert values_of(cards) == sum(1 << value for value in {card % 16 for card in cards})


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
        ):
            # The tricks of a round are not independent; matches are.
            column = columns[name] / HAND_SIZES[players]
            score = (column.mean() - chance) / (column.std() / matches**0.5)
            assert abs(score) < stats.norm.isf(IMPROBABLE / 2), name

    @pytest.mark.whole_but("2")
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_cards_of_a_hand_are_played_in_any_order(self, players):
        size = 7
        pairs = np.zeros((size, size))
        for plain, s in starts_of_rules("updown", {"players": players, "hand_cards": size}, 500):
            hand, order = list(s.hand[1]), []
            while len(order) < 2:
                move = plain.random_move(s, plain.moves(s))
                if s.phase == ud.CARD and s.seat == 1:
                    order.append(hand.index(move))
                plain.apply(s, move)
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
            for event in Match(cell_of(players, seats=seats, rounds=2), match):
                if not isinstance(event, RoundStart | Step):
                    continue
                s = event.s if isinstance(event, RoundStart) else event.after.s
                cards = [card for pile in (*s.hand, *s.chosen, *s.played) for card in pile]
                assert len(cards) == len(set(cards)) == players * HAND_SIZES[players]
                assert sorted([*cards, *s.stock]) == list(deck.cards)

    @pytest.mark.parametrize("players", [2, 3, 4])
    @pytest.mark.parametrize(
        "options",
        [
            {},
            {"rounds": 7},
            {"tie_round": True},
            {"rounds": 3, "last_pot": "carried"},
            {"rounds": 2, "pot_tricks": False},
            {"rounds": 2, "last_trick": "double"},
        ],
    )
    def test_tricks(self, players, options):
        block = play(cell_of(players, **options), 0, 4000)
        columns = block.columns()
        tricks = columns["rounds"] * HAND_SIZES[players]
        doubled = columns["rounds"] if "last_trick" in options else 0
        assert (columns["tricks"] == tricks).all()
        assert (block.scores.sum(axis=0) + columns["lost_tricks"] == tricks + doubled).all()
        assert (columns["flips"] + columns["rotations"] + columns["rolls"] == tricks).all()
        assert (columns["decisions"] + columns["forced"] == (players + 1) * tricks).all()
        assert (columns["forced"] == players * columns["rounds"]).all()
        assert (columns["pots"] + columns["trump_wins"] <= tricks).all()
        assert (columns["lost_tricks"] + columns["largest_pot"] <= columns["pots"] + doubled).all()
        if "pot_tricks" in options:
            assert (columns["lost_tricks"] == columns["pots"]).all()
            assert not columns["largest_pot"].any()

    def test_deals_do_not_depend_on_what_is_played(self):
        for match in range(5):
            starts = [
                [
                    (event.s.face, event.s.trump, event.s.leader, *map(tuple, event.s.hand))
                    for event in Match(cell_of(3, seats=seats, rounds=2), match)
                    if isinstance(event, RoundStart)
                ]
                for seats in ((RANDOM_PLAYER,), (FIRST_PLAYER,))
            ]
            assert starts[0] == starts[1]

    def test_deals_do_not_depend_on_options(self):
        for match in range(5):
            starts = [
                next(
                    tuple(map(tuple, event.s.hand))
                    for event in Match(cell_of(2, **options), match)
                    if isinstance(event, RoundStart)
                )
                for options in ({}, {"seating": "adjacent"}, {"rounds": 3}, {"tie_round": True})
            ]
            assert len(set(starts)) == 1
