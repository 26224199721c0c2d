"""Ctrl-C in the moments that no timing hits: inside `exec`, in imports, at the end.

A program of `python -m` runs `main` with a command of the test's, which interrupts itself.
"""

from __future__ import annotations

import tomllib

import pytest

from tests.programs import ROOT, run_python

PROBE = """
import atexit, os, signal
{first}
from studies.cli import app

def interrupt():
    os.kill(os.getpid(), signal.SIGINT)

def command(*_, **__):
{body}

app.build_app = lambda: command
app.main()
"""


def ends(tmp_path, *lines, first=""):
    """Return status and stderr of a program whose command has these lines."""
    body = "\n".join(f"    {line}" for line in lines)
    (tmp_path / "probe.py").write_text(PROBE.format(body=body, first=first))
    run = run_python("-m", "probe", folder=tmp_path)
    return run.returncode, run.stderr


@pytest.mark.parametrize(
    "lines",
    [
        ("interrupt()",),
        # CPython takes it for unhandled and would kill the process, though it is caught.
        ("exec('interrupt()')",),
        # As modules written in C do when an import of theirs fails.
        ("try: interrupt()", "except KeyboardInterrupt: raise ImportError('numpy')"),
        # After the command, before the status is known.
        ("app.compiling.watch = lambda _: interrupt()",),
    ],
)
def test_interruption_ends_with_its_status_in_silence(tmp_path, lines):
    assert ends(tmp_path, *lines) == (130, "")


START = """
import os, signal, sys

class Finder:
    def find_spec(name, *rest):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder)
from studies.cli.start import main
main()
"""


@pytest.mark.parametrize(
    "name", ["typer", "studies.cli.app", "studies.cli.commands", "simcore.game"]
)
def test_interruption_while_commands_are_imported(tmp_path, name):
    run = run_python("-c", START.format(name=name), "games", folder=tmp_path)
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "")


def test_the_program_begins_there():
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert scripts == {"cardlab": "studies.cli.start:main"}


def test_after_all_is_done_nothing_is_said(tmp_path):
    assert ends(tmp_path, "atexit.register(interrupt)") == (0, "")


def test_interruptions_that_are_ignored_stay_so(tmp_path):
    assert ends(tmp_path, "interrupt()", first="signal.signal(signal.SIGINT, signal.SIG_IGN)") == (
        0,
        "",
    )
