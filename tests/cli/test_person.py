"""A person at the table: whole matches through a pipe, wrong input, help, the way back."""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys

import pytest

import cardlab
from simcore.catalogue import get_game
from simcore.errors import InputError
from simcore.game import game_names
from simcore.match import Match
from studies.operations.arguments import make_cell
from studies.operations.person import WIDTH, Sitting, seat_person
from tests.cases import Cases
from tests.patience import PATIENCE
from tests.programs import CARDLAB, ROOT, environment

KITTENS = "docs/games/kittens.py"
SHORT = Cases(
    "tests/cli/test_person.py: SHORT",
    "a policy, and rules of a short match, with a person at the table",
    {
        "up": ("greedy", {"rounds": 1}),
        "updown": ("eager", {"hand_cards": 4}),
        "uno": ("dumper", {"rounds": 1}),
        "dnup": ("greedy", {"markers_to_win": 1}),
        "upordown": ("appender", {"highest_card": 24}),
    },
)
PROMPT = re.compile(r"^Your move, 1 to (\d+) or its words \(\? hint undo help q\): ", re.MULTILINE)


def short(game):
    return SHORT.get(game, ("careful", {}))


class Typist:
    """Answers prompts in turn; when it has nothing more to say, with random numbers."""

    def __init__(self, *answers, most=10**6):
        self.answers, self.most, self.asked = list(answers), most, 0
        self.chance = random.Random(7)  # noqa: S311

    def __call__(self, prompt):
        self.asked += 1
        if self.answers:
            return self.answers.pop(0)
        if self.asked > self.most:
            return None
        return str(self.chance.randint(1, int(PROMPT.match(prompt)[1])))


def sit(game, *answers, most=10**6, **given):
    """Return the lines that a person reads."""
    policy, options = short(game)
    lineup = f"you,{policy},random"
    lines = []
    cardlab.play(
        game,
        players=3,
        options=options,
        lineup=lineup,
        ask=Typist(*answers, most=most),
        write=lambda _cell, line: lines.append(line),
        **given,
    )
    return lines


def through_a_pipe(*words, typed):
    return subprocess.run(
        [sys.executable, *CARDLAB, "play", *map(str, words)],
        cwd=ROOT,
        env=environment(),
        input=typed,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("game", [*game_names(), KITTENS])
def test_a_whole_match_is_played_in_80_columns(game):
    lines = sit(game)
    assert re.search(" wins? | share ", " ".join(lines[-3:]))
    assert max(map(len, lines)) <= WIDTH
    assert any(line.startswith("┌─ ") for line in lines)
    assert not any("Traceback" in line for line in lines)


@pytest.mark.whole_but("updown")
@pytest.mark.parametrize("game", ["updown", KITTENS])
def test_a_whole_match_is_played_through_a_pipe(game):
    policy, options = short(game)
    rules = [word for name, value in options.items() for word in ("--rule", f"{name}={value}")]
    words = (game, "--players", 3, "--lineup", f"you,{policy}", *rules)
    done = through_a_pipe(*words, typed=b"1\n" * 400)
    text = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert re.search(r" (wins|share the win) with [^:]*\.\n\Z", text)
    assert PROMPT.search(text)
    assert "\x1b" not in text


def test_the_match_is_that_of_the_same_choices():
    """What a person chooses, policies would have chosen, leaves the same row."""
    for game in ("updown", "upordown"):
        policy, options = SHORT[game]
        lineup = f"{policy},{policy},random"
        cell = make_cell(get_game(game), {"players": 3, **options}, lineup, seed=4)
        sitting = Sitting(seat_person(cell, 0), 2, lambda _prompt: "1")
        list(sitting.lines())

        match = Match(cell, 2)
        usual = match._chosen

        def first(moves, s, match=match, usual=usual):
            return moves[0] if s.seat == 0 else usual(moves, s)

        match._chosen = first
        list(match)
        assert sitting.match.row() == match.row()


WRONG = {
    "nothing": "",
    "blanks": "   ",
    "a tab": "\t",
    "zero": "0",
    "too many": "99",
    "a huge number": "9" * 400,
    "negative": "-1",
    "with a sign": "+1",
    "a fraction": "1.5",
    "two numbers": "1 2",
    "with a comma": "1,",
    "other digits": "١",
    "a superscript": "²",
    "a word": "xyzzy",
    "an option": "--help",
    "what several moves are": "choose",
    "a control character": "\x07",
    "a null": "\x00",
    "an escape": "\x1b[31m",
    "an emoji": "🂡",
    "a long line": "abc " * 5000,
    "code": "__import__('os')",
    "a format": "{0} %s",
    "half a surrogate": "\udcff",
    "unknown advice": "hint nobody",
    "an unknown move to explain": "? 77",
}


@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG)
def test_wrong_input_is_one_refusal_and_changes_nothing(answer):
    lines = sit("updown", answer, "q", seed=3)
    begun = sit("updown", "q", seed=3)
    told = lines[len(begun) - 1 : -1]
    assert lines[: len(begun) - 1] == begun[:-1]
    text = " ".join(line.strip() for line in told)
    assert "allowed: " in text or "unknown policy 'nobody'" in text
    assert 1 <= len(told) <= 8
    assert text.isprintable()


def test_many_moves_are_listed_in_few_lines():
    lines = []
    game = "tests/own/games/auction.py"
    cardlab.play(game, you=0, ask=Typist(most=1), write=lambda _cell, line: lines.append(line))
    listed = " ".join(line.strip() for line in lines if re.match(r"    ", line))
    assert re.search(r"\b1 bid 0; 2 bid 1; 3 bid 2;", listed)
    assert len(lines) < 40
    assert max(map(len, lines)) <= WIDTH


def test_moves_are_named_by_their_words_too():
    begun = sit("updown", "q", seed=3)
    named = next(line.split(maxsplit=1)[1] for line in begun if re.match(r" +2  choose", line))
    for answer in (named, named.upper(), f"  {named}  ", named.removeprefix("choose ")):
        lines = sit("updown", answer, "q", seed=3)
        card = named.removeprefix("choose ")
        assert any(line.strip() == f"seat 0 (you) chooses {card}." for line in lines)


def test_a_word_that_is_nearly_a_move_is_asked_about():
    text = " ".join(sit(KITTENS, "drow", "hnt", "q"))
    assert "'drow' is no move (did you mean 'draw'?); allowed" in text
    assert "'hnt' is no move (did you mean 'hint'?)" in text


def test_cards_of_one_kind_are_one_move():
    for seed in range(1, 30):
        lines = sit(KITTENS, "q", seed=seed)
        held = next(line for line in lines if line.startswith("seat 0 (you) has"))
        if re.search(r"2 (skip|attack|future|shuffle)", held):
            break
    moves = [line.split(maxsplit=1)[1] for line in lines if re.match(r" +\d+  ", line)]
    assert len(moves) == len(set(moves))


def test_the_table_is_drawn_once_in_a_turn():
    lines = sit("upordown", "1", "1", "q")
    assert sum(line.startswith("┌─ ") for line in lines) == 1
    assert len([line for line in lines if re.match(r"   1  ", line)]) == 3


def test_what_is_not_utf_8_is_no_move_and_the_end_of_the_input_leaves():
    typed = b"\xff\xfe\n\xc3(\n1\n"
    done = through_a_pipe("up", "--players", 2, "--lineup", "you,greedy", typed=typed)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"allowed: ") == 2
    assert done.stdout.decode().endswith("You leave the table; match 0 is not over.\n")


def test_help_names_all_commands():
    lines = sit("updown", "help", "q")
    for command in ("?", "hint", "undo", "table", "q"):
        assert any(line.strip().startswith(f"{command}  ") for line in lines)
    assert lines[-1] == "You leave the table; match 0 is not over."


class TestMeanings:
    def test_of_every_move_with_the_clause_of_its_mark(self):
        text = "\n".join(sit("upordown", "?", "q"))
        assert re.search(r"\n   1  lay \w+ \d+ \[R6\]\n", text)
        assert re.search(r"\n\[R6\] \w+", text)

    def test_of_one_move(self):
        lines = sit("upordown", "? 2", "2?", "q")
        assert sum(bool(re.match(r"   2  lay .*\[R6\]$", line)) for line in lines) == 2

    def test_of_a_file_without_marks(self):
        text = " ".join(sit(KITTENS, "?", "q"))
        assert "Kittens: draw no bomb; a defused bomb goes back in secret; the last one" in text


class TestHint:
    def test_says_what_a_policy_would_do_and_why(self):
        text = " ".join(" ".join(sit("up", "hint", "hint guard", "q", seed=5)).split())
        assert re.search(r"greedy would (lay|lead) [^.]*\. Why: \w+", text)
        assert re.search(r"guard would (lay|lead) [^.]*\. Why: \w+", text)

    def test_is_a_legal_move_and_changes_nothing(self):
        with_hints, without = (
            sit("uno", *answers, most=30, seed=2)
            for answers in (("hint", "hint", "1", "hint", "1"), ("1", "1"))
        )
        told = [line for line in with_hints if " would " not in line and line[:1] != " "]
        assert told[:40] == [line for line in without if line[:1] != " "][:40]

    def test_of_a_policy_that_remembers(self):
        lines = sit("upordown", "hint planner", "1", "1", "1", "q")
        assert any(line.startswith("planner would lay ") for line in lines)


class TestUndo:
    def test_takes_the_last_decision_back(self):
        lines = sit("upordown", "table", "2", "undo", "table", "2", "undo", "1", "q")
        assert lines.count("Taken back.") == 2
        tables = [at for at, line in enumerate(lines) if line.startswith("┌─ ")]
        first, second, third = (lines[at : at + 5] for at in tables)
        assert first == second == third

    def test_not_once_somebody_else_has_moved_or_at_the_start(self):
        lines = sit("uno", "undo", "1", "undo", "q")
        refused = [line for line in lines if line.startswith("It cannot be undone: ")]
        assert len(refused) == 2
        assert refused[1].endswith("has moved since.")

    def test_not_once_a_card_was_drawn(self):
        draw = next(
            seed
            for seed in range(1, 60)
            if any(
                " draws " in line and "(you)" in line
                for line in sit(KITTENS, "draw", "q", seed=seed)
            )
        )
        lines = sit(KITTENS, "draw", "undo", "q", seed=draw)
        assert any(line.startswith("It cannot be undone: ") for line in lines)

    def test_not_once_a_card_was_seen_in_the_same_turn(self):
        for seed in range(1, 60):
            lines = sit(KITTENS, "play future", "undo", "q", seed=seed)
            if any("(you): play future; sees " in line for line in lines):
                break
        (refused,) = (line for line in lines if line.startswith("It cannot be undone: "))
        assert refused.endswith("you have seen a card since.")


class TestTheTable:
    @pytest.mark.parametrize(
        ("lineup", "why"),
        [
            ("you,you", "seats 'you' more than once; allowed: one person at the table"),
            ("you,greedy,greedy,greedy", "line-up of 4 strategies is refused"),
            ("you,gredy", "did you mean 'greedy'"),
            ("yuo,greedy", "unknown policy 'yuo'"),
        ],
    )
    def test_line_ups_are_checked(self, lineup, why):
        with pytest.raises(InputError, match=re.escape(why)):
            cardlab.play("up", players=3, lineup=lineup, ask=Typist(most=0))

    def test_in_python_a_seat_is_a_number(self):
        read = cardlab.play("up", players=3, lineup="greedy,guard", you=1, ask=Typist(most=0))
        assert any("seat 1 (you)" in line for line in read)
        assert (
            " ".join(str(read).split()).split(". ")[0].endswith("greedy, seat 1 you, seat 2 greedy")
        )
        with pytest.raises(InputError, match=r"^you 3 is refused"):
            cardlab.play("up", players=3, you=3, ask=Typist(most=0))

    def test_the_others_of_a_line_up_are_repeated(self):
        text = str(cardlab.play("up", players=4, lineup="you,greedy", ask=Typist(most=0)))
        seated = "seat 0 you, seat 1 greedy, seat 2 greedy, seat 3 greedy."
        assert " ".join(text.split()).partition("): ")[2].startswith(seated)

    def test_what_would_show_the_cards_of_others_is_refused(self, refused):
        for option in (["--why"], ["--step"], ["--show", "table"]):
            assert "with a person at the table" in refused("play", "up", "--lineup", "you", *option)


class TestStep:
    def test_shows_the_table_after_each_move(self):
        asked = []

        def ask(prompt):
            asked.append(prompt)
            return "" if len(asked) < 6 else "q"

        lines = cardlab.play("updown", step=True, ask=ask, write=lambda *_: None).lines
        assert len(asked) == 6
        assert lines[-1] == "Match 0 goes on without you."
        assert sum(line.startswith("┌─ ") for line in lines) == 6

    def test_the_end_of_the_input_leaves(self, cardlab, monkeypatch):
        monkeypatch.setattr("sys.stdin", io.StringIO("\n\n"))
        done = cardlab("play", "updown", "--step")
        assert done.status == 0
        assert done.out.count("Enter for the next move") == 3
