"""What a spectator is told: every kind of event, in words."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from simcore.compiler.plain import Match
from simcore.events import RoundStart, Step
from simcore.games.uno import words
from simcore.replay import replay
from tests.players import RANDOM_PLAYER
from tests.uno.players import HASTY
from tests.uno.position import dealt, position
from tests.uno.test_referee import cell_of
from tests.uno.test_rules_play import everything_held

NAMES = ("Ann", "Bob", "Cy")


def state(p):
    return p.s.copy()


def told(p, *moves):
    return p.told(words, NAMES, *moves)


def told_round(p):
    return p.told_round(words, NAMES)


class TestPlays:
    @pytest.mark.parametrize(
        ("hand", "top", "move", "lines"),
        [
            ("red 5, red 6, red 9", "red 7", "red 5", ["Ann lays a red 5 on the red 7."]),
            (
                "red 5, red 6",
                "red 7",
                "red 5",
                ["Ann lays a red 5 on the red 7.", 'Ann calls "UNO".'],
            ),
            (
                "blue 5, red 6, red 9",
                "wild blue",
                "blue 5",
                ["Ann lays a blue 5 on the wild (blue)."],
            ),
            (
                "red draw two, red 6, red 9",
                "red 7",
                "red draw two",
                [
                    "Ann lays a red draw two on the red 7.",
                    "Bob draws two cards (blue 1, 2) and misses the turn.",
                ],
            ),
            (
                "red skip, red 6, red 9",
                "red 7",
                "red skip",
                ["Ann lays a red skip on the red 7.", "Bob is skipped."],
            ),
            (
                "red reverse, red 6, red 9",
                "red 7",
                "red reverse",
                [
                    "Ann lays a red reverse on the red 7.",
                    "Play goes counter-clockwise now: Cy is next.",
                ],
            ),
            ("wild, red 6, red 9", "red 7", "wild", ["Ann lays a wild on the red 7."]),
            (
                "wild draw four, blue 6, red 9",
                "red 7",
                "wild draw four",
                ["Ann lays a wild draw four on the red 7, a bluff: the hand has red cards."],
            ),
            (
                "wild draw four, blue 6, blue 9",
                "red 7",
                "wild draw four",
                ["Ann lays a wild draw four on the red 7, holding no red card."],
            ),
            ("red 5", "red 7", "red 5", ["Ann lays a red 5 on the red 7 as the last card."]),
            (
                "red draw two",
                "red 7",
                "red draw two",
                [
                    "Ann lays a red draw two on the red 7 as the last card.",
                    "Bob still draws two cards (blue 1, 2).",
                ],
            ),
        ],
    )
    def test_lines(self, hand, top, move, lines):
        assert told(position(hand, top), move) == lines

    def test_two_players(self):
        p = position("red reverse, red 6, red 9", "red 7", players=2)
        assert told(p, "red reverse")[-1] == "Ann plays again."
        p = position("red skip, red 6, red 9", "red 7", players=2)
        assert told(p, "red skip")[-1] == "Bob is skipped."

    def test_a_forgotten_call(self):
        p = position("red 5, red 6", "red 7", forget_uno=1.0)
        assert told(p, "red 5")[-1] == (
            'Ann forgets to call "UNO", is noticed and draws two cards (blue 1, 2).'
        )
        p = position("red 5, red 6", "red 7", forget_uno=1.0, notice_uno=0.0)
        assert told(p, "red 5")[-1] == 'Ann forgets to call "UNO", but nobody notices.'
        p = position("red 5, red 6", "red 7", forget_uno=[0.0, 1.0, 0.0])
        assert told(p, "red 5")[-1] == 'Ann calls "UNO".'


class TestDrawing:
    def test_by_choice_and_for_want_of_a_card(self):
        p = position("red 1, blue 1", "red 7", stock="red 5, blue 9")
        assert told(p, "draw") == [
            "Ann chooses to draw, although a card in hand goes on the red 7: a red 5."
        ]
        assert told(p, "keep") == ["Ann keeps the red 5."]
        p = position("blue 1", "red 7", stock="green 5, blue 9")
        lines = [
            "Ann has no card that goes on the red 7 and draws a green 5, which does not go either."
        ]
        assert told(p, "draw") == lines

    def test_from_the_pile(self):
        p = position("red 1", "red 7", stock="", pile="blue 9")
        assert "from the discard pile, shuffled anew" in told(p, "draw")[0]

    def test_nothing_left(self):
        hands = everything_held(3)
        p = position(hands[0], "red 7", others=hands, stock="")
        why = "all cards are in the players' hands"
        assert told(p, "draw")[0].endswith(f"can draw nothing: {why}.")
        told(p, "draw")
        assert told(p, "draw")[-1].startswith("Nobody could draw or would lay a card")


class TestWildCards:
    def test_a_colour(self):
        p = position("wild, red 6, red 9", "red 7").play("wild")
        assert told(p, "green") == ["Ann names green."]

    def test_a_wild_draw_four(self):
        hand = "wild draw four, blue 6, red 9"
        p = position(hand, "red 7").play("wild draw four")
        assert told(p, "green") == ["Ann names green."]
        assert told(p, "accept") == [
            "Bob accepts, draws four cards (blue 1, 2, 3, 4) and misses the turn."
        ]
        p = position(hand, "red 7").play("wild draw four", "green")
        assert told(p, "challenge") == [
            "Bob challenges, and Ann shows blue 6; red 9.",
            "There is red in it: Ann draws four cards (blue 1, 2, 3, 4), and Bob plays on.",
        ]
        p = position("wild draw four, blue 6", "red 7").play("wild draw four", "green")
        assert told(p, "challenge") == [
            "Bob challenges, and Ann shows blue 6.",
            (
                "There is no red in it: "
                "Bob draws six cards (blue 1, 2, 3, 4, 5, 6) and misses the turn."
            ),
        ]

    def test_without_challenges(self):
        p = position("wild draw four, blue 6, blue 9", "red 7", challenge="off")
        p.play("wild draw four")
        assert told(p, "red") == [
            "Ann names red.",
            "Bob draws four cards (blue 1, 2, 3, 4) and misses the turn.",
        ]


class TestRounds:
    @pytest.mark.parametrize(
        ("first", "line"),
        [
            ("red 5", "The first card is a red 5; Ann begins."),
            ("wild", "The first card is a wild: Ann names its colour and begins."),
            (
                "red draw two",
                (
                    "The first card is a red draw two: "
                    "Ann draws two cards and is skipped; Bob begins."
                ),
            ),
            ("red skip", "The first card is a red skip: Ann is skipped; Bob begins."),
            (
                "red reverse",
                "The first card is a red reverse: Cy begins, and play goes counter-clockwise.",
            ),
        ],
    )
    def test_first_card(self, first, line):
        p = dealt(first, players=3, dealer=2)
        lines = list(words.round_in_words(RoundStart(state(p)), NAMES))
        assert lines[0] == "Round 1: Cy deals."
        assert lines[-1] == line
        assert len(lines) == 5

    def test_points(self):
        p = position("red 5", "red 7", others={1: "wild, red 3, red 3", 2: "blue 1"}).play("red 5")
        assert told_round(p) == [
            "Round 1 is over.",
            "Ann is out and gets 57 points, 57 points in all.",
            "Bob has red 3, 3; wild left: 56 points.",
            "Cy has blue 1 left: 1 point.",
            "Ann is ahead with 57 points.",
        ]

    def test_own_cards(self):
        p = position(
            "red 5", "red 7", others={1: "wild", 2: "blue 0"}, scores=(0, 1), scoring="own_cards"
        )
        assert told_round(p.play("red 5")) == [
            "Round 1 is over.",
            "Ann is out, 0 points in all.",
            "Bob has wild left: 50 points, 51 points in all.",
            "Cy has blue 0 left: 0 points, 0 points in all.",
            "Ann and Cy are ahead with 0 points.",
        ]

    def test_the_cap(self):
        p = position("red 5, red 6", "red 7", turns=100, turn_cap=100)
        last = told(p, "red 5")[-1]
        assert last == "After 100 turns the round has reached its cap: the match is aborted."


def legal_moves_in_words(p):
    return {move: words.move_in_words(p.s, p.seat, move) for move in p.plain.moves(p.s)}


def test_legal_moves():
    p = position("red 5, wild", "red 7")
    legal = legal_moves_in_words(p)
    assert list(legal.values()) == ["lay a red 5", "lay a wild", "draw a card"]
    p = position("blue 5", "red 7", stock="red 1, red 2").play("draw")
    assert list(legal_moves_in_words(p).values()) == ["lay a red 1", "keep it"]
    p.play("red 1")
    p = position("wild draw four, red 1", "red 7").play("wild draw four")
    assert set(legal_moves_in_words(p).values()) == {
        "name blue",
        "name green",
        "name red",
        "name yellow",
    }
    p.play("red")
    assert list(legal_moves_in_words(p).values()) == ["accept", "challenge"]


FACE = r"(?:\d|draw two|reverse|skip)"
SUIT = rf"(?:blue|green|red|yellow) {FACE}(?:, {FACE})*"
PART = rf"(?:{SUIT}|wild(?: draw four)?(?:, wild(?: draw four)?)*)"
DRAWS = re.compile(rf"draws? (?:\w+) cards? \(({PART}(?:; {PART})*)\)")


def in_parts(text):
    """Count the cards of a text: red 4, 7; wild."""
    found = []
    for part in text.replace("nothing", "").split("; "):
        colour = "" if part.startswith("wild") or not part else part.split(" ")[0] + " "
        found += [colour + face for face in part.removeprefix(colour).split(", ")]
    return Counter(face for face in found if face)


def test_the_cards_drawn_are_those_that_come_to_the_hands():
    """Over whole matches, whatever they are drawn for, also from a stock made anew."""
    told = 0
    for match in range(3):
        cell = cell_of({"players": 3, "forget_uno": 0.5, "rounds": 1, "turn_cap": 400})
        for step in Match(cell, match):
            if not isinstance(step, Step):
                continue
            lines = list(words.step_in_words(step, NAMES))
            named = sum((in_parts(cards) for cards in DRAWS.findall(" ".join(lines))), Counter())
            came = Counter()
            for seat in range(3):
                before, after = (
                    in_parts(words.hand_in_words(at.s, seat)) for at in (step, step.after)
                )
                came += after - before
            single = len(step.s.hand[step.seat]) + 1 == len(step.after.s.hand[step.seat])
            if not (single and sum(came.values()) == 1):
                assert named == came
                told += bool(named)
    assert told > 5


@pytest.mark.parametrize("players", [2, 3, 6])
def test_whole_matches_can_be_told(players):
    for match in range(6):
        cell = cell_of(
            {"players": players, "forget_uno": 0.4, "turn_cap": 150}, seats=(HASTY, RANDOM_PLAYER)
        )
        lines = list(replay(cell, match, why=True))
        told = [line for line in lines if not line.startswith("    ")]
        assert all(line[-1] in ".;" for line in told)
        assert len(told) < len(lines)
