"""What a spectator is told: every kind of event, in words."""

from __future__ import annotations

import pytest

from simcore.batch import Cell
from simcore.catalogue import get_game
from simcore.events import RoundStart, State
from simcore.narration.teller import Teller
from simcore.phrases import match_in_words
from simcore.replay import replay
from tests.games import rows
from tests.upordown.following import UPORDOWN
from tests.upordown.players import BUILDER
from tests.upordown.position import Position, position
from tests.upordown.rows import Rows

words = Teller(get_game("upordown"))
NAMES = ("Ann", "Bob")
CIRCLE = "10 20 30 40 50 52"
PILES = {"face_up": "3 4", "face_down": "5 6"}


class TestTold(rows.Told, Rows):
    words = words
    rows = """
    [laying] | circle 10 20 30 40 50 52; face_up 3 4; face_down 5 6
        between  | hand 25 | 25 | Ann lays yellow 25 between red 20 and teal 30.
        the lowest | hand 9
            | 9 | Ann lays blue 9 as the lowest card, between pink 52 and pink 10.
        the highest | hand 53
            | 53 | Ann lays purple 53 as the highest card, between pink 52 and pink 10.
    [placing]
            | hand 25; circle 10 20 30 40 50 52; face_up 3 4; face_down 5 6; display 7 13, 12
        appended | | 25, upper, append 1
            | Ann takes teal 30 and appends it to column 1 (up: yellow 7, yellow 13, teal 30); 7 \
              points in all.
        a new column | | 25, upper, new
            | Ann takes teal 30 and starts column 3 with it; 6 points in all.
        given up | | 25, upper, give up 1
            | Ann takes teal 30, gives up column 1 (up: yellow 7, yellow 13) and starts it anew; \
              4 points in all.
    [drawing] | hand 25; circle 10 20 30 40 50 52
        from the face-up pile | face_up 3 4; face_down 5 6
            | 25, upper, new, face up | Ann draws blue 3 from the face-up pile.
        from the other | face_up 3 4; face_down 5 6
            | 25, upper, new, face down | Ann draws purple 5 from the face-down pile.
        from hidden piles | face_up 3 4; face_down 5 6; open_pile = False
            | 25, upper, new, face up | Ann draws blue 3 from the first pile.
        from the only pile | face_down 5 6
            | 25, upper, new | Ann takes teal 30 and starts column 1 with it; 1 point in all.
            | Ann draws purple 5 from the face-down pile, the only one left.
    [scoring] | hand 53; seat 1 hand 54; circle 30 47 48 49 50 51
        of both | display 13 7, 9; seat 1 display 11 5
            | 53, upper, give up 2, 54, upper, new, score
            | 48 turns were played.
            | Ann has 6 points: | down: yellow 13, yellow 7: 2 yellow × 2 cards = 4 points
            | teal 30: 1 teal × 1 card = 1 point | 1 discarded card: 1 point
            | Bob has 5 points: | down: purple 11, purple 5: 2 purple × 2 cards = 4 points
            | purple 47: 1 purple × 1 card = 1 point
    """


@pytest.mark.parametrize(
    ("display", "line"),
    [
        (["1 7"], "Ann wins with 5 points; Bob has 1."),
        ([], "Ann and Bob share the win with 1 point."),
    ],
)
def test_the_winners(display, line):
    p = position(hand="53", hands=["54"], circle="30 47 48 49 50 51", display=display)
    p.play("53", "upper", "new", "54", "upper", "new").score()
    assert match_in_words(words, p.s, NAMES) == f"All hand cards are played: {line}"


def test_moves_to_choose_from():
    p = position(hand="25 26", circle=CIRCLE, display=["7 13", "12"], **PILES)
    assert p.moves_in_words(words) == ["lay yellow 25", "lay red 26"]
    assert p.play("25").moves_in_words(words) == [
        "take red 20 (lower neighbour)",
        "take teal 30 (upper neighbour)",
    ]
    assert p.play("upper").moves_in_words(words) == [
        "append teal 30 to column 1",
        "append teal 30 to column 2",
        "start a column with teal 30",
        "give up column 1 for teal 30",
        "give up column 2 for teal 30",
    ]
    assert p.play("new").moves_in_words(words) == [
        "draw from the face-up pile (blue 3)",
        "draw from the face-down pile",
    ]


def test_the_card_laid_and_the_card_taken_are_seen_on_the_table():
    p = position(hand="25 26", circle=CIRCLE, display=["7 13"], **PILES)

    def drawn(*moves):
        return list(words.table_in_words(State(p.play(*moves).s.copy()), NAMES))

    assert "just" not in "".join(drawn())
    assert "red 20, yellow 25 (just laid), teal 30, " in drawn("25")[0]
    lines = drawn("upper")
    assert "red 20, yellow 25, " in lines[0]
    assert "teal 30" not in lines[0]
    assert lines[2] == "│     just taken: teal 30"
    assert "taken" not in "".join(drawn("append 1"))


def test_no_sentence_is_split_by_a_table():
    cell = Cell(UPORDOWN, UPORDOWN.resolve({"players": 2}), (BUILDER,) * 2, 3)
    for line in replay(cell, 0, draw=True):
        if line[0] not in "┌│└":
            assert line.endswith((".", ":", "point", "points")), line
            assert " takes " not in line or line.startswith("    seat "), line


@pytest.mark.parametrize(
    ("open_pile", "line"),
    [
        (True, "21 cards lie face down, 21 face up with {} on top."),
        (False, "21 and 21 cards lie face down in two piles."),
    ],
)
def test_the_deal(open_pile, line):
    p = Position(2, {"open_pile": open_pile})
    lines = list(words.round_in_words(RoundStart(p.s.copy()), NAMES))
    assert lines[0] == "The cards 1 to 54 are dealt; Ann starts."
    assert len(lines) == 5
    assert lines[4] == line.format(words.card(p.s, p.s.face_up_card or 1))


def test_colours_of_a_file_are_named(tmp_path):
    file = tmp_path / "colours.txt"
    file.write_text("\n".join(["ocean blue", "grün"] * 63), encoding="utf-8")
    p = position(hand="25", circle=CIRCLE, colours=str(file), **PILES)
    line = "Ann lays ocean blue 25 between grün 20 and grün 30."
    assert p.told(words, NAMES, "25") == [line]


@pytest.mark.parametrize(
    "options", [{}, {"open_pile": False, "columns": 6}, {"players": 2, "columns": 1}]
)
def test_whole_matches_are_told(options):
    resolved = UPORDOWN.resolve({"players": 3} | options)
    players = int(resolved["players"])
    lines = list(replay(Cell(UPORDOWN, resolved, (BUILDER,) * players, 3), 1))
    assert sum(" lays " in line for line in lines) == 24 * players
    assert sum(" draws " in line for line in lines) == 21 * players
