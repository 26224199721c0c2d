"""Seals: a wrong bit anywhere is noticed, named and mended; directories without seals are read."""

import dataclasses
import json
import shutil

import pyarrow.parquet as pq
import pytest

from simcore.errors import DataError, InputError
from studies import load, seal
from studies.check.stored_blocks import check_blocks
from studies.cli.app import run_app
from studies.compare.effects import compare
from studies.design.cells import expand
from studies.design.study import load_study
from studies.run.run import run_study
from studies.store.directory import scan_cell
from studies.store.documents import PROVENANCE, STUDY
from studies.store.parts import encoding, fault, read_part
from tests.studies.conftest import read_rows, study, unseal

BESIDE = ("cells.parquet", STUDY, PROVENANCE)


@pytest.fixture
def copy(played, tmp_path):
    shutil.copytree(played, tmp_path / "copy")
    return tmp_path / "copy"


def flip(path, place):
    content = bytearray(path.read_bytes())
    content[place] ^= 4
    path.write_bytes(content)


def take_seals_off(directory):
    """Make a directory as one of before there were seals."""
    for path in directory.glob("matches/*/*.parquet"):
        table = pq.ParquetFile(path).read()
        told = {key: value for key, value in table.schema.metadata.items() if key != b"seal"}
        pq.write_table(table.replace_schema_metadata(told), path, **encoding(table.schema))
    for name in BESIDE:
        unseal(directory / name)


def test_any_bit_of_a_file_counts():
    content = seal.seal(f"one\ntwo {seal.BLANK} three".encode()).tobytes()
    assert seal.holds(content)
    mark = range(content.index(b"cardlab-seal:"), content.index(b"cardlab-seal:") + 13)
    for place in range(len(content)):
        for bit in range(8):
            changed = bytearray(content)
            changed[place] ^= 1 << bit
            # Without its mark a file is one without a seal, and says what it said.
            assert seal.holds(bytes(changed)) is (None if place in mark else False)
    assert seal.holds(content + b" ") is False
    assert seal.holds(b"no seal") is None


def test_the_last_mark_is_the_seal():
    content = seal.seal(f"a title with {seal.BLANK} in it, {seal.BLANK}".encode()).tobytes()
    assert seal.holds(content)
    assert content.count(seal.BLANK.encode()) == 1


def test_every_part_and_every_file_beside_them_is_sealed(played):
    files = [path for path in played.rglob("*") if path.is_file() and path.name != ".lock"]
    assert len(files) == 3 * 3 + 3
    assert all(seal.holds(path.read_bytes()) for path in files)
    assert "seal" not in (load(played).collect_schema().names())


@pytest.mark.parametrize("place", [1, 200, -4, -200, -2000])
def test_damaged_part_is_named_by_all_who_read_it(copy, place, capsys):
    path = scan_cell(copy, expand(study())[0]).parts[1].path
    flip(path, place)
    for read in (compare, load, lambda there: list(check_blocks(there, 1))):
        with pytest.raises(DataError, match=path.name):
            read(copy)
    for command in ("compare", "report", "check"):
        assert run_app([command, str(copy)]) == 2
        found = capsys.readouterr()
        assert path.name in found.err
        assert (found.err.count("\n"), found.out) == (1, "")


def test_damaged_part_of_a_complete_study_is_played_again(copy, played):
    part = scan_cell(copy, expand(study())[0]).parts[1]
    flip(part.path, 300)
    said = []
    outcome = run_study(study(), copy, threads=1, block=25, notice=said.append)
    assert outcome.played == 75
    assert "does not fit its seal" in said[0]
    assert read_rows(copy) == read_rows(played)
    assert (copy / "damaged" / part.path.parent.name / part.path.name).is_file()


@pytest.mark.parametrize("name", BESIDE)
@pytest.mark.parametrize("harm", ["flipped", "emptied", "deleted"])
def test_file_beside_the_matches_is_named_and_written_anew(copy, played, name, harm):
    before = compare(copy)
    path = copy / name
    if harm == "flipped":
        flip(path, path.stat().st_size // 2)
    elif harm == "emptied":
        path.write_bytes(b"")
    else:
        path.unlink()
    if harm == "flipped" or (harm, name) == ("emptied", "cells.parquet"):
        with pytest.raises(DataError, match=f"{name} is damaged"):
            compare(copy)
    said = []
    outcome = run_study(study(), copy, threads=1, notice=said.append)
    assert (outcome.played, outcome.present) == (0, 540)
    assert seal.holds(path.read_bytes())
    assert compare(copy) == before
    assert [line for line in said if name in line] == said
    assert (copy / "damaged" / name).exists() == (harm != "deleted" and bool(said))
    if name == "cells.parquet":
        assert path.read_bytes() == (played / name).read_bytes()


def test_parts_of_another_study_are_no_reason_to_write_cells_anew(copy):
    (copy / "cells.parquet").unlink()
    with pytest.raises(DataError, match="holds other things"):
        run_study(study(seed=6), copy, threads=1)
    flip(copy / STUDY, 5)
    with pytest.raises(DataError, match="holds other things"):
        run_study(study(seed=6), copy, threads=1)


def test_directory_without_seals_is_read_and_it_is_said(copy, played, capsys):
    take_seals_off(copy)
    with pytest.warns(seal.SealWarning, match="9 of 9 parts .* carry no seal"):
        assert load(copy).collect().equals(load(played).collect())
    with pytest.warns(seal.SealWarning):
        assert compare(copy) == compare(played)
    assert run_app(["compare", str(copy)]) == 0
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert "9 of 9 parts" in said[0]
    assert "cells.parquet, study.toml, provenance.json" in said[1]
    run_study(study(), copy, threads=1)
    assert all(seal.holds((copy / name).read_bytes()) for name in BESIDE)
    run_study(study(matches=61), copy, threads=1)
    with pytest.warns(seal.SealWarning, match="9 of 12 parts"):
        assert compare(copy).lineups[0].deals == 61


def test_pages_of_parts_without_seals_are_verified(copy):
    take_seals_off(copy)
    cell = expand(study())[0]
    part = scan_cell(copy, cell).parts[0]
    flip(part.path, 200)
    assert fault(part, cell, whole=True).why
    with pytest.raises(DataError, match=part.path.name), pytest.warns(seal.SealWarning):
        compare(copy)
    for read in (load, lambda there: list(check_blocks(there, 1))):
        with pytest.raises(DataError, match=part.path.name):
            read(copy)
    with pytest.raises(DataError, match=part.path.name):
        read_part(part)


def test_part_that_says_it_was_played_otherwise_is_a_fault(played):
    """Cells that were edited by hand do not get other cells' matches."""
    cell = expand(study())[0]
    part = scan_cell(played, cell).parts[0]
    for key, change in (
        ("seed", {"seed": 6}),
        ("lineup", {"seats": ("random",) * 3}),
        ("options", {"options": {**cell.options, "rounds": 1}}),
        ("rotations", {"rotations": 1}),
    ):
        why = fault(part, dataclasses.replace(cell, **change)).why
        assert why == f"it was played with another {key}"


def test_study_of_a_directory_is_run_only_as_it_was_written(copy):
    assert load_study(str(copy / STUDY)).seed == 5
    text = (copy / STUDY).read_text()
    (copy / STUDY).write_text(text.replace("matches = 60", "matches = 61"))
    with pytest.raises(InputError, match="or was changed by hand"):
        load_study(str(copy / STUDY))
    shutil.copy(copy / STUDY, copy.parent / STUDY)  # a template for another study
    assert load_study(str(copy.parent / STUDY)).matches == 61


def test_provenance_that_is_nonsense_is_named_with_its_key(copy):
    unseal(copy / PROVENANCE)
    told = json.loads((copy / PROVENANCE).read_text())
    told["stops"]["cells"] = {"x": {"why": "goal", "deals": "many"}}
    (copy / PROVENANCE).write_text(json.dumps(told))
    with pytest.raises(DataError, match=r"key stops\.cells\.x\.deals"):
        compare(copy)
