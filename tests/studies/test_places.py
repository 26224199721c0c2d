"""Results in places that are not a directory of this machine."""

import fsspec
import polars as pl
import pytest

from simcore.errors import InputError
from studies.check.stored_blocks import check_blocks
from studies.run.run import run_study
from studies.store.files import LOCK, is_local, locate, locked, write_aside
from tests.studies.conftest import load, read_rows, study, told


@pytest.fixture
def place(request):
    address = f"memory://bucket/{request.node.name.replace('[', '-').replace(']', '')}"
    yield address
    system = fsspec.filesystem("memory")
    if system.exists("/bucket"):
        system.rm("/bucket", recursive=True)


@pytest.mark.parametrize("detail", ["matches", "summary"])
def test_files_are_those_of_a_local_run(place, tmp_path, detail):
    asked = study(detail=detail)
    run_study(asked, locate(place), threads=2, block=25)
    run_study(asked, tmp_path, threads=2, block=25)
    folder = {"matches": "matches", "summary": "sums"}[detail]
    there = fsspec.filesystem("memory").find(f"{place.removeprefix('memory:/')}/{folder}")
    here = list((tmp_path / folder).glob("*/*"))
    assert len(there) == len(here) == 9
    for path in there:
        local = tmp_path / folder / path.split("/")[-2] / path.split("/")[-1]
        assert fsspec.filesystem("memory").cat_file(path) == local.read_bytes()
    assert told(locate(place)) == told(tmp_path)
    assert len(list(check_blocks(locate(place), 3))) == 3


def test_running_again_continues_and_extends(place, played):
    directory = locate(place)
    run_study(study(matches=20), directory, threads=1, block=7)
    outcome = run_study(study(), directory, threads=2, block=7)
    assert (outcome.played, outcome.present) == (3 * 40 * 3, 3 * 20 * 3)
    assert run_study(study(), directory, threads=2).played == 0
    whole = load(played).collect()
    assert load(place).collect().equals(whole)
    assert load(place).filter(variant="dirty").select(pl.len()).collect().item() == 180


def test_damaged_part_is_set_aside_there(place):
    directory = locate(place)
    asked = study()
    run_study(asked, directory, threads=1, block=25)
    path = next(directory.glob("matches/*/*.parquet"))
    content = path.read_bytes()
    path.write_bytes(content[:-20])
    said = []
    run_study(asked, directory, threads=1, block=25, notice=said.append)
    assert any("set aside" in line for line in said)
    assert path.read_bytes() == content
    assert next(directory.glob("damaged/*/*")).read_bytes() == content[:-20]


def test_mark_of_another_run_is_respected_and_told(place):
    directory = locate(place)
    (directory / LOCK).write_text('{"process": 4, "host": "elsewhere", "since": "noon"}')
    with pytest.raises(InputError, match="process 4 on elsewhere, since noon") as refused:
        run_study(study(), directory, threads=1)
    assert f"remove its mark {directory / LOCK}" in str(refused.value)
    (directory / LOCK).unlink()
    run_study(study(matches=3), directory, threads=1)
    assert not (directory / LOCK).exists()


def test_mark_of_a_run_that_was_killed_here_is_taken_over(place):
    import json
    import socket
    import subprocess

    process = subprocess.Popen(["true"])
    process.wait()
    directory = locate(place)
    mark = {"process": process.pid, "host": socket.gethostname(), "since": "noon"}
    (directory / LOCK).write_text(json.dumps(mark))
    with locked(directory):
        assert json.loads((directory / LOCK).read_text()) != mark


def test_a_run_within_a_run_is_refused_there_too(place):
    directory = locate(place)
    with locked(directory):
        mark = (directory / LOCK).read_bytes()
        with pytest.raises(InputError, match="another run is writing"), locked(directory):
            pass
        assert (directory / LOCK).read_bytes() == mark
    assert not (directory / LOCK).exists()


def test_nothing_is_written_over_there(place):
    path = locate(place) / "part.parquet"
    write_aside(path, b"old")
    with pytest.raises(InputError, match="never written over"):
        write_aside(path, b"new")
    assert path.read_bytes() == b"old"


def test_address_of_this_machine_is_a_directory(tmp_path, played):
    directory = locate(f"file://{tmp_path}/there")
    assert is_local(directory)
    run_study(study(), directory, threads=1)
    assert read_rows(tmp_path / "there") == read_rows(played)


@pytest.mark.parametrize(
    ("address", "fragment"),
    [("nowhere://x", "nowhere"), ("s3://bucket/x", "s3"), ("ftp://127.0.0.1:1/x", "ftp")],
)
def test_place_that_cannot_be_read_is_refused_in_a_line(address, fragment):
    with pytest.raises(InputError, match=fragment) as refused:
        locate(address)
    assert "\n" not in str(refused.value)


def test_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "upath", None)
    with pytest.raises(InputError, match=r"cardlab\[remote\]"):
        locate("memory://x")
