"""What may befall a run: kills, full disks, damaged and foreign files, other runs."""

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest
import tomli_w

from simcore.errors import DataError, InputError
from studies.design.cells import expand
from studies.run.run import run_study
from studies.store import parts
from studies.store.files import cannot_write
from studies.store.opened import open_study
from studies.store.parts import cell_folder, parse_part, present
from studies.store.writing import Writer
from tests.patience import PATIENCE
from tests.studies.conftest import (
    ROOT,
    cardlab,
    document,
    load,
    parts_there,
    read_rows,
    study,
    told,
)
from tests.studies.test_store import everything

ONE_LINEUP = [{"name": "one", "seats": ["random"]}]


def start(directory, path):
    return subprocess.Popen(
        [sys.executable, "-m", "studies.cli.app", "run", path, "--out", directory],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def long_study(tmp_path):
    path = tmp_path / "long.toml"
    lineups = [{"name": "one", "seats": ["random"]}]
    path.write_text(tomli_w.dumps(document(matches=10**9, lineups=lineups)))
    return path


def wait_for_parts(directory, process, count):
    deadline = time.monotonic() + PATIENCE
    while len(list(directory.glob("matches/*/*.parquet"))) < count:
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline, "no parts appear"
        time.sleep(0.02)


@pytest.mark.whole
def test_killed_at_three_random_moments_and_continued(tmp_path):
    path = tmp_path / "study.toml"
    asked = document(matches=10**8, lineups=ONE_LINEUP, block=1000)
    path.write_text(tomli_w.dumps(asked))
    directory = tmp_path / "out"
    choice = random.SystemRandom()  # other moments each time
    for kill in range(3):
        process = start(directory, path)
        wait_for_parts(directory, process, 1 + len(list(directory.glob("matches/*/*.parquet"))))
        time.sleep(choice.uniform(0, 0.7))
        assert process.poll() is None, "it ended before it was killed"
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        assert list(directory.glob("matches/*/*.parquet")), kill
    reached = max(parse_part(path).stop for path in directory.glob("matches/*/*.parquet"))
    last = study(lineups=ONE_LINEUP, matches=reached + 1500, block=1000)
    outcome = run_study(last, directory, threads=2)
    assert outcome.present > 0
    assert outcome.played >= 3 * 1500
    run_study(last, tmp_path / "whole", threads=2)
    names = {str(one.relative_to(directory)) for one in directory.glob("matches/*/*")}
    assert names == {
        str(one.relative_to(tmp_path / "whole")) for one in (tmp_path / "whole").glob("matches/*/*")
    }
    for name in names:
        assert (directory / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.whole
def test_interrupted_run_says_how_to_continue(long_study, tmp_path):
    directory = tmp_path / "out"
    process = start(directory, long_study)
    wait_for_parts(directory, process, 4)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, stderr
    assert f"cardlab run {long_study} --out {directory}" in stderr
    assert "Traceback" not in stderr
    assert not list(directory.rglob("*.tmp"))


def test_full_disk_ends_the_run_and_loses_nothing(played, tmp_path, monkeypatch):
    real, room = Writer.keep, [4]

    def write(self, encoded):
        room[0] -= 1
        if room[0] < 0:
            raise cannot_write(tmp_path, OSError(errno.ENOSPC, "No space left on device"))
        return real(self, encoded)

    monkeypatch.setattr(Writer, "keep", write)
    with pytest.raises(InputError, match="disk is full") as refused:
        run_study(study(), tmp_path, threads=2, block=10)
    assert "run the same command again, it continues" in str(refused.value)
    cells = expand(study())
    assert sum(len(parts_there(tmp_path, cell)) for cell in cells) == 4
    monkeypatch.setattr(Writer, "keep", real)
    assert run_study(study(), tmp_path, threads=2, block=10).present == 4 * 10 * 3
    assert read_rows(tmp_path) == read_rows(played)


@pytest.fixture
def small_disk(tmp_path):
    """A file system of its own, of 400 kB."""
    place = tmp_path / "small"
    place.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "none", place],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("may not mount a small file system here")
    yield place
    subprocess.run(["umount", place], check=True)


@pytest.mark.whole
def test_really_full_disk(small_disk, tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(tomli_w.dumps(document(matches=20_000, lineups=ONE_LINEUP, block=500)))
    found = cardlab("run", path, "--out", small_disk / "out")
    assert found.returncode == 2
    assert "disk is full" in found.stderr
    assert "Traceback" not in found.stderr
    assert not list(small_disk.rglob("*.tmp"))
    kept = [parse_part(path) for path in (small_disk / "out").glob("matches/*/*.parquet")]
    assert len(kept) > 3  # the last of them perhaps not named in the manifest any more
    open_study(small_disk / "out").verify()
    shutil.copytree(small_disk / "out", tmp_path / "moved")  # to a disk with room
    there = present(kept, 20_000)
    again = study(lineups=ONE_LINEUP, matches=20_000, block=500)
    outcome = run_study(again, tmp_path / "moved", threads=2)
    assert outcome.present == there
    assert load(tmp_path / "moved").collect().height == 3 * 20_000


def test_truncated_part_stops_readers_and_is_played_again(played, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(played, directory)
    part = parts_there(directory, expand(study())[1])[1]
    part.path.write_bytes(part.path.read_bytes()[:-100])
    for read in (told, load):
        with pytest.raises(DataError, match="is damaged: it is cut short") as refused:
            read(directory)
        assert part.path.name in str(refused.value)
    said = []
    run_study(study(), directory, threads=1, block=25, notice=said.append)
    assert len([line for line in said if "its 25 match numbers are played again" in line]) == 1
    assert read_rows(directory) == read_rows(played)


def test_part_whose_middle_was_changed_is_named(played, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(played, directory)
    part = parts_there(directory, expand(study())[0])[0]
    content = bytearray(part.path.read_bytes())
    content[200] ^= 255
    part.path.write_bytes(content)
    with pytest.raises(DataError) as refused:
        parts.read_part(part)
    assert part.path.name in str(refused.value)


def test_foreign_files_are_left_alone_and_do_not_count(played, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(played, directory)
    folder = cell_folder(directory, expand(study())[0].id)
    (directory / "notes.txt").write_text("mine")
    (directory / "matches" / "more").mkdir()
    shutil.copy(next(folder.glob("*.parquet")), folder / "my copy.parquet")
    (folder / "sub").mkdir()
    before = everything(directory)
    said = []
    assert run_study(study(), directory, threads=1, notice=said.append).played == 0
    assert load(directory).collect().height == 3 * 60 * 3
    assert told(directory) == told(played)
    assert any("my copy.parquet" in line and "ignored" in line for line in said)
    assert everything(directory) == before


def test_foreign_file_with_the_name_of_a_part_is_set_aside(played, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    directory = tmp_path / "copy"
    shutil.copytree(played, directory)
    part = parts_there(directory, expand(study())[2])[2]
    pq.write_table(pa.table({"match": [1, 2, 3]}), part.path)
    foreign = part.path.read_bytes()
    said = []
    run_study(study(), directory, threads=1, block=25, notice=said.append)
    assert any("set aside" in line and part.path.name in line for line in said)
    assert (directory / "damaged" / part.path.parent.name / part.path.name).read_bytes() == foreign
    assert read_rows(directory) == read_rows(played)


@pytest.mark.whole
def test_two_runs_at_once(long_study, tmp_path):
    directory = tmp_path / "out"
    process = start(directory, long_study)
    try:
        wait_for_parts(directory, process, 1)
        second = cardlab("run", long_study, "--out", directory)
        assert (second.returncode, second.stdout) == (2, "")
        assert f"another run is writing to {directory} (process {process.pid} on" in second.stderr
        assert len(second.stderr.splitlines()) == 1
        assert process.poll() is None
    finally:
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130, stderr
    cells = expand(study(lineups=ONE_LINEUP))
    assert sum(len(parts_there(directory, cell)) for cell in cells) > 0


@pytest.mark.whole
def test_two_runs_started_at_the_same_moment(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(tomli_w.dumps(document(matches=3000, lineups=ONE_LINEUP, block=100)))
    directory = tmp_path / "out"
    both = [start(directory, path) for _ in range(2)]
    ended = [(process.communicate(timeout=PATIENCE)[1], process.returncode) for process in both]
    assert {status for _, status in ended} <= {0, 2}
    assert any(status == 0 for _, status in ended)
    for stderr, status in ended:
        assert "Traceback" not in stderr
        if status == 2:
            assert "another run is writing" in stderr
    run_study(study(matches=3000, lineups=ONE_LINEUP), tmp_path / "whole", threads=2)
    assert read_rows(directory) == read_rows(tmp_path / "whole")


def test_folder_with_the_name_of_a_part_is_told(played, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(played, directory)
    part = parts_there(directory, expand(study())[0])[0]
    part.path.unlink()
    part.path.mkdir()
    with pytest.raises(DataError, match=part.path.name):
        told(directory)
    said = []
    run_study(study(), directory, threads=1, block=25, notice=said.append)
    assert any(part.path.name in line and "set aside" in line for line in said)
    assert told(directory) == told(played)
