"""The file that `cardlab simulate --out` writes: columns, bytes, and what never happens to it."""

from __future__ import annotations

import contextlib
import json
import signal
import time

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import simcore.batch
from simcore.catalogue import get_game
from simcore.errors import InputError
from simcore.game import game_names
from simcore.records import COMMON_COUNTS
from studies.operations import rowfile
from studies.operations import simulate as simulation
from studies.version import VERSION
from tests.patience import PATIENCE


@pytest.mark.parametrize("name", game_names())
def test_columns_types_and_metadata_of_the_contract(cardlab, tmp_path, name):
    game, out = get_game(name), tmp_path / "rows.parquet"
    assert cardlab("simulate", name, "--matches", 20, "--seed", 9, "--out", out).status == 0
    schema = pq.read_schema(out)
    players = game.players.default
    assert dict(zip(schema.names, schema.types, strict=True)) == {
        "match": pa.int64(),
        "rotation": pa.int8(),
        "first_seat": pa.uint8(),
        "winners": pa.uint16(),
        "aborted": pa.bool_(),
        **{f"score_{seat}": pa.int32() for seat in range(players)},
        **dict.fromkeys((*game.metric_names, *COMMON_COUNTS), pa.int32()),
    }
    metadata = {key.decode(): value.decode() for key, value in schema.metadata.items()}
    assert metadata["game"] == name
    assert json.loads(metadata["options"]) == game.resolve({})
    assert json.loads(metadata["lineup"]) == ["random"] * players
    assert (metadata["seed"], metadata["version"]) == ("9", VERSION)
    rows = pq.read_table(out)
    assert rows["match"].to_pylist() == list(range(20))
    assert set(rows["rotation"].to_pylist()) == {0}


@pytest.mark.whole
def test_same_bytes_for_any_threads_and_blocks(cardlab, tmp_path, monkeypatch):
    monkeypatch.setattr(rowfile, "ROW_GROUP", 300)
    files = []
    for threads, first_block, block_seconds in ((1, 256, 0.4), (3, 7, 0.001), (2, 1000, 0.4)):
        monkeypatch.setattr(simulation, "FIRST_BLOCK", first_block)
        monkeypatch.setattr(simulation, "BLOCK_SECONDS", block_seconds)
        files.append(tmp_path / f"{threads}.parquet")
        cardlab("simulate", "up", "--matches", 1000, "--threads", threads, "--out", files[-1])
    assert pq.ParquetFile(files[0]).num_row_groups == 4
    assert len({file.read_bytes() for file in files}) == 1


def test_an_existing_file_is_never_replaced(refused, tmp_path):
    out = tmp_path / "rows.parquet"
    out.write_text("mine")
    message = refused("simulate", "up", "--out", out)
    assert "rows.parquet' exists already; allowed: a name that is free" in message
    assert out.read_text() == "mine"


def test_a_file_that_appears_meanwhile_stays(tmp_path):
    out = tmp_path / "rows.csv"
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(rowfile.row_file(out, {}))
        file.add({"match": np.arange(3)})
        out.write_text("mine")
        with pytest.raises(InputError, match="exists already"):
            stack.close()
    assert [(path, path.read_text()) for path in tmp_path.iterdir()] == [(out, "mine")]


def test_unwritable_place_is_refused_before_playing(refused, tmp_path, monkeypatch):
    monkeypatch.setattr(simcore.batch, "play", lambda *_a, **_k: pytest.fail("was played"))
    (tmp_path / "file").write_text("")
    for out in (
        tmp_path / "no" / "rows.parquet",
        tmp_path / "file" / "rows.parquet",
        tmp_path,
        tmp_path / ("x" * 300),
        "/dev/null",
    ):
        message = refused("simulate", "up", "--out", out)
        assert str(out)[:100] in message  # Long values are cut short.
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def interrupt_after(blocks, monkeypatch):
    play = simcore.batch.play
    calls = []

    def interrupted(*arguments, **options):
        calls.append(arguments)
        if len(calls) > blocks:
            raise KeyboardInterrupt
        return play(*arguments, **options)

    monkeypatch.setattr(simcore.batch, "play", interrupted)


@pytest.mark.parametrize("place", ["", ".", "..", "/"])
def test_a_directory_is_refused(refused, place):
    message = refused("simulate", "up", "--matches", "3", "--out", place)
    assert "is a directory; allowed: the name of a file" in message


def test_interruption_leaves_nothing(cardlab, tmp_path, monkeypatch):
    interrupt_after(2, monkeypatch)
    result = cardlab("simulate", "up", "--matches", 10**7, "--out", tmp_path / "rows.parquet")
    assert (result.status, result.out) == (130, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.whole_but("15")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_signal_ends_a_long_run_soon(start_cardlab, tmp_path, number):
    process = start_cardlab("simulate", "up", "--matches", "1e12", "--out", "rows.parquet")
    started = time.monotonic()
    while not list(tmp_path.glob("*.tmp")) and time.monotonic() < started + PATIENCE:
        time.sleep(0.1)  # until it plays
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    killed = number == signal.SIGKILL
    assert process.returncode == (-number if killed else 128 + number), (out, err)
    assert out == ""
    assert "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".tmp"] == []
    assert killed or list(tmp_path.iterdir()) == []


def rows_of(path):
    if path.suffix == ".csv":
        return pa.csv.read_csv(path)
    if path.suffix == ".arrow":
        with pa.ipc.open_file(path) as file:
            return file.read_all()
    return pq.read_table(path)


def test_the_ending_decides_the_form(cardlab, tmp_path, monkeypatch):
    monkeypatch.setattr(rowfile, "ROW_GROUP", 7)
    paths = [tmp_path / name for name in ("a.parquet", "a.csv", "a.arrow", "a.CSV")]
    for path in paths:
        assert cardlab("simulate", "up", "--matches", 20, "--out", path).status == 0
    tables = [rows_of(path) for path in paths[:3]]
    assert tables[0].to_pylist() == tables[1].to_pylist() == tables[2].to_pylist()
    assert len(tables[0]) == 20
    assert tables[2].schema.equals(tables[0].schema)
    assert tables[2].schema.metadata[b"game"] == b"up"
    assert paths[3].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize("name", ["rows.txt", "rows", "rows.parquet.gz", ".parquet"])
def test_another_ending_is_refused_before_anything_is_played(refused, tmp_path, monkeypatch, name):
    monkeypatch.setattr(simcore.batch, "play", lambda *_a, **_k: pytest.fail("was played"))
    message = refused("simulate", "up", "--out", tmp_path / name)
    assert "allowed: a name that ends in .parquet, .csv, .arrow" in message
    assert list(tmp_path.iterdir()) == []
