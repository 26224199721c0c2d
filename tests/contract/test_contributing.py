"""CONTRIBUTING.md speaks of files, tests and functions that there are."""

from __future__ import annotations

import re

from simcore.game import game_names
from tests.programs import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
TESTS = "\n".join(path.read_text("utf-8") for path in ROOT.glob("tests/**/test_*.py"))
ROOMS = ("", "simcore", "simcore/games/<game>", "strategies", "studies", "tests")


def is_there(place):
    """Tell whether a file or folder is there, in one of the rooms spoken of, for every game."""
    return any(
        all((ROOT / room.replace("<game>", game) / place.replace("<game>", game)).exists()
            for game in game_names())
        for room in ROOMS
    )  # fmt: skip


def test_files_are_there():
    places = re.findall(r"`([\w<>./-]+(?:\.(?:py|md|toml)|/))`", TEXT)
    missing = [place for place in places if not is_there(place)]
    assert len(places) > 40
    assert not missing, f"CONTRIBUTING.md speaks of {', '.join(missing)}"


def test_tests_are_there():
    names = set(re.findall(r"`(test_\w+)`", TEXT))
    missing = sorted(name for name in names if f"def {name}(" not in TESTS)
    assert len(names) > 5
    assert not missing, f"CONTRIBUTING.md speaks of {', '.join(missing)}"


def test_modules_of_simcore_are_told():
    named = set(re.findall(r"`(\w+)\.py`", TEXT))
    modules = {path.stem for path in (ROOT / "simcore").glob("*.py")}
    common = {"__init__", "compiling", "errors", "options", "phrases"}
    missing = sorted(modules - named - common)
    assert not missing, f"CONTRIBUTING.md's walk does not pass by {', '.join(missing)} of simcore"
