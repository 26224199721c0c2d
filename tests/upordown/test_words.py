"""What a spectator is told: every kind of event, in words."""

from __future__ import annotations

import pytest

from simcore.batch import Cell
from simcore.events import RoundStart, State
from simcore.games.upordown import words
from simcore.phrases import match_in_words
from simcore.replay import replay
from tests.upordown.following import UPORDOWN
from tests.upordown.players import BUILDER
from tests.upordown.position import Position, position

NAMES = ("Ann", "Bob")
CIRCLE = "10 20 30 40 50 52"
PILES = {"face_up": "3 4", "face_down": "5 6"}


def state(p):
    return p.s.copy()


def moves_in_words(p):
    """Return the legal moves in words."""
    return [words.move_in_words(p.s, p.seat, move) for move in p.plain.moves(p.s)]


def told(p, *moves):
    return p.told(words, NAMES, *moves)


class TestTurns:
    @pytest.mark.parametrize(
        ("card", "line"),
        [
            ("25", "Ann lays yellow 25 between red 20 and teal 30."),
            ("9", "Ann lays blue 9 as the lowest card, between pink 52 and pink 10."),
            ("53", "Ann lays purple 53 as the highest card, between pink 52 and pink 10."),
        ],
    )
    def test_laying(self, card, line):
        assert told(position(hand=card, circle=CIRCLE, **PILES), card) == [line]

    def test_taking(self):
        p = position(hand="25", circle=CIRCLE, **PILES).play("25")
        assert told(p, "upper") == ["    Ann takes teal 30."]

    @pytest.mark.parametrize(
        ("move", "line"),
        [
            (
                "append 1",
                (
                    "Ann appends teal 30 to column 1 (up: yellow 7, yellow 13, teal 30); "
                    "7 points in all."
                ),
            ),
            ("new", "Ann starts column 3 with teal 30; 6 points in all."),
            (
                "give up 1",
                (
                    "Ann gives up column 1 (up: yellow 7, yellow 13) and starts it anew "
                    "with teal 30; 4 points in all."
                ),
            ),
        ],
    )
    def test_placing(self, move, line):
        p = position(hand="25", circle=CIRCLE, display=["7 13", "12"], **PILES)
        assert told(p.play("25", "upper"), move) == [f"    {line}"]

    def test_drawing(self):
        p = position(hand="25", circle=CIRCLE, **PILES).play("25", "upper", "new")
        assert told(p.copy(), "face up") == ["    Ann draws blue 3 from the face-up pile."]
        assert told(p.copy(), "face down") == ["    Ann draws purple 5 from the face-down pile."]
        p = position(hand="25", circle=CIRCLE, open_pile=False, **PILES)
        assert told(p.play("25", "upper", "new"), "face up") == [
            "    Ann draws blue 3 from the first pile."
        ]

    def test_drawing_from_the_only_pile(self):
        p = position(hand="25", circle=CIRCLE, face_down="5 6").play("25", "upper")
        assert (
            told(p, "new")[1]
            == "    Ann draws purple 5 from the face-down pile, the only one left."
        )

    def test_moves_to_choose_from(self):
        p = position(hand="25 26", circle=CIRCLE, display=["7 13", "12"], **PILES)
        assert list(moves_in_words(p)) == [
            "lay yellow 25",
            "lay red 26",
        ]
        p.play("25")
        assert list(moves_in_words(p)) == [
            "take red 20 (lower neighbour)",
            "take teal 30 (upper neighbour)",
        ]
        p.play("upper")
        assert list(moves_in_words(p)) == [
            "append teal 30 to column 1",
            "append teal 30 to column 2",
            "start a column with teal 30",
            "give up column 1 for teal 30",
            "give up column 2 for teal 30",
        ]
        p.play("new")
        assert list(moves_in_words(p)) == [
            "draw from the face-up pile (blue 3)",
            "draw from the face-down pile",
        ]


class TestTable:
    def drawn(self, p):
        return list(words.table_in_words(State(state(p)), NAMES))

    def test_the_card_laid_and_the_card_taken_are_seen(self):
        p = position(hand="25 26", circle=CIRCLE, display=["7 13"], **PILES)
        assert "just" not in "".join(self.drawn(p))
        lines = self.drawn(p.play("25"))
        assert "red 20, yellow 25 (just laid), teal 30, " in lines[0]
        lines = self.drawn(p.play("upper"))
        assert "red 20, yellow 25, " in lines[0]
        assert "teal 30" not in lines[0]
        assert lines[1].endswith("points), just taken: teal 30")
        lines = self.drawn(p.play("append 1"))
        assert "taken" not in "".join(lines)

    def test_no_sentence_is_split(self):
        resolved = UPORDOWN.resolve({"players": 2})
        cell = Cell(UPORDOWN, resolved, (BUILDER,) * 2, 3)
        for line in replay(cell, 0, draw=True):
            if line[0] not in "┌│└":
                whole = line.endswith((".", ":", "point", "points"))
                named = " takes " not in line or line.startswith("    seat ")
                assert whole, line
                assert named, line


class TestRounds:
    def test_the_deal(self):
        p = Position(2, {})
        lines = list(words.round_in_words(RoundStart(state(p)), NAMES))
        assert lines[0] == "The cards 1 to 54 are dealt; Ann starts."
        assert len(lines) == 5
        top = words.card_name(p.s, p.s.face_up_card)
        assert lines[4] == f"21 cards lie face down, 21 face up with {top} on top."
        hidden = Position(2, {"open_pile": False})
        lines = list(words.round_in_words(RoundStart(state(hidden)), NAMES))
        assert lines[4] == "21 and 21 cards lie face down in two piles."

    def test_the_score(self):
        p = position(
            hand="53", hands=["54"], circle="30 47 48 49 50 51", display=["13 7", "9"],
            others=[["11 5"]],
        )  # fmt: skip
        p.play("53", "upper", "give up 2", "54", "upper", "new")
        assert p.told_round(words, NAMES) == [
            "All hand cards are played, after 48 turns.",
            "Ann has 6 points:",
            "    down: yellow 13, yellow 7: 2 yellow × 2 cards = 4 points",
            "    teal 30: 1 teal × 1 card = 1 point",
            "    1 discarded card: 1 point",
            "Bob has 5 points:",
            "    down: purple 11, purple 5: 2 purple × 2 cards = 4 points",
            "    purple 47: 1 purple × 1 card = 1 point",
        ]
        assert match_in_words(words, p.s, NAMES) == "Ann wins with 6 points."

    def test_a_shared_win(self):
        p = position(hand="53", hands=["54"], circle="30 47 48 49 50 51")
        p.play("53", "upper", "new", "54", "upper", "new").finish()
        assert match_in_words(words, p.s, NAMES) == "Ann and Bob share the win with 1 point."


def test_colours_of_a_file_are_named(tmp_path):
    file = tmp_path / "colours.txt"
    file.write_text("\n".join(["ocean blue", "grün"] * 63), encoding="utf-8")
    p = position(hand="25", circle=CIRCLE, colours=str(file), **PILES)
    assert told(p, "25") == ["Ann lays ocean blue 25 between grün 20 and grün 30."]


@pytest.mark.parametrize(
    "options", [{}, {"open_pile": False, "columns": 6}, {"players": 2, "columns": 1}]
)
def test_whole_matches_are_told(options):
    resolved = UPORDOWN.resolve({"players": 3} | options)
    players = int(resolved["players"])
    cell = Cell(UPORDOWN, resolved, (BUILDER,) * players, 3)
    lines = list(replay(cell, 1))
    turns = [line for line in lines if " lays " in line]
    assert len(turns) == 24 * players
    assert sum(" draws " in line for line in lines) == 21 * players
