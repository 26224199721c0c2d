"""Everything that the documentation tells people to type does what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from simcore.game import game_names
from strategies import load_strategies
from studies.cli.app import COMMANDS
from studies.design.cells import expand
from studies.design.study import load_study
from tests.docs.pages import PAGES, ROOT, blocks_of, name_of
from tests.patience import PATIENCE

SHOWN = re.MULTILINE | re.DOTALL
WITH_CODE = [page for page in PAGES if any(block.language for block in blocks_of(page))]


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """Run a shell in a folder of its own, where `cardlab` is this one."""
    program = tmp_path / "bin" / "cardlab"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cardlab "$@"\n')
    program.chmod(0o755)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    paths = os.pathsep.join([str(ROOT), str(ROOT / "studies" / "front"), *sys.path])
    environment = os.environ | {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": paths,
    }

    def run(text: str) -> None:
        process = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert process.returncode == 0, f"{text}\n{process.stderr}"

    return run


@pytest.mark.whole
@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_what_a_page_says_works(page, shell):
    names: dict[str, object] = {}
    for block in blocks_of(page):
        if block.all("not run") or block.all("example"):
            continue
        for command in block.all("before"):
            shell(command)
        if files := block.all("file"):
            Path(files[0]).write_text(block.text, encoding="utf-8")
            if block.language == "toml":
                study = load_study(files[0])
                given = re.search(
                    rf"{re.escape(files[0])} --strategies (\S+)", page.read_text("utf-8")
                )
                assert expand(study, load_strategies(given[1]) if given else None)
        elif block.language == "sh":
            shell(block.text)
        elif block.language == "python":
            exec(compile(block.text, name_of(page), "exec"), names)  # noqa: S102 (what it shows)
        else:
            assert not block.language, f"a block of {block.language} that is no file"


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.stem)
def test_shown_outputs_are_there(page):
    text = page.read_text(encoding="utf-8")
    fences = re.findall(r"^```.*$", text, re.MULTILINE)
    assert all(fence == "```" for fence in fences[1::2]), "a fence is not closed"
    for command, shown in re.findall(r"^<!-- \$ (.+) -->\n```\n(.*?)^```$", text, SHOWN):
        assert shown.strip(), f"nothing is shown of {command}"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_reference(command):
    text = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `cardlab {command}\b", text, re.MULTILINE)
    assert f"```{{program-output}} cardlab {command} --help" in text


def test_every_name_of_the_package_is_in_the_reference():
    import cardlab

    text = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\.\. auto\w+:: cardlab\.(\w+)$", text, re.MULTILINE)
    assert sorted(shown) == sorted(cardlab.__all__)


@pytest.mark.parametrize("game", game_names())
def test_the_examples_are_shown_as_they_are(game):
    (shown,) = [
        block.text
        for block in blocks_of(ROOT / "docs" / "reference" / "examples.md")
        if game in block.all("example")
    ]
    assert shown == (ROOT / "strategies" / "examples" / f"{game}.py").read_text(encoding="utf-8")
