"""Compiled code on the disk: damaged, cut short, unwritable, written by several at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numba
import pytest

from simcore import codecache
from simcore.codecache import CodeFiles, keep_code
from simcore.jit import CACHE_FOLDER, JIT_DISABLED
from tests.patience import PATIENCE
from tests.studies.conftest import ROOT

PROGRAM = """
import sys
from pathlib import Path
import numba
from simcore.codecache import CodeFiles, keep_code

def thrice(x):
    total = x
    for i in range(2):
        total = total + x
    return total

thrice = keep_code(numba.njit(thrice), Path(sys.argv[1]))
print("ready", flush=True)
print(thrice(5), thrice(1.5), sum(thrice.stats.cache_hits.values()), CodeFiles.refusal)
"""

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")


@pytest.fixture(autouse=True)
def _no_refusal():
    yield
    CodeFiles.refusal = ""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def start(*arguments, env=None):
    return subprocess.Popen(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(process):
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    return out.splitlines()[-1].strip()


def twice(x):
    return x + x


def compiled(folder):
    return keep_code(numba.njit(twice), folder)


def files(folder):
    return sorted(folder.rglob("*.code"))


def flipped(content, place):
    return content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :]


DAMAGE = {
    "cut short": lambda content: content[:-1],
    "empty": lambda _: b"",
    "garbage": lambda content: os.urandom(len(content)),
    "one bit of the code": lambda content: (
        content[:-99] + bytes([content[-99] ^ 4]) + content[-98:]
    ),
    "one bit of the checksum": lambda content: (
        content[:20] + bytes([content[20] ^ 1]) + content[21:]
    ),
    "longer": lambda content: content + b"\0",
    "a pickle of something else": lambda _: b"\x80\x04N.",
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_file_is_compiled_again_and_mended(tmp_path, damage):
    assert compiled(tmp_path)(4) == 8
    (file,) = files(tmp_path)
    content = file.read_bytes()
    file.write_bytes(damage(content))
    again = compiled(tmp_path)
    assert again(4) == 8
    assert sum(again.stats.cache_hits.values()) == 0
    third = compiled(tmp_path)
    assert third(4) == 8
    assert sum(third.stats.cache_hits.values()) == 1


PAIR = """
import os
from pathlib import Path
import numba
from simcore.codecache import keep_code
from simcore.jit import _SameName

folder = Path(os.environ["FOLDER"])

def called(x):
    return 3 * x

def calls(x):
    return called(x) + 1

called = keep_code(numba.njit(pipeline_class=_SameName)(called), folder, shared=True)
calls = keep_code(numba.njit(calls), folder)
if os.environ.get("FIRST"):
    called(0.5)
print(calls(5), *(sum(one.stats.cache_hits.values()) for one in (calls, called)))
"""


@pytest.mark.parametrize("first", ["", "yes"])
def test_code_that_is_called_is_there_before_its_caller(tmp_path, first):
    (tmp_path / "pair.py").write_text(PAIR)
    env = {"PYTHONPATH": f"{ROOT}:{tmp_path}", "FOLDER": str(tmp_path), "FIRST": first}

    def run():
        return said(start("-c", "import pair", env=env))

    def lost(name):
        for file in tmp_path.rglob(f"*.{name}-*.code"):
            file.write_bytes(file.read_bytes()[:-1])

    runs = int(bool(first))
    assert run() == "16 0 0"
    assert run() == f"16 1 {1 + runs}"
    lost("calls")
    assert run() == f"16 0 {1 + runs}"
    assert run() == f"16 1 {1 + runs}"
    lost("called")
    assert run() == "16 1 0"
    assert run() == f"16 1 {1 + runs}"


def test_each_signature_has_a_file_of_its_own(tmp_path):
    one, other = compiled(tmp_path), compiled(tmp_path)
    assert (one(4), other(1.5)) == (8, 3.0)  # neither knew of the other's file
    third = compiled(tmp_path)
    assert (third(4), third(1.5)) == (8, 3.0)
    assert sum(third.stats.cache_hits.values()) == 2
    assert len(files(tmp_path)) == 2


def test_keys_hold_no_address_of_this_process():
    seen = []
    original = CodeFiles.path
    try:
        CodeFiles.path = lambda self, key: (seen.append(str(key)), original(self, key))[1]
        compiled(CACHE_FOLDER.parent / "none")(4)
    finally:
        CodeFiles.path = original
    assert seen
    assert not any(" at 0x" in text for text in seen)


def test_a_folder_that_cannot_be_made_costs_time_only(tmp_path):
    place = tmp_path / "file"
    place.write_text("in the way")
    assert compiled(place / "below")(4) == 8
    assert CodeFiles.refusal == "Not a directory"


def test_a_full_disk_costs_time_only(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(codecache.Path, "replace", full)
    assert compiled(tmp_path)(4) == 8
    assert CodeFiles.refusal == "No space left on device"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_read_only_folder_is_read(tmp_path, program):
    folder = tmp_path / "code"
    assert said(start(program, folder)) == "15 4.5 0"
    made = subprocess.run(["mount", "--bind", folder, folder], capture_output=True, check=False)
    if made.returncode:
        pytest.skip("may not mount here")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", folder], check=True)
        assert said(start(program, folder)) == "15 4.5 2"
        files_before = files(folder)
        changed = program.with_name("other.py")
        changed.write_text(PROGRAM.replace("range(2)", "range(3)"))
        assert said(start(changed, folder)) == "20 6.0 0 Read-only file system"
        assert files(folder) == files_before
    finally:
        subprocess.run(["umount", folder], check=True)


def test_processes_that_compile_at_once_agree(tmp_path, program):
    folder = tmp_path / "code"
    both = [start(program, folder) for _ in range(3)]
    assert {said(process)[:6] for process in both} == {"15 4.5"}
    assert said(start(program, folder)) == "15 4.5 2"
    assert len(files(folder)) == 2
    assert not list(folder.rglob("*.tmp"))


NAMES = """
import sys
import numba
import numpy as np
from numba.core.itanium_mangler import mangle
import simcore.jit

for fields in sys.argv[1].split():
    record = numba.from_dtype(np.dtype([(field, "i8") for field in fields]))
print(mangle("f", [record, record[:]]))
"""


def test_names_of_code_do_not_depend_on_what_was_compiled_before():
    """Code calls that of other functions by these names, which another process may have written."""
    first, later = (said(start("-c", NAMES, fields)) for fields in ("ab", "abc abcd ab"))
    assert first == later != said(start("-c", NAMES, "ac"))


def test_killed_while_compiling(tmp_path, program):
    folder = tmp_path / "code"
    for moment in (0.02, 0.15, 0.4):
        process = start(program, folder)
        assert process.stdout.readline() == "ready\n"
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert said(start(program, folder))[:6] == "15 4.5"
    assert said(start(program, folder)) == "15 4.5 2"


def test_the_command_says_that_code_is_not_kept(monkeypatch, capsys):
    from studies.cli.app import run_app

    monkeypatch.setattr(CodeFiles, "refusal", "Read-only file system")
    assert run_app(["games"]) == 0
    found = capsys.readouterr()
    assert "(Read-only file system), so the next start compiles again; CARDLAB_CACHE" in found.err
