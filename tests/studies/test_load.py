import json

import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest

import cardlab
from simcore.errors import InputError
from studies.run.run import run_study
from tests.studies.conftest import load, study


def test_rows_with_what_their_cells_are(played):
    frame = load(played)
    assert isinstance(frame, pl.LazyFrame)
    rows = frame.collect()
    assert rows.height == 3 * 60 * 3
    found = rows.group_by("variant", maintain_order=True).agg(pl.col("dirty_one").unique())
    assert dict(found.iter_rows()) == {"baseline": ["off"], "dirty": ["always"], "same": ["off"]}
    assert set(rows["seat_1"]) == {"random"}
    assert rows["rounds_option"].unique().to_list() == [2]  # the option; `rounds` is the metric
    for (_,), cell in rows.group_by(["cell"]):
        assert cell.select("match", "rotation").rows() == [
            (m, r) for m in range(60) for r in range(3)
        ]


def test_pandas_on_request(played):
    frame = cardlab.open(played).to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == 3 * 60 * 3
    assert frame.groupby("variant")["plays"].mean().to_dict() == pytest.approx(
        dict(load(played).group_by("variant").agg(pl.col("plays").mean()).collect().iter_rows())
    )


def test_different_numbers_of_players_lie_side_by_side(tmp_path):
    sweep = {"players": [2, 3]}
    asked = study(options={"rounds": 1}, sweep=sweep, variants={}, matches=10)
    run_study(asked, tmp_path, threads=1)
    rows = load(tmp_path).collect()
    two = rows.filter(players=2)
    assert two["score_2"].null_count() == two.height > 0
    assert rows.filter(players=3)["score_2"].null_count() == 0


def test_other_readers_find_cells_by_their_folder(played):
    """The layout is hive's, so no program needs ours to read it."""
    rows = pl.scan_parquet(played / "matches" / "**" / "*.parquet", hive_partitioning=True)
    ours = load(played).group_by("cell").agg(pl.len(), pl.col("plays").sum()).collect()
    theirs = rows.group_by("cell").agg(pl.len(), pl.col("plays").sum()).collect()
    assert sorted(map(str, ours.rows())) == sorted(map(str, theirs.rows()))
    frame = pd.read_parquet(played / "matches")
    assert frame["cell"].nunique() == 3
    assert len(frame) == 3 * 60 * 3


def test_types_encodings_and_metadata_of_a_part(played):
    path = next(played.glob("matches/*/*25-25.parquet"))
    types = {field.name: (str(field.type), field.nullable) for field in pq.read_schema(path)}
    assert types["match"] == ("int64", False)
    assert types["rotation"] == ("int8", False)
    assert types["winners"] == ("uint16", False)
    assert types["aborted"] == ("bool", False)
    assert types["score_2"] == types["plays"] == types["clauses"] == ("int32", False)
    footer = pq.read_metadata(path)
    assert footer.num_row_groups == 1
    columns = {
        footer.row_group(0).column(place).path_in_schema: footer.row_group(0).column(place)
        for place in range(footer.num_columns)
    }
    assert {column.compression for column in columns.values()} == {"ZSTD"}
    assert "DELTA_BINARY_PACKED" in columns["match"].encodings
    assert "BYTE_STREAM_SPLIT" in columns["plays"].encodings
    assert columns["match"].statistics.max == columns["match"].statistics.min + 24
    told = {key.decode(): value.decode() for key, value in footer.metadata.items()}
    assert told["detail"] == "matches"
    assert json.loads(told["options"])["players"] == 3
    assert {"cell", "game", "variant", "lineup", "seed", "block", "version", "source"} < set(told)


def test_reads_only_the_columns_that_are_asked_for(played):
    plan = load(played).select("match", "winners").explain()
    assert "plays" not in plan


def test_no_study_is_refused(tmp_path):
    with pytest.raises(InputError, match="no study directory"):
        load(tmp_path)
