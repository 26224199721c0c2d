"""What the tests of `import cardlab` share: a folder of their own, small studies."""

from __future__ import annotations

import shutil

import pytest

import cardlab
from studies.design.study import LIBRARY

DUEL = {
    "game": "up",
    "matches": 50,
    "variants": {"dirty": {"dirty_one": "always"}},
    "lineups": [{"name": "both", "seats": ["greedy", "shedder"], "rotate": True}],
}


FEW_POLICIES = {
    "lineups": [{"name": "mixed", "seats": ["greedy", "shedder", "random", "random"]}],
    'lineups."mixed".rotate': True,
    "variants.extra_set": {"points_limit": 200},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Be in a folder in which two small studies have been played: `tour` and `duel`.

    In `quickstart` fewer policies play, by code for packs of one size; the rest would be compiled
    for nothing else.
    """
    place = tmp_path_factory.mktemp("api")
    library = shutil.copytree(LIBRARY, place / "library")
    quickstart = cardlab.Study.read("quickstart").changed(FEW_POLICIES)
    quickstart.write(library / "quickstart.toml")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        patch.setattr("studies.design.study.LIBRARY", library)
        cardlab.run("quickstart", "tour", matches=20)
        cardlab.run(DUEL, "duel")
        yield place


@pytest.fixture
def duel(folder):
    return cardlab.open(folder / "duel")
