"""Compiled code is run: what others could have put into its folder is not looked at."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from simcore import codecache, private
from simcore.codecache import CodeFiles
from simcore.private import exposure, make_private
from tests.studies.conftest import ROOT

VICTIM, STRANGER = 61_001, 61_002
"""Users without an entry, so without a home."""

IS_ROOT = hasattr(os, "getuid") and os.getuid() == 0
by_root = pytest.mark.skipif(not IS_ROOT, reason="only root can be two users")


@pytest.fixture(autouse=True)
def _as_new():
    codecache._exposures.clear()
    yield
    codecache._exposures.clear()
    CodeFiles.refusal = ""


@pytest.fixture
def shared():
    """A folder like /tmp, which other users reach.

    Not below pytest's own folder, which every pytest that starts closes to others.
    """
    with tempfile.TemporaryDirectory(prefix="shared-") as name:
        folder = Path(name)
        for above in folder.parents:
            if above.stat().st_mode & 0o005 != 0o005:
                pytest.skip("other users do not get here")
        folder.chmod(0o1777)
        yield folder


def files(folder):
    return sorted(folder.rglob("*.code"))


class Harm:
    """What a stranger would have run."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self):
        return (Path.touch, (self.mark,))


def planted(files, key, mark):
    payload = pickle.dumps(Harm(mark))
    files.folder.mkdir(parents=True, exist_ok=True)
    files.path(key).write_bytes(codecache._MAGIC + codecache._digest(payload) + payload)


def test_a_new_folder_is_the_users_alone(tmp_path):
    old = os.umask(0)
    try:
        CodeFiles(tmp_path / "a" / "b", "f-1").save("key", [8])
    finally:
        os.umask(old)
    (file,) = files(tmp_path)
    way = [one for one in file.parents if tmp_path in one.parents]
    assert {one.stat().st_mode & 0o777 for one in way} == {0o700}
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o757, 0o702])
def test_what_others_could_have_written_is_not_run(tmp_path, mode):
    place, mark = CodeFiles(tmp_path / "code", "f-1"), tmp_path / "run"
    planted(place, "key", mark)
    place.folder.chmod(mode)
    assert place.load("key") is None
    assert not mark.exists()
    assert CodeFiles.refusal == (
        f"others can write to {place.folder}, and what lies there would be run"
    )
    before = list(place.folder.iterdir())
    place.save("other", [1])
    assert list(place.folder.iterdir()) == before


def test_a_parent_that_others_can_rename_in_is_not_trusted(tmp_path):
    place, mark = CodeFiles(tmp_path / "open" / "code", "f-1"), tmp_path / "run"
    planted(place, "key", mark)
    place.folder.chmod(0o700)
    (tmp_path / "open").chmod(0o777)
    assert place.load("key") is None
    assert not mark.exists()
    codecache._exposures.clear()
    (tmp_path / "open").chmod(0o1777)  # nobody may rename what is another's
    place.folder.joinpath(place.path("key").name).chmod(0o600)
    place.load("key")
    assert mark.exists()


def test_a_file_that_others_could_write_is_not_run(tmp_path):
    """It may have been changed while the folder was open to all."""
    place, mark = CodeFiles(tmp_path / "code", "f-1"), tmp_path / "run"
    planted(place, "key", mark)
    place.folder.chmod(0o700)
    place.path("key").chmod(0o666)
    assert place.load("key") is None
    assert not mark.exists()


def test_links_are_followed_as_the_system_does(tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "code").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "open" / "code")
    (tmp_path / "near").symlink_to(Path("open") / ".." / "open" / "code")
    for name in ("link", "near"):
        assert exposure(tmp_path / name) == ""
    (tmp_path / "open").chmod(0o777)
    for name in ("link", "near"):
        assert exposure(tmp_path / name) == f"others can write to {tmp_path / 'open'}"
    (tmp_path / "round").symlink_to(tmp_path / "round")
    with pytest.raises(OSError, match="links"):
        exposure(tmp_path / "round")


@by_root
def test_the_folder_of_another_user_is_not_trusted(tmp_path):
    folder = tmp_path / "theirs" / "below"
    assert make_private(folder) == ""
    os.chown(tmp_path / "theirs", STRANGER, STRANGER)
    assert exposure(folder) == f"{tmp_path / 'theirs'} belongs to user {STRANGER}"


@by_root
def test_in_a_sandbox_root_may_have_no_number(tmp_path, monkeypatch):
    folder = tmp_path / "roots" / "below"
    assert make_private(folder) == ""
    os.chown(tmp_path / "roots", STRANGER, STRANGER)
    monkeypatch.setattr(private, "_unmapped_user", lambda: STRANGER)
    assert exposure(folder) == ""
    os.chown(folder, STRANGER, STRANGER)
    assert exposure(folder) == f"{folder} belongs to user {STRANGER}"


VICTIMS_PROGRAM = """
import os, sys, tempfile
import simcore.jit
from simcore.codecache import CodeFiles
from simcore.jit import cache_folder
sources = simcore.jit.source_hash()  # sources and Python may lie where only root reads
simcore.jit.source_hash = lambda: sources
os.setgroups([]); os.setgid({victim}); os.setuid({victim})
os.environ.pop("HOME", None); os.environ.pop("XDG_CACHE_HOME", None)
os.environ.pop("CARDLAB_CACHE", None); os.environ.update({environment!r})
tempfile.tempdir = {shared!r}
files = CodeFiles(cache_folder() / "up", "f-1")
found = files.load("key")
files.save("key", [1, 2])
print(files.folder, found, files.load("key"), CodeFiles.refusal, sep="|")
"""


def victim(shared, **environment):
    """Return folder, what is loaded there, what is loaded after it was saved, and the refusal."""
    program = VICTIMS_PROGRAM.format(victim=VICTIM, shared=str(shared), environment=environment)
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    return found.stdout.strip("\n").split("|")


def plant_as_stranger(folder, mark):
    planted(CodeFiles(folder, "f-1"), "key", mark)
    for one in (folder, *folder.parents):
        if one.name.startswith(("cardlab", "kernels", "up", "code")):
            os.chown(one, STRANGER, STRANGER)
    os.chown(CodeFiles(folder, "f-1").path("key"), STRANGER, STRANGER)


@by_root
def test_without_a_home_a_strangers_code_among_temporary_files_is_not_run(shared):
    mine, found, kept, refusal = victim(shared)
    assert (found, kept, refusal) == ("None", "[1, 2]", "")
    assert mine.startswith(f"{shared}/cardlab-{VICTIM}/kernels-")
    base = shared / f"cardlab-{VICTIM}"
    assert (base.stat().st_mode & 0o777, base.stat().st_uid) == (0o700, VICTIM)
    base.rename(shared / "away")
    plant_as_stranger(Path(mine), shared / "run")
    _, found, kept, refusal = victim(shared)
    assert (found, kept) == ("None", "None")
    assert refusal.startswith(f"{base} belongs to user {STRANGER}")
    assert not (shared / "run").exists()


@by_root
@pytest.mark.parametrize("variable", ["CARDLAB_CACHE", "XDG_CACHE_HOME"])
def test_a_named_folder_of_a_stranger_is_not_trusted(shared, variable):
    place = {variable: str(shared / "code")}
    mine, found, _, refusal = victim(shared, **place)
    assert (found, refusal) == ("None", "")
    (shared / "code").rename(shared / "away")
    plant_as_stranger(Path(mine), shared / "run")
    _, found, kept, refusal = victim(shared, **place)
    assert (found, kept) == ("None", "None")
    assert "belongs to user" in refusal
    assert not (shared / "run").exists()


@by_root
def test_what_root_has_compiled_is_run(shared):
    """As in a container: root owns the folder, and another user plays."""
    place = {"CARDLAB_CACHE": str(shared / "code")}
    mine, *_ = victim(shared, **place)
    (shared / "code").rename(shared / "away")
    folder = Path(mine)
    CodeFiles(folder, "f-1").save("key", [3])
    for one in (folder, *list(folder.parents)[:2]):
        one.chmod(0o755)
    CodeFiles(folder, "f-1").path("key").chmod(0o644)
    _, found, kept, refusal = victim(shared, **place)
    assert (found, kept) == ("[3]", "[3]")
    assert refusal == "Permission denied"
