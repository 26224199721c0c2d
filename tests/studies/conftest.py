import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from studies.cli.app import run_app
from studies.design.study import check_study
from studies.manifest import NAME, Entry, Manifest
from studies.run.run import run_study
from studies.store.files import locate
from studies.store.opened import DOCUMENTS, open_study
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


def load(directory):
    """Return all matches of a study directory, joined with the columns of their cells."""
    return open_study(locate(directory)).rows()


def document(**changes):
    """Return a small study's document; a change to None takes a key away."""
    told = {
        "title": "A study",
        "game": "up",
        "seed": 5,
        "matches": 60,
        "options": {"players": 3, "rounds": 2},
        "variants": {"dirty": {"dirty_one": "always"}, "same": {}},
        "lineups": [{"name": "pair", "seats": ["greedy", "random"], "rotate": True}],
        **changes,
    }
    return {key: value for key, value in told.items() if value is not None}


def study(**changes):
    return check_study(document(**changes), name="test")


def rewrite(path, table, told_by=None):
    """Write other rows into a part and name them in the manifest, as if they had been played.

    Its metadata stay, or are those of another part.
    """
    import pyarrow.parquet as pq

    from studies.store.parts import encode_table

    told = dict(pq.read_metadata(told_by or path).metadata)
    metadata = {key: told[key] for key in told if key != b"ARROW:schema"}
    path.write_bytes(encode_table(table.replace_schema_metadata(metadata)))
    name_anew(path.parents[2])


def name_anew(directory):
    """Write a manifest that names the parts and documents as they lie there, and no totals."""
    manifest = Manifest()
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        if path.is_file() and name.startswith(("matches/", "sums/", *DOCUMENTS)):
            manifest.files[name] = (Entry.of(path.read_bytes()),)
    (directory / NAME).write_bytes(manifest.encode())


def parts_there(directory, cell):
    """Return the parts of a cell, as the manifest names them."""
    return open_study(directory).parts.get(cell.id, [])


def told(directory):
    """Return all that is told of a study: its cells, and their Totals."""
    stored = open_study(directory)
    return [(cell, stored.totals(cell).to_frame().rows()) for cell in stored.cells]


def read_rows(directory):
    """Return all rows of each cell in the order of the files, as one bytes object a cell."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = {}
    for folder in sorted((directory / "matches").iterdir()):
        tables = [
            pq.ParquetFile(path).read().replace_schema_metadata()
            for path in sorted(folder.glob("*.parquet"))
        ]
        rows[folder.name] = pa.concat_tables(tables).to_pydict()
    return rows


def cardlab(*arguments, check=False):
    """Run the command line in this process, from the repository, in 100 columns."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.chdir(ROOT)
        patch.setenv("COLUMNS", "100")
        status = run_app([*map(str, arguments)])
    said = [stream.buffer.getvalue().decode() for stream in (out, err)]
    found = subprocess.CompletedProcess(arguments, status, *said)
    if check:
        found.check_returncode()
    return found


def program(*arguments, check=False):
    """Run the command line as a program of its own, which costs two seconds."""
    return subprocess.run(
        [sys.executable, "-m", "studies.cli.app", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=check,
        timeout=PATIENCE,
        env={**os.environ, "COLUMNS": "100"},
    )


@pytest.fixture(scope="session")
def played(tmp_path_factory):
    """A finished study directory with stored Totals; tests must not change it."""
    directory = tmp_path_factory.mktemp("played") / "study"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("studies.store.totals.LEAST_ROWS", 1)
        run_study(study(), directory, threads=2, block=25)
    return directory
