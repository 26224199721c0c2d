"""Mutated study files, tampered directories and flipped bits: told in a line, or harmless.

By default a few of each; `long` has hundreds, other ones every time.
"""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import time

import pytest
import tomli_w

from simcore.errors import InputError
from studies.cli.app import run_app
from studies.design.cells import expand
from studies.design.study import LIBRARY, library_names, load_study
from studies.run.run import run_study
from tests.faults.mutants import edit, mutated_study, tamper
from tests.studies.conftest import document, load, name_anew, study

FEW, MANY = 20, 600
REPORTED = 20
"""Of so many directories that compare accepts one is reported, which takes seconds."""

SMALL = tomli_w.dumps(
    document(
        matches=20,
        sweep={"players": [2, 3], "greedy.card": [1, 2.5]},
        options={"rounds": 1},
        compare={"margin": {"win_share": 0.3, "score": 5.0}},
        lineups=[
            {"name": "pair", "seats": ["random", "greedy"], "rotate": True},
            {"name": "one", "seats": ["random"], "variants": False},
        ],
        goal={"half_width": 0.3},
    )
)


def chosen(seed):
    return random.Random(seed)  # noqa: S311 (no secret)


def few_and_many(*marks, few=FEW):
    """Mark a test of mutants: the first few with `marks`, and in `long` many new ones."""
    return pytest.mark.parametrize(
        "count", [pytest.param(few, marks=marks), pytest.param(MANY, marks=pytest.mark.long)]
    )


def try_mutants(count, trial):
    """Call `trial` with each mutant's seed and generator; name the seed of a failure."""
    first = 0 if count < MANY else random.SystemRandom().randrange(10**9)
    for seed in range(first, first + count):
        try:
            trial(seed, chosen(seed))
        except BaseException as error:
            error.add_note(f"mutant {seed}")
            raise


@pytest.fixture
def run(capsys):
    """Run a command in this process; it must end with 0, or with one line and 2."""

    def run(*arguments, statuses=(0, 2)):
        capsys.readouterr()
        status = run_app([str(argument) for argument in arguments])
        result = capsys.readouterr()
        lines = result.err.splitlines()
        assert status in statuses, (arguments, status, result.err)
        assert "Traceback" not in result.err
        assert len(result.err) < 4000
        assert all(line.isprintable() for line in lines), result.err
        if status == 2:
            assert lines, arguments
            assert all(line.startswith("cardlab: ") for line in lines), result.err
        return status, result

    return run


@few_and_many(pytest.mark.whole)
def test_mutated_study_files(tmp_path, run, count):
    (tmp_path / "sound.toml").write_text(SMALL)
    assert run("run", tmp_path / "sound.toml", "--out", tmp_path / "sound")[0] == 0
    refused = []

    def trial(seed, choice):
        path, out = tmp_path / f"{seed}.toml", tmp_path / f"out-{seed}"
        path.write_bytes(mutated_study(SMALL, choice))
        command = ("run", path, "--out", out, "--matches", "3", "--threads", "1")
        started = time.monotonic()
        status, result = run(*command)
        assert status == 0 or len(result.err.splitlines()) <= 3, result.err
        if status == 0:
            assert run("compare", out)[0] == 0
            assert run(*command)[0] == 0
        assert time.monotonic() - started < 60
        if not (out / "study.toml").exists():
            refused.append(seed)

    try_mutants(count, trial)
    assert len(refused) > count // 4


@pytest.mark.parametrize("name", library_names())
def test_mutated_studies_of_the_library(tmp_path, name):
    """Checked up to their cells; nothing is played."""
    text = (LIBRARY / f"{name}.toml").read_text("utf-8")
    for seed in range(6):
        path = tmp_path / f"{seed}.toml"
        path.write_bytes(mutated_study(text, chosen(seed)))
        try:
            expand(load_study(str(path)))
        except InputError as error:
            assert "\n" not in str(error)[:4000].strip()  # noqa: PT017 (any other error fails)
        except BaseException as error:
            error.add_note(f"mutant {seed} of {name}: {path.read_bytes()[:2000]!r}")
            raise


STUDIES = {
    "matches": study(compare={"margin": {"win_share": 0.3, "score": 5.0}}),
    "sums": study(rows=False, matches=50),
    "goal": study(goal={"half_width": 0.2}, matches=300),
}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of finished studies: matches with margins, sums, and one with a goal."""
    place = tmp_path_factory.mktemp("finished")
    for name, checked in STUDIES.items():
        run_study(checked, place / name, threads=2, block=None if name == "goal" else 25)
    return place


def numbers(directory, run):
    """Return what compare tells of a directory, None when it refuses."""
    status, result = run("compare", directory, "--json")
    return json.loads(result.out) if status == 0 else None


def rows_of(directory):
    return None if directory.name == "sums" else load(directory).collect()


def copied(finished, tmp_path, choice):
    """Return a copy of one of the finished studies."""
    name = choice.choice(["matches", "matches", "sums", "goal"])
    return shutil.copytree(finished / name, tmp_path / "copy" / name)


@few_and_many(pytest.mark.whole)
def test_tampered_directories(finished, tmp_path, run, count):
    before = {name: numbers(finished / name, run) for name in STUDIES}

    def trial(seed, choice):
        directory = copied(finished, tmp_path, choice)
        tamper(directory, choice)
        told = numbers(directory, run)
        run("check", directory, "--blocks", "1")
        if directory.name != "sums" and (told is None or seed % REPORTED == 0):
            run("report", directory, "--out", tmp_path / "page.html")
        with contextlib.suppress(InputError):
            rows_of(directory)
        path = tmp_path / "again.toml"
        path.write_text(tomli_w.dumps(STUDIES[directory.name].document))
        status, _ = run("run", path, "--out", directory, "--threads", "1")
        if status == 0:
            # What `run` has mended tells the same numbers as if nothing had happened.
            assert numbers(directory, run) == before[directory.name]
        shutil.rmtree(directory)

    try_mutants(count, trial)


@few_and_many(few=8)
def test_edited_directories(finished, tmp_path, run, count):
    """A manifest that fits what somebody has written into a document hides nothing that harms."""

    def trial(_seed, choice):
        directory = copied(finished, tmp_path, choice)
        edit(directory, choice)
        name_anew(directory)
        numbers(directory, run)
        run("check", directory, "--blocks", "1", statuses=(0, 1, 2))
        shutil.rmtree(directory)

    try_mutants(count, trial)


def flip(directory, choice):
    """Turn one bit over, each file and each bit of it as likely as any other; return the file."""
    files = [
        path for path in sorted(directory.rglob("*")) if path.is_file() and path.stat().st_size
    ]
    path = choice.choice([path for path in files if path.name != ".lock"])
    content = bytearray(path.read_bytes())
    bit = choice.randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)
    return path


@few_and_many(pytest.mark.whole)
def test_flipped_bits(finished, tmp_path, run, count):
    """A flipped bit is refused by the name of its file, or the numbers are the same."""
    before = {name: numbers(finished / name, run) for name in STUDIES}
    rows = {name: rows_of(finished / name) for name in STUDIES}
    refused = []

    def trial(seed, choice):
        directory = copied(finished, tmp_path, choice)
        path = flip(directory, choice)
        status, result = run("compare", directory, "--json")
        if status == 0:
            assert json.loads(result.out) == before[directory.name], path
        else:
            refused.append(seed)
            assert path.name in result.err
            assert len(result.err.splitlines()) == 1, result.err
        try:
            read = rows_of(directory)
        except InputError as error:
            assert path.name in str(error)  # noqa: PT017
        else:
            assert read is None or read.equals(rows[directory.name]), path
        shutil.rmtree(directory)

    try_mutants(count, trial)
    assert len(refused) > 0.9 * count
