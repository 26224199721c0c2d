"""House rules and dials: numbers of cards and points. Rows and tests bear the marks of RULES.md."""

from __future__ import annotations

from collections import Counter

import pytest

from simcore.errors import InputError
from simcore.events import RoundStart
from simcore.match import Match
from tests.uno.following import UNO, name_of
from tests.uno.position import dealt, position
from tests.uno.test_referee import cell_of

FOUR = "wild draw four, blue 1, blue 2"


def deck(**options):
    return Counter(map(name_of, position("blue 1", "red 7", **options).plain.o.deck))


class TestH1HandSize:
    @pytest.mark.parametrize("size", [1, 3, 20])
    def test_so_many_are_dealt(self, size):
        p = dealt("red 5", players=3, hand_size=size)
        assert [p.count(seat) for seat in range(3)] == [size] * 3
        assert p.stock.total() == 107 - 3 * size

    def test_the_only_card_may_be_laid(self):
        p = dealt("red 5", players=2, dealer=1, hand_size=1)
        p.hold(0, "red 7")
        assert p.play("red 7").phase == "ROUND_OVER"

    def test_what_the_deck_does_not_have_is_refused(self):
        assert UNO.resolve({"players": 5, "hand_size": 20})
        with pytest.raises(InputError, match=r"hand_size = 20 is refused with players = 6.* 1…17"):
            UNO.resolve({"players": 6, "hand_size": 20})
        with pytest.raises(InputError, match=r"= 7 is .*: 1…3, or .* more cards \(numbers, d"):
            UNO.resolve({"numbers": 0, "skips": 0, "draw_twos": 0, "reverses": 0, "wilds": 5})
        with pytest.raises(InputError, match="a deck of more cards"):
            UNO.resolve(
                {
                    "numbers": 0,
                    "skips": 0,
                    "draw_twos": 0,
                    "reverses": 0,
                    "wilds": 0,
                    "wild_draw_fours": 0,
                    "hand_size": 1,
                }
            )

    def test_the_clause_tells_that_it_is_another(self):
        for size in (6, 7):
            p = position("blue 1", "red 7", hand_size=size)
            assert p.clause("hand_size") == (size != 7)
            assert not p.clause("copies")


class TestH2Numbers:
    def test_copies_in_each_colour(self):
        names = deck(zeros=3, numbers=4)
        for colour in ("blue", "green", "red", "yellow"):
            assert [names[f"{colour} {number}"] for number in range(10)] == [3] + [4] * 9
        assert deck(zeros=0, numbers=0).total() == 32
        assert position("blue 1", "red 7", zeros=0).clause("copies")

    def test_four_equal_cards_are_held_laid_and_counted(self):
        p = position("red 7, red 7, red 7, red 7, blue 1", "red 9", numbers=4, players=2)
        assert p.play("red 7").count() == 4
        assert p.hand() == "blue 1, red 7, red 7, red 7"
        p.hold(0, "red 5")
        p.hold(1, "red 7, red 7, red 7")
        p.s.seat = 0
        assert p.play("red 5").score().scores == [21, 0]

    def test_a_deck_without_points_is_refused_with_a_target(self):
        options = {"numbers": 0, "zeros": 4, "action_points": 0, "wild_points": 0}
        with pytest.raises(InputError, match="target = 500 is refused with a deck without points"):
            UNO.resolve(options)
        assert UNO.resolve(options | {"rounds": 1})


class TestH3Actions:
    def test_copies_in_each_colour(self):
        names = deck(draw_twos=4, reverses=0, skips=3)
        faces = ("draw two", "reverse", "skip")
        assert [names[f"green {face}"] for face in faces] == [4, 0, 3]
        assert names.total() == 108 + 4


class TestH4Wilds:
    def test_copies(self):
        names = deck(wilds=8, wild_draw_fours=0)
        assert (names["wild"], names["wild draw four"]) == (8, 0)

    def test_eight_are_held_and_laid(self):
        p = position("wild, wild, wild, wild, wild, wild, wild, wild", "red 9", wilds=8)
        assert p.play("wild", "red").hand() == ", ".join(["wild"] * 7)

    def test_a_deck_of_nothing_else_is_refused(self):
        options = dict.fromkeys(("zeros", "numbers", "draw_twos", "reverses", "skips", "wilds"), 0)
        with pytest.raises(InputError, match="wild_draw_fours = 4 is refused"):
            UNO.resolve(options | {"players": 2, "hand_size": 1})
        assert UNO.resolve(options | {"players": 2, "hand_size": 1, "wilds": 1})


class TestH5DrawTwoCards:
    @pytest.mark.parametrize("cards", [0, 1, 5])
    def test_so_many_are_drawn_and_the_turn_is_missed(self, cards):
        p = position("red draw two, blue 1", "red 7", draw_two_cards=cards).play("red draw two")
        assert (p.count(1), p.seat, p.clause("draw_two_cards")) == (3 + cards, 2, True)

    @pytest.mark.parametrize("cards", [0, 5])
    def test_as_the_first_and_as_the_last_card(self, cards):
        p = dealt("red draw two", players=4, dealer=3, draw_two_cards=cards)
        assert (p.count(0), p.seat) == (7 + cards, 1)
        p = position("red draw two", "red 7", draw_two_cards=cards).play("red draw two")
        assert (p.phase, p.count(1)) == ("ROUND_OVER", 3 + cards)

    def test_the_clause_is_of_another_number(self):
        assert (
            not position("red draw two, blue 1", "red 7")
            .play("red draw two")
            .clause("draw_two_cards")
        )


class TestH6DrawFourCards:
    @pytest.mark.parametrize("cards", [0, 3, 7])
    @pytest.mark.parametrize("challenge", ["victim", "off"])
    def test_so_many_are_drawn_and_the_turn_is_missed(self, cards, challenge):
        p = position(FOUR, "red 7", draw_four_cards=cards, challenge=challenge)
        p.play("wild draw four", "green")
        if challenge == "victim":
            p.play("accept")
        assert (p.count(1), p.seat, p.clause("draw_four_cards")) == (3 + cards, 2, True)

    @pytest.mark.parametrize("cards", [0, 7])
    def test_who_is_caught_draws_as_many(self, cards):
        p = position(FOUR, "blue 7", draw_four_cards=cards)
        p.play("wild draw four", "green", "challenge")
        assert (p.count(), p.count(1), p.seat) == (2 + cards, 3, 1)


class TestH7ChallengePenalty:
    @pytest.mark.parametrize("penalty", [0, 6])
    def test_a_wrong_challenger_draws_so_many_more(self, penalty):
        stock = ", ".join(
            f"{colour} {face}" for colour in ("blue", "green", "red") for face in "3456"
        )
        p = position(FOUR, "red 7", challenge_penalty=penalty, stock=stock)
        p.play("wild draw four", "green", "challenge")
        assert (p.count(1), p.seat, p.clause("challenge_penalty")) == (3 + 4 + penalty, 2, True)

    def test_a_right_one_does_not(self):
        p = position(FOUR, "blue 7", challenge_penalty=6)
        p.play("wild draw four", "green", "challenge")
        assert (p.count(), p.count(1), p.clause("challenge_penalty")) == (6, 3, False)


class TestH8UnoPenalty:
    @pytest.mark.parametrize("penalty", [0, 5])
    def test_so_many_cards(self, penalty):
        p = position("red 5, blue 1", "red 7", forget_uno=1.0, uno_penalty=penalty).play("red 5")
        assert p.count() == 1 + penalty
        assert p.metric("uno_penalties") == 1
        assert p.clause("uno_penalty")


class TestH9Points:
    def test_of_actions_and_of_wild_cards(self):
        others = {1: "red skip, blue reverse, green draw two, wild", 2: "wild draw four, red 3"}
        p = position("red 7", "red 9", others=others, action_points=7, wild_points=100)
        p.play("red 7").score()
        assert p.scores == [3 * 7 + 2 * 100 + 3, 0, 0]
        assert p.clause("points")

    def test_the_clause_needs_such_a_card(self):
        p = position("red 7", "red 9", others={1: "red 1", 2: "wild"}, action_points=7)
        assert not p.play("red 7").score().clause("points")


class TestC33NothingToTurnUp:
    def test_all_cards_are_dealt_anew(self):
        options = dict.fromkeys(("zeros", "numbers", "draw_twos", "reverses", "skips"), 0)
        options |= {"players": 2, "hand_size": 1, "wilds": 2, "wild_draw_fours": 1, "rounds": 1}
        for match in range(20):
            (start,) = (
                one for one in Match(cell_of(options), match) if isinstance(one, RoundStart)
            )
            assert name_of(start.s.top) == "wild"
            assert start.s.count.reshuffles == 0
            assert [len(hand) for hand in start.s.hand] == [1, 1]


class TestH17Packs:
    def test_two_packs_have_every_card_twice(self):
        assert deck(packs=2) == Counter({name: 2 * count for name, count in deck().items()})
        assert deck(packs=2).total() == 216
        assert deck(packs=2, numbers=1)["red 5"] == 2
        assert position("blue 1", "red 7", packs=2).clause("copies")

    def test_two_packs_are_the_same_as_twice_as_many_of_all(self):
        twice = {"zeros": 2, "numbers": 4, "draw_twos": 4, "reverses": 4, "skips": 4}
        assert deck(packs=2) == deck(**twice, wilds=8, wild_draw_fours=8)

    def test_more_cards_than_there_can_be_are_refused(self):
        with pytest.raises(InputError, match=r"packs = 2 is refused with numbers = 3.*0…2"):
            UNO.resolve({"packs": 2, "numbers": 3})
        with pytest.raises(InputError, match=r"packs = 2 is refused with wilds = 5.*0…4"):
            UNO.resolve({"packs": 2, "wilds": 5})

    def test_ten_can_hold_twenty_cards_each(self):
        assert UNO.resolve({"players": 10, "hand_size": 20, "packs": 2})
