"""What a spectator is told: every kind of event, in words."""

from __future__ import annotations

import pytest

from simcore.catalogue import get_game
from simcore.events import RoundEnd, RoundStart, State
from simcore.narration.teller import Teller
from simcore.phrases import match_in_words
from simcore.replay import replay
from tests.games import rows
from tests.updown.following import UPDOWN
from tests.updown.position import CHANGES, Position
from tests.updown.rows import Rows
from tests.updown.test_oracles import HAND_SIZES, cell_of

words = Teller(get_game("updown"))
NAMES = ("Ann", "Bob")


class TestTold(rows.Told, Rows):
    words = words
    rows = """
    turning over | hands R2, R3, R4; leader = 1
        | flip | Trick 14: Bob leads and turns the U&D card over: UP becomes DOWN.
        | Now it is DOWN (lowest wins), the trump is 7; their colours are ROSE for Ann, FEDER \
          for Bob, MONOKEL for Cy.
    by a quarter | hands R2, R3, R4
        | quarter | Trick 14: Ann leads and rotates the U&D card by a quarter turn.
        | Now it is UP (highest wins), the trump is 7; their colours are HUT for Ann, ROSE \
          for Bob, FEDER for Cy.
    the highest | hands R9, F11, R12; choosing | R9, F11, R12
        | Revealed: Ann ROSE 9 (own colour); Bob FEDER 11 (own colour); Cy ROSE 12 (neither its \
          own colour MONOKEL nor a trump).
        | Bob takes the trick with FEDER 11, the highest that can win; one trick in all.
    the lowest with the pot | hands R9, F11, R12; choosing; face = "DOWN"; pot = 2
        | R9, F11, R12
        | Revealed: Ann ROSE 9 (own colour); Bob FEDER 11 (own colour); Cy ROSE 12 (neither its \
          own colour MONOKEL nor a trump).
        | Ann takes the trick and two tricks from the pot with ROSE 9, the lowest that can win; \
          three tricks in all.
    a trump | hands R12, R7, M9; choosing | R12, R7, M9
        | Revealed: Ann ROSE 12 (own colour); Bob ROSE 7 (a trump); Cy MONOKEL 9 (own colour).
        | Bob takes the trick with ROSE 7, a trump; one trick in all.
    cancelled | hands R12, F12, M9; choosing | R12, F12, M9
        | Revealed: Ann ROSE 12 (cancelled by Bob); Bob FEDER 12 (cancelled by Ann); Cy MONOKEL 9 \
          (own colour).
        | Cy takes the trick with MONOKEL 9, the only card that can win; one trick in all.
    no card | hands R12, F12, R9; choosing; pot = 1 | R12, F12, R9
        | Revealed: Ann ROSE 12 (cancelled by Bob); Bob FEDER 12 (cancelled by Ann); Cy ROSE 9 \
          (neither its own colour MONOKEL nor a trump).
        | No card can win: the trick goes into the pot, which now holds two tricks.
    the score | hands F12, R3; choosing; pot = 1; scores = (3, 5)
        | F12, R3, score | Nobody gets the pot of two tricks.
        | Ann has three tricks. | Bob has five tricks.
    """


@pytest.mark.parametrize(
    ("change", "turn", "colour"),
    [
        ("quarter", "by a quarter turn", "HUT"),
        ("half", "by half a turn", "MONOKEL"),
        ("three", "by three quarter turns", "FEDER"),
    ],
)
def test_rotating(change, turn, colour):
    p = Position("R2", "R3", "R4", "R5")
    move = words.move_in_words(p.s, p.seat, CHANGES[change])
    assert move == f"rotate the card {turn}, for {colour} as own colour"
    lines = p.told(words, ("Ann", "Bob", "Cy", "Dot"), change)
    assert lines[0] == f"Trick 11: Ann leads and rotates the U&D card {turn}."
    assert f"{colour} for Ann" in lines[1]


def test_rolling():
    p = Position("R2", "R3", trump=4)
    line = p.told(words, NAMES, "roll")[0]
    trump = int(p.s.trump)
    assert line == f"Trick 15: Ann leads and rolls the dice: the trump changes from 4 to {trump}."


def test_the_deal():
    p = Position("R2 R3 F4", "H5 H12 M7", round_number=2, leader=1, trump=5)
    lines = list(words.round_in_words(RoundStart(p.s.copy()), NAMES))
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


def test_a_match_that_had_all_its_further_rounds():
    p = Position("F12", "R3", scores=(3, 3), choosing=True).play("F12", "R3")
    before = p.s.copy()
    p.score()
    p.s.aborted = 1
    *_, last = words.score_in_words(RoundEnd(before, State(p.s.copy())), NAMES)
    assert last == "The match is aborted: it had all its further rounds."


@pytest.mark.parametrize(
    ("winners", "aborted", "line"),
    [
        (0b01, 0, "One round is played: Ann wins with seven tricks; Bob has 7."),
        (0b11, 0, "One round is played: Ann and Bob share the win with seven tricks."),
        (0b11, 1, "Ann and Bob share the win with seven tricks."),
    ],
)
def test_the_winners(winners, aborted, line):
    p = Position("R2", "R3", scores=(7, 7))
    p.s.winners, p.s.aborted = winners, aborted
    assert match_in_words(words, p.s, NAMES) == line


def test_the_table_says_whose_own_colour_is_what_and_is_drawn_before_the_first_choice():
    p = Position("R2 H5", "R3 F7").play("flip")
    assert list(words.table_in_words(State(p.s.copy()), NAMES))[1:3] == [
        "│ ▶ Ann  own colour ROSE     hand ROSE 2, HUT 5    (no tricks)",
        "│   Bob  own colour MONOKEL  hand ROSE 3, FEDER 7  (no tricks)",
    ]
    p.play("R2")
    assert not list(words.table_in_words(State(p.s.copy()), NAMES))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_assumed_of_two_players_is_said_of_two_only(players):
    assert any("two players" in text for text in UPDOWN.assumed({players})) == (players == 2)
    assert len(UPDOWN.assumed({2, 4})) == 2


def test_moves_to_choose_from():
    p = Position("R2 H5", "R3 F7")
    assert p.moves_in_words(words) == [
        "turn the card over to DOWN",
        "rotate the card by a quarter turn, for HUT as own colour",
        "rotate the card by half a turn, for MONOKEL as own colour",
        "rotate the card by three quarter turns, for FEDER as own colour",
        "roll the dice for a new trump",
    ]
    assert p.play("flip").moves_in_words(words) == ["choose ROSE 2", "choose HUT 5"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_matches_are_told(players):
    for match in range(3):
        lines = list(replay(cell_of(players, rounds=2), match))
        tricks = 2 * HAND_SIZES[players]
        assert sum(line.startswith("Trick") for line in lines) == tricks
        taken = sum("takes the trick" in line for line in lines)
        assert taken + sum("No card can win" in line for line in lines) == tricks
        assert sum(line.startswith("Round") and "dealt" in line for line in lines) == 2
