import dataclasses
import errno
import os
import shutil
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from simcore.errors import DataError, InputError
from studies.design.cells import expand
from studies.run.run import run_study
from studies.store.cellfile import decode_cells
from studies.store.files import locked, write_aside
from studies.store.opened import open_study
from studies.store.parts import Part, cell_folder, disagreement, missing, part_name, present
from tests.studies.conftest import ROOT, parts_there, study

HOLD_LOCK = """
import sys
from pathlib import Path
from studies.store.files import locked
with locked(Path(sys.argv[1])):
    pass
"""


def parts_of(*ranges):
    return [Part(first, stop - first, None) for first, stop in ranges]


@pytest.mark.parametrize(
    ("ranges", "wanted", "left", "there"),
    [
        ([], 10, [(0, 10)], 0),
        ([(0, 10)], 10, [], 10),
        ([(0, 4), (7, 9)], 10, [(4, 7), (9, 10)], 6),
        ([(0, 4), (4, 20)], 10, [], 10),
        ([(12, 20)], 10, [(0, 10)], 0),
        ([(3, 5)], 4, [(0, 3)], 1),
    ],
)
def test_missing_and_present_ranges(ranges, wanted, left, there):
    parts = parts_of(*ranges)
    assert missing(parts, wanted) == left
    assert present(parts, wanted) == there


@pytest.mark.parametrize("coupling", ["stock", "seat"])
def test_cells_of_older_versions_are_read_where_they_can_be_played(played, tmp_path, coupling):
    table = pq.read_table(played / "cells.parquet")
    older = tmp_path / "cells.parquet"
    pq.write_table(table.append_column("coupling", [[coupling] * len(table)]), older)
    if coupling == "stock":
        assert decode_cells(older.read_bytes(), older) == open_study(played).cells
    else:
        with pytest.raises(DataError, match="cannot play"):
            decode_cells(older.read_bytes(), older)


def test_layout_and_metadata_of_the_contract(played):
    assert {path.name for path in played.iterdir()} == {
        ".lock",
        "cells.parquet",
        "manifest.json",
        "matches",
        "provenance.json",
        "study.toml",
        "totals",
    }
    cells = pq.read_table(played / "cells.parquet").to_pylist()
    assert [cell["variant"] for cell in cells] == ["baseline", "dirty", "same"]
    assert [cell["dirty_one"] for cell in cells] == ["off", "always", "off"]
    assert all(cell["players"] == 3 and cell["seat_2"] == "greedy" for cell in cells)
    path = cell_folder(played, cells[0]["cell"]) / part_name(25, 25)
    metadata = pq.read_metadata(path)
    told = {key.decode(): value.decode() for key, value in metadata.metadata.items()}
    assert told["game"] == "up"
    assert told["seed"] == "5"
    assert told["block"] == '{"first": 25, "count": 25}'
    assert '"players": 3' in told["options"]
    assert told["lineup"] == '["greedy", "random", "greedy"]'
    assert metadata.num_rows == 75
    assert metadata.row_group(0).column(0).compression == "ZSTD"
    types = {field.name: str(field.type) for field in pq.read_schema(path)}
    first = ["match", "rotation", "first_seat", "winners", "aborted", "score_0"]
    assert [types[name] for name in first] == ["int64", "int8", "uint8", "uint16", "bool", "int32"]


@pytest.mark.parametrize("keep", [0, 3, 100, -1])
def test_cut_file_is_no_part_to_be_taken_in(played, tmp_path, keep):
    cell = expand(study())[0]
    part = parts_there(played, cell)[0]
    copy = tmp_path / part.path.name
    content = part.path.read_bytes()
    copy.write_bytes(content[:keep])
    assert disagreement(Part(part.first, part.count, copy), cell) is not None
    copy.write_bytes(content)
    assert disagreement(Part(part.first, part.count, copy), cell) is None


def test_part_of_another_cell_or_range_is_not_taken_in(played, tmp_path):
    one, other, _ = expand(study())
    part = parts_there(played, one)[0]
    assert "another cell" in disagreement(part, other)
    moved = tmp_path / part_name(5, 25)
    shutil.copy(part.path, moved)
    assert "disagree" in disagreement(Part(5, 25, moved), one)


def test_part_that_says_it_was_played_otherwise_is_not_taken_in(played):
    """Cells that were edited by hand do not get other cells' matches."""
    cell = expand(study())[0]
    part = parts_there(played, cell)[0]
    for key, change in (
        ("seed", {"seed": 6}),
        ("lineup", {"seats": ("random",) * 3}),
        ("options", {"options": {**cell.options, "rounds": 1}}),
        ("rotations", {"rotations": 1}),
    ):
        why = disagreement(part, dataclasses.replace(cell, **change))
        assert why == f"it was played with another {key}"


def test_part_with_matches_of_another_part_does_not_count(played, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(played, directory)
    run_study(study(), tmp_path / "other", threads=1, block=30)
    cell = expand(study())[0]
    part = parts_there(tmp_path / "other", cell)[1]
    shutil.copy(part.path, cell_folder(directory, cell.id))
    stored = open_study(directory)
    assert "1 parts" in stored.notes[0]
    assert stored.deals(cell) == stored.totals(cell).deals == 60
    said = []
    run_study(study(matches=61), directory, threads=1, notice=said.append)
    assert any("would count twice" in line and part.path.name in line for line in said)
    assert open_study(directory).deals(cell) == 61


def test_foreign_files_are_left_alone_and_told(played, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(played, directory)
    folder = cell_folder(directory, expand(study())[0].id)
    (folder / "notes.txt").write_text("mine")
    said = []
    run_study(study(matches=61), directory, threads=1, notice=said.append)
    assert (folder / "notes.txt").read_text() == "mine"
    assert any("ignored" in line and "notes.txt" in line for line in said)


def everything(directory):
    return {
        path: (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(directory.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


@pytest.mark.parametrize(
    ("change", "fragment"),
    [
        ({"seed": 6}, "seed = 5 there, 6 here"),
        ({"variants": {}}, "variants"),
        ({"options": {"players": 3}}, "options"),
        ({"lineups": [{"name": "z", "seats": ["random"]}]}, "lineups"),
    ],
)
def test_directory_of_another_study_stays_as_it_is(played, change, fragment):
    before = everything(played)
    with pytest.raises(DataError, match="another study") as refused:
        run_study(study(**change), played, threads=1)
    assert fragment in str(refused.value)
    assert everything(played) == before


def test_directory_of_other_things_stays_as_it_is(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(DataError, match=r"thesis\.tex"):
        run_study(study(), tmp_path, threads=1)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_unwritable_place_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(InputError, match="file"):
            run_study(study(), place, threads=1)


def test_full_disk_is_said_and_leaves_no_part(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="disk is full"):
        write_aside(tmp_path / "part.parquet", b"rows")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path):
    path = tmp_path / "part.parquet"
    path.write_bytes(b"old")
    with pytest.raises(DataError, match="never written over"):
        write_aside(path, b"new")
    assert path.read_bytes() == b"old"


def test_two_runs_in_one_directory(tmp_path):
    with locked(tmp_path):
        again = subprocess.run(
            [
                sys.executable,
                "-c",
                HOLD_LOCK,
                str(tmp_path),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert f"another run is writing to {tmp_path} (process {os.getpid()}" in again.stderr
    with locked(tmp_path):
        pass


def test_reading_starts_no_thread(played):
    # A thread of Arrow's may let go of a Python buffer while the process ends, which aborts it.
    program = f"""
import os
from pathlib import Path
import pyarrow.dataset, pyarrow.parquet
from studies.store.opened import open_study
from studies.store.parts import read_part
directory = Path({str(played)!r})
stored = open_study(directory)
before = os.listdir("/proc/self/task")
cells = stored.cells
for cell in cells:
    for part in stored.parts[cell.id]:
        read_part(part)
assert os.listdir("/proc/self/task") == before
print(len(cells))
"""
    said = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert int(said.stdout) > 0
