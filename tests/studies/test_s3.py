"""Results in a real object store: S3's protocol, over HTTP, spoken by a server on this machine.

Needs more than the tests' extra brings: `pip install '.[test,s3-server]'`.
"""

import pytest

from simcore.errors import InputError
from studies.check.stored_blocks import check_blocks
from studies.run.run import run_study
from studies.store.files import LOCK, locate
from tests.studies.conftest import load, program, study, told

s3fs = pytest.importorskip("s3fs")
server = pytest.importorskip("moto.server")
pytestmark = pytest.mark.filterwarnings("default")  # what these packages warn of is not ours


@pytest.fixture(scope="module")
def store():
    """The file system of a server with an empty bucket."""
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        patch.setenv("AWS_ACCESS_KEY_ID", "nobody")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        system = s3fs.S3FileSystem()
        system.mkdir("results")
        yield system
    running.stop()


@pytest.mark.parametrize("detail", ["matches", "summary"])
def test_files_are_those_of_a_local_run(store, tmp_path, detail):
    there = locate(f"s3://results/{detail}")
    asked = study(detail=detail)
    run_study(study(detail=detail, matches=30), there, threads=2, block=25)
    run_study(asked, there, threads=2, block=25)  # continues
    run_study(study(detail=detail, matches=30), tmp_path / "here", threads=2, block=25)
    run_study(asked, tmp_path / "here", threads=2, block=25)
    parts = sorted(path for path in store.find(f"results/{detail}") if "/cell=" in path)
    assert parts
    for path in parts:
        local = tmp_path / "here" / path.removeprefix(f"results/{detail}/")
        assert store.cat_file(path) == local.read_bytes()
    assert len(parts) == len(list((tmp_path / "here").glob("*/cell=*/*")))
    assert not store.exists(f"results/{detail}/{LOCK}")
    assert len(list(check_blocks(there, 3))) == 3
    assert told(there) == told(tmp_path / "here")
    if detail == "matches":
        assert load(there).collect().equals(load(tmp_path / "here").collect())


def test_damaged_part_is_set_aside_and_played_again(store):
    there = locate("s3://results/damaged")
    run_study(study(), there, threads=1, block=25)
    path = next(one for one in store.find("results/damaged") if "/cell=" in one)
    content = store.cat_file(path)
    store.pipe_file(path, content[:-20])
    said = []
    run_study(study(), locate("s3://results/damaged"), threads=1, block=25, notice=said.append)
    assert any("set aside" in line for line in said)
    assert store.cat_file(path) == content


def test_mark_of_another_run(store):
    store.pipe_file(f"results/held/{LOCK}", b'{"process": 4, "host": "elsewhere"}')
    with pytest.raises(InputError, match="process 4 on elsewhere"):
        run_study(study(), locate("s3://results/held"), threads=1)


def test_commands(store, tmp_path):
    import tomli_w

    path = tmp_path / "study.toml"
    path.write_text(tomli_w.dumps(study(matches=20).document))
    found = program("run", path, "--out", "s3://results/command")
    assert found.returncode == 0, found.stderr
    for command in ("compare", "check"):
        found = program(command, "s3://results/command")
        assert found.returncode == 0, found.stderr
    assert len([one for one in store.find("results/command") if "/cell=" in one]) == 3
    found = program("compare", "s3://nowhere/study")
    assert (found.returncode, found.stdout) == (2, "")
    assert "Traceback" not in found.stderr
