"""A study keeps the files of its game and rules; reading its results never runs them."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from pathlib import Path

import pytest

import cardlab
from simcore.catalogue import get_game
from simcore.errors import InputError
from simcore.userfiles.loading import load_user_file
from simcore.userfiles.user_games import stand_in
from strategies import load_strategies, session
from studies.cli.app import run_app
from studies.run import executors
from tests.own.small import text_of

EIGHTS = text_of("eights.py")
RULES = '''"""Short."""

from cardlab.rules import *

game = "eights.py"
short = option(True, "x")
skipped = measure("turns without a card", per=card)


def ended(usual, s, seat):
    return usual(s, seat) or (short and s.steps > 500)
'''
MEASURES = '''"""What is counted."""


def long_match(block):
    return block["turns"] > 30
'''
SPY = "\nimport pathlib\npathlib.Path({!r}).touch()\n"
"""Appended to a file, tells whether it was run."""


@pytest.fixture
def refused(capsys):
    """Run `cardlab` with what it refuses, and return the line that says why."""

    def run(*words: str) -> str:
        capsys.readouterr()
        status = run_app(list(words))
        told = capsys.readouterr()
        assert status == 2
        assert told.out == ""
        assert told.err.count("\n") == 1, told.err
        return told.err

    return run


@pytest.fixture
def moved(tmp_path, monkeypatch):
    """Return a study directory of a user's game, rules and measures, in a place without them."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    monkeypatch.chdir(here)
    spy = SPY.format(str(tmp_path / "was_run"))
    Path("eights.py").write_text(EIGHTS + spy, "utf-8")
    Path("short.py").write_text(RULES + spy)
    Path("counts.py").write_text(MEASURES + spy)
    study = cardlab.Study(
        game="eights.py",
        title="Short",
        matches=40,
        measures="counts.py",
        variants={"short": {"rules": "short.py"}},
    )
    before = cardlab.run(study, "found").compare().frame
    shutil.copytree(here / "found", there / "found")
    monkeypatch.chdir(there)
    (tmp_path / "was_run").unlink()
    monkeypatch.setattr("simcore.userfiles.user_games._games", {})  # nothing of them is loaded yet
    monkeypatch.setattr("simcore.userfiles.rule_overrides._loaded", {})
    executors._playable.cache_clear()
    return there / "found", before, tmp_path / "was_run"


@pytest.mark.whole
def test_reading_a_study_of_a_users_game_runs_nothing(moved, refused):
    directory, before, was_run = moved
    answer = cardlab.compare("found")
    assert answer.frame.equals(before)
    assert "long_match" in answer.frame["number"].to_list()
    assert cardlab.open("found").rows().collect().height == 80
    assert cardlab.open("found").cells()["short"].to_list() == [None, True]
    assert "Short" in cardlab.report("found").read_text("utf-8")
    for words in (
        ["check", "found"],
        ["run", "found/study.toml"],
        ["plan", "found", "--detect", "3"],
    ):
        why = refused(*words)
        assert "--trust" in why
        assert f"{directory.name}/rules/eights.py" in why
    assert not was_run.exists()
    assert not cardlab.check("found", trust=True).difference
    assert was_run.exists()


def test_a_kept_text_is_read_where_the_file_is_not_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stand_in("far/kept_eights.py", {"kept_eights.py": EIGHTS.encode()})
    assert get_game("far/kept_eights.py").title.startswith("Crazy Eights")
    Path("far").mkdir()
    Path("far/kept_eights.py").write_text(EIGHTS.replace("Crazy Eights", "Mad Eights", 1), "utf-8")
    assert get_game("far/kept_eights.py").title.startswith("Mad Eights")


@pytest.mark.whole
def test_a_study_of_a_users_game_is_continued_where_its_files_are_not(moved):
    before = cardlab.open("found").rows().collect()
    rows = cardlab.run("found/study.toml", matches=60, trust=True).rows().collect()
    assert rows.height == 120
    assert (
        rows.filter(rows["match"] < 40).sort("cell", "match").equals(before.sort("cell", "match"))
    )
    assert not cardlab.check("found", trust=True).difference


@pytest.mark.whole
def test_a_directory_of_an_earlier_version_says_what_reading_it_would_run(moved):
    directory, _, was_run = moved
    import json

    from studies.manifest import NAME, Entry, read_manifest

    record = json.loads((directory / "provenance.json").read_bytes())
    del record["games"]
    (directory / "provenance.json").write_text(json.dumps(record))
    manifest = read_manifest(directory)
    content = (directory / "provenance.json").read_bytes()
    manifest.files["provenance.json"] = (Entry.of(content),)
    (directory / NAME).write_bytes(manifest.encode())
    with pytest.raises(InputError, match=r"earlier version.*found/rules/eights\.py.*--trust"):
        cardlab.compare("found")
    assert not was_run.exists()
    assert cardlab.compare("found", trust=True).frame.height


def test_an_edit_of_the_same_size_within_a_second_is_seen(tmp_path):
    path = tmp_path / "quick.py"
    text = EIGHTS + "\nspeed = 10\n"
    path.write_text(text, "utf-8")
    at = path.stat().st_mtime_ns
    assert vars(get_game(str(path)).rules())["speed"] == 10
    path.write_text(text.replace("speed = 10", "speed = 99"), "utf-8")
    os.utime(path, ns=(at, at))
    assert vars(get_game(str(path)).rules())["speed"] == 99
    assert not list(tmp_path.rglob("*.pyc"))


def test_what_a_file_imports_from_its_folder_is_hashed_and_read_again(tmp_path):
    (tmp_path / "numbers_of.py").write_text("GAIN = 1\n")
    path = tmp_path / "with_import.py"
    path.write_text(f"from numbers_of import GAIN\n{EIGHTS}", "utf-8")
    before = get_game(str(path))
    assert vars(before.rules())["GAIN"] == 1
    (tmp_path / "numbers_of.py").write_text("GAIN = 2\n")
    after = get_game(str(path))
    assert vars(after.rules())["GAIN"] == 2
    assert before.digest != after.digest
    assert "numbers_of" not in sys.modules
    assert not list(tmp_path.rglob("*.pyc"))


@pytest.mark.parametrize(
    "line",
    [
        "import time\nSTART = int(time.time())",
        "from datetime import datetime\nSTART = datetime.now().year",
        "import random\nSTART = random.random()",
        "START = hash('a text')",
        "START = id(object) % 1000",
        "import uuid\nSTART = [uuid.uuid4().int]",
        "class State:\n    START = hash('a text')",
        "import time\ndef START(s, than=time.time_ns()):\n    return than",
    ],
)
def test_constants_that_differ_from_run_to_run_are_refused(tmp_path, line):
    path = tmp_path / "unsteady.py"
    path.write_text(f"{line}\n")
    with pytest.raises(InputError, match=r"unsteady\.py.*is something else each time"):
        load_user_file("game", path)


@pytest.mark.parametrize(
    "line",
    [
        "import time\nEPOCH = time.gmtime(0).tm_year",
        "import random\nSTART = random.Random(7).random()",
        "import random\nrandom.seed(3)\nSTART = random.random()",
        "from cardlab.rules import *\ndeck = french_deck()\nclass State:\n    x = shown(number)",
        "def plain():\n    return hash('a')\nlater = lambda: plain",
    ],
)
def test_constants_that_are_always_the_same_are_not(tmp_path, line):
    path = tmp_path / "steady.py"
    path.write_text(f"{line}\n")
    load_user_file("game", path)


def test_an_unsteady_parameter_of_a_policy_is_refused_and_nothing_registered(tmp_path):
    path = tmp_path / "unsteady.py"
    path.write_text(
        "import time\nfrom simcore.language import *\nfrom strategies import Param, policy\n\n"
        '@policy("updown", idea="x", params=[Param("k", time.time() % 1, 0, 1, "x")])\n'
        "def own_unsteady(s, seat, moves, k):\n    return lowest(moves)\n"
    )
    with pytest.raises(InputError, match="something else each time"):
        load_strategies(path)
    assert "own_unsteady" not in session().of(get_game("updown"))


def _irregular(kind: str, path: Path) -> None:
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        os.chdir(path.parent)  # names of sockets are short
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(path.name)


DOORS = {
    "game": ["play", "{}.py"],
    "rules": ["play", "up", "--rules", "{}.py"],
    "strategies": ["simulate", "up", "--strategies", "{}.py"],
    "study": ["run", "{}.toml"],
    "option": ["play", "upordown", "--rule", "colours=./{}"],
    "measures": ["run", "quickstart", "--dry-run", "--set", "measures={}.py"],
    "rows": ["compare", "{}.csv"],
    "directory": ["compare", "{}"],
}


@pytest.mark.parametrize("kind", ["pipe", "directory", "device", "socket"])
@pytest.mark.parametrize("door", DOORS)
def test_what_is_no_regular_file_is_refused_at_once(tmp_path, monkeypatch, refused, door, kind):
    monkeypatch.chdir(tmp_path)
    words = [word.format("odd") for word in DOORS[door]]
    name = next(word.rpartition("=")[2].removeprefix("./") for word in words if "odd" in word)
    _irregular(kind, tmp_path / name)
    assert "odd" in refused(*words)


@pytest.mark.parametrize(
    "name", ["manifest.json", "study.toml", "provenance.json", "cells.parquet"]
)
def test_a_pipe_in_a_study_directory_is_damage(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    cardlab.run(cardlab.Study(game="updown", matches=2), "found")
    Path("found", name).unlink()
    os.mkfifo(Path("found", name))
    with pytest.raises(InputError, match=f"{name} is damaged: it .*a named pipe"):
        cardlab.compare("found")
