"""The coupling of a study: which one, where it is told, and that a match can be played again."""

import json
import tomllib

import polars as pl
import pyarrow.parquet as pq
import pytest
import tomli_w

from simcore.errors import DataError, InputError
from simcore.game import SEAT, STOCK
from studies.check.stored_blocks import check_blocks
from studies.design.cells import _digest, expand
from studies.design.study import check_study
from studies.run.run import run_study
from studies.store.opened import open_study
from tests.studies.conftest import cardlab, load, study

pytestmark = pytest.mark.whole

LINEUPS = [{"name": "pair", "seats": ["random_playable", "hitter"], "rotate": True}]


def uno(**changes):
    document = {
        "game": "uno",
        "seed": 3,
        "matches": 40,
        "options": {"players": 2, "rounds": 1},
        "variants": {"forget": {"forget_uno": 0.5}, "same": {}},
        "lineups": LINEUPS,
        **changes,
    }
    return check_study(document, name="paired")


def ids(asked):
    return [cell.id for cell in expand(asked)]


class TestChoice:
    def test_paired_studies_of_uno_draw_by_seat(self):
        assert {cell.coupling for cell in expand(uno())} == {SEAT}
        assert {cell.coupling for cell in expand(uno(variants={}))} == {STOCK}
        assert {cell.coupling for cell in expand(study())} == {STOCK}

    @pytest.mark.parametrize("coupling", [STOCK, SEAT])
    def test_the_study_decides(self, coupling):
        for variants in ({}, {"same": {}}):
            cells = expand(uno(coupling=coupling, variants=variants))
            assert {cell.coupling for cell in cells} == {coupling}

    def test_it_belongs_to_what_a_cell_is(self):
        assert ids(uno()) == ids(uno(coupling=SEAT))
        assert not set(ids(uno(coupling=STOCK))) & set(ids(uno(coupling=SEAT)))
        cell = expand(uno(coupling=STOCK))[0]
        # As before there was a choice: the draws are the same, and so is the id.
        names = ("game", "options", "seats", "rotations", "seed")
        assert cell.id == _digest({name: getattr(cell, name) for name in names})

    @pytest.mark.parametrize(
        ("changes", "fragments"),
        [
            ({"coupling": "seats"}, ["coupling = 'seats' is refused", '"stock"', '"seat"']),
            ({"coupling": 1}, ["coupling = 1 is refused", '"seat"']),
            (
                {
                    "game": "up",
                    "options": {},
                    "variants": {},
                    "coupling": SEAT,
                    "lineups": [{"name": "a", "seats": ["random"]}],
                },
                ["coupling 'seat' is refused for up", "no card is drawn", "allowed: stock"],
            ),
        ],
    )
    def test_refusals(self, changes, fragments):
        with pytest.raises(InputError) as refused:
            uno(**changes)
        for fragment in fragments:
            assert fragment in str(refused.value)

    def test_told_before_and_by_the_game(self, tmp_path):
        path = tmp_path / "s.toml"
        path.write_text(tomli_w.dumps(uno().document))
        found = cardlab("run", path, "--dry-run", check=True)
        assert 'coupling "seat"; 240 matches wanted' in " ".join(found.stdout.split())
        assert "coupling stock or seat" in cardlab("games", "uno", check=True).stdout
        assert "coupling" not in cardlab("games", "up", check=True).stdout

    def test_refused_by_the_command_line(self, tmp_path):
        path = tmp_path / "s.toml"
        path.write_text(tomli_w.dumps(study().document))
        found = cardlab("run", path, "--set", "coupling=seat", "--dry-run")
        assert (found.returncode, found.stdout) == (2, "")
        assert "coupling 'seat' is refused for up" in found.stderr
        assert len(found.stderr.splitlines()) == 1


@pytest.fixture(scope="module")
def paired(tmp_path_factory):
    directory = tmp_path_factory.mktemp("paired") / "study"
    run_study(uno(), directory, threads=2, block=20)
    return directory


class TestDirectory:
    def test_it_is_told_everywhere(self, paired):
        assert tomllib.loads((paired / "study.toml").read_text())["coupling"] == SEAT
        assert json.loads((paired / "provenance.json").read_text())["coupling"] == SEAT
        assert open_study(paired).cells == list(expand(uno()))
        for path in paired.glob("matches/*/*.parquet"):
            assert pq.read_metadata(path).metadata[b"coupling"] == b"seat"
        assert load(paired).select(pl.col("coupling").unique()).collect().item() == SEAT

    def test_blocks_come_out_again(self, paired):
        assert len(list(check_blocks(paired, 6))) == 6

    def test_a_control_changes_nothing(self, paired):
        stored = open_study(paired)
        same = next(cell for cell in stored.cells if cell.variant == "same")
        found = stored.totals(same)
        assert found.total("pair|both") > 0
        assert found.total("pair|another") == 0

    def test_another_coupling_is_another_study(self, paired):
        with pytest.raises(DataError, match="coupling = seat there, stock here"):
            run_study(uno(coupling=STOCK), paired, threads=1)
