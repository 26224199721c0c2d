"""What must hold whatever is played: the deck, the deal, fairness, points.

Chi-square tests have fixed seeds and bounds beyond which a fair game falls with p < 1e-7.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simcore.batch import play
from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.compiler.state import Cards
from simcore.events import RoundEnd, RoundStart
from simcore.games.uno.options import USUAL, copies_of
from simcore.games.uno.rules import points_of
from simcore.match import Match
from strategies import parse_strategy
from tests.players import RANDOM_PLAYER
from tests.uno.following import KIND_NAMES, KINDS, UNO, name_of
from tests.uno.players import HASTY
from tests.uno.test_referee import cell_of

IMPROBABLE = 1e-7
SAVER = parse_strategy(UNO, "saver")
"""A built-in policy: one of the tests would be compiled for this, and tried in plain Python."""


DECK = [
    name for name, count in zip(KIND_NAMES, copies_of(USUAL), strict=True) for _ in range(count)
]


def points(cards):
    plain = Plain(program_of(UNO), UNO.resolve({}))
    worth = plain.add(points_of)
    return sum(worth(Cards.of([card])) for card in cards)


class TestDeck:
    def test_numbers_actions_wilds(self):
        wilds = [name for name in DECK if name.startswith("wild")]
        numbers = [name for name in DECK if name[-1].isdigit()]
        assert (len(DECK), len(numbers), len(wilds)) == (108, 76, 8)

    def test_points_of_the_deck(self):
        plain = Plain(program_of(UNO), UNO.resolve({}))
        assert points(plain.o.deck) == points(KINDS[name] for name in DECK) == 1240
        assert sorted(map(name_of, plain.o.deck)) == sorted(DECK)


class TestDeal:
    """The deal is uniform."""

    def test_every_card_is_everywhere_equally_often(self):
        plain = Plain(program_of(UNO), UNO.resolve({"players": 10}))
        counts = np.zeros((11, 256), dtype=np.int64)
        for match in range(300):
            s = plain.start_match(7, match)
            plain.start_round(s)
            for place, cards in enumerate((*s.hand, s.stock)):
                counts[place, list(cards)] += 1
        dealt = counts[:, sorted(plain.o.deck)]
        first_wilds = dealt[:10, :].sum(axis=0)
        assert stats.chisquare(first_wilds).pvalue > IMPROBABLE

    def test_it_does_not_depend_on_what_is_played(self):
        def starts(player, **options):
            cell = cell_of({"rounds": 2} | options, seats=(player,))
            begun = (event.s for event in Match(cell, 5) if isinstance(event, RoundStart))
            return [(s.stock, list(s.hand)) for s in begun]

        first = starts(HASTY)
        assert len(first) == 2
        for options in ({}, {"challenge": "off", "scoring": "own_cards"}):
            assert starts(RANDOM_PLAYER, **options) == first


@pytest.mark.whole
class TestSeats:
    """Seats differ in nothing but their place relative to the dealer."""

    def test_all_seats_win_equally_often(self):
        block = play(cell_of({"players": 4}, seats=(SAVER,)), 0, 40_000)
        wins = [(block.winners == 1 << seat).sum() for seat in range(4)]
        assert stats.chisquare(wins).pvalue > IMPROBABLE

    def test_colours_are_alike(self):
        options = {"players": 6, "turn_cap": 200}
        left = np.zeros(4)
        for match in range(60):
            for event in Match(cell_of(options, seats=(RANDOM_PLAYER,)), match):
                if isinstance(event, RoundEnd):
                    for card in (card for hand in event.s.hand for card in hand):
                        left[card >> 4 & 3] += card & 15 < 13
        assert abs(left - left.mean()).max() < 5 * np.sqrt(left.mean() * 2)


def test_the_winner_gets_the_points_of_all_cards_left():
    for match in range(6):
        for event in Match(cell_of({"players": 4, "rounds": 2}), match):
            if isinstance(event, RoundEnd):
                out = [seat for seat in range(4) if not event.s.hand[seat]]
                gained = np.array(event.after.s.scores) - np.array(event.s.scores)
                assert len(out) == 1
                assert gained.sum() == gained[out[0]]
                assert gained[out[0]] == sum(map(points, event.s.hand))


def test_both_ways_to_score_charge_the_same_cards():
    one = play(cell_of({"players": 4}, seats=(SAVER,)), 0, 500)
    other = play(cell_of({"players": 4, "scoring": "own_cards"}, seats=(SAVER,)), 0, 500)
    assert np.array_equal(one.scores.max(axis=0), other.scores.sum(axis=0))
    assert np.array_equal(one.winners, np.where(one.aborted, 0, one.winners))
    assert ((other.winners & one.winners) == one.winners).all()


class TestBlocks:
    """Compiled matches are those that run as ordinary Python."""

    @pytest.mark.whole_but("seats1-*")
    @pytest.mark.parametrize(
        "options",
        [
            {"players": 2},
            {"players": 3, "forget_uno": 0.5},
            {"players": 4},
            {"players": 4, "challenge": "off"},
            {"players": 10},
            {"players": 2, "reverse_two_players": "none"},
            {"players": 5, "turn_cap": 137},
        ],
    )
    @pytest.mark.parametrize("seats", [(RANDOM_PLAYER,), (RANDOM_PLAYER, SAVER)])
    def test_rows_are_the_same(self, options, seats):
        cell = cell_of({"turn_cap": 600} | options, seats=seats)
        columns = play(cell, 0, 2).columns()
        for match in range(2):
            playback = Match(cell, match)
            list(playback)
            assert playback.row() == {name: int(column[match]) for name, column in columns.items()}


class TestClauses:
    """The bits of the clauses say what came into play."""

    @pytest.mark.parametrize(
        ("options", "name", "share"),
        [
            ({"scoring": "own_cards"}, "scoring", 1.0),
            ({"rounds": None, "target": 1}, "end", 1.0),
            ({"players": 2, "rounds": 9}, "reverse_two", 1.0),
            ({"rounds": 9}, "challenge", 1.0),
            ({"rounds": 9, "challenge": "off"}, "challenge", 1.0),
            ({"forget_uno": 1.0, "turn_cap": 400}, "forgotten", 1.0),
            ({"turn_cap": 100, "rounds": 30}, "turn_cap", 0.5),
        ],
    )
    def test_where_they_did(self, options, name, share):
        bit = [clause.name for clause in UNO.clauses].index(name)
        seats = (RANDOM_PLAYER if name == "turn_cap" else SAVER,)
        column = play(cell_of({"players": 4} | options, seats=seats), 0, 200).columns()["clauses"]
        assert (column >> bit & 1).mean() >= share
        if name not in {"challenge", "end"}:
            column = play(cell_of({"players": 4}, seats=(SAVER,)), 0, 200).columns()["clauses"]
            assert not (column >> bit & 1).any()
