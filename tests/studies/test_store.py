"""A study directory: its files, how others read them, and what is never done to it."""

import dataclasses
import errno
import json
import os
import shutil

import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest

import cardlab
from simcore.errors import DataError, InputError
from studies.design.cells import expand
from studies.run.run import run_study
from studies.store.cellfile import decode_cells
from studies.store.files import locked, write_aside
from studies.store.opened import open_study
from studies.store.parts import Part, disagreement, part_name
from tests.programs import run_python
from tests.studies.conftest import everything, load, parts_of, study

# ---- layout


def test_a_directory_has_these_files_and_a_row_for_each_cell(played):
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


def test_types_encodings_and_metadata_of_a_part(played):
    (path,) = played.glob(f"matches/cell={expand(study())[0].id}/{part_name(25, 25)}")
    types = {field.name: (str(field.type), field.nullable) for field in pq.read_schema(path)}
    assert types["match"] == ("int64", False)
    assert types["rotation"] == ("int8", False)
    assert types["first_seat"] == ("uint8", False)
    assert types["winners"] == ("uint16", False)
    assert types["aborted"] == ("bool", False)
    for name in ("score_0", "score_2", "plays", "clauses"):
        assert types[name] == ("int32", False)
    footer = pq.read_metadata(path)
    assert (footer.num_rows, footer.num_row_groups) == (75, 1)
    columns = {
        footer.row_group(0).column(place).path_in_schema: footer.row_group(0).column(place)
        for place in range(footer.num_columns)
    }
    assert {column.compression for column in columns.values()} == {"ZSTD"}
    assert "DELTA_BINARY_PACKED" in columns["match"].encodings
    assert "BYTE_STREAM_SPLIT" in columns["plays"].encodings
    assert columns["match"].statistics.max == columns["match"].statistics.min + 24
    metadata = {key.decode(): value.decode() for key, value in footer.metadata.items()}
    assert {"cell", "variant", "version", "source"} < set(metadata)
    assert metadata["game"] == "up"
    assert metadata["seed"] == "5"
    assert metadata["detail"] == "matches"
    assert metadata["block"] == '{"first": 25, "count": 25}'
    assert metadata["lineup"] == '["greedy", "random", "greedy"]'
    assert json.loads(metadata["options"])["players"] == 3


@pytest.mark.parametrize("coupling", ["stock", "seat"])
def test_cells_of_older_versions_are_read_where_they_can_be_played(played, tmp_path, coupling):
    cells = pq.read_table(played / "cells.parquet")
    older = tmp_path / "cells.parquet"
    pq.write_table(cells.append_column("coupling", [[coupling] * len(cells)]), older)
    if coupling == "stock":
        assert decode_cells(older.read_bytes(), older) == open_study(played).cells
    else:
        with pytest.raises(DataError, match="cannot play"):
            decode_cells(older.read_bytes(), older)


# ---- rows as others read them


def test_rows_come_with_what_their_cells_are(played):
    frame = load(played)
    assert isinstance(frame, pl.LazyFrame)
    rows = frame.collect()
    assert rows.height == 3 * 60 * 3
    options = rows.group_by("variant", maintain_order=True).agg(pl.col("dirty_one").unique())
    assert dict(options.iter_rows()) == {"baseline": ["off"], "dirty": ["always"], "same": ["off"]}
    assert set(rows["seat_1"]) == {"random"}
    assert rows["rounds_option"].unique().to_list() == [2]  # the option; `rounds` is the metric
    for _, cell in rows.group_by(["cell"]):
        assert cell.select("match", "rotation").rows() == [
            (match, rotation) for match in range(60) for rotation in range(3)
        ]
    assert "plays" not in load(played).select("match", "winners").explain()  # reads these alone


def test_pandas_on_request(played):
    frame = cardlab.open(played).to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == 3 * 60 * 3
    means = load(played).group_by("variant").agg(pl.col("plays").mean()).collect()
    assert frame.groupby("variant")["plays"].mean().to_dict() == pytest.approx(
        dict(means.iter_rows())
    )


def test_different_numbers_of_players_lie_side_by_side(tmp_path):
    sweep = {"players": [2, 3]}
    run_study(study(options={"rounds": 1}, sweep=sweep, variants={}, matches=10), tmp_path)
    rows = load(tmp_path).collect()
    two = rows.filter(players=2)
    assert two["score_2"].null_count() == two.height > 0
    assert rows.filter(players=3)["score_2"].null_count() == 0


def test_other_readers_find_cells_by_their_folder(played):
    """The layout is hive's, so no program needs ours to read it."""
    rows = pl.scan_parquet(played / "matches" / "**" / "*.parquet", hive_partitioning=True)
    ours, theirs = (
        frame.group_by("cell").agg(pl.len(), pl.col("plays").sum()).collect()
        for frame in (load(played), rows)
    )
    assert sorted(map(str, ours.rows())) == sorted(map(str, theirs.rows()))
    frame = pd.read_parquet(played / "matches")
    assert frame["cell"].nunique() == 3
    assert len(frame) == 3 * 60 * 3


def test_what_is_no_study_is_refused(tmp_path):
    with pytest.raises(InputError, match="no study directory"):
        load(tmp_path)


def test_reading_starts_no_thread(played):
    # A thread of Arrow's may let go of a Python buffer while the process ends, which aborts it.
    program = """
import os, sys
from pathlib import Path
import pyarrow.dataset, pyarrow.parquet
from studies.store.opened import open_study
from studies.store.parts import read_part
stored = open_study(Path(sys.argv[1]))
before = os.listdir("/proc/self/task")
for cell in stored.cells:
    for part in stored.parts[cell.id]:
        read_part(part)
assert os.listdir("/proc/self/task") == before
print(len(stored.cells))
"""
    run = run_python("-c", program, played)
    assert int(run.stdout) > 0, run.stderr


# ---- which parts are taken in


@pytest.mark.parametrize("keep", [0, 3, 100, -1])
def test_cut_file_is_no_part_to_be_taken_in(played, tmp_path, keep):
    cell = expand(study())[0]
    part = parts_of(played, cell)[0]
    copy = tmp_path / part.path.name
    content = part.path.read_bytes()
    copy.write_bytes(content[:keep])
    assert disagreement(Part(part.first, part.count, copy), cell) is not None
    copy.write_bytes(content)
    assert disagreement(Part(part.first, part.count, copy), cell) is None


def test_part_of_another_cell_or_range_is_not_taken_in(played, tmp_path):
    cell, other, _ = expand(study())
    part = parts_of(played, cell)[0]
    assert "another cell" in disagreement(part, other)
    moved = tmp_path / part_name(5, 25)
    shutil.copy(part.path, moved)
    assert "disagree" in disagreement(Part(5, 25, moved), cell)
    # Cells that were edited by hand do not get other cells' matches.
    for key, change in (
        ("seed", {"seed": 6}),
        ("lineup", {"seats": ("random",) * 3}),
        ("options", {"options": {**cell.options, "rounds": 1}}),
        ("rotations", {"rotations": 1}),
    ):
        edited = dataclasses.replace(cell, **change)
        assert disagreement(part, edited) == f"it was played with another {key}"


# ---- what is never done


@pytest.mark.parametrize(
    ("change", "fragment"),
    [
        ({"seed": 6}, "seed = 5 there, 6 here"),
        ({"variants": {}}, "variants"),
        ({"options": {"players": 3}}, "options"),
        ({"lineups": [{"name": "z", "seats": ["random"]}]}, "lineups"),
        ({"rows": False}, "rows = true there, false here"),
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


def test_a_file_in_place_of_the_directory_is_refused(tmp_path):
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


def test_two_runs_in_one_directory(tmp_path):
    hold = """
import sys
from pathlib import Path
from studies.store.files import locked
with locked(Path(sys.argv[1])):
    pass
"""
    with locked(tmp_path):
        stderr = run_python("-c", hold, tmp_path).stderr
    assert f"another run is writing to {tmp_path} (process {os.getpid()}" in stderr
    with locked(tmp_path):
        pass
