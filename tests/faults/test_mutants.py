"""Mutated study files, tampered directories and flipped bits: told in a line, or harmless.

By default a few of each; `long` has hundreds, other ones every time.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import time

import pytest
import tomli_w

from simcore.errors import InputError
from studies.cli.app import run_app
from studies.design.study import library_names
from studies.run.run import run_study
from tests.faults.mutants import edit, mutated_study, tamper
from tests.studies.conftest import document, load, name_anew, study

FEW, MANY = 40, 600
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


def number_of(name, few):
    return int(os.environ.get(f"CARDLAB_TEST_{name}", few))


class Ends:
    """Run commands in this process; every one must end with 0, or with one line and 2."""

    def __init__(self, capsys):
        self.capsys = capsys

    def run(self, *arguments):
        self.capsys.readouterr()
        status = run_app([str(argument) for argument in arguments])
        result = self.capsys.readouterr()
        lines = result.err.splitlines()
        assert status in (0, 2), (arguments, status, result.err)
        assert "Traceback" not in result.err
        assert len(result.err) < 4000
        assert all(line.isprintable() for line in lines), result.err
        if status == 2:
            message = [line for line in lines if line.startswith("cardlab: ")]
            assert lines, arguments
            assert len(message) == len(lines), result.err
        return status, result


@pytest.fixture
def ends(capsys):
    return Ends(capsys)


def try_study(path, ends, out, seed):
    words = ["run", path, "--out", out, "--matches", "3", "--threads", "1"]
    started = time.monotonic()
    status, result = ends.run(*words)
    assert status == 0 or len(result.err.splitlines()) <= 3, result.err
    if status == 0:
        assert ends.run("compare", out)[0] == 0
        assert ends.run("run", *words[1:])[0] == 0
    assert time.monotonic() - started < 60, seed


def try_studies(tmp_path, ends, seeds):
    (tmp_path / "sound.toml").write_text(SMALL)
    assert ends.run("run", tmp_path / "sound.toml", "--out", tmp_path / "sound")[0] == 0
    refused = 0
    for seed in seeds:
        path = tmp_path / f"{seed}.toml"
        path.write_bytes(mutated_study(SMALL, chosen(seed)))
        try:
            try_study(path, ends, tmp_path / f"out-{seed}", seed)
        except BaseException as error:
            error.add_note(f"mutant {seed} of the study: {path.read_bytes()[:2000]!r}")
            raise
        refused += not (tmp_path / f"out-{seed}" / "study.toml").exists()
    return refused


@pytest.mark.whole
def test_mutated_study_files(tmp_path, ends):
    count = number_of("STUDIES", FEW)
    assert try_studies(tmp_path, ends, range(count)) > count // 4


@pytest.mark.long
def test_many_mutated_study_files(tmp_path, ends):
    first = random.SystemRandom().randrange(10**9)
    try_studies(tmp_path, ends, range(first, first + MANY))


@pytest.mark.parametrize("name", library_names())
def test_mutated_studies_of_the_library(tmp_path, name):
    """Checked up to their cells; nothing is played."""
    from studies.design.cells import expand
    from studies.design.study import LIBRARY, load_study

    text = (LIBRARY / f"{name}.toml").read_text("utf-8")
    for seed in range(number_of("LIBRARY", 6)):
        path = tmp_path / f"{seed}.toml"
        path.write_bytes(mutated_study(text, chosen(seed)))
        try:
            expand(load_study(str(path)))
        except InputError as error:
            assert "\n" not in str(error)[:4000].strip()  # noqa: PT017 (any other error fails)
        except BaseException as error:
            error.add_note(f"mutant {seed} of {name}: {path.read_bytes()[:2000]!r}")
            raise


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Finished studies: matches with margins, sums, and one with a goal."""
    place = tmp_path_factory.mktemp("finished")
    margins = {"margin": {"win_share": 0.3, "score": 5.0}}
    run_study(study(compare=margins), place / "matches", threads=2, block=25)
    run_study(study(detail="summary", matches=50), place / "sums", threads=2, block=25)
    run_study(study(goal={"half_width": 0.2}, matches=300), place / "goal", threads=2)
    return place


def numbers(directory, ends):
    """Return what compare tells of a directory, None when it refuses."""
    status, result = ends.run("compare", directory, "--json")
    return json.loads(result.out) if status == 0 else None


def try_directory(directory, ends, before, source, with_report):
    words = {
        "matches": study(compare={"margin": {"win_share": 0.3, "score": 5.0}}),
        "sums": study(detail="summary", matches=50),
        "goal": study(goal={"half_width": 0.2}, matches=300),
    }[source]
    result = numbers(directory, ends)
    ends.run("check", directory, "--blocks", "1")
    if source != "sums" and (with_report or result is None):
        ends.run("report", directory, "--out", directory.parent / "page.html")
    try:
        rows = load(directory).collect() if source != "sums" else None
    except InputError:
        rows = None
    path = directory.parent / "again.toml"
    path.write_text(tomli_w.dumps(words.document))
    status, _ = ends.run("run", path, "--out", directory, "--threads", "1")
    if status == 0:
        # What `run` has mended tells the same numbers as if nothing had happened.
        assert numbers(directory, ends) == before
    return result, rows


def tampered(finished, tmp_path, seed):
    choice = chosen(seed)
    source = choice.choice(["matches", "matches", "sums", "goal"])
    directory = tmp_path / f"d{seed}" / source
    shutil.copytree(finished / source, directory)
    tamper(directory, choice)
    return source, directory


def try_directories(finished, tmp_path, ends, seeds):
    before = {name: numbers(finished / name, ends) for name in ("matches", "sums", "goal")}
    for seed in seeds:
        source, directory = tampered(finished, tmp_path, seed)
        try:
            try_directory(directory, ends, before[source], source, seed % REPORTED == 0)
        except BaseException as error:
            error.add_note(f"tampered directory {seed} ({source})")
            raise
        shutil.rmtree(directory.parent)


@pytest.mark.whole
def test_tampered_directories(finished, tmp_path, ends):
    try_directories(finished, tmp_path, ends, range(number_of("DIRECTORIES", FEW)))


@pytest.mark.long
def test_many_tampered_directories(finished, tmp_path, ends):
    first = random.SystemRandom().randrange(10**9)
    try_directories(finished, tmp_path, ends, range(first, first + MANY))


def try_edited(finished, tmp_path, ends, seeds):
    """A manifest that fits what somebody has written into a document hides nothing that harms."""
    for seed in seeds:
        choice = chosen(seed)
        directory = tmp_path / f"e{seed}"
        shutil.copytree(finished / choice.choice(["matches", "sums", "goal"]), directory)
        edit(directory, choice)
        name_anew(directory)
        try:
            numbers(directory, ends)
            status = run_app(["check", str(directory), "--blocks", "1"])
            message = ends.capsys.readouterr().err
            assert status in {0, 1, 2}
            assert "Traceback" not in message
        except BaseException as error:
            error.add_note(f"edited directory {seed}")
            raise
        shutil.rmtree(directory)


def test_edited_directories(finished, tmp_path, ends):
    try_edited(finished, tmp_path, ends, range(number_of("DIRECTORIES", FEW)))


@pytest.mark.long
def test_many_edited_directories(finished, tmp_path, ends):
    first = random.SystemRandom().randrange(10**9)
    try_edited(finished, tmp_path, ends, range(first, first + MANY))


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


def try_flips(finished, tmp_path, ends, seeds):
    """Return how many flipped bits were refused; no other may give other numbers."""
    names = ("matches", "sums", "goal")
    before = {name: numbers(finished / name, ends) for name in names}
    rows = {name: load(finished / name).collect() for name in ("matches", "goal")}
    refused = 0
    for seed in seeds:
        choice = chosen(seed)
        name = choice.choice(names)
        directory = tmp_path / f"f{seed}" / name
        shutil.copytree(finished / name, directory)
        path = flip(directory, choice)
        status, result = ends.run("compare", directory, "--json")
        if status == 0:
            assert json.loads(result.out) == before[name], (seed, path)
        else:
            refused += 1
            assert path.name in result.err, (seed, result.err)
            assert len(result.err.splitlines()) == 1, result.err
        if name in rows:
            try:
                assert load(directory).collect().equals(rows[name]), (seed, path)
            except InputError as error:
                assert path.name in str(error), seed  # noqa: PT017
        shutil.rmtree(directory.parent)
    return refused


@pytest.mark.whole
def test_flipped_bits(finished, tmp_path, ends):
    count = number_of("BITS", FEW)
    assert try_flips(finished, tmp_path, ends, range(count)) > 0.9 * count


@pytest.mark.long
def test_many_flipped_bits(finished, tmp_path, ends):
    first = random.SystemRandom().randrange(10**9)
    try_flips(finished, tmp_path, ends, range(first, first + MANY))
