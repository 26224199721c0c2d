"""README against the program: the two commands, and nothing forgotten in its tables."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from simcore.game import game_names
from studies.cli.app import COMMANDS
from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(mark):
    (found,) = re.findall(
        rf"^<!-- {mark} -->\n```\w*\n(.*?)\n```$", README, re.MULTILINE | re.DOTALL
    )
    return found


@pytest.mark.parametrize(("name", "last"), [("run", "cardlab run"), ("test", "-m pytest")])
def test_one_command_from_a_clone(name, last):
    steps = block(f"ci: {name}").split(" && ")
    assert steps[0] == "python3 -m venv .venv"
    assert steps[1].startswith(".venv/bin/pip install -q ")
    assert last in steps[-1]


def test_python_in_ten_lines(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    lines = block("ci: python")
    for many, few in (("100_000", "1_000"), ("2_000", "20")):
        assert many in lines
        lines = lines.replace(many, few)
    exec(compile(lines, "README.md", "exec"), {})  # noqa: S102 (what it shows)
    assert capfd.readouterr() == ("", "")
    assert Path("up.html").is_file()


def test_policy_of_your_own(start_cardlab, tmp_path):
    (tmp_path / "mine.py").write_text(block("policy"))
    program, *arguments = shlex.split(block("use"))
    assert program == "cardlab"
    process = start_cardlab(*arguments, "--matches", "500", "--json")
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    share = json.loads(out)["win_share_by_strategy"]
    assert share["last_move(habit=0.8)"] > share["random"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_table(command):
    assert re.search(rf"^\| `cardlab {command}\b", README, re.MULTILINE)


@pytest.mark.parametrize("game", game_names())
def test_the_examples_are_shown_as_they_are(game):
    file = ROOT / "strategies" / "examples" / f"{game}.py"
    assert block(f"example {game}") + "\n" == file.read_text(encoding="utf-8")
