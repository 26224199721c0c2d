"""What a spectator is told: every kind of event, in words."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from simcore.catalogue import get_game
from simcore.events import RoundStart, Step
from simcore.match import Match
from simcore.narration.teller import Teller
from simcore.replay import replay
from tests.games import rows
from tests.players import RANDOM_PLAYER
from tests.uno.players import HASTY
from tests.uno.position import dealt, position
from tests.uno.rows import Rows
from tests.uno.test_referee import cell_of
from tests.uno.test_rules_play import everything_held

words = Teller(get_game("uno"))
NAMES = ("Ann", "Bob", "Cy")


class TestTold(rows.Told, Rows):
    words = words
    names = NAMES
    rows = """
    [R6] plays | top red 7
        a card      | hand red 5, red 6, red 9 | red 5 | Ann lays a red 5 on the red 7.
        on a colour | hand blue 5, red 6, red 9; top wild blue
            | blue 5 | Ann lays a blue 5 on the wild (blue).
        the last but one | hand red 5, red 6
            | red 5 | Ann lays a red 5 on the red 7. | Ann calls "UNO".
        a draw two | hand red draw two, red 6, red 9
            | red draw two | Ann lays a red draw two on the red 7.
            | Bob draws two cards (blue 1, 2) and misses the turn.
        a skip | hand red skip, red 6, red 9
            | red skip | Ann lays a red skip on the red 7. | Bob is skipped.
        a reverse | hand red reverse, red 6, red 9
            | red reverse | Ann lays a red reverse on the red 7.
            | Play goes counter-clockwise now: Cy is next.
        a wild | hand wild, red 6, red 9 | wild | Ann lays a wild on the red 7.
        a bluff | hand wild draw four, blue 6, red 9
            | wild draw four
            | Ann lays a wild draw four on the red 7, a bluff: the hand has red cards.
        no bluff | hand wild draw four, blue 6, blue 9
            | wild draw four | Ann lays a wild draw four on the red 7, holding no red card.
        the last card | hand red 5 | red 5 | Ann lays a red 5 on the red 7 as the last card.
        a draw two as the last card | hand red draw two
            | red draw two | Ann lays a red draw two on the red 7 as the last card.
            | Bob still draws two cards (blue 1, 2).
        a reverse of two | hand red reverse, red 6, red 9; players = 2
            | red reverse | Ann lays a red reverse on the red 7. | Ann plays again.
        a skip of two | hand red skip, red 6, red 9; players = 2
            | red skip | Ann lays a red skip on the red 7. | Bob is skipped.
        the cap | hand red 5, red 6; turns = 100; turn_cap = 100
            | red 5 | Ann lays a red 5 on the red 7. | Ann calls "UNO".
            | After 100 turns the round has reached its cap: the match is aborted.
    [R16] a forgotten call | hand red 5, red 6; top red 7
        noticed | forget_uno = 1.0 | red 5 | Ann lays a red 5 on the red 7.
            | Ann forgets to call "UNO", is noticed and draws two cards (blue 1, 2).
        unnoticed | forget_uno = 1.0; notice_uno = 0.0 | red 5 | Ann lays a red 5 on the red 7.
            | Ann forgets to call "UNO", but nobody notices.
        by another seat | forget_uno = [0.0, 1.0, 0.0] | red 5 | Ann lays a red 5 on the red 7.
            | Ann calls "UNO".
    [R7] drawing | top red 7
        by choice | hand red 1, blue 1; stock red 5, blue 9
            | draw | Ann chooses to draw, although a card in hand goes on the red 7, and draws a \
              red 5.
        and keeping | hand red 1, blue 1; stock red 5, blue 9 | draw, keep | Ann keeps the red 5.
        for want of a card | hand blue 1; stock green 5, blue 9 | draw
            | Ann has no card that goes on the red 7 and draws a green 5, which does not go either.
    [R13] a colour | hand wild, red 6, red 9; top red 7
        is named | | wild, green | Ann names green.
    [R15] challenges | hand wild draw four, blue 6, red 9; top red 7
        a colour first | | wild draw four, green | Ann names green.
        accepted | | wild draw four, green, accept
            | Bob does not challenge, draws four cards (blue 1, 2, 3, 4) and misses the turn.
        guilty | | wild draw four, green, challenge
            | Bob challenges, and Ann shows blue 6; red 9.
            | There is red among them: Ann draws four cards (blue 1, 2, 3, 4), and Bob plays on.
        innocent | hand wild draw four, blue 6 | wild draw four, green, challenge
            | Bob challenges, and Ann shows blue 6.
            | There is no red among them: Bob draws six cards (blue 1, 2, 3, 4, 5, 6) and misses \
              the turn.
        none | hand wild draw four, blue 6, blue 9; challenge = "off" | wild draw four, red
            | Ann names red. | Bob draws four cards (blue 1, 2, 3, 4) and misses the turn.
    [R19] the end of a round | hand red 5; top red 7
        points | seat 1 hand wild, red 3, red 3; seat 2 hand blue 1 | red 5, score
            | Round 1 is over. | Ann is out and gets 57 points, 57 points in all.
            | Bob has red 3, 3; wild left: 56 points. | Cy has blue 1 left: 1 point.
            | Ann is ahead with 57 points.
        own cards | seat 1 hand wild; seat 2 hand blue 0; scores = (0, 1); scoring = "own_cards"
            | red 5, score | Round 1 is over. | Ann is out, 0 points in all.
            | Bob has wild left: 50 points, 51 points in all.
            | Cy has blue 0 left: 0 points, 0 points in all. | Ann and Cy are ahead with 0 points.
    """


def test_drawing_from_the_pile():
    p = position("red 1", "red 7", stock="", pile="blue 9")
    assert "from the discard pile, shuffled anew" in p.told(words, NAMES, "draw")[0]


def test_nothing_left_to_draw():
    hands = everything_held(3)
    p = position(hands[0], "red 7", others=hands, stock="")
    why = "all cards are in the players' hands"
    assert p.told(words, NAMES, "draw")[0].endswith(f"can draw nothing: {why}.")
    p.told(words, NAMES, "draw")
    last = p.told(words, NAMES, "draw")[-1]
    assert last.startswith("Nobody could draw or would lay a card")


@pytest.mark.parametrize(
    ("first", "line"),
    [
        ("red 5", "The first card is a red 5; Ann begins."),
        ("wild", "The first card is a wild: Ann names its colour and begins."),
        (
            "red draw two",
            "The first card is a red draw two: Ann draws two cards and is skipped; Bob begins.",
        ),
        ("red skip", "The first card is a red skip: Ann is skipped; Bob begins."),
        (
            "red reverse",
            "The first card is a red reverse: Cy begins, and play goes counter-clockwise.",
        ),
    ],
)
def test_first_card(first, line):
    p = dealt(first, players=3, dealer=2)
    lines = list(words.round_in_words(RoundStart(p.s.copy()), NAMES))
    assert lines[0] == "Round 1: Cy deals."
    assert lines[-1] == line
    assert len(lines) == 5


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
    cards = []
    for part in text.replace("nothing", "").split("; "):
        colour = "" if part.startswith("wild") or not part else part.split(" ")[0] + " "
        cards += [colour + face for face in part.removeprefix(colour).split(", ")]
    return Counter(face for face in cards if face)


def test_the_cards_drawn_are_those_that_come_to_the_hands():
    """Over whole matches, whatever they are drawn for, also from a stock made anew."""
    announced = 0
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
                    in_parts(words.cards(at.s, at.s.hand[seat])) for at in (step, step.after)
                )
                came += after - before
            single = len(step.s.hand[step.seat]) + 1 == len(step.after.s.hand[step.seat])
            if not (single and sum(came.values()) == 1):
                assert named == came
                announced += bool(named)
    assert announced > 5


@pytest.mark.parametrize("players", [2, 3, 6])
def test_whole_matches_can_be_told(players):
    for match in range(3):
        cell = cell_of(
            {"players": players, "forget_uno": 0.4, "turn_cap": 150}, seats=(HASTY, RANDOM_PLAYER)
        )
        lines = list(replay(cell, match, why=True))
        events = [line for line in lines if not line.startswith("    ")]
        assert all(line[-1] in ".;" for line in events)
        assert len(events) < len(lines)
