"""What is compiled is said each time, and that it goes on; `warmup` compiles ahead."""

from __future__ import annotations

import contextlib
import io
import re
import signal
import sys
import time
import tomllib

import pytest

import cardlab
from simcore import batch, compiling
from simcore.compiler import machine
from simcore.jit import IN_PLAIN_PYTHON
from studies.design.study import LIBRARY
from studies.run.progress import CompileLine, ProgressLine
from tests.patience import PATIENCE
from tests.programs import ROOT, run_python

compiled_only = pytest.mark.skipif(IN_PLAIN_PYTHON, reason="nothing is compiled")


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self):
        return True


@pytest.fixture
def screen(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    return Screen()


def compiled(line, title, seconds):
    line.begin(f"compiling {title}")
    time.sleep(seconds)
    line.end()


def test_elsewhere_than_on_a_terminal_each_kind_is_told_once(capsys):
    line = CompileLine(moment=0.05)
    for what in ("UNO: policies", "UNO: policies", "Up: policies"):
        compiled(line, what, 0.2)
    assert capsys.readouterr().err == (
        "cardlab: compiling UNO: policies …\ncardlab: compiling Up: policies …\n"
    )


def test_what_takes_a_moment_is_told_once_many_have_taken_long(capsys):
    line = CompileLine(moment=0.5)
    compiled(line, "UNO: policies", 0.01)
    assert capsys.readouterr().err == ""
    for _ in range(20):
        compiled(line, "UNO: policies", 0.05)
    assert capsys.readouterr().err == "cardlab: compiling UNO: policies …\n"


def test_on_a_terminal_the_seconds_go_on_and_the_line_goes_away(screen):
    def shown():
        return re.findall(r"compiling UNO: policies \S*?(\d:\d\d:\d\d)", screen.getvalue())

    line, begun = CompileLine(moment=0.02), time.monotonic()
    with contextlib.redirect_stderr(screen):
        line.begin("compiling UNO: policies")
        while len(set(shown())) < 2 and time.monotonic() < begun + PATIENCE:
            time.sleep(0.1)
        line.end()
    assert shown()[0] < shown()[-1]
    assert "\x1b[2K" in screen.getvalue().rpartition("policies")[2]  # the line is cleared


def test_the_clock_of_a_run_stands_still_meanwhile(screen):
    with contextlib.redirect_stderr(screen), ProgressLine() as progress:
        progress.begin(1000, cells=1)
        compiled(CompileLine(moment=0.02), "UNO: policies", 0.6)
        progress.advance(500, cells_done=0)
        assert progress._speed() > 500 / 0.3
    assert "compiling UNO" in screen.getvalue()
    assert ProgressLine.shown is None


@compiled_only
def test_the_compiler_tells_what_it_begins_and_ends():
    events = []

    class Watcher:
        def begin(self, what):
            events.append(what)

        def end(self):
            events.append("end")

    before = compiling.functions_compiled()
    compiling.watch(Watcher())
    try:
        with compiling.compilation("one"):
            pass
        with compiling.compilation("two"), compiling.compilation("three"):  # at once
            pass
    finally:
        compiling.watch(None)
    # Of several at once the last that began is shown.
    told = "compiling one", "end", "compiling two", "end", "compiling three", "end"
    assert events == list(told)
    assert compiling.functions_compiled() == before + 3


COUNTED = """
import sys
from studies.cli.app import run_app
status = run_app(sys.argv[1:])
from simcore.compiling import functions_compiled
print("compiled", functions_compiled(), file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.whole
@compiled_only
def test_after_warmup_the_studies_of_a_game_compile_nothing(tmp_path):
    game = "updown"

    def run(*arguments):
        process = run_python("-c", COUNTED, *arguments, folder=tmp_path)
        assert process.returncode == 0, process.stderr
        return process.stdout, int(process.stderr.split()[-1])

    run("warmup", game)
    output, count = run("warmup", game)
    assert (output, count) == ("UP & DOWN: already compiled\n", 0)
    names = [
        path.stem
        for path in LIBRARY.glob("*.toml")
        if tomllib.loads(path.read_text())["game"] == game
    ]
    assert len(names) > 2
    for name in sorted(names):
        _, count = run("run", name, "--matches", "2", "--set", "block=2", "--threads", "1")
        assert (name, count) == (name, 0)
    assert run("play", game, "--lineup", "all_rounder,random")[1] == 0


def test_compiling_is_no_part_of_the_speed(monkeypatch, capsys):
    """However short each function takes: what is to go is reckoned from matches alone."""
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with ProgressLine() as line:
        line.begin(1_000, cells=1)
        compiling = CompileLine(moment=60)
        for _ in range(10):
            compiling.begin("compiling a policy")
            now[0] += 30.0
            compiling.end()
        now[0] += 6.0
        line.advance(600, 0)
    assert "60%: 600 of 1,000 matches, 100 a second, 4.0 s to go" in capsys.readouterr().err


@compiled_only
def test_trying_a_game_in_python_is_no_part_of_the_speed(monkeypatch, tmp_path):
    usual, first = batch._in_plain, []

    def slowly(cell, rotation, first_match, count, **named):
        first.append(first_match)
        time.sleep(1.5)
        return usual(cell, rotation, first_match, count, **named)

    monkeypatch.setattr(batch, "_in_plain", slowly)
    monkeypatch.setattr(batch, "_tried", set())
    game = str(ROOT / "docs" / "games" / "eights.py")
    study = {
        "title": "T",
        "game": game,
        "matches": 100,
        "lineups": [{"name": "one", "seats": ["random"]}],
    }
    results = cardlab.run(study, tmp_path / "out", threads=2)
    assert first == [0]  # once, before anything else
    assert results.outcome.trial_seconds >= 1.5
    assert results.outcome.seconds < 1.5
    assert "trying users' code as ordinary Python " in " ".join(results.end())
    # Fewer matches than are tried would not count as a trial.
    monkeypatch.setattr(batch, "_tried", set())
    results = cardlab.run({**study, "matches": 5}, tmp_path / "few", threads=1)
    assert results.outcome.trial_seconds < 1


def test_modules_are_kept_in_the_cache_where_none_may_be_written_beside_them(tmp_path):
    """As in a container that sets PYTHONDONTWRITEBYTECODE."""
    program = """
import sys
from pathlib import Path
import studies.cli.start as start
start.cache_from_source = lambda _: sys.argv[1]
start._keep_bytecode()
import simcore.options
print(any(Path(sys.argv[2]).rglob("options.*.pyc")))
"""
    for beside, kept in ((tmp_path / "none", "True"), (tmp_path, "False")):
        cache = tmp_path / f"cache{kept}"
        given = {"PYTHONDONTWRITEBYTECODE": "1", "CARDLAB_CACHE": str(cache)}
        run = run_python("-c", program, beside, cache, **given)
        assert (run.stdout, run.stderr) == (f"{kept}\n", "")


@compiled_only
def test_a_process_that_compiles_begins_before_long_imports_and_its_time_is_accounted_for(tmp_path):
    """Where nothing is kept it is started at once; it is waited for at the end."""
    program = """
import atexit, resource, sys
atexit.register(lambda: print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime > 0.3))
from simcore.compiler import machine
start = machine._Compiler.__init__
def told(compiler):
    print("numpy" in sys.modules)
    start(compiler)
machine._Compiler.__init__ = told
import cardlab
cardlab.simulate("updown", matches=10)
"""
    run = run_python("-c", program, CARDLAB_CACHE=str(tmp_path / "cache"))
    assert run.stdout == "False\nTrue\n", run.stderr


@compiled_only
def test_a_process_that_had_nothing_to_compile_is_not_waited_for():
    compiler = machine._Compiler()
    compiler.end()
    assert compiler.process.returncode == -signal.SIGKILL
    assert compiler.process.stdout.closed


@compiled_only
def test_a_process_that_compiles_does_without_what_numba_imports_for_matrices():
    refreshed = (
        "cpu_target; cpu_target.target_context.refresh(); print('scipy.linalg' in sys.modules)"
    )
    program = machine._START.format(sys.path).replace("serve; serve()", refreshed)
    run = run_python("-c", program)
    assert run.stdout == "False\n", run.stderr
