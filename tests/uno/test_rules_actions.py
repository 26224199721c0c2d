"""Action and wild cards, challenges. Rows and tests bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from tests.uno.following import named
from tests.uno.position import dealt, position
from tests.uno.rows import Rows

FOUR = "wild draw four, blue 1, blue 2"


class TestActions(Rows):
    rows = """
    [R10] draw two
        the next player draws two and misses the turn
            | hand red draw two, blue 1; top red 7; players = 4
            | red draw two | count = 1; count 1 = 5; count 2 = 3; count 3 = 3; seat = 2
        on its colour    | hand red draw two, blue 1; top red 7         | | may red draw two
        on its face      | hand red draw two, blue 1; top blue draw two | | may red draw two
        on nothing else  | hand red draw two, blue 1; top blue skip     | | may not red draw two
        as the first card | first red draw two; players = 4; dealer = 3
            | | count = 9; count 1 = 7; count 2 = 7; count 3 = 7; seat = 1
    [R11] reverse
        the direction turns | hand red reverse, blue 1; top red 7; players = 4
            | red reverse | direction = -1; seat = 3
        and turns back
            | hand red reverse, blue 1; top red 7; players = 4; seat 3 hand blue reverse, red 1
            | red reverse, blue reverse | direction = 1; seat = 0
        the dealer begins | first red reverse; players = 4; dealer = 2 | | seat = 2
    [R12] skip
        the next of four | hand red skip, blue 1; top red 7; players = 4 | red skip | seat = 2
        the next of four the other way
            | hand red skip, blue 1; top red 7; players = 4; counter_clockwise | red skip | seat = 2
        the next of three | hand red skip, blue 1; top red 7 | red skip | seat = 2
        the next of three the other way
            | hand red skip, blue 1; top red 7; counter_clockwise | red skip | seat = 1
        as the first card        | first red skip; players = 4; dealer = 3 | | seat = 1
        as the first card of two | first red skip; players = 2; dealer = 1 | | seat = 1
    [R13] wild
        names the colour | hand wild, blue 1; top red 7
            | wild | seat = 0; phase = COLOUR; moves = blue, green, red, yellow
            | red  | seat = 1; phase = PLAY; colour = red; top = wild
        the left neighbour of the dealer names it | first wild; players = 4; dealer = 3
            | | seat = 0; phase = COLOUR
    [R14] wild draw four
        the next player draws four and misses the turn
            | hand wild draw four, blue 1, blue 2; top red 7; players = 4
            | wild draw four, green, accept
            | count = 2; count 1 = 7; count 2 = 3; count 3 = 3; seat = 2; colour = green
        without a card of the colour
            | hand wild draw four, blue 1, blue 2; top red 7; challenge = "off"
            | | may wild draw four
        not with one | hand wild draw four, blue 1, blue 2; top blue 7; challenge = "off"
            | | may not wild draw four
        cards that match by face do not forbid it
            | hand wild draw four, blue 7, green 1; top red 7; challenge = "off"
            | | moves = blue 7, wild draw four, draw
    [R15] challenge
        guilty | hand wild draw four, blue 1, blue 2; top blue 7
            | wild draw four, green | seat = 1; phase = CHALLENGE; moves = accept, challenge
            | challenge | count = 6; count 1 = 3; count 2 = 3;
                challenges = 1; caught = 1; bluffs = 1
        innocent | hand wild draw four, blue 1, blue 2; top red 7
            | wild draw four, green, challenge
            | count = 2; count 1 = 9; count 2 = 3; seat = 2; challenges = 1; caught = 0
    [C6] two players
        a reverse is a skip | hand red reverse, red 1, blue 1; top red 7; players = 2
            | red reverse | seat = 0
        or not | hand red reverse, red 1; top red 7; players = 2; reverse_two_players = "none"
            | red reverse | seat = 1
        as the first card the dealer begins | first red reverse; players = 2; dealer = 1
            | | seat = 1
        as the first card that is no skip
            | first red reverse; players = 2; dealer = 1; reverse_two_players = "none"
            | | seat = 1
        a skip comes back     | hand red skip, blue 1; top red 7; players = 2 | red skip | seat = 0
        a draw two comes back | hand red draw two, blue 1; top red 7; players = 2
            | red draw two | seat = 0; count 1 = 5
        three players | hand red reverse, red 1; top red 7 | red reverse | seat = 2
        three players do not care | hand red reverse, red 1; top red 7; reverse_two_players = "none"
            | red reverse | seat = 2
    [C10] no stacking
        on a draw two | hand red draw two, blue 1, blue 2; top red 7;
            seat 1 hand red draw two, wild draw four, red 2
            | red draw two | count 1 = 5; seat = 2
        on a wild draw four | hand wild draw four, blue 1, blue 2; top red 7;
            seat 1 hand red draw two, wild draw four, red 2
            | wild draw four, red | moves = accept, challenge
            | accept              | count 1 = 7; seat = 2
    [C11] colour
        on a wild the named colour counts
            | hand wild draw four, blue 1, green 1; top wild blue; challenge = "off"
            | | may not wild draw four
        no other colour does
            | hand wild draw four, blue 1, green 1; top wild red; challenge = "off"
            | | may wild draw four
    [C12] victim
        only the next player is asked
            | hand wild draw four, blue 1, blue 2; top red 7; players = 4; counter_clockwise
            | wild draw four, green | seat = 3; phase = CHALLENGE
            | accept                | phase = PLAY
        nobody with challenge off
            | hand wild draw four, blue 1, blue 2; top red 7; challenge = "off"
            | wild draw four, green | phase = PLAY; seat = 2; count 1 = 7
    [C13] caught
        card and colour stand and the turn is normal
            | hand wild draw four, blue 1, blue 2; top blue 7; seat 1 hand green 4, red 1
            | wild draw four, green, challenge
            | seat = 1; phase = PLAY; top = wild draw four; colour = green
            | | moves = green 4, draw; s.turns = 2
    [C14] bluff
        is possible | hand wild draw four, blue 1, blue 2; top blue 7
            | | may wild draw four
            | wild draw four, green, accept | bluffs = 1; count 1 = 7; seat = 2
        the last card is always legal | hand wild draw four; top blue 7
            | wild draw four | phase = ROUND_OVER; bluffs = 0
    [C31] turns
        colour and challenge are no turns | hand wild draw four, blue 1, blue 2; top red 7
            | wild draw four, green | s.turns = 1 | accept | s.turns = 2
        seats passed over have none | hand red skip, blue 1; top red 7 | red skip | s.turns = 2
    """


def test_r14_never_the_first_card():
    assert dealt("wild draw four", players=3).top != "wild draw four"


def test_r15_the_hand_is_shown():
    p = position(FOUR, "red 7").play("wild draw four", "green", "challenge")
    assert p.s.knows[1] == 0
    assert named(p.s.hand_seen[1]) == {"blue 1": 1, "blue 2": 1}
    assert p.s.knows[2] == -1


@pytest.mark.parametrize("value", ["skip", "none"])
@pytest.mark.parametrize(("hand", "laid"), [("red reverse", True), ("red 1", False)])
def test_c6_the_clause_is_of_reverses_laid_not_of_one_turned_up(value, hand, laid):
    p = dealt("red reverse", players=2, dealer=1, reverse_two_players=value)
    p.hold(1, f"{hand}, red 2")
    p.hold(0, "red 3, red 4")
    p.play(hand)
    p.hold(p.seat, "red 2")
    assert p.play("red 2").score().clause("reverse_two") == laid


@pytest.mark.parametrize("players", [2, 3])
def test_c6_the_clause_is_of_two_players(players):
    p = position("red reverse, red 1", "red 7", players=players).play("red reverse")
    p.hold(p.seat, "red 2")
    assert p.play("red 2").score().clause("reverse_two") == (players == 2)


@pytest.mark.parametrize("card", ["red skip", "red draw two", "red reverse", "red 0"])
def test_c11_every_card_of_the_colour_forbids_it(card):
    hand = f"wild draw four, {card}, blue 1"
    assert "wild draw four" not in position(hand, "red 7", challenge="off").moves
    assert position(hand, "red 7").play("wild draw four").metric("bluffs") == 1


@pytest.mark.parametrize("card", ["wild", "wild draw four", "blue 7", "blue skip"])
def test_c11_no_other_card_does(card):
    for top in ("red 7", "red skip"):
        hand = f"wild draw four, {card}, blue 1"
        assert "wild draw four" in position(hand, top, challenge="off").moves
        assert position(hand, top).play("wild draw four").metric("bluffs") == 0


def test_c28_as_it_was_when_challenged():
    p = position(FOUR, "blue 7").play("wild draw four", "green", "challenge")
    assert named(p.s.hand_seen[1]) == {"blue 1": 1, "blue 2": 1}
    assert p.count() == 6


def test_c32_what_somebody_drew_on_and_laid():
    p = position("blue 1, red 2", "red 7", stock="green 1, green 2")
    p.play("draw")
    assert p.s.drew_on[0] == p.s.top
    p = position("blue 1, red 2", "red 7").play("red 2")
    assert p.s.last_laid[0] == p.s.top


def test_c32_it_is_void_after_other_cards_were_drawn():
    p = position("red draw two, red 2, red 3", "red 7")
    p.s.drew_on[1] = p.s.top
    assert p.play("red draw two").s.drew_on[1] == -1


def test_c32_what_the_layer_of_a_wild_draw_four_laid_before():
    p = position(FOUR, "green 7")
    p.s.last_laid[0] = 7
    p.play("wild draw four")
    assert (p.s.laid_before, p.s.colour_before, p.s.layer) == (7, 1, 0)


def test_c32_the_discard_pile():
    p = position("red 2, red 3", "red 7", pile="red 2").play("red 2")
    assert p.discards == {"red 7": 1, "red 2": 2}
