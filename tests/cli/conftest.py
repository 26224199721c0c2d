"""Run the command line inside the test's process, or as a program of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass

import pytest

from studies.cli.app import run_app
from tests.programs import CARDLAB, environment


@dataclass
class Result:
    status: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        return json.loads(self.out)


@pytest.fixture
def cardlab(capsys):
    """Run `cardlab` in this process: cardlab("simulate", "up", …)."""

    def run(*arguments: object) -> Result:
        capsys.readouterr()
        status = run_app([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Result(status, captured.out, captured.err)

    return run


@pytest.fixture
def refused(cardlab):
    """Run `cardlab` with bad input: one line on stderr, nothing on stdout, status 2."""

    def run(*arguments: object) -> str:
        result = cardlab(*arguments)
        assert (result.status, result.out) == (2, "")
        assert result.err.startswith("cardlab: ")
        assert result.err.count("\n") == 1
        return result.err

    return run


@pytest.fixture
def start_cardlab(tmp_path):
    """Start `cardlab` as a program in a directory of its own; keywords are its environment."""

    def start(*arguments: str, **variables: str) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, *CARDLAB, *arguments],
            cwd=tmp_path,
            env=environment(**variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start
