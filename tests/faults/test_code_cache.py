"""Compiled code on the disk: what is damaged, or cannot be written, costs time and nothing else."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from simcore.codecache import CodeFiles

CODE = bytes(range(256)) * 40


@pytest.fixture
def files(tmp_path):
    return CodeFiles(tmp_path / "kernels", "unit")


def test_what_was_saved_is_found_under_its_key_alone(files):
    files.save("one", CODE)
    assert files.load("one") == CODE
    assert files.load("other") is None
    assert not list(files.folder.glob("*.tmp"))


@pytest.mark.parametrize("damage", ["cut", "a bit", "empty", "other"])
def test_a_damaged_file_is_not_run_and_mended(files, damage):
    files.save("one", CODE)
    path = files.path("one")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    whole = path.read_bytes()
    path.write_bytes(
        {"cut": whole[:-9], "a bit": content, "empty": b"", "other": b"x" * 99}[damage]
    )
    assert files.load("one") is None
    files.save("one", CODE)
    assert files.load("one") == CODE


def test_a_full_disk_costs_time_only(files, monkeypatch):
    def full(_self, _target):
        raise OSError(errno.ENOSPC, "No space left on device")

    files.save("one", CODE)
    monkeypatch.setattr(Path, "replace", full)
    files.save("two", CODE)
    assert files.load("two") is None
    assert CodeFiles.refusal == "No space left on device"
    assert not list(files.folder.glob("*.tmp"))
    CodeFiles.refusal = ""


def test_a_folder_that_cannot_be_made_costs_time_only(tmp_path):
    (tmp_path / "file").write_text("")
    files = CodeFiles(tmp_path / "file" / "kernels", "unit")
    files.save("one", CODE)
    assert files.load("one") is None
    assert CodeFiles.refusal
    CodeFiles.refusal = ""
