"""What the tests of `import cardlab` share: a folder of their own, small studies."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import cardlab
from strategies import session
from strategies.registry import keep_session

DUEL = {
    "game": "up",
    "matches": 50,
    "variants": {"dirty": {"dirty_one": "always"}},
    "lineups": [{"name": "both", "seats": ["greedy", "shedder"], "rotate": True}],
}


@pytest.fixture(autouse=True)
def _own_policies():
    """Forget afterwards what a test has declared."""
    before = session()
    yield
    keep_session(before)


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
