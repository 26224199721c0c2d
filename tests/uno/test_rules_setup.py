"""Set-up: deck, deal, first card. Rows and tests bear the marks of RULES.md."""

from __future__ import annotations

from collections import Counter

import pytest

from simcore.batch import play
from simcore.errors import InputError
from simcore.events import RoundStart
from simcore.games.uno.options import USUAL, copies_of
from simcore.match import Match
from tests.players import RANDOM_PLAYER
from tests.referee.uno_cards import DECK_COUNT
from tests.uno.following import KIND_NAMES, UNO, name_of
from tests.uno.position import dealt, position
from tests.uno.test_referee import cell_of


def starts(**options):
    for match in range(30):
        for event in Match(cell_of(options), match):
            if isinstance(event, RoundStart):
                yield event.s


class TestR1Deck:
    def test_108_cards(self):
        names = Counter(dict(zip(KIND_NAMES, copies_of(USUAL), strict=True)))
        assert names == DECK_COUNT
        assert names.total() == 108
        assert sum(count for name, count in names.items() if name.startswith("red")) == 25
        assert sum(names[f"red {number}"] for number in range(10)) == 19
        assert [names[f"red {face}"] for face in ("draw two", "reverse", "skip")] == [2, 2, 2]
        assert (names["wild"], names["wild draw four"]) == (4, 4)


class TestR2Dealer:
    def test_any_seat_deals_first(self):
        cell = cell_of({"players": 5, "turn_cap": 100}, seats=(RANDOM_PLAYER,))
        first = play(cell, 0, 200).first_seat
        assert set(first.tolist()) == {0, 1, 2, 3, 4}


class TestR3Deal:
    def test_seven_cards_each_and_one_turned_up(self):
        for players in (2, 4, 10):
            p = dealt("red 5", players=players, dealer=0)
            assert [p.count(seat) for seat in range(players)] == [7] * players
            assert p.stock.total() == 107 - 7 * players
            assert p.discards == {"red 5": 1}


class TestR4FirstCard:
    @pytest.mark.parametrize(
        ("first", "seat", "phase"),
        [
            ("red 5", 0, "PLAY"),
            ("red draw two", 1, "PLAY"),
            ("red skip", 1, "PLAY"),
            ("red reverse", 3, "PLAY"),
            ("wild", 0, "COLOUR"),
        ],
    )
    def test_takes_effect(self, first, seat, phase):
        p = dealt(first, players=4, dealer=3)
        assert (p.seat, p.phase, p.top) == (seat, phase, first)


class TestR5Clockwise:
    def test_the_left_neighbour_begins(self):
        assert dealt("red 5", players=4, dealer=3).seat == 0
        assert dealt("red 5", players=4, dealer=1).seat == 2
        p = position("red 5, red 6", "red 7", others={1: "red 1, red 2", 2: "red 3, red 4"})
        assert [p.play(card).seat for card in ("red 5", "red 1", "red 3")] == [1, 2, 0]


class TestC1FirstDealer:
    def test_then_clockwise(self):  # the first is any, as likely (`test_exact.py`)
        dealers = [
            event.s.dealer
            for event in Match(cell_of({"players": 3, "rounds": 4}), 2)
            if isinstance(event, RoundStart)
        ]
        assert dealers == [(dealers[0] + step) % 3 for step in range(4)]


class TestC2Players:
    def test_two_to_ten(self):
        for players in (2, 10):
            assert UNO.resolve({"players": players})["players"] == players
        for players in (1, 11):
            with pytest.raises(InputError, match="2…10"):
                UNO.resolve({"players": players})

    def test_one_zero_and_two_of_each_other_number(self):
        names = Counter(dict(zip(KIND_NAMES, copies_of(USUAL), strict=True)))
        for colour in ("blue", "green", "red", "yellow"):
            assert [names[f"{colour} {number}"] for number in range(10)] == [1] + [2] * 9


class TestC4OpeningWild:
    def test_who_names_the_colour_plays_first(self):
        p = dealt("wild", players=4, dealer=1)
        assert (p.seat, p.moves) == (2, {"blue", "green", "red", "yellow"})
        assert p.s.turns == 0
        p.play("green")
        assert (p.seat, p.phase, p.colour, p.s.turns) == (2, "PLAY", "green", 1)


class TestC5OpeningReverse:
    def test_the_dealer_then_the_right_neighbour(self):
        p = dealt("red reverse", players=4, dealer=1)
        assert (p.seat, p.direction) == (1, -1)
        p.play("draw")
        p.play("keep") if p.phase == "DRAWN" else None
        assert p.seat == 0


class TestC21WildDrawFourFirst:
    def test_it_is_put_back(self):
        p = dealt("wild draw four", players=4)
        assert p.top != "wild draw four"
        everything = p.stock + p.discards
        for seat in range(4):
            everything += Counter(p.hand(seat).split(", "))
        assert everything == DECK_COUNT

    def test_it_is_never_on_top(self):
        for s in starts(players=2, turn_cap=100):
            assert name_of(s.top) != "wild draw four"


class TestC22Clockwise:
    @pytest.mark.whole
    def test_every_round_begins_so(self):
        turned = 0
        for s in starts(players=3, rounds=4):
            reverse = name_of(s.top).endswith("reverse")
            assert s.backwards == reverse
            turned += reverse
        assert turned


class TestC23DrawForTheDeal:
    @pytest.mark.whole
    def test_nobody_holds_more(self):
        for s in starts(players=5, rounds=2):
            drew = [len(hand) for hand in s.hand if len(hand) != 7]
            assert drew in ([], [9])
