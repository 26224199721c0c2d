"""Compiled code on the disk: what is damaged, or cannot be written, costs time and nothing else.

What others could have put into its folder is not run.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from simcore import cache

CODE = bytes(range(256)) * 40
STRANGER = 61_002


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "FOLDER", tmp_path / "a" / "kernels")
    monkeypatch.setattr(cache, "refusal", "")
    return cache.FOLDER


def test_what_was_saved_is_found_under_its_name_alone(folder):
    cache.save("one", CODE)
    assert cache.load("one") == CODE
    assert cache.load("other") is None
    assert [file.name for file in folder.iterdir()] == ["one"]


@pytest.mark.parametrize("damage", ["cut", "a bit", "empty", "other"])
def test_a_damaged_file_is_not_run_and_mended(folder, damage):
    cache.save("one", CODE)
    intact = (folder / "one").read_bytes()
    content = bytearray(intact)
    content[len(content) // 2] ^= 4
    (folder / "one").write_bytes(
        {"cut": intact[:-9], "a bit": content, "empty": b"", "other": b"x" * 99}[damage]
    )
    assert cache.load("one") is None
    cache.save("one", CODE)
    assert cache.load("one") == CODE


def test_a_full_disk_costs_time_only(folder, monkeypatch):
    def full(_self, _target):
        raise OSError(errno.ENOSPC, "No space left on device")

    cache.save("one", CODE)
    monkeypatch.setattr(Path, "replace", full)
    cache.save("two", CODE)
    assert cache.load("two") is None
    assert cache.refusal == "No space left on device"
    assert [file.name for file in folder.iterdir()] == ["one"]


def test_a_folder_that_cannot_be_made_costs_time_only(folder):
    folder.parent.write_text("")
    cache.save("one", CODE)
    assert cache.load("one") is None
    assert cache.refusal


def test_a_new_folder_is_the_users_alone(folder):
    old = os.umask(0)
    try:
        cache.save("one", CODE)
    finally:
        os.umask(old)
    assert {file.stat().st_mode & 0o777 for file in (folder, folder.parent)} == {0o700}
    assert (folder / "one").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("what", ["folder", "file"])
@pytest.mark.parametrize("change", ["open to all", "open to a group", "a stranger's", "a link"])
def test_what_others_could_have_written_is_not_run(folder, what, change):
    cache.save("one", CODE)
    place = folder if what == "folder" else folder / "one"
    if change == "a stranger's":
        if os.getuid() != 0:
            pytest.skip("only root can be two users")
        os.chown(place, STRANGER, STRANGER)
    elif change == "a link":
        target = place.rename(place.with_name("there"))
        place.symlink_to(target)
    else:
        place.chmod(place.stat().st_mode | (0o002 if change == "open to all" else 0o020))
    assert cache.load("one") is None
    if change != "a link" or what == "folder":
        assert cache.refusal == f"{place} is another user's, or others can write to it"
    if what == "folder":
        cache.save("two", CODE)
        assert not (folder / "two").exists()


def test_what_was_not_used_for_longest_is_removed_beyond_the_limit(folder, monkeypatch):
    monkeypatch.setattr(cache, "MOST_BYTES", 400)
    for place, name in enumerate("abc"):
        cache.save(name, bytes([place + 1]) * 100)
        os.utime(folder / name, (place, place))
    assert cache.load("a")  # used, and so the youngest
    cache.save("d", b"4" * 100)
    assert [bool(cache.load(name)) for name in "abcd"] == [True, False, True, True]
    assert cache.clear() == 3 * 132
    assert not list(folder.iterdir())
