"""README: its two commands, its Python, its length, its links; docs/ is tested in tests/docs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.programs import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(mark):
    (match,) = re.findall(
        rf"^<!-- {mark} -->\n```\w*\n(.*?)\n```$", README, re.MULTILINE | re.DOTALL
    )
    return match


@pytest.mark.parametrize(("name", "last"), [("run", "cardlab run"), ("test", "-m pytest")])
def test_one_command_from_a_clone(name, last):
    steps = block(f"ci: {name}").split(" && ")
    assert steps[0] == "python3 -m venv .venv"
    assert steps[1].startswith(".venv/bin/pip install -q ")
    assert last in steps[-1]


@pytest.mark.whole
def test_python_in_ten_lines(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    lines = block("ci: python")
    for many, few in (("100_000", "1_000"), ("2_000", "20")):
        assert many in lines
        lines = lines.replace(many, few)
    exec(compile(lines, "README.md", "exec"), {})  # noqa: S102 (what it shows)
    assert capfd.readouterr() == ("", "")
    assert Path("up.html").is_file()


def test_it_is_short():
    assert README.count("\n") <= 250


def test_what_it_links_to_is_there():
    for place in re.findall(r"\]\(([^)#]+)", README):
        assert place.startswith("https://") or (ROOT / place).exists(), place
