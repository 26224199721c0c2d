"""Results in places that are not a directory of this machine, in memory and in an object store.

The store is S3's protocol, over HTTP, spoken by a server on this machine; it needs more than the
tests' extra brings: `pip install '.[test,s3-server]'`.
"""

import json
import socket
import subprocess
import sys

import fsspec
import polars as pl
import pytest

from simcore.errors import InputError
from studies.check.stored_blocks import check_blocks
from studies.run.run import run_study
from studies.store.files import LOCK, is_local, locate, locked, write_aside
from tests.studies.conftest import contents, load, program, read_rows, study, totals_of


@pytest.fixture(scope="module")
def bucket():
    """Return the address of an empty bucket of a server."""
    s3fs = pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server")
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        patch.setenv("AWS_ACCESS_KEY_ID", "nobody")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        s3fs.S3FileSystem().mkdir("results")
        yield "s3://results"
    running.stop()


OF_OTHERS = pytest.mark.filterwarnings("default")  # what the server's packages warn of is not ours


@pytest.fixture(params=["memory", pytest.param("s3", marks=OF_OTHERS)])
def place(request):
    """A directory of its own in each kind of place."""
    name = "".join(letter for letter in request.node.name if letter.isalnum())
    if request.param == "s3":
        yield locate(f"{request.getfixturevalue('bucket')}/{name}")
        return
    yield locate(f"memory://bucket/{name}")
    system = fsspec.filesystem("memory")
    if system.exists("/bucket"):
        system.rm("/bucket", recursive=True)


@pytest.mark.parametrize("detail", ["matches", "summary"])
def test_files_are_those_of_a_local_run_that_goes_on_and_extends(place, tmp_path, detail):
    for directory in (place, tmp_path):
        run_study(study(detail=detail, matches=20), directory, threads=2, block=7)
        outcome = run_study(study(detail=detail), directory, threads=2, block=7)
        assert (outcome.played, outcome.present) == (3 * 40 * 3, 3 * 20 * 3)
        assert run_study(study(detail=detail), directory, threads=2).played == 0
    local = contents(tmp_path)
    folder = {"matches": "matches", "summary": "sums"}[detail]
    remote = {
        "/".join(path.parts[-3:]): path.read_bytes() for path in place.glob(f"{folder}/*/*.parquet")
    }
    assert len(local) > 9
    assert remote == local
    assert not (place / LOCK).exists()
    assert len(list(check_blocks(place, 3))) == 3
    assert totals_of(place) == totals_of(tmp_path)
    if detail == "matches":
        assert load(place).collect().equals(load(tmp_path).collect())
        assert load(place).filter(variant="dirty").select(pl.len()).collect().item() == 180


def test_damaged_part_is_set_aside_there_and_played_again(place):
    run_study(study(), place, threads=1, block=25)
    path = next(place.glob("matches/*/*.parquet"))
    content = path.read_bytes()
    path.write_bytes(content[:-20])
    notices = []
    run_study(study(), locate(str(place)), threads=1, block=25, notice=notices.append)
    assert any("set aside" in line for line in notices)
    assert path.read_bytes() == content
    assert next(place.glob("damaged/*/*")).read_bytes() == content[:-20]


def test_mark_of_another_run_is_respected_and_told(place):
    (place / LOCK).write_text('{"process": 4, "host": "elsewhere", "since": "noon"}')
    with pytest.raises(InputError, match="process 4 on elsewhere, since noon") as refused:
        run_study(study(), place, threads=1)
    assert f"remove its mark {place / LOCK}" in str(refused.value)
    (place / LOCK).unlink()
    run_study(study(matches=3), place, threads=1)
    assert not (place / LOCK).exists()


def test_mark_of_a_run_that_was_killed_here_is_taken_over(place):
    process = subprocess.Popen(["true"])
    process.wait()
    mark = {"process": process.pid, "host": socket.gethostname(), "since": "noon"}
    (place / LOCK).write_text(json.dumps(mark))
    with locked(place):
        assert json.loads((place / LOCK).read_text()) != mark


def test_a_run_within_a_run_is_refused_there_too(place):
    with locked(place):
        mark = (place / LOCK).read_bytes()
        with pytest.raises(InputError, match="another run is writing"), locked(place):
            pass
        assert (place / LOCK).read_bytes() == mark
    assert not (place / LOCK).exists()


def test_nothing_is_written_over(place, tmp_path):
    for directory in (place, tmp_path):
        path = directory / "part.parquet"
        write_aside(path, b"old")
        with pytest.raises(InputError, match="never written over"):
            write_aside(path, b"new")
        assert path.read_bytes() == b"old"


@OF_OTHERS
def test_commands_of_an_object_store(bucket, study_file):
    address = f"{bucket}/command"
    for arguments in (("run", study_file(matches=20), "--out"), ("compare",), ("check",)):
        process = program(*arguments, address)
        assert process.returncode == 0, process.stderr
    assert len(list(locate(address).glob("matches/*/*"))) == 3
    refused = program("compare", "s3://nowhere/study")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "Traceback" not in refused.stderr


def test_address_of_this_machine_is_a_directory(tmp_path, played):
    directory = locate(f"file://{tmp_path}/there")
    assert is_local(directory)
    run_study(study(), directory, threads=1)
    assert read_rows(tmp_path / "there") == read_rows(played)


@pytest.mark.parametrize(
    ("address", "fragment"),
    [("nowhere://x", "nowhere"), ("s3://bucket/x", "s3"), ("ftp://127.0.0.1:1/x", "ftp")],
)
def test_place_that_cannot_be_read_is_refused_in_a_line(address, fragment, monkeypatch):
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)  # of the server above
    with pytest.raises(InputError, match=fragment) as refused:
        locate(address)
    assert "\n" not in str(refused.value)


def test_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "upath", None)
    with pytest.raises(InputError, match=r"cardlab\[remote\]"):
        locate("memory://x")
