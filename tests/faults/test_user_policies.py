"""Policies that loop, cheat, reach too far or fail: told by name, and nothing they do counts."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from simcore.batch import Cell, play
from simcore.errors import InputError, PolicyError
from simcore.game import get_game
from simcore.guard import is_foreign
from simcore.jit import JIT_DISABLED, is_own
from simcore.limit import VARIABLE, carry_out, decision_limit
from simcore.replay import steps
from strategies import load_strategies, parse_lineup, seat_lineup
from strategies.registry import forget
from tests.patience import PATIENCE
from tests.studies.conftest import ROOT

TEXT = """
import numpy as np
from simcore.games.updown.moves import nth_move
from simcore import rng
from strategies import policy

@policy("updown", idea="takes its first legal move")
def own_honest(table, seat):
    return nth_move(table, seat, 0)

@policy("updown", idea="writes whatever it is given, then does the same")
def own_scribbler(table, seat):
    move = nth_move(table, seat, 0)
    table.phase = 0
    for i in range(len(table.scores)):
        table.scores[i] = 1000 * (i == seat.index)
    seat.move_count = 1
    seat.params[0] = 7.0
    seat.index = 0
    for i in range(len(seat.moves)):
        seat.moves[i] = 0
    return move

@policy("updown", idea="remembers in its parameters")
def own_swapper(table, seat):
    seat.params[1] += 1.0
    return nth_move(table, seat, np.int64(seat.params[1]) % seat.move_count)

@policy("updown", idea="draws for ever in match 7")
def own_looper(table, seat):
    while table.match_number == 7:
        rng.next_word(seat.rng)
    return nth_move(table, seat, 0)

@policy("updown", idea="counts its decisions")
def own_counter(table, seat):
    seat.memory[3] += 1
    return nth_move(table, seat, (seat.memory[3] + rng.next_word(seat.rng) % 3) % seat.move_count)

@policy("updown", idea="looks behind the table")
def own_peeper(table, seat):
    return nth_move(table, seat, table.scores[1000 + seat.index] & 1)

@policy("updown", idea="writes behind the table")
def own_poker(table, seat):
    table.scores[1000 + seat.index] = 1
    return nth_move(table, seat, 0)

@policy("updown", idea="has had enough")
def own_quitter(table, seat):
    if table.match_number == 5:
        raise ValueError("enough")
    return nth_move(table, seat, 0)

@policy("updown", idea="no number")
def own_nan(table, seat):
    return np.int64(np.sqrt(-1.0 - seat.index))

@policy("updown", idea="huge")
def own_huge(table, seat):
    return 2**62
"""

GAME = get_game("updown")
OPTIONS = GAME.resolve({})


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("mine") / "mine.py"
    path.write_text(TEXT)
    policies = load_strategies(path)
    yield path
    forget(policies)


@pytest.fixture
def cell(file):
    assert file.exists()

    def named(lineup):
        return Cell(GAME, OPTIONS, seat_lineup(parse_lineup(GAME, lineup), 4), 9)

    return named


def rows(cell, threads=1):
    columns = play(cell, 0, 40, threads=threads).columns()
    return {name: column.tolist() for name, column in columns.items()}


def test_what_a_policy_writes_into_the_table_is_an_error(cell):
    for lineup in ("own_scribbler", "random,own_scribbler"):
        with pytest.raises(PolicyError, match=r"'own_scribbler' of updown \(.*changed the TABLE"):
            rows(cell(lineup))


@pytest.mark.skipif(JIT_DISABLED, reason="plain Python plays with guards throughout")
def test_what_a_policy_writes_into_its_seat_is_an_error(cell):
    with pytest.raises(PolicyError, match="'own_swapper' of updown plays other matches on copies"):
        rows(cell("random,own_swapper"))


def test_memory_and_stream_are_its_own_to_change(cell):
    assert rows(cell("own_counter")) != rows(cell("own_honest"))
    assert rows(cell("own_counter"), threads=2) == rows(cell("own_counter"))
    replayed = [step.move for step in steps(cell("own_counter"), 3)]
    assert replayed == [step.move for step in steps(cell("own_counter"), 3)]


@pytest.mark.skipif(JIT_DISABLED, reason="NumPy checks bounds itself")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("own_peeper", "(IndexError: index is out of bounds)"),
        ("own_poker", "(IndexError: index is out of bounds)"),
        ("own_quitter", "match 5, seed 9, seat"),
        ("own_quitter", "(ValueError: enough)"),
        ("own_nan", "instead of returning a move, or returned NaN"),
        ("own_huge", "returned 4611686018427387904, which is no legal move"),
    ],
)
def test_a_failure_is_told_with_its_cause(cell, name, said):
    with pytest.raises(PolicyError) as refused:
        play(cell(f"random,{name}"), 0, 40, threads=2)
    assert f"policy '{name}' of updown (match " in str(refused.value)
    assert said in str(refused.value)


def test_only_other_peoples_policies_are_guarded_and_watched(cell):
    from simcore.batch import may_loop
    from strategies import registered

    assert may_loop(cell("random,own_honest"))
    assert not may_loop(cell("random,saver"))
    if not JIT_DISABLED:
        assert may_loop(cell("search(rollout=own_honest)"))
        assert not is_foreign(0)
    assert is_own(registered("updown")["search"].function)
    assert not is_own(registered("updown")["own_honest"].function)


@pytest.mark.skipif(JIT_DISABLED, reason="a daemon thread of Python would go on")
def test_a_policy_that_loops_ends_the_run_and_loses_nothing(file, tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(
        'game = "updown"\nmatches = 12\nblock = 2\n'
        '[[lineups]]\nname = "a"\nseats = ["own_looper"]\n'
        '[[lineups]]\nname = "b"\nseats = ["own_honest"]\n'
    )
    found = subprocess.run(
        [sys.executable, "-m", "studies.cli.app", "run", path, "--strategies", file, "--out",
         tmp_path / "out", "--threads", "2"],
        cwd=ROOT, env=environment(**{VARIABLE: "1"}), capture_output=True, text=True, check=False,
        timeout=PATIENCE,
    )  # fmt: skip
    assert found.returncode == 2, found.stderr
    assert "policy 'own_looper' of updown (match 7, seed 1, seat " in found.stderr
    assert "has not returned a move for 1 s" in found.stderr
    assert "Traceback" not in found.stderr
    kept = {one.name for one in (tmp_path / "out").glob("matches/*/*")}
    assert "0000000000004-2.parquet" in kept
    assert not list((tmp_path / "out").rglob("*.tmp"))


@pytest.mark.skipif(JIT_DISABLED, reason="a daemon thread of Python would go on")
def test_one_decision_of_a_replay_is_limited_too(file):
    found = subprocess.run(
        [sys.executable, "-m", "studies.cli.app", "play", "updown", "--match", "7", "--lineup",
         "own_looper", "--strategies", file],
        cwd=ROOT, env=environment(**{VARIABLE: "0.5"}), capture_output=True, text=True, check=False,
        timeout=PATIENCE,
    )  # fmt: skip
    assert found.returncode == 2
    assert "has not returned a move for 0.5 s" in found.stderr


def environment(**changes):
    return {**os.environ, **changes}


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
