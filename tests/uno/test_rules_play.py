"""Course of play: what goes, drawing, draw and keep. Rows and tests bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from tests.uno.following import KIND_NAMES
from tests.uno.position import position
from tests.uno.rows import Rows

COLOURS = ("blue", "green", "red", "yellow")


class TestCourse(Rows):
    rows = """
    [R6] what goes
        it lies on top then | hand blue 7, red 1; top red 7
            | blue 7 | top = blue 7; colour = blue; hand = red 1; seat = 1; discards = blue 7, red 7
        equal cards are one move | hand red 1, red 1, green 5; top red 7
            | | moves = red 1, draw | red 1 | hand = green 5, red 1
    [R7] draw | hand blue 1; top red 7
        a card that does not go passes the turn | stock green 5, green 6
            | | moves = draw | draw | seat = 1; phase = PLAY; hand = blue 1, green 5
        a card that goes may be played at once | stock red 5, green 6
            | draw  | seat = 0; phase = DRAWN; moves = red 5, keep
            | red 5 | seat = 1; phase = PLAY; hand = blue 1; top = red 5
        but need not be | stock red 5, green 6
            | draw, keep | seat = 1; phase = PLAY; hand = blue 1, red 5; top = red 7
    [R8] choose to draw
        with a card that goes | hand red 1, blue 1; top red 7; stock red 5, green 6
            | | moves = red 1, draw | draw | moves = red 5, keep
    [R9] wild
        it goes | hand red 1, wild; top red 7 | | moves = red 1, wild, draw
        always  | hand wild, blue 3; top red 7 | | moves = wild, draw
    [C3] after a wild only the colour counts | hand blue 0, blue 7, green 0, red skip, wild
        blue  | top wild blue            | | moves = blue 0, blue 7, wild, draw
        green | top wild draw four green | | moves = green 0, wild, draw
    [C7] one card
        is drawn | hand blue 1; top red 7; stock green 5, green 6, red 1
            | draw | count = 2; stock_left = 2; cards_drawn = 1
    [C8] a wild card that was drawn
        may be played | hand blue 1; top red 7; stock wild, green 6
            | draw | moves = wild, keep | wild | phase = COLOUR
        also a wild draw four | hand blue 1; top red 7; stock wild draw four, green 6
            | draw | moves = wild draw four, keep | wild draw four | phase = COLOUR
        the whole hand decides: no
            | hand red 1; top red 7; stock wild draw four, green 6; challenge = "off"
            | draw | seat = 1
        the whole hand decides: yes
            | hand blue 1; top red 7; stock wild draw four, green 6; challenge = "off"
            | draw | moves = wild draw four, keep
        a bluff is possible | hand red 1; top red 7; stock wild draw four, green 6
            | draw, wild draw four | bluffs = 1
    [C9] only the card drawn | top red 7; stock red 5, green 6
        no card held before | hand red 1, wild | draw | moves = red 5, keep
        with none that goes | hand blue 1, green 1 | draw | moves = red 5, keep
        of equal cards one may be laid | hand red 5, blue 1 | draw, red 5 | hand = blue 1, red 5
    [R18] reshuffle
        the pile becomes the stock
            | hand blue 1; top red 7; stock green 5; pile yellow 1, yellow 2, wild
            | draw | stock_left = 0; reshuffles = 0 | draw | reshuffles = 1
        every card that nobody holds
            | hand blue 1; top red 7; stock ,; pile yellow 1, yellow 2, green 3
            | draw | stock_left = 2; count = 2; discards = red 7
    [C17] top card
        it stays with its colour
            | hand blue 1; top wild green; stock ,; pile yellow 1, yellow 2, wild
            | draw | top = wild; colour = green; discards = wild
        in the middle of a draw | hand red draw two, blue 1; top red 7; stock green 5; pile yellow 1
            | red draw two | count 1 = 5; reshuffles = 1; discards = red draw two
        only when a card is due | hand blue 1; top red 7; stock green 5; pile yellow 1
            | draw | stock_left = 0; reshuffles = 0
    """


@pytest.mark.parametrize("top", ["red 7", "blue 0", "green skip", "yellow draw two"])
def test_r6_colour_or_face_of_every_card(top):
    colour, _, face = top.partition(" ")
    for name in KIND_NAMES[:52]:
        goes = name.startswith(f"{colour} ") or name.split(" ", 1)[1] == face
        assert (name in position(f"{name}, wild", top).moves) == goes, name


def test_c3_a_wild_card_goes_on_anything():
    for name in (*KIND_NAMES[:52], "wild red", "wild draw four red"):
        moves = position("wild, wild draw four, blue 1, blue 2", name).moves
        assert {"wild", "wild draw four"} <= moves


def test_c17_no_wild_card_is_lost():
    p = position("blue 1", "wild green", stock="", pile="yellow 1, yellow 2, wild").play("draw")
    assert p.stock["wild"] + p.hand(0).split(", ").count("wild") == 1


def test_c17_wild_cards_are_colourless_again():
    p = position("blue 1", "red 7", stock="", pile="wild, wild draw four").play("draw")
    assert p.hand() in ("blue 1, wild", "blue 1, wild draw four")
    assert position("wild, blue 2", "red 7").play("wild").moves == set(COLOURS)


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
