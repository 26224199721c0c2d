"""Games in a file: shipped ones, what policies may read, and what is told of a mistake."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simcore.batch import Cell, play
from simcore.compiler.program import Refused
from simcore.errors import InputError
from simcore.game import get_game
from simcore.replay import replay
from strategies import parse_strategy, policies

GAMES = Path(__file__).resolve().parents[2] / "docs" / "games"
EIGHTS = (GAMES / "eights.py").read_text()


def cell_of(file: Path, lineup: list[str], **options: object) -> Cell:
    game = get_game(str(file))
    resolved = game.resolve(options)
    players = int(resolved["players"])  # type: ignore[call-overload]
    policies(game)
    seats = tuple(parse_strategy(game, lineup[seat % len(lineup)]) for seat in range(players))
    return Cell(game, resolved, seats, seed=1)


def with_policy(folder: Path, text: str) -> Path:
    file = folder / "mine.py"
    file.write_text(f"{EIGHTS}\n\n@policy\ndef mine(s, seat, moves):\n    {text}\n")
    return file


def test_a_round_of_hearts_has_26_points_or_three_times_as_many():
    block = play(cell_of(GAMES / "hearts.py", ["ducker", "random"], target=1), 0, 500)
    assert set(block.scores.sum(axis=0).tolist()) <= {26, 78}
    assert not block.aborted.any()


def test_moves_are_told_by_the_names_that_apply_gives_them():
    gin = list(replay(cell_of(GAMES / "gin.py", ["quick"]), 0))
    assert any(re.search(r"discard [\dAJQK]+[♣♦♥♠]; top ", line) for line in gin)
    assert any("source 0" in line for line in gin)
    farkle = list(replay(cell_of(GAMES / "farkle.py", ["careful"], target=1000), 0))
    assert farkle[0] == "Round 1."
    assert any(re.search(r"roll: yes; die [\d ]+", line) for line in farkle)


def test_a_match_without_end_is_told_not_waited_for(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("simcore.compiler.plain.MOST_STEPS", 2000)
    file = tmp_path / "endless.py"
    file.write_text(f"{EIGHTS}\n\ndef match_over(s):\n    return s.scores[0] > 0\n")
    with pytest.raises(InputError, match=r"a match does not end: 2,000 decisions in .*match_over"):
        play(cell_of(file, ["random"]), 0, 30)


def test_eights_is_told_in_words():
    told = list(replay(cell_of(GAMES / "eights.py", ["saver", "random"]), 3, why=True))
    assert told[0] == "Round 1: the cards are dealt."
    assert "with" in told[-1]


def test_a_saver_of_dear_cards_beats_random_play():
    block = play(cell_of(GAMES / "eights.py", ["random", "saver"]), 0, 4000)
    wins = [(block.winners >> seat & 1).mean() for seat in range(4)]
    assert wins[1] + wins[3] > wins[0] + wins[2] + 0.04


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("s.top = 3\n    return lowest(moves)", "who decides changes nothing"),
        ("return nth(moves, below(s, DEAL, len(moves)))", "its own stream only"),
        ("draw_one(s, seat)\n    return lowest(moves)", "holds cards|draw"),
    ],
)
def test_a_policy_sees_what_its_seat_sees(tmp_path: Path, text: str, told: str):
    with pytest.raises(Refused, match=told) as refused:
        cell_of(with_policy(tmp_path, text), ["mine"])
    assert "mine.py, line " in str(refused.value)


def test_a_policy_may_count_what_it_does_not_see(tmp_path: Path):
    file = with_policy(tmp_path, "return highest(moves) if len(s.stock) > 9 else lowest(moves)")
    assert len(play(cell_of(file, ["mine"]), 0, 30)) == 30


def test_the_move_itself_is_a_decision_with_a_name(tmp_path: Path):
    file = with_policy(tmp_path, "return lowest(moves) if s.phase == MOVE else highest(moves)")
    assert len(play(cell_of(file, ["mine"]), 0, 30)) == 30


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("return after(seat, s.step)", "return 9", "in next_seat: .* seat 9 of 4 is asked"),
        (
            "def legal(s, seat):",
            "def legal_(s, seat):",
            "calls `legal_`.*did you mean `legal`",
        ),
        ("def score(s):", "def scores(s):", "nothing calls `scores`.*did you mean `score`"),
        ("deck = french_deck()", "", "the game has no deck; write deck = french_deck()"),
        ("players = 2, 7", "players = 7, 2", "players = \\(7, 2\\) is refused"),
        ("players = 2, 7", "players = 2, 11", "allowed: a number from 1 to 10"),
        ("players = 2, 7", 'players = "2"', "the fewest and the most, as in players = 2, 4"),
        ("players = 2, 7", "players = 2, 7\nturn_cap = 0", "allowed: a whole number from 1"),
    ],
)
def test_a_mistake_in_the_rules_is_told_by_file_and_line(tmp_path: Path, old, new, told):
    file = tmp_path / "wrong.py"
    assert old in EIGHTS
    file.write_text(EIGHTS.replace(old, new))
    with pytest.raises(InputError, match=told) as refused:
        play(cell_of(file, ["random"], draws=52), 0, 30)
    assert "wrong.py" in str(refused.value)


def test_a_changed_file_is_another_game(tmp_path: Path):
    file = tmp_path / "mine.py"
    file.write_text(EIGHTS)
    first = get_game(str(file))
    file.write_text(EIGHTS.replace("50", "40"))
    second = get_game(str(file))
    assert first.files({}) != second.files({})


def test_no_such_file():
    with pytest.raises(InputError, match="there is no such file"):
        get_game("nowhere.py")
