"""Studies in places that cannot be written, and what killed runs leave behind."""

import errno
import os
import shutil
import subprocess

import pytest

from simcore.errors import InputError
from studies.run.run import run_study
from studies.store.files import TEMPORARY
from tests.studies.conftest import cardlab, cut, everything, goal_study, study


@pytest.fixture
def sealed_off(monkeypatch):
    """Make a directory one that nothing can be written into, for root as well."""
    real_open, real_mkdir = os.open, os.mkdir

    def seal(directory):
        def refuse(path, *, is_written):
            if is_written and str(path).startswith(str(directory)):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

        def open_(path, flags, *rest, **named):
            refuse(path, is_written=flags & (os.O_CREAT | os.O_WRONLY | os.O_RDWR))
            return real_open(path, flags, *rest, **named)

        def mkdir(path, *rest, **named):
            refuse(path, is_written=not os.path.isdir(path))  # noqa: PTH112 (pathlib calls this)
            return real_mkdir(path, *rest, **named)

        monkeypatch.setattr(os, "open", open_)
        monkeypatch.setattr(os, "mkdir", mkdir)
        return directory

    return seal


def test_complete_study_has_nothing_to_do(copy, sealed_off):
    before = everything(copy)
    outcome = run_study(study(), sealed_off(copy), threads=1)
    assert (outcome.played, outcome.present) == (0, 540)
    assert run_study(study(matches=40), copy, threads=1).present == 360
    assert everything(copy) == before


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"matches": 61}, "matches of 3 cells are still to be played"),
        ({"compare": {"margin": 0.5}}, "margin or .measures. are others"),
        ({"goal": {"half_width": 0.01}, "matches": 70}, "matches of 3 cells"),
    ],
)
def test_what_would_have_to_be_written_is_said(copy, sealed_off, change, why):
    with pytest.raises(InputError, match=f"Read-only file system; .*{why}"):
        run_study(study(**change), sealed_off(copy), threads=1)


def test_damaged_part_that_cannot_be_set_aside_is_named(copy, sealed_off):
    path = next(copy.glob("matches/*/*.parquet"))
    cut(path, 9)
    with pytest.raises(InputError, match=f"Read-only file system; .*{path.name} is damaged"):
        run_study(study(), sealed_off(copy), threads=1)


def test_goal_that_was_reached_needs_no_writing_and_another_one_does(tmp_path, sealed_off):
    def reasons(outcome):
        return {name: stop.why for name, stop in outcome.stops.items()}

    first = run_study(goal_study(0.08), tmp_path / "goal", threads=2)
    again = run_study(goal_study(0.08), sealed_off(tmp_path / "goal"), threads=2)
    assert again.played == 0
    assert reasons(again) == reasons(first)
    for planned in (goal_study(0.04), goal_study(goal=None)):
        with pytest.raises(InputError, match="matches of 6 cells are still to be played"):
            run_study(planned, tmp_path / "goal", threads=2)


def test_new_study_is_refused(tmp_path, sealed_off):
    sealed_off(tmp_path / "shut")
    with pytest.raises(InputError, match="Read-only file system"):
        run_study(study(), tmp_path / "shut" / "new", threads=1)


@pytest.mark.usefixtures("undrawn")
def test_commands_on_a_file_system_that_is_mounted_read_only(played, tmp_path, study_file):
    place = tmp_path / "mounted"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "none", place]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("may not mount a file system here")
    try:
        directory = shutil.copytree(played, place / "study")
        subprocess.run(["mount", "-o", "remount,ro", place], check=True)
        path = study_file()
        run = cardlab("run", path, "--out", directory, check=True)
        assert "nothing to do: all 540 matches are stored already" in run.stderr
        for arguments in (("compare",), ("check", "--blocks", "1")):
            cardlab(arguments[0], directory, *arguments[1:], check=True)
        report = cardlab("report", directory, check=True, cwd=tmp_path)
        assert "so the report goes elsewhere" in report.stderr
        assert (tmp_path / "study-report.html").is_file()
        refused = cardlab("run", path, "--out", directory, "--matches", "61")
        assert refused.returncode == 2
        assert "are still to be played" in refused.stderr
        assert refused.stderr.count("\n") == 1
    finally:
        subprocess.run(["umount", place], check=True)


def test_leftovers_of_killed_runs_are_cleared_away(copy):
    cell = next(copy.glob("matches/cell=*"))
    before = everything(copy)
    for path in (
        copy / f".provenance.json.4{TEMPORARY}",
        copy / f".study.toml.99999{TEMPORARY}",
        copy / f".cells.parquet.7{TEMPORARY}",
        cell / f".0000000000060-25.parquet.4{TEMPORARY}",
    ):
        path.write_bytes(b"half")
    assert run_study(study(), copy, threads=1).played == 0
    assert everything(copy) == before
