"""Standard output in other encodings, closed, full, or read by nobody."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.programs import ROOT, environment


def shell(words, **variables):
    """Run `cardlab` by a shell, which does what is asked with its streams."""
    return subprocess.run(
        ["sh", "-c", words.replace("cardlab", f"{sys.executable} -m studies.cli.app")],
        cwd=ROOT,
        capture_output=True,
        check=False,
        env=environment(**variables),
        timeout=PATIENCE,
    )


def test_answers_in_another_encoding():
    run = shell("cardlab games up", PYTHONIOENCODING="latin-1")
    assert (run.returncode, run.stderr) == (0, b"")
    assert "2\\u202610" in run.stdout.decode("latin-1")


def test_refusals_in_another_encoding():
    run = shell("cardlab games ü", PYTHONIOENCODING="ascii")
    assert (run.returncode, run.stdout) == (2, b"")
    assert run.stderr.decode("ascii").count("\n") == 1


def test_closed_output_is_told():
    run = shell("cardlab games >&-")
    assert run.returncode == 2
    assert run.stderr.decode().startswith("cardlab: standard output is closed")
    assert run.stderr.count(b"\n") == 1


def test_closed_error_stream_costs_words_only():
    run = shell("cardlab nothing 2>&-")
    assert (run.returncode, run.stdout, run.stderr) == (2, b"", b"")
    assert shell("cardlab games 2>&- <&-").returncode == 0


def test_full_disk_behind_standard_output_is_told():
    if not Path("/dev/full").exists():
        pytest.skip("no full device here")
    run = shell("cardlab games >/dev/full")
    assert run.returncode == 1
    assert run.stderr == b"cardlab: standard output cannot be written: No space left on device\n"


def test_pipe_that_is_closed_is_no_failure_to_tell():
    run = shell("cardlab games up | head -1")
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.count(b"\n") == 1


def test_json_is_readable_in_any_encoding(cardlab):
    run = shell("cardlab games upordown --json", PYTHONIOENCODING="ascii")
    usual = cardlab("games", "upordown", "--json")
    assert json.loads(run.stdout.decode("ascii")) == usual.json
    assert "×" in usual.out  # \xd7, as Python escapes it, is no JSON
