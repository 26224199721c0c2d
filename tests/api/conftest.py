"""What the tests of `import cardlab` share: a folder of their own, small studies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import cardlab

DUEL = {
    "game": "up",
    "matches": 50,
    "variants": {"dirty": {"dirty_one": "always"}},
    "lineups": [{"name": "both", "seats": ["greedy", "shedder"], "rotate": True}],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Be in a folder in which two small studies have been played: `tour` and `duel`."""
    place = tmp_path_factory.mktemp("api")
    before = Path.cwd()
    os.chdir(place)
    cardlab.run("quickstart", "tour", matches=20)
    cardlab.run(DUEL, "duel")
    yield place
    os.chdir(before)


@pytest.fixture
def duel(folder):
    return cardlab.open(folder / "duel")
