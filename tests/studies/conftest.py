import io
import shutil
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tomli_w

from studies.answers.frame import answers
from studies.cli.app import run_app
from studies.design.study import check_study
from studies.manifest import NAME, Entry, Manifest
from studies.run.run import run_study
from studies.store.files import locate
from studies.store.opened import DOCUMENTS, open_study
from studies.store.parts import encode_table
from tests.programs import ROOT

# ---- studies to be played


def table(name, *seats, rotate=True):
    """Return a line-up."""
    return {"name": name, "seats": list(seats), "rotate": rotate}


def document(**changes):
    """Return a small study's document; a change to None takes a key away."""
    keys = {
        "title": "A study",
        "game": "up",
        "seed": 5,
        "matches": 60,
        "options": {"players": 3, "rounds": 2},
        "variants": {"dirty": {"dirty_one": "always"}, "same": {}},
        "lineups": [table("pair", "greedy", "random")],
        **changes,
    }
    return {key: value for key, value in keys.items() if value is not None}


def study(**changes):
    return check_study(document(**changes), name="test")


def goal_study(half_width=0.05, **changes):
    """Return a study whose cells stop one by one, the last after some hundred deals."""
    return study(
        **{
            "matches": 5000,
            "options": {"players": 3, "rounds": 1},
            "variants": {"two": {"double_two": "always"}, "same": {}},
            "lineups": [table("pair", "greedy", "random"), {"name": "alike", "seats": ["random"]}],
            "goal": {"half_width": half_width},
            **changes,
        }
    )


@pytest.fixture
def study_file(tmp_path):
    """Return a function that writes a study's document into a file."""

    def write(**changes):
        path = tmp_path / "small.toml"
        path.write_text(tomli_w.dumps(document(**changes)))
        return path

    return write


# ---- studies that were played


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """A finished study directory with stored Totals; tests must not change it."""
    directory = tmp_path_factory.mktemp("played") / "study"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("studies.store.totals.LEAST_ROWS", 1)
        run_study(study(), directory, threads=2, block=25)
    return directory


@pytest.fixture
def copy(played, tmp_path):
    """A copy of the finished study directory, to be changed."""
    return Path(shutil.copytree(played, tmp_path / "copy"))


@pytest.fixture(scope="session")
def planted(tmp_path_factory):
    """Return a function that plants a study of `planted.PLANTS` once and opens it."""
    from tests.studies.planted import planted_as

    directories = {}

    def opened(name):
        if name not in directories:
            directories[name] = planted_as(tmp_path_factory.mktemp("planted") / name, name)
        return open_study(directories[name])

    return opened


@pytest.fixture(scope="session")
def planted_answers(planted):
    """Return a function that gives the answers of a study of `planted.PLANTS`, computed once."""

    @cache
    def of(name):
        stored = planted(name)
        margins = (stored.study.compare.margin if stored.study.compare else None) or {}
        return answers_of(stored, margins=dict(margins))

    return of


@pytest.fixture(scope="session")
def planted_frame(planted_answers):
    """Return a function that gives the frame of a study of `planted.PLANTS`, made once."""
    return lambda name: planted_answers(name).frame


@pytest.fixture
def undrawn(monkeypatch):
    """Write pages without their figures; what a pointer shows in them is there."""
    from studies.plots.figure import tips_of
    from studies.view.figures import draw

    charts = []

    def chart_of(grid, *, narrow):
        charts[:] = charts if narrow else [draw(grid)]  # a narrow one shows the same
        return charts[0]

    monkeypatch.setattr("studies.view.page.draw", chart_of)
    monkeypatch.setattr("studies.view.page.to_svg", lambda chart, *_: "".join(tips_of(chart)))


# ---- what is read of them


def load(directory):
    """Return all matches of a study directory, joined with the columns of their cells."""
    return open_study(locate(directory)).rows()


def answers_of(stored, **options):
    """Return the answers of an opened study, or of a directory."""
    stored = stored if hasattr(stored, "cells") else open_study(stored)
    return answers(stored.cells, stored.totals, study=stored.study, **options)


def frame_of(stored, **options):
    return answers_of(stored, **options).frame


def parts_of(directory, cell):
    """Return the parts of a cell, as the manifest names them."""
    return open_study(directory).parts.get(cell.id, [])


def totals_of(directory):
    """Return the cells of a study, each with the rows of its Totals."""
    stored = open_study(directory)
    return [(cell, stored.totals(cell).to_frame().rows()) for cell in stored.cells]


def read_rows(directory):
    """Return all rows of each cell in the order of the files, as one bytes object a cell."""
    rows = {}
    for folder in sorted((directory / "matches").iterdir()):
        tables = [
            pq.ParquetFile(path).read().replace_schema_metadata()
            for path in sorted(folder.glob("*.parquet"))
        ]
        rows[folder.name] = pa.concat_tables(tables).to_pydict()
    return rows


def contents(directory):
    """Return the bytes of all parts of a directory."""
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in sorted(directory.glob("*/cell=*/*.parquet"))
    }


def everything(directory):
    """Return the bytes of all files of a directory, and when each was written."""
    return {
        path: (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(directory.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


# ---- changes by hand


def flip(path, place):
    """Flip a bit of a file."""
    content = bytearray(path.read_bytes())
    content[place] ^= 4
    path.write_bytes(content)


def cut(path, count):
    """Take bytes off the end of a file."""
    path.write_bytes(path.read_bytes()[:-count])


def rewrite(path, rows, metadata_of=None):
    """Write other rows into a part and name them in the manifest, as if they had been played.

    Its metadata stay, or are those of another part.
    """
    metadata = dict(pq.read_metadata(metadata_of or path).metadata)
    metadata.pop(b"ARROW:schema", None)
    path.write_bytes(encode_table(rows.replace_schema_metadata(metadata)))
    name_anew(path.parents[2])


def add_one_play(path):
    """Change one number of a part; its metadata stay."""
    rows = pq.ParquetFile(path).read()
    plays = rows["plays"].to_pylist()
    plays[3] += 1
    column = pa.array(plays, pa.int32())
    rewrite(path, rows.set_column(rows.column_names.index("plays"), "plays", column))


def name_anew(directory):
    """Write a manifest that names the parts and documents as they lie there, and no totals."""
    manifest = Manifest()
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        if path.is_file() and name.startswith(("matches/", "sums/", *DOCUMENTS)):
            manifest.files[name] = (Entry.of(path.read_bytes()),)
    (directory / NAME).write_bytes(manifest.encode())


# ---- commands


def cardlab(*arguments, check=False, cwd=ROOT):
    """Run the command line in this process, from the repository, in 100 columns."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.chdir(cwd)
        patch.setenv("COLUMNS", "100")
        status = run_app([*map(str, arguments)])
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
    process = subprocess.CompletedProcess(arguments, status, *texts)
    if check:
        process.check_returncode()
    return process
