"""Standard output in other encodings, closed, full, or read by nobody."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT


def shell(words, **environment):
    """Run `cardlab` by a shell, which does what is asked with its streams."""
    return subprocess.run(
        ["sh", "-c", words.replace("cardlab", f"{sys.executable} -m studies.cli.app")],
        cwd=ROOT,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
        timeout=120,
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_answers_in_other_encodings(encoding):
    found = shell("cardlab games up", PYTHONIOENCODING=encoding)
    assert (found.returncode, found.stderr) == (0, b"")
    text = found.stdout.decode(encoding)
    assert "2…10" in text or "2\\u202610" in text


def test_refusals_in_another_encoding():
    found = shell("cardlab games ü", PYTHONIOENCODING="ascii")
    assert (found.returncode, found.stdout) == (2, b"")
    assert found.stderr.decode("ascii").count("\n") == 1


def test_closed_output_is_told():
    found = shell("cardlab games >&-")
    assert found.returncode == 2
    assert found.stderr.decode().startswith("cardlab: standard output is closed")
    assert found.stderr.count(b"\n") == 1


def test_closed_error_stream_costs_words_only():
    found = shell("cardlab nothing 2>&-")
    assert (found.returncode, found.stdout, found.stderr) == (2, b"", b"")
    assert shell("cardlab games 2>&- <&-").returncode == 0


def test_full_disk_behind_standard_output_is_told():
    if not Path("/dev/full").exists():
        pytest.skip("no full device here")
    found = shell("cardlab games >/dev/full")
    assert found.returncode == 1
    assert found.stderr == b"cardlab: standard output cannot be written: No space left on device\n"


def test_pipe_that_is_closed_is_no_failure_to_tell():
    found = shell("cardlab games up | head -1")
    assert (found.returncode, found.stderr) == (0, b"")
    assert found.stdout.count(b"\n") == 1


def test_json_is_readable_in_any_encoding():
    rows = {
        encoding: json.loads(shell("cardlab studies --json", PYTHONIOENCODING=encoding).stdout)
        for encoding in ("ascii", "utf-8")
    }
    assert rows["ascii"] == rows["utf-8"]
    assert not all(row["asks"].isascii() for row in rows["ascii"])
