"""Policies that loop, cheat, reach too far or fail: told by name, and nothing they do counts."""

from __future__ import annotations

import time

import pytest

from simcore.batch import Cell, play
from simcore.catalogue import get_game
from simcore.compiler.seat_policy import is_foreign
from simcore.errors import InputError, PolicyError
from simcore.jit import IN_PLAIN_PYTHON, is_builtin
from simcore.watchdog import VARIABLE, carry_out, decision_limit
from strategies import load_strategies, parse_lineup, seat_lineup, session
from tests.programs import run_cardlab

HEAD = """from simcore.language import *
from strategies import policy

"""
GOOD = """class State:
    asked = memory(number)

@policy("updown", idea="takes its first legal move")
def own_honest(s, seat, moves):
    return lowest(moves)

@policy("updown", idea="counts its decisions")
def own_counter(s, seat, moves):
    s.asked[seat] += 1
    return nth(moves, (s.asked[seat] + below(s, SEAT(seat), 3)) % len(moves))

@policy("updown", idea="loops at once")
def own_looper(s, seat, moves):
    while s.match_number == 7:
        pass
    return lowest(moves)

@policy("updown", idea="loops later")
def own_late_looper(s, seat, moves):
    while s.match_number == 777:
        pass
    return lowest(moves)

@policy("updown", idea="looks behind the table")
def own_peeper(s, seat, moves):
    return lowest(moves) + s.scores[1000 + seat]

@policy("updown", idea="huge")
def own_huge(s, seat, moves):
    return 1 << 62
"""

GAME = get_game("updown")
OPTIONS = GAME.resolve({})


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("mine") / "mine.py"
    path.write_text(HEAD + GOOD)
    return path


@pytest.fixture
def cell(file):
    policies = load_strategies(file)

    def named(lineup):
        return Cell(GAME, OPTIONS, seat_lineup(parse_lineup(GAME, lineup, policies), 4), 9)

    return named


def rows(cell, threads=1):
    columns = play(cell, 0, 40, threads=threads).columns()
    return {name: column.tolist() for name, column in columns.items()}


def test_memory_and_stream_are_its_own_to_change(cell):
    assert rows(cell("own_counter")) != rows(cell("own_honest"))
    assert rows(cell("own_counter"), threads=2) == rows(cell("own_counter"))


REFUSED = {
    "return lowest(s.hand[1])": "only its own seat sees that",
    "return lowest(s.stock)": "nobody sees that",
    "s.scores[seat] = 100": "who decides changes nothing but its memory",
    "return below(s, DEAL, 3)": "a policy draws from its own stream only: SEAT(seat)",
    "ask(s, seat, 2)": "a policy calls ask",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_a_policy_may_not_is_refused_with_file_and_line(tmp_path, line):
    path = tmp_path / "cheat.py"
    text = f'{HEAD}@policy("updown", idea="x")\ndef own_cheat(s, seat, moves):\n    {line}\n'
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        load_strategies(path)
    number = 1 + text.splitlines().index(f"    {line}")
    assert f"{path}, line {number}, in own_cheat: `{line}`" in str(refused.value)
    assert REFUSED[line] in str(refused.value)
    assert "own_cheat" not in session().of(GAME)


OLD = {
    '@policy("updown", idea="x")\ndef old(table, seat):\n    return 0\n': "def old(table, seat)",
    "from simcore.games.updown.moves import nth_move\n": "No module named",
    "from strategies import spec_policy\n": "cannot import name 'spec_policy'",
}


@pytest.mark.parametrize("text", OLD)
def test_an_earlier_file_is_refused_with_what_to_write_instead(tmp_path, text):
    path = tmp_path / "old.py"
    path.write_text(HEAD + text)
    with pytest.raises(InputError) as refused:
        load_strategies(path)
    for part in (OLD[text], str(path), "def name(s, seat, moves, …)", "in place of seat.params"):
        assert part in str(refused.value)


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("own_peeper", InputError, "line 30, in own_peeper: `return lowest(moves)"),
        ("own_looper", InputError, "turns of loops in one step (match 7, seed 9"),
        ("own_huge", PolicyError, "returned 4611686018427387904, which is no legal move; legal: "),
    ],
)
def test_a_failure_is_told_with_its_cause(cell, name, error, message):
    with pytest.raises(error) as refused:
        play(cell(name), 0, 40, threads=2)
    assert message in str(refused.value)
    # Of the options only those that differ from the usual ones.
    assert name != "own_huge" or "round 1; players=4) returned" in str(refused.value)


@pytest.mark.whole
def test_only_other_peoples_policies_are_tried_and_watched(cell, file):
    assert is_foreign(cell("random,own_honest"))
    assert not is_foreign(cell("random,saver"))
    assert is_foreign(cell("search(rollout=own_honest)"))
    policies = load_strategies(file).of(GAME)
    assert is_builtin(policies["search"].function)
    assert not is_builtin(policies["own_honest"].function)


@pytest.mark.whole
@pytest.mark.skipif(IN_PLAIN_PYTHON, reason="plain Python counts loops")
def test_a_policy_that_loops_later_ends_the_run(file):
    seated = ("--lineup", "own_late_looper", "--strategies", file)
    result = run_cardlab("simulate", "updown", "--matches", 2000, *seated, **{VARIABLE: "1"})
    assert result.returncode == 2, result.stderr
    assert "has not returned a move for 1 s; it may loop for ever" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("text", ["0", "-1", "soon", "nan"])
def test_the_limit_is_a_number_above_zero(monkeypatch, text):
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(InputError, match=f"{VARIABLE} = '{text}' is refused"):
        decision_limit()


def test_a_slow_game_that_goes_on_is_no_loop(monkeypatch):
    class Slow:
        """Each place lasts shorter than the limit, all together longer."""

        place = 0

        def carry_out(self):
            for self.place in range(10):
                time.sleep(0.08)

        def moment(self):
            return bytes([self.place])

        def standing_still(self):
            return "it"

        def failed(self, message):
            return PolicyError(message)

    class Standing(Slow):
        def moment(self):
            return b"here"

    monkeypatch.setenv(VARIABLE, "0.4")
    assert carry_out([Slow()]) == []
    with pytest.raises(PolicyError, match=r"it has not returned a move for 0\.4 s"):
        carry_out([Standing()])
