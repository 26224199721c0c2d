"""A study keeps the files of its game and rules: it is told and continued where they are not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import cardlab
from simcore.compiler.user_games import stand_in
from simcore.game import get_game

EIGHTS = (Path(__file__).resolve().parents[2] / "docs" / "games" / "eights.py").read_bytes()
RULES = (
    '"""Short."""\n\nfrom cardlab.rules import *\n\ngame = "eights.py"\nshort = option(True, "x")\n'
)


def test_a_kept_text_is_read_where_the_file_is_not_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stand_in("far/kept_eights.py", {"kept_eights.py": EIGHTS})
    assert get_game("far/kept_eights.py").title.startswith("Crazy Eights")
    Path("far").mkdir()
    Path("far/kept_eights.py").write_bytes(EIGHTS.replace(b"Crazy Eights", b"Mad Eights", 1))
    assert get_game("far/kept_eights.py").title.startswith("Mad Eights")


@pytest.mark.whole
def test_a_study_is_told_and_continued_elsewhere(tmp_path, monkeypatch):
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    monkeypatch.chdir(here)
    Path("eights.py").write_bytes(EIGHTS)
    Path("short.py").write_text(RULES)
    study = cardlab.Study(game="eights.py", matches=40, variants={"short": {"rules": "short.py"}})
    before = cardlab.run(study, "found").rows().collect()
    shutil.move(here / "found", there / "found")
    Path("eights.py").unlink()
    Path("short.py").unlink()
    monkeypatch.chdir(there)
    assert cardlab.open("found").rows().collect().equals(before)
    assert cardlab.compare("found").frame.height
    more = cardlab.run("found/study.toml", matches=60, trust=True).rows().collect()
    assert more.height == 120
    assert (
        more.filter(more["match"] < 40).sort("cell", "match").equals(before.sort("cell", "match"))
    )
    assert not cardlab.check("found", trust=True).difference
