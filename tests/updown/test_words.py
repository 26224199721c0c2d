"""What a spectator is told: every kind of event, in words."""

from __future__ import annotations

import pytest

from simcore.batch import Cell
from simcore.events import RoundEnd, RoundStart, State
from simcore.games.updown import words
from simcore.phrases import match_in_words
from simcore.replay import replay
from tests.players import RANDOM_PLAYER
from tests.updown.following import UPDOWN
from tests.updown.position import CHANGES, Position

NAMES = ("Ann", "Bob", "Cy", "Dot")


def state(p):
    return p.s.copy()


def told(p, *moves):
    return p.told(words, NAMES, *moves)


class TestChange:
    def test_turning_over(self):
        assert told(Position("R2", "R3", "R4", leader=1), "flip") == [
            "Trick 14: Bob leads and turns the U&D card over: UP becomes DOWN.",
            (
                "  Now it is DOWN (lowest wins), the trump is 7; "
                "the own colours are ROSE for Ann, FEDER for Bob, MONOKEL for Cy."
            ),
        ]

    @pytest.mark.parametrize(
        ("change", "turn", "colour"),
        [
            ("quarter", "by a quarter turn", "HUT"),
            ("half", "by half a turn", "MONOKEL"),
            ("three", "by three quarter turns", "FEDER"),
        ],
    )
    def test_rotating(self, change, turn, colour):
        p = Position("R2", "R3", "R4", "R5")
        assert (
            words.move_in_words(p.s, None, CHANGES[change])
            == f"rotate the card {turn}, for the own colour {colour}"
        )
        lines = told(p, change)
        assert lines[0] == f"Trick 11: Ann leads and rotates the U&D card {turn}."
        assert lines[1].startswith("  Now it is UP (highest wins), the trump is 7; ")
        assert f"{colour} for Ann" in lines[1]

    def test_rolling(self):
        p = Position("R2", "R3", trump=4)
        line = told(p, "roll")[0]
        new = int(p.s.trump)
        assert line == f"Trick 15: Ann leads and rolls the dice: the trump changes from 4 to {new}."


class TestTrick:
    def told(self, cards, **position):
        hands = cards.split()
        return told(Position(*hands, choosing=True, **position), *hands)

    def test_a_choice(self):
        assert told(Position("R2", "R3", choosing=True), "R2") == ["  Ann chooses ROSE 2."]

    def test_the_highest(self):
        assert self.told("R9 F11 R12") == [
            "  Cy chooses ROSE 12.",
            (
                "  Revealed: Ann ROSE 9 (own colour); Bob FEDER 11 (own colour); "
                "Cy ROSE 12 (neither the own colour MONOKEL nor a trump)."
            ),
            "  Bob takes the trick with FEDER 11, the highest that can win.",
        ]

    def test_the_lowest_with_the_pot(self):
        line = self.told("R9 F11 R12", face="DOWN", pot=2)[2]
        assert line == (
            "  Ann takes the trick and two tricks from the pot with ROSE 9, "
            "the lowest that can win."
        )

    def test_a_trump(self):
        lines = self.told("R12 R7 M9")
        assert "Bob ROSE 7 (a trump)" in lines[1]
        assert lines[2] == "  Bob takes the trick with ROSE 7, a trump."

    def test_cancelled(self):
        lines = self.told("R12 F12 M9")
        assert "Ann ROSE 12 (cancelled); Bob FEDER 12 (cancelled)" in lines[1]
        assert lines[2] == "  Cy takes the trick with MONOKEL 9, the only card that can win."

    def test_no_card(self):
        assert self.told("R12 F12 R9", pot=1)[2] == (
            "  No card can win: the trick goes into the pot, which now holds two tricks."
        )


class TestRounds:
    def test_the_deal(self):
        p = Position("R2 R3 F4", "H5 H12 M7", round_number=2, leader=1, trump=5)
        lines = list(words.round_in_words(RoundStart(state(p)), NAMES[:2]))
        assert lines[:3] == [
            "Round 2: the cards are dealt.",
            "Ann has ROSE 2 3, FEDER 4.",
            "Bob has MONOKEL 7, HUT 5 12.",
        ]
        assert lines[3].startswith("38 cards lie aside: ROSE 4 5")
        assert lines[4] == (
            "The dice show 5, the first trump; the U&D card lands with UP on top. "
            "ROSE points at Bob, who leads first."
        )

    def test_the_score(self):
        p = Position("F12", "R3", pot=1, scores=(3, 5), choosing=True).play("F12", "R3")
        assert p.told_round(words, NAMES) == [
            "Round 1 is over.",
            "Nobody gets the pot of two tricks.",
            "Ann has three tricks in all.",
            "Bob has five tricks in all.",
            "Bob is ahead.",
        ]

    def test_a_match_that_had_all_its_further_rounds(self):
        p = Position("F12", "R3", scores=(3, 3), choosing=True).play("F12", "R3")
        before = state(p)
        p.score()
        p.s.aborted = 1
        *_, last = words.score_in_words(RoundEnd(before, State(state(p))), NAMES[:2])
        assert last == "The match is aborted: it had all its further rounds."

    @pytest.mark.parametrize(
        ("winners", "aborted", "line"),
        [
            (0b01, 0, "Ann wins with seven tricks."),
            (0b11, 0, "Ann and Bob share the win with seven tricks."),
            (0b11, 1, "Ann and Bob share the win with seven tricks."),
        ],
    )
    def test_the_winners(self, winners, aborted, line):
        p = Position("R2", "R3", scores=(7, 7))
        p.s.winners, p.s.aborted = winners, aborted
        assert match_in_words(words, p.s, NAMES[:2]) == line


def test_the_table_says_whose_own_colour_is_what_and_is_drawn_before_the_first_choice():
    p = Position("R2 H5", "R3 F7")
    p.play("flip")
    assert list(words.table_in_words(State(state(p)), NAMES[:2]))[1:3] == [
        "│ ▶ Ann  own colour ROSE     hand ROSE 2, HUT 5    (no tricks)",
        "│   Bob  own colour MONOKEL  hand ROSE 3, FEDER 7  (no tricks)",
    ]
    p.play("R2")
    assert not list(words.table_in_words(State(state(p)), NAMES[:2]))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_assumed_of_two_players_is_said_of_two_only(players):
    assert any("two players" in text for text in UPDOWN.assumed({players})) == (players == 2)
    assert len(UPDOWN.assumed({2, 4})) == 2


def test_moves_to_choose_from():
    p = Position("R2 H5", "R3 F7")
    assert ([words.move_in_words(p.s, p.s.seat, m) for m in p.plain.moves(p.s)]) == [
        "turn the card over to DOWN",
        "rotate the card by a quarter turn, for the own colour HUT",
        "rotate the card by half a turn, for the own colour MONOKEL",
        "rotate the card by three quarter turns, for the own colour FEDER",
        "roll the dice for a new trump",
    ]
    p.play("flip")
    assert ([words.move_in_words(p.s, p.s.seat, m) for m in p.plain.moves(p.s)]) == [
        "choose ROSE 2",
        "choose HUT 5",
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_matches_are_told(players):
    resolved = UPDOWN.resolve({"players": players, "rounds": 2})
    cell = Cell(UPDOWN, resolved, (RANDOM_PLAYER,) * players, 3)
    for match in range(3):
        lines = list(replay(cell, match))
        tricks = 2 * {2: 15, 3: 14, 4: 11}[players]
        assert sum(line.startswith("Trick") for line in lines) == tricks
        taken = sum("takes the trick" in line for line in lines)
        assert taken + sum("No card can win" in line for line in lines) == tricks
        assert sum(line.startswith("Round") and "dealt" in line for line in lines) == 2
