"""Course of play: what goes, drawing, draw and keep. Classes bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from tests.uno.following import KIND_NAMES
from tests.uno.position import position

COLOURS = ("blue", "green", "red", "yellow")
FACES = (*map(str, range(10)), "draw two", "reverse", "skip")


class TestR6Match:
    @pytest.mark.parametrize("top", ["red 7", "blue 0", "green skip", "yellow draw two"])
    def test_colour_or_face_of_every_card(self, top):
        colour, _, face = top.partition(" ")
        for name in KIND_NAMES[:52]:
            p = position(f"{name}, wild", top)
            goes = name.startswith(f"{colour} ") or name.split(" ", 1)[1] == face
            assert (name in p.moves) == goes, name

    def test_it_lies_on_top_then(self):
        p = position("blue 7, red 1", "red 7").play("blue 7")
        assert (p.top, p.colour, p.hand(), p.seat) == ("blue 7", "blue", "red 1", 1)
        assert p.discards == {"red 7": 1, "blue 7": 1}

    def test_equal_cards_are_one_move(self):
        p = position("red 1, red 1, green 5", "red 7")
        assert p.moves == {"red 1", "draw"}
        assert p.play("red 1").hand() == "green 5, red 1"


class TestR7Draw:
    def test_a_card_that_does_not_go_passes_the_turn(self):
        p = position("blue 1", "red 7", stock="green 5, green 6")
        assert p.moves == {"draw"}
        p.play("draw")
        assert (p.seat, p.phase, p.hand()) == (1, "PLAY", "blue 1, green 5")

    def test_a_card_that_goes_may_be_played_at_once(self):
        p = position("blue 1", "red 7", stock="red 5, green 6").play("draw")
        assert (p.seat, p.phase, p.moves) == (0, "DRAWN", {"red 5", "keep"})
        p.play("red 5")
        assert (p.seat, p.phase, p.hand(), p.top) == (1, "PLAY", "blue 1", "red 5")

    def test_but_need_not_be(self):
        p = position("blue 1", "red 7", stock="red 5, green 6").play("draw", "keep")
        assert (p.seat, p.phase, p.hand(), p.top) == (1, "PLAY", "blue 1, red 5", "red 7")


class TestR8ChooseToDraw:
    def test_with_a_card_that_goes(self):
        p = position("red 1, blue 1", "red 7", stock="red 5, green 6")
        assert p.moves == {"red 1", "draw"}
        p.play("draw")
        assert p.moves == {"red 5", "keep"}


class TestR9Wild:
    def test_always_goes(self):
        assert position("red 1, wild", "red 7").moves == {"red 1", "wild", "draw"}
        assert position("wild, blue 3", "red 7").moves == {"wild", "draw"}


class TestC3AfterAWild:
    def test_only_the_colour_counts(self):
        hand = "blue 0, blue 7, green 0, red skip, wild"
        assert position(hand, "wild blue").moves == {"blue 0", "blue 7", "wild", "draw"}
        top = "wild draw four green"
        assert position(hand, top).moves == {"green 0", "wild", "draw"}

    def test_a_wild_card_goes_on_anything(self):
        for name in (*KIND_NAMES[:52], "wild red", "wild draw four red"):
            moves = position("wild, wild draw four, blue 1, blue 2", name).moves
            assert {"wild", "wild draw four"} <= moves


class TestC7One:
    def test_one_card_is_drawn(self):
        p = position("blue 1", "red 7", stock="green 5, green 6, red 1").play("draw")
        assert (p.count(), p.stock.total(), p.metric("cards_drawn")) == (2, 2, 1)


class TestC8DrawnWild:
    @pytest.mark.parametrize("wild", ["wild", "wild draw four"])
    def test_may_be_played(self, wild):
        p = position("blue 1", "red 7", stock=f"{wild}, green 6").play("draw")
        assert p.moves == {wild, "keep"}
        assert p.play(wild).phase == "COLOUR"

    def test_the_whole_hand_decides(self):
        red = position("red 1", "red 7", stock="wild draw four, green 6", challenge="off")
        assert red.play("draw").seat == 1
        blue = position("blue 1", "red 7", stock="wild draw four, green 6", challenge="off")
        assert blue.play("draw").moves == {"wild draw four", "keep"}

    def test_a_bluff_is_possible(self):
        p = position("red 1", "red 7", stock="wild draw four, green 6").play("draw")
        assert p.play("wild draw four").metric("bluffs") == 1


class TestC9OnlyTheDrawnCard:
    @pytest.mark.parametrize("hand", ["red 1, wild", "blue 1, green 1"])
    def test_nothing_held_before(self, hand):
        p = position(hand, "red 7", stock="red 5, green 6").play("draw")
        assert p.moves == {"red 5", "keep"}

    def test_of_equal_cards_one_may_be_laid(self):
        p = position("red 5, blue 1", "red 7", stock="red 5, green 6").play("draw", "red 5")
        assert p.hand() == "blue 1, red 5"


class TestR18Reshuffle:
    def test_the_pile_becomes_the_stock(self):
        p = position("blue 1", "red 7", stock="green 5", pile="yellow 1, yellow 2, wild")
        p.play("draw")
        assert (p.stock.total(), p.metric("reshuffles")) == (0, 0)
        p.play("draw")
        assert p.metric("reshuffles") == 1

    def test_every_card_that_nobody_holds(self):
        p = position("blue 1", "red 7", stock="", pile="yellow 1, yellow 2, green 3")
        p.play("draw")
        assert (p.stock.total(), p.count()) == (2, 2)
        assert p.discards == {"red 7": 1}


class TestC17TopCard:
    def test_it_stays_with_its_colour(self):
        p = position("blue 1", "wild green", stock="", pile="yellow 1, yellow 2, wild")
        p.play("draw")
        assert (p.top, p.colour) == ("wild", "green")
        assert p.discards == {"wild": 1}
        assert p.stock["wild"] + p.hand(0).split(", ").count("wild") == 1

    def test_in_the_middle_of_a_draw(self):
        p = position("red draw two, blue 1", "red 7", stock="green 5", pile="yellow 1")
        p.play("red draw two")
        assert (p.count(1), p.metric("reshuffles")) == (5, 1)
        assert p.discards == {"red draw two": 1}

    def test_only_when_a_card_is_due(self):
        p = position("blue 1", "red 7", stock="green 5", pile="yellow 1").play("draw")
        assert (p.stock.total(), p.metric("reshuffles")) == (0, 0)

    def test_wild_cards_are_colourless_again(self):
        p = position("blue 1", "red 7", stock="", pile="wild, wild draw four").play("draw")
        assert p.hand() in ("blue 1, wild", "blue 1, wild draw four")
        p = position("wild, blue 2", "red 7")
        assert p.play("wild").moves == {"blue", "green", "red", "yellow"}


def everything_held(hands: int) -> dict[int, str]:
    """Share all cards but a red 7 out to some hands."""
    names = [name for name in KIND_NAMES[:52] if not name.endswith(" 0")] * 2
    names += [f"{colour} 0" for colour in COLOURS] + ["wild", "wild draw four"] * 4
    names.remove("red 7")
    return {seat: ", ".join(names[seat::hands]) for seat in range(hands)}


class TestC18NothingToDraw:
    def test_the_turn_passes(self):
        hands = everything_held(3)
        p = position(hands[0], "red 7", others=hands, stock="")
        p.play("draw")
        assert (p.seat, p.phase, p.metric("reshuffles")) == (1, "PLAY", 0)

    def test_as_many_as_there_are(self):
        p = position("red draw two, blue 1", "red 7", stock="green 5")
        hands = everything_held(2)
        p.hold(0, f"red draw two, {hands[0]}".replace("red draw two, ", "", 1))
        p.hold(1, hands[1].replace("green 5, ", "", 1))
        p.hold(2, "red 0")
        before = p.count(1)
        p.play("red draw two")
        # One card lay in the stock, another under the top card.
        assert p.count(1) - before <= 2

    def test_a_lap_without_a_card_aborts(self):
        hands = everything_held(3)
        p = position(hands[0], "red 7", others=hands, stock="").play("draw", "draw")
        assert p.phase == "PLAY"
        p.play("draw")
        assert (p.phase, bool(p.s.aborted)) == ("MATCH_OVER", True)

    def test_a_card_laid_begins_another_lap(self):
        hands = everything_held(3)
        p = position(hands[0], "red 7", others=hands, stock="").play("draw", "draw")
        numbers = [move for move in p.moves if move.split(" ")[-1].isdigit()]
        p.play(numbers[0], "draw")
        assert p.phase in {"PLAY", "DRAWN"}
