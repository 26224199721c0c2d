"""README against the program: the two commands, and nothing forgotten in its tables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from studies.cli.app import COMMANDS

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "last"), [("run", "cardlab run"), ("test", "-m pytest")])
def test_one_command_from_a_clone(name, last):
    (command,) = re.findall(rf"^<!-- ci: {name} -->\n```\w*\n(.*)\n```$", README, re.MULTILINE)
    steps = command.split(" && ")
    assert steps[0] == "python3 -m venv .venv"
    assert steps[1].startswith(".venv/bin/pip install -q ")
    assert last in steps[-1]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_table(command):
    assert re.search(rf"^\| `cardlab {command}\b", README, re.MULTILINE)
